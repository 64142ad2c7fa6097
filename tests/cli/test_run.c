// `tact run`: scenes in time, what it prints, and what it refuses.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "cli/json.h"
#include "cli/program.h"
#include "io/scratch.h"

#define SCENES TACT_SOURCE_DIR "/scenes/"

static void a_scene_is_simulated_and_proven(void **state)
{
    (void)state;
    tact_program_expect(0, "run " SCENES "slope.xml --time 0.1");
    tact_program_words(tact_program_out, "50 steps of 2 ms, 6 degrees of freedom");
    tact_program_words(tact_program_out, "50 certified");
    tact_program_words(tact_program_out, "hash");
}

static void json_has_the_state_at_the_end(void **state)
{
    (void)state;
    tact_program_expect(0, "run " SCENES "slope.xml --time 0.1 --json");
    const char *text = tact_program_out;
    assert_true(tact_json_number(text, "steps") == 50);
    assert_true(tact_json_number(text, "dof") == 6);
    assert_true(tact_json_number(text, "contacts.max") == 4);
    assert_true(tact_json_number(text, "solves.total") == 50);
    assert_true(tact_json_number(text, "solves.certified") == 50);
    assert_true(tact_json_number(text, "solves.unverified") == 0);
    // cold once, and then the last basis holds
    assert_true(tact_json_number(text, "solves.by_rung.reduced") == 1);
    assert_true(tact_json_number(text, "solves.by_rung.last-basis") == 49);
    assert_true(tact_json_number(text, "solve_us.p99") <= tact_json_number(text, "solve_us.max"));
    assert_true(fabs(tact_json_number(text, "time") - 0.1) < 1e-12);
    // it stays where the scene puts it
    assert_true(fabs(tact_json_number(text, "bodies.block.pos.0") - 0.0171010071662834) < 1e-12);
    assert_true(fabs(tact_json_number(text, "bodies.block.vel.0")) < 1e-12);
}

/// A ball dropped in free fall: z = -g t^2 / 2, and the integrator is ahead by g t h / 2.
static void free_fall_is_that_of_the_integrator(void **state)
{
    (void)state;
    tact_scratch_write("fall.xml", "<mujoco><worldbody><body name='ball' pos='0 0 5'><freejoint/>"
                                   "<geom size='.1'/></body></worldbody></mujoco>");
    tact_program_expect(0, "run fall.xml --time 0.5 --dt 0.001 --json");
    double euler = tact_json_number(tact_program_out, "bodies.ball.pos.2");
    tact_program_expect(0, "run fall.xml --time 0.5 --dt 0.001 --integrator rk4 --json");
    double rk4 = tact_json_number(tact_program_out, "bodies.ball.pos.2");
    assert_true(fabs(rk4 - (5 - 0.5 * 9.81 * 0.25)) < 1e-10);
    assert_true(fabs(euler - (rk4 - 0.5 * 9.81 * 0.5 * 0.001)) < 1e-10);
}

/// A slide of 1 kg whose damper gives energy: v grows by the factor 2 every step of 0.1 s.
static void a_motion_that_flies_apart_is_told(void **state)
{
    (void)state;
    tact_scratch_write("apart.xml",
                       "<mujoco><option gravity='0 0 0' timestep='0.1'/><worldbody>"
                       "<body name='cart'><joint name='way' type='slide' damping='-10'/>"
                       "<geom size='.1' mass='1'/></body></worldbody>"
                       "<keyframe><key qvel='1'/></keyframe></mujoco>");
    tact_program_expect(0, "run apart.xml --time 4 --keyframe none");
    assert_null(strstr(tact_program_out, "flies apart"));
    tact_program_expect(0, "run apart.xml --time 0.1 --keyframe 0");
    tact_program_expect(2, "run apart.xml --time 0.1 --keyframe 1");
    tact_program_expect(0, "run apart.xml --time 4");
    // 2^20 is the first power beyond 10^6
    tact_program_words(tact_program_out,
                       "flies apart   at 2 s: body 'cart' moves at 1.0e+06 m/s in joint 'way'");
    tact_program_expect(0, "run apart.xml --time 4 --json");
    assert_true(fabs(tact_json_number(tact_program_out, "flies_apart.time") - 2) < 1e-9);
    assert_true(fabs(tact_json_number(tact_program_out, "flies_apart.speed") - 1048576) < 1);
    tact_program_words(tact_program_out, "\"unit\": \"m/s\"");
}

