// What a scene does, from the poses of its bodies alone: the same measure for every engine.
#include <math.h>
#include <stdlib.h>
#include <tact/collide.h>

#include "bench/engines.h"
#include "bench/sim/sim.h"

struct TactSimMeasure {
    const TactModel *model;
    TactWorld       *world;
    int              count;         // of geoms that are measured: no hulls, meshes or height fields
    int             *geom_of_shape; // (count)
    TactTransform   *poses;         // (count)
};

static bool may_touch(void *context, int i, int j)
{
    const TactSimMeasure *m = context;
    return tact_model_may_touch(m->model, m->geom_of_shape[i], m->geom_of_shape[j], NULL);
}

static int list_shapes(TactSimMeasure *m, TactWorldShape *shapes)
{
    int count = 0;
    for (int i = 0; i < m->model->geom_count; i++) {
        const TactGeom *geom = &m->model->geoms[i];
        if (geom->visual || geom->type == TACT_GEOM_CONVEX ||
            !tact_bench_shape(m->model, geom, &shapes[count].shape)) {
            continue;
        }
        const TactBody *body = &m->model->bodies[geom->body];
        shapes[count].fixed = m->model->bodies[body->carrier].joint_count == 0;
        m->geom_of_shape[count++] = i;
    }
    return count;
}

TactStatus tact_sim_measure_create(const TactModel *model, TactSimMeasure **measure)
{
    size_t          geoms = (size_t)model->geom_count;
    TactSimMeasure *m = calloc(1, sizeof *m);
    TactWorldShape *shapes = calloc(geoms, sizeof *shapes);
    TactStatus      status = m && shapes ? TACT_OK : TACT_NO_MEMORY;
    *measure = m;
    if (status == TACT_OK) {
        m->model = model;
        m->geom_of_shape = calloc(geoms, sizeof *m->geom_of_shape);
        m->poses = calloc(geoms, sizeof *m->poses);
        status = m->geom_of_shape && m->poses ? TACT_OK : TACT_NO_MEMORY;
    }
    if (status == TACT_OK) {
        m->count = list_shapes(m, shapes);
        status = tact_world_create(shapes, m->count, may_touch, m, &m->world);
    }
    free(shapes);
    return status;
}

void tact_sim_measure_destroy(TactSimMeasure *measure)
{
    if (measure) {
        tact_world_destroy(measure->world);
        free(measure->geom_of_shape);
        free(measure->poses);
        free(measure);
    }
}

/// Widest gap between the anchors of a joint in its body and in the parent, of joints that are
/// alone on their body.
static double find_joint_error(const TactModel *model, const TactTransform *pose)
{
    double worst = 0;
    for (int j = 0; j < model->joint_count; j++) {
        const TactJoint *joint = &model->joints[j];
        const TactBody  *body = &model->bodies[joint->body];
        if ((joint->type != TACT_JOINT_BALL && joint->type != TACT_JOINT_HINGE) ||
            body->joint_count > 1) {
            continue;
        }
        TactTransform reference = tact_transform_multiply(pose[body->parent], body->pose);
        TactVec3 gap = tact_vec3_subtract(tact_transform_point(pose[joint->body], joint->position),
                                          tact_transform_point(reference, joint->position));
        worst = fmax(worst, tact_vec3_norm(gap));
    }
    return worst;
}

TactStatus tact_sim_measure_run(TactSimMeasure *measure, const TactTransform *start,
                                const TactTransform *now, TactSimHeld *held)
{
    const TactModel *model = measure->model;
    TactWorldTouches found;
    *held = (TactSimHeld){.joint_error = find_joint_error(model, now)};
    for (int b = 1; b < model->body_count; b++) {
        TactVec3 way = tact_vec3_subtract(now[b].position, start[b].position);
        double   length = tact_vec3_norm(way);
        if (!isfinite(length)) {
            *held = (TactSimHeld){HUGE_VAL, HUGE_VAL, HUGE_VAL};
            return TACT_OK;
        }
        held->drift = fmax(held->drift, length);
    }
    for (int i = 0; i < measure->count; i++) {
        const TactGeom *geom = &model->geoms[measure->geom_of_shape[i]];
        measure->poses[i] = tact_transform_multiply(now[geom->body], geom->pose);
    }
    TactStatus status = tact_world_collide(measure->world, measure->poses, NULL, &found);
    for (int k = 0; status == TACT_OK && k < found.touches->count; k++) {
        held->penetration = fmax(held->penetration, found.touches->touches[k].depth);
    }
    return status;
}
