// Contacts of a whole step: nothing hangs in the air, nothing sinks in, positions follow
// velocities, momentum is kept, energy does not rise. Judged by the states alone.
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <tact/dynamics.h>

#include <cmocka.h>

#include "sim/text_scene.h"

#define TWO_BOXES                                                                  \
    "<mujoco><option timestep='%g'/><worldbody><geom type='plane' size='5 5 .1'/>" \
    "<body pos='0.0257 -0.0196 0.15' euler='37.7 -21 -6.3'><freejoint/>"           \
    "<geom type='box' size='0.066 0.044 0.05' friction='0.5'/></body>"             \
    "<body pos='-0.0203 0.0277 0.73' euler='38.8 -26.3 -67.9'><freejoint/>"        \
    "<geom type='box' size='0.049 0.051 0.061' friction='0.5'/></body></worldbody></mujoco>"

/// What bodies do, from states: free joints whose origin is the centre of mass.
typedef struct Look {
    double departure; // of a position from its velocity, m
    double rise;      // of energy in a step, J
    double depth;     // m
} Look;

static double energy_of(const TactTestScene *scene)
{
    TactSimEnergy energy;
    assert_int_equal(tact_sim_compute_energy(scene->sim, &energy), TACT_OK);
    return energy.kinetic + energy.potential;
}

static double deepest(const TactTestScene *scene)
{
    double depth = 0;
    for (int a = 0; a < scene->model->geom_count; a++) {
        for (int b = a + 1; b < scene->model->geom_count; b++) {
            TactDistance d;
            assert_int_equal(tact_sim_compute_distance(scene->sim, a, b, &d), TACT_OK);
            depth = fmax(depth, -d.distance);
        }
    }
    return depth;
}

static Look look(TactTestScene *scene, double h, int steps)
{
    Look   seen = {0};
    int    bodies = scene->model->nq / 7;
    double q[64], before = energy_of(scene);
    assert_true(scene->model->nq <= 64);
    for (int k = 0; k < steps; k++) {
        memcpy(q, scene->state->q, (size_t)scene->model->nq * sizeof *q);
        TactSimReport report = tact_test_scene_step(scene, 1);
        for (int i = 0; i < 3 * bodies && report.parts == 1; i++) {
            int at = 7 * (i / 3) + i % 3, dof = 6 * (i / 3) + i % 3;
            seen.departure =
                fmax(seen.departure, fabs(scene->state->q[at] - q[at] - h * scene->state->v[dof]));
        }
        double after = energy_of(scene);
        seen.rise = fmax(seen.rise, after - before);
        seen.depth = fmax(seen.depth, deepest(scene));
        before = after;
    }
    return seen;
}

static void a_box_dropped_on_another_neither_hangs_nor_sinks_in(void **state)
{
    (void)state;
    static const double steps[] = {1e-3, 2e-3, 5e-3, 1e-2};
    static const double most[] = {1e-4, 2e-4, 5e-4, 1e-3}; // m
    for (int k = 0; k < 4; k++) {
        char text[1024];
        snprintf(text, sizeof text, TWO_BOXES, steps[k]);
        TactTestScene scene = tact_test_scene(text);
        Look          seen = look(&scene, steps[k], (int)lround(1.5 / steps[k]));
        printf("%g ms: off the velocity by %.1e m, energy rises by %.1e J, %.3f mm deep\n",
               1e3 * steps[k], seen.departure, seen.rise, 1e3 * seen.depth);
        assert_true(seen.departure < 1e-15);
        assert_true(seen.rise < 1e-12);
        assert_true(seen.depth < most[k]);
        // at rest, one on the floor, the other beside or on it
        for (int i = 0; i < scene.model->nv; i++) {
            assert_true(fabs(scene.state->v[i]) < 0.05);
        }
        tact_test_scene_close(&scene);
    }
}

/// Sums over all bodies, about the origin of the world.
static TactWrench momentum_of(const TactTestScene *scene)
{
    TactDynamics  *dynamics = NULL;
    const TactVec3 origin = {0, 0, 0};
    assert_int_equal(tact_dynamics_create(scene->model, &dynamics), TACT_OK);
    assert_int_equal(tact_dynamics_set_position(dynamics, scene->state->q), TACT_OK);
    assert_int_equal(tact_dynamics_set_velocity(dynamics, scene->state->v), TACT_OK);
    TactWrench sum = tact_dynamics_compute_momentum(dynamics, origin);
    tact_dynamics_destroy(dynamics);
    return sum;
}

