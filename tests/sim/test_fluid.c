// The fluid around at the end of the step: drag that outweighs the inertia by far, lift, wind.
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>

#include <cmocka.h>

#include "sim/certify.h"
#include "sim/text_scene.h"

static const double pi = 3.14159265358979323846;

static const double *positions(const TactTestScene *scene)
{
    return tact_sim_view_state(scene->sim)->q;
}

static const double *velocities(const TactTestScene *scene)
{
    return tact_sim_view_state(scene->sim)->v;
}

/// Steps, all of them made as a whole, certified, and in numbers.
static void step_well(TactTestScene *scene, int count)
{
    for (int k = 0; k < count; k++) {
        TactSimReport report;
        assert_int_equal(tact_sim_step(scene->sim, &report), TACT_OK);
        assert_int_equal(report.unresolved, 0);
        assert_int_equal(report.parts, 1);
        assert_int_equal(report.certified, report.islands);
    }
}

static void near(double found, double wanted, double tol)
{
    if (!(fabs(found - wanted) <= tol)) {
        fail_msg("%.12g is not %.12g within %g", found, wanted, tol);
    }
}

static double energy(const TactTestScene *scene)
{
    TactSimEnergy e;
    assert_int_equal(tact_sim_compute_energy(scene->sim, &e), TACT_OK);
    return e.kinetic + e.potential;
}

// ---------------------------------------------------------------------------------------------

/// v+ = v / (1 + h c / m) with c = 6 pi mu r, and so x = m (v_0 - v) / c for every step: as
/// exactly.
static void viscosity_stops_a_sphere_as_far_as_it_does_in_time(void **state)
{
    (void)state;
    const double mu = 10, r = 0.005, m = 1e-3, v = 2, c = 6 * pi * mu * r;
    const double steps[] = {1e-3, 1e-2, 0.1};
    for (int k = 0; k < 3; k++) {
        char text[500];
        snprintf(text, sizeof text,
                 "<mujoco><option gravity='0 0 0' timestep='%g' viscosity='%g'/><worldbody><body>"
                 "<freejoint/><geom size='%g' mass='%g' fluidshape='ellipsoid'/></body></worldbody>"
                 "<keyframe><key qvel='%g 0 0 0 0 0'/></keyframe></mujoco>",
                 steps[k], mu, r, m, v);
        TactTestScene scene = tact_test_scene(text);
        assert_int_equal(tact_sim_reset(scene.sim, 0), TACT_OK);
        step_well(&scene, 1);
        near(velocities(&scene)[0], v / (1 + steps[k] * c / m), 1e-12 * v);
        step_well(&scene, 19);
        near(positions(&scene)[0], m * (v - velocities(&scene)[0]) / c, 1e-12);
        tact_test_scene_close(&scene);
    }
}

/// rho c_b pi r^2 v^2 = m g: the velocity at which drag carries the weight, from far below it and
/// from far above, in steps in which it would stop many times.
static void a_sphere_sinks_at_the_velocity_that_carries_its_weight(void **state)
{
    (void)state;
    const double rho = 1000, r = 0.002, m = 4e-5, g = 9.81, blunt = 0.5;
    const double terminal = sqrt(m * g / (rho * blunt * pi * r * r)), start[] = {0, -50};
    for (int k = 0; k < 2; k++) {
        char text[600];
        snprintf(text, sizeof text,
                 "<mujoco><option timestep='0.1' density='%g'/><worldbody><body><freejoint/>"
                 "<geom size='%g' mass='%g' fluidshape='ellipsoid'/></body></worldbody>"
                 "<keyframe><key qvel='0 0 %g 0 0 0'/></keyframe></mujoco>",
                 rho, r, m, start[k]);
        TactTestScene scene = tact_test_scene(text);
        double        before = fabs(start[k]);
        assert_int_equal(tact_sim_reset(scene.sim, 0), TACT_OK);
        for (int i = 0; i < 40; i++) { // without going beyond it
            step_well(&scene, 1);
            double v = -velocities(&scene)[2];
            assert_true(k == 0 ? v >= before - 1e-9 : v <= before + 1e-9);
            before = v;
        }
        near(before, terminal, 1e-6 * terminal);
        tact_test_scene_close(&scene);
    }
}

