// Impulses beyond doubles: answers with a low part, judged by the certificate in quadruple
// precision and by the oracle in exact rationals.
#include <math.h>

#include "base/clones.h" // TACT_SANITIZED
#include "nasty.h"
#include "oracle/contact_proof.h"
#include "scenes.h"

static const double TOL = 1e-8;

// Of small problems.
#ifdef TACT_SANITIZED
enum { SMALL_FROM = 1000000000, COMPARED = 40 };
#else
enum { SMALL_FROM = 1000000000, COMPARED = 120 };
#endif

typedef struct Answer {
    double             impulse[NASTY_SIDE], row_impulse[NASTY_ROWS], velocity[NASTY_DOF];
    double             low[NASTY_SIDE + NASTY_ROWS];
    TactContactReport  report;
    TactContactAnswer  view;
    TactContactOutcome outcome;
} Answer;

static void solve_nasty(const Nasty *nasty, TactContactCone cone, bool room, Answer *out)
{
    TactContactConfig   config = tact_contact_config_default(TACT_METHOD_LADDER);
    TactContactCapacity capacity = tact_contact_get_capacity(&nasty->problem);
    TactContactSolver  *solver = NULL;
    config.cone = cone;
    config.max_sweeps = 300;
    memset(out, 0, sizeof *out);
    for (int i = 0; i < NASTY_SIDE + NASTY_ROWS; i++) {
        out->low[i] = 1e300; // all of it is written
    }
    out->view = (TactContactAnswer){.impulse = out->impulse,
                                    .row_impulse = out->row_impulse,
                                    .velocity = out->velocity,
                                    .low = room ? out->low : NULL};
    assert_int_equal(tact_contact_solver_create(&capacity, &config, &solver), TACT_OK);
    assert_int_equal(tact_contact_solve(solver, &nasty->problem, &out->view, &out->report),
                     TACT_OK);
    tact_contact_solver_destroy(solver);
}

static double error_of(const Nasty *nasty, TactContactCone cone, const Answer *answer)
{
    TactContactCertificate certificate;
    assert_int_equal(
        tact_contact_certify_answer(&nasty->problem, cone, &answer->view, &certificate), TACT_OK);
    return certificate.error;
}

/// Bodies of 5e-9 to 1e8 kg hold each other with 1e10 to 1e13 times what moves them (2238: by W).
/// Rounded to doubles such impulses leave their cones, or their bodies, by more than the tolerance.
static void answers_that_doubles_do_not_hold_are_found_with_a_low_part(void **state)
{
    (void)state;
#ifdef TACT_SANITIZED // the quick ones
    static const uint64_t seeds[] = {2238, 2520};
#else
    static const uint64_t seeds[] = {2238, 2520, 750, 1457, 1670, 2972};
#endif
    static Nasty        nasty;
    static Answer       plain, fine;
    static ContactFacts facts;
    for (size_t k = 0; k < sizeof seeds / sizeof *seeds; k++) {
        nasty_make(seeds[k], &nasty);
        int n = 3 * nasty.problem.contact_count + nasty.problem.row_count;
        solve_nasty(&nasty, TACT_CONE_PYRAMID, false, &plain);
        assert_int_not_equal(plain.report.outcome, TACT_OUTCOME_SOLVED);
        solve_nasty(&nasty, TACT_CONE_PYRAMID, true, &fine);
        assert_int_equal(fine.report.outcome, TACT_OUTCOME_SOLVED);
        assert_true(error_of(&nasty, TACT_CONE_PYRAMID, &fine) <= TOL);
        for (int i = 0; i < n; i++) { // a low part is what rounding took
            double p = i < 3 * nasty.problem.contact_count
                           ? fine.impulse[i]
                           : fine.row_impulse[i - 3 * nasty.problem.contact_count];
            assert_true(fabs(fine.low[i]) <= 0x1p-53 * fabs(p));
        }

        ContactAnswer answer = {fine.impulse, fine.row_impulse, fine.velocity, fine.low};
        assert_true(contact_answer_has_low(&nasty.problem, &answer));
        assert_false(contact_facts(&nasty.problem, &answer, &facts)); // exact only
        assert_true(contact_facts_exact(&nasty.problem, &answer, &facts));
        ContactProof proof = contact_proof(&nasty.problem, TACT_CONE_PYRAMID, &answer, &facts, TOL);
        print_message("%d: error %.1e, %.1e of a bound (%s)\n", (int)seeds[k],
                      fine.report.certificate.error, proof.worst, contact_proof_parts[proof.part]);
        assert_true(proof.worst <= 1);

        for (int i = 0; i < n; i++) {
            fine.low[i] = -fine.low[i];
        }
        assert_true(error_of(&nasty, TACT_CONE_PYRAMID, &fine) > TOL);
        assert_true(contact_facts_exact(&nasty.problem, &answer, &facts));
        assert_true(contact_proof(&nasty.problem, TACT_CONE_PYRAMID, &answer, &facts, TOL).worst >
                    1);
        memset(fine.low, 0, sizeof fine.low);
        assert_true(error_of(&nasty, TACT_CONE_PYRAMID, &fine) > TOL);
    }
}

