#include "contact/pile/curve.h"

#include <math.h>
#include <string.h>

#include "base/budget.h"

static const double LONGEST = 1;        // step in s, over s,
static const double LONGEST_BACK = 0.5; //   where s falls
static const double REACH = 2;          // change of an impulse in a step, in loads
static const double TURN = 0.05;        // what the turn of a slip may do to an impulse, in loads
static const double CLOSE = 1e-2;       // correction at which a point is on the curve, in loads
static const double CLOSE_PART = 0.1;   //   and as a part of what a step does
static const double FARTHEST = 0.2;     // correction that is worth trying, in loads,
static const double FARTHEST_S = 0.3;   //   and in s, over s
static const double BEYOND = 0.1;       // how far an item may come beyond its state, in loads,
static const double BEYOND_PART = 0.2;  //   and as a part of what a step does
static const double SHORTEST = 1e-4;    // steps in s that can be made shorter,
static const double SHORTEST_P = 1e-3;  //   and in impulses
static const double SHORTER = 0.25;
static const double LEAST = 1e-9;   // of CLOSE, and ten times that of BEYOND
static const double AGAIN = 1e-9;   // a state does not change back within that
static const double FIRST = 1;      // stiffness at the beginning, 1 / eps
static const double SOFTEST = 0.05; // the curve does not go there
static const double FORWARD = 1.02; // times the largest stiffness so far: that is progress
static const double EXACT = 1e-10;  // of the stage at the end
static const double QUIET = 1e-3;   // change of an impulse along, in loads: no fold is near
static const double USUAL = 4;      // |along|^2 over what it was, at most, away from folds

enum {
    CORRECTIONS = 4,  // in a row
    PATIENCE = 300,   // factors without progress
    STAGE_STEPS = 12, // at the end
};

static void layout_point(TactPilePoint *point, size_t items, size_t dof, TactArena *arena)
{
    point->y = tact_arena_take(arena, dof, sizeof(double));
    point->state = tact_arena_take(arena, items, sizeof(TactPileState));
    point->beyond = tact_arena_take(arena, items, sizeof(double));
}

void tact_pile_curve_layout(TactPileCurve *curve, const TactContactCapacity *capacity,
                            TactArena *arena)
{
    size_t        items = (size_t)capacity->contacts + (size_t)capacity->rows;
    size_t        nodes = ((size_t)capacity->dof + TACT_BLOCK_ROWS - 1) / TACT_BLOCK_ROWS;
    size_t        dof = TACT_BLOCK_ROWS * nodes;
    TactPileCurve lent = {
        .z = tact_arena_take(arena, 3 * items, sizeof(double)),
        .across = tact_arena_take(arena, dof, sizeof(double)),
        .along = tact_arena_take(arena, dof, sizeof(double)),
        .across_u = tact_arena_take(arena, 3 * items, sizeof(double)),
        .along_u = tact_arena_take(arena, 3 * items, sizeof(double)),
    };
    layout_point(&lent.now, items, dof, arena);
    layout_point(&lent.last, items, dof, arena);
    if (arena->block) {
        *curve = lent;
    }
}

bool tact_pile_curve_takes(const TactProximal *proximal)
{
    const TactSystem *system = proximal->coupling->system;
    bool              takes = !proximal->is_many;
    for (int i = 0; i < system->item_count && takes; i++) {
        const TactItem *item = &system->items[i];
        takes = item->kind == TACT_ITEM_CONTACT && item->compliance == 0 &&
                proximal->coupling->cones[i].count == 0;
    }
    return takes;
}

static int items_of(const TactPileCurve *curve)
{
    return curve->proximal->coupling->system->item_count;
}

static int dof_of(const TactPileCurve *curve)
{
    return curve->proximal->coupling->system->dof;
}

static double mu_of(const TactPileCurve *curve, int i)
{
    return curve->proximal->coupling->cones[i].mu;
}

