// The GPU's kernel of one body, lane by lane on a processor, against the processor's own solver and
// certificate.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "bench/gpu/bodies.h"
#include "tests/gpu/body_lanes.h"

// After the standard headers
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

enum { COUNT = 120 };

/// Problems and answers of the host, and a basis that the batch does not hand out.
typedef struct Case {
    TactBenchBodies bodies;
    unsigned       *basis;
} Case;

static void make(Case *own, TactMixKind kind, TactContactCone cone, int contacts, int directions)
{
    assert_int_equal(
        tact_bench_bodies_create(TACT_DEVICE_CPU, cone, COUNT, contacts, directions, &own->bodies),
        TACT_OK);
    own->basis = calloc((size_t)COUNT * (size_t)contacts, sizeof *own->basis);
    assert_non_null(own->basis);
    own->bodies.answers.basis = own->basis;
    tact_mix_draw(kind, 3, 0, &own->bodies.drawn);
}

static void end(Case *own)
{
    tact_bench_bodies_destroy(&own->bodies);
    free(own->basis);
}

/// Certifies by the kernel's own certificate; how many are certified.
static int certify(Case *own)
{
    int certified = 0;
    for (int i = 0; i < COUNT; i++) {
        TactBenchBodies *bodies = &own->bodies;
        bodies->answers.error[i] =
            bodies->answers.pivots[i] < 0
                ? (double)INFINITY
                : body_lanes_certify(&bodies->problems,
                                     bodies->cone == TACT_CONE_CIRCLE ? 0 : bodies->directions,
                                     &bodies->answers, i);
        certified += bodies->answers.error[i] <= bodies->tol;
    }
    return certified;
}

/// Solved by lanes, certified by both certificates: the same error of each, none refused.
static void solve_and_check(TactMixKind kind, int contacts, int directions, int least)
{
    Case           own;
    TactBenchCheck check;
    make(&own, kind, TACT_CONE_PYRAMID, contacts, directions);
    body_lanes_solve(&own.bodies.problems, directions, 0, 0, &own.bodies.answers);
    assert_true(certify(&own) >= least);
    assert_int_equal(tact_bench_bodies_check(&own.bodies, NULL, COUNT, &check), TACT_OK);
    assert_int_equal(check.refused, 0);
    assert_true(check.difference < 1e-12);
    end(&own);
}

static void test_all_kinds_are_solved(void **state)
{
    (void)state;
    for (int contacts = 4; contacts <= 32; contacts *= 2) {
        solve_and_check(TACT_MIX_ROCK, contacts, 8, COUNT - 2);
        solve_and_check(TACT_MIX_BLOCK, contacts, 8, COUNT);
        solve_and_check(TACT_MIX_PEG, contacts, 8, COUNT);
    }
    solve_and_check(TACT_MIX_ALL, 8, 4, COUNT - 2);
    solve_and_check(TACT_MIX_ALL, 8, 16, COUNT - 2);
    solve_and_check(TACT_MIX_ALL, 7, 6, COUNT - 2);
    solve_and_check(TACT_MIX_BLOCK_NEAR, 16, 8, COUNT - 4);
    solve_and_check(TACT_MIX_PEG_NEAR, 8, 8, COUNT - 2);
}

/// On the circle: certified by both, and pinned to the processor's where the answer is unique.
static void test_the_circle_is_solved(void **state)
{
    (void)state;
    for (int contacts = 4; contacts <= 16; contacts *= 2) {
        Case           own;
        TactBenchCheck check;
        make(&own, contacts == 4 ? TACT_MIX_BLOCK : TACT_MIX_ALL, TACT_CONE_CIRCLE, contacts, 8);
        TactBodyAnswers *answers = &own.bodies.answers;
        body_lanes_solve_circle(&own.bodies.problems, 8, 0, 0, answers);
        assert_true(certify(&own) >= COUNT - 3);
        assert_int_equal(tact_bench_bodies_check(&own.bodies, NULL, COUNT, &check), TACT_OK);
        assert_int_equal(check.refused, 0);
        assert_true(check.difference < 1e-12);
        assert_true(check.same >= COUNT * 9 / 10);
        // From its own bases, with directions near those that they were turned to.
        body_lanes_solve_circle(&own.bodies.problems, 8, 0, 1, answers);
        assert_true(certify(&own) >= COUNT - 3);
        end(&own);
    }
}

