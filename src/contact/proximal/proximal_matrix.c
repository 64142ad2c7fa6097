// The linear system of a step: (I + sum_i C_i B_i C_i') dy, in blocks of six dofs.
#include <math.h>
#include <string.h>

#include "base/budget.h"
#include "contact/proximal/proximal_internal.h"

// What a path may cost altogether, in floating-point operations: some four seconds. It is counted
// and not timed, so that the same problem has the same answer.
static const double BUDGET = 6e10;
static const double ITEM_WORK = 4000; // of an item in a step: laws along the line, matrix
enum { LEAST_STEPS = 60, MOST_STEPS = 5000 };

static void assemble_step(TactProximal *proximal)
{
    const TactSystem *system = proximal->coupling->system;
    tact_block_lu_clear(proximal->loaded.factor);
    for (int g = 0; g < system->group_count; g++) {
        const TactItemGroup *group = &system->groups[g];
        if (!proximal->loaded.groups.marked[g]) {
            continue;
        }
        memset(proximal->sum, 0, (size_t)(group->size * group->size) * sizeof(double));
        for (int i = group->first; i < group->first + group->count; i++) {
            tact_blocks_add_item(system->columns + system->column[i], proximal->items[i].B, 1,
                                 group->size, proximal->sum);
        }
        tact_blocks_scatter(proximal->loaded.factor, system->support + group->support, group->size,
                            proximal->sum);
    }
}

/// Doubles from one B of the items to the next.
enum { B_STRIDE = sizeof(TactProximalItem) / sizeof(double) };

/// Makes the factor ready for the groups that have a B: many contacts of a heap that falls are
/// open, and bodies that nothing couples are no neighbours. False: there is no room.
static bool shape_step(TactProximal *proximal, double *work)
{
    const TactSystem *system = proximal->coupling->system;
    const double     *B = proximal->items[0].B;
    if (proximal->is_many) {
        return tact_many_shape(proximal->many, B, B_STRIDE, work);
    }
    TactProximalLoaded *loaded = &proximal->loaded;
    TactLoadedGroups   *groups = &loaded->groups;
    tact_blocks_mark_loaded(system, B, B_STRIDE, groups);
    loaded->factor = groups->count == system->group_count ? &proximal->lu : &loaded->lu;
    if (loaded->factor == &loaded->lu && (groups->changed || loaded->lu.shaped == 0) &&
        !tact_blocks_shape_part(&loaded->lu, system, groups->marked)) {
        return false;
    }
    *work = tact_block_lu_work(loaded->factor);
    return true;
}

/// Shapes a factor and counts it; false: there is none left.
static bool begin_factor(TactProximal *proximal)
{
    double work = 0;
    if (proximal->steps >= proximal->most || !shape_step(proximal, &work) ||
        tact_budget_spend(work)) {
        return false;
    }
    proximal->steps++;
    return true;
}

bool tact_proximal_factor(TactProximal *proximal)
{
    if (!begin_factor(proximal)) {
        return false;
    }
    if (proximal->is_many) {
        return tact_many_factor(proximal->many, proximal->items[0].B, B_STRIDE);
    }
    assemble_step(proximal);
    return tact_block_lu_factor(proximal->loaded.factor);
}

void tact_proximal_solve(const TactProximal *proximal, double *x)
{
    int dof = proximal->coupling->system->dof;
    if (proximal->is_many) {
        tact_many_solve(proximal->many, x);
        return;
    }
    memset(x + dof, 0, (size_t)(TACT_BLOCK_ROWS * proximal->lu.n - dof) * sizeof(double));
    tact_block_lu_solve(proximal->loaded.factor, x, NULL);
}

bool tact_proximal_factor_and_solve(TactProximal *proximal, double *x)
{
    if (proximal->is_many) {
        return begin_factor(proximal) &&
               tact_many_factor_and_solve(proximal->many, proximal->items[0].B, B_STRIDE, x);
    }
    bool good = tact_proximal_factor(proximal);
    if (good) {
        tact_proximal_solve(proximal, x);
    }
    return good;
}

bool tact_proximal_direction(TactProximal *proximal)
{
    return tact_proximal_factor_and_solve(proximal, proximal->dy);
}

bool tact_proximal_begin(TactProximal *proximal, TactCoupling *coupling)
{
    const TactSystem *system = coupling->system;
    proximal->coupling = coupling;
    proximal->steps = proximal->stages = 0;
    proximal->dilatancy = 0;
    proximal->rescue.run = NULL;
    if (coupling->has_blocks || system->dof == 0) {
        return false;
    }
    proximal->is_many = proximal->many && tact_many_begin(proximal->many, system, &proximal->lu,
                                                          &proximal->loaded.lu);
    if (!proximal->is_many) {
        if (!tact_blocks_shape(&proximal->lu, system, proximal->support)) {
            return false;
        }
        tact_block_lu_begin_part(&proximal->loaded.lu, &proximal->lu);
        proximal->loaded.factor = NULL;
    }
    proximal->work =
        proximal->is_many ? tact_many_work(proximal->many) : tact_block_lu_work(&proximal->lu);
    double step = proximal->work + ITEM_WORK * system->item_count;
    proximal->most = (int)fmax(LEAST_STEPS, fmin(BUDGET / step, MOST_STEPS));
    return true;
}
