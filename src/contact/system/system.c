#include "contact/system/system.h"

#include <math.h>
#include <string.h>

#include "base/status.h"
#include "contact/problem/problem.h"
#include "contact/system/system_internal.h"
#include "linalg/vector.h"

enum { LANES = 8, SCRATCH_VECTORS = 6 };

void tact_system_layout(TactSystem *system, const TactContactCapacity *capacity, TactArena *arena)
{
    size_t     items = (size_t)capacity->contacts + (size_t)capacity->rows;
    size_t     dof = (size_t)capacity->dof;
    size_t     support = (size_t)capacity->support;
    TactSystem sized = {.capacity = *capacity};
    sized.items = tact_arena_take(arena, items, sizeof *sized.items);
    sized.groups = tact_arena_take(arena, items, sizeof *sized.groups);
    sized.keys = tact_arena_take(arena, 2 * items, sizeof *sized.keys);
    sized.places = tact_arena_take(arena, dof / 6 + 2, sizeof(int));
    sized.support = tact_arena_take(arena, items * support, sizeof(int));
    sized.column = tact_arena_take(arena, items, sizeof(size_t));
    sized.columns = tact_arena_take(arena, 3 * items * support, sizeof(double));
    // Every group is rounded up to whole vectors: at most LANES / 2 times its size, LANES of one.
    size_t in_vectors = items * (LANES / 2) > LANES ? items * (LANES / 2) : LANES;
    sized.soa = tact_arena_take(arena, 3 * in_vectors * support, sizeof(double));
    sized.y0 = tact_arena_take(arena, dof, sizeof(double));
    sized.e = tact_arena_take(arena, 3 * items, sizeof(double));
    sized.b = tact_arena_take(arena, 3 * items, sizeof(double));
    sized.beside = tact_arena_take(arena, capacity->dense ? 8 * dof : 0, sizeof(double));
    sized.scratch = tact_arena_take(arena, SCRATCH_VECTORS * dof + 3 * items, sizeof(double));
    sized.joined = tact_arena_take(arena, (size_t)capacity->rows, sizeof *sized.joined);
    sized.tied = tact_arena_take(arena, dof + items, sizeof(int));
    tact_whitener_layout(&sized.whitener, capacity, arena);
    tact_bilateral_layout(&sized.bilateral, capacity->dof, capacity->rows, arena);
    if (arena->block) {
        *system = sized;
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

/// The three columns of an item of a mechanism without bilateral rows, side by side in groups of
/// four.                                                                   x: (dof x 4)
static void mass_columns(TactSystem *system, const TactContactProblem *problem, int source,
                         double *x)
{
    static const double none = 0;
    const double       *J[3];
    size_t              step[3]; // rows of joints have one column only
    for (int c = 0; c < 3; c++) {
        const double *row = tact_rows_generalized(problem, source, c);
        J[c] = row ? row : &none;
        step[c] = row ? 1 : 0;
    }
    for (size_t j = 0; j < (size_t)system->dof; j++) {
        x[4 * j] = J[0][step[0] * j];
        x[4 * j + 1] = J[1][step[1] * j];
        x[4 * j + 2] = J[2][step[2] * j];
        x[4 * j + 3] = 0;
    }
    tact_whitener_force_four(&system->whitener, x);
}

/// Columns of an item: entry j of column c stands at x[c along + j across].
typedef struct Columns {
    const double *x;
    size_t        along, across;
} Columns;

/// Support of a group from the columns of its first item; all members have the same.
static int list_support(const Columns *columns, int dof, int *support)
{
    int size = 0;
    for (int j = 0; j < dof; j++) {
        const double *x = columns->x + (size_t)j * columns->across;
        if (x[0] != 0 || x[columns->along] != 0 || x[2 * columns->along] != 0) {
            support[size++] = j;
        }
    }
    return size;
}

TactItemGroup *tact_system_open_group(TactSystem *system, int i, int size, TactSystemFill *fill)
{
    TactItemGroup *group = &system->groups[system->group_count++];
    *group = (TactItemGroup){.first = i, .support = fill->support, .size = size};
    fill->support += size;
    return group;
}

void tact_system_join_group(TactSystem *system, int i, TactItemGroup *group, TactSystemFill *fill)
{
    group->count++;
    system->items[i].group = (int)(group - system->groups);
    system->column[i] = fill->columns;
    fill->columns += 3 * (size_t)group->size;
}

/// Has an item this column? A unilateral row has a normal only, a motor the first tangent.
static bool has_column(const TactItem *item, int component)
{
    return item->kind == TACT_ITEM_CONTACT || component == (item->kind == TACT_ITEM_MOTOR ? 1 : 0);
}

/// A mass matrix, W or bilateral rows: whatever is not 0.
static void compute_dense_columns(TactSystem *system, const TactContactProblem *problem)
{
    TactSystemFill fill = {0};
    TactItemGroup *group = NULL;
    int            dof = system->dof;
    double        *dense = system->scratch + dof + system->bilateral.rank;
    bool           at_once = problem->M && system->bilateral.rank == 0;
    Columns        columns = {at_once ? system->beside : dense, at_once ? 1 : (size_t)dof,
                       at_once ? 4 : 1};
    for (int i = 0; i < system->item_count; i++) {
        int source = system->keys[i].source;
        if (at_once) {
            mass_columns(system, problem, source, system->beside);
        }
        for (int c = 0; c < 3 && !at_once; c++) {
            double *out = dense + (size_t)c * (size_t)dof;
            if (problem->W) {
                size_t n = 3 * (size_t)problem->contact_count;
                for (int r = 0; r < dof; r++) {
                    size_t pivot = (size_t)system->whitener.order[r];
                    out[r] = system->whitener.factor[pivot * n + (size_t)(3 * source + c)];
                }
            } else if (has_column(&system->items[i], c)) {
                dense_column(system, problem, source, c, out);
            } else {
                memset(out, 0, (size_t)dof * sizeof *out);
            }
        }
        int *support = system->support + fill.support;
        int  size = list_support(&columns, dof, support);
        bool same =
            group && group->size == size &&
            system->keys[i].support == system->keys[i - 1].support &&
            memcmp(system->support + group->support, support, (size_t)size * sizeof(int)) == 0;
        group = same ? group : tact_system_open_group(system, i, size, &fill);
        tact_system_join_group(system, i, group, &fill);
        double    *out = system->columns + system->column[i];
        const int *places = system->support + group->support;
        for (size_t c = 0; c < 3; c++) {
            for (int k = 0; k < size; k++) {
                *out++ = columns.x[c * columns.along + (size_t)places[k] * columns.across];
            }
        }
    }
}

void tact_system_place_groups(TactSystem *system)
{
    size_t used = 0;
    for (int g = 0; g < system->group_count; g++) {
        TactItemGroup *group = &system->groups[g];
        group->soa = used;
        bool few = group->count <= LANES / 2 && system->group_count > 1;
        group->stride = few ? LANES / 2 : (group->count + LANES - 1) / LANES * LANES;
        used += 3 * (size_t)group->size * (size_t)group->stride;
    }
}

void tact_system_prepare_sweep(TactSystem *system)
{
    for (int g = 0; g < system->group_count; g++) {
        const TactItemGroup *group = &system->groups[g];
        double              *soa = system->soa + group->soa;
        size_t               size = (size_t)group->size;
        size_t               stride = (size_t)group->stride;
        memset(soa, 0, 3 * size * stride * sizeof(double));
        for (int k = 0; k < group->count; k++) {
            const double *columns = system->columns + system->column[group->first + k];
            for (size_t cs = 0; cs < 3 * size; cs++) {
                soa[cs * stride + (size_t)k] = columns[cs];
            }
        }
    }
}

// ---------------------------------------------------------------------------------------------
// Free motion and offsets

/// x0 = G' v + h G^-1 f, and the whitened velocity before the step.
static void free_motion(TactSystem *system, const TactContactProblem *problem, double *x0,
                        double *x_before)
{
    int    raw = system->whitener.dof;
    bool   velocities = problem->level == TACT_LEVEL_VELOCITY;
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

/// Whitens rows of a mechanism, four at a time.                          rows: (count x dof)
static void whiten_rows(const TactSystem *system, int count, double *rows)
{
    size_t dof = (size_t)system->whitener.dof;
    for (int k = 0; k < count; k += 4, rows += 4 * dof) {
        size_t four = count - k < 4 ? (size_t)(count - k) : 4;
        for (size_t j = 0; j < dof; j++) {
            for (size_t i = 0; i < 4; i++) {
                system->beside[4 * j + i] = i < four ? rows[i * dof + j] : 0;
            }
        }
        tact_whitener_force_four(&system->whitener, system->beside);
        for (size_t i = 0; i < four; i++) {
            for (size_t j = 0; j < dof; j++) {
                rows[i * dof + j] = system->beside[4 * j + i];
            }
        }
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
        if (problem->rows[r].kind != TACT_ROW_BILATERAL) {
            continue;
        }
        double *row = bilateral->rows + (size_t)bilateral->count * (size_t)bilateral->dof;
        memset(row, 0, (size_t)bilateral->dof * sizeof(double));
        tact_rows_add(problem, problem->contact_count + r, 0, 1, row);
        if (!problem->M) {
            tact_whitener_force(&system->whitener, problem, row);
        }
        target[bilateral->count++] = tact_rows_target(problem, r);
    }
    if (problem->M) {
        whiten_rows(system, bilateral->count, bilateral->rows);
    }
    if (bilateral->count > 0) {
        tact_bilateral_factor(bilateral);
        tact_bilateral_fix(bilateral, target);
    }
    system->redundant_rows = bilateral->count - bilateral->rank;
}

/// tact_rows_dot(), over the dofs alone that a row of a mechanism touches.
static double dot_touched(const TactSystem *system, const TactContactProblem *problem, int i, int c,
                          const double *v)
{
    int           source = system->keys[i].source;
    const double *J = NULL;
    if (!problem->M || problem->nv > TACT_WHITENER_BITS) {
        return tact_rows_dot(problem, source, c, v);
    }
    J = tact_rows_generalized(problem, source, c);
    double sum = 0;
    for (uint64_t left = system->keys[i].touched; J && left != 0; left &= left - 1) {
        int j = __builtin_ctzll(left);
        sum += J[j] * v[j];
    }
    return sum;
}

void tact_system_offset(TactSystem *system, const TactContactProblem *problem, int i,
                        const double *before, const double *held)
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
        if (contact->restitution > 0 && !problem->W && problem->level == TACT_LEVEL_VELOCITY) {
            double approach = tact_rows_dot(problem, source, 0, before);
            e[0] += approach < 0 ? contact->restitution * approach : 0;
        }
    } else {
        e[item->kind == TACT_ITEM_MOTOR ? 1 : 0] = -tact_rows_target(problem, item->source);
    }
    if (system->bilateral.rank > 0) {
        for (int c = 0; c < 3; c++) {
            e[c] += dot_touched(system, problem, i, c, held);
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

/// y0, and the velocity before the step and of the held coordinates.
static void compute_motion(TactSystem *system, const TactContactProblem *problem, double *before,
                           double *held)
{
    int     raw = system->whitener.dof;
    int     rank = system->bilateral.rank;
    double *x0 = system->scratch + raw;
    if (problem->W) {
        delassus_offsets(system, problem);
        return;
    }
    free_motion(system, problem, x0, before);
    tact_rows_velocity(problem, before);
    if (rank == 0) {
        memcpy(system->y0, x0, (size_t)raw * sizeof(double));
        return;
    }
    tact_bilateral_rotate(&system->bilateral, x0);
    memcpy(system->y0, x0 + rank, (size_t)system->dof * sizeof(double));
    memset(held, 0, (size_t)raw * sizeof(double));
    memcpy(held, system->bilateral.fixed, (size_t)rank * sizeof(double));
    tact_bilateral_rotate_back(&system->bilateral, held);
    tact_whitener_back(&system->whitener, problem, held);
}

static void compute_offsets(TactSystem *system, const TactContactProblem *problem,
                            const double *before, const double *held)
{
    for (int i = 0; i < system->item_count; i++) {
        tact_system_offset(system, problem, i, before, held);
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

// A contact that hardly moves along its normal is scaled as if it did by this square of what it
// moves across: its tangents, scaled to its normal, would hide what all others ask for.
static const double LEAST_SQUARE = 1e-6;

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
        if (item->kind == TACT_ITEM_CONTACT && item->directions > 0) {
            double across = 0;
            for (int s = size; s < 3 * size; s++) {
                across += column[s] * column[s];
            }
            sum = sum > 0 && sum < LEAST_SQUARE * across ? LEAST_SQUARE * across : sum;
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
    system->columns_built = !(without_columns && tact_contact_has_W(problem));
    system->built++;
    system->group_count = 0;
    system->joined_count = 0;
    system->redundant_rows = 0;
    system->bilateral.rank = 0;
    system->bilateral.count = 0;
    if (!system->columns_built) {
        tact_system_list_items(system, problem);
        offsets_without_columns(system, problem);
        return TACT_OK;
    }
    TACT_TRY(tact_whitener_factor(&system->whitener, problem));
    if (!problem->W) {
        project_bilateral(system, problem);
    }
    system->dof = system->whitener.dof - system->bilateral.rank;
    tact_system_list_items(system, problem);
    double *before = system->scratch + 2 * system->whitener.dof;
    double *held = system->scratch + 3 * system->whitener.dof;
    if (problem->bodies && system->bilateral.rank == 0) {
        compute_motion(system, problem, before, held);
        tact_system_build_bodies(system, problem, before);
    } else {
        if (problem->M && problem->nv <= TACT_WHITENER_BITS) {
            tact_system_mass_columns(system, problem);
        } else {
            compute_dense_columns(system, problem);
        }
        compute_scales(system);
        compute_motion(system, problem, before, held); // its memory was that of the columns
        compute_offsets(system, problem, before, held);
    }
    tact_system_place_groups(system);
    return TACT_OK;
}

bool tact_system_renew(TactSystem *system, const TactContactProblem *problem)
{
    double *before = system->scratch + 2 * system->whitener.dof;
    double *held = system->scratch + 3 * system->whitener.dof;
    double *target = system->scratch;
    if (!problem->M || problem->nv != system->whitener.dof || !system->columns_built) {
        return false;
    }
    system->whitener.mass = problem->factor ? problem->factor : system->whitener.mass;
    for (int r = 0, k = 0; r < problem->row_count && k < system->bilateral.count; r++) {
        if (problem->rows[r].kind == TACT_ROW_BILATERAL) {
            target[k++] = tact_rows_target(problem, r);
        }
    }
    if (system->bilateral.count > 0) {
        tact_bilateral_fix(&system->bilateral, target);
    }
    compute_motion(system, problem, before, held);
    compute_offsets(system, problem, before, held);
    return tact_system_stays_joined(system, problem, held);
}
