// Sensors of worlds of any size that steps on a GPU have.
#define TACT_STEP_MORE 1
#define TACT_STEP_WARPS 4 // of a block, a world each
#define TACT_STEP_BLOCKS 1 // a multiprocessor
#define TACT_STEP_SENSE tact_step_sense_64
#include "gpu/kernels/sense_kernels.cuh"
