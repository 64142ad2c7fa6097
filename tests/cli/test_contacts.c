// `tact contacts`: the table, the words and the JSON of a step.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "cli/json.h"
#include "cli/program.h"
#include "io/scratch.h"

#define SCENES TACT_SOURCE_DIR "/scenes/"

static const double g = 9.81, slope = 20 * 3.14159265358979323846 / 180;

static void words_say_how_near_a_contact_is_to_slipping(void **state)
{
    (void)state;
    tact_program_expect(0, "contacts " SCENES "slope.xml");
    tact_program_words(tact_program_out, "4 contacts in the step of 2 ms from 0 s, certified");
    // tan(20) / 0.5 = 0.73; 9.81 sin(20) = 3.36; 0.5 * 9.81 cos(20) = 4.61
    tact_program_words(tact_program_out,
                       "slope/block holds and uses 0.73 of its friction; the tangential load is "
                       "3.36 N of at most 4.61 N: 3.36 N from gravity.");
    tact_program_words(tact_program_out, "How its 4 points share this is not unique.");
}

static void words_say_why_something_slips(void **state)
{
    (void)state;
    tact_scratch_write(
        "slide.xml",
        "<mujoco><worldbody><geom name='floor' type='plane' size='1 1 1' friction='.2'/>"
        "<body name='cube' pos='0 0 .1'><joint name='x' type='slide' axis='1 0 0'/>"
        "<joint name='z' type='slide' axis='0 0 1'/>"
        "<geom name='cube' type='box' size='.1 .1 .1' mass='2' friction='.2'/></body></worldbody>"
        "<actuator><motor name='push' joint='x'/></actuator>"
        "<keyframe><key name='pushed' qpos='0 0' ctrl='5'/></keyframe></mujoco>");
    tact_program_expect(0, "contacts slide.xml --time 0.1");
    // 0.2 * 2 * 9.81 = 3.92
    tact_program_words(tact_program_out, "floor/cube slides at ");
    tact_program_words(tact_program_out,
                       "its friction is 3.92 N, and to hold it would take 5 N: 5 N from actuators");
}

static void json_has_forces_on_both_bodies_and_their_sources(void **state)
{
    (void)state;
    tact_program_expect(0, "contacts " SCENES "slope.xml --time 0.1 --json");
    const char *text = tact_program_out;
    assert_true(tact_json_is_valid(text));
    assert_true(fabs(tact_json_number(text, "time") - 0.1) < 1e-12);
    assert_int_equal(tact_json_count(text, "contacts"), 4);
    assert_true(tact_json_is(text, "contacts.0.geoms.0", "slope"));
    assert_true(tact_json_is(text, "contacts.0.bodies.1", "block"));
    double sum = 0;
    for (int k = 0; k < 4; k++) {
        char path[64];
        snprintf(path, sizeof path, "contacts.%d.force_on_b.2", k);
        double on_b = tact_json_number(text, path);
        snprintf(path, sizeof path, "contacts.%d.force_on_a.2", k);
        assert_true(tact_json_number(text, path) == -on_b);
        sum += on_b;
    }
    assert_true(fabs(sum - g) < 1e-9); // the weight of 1 kg
    assert_true(fabs(tact_json_number(text, "pairs.0.on_b.force.2") - g) < 1e-9);
    assert_true(fabs(tact_json_number(text, "bodies.block.contacts.force.2") - g) < 1e-9);
    assert_true(tact_json_is(text, "patches.0.state", "stick"));
    assert_true(fabs(tact_json_number(text, "patches.0.needed_from.gravity") - g * sin(slope)) <
                1e-9);
    assert_true(fabs(tact_json_number(text, "patches.0.normal_from.gravity") - g * cos(slope)) <
                1e-9);
    assert_true(fabs(tact_json_number(text, "energy.kinetic")) < 1e-20);
}

static void forces_are_those_of_least_norm_unless_asked_otherwise(void **state)
{
    (void)state;
    tact_program_expect(0,
                        "contacts " SCENES "stack.xml --time 0.1 --method reduced --range --json");
    assert_true(tact_json_is_valid(tact_program_out));
    assert_true(tact_json_number(tact_program_out, "sharing.least") == 1);
    assert_true(tact_json_number(tact_program_out, "sharing.kept") == 0);
    double even[4], sum = 0;
    for (int k = 0; k < 4; k++) {
        char path[64];
        snprintf(path, sizeof path, "contacts.%d.force.0", k);
        even[k] = tact_json_number(tact_program_out, path);
        snprintf(path, sizeof path, "contacts.%d.range.least", k);
        assert_true(tact_json_number(tact_program_out, path) <= even[k]);
        snprintf(path, sizeof path, "contacts.%d.range.most", k);
        assert_true(tact_json_number(tact_program_out, path) > 1.5 * even[k]);
        assert_true(fabs(even[k] - even[0]) < 1e-9 * even[0]);
        sum += even[k];
    }
    tact_program_expect(0, "contacts " SCENES
                           "stack.xml --time 0.1 --method reduced --share vertex --json");
    assert_true(tact_json_number(tact_program_out, "sharing.least") == 0);
    double off = 0;
    for (int k = 0; k < 4; k++) {
        char path[64];
        snprintf(path, sizeof path, "contacts.%d.force.0", k);
        double force = tact_json_number(tact_program_out, path);
        off = fmax(off, fabs(force - even[k]));
        sum -= force;
    }
    assert_true(off > 0.1 * even[0] && fabs(sum) < 1e-9 * even[0]);
}

static void what_cannot_be_is_refused(void **state)
{
    (void)state;
    static const TactProgramRefusal cases[] = {
        {"contacts", "needs a scene"},
        {"contacts nowhere.xml", "nowhere.xml"},
        {"contacts " SCENES "slope.xml --time -1", "--time"},
        {"contacts " SCENES "slope.xml --share evenly", "--share"},
        {"contacts " SCENES "slope.xml --keyframe up", "no keyframe 'up'"},
        {"contacts " SCENES "slope.xml --method magic", "magic"},
    };
    tact_program_refuses(sizeof cases / sizeof cases[0], cases);
}

static void help_names_the_conventions(void **state)
{
    (void)state;
    tact_program_expect(0, "contacts --help");
    tact_program_words(tact_program_out, "its normal from a to b; its force is");
    tact_program_words(tact_program_out, "minus it acts on a");
}

int main(void)
{
#if !defined(TACT_HAVE_LIBXML2)
    print_message("skipped: built without libxml2\n");
    return 0;
#endif
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(words_say_how_near_a_contact_is_to_slipping),
        cmocka_unit_test(words_say_why_something_slips),
        cmocka_unit_test(json_has_forces_on_both_bodies_and_their_sources),
        cmocka_unit_test(forces_are_those_of_least_norm_unless_asked_otherwise),
        cmocka_unit_test(what_cannot_be_is_refused),
        cmocka_unit_test(help_names_the_conventions),
    };
    return cmocka_run_group_tests(tests, tact_scratch_setup, tact_program_teardown);
}
