// Values of a basis and the column of a driving variable: from amounts of the basic unknowns to a
// motion, and from that to all rows.
#include <math.h>
#include <string.h>

#include "contact/pivot/elimination.h"
#include "contact/pivot/kernel_entries.h"
#include "contact/pivot/kernel_inverse.h"
#include "contact/pivot_rules.h"

// ---------------------------------------------------------------------------------------------
// Motions and entries, for those who need one

bool tact_kernel_direction(const TactKernel *kernel, TactVar variable, double p[3])
{
    double s = kernel->items.scale[tact_var_item(variable)];
    int    kind = tact_var_kind(variable) & 3;
    p[0] = p[1] = p[2] = 0;
    if (kind == TACT_VAR_THETA) {
        p[0] = s;
    } else if (kind != TACT_VAR_LAMBDA) {
        tact_kernel_along(kernel, variable, &p[1], &p[2]);
        p[1] *= s;
        p[2] *= s;
    }
    return kind != TACT_VAR_LAMBDA;
}

bool tact_kernel_motion(const TactKernel *kernel, TactVar variable, double *motion)
{
    return tact_kernel_put_motion(kernel, variable, motion);
}

TACT_CLONES void tact_kernel_column_entries(TactKernel *kernel, TactVar col, double *entries)
{
    tact_kernel_need_tables(kernel);
    tact_kernel_put_column(kernel, col, entries);
}

TACT_CLONES void tact_kernel_row_entries(TactKernel *kernel, TactVar row, double *entries)
{
    tact_kernel_need_tables(kernel);
    tact_kernel_put_row_entries(kernel, row, entries);
}

double tact_kernel_cover(const TactKernel *kernel, TactVar row)
{
    double cover = kernel->rows.direct[tact_kernel_row_at(kernel, row)];
    if (tact_kernel_put_motion(kernel, row, kernel->scratch.motion)) {
        const TactItemGroup *group = tact_kernel_group(kernel, tact_var_item(row));
        const int           *support = kernel->space.support + group->support;
        for (int s = 0; s < group->size; s++) {
            cover += kernel->scratch.motion[s] * kernel->motions.cover_y[support[s]];
        }
    }
    return cover;
}

// ---------------------------------------------------------------------------------------------
// From a motion to all rows

/// What all rows are computed from.
typedef struct Sweep {
    const double *y;      // motion                                                       (dof)
    const double *z;      // amounts of the basic unknowns                                (k)
    double        z0;     // amount of z0
    int           lambda; // item whose lambda is 1 besides, -1: none
    bool          with_offset;
} Sweep;

/// nu of all items.
TACT_LOOP void normal_rows(const TactKernel *kernel, const Sweep *sweep, double *out)
{
    const TactSystem *system = kernel->system;
    for (int g = 0; g < system->group_count; g++) {
        const TactItemGroup *group = &system->groups[g];
        const double        *part = sweep->y + kernel->space.group_from[g];
        int                  size = tact_kernel_normal_size(system, group);
        if (size > 0 && kernel->space.group_from[g] < 0) {
            double *motion = kernel->scratch.motion;
            for (int r = kernel->space.group_runs[g]; r < kernel->space.group_runs[g + 1]; r++) {
                for (int j = kernel->space.run_first[r]; j < kernel->space.run_end[r]; j++) {
                    *motion++ = sweep->y[j];
                }
            }
            part = kernel->scratch.motion;
        }
        // A group's last vector may reach into the next group, which is written after it.
        tact_loop_normals(group->stride, kernel->items.normals + group->soa / 3,
                          (size_t)group->stride, size, part, sweep->z0,
                          kernel->rows.direct + kernel->rows.nu + group->first,
                          sweep->with_offset ? kernel->items.offset + group->first : NULL,
                          out + kernel->rows.nu + group->first);
    }
}

/// Every entry of a motion twice, for tangent_rows().
TACT_LOOP void double_motion(TactKernel *kernel, const double *y)
{
    for (int j = 0; j < kernel->space.dof; j += 2) {
        TACT_LANES_PUT(kernel->motions.twice + 2 * j) = (TactLanes){y[j], y[j], y[j + 1], y[j + 1]};
    }
}

