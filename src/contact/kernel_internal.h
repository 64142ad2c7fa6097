// What the files of the kernel share.
#ifndef TACT_CONTACT_KERNEL_INTERNAL_H
#define TACT_CONTACT_KERNEL_INTERNAL_H

#include "contact/kernel.h"

/// Where the place of a variable is kept.
static inline int *tact_kernel_place(const TactKernel *kernel, TactVar variable)
{
    int  kind = tact_var_kind(variable);
    bool directed = kind == TACT_VAR_PHI || kind == TACT_VAR_SIGMA;
    int  i = tact_var_item(variable);
    return kernel->place[kind] +
           (directed ? i * TACT_MAX_DIRECTIONS + tact_var_direction(variable) : i);
}

static inline double tact_kernel_z0(const TactKernel *kernel)
{
    return kernel->z0_place >= 0 ? kernel->z[kernel->z0_place] : 0;
}

void   tact_kernel_put_col(TactKernel *kernel, int place, TactVar variable);
void   tact_kernel_put_row(TactKernel *kernel, int place, TactVar variable);
void   tact_kernel_row_entries(TactKernel *kernel, TactVar row, double *entries);
double tact_kernel_cover(const TactKernel *kernel, TactVar row);
void   tact_kernel_rows(TactKernel *kernel, const double *z, TactVar driving, bool with_offset,
                        TactRowValues *out);
void   tact_kernel_scale_rows(const TactKernel *kernel, bool with_offset, TactRowValues *out);
double tact_kernel_row_value(const TactKernel *kernel, const TactRowValues *values, double z0,
                             TactVar row);
bool   tact_kernel_refactor(TactKernel *kernel);
double tact_kernel_column_size(const TactKernel *kernel);

/// Rate of z0 along the driving variable.
double tact_kernel_z0_rate(const TactKernel *kernel, TactVar driving);

/// Computes dz and the rates of all rows along a driving variable, refined or with a new factor if
/// the inverse has drifted. false: K has become singular.
bool tact_kernel_column(TactKernel *kernel, TactVar driving);

/// Exchanges driving and leaving variable after a step.
void tact_kernel_exchange(TactKernel *kernel, TactVar driving, TactVar leaving, double step);

/// Like tact_kernel_row_value, and delta / c on top for the row of a damper.
static inline double tact_kernel_damped_value(const TactKernel *kernel, const TactRowValues *values,
                                              const double *z, double z0, TactVar row)
{
    double value = tact_kernel_row_value(kernel, values, z0, row);
    if (tact_var_kind(row) == TACT_VAR_DAMPER_ROW) {
        int i = tact_var_item(row);
        value += z[kernel->place[TACT_VAR_DAMPER][i]] / kernel->damping[i];
    }
    return value;
}

#endif
