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

/// First entry of an item in arrays over items and directions.
static inline size_t tact_kernel_directions(int item)
{
    return (size_t)item * TACT_MAX_DIRECTIONS;
}

static inline double tact_kernel_z0(const TactKernel *kernel)
{
    return kernel->z0_place >= 0 ? kernel->z[kernel->z0_place] : 0;
}

/// Rate of z0 along the driving variable.
static inline double tact_kernel_z0_rate(const TactKernel *kernel, TactVar driving)
{
    return driving == TACT_VAR_Z0 ? 1 : kernel->z0_place >= 0 ? kernel->dz[kernel->z0_place] : 0;
}

// kernel.c: basis
void tact_kernel_put_col(TactKernel *kernel, int place, TactVar variable);
void tact_kernel_put_row(TactKernel *kernel, int place, TactVar variable);
void tact_kernel_forget_col(TactKernel *kernel, TactVar variable);
void tact_kernel_forget_row(TactKernel *kernel, TactVar variable);
bool tact_kernel_refactor(TactKernel *kernel);

/// x -= K^-1 f by the inverse, or by elimination.       f: by place in row; x: by place in col
void tact_kernel_solve(TactKernel *kernel, const double *f, double *x);

// kernel_column.c: columns and rows of the LCP as motions

/// Motion of a variable over the support of its item; false: it has none (lambda, gamma, z0), and
/// zeros are written.
bool tact_kernel_motion(const TactKernel *kernel, TactVar variable, double *motion);

/// (n, 1, 2) of a unit of a variable, scaled; false: it has none.
bool tact_kernel_direction(const TactKernel *kernel, TactVar variable, double p[3]);

/// M(row, col) of all non-basic rows, for a column.                                     (k)
void tact_kernel_column_entries(TactKernel *kernel, TactVar col, double *entries);

/// M(row, col) of all basic unknowns, for a row.                                        (k)
void tact_kernel_row_entries(TactKernel *kernel, TactVar row, double *entries);

/// c at a row.
double tact_kernel_cover(const TactKernel *kernel, TactVar row);

/// All rows for the amounts z of the basic unknowns and 1 of `driving` (an unknown, or NONE),
/// without z0; with_offset: and of the right-hand side.
void tact_kernel_rows(TactKernel *kernel, const double *z, TactVar driving, bool with_offset,
                      TactRowValues *out);

/// Value of one row, z0 included; for the row of a damper delta / c is on top, from z by place.
double tact_kernel_row_value(const TactKernel *kernel, const TactRowValues *values, const double *z,
                             double z0, TactVar row);

/// gather <- values of the rows that should be 0.
void tact_kernel_gather(TactKernel *kernel, const TactRowValues *values, const double *z,
                        double z0);

/// max(1, |dz_c|): what errors of the column are relative to.
double tact_kernel_column_size(const TactKernel *kernel);

/// Computes dz and the rates of all rows along a driving variable, refined or with a new factor if
/// the inverse has drifted. false: K has become singular.
bool tact_kernel_column(TactKernel *kernel, TactVar driving);

#endif
