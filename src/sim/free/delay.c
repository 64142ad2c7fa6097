// Controls that reach their actuator later: delay, nsample and interp of MJCF, as MuJoCo means
// them.
//
// An actuator keeps its controls of the last n steps, with their times, the oldest first; before
// the first step they are 0. In a step at time t it gets what they say of t - delay: the last one
// before that, a line between two, or a cubic whose slopes are central differences (0 at both
// ends). What is older than the first is the first, and what is newer than the last is the last: a
// delay has at least one step. Then the control of this step takes the place of the oldest.
#include <math.h>
#include <string.h>

#include "base/status.h"
#include "sim/sim.h"

static size_t count_samples(const TactModel *model)
{
    size_t count = 0;
    for (int i = 0; i < model->actuator_count; i++) {
        count += (size_t)model->actuators[i].samples;
    }
    return count;
}

void tact_sim_delays_layout(TactSimDelays *delays, const TactModel *model, TactArena *arena)
{
    size_t actuators = (size_t)model->actuator_count;
    delays->count = count_samples(model);
    delays->ctrl = tact_arena_take(arena, actuators, sizeof *delays->ctrl);
    delays->first = tact_arena_take(arena, actuators, sizeof *delays->first);
    delays->time = tact_arena_take(arena, delays->count, sizeof *delays->time);
    delays->value = tact_arena_take(arena, delays->count, sizeof *delays->value);
}

void tact_sim_reset_delays(TactSim *sim)
{
    TactSimDelays *delays = &sim->free.delays;
    size_t         used = 0;
    for (int i = 0; i < sim->model->actuator_count; i++) {
        int n = sim->model->actuators[i].samples;
        delays->ctrl[i] = 0;
        delays->first[i] = used;
        for (int k = 0; k < n; k++) {
            delays->time[used + (size_t)k] = sim->state.time - (n - k) * sim->config.timestep;
            delays->value[used + (size_t)k] = 0;
        }
        used += (size_t)n;
    }
}

/// Slope at sample k by central differences, times the length of the interval after `left`.
static double slope(const double *time, const double *value, int n, int k, int left)
{
    if (k == 0 || k == n - 1) {
        return 0;
    }
    return (value[k + 1] - value[k - 1]) / (time[k + 1] - time[k - 1]) *
           (time[left + 1] - time[left]);
}

/// What n samples say of a time. Those that are later by no more than `slack` are not after it.
static double interpolate(TactDelayInterpolation by, const double *time, const double *value, int n,
                          double at, double slack)
{
    int k = 0; // the last one that is not after it
    if (!(at > time[0])) {
        return value[0];
    }
    while (k + 1 < n && time[k + 1] <= at + slack) {
        k++;
    }
    if (k == n - 1 || by == TACT_DELAY_INTERPOLATION_HOLD) {
        return value[k];
    }
    double s = fmax((at - time[k]) / (time[k + 1] - time[k]), 0);
    if (by == TACT_DELAY_INTERPOLATION_LINEAR) {
        return value[k] + s * (value[k + 1] - value[k]);
    }
    double s2 = s * s, s3 = s2 * s;
    return (2 * s3 - 3 * s2 + 1) * value[k] + (3 * s2 - 2 * s3) * value[k + 1] +
           (s3 - 2 * s2 + s) * slope(time, value, n, k, k) +
           (s3 - s2) * slope(time, value, n, k + 1, k);
}

// Times of samples are sums of steps: of two that differ by less than this part of a step one is
// meant.
static const double SAME_TIME = 1e-6;

TactStatus tact_sim_delay_controls(TactSim *sim)
{
    TactSimDelays *delays = &sim->free.delays;
    for (int i = 0; i < sim->model->actuator_count && delays->count > 0; i++) {
        TACT_TRY(tact_sim_check_control(sim, i, sim->state.ctrl[i]));
    }
    for (int i = 0; i < sim->model->actuator_count && delays->count > 0; i++) {
        const TactActuator *a = &sim->model->actuators[i];
        if (a->samples == 0) {
            continue;
        }
        double *time = delays->time + delays->first[i], *value = delays->value + delays->first[i];
        double  at = sim->state.time - a->delay, slack = SAME_TIME * sim->config.timestep;
        size_t  kept = (size_t)a->samples - 1;
        delays->ctrl[i] =
            a->delay == 0 ? sim->state.ctrl[i]
                          : interpolate(a->delay_interpolation, time, value, a->samples, at, slack);
        memmove(time, time + 1, kept * sizeof *time);
        memmove(value, value + 1, kept * sizeof *value);
        time[kept] = sim->state.time;
        value[kept] = sim->state.ctrl[i];
    }
    return TACT_OK;
}

double tact_sim_get_control(const TactSim *sim, int actuator)
{
    const TactActuator *a = &sim->model->actuators[actuator];
    return a->samples > 0 && a->delay != 0 ? sim->free.delays.ctrl[actuator]
                                           : sim->state.ctrl[actuator];
}

bool tact_sim_is_delaying(const TactSim *sim, int actuator)
{
    const TactSimDelays *delays = &sim->free.delays;
    const TactActuator  *a = &sim->model->actuators[actuator];
    for (int k = 0; k < a->samples && a->delay != 0; k++) {
        if (delays->value[delays->first[actuator] + (size_t)k] != sim->state.ctrl[actuator]) {
            return true;
        }
    }
    return false;
}
