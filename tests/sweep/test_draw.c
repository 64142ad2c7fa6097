// Draws of a sweep, against what defines them: strata, elementary intervals, the normal
// distribution.
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "sweep/sweep.h"

enum { MOST = 4096 };

static TactVariable variable_of(const char *name, TactVaryKind kind, double lo, double hi)
{
    TactVariable v = {.kind = kind, .lo = lo, .hi = hi, .within = {-INFINITY, INFINITY}};
    snprintf(v.name, sizeof v.name, "%s", name);
    v.key = tact_sweep_key(name);
    return v;
}

static void latin_has_one_value_in_every_stratum(void **state)
{
    static const int counts[] = {1, 2, 7, 64, 997, 4096};
    static int       seen[MOST];
    (void)state;
    for (size_t c = 0; c < sizeof counts / sizeof *counts; c++) {
        TactSweep sweep = {.sampling = TACT_SAMPLING_LATIN, .seed = 11 + c};
        sweep.plan.trials = counts[c];
        for (int name = 0; name < 3; name++) {
            TactVariable v = variable_of(name == 0   ? "a"
                                         : name == 1 ? "b"
                                                     : "geom/x/friction",
                                         TACT_VARY_UNIFORM, 0, 1);
            memset(seen, 0, sizeof seen);
            for (int i = 0; i < counts[c]; i++) {
                double u = tact_sweep_draw_value(&sweep, &v, i);
                assert_true(u > 0 && u < 1);
                seen[(int)(u * counts[c])]++;
            }
            for (int i = 0; i < counts[c]; i++) {
                assert_int_equal(seen[i], 1);
            }
        }
    }
}

static void two_variables_of_a_latin_sample_are_not_the_same_permutation(void **state)
{
    TactSweep    sweep = {.sampling = TACT_SAMPLING_LATIN, .seed = 5};
    TactVariable a = variable_of("a", TACT_VARY_UNIFORM, 0, 1);
    TactVariable b = variable_of("b", TACT_VARY_UNIFORM, 0, 1);
    double       sum = 0;
    (void)state;
    sweep.plan.trials = 1000;
    for (int i = 0; i < 1000; i++) {
        sum += (tact_sweep_draw_value(&sweep, &a, i) - 0.5) *
               (tact_sweep_draw_value(&sweep, &b, i) - 0.5);
    }
    // Independent: the correlation has the standard deviation 1/sqrt(1000); five of them.
    assert_true(fabs(sum / 1000 * 12) < 5 / sqrt(1000));
}

static void sobol_has_one_point_in_every_interval_of_a_dimension(void **state)
{
    static int seen[MOST];
    (void)state;
    for (int dimension = 0; dimension < TACT_SWEEP_MOST_VARIED; dimension++) {
        for (int bits = 1; bits <= 10; bits += 3) {
            for (int scrambled = 0; scrambled < 2; scrambled++) {
                memset(seen, 0, sizeof seen);
                for (uint32_t i = 0; i < 1u << bits; i++) {
                    double x = scrambled ? tact_sobol_point(dimension, i, 99)
                                         : tact_sobol_bits(dimension, i) * 0x1p-32;
                    assert_true(x >= 0 && x < 1);
                    seen[(int)ldexp(x, bits)]++;
                }
                for (int i = 0; i < 1 << bits; i++) {
                    assert_int_equal(seen[i], 1);
                }
            }
        }
    }
}

static void the_first_two_dimensions_of_sobol_are_a_net(void **state)
{
    // Every rectangle of the area 2^-m, 2^-a by 2^-(m-a), has one of each 2^m points.
    static int seen[MOST];
    enum { M = 10 };
    (void)state;
    for (int a = 0; a <= M; a++) {
        for (uint32_t start = 0; start < 4u << M; start += 1u << M) {
            memset(seen, 0, sizeof seen);
            for (uint32_t i = start; i < start + (1u << M); i++) {
                int x = (int)ldexp(tact_sobol_point(0, i, 1), a);
                int y = (int)ldexp(tact_sobol_point(1, i, 2), M - a);
                seen[x << (M - a) | y]++;
            }
            for (int i = 0; i < 1 << M; i++) {
                assert_int_equal(seen[i], 1);
            }
        }
    }
}

static void sobol_integrates_better_than_chance(void **state)
{
    // The mean of prod 2 x_j over the unit cube is 1.
    enum { DIMENSIONS = 6, POINTS = 4096 };
    double sum = 0;
    (void)state;
    for (uint32_t i = 0; i < POINTS; i++) {
        double product = 1;
        for (int k = 0; k < DIMENSIONS; k++) {
            product *= 2 * tact_sobol_point(k, i, (uint64_t)k + 17);
        }
        sum += product;
    }
    // The variance of one point is (4/3)^6 - 1: by chance the error is 0.033.
    double chance = sqrt((pow(4.0 / 3, DIMENSIONS) - 1) / POINTS);
    assert_true(fabs(sum / POINTS - 1) < 0.2 * chance);
}

