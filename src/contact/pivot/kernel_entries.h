// Motions and entries of the contact LCP [Lloyd04, eqs. 19-21] without its matrix. To be inlined
// into the functions of a pivot.
#ifndef TACT_CONTACT_PIVOT_KERNEL_ENTRIES_H
#define TACT_CONTACT_PIVOT_KERNEL_ENTRIES_H

#include <string.h>

#include "contact/pivot/kernel_internal.h"
#include "contact/pivot/kernel_loops.h"

/// (1, 2) of a unit along the tangents: direction j of a phi, across direction 0 for a damper.
TACT_LOOP void tact_kernel_along(const TactKernel *kernel, TactVar variable, double *a, double *b)
{
    size_t first = (size_t)tact_var_item(variable) * TACT_MAX_DIRECTIONS;
    size_t j = first + (size_t)tact_var_direction(variable);
    bool   damper = (tact_var_kind(variable) & 3) == TACT_VAR_DAMPER;
    *a = damper ? -kernel->friction.sine[first] : kernel->friction.cosine[j];
    *b = damper ? kernel->friction.cosine[first] : kernel->friction.sine[j];
}

/// Entries from .. from + size - 1 of the next function.
TACT_LOOP bool tact_kernel_put_part(const TactKernel *kernel, TactVar variable, int from, int size,
                                    double *motion)
{
    int kind = tact_var_kind(variable) & 3;
    if (variable == TACT_VAR_Z0 || kind == TACT_VAR_LAMBDA) {
        return false;
    }
    int i = tact_var_item(variable);
    if (kind == TACT_VAR_THETA) {
        const double *n = kernel->system->columns + kernel->system->column[i] + from;
        double        scale = kernel->items.scale[i];
        int           s = 0;
        for (; s + 4 <= size; s += 4) {
            TACT_LANES_PUT(motion + s) = scale * TACT_LANES_AT(n + s);
        }
        for (; s + 2 <= size; s += 2) {
            motion[s] = scale * n[s];
            motion[s + 1] = scale * n[s + 1];
        }
        if (s < size) {
            motion[s] = scale * n[s];
        }
        return true;
    }
    const double *pair = kernel->friction.tangents +
                         (size_t)kernel->items.active[i] * 2 * kernel->friction.tangent_ld +
                         2 * (size_t)from;
    double a, b;
    tact_kernel_along(kernel, variable, &a, &b);
    TactLanes along = {a, b, a, b};
    int       s = 0;
    for (; s + 4 <= size; s += 4) {
        TactLanes low = along * TACT_LANES_AT(pair + 2 * s);
        TactLanes high = along * TACT_LANES_AT(pair + 2 * s + 4);
        TACT_LANES_PUT(motion + s) = __builtin_shufflevector(low, high, 0, 2, 4, 6) +
                                     __builtin_shufflevector(low, high, 1, 3, 5, 7);
    }
    for (; s + 2 <= size; s += 2) {
        motion[s] = a * pair[2 * s] + b * pair[2 * s + 1];
        motion[s + 1] = a * pair[2 * s + 2] + b * pair[2 * s + 3];
    }
    if (s < size) {
        motion[s] = a * pair[2 * s] + b * pair[2 * s + 1];
    }
    return true;
}

/// Motion of a variable over the support of its item, scaled. false: it has none (lambda, gamma,
/// z0), and nothing is written.
TACT_LOOP bool tact_kernel_put_motion(const TactKernel *kernel, TactVar variable, double *motion)
{
    if (variable == TACT_VAR_Z0) {
        return false;
    }
    int size = tact_kernel_group(kernel, tact_var_item(variable))->size;
    return tact_kernel_put_part(kernel, variable, 0, size, motion);
}

/// out_p = sum over the support of an item of motion_s table[s][p]: products of one motion with
/// those of all positions. (n)
TACT_LOOP void tact_kernel_products(const TactKernel *kernel, int item, const double *motion,
                                    const double *table, double *out)
{
    int                  g = kernel->system->items[item].group;
    const TactItemGroup *group = &kernel->system->groups[g];
    int                  from = kernel->space.group_from[g];
    if (from >= 0) {
        tact_loop_combine(kernel->basis.k, table + (size_t)from * kernel->basis.ld,
                          kernel->basis.ld, group->size, NULL, motion, out);
    } else {
        tact_loop_combine(kernel->basis.k, table, kernel->basis.ld, group->size,
                          kernel->space.support + group->support, motion, out);
    }
}

TACT_LOOP void tact_kernel_add_at(double *entries, int position, double value)
{
    if (position >= 0) {
        entries[position] += value;
    }
}

TACT_LOOP double tact_kernel_compliance(const TactKernel *kernel, int i)
{
    return kernel->items.scale[i] * kernel->items.scale[i] * kernel->system->items[i].compliance;
}

