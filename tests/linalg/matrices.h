// Random matrices and plain textbook references for the tests of linalg.
#ifndef TESTS_LINALG_MATRICES_H
#define TESTS_LINALG_MATRICES_H

// clang-format off
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>
// clang-format on
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <tact/base.h>

/// Sizes on which every kernel is compared: all small ones, then those around the block sizes.
static const int test_sizes[] = {0,  1,  2,  3,  4,  5,   6,   7,   8,   9,  10,
                                 11, 12, 13, 15, 16, 17,  19,  23,  24,  31, 32,
                                 33, 47, 63, 64, 65, 100, 127, 150, 199, 200};
enum { TEST_SIZES = sizeof test_sizes / sizeof *test_sizes };

static inline double *new_doubles(int count)
{
    double *x = calloc((size_t)(count > 0 ? count : 1), sizeof *x);
    assert_non_null(x);
    return x;
}

static inline void fill_random(TactRandom *random, int count, double *x)
{
    for (int i = 0; i < count; i++) {
        x[i] = tact_random_normal(random);
    }
}

/// Q diag(1 ... 1/condition) Q' (symmetric) with Q a product of random reflections.   (n x n)
static inline void fill_conditioned(TactRandom *random, int n, double condition, double *A)
{
    memset(A, 0, (size_t)(n * n) * sizeof *A);
    for (int i = 0; i < n; i++) {
        A[i * n + i] = n > 1 ? pow(condition, -(double)i / (n - 1)) : 1;
    }
    double *v = new_doubles(n);
    for (int reflection = 0; reflection < 3; reflection++) {
        fill_random(random, n, v);
        double length = 0;
        for (int i = 0; i < n; i++) {
            length += v[i] * v[i];
        }
        for (int side = 0; side < 2; side++) { // A := H A, then A := A H, H = 1 - 2 v v' / v'v
            for (int j = 0; j < n; j++) {
                double dot = 0;
                for (int i = 0; i < n; i++) {
                    dot += v[i] * (side ? A[j * n + i] : A[i * n + j]);
                }
                for (int i = 0; i < n; i++) {
                    *(side ? A + j * n + i : A + i * n + j) -= 2 * v[i] * dot / length;
                }
            }
        }
    }
    free(v);
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < i; j++) {
            A[i * n + j] = A[j * n + i];
        }
    }
}

/// A = G G' / r, G of r random columns: positive semidefinite of rank min(n, r).        (n x n)
static inline void fill_gram(TactRandom *random, int n, int r, double *A)
{
    double *G = new_doubles(n * r);
    fill_random(random, n * r, G);
    for (int i = 0; i < n; i++) {
        for (int j = 0; j <= i; j++) {
            double sum = 0;
            for (int k = 0; k < r; k++) {
                sum += G[i * r + k] * G[j * r + k];
            }
            A[i * n + j] = A[j * n + i] = sum / r;
        }
    }
    free(G);
}

static inline double max_abs(int count, const double *x)
{
    double largest = 0;
    for (int i = 0; i < count; i++) {
        largest = fmax(largest, fabs(x[i]));
    }
    return largest;
}

/// max_i |b_i - A_i: x| with rows ld apart
static inline double residual(int n, const double *A, int ld, const double *x, const double *b)
{
    double worst = 0;
    for (int i = 0; i < n; i++) {
        long double sum = b[i];
        for (int j = 0; j < n; j++) {
            sum -= (long double)A[i * ld + j] * x[j];
        }
        worst = fmax(worst, fabs((double)sum));
    }
    return worst;
}

/// Gaussian elimination with partial pivoting as in any textbook, in long double. Destroys A, b.
static inline void reference_solve(int n, long double *A, long double *b, long double *x)
{
    for (int j = 0; j < n; j++) {
        int best = j;
        for (int i = j + 1; i < n; i++) {
            best = fabsl(A[i * n + j]) > fabsl(A[best * n + j]) ? i : best;
        }
        for (int k = 0; k < n; k++) {
            long double t = A[j * n + k];
            A[j * n + k] = A[best * n + k];
            A[best * n + k] = t;
        }
        long double t = b[j];
        b[j] = b[best];
        b[best] = t;
        for (int i = j + 1; i < n; i++) {
            long double l = A[i * n + j] / A[j * n + j];
            for (int k = j; k < n; k++) {
                A[i * n + k] -= l * A[j * n + k];
            }
            b[i] -= l * b[j];
        }
    }
    for (int i = n - 1; i >= 0; i--) {
        long double sum = b[i];
        for (int j = i + 1; j < n; j++) {
            sum -= A[i * n + j] * x[j];
        }
        x[i] = sum / A[i * n + i];
    }
}

/// The same from doubles: x of A x = b, correct to about 1e-19 times the condition number.
static inline void reference_solution(int n, const double *A, int ld, const double *b, double *x)
{
    size_t       count = (size_t)(n > 0 ? n : 1);
    long double *A_copy = malloc(count * count * sizeof *A_copy);
    long double *b_copy = malloc(count * sizeof *b_copy);
    long double *x_long = malloc(count * sizeof *x_long);
    assert_true(A_copy && b_copy && x_long);
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < n; j++) {
            A_copy[i * n + j] = A[i * ld + j];
        }
        b_copy[i] = b[i];
    }
    reference_solve(n, A_copy, b_copy, x_long);
    for (int i = 0; i < n; i++) {
        x[i] = (double)x_long[i];
    }
    free(A_copy);
    free(b_copy);
    free(x_long);
}

#endif