/// Both geoms of a body are off its origin, and so is its centre of mass.
#define ODD_BODIES                                                                              \
    "<mujoco><option timestep='0.01' gravity='0 0 0'/><worldbody>"                              \
    "<body><freejoint/><geom type='box' size='.05 .03 .04' pos='.02 0 .01' friction='.6'/>"     \
    "<geom type='capsule' size='.02 .04' pos='-.03 .02 0' friction='.6'/></body>"               \
    "<body><freejoint/><geom type='cylinder' size='.03 .06' pos='0 .02 0' friction='.6'/>"      \
    "</body><body><freejoint/><geom type='ellipsoid' size='.03 .05 .07' friction='.6'/></body>" \
    "</worldbody></mujoco>"

static void collisions_in_free_space_keep_momentum_and_angular_momentum(void **state)
{
    (void)state;
    TactRandom random = tact_random_seed(5);
    double     linear = 0, angular = 0, rise = 0;
    int        hits = 0;
    for (int k = 0; k < 40; k++) {
        TactTestScene scene = tact_test_scene(ODD_BODIES);
        for (int b = 0; b < 3; b++) {
            double *q = scene.state->q + 7 * b, *v = scene.state->v + 6 * b;
            double  a = 2.1 * b + tact_random_uniform(&random, -0.2, 0.2);
            for (int i = 0; i < 3; i++) {
                q[i] = i == 0 ? 0.25 * cos(a) : i == 1 ? 0.25 * sin(a) : 0;
                v[i] = -4 * q[i] + tact_random_uniform(&random, -0.2, 0.2);
                v[3 + i] = tact_random_uniform(&random, -20, 20);
                q[4 + i] = tact_random_uniform(&random, -0.7, 0.7);
            }
            q[3] = 1;
        }
        TactWrench start = momentum_of(&scene);
        double     before = energy_of(&scene);
        for (int i = 0; i < 30; i++) {
            TactSimReport report = tact_test_scene_step(&scene, 1);
            TactWrench    now = momentum_of(&scene);
            double        after = energy_of(&scene);
            hits += report.contacts > 0;
            rise = fmax(rise, after - before);
            before = after;
            linear = fmax(linear, tact_vec3_norm(tact_vec3_subtract(now.force, start.force)));
            angular = fmax(angular, tact_vec3_norm(tact_vec3_subtract(now.torque, start.torque)));
        }
        tact_test_scene_close(&scene);
    }
    printf(
        "40 collisions of three at 10 ms: momentum off by %.1e N s, angular momentum by %.1e N m "
        "s, energy up by %.1e J\n",
        linear, angular, rise);
    assert_true(hits > 40);
    assert_true(linear < 1e-13 && angular < 1e-13 && rise < 1e-12); // of 1 N s, 0.1 N m s, 1 J
}

#define ROD_AND_WALL                                                                    \
    "<mujoco><option timestep='0.005' gravity='0 0 0'/><default><geom density='7800'/>" \
    "</default><worldbody><geom type='box' size='.005 5 5'/><body><freejoint/>"         \
    "<geom type='capsule' size='.002 .05'/></body></worldbody></mujoco>"

/// At 10 m/s, turning by three radians a step.
static void throw_rod(TactTestScene *scene, int pose)
{
    assert_int_equal(tact_sim_reset(scene->sim, -1), TACT_OK);
    scene->state->q[0] = -0.1 - 0.02 * pose;
    scene->state->q[3] = cos(0.2 * pose); // about y
    scene->state->q[5] = sin(0.2 * pose);
    scene->state->v[0] = 10;
    scene->state->v[4] = 3 / 0.005;
}

/// The contacts of all parts together give it the momentum that it has.
static bool check_impulses(TactTestScene *scene)
{
    TactVec3              before = momentum_of(scene).force, pushed = {0, 0, 0};
    TactSimReport         report = tact_test_scene_step(scene, 1);
    int                   count;
    const TactSimContact *contacts = tact_sim_view_contacts(scene->sim, &count);
    TactContactDiagnosis *diagnosis = calloc((size_t)count + 1, sizeof *diagnosis);
    assert_non_null(diagnosis);
    assert_int_equal(count, report.contacts);
    assert_int_equal(tact_sim_compute_diagnosis(scene->sim, diagnosis), TACT_OK);
    for (int i = 0; i < count; i++) {
        double sign = contacts[i].body[1] == 0 ? -1 : 1; // the force is that on b
        pushed =
            tact_vec3_add_scaled(pushed, sign * 0.005, tact_sim_contact_get_force(&contacts[i]));
        assert_true((diagnosis[i].state == TACT_STATE_OPEN) == !(contacts[i].force[0] > 0));
    }
    free(diagnosis);
    TactVec3 gained = tact_vec3_subtract(momentum_of(scene).force, before);
    assert_true(tact_vec3_norm(tact_vec3_subtract(gained, pushed)) < 1e-14);
    return report.parts > 1;
}

