// Memory of the kernel, and how it takes a system: scaled, over what the items touch.
#include <math.h>
#include <string.h>

#include "contact/pivot/kernel_internal.h"
#include "contact/pivot/kernel_loops.h"

enum {
    MOST_BASIC = 1500, // a larger block is no longer a small problem
    MOST_DOF = 3600,   // of 300 contacts between pairs of bodies
};

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
    sized->items.scale = take_doubles(arena, stride);
    sized->items.offset = take_doubles(arena, 3 * stride);
    sized->items.mu = take_doubles(arena, items);
    sized->items.bound = take_doubles(arena, items);
    sized->items.turn = take_doubles(arena, items);
    sized->items.damping = take_doubles(arena, items);
    sized->items.active = tact_arena_take(arena, items, sizeof(int));
    // As system->soa, for one component.
    size_t in_vectors = items * 4 > 8 ? items * 4 : 8;
    sized->items.normals = take_doubles(arena, in_vectors * (size_t)capacity->support);
    sized->friction.item = tact_arena_take(arena, items, sizeof(int));
    sized->friction.actives = tact_arena_take(arena, items, sizeof *sized->friction.actives);
    sized->friction.cosine = take_doubles(arena, directions);
    sized->friction.sine = take_doubles(arena, directions);
    sized->friction.base_cosine = take_doubles(arena, TACT_MAX_DIRECTIONS);
    sized->friction.base_sine = take_doubles(arena, TACT_MAX_DIRECTIONS);
    sized->friction.tangent_ld = padded((size_t)capacity->support);
    sized->friction.tangents = take_doubles(arena, items * 2 * sized->friction.tangent_ld);
    sized->friction.t_value = take_doubles(arena, 2 * items);
    sized->friction.gamma = take_doubles(arena, items + 4);
    sized->space.own_support =
        tact_arena_take(arena, items * (size_t)capacity->support, sizeof(int));
    sized->space.number = tact_arena_take(arena, (size_t)capacity->dof, sizeof(int));
    sized->space.group_from = tact_arena_take(arena, items, sizeof(int));
    sized->space.group_runs = tact_arena_take(arena, items + 1, sizeof(int));
    sized->space.run_first = tact_arena_take(arena, items * (size_t)capacity->support, sizeof(int));
    sized->space.run_end = tact_arena_take(arena, items * (size_t)capacity->support, sizeof(int));
    size_t rows = stride + directions + 4 * items;
    sized->rows.value = take_doubles(arena, rows);
    sized->rows.rate = take_doubles(arena, rows);
    sized->rows.direct = take_doubles(arena, rows);
}

static void layout_basis(TactKernel *sized, size_t items, TactArena *arena)
{
    size_t k = (size_t)sized->basis.max_k;
    size_t dof = (size_t)sized->space.max_dof;
    sized->basis.col = tact_arena_take(arena, k, sizeof(TactVar));
    sized->basis.row = tact_arena_take(arena, k, sizeof(TactVar));
    sized->basis.row_at = tact_arena_take(arena, k, sizeof(int));
    sized->basis.col_active = tact_arena_take(arena, k, sizeof(int));
    sized->basis.col_gamma = take_doubles(arena, k);
    sized->basis.col_blocks = take_doubles(arena, sized->basis.ld);
    for (int kind = 0; kind < 8; kind++) {
        bool directed = kind == TACT_VAR_PHI || kind == TACT_VAR_SIGMA;
        sized->basis.position[kind] =
            tact_arena_take(arena, items * (directed ? TACT_MAX_DIRECTIONS : 1), sizeof(int));
    }
    sized->factor.inverse =
        take_doubles(arena, (k + 4) * sized->basis.ld); // loops run over four rows
    sized->factor.block = take_doubles(arena, (k + 4) * sized->basis.ld);
    sized->factor.permutation = tact_arena_take(arena, k, sizeof(int));
    sized->motions.col_motion = take_doubles(arena, dof * sized->basis.ld);
    sized->motions.row_motion = take_doubles(arena, dof * sized->basis.ld);
    sized->motions.col_rows = take_doubles(arena, (k + 4) * padded(dof));
    sized->motions.made = tact_arena_take(arena, k, sizeof(TactVar));
    sized->motions.made_at = tact_arena_take(arena, k, sizeof(uint64_t));
    sized->motions.turned_at = tact_arena_take(arena, items, sizeof(uint64_t));
    sized->factor.x_position = tact_arena_take(arena, items, sizeof(int));
    sized->factor.reduced = tact_arena_take(arena, k + 4, sizeof(int));
    sized->factor.dependent = tact_arena_take(arena, k + 4, sizeof(int));
    sized->basis.z = take_doubles(arena, sized->basis.ld);
    sized->basis.dz = take_doubles(arena, sized->basis.ld);
    sized->scratch.gather = take_doubles(arena, sized->basis.ld);
    sized->scratch.change = take_doubles(arena, sized->basis.ld);
    sized->scratch.solution = take_doubles(arena, sized->basis.ld);
    sized->motions.y = take_doubles(arena, padded(dof));
    sized->motions.dy = take_doubles(arena, padded(dof));
    sized->motions.cover_y = take_doubles(arena, padded(dof));
    sized->scratch.motion = take_doubles(arena, padded(dof));
    sized->motions.twice = take_doubles(arena, 2 * padded(dof) + 8);
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
        .basis.max_k = tact_kernel_max_basic(capacity),
        .space.max_dof = tact_kernel_max_dof(capacity),
    };
    sized.basis.ld = padded((size_t)sized.basis.max_k + 1);
    sized.basis.ld += sized.basis.ld % 32 == 0 ? 8 : 0; // rows a large power of two apart crowd the
                                                        // same places of a cache
    layout_items(&sized, capacity, items, stride, arena);
    layout_basis(&sized, items, arena);
    sized.compact = tact_arena_take(arena, 1, sizeof *sized.compact);
    tact_compact_layout(sized.compact, capacity, arena);
    sized.scratch.warm =
        tact_arena_take(arena, 3 * items + (size_t)capacity->dof + 2, sizeof(TactVar));
    sized.scratch.best = tact_arena_take(arena, (size_t)sized.basis.max_k, sizeof(TactVar));
    if (arena->block) {
        *kernel = sized;
    }
}

