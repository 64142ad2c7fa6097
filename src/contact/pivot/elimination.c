#include "contact/pivot/elimination.h"

#include <string.h>

#include "contact/pivot/kernel_internal.h"
#include "contact/pivot_rules.h"
#include "linalg/lu.h"

void tact_elimination_layout(TactElimination *elimination, const TactContactCapacity *capacity,
                             int max_k, TactArena *arena)
{
    size_t          items = (size_t)capacity->contacts + (size_t)capacity->rows;
    size_t          dof = (size_t)tact_kernel_max_dof(capacity);
    size_t          k = (size_t)max_k;
    TactElimination sized = {0};
    sized.x_col = tact_arena_take(arena, items, sizeof(int));
    sized.col = tact_arena_take(arena, k, sizeof(int));
    sized.row = tact_arena_take(arena, k, sizeof(int));
    sized.col_motion = tact_arena_take(arena, (k + 1) * dof, sizeof(double));
    sized.matrix = tact_arena_take(arena, k * k, sizeof(double));
    sized.permutation = tact_arena_take(arena, k, sizeof(int));
    sized.f = tact_arena_take(arena, 2 * k, sizeof(double));
    sized.motion = tact_arena_take(arena, dof, sizeof(double));
    sized.full = tact_arena_take(arena, k, sizeof(double));
    if (arena->block) {
        *elimination = sized;
    }
}

// ---------------------------------------------------------------------------------------------
// Which unknowns and rows stay

static bool lambda_is_basic(const TactKernel *kernel, int i)
{
    return kernel->items.active[i] >= 0 && kernel->basis.position[TACT_VAR_LAMBDA][i] >= 0;
}

/// phi_x of every contact with a basic lambda: its first basic phi.
static bool choose_x(TactElimination *elimination, const TactKernel *kernel)
{
    for (int f = 0; f < kernel->friction.count; f++) {
        elimination->x_col[kernel->friction.item[f]] = -1;
    }
    for (int c = 0; c < kernel->basis.k; c++) {
        TactVar variable = kernel->basis.col[c];
        if (variable == TACT_VAR_Z0 || tact_var_kind(variable) != TACT_VAR_PHI) {
            continue;
        }
        int i = tact_var_item(variable);
        if (lambda_is_basic(kernel, i) && elimination->x_col[i] < 0) {
            elimination->x_col[i] = c;
        }
    }
    for (int f = 0; f < kernel->friction.count; f++) {
        int i = kernel->friction.item[f];
        if (lambda_is_basic(kernel, i) &&
            (elimination->x_col[i] < 0 || kernel->basis.position[TACT_VAR_GAMMA][i] < 0)) {
            return false;
        }
    }
    return true;
}

/// Place of phi_x's item if its lambda is eliminated, -1 if not.
static int eliminated_x(const TactElimination *elimination, const TactKernel *kernel, int i)
{
    return kernel->items.active[i] >= 0 ? elimination->x_col[i] : -1;
}

static void list_reduced(TactElimination *elimination, const TactKernel *kernel)
{
    int cols = 0;
    int rows = 0;
    for (int p = 0; p < kernel->basis.k; p++) {
        TactVar col = kernel->basis.col[p];
        bool    gone = false;
        if (col != TACT_VAR_Z0) {
            int i = tact_var_item(col);
            gone =
                tact_var_kind(col) == TACT_VAR_LAMBDA || eliminated_x(elimination, kernel, i) == p;
        }
        if (!gone) {
            elimination->col[cols++] = p;
        }
        TactVar row = kernel->basis.row[p];
        int     i = tact_var_item(row);
        int     x = eliminated_x(elimination, kernel, i);
        gone = x >= 0 && (tact_var_kind(row) == TACT_VAR_GAMMA ||
                          row == tact_var_complement(kernel->basis.col[x]));
        if (!gone) {
            elimination->row[rows++] = p;
        }
    }
    elimination->size = cols == rows ? cols : -1;
    elimination->most = cols > elimination->most ? cols : elimination->most;
}

