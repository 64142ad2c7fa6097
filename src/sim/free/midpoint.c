// Velocity products at the middle of a step, and loops along its chord.
//
// With q+ = q moved by h v+, velocities stand in the middle between positions: v before q, v+ after
// it. What depends on velocity is taken at q with their mean, and loops are closed at q+:
//
//     (M + h D) (v+ - v) = h (tau - bias(q, (v + v+) / 2)) + J' p
//     g(q+) = g(q), by the target of J v+
//
// Forwards and backwards in time these are the same equations, so that energy does not drift; with
// bias(q, v) and J v+ = 0 whatever turns fast gains energy without end. Both are solved by
// repetition, which contracts with h times the angular speeds.
#include <float.h>
#include <math.h>
#include <string.h>

#include "base/larger.h"
#include "base/status.h"
#include "dynamics/links.h"
#include "sim/sim.h"

enum { MOST_ROUNDS = 30, MOST_PASSES = 20 };

void tact_sim_free_layout(TactSimFree *free, const TactModel *model, TactArena *arena)
{
    size_t nv = (size_t)model->nv;
    free->tau = tact_arena_take(arena, nv, sizeof(double));
    free->added = tact_arena_take(arena, nv, sizeof(double));
    free->v = tact_arena_take(arena, nv, sizeof(double));
    free->impulse = tact_arena_take(arena, nv, sizeof(double));
    free->gain = tact_arena_take(arena, nv, sizeof(double));
    free->gain_before = tact_arena_take(arena, nv, sizeof(double));
    free->gain_expected = tact_arena_take(arena, nv, sizeof(double));
    free->proposed = tact_arena_take(arena, nv, sizeof(double));
    free->proposed_impulse = tact_arena_take(arena, nv, sizeof(double));
    free->expected = tact_arena_take(arena, nv, sizeof(double));
    free->expected_impulse = tact_arena_take(arena, nv, sizeof(double));
    free->first.v = tact_arena_take(arena, nv, sizeof(double));
    free->first.impulse = tact_arena_take(arena, nv, sizeof(double));
    free->first.middle = tact_arena_take(arena, nv, sizeof(double));
    tact_sim_fluid_layout(&free->fluid, nv, arena);
    free->site_J = tact_arena_take(arena, 6 * nv, sizeof(double));
    free->drive_J = tact_arena_take(arena, nv, sizeof(double));
    free->carried = tact_arena_take(arena, nv, sizeof(double));
    free->act_next = tact_arena_take(arena, (size_t)model->act_count, sizeof(double));
    tact_sim_delays_layout(&free->delays, model, arena);
    free->muscles = tact_arena_take(arena, (size_t)model->actuator_count, sizeof *free->muscles);
    for (int j = 0; j < model->joint_count; j++) {
        free->carries = free->carries || model->joints[j].carries_gravity;
    }
}

static const double TOL = 1e-8;         // of the largest velocity
static const double PRESSED_TOL = 1e-6; // the same where contacts take and give energy
static const double FLOOR = 1e-13;      // m/s or rad/s
static const double SURE = 0.5;         // of both, for what is not looked at
static const double LOST = 1e-4;        // of the largest velocity: repetition did not settle
static const double WORSE = 4;          // times what it was at first: it goes nowhere
static const double SAFE = 8;           // times what a round left in an earlier step
static const double KNOCK = 0.02;       // rad or m that contacts change of a step
static const double KNOCK_TOL = 1e-5;   // of the largest velocity

static double largest(const double *x, int n)
{
    double most = 0;
    for (int i = 0; i < n; i++) {
        most = tact_larger(most, fabs(x[i]));
    }
    return most;
}

