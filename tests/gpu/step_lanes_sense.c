// The lane code of sensors on a processor.
#define TACT_STEP_MORE 1
#include <stdlib.h>
#include <string.h>

#include "gpu/step/step_sense.h"
#include "tests/gpu/step_lanes.h"

typedef struct Sensed {
    const TactStepBatch *step;
    int                  world, after;
    TactSenseRoom        room;
} Sensed;

static void run(void *sensed)
{
    Sensed              *own = sensed;
    const TactStepBatch *step = own->step;
    tact_sense(step, step->models ? tact_step_model_of(step, own->world) : &step->model, own->after,
               own->world, &own->room);
}

void step_lanes_sense(const TactStepBatch *step, int after)
{
    Sensed *own = malloc(sizeof *own);
    if (!own) {
        abort();
    }
    memset(own, 0xff, sizeof *own); // what is read before it is written is NaN
    for (int i = 0; i < step->worlds.count; i++) {
        own->step = step;
        own->world = i;
        own->after = after;
        if (!after || !step->worlds.left[i]) {
            tact_warp_run(run, own);
        }
    }
    free(own);
}
