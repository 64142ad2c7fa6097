// Two ways to the same step. All unknowns x of all items:
//
//     E_i sum_j W_ij (T_j x_j + d_j) + direct_i x_i = right_i                                  (1)
//
// or, for bodies and mechanisms, through the change of the whitened motion dy = C dp, where every
// x_i follows from dy by its own equation:
//
//     x_i = (right_i - E_i C_i' dy) / direct_i                                                 (2)
//     (I + sum_i C_i T_i direct_i^-1 E_i C_i') dy = sum_i C_i (d_i + T_i direct_i^-1 right_i)  (3)
//
// (3) has as many rows as there are degrees of freedom, however many contacts. It needs direct > 0:
// a constraint is given a compliance of newton->compliance times the mean of the diagonal of W_ii,
// which also makes the step unique where contacts are redundant. The compliance acts on the change
// of p only, so it slows the steps down a little, and leaves the answer alone.
#include "contact/newton/newton_step.h"

#include <math.h>
#include <string.h>

#include "base/budget.h"
#include "base/clones.h"
#include "linalg/qr.h"
#include "linalg/rank.h"

static const double STIFF = 1e-9;

// Degrees of freedom of a group that is summed on its own; two bodies have 12.
enum { GROUP_MOST = 32 };

double tact_newton_direct(const TactNewton *newton, int i, int k)
{
    const TactNewtonItem *item = &newton->items[i];
    double direct = fmax(item->direct[k], newton->compliance * newton->coupling.weight[i]);
    if (!newton->coupling.has_blocks) {
        direct += item->E[k][0] * newton->coupling.system->items[i].compliance * item->T[k][0];
    }
    return direct;
}

// ---------------------------------------------------------------------------------------------
// (3): motions

/// Columns C_i v of an item on its support.
TACT_CALLED_BY_CLONES static void combine(const TactSystem *system, int i, const double v[3],
                                          double *out)
{
    const TactItemGroup *group = &system->groups[system->items[i].group];
    const double        *n = system->columns + system->column[i];
    const double        *t1 = n + group->size;
    const double        *t2 = t1 + group->size;
    for (int s = 0; s < group->size; s++) {
        out[s] = (n[s] * v[0] + t1[s] * v[1]) + t2[s] * v[2];
    }
}

/// What the items of a group add to K and to the right-hand side, on the group's support.
typedef struct GroupSum {
    double K[GROUP_MOST * GROUP_MOST]; // rows size apart
    double right[GROUP_MOST];
    double f[GROUP_MOST];
    double e[GROUP_MOST];
} GroupSum;

TACT_CLONES static void sum_item(const TactNewton *newton, int i, int size, GroupSum *sum)
{
    const TactSystem     *system = newton->coupling.system;
    const TactNewtonItem *item = &newton->items[i];
    for (int k = 0; k < item->unknowns; k++) {
        double direct = tact_newton_direct(newton, i, k);
        double value = item->right[k] / direct;
        combine(system, i, item->T[k], sum->f);
        combine(system, i, item->E[k], sum->e);
        for (int r = 0; r < size; r++) {
            double *restrict row = sum->K + r * size;
            double factor = sum->f[r] / direct;
            for (int s = 0; s < size; s++) {
                row[s] += factor * sum->e[s];
            }
            sum->right[r] += sum->f[r] * value;
        }
    }
    combine(system, i, item->d, sum->f);
    for (int r = 0; r < size; r++) {
        sum->right[r] += sum->f[r];
    }
}

/// A group of few degrees of freedom, as bodies have: summed on its own, then added to K at once.
static void add_group(TactNewton *newton, const TactItemGroup *group)
{
    const int *support = newton->coupling.system->support + group->support;
    const int *place = newton->order.place;
    int        size = group->size;
    GroupSum   sum;
    memset(sum.K, 0, (size_t)(size * size) * sizeof(double));
    memset(sum.right, 0, (size_t)size * sizeof(double));
    for (int i = group->first; i < group->first + group->count; i++) {
        sum_item(newton, i, size, &sum);
    }
    for (int r = 0; r < size; r++) {
        for (int s = 0; s < size; s++) {
            *tact_envelope_at(&newton->envelope, place[support[r]], place[support[s]]) +=
                sum.K[r * size + s];
        }
        newton->x[place[support[r]]] += sum.right[r];
    }
}

