// The program proves and judges: `tact solve --prove`, `--certify ANSWER.json`, `tact run --prove`.
// Exact solutions are read from its JSON and held against the law by code that shares nothing with
// it.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/json.h"
#include "cli/program.h"
#include "contact/nasty.h"
#include "io/scratch.h"
#include "prove/exact_law.h"

#define SLOPE "'" TACT_SOURCE_DIR "/examples/slope.json' "
#define TWO "'" TACT_SOURCE_DIR "/examples/two.dat' "

static double number(const char *path)
{
    return tact_json_number(tact_program_out, path);
}

static bool is(const char *path, const char *word)
{
    return tact_json_is(tact_program_out, path, word);
}

static bool is_true(const char *path)
{
    const char *value = tact_json_find(tact_program_out, path);
    return value && strncmp(value, "true", 4) == 0;
}

/// The string at a path as a rational.
static void read_rational(const char *path, mpq_t x)
{
    const char *value = tact_json_find(tact_program_out, path);
    assert_non_null(value);
    assert_int_equal(*value, '"');
    size_t length = strcspn(value + 1, "\"");
    char  *text = test_malloc(length + 1);
    memcpy(text, value + 1, length);
    text[length] = '\0';
    assert_int_equal(mpq_set_str(x, text, 10), 0);
    test_free(text);
}

static int setup(void **state)
{
    if (tact_scratch_setup(state) != 0) {
        return -1;
    }
    tact_scratch_write("right.json", "{\"z\": [1.3333333333333333, 2.3333333333333335]}");
    tact_scratch_write("wrong.json", "{\"z\": [1.3333, 2.3333]}");
    tact_scratch_write("short.json", "{\"z\": [1]}");
    tact_scratch_write("words.json", "{\"z\": [1, \"two\"]}");
    tact_scratch_write("broken.json", "{\"z\": [1,\n 2");
    tact_scratch_write("array.json", "[1, 2]");
    tact_scratch_write(
        "soft.json",
        "{\"format\": \"tact-contact/1\", \"step\": 0.001, \"bodies\": [{\"mass\": 1, "
        "\"inertia\": [1, 1, 1, 0, 0, 0], \"position\": [0, 0, 0.1], \"force\": [0, 0, "
        "-9.81]}], \"contacts\": [{\"a\": -1, \"b\": 0, \"point\": [0, 0, 0], "
        "\"normal\": [0, 0, 1], \"mu\": 0.5, \"mu_spin\": 0.01}]}");
    tact_scratch_write("soft.xml",
                       "<mujoco><worldbody><geom type='plane' size='1 1 1'/><body pos='0 0 0.05'>"
                       "<freejoint/><geom type='sphere' size='0.05' condim='4'/></body></worldbody>"
                       "</mujoco>");
    return 0;
}

// ---------------------------------------------------------------------------------------------
// --prove

static void ranges_of_a_proof_are_exact(void **state)
{
    (void)state;
    mpq_t least, most;
    mpq_inits(least, most, NULL);
    tact_program_expect(0, "solve " SLOPE "--cone pyramid --prove --range --json");
    assert_true(is_true("results.0.ranges.0.proved") && is_true("results.0.ranges.0.exact"));
    // The two upper corners may be bare, and carry what the other one does not: the sum stays.
    for (int i = 0; i < 2; i++) {
        char path[64];
        snprintf(path, sizeof path, "results.0.proof.exact.least.%d", 3 * i);
        read_rational(path, least);
        assert_int_equal(mpq_sgn(least), 0);
        snprintf(path, sizeof path, "results.0.proof.exact.most.%d", 3 * i);
        read_rational(path, most);
        snprintf(path, sizeof path, "results.0.ranges.%d.most", i);
        double step = number("step"), shown = number(path);
        assert_true(fabs(mpq_get_d(most) / step - shown) <= 1e-12 * shown);
        assert_true(shown > 3.77 && shown < 3.771);
    }
    tact_program_expect(0, "solve " SLOPE "--cone circle --prove --range --json");
    assert_false(is_true("results.0.ranges.0.proved"));
    mpq_clears(least, most, NULL);
}

static void an_lcp_is_proved_with_its_solution_in_rationals(void **state)
{
    (void)state;
    mpq_t x;
    mpq_init(x);
    tact_program_expect(0, "solve " TWO "--prove --json");
    assert_true(tact_json_is_valid(tact_program_out));
    assert_true(is("results.0.outcome", "proved") && is("results.0.proof.kind", "rational"));
    assert_true(is_true("results.0.proof.proved") && is_true("results.0.proof.unique"));
    assert_int_equal(tact_json_count(tact_program_out, "results.0.proof.blocked_by"), 0);
    assert_true(number("results.0.proof.radius") < 1e-15);
    // 2 z0 + z1 = 5, z0 + 2 z1 = 6.
    read_rational("results.0.proof.exact.z.0", x);
    assert_int_equal(mpq_cmp_si(x, 4, 3), 0);
    read_rational("results.0.proof.exact.z.1", x);
    assert_int_equal(mpq_cmp_si(x, 7, 3), 0);
    mpq_clear(x);
}

