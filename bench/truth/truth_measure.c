// What states say about a step, by code that knows no solver and no engine.
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <tact/collide.h>
#include <tact/dynamics.h>

#include "bench/engines.h"
#include "bench/truth/truth.h"

struct TactTruthMeasure {
    const TactModel *model;
    TactDynamics    *dynamics;
    TactWorld       *world;
    int              count;  // of shapes
    TactShape       *shapes; //                                                     (count)
    int             *geoms;  // of shapes                                           (count)
    TactTransform   *at;     // where shapes are                                    (count)
    double          *q;      // moved along a velocity                              (nq)
    TactTransform   *moved;  // poses there                                         (bodies)
};

// Pairs are looked at when their bounds are this near, m.
static const double NEAR = 1e-3;

// ---------------------------------------------------------------------------------------------
// States

TactStatus tact_truth_state_create(const TactModel *model, TactTruthState *state)
{
    size_t bodies = (size_t)model->body_count;
    *state = (TactTruthState){
        .poses = calloc(bodies, sizeof *state->poses),
        .twists = calloc(bodies, sizeof *state->twists),
        .q = calloc((size_t)model->nq + 1, sizeof *state->q),
        .v = calloc((size_t)model->nv + 1, sizeof *state->v),
    };
    return state->poses && state->twists && state->q && state->v ? TACT_OK : TACT_NO_MEMORY;
}

void tact_truth_state_destroy(TactTruthState *state)
{
    free(state->poses);
    free(state->twists);
    free(state->q);
    free(state->v);
    *state = (TactTruthState){0};
}

TactStatus tact_truth_set_coordinates(TactTruthMeasure *measure, const double *q, const double *v,
                                      TactTruthState *state)
{
    const TactModel *model = measure->model;
    TactStatus       status = tact_dynamics_set_position(measure->dynamics, q);
    if (status == TACT_OK) {
        status = tact_dynamics_set_velocity(measure->dynamics, v);
    }
    if (status != TACT_OK) {
        return status;
    }
    state->coordinates = true;
    memmove(state->q, q, (size_t)model->nq * sizeof *q);
    memmove(state->v, v, (size_t)model->nv * sizeof *v);
    memcpy(state->poses, tact_dynamics_view_poses(measure->dynamics),
           (size_t)model->body_count * sizeof *state->poses);
    for (int b = 0; b < model->body_count; b++) {
        TactVec3 com = tact_transform_point(state->poses[b], model->bodies[b].inertia.com);
        state->twists[b] = tact_dynamics_compute_velocity(measure->dynamics, b, com);
    }
    return TACT_OK;
}

// ---------------------------------------------------------------------------------------------
// Overlaps

static bool may_touch(void *context, int i, int j)
{
    const TactTruthMeasure *m = context;
    return tact_model_may_touch(m->model, m->geoms[i], m->geoms[j], NULL);
}

static bool is_fixed(const TactModel *model, int body)
{
    return model->bodies[model->bodies[body].carrier].joint_count == 0;
}

/// TACT_UNSUPPORTED: a shape that these scenes never have.
static TactStatus list_shapes(TactTruthMeasure *m, TactWorldShape *shapes)
{
    const TactModel *model = m->model;
    for (int i = 0; i < model->geom_count; i++) {
        const TactGeom *geom = &model->geoms[i];
        if (geom->visual) {
            continue;
        }
        TactShape shape;
        if (!tact_bench_shape(model, geom, &shape)) {
            return TACT_UNSUPPORTED;
        }
        shapes[m->count] = (TactWorldShape){
            .shape = shape, .margin = NEAR / 2, .fixed = is_fixed(model, geom->body)};
        m->shapes[m->count] = shape;
        m->geoms[m->count++] = i;
    }
    return TACT_OK;
}

TactStatus tact_truth_measure_create(const TactModel *model, TactTruthMeasure **measure)
{
    size_t            geoms = (size_t)model->geom_count + 1;
    TactTruthMeasure *m = calloc(1, sizeof *m);
    TactWorldShape   *shapes = calloc(geoms, sizeof *shapes);
    TactStatus        status = m && shapes ? TACT_OK : TACT_NO_MEMORY;
    *measure = m;
    if (status == TACT_OK) {
        m->model = model;
        m->shapes = calloc(geoms, sizeof *m->shapes);
        m->geoms = calloc(geoms, sizeof *m->geoms);
        m->at = calloc(geoms, sizeof *m->at);
        m->q = calloc((size_t)model->nq + 1, sizeof *m->q);
        m->moved = calloc((size_t)model->body_count, sizeof *m->moved);
        status = m->shapes && m->geoms && m->at && m->q && m->moved ? TACT_OK : TACT_NO_MEMORY;
    }
    if (status == TACT_OK) {
        status = tact_dynamics_create(model, &m->dynamics);
    }
    if (status == TACT_OK) {
        status = list_shapes(m, shapes);
    }
    if (status == TACT_OK) {
        status = tact_world_create(shapes, m->count, may_touch, m, &m->world);
    }
    free(shapes);
    return status;
}

