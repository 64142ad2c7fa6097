// Worlds of any size that steps on a GPU have.
#define TACT_STEP_WARPS 4 // of a block, a world each
#define TACT_STEP_BLOCKS 1 // a multiprocessor
#define TACT_STEP_BEGIN tact_step_begin_64
#define TACT_STEP_END tact_step_end_64
#include "gpu/kernels/step_kernels.cuh"
