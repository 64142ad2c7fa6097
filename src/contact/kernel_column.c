// Columns and rows of the contact LCP as motions: [Lloyd04, eqs. 19-21] without the matrix.
#include <math.h>
#include <string.h>

#include "base/clones.h"
#include "contact/elimination.h"
#include "contact/kernel_internal.h"

// Drift of a column, relative to its size: refined above the first, factored anew above the second.
static const double DRIFT_REFINE = 1e-13;
static const double DRIFT_REFACTOR = 1e-12;

// ---------------------------------------------------------------------------------------------
// Motions

bool tact_kernel_direction(const TactKernel *kernel, TactVar variable, double p[3])
{
    int    i = tact_var_item(variable);
    double s = kernel->scale[i];
    size_t first = tact_kernel_directions(i);
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
    const TactSystem *system = kernel->system;
    double            p[3];
    if (variable == TACT_VAR_Z0 || !tact_kernel_direction(kernel, variable, p)) {
        return false;
    }
    int           i = tact_var_item(variable);
    int           size = system->groups[system->items[i].group].size;
    const double *n = system->columns + system->column[i];
    if (p[0] != 0) {
        for (int s = 0; s < size; s++) {
            motion[s] = p[0] * n[s];
        }
        return true;
    }
    const double *t1 = n + size;
    const double *t2 = t1 + size;
    for (int s = 0; s < size; s++) {
        motion[s] = p[1] * t1[s] + p[2] * t2[s];
    }
    return true;
}

/// y += factor * motion over the support of an item
static inline void scatter(const TactKernel *kernel, int item, double factor, const double *motion,
                           double *y)
{
    const TactItemGroup *group = &kernel->system->groups[kernel->system->items[item].group];
    if (group->size == kernel->system->dof) {
        for (int s = 0; s < group->size; s++) {
            y[s] += factor * motion[s];
        }
        return;
    }
    const int *support = kernel->system->support + group->support;
    for (int s = 0; s < group->size; s++) {
        y[support[s]] += factor * motion[s];
    }
}

static inline double gather_dot(const TactKernel *kernel, int item, const double *motion,
                                const double *y)
{
    const TactItemGroup *group = &kernel->system->groups[kernel->system->items[item].group];
    double               sum = 0;
    if (group->size == kernel->system->dof) {
        for (int s = 0; s < group->size; s++) {
            sum += motion[s] * y[s];
        }
        return sum;
    }
    const int *support = kernel->system->support + group->support;
    for (int s = 0; s < group->size; s++) {
        sum += motion[s] * y[support[s]];
    }
    return sum;
}

// ---------------------------------------------------------------------------------------------
// Entries

/// Entries that are not a product of motions: mu, -1 and 1 of the cone, compliance, 1 / damping.
static double extra_entry(const TactKernel *kernel, TactVar row, TactVar col)
{
    int i = tact_var_item(row);
    int r = tact_var_kind(row);
    int c = tact_var_kind(col);
    switch (r) {
    case TACT_VAR_NU:
        return c == TACT_VAR_THETA
                   ? kernel->system->items[i].compliance * kernel->scale[i] * kernel->scale[i]
                   : 0;
    case TACT_VAR_SIGMA: return c == TACT_VAR_LAMBDA ? 1 : 0;
    case TACT_VAR_GAMMA: return c == TACT_VAR_THETA ? kernel->mu[i] : c == TACT_VAR_PHI ? -1 : 0;
    default: return c == TACT_VAR_DAMPER ? 1 / kernel->damping[i] : 0;
    }
}

double tact_kernel_cover(const TactKernel *kernel, TactVar row)
{
    int    i = tact_var_item(row);
    size_t first = tact_kernel_directions(i);
    size_t j = first + (size_t)tact_var_direction(row);
    switch (tact_var_kind(row)) {
    case TACT_VAR_NU: return kernel->cover_nu[i] + kernel->cover.n[i];
    case TACT_VAR_SIGMA:
        return (kernel->cosine[j] * kernel->cover.t1[i] + kernel->sine[j] * kernel->cover.t2[i]) +
               (kernel->cover.lambda[i] + kernel->cover_sigma[j]);
    case TACT_VAR_GAMMA: return kernel->cover_gamma[i] + kernel->cover.gamma[i];
    default:
        return kernel->cosine[first] * kernel->cover.t2[i] -
               kernel->sine[first] * kernel->cover.t1[i];
    }
}

