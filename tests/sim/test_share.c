// Forces of least norm in what a simulation tells: they change no motion, are symmetric where the
// scene is, and do not jump.
#include "sim/scene.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "sim/text_scene.h"

static const double g = 9.81;

static TactScene open_with(const char *name, TactContactShare share)
{
    TactModel    *model = tact_scene_model(name, (TactSceneEdit){NULL, NULL});
    TactSimConfig config = tact_sim_config_default(model);
    config.share = share;
    return tact_scene_start_with(model, &config);
}

// ---------------------------------------------------------------------------------------------
// Nothing else changes

static void asking_for_forces_changes_no_bit_of_the_motion(void **state)
{
    (void)state;
    static const char *const names[] = {"slope.xml", "stack.xml", "grasp.xml",
                                        "squat.xml", "arch.xml",  "tap-dance.xml"};
    for (int n = 0; n < (int)(sizeof names / sizeof names[0]); n++) {
        TactScene silent = open_with(names[n], TACT_SHARE_VERTEX);
        TactScene asked = open_with(names[n], TACT_SHARE_LEAST);
        int       shared = 0, kept = 0;
        for (int k = 0; k < 250; k++) {
            TactSimSharing sharing;
            int            count;
            tact_scene_step(&silent);
            tact_scene_step(&asked);
            tact_sim_view_contacts(asked.sim, &count);
            assert_int_equal(tact_sim_compute_sharing(asked.sim, &sharing), TACT_OK);
            shared += sharing.shared;
            kept += sharing.kept;
            assert_true(sharing.error <= 1e-8);
            assert_true(tact_sim_get_hash(asked.sim) == tact_sim_get_hash(silent.sim));
        }
        printf("%s: %d islands shared, %d not\n", names[n], shared, kept);
        assert_true(shared > 0 && kept == 0);
        tact_scene_close(&silent);
        tact_scene_close(&asked);
    }
}

/// What contacts and rows do to every degree of freedom together.
static double acting(const TactSimForces *f, int i)
{
    return f->contacts[i] + f->loops[i] + f->limits[i] + f->friction[i];
}

static void both_forces_do_the_same_to_every_degree_of_freedom(void **state)
{
    (void)state;
    static const char *const names[] = {"stack.xml", "grasp.xml", "squat.xml", "ball-hand.xml"};
    for (int n = 0; n < (int)(sizeof names / sizeof names[0]); n++) {
        TactScene vertex = open_with(names[n], TACT_SHARE_VERTEX);
        TactScene least = open_with(names[n], TACT_SHARE_LEAST);
        double    worst = 0;
        for (int k = 0; k < 100; k++) {
            TactSimForces a, b;
            tact_scene_step(&vertex);
            tact_scene_step(&least);
            assert_int_equal(tact_sim_compute_forces(vertex.sim, &a), TACT_OK);
            assert_int_equal(tact_sim_compute_forces(least.sim, &b), TACT_OK);
            double size = 1;
            for (int i = 0; i < vertex.model->nv; i++) {
                size = fmax(size, fabs(a.contacts[i]) + fabs(a.friction[i]) + fabs(a.loops[i]));
            }
            for (int i = 0; i < vertex.model->nv; i++) {
                worst = fmax(worst, fabs(acting(&a, i) - acting(&b, i)) / size);
            }
        }
        printf("%s: forces on degrees of freedom differ by %.1e\n", names[n], worst);
        assert_true(worst <= 1e-9);
        tact_scene_close(&vertex);
        tact_scene_close(&least);
    }
}

// ---------------------------------------------------------------------------------------------
// Symmetry

static void assert_force(const TactSimContact *c, double normal, double friction, double size)
{
    assert_true(fabs(c->force[0] - normal) <= 1e-9 * size);
    assert_true(fabs(hypot(c->force[1], c->force[2]) - friction) <= 1e-9 * size);
}

static void cubes_of_a_stack_stand_evenly_on_their_corners(void **state)
{
    (void)state;
    TactScene scene = open_with("stack.xml", TACT_SHARE_LEAST);
    for (int k = 0; k < 50; k++) {
        tact_scene_step(&scene);
    }
    int                   count;
    const TactSimContact *c = tact_sim_view_contacts(scene.sim, &count);
    assert_int_equal(count, 40);
    double total = 0, above[16] = {0};
    for (int b = scene.model->body_count - 1; b > 0; b--) {
        total += scene.model->bodies[b].inertia.mass;
        above[b] = total; // on the lower side of body b, cubes are in order
    }
    for (int k = 0; k < count; k++) {
        int upper = c[k].body[0] > c[k].body[1] ? c[k].body[0] : c[k].body[1];
        assert_force(&c[k], above[upper] * g / 4, 0, total * g);
    }
    tact_scene_close(&scene);
}

