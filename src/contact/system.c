#include "contact/system.h"

#include <math.h>
#include <string.h>

#include "base/status.h"
#include "contact/frame.h"
#include "contact/rows.h"
#include "linalg/vector.h"

enum { LANES = 8, SCRATCH_VECTORS = 6 };

/// What an item is sorted by before it becomes one.
typedef struct TactItemKey {
    uint64_t support; // hash of the degrees of freedom it touches
    int      source;  // contact, or contact_count + row
} TactItemKey;

void tact_system_layout(TactSystem *system, const TactContactCapacity *capacity, TactArena *arena)
{
    size_t     items = (size_t)capacity->contacts + (size_t)capacity->rows;
    size_t     dof = (size_t)capacity->dof;
    size_t     support = (size_t)capacity->support;
    TactSystem sized = {.capacity = *capacity};
    sized.items = tact_arena_take(arena, items, sizeof *sized.items);
    sized.groups = tact_arena_take(arena, items, sizeof *sized.groups);
    sized.keys = tact_arena_take(arena, 2 * items, sizeof *sized.keys);
    sized.support = tact_arena_take(arena, items * support, sizeof(int));
    sized.column = tact_arena_take(arena, items, sizeof(size_t));
    sized.columns = tact_arena_take(arena, 3 * items * support, sizeof(double));
    // Every group is rounded up to whole vectors: at most LANES / 2 times its size.
    sized.soa = tact_arena_take(arena, 3 * items * support * (LANES / 2), sizeof(double));
    sized.y0 = tact_arena_take(arena, dof, sizeof(double));
    sized.e = tact_arena_take(arena, 3 * items, sizeof(double));
    sized.b = tact_arena_take(arena, 3 * items, sizeof(double));
    sized.scratch = tact_arena_take(arena, SCRATCH_VECTORS * dof + 3 * items, sizeof(double));
    tact_whitener_layout(&sized.whitener, capacity, arena);
    tact_bilateral_layout(&sized.bilateral, capacity->dof, capacity->rows, arena);
    if (arena->block) {
        *system = sized;
    }
}

// ---------------------------------------------------------------------------------------------
// Items in the order of their support

static uint64_t mix(uint64_t hash, uint64_t x)
{
    return (hash ^ x) * 0x9e3779b97f4a7c15u + (hash >> 29);
}

/// Bodies: the pair. M: the nonzero columns of J. W, or bilateral rows: all alike.
static uint64_t support_key(const TactSystem *system, const TactContactProblem *problem, int source)
{
    if (problem->W || system->bilateral.rank > 0) {
        return 0;
    }
    if (problem->M) {
        bool          is_row = source >= problem->contact_count;
        const double *J =
            is_row ? problem->rows[source - problem->contact_count].J : problem->contacts[source].J;
        uint64_t hash = 1;
        for (int j = 0; j < problem->nv; j++) {
            bool touched = J[j] != 0;
            for (int c = 1; c < 3 && !is_row; c++) {
                touched = touched || J[c * problem->nv + j] != 0;
            }
            hash = touched ? mix(hash, (uint64_t)j + 1) : hash;
        }
        return hash;
    }
    int a, b;
    tact_rows_bodies(problem, source, &a, &b);
    uint64_t lo = (uint64_t)((a < b ? a : b) + 1);
    uint64_t hi = (uint64_t)((a < b ? b : a) + 1);
    return hi << 32 | lo;
}

/// Merge sort by support, keeping the order of equals. keys has room for twice as many.
static void sort_keys(TactItemKey *keys, int count)
{
    TactItemKey *other = keys + count;
    for (int width = 1; width < count; width *= 2) {
        for (int start = 0; start < count; start += 2 * width) {
            int left = start;
            int middle = start + width < count ? start + width : count;
            int right = middle;
            int end = start + 2 * width < count ? start + 2 * width : count;
            for (int k = start; k < end; k++) {
                bool from_left =
                    left < middle && (right >= end || keys[left].support <= keys[right].support);
                other[k] = from_left ? keys[left++] : keys[right++];
            }
        }
        memcpy(keys, other, (size_t)count * sizeof *keys);
    }
}

