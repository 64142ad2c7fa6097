#include "contact/kernel.h"

#include <math.h>
#include <string.h>

#include "linalg/exchange.h"
#include "linalg/lu.h"

#include "contact/kernel_internal.h"

// Drift of a column, relative to its size: refined above the first, factored anew above the second.
static const double DRIFT_REFINE = 1e-13;
static const double DRIFT_REFACTOR = 1e-12;
static const double SINGULAR_TOL = 1e-14;

enum { MOST_BASIC = 1500 }; // a larger block is no longer a small problem

// ---------------------------------------------------------------------------------------------
// Layout and load

static void layout_values(TactRowValues *values, size_t stride, TactArena *arena)
{
    values->n = tact_arena_take(arena, 3 * stride, sizeof(double));
    values->lambda = tact_arena_take(arena, stride, sizeof(double));
    values->gamma = tact_arena_take(arena, stride, sizeof(double));
}

static void layout_friction(TactKernel *sized, size_t items, TactArena *arena)
{
    sized->friction = tact_arena_take(arena, items, sizeof(unsigned char));
    sized->mu = tact_arena_take(arena, items, sizeof(double));
    sized->bound = tact_arena_take(arena, items, sizeof(double));
    sized->turn = tact_arena_take(arena, items, sizeof(double));
    sized->cosine = tact_arena_take(arena, items * TACT_MAX_DIRECTIONS, sizeof(double));
    sized->sine = tact_arena_take(arena, items * TACT_MAX_DIRECTIONS, sizeof(double));
    sized->damping = tact_arena_take(arena, items, sizeof(double));
    sized->with_friction = tact_arena_take(arena, items, sizeof(int));
    sized->cover_nu = tact_arena_take(arena, items, sizeof(double));
    sized->cover_sigma = tact_arena_take(arena, items, sizeof(double));
    sized->cover_gamma = tact_arena_take(arena, items, sizeof(double));
    sized->uncovered = tact_arena_take(arena, items, sizeof(uint64_t));
}

static void layout_basis(TactKernel *sized, size_t items, TactArena *arena)
{
    size_t k = (size_t)sized->max_k;
    sized->col = tact_arena_take(arena, k, sizeof(TactVar));
    sized->row = tact_arena_take(arena, k, sizeof(TactVar));
    for (int kind = 0; kind < 8; kind++) {
        bool directed = kind == TACT_VAR_PHI || kind == TACT_VAR_SIGMA;
        sized->place[kind] =
            tact_arena_take(arena, items * (directed ? TACT_MAX_DIRECTIONS : 1), sizeof(int));
    }
    sized->inverse = tact_arena_take(arena, k * sized->ld, sizeof(double));
    sized->block = tact_arena_take(arena, k * sized->ld, sizeof(double));
    sized->permutation = tact_arena_take(arena, k, sizeof(int));
    sized->z = tact_arena_take(arena, sized->ld, sizeof(double));
    sized->dz = tact_arena_take(arena, sized->ld, sizeof(double));
    sized->gather = tact_arena_take(arena, sized->ld, sizeof(double));
    sized->change = tact_arena_take(arena, sized->ld, sizeof(double));
}

void tact_kernel_layout(TactKernel *kernel, const TactContactCapacity *capacity, TactArena *arena)
{
    size_t     items = (size_t)capacity->contacts + (size_t)capacity->rows;
    size_t     stride = (items + 7) / 8 * 8 + 8;
    size_t     most = 3 * items + (size_t)capacity->dof + 2;
    TactKernel sized = {.max_k = most < MOST_BASIC ? (int)most : MOST_BASIC};
    sized.ld = ((size_t)sized.max_k + 8) / 8 * 8;
    layout_friction(&sized, items, arena);
    layout_basis(&sized, items, arena);
    layout_values(&sized.value, stride, arena);
    layout_values(&sized.rate, stride, arena);
    layout_values(&sized.cover, stride, arena);
    sized.warm = tact_arena_take(arena, most, sizeof(TactVar));
    sized.y = tact_arena_take(arena, (size_t)capacity->dof, sizeof(double));
    sized.impulse = tact_arena_take(arena, 3 * items, sizeof(double));
    sized.touched = tact_arena_take(arena, items, sizeof(int));
    sized.theta_sum = tact_arena_take(arena, items, sizeof(double));
    if (arena->block) {
        *kernel = sized;
    }
}

