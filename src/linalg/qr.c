#include "linalg/qr.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

#include "base/clones.h"
#include "linalg/lane_loops.h"

typedef struct Qr {
    int     m, n;
    size_t  ld;
    double *A;
    double *b;
    int    *perm;
    double *v;      // reflection, from its first row on                    (m)
    double *w;      // v'A                                                  (n)
    double *norm2;  // squared lengths of what is left of the columns       (n)
    double *first2; // the same when they were last summed                  (n)
    double *tau;    // of the reflections from the right                    (n)
} Qr;

static double *qr_row(const Qr *qr, int i)
{
    return qr->A + (size_t)i * qr->ld;
}

/// Squared length of column j from row k on.
TACT_CALLED_BY_CLONES static double column_norm2(const Qr *qr, int k, int j)
{
    double lane[4] = {0};
    int    i = k;
    for (; i + 4 <= qr->m; i += 4) {
        for (int l = 0; l < 4; l++) {
            double entry = qr_row(qr, i + l)[j];
            lane[l] += entry * entry;
        }
    }
    for (; i < qr->m; i++) {
        lane[0] += qr_row(qr, i)[j] * qr_row(qr, i)[j];
    }
    return (lane[0] + lane[1]) + (lane[2] + lane[3]);
}

static void swap_columns(const Qr *qr, int j, int k)
{
    if (j == k) {
        return;
    }
    for (int i = 0; i < qr->m; i++) {
        double *row = qr_row(qr, i);
        double  t = row[j];
        row[j] = row[k];
        row[k] = t;
    }
    int t = qr->perm[j];
    qr->perm[j] = qr->perm[k];
    qr->perm[k] = t;
    qr->norm2[k] = qr->norm2[j]; // column j is done with
    qr->first2[k] = qr->first2[j];
}

/// The longest of the columns from k on.
static int longest_column(const Qr *qr, int k)
{
    int best = k;
    for (int j = k + 1; j < qr->n; j++) {
        best = qr->norm2[j] > qr->norm2[best] ? j : best;
    }
    return best;
}

/// Reflection I - tau v v', v_0 = 1, that takes x to (beta, 0 ...). Returns tau; *beta and x, which
/// becomes v.
TACT_LANES_INLINE double reflect(int n, double *x, double *beta)
{
    double rest2 = tact_lanes_dot(n - 1, x + 1, x + 1);
    *beta = x[0];
    if (rest2 == 0) {
        x[0] = 1;
        return 0;
    }
    double length = sqrt(x[0] * x[0] + rest2);
    *beta = x[0] > 0 ? -length : length;
    double tau = (*beta - x[0]) / *beta;
    tact_lanes_scale(n - 1, 1 / (x[0] - *beta), x + 1);
    x[0] = 1;
    return tau;
}

/// A := (I - tau v v') A from row k and column k + 1 on, and the same on b.
TACT_LANES_INLINE void apply_left(const Qr *qr, int k, double tau)
{
    int     rows = qr->m - k;
    int     columns = qr->n - k - 1;
    double *w = qr->w;
    memset(w, 0, (size_t)columns * sizeof(double));
    int i = 0;
    for (; i + 4 <= rows; i += 4) {
        tact_lanes_axpy4(columns, qr->v + i, qr_row(qr, k + i) + k + 1, qr->ld, w);
    }
    for (; i < rows; i++) {
        tact_lanes_axpy(columns, qr->v[i], qr_row(qr, k + i) + k + 1, w);
    }
    for (i = 0; i < rows; i++) {
        tact_lanes_axpy(columns, -tau * qr->v[i], w, qr_row(qr, k + i) + k + 1);
    }
    double dot = tact_lanes_dot(rows, qr->v, qr->b + k);
    tact_lanes_axpy(rows, -tau * dot, qr->v, qr->b + k);
}

// A length that has been subtracted down to this part, squared, has lost half of its digits.
static const double CANCELLED = 1e-8;

