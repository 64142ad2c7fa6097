// Steady states: docs/theory/newton-turning.md.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/larger.h"
#include "contact/pivot/kernel_internal.h"
#include "contact/pivot/kernel_loops.h"
#include "contact/pivot/turning.h"
#include "contact/pivot_rules.h"
#include "linalg/bordered.h"

/// What the last answer's basis says of an item.
typedef struct TactSteadyState {
    bool pushes, slides; // theta, lambda
    bool turned;         // against its slip: along its turn, direction 0
    int  directions;     // phi: how many, and which
    int  first, second;
    int  found; // first, as memory has it
} TactSteadyState;

/// Of an unknown x: the impulse of its item is scale along x, and its row is
/// scale along'u + extra x = 0. The normal of a contact that slides, or that has a moment which
/// does, pushes those as well: scale skew x, t1 and t2 of each (TactSteady).
typedef struct TactSteadyUnknown {
    int    item;     // -1: a pad, which is 0
    double along[3]; // n, t1, t2
    double extra;    // 1 / damping of a damper across the slip
} TactSteadyUnknown;

typedef struct Steady {
    TactKernel        *room;
    const TactSystem  *system;
    TactSteady        *arrays;
    TactSteadyUnknown *unknowns;
    int                even;  // unknowns without skew, and pads
    int                count; // all of them
    size_t             ld;    // of rows of degrees of freedom
} Steady;

// Systems with the same factor: the first, and one that refines it where that may do. Where
// something slides, a residual above this is one of its direction.
enum { MOST_ROUNDS = 2 };
static const double NEAR_OF_SLIDING = 1e-10;

// Times that friction turns, and how much of the residual each may leave.
enum { MOST_TURNS = 4 };
static const double LEAVES = 0.3;

// Ties where there are motors, whose offsets may say nothing of the size of the others.
static const double TIE_OF_MOTORS = 1e-3 * TACT_TURNING_TIE;

void tact_steady_layout(TactSteady *steady, const TactContactCapacity *capacity, TactArena *arena)
{
    size_t     items = (size_t)capacity->contacts + (size_t)capacity->rows;
    TactSteady sized = {0};
    sized.states = tact_arena_take(arena, items, sizeof *sized.states);
    sized.unknowns = tact_arena_take(arena, 3 * items + 4, sizeof *sized.unknowns);
    sized.turn = tact_arena_take(arena, items, sizeof *sized.turn);
    sized.damping = tact_arena_take(arena, items, sizeof *sized.damping);
    sized.skew = tact_arena_take(arena, 2 * items, sizeof *sized.skew);
    if (arena->block) {
        *steady = sized;
    }
}

// ---------------------------------------------------------------------------------------------
// States and unknowns

static void read_states(const TactContactMemory *memory, TactSteadyState *states)
{
    for (int i = 0; i < memory->count; i++) {
        states[i] = (TactSteadyState){0};
    }
    for (int k = 0; k < memory->basis_count; k++) {
        TactVar          unknown = memory->basis[k];
        TactSteadyState *state = &states[tact_var_item(unknown)];
        switch (tact_var_kind(unknown)) {
        case TACT_VAR_THETA: state->pushes = true; break;
        case TACT_VAR_LAMBDA: state->slides = true; break;
        default:
            state->second = state->directions > 0 ? tact_var_direction(unknown) : state->second;
            state->first = state->directions > 0 ? state->first : tact_var_direction(unknown);
            state->found = state->first;
            state->directions++;
            break;
        }
    }
}

/// The items that are bounded by the load of item i are i + 1 .. i + this.
static int moments_of(const TactSystem *system, int i)
{
    return system->items[i].kind == TACT_ITEM_CONTACT ? system->items[i].moments : 0;
}

/// Has item i a state that this file knows the unknowns of? An open contact may have friction of
/// 0, which slides.
static bool is_known(const TactSystem *system, const TactSteadyState *states, int i)
{
    const TactItem        *item = &system->items[i];
    const TactSteadyState *state = &states[i];
    bool                   none = state->directions == 0 && !state->slides;
    if (item->compliance > 0 || state->directions > 2) {
        return false;
    }
    if (item->kind == TACT_ITEM_MOTOR) {
        return none || state->directions == 1;
    }
    bool pushes = states[item->kind == TACT_ITEM_MOMENT ? item->owner : i].pushes;
    if (!pushes || state->directions == 0) {
        return none || (!pushes && state->slides && state->directions == 1);
    }
    bool parallel = 2 * abs(state->first - state->second) == item->directions;
    return state->directions == 1 || !parallel;
}