static void spread_values(TactRowValues *values, size_t stride)
{
    values->t1 = values->n + stride;
    values->t2 = values->n + 2 * stride;
}

static void zero_values(TactRowValues *values, size_t stride)
{
    memset(values->n, 0, 3 * stride * sizeof(double));
    memset(values->lambda, 0, stride * sizeof(double));
    memset(values->gamma, 0, stride * sizeof(double));
}

void tact_kernel_load(TactKernel *kernel, const TactSystem *system)
{
    size_t stride = (size_t)system->stride;
    kernel->system = system;
    kernel->k = 0;
    kernel->z0_place = -1;
    kernel->friction_count = 0;
    kernel->pivots = 0;
    kernel->refactors = 0;
    spread_values(&kernel->value, stride);
    spread_values(&kernel->rate, stride);
    spread_values(&kernel->cover, stride);
    zero_values(&kernel->cover, stride);
    memset(kernel->value.lambda, 0, stride * sizeof(double));
    memset(kernel->rate.lambda, 0, stride * sizeof(double));
    memset(kernel->rate.gamma, 0, stride * sizeof(double));
    double largest = 0;
    for (int i = 0; i < system->item_count; i++) {
        for (int c = 0; c < 3; c++) {
            largest = fmax(largest, fabs(system->items[i].scale * system->b[3 * i + c]));
        }
    }
    kernel->q_scale = largest > 0 ? largest : 1;
    for (int i = 0; i < system->item_count; i++) {
        const TactItem *item = &system->items[i];
        kernel->friction[i] = 0;
        kernel->uncovered[i] = 0;
        kernel->mu[i] = item->mu;
        kernel->bound[i] = item->bound / (item->scale * kernel->q_scale);
        kernel->turn[i] = item->turn;
        kernel->damping[i] = 0;
        kernel->theta_sum[i] = 0;
        for (int c = 0; c < 3; c++) {
            kernel->impulse[3 * i + c] = 0;
        }
        for (int kind = 0; kind < 8; kind++) {
            if (kind != TACT_VAR_PHI && kind != TACT_VAR_SIGMA) {
                kernel->place[kind][i] = -1;
            }
        }
    }
}

// ---------------------------------------------------------------------------------------------
// Friction

/// cos and sin of 2 pi j / d, exact at the axes.
static void base_direction(int j, int d, double *c, double *s)
{
    double angle = 6.283185307179586 * j / d;
    *c = cos(angle);
    *s = sin(angle);
    if (4 * j % d == 0) {
        int quarter = 4 * j / d;
        *c = quarter == 0 ? 1 : quarter == 2 ? -1 : 0;
        *s = quarter == 1 ? 1 : quarter == 3 ? -1 : 0;
    }
}

static void eight_directions(double *c, double *s)
{
    static const double r = 0.70710678118654752440;
    const double        cosine[8] = {1, r, 0, -r, -1, -r, 0, r};
    const double        sine[8] = {0, r, 1, r, 0, -r, -1, -r};
    memcpy(c, cosine, sizeof cosine);
    memcpy(s, sine, sizeof sine);
}

static void compute_directions(TactKernel *kernel, int i)
{
    int     d = kernel->system->items[i].directions;
    double *c = kernel->cosine + (size_t)i * TACT_MAX_DIRECTIONS;
    double *s = kernel->sine + (size_t)i * TACT_MAX_DIRECTIONS;
    if (d == 8) {
        eight_directions(c, s);
    } else {
        for (int j = 0; j < d; j++) {
            base_direction(j, d, &c[j], &s[j]);
        }
    }
    if (kernel->turn[i] != 0) {
        double tc = cos(kernel->turn[i]);
        double ts = sin(kernel->turn[i]);
        for (int j = 0; j < d; j++) {
            double x = c[j] * tc - s[j] * ts;
            s[j] = s[j] * tc + c[j] * ts;
            c[j] = x;
        }
    }
}

