// Motors with brushes, as MuJoCo has them. With the constant K and the resistance R, at the length
// l and the rate w of the transmission,
//
//     R = R_0 (1 + alpha (T + T_around - T_0)) ,      f = K i + cogging + friction            (1)
//     i = (u - K w) / R   at once, or      di/dt = ((u - K w) / R - i) / tau                  (2)
//     C dT/dt = R i^2 - T / R_T                                                               (3)
//     cogging = A sin(N l + phi)                                                              (4)
//     friction = -(s_0 z + s_1 dz/dt) ,    dz/dt = w - s_0 |w| z / g(w) ,
//     g = F_C + (F_S - F_C) exp(-(w / w_S)^2)                                    [Canudas95]  (5)
//
// u is the control or, with a controller, the voltage that gives the torque
//
//     k_p (l* - l) + k_i x + k_d (w* - w) + f* ,    dx/dt = l* - l                            (6)
//
// at R_0, within the largest voltage; l*, w*, f* and a voltage that is added are controls, those
// that it has not are 0. The first of them does not change faster than the slew rate. A controller
// alone has no electricity: its torque (6) is the force. Currents and bristles go exactly over the
// step, for what else is in (2) and (5) as at its beginning; the force is that of the current at
// its end. Limits of force are those of K i.
#include <math.h>

#include "model/motor.h"
#include "sim/sim.h"

static double clamp_to(double x, double most)
{
    return x < -most ? -most : x > most ? most : x;
}

/// What a motor is at, and what of it changes with length and rate.
typedef struct Run {
    const TactMotor *motor;
    TactMotorSlots   slots;
    const double    *act;  // before the step
    double          *next; // after it
    double           h, length, rate;
} Run;

/// The first control, which follows what is asked for no faster than it may.
static void follow_command(const Run *run, double u[4])
{
    double *first = &u[run->motor->input], most = run->motor->controller[3] * run->h;
    if (run->slots.command < 0) {
        return;
    }
    double before = run->act[run->slots.command];
    if (run->slots.begun < 0 || run->act[run->slots.begun] != 0) {
        *first = before + clamp_to(*first - before, most);
    }
    if (run->slots.begun >= 0) {
        run->next[run->slots.begun] = 1;
    }
    run->next[run->slots.command] = *first;
}

/// k_i x of (6), and x after the step. A motor's x is clamped; that of a controller alone does not
/// grow further where it is as large as it may be; one that is ahead is clamped, and taken after
/// the step.
static double integrate(const Run *run, double off)
{
    const TactMotor *m = run->motor;
    const double    *c = m->controller;
    if (run->slots.integral < 0) {
        return 0;
    }
    double x = run->act[run->slots.integral], next = x + run->h * off;
    if (c[4] > 0 && tact_motor_is_controller(m) && !m->ahead) {
        next = (x >= c[4] && off > 0) || (x <= -c[4] && off < 0) ? x : next;
    } else if (c[4] > 0) {
        next = clamp_to(next, c[4]);
    }
    run->next[run->slots.integral] = next;
    return c[1] * (m->ahead ? next : x);
}

/// (6)
static double find_torque(const Run *run, const double u[4])
{
    const double *c = run->motor->controller; // k_p, k_i, k_d, slew, largest x, largest voltage
    double        off = u[TACT_MOTOR_INPUT_POSITION] - run->length;
    double        pull =
        c[0] * off + c[2] * (u[TACT_MOTOR_INPUT_VELOCITY] - run->rate) + u[TACT_MOTOR_INPUT_FORCE];
    return pull + integrate(run, off);
}

/// The voltage that the controls ask for; its slopes.
static double find_voltage(const Run *run, const double u[4], double *by_length, double *by_rate)
{
    const TactMotor *m = run->motor;
    const double    *c = m->controller;
    *by_length = *by_rate = 0;
    if (m->input == TACT_MOTOR_INPUT_VOLTAGE) {
        return u[TACT_MOTOR_INPUT_VOLTAGE];
    }
    double torque = find_torque(run, u);
    double share = m->resistance / m->constant;
    double voltage = share * torque + m->constant * run->rate;
    if (c[5] > 0 && fabs(voltage) > c[5]) {
        return clamp_to(voltage, c[5]) + u[TACT_MOTOR_INPUT_VOLTAGE];
    }
    *by_length = -share * c[0];
    *by_rate = -share * c[2] + m->constant;
    return voltage + u[TACT_MOTOR_INPUT_VOLTAGE];
}

/// (5), without damping of the bristle in the slope.
static double find_friction(const Run *run)
{
    const double *b = run->motor->bristle; // s_0, s_1, F_C, F_S, w_S
    double        z = run->act[run->slots.bristle], ratio = run->rate / fmax(1e-15, b[4]);
    double        g = b[2] + (b[3] - b[2]) * exp(-ratio * ratio);
    double        a = -b[0] * fabs(run->rate) / fmax(1e-15, g);
    double        reach = fabs(a) > 1e-15 ? expm1(a * run->h) / a : run->h;
    run->next[run->slots.bristle] = exp(a * run->h) * z + reach * run->rate;
    return -(b[0] * z + b[1] * (a * z + run->rate));
}

TactMotorForce tact_sim_run_motor(TactSim *sim, int actuator, double u[4], double length,
                                  double rate)
{
    const TactActuator *a = &sim->model->actuators[actuator];
    const TactMotor    *m = &a->motor;
    int                 first = a->act >= 0 ? a->act : 0;
    Run                 run = {.motor = m,
                               .slots = tact_motor_slots(m),
                               .act = sim->state.act + first,
                               .next = sim->free.act_next + first,
                               .h = sim->h,
                               .length = length,
                               .rate = rate};
    TactMotorForce      force = {0};
    double              by_length, by_rate, R = m->resistance, share = 1;
    follow_command(&run, u);
    if (tact_motor_is_controller(m)) {
        force.electric = find_torque(&run, u);
        force.by_length = -m->controller[0];
        force.by_rate = -m->controller[2];
        return force;
    }
    double voltage = find_voltage(&run, u, &by_length, &by_rate);
    if (run.slots.temperature >= 0) {
        R *= 1 + m->heat[2] * (run.act[run.slots.temperature] + m->heat[4] - m->heat[3]);
    }
    double current = (voltage - m->constant * rate) / R, heating = current;
    if (run.slots.current >= 0) {
        double i = run.act[run.slots.current], change = (current - i) / m->time;
        bool   fast = m->current_rate > 0 && fabs(change) > m->current_rate;
        change = fast ? clamp_to(change, m->current_rate) : change;
        heating = i;
        current = i - change * m->time * expm1(-run.h / m->time);
        share = fast ? 0 : -expm1(-run.h / m->time);
        run.next[run.slots.current] = current;
    }
    if (run.slots.temperature >= 0) {
        double T = run.act[run.slots.temperature];
        run.next[run.slots.temperature] =
            T + run.h * (R * heating * heating - T / m->heat[0]) / m->heat[1];
    }
    force.electric = m->constant * current;
    force.by_length = share * m->constant / R * by_length;
    force.by_rate = share * m->constant / R * (by_rate - m->constant);
    if (run.slots.bristle >= 0) {
        force.mechanic = find_friction(&run);
        force.mechanic_by_rate = -m->bristle[1];
    }
    if (m->cogging[0] != 0) {
        force.mechanic += m->cogging[0] * sin(m->cogging[1] * length + m->cogging[2]);
    }
    return force;
}