/// The free motion with velocity products at the mean of v and `end`: its velocity to correction,
/// its impulse to bias.
static TactStatus propose(TactSim *sim, const double *end)
{
    int           nv = sim->model->nv;
    const double *v = sim->state.v;
    double       *next = sim->free.proposed, *impulse = sim->free.proposed_impulse;
    for (int i = 0; i < nv; i++) {
        next[i] = 0.5 * (v[i] + end[i]);
    }
    TACT_TRY(tact_sim_propose_lift(sim, end));
    tact_sim_still_flyers(sim, next);
    TACT_TRY(tact_dynamics_set_velocity(sim->dynamics, next));
    tact_dynamics_compute_inverse(sim->dynamics, NULL, sim->free.external,
                                  sim->free.proposed_impulse);
    for (int i = 0; i < nv; i++) {
        next[i] = impulse[i] = sim->h * (sim->free.tau[i] - sim->free.proposed_impulse[i]);
    }
    for (int i = 0; i < nv && sim->free.fluid.lifts; i++) {
        next[i] = impulse[i] += sim->h * sim->free.fluid.proposed[i];
    }
    tact_dynamics_solve_mass(sim->dynamics, next);
    for (int i = 0; i < nv; i++) {
        next[i] += v[i];
    }
    return TACT_OK;
}

/// Dofs from first to end - 1.
typedef struct Dofs {
    int first, end;
} Dofs;

/// How far v_free is from what was proposed, at the most.
static double distance(const TactSim *sim, Dofs dofs)
{
    double change = 0;
    for (int i = dofs.first; i < dofs.end; i++) {
        double step = fabs(sim->free.proposed[i] - sim->free.v[i]);
        change = step <= change ? change : step; // NaN goes through
    }
    return change;
}

/// v_free goes to what was proposed by the share `relax`.
static void accept(TactSim *sim, Dofs dofs, const double *end, double relax)
{
    for (int i = dofs.first; i < dofs.end; i++) {
        sim->last.v_middle[i] = 0.5 * (sim->state.v[i] + end[i]);
        sim->free.impulse[i] = sim->free.proposed_impulse[i];
        sim->free.fluid.lift[i] = sim->free.fluid.proposed[i];
        sim->free.v[i] += relax * (sim->free.proposed[i] - sim->free.v[i]);
    }
}

/// A tree that turns by more than half a radian a step is not resolved, and would gain energy by
/// its own products without end: it keeps the kinetic energy that it has.
static void slow_down(TactSim *sim)
{
    double *before = sim->scratch.a, *after = sim->scratch.b; // M v, M v_free
    tact_dynamics_multiply_mass(sim->dynamics, sim->state.v, before);
    tact_dynamics_multiply_mass(sim->dynamics, sim->free.v, after);
    for (int t = 0; t < sim->islands.tree_count; t++) {
        double had = 0, has = 0, fastest = 0;
        for (int i = sim->islands.first_dof[t]; i < sim->islands.first_dof[t + 1]; i++) {
            had += sim->state.v[i] * before[i];
            has += sim->free.v[i] * after[i];
            fastest = tact_larger(fastest, fabs(sim->state.v[i]));
        }
        double share =
            has > had && fastest * sim->h > 0.5 && !sim->flight.flies[t] ? sqrt(had / has) : 1;
        for (int i = sim->islands.first_dof[t]; i < sim->islands.first_dof[t + 1]; i++) {
            sim->free.v[i] *= share;
        }
    }
}

/// Motion too fast for the step, as of what a very stiff spring lets go: repetition runs away, and
/// products stay those of the beginning.
static TactStatus give_up(TactSim *sim)
{
    TACT_TRY(propose(sim, sim->state.v));
    for (int i = 0; i < sim->model->nv; i++) {
        sim->free.v[i] = sim->free.proposed[i];
        sim->last.v_middle[i] = sim->state.v[i];
        sim->free.fluid.lift[i] = sim->free.fluid.proposed[i];
    }
    slow_down(sim);
    for (int i = 0; i < sim->model->nv; i++) {
        sim->free.proposed[i] = sim->free.v[i] - sim->state.v[i];
    }
    tact_dynamics_multiply_mass(sim->dynamics, sim->free.proposed, sim->free.impulse);
    return TACT_OK;
}

