// A mass matrix that comes with its factor: the same answers as without, and checked as far as it
// is read.
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>
#include <tact/contact.h>

enum { N = 4 };

// A root, dof 1 and dof 3 on it, dof 2 on dof 1: dofs 3 and 1, 2 are not coupled.
static const int parent[N] = {-1, 0, 1, 0};

// M = L'DL with this L and D.
static const double L[N][N] = {{1, 0, 0, 0}, {0.3, 1, 0, 0}, {-0.2, 0.5, 1, 0}, {0.4, 0, 0, 1}};
static const double D[N] = {2, 1.5, 0.7, 3};

typedef struct Made {
    double             M[N * N], factor[N * N], v[N], tau[N], J[2][3 * N];
    TactContact        contacts[2];
    TactContactProblem problem;
} Made;

static void make(Made *made)
{
    *made = (Made){.v = {0.1, -0.3, 0.2, 0.05}, .tau = {-5, 1, -8, 2}};
    for (int i = 0; i < N; i++) {
        for (int j = 0; j < N; j++) {
            for (int k = 0; k < N; k++) {
                made->M[i * N + j] += L[k][i] * D[k] * L[k][j];
            }
            made->factor[i * N + j] = j < i ? L[i][j] : j == i ? D[i] : NAN;
        }
    }
    made->factor[3 * N + 1] = made->factor[3 * N + 2] = NAN; // not along the tree: not read
    for (int c = 0; c < 2; c++) {
        for (int k = 0; k < 3 * N; k++) {
            made->J[c][k] = sin(1 + k + 7 * c);
        }
        made->contacts[c] = (TactContact){.J = made->J[c], .mu = 0.4};
    }
    made->problem = (TactContactProblem){
        .step = 0.01,
        .nv = N,
        .M = made->M,
        .parent = parent,
        .v = made->v,
        .tau = made->tau,
        .contact_count = 2,
        .contacts = made->contacts,
    };
}

static void solve(const TactContactProblem *problem, double *velocity)
{
    TactContactCapacity capacity = tact_contact_get_capacity(problem);
    TactContactConfig   config = tact_contact_config_default(TACT_METHOD_LADDER);
    TactContactSolver  *solver = NULL;
    double              impulse[6];
    TactContactAnswer   answer = {.impulse = impulse, .velocity = velocity};
    TactContactReport   report;
    config.cone = TACT_CONE_CIRCLE;
    assert_int_equal(tact_contact_solver_create(&capacity, &config, &solver), TACT_OK);
    assert_int_equal(tact_contact_solve(solver, problem, &answer, &report), TACT_OK);
    assert_int_equal(report.outcome, TACT_OUTCOME_SOLVED);
    tact_contact_solver_destroy(solver);
}

static void a_given_factor_gives_the_same_answer(void **state)
{
    (void)state;
    Made   made;
    double without[N], with[N];
    make(&made);
    solve(&made.problem, without);
    made.problem.factor = made.factor;
    solve(&made.problem, with);
    for (int i = 0; i < N; i++) {
        assert_true(fabs(with[i] - without[i]) <= 1e-13);
        assert_true(fabs(with[i] - made.v[i]) > 1e-6); // it does move
    }
}

static void a_factor_that_cannot_be_one_is_refused(void **state)
{
    (void)state;
    Made made;
    make(&made);
    made.problem.factor = made.factor;
    assert_int_equal(tact_contact_check(&made.problem), TACT_OK);
    made.factor[2 * N + 1] = NAN;
    assert_int_equal(tact_contact_check(&made.problem), TACT_BAD_INPUT);
    assert_non_null(strstr(tact_status_message(), "row 2"));
    make(&made);
    made.problem.factor = made.factor;
    made.factor[3 * N + 3] = 0;
    assert_int_equal(tact_contact_check(&made.problem), TACT_BAD_INPUT);
    make(&made);
    made.problem.factor = made.factor;
    made.problem.parent = NULL;
    assert_int_equal(tact_contact_check(&made.problem), TACT_BAD_ARGUMENT);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_given_factor_gives_the_same_answer),
        cmocka_unit_test(a_factor_that_cannot_be_one_is_refused),
    };
    return cmocka_run_group_tests_name("contact/factor", tests, NULL, NULL);
}