/// Laws, dynamics and energy in quadruple precision say of an answer of doubles what they say in
/// doubles: a low part that is nothing beside the impulse changes no verdict.
static void both_certificates_judge_alike(void **state)
{
    (void)state;
    static Nasty  nasty;
    static Answer answer;
    int           compared[NASTY_FORMS] = {0}, refused = 0;
    for (uint64_t seed = SMALL_FROM; seed < SMALL_FROM + COMPARED; seed++) {
        nasty_make_small(seed, &nasty);
        for (int circle = 0; circle < 2 && nasty.truth != NASTY_NONE; circle++) {
            TactContactCone cone = circle ? TACT_CONE_CIRCLE : TACT_CONE_PYRAMID;
            solve_nasty(&nasty, cone, true, &answer);
            for (int spoilt = 0; spoilt < 2; spoilt++) {
                for (int i = 0; i < 3 * nasty.problem.contact_count && spoilt; i++) {
                    answer.impulse[i] *= 1 + 1e-3 * (i % 5 - 2);
                }
                memset(answer.low, 0, sizeof answer.low);
                double plain = error_of(&nasty, cone, &answer);
                for (int i = 0; i < 3 * nasty.problem.contact_count; i++) {
                    answer.low[i] = 1e-25 * answer.impulse[i];
                }
                double fine = error_of(&nasty, cone, &answer);
                // A wrong impulse has another motion, which only one of them asks for.
                assert_true(spoilt ? plain <= 1e-6 || fine > TOL
                                   : fabs(fine - plain) <= 1e-3 * plain + 1e-9);
                refused += plain > TOL && fine > TOL;
                compared[nasty.form]++;
            }
        }
    }
    print_message("compared: %d by bodies, %d by M, %d by W; %d refused by both\n", compared[0],
                  compared[1], compared[2], refused);
    for (int form = 0; form < NASTY_FORMS; form++) {
        assert_true(compared[form] > COMPARED / 6);
    }
    assert_true(refused > COMPARED / 2);
}

static void a_low_part_that_is_not_finite_is_refused(void **state)
{
    (void)state;
    static Nasty  nasty;
    static Answer answer;
    nasty_make(2520, &nasty);
    solve_nasty(&nasty, TACT_CONE_PYRAMID, true, &answer);
    answer.low[4] = NAN;
    assert_true(error_of(&nasty, TACT_CONE_PYRAMID, &answer) == HUGE_VAL);
    answer.low[4] = HUGE_VAL;
    assert_true(error_of(&nasty, TACT_CONE_PYRAMID, &answer) == HUGE_VAL);
}

/// Sharing leaves such an answer as it is: doubles would not hold another.
static void an_answer_with_a_low_part_is_not_shared(void **state)
{
    (void)state;
    static Nasty       nasty;
    static Answer      answer, before;
    TactContactSharing sharing;
    nasty_make(2520, &nasty);
    solve_nasty(&nasty, TACT_CONE_PYRAMID, true, &answer);
    before = answer;
    assert_int_equal(
        tact_contact_share(&nasty.problem, TACT_CONE_PYRAMID, TOL, &answer.view, &sharing),
        TACT_OK);
    assert_int_equal(sharing.outcome, TACT_SHARING_OUTCOME_KEPT);
    assert_memory_equal(before.impulse, answer.impulse, sizeof before.impulse);
    assert_memory_equal(before.low, answer.low, sizeof before.low);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(answers_that_doubles_do_not_hold_are_found_with_a_low_part),
        cmocka_unit_test(both_certificates_judge_alike),
        cmocka_unit_test(a_low_part_that_is_not_finite_is_refused),
        cmocka_unit_test(an_answer_with_a_low_part_is_not_shared),
    };
    return cmocka_run_group_tests_name("contact/low", tests, NULL, NULL);
}
