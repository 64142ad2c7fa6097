// A basis that is set: every row stands against its own unknown, z0 is not there, and K is a
// principal block. Then the rows of gamma and one row of sigma a sliding contact can be solved by
// hand, as in elimination.h: with x the first basic direction of a contact whose lambda is basic,
//
//     phi_x  = mu theta - sum phi_k - f_gamma,      lambda = f_x - d_x' v
//
// and what is left has one row a theta, a damper, a phi besides phi_x [Lloyd04, 5.1]:
//
//     R' A X = f_r - f_x + R' b,      b = sum f_gamma d_x
//
// with R = n, tau, d_k - d_x and A = n + mu d_x, tau, d_k - d_x. A sliding contact has 1 row of 3.
#include <string.h>

#include "contact/kernel_entries.h"
#include "linalg/lu.h"

static const double SINGULAR_TOL = 1e-14;

/// Place of phi_x of the item of a basic unknown; -1: nothing of it is eliminated.
static int x_of(const TactKernel *kernel, TactVar variable)
{
    int slot = kernel->slot[tact_var_item(variable)];
    int kind = tact_var_kind(variable);
    return slot >= 0 && (kind == TACT_VAR_THETA || kind == TACT_VAR_PHI) ? kernel->x_place[slot]
                                                                         : -1;
}

/// phi_x of every contact with a basic lambda. false: one has none.
static bool choose_x(TactKernel *kernel)
{
    for (int slot = 0; slot < kernel->slot_count; slot++) {
        kernel->x_place[slot] = -1;
    }
    for (int p = kernel->k - 1; p >= 0; p--) {
        int i = tact_var_item(kernel->col[p]);
        if (tact_var_kind(kernel->col[p]) == TACT_VAR_PHI &&
            kernel->place[TACT_VAR_LAMBDA][i] >= 0) {
            kernel->x_place[kernel->slot[i]] = p;
        }
    }
    kernel->reduced_count = 0;
    for (int p = 0; p < kernel->k; p++) {
        TactVar variable = kernel->col[p];
        if (tact_var_kind(variable) == TACT_VAR_LAMBDA) {
            if (kernel->x_place[kernel->slot[tact_var_item(variable)]] < 0) {
                return false;
            }
        } else if (x_of(kernel, variable) != p) {
            kernel->reduced[kernel->reduced_count++] = p;
        }
    }
    return true;
}

/// R and A of a place over the support of its item.
static void put_star(const TactKernel *kernel, int place, double *R, double *A)
{
    TactVar              variable = kernel->col[place];
    const TactItemGroup *group = tact_kernel_group(kernel, tact_var_item(variable));
    const int           *support = kernel->support + group->support;
    const double        *own = kernel->col_rows + (size_t)place * kernel->dof_ld;
    int                  x = x_of(kernel, variable);
    bool                 theta = tact_var_kind(variable) == TACT_VAR_THETA;
    double               in_R = x < 0 || theta ? 0 : -1;
    double               in_A = x < 0 ? 0 : theta ? kernel->mu[tact_var_item(variable)] : -1;
    const double        *other = kernel->col_rows + (size_t)(x < 0 ? place : x) * kernel->dof_ld;
    for (int s = 0; s < group->size; s++) {
        double a = own[support[s]], b = other[support[s]];
        R[s] = a + in_R * b;
        A[s] = a + in_A * b;
    }
}

/// R of a reduced unknown over its support, in the memory of col_motion.
static double *star_row(const TactKernel *kernel, int r)
{
    return kernel->col_motion + (size_t)r * (size_t)kernel->dof;
}

/// A of all reduced unknowns, [dof][reduced], in the memory of row_motion, and R.
static void put_stars(TactKernel *kernel)
{
    int     m = kernel->reduced_count;
    double *star = kernel->row_motion;
    for (int j = 0; j < kernel->dof; j++) {
        memset(star + (size_t)j * kernel->ld, 0, ((size_t)m + 3) / 4 * 4 * sizeof(double));
    }
    for (int r = 0; r < m; r++) {
        int                  place = kernel->reduced[r];
        const TactItemGroup *group = tact_kernel_group(kernel, tact_var_item(kernel->col[place]));
        const int           *support = kernel->support + group->support;
        put_star(kernel, place, star_row(kernel, r), kernel->motion);
        for (int s = 0; s < group->size; s++) {
            star[(size_t)support[s] * kernel->ld + (size_t)r] = kernel->motion[s];
        }
    }
}

