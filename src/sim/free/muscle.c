// Muscles: MuJoCo's curves of force over length and velocity.
//
//     force = -F (FL(L) FV(V) a + FP(L))
//
// with lengths L in units of the optimal length, which is that of the transmission's range divided
// by the range that the muscle has of it, and velocities V in units of the fastest shortening.
#include <math.h>
#include <string.h>

#include "base/status.h"
#include "dynamics/links.h"
#include "sim/sim.h"

static const double TINY = 1e-15;

static double square(double x)
{
    return x * x;
}

/// Active force over length: parabolas from 0 at lmin to 1 at 1 to 0 at lmax.
static double by_length(const TactMuscle *m, double L)
{
    double a = 0.5 * (m->lmin + 1), b = 0.5 * (1 + m->lmax);
    if (L < m->lmin || L > m->lmax) {
        return 0;
    }
    return L <= a   ? 0.5 * square((L - m->lmin) / fmax(TINY, a - m->lmin))
           : L <= 1 ? 1 - 0.5 * square((1 - L) / fmax(TINY, 1 - a))
           : L <= b ? 1 - 0.5 * square((L - 1) / fmax(TINY, b - 1))
                    : 0.5 * square((m->lmax - L) / fmax(TINY, m->lmax - b));
}

/// Active force over velocity: 0 at the fastest shortening, 1 at rest, fvmax when lengthened.
static double by_velocity(const TactMuscle *m, double V)
{
    double y = m->fvmax - 1;
    return V <= -1  ? 0
           : V <= 0 ? square(V + 1)
           : V <= y ? m->fvmax - square(y - V) / fmax(TINY, y)
                    : m->fvmax;
}

/// Passive force over length.
static double passive(const TactMuscle *m, double L)
{
    double b = 0.5 * (1 + m->lmax);
    return L <= 1   ? 0
           : L <= b ? m->fpmax * 0.5 * square((L - 1) / fmax(TINY, b - 1))
                    : m->fpmax * (0.5 + (L - b) / fmax(TINY, b - 1));
}

void tact_sim_find_muscle(const TactSim *sim, int actuator, double length, double rate,
                          double *gain, double *bias)
{
    const TactMuscle     *m = &sim->model->actuators[actuator].muscle;
    const TactMuscleRest *rest = &sim->free.muscles[actuator];
    double unit = (rest->length[1] - rest->length[0]) / fmax(TINY, m->range[1] - m->range[0]);
    double L = m->range[0] + (length - rest->length[0]) / fmax(TINY, unit);
    double V = rate / fmax(TINY, unit * m->vmax);
    *gain = -rest->force * by_length(m, L) * by_velocity(m, V);
    *bias = -rest->force * passive(m, L);
}

// ---------------------------------------------------------------------------------------------
// What they are measured by

/// M^-1 J' of an actuator at the position in the workspace; |it| is returned.
static double find_push(TactSim *sim, int actuator, double *push)
{
    size_t nv = (size_t)sim->model->nv;
    double sum = 0;
    memset(sim->last.actuation, 0, nv * sizeof *sim->last.actuation);
    tact_sim_push(sim, actuator);
    memcpy(push, sim->last.actuation, nv * sizeof *push);
    tact_dynamics_solve_mass(sim->dynamics, push);
    for (size_t i = 0; i < nv; i++) {
        sum += push[i] * push[i];
    }
    return sqrt(sum);
}

/// Joints at a limit that would go beyond it do not move; push has the sign of the motion.
static void hold_at_limits(const TactModel *model, const double *q, double *push)
{
    for (int j = 0; j < model->joint_count; j++) {
        const TactJoint *joint = &model->joints[j];
        bool single = joint->type == TACT_JOINT_HINGE || joint->type == TACT_JOINT_SLIDE;
        if (single && joint->limited &&
            ((push[joint->dof] > 0 && q[joint->q] >= joint->range[1]) ||
             (push[joint->dof] < 0 && q[joint->q] <= joint->range[0]))) {
            push[joint->dof] = 0;
        }
    }
}

