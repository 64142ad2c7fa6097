// Memory, friction and basis of the kernel.
#include "contact/kernel.h"

#include <math.h>
#include <string.h>

#include "contact/elimination.h"
#include "contact/kernel_internal.h"
#include "linalg/exchange.h"
#include "linalg/lu.h"

static const double SINGULAR_TOL = 1e-14;

enum { MOST_BASIC = 1500 }; // a larger block is no longer a small problem

// ---------------------------------------------------------------------------------------------
// Layout and load

static size_t padded(size_t count)
{
    return (count + 7) / 8 * 8;
}

static double *take_doubles(TactArena *arena, size_t count)
{
    return tact_arena_take(arena, count, sizeof(double));
}

static void layout_values(TactRowValues *values, size_t stride, TactArena *arena)
{
    values->n = take_doubles(arena, 3 * stride);
    values->lambda = take_doubles(arena, stride);
    values->gamma = take_doubles(arena, stride);
}

static void layout_friction(TactKernel *sized, size_t items, size_t stride, TactArena *arena)
{
    size_t directions = items * TACT_MAX_DIRECTIONS;
    sized->scale = take_doubles(arena, stride);
    sized->offset = take_doubles(arena, 3 * stride);
    sized->friction = tact_arena_take(arena, items, sizeof(unsigned char));
    sized->mu = take_doubles(arena, items);
    sized->bound = take_doubles(arena, items);
    sized->turn = take_doubles(arena, items);
    sized->cosine = take_doubles(arena, directions);
    sized->sine = take_doubles(arena, directions);
    sized->damping = take_doubles(arena, items);
    sized->with_friction = tact_arena_take(arena, items, sizeof(int));
    sized->cover_nu = take_doubles(arena, stride);
    sized->cover_sigma = take_doubles(arena, directions);
    sized->cover_gamma = take_doubles(arena, items);
    sized->nu_basic = take_doubles(arena, stride);
    sized->sigma_basic = take_doubles(arena, directions);
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
    sized->inverse = take_doubles(arena, k * sized->ld);
    sized->block = take_doubles(arena, k * sized->ld);
    sized->permutation = tact_arena_take(arena, k, sizeof(int));
    sized->col_motion = take_doubles(arena, k * sized->motion_ld);
    sized->row_motion = take_doubles(arena, k * sized->motion_ld);
    sized->z = take_doubles(arena, sized->ld);
    sized->dz = take_doubles(arena, sized->ld);
    sized->gather = take_doubles(arena, sized->ld);
}

int tact_kernel_max_basic(const TactContactCapacity *capacity)
{
    size_t items = (size_t)capacity->contacts + (size_t)capacity->rows;
    size_t most = 3 * items + (size_t)capacity->dof + 2;
    return most < MOST_BASIC ? (int)most : MOST_BASIC;
}

void tact_kernel_layout(TactKernel *kernel, const TactContactCapacity *capacity, TactArena *arena)
{
    size_t     items = (size_t)capacity->contacts + (size_t)capacity->rows;
    size_t     stride = padded(items) + 8;
    size_t     most = 3 * items + (size_t)capacity->dof + 2;
    TactKernel sized = {.max_k = tact_kernel_max_basic(capacity)};
    sized.ld = padded((size_t)sized.max_k + 1);
    sized.motion_ld = padded((size_t)capacity->support);
    layout_friction(&sized, items, stride, arena);
    layout_basis(&sized, items, arena);
    layout_values(&sized.value, stride, arena);
    layout_values(&sized.rate, stride, arena);
    layout_values(&sized.cover, stride, arena);
    sized.warm = tact_arena_take(arena, most, sizeof(TactVar));
    sized.y = take_doubles(arena, (size_t)capacity->dof);
    sized.change = take_doubles(arena, sized.ld > sized.motion_ld ? sized.ld : sized.motion_ld);
    size_t flat = sized.ld + stride + items * (TACT_MAX_DIRECTIONS + 1) + 16;
    sized.flat_value = take_doubles(arena, flat);
    sized.flat_rate = take_doubles(arena, flat);
    if (arena->block) {
        *kernel = sized;
    }
}

static void prepare_values(TactRowValues *values, size_t stride)
{
    values->t1 = values->n + stride;
    values->t2 = values->n + 2 * stride;
    memset(values->n, 0, 3 * stride * sizeof(double));
    memset(values->lambda, 0, stride * sizeof(double));
    memset(values->gamma, 0, stride * sizeof(double));
}

