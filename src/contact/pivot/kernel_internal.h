// What the files of the kernel share.
#ifndef TACT_CONTACT_PIVOT_KERNEL_INTERNAL_H
#define TACT_CONTACT_PIVOT_KERNEL_INTERNAL_H

#include "contact/pivot/kernel.h"

/// Where the position of a variable is kept.
static inline int *tact_kernel_position(const TactKernel *kernel, TactVar variable)
{
    int  kind = tact_var_kind(variable);
    bool directed = kind == TACT_VAR_PHI || kind == TACT_VAR_SIGMA;
    int  i = tact_var_item(variable);
    return kernel->basis.position[kind] +
           (directed ? i * TACT_MAX_DIRECTIONS + tact_var_direction(variable) : i);
}

/// Where the friction rows of an active item start in the flat list.
static inline int tact_kernel_friction_rows(const TactKernel *kernel, int active)
{
    return kernel->rows.friction + active * kernel->rows.per_active;
}

/// How much of the flat list is in use.
static inline int tact_kernel_row_count(const TactKernel *kernel)
{
    return tact_kernel_friction_rows(kernel, kernel->friction.count);
}

/// Where a row stands in the flat list. Its item must be active, unless it is a nu.
static inline int tact_kernel_row_at(const TactKernel *kernel, TactVar row)
{
    int i = tact_var_item(row);
    switch (tact_var_kind(row)) {
    case TACT_VAR_NU: return kernel->rows.nu + i;
    case TACT_VAR_SIGMA:
        return tact_kernel_friction_rows(kernel, kernel->items.active[i]) + tact_var_direction(row);
    case TACT_VAR_GAMMA:
        return tact_kernel_friction_rows(kernel, kernel->items.active[i]) +
               kernel->friction.directions;
    default:
        return tact_kernel_friction_rows(kernel, kernel->items.active[i]) +
               kernel->friction.directions + 1;
    }
}

static inline const TactItemGroup *tact_kernel_group(const TactKernel *kernel, int item)
{
    return &kernel->system->groups[kernel->system->items[item].group];
}

/// Length of the normals of a group that are looked at: 0 where it is a motor, which has none. A
/// group by itself may be that of one body (compact.h), which reads them all.
static inline int tact_kernel_normal_size(const TactSystem *system, const TactItemGroup *group)
{
    bool motor = group->count == 1 && system->items[group->first].kind == TACT_ITEM_MOTOR;
    return motor && system->group_count > 1 ? 0 : group->size;
}

/// The items that are bounded by the theta of item i are i + 1 .. i + this.
static inline int tact_kernel_moments(const TactKernel *kernel, int i)
{
    return kernel->items.has_moments ? kernel->system->items[i].moments : 0;
}

/// The item whose theta bounds the friction of item i.
static inline int tact_kernel_owner(const TactKernel *kernel, int i)
{
    const TactItem *item = &kernel->system->items[i];
    return item->kind == TACT_ITEM_MOMENT ? item->owner : i;
}

static inline double tact_kernel_z0(const TactKernel *kernel)
{
    return kernel->basis.z0_position >= 0 ? kernel->basis.z[kernel->basis.z0_position] : 0;
}

/// Rate of z0 along the driving variable.
static inline double tact_kernel_z0_rate(const TactKernel *kernel, TactVar driving)
{
    return driving == TACT_VAR_Z0           ? 1
           : kernel->basis.z0_position >= 0 ? kernel->basis.dz[kernel->basis.z0_position]
                                            : 0;
}

// kernel_load.c

/// The runs of the support of group g, after those of the groups before.
void tact_kernel_list_runs(TactKernel *kernel, int g, const int *support, int size);

// kernel.c: basis
void tact_kernel_put_col(TactKernel *kernel, int position, TactVar variable);
void tact_kernel_put_row(TactKernel *kernel, int position, TactVar variable);
void tact_kernel_forget_col(TactKernel *kernel, TactVar variable);
void tact_kernel_forget_row(TactKernel *kernel, TactVar variable);
bool tact_kernel_refactor(TactKernel *kernel);

/// These unknowns, and dampers, against their own rows; no factor yet. false: there is no room.
bool tact_kernel_put_basis(TactKernel *kernel, const TactVar *basic, int count);

/// Values of the positions beyond k are 0, so that loops may run over whole vectors.
void tact_kernel_pad_positions(TactKernel *kernel);

/// Friction of an item, without that of its moments.
void tact_kernel_add_item_friction(TactKernel *kernel, int i);

/// Motions of all rows and basic unknowns by degree of freedom, where they are not kept up yet.
void tact_kernel_need_tables(TactKernel *kernel);

/// The inverse, before the first exchange. false: K is singular.
bool tact_kernel_need_inverse(TactKernel *kernel);

// kernel_principal.c: K of a basis that is set

/// LU of what is left after elimination. No factor: a contact with lambda has no phi.
TactKernelFactorKind tact_principal_factor(TactKernel *kernel);

/// z -= K^-1 f. dz is scratch, and 0 afterwards.
void tact_principal_solve(TactKernel *kernel, const double *f, double *z);

/// x -= K^-1 f by the inverse, its factor, or by elimination.       f: by position in row; x: by
/// position in col
void tact_kernel_solve(TactKernel *kernel, const double *f, double *x);

// kernel_column.c: columns and rows of the LCP as motions

/// (n, 1, 2) of a unit of a variable, scaled; false: it has none (lambda, gamma, z0).
bool tact_kernel_direction(const TactKernel *kernel, TactVar variable, double p[3]);

/// Motion of a variable over the support of its item. false: it has none, and nothing is written.
bool tact_kernel_motion(const TactKernel *kernel, TactVar variable, double *motion);

/// c at a row: its direct part and what the motion of the covering vector gives.
double tact_kernel_cover(const TactKernel *kernel, TactVar row);

/// M(row, col) of all non-basic rows, for a column.                                     (k)
void tact_kernel_column_entries(TactKernel *kernel, TactVar col, double *entries);

/// M(row, col) of all basic unknowns, for a row.                                        (k)
void tact_kernel_row_entries(TactKernel *kernel, TactVar row, double *entries);

/// All values from the values z of the basic unknowns.
void tact_kernel_compute_values(TactKernel *kernel);

/// Computes dz and the rates of all rows along a driving variable, refined or with a new factor if
/// the inverse has drifted. false: K has become singular.
bool tact_kernel_column(TactKernel *kernel, TactVar driving);

/// Tangential velocities of a new active item from the present motion.
void tact_kernel_make_active(TactKernel *kernel, int active);

#endif
