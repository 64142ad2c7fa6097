// LDL' with rows that come and go, against the product of its factors and the textbook solve.
#include "linalg/ldl.h"

#include "matrices.h"

typedef struct Fixture {
    int       n;     // size of A
    double   *A;     // (n x n)
    int      *index; // rows of A in the factor, in their order
    TactLdl   ldl;
    TactArena arena;
} Fixture;

static Fixture new_fixture(int n)
{
    Fixture f = {.n = n, .A = new_doubles(n * n), .index = calloc((size_t)n + 1, sizeof(int))};
    tact_ldl_layout(&f.ldl, n, &f.arena);
    assert_int_equal(tact_arena_create(&f.arena), TACT_OK);
    tact_ldl_layout(&f.ldl, n, &f.arena);
    return f;
}

static void free_fixture(Fixture *f)
{
    tact_arena_destroy(&f->arena);
    free(f->A);
    free(f->index);
}

/// max |A_index,index - L D L'|, multiplied out entry by entry
static double product_error(const Fixture *f)
{
    const TactLdl *ldl = &f->ldl;
    double         worst = 0;
    for (int i = 0; i < ldl->n; i++) {
        for (int j = 0; j <= i; j++) {
            long double sum = 0;
            for (int k = 0; k <= j; k++) {
                double l_ik = k == i ? 1 : ldl->U[k * ldl->ld + i];
                double l_jk = k == j ? 1 : ldl->U[k * ldl->ld + j];
                sum += (long double)l_ik * ldl->d[k] * l_jk;
            }
            sum -= f->A[f->index[i] * f->n + f->index[j]];
            worst = fmax(worst, fabs((double)sum));
        }
    }
    return worst;
}

static void put(Fixture *f, int place, int row)
{
    int n = f->ldl.n;
    memmove(f->index + place + 1, f->index + place, (size_t)(n - place) * sizeof(int));
    f->index[place] = row;
}

static void take(Fixture *f, int place)
{
    int n = f->ldl.n;
    memmove(f->index + place, f->index + place + 1, (size_t)(n - 1 - place) * sizeof(int));
}

static void column_of(const Fixture *f, int row, double *a)
{
    for (int i = 0; i < f->ldl.n; i++) {
        a[i] = f->A[f->index[i] * f->n + row];
    }
}

static void append(Fixture *f, int row)
{
    double *a = new_doubles(f->n);
    column_of(f, row, a);
    tact_ldl_forward(&f->ldl, a, a);
    put(f, f->ldl.n, row);
    tact_ldl_append(&f->ldl, a, tact_ldl_pivot(&f->ldl, a, f->A[row * f->n + row]));
    free(a);
}

static void factor_and_appended_rows_multiply_to_the_matrix(void **state)
{
    (void)state;
    TactRandom random = tact_random_seed(41);
    for (int s = 0; s < TEST_SIZES; s++) {
        Fixture f = new_fixture(test_sizes[s]);
        int     n = f.n;
        fill_conditioned(&random, n, 1e6, f.A);
        for (int i = 0; i < n; i++) {
            f.index[i] = n - 1 - i;
        }
        tact_ldl_factor(&f.ldl, n, f.A, n, f.index, 0);
        assert_int_equal(f.ldl.n, n);
        assert_true(product_error(&f) <= 1e-15 * (n + 1));
        assert_true(tact_ldl_drift(&f.ldl, f.A, n, f.index) <= 1e-14);
        f.ldl.n = 0;
        for (int i = 0; i < n; i++) {
            append(&f, i);
        }
        assert_true(product_error(&f) <= 1e-15 * (n + 1));
        free_fixture(&f);
    }
}

static void solve_leaves_backward_errors_of_rounding(void **state)
{
    (void)state;
    TactRandom   random = tact_random_seed(42);
    const double conditions[] = {1, 1e4, 1e8, 1e12};
    for (int s = 0; s < TEST_SIZES; s++) {
        for (int k = 0; k < 4; k++) {
            Fixture f = new_fixture(test_sizes[s]);
            int     n = f.n;
            double *b = new_doubles(n), *x = new_doubles(n);
            fill_conditioned(&random, n, conditions[k], f.A);
            fill_random(&random, n, b);
            for (int i = 0; i < n; i++) {
                f.index[i] = i;
            }
            tact_ldl_factor(&f.ldl, n, f.A, n, f.index, 0);
            assert_int_equal(f.ldl.n, n);
            tact_ldl_solve(&f.ldl, b, x);
            double scale = max_abs(n, x) * max_abs(n * n, f.A) * (n + 1) + max_abs(n, b);
            assert_true(residual(n, f.A, n, x, b) <= 1e-14 * scale);
            free(b);
            free(x);
            free_fixture(&f);
        }
    }
}

