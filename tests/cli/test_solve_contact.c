// The program on contact problems: `tact solve`, its JSON, its tables, its complaints.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/json.h"
#include "cli/program.h"
#include "io/scratch.h"

#define SLOPE "'" TACT_SOURCE_DIR "/examples/slope.json' "
#define ARM "'" TACT_SOURCE_DIR "/examples/arm.json' "

static const char two[] = "2\n0\n2\n2\n2 2\n2 1\n1 2\n-5 -6\n";

// A mass of 2 kg on a plane, pushed along x with more than mu m g: it slides.
static const char sliding[] =
    "{\"format\": \"tact-contact/1\", \"step\": 0.01, \"bodies\": [{\"mass\": 2, \"inertia\": "
    "[1, 1, 1, 0, 0, 0], \"position\": [0, 0, 0], \"force\": [12, 0, -20]}], \"contacts\": "
    "[{\"a\": -1, \"b\": 0, \"point\": [0, 0, 0], \"normal\": [0, 0, 1], \"mu\": 0.5}]}";

static double number(const char *path)
{
    return tact_json_number(tact_program_out, path);
}

static bool is(const char *path, const char *word)
{
    return tact_json_is(tact_program_out, path, word);
}

static int setup(void **state)
{
    if (tact_scratch_setup(state) != 0) {
        return -1;
    }
    tact_scratch_write("two.dat", two);
    tact_scratch_write("sliding.json", sliding);
    tact_scratch_write("bad.json", "{\"format\": \"tact-contact/1\", \"step\": 1, \"bodies\": [], "
                                   "\"contacts\": [{\"a\": 0, \"b\": \"x\"}]}");
    return 0;
}

// ---------------------------------------------------------------------------------------------
// JSON

static void a_contact_problem_is_one_object_with_the_fields_of_the_design(void **state)
{
    (void)state;
    tact_program_expect(0, "solve sliding.json --method reduced --json");
    assert_true(tact_json_is_valid(tact_program_out));
    assert_string_equal(tact_program_err, "");
    assert_true(is("file", "sliding.json"));
    assert_true(is("kind", "contact"));
    assert_true(number("n") == 1 && number("contacts") == 1 && number("dof") == 6);
    assert_true(is("format", "tact JSON, bodies"));
    assert_true(is("results.0.method", "reduced"));
    assert_true(is("results.0.outcome", "solved"));
    assert_true(is("results.0.cone", "pyramid"));
    assert_true(number("results.0.residual") < 1e-8);
    assert_true(number("results.0.pivots") > 0);
    assert_true(number("results.0.iterations") >= 0);
    assert_true(number("results.0.time_us") > 0);
    assert_true(number("results.0.solves") >= 5);
    // f_n = m g = 20 N; |f_t| = mu f_n against the push; (12 - 10) N / 2 kg * 0.01 s = 0.01 m/s.
    assert_int_equal(tact_json_count(tact_program_out, "results.0.forces"), 1);
    assert_true(fabs(number("results.0.forces.0.0") - 20) < 1e-9);
    assert_true(fabs(number("results.0.forces.0.1") + 10) < 1e-9);
    assert_true(fabs(number("results.0.forces.0.2")) < 1e-9);
    assert_true(fabs(number("results.0.velocity.0") - 0.01) < 1e-12);
    assert_true(is("results.0.states.0.state", "slide"));
    assert_true(fabs(number("results.0.states.0.friction_used") - 1) < 1e-9);
    assert_true(fabs(number("results.0.states.0.slip") - 0.01) < 1e-12);
    assert_true(number("results.0.certificate.approach") < 1e-12);
    assert_true(number("results.0.certificate.error") == number("results.0.residual"));
    assert_int_equal(tact_json_count(tact_program_out, "results.0.certificate"), 11);
    assert_true(is("results.0.rungs.0.name", "reduced"));
}

static void every_method_of_the_table_is_run_by_all(void **state)
{
    (void)state;
    tact_program_expect(0, "solve sliding.json --method all --json");
    int count = 0;
    for (int i = 0; i < TACT_METHOD_COUNT; i++) {
        const TactContactMethodInfo *info = tact_contact_method_info((TactContactMethod)i);
        if (info) {
            char path[60];
            snprintf(path, sizeof path, "results.%d.method", count);
            assert_true(is(path, info->name));
            snprintf(path, sizeof path, "results.%d.forces.0.0", count);
            if (!(info->takes & TACT_CONTACT_TAKES_ACCELERATION)) {
                assert_true(fabs(number(path) - 20) < 1e-6);
            }
            count++;
        }
    }
    assert_int_equal(tact_json_count(tact_program_out, "results"), count);
}