// ---------------------------------------------------------------------------------------------
// The reduced matrix

static void add_motion(const TactKernel *kernel, TactVar variable, double factor,
                       const double *motion, double *y)
{
    const TactSystem    *system = kernel->system;
    const TactItemGroup *group = &system->groups[system->items[tact_var_item(variable)].group];
    const int           *support = kernel->space.support + group->support;
    for (int s = 0; s < group->size; s++) {
        y[support[s]] += factor * motion[s];
    }
}

/// y += factor * motion of a variable
static void add_variable(const TactKernel *kernel, TactVar variable, double factor, double *y)
{
    if (tact_kernel_motion(kernel, variable, kernel->scratch.motion)) {
        add_motion(kernel, variable, factor, kernel->scratch.motion, y);
    }
}

/// c of gamma at an item whose gamma is non-basic.
static double cover_gamma(const TactKernel *kernel, int i)
{
    return tact_kernel_cover(kernel, tact_var(TACT_VAR_GAMMA, i, 0));
}

/// N* = n + mu d_x, D* = d_k - d_x, c* = sum of c_gamma d_x [Lloyd04, eqs. 28, 39].
static void star_motion(const TactElimination *elimination, const TactKernel *kernel, int position,
                        double *y)
{
    memset(y, 0, (size_t)kernel->space.dof * sizeof(double));
    TactVar variable = kernel->basis.col[position];
    if (variable == TACT_VAR_Z0) {
        for (int f = 0; f < kernel->friction.count; f++) {
            int i = kernel->friction.item[f];
            int x = elimination->x_col[i];
            if (x >= 0) {
                add_variable(kernel, kernel->basis.col[x], cover_gamma(kernel, i), y);
            }
        }
        return;
    }
    add_variable(kernel, variable, 1, y);
    int i = tact_var_item(variable);
    int x = eliminated_x(elimination, kernel, i);
    int kind = tact_var_kind(variable);
    if (x >= 0 && (kind == TACT_VAR_THETA || kind == TACT_VAR_PHI)) {
        add_variable(kernel, kernel->basis.col[x],
                     kind == TACT_VAR_THETA ? kernel->items.mu[i] : -1, y);
    }
    for (int m = i + 1; kind == TACT_VAR_THETA && m <= i + tact_kernel_moments(kernel, i); m++) {
        x = eliminated_x(elimination, kernel, m);
        if (x >= 0) {
            add_variable(kernel, kernel->basis.col[x], kernel->items.mu[m], y);
        }
    }
}

/// Motion that a reduced row measures: n, d_k - d_x, d_r - d_x, tau; none for gamma.
static bool row_motion(const TactElimination *elimination, const TactKernel *kernel, int position,
                       double *y)
{
    TactVar row = kernel->basis.row[position];
    if (tact_var_kind(row) == TACT_VAR_GAMMA) {
        return false;
    }
    memset(y, 0, (size_t)kernel->space.dof * sizeof(double));
    add_variable(kernel, row, 1, y);
    int i = tact_var_item(row);
    int x = eliminated_x(elimination, kernel, i);
    if (tact_var_kind(row) == TACT_VAR_SIGMA && x >= 0) {
        add_variable(kernel, kernel->basis.col[x], -1, y);
    }
    return true;
}

