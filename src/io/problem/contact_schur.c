#include "io/problem/contact_schur.h"

#include <math.h>
#include <string.h>

#include "base/log.h"
#include "base/memory.h"
#include "base/status.h"

// Pivots of R below this times its largest diagonal entry are rounding.
static const double RANK_TOL = 1e-12;
// What may be left of V and s in a row of R without a pivot, relative to what they were.
static const double LEFT_TOL = 1e-9;

typedef struct Elimination {
    size_t  n;  // 3 contact_count
    size_t  nl; // multipliers
    double *W;  // (n x n)
    double *q;  // (n)
    double *V;  // transposed: a row a multiplier                    (nl x n)
    double *R;  // (nl x nl)
    double *s;  // (nl)
    bool   *done;
} Elimination;

static double largest_entry(const double *x, size_t count)
{
    double largest = 0;
    for (size_t i = 0; i < count; i++) {
        largest = fmax(largest, fabs(x[i]));
    }
    return largest;
}

/// The largest diagonal entry of R that is left, or nl if all that is left is rounding.
static size_t find_diagonal(const Elimination *work, double smallest)
{
    size_t best = work->nl;
    for (size_t k = 0; k < work->nl; k++) {
        double here = work->R[k * work->nl + k];
        if (!work->done[k] && here > smallest &&
            (best == work->nl || here > work->R[best * work->nl + best])) {
            best = k;
        }
    }
    return best;
}

static void eliminate_pivot(Elimination *work, size_t p)
{
    size_t        n = work->n;
    size_t        nl = work->nl;
    const double *column = work->V + p * n;
    const double *row = work->R + p * nl;
    double        pivot = row[p];
    work->done[p] = true;
    for (size_t i = 0; i < n; i++) {
        double f = column[i] / pivot;
        for (size_t j = 0; j < n && f != 0; j++) {
            work->W[i * n + j] -= f * column[j];
        }
        work->q[i] -= f * work->s[p];
    }
    for (size_t k = 0; k < nl; k++) {
        double f = row[k] / pivot;
        if (work->done[k] || f == 0) {
            continue;
        }
        for (size_t j = 0; j < nl; j++) {
            work->R[k * nl + j] -= f * row[j];
        }
        for (size_t i = 0; i < n; i++) {
            work->V[k * n + i] -= f * column[i];
        }
        work->s[k] -= f * work->s[p];
    }
}

static TactStatus eliminate_all(Elimination *work, const char *name)
{
    size_t nl = work->nl;
    double largest = 0;
    double most_V = largest_entry(work->V, nl * work->n);
    double most_s = largest_entry(work->s, nl);
    for (size_t k = 0; k < nl; k++) {
        largest = fmax(largest, work->R[k * nl + k]);
        for (size_t j = 0; j < k; j++) {
            double difference = work->R[k * nl + j] - work->R[j * nl + k];
            double size = work->R[k * nl + k] * work->R[j * nl + j];
            if (difference * difference > 1e-18 * size) {
                return tact_fail(TACT_BAD_INPUT, "%s: R is not symmetric: R[%zu,%zu], R[%zu,%zu]",
                                 name, k, j, j, k);
            }
        }
    }
    for (size_t p; (p = find_diagonal(work, RANK_TOL * largest)) < nl;) {
        eliminate_pivot(work, p);
    }
    size_t left = 0;
    for (size_t k = 0; k < nl; k++) {
        if (work->done[k]) {
            continue;
        }
        left++;
        if (largest_entry(work->V + k * work->n, work->n) > LEFT_TOL * most_V ||
            fabs(work->s[k]) > LEFT_TOL * most_s) {
            return tact_fail(TACT_UNSUPPORTED,
                             "%s: R is singular and constraint %zu binds the contact forces alone",
                             name, k);
        }
    }
    if (left > 0) {
        tact_log(TACT_LOG_LEVEL_INFO, "%s: %zu bilateral constraints follow from others", name,
                 left);
    }
    return TACT_OK;
}

static void layout_elimination(Elimination *work, TactArena *arena)
{
    work->V = tact_arena_take(arena, work->nl * work->n, sizeof(double));
    work->R = tact_arena_take(arena, work->nl * work->nl, sizeof(double));
    work->s = tact_arena_take(arena, work->nl, sizeof(double));
    work->done = tact_arena_take(arena, work->nl, sizeof(bool));
}

/// Adds a matrix of the file; component k of the file is component place(k) of tact.
static void add_matrix(const TactMatrix *matrix, int dimension, size_t ld, double *to)
{
    size_t d = (size_t)dimension;
    for (size_t k = 0; k < matrix->count; k++) {
        const TactEntry *entry = &matrix->entry[k];
        size_t           row = (size_t)entry->row;
        size_t           place = dimension > 0 ? 3 * (row / d) + row % d : row;
        to[(size_t)entry->column * ld + place] += entry->value;
    }
}

TactStatus tact_friction_eliminate(const TactFrictionMatrices *friction, TactContactParts *parts)
{
    Elimination work = {
        .n = 3 * (size_t)parts->contact_count,
        .nl = (size_t)friction->R.rows,
        .W = parts->W,
        .q = parts->u_free,
    };
    TactArena arena = {0};
    if (work.nl > TACT_IO_MAX_DENSE) {
        return tact_fail(TACT_UNSUPPORTED, "%s: %zu bilateral constraints are too many",
                         friction->name, work.nl);
    }
    layout_elimination(&work, &arena);
    TACT_TRY(tact_arena_create(&arena));
    layout_elimination(&work, &arena);
    add_matrix(&friction->V, friction->dimension, work.n, work.V);
    add_matrix(&friction->R, 0, work.nl, work.R);
    memcpy(work.s, friction->s, work.nl * sizeof(double));
    TactStatus status = eliminate_all(&work, friction->name);
    tact_arena_destroy(&arena);
    return status;
}
