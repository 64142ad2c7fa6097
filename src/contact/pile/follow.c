#include "contact/pile/follow.h"

#include <math.h>
#include <string.h>

#include "base/budget.h"
#include "linalg/lu.h"

static const double REACH = 2;          // change of an impulse in a step, in loads
static const double TURN = 0.05;        // what the turn of a slip may do to an impulse, in loads
static const double CLOSE = 0.05;       // correction at which a point is on the curve, in loads
static const double FARTHEST = 0.5;     // correction that is worth trying, in loads
static const double BEYOND = 1;         // how far an item may come beyond its state, in loads
static const double LEAST = 1e-9;       // of a load: one that makes no turn
static const double AGAIN = 1e-9;       // a state does not change back within that
static const double CLOSER = 0.7;       // of the last correction: it comes nearer
static const double ON_EDGE = 1e-9;     // of its radius: an impulse there slides
static const double BACK = 30;          // t: the curve does not come to its end from there
static const double PASSED = -0.02;     // t: it has gone past its end unseen
static const double EXACT = 1e-10;      // of the stage at the end
static const double ITEM_WORK = 250;    // operations of an item in a change
static const double LEAST_LENGTH = 0.1; // of |along|^2 of the first point, away from folds

enum {
    CHANGES = 400,   // of a curve
    CORRECTIONS = 4, // in a row
    STAGE_STEPS = 12 // at the end
};

static void layout_point(TactPileFollowed *point, size_t items, size_t dof, TactArena *arena)
{
    point->y = tact_arena_take(arena, dof, sizeof(double));
    point->state = tact_arena_take(arena, items, sizeof(TactPileState));
}

void tact_pile_follow_layout(TactPileFollow *follow, const TactContactCapacity *capacity,
                             TactArena *arena)
{
    size_t         items = (size_t)capacity->contacts + (size_t)capacity->rows;
    size_t         nodes = ((size_t)capacity->dof + TACT_BLOCK_ROWS - 1) / TACT_BLOCK_ROWS;
    size_t         dof = TACT_BLOCK_ROWS * nodes, most = TACT_PILE_CHANGED_COLUMNS;
    TactPileFollow lent = {
        .r = tact_arena_take(arena, 3 * items, sizeof(double)),
        .z = tact_arena_take(arena, 3 * items, sizeof(double)),
        .du = tact_arena_take(arena, 3 * items, sizeof(double)),
        .across = tact_arena_take(arena, dof, sizeof(double)),
        .along = tact_arena_take(arena, dof, sizeof(double)),
        .base = tact_arena_take(arena, dof, sizeof(double)),
        .changed.slot = tact_arena_take(arena, items, sizeof(int)),
        .changed.columns = tact_arena_take(arena, most * dof, sizeof(double)),
        .changed.G = tact_arena_take(arena, most * most, sizeof(double)),
        .changed.K = tact_arena_take(arena, most * most, sizeof(double)),
        .changed.felt = tact_arena_take(arena, most, sizeof(double)),
        .changed.right = tact_arena_take(arena, most, sizeof(double)),
        .changed.q = tact_arena_take(arena, most, sizeof(double)),
        .changed.perm = tact_arena_take(arena, most, sizeof(int)),
    };
    layout_point(&lent.now, items, dof, arena);
    layout_point(&lent.last, items, dof, arena);
    if (arena->block) {
        *follow = lent;
    }
}

static const TactBlockLu *factor_of(const TactProximal *proximal)
{
    return proximal->is_many ? proximal->many->used : proximal->loaded.factor;
}

bool tact_pile_follow_takes(const TactProximal *proximal)
{
    const TactSystem *system = proximal->coupling->system;
    bool              takes = !proximal->is_many || proximal->many->lu;
    for (int i = 0; i < system->item_count && takes; i++) {
        const TactItem *item = &system->items[i];
        takes = item->kind == TACT_ITEM_CONTACT && item->compliance == 0 &&
                proximal->coupling->cones[i].count == 0;
    }
    return takes;
}

