// Where a problem has exactly one answer, every method gives that one.
//
// Problems in the plane: pyramid, circle and box are all |p_t| <= mu p_n there, so that one LCP
// with two directions a contact, and all its complementary bases, tells what every method should
// find.
#include "planar.h"
// clang-format off
#include "base/clones.h"
#include "lcp/enumerate/enumerate.h"
#include "runs.h"
// clang-format on

enum { MOST = 3, UNKNOWNS = 4 * MOST };

#ifdef TACT_SANITIZED
enum { PROBLEMS = 60 };
#else
enum { PROBLEMS = 600 };
#endif

// ---------------------------------------------------------------------------------------------
// The only answer

/// w = A z + q with z = (p_n, beta+, beta-, lambda) of every contact:
///
///     w_n = u_n,  w+ = u_t + lambda,  w- = -u_t + lambda,  w_l = mu p_n - beta+ - beta-.
static void assemble(const Planar *planar, double *A, double *q)
{
    const TactContactProblem *problem = &planar->problem;
    int                       nc = problem->contact_count, nv = problem->nv, n = 4 * nc;
    memset(A, 0, (size_t)(n * n) * sizeof *A);
    for (int row = 0; row < 3 * nc; row++) {
        int           i = row / 3, k = row % 3;
        const double *Ji = planar->J[i] + (k > 0 ? nv : 0);
        double        sign = k == 2 ? -1 : 1, free = 0;
        for (int s = 0; s < nv; s++) {
            double m = planar->M[s * (nv + 1)];
            free += Ji[s] * (planar->v[s] + problem->step * planar->tau[s] / m);
        }
        q[4 * i + k] = sign * free;
        for (int column = 0; column < 3 * nc; column++) {
            int           j = column / 3, l = column % 3;
            const double *Jj = planar->J[j] + (l > 0 ? nv : 0);
            double        sum = 0;
            for (int s = 0; s < nv; s++) {
                sum += Ji[s] * Jj[s] / planar->M[s * (nv + 1)];
            }
            A[(4 * i + k) * n + 4 * j + l] = sign * (l == 2 ? -1 : 1) * sum;
        }
    }
    for (int i = 0; i < nc; i++) {
        int lambda = 4 * i + 3;
        q[lambda] = 0;
        A[lambda * n + 4 * i] = planar->contacts[i].mu;
        for (int k = 1; k < 3; k++) {
            A[lambda * n + 4 * i + k] = -1;
            A[(4 * i + k) * n + lambda] = 1;
        }
    }
}

typedef struct Search {
    int    contacts;
    double scale; // max |q|
    int    found;
    bool   several;
    double p[2 * MOST]; // p_n, p_t
} Search;

/// Points of a singular basis that differ in lambda alone have the same impulses: lambda is basic
/// and neither of its directions is, so that its column is 0.
static bool is_lambda_alone(const TactLcpBasisPoint *point, int contacts)
{
    int loose = 0;
    for (int i = 0; i < contacts; i++) {
        const unsigned char *basis = point->basis + 4 * i;
        loose += basis[3] == TACT_LCP_STATE_BASIC && basis[1] != TACT_LCP_STATE_BASIC &&
                 basis[2] != TACT_LCP_STATE_BASIC;
    }
    return point->nullity == loose;
}

static bool visit(void *context, const TactLcpBasisPoint *point)
{
    Search *search = context;
    double  apart = 0, size = 0, p[2 * MOST];
    // A basis of a whole family of points, or a point that is nearly a solution: who knows.
    if (!is_lambda_alone(point, search->contacts) || point->error > 1e-12 * search->scale) {
        search->several = search->several || point->error <= 1e-8 * search->scale;
        return !search->several;
    }
    for (int i = 0; i < search->contacts; i++) {
        p[2 * i] = point->z[4 * i];
        p[2 * i + 1] = point->z[4 * i + 1] - point->z[4 * i + 2];
    }
    for (int i = 0; i < 2 * search->contacts; i++) {
        apart = fmax(apart, fabs(p[i] - search->p[i]));
        size = fmax(size, fabs(p[i]));
    }
    search->several = search->several || (search->found > 0 && apart > 1e-9 * size);
    if (search->found++ == 0) {
        memcpy(search->p, p, sizeof p);
    }
    return !search->several;
}

