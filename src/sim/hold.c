// Free bodies that turn fast stop where they meet something.
//
// Contacts bound velocities, and a point at a distance r of a body that turns by an angle a in a
// step ends up r a^2 / 2 beside where its velocity leads: a rod that hit a wall with one end may be
// through it with the other in the same step. So the ways of bodies that turn by more than TURNS
// are followed at the velocity that was solved for; one that would overlap another by more than a
// contact at rest does goes no further than until then. It keeps its velocity, and the next step
// finds the contact: what is lost is the rest of the time of this one.
//
// What touches at first would stop at once for such a little. It may go in by SINK of its size,
// and is put back to where a contact at rest is, if what it touches does not move.
#include <math.h>
#include <string.h>

#include "base/status.h"
#include "sim/sim.h"

/// rad in a step: beyond, a velocity does not tell where points go.
static const double TURNS = 0.05;
/// rad from look to look: between two no point gets through anything thick.
static const double LOOK = 0.05;

/// Of the radius: how far what touches may go in before it is put back.
static const double SINK = 0.02;

/// The tree of a shape if it is one free body without rows, else -1.
static int free_tree(const TactSim *sim, int shape)
{
    const TactSimIslands *islands = &sim->islands;
    int tree = islands->tree_of_body[sim->model->geoms[sim->geom_of_shape[shape]].body];
    if (tree < 0 || islands->first_dof[tree + 1] - islands->first_dof[tree] != 6) {
        return -1;
    }
    const TactDof *dof = &sim->model->dofs[islands->first_dof[tree]];
    int            island = islands->island_of[tree];
    return sim->model->joints[dof->joint].type != TACT_JOINT_FREE ||
                   (island >= 0 && islands->islands[island].row_count > 0)
               ? -1
               : tree;
}

/// The way of a shape of a free body at a velocity: its origin goes straight.
static TactSweep find_free_way(const TactSim *sim, int tree, int shape, const TactShape *its,
                               const double *velocity)
{
    int           first = sim->islands.first_dof[tree];
    const double *v = velocity + first;
    const double *q = sim->state.q + sim->model->joints[sim->model->dofs[first].joint].q;
    TactQuat      rotation = {q[3], q[4], q[5], q[6]};
    TactTransform at = sim->shape_pose[shape];
    TactVec3      origin = tact_transform_point_back(at, (TactVec3){q[0], q[1], q[2]});
    TactVec3      aside = tact_vec3_subtract(sim->shape_middle[shape], origin);
    TactVec3      turn = tact_quat_rotate(rotation, (TactVec3){v[3], v[4], v[5]});
    return (TactSweep){.shape = its,
                       .from = at,
                       .middle = origin,
                       .radius = sim->shape_radius[shape] + tact_vec3_norm(aside),
                       .move = tact_vec3_scale(sim->h, (TactVec3){v[0], v[1], v[2]}),
                       .turn = tact_vec3_scale(sim->h, turn)};
}

/// The angle a by which the surface of a shape turns in the sense above: that of a ball about its
/// middle not at all; a rod that turns by w, and by w_u across its axis, goes r w w_u / 2 aside.
static double turn_of(const TactSim *sim, int shape, const TactSweep *way)
{
    TactVec3      aside = tact_vec3_subtract(sim->shape_middle[shape], way->middle);
    TactShapeType type = way->shape->type;
    if (tact_vec3_norm(aside) > 1e-6 * way->radius) {
        return tact_vec3_norm(way->turn);
    }
    if (type == TACT_SHAPE_SPHERE) {
        return 0;
    }
    if (type == TACT_SHAPE_CAPSULE || type == TACT_SHAPE_CYLINDER) {
        TactVec3 axis = tact_quat_rotate(way->from.rotation, (TactVec3){0, 0, 1});
        return sqrt(tact_vec3_norm(way->turn) * tact_vec3_norm(tact_vec3_cross(axis, way->turn)));
    }
    return tact_vec3_norm(way->turn);
}

/// Does a free body turn fast, whatever its shape?
static bool turns(const TactSim *sim, const double *v)
{
    return sim->h * sim->h * (v[3] * v[3] + v[4] * v[4] + v[5] * v[5]) > TURNS * TURNS;
}

/// How far shapes of bodies that turn fast reach; returns whether there are any.
static bool find_turning(TactSim *sim)
{
    const double *v = sim->v_next;
    bool          any = false;
    for (int i = 0; i < sim->shape_count; i++) {
        int tree = free_tree(sim, i);
        if (tree < 0 || !turns(sim, v + sim->islands.first_dof[tree])) {
            continue;
        }
        TactShape shape = tact_sim_make_shape(sim, &sim->model->geoms[sim->geom_of_shape[i]]);
        TactSweep way = find_free_way(sim, tree, i, &shape, v);
        any = any || turn_of(sim, i, &way) > TURNS;
        sim->reach[i] = tact_vec3_norm(way.move) + way.radius * tact_vec3_norm(way.turn);
    }
    return any;
}

