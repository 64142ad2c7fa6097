#include "contact/pile/interior.h"

#include <math.h>
#include <string.h>

#include "base/budget.h"
#include "base/clones.h"
#include "contact/pile/interior_fours.h"
#include "contact/pile/interior_item.h"
#include "contact/pile/interior_moment.h"

static const double START = 10;            // gap of the start, in units of the mean of |U|^2 / w
static const double LAST = 1e-7;           // gap of the end, over that of the start
static const double LAST_DILATANT = 1e-10; // the same of contacts that lift
static const double BACK_OFF = 0.9;        // of the way to the edge of a cone
static const double LEFT_OUT = 0.003;      // part of the items that do not hold up the others
static const double SHORT = 0.2;           // step
static const double STUCK = 0.1;           // affine step after which centring comes first
static const double LEAST_SIGMA = 1e-4, STUCK_SIGMA = 0.5;
static const double EXACT = 1e-10;    // residual over the right-hand side that is not refined
static const double ITEM_WORK = 3000; // operations of an item in a step

enum {
    MOST_STEPS = 100,
    FREE_STEPS = 4,  // at the beginning, that may be short
    SHORT_STEPS = 4, // in a row, that end it
    REFINEMENTS = 3,
    LANES = TACT_INTERIOR_LANES,
};

void tact_interior_layout(TactInterior *interior, const TactContactCapacity *capacity,
                          TactArena *arena)
{
    size_t       items = (size_t)capacity->contacts + (size_t)capacity->rows;
    size_t       dof = (size_t)capacity->dof, whole = dof + TACT_BLOCK_ROWS;
    TactInterior lent = {
        .fours = tact_arena_take(arena, (items + LANES - 1) / LANES, sizeof *lent.fours),
        .items = tact_arena_take(arena, items, sizeof *lent.items),
        .others = tact_arena_take(arena, items, sizeof(int)),
        .y = tact_arena_take(arena, dof, sizeof(double)),
        .dy = tact_arena_take(arena, whole, sizeof(double)),
        .right = tact_arena_take(arena, dof, sizeof(double)),
        .off = tact_arena_take(arena, dof, sizeof(double)),
        .residual = tact_arena_take(arena, whole, sizeof(double)),
        .reach = tact_arena_take(arena, items, sizeof(double)),
    };
    if (arena->block) {
        *interior = lent;
    }
}

// ---------------------------------------------------------------------------------------------
// Start

/// What would be left of the free motion without the contact, squared, over its weight.
static double start_gap(const TactCoupling *coupling)
{
    const TactSystem *system = coupling->system;
    double            sum = 0;
    for (int i = 0; i < system->item_count; i++) {
        const double *b = system->b + 3 * i;
        double        into = fmin(b[0], 0);
        sum += (into * into + b[1] * b[1] + b[2] * b[2]) / coupling->weight[i];
    }
    return system->item_count > 0 ? START * sum / system->item_count : 0;
}

static bool is_moment(const TactSystem *system, int i)
{
    return system->items[i].kind == TACT_ITEM_MOMENT;
}

static void begin_interior(TactInterior *interior, double gap)
{
    const TactCoupling *coupling = interior->proximal->coupling;
    const TactSystem   *system = coupling->system;
    memcpy(interior->y, system->y0, (size_t)system->dof * sizeof(double));
    interior->by_fours = !system->has_moments; // moments listen to their contacts, one by one
    if (interior->by_fours) {
        tact_interior_fours_begin(interior, gap);
    }
    for (int i = 0; i < system->item_count && !interior->by_fours; i++) {
        if (is_moment(system, i)) {
            TactInteriorMoment moment = tact_interior_moment(interior, i);
            tact_interior_moment_begin(&moment, gap);
            continue;
        }
        tact_interior_begin_item(&system->items[i], coupling->weight[i], gap, &interior->items[i]);
    }
    interior->gap = gap;
    interior->steps = 0;
}