static bool find_only(const Planar *planar, Search *search)
{
    double A[UNKNOWNS * UNKNOWNS], q[UNKNOWNS];
    int    n = 4 * planar->problem.contact_count;
    *search = (Search){.contacts = planar->problem.contact_count};
    assemble(planar, A, q);
    for (int i = 0; i < n; i++) {
        search->scale = fmax(search->scale, fabs(q[i]));
    }
    TactLcpProblem     lcp = {.n = n, .M = A, .q = q};
    TactLcpEnumeration enumeration;
    TactStatus         status = tact_lcp_enumerate_all(&lcp, visit, search, &enumeration);
    return status == TACT_OK && enumeration.open == 0 && search->found > 0 && !search->several;
}

// ---------------------------------------------------------------------------------------------
// Every method

typedef struct Tally {
    int    solved, missed;
    double apart; // largest distance from the only answer, relative to it
} Tally;

static void compare(const Run *run, RunSolver *own, RunAnswer *memory, const Planar *planar,
                    const Search *only, Tally *tally)
{
    TactContactSolver *solver = runs_solver(own, run, &planar->problem);
    TactContactAnswer  answer = runs_answer(memory, &planar->problem);
    TactContactReport  report;
    double             apart = 0, size = 0;
    assert_non_null(solver);
    tact_contact_solver_forget(solver);
    assert_int_equal(tact_contact_solve(solver, &planar->problem, &answer, &report), TACT_OK);
    if (report.outcome != TACT_OUTCOME_SOLVED) {
        return;
    }
    for (int i = 0; i < only->contacts; i++) {
        for (int k = 0; k < 2; k++) {
            apart = fmax(apart, fabs(answer.impulse[3 * i + k] - only->p[2 * i + k]));
            size = fmax(size, fabs(only->p[2 * i + k]));
        }
    }
    apart = size > 0 ? apart / size : apart;
    tally->solved++;
    tally->missed += apart > 1e-6;
    tally->apart = fmax(tally->apart, apart);
}

static void every_method_gives_the_only_answer(void **state)
{
    (void)state;
    static const double mus[] = {0, 0.3, 1, 2};
    TactRandom          random = tact_random_seed(9);
    Run                 runs[MAX_RUNS];
    int                 run_count = runs_list(runs), unique = 0;
    RunSolver           solvers[MAX_RUNS] = {0};
    Tally               tally[MAX_RUNS] = {0};
    RunAnswer           memory = {0};
    for (int trial = 0; trial < PROBLEMS; trial++) {
        static Planar planar;
        Search        only;
        PlanarKind    kind = {.mu = mus[trial % 4], .speed = trial % 3 ? 1 : 0};
        planar_draw(&random, &kind, 1 + trial % 3, 1 + trial % MOST, &planar);
        if (!find_only(&planar, &only)) {
            continue;
        }
        unique++;
        for (int r = 0; r < run_count; r++) {
            compare(&runs[r], &solvers[r], &memory, &planar, &only, &tally[r]);
        }
    }
    print_message("%d of %d problems in the plane have one answer\n", unique, (int)PROBLEMS);
    int missed = 0, unsolved = 0;
    for (int r = 0; r < run_count; r++) {
        print_message("%-20s solves %d, %d of them otherwise, apart by at most %.1e\n",
                      runs[r].name, tally[r].solved, tally[r].missed, tally[r].apart);
        missed += tally[r].missed;
        unsolved += unique - tally[r].solved;
        tact_contact_solver_destroy(solvers[r].solver);
    }
    free(memory.block);
    assert_true(unique > PROBLEMS / 2);
    assert_int_equal(missed, 0);
    assert_int_equal(unsolved, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(every_method_gives_the_only_answer)};
    return cmocka_run_group_tests_name("contact/unique", tests, NULL, NULL);
}
