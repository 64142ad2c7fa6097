// Sensors of worlds of up to 24 links, 32 degrees of freedom and 32 geoms that touch anything.
#define TACT_STEP_MAX_LINKS 24
#define TACT_STEP_MAX_DOF 32
#define TACT_STEP_MAX_GEOMS 32
#define TACT_STEP_MORE 1
#define TACT_STEP_WARPS 4 // of a block, a world each
#define TACT_STEP_BLOCKS 2 // a multiprocessor
#define TACT_STEP_SENSE tact_step_sense_32
#include "gpu/kernels/sense_kernels.cuh"
