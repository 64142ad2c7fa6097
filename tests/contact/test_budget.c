// Budgets of every contact method and cone: the best answer with its certificate where it is too
// small, the same bits where it is large enough.
#include <time.h>

#include "bench/problems/contact_families.h"
#include "contact/made.h"
#include "contact/nasty.h"
#include "contact/runs.h"

typedef struct Answer {
    double            p[3 * SCENE_CONTACTS];
    TactContactReport report;
} Answer;

static bool solve(const Run *run, double max_work, double max_time,
                  const TactContactProblem *problem, Answer *answer)
{
    TactContactConfig   config = run->config;
    TactContactCapacity capacity = tact_contact_get_capacity(problem);
    TactContactSolver  *solver = NULL;
    config.max_work = max_work;
    config.max_time = max_time;
    memset(answer, 0, sizeof *answer);
    assert_int_equal(tact_contact_solver_create(&capacity, &config, &solver), TACT_OK);
    TactStatus status = tact_contact_solve(
        solver, problem, &(TactContactAnswer){.impulse = answer->p}, &answer->report);
    tact_contact_solver_destroy(solver);
    return status == TACT_OK;
}

static void a_large_budget_changes_no_bit(void **state)
{
    (void)state;
    Run        runs[MAX_RUNS];
    int        count = runs_list(runs), looked = 0;
    TactRandom random = tact_random_seed(3);
    for (int k = 0; k < count; k++) {
        Made           made;
        const MadeKind kind = {runs[k].config.cone, 10, 1};
        Answer         free_run, bounded;
        made_create(&random, &kind, &made);
        if (!solve(&runs[k], 0, 0, &made.scene.problem, &free_run)) {
            continue;
        }
        assert_true(free_run.report.work > 0 && free_run.report.reproducible);
        assert_false(free_run.report.out_of_budget);
        assert_true(solve(&runs[k], 2 * free_run.report.work, 1000, &made.scene.problem, &bounded));
        assert_memory_equal(free_run.p, bounded.p, sizeof bounded.p);
        assert_true(bounded.report.work == free_run.report.work);
        assert_false(bounded.report.out_of_budget);
        looked++;
    }
    assert_true(looked >= 8);
}

static void a_small_budget_ends_with_an_answer_and_its_certificate(void **state)
{
    (void)state;
    Run        runs[MAX_RUNS];
    int        count = runs_list(runs), ended = 0;
    TactRandom random = tact_random_seed(4);
    for (int k = 0; k < count; k++) {
        Made           made;
        const MadeKind kind = {runs[k].config.cone, 100, 1};
        Answer         whole, first, second;
        made_create(&random, &kind, &made);
        const TactContactProblem *problem = &made.scene.problem;
        if (!solve(&runs[k], 0, 0, problem, &whole)) {
            continue;
        }
        for (int part = 2; part <= 64; part *= 4) {
            double budget = whole.report.work / part;
            assert_true(solve(&runs[k], budget, 0, problem, &first));
            assert_true(solve(&runs[k], budget, 0, problem, &second));
            assert_memory_equal(first.p, second.p, sizeof first.p);
            assert_true(first.report.reproducible);
            // 'solved' is what the certificate says, whatever the budget did.
            bool certified = first.report.certificate.error <= runs[k].config.tol;
            assert_int_equal(first.report.outcome == TACT_OUTCOME_SOLVED, certified);
            ended += first.report.out_of_budget;
            for (int i = 0; i < 3 * problem->contact_count; i++) {
                assert_true(isfinite(first.p[i]));
            }
        }
    }
    printf("%d solves ended by their budgets\n", ended);
    assert_true(ended >= 10);
}

/// A problem that no rung solves: without a budget it climbs to quadruple precision, which has more
/// operations than all others together.
static void a_climb_of_the_whole_ladder_obeys_its_budget(void **state)
{
    (void)state;
    static Nasty nasty;
    Run          runs[MAX_RUNS];
    Answer       all, part;
    runs_list(runs); // the first is the ladder with the pyramid
    assert_string_equal(runs[0].name, "ladder pyramid");
    nasty_make(6061, &nasty);
    assert_true(solve(&runs[0], 0, 0, &nasty.problem, &all));
    assert_string_equal(all.report.rungs[all.report.rung_count - 1].name, "quadruple");
    assert_true(all.report.work > 1e8);
    for (double most = 1e5; most < 1e8; most *= 10) {
        assert_true(solve(&runs[0], most, 0, &nasty.problem, &part));
        assert_true(part.report.out_of_budget);
        // What is under way may end: a step of Newton's method, a sweep, a pivot.
        assert_true(part.report.work < most + 2e6);
        assert_true(part.report.certificate.error < HUGE_VAL);
    }
}

/// Seconds that this thread has had of a processor.
static double processor_time(void)
{
    struct timespec now;
    assert_int_equal(clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now), 0);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static void the_clock_ends_a_solve_that_has_no_end(void **state)
{
    (void)state;
    Made           made;
    Answer         answer;
    TactRandom     random = tact_random_seed(5);
    const MadeKind kind = {TACT_CONE_CIRCLE, 1e6, 1};
    Run            run = {.config = tact_contact_config_default(TACT_METHOD_NSGS)};
    run.config.cone = TACT_CONE_CIRCLE;
    run.config.tol = 1e-300; // nothing is ever good enough
    run.config.max_sweeps = 2000000000;
    made_create(&random, &kind, &made);
    // A busy machine gives a solve little of its time: the answer gets as good as it should with a
    // longer one, and what a solve takes beyond its time is measured in time of the processor.
    double limit = 0.1;
    do {
        limit *= 2;
        double begin = processor_time();
        assert_true(solve(&run, 0, limit, &made.scene.problem, &answer));
        assert_true(processor_time() - begin < 2 * limit);
        assert_true(answer.report.out_of_budget);
        assert_false(answer.report.reproducible);
        assert_int_equal(answer.report.outcome, TACT_OUTCOME_LIMIT);
    } while (!(answer.report.certificate.error < 1e-6) && limit < 100); // the best that it found
    assert_true(answer.report.certificate.error < 1e-6);
}

static void a_budget_that_is_none_is_refused(void **state)
{
    (void)state;
    TactContactSolver  *solver = NULL;
    TactContactCapacity capacity = {.contacts = 1, .dof = 6, .support = 6};
    for (int k = 0; k < 4; k++) {
        TactContactConfig config = tact_contact_config_default(TACT_METHOD_LADDER);
        *(k < 2 ? &config.max_work : &config.max_time) = k % 2 ? NAN : -1;
        assert_int_equal(tact_contact_solver_create(&capacity, &config, &solver),
                         TACT_BAD_ARGUMENT);
        assert_null(solver);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_large_budget_changes_no_bit),
        cmocka_unit_test(a_small_budget_ends_with_an_answer_and_its_certificate),
        cmocka_unit_test(a_climb_of_the_whole_ladder_obeys_its_budget),
        cmocka_unit_test(the_clock_ends_a_solve_that_has_no_end),
        cmocka_unit_test(a_budget_that_is_none_is_refused),
    };
    return cmocka_run_group_tests_name("contact/budget", tests, NULL, NULL);
}