/// What a reduced entry has besides the product of motions.
static double extra_entry(const TactElimination *elimination, const TactKernel *kernel, TactVar row,
                          TactVar col)
{
    int i = tact_var_item(row);
    int kind = tact_var_kind(row);
    int x = eliminated_x(elimination, kernel, i);
    if (col == TACT_VAR_Z0) {
        double c = tact_kernel_cover(kernel, row);
        if (kind == TACT_VAR_SIGMA && x >= 0) {
            c -= tact_kernel_cover(kernel, tact_var_complement(kernel->basis.col[x]));
        }
        return c;
    }
    int c = tact_var_kind(col);
    if (kind == TACT_VAR_GAMMA && c == TACT_VAR_THETA) { // its lambda is non-basic
        return tact_var_item(col) == tact_kernel_owner(kernel, i) ? kernel->items.mu[i] : 0;
    }
    if (i != tact_var_item(col)) {
        return 0;
    }
    if (kind == TACT_VAR_NU && c == TACT_VAR_THETA) {
        return kernel->system->items[i].compliance * kernel->items.scale[i] *
               kernel->items.scale[i];
    }
    if (kind == TACT_VAR_GAMMA) {
        return c == TACT_VAR_PHI ? -1 : 0;
    }
    return kind == TACT_VAR_DAMPER_ROW && c == TACT_VAR_DAMPER ? 1 / kernel->items.damping[i] : 0;
}

bool tact_elimination_factor(TactElimination *elimination, const TactKernel *kernel)
{
    size_t dof = (size_t)kernel->space.dof;
    elimination->dirty = false;
    if (!choose_x(elimination, kernel)) {
        return false;
    }
    list_reduced(elimination, kernel);
    int size = elimination->size;
    if (size < 0) {
        return false;
    }
    for (int c = 0; c < size; c++) {
        star_motion(elimination, kernel, elimination->col[c],
                    elimination->col_motion + (size_t)c * dof);
    }
    for (int r = 0; r < size; r++) {
        TactVar row = kernel->basis.row[elimination->row[r]];
        double *y = elimination->motion;
        bool    moves = row_motion(elimination, kernel, elimination->row[r], y);
        for (int c = 0; c < size; c++) {
            double sum =
                extra_entry(elimination, kernel, row, kernel->basis.col[elimination->col[c]]);
            const double *motion = elimination->col_motion + (size_t)c * dof;
            for (size_t j = 0; j < dof && moves; j++) {
                sum += y[j] * motion[j];
            }
            elimination->matrix[(size_t)r * (size_t)size + (size_t)c] = sum;
        }
    }
    return tact_lu_factor_small(size, elimination->matrix, size, elimination->permutation,
                                TACT_PIVOT_SINGULAR) < 0;
}

// ---------------------------------------------------------------------------------------------
// Solve

static double row_rhs(const TactKernel *kernel, const double *f, TactVar row)
{
    return f[*tact_kernel_position(kernel, row)];
}

/// b* = D_x f_gamma: what phi_x = -f_gamma alone would move [Lloyd04, eq. 28].
static void eliminated_motion(const TactElimination *elimination, const TactKernel *kernel,
                              const double *f, double *y)
{
    memset(y, 0, (size_t)kernel->space.dof * sizeof(double));
    for (int k = 0; k < kernel->friction.count; k++) {
        int i = kernel->friction.item[k];
        int x = elimination->x_col[i];
        if (x >= 0) {
            add_variable(kernel, kernel->basis.col[x],
                         row_rhs(kernel, f, tact_var(TACT_VAR_GAMMA, i, 0)), y);
        }
    }
}

/// Right-hand side of the reduced system.
static void reduced_rhs(TactElimination *elimination, const TactKernel *kernel, const double *f)
{
    const double *b = elimination->motion;
    double *y = elimination->col_motion + (size_t)elimination->size * (size_t)kernel->space.dof;
    for (int r = 0; r < elimination->size; r++) {
        TactVar row = kernel->basis.row[elimination->row[r]];
        int     x = eliminated_x(elimination, kernel, tact_var_item(row));
        double  sum = f[elimination->row[r]];
        if (tact_var_kind(row) == TACT_VAR_SIGMA && x >= 0) {
            sum -= row_rhs(kernel, f, tact_var_complement(kernel->basis.col[x]));
        }
        if (row_motion(elimination, kernel, elimination->row[r], y)) {
            for (int j = 0; j < kernel->space.dof; j++) {
                sum += y[j] * b[j];
            }
        }
        elimination->f[r] = sum;
    }
}

