// What `tact bench baraff` measures is solved: by the paper's methods, by Lemke, by elimination.
// clang-format off
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>
// clang-format on

#include "bench/baraff/baraff.h"

enum { INSTANCES = 3 };

static const double BUDGET = 60; // s: not reached

/// A is regular where contacts give way.
static void all_columns_solve_problems_without_friction(void **state)
{
    (void)state;
    static const TactBaraffColumn columns[] = {TACT_BARAFF_SECTION_4, TACT_BARAFF_WHOLE,
                                               TACT_BARAFF_LEMKE, TACT_BARAFF_ELIMINATION};
    TactBaraff                    bench;
    int                           count, seen = 0;
    const TactBaraffPoint        *points = tact_baraff_smooth(&count);
    assert_int_equal(tact_baraff_create(INSTANCES, BUDGET, &bench), TACT_OK);
    for (int k = 0; k < count; k++) {
        if (points[k].softness == 0 || points[k].bodies * points[k].each > 50) {
            continue;
        }
        assert_int_equal(tact_baraff_run(&bench, &points[k]), TACT_OK);
        for (size_t c = 0; c < sizeof columns / sizeof *columns; c++) {
            assert_int_equal(bench.cell[columns[c]].solved, INSTANCES);
            assert_true(bench.cell[columns[c]].worst < 1e-7);
            assert_true(bench.cell[columns[c]].median > 0);
        }
        seen++;
    }
    assert_int_equal(seen, 6); // three pegs, towers of 8, 20 and 50 contacts
    tact_baraff_destroy(&bench);
}

static void with_friction_the_whole_method_is_run_alone(void **state)
{
    (void)state;
    TactBaraff             bench;
    int                    count;
    const TactBaraffPoint *points = tact_baraff_rough(&count);
    assert_int_equal(tact_baraff_create(INSTANCES, BUDGET, &bench), TACT_OK);
    assert_int_equal(tact_baraff_run(&bench, &points[0]), TACT_OK);
    assert_int_equal(bench.cell[TACT_BARAFF_WHOLE].solved, INSTANCES);
    assert_int_equal(bench.cell[TACT_BARAFF_SECTION_4].runs, 0);
    assert_int_equal(bench.cell[TACT_BARAFF_ELIMINATION].runs, 0);
    tact_baraff_destroy(&bench);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_columns_solve_problems_without_friction),
        cmocka_unit_test(with_friction_the_whole_method_is_run_alone),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
