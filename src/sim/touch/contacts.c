// Contacts of a step: shapes of the geoms, where they touch, and the rows of every contact point.
//
// A gap is closed no further than it is wide (the bias of contact.h), and contacts are looked for
// as far from a geom as its surface can come in the step ahead, so that nothing passes through
// anything. Margins of the model are skins of the shapes: geoms touch where these do.
#include <math.h>
#include <string.h>

#include "base/clones.h"
#include "base/larger.h"
#include "base/status.h"
#include "base/ticks.h"
#include "dynamics/links.h"
#include "math/wide_pose.h"
#include "model/surface.h"
#include "sim/sim.h"

TactShape tact_sim_make_shape(const TactSim *sim, const TactGeom *geom)
{
    return tact_model_shape(&sim->shapes.made, geom);
}

static bool may_touch(void *context, int i, int j)
{
    const TactSim *sim = context;
    return tact_model_may_touch(sim->model, sim->shapes.made.geom_of_shape[i],
                                sim->shapes.made.geom_of_shape[j], NULL);
}

static double find_skin(void *context, int i, int j)
{
    return tact_model_shapes_skin(&((const TactSim *)context)->shapes.made, i, j);
}

/// Middle of a geom in its own frame, and how far its points are from there.
static void find_extent(TactSim *sim, int shape)
{
    TactVec3      lower, upper;
    TactTransform here = tact_transform_identity();
    tact_shape_compute_bounds(&sim->shapes.made.shapes[shape], &here, &lower, &upper);
    sim->shapes.middle[shape] = tact_vec3_scale(0.5, tact_vec3_add(lower, upper));
    sim->shapes.radius[shape] = 0.5 * tact_vec3_norm(tact_vec3_subtract(upper, lower));
}

void tact_sim_shapes_layout(TactSimShapes *s, const TactModel *model, TactArena *arena)
{
    size_t geoms = (size_t)model->geom_count, bodies = (size_t)model->body_count;
    s->middle = tact_arena_take(arena, geoms, sizeof *s->middle);
    s->radius = tact_arena_take(arena, geoms, sizeof *s->radius);
    s->pose = tact_arena_take(arena, geoms, sizeof *s->pose);
    s->reach = tact_arena_take(arena, geoms, sizeof *s->reach);
    s->end_pose = tact_arena_take(arena, geoms, sizeof *s->end_pose);
    s->end_reach = tact_arena_take(arena, geoms, sizeof *s->end_reach);
    s->query_body_pose = tact_arena_take(arena, bodies, sizeof *s->query_body_pose);
    s->query_pose = tact_arena_take(arena, geoms, sizeof *s->query_pose);
    s->collided.pose = tact_arena_take(arena, geoms, sizeof *s->collided.pose);
    s->collided.reach = tact_arena_take(arena, geoms, sizeof *s->collided.reach);
    s->collided.rests = tact_arena_take(arena, geoms, sizeof *s->collided.rests);
    s->collided.v = tact_arena_take(arena, (size_t)model->nv, sizeof *s->collided.v);
}

TactStatus tact_sim_contacts_create(TactSim *sim)
{
    const TactModel       *model = sim->model;
    const TactModelShapes *made = &sim->shapes.made;
    TactWorldShape        *shapes = NULL;
    TACT_TRY(tact_model_shapes_create(model, &sim->shapes.made));
    sim->shapes.surfaces_move = tact_surfaces_move(model);
    TACT_TRY(tact_allocate((size_t)model->geom_count, sizeof *shapes, (void **)&shapes));
    for (int i = 0; i < made->count; i++) {
        const TactGeom *geom = &model->geoms[made->geom_of_shape[i]];
        shapes[i] = (TactWorldShape){
            .shape = made->shapes[i],
            .margin = tact_model_shapes_margin(made, i),
            .fixed = sim->islands.tree_of_body[geom->body] < 0,
        };
        find_extent(sim, i);
    }
    TactStatus status = tact_world_create(shapes, made->count, may_touch, sim, &sim->shapes.world);
    tact_release(shapes);
    if (status == TACT_OK) {
        tact_world_set_resting(sim->shapes.world, sim->sleep.shape_rests);
        tact_world_set_skins(sim->shapes.world, made->own_skins ? find_skin : NULL);
    }
    return status;
}

void tact_sim_contacts_destroy(TactSim *sim)
{
    tact_world_destroy(sim->shapes.world);
    tact_model_shapes_destroy(&sim->shapes.made);
    tact_touch_list_destroy(&sim->complete.ahead);
    tact_release(sim->contacts);
}

