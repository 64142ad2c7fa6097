// Solve makes no heap call: every allocating function of the C library is replaced and counted.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/clones.h"
#include "bench/problems/families.h"

#ifdef TACT_SANITIZED

int main(void)
{
    printf("skipped: a sanitizer has replaced the heap already\n");
    return 0;
}

#else

#include "heap_count.h"

// ---------------------------------------------------------------------------------------------

static void the_count_sees_the_heap(void **state)
{
    (void)state;
    static void *volatile block;
    heap_calls = 0;
    heap_counting = true;
    block = malloc(10);
    block = realloc(block, 100);
    free(block);
    block = calloc(3, 4);
    free(block);
    block = aligned_alloc(64, 64);
    free(block);
    heap_counting = false;
    assert_int_equal(heap_calls, 7);
}

/// What solve does with one problem: the number of heap calls; -1 if the method refuses it.
static long count_calls(TactLcpMethod method, const TactLcpProblem *problem)
{
    const TactLcpMethodInfo *info = tact_lcp_method_info(method);
    if (!info || (info->max_n > 0 && problem->n > info->max_n)) {
        return -1;
    }
    TactLcpConfig  config = tact_lcp_config_default(method);
    TactLcpSolver *solver;
    config.max_iterations = 100;
    assert_int_equal(tact_lcp_solver_create(problem->n, &config, &solver), TACT_OK);
    static double        z[512];
    static unsigned char basis[512];
    TactLcpReport        report;
    long                 before = heap_calls;
    heap_counting = true;
    TactStatus status = tact_lcp_solve(solver, problem, z, &report);
    // Once more, from the answer: the paths of a warm start.
    if (status == TACT_OK) {
        bool begun = tact_lcp_solver_get_basis(solver, basis) == TACT_OK &&
                     tact_lcp_solver_set_start(solver, problem->n, z, basis) == TACT_OK;
        status = begun ? tact_lcp_solve(solver, problem, z, &report) : TACT_BAD_ARGUMENT;
    }
    heap_counting = false;
    tact_lcp_solver_destroy(solver);
    assert_true(status == TACT_OK || status == TACT_UNSUPPORTED);
    return status == TACT_OK ? heap_calls - before : -1;
}

static void no_method_touches_the_heap_during_solve(void **state)
{
    (void)state;
    int               count, solves = 0;
    const TactFamily *families = tact_families(&count);
    bool              ran[TACT_LCP_METHOD_COUNT] = {0};
    for (int f = 0; f < count; f++) {
        TactFamilyProblem made;
        assert_int_equal(tact_family_generate(&families[f], 5, &made), TACT_OK);
        for (int m = 0; m < TACT_LCP_METHOD_COUNT; m++) {
            long seen = count_calls((TactLcpMethod)m, &made.problem);
            if (seen > 0) {
                print_error("%s on %s: %ld heap calls\n",
                            tact_lcp_method_info((TactLcpMethod)m)->name, families[f].name, seen);
            }
            assert_true(seen <= 0);
            ran[m] = ran[m] || seen == 0;
            solves += seen == 0;
        }
        tact_family_problem_destroy(&made);
    }
    for (int m = 0; m < TACT_LCP_METHOD_COUNT; m++) {
        assert_true(ran[m] || !tact_lcp_method_info((TactLcpMethod)m));
    }
    print_message("%d solves, no heap call\n", solves);
}

static void creating_a_solver_does(void **state)
{
    (void)state;
    TactLcpConfig  config = tact_lcp_config_default(TACT_LCP_METHOD_LEMKE);
    TactLcpSolver *solver;
    heap_calls = 0;
    heap_counting = true;
    TactStatus status = tact_lcp_solver_create(10, &config, &solver);
    heap_counting = false;
    assert_int_equal(status, TACT_OK);
    assert_true(heap_calls > 0);
    tact_lcp_solver_destroy(solver);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_count_sees_the_heap),
        cmocka_unit_test(creating_a_solver_does),
        cmocka_unit_test(no_method_touches_the_heap_during_solve),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

#endif
