// Worlds with motors, loops or the circle: up to 32 contacts and limits with 48 rows, 48 rows of
// motors and loops, and 64 degrees of freedom.
#define TACT_POINTS 32
#define TACT_ROWS 96
#define TACT_DOFS 64
#define TACT_BASIS 64
#define TACT_EXTRA 48
#define TACT_BLOCK_WARPS 1
#define TACT_BLOCKS 2 // a multiprocessor
#define TACT_JUDGE_BLOCKS 2
#define TACT_LAUNCH tact_mechanism_launch_more_64
#include "gpu/mechanism/mechanism_kernels.cuh"