/// Where the answer is unique, rocks, velocities are the processor's.
static void test_rocks_move_as_on_the_processor(void **state)
{
    Case           own;
    TactBenchCheck check;
    (void)state;
    make(&own, TACT_MIX_ROCK, TACT_CONE_PYRAMID, 8, 8);
    body_lanes_solve(&own.bodies.problems, 8, 0, 0, &own.bodies.answers);
    certify(&own);
    assert_int_equal(tact_bench_bodies_check(&own.bodies, NULL, COUNT, &check), TACT_OK);
    assert_true(check.same >= COUNT - 1);
    end(&own);
}

/// The basis of the last step, where nothing has changed: no pivot, and the same answer.
static void test_a_warm_start_needs_no_pivot(void **state)
{
    Case own;
    (void)state;
    make(&own, TACT_MIX_ALL, TACT_CONE_PYRAMID, 8, 8);
    TactBodyAnswers *answers = &own.bodies.answers;
    body_lanes_solve(&own.bodies.problems, 8, 0, 0, answers);
    double velocity[6 * COUNT];
    memcpy(velocity, answers->velocity, sizeof velocity);
    int ended[COUNT], kept = 0, tried = 0;
    memcpy(ended, answers->pivots, sizeof ended);
    body_lanes_solve(&own.bodies.problems, 8, 0, 1, answers);
    for (int i = 0; i < COUNT; i++) {
        tried += ended[i] >= 0;
        kept += ended[i] >= 0 && answers->pivots[i] == 0;
        for (int k = 0; k < 6 && ended[i] >= 0 && answers->pivots[i] == 0; k++) {
            double before = velocity[k * COUNT + i], after = answers->velocity[k * COUNT + i];
            assert_true(fabs(before - after) < 1e-6);
        }
    }
    assert_true(kept >= tried - 1);
    // After a small change most still hold, and all are certified again.
    tact_mix_disturb(1e-3, 5, &own.bodies.drawn);
    body_lanes_solve(&own.bodies.problems, 8, 0, 1, answers);
    assert_true(certify(&own) >= COUNT - 4);
    end(&own);
}

/// Pivots of those that needed any, in the mean.
static double mean_pivots(const Case *own, int *count)
{
    double sum = 0;
    *count = 0;
    for (int i = 0; i < COUNT; i++) {
        int pivots = own->bodies.answers.pivots[i];
        sum += pivots > 0 ? pivots : 0;
        *count += pivots > 0;
    }
    return sum / (*count > 0 ? *count : 1);
}

/// Where the basis of the last step does not hold any more, a path resumes from it: it takes less
/// than half of the pivots of one from the beginning, and the answers are certified.
static void resume_after_change(TactMixKind kind, TactContactCone cone)
{
    Case             own;
    int              changed, all;
    bool             circle = cone == TACT_CONE_CIRCLE;
    TactBodyAnswers *answers = &own.bodies.answers;
    make(&own, kind, cone, 8, 8);
    (circle ? body_lanes_solve_circle : body_lanes_solve)(&own.bodies.problems, 8, 0, 0, answers);
    tact_mix_disturb(3e-2, 5, &own.bodies.drawn);
    (circle ? body_lanes_solve_circle : body_lanes_solve)(&own.bodies.problems, 8, 0, 1, answers);
    double resumed = mean_pivots(&own, &changed);
    int    certified = certify(&own);
    (circle ? body_lanes_solve_circle : body_lanes_solve)(&own.bodies.problems, 8, 0, 0, answers);
    double begun = mean_pivots(&own, &all);
    print_message("  %s: %d of %d bases do not hold: %.3g pivots, %.3g from the beginning; %d "
                  "certified\n",
                  tact_mix_name(kind), changed, COUNT, resumed, begun, certified);
    assert_true(changed >= 5);
    assert_true(resumed < 0.5 * begun);
    assert_true(certified >= COUNT - 3);
    end(&own);
}

