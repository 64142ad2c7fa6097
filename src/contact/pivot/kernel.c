// Friction and basis of the kernel.
#include "contact/pivot/kernel.h"

#include <math.h>
#include <string.h>

#include "contact/pivot/elimination.h"
#include "contact/pivot/kernel_entries.h"
#include "contact/pivot/kernel_inverse.h"
#include "contact/pivot_rules.h"
#include "linalg/lu.h"

// ---------------------------------------------------------------------------------------------
// Friction

/// Directions of a pyramid that is not turned: mostly all have as many.
static void need_base(TactKernel *kernel, int d)
{
    if (kernel->friction.base_count != d) {
        tact_directions_base(d, kernel->friction.base_cosine, kernel->friction.base_sine);
        kernel->friction.base_count = d;
    }
}

static void compute_directions(TactKernel *kernel, int i)
{
    int     d = kernel->system->items[i].directions;
    double *c = kernel->friction.cosine + (size_t)i * TACT_MAX_DIRECTIONS;
    double *s = kernel->friction.sine + (size_t)i * TACT_MAX_DIRECTIONS;
    kernel->motions.turned_at[i] = ++kernel->motions.now;
    if (d == 2) { // to and fro: motors, spinning
        c[0] = 1;
        c[1] = -1;
        s[0] = s[1] = 0;
    } else {
        need_base(kernel, d);
        const double *base_c = kernel->friction.base_cosine, *base_s = kernel->friction.base_sine;
        for (int j = 0; j < d; j++) {
            c[j] = base_c[j];
            s[j] = base_s[j];
        }
    }
    if (kernel->items.turn[i] != 0) {
        tact_directions_turn(d, kernel->items.turn[i], c, s);
    }
    for (int j = d; j < kernel->friction.directions; j++) {
        c[j] = s[j] = 0;
    }
}

/// No unknown of an item is basic, and its rows are 0.
static void clear_friction(const TactKernel *kernel, int i, int active)
{
    int    *phi = kernel->basis.position[TACT_VAR_PHI] + (size_t)i * TACT_MAX_DIRECTIONS;
    int    *sigma = kernel->basis.position[TACT_VAR_SIGMA] + (size_t)i * TACT_MAX_DIRECTIONS;
    int     rows = tact_kernel_friction_rows(kernel, active), count = kernel->friction.directions;
    double *direct = kernel->rows.direct + rows, *value = kernel->rows.value + rows;
    double *rate = kernel->rows.rate + rows;
    for (int j = 0; j < count; j++) {
        phi[j] = sigma[j] = -1;
    }
    for (int j = 0; j < kernel->rows.per_active; j += 4) {
        TACT_LANES_PUT(direct + j) = TACT_LANES_PUT(value + j) = TACT_LANES_PUT(rate + j) =
            TACT_LANES_ALL(0.0);
    }
}

/// Tangents, scaled, side by side.                                              pair: (size x 2)
TACT_LOOP void pair_columns(int size, double scale, const double *columns, double *pair)
{
    const double *t1 = columns, *t2 = columns + size;
    int           s = 0;
    for (; s + 4 <= size; s += 4) {
        TactLanes a = scale * TACT_LANES_AT(t1 + s), b = scale * TACT_LANES_AT(t2 + s);
        TACT_LANES_PUT(pair + 2 * s) = __builtin_shufflevector(a, b, 0, 4, 1, 5);
        TACT_LANES_PUT(pair + 2 * s + 4) = __builtin_shufflevector(a, b, 2, 6, 3, 7);
    }
    for (; s < size; s++) {
        pair[2 * s] = scale * t1[s];
        pair[2 * s + 1] = scale * t2[s];
    }
}