static void the_normal_quantile_is_where_the_distribution_has_reached_p(void **state)
{
    static const double ps[] = {1e-300, 1e-100, 1e-16, 1e-9, 1e-3, 0.025, 0.1, 0.3, 0.499999, 0.5};
    (void)state;
    for (size_t i = 0; i < sizeof ps / sizeof *ps; i++) {
        double x = tact_sweep_normal_quantile(ps[i]);
        // d log F / dx = x in the tail: an error of x of one rounding is x^2 2^-53 of F.
        double back = 0.5 * erfc(-x / sqrt(2)), scale = 1 + x * x;
        assert_true(fabs(back / ps[i] - 1) < 4e-16 * scale + 4e-15);
    }
    assert_true(fabs(tact_sweep_normal_quantile(0.975) - 1.959963984540054) < 1e-14);
    assert_true(tact_sweep_normal_quantile(0.8) == -tact_sweep_normal_quantile(1 - 0.8));
}

static void normal_draws_have_their_moments_and_stay_within(void **state)
{
    TactSweep    sweep = {.sampling = TACT_SAMPLING_LATIN, .seed = 3};
    TactVariable v = variable_of("mass", TACT_VARY_NORMAL, 2, 0.5);
    double       sum = 0, squares = 0;
    enum { N = 20000 };
    (void)state;
    sweep.plan.trials = N;
    for (int i = 0; i < N; i++) {
        double x = tact_sweep_draw_value(&sweep, &v, i);
        sum += x;
        squares += (x - 2) * (x - 2);
    }
    assert_true(fabs(sum / N - 2) < 1e-4); // strata: far better than 0.5/sqrt(N)
    assert_true(fabs(squares / N - 0.25) < 1e-3);
    // Far in a tail: between 8 and 9 deviations, where F itself is 1 to the last digit.
    v.within[0] = 6;
    v.within[1] = 6.5;
    for (int i = 0; i < N; i += 100) {
        double x = tact_sweep_draw_value(&sweep, &v, i);
        assert_true(x >= 6 && x <= 6.5);
    }
    double first = 0;
    for (int i = 0; i < N; i++) {
        first += tact_sweep_draw_value(&sweep, &v, i) < 6 + 0.5 * log(2) / 8; // half of the tail
    }
    assert_true(first / N > 0.45 && first / N < 0.6); // exp(-8 t): its half, to the curvature
}

static void a_draw_depends_on_seed_name_and_trial_alone(void **state)
{
    TactSweep    sweep = {.seed = 1}, other = {.seed = 2};
    TactVariable a = variable_of("a", TACT_VARY_UNIFORM, -1, 3);
    TactVariable b = variable_of("b", TACT_VARY_UNIFORM, -1, 3);
    (void)state;
    sweep.plan.trials = other.plan.trials = 100;
    double same = 0;
    for (int i = 0; i < 100; i++) {
        double x = tact_sweep_draw_value(&sweep, &a, i);
        assert_true(x > -1 && x < 3);
        assert_true(x == tact_sweep_draw_value(&sweep, &a, i));
        same += x == tact_sweep_draw_value(&other, &a, i);
        same += x == tact_sweep_draw_value(&sweep, &b, i);
    }
    assert_true(same == 0);
}

static void logarithms_are_uniform_where_asked_for(void **state)
{
    TactSweep    sweep = {.sampling = TACT_SAMPLING_LATIN, .seed = 8};
    TactVariable v = variable_of("k", TACT_VARY_UNIFORM, 1e-3, 10);
    int          decades[4] = {0};
    (void)state;
    v.logarithmic = true;
    sweep.plan.trials = 400;
    for (int i = 0; i < 400; i++) {
        decades[(int)floor(log10(tact_sweep_draw_value(&sweep, &v, i)) + 3)]++;
    }
    for (int i = 0; i < 4; i++) {
        assert_int_equal(decades[i], 100);
    }
}

static void wilsons_interval_solves_its_equation(void **state)
{
    static const int cases[][2] = {{0, 10}, {10, 10}, {3, 10}, {1, 1000}, {9990, 10000}, {1, 2}};
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        TactSweepShare s = tact_sweep_share(cases[i][0], cases[i][1]);
        double         n = s.of, p = s.count / n, z = 1.959963984540054;
        const double   ends[] = {s.lo, s.hi};
        for (int k = 0; k < 2; k++) {
            bool edge = ends[k] == 0 || ends[k] == 1;
            if (!edge) {
                assert_true(fabs(fabs(p - ends[k]) - z * sqrt(ends[k] * (1 - ends[k]) / n)) <
                            1e-14);
            }
        }
        assert_true(s.lo <= p && p <= s.hi && s.lo >= 0 && s.hi <= 1);
    }
    assert_true(isnan(tact_sweep_share(0, 0).share));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(latin_has_one_value_in_every_stratum),
        cmocka_unit_test(two_variables_of_a_latin_sample_are_not_the_same_permutation),
        cmocka_unit_test(sobol_has_one_point_in_every_interval_of_a_dimension),
        cmocka_unit_test(the_first_two_dimensions_of_sobol_are_a_net),
        cmocka_unit_test(sobol_integrates_better_than_chance),
        cmocka_unit_test(the_normal_quantile_is_where_the_distribution_has_reached_p),
        cmocka_unit_test(normal_draws_have_their_moments_and_stay_within),
        cmocka_unit_test(a_draw_depends_on_seed_name_and_trial_alone),
        cmocka_unit_test(logarithms_are_uniform_where_asked_for),
        cmocka_unit_test(wilsons_interval_solves_its_equation),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