/// phi_x and lambda by substitution; v_c is the motion of all basic unknowns [Lloyd04, eq. 40].
static void substitute(TactElimination *elimination, const TactKernel *kernel, const double *f,
                       double *full)
{
    double *v = elimination->motion;
    memset(v, 0, (size_t)kernel->space.dof * sizeof(double));
    double z0 = kernel->basis.z0_position >= 0 ? full[kernel->basis.z0_position] : 0;
    for (int k = 0; k < kernel->friction.count; k++) {
        int i = kernel->friction.item[k];
        int x = elimination->x_col[i];
        if (x >= 0) {
            full[x] = (z0 != 0 ? cover_gamma(kernel, i) * z0 : 0) -
                      row_rhs(kernel, f, tact_var(TACT_VAR_GAMMA, i, 0));
        }
    }
    for (int c = 0; c < elimination->size; c++) {
        int     position = elimination->col[c];
        TactVar variable = kernel->basis.col[position];
        if (variable == TACT_VAR_Z0) {
            continue;
        }
        int i = tact_var_item(variable);
        int x = eliminated_x(elimination, kernel, i);
        int kind = tact_var_kind(variable);
        if (x >= 0 && kind == TACT_VAR_THETA) {
            full[x] += kernel->items.mu[i] * full[position];
        } else if (x >= 0 && kind == TACT_VAR_PHI) {
            full[x] -= full[position];
        }
        for (int m = i + 1; kind == TACT_VAR_THETA && m <= i + tact_kernel_moments(kernel, i);
             m++) {
            x = eliminated_x(elimination, kernel, m);
            if (x >= 0) {
                full[x] += kernel->items.mu[m] * full[position];
            }
        }
        add_variable(kernel, variable, full[position], v);
    }
    for (int k = 0; k < kernel->friction.count; k++) {
        int x = elimination->x_col[kernel->friction.item[k]];
        if (x >= 0) {
            add_variable(kernel, kernel->basis.col[x], full[x], v);
        }
    }
    for (int k = 0; k < kernel->friction.count; k++) {
        int i = kernel->friction.item[k];
        int x = elimination->x_col[i];
        if (x < 0) {
            continue;
        }
        TactVar              sigma = tact_var_complement(kernel->basis.col[x]);
        const TactItemGroup *group = &kernel->system->groups[kernel->system->items[i].group];
        const int           *support = kernel->space.support + group->support;
        double               slip = 0;
        tact_kernel_motion(kernel, kernel->basis.col[x], kernel->scratch.motion);
        for (int s = 0; s < group->size; s++) {
            slip += kernel->scratch.motion[s] * v[support[s]];
        }
        full[kernel->basis.position[TACT_VAR_LAMBDA][i]] =
            row_rhs(kernel, f, sigma) - slip -
            (z0 != 0 ? tact_kernel_cover(kernel, sigma) * z0 : 0);
    }
}

void tact_elimination_solve(TactElimination *elimination, const TactKernel *kernel, const double *f,
                            double *x)
{
    int size = elimination->size;
    eliminated_motion(elimination, kernel, f, elimination->motion);
    reduced_rhs(elimination, kernel, f);
    double *solution = elimination->f + kernel->basis.max_k;
    tact_lu_solve(size, elimination->matrix, size, elimination->permutation, elimination->f,
                  solution);
    double *full = elimination->full;
    memset(full, 0, (size_t)kernel->basis.k * sizeof(double));
    for (int c = 0; c < size; c++) {
        full[elimination->col[c]] = solution[c];
    }
    substitute(elimination, kernel, f, full);
    for (int c = 0; c < kernel->basis.k; c++) {
        x[c] -= full[c];
    }
}
