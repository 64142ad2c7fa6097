// Contact: geoms are collided afresh before and after the step. No overlap grows, no force acts
// without touch, forces press and stay in the cone. Equations (8) to (11) of
// docs/theory/step-certificate.md.
#include <math.h>
#include <string.h>

#include "base/larger.h"
#include "base/status.h"
#include "dynamics/links.h"
#include "verify/verifier.h"

enum { SAMPLES = 8 }; // of the way of a pair that touches neither before nor after the step

static const double SHIFTED = 2;      // by which a correction of coordinates moves a surface
static const double NO_FORCE = 1e-9;  // of the largest one
static const double NO_SPEED = 1e-12; // m/s: a force that gives less to the whole scene is rounding

static bool may_touch(void *context, int i, int j)
{
    const TactVerifier *v = context;
    return tact_model_may_touch(v->model, v->shapes.geom_of_shape[i], v->shapes.geom_of_shape[j],
                                NULL);
}

static double find_skin(void *context, int i, int j)
{
    return tact_model_shapes_skin(&((const TactVerifier *)context)->shapes, i, j);
}

TactStatus tact_verify_contact_create(TactVerifier *v)
{
    const TactModelShapes *s = &v->shapes;
    TactWorldShape        *shapes = NULL;
    TACT_TRY(tact_allocate((size_t)s->count, sizeof *shapes, (void **)&shapes));
    for (int i = 0; i < s->count; i++) {
        const TactGeom *geom = &v->model->geoms[s->geom_of_shape[i]];
        shapes[i] = (TactWorldShape){.shape = s->shapes[i],
                                     .margin = tact_model_shapes_margin(s, i),
                                     .fixed = v->tree_of_body[geom->body] < 0};
    }
    TactStatus status = tact_world_create(shapes, s->count, may_touch, v, &v->world);
    tact_release(shapes);
    if (status == TACT_OK && s->own_skins) {
        tact_world_set_skins(v->world, find_skin);
    }
    return status;
}

static TactTransform pose_of(const TactVerifier *v, const TactDynamics *d, int shape)
{
    const TactGeom *geom = &v->model->geoms[v->shapes.geom_of_shape[shape]];
    return tact_transform_multiply(d->pose[geom->body], geom->pose);
}

static TactStatus reserve_list(TactPairList *list, int count)
{
    if (count <= list->capacity) {
        return TACT_OK;
    }
    TactPairDepth *larger = NULL;
    TACT_TRY(tact_allocate(2 * (size_t)count, sizeof *larger, (void **)&larger));
    tact_release(list->pairs);
    list->pairs = larger;
    list->capacity = 2 * count;
    return TACT_OK;
}

/// All pairs closer than `within` at the pose of a workspace.
static TactStatus collide(TactVerifier *v, const TactDynamics *d, double within, TactPairList *list)
{
    TactWorldTouches found;
    for (int i = 0; i < v->shapes.count; i++) {
        v->poses[i] = pose_of(v, d, i);
        v->reach[i] = within;
    }
    list->count = 0;
    TACT_TRY(tact_world_collide(v->world, v->poses, v->reach, &found));
    TACT_TRY(reserve_list(list, found.pair_count));
    for (int p = 0; p < found.pair_count; p++) {
        const TactWorldPair *pair = &found.pairs[p];
        TactPairDepth        entry = {pair->a, pair->b, -INFINITY};
        for (int k = 0; k < pair->count; k++) {
            entry.depth = tact_larger(entry.depth, found.touches->touches[pair->first + k].depth);
        }
        list->pairs[list->count++] = entry;
    }
    return TACT_OK;
}

/// Depth of a pair; -infinity: it is not in the list.
static double find_depth(const TactPairList *list, int a, int b)
{
    int low = 0, high = list->count;
    while (low < high) {
        int                  middle = (low + high) / 2;
        const TactPairDepth *p = &list->pairs[middle];
        if (p->a == a && p->b == b) {
            return p->depth;
        }
        bool before = p->a < a || (p->a == a && p->b < b);
        low = before ? middle + 1 : low;
        high = before ? high : middle;
    }
    return -INFINITY;
}