static void without_prove_there_is_no_proof_and_the_outcome_is_solved(void **state)
{
    (void)state;
    tact_program_expect(0, "solve " TWO "--json");
    assert_true(is("results.0.outcome", "solved"));
    assert_null(tact_json_find(tact_program_out, "results.0.proof"));
}

/// The slope of examples/, by hand: what exact_law.h needs of it is read by tact's reader of files.
static void the_exact_forces_of_the_slope_obey_the_law_by_a_second_program(void **state)
{
    (void)state;
    TactLcpFile     *lcp = NULL;
    TactContactFile *file = NULL;
    LawAnswer       *answer = test_malloc(sizeof *answer);
    assert_int_equal(tact_problem_read(TACT_SOURCE_DIR "/examples/slope.json", &lcp, &file),
                     TACT_OK);
    const TactContactProblem *problem = &file->problem;
    tact_program_expect(0, "solve " SLOPE "--prove --json");
    assert_true(is("results.0.outcome", "proved"));
    law_init(answer);
    for (int i = 0; i < 3 * problem->contact_count; i++) {
        char path[80];
        snprintf(path, sizeof path, "results.0.proof.exact.impulse.%d", i);
        read_rational(path, answer->p[i / 3][i % 3]);
    }
    for (int i = 0; i < 6 * problem->body_count; i++) {
        char path[80];
        snprintf(path, sizeof path, "results.0.proof.exact.velocity.%d", i);
        read_rational(path, answer->v[i]);
    }
    for (int i = 0; i < 9 * problem->contact_count; i++) {
        char path[80];
        snprintf(path, sizeof path, "results.0.proof.frames.%d.%d", i / 9, i % 9);
        answer->frame[i / 9][i / 3 % 3][i % 3] = number(path);
    }
    for (int i = 0; i < problem->contact_count; i++) {
        // The frames are orthonormal, and the normals are those of the file.
        for (int a = 0; a < 9; a++) {
            const double *x = answer->frame[i][a / 3], *y = answer->frame[i][a % 3];
            double        dot = x[0] * y[0] + x[1] * y[1] + x[2] * y[2];
            assert_true(fabs(dot - (a % 4 == 0 ? 1 : 0)) < 1e-15);
        }
        assert_true(fabs(answer->frame[i][0][0] - problem->contacts[i].normal[0]) < 1e-15);
        assert_true(fabs(answer->frame[i][0][2] - problem->contacts[i].normal[2]) < 1e-15);
    }
    assert_true(law_holds(problem, answer));
    // A forged proof is found out: the last bit of one impulse.
    mpq_t bit;
    mpq_init(bit);
    mpq_set_d(bit, 0x1p-60);
    mpq_add(answer->p[0][0], answer->p[0][0], bit);
    assert_false(law_holds(problem, answer));
    mpq_clear(bit);
    law_clear(answer);
    test_free(answer);
    tact_contact_file_destroy(file);
}

static void the_circle_is_proved_by_intervals(void **state)
{
    (void)state;
    tact_program_expect(0, "solve " SLOPE "--prove --cone circle --json");
    assert_true(is("results.0.outcome", "proved") && is("results.0.proof.kind", "interval"));
    assert_int_equal(tact_json_count(tact_program_out, "results.0.proof.enclosure.impulse"), 12);
    assert_true(number("results.0.proof.enclosure.impulse.0.0") <=
                number("results.0.proof.enclosure.impulse.0.1"));
    tact_program_expect(0, "solve " SLOPE "--prove --cone circle");
    tact_program_words(tact_program_out, "Proved (interval");
}

static void a_run_counts_its_proofs(void **state)
{
    (void)state;
    tact_program_expect(0, "run '" TACT_SOURCE_DIR "/scenes/slope.xml' --time 0.02 --prove --json");
    assert_true(number("solves.proved") == number("proofs.total"));
    assert_true(number("proofs.total") == 10);
    tact_program_expect(0, "run '" TACT_SOURCE_DIR "/scenes/slope.xml' --time 0.02 --prove");
    tact_program_words(tact_program_out, "proofs");
    tact_program_expect(0, "run '" TACT_SOURCE_DIR "/scenes/slope.xml' --time 0.02 --json");
    assert_null(tact_json_find(tact_program_out, "solves.proved"));
}

/// A ball that resists spinning: proofs have its moments.
static void moments_are_proved(void **state)
{
    (void)state;
    tact_program_expect(0, "solve soft.json --cone pyramid --prove --json");
    assert_true(is("results.0.outcome", "proved"));
    assert_true(is("results.0.proof.exact.moment.0", "0"));
    tact_program_expect(0, "solve soft.json --cone circle --prove --json");
    assert_true(is("results.0.outcome", "proved"));
    assert_non_null(tact_json_find(tact_program_out, "results.0.proof.enclosure.moment.2"));
    tact_program_expect(0, "solve soft.json --cone pyramid --prove --range --json");
    assert_true(is_true("results.0.ranges.0.proved"));
    assert_true(is("results.0.proof.exact.moment_most.0", "0"));
    tact_program_expect(0, "solve soft.json --method ladder --share least --range");
    tact_program_expect(0, "run soft.xml --time 0.02 --prove --json");
    assert_true(number("proofs.total") == 10 && number("proofs.proved") == 10);
}

