// Every method on problems made to be hard and on those of the families: what is called solved is
// checked by an oracle in double-double, and in exact rationals where it comes near a bound.
//
//     test_contact_proof                        a few seconds
//     test_contact_proof COUNT FILE [FOLDER [small]]
//                                               the next COUNT numbers (of small problems), figures
//                                               added to FILE (bench/results/proof.csv), what is
//                                               wrong or missed by the ladder written to FOLDER as
//                                               JSON
//     test_contact_proof 0 FILE                 adds up what the file has
#include <math.h>

#include "base/clones.h" // TACT_SANITIZED
#include "nasty.h"
#include "proof_run.h"
#include "scenes.h"

#ifdef TACT_SANITIZED // what is wrong is asked there, not how many there are
enum { QUICK = 40 };
#else
enum { QUICK = 120 };
#endif

static void no_answer_called_solved_is_wrong(void **state)
{
    (void)state;
    static ProofCount counted;
    proof_run(1, QUICK, NULL, &counted);
    proof_print(&counted);
    ProofTally sum = proof_sum(&counted);
    assert_true(sum.answers > 8 * QUICK);
    assert_true(sum.exact > 0);
    assert_true(sum.ratio > 1e-3); // bounds that nothing comes near would show nothing
    assert_int_equal(sum.wrong, 0);
    for (int source = 0; source < 2; source++) { // planted, free: the ladder
        for (int run = 0; run < 2; run++) {
            const ProofTally *tally = &counted.tally[source][run];
            assert_true(tally->missed <= 1 + tally->answerable / 100);
        }
    }
}

static void a_planted_answer_is_accepted_by_the_oracle(void **state)
{
    (void)state;
    static Nasty        nasty;
    static ContactFacts facts;
    int                 planted = 0, accepted = 0;
    for (uint64_t seed = 1; seed <= 400; seed++) {
        nasty_make(seed, &nasty);
        assert_int_equal(tact_contact_check(&nasty.problem), TACT_OK);
        if (nasty.truth != NASTY_PLANTED) {
            continue;
        }
        ContactAnswer answer = {nasty.impulse, nasty.row_impulse, nasty.velocity, NULL};
        assert_true(contact_facts(&nasty.problem, &answer, &facts));
        ContactProof proof = contact_proof(&nasty.problem, TACT_CONE_CIRCLE, &answer, &facts, 1e-8);
        planted++;
        accepted += proof.worst <= 1;
    }
    print_message("%d of %d planted answers accepted\n", accepted, planted);
    assert_true(planted > 100);
    assert_true(accepted >= planted - planted / 50); // forces are rounded
}

/// An impulse that carries a body is wrong by 1e-3 of itself, with the motion as it was.
static void an_impulse_that_is_wrong_is_contradicted(void **state)
{
    (void)state;
    static Nasty        nasty;
    static ContactFacts facts;
    int                 tried = 0, contradicted = 0;
    for (uint64_t seed = 1; seed <= 400; seed++) {
        nasty_make(seed, &nasty);
        int most = 0;
        for (int i = 0; i < nasty.problem.contact_count; i++) {
            most = nasty.impulse[3 * i] > nasty.impulse[3 * most] ? i : most;
        }
        if (nasty.truth != NASTY_PLANTED || nasty.impulse[3 * most] == 0) {
            continue;
        }
        nasty.impulse[3 * most] *= 1 + 1e-3;
        ContactAnswer answer = {nasty.impulse, nasty.row_impulse, nasty.velocity, NULL};
        assert_true(contact_facts(&nasty.problem, &answer, &facts));
        tried++;
        contradicted +=
            contact_proof(&nasty.problem, TACT_CONE_CIRCLE, &answer, &facts, 1e-8).worst > 1;
    }
    print_message("%d of %d answers with a wrong impulse contradicted\n", contradicted, tried);
    assert_true(tried > 100);
    assert_int_equal(contradicted, tried);
}