/// Does friction of a contact that pushes slide, or one of its moments?
static bool is_skew(const TactSystem *system, const TactSteadyState *states, int i)
{
    bool skew = states[i].slides;
    for (int m = 1; m <= moments_of(system, i); m++) {
        skew = skew || states[i + m].slides;
    }
    return skew;
}

static TactSteadyUnknown *add_unknown(Steady *steady, int item)
{
    TactSteadyUnknown *unknown = &steady->unknowns[steady->count++];
    *unknown = (TactSteadyUnknown){.item = item};
    return unknown;
}

static void add_component(Steady *steady, int item, int component)
{
    add_unknown(steady, item)->along[component] = 1;
}

/// Direction j of the pyramid of an item; of spinning, to and fro.
static void put_direction(const Steady *steady, int i, int j, double out[2])
{
    int    d = steady->system->items[i].directions;
    double angle = steady->arrays->turn[i] + 6.283185307179586 * j / d;
    if (d == 2) {
        out[0] = j == 0 ? 1 : -1;
        out[1] = 0;
        return;
    }
    out[0] = cos(angle);
    out[1] = sin(angle);
}

/// Friction along a vector.
static TactSteadyUnknown *add_tangent(Steady *steady, int i, double x, double y)
{
    TactSteadyUnknown *unknown = add_unknown(steady, i);
    unknown->along[1] = x;
    unknown->along[2] = y;
    return unknown;
}

/// Unknowns of friction, with R = A: where it sticks its tangents, where it slides what leads from
/// one of its two directions to the other, and a damper.
static void add_tangents(Steady *steady, int i)
{
    const TactSteadyState *state = &steady->arrays->states[i];
    double                 d[2], next[2];
    if (state->directions == 0) {
        return;
    }
    if (!state->slides && state->directions == 2) {
        add_component(steady, i, 1);
        add_component(steady, i, 2);
        return;
    }
    put_direction(steady, i, state->first, d);
    if (!state->slides) {
        add_tangent(steady, i, d[0], d[1]);
        return;
    }
    if (state->directions == 2) {
        put_direction(steady, i, state->second, next);
        add_tangent(steady, i, next[0] - d[0], next[1] - d[1]);
    }
    if (steady->arrays->damping[i] > 0) { // across direction 0
        put_direction(steady, i, 0, d);
        add_tangent(steady, i, -d[1], d[0])->extra = 1 / steady->arrays->damping[i];
    }
}

/// The normal of a contact that slides, with its friction, or with that of its moments.
static void add_skew(Steady *steady, int i)
{
    double *skew = steady->arrays->skew;
    add_component(steady, i, 0);
    for (int k = i; k <= i + moments_of(steady->system, i); k++) {
        const TactSteadyState *state = &steady->arrays->states[k];
        double                 mu = state->slides ? steady->system->items[k].mu : 0;
        put_direction(steady, k, state->first, skew + 2 * k);
        skew[2 * k] *= mu;
        skew[2 * k + 1] *= mu;
    }
}

/// Unknowns of item i with R = A, and what is known of it: a motor at its bound.
static void add_even(Steady *steady, int i, double *p, bool *pushed)
{
    const TactItem        *item = &steady->system->items[i];
    const TactSteadyState *states = steady->arrays->states, *state = &states[i];
    switch (item->kind) {
    case TACT_ITEM_MOTOR:
        if (state->slides) {
            p[3 * i + 1] = state->first == 0 ? item->bound : -item->bound;
            *pushed = *pushed || item->bound > 0;
        } else if (state->directions == 1) {
            add_component(steady, i, 1);
        }
        break;
    case TACT_ITEM_MOMENT:
        if (states[item->owner].pushes) {
            add_tangents(steady, i);
        }
        break;
    default:
        if (state->pushes && !is_skew(steady->system, states, i)) {
            add_component(steady, i, 0);
        }
        if (state->pushes) {
            add_tangents(steady, i);
        }
        break;
    }
}

