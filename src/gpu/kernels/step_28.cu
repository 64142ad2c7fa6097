// Worlds of up to 16 links, 28 degrees of freedom and 24 geoms that touch anything.
#define TACT_STEP_MAX_LINKS 16
#define TACT_STEP_MAX_DOF 28
#define TACT_STEP_MAX_GEOMS 24
#define TACT_STEP_WARPS 4 // of a block, a world each
#define TACT_STEP_BLOCKS 4 // a multiprocessor
#define TACT_STEP_BEGIN tact_step_begin_28
#define TACT_STEP_END tact_step_end_28
#include "gpu/kernels/step_kernels.cuh"
