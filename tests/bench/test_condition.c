// Conditions of known matrices.
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "bench/problems/condition.h"

static void a_turned_diagonal_keeps_its_condition(void **state)
{
    (void)state;
    // R diag(1, 1e3, 1e6) with a rotation about (1, 1, 1).
    const double R[9] = {2.0 / 3,  -1.0 / 3, 2.0 / 3, 2.0 / 3, 2.0 / 3,
                         -1.0 / 3, -1.0 / 3, 2.0 / 3, 2.0 / 3};
    double       A[9];
    for (int i = 0; i < 9; i++) {
        A[i] = R[i] * (i % 3 == 0 ? 1 : i % 3 == 1 ? 1e3 : 1e6);
    }
    TactFormCondition condition = tact_form_condition(A, 3);
    assert_int_equal(condition.rank, 3);
    assert_true(fabs(condition.value / 1e6 - 1) < 1e-9);
}

static void a_null_direction_lowers_the_rank(void **state)
{
    (void)state;
    double            A[9] = {1, 2, 3, 2, 4, 6, 0, 1, 1};
    TactFormCondition condition = tact_form_condition(A, 3);
    assert_int_equal(condition.rank, 2);
    assert_true(condition.value < 100);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_turned_diagonal_keeps_its_condition),
        cmocka_unit_test(a_null_direction_lowers_the_rank),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
