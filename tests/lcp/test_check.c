// Every wrong problem is told from a right one, and the message names what is wrong and where.
#include "problems.h"
// clang-format off
#include <stdio.h>
// clang-format on

enum { N = 3 };

/// A right problem, to be spoilt.
typedef struct Right {
    double         M[N * N], q[N], lo[N], hi[N];
    int            f_index[N];
    int            row_start[N + 1], column[5];
    double         value[5];
    TactLcpCsr     csr;
    TactLcpProblem problem;
} Right;

static void make_right(Right *right)
{
    *right = (Right){.M = {2, 1, 0, 1, 2, 0, 0, 0, 2},
                     .q = {-1, 0, 1},
                     .lo = {0, -INF, -1},
                     .hi = {INF, INF, 1},
                     .f_index = {-1, -1, -1},
                     .row_start = {0, 2, 4, 5},
                     .column = {0, 1, 0, 1, 2},
                     .value = {2, 1, 1, 2, 2}};
    right->csr = (TactLcpCsr){right->row_start, right->column, right->value};
    right->problem = (TactLcpProblem){.n = N,
                                      .M = right->M,
                                      .q = right->q,
                                      .lo = right->lo,
                                      .hi = right->hi,
                                      .f_index = right->f_index};
}

static void make_right_csr(Right *right)
{
    make_right(right);
    right->problem.M = NULL;
    right->problem.M_csr = &right->csr;
}

static void assert_told(const Right *right, TactStatus status, const char *words)
{
    assert_int_equal(tact_lcp_check(&right->problem), status);
    if (!strstr(tact_status_message(), words)) {
        fail_msg("'%s' does not say '%s'", tact_status_message(), words);
    }
}

static void a_right_problem_is_right(void **state)
{
    (void)state;
    Right right;
    make_right(&right);
    assert_int_equal(tact_lcp_check(&right.problem), TACT_OK);
    make_right_csr(&right);
    assert_int_equal(tact_lcp_check(&right.problem), TACT_OK);
    right.problem.lo = right.problem.hi = NULL;
    right.problem.f_index = NULL;
    assert_int_equal(tact_lcp_check(&right.problem), TACT_OK);
    // Nothing at all is a problem too.
    assert_int_equal(tact_lcp_check(&(TactLcpProblem){.n = 0}), TACT_OK);
}

static void wrong_sizes_and_missing_pointers_are_told(void **state)
{
    (void)state;
    Right right;
    assert_int_equal(tact_lcp_check(NULL), TACT_BAD_ARGUMENT);
    make_right(&right);
    right.problem.n = -1;
    assert_told(&right, TACT_BAD_ARGUMENT, "n is -1");
    make_right(&right);
    right.problem.q = NULL;
    assert_told(&right, TACT_BAD_ARGUMENT, "q");
    make_right(&right);
    right.problem.M = NULL;
    assert_told(&right, TACT_BAD_ARGUMENT, "one of M and M_csr");
    make_right(&right);
    right.problem.M_csr = &right.csr;
    assert_told(&right, TACT_BAD_ARGUMENT, "one of M and M_csr");
}

static void entries_that_are_not_finite_are_told_with_their_place(void **state)
{
    (void)state;
    const double bad[] = {NAN, INF, -INF};
    Right        right;
    for (int k = 0; k < 3; k++) {
        make_right(&right);
        right.M[5] = bad[k];
        assert_told(&right, TACT_BAD_INPUT, "M[1,2]");
        make_right(&right);
        right.q[2] = bad[k];
        assert_told(&right, TACT_BAD_INPUT, "q[2]");
        make_right_csr(&right);
        right.value[3] = bad[k];
        assert_told(&right, TACT_BAD_INPUT, "M[1,1]");
    }
    // Every place of a matrix whose size is no multiple of anything.
    enum { ODD = 11 };
    Owned owned = new_problem(ODD);
    for (int k = 0; k < ODD * ODD; k++) {
        char words[32];
        snprintf(words, sizeof words, "M[%d,%d] is", k / ODD, k % ODD);
        owned.M[k] = NAN;
        assert_int_equal(tact_lcp_check(&owned.problem), TACT_BAD_INPUT);
        assert_non_null(strstr(tact_status_message(), words));
        owned.M[k] = 0;
    }
    free_problem(&owned);
}