/// Where repetition begins: with what the last steps gained, in a line, or with products of the
/// beginning.
static TactStatus begin_rounds(TactSim *sim, bool again)
{
    if (!again) {
        for (int i = 0; i < sim->model->nv; i++) {
            sim->free.v[i] = sim->state.v[i] + (2 * sim->free.gain[i] - sim->free.gain_before[i]);
        }
        return TACT_OK;
    }
    TACT_TRY(propose(sim, sim->state.v));
    memcpy(sim->free.v, sim->free.proposed, (size_t)sim->model->nv * sizeof *sim->free.v);
    return TACT_OK;
}

/// What is left after a change: it shrinks by as much in every round, or by less. Of the first
/// round that is known from earlier steps: the map turns by h times the velocity.
static double find_left(TactSim *sim, int round, double change, double before)
{
    double size = largest(sim->free.v, sim->model->nv);
    if (round == 0) {
        double share = sim->free.has_gain ? SAFE * sim->free.shrink * size : 1;
        return share < 1 ? share * change : change;
    }
    if (round == 1) {
        sim->free.shrink = before * size > 0 ? change / (before * size) : INFINITY;
    }
    return change <= 0.5 * before ? change * (change / before) : change;
}

/// What was proposed for the velocity that the step is expected to end with: loops begin with it.
static void keep_expected(TactSim *sim)
{
    size_t bytes = (size_t)sim->model->nv * sizeof(double);
    memcpy(sim->free.expected, sim->free.proposed, bytes);
    memcpy(sim->free.expected_impulse, sim->free.proposed_impulse, bytes);
    memcpy(sim->free.fluid.expected, sim->free.fluid.proposed, bytes);
    sim->free.has_expected = true;
}

/// Repetition from v_free, which is the velocity expected, or not. false: it runs away.
static bool repeat(TactSim *sim, bool expected)
{
    int    nv = sim->model->nv;
    double relax = 1, before = INFINITY, change = 0, left = INFINITY;
    for (int round = 0; round < MOST_ROUNDS; round++) {
        if (propose(sim, sim->free.v) != TACT_OK) {
            return false;
        }
        if (expected && round == 0) {
            keep_expected(sim);
        }
        change = distance(sim, (Dofs){0, nv});
        if (!(change < 10 * before)) {
            return false;
        }
        if (sim->free.fluid.lifts) {
            relax = tact_sim_relax_lift(sim, round, relax);
        }
        accept(sim, (Dofs){0, nv}, sim->free.v, relax);
        left = find_left(sim, round, change, before);
        if (left <= FLOOR + TOL * largest(sim->free.v, nv)) {
            break;
        }
        // Products turn velocities: the map is i h w at the worst, and with a share of it, it
        // contracts up to larger h w.
        relax *= change > 0.9 * before && !sim->free.fluid.lifts ? 0.5 : 1;
        before = change;
    }
    if (!(left <= LOST * largest(sim->free.v, nv))) {
        return false;
    }
    if (sim->free.fluid.lifts) { // impulse and lift are those of the whole way
        memcpy(sim->free.v, sim->free.proposed, (size_t)nv * sizeof *sim->free.v);
    } else if (relax < 1) { // the impulse is that of the whole way
        for (int i = 0; i < nv; i++) {
            sim->free.proposed[i] = sim->free.v[i] - sim->state.v[i];
        }
        tact_dynamics_multiply_mass(sim->dynamics, sim->free.proposed, sim->free.impulse);
    }
    return true;
}

/// The velocities in the workspace stay as they are.
TactStatus tact_sim_centre_products(TactSim *sim)
{
    bool found = false;
    sim->free.has_expected = false;
    sim->free.shrink = sim->free.has_gain ? sim->free.shrink : INFINITY;
    tact_dynamics_swap_velocity(sim->dynamics);
    for (int again = sim->free.has_gain ? 0 : 1; again < 2 && !found; again++) {
        found = begin_rounds(sim, again == 1) == TACT_OK && repeat(sim, again == 0);
    }
    TactStatus status = found ? TACT_OK : give_up(sim);
    sim->free.ran_away = !found;
    tact_dynamics_swap_velocity(sim->dynamics);
    tact_sim_still_flyers(sim, sim->last.v_middle);
    for (int i = 0; i < sim->model->nv; i++) {
        double gain = sim->free.v[i] - sim->state.v[i];
        sim->free.gain_expected[i] =
            sim->free.has_gain ? 2 * sim->free.gain[i] - sim->free.gain_before[i] : 0;
        sim->free.gain_before[i] = sim->free.has_gain ? sim->free.gain[i] : gain;
        sim->free.gain[i] = gain;
    }
    sim->free.has_gain = found;
    return status;
}

