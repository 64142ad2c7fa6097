// Positions put right: what is left of loop errors and of penetration.
//
// The smallest shift in the metric of M that takes errors out of the bilateral rows, and overlaps
// beyond the slop out of contacts,
//
//     minimise x'M x / 2   with   J_b x = -error,   J_n x >= correction (depth - slop)
//
// (and within the limits of joints) is the contact problem without motion, forces and friction. It
// moves q and leaves v alone. It lifts what was put into something by whoever set the state; what
// steps have made is lifted as far as the energy pays that they have taken (dissipate.c).
#include <math.h>
#include <string.h>

#include "base/status.h"
#include "dynamics/links.h"
#include "sim/sim.h"

enum { MOST_ROUNDS = 4 };

static const double LIMIT_TOL = 1e-9; // m or rad by which a limit may be exceeded
static const double LARGEST_SHIFT = 0.05;
// Runge-Kutta keeps loops closed to its own order. Shifting them further would feed on fast motion;
// only what is broken is put right.
static const double BROKEN_LOOP = 1e-4; // m or rad

/// Deepest overlap beyond what is left alone after the step, to first order. What steps make
/// themselves as a rule stays, for lifting it would give energy. What is deeper comes out.
static double worst_excess(TactSim *sim)
{
    double worst = -INFINITY, most = -INFINITY;
    for (int i = 0; i < sim->islands.count; i++) { // of which some may be stuck
        const TactSimSolved *solved = &sim->islands.islands[i].solved;
        most = fmax(most, solved->told ? solved->depth : INFINITY);
    }
    if (most <= fmin(tact_sim_overlap_left(sim), tact_sim_overlap_made(sim))) {
        sim->positions.sunk = sim->positions.placed = false;
        return 0;
    }
    for (int i = 0; i < sim->contact_count && sim->config.stiffness == 0; i++) {
        const TactSimContact *c = &sim->contacts[i];
        worst = c->stuck ? worst : fmax(worst, c->depth - sim->h * c->velocity[0]);
    }
    sim->positions.sunk = worst > tact_sim_overlap_made(sim) ||
                          (sim->positions.sunk && worst > tact_sim_overlap_left(sim));
    sim->positions.placed = sim->positions.placed && sim->positions.sunk;
    return sim->positions.sunk ? worst - tact_sim_overlap_left(sim) : 0;
}

/// No shift is larger than this in one step, m or rad: what is far off comes back in several.
static double bound_shift(TactSim *sim)
{
    double most = 0;
    for (int i = 0; i < sim->model->nv; i++) {
        most = fmax(most, fabs(sim->positions.shift[i]));
    }
    for (int i = 0; i < sim->model->nv && most > LARGEST_SHIFT; i++) {
        sim->positions.shift[i] *= LARGEST_SHIFT / most;
    }
    return fmin(most, LARGEST_SHIFT);
}

/// With drift correction, what else is shifted takes loops along as they are.
static void leave_loops(TactSim *sim)
{
    for (int r = 0; r < sim->rows.count && sim->config.zeta >= 0; r++) {
        if (sim->rows.rows[r].kind == TACT_ROW_BILATERAL) {
            sim->rows.rows[r].error = 0;
        }
    }
}

TactStatus tact_sim_correct(TactSim *sim, TactSimReport *report)
{
    TactDynamics *d = sim->dynamics;
    tact_sim_keep_stuck(sim);
    double excess = worst_excess(sim), loop_tol = sim->config.loop_tol;
    bool   sunk = sim->positions.sunk;
    if (sim->free.loops) {
        loop_tol = fmax(loop_tol, BROKEN_LOOP);
    }
    if (sim->config.zeta >= 0) { // velocities correct them
        loop_tol = INFINITY;
    }
    bool   ways = tact_rows_has_ways(sim->model);
    double limit = tact_rows_worst_limit(sim->model, sim->answer.q_end);
    if (!sunk && sim->model->equality_count == 0 && !ways && limit <= LIMIT_TOL) {
        return TACT_OK;
    }
    for (int round = 0; round < MOST_ROUNDS; round++) {
        TACT_TRY(tact_dynamics_set_position(d, sim->answer.q_end));
        report->loop_error = tact_rows_loop_error(&sim->rows, d);
        report->implied_rows = sim->rows.implied_count;
        report->implied_error = tact_rows_implied_error(&sim->rows, d);
        bool right = !sunk && report->loop_error <= loop_tol;
        // Mostly there is nothing to put right, and no row is needed.
        if (right && limit <= LIMIT_TOL && (!ways || tact_rows_worst_way(d) <= LIMIT_TOL)) {
            return TACT_OK;
        }
        TactRowErrors errors = tact_rows_fill_errors(&sim->rows, d, fmax(excess, limit));
        if (right && errors.limit <= LIMIT_TOL) {
            return TACT_OK;
        }
        memset(sim->positions.shift, 0, (size_t)sim->model->nv * sizeof *sim->positions.shift);
        leave_loops(sim);
        TACT_TRY(tact_sim_islands_find(sim));
        TACT_TRY(tact_sim_solve_islands(sim, TACT_SOLVE_CORRECTION, sim->positions.shift));
        tact_sim_tell_islands(sim, TACT_SOLVE_CORRECTION, report);
        tact_sim_note_stuck(sim);
        TACT_TRY(tact_sim_pay_lifts(sim));
        double shift = bound_shift(sim);
        if (shift == 0) { // nothing can be moved: another round would ask the same
            return TACT_OK;
        }
        report->correction += shift;
        tact_dynamics_integrate(sim->model, sim->answer.q_end, sim->positions.shift, 1,
                                sim->answer.q_end);
        limit = tact_rows_worst_limit(sim->model, sim->answer.q_end);
        sunk = false; // once: depths are known to first order only
    }
    TACT_TRY(tact_dynamics_set_position(d, sim->answer.q_end));
    report->loop_error = tact_rows_loop_error(&sim->rows, d);
    return TACT_OK;
}
