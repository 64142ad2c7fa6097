// Who sleeps in the viewer: everybody, unless it is said otherwise; and what is shown of sleepers.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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

static void scenes_sleep_by_themselves(void **state)
{
    (void)state;
    assert_true(sleep_of(1, -1) == 0.5);
    assert_true(sleep_of(100, -1) == 0.5);
}

static void what_is_asked_for_counts(void **state)
{
    (void)state;
    assert_true(sleep_of(100, 0) == 0);
    assert_true(sleep_of(1, 2) == 2);
}

/// Contacts of a frame: its header has their number, and they stand behind the poses and velocities
/// of the bodies.
static int contacts_of(TactViewRun *run, const float **contacts)
{
    static float     numbers[4096];
    TactViewMessage *message = tact_view_run_frame(run, (TactViewRunCost){0});
    size_t           size;
    assert_non_null(message);
    const char *bytes = (const char *)tact_view_message_bytes(message, &size);
    const char *count = strstr(bytes + sizeof(uint32_t), "\"contacts\":");
    assert_non_null(count);
    int    n = atoi(count + strlen("\"contacts\":"));
    size_t behind = (size_t)n * TACT_VIEW_CONTACT_SIZE * sizeof(float);
    assert_true(behind <= sizeof numbers && behind <= size);
    memcpy(numbers, bytes + size - behind, behind); // no sensors, no controls
    *contacts = numbers;
    tact_view_message_release(message);
    return n;
}

static void sleepers_show_their_last_contacts(void **state)
{
    (void)state;
    TactViewRun *run = NULL;
    const float *c;
    float        awake[3 * TACT_VIEW_CONTACT_SIZE];
    assert_int_equal(tact_view_run_create(write_balls(3), NULL, NULL, TACT_SHARE_LEAST, -1, &run),
                     TACT_OK);
    for (int k = 0; k < 30; k++) {
        assert_int_equal(tact_view_run_step(run), TACT_OK);
    }
    assert_int_equal(contacts_of(run, &c), 3);
    memcpy(awake, c, sizeof awake);
    assert_true(awake[TACT_VIEW_CONTACT_STATE] == 1); // sticks
    for (int k = 0; k < 100; k++) {                   // of 10 ms
        assert_int_equal(tact_view_run_step(run), TACT_OK);
        if (k % 3 == 0) {
            assert_int_equal(contacts_of(run, &c), 3);
        }
    }
    assert_int_equal(contacts_of(run, &c), 3);
    for (int i = 0; i < 3; i++) {
        const float *then = awake + i * TACT_VIEW_CONTACT_SIZE,
                    *now = c + i * TACT_VIEW_CONTACT_SIZE;
        assert_true(now[TACT_VIEW_CONTACT_STATE] == 3);
        assert_memory_equal(now + TACT_VIEW_CONTACT_POINT_X, then + TACT_VIEW_CONTACT_POINT_X,
                            3 * sizeof *now);
        assert_true(fabsf(now[TACT_VIEW_CONTACT_NORMAL] - then[TACT_VIEW_CONTACT_NORMAL]) <=
                    1e-6F * then[TACT_VIEW_CONTACT_NORMAL]);
    }
    // One is pulled: it wakes, and its contact is its own again.
    TactViewCommand drag = {.verb = TACT_VIEW_DRAG, .index = 1, .target = {0.3, 0, 0.1}};
    assert_int_equal(tact_view_run_command(run, &drag), TACT_OK);
    for (int k = 0; k < 5; k++) {
        assert_int_equal(tact_view_run_step(run), TACT_OK);
    }
    int n = contacts_of(run, &c), asleep = 0;
    for (int i = 0; i < n; i++) {
        asleep += c[i * TACT_VIEW_CONTACT_SIZE + TACT_VIEW_CONTACT_STATE] == 3;
    }
    assert_int_equal(n, 3);
    assert_int_equal(asleep, 2);
    // Back to a step in which all were awake: none sleeps.
    TactViewCommand back = {.verb = TACT_VIEW_REWIND, .value = 20};
    assert_int_equal(tact_view_run_command(run, &back), TACT_OK);
    assert_int_equal(contacts_of(run, &c), 3);
    assert_true(c[TACT_VIEW_CONTACT_STATE] == 1);
    tact_view_run_destroy(run);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(scenes_sleep_by_themselves),
        cmocka_unit_test(what_is_asked_for_counts),
        cmocka_unit_test(sleepers_show_their_last_contacts),
    };
    return cmocka_run_group_tests(tests, tact_scratch_setup, tact_scratch_teardown);
}