/// Scales and offsets of four items, and the largest so far.
TACT_LOOP void scale_four_offsets(const TactItem *item, const double *b, size_t stride,
                                  double *scale, double *offset, TactLanes *largest)
{
    TactLanes s = {item[0].scale, item[1].scale, item[2].scale, item[3].scale};
    TACT_LANES_PUT(scale) = s;
    for (int c = 0; c < 3; c++) {
        TactLanes own = s * (TactLanes){b[c], b[3 + c], b[6 + c], b[9 + c]};
        TactLanes size = TACT_LANES_ABS(own);
        TACT_LANES_PUT(offset + (size_t)c * stride) = own;
        *largest = TACT_LANES_SELECT(size > *largest, size, *largest);
    }
}

/// Scales of the items and of the right-hand side, so that the largest offset is 1.
TACT_CLONES static void scale_offsets(TactKernel *kernel, const TactSystem *system)
{
    size_t    stride = (size_t)system->stride;
    TactLanes lanes = TACT_LANES_ALL(0.0);
    int       i = 0;
    for (; i + 4 <= system->item_count; i += 4) {
        scale_four_offsets(system->items + i, system->b + 3 * i, stride, kernel->items.scale + i,
                           kernel->items.offset + i, &lanes);
    }
    double largest = 0;
    for (int k = 0; k < 4; k++) {
        largest = lanes[k] > largest ? lanes[k] : largest;
    }
    for (; i < system->item_count; i++) {
        double s = system->items[i].scale;
        for (int c = 0; c < 3; c++) {
            double offset = s * system->b[3 * i + c];
            kernel->items.offset[(size_t)c * stride + (size_t)i] = offset;
            largest = fabs(offset) > largest ? fabs(offset) : largest;
        }
        kernel->items.scale[i] = s;
    }
    kernel->items.q_scale = largest > 0 ? largest : 1;
    double by = 1 / kernel->items.q_scale;
    for (size_t c = 0; c < 3; c++) {
        double *offset = kernel->items.offset + c * stride;
        for (size_t k = (size_t)system->item_count; k < stride; k++) {
            offset[k] = 0;
        }
        for (size_t k = 0; k < stride; k += 4) {
            TACT_LANES_PUT(offset + k) = by * TACT_LANES_AT(offset + k);
        }
    }
}