static const char THINGS[] =
    "<mujoco><option timestep='%g' density='%g' viscosity='%g' gravity='0 0 0'/><worldbody>"
    "<body><freejoint/><geom type='box' size='.1 .05 .002' density='200' fluidshape='%s'/></body>"
    "<body pos='1 0 0'><freejoint/><geom size='.005' density='100' fluidshape='%s'/></body>"
    "<body pos='2 0 0'><freejoint/><geom type='ellipsoid' size='.06 .02 .03' fluidshape='%s'/>"
    "<body pos='-.08 0 0'><joint axis='0 0 1' pos='.03 0 0'/><geom type='ellipsoid' "
    "size='.05 .004 .03' fluidshape='%s'/></body></body>"
    "<body pos='3 0 0'><joint axis='0 1 0'/><geom type='capsule' fromto='0 0 0 .3 0 0' size='.01' "
    "density='300' fluidshape='%s'/></body>"
    "<body pos='4 0 0'><joint type='slide' axis='1 0 1'/><geom type='capsule' size='.01 .05' "
    "density='300' fluidshape='%s'/></body></worldbody><keyframe><key qvel='1 .5 0 3 5 -4 "
    "2 0 1 30 0 10  1 -1 .5 3 -5 4 6  8  3'/></keyframe></mujoco>";

/// Nothing pushes but the fluid, which is at rest: in no step does any of it get energy.
static void a_fluid_at_rest_takes_energy_only(void **state)
{
    (void)state;
    const double steps[] = {1e-3, 4e-3, 1e-2}, viscosity[] = {0, 0.1, 1, 10};
    for (int k = 0; k < 24; k++) {
        for (int ellipsoid = 0; ellipsoid < 2; ellipsoid++) {
            char        text[2000];
            const char *shape = ellipsoid ? "ellipsoid" : "none";
            double      density = k < 12 ? 1000 : 0;
            snprintf(text, sizeof text, THINGS, steps[k % 3], density, viscosity[k / 3 % 4], shape,
                     shape, shape, shape, shape, shape);
            TactTestScene scene = tact_test_scene(text);
            assert_int_equal(tact_sim_reset(scene.sim, 0), TACT_OK);
            double before = energy(&scene), first = before;
            for (int i = 0; i < 60; i++) {
                TactSimReport report;
                assert_int_equal(tact_sim_step(scene.sim, &report), TACT_OK);
                assert_int_equal(report.unresolved, 0);
                double after = energy(&scene);
                // a mechanism with hardly any drag keeps its own to second order (docs/theory)
                double wavers = density == 0 && viscosity[k / 3 % 4] <= 0.1 ? 1e-2 * first : 0;
                if (!(after <= before + wavers + 1e-9 * first)) {
                    fail_msg("step %d of %g s, density %g, viscosity %g, %s: %.12g J after %.12g J",
                             i, steps[k % 3], density, viscosity[k / 3 % 4], shape, after, before);
                }
                before = after;
            }
            tact_test_scene_close(&scene);
        }
    }
}

/// In wind, whatever it drives goes with it in the end.
static void wind_takes_things_along(void **state)
{
    (void)state;
    const char *shapes[] = {"none", "ellipsoid"};
    for (int k = 0; k < 2; k++) {
        char text[600];
        snprintf(text, sizeof text,
                 "<mujoco><option timestep='.01' density='1000' viscosity='10' wind='2 1 -.5' "
                 "gravity='0 0 0'/><worldbody><body euler='20 30 0'><freejoint/><geom type='box' "
                 "size='.1 .05 .02' density='500' fluidshape='%s'/></body></worldbody></mujoco>",
                 shapes[k]);
        TactTestScene scene = tact_test_scene(text);
        step_well(&scene, 300);
        near(velocities(&scene)[0], 2, 1e-6);
        near(velocities(&scene)[1], 1, 1e-6);
        near(velocities(&scene)[2], -.5, 1e-6);
        tact_test_scene_close(&scene);
    }
}

