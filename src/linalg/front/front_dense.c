// The dense part: elimination inside of a front, and the two halves of a solve.
#include <math.h>
#include <stdint.h>

#include "base/clones.h"
#include "linalg/front/front_internal.h"

#define INLINE __attribute__((always_inline)) static inline

// Columns that are eliminated at once, and of which what they take from the rest is one pass; and
// those after which the rest is gone over, whole panels.
enum { PANEL = 8, LANES = 8, OUTER = 6 * PANEL };

// Operations of a pass over the rest that threads share: with fewer it takes longer to bring the
// numbers of one processor to the other than to use them.
static const double WORTH_WHILE = 1e6;
// Rows that a thread takes at once.
enum { SHARE_ROWS = 24 };
// Rows of a tile that is kept in registers.
enum { TILE = 4 };

/// Eight doubles at any address.
typedef double Row __attribute__((vector_size(64), aligned(8), may_alias));

#define ROW(pointer) (*(Row *)(pointer))
#define CONST_ROW(pointer) (*(const Row *)(pointer))

/// What comparing rows gives: all bits of a lane, or none.
typedef int64_t Mask __attribute__((vector_size(64), aligned(8), may_alias));

/// Lanes 0 .. count - 1; and a in these lanes, b in the others.
#define FIRST_LANES(count) ((Mask){0, 1, 2, 3, 4, 5, 6, 7} < (int64_t)(count))
#define SELECT(mask, a, b) ((Row)(((Mask)(a) & (mask)) | ((Mask)(b) & ~(mask))))

// Rows first .. last - 1 below a panel of so many columns, l = a U^-1: every row is a product with
// the inverse, whose parts do not wait for each other, where elimination would go column after
// column. What is beyond the panel stays.
INLINE void multiply_rows(double *F, size_t stride, int k0, const int width, int first, int last,
                          const Row inverse[PANEL])
{
    const Mask own = FIRST_LANES(width);
    for (int i = first; i < last; i++) {
        double *a = F + (size_t)i * stride + k0;
        Row     l = a[0] * inverse[0];
#pragma GCC unroll 8
        for (int k = 1; k < width; k++) {
            l += a[k] * inverse[k];
        }
        ROW(a) = width == PANEL ? l : SELECT(own, l, ROW(a));
    }
}

/// The inverse of U of a panel of so many columns, row by row from the last; 0 beyond them.
INLINE void invert_panel(const double *F, size_t stride, int k0, const int width,
                         Row inverse[PANEL])
{
#pragma GCC unroll 8
    for (int k = width - 1; k >= 0; k--) {
        const double *top = F + (size_t)(k0 + k) * stride + k0;
        Row           sum = {0};
        sum[k] = 1;
#pragma GCC unroll 8
        for (int j = k + 1; j < width; j++) {
            sum -= top[j] * inverse[j];
        }
        inverse[k] = (1 / top[k]) * sum;
    }
}

/// Rows below a panel of so many columns.
INLINE void eliminate_wide(double *F, size_t stride, int k0, const int width, int first, int last)
{
    Row inverse[PANEL];
    invert_panel(F, stride, k0, width, inverse);
    multiply_rows(F, stride, k0, width, first, last, inverse);
}

/// Columns k0 .. k1 - 1, whose square is done, in rows first .. last - 1 below.
INLINE void eliminate_below_panel(double *F, size_t stride, int k0, int k1, int first, int last)
{
    if (first >= last) {
        return;
    }
    switch (k1 - k0) { // most are of these widths
    case PANEL: eliminate_wide(F, stride, k0, PANEL, first, last); break;
    case 6: eliminate_wide(F, stride, k0, 6, first, last); break;
    case 4: eliminate_wide(F, stride, k0, 4, first, last); break;
    case 3: eliminate_wide(F, stride, k0, 3, first, last); break;
    default: eliminate_wide(F, stride, k0, k1 - k0, first, last); break;
    }
}

/// Columns k0 .. k1 - 1, rows k0 .. m - 1: the square at the top first, then every row below.
INLINE bool eliminate_panel(double *F, int m, size_t stride, int k0, int k1)
{
    for (int k = k0; k < k1; k++) {
        const double *top = F + (size_t)k * stride;
        double        pivot = top[k];
        if (pivot == 0 || !isfinite(pivot)) {
            return false;
        }
        for (int i = k + 1; i < k1; i++) {
            double *row = F + (size_t)i * stride;
            double  l = row[k] * (1 / pivot);
            for (int j = k + 1; j < k1; j++) {
                row[j] -= l * top[j];
            }
            row[k] = l;
        }
    }
    eliminate_below_panel(F, stride, k0, k1, k1, m);
    return true;
}

