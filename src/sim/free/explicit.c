// Runge-Kutta is explicit: a spring k and damper d on the inertia m of a joint run away if
//
//     h |x| > 2.78 ,     x^2 + (d / m) x + k / m = 0
//
// which is where its region of stability ends, on the real axis and about there on the imaginary
// one. m = 1 / (M^-1)_ii at the reference, other joints free; d has what the fluid around drags at
// rest there. Steps are then made in parts that are
// short enough from the beginning, and it is told: what runs away meets contacts ever faster, and
// dividing steps to follow it takes for ever.
#include <math.h>
#include <string.h>

#include "base/log.h"
#include "base/status.h"
#include "dynamics/links.h"
#include "sim/sim.h"

static const double STABLE = 2.78;

/// Stiffness and damping of a dof, by its joint and by actuators on it alone.
static void find_spring(const TactModel *model, int dof, double *k, double *d)
{
    const TactJoint *joint = &model->joints[model->dofs[dof].joint];
    *k = joint->stiffness + fmax(joint->bend[0], fmax(joint->bend[1], joint->bend[2]));
    *d = model->dofs[dof].damping;
    for (int i = 0; i < model->actuator_count && !model->options.actuation_off; i++) {
        const TactActuator *a = &model->actuators[i];
        bool scalar = joint->type == TACT_JOINT_HINGE || joint->type == TACT_JOINT_SLIDE;
        if (scalar && a->transmission == TACT_TRANSMISSION_JOINT &&
            a->target == model->dofs[dof].joint) {
            *k -= a->gear[0] * a->gear[0] * a->bias[1];
            *d -= a->gear[0] * a->gear[0] * a->bias[2];
        }
    }
}

/// The largest |x|, 1/s.
static double find_rate(double m, double k, double d)
{
    double half = 0.5 * d / m, root = half * half - k / m;
    return root > 0 ? fabs(half) + sqrt(root) : sqrt(fabs(k) / m);
}

static double mass_of_dof(const TactDynamics *d, int dof)
{
    TactMassRow row = tact_dynamics_view_mass_row(d, dof);
    return row.M[row.count - 1];
}

/// M at the position that is set, and by what each dof is dragged by the fluid at rest, N s/m or
/// N m s.
static TactStatus find_mass(TactSim *sim, double *drag)
{
    TactDynamics *d = sim->dynamics;
    bool          fluid = tact_dynamics_has_fluid(sim->model);
    memset(drag, 0, (size_t)sim->model->nv * sizeof *drag);
    if (fluid) {
        TACT_TRY(tact_dynamics_set_velocity(d, drag));
        tact_dynamics_find_drag(d);
        tact_dynamics_compute_mass_in_fluid(d, NULL, 1);
        for (int i = 0; i < sim->model->nv; i++) {
            drag[i] = mass_of_dof(d, i);
        }
    }
    tact_dynamics_compute_mass(d, NULL);
    for (int i = 0; i < sim->model->nv && fluid; i++) {
        drag[i] -= mass_of_dof(d, i);
    }
    return TACT_OK;
}

TactStatus tact_sim_judge_explicit(TactSim *sim)
{
    const TactModel *model = sim->model;
    double           worst = 0, *column = sim->scratch.a, *drag = sim->scratch.b;
    int              at = -1;
    sim->parts.least_level = 0;
    if (sim->config.integrator != TACT_INTEGRATOR_RK4) {
        return TACT_OK;
    }
    TACT_TRY(tact_dynamics_set_position(sim->dynamics, model->q_reference));
    TACT_TRY(find_mass(sim, drag));
    for (int i = 0; i < model->nv; i++) {
        double k, d;
        find_spring(model, i, &k, &d);
        d += drag[i];
        if (k == 0 && d == 0) {
            continue;
        }
        memset(column, 0, (size_t)model->nv * sizeof *column);
        column[i] = 1;
        tact_dynamics_solve_mass(sim->dynamics, column);
        double rate = column[i] > 0 ? find_rate(1 / column[i], k, d) : 0;
        at = rate > worst ? i : at;
        worst = fmax(worst, rate);
    }
    double times = worst * sim->config.timestep / STABLE;
    if (times > 1) {
        char label[TACT_LABEL_SIZE];
        int  level = (int)fmin(ceil(log2(times)), TACT_SIM_MOST_LEVELS);
        sim->parts.least_level = level;
        tact_log(
            TACT_LOG_LEVEL_WARNING,
            "the integrator rk4 is explicit, and the spring, damper, servo or drag of joint %s "
            "would "
            "run away in steps of more than %.2g s: each step of %.2g s is made in %d parts%s; "
            "the integrator euler takes such forces at the end of the step",
            tact_model_label(model, TACT_OBJECT_JOINT, model->dofs[at].joint, label),
            sim->config.timestep / times, sim->config.timestep, 1 << level,
            times > 1 << level ? ", which are still too long" : "");
    }
    return TACT_OK;
}
