// The GPU's kernels of mechanisms, lane by lane on a processor, against the processor's own solver
// and certificate.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "bench/gpu/mechanisms.h"
#include "tests/gpu/mechanism_lanes.h"

// After the standard headers
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

enum { COUNT = 12 };

static void make(TactMechanismKind kind, int contacts, int directions, TactBenchMechanisms *own)
{
    TactBenchMechanismCase what = {kind, contacts, directions, COUNT, -1, TACT_CONE_PYRAMID};
    assert_int_equal(tact_bench_mechanisms_create(TACT_DEVICE_CPU, &what, own), TACT_OK);
    tact_mechanism_mix_draw(kind, 3, 0, COUNT, 0, &own->drawn);
}

/// Certifies by the kernel's own certificate; how many are certified.
static int certify(TactBenchMechanisms *own)
{
    int certified = 0;
    for (int i = 0; i < COUNT; i++) {
        own->answers.error[i] =
            own->answers.pivots[i] < 0
                ? (double)INFINITY
                : mechanism_lanes_certify(&own->problems, own->own.directions, &own->answers, i);
        certified += own->answers.error[i] <= own->tol;
    }
    return certified;
}

/// Solved by lanes, certified by both certificates: the same error of each, none refused.
static void solve_and_check(MechanismLanesSolve *solve, TactMechanismKind kind, int contacts,
                            int directions)
{
    TactBenchMechanisms own;
    TactBenchCheck      check;
    make(kind, contacts, directions, &own);
    solve(&own.problems, directions, 0, 0, &own.answers);
    assert_int_equal(certify(&own), COUNT);
    assert_int_equal(tact_bench_mechanisms_check(&own, NULL, COUNT, &check), TACT_OK);
    assert_int_equal(check.refused, 0);
    assert_int_equal(check.same, COUNT); // with the processor's covering vector, its answer
    assert_true(check.difference < 1e-12);
    // From their own bases, then from these after a change.
    solve(&own.problems, directions, 0, 1, &own.answers);
    assert_int_equal(certify(&own), COUNT);
    for (int i = 0; i < COUNT; i++) {
        assert_int_equal(own.answers.pivots[i], 0);
    }
    tact_mechanism_mix_draw(kind, 3, 0, COUNT, 0.01, &own.drawn);
    solve(&own.problems, directions, 0, 1, &own.answers);
    assert_int_equal(certify(&own), COUNT);
    tact_bench_mechanisms_destroy(&own);
}

static void test_all_kinds_are_solved(void **state)
{
    (void)state;
    solve_and_check(mechanism_lanes_solve_8, TACT_MECHANISM_BIPED, 8, 8);
    solve_and_check(mechanism_lanes_solve_8, TACT_MECHANISM_CUBES, 8, 6);
    solve_and_check(mechanism_lanes_solve_16, TACT_MECHANISM_CUBES, 16, 8);
    solve_and_check(mechanism_lanes_solve_16_small, TACT_MECHANISM_CUBES, 16, 8);
    solve_and_check(mechanism_lanes_solve_16, TACT_MECHANISM_BIPED, 8, 16);
    solve_and_check(mechanism_lanes_solve_64, TACT_MECHANISM_WALKER, 16, 8);
    solve_and_check(mechanism_lanes_solve_64, TACT_MECHANISM_HANDS, 16, 8);
    solve_and_check(mechanism_lanes_solve_64, TACT_MECHANISM_BIPED, 8, 4);
}

/// Pivots of those that needed any, in the mean.
static double mean_pivots(const TactBenchMechanisms *own, int *count)
{
    double sum = 0;
    *count = 0;
    for (int i = 0; i < COUNT; i++) {
        int pivots = own->answers.pivots[i];
        sum += pivots > 0 ? pivots : 0;
        *count += pivots > 0;
    }
    return sum / (*count > 0 ? *count : 1);
}

/// Where the basis of the last step does not hold any more, a path resumes from it: it takes less
/// than half of the pivots of one from the beginning, and the answers are certified.
static void resume_after_change(MechanismLanesSolve *solve, TactMechanismKind kind, int contacts)
{
    TactBenchMechanisms own;
    int                 changed, all;
    make(kind, contacts, 8, &own);
    solve(&own.problems, 8, 0, 0, &own.answers);
    tact_mechanism_mix_draw(kind, 3, 0, COUNT, 0.1, &own.drawn);
    solve(&own.problems, 8, 0, 1, &own.answers);
    double resumed = mean_pivots(&own, &changed);
    assert_int_equal(certify(&own), COUNT);
    solve(&own.problems, 8, 0, 0, &own.answers);
    double begun = mean_pivots(&own, &all);
    print_message("  %s: %d of %d bases do not hold: %.3g pivots, %.3g from the beginning\n",
                  tact_mechanism_mix_name(kind), changed, COUNT, resumed, begun);
    assert_true(changed >= 2);
    assert_true(resumed < 0.5 * begun);
    tact_bench_mechanisms_destroy(&own);
}

