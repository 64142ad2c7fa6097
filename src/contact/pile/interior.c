#include "contact/pile/interior.h"

#include <math.h>
#include <string.h>

#include "base/budget.h"
#include "base/clones.h"
#include "contact/pile/interior_item.h"

static const double START = 10;       // gap of the start, in units of the mean of |U|^2 / w
static const double LAST = 1e-7;      // gap of the end, over that of the start
static const double BACK_OFF = 0.9;   // of the way to the edge of a cone
static const double LEFT_OUT = 0.003; // part of the items that do not hold up the others
static const double SHORT = 0.2;      // step
static const double STUCK = 0.1;      // affine step after which centring comes first
static const double LEAST_SIGMA = 1e-4, STUCK_SIGMA = 0.5;
static const double EXACT = 1e-10;    // residual over the right-hand side that is not refined
static const double ITEM_WORK = 3000; // operations of an item in a step

enum {
    MOST_STEPS = 100,
    FREE_STEPS = 4,  // at the beginning, that may be short
    SHORT_STEPS = 4, // in a row, that end it
    REFINEMENTS = 3,
};

void tact_interior_layout(TactInterior *interior, const TactContactCapacity *capacity,
                          TactArena *arena)
{
    size_t       items = (size_t)capacity->contacts + (size_t)capacity->rows;
    size_t       dof = (size_t)capacity->dof, whole = dof + TACT_BLOCK_ROWS;
    TactInterior lent = {
        .items = tact_arena_take(arena, items, sizeof *lent.items),
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

static void begin_interior(TactInterior *interior, double gap)
{
    const TactCoupling *coupling = interior->proximal->coupling;
    const TactSystem   *system = coupling->system;
    memcpy(interior->y, system->y0, (size_t)system->dof * sizeof(double));
    for (int i = 0; i < system->item_count; i++) {
        tact_interior_begin_item(&system->items[i], coupling->weight[i], gap, &interior->items[i]);
    }
    interior->gap = gap;
    interior->steps = 0;
}

// ---------------------------------------------------------------------------------------------
// One step

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
        bool inside = tact_interior_linearise(&system->items[i], item, B);
        interior->reach[i] = inside ? 0 : NAN;
        tact_interior_impulse(&system->items[i], item, p);
        double minus[3] = {-p[0], -p[1], -p[2]};
        tact_proximal_push(C, group->size, minus, pushed);
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
        tact_interior_aim(&system->items[i], item, interior->target, interior->corrects);
        double minus[3] = {-item->h[0], -item->h[1], -item->h[2]};
        tact_proximal_push(system->columns + system->column[i], group->size, minus, pushed);
    }
}

/// K dy = off + C h with h for x o z = target e, corrected or not.
static void solve(TactInterior *interior, double target, bool corrects)
{
    const TactSystem *system = interior->proximal->coupling->system;
    size_t            size = (size_t)system->dof * sizeof(double);
    interior->target = target;
    interior->corrects = corrects;
    memcpy(interior->right, interior->off, size);
    tact_proximal_visit(interior->proximal, interior->off, aim_group, interior, interior->right);
    memcpy(interior->dy, interior->right, size);
    tact_proximal_solve(interior->proximal, interior->dy);
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
        tact_interior_move_of(&system->items[i], item, du, dp);
    }
}

/// Moves of all items for dy, and the step that all but a few of them can take.
static double find_step(TactInterior *interior, double part)
{
    const TactSystem *system = interior->proximal->coupling->system;
    int               few = (int)(LEFT_OUT * system->item_count);
    tact_proximal_visit(interior->proximal, interior->dy, move_group, interior, NULL);
    for (int i = 0; i < system->item_count; i++) {
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
    if (!linearise(interior) || tact_budget_spend(ITEM_WORK * system->item_count) ||
        !tact_proximal_factor(interior->proximal)) {
        return NAN;
    }
    solve(interior, 0, false); // for a length and products: it need not be exact
    double affine = find_step(interior, 1);
    double ratio = gap_after(interior, affine) / interior->gap;
    double sigma = fmin(fmax(ratio * ratio * ratio, LEAST_SIGMA), 1);
    bool   stuck = affine < STUCK;
    sigma = stuck ? fmax(sigma, STUCK_SIGMA) : sigma;
    for (int i = 0; i < system->item_count && !stuck; i++) {
        tact_interior_keep_affine(&system->items[i], &interior->items[i]);
    }
    solve(interior, sigma * interior->gap, !stuck);
    refine(interior);
    double step = find_step(interior, BACK_OFF);
    if (!isfinite(step) || !isfinite(affine) || !isfinite(sigma)) {
        return NAN;
    }
    for (int j = 0; j < system->dof; j++) {
        interior->y[j] += step * interior->dy[j];
    }
    interior->gap = gap_after(interior, step);
    for (int i = 0; i < system->item_count; i++) {
        tact_interior_take(&interior->items[i], fmin(step, interior->items[i].reach));
    }
    return step;
}

bool tact_interior_run(TactInterior *interior, TactProximal *proximal, double *p)
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
        if (interior->gap < LAST * start || shorts == SHORT_STEPS) {
            break;
        }
    }
    for (int i = 0; i < system->item_count; i++) {
        tact_interior_impulse(&system->items[i], &interior->items[i], p + 3 * i);
    }
    return true;
}