/// u, z and B of all items; across = -g, along = -C B u: what a step with ds = s has to undo.
static void linearise_point(TactPileCurve *curve)
{
    TactProximal     *proximal = curve->proximal;
    const TactSystem *system = proximal->coupling->system;
    for (int j = 0; j < system->dof; j++) {
        curve->across[j] = system->y0[j] - curve->now.y[j];
        curve->along[j] = 0;
    }
    for (int i = 0; i < system->item_count; i++) {
        TactProximalItem *item = &proximal->items[i];
        double           *z = curve->z + 3 * i, p[3], change[3];
        item->k = proximal->coupling->weight[i] / curve->now.stiffness;
        tact_system_pull(system, i, curve->now.y, item->u);
        for (int c = 0; c < 3; c++) {
            item->u[c] += system->e[3 * i + c];
            z[c] = item->centre[c] - item->u[c] / item->k;
        }
        tact_pile_piece(mu_of(curve, i), curve->now.state[i], item->k, z, p, item->B);
        if (curve->now.state[i] != TACT_PILE_OPEN) {
            tact_pile_times(item->B, item->u, change);
            for (int c = 0; c < 3; c++) {
                change[c] = -change[c];
            }
            tact_system_push(system, i, p, curve->across);
            tact_system_push(system, i, change, curve->along);
        }
    }
}

/// The largest change of an impulse that changes of u make.                     du: (3 items)
static double largest_change(const TactPileCurve *curve, const double *du)
{
    double most = 0;
    for (int i = 0; i < items_of(curve); i++) {
        double dp[3];
        tact_pile_times(curve->proximal->items[i].B, du + 3 * i, dp);
        for (int c = 0; c < 3; c++) {
            most = fabs(dp[c]) <= most ? most : fabs(dp[c]); // also NaN
        }
    }
    return most;
}

/// What a step of the motion, and of s by a part, does to u / k of all items, times k.
///                                                              dy: (dof)  du: (3 items)
static void feel_step(const TactPileCurve *curve, const double *dy, double part, double *du)
{
    const TactProximal *proximal = curve->proximal;
    for (int i = 0; i < items_of(curve); i++) {
        tact_system_pull(proximal->coupling->system, i, dy, du + 3 * i);
        for (int c = 0; c < 3; c++) {
            du[3 * i + c] += part * proximal->items[i].u[c];
        }
    }
}

/// Across and along the curve at the point; across is square to along, so that it has an end at
/// folds too. False: no factor.
static bool find_steps(TactPileCurve *curve)
{
    TactProximal     *proximal = curve->proximal;
    const TactSystem *system = proximal->coupling->system;
    double            along2 = 0, both = 0;
    linearise_point(curve);
    if (!tact_proximal_factor(proximal)) {
        return false;
    }
    int sign = tact_block_lu_sign(proximal->loaded.factor);
    curve->folds += sign != curve->direction;
    curve->direction = sign;
    tact_proximal_solve(proximal, curve->across);
    tact_proximal_solve(proximal, curve->along);
    for (int j = 0; j < system->dof; j++) {
        along2 += curve->along[j] * curve->along[j];
        both += curve->across[j] * curve->along[j];
    }
    feel_step(curve, curve->along, 1, curve->along_u);
    curve->along_p = largest_change(curve, curve->along_u);
    curve->usual = curve->usual < 0 ? along2 : fmin(along2, USUAL * curve->usual);
    bool quiet = curve->along_p <= QUIET * curve->load;
    curve->across_s = quiet ? 0 : -both / (along2 + curve->usual);
    for (int j = 0; j < system->dof; j++) {
        curve->across[j] += curve->across_s * curve->along[j];
    }
    feel_step(curve, curve->across, curve->across_s, curve->across_u);
    curve->across_p = largest_change(curve, curve->across_u);
    return true;
}

// ---------------------------------------------------------------------------------------------
// Points

static void copy_point(const TactPileCurve *curve, const TactPilePoint *from, TactPilePoint *to)
{
    to->stiffness = from->stiffness;
    to->changed = from->changed;
    memcpy(to->y, from->y, (size_t)dof_of(curve) * sizeof(double));
    memcpy(to->state, from->state, (size_t)items_of(curve) * sizeof(TactPileState));
    memcpy(to->beyond, from->beyond, (size_t)items_of(curve) * sizeof(double));
}