// ---------------------------------------------------------------------------------------------
// One step

/// B of a moment, whose first column becomes what its load listens to.
static bool linearise_moment(const TactInterior *interior, int i, double B[9])
{
    const TactSystem  *system = interior->proximal->coupling->system;
    TactInteriorMoment moment = tact_interior_moment(interior, i);
    tact_interior_moment_listen(&moment, system->columns + system->column[system->items[i].owner],
                                system->groups[system->items[i].group].size,
                                system->columns + system->column[i]);
    return tact_interior_moment_linearise(&moment, B);
}

/// The first column of every moment is the normal of its contact again.
static void restore_normals(const TactSystem *system)
{
    for (int i = 0; i < system->item_count && system->has_moments; i++) {
        if (is_moment(system, i)) {
            memcpy(system->columns + system->column[i],
                   system->columns + system->column[system->items[i].owner],
                   (size_t)system->groups[system->items[i].group].size * sizeof(double));
        }
    }
}

/// Scaling of the items of a group, their B, and what y and z miss.
TACT_CLONES static void linearise_group(void *context, int g, const double *y, double *pushed)
{
    TactInterior        *interior = context;
    const TactSystem    *system = interior->proximal->coupling->system;
    const TactItemGroup *group = &system->groups[g];
    for (int i = group->first; i < group->first + group->count; i++) {
        TactInteriorItem *item = &interior->items[i];
        const double     *C = system->columns + system->column[i];
        double            p[3], *B = interior->proximal->items[i].B;
        tact_proximal_pull(C, group->size, y, item->u);
        for (int c = 0; c < 3; c++) {
            item->u[c] += system->e[3 * i + c];
        }
        bool inside = is_moment(system, i) ? linearise_moment(interior, i, B)
                                           : tact_interior_linearise(&system->items[i], item, B);
        interior->reach[i] = inside ? 0 : NAN;
        tact_interior_impulse(&system->items[i], item, p);
        double minus[3] = {-p[0], -p[1], -p[2]};
        tact_proximal_push(C, group->size, minus, pushed);
    }
}

/// Less what p, or h, of an item does to the motion.                           of: (3 x LANES)
TACT_PROXIMAL_INLINE void push_less(const TactSystem *system, int i, int size, const double *of,
                                    double *pushed)
{
    const double *own = of + i % LANES;
    double        minus[3] = {-own[0], -own[LANES], -own[2 * LANES]};
    tact_proximal_push(system->columns + system->column[i], size, minus, pushed);
}

/// u of the items of a group, and less what they push.
TACT_CLONES static void pull_fours(void *context, int g, const double *y, double *pushed)
{
    TactInterior        *interior = context;
    const TactSystem    *system = interior->proximal->coupling->system;
    const TactItemGroup *group = &system->groups[g];
    for (int i = group->first; i < group->first + group->count; i++) {
        TactInteriorFour *four = &interior->fours[i / LANES];
        double            u[3];
        tact_proximal_pull(system->columns + system->column[i], group->size, y, u);
        for (int c = 0; c < 3; c++) {
            four->u[c][i % LANES] = u[c] + system->e[3 * i + c];
        }
        push_less(system, i, group->size, four->p[0], pushed);
    }
}

/// False if x or z of an item has left its cone.
static bool linearise(TactInterior *interior)
{
    const TactSystem *system = interior->proximal->coupling->system;
    bool              inside = true;
    for (int j = 0; j < system->dof; j++) {
        interior->off[j] = system->y0[j] - interior->y[j];
    }
    if (interior->by_fours) {
        tact_interior_fours_impulses(interior);
        tact_proximal_visit(interior->proximal, interior->y, pull_fours, interior, interior->off);
        return tact_interior_fours_linearise(interior);
    }
    tact_proximal_visit(interior->proximal, interior->y, linearise_group, interior, interior->off);
    for (int i = 0; i < system->item_count; i++) {
        inside = inside && !isnan(interior->reach[i]);
    }
    return inside;
}