/// Lists the unknowns, and writes what is known: motors at their bounds. false: there is a state
/// that is not known here, or no room.
static bool list_unknowns(Steady *steady, double *p, bool *pushed)
{
    const TactSystem      *system = steady->system;
    const TactSteadyState *states = steady->arrays->states;
    int                    skew = 0;
    steady->count = 0;
    *pushed = false;
    memset(p, 0, 3 * (size_t)system->item_count * sizeof *p);
    for (int i = 0; i < system->item_count; i++) {
        if (!is_known(system, states, i)) {
            return false;
        }
        skew += states[i].pushes && is_skew(system, states, i);
        add_even(steady, i, p, pushed);
    }
    while (skew > 0 && steady->count % 4 != 0) {
        add_unknown(steady, -1);
    }
    steady->even = steady->count;
    for (int i = 0; i < system->item_count && skew > 0; i++) {
        if (states[i].pushes && is_skew(system, states, i)) {
            add_skew(steady, i);
        }
    }
    return steady->count <= steady->room->basis.max_k;
}

// ---------------------------------------------------------------------------------------------
// The matrix: rows of R over all degrees of freedom, and columns of A beside each other

/// s (a n + b t1 + c t2) over a run, of which only a is 1, or only b and c count.
TACT_LOOP void put_run(const double *const columns[3], int size, double scale,
                       const double along[3], double *row)
{
    int component = along[0] != 0 ? 0 : along[2] == 0 ? 1 : along[1] == 0 ? 2 : -1;
    int s = 0;
    if (component >= 0) {
        double        by = scale * along[component];
        const double *own = columns[component];
        for (; s + 4 <= size; s += 4) {
            TACT_LANES_PUT(row + s) = by * TACT_LANES_AT(own + s);
        }
        for (; s < size; s++) {
            row[s] = by * own[s];
        }
        return;
    }
    double a = scale * along[1], b = scale * along[2];
    for (; s + 4 <= size; s += 4) {
        TACT_LANES_PUT(row + s) =
            a * TACT_LANES_AT(columns[1] + s) + b * TACT_LANES_AT(columns[2] + s);
    }
    for (; s < size; s++) {
        row[s] = a * columns[1][s] + b * columns[2][s];
    }
}

TACT_LOOP TactLoopRuns runs_of(const Steady *steady, int group)
{
    const TactKernelSpace *space = &steady->room->space;
    int                    run = space->group_runs[group];
    return (TactLoopRuns){space->group_runs[group + 1] - run, space->run_first + run,
                          space->run_end + run};
}

/// Row k of R.
TACT_LOOP void put_row(const Steady *steady, int k, double *row)
{
    const TactSystem        *system = steady->system;
    const TactSteadyUnknown *unknown = &steady->unknowns[k];
    for (size_t j = 0; j < steady->ld; j += 4) {
        TACT_LANES_PUT(row + j) = TACT_LANES_ALL(0.0);
    }
    if (unknown->item < 0) {
        return;
    }
    const TactItem    *item = &system->items[unknown->item];
    size_t             size = (size_t)system->groups[item->group].size;
    const double      *n = system->columns + system->column[unknown->item];
    const double      *columns[3] = {n, n + size, n + 2 * size};
    const TactLoopRuns runs = runs_of(steady, item->group);
    for (int r = 0; r < runs.count; r++) {
        int length = runs.end[r] - runs.first[r];
        put_run(columns, length, item->scale, unknown->along, row + runs.first[r]);
        for (int c = 0; c < 3; c++) {
            columns[c] += length;
        }
    }
}

/// What A has besides R, to its column: friction of a contact and of its moments that slides.
TACT_LOOP void add_friction(const Steady *steady, const TactSteadyUnknown *unknown, double *star)
{
    const TactSystem *system = steady->system;
    int               i = unknown->item;
    for (int k = i; k <= i + moments_of(system, i); k++) {
        if (!steady->arrays->states[k].slides) {
            continue;
        }
        const TactItemGroup *group = &system->groups[system->items[k].group];
        const int           *support = system->support + group->support;
        const double        *skew = steady->arrays->skew + 2 * k;
        const double        *t1 = system->columns + system->column[k] + group->size;
        const double        *t2 = t1 + group->size;
        double               a = system->items[i].scale * skew[0];
        double               b = system->items[i].scale * skew[1];
        for (int s = 0; s < group->size; s++) {
            star[(size_t)support[s] * steady->room->basis.ld] += a * t1[s] + b * t2[s];
        }
    }
}

