// Exact linear algebra: against elimination in rationals, written here.
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

#include "prove/rational/piece.h"

enum { MOST = 24 };

/// x of A x = b by Gauss and Jordan in rationals; false if A is singular.
static bool eliminate(int n, mpq_t a[MOST][MOST + 1])
{
    mpq_t factor, product;
    bool  regular = true;
    mpq_inits(factor, product, NULL);
    for (int k = 0; k < n && regular; k++) {
        int row = k;
        while (row < n && mpq_sgn(a[row][k]) == 0) {
            row++;
        }
        regular = row < n;
        for (int j = 0; j <= n && regular; j++) {
            mpq_swap(a[k][j], a[row][j]);
        }
        for (int i = 0; i < n && regular; i++) {
            if (i == k) {
                continue;
            }
            mpq_div(factor, a[i][k], a[k][k]);
            for (int j = k; j <= n; j++) {
                mpq_mul(product, factor, a[k][j]);
                mpq_sub(a[i][j], a[i][j], product);
            }
        }
    }
    for (int i = 0; i < n && regular; i++) {
        mpq_div(a[i][n], a[i][n], a[i][i]);
    }
    mpq_clears(factor, product, NULL);
    return regular;
}

static double entry(TactRandom *random)
{
    double x = tact_random_uniform(random, -1, 1);
    return tact_random_uniform(random, 0, 1) < 0.4
               ? 0
               : ldexp(x, (int)tact_random_uniform(random, -30, 30));
}

static void exact_solutions_are_those_of_elimination_in_rationals(void **state)
{
    (void)state;
    TactRandom random = tact_random_seed(3);
    int        regular = 0;
    for (int trial = 0; trial < 60; trial++) {
        int               n = 1 + trial % MOST;
        double            guess[MOST] = {0};
        TactPiece         piece = {.n = n, .guess = guess};
        TactPieceSolution solution;
        mpq_t(*a)[MOST + 1] = test_malloc(sizeof(mpq_t[MOST][MOST + 1]));
        for (int i = 0; i < n; i++) {
            TactExactForm *form = tact_exact_set_next(&piece.equations, i, 0);
            for (int j = 0; j <= n; j++) {
                double x = entry(&random);
                mpq_init(a[i][j]);
                mpq_set_d(a[i][j], j < n ? x : -x);
                tact_exact_form_add_double(&piece.equations, form, j < n ? j : -1, x);
            }
        }
        bool expected = eliminate(n, a);
        assert_int_equal(tact_piece_solve(&piece, &solution), TACT_OK);
        assert_true(expected == (solution.rank == n));
        for (int i = 0; i < n && expected; i++) {
            mpq_t x;
            mpq_init(x);
            mpz_set(mpq_numref(x), solution.x[i]);
            mpz_set(mpq_denref(x), solution.denominator);
            mpq_canonicalize(x);
            assert_true(mpq_equal(x, a[i][n]));
            mpq_clear(x);
        }
        regular += expected;
        for (int i = 0; i < n; i++) {
            for (int j = 0; j <= n; j++) {
                mpq_clear(a[i][j]);
            }
        }
        test_free(a);
        tact_piece_solution_destroy(&solution);
        tact_exact_set_destroy(&piece.equations);
    }
    assert_true(regular > 40);
}

/// x + y = 1, 2 x + 2 y = right, x - 0.25 >= 0.
static void solve_redundant(double right, TactPiece *piece, TactPieceSolution *solution)
{
    static const double guess[2] = {0.3, 0.625};
    static const int    order[2] = {0, 1};
    *piece = (TactPiece){.n = 2, .guess = guess, .order = order};
    for (int i = 0; i < 2; i++) {
        TactExactForm *form = tact_exact_set_next(&piece->equations, i, 0);
        tact_exact_form_add_double(&piece->equations, form, 0, i + 1);
        tact_exact_form_add_double(&piece->equations, form, 1, i + 1);
        tact_exact_form_add_double(&piece->equations, form, -1, i == 0 ? -1 : -right);
    }
    TactExactForm *side = tact_exact_set_next(&piece->inequalities, 7, 0);
    tact_exact_form_add_double(&piece->inequalities, side, 0, 1);
    tact_exact_form_add_double(&piece->inequalities, side, -1, -0.25);
    assert_int_equal(tact_piece_solve(piece, solution), TACT_OK);
}

static void redundant_equations_keep_the_value_of_the_answer(void **state)
{
    (void)state;
    TactPiece         piece;
    TactPieceSolution solution;
    solve_redundant(2, &piece, &solution);
    assert_int_equal(solution.rank, 1);
    assert_int_equal(solution.broken, -1);
    // y is kept at 0.625, so x = 0.375.
    assert_true(tact_piece_value(&solution, 0) == 0.375);
    assert_true(tact_piece_value(&solution, 1) == 0.625);
    assert_int_equal(solution.sign[0], 1);
    tact_piece_solution_destroy(&solution);
    tact_exact_set_destroy(&piece.equations);
    tact_exact_set_destroy(&piece.inequalities);
}

static void an_equation_that_contradicts_by_the_last_bit_is_named(void **state)
{
    (void)state;
    TactPiece         piece;
    TactPieceSolution solution;
    solve_redundant(nextafter(2, 3), &piece, &solution);
    assert_int_equal(solution.broken, 1);
    assert_int_equal(solution.broken_sign, -1);
    tact_piece_solution_destroy(&solution);
    tact_exact_set_destroy(&piece.equations);
    tact_exact_set_destroy(&piece.inequalities);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(exact_solutions_are_those_of_elimination_in_rationals),
        cmocka_unit_test(redundant_equations_keep_the_value_of_the_answer),
        cmocka_unit_test(an_equation_that_contradicts_by_the_last_bit_is_named),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
