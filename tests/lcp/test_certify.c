// The certificate against values worked out by hand and against rational arithmetic.
#include "problems.h"
// clang-format off
#include <gmp.h>
// clang-format on

static TactLcpCertificate certify(const TactLcpProblem *problem, const double *z)
{
    TactLcpCertificate certificate;
    assert_int_equal(tact_lcp_certify(problem, z, &certificate), TACT_OK);
    return certificate;
}

// ---------------------------------------------------------------------------------------------
// By hand

static void residual_error_scale_and_worst_row_of_a_standard_problem(void **state)
{
    (void)state;
    // w = (-2, 2): the first row misses by 2, the second is right.
    TactLcpProblem     problem = {.n = 2, .M = (double[]){2, 1, 1, 2}, .q = (double[]){-4, 1}};
    TactLcpCertificate c = certify(&problem, (double[]){1, 0});
    assert_true(c.residual == 2 && c.error == 2 && c.scale == 4);
    assert_int_equal(c.worst, 0);

    // The solution (2, 0) with w = (0, 3) has no error, and no worst row.
    c = certify(&problem, (double[]){2, 0});
    assert_true(c.residual == 0 && c.error == 0 && c.scale == 4);
    assert_int_equal(c.worst, -1);
}

static void a_distance_to_a_bound_is_weighed_by_the_largest_entry_of_its_column(void **state)
{
    (void)state;
    // w = (0.5, 5.0625), z_2 = 1/16 above its bound: 1/16 as a length, 50/16 as an error of w.
    TactLcpProblem     problem = {.n = 2, .M = (double[]){1, 8, -50, 1}, .q = (double[]){0, 5}};
    TactLcpCertificate c = certify(&problem, (double[]){0, 0.0625});
    assert_true(c.residual == 0.0625 && c.error == 0.5);
    assert_int_equal(c.worst, 1);

    // An entry below 1 weighs 1.
    problem.M = (double[]){1, 0.125, -50, 0.25};
    c = certify(&problem, (double[]){0, 0.0625});
    assert_true(c.residual == 0.0625 && c.error == 0.0625);

    // Where w is smaller than the weighed distance, w is the error.
    problem.M = (double[]){1, 1000, 0, 1};
    c = certify(&problem, (double[]){0, 0.0625});
    assert_true(c.residual == 0.0625 && c.error == 5.0625);

    // A wrong sign of w at a bound counts no more than the weighed way to the other bound.
    TactLcpProblem narrow = {.n = 1,
                             .M = (double[]){4},
                             .q = (double[]){-100},
                             .lo = (double[]){1},
                             .hi = (double[]){1.5}};
    c = certify(&narrow, (double[]){1});
    assert_true(c.residual == 0.5 && c.error == 2);
}

static void upper_bounds_free_and_fixed_variables_have_their_own_conditions(void **state)
{
    (void)state;
    double         identity[16] = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1};
    TactLcpProblem problem = {.n = 4,
                              .M = identity,
                              .q = (double[]){-5, -5, -5, -5},
                              .lo = (double[]){0, -INF, -INF, 3},
                              .hi = (double[]){2, 2, INF, 3}};
    // At hi with w < 0, at hi with w < 0, free with w = 0, fixed with any w.
    TactLcpCertificate c = certify(&problem, (double[]){2, 2, 5, 3});
    assert_true(c.residual == 0 && c.error == 0);
    // Nearest to 0 is (0, 0, 0, 3), where w = (-5, -5, -5, -2).
    assert_true(c.scale == 5);
    // A free variable has no bound to be near to: all of w counts.
    c = certify(&problem, (double[]){2, 2, 4, 3});
    assert_true(c.residual == 1 && c.error == 1);
    assert_int_equal(c.worst, 2);
    // z_1 = 1 is 1 below its upper bound, w = -4.
    c = certify(&problem, (double[]){1, 2, 5, 3});
    assert_true(c.residual == 1 && c.error == 1);
    assert_int_equal(c.worst, 0);
}

static void a_point_outside_its_bounds_misses_at_least_by_its_distance(void **state)
{
    (void)state;
    TactLcpProblem     problem = {.n = 1, .M = (double[]){4}, .q = (double[]){4}};
    TactLcpCertificate c = certify(&problem, (double[]){-1}); // w = 0
    assert_true(c.residual == 1 && c.error == 4);
    problem.hi = (double[]){2};
    c = certify(&problem, (double[]){3}); // w = 16
    assert_true(c.residual == 3 && c.error == 12);
}

