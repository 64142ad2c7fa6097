// Mechanisms with up to 16 contacts and 32 degrees of freedom.
#define TACT_POINTS 16
#define TACT_DOFS 32
#define TACT_BASIS 48
#define TACT_BLOCK_WARPS 1
#define TACT_BLOCKS 7 // a multiprocessor
#define TACT_JUDGE_BLOCKS 6
#define TACT_RESUMES
#define TACT_LAUNCH tact_mechanism_launch_16
#include "gpu/mechanism/mechanism_kernels.cuh"
