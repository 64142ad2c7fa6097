// Tendons through space: limits are exact, whatever the way does within a step.
// clang-format off
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>
// clang-format on
#include <math.h>

#include "sim/text_scene.h"

#define LINKS                                                                                      \
    "<default><geom type='capsule' size='0.02' fromto='0 0 0 0.3 0 0' contype='0' "                \
    "conaffinity='0'/><joint axis='0 1 0'/></default><worldbody><site name='hook' pos='0 0 0.4'/>" \
    "<body><joint name='a'/><geom/><site name='s' pos='0.2 0 0.05'/><body pos='0.3 0 0'>"          \
    "<joint name='b' type='ball'/><geom/><site name='t' pos='0.3 0.02 0'/></body></body>"          \
    "</worldbody><tendon><spatial armature='0.4'><site site='hook'/><site site='s'/>"              \
    "<site site='t'/></spatial><fixed armature='0.02'><joint joint='a' coef='2'/></fixed>"         \
    "</tendon><keyframe><key qpos='0.3 1 0 0.2 0.1' qvel='1 2 1 0.5'/></keyframe></mujoco>"

/// A ball on a rope of half a metre, thrown sideways: it swings on a sphere about the hook.
static void a_rope_is_never_longer_than_it_is(void **state)
{
    (void)state;
    TactTestScene scene = tact_test_scene(
        "<mujoco><option timestep='0.002'/><worldbody><site name='hook' pos='0 0 1'/>"
        "<body name='ball' pos='0 0 0.5'><freejoint/><geom type='sphere' size='0.05'/>"
        "<site name='eye'/></body></worldbody>"
        "<tendon><spatial limited='true' range='0 0.5'><site site='hook'/><site site='eye'/>"
        "</spatial></tendon>"

        "<keyframe><key qvel='1 0.5 0 0 0 0'/></keyframe></mujoco>");
    double most = 0, highest = 0;
    for (int k = 0; k < 1000; k++) {
        tact_test_scene_step(&scene, 1);
        const double *q = scene.state->q;
        double        length = sqrt(q[0] * q[0] + q[1] * q[1] + (q[2] - 1) * (q[2] - 1));
        most = fmax(most, length);
        highest = fmax(highest, q[2]);
    }
    assert_true(most <= 0.5 + 1e-7);
    // energy: v^2 / 2g above the lowest point, 1.25 / 19.62 = 0.0637 m
    assert_true(highest - 0.5 <= 1.25 / 19.62 + 1e-3);
    assert_true(highest - 0.5 >= 0.8 * 1.25 / 19.62);
    tact_test_scene_close(&scene);
}

/// A weight over a drum: dry friction of the tendon holds it.
static void dry_friction_of_a_tendon_holds_a_weight(void **state)
{
    (void)state;
    TactTestScene scene = tact_test_scene(
        "<mujoco><option timestep='0.002'/><worldbody><site name='hook' pos='-0.3 0 1'/><site "
        "name='top' pos='0 0 1.5'/>"
        "<geom name='drum' type='cylinder' size='0.1 0.1' pos='0 0 1.1' euler='90 0 0' "
        "contype='0' conaffinity='0'/>"
        "<body pos='0.1 0 0.5'><joint type='slide' axis='0 0 1'/>"
        "<geom type='sphere' size='0.05' mass='1'/><site name='eye'/></body></worldbody>"
        "<tendon><spatial name='rope' frictionloss='9.9' width='0.01'><site site='hook'/>"
        "<geom geom='drum' sidesite='top'/><site site='eye'/></spatial></tendon></mujoco>");
    tact_test_scene_step(&scene, 500); // 9.9 N hold 9.81 N
    assert_true(fabs(scene.state->q[0]) <= 1e-9);
    tact_test_scene_close(&scene);
}

/// A weight on a slide, drawn by a tendon of 2 kg along it and one at an angle.
static void a_tendon_with_armature_weighs(void **state)
{
    (void)state;
    TactTestScene scene = tact_test_scene(
        "<mujoco><option timestep='0.001'/><worldbody><site name='hook' pos='0 0 1'/>"
        "<body pos='0 0 0'><joint type='slide' axis='0 0 1'/>"
        "<geom type='sphere' size='0.05' mass='1'/><site name='eye'/></body></worldbody>"
        "<tendon><spatial armature='2'><site site='hook'/><site site='eye'/></spatial></tendon>"
        "</mujoco>");
    tact_test_scene_step(&scene, 100); // a mass of 3 kg with the weight of 1 kg
    assert_true(fabs(scene.state->v[0] + 0.1 * 9.81 / 3) <= 1e-12);
    tact_test_scene_close(&scene);
}

/// Two links and tendons with inertia along them, from a hook: energy is kept, to the order of
/// Runge and Kutta, with that of the tendons in it.
static void inertia_of_tendons_keeps_energy(void **state)
{
    (void)state;
    double off[2];
    for (int k = 0; k < 2; k++) {
        TactTestScene scene =
            tact_test_scene(k == 0 ? "<mujoco><option timestep='0.002' integrator='RK4'/>" LINKS
                                   : "<mujoco><option timestep='0.001' integrator='RK4'/>" LINKS);
        TactSimEnergy before, after;
        assert_int_equal(tact_sim_compute_energy(scene.sim, &before), TACT_OK);
        tact_test_scene_step(&scene, k == 0 ? 300 : 600);
        assert_int_equal(tact_sim_compute_energy(scene.sim, &after), TACT_OK);
        double had = before.kinetic + before.potential, has = after.kinetic + after.potential;
        off[k] = fabs(has - had);
        assert_true(fabs(after.kinetic - before.kinetic) > 0.1); // it goes from one to the other
        tact_test_scene_close(&scene);
    }
    assert_true(off[0] <= 1e-8);
    assert_true(off[1] <= off[0] / 10);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_rope_is_never_longer_than_it_is),
        cmocka_unit_test(dry_friction_of_a_tendon_holds_a_weight),
        cmocka_unit_test(a_tendon_with_armature_weighs),
        cmocka_unit_test(inertia_of_tendons_keeps_energy),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