/// An item of many degrees of freedom, as mechanisms have.
static void add_item(TactNewton *newton, int i, const TactItemGroup *group)
{
    const TactSystem     *system = newton->coupling.system;
    const TactNewtonItem *item = &newton->items[i];
    const int            *support = system->support + group->support;
    const int            *place = newton->order.place;
    double               *f = newton->scratch;
    double               *e = newton->scratch + system->dof;
    for (int k = 0; k < item->unknowns; k++) {
        double direct = tact_newton_direct(newton, i, k);
        combine(system, i, item->T[k], f);
        combine(system, i, item->E[k], e);
        for (int r = 0; r < group->size; r++) {
            double factor = f[r] / direct;
            for (int s = 0; s < group->size; s++) {
                *tact_envelope_at(&newton->envelope, place[support[r]], place[support[s]]) +=
                    factor * e[s];
            }
            newton->x[place[support[r]]] += factor * item->right[k];
        }
    }
    combine(system, i, item->d, f);
    for (int s = 0; s < group->size; s++) {
        newton->x[place[support[s]]] += f[s];
    }
}

/// Every group couples all degrees of freedom of its support.
static bool shape_motion(TactNewton *newton)
{
    const TactSystem *system = newton->coupling.system;
    const int        *place = newton->order.place;
    int              *first = newton->envelope.first;
    if (system->dof > newton->envelope.most) {
        return false;
    }
    for (int j = 0; j < system->dof; j++) {
        first[j] = j;
    }
    for (int g = 0; g < system->group_count; g++) {
        const TactItemGroup *group = &system->groups[g];
        const int           *support = system->support + group->support;
        int                  lowest = system->dof;
        for (int s = 0; s < group->size; s++) {
            lowest = place[support[s]] < lowest ? place[support[s]] : lowest;
        }
        for (int s = 0; s < group->size; s++) {
            int at = place[support[s]];
            first[at] = lowest < first[at] ? lowest : first[at];
        }
    }
    return tact_envelope_shape(&newton->envelope, system->dof);
}

/// The right-hand side is left in x.
static void assemble_motion(TactNewton *newton)
{
    const TactSystem *system = newton->coupling.system;
    for (int j = 0; j < system->dof; j++) {
        *tact_envelope_at(&newton->envelope, j, j) = 1;
        newton->x[j] = 0;
    }
    for (int g = 0; g < system->group_count; g++) {
        const TactItemGroup *group = &system->groups[g];
        if (group->size <= GROUP_MOST) {
            add_group(newton, group);
            continue;
        }
        for (int i = group->first; i < group->first + group->count; i++) {
            add_item(newton, i, group);
        }
    }
}

/// dp from dy by (2)
static void recover_impulses(TactNewton *newton, const double *dy)
{
    const TactSystem *system = newton->coupling.system;
    for (int i = 0; i < system->item_count; i++) {
        const TactNewtonItem *item = &newton->items[i];
        double               *dp = newton->dp + 3 * i;
        double                du[3];
        memcpy(dp, item->d, 3 * sizeof(double));
        if (item->unknowns > 0) {
            tact_system_pull(system, i, dy, du);
        }
        for (int k = 0; k < item->unknowns; k++) {
            const double *E = item->E[k];
            double        off = item->right[k] - (E[0] * du[0] + E[1] * du[1] + E[2] * du[2]);
            double        x = off / tact_newton_direct(newton, i, k);
            for (int c = 0; c < 3; c++) {
                dp[c] += x * item->T[k][c];
            }
        }
    }
}

/// dy of (3) by the envelope.
static bool solve_envelope(TactNewton *newton, double *dy)
{
    int dof = newton->coupling.system->dof;
    if (!shape_motion(newton)) {
        return false;
    }
    if (tact_newton_is_dense(newton)) {
        tact_newton_assemble_dense(newton);
    } else {
        assemble_motion(newton);
    }
    if (tact_envelope_factor(&newton->envelope) >= 0) {
        return false;
    }
    tact_envelope_solve(&newton->envelope, newton->x);
    for (int j = 0; j < dof; j++) {
        dy[j] = newton->x[newton->order.place[j]];
    }
    return true;
}

static bool step_by_motion(TactNewton *newton)
{
    double *dy = newton->scratch;
    bool    solved = newton->full ? tact_newton_solve_full(newton, dy) : solve_envelope(newton, dy);
    if (solved) {
        recover_impulses(newton, dy);
    }
    return solved;
}

// ---------------------------------------------------------------------------------------------
// (1): impulses

static double dot3(const double x[3], const double y[3])
{
    return x[0] * y[0] + x[1] * y[1] + x[2] * y[2];
}

