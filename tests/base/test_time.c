#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <time.h>

#include <cmocka.h>

#include <tact/base.h>

static void time_never_goes_back(void **state)
{
    (void)state;
    double last = tact_time_now();
    assert_true(isfinite(last));
    for (int i = 0; i < 100000; i++) {
        double now = tact_time_now();
        assert_true(now >= last);
        last = now;
    }
}

static void time_is_counted_in_seconds(void **state)
{
    (void)state;
    // The clock of the system, of another kind, brackets a sleep of 20 ms.
    struct timespec a, b;
    clock_gettime(CLOCK_BOOTTIME, &a);
    double start = tact_time_now();
    nanosleep(&(struct timespec){.tv_nsec = 20000000}, NULL);
    double passed = tact_time_now() - start;
    clock_gettime(CLOCK_BOOTTIME, &b);
    double outside = (double)(b.tv_sec - a.tv_sec) + 1e-9 * (double)(b.tv_nsec - a.tv_nsec);
    assert_true(passed >= 0.0199);
    assert_true(passed <= outside + 1e-4);
}

static void time_resolves_a_microsecond(void **state)
{
    (void)state;
    double smallest = INFINITY;
    double last = tact_time_now();
    for (int i = 0; i < 1000000 && smallest > 1e-6; i++) {
        double now = tact_time_now();
        if (now > last) {
            smallest = fmin(smallest, now - last);
            last = now;
        }
    }
    assert_true(smallest <= 1e-6);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(time_never_goes_back),
        cmocka_unit_test(time_is_counted_in_seconds),
        cmocka_unit_test(time_resolves_a_microsecond),
    };
    return cmocka_run_group_tests_name("base/time", tests, NULL, NULL);
}