static int items_of(const TactPileFollow *follow)
{
    return follow->proximal->coupling->system->item_count;
}

static int dof_of(const TactPileFollow *follow)
{
    return follow->proximal->coupling->system->dof;
}

/// Of a motion with room for whole blocks.
static size_t room_of(const TactPileFollow *follow)
{
    return TACT_BLOCK_ROWS * (((size_t)dof_of(follow) + TACT_BLOCK_ROWS - 1) / TACT_BLOCK_ROWS);
}

static double mu_of(const TactPileFollow *follow, int i)
{
    return follow->proximal->coupling->cones[i].mu;
}

// ---------------------------------------------------------------------------------------------
// The beginning

/// r, and the state of an item with an impulse p and a velocity u.
static TactPileState find_shift(double mu, const double p[3], const double u[3], double r[3])
{
    double length = sqrt(p[1] * p[1] + p[2] * p[2]);
    if (!(p[0] > 0)) {
        r[0] = fmax(0, -u[0]);
        r[1] = r[2] = 0;
        return TACT_PILE_OPEN;
    }
    for (int c = 0; c < 3; c++) {
        r[c] = -u[c];
    }
    if (length < mu * p[0] * (1 - ON_EDGE) || length == 0) {
        return TACT_PILE_STICKS;
    }
    double out = -(u[1] * p[1] + u[2] * p[2]) / length; // slip that friction goes against
    if (out <= 0) {
        return TACT_PILE_STICKS;
    }
    r[1] -= out * p[1] / length;
    r[2] -= out * p[2] / length;
    return TACT_PILE_SLIDES;
}

static void begin_at(TactPileFollow *follow, TactProximal *proximal, double eps, const double *p)
{
    const TactSystem *system = proximal->coupling->system;
    int               count = 0;
    follow->proximal = proximal;
    follow->load = 0;
    memcpy(follow->now.y, system->y0, (size_t)system->dof * sizeof(double));
    for (int i = 0; i < system->item_count; i++) {
        tact_system_push(system, i, p + 3 * i, follow->now.y);
    }
    for (int i = 0; i < system->item_count; i++) {
        TactProximalItem *item = &proximal->items[i];
        double            u[3];
        item->k = eps * proximal->coupling->weight[i];
        memcpy(item->centre, p + 3 * i, sizeof item->centre);
        tact_system_pull(system, i, follow->now.y, u);
        for (int c = 0; c < 3; c++) {
            u[c] += system->e[3 * i + c];
        }
        follow->now.state[i] = find_shift(mu_of(follow, i), p + 3 * i, u, follow->r + 3 * i);
        follow->changed.slot[i] = -1;
        follow->load += p[3 * i] > 0 ? p[3 * i] : 0;
        count += p[3 * i] > 0;
    }
    follow->load /= count > 0 ? count : 1;
    follow->now.t = 1;
    follow->changed.count = 0;
    follow->first = 0;
    follow->reach = TACT_PILE_CHANGED;
    follow->made = follow->changes = follow->factors = 0;
    follow->now.newest = -1;
}

// ---------------------------------------------------------------------------------------------
// A point with a factor of its own

/// u + t r, z and B of the items of a group; it pushes with -p.
static void look_at_group(void *context, int g, const double *own, double *pushed)
{
    const TactPileFollow *follow = context;
    const TactProximal   *proximal = follow->proximal;
    const TactSystem     *system = proximal->coupling->system;
    const TactItemGroup  *group = &system->groups[g];
    for (int i = group->first; i < group->first + group->count; i++) {
        TactProximalItem *item = &proximal->items[i];
        const double     *C = system->columns + system->column[i];
        double           *z = follow->z + 3 * i, p[3];
        tact_proximal_pull(C, group->size, own, item->u);
        for (int c = 0; c < 3; c++) {
            item->u[c] += system->e[3 * i + c] + follow->now.t * follow->r[3 * i + c];
            z[c] = item->centre[c] - item->u[c] / item->k;
        }
        tact_pile_piece(mu_of(follow, i), follow->now.state[i], item->k, z, p, item->B);
        for (int c = 0; c < 3; c++) {
            p[c] = -p[c];
        }
        if (p[0] != 0) {
            tact_proximal_push(C, group->size, p, pushed);
        }
    }
}