TactStatus tact_sim_reserve_contacts(TactSimContact **contacts, int *capacity, int count,
                                     int needed)
{
    if (needed <= *capacity) {
        return TACT_OK;
    }
    size_t          room = 2 * (size_t)needed;
    TactSimContact *larger = NULL;
    TACT_TRY(tact_allocate(room, sizeof *larger, (void **)&larger));
    if (count > 0) {
        memcpy(larger, *contacts, (size_t)count * sizeof *larger);
    }
    tact_release(*contacts);
    *contacts = larger;
    *capacity = (int)room;
    return TACT_OK;
}

/// A number that two geoms and their features share in every step.
static uint64_t mix(uint64_t a, uint64_t b)
{
    uint64_t x = a ^ (b + 0x9e3779b97f4a7c15u + (a << 6) + (a >> 2));
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
    return x ^ (x >> 31);
}

uint64_t tact_sim_contact_id(int geom_a, int geom_b, uint64_t feature)
{
    return mix(mix((uint64_t)geom_a, (uint64_t)geom_b), feature) | 1;
}

/// Of the pair that names the two geoms, or of the geoms themselves.
static void find_friction(const TactSim *sim, TactSimContact *c)
{
    int    index = -1;
    double scale = sim->config.friction_scale;
    if (sim->model->pair_count > 0) {
        tact_model_may_touch(sim->model, c->geom[0], c->geom[1], &index);
    }
    TactGeomFriction f = tact_model_compute_friction(sim->model, c->geom[0], c->geom[1], index);
    c->mu = scale * f.mu;
    c->mu2 = scale * f.mu2;
    c->mu_spin = sim->shapes.only_slide ? 0 : scale * f.mu_spin;
    c->mu_roll = sim->shapes.only_slide ? 0 : scale * f.mu_roll;
}

/// Tangent 1 along the x axis of the world, or along y where that is too close to the normal. The
/// axis farthest from the normal would change with the rounding of normals along an axis, and what
/// the solver remembers along tangents would mean something else in every step.
static void find_tangents(TactSimContact *c)
{
    TactVec3 n = c->normal;
    TactVec3 axis = fabs(n.x) < 0.75 ? (TactVec3){1, 0, 0} : (TactVec3){0, 1, 0};
    if (c->mu2 != c->mu) { // which tangent is which matters: as MuJoCo has it
        axis = fabs(n.y) < 0.5 ? (TactVec3){0, 1, 0} : (TactVec3){0, 0, 1};
    }
    c->tangent[0] = tact_vec3_normalise(tact_vec3_add_scaled(axis, -tact_vec3_dot(axis, n), n));
    c->tangent[1] = tact_vec3_cross(n, c->tangent[0]);
}

/// Points of contacts with a plane lie on the plane, not midway across their gaps. Velocities along
/// the normal are the same, but tangential ones of points at different heights would differ by the
/// turn of the body times their difference: points of one foot could not all stick, by a slip too
/// slow to be seen and too fast for the certificate.
static void put_on_plane(const TactSim *sim, TactSimContact *c)
{
    for (int k = 0; k < 2; k++) {
        if (sim->model->geoms[c->geom[k]].type == TACT_GEOM_PLANE) {
            TactVec3 origin = sim->shapes.pose[sim->shapes.made.shape_of_geom[c->geom[k]]].position;
            double   height = tact_vec3_dot(c->normal, tact_vec3_subtract(c->point, origin));
            c->point = tact_vec3_add_scaled(c->point, -height, c->normal);
        }
    }
}

void tact_sim_make_contact(const TactSim *sim, int geom_a, int geom_b, const TactTouch *touch,
                           TactSimContact *c)
{
    const TactModel *model = sim->model;
    *c = (TactSimContact){
        .geom = {geom_a, geom_b},
        .body = {model->geoms[geom_a].body, model->geoms[geom_b].body},
        .id = tact_sim_contact_id(geom_a, geom_b, touch->feature),
        .point = touch->point,
        .normal = touch->normal,
        .depth = touch->depth,
        .restitution =
            tact_larger(sim->bounce.restitution[geom_a], sim->bounce.restitution[geom_b]),
    };
    put_on_plane(sim, c);
    find_friction(sim, c);
    c->stuck = tact_sim_is_stuck(sim, c);
    find_tangents(c);
}

