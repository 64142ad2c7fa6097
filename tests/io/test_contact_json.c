// tact's JSON of contact problems: every field of it, and what is wrong with bad ones.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "io/scratch.h"

static TactStatus read_string(const char *text, TactContactFile **file)
{
    return tact_contact_read_memory("p.json", text, strlen(text), file);
}

static TactContactFile *read_good(const char *text)
{
    TactContactFile *file = NULL;
    tact_scratch_listen();
    if (read_string(text, &file) != TACT_OK) {
        fail_msg("%s", tact_status_message());
    }
    return file;
}

static void expect_bad(const char *text, const char *words)
{
    TactContactFile *file = NULL;
    TactStatus       status = read_string(text, &file);
    if (status != TACT_BAD_INPUT) {
        fail_msg("status %s for: %s", tact_status_name(status), text);
    }
    assert_null(file);
    tact_scratch_said("p.json:");
    tact_scratch_said(words);
}

static void expect_reals(const double *x, int count, const double *expected)
{
    for (int i = 0; i < count; i++) {
        assert_true(x[i] == expected[i]);
    }
}

#define HEAD "{\"format\": \"tact-contact/1\", \"step\": 0.001,\n"
#define BODY "{\"mass\": 2, \"inertia\": [1, 2, 3, 0, 0, 0], \"position\": [0, 0, 1]}"
#define CONTACT "{\"a\": -1, \"b\": 0, \"point\": [0, 0, 0], \"normal\": [0, 0, 1], \"mu\": 0.3}"
#define BODIES "\"bodies\": [" BODY "],\n"

// ---------------------------------------------------------------------------------------------
// Good files

// The example of the format's definition, with numbers in it.
static const char design[] =
    "{\"format\": \"tact-contact/1\", \"step\": 0.001,\n"
    " \"bodies\":   [{\"mass\": 1.0, \"inertia\": [0.1,0.2,0.3,0.01,0.02,0.03], "
    "\"position\": [1,2,3], \"velocity\": [4,5,6], \"omega\": [7,8,9], "
    "\"force\": [10,11,12], \"torque\": [13,14,15]}],\n"
    " \"contacts\": [{\"a\": -1, \"b\": 0, \"point\": [1,2,2.5], \"normal\": [0,0,1], "
    "\"mu\": 0.3, \"directions\": 12, \"restitution\": 0.25, \"tangent\": [0,1,0]}]}\n";

static void the_example_of_the_design_is_read_whole(void **state)
{
    (void)state;
    TactContactFile          *file = read_good(design);
    const TactContactProblem *problem = &file->problem;
    assert_int_equal(tact_scratch_warnings(), 0);
    assert_string_equal(file->name, "p.json");
    assert_string_equal(file->format, "tact JSON, bodies");
    assert_string_equal(file->title, "");
    assert_int_equal(file->dimension, 3);
    assert_true(problem->step == 0.001);
    assert_int_equal(problem->level, TACT_LEVEL_VELOCITY);
    assert_int_equal(problem->body_count, 1);
    const TactContactBody *body = &problem->bodies[0];
    assert_true(body->mass == 1);
    expect_reals(body->inertia, 6, (double[]){0.1, 0.2, 0.3, 0.01, 0.02, 0.03});
    expect_reals(body->position, 3, (double[]){1, 2, 3});
    expect_reals(body->velocity, 3, (double[]){4, 5, 6});
    expect_reals(body->omega, 3, (double[]){7, 8, 9});
    expect_reals(body->force, 3, (double[]){10, 11, 12});
    expect_reals(body->torque, 3, (double[]){13, 14, 15});
    assert_int_equal(problem->contact_count, 1);
    const TactContact *contact = &problem->contacts[0];
    assert_int_equal(contact->a, -1);
    assert_int_equal(contact->b, 0);
    expect_reals(contact->point, 3, (double[]){1, 2, 2.5});
    expect_reals(contact->normal, 3, (double[]){0, 0, 1});
    expect_reals(contact->tangent, 3, (double[]){0, 1, 0});
    assert_true(contact->mu == 0.3 && contact->directions == 12 && contact->restitution == 0.25);
    tact_contact_file_destroy(file);
}

