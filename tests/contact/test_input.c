// Problems that are wrong, empty or very large: a clear status or a right answer, by every method.
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/clones.h"
#include "bench/problems/contact_families.h"
#include "runs.h"

/// What is wrong with a stack of three, and the words that the message must have.
typedef struct Wrong {
    const char *says;
    void (*spoil)(TactContactCase *made);
} Wrong;

static void nan_mass(TactContactCase *made)
{
    made->bodies[1].mass = NAN;
}

static void negative_mass(TactContactCase *made)
{
    made->bodies[1].mass = -1;
}

static void infinite_velocity(TactContactCase *made)
{
    made->bodies[1].velocity[2] = INFINITY;
}

static void flat_inertia(TactContactCase *made)
{
    made->bodies[1].inertia[2] = 0;
}

static void nan_point(TactContactCase *made)
{
    made->contacts[5].point[1] = NAN;
}

static void long_normal(TactContactCase *made)
{
    made->contacts[5].normal[2] = 1.001;
}

static void missing_body(TactContactCase *made)
{
    made->contacts[5].b = 3;
}

static void negative_mu(TactContactCase *made)
{
    made->contacts[5].mu = -0.1;
}

static void odd_directions(TactContactCase *made)
{
    made->contacts[5].directions = 5;
}

static void no_step(TactContactCase *made)
{
    made->problem.step = 0;
}

static const Wrong wrongs[] = {
    {"body 1", nan_mass},        {"body 1", negative_mass},  {"body 1", infinite_velocity},
    {"body 1", flat_inertia},    {"contact 5", nan_point},   {"contact 5", long_normal},
    {"contact 5", missing_body}, {"contact 5", negative_mu}, {"contact 5", odd_directions},
    {"step", no_step},
};

static void every_method_says_what_is_wrong_with_a_problem(void **state)
{
    (void)state;
    Run       runs[MAX_RUNS];
    int       run_count = runs_list(runs);
    RunAnswer memory = {0};
    for (size_t w = 0; w < sizeof wrongs / sizeof *wrongs; w++) {
        TactContactCase made;
        assert_int_equal(tact_case_generate(tact_case_family_find("stack-3-12"), 0, 8, &made),
                         TACT_OK);
        for (int r = 0; r < run_count; r++) {
            RunSolver          own = {0};
            TactContactSolver *solver = runs_solver(&own, &runs[r], &made.problem);
            TactContactAnswer  answer = runs_answer(&memory, &made.problem);
            TactContactReport  report;
            TactContact        contact = made.contacts[5];
            TactContactBody    body = made.bodies[1];
            wrongs[w].spoil(&made);
            TactStatus status = tact_contact_solve(solver, &made.problem, &answer, &report);
            if (status != TACT_BAD_INPUT || !strstr(tact_status_message(), wrongs[w].says)) {
                print_error("%s, case %zu: %s, %s\n", runs[r].name, w, tact_status_name(status),
                            tact_status_message());
            }
            assert_int_equal(status, TACT_BAD_INPUT);
            assert_non_null(strstr(tact_status_message(), wrongs[w].says));
            made.contacts[5] = contact;
            made.bodies[1] = body;
            made.problem.step = 0.01;
            // What was refused has left no trace.
            assert_int_equal(tact_contact_solve(solver, &made.problem, &answer, &report), TACT_OK);
            assert_int_equal(report.outcome, TACT_OUTCOME_SOLVED);
            tact_contact_solver_destroy(solver);
        }
        tact_case_destroy(&made);
    }
    free(memory.block);
}

/// Without contacts a body moves by v + h f / m.
static void every_method_solves_a_problem_without_contacts(void **state)
{
    (void)state;
    Run                runs[MAX_RUNS];
    int                run_count = runs_list(runs);
    TactContactBody    body = {.mass = 2,
                               .inertia = {1, 1, 1},
                               .velocity = {1, 2, 3},
                               .omega = {0.5, 0, 0},
                               .force = {0, 0, -20}};
    TactContactProblem falling = {.step = 0.01, .body_count = 1, .bodies = &body};
    TactContactProblem nothing = {.step = 0.01};
    for (int r = 0; r < run_count; r++) {
        RunSolver          own = {0};
        TactContactSolver *solver = runs_solver(&own, &runs[r], &falling);
        double             none[3], velocity[6];
        TactContactAnswer  answer = {.impulse = none, .velocity = velocity};
        TactContactReport  report;
        assert_non_null(solver);
        assert_int_equal(tact_contact_solve(solver, &falling, &answer, &report), TACT_OK);
        assert_int_equal(report.outcome, TACT_OUTCOME_SOLVED);
        double expected[6] = {1, 2, 3 - 0.1, 0.5, 0, 0};
        for (int k = 0; k < 6; k++) {
            assert_true(fabs(velocity[k] - expected[k]) < 1e-15);
        }
        assert_int_equal(tact_contact_solve(solver, &nothing, &answer, &report), TACT_OK);
        assert_int_equal(report.outcome, TACT_OUTCOME_SOLVED);
        tact_contact_solver_destroy(solver);
    }
}

