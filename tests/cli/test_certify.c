// `tact run --certify steps`: counts, sentences, saved states, exit status.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/json.h"
#include "cli/program.h"
#include "io/scratch.h"

#define SLOPE TACT_SOURCE_DIR "/scenes/slope.xml"

static void certified_steps_are_counted(void **state)
{
    (void)state;
    tact_program_expect(0, "run " SLOPE " --time .02 --certify steps");
    tact_program_words(tact_program_out, "10, 10 certified");
    tact_program_expect(0, "run " SLOPE " --time .02 --certify steps --json");
    assert_true(tact_json_number(tact_program_out, "step_certificates.total") == 10);
    assert_true(tact_json_number(tact_program_out, "step_certificates.certified") == 10);
    static const char *const laws[] = {"momentum", "position", "contact", "energy"};
    for (int k = 0; k < 4; k++) {
        char path[64];
        snprintf(path, sizeof path, "step_certificates.by_part.%s", laws[k]);
        assert_true(tact_json_number(tact_program_out, path) == 0);
    }
    assert_true(tact_json_number(tact_program_out, "correction_max") == 0);
}

static void steps_are_not_certified_unless_asked_for(void **state)
{
    (void)state;
    tact_program_expect(0, "run " SLOPE " --time .02 --json");
    assert_null(strstr(tact_program_out, "step_certificates"));
    tact_program_expect(0, "run " SLOPE " --time .02 --certify off");
    assert_null(strstr(tact_program_out, "  steps "));
    tact_program_expect(2, "run " SLOPE " --certify everything");
}

static void a_step_that_is_not_certified_is_named_and_saved(void **state)
{
    (void)state;
    // Rounding is more than 1e-30 of the terms where something moves.
    tact_scratch_write("falls.xml",
                       "<mujoco><worldbody><body name='pole' euler='0 10 0'>"
                       "<joint name='pivot' type='hinge' axis='0 1 0'/><geom type='capsule' "
                       "size='.02' fromto='0 0 0 .013 0 .7'/></body></worldbody></mujoco>");
    tact_program_expect(1, "run falls.xml --time .2 --certify steps --certify-tol 1e-30 "
                           "--save-failures saved");
    tact_program_words(tact_program_out, "fails in");
    tact_program_words(tact_program_out, "first in step");
    tact_program_words(tact_program_out, "'p"); // the pole or its pivot
    tact_program_words(tact_program_out, "written to saved");
    tact_program_expect(1, "run falls.xml --time .2 --certify steps --certify-tol 1e-30 "
                           "--save-failures saved --json");
    int  step = (int)tact_json_number(tact_program_out, "step_certificates.first.step");
    char path[64];
    snprintf(path, sizeof path, "saved/step-%06d-states.json", step);
    char *text = tact_scratch_read(tact_scratch_path(path));
    assert_non_null(text);
    assert_true(tact_json_is(text, "format", "tact-step/1"));
    assert_true(tact_json_number(text, "step") == step);
    assert_true(tact_json_number(text, "q_after.0") != tact_json_number(text, "q.0") || step == 1);
    tact_json_number(text, "v.0");
    tact_json_number(text, "v_after.0");
    free(text);
}

static void laws_that_are_not_judged_are_told(void **state)
{
    (void)state;
    tact_program_expect(0, "run " SLOPE " --time .02 --certify steps --integrator rk4");
    tact_program_words(tact_program_out, "energy is not judged in 10 steps");
}

int main(void)
{
#if !defined(TACT_HAVE_LIBXML2)
    print_message("skipped: built without libxml2\n");
    return 0;
#endif
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(certified_steps_are_counted),
        cmocka_unit_test(steps_are_not_certified_unless_asked_for),
        cmocka_unit_test(a_step_that_is_not_certified_is_named_and_saved),
        cmocka_unit_test(laws_that_are_not_judged_are_told),
    };
    return cmocka_run_group_tests(tests, tact_scratch_setup, tact_program_teardown);
}