static void what_is_left_out_has_its_default(void **state)
{
    (void)state;
    TactContactFile       *file = read_good(HEAD BODIES "\"contacts\": [" CONTACT "]}");
    const TactContactBody *body = &file->problem.bodies[0];
    const TactContact     *contact = &file->problem.contacts[0];
    expect_reals(body->velocity, 12, (double[12]){0});
    expect_reals(contact->tangent, 3, (double[3]){0});
    assert_int_equal(contact->directions, 0);
    assert_true(contact->turn == 0 && contact->restitution == 0 && contact->bias == 0);
    assert_true(contact->surface[0] == 0 && contact->compliance == 0 && contact->id == 0);
    assert_null(file->problem.M);
    assert_null(file->problem.W);
    assert_int_equal(file->problem.row_count, 0);
    tact_contact_file_destroy(file);
}

static void additions_to_a_contact_are_read(void **state)
{
    (void)state;
    TactContactFile *file = read_good(
        HEAD BODIES "\"name\": \"a belt\", \"comment\": \"anything\", \"contacts\": [{\"a\": -1, "
                    "\"b\": 0, \"point\": [0, 0, 0], \"normal\": [0, 0, 1], \"mu\": 0.3, "
                    "\"bias\": -0.5, \"surface\": [1, -2], \"compliance\": 1e-3, \"turn\": 0.125, "
                    "\"id\": 9007199254740993, \"comment\": 1},"
                    "{\"a\": -1, \"b\": 0, \"point\": [0, 0, 0], \"normal\": [0, 0, 1], \"mu\": 0, "
                    "\"id\": \"18446744073709551615\"}]}");
    const TactContact *contact = file->problem.contacts;
    assert_int_equal(tact_scratch_warnings(), 0);
    assert_string_equal(file->title, "a belt");
    assert_true(contact[0].bias == -0.5 && contact[0].compliance == 1e-3);
    assert_true(contact[0].surface[0] == 1 && contact[0].surface[1] == -2);
    assert_true(contact[0].turn == 0.125);
    assert_true(contact[0].id == 9007199254740993u); // not a double
    assert_true(contact[1].id == UINT64_MAX);
    tact_contact_file_destroy(file);
}

static void rows_of_bodies_are_read(void **state)
{
    (void)state;
    TactContactFile *file =
        read_good(HEAD BODIES "\"contacts\": [], \"rows\": [{\"kind\": \"bilateral\", \"a\": -1, "
                              "\"b\": 0, \"J_b\": [1, 2, 3, 4, 5, 6], \"target\": 0.5, "
                              "\"error\": 0.25, \"zeta\": 0.125},"
                              "{\"kind\": \"unilateral\", \"a\": 0, \"b\": -1, "
                              "\"J_a\": [6, 5, 4, 3, 2, 1]},"
                              "{\"kind\": \"motor\", \"a\": 0, \"b\": -1, "
                              "\"J_a\": [0, 0, 0, 0, 0, 1], \"force_max\": 7, \"id\": "
                              "\"18446744073709551615\"}]}");
    const TactContactRow *row = file->problem.rows;
    assert_int_equal(file->problem.row_count, 3);
    assert_int_equal(row[0].kind, TACT_ROW_BILATERAL);
    assert_int_equal(row[1].kind, TACT_ROW_UNILATERAL);
    assert_int_equal(row[2].kind, TACT_ROW_MOTOR);
    expect_reals(row[0].J_b, 6, (double[]){1, 2, 3, 4, 5, 6});
    expect_reals(row[1].J_a, 6, (double[]){6, 5, 4, 3, 2, 1});
    assert_true(row[0].target == 0.5 && row[0].error == 0.25 && row[0].zeta == 0.125);
    assert_true(row[2].force_max == 7);
    assert_true(row[0].id == 0 && row[2].id == UINT64_MAX);
    tact_contact_file_destroy(file);
}