void tact_kernel_add_friction(TactKernel *kernel, int i)
{
    const TactItem *item = &kernel->system->items[i];
    if (kernel->friction[i] || item->directions == 0) {
        return;
    }
    kernel->friction[i] = 1;
    kernel->with_friction[kernel->friction_count++] = i;
    compute_directions(kernel, i);
    for (int j = 0; j < item->directions; j++) {
        kernel->place[TACT_VAR_PHI][i * TACT_MAX_DIRECTIONS + j] = -1;
        kernel->place[TACT_VAR_SIGMA][i * TACT_MAX_DIRECTIONS + j] = -1;
    }
    kernel->value.gamma[i] = kernel->bound[i];
}

// ---------------------------------------------------------------------------------------------
// Columns and rows of the LCP as motions

/// The vector (n, 1, 2) along which a variable's impulse, or its row's velocity, is measured,
/// scaled; false: the variable has none (lambda, gamma, z0).
static bool motion_of(const TactKernel *kernel, TactVar variable, double p[3])
{
    int    i = tact_var_item(variable);
    double s = kernel->system->items[i].scale;
    size_t j = (size_t)i * TACT_MAX_DIRECTIONS + (size_t)tact_var_direction(variable);
    p[0] = p[1] = p[2] = 0;
    switch (tact_var_kind(variable) & 3) {
    case TACT_VAR_THETA: p[0] = s; return true;
    case TACT_VAR_PHI:
        p[1] = s * kernel->cosine[j];
        p[2] = s * kernel->sine[j];
        return true;
    case TACT_VAR_DAMPER: // across direction 0
        p[1] = -s * kernel->sine[(size_t)i * TACT_MAX_DIRECTIONS];
        p[2] = s * kernel->cosine[(size_t)i * TACT_MAX_DIRECTIONS];
        return true;
    default: return false;
    }
}

/// Entries that are not a product of motions: mu, -1 and 1 of the cone, compliance, 1 / damping.
static double extra_entry(const TactKernel *kernel, TactVar row, TactVar col)
{
    int i = tact_var_item(row);
    if (i != tact_var_item(col)) {
        return 0;
    }
    int r = tact_var_kind(row);
    int c = tact_var_kind(col);
    if (r == TACT_VAR_NU && c == TACT_VAR_THETA) {
        double s = kernel->system->items[i].scale;
        return kernel->system->items[i].compliance * s * s;
    }
    if (r == TACT_VAR_SIGMA && c == TACT_VAR_LAMBDA) {
        return 1;
    }
    if (r == TACT_VAR_GAMMA) {
        return c == TACT_VAR_THETA ? kernel->mu[i] : c == TACT_VAR_PHI ? -1 : 0;
    }
    return r == TACT_VAR_DAMPER_ROW && c == TACT_VAR_DAMPER ? 1 / kernel->damping[i] : 0;
}

/// Covering vector at a row.
double tact_kernel_cover(const TactKernel *kernel, TactVar row)
{
    int    i = tact_var_item(row);
    size_t j = (size_t)i * TACT_MAX_DIRECTIONS + (size_t)tact_var_direction(row);
    size_t first = (size_t)i * TACT_MAX_DIRECTIONS;
    switch (tact_var_kind(row)) {
    case TACT_VAR_NU: return kernel->cover_nu[i] + kernel->cover.n[i];
    case TACT_VAR_SIGMA:
        return (kernel->cosine[j] * kernel->cover.t1[i] + kernel->sine[j] * kernel->cover.t2[i]) +
               kernel->cover.lambda[i] +
               (kernel->uncovered[i] >> tact_var_direction(row) & 1 ? 0 : kernel->cover_sigma[i]);
    case TACT_VAR_GAMMA: return kernel->cover_gamma[i] + kernel->cover.gamma[i];
    default:
        return kernel->cosine[first] * kernel->cover.t2[i] -
               kernel->sine[first] * kernel->cover.t1[i];
    }
}

