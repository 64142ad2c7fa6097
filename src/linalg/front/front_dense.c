// The dense part: elimination inside of a front, and the two halves of a solve.
#include <math.h>
#include <stdatomic.h>

#include "base/clones.h"
#include "linalg/front/front_internal.h"

#define INLINE __attribute__((always_inline)) static inline

// Columns that are eliminated at once, and of which what they take from the rest is one pass; and
// those after which the rest is gone over, whole panels.
enum { PANEL = 8, LANES = 8, OUTER = 6 * PANEL };

// Operations of a pass over the rest that threads share.
static const double WORTH_WHILE = 3e5;
// Rows that a thread takes at once, and columns: whole vectors.
enum { SHARE_ROWS = 24, SHARE_COLUMNS = 2 * LANES };
// Rows of a tile that is kept in registers.
enum { TILE = 4 };

/// Eight doubles at any address.
typedef double Row __attribute__((vector_size(64), aligned(8), may_alias));

#define ROW(pointer) (*(Row *)(pointer))
#define CONST_ROW(pointer) (*(const Row *)(pointer))

/// Rows first .. last - 1 below a panel of so many columns: each by itself, all of its columns at
/// once.
INLINE void eliminate_wide(double *F, size_t stride, int k0, const int width, int first, int last,
                           const double inverse[PANEL], const Row U[PANEL])
{
    for (int i = first; i < last; i++) {
        double *row = F + (size_t)i * stride + k0;
        Row     x = ROW(row);
#pragma GCC unroll 8
        for (int k = 0; k < width; k++) {
            double l = x[k] * inverse[k];
            x -= l * U[k];
            x[k] = l;
        }
        ROW(row) = x;
    }
}

/// The same, number after number.
INLINE void eliminate_each(double *F, size_t stride, int k0, int k1, int first, int last,
                           const double inverse[PANEL])
{
    for (int i = first; i < last; i++) {
        double *row = F + (size_t)i * stride;
        for (int k = k0; k < k1; k++) {
            double l = row[k] * inverse[k - k0];
            for (int j = k + 1; j < k1; j++) {
                row[j] -= l * F[(size_t)k * stride + (size_t)j];
            }
            row[k] = l;
        }
    }
}