/// Loops, couplings, limits of balls: rows that are to hold at the end of the step. With drift
/// correction they hold at its beginning.
static bool has_loops(const TactSim *sim, const TactSimIsland *island)
{
    for (int k = 0; k < island->row_count && !(sim->config.zeta >= 0); k++) {
        int r = sim->islands.rows[island->first_row + k];
        if (tact_rows_is_curved(&sim->rows, sim->model, r, sim->last.row_impulse)) {
            return true;
        }
    }
    return false;
}

bool tact_sim_tries_loops(const TactSim *sim, const TactSimIsland *island)
{
    return island->contact_count > 0 && !sim->free.plain &&
           sim->config.integrator == TACT_INTEGRATOR_EULER && has_loops(sim, island);
}

static Dofs tree_dofs(const TactSim *sim, const TactSimIsland *island, int k)
{
    int tree = sim->islands.trees[island->first_tree + k];
    return (Dofs){sim->islands.first_dof[tree], sim->islands.first_dof[tree + 1]};
}

/// Contacts changed the velocity of a mechanism by so much that its products are others.
static bool is_knocked(const TactSim *sim, const TactSimIsland *island)
{
    double change = 0;
    for (int k = 0; k < island->tree_count; k++) {
        Dofs dofs = tree_dofs(sim, island, k);
        for (int i = dofs.first; i < dofs.end && dofs.end - dofs.first > 1; i++) {
            change = tact_larger(change, fabs(sim->answer.v[i] - sim->free.v[i]));
        }
    }
    return change * sim->h > KNOCK && !tact_sim_island_is_free(sim, island);
}

/// Which islands are solved again; false: none. Whether there are loops in them is written to
/// loops.
static bool choose_islands(TactSim *sim, bool *loops)
{
    bool any = false;
    *loops = false;
    for (int i = 0; i < sim->islands.count; i++) {
        TactSimIsland *island = &sim->islands.islands[i];
        bool           closed = !island->keep && has_loops(sim, island);
        island->again = closed || (!island->keep && is_knocked(sim, island));
        any = any || island->again;
        *loops = *loops || closed;
    }
    return any;
}

static bool has_again(const TactSim *sim)
{
    bool any = false;
    for (int i = 0; i < sim->islands.count; i++) {
        any = any || sim->islands.islands[i].again;
    }
    return any;
}

/// How far what was proposed is from v_free in an island.
static double loop_distance(const TactSim *sim, const TactSimIsland *island)
{
    double change = 0;
    for (int k = 0; k < island->tree_count; k++) {
        change = tact_larger(change, distance(sim, tree_dofs(sim, island, k)));
    }
    return change;
}

/// By how much targets of an island are others than those that it was solved with, at the most.
static double loop_bend(const TactSim *sim, const TactSimIsland *island)
{
    double bend = 0;
    for (int k = 0; k < island->row_count; k++) {
        int r = sim->islands.rows[island->first_row + k];
        bend = tact_larger(bend, fabs(sim->rows.rows[r].target - sim->last.row_target[r]));
    }
    return bend;
}

static void copy_dofs(Dofs dofs, const double *from, double *to)
{
    memcpy(to + dofs.first, from + dofs.first, (size_t)(dofs.end - dofs.first) * sizeof *to);
}

static void keep_or_take(Dofs dofs, double *x, double *kept, bool back)
{
    copy_dofs(dofs, back ? kept : x, back ? x : kept);
}

