// Joints whose motion is given: rows of the contact problem that nothing can push aside.
//
// Within an interval of length l, with s = t - t_k, the spline is
//
//     q = a q_k + b q_k+1 + ((a^3 - a) m_k + (b^3 - b) m_k+1) l^2 / 6,     b = s / l,  a = 1 - b
//
// with second derivatives m from the tridiagonal system that makes velocities go over, and 0 at the
// ends; linear interpolation is the same with m = 0. With Euler v+ is what takes a joint to its
// position, with Runge-Kutta it is the velocity of the motion.
#include <math.h>
#include <string.h>

#include "base/status.h"
#include "sim/sim.h"

struct TactSimMotion {
    TactArena         arena;
    int               count, joint_count;
    double           *time;     //                                            (count)
    int              *joints;   //                                            (joint_count)
    bool             *is_given; // of the model's joints                      (joints)
    double           *position; //                                            (count x joint_count)
    double           *bend;     // second derivatives                         (count x joint_count)
    double           *work;     //                                            (count)
    double           *now, *rate; // what prescribed lends                    (joint_count)
    TactPrescribed    prescribed;
    TactInterpolation interpolation;
};

static void layout_motion(TactSimMotion *m, const TactModel *model, TactArena *arena)
{
    size_t moments = (size_t)m->count, joints = (size_t)m->joint_count;
    m->time = tact_arena_take(arena, moments, sizeof *m->time);
    m->joints = tact_arena_take(arena, joints, sizeof *m->joints);
    m->is_given = tact_arena_take(arena, (size_t)model->joint_count, sizeof *m->is_given);
    m->position = tact_arena_take(arena, moments * joints, sizeof *m->position);
    m->bend = tact_arena_take(arena, moments * joints, sizeof *m->bend);
    m->work = tact_arena_take(arena, moments, sizeof *m->work);
    m->now = tact_arena_take(arena, joints, sizeof *m->now);
    m->rate = tact_arena_take(arena, joints, sizeof *m->rate);
}

void tact_sim_motion_destroy(TactSimMotion *motion)
{
    if (motion) {
        tact_arena_destroy(&motion->arena);
        tact_release(motion);
    }
}

static TactStatus check(const TactModel *model, const TactMotion *motion)
{
    if (motion->count < 1 || motion->joint_count < 1) {
        return tact_fail(TACT_BAD_ARGUMENT, "motion: %d moments of %d joints", motion->count,
                         motion->joint_count);
    }
    for (int k = 0; k < motion->count; k++) {
        if (!isfinite(motion->time[k]) || (k > 0 && !(motion->time[k] > motion->time[k - 1]))) {
            return tact_fail(TACT_BAD_ARGUMENT, "motion: time[%d] = %g does not ascend", k,
                             motion->time[k]);
        }
    }
    for (int k = 0; k < motion->joint_count; k++) {
        int  joint = motion->joints[k];
        bool is_there = joint >= 0 && joint < model->joint_count;
        if (!is_there || model->joints[joint].type < TACT_JOINT_HINGE) {
            return tact_fail(TACT_BAD_ARGUMENT, "motion: joint %d is no hinge or slide", joint);
        }
        for (int i = 0; i < k; i++) {
            if (motion->joints[i] == joint) {
                return tact_fail(TACT_BAD_ARGUMENT, "motion: joint %d is given twice", joint);
            }
        }
    }
    for (int k = 0; k < motion->count * motion->joint_count; k++) {
        if (!isfinite(motion->position[k])) {
            return tact_fail(TACT_BAD_ARGUMENT, "motion: position[%d] is %g", k,
                             motion->position[k]);
        }
    }
    return TACT_OK;
}

/// Second derivatives of one joint by elimination in the tridiagonal system
///     l_k-1 m_k-1 + 2 (l_k-1 + l_k) m_k + l_k m_k+1 = 6 (slope_k - slope_k-1)
static void bend_joint(TactSimMotion *m, int joint)
{
    size_t  n = (size_t)m->joint_count;
    double *q = m->position + joint, *b = m->bend + joint, *upper = m->work;
    int     last = m->count - 1;
    b[0] = upper[0] = 0;
    for (int k = 1; k < last; k++) {
        double before = m->time[k] - m->time[k - 1], after = m->time[k + 1] - m->time[k];
        double slope = (q[(size_t)(k + 1) * n] - q[(size_t)k * n]) / after -
                       (q[(size_t)k * n] - q[(size_t)(k - 1) * n]) / before;
        double pivot = 2 * (before + after) - before * upper[k - 1];
        upper[k] = after / pivot;
        b[(size_t)k * n] = (6 * slope - before * b[(size_t)(k - 1) * n]) / pivot;
    }
    b[(size_t)last * n] = 0;
    for (int k = last - 1; k > 0; k--) {
        b[(size_t)k * n] -= upper[k] * b[(size_t)(k + 1) * n];
    }
}

/// The interval that the time is in: from moment k to k + 1; -1 before all, count - 1 after all.
static int find_interval(const TactSimMotion *m, double time)
{
    int low = -1, high = m->count;
    while (high - low > 1) {
        int middle = (low + high) / 2;
        if (m->time[middle] <= time) {
            low = middle;
        } else {
            high = middle;
        }
    }
    return low;
}

