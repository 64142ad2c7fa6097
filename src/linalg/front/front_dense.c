// The dense part: elimination inside of a front, and the two halves of a solve.
#include <math.h>

#include "base/clones.h"
#include "linalg/front/front_internal.h"

#define INLINE __attribute__((always_inline)) static inline

// Columns that are eliminated at once: what they take from the rest is one pass over it.
enum { PANEL = 8, LANES = 8 };

/// Eight doubles at any address.
typedef double Row __attribute__((vector_size(64), aligned(8), may_alias));

#define ROW(pointer) (*(Row *)(pointer))
#define CONST_ROW(pointer) (*(const Row *)(pointer))

/// Columns k0 .. k1 - 1, rows k0 .. m - 1.
INLINE bool eliminate_panel(double *F, int m, size_t stride, int k0, int k1)
{
    for (int k = k0; k < k1; k++) {
        const double *top = F + (size_t)k * stride;
        double        pivot = top[k];
        if (pivot == 0 || !isfinite(pivot)) {
            return false;
        }
        double inverse = 1 / pivot;
        for (int i = k + 1; i < m; i++) {
            double *row = F + (size_t)i * stride;
            double  l = row[k] * inverse;
            row[k] = l;
            for (int j = k + 1; j < k1; j++) {
                row[j] -= l * top[j];
            }
        }
    }
    return true;
}

/// The rows of U beside the panel.
INLINE void eliminate_beside(double *F, int m, size_t stride, int k0, int k1)
{
    for (int k = k0; k < k1; k++) {
        const double *top = F + (size_t)k * stride;
        for (int i = k + 1; i < k1; i++) {
            double *row = F + (size_t)i * stride;
            double  l = row[k];
            for (int j = k1; j < m; j += LANES) {
                ROW(row + j) -= l * CONST_ROW(top + j);
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

/// What the panel takes from the rest.
INLINE void subtract_panel(double *F, int m, size_t stride, int k0, int k1)
{
    for (int j = k1; j < m; j += LANES) {
        if (k1 - k0 == PANEL) {
            Row U[PANEL];
            for (int q = 0; q < PANEL; q++) {
                U[q] = CONST_ROW(F + (size_t)(k0 + q) * stride + j);
            }
            int i = k1;
            for (; i + 4 <= m; i += 4) {
                subtract_strip(F + (size_t)i * stride + j, F + (size_t)i * stride + k0, stride, 4,
                               U);
            }
            subtract_strip(F + (size_t)i * stride + j, F + (size_t)i * stride + k0, stride, m - i,
                           U);
            continue;
        }
        for (int i = k1; i < m; i++) {
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

TACT_CLONES bool tact_front_eliminate(double *F, int m, size_t stride, int K)
{
    for (int k0 = 0; k0 < K; k0 += PANEL) {
        int k1 = k0 + PANEL < K ? k0 + PANEL : K;
        if (!eliminate_panel(F, m, stride, k0, k1)) {
            return false;
        }
        eliminate_beside(F, m, stride, k0, k1);
        subtract_panel(F, m, stride, k0, k1);
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
        rest[i] = dot(K, L + (size_t)i * (size_t)K, y);
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
