// tact_contact_solve makes no heap call, whatever the method, the cone, the form of the problem.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

#include "base/clones.h"

#ifdef TACT_SANITIZED

int main(void)
{
    printf("skipped: a sanitizer has replaced the heap already\n");
    return 0;
}

#else

#include "families_run.h"
#include "heap_count.h"

/// Heap calls of a cold solve and of a warm one; -1 if the method refuses the problem.
static long count_calls(const Run *run, const TactContactProblem *problem, RunAnswer *memory)
{
    RunSolver          own = {0};
    TactContactSolver *solver = runs_solver(&own, run, problem);
    TactContactAnswer  answer = runs_answer(memory, problem);
    TactContactReport  report;
    assert_non_null(solver);
    long before = heap_calls;
    heap_counting = true;
    TactStatus status = tact_contact_solve(solver, problem, &answer, &report);
    if (status == TACT_OK) {
        status = tact_contact_solve(solver, problem, &answer, &report);
    }
    heap_counting = false;
    tact_contact_solver_destroy(solver);
    assert_true(status == TACT_OK || status == TACT_UNSUPPORTED);
    return status == TACT_OK ? heap_calls - before : -1;
}

static void no_method_touches_the_heap_during_solve(void **state)
{
    (void)state;
    Run                   runs[MAX_RUNS];
    int                   run_count = runs_list(runs), family_count, solves = 0;
    const TactCaseFamily *families = tact_case_families(&family_count);
    bool                  ran[MAX_RUNS] = {0};
    RunAnswer             memory = {0};
    for (int f = 0; f < family_count; f++) {
        TactContactCase made;
        assert_int_equal(tact_case_generate(&families[f], 5, 8, &made), TACT_OK);
        for (int r = 0; r < run_count; r++) {
            // The paths of a solve, not its ends.
            runs[r].config.max_sweeps = 50;
            long seen = count_calls(&runs[r], &made.problem, &memory);
            if (seen > 0) {
                print_error("%s on %s: %ld heap calls\n", runs[r].name, families[f].name, seen);
            }
            assert_true(seen <= 0);
            ran[r] = ran[r] || seen == 0;
            solves += 2 * (seen == 0);
        }
        tact_case_destroy(&made);
    }
    for (int r = 0; r < run_count; r++) {
        assert_true(ran[r]);
    }
    free(memory.block);
    print_message("%d solves, no heap call\n", solves);
}

static void creating_a_solver_does(void **state)
{
    (void)state;
    TactContactCapacity capacity = {.contacts = 4, .dof = 6, .support = 12};
    TactContactConfig   config = tact_contact_config_default(TACT_METHOD_LADDER);
    TactContactSolver  *solver;
    long                before = heap_calls;
    heap_counting = true;
    TactStatus status = tact_contact_solver_create(&capacity, &config, &solver);
    heap_counting = false;
    assert_int_equal(status, TACT_OK);
    assert_true(heap_calls > before);
    tact_contact_solver_destroy(solver);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(creating_a_solver_does),
        cmocka_unit_test(no_method_touches_the_heap_during_solve),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

#endif
