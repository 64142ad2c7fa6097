// What a simulation says about itself: where things are, how they move, its model and its config,
// which may be changed while it runs.
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "sim/text_scene.h"

#define SLIDE                                                                       \
    "<mujoco><option timestep='0.002'/><worldbody>"                                 \
    "<geom type='plane' size='5 5 .1' friction='.5'/>"                              \
    "<body name='box' pos='0 0 .05'><freejoint/>"                                   \
    "<geom name='side' type='box' size='.05 .05 .05' pos='.01 0 0' friction='.5'/>" \
    "<site name='tip' pos='0 .05 .05' euler='90 0 0'/>"                             \
    "<body name='arm' pos='0 0 .1'><joint type='hinge' axis='0 1 0'/>"              \
    "<geom type='capsule' size='.01' fromto='0 0 0 0 0 .1'/></body></body></worldbody></mujoco>"

static bool is_near(TactVec3 a, TactVec3 b, double tol)
{
    return tact_vec3_norm(tact_vec3_subtract(a, b)) <= tol;
}

static void poses_and_velocities_are_those_of_the_state(void **state)
{
    (void)state;
    TactTestScene  scene = tact_test_scene(SLIDE);
    TactTransform  before[3], after[3], geoms[3], sites[1];
    TactTwist      twists[3];
    const TactVec3 push = {0.3, 0, 0};
    assert_int_equal(scene.model->body_count, 3);
    memcpy(scene.state->v, &push, sizeof push);
    tact_test_scene_step(&scene, 10);
    assert_int_equal(tact_sim_compute_poses(scene.sim, before), TACT_OK);
    tact_test_scene_step(&scene, 1);
    assert_int_equal(tact_sim_compute_poses(scene.sim, after), TACT_OK);
    assert_int_equal(tact_sim_compute_velocities(scene.sim, twists), TACT_OK);
    assert_int_equal(tact_sim_compute_geom_poses(scene.sim, geoms), TACT_OK);
    assert_int_equal(tact_sim_compute_site_poses(scene.sim, sites), TACT_OK);

    // the free joint's numbers are its pose; the world stands still
    assert_true(is_near(after[1].position,
                        (TactVec3){scene.state->q[0], scene.state->q[1], scene.state->q[2]}, 0));
    assert_true(is_near(twists[0].linear, (TactVec3){0, 0, 0}, 0));
    for (int b = 1; b < 3; b++) { // x+ = x + h v+, but for what turns
        TactVec3 way = tact_vec3_subtract(after[b].position, before[b].position);
        assert_true(is_near(way, tact_vec3_scale(0.002, twists[b].linear), 1e-6));
    }
    assert_true(twists[1].linear.x > 0.1);
    assert_true(
        is_near(geoms[1].position, tact_transform_point(after[1], (TactVec3){.01, 0, 0}), 1e-15));
    assert_true(
        is_near(sites[0].position, tact_transform_point(after[1], (TactVec3){0, .05, .05}), 1e-15));
    tact_test_scene_close(&scene);
}

static void a_config_can_be_changed_while_it_runs(void **state)
{
    (void)state;
    TactTestScene scene = tact_test_scene(SLIDE);
    TactSimConfig config = *tact_sim_view_config(scene.sim);
    assert_ptr_equal(tact_sim_view_model(scene.sim), scene.model);
    scene.state->v[0] = 0.5;
    config.friction_scale = 0; // ice
    config.method = TACT_METHOD_REDUCED;
    config.cone = TACT_CONE_PYRAMID;
    assert_int_equal(tact_sim_set_config(scene.sim, &config), TACT_OK);
    tact_test_scene_step(&scene, 100);
    assert_true(fabs(scene.state->v[0] - 0.5) < 1e-3);
    config.friction_scale = 1;
    config.cone = TACT_CONE_CIRCLE;
    config.timestep = 0.001;
    assert_int_equal(tact_sim_set_config(scene.sim, &config), TACT_OK);
    double time = scene.state->time;
    tact_test_scene_step(&scene, 400);
    assert_true(fabs(scene.state->time - time - 0.4) < 1e-9);
    assert_true(fabs(scene.state->v[0]) < 1e-6); // it has come to rest

    config.integrator = TACT_INTEGRATOR_RK4;
    assert_int_equal(tact_sim_set_config(scene.sim, &config), TACT_BAD_ARGUMENT);
    assert_non_null(strstr(tact_status_message(), "integrator"));
    config = *tact_sim_view_config(scene.sim);
    config.friction_scale = NAN;
    assert_int_equal(tact_sim_set_config(scene.sim, &config), TACT_BAD_ARGUMENT);
    assert_int_equal(tact_sim_set_config(scene.sim, NULL), TACT_BAD_ARGUMENT);
    assert_true(tact_sim_view_config(scene.sim)->friction_scale == 1);
    tact_test_scene_close(&scene);
}

static void a_snapshot_at_another_friction_is_refused(void **state)
{
    (void)state;
    TactTestScene scene = tact_test_scene(SLIDE);
    TactSimConfig config = *tact_sim_view_config(scene.sim);
    size_t        size = tact_sim_snapshot_get_size(scene.sim);
    void         *bytes = malloc(size);
    assert_non_null(bytes);
    assert_int_equal(tact_sim_snapshot_save(scene.sim, bytes, size), TACT_OK);
    assert_int_equal(tact_sim_snapshot_restore(scene.sim, bytes, size), TACT_OK);
    config.friction_scale = 0.01;
    assert_int_equal(tact_sim_set_config(scene.sim, &config), TACT_OK);
    assert_int_equal(tact_sim_snapshot_restore(scene.sim, bytes, size), TACT_BAD_INPUT);
    free(bytes);
    tact_test_scene_close(&scene);
}

static void enums_have_names_both_ways(void **state)
{
    (void)state;
    for (int i = 0; i < 3; i++) {
        TactContactCone cone;
        assert_int_equal(tact_contact_cone_find(tact_contact_cone_name((TactContactCone)i), &cone),
                         TACT_OK);
        assert_int_equal((int)cone, i);
    }
    for (int i = 0; i < 2; i++) {
        TactIntegrator     integrator;
        TactRestitutionLaw law;
        assert_int_equal(tact_integrator_find(tact_integrator_name((TactIntegrator)i), &integrator),
                         TACT_OK);
        assert_int_equal(
            tact_restitution_law_find(tact_restitution_law_name((TactRestitutionLaw)i), &law),
            TACT_OK);
        assert_int_equal((int)integrator, i);
        assert_int_equal((int)law, i);
    }
    TactContactCone cone;
    assert_int_equal(tact_contact_cone_find("oval", &cone), TACT_BAD_ARGUMENT);
    assert_non_null(strstr(tact_status_message(), "pyramid circle box"));
    assert_int_equal(tact_contact_cone_find(NULL, &cone), TACT_BAD_ARGUMENT);
    assert_string_equal(tact_contact_state_name(TACT_STATE_SLIDE), "slide");
    assert_string_equal(tact_contact_state_name((TactContactState)7), "unknown");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(poses_and_velocities_are_those_of_the_state),
        cmocka_unit_test(a_config_can_be_changed_while_it_runs),
        cmocka_unit_test(a_snapshot_at_another_friction_is_refused),
        cmocka_unit_test(enums_have_names_both_ways),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
