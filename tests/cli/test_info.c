// tact info: what it prints, and what it refuses.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "cli/json.h"
#include "cli/program.h"
#include "io/scratch.h"

#define ARM TACT_SOURCE_DIR "/tests/models/arm.urdf"

static void the_arm_is_a_tree_with_masses_and_limits(void **state)
{
    (void)state;
    tact_program_expect(0, "info " ARM);
    tact_program_words(tact_program_out, "7 bodies, 6.8 kg; 5 joints, 5 degrees of freedom");
    tact_program_words(tact_program_out, "\n    turret ");
    tact_program_words(tact_program_out, "\n          tool ");
    tact_program_words(tact_program_out, "-1.2 .. 2.1");
    tact_program_words(tact_program_out, "convex wedge");
    tact_program_words(tact_program_out, "right = 0.001 + left");
    tact_program_words(tact_program_err, "0 approximated, 5 ignored; see tact check");
    for (const char *line = tact_program_out; *line; line = strchr(line, '\n') + 1) {
        assert_true(strcspn(line, "\n") <= 80 + sizeof TACT_SOURCE_DIR); // the first has the path
    }
}

static void the_arm_in_json_is_that_of_the_file(void **state)
{
    (void)state;
    tact_program_expect(0, "info --json " ARM);
    const char *out = tact_program_out;
    assert_true(tact_json_is_valid(out));
    assert_true(tact_json_number(out, "nq") == 5);
    assert_true(tact_json_number(out, "nv") == 5);
    assert_true(tact_json_number(out, "nbody") == 8);
    assert_true(fabs(tact_json_number(out, "mass") - 6.8) < 1e-14);
    assert_true(tact_json_is(out, "bodies.turret.parent", "base"));
    assert_true(tact_json_number(out, "bodies.turret.mass") == 1.5);
    assert_true(tact_json_number(out, "bodies.turret.pos.2") == 0.1);
    assert_true(tact_json_is(out, "joints.1.name", "elbow"));
    assert_true(tact_json_is(out, "joints.1.type", "hinge"));
    assert_true(tact_json_number(out, "joints.1.range.0") == -1.2);
    assert_true(tact_json_number(out, "joints.4.qposadr") == 4);
    assert_true(tact_json_is(out, "equalities.0.a", "right"));
    assert_true(tact_json_number(out, "ignored") == 5);
    assert_true(tact_json_is(out, "state", "reference"));
}

static void poses_are_those_of_the_state_that_is_asked_for(void **state)
{
    (void)state;
    // A quarter turn of the shoulder takes the elbow from x to y: (0.02, 0) to (0, 0.02).
    tact_program_expect(0, "info --json " ARM " --qpos '1.5707963267948966, 0 0 0 0'");
    assert_true(fabs(tact_json_number(tact_program_out, "bodies.forearm.pos.0")) < 1e-16);
    assert_true(fabs(tact_json_number(tact_program_out, "bodies.forearm.pos.1") - 0.02) < 1e-16);
    tact_program_expect(0, "info " ARM " --qpos='1.5707963267948966 0 0 0 0'");
    tact_program_words(tact_program_out, "forearm        0.0000  0.0200  0.1800");
}

static void what_cannot_be_is_refused(void **state)
{
    (void)state;
    static const TactProgramRefusal cases[] = {
        {"info", "tact info needs a model file"},
        {"info nowhere.urdf", "nowhere.urdf"},
        {"info " ARM " " ARM, "takes one file"},
        {"info --jsn " ARM, "did you mean '--json'?"},
        {"info " ARM " --qpos", "--qpos needs a value"},
        {"info " ARM " --qpos '1 2'", "--qpos needs 5 numbers for this model, not 2"},
        {"info " ARM " --qpos '1 2 x 4 5'", "'x 4 5' is no number"},
        {"info " ARM " --keyframe home", "the model has no keyframes"},
        {"info " ARM " --qpos '0 0 0 0 0' --keyframe home", "not both"},
        {"info " ARM " --qvel '1 2 3'", "--qvel needs 5 numbers for this model, not 3"},
        {"info " ARM " --strict", "limit.velocity is ignored"},
    };
    tact_program_refuses(sizeof cases / sizeof cases[0], cases);
}

/// M qacc + bias = 0, from the printed numbers.
static void acceleration_solves_the_equation_of_motion(void **state)
{
    (void)state;
    tact_program_expect(0, "info --json " ARM " --qpos '.1 .2 .3 .4 .1' --qvel '1 -1 .5 2 -.2'");
    for (int i = 0; i < 5; i++) {
        char   path[32];
        double sum, size;
        snprintf(path, sizeof path, "bias.%d", i);
        sum = tact_json_number(tact_program_out, path);
        size = fabs(sum);
        for (int j = 0; j < 5; j++) {
            snprintf(path, sizeof path, "M.%d.%d", i, j);
            double mass = tact_json_number(tact_program_out, path);
            snprintf(path, sizeof path, "M.%d.%d", j, i);
            assert_true(mass == tact_json_number(tact_program_out, path));
            snprintf(path, sizeof path, "qacc.%d", j);
            double product = mass * tact_json_number(tact_program_out, path);
            sum += product;
            size += fabs(product);
        }
        assert_true(fabs(sum) <= 1e-12 * size);
    }
}

