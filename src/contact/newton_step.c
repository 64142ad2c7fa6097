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
// a constraint is given a compliance of COMPLIANCE times the mean of the diagonal of W_ii, which
// also makes the step unique where contacts are redundant. The compliance acts on the change of p
// only, so it slows the steps down a little, and leaves the answer alone.
#include "contact/newton_step.h"

#include <math.h>
#include <string.h>

#include "linalg/lu.h"
#include "linalg/qr.h"
#include "linalg/vector.h"

static const double COMPLIANCE = 1e-9;
static const double RANK_TOL = 1e-11;

static int count_unknowns(const TactNewton *newton)
{
    int count = newton->coupling.system->item_count;
    if (count == 0) {
        return 0;
    }
    const TactNewtonItem *last = &newton->items[count - 1];
    return last->first + last->unknowns;
}

/// Compliance of the constraints, and of the friction where it is about to become one.
static double direct_of(const TactNewton *newton, int i, int k)
{
    return fmax(newton->items[i].direct[k], COMPLIANCE * newton->coupling.weight[i]);
}

// ---------------------------------------------------------------------------------------------
// (3): motions

/// Columns C_i v of an item on its support.
static void combine(const TactSystem *system, int i, const double v[3], double *out)
{
    const TactItemGroup *group = &system->groups[system->items[i].group];
    const double        *n = system->columns + system->column[i];
    const double        *t1 = n + group->size;
    const double        *t2 = t1 + group->size;
    for (int s = 0; s < group->size; s++) {
        out[s] = (n[s] * v[0] + t1[s] * v[1]) + t2[s] * v[2];
    }
}

/// K += f e' / direct on the support, right += f * value
static void add_rank_one(TactNewton *newton, const TactItemGroup *group, const double *f,
                         const double *e, double direct, double value)
{
    const TactSystem *system = newton->coupling.system;
    const int        *support = system->support + group->support;
    size_t            ld = (size_t)system->dof;
    for (int r = 0; r < group->size; r++) {
        double *row = newton->matrix + (size_t)support[r] * ld;
        double  factor = f[r] / direct;
        for (int s = 0; s < group->size; s++) {
            row[support[s]] += factor * e[s];
        }
        newton->right[support[r]] += f[r] * value;
    }
}

static void assemble_motion(TactNewton *newton)
{
    const TactSystem *system = newton->coupling.system;
    size_t            dof = (size_t)system->dof;
    double           *f = newton->work;
    double           *e = newton->work + dof;
    memset(newton->matrix, 0, dof * dof * sizeof(double));
    memset(newton->right, 0, dof * sizeof(double));
    for (size_t j = 0; j < dof; j++) {
        newton->matrix[j * (dof + 1)] = 1;
    }
    for (int i = 0; i < system->item_count; i++) {
        const TactNewtonItem *item = &newton->items[i];
        const TactItemGroup  *group = &system->groups[system->items[i].group];
        for (int k = 0; k < item->unknowns; k++) {
            double direct = direct_of(newton, i, k);
            direct += item->E[k][0] * system->items[i].compliance * item->T[k][0];
            combine(system, i, item->T[k], f);
            combine(system, i, item->E[k], e);
            add_rank_one(newton, group, f, e, direct, item->right[k] / direct);
        }
        tact_system_push(system, i, item->d, newton->right);
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
            double        direct = direct_of(newton, i, k);
            direct += E[0] * system->items[i].compliance * item->T[k][0];
            double x = (item->right[k] - (E[0] * du[0] + E[1] * du[1] + E[2] * du[2])) / direct;
            for (int c = 0; c < 3; c++) {
                dp[c] += x * item->T[k][c];
            }
        }
    }
}

static bool step_by_motion(TactNewton *newton)
{
    int dof = newton->coupling.system->dof;
    assemble_motion(newton);
    if (tact_lu_factor(dof, newton->matrix, dof, newton->perm, 0) >= 0) {
        return false;
    }
    tact_lu_solve(dof, newton->matrix, dof, newton->perm, newton->right, newton->x);
    recover_impulses(newton, newton->x);
    return true;
}

// ---------------------------------------------------------------------------------------------
// (1): impulses

static double dot3(const double x[3], const double y[3])
{
    return x[0] * y[0] + x[1] * y[1] + x[2] * y[2];
}