static void friction_rows_take_their_bounds_from_the_normal_force(void **state)
{
    (void)state;
    TactLcpProblem problem = {.n = 2,
                              .M = (double[]){1, 0, 0, 1},
                              .q = (double[]){-4, -9},
                              .lo = (double[]){0, 7},
                              .hi = (double[]){INF, 0.5},
                              .f_index = (int[]){-1, 0}};
    // z_1 = 4, so that |z_2| <= 2, and w_2 = -7 at the upper bound.
    TactLcpCertificate c = certify(&problem, (double[]){4, 2});
    assert_true(c.error == 0 && c.scale == 9);
    c = certify(&problem, (double[]){4, 1.5});
    assert_true(c.residual == 0.5);
    // Without normal force there is no friction.
    c = certify(&problem, (double[]){0, 0});
    assert_true(c.residual == 4);
    assert_int_equal(c.worst, 0);
}

static void scale_is_taken_at_the_point_of_the_box_nearest_to_0_and_never_0(void **state)
{
    (void)state;
    TactLcpProblem problem = {.n = 2, .M = (double[]){3, 1, 0, 1}, .q = (double[]){1, -2}};
    double         z[2] = {0};
    assert_true(certify(&problem, z).scale == 2);
    problem.lo = (double[]){2, 0};
    assert_true(certify(&problem, z).scale == 7);
    problem.hi = (double[]){5, INF};
    problem.lo = (double[]){-1, -INF};
    assert_true(certify(&problem, z).scale == 2);
    problem.hi = (double[]){-0.5, INF};
    assert_true(certify(&problem, z).scale == 2); // w = (-0.5, -2)
    problem = (TactLcpProblem){.n = 2, .M = (double[]){3, 1, 0, 1}, .q = (double[]){0, 0}};
    assert_true(certify(&problem, z).scale == 1);
}

static void no_unknowns_no_error(void **state)
{
    (void)state;
    TactLcpProblem     problem = {.n = 0};
    double             z = 0;
    TactLcpCertificate c = certify(&problem, &z);
    assert_true(c.residual == 0 && c.error == 0 && c.scale == 1);
    assert_int_equal(c.worst, -1);
}

static void what_is_not_a_number_is_no_solution(void **state)
{
    (void)state;
    TactLcpProblem problem = {.n = 2, .M = (double[]){1, 0, 0, 1}, .q = (double[]){1, 1}};
    const double   bad[] = {NAN, INF, -INF};
    for (int k = 0; k < 3; k++) {
        TactLcpCertificate c = certify(&problem, (double[]){0, bad[k]});
        assert_true(c.error == INF && c.residual == INF);
        assert_true(c.worst >= 0);
    }
    // The same where column 1 is empty, so that no w knows of z_1.
    TactLcpCsr empty = {(int[]){0, 1, 1}, (int[]){0}, (double[]){1}};
    problem = (TactLcpProblem){.n = 2, .M_csr = &empty, .q = (double[]){1, 1}};
    for (int k = 0; k < 3; k++) {
        assert_true(certify(&problem, (double[]){0, bad[k]}).error == INF);
    }
    // Overflow on the way to w.
    problem = (TactLcpProblem){.n = 1, .M = (double[]){1e300}, .q = (double[]){-1}};
    assert_true(certify(&problem, (double[]){1e300}).error == INF);
}

static void a_missing_argument_is_told(void **state)
{
    (void)state;
    TactLcpProblem     problem = {.n = 1, .M = (double[]){1}, .q = (double[]){1}};
    double             z = 0;
    TactLcpCertificate c;
    assert_int_equal(tact_lcp_certify(NULL, &z, &c), TACT_BAD_ARGUMENT);
    assert_int_equal(tact_lcp_certify(&problem, NULL, &c), TACT_BAD_ARGUMENT);
    assert_int_equal(tact_lcp_certify(&problem, &z, NULL), TACT_BAD_ARGUMENT);
}

// ---------------------------------------------------------------------------------------------
// A scale a row

