// Table I of the grasping paper: every method sees the same problems, pass by pass.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>
#include <tact/load.h>

#include "bench/papers/papers_grasp.h"

static const double SECONDS = 0.15; // until the fingers have closed

static TactSim *open_scene(TactModel **model)
{
    char                path[512];
    TactModelLoadConfig load = tact_model_load_config_default();
    TactSim            *sim;
    snprintf(path, sizeof path, "%s/scenes/grasp.xml", TACT_SOURCE_DIR);
    TactStatus status = tact_model_load(path, &load, model, NULL);
    if (status == TACT_UNSUPPORTED) {
        printf("skipped: %s\n", tact_status_message());
        skip();
    }
    assert_int_equal(status, TACT_OK);
    TactSimConfig config = tact_sim_config_default(*model);
    assert_int_equal(tact_sim_create(*model, &config, &sim), TACT_OK);
    return sim;
}

static void every_pass_has_the_same_problems(void **state)
{
    (void)state;
    TactModel      *model;
    TactSim        *sim = open_scene(&model);
    TactGraspTrial *once, *twice;
    assert_int_equal(tact_grasp_trial_create(&once), TACT_OK);
    assert_int_equal(tact_grasp_trial_create(&twice), TACT_OK);
    assert_int_equal(tact_grasp_trial_run(once, sim, SECONDS, 1), TACT_OK);
    assert_int_equal(tact_grasp_trial_run(twice, sim, SECONDS, 2), TACT_OK);
    assert_int_equal(tact_grasp_trial_problems(once), tact_grasp_trial_problems(twice));
    for (int contacts = 1; contacts <= TACT_GRASP_MOST_CONTACTS; contacts++) {
        assert_int_equal(tact_grasp_trial_count(once, contacts),
                         tact_grasp_trial_count(twice, contacts));
    }
    for (int m = 0; m < TACT_GRASP_METHODS; m++) {
        TactGraspTimes a = tact_grasp_trial_times(once, (TactGraspMethod)m, 0);
        TactGraspTimes b = tact_grasp_trial_times(twice, (TactGraspMethod)m, 0);
        assert_int_equal(a.certified, b.certified);
        assert_true(a.error == b.error);
    }
    tact_grasp_trial_destroy(once);
    tact_grasp_trial_destroy(twice);
    tact_sim_destroy(sim);
    tact_model_destroy(model);
}

static void one_box_of_the_last_step_is_not_an_answer(void **state)
{
    (void)state;
    TactModel      *model;
    TactSim        *sim = open_scene(&model);
    TactGraspTrial *trial;
    assert_int_equal(tact_grasp_trial_create(&trial), TACT_OK);
    assert_int_equal(tact_grasp_trial_run(trial, sim, SECONDS, 1), TACT_OK);
    int problems = tact_grasp_trial_problems(trial);
    assert_int_equal(problems, 75); // steps of 2 ms, and always one island with contacts
    for (int m = 0; m < TACT_GRASP_METHODS; m++) {
        TactGraspTimes t = tact_grasp_trial_times(trial, (TactGraspMethod)m, 0);
        bool           lags = m == TACT_GRASP_PGS_ONCE || m == TACT_GRASP_PGS_SM_ONCE;
        printf("%-16s %2d of %d certified, worst error %.1e\n",
               tact_grasp_method_name((TactGraspMethod)m), t.certified, problems, t.error);
        assert_true(lags ? t.certified < problems && t.error > 1e-3 : t.certified == problems);
        assert_true(t.min <= t.mean && t.mean <= t.max);
    }
    tact_grasp_trial_destroy(trial);
    tact_sim_destroy(sim);
    tact_model_destroy(model);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_pass_has_the_same_problems),
        cmocka_unit_test(one_box_of_the_last_step_is_not_an_answer),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