/// Adds the rows of item i in the columns of item j, and what d_j does to the right-hand side.
static void add_block(TactNewton *newton, int n, int i, int j, const double W[9])
{
    const TactNewtonItem *row = &newton->items[i];
    const TactNewtonItem *column = &newton->items[j];
    for (int l = 0; l < row->unknowns; l++) {
        const double *E = row->E[l];
        double        EW[3]; // E_l W_ij
        for (int c = 0; c < 3; c++) {
            EW[c] = E[0] * W[c] + E[1] * W[3 + c] + E[2] * W[6 + c];
        }
        double *out = newton->matrix + (size_t)(row->first + l) * (size_t)n + column->first;
        for (int k = 0; k < column->unknowns; k++) {
            out[k] += dot3(EW, column->T[k]);
        }
        newton->right[row->first + l] -= dot3(EW, column->d);
    }
}

static void add_row_of_blocks(TactNewton *newton, int n, int i)
{
    const TactCoupling *coupling = &newton->coupling;
    add_block(newton, n, i, i, coupling->own[i].W);
    if (coupling->has_blocks) {
        for (int k = coupling->start[i]; k < coupling->start[i + 1]; k++) {
            add_block(newton, n, i, coupling->blocks[k].column, coupling->blocks[k].W);
        }
        return;
    }
    for (int j = 0; j < coupling->system->item_count; j++) {
        if (j != i) {
            double W[9];
            tact_coupling_block(coupling, i, j, W);
            add_block(newton, n, i, j, W);
        }
    }
}

/// Rows and columns by 1 / sqrt(w): the compliance and the rank cut then mean the same for all.
static void assemble_impulses(TactNewton *newton, int n, bool compliant)
{
    const TactSystem *system = newton->coupling.system;
    memset(newton->matrix, 0, (size_t)n * (size_t)n * sizeof(double));
    memset(newton->right, 0, (size_t)n * sizeof(double));
    for (int i = 0; i < system->item_count; i++) {
        const TactNewtonItem *item = &newton->items[i];
        if (item->unknowns == 0) {
            continue;
        }
        add_row_of_blocks(newton, n, i);
        for (int k = 0; k < item->unknowns; k++) {
            size_t place = (size_t)(item->first + k);
            newton->right[place] += item->right[k];
            newton->matrix[place * (size_t)n + place] +=
                compliant ? direct_of(newton, i, k) : item->direct[k];
        }
    }
    double *root = newton->work;
    for (int i = 0; i < system->item_count; i++) {
        for (int k = 0; k < newton->items[i].unknowns; k++) {
            root[newton->items[i].first + k] = 1 / sqrt(newton->coupling.weight[i]);
        }
    }
    for (int r = 0; r < n; r++) {
        double *row = newton->matrix + (size_t)r * (size_t)n;
        for (int c = 0; c < n; c++) {
            row[c] *= root[r] * root[c];
        }
        newton->right[r] *= root[r];
    }
}

static bool step_by_impulses(TactNewton *newton, TactNewtonSolve solve)
{
    const TactSystem *system = newton->coupling.system;
    int               n = count_unknowns(newton);
    assemble_impulses(newton, n, solve == TACT_NEWTON_PROXIMAL);
    if (solve == TACT_NEWTON_LEAST) {
        tact_qr_least(n, n, newton->matrix, n, newton->right, RANK_TOL, newton->x, newton->work,
                      newton->perm);
    } else {
        if (tact_lu_factor(n, newton->matrix, n, newton->perm, 0) >= 0) {
            return false;
        }
        tact_lu_solve(n, newton->matrix, n, newton->perm, newton->right, newton->x);
    }
    for (int i = 0; i < system->item_count; i++) {
        const TactNewtonItem *item = &newton->items[i];
        double               *dp = newton->dp + 3 * i;
        double                root = 1 / sqrt(newton->coupling.weight[i]);
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

static bool by_motion(const TactNewton *newton)
{
    return !newton->coupling.has_blocks && newton->coupling.system->dof <= newton->capacity;
}

bool tact_newton_step(TactNewton *newton, TactNewtonSolve solve)
{
    if (solve == TACT_NEWTON_PROXIMAL && by_motion(newton)) {
        return step_by_motion(newton);
    }
    return count_unknowns(newton) <= newton->capacity && step_by_impulses(newton, solve);
}

double tact_newton_work(const TactNewton *newton, int unknowns)
{
    const TactSystem *system = newton->coupling.system;
    double            n = by_motion(newton) ? system->dof : unknowns;
    if (n > newton->capacity) {
        return 0;
    }
    double assembly = 20 * n * n;
    if (by_motion(newton)) {
        double size = system->item_count > 0 ? system->groups[system->items[0].group].size : 0;
        assembly = 2 * unknowns * size * size;
    }
    return n * n * n * 2 / 3 + assembly;
}