static void judge_overlaps(const TactVerifier *v, const TactStep *step, double bound,
                           TactStepFinding *finding)
{
    for (int p = 0; p < v->touch_after.count; p++) { // (8)
        const TactPairDepth *pair = &v->touch_after.pairs[p];
        double had = tact_larger(step->slop, find_depth(&v->touch_before, pair->a, pair->b));
        tact_finding_take(finding, TACT_STEP_CHECK_OVERLAP, pair->depth - had, bound,
                          TACT_OBJECT_GEOM, v->shapes.geom_of_shape[pair->a],
                          v->shapes.geom_of_shape[pair->b]);
    }
}

/// Between two poses, at a share of the time.
static TactTransform between(TactTransform from, TactTransform to, double share)
{
    TactTransform at = {
        .rotation = tact_quat_slerp(from.rotation, to.rotation, share),
        .position = tact_vec3_add_scaled(from.position, share,
                                         tact_vec3_subtract(to.position, from.position)),
    };
    return at;
}

/// The smallest distance of two shapes at moments of the step, from its beginning to its end;
/// that of the beginning to first.
static TactStatus find_gap(const TactVerifier *v, const int shape[2], double *gap, double *first)
{
    TactTransform from[2], to[2];
    TactShape     shapes[2];
    tact_model_shapes_pair(&v->shapes, shape, shapes);
    for (int k = 0; k < 2; k++) {
        from[k] = pose_of(v, v->before, shape[k]);
        to[k] = pose_of(v, v->after, shape[k]);
    }
    *gap = INFINITY;
    for (int i = 0; i <= SAMPLES; i++) {
        double        share = (double)i / SAMPLES;
        TactTransform a = between(from[0], to[0], share), b = between(from[1], to[1], share);
        TactDistance  distance;
        TACT_TRY(tact_shape_compute_distance(&shapes[0], &a, &shapes[1], &b, &distance));
        *first = i == 0 ? distance.distance : *first;
        *gap = fmin(*gap, distance.distance);
    }
    return TACT_OK;
}

/// How far the two bodies of a contact come together in the step, by the velocity before it and by
/// gravity. The workspace has that velocity.
static double find_approach(const TactVerifier *v, const TactStep *step, const TactStepContact *c)
{
    const TactGeom *geoms = v->model->geoms;
    TactVec3 a = tact_dynamics_compute_velocity(v->before, geoms[c->geom[0]].body, c->point).linear;
    TactVec3 b = tact_dynamics_compute_velocity(v->before, geoms[c->geom[1]].body, c->point).linear;
    double   closing = tact_vec3_dot(c->normal, tact_vec3_subtract(a, b));
    double   fall = step->h * tact_vec3_norm(tact_verify_gravity(v->model));
    return step->h * (tact_larger(0, closing) + fall);
}

static TactStatus judge_touch(const TactVerifier *v, const TactStep *step, const TactStepContact *c,
                              double bound, TactStepFinding *finding)
{
    int    shape[2] = {v->shapes.shape_of_geom[c->geom[0]], v->shapes.shape_of_geom[c->geom[1]]};
    double gap = INFINITY, first = INFINITY;
    if (shape[0] >= 0 && shape[1] >= 0) {
        int a = shape[0] < shape[1] ? shape[0] : shape[1];
        int b = shape[0] < shape[1] ? shape[1] : shape[0];
        gap = -tact_larger(find_depth(&v->touch_before, a, b), find_depth(&v->touch_after, a, b));
        if (!(gap <= bound)) {
            TACT_TRY(find_gap(v, shape, &gap, &first));
        }
        if (!(gap <= bound) && c->bounce > 0) { // (10): hit on the way, and gone by the end
            gap = fmin(gap, first - find_approach(v, step, c));
        }
    }
    tact_finding_take(finding, TACT_STEP_CHECK_TOUCH, gap, bound, TACT_OBJECT_GEOM, c->geom[0],
                      c->geom[1]); // (9)
    return TACT_OK;
}

