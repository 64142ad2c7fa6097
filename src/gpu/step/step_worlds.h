// Arrays of all worlds of a batch. World i has row i of every array. C and C++ alike.
#ifndef TACT_GPU_STEP_WORLDS_H
#define TACT_GPU_STEP_WORLDS_H

#include "gpu/mechanism/mechanism.h"
#include "gpu/step/step_model.h"

/// Why a step of a world is left to the processor, a bit each.
enum {
    TACT_STEP_LEFT_FULL = 1,     // more contacts and limits than there is room for
    TACT_STEP_LEFT_CROSSED = 2,  // geoms in each other, axis through axis
    TACT_STEP_LEFT_RUNAWAY = 4,  // velocity products were not found, or M is not positive definite
    TACT_STEP_LEFT_UNSOLVED = 8, // no answer is certified
    TACT_STEP_LEFT_FAST = 16,    // something turns or moves too far in the step
    TACT_STEP_LEFT_KNOCKED = 32, // contacts change velocities so that velocity products are others
    TACT_STEP_LEFT_DEEPER = 64,  // a pair overlaps at the end that did not
    TACT_STEP_LEFT_HOVERS = 128, // a contact pushes across a gap
    TACT_STEP_LEFT_SUNK = 256,   // an overlap is so deep that positions are put right
    TACT_STEP_LEFT_REASONS = 9,
};

typedef struct TactStepWorlds {
    int       count, contacts; // worlds, and contacts and limits of a world that there is room for
    double   *q;               // (nq)
    double   *v;               // (nv)
    double   *ctrl;            // (actuators)
    double   *gain;            // v_free - v of the last step                       (nv)
    int      *found;           // contacts and limits of the step                   (1)
    int      *names;           // of these; limits below 0                          (contacts)
    double   *depth;           // of contacts at the beginning                      (contacts)
    int      *kept;            // contacts of the last step that was made           (1)
    int      *kept_names;      //                                                   (contacts)
    unsigned *kept_basis;      // of its answer                                     (contacts)
    int      *left;            // why the processor makes this step; 0: it need not (1)
} TactStepWorlds;

#endif