/// Row r of R'A, and the next one if it touches the same degrees of freedom. Returns how many.
TACT_LOOP int put_products(const Steady *steady, int r)
{
    TactKernel              *room = steady->room;
    const TactSteadyUnknown *unknown = &steady->unknowns[r];
    int                      group = steady->system->items[unknown->item].group;
    int                      first = r < steady->even ? r / 4 * 4 : 0, n = steady->count - first;
    size_t                   ld = room->basis.ld;
    double                  *row = room->factor.block + (size_t)r * ld + first;
    const double            *stars = room->motions.row_motion + first;
    const double            *own = room->motions.col_rows + (size_t)r * steady->ld;
    TactLoopRuns             runs = runs_of(steady, group);
    bool                     near = r >= steady->even || (r % 4 != 3 && r + 1 < steady->even);
    if (near && r + 1 < steady->count && unknown[1].item >= 0 &&
        steady->system->items[unknown[1].item].group == group) {
        const double *const factors[2] = {own, own + steady->ld};
        double *const       rows[2] = {row, row + ld};
        tact_loop_combine_runs2(n, stars, ld, &runs, factors, rows);
        return 2;
    }
    tact_loop_combine_runs(n, stars, ld, &runs, own, row);
    return 1;
}

/// R'A with what is added to its diagonal. Returns the largest entry there.
TACT_CLONES static double put_system(const Steady *steady)
{
    TactKernel *room = steady->room;
    size_t      ld = room->basis.ld;
    double     *rows = room->motions.col_rows, *star = room->motions.row_motion, largest = 0;
    int         whole = (steady->count + 3) / 4 * 4;
    memset(room->scratch.motion, 0, steady->ld * sizeof(double)); // of what fills the last vector
    for (int k = 0; k < whole; k += 4) {
        const double *four[4];
        for (int i = 0; i < 4; i++) {
            double *row = rows + (size_t)(k + i) * steady->ld;
            four[i] = k + i < steady->count ? row : room->scratch.motion;
            if (k + i < steady->count) {
                put_row(steady, k + i, row);
            }
        }
        tact_loop_transpose(four, steady->system->dof, ld, star + k);
    }
    for (int k = steady->even; k < steady->count; k++) {
        add_friction(steady, &steady->unknowns[k], star + k);
    }
    for (int r = 0; r < steady->count;) {
        double *diagonal = room->factor.block + (size_t)r * ld + r;
        if (steady->unknowns[r].item < 0) {
            memset(diagonal - r % 4, 0, (size_t)(whole - r / 4 * 4) * sizeof *diagonal);
            *diagonal = 1;
            r++;
            continue;
        }
        for (int end = r + put_products(steady, r); r < end; r++, diagonal += ld + 1) {
            *diagonal += steady->unknowns[r].extra;
            largest = fabs(*diagonal) > largest ? fabs(*diagonal) : largest;
        }
    }
    return largest;
}

/// false: unknowns depend on each other.
static bool factor_system(const Steady *steady)
{
    TactKernelFactor *factor = &steady->room->factor;
    double            smallest = TACT_PIVOT_SINGULAR_PRINCIPAL * put_system(steady);
    return tact_bordered_factor(steady->even, steady->count, factor->block,
                                (int)steady->room->basis.ld, factor->permutation, smallest,
                                factor->dependent, &factor->dependent_count) < 0;
}

// ---------------------------------------------------------------------------------------------
// The answer

/// Rows of velocities u and values x, that are to be 0.
static void put_rest(const Steady *steady, const double *u, const double *x, double *rest)
{
    for (int k = 0; k < steady->count; k++) {
        const TactSteadyUnknown *unknown = &steady->unknowns[k];
        const double            *own = u + 3 * (unknown->item < 0 ? 0 : unknown->item);
        double scale = unknown->item < 0 ? 0 : steady->system->items[unknown->item].scale;
        rest[k] = scale * (unknown->along[0] * own[0] + unknown->along[1] * own[1] +
                           unknown->along[2] * own[2]) +
                  unknown->extra * x[k];
    }
}

/// x -= dx, and the impulses of dx taken off p.
static void take_step(const Steady *steady, const double *dx, double *x, double *p)
{
    for (int k = 0; k < steady->count; k++) {
        const TactSteadyUnknown *unknown = &steady->unknowns[k];
        if (unknown->item >= 0) {
            double *own = p + 3 * unknown->item;
            double  size = steady->system->items[unknown->item].scale * dx[k];
            x[k] -= dx[k];
            own[0] -= size * unknown->along[0];
            own[1] -= size * unknown->along[1];
            own[2] -= size * unknown->along[2];
            for (int m = 0; k >= steady->even && m <= moments_of(steady->system, unknown->item);
                 m++, own += 3) {
                const double *skew = steady->arrays->skew + 2 * (unknown->item + m);
                own[1] -= size * skew[0];
                own[2] -= size * skew[1];
            }
        }
    }
}

