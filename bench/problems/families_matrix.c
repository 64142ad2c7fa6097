// Families made of random matrices, and the two that make pivoting exponential.
#include "bench/problems/families_matrix.h"

#include <math.h>
#include <stdlib.h>

#include "bench/problems/scenes.h"

static double *at(TactFamilyProblem *out, int i, int j)
{
    return &out->M[(size_t)i * (size_t)out->problem.n + (size_t)j];
}

static void normal_q(TactRandom *random, TactFamilyProblem *out)
{
    for (int i = 0; i < out->problem.n; i++) {
        out->q[i] = tact_random_normal(random);
    }
}

/// M = B B' / n with B (n x rank) normal, plus a diagonal.
static TactStatus gram(TactRandom *random, int rank, double diagonal, TactFamilyProblem *out)
{
    int     n = out->problem.n;
    double *B = calloc((size_t)n * (size_t)rank, sizeof *B);
    if (!B) {
        return TACT_NO_MEMORY;
    }
    for (size_t k = 0; k < (size_t)n * (size_t)rank; k++) {
        B[k] = tact_random_normal(random);
    }
    for (int i = 0; i < n; i++) {
        for (int j = 0; j <= i; j++) {
            double sum = 0;
            for (int k = 0; k < rank; k++) {
                sum += B[(size_t)i * (size_t)rank + (size_t)k] *
                       B[(size_t)j * (size_t)rank + (size_t)k];
            }
            *at(out, i, j) = *at(out, j, i) = sum / (double)n;
        }
        *at(out, i, i) += diagonal;
    }
    free(B);
    return TACT_OK;
}

/// q = w - M z for a random complementary pair, so that z solves.
static TactStatus plant_solution(TactRandom *random, TactFamilyProblem *out)
{
    int     n = out->problem.n;
    double *z = calloc((size_t)n, sizeof *z);
    if (!z) {
        return TACT_NO_MEMORY;
    }
    for (int i = 0; i < n; i++) {
        double x = tact_random_normal(random);
        z[i] = x > 0 ? x : 0;
        out->q[i] = x > 0 ? 0 : -x;
    }
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < n; j++) {
            out->q[i] -= *at(out, i, j) * z[j];
        }
    }
    free(z);
    return TACT_OK;
}

// ---------------------------------------------------------------------------------------------
// Standard LCPs

TactStatus tact_family_spd(const TactFamily *family, TactRandom *random, TactFamilyProblem *out)
{
    TactStatus status = tact_family_problem_create(family->size, false, out);
    if (status == TACT_OK) {
        status = gram(random, family->size, family->extra, out);
    }
    if (status == TACT_OK) {
        normal_q(random, out);
    }
    return status;
}

TactStatus tact_family_low_rank(const TactFamily *family, TactRandom *random,
                                TactFamilyProblem *out)
{
    TactStatus status = tact_family_problem_create(family->size, false, out);
    if (status == TACT_OK) {
        status = gram(random, (family->size + 2) / 3, 0, out);
    }
    return status == TACT_OK ? plant_solution(random, out) : status;
}

/// Positive definite, not symmetric: B B' / n + 0.1 I plus a skew part of the same size.
TactStatus tact_family_asymmetric(const TactFamily *family, TactRandom *random,
                                  TactFamilyProblem *out)
{
    TactStatus status = tact_family_problem_create(family->size, false, out);
    if (status == TACT_OK) {
        status = gram(random, family->size, 0.1, out);
    }
    if (status != TACT_OK) {
        return status;
    }
    double size = 1 / sqrt((double)family->size);
    for (int i = 0; i < family->size; i++) {
        for (int j = 0; j < i; j++) {
            double skew = size * tact_random_normal(random);
            *at(out, i, j) += skew;
            *at(out, j, i) -= skew;
        }
    }
    normal_q(random, out);
    return TACT_OK;
}

static int *random_order(TactRandom *random, int n)
{
    int *order = calloc((size_t)n, sizeof *order);
    for (int i = 0; order && i < n; i++) {
        int j = (int)(tact_random_next(random) % (uint64_t)(i + 1));
        order[i] = order[j];
        order[j] = i;
    }
    return order;
}

/// A P-matrix that is not positive definite: triangular with a unit diagonal, renumbered.
TactStatus tact_family_p_matrix(const TactFamily *family, TactRandom *random,
                                TactFamilyProblem *out)
{
    TactStatus status = tact_family_problem_create(family->size, false, out);
    if (status != TACT_OK) {
        return status;
    }
    int *order = random_order(random, family->size);
    if (!order) {
        return TACT_NO_MEMORY;
    }
    double size = 4 / sqrt((double)family->size);
    for (int i = 0; i < family->size; i++) {
        *at(out, order[i], order[i]) = 1;
        for (int j = 0; j < i; j++) {
            *at(out, order[i], order[j]) = size * tact_random_normal(random);
        }
    }
    free(order);
    normal_q(random, out);
    return TACT_OK;
}

/// Symmetric and indefinite, with a planted solution: no method is guaranteed to find it.
TactStatus tact_family_indefinite(const TactFamily *family, TactRandom *random,
                                  TactFamilyProblem *out)
{
    TactStatus status = tact_family_problem_create(family->size, false, out);
    if (status != TACT_OK) {
        return status;
    }
    for (int i = 0; i < family->size; i++) {
        for (int j = 0; j <= i; j++) {
            *at(out, i, j) = *at(out, j, i) = tact_random_normal(random);
        }
    }
    return plant_solution(random, out);
}

