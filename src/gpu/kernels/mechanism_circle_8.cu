// Mechanisms with up to 8 contacts and 32 degrees of freedom, on the circle, without motors, loops
// and moments.
#define TACT_POINTS 8
#define TACT_ROWS 24
#define TACT_DOFS 32
#define TACT_BASIS 32
#define TACT_EXTRA 1 // the circle is part of kernels that have some
#define TACT_MOMENTS 1
#define TACT_BLOCK_WARPS 1
#define TACT_BLOCKS 12 // a multiprocessor
#define TACT_JUDGE_BLOCKS 4
#define TACT_LAUNCH tact_mechanism_launch_circle_8
#include "gpu/mechanism/mechanism_kernels.cuh"
