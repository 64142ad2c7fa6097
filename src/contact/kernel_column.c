// Columns and rows of the contact LCP as motions: [Lloyd04, eqs. 19-21] without the matrix.
#include <math.h>
#include <string.h>

#include "contact/elimination.h"
#include "contact/kernel_internal.h"
#include "contact/kernel_loops.h"

// Drift of a column, relative to its size: refined above the first, factored anew above the second.
static const double DRIFT_REFINE = 1e-13;
static const double DRIFT_REFACTOR = 1e-12;

// ---------------------------------------------------------------------------------------------
// Motions

bool tact_kernel_direction(const TactKernel *kernel, TactVar variable, double p[3])
{
    int    i = tact_var_item(variable);
    double s = kernel->scale[i];
    size_t first = (size_t)i * TACT_MAX_DIRECTIONS;
    size_t j = first + (size_t)tact_var_direction(variable);
    p[0] = p[1] = p[2] = 0;
    switch (tact_var_kind(variable) & 3) {
    case TACT_VAR_THETA: p[0] = s; return true;
    case TACT_VAR_PHI:
        p[1] = s * kernel->cosine[j];
        p[2] = s * kernel->sine[j];
        return true;
    case TACT_VAR_DAMPER: // across direction 0
        p[1] = -s * kernel->sine[first];
        p[2] = s * kernel->cosine[first];
        return true;
    default: return false;
    }
}

bool tact_kernel_motion(const TactKernel *kernel, TactVar variable, double *motion)
{
    double p[3];
    if (variable == TACT_VAR_Z0 || !tact_kernel_direction(kernel, variable, p)) {
        return false;
    }
    int           i = tact_var_item(variable);
    int           size = tact_kernel_group(kernel, i)->size;
    const double *n = kernel->system->columns + kernel->system->column[i];
    const double *t1 = n + size;
    const double *t2 = t1 + size;
    for (int s = 0; s < size; s++) {
        motion[s] = p[0] != 0 ? p[0] * n[s] : p[1] * t1[s] + p[2] * t2[s];
    }
    return true;
}

/// The support of an item's motion; NULL: all degrees of freedom.
static const int *support_of(const TactKernel *kernel, const TactItemGroup *group)
{
    return group->size == kernel->dof ? NULL : kernel->support + group->support;
}

double tact_kernel_cover(const TactKernel *kernel, TactVar row)
{
    double cover = kernel->direct[tact_kernel_row_at(kernel, row)];
    double p[3];
    if (tact_kernel_direction(kernel, row, p)) {
        int                  i = tact_var_item(row);
        const TactItemGroup *group = tact_kernel_group(kernel, i);
        const int           *support = kernel->support + group->support;
        const double        *n = kernel->system->columns + kernel->system->column[i];
        const double        *t1 = n + group->size;
        const double        *t2 = t1 + group->size;
        for (int s = 0; s < group->size; s++) {
            double motion = p[0] != 0 ? p[0] * n[s] : p[1] * t1[s] + p[2] * t2[s];
            cover += motion * kernel->cover_y[support[s]];
        }
    }
    return cover;
}

// ---------------------------------------------------------------------------------------------
// Entries

static void add_at(double *entries, int place, double value)
{
    if (place >= 0) {
        entries[place] += value;
    }
}

/// Entries of a column that are not a product of motions: 1 of lambda, mu and -1 of gamma,
/// compliance, 1 / damping; of z0 the direct part of the covering vector.
static void add_column_extras(const TactKernel *kernel, TactVar col, double *entries)
{
    if (col == TACT_VAR_Z0) {
        for (int r = 0; r < kernel->k; r++) {
            entries[r] += kernel->direct[kernel->row_at[r]];
        }
        return;
    }
    int i = tact_var_item(col);
    switch (tact_var_kind(col)) {
    case TACT_VAR_THETA:
        add_at(entries, kernel->place[TACT_VAR_GAMMA][i], kernel->mu[i]);
        if (kernel->has_compliance) {
            double s = kernel->scale[i];
            add_at(entries, kernel->place[TACT_VAR_NU][i],
                   s * s * kernel->system->items[i].compliance);
        }
        break;
    case TACT_VAR_PHI: add_at(entries, kernel->place[TACT_VAR_GAMMA][i], -1); break;
    case TACT_VAR_LAMBDA:
        for (int j = 0; j < kernel->system->items[i].directions; j++) {
            add_at(entries, kernel->place[TACT_VAR_SIGMA][i * TACT_MAX_DIRECTIONS + j], 1);
        }
        break;
    default: add_at(entries, kernel->place[TACT_VAR_DAMPER_ROW][i], 1 / kernel->damping[i]); break;
    }
}