/// rad in a step: beyond, a velocity does not tell where points go.
static const double TURNS = 0.1;

TactSweep tact_sim_find_way(const TactSim *sim, int shape, const TactShape *its)
{
    int       body = sim->model->geoms[sim->shapes.made.geom_of_shape[shape]].body;
    TactSweep way = {.shape = its, .from = sim->shapes.pose[shape]};
    if (sim->dynamics->link_of[body] != 0) {
        way.middle = sim->shapes.middle[shape];
        way.radius = sim->shapes.radius[shape];
        TactVec3  middle = tact_transform_point(way.from, way.middle);
        TactTwist now = tact_dynamics_compute_velocity(sim->dynamics, body, middle);
        TactVec3  then = tact_vec3_add_scaled(now.linear, sim->h, sim->model->options.gravity);
        way.move = tact_vec3_scale(sim->h, then);
        way.turn = tact_vec3_scale(sim->h, now.angular);
    }
    return way;
}

/// The ways of a pair whose contacts all lie ahead, if one of them moves by more than its radius.
/// False: it is as it is. path: how far both may come.
static bool is_fast(const TactSim *sim, const TactWorldPair *pair, const TactTouch *touches,
                    TactShape shapes[2], TactSweep ways[2], double *path)
{
    int    shape[2] = {pair->a, pair->b};
    double deepest = -INFINITY, radius = INFINITY;
    *path = 0;
    for (int k = 0; k < pair->count; k++) {
        deepest = tact_larger(deepest, touches[pair->first + k].depth);
    }
    for (int k = 0; k < 2; k++) {
        *path += sim->shapes.reach[shape[k]];
        radius =
            sim->shapes.reach[shape[k]] > 0 ? fmin(radius, sim->shapes.radius[shape[k]]) : radius;
    }
    if (deepest >= 0 || !(*path > radius)) {
        return false;
    }
    tact_model_shapes_pair(&sim->shapes.made, shape, shapes);
    for (int k = 0; k < 2; k++) {
        ways[k] = tact_sim_find_way(sim, shape[k], &shapes[k]);
    }
    return true;
}

/// Where a point that a shape has at a place of its way is now.
static TactVec3 bring_back(const TactSweep *way, const TactTransform *at, TactVec3 point)
{
    return tact_transform_point(way->from, tact_transform_point_back(*at, point));
}

/// Points that two fast shapes will have when they come within margin of each other; they have to
/// be that far apart now, along the normal of then.
static TactStatus look_ahead(TactSim *sim, const TactSweep ways[2], double margin, double time)
{
    TactTransform at[2] = {tact_sweep_at(&ways[0], time), tact_sweep_at(&ways[1], time)};
    bool          faster = tact_vec3_norm(ways[1].move) > tact_vec3_norm(ways[0].move);
    tact_touch_list_clear(&sim->complete.ahead);
    TACT_TRY(tact_collide(ways[0].shape, &at[0], ways[1].shape, &at[1], 2 * margin,
                          &sim->complete.ahead));
    for (int i = 0; i < sim->complete.ahead.count; i++) {
        TactTouch *t = &sim->complete.ahead.touches[i];
        TactVec3   now[2] = {bring_back(&ways[0], &at[0], t->point),
                             bring_back(&ways[1], &at[1], t->point)};
        t->depth += tact_vec3_dot(t->normal, tact_vec3_subtract(now[0], now[1]));
        t->point = now[faster];
    }
    return TACT_OK;
}

static bool has_direction(TactVec3 a, TactVec3 b)
{
    return a.x == b.x && a.y == b.y && a.z == b.z;
}

static TactStatus add_contacts(TactSim *sim, const TactWorldPair *pair, const TactTouch *touches,
                               int count, TactSimReport *report)
{
    TACT_TRY(tact_sim_reserve_contacts(&sim->contacts, &sim->contact_capacity, sim->contact_count,
                                       sim->contact_count + count));
    int geom_a = sim->shapes.made.geom_of_shape[pair->a];
    int geom_b = sim->shapes.made.geom_of_shape[pair->b];
    for (int k = 0; k < count; k++) {
        TactSimContact *c = &sim->contacts[sim->contact_count++];
        // Points of one face have all but their place in common.
        if (k > 0 && has_direction(touches[k].normal, touches[k - 1].normal)) {
            *c = c[-1];
            c->id = tact_sim_contact_id(geom_a, geom_b, touches[k].feature);
            c->point = touches[k].point;
            c->depth = touches[k].depth;
            put_on_plane(sim, c);
        } else {
            tact_sim_make_contact(sim, geom_a, geom_b, &touches[k], c);
        }
        report->penetration = tact_larger(report->penetration, touches[k].depth);
    }
    return TACT_OK;
}

