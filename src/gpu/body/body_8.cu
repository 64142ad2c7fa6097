// One body with up to 8 contacts, on the pyramid.
#define TACT_SLOTS 1
#define TACT_CIRCLE 0
#define TACT_BLOCKS 4 // blocks a multiprocessor
#define TACT_LAUNCH tact_body_launch_8
#include "gpu/body/body_kernels.cuh"
