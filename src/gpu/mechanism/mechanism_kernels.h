// Launching the kernels of mechanisms: one function for each size.
#ifndef TACT_GPU_MECHANISM_KERNELS_H
#define TACT_GPU_MECHANISM_KERNELS_H

#include <cuda_runtime.h>

#include "gpu/mechanism/mechanism.h"

/// Of the device, the counters 0.
typedef struct TactMechanismLists {
    int *counter;           // of problems taken
    int *left, *left_count; // problems that are not certified
} TactMechanismLists;

/// Follows the paths of a task, and certifies the answers.
typedef cudaError_t TactMechanismLaunch(const TactMechanismTask *task, double tol,
                                        const TactMechanismLists *lists, int processors,
                                        cudaStream_t stream);

// Up to 8 contacts and 32 degrees of freedom; 16 and 32, with fewer or more unknowns of a basis; 16
// and 64.
TactMechanismLaunch tact_mechanism_launch_8, tact_mechanism_launch_16_small,
    tact_mechanism_launch_16, tact_mechanism_launch_64;

// Contacts of worlds, with three rows or one: 16 with 24 rows; 32 with 48; the same with up to 64
// degrees of freedom.
TactMechanismLaunch tact_mechanism_launch_rows_24, tact_mechanism_launch_rows_48,
    tact_mechanism_launch_rows_64;

// The same with motors, loops and the circle: up to 32 or 64 degrees of freedom, and 32 or 48 rows
// of motors and loops.
TactMechanismLaunch tact_mechanism_launch_more_32, tact_mechanism_launch_more_64;

// The circle alone: up to 8 contacts, and up to 32 with 48 rows; 32 degrees of freedom.
TactMechanismLaunch tact_mechanism_launch_circle_8, tact_mechanism_launch_circle_48;

#endif