/// Tangential velocities of one active item, from the doubled motion.
TACT_LOOP void tangent_rows(const TactKernel *kernel, int active, double t[2])
{
    const TactKernelActive *own = &kernel->friction.actives[active];
    const double           *pairs =
        kernel->friction.tangents + (size_t)active * 2 * kernel->friction.tangent_ld;
    if (own->from >= 0) {
        tact_loop_tangents(own->vectors, pairs, kernel->motions.twice + own->from, t);
        return;
    }
    TactLanes sum = TACT_LANES_ALL(0.0);
    double    a = 0, b = 0;
    int       g = kernel->system->items[own->item].group;
    for (int r = kernel->space.group_runs[g]; r < kernel->space.group_runs[g + 1]; r++) {
        int j = kernel->space.run_first[r];
        for (; j + 2 <= kernel->space.run_end[r]; j += 2, pairs += 4) {
            sum += TACT_LANES_AT(pairs) * TACT_LANES_AT(kernel->motions.twice + 2 * j);
        }
        if (j < kernel->space.run_end[r]) {
            a += pairs[0] * kernel->motions.twice[2 * j];
            b += pairs[1] * kernel->motions.twice[2 * j];
            pairs += 2;
        }
    }
    t[0] = (sum[0] + sum[2]) + a;
    t[1] = (sum[1] + sum[3]) + b;
}

TACT_LOOP double amount_of(const TactKernel *kernel, int kind, int i, const double *z)
{
    int position = kernel->basis.position[kind][i];
    return position >= 0 ? z[position] : 0;
}

/// sigma, gamma and the damper row of an active item from its tangential velocities; gamma without
/// offset.
TACT_LOOP void active_rows(const TactKernel *kernel, const Sweep *sweep, int active,
                           const double t[2], double *out)
{
    int           i = kernel->friction.actives[active].item;
    int           directions = kernel->friction.directions;
    size_t        first = (size_t)i * TACT_MAX_DIRECTIONS;
    int           at = tact_kernel_friction_rows(kernel, active);
    int           gamma = at + directions;
    double        lambda = amount_of(kernel, TACT_VAR_LAMBDA, i, sweep->z);
    TactSigmaLoop loop = {
        .c = kernel->friction.cosine + first,
        .s = kernel->friction.sine + first,
        .direct = kernel->rows.direct + at,
        .t1 = t[0],
        .t2 = t[1],
        .lambda = i == sweep->lambda ? 1 : lambda,
        .factor = sweep->z0,
    };
    tact_loop_sigma(directions, &loop, out + at);
    for (int j = kernel->friction.actives[active].directions; j < directions; j++) {
        out[at + j] = 0;
    }
    TactLanes end = {kernel->friction.gamma[active] + sweep->z0 * kernel->rows.direct[gamma], 0, 0,
                     0};
    if (kernel->items.damping[i] > 0) {
        double delta = amount_of(kernel, TACT_VAR_DAMPER, i, sweep->z);
        end[1] = (kernel->friction.cosine[first] * t[1] - kernel->friction.sine[first] * t[0]) +
                 delta / kernel->items.damping[i];
    }
    TACT_LANES_PUT(out + gamma) = end;
}

/// mu theta - sum of phi of all active items.
TACT_LOOP void sum_gamma(const TactKernel *kernel, const Sweep *sweep)
{
    for (int active = 0; active < kernel->friction.count; active++) {
        kernel->friction.gamma[active] = 0;
    }
    for (int c = 0; c < kernel->basis.k; c++) {
        kernel->friction.gamma[kernel->basis.col_active[c]] +=
            kernel->basis.col_gamma[c] * sweep->z[c];
    }
}

/// What loads add to the gammas of their moments: a driving theta is 1 besides.
TACT_CALLED_BY_CLONES static void add_owned_loads(const TactKernel *kernel, const double *z,
                                                  TactVar driving)
{
    for (int active = 0; active < kernel->friction.count; active++) {
        int i = kernel->friction.item[active], owner = tact_kernel_owner(kernel, i);
        if (owner != i) {
            double load = amount_of(kernel, TACT_VAR_THETA, owner, z);
            load += driving == tact_var(TACT_VAR_THETA, owner, 0) ? 1 : 0;
            kernel->friction.gamma[active] += kernel->items.mu[i] * load;
        }
    }
}

