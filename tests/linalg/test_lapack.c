// LAPACK and the own kernels give the same factors; with TACT_MEASURE set, how long each takes (the
// table of docs/theory/linalg.md).
#include "linalg/lapack.h"

#include <stdio.h>

#include "linalg/cholesky.h"
#include "linalg/lu.h"
#include "matrices.h"

static void lapack_and_own_lu_agree(void **state)
{
    (void)state;
    TactRandom random = tact_random_seed(51);
    for (int n = 1; n <= 300; n = n < 8 ? n + 1 : n * 3 / 2) {
        int     ld = n + 3;
        double *A = new_doubles(n * ld), *B = new_doubles(n * ld);
        int    *perm_A = calloc((size_t)n, sizeof *perm_A);
        int    *perm_B = calloc((size_t)n, sizeof *perm_B);
        fill_random(&random, n * ld, A);
        memcpy(B, A, (size_t)(n * ld) * sizeof *A);
        bool present = tact_lapack_lu(n, B, ld, perm_B);
        assert_int_equal(tact_lu_factor_small(n, A, ld, perm_A, 0), -1);
        for (int i = 0; i < n && present; i++) {
            assert_int_equal(perm_A[i], perm_B[i]);
            for (int j = 0; j < ld; j++) {
                assert_true(fabs(A[i * ld + j] - B[i * ld + j]) <=
                            1e-10 * (1 + fabs(A[i * ld + j])));
            }
        }
        free(A);
        free(B);
        free(perm_A);
        free(perm_B);
    }
}

static void lapack_and_own_cholesky_agree(void **state)
{
    (void)state;
    TactRandom random = tact_random_seed(52);
    for (int n = 1; n <= 300; n = n < 8 ? n + 1 : n * 3 / 2) {
        double *A = new_doubles(n * n), *B = new_doubles(n * n);
        fill_conditioned(&random, n, 100, A);
        memcpy(B, A, (size_t)(n * n) * sizeof *A);
        bool present = tact_lapack_cholesky(n, B, n);
        assert_int_equal(tact_cholesky_factor_small(n, A, n, 0), n);
        for (int i = 0; i < n * n && present; i++) {
            assert_true(fabs(A[i] - B[i]) <= 1e-13);
        }
        free(A);
        free(B);
    }
}

static void large_singular_matrices_are_reported_as_small_ones_are(void **state)
{
    (void)state;
    enum { N = 300, RANK = 200 };
    TactRandom random = tact_random_seed(53);
    double    *A = new_doubles(N * N), *B = new_doubles(N * N), *work = new_doubles(N);
    int       *perm = calloc(N, sizeof *perm);
    fill_gram(&random, N, RANK, A);
    memcpy(B, A, (size_t)(N * N) * sizeof *A);
    assert_int_equal(tact_cholesky_factor(N, B, N, 1e-10, work), RANK);
    // A random pencil of rank 200: the 201st column is the first without a pivot.
    assert_int_equal(tact_lu_factor(N, A, N, perm, 1e-10), RANK);
    free(A);
    free(B);
    free(work);
    free(perm);
}

typedef enum Kernel { LU_OWN, LU_LAPACK, CHOLESKY_OWN, CHOLESKY_LAPACK, KERNELS } Kernel;

static double time_kernel(Kernel kernel, int n, const double *M, double *A, int *perm)
{
    double best = 1;
    for (int repeat = 0; repeat < 20 + 20000 / n; repeat++) {
        memcpy(A, M, (size_t)(n * n) * sizeof *A);
        double start = tact_time_now();
        switch (kernel) {
        case LU_OWN: tact_lu_factor_small(n, A, n, perm, 0); break;
        case LU_LAPACK: tact_lapack_lu(n, A, n, perm); break;
        case CHOLESKY_OWN: tact_cholesky_factor_small(n, A, n, 0); break;
        default: tact_lapack_cholesky(n, A, n); break;
        }
        best = fmin(best, tact_time_now() - start);
    }
    return 1e6 * best;
}

static void kernels_are_timed_if_asked(void **state)
{
    (void)state;
    if (!getenv("TACT_MEASURE")) {
        printf("skipped: set TACT_MEASURE to time the kernels\n");
        return;
    }
    const int  sizes[] = {4,   8,   16,  32,  64,  100, 120, 140, 160, 180, 200,
                          220, 240, 260, 270, 280, 290, 300, 320, 400, 500};
    TactRandom random = tact_random_seed(54);
    printf("microseconds, best of many\n|   n | LU own | LU LAPACK | Cholesky own | LAPACK |\n");
    for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++) {
        int     n = sizes[s];
        double *M = new_doubles(n * n), *A = new_doubles(n * n);
        int    *perm = calloc((size_t)n, sizeof *perm);
        fill_conditioned(&random, n, 100, M);
        printf("| %3d |", n);
        for (Kernel kernel = LU_OWN; kernel < KERNELS; kernel++) {
            printf(" %.2f |", time_kernel(kernel, n, M, A, perm));
        }
        printf("\n");
        free(M);
        free(A);
        free(perm);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lapack_and_own_lu_agree),
        cmocka_unit_test(lapack_and_own_cholesky_agree),
        cmocka_unit_test(large_singular_matrices_are_reported_as_small_ones_are),
        cmocka_unit_test(kernels_are_timed_if_asked),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
