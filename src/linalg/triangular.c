#include "linalg/triangular.h"

#include "base/clones.h"
#include "linalg/lane_loops.h"

// Upper triangles go four rows at a time: the triangle of four on the diagonal by hand, the rest of
// the four rows as one product. That is what makes them fast: one row at a time waits for the sum
// of the last one.

TACT_CLONES void tact_lower_solve(int n, const double *L, int ld, double *x)
{
    for (int i = 0; i < n; i++) {
        const double *row = L + (size_t)i * (size_t)ld;
        x[i] = (x[i] - tact_lanes_dot(i, row, x)) / row[i];
    }
}

/// x_j ... x_(j+3) of U x = b, where sum holds what the later x contribute.
TACT_LANES_INLINE void upper_four(const double *u, size_t ld, const double *sum, const double *inv,
                                  double *x)
{
    const double *u0 = u, *u1 = u + ld, *u2 = u + 2 * ld;
    x[3] = (x[3] - sum[3]) * inv[3];
    x[2] = ((x[2] - sum[2]) - u2[3] * x[3]) * inv[2];
    x[1] = (((x[1] - sum[1]) - u1[3] * x[3]) - u1[2] * x[2]) * inv[1];
    x[0] = ((((x[0] - sum[0]) - u0[3] * x[3]) - u0[2] * x[2]) - u0[1] * x[1]) * inv[0];
}

TACT_LANES_INLINE void upper_solve(int n, const double *U, size_t ld, int unit, double *x)
{
    int j = n;
    for (; j >= 4; j -= 4) {
        const double *u = U + (size_t)(j - 4) * ld + (size_t)(j - 4);
        double        sum[4];
        tact_lanes_dot4(n - j, u + 4, ld, x + j, sum);
        double inv[4] = {1, 1, 1, 1};
        for (int k = 0; k < 4 && !unit; k++) {
            inv[k] = 1 / u[(size_t)k * (ld + 1)];
        }
        upper_four(u, ld, sum, inv, x + j - 4);
    }
    for (j--; j >= 0; j--) {
        const double *u = U + (size_t)j * ld + (size_t)j;
        double        sum = x[j] - tact_lanes_dot(n - 1 - j, u + 1, x + j + 1);
        x[j] = unit ? sum : sum * (1 / u[0]);
    }
}

TACT_LANES_INLINE void upper_solve_transposed(int n, const double *U, size_t ld, int unit,
                                              double *x)
{
    int j = 0;
    for (; j + 4 <= n; j += 4) {
        const double *u0 = U + (size_t)j * ld + (size_t)j;
        const double *u1 = u0 + ld, *u2 = u1 + ld, *u3 = u2 + ld;
        double       *y = x + j;
        y[0] = unit ? y[0] : y[0] / u0[0];
        y[1] -= u0[1] * y[0];
        y[1] = unit ? y[1] : y[1] / u1[1];
        y[2] = (y[2] - u0[2] * y[0]) - u1[2] * y[1];
        y[2] = unit ? y[2] : y[2] / u2[2];
        y[3] = ((y[3] - u0[3] * y[0]) - u1[3] * y[1]) - u2[3] * y[2];
        y[3] = unit ? y[3] : y[3] / u3[3];
        double minus[4] = {-y[0], -y[1], -y[2], -y[3]};
        tact_lanes_axpy4(n - j - 4, minus, u0 + 4, ld, y + 4);
    }
    for (; j < n; j++) {
        const double *u = U + (size_t)j * ld + (size_t)j;
        x[j] = unit ? x[j] : x[j] / u[0];
        tact_lanes_axpy(n - 1 - j, -x[j], u + 1, x + j + 1);
    }
}

TACT_CLONES void tact_upper_solve(int n, const double *U, int ld, double *x)
{
    upper_solve(n, U, (size_t)ld, 0, x);
}

TACT_CLONES void tact_unit_upper_solve(int n, const double *U, int ld, double *x)
{
    upper_solve(n, U, (size_t)ld, 1, x);
}

TACT_CLONES void tact_upper_solve_transposed(int n, const double *U, int ld, double *x)
{
    upper_solve_transposed(n, U, (size_t)ld, 0, x);
}

TACT_CLONES void tact_unit_upper_solve_transposed(int n, const double *U, int ld, double *x)
{
    upper_solve_transposed(n, U, (size_t)ld, 1, x);
}
