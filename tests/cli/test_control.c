// What `tact run` is told beside the scene: control, restitution, stiffness; and failures it saves.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "cli/json.h"
#include "cli/program.h"
#include "io/scratch.h"

#define SCENES TACT_SOURCE_DIR "/scenes/"

static void write_cart(void)
{
    tact_scratch_write(
        "cart.xml", "<mujoco><option gravity='0 0 0' timestep='.001'/><worldbody><body>"
                    "<joint name='x' type='slide' axis='1 0 0'/><geom size='.1' mass='2'/></body>"
                    "</worldbody><actuator><motor name='push' joint='x'/></actuator></mujoco>");
}

/// x = F t^2 / 2 m, of which semi-implicit Euler is ahead by F t h / 2 m.
static void control_is_given_by_name(void **state)
{
    (void)state;
    write_cart();
    tact_program_expect(0, "run cart.xml --time 1 --ctrl push=3 --json");
    double x = tact_json_number(tact_program_out, "joints.x.qpos.0");
    assert_true(fabs(x - (3.0 / 4 + 3 * 0.001 / 4)) < 1e-9);
}

static void problems_that_are_not_certified_are_saved(void **state)
{
    (void)state;
    // No method gets below a rounding error of 1e-30 but by luck.
    tact_program_expect(1, "run " SCENES "slope.xml --time .006 --tol 1e-30 --save-failures fails");
    tact_program_words(tact_program_out, "3, 0 certified");
    tact_program_words(tact_program_out, "3 written to fails");
    tact_program_expect(0, "solve fails/step-000002-0.json --cone circle --json");
    assert_true(tact_json_is(tact_program_out, "kind", "contact"));
    assert_true(tact_json_is(tact_program_out, "results.0.outcome", "solved"));
    // the four corners carry the weight across the slope
    double sum = 0;
    for (int k = 0; k < 4; k++) {
        char path[64];
        snprintf(path, sizeof path, "results.0.forces.%d.0", k);
        sum += tact_json_number(tact_program_out, path);
    }
    assert_true(fabs(sum - 9.81 * cos(20 * acos(-1.0) / 180)) < 1e-9);
    tact_program_expect(0, "run " SCENES "slope.xml --time .006 --save-failures none --json");
    assert_true(tact_json_number(tact_program_out, "failures_saved") == 0);
}

static void bounce_and_stiffness_are_options(void **state)
{
    (void)state;
    tact_scratch_write(
        "ball.xml", "<mujoco><option timestep='.001'/><worldbody><geom type='plane' size='1 1 1'/>"
                    "<body name='ball' pos='0 0 .1'><freejoint/><geom size='.1' mass='1'/></body>"
                    "</worldbody><keyframe><key name='fast' qpos='0 0 .1 1 0 0 0' "
                    "qvel='0 0 -2 0 0 0'/></keyframe></mujoco>");
    tact_program_expect(0, "run ball.xml --time .001 --restitution .5 --json");
    assert_true(fabs(tact_json_number(tact_program_out, "bodies.ball.vel.2") - 1) < 1e-12);
    tact_program_expect(0, "run ball.xml --time .001 --restitution .5 --restitution-law poisson "
                           "--json");
    assert_true(fabs(tact_json_number(tact_program_out, "bodies.ball.vel.2") - 1) < 1e-12);
    tact_program_expect(0, "run ball.xml --time 3 --stiffness 1000 --damping 50 --json");
    double deep = 0.1 - tact_json_number(tact_program_out, "bodies.ball.pos.2");
    assert_true(fabs(deep - 9.81 / 1000) < 1e-9);
}

static void joints_follow_a_file(void **state)
{
    (void)state;
    write_cart();
    tact_scratch_write("move.csv", "time,x\n0,1\n1,2\n");
    tact_program_expect(0, "run cart.xml --motion move.csv --time .25 --ctrl push=9 --json");
    assert_true(fabs(tact_json_number(tact_program_out, "joints.x.qpos.0") - 1.25) < 1e-12);
    assert_true(fabs(tact_json_number(tact_program_out, "joints.x.qvel.0") - 1) < 1e-9);
    // at rest it takes what the motor does, the other way
    tact_program_expect(0, "contacts cart.xml --motion move.csv --time .5 --ctrl push=9 --json");
    assert_true(tact_json_is(tact_program_out, "rows.0.kind", "prescribed"));
    assert_true(fabs(tact_json_number(tact_program_out, "rows.0.force") + 9) < 1e-9);
    tact_scratch_write("wrong.csv", "time,x\n0,1\n1,up\n");
    tact_program_expect(2, "run cart.xml --motion wrong.csv");
    tact_program_words(tact_program_err, "wrong.csv:3: ");
}

static void sensors_are_in_the_json(void **state)
{
    (void)state;
    tact_scratch_write("drop.xml",
                       "<mujoco><option timestep='.001'/><worldbody><body pos='0 0 5'><freejoint/>"
                       "<geom size='.1' mass='1'/><site name='s'/></body></worldbody><sensor>"
                       "<framepos name='where' objtype='site' objname='s'/><velocimeter site='s'/>"
                       "<clock name='now'/></sensor></mujoco>");
    tact_program_expect(0, "run drop.xml --time .1 --json");
    const char *text = tact_program_out;
    assert_int_equal(tact_json_count(text, "sensors"), 3);
    assert_true(tact_json_number(text, "sensors.where.2") ==
                tact_json_number(text, "bodies.body 1.pos.2"));
    assert_true(fabs(tact_json_number(text, "sensors.sensor 1.2") + 0.981) < 1e-12);
    assert_true(fabs(tact_json_number(text, "sensors.now.0") - 0.1) < 1e-12);
}

static void what_cannot_be_is_refused(void **state)
{
    (void)state;
    write_cart();
    static const TactProgramRefusal cases[] = {
        {"run cart.xml --ctrl pull=3", "cart.xml has no actuator 'pull'"},
        {"run cart.xml --ctrl push", "'push' is not NAME=X"},
        {"run cart.xml --ctrl push=fast", "'fast' is not a number"},
        {"run cart.xml --restitution 1.5", "a restitution of 1.5"},
        {"run cart.xml --damping 3", "damping needs stiffness"},
    };
    tact_program_refuses(sizeof cases / sizeof cases[0], cases);
    // what was simulated is printed all the same
    tact_program_expect(2,
                        "run " SCENES "slope.xml --tol 1e-30 --time .002 --save-failures cart.xml");
    tact_program_words(tact_program_err, "cart.xml");
}

int main(void)
{
#if !defined(TACT_HAVE_LIBXML2)
    print_message("skipped: built without libxml2\n");
    return 0;
#endif
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(control_is_given_by_name),
        cmocka_unit_test(problems_that_are_not_certified_are_saved),
        cmocka_unit_test(bounce_and_stiffness_are_options),
        cmocka_unit_test(joints_follow_a_file),
        cmocka_unit_test(sensors_are_in_the_json),
        cmocka_unit_test(what_cannot_be_is_refused),
    };
    return cmocka_run_group_tests(tests, tact_scratch_setup, tact_program_teardown);
}