static void a_slack_row_excuses_no_other(void **state)
{
    (void)state;
    // The first row is slack by 1e12; the second asks for z_2 = 1.
    TactLcpProblem     problem = {.n = 2, .M = (double[]){1, 0, 0, 1}, .q = (double[]){1e12, -1}};
    TactLcpCertificate c = certify(&problem, (double[]){0, 0});
    assert_true(c.error == 1 && c.relative == 1);
    assert_int_equal(c.worst_relative, 1);
    c = certify(&problem, (double[]){0, 1});
    assert_true(c.error == 0 && c.relative == 0);
    assert_int_equal(c.worst_relative, -1);

    // z = (1/2, 0, 0) is the solution; (0, 1/8, 0) misses the first row by 7/8 of 9/8.
    TactLcpProblem mixed = {
        .n = 3, .M = (double[]){2, 1, 0, 1, 2, 0, 0, 0, 1}, .q = (double[]){-1, -0.25, 3e11}};
    c = certify(&mixed, (double[]){0, 0.125, 0});
    assert_true(c.relative >= 0.5);
    assert_int_equal(c.worst_relative, 0);
    assert_true(certify(&mixed, (double[]){0.5, 0, 0}).relative == 0);
}

static void a_slack_row_of_the_same_island_excuses_no_other(void **state)
{
    (void)state;
    // As above, with all rows coupled.
    TactLcpProblem problem = {.n = 2, .M = (double[]){1, 0.5, 0.5, 1}, .q = (double[]){1e12, -1}};
    assert_true(certify(&problem, (double[]){0, 0}).relative == 1);
    assert_true(certify(&problem, (double[]){0, 1}).relative == 0);
}

static void an_active_row_of_another_island_excuses_no_row(void **state)
{
    (void)state;
    // z_1 = 1e12 is right. The other two rows have no solution: w_2 + w_3 = -2 for every z.
    TactLcpProblem problem = {
        .n = 3, .M = (double[]){1, 0, 0, 0, 1, -1, 0, -1, 1}, .q = (double[]){-1e12, -1, -1}};
    TactLcpCertificate c = certify(&problem, (double[]){1e12, 1e20, 1e20});
    assert_true(c.relative == 1);
}

static void an_active_row_of_the_same_island_excuses_no_more_than_rounding(void **state)
{
    (void)state;
    // Row 0 moves with 1000 and is right; row 1 misses all of its own q, and is coupled to it by
    // 1e-9. It is held against its own terms, or 1e-5 of what moves the island.
    static const double q_1[] = {-1, -0.1, -1e-4}, expected[] = {1, 1, 1e-4 / 1e-2};
    for (int k = 0; k < 3; k++) {
        TactLcpProblem problem = {
            .n = 2, .M = (double[]){1, 1e-9, 1e-9, 1}, .q = (double[]){-1000, q_1[k]}};
        double             z[2] = {1000, 0};
        TactLcpCertificate c;
        assert_int_equal(tact_lcp_certify(&problem, z, &c), TACT_OK);
        assert_true(fabs(c.relative - expected[k]) < 0.02 * expected[k]);
        assert_int_equal(c.worst_relative, 1);
    }
}

static void large_forces_do_not_excuse_themselves(void **state)
{
    (void)state;
    TactLcpProblem problem = {.n = 2, .M = (double[]){1, -1, -1, 1}, .q = (double[]){-1, -1}};
    assert_true(certify(&problem, (double[]){1e20, 1e20}).relative >= 1);
}

// ---------------------------------------------------------------------------------------------
// Where plain sums would lie

static void a_small_w_beside_a_large_z_is_seen(void **state)
{
    (void)state;
    // w_1 = 2^40 + 2^-20 - 2^40, and 2^40 - 2^-20 is 2^40 in doubles.
    TactLcpProblem problem = {
        .n = 2, .M = (double[]){1, 0x1p-20, 0, 1}, .q = (double[]){-0x1p40, -1}};
    TactLcpCertificate c = certify(&problem, (double[]){0x1p40, 1});
    assert_true(c.residual == 0x1p-20 && c.error == 0x1p-20);
    assert_int_equal(c.worst, 0);
}