void tact_kernel_column_entries(TactKernel *kernel, TactVar col, double *entries)
{
    int k = kernel->k;
    if (col == TACT_VAR_Z0) {
        tact_loop_combine(k, kernel->row_motion, kernel->ld, kernel->dof, NULL, kernel->cover_y,
                          entries);
    } else if (tact_kernel_motion(kernel, col, kernel->motion)) {
        const TactItemGroup *group = tact_kernel_group(kernel, tact_var_item(col));
        tact_loop_combine(k, kernel->row_motion, kernel->ld, group->size, support_of(kernel, group),
                          kernel->motion, entries);
    } else {
        memset(entries, 0, (size_t)k * sizeof(double));
    }
    add_column_extras(kernel, col, entries);
}

static void add_row_extras(const TactKernel *kernel, TactVar row, double *entries)
{
    int i = tact_var_item(row);
    switch (tact_var_kind(row)) {
    case TACT_VAR_NU:
        if (kernel->has_compliance) {
            double s = kernel->scale[i];
            add_at(entries, kernel->place[TACT_VAR_THETA][i],
                   s * s * kernel->system->items[i].compliance);
        }
        break;
    case TACT_VAR_SIGMA: add_at(entries, kernel->place[TACT_VAR_LAMBDA][i], 1); break;
    case TACT_VAR_GAMMA:
        add_at(entries, kernel->place[TACT_VAR_THETA][i], kernel->mu[i]);
        for (int j = 0; j < kernel->system->items[i].directions; j++) {
            add_at(entries, kernel->place[TACT_VAR_PHI][i * TACT_MAX_DIRECTIONS + j], -1);
        }
        break;
    default: add_at(entries, kernel->place[TACT_VAR_DAMPER][i], 1 / kernel->damping[i]); break;
    }
    add_at(entries, kernel->z0_place, kernel->direct[tact_kernel_row_at(kernel, row)]);
}

void tact_kernel_row_entries(TactKernel *kernel, TactVar row, double *entries)
{
    int k = kernel->k;
    if (tact_kernel_motion(kernel, row, kernel->motion)) {
        const TactItemGroup *group = tact_kernel_group(kernel, tact_var_item(row));
        tact_loop_combine(k, kernel->col_motion, kernel->ld, group->size, support_of(kernel, group),
                          kernel->motion, entries);
    } else {
        memset(entries, 0, (size_t)k * sizeof(double));
    }
    add_row_extras(kernel, row, entries);
}

// ---------------------------------------------------------------------------------------------
// From a motion to all rows

/// nu of all items for a motion, z0 and, if asked for, the offset.
static void normal_rows(TactKernel *kernel, const double *y, double z0, bool with_offset,
                        double *out)
{
    const TactSystem *system = kernel->system;
    for (int g = 0; g < system->group_count; g++) {
        const TactItemGroup *group = &system->groups[g];
        const double        *part = y;
        if (group->size < kernel->dof) {
            const int *support = kernel->support + group->support;
            for (int s = 0; s < group->size; s++) {
                kernel->motion[s] = y[support[s]];
            }
            part = kernel->motion;
        }
        // A group's last vector may reach into the next group, which is written after it.
        tact_loop_normals(group->stride, kernel->normals + group->soa / 3, (size_t)group->stride,
                          group->size, part, z0, kernel->direct + kernel->at.nu + group->first,
                          with_offset ? kernel->offset + group->first : NULL,
                          out + kernel->at.nu + group->first);
    }
}

/// Tangential velocities of one slot for a motion.
static void tangent_rows(const TactKernel *kernel, int slot, const double *y, double t[2])
{
    int                  i = kernel->slot_item[slot];
    const TactItemGroup *group = tact_kernel_group(kernel, i);
    const double        *t1 = kernel->tangents + (size_t)slot * 2 * kernel->tangent_ld;
    const double        *t2 = t1 + kernel->tangent_ld;
    const int           *support = support_of(kernel, group);
    double               a = 0;
    double               b = 0;
    for (int s = 0; s < group->size; s++) {
        double x = y[support ? support[s] : s];
        a += t1[s] * x;
        b += t2[s] * x;
    }
    t[0] = a;
    t[1] = b;
}