/// R'A and what is not a product of motions: compliance and 1 / damping.
TACT_CLONES static void put_matrix(TactKernel *kernel)
{
    int m = kernel->reduced_count;
    for (int r = 0; r < m; r++) {
        TactVar              variable = kernel->col[kernel->reduced[r]];
        int                  i = tact_var_item(variable);
        int                  g = kernel->system->items[i].group;
        const TactItemGroup *group = &kernel->system->groups[g];
        int                  from = kernel->group_from[g];
        double              *row = kernel->block + (size_t)r * kernel->ld;
        const double        *R = star_row(kernel, r);
        if (from >= 0) {
            tact_loop_combine(m, kernel->row_motion + (size_t)from * kernel->ld, kernel->ld,
                              group->size, NULL, R, row);
        } else {
            tact_loop_combine(m, kernel->row_motion, kernel->ld, group->size,
                              kernel->support + group->support, R, row);
        }
        if (tact_var_kind(variable) == TACT_VAR_DAMPER) {
            row[r] += 1 / kernel->damping[i];
        } else if (tact_var_kind(variable) == TACT_VAR_THETA) {
            row[r] += tact_kernel_compliance(kernel, i);
        }
    }
}

TactKernelFactor tact_principal_factor(TactKernel *kernel)
{
    if (!choose_x(kernel)) {
        return TACT_KERNEL_NO_FACTOR;
    }
    put_stars(kernel);
    put_matrix(kernel);
    bool regular = tact_lu_factor_small(kernel->reduced_count, kernel->block, (int)kernel->ld,
                                        kernel->permutation, SINGULAR_TOL) < 0;
    return regular ? TACT_KERNEL_PRINCIPAL : TACT_KERNEL_SINGULAR;
}

/// t_p = motion of place p times b, b = sum f_gamma d_x.
TACT_LOOP void eliminated_motion(const TactKernel *kernel, const double *f, double *b, double *t)
{
    bool any = false;
    memset(b, 0, kernel->dof_ld * sizeof(double));
    for (int slot = 0; slot < kernel->slot_count; slot++) {
        int x = kernel->x_place[slot];
        if (x >= 0) {
            double gamma = f[kernel->place[TACT_VAR_GAMMA][kernel->slot_item[slot]]];
            tact_loop_step(kernel->dof, gamma, kernel->col_rows + (size_t)x * kernel->dof_ld, b);
            any = any || gamma != 0;
        }
    }
    if (any) {
        tact_loop_dots(kernel->k, kernel->col_rows, kernel->dof_ld, kernel->dof, b, t);
    } else {
        memset(t, 0, (size_t)kernel->k * sizeof(double));
    }
}

/// phi_x and lambda from the rest; t is scratch.
TACT_LOOP void substitute(const TactKernel *kernel, const double *f, double *full, double *t)
{
    for (int slot = 0; slot < kernel->slot_count; slot++) {
        if (kernel->x_place[slot] >= 0) {
            full[kernel->x_place[slot]] =
                -f[kernel->place[TACT_VAR_GAMMA][kernel->slot_item[slot]]];
        }
    }
    for (int r = 0; r < kernel->reduced_count; r++) {
        int place = kernel->reduced[r];
        int x = x_of(kernel, kernel->col[place]);
        if (x >= 0) {
            full[x] += kernel->col_gamma[place] * full[place];
        }
    }
    tact_loop_combine(kernel->dof, kernel->col_rows, kernel->dof_ld, kernel->k, NULL, full,
                      kernel->motion);
    tact_loop_dots(kernel->k, kernel->col_rows, kernel->dof_ld, kernel->dof, kernel->motion, t);
    for (int slot = 0; slot < kernel->slot_count; slot++) {
        int x = kernel->x_place[slot];
        if (x >= 0) {
            full[kernel->place[TACT_VAR_LAMBDA][kernel->slot_item[slot]]] = f[x] - t[x];
        }
    }
}

TACT_CLONES void tact_principal_solve(TactKernel *kernel, const double *f, double *z)
{
    double *rhs = kernel->dz; // scratch by place, all of it
    double *t = kernel->change;
    double *full = kernel->solution;
    eliminated_motion(kernel, f, kernel->motion, t);
    for (int r = 0; r < kernel->reduced_count; r++) {
        int     place = kernel->reduced[r];
        TactVar variable = kernel->col[place];
        int     x = tact_var_kind(variable) == TACT_VAR_PHI ? x_of(kernel, variable) : -1;
        rhs[r] = (f[place] + t[place]) - (x >= 0 ? f[x] + t[x] : 0);
    }
    tact_lu_solve(kernel->reduced_count, kernel->block, (int)kernel->ld, kernel->permutation, rhs,
                  t);
    memset(full, 0, kernel->ld * sizeof(double));
    for (int r = 0; r < kernel->reduced_count; r++) {
        full[kernel->reduced[r]] = t[r];
    }
    substitute(kernel, f, full, t);
    for (int c = 0; c < kernel->k; c++) {
        z[c] -= full[c];
        rhs[c] = 0;
    }
}
