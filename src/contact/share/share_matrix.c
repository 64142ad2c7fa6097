// The matrix of Newton's method, H = C V C' / s with a part of the diagonal of C C' / s added:
// dense over the degrees of freedom that tell anything where these are few, or where most contacts
// reach most of them (mechanisms); else in blocks of bodies.
//
// Columns of a long chain shrink from link to link, by ten orders of magnitude and more, and many
// more degrees of freedom are reached than there are columns: nearly all rows of C p = c follow
// from a few. The dense matrix has its rows in the order of their size, so that the first factor,
// which drops rows that depend on those before, keeps the largest; those that it dropped are left
// out from then on.
#include <string.h>

#include "base/larger.h"
#include "contact/share/share.h"
#include "linalg/cholesky.h"

enum {
    ROWS = TACT_BLOCK_ROWS,
    STRIDE = TACT_BLOCK_STRIDE,
    FEW_REACHED = 24, // always dense
};

// Pivot over diagonal of rows that others imply. What such a row asks for is looked at with all the
// others, so that an answer that misses it is no answer.
static const double DEPENDENT = 1e-8;

static const double FEWER = 1e-2; // part of what was added to a factor, for which it serves

/// Places of the reached degrees of freedom, those of the largest diagonal first.
static void order_reached(TactShare *share)
{
    TactShareDual *dual = &share->dual;
    const double  *stiff = share->sums.stiff;
    int            count = 0;
    for (int j = 0; j < share->system->dof; j++) {
        int at = count;
        dual->place[j] = -1;
        if (!(stiff[j] > 0)) {
            continue;
        }
        for (; at > 0 && stiff[dual->order[at - 1]] < stiff[j]; at--) {
            dual->order[at] = dual->order[at - 1];
        }
        dual->order[at] = j;
        count++;
    }
    for (int k = 0; k < count; k++) {
        dual->place[dual->order[k]] = k;
    }
    dual->reached = count;
}

static bool is_dense(const TactShare *share)
{
    const TactSystem *system = share->system;
    int               count = 0, widest = 0;
    for (int j = 0; j < system->dof; j++) {
        count += share->sums.stiff[j] > 0;
    }
    for (int k = 0; k < share->count && count > FEW_REACHED; k++) {
        int size = system->groups[system->items[share->active[k].item].group].size;
        widest = tact_larger_int(widest, size);
    }
    return count <= TACT_SHARE_MOST_DENSE && (count <= FEW_REACHED || 2 * widest >= count);
}

bool tact_share_shape(TactShare *share)
{
    share->dual.dense = is_dense(share);
    return share->dual.dense ||
           tact_blocks_shape(&share->dual.lu, share->system, share->dual.support);
}

void tact_share_dual_begin(TactShare *share)
{
    share->dual.factors = 0;
    share->dual.changed = true;
    if (share->dual.dense) {
        order_reached(share);
    }
}

// ---------------------------------------------------------------------------------------------
// Assembly

/// The columns of an item at the degrees of freedom that count.     kept: (count), C: (3 x count)
static void compact_columns(const double *from, int size, const int *kept, int count, double *C)
{
    for (int c = 0; c < 3; c++) {
        for (int s = 0; s < count; s++) {
            C[c * count + s] = from[c * size + kept[s]];
        }
    }
}

/// What a group adds, in its own order of the degrees of freedom that count: kept, places.
static void sum_group(TactShare *share, const TactItemGroup *group, int first, int end, int count)
{
    const TactSystem *system = share->system;
    TactShareDual    *dual = &share->dual;
    memset(dual->sum, 0, (size_t)(count * count) * sizeof(double));
    for (int k = first; k < end; k++) {
        const TactShareItem *a = &share->active[k];
        const double        *C = system->columns + system->column[a->item];
        if (a->patch >= 0) {
            tact_share_assemble_patch(share, k, group->size, dual->sum);
            k += a->moments;
            continue;
        }
        if (count < group->size) {
            compact_columns(C, group->size, dual->kept, count, dual->compact);
            C = dual->compact;
        }
        tact_blocks_add_item(C, a->V, a->weight, count, dual->sum);
    }
}

/// The sum of a group to the upper triangle of the dense matrix.
static void scatter_dense(TactShareDual *dual, const int *support, int count)
{
    int n = dual->reached;
    for (int s = 0; s < count; s++) {
        dual->kept[s] = dual->place[support[dual->kept[s]]];
    }
    for (int r = 0; r < count; r++) {
        int           at = dual->kept[r];
        const double *from = dual->sum + r * count;
        double       *row = dual->A + (size_t)(at < 0 ? 0 : at) * (size_t)n;
        for (int s = 0; s < count && at >= 0; s++) {
            if (dual->kept[s] >= at) {
                row[dual->kept[s]] += from[s];
            }
        }
    }
}