/// entries[p] = M(row, col) with one of them fixed: its motion stands in kernel->y if it has one.
static void entries_of_column(const TactKernel *kernel, TactVar col, bool moves, double *entries)
{
    for (int r = 0; r < kernel->k; r++) {
        double p[3];
        double sum = extra_entry(kernel, kernel->row[r], col);
        if (moves && motion_of(kernel, kernel->row[r], p)) {
            double u[3];
            tact_system_pull(kernel->system, tact_var_item(kernel->row[r]), kernel->y, u);
            sum += (p[0] * u[0] + p[1] * u[1]) + p[2] * u[2];
        }
        entries[r] = sum;
    }
}

static bool put_motion(TactKernel *kernel, TactVar variable)
{
    double p[3];
    memset(kernel->y, 0, (size_t)kernel->system->dof * sizeof(double));
    if (!motion_of(kernel, variable, p)) {
        return false;
    }
    tact_system_push(kernel->system, tact_var_item(variable), p, kernel->y);
    return true;
}

/// M(row, col) of all non-basic rows, for a column.                             (k)
static void column_entries(TactKernel *kernel, TactVar col, double *entries)
{
    if (col == TACT_VAR_Z0) {
        for (int r = 0; r < kernel->k; r++) {
            entries[r] = tact_kernel_cover(kernel, kernel->row[r]);
        }
        return;
    }
    entries_of_column(kernel, col, put_motion(kernel, col), entries);
}

/// M(row, col) of all basic unknowns, for a row.                                (k)
void tact_kernel_row_entries(TactKernel *kernel, TactVar row, double *entries)
{
    bool moves = put_motion(kernel, row);
    for (int c = 0; c < kernel->k; c++) {
        TactVar col = kernel->col[c];
        if (col == TACT_VAR_Z0) {
            entries[c] = tact_kernel_cover(kernel, row);
            continue;
        }
        double p[3];
        double sum = extra_entry(kernel, row, col);
        if (moves && motion_of(kernel, col, p)) {
            double u[3];
            tact_system_pull(kernel->system, tact_var_item(col), kernel->y, u);
            sum += (p[0] * u[0] + p[1] * u[1]) + p[2] * u[2];
        }
        entries[c] = sum;
    }
}

// ---------------------------------------------------------------------------------------------
// From amounts of the unknowns to all rows

/// Adds an amount of an unknown to the impulses, to lambda and to gamma.
static void add_amount(TactKernel *kernel, TactRowValues *out, TactVar variable, double amount,
                       int *touched)
{
    if (variable == TACT_VAR_Z0 || amount == 0) {
        return;
    }
    int i = tact_var_item(variable);
    if (tact_var_kind(variable) == TACT_VAR_LAMBDA) {
        out->lambda[i] = amount;
        return;
    }
    double *p = kernel->impulse + 3 * i;
    if (p[0] == 0 && p[1] == 0 && p[2] == 0 && kernel->theta_sum[i] == 0) {
        kernel->touched[(*touched)++] = i;
    }
    double along[3];
    motion_of(kernel, variable, along);
    for (int c = 0; c < 3; c++) {
        p[c] += amount * along[c];
    }
    if (tact_var_kind(variable) == TACT_VAR_THETA) {
        kernel->theta_sum[i] += kernel->mu[i] * amount;
    } else if (tact_var_kind(variable) == TACT_VAR_PHI) {
        kernel->theta_sum[i] -= amount;
    }
}

