// Random problems with contacts that resist sliding, spinning and rolling: single bodies, stacks
// and grasps, all combinations of coefficients, zeros included. What is called solved is held
// against an oracle that knows no solver.
// clang-format off
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>
// clang-format on
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <tact/base.h>
#include <tact/contact.h>
#include <tact/io.h>

#include "patch_law.h"
#include "patch_made.h"

static int         problem_count = 1500;
static uint64_t    first_seed = 1;
static const char *keep; // a file for the problem, to look at; NULL: none

// ---------------------------------------------------------------------------------------------

typedef struct Run {
    TactContactMethod method;
    TactContactCone   cone;
    int               problems, solved, wrong;
    PatchMiss         worst;
    int               by_rung[TACT_CONTACT_MAX_RUNGS];
} Run;

static Run runs[] = {
    {.method = TACT_METHOD_LADDER, .cone = TACT_CONE_CIRCLE},
    {.method = TACT_METHOD_LADDER, .cone = TACT_CONE_PYRAMID},
    {.method = TACT_METHOD_NSGS, .cone = TACT_CONE_CIRCLE},
    {.method = TACT_METHOD_LCP, .cone = TACT_CONE_PYRAMID},
    {.method = TACT_METHOD_REDUCED, .cone = TACT_CONE_PYRAMID},
    {.method = TACT_METHOD_REDUCED, .cone = TACT_CONE_CIRCLE},
    {.method = TACT_METHOD_STRUCTURAL, .cone = TACT_CONE_PYRAMID},
    {.method = TACT_METHOD_STRUCTURAL, .cone = TACT_CONE_CIRCLE},
};
enum { RUNS = sizeof runs / sizeof *runs };

static void note(Run *run, uint64_t seed, const PatchMiss *miss, const TactContactReport *report)
{
    // 'solved' to 1e-8 of what each contact carries; the oracle holds it against what the
    // strongest one does.
    bool wrong = !(miss->normal <= 1e-6 && miss->bound <= 1e-6 && miss->part <= 1e-6 &&
                   miss->angular <= 1e-6);
    run->worst.normal = fmax(run->worst.normal, miss->normal);
    run->worst.bound = fmax(run->worst.bound, miss->bound);
    run->worst.part = fmax(run->worst.part, miss->part);
    run->worst.angular = fmax(run->worst.angular, miss->angular);
    run->wrong += wrong;
    if (wrong) {
        print_error("seed %llu: called solved with error %g, but misses normal %g, bound %g, part "
                    "%g, angular %g\n",
                    (unsigned long long)seed, report->certificate.error, miss->normal, miss->bound,
                    miss->part, miss->angular);
    }
}

/// The relative angular velocities of an answer are those of the raw bodies.
static void check_spins(const TactContactProblem *problem, const double *p, const double *m,
                        const double *w)
{
    long double u[PATCH_CONTACTS][6], size[PATCH_CONTACTS][6];
    patch_motion(problem, p, m, u, size);
    for (int k = 0; k < 3 * problem->contact_count; k++) {
        bool        turns = tact_contact_has_moments(&problem->contacts[k / 3]);
        long double wanted = turns ? u[k / 3][3 + k % 3] : 0;
        assert_true(fabsl(w[k] - wanted) <= 1e-9L * size[k / 3][3 + k % 3]);
    }
}

static void solve(Run *run, const PatchMade *made, uint64_t seed)
{
    const TactContactProblem *problem = &made->problem;
    bool pivots = run->method == TACT_METHOD_REDUCED || run->method == TACT_METHOD_STRUCTURAL;
    if ((run->cone == TACT_CONE_PYRAMID || pivots) && patch_has_ellipsoid(problem)) {
        return;
    }
    double              p[3 * PATCH_CONTACTS], m[3 * PATCH_CONTACTS], v[6 * PATCH_BODIES];
    double              w[3 * PATCH_CONTACTS];
    TactContactAnswer   answer = {.impulse = p, .moment = m, .velocity = v, .spin = w};
    TactContactCapacity capacity = tact_contact_get_capacity(problem);
    TactContactConfig   config = tact_contact_config_default(run->method);
    TactContactSolver  *solver = NULL;
    TactContactReport   report;
    config.cone = run->cone;
    config.max_sweeps = 500;
    assert_int_equal(tact_contact_solver_create(&capacity, &config, &solver), TACT_OK);
    TactStatus status = tact_contact_solve(solver, problem, &answer, &report);
    if (status != TACT_OK) {
        print_error("seed %llu: %s\n", (unsigned long long)seed, tact_status_message());
    }
    assert_int_equal(status, TACT_OK);
    tact_contact_solver_destroy(solver);
    run->problems++;
    if (report.outcome != TACT_OUTCOME_SOLVED) {
        if (getenv("TACT_VERBOSE")) {
            print_message("seed %llu, %s: %s, error %g\n", (unsigned long long)seed,
                          tact_contact_method_info(run->method)->name,
                          tact_contact_outcome_name(report.outcome), report.certificate.error);
        }
        return;
    }
    run->solved++;
    run->by_rung[report.rung_count - 1]++;
    TactContactCertificate again;
    assert_int_equal(tact_contact_certify_answer(problem, run->cone, &answer, &again), TACT_OK);
    assert_true(again.error == report.certificate.error);
    PatchMiss miss = patch_law(problem, run->cone, p, m);
    note(run, seed, &miss, &report);
    check_spins(problem, p, m, w);
}

