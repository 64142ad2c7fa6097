// Mechanisms with up to 8 contacts and 32 degrees of freedom.
#define TACT_POINTS 8
#define TACT_DOFS 32
#define TACT_BASIS 32
#define TACT_BLOCK_WARPS 4
#define TACT_BLOCKS 4 // a multiprocessor
#define TACT_JUDGE_BLOCKS 8
#define TACT_RESUMES
#define TACT_LAUNCH tact_mechanism_launch_8
#include "gpu/mechanism/mechanism_kernels.cuh"