/// Rows of M for the amounts z of the basic unknowns and 1 of `driving`, without z0. Offsets come
/// on top of what stands in `out` where `with_offset`.
void tact_kernel_rows(TactKernel *kernel, const double *z, TactVar driving, bool with_offset,
                      TactRowValues *out)
{
    const TactSystem *system = kernel->system;
    int               touched = 0;
    for (int i = 0; i < kernel->friction_count; i++) {
        int item = kernel->with_friction[i];
        out->lambda[item] = 0;
        out->gamma[item] = with_offset ? kernel->bound[item] : 0;
    }
    for (int c = 0; c < kernel->k; c++) {
        add_amount(kernel, out, kernel->col[c], z[c], &touched);
    }
    if (driving >= 0) {
        add_amount(kernel, out, driving, 1, &touched);
    }
    memset(kernel->y, 0, (size_t)system->dof * sizeof(double));
    for (int t = 0; t < touched; t++) {
        tact_system_push(system, kernel->touched[t], kernel->impulse + 3 * kernel->touched[t],
                         kernel->y);
    }
    tact_system_sweep(system, kernel->y, out->n);
    tact_kernel_scale_rows(kernel, with_offset, out);
    for (int t = 0; t < touched; t++) {
        int     i = kernel->touched[t];
        double *p = kernel->impulse + 3 * i;
        out->n[i] += system->items[i].scale * system->items[i].compliance * p[0];
        out->gamma[i] += kernel->theta_sum[i];
        p[0] = p[1] = p[2] = kernel->theta_sum[i] = 0;
    }
}

void tact_kernel_scale_rows(const TactKernel *kernel, bool with_offset, TactRowValues *out)
{
    const TactSystem *system = kernel->system;
    double            offset = with_offset ? 1 / kernel->q_scale : 0;
    for (int i = 0; i < system->item_count; i++) {
        double        s = system->items[i].scale;
        const double *b = system->b + 3 * i;
        out->n[i] = s * (out->n[i] + offset * b[0]);
        out->t1[i] = s * (out->t1[i] + offset * b[1]);
        out->t2[i] = s * (out->t2[i] + offset * b[2]);
    }
}

/// A row's value from the three numbers of its item, with z0.
double tact_kernel_row_value(const TactKernel *kernel, const TactRowValues *values, double z0,
                             TactVar row)
{
    int    i = tact_var_item(row);
    size_t first = (size_t)i * TACT_MAX_DIRECTIONS;
    size_t j = first + (size_t)tact_var_direction(row);
    double cover = z0 != 0 ? z0 * tact_kernel_cover(kernel, row) : 0;
    switch (tact_var_kind(row)) {
    case TACT_VAR_NU: return values->n[i] + cover;
    case TACT_VAR_SIGMA:
        return (kernel->cosine[j] * values->t1[i] + kernel->sine[j] * values->t2[i]) +
               values->lambda[i] + cover;
    case TACT_VAR_GAMMA: return values->gamma[i] + cover;
    default:
        return (kernel->cosine[first] * values->t2[i] - kernel->sine[first] * values->t1[i]) +
               cover;
    }
}

// ---------------------------------------------------------------------------------------------
// Basis

void tact_kernel_put_col(TactKernel *kernel, int place, TactVar variable)
{
    kernel->col[place] = variable;
    if (variable == TACT_VAR_Z0) {
        kernel->z0_place = place;
    } else {
        *tact_kernel_place(kernel, variable) = place;
    }
}

void tact_kernel_put_row(TactKernel *kernel, int place, TactVar variable)
{
    kernel->row[place] = variable;
    *tact_kernel_place(kernel, variable) = place;
}

/// z = -K^-1 q, with one refinement, and all rows.
static void compute_values(TactKernel *kernel)
{
    int k = kernel->k;
    memset(kernel->z, 0, (size_t)k * sizeof(double));
    for (int pass = 0; pass < 3; pass++) {
        tact_kernel_rows(kernel, kernel->z, TACT_VAR_NONE, true, &kernel->value);
        if (pass == 2) {
            break;
        }
        double z0 = tact_kernel_z0(kernel);
        for (int r = 0; r < k; r++) {
            kernel->gather[r] =
                tact_kernel_damped_value(kernel, &kernel->value, kernel->z, z0, kernel->row[r]);
        }
        tact_exchange_solve(k, kernel->inverse, kernel->ld, kernel->gather, kernel->z);
    }
}