/// Blocks side by side on a plane, four contacts each; every second one slides.
static void make_field(int blocks, TactContactCase *made)
{
    TactCaseSize size = {.bodies = blocks, .contacts = 4 * blocks};
    assert_int_equal(tact_case_create(&size, made), TACT_OK);
    for (int k = 0; k < blocks; k++) {
        double           centre[3] = {k % 50, (double)(k / 50), 0.1};
        TactContactBody *body = tact_case_add_box(made, 1, (double[]){0.1, 0.1, 0.1}, centre);
        body->force[2] = -9.81;
        body->velocity[0] = k % 2 ? 1 : 0;
        for (int i = 0; i < 4; i++) {
            double point[3] = {centre[0] + (i % 2 ? 0.1 : -0.1), centre[1] + (i / 2 ? 0.1 : -0.1),
                               0};
            tact_case_add_contact(made, -1, k, point, (double[]){0, 0, 1}, 0.5);
        }
    }
}

/// All stand or slide with mu h g: neither tips over, as 0.1 mu g is less than 0.1 g.
static void check_field(const TactContactCase *made, const TactContactAnswer *answer)
{
    for (int k = 0; k < made->problem.body_count; k++) {
        const double *v = answer->velocity + 6 * k;
        double        slides = k % 2 ? 1 - 0.5 * 9.81 * 0.01 : 0;
        assert_true(fabs(v[0] - slides) < 1e-7);
        assert_true(fabs(v[2]) < 1e-7);
        double sum = 0;
        for (int i = 0; i < 4; i++) {
            sum += answer->impulse[3 * (4 * k + i)];
        }
        assert_true(fabs(sum - 0.0981) < 1e-7);
    }
}

/// Solved, out of pivots, or refused with the method's name before anything is allocated.
static bool take_or_refuse(const Run *run, const TactContactCase *made, RunAnswer *memory)
{
    RunSolver          own = {0};
    double             start = tact_time_now();
    TactContactSolver *solver = runs_solver(&own, run, &made->problem);
    TactContactAnswer  answer = runs_answer(memory, &made->problem);
    TactContactReport  report;
    if (!solver) {
        const char *name = tact_contact_method_info(run->config.method)->name;
        print_message("%s: %s\n", run->name, tact_status_message());
        assert_true(strncmp(tact_status_message(), name, strlen(name)) == 0);
        assert_non_null(strstr(tact_status_message(), "ladder and nsgs take less"));
        return false;
    }
    assert_int_equal(tact_contact_solve(solver, &made->problem, &answer, &report), TACT_OK);
    print_message("%s: %d contacts, %s, %.3f s\n", run->name, made->problem.contact_count,
                  tact_contact_outcome_name(report.outcome), tact_time_now() - start);
    bool solved = report.outcome == TACT_OUTCOME_SOLVED;
    if (solved) {
        check_field(made, &answer);
    } else {
        assert_int_equal(report.outcome, TACT_OUTCOME_LIMIT);
    }
    tact_contact_solver_destroy(solver);
    return solved;
}

static void every_method_takes_or_refuses_ten_thousand_contacts(void **state)
{
    (void)state;
    TactContactCase made;
    RunAnswer       memory = {0};
    Run             runs[MAX_RUNS];
    int             run_count = runs_list(runs);
    make_field(2500, &made);
    for (int r = 0; r < run_count; r++) {
        TactContactMethod method = runs[r].config.method;
        bool              solved = take_or_refuse(&runs[r], &made, &memory);
        assert_true(solved || (method != TACT_METHOD_LADDER && method != TACT_METHOD_NSGS));
    }
    free(memory.block);
    tact_case_destroy(&made);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_method_says_what_is_wrong_with_a_problem),
        cmocka_unit_test(every_method_solves_a_problem_without_contacts),
        cmocka_unit_test(every_method_takes_or_refuses_ten_thousand_contacts),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