/// What r does to the items of a group: it pushes with B r.
static void shift_group(void *context, int g, const double *own, double *pushed)
{
    const TactPileFollow *follow = context;
    const TactProximal   *proximal = follow->proximal;
    const TactSystem     *system = proximal->coupling->system;
    const TactItemGroup  *group = &system->groups[g];
    (void)own;
    for (int i = group->first; i < group->first + group->count; i++) {
        double change[3];
        if (follow->now.state[i] != TACT_PILE_OPEN) {
            tact_pile_times(proximal->items[i].B, follow->r + 3 * i, change);
            tact_proximal_push(system->columns + system->column[i], group->size, change, pushed);
        }
    }
}

/// A step whose changes of the velocities are looked at.
typedef struct Feeling {
    const TactPileFollow *follow;
    double                dt;
} Feeling;

static void feel_group(void *context, int g, const double *own, double *pushed)
{
    const Feeling       *feeling = context;
    const TactSystem    *system = feeling->follow->proximal->coupling->system;
    const TactItemGroup *group = &system->groups[g];
    (void)pushed;
    for (int i = group->first; i < group->first + group->count; i++) {
        double *du = feeling->follow->du + 3 * i;
        tact_proximal_pull(system->columns + system->column[i], group->size, own, du);
        for (int c = 0; c < 3; c++) {
            du[c] += feeling->dt * feeling->follow->r[3 * i + c];
        }
    }
}

/// du of a step dy, dt; returns the largest change of an impulse that it makes.
static double feel(const TactPileFollow *follow, const double *dy, double dt)
{
    Feeling feeling = {follow, dt};
    double  most = 0;
    tact_proximal_visit(follow->proximal, dy, feel_group, &feeling, NULL);
    for (int i = 0; i < items_of(follow); i++) {
        double dp[3];
        tact_pile_times(follow->proximal->items[i].B, follow->du + 3 * i, dp);
        for (int c = 0; c < 3; c++) {
            most = fabs(dp[c]) <= most ? most : fabs(dp[c]); // also NaN
        }
    }
    return most;
}

/// Factors the matrix of the states that are there, and finds the steps across and along the curve;
/// across is square to along, so that it has an end at folds too. False: no factor.
static bool find_base(TactPileFollow *follow, double *usual)
{
    TactProximal     *proximal = follow->proximal;
    const TactSystem *system = proximal->coupling->system;
    double            along2 = 0, both = 0;
    for (int j = 0; j < system->dof; j++) {
        follow->across[j] = system->y0[j] - follow->now.y[j];
        follow->base[j] = 0;
    }
    tact_proximal_visit(proximal, follow->now.y, look_at_group, follow, follow->across);
    tact_proximal_visit(proximal, follow->now.y, shift_group, follow, follow->base);
    for (int m = 0; m < follow->changed.count; m++) {
        follow->changed.slot[follow->changed.item[m]] = -1;
    }
    follow->changed.count = 0;
    follow->made = 0;
    follow->factors++;
    if (!tact_proximal_factor(proximal)) {
        return false;
    }
    const TactBlockLu *lu = factor_of(proximal);
    double             blocks = 2 * (double)lu->start[lu->n] + lu->n;
    follow->solve_work = 2 * TACT_BLOCK_ROWS * TACT_BLOCK_ROWS * blocks;
    follow->sign = tact_block_lu_sign(lu);
    follow->first = follow->first == 0 ? follow->sign : follow->first;
    tact_proximal_solve(proximal, follow->across);
    tact_proximal_solve(proximal, follow->base);
    for (int j = 0; j < system->dof; j++) {
        along2 += follow->base[j] * follow->base[j];
        both += follow->across[j] * follow->base[j];
    }
    *usual = *usual < 0 ? along2 : *usual;
    follow->across_t = along2 > 0 ? -both / (along2 + LEAST_LENGTH * *usual) : 0;
    for (int j = 0; j < system->dof; j++) {
        follow->across[j] += follow->across_t * follow->base[j];
    }
    follow->across_p = feel(follow, follow->across, follow->across_t);
    return true;
}

