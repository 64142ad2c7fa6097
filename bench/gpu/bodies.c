#include "bench/gpu/bodies.h"

#include <stdlib.h>

/// Doubles and integers of a problem and its answer.
static size_t doubles_of(int contacts)
{
    return 1 + 6 + 3 + 6 + 6 + 7 * (size_t)contacts + 3 * (size_t)contacts + 6 + 1;
}

static double *carve(double **block, size_t numbers, int count)
{
    double *out = *block;
    *block += numbers * (size_t)count;
    return out;
}

static void lay_out(TactBenchBodies *bodies)
{
    double *at = bodies->block;
    int     count = bodies->count;
    size_t  n = (size_t)bodies->contacts;
    bodies->drawn = (TactMixArrays){
        .count = count,
        .stride = count,
        .contacts = bodies->contacts,
        .mass = carve(&at, 1, count),
        .inertia = carve(&at, 6, count),
        .centre = carve(&at, 3, count),
        .velocity = carve(&at, 6, count),
        .force = carve(&at, 6, count),
        .point = carve(&at, 3 * n, count),
        .normal = carve(&at, 3 * n, count),
        .mu = carve(&at, n, count),
    };
    const TactMixArrays *drawn = &bodies->drawn;
    bodies->problems = (TactBodyProblems){
        .count = count,
        .stride = count,
        .contacts = bodies->contacts,
        .step = 0.01,
        .mass = drawn->mass,
        .inertia = drawn->inertia,
        .centre = drawn->centre,
        .velocity = drawn->velocity,
        .force = drawn->force,
        .point = drawn->point,
        .normal = drawn->normal,
        .mu = drawn->mu,
    };
    bodies->answers.impulse = carve(&at, 3 * n, count);
    bodies->answers.velocity = carve(&at, 6, count);
    bodies->answers.error = carve(&at, 1, count);
    bodies->answers.pivots = (int *)at;
}

TactStatus tact_bench_bodies_create(TactDevice device, TactContactCone cone, int count,
                                    int contacts, int directions, TactBenchBodies *bodies)
{
    TactContactBatchConfig config = tact_contact_batch_config_default(device);
    config.problems = count;
    config.contacts = contacts;
    config.directions = directions;
    config.cone = cone;
    *bodies = (TactBenchBodies){.count = count,
                                .contacts = contacts,
                                .directions = directions,
                                .cone = cone,
                                .tol = config.tol};
    size_t size = doubles_of(contacts) * sizeof(double) + sizeof(int);
    bodies->block = malloc(size * (size_t)count);
    if (!bodies->block) {
        return TACT_NO_MEMORY;
    }
    lay_out(bodies);
    return tact_contact_batch_create(&config, &bodies->batch);
}

void tact_bench_bodies_destroy(TactBenchBodies *bodies)
{
    tact_contact_batch_destroy(bodies->batch);
    free(bodies->block);
    *bodies = (TactBenchBodies){0};
}