/// Numbers the unknowns, of a problem given by W in the order of its items' places.
static void number_unknowns(TactNewton *newton)
{
    bool ordered = newton->coupling.has_blocks && !newton->is_sparse;
    newton->unknowns = 0;
    for (int k = 0; k < newton->coupling.system->item_count; k++) {
        TactNewtonItem *item = &newton->items[ordered ? newton->order.node[k] : k];
        item->first = newton->unknowns;
        newton->unknowns += item->unknowns;
    }
}

/// Every block of W couples its two items.
static bool shape_impulses(TactNewton *newton)
{
    const TactCoupling *coupling = &newton->coupling;
    int                *first = newton->envelope.first;
    if (newton->unknowns > newton->envelope.most) {
        return false;
    }
    for (int i = 0; i < coupling->system->item_count; i++) {
        const TactNewtonItem *row = &newton->items[i];
        for (int k = 0; k < row->unknowns; k++) {
            first[row->first + k] = row->first;
        }
    }
    for (int i = 0; i < coupling->system->item_count; i++) {
        for (int b = coupling->start[i]; b < coupling->start[i + 1]; b++) {
            const TactNewtonItem *one = &newton->items[i];
            const TactNewtonItem *two = &newton->items[coupling->blocks[b].column];
            if (one->unknowns == 0 || two->unknowns == 0) {
                continue;
            }
            const TactNewtonItem *low = one->first < two->first ? one : two;
            const TactNewtonItem *high = one->first < two->first ? two : one;
            for (int k = 0; k < high->unknowns; k++) {
                int *from = &first[high->first + k];
                *from = low->first < *from ? low->first : *from;
            }
        }
    }
    return tact_envelope_shape(&newton->envelope, newton->unknowns);
}

/// One row of W_ij in unknowns: E_l W_ij T, scaled.                                 (3)
static void project_row(const TactNewton *newton, int i, int l, int j, const double W[9],
                        double row[3], double *known)
{
    const TactNewtonItem *column = &newton->items[j];
    const double         *E = newton->items[i].E[l];
    double                EW[3];
    for (int c = 0; c < 3; c++) {
        EW[c] = newton->root[i] * (E[0] * W[c] + E[1] * W[3 + c] + E[2] * W[6 + c]);
    }
    for (int k = 0; k < column->unknowns; k++) {
        row[k] = newton->root[j] * dot3(EW, column->T[k]);
    }
    *known = dot3(EW, column->d);
}

/// Adds the rows of item i in the columns of item j, and what d_j does to the right-hand side. Rows
/// and columns by 1 / sqrt(w): compliance and rank cut then mean the same for all.
static void add_block(TactNewton *newton, TactNewtonSolve solve, int i, int j, const double W[9])
{
    const TactNewtonItem *row = &newton->items[i];
    const TactNewtonItem *column = &newton->items[j];
    size_t                n = (size_t)newton->unknowns;
    for (int l = 0; l < row->unknowns; l++) {
        double entries[3], known;
        int    r = row->first + l;
        project_row(newton, i, l, j, W, entries, &known);
        newton->x[r] -= known;
        for (int k = 0; k < column->unknowns; k++) {
            int c = column->first + k;
            if (solve == TACT_NEWTON_PROXIMAL) {
                *tact_envelope_at(&newton->envelope, r, c) += entries[k];
            } else {
                newton->matrix[(size_t)r * n + (size_t)c] += entries[k];
            }
        }
    }
}

static void add_row_of_blocks(TactNewton *newton, TactNewtonSolve solve, int i)
{
    const TactCoupling *coupling = &newton->coupling;
    add_block(newton, solve, i, i, coupling->own[i].W);
    if (coupling->has_blocks) {
        for (int k = coupling->start[i]; k < coupling->start[i + 1]; k++) {
            const TactCouplingBlock *block = &coupling->blocks[k];
            double                   W[9];
            for (int e = 0; e < 9; e++) {
                W[e] = block->W[4 * (e % 3) + e / 3];
            }
            add_block(newton, solve, i, block->column, W);
        }
        return;
    }
    for (int j = 0; j < coupling->system->item_count; j++) {
        if (j != i) {
            double W[9];
            tact_coupling_block(coupling, i, j, W);
            add_block(newton, solve, i, j, W);
        }
    }
}