// ---------------------------------------------------------------------------------------------
// States that are others since

/// A_0^-1 C_i of an item whose state changes for the first time, and its products with the others.
static void add_changed(TactPileFollow *follow, int i)
{
    TactPileChanged  *changed = &follow->changed;
    const TactSystem *system = follow->proximal->coupling->system;
    size_t            room = room_of(follow), ld = TACT_PILE_CHANGED_COLUMNS;
    int               m = changed->count++;
    changed->item[m] = i;
    changed->slot[i] = m;
    memcpy(changed->B + 9 * m, follow->proximal->items[i].B, 9 * sizeof(double));
    for (int c = 0; c < 3; c++) {
        double *column = changed->columns + (3 * (size_t)m + (size_t)c) * room;
        double  unit[3] = {c == 0, c == 1, c == 2};
        memset(column, 0, room * sizeof(double));
        tact_system_push(system, i, unit, column);
        tact_proximal_solve(follow->proximal, column);
    }
    for (int j = 0; j <= m; j++) {
        for (int c = 0; c < 3; c++) {
            double own[3], other[3];
            tact_system_pull(system, changed->item[j],
                             changed->columns + (3 * (size_t)m + (size_t)c) * room, other);
            tact_system_pull(system, i, changed->columns + (3 * (size_t)j + (size_t)c) * room, own);
            for (int a = 0; a < 3; a++) {
                changed->G[(3 * (size_t)j + (size_t)a) * ld + 3 * (size_t)m + (size_t)c] = other[a];
                changed->G[(3 * (size_t)m + (size_t)a) * ld + 3 * (size_t)j + (size_t)c] = own[a];
            }
        }
    }
    tact_system_pull(system, i, follow->base, changed->felt + 3 * m);
    for (int c = 0; c < 3; c++) {
        changed->felt[3 * m + c] += follow->r[3 * i + c];
    }
}

/// K = I + dB G and -dB felt, dB = B - B_0.
static void fill_changed(TactPileFollow *follow)
{
    TactPileChanged *changed = &follow->changed;
    int              n = 3 * changed->count;
    size_t           ld = TACT_PILE_CHANGED_COLUMNS;
    for (int m = 0; m < changed->count; m++) {
        const double *B = follow->proximal->items[changed->item[m]].B;
        for (int a = 0; a < 3; a++) {
            double *row = changed->K + (3 * (size_t)m + (size_t)a) * ld, right = 0;
            for (int j = 0; j < n; j++) {
                row[j] = j == 3 * m + a;
            }
            for (int c = 0; c < 3; c++) {
                double        dB = B[3 * a + c] - changed->B[9 * m + 3 * a + c];
                const double *G = changed->G + (3 * (size_t)m + (size_t)c) * ld;
                for (int j = 0; j < n; j++) {
                    row[j] += dB * G[j];
                }
                right -= dB * changed->felt[3 * m + c];
            }
            changed->right[3 * m + a] = right;
        }
    }
}

/// The sign of the determinant of a factor with its permutation, which is put in order.
static int sign_of(int n, const double *LU, int *perm)
{
    int sign = 1;
    for (int k = 0; k < n; k++) {
        sign = LU[(size_t)k * TACT_PILE_CHANGED_COLUMNS + (size_t)k] < 0 ? -sign : sign;
        while (perm[k] != k) {
            int to = perm[k];
            perm[k] = perm[to];
            perm[to] = to;
            sign = -sign;
        }
    }
    return sign;
}

