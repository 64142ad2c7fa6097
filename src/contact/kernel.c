// Memory, friction and basis of the kernel.
#include "contact/kernel.h"

#include <math.h>
#include <string.h>

#include "contact/elimination.h"
#include "contact/kernel_internal.h"
#include "linalg/exchange.h"
#include "linalg/lu.h"

static const double SINGULAR_TOL = 1e-14;

enum {
    MOST_BASIC = 1500, // a larger block is no longer a small problem
    MOST_DOF = 3600,   // of 300 contacts between pairs of bodies
};

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

static void layout_items(TactKernel *sized, const TactContactCapacity *capacity, size_t items,
                         size_t stride, TactArena *arena)
{
    size_t directions = items * TACT_MAX_DIRECTIONS;
    sized->scale = take_doubles(arena, stride);
    sized->offset = take_doubles(arena, 3 * stride);
    sized->mu = take_doubles(arena, items);
    sized->bound = take_doubles(arena, items);
    sized->turn = take_doubles(arena, items);
    sized->damping = take_doubles(arena, items);
    sized->slot = tact_arena_take(arena, items, sizeof(int));
    // As system->soa, for one component.
    sized->normals = take_doubles(arena, items * (size_t)capacity->support * 4);
    sized->slot_item = tact_arena_take(arena, items, sizeof(int));
    sized->cosine = take_doubles(arena, directions);
    sized->sine = take_doubles(arena, directions);
    sized->tangent_ld = padded((size_t)capacity->support);
    sized->tangents = take_doubles(arena, items * 2 * sized->tangent_ld);
    sized->t_value = take_doubles(arena, 2 * items);
    sized->own_support = tact_arena_take(arena, items * (size_t)capacity->support, sizeof(int));
    sized->dof_place = tact_arena_take(arena, (size_t)capacity->dof, sizeof(int));
    size_t rows = stride + directions + 2 * padded(items) + 8;
    sized->value = take_doubles(arena, rows);
    sized->rate = take_doubles(arena, rows);
    sized->direct = take_doubles(arena, rows);
}

static void layout_basis(TactKernel *sized, size_t items, TactArena *arena)
{
    size_t k = (size_t)sized->max_k;
    size_t dof = (size_t)sized->max_dof;
    sized->col = tact_arena_take(arena, k, sizeof(TactVar));
    sized->row = tact_arena_take(arena, k, sizeof(TactVar));
    sized->row_at = tact_arena_take(arena, k, sizeof(int));
    sized->col_slot = tact_arena_take(arena, k, sizeof(int));
    sized->col_gamma = take_doubles(arena, k);
    sized->col_blocks = take_doubles(arena, sized->ld);
    for (int kind = 0; kind < 8; kind++) {
        bool directed = kind == TACT_VAR_PHI || kind == TACT_VAR_SIGMA;
        sized->place[kind] =
            tact_arena_take(arena, items * (directed ? TACT_MAX_DIRECTIONS : 1), sizeof(int));
    }
    sized->inverse = take_doubles(arena, k * sized->ld);
    sized->block = take_doubles(arena, k * sized->ld);
    sized->permutation = tact_arena_take(arena, k, sizeof(int));
    sized->col_motion = take_doubles(arena, dof * sized->ld);
    sized->row_motion = take_doubles(arena, dof * sized->ld);
    sized->z = take_doubles(arena, sized->ld);
    sized->dz = take_doubles(arena, sized->ld);
    sized->gather = take_doubles(arena, sized->ld);
    sized->change = take_doubles(arena, sized->ld);
    sized->y = take_doubles(arena, padded(dof));
    sized->dy = take_doubles(arena, padded(dof));
    sized->cover_y = take_doubles(arena, padded(dof));
    sized->motion = take_doubles(arena, padded(dof));
}

int tact_kernel_max_basic(const TactContactCapacity *capacity)
{
    size_t items = (size_t)capacity->contacts + (size_t)capacity->rows;
    size_t most = 3 * items + (size_t)capacity->dof + 2;
    return most < MOST_BASIC ? (int)most : MOST_BASIC;
}

int tact_kernel_max_dof(const TactContactCapacity *capacity)
{
    size_t items = (size_t)capacity->contacts + (size_t)capacity->rows;
    size_t touched = items * (size_t)capacity->support;
    size_t dof = (size_t)capacity->dof;
    dof = touched < dof ? touched : dof;
    return dof < MOST_DOF ? (int)dof : MOST_DOF;
}

void tact_kernel_layout(TactKernel *kernel, const TactContactCapacity *capacity, TactArena *arena)
{
    size_t     items = (size_t)capacity->contacts + (size_t)capacity->rows;
    size_t     stride = padded(items) + 8;
    TactKernel sized = {
        .max_k = tact_kernel_max_basic(capacity),
        .max_dof = tact_kernel_max_dof(capacity),
    };
    sized.ld = padded((size_t)sized.max_k + 1);
    layout_items(&sized, capacity, items, stride, arena);
    layout_basis(&sized, items, arena);
    sized.warm = tact_arena_take(arena, 3 * items + (size_t)capacity->dof + 2, sizeof(TactVar));
    sized.best = tact_arena_take(arena, (size_t)sized.max_k, sizeof(TactVar));
    if (arena->block) {
        *kernel = sized;
    }
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
}