static void a_divided_step_tells_all_its_impulses(void **state)
{
    (void)state;
    TactTestScene scene = tact_test_scene(ROD_AND_WALL);
    int           divided = 0;
    for (int k = 0; k < 16 * 20; k++) {
        if (k % 20 == 0) {
            throw_rod(&scene, k / 20);
        }
        divided += check_impulses(&scene);
    }
    assert_true(divided > 0);
    tact_test_scene_close(&scene);
}

static void a_snapshot_after_a_divided_step_goes_on_with_the_same_bits(void **state)
{
    (void)state;
    TactTestScene scene = tact_test_scene(ROD_AND_WALL), other = tact_test_scene(ROD_AND_WALL);
    int           compared = 0;
    for (int k = 0; k < 16 * 20; k++) {
        if (k % 20 == 0) {
            throw_rod(&scene, k / 20);
        }
        if (tact_test_scene_step(&scene, 1).parts > 1) {
            size_t size = tact_sim_snapshot_get_size(scene.sim);
            void  *bytes = malloc(size);
            assert_non_null(bytes);
            assert_int_equal(tact_sim_snapshot_save(scene.sim, bytes, size), TACT_OK);
            uint64_t hash = tact_test_scene_step(&scene, 5).hash;
            assert_int_equal(tact_sim_snapshot_restore(other.sim, bytes, size), TACT_OK);
            assert_true(tact_test_scene_step(&other, 5).hash == hash);
            free(bytes);
            compared++;
        }
    }
    assert_true(compared > 0);
    tact_test_scene_close(&scene);
    tact_test_scene_close(&other);
}

// A box that comes down on one edge first, onto a plane through (0, 0, 0.1) that leans: with the
// plane as the first geom, or as the last.
#define BOX                                                                            \
    "<body pos='0 0 .162' euler='.04 .03 0'><freejoint/><geom type='box' size='.2 .1 " \
    ".05'/></body>"
#define PLANE "<geom type='plane' size='5 5 .1' pos='0 0 .1' euler='.02 0 0'/>"

static void points_of_contacts_with_a_plane_lie_on_it(void **state)
{
    static const char *const scenes[] = {
        "<mujoco><compiler angle='radian'/><option timestep='.005'/><worldbody>" PLANE BOX
        "</worldbody></mujoco>",
        "<mujoco><compiler angle='radian'/><option timestep='.005'/><worldbody>" BOX "<body>" PLANE
        "</body></worldbody></mujoco>",
    };
    (void)state;
    for (int k = 0; k < 2; k++) {
        TactTestScene scene = tact_test_scene(scenes[k]);
        scene.state->v[2] = -2;
        scene.state->v[4] = 1;
        tact_test_scene_step(&scene, 1);
        int                   count;
        const TactSimContact *c = tact_sim_view_contacts(scene.sim, &count);
        double                deepest = -INFINITY, flattest = INFINITY;
        assert_true(count >= 2);
        for (int i = 0; i < count; i++) {
            TactVec3 above = tact_vec3_subtract(c[i].point, (TactVec3){0, 0, 0.1});
            assert_true(fabs(tact_vec3_dot(above, c[i].normal)) < 1e-14);
            deepest = fmax(deepest, c[i].depth);
            flattest = fmin(flattest, c[i].depth);
        }
        assert_true(deepest - flattest > 1e-3); // points midway would be as far apart in height
        tact_test_scene_close(&scene);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(points_of_contacts_with_a_plane_lie_on_it),
        cmocka_unit_test(a_box_dropped_on_another_neither_hangs_nor_sinks_in),
        cmocka_unit_test(collisions_in_free_space_keep_momentum_and_angular_momentum),
        cmocka_unit_test(a_divided_step_tells_all_its_impulses),
        cmocka_unit_test(a_snapshot_after_a_divided_step_goes_on_with_the_same_bits),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