/// The system of the states, its answer and the residual of that; infinite: there is none.
static double solve_states(Steady *steady, double tol, const TactCircleScratch *scratch, double *p)
{
    TactKernel       *room = steady->room;
    const TactSystem *system = steady->system;
    double           *x = room->basis.z, *dx = room->basis.dz;
    bool              pushed;
    steady->arrays->systems++;
    if (!list_unknowns(steady, p, &pushed) || steady->count == 0 || !factor_system(steady)) {
        return HUGE_VAL;
    }
    memset(x, 0, (size_t)steady->count * sizeof *x);
    if (pushed) {
        tact_system_move(system, p, scratch->y, scratch->u);
    }
    double near = steady->even < steady->count ? NEAR_OF_SLIDING : TACT_STEADY_NEAR;
    double residual = near;
    for (int round = 0; round < MOST_ROUNDS && residual > tol && residual <= near; round++) {
        put_rest(steady, round > 0 || pushed ? scratch->u : system->b, x, dx);
        tact_bordered_solve(steady->even, steady->count, room->factor.block, (int)room->basis.ld,
                            room->factor.permutation, dx, room->scratch.change);
        take_step(steady, dx, x, p);
        residual = tact_circle_residual_within(system, p, tol, scratch);
    }
    return residual;
}

// ---------------------------------------------------------------------------------------------
// Which states stay: the rules of states.c

typedef struct Judge {
    const double *u, *p;
    double        unit;     // largest offset, scaled
    double        tie;      // in units of it
    double        rounding; // slip that has no direction, in units of it
} Judge;

static Judge begin_judge(const Steady *steady, const double *u, const double *p)
{
    const TactSystem *system = steady->system;
    Judge             judge = {.u = u, .p = p, .tie = TACT_TURNING_TIE};
    for (int i = 0; i < system->item_count; i++) {
        const TactItem *item = &system->items[i];
        for (int c = 0; c < 3; c++) {
            judge.unit = tact_larger(judge.unit, fabs(item->scale * system->b[3 * i + c]));
        }
        judge.tie = item->kind == TACT_ITEM_MOTOR ? TIE_OF_MOTORS : judge.tie;
        double of = item->kind == TACT_ITEM_MOMENT ? system->items[item->owner].scale : item->scale;
        steady->room->items.mu[i] = item->mu * of / item->scale;
    }
    judge.unit = judge.unit > 0 ? judge.unit : 1;
    for (int k = 0; k < steady->count; k++) {
        judge.rounding = tact_larger(judge.rounding, fabs(steady->room->basis.z[k]));
    }
    judge.rounding *= TACT_TURNING_ROUNDS / judge.unit;
    steady->room->system = system; // what tact_turning_judge() reads of a kernel
    steady->room->items.q_scale = judge.unit;
    return judge;
}

/// To and fro: a motor, or spinning.
static bool line_stays(const Steady *steady, const Judge *judge, int i)
{
    const TactItem        *item = &steady->system->items[i];
    const TactSteadyState *state = &steady->arrays->states[i];
    double                 unit = judge->unit * item->scale;
    double                 most = item->kind == TACT_ITEM_MOTOR
                                      ? item->bound
                                      : item->mu * tact_larger(judge->p[3 * item->owner], 0);
    double                 force = judge->p[3 * i + 1] / unit, bound = most / unit;
    double                 speed = judge->u[3 * i + 1] * item->scale / judge->unit;
    if (state->slides) {
        return speed * force <= 0 || fabs(speed) <= judge->tie;
    }
    return state->directions > 0 ? fabs(force) <= bound + judge->tie : fabs(speed) <= judge->tie;
}

/// Slip along the friction that is against it, in units of the largest offset.
static double slip_along(const Steady *steady, const Judge *judge, int i)
{
    const TactSteadyState *state = &steady->arrays->states[i];
    double                 d[2];
    put_direction(steady, i, state->first, d);
    return -steady->system->items[i].scale / judge->unit *
           (d[0] * judge->u[3 * i + 1] + d[1] * judge->u[3 * i + 2]);
}