static void sums_that_cancel_are_exact(void **state)
{
    (void)state;
    // 1e16 + 1 - 1e16 - 1 + ... : a plain sum loses every 1.
    const int sizes[] = {3, 22, 40, 60};
    for (int k = 0; k < 4; k++) {
        int     n = sizes[k];
        Owned   owned = new_problem(n);
        double *z = new_doubles(n);
        owned.problem.lo = owned.lo;
        for (int j = 0; j < n; j++) {
            owned.lo[j] = -INF;
            owned.M[j] = 1;
            z[j] = j % 3 == 0 ? 1e16 : j % 3 == 1 ? 1 : -1e16;
            owned.M[j * n + j] = 1;
            owned.q[j] = j > 0 ? -z[j] : 0;
        }
        owned.q[0] = n % 3 == 1 ? -1e16 : 0; // row 0 sums whole triples, and the last 1e16
        TactLcpCertificate c = certify(&owned.problem, z);
        double             triples = floor(n / 3.0);
        assert_true(c.residual == triples);
        TactLcpProblem sparse = to_csr(&owned);
        assert_true(certify(&sparse, z).residual == triples);
        free(z);
        free_problem(&owned);
    }
}

static void products_that_cancel_are_exact(void **state)
{
    (void)state;
    // (1 + e)(1 - e) - 1 = -e^2 with e = 2^-30: the product alone rounds to 1.
    TactLcpProblem problem = {
        .n = 1, .M = (double[]){1 + 0x1p-30}, .q = (double[]){-1}, .lo = (double[]){-INF}};
    assert_true(certify(&problem, (double[]){1 - 0x1p-30}).residual == 0x1p-60);
}

// ---------------------------------------------------------------------------------------------
// Against rational arithmetic

typedef struct Exact {
    mpq_t w, low, high, t;
} Exact;

/// |mid(c (z - hi), w, c (z - lo))|, exactly and then rounded.
static double exact_error(Exact *x, double weight, double z, double lo, double hi)
{
    mpq_t c, mid;
    mpq_inits(c, mid, NULL);
    mpq_set_d(c, weight);
    mpq_set(mid, x->w);
    mpq_set_d(x->t, z);
    if (!isinf(lo)) {
        mpq_set_d(x->low, lo);
        mpq_sub(x->low, x->t, x->low);
        mpq_mul(x->low, x->low, c);
        if (mpq_cmp(mid, x->low) > 0) {
            mpq_set(mid, x->low);
        }
    }
    if (!isinf(hi)) {
        mpq_set_d(x->high, hi);
        mpq_sub(x->high, x->t, x->high);
        mpq_mul(x->high, x->high, c);
        if (mpq_cmp(mid, x->high) < 0) {
            mpq_set(mid, x->high);
        }
    }
    mpq_abs(mid, mid);
    double error = mpq_get_d(mid);
    mpq_clears(c, mid, NULL);
    return error;
}

static TactLcpCertificate exact_certificate(const Owned *owned, const double *z)
{
    int                n = owned->problem.n;
    TactLcpCertificate c = {.worst = -1};
    Exact              x;
    mpq_inits(x.w, x.low, x.high, x.t, NULL);
    for (int i = 0; i < n; i++) {
        double weight = 1;
        mpq_set_d(x.w, owned->q[i]);
        for (int j = 0; j < n; j++) {
            weight = fmax(weight, fabs(owned->M[j * n + i]));
            mpq_set_d(x.low, owned->M[i * n + j]);
            mpq_set_d(x.t, z[j]);
            mpq_mul(x.t, x.t, x.low);
            mpq_add(x.w, x.w, x.t);
        }
        c.residual = fmax(c.residual, exact_error(&x, 1, z[i], owned->lo[i], owned->hi[i]));
        double error = exact_error(&x, weight, z[i], owned->lo[i], owned->hi[i]);
        if (error > c.error) {
            c.error = error;
            c.worst = i;
        }
    }
    mpq_clears(x.w, x.low, x.high, x.t, NULL);
    return c;
}

/// Near a solution as a solver leaves it, far from one, or with few entries.
static void random_point(TactRandom *random, Owned *owned, int kind, double *z)
{
    int n = owned->problem.n;
    for (int i = 0; i < n; i++) {
        z[i] = 1e3 * tact_random_normal(random);
        if (kind == 1 || tact_random_next(random) % 4 == 0) {
            z[i] = fmin(fmax(z[i], owned->lo[i]), owned->hi[i]);
        }
        if (kind == 2 && tact_random_next(random) % 16 > 0) {
            z[i] = 0;
        }
    }
    for (int i = 0; i < n && kind == 1; i++) { // w = 0 but for the rounding of q
        owned->q[i] = 0;
        for (int j = 0; j < n; j++) {
            owned->q[i] -= owned->M[i * n + j] * z[j];
        }
    }
}