static void make_contact_item(const TactContactProblem *problem, int source, TactItem *item)
{
    const TactContact *contact = &problem->contacts[source];
    *item = (TactItem){
        .kind = TACT_ITEM_CONTACT,
        .source = source,
        .directions = contact->mu > 0 ? (contact->directions ? contact->directions : 8) : 0,
        .turn = contact->turn,
        .mu = contact->mu,
        .compliance = contact->compliance,
        .id = contact->id,
    };
}

static void make_row_item(const TactContactProblem *problem, int row, TactItem *item)
{
    const TactContactRow *source = &problem->rows[row];
    bool                  motor = source->kind == TACT_CONTACT_MOTOR;
    double                h = problem->level == TACT_CONTACT_VELOCITY ? problem->step : 1;
    *item = (TactItem){
        .kind = motor ? TACT_ITEM_MOTOR : TACT_ITEM_UNILATERAL,
        .source = row,
        .directions = motor ? 2 : 0,
        .bound = motor ? h * source->force_max : 0,
    };
}

/// Lists what is not bilateral, sorted by support.
static void list_items(TactSystem *system, const TactContactProblem *problem)
{
    int count = 0;
    for (int i = 0; i < problem->contact_count + problem->row_count; i++) {
        int row = i - problem->contact_count;
        if (row < 0 || problem->rows[row].kind != TACT_CONTACT_BILATERAL) {
            system->keys[count].source = i;
            system->keys[count].support = support_key(system, problem, i);
            count++;
        }
    }
    sort_keys(system->keys, count);
    system->item_count = count;
    system->stride = TACT_SYSTEM_STRIDE(count);
    for (int i = 0; i < count; i++) {
        int source = system->keys[i].source;
        if (source < problem->contact_count) {
            make_contact_item(problem, source, &system->items[i]);
        } else {
            make_row_item(problem, source - problem->contact_count, &system->items[i]);
        }
    }
}

// ---------------------------------------------------------------------------------------------
// Columns

// A column of which the bilateral rows leave less than this part is held by them altogether.
static const double HELD_TOL = 1e-10;

/// One column, whitened and rotated, over all degrees of freedom of the system.
static void dense_column(TactSystem *system, const TactContactProblem *problem, int source,
                         int component, double *out)
{
    double *x = system->scratch;
    int     raw = system->whitener.dof;
    int     rank = system->bilateral.rank;
    memset(x, 0, (size_t)raw * sizeof(double));
    tact_rows_add(problem, source, component, 1, x);
    tact_whitener_force(&system->whitener, problem, x);
    double whole = tact_vec_dot(raw, x, x);
    tact_bilateral_rotate(&system->bilateral, x);
    memcpy(out, x + rank, (size_t)system->dof * sizeof(double));
    // What the bilateral rows hold is 0, and not what rounding left of it.
    if (rank > 0 && tact_vec_dot(system->dof, out, out) <= HELD_TOL * HELD_TOL * whole) {
        memset(out, 0, (size_t)system->dof * sizeof(double));
    }
}

/// Support of a group from the dense columns of its first item; all members have the same.
static int list_support(const double *dense, int dof, int *support)
{
    int size = 0;
    for (int j = 0; j < dof; j++) {
        if (dense[j] != 0 || dense[dof + j] != 0 || dense[2 * dof + j] != 0) {
            support[size++] = j;
        }
    }
    return size;
}

typedef struct Fill {
    int    support; // used of system->support
    size_t columns; // used of system->columns
} Fill;

/// Opens a new group at an item; its support is written by the caller.
static TactItemGroup *open_group(TactSystem *system, int i, int size, Fill *fill)
{
    TactItemGroup *group = &system->groups[system->group_count++];
    *group = (TactItemGroup){.first = i, .support = fill->support, .size = size};
    fill->support += size;
    return group;
}

static void join_group(TactSystem *system, int i, TactItemGroup *group, Fill *fill)
{
    group->count++;
    system->items[i].group = (int)(group - system->groups);
    system->column[i] = fill->columns;
    fill->columns += 3 * (size_t)group->size;
}