/// sigma and the damper row of a slot from its tangential velocities.
static void slot_rows(const TactKernel *kernel, int slot, const double t[2], double lambda,
                      double delta, double z0, double *out)
{
    int           i = kernel->slot_item[slot];
    size_t        first = (size_t)i * TACT_MAX_DIRECTIONS;
    int           at = kernel->at.sigma + slot * kernel->directions;
    TactSigmaLoop loop = {
        .c = kernel->cosine + first,
        .s = kernel->sine + first,
        .direct = kernel->direct + at,
        .t1 = t[0],
        .t2 = t[1],
        .lambda = lambda,
        .factor = z0,
    };
    tact_loop_sigma(kernel->directions, &loop, out + at);
    for (int j = kernel->system->items[i].directions; j < kernel->directions; j++) {
        out[at + j] = 0;
    }
    if (kernel->damping[i] > 0) {
        out[kernel->at.damper + slot] =
            (kernel->cosine[first] * t[1] - kernel->sine[first] * t[0]) +
            delta / kernel->damping[i];
    }
}

/// gamma of all slots from the amounts of the unknowns, without offset.
static void gamma_rows(const TactKernel *kernel, const double *z, double z0, double *out)
{
    double *gamma = out + kernel->at.gamma;
    for (int slot = 0; slot < kernel->slot_count; slot++) {
        gamma[slot] = z0 * kernel->direct[kernel->at.gamma + slot];
    }
    for (int c = 0; c < kernel->k; c++) {
        gamma[kernel->col_slot[c]] += kernel->col_gamma[c] * z[c];
    }
}

static double amount_of(const TactKernel *kernel, int kind, int i, const double *z)
{
    int place = kernel->place[kind][i];
    return place >= 0 ? z[place] : 0;
}

static void add_compliance(const TactKernel *kernel, const double *z, double *out)
{
    for (int i = 0; i < kernel->system->item_count; i++) {
        double s = kernel->scale[i];
        out[kernel->at.nu + i] +=
            s * s * kernel->system->items[i].compliance * amount_of(kernel, TACT_VAR_THETA, i, z);
    }
}

void tact_kernel_compute_values(TactKernel *kernel)
{
    size_t stride = (size_t)kernel->system->stride;
    double z0 = tact_kernel_z0(kernel);
    tact_loop_dots(kernel->dof, kernel->col_motion, kernel->ld, kernel->k, kernel->z, kernel->y);
    normal_rows(kernel, kernel->y, z0, true, kernel->value);
    if (kernel->has_compliance) {
        add_compliance(kernel, kernel->z, kernel->value);
    }
    for (int slot = 0; slot < kernel->slot_count; slot++) {
        int     i = kernel->slot_item[slot];
        double *t = kernel->t_value + 2 * slot;
        tangent_rows(kernel, slot, kernel->y, t);
        t[0] += kernel->offset[stride + (size_t)i];
        t[1] += kernel->offset[2 * stride + (size_t)i];
        slot_rows(kernel, slot, t, amount_of(kernel, TACT_VAR_LAMBDA, i, kernel->z),
                  amount_of(kernel, TACT_VAR_DAMPER, i, kernel->z), z0, kernel->value);
    }
    gamma_rows(kernel, kernel->z, z0, kernel->value);
    for (int slot = 0; slot < kernel->slot_count; slot++) {
        kernel->value[kernel->at.gamma + slot] += kernel->bound[kernel->slot_item[slot]];
    }
}

void tact_kernel_open_slot(TactKernel *kernel, int slot)
{
    size_t  stride = (size_t)kernel->system->stride;
    int     i = kernel->slot_item[slot];
    double *t = kernel->t_value + 2 * slot;
    tangent_rows(kernel, slot, kernel->y, t);
    t[0] += kernel->offset[stride + (size_t)i];
    t[1] += kernel->offset[2 * stride + (size_t)i];
}

// ---------------------------------------------------------------------------------------------
// Column of a driving variable

static bool is_row(TactVar variable)
{
    return variable >= 0 && (tact_var_kind(variable) & 4) != 0;
}

