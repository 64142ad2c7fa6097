// Mechanisms with up to 16 contacts and 64 degrees of freedom.
#define TACT_POINTS 16
#define TACT_DOFS 64
#define TACT_BASIS 64
#define TACT_BLOCK_WARPS 1
#define TACT_BLOCKS 4 // a multiprocessor
#define TACT_JUDGE_BLOCKS 2
#define TACT_RESUMES
#define TACT_LAUNCH tact_mechanism_launch_64
#include "gpu/mechanism/mechanism_kernels.cuh"