/// Keeps the free motion that these islands were solved with at first, or takes it back.
static void keep_first(TactSim *sim, bool back)
{
    for (int i = 0; i < sim->islands.count; i++) {
        const TactSimIsland *island = &sim->islands.islands[i];
        for (int k = 0; k < island->tree_count && island->again; k++) {
            Dofs dofs = tree_dofs(sim, island, k);
            keep_or_take(dofs, sim->free.v, sim->free.first.v, back);
            keep_or_take(dofs, sim->free.impulse, sim->free.first.impulse, back);
            keep_or_take(dofs, sim->last.v_middle, sim->free.first.middle, back);
            keep_or_take(dofs, sim->free.fluid.lift, sim->free.fluid.first, back);
        }
    }
}

/// Takes over the motion that was proposed for the velocity `end`.
static void accept_again(TactSim *sim, const double *end)
{
    for (int i = 0; i < sim->islands.count; i++) {
        const TactSimIsland *island = &sim->islands.islands[i];
        for (int k = 0; k < island->tree_count && island->again; k++) {
            accept(sim, tree_dofs(sim, island, k), end, 1);
        }
    }
    tact_sim_still_flyers(sim, sim->last.v_middle);
}

static TactStatus solve_again(TactSim *sim)
{
    for (int i = 0; i < sim->islands.count; i++) {
        if (sim->islands.islands[i].again) {
            TACT_TRY(tact_sim_solve_island(sim, &sim->solve.arrays, i, TACT_SOLVE_MOTION,
                                           sim->answer.v));
        }
    }
    return TACT_OK;
}

/// The targets that islands are to be solved with: kept.
static void keep_targets(TactSim *sim)
{
    for (int i = 0; i < sim->islands.count; i++) {
        const TactSimIsland *island = &sim->islands.islands[i];
        for (int k = 0; k < island->row_count && island->again; k++) {
            int r = sim->islands.rows[island->first_row + k];
            sim->last.row_target[r] = sim->rows.rows[r].target;
        }
    }
}

/// The targets that an island was solved with, taken back.
static void take_targets_back(TactSim *sim, const TactSimIsland *island)
{
    for (int k = 0; k < island->row_count; k++) {
        int r = sim->islands.rows[island->first_row + k];
        sim->rows.rows[r].target = sim->last.row_target[r];
    }
}

/// As it was at first: where nothing better is to be had.
static TactStatus solve_plainly(TactSim *sim)
{
    for (int i = 0; i < sim->islands.count; i++) {
        const TactSimIsland *island = &sim->islands.islands[i];
        for (int k = 0; k < island->row_count && island->again; k++) {
            int r = sim->islands.rows[island->first_row + k];
            if (sim->rows.sources[r].type == TACT_OBJECT_EQUALITY ||
                sim->rows.rows[r].kind == TACT_ROW_UNILATERAL) {
                sim->rows.rows[r].target = 0;
            }
        }
    }
    keep_targets(sim);
    keep_first(sim, true);
    sim->free.plain = true;
    TactStatus status = solve_again(sim);
    sim->free.plain = false;
    return status;
}

/// Asked to be closed at the end of the step, loops and limits may contradict contacts; at its
/// beginning, rest is always allowed.
static bool is_certified(const TactSim *sim)
{
    bool all = true;
    for (int i = 0; i < sim->islands.count; i++) {
        const TactSimIsland *island = &sim->islands.islands[i];
        all = all && (!island->again || island->solved.certified);
    }
    return all;
}

/// Adds to the targets of loops what they lack at the end of a step with the velocity `end`.
static TactStatus bend_loops(TactSim *sim, const double *end, double *bend)
{
    TactDynamics *d = sim->dynamics;
    tact_dynamics_integrate(sim->model, sim->state.q, end, sim->h, sim->answer.q_end);
    TACT_TRY(tact_dynamics_set_poses(d, sim->answer.q_end));
    *bend = tact_rows_bend(&sim->rows, d, sim->last.row_impulse, sim->h);
    return tact_dynamics_set_position(d, sim->state.q);
}