/// Columns of one body: six entries a component, straight from the geometry.
static void body_columns(const TactSystem *system, const TactContactProblem *problem, int source,
                         const double frame[3][3], int body, double *out, int size)
{
    if (source >= problem->contact_count) {
        for (int c = 0; c < 3; c++) {
            memset(out + c * size, 0, 6 * sizeof(double));
            if (tact_rows_body_part(problem, source, c, body, out + c * size)) {
                tact_whitener_body(&system->whitener, body, out + c * size);
            }
        }
        return;
    }
    const TactContact *contact = &problem->contacts[source];
    const double      *centre = problem->bodies[body].position;
    double             sign = contact->b == body ? 1 : -1;
    double             x = contact->point[0] - centre[0];
    double             y = contact->point[1] - centre[1];
    double             z = contact->point[2] - centre[2];
    for (int c = 0; c < 3; c++) {
        double *f = out + c * size;
        f[0] = sign * frame[c][0];
        f[1] = sign * frame[c][1];
        f[2] = sign * frame[c][2];
        f[3] = y * f[2] - z * f[1];
        f[4] = z * f[0] - x * f[2];
        f[5] = x * f[1] - y * f[0];
        tact_whitener_body(&system->whitener, body, f);
    }
}

/// Bodies without bilateral rows: a group is a pair of bodies.
static void compute_body_columns(TactSystem *system, const TactContactProblem *problem)
{
    Fill           fill = {0};
    TactItemGroup *group = NULL;
    int            bodies[2] = {-1, -1};
    for (int i = 0; i < system->item_count; i++) {
        int source = system->keys[i].source;
        if (i == 0 || system->keys[i].support != system->keys[i - 1].support) {
            int a, b;
            tact_rows_bodies(problem, source, &a, &b);
            bodies[0] = a < b ? a : b;
            bodies[1] = a < b ? b : a;
            group = open_group(system, i, bodies[0] < 0 ? 6 : 12, &fill);
            int *support = system->support + group->support;
            for (int k = bodies[0] < 0 ? 1 : 0; k < 2; k++) {
                for (int j = 0; j < 6; j++) {
                    *support++ = 6 * bodies[k] + j;
                }
            }
        }
        join_group(system, i, group, &fill);
        double frame[3][3] = {{0}};
        if (source < problem->contact_count) {
            tact_contact_frame(&problem->contacts[source], frame);
        }
        double *out = system->columns + system->column[i];
        for (int k = bodies[0] < 0 ? 1 : 0; k < 2; k++) {
            body_columns(system, problem, source, (const double(*)[3])frame, bodies[k], out,
                         group->size);
            out += 6;
        }
    }
}

/// A mass matrix, W or bilateral rows: whatever is not 0.
static void compute_dense_columns(TactSystem *system, const TactContactProblem *problem)
{
    Fill           fill = {0};
    TactItemGroup *group = NULL;
    int            dof = system->dof;
    double        *dense = system->scratch + dof + system->bilateral.rank;
    for (int i = 0; i < system->item_count; i++) {
        int source = system->keys[i].source;
        for (int c = 0; c < 3; c++) {
            double *out = dense + (size_t)c * (size_t)dof;
            if (problem->W) {
                size_t n = 3 * (size_t)problem->contact_count;
                for (int r = 0; r < dof; r++) {
                    size_t pivot = (size_t)system->whitener.order[r];
                    out[r] = system->whitener.factor[pivot * n + (size_t)(3 * source + c)];
                }
            } else {
                dense_column(system, problem, source, c, out);
            }
        }
        int *support = system->support + fill.support;
        int  size = list_support(dense, dof, support);
        bool same =
            group && group->size == size &&
            system->keys[i].support == system->keys[i - 1].support &&
            memcmp(system->support + group->support, support, (size_t)size * sizeof(int)) == 0;
        group = same ? group : open_group(system, i, size, &fill);
        join_group(system, i, group, &fill);
        double    *out = system->columns + system->column[i];
        const int *places = system->support + group->support;
        for (int c = 0; c < 3; c++) {
            for (int k = 0; k < size; k++) {
                *out++ = dense[c * dof + places[k]];
            }
        }
    }
}