static void keep_limits(const TactModel *model, double *q)
{
    for (int j = 0; j < model->joint_count; j++) {
        const TactJoint *joint = &model->joints[j];
        if ((joint->type == TACT_JOINT_HINGE || joint->type == TACT_JOINT_SLIDE) &&
            joint->limited) {
            q[joint->q] = fmin(fmax(q[joint->q], joint->range[0]), joint->range[1]);
        }
    }
}

/// The length that an actuator comes to when it alone pulls, or pushes: along M^-1 J', by steps of
/// at most 0.02 rad or m that become shorter where it turns back, within the limits of joints.
static TactStatus find_extreme(TactSim *sim, int actuator, double sign, double *extreme)
{
    enum { MOST_STEPS = 2000 };
    const double     longest = 0.02, shortest = 1e-9;
    const TactModel *model = sim->model;
    double          *q = sim->answer.q_end, *push = sim->scratch.a, step = longest, rate;
    memcpy(q, model->q_reference, (size_t)model->nq * sizeof *q);
    *extreme = -INFINITY;
    for (int k = 0; k < MOST_STEPS && step > shortest; k++) {
        double length, most = 0;
        TACT_TRY(tact_dynamics_set_position(sim->dynamics, q));
        tact_dynamics_compute_mass(sim->dynamics, NULL);
        tact_sim_actuator_motion(sim, actuator, &length, &rate);
        step = sign * length > *extreme + 1e-12 ? step : 0.5 * step;
        *extreme = fmax(*extreme, sign * length);
        find_push(sim, actuator, push);
        for (int i = 0; i < model->nv; i++) {
            push[i] *= sign;
        }
        hold_at_limits(model, q, push);
        for (int i = 0; i < model->nv; i++) {
            most = fmax(most, fabs(push[i]));
        }
        if (!(most > 0)) {
            break;
        }
        tact_dynamics_integrate(model, q, push, step / most, q);
        keep_limits(model, q);
    }
    *extreme *= sign;
    return TACT_OK;
}

/// Nor does a tendon go beyond its own limits.
static void keep_tendon_limits(const TactModel *model, const TactActuator *actuator, double *length)
{
    if (actuator->transmission != TACT_TRANSMISSION_TENDON ||
        !model->tendons[actuator->target].limited) {
        return;
    }
    const double *range = model->tendons[actuator->target].range;
    double        ends[2] = {actuator->gear[0] * range[0], actuator->gear[0] * range[1]};
    for (int k = 0; k < 2; k++) {
        length[k] = fmin(fmax(length[k], fmin(ends[0], ends[1])), fmax(ends[0], ends[1]));
    }
}

TactStatus tact_sim_measure_muscles(TactSim *sim)
{
    const TactModel *model = sim->model;
    for (int i = 0; i < model->actuator_count; i++) {
        const TactActuator *a = &model->actuators[i];
        TactMuscleRest     *rest = &sim->free.muscles[i];
        if (!a->is_muscle) {
            continue;
        }
        TACT_TRY(tact_dynamics_set_position(sim->dynamics, model->q_reference));
        tact_dynamics_compute_mass(sim->dynamics, NULL);
        double push = find_push(sim, i, sim->scratch.a);
        rest->force = a->muscle.force < 0 ? a->muscle.scale / fmax(TINY, push) : a->muscle.force;
        memcpy(rest->length, a->length_range, sizeof rest->length);
        if (!(a->length_range[0] < a->length_range[1])) {
            TACT_TRY(find_extreme(sim, i, -1, &rest->length[0]));
            TACT_TRY(find_extreme(sim, i, 1, &rest->length[1]));
            keep_tendon_limits(model, a, rest->length);
        }
    }
    return TACT_OK;
}
