// Vector loops against plain loops in long double; residuals against exactly known ones.
#include "linalg/vector.h"

#include "matrices.h"

enum { MAX = 70 };

static void dot_axpy_and_scale_agree_with_plain_loops(void **state)
{
    (void)state;
    TactRandom random = tact_random_seed(11);
    for (int n = 0; n < MAX; n++) {
        double x[MAX], y[MAX], z[MAX];
        fill_random(&random, n, x);
        fill_random(&random, n, y);
        long double sum = 0;
        double      size = 0;
        for (int i = 0; i < n; i++) {
            sum += (long double)x[i] * y[i];
            size += fabs(x[i] * y[i]);
        }
        assert_true(fabsl(tact_vec_dot(n, x, y) - sum) <= 1e-15 * size);
        assert_true(tact_vec_max_abs(n, x) == max_abs(n, x));

        memcpy(z, y, sizeof z);
        z[n] = 7;
        tact_vec_axpy(n, 0.37, x, z);
        for (int i = 0; i < n; i++) {
            double expected = 0.37 * x[i];
            expected += y[i];
            assert_true(z[i] == expected); // element-wise: the very same bits
        }
        assert_true(z[n] == 7);
        memcpy(z, x, sizeof z);
        z[n] = 7;
        tact_vec_scale(n, -3, z);
        for (int i = 0; i < n; i++) {
            assert_true(z[i] == -3 * x[i]);
        }
        assert_true(z[n] == 7);
    }
}

static void four_rows_at_once_give_the_bits_of_one_at_a_time(void **state)
{
    (void)state;
    TactRandom random = tact_random_seed(12);
    for (int n = 0; n < MAX; n++) {
        double rows[4 * (MAX + 2)], x[MAX], y[MAX], z[MAX], four[4];
        int    ld = n + 2;
        fill_random(&random, 4 * ld, rows);
        fill_random(&random, n, x);
        memcpy(y, x, sizeof y);
        memcpy(z, x, sizeof z);
        tact_vec_dot4(n, rows, ld, x, four);
        tact_vec_axpy4(n, (double[]){1.5, -0.3, 2.7, 0.1}, rows, ld, y);
        double        left[4];
        const double *apart[4] = {rows + 2 * ld, rows, rows + ld, rows};
        tact_vec_residual4(n, apart, x, left);
        for (int r = 0; r < 4; r++) {
            assert_true(left[r] == tact_vec_residual(n, apart[r], x, 0));
            assert_true(four[r] == tact_vec_dot(n, rows + r * ld, x));
            tact_vec_axpy(n, (double[]){1.5, -0.3, 2.7, 0.1}[r], rows + r * ld, z);
        }
        assert_memory_equal(y, z, (size_t)n * sizeof *y);
    }
}

static void the_sum_has_eight_lanes_whatever_the_instruction_set(void **state)
{
    (void)state;
    TactRandom random = tact_random_seed(13);
    for (int n = 0; n < MAX; n++) {
        double x[MAX], y[MAX];
        fill_random(&random, n, x);
        fill_random(&random, n, y);
        volatile double lane[8] = {0};
        for (int i = 0; i < n; i++) {
            volatile double product = x[i] * y[i];
            lane[i % 8] = lane[i % 8] + product;
        }
        double s0 = lane[0] + lane[4], s1 = lane[1] + lane[5];
        double s2 = lane[2] + lane[6], s3 = lane[3] + lane[7];
        assert_true(tact_vec_dot(n, x, y) == (s0 + s2) + (s1 + s3));
    }
}

static void the_residual_survives_cancellation(void **state)
{
    (void)state;
    // 1e16 + 3 - 1e16 ... cancels in pairs: what is left is known exactly.
    for (int n = 3; n < MAX; n += 3) {
        double a[MAX], x[MAX];
        for (int i = 0; i < n; i += 3) {
            a[i] = 1e16, x[i] = 3;
            a[i + 1] = 1, x[i + 1] = 0.25;
            a[i + 2] = -3e16, x[i + 2] = 1;
        }
        assert_true(tact_vec_residual(n, a, x, 1) == 1 - 0.25 * (n / 3));
    }
    // (1 + e)(1 - e) = 1 - e^2, far below one rounding of the product.
    double e = ldexp(1, -40);
    assert_true(tact_vec_residual(1, (double[]){1 + e}, (double[]){1 - e}, 1) == e * e);
    double many_a[8], many_x[8];
    for (int i = 0; i < 8; i++) {
        many_a[i] = 1 + e;
        many_x[i] = 1 - e;
    }
    assert_true(tact_vec_residual(8, many_a, many_x, 8) == 8 * e * e);
}

static void matrix_products_agree_with_plain_loops(void **state)
{
    (void)state;
    TactRandom random = tact_random_seed(14);
    for (int s = 0; s < TEST_SIZES; s++) {
        int     n = test_sizes[s], m = (n * 7) / 5, ld = n + 1;
        double *A = new_doubles(m * ld), *x = new_doubles(n), *y = new_doubles(m);
        double *r = new_doubles(m);
        fill_random(&random, m * ld, A);
        fill_random(&random, n, x);
        tact_mat_times(m, n, A, ld, x, y);
        tact_mat_residual(m, n, A, ld, x, y, r);
        for (int i = 0; i < m; i++) {
            long double sum = 0;
            for (int j = 0; j < n; j++) {
                sum += (long double)A[i * ld + j] * x[j];
            }
            assert_true(fabsl(y[i] - sum) <= 1e-14 * (n + 1));
            assert_true(fabsl(r[i] - (y[i] - sum)) <= 1e-17 * (n + 1));
        }
        free(A);
        free(x);
        free(y);
        free(r);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(dot_axpy_and_scale_agree_with_plain_loops),
        cmocka_unit_test(four_rows_at_once_give_the_bits_of_one_at_a_time),
        cmocka_unit_test(the_sum_has_eight_lanes_whatever_the_instruction_set),
        cmocka_unit_test(the_residual_survives_cancellation),
        cmocka_unit_test(matrix_products_agree_with_plain_loops),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