static void what_is_called_solved_obeys_every_law(void **state)
{
    (void)state;
    int wrong = 0;
    for (int i = 0; i < problem_count; i++) {
        PatchMade made;
        patch_make(&made, first_seed + (uint64_t)i);
        if (keep) {
            assert_int_equal(tact_contact_write_json(&made.problem, keep), TACT_OK);
        }
        for (int r = 0; r < RUNS; r++) {
            solve(&runs[r], &made, first_seed + (uint64_t)i);
        }
    }
    for (int r = 0; r < RUNS; r++) {
        const Run *run = &runs[r];
        print_message("%s, %s: %d of %d solved (by rung %d %d %d %d), %d wrong; worst normal %.1e, "
                      "bound %.1e, part %.1e, angular %.1e\n",
                      tact_contact_method_info(run->method)->name,
                      tact_contact_cone_name(run->cone), run->solved, run->problems,
                      run->by_rung[0], run->by_rung[1], run->by_rung[2], run->by_rung[3],
                      run->wrong, run->worst.normal, run->worst.bound, run->worst.part,
                      run->worst.angular);
        wrong += run->wrong;
    }
    assert_int_equal(wrong, 0);
}

static void the_ladder_solves_nearly_all(void **state)
{
    (void)state;
    for (int r = 0; r < 2; r++) {
        assert_true(1000 * (runs[r].problems - runs[r].solved) <= runs[r].problems);
    }
}

/// Solves a problem given by W; what is called solved obeys the laws of its bodies.
static bool solve_delassus(const TactContactProblem *problem, const PatchMade *made, uint64_t seed,
                           TactContactMethod method)
{
    double              p[3 * PATCH_CONTACTS], m[3 * PATCH_CONTACTS];
    TactContactAnswer   answer = {.impulse = p, .moment = m};
    TactContactCapacity capacity = tact_contact_get_capacity(problem);
    TactContactConfig   config = tact_contact_config_default(method);
    TactContactSolver  *solver = NULL;
    TactContactReport   report;
    config.cone = TACT_CONE_CIRCLE;
    assert_int_equal(tact_contact_solver_create(&capacity, &config, &solver), TACT_OK);
    TactStatus status = tact_contact_solve(solver, problem, &answer, &report);
    if (status != TACT_OK) {
        print_error("seed %llu: %s\n", (unsigned long long)seed, tact_status_message());
    }
    assert_int_equal(status, TACT_OK);
    tact_contact_solver_destroy(solver);
    if (report.outcome != TACT_OUTCOME_SOLVED) {
        return false;
    }
    PatchMiss miss = patch_law(&made->problem, config.cone, p, m);
    assert_true(miss.normal <= 1e-6 && miss.bound <= 1e-6 && miss.part <= 1e-6 &&
                miss.angular <= 1e-6);
    return true;
}

/// The answer to a problem of which only W is known, held against the laws of the bodies.
static void problems_given_by_W_obey_the_laws_of_the_bodies(void **state)
{
    (void)state;
    enum { TRIED = 300 };
    int solved = 0, flat = 0, pivoted = 0;
    for (int i = 0; i < TRIED; i++) {
        PatchMade made;
        patch_make(&made, 1 + (uint64_t)i);
        size_t n = 0;
        for (int k = 0; k < made.problem.contact_count; k++) {
            made.contacts[k].restitution = 0; // W knows nothing of the motion before
            n += tact_contact_has_moments(&made.contacts[k]) ? 6 : 3;
        }
        double *W = calloc(n * n + 1, sizeof *W), *u_free = calloc(n + 1, sizeof *u_free);
        assert_true(W && u_free);
        patch_make_delassus(&made.problem, n, W, u_free);
        TactContact given[PATCH_CONTACTS];
        memcpy(given, made.contacts, sizeof given);
        TactContactProblem problem = {.step = made.problem.step,
                                      .W = W,
                                      .u_free = u_free,
                                      .contact_count = made.problem.contact_count,
                                      .contacts = given};
        uint64_t           seed = 1 + (uint64_t)i;
        solved += solve_delassus(&problem, &made, seed, TACT_METHOD_LADDER);
        if (!patch_has_ellipsoid(&made.problem)) {
            flat++;
            pivoted += solve_delassus(&problem, &made, seed, TACT_METHOD_REDUCED) &&
                       solve_delassus(&problem, &made, seed, TACT_METHOD_STRUCTURAL);
        }
        free(W);
        free(u_free);
    }
    print_message("%d of %d problems given by W are solved, %d of %d by reduced and structural\n",
                  solved, TRIED, pivoted, flat);
    assert_true(100 * (TRIED - solved) <= TRIED);
    assert_true(50 * (flat - pivoted) <= flat);
}

int main(int argc, char **argv)
{
    const char *wish = getenv("TACT_LONG");
    if (wish && strcmp(wish, "") != 0 && strcmp(wish, "0") != 0) {
        problem_count = 100000;
    }
    problem_count = argc > 1 ? atoi(argv[1]) : problem_count;
    first_seed = argc > 2 ? strtoull(argv[2], NULL, 10) : 1;
    keep = argc > 3 ? argv[3] : NULL;
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_called_solved_obeys_every_law),
        cmocka_unit_test(the_ladder_solves_nearly_all),
        cmocka_unit_test(problems_given_by_W_obey_the_laws_of_the_bodies),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