/// Lengths of the columns after row k was cut off; summed anew where too little is left.
static void shorten_columns(const Qr *qr, int k)
{
    const double *row = qr_row(qr, k);
    for (int j = k + 1; j < qr->n; j++) {
        qr->norm2[j] -= row[j] * row[j];
        if (!(qr->norm2[j] > CANCELLED * qr->first2[j])) {
            qr->norm2[j] = column_norm2(qr, k + 1, j);
            qr->first2[j] = qr->norm2[j];
        }
    }
}

/// R in the upper triangle, Q'b in b. Returns the rank.
TACT_CLONES static int factor_by_reflections(const Qr *qr, double tol)
{
    int    steps = qr->m < qr->n ? qr->m : qr->n;
    double first = 0;
    for (int k = 0; k < steps; k++) {
        swap_columns(qr, k, longest_column(qr, k));
        double pivot = sqrt(column_norm2(qr, k, k));
        first = k == 0 ? pivot : first;
        if (!(pivot > tol * first)) {
            return k;
        }
        for (int i = k; i < qr->m; i++) {
            qr->v[i - k] = qr_row(qr, i)[k];
        }
        double beta;
        double tau = reflect(qr->m - k, qr->v, &beta);
        qr_row(qr, k)[k] = beta;
        apply_left(qr, k, tau);
        shorten_columns(qr, k);
    }
    return steps;
}

/// [R11 R12] = [T 0] Z: one reflection a row, over entry k and the columns from rank on. Row k of
/// R12 keeps its v.
TACT_CLONES static void compress(const Qr *qr, int rank)
{
    int rest = qr->n - rank;
    for (int k = rank - 1; k >= 0; k--) {
        double *row = qr_row(qr, k);
        double *v = qr->w;
        v[0] = row[k];
        memcpy(v + 1, row + rank, (size_t)rest * sizeof(double));
        double beta;
        double tau = reflect(rest + 1, v, &beta);
        qr->tau[k] = tau;
        row[k] = beta;
        memcpy(row + rank, v + 1, (size_t)rest * sizeof(double));
        for (int i = 0; i < k; i++) {
            double *other = qr_row(qr, i);
            double  dot = other[k] + tact_lanes_dot(rest, v + 1, other + rank);
            other[k] -= tau * dot;
            tact_lanes_axpy(rest, -tau * dot, v + 1, other + rank);
        }
    }
}

/// y = Z' [T^-1 c; 0] in the order of the pivots; y may not be c.
TACT_CLONES static void solve_complete(const Qr *qr, int rank, const double *c, double *y)
{
    int rest = qr->n - rank;
    for (int k = rank - 1; k >= 0; k--) {
        const double *row = qr_row(qr, k);
        y[k] = (c[k] - tact_lanes_dot(rank - 1 - k, row + k + 1, y + k + 1)) / row[k];
    }
    memset(y + rank, 0, (size_t)rest * sizeof(double));
    for (int k = 0; k < rank && rest > 0; k++) {
        const double *v = qr_row(qr, k) + rank;
        double        dot = qr->tau[k] * (y[k] + tact_lanes_dot(rest, v, y + rank));
        y[k] -= dot;
        tact_lanes_axpy(rest, -dot, v, y + rank);
    }
}

int tact_qr_least(int m, int n, double *A, int ld, double *b, double tol, double *x, double *work,
                  int *perm)
{
    Qr qr = {.m = m,
             .n = n,
             .ld = (size_t)ld,
             .A = A,
             .b = b,
             .perm = perm,
             .v = work,
             .w = work + m,
             .norm2 = work + m + n,
             .first2 = work + m + 2 * n,
             .tau = work + m + 3 * n};
    for (int j = 0; j < n; j++) {
        perm[j] = j;
        qr.norm2[j] = qr.first2[j] = column_norm2(&qr, 0, j);
    }
    int rank = factor_by_reflections(&qr, tol);
    if (rank < n) {
        compress(&qr, rank);
    }
    solve_complete(&qr, rank, b, qr.norm2);
    for (int j = 0; j < n; j++) {
        x[perm[j]] = qr.norm2[j];
    }
    return rank;
}