/// Puts the motion of a variable into y, all degrees of freedom. false: it has none.
static bool put_motion(TactKernel *kernel, TactVar variable)
{
    double *motion = kernel->change;
    if (!tact_kernel_motion(kernel, variable, motion)) {
        return false;
    }
    memset(kernel->y, 0, (size_t)kernel->system->dof * sizeof(double));
    scatter(kernel, tact_var_item(variable), 1, motion, kernel->y);
    return true;
}

static bool has_motion(TactVar variable)
{
    return variable != TACT_VAR_Z0 && (tact_var_kind(variable) & 3) != TACT_VAR_LAMBDA;
}

void tact_kernel_column_entries(TactKernel *kernel, TactVar col, double *entries)
{
    if (col == TACT_VAR_Z0) {
        for (int r = 0; r < kernel->k; r++) {
            entries[r] = tact_kernel_cover(kernel, kernel->row[r]);
        }
        return;
    }
    bool moves = put_motion(kernel, col);
    for (int r = 0; r < kernel->k; r++) {
        TactVar row = kernel->row[r];
        int     i = tact_var_item(row);
        double  sum = i == tact_var_item(col) ? extra_entry(kernel, row, col) : 0;
        if (moves && has_motion(row)) {
            sum += gather_dot(kernel, i, kernel->row_motion + (size_t)r * kernel->motion_ld,
                              kernel->y);
        }
        entries[r] = sum;
    }
}

void tact_kernel_row_entries(TactKernel *kernel, TactVar row, double *entries)
{
    bool moves = put_motion(kernel, row);
    for (int c = 0; c < kernel->k; c++) {
        TactVar col = kernel->col[c];
        if (col == TACT_VAR_Z0) {
            entries[c] = tact_kernel_cover(kernel, row);
            continue;
        }
        int    i = tact_var_item(col);
        double sum = i == tact_var_item(row) ? extra_entry(kernel, row, col) : 0;
        if (moves && has_motion(col)) {
            sum += gather_dot(kernel, i, kernel->col_motion + (size_t)c * kernel->motion_ld,
                              kernel->y);
        }
        entries[c] = sum;
    }
}

// ---------------------------------------------------------------------------------------------
// From amounts of the unknowns to all rows

/// What an amount of an unknown adds besides its motion.
static void add_amount(const TactKernel *kernel, TactVar variable, double amount,
                       TactRowValues *out)
{
    int i = tact_var_item(variable);
    switch (tact_var_kind(variable)) {
    case TACT_VAR_THETA: out->gamma[i] += kernel->mu[i] * amount; break;
    case TACT_VAR_PHI: out->gamma[i] -= amount; break;
    case TACT_VAR_LAMBDA: out->lambda[i] = amount; break;
    default: break;
    }
}

/// u <- scale u + offset, over all three components
TACT_CLONES static void scale_rows(int stride, const double *restrict scale,
                                   const double *restrict offset, double *restrict u)
{
    for (int c = 0; c < 3; c++) {
        for (int i = 0; i < stride; i++) {
            u[i] = scale[i] * u[i] + (offset ? offset[i] : 0);
        }
        u += stride;
        offset = offset ? offset + stride : NULL;
    }
}

static void add_compliance(const TactKernel *kernel, TactVar variable, double amount,
                           TactRowValues *out)
{
    if (variable >= 0 && tact_var_kind(variable) == TACT_VAR_THETA) {
        int    i = tact_var_item(variable);
        double s = kernel->scale[i];
        out->n[i] += s * s * kernel->system->items[i].compliance * amount;
    }
}