/// Two walls that each ask for 3.1 m/s of room on a slim body, beside a motor that alone would turn
/// it at 27,000 m/s: impulses that hold each other are no excuse for 2.6 m/s.
static void walls_that_contradict_each_other_beside_a_motor_are_refused(void **state)
{
    (void)state;
    static Nasty nasty;
    Run          runs[MAX_RUNS];
    int          run_count = runs_list(runs);
    RunAnswer    memory = {0};
    nasty_make(9884, &nasty);
    TactContact *walls = nasty.contacts + nasty.problem.contact_count - 2;
    assert_true(walls[0].bias < 0 && walls[0].bias == walls[1].bias);
    assert_true(walls[0].normal[0] == -walls[1].normal[0]);
    walls[0].bias = walls[1].bias = -3.1;
    for (int r = 0; r < run_count; r++) {
        RunSolver          own = {0};
        TactContactReport  report;
        TactContactSolver *solver = runs_solver(&own, &runs[r], &nasty.problem);
        TactContactAnswer  answer = runs_answer(&memory, &nasty.problem);
        assert_non_null(solver);
        assert_int_equal(tact_contact_solve(solver, &nasty.problem, &answer, &report), TACT_OK);
        assert_int_not_equal(report.outcome, TACT_OUTCOME_SOLVED);
        tact_contact_solver_destroy(solver);
    }
    free(memory.block);
}

/// Small problems, most of them with sizes that are not far apart: what the long runs look at.
static void no_answer_of_a_small_problem_called_solved_is_wrong(void **state)
{
    (void)state;
    static ProofCount counted;
    proof_run(PROOF_SMALL, 2 * QUICK, NULL, &counted);
    ProofTally sum = proof_sum(&counted);
    assert_true(sum.answers > 24 * QUICK);
    assert_true(sum.solved > sum.answers * 4 / 5);
    assert_int_equal(sum.wrong, 0);
}

static void assert_same(Dd x, Dd exact, double size)
{
    assert_true(fabs(dd_value(dd_subtract(x, exact))) <= 1e-24 * size);
}

static void double_doubles_agree_with_exact_rationals(void **state)
{
    (void)state;
    static Nasty        nasty;
    static ContactFacts facts, exact;
    for (uint64_t seed = 1; seed <= 60; seed++) {
        nasty_make(seed, &nasty);
        const TactContactProblem *problem = &nasty.problem;
        ContactAnswer             answer = {nasty.impulse, nasty.row_impulse, nasty.velocity, NULL};
        double                    v = 0, p = 0, reach = 0;
        assert_true(contact_facts(problem, &answer, &facts));
        assert_true(contact_facts_exact(problem, &answer, &exact));
        for (int k = 0; k < NASTY_DOF; k++) {
            v = fmax(v, fabs(nasty.velocity[k]));
        }
        for (int i = 0; i < NASTY_SIDE; i++) {
            p = fmax(p, fabs(nasty.impulse[i]));
        }
        for (int k = 0; k < nasty.problem.contact_count; k++) {
            for (int c = 0; c < 3; c++) {
                reach = fmax(reach, fabs(nasty.contacts[k].point[c]));
            }
        }
        double W = 1, free = 0;
        for (int i = 0; problem->W && i < 3 * problem->contact_count; i++) {
            W = fmax(W, fabs(problem->W[i * (3 * problem->contact_count + 1)]));
            free = fmax(free, fabs(problem->u_free[i]));
        }
        double size = v * (1 + 2 * reach) + 1e3 + free + (problem->W ? W * p : 0);
        for (int i = 0; i < 3 * problem->contact_count; i++) {
            assert_same(facts.u[i], exact.u[i], 100 * size);
        }
    }
}

static int run_long(long count, const char *path, const char *folder, bool small)
{
    static ProofCount counted;
    long              first = proof_next(path, small);
    if (count > 0) {
        proof_run(first, count, folder, &counted);
    }
    bool done = count > 0 ? proof_write(path, first, count, &counted) : proof_read(path, &counted);
    if (!done) {
        fprintf(stderr, "%s cannot be %s\n", path, count > 0 ? "written" : "read");
        return 2;
    }
    proof_print(&counted);
    ProofTally sum = proof_sum(&counted);
    printf("up to numbers %ld and %ld: %ld answers, %ld solved, %ld wrong, %ld checked exactly\n",
           proof_next(path, false) - 1, proof_next(path, true) - 1, sum.answers, sum.solved,
           sum.wrong, sum.exact);
    return sum.wrong > 0;
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(double_doubles_agree_with_exact_rationals),
        cmocka_unit_test(a_planted_answer_is_accepted_by_the_oracle),
        cmocka_unit_test(an_impulse_that_is_wrong_is_contradicted),
        cmocka_unit_test(walls_that_contradict_each_other_beside_a_motor_are_refused),
        cmocka_unit_test(no_answer_called_solved_is_wrong),
        cmocka_unit_test(no_answer_of_a_small_problem_called_solved_is_wrong),
    };
    if (argc >= 3) {
        return run_long(strtol(argv[1], NULL, 10), argv[2], argc > 3 ? argv[3] : NULL, argc > 4);
    }
    return cmocka_run_group_tests_name("contact/proof", tests, NULL, NULL);
}
