// Arrays of all worlds of a batch. World i has row i of every array. C and C++ alike.
#ifndef TACT_GPU_STEP_WORLDS_H
#define TACT_GPU_STEP_WORLDS_H

#include "gpu/mechanism/mechanism.h"
#include "gpu/step_model.h"

/// Why a step of a world is left to the processor, a bit each.
enum {
    TACT_STEP_LEFT_FULL = 1,        // more contacts and limits than there is room for
    TACT_STEP_LEFT_CROSSED = 2,     // geoms in each other, axis through axis
    TACT_STEP_LEFT_RUNAWAY = 4,     // velocity products were not found, or M is not definite
    TACT_STEP_LEFT_UNSOLVED = 8,    // no answer is certified
    TACT_STEP_LEFT_FAST = 16,       // two geoms pass each other so fast that the way matters
    TACT_STEP_LEFT_UNBALANCED = 32, // fast joints gain energy
    TACT_STEP_LEFT_DEEPER = 64,     // a pair overlaps far, or rounds do not help
    TACT_STEP_LEFT_SUNK = 128,  // an overlap or limit is so far off that positions are put right
    TACT_STEP_LEFT_SHAPE = 256, // two geoms come near whose points the GPU does not find
    TACT_STEP_LEFT_REASONS = 9,
};

typedef struct TactStepWorlds {
    int           count, contacts; // worlds, and contacts and limits of a world there is room for
    double       *q;               // (nq)
    double       *v;               // (nv)
    double       *ctrl;            // (actuators)
    double       *gain;            // v_free - v; of the last step where one begins      (nv)
    double       *tau;             // forces but weight and velocity products            (nv)
    double       *v_before;        // about which contacts were made last                (nv)
    TactStepHeld *held;            // of the step as it is solved                  (contacts)
    TactStepHeld *start;           // that it began with                           (contacts)
    int          *start_count;     // of these contacts, without limits                   (1)
    int          *round;           // solves so far; lifts are off: + TACT_STEP_FLAT      (1)
    int          *kept;            // contacts of the last step that was made             (1)
    int          *kept_names;      //                                              (contacts)
    unsigned     *kept_basis;      // of its answer                                (contacts)
    int          *left;     // why the processor makes this step; 0: it need not              (1)
    TactMechanismMore more; // motors and loops, and whether friction is a circle
    double           *loop_start; // what loops are off where the step begins         (loops)
    unsigned         *kept_turns; // basis of moments of the last step         (2 contacts)
} TactStepWorlds;

enum { TACT_STEP_FLAT = 64, TACT_STEP_MOST_ROUNDS = 8 };

#endif