static void step_across(TactPileCurve *curve)
{
    for (int j = 0; j < dof_of(curve); j++) {
        curve->now.y[j] += curve->across[j];
    }
    curve->now.stiffness *= 1 + curve->across_s;
}

/// How far items have come beyond their states since the last point, the worst; one whose state has
/// just changed is on the edge.
static double measure_beyond(TactPileCurve *curve)
{
    double worst = 0;
    for (int i = 0; i < items_of(curve); i++) {
        TactPileState state = curve->now.state[i];
        double        beyond = tact_pile_beyond(mu_of(curve, i), state, curve->z + 3 * i);
        double        before = curve->last.state[i] == state ? fmax(0, curve->last.beyond[i]) : 0;
        if (i == curve->now.changed) {
            beyond = before = 0;
        }
        curve->now.beyond[i] = beyond;
        worst = fmax(worst, beyond - before);
    }
    return worst;
}

typedef enum Verdict { ON_CURVE, NEAR_CURVE, OFF_CURVE } Verdict;

/// Is the point on the curve, or will a correction bring it there? before: the last correction of
/// so many in a row.
static Verdict judge_point(TactPileCurve *curve, int corrections, double before)
{
    double load = curve->load, part = curve->along_p;
    double close = fmax(fmin(CLOSE * load, CLOSE_PART * part), LEAST * load);
    double beyond = fmax(fmin(BEYOND * load, BEYOND_PART * part), 10 * LEAST * load);
    double off = curve->across_p;
    if (!(off <= FARTHEST * load) || !(fabs(curve->across_s) <= FARTHEST_S) ||
        corrections >= CORRECTIONS || (corrections > 0 && off > 0.5 * before && off > close)) {
        return OFF_CURVE;
    }
    if (off > close) {
        return NEAR_CURVE;
    }
    return measure_beyond(curve) > beyond ? OFF_CURVE : ON_CURVE;
}

// ---------------------------------------------------------------------------------------------
// Steps along the curve

/// Goes along the curve up to the first item that changes its state, or as far as is allowed, or to
/// the end. True: that is the end.
static bool step_along(TactPileCurve *curve, double end)
{
    double way = curve->direction, s = curve->now.stiffness;
    double most = fmin(way > 0 ? LONGEST : LONGEST_BACK,
                       curve->along_p > 0 ? curve->reach * curve->load / curve->along_p : HUGE_VAL);
    bool ends = way > 0 && end / s - 1 <= most;
    most = ends ? fmax(0, end / s - 1) : most;
    double        step = most, turn = HUGE_VAL;
    int           changed = -1;
    TactPileState next = TACT_PILE_OPEN;
    for (int i = 0; i < items_of(curve); i++) {
        const double *across = curve->across_u + 3 * i, *along = curve->along_u + 3 * i;
        double        z[3], d[3], k = curve->proximal->items[i].k, mu = mu_of(curve, i);
        TactPileState state = curve->now.state[i], to;
        for (int c = 0; c < 3; c++) {
            z[c] = curve->z[3 * i + c] - across[c] / k;
            d[c] = -way * along[c] / k;
        }
        double at = tact_pile_end_of_piece(mu, state, z, d, &to);
        if (state == TACT_PILE_SLIDES) {
            turn = fmin(turn,
                        tact_pile_end_of_turn(mu, z, d, TURN * curve->load, LEAST * curve->load));
        }
        if (at < step && !(i == curve->now.changed && at < AGAIN)) {
            step = at;
            changed = i;
            next = to;
        }
    }
    if (turn < step) {
        step = turn;
        changed = -1;
    }
    step_across(curve);
    for (int j = 0; j < dof_of(curve); j++) {
        curve->now.y[j] += way * step * curve->along[j];
    }
    curve->now.stiffness *= 1 + way * step;
    curve->now.changed = changed;
    if (changed >= 0) {
        curve->now.state[changed] = next;
        curve->changes++;
    }
    curve->step = step;
    curve->gone = step * curve->along_p / curve->load;
    return ends && changed < 0 && step >= most;
}