/// Entries of a column that are not a product of motions: 1 of lambda, mu and -1 of gamma,
/// compliance, 1 / damping; of z0 the direct part of the covering vector.
TACT_LOOP void tact_kernel_column_extras(const TactKernel *kernel, TactVar col, double *entries)
{
    if (col == TACT_VAR_Z0) {
        for (int r = 0; r < kernel->basis.k; r++) {
            entries[r] += kernel->rows.direct[kernel->basis.row_at[r]];
        }
        return;
    }
    int i = tact_var_item(col);
    switch (tact_var_kind(col)) {
    case TACT_VAR_THETA:
        tact_kernel_add_at(entries, kernel->basis.position[TACT_VAR_GAMMA][i], kernel->items.mu[i]);
        for (int m = i + 1; m <= i + tact_kernel_moments(kernel, i); m++) {
            tact_kernel_add_at(entries, kernel->basis.position[TACT_VAR_GAMMA][m],
                               kernel->items.mu[m]);
        }
        if (kernel->items.has_compliance) {
            tact_kernel_add_at(entries, kernel->basis.position[TACT_VAR_NU][i],
                               tact_kernel_compliance(kernel, i));
        }
        break;
    case TACT_VAR_PHI:
        tact_kernel_add_at(entries, kernel->basis.position[TACT_VAR_GAMMA][i], -1);
        break;
    case TACT_VAR_LAMBDA:
        for (int j = 0; j < kernel->system->items[i].directions; j++) {
            tact_kernel_add_at(
                entries, kernel->basis.position[TACT_VAR_SIGMA][i * TACT_MAX_DIRECTIONS + j], 1);
        }
        break;
    default:
        tact_kernel_add_at(entries, kernel->basis.position[TACT_VAR_DAMPER_ROW][i],
                           1 / kernel->items.damping[i]);
        break;
    }
}

/// M(row, col) of all non-basic rows, for a column.                                     (k)
TACT_LOOP void tact_kernel_put_column(const TactKernel *kernel, TactVar col, double *entries)
{
    if (col == TACT_VAR_Z0) {
        tact_loop_combine(kernel->basis.k, kernel->motions.row_motion, kernel->basis.ld,
                          kernel->space.dof, NULL, kernel->motions.cover_y, entries);
    } else if (tact_kernel_put_motion(kernel, col, kernel->scratch.motion)) {
        tact_kernel_products(kernel, tact_var_item(col), kernel->scratch.motion,
                             kernel->motions.row_motion, entries);
    } else {
        memset(entries, 0, (size_t)kernel->basis.k * sizeof(double));
    }
    tact_kernel_column_extras(kernel, col, entries);
}

TACT_LOOP void tact_kernel_row_extras(const TactKernel *kernel, TactVar row, double *entries)
{
    int i = tact_var_item(row);
    switch (tact_var_kind(row)) {
    case TACT_VAR_NU:
        if (kernel->items.has_compliance) {
            tact_kernel_add_at(entries, kernel->basis.position[TACT_VAR_THETA][i],
                               tact_kernel_compliance(kernel, i));
        }
        break;
    case TACT_VAR_SIGMA:
        tact_kernel_add_at(entries, kernel->basis.position[TACT_VAR_LAMBDA][i], 1);
        break;
    case TACT_VAR_GAMMA:
        tact_kernel_add_at(entries,
                           kernel->basis.position[TACT_VAR_THETA][tact_kernel_owner(kernel, i)],
                           kernel->items.mu[i]);
        for (int j = 0; j < kernel->system->items[i].directions; j++) {
            tact_kernel_add_at(
                entries, kernel->basis.position[TACT_VAR_PHI][i * TACT_MAX_DIRECTIONS + j], -1);
        }
        break;
    default:
        tact_kernel_add_at(entries, kernel->basis.position[TACT_VAR_DAMPER][i],
                           1 / kernel->items.damping[i]);
        break;
    }
    tact_kernel_add_at(entries, kernel->basis.z0_position,
                       kernel->rows.direct[tact_kernel_row_at(kernel, row)]);
}

/// M(row, col) of all basic unknowns, for a row.                                        (k)
TACT_LOOP void tact_kernel_put_row_entries(const TactKernel *kernel, TactVar row, double *entries)
{
    if (tact_kernel_put_motion(kernel, row, kernel->scratch.motion)) {
        tact_kernel_products(kernel, tact_var_item(row), kernel->scratch.motion,
                             kernel->motions.col_motion, entries);
    } else {
        memset(entries, 0, ((size_t)kernel->basis.k + 3) / 4 * 4 * sizeof(double));
    }
    tact_kernel_row_extras(kernel, row, entries);
}

#endif
