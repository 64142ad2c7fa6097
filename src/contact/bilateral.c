#include "contact/bilateral.h"

#include <math.h>
#include <string.h>

#include "linalg/vector.h"

// A row whose part outside of the others' span is smaller, relative to itself, is redundant.
static const double REDUNDANT_TOL = 1e-10;

void tact_bilateral_layout(TactBilateral *bilateral, int dof, int rows, TactArena *arena)
{
    TactBilateral sized = {0};
    sized.rows = tact_arena_take(arena, (size_t)rows * (size_t)dof, sizeof(double));
    sized.beta = tact_arena_take(arena, (size_t)rows, sizeof(double));
    sized.diag = tact_arena_take(arena, 2 * (size_t)rows, sizeof(double));
    sized.order = tact_arena_take(arena, (size_t)rows, sizeof(int));
    sized.fixed = tact_arena_take(arena, (size_t)rows, sizeof(double));
    if (arena->block) {
        *bilateral = sized;
    }
}

static double *row_of(const TactBilateral *bilateral, int place)
{
    return bilateral->rows + (size_t)bilateral->order[place] * (size_t)bilateral->dof;
}

/// x[first..dof) <- H x with the reflector of a pivot, H = 1 - beta h h'.
static void reflect(const TactBilateral *bilateral, int place, double *x)
{
    int           first = place;
    int           size = bilateral->dof - first;
    const double *h = row_of(bilateral, place) + first;
    // h_0 is kept apart in the place of R's diagonal: it is 1 by scaling.
    double f = x[first] + tact_vec_dot(size - 1, h + 1, x + first + 1);
    f *= bilateral->beta[place];
    x[first] -= f;
    tact_vec_axpy(size - 1, -f, h + 1, x + first + 1);
}

/// Makes row `place` a reflector that maps it to (R entries, diag, 0, ...).
static void make_reflector(TactBilateral *bilateral, int place)
{
    double *x = row_of(bilateral, place) + place;
    int     size = bilateral->dof - place;
    double  tail = tact_vec_dot(size - 1, x + 1, x + 1);
    double  norm = sqrt(x[0] * x[0] + tail);
    double  diag = x[0] > 0 ? -norm : norm;
    double  h0 = x[0] - diag;
    bilateral->beta[place] = h0 != 0 ? h0 * h0 * 2 / (h0 * h0 + tail) : 0;
    for (int i = 1; i < size && h0 != 0; i++) {
        x[i] /= h0;
    }
    bilateral->diag[place] = diag;
}

void tact_bilateral_factor(TactBilateral *bilateral)
{
    int     dof = bilateral->dof;
    int     count = bilateral->count;
    double *length = bilateral->diag + count; // of the rows as they were given
    for (int k = 0; k < count; k++) {
        bilateral->order[k] = k;
        const double *row = bilateral->rows + (size_t)k * (size_t)dof;
        length[k] = sqrt(tact_vec_dot(dof, row, row));
    }
    int rank = 0;
    while (rank < count && rank < dof) {
        int    best = -1;
        double best_part = REDUNDANT_TOL;
        for (int k = rank; k < count; k++) {
            const double *rest = row_of(bilateral, k) + rank;
            double        left = sqrt(tact_vec_dot(dof - rank, rest, rest));
            double        part = left / fmax(length[bilateral->order[k]], 1e-300);
            if (part > best_part) {
                best = k;
                best_part = part;
            }
        }
        if (best < 0) {
            break;
        }
        int swap = bilateral->order[best];
        bilateral->order[best] = bilateral->order[rank];
        bilateral->order[rank] = swap;
        make_reflector(bilateral, rank);
        for (int k = rank + 1; k < count; k++) {
            reflect(bilateral, rank, row_of(bilateral, k));
        }
        rank++;
    }
    bilateral->rank = rank;
}

void tact_bilateral_fix(TactBilateral *bilateral, const double *target)
{
    // Row k of R' is what stands before the diagonal in the row of pivot k.
    for (int k = 0; k < bilateral->rank; k++) {
        const double *row = row_of(bilateral, k);
        double        sum = target[bilateral->order[k]];
        for (int i = 0; i < k; i++) {
            sum -= row[i] * bilateral->fixed[i];
        }
        bilateral->fixed[k] = sum / bilateral->diag[k];
    }
}

void tact_bilateral_rotate(const TactBilateral *bilateral, double *x)
{
    for (int k = 0; k < bilateral->rank; k++) {
        reflect(bilateral, k, x);
    }
}

void tact_bilateral_rotate_back(const TactBilateral *bilateral, double *x)
{
    for (int k = bilateral->rank - 1; k >= 0; k--) {
        reflect(bilateral, k, x);
    }
}

void tact_bilateral_impulse(const TactBilateral *bilateral, double *change, double *impulse)
{
    memset(impulse, 0, (size_t)bilateral->count * sizeof(double));
    for (int k = bilateral->rank - 1; k >= 0; k--) {
        const double *row = row_of(bilateral, k);
        double        value = change[k] / bilateral->diag[k];
        impulse[bilateral->order[k]] = value;
        for (int i = 0; i < k; i++) {
            change[i] -= row[i] * value;
        }
    }
}
