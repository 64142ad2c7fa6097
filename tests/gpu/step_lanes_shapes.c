#define TACT_STEP_MORE 1
#include "gpu/step/step_touch.h"
#include "tests/gpu/step_lanes.h"

int step_lanes_touch(const TactStepModel *model, int pair, const TactTransform poses[2],
                     double margin, TactStepHeld *touches)
{
    static TactStepPlaces places;
    TactStepTouches       found = {.count = 0};
    places.poses[model->pairs[pair].a] = poses[0];
    places.poses[model->pairs[pair].b] = poses[1];
    places.reach[model->pairs[pair].a] = margin;
    places.reach[model->pairs[pair].b] = 0;
    if (tact_step_collide(model, pair, &places, &found)) {
        return -1;
    }
    for (int k = 0; k < found.count; k++) {
        touches[k] = found.items[k];
    }
    return found.count;
}