/// Would contacts along the shortest way hold up a shape before it touches, at that time?
static bool holds_up(const TactSweep ways[2], const TactTouch *touches, int count, double time)
{
    TactVec3 move = tact_vec3_subtract(ways[0].move, ways[1].move);
    bool     holds = false;
    for (int i = 0; i < count; i++) {
        double nearer = time * tact_vec3_dot(touches[i].normal, move);
        holds = holds || nearer > -1.01 * touches[i].depth;
    }
    return holds;
}

/// Do fast shapes go by rather than into each other at the points ahead, at 60 degrees and more?
static bool grazes(const TactSim *sim, const TactSweep ways[2])
{
    TactVec3 move = tact_vec3_subtract(ways[0].move, ways[1].move);
    double   most = 0;
    for (int i = 0; i < sim->complete.ahead.count; i++) {
        most = fmax(most, tact_vec3_dot(sim->complete.ahead.touches[i].normal, move));
    }
    return most < 0.5 * tact_vec3_norm(move);
}

/// Will two fast shapes touch, or pass each other so near that forces of the step may make them?
/// What lies ahead of them is along the shortest way, which need not be the way they go: where that
/// would hold them up, points are those of the time when they touch or are nearest.
static TactStatus look_along(TactSim *sim, const TactSweep ways[2], double path,
                             const TactTouch *touches, int count, bool *meet)
{
    const double aside = 1e-3; // of the way: what forces of the step may turn it by
    double       near = aside * path, time, touch;
    tact_touch_list_clear(&sim->complete.ahead);
    *meet = tact_sweeps_meet(&ways[0], &ways[1], near, &time);
    double turn = tact_vec3_norm(ways[0].turn) + tact_vec3_norm(ways[1].turn);
    if (!*meet || turn > TURNS) {
        return TACT_OK;
    }
    bool touching = tact_sweeps_meet(&ways[0], &ways[1], 0, &touch);
    time = touching ? touch : tact_sweeps_find_nearest(&ways[0], &ways[1], time);
    TACT_TRY(look_ahead(sim, ways, near, time));
    if (touching && !holds_up(ways, touches, count, time) && !grazes(sim, ways)) {
        tact_touch_list_clear(&sim->complete.ahead);
    }
    return TACT_OK;
}

static TactStatus add_touching_pair(TactSim *sim, const TactWorldPair *pair,
                                    const TactTouch *touches, TactSimReport *report)
{
    TactShape shapes[2];
    TactSweep ways[2];
    double    path;
    if (is_fast(sim, pair, touches, shapes, ways, &path)) {
        bool meet;
        TACT_TRY(look_along(sim, ways, path, &touches[pair->first], pair->count, &meet));
        if (!meet) {
            return TACT_OK;
        }
        if (sim->complete.ahead.count > 0) {
            return add_contacts(sim, pair, sim->complete.ahead.touches, sim->complete.ahead.count,
                                report);
        }
    }
    return add_contacts(sim, pair, &touches[pair->first], pair->count, report);
}

/// Are the poses and reaches of the last question those of the present state? A step begins where
/// the one before has looked at its end.
static bool are_placed(const TactSim *sim)
{
    const TactSimCollided *c = &sim->shapes.collided;
    const TactDynamics    *d = sim->dynamics;
    const TactVec3        *g = &sim->model->options.gravity;
    return c->known && c->placed > 0 && c->placed == d->placed && d->moved == d->placed &&
           c->h == sim->h && c->gravity.x == g->x && c->gravity.y == g->y && c->gravity.z == g->z &&
           memcmp(c->v, d->v, (size_t)sim->model->nv * sizeof *c->v) == 0;
}

