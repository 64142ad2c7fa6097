// Mechanisms with up to 16 contacts and 32 degrees of freedom, most of whose bases are smaller than
// they may be: eight warps a multiprocessor instead of seven.
#define TACT_POINTS 16
#define TACT_DOFS 32
#define TACT_BASIS 41
#define TACT_BLOCK_WARPS 1
#define TACT_BLOCKS 8 // a multiprocessor
#define TACT_JUDGE_BLOCKS 6
#define TACT_RESUMES
#define TACT_LAUNCH tact_mechanism_launch_16_small
#include "gpu/mechanism/mechanism_kernels.cuh"