static void thousands_of_random_changes_leave_a_factor_of_the_rows_that_are_in(void **state)
{
    (void)state;
    const int sizes[] = {1, 2, 3, 5, 8, 13, 24, 40, 100};
    for (int s = 0; s < 9; s++) {
        Fixture    f = new_fixture(sizes[s]);
        int        n = f.n;
        TactRandom random = tact_random_seed(43 + (uint64_t)s);
        double    *a = new_doubles(n);
        double     tol = 1e-12;
        fill_conditioned(&random, n, 1e3, f.A);
        for (int step = 0; step < 3000; step++) {
            int k = f.ldl.n;
            int action = (int)(tact_random_next(&random) % 3);
            if ((action == 0 || k == n) && k > 0) {
                int place = (int)(tact_random_next(&random) % (uint64_t)k);
                take(&f, place);
                tact_ldl_remove(&f.ldl, place);
                continue;
            }
            int row = (int)(tact_random_next(&random) % (uint64_t)n);
            for (int i = 0; i < k; i++) { // a row that is not in yet
                if (f.index[i] == row) {
                    row = (row + 1) % n;
                    i = -1;
                }
            }
            if (action == 1) {
                append(&f, row);
            } else {
                int place = (int)(tact_random_next(&random) % (uint64_t)(k + 1));
                column_of(&f, row, a);
                put(&f, place, row);
                assert_true(tact_ldl_insert(&f.ldl, place, a, f.A[row * n + row], tol));
            }
            if (step % 100 == 0) {
                assert_true(tact_ldl_drift(&f.ldl, f.A, n, f.index) <= 1e-11);
            }
        }
        assert_true(product_error(&f) <= 1e-11);
        free(a);
        free_fixture(&f);
    }
}

static void removal_and_insertion_at_every_place_agree_with_a_fresh_factor(void **state)
{
    (void)state;
    TactRandom random = tact_random_seed(44);
    enum { N = 21 };
    for (int place = 0; place < N; place++) {
        Fixture f = new_fixture(N);
        fill_conditioned(&random, N, 1e5, f.A);
        for (int i = 0; i < N; i++) {
            f.index[i] = i;
        }
        tact_ldl_factor(&f.ldl, N, f.A, N, f.index, 0);
        take(&f, place);
        tact_ldl_remove(&f.ldl, place);
        assert_int_equal(f.ldl.n, N - 1);
        assert_true(product_error(&f) <= 1e-14);
        double a[N];
        column_of(&f, place, a);
        put(&f, place, place);
        assert_true(tact_ldl_insert(&f.ldl, place, a, f.A[place * N + place], 0));
        assert_int_equal(f.ldl.n, N);
        assert_true(product_error(&f) <= 1e-14);
        free_fixture(&f);
    }
}

static void dependent_rows_are_left_out_and_refused(void **state)
{
    (void)state;
    TactRandom random = tact_random_seed(45);
    for (int n = 7; n <= 40; n += 3) {
        Fixture f = new_fixture(n);
        double *a = new_doubles(n);
        fill_gram(&random, n, 6, f.A);
        for (int i = 0; i < n; i++) {
            f.index[i] = i;
        }
        tact_ldl_factor(&f.ldl, n, f.A, n, f.index, 1e-10);
        assert_int_equal(f.ldl.n, 6);
        assert_true(product_error(&f) <= 1e-13);
        for (int k = 6; k < n; k++) { // all that were left out depend on the six that are in
            column_of(&f, f.index[k], a);
            double diagonal = f.A[f.index[k] * n + f.index[k]];
            assert_false(tact_ldl_insert(&f.ldl, k % 7, a, diagonal, 1e-10));
            assert_int_equal(f.ldl.n, 6);
            tact_ldl_forward(&f.ldl, a, a);
            assert_true(fabs(tact_ldl_pivot(&f.ldl, a, diagonal)) <= 1e-10 * diagonal);
        }
        assert_true(product_error(&f) <= 1e-13);
        free(a);
        free_fixture(&f);
    }
}

static void drift_shows_a_spoilt_factor(void **state)
{
    (void)state;
    TactRandom random = tact_random_seed(46);
    Fixture    f = new_fixture(30);
    fill_conditioned(&random, 30, 10, f.A);
    for (int i = 0; i < 30; i++) {
        f.index[i] = i;
    }
    tact_ldl_factor(&f.ldl, 30, f.A, 30, f.index, 0);
    assert_true(tact_ldl_drift(&f.ldl, f.A, 30, f.index) <= 1e-14);
    f.ldl.d[17] *= 1 + 1e-6;
    assert_true(tact_ldl_drift(&f.ldl, f.A, 30, f.index) >= 1e-9);
    free_fixture(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(factor_and_appended_rows_multiply_to_the_matrix),
        cmocka_unit_test(solve_leaves_backward_errors_of_rounding),
        cmocka_unit_test(thousands_of_random_changes_leave_a_factor_of_the_rows_that_are_in),
        cmocka_unit_test(removal_and_insertion_at_every_place_agree_with_a_fresh_factor),
        cmocka_unit_test(dependent_rows_are_left_out_and_refused),
        cmocka_unit_test(drift_shows_a_spoilt_factor),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
