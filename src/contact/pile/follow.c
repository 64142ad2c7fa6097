#include "contact/pile/follow.h"

#include <math.h>
#include <string.h>

#include "base/budget.h"
#include "base/clones.h"

static const double REACH = 2;      // change of an impulse in a step, in loads
static const double TURN = 0.05;    // what the turn of a slip may do to an impulse, in loads
static const double LEAST = 1e-9;   // of a load: one that makes no turn
static const double AGAIN = 1e-9;   // a state does not change back within that
static const double ON_EDGE = 1e-9; // of its radius: an impulse there slides
static const double BACK = 30;      // t: the curve does not come to its end from there
static const double STALE = 0.1;    // of 1 / k: a change of B that the matrix has to know of
static const double CLOSE = 1e-4;   // |rho| over |y - y0| from which Newton's method goes on
static const double EXACT = 1e-10;  // of the stage at the end

// Operations of a change: of an item, and of a block of the factor.
static const double ITEM_WORK = 400, BLOCK_WORK = 200;

enum {
    CHANGES = 400,   // of a curve,
    STALLED = 140,   //   in which t has not come to less than before,
    MADE = 30,       //   with one factor,
    UNSEEN = 6,      //   from one rho to the next
    STAGE_STEPS = 12 // at the end
};

void tact_pile_follow_layout(TactPileFollow *follow, const TactContactCapacity *capacity,
                             TactArena *arena)
{
    size_t         items = (size_t)capacity->contacts + (size_t)capacity->rows;
    size_t         nodes = ((size_t)capacity->dof + TACT_BLOCK_ROWS - 1) / TACT_BLOCK_ROWS;
    size_t         dof = TACT_BLOCK_ROWS * nodes;
    TactPileFollow lent = {
        .y = tact_arena_take(arena, dof, sizeof(double)),
        .r = tact_arena_take(arena, 3 * items, sizeof(double)),
        .rho = tact_arena_take(arena, dof, sizeof(double)),
        .shift = tact_arena_take(arena, dof, sizeof(double)),
        .base = tact_arena_take(arena, dof, sizeof(double)),
        .along = tact_arena_take(arena, dof, sizeof(double)),
        .half = tact_arena_take(arena, dof, sizeof(double)),
    };
    tact_pile_fours_layout(&lent.fours, items, arena);
    tact_pile_changed_layout(&lent.changed, capacity, arena);
    if (arena->block) {
        *follow = lent;
    }
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

/// An item at the beginning: its spring, its place in the fours, and r.
static void begin_item(TactPileFollow *follow, int i, double eps, const double p[3])
{
    const TactProximal *proximal = follow->proximal;
    const TactSystem   *system = proximal->coupling->system;
    TactPileFours      *fours = &follow->fours;
    TactProximalItem   *item = &proximal->items[i];
    double              u[3], z[3], *r = follow->r + 3 * i;
    item->k = eps * proximal->coupling->weight[i];
    memcpy(item->centre, p, sizeof item->centre);
    fours->stiffness[i] = 1 / item->k;
    fours->mu[i] = proximal->coupling->cones[i].mu;
    tact_system_pull(system, i, follow->y, u);
    for (int c = 0; c < 3; c++) {
        u[c] += system->e[3 * i + c];
    }
    fours->state[i] = find_shift(fours->mu[i], p, u, r);
    for (int c = 0; c < 3; c++) {
        z[c] = p[c] - fours->stiffness[i] * (u[c] + r[c]);
    }
    tact_pile_four_set(fours->z, i, z);
}

static void begin_at(TactPileFollow *follow, TactProximal *proximal, double eps, const double *p)
{
    const TactSystem *system = proximal->coupling->system;
    int               count = 0;
    follow->proximal = proximal;
    follow->load = 0;
    memcpy(follow->y, system->y0, (size_t)system->dof * sizeof(double));
    for (int i = 0; i < system->item_count; i++) {
        tact_system_push(system, i, p + 3 * i, follow->y);
        follow->load += p[3 * i] > 0 ? p[3 * i] : 0;
        count += p[3 * i] > 0;
    }
    follow->load /= count > 0 ? count : 1;
    tact_pile_fours_begin(&follow->fours, system->item_count);
    for (int i = 0; i < system->item_count; i++) {
        begin_item(follow, i, eps, p + 3 * i);
    }
    follow->t = follow->least = 1;
    follow->newest = -1;
    follow->first = follow->since = 0;
    follow->changes = follow->factors = 0;
}

// ---------------------------------------------------------------------------------------------
// The matrix

static TactPileState state_of(const TactPileFollow *follow, int i)
{
    return (TactPileState)follow->fours.state[i];
}

/// p and B of an item.
static void find_piece(const TactPileFollow *follow, int i, double p[3], double B[9])
{
    double z[3];
    tact_pile_four_get(follow->fours.z, i, z);
    tact_pile_piece(follow->fours.mu[i], state_of(follow, i), follow->proximal->items[i].k, z, p,
                    B);
}

/// B of the items of a group, and what r does to them: it pushes with B r.
static void shift_group(void *context, int g, const double *own, double *pushed)
{
    const TactPileFollow *follow = context;
    const TactSystem     *system = follow->proximal->coupling->system;
    const TactItemGroup  *group = &system->groups[g];
    (void)own;
    for (int i = group->first; i < group->first + group->count; i++) {
        double *B = follow->proximal->items[i].B, p[3], change[3];
        find_piece(follow, i, p, B);
        if (state_of(follow, i) != TACT_PILE_OPEN) {
            tact_pile_times(B, follow->r + 3 * i, change);
            tact_proximal_push(system->columns + system->column[i], group->size, change, pushed);
        }
    }
}

/// Factors the matrix of the states that are there. False: no factor.
static bool find_base(TactPileFollow *follow)
{
    TactProximal *proximal = follow->proximal;
    memset(follow->along, 0, room_of(follow) * sizeof(double));
    tact_proximal_visit(proximal, follow->y, shift_group, follow, follow->along);
    follow->factors++;
    follow->made = 0;
    if (!tact_proximal_factor(proximal)) {
        return false;
    }
    tact_pile_changed_begin(&follow->changed, proximal);
    const TactBlockLu *lu = follow->changed.lu;
    double             blocks = 2 * (double)lu->start[lu->n] + lu->n;
    follow->work = ITEM_WORK * items_of(follow) + BLOCK_WORK * blocks;
    follow->sign = tact_block_lu_sign(lu);
    follow->first = follow->first == 0 ? follow->sign : follow->first;
    tact_block_lu_solve_half(lu, follow->along, follow->shift);
    return true;
}

/// What the items of a group push with the impulses of their pieces.
TACT_CLONES static void push_group(void *context, int g, const double *own, double *pushed)
{
    const TactPileFollow *follow = context;
    const TactSystem     *system = follow->proximal->coupling->system;
    const TactItemGroup  *group = &system->groups[g];
    (void)own;
    for (int i = group->first; i < group->first + group->count; i++) {
        if (state_of(follow, i) != TACT_PILE_OPEN) {
            double p[3], B[9];
            find_piece(follow, i, p, B);
            tact_proximal_push(system->columns + system->column[i], group->size, p, pushed);
        }
    }
}

/// rho = (y - y0 - C P(z)) / t: the point is on the curve of that rho. Returns |rho| / |y - y0|.
static double find_rho(TactPileFollow *follow)
{
    const TactSystem *system = follow->proximal->coupling->system;
    double            sum = 0, moved = 0;
    for (int j = 0; j < system->dof; j++) {
        follow->rho[j] = follow->y[j] - system->y0[j];
        moved += follow->rho[j] * follow->rho[j];
    }
    tact_proximal_visit(follow->proximal, follow->y, push_group, follow, follow->rho);
    for (int j = 0; j < system->dof; j++) {
        follow->rho[j] /= follow->t;
        sum += follow->rho[j] * follow->rho[j];
    }
    return sum == 0 ? 0 : sqrt(sum / moved);
}

/// The curve goes on with the rho that is there.
static void take_rho(TactPileFollow *follow)
{
    size_t dof = (size_t)dof_of(follow);
    memset(follow->rho + dof, 0, (room_of(follow) - dof) * sizeof(double));
    tact_block_lu_solve_half(follow->changed.lu, follow->rho, follow->half);
    for (size_t j = 0; j < room_of(follow); j++) {
        follow->base[j] = follow->shift[j] + follow->half[j];
    }
    follow->unseen = 0;
}

/// The step along the curve with the matrix that is there, for dt = 1.
static void find_along(TactPileFollow *follow)
{
    memcpy(follow->half, follow->base, room_of(follow) * sizeof(double));
    tact_pile_changed_solve(&follow->changed, follow->r, follow->half, follow->along);
}

/// B of an item becomes that of its state. False: there is no room for one more.
static bool change_item(TactPileFollow *follow, int i)
{
    double p[3], B[9];
    find_piece(follow, i, p, B);
    return tact_pile_change(&follow->changed, i, B, &follow->sign);
}

/// The same of all slips that have turned, or grown, much since the matrix knew of them.
static bool change_stale(TactPileFollow *follow)
{
    for (int i = 0; i < items_of(follow); i++) {
        const double *known = follow->proximal->items[i].B;
        double        p[3], B[9], off = 0;
        if (state_of(follow, i) != TACT_PILE_SLIDES) {
            continue;
        }
        find_piece(follow, i, p, B);
        for (int e = 0; e < 9; e++) {
            off = fmax(off, fabs(B[e] - known[e]));
        }
        if (off > STALE * follow->fours.stiffness[i] && !change_item(follow, i)) {
            return false;
        }
    }
    return true;
}

// ---------------------------------------------------------------------------------------------
// Steps

/// Which way the curve goes: what a step of it does to z.
typedef struct Feeling {
    const TactPileFollow *follow;
    double                way;
} Feeling;

TACT_CLONES static void feel_group(void *context, int g, const double *own, double *pushed)
{
    const Feeling       *feeling = context;
    const TactPileFours *fours = &feeling->follow->fours;
    const TactSystem    *system = feeling->follow->proximal->coupling->system;
    const TactItemGroup *group = &system->groups[g];
    (void)pushed;
    for (int i = group->first; i < group->first + group->count; i++) {
        double d[3];
        tact_proximal_pull(system->columns + system->column[i], group->size, own, d);
        for (int c = 0; c < 3; c++) {
            d[c] = -feeling->way * (d[c] + feeling->follow->r[3 * i + c]) * fours->stiffness[i];
        }
        tact_pile_four_set(fours->d, i, d);
    }
}

static void take_step(TactPileFollow *follow, double way, double step)
{
    for (int j = 0; j < dof_of(follow); j++) {
        follow->y[j] += way * step * follow->along[j];
    }
    follow->t += way * step;
    tact_pile_fours_take(&follow->fours, step);
}

/// What ends a step along the curve.
typedef enum Ending { AT_STATE, AT_BOUND, AT_END, AT_NOTHING } Ending;

/// Goes along the curve up to the first item that changes its state, or as far as is allowed, or to
/// the end; item: where that is.
static Ending step_along(TactPileFollow *follow, int *item)
{
    TactPileBounds bounds = {.reach = REACH * follow->load,
                             .turn = TURN * follow->load,
                             .least = LEAST * follow->load,
                             .newest = follow->newest,
                             .again = AGAIN};
    double         way = follow->sign == follow->first ? -1 : 1, z[3], d[3];
    double         step = way < 0 ? fmax(0, follow->t) : HUGE_VAL;
    Feeling        feeling = {follow, way};
    TactPileState  next;
    bool           bounded = false;
    tact_proximal_visit(follow->proximal, follow->along, feel_group, &feeling, NULL);
    *item = tact_pile_fours_stop(&follow->fours, &bounds, &step, &bounded);
    if (*item < 0 && way > 0) {
        return AT_NOTHING;
    }
    if (*item >= 0) {
        tact_pile_four_get(follow->fours.z, *item, z);
        tact_pile_four_get(follow->fours.d, *item, d);
    }
    take_step(follow, way, step);
    follow->newest = -1;
    if (*item < 0) {
        return AT_END;
    }
    if (!bounded) {
        tact_pile_end_of_piece(follow->fours.mu[*item], state_of(follow, *item), z, d, &next);
        follow->fours.state[*item] = next;
        follow->newest = *item;
        follow->changes++;
    }
    return bounded ? AT_BOUND : AT_STATE;
}

// ---------------------------------------------------------------------------------------------
// The whole

/// What a way along the curve with one factor comes to.
typedef enum Way { WAY_ENDS, WAY_GOES_ON, WAY_LOST } Way;

/// Does it come nearer, and is there anything left to spend?
static bool is_worth_it(TactPileFollow *follow)
{
    follow->since = follow->t < follow->least ? 0 : follow->since + 1;
    follow->least = fmin(follow->t, follow->least);
    return follow->t < BACK && follow->since <= STALLED && follow->changes < CHANGES &&
           !tact_budget_spend(follow->work + follow->changed.work);
}

/// The matrix after a step, and rho where it is time for it. False: there is no room, and a new
/// factor has to be made.
static bool go_on(TactPileFollow *follow, Ending ending, int item)
{
    int sign = follow->sign;
    if (++follow->made == MADE || !change_item(follow, item)) {
        return false;
    }
    bool folds = follow->sign != sign; // or seems to, where slips are not what they were
    if (folds && !change_stale(follow)) {
        return false;
    }
    if (++follow->unseen == UNSEEN || folds || ending == AT_BOUND) {
        tact_budget_spend(follow->work);
        find_rho(follow);
        take_rho(follow);
    }
    return true;
}

/// Steps along the curve with one factor.
static Way go_along(TactPileFollow *follow)
{
    while (is_worth_it(follow)) {
        int item;
        find_along(follow);
        Ending ending = step_along(follow, &item);
        if (ending == AT_END) {
            return WAY_ENDS;
        }
        if (ending == AT_NOTHING) {
            return WAY_LOST;
        }
        if (!go_on(follow, ending, item)) {
            return WAY_GOES_ON;
        }
    }
    return WAY_LOST;
}

/// Begins again at the end of a curve with what slips have left there: a curve without r, t = 1.
/// Returns |rho| / |y - y0|.
static double begin_again(TactPileFollow *follow)
{
    follow->t = follow->least = 1;
    follow->since = follow->first = 0;
    memset(follow->r, 0, 3 * (size_t)items_of(follow) * sizeof(double));
    return find_rho(follow);
}

/// The root at the end, by Newton's method.
static bool end_curve(TactPileFollow *follow, double eps)
{
    int steps = 0;
    tact_proximal_set_motion(follow->proximal, follow->y);
    return tact_proximal_stage(follow->proximal, eps, EXACT, STAGE_STEPS, &steps);
}

bool tact_pile_follow_run(TactPileFollow *follow, TactProximal *proximal, double eps,
                          const double *p)
{
    begin_at(follow, proximal, eps, p);
    Way way = follow->load > 0 ? WAY_GOES_ON : WAY_LOST;
    while (way != WAY_LOST) {
        if (way == WAY_ENDS && begin_again(follow) <= CLOSE) {
            return end_curve(follow, eps);
        }
        if (!find_base(follow)) {
            return false;
        }
        find_rho(follow);
        take_rho(follow);
        way = go_along(follow);
    }
    return false;
}