static void test_paths_resume(void **state)
{
    (void)state;
    resume_after_change(mechanism_lanes_solve_8, TACT_MECHANISM_BIPED, 8);
    resume_after_change(mechanism_lanes_solve_8, TACT_MECHANISM_CUBES, 8);
    resume_after_change(mechanism_lanes_solve_16, TACT_MECHANISM_WALKER, 16);
    resume_after_change(mechanism_lanes_solve_16_small, TACT_MECHANISM_CUBES, 16);
    resume_after_change(mechanism_lanes_solve_64, TACT_MECHANISM_HANDS, 16);
}

/// Fewer contacts than there is room for, some without friction, and bias: as the processor says.
static void test_contacts_bias_and_limits(void **state)
{
    TactBenchMechanisms own;
    TactRandom          random = tact_random_seed(5);
    double              bias[8 * COUNT];
    int                 active[COUNT];
    (void)state;
    make(TACT_MECHANISM_BIPED, 8, 8, &own);
    for (int i = 0; i < COUNT; i++) {
        active[i] = i % 9;
        for (int c = 0; c < 8; c++) {
            bias[8 * i + c] = tact_random_uniform(&random, -0.2, 0.2);
            own.drawn.mu[8 * i + c] *= (i + c) % 3 == 0 ? 0 : 1;
        }
    }
    own.problems.bias = bias;
    own.problems.active = active;
    memset(own.answers.impulse, 1, sizeof(double) * 24 * COUNT); // nothing of it may stay
    mechanism_lanes_solve_8(&own.problems, 8, 0, 0, &own.answers);
    assert_int_equal(certify(&own), COUNT);
    for (int i = 0; i < COUNT; i++) {
        for (int r = 3 * active[i]; r < 24; r++) {
            assert_true(own.answers.impulse[24 * i + r] == 0);
        }
    }
    // The processor's certificate, through a batch of its own.
    TactContactBatchReport report;
    TactBodyAnswers        lanes = own.answers;
    double                 error[COUNT];
    memcpy(error, own.answers.error, sizeof error);
    assert_int_equal(tact_contact_batch_send_mechanisms(own.batch, &own.problems), TACT_OK);
    assert_int_equal(tact_contact_batch_solve(own.batch, false, &report), TACT_OK);
    assert_int_equal(report.first + report.retried, COUNT);
    assert_int_equal(tact_contact_batch_fetch(own.batch, 0, &lanes), TACT_OK);
    assert_int_equal(certify(&own), COUNT); // the processor's answers, by the lanes' certificate
    tact_bench_mechanisms_destroy(&own);
}

static void test_a_wrong_answer_is_refused(void **state)
{
    TactBenchMechanisms own;
    (void)state;
    make(TACT_MECHANISM_BIPED, 8, 8, &own);
    mechanism_lanes_solve_8(&own.problems, 8, 0, 0, &own.answers);
    assert_int_equal(certify(&own), COUNT);
    int loaded = 0;
    for (int i = 0; i < COUNT; i++) {
        int pushed = 0;
        for (int c = 0; c < 8; c++) {
            pushed |= own.answers.impulse[24 * i + 3 * c] > 0;
            own.answers.impulse[24 * i + 3 * c] *= 1 + 1e-5; // normal impulses, and nothing else
        }
        loaded += pushed;
    }
    assert_true(loaded >= COUNT - 1);
    assert_true(certify(&own) <= COUNT - loaded);
    own.answers.velocity[3] = NAN;
    assert_true(isinf(mechanism_lanes_certify(&own.problems, 8, &own.answers, 0)));
    tact_bench_mechanisms_destroy(&own);
}

/// A basis that is none leads to a path from the beginning, not to a wrong answer; an M that is
/// not positive definite has no answer, and the others have theirs.
static void test_nonsense_is_no_harm(void **state)
{
    TactBenchMechanisms own;
    TactRandom          random = tact_random_seed(11);
    (void)state;
    make(TACT_MECHANISM_BIPED, 8, 8, &own);
    for (int i = 0; i < 8 * COUNT; i++) {
        own.answers.basis[i] = (unsigned)(tact_random_next(&random) & 0x7ff);
    }
    mechanism_lanes_solve_8(&own.problems, 8, 0, 1, &own.answers);
    assert_int_equal(certify(&own), COUNT);
    own.drawn.M[0] = -1;
    own.drawn.mu[8] = NAN;
    mechanism_lanes_solve_8(&own.problems, 8, 0, 0, &own.answers);
    assert_int_equal(certify(&own), COUNT - 2);
    assert_true(!(own.answers.error[0] <= 1) && !(own.answers.error[1] <= 1));
    tact_bench_mechanisms_destroy(&own);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_all_kinds_are_solved),
        cmocka_unit_test(test_paths_resume),
        cmocka_unit_test(test_contacts_bias_and_limits),
        cmocka_unit_test(test_a_wrong_answer_is_refused),
        cmocka_unit_test(test_nonsense_is_no_harm),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