/// Positions and velocities at a time, to what prescribed lends.
static void look_up(TactSimMotion *m, double time)
{
    size_t n = (size_t)m->joint_count;
    int    k = find_interval(m, time);
    bool   inside = k >= 0 && k < m->count - 1;
    size_t at = (size_t)(k < 0 ? 0 : k) * n;
    double length = inside ? m->time[k + 1] - m->time[k] : 1;
    double b = inside ? (time - m->time[k]) / length : 0, a = 1 - b;
    for (size_t j = 0; j < n; j++) {
        const double *q = m->position + at + j, *bend = m->bend + at + j;
        m->now[j] = q[0];
        m->rate[j] = 0;
        if (inside) {
            m->now[j] =
                a * q[0] + b * q[n] +
                ((a * a * a - a) * bend[0] + (b * b * b - b) * bend[n]) * length * length / 6;
            m->rate[j] = (q[n] - q[0]) / length +
                         ((3 * b * b - 1) * bend[n] - (3 * a * a - 1) * bend[0]) * length / 6;
        }
    }
}

void tact_sim_prescribe(TactSim *sim)
{
    if (!sim->motion) {
        return;
    }
    look_up(sim->motion, sim->state.time + sim->h);
    for (int k = 0; k < sim->motion->joint_count; k++) {
        const TactJoint *joint = &sim->model->joints[sim->motion->joints[k]];
        if (sim->state.q[joint->q] != sim->motion->now[k]) {
            tact_sim_wake(sim, sim->islands.tree_of_body[joint->body]);
        }
    }
}

/// Rounding, and what Runge-Kutta has made of the velocity, does not add up.
void tact_sim_place_prescribed(TactSim *sim)
{
    for (int k = 0; sim->motion && k < sim->motion->joint_count; k++) {
        sim->answer.q_end[sim->model->joints[sim->motion->joints[k]].q] = sim->motion->now[k];
    }
}

static TactStatus create_motion(const TactModel *model, const TactMotion *motion,
                                TactSimMotion **created)
{
    TactSimMotion *m = NULL;
    TACT_TRY(tact_allocate(1, sizeof *m, (void **)&m));
    m->count = motion->count;
    m->joint_count = motion->joint_count;
    m->interpolation = motion->interpolation;
    layout_motion(m, model, &m->arena);
    TactStatus status = tact_arena_create(&m->arena);
    if (status != TACT_OK) {
        tact_release(m);
        return status;
    }
    layout_motion(m, model, &m->arena);
    size_t moments = (size_t)m->count, joints = (size_t)m->joint_count;
    memcpy(m->time, motion->time, moments * sizeof *m->time);
    memcpy(m->joints, motion->joints, joints * sizeof *m->joints);
    memcpy(m->position, motion->position, moments * joints * sizeof *m->position);
    for (int j = 0; j < m->joint_count; j++) {
        m->is_given[m->joints[j]] = true;
        if (m->interpolation == TACT_INTERPOLATION_CUBIC && m->count > 1) {
            bend_joint(m, j);
        }
    }
    m->prescribed = (TactPrescribed){
        .count = m->joint_count,
        .joints = m->joints,
        .position = m->now,
        .velocity = m->rate,
        .is_given = m->is_given,
    };
    *created = m;
    return TACT_OK;
}

void tact_sim_motion_start(TactSim *sim)
{
    TactSimMotion *m = sim->motion;
    if (!m) {
        return;
    }
    look_up(m, sim->state.time);
    for (int k = 0; k < m->joint_count; k++) {
        const TactJoint *joint = &sim->model->joints[m->joints[k]];
        sim->state.q[joint->q] = m->now[k];
        sim->state.v[joint->dof] = m->rate[k];
    }
}

TactStatus tact_sim_set_motion(TactSim *sim, const TactMotion *motion)
{
    TACT_NEED(sim, "tact_sim_set_motion");
    TactSimMotion *made = NULL;
    if (motion) {
        TACT_TRY(check(sim->model, motion));
        TACT_TRY(create_motion(sim->model, motion, &made));
        made->prescribed.by_velocity = sim->config.integrator == TACT_INTEGRATOR_RK4;
    }
    tact_sim_motion_destroy(sim->motion);
    sim->motion = made;
    tact_sim_motion_start(sim);
    sim->rows.prescribed = made ? &made->prescribed : NULL;
    sim->last.stepped = false; // its rows are others
    return TACT_OK;
}

TactStatus tact_sim_motion_load(TactSim *sim)
{
    for (int k = 0; k < sim->model->custom_count; k++) {
        const TactCustom *custom = &sim->model->customs[k];
        if (strcmp(custom->name, TACT_SIM_MOTION_WORD) == 0) {
            const char *path = custom->path && *custom->path ? custom->path : custom->text;
            TactMotion *motion = NULL;
            TACT_TRY(tact_motion_read(sim->model, path, &motion));
            TactStatus status = tact_sim_set_motion(sim, motion);
            tact_motion_destroy(motion);
            return status;
        }
    }
    return TACT_OK;
}