/// The right-hand side is left in x.
static void assemble_impulses(TactNewton *newton, TactNewtonSolve solve)
{
    memset(newton->x, 0, (size_t)newton->unknowns * sizeof(double));
    for (int i = 0; i < newton->coupling.system->item_count; i++) {
        const TactNewtonItem *item = &newton->items[i];
        double                root = newton->root[i];
        if (item->unknowns == 0) {
            continue;
        }
        add_row_of_blocks(newton, solve, i);
        for (int k = 0; k < item->unknowns; k++) {
            int at = item->first + k;
            newton->x[at] += item->right[k] * root;
            if (solve == TACT_NEWTON_PROXIMAL) {
                newton->envelope.diagonal[at] += tact_newton_direct(newton, i, k) * root * root;
            } else {
                newton->matrix[(size_t)at * ((size_t)newton->unknowns + 1)] +=
                    item->direct[k] * root * root;
            }
        }
    }
}

/// Unknowns of (1) into x. False if there is no room or the matrix is singular.
static bool solve_impulses(TactNewton *newton, TactNewtonSolve solve)
{
    int n = newton->unknowns;
    if (solve == TACT_NEWTON_PROXIMAL && newton->is_sparse) {
        return tact_newton_solve_sparse(newton);
    }
    if (solve == TACT_NEWTON_PROXIMAL) {
        if (!shape_impulses(newton)) {
            return false;
        }
        assemble_impulses(newton, solve);
        if (tact_envelope_factor(&newton->envelope) >= 0) {
            return false;
        }
        tact_envelope_solve(&newton->envelope, newton->x);
        return true;
    }
    if (n > newton->capacity) {
        return false;
    }
    memset(newton->matrix, 0, (size_t)n * (size_t)n * sizeof(double));
    assemble_impulses(newton, solve);
    memcpy(newton->right, newton->x, (size_t)n * sizeof(double));
    tact_qr_least(n, n, newton->matrix, n, newton->right, TACT_RANK_OF_NEWTON, newton->x,
                  newton->scratch, newton->perm);
    return true;
}

static bool step_by_impulses(TactNewton *newton, TactNewtonSolve solve)
{
    tact_coupling_need_own(&newton->coupling);
    number_unknowns(newton);
    if (!solve_impulses(newton, solve)) {
        return false;
    }
    for (int i = 0; i < newton->coupling.system->item_count; i++) {
        const TactNewtonItem *item = &newton->items[i];
        double               *dp = newton->dp + 3 * i;
        double                root = newton->root[i];
        memcpy(dp, item->d, 3 * sizeof(double));
        for (int k = 0; k < item->unknowns; k++) {
            double x = root * newton->x[item->first + k];
            for (int c = 0; c < 3; c++) {
                dp[c] += x * item->T[k][c];
            }
        }
    }
    return true;
}

// ---------------------------------------------------------------------------------------------

bool tact_newton_step(TactNewton *newton, TactNewtonSolve solve)
{
    if (tact_budget_spend(newton->work)) {
        return false;
    }
    if (solve == TACT_NEWTON_PROXIMAL && !newton->coupling.has_blocks) {
        return step_by_motion(newton);
    }
    return step_by_impulses(newton, solve);
}

void tact_newton_step_begin(TactNewton *newton)
{
    const TactSystem *system = newton->coupling.system;
    double            assembly = 0;
    bool              fits;
    newton->compliance = STIFF;
    for (int i = 0; i < system->item_count; i++) {
        newton->items[i].unknowns = system->items[i].kind == TACT_ITEM_CONTACT ? 3 : 1;
        newton->root[i] = 1 / sqrt(newton->coupling.weight[i]);
    }
    newton->is_sparse = tact_newton_begin_sparse(newton);
    if (newton->is_sparse) {
        fits = false;
        newton->work = tact_fronts_work(newton->fronts) +
                       60.0 * (newton->coupling.start[system->item_count] + system->item_count);
    } else if (newton->coupling.has_blocks) {
        number_unknowns(newton);
        fits = shape_impulses(newton);
        assembly = 60.0 * (newton->coupling.start[system->item_count] + system->item_count);
    } else {
        fits = newton->full || shape_motion(newton);
        for (int i = 0; i < system->item_count; i++) {
            double size = system->groups[system->items[i].group].size;
            assembly += 6 * size * size;
        }
    }
    if (!newton->is_sparse) {
        double n = system->dof;
        double factor = newton->full ? 2 * n * n * n / 3 : tact_envelope_work(&newton->envelope);
        newton->work = fits ? factor + assembly : 0;
    }
}