bool tact_kernel_refactor(TactKernel *kernel)
{
    int k = kernel->k;
    for (int c = 0; c < k; c++) {
        column_entries(kernel, kernel->col[c], kernel->block + (size_t)c * kernel->ld);
    }
    int ld = (int)kernel->ld;
    if (tact_lu_factor(k, kernel->block, ld, kernel->permutation, SINGULAR_TOL) >= 0) {
        return false;
    }
    tact_lu_invert(k, kernel->block, ld, kernel->permutation, kernel->inverse, ld);
    compute_values(kernel);
    return true;
}

static void clear_basis(TactKernel *kernel)
{
    for (int p = 0; p < kernel->k; p++) {
        if (kernel->col[p] != TACT_VAR_Z0) {
            *tact_kernel_place(kernel, kernel->col[p]) = -1;
        }
        *tact_kernel_place(kernel, kernel->row[p]) = -1;
    }
    kernel->k = 0;
    kernel->z0_place = -1;
}

bool tact_kernel_set_basis(TactKernel *kernel, const TactVar *basic, int count)
{
    clear_basis(kernel);
    for (int p = 0; p < count; p++) {
        if (kernel->k == kernel->max_k) {
            return false;
        }
        tact_kernel_put_row(kernel, kernel->k, tact_var_complement(basic[p]));
        tact_kernel_put_col(kernel, kernel->k++, basic[p]);
    }
    for (int f = 0; f < kernel->friction_count; f++) {
        int i = kernel->with_friction[f];
        if (kernel->damping[i] > 0) {
            if (kernel->k == kernel->max_k) {
                return false;
            }
            tact_kernel_put_row(kernel, kernel->k, tact_var(TACT_VAR_DAMPER_ROW, i, 0));
            tact_kernel_put_col(kernel, kernel->k++, tact_var(TACT_VAR_DAMPER, i, 0));
        }
    }
    return tact_kernel_refactor(kernel);
}

int tact_kernel_basis(const TactKernel *kernel, TactVar *basic)
{
    int count = 0;
    for (int c = 0; c < kernel->k; c++) {
        if (kernel->col[c] != TACT_VAR_Z0 && tact_var_kind(kernel->col[c]) != TACT_VAR_DAMPER) {
            basic[count++] = kernel->col[c];
        }
    }
    return count;
}

// ---------------------------------------------------------------------------------------------
// Column of a driving variable

static double drift_of(TactKernel *kernel, TactVar driving, double dz0)
{
    double drift = 0;
    for (int r = 0; r < kernel->k; r++) {
        double target = kernel->row[r] == driving ? 1 : 0;
        kernel->gather[r] =
            tact_kernel_damped_value(kernel, &kernel->rate, kernel->dz, dz0, kernel->row[r]) -
            target;
        drift = fmax(drift, fabs(kernel->gather[r]));
    }
    return drift;
}

double tact_kernel_z0_rate(const TactKernel *kernel, TactVar driving)
{
    return driving == TACT_VAR_Z0 ? 1 : kernel->z0_place >= 0 ? kernel->dz[kernel->z0_place] : 0;
}

static bool is_row(TactVar variable)
{
    return variable >= 0 && (tact_var_kind(variable) & 4) != 0;
}

static void first_column(TactKernel *kernel, TactVar driving)
{
    int k = kernel->k;
    if (is_row(driving)) {
        int place = *tact_kernel_place(kernel, driving);
        memcpy(kernel->dz, kernel->inverse + (size_t)place * kernel->ld,
               (size_t)k * sizeof(double));
    } else {
        column_entries(kernel, driving, kernel->gather);
        memset(kernel->dz, 0, (size_t)k * sizeof(double));
        tact_exchange_solve(k, kernel->inverse, kernel->ld, kernel->gather, kernel->dz);
    }
    tact_kernel_rows(kernel, kernel->dz, is_row(driving) ? TACT_VAR_NONE : driving, false,
                     &kernel->rate);
}

double tact_kernel_column_size(const TactKernel *kernel)
{
    double size = 1;
    for (int c = 0; c < kernel->k; c++) {
        double entry = fabs(kernel->dz[c]);
        size = entry > size ? entry : size;
    }
    return size;
}