static void the_block_on_the_slope_stays_by_every_cone(void **state)
{
    (void)state;
    static const char *const cones[] = {"pyramid", "circle"};
    for (int c = 0; c < 2; c++) {
        char arguments[300];
        snprintf(arguments, sizeof arguments, "solve " SLOPE "--cone %s --json", cones[c]);
        tact_program_expect(0, arguments);
        assert_true(is("results.0.cone", cones[c]));
        double normal = 0, uphill = 0;
        for (int i = 0; i < 4; i++) {
            char path[60];
            snprintf(path, sizeof path, "results.0.forces.%d.0", i);
            normal += number(path);
            snprintf(path, sizeof path, "results.0.forces.%d.1", i);
            uphill -= number(path);
            snprintf(path, sizeof path, "results.0.states.%d.slip", i);
            assert_true(number(path) < 1e-12);
        }
        assert_true(fabs(normal - 9.81 * cos(20 * 3.14159265358979323846 / 180)) < 1e-9);
        assert_true(fabs(uphill - 9.81 * sin(20 * 3.14159265358979323846 / 180)) < 1e-9);
        assert_true(is("results.0.states.0.state", "stick"));
        assert_true(strncmp(tact_json_find(tact_program_out, "results.0.states.0.unique"), "false",
                            5) == 0);
    }
}

static void least_forces_of_the_block_on_the_slope_are_even_from_side_to_side(void **state)
{
    (void)state;
    static const char *const cones[] = {"pyramid", "circle"};
    for (int c = 0; c < 2; c++) {
        char line[256], path[64];
        snprintf(line, sizeof line, "solve " SLOPE "--cone %s --share least --range --json",
                 cones[c]);
        tact_program_expect(0, line);
        assert_true(is("results.0.sharing.outcome", "least"));
        assert_true(number("results.0.sharing.norm") < number("results.0.sharing.norm_before"));
        assert_true(number("results.0.error") < 1e-8);
        for (int k = 0; k < 4; k++) {
            snprintf(path, sizeof path, "results.0.forces.%d.0", k);
            double force = number(path);
            snprintf(path, sizeof path, "results.0.forces.%d.0", k ^ 1);
            assert_true(fabs(force - number(path)) < 1e-9);
            snprintf(path, sizeof path, "results.0.ranges.%d.least", k);
            assert_true(number(path) < force);
            snprintf(path, sizeof path, "results.0.ranges.%d.most", k);
            assert_true(number(path) > force);
        }
    }
    tact_program_expect(0, "solve " SLOPE "--share least --range");
    tact_program_words(tact_program_out, "Shared: forces of least norm");
    tact_program_words(tact_program_out, "least fn");
}

static void an_articulated_problem_has_its_rows(void **state)
{
    (void)state;
    tact_program_expect(0, "solve " ARM "--json");
    assert_true(is("form", "mechanism"));
    assert_true(number("rows") == 1 && number("dof") == 2);
    assert_int_equal(tact_json_count(tact_program_out, "results.0.row_forces"), 1);
    assert_true(fabs(number("results.0.row_forces.0")) <= 5 + 1e-12); // what the brake can hold
    assert_int_equal(tact_json_count(tact_program_out, "results.0.velocity"), 2);
}

static void lcps_and_contact_problems_come_in_one_run(void **state)
{
    (void)state;
    tact_program_expect(0, "solve two.dat sliding.json --method all --json");
    assert_true(is("files.0.kind", "lcp"));
    assert_true(is("files.1.kind", "contact"));
    tact_program_expect(0, "solve two.dat sliding.json");
    tact_program_words(tact_program_out, "2 problems: 2 solved and proven");
}

static void a_bad_file_is_told_with_its_path(void **state)
{
    (void)state;
    tact_program_expect(2, "solve bad.json --json");
    assert_true(tact_json_is_valid(tact_program_out));
    assert_non_null(tact_json_find(tact_program_out, "error"));
    tact_program_words(tact_program_err, "bad.json: contacts[0].b: is a string, not a number");
}

// ---------------------------------------------------------------------------------------------
// Methods and cones