/// The normals of system->soa, scaled. A group of the system has three components, here one.
static void scale_normals(TactKernel *kernel, const TactSystem *system)
{
    for (int g = 0; g < system->group_count; g++) {
        const TactItemGroup *group = &system->groups[g];
        const double        *from = system->soa + group->soa;
        double              *to = kernel->normals + group->soa / 3;
        const double        *scale = kernel->scale + group->first;
        for (int s = 0; s < group->size; s++) {
            for (int k = 0; k < group->stride; k++) {
                to[k] = k < group->count ? scale[k] * from[k] : 0;
            }
            from += group->stride;
            to += group->stride;
        }
    }
}

/// Numbers the degrees of freedom that are touched, in ascending order.
static void number_dof(TactKernel *kernel, const TactSystem *system)
{
    int *place = kernel->dof_place;
    memset(place, 0, (size_t)system->dof * sizeof(int));
    for (int g = 0; g < system->group_count; g++) {
        const TactItemGroup *group = &system->groups[g];
        for (int s = 0; s < group->size; s++) {
            place[system->support[group->support + s]] = 1;
        }
    }
    kernel->dof = 0;
    for (int j = 0; j < system->dof; j++) {
        place[j] = place[j] ? kernel->dof++ : -1;
    }
    kernel->too_large = kernel->dof > kernel->max_dof;
    kernel->support = system->support;
    if (kernel->too_large) {
        kernel->dof = 0;
        return;
    }
    if (kernel->dof == system->dof) {
        return;
    }
    kernel->support = kernel->own_support;
    for (int g = 0; g < system->group_count; g++) {
        const TactItemGroup *group = &system->groups[g];
        for (int s = group->support; s < group->support + group->size; s++) {
            kernel->support[s] = place[system->support[s]];
        }
    }
}

static void place_rows(TactKernel *kernel, const TactSystem *system)
{
    int items = (system->item_count + 7) / 8 * 8;
    int most = 4;
    for (int i = 0; i < system->item_count; i++) {
        most = system->items[i].directions > most ? system->items[i].directions : most;
    }
    kernel->directions = (most + 3) / 4 * 4;
    kernel->at.nu = 0;
    kernel->at.sigma = system->stride;
    kernel->at.gamma = kernel->at.sigma + system->item_count * kernel->directions;
    kernel->at.damper = kernel->at.gamma + items;
    kernel->at.count = kernel->at.damper + items;
}

