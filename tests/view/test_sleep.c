// Who sleeps in the viewer: bodies of large scenes, unless it is said otherwise.
#include <stdio.h>

#include "io/scratch.h"
#include "view/live/view_run.h"

/// Balls that lie apart on a floor.
static const char *write_balls(int count)
{
    const char *path = tact_scratch_path("balls.xml");
    FILE       *file = fopen(path, "w");
    assert_non_null(file);
    fprintf(file, "<mujoco><option timestep=\"0.01\"/><worldbody>"
                  "<geom type=\"plane\" size=\"1 1 1\"/>");
    for (int i = 0; i < count; i++) {
        fprintf(file, "<body pos=\"%d 0 0.1\"><freejoint/><geom size=\"0.1\"/></body>", i);
    }
    fprintf(file, "</worldbody></mujoco>");
    assert_int_equal(fclose(file), 0);
    return path;
}

static double sleep_of(int count, double asked)
{
    TactViewRun *run = NULL;
    assert_int_equal(
        tact_view_run_create(write_balls(count), NULL, NULL, TACT_SHARE_LEAST, asked, &run),
        TACT_OK);
    double sleep = tact_view_run_sleep(run);
    tact_view_run_destroy(run);
    return sleep;
}

static void large_scenes_sleep_by_themselves(void **state)
{
    (void)state;
    assert_true(sleep_of(1, -1) == 0);
    assert_true(sleep_of(99, -1) == 0);
    assert_true(sleep_of(100, -1) == 0.5);
}

static void what_is_asked_for_counts(void **state)
{
    (void)state;
    assert_true(sleep_of(100, 0) == 0);
    assert_true(sleep_of(1, 2) == 2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(large_scenes_sleep_by_themselves),
        cmocka_unit_test(what_is_asked_for_counts),
    };
    return cmocka_run_group_tests(tests, tact_scratch_setup, tact_scratch_teardown);
}