static void add_compliance(const TactKernel *kernel, const double *z, double *out)
{
    for (int i = 0; i < kernel->system->item_count; i++) {
        out[kernel->rows.nu + i] +=
            tact_kernel_compliance(kernel, i) * amount_of(kernel, TACT_VAR_THETA, i, z);
    }
}

TACT_CLONES void tact_kernel_compute_values(TactKernel *kernel)
{
    size_t stride = (size_t)kernel->system->stride;
    Sweep  sweep = {kernel->motions.y, kernel->basis.z, tact_kernel_z0(kernel), -1, true};
    tact_loop_combine(kernel->space.dof, kernel->motions.col_rows, kernel->space.ld,
                      kernel->basis.k, NULL, kernel->basis.z, kernel->motions.y);
    double_motion(kernel, kernel->motions.y);
    normal_rows(kernel, &sweep, kernel->rows.value);
    if (kernel->items.has_compliance) {
        add_compliance(kernel, kernel->basis.z, kernel->rows.value);
    }
    sum_gamma(kernel, &sweep);
    if (kernel->items.has_moments) {
        add_owned_loads(kernel, kernel->basis.z, TACT_VAR_NONE);
    }
    for (int active = 0; active < kernel->friction.count; active++) {
        int     i = kernel->friction.item[active];
        double *t = kernel->friction.t_value + 2 * active;
        tangent_rows(kernel, active, t);
        t[0] += kernel->items.offset[stride + (size_t)i];
        t[1] += kernel->items.offset[2 * stride + (size_t)i];
        active_rows(kernel, &sweep, active, t, kernel->rows.value);
        kernel->rows
            .value[tact_kernel_friction_rows(kernel, active) + kernel->friction.directions] +=
            kernel->items.bound[i];
    }
}

void tact_kernel_make_active(TactKernel *kernel, int active)
{
    size_t  stride = (size_t)kernel->system->stride;
    int     i = kernel->friction.item[active];
    double *t = kernel->friction.t_value + 2 * active;
    double_motion(kernel, kernel->motions.y);
    tangent_rows(kernel, active, t);
    t[0] += kernel->items.offset[stride + (size_t)i];
    t[1] += kernel->items.offset[2 * stride + (size_t)i];
}

// ---------------------------------------------------------------------------------------------
// Column of a driving variable

static inline bool is_row(TactVar variable)
{
    return variable >= 0 && (tact_var_kind(variable) & 4) != 0;
}

/// dy += motion of a driving unknown
TACT_LOOP void add_driving(TactKernel *kernel, TactVar driving)
{
    if (driving == TACT_VAR_Z0) {
        tact_loop_step(kernel->space.dof, 1, kernel->motions.cover_y, kernel->motions.dy);
    } else if (tact_kernel_put_motion(kernel, driving, kernel->scratch.motion)) {
        const TactItemGroup *group = tact_kernel_group(kernel, tact_var_item(driving));
        const int           *support = kernel->space.support + group->support;
        for (int s = 0; s < group->size; s++) {
            kernel->motions.dy[support[s]] += kernel->scratch.motion[s];
        }
    }
}

/// Motion and rates of all rows for dz and, if it is an unknown, 1 of the driving variable.
TACT_LOOP void compute_rates(TactKernel *kernel, TactVar driving)
{
    int   item = is_row(driving) || driving == TACT_VAR_Z0 ? -1 : tact_var_item(driving);
    int   kind = item >= 0 ? tact_var_kind(driving) : -1;
    Sweep sweep = {kernel->motions.dy, kernel->basis.dz, tact_kernel_z0_rate(kernel, driving),
                   kind == TACT_VAR_LAMBDA ? item : -1, false};
    tact_loop_combine(kernel->space.dof, kernel->motions.col_rows, kernel->space.ld,
                      kernel->basis.k, NULL, kernel->basis.dz, kernel->motions.dy);
    if (!is_row(driving)) {
        add_driving(kernel, driving);
    }
    normal_rows(kernel, &sweep, kernel->rows.rate);
    if (kernel->items.has_compliance) {
        add_compliance(kernel, kernel->basis.dz, kernel->rows.rate);
        if (kind == TACT_VAR_THETA) {
            kernel->rows.rate[kernel->rows.nu + item] += tact_kernel_compliance(kernel, item);
        }
    }
    sum_gamma(kernel, &sweep);
    if (item >= 0 && kernel->items.active[item] >= 0) {
        kernel->friction.gamma[kernel->items.active[item]] += kind == TACT_VAR_THETA
                                                                  ? kernel->items.mu[item]
                                                              : kind == TACT_VAR_PHI ? -1
                                                                                     : 0;
    }
    if (kernel->items.has_moments) {
        add_owned_loads(kernel, kernel->basis.dz, driving);
    }
    double_motion(kernel, kernel->motions.dy);
    for (int active = 0; active < kernel->friction.count; active++) {
        double t[2];
        tangent_rows(kernel, active, t);
        active_rows(kernel, &sweep, active, t, kernel->rows.rate);
    }
}

