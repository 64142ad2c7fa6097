// Moments of a run that the viewer goes back to: the right one is found, and what follows it is the
// run as it was, bit for bit.
#include "sim/scene.h"
#include "view/live/history.h"

enum { STEPS = 100 };

typedef struct Run {
    TactScene       scene;
    TactViewHistory history;
    uint64_t        hashes[STEPS + 1]; // after so many steps
} Run;

/// A run with a moment offered after every step.
static Run start_run(const char *scene)
{
    Run run = {.scene = tact_scene_open(scene, 0)};
    assert_int_equal(tact_view_history_create(&run.history), TACT_OK);
    for (long step = 0; step <= STEPS; step++) {
        if (step > 0) {
            run.hashes[step] = tact_scene_step(&run.scene).hash;
        }
        tact_view_history_add(&run.history, run.scene.sim, (TactViewMoment){.step = step});
    }
    return run;
}

static void end_run(Run *run)
{
    tact_view_history_destroy(&run->history);
    tact_scene_close(&run->scene);
}

static void every_step_can_be_reached_again(void **state)
{
    (void)state;
    Run run = start_run("fifty.xml");
    for (long step = STEPS; step > 0; step -= 7) {
        const TactViewMoment *moment = tact_view_history_find(&run.history, step);
        assert_non_null(moment);
        assert_true(moment->step < step);
        assert_int_equal(tact_sim_snapshot_restore(run.scene.sim, moment->snapshot, moment->size),
                         TACT_OK);
        for (long at = moment->step + 1; at <= step; at++) {
            assert_true(tact_scene_step(&run.scene).hash == run.hashes[at]);
        }
    }
    end_run(&run);
}

/// Not every frame is kept, and never more than six steps have to be made again for one.
static void moments_lie_a_few_steps_apart(void **state)
{
    (void)state;
    Run run = start_run("slope.xml");
    assert_true(run.history.count < STEPS / 4);
    for (long step = 1; step <= STEPS; step++) {
        long last = tact_view_history_find(&run.history, step)->step;
        assert_true(last < step && step - last <= 6);
    }
    assert_int_equal(tact_view_history_find(&run.history, 0)->step, 0);
    end_run(&run);
}

static void an_intervention_takes_the_place_of_its_step_and_ends_what_followed(void **state)
{
    (void)state;
    Run            run = start_run("slope.xml");
    TactViewMoment moment = {.step = 50, .hand = {.holds = true, .body = 1}};
    tact_view_history_must_add(&run.history, run.scene.sim, moment);
    assert_true(tact_view_history_find(&run.history, STEPS)->step == 50);
    assert_true(tact_view_history_find(&run.history, 51)->hand.holds);
    assert_true(tact_view_history_find(&run.history, 50)->step < 50);
    assert_false(tact_view_history_find(&run.history, 50)->hand.holds);
    moment.hand.holds = false; // let go before a step was made
    int count = run.history.count;
    tact_view_history_must_add(&run.history, run.scene.sim, moment);
    assert_int_equal(run.history.count, count);
    assert_false(tact_view_history_find(&run.history, 51)->hand.holds);
    end_run(&run);
}

static void the_oldest_moments_go_when_there_are_too_many(void **state)
{
    (void)state;
    enum { MORE = 10 };
    Run run = {.scene = tact_scene_open("slope.xml", 0)};
    assert_int_equal(tact_view_history_create(&run.history), TACT_OK);
    for (long step = 0; step < TACT_VIEW_MOST_MOMENTS + MORE; step++) {
        tact_view_history_must_add(&run.history, run.scene.sim, (TactViewMoment){.step = step});
    }
    assert_true(run.history.count <= TACT_VIEW_MOST_MOMENTS);
    long oldest = tact_view_history_find(&run.history, 0)->step;
    assert_true(oldest == TACT_VIEW_MOST_MOMENTS + MORE - run.history.count);
    assert_true(run.history.bytes ==
                (size_t)run.history.count * tact_sim_snapshot_get_size(run.scene.sim));
    tact_view_history_forget(&run.history, 0);
    assert_int_equal(run.history.count, 0);
    assert_int_equal(run.history.bytes, 0);
    assert_null(tact_view_history_find(&run.history, 5));
    end_run(&run);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_step_can_be_reached_again),
        cmocka_unit_test(moments_lie_a_few_steps_apart),
        cmocka_unit_test(an_intervention_takes_the_place_of_its_step_and_ends_what_followed),
        cmocka_unit_test(the_oldest_moments_go_when_there_are_too_many),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
