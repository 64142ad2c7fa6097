// Overlaps that no joint can undo: found once, told, and no longer paid for; others still come out.
// clang-format off
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>
// clang-format on
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "sim/sim.h"
#include "sim/text_scene.h"

// A sphere on a hinge through the point where it is sunk into the floor; a box that lies in it.
static const char *const sunk =
    "<mujoco><worldbody><geom name='floor' type='plane' size='5 5 .1'/>"
    "<body pos='0 0 .05'><joint axis='0 0 1'/><geom name='ball' type='sphere' size='.1'/></body>"
    "<body pos='1 0 .05'><freejoint/><geom name='box' type='box' size='.1 .1 .1'/></body>"
    "</worldbody></mujoco>";

static int geom(const TactTestScene *scene, const char *name)
{
    return tact_model_find(scene->model, TACT_OBJECT_GEOM, name);
}

static void a_hinge_through_the_contact_parts_nothing(void **state)
{
    (void)state;
    TactTestScene       scene = tact_test_scene(sunk);
    int                 count;
    const TactSimStuck *stuck;
    tact_test_scene_leave_certificates(&scene);
    tact_test_scene_step(&scene, 1);
    stuck = tact_sim_view_stuck(scene.sim, &count);
    assert_int_equal(count, 1);
    assert_int_equal(stuck->geom[0], geom(&scene, "floor"));
    assert_int_equal(stuck->geom[1], geom(&scene, "ball"));
    assert_true(fabs(stuck->depth - 0.05) < 1e-9);

    // The box, which can be lifted, is; then no step asks for a shift any more.
    tact_test_scene_step(&scene, 100);
    assert_true(fabs(scene.state->q[3] - 0.1) < 1e-3);
    for (int i = 0; i < 10; i++) {
        TactSimReport report = tact_test_scene_step(&scene, 1);
        assert_true(report.correct_time == 0);
        assert_true(fabs(report.penetration - 0.05) < 1e-9);
    }
    const TactSimContact *contacts = tact_sim_view_contacts(scene.sim, &count);
    for (int i = 0; i < count; i++) {
        assert_int_equal(contacts[i].stuck, contacts[i].geom[1] == geom(&scene, "ball"));
    }
    tact_test_scene_close(&scene);
}

// A bar on a hinge between two posts that reach into it from both sides.
static const char *const wedged =
    "<mujoco><worldbody><geom type='box' pos='.3 .06 0' size='.02 .05 .1'/>"
    "<geom type='box' pos='.3 -.06 0' size='.02 .05 .1'/>"
    "<body><joint axis='0 0 1'/><geom type='box' pos='.3 0 0' size='.2 .02 .05'/></body>"
    "</worldbody></mujoco>";

static void what_is_wedged_from_both_sides_is_found_out_once(void **state)
{
    (void)state;
    TactTestScene scene = tact_test_scene(wedged);
    int           count;
    tact_test_scene_leave_certificates(&scene);
    tact_test_scene_step(&scene, 3);
    tact_sim_view_stuck(scene.sim, &count);
    assert_int_equal(count, 2);
    for (int i = 0; i < 10; i++) {
        assert_true(tact_test_scene_step(&scene, 1).correct_time == 0);
    }
    assert_true(scene.state->q[0] == 0);

    // From the beginning it is found out anew.
    assert_int_equal(tact_sim_reset(scene.sim, -1), TACT_OK);
    tact_sim_view_stuck(scene.sim, &count);
    assert_int_equal(count, 0);
    tact_test_scene_close(&scene);
}

/// Taken out from outside, a pair is no longer stuck.
static void what_has_come_out_is_forgotten(void **state)
{
    (void)state;
    TactTestScene scene = tact_test_scene(wedged);
    int           count;
    tact_test_scene_leave_certificates(&scene);
    tact_test_scene_step(&scene, 3);
    scene.state->q[0] = 1; // rad: past the posts
    tact_test_scene_step(&scene, 2);
    tact_sim_view_stuck(scene.sim, &count);
    assert_int_equal(count, 0);
    tact_test_scene_close(&scene);
}

static void a_snapshot_keeps_what_is_stuck(void **state)
{
    (void)state;
    TactTestScene scene = tact_test_scene(wedged), other = tact_test_scene(wedged);
    int           count;
    tact_test_scene_leave_certificates(&scene);
    tact_test_scene_leave_certificates(&other);
    tact_test_scene_step(&scene, 3);
    size_t size = tact_sim_snapshot_get_size(scene.sim);
    void  *bytes = malloc(size);
    assert_non_null(bytes);
    assert_int_equal(tact_sim_snapshot_save(scene.sim, bytes, size), TACT_OK);
    assert_int_equal(tact_sim_snapshot_restore(other.sim, bytes, size), TACT_OK);
    free(bytes);
    tact_sim_view_stuck(other.sim, &count);
    assert_int_equal(count, 2);
    for (int i = 0; i < 5; i++) {
        TactSimReport one = tact_test_scene_step(&scene, 1), two = tact_test_scene_step(&other, 1);
        assert_true(one.hash == two.hash);
        assert_true(two.correct_time == 0);
    }
    tact_test_scene_close(&scene);
    tact_test_scene_close(&other);
}

/// A shift in vain whose best answer gives all contacts what they asked for: none is worse than the
/// others, and all are stuck, also beside one that was found before and asks for nothing.
static void a_shift_in_vain_leaves_none_that_asks_again(void **state)
{
    (void)state;
    enum { COUNT = 3 };
    TactSim                *sim = calloc(1, sizeof *sim);
    TactSimContact          contacts[COUNT] = {{.stuck = true}, {.depth = 0.1}, {.depth = 0.2}};
    TactContact             asked[COUNT] = {{.bias = 0}, {.bias = -0.1}, {.bias = -0.2}};
    int                     indices[COUNT] = {0, 1, 2};
    double                  u[3 * COUNT] = {0, 0, 0, 0.1, 0, 0, 0.2, 0, 0};
    const TactProblemArrays arrays = {.contacts = asked, .u = u};
    const TactSimIsland     island = {.contact_count = COUNT};
    assert_non_null(sim);
    sim->contacts = contacts;
    sim->islands.contacts = indices;
    tact_sim_judge_lift(sim, &arrays, &island);
    assert_true(contacts[1].stuck && contacts[2].stuck);

    contacts[1].stuck = contacts[2].stuck = false;
    u[3] = 0.01; // one that has got hardly anything is stuck alone
    tact_sim_judge_lift(sim, &arrays, &island);
    assert_true(contacts[1].stuck && !contacts[2].stuck);
    free(sim);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_hinge_through_the_contact_parts_nothing),
        cmocka_unit_test(what_is_wedged_from_both_sides_is_found_out_once),
        cmocka_unit_test(what_has_come_out_is_forgotten),
        cmocka_unit_test(a_snapshot_keeps_what_is_stuck),
        cmocka_unit_test(a_shift_in_vain_leaves_none_that_asks_again),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