/// Entries of a support that count; all of them where a patch is among the items.
static int find_kept(TactShare *share, const TactItemGroup *group, int first, int end)
{
    TactShareDual *dual = &share->dual;
    const int     *support = share->system->support + group->support;
    bool           patch = !dual->dense;
    int            count = 0;
    for (int k = first; k < end; k++) {
        patch = patch || share->active[k].patch >= 0;
    }
    for (int s = 0; s < group->size; s++) {
        if (patch || dual->place[support[s]] >= 0) {
            dual->kept[count++] = s;
        }
    }
    return count;
}

/// H, with a part of the diagonal of C C' / s added. Active items of a group are neighbours.
static void assemble_dual(TactShare *share, double added)
{
    const TactSystem *system = share->system;
    TactShareDual    *dual = &share->dual;
    if (dual->dense) {
        memset(dual->A, 0, (size_t)(dual->reached * dual->reached) * sizeof(double));
    } else {
        tact_block_lu_clear(&dual->lu);
    }
    for (int k = 0, end; k < share->count; k = end) {
        int                  number = system->items[share->active[k].item].group;
        const TactItemGroup *group = &system->groups[number];
        const int           *support = system->support + group->support;
        for (end = k; end < share->count;) {
            if (system->items[share->active[end].item].group != number) {
                break;
            }
            end++;
        }
        int count = find_kept(share, group, k, end);
        sum_group(share, group, k, end, count);
        if (dual->dense) {
            scatter_dense(dual, support, count);
        } else {
            tact_blocks_scatter(&dual->lu, support, group->size, dual->sum);
        }
    }
    for (int j = 0; j < system->dof; j++) {
        double stiff = share->sums.stiff[j];
        if (!dual->dense) { // the diagonal began with 1
            double *at = tact_block_lu_at(&dual->lu, j / ROWS, j / ROWS) + j % ROWS * (STRIDE + 1);
            *at += stiff > 0 ? added * stiff - 1 : 0;
        } else if (dual->place[j] >= 0) {
            dual->A[dual->place[j] * (dual->reached + 1)] += added * stiff;
        }
    }
}

// ---------------------------------------------------------------------------------------------
// Factor and step

/// Degrees of freedom whose pivot the first factor dropped are held from now on.
static void hold_dependent(TactShareDual *dual)
{
    int count = 0;
    for (int k = 0; k < dual->reached; k++) {
        bool keeps = dual->A[k * (dual->reached + 1)] > 0;
        dual->place[dual->order[k]] = keeps ? count : -1;
        dual->order[count] = dual->order[k];
        count += keeps;
    }
    dual->reached = count;
}

/// The first matrix is that of the linear hulls of all sets, which every p to come lies in: where a
/// row of it depends on others, what it asks for is what they ask for, and its unknown is held.
static bool factor_dual(TactShareDual *dual)
{
    if (dual->dense) {
        double tol = dual->factors == 0 ? DEPENDENT : 0;
        return tact_cholesky_factor_small(dual->reached, dual->A, dual->reached, tol) > 0;
    }
    return tact_block_lu_factor(&dual->lu);
}

/// step = -(H + added)^-1 g by the factor; degrees of freedom that are held do not move.
static void solve_dual(TactShareDual *dual, int dof)
{
    if (dual->dense) {
        double *x = dual->next_g; // free between two steps
        memset(dual->step, 0, (size_t)dof * sizeof(double));
        for (int k = 0; k < dual->reached; k++) {
            x[k] = -dual->g[dual->order[k]];
        }
        tact_cholesky_solve(dual->reached, dual->A, dual->reached, x, x);
        for (int k = 0; k < dual->reached; k++) {
            dual->step[dual->order[k]] = x[k];
        }
        return;
    }
    memset(dual->step + dof, 0, (size_t)(ROWS * dual->lu.n - dof) * sizeof(double));
    for (int j = 0; j < dof; j++) {
        dual->step[j] = -dual->g[j];
    }
    tact_block_lu_solve(&dual->lu, dual->step, NULL);
}

bool tact_share_dual_step(TactShare *share, double added)
{
    TactShareDual *dual = &share->dual;
    // Else the factor at hand serves.
    if (dual->changed || added > dual->added || added < FEWER * dual->added) {
        if (dual->dense && dual->factors == 1) {
            hold_dependent(dual);
        }
        assemble_dual(share, added);
        bool factored = factor_dual(dual);
        dual->factors++;
        dual->changed = false;
        dual->added = added;
        if (!factored) {
            return false;
        }
    }
    solve_dual(dual, share->system->dof);
    return true;
}