/// Poses of all shapes, and how far any point of them can come in the step ahead at its present
/// velocity, and with what gravity adds to it.
TACT_CLONES static void place_all(const TactSim *sim, TactTransform *pose, double *reach)
{
    const TactModel    *model = sim->model;
    const TactDynamics *d = sim->dynamics;
    double              fall = sim->h * tact_vec3_norm(model->options.gravity);
    for (int i = 0; i < sim->shapes.made.count; i++) {
        const TactGeom *geom = &model->geoms[sim->shapes.made.geom_of_shape[i]];
        int             link = d->link_of[geom->body];
        TactLanes       rotation = TACT_LANES_AT(&d->pose[geom->body].rotation);
        TactLanes       position = TACT_WIDE_VEC3(d->pose[geom->body].position);
        TactWidePose    own;
        tact_wide_compose(&rotation, &position, &geom->pose, &own);
        tact_wide_write(&own, &pose[i]);
        reach[i] = 0;
        if (link > 0) {
            const TactTwist *v = &d->velocity[link];
            TactLanes        at = TACT_WIDE_VEC3(sim->shapes.middle[i]), r, speed;
            TactLanes        turn = TACT_WIDE_VEC3(v->angular);
            tact_wide_rotate(&own.rotation, &at, &r);
            r = (r + own.position) - TACT_WIDE_VEC3(d->com[link]);
            tact_wide_cross(&turn, &r, &speed);
            speed += TACT_WIDE_VEC3(v->linear);
            reach[i] = sim->h * (tact_wide_norm(&speed) +
                                 sim->shapes.radius[i] * tact_wide_norm(&turn) + fall);
        }
    }
}

void tact_sim_place_shapes(TactSim *sim, TactTransform *pose, double *reach)
{
    size_t n = (size_t)sim->shapes.made.count;
    bool   placed = sim->shapes.collided.same = are_placed(sim);
    for (size_t i = 0; i < n; i++) {
        int body = sim->model->geoms[sim->shapes.made.geom_of_shape[i]].body;
        sim->sleep.shape_rests[i] = sim->sleep.count > 0 && tact_sim_body_sleeps(sim, body);
    }
    if (!placed) {
        place_all(sim, pose, reach);
    } else if (n > 0) {
        memcpy(pose, sim->shapes.collided.pose, n * sizeof *pose);
        memcpy(reach, sim->shapes.collided.reach, n * sizeof *reach);
    }
}

/// Is this the question that was answered last?
static bool is_answered(const TactSimCollided *c, int count, const TactTransform *pose,
                        const double *reach, const bool *rests)
{
    size_t n = (size_t)count;
    return c->known &&
           (c->same || (memcmp(c->pose, pose, n * sizeof *pose) == 0 &&
                        memcmp(c->reach, reach, n * sizeof *reach) == 0)) &&
           memcmp(c->rests, rests, n * sizeof *rests) == 0;
}

TactStatus tact_sim_collide(TactSim *sim, const TactTransform *pose, const double *reach,
                            TactWorldTouches *found)
{
    TactSimCollided *c = &sim->shapes.collided;
    size_t           n = (size_t)sim->shapes.made.count;
    if (!is_answered(c, sim->shapes.made.count, pose, reach, sim->sleep.shape_rests)) {
        uint64_t start = tact_ticks_now();
        c->known = false;
        TACT_TRY(tact_world_collide(sim->shapes.world, pose, reach, &c->found));
        c->known = true;
        memcpy(c->pose, pose, n * sizeof *pose);
        memcpy(c->reach, reach, n * sizeof *reach);
        memcpy(c->rests, sim->sleep.shape_rests, n * sizeof *c->rests);
        c->placed = sim->dynamics->moved == sim->dynamics->placed ? sim->dynamics->placed : 0;
        c->h = sim->h;
        c->gravity = sim->model->options.gravity;
        memcpy(c->v, sim->dynamics->v, (size_t)sim->model->nv * sizeof *c->v);
        sim->shapes.ticks += tact_ticks_since(start);
    }
    *found = c->found;
    return TACT_OK;
}

TactStatus tact_sim_find_contacts(TactSim *sim, TactSimReport *report)
{
    TactWorldTouches found;
    tact_sim_place_shapes(sim, sim->shapes.pose, sim->shapes.reach);
    TACT_TRY(tact_sim_collide(sim, sim->shapes.pose, sim->shapes.reach, &found));
    uint64_t start = tact_ticks_now();
    sim->contact_count = 0;
    tact_sim_complete_begin(sim);
    for (int p = 0; p < found.pair_count; p++) {
        int first = sim->contact_count;
        TACT_TRY(add_touching_pair(sim, &found.pairs[p], found.touches->touches, report));
        TACT_TRY(tact_sim_complete_add(sim, first));
    }
    sim->shapes.ticks += tact_ticks_since(start);
    return TACT_OK;
}
