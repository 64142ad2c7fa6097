// Cholesky's factor in quadruple precision, for matrices of a few dozen rows.
#ifndef TACT_LINALG_QUAD_CHOLESKY_H
#define TACT_LINALG_QUAD_CHOLESKY_H

#include <stdbool.h>

#include "base/quad.h"

/// M = L L', L in the place of M's lower half, by rows; false: M is not positive definite.
static inline bool tact_quad_factor(TactQuad *M, int n)
{
    for (int j = 0; j < n; j++) {
        for (int i = j; i < n; i++) {
            TactQuad sum = M[i * n + j];
            for (int k = 0; k < j; k++) {
                sum -= M[i * n + k] * M[j * n + k];
            }
            if (i == j) {
                if (!(sum > 0)) {
                    return false;
                }
                M[j * n + j] = tact_quad_root(sum);
            } else {
                M[i * n + j] = sum / M[j * n + j];
            }
        }
    }
    return true;
}

/// x <- M^-1 x
static inline void tact_quad_solve(const TactQuad *L, int n, TactQuad *x)
{
    for (int i = 0; i < n; i++) {
        for (int k = 0; k < i; k++) {
            x[i] -= L[i * n + k] * x[k];
        }
        x[i] /= L[i * n + i];
    }
    for (int i = n - 1; i >= 0; i--) {
        for (int k = i + 1; k < n; k++) {
            x[i] -= L[k * n + i] * x[k];
        }
        x[i] /= L[i * n + i];
    }
}

#endif
