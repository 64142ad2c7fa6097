// The fluid around, at the end of a step (dynamics/fluid.c, dynamics/fluid_drag.c).
//
// The drag of a velocity v in the wind W is -J'C(v) (J v - W), with a matrix C that is symmetric
// and not negative, and grows with v where the fluid has a density. A step has it as
//
//     -J'C(w) (J v+ - W)                                                                      (1)
//
// with w = v^f, the velocity of the free motion. Whatever w is, (1) takes energy from what moves in
// a fluid at rest, with any step and whatever contacts make of v+; so w need not be found to the
// last digit. It is a fixed point of
//
//     (M + h D + h J'C(w) J) (v^f - v) = h (tau - bias - J'C(w) (J v - W)) ,                  (2)
//
// looked for from w = v, with velocity products and lift of the beginning, and with Aitken's share
// of the way in each round: the map of a drag that outweighs the inertia is w -> a^2 / w, a the
// velocity at which it balances the other forces, and half of that way is a step of Newton's.
//
// Lift does no work in a fluid at rest on the velocity that it is of. It is that of v^f too, and
// found with the velocity products (midpoint.c). At the mean velocity, where these are taken, it
// would keep the energy to the last digit, but it is in balance with drag as often as not.
#include <math.h>
#include <string.h>

#include "base/larger.h"
#include "base/status.h"
#include "dynamics/links.h"
#include "sim/sim.h"

enum { MOST_ROUNDS = 12 };

static const double SETTLED = 1e-4;    // of the change of the velocity: by which C may be off
static const double FLOOR = 1e-13;     // m/s or rad/s
static const double LEAST_SHARE = 0.1; // of the way in a round

void tact_sim_fluid_layout(TactSimFluid *fluid, size_t nv, TactArena *arena)
{
    fluid->lift = tact_arena_take(arena, nv, sizeof(double));
    fluid->proposed = tact_arena_take(arena, nv, sizeof(double));
    fluid->expected = tact_arena_take(arena, nv, sizeof(double));
    fluid->first = tact_arena_take(arena, nv, sizeof(double));
    fluid->way = tact_arena_take(arena, nv, sizeof(double));
}

bool tact_sim_has_fluid(const TactSim *sim)
{
    return sim->config.integrator == TACT_INTEGRATOR_EULER && tact_dynamics_has_fluid(sim->model);
}

void tact_sim_compute_mass(TactSim *sim)
{
    if (tact_sim_has_fluid(sim)) {
        tact_dynamics_compute_mass_in_fluid(sim->dynamics, sim->free.added, sim->h);
    } else {
        tact_dynamics_compute_mass(sim->dynamics, sim->free.added);
    }
    tact_sim_add_drag_mass(sim);
}

TactStatus tact_sim_propose_lift(TactSim *sim, const double *v)
{
    double *lift = sim->free.fluid.proposed;
    if (!sim->free.fluid.lifts) {
        return TACT_OK;
    }
    TACT_TRY(tact_dynamics_set_velocity(sim->dynamics, v));
    memset(lift, 0, (size_t)sim->model->nv * sizeof *lift);
    tact_dynamics_add_lift(sim->dynamics, lift);
    return TACT_OK;
}

/// h (tau - bias) without drag, at the velocity of the beginning.
static TactStatus find_push(TactSim *sim, double *push)
{
    double *still = sim->scratch.a;
    TACT_TRY(tact_sim_propose_lift(sim, sim->state.v));
    memcpy(still, sim->state.v, (size_t)sim->model->nv * sizeof *still);
    tact_sim_still_flyers(sim, still);
    TACT_TRY(tact_dynamics_set_velocity(sim->dynamics, still));
    tact_dynamics_compute_inverse(sim->dynamics, NULL, sim->free.external, push);
    for (int i = 0; i < sim->model->nv; i++) {
        double lift = sim->free.fluid.lifts ? sim->free.fluid.proposed[i] : 0;
        push[i] = sim->h * (sim->free.tau[i] - push[i] + lift);
    }
    return TACT_OK;
}

/// A round of (2): change = v^f - v.
static void find_change(TactSim *sim, const double *push, double *change)
{
    int nv = sim->model->nv;
    memset(change, 0, (size_t)nv * sizeof *change);
    tact_dynamics_push_drag(sim->dynamics, sim->state.v, true, change);
    for (int i = 0; i < nv; i++) {
        change[i] = push[i] + sim->h * change[i];
    }
    tact_sim_compute_mass(sim);
    tact_dynamics_solve_mass(sim->dynamics, change);
}