/// The step along the curve with the states that are there; sign: of the determinant. False: it is
/// singular.
static bool find_along(TactPileFollow *follow, int *sign)
{
    TactPileChanged *changed = &follow->changed;
    int              n = 3 * changed->count;
    size_t           room = room_of(follow);
    memcpy(follow->along, follow->base, room * sizeof(double));
    *sign = follow->sign;
    if (n > 0) {
        fill_changed(follow);
        if (tact_lu_factor_small(n, changed->K, TACT_PILE_CHANGED_COLUMNS, changed->perm, 0) >= 0) {
            return false;
        }
        tact_lu_solve(n, changed->K, TACT_PILE_CHANGED_COLUMNS, changed->perm, changed->right,
                      changed->q);
        *sign *= sign_of(n, changed->K, changed->perm);
        for (int k = 0; k < n; k++) {
            const double *column = changed->columns + (size_t)k * room;
            double        q = changed->q[k];
            for (size_t j = 0; j < room; j++) {
                follow->along[j] += q * column[j];
            }
        }
    }
    follow->along_p = feel(follow, follow->along, 1);
    return true;
}

// ---------------------------------------------------------------------------------------------
// Steps

static void copy_point(const TactPileFollow *follow, const TactPileFollowed *from,
                       TactPileFollowed *to)
{
    to->t = from->t;
    to->newest = from->newest;
    memcpy(to->y, from->y, (size_t)dof_of(follow) * sizeof(double));
    memcpy(to->state, from->state, (size_t)items_of(follow) * sizeof(TactPileState));
}

/// A step, its du being there: in y, t and z.
static void take_step(TactPileFollow *follow, const double *dy, double dt, double part)
{
    const TactProximalItem *items = follow->proximal->items;
    for (int j = 0; j < dof_of(follow); j++) {
        follow->now.y[j] += part * dy[j];
    }
    follow->now.t += part * dt;
    for (int i = 0; i < items_of(follow); i++) {
        for (int c = 0; c < 3; c++) {
            follow->z[3 * i + c] -= part * follow->du[3 * i + c] / items[i].k;
        }
    }
}

/// What ends a step along the curve.
typedef enum Ending { AT_STATE, AT_TURN, AT_END } Ending;

/// Goes along the curve, dt < 0 for way = -1, up to the first item that changes its state, or as
/// far as is allowed, or to the end.
static Ending step_along(TactPileFollow *follow, double way)
{
    double        most = follow->along_p > 0 ? REACH * follow->load / follow->along_p : HUGE_VAL;
    bool          ends = way < 0 && follow->now.t <= most;
    double        step = ends ? fmax(0, follow->now.t) : most;
    int           changed = -1, newest = follow->now.newest;
    bool          turns = false;
    TactPileState next = TACT_PILE_OPEN;
    for (int i = 0; i < items_of(follow); i++) {
        const double *z = follow->z + 3 * i;
        double        k = follow->proximal->items[i].k, mu = mu_of(follow, i), d[3];
        TactPileState state = follow->now.state[i], to;
        for (int c = 0; c < 3; c++) {
            d[c] = -way * follow->du[3 * i + c] / k;
        }
        double at = tact_pile_end_of_piece(mu, state, z, d, &to);
        if (at < step && !(i == newest && at < AGAIN)) {
            step = at;
            changed = i;
            next = to;
            turns = false;
        }
        double turn =
            state == TACT_PILE_SLIDES
                ? tact_pile_end_of_turn(mu, z, d, TURN * follow->load, LEAST * follow->load)
                : HUGE_VAL;
        if (turn < step) {
            step = turn;
            changed = -1;
            turns = true;
        }
    }
    take_step(follow, follow->along, 1, way * step);
    follow->now.newest = changed;
    if (changed >= 0) {
        follow->now.state[changed] = next;
        follow->changes++;
        return AT_STATE;
    }
    return ends && !turns ? AT_END : AT_TURN;
}

/// B of an item whose state has changed.
static void change_item(TactPileFollow *follow, int i)
{
    TactProximalItem *item = &follow->proximal->items[i];
    double            p[3];
    if (follow->changed.slot[i] < 0) {
        add_changed(follow, i);
    }
    tact_pile_piece(mu_of(follow, i), follow->now.state[i], item->k, follow->z + 3 * i, p, item->B);
}