static void fingers_press_evenly_and_corners_of_a_slope_in_pairs(void **state)
{
    (void)state;
    int       count;
    TactScene pinch = open_with("pinch.xml", TACT_SHARE_LEAST);
    for (int k = 0; k < 100; k++) {
        tact_scene_step(&pinch);
    }
    const TactSimContact *c = tact_sim_view_contacts(pinch.sim, &count);
    assert_int_equal(count, 4);
    for (int k = 1; k < 4; k++) {
        assert_force(&c[k], c[0].force[0], hypot(c[0].force[1], c[0].force[2]), c[0].force[0]);
    }
    tact_scene_close(&pinch);

    TactScene slope = open_with("slope.xml", TACT_SHARE_LEAST);
    tact_scene_step(&slope);
    c = tact_sim_view_contacts(slope.sim, &count);
    assert_int_equal(count, 4);
    for (int k = 0; k < 4; k++) { // mirrored in the plane y = 0
        int    other = -1;
        double across = INFINITY;
        for (int j = 0; j < 4; j++) {
            double off = fabs(c[j].point.x - c[k].point.x) + fabs(c[j].point.y + c[k].point.y);
            other = off < across ? j : other;
            across = fmin(off, across);
        }
        assert_int_not_equal(other, k);
        assert_force(&c[k], c[other].force[0], hypot(c[other].force[1], c[other].force[2]), g);
    }
    tact_scene_close(&slope);
}

// ---------------------------------------------------------------------------------------------
// In time

static const char *const table =
    "<mujoco><option timestep='.002'/><worldbody>"
    "<geom type='plane' size='5 5 .1' friction='.6'/>"
    "<body name='table' pos='0 0 .1'><freejoint/>"
    "<geom type='box' size='.3 .2 .1' mass='4' friction='.6'/></body></worldbody></mujoco>";

static void use_vertex(TactSimConfig *config)
{
    config->share = TACT_SHARE_VERTEX;
}

/// A load that walks around on a table: sum of all changes of all forces, and the largest one.
static double walk(TactTestScene *scene, double *largest)
{
    double before[4][3] = {{0}}, sum = 0;
    *largest = 0;
    for (int k = 0; k < 1000; k++) {
        double angle = 2 * 3.14159265358979323846 * k / 1000, load = 10;
        double x = 0.2 * cos(angle), y = 0.12 * sin(angle);
        scene->state->external[1].force = (TactVec3){3 * cos(angle), 3 * sin(angle), -load};
        scene->state->external[1].torque = (TactVec3){-load * y, load * x, 0};
        tact_test_scene_step(scene, 1);
        int                   count;
        const TactSimContact *c = tact_sim_view_contacts(scene->sim, &count);
        assert_int_equal(count, 4);
        for (int i = 0; i < 4; i++) {
            for (int r = 0; r < 3; r++) {
                double change = fabs(c[i].force[r] - before[i][r]);
                before[i][r] = c[i].force[r];
                sum += k > 0 ? change : 0;
                *largest = fmax(*largest, k > 0 ? change : 0);
            }
        }
    }
    return sum;
}

static void forces_under_a_load_that_walks_do_not_jump(void **state)
{
    (void)state;
    TactTestScene least = tact_test_scene(table);
    TactTestScene vertex = tact_test_scene_with(table, use_vertex);
    double        jump[2], sum[2] = {walk(&least, &jump[0]), walk(&vertex, &jump[1])};
    printf("least: changes add up to %.1f N, the largest is %.3f N; vertex: %.1f N, %.3f N\n",
           sum[0], jump[0], sum[1], jump[1]);
    assert_true(tact_sim_get_hash(least.sim) == tact_sim_get_hash(vertex.sim));
    // Four springs, closed form: the normal force of a leg is load (1 +- x / X +- y / Y) / 4 and
    // changes by at most 10 N (0.2 / 0.3 + 0.12 / 0.2) / 4 of 2 pi / 1000 in a step; friction by
    // 3 N / 4 of that, which also shifts normal forces by its lever over the corners.
    assert_true(jump[0] < 0.05);
    assert_true(jump[1] > 50 * jump[0] && sum[1] > 1.2 * sum[0]);
    tact_test_scene_close(&least);
    tact_test_scene_close(&vertex);
}