TACT_LOOP void add_one_friction(TactKernel *kernel, int i)
{
    const TactItem *item = &kernel->system->items[i];
    if (kernel->items.active[i] >= 0 || item->directions == 0) {
        return;
    }
    int active = kernel->friction.count++;
    kernel->items.active[i] = active;
    kernel->friction.item[active] = i;
    compute_directions(kernel, i);
    clear_friction(kernel, i, active);
    int           from = kernel->space.group_from[item->group];
    int           size = tact_kernel_group(kernel, i)->size;
    const double *columns = kernel->system->columns + kernel->system->column[i] + size;
    double *pair = kernel->friction.tangents + (size_t)active * 2 * kernel->friction.tangent_ld;
    pair_columns(size, kernel->items.scale[i], columns, pair);
    if (size % 2 != 0) { // sums run over two pairs at a time
        pair[2 * size] = pair[2 * size + 1] = 0;
    }
    kernel->friction.actives[active] =
        (TactKernelActive){i, item->directions, 2 * from, (size + 1) / 2};
}

void tact_kernel_add_item_friction(TactKernel *kernel, int i)
{
    add_one_friction(kernel, i);
}

__attribute__((noinline)) static void add_moment_friction(TactKernel *kernel, int i)
{
    for (int m = 1; m <= tact_kernel_moments(kernel, i); m++) {
        tact_kernel_add_item_friction(kernel, i + m);
    }
}

void tact_kernel_add_friction(TactKernel *kernel, int i)
{
    add_one_friction(kernel, i);
    if (kernel->items.has_moments) {
        add_moment_friction(kernel, i);
    }
}

void tact_kernel_turn(TactKernel *kernel, int i, double turn, double damping)
{
    bool turned = turn != kernel->items.turn[i];
    kernel->items.turn[i] = turn;
    kernel->items.damping[i] = damping;
    if (kernel->items.active[i] >= 0 && turned) {
        compute_directions(kernel, i);
    }
}

// ---------------------------------------------------------------------------------------------
// Basis

/// Writes a motion over all degrees of freedom into a table [position][dof].
TACT_CLONES static void put_motion(TactKernel *kernel, TactVar variable, double *table,
                                   int position)
{
    double *row = table + (size_t)position * kernel->space.ld;
    if (variable == TACT_VAR_Z0) {
        memcpy(row, kernel->motions.cover_y, kernel->space.ld * sizeof(double));
        return;
    }
    int g = kernel->system->items[tact_var_item(variable)].group;
    for (size_t j = 0; j < kernel->space.ld; j += 4) {
        TACT_LANES_PUT(row + j) = TACT_LANES_ALL(0.0);
    }
    int run = kernel->space.group_runs[g], s = 0;
    for (; run < kernel->space.group_runs[g + 1]; run++) {
        int first = kernel->space.run_first[run], size = kernel->space.run_end[run] - first;
        if (!tact_kernel_put_part(kernel, variable, s, size, row + first)) {
            return;
        }
        s += size;
    }
}

/// The same into one position of a table [dof][position].
static void put_table(const TactKernel *kernel, const double *motion, double *table, int position)
{
    for (int j = 0; j < kernel->space.dof; j++) {
        table[(size_t)j * kernel->basis.ld + (size_t)position] = motion[j];
    }
}

static void put_col_table(TactKernel *kernel, int position)
{
    put_table(kernel, kernel->motions.col_rows + (size_t)position * kernel->space.ld,
              kernel->motions.col_motion, position);
}

static void put_row_table(TactKernel *kernel, int position)
{
    put_motion(kernel, kernel->basis.row[position], kernel->motions.twice, 0);
    put_table(kernel, kernel->motions.twice, kernel->motions.row_motion, position);
}

void tact_kernel_need_tables(TactKernel *kernel)
{
    for (int position = 0; position < kernel->basis.k && !kernel->motions.has_tables; position++) {
        put_col_table(kernel, position);
        put_row_table(kernel, position);
    }
    kernel->motions.has_tables = true;
}