/// The same numbers once more, in the order of the sweep.
static void copy_to_soa(TactSystem *system)
{
    size_t used = 0;
    for (int g = 0; g < system->group_count; g++) {
        TactItemGroup *group = &system->groups[g];
        group->soa = used;
        group->stride =
            group->count <= LANES / 2 ? LANES / 2 : (group->count + LANES - 1) / LANES * LANES;
        size_t size = (size_t)group->size;
        size_t stride = (size_t)group->stride;
        memset(system->soa + used, 0, 3 * size * stride * sizeof(double));
        for (int k = 0; k < group->count; k++) {
            const double *columns = system->columns + system->column[group->first + k];
            for (size_t cs = 0; cs < 3 * size; cs++) {
                system->soa[used + cs * stride + (size_t)k] = columns[cs];
            }
        }
        used += 3 * size * stride;
    }
}

// ---------------------------------------------------------------------------------------------
// Free motion and offsets

/// x0 = G' v + h G^-1 f, and the whitened velocity before the step.
static void free_motion(TactSystem *system, const TactContactProblem *problem, double *x0,
                        double *x_before)
{
    int    raw = system->whitener.dof;
    bool   velocities = problem->level == TACT_CONTACT_VELOCITY;
    double h = velocities ? problem->step : 1;
    tact_rows_forces(problem, x0);
    for (int j = 0; j < raw; j++) {
        x0[j] *= h;
    }
    tact_whitener_force(&system->whitener, problem, x0);
    tact_rows_velocity(problem, x_before);
    tact_whitener_velocity(&system->whitener, problem, x_before);
    for (int j = 0; j < raw && velocities; j++) {
        x0[j] += x_before[j];
    }
}

/// Targets of the bilateral rows, and what they make of the offsets.
static void project_bilateral(TactSystem *system, const TactContactProblem *problem)
{
    TactBilateral *bilateral = &system->bilateral;
    bilateral->dof = system->whitener.dof;
    bilateral->count = 0;
    bilateral->rank = 0;
    double *target = system->scratch;
    for (int r = 0; r < problem->row_count; r++) {
        if (problem->rows[r].kind != TACT_CONTACT_BILATERAL) {
            continue;
        }
        double *row = bilateral->rows + (size_t)bilateral->count * (size_t)bilateral->dof;
        memset(row, 0, (size_t)bilateral->dof * sizeof(double));
        tact_rows_add(problem, problem->contact_count + r, 0, 1, row);
        tact_whitener_force(&system->whitener, problem, row);
        target[bilateral->count++] = tact_rows_target(problem, r);
    }
    if (bilateral->count > 0) {
        tact_bilateral_factor(bilateral);
        tact_bilateral_fix(bilateral, target);
    }
    system->redundant_rows = bilateral->count - bilateral->rank;
}

/// e of an item: bias, surface velocity and restitution of a contact, target of a row, and the part
/// of u that the held coordinates give.
static void item_offset(TactSystem *system, const TactContactProblem *problem, int i,
                        const double *x_before, double *held)
{
    const TactItem *item = &system->items[i];
    double         *e = system->e + 3 * i;
    int             source = system->keys[i].source;
    e[0] = e[1] = e[2] = 0;
    if (item->kind == TACT_ITEM_CONTACT) {
        const TactContact *contact = &problem->contacts[item->source];
        e[0] = contact->bias;
        e[1] = tact_contact_surface(problem, item->source, 1);
        e[2] = tact_contact_surface(problem, item->source, 2);
        if (contact->restitution > 0 && !problem->W && problem->level == TACT_CONTACT_VELOCITY) {
            double before = tact_rows_dot(problem, source, 0, x_before);
            e[0] += before < 0 ? contact->restitution * before : 0;
        }
    } else {
        e[item->kind == TACT_ITEM_MOTOR ? 1 : 0] = -tact_rows_target(problem, item->source);
    }
    if (system->bilateral.rank > 0) {
        for (int c = 0; c < 3; c++) {
            e[c] += tact_rows_dot(problem, source, c, held);
        }
    }
}

