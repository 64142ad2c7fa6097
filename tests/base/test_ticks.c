// Times by ticks of the processor, whose length the clock tells now and then.
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/ticks.h"

/// Ticks of a wait of so many seconds by the clock.
static double wait_ticks(double seconds)
{
    uint64_t tick = tact_ticks_now();
    double   start = tact_time_now();
    while (tact_time_now() - start < seconds) {
    }
    return tact_ticks_since(tick);
}

static void ticks_tell_the_time_of_the_clock(void **state)
{
    (void)state;
    TactTickRate rate = {0};
    tact_tick_rate_begin(&rate);
    wait_ticks(2e-3);
    assert_true(tact_tick_rate_read(&rate) > 0); // the first reading ends the first span
    double least = HUGE_VAL;                     // of several: another program may come between
    for (int k = 0; k < 20; k++) {
        double told = wait_ticks(1e-3) * tact_tick_rate_read(&rate);
        least = fmin(least, told);
    }
    assert_true(least > 0.9e-3 && least < 1.2e-3);
}

static void the_clock_is_read_ever_more_seldom(void **state)
{
    (void)state;
    TactTickRate rate = {0};
    int          spans = 0;
    tact_tick_rate_begin(&rate);
    for (int k = 0; k < 4096; k++) {
        spans += rate.left == 0;
        tact_tick_rate_read(&rate);
    }
    assert_int_equal(spans, 13); // after 1, 3, 7, ... 1023, 2047, 3071 and 4095 readings: 10 + 3
    assert_int_equal(rate.span, 1024);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ticks_tell_the_time_of_the_clock),
        cmocka_unit_test(the_clock_is_read_ever_more_seldom),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