/// Does the motion of an unknown stand at its position already? One system after the other has the
/// same sticking contacts, and most of its sliding ones turned.
static bool has_motion(const TactKernel *kernel, int position, TactVar variable)
{
    const TactKernelMotions *motions = &kernel->motions;
    uint64_t                 at = motions->made_at[position];
    return motions->made[position] == variable && variable != TACT_VAR_Z0 &&
           at >= motions->loaded_at &&
           (tact_var_kind(variable) == TACT_VAR_THETA ||
            at >= motions->turned_at[tact_var_item(variable)]);
}

static void put_col_motion(TactKernel *kernel, int position, TactVar variable)
{
    if (!has_motion(kernel, position, variable)) {
        put_motion(kernel, variable, kernel->motions.col_rows, position);
        kernel->motions.made[position] = variable;
        kernel->motions.made_at[position] = kernel->motions.now;
    }
}

void tact_kernel_put_col(TactKernel *kernel, int position, TactVar variable)
{
    kernel->basis.col[position] = variable;
    kernel->basis.col_active[position] = kernel->system->item_count + position % 4;
    kernel->basis.col_gamma[position] = 0;
    put_col_motion(kernel, position, variable);
    if (kernel->motions.has_tables) {
        put_col_table(kernel, position);
    }
    if (variable == TACT_VAR_Z0) {
        kernel->basis.z0_position = position;
        kernel->basis.col_blocks[position] = 0;
        return;
    }
    *tact_kernel_position(kernel, variable) = position;
    int i = tact_var_item(variable);
    int kind = tact_var_kind(variable);
    kernel->basis.col_blocks[position] = kind == TACT_VAR_DAMPER ? 0 : 1;
    if (kernel->items.active[i] >= 0 && (kind == TACT_VAR_THETA || kind == TACT_VAR_PHI)) {
        kernel->basis.col_active[position] = kernel->items.active[i];
        kernel->basis.col_gamma[position] = kind == TACT_VAR_THETA ? kernel->items.mu[i] : -1;
    }
}

void tact_kernel_put_row(TactKernel *kernel, int position, TactVar variable)
{
    kernel->basis.row[position] = variable;
    kernel->basis.row_at[position] = tact_kernel_row_at(kernel, variable);
    *tact_kernel_position(kernel, variable) = position;
    if (kernel->motions.has_tables) {
        put_row_table(kernel, position);
    }
}

void tact_kernel_forget_col(TactKernel *kernel, TactVar variable)
{
    if (variable == TACT_VAR_Z0) {
        kernel->basis.z0_position = -1;
    } else {
        *tact_kernel_position(kernel, variable) = -1;
    }
}

void tact_kernel_forget_row(TactKernel *kernel, TactVar variable)
{
    *tact_kernel_position(kernel, variable) = -1;
}

TACT_CLONES static void solve_by_inverse(const TactKernel *kernel, const double *f, double *x)
{
    tact_inverse_solve(kernel->basis.k, kernel->factor.inverse, kernel->basis.ld, f, x);
}

static void solve_by_lu(TactKernel *kernel, const double *f, double *x)
{
    memcpy(kernel->scratch.change, f, (size_t)kernel->basis.k * sizeof(double));
    tact_lu_solve_transposed(kernel->basis.k, kernel->factor.block, (int)kernel->basis.ld,
                             kernel->factor.permutation, kernel->scratch.change,
                             kernel->scratch.solution);
    for (int c = 0; c < kernel->basis.k; c++) {
        x[c] -= kernel->scratch.solution[c];
    }
}

void tact_kernel_solve(TactKernel *kernel, const double *f, double *x)
{
    if (kernel->elimination) {
        tact_elimination_solve(kernel->elimination, kernel, f, x);
    } else if (kernel->factor.kind == TACT_KERNEL_PRINCIPAL) {
        tact_principal_solve(kernel, f, x);
    } else if (kernel->factor.kind == TACT_KERNEL_LU) {
        solve_by_lu(kernel, f, x);
    } else {
        solve_by_inverse(kernel, f, x);
    }
}