void tact_kernel_rows(TactKernel *kernel, const double *z, TactVar driving, bool with_offset,
                      TactRowValues *out)
{
    const TactSystem *system = kernel->system;
    for (int f = 0; f < kernel->friction_count; f++) {
        int i = kernel->with_friction[f];
        out->lambda[i] = 0;
        out->gamma[i] = with_offset ? kernel->bound[i] : 0;
    }
    double *y = kernel->y;
    memset(y, 0, (size_t)system->dof * sizeof(double));
    if (driving >= 0) {
        double *motion = kernel->change;
        if (tact_kernel_motion(kernel, driving, motion)) {
            scatter(kernel, tact_var_item(driving), 1, motion, y);
        }
        add_amount(kernel, driving, 1, out);
    }
    for (int c = 0; c < kernel->k; c++) {
        TactVar variable = kernel->col[c];
        if (variable == TACT_VAR_Z0) {
            continue;
        }
        add_amount(kernel, variable, z[c], out);
        if (has_motion(variable)) {
            scatter(kernel, tact_var_item(variable), z[c],
                    kernel->col_motion + (size_t)c * kernel->motion_ld, y);
        }
    }
    tact_system_sweep(system, y, out->n);
    scale_rows(system->stride, kernel->scale, with_offset ? kernel->offset : NULL, out->n);
    if (kernel->has_compliance) {
        add_compliance(kernel, driving, 1, out);
        for (int c = 0; c < kernel->k; c++) {
            add_compliance(kernel, kernel->col[c], z[c], out);
        }
    }
}

double tact_kernel_row_value(const TactKernel *kernel, const TactRowValues *values, const double *z,
                             double z0, TactVar row)
{
    int    i = tact_var_item(row);
    size_t first = tact_kernel_directions(i);
    size_t j = first + (size_t)tact_var_direction(row);
    double cover = z0 != 0 ? z0 * tact_kernel_cover(kernel, row) : 0;
    switch (tact_var_kind(row)) {
    case TACT_VAR_NU: return values->n[i] + cover;
    case TACT_VAR_SIGMA:
        return (kernel->cosine[j] * values->t1[i] + kernel->sine[j] * values->t2[i]) +
               (values->lambda[i] + cover);
    case TACT_VAR_GAMMA: return values->gamma[i] + cover;
    default:
        return (kernel->cosine[first] * values->t2[i] - kernel->sine[first] * values->t1[i]) +
               (z[kernel->place[TACT_VAR_DAMPER][i]] / kernel->damping[i] + cover);
    }
}

void tact_kernel_gather(TactKernel *kernel, const TactRowValues *values, const double *z, double z0)
{
    for (int r = 0; r < kernel->k; r++) {
        kernel->gather[r] = tact_kernel_row_value(kernel, values, z, z0, kernel->row[r]);
    }
}

// ---------------------------------------------------------------------------------------------
// Column of a driving variable

static bool is_row(TactVar variable)
{
    return variable >= 0 && (tact_var_kind(variable) & 4) != 0;
}

/// gather <- what the rows are off by; returns the largest.
static double drift_of(TactKernel *kernel, TactVar driving)
{
    tact_kernel_gather(kernel, &kernel->rate, kernel->dz, tact_kernel_z0_rate(kernel, driving));
    if (is_row(driving)) {
        kernel->gather[*tact_kernel_place(kernel, driving)] -= 1;
    }
    double drift = 0;
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

bool tact_kernel_column(TactKernel *kernel, TactVar driving)
{
    TactVar moving = is_row(driving) ? TACT_VAR_NONE : driving;
    if (kernel->elimination && kernel->elimination->dirty &&
        !tact_elimination_factor(kernel->elimination, kernel)) {
        return false;
    }
    for (int attempt = 0; attempt < 2; attempt++) {
        first_column(kernel, driving);
        tact_kernel_rows(kernel, kernel->dz, moving, false, &kernel->rate);
        double drift = drift_of(kernel, driving);
        double size = tact_kernel_column_size(kernel);
        if (drift <= DRIFT_REFINE * size) {
            return true;
        }
        tact_kernel_solve(kernel, kernel->gather, kernel->dz);
        tact_kernel_rows(kernel, kernel->dz, moving, false, &kernel->rate);
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