/// What B du of the items of a group pushes, du = C'dy.
TACT_CLONES static void multiply_group(void *context, int g, const double *dy, double *pushed)
{
    const TactInterior  *interior = context;
    const TactSystem    *system = interior->proximal->coupling->system;
    const TactItemGroup *group = &system->groups[g];
    for (int i = group->first; i < group->first + group->count; i++) {
        const double *C = system->columns + system->column[i];
        const double *B = interior->proximal->items[i].B;
        double        du[3], dp[3];
        tact_proximal_pull(C, group->size, dy, du);
        for (int c = 0; c < 3; c++) {
            dp[c] = B[3 * c] * du[0] + B[3 * c + 1] * du[1] + B[3 * c + 2] * du[2];
        }
        tact_proximal_push(C, group->size, dp, pushed);
    }
}

/// residual = right - K dy. Returns its square.
static double find_residual(TactInterior *interior)
{
    const TactSystem *system = interior->proximal->coupling->system;
    double            sum = 0;
    for (int j = 0; j < system->dof; j++) {
        interior->residual[j] = interior->right[j] - interior->dy[j];
    }
    tact_proximal_visit(interior->proximal, interior->dy, multiply_group, interior,
                        interior->residual);
    for (int j = 0; j < system->dof; j++) {
        sum += interior->residual[j] * interior->residual[j];
    }
    return sum;
}

/// h of the items of a group, and what it pushes.
static void aim_group(void *context, int g, const double *own, double *pushed)
{
    TactInterior        *interior = context;
    const TactSystem    *system = interior->proximal->coupling->system;
    const TactItemGroup *group = &system->groups[g];
    (void)own;
    for (int i = group->first; i < group->first + group->count; i++) {
        TactInteriorItem *item = &interior->items[i];
        if (is_moment(system, i)) {
            TactInteriorMoment moment = tact_interior_moment(interior, i);
            tact_interior_moment_aim(&moment, interior->target, interior->corrects);
        } else {
            tact_interior_aim(&system->items[i], item, interior->target, interior->corrects);
        }
        double minus[3] = {-item->h[0], -item->h[1], -item->h[2]};
        tact_proximal_push(system->columns + system->column[i], group->size, minus, pushed);
    }
}

/// Less what h of the items of a group pushes.
TACT_CLONES static void aim_fours(void *context, int g, const double *own, double *pushed)
{
    TactInterior        *interior = context;
    const TactSystem    *system = interior->proximal->coupling->system;
    const TactItemGroup *group = &system->groups[g];
    (void)own;
    for (int i = group->first; i < group->first + group->count; i++) {
        push_less(system, i, group->size, interior->fours[i / LANES].h[0], pushed);
    }
}

/// dy = off + C h with h for x o z = target e, corrected or not: what K dy has to be.
static void set_right(TactInterior *interior, double target, bool corrects)
{
    const TactSystem *system = interior->proximal->coupling->system;
    size_t            size = (size_t)system->dof * sizeof(double);
    interior->target = target;
    interior->corrects = corrects;
    memcpy(interior->right, interior->off, size);
    if (interior->by_fours) {
        tact_interior_fours_aim(interior);
    }
    tact_proximal_visit(interior->proximal, interior->off,
                        interior->by_fours ? aim_fours : aim_group, interior, interior->right);
    memcpy(interior->dy, interior->right, size);
}

/// dy is refined while it is not exact, and that halves the residual.
static void refine(TactInterior *interior)
{
    const TactSystem *system = interior->proximal->coupling->system;
    double            right2 = 0, before = find_residual(interior);
    for (int j = 0; j < system->dof; j++) {
        right2 += interior->right[j] * interior->right[j];
    }
    for (int k = 0; k < REFINEMENTS && before > EXACT * EXACT * right2; k++) {
        tact_proximal_solve(interior->proximal, interior->residual);
        for (int j = 0; j < system->dof; j++) {
            interior->dy[j] += interior->residual[j];
        }
        double after = find_residual(interior);
        if (!(after < 0.25 * before)) {
            break;
        }
        before = after;
    }
}

