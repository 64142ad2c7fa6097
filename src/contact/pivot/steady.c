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

// Systems with the same factor: the first, and one that refines it where that may do. Where
// something slides, a residual above this is one of its direction.
enum { MOST_ROUNDS = 2 };
static const double NEAR_OF_SLIDING = 1e-10;

// Times that friction turns, and how much of the residual each may leave.
enum { MOST_TURNS = 4 };
static const double LEAVES = 0.3;

// Ties where there are motors, whose offsets may say nothing of the size of the others.
static const double TIE_OF_MOTORS = 1e-3 * TACT_TURNING_TIE;

static void layout_states(TactSteadyStates *states, size_t items, TactArena *arena)
{
    states->of = tact_arena_take(arena, items, sizeof *states->of);
    states->turn = tact_arena_take(arena, items, sizeof *states->turn);
    states->damping = tact_arena_take(arena, items, sizeof *states->damping);
}

void tact_steady_layout(TactSteady *steady, const TactContactCapacity *capacity, TactArena *arena)
{
    size_t     items = (size_t)capacity->contacts + (size_t)capacity->rows;
    TactSteady sized = {0};
    sized.unknowns = tact_arena_take(arena, 3 * items + 4, sizeof *sized.unknowns);
    layout_states(&sized.now, items, arena);
    layout_states(&sized.next, items, arena);
    layout_states(&sized.best, items, arena);
    sized.skew = tact_arena_take(arena, 2 * items, sizeof *sized.skew);
    sized.column = tact_arena_take(arena, items, sizeof *sized.column);
    sized.products = tact_arena_take(arena, 5 * (3 * items + 4), sizeof *sized.products);
    if (arena->block) {
        *steady = sized;
    }
}

// ---------------------------------------------------------------------------------------------
// States and unknowns