/// Four normals, scaled, to four neighbours in the order of the sweep.
TACT_LOOP void scale_four(const TactSystem *system, const double *scale, int first, int size,
                          size_t stride, double *out)
{
    const double *n[4];
    for (int k = 0; k < 4; k++) {
        n[k] = system->columns + system->column[first + k];
    }
    TactLanes by = TACT_LANES_AT(scale + first);
    int       s = 0;
    for (; s + 4 <= size; s += 4) {
        TactLanes in[4] = {TACT_LANES_AT(n[0] + s), TACT_LANES_AT(n[1] + s),
                           TACT_LANES_AT(n[2] + s), TACT_LANES_AT(n[3] + s)};
        TactLanes turned[4];
        tact_lanes_transpose(in, turned);
        for (int k = 0; k < 4; k++) {
            TACT_LANES_PUT(out + (size_t)(s + k) * stride) = by * turned[k];
        }
    }
    for (; s < size; s++) {
        TACT_LANES_PUT(out + (size_t)s * stride) =
            by * (TactLanes){n[0][s], n[1][s], n[2][s], n[3][s]};
    }
}

/// The normals, scaled, in the order of the sweep: as system->soa, for one component.
TACT_CLONES static void scale_normals(TactKernel *kernel, const TactSystem *system)
{
    for (int g = 0; g < system->group_count; g++) {
        const TactItemGroup *group = &system->groups[g];
        size_t               stride = (size_t)group->stride;
        int                  size = tact_kernel_normal_size(system, group);
        double              *normals = kernel->items.normals + group->soa / 3;
        int                  k = 0;
        for (; k + 4 <= group->count; k += 4) {
            scale_four(system, kernel->items.scale, group->first + k, size, stride, normals + k);
        }
        for (; k < group->stride && size > 0; k++) {
            bool          there = k < group->count;
            const double *n = there ? system->columns + system->column[group->first + k] : NULL;
            for (int s = 0; s < size; s++) {
                normals[(size_t)s * stride + (size_t)k] =
                    there ? kernel->items.scale[group->first + k] * n[s] : 0;
            }
        }
    }
}

void tact_kernel_scale(TactKernel *kernel, const TactSystem *system)
{
    scale_offsets(kernel, system);
    scale_normals(kernel, system);
    kernel->motions.loaded_at = ++kernel->motions.now;
}

void tact_kernel_list_runs(TactKernel *kernel, int g, const int *support, int size)
{
    int  run = g == 0 ? 0 : kernel->space.group_runs[g];
    int *first = kernel->space.run_first, *end = kernel->space.run_end;
    kernel->space.group_runs[g] = run;
    for (int s = 0, last = -2; s < size; s++) {
        int own = support[s];
        if (own != last + 1) {
            first[run++] = own;
        }
        end[run - 1] = own + 1;
        last = own;
    }
    kernel->space.group_runs[g + 1] = run;
}

/// Numbers the degrees of freedom that are touched, in ascending order.
static void number_dof(TactKernel *kernel, const TactSystem *system)
{
    int *position = kernel->space.number;
    memset(position, 0, (size_t)system->dof * sizeof(int));
    for (int g = 0; g < system->group_count; g++) {
        const TactItemGroup *group = &system->groups[g];
        for (int s = 0; s < group->size; s++) {
            position[system->support[group->support + s]] = 1;
        }
    }
    kernel->space.dof = 0;
    for (int j = 0; j < system->dof; j++) {
        position[j] = position[j] ? kernel->space.dof++ : -1;
    }
    kernel->space.too_large = kernel->space.dof > kernel->space.max_dof;
    kernel->space.dof = kernel->space.too_large ? 0 : kernel->space.dof;
    bool all = kernel->space.too_large || kernel->space.dof == system->dof;
    kernel->space.support = all ? system->support : kernel->space.own_support;
    kernel->space.ld = padded((size_t)kernel->space.dof);
    for (int g = 0; g < system->group_count; g++) {
        const TactItemGroup *group = &system->groups[g];
        int                 *support = kernel->space.support + group->support;
        for (int s = 0; s < group->size && !all; s++) {
            support[s] = position[system->support[group->support + s]];
        }
        bool run = group->size > 0 && support[group->size - 1] - support[0] == group->size - 1;
        kernel->space.group_from[g] = run ? support[0] : -1;
        tact_kernel_list_runs(kernel, g, support, group->size);
    }
}

static void position_rows(TactKernel *kernel, const TactSystem *system)
{
    int most = 4;
    int nu = 0; // vectors of a group may reach beyond its last item
    for (int i = 0; i < system->item_count; i++) {
        most = system->items[i].directions > most ? system->items[i].directions : most;
    }
    kernel->friction.directions = (most + 3) / 4 * 4;
    for (int g = 0; g < system->group_count; g++) {
        int end = system->groups[g].first + system->groups[g].stride;
        nu = end > nu ? end : nu;
    }
    kernel->rows.nu = 0;
    kernel->rows.friction = (nu + 3) / 4 * 4;
    kernel->rows.per_active = kernel->friction.directions + 4;
}