/// The k-th smallest of reach (0: the smallest); they are put into another order.
static double select_reach(double *reach, int count, int k)
{
    int low = 0, high = count - 1;
    while (low < high) {
        double pivot = reach[low + (high - low) / 2];
        int    a = low, b = high;
        while (a <= b) {
            while (reach[a] < pivot) {
                a++;
            }
            while (reach[b] > pivot) {
                b--;
            }
            if (a <= b) {
                double other = reach[a];
                reach[a++] = reach[b];
                reach[b--] = other;
            }
        }
        if (k <= b) {
            high = b;
        } else if (k >= a) {
            low = a;
        } else {
            break;
        }
    }
    return reach[k];
}

/// Moves of the items of a group for dy.
TACT_CLONES static void move_group(void *context, int g, const double *dy, double *pushed)
{
    TactInterior        *interior = context;
    const TactSystem    *system = interior->proximal->coupling->system;
    const TactItemGroup *group = &system->groups[g];
    (void)pushed;
    for (int i = group->first; i < group->first + group->count; i++) {
        TactInteriorItem *item = &interior->items[i];
        const double     *B = interior->proximal->items[i].B;
        double            du[3], dp[3];
        tact_proximal_pull(system->columns + system->column[i], group->size, dy, du);
        for (int c = 0; c < 3; c++) {
            const double *row = B + 3 * c;
            dp[c] = item->h[c] - (row[0] * du[0] + row[1] * du[1] + row[2] * du[2]);
        }
        if (is_moment(system, i)) {
            TactInteriorMoment moment = tact_interior_moment(interior, i);
            tact_interior_moment_move(&moment, du, dp);
        } else {
            tact_interior_move_of(&system->items[i], item, du, dp);
        }
    }
}

/// du of the items of a group for dy.
TACT_CLONES static void move_fours(void *context, int g, const double *dy, double *pushed)
{
    TactInterior        *interior = context;
    const TactSystem    *system = interior->proximal->coupling->system;
    const TactItemGroup *group = &system->groups[g];
    (void)pushed;
    for (int i = group->first; i < group->first + group->count; i++) {
        TactInteriorFour *four = &interior->fours[i / LANES];
        double            du[3];
        tact_proximal_pull(system->columns + system->column[i], group->size, dy, du);
        for (int c = 0; c < 3; c++) {
            four->du[c][i % LANES] = du[c];
        }
    }
}

/// Moves of all items for dy, and the step that all but a few of them can take.
static double find_step(TactInterior *interior, double part)
{
    const TactSystem *system = interior->proximal->coupling->system;
    int               few = (int)(LEFT_OUT * system->item_count);
    tact_proximal_visit(interior->proximal, interior->dy,
                        interior->by_fours ? move_fours : move_group, interior, NULL);
    if (interior->by_fours && !tact_interior_fours_move(interior, part)) {
        return NAN;
    }
    for (int i = 0; i < system->item_count && !interior->by_fours; i++) {
        TactInteriorItem *item = &interior->items[i];
        item->reach = part * item->reach;
        interior->reach[i] = item->reach;
        if (!(item->reach >= 0)) {
            return NAN;
        }
    }
    return fmin(1, select_reach(interior->reach, system->item_count, few));
}

/// Mean of x'z after a step.
static double gap_after(const TactInterior *interior, double step)
{
    const TactSystem *system = interior->proximal->coupling->system;
    double            sum = 0, count = 0;
    if (interior->by_fours) {
        return tact_interior_fours_gap(interior, step);
    }
    for (int i = 0; i < system->item_count; i++) {
        const TactInteriorItem *item = &interior->items[i];
        double                  own = fmin(step, item->reach);
        count += tact_interior_gap(&system->items[i], item, own, &sum);
    }
    return sum / count;
}

