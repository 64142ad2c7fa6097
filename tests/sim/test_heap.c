// A step touches the heap no more once it has grown: contacts, islands and solvers make room for
// themselves the first time, and keep it.
// clang-format off
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>
// clang-format on
#include <stdio.h>
#include <stdlib.h>

#include "base/clones.h"

#ifdef TACT_SANITIZED

int main(void)
{
    printf("skipped: a sanitizer has replaced the heap already\n");
    return 0;
}

#else

#include "heap_count.h"
#include "sim/scene.h"

/// Runs twice from the same state: the second time there is room for everything.
static void check(const char *name, TactScene scene, int steps)
{
    size_t size = tact_sim_snapshot_get_size(scene.sim);
    void  *start = malloc(size);
    int    most = 0;
    assert_non_null(start);
    assert_int_equal(tact_sim_snapshot_save(scene.sim, start, size), TACT_OK);
    long before = heap_calls;
    heap_counting = true;
    for (int i = 0; i < steps; i++) {
        TactSimReport report = tact_scene_step(&scene);
        most = report.contacts > most ? report.contacts : most;
    }
    heap_counting = false;
    long first = heap_calls - before;
    assert_true(first > 0); // it began with nothing
    assert_int_equal(tact_sim_snapshot_restore(scene.sim, start, size), TACT_OK);
    before = heap_calls;
    heap_counting = true;
    for (int i = 0; i < steps; i++) {
        tact_scene_step(&scene);
    }
    heap_counting = false;
    print_message("%s: %ld heap calls while it grew to %d contacts, then %ld\n", name, first, most,
                  heap_calls - before);
    assert_int_equal(heap_calls - before, 0);
    free(start);
    tact_scene_close(&scene);
}

static void fifty_bodies_need_no_heap_the_second_time(void **state)
{
    (void)state;
    check("fifty", tact_scene_open("fifty.xml", 0), 200);
}

static void a_stack_needs_no_heap_the_second_time(void **state)
{
    (void)state;
    check("stack", tact_scene_open("stack.xml", 0), 20);
}

/// Many pairs: sorting them needs no heap either.
static void two_hundred_balls_need_no_heap_the_second_time(void **state)
{
    (void)state;
    TactModel          *model = NULL;
    TactModelLoadConfig load = tact_model_load_config_default();
    const char          text[] = "<mujoco><worldbody><geom type='plane' size='9 9 .1'/>"
                                 "<replicate count='200' offset='.3 0 0'><body pos='0 0 .1'><freejoint/>"
                                 "<geom size='.1'/></body></replicate></worldbody></mujoco>";
    TactStatus status = tact_model_load_memory("balls", text, sizeof text - 1, &load, &model, NULL);
    if (status == TACT_UNSUPPORTED) {
        printf("skipped: %s\n", tact_status_message());
        skip();
    }
    assert_int_equal(status, TACT_OK);
    check("balls", tact_scene_start(model, 0), 5);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(fifty_bodies_need_no_heap_the_second_time),
        cmocka_unit_test(a_stack_needs_no_heap_the_second_time),
        cmocka_unit_test(two_hundred_balls_need_no_heap_the_second_time),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

#endif