// ---------------------------------------------------------------------------------------------
// Bounds and free variables

/// SPD; a third each of [0, inf), [-a, b] and (-inf, b].
TactStatus tact_family_bounded(const TactFamily *family, TactRandom *random, TactFamilyProblem *out)
{
    TactStatus status = tact_family_problem_create(family->size, true, out);
    if (status == TACT_OK) {
        status = gram(random, family->size, 0.01, out);
    }
    if (status != TACT_OK) {
        return status;
    }
    normal_q(random, out);
    for (int i = 0; i < family->size; i++) {
        int kind = (int)(tact_random_next(random) % 3);
        out->lo[i] = kind == 0 ? 0 : kind == 1 ? -tact_random_uniform(random, 0, 1) : -HUGE_VAL;
        out->hi[i] = kind == 0 ? HUGE_VAL : tact_random_uniform(random, 0, 1);
    }
    return TACT_OK;
}

/// SPD; a third of the variables is free.
TactStatus tact_family_mixed(const TactFamily *family, TactRandom *random, TactFamilyProblem *out)
{
    TactStatus status = tact_family_problem_create(family->size, true, out);
    if (status == TACT_OK) {
        status = gram(random, family->size, 0.01, out);
    }
    if (status != TACT_OK) {
        return status;
    }
    normal_q(random, out);
    for (int i = 0; i < family->size; i++) {
        out->lo[i] = tact_random_next(random) % 3 == 0 ? -HUGE_VAL : 0;
        out->hi[i] = HUGE_VAL;
    }
    return TACT_OK;
}

/// min x'Hx/2 + c'x with A x >= b, x free: M = (H, -A'; A, 0), zero diagonal, not symmetric.
/// b leaves a planted x feasible.
TactStatus tact_family_quadratic(const TactFamily *family, TactRandom *random,
                                 TactFamilyProblem *out)
{
    int        n = family->size, free_count = 2 * n / 3;
    TactStatus status = tact_family_problem_create(n, true, out);
    if (status == TACT_OK) {
        status = gram(random, n, 0.1, out);
    }
    if (status != TACT_OK) {
        return status;
    }
    normal_q(random, out);
    for (int i = free_count; i < n; i++) {
        for (int j = free_count; j < n; j++) {
            *at(out, i, j) = 0;
        }
    }
    for (int i = free_count; i < n; i++) {
        double slack = tact_random_uniform(random, -1, 1);
        out->q[i] = slack > 0 ? slack : 0;
        for (int j = 0; j < free_count; j++) {
            double a = tact_random_normal(random);
            *at(out, i, j) = a;
            *at(out, j, i) = -a;
            out->q[i] -= a * (double)(j % 3 - 1);
        }
    }
    for (int i = 0; i < n; i++) {
        out->lo[i] = i < free_count ? -HUGE_VAL : 0;
        out->hi[i] = HUGE_VAL;
    }
    return TACT_OK;
}

// ---------------------------------------------------------------------------------------------
// Exponential families
//
// L has 1 on and 2 below the diagonal: a P-matrix. Murty takes M = L with b = 2, Fathi M = L L',
// symmetric positive definite, with b = 4 (2 is not enough there), and
//
//     q_i = -(b^n + b^(n-1) + ... + b^(n-i)),   i = 0 .. n-1.
//
// With the covering vector (1, ..., 1) of the matrix as it stands Lemke takes 2^n pivots on both,
// counted in rational arithmetic up to n = 9 and n = 7; with one that grows like b^i, two. All
// entries are exact in doubles. The seed scales q by a power of two, which changes no pivot.

static void murty_q(TactRandom *random, double base, TactFamilyProblem *out)
{
    int    n = out->problem.n;
    double scale = ldexp(1, -(int)(tact_random_next(random) % 16));
    double power = pow(base, n), sum = 0;
    for (int i = 0; i < n; i++) {
        sum += power;
        power /= base;
        out->q[i] = -scale * sum;
    }
}

TactStatus tact_family_murty(const TactFamily *family, TactRandom *random, TactFamilyProblem *out)
{
    TactStatus status = tact_family_problem_create(family->size, false, out);
    if (status != TACT_OK) {
        return status;
    }
    for (int i = 0; i < family->size; i++) {
        for (int j = 0; j <= i; j++) {
            *at(out, i, j) = i == j ? 1 : 2;
        }
    }
    murty_q(random, 2, out);
    return TACT_OK;
}

TactStatus tact_family_fathi(const TactFamily *family, TactRandom *random, TactFamilyProblem *out)
{
    TactStatus status = tact_family_problem_create(family->size, false, out);
    if (status != TACT_OK) {
        return status;
    }
    // (L L')_ij = sum_{k <= min(i, j)} L_ik L_jk: four for every k below both, then 2 or 1
    for (int i = 0; i < family->size; i++) {
        for (int j = 0; j < family->size; j++) {
            *at(out, i, j) = 4.0 * (double)(i < j ? i : j) + (i == j ? 1 : 2);
        }
    }
    murty_q(random, 4, out);
    return TACT_OK;
}
