// Memory of a simulation: once grown, a step takes none, and a world of few trees has its solvers
// from the start. TACT_SOAK says for how many steps that is watched (2,000).
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>
#include <tact/sim.h>

#include "scene.h"

enum { GROWN = 200, STEPS = 2000 };

static long   calls;
static size_t largest;

static void *take(void *context, size_t size)
{
    (void)context;
    calls++;
    largest = size > largest ? size : largest;
    return malloc(size);
}

static void give_back(void *context, void *block)
{
    (void)context;
    free(block);
}

static void watch(const char *name)
{
    const TactAllocator counting = {take, give_back, NULL};
    const char         *soak = getenv("TACT_SOAK");
    long                steps = soak ? strtol(soak, NULL, 10) : STEPS;
    TactSimReport       report;
    tact_allocator_set(&counting);
    TactScene scene = tact_scene_open(name, 0);
    for (int k = 0; k < GROWN; k++) {
        assert_int_equal(tact_sim_step(scene.sim, &report), TACT_OK);
    }
    long before = calls;
    assert_true(before > 0);
    for (long k = 0; k < steps; k++) {
        assert_int_equal(tact_sim_step(scene.sim, &report), TACT_OK);
    }
    printf("%s: %ld allocations before, %ld in %ld steps\n", name, before, calls - before, steps);
    assert_int_equal(calls, before);
    tact_scene_close(&scene);
    tact_allocator_set(NULL);
}

static void a_stack_at_rest_takes_no_memory(void **state)
{
    (void)state;
    watch("stack.xml");
}

static void a_hand_that_holds_a_ball_takes_no_memory(void **state)
{
    (void)state;
    watch("hand.xml");
}

/// Solvers are made of blocks of 60 kB and more.
static void the_first_contact_makes_no_solver(void **state)
{
    (void)state;
    static const char *const names[] = {"ball.xml", "slope.xml", "hand.xml", "pinch.xml"};
    const TactAllocator      counting = {take, give_back, NULL};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        TactSimReport report;
        int           touched = 0;
        tact_allocator_set(&counting);
        TactScene scene = tact_scene_open(names[i], 0);
        largest = 0;
        for (int k = 0; k < GROWN || touched == 0; k++) {
            assert_int_equal(tact_sim_step(scene.sim, &report), TACT_OK);
            touched += report.contacts > 0;
            assert_true(k < STEPS);
        }
        printf("%s: %d steps with contacts, blocks of up to %zu bytes\n", names[i], touched,
               largest);
        assert_true(largest < 32768);
        tact_scene_close(&scene);
        tact_allocator_set(NULL);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_stack_at_rest_takes_no_memory),
        cmocka_unit_test(a_hand_that_holds_a_ball_takes_no_memory),
        cmocka_unit_test(the_first_contact_makes_no_solver),
    };
    return cmocka_run_group_tests_name("sim/memory", tests, NULL, NULL);
}
