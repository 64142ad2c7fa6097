// Interval arithmetic against exact rationals: every result holds the true one.
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

#include "prove/circle/interval.h"

/// A double of any size from 1e-300 to 1e300, now and then 0.
static double draw(TactRandom *random)
{
    double size =
        ldexp(tact_random_uniform(random, 1, 2), (int)tact_random_uniform(random, -500, 500));
    double kind = tact_random_uniform(random, 0, 1);
    return kind < 0.02 ? 0 : kind < 0.5 ? size : -size;
}

static void assert_holds(TactInterval x, const mpq_t exact)
{
    mpq_t bound;
    mpq_init(bound);
    assert_true(x.lo <= x.hi);
    if (isfinite(x.lo)) {
        mpq_set_d(bound, x.lo);
        assert_true(mpq_cmp(bound, exact) <= 0);
    }
    if (isfinite(x.hi)) {
        mpq_set_d(bound, x.hi);
        assert_true(mpq_cmp(bound, exact) >= 0);
    }
    mpq_clear(bound);
}

static void sums_products_quotients_and_squares_hold_the_exact_ones(void **state)
{
    (void)state;
    TactRandom random = tact_random_seed(1);
    mpq_t      a, b, c;
    mpq_inits(a, b, c, NULL);
    for (int k = 0; k < 100000; k++) {
        double x = draw(&random), y = draw(&random);
        mpq_set_d(a, x);
        mpq_set_d(b, y);
        mpq_add(c, a, b);
        assert_holds(tact_interval_add(tact_interval(x), tact_interval(y)), c);
        mpq_sub(c, a, b);
        assert_holds(tact_interval_subtract(tact_interval(x), tact_interval(y)), c);
        mpq_mul(c, a, b);
        assert_holds(tact_interval_multiply(tact_interval(x), tact_interval(y)), c);
        mpq_mul(c, a, a);
        assert_holds(tact_interval_square(tact_interval(x)), c);
        if (y > 0) {
            mpq_div(c, a, b);
            assert_holds(tact_interval_divide(tact_interval(x), tact_interval(y)), c);
        }
    }
    mpq_clears(a, b, c, NULL);
}

/// Ends, the middle, and 0 where it is in it.
static int draw_members(TactInterval a, double members[4])
{
    int count = 0;
    members[count++] = a.lo;
    members[count++] = a.hi;
    members[count++] = fmin(fmax(tact_interval_middle(a), a.lo), a.hi);
    if (a.lo < 0 && a.hi > 0) {
        members[count++] = 0;
    }
    return count;
}

static void intervals_hold_what_any_two_of_their_members_give(void **state)
{
    (void)state;
    TactRandom random = tact_random_seed(3);
    mpq_t      a, b, c;
    mpq_inits(a, b, c, NULL);
    for (int k = 0; k < 20000; k++) {
        TactInterval wide[2];
        double       members[2][4];
        int          count[2];
        for (int side = 0; side < 2; side++) {
            double x = tact_random_normal(&random), y = tact_random_normal(&random);
            wide[side] = (TactInterval){fmin(x, y), fmax(x, y)};
            count[side] = draw_members(wide[side], members[side]);
        }
        for (int i = 0; i < count[0] * count[1]; i++) {
            double x = members[0][i % count[0]], y = members[1][i / count[0]];
            mpq_set_d(a, x);
            mpq_set_d(b, y);
            mpq_add(c, a, b);
            assert_holds(tact_interval_add(wide[0], wide[1]), c);
            mpq_sub(c, a, b);
            assert_holds(tact_interval_subtract(wide[0], wide[1]), c);
            mpq_mul(c, a, b);
            assert_holds(tact_interval_multiply(wide[0], wide[1]), c);
            mpq_mul(c, a, a);
            assert_holds(tact_interval_square(wide[0]), c);
            assert_true(tact_interval_size(wide[0]) >= fabs(x));
            if (wide[1].lo > 0) {
                mpq_div(c, a, b);
                assert_holds(tact_interval_divide(wide[0], wide[1]), c);
            }
        }
    }
    mpq_clears(a, b, c, NULL);
}

static void a_root_squared_is_on_both_sides_of_the_number(void **state)
{
    (void)state;
    TactRandom random = tact_random_seed(2);
    mpq_t      number, side;
    mpq_inits(number, side, NULL);
    for (int k = 0; k < 100000; k++) {
        double       x = fabs(draw(&random));
        TactInterval root = tact_interval_root(tact_interval(x));
        mpq_set_d(number, x);
        mpq_set_d(side, root.lo);
        mpq_mul(side, side, side);
        assert_true(root.lo == 0 || mpq_cmp(side, number) <= 0);
        mpq_set_d(side, root.hi);
        mpq_mul(side, side, side);
        assert_true(mpq_cmp(side, number) >= 0);
    }
    mpq_clears(number, side, NULL);
}

static void subnormal_products_are_held_too(void **state)
{
    (void)state;
    mpq_t exact, other;
    mpq_inits(exact, other, NULL);
    for (int k = 0; k < 200; k++) {
        double x = ldexp(1.1, -500 - k), y = ldexp(-1.3, -500);
        mpq_set_d(exact, x);
        mpq_set_d(other, y);
        mpq_mul(exact, exact, other);
        assert_holds(tact_interval_multiply(tact_interval(x), tact_interval(y)), exact);
    }
    mpq_clears(exact, other, NULL);
}

static void dividing_by_what_may_be_zero_says_nothing(void **state)
{
    (void)state;
    TactInterval x = tact_interval_divide(tact_interval(1), (TactInterval){0, 1});
    assert_true(x.lo == -INFINITY && x.hi == INFINITY);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sums_products_quotients_and_squares_hold_the_exact_ones),
        cmocka_unit_test(intervals_hold_what_any_two_of_their_members_give),
        cmocka_unit_test(a_root_squared_is_on_both_sides_of_the_number),
        cmocka_unit_test(subnormal_products_are_held_too),
        cmocka_unit_test(dividing_by_what_may_be_zero_says_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
