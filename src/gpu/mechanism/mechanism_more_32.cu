// Worlds with motors, loops or the circle: up to 32 contacts and limits with 48 rows, 32 rows of
// motors and loops, and 32 degrees of freedom.
#define TACT_POINTS 32
#define TACT_ROWS 80
#define TACT_DOFS 32
#define TACT_BASIS 48
#define TACT_EXTRA 32
#define TACT_BLOCK_WARPS 1
#define TACT_BLOCKS 3 // a multiprocessor: 57 kB each
#define TACT_JUDGE_BLOCKS 4
#define TACT_LAUNCH tact_mechanism_launch_more_32
#include "gpu/mechanism/mechanism_kernels.cuh"