/// Two shapes on their ways, and the faster turn of both.
typedef struct Meeting {
    TactShape made[2];
    TactSweep ways[2];
    int       trees[2]; // of free bodies, else -1
    double    turn;
} Meeting;

static void make_meeting(const TactSim *sim, const TactWorldPair *pair, Meeting *m)
{
    int shapes[2] = {pair->a, pair->b};
    m->turn = 0;
    for (int k = 0; k < 2; k++) {
        int tree = m->trees[k] = free_tree(sim, shapes[k]);
        m->made[k] = tact_sim_make_shape(sim, &sim->model->geoms[sim->geom_of_shape[shapes[k]]]);
        m->ways[k] = tree >= 0 ? find_free_way(sim, tree, shapes[k], &m->made[k], sim->v_next)
                               : tact_sim_find_way(sim, shapes[k], &m->made[k]);
        m->turn = tree >= 0 ? fmax(m->turn, turn_of(sim, shapes[k], &m->ways[k])) : m->turn;
    }
}

static bool is_fixed(const TactSim *sim, int shape)
{
    return sim->islands.tree_of_body[sim->model->geoms[sim->geom_of_shape[shape]].body] < 0;
}

/// How far the free bodies of a pair get, to the least so far.
static void hold_pair(const TactSim *sim, const TactWorldPair *pair, double *times)
{
    Meeting m;
    make_meeting(sim, pair, &m);
    if (!(m.turn > TURNS)) {
        return;
    }
    double slop = sim->config.slop, more = 0.1 * slop;
    if (is_fixed(sim, pair->a) || is_fixed(sim, pair->b)) {
        more = fmax(more, SINK * (m.ways[0].radius + m.ways[1].radius));
    }
    double time = tact_sweeps_hold(&m.ways[0], &m.ways[1], slop, more, LOOK / m.turn);
    for (int k = 0; k < 2; k++) {
        if (m.trees[k] >= 0 && time < times[m.trees[k]]) {
            times[m.trees[k]] = time;
        }
    }
}

/// Out of what does not move, where q_next is.
static void put_back(TactSim *sim, const TactWorldPair *pair, const double *times)
{
    Meeting m;
    int     k = is_fixed(sim, pair->a) ? 1 : 0;
    make_meeting(sim, pair, &m);
    if (!(m.turn > TURNS) || !is_fixed(sim, k ? pair->a : pair->b)) {
        return;
    }
    int           dof = sim->islands.first_dof[m.trees[k]];
    double       *q = sim->q_next + sim->model->joints[sim->model->dofs[dof].joint].q;
    double        time = times[m.trees[k]];
    TactTransform at = tact_sweep_at(&m.ways[k], time);
    TactVec3      origin = tact_transform_point(m.ways[k].from, m.ways[k].middle);
    TactDistance  d;
    origin = tact_vec3_add_scaled(origin, time, m.ways[k].move);
    // where another pair has put it
    at.position =
        tact_vec3_add(at.position, tact_vec3_subtract((TactVec3){q[0], q[1], q[2]}, origin));
    if (tact_shape_distance(m.ways[1 - k].shape, &m.ways[1 - k].from, m.ways[k].shape, &at, &d) !=
            TACT_OK ||
        !(d.distance < -1.1 * sim->config.slop)) {
        return;
    }
    double out = -d.distance - sim->config.slop;
    q[0] += out * d.normal.x;
    q[1] += out * d.normal.y;
    q[2] += out * d.normal.z;
}

TactStatus tact_sim_hold(TactSim *sim, TactSimReport *report)
{
    const TactModel *model = sim->model;
    double          *times = sim->tree_share;
    TactWorldPairs   pairs;
    if (sim->config.integrator != TACT_INTEGRATOR_EULER || sim->config.stiffness > 0 ||
        !find_turning(sim)) {
        return TACT_OK;
    }
    for (int t = 0; t < sim->islands.tree_count; t++) {
        times[t] = 1;
    }
    TACT_TRY(tact_world_find_pairs(sim->world, sim->shape_pose, sim->reach, &pairs));
    for (int p = 0; p < pairs.count; p++) {
        hold_pair(sim, &pairs.pairs[p], times);
    }
    memcpy(sim->correction, sim->v_next, (size_t)model->nv * sizeof *sim->correction);
    for (int t = 0; t < sim->islands.tree_count; t++) {
        report->held += times[t] < 1;
        for (int i = sim->islands.first_dof[t]; i < sim->islands.first_dof[t + 1]; i++) {
            sim->correction[i] *= times[t];
        }
    }
    if (report->held > 0) {
        tact_dynamics_integrate(model, sim->state.q, sim->correction, sim->h, sim->q_next);
    }
    for (int p = 0; p < pairs.count; p++) {
        put_back(sim, &pairs.pairs[p], times);
    }
    return TACT_OK;
}