/// Moments about the normal and about the tangents, each over its coefficient, N; where there is no
/// coefficient they must be nothing beside the force at a lever of 1 m.
static void judge_moment(const TactStepContact *c, double normal, double bound,
                         TactStepFinding *finding)
{
    double about = tact_vec3_dot(c->moment, c->normal);
    double spin = fabs(about);
    double roll = tact_vec3_norm(tact_vec3_add_scaled(c->moment, -about, c->normal));
    double over[2] = {c->mu_spin > 0 ? spin / c->mu_spin - normal : spin,
                      c->mu_roll > 0 ? roll / c->mu_roll - normal : roll};
    for (int k = 0; k < 2; k++) {
        tact_finding_take(finding, TACT_STEP_CHECK_CONE, over[k], bound, TACT_OBJECT_GEOM,
                          c->geom[0], c->geom[1]);
    }
}

static void judge_cone(const TactStepContact *c, double bound, TactStepFinding *finding)
{
    double   normal = tact_vec3_dot(c->force, c->normal);
    TactVec3 tangential = tact_vec3_add_scaled(c->force, -normal, c->normal);
    tact_finding_take(finding, TACT_STEP_CHECK_PULL, -normal, bound, TACT_OBJECT_GEOM, c->geom[0],
                      c->geom[1]);
    if (c->mu >= 0) { // (11)
        double over = tact_vec3_norm(tangential) - c->mu * tact_larger(0, normal);
        tact_finding_take(finding, TACT_STEP_CHECK_CONE, over, bound, TACT_OBJECT_GEOM, c->geom[0],
                          c->geom[1]);
    }
    judge_moment(c, tact_larger(0, normal), bound, finding);
}

/// What lies closer than the bound before and after the step.
static TactStatus find_touches(TactVerifier *v, const TactStep *step, double within)
{
    size_t size = (size_t)v->model->nq * sizeof(double);
    if (v->touched && size > 0 && memcmp(v->q_touched, step->q, size) == 0) {
        TactPairList swap = v->touch_before;
        v->touch_before = v->touch_after;
        v->touch_after = swap;
    } else {
        TACT_TRY(collide(v, v->before, within, &v->touch_before));
    }
    v->touched = false;
    TACT_TRY(collide(v, v->after, within, &v->touch_after));
    v->touched = true;
    if (size > 0) {
        memcpy(v->q_touched, step->q_after, size);
    }
    return TACT_OK;
}

TactStatus tact_verify_contact(TactVerifier *v, const TactStep *step, TactStepFinding *finding)
{
    double time = step->whole > step->h ? step->whole : step->h;
    double near = v->config.depth_tol + v->config.depth_speed * time, largest = 0;
    double bound = near + SHIFTED * step->correction; // what a correction shifts may touch or part
    double none = NO_SPEED * v->model->mass / step->h;
    TACT_TRY(find_touches(v, step, bound));
    if (!step->soft) {
        judge_overlaps(v, step, bound, finding);
    }
    for (int k = 0; k < step->contact_count; k++) {
        largest = tact_larger(largest, tact_vec3_norm(step->contacts[k].force));
    }
    for (int k = 0; k < step->contact_count; k++) {
        const TactStepContact *c = &step->contacts[k];
        if (tact_vec3_norm(c->force) > tact_larger(NO_FORCE * largest, none)) {
            TACT_TRY(judge_touch(v, step, c, bound, finding));
            judge_cone(c, v->config.cone_tol * largest, finding);
        }
    }
    return TACT_OK;
}