static double row_speed(const TactSim *sim, const TactContactRow *row, const double *v)
{
    double speed = 0;
    for (int i = 0; i < sim->model->nv; i++) {
        speed += row->J[i] * v[i];
    }
    return speed;
}

// How far beyond a curved limit the free motion of what is at rest there may go, m or rad: the last
// digits of a velocity that is expected would be energy.
static const double AT_REST = 1e-12;

/// Curved limits that the free motion goes beyond will press. Until they are solved, their impulse
/// is one that says so. false: there are none.
static bool expect_presses(TactSim *sim, const TactSimIsland *island)
{
    bool any = false;
    for (int k = 0; k < island->row_count; k++) {
        int                   r = sim->islands.rows[island->first_row + k];
        const TactContactRow *row = &sim->rows.rows[r];
        double               *impulse = sim->last.row_impulse;
        impulse[r] = DBL_MIN;
        double speed = row->kind == TACT_ROW_UNILATERAL &&
                               tact_rows_is_curved(&sim->rows, sim->model, r, impulse)
                           ? row_speed(sim, row, sim->free.v)
                           : 0;
        impulse[r] = speed < 0 && row->error + sim->h * speed < -AT_REST ? DBL_MIN : 0;
        any = any || impulse[r] > 0;
    }
    return any;
}

/// The targets of loops that a velocity meets: J v. A limit may be approached as far as it is away
/// besides.
static void aim_at(TactSim *sim, const double *v)
{
    for (int r = 0; r < sim->rows.count; r++) {
        TactContactRow *row = &sim->rows.rows[r];
        if (tact_rows_is_curved(&sim->rows, sim->model, r, sim->last.row_impulse)) {
            bool away = row->kind == TACT_ROW_UNILATERAL && row->error > 0;
            row->target = row_speed(sim, row, v) + (away ? row->error / sim->h : 0);
        }
    }
}

/// The velocity that a step is expected to end with: its change is in a line with those of the last
/// two, as far as they are known.
static const double *expect_end(TactSim *sim)
{
    double *end = sim->scratch.a;
    for (int i = 0; i < sim->model->nv; i++) {
        end[i] = sim->state.v[i] + sim->free.gain_expected[i];
    }
    return end;
}

void tact_sim_keep_loop_gain(TactSim *sim)
{
    for (int k = 0; k < sim->islands.count; k++) {
        const TactSimIsland *island = &sim->islands.islands[k];
        bool                 loops = has_loops(sim, island);
        for (int t = 0; t < island->tree_count && loops; t++) {
            Dofs dofs = tree_dofs(sim, island, t);
            for (int i = dofs.first; i < dofs.end; i++) {
                sim->free.gain[i] = sim->answer.v[i] - sim->last.v[i];
            }
        }
    }
}

/// As propose(), for the velocity that is expected: that has been done (tact_sim_centre_products())
/// where two steps before are known.
static TactStatus propose_expected(TactSim *sim, const double *end)
{
    size_t bytes = (size_t)sim->model->nv * sizeof(double);
    if (!sim->free.has_expected) {
        return propose(sim, end);
    }
    memcpy(sim->free.proposed, sim->free.expected, bytes);
    memcpy(sim->free.proposed_impulse, sim->free.expected_impulse, bytes);
    memcpy(sim->free.fluid.proposed, sim->free.fluid.expected, bytes);
    return TACT_OK;
}

/// Targets of loops from the velocity that is there: one that is expected would carry what
/// redundant rows miss on from step to step. Those of limits, if any press, from the one expected.
static TactStatus predict_targets(TactSim *sim, bool presses, const double *end)
{
    double bend = 0;
    for (int again = presses ? 0 : 1; again < 2; again++) {
        const double *v = again ? sim->state.v : end;
        aim_at(sim, v);
        TACT_TRY(bend_loops(sim, v, &bend));
        for (int r = 0; r < sim->rows.count && presses; r++) {
            if (sim->rows.rows[r].kind == TACT_ROW_UNILATERAL && again) {
                sim->rows.rows[r].target = sim->last.row_target[r];
            }
            sim->last.row_target[r] = sim->rows.rows[r].target;
        }
    }
    return TACT_OK;
}