void tact_kernel_load(TactKernel *kernel, const TactSystem *system)
{
    kernel->system = system;
    kernel->k = 0;
    kernel->z0_place = -1;
    kernel->slot_count = 0;
    kernel->pivots = 0;
    kernel->refactors = 0;
    kernel->has_compliance = false;
    scale_system(kernel, system);
    scale_normals(kernel, system);
    number_dof(kernel, system);
    place_rows(kernel, system);
    memset(kernel->direct, 0, (size_t)system->stride * sizeof(double));
    memset(kernel->value, 0, (size_t)system->stride * sizeof(double));
    memset(kernel->cover_y, 0, (size_t)kernel->dof * sizeof(double));
    memset(kernel->y, 0, (size_t)kernel->dof * sizeof(double));
    for (int i = 0; i < system->item_count; i++) {
        const TactItem *item = &system->items[i];
        kernel->mu[i] = item->mu;
        kernel->bound[i] = item->bound / (item->scale * kernel->q_scale);
        kernel->turn[i] = item->turn;
        kernel->damping[i] = 0;
        kernel->slot[i] = -1;
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
    for (int j = d; j < kernel->directions; j++) {
        c[j] = s[j] = 0;
    }
}

void tact_kernel_add_friction(TactKernel *kernel, int i)
{
    const TactItem *item = &kernel->system->items[i];
    if (kernel->slot[i] >= 0 || item->directions == 0) {
        return;
    }
    int slot = kernel->slot_count++;
    kernel->slot[i] = slot;
    kernel->slot_item[slot] = i;
    compute_directions(kernel, i);
    size_t first = (size_t)i * TACT_MAX_DIRECTIONS;
    for (int j = 0; j < kernel->directions; j++) {
        kernel->place[TACT_VAR_PHI][first + (size_t)j] = -1;
        kernel->place[TACT_VAR_SIGMA][first + (size_t)j] = -1;
        kernel->direct[kernel->at.sigma + slot * kernel->directions + j] = 0;
    }
    kernel->direct[kernel->at.gamma + slot] = 0;
    kernel->direct[kernel->at.damper + slot] = 0;
    kernel->value[kernel->at.damper + slot] = kernel->rate[kernel->at.damper + slot] = 0;
    for (int pad = kernel->slot_count; pad % 4 != 0; pad++) {
        kernel->value[kernel->at.gamma + pad] = kernel->rate[kernel->at.gamma + pad] = 0;
    }
    int           size = tact_kernel_group(kernel, i)->size;
    const double *columns = kernel->system->columns + kernel->system->column[i] + size;
    double       *tangent = kernel->tangents + (size_t)slot * 2 * kernel->tangent_ld;
    for (int s = 0; s < size; s++) {
        tangent[s] = kernel->scale[i] * columns[s];
        tangent[kernel->tangent_ld + (size_t)s] = kernel->scale[i] * columns[size + s];
    }
}

void tact_kernel_turn(TactKernel *kernel, int i, double turn, double damping)
{
    bool turned = turn != kernel->turn[i];
    kernel->turn[i] = turn;
    kernel->damping[i] = damping;
    if (kernel->slot[i] >= 0 && turned) {
        compute_directions(kernel, i);
    }
}

// ---------------------------------------------------------------------------------------------
// Basis

/// Writes a motion over all degrees of freedom into one place of a motion table.
static void put_motion(TactKernel *kernel, TactVar variable, double *table, int place)
{
    double *entry = table + place;
    if (variable == TACT_VAR_Z0) {
        for (int j = 0; j < kernel->dof; j++) {
            entry[(size_t)j * kernel->ld] = kernel->cover_y[j];
        }
        return;
    }
    bool                 moves = tact_kernel_motion(kernel, variable, kernel->motion);
    const TactItemGroup *group = tact_kernel_group(kernel, tact_var_item(variable));
    if (!moves || group->size < kernel->dof) {
        for (int j = 0; j < kernel->dof; j++) {
            entry[(size_t)j * kernel->ld] = 0;
        }
    }
    const int *support = kernel->support + group->support;
    for (int s = 0; s < group->size && moves; s++) {
        entry[(size_t)support[s] * kernel->ld] = kernel->motion[s];
    }
}

void tact_kernel_put_col(TactKernel *kernel, int place, TactVar variable)
{
    kernel->col[place] = variable;
    kernel->col_slot[place] = 0;
    kernel->col_gamma[place] = 0;
    put_motion(kernel, variable, kernel->col_motion, place);
    if (variable == TACT_VAR_Z0) {
        kernel->z0_place = place;
        kernel->col_blocks[place] = 0;
        return;
    }
    *tact_kernel_place(kernel, variable) = place;
    int i = tact_var_item(variable);
    int kind = tact_var_kind(variable);
    kernel->col_blocks[place] = kind == TACT_VAR_DAMPER ? 0 : 1;
    if (kernel->slot[i] >= 0 && (kind == TACT_VAR_THETA || kind == TACT_VAR_PHI)) {
        kernel->col_slot[place] = kernel->slot[i];
        kernel->col_gamma[place] = kind == TACT_VAR_THETA ? kernel->mu[i] : -1;
    }
}

void tact_kernel_put_row(TactKernel *kernel, int place, TactVar variable)
{
    kernel->row[place] = variable;
    kernel->row_at[place] = tact_kernel_row_at(kernel, variable);
    *tact_kernel_place(kernel, variable) = place;
    put_motion(kernel, variable, kernel->row_motion, place);
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
    *tact_kernel_place(kernel, variable) = -1;
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
    if (tact_lu_factor_small(k, kernel->block, ld, kernel->permutation, SINGULAR_TOL) >= 0) {
        return false;
    }
    tact_lu_invert(k, kernel->block, ld, kernel->permutation, kernel->inverse, ld);
    return true;
}

/// Values of the places beyond k are 0, so that loops may run over whole vectors.
static void pad_places(TactKernel *kernel)
{
    for (int c = kernel->k; c % 4 != 0; c++) {
        kernel->z[c] = kernel->dz[c] = kernel->col_blocks[c] = 0;
    }
}

void tact_kernel_refine(TactKernel *kernel)
{
    pad_places(kernel);
    tact_kernel_compute_values(kernel);
    // At z0 = 0 a basic lambda may be without phi: then the values stay as the path left them.
    if (kernel->elimination && kernel->elimination->dirty &&
        !tact_elimination_factor(kernel->elimination, kernel)) {
        return;
    }
    for (int pass = 0; pass < 2 && kernel->k > 0; pass++) {
        for (int r = 0; r < kernel->k; r++) {
            kernel->gather[r] = kernel->value[kernel->row_at[r]];
        }
        tact_kernel_solve(kernel, kernel->gather, kernel->z);
        tact_kernel_compute_values(kernel);
    }
}

bool tact_kernel_refactor(TactKernel *kernel)
{
    bool regular = kernel->elimination ? tact_elimination_factor(kernel->elimination, kernel)
                                       : factor_inverse(kernel);
    if (!regular) {
        return false;
    }
    memset(kernel->z, 0, (size_t)kernel->k * sizeof(double));
    tact_kernel_refine(kernel);
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
    if (kernel->too_large) {
        return false;
    }
    for (int p = 0; p < count; p++) {
        if (!add_pair(kernel, basic[p])) {
            return false;
        }
    }
    for (int f = 0; f < kernel->slot_count; f++) {
        int i = kernel->slot_item[f];
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