/// Two roundings on the way, of w or of a distance and of its product with the weight, and what a
/// double-double sum leaves: n^2 u^2 sum_j |M_ij z_j|, u = 2^-53 [Ogita, Rump and Oishi 2005];
/// and as much again where the certificate adds it.
static void assert_near(const Owned *owned, const double *z, const TactLcpCertificate *c,
                        const TactLcpCertificate *expected)
{
    int    n = owned->problem.n;
    double largest = 0;
    for (int i = 0; i < n; i++) {
        double sum = fabs(owned->q[i]);
        for (int j = 0; j < n; j++) {
            sum += fabs(owned->M[i * n + j] * z[j]);
        }
        largest = fmax(largest, sum);
    }
    double rest = 2 * (n + 2) * (n + 2) * 0x1p-106 * largest;
    assert_true(fabs(c->residual - expected->residual) <= 0x1p-51 * expected->residual + rest);
    assert_true(fabs(c->error - expected->error) <= 0x1p-51 * expected->error + rest);
}

static void what_two_doubles_cannot_hold_counts_as_an_error(void **state)
{
    (void)state;
    // w = 1 + a z - a z with a z = 1e140 (1 + 1e-16): the 1 is lost behind the error of a z. The
    // answer is wrong: w_1 = 1 beside z_1 c_1 = 1e140.
    const double       a = 1.0000000000000001e300, z = 9.9999999999999999e-161;
    TactLcpProblem     problem = {.n = 2, .M = (double[]){a, -a, 0, 0}, .q = (double[]){1, 0}};
    TactLcpCertificate c = certify(&problem, (double[]){z, z});
    assert_true(c.error >= 1);
    assert_true(c.residual >= c.scale * 1e-3);
}

static void random_points_are_judged_as_rational_arithmetic_judges_them(void **state)
{
    (void)state;
    TactRandom random = tact_random_seed(31);
    for (int trial = 0; trial < 300; trial++) {
        int     n = 1 + (int)(tact_random_next(&random) % 40);
        Owned   owned = new_problem(n);
        double *z = new_doubles(n);
        fill_random(&random, n * n, owned.M);
        fill_random(&random, n, owned.q);
        set_random_bounds(&random, &owned);
        random_point(&random, &owned, trial % 3, z);
        TactLcpCertificate expected = exact_certificate(&owned, z);
        TactLcpCertificate dense = certify(&owned.problem, z);
        TactLcpProblem     csr = to_csr(&owned);
        TactLcpCertificate sparse = certify(&csr, z);
        assert_near(&owned, z, &dense, &expected);
        assert_near(&owned, z, &sparse, &expected);
        assert_int_equal(dense.worst, expected.worst);
        assert_int_equal(sparse.worst, expected.worst);
        assert_true(dense.error >= dense.residual);
        assert_true(dense.scale == sparse.scale);
        free(z);
        free_problem(&owned);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(residual_error_scale_and_worst_row_of_a_standard_problem),
        cmocka_unit_test(a_distance_to_a_bound_is_weighed_by_the_largest_entry_of_its_column),
        cmocka_unit_test(upper_bounds_free_and_fixed_variables_have_their_own_conditions),
        cmocka_unit_test(a_point_outside_its_bounds_misses_at_least_by_its_distance),
        cmocka_unit_test(friction_rows_take_their_bounds_from_the_normal_force),
        cmocka_unit_test(scale_is_taken_at_the_point_of_the_box_nearest_to_0_and_never_0),
        cmocka_unit_test(no_unknowns_no_error),
        cmocka_unit_test(what_is_not_a_number_is_no_solution),
        cmocka_unit_test(a_missing_argument_is_told),
        cmocka_unit_test(a_slack_row_excuses_no_other),
        cmocka_unit_test(a_slack_row_of_the_same_island_excuses_no_other),
        cmocka_unit_test(an_active_row_of_another_island_excuses_no_row),
        cmocka_unit_test(an_active_row_of_the_same_island_excuses_no_more_than_rounding),
        cmocka_unit_test(large_forces_do_not_excuse_themselves),
        cmocka_unit_test(a_small_w_beside_a_large_z_is_seen),
        cmocka_unit_test(sums_that_cancel_are_exact),
        cmocka_unit_test(products_that_cancel_are_exact),
        cmocka_unit_test(what_two_doubles_cannot_hold_counts_as_an_error),
        cmocka_unit_test(random_points_are_judged_as_rational_arithmetic_judges_them),
    };
    return cmocka_run_group_tests_name("lcp/certify", tests, NULL, NULL);
}
