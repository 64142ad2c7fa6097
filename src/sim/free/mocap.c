// Bodies that are moved from outside (mocap bodies).
//
// Such a body has a free joint, and six rows that nothing can push aside ask for the velocity that
// takes it from where it is to where state.mocap wants it at the end of the step,
//
//     v = log(q^-1 q_wanted) / h ,
//
// so that contacts feel it move, friction drags what lies on it, and ties follow. A step that is
// divided goes the same way in parts.
#include <math.h>
#include <string.h>

#include "base/larger.h"
#include "base/status.h"
#include "sim/sim.h"

void tact_sim_mocaps_layout(TactMocaps *mocaps, const TactModel *model, TactArena *arena)
{
    size_t count = (size_t)model->mocap_count;
    mocaps->bodies = tact_arena_take(arena, count, sizeof *mocaps->bodies);
    mocaps->q = tact_arena_take(arena, 7 * count, sizeof(double));
    mocaps->v = tact_arena_take(arena, 6 * count, sizeof(double));
    mocaps->joints = tact_arena_take(arena, count, sizeof *mocaps->joints);
}

void tact_sim_find_mocaps(TactSim *sim)
{
    TactMocaps *mocaps = &sim->free.mocaps;
    mocaps->count = 0;
    for (int b = 1; b < sim->model->body_count; b++) {
        const TactBody *body = &sim->model->bodies[b];
        if (body->mocap >= 0) {
            const TactJoint *joint = &sim->model->joints[body->first_joint];
            mocaps->joints[mocaps->count] = body->first_joint;
            mocaps->bodies[mocaps->count++] = (TactMocap){
                .tree = sim->islands.tree_of_body[b], .body = b, .q = joint->q, .dof = joint->dof};
        }
    }
    mocaps->led = (TactLeadings){mocaps->count, mocaps->joints, mocaps->v};
    sim->rows.led = &mocaps->led;
}

static TactTransform pose_of(const double *q)
{
    return (TactTransform){tact_quat_normalise((TactQuat){q[3], q[4], q[5], q[6]}),
                           {q[0], q[1], q[2]}};
}

void tact_sim_start_mocaps(TactSim *sim)
{
    for (int k = 0; k < sim->free.mocaps.count; k++) {
        sim->state.mocap[k] = pose_of(sim->state.q + sim->free.mocaps.bodies[k].q);
    }
}

static bool is_pose(TactTransform pose)
{
    TactQuat r = pose.rotation;
    double   size = r.w * r.w + r.x * r.x + r.y * r.y + r.z * r.z;
    return isfinite(pose.position.x) && isfinite(pose.position.y) && isfinite(pose.position.z) &&
           isfinite(size) && size > 0;
}

TactStatus tact_sim_move_body(TactSim *sim, int body, TactTransform pose)
{
    TACT_NEED(sim, "tact_sim_move_body");
    if (body < 0 || body >= sim->model->body_count || sim->model->bodies[body].mocap < 0) {
        return tact_fail(TACT_BAD_ARGUMENT, "move: body %d is no mocap body", body);
    }
    if (!is_pose(pose)) {
        return tact_fail(TACT_BAD_ARGUMENT, "move: a number of the pose is not finite");
    }
    sim->state.mocap[sim->model->bodies[body].mocap] = pose;
    return TACT_OK;
}

/// The velocity that takes a pose to another in a time; linear in the world, angular in the body.
static void find_velocity(TactTransform from, TactTransform to, double h, double v[6])
{
    TactQuat turn = tact_quat_multiply(tact_quat_conjugate(from.rotation), to.rotation);
    if (turn.w < 0) { // the short way round
        turn = (TactQuat){-turn.w, -turn.x, -turn.y, -turn.z};
    }
    TactVec3 linear = tact_vec3_scale(1 / h, tact_vec3_subtract(to.position, from.position));
    TactVec3 angular = tact_vec3_scale(1 / h, tact_quat_log(turn));
    memcpy(v, &linear, sizeof linear);
    memcpy(v + 3, &angular, sizeof angular);
}

TactStatus tact_sim_lead_mocaps(TactSim *sim)
{
    for (int k = 0; k < sim->free.mocaps.count; k++) {
        const TactMocap *mocap = &sim->free.mocaps.bodies[k];
        TactTransform    to = sim->state.mocap[k], from = pose_of(sim->state.q + mocap->q);
        double           left = sim->parts.end - sim->state.time;
        double          *v = sim->free.mocaps.v + 6 * k, *q = sim->free.mocaps.q + 7 * k;
        if (!is_pose(to)) {
            char label[64];
            return tact_fail(TACT_BAD_INPUT, "mocap: %s: its pose is not finite",
                             tact_model_label(sim->model, TACT_OBJECT_BODY, mocap->body, label));
        }
        to.rotation = tact_quat_normalise(to.rotation);
        find_velocity(from, to, tact_larger(left, sim->h), v);
        // as positions are integrated: q + h v
        TactVec3 at = tact_vec3_add_scaled(from.position, sim->h, (TactVec3){v[0], v[1], v[2]});
        TactQuat turn = tact_quat_exp(tact_vec3_scale(sim->h, (TactVec3){v[3], v[4], v[5]}));
        TactQuat then = tact_quat_normalise(tact_quat_multiply(from.rotation, turn));
        memcpy(q, (double[7]){at.x, at.y, at.z, then.w, then.x, then.y, then.z}, 7 * sizeof *q);
        for (int i = 0; i < 6; i++) {
            if (v[i] != 0) {
                tact_sim_wake(sim, mocap->tree);
                break;
            }
        }
    }
    return TACT_OK;
}

/// Rounding does not add up.
void tact_sim_place_mocaps(TactSim *sim)
{
    for (int k = 0; k < sim->free.mocaps.count; k++) {
        memcpy(sim->answer.q_end + sim->free.mocaps.bodies[k].q, sim->free.mocaps.q + 7 * k,
               7 * sizeof(double));
    }
}