/// Would the coefficients that were found change what those before made of the step?
static bool is_other(TactSim *sim, const double *change)
{
    int     nv = sim->model->nv;
    double *off = sim->scratch.a, *end = sim->free.v, most = 0, size = 0;
    for (int i = 0; i < nv; i++) {
        end[i] = sim->state.v[i] + change[i];
        off[i] = 0;
    }
    tact_dynamics_push_drag(sim->dynamics, end, true, off);
    for (int i = 0; i < nv; i++) {
        off[i] = -off[i];
    }
    tact_dynamics_swap_drag(sim->dynamics);
    tact_dynamics_push_drag(sim->dynamics, end, true, off);
    tact_dynamics_swap_drag(sim->dynamics);
    tact_dynamics_solve_mass(sim->dynamics, off);
    for (int i = 0; i < nv; i++) {
        most = tact_larger(most, fabs(sim->h * off[i]));
        size = tact_larger(size, fabs(change[i]));
    }
    return most > SETTLED * size + FLOOR;
}

/// The share of a way by two ways and the share of the first of them: the next one would be none if
/// ways were linear along it (Aitken).
static double find_share(const double *before, const double *way, int n, double share)
{
    double product = 0, square = 0;
    for (int i = 0; i < n; i++) {
        double change = before[i] - way[i];
        product += before[i] * change;
        square += change * change;
    }
    share = square > 0 ? share * product / square : 1;
    return share > LEAST_SHARE ? (share < 1 ? share : 1) : LEAST_SHARE;
}

double tact_sim_relax_lift(TactSim *sim, int round, double share)
{
    int     nv = sim->model->nv;
    double *way = sim->scratch.a, *before = sim->free.fluid.way;
    for (int i = 0; i < nv; i++) {
        way[i] = sim->free.proposed[i] - sim->free.v[i];
    }
    share = round > 0 ? find_share(before, way, nv, share) : 1;
    memcpy(before, way, (size_t)nv * sizeof *before);
    return share;
}

/// Drag that depends on the velocity: C of (1).
static TactStatus settle(TactSim *sim)
{
    int     nv = sim->model->nv;
    double *push = sim->free.proposed_impulse, *w = sim->free.proposed;
    double *change = sim->scratch.b, *way = sim->free.expected,
           *before = sim->free.expected_impulse;
    double share = 1;
    TACT_TRY(find_push(sim, push));
    memcpy(w, sim->state.v, (size_t)nv * sizeof *w);
    for (int round = 0; round < MOST_ROUNDS; round++) {
        find_change(sim, push, change);
        for (int i = 0; i < nv; i++) {
            before[i] = way[i];
            way[i] = sim->state.v[i] + change[i] - w[i];
        }
        share = round > 0 ? find_share(before, way, nv, share) : 1;
        for (int i = 0; i < nv; i++) {
            w[i] += share * way[i];
        }
        TACT_TRY(tact_dynamics_set_velocity(sim->dynamics, w));
        tact_dynamics_find_drag(sim->dynamics);
        if (!is_other(sim, change)) {
            tact_dynamics_swap_drag(sim->dynamics); // M has those before
            return TACT_OK;
        }
    }
    tact_sim_compute_mass(sim);
    return TACT_OK;
}

TactStatus tact_sim_settle_fluid(TactSim *sim)
{
    double *drag = sim->scratch.b;
    int     nv = sim->model->nv;
    sim->free.fluid.lifts = tact_dynamics_has_lift(sim->model);
    if (!tact_sim_has_fluid(sim)) {
        tact_sim_compute_mass(sim);
        return TACT_OK;
    }
    tact_dynamics_find_drag(sim->dynamics);
    if (sim->model->options.density != 0) {
        TACT_TRY(settle(sim));
    } else {
        tact_sim_compute_mass(sim);
    }
    TACT_TRY(tact_dynamics_set_velocity(sim->dynamics, sim->state.v));
    memset(drag, 0, (size_t)nv * sizeof *drag);
    tact_dynamics_push_drag(sim->dynamics, sim->state.v, true, drag);
    for (int i = 0; i < nv; i++) {
        sim->last.passive[i] += drag[i];
        sim->free.tau[i] += drag[i];
    }
    return TACT_OK;
}

void tact_sim_add_last_drag(const TactSim *sim, const double *acceleration, double *force)
{
    double *change = sim->scratch.a;
    for (int i = 0; i < sim->model->nv; i++) {
        change[i] = sim->h * acceleration[i];
    }
    tact_dynamics_push_drag(sim->dynamics, change, false, force);
}

void tact_sim_add_wind(const TactSim *sim, double *force)
{
    if (!tact_sim_has_fluid(sim)) {
        return;
    }
    if (tact_vec3_norm(sim->model->options.wind) > 0) {
        tact_dynamics_push_drag(sim->dynamics, sim->answer.v, true, force);
    }
    for (int i = 0; i < sim->model->nv && sim->free.fluid.lifts; i++) {
        force[i] += sim->free.fluid.lift[i];
    }
}
