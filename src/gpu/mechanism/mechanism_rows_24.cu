// Worlds with up to 16 contacts and limits with 24 rows, and 32 degrees of freedom.
#define TACT_POINTS 16
#define TACT_ROWS 24
#define TACT_DOFS 32
#define TACT_BASIS 32
#define TACT_BLOCK_WARPS 4
#define TACT_BLOCKS 4 // a multiprocessor
#define TACT_JUDGE_BLOCKS 8
#define TACT_LAUNCH tact_mechanism_launch_rows_24
#include "gpu/mechanism/mechanism_kernels.cuh"