/// Scales of the items and of the right-hand side, so that the largest offset is 1.
static void scale_system(TactKernel *kernel, const TactSystem *system)
{
    size_t stride = (size_t)system->stride;
    double largest = 0;
    for (int i = 0; i < system->item_count; i++) {
        double s = system->items[i].scale;
        for (int c = 0; c < 3; c++) {
            double offset = s * system->b[3 * i + c];
            kernel->offset[(size_t)c * stride + (size_t)i] = offset;
            largest = fabs(offset) > largest ? fabs(offset) : largest;
        }
        kernel->scale[i] = s;
    }
    kernel->q_scale = largest > 0 ? largest : 1;
    for (size_t c = 0; c < 3; c++) {
        double *offset = kernel->offset + c * stride;
        for (size_t i = 0; i < stride; i++) {
            offset[i] = i < (size_t)system->item_count ? offset[i] / kernel->q_scale : 0;
        }
    }
    for (size_t i = (size_t)system->item_count; i < stride; i++) {
        kernel->scale[i] = kernel->nu_basic[i] = kernel->cover_nu[i] = 0;
    }
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
    kernel->has_compliance = false;
    prepare_values(&kernel->value, stride);
    prepare_values(&kernel->rate, stride);
    prepare_values(&kernel->cover, stride);
    scale_system(kernel, system);
    for (int i = 0; i < system->item_count; i++) {
        const TactItem *item = &system->items[i];
        kernel->friction[i] = 0;
        kernel->mu[i] = item->mu;
        kernel->bound[i] = item->bound / (item->scale * kernel->q_scale);
        kernel->turn[i] = item->turn;
        kernel->damping[i] = 0;
        kernel->nu_basic[i] = item->kind == TACT_ITEM_MOTOR ? 0 : 1;
        kernel->has_compliance = kernel->has_compliance || item->compliance > 0;
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
    double *c = kernel->cosine + tact_kernel_directions(i);
    double *s = kernel->sine + tact_kernel_directions(i);
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
    for (int j = d; j % 4 != 0; j++) {
        c[j] = s[j] = 0;
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
    size_t first = tact_kernel_directions(i);
    int    j = 0;
    for (; j < item->directions; j++) {
        kernel->place[TACT_VAR_PHI][first + (size_t)j] = -1;
        kernel->place[TACT_VAR_SIGMA][first + (size_t)j] = -1;
        kernel->sigma_basic[first + (size_t)j] = 1;
        kernel->cover_sigma[first + (size_t)j] = 0;
    }
    for (; j % 4 != 0; j++) {
        kernel->sigma_basic[first + (size_t)j] = kernel->cover_sigma[first + (size_t)j] = 0;
    }
    kernel->value.gamma[i] = kernel->bound[i];
    kernel->value.lambda[i] = 0;
    kernel->rate.lambda[i] = 0;
}

void tact_kernel_turn(TactKernel *kernel, int i, double turn, double damping)
{
    bool turned = turn != kernel->turn[i];
    kernel->turn[i] = turn;
    kernel->damping[i] = damping;
    if (kernel->friction[i] && turned) {
        compute_directions(kernel, i);
    }
}

// ---------------------------------------------------------------------------------------------
// Basis

void tact_kernel_put_col(TactKernel *kernel, int place, TactVar variable)
{
    kernel->col[place] = variable;
    if (variable == TACT_VAR_Z0) {
        kernel->z0_place = place;
        return;
    }
    *tact_kernel_place(kernel, variable) = place;
    tact_kernel_motion(kernel, variable, kernel->col_motion + (size_t)place * kernel->motion_ld);
}

void tact_kernel_put_row(TactKernel *kernel, int place, TactVar variable)
{
    kernel->row[place] = variable;
    int *where = tact_kernel_place(kernel, variable);
    *where = place;
    if (tact_var_kind(variable) == TACT_VAR_NU) {
        kernel->nu_basic[tact_var_item(variable)] = 0;
    } else if (tact_var_kind(variable) == TACT_VAR_SIGMA) {
        kernel->sigma_basic[where - kernel->place[TACT_VAR_SIGMA]] = 0;
    }
    tact_kernel_motion(kernel, variable, kernel->row_motion + (size_t)place * kernel->motion_ld);
}

void tact_kernel_forget_col(TactKernel *kernel, TactVar variable)
{
    if (variable == TACT_VAR_Z0) {
        kernel->z0_place = -1;
    } else {
        *tact_kernel_place(kernel, variable) = -1;
    }
}

void tact_kernel_forget_row(TactKernel *kernel, TactVar variable)
{
    int *where = tact_kernel_place(kernel, variable);
    *where = -1;
    if (tact_var_kind(variable) == TACT_VAR_NU) {
        kernel->nu_basic[tact_var_item(variable)] = 1;
    } else if (tact_var_kind(variable) == TACT_VAR_SIGMA) {
        kernel->sigma_basic[where - kernel->place[TACT_VAR_SIGMA]] = 1;
    }
}

void tact_kernel_solve(TactKernel *kernel, const double *f, double *x)
{
    if (kernel->elimination) {
        tact_elimination_solve(kernel->elimination, kernel, f, x);
    } else {
        tact_exchange_solve(kernel->k, kernel->inverse, kernel->ld, f, x);
    }
}

static bool factor_inverse(TactKernel *kernel)
{
    int k = kernel->k;
    for (int c = 0; c < k; c++) {
        tact_kernel_column_entries(kernel, kernel->col[c], kernel->block + (size_t)c * kernel->ld);
    }
    int ld = (int)kernel->ld;
    if (tact_lu_factor(k, kernel->block, ld, kernel->permutation, SINGULAR_TOL) >= 0) {
        return false;
    }
    tact_lu_invert(k, kernel->block, ld, kernel->permutation, kernel->inverse, ld);
    return true;
}

void tact_kernel_refine(TactKernel *kernel)
{
    // At z0 = 0 a basic lambda may be without phi: then the values stay as the path left them.
    if (kernel->elimination && kernel->elimination->dirty &&
        !tact_elimination_factor(kernel->elimination, kernel)) {
        tact_kernel_rows(kernel, kernel->z, TACT_VAR_NONE, true, &kernel->value);
        return;
    }
    for (int pass = 0; pass < 2; pass++) {
        tact_kernel_rows(kernel, kernel->z, TACT_VAR_NONE, true, &kernel->value);
        tact_kernel_gather(kernel, &kernel->value, kernel->z, tact_kernel_z0(kernel));
        tact_kernel_solve(kernel, kernel->gather, kernel->z);
    }
    tact_kernel_rows(kernel, kernel->z, TACT_VAR_NONE, true, &kernel->value);
}

bool tact_kernel_refactor(TactKernel *kernel)
{
    int  k = kernel->k;
    bool regular = kernel->elimination ? tact_elimination_factor(kernel->elimination, kernel)
                                       : factor_inverse(kernel);
    if (!regular) {
        return false;
    }
    memset(kernel->z, 0, (size_t)k * sizeof(double));
    if (k > 0) {
        tact_kernel_refine(kernel);
    } else {
        tact_kernel_rows(kernel, kernel->z, TACT_VAR_NONE, true, &kernel->value);
    }
    return true;
}

static void clear_basis(TactKernel *kernel)
{
    for (int p = 0; p < kernel->k; p++) {
        tact_kernel_forget_col(kernel, kernel->col[p]);
        tact_kernel_forget_row(kernel, kernel->row[p]);
    }
    kernel->k = 0;
    kernel->z0_place = -1;
}

static bool add_pair(TactKernel *kernel, TactVar unknown)
{
    if (kernel->k == kernel->max_k) {
        return false;
    }
    tact_kernel_put_row(kernel, kernel->k, tact_var_complement(unknown));
    tact_kernel_put_col(kernel, kernel->k, unknown);
    kernel->k++;
    return true;
}

bool tact_kernel_set_basis(TactKernel *kernel, const TactVar *basic, int count)
{
    clear_basis(kernel);
    for (int p = 0; p < count; p++) {
        if (!add_pair(kernel, basic[p])) {
            return false;
        }
    }
    for (int f = 0; f < kernel->friction_count; f++) {
        int i = kernel->with_friction[f];
        if (kernel->damping[i] > 0 && !add_pair(kernel, tact_var(TACT_VAR_DAMPER, i, 0))) {
            return false;
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
// End

void tact_kernel_impulses(const TactKernel *kernel, bool with_dampers, double *p)
{
    memset(p, 0, 3 * (size_t)kernel->system->item_count * sizeof(double));
    for (int c = 0; c < kernel->k; c++) {
        TactVar variable = kernel->col[c];
        double  along[3];
        if (variable == TACT_VAR_Z0 ||
            (!with_dampers && tact_var_kind(variable) == TACT_VAR_DAMPER) ||
            !tact_kernel_direction(kernel, variable, along)) {
            continue;
        }
        for (int x = 0; x < 3; x++) {
            p[3 * tact_var_item(variable) + x] += kernel->q_scale * kernel->z[c] * along[x];
        }
    }
}
