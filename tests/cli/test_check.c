// `tact check`: its lists, its JSON, its exit status, its complaints.
#include <stdio.h>
#include <string.h>

#include "cli/json.h"
#include "cli/program.h"
#include "io/scratch.h"

static int setup(void **state)
{
    if (tact_scratch_setup(state) != 0) {
        return -1;
    }
    tact_scratch_write("soft.xml",
                       "<mujoco>\n<default><geom solref='0.1 1'\nsolimp='0.9'/></default>"
                       "\n<worldbody><geom size='1' solref='0.2 1'/></worldbody>"
                       "\n<visual/></mujoco>");
    tact_scratch_write("fine.xml", "<mujoco><worldbody><geom size='1'/></worldbody></mujoco>");
    tact_scratch_write("bad.xml", "<mujoco>\n<worldbody>\n<geom sise='1'/></worldbody></mujoco>");
    return 0;
}

static void a_file_that_is_honoured_ends_with_0(void **state)
{
    (void)state;
    tact_program_expect(0, "check fine.xml");
    tact_program_words(tact_program_out, "honoured: 3 kinds at 3 places");
    tact_program_words(tact_program_out, "geom.size                      1  fine.xml:1\n");
    tact_program_words(tact_program_out, "all that bears on the physics is honoured\n");
    assert_string_equal(tact_program_err, "");
    tact_program_expect(0, "check --strict fine.xml");
}

static void physics_that_is_not_honoured_ends_with_1_and_strictly_with_2(void **state)
{
    (void)state;
    tact_program_expect(1, "check soft.xml");
    tact_program_words(tact_program_out, "  * softness (solref, ...)         3  soft.xml:2  ");
    tact_program_words(tact_program_out, "    visual                         1  soft.xml:5  ");
    tact_program_words(tact_program_out, "3 places (*) bear on the physics");
    tact_program_expect(1, "check soft.xml --all");
    tact_program_words(tact_program_out, "  * geom.solref                    2  soft.xml:2  ");
    tact_program_words(tact_program_out, "  * geom.solimp                    1  soft.xml:3  ");
    tact_program_words(tact_program_out, " soft.xml:4\n");
    tact_program_expect(2, "check soft.xml --strict");
    tact_program_words(tact_program_err, "soft.xml:2: geom.solref is ignored: contacts are rigid");
}

static void json_is_one_object_with_three_lists(void **state)
{
    (void)state;
    tact_program_expect(1, "check soft.xml --json --all");
    assert_true(tact_json_is_valid(tact_program_out));
    assert_true(tact_json_is(tact_program_out, "file", "soft.xml"));
    assert_true(tact_json_is(tact_program_out, "status", "ok"));
    assert_true(tact_json_number(tact_program_out, "unfaithful") == 3);
    assert_int_equal(tact_json_count(tact_program_out, "approximated"), 0);
    assert_int_equal(tact_json_count(tact_program_out, "ignored"), 3);
    assert_true(tact_json_is(tact_program_out, "ignored.0.element", "geom"));
    assert_true(tact_json_is(tact_program_out, "ignored.0.attribute", "solref"));
    assert_true(tact_json_number(tact_program_out, "ignored.0.count") == 2);
    assert_int_equal(tact_json_count(tact_program_out, "ignored.0.places"), 2);
    assert_true(tact_json_number(tact_program_out, "ignored.0.places.1.line") == 4);
    tact_program_expect(2, "check bad.xml --json");
    assert_true(tact_json_is_valid(tact_program_out));
    assert_true(tact_json_is(tact_program_out, "status", "bad input"));
    assert_string_equal(tact_program_err, "");
}

static void what_is_wrong_is_told_with_file_and_line(void **state)
{
    (void)state;
    tact_program_expect(2, "check bad.xml");
    tact_program_words(tact_program_err, "tact: bad.xml:3: geom: sise: there is no such attribute");
    tact_program_expect(2, "check nowhere.xml");
    tact_program_words(tact_program_err, "nowhere.xml: cannot be opened");
    tact_program_expect(2, "check");
    tact_program_words(tact_program_err, "needs a model file");
    tact_program_expect(2, "check fine.xml soft.xml");
    tact_program_words(tact_program_err, "takes one file");
    tact_program_expect(2, "check fine.xml --strikt");
    tact_program_words(tact_program_err, "did you mean '--strict'?");
    tact_program_expect(2, "check fine.xml --package-path");
    tact_program_words(tact_program_err, "needs a value: --package-path DIR");
    tact_program_expect(0, "check --help");
    tact_program_words(tact_program_out, "usage: tact check FILE");
}

/// Lists by what becomes of the motion; softness is one line for all that have it.
static void notes_are_grouped_by_consequence(void **state)
{
    (void)state;
    tact_scratch_write("mixed.xml",
                       "<mujoco><compiler alignfree='true'/><option cone='pyramidal'/><visual/>"
                       "<worldbody>"
                       "<geom size='.1' solref='.1 1'/>"
                       "<body><joint solimplimit='.9 .9 .1'/><geom size='.1' solimp='.9 .9 .1'/>"
                       "</body></worldbody></mujoco>");
    tact_program_expect(1, "check mixed.xml");
    tact_program_words(tact_program_out, "changes nothing: 1 kind at 1 place\n");
    tact_program_words(tact_program_out, "changes the motion a little: 4 kinds at 4 places\n"
                                         "  * softness (solref, ...)         3  mixed.xml:1");
    tact_program_words(tact_program_out, "changes the motion: 1 kind at 1 place\n"
                                         "  * compiler.alignfree");
    assert_null(strstr(tact_program_out, "solimplimit"));
    tact_program_expect(1, "check --all mixed.xml");
    tact_program_words(tact_program_out, "joint.solimplimit");
    tact_program_expect(1, "check --json mixed.xml");
    assert_true(tact_json_is(tact_program_out, "approximated.0.consequence", "little"));
    assert_true(tact_json_is(tact_program_out, "ignored.0.attribute", "alignfree"));
    assert_true(tact_json_is(tact_program_out, "ignored.0.consequence", "motion"));
}

int main(void)
{
#ifndef TACT_HAVE_LIBXML2
    print_message("skipped: built without libxml2\n");
    return 0;
#endif
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(notes_are_grouped_by_consequence),
        cmocka_unit_test(a_file_that_is_honoured_ends_with_0),
        cmocka_unit_test(physics_that_is_not_honoured_ends_with_1_and_strictly_with_2),
        cmocka_unit_test(json_is_one_object_with_three_lists),
        cmocka_unit_test(what_is_wrong_is_told_with_file_and_line),
    };
    return cmocka_run_group_tests(tests, setup, tact_program_teardown);
}