/// Forces of a step that was made explain it, dof by dof: M a + bias = all of them.
static void forces_of_a_step_in_a_fluid_add_up(void **state)
{
    (void)state;
    char text[2000];
    snprintf(text, sizeof text, THINGS, 0.004, 1000.0, 1.0, "ellipsoid", "none", "ellipsoid",
             "ellipsoid", "none", "ellipsoid");
    TactTestScene scene = tact_test_scene(text);
    assert_int_equal(tact_sim_reset(scene.sim, 0), TACT_OK);
    for (int k = 0; k < 20; k++) {
        TactSimForces f;
        tact_test_scene_step(&scene, 1);
        assert_int_equal(tact_sim_compute_forces(scene.sim, &f), TACT_OK);
        for (int i = 0; i < scene.model->nv; i++) {
            double sum = f.passive[i] + f.applied[i] + f.actuators[i] + f.contacts[i] + f.limits[i];
            double size = fabs(f.inertia[i]) + fabs(f.bias[i]) + fabs(f.passive[i]);
            near(f.inertia[i] + f.bias[i], sum, 1e-10 * (size + 1e-6));
        }
    }
    tact_test_scene_close(&scene);
}

/// Heavy bodies that sink to the ground and rest there, in water and in oil.
static void contacts_hold_in_a_fluid(void **state)
{
    (void)state;
    const double viscosity[] = {0.001, 10};
    for (int k = 0; k < 2; k++) {
        char text[1200];
        snprintf(text, sizeof text,
                 "<mujoco><option timestep='.004' density='1000' viscosity='%g'/><default><geom "
                 "density='3000'/></default><worldbody><geom type='plane' size='1 1 1'/><body "
                 "pos='0 0 .06'><freejoint/><geom type='box' size='.1 .05 .02'/></body><body "
                 "pos='0.02 0 .12'><freejoint/><geom type='box' size='.05 .05 .02' "
                 "fluidshape='ellipsoid'/></body><body pos='1 0 .1' euler='0 -90 0'><freejoint/>"
                 "<geom type='capsule' size='.02 .1'/><body pos='0 0 .12'><joint axis='0 1 0' "
                 "range='-60 60'/><geom type='capsule' fromto='0 0 0 .2 0 0' size='.02' "
                 "fluidshape='ellipsoid'/></body></body></worldbody></mujoco>",
                 viscosity[k]);
        TactTestScene scene = tact_test_scene(text);
        for (int i = 0; i < 1500; i++) {
            TactSimReport report;
            assert_int_equal(tact_sim_step(scene.sim, &report), TACT_OK);
            assert_int_equal(report.certified, report.islands);
            assert_int_equal(report.unresolved, 0);
            assert_true(report.penetration < 1e-3);
        }
        near(positions(&scene)[2], 0.02, 1e-3);
        near(positions(&scene)[9], 0.06, 1e-3);
        tact_test_scene_close(&scene);
    }
}

/// What drags a hinge by 3 pi mu d r^2 + pi d^3 mu would run away in Runge-Kutta's steps of 10 ms.
static void runge_kutta_divides_steps_that_viscosity_makes_too_long(void **state)
{
    (void)state;
    TactTestScene scene = tact_test_scene(
        "<mujoco><option timestep='.01' viscosity='10' integrator='RK4'/><worldbody><body>"
        "<joint axis='0 1 0'/><geom pos='.1 0 0' size='.005' mass='.001'/></body></worldbody>"
        "</mujoco>");
    TactSimReport report;
    assert_int_equal(tact_sim_step(scene.sim, &report), TACT_OK);
    assert_true(report.parts > 1);
    tact_test_scene_step(&scene, 200);
    assert_true(fabs(velocities(&scene)[0]) < 1);
    tact_test_scene_close(&scene);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(viscosity_stops_a_sphere_as_far_as_it_does_in_time),
        cmocka_unit_test(a_sphere_sinks_at_the_velocity_that_carries_its_weight),
        cmocka_unit_test(a_fluid_at_rest_takes_energy_only),
        cmocka_unit_test(wind_takes_things_along),
        cmocka_unit_test(forces_of_a_step_in_a_fluid_add_up),
        cmocka_unit_test(contacts_hold_in_a_fluid),
        cmocka_unit_test(runge_kutta_divides_steps_that_viscosity_makes_too_long),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