static void large_entries_are_fine(void **state)
{
    (void)state;
    Right right;
    make_right(&right);
    for (int k = 0; k < N * N; k++) {
        right.M[k] = k % 2 ? 1e308 : -1e308;
    }
    assert_int_equal(tact_lcp_check(&right.problem), TACT_OK);
}

static void bounds_that_are_no_interval_are_told_with_their_row(void **state)
{
    (void)state;
    const double wrong[][2] = {{1, 0},     {NAN, 1},     {0, NAN}, {NAN, NAN},
                               {INF, INF}, {-INF, -INF}, {INF, 0}, {0, -INF}};
    Right        right;
    for (int k = 0; k < 8; k++) {
        for (int i = 0; i < N; i++) {
            char words[32];
            snprintf(words, sizeof words, "bounds %d", i);
            make_right(&right);
            right.lo[i] = wrong[k][0];
            right.hi[i] = wrong[k][1];
            assert_told(&right, TACT_BAD_INPUT, words);
        }
    }
    // Where one side is given, the other is 0 or +infinity.
    make_right(&right);
    right.problem.lo = NULL;
    right.hi[1] = -1;
    assert_told(&right, TACT_BAD_INPUT, "bounds 1: [0, -1]");
    make_right(&right);
    right.problem.hi = NULL;
    right.lo[2] = INF;
    assert_told(&right, TACT_BAD_INPUT, "bounds 2");
    make_right(&right);
    right.lo[0] = right.hi[0] = 7; // fixed
    assert_int_equal(tact_lcp_check(&right.problem), TACT_OK);
}

static void broken_sparse_matrices_are_told_with_their_row(void **state)
{
    (void)state;
    Right right;
    make_right_csr(&right);
    right.csr.value = NULL;
    assert_told(&right, TACT_BAD_ARGUMENT, "NULL");
    make_right_csr(&right);
    right.row_start[0] = 1;
    assert_told(&right, TACT_BAD_INPUT, "row_start[0] is 1");
    make_right_csr(&right);
    right.row_start[2] = 1;
    assert_told(&right, TACT_BAD_INPUT, "row_start[2] = 1 is less than row_start[1] = 2");
    const int columns[] = {-1, 3, 0}; // before the first, behind the last, the same again
    for (int k = 0; k < 3; k++) {
        make_right_csr(&right);
        right.column[3] = columns[k];
        assert_told(&right, TACT_BAD_INPUT, "row 1: column");
        assert_non_null(strstr(tact_status_message(), "place 3"));
    }
}

static void friction_rows_without_normal_or_coefficient_are_told(void **state)
{
    (void)state;
    Right right;
    make_right(&right);
    right.f_index[2] = 0;
    right.hi[2] = 0.5;
    right.lo[2] = NAN; // not read
    assert_int_equal(tact_lcp_check(&right.problem), TACT_OK);
    const int wrong[] = {2, 3, -2}; // itself, beyond the end, neither a row nor -1
    for (int k = 0; k < 3; k++) {
        right.f_index[2] = wrong[k];
        assert_told(&right, TACT_BAD_INPUT, "f_index[2]");
    }
    right.f_index[2] = 1; // a row that is friction itself
    right.f_index[1] = 0;
    right.hi[1] = 0.5;
    assert_told(&right, TACT_BAD_INPUT, "f_index[2] = 1");
    const double coefficients[] = {-0.1, INF, NAN};
    for (int k = 0; k < 3; k++) {
        make_right(&right);
        right.f_index[2] = 0;
        right.hi[2] = coefficients[k];
        assert_told(&right, TACT_BAD_INPUT, "hi[2]");
    }
    make_right(&right);
    right.f_index[2] = 0;
    right.problem.hi = NULL;
    assert_told(&right, TACT_BAD_INPUT, "hi[2]");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_right_problem_is_right),
        cmocka_unit_test(wrong_sizes_and_missing_pointers_are_told),
        cmocka_unit_test(entries_that_are_not_finite_are_told_with_their_place),
        cmocka_unit_test(large_entries_are_fine),
        cmocka_unit_test(bounds_that_are_no_interval_are_told_with_their_row),
        cmocka_unit_test(broken_sparse_matrices_are_told_with_their_row),
        cmocka_unit_test(friction_rows_without_normal_or_coefficient_are_told),
    };
    return cmocka_run_group_tests_name("lcp/check", tests, NULL, NULL);
}