/// Steps along the curve with one factor. False: it has been lost.
static bool step_on(TactPileFollow *follow, bool *ends)
{
    *ends = false;
    while (follow->made < follow->reach) {
        int    sign;
        double work = 4 * follow->solve_work + ITEM_WORK * items_of(follow) +
                      6.0 * follow->changed.count * dof_of(follow);
        if (tact_budget_spend(work) || !find_along(follow, &sign)) {
            return false;
        }
        Ending ending = step_along(follow, sign == follow->first ? -1 : 1);
        follow->made++;
        if (ending != AT_STATE) {
            *ends = ending == AT_END;
            return true;
        }
        if (follow->made < follow->reach) {
            change_item(follow, follow->now.newest);
        }
    }
    return true;
}

// ---------------------------------------------------------------------------------------------
// The whole

typedef enum Verdict { ON_CURVE, NEAR_CURVE, OFF_CURVE } Verdict;

/// How far an item is beyond its state at most.
static double measure_beyond(const TactPileFollow *follow)
{
    double worst = 0;
    for (int i = 0; i < items_of(follow); i++) {
        if (i != follow->now.newest) {
            worst = fmax(
                worst, tact_pile_beyond(mu_of(follow, i), follow->now.state[i], follow->z + 3 * i));
        }
    }
    return worst;
}

/// Is the point on the curve, or will a correction bring it there? before: the last correction of
/// so many in a row.
static Verdict judge_point(const TactPileFollow *follow, int corrections, double before)
{
    double load = follow->load, off = follow->across_p;
    if (!(off <= FARTHEST * load) || corrections >= CORRECTIONS ||
        (corrections > 0 && off > CLOSER * before && off > CLOSE * load)) {
        return OFF_CURVE;
    }
    if (off > CLOSE * load) {
        return NEAR_CURVE;
    }
    return measure_beyond(follow) > BEYOND * load ? OFF_CURVE : ON_CURVE;
}

/// Back to the last point, for fewer changes with a factor. False: there was one alone.
static bool go_back(TactPileFollow *follow, int made)
{
    if (made <= 1) {
        return false;
    }
    copy_point(follow, &follow->last, &follow->now);
    follow->reach = made / 4 > 1 ? made / 4 : 1;
    return true;
}

/// The root at the end, by Newton's method.
static bool end_curve(TactPileFollow *follow, double eps)
{
    int steps = 0;
    tact_proximal_set_motion(follow->proximal, follow->now.y);
    return tact_proximal_stage(follow->proximal, eps, EXACT, STAGE_STEPS, &steps);
}

bool tact_pile_follow_run(TactPileFollow *follow, TactProximal *proximal, double eps,
                          const double *p)
{
    int    corrections = 0, made = 0;
    double before = 0, usual = -1;
    bool   ends = false;
    begin_at(follow, proximal, eps, p);
    while (follow->load > 0 && follow->changes < CHANGES && !tact_budget_is_over()) {
        if (!find_base(follow, &usual)) {
            return false;
        }
        Verdict verdict = judge_point(follow, corrections, before);
        if (verdict == OFF_CURVE) {
            if (!go_back(follow, made)) {
                return false;
            }
            made = corrections = 0;
            continue;
        }
        take_step(follow, follow->across, follow->across_t, 1);
        if (verdict == NEAR_CURVE) {
            before = follow->across_p;
            corrections++;
            continue;
        }
        corrections = 0;
        copy_point(follow, &follow->now, &follow->last);
        if (!step_on(follow, &ends)) {
            return false;
        }
        if (ends) {
            return end_curve(follow, eps);
        }
        if (!(follow->now.t < BACK && follow->now.t > PASSED)) {
            return false;
        }
        made = follow->made;
        follow->reach =
            2 * follow->reach < TACT_PILE_CHANGED ? 2 * follow->reach : TACT_PILE_CHANGED;
    }
    return false;
}
