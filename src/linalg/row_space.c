#include "linalg/row_space.h"

#include <math.h>
#include <string.h>

#include "base/larger.h"
#include "linalg/cholesky.h"
#include "linalg/vector.h"

void tact_row_space_layout(TactRowSpace *space, int count, int width, TactArena *arena)
{
    size_t       n = (size_t)count;
    TactRowSpace lent = {
        .count = count,
        .width = width,
        .rows = tact_arena_take(arena, n * (size_t)width, sizeof(double)),
        .R = tact_arena_take(arena, n * n, sizeof(double)),
        .length = tact_arena_take(arena, n, sizeof(double)),
        .Z = tact_arena_take(arena, n * n, sizeof(double)),
        .G = tact_arena_take(arena, n * n, sizeof(double)),
        .t = tact_arena_take(arena, n, sizeof(double)),
        .order = tact_arena_take(arena, n, sizeof(int)),
    };
    if (arena->block) {
        *space = lent;
    }
}

static double *row_at(const TactRowSpace *space, int place)
{
    return space->rows + (size_t)space->order[place] * (size_t)space->width;
}

static double *factor_at(const TactRowSpace *space, int place)
{
    return space->R + (size_t)space->order[place] * (size_t)space->count;
}

/// Columns have a largest entry of 1: what they are measured in does not matter.
static void scale_columns(const TactRowSpace *space)
{
    for (int i = 0; i < space->width; i++) {
        double most = 0, *column = space->rows + i;
        for (int k = 0; k < space->count; k++) {
            most = tact_larger(most, fabs(column[(size_t)k * (size_t)space->width]));
        }
        for (int k = 0; k < space->count && most > 0; k++) {
            column[(size_t)k * (size_t)space->width] /= most;
        }
    }
}

/// Takes what is along a basis vector out of the row at a place.
static void take_vector_out(const TactRowSpace *space, int vector, int place)
{
    const double *b = row_at(space, vector);
    double       *x = row_at(space, place), along = tact_vec_dot(space->width, b, x);
    for (int i = 0; i < space->width; i++) {
        x[i] -= along * b[i];
    }
    factor_at(space, place)[vector] += along;
}

/// The row of which most is left goes to the next place; false: no more than tol is left of any.
static bool choose_pivot(TactRowSpace *space, double tol)
{
    int    best = -1;
    double most = tol;
    for (int k = space->rank; k < space->count; k++) {
        const double *x = row_at(space, k);
        double        length = space->length[space->order[k]];
        double        left = length > 0 ? sqrt(tact_vec_dot(space->width, x, x)) / length : 0;
        best = left > most ? k : best;
        most = tact_larger(most, left);
    }
    if (best >= 0) {
        int swap = space->order[best];
        space->order[best] = space->order[space->rank];
        space->order[space->rank] = swap;
    }
    return best >= 0;
}

/// (1): the coefficients of a dependent row, from the triangle of the pivots.
static void find_coefficients(const TactRowSpace *space, int place)
{
    double *z = space->Z + (size_t)(place - space->rank) * (size_t)space->count;
    double *y = space->t;
    memset(z, 0, (size_t)space->count * sizeof *z);
    for (int k = space->rank - 1; k >= 0; k--) {
        y[k] = factor_at(space, place)[k];
        for (int j = k + 1; j < space->rank; j++) {
            y[k] -= y[j] * factor_at(space, j)[k];
        }
        y[k] /= factor_at(space, k)[k];
        z[space->order[k]] = -y[k];
    }
    z[space->order[place]] = 1;
}

static void factor_dependence(const TactRowSpace *space)
{
    int left = space->count - space->rank, n = space->count;
    for (int a = 0; a < left; a++) {
        find_coefficients(space, space->rank + a);
        for (int b = 0; b <= a; b++) {
            double sum =
                tact_vec_dot(n, space->Z + (size_t)a * (size_t)n, space->Z + (size_t)b * (size_t)n);
            space->G[a * left + b] = space->G[b * left + a] = sum;
        }
    }
    tact_cholesky_factor_small(left, space->G, left, 0);
}

int tact_row_space_factor(TactRowSpace *space, double tol)
{
    scale_columns(space);
    memset(space->R, 0, (size_t)(space->count * space->count) * sizeof(double));
    for (int k = 0; k < space->count; k++) {
        space->order[k] = k;
        const double *x = row_at(space, k);
        space->length[k] = sqrt(tact_vec_dot(space->width, x, x));
    }
    space->rank = 0;
    while (space->rank < space->count && choose_pivot(space, tol)) {
        int pivot = space->rank;
        for (int k = 0; k < pivot; k++) { // what rounding has left of earlier ones
            take_vector_out(space, k, pivot);
        }
        double *x = row_at(space, pivot), norm = sqrt(tact_vec_dot(space->width, x, x));
        tact_vec_scale(space->width, 1 / norm, x);
        factor_at(space, pivot)[pivot] = norm;
        space->rank++;
        for (int k = space->rank; k < space->count; k++) {
            take_vector_out(space, pivot, k);
        }
    }
    factor_dependence(space);
    return space->count - space->rank;
}

void tact_row_space_project(const TactRowSpace *space, double *x)
{
    int left = space->count - space->rank, n = space->count;
    for (int again = 0; again < 2 && left > 0; again++) { // the second time takes out rounding
        for (int a = 0; a < left; a++) {
            space->t[a] = tact_vec_dot(n, space->Z + (size_t)a * (size_t)n, x);
        }
        tact_cholesky_solve(left, space->G, left, space->t, space->t);
        for (int a = 0; a < left; a++) {
            const double *z = space->Z + (size_t)a * (size_t)n;
            for (int k = 0; k < n; k++) {
                x[k] -= space->t[a] * z[k];
            }
        }
    }
}
