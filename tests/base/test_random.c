// Random numbers against values worked out apart from this code, from the published definitions of
// xoshiro256** and splitmix64 in integers of arbitrary length, and against the moments of their
// distributions.
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <tact/base.h>

enum { DRAWS = 400000 };

static void next_follows_xoshiro256_starstar(void **state)
{
    (void)state;
    const uint64_t expected[] = {
        11520u,
        0u,
        1509978240u,
        1215971899390074240u,
        1216172134540287360u,
        607988272756665600u,
        16172922978634559625u,
        8476171486693032832u,
        10595114339597558777u,
        2904607092377533576u,
    };
    TactRandom random = {.state = {1, 2, 3, 4}};
    for (size_t i = 0; i < sizeof expected / sizeof *expected; i++) {
        assert_int_equal(tact_random_next(&random), expected[i]);
    }
}

static void seed_follows_splitmix64(void **state)
{
    (void)state;
    const uint64_t of_0[4] = {0xe220a8397b1dcdafu, 0x6e789e6aa1b965f4u, 0x06c45d188009454fu,
                              0xf88bb8a8724c81ecu};
    const uint64_t of_42[4] = {0xbdd732262feb6e95u, 0x28efe333b266f103u, 0x47526757130f9f52u,
                               0x581ce1ff0e4ae394u};
    assert_memory_equal(tact_random_seed(0).state, of_0, sizeof of_0);
    assert_memory_equal(tact_random_seed(42).state, of_42, sizeof of_42);
}

static void the_same_seed_gives_the_same_numbers_from_then_on(void **state)
{
    (void)state;
    TactRandom     random = tact_random_seed(42);
    const uint64_t expected[] = {0x15780b2e0c2ec716u, 0x6104d9866d113a7eu, 0xae17533239e499a1u,
                                 0xecb8ad4703b360a1u};
    for (int i = 0; i < 4; i++) {
        assert_int_equal(tact_random_next(&random), expected[i]);
    }
}

/// The state whose next number is the given one: next() is rotate(s1 * 5, 7) * 9.
static TactRandom about_to_give(uint64_t number)
{
    uint64_t inverse_of_9 = 0x8e38e38e38e38e39u;
    uint64_t inverse_of_5 = 0xcccccccccccccccdu;
    uint64_t x = number * inverse_of_9;
    return (TactRandom){.state = {1, ((x >> 7) | (x << 57)) * inverse_of_5, 3, 4}};
}

static void uniform_reaches_its_lower_end_and_never_its_upper_one(void **state)
{
    (void)state;
    const double ends[][2] = {{0, 1}, {1, 2}, {-1, 1}, {1e16, 1e16 + 2}, {-3, -2}, {5, 5.5}};
    for (size_t i = 0; i < sizeof ends / sizeof *ends; i++) {
        TactRandom lowest = about_to_give(0);
        TactRandom highest = about_to_give(UINT64_MAX);
        double     lo = ends[i][0];
        double     hi = ends[i][1];
        assert_true(tact_random_uniform(&lowest, lo, hi) == lo);
        double x = tact_random_uniform(&highest, lo, hi);
        assert_true(x < hi);
        assert_true(x > lo + 0.49 * (hi - lo) || lo == 1e16); // no double between 1e16 and + 2
    }
    TactRandom highest = about_to_give(UINT64_MAX);
    assert_true(tact_random_uniform(&highest, 7, 7) == 7);
}

/// Is the mean of DRAWS numbers of the given deviation where it should be, within 5 sigma?
static void assert_mean(double sum, double expected, double deviation)
{
    assert_true(fabs(sum / DRAWS - expected) < 5 * deviation / sqrt((double)DRAWS));
}

static void uniform_has_the_moments_of_its_interval(void **state)
{
    (void)state;
    TactRandom random = tact_random_seed(1);
    double     sum = 0;
    double     sum2 = 0;
    double     product = 0;
    double     last = 0;
    for (int i = 0; i < DRAWS; i++) {
        double x = tact_random_uniform(&random, 0, 1);
        sum += x;
        sum2 += x * x;
        product += (x - 0.5) * (last - 0.5);
        last = x;
    }
    assert_mean(sum, 1.0 / 2, sqrt(1.0 / 12));
    assert_mean(sum2, 1.0 / 3, sqrt(1.0 / 5 - 1.0 / 9));
    assert_mean(product, 0, 1.0 / 12); // neighbours are independent
}

static void normal_has_the_moments_of_the_normal_distribution(void **state)
{
    (void)state;
    TactRandom random = tact_random_seed(2);
    double     sum[5] = {0};
    int        beyond = 0;
    for (int i = 0; i < DRAWS; i++) {
        double x = tact_random_normal(&random);
        double power = 1;
        for (int k = 0; k < 5; k++) {
            sum[k] += power;
            power *= x;
        }
        beyond += fabs(x) > 1.959963984540054; // 5 % lie beyond
    }
    assert_mean(sum[1], 0, 1);
    assert_mean(sum[2], 1, sqrt(2.0));
    assert_mean(sum[3], 0, sqrt(15.0));
    assert_mean(sum[4], 3, sqrt(96.0));
    assert_mean(beyond, 0.05, sqrt(0.05 * 0.95));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(next_follows_xoshiro256_starstar),
        cmocka_unit_test(seed_follows_splitmix64),
        cmocka_unit_test(the_same_seed_gives_the_same_numbers_from_then_on),
        cmocka_unit_test(uniform_reaches_its_lower_end_and_never_its_upper_one),
        cmocka_unit_test(uniform_has_the_moments_of_its_interval),
        cmocka_unit_test(normal_has_the_moments_of_the_normal_distribution),
    };
    return cmocka_run_group_tests_name("base/random", tests, NULL, NULL);
}