/// Are the non-basic rows 0, and a driving one 1, to within a tolerance?
TACT_LOOP bool is_accurate(const TactKernel *kernel, TactVar driving, double tol)
{
    const int *at = kernel->basis.row_at;
    double *own = is_row(driving) ? kernel->rows.rate + tact_kernel_row_at(kernel, driving) : NULL;
    double  limit = tol * kernel->basis.size;
    double  is = own ? *own : 0;
    bool    off = own && !(fabs(is - 1) <= limit); // also of NaN
    if (own) {
        *own = 0;
    }
    for (int r = 0; r < kernel->basis.k; r++) {
        off |= !(fabs(kernel->rows.rate[at[r]]) <= limit);
    }
    if (own) {
        *own = is;
    }
    return !off;
}

/// dz = K^-1 e of a driving row, -K^-1 M(row, col) of a driving unknown.
TACT_LOOP void first_column(TactKernel *kernel, TactVar driving)
{
    for (int c = 0; c < kernel->basis.k; c += 4) {
        TACT_LANES_PUT(kernel->basis.dz + c) = TACT_LANES_ALL(0.0);
    }
    if (is_row(driving) && !kernel->elimination) {
        const double *row = kernel->factor.inverse +
                            (size_t)*tact_kernel_position(kernel, driving) * kernel->basis.ld;
        tact_loop_step(kernel->basis.k, 1, row, kernel->basis.dz);
        return;
    }
    if (is_row(driving)) {
        memset(kernel->scratch.gather, 0, (size_t)kernel->basis.k * sizeof(double));
        kernel->scratch.gather[*tact_kernel_position(kernel, driving)] = -1;
    } else {
        tact_kernel_put_column(kernel, driving, kernel->scratch.gather);
    }
    if (kernel->elimination) {
        tact_elimination_solve(kernel->elimination, kernel, kernel->scratch.gather,
                               kernel->basis.dz);
    } else {
        tact_inverse_solve(kernel->basis.k, kernel->factor.inverse, kernel->basis.ld,
                           kernel->scratch.gather, kernel->basis.dz);
    }
}

/// The column as the inverse has it. false: it has drifted.
TACT_CLONES static bool compute_column(TactKernel *kernel, TactVar driving)
{
    first_column(kernel, driving);
    compute_rates(kernel, driving);
    kernel->basis.size = tact_loop_size(kernel->basis.k, kernel->basis.dz);
    return is_accurate(kernel, driving, TACT_PIVOT_DRIFT_REFINE);
}

/// One step of refinement. false: that was not enough.
TACT_CLONES static bool refine_column(TactKernel *kernel, TactVar driving)
{
    for (int r = 0; r < kernel->basis.k; r++) {
        kernel->scratch.gather[r] = kernel->rows.rate[kernel->basis.row_at[r]];
    }
    if (is_row(driving)) {
        kernel->scratch.gather[*tact_kernel_position(kernel, driving)] -= 1;
    }
    tact_kernel_solve(kernel, kernel->scratch.gather, kernel->basis.dz);
    compute_rates(kernel, driving);
    return is_accurate(kernel, driving, TACT_PIVOT_DRIFT_MOST);
}

bool tact_kernel_column(TactKernel *kernel, TactVar driving)
{
    if (kernel->elimination && kernel->elimination->dirty &&
        !tact_elimination_factor(kernel->elimination, kernel)) {
        return false;
    }
    for (int attempt = 0; attempt < 2; attempt++) {
        if (!tact_kernel_need_inverse(kernel)) {
            return false;
        }
        if (compute_column(kernel, driving) || refine_column(kernel, driving)) {
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
