// Worlds with up to 32 contacts and limits with 48 rows, and 32 degrees of freedom.
#define TACT_POINTS 32
#define TACT_ROWS 48
#define TACT_DOFS 32
#define TACT_BASIS 48
#define TACT_BLOCK_WARPS 1
#define TACT_BLOCKS 7 // a multiprocessor
#define TACT_JUDGE_BLOCKS 6
#define TACT_LAUNCH tact_mechanism_launch_rows_48
#include "gpu/mechanism/mechanism_kernels.cuh"