static void the_same_run_has_the_same_hash(void **state)
{
    (void)state;
    char first[1 << 14];
    tact_program_expect(0, "run " SCENES "ratio.xml --time 0.05 --json");
    assert_true(strlen(tact_program_out) < sizeof first);
    snprintf(first, sizeof first, "%s", strstr(tact_program_out, "\"hash\""));
    tact_program_expect(0, "run " SCENES "ratio.xml --time 0.05 --json");
    assert_memory_equal(first, strstr(tact_program_out, "\"hash\""), 28);
}

#define BUDGETED "run " TACT_SOURCE_DIR "/scenes/stack.xml --time 0.01 --json "

static void a_budget_of_operations_ends_solves_in_the_same_way_again(void **state)
{
    (void)state;
    char hash[2][32];
    for (int k = 0; k < 2; k++) {
        tact_program_expect(1, BUDGETED "--max-work 1");
        assert_true(tact_json_number(tact_program_out, "solves.out_of_budget") > 0);
        assert_memory_equal(tact_json_find(tact_program_out, "reproducible"), "true", 4);
        snprintf(hash[k], sizeof hash[k], "%.18s", tact_json_find(tact_program_out, "hash"));
    }
    assert_string_equal(hash[0], hash[1]);
    tact_program_expect(0, BUDGETED "--max-work 1e12 --max-time 1000");
    assert_true(tact_json_number(tact_program_out, "solves.out_of_budget") == 0);
    assert_memory_equal(tact_json_find(tact_program_out, "reproducible"), "true", 4);
}

static void steps_with_too_many_contacts_are_cut_short_and_may_end_the_run(void **state)
{
    (void)state;
    tact_program_expect(0, BUDGETED);
    double steps = tact_json_number(tact_program_out, "steps");
    double contacts = tact_json_number(tact_program_out, "contacts.max");
    assert_true(steps > 1 && contacts > 1);
    char command[256];
    snprintf(command, sizeof command, BUDGETED "--max-contacts %.0f", contacts);
    tact_program_expect(0, command);
    assert_true(tact_json_number(tact_program_out, "solves.out_of_budget") == 0);
    // A crowd of 60 boxes that overlap, turned each by an angle of its own.
    char crowd[1 << 14];
    int  at = snprintf(crowd, sizeof crowd, "<mujoco><worldbody><geom type='plane' size='5 5 1'/>");
    for (int i = 0; i < 60; i++) {
        at += snprintf(crowd + at, sizeof crowd - (size_t)at,
                       "<body pos='%g %g %g' euler='%d %d 0'><freejoint/>"
                       "<geom type='box' size='.3 .25 .2'/></body>",
                       0.5 * (i % 4), 0.5 * (i / 4 % 4), 0.4 + 0.5 * (i / 16), 37 * i % 90,
                       53 * i % 90);
    }
    snprintf(crowd + at, sizeof crowd - (size_t)at, "</worldbody></mujoco>");
    tact_scratch_write("crowd.xml", crowd);
    tact_program_expect(0, "run crowd.xml --time 0.006 --dt 0.002 --json");
    assert_true(tact_json_number(tact_program_out, "solves.out_of_budget") == 0);
    tact_program_expect(1, "run crowd.xml --time 0.006 --dt 0.002 --json --max-contacts 100");
    assert_true(tact_json_number(tact_program_out, "solves.out_of_budget") > 0);
    assert_true(tact_json_number(tact_program_out, "steps") == 3);
    tact_program_expect(
        1, "run crowd.xml --time 0.006 --dt 0.002 --json --max-contacts 100 --stop-on-limit");
    assert_true(tact_json_number(tact_program_out, "steps") == 1);
}