// ---------------------------------------------------------------------------------------------
// --certify

static void an_answer_from_outside_is_judged(void **state)
{
    (void)state;
    tact_program_expect(0, "solve " TWO "--certify right.json --json");
    assert_true(is("results.0.method", "given") && is("results.0.outcome", "solved"));
    tact_program_expect(0, "solve " TWO "--certify right.json --prove --json");
    assert_true(is("results.0.outcome", "proved"));
    tact_program_expect(1, "solve " TWO "--certify wrong.json --json");
    assert_true(is("results.0.outcome", "unverified"));
    tact_program_expect(1, "solve " TWO "--certify wrong.json --prove --json");
    assert_true(is("results.0.outcome", "unverified"));
    tact_program_words(tact_program_out, "not solved");
}

static void what_solve_printed_is_an_answer_and_a_changed_force_is_found(void **state)
{
    (void)state;
    tact_program_expect(0, "solve " SLOPE "--cone circle --json");
    char *printed = strdup(tact_program_out);
    tact_scratch_write("printed.json", printed);
    tact_program_expect(0, "solve " SLOPE "--certify printed.json --json");
    assert_true(is("results.0.outcome", "solved") && is("results.0.cone", "circle"));
    // The first force is made 1 N larger in its first digit.
    char *force = strstr(printed, "\"forces\": [[");
    assert_non_null(force);
    force += strlen("\"forces\": [[");
    *force = *force == '9' ? '8' : (char)(*force + 1);
    tact_scratch_write("changed.json", printed);
    free(printed);
    tact_program_expect(1, "solve " SLOPE "--certify changed.json --json");
    assert_true(is("results.0.outcome", "unverified"));
    assert_true(strlen(tact_json_find(tact_program_out, "results.0.why")) > 20);
}

/// low.json: number 1670 of tests/contact/nasty.h. Its impulses are beyond doubles, and are written
/// as they are read.
static void forces_beyond_doubles_are_printed_and_read(void **state)
{
    (void)state;
    static Nasty nasty;
    nasty_make(1670, &nasty);
    assert_int_equal(tact_contact_write(&nasty.problem, tact_scratch_path("low.json")), TACT_OK);
    tact_program_expect(0, "solve low.json --method ladder --cone pyramid --json");
    assert_int_equal(tact_json_count(tact_program_out, "results.0.forces_low"),
                     nasty.problem.contact_count);
    char *printed = strdup(tact_program_out);
    tact_scratch_write("printed.json", printed);
    tact_program_expect(0, "solve low.json --certify printed.json --json");
    assert_true(is("results.0.outcome", "solved"));
    // Without them it is none.
    char *low = strstr(printed, "\"forces_low\"");
    assert_non_null(low);
    low[1] = 'F';
    tact_scratch_write("changed.json", printed);
    free(printed);
    tact_program_expect(1, "solve low.json --certify changed.json --json");
    tact_program_expect(0, "solve " SLOPE "--json");
    assert_null(tact_json_find(tact_program_out, "results.0.forces_low"));
}

static void what_is_no_answer_is_refused_with_its_place(void **state)
{
    (void)state;
    static const TactProgramRefusal cases[] = {
        {"solve " TWO "--certify short.json", "\"z\" must be an array of 2 numbers"},
        {"solve " TWO "--certify words.json", "\"z\"[1] is not a number"},
        {"solve " TWO "--certify broken.json", "broken.json:2"},
        {"solve " TWO "--certify array.json", "must be a JSON object"},
        {"solve " TWO "--certify missing.json", "missing.json"},
        {"solve " SLOPE "--certify right.json", "\"forces\" must be an array of 4 forces"},
        {"solve " TWO "--certify right.json --method lemke", "--method does not go with it"},
        {"solve " TWO TWO "--certify right.json", "are for one problem"},
    };
    tact_program_refuses(sizeof cases / sizeof cases[0], cases);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ranges_of_a_proof_are_exact),
        cmocka_unit_test(an_lcp_is_proved_with_its_solution_in_rationals),
        cmocka_unit_test(without_prove_there_is_no_proof_and_the_outcome_is_solved),
        cmocka_unit_test(the_exact_forces_of_the_slope_obey_the_law_by_a_second_program),
        cmocka_unit_test(the_circle_is_proved_by_intervals),
        cmocka_unit_test(a_run_counts_its_proofs),
        cmocka_unit_test(moments_are_proved),
        cmocka_unit_test(an_answer_from_outside_is_judged),
        cmocka_unit_test(what_solve_printed_is_an_answer_and_a_changed_force_is_found),
        cmocka_unit_test(forces_beyond_doubles_are_printed_and_read),
        cmocka_unit_test(what_is_no_answer_is_refused_with_its_place),
    };
    return cmocka_run_group_tests(tests, setup, tact_program_teardown);
}