TactStatus tact_sim_predict_loops(TactSim *sim)
{
    bool loops = false, presses = false;
    for (int i = 0; i < sim->islands.count; i++) {
        TactSimIsland *island = &sim->islands.islands[i];
        presses = expect_presses(sim, island) || presses;
        island->again = has_loops(sim, island);
        loops = loops || island->again;
    }
    if (!loops) {
        return TACT_OK;
    }
    const double *end = expect_end(sim);
    TACT_TRY(predict_targets(sim, presses, end));
    TACT_TRY(propose_expected(sim, end));
    accept_again(sim, end);
    keep_targets(sim);
    memcpy(sim->answer.v, sim->free.v, (size_t)sim->model->nv * sizeof *sim->answer.v);
    tact_dynamics_integrate(sim->model, sim->state.q, sim->free.v, sim->h, sim->answer.q_end);
    return TACT_OK;
}

/// To what part of the velocity its products are found.
static double products_tol(const TactSim *sim, bool loops)
{
    double tol = loops ? PRESSED_TOL : KNOCK_TOL;
    for (int i = 0; i < sim->islands.count && loops; i++) {
        const TactSimIsland *island = &sim->islands.islands[i];
        tol = island->again && island->contact_count == 0 ? TOL : tol;
    }
    return tol;
}

/// Is what loops lack below the rounding of the velocity, or what is left alone in positions?
static bool is_closed(const TactSim *sim, double bend, double size)
{
    return bend <= tact_larger(FLOOR + TOL * size, sim->config.loop_tol / sim->h);
}

/// What was proposed, and bent, and is not yet in the answer, of islands of which that is too much.
/// The others stay as they were solved. 0: all do.
static double find_change(TactSim *sim, bool loops)
{
    double size = largest(sim->answer.v, sim->model->nv), change = 0;
    double tol = FLOOR + products_tol(sim, loops) * size;
    for (int i = 0; i < sim->islands.count; i++) {
        TactSimIsland *island = &sim->islands.islands[i];
        double         products = island->again ? loop_distance(sim, island) : 0;
        double         bend = island->again && loops ? loop_bend(sim, island) : 0;
        island->again = island->again && !(products <= tol && is_closed(sim, bend, size));
        change = island->again ? tact_larger(change, tact_larger(products, bend)) : change;
        if (!island->again) {
            take_targets_back(sim, island);
        }
    }
    return change;
}

/// Each round makes the change less by the same part: is what the next one would find too little
/// for another solve? Then it need not be looked for.
static bool settles(const TactSim *sim, double change, double before)
{
    double size = largest(sim->answer.v, sim->model->nv);
    return change < before && change * (change / before) <= SURE * (FLOOR + TOL * size);
}

TactStatus tact_sim_centre_loops(TactSim *sim)
{
    double first = INFINITY, change = INFINITY;
    bool   loops = false;
    if (!choose_islands(sim, &loops)) {
        return TACT_OK;
    }
    keep_first(sim, false);
    if (loops && !is_certified(sim)) {
        return solve_plainly(sim);
    }
    for (int pass = 0; pass < MOST_PASSES; pass++) {
        double bend = 0, before = change;
        if (loops) {
            TACT_TRY(bend_loops(sim, sim->answer.v, &bend));
        }
        TACT_TRY(propose(sim, sim->answer.v));
        change = find_change(sim, loops);
        if (!has_again(sim)) {
            return TACT_OK;
        }
        first = pass == 0 ? change : first;
        if (!(change <= WORSE * first)) {
            break;
        }
        accept_again(sim, sim->answer.v);
        keep_targets(sim);
        TACT_TRY(solve_again(sim));
        if (!is_certified(sim)) {
            return solve_plainly(sim);
        }
        if (pass > 0 && settles(sim, change, before)) {
            return TACT_OK;
        }
    }
    // Loops that contacts or limits do not let close would be chased without end.
    return change <= 0.5 * first ? TACT_OK : solve_plainly(sim);
}