// The least share of the largest offset that ties are taken of: rounding is 1e-16 of it.
static const double LEAST_SHARE = 1e-3;

/// A joint that moves fast against its dry friction has an offset that no impulse of its motor can
/// undo, and says nothing of the size of the others. 1 without motors. Also whether there are any.
static double find_share(TactKernel *kernel, const TactSystem *system)
{
    size_t stride = (size_t)system->stride;
    double most = 0;
    bool   motors = false;
    for (int i = 0; i < system->item_count; i++) {
        const double *offset = kernel->items.offset + i;
        bool          motor = system->items[i].kind == TACT_ITEM_MOTOR;
        double        own = motor ? fmin(fabs(offset[stride]), kernel->items.bound[i]) : -offset[0];
        most = own > most ? own : most;
        motors = motors || motor;
    }
    kernel->items.has_motors = motors;
    return motors && most < 1 ? fmax(most, LEAST_SHARE) : 1;
}

void tact_kernel_load(TactKernel *kernel, const TactSystem *system)
{
    kernel->system = system;
    kernel->basis.k = 0;
    kernel->basis.z0_position = -1;
    kernel->friction.count = 0;
    kernel->pivots = 0;
    kernel->refactors = 0;
    kernel->items.has_compliance = false;
    kernel->items.has_moments = system->has_moments;
    tact_kernel_scale(kernel, system);
    number_dof(kernel, system);
    position_rows(kernel, system);
    size_t nu = (size_t)kernel->rows.friction * sizeof(double);
    memset(kernel->rows.direct, 0, nu);
    memset(kernel->rows.value, 0, nu);
    memset(kernel->rows.rate, 0, nu);
    memset(kernel->motions.cover_y, 0, kernel->space.ld * sizeof(double));
    memset(kernel->motions.y, 0, kernel->space.ld * sizeof(double));
    for (int i = 0; i < system->item_count; i++) {
        const TactItem *item = &system->items[i];
        kernel->items.mu[i] = item->mu;
        kernel->items.bound[i] =
            item->bound > 0 ? item->bound / (item->scale * kernel->items.q_scale) : 0;
        kernel->items.turn[i] = item->turn;
        kernel->items.damping[i] = 0;
        kernel->items.active[i] = -1;
        kernel->items.has_compliance = kernel->items.has_compliance || item->compliance > 0;
    }
    for (int i = 0; i < system->item_count && system->has_moments; i++) {
        const TactItem *item = &system->items[i];
        if (item->kind == TACT_ITEM_MOMENT) { // gamma is scaled as phi, theta as its own contact
            kernel->items.mu[i] *= system->items[item->owner].scale / item->scale;
        }
    }
    kernel->items.share = find_share(kernel, system);
    for (int kind = 0; kind < 8; kind++) { // those of phi and sigma when their item becomes active
        for (int i = 0; i < system->item_count && kind % 4 != TACT_VAR_PHI; i++) {
            kernel->basis.position[kind][i] = -1;
        }
    }
}

// ---------------------------------------------------------------------------------------------
// Directions of friction pyramids

static void base_direction(int j, int d, double *c, double *s)
{
    double angle = 6.283185307179586 * j / d;
    *c = cos(angle);
    *s = sin(angle);
    if (8 * j % d == 0) { // on a diagonal cos and sin are the same
        *c = copysign(0.70710678118654752440, *c);
        *s = copysign(0.70710678118654752440, *s);
    }
    if (4 * j % d == 0) {
        int quarter = 4 * j / d;
        *c = quarter == 0 ? 1 : quarter == 2 ? -1 : 0;
        *s = quarter == 1 ? 1 : quarter == 3 ? -1 : 0;
    }
}

void tact_directions_base(int d, double *c, double *s)
{
    for (int j = 0; j < d; j++) {
        base_direction(j, d, &c[j], &s[j]);
    }
}

void tact_directions_turn(int d, double turn, double *c, double *s)
{
    double tc = cos(turn);
    double ts = sin(turn);
    for (int j = 0; j < d; j++) {
        double x = c[j] * tc - s[j] * ts;
        s[j] = s[j] * tc + c[j] * ts;
        c[j] = x;
    }
}
