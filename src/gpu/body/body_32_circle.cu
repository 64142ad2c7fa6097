// One body with up to 32 contacts, on the circular cone.
#define TACT_SLOTS 4
#define TACT_CIRCLE 1
#define TACT_BLOCKS 3 // blocks a multiprocessor
#define TACT_LAUNCH tact_body_launch_32_circle
#include "gpu/body/body_kernels.cuh"
