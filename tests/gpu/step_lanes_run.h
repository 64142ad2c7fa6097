// The lane code of a world on a processor; the names of the functions are STEP_LANES_BEGIN and
// STEP_LANES_END. Included once for each kind of kernels.
#include "tests/gpu/step_lanes_world.h"

static const TactStepModel *model_of(const TactStepBatch *step, int world)
{
    return step->models ? tact_step_model_of(step, world) : &step->model;
}

void STEP_LANES_BEGIN(void *world)
{
    StepLanesWorld      *own = world;
    const TactStepBatch *step = own->step;
    tact_step_begin(model_of(step, own->world), &step->worlds, &step->problems, step->answers.basis,
                    own->world, &own->room);
}

void STEP_LANES_END(void *world)
{
    StepLanesWorld      *own = world;
    const TactStepBatch *step = own->step;
    own->state = tact_step_end(model_of(step, own->world), &step->worlds, &step->problems,
                               &step->answers, step->tol, own->world, &own->room);
}