static void a_method_that_cannot_take_a_cone_refuses_it(void **state)
{
    (void)state;
    tact_program_expect(1, "solve sliding.json --method nsgs --cone pyramid --json");
    assert_true(is("results.0.outcome", "refused"));
    tact_program_words(tact_json_find(tact_program_out, "results.0.reason"),
                       "method 'nsgs' cannot take the pyramid");
    tact_program_expect(0, "solve sliding.json --method nsgs --cone circle --json");
    assert_true(is("results.0.outcome", "solved"));
    tact_program_expect(0, "solve sliding.json --method nsgs,reduced --json"); // each its own
    assert_true(is("results.0.method", "reduced"));
    assert_true(is("results.0.cone", "pyramid"));
    assert_true(is("results.1.cone", "circle"));
}

static void a_method_of_the_other_kind_is_refused(void **state)
{
    (void)state;
    tact_program_expect(1, "solve sliding.json --method lemke --json");
    assert_true(is("results.0.outcome", "refused"));
    tact_program_words(tact_json_find(tact_program_out, "results.0.reason"),
                       "--method lcp --lcp-method lemke");
    tact_program_expect(1, "solve two.dat --method nsgs --json");
    assert_true(is("results.0.outcome", "refused"));
    tact_program_expect(0, "solve sliding.json --method lcp --lcp-method lemke --json");
    assert_true(is("results.0.outcome", "solved"));
    tact_program_expect(1, "solve sliding.json --method lcp --lcp-method pgs --json");
    assert_true(is("results.0.outcome", "refused"));
}

static void an_unproven_answer_gives_one(void **state)
{
    (void)state;
    tact_program_expect(1, "solve " SLOPE "--method reduced --tol 1e-300 --json");
    assert_true(is("results.0.outcome", "unverified"));
    assert_true(number("results.0.tolerance") == 1e-300);
    tact_program_expect(1, "solve " SLOPE "--method reduced --max-pivots 1 --json");
    assert_true(is("results.0.outcome", "limit"));
    tact_program_expect(1, "solve " SLOPE "--method reduced --max-pivots 1");
    tact_program_words(tact_program_out, "limit: out of pivots, turns or sweeps");
}

static void options_of_the_other_kind_are_bad_use(void **state)
{
    (void)state;
    tact_program_expect(2, "solve two.dat --cone circle");
    tact_program_words(tact_program_err, "two.dat: --cone is for contact problems");
    tact_program_expect(2, "solve two.dat --save copy.json");
    tact_program_words(tact_program_err, "--write-mtx PREFIX");
    tact_program_expect(2, "solve sliding.json --write-mtx copy");
    tact_program_words(tact_program_err, "--save FILE");
    tact_program_expect(2, "solve sliding.json --storage dense");
    tact_program_expect(2, "solve sliding.json --cone square");
    tact_program_words(tact_program_err, "pyramid, circle or box");
    tact_program_expect(2, "solve sliding.json --lcp-method nsgs");
    tact_program_expect(2, "solve sliding.json --method reduecd");
    tact_program_words(tact_program_err, "did you mean 'reduced'?");
    tact_program_expect(2, "solve sliding.json --method xyzzy");
    tact_program_words(tact_program_err, "for contact problems:");
    tact_program_expect(2, "solve sliding.json " SLOPE "--save both.json");
}

// ---------------------------------------------------------------------------------------------
// Tables

static void the_table_shows_methods_and_contacts(void **state)
{
    (void)state;
    tact_program_expect(0, "solve " SLOPE);
    assert_null(strchr(tact_program_out, '\033'));
    tact_program_words(tact_program_out,
                       "contact problem, 4 contacts, 1 body (tact JSON, bodies): block on a slope");
    tact_program_words(
        tact_program_out,
        "method      outcome     cone         error  pivots  iterations  turns   time [us]");
    tact_program_words(tact_program_out, "was chosen");
    tact_program_words(tact_program_out, "Proven: error ");
    tact_program_words(tact_program_out, "fn            ft1            ft2  state");
    tact_program_words(tact_program_out, "stick");
    tact_program_words(tact_program_out, "not unique (group 0)");
    tact_program_expect(0, "solve sliding.json --method reduced");
    tact_program_words(tact_program_out, "      0             20            -10");
    tact_program_words(tact_program_out, "slide    100.0 %        0.01");
}

