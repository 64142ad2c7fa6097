#include "sim/text_scene.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

TactTestScene tact_test_scene_with(const char *xml, void (*change)(TactSimConfig *config))
{
    TactTestScene       scene = {0};
    TactModelLoadConfig load = tact_model_load_config_default();
    TactStatus          status =
        tact_model_load_memory("scene.xml", xml, strlen(xml), &load, &scene.model, NULL);
    if (status == TACT_UNSUPPORTED) {
        printf("skipped: %s\n", tact_status_message());
        skip();
    }
    if (status != TACT_OK) {
        fail_msg("%s", tact_status_message());
    }
    TactSimConfig config = tact_sim_config_default(scene.model);
    if (change) {
        change(&config);
    }
    assert_int_equal(tact_sim_create(scene.model, &config, &scene.sim), TACT_OK);
    if (scene.model->keyframe_count > 0) {
        assert_int_equal(tact_sim_reset(scene.sim, 0), TACT_OK);
    }
    scene.state = tact_sim_view_state(scene.sim);
    scene.certifier = tact_test_certify_start(scene.sim);
    return scene;
}

TactTestScene tact_test_scene(const char *xml)
{
    return tact_test_scene_with(xml, NULL);
}

void tact_test_scene_close(TactTestScene *scene)
{
    tact_test_certify_check(scene->certifier, scene->model, NULL);
    tact_test_certify_stop(&scene->certifier, scene->sim);
    tact_sim_destroy(scene->sim);
    tact_model_destroy(scene->model);
}

TactSimReport tact_test_scene_step(TactTestScene *scene, int steps)
{
    TactSimReport report = {0};
    for (int k = 0; k < steps; k++) {
        if (tact_sim_step(scene->sim, &report) != TACT_OK) {
            fail_msg("step %d: %s", k, tact_status_message());
        }
        assert_int_equal(report.certified, report.islands);
        tact_test_certify_check(scene->certifier, scene->model, &report);
    }
    return report;
}

void tact_test_scene_leave_certificates(TactTestScene *scene)
{
    tact_test_certify_stop(&scene->certifier, scene->sim);
}
