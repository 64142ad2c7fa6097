// nsgs against closed forms and against the law itself.
#include "contact/nsgs.h"

#include "contact/law.h"

/// A solver without its frame: what the method itself does.
typedef struct Bench {
    TactContactSolver  solver;
    TactContactReport  report;
    TactContactOutcome outcome;
} Bench;

static void lay_out(TactContactSolver *solver)
{
    tact_system_layout(&solver->system, &solver->capacity, &solver->arena);
    solver->p = tact_arena_take(&solver->arena,
                                3 * (size_t)(solver->capacity.contacts + solver->capacity.rows),
                                sizeof(double));
    tact_contact_nsgs.layout(solver, &solver->arena);
}

static void set_up(Bench *bench, const TactContactProblem *problem)
{
    int dof = problem->W ? 3 * problem->contact_count : tact_contact_dof(problem);
    *bench = (Bench){
        .solver = {.config = {.cone = TACT_CONTACT_CIRCLE, .tol = 1e-9, .max_sweeps = 10000},
                   .capacity = {.contacts = problem->contact_count,
                                .rows = problem->row_count,
                                .dof = dof,
                                .support = dof,
                                .dense = true}}};
    assert_int_equal(tact_contact_check(problem), TACT_OK);
    lay_out(&bench->solver);
    assert_int_equal(tact_arena_create(&bench->solver.arena), TACT_OK);
    lay_out(&bench->solver);
    assert_int_equal(tact_system_build(&bench->solver.system, problem, true), TACT_OK);
}

static void solve(Bench *bench, const TactContactProblem *problem)
{
    bench->report = (TactContactReport){0};
    bench->outcome =
        tact_contact_nsgs.run(&bench->solver, problem, bench->solver.p, &bench->report);
}

static void tear_down(Bench *bench)
{
    tact_arena_destroy(&bench->solver.arena);
}

// ---------------------------------------------------------------------------------------------
// Problems given by W

enum { MOST = 24 };

typedef struct Delassus {
    double             W[9 * MOST * MOST], b[3 * MOST], mu[MOST];
    TactContact        contacts[MOST];
    TactContactProblem problem;
} Delassus;

static void random_problem(TactRandom *random, int contacts, int rank, Delassus *out)
{
    int     n = 3 * contacts;
    double *x = calloc((size_t)n, sizeof *x);
    assert_non_null(x);
    random_delassus(random, contacts, rank, 1, out->W);
    for (int i = 0; i < contacts; i++) {
        out->mu[i] = tact_random_next(random) % 4 ? tact_random_uniform(random, 0, 1) : 0;
        out->contacts[i] = (TactContact){.mu = out->mu[i]};
    }
    for (int i = 0; i < n; i++) {
        x[i] = tact_random_normal(random);
    }
    for (int i = 0; i < n; i++) { // in the range of W: velocities of real bodies
        out->b[i] = 0;
        for (int j = 0; j < n; j++) {
            out->b[i] += out->W[i * n + j] * x[j];
        }
    }
    out->problem = (TactContactProblem){.step = 1,
                                        .W = out->W,
                                        .u_free = out->b,
                                        .contact_count = contacts,
                                        .contacts = out->contacts};
    free(x);
}

static void random_problems_obey_the_law(void **state)
{
    (void)state;
    TactRandom random = tact_random_seed(21);
    for (int trial = 0; trial < 200; trial++) {
        static Delassus delassus;
        int             contacts = 1 + trial % MOST;
        random_problem(&random, contacts, 3 * contacts, &delassus);
        Bench bench;
        set_up(&bench, &delassus.problem);
        solve(&bench, &delassus.problem);
        assert_int_equal(bench.outcome, TACT_CONTACT_SOLVED);
        assert_true(law_error(contacts, delassus.W, delassus.b, delassus.mu, bench.solver.p) <=
                    1e-8);
        tear_down(&bench);
    }
}

static void redundant_contacts_obey_the_law(void **state)
{
    (void)state;
    TactRandom random = tact_random_seed(22);
    for (int trial = 0; trial < 100; trial++) {
        static Delassus delassus;
        int             contacts = 3 + trial % (MOST - 2);
        random_problem(&random, contacts, 6, &delassus);
        Bench bench;
        set_up(&bench, &delassus.problem);
        solve(&bench, &delassus.problem);
        if (bench.outcome == TACT_CONTACT_SOLVED) {
            assert_true(law_error(contacts, delassus.W, delassus.b, delassus.mu, bench.solver.p) <=
                        1e-8);
        } else {
            print_message("trial %d: %d contacts, not solved\n", trial, contacts);
        }
        tear_down(&bench);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_problems_obey_the_law),
        cmocka_unit_test(redundant_contacts_obey_the_law),
    };
    return cmocka_run_group_tests_name("contact/nsgs", tests, NULL, NULL);
}