static TactKernelFactorKind factor_block(TactKernel *kernel)
{
    int k = kernel->basis.k;
    tact_kernel_need_tables(kernel);
    for (int c = 0; c < k; c++) {
        tact_kernel_column_entries(kernel, kernel->basis.col[c],
                                   kernel->factor.block + (size_t)c * kernel->basis.ld);
    }
    int ld = (int)kernel->basis.ld;
    return tact_lu_factor_small(k, kernel->factor.block, ld, kernel->factor.permutation,
                                TACT_PIVOT_SINGULAR) < 0
               ? TACT_KERNEL_LU
               : TACT_KERNEL_SINGULAR;
}

bool tact_kernel_need_inverse(TactKernel *kernel)
{
    int ld = (int)kernel->basis.ld;
    if (kernel->elimination || kernel->factor.kind == TACT_KERNEL_INVERSE) {
        return true;
    }
    if (kernel->factor.kind != TACT_KERNEL_LU) {
        kernel->factor.kind = factor_block(kernel);
    }
    if (kernel->factor.kind == TACT_KERNEL_SINGULAR) {
        return false;
    }
    kernel->factor.products_of = NULL;
    tact_lu_invert(kernel->basis.k, kernel->factor.block, ld, kernel->factor.permutation,
                   kernel->factor.inverse, ld);
    for (int r = 0; r < kernel->basis.k; r++) {
        for (int c = kernel->basis.k; c % 4 != 0; c++) {
            kernel->factor.inverse[(size_t)r * kernel->basis.ld + (size_t)c] = 0;
        }
    }
    kernel->factor.kind = TACT_KERNEL_INVERSE;
    return true;
}

void tact_kernel_pad_positions(TactKernel *kernel)
{
    for (int c = kernel->basis.k; c % 4 != 0; c++) {
        kernel->basis.z[c] = kernel->basis.dz[c] = kernel->basis.col_blocks[c] = 0;
    }
}

/// One step of refinement, unless the non-basic rows are off by no more than tol.
static void refine_once(TactKernel *kernel, double tol)
{
    double largest = 0;
    for (int r = 0; r < kernel->basis.k; r++) {
        kernel->scratch.gather[r] = kernel->rows.value[kernel->basis.row_at[r]];
        largest =
            fabs(kernel->scratch.gather[r]) > largest ? fabs(kernel->scratch.gather[r]) : largest;
    }
    if (largest > tol) {
        tact_kernel_solve(kernel, kernel->scratch.gather, kernel->basis.z);
        tact_kernel_compute_values(kernel);
    }
}

void tact_kernel_refine(TactKernel *kernel)
{
    tact_kernel_pad_positions(kernel);
    tact_kernel_compute_values(kernel);
    // At z0 = 0 a basic lambda may be without phi: then the values stay as the path left them.
    if (kernel->elimination && kernel->elimination->dirty &&
        !tact_elimination_factor(kernel->elimination, kernel)) {
        return;
    }
    refine_once(kernel, 0);
    refine_once(kernel, TACT_PIVOT_REFINED);
}

/// Value of a row where nothing pushes.
static double offset_of(const TactKernel *kernel, TactVar row)
{
    int           i = tact_var_item(row);
    const double *offset = kernel->items.offset + i;
    size_t        stride = (size_t)kernel->system->stride;
    double        a, b;
    switch (tact_var_kind(row)) {
    case TACT_VAR_NU: return offset[0];
    case TACT_VAR_GAMMA: return kernel->items.bound[i];
    default:
        tact_kernel_along(kernel, row, &a, &b);
        return a * offset[stride] + b * offset[2 * stride];
    }
}

