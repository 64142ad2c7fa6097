// 6 x 6 matrices, row-major, as divide and conquer needs them.
#ifndef TACT_DYNAMICS_BLOCK6_H
#define TACT_DYNAMICS_BLOCK6_H

#include <tact/math.h>

/// C = A B
static inline void tact_block6_multiply(const double A[36], const double B[36], double C[36])
{
    for (int i = 0; i < 6; i++) {
        double row[6] = {0};
        for (int k = 0; k < 6; k++) {
            for (int j = 0; j < 6; j++) {
                row[j] += A[6 * i + k] * B[6 * k + j];
            }
        }
        for (int j = 0; j < 6; j++) {
            C[6 * i + j] = row[j];
        }
    }
}

/// C -= A' B
static inline void tact_block6_subtract_transposed(const double A[36], const double B[36],
                                                   double C[36])
{
    for (int i = 0; i < 6; i++) {
        double row[6] = {0};
        for (int k = 0; k < 6; k++) {
            for (int j = 0; j < 6; j++) {
                row[j] += A[6 * k + i] * B[6 * k + j];
            }
        }
        for (int j = 0; j < 6; j++) {
            C[6 * i + j] -= row[j];
        }
    }
}

/// y += A x
static inline void tact_block6_add_product(const double A[36], const double x[6], double y[6])
{
    for (int i = 0; i < 6; i++) {
        for (int j = 0; j < 6; j++) {
            y[i] += A[6 * i + j] * x[j];
        }
    }
}

/// y += A' x
static inline void tact_block6_add_transposed(const double A[36], const double x[6], double y[6])
{
    for (int j = 0; j < 6; j++) {
        for (int i = 0; i < 6; i++) {
            y[i] += A[6 * j + i] * x[j];
        }
    }
}

/// Accelerations in the rows become those of the point r further on: rows v += w x r.
static inline void tact_block6_shift_rows(double A[36], TactVec3 r)
{
    for (int j = 0; j < 6; j++) {
        double wx = A[18 + j], wy = A[24 + j], wz = A[30 + j];
        A[j] += wy * r.z - wz * r.y;
        A[6 + j] += wz * r.x - wx * r.z;
        A[12 + j] += wx * r.y - wy * r.x;
    }
}

/// Forces in the columns now attack at the point r further on: torque r x f comes with force f.
static inline void tact_block6_shift_columns(double A[36], TactVec3 r)
{
    for (int i = 0; i < 6; i++) {
        double *a = A + 6 * i;
        double  tx = a[3], ty = a[4], tz = a[5];
        a[0] += ty * r.z - tz * r.y;
        a[1] += tz * r.x - tx * r.z;
        a[2] += tx * r.y - ty * r.x;
    }
}

/// B = A', B not A
static inline void tact_block6_transpose(const double A[36], double B[36])
{
    for (int i = 0; i < 6; i++) {
        for (int j = 0; j < 6; j++) {
            B[6 * j + i] = A[6 * i + j];
        }
    }
}

/// Inverse of a symmetric positive definite n x n matrix, n <= 6, rows 6 apart, by A = L D L'. Both
/// triangles of A are written; reads the lower one.
static inline void tact_block6_invert(int n, double A[36])
{
    double X[36]; // L^-1, lower, unit
    double d[6];
    for (int j = 0; j < n; j++) { // L in the lower triangle of A
        for (int i = j; i < n; i++) {
            double sum = A[6 * i + j];
            for (int k = 0; k < j; k++) {
                sum -= A[6 * i + k] * A[6 * j + k] * d[k];
            }
            A[6 * i + j] = i == j ? sum : sum / d[j];
            if (i == j) {
                d[j] = sum;
            }
        }
    }
    for (int j = 0; j < n; j++) {
        X[6 * j + j] = 1;
        for (int i = j + 1; i < n; i++) {
            double sum = 0;
            for (int k = j; k < i; k++) {
                sum -= A[6 * i + k] * X[6 * k + j];
            }
            X[6 * i + j] = sum;
        }
    }
    for (int i = 0; i < n; i++) { // L'^-1 D^-1 L^-1
        for (int j = 0; j <= i; j++) {
            double sum = 0;
            for (int k = i; k < n; k++) {
                sum += X[6 * k + i] * X[6 * k + j] / d[k];
            }
            A[6 * i + j] = sum;
        }
    }
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < i; j++) {
            A[6 * j + i] = A[6 * i + j];
        }
    }
}

#endif