/// Motion and rates of all rows for dz and, if it is an unknown, 1 of the driving variable.
static void compute_rates(TactKernel *kernel, TactVar driving)
{
    const TactSystem *system = kernel->system;
    double           *dy = kernel->dy;
    double            dz0 = tact_kernel_z0_rate(kernel, driving);
    bool              unknown = !is_row(driving);
    int               item = unknown && driving != TACT_VAR_Z0 ? tact_var_item(driving) : -1;
    int               kind = item >= 0 ? tact_var_kind(driving) : -1;
    tact_loop_dots(kernel->dof, kernel->col_motion, kernel->ld, kernel->k, kernel->dz, dy);
    if (driving == TACT_VAR_Z0) {
        for (int j = 0; j < kernel->dof; j++) {
            dy[j] += kernel->cover_y[j];
        }
    } else if (unknown && tact_kernel_motion(kernel, driving, kernel->motion)) {
        const TactItemGroup *group = tact_kernel_group(kernel, item);
        const int           *support = kernel->support + group->support;
        for (int s = 0; s < group->size; s++) {
            dy[support[s]] += kernel->motion[s];
        }
    }
    normal_rows(kernel, dy, dz0, false, kernel->rate);
    if (kernel->has_compliance) {
        add_compliance(kernel, kernel->dz, kernel->rate);
        if (kind == TACT_VAR_THETA) {
            double s = kernel->scale[item];
            kernel->rate[kernel->at.nu + item] += s * s * system->items[item].compliance;
        }
    }
    for (int slot = 0; slot < kernel->slot_count; slot++) {
        int    i = kernel->slot_item[slot];
        double t[2];
        double lambda = amount_of(kernel, TACT_VAR_LAMBDA, i, kernel->dz);
        lambda = kind == TACT_VAR_LAMBDA && i == item ? 1 : lambda;
        tangent_rows(kernel, slot, dy, t);
        slot_rows(kernel, slot, t, lambda, amount_of(kernel, TACT_VAR_DAMPER, i, kernel->dz), dz0,
                  kernel->rate);
    }
    gamma_rows(kernel, kernel->dz, dz0, kernel->rate);
    if (item >= 0 && kernel->slot[item] >= 0) {
        kernel->rate[kernel->at.gamma + kernel->slot[item]] += kind == TACT_VAR_THETA
                                                                   ? kernel->mu[item]
                                                               : kind == TACT_VAR_PHI ? -1
                                                                                      : 0;
    }
}

/// gather <- what the non-basic rows are off by; returns the largest.
static double drift_of(TactKernel *kernel, TactVar driving)
{
    double drift = 0;
    for (int r = 0; r < kernel->k; r++) {
        kernel->gather[r] = kernel->rate[kernel->row_at[r]];
    }
    if (is_row(driving)) {
        kernel->gather[*tact_kernel_place(kernel, driving)] -= 1;
    }
    for (int r = 0; r < kernel->k; r++) {
        double entry = fabs(kernel->gather[r]);
        drift = entry > drift || isnan(entry) ? entry : drift;
    }
    return drift;
}

/// dz = K^-1 e of a driving row, -K^-1 M(row, col) of a driving unknown.
static void first_column(TactKernel *kernel, TactVar driving)
{
    size_t bytes = (size_t)kernel->k * sizeof(double);
    if (is_row(driving) && !kernel->elimination) {
        int place = *tact_kernel_place(kernel, driving);
        memcpy(kernel->dz, kernel->inverse + (size_t)place * kernel->ld, bytes);
        return;
    }
    if (is_row(driving)) {
        memset(kernel->gather, 0, bytes);
        kernel->gather[*tact_kernel_place(kernel, driving)] = -1;
    } else {
        tact_kernel_column_entries(kernel, driving, kernel->gather);
    }
    memset(kernel->dz, 0, bytes);
    tact_kernel_solve(kernel, kernel->gather, kernel->dz);
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

/// The places beyond k are 0, so that loops may run over whole vectors.
static void pad_rates(TactKernel *kernel)
{
    for (int c = kernel->k; c % 4 != 0; c++) {
        kernel->dz[c] = 0;
    }
}

bool tact_kernel_column(TactKernel *kernel, TactVar driving)
{
    if (kernel->elimination && kernel->elimination->dirty &&
        !tact_elimination_factor(kernel->elimination, kernel)) {
        return false;
    }
    for (int attempt = 0; attempt < 2; attempt++) {
        tact_kernel_need_inverse(kernel);
        first_column(kernel, driving);
        pad_rates(kernel);
        compute_rates(kernel, driving);
        double drift = drift_of(kernel, driving);
        double size = tact_kernel_column_size(kernel);
        if (drift <= DRIFT_REFINE * size) {
            return true;
        }
        tact_kernel_solve(kernel, kernel->gather, kernel->dz);
        pad_rates(kernel);
        compute_rates(kernel, driving);
        if (drift_of(kernel, driving) <= DRIFT_REFACTOR * size || attempt == 1) {
            return true;
        }
        kernel->refactors++;
        if (!tact_kernel_refactor(kernel)) {
            return false;
        }
    }
    return true;
}
