// Solving the scenes of the tests of baraff.
#ifndef TESTS_CONTACT_BARAFF_CASES_H
#define TESTS_CONTACT_BARAFF_CASES_H

#include "scenes.h"

typedef struct CaseAnswer {
    double p[3 * SCENE_CONTACTS], rows[SCENE_ROWS], v[6 * SCENE_BODIES], u[3 * SCENE_CONTACTS];
    TactContactReport report;
} CaseAnswer;

static inline TactContactSolver *case_create(const TactContactProblem *problem, int max_pivots)
{
    TactContactCapacity capacity = tact_contact_get_capacity(problem);
    TactContactConfig   config = tact_contact_config_default(TACT_METHOD_BARAFF);
    TactContactSolver  *solver;
    config.cone = TACT_CONE_CIRCLE;
    config.max_pivots = max_pivots;
    assert_int_equal(tact_contact_solver_create(&capacity, &config, &solver), TACT_OK);
    return solver;
}

static inline void case_run(TactContactSolver *solver, const TactContactProblem *problem,
                            CaseAnswer *answer)
{
    TactContactAnswer arrays = {
        .impulse = answer->p, .row_impulse = answer->rows, .velocity = answer->v, .u = answer->u};
    TactStatus status = tact_contact_solve(solver, problem, &arrays, &answer->report);
    if (status != TACT_OK) {
        print_error("%s\n", tact_status_message());
    }
    assert_int_equal(status, TACT_OK);
}

static inline void case_solve_problem(const TactContactProblem *problem, CaseAnswer *answer)
{
    TactContactSolver *solver = case_create(problem, 0);
    case_run(solver, problem, answer);
    tact_contact_solver_destroy(solver);
}

static inline void case_solve(const Scene *scene, CaseAnswer *answer)
{
    case_solve_problem(&scene->problem, answer);
}

static inline void case_assert_solved(const CaseAnswer *answer)
{
    if (answer->report.outcome != TACT_OUTCOME_SOLVED) {
        print_error("%s, ended %s, error %.2e\n", tact_contact_outcome_name(answer->report.outcome),
                    tact_contact_outcome_name(answer->report.ended),
                    answer->report.certificate.error);
    }
    assert_int_equal(answer->report.outcome, TACT_OUTCOME_SOLVED);
}

static inline double case_largest(const double *x, int count)
{
    double largest = 0;
    for (int i = 0; i < count; i++) {
        largest = fmax(largest, fabs(x[i]));
    }
    return largest;
}

/// Angular acceleration of a ladder of mass 3 and half-length 1, inertia 1, at an angle from the
/// floor when both ends slide from rest, from Newton's and Euler's equations with
///
///     N_f (1 + mu^2) = m (g + l (cos + mu sin) w),
///     N_w (1 + mu^2) = m (mu g + l (mu cos - sin) w),
///     -I w = l N_f (cos - mu sin) - l N_w (mu cos + sin).
///
/// It stays for tan a >= (1 - mu^2) / (2 mu): both ends at their limit.
static inline double case_slide_of_ladder(double angle, double mu)
{
    double c = cos(angle), s = sin(angle), m = 3, all = 1 + mu * mu;
    double constant = m * GRAVITY * (c - mu * s - mu * (mu * c + s)) / all;
    double slope = m * ((c + mu * s) * (c - mu * s) - (mu * c - s) * (mu * c + s)) / all;
    return -constant / (1 + slope);
}

static inline double case_limit_of_ladder(double mu)
{
    return atan((1 - mu * mu) / (2 * mu));
}

#endif