/// One step of Mehrotra's predictor and corrector. Returns its length; NaN: none.
static double make_step(TactInterior *interior)
{
    const TactSystem *system = interior->proximal->coupling->system;
    if (!linearise(interior) || tact_budget_spend(ITEM_WORK * system->item_count)) {
        return NAN;
    }
    set_right(interior, 0, false);
    if (!tact_proximal_factor_and_solve(interior->proximal, interior->dy)) {
        return NAN;
    }
    // That was for a length and products: it need not be exact.
    double affine = find_step(interior, 1);
    double ratio = gap_after(interior, affine) / interior->gap;
    double sigma = fmin(fmax(ratio * ratio * ratio, LEAST_SIGMA), 1);
    bool   stuck = affine < STUCK;
    sigma = stuck ? fmax(sigma, STUCK_SIGMA) : sigma;
    for (int i = 0; i < system->item_count && !stuck && !interior->by_fours; i++) {
        tact_interior_keep_affine(&system->items[i], &interior->items[i]);
    }
    set_right(interior, sigma * interior->gap, !stuck);
    tact_proximal_solve(interior->proximal, interior->dy);
    refine(interior);
    double step = find_step(interior, BACK_OFF);
    if (!isfinite(step) || !isfinite(affine) || !isfinite(sigma)) {
        return NAN;
    }
    for (int j = 0; j < system->dof; j++) {
        interior->y[j] += step * interior->dy[j];
    }
    interior->gap = gap_after(interior, step);
    if (interior->by_fours) {
        tact_interior_fours_take(interior, step);
    }
    for (int i = 0; i < system->item_count && !interior->by_fours; i++) {
        tact_interior_take(&interior->items[i], fmin(step, interior->items[i].reach));
    }
    return step;
}

/// From nothing to a gap of last times the first one.
static bool run_to(TactInterior *interior, TactProximal *proximal, double last, double *p)
{
    const TactSystem *system = proximal->coupling->system;
    double            start = start_gap(proximal->coupling);
    interior->proximal = proximal;
    memset(p, 0, 3 * (size_t)system->item_count * sizeof(double));
    if (!(start > 0) || !isfinite(start)) {
        memcpy(interior->y, system->y0, (size_t)system->dof * sizeof(double));
        return false;
    }
    begin_interior(interior, start);
    for (int shorts = 0; interior->steps < MOST_STEPS; interior->steps++) {
        double step = make_step(interior);
        if (!isfinite(step)) {
            break;
        }
        shorts = step < SHORT && interior->steps >= FREE_STEPS ? shorts + 1 : 0;
        if (interior->gap < last * start || shorts == SHORT_STEPS) {
            break;
        }
    }
    restore_normals(system);
    if (interior->by_fours) {
        tact_interior_fours_impulses(interior);
    }
    for (int i = 0; i < system->item_count; i++) {
        const TactInteriorFour *four = &interior->fours[i / LANES];
        for (int c = 0; c < 3 && interior->by_fours; c++) {
            p[3 * i + c] = four->p[c][i % LANES];
        }
        if (!interior->by_fours) {
            tact_interior_impulse(&system->items[i], &interior->items[i], p + 3 * i);
        }
    }
    return true;
}

bool tact_interior_run(TactInterior *interior, TactProximal *proximal, double *p)
{
    interior->dilatancy = 0;
    interior->slip = NULL;
    return run_to(interior, proximal, LAST, p);
}

bool tact_interior_run_dilatant(TactInterior *interior, TactProximal *proximal, double dilatancy,
                                const double *slip, double *p)
{
    interior->dilatancy = dilatancy;
    interior->slip = slip;
    return run_to(interior, proximal, LAST_DILATANT, p);
}
