// Budgets: what is spent, when it is over, and budgets inside of budgets.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <tact/base.h>

#include "base/budget.h"

static void without_a_budget_nothing_is_ever_over(void **state)
{
    (void)state;
    assert_false(tact_budget_spend(1e300));
    assert_false(tact_budget_is_over());
}

static void work_is_counted_and_ends_behind_the_most(void **state)
{
    (void)state;
    TactBudget budget;
    tact_budget_begin(&budget, 100, 0);
    assert_false(tact_budget_spend(60));
    assert_false(tact_budget_spend(40));
    assert_true(tact_budget_spend(1));
    assert_true(tact_budget_is_over());
    tact_budget_end(&budget);
    assert_true(budget.over && !budget.by_clock && budget.work == 101);
    assert_false(tact_budget_is_over());
}

static void zero_is_any_amount(void **state)
{
    (void)state;
    TactBudget budget;
    tact_budget_begin(&budget, 0, 0);
    assert_false(tact_budget_spend(1e300));
    tact_budget_end(&budget);
    assert_true(!budget.over && budget.work == 1e300);
}

static void the_clock_ends_it_and_that_is_told(void **state)
{
    (void)state;
    TactBudget budget;
    double     begin = tact_time_now();
    tact_budget_begin(&budget, 0, 0.02);
    while (!tact_budget_spend(1)) {
    }
    tact_budget_end(&budget);
    assert_true(budget.over && budget.by_clock);
    assert_true(tact_time_now() - begin >= 0.02);
}

static void a_budget_inside_spends_of_both_and_ends_with_either(void **state)
{
    (void)state;
    TactBudget outer, inner;
    tact_budget_begin(&outer, 100, 0);
    tact_budget_begin(&inner, 10, 0);
    assert_true(tact_budget_spend(11));
    tact_budget_end(&inner);
    assert_false(tact_budget_is_over());
    assert_true(outer.work == 11);
    tact_budget_begin(&inner, 1000, 0);
    assert_true(tact_budget_spend(90));
    tact_budget_end(&inner);
    assert_true(!inner.over && outer.over);
    tact_budget_end(&outer);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(without_a_budget_nothing_is_ever_over),
        cmocka_unit_test(work_is_counted_and_ends_behind_the_most),
        cmocka_unit_test(zero_is_any_amount),
        cmocka_unit_test(the_clock_ends_it_and_that_is_told),
        cmocka_unit_test(a_budget_inside_spends_of_both_and_ends_with_either),
    };
    return cmocka_run_group_tests_name("base/budget", tests, NULL, NULL);
}