// ---------------------------------------------------------------------------------------------
// One contact

static const char *const rail =
    "<mujoco><option timestep='.002'/><worldbody>"
    "<geom type='plane' size='5 5 .1' friction='.5'/>"
    "<body pos='0 0 .1'>%s<geom type='sphere' size='.1' mass='1' friction='.5'/></body>"
    "</worldbody></mujoco>";

/// A ball on a rail at 45 degrees that leans on a floor: of f_n and the friction f only their sum
/// along the rail is known, f_n + f = m g. The least of both with f <= mu f_n is
/// f_n = m g / (1 + mu). A ball that nothing holds has one force only.
static void one_contact_on_a_rail_shares_with_itself(void **state)
{
    (void)state;
    for (int free = 0; free < 2; free++) {
        char text[1000];
        snprintf(text, sizeof text, rail,
                 free ? "<freejoint/>" : "<joint type='slide' axis='1 0 1'/>");
        TactTestScene  scene = tact_test_scene(text);
        TactSimSharing sharing;
        int            count;
        tact_test_scene_step(&scene, 5);
        assert_int_equal(tact_sim_compute_sharing(scene.sim, &sharing), TACT_OK);
        const TactSimContact *c = tact_sim_view_contacts(scene.sim, &count);
        double                load = free ? g : g / 1.5;
        assert_int_equal(count, 1);
        assert_int_equal(sharing.shared, !free);
        assert_int_equal(sharing.unique, free);
        assert_true(fabs(c[0].force[0] - load) < 1e-9 * g);
        assert_true(fabs(hypot(c[0].force[1], c[0].force[2]) - (g - load)) < 1e-9 * g);
        tact_test_scene_close(&scene);
    }
}

// ---------------------------------------------------------------------------------------------
// Ranges, arguments

static void ranges_hold_the_forces_that_are_told(void **state)
{
    (void)state;
    TactScene scene = open_with("pinch.xml", TACT_SHARE_LEAST);
    for (int k = 0; k < 20; k++) {
        tact_scene_step(&scene);
    }
    TactContactRange      range[4];
    int                   count;
    const TactSimContact *c = tact_sim_view_contacts(scene.sim, &count);
    assert_int_equal(count, 4);
    assert_int_equal(tact_sim_compute_ranges(scene.sim, range), TACT_OK);
    for (int k = 0; k < 4; k++) {
        assert_true(range[k].least <= c[k].force[0] && c[k].force[0] <= range[k].most);
        // A finger is pressed by its motor, which its two contacts share as they like but for what
        // turns the capsule: that a finger's other contact cannot balance alone.
        assert_true(range[k].most <= c[0].force[0] * 2 * (1 + 1e-6) && range[k].exact);
    }
    assert_int_equal(tact_sim_compute_ranges(scene.sim, NULL), TACT_BAD_ARGUMENT);
    tact_scene_close(&scene);
}

static void a_share_that_is_none_is_refused(void **state)
{
    (void)state;
    TactModel    *model = tact_scene_model("slope.xml", (TactSceneEdit){NULL, NULL});
    TactSimConfig config = tact_sim_config_default(model);
    TactSim      *sim = NULL;
    config.share = (TactContactShare)7;
    assert_int_equal(tact_sim_create(model, &config, &sim), TACT_BAD_ARGUMENT);
    assert_null(sim);
    tact_model_destroy(model);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(asking_for_forces_changes_no_bit_of_the_motion),
        cmocka_unit_test(both_forces_do_the_same_to_every_degree_of_freedom),
        cmocka_unit_test(cubes_of_a_stack_stand_evenly_on_their_corners),
        cmocka_unit_test(fingers_press_evenly_and_corners_of_a_slope_in_pairs),
        cmocka_unit_test(forces_under_a_load_that_walks_do_not_jump),
        cmocka_unit_test(one_contact_on_a_rail_shares_with_itself),
        cmocka_unit_test(ranges_hold_the_forces_that_are_told),
        cmocka_unit_test(a_share_that_is_none_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