static void a_mechanism_is_read(void **state)
{
    (void)state;
    TactContactFile *file =
        read_good(HEAD "\"M\": [[2, 1], [1, 3]], \"v\": [4, 5], \"tau\": [6, 7], "
                       "\"parent\": [-1, 0], \"contacts\": [{\"J\": [[1, 2], [3, 4], [5, 6]], "
                       "\"mu\": 0.5, \"point\": [0, 0, 0]}],"
                       "\"rows\": [{\"kind\": \"bilateral\", \"J\": [8, 9]}]}");
    const TactContactProblem *problem = &file->problem;
    assert_int_equal(tact_scratch_warnings(), 0);
    assert_string_equal(file->format, "tact JSON, mechanism");
    assert_int_equal(problem->nv, 2);
    expect_reals(problem->M, 4, (double[]){2, 1, 1, 3});
    expect_reals(problem->v, 2, (double[]){4, 5});
    expect_reals(problem->tau, 2, (double[]){6, 7});
    assert_int_equal(problem->parent[0], -1);
    assert_int_equal(problem->parent[1], 0);
    expect_reals(problem->contacts[0].J, 6, (double[]){1, 2, 3, 4, 5, 6});
    expect_reals(problem->rows[0].J, 2, (double[]){8, 9});
    tact_contact_file_destroy(file);
}

static void a_delassus_matrix_is_read(void **state)
{
    (void)state;
    TactContactFile *file =
        read_good(HEAD "\"W\": [[2, 0, 1], [0, 3, 0], [1, 0, 4]], "
                       "\"u_free\": [-1, 0.5, 0], \"contacts\": [{\"mu\": 1}]}");
    assert_string_equal(file->format, "tact JSON, Delassus matrix");
    expect_reals(file->problem.W, 9, (double[]){2, 0, 1, 0, 3, 0, 1, 0, 4});
    expect_reals(file->problem.u_free, 3, (double[]){-1, 0.5, 0});
    tact_contact_file_destroy(file);
}

static void the_level_of_accelerations_needs_no_step(void **state)
{
    (void)state;
    TactContactFile *file =
        read_good("{\"format\": \"tact-contact/1\", \"level\": \"acceleration\",\n" BODIES
                  "\"contacts\": [" CONTACT "]}");
    assert_int_equal(file->problem.level, TACT_LEVEL_ACCELERATION);
    tact_contact_file_destroy(file);
}

static void a_byte_order_mark_and_white_space_do_not_matter(void **state)
{
    (void)state;
    TactContactFile *file =
        read_good("\xef\xbb\xbf\n\t" HEAD BODIES "\"contacts\": [" CONTACT "]}\n\n");
    assert_int_equal(file->problem.contact_count, 1);
    tact_contact_file_destroy(file);
}

static void unknown_fields_are_told_with_their_place(void **state)
{
    (void)state;
    TactContactFile *file = read_good(
        HEAD "\"gravity\": 9.81, " BODIES "\"contacts\": [" CONTACT ",\n"
             "{\"a\": -1, \"b\": 0, \"point\": [0, 0, 0], \"normal\": [0, 0, 1], \"mu\": 0.3, "
             "\"frictoin\": 1}, {\"a\": -1, \"b\": 0, \"point\": [0, 0, 0], "
             "\"normal\": [0, 0, 1], \"mu\": 0.3, \"frictoin\": 1, \"J\": []}]}");
    assert_true(tact_scratch_heard("p.json: gravity is not known and ignored\n"));
    assert_true(tact_scratch_heard(
        "p.json: contacts[1].frictoin is not known and ignored (here and in 1 more places)"));
    assert_true(tact_scratch_heard("p.json: contacts[2].J is not known and ignored"));
    assert_int_equal(tact_scratch_warnings(), 3);
    tact_contact_file_destroy(file);
}