void tact_truth_measure_destroy(TactTruthMeasure *measure)
{
    if (measure) {
        tact_world_destroy(measure->world);
        tact_dynamics_destroy(measure->dynamics);
        free(measure->shapes);
        free(measure->geoms);
        free(measure->at);
        free(measure->q);
        free(measure->moved);
        free(measure);
    }
}

TactStatus tact_truth_depth(TactTruthMeasure *measure, const TactTruthState *state, double *depth)
{
    TactWorldPairs near = {0};
    *depth = -HUGE_VAL;
    for (int i = 0; i < measure->count; i++) {
        const TactGeom *geom = &measure->model->geoms[measure->geoms[i]];
        measure->at[i] = tact_transform_multiply(state->poses[geom->body], geom->pose);
    }
    TactStatus status = tact_world_find_pairs(measure->world, measure->at, NULL, &near);
    for (int k = 0; k < near.count && status == TACT_OK; k++) {
        int          a = near.pairs[k].a, b = near.pairs[k].b;
        TactDistance found;
        status = tact_shape_compute_distance(&measure->shapes[a], &measure->at[a],
                                             &measure->shapes[b], &measure->at[b], &found);
        *depth = fmax(*depth, -found.distance);
    }
    return status;
}

// ---------------------------------------------------------------------------------------------
// Positions against velocities

static TactVec3 com_of(const TactModel *model, const TactTransform *poses, int body)
{
    return tact_transform_point(poses[body], model->bodies[body].inertia.com);
}

/// |next - x - h v|
static double miss(TactVec3 x, TactVec3 v, double h, TactVec3 next)
{
    return tact_vec3_norm(tact_vec3_subtract(next, tact_vec3_add_scaled(x, h, v)));
}

/// Angular velocity of a body with this angular momentum about its centre, world frame.
static TactVec3 angular_velocity(const TactMat3 *inverse, TactQuat r, TactVec3 momentum)
{
    return tact_quat_rotate(r, tact_mat3_apply(*inverse, tact_quat_rotate_back(r, momentum)));
}

/// Where a body was a time h ago that has flown freely since, by steps of the midpoint rule.
static TactQuat fly_back(const TactInertia *inertia, TactQuat now, TactVec3 w, double h)
{
    enum { SUBSTEPS = 16 };
    TactMat3 inverse;
    if (!tact_mat3_invert(inertia->rotary, &inverse)) {
        return now;
    }
    TactVec3 in_body = tact_mat3_apply(inertia->rotary, tact_quat_rotate_back(now, w));
    TactVec3 momentum = tact_quat_rotate(now, in_body);
    double   part = -h / SUBSTEPS;
    for (int k = 0; k < SUBSTEPS; k++) {
        TactVec3 first = angular_velocity(&inverse, now, momentum);
        TactQuat half = tact_quat_multiply(tact_quat_exp(tact_vec3_scale(part / 2, first)), now);
        TactVec3 middle = angular_velocity(&inverse, half, momentum);
        now = tact_quat_multiply(tact_quat_exp(tact_vec3_scale(part, middle)), now);
    }
    return now;
}

static double angle_between(TactQuat a, TactQuat b)
{
    return tact_vec3_norm(tact_quat_log(tact_quat_multiply(a, tact_quat_conjugate(b))));
}

static double turn_departure(const TactInertia *inertia, TactQuat before, TactQuat after,
                             TactVec3 w, double h)
{
    TactQuat flown = fly_back(inertia, after, w, h);
    TactQuat even = tact_quat_multiply(tact_quat_exp(tact_vec3_scale(-h, w)), after);
    return fmin(angle_between(flown, before), angle_between(even, before));
}

/// Is it a body of its own, with nothing that it carries?
static bool is_alone(const TactModel *model, int body)
{
    const TactBody *b = &model->bodies[body];
    return b->joint_count == 1 && model->joints[b->first_joint].type == TACT_JOINT_FREE &&
           b->subtree_mass == b->inertia.mass;
}

