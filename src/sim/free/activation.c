// Activations of actuators: what stands between the control and the force.
//
//     integrator   a' = u                        filter   a' = (u - a) / T
//     muscle       a' = (u - a) / T(u, a), with u and a clamped to 0 .. 1 where T is found:
//                  T = T_up (0.5 + 1.5 a) on the way up, T_down / (0.5 + 1.5 a) on the way down,
//                  and between them over a width of u - a where that is given
//
// a+ = a + h a', and for filters that are to be exact a + a' T (1 - exp(-h / T)). The force of a
// step is that of a, or of a+ where the actuator is early.
#include <math.h>

#include "sim/sim.h"

static double clamp(double x, double low, double high)
{
    return x < low ? low : x > high ? high : x;
}

/// From 0 at 0 to 1 at 1, with two derivatives that are 0 at both.
static double step_smoothly(double x)
{
    x = clamp(x, 0, 1);
    return x * x * x * (3 * x * (2 * x - 5) + 10);
}

static double muscle_rate(const double p[3], double ctrl, double act)
{
    double more = 0.5 + 1.5 * clamp(act, 0, 1), up = p[0] * more, down = p[1] / more;
    double off = clamp(ctrl, 0, 1) - act;
    double time = off > 0 ? up : down;
    if (p[2] >= 1e-15) {
        time = down + (up - down) * step_smoothly(off / p[2] + 0.5);
    }
    return off / fmax(1e-15, time);
}

static double rate_of(const TactActuator *a, double ctrl, double act)
{
    const double *p = a->activation_parameters;
    switch (a->activation) {
    case TACT_ACTIVATION_NONE: return 0;
    case TACT_ACTIVATION_INTEGRATOR: return ctrl;
    case TACT_ACTIVATION_FILTER:
    case TACT_ACTIVATION_FILTER_EXACT: return (ctrl - act) / p[0];
    case TACT_ACTIVATION_MUSCLE: return muscle_rate(p, ctrl, act);
    }
    return 0;
}

double tact_sim_activate(TactSim *sim, int actuator, double ctrl)
{
    const TactActuator *a = &sim->model->actuators[actuator];
    double              act = sim->state.act[a->act], T = a->activation_parameters[0];
    double              rate = rate_of(a, ctrl, act);
    double              next = a->activation == TACT_ACTIVATION_FILTER_EXACT
                                   ? act - rate * T * expm1(-sim->h / T)
                                   : act + sim->h * rate;
    if (a->act_limited) {
        next = clamp(next, a->act_range[0], a->act_range[1]);
    }
    sim->free.act_next[a->act] = next;
    return a->act_early ? next : act;
}

bool tact_sim_is_activating(const TactSim *sim, int actuator)
{
    const TactActuator *a = &sim->model->actuators[actuator];
    for (int k = a->act; k < a->act + a->act_size; k++) {
        if (sim->free.act_next[k] != sim->state.act[k]) {
            return true;
        }
    }
    return false;
}