static void test_paths_resume(void **state)
{
    (void)state;
    resume_after_change(TACT_MIX_ROCK, TACT_CONE_PYRAMID);
    resume_after_change(TACT_MIX_BLOCK, TACT_CONE_PYRAMID);
    resume_after_change(TACT_MIX_ALL, TACT_CONE_PYRAMID);
    resume_after_change(TACT_MIX_ALL, TACT_CONE_CIRCLE);
}

/// A basis that is none leads to a path from the beginning, not to a wrong answer.
static void test_a_wrong_basis_is_no_harm(void **state)
{
    Case own;
    (void)state;
    make(&own, TACT_MIX_ROCK, TACT_CONE_PYRAMID, 8, 8);
    TactRandom random = tact_random_seed(11);
    for (int i = 0; i < 8 * COUNT; i++) {
        own.basis[i] = (unsigned)(tact_random_next(&random) & 0x7ff);
    }
    body_lanes_solve(&own.bodies.problems, 8, 0, 1, &own.bodies.answers);
    assert_true(certify(&own) >= COUNT - 2);
    end(&own);
}

/// Answers that are wrong are refused by the kernel's certificate as by the processor's.
static void test_a_wrong_answer_is_refused(void **state)
{
    Case own;
    (void)state;
    make(&own, TACT_MIX_ROCK, TACT_CONE_PYRAMID, 8, 8);
    body_lanes_solve(&own.bodies.problems, 8, 0, 0, &own.bodies.answers);
    int good = certify(&own);
    for (int i = 0; i < COUNT; i++) {
        double *p = own.bodies.answers.impulse;
        for (int c = 0; c < 8; c++) {
            p[3 * c * COUNT + i] *= 1 + 1e-6; // normal impulses, and nothing else
        }
    }
    assert_true(good >= COUNT - 2);
    assert_int_equal(certify(&own), 0);
    own.bodies.answers.velocity[0] = NAN;
    assert_true(isinf(body_lanes_certify(&own.bodies.problems, 8, &own.bodies.answers, 0)));
    end(&own);
}

/// Nothing approaches: no impulse, the free velocity.
static void test_a_body_that_leaves_is_left_alone(void **state)
{
    Case own;
    (void)state;
    make(&own, TACT_MIX_BLOCK, TACT_CONE_PYRAMID, 8, 8);
    for (int i = 0; i < COUNT; i++) {
        for (int k = 0; k < 6; k++) {
            own.bodies.drawn.velocity[k * COUNT + i] = k == 2 ? 5 : 0;
        }
    }
    body_lanes_solve(&own.bodies.problems, 8, 0, 0, &own.bodies.answers);
    for (int i = 0; i < COUNT; i++) {
        assert_int_equal(own.bodies.answers.pivots[i], 0);
        assert_true(fabs(own.bodies.answers.velocity[2 * COUNT + i] - (5 - 0.0981)) < 1e-14);
        for (int k = 0; k < 24; k++) {
            assert_true(own.bodies.answers.impulse[k * COUNT + i] == 0);
        }
    }
    end(&own);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_all_kinds_are_solved),
        cmocka_unit_test(test_the_circle_is_solved),
        cmocka_unit_test(test_rocks_move_as_on_the_processor),
        cmocka_unit_test(test_a_warm_start_needs_no_pivot),
        cmocka_unit_test(test_paths_resume),
        cmocka_unit_test(test_a_wrong_basis_is_no_harm),
        cmocka_unit_test(test_a_wrong_answer_is_refused),
        cmocka_unit_test(test_a_body_that_leaves_is_left_alone),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