// ---------------------------------------------------------------------------------------------
// The whole

static void begin_curve(TactPileCurve *curve, TactProximal *proximal, const double *y,
                        const double *p)
{
    const TactSystem *system = proximal->coupling->system;
    int               count = 0;
    curve->proximal = proximal;
    curve->load = 0;
    tact_proximal_set_centres(proximal, p);
    memcpy(curve->now.y, y, (size_t)system->dof * sizeof(double));
    for (int i = 0; i < system->item_count; i++) {
        double z[3], u[3];
        tact_system_pull(system, i, y, u);
        for (int c = 0; c < 3; c++) {
            z[c] = p[3 * i + c] -
                   FIRST * (u[c] + system->e[3 * i + c]) / proximal->coupling->weight[i];
        }
        curve->now.state[i] = tact_pile_state(mu_of(curve, i), z);
        curve->now.beyond[i] = 0;
        curve->load += p[3 * i] > 0 ? p[3 * i] : 0;
        count += p[3 * i] > 0;
    }
    curve->load /= count > 0 ? count : 1;
    curve->now.stiffness = FIRST;
    curve->now.changed = -1;
    curve->usual = -1;
    curve->reach = REACH;
    curve->step = curve->gone = 0;
    curve->direction = 1;
    curve->steps = curve->changes = curve->folds = 0;
    copy_point(curve, &curve->now, &curve->last);
}

/// The root at the end, by Newton's method.
static bool end_curve(TactPileCurve *curve, double eps, double *p)
{
    TactProximal *proximal = curve->proximal;
    int           steps = 0;
    tact_proximal_set_motion(proximal, curve->now.y);
    if (!tact_proximal_stage(proximal, eps, EXACT, STAGE_STEPS, &steps)) {
        return false;
    }
    memcpy(p, proximal->p, 3 * (size_t)items_of(curve) * sizeof(double));
    return true;
}

/// Back to the last point, for a shorter step from there. False: it cannot be made shorter.
static bool step_back(TactPileCurve *curve)
{
    if (!(curve->step > SHORTEST || curve->gone > SHORTEST_P)) {
        return false;
    }
    copy_point(curve, &curve->last, &curve->now);
    curve->reach = SHORTER * fmin(curve->reach, curve->gone);
    curve->step = curve->gone = 0;
    return true;
}

bool tact_pile_curve_run(TactPileCurve *curve, TactProximal *proximal, const double *y, double eps,
                         int most, double *p)
{
    int    corrections = 0, since = 0;
    double before = 0, stiffest = 0;
    begin_curve(curve, proximal, y, p);
    if (!(curve->load > 0)) {
        return false;
    }
    for (; curve->steps < most && since < PATIENCE && !tact_budget_is_over(); since++) {
        curve->steps++;
        if (!find_steps(curve)) {
            return false;
        }
        Verdict verdict = judge_point(curve, corrections, before);
        if (verdict == NEAR_CURVE) {
            before = curve->across_p;
            corrections++;
            step_across(curve);
            continue;
        }
        if (verdict == OFF_CURVE && step_back(curve)) {
            corrections = 0;
            continue;
        }
        if (corrections <= 1 && curve->step > 0) {
            curve->reach = fmin((corrections == 0 ? 4 : 2) * curve->reach, REACH);
        }
        corrections = 0;
        copy_point(curve, &curve->now, &curve->last);
        for (int j = 0; j < dof_of(curve); j++) {
            curve->last.y[j] += curve->across[j];
        }
        curve->last.stiffness *= 1 + curve->across_s;
        if (step_along(curve, 1 / eps)) {
            return end_curve(curve, eps, p);
        }
        if (!(curve->now.stiffness > SOFTEST) || !isfinite(curve->now.stiffness)) {
            return false; // the curve has been lost
        }
        if (curve->now.stiffness > FORWARD * stiffest) {
            stiffest = curve->now.stiffness;
            since = 0;
        }
    }
    return false;
}