static void a_thousand_unknown_fields_are_not_a_thousand_warnings(void **state)
{
    (void)state;
    char  *text = calloc(40000, 1);
    size_t used = (size_t)snprintf(text, 40000, HEAD BODIES "\"contacts\": []");
    for (int i = 0; i < 1000; i++) {
        used += (size_t)snprintf(text + used, 40000 - used, ", \"field %d\": 0", i);
    }
    snprintf(text + used, 40000 - used, "}");
    TactContactFile *file = read_good(text);
    assert_true(tact_scratch_warnings() <= 17);
    assert_true(tact_scratch_heard("more fields are not known"));
    tact_contact_file_destroy(file);
    free(text);
}

// ---------------------------------------------------------------------------------------------
// Bad files

static void what_is_not_json_is_refused_with_line_and_column(void **state)
{
    (void)state;
    expect_bad("{\"format\": \"tact-contact/1\",\n \"step\": 0.001,,}", "p.json:2:16: ");
    expect_bad("{\n\n\"format\" 1}", "p.json:3:");
    expect_bad("{", "p.json:1:2: "); // behind it, where something should stand
    expect_bad(HEAD BODIES "\"contacts\": [" CONTACT "]} 1", "end of file expected");
    expect_bad("{\"format\": \"tact-contact/1\", \"step\": NaN}", "p.json:1:");
    expect_bad("{\"format\": \"tact-contact/1\", \"step\": 1e999}", "overflow");
    expect_bad("{\"format\": \"tact-contact/1\", \"step\": 1, \"step\": 2}", "duplicate");
    expect_bad("{\"format\": \"\xff\"}", "p.json:1:");
}

static void deep_nesting_is_refused(void **state)
{
    (void)state;
    enum { DEPTH = 100000 };
    char  *text = malloc(DEPTH + 32);
    size_t used = (size_t)snprintf(text, 32, "{\"format\": ");
    memset(text + used, '[', DEPTH);
    text[used + DEPTH] = '\0';
    expect_bad(text, "nested too deeply");
    free(text);
}

static void another_format_is_refused(void **state)
{
    (void)state;
    expect_bad("{}", "p.json: format: is missing");
    expect_bad("{\"format\": 1}", "format: is a number, not one of \"tact-contact/1\"");
    expect_bad("{\"format\": \"tact-contact/2\"}", "format: is \"tact-contact/2\"");
}

static void missing_fields_are_named(void **state)
{
    (void)state;
    expect_bad("{\"format\": \"tact-contact/1\"}", "step: is missing");
    expect_bad(HEAD "\"contacts\": []}", "needs exactly one of bodies, M and W");
    expect_bad(HEAD "\"bodies\": []}", "contacts: is missing");
    expect_bad(HEAD "\"bodies\": [{\"mass\": 1}], \"contacts\": []}",
               "bodies[0].inertia: is missing");
    expect_bad(HEAD BODIES "\"contacts\": [" CONTACT ", {\"a\": -1, \"b\": 0}]}",
               "contacts[1].point: is missing");
    expect_bad(HEAD BODIES "\"contacts\": [{\"a\": -1, \"b\": 0, \"point\": [0, 0, 0], "
                           "\"normal\": [0, 0, 1]}]}",
               "contacts[0].mu: is missing");
    expect_bad(HEAD "\"M\": [[1]], \"contacts\": []}", "v: is missing");
    expect_bad(HEAD "\"M\": [[1]], \"v\": [0], \"tau\": [0], \"contacts\": [{\"mu\": 1}]}",
               "contacts[0].J: is missing");
    expect_bad(HEAD "\"W\": [], \"contacts\": []}", "u_free: is missing");
    expect_bad(HEAD BODIES "\"contacts\": [], \"rows\": [{\"a\": 0, \"b\": -1}]}",
               "rows[0].kind: is missing");
    expect_bad(HEAD BODIES "\"contacts\": [], \"rows\": [{\"kind\": \"bilateral\", \"a\": 0, "
                           "\"b\": -1}]}",
               "rows[0].J_a: is missing");
    expect_bad(HEAD BODIES "\"contacts\": [], \"rows\": [{\"kind\": \"motor\", \"a\": 0, "
                           "\"b\": -1, \"J_a\": [1, 0, 0, 0, 0, 0]}]}",
               "rows[0]: a motor needs force_max");
}