/// The rows of U of a panel of so many columns at one strip, in its first lanes: they stay in
/// registers.
INLINE void eliminate_strip(double *F, size_t stride, int k0, const int width, int j, int lanes)
{
    const Mask own = FIRST_LANES(lanes);
    Row        x[PANEL] = {{0}};
#pragma GCC unroll 8
    for (int i = 0; i < width; i++) {
        double *row = F + (size_t)(k0 + i) * stride;
        Row     before = ROW(row + j);
        x[i] = before;
#pragma GCC unroll 8
        for (int k = 0; k < i; k++) {
            x[i] -= row[k0 + k] * x[k];
        }
        ROW(row + j) = SELECT(own, x[i], before);
    }
}

/// The rows of U beside the panel, columns from .. end - 1; what is beyond them stays.
INLINE void eliminate_beside(double *F, size_t stride, int k0, int k1, int from, int end)
{
    for (int j = from; j < end; j += LANES) {
        switch (k1 - k0) {
        case PANEL: eliminate_strip(F, stride, k0, PANEL, j, end - j); break;
        case 6: eliminate_strip(F, stride, k0, 6, j, end - j); break;
        default: eliminate_strip(F, stride, k0, k1 - k0, j, end - j); break;
        }
    }
}

/// What a panel of so many columns takes from rows first .. last - 1 at one strip, in its first
/// lanes.
INLINE void subtract_strip(double *F, size_t stride, int k0, const int width, int first, int last,
                           int j, int lanes)
{
    const Mask own = FIRST_LANES(lanes);
    Row        U[PANEL] = {{0}};
#pragma GCC unroll 8
    for (int q = 0; q < width; q++) {
        U[q] = CONST_ROW(F + (size_t)(k0 + q) * stride + j);
    }
    for (int i = first; i < last; i++) {
        double       *row = F + (size_t)i * stride;
        const double *l = row + k0;
        Row           before = ROW(row + j), sum = before;
#pragma GCC unroll 8
        for (int q = 0; q < width; q++) {
            sum -= l[q] * U[q];
        }
        ROW(row + j) = SELECT(own, sum, before);
    }
}

/// What the panel takes from rows first .. last - 1 in columns from .. end - 1; what is beyond them
/// stays.
INLINE void subtract_panel(double *F, size_t stride, int k0, int k1, int first, int last, int from,
                           int end)
{
    for (int j = from; j < end; j += LANES) {
        if (k1 - k0 == PANEL) {
            subtract_strip(F, stride, k0, PANEL, first, last, j, end - j);
        } else {
            subtract_strip(F, stride, k0, k1 - k0, first, last, j, end - j);
        }
    }
}

/// Columns K0 .. K1 - 1 in all rows, panel after panel; the columns beyond are left as they are.
TACT_CLONES static bool eliminate_columns(double *F, int m, size_t stride, int K0, int K1)
{
    for (int k0 = K0; k0 < K1; k0 += PANEL) {
        int k1 = k0 + PANEL < K1 ? k0 + PANEL : K1;
        if (!eliminate_panel(F, m, stride, k0, k1)) {
            return false;
        }
        if (k1 < K1) {
            eliminate_beside(F, stride, k0, k1, k1, K1);
            subtract_panel(F, stride, k0, k1, k1, m, k1, K1);
        }
    }
    return true;
}

/// The same in rows first .. last - 1 alone, which lie below: the square is done.
TACT_CLONES static void eliminate_below_square(double *F, size_t stride, int K0, int K1, int first,
                                               int last)
{
    for (int k0 = K0; k0 < K1; k0 += PANEL) {
        int k1 = k0 + PANEL < K1 ? k0 + PANEL : K1;
        eliminate_below_panel(F, stride, k0, k1, first, last);
        subtract_panel(F, stride, k0, k1, first, last, k1, K1);
    }
}

/// The rows of U of these columns, in columns from .. end - 1, all of which are beyond K1.
TACT_CLONES static void eliminate_rows(double *F, size_t stride, int K0, int K1, int from, int end)
{
    for (int k0 = K0; k0 < K1; k0 += PANEL) {
        int k1 = k0 + PANEL < K1 ? k0 + PANEL : K1;
        eliminate_beside(F, stride, k0, k1, from, end);
        subtract_panel(F, stride, k0, k1, k1, K1, from, end);
    }
}