static void help_lists_cones_and_contact_methods(void **state)
{
    (void)state;
    tact_program_expect(0, "solve --help");
    tact_program_words(tact_program_out, "--cone WORD");
    tact_program_words(tact_program_out, "methods for contact problems");
    tact_program_words(tact_program_out, "nsgs");
    tact_program_words(tact_program_out, "units of a contact answer");
}

static void unknown_fields_are_warnings(void **state)
{
    (void)state;
    tact_scratch_write("colour.json", "{\"format\": \"tact-contact/1\", \"step\": 1, \"bodies\": "
                                      "[], \"contacts\": [], \"colour\": \"red\"}");
    tact_program_expect(0, "solve colour.json --json");
    assert_int_equal(tact_json_count(tact_program_out, "warnings"), 1);
    tact_program_words(tact_program_err, "warning: colour.json: colour is not known and ignored");
}

// ---------------------------------------------------------------------------------------------
// Files that are written

static void a_saved_problem_is_the_same_problem(void **state)
{
    (void)state;
    tact_program_expect(0, "solve " SLOPE "--save copy.json --json");
    double force = number("results.0.forces.0.0");
    tact_program_expect(0, "solve copy.json --json");
    assert_true(number("results.0.forces.0.0") == force);
    tact_program_expect(2, "solve sliding.json --save /not/there/copy.json");
    tact_program_words(tact_program_err, "/not/there/copy.json: cannot be written");
    tact_program_expect(2, "solve sliding.json --save copy.txt");
    tact_program_words(tact_program_err, ".json, .hdf5, .h5 or .dat");
    tact_program_expect(0, "solve sliding.json --save copy.dat --json");
    tact_program_expect(0, "solve copy.dat --json");
    assert_true(is("format", "Siconos global friction, sparse"));
    assert_true(fabs(number("results.0.forces.0.0") - 0.2) < 1e-12); // impulses: 20 N, 0.01 s
#ifdef TACT_HAVE_HDF5
    tact_program_expect(0, "solve sliding.json --save copy.hdf5 --json");
    tact_program_expect(0, "solve copy.hdf5 --json");
    assert_true(is("format", "FCLIB, global"));
    assert_true(fabs(number("results.0.forces.0.0") - 0.2) < 1e-12); // impulses: 20 N, 0.01 s
    tact_program_expect(0, "solve - --json <copy.hdf5");
    assert_true(is("format", "FCLIB, global"));
#endif
}

static void forces_go_to_a_matrix_market_file(void **state)
{
    (void)state;
    tact_program_expect(0, "solve sliding.json --method reduced --output forces.mtx");
    char *forces = tact_scratch_read(tact_scratch_path("forces.mtx"));
    assert_non_null(forces);
    assert_true(strncmp(forces, "%%MatrixMarket matrix array real general\n1 3\n", 45) == 0);
    assert_true(fabs(strtod(forces + 45, NULL) - 20) < 1e-9);
    free(forces);
}

static void standard_input_is_a_file(void **state)
{
    (void)state;
    tact_program_expect(0, "solve - --json <sliding.json");
    assert_true(is("kind", "contact"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_contact_problem_is_one_object_with_the_fields_of_the_design),
        cmocka_unit_test(every_method_of_the_table_is_run_by_all),
        cmocka_unit_test(the_block_on_the_slope_stays_by_every_cone),
        cmocka_unit_test(least_forces_of_the_block_on_the_slope_are_even_from_side_to_side),
        cmocka_unit_test(an_articulated_problem_has_its_rows),
        cmocka_unit_test(lcps_and_contact_problems_come_in_one_run),
        cmocka_unit_test(a_bad_file_is_told_with_its_path),
        cmocka_unit_test(a_method_that_cannot_take_a_cone_refuses_it),
        cmocka_unit_test(a_method_of_the_other_kind_is_refused),
        cmocka_unit_test(an_unproven_answer_gives_one),
        cmocka_unit_test(options_of_the_other_kind_are_bad_use),
        cmocka_unit_test(the_table_shows_methods_and_contacts),
        cmocka_unit_test(help_lists_cones_and_contact_methods),
        cmocka_unit_test(unknown_fields_are_warnings),
        cmocka_unit_test(a_saved_problem_is_the_same_problem),
        cmocka_unit_test(forces_go_to_a_matrix_market_file),
        cmocka_unit_test(standard_input_is_a_file),
    };
    if (strstr(tact_version(), "jansson: no")) {
        printf("skipped: this tact was built without jansson\n");
        return 0;
    }
    return cmocka_run_group_tests(tests, setup, tact_program_teardown);
}