static void wrong_sizes_are_named(void **state)
{
    (void)state;
    expect_bad(HEAD "\"bodies\": [{\"mass\": 1, \"inertia\": [1, 2, 3]}], \"contacts\": []}",
               "bodies[0].inertia: has 3 elements, not 6");
    expect_bad(HEAD "\"M\": [[1, 0], [0]], \"v\": [0, 0], \"tau\": [0, 0], \"contacts\": []}",
               "M[1]: has 1 element, not 2");
    expect_bad(HEAD "\"M\": [[1]], \"v\": [0, 0], \"tau\": [0], \"contacts\": []}",
               "v: has 2 elements, not 1");
    expect_bad(HEAD "\"M\": [[1]], \"v\": [0], \"tau\": [0], \"parent\": [], \"contacts\": []}",
               "parent: has 0 elements, not 1");
    expect_bad(HEAD "\"M\": [[1]], \"v\": [0], \"tau\": [0], \"contacts\": [{\"mu\": 1, "
                    "\"J\": [[1], [2]]}]}",
               "contacts[0].J: has 2 elements, not 3");
    expect_bad(HEAD "\"W\": [[1]], \"u_free\": [0], \"contacts\": [{\"mu\": 1}]}",
               "W: has 1 element, not 3");
    expect_bad(HEAD "\"W\": [], \"u_free\": [], \"contacts\": [], \"rows\": [1]}",
               "rows: a problem given by W cannot have rows");
}

static void wrong_kinds_are_named(void **state)
{
    (void)state;
    expect_bad(HEAD "\"bodies\": {}, \"contacts\": []}", "bodies: is an object, not an array");
    expect_bad(HEAD "\"bodies\": [1], \"contacts\": []}", "bodies[0]: is a number, not an object");
    expect_bad(HEAD "\"bodies\": [{\"mass\": \"1\"}], \"contacts\": []}",
               "bodies[0].mass: is a string, not a number");
    expect_bad(HEAD "\"bodies\": [{\"mass\": 1, \"inertia\": [1, 2, 3, 0, null, 0]}], "
                    "\"contacts\": []}",
               "bodies[0].inertia[4]: is null, not a number");
    expect_bad(HEAD BODIES "\"contacts\": [{\"a\": 0.5}]}",
               "contacts[0].a: is 0.5, not a whole number");
    expect_bad(HEAD BODIES "\"contacts\": [{\"a\": 1e10}]}", "contacts[0].a: is 10000000000");
    expect_bad(HEAD BODIES "\"contacts\": [{\"a\": 0, \"b\": -1, \"point\": [0, 0, 0], "
                           "\"normal\": [0, 0, 1], \"mu\": 1, \"id\": -1}]}",
               "contacts[0].id: is not a whole number");
    expect_bad(HEAD BODIES "\"contacts\": [{\"a\": 0, \"b\": -1, \"point\": [0, 0, 0], "
                           "\"normal\": [0, 0, 1], \"mu\": 1, \"id\": \"x\"}]}",
               "contacts[0].id: is \"x\"");
    expect_bad(HEAD BODIES "\"contacts\": [], \"rows\": [{\"kind\": \"hinge\", \"a\": 0, "
                           "\"b\": -1}]}",
               "rows[0].kind: is \"hinge\", not one of \"bilateral\", \"unilateral\", \"motor\"");
    expect_bad(HEAD "\"M\": [[1]], \"v\": [0], \"tau\": [0], \"parent\": [0], \"contacts\": []}",
               "parent[0]: is 0, not a whole number from -1 to -1");
    expect_bad(HEAD BODIES "\"name\": 5, \"contacts\": []}", "name: is not a string");
}