bool tact_kernel_column(TactKernel *kernel, TactVar driving)
{
    for (int attempt = 0; attempt < 2; attempt++) {
        first_column(kernel, driving);
        double drift = drift_of(kernel, driving, tact_kernel_z0_rate(kernel, driving));
        double size = tact_kernel_column_size(kernel);
        if (drift <= DRIFT_REFINE * size) {
            return true;
        }
        tact_exchange_solve(kernel->k, kernel->inverse, kernel->ld, kernel->gather, kernel->dz);
        tact_kernel_rows(kernel, kernel->dz, is_row(driving) ? TACT_VAR_NONE : driving, false,
                         &kernel->rate);
        drift = drift_of(kernel, driving, tact_kernel_z0_rate(kernel, driving));
        if (drift <= DRIFT_REFACTOR * size) {
            return true;
        }
        if (attempt == 0) {
            kernel->refactors++;
            if (!tact_kernel_refactor(kernel)) {
                return false;
            }
        }
    }
    return true;
}

// ---------------------------------------------------------------------------------------------
// End

void tact_kernel_refine(TactKernel *kernel)
{
    for (int pass = 0; pass < 2; pass++) {
        double z0 = tact_kernel_z0(kernel);
        tact_kernel_rows(kernel, kernel->z, TACT_VAR_NONE, true, &kernel->value);
        for (int r = 0; r < kernel->k; r++) {
            kernel->gather[r] =
                tact_kernel_damped_value(kernel, &kernel->value, kernel->z, z0, kernel->row[r]);
        }
        tact_exchange_solve(kernel->k, kernel->inverse, kernel->ld, kernel->gather, kernel->z);
    }
    tact_kernel_rows(kernel, kernel->z, TACT_VAR_NONE, true, &kernel->value);
}

void tact_kernel_impulses(const TactKernel *kernel, bool with_dampers, double *p)
{
    memset(p, 0, 3 * (size_t)kernel->system->item_count * sizeof(double));
    for (int c = 0; c < kernel->k; c++) {
        TactVar variable = kernel->col[c];
        double  along[3];
        if (variable == TACT_VAR_Z0 ||
            (!with_dampers && tact_var_kind(variable) == TACT_VAR_DAMPER) ||
            !motion_of(kernel, variable, along)) {
            continue;
        }
        for (int x = 0; x < 3; x++) {
            p[3 * tact_var_item(variable) + x] += kernel->q_scale * kernel->z[c] * along[x];
        }
    }
}

double tact_kernel_lowest(const TactKernel *kernel)
{
    double lowest = 0;
    double z0 = tact_kernel_z0(kernel);
    for (int c = 0; c < kernel->k; c++) {
        if (kernel->col[c] != TACT_VAR_Z0 && tact_var_kind(kernel->col[c]) != TACT_VAR_DAMPER) {
            lowest = fmin(lowest, kernel->z[c]);
        }
    }
    for (int i = 0; i < kernel->system->item_count; i++) {
        if (kernel->place[TACT_VAR_NU][i] < 0 && kernel->system->items[i].kind != TACT_ITEM_MOTOR) {
            lowest = fmin(lowest, tact_kernel_row_value(kernel, &kernel->value, z0,
                                                        tact_var(TACT_VAR_NU, i, 0)));
        }
    }
    for (int f = 0; f < kernel->friction_count; f++) {
        int i = kernel->with_friction[f];
        for (int j = 0; j < kernel->system->items[i].directions; j++) {
            TactVar sigma = tact_var(TACT_VAR_SIGMA, i, j);
            if (*tact_kernel_place(kernel, sigma) < 0) {
                lowest = fmin(lowest, tact_kernel_row_value(kernel, &kernel->value, z0, sigma));
            }
        }
        TactVar gamma = tact_var(TACT_VAR_GAMMA, i, 0);
        if (*tact_kernel_place(kernel, gamma) < 0) {
            lowest = fmin(lowest, tact_kernel_row_value(kernel, &kernel->value, z0, gamma));
        }
    }
    return lowest;
}
