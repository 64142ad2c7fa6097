// Lemke's pivots in double-double arithmetic: the basis they end with solves the LCP to 1e-25.
// clang-format off
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
// clang-format on
#include <gmp.h>
#include <math.h>
#include <tact/base.h>

#include "prove/search/lemke_double.h"

enum { N = 14 };

/// |z - what it should be| by w = M z + q in rationals: z >= 0, w >= 0 and z w = 0 up to tol.
static void assert_solves(const double *M, const double *q, mpq_t z[N], double tol)
{
    mpq_t w, x;
    mpq_inits(w, x, NULL);
    for (int i = 0; i < N; i++) {
        mpq_set_d(w, q[i]);
        for (int j = 0; j < N; j++) {
            mpq_set_d(x, M[N * i + j]);
            mpq_mul(x, x, z[j]);
            mpq_add(w, w, x);
        }
        assert_true(mpq_get_d(z[i]) >= -tol && mpq_get_d(w) >= -tol);
        assert_true(fmin(mpq_get_d(z[i]), mpq_get_d(w)) <= tol);
    }
    mpq_clears(w, x, NULL);
}

static void the_basis_at_the_end_solves_the_lcp(void **state)
{
    (void)state;
    TactRandom random = tact_random_seed(8);
    for (int trial = 0; trial < 40; trial++) {
        double M[N * N], B[N * N], q[N], hi[N * (N + 2)], lo[N * (N + 2)] = {0};
        int    basic[N], carried[N + 2];
        mpq_t  z[N], rest;
        for (int k = 0; k < N * N; k++) {
            B[k] = tact_random_normal(&random);
        }
        for (int i = 0; i < N; i++) {
            q[i] = tact_random_normal(&random);
            for (int j = 0; j < N; j++) {
                M[N * i + j] = (i == j) + B[N * i + j] - B[N * j + i];
                for (int k = 0; k < N; k++) {
                    M[N * i + j] += B[N * i + k] * B[N * j + k];
                }
                hi[(N + 2) * i + j] = M[N * i + j];
            }
            hi[(N + 2) * i + N] = 1 + 0.1 * i;
            hi[(N + 2) * i + N + 1] = q[i];
        }
        assert_true(tact_lemke_double(N, hi, lo, basic, carried, 0));
        mpq_init(rest);
        for (int i = 0; i < N; i++) {
            mpq_init(z[i]);
        }
        for (int i = 0; i < N; i++) {
            if (basic[i] >= N) {
                assert_true(basic[i] < 2 * N); // z0 has left
                mpq_set_d(z[basic[i] - N], hi[(N + 2) * i + N + 1]);
                mpq_set_d(rest, lo[(N + 2) * i + N + 1]);
                mpq_add(z[basic[i] - N], z[basic[i] - N], rest);
            }
        }
        assert_solves(M, q, z, 1e-25);
        for (int i = 0; i < N; i++) {
            mpq_clear(z[i]);
        }
        mpq_clear(rest);
    }
}

static void a_problem_without_solution_ends_on_a_ray(void **state)
{
    (void)state;
    // w = -1, whatever z.
    double hi[3] = {0, 1, -1}, lo[3] = {0};
    int    basic[1], carried[3];
    assert_false(tact_lemke_double(1, hi, lo, basic, carried, 0));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_basis_at_the_end_solves_the_lcp),
        cmocka_unit_test(a_problem_without_solution_ends_on_a_ray),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