/// Columns k0 .. k1 - 1, whose square is done, in rows first .. last - 1 below.
INLINE void eliminate_below_panel(double *F, size_t stride, int k0, int k1, int first, int last)
{
    Row    U[PANEL];
    double inverse[PANEL];
    for (int k = k0; k < k1; k++) {
        const double *top = F + (size_t)k * stride;
        inverse[k - k0] = 1 / top[k];
        for (int q = 0; q < PANEL; q++) { // 0 in columns that are not beyond k
            U[k - k0][q] = k0 + q > k && k0 + q < k1 ? top[k0 + q] : 0;
        }
    }
    switch (k1 - k0) { // lanes of a vector want numbers that are known here
    case PANEL: eliminate_wide(F, stride, k0, PANEL, first, last, inverse, U); break;
    case 6: eliminate_wide(F, stride, k0, 6, first, last, inverse, U); break;
    case 4: eliminate_wide(F, stride, k0, 4, first, last, inverse, U); break;
    case 3: eliminate_wide(F, stride, k0, 3, first, last, inverse, U); break;
    case 2: eliminate_wide(F, stride, k0, 2, first, last, inverse, U); break;
    default: eliminate_each(F, stride, k0, k1, first, last, inverse); break;
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

/// The rows of U beside the panel, columns from .. end - 1.
INLINE void eliminate_beside(double *F, size_t stride, int k0, int k1, int from, int end)
{
    for (int k = k0; k < k1; k++) {
        const double *top = F + (size_t)k * stride;
        for (int i = k + 1; i < k1; i++) {
            double *row = F + (size_t)i * stride;
            double  l = row[k];
            int     j = from;
            for (; j + LANES <= end; j += LANES) {
                ROW(row + j) -= l * CONST_ROW(top + j);
            }
            for (; j < end; j++) {
                row[j] -= l * top[j];
            }
        }
    }
}

/// What a whole panel takes from count rows at one strip of eight columns.
INLINE void subtract_strip(double *C, const double *L, size_t stride, int count, const Row U[PANEL])
{
    for (int r = 0; r < count; r++) {
        double       *row = C + (size_t)r * stride;
        const double *l = L + (size_t)r * stride;
        Row           sum = ROW(row);
        for (int q = 0; q < PANEL; q++) {
            sum -= l[q] * U[q];
        }
        ROW(row) = sum;
    }
}

/// What the panel takes from rows first .. last - 1 in columns from .. end - 1. The columns are the
/// last of the matrix, or whole strips: what is beyond them is padding.
INLINE void subtract_panel(double *F, size_t stride, int k0, int k1, int first, int last, int from,
                           int end)
{
    for (int j = from; j < end; j += LANES) {
        if (k1 - k0 == PANEL) {
            Row U[PANEL];
            for (int q = 0; q < PANEL; q++) {
                U[q] = CONST_ROW(F + (size_t)(k0 + q) * stride + j);
            }
            int i = first;
            for (; i + 4 <= last; i += 4) {
                subtract_strip(F + (size_t)i * stride + j, F + (size_t)i * stride + k0, stride, 4,
                               U);
            }
            subtract_strip(F + (size_t)i * stride + j, F + (size_t)i * stride + k0, stride,
                           last - i, U);
            continue;
        }
        for (int i = first; i < last; i++) {
            double       *row = F + (size_t)i * stride;
            const double *l = row + k0;
            Row           sum = ROW(row + j);
            for (int q = 0; q < k1 - k0; q++) {
                sum -= l[q] * CONST_ROW(F + (size_t)(k0 + q) * stride + j);
            }
            ROW(row + j) = sum;
        }
    }
}

/// What a panel takes from rows first .. last - 1 in columns from .. end - 1, one after the other.
INLINE void subtract_columns_each(double *F, size_t stride, int k0, int k1, int first, int last,
                                  int from, int end)
{
    for (int i = first; i < last; i++) {
        double *row = F + (size_t)i * stride;
        for (int j = from; j < end; j++) {
            double sum = row[j];
            for (int q = k0; q < k1; q++) {
                sum -= row[q] * F[(size_t)q * stride + (size_t)j];
            }
            row[j] = sum;
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
        if (k1 < K1) { // whole strips up to K1, but for the last: one column after the other
            int whole = k1 + (K1 - k1) / LANES * LANES;
            eliminate_beside(F, stride, k0, k1, k1, K1);
            subtract_panel(F, stride, k0, k1, k1, m, k1, whole);
            subtract_columns_each(F, stride, k0, k1, k1, m, whole, K1);
        }
    }
    return true;
}

/// The same in rows first .. last - 1 alone, which lie below: the square is done.
TACT_CLONES static void eliminate_below_square(double *F, size_t stride, int K0, int K1, int first,
                                               int last)
{
    for (int k0 = K0; k0 < K1; k0 += PANEL) {
        int k1 = k0 + PANEL < K1 ? k0 + PANEL : K1, whole = k1 + (K1 - k1) / LANES * LANES;
        eliminate_below_panel(F, stride, k0, k1, first, last);
        subtract_panel(F, stride, k0, k1, first, last, k1, whole);
        subtract_columns_each(F, stride, k0, k1, first, last, whole, K1);
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
    double    *F;
    int        m;
    size_t     stride;
    int        K0, K1;
    atomic_int next_column, next_row;
} Shared;

/// Rows of U, some columns at a time.
static void take_columns(void *context, int thread)
{
    Shared *shared = context;
    (void)thread;
    for (;;) {
        int from =
            atomic_fetch_add_explicit(&shared->next_column, SHARE_COLUMNS, memory_order_relaxed);
        if (from >= shared->m) {
            return;
        }
        int end = from + SHARE_COLUMNS < shared->m ? from + SHARE_COLUMNS : shared->m;
        eliminate_rows(shared->F, shared->stride, shared->K0, shared->K1, from, end);
    }
}

/// Columns of L in some rows, and what they take from the rest of these.
static void take_rows(void *context, int thread)
{
    Shared *shared = context;
    (void)thread;
    for (;;) {
        int first = atomic_fetch_add_explicit(&shared->next_row, SHARE_ROWS, memory_order_relaxed);
        if (first >= shared->m) {
            return;
        }
        int last = first + SHARE_ROWS < shared->m ? first + SHARE_ROWS : shared->m;
        eliminate_below_square(shared->F, shared->stride, shared->K0, shared->K1, first, last);
        subtract_columns(shared->F, shared->m, shared->stride, shared->K0, shared->K1, first, last);
    }
}

bool tact_front_eliminate(double *F, int m, size_t stride, int K, TactThreads *threads)
{
    for (int K0 = 0; K0 < K; K0 += OUTER) {
        int    K1 = K0 + OUTER < K ? K0 + OUTER : K;
        double left = m - K1;
        bool   shares = threads && 2 * left * left * (K1 - K0) > WORTH_WHILE;
        if (!eliminate_columns(F, shares ? K1 : m, stride, K0, K1)) {
            return false;
        }
        if (shares) {
            Shared shared = {F, m, stride, K0, K1, .next_column = K1, .next_row = K1};
            tact_threads_run(threads, take_columns, &shared);
            tact_threads_run(threads, take_rows, &shared);
        } else {
            eliminate_rows(F, stride, K0, K1, K1, m);
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