/// What K columns take from so many rows at one strip of eight columns: each number is read and
/// written once, and loses what the columns take in their order.
INLINE void subtract_tile(double *C, const double *L, const double *U, size_t stride, int K,
                          const int rows)
{
    Row sum[TILE];
#pragma GCC unroll 8
    for (int r = 0; r < rows; r++) {
        sum[r] = ROW(C + (size_t)r * stride);
    }
    for (int q = 0; q < K; q++) {
        Row u = CONST_ROW(U + (size_t)q * stride);
#pragma GCC unroll 8
        for (int r = 0; r < rows; r++) {
            sum[r] -= L[(size_t)r * stride + (size_t)q] * u;
        }
    }
#pragma GCC unroll 8
    for (int r = 0; r < rows; r++) {
        ROW(C + (size_t)r * stride) = sum[r];
    }
}

/// What these columns take from some rows of the rest, few enough for the cache.
TACT_CLONES static void subtract_columns(double *F, int m, size_t stride, int K0, int K1, int first,
                                         int last)
{
    for (int j = K1; j < m; j += LANES) { // the last strip runs into the padding
        const double *U = F + (size_t)K0 * stride + j;
        int           i = first;
        for (; i + TILE <= last; i += TILE) {
            double *row = F + (size_t)i * stride;
            subtract_tile(row + j, row + K0, U, stride, K1 - K0, TILE);
        }
        for (; i < last; i++) {
            double *row = F + (size_t)i * stride;
            subtract_tile(row + j, row + K0, U, stride, K1 - K0, 1);
        }
    }
}

/// Columns K0 .. K1 - 1 of a front, for threads.
typedef struct Shared {
    double *F;
    int     m;
    size_t  stride;
    int     K0, K1;
} Shared;

/// Columns of L in some rows beyond K1, and what they take from the rest of these.
static void take_rows(void *context, int first, int end)
{
    const Shared *shared = context;
    first += shared->K1;
    end += shared->K1;
    eliminate_below_square(shared->F, shared->stride, shared->K0, shared->K1, first, end);
    subtract_columns(shared->F, shared->m, shared->stride, shared->K0, shared->K1, first, end);
}

bool tact_front_eliminate(double *F, int m, size_t stride, int K, TactFrontShare *share)
{
    for (int K0 = 0; K0 < K; K0 += OUTER) {
        int    K1 = K0 + OUTER < K ? K0 + OUTER : K;
        double left = m - K1;
        bool   shares = share && 2 * left * left * (K1 - K0) > WORTH_WHILE;
        if (!eliminate_columns(F, shares ? K1 : m, stride, K0, K1)) {
            return false;
        }
        eliminate_rows(F, stride, K0, K1, K1, m);
        if (shares) {
            Shared shared = {F, m, stride, K0, K1};
            tact_front_share(share, m - K1, SHARE_ROWS, take_rows, &shared);
        } else {
            for (int i = K1; i < m; i += SHARE_ROWS) {
                subtract_columns(F, m, stride, K0, K1, i, i + SHARE_ROWS < m ? i + SHARE_ROWS : m);
            }
        }
    }
    return true;
}

// ---------------------------------------------------------------------------------------------
// Solve. Value: U, K rows of m; L beyond it, m - K rows of K.

/// Four partial sums.
INLINE double dot(int n, const double *a, const double *x)
{
    double s[4] = {0, 0, 0, 0};
    int    k = 0;
    for (; k + 4 <= n; k += 4) {
        for (int c = 0; c < 4; c++) {
            s[c] += a[k + c] * x[k + c];
        }
    }
    double sum = (s[0] + s[1]) + (s[2] + s[3]);
    for (; k < n; k++) {
        sum += a[k] * x[k];
    }
    return sum;
}

TACT_CLONES void tact_front_forward(const double *value, int K, int m, double *y, double *rest)
{
    const double *L = value + (size_t)K * (size_t)m;
    for (int k = 1; k < K; k++) {
        y[k] -= dot(k, value + (size_t)k * (size_t)m, y);
    }
    for (int i = 0; i < m - K; i++) {
        rest[i] += dot(K, L + (size_t)i * (size_t)K, y);
    }
}

TACT_CLONES void tact_front_backward(const double *value, int K, int m, const double *rest,
                                     double *y)
{
    for (int k = K - 1; k >= 0; k--) {
        const double *U = value + (size_t)k * (size_t)m;
        double        sum = y[k] - dot(m - K, U + K, rest);
        y[k] = (sum - dot(K - k - 1, U + k + 1, y + k + 1)) / U[k];
    }
}