void tact_steady_read(const TactVar *basis, int count, int items, TactSteadyState *states)
{
    for (int i = 0; i < items; i++) {
        states[i] = (TactSteadyState){0};
    }
    for (int k = 0; k < count; k++) {
        TactVar          unknown = basis[k];
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

static TactSteadyUnknown *add_unknown(TactSteadyWork *steady, int item)
{
    TactSteadyUnknown *unknown = &steady->unknowns[steady->count++];
    *unknown = (TactSteadyUnknown){.item = item};
    return unknown;
}

static void add_component(TactSteadyWork *steady, int item, int component)
{
    add_unknown(steady, item)->along[component] = 1;
}

/// Direction j of the pyramid of an item; of spinning, to and fro.
void tact_steady_direction(const TactSteadyWork *steady, int i, int j, double out[2])
{
    int    d = steady->system->items[i].directions;
    double angle = steady->arrays->now.turn[i] + 6.283185307179586 * j / d;
    if (d == 2) {
        out[0] = j == 0 ? 1 : -1;
        out[1] = 0;
        return;
    }
    out[0] = cos(angle);
    out[1] = sin(angle);
}

/// Friction along a vector.
static TactSteadyUnknown *add_tangent(TactSteadyWork *steady, int i, double x, double y)
{
    TactSteadyUnknown *unknown = add_unknown(steady, i);
    unknown->along[1] = x;
    unknown->along[2] = y;
    return unknown;
}

/// Unknowns of friction, with R = A: where it sticks its tangents, where it slides what leads from
/// one of its two directions to the other, and a damper.
static void add_tangents(TactSteadyWork *steady, int i)
{
    const TactSteadyState *state = &steady->arrays->now.of[i];
    double                 d[2], next[2];
    if (state->directions == 0) {
        return;
    }
    if (!state->slides && state->directions == 2) {
        add_component(steady, i, 1);
        add_component(steady, i, 2);
        return;
    }
    tact_steady_direction(steady, i, state->first, d);
    if (!state->slides) {
        add_tangent(steady, i, d[0], d[1]);
        return;
    }
    if (state->directions == 2) {
        tact_steady_direction(steady, i, state->second, next);
        add_tangent(steady, i, next[0] - d[0], next[1] - d[1]);
    }
    if (steady->arrays->now.damping[i] > 0) { // across direction 0
        tact_steady_direction(steady, i, 0, d);
        add_tangent(steady, i, -d[1], d[0])->extra = 1 / steady->arrays->now.damping[i];
    }
}

/// The normal of a contact that slides, with its friction, or with that of its moments.
static void add_skew(TactSteadyWork *steady, int i)
{
    double *skew = steady->arrays->skew;
    add_component(steady, i, 0);
    for (int k = i; k <= i + moments_of(steady->system, i); k++) {
        const TactSteadyState *state = &steady->arrays->now.of[k];
        double                 mu = state->slides ? steady->system->items[k].mu : 0;
        tact_steady_direction(steady, k, state->first, skew + 2 * k);
        skew[2 * k] *= mu;
        skew[2 * k + 1] *= mu;
    }
}

/// Unknowns of item i with R = A, and what is known of it: a motor at its bound.
static void add_even(TactSteadyWork *steady, int i, double *p, bool *pushed)
{
    const TactItem        *item = &steady->system->items[i];
    const TactSteadyState *states = steady->arrays->now.of, *state = &states[i];
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
bool tact_steady_list(TactSteadyWork *steady, double *p, bool *pushed)
{
    const TactSystem      *system = steady->system;
    const TactSteadyState *states = steady->arrays->now.of;
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

TACT_LOOP TactLoopRuns runs_of(const TactSteadyWork *steady, int group)
{
    const TactKernelSpace *space = &steady->room->space;
    int                    run = space->group_runs[group];
    return (TactLoopRuns){space->group_runs[group + 1] - run, space->run_first + run,
                          space->run_end + run};
}

/// Row k of R.
TACT_LOOP void put_row(const TactSteadyWork *steady, int k, double *row)
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
TACT_LOOP void add_friction(const TactSteadyWork *steady, const TactSteadyUnknown *unknown,
                            double *star)
{
    const TactSystem *system = steady->system;
    int               i = unknown->item;
    for (int k = i; k <= i + moments_of(system, i); k++) {
        if (!steady->arrays->now.of[k].slides) {
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
TACT_LOOP int put_products(const TactSteadyWork *steady, int r, double *out)
{
    TactKernel              *room = steady->room;
    const TactSteadyUnknown *unknown = &steady->unknowns[r];
    int                      group = steady->system->items[unknown->item].group;
    int                      first = r < steady->even ? r / 4 * 4 : 0, n = steady->count - first;
    size_t                   ld = room->basis.ld;
    double                  *row = out + (size_t)r * ld + first;
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
TACT_CLONES double tact_steady_products(const TactSteadyWork *steady, double *out)
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
        double *diagonal = out + (size_t)r * ld + r;
        if (steady->unknowns[r].item < 0) {
            memset(diagonal - r % 4, 0, (size_t)(whole - r / 4 * 4) * sizeof *diagonal);
            *diagonal = 1;
            r++;
            continue;
        }
        for (int end = r + put_products(steady, r, out); r < end; r++, diagonal += ld + 1) {
            *diagonal += steady->unknowns[r].extra;
            largest = fabs(*diagonal) > largest ? fabs(*diagonal) : largest;
        }
    }
    return largest;
}

/// false: unknowns depend on each other.
static bool factor_system(const TactSteadyWork *steady)
{
    TactKernelFactor *factor = &steady->room->factor;
    double smallest = TACT_PIVOT_SINGULAR_PRINCIPAL * tact_steady_products(steady, factor->block);
    return tact_bordered_factor(steady->even, steady->count, factor->block,
                                (int)steady->room->basis.ld, factor->permutation, smallest,
                                factor->dependent, &factor->dependent_count) < 0;
}

// ---------------------------------------------------------------------------------------------
// The answer

/// Rows of velocities u and values x, that are to be 0.
static void put_rest(const TactSteadyWork *steady, const double *u, const double *x, double *rest)
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
static void take_step(const TactSteadyWork *steady, const double *dx, double *x, double *p)
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

void tact_steady_refine(const TactSteadyWork *steady, const double *u, double *p)
{
    TactKernel *room = steady->room;
    double     *x = room->basis.z, *dx = room->basis.dz;
    put_rest(steady, u, x, dx);
    tact_bordered_solve(steady->even, steady->count, room->factor.block, (int)room->basis.ld,
                        room->factor.permutation, dx, room->scratch.change);
    take_step(steady, dx, x, p);
}

/// The system of the states, its answer and the residual of that; infinite: there is none.
static double solve_states(TactSteadyWork *steady, double tol, const TactCircleScratch *scratch,
                           double *p)
{
    TactKernel       *room = steady->room;
    const TactSystem *system = steady->system;
    bool              pushed;
    steady->arrays->systems++;
    if (!tact_steady_list(steady, p, &pushed) || steady->count == 0 || !factor_system(steady)) {
        return HUGE_VAL;
    }
    memset(room->basis.z, 0, (size_t)steady->count * sizeof(double));
    if (pushed) {
        tact_system_move(system, p, scratch->y, scratch->u);
    }
    double near = steady->even < steady->count ? NEAR_OF_SLIDING : TACT_STEADY_NEAR;
    double residual = near;
    for (int round = 0; round < MOST_ROUNDS && residual > tol && residual <= near; round++) {
        tact_steady_refine(steady, round > 0 || pushed ? scratch->u : system->b, p);
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

static Judge begin_judge(const TactSteadyWork *steady, const double *u, const double *p)
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
static bool line_stays(const TactSteadyWork *steady, const Judge *judge, int i)
{
    const TactItem        *item = &steady->system->items[i];
    const TactSteadyState *state = &steady->arrays->now.of[i];
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
static double slip_along(const TactSteadyWork *steady, const Judge *judge, int i)
{
    const TactSteadyState *state = &steady->arrays->now.of[i];
    double                 d[2];
    tact_steady_direction(steady, i, state->first, d);
    return -steady->system->items[i].scale / judge->unit *
           (d[0] * judge->u[3 * i + 1] + d[1] * judge->u[3 * i + 2]);
}

/// Friction of a contact that pushes. One that slides turns against its slip.
static bool friction_stays(const TactSteadyWork *steady, const Judge *judge, int i)
{
    TactSteadyState *state = &steady->arrays->now.of[i];
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
    steady->arrays->now.turn[i] = atan2(slip.q[1], slip.q[0]);
    steady->arrays->now.damping[i] = slip.damping;
    state->turned = true;
    state->directions = 1;
    state->first = 0;
    return true;
}

static bool item_stays(const TactSteadyWork *steady, const Judge *judge, int i)
{
    const TactItem        *item = &steady->system->items[i];
    const TactSteadyState *state = &steady->arrays->now.of[i];
    if (item->kind == TACT_ITEM_MOTOR) {
        return line_stays(steady, judge, i);
    }
    if (item->kind == TACT_ITEM_MOMENT) {
        return !steady->arrays->now.of[item->owner].pushes ||
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
static bool turn_states(const TactSteadyWork *steady, const double *u, const double *p)
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

TactSteadyWork tact_steady_begin(TactSteady *arrays, TactKernel *room, const TactSystem *system)
{
    arrays->systems = 0;
    room->basis.k = 0;
    return (TactSteadyWork){.room = room,
                            .system = system,
                            .arrays = arrays,
                            .unknowns = arrays->unknowns,
                            .ld = ((size_t)system->dof + 3) / 4 * 4};
}

void tact_steady_list_runs(const TactSteadyWork *steady)
{
    const TactSystem *system = steady->system;
    for (int g = 0; g < system->group_count; g++) {
        const TactItemGroup *group = &system->groups[g];
        tact_kernel_list_runs(steady->room, g, system->support + group->support, group->size);
    }
}

double tact_steady_solve(TactSteady *arrays, TactKernel *room, const TactSystem *system,
                         const TactContactMemory *memory, double tol,
                         const TactCircleScratch *scratch, double *p)
{
    if (system->dof > room->space.max_dof) {
        return HUGE_VAL;
    }
    TactSteadyWork steady = tact_steady_begin(arrays, room, system);
    tact_steady_list_runs(&steady);
    tact_steady_read(memory->basis, memory->basis_count, memory->count, arrays->now.of);
    memcpy(arrays->now.turn, memory->turn, (size_t)memory->count * sizeof *arrays->now.turn);
    memcpy(arrays->now.damping, memory->damping,
           (size_t)memory->count * sizeof *arrays->now.damping);
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
        bool    turned = arrays->now.of[i].turned && tact_var_kind(unknown) == TACT_VAR_PHI;
        if (!turned || arrays->now.of[i].found == tact_var_direction(unknown)) {
            memory->basis[kept++] = turned ? tact_var(TACT_VAR_PHI, i, 0) : unknown;
        }
    }
    memory->basis_count = kept;
    memcpy(memory->turn, arrays->now.turn, (size_t)memory->count * sizeof *memory->turn);
    memcpy(memory->damping, arrays->now.damping, (size_t)memory->count * sizeof *memory->damping);
}

/// The basis of the states, of `most` unknowns at the most. Returns how many it has.
static int put_basis(const TactSystem *system, const TactSteadyState *states, int most,
                     TactVar *basis)
{
    int count = 0;
    for (int i = 0; i < system->item_count && count + 4 <= most; i++) {
        const TactSteadyState *state = &states[i];
        bool                   friction = state->pushes || system->items[i].kind == TACT_ITEM_MOTOR;
        if (state->pushes) {
            basis[count++] = tact_var(TACT_VAR_THETA, i, 0);
        }
        if (friction && state->directions > 0) {
            basis[count++] = tact_var(TACT_VAR_PHI, i, state->first);
        }
        if (friction && state->directions > 1) {
            basis[count++] = tact_var(TACT_VAR_PHI, i, state->second);
        }
        if (friction && state->slides) {
            basis[count++] = tact_var(TACT_VAR_LAMBDA, i, 0);
        }
    }
    return count;
}

void tact_steady_leave_basis(const TactSteady *arrays, TactKernel *room, const TactSystem *system)
{
    const TactSteadyStates *now = &arrays->now;
    room->basis.k = put_basis(system, now->of, room->basis.max_k, room->basis.col);
    room->basis.z0_position = -1;
    for (int i = 0; i < system->item_count; i++) {
        room->items.turn[i] = now->turn[i];
        room->items.damping[i] = now->of[i].slides ? now->damping[i] : 0;
    }
}

int tact_steady_load_best(const TactSteady *arrays, TactKernel *kernel, const TactSystem *system)
{
    const TactSteadyStates *best = &arrays->best;
    tact_kernel_load(kernel, system);
    int count = put_basis(system, best->of, kernel->basis.max_k, kernel->scratch.warm);
    for (int i = 0; i < system->item_count; i++) {
        kernel->items.turn[i] = best->turn[i];
        kernel->items.damping[i] = best->of[i].slides ? best->damping[i] : 0;
        if (system->items[i].kind == TACT_ITEM_MOTOR) {
            tact_kernel_add_friction(kernel, i);
        }
    }
    for (int k = 0; k < count; k++) {
        tact_kernel_add_friction(kernel, tact_var_item(kernel->scratch.warm[k]));
    }
    return count;
}