/// Values from a new factor.
static bool solve_anew(TactKernel *kernel)
{
    if (!kernel->elimination && kernel->factor.kind == TACT_KERNEL_SINGULAR) {
        return false;
    }
    tact_kernel_pad_positions(kernel);
    for (int r = 0; r < kernel->basis.k; r++) {
        kernel->scratch.gather[r] = offset_of(kernel, kernel->basis.row[r]);
        kernel->basis.z[r] = 0;
    }
    if (kernel->basis.k > 0) {
        tact_kernel_solve(kernel, kernel->scratch.gather, kernel->basis.z);
    }
    tact_kernel_compute_values(kernel);
    refine_once(kernel, TACT_PIVOT_REFINED);
    return true;
}

bool tact_kernel_refactor(TactKernel *kernel)
{
    if (kernel->elimination) {
        return tact_elimination_factor(kernel->elimination, kernel) && solve_anew(kernel);
    }
    kernel->factor.kind = factor_block(kernel);
    return solve_anew(kernel);
}

static void clear_basis(TactKernel *kernel)
{
    for (int p = 0; p < kernel->basis.k; p++) {
        tact_kernel_forget_col(kernel, kernel->basis.col[p]);
        tact_kernel_forget_row(kernel, kernel->basis.row[p]);
    }
    kernel->basis.k = 0;
    kernel->basis.z0_position = -1;
}

static bool add_basic_pair(TactKernel *kernel, TactVar unknown)
{
    if (kernel->basis.k == kernel->basis.max_k) {
        return false;
    }
    tact_kernel_put_row(kernel, kernel->basis.k, tact_var_complement(unknown));
    tact_kernel_put_col(kernel, kernel->basis.k, unknown);
    kernel->basis.k++;
    return true;
}

bool tact_kernel_put_basis(TactKernel *kernel, const TactVar *basic, int count)
{
    clear_basis(kernel);
    kernel->motions.has_tables = kernel->elimination != NULL;
    if (kernel->space.too_large) {
        return false;
    }
    for (int p = 0; p < count; p++) {
        if (!add_basic_pair(kernel, basic[p])) {
            return false;
        }
    }
    for (int f = 0; f < kernel->friction.count; f++) {
        int i = kernel->friction.item[f];
        if (kernel->items.damping[i] > 0 &&
            !add_basic_pair(kernel, tact_var(TACT_VAR_DAMPER, i, 0))) {
            return false;
        }
    }
    return true;
}

bool tact_kernel_set_basis(TactKernel *kernel, const TactVar *basic, int count)
{
    if (!tact_kernel_put_basis(kernel, basic, count)) {
        return false;
    }
    if (kernel->elimination) {
        return tact_kernel_refactor(kernel);
    }
    kernel->factor.kind = tact_principal_factor(kernel);
    if (kernel->factor.kind == TACT_KERNEL_NO_FACTOR) {
        kernel->factor.kind = factor_block(kernel);
    }
    return solve_anew(kernel);
}

int tact_kernel_basis(const TactKernel *kernel, TactVar *basic)
{
    int count = 0;
    for (int c = 0; c < kernel->basis.k; c++) {
        if (kernel->basis.col[c] != TACT_VAR_Z0 &&
            tact_var_kind(kernel->basis.col[c]) != TACT_VAR_DAMPER) {
            basic[count++] = kernel->basis.col[c];
        }
    }
    return count;
}

// ---------------------------------------------------------------------------------------------
// End

void tact_kernel_impulses(const TactKernel *kernel, bool with_dampers, double *p)
{
    memset(p, 0, 3 * (size_t)kernel->system->item_count * sizeof(double));
    for (int c = 0; c < kernel->basis.k; c++) {
        TactVar variable = kernel->basis.col[c];
        double  along[3];
        if (variable == TACT_VAR_Z0 ||
            (!with_dampers && tact_var_kind(variable) == TACT_VAR_DAMPER) ||
            !tact_kernel_direction(kernel, variable, along)) {
            continue;
        }
        for (int x = 0; x < 3; x++) {
            p[3 * tact_var_item(variable) + x] +=
                kernel->items.q_scale * kernel->basis.z[c] * along[x];
        }
    }
}