static void a_run_that_the_clock_had_a_hand_in_says_so(void **state)
{
    (void)state;
    tact_program_expect(1, BUDGETED "--max-time 1e-9");
    assert_true(tact_json_number(tact_program_out, "solves.out_of_budget") > 0);
    assert_memory_equal(tact_json_find(tact_program_out, "reproducible"), "false", 5);
}

static void what_cannot_be_is_refused(void **state)
{
    (void)state;
    static const TactProgramRefusal cases[] = {
        {"run", "tact run needs a scene"},
        {"run nowhere.xml", "nowhere.xml"},
        {"run " SCENES "slope.xml --tme 1", "did you mean '--time'?"},
        {"run " SCENES "slope.xml --time", "--time needs a value"},
        {"run " SCENES "slope.xml --time -1", "is not a positive number"},
        {"run " SCENES "slope.xml --dt x", "is not a positive number"},
        {"run " SCENES "slope.xml --cone oval", "--cone is pyramid or circle, not"},
        {"run " SCENES "slope.xml --method magic", "magic"},
        {"run " SCENES "slope.xml --integrator leap", "--integrator is euler or rk4, not"},
        {"run " SCENES "slope.xml --coordinates minimal", "--coordinates is reduced or maximal"},
        {"run " SCENES "slope.xml --zeta 1.5", "zeta 1.5: not in 0 .. 1"},
        {"run " SCENES "hand.xml --coordinates maximal --integrator rk4", "Euler"},
        {"run " SCENES "slope.xml --keyframe up", "no keyframe 'up'"},
        {"run " SCENES "slope.xml " SCENES "stack.xml", "takes one file"},
    };
    tact_program_refuses(sizeof cases / sizeof cases[0], cases);
}

/// Three fingers of three hinges: six rows a joint more, and drift only where it is asked for.
static void joints_are_rows_of_maximal_coordinates(void **state)
{
    (void)state;
    tact_program_expect(0, "run " SCENES "hand.xml --time 0.1");
    tact_program_words(tact_program_out, "12 degrees of freedom");
    tact_program_expect(0, "run " SCENES "hand.xml --time 0.1 --coordinates maximal --zeta 0.2");
    tact_program_words(tact_program_out, "48 degrees of freedom");
    tact_program_words(tact_program_out, "50, 50 certified");
    tact_program_expect(0, "contacts " SCENES "hand.xml --time 0.01 --coordinates maximal");
}

static void help_names_the_conventions(void **state)
{
    (void)state;
    tact_program_expect(0, "run --help");
    tact_program_words(tact_program_out, "normal from a to b");
    tact_program_words(tact_program_out, "--package-path DIR");
}

int main(void)
{
#if !defined(TACT_HAVE_LIBXML2)
    print_message("skipped: built without libxml2\n");
    return 0;
#endif
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_scene_is_simulated_and_proven),
        cmocka_unit_test(json_has_the_state_at_the_end),
        cmocka_unit_test(free_fall_is_that_of_the_integrator),
        cmocka_unit_test(a_motion_that_flies_apart_is_told),
        cmocka_unit_test(the_same_run_has_the_same_hash),
        cmocka_unit_test(a_budget_of_operations_ends_solves_in_the_same_way_again),
        cmocka_unit_test(steps_with_too_many_contacts_are_cut_short_and_may_end_the_run),
        cmocka_unit_test(a_run_that_the_clock_had_a_hand_in_says_so),
        cmocka_unit_test(joints_are_rows_of_maximal_coordinates),
        cmocka_unit_test(what_cannot_be_is_refused),
        cmocka_unit_test(help_names_the_conventions),
    };
    return cmocka_run_group_tests(tests, tact_scratch_setup, tact_program_teardown);
}