/// Friction of a contact that pushes. One that slides turns against its slip.
static bool friction_stays(const Steady *steady, const Judge *judge, int i)
{
    TactSteadyState *state = &steady->arrays->states[i];
    double           along = state->slides ? slip_along(steady, judge, i) : 0;
    TactTurningSlip  slip =
        tact_turning_judge(steady->room, i, judge->rounding,
                           along > 0 ? HUGE_VAL : TACT_TURNING_SLOW, judge->u, judge->p);
    if (!state->slides) {
        double over = sqrt(slip.q[0] * slip.q[0] + slip.q[1] * slip.q[1]) - slip.radius;
        bool   holds = slip.inside || (!slip.slips && over <= judge->tie * judge->unit);
        return holds && !(state->directions == 0 && slip.slips);
    }
    if (slip.inside) {
        return slip.radius > 0 &&
               (state->directions == 1 ? along >= -judge->tie : fabs(along) <= judge->tie);
    }
    steady->arrays->turn[i] = atan2(slip.q[1], slip.q[0]);
    steady->arrays->damping[i] = slip.damping;
    state->turned = true;
    state->directions = 1;
    state->first = 0;
    return true;
}

static bool item_stays(const Steady *steady, const Judge *judge, int i)
{
    const TactItem        *item = &steady->system->items[i];
    const TactSteadyState *state = &steady->arrays->states[i];
    if (item->kind == TACT_ITEM_MOTOR) {
        return line_stays(steady, judge, i);
    }
    if (item->kind == TACT_ITEM_MOMENT) {
        return !steady->arrays->states[item->owner].pushes ||
               (item->directions == 2 ? line_stays(steady, judge, i)
                                      : friction_stays(steady, judge, i));
    }
    if (!state->pushes) {
        return judge->u[3 * i] * item->scale >= -judge->tie * judge->unit;
    }
    return judge->p[3 * i] >= -judge->tie * judge->unit * item->scale &&
           (item->directions == 0 || friction_stays(steady, judge, i));
}

/// Turns friction against its slip. false: a state does not stay, or nothing slides.
static bool turn_states(const Steady *steady, const double *u, const double *p)
{
    if (steady->even == steady->count) {
        return false;
    }
    Judge judge = begin_judge(steady, u, p);
    for (int i = 0; i < steady->system->item_count; i++) {
        if (!item_stays(steady, &judge, i)) {
            return false;
        }
    }
    return true;
}

double tact_steady_solve(TactSteady *arrays, TactKernel *room, const TactSystem *system,
                         const TactContactMemory *memory, double tol,
                         const TactCircleScratch *scratch, double *p)
{
    Steady steady = {.room = room,
                     .system = system,
                     .arrays = arrays,
                     .unknowns = arrays->unknowns,
                     .ld = ((size_t)system->dof + 3) / 4 * 4};
    arrays->systems = 0;
    room->basis.k = 0;
    if (system->dof > room->space.max_dof) {
        return HUGE_VAL;
    }
    read_states(memory, arrays->states);
    memcpy(arrays->turn, memory->turn, (size_t)memory->count * sizeof *arrays->turn);
    memcpy(arrays->damping, memory->damping, (size_t)memory->count * sizeof *arrays->damping);
    for (int g = 0; g < system->group_count; g++) {
        const TactItemGroup *group = &system->groups[g];
        tact_kernel_list_runs(room, g, system->support + group->support, group->size);
    }
    double residual = HUGE_VAL, before = HUGE_VAL;
    for (int turns = 0; turns <= MOST_TURNS; turns++) {
        residual = solve_states(&steady, tol, scratch, p);
        if (residual <= tol || !(residual < LEAVES * before) ||
            !turn_states(&steady, scratch->u, p)) {
            break;
        }
        before = residual;
    }
    memset(room->basis.dz, 0, room->basis.ld * sizeof(double)); // as a kernel expects it
    tact_turning_drop_pulls(system, p);
    return residual;
}

void tact_steady_remember(const TactSteady *arrays, TactContactMemory *memory)
{
    int kept = 0;
    for (int k = 0; k < memory->basis_count; k++) {
        TactVar unknown = memory->basis[k];
        int     i = tact_var_item(unknown);
        bool    turned = arrays->states[i].turned && tact_var_kind(unknown) == TACT_VAR_PHI;
        if (!turned || arrays->states[i].found == tact_var_direction(unknown)) {
            memory->basis[kept++] = turned ? tact_var(TACT_VAR_PHI, i, 0) : unknown;
        }
    }
    memory->basis_count = kept;
    memcpy(memory->turn, arrays->turn, (size_t)memory->count * sizeof *memory->turn);
    memcpy(memory->damping, arrays->damping, (size_t)memory->count * sizeof *memory->damping);
}
