// Dependent columns by Gram-Schmidt with pivoting:  B P = Q [R11 R12],  null vectors
// (-R11^-1 R12_j, e_j).
#include <math.h>
#include <string.h>

#include "contact/certificate/diagnose.h"
#include "linalg/rank.h"
#include "linalg/vector.h"

// A share in a dependence below this is rounding.
static const double SHARE_TOL = 1e-7;

void tact_dependence_layout(TactDependence *dependence, int rows, int count, TactArena *arena)
{
    int            most = rows < count ? rows : count;
    TactDependence sized = {.rows = rows, .count = count, .most = most};
    size_t         n = (size_t)count;
    sized.columns = tact_arena_take(arena, n, (size_t)rows * sizeof(double));
    sized.basis = tact_arena_take(arena, (size_t)most, (size_t)rows * sizeof(double));
    sized.R = tact_arena_take(arena, n, (size_t)most * sizeof(double));
    sized.left = tact_arena_take(arena, n, sizeof(double));
    sized.order = tact_arena_take(arena, n, sizeof(int));
    sized.group = tact_arena_take(arena, n, sizeof(int));
    sized.owner = tact_arena_take(arena, n, sizeof(int));
    sized.dependent = tact_arena_take(arena, n, sizeof(bool));
    if (arena->block) {
        *dependence = sized;
    }
}

static double *unit_column_of(const TactDependence *dependence, int k)
{
    return dependence->columns + (size_t)k * (size_t)dependence->rows;
}

/// Takes the part along a basis vector out of a column.
static double take_out(const TactDependence *dependence, int r, double *x)
{
    const double *q = dependence->basis + (size_t)r * (size_t)dependence->rows;
    double        part = tact_vec_dot(dependence->rows, q, x);
    tact_vec_axpy(dependence->rows, -part, q, x);
    return part;
}

/// Moves the column with the most left to place `rank`; false if that is rounding.
static bool choose_pivot(TactDependence *dependence, int rank)
{
    int best = rank;
    for (int k = rank + 1; k < dependence->count; k++) {
        if (dependence->left[dependence->order[k]] > dependence->left[dependence->order[best]]) {
            best = k;
        }
    }
    int pivot = dependence->order[best];
    dependence->order[best] = dependence->order[rank];
    dependence->order[rank] = pivot;
    return dependence->left[pivot] > TACT_RANK_OF_SHARING * TACT_RANK_OF_SHARING;
}

static void factor_dependence(TactDependence *dependence)
{
    int rows = dependence->rows;
    int rank = 0;
    for (int k = 0; k < dependence->count; k++) {
        const double *x = unit_column_of(dependence, k);
        dependence->order[k] = k;
        dependence->left[k] = tact_vec_dot(rows, x, x);
    }
    memset(dependence->R, 0, (size_t)dependence->count * (size_t)dependence->most * sizeof(double));
    for (; rank < dependence->most && choose_pivot(dependence, rank); rank++) {
        int     pivot = dependence->order[rank];
        double *R = dependence->R + (size_t)pivot * (size_t)dependence->most;
        double *x = unit_column_of(dependence, pivot);
        double *q = dependence->basis + (size_t)rank * (size_t)rows;
        for (int r = 0; r < rank; r++) { // once more: what rounding left of it
            R[r] += take_out(dependence, r, x);
        }
        double length = sqrt(tact_vec_dot(rows, x, x));
        R[rank] = length;
        memcpy(q, x, (size_t)rows * sizeof(double));
        tact_vec_scale(rows, 1 / length, q);
        for (int k = rank + 1; k < dependence->count; k++) {
            int     other = dependence->order[k];
            double *y = unit_column_of(dependence, other);
            dependence->R[(size_t)other * (size_t)dependence->most + (size_t)rank] =
                take_out(dependence, rank, y);
            dependence->left[other] = tact_vec_dot(rows, y, y);
        }
    }
    dependence->rank = rank;
}

/// Groups are trees whose root is their smallest column; a root is its own parent.
static int root_of(int *group, int k)
{
    while (group[k] != k) {
        group[k] = group[group[k]];
        k = group[k];
    }
    return k;
}

static void join_groups(int *group, int a, int b)
{
    a = root_of(group, a);
    b = root_of(group, b);
    if (a < b) {
        group[b] = a;
    } else {
        group[a] = b;
    }
}

/// Column k, which is no pivot, as a sum of pivots: R11 x = R12_k, from the last row up and in the
/// place of R12_k. Joins it with those that have a share in it.
static void join_circuit(TactDependence *dependence, int k)
{
    size_t  most = (size_t)dependence->most;
    double *x = dependence->R + (size_t)k * most;
    double  largest = 1;
    for (int r = dependence->rank - 1; r >= 0; r--) {
        const double *R = dependence->R + (size_t)dependence->order[r] * most;
        x[r] /= R[r];
        tact_vec_axpy(r, -x[r], R, x);
        largest = fmax(largest, fabs(x[r]));
    }
    dependence->dependent[k] = true;
    for (int r = 0; r < dependence->rank; r++) {
        if (fabs(x[r]) > SHARE_TOL * largest) {
            dependence->dependent[dependence->order[r]] = true;
            join_groups(dependence->group, k, dependence->order[r]);
        }
    }
}

void tact_dependence_find(TactDependence *dependence)
{
    int count = dependence->count;
    factor_dependence(dependence);
    for (int k = 0; k < count; k++) {
        dependence->group[k] = k;
        dependence->dependent[k] = false;
    }
    for (int k = dependence->rank; k < count; k++) {
        join_circuit(dependence, dependence->order[k]);
    }
    // Columns of one owner are neighbours.
    int last = -1;
    for (int k = 0; k < count; k++) {
        if (dependence->dependent[k]) {
            if (last >= 0 && dependence->owner[last] == dependence->owner[k]) {
                join_groups(dependence->group, last, k);
            }
            last = k;
        }
    }
    for (int k = 0; k < count; k++) {
        int root = root_of(dependence->group, k);
        dependence->group[k] = dependence->dependent[k] ? root : -1;
    }
}