static void a_problem_that_is_none_is_refused_by_its_check(void **state)
{
    (void)state;
    expect_bad("{\"format\": \"tact-contact/1\", \"step\": -1}", "step: is -1, not positive");
    expect_bad(HEAD BODIES "\"contacts\": [{\"a\": -1, \"b\": 1, \"point\": [0, 0, 0], "
                           "\"normal\": [0, 0, 1], \"mu\": 1}]}",
               "p.json: contact 0: there is no body 1");
    expect_bad(HEAD BODIES "\"contacts\": [{\"a\": -1, \"b\": 0, \"point\": [0, 0, 0], "
                           "\"normal\": [0, 0, 2], \"mu\": 1}]}",
               "contact 0: its normal has length 2, not 1");
    expect_bad(HEAD BODIES "\"bodies\": [], \"contacts\": []}", "duplicate");
    expect_bad(HEAD BODIES "\"M\": [], \"contacts\": []}", "needs exactly one of");
}

static void what_a_file_says_is_printable(void **state)
{
    (void)state;
    TactContactFile *file = read_good(HEAD BODIES "\"contacts\": [], \"\\u001b[31m\": 1}");
    assert_true(tact_scratch_heard("p.json: ?[31m is not known"));
    tact_contact_file_destroy(file);
    expect_bad("{\"format\": \"\\u001b[31m\"}", "format: is \"?[31m\"");
}

static void an_lcp_is_not_a_contact_problem(void **state)
{
    (void)state;
    TactContactFile *file = NULL;
    assert_int_equal(read_string("1\n0\n1\n1\n1 1\n1\n-1\n", &file), TACT_UNSUPPORTED);
    tact_scratch_said("tact_lcp_read()");
    assert_int_equal(read_string("", &file), TACT_BAD_INPUT);
    tact_scratch_said("the file is empty");
    assert_int_equal(read_string("<mujoco/>", &file), TACT_BAD_INPUT);
    assert_int_equal(tact_contact_read("/nowhere/p.json", &file), TACT_IO_ERROR);
    tact_scratch_said("/nowhere/p.json");
    assert_int_equal(tact_contact_read(NULL, &file), TACT_BAD_ARGUMENT);
    assert_int_equal(tact_contact_read("p", NULL), TACT_BAD_ARGUMENT);
    assert_null(file);
    tact_contact_file_destroy(NULL);
}

static void without_jansson_a_file_is_refused_in_words(void **state)
{
    (void)state;
    TactContactFile *file = NULL;
    assert_int_equal(read_string(design, &file), TACT_UNSUPPORTED);
    tact_scratch_said("this tact was built without jansson");
    assert_null(file);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_example_of_the_design_is_read_whole),
        cmocka_unit_test(what_is_left_out_has_its_default),
        cmocka_unit_test(additions_to_a_contact_are_read),
        cmocka_unit_test(rows_of_bodies_are_read),
        cmocka_unit_test(a_mechanism_is_read),
        cmocka_unit_test(a_delassus_matrix_is_read),
        cmocka_unit_test(the_level_of_accelerations_needs_no_step),
        cmocka_unit_test(a_byte_order_mark_and_white_space_do_not_matter),
        cmocka_unit_test(unknown_fields_are_told_with_their_place),
        cmocka_unit_test(a_thousand_unknown_fields_are_not_a_thousand_warnings),
        cmocka_unit_test(what_is_not_json_is_refused_with_line_and_column),
        cmocka_unit_test(deep_nesting_is_refused),
        cmocka_unit_test(another_format_is_refused),
        cmocka_unit_test(missing_fields_are_named),
        cmocka_unit_test(wrong_sizes_are_named),
        cmocka_unit_test(wrong_kinds_are_named),
        cmocka_unit_test(a_problem_that_is_none_is_refused_by_its_check),
        cmocka_unit_test(what_a_file_says_is_printable),
        cmocka_unit_test(an_lcp_is_not_a_contact_problem),
    };
    const struct CMUnitTest without[] = {
        cmocka_unit_test(without_jansson_a_file_is_refused_in_words),
    };
    if (strstr(tact_version(), "jansson: no")) {
        return cmocka_run_group_tests(without, NULL, NULL);
    }
    return cmocka_run_group_tests(tests, tact_scratch_setup, tact_scratch_teardown);
}