static void bytes_that_are_not_of_the_encoding_are_told_once(void **state)
{
    (void)state;
    tact_scratch_write("e.urdf",
                       "<?xml version='1.0' encoding='EUC-JP'?><robot name='\xff\xff\x80'/>");
    tact_program_expect(2, "info e.urdf");
    assert_true(strncmp(tact_program_err, "tact: e.urdf:1: broken XML", 26) == 0);
    assert_int_equal(strcspn(tact_program_err, "\n") + 1, strlen(tact_program_err)); // one line
}

static void options_of_urdf_reach_the_reader(void **state)
{
    (void)state;
    tact_program_expect(0, "info --json --free " ARM);
    assert_true(tact_json_number(tact_program_out, "nv") == 11);
    tact_scratch_write("r.urdf",
                       "<robot name='r'><link name='a'><collision><geometry><mesh "
                       "filename='package://models/meshes/wedge.obj'/></geometry></collision>"
                       "</link></robot>");
    tact_program_expect(2, "info r.urdf");
    tact_program_words(tact_program_err, "r.urdf:1: mesh: filename: there is no package 'models'");
    tact_program_expect(
        0, "info --json r.urdf --package-path /nowhere --package-path " TACT_SOURCE_DIR "/tests");
    assert_true(tact_json_is(tact_program_out, "geoms.0.mesh", "wedge"));
}

/// A stand-in for xacro on the PATH: what it writes is read, what it says and how it ends is told.
static void files_are_expanded_by_the_xacro_of_the_path(void **state)
{
    (void)state;
    char        list[1200], folder[600];
    const char *before = getenv("PATH");
    tact_scratch_write("macro.urdf", "<robot><xacro:include filename='x'/></robot>");
    tact_program_expect(2, "info macro.urdf");
    tact_program_words(tact_program_err, "macros must be expanded first");
    snprintf(folder, sizeof folder, "%s", tact_scratch_path("xacro"));
    *strrchr(folder, '/') = '\0';
    tact_scratch_write("xacro",
                       "#!/bin/sh\n[ \"$1\" = macro.urdf ] || { echo no such macro >&2; "
                       "exit 3; }\necho \"<robot name='r'><link name='made'/></robot>\"\n");
    assert_int_equal(chmod(tact_scratch_path("xacro"), 0700), 0);
    snprintf(list, sizeof list, "%s:%s", folder, before ? before : "/usr/bin:/bin");
    char *kept = strdup(before ? before : "");
    assert_non_null(kept);
    setenv("PATH", list, 1);
    tact_program_expect(0, "info --json --xacro macro.urdf");
    assert_true(tact_json_is(tact_program_out, "bodies.made.parent", "world"));
    tact_program_expect(0, "check --xacro macro.urdf");
    tact_program_expect(2, "check --xacro other.urdf");
    tact_program_words(tact_program_err, "no such macro");
    tact_program_words(tact_program_err, "other.urdf: xacro failed");
    assert_null(strstr(tact_program_out, "0 kinds")); // nothing was read, and nothing is listed
    setenv("PATH", "/nowhere", 1);
    tact_program_expect(2, "info --xacro macro.urdf");
    tact_program_words(tact_program_err, "the program xacro cannot be run");
    setenv("PATH", kept, 1);
    free(kept);
}

static void help_names_all_options(void **state)
{
    (void)state;
    tact_program_expect(0, "info --help");
    tact_program_words(tact_program_out, "--keyframe NAME");
    tact_program_words(tact_program_out, "--package-path DIR");
}

int main(void)
{
#if !defined(TACT_HAVE_LIBXML2) || !defined(TACT_HAVE_QHULL)
    print_message("skipped: built without libxml2 or qhull\n");
    return 0;
#endif
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_arm_is_a_tree_with_masses_and_limits),
        cmocka_unit_test(the_arm_in_json_is_that_of_the_file),
        cmocka_unit_test(poses_are_those_of_the_state_that_is_asked_for),
        cmocka_unit_test(what_cannot_be_is_refused),
        cmocka_unit_test(acceleration_solves_the_equation_of_motion),
        cmocka_unit_test(bytes_that_are_not_of_the_encoding_are_told_once),
        cmocka_unit_test(options_of_urdf_reach_the_reader),
        cmocka_unit_test(files_are_expanded_by_the_xacro_of_the_path),
        cmocka_unit_test(help_names_all_options),
    };
    return cmocka_run_group_tests(tests, tact_scratch_setup, tact_program_teardown);
}
