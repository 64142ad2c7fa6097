// The linear system of a step: (I + sum_i C_i B_i C_i') dy, in blocks of six dofs.
#include <math.h>
#include <string.h>

#include "base/budget.h"
#include "base/clones.h"
#include "contact/newton/proximal_internal.h"

enum { ROWS = TACT_BLOCK_ROWS, STRIDE = TACT_BLOCK_STRIDE };

// What a path may cost altogether, in floating-point operations: some four seconds. It is counted
// and not timed, so that the same problem has the same answer.
static const double BUDGET = 6e10;
static const double ITEM_WORK = 4000; // of an item in a step: laws along the line, matrix
enum { LEAST_STEPS = 60, MOST_STEPS = 5000 };

/// sum += C_i B_i C_i' over the group's support; f holds C_i B_i.                     (size x size)
TACT_CLONES static void add_item(const double *C, const double *B, int size, double *f, double *sum)
{
    const double *n = C, *t1 = C + size, *t2 = C + 2 * size;
    for (int r = 0; r < size; r++) {
        for (int c = 0; c < 3; c++) {
            f[3 * r + c] = (n[r] * B[c] + t1[r] * B[3 + c]) + t2[r] * B[6 + c];
        }
    }
    for (int r = 0; r < size; r++) {
        double *restrict row = sum + r * size;
        double f0 = f[3 * r], f1 = f[3 * r + 1], f2 = f[3 * r + 2];
        for (int s = 0; s < size; s++) {
            row[s] += (f0 * n[s] + f1 * t1[s]) + f2 * t2[s];
        }
    }
}

/// End of the entries of a support that lie in the same node as entry s.
static int end_of_node(const int *support, int size, int s)
{
    int limit = (support[s] / ROWS + 1) * ROWS;
    while (s < size && support[s] < limit) {
        s++;
    }
    return s;
}

/// Adds what a group has summed to the blocks of its support.
static void scatter(const TactProximal *proximal, const int *support, int size)
{
    for (int r = 0, row_end; r < size; r = row_end) {
        int row_node = support[r] / ROWS;
        row_end = end_of_node(support, size, r);
        for (int s = 0, end; s < size; s = end) {
            int     node = support[s] / ROWS;
            double *block = tact_block_lu_at(&proximal->lu, row_node, node);
            end = end_of_node(support, size, s);
            for (int a = r; a < row_end; a++) {
                double       *to = block + (support[a] - row_node * ROWS) * STRIDE;
                const double *from = proximal->sum + a * size;
                for (int b = s; b < end; b++) {
                    to[support[b] - node * ROWS] += from[b];
                }
            }
        }
    }
}

static bool is_zero(const double B[9])
{
    return B[0] == 0 && B[4] == 0 && B[8] == 0;
}

static void assemble(TactProximal *proximal)
{
    const TactSystem *system = proximal->coupling->system;
    tact_block_lu_clear(&proximal->lu);
    for (int g = 0; g < system->group_count; g++) {
        const TactItemGroup *group = &system->groups[g];
        bool                 empty = true;
        for (int i = group->first; i < group->first + group->count; i++) {
            if (is_zero(proximal->items[i].B)) {
                continue;
            }
            if (empty) {
                memset(proximal->sum, 0, (size_t)(group->size * group->size) * sizeof(double));
                empty = false;
            }
            add_item(system->columns + system->column[i], proximal->items[i].B, group->size,
                     proximal->f, proximal->sum);
        }
        if (!empty) {
            scatter(proximal, system->support + group->support, group->size);
        }
    }
}

bool tact_proximal_factor(TactProximal *proximal)
{
    if (proximal->steps >= proximal->most || tact_budget_spend(tact_block_lu_work(&proximal->lu))) {
        return false;
    }
    assemble(proximal);
    proximal->steps++;
    return tact_block_lu_factor(&proximal->lu);
}

void tact_proximal_solve(const TactProximal *proximal, double *x)
{
    int dof = proximal->coupling->system->dof;
    memset(x + dof, 0, (size_t)(ROWS * proximal->lu.n - dof) * sizeof(double));
    tact_block_lu_solve(&proximal->lu, x);
}

bool tact_proximal_direction(TactProximal *proximal)
{
    if (!tact_proximal_factor(proximal)) {
        return false;
    }
    tact_proximal_solve(proximal, proximal->dy);
    return true;
}

/// Every group links all blocks of its support.
static bool shape(TactProximal *proximal, const TactSystem *system)
{
    if (!tact_block_lu_begin(&proximal->lu, (system->dof + ROWS - 1) / ROWS)) {
        return false;
    }
    for (int g = 0; g < system->group_count; g++) {
        const TactItemGroup *group = &system->groups[g];
        const int           *support = system->support + group->support;
        if (group->size > proximal->support) {
            return false;
        }
        for (int r = 0; r < group->size; r++) {
            for (int s = 0; s < r; s++) {
                int a = support[r] / ROWS, b = support[s] / ROWS;
                if (a != b) {
                    tact_block_lu_link(&proximal->lu, a, b);
                }
            }
        }
    }
    return tact_block_lu_shape(&proximal->lu);
}

bool tact_proximal_begin(TactProximal *proximal, TactCoupling *coupling)
{
    const TactSystem *system = coupling->system;
    proximal->coupling = coupling;
    proximal->steps = proximal->stages = 0;
    if (coupling->has_blocks || system->dof == 0) {
        return false;
    }
    if (!shape(proximal, system)) {
        return false;
    }
    double work = tact_block_lu_work(&proximal->lu) + ITEM_WORK * system->item_count;
    proximal->most = (int)fmax(LEAST_STEPS, fmin(BUDGET / work, MOST_STEPS));
    return true;
}
