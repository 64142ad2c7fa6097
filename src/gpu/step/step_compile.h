// From a simulation of the processor to the model that steps on a GPU read.
#ifndef TACT_GPU_STEP_COMPILE_H
#define TACT_GPU_STEP_COMPILE_H

#include "gpu/step/step_model.h"
#include "sim/sim.h"

typedef struct TactStepBlock {
    TactStepModel model; // points into the memory
    void         *memory;
    size_t        size;
} TactStepBlock;

/// TACT_UNSUPPORTED with the list of all that the model asks for and steps on a GPU do not have.
/// allowed: what was asked for.
enum {
    TACT_STEP_ONLY_SLIDE = 1,   // contacts that resist spinning and rolling do not
    TACT_STEP_OTHER_SHAPES = 2, // pairs of shapes that are not there are the processor's
};
TactStatus tact_step_check(const TactSim *sim, int allowed);

/// Do closed forms have the points of this pair?
bool tact_step_has_pair(TactGeomType a, TactGeomType b);

/// Rows of dry friction, and loops with the number of their rows; the array NULL: only that
/// (step_compile_extra.c).
int tact_step_fill_motors(const TactModel *model, TactStepMotor *motors);
int tact_step_fill_loops(const TactSim *sim, TactStepLoop *loops, int *rows);

/// sim must have passed the check.
TactStatus tact_step_compile(const TactSim *sim, TactStepBlock *block);
void       tact_step_release(TactStepBlock *block);

/// The model with its arrays where the memory was copied to.
TactStepModel tact_step_move_model(const TactStepBlock *block, void *memory);

#endif