TactStatus tact_truth_departure(TactTruthMeasure *measure, const TactTruthState *before,
                                const TactTruthState *after, double h,
                                TactTruthDeparture *departure)
{
    const TactModel *model = measure->model;
    bool             coordinates = before->coordinates && after->coordinates;
    *departure = (TactTruthDeparture){0, 0};
    if (coordinates) {
        tact_dynamics_integrate(model, before->q, after->v, h, measure->q);
        tact_model_compute_poses(model, measure->q, measure->moved);
    }
    for (int b = 1; b < model->body_count; b++) {
        if (is_fixed(model, b)) {
            continue;
        }
        TactVec3  at = com_of(model, before->poses, b), next = com_of(model, after->poses, b);
        TactTwist twist = after->twists[b];
        double    way = miss(at, twist.linear, h, next);
        TactVec3  arm = tact_vec3_subtract(after->poses[b].position, next);
        TactVec3  v = tact_vec3_add(twist.linear, tact_vec3_cross(twist.angular, arm));
        way = fmin(way, miss(before->poses[b].position, v, h, after->poses[b].position));
        if (coordinates) {
            TactVec3 moved = com_of(model, measure->moved, b);
            way = fmin(way, tact_vec3_norm(tact_vec3_subtract(next, moved)));
        }
        departure->way = fmax(departure->way, way);
        if (is_alone(model, b)) {
            double turn = turn_departure(&model->bodies[b].inertia, before->poses[b].rotation,
                                         after->poses[b].rotation, twist.angular, h);
            departure->turn = fmax(departure->turn, turn);
        }
    }
    return TACT_OK;
}

// ---------------------------------------------------------------------------------------------
// Sums over bodies

/// I w about the centre of mass, world frame.
static TactVec3 spin_of(const TactModel *model, const TactTruthState *state, int body)
{
    TactQuat r = state->poses[body].rotation;
    TactVec3 w = tact_quat_rotate_back(r, state->twists[body].angular);
    return tact_quat_rotate(r, tact_mat3_apply(model->bodies[body].inertia.rotary, w));
}

TactTruthEnergy tact_truth_energy(const TactModel *model, const TactTruthState *state)
{
    TactTruthEnergy energy = {0, 0};
    for (int b = 1; b < model->body_count; b++) {
        double    m = model->bodies[b].inertia.mass;
        TactTwist twist = state->twists[b];
        TactVec3  spin = spin_of(model, state, b);
        energy.kinetic += 0.5 * m * tact_vec3_dot(twist.linear, twist.linear);
        energy.kinetic += 0.5 * tact_vec3_dot(twist.angular, spin);
        energy.potential -=
            m * tact_vec3_dot(model->options.gravity, com_of(model, state->poses, b));
    }
    return energy;
}

TactTruthMomentum tact_truth_momentum(const TactModel *model, const TactTruthState *state)
{
    TactTruthMomentum sum = {{0, 0, 0}, {0, 0, 0}, 0, 0};
    for (int b = 1; b < model->body_count; b++) {
        TactVec3 com = com_of(model, state->poses, b);
        TactVec3 p = tact_vec3_scale(model->bodies[b].inertia.mass, state->twists[b].linear);
        TactVec3 l = tact_vec3_add(tact_vec3_cross(com, p), spin_of(model, state, b));
        sum.linear = tact_vec3_add(sum.linear, p);
        sum.angular = tact_vec3_add(sum.angular, l);
        sum.linear_sum += tact_vec3_norm(p);
        sum.angular_sum += tact_vec3_norm(l);
    }
    return sum;
}

double tact_truth_disturbance(const TactModel *model, const TactTruthState *before,
                              const TactTruthState *after, double h)
{
    double worst = 0;
    for (int root = 1; root < model->body_count; root++) {
        if (model->bodies[root].root != root || is_fixed(model, root)) {
            continue;
        }
        TactVec3 change = {0, 0, 0};
        for (int b = root; b < model->body_count && model->bodies[b].root == root; b++) {
            TactVec3 dv = tact_vec3_subtract(after->twists[b].linear, before->twists[b].linear);
            change = tact_vec3_add_scaled(change, model->bodies[b].inertia.mass, dv);
        }
        change = tact_vec3_scale(1 / model->bodies[root].subtree_mass, change);
        change = tact_vec3_add_scaled(change, -h, model->options.gravity);
        worst = fmax(worst, tact_vec3_norm(change));
    }
    return worst;
}

double tact_truth_speed(const TactModel *model, const TactTruthState *state)
{
    double worst = 0;
    for (int b = 1; b < model->body_count; b++) {
        worst = fmax(worst, tact_vec3_norm(state->twists[b].linear));
        worst = fmax(worst, tact_vec3_norm(state->twists[b].angular));
    }
    return worst;
}