/// Offsets of a problem given by W: y0 from the pivot rows, the rest into e.
static void delassus_offsets(TactSystem *system, const TactContactProblem *problem)
{
    size_t        n = 3 * (size_t)problem->contact_count;
    const double *C = system->whitener.factor;
    const int    *order = system->whitener.order;
    for (int r = 0; r < system->dof; r++) {
        double sum = problem->u_free[order[r]];
        for (int s = 0; s < r; s++) {
            sum -= C[(size_t)order[s] * n + (size_t)order[r]] * system->y0[s];
        }
        system->y0[r] = sum / C[(size_t)order[r] * n + (size_t)order[r]];
    }
}

static void compute_offsets(TactSystem *system, const TactContactProblem *problem)
{
    int     raw = system->whitener.dof;
    int     rank = system->bilateral.rank;
    double *x0 = system->scratch + raw;
    double *before = system->scratch + 2 * raw;
    double *held = system->scratch + 3 * raw;
    if (problem->W) {
        delassus_offsets(system, problem);
    } else {
        free_motion(system, problem, x0, before);
        tact_rows_velocity(problem, before);
        tact_bilateral_rotate(&system->bilateral, x0);
        memcpy(system->y0, x0 + rank, (size_t)system->dof * sizeof(double));
        memset(held, 0, (size_t)raw * sizeof(double));
        memcpy(held, system->bilateral.fixed, (size_t)rank * sizeof(double));
        tact_bilateral_rotate_back(&system->bilateral, held);
        tact_whitener_back(&system->whitener, problem, held);
    }
    for (int i = 0; i < system->item_count; i++) {
        item_offset(system, problem, i, before, held);
        double u[3];
        tact_system_pull(system, i, system->y0, u);
        for (int c = 0; c < 3; c++) {
            double *e = system->e + 3 * i + c;
            if (problem->W) {
                *e += problem->u_free[3 * system->items[i].source + c] - u[c];
            }
            system->b[3 * i + c] = u[c] + *e;
        }
    }
}

static void compute_scales(TactSystem *system)
{
    for (int i = 0; i < system->item_count; i++) {
        TactItem     *item = &system->items[i];
        int           size = system->groups[item->group].size;
        const double *column = system->columns + system->column[i];
        column += item->kind == TACT_ITEM_MOTOR ? size : 0;
        double sum = item->compliance;
        for (int s = 0; s < size; s++) {
            sum += column[s] * column[s];
        }
        item->scale = sum > 0 ? 1 / sqrt(sum) : 1;
    }
}

static void offsets_without_columns(TactSystem *system, const TactContactProblem *problem)
{
    system->dof = 0;
    for (int i = 0; i < system->item_count; i++) {
        const TactItem *item = &system->items[i];
        for (int c = 0; c < 3; c++) {
            double e = c == 0 ? problem->contacts[item->source].bias
                              : tact_contact_surface(problem, item->source, c);
            system->e[3 * i + c] = e + problem->u_free[3 * item->source + c];
            system->b[3 * i + c] = system->e[3 * i + c];
        }
        system->items[i].scale = 1;
        system->column[i] = 0;
    }
}

TactStatus tact_system_build(TactSystem *system, const TactContactProblem *problem,
                             bool without_columns)
{
    system->columns_built = !(without_columns && problem->W);
    system->group_count = 0;
    system->redundant_rows = 0;
    system->bilateral.rank = 0;
    system->bilateral.count = 0;
    if (!system->columns_built) {
        list_items(system, problem);
        offsets_without_columns(system, problem);
        return TACT_OK;
    }
    TACT_TRY(tact_whitener_factor(&system->whitener, problem));
    if (!problem->W) {
        project_bilateral(system, problem);
    }
    system->dof = system->whitener.dof - system->bilateral.rank;
    list_items(system, problem);
    if (problem->bodies && system->bilateral.rank == 0) {
        compute_body_columns(system, problem);
    } else {
        compute_dense_columns(system, problem);
    }
    copy_to_soa(system);
    compute_scales(system);
    compute_offsets(system, problem);
    return TACT_OK;
}
