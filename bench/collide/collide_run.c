// Times of all engines on one case.
#include <math.h>
#include <stdlib.h>

#include "bench/collide/collide.h"
#include "bench/watch.h"

// ---------------------------------------------------------------------------------------------
// tact as an engine

typedef struct Own {
    const TactCollideCase *bodies;
    TactWorld             *world; // of more than two
    TactTouchList          touches;
} Own;

static void own_destroy(void *engine)
{
    Own *own = engine;
    tact_world_destroy(own->world);
    tact_touch_list_destroy(&own->touches);
    free(own);
}

static void *own_create(const TactCollideCase *bodies)
{
    Own            *own = calloc(1, sizeof *own);
    TactWorldShape *shapes = calloc((size_t)bodies->bodies, sizeof *shapes);
    if (own && shapes) {
        own->bodies = bodies;
        for (int i = 0; i < bodies->bodies; i++) {
            shapes[i].shape = bodies->shape;
        }
        if (bodies->bodies > 2 &&
            tact_world_create(shapes, bodies->bodies, NULL, NULL, &own->world) != TACT_OK) {
            own_destroy(own);
            own = NULL;
        }
    }
    free(shapes);
    return own;
}

static void own_frame(Own *own, TactCollidePart part, const TactTransform *poses,
                      TactCollideFound *found)
{
    const TactShape *shape = &own->bodies->shape;
    TactWorldPairs   pairs;
    TactWorldTouches touches;
    switch (part) {
    case TACT_COLLIDE_PAIRS:
        tact_touch_list_clear(&own->touches);
        found->pairs +=
            tact_collide(shape, &poses[0], shape, &poses[1], 0, &own->touches) == TACT_OK;
        found->touching += own->touches.count > 0;
        found->contacts += own->touches.count;
        break;
    case TACT_COLLIDE_BROAD:
        if (tact_world_find_pairs(own->world, poses, NULL, &pairs) == TACT_OK) {
            found->pairs += pairs.count;
        }
        break;
    default:
        if (tact_world_collide(own->world, poses, NULL, &touches) == TACT_OK) {
            found->touching += touches.pair_count;
            found->contacts += touches.touches->count;
        }
    }
}

static double own_time(void *engine, TactCollidePart part, TactCollideFound *found)
{
    Own *own = engine;
    if ((part == TACT_COLLIDE_PAIRS) != (own->bodies->bodies == 2)) {
        return HUGE_VAL;
    }
    *found = (TactCollideFound){0};
    TactWatch watch = tact_watch_start();
    for (int f = 0; f < own->bodies->frames; f++) {
        own_frame(own, part, own->bodies->poses + (size_t)f * (size_t)own->bodies->bodies, found);
    }
    return tact_watch_stop(&watch);
}

const TactCollidePeer tact_collide_own = {
    "tact",
    "",
    "tact_collide() with margin 0; tact_world_find_pairs(); tact_world_collide()",
    own_create,
    own_destroy,
    own_time,
};

// ---------------------------------------------------------------------------------------------
// All engines

double tact_collide_seconds(const TactCollideBench *bench, int index, int engine, int part)
{
    const TactCollideCell *cell = &bench->cell[index][engine];
    return cell->taken ? cell->best[part] / bench->spec[index]->frames : HUGE_VAL;
}

/// One pass of every part; the seconds of all.
static double time_parts(const TactCollidePeer *peer, void *engine, TactCollideCell *cell)
{
    double sum = 0;
    for (int part = 0; part < TACT_COLLIDE_PART_COUNT; part++) {
        double seconds = peer->time(engine, (TactCollidePart)part, &cell->found[part]);
        cell->best[part] = fmin(cell->best[part], seconds);
        sum += seconds < HUGE_VAL ? seconds : 0;
    }
    return sum;
}

TactStatus tact_collide_run(TactCollideBench *bench, int index, double budget)
{
    TactCollideMade made;
    TactStatus      status = tact_collide_make(bench->spec[index], &made);
    void           *engines[TACT_COLLIDE_ENGINES] = {0};
    bool            running = status == TACT_OK;
    if (!running) {
        return status;
    }
    for (int e = 0; e < bench->engines; e++) {
        engines[e] = bench->engine[e]->create(&made.bodies);
        bench->cell[index][e] = (TactCollideCell){.taken = engines[e] != NULL};
        for (int part = 0; part < TACT_COLLIDE_PART_COUNT; part++) {
            bench->cell[index][e].best[part] = HUGE_VAL;
        }
    }
    // In turn, so that what else the machine does meets all; the best pass counts.
    double spent[TACT_COLLIDE_ENGINES] = {0};
    for (int round = 0; running; round++) {
        running = false;
        for (int e = 0; e < bench->engines; e++) {
            // The first pass of a world is not like those that follow.
            if (bench->cell[index][e].taken && (spent[e] < budget || round < 3)) {
                spent[e] += time_parts(bench->engine[e], engines[e], &bench->cell[index][e]);
                running = true;
            }
        }
    }
    for (int e = 0; e < bench->engines; e++) {
        if (engines[e]) {
            bench->engine[e]->destroy(engines[e]);
        }
    }
    tact_collide_drop(&made);
    return TACT_OK;
}
