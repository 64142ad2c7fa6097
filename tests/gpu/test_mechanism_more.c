// Motors, loops and the circle in the GPU's kernels of mechanisms, lane by lane on a processor,
// against the processor's own solver and certificate.
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <tact/contact.h>

#include "bench/gpu/mechanisms.h"
#include "tests/gpu/mechanism_lanes.h"
#include "tests/gpu/step_lanes.h"

// After the standard headers
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

enum { COUNT = 12, CONTACTS = 8, MOST_EXTRA = 24, ROWS = 3 * CONTACTS + MOST_EXTRA, MOST_DOF = 64 };

/// What is added to problems of the benchmark, with answers and the processor's view of one.
typedef struct More {
    TactBenchMechanisms own;
    TactMechanismMore   more;
    TactBodyAnswers     answers;
    double              J[COUNT][ROWS * MOST_DOF];
    double              bound[COUNT * MOST_EXTRA], target[COUNT * MOST_EXTRA];
    unsigned            basis[COUNT * MOST_EXTRA];
    double              impulse[COUNT * ROWS];
    double             *packed; // J without room that is not used
} More;

/// One more row of J in every problem, after those that there are: joint `dof`, less `slope` times
/// the joint `other`.
static void add_row(More *m, int row, int dof, int other, double slope)
{
    for (int i = 0; i < COUNT; i++) {
        double *J = m->J[i] + row * m->own.problems.dof;
        memset(J, 0, (size_t)m->own.problems.dof * sizeof *J);
        J[dof] = 1;
        if (other >= 0) {
            J[other] -= slope;
        }
    }
}

static More *make(TactMechanismKind kind, int motors, int loops, double strength, uint64_t seed)
{
    More                  *m = calloc(1, sizeof *m);
    TactBenchMechanismCase what = {kind, CONTACTS, 8, COUNT, -1, TACT_CONE_PYRAMID};
    TactRandom             random = tact_random_seed(seed);
    assert_non_null(m);
    assert_int_equal(tact_bench_mechanisms_create(TACT_DEVICE_CPU, &what, &m->own), TACT_OK);
    tact_mechanism_mix_draw(kind, seed, 0, COUNT, 0, &m->own.drawn);
    size_t dof = (size_t)m->own.problems.dof, rows = (size_t)(3 * CONTACTS + motors + loops);
    for (size_t i = 0; i < COUNT; i++) {
        memcpy(m->J[i], m->own.problems.J + i * 3 * CONTACTS * dof,
               3 * CONTACTS * dof * sizeof(double));
    }
    for (int k = 0; k < motors; k++) {
        add_row(m, 3 * CONTACTS + k, (int)dof - 1 - k, -1, 0);
    }
    for (int k = 0; k < loops; k++) {
        add_row(m, 3 * CONTACTS + motors + k, 6 + 3 * k, 7 + 3 * k, 0.5 + k);
    }
    for (int k = 0; k < COUNT * motors; k++) {
        m->bound[k] = strength * tact_random_uniform(&random, 0.1, 1);
    }
    for (int k = 0; k < COUNT * loops; k++) {
        m->target[k] = tact_random_uniform(&random, -0.1, 0.1);
    }
    m->packed = calloc(COUNT * rows * dof, sizeof(double));
    assert_non_null(m->packed);
    for (size_t i = 0; i < COUNT; i++) {
        memcpy(m->packed + i * rows * dof, m->J[i], rows * dof * sizeof(double));
    }
    m->own.problems.J = m->packed;
    m->own.problems.rows = (int)rows;
    m->more = (TactMechanismMore){.motors = motors,
                                  .loops = loops,
                                  .bound = m->bound,
                                  .target = m->target,
                                  .basis = m->basis};
    m->answers = m->own.answers;
    m->answers.impulse = m->impulse;
    return m;
}

static void destroy(More *m)
{
    tact_bench_mechanisms_destroy(&m->own);
    free(m->packed);
    free(m);
}

/// The processor's problem of the same numbers.
typedef struct View {
    TactContactProblem problem;
    TactContact        contacts[CONTACTS];
    TactContactRow     rows[MOST_EXTRA];
    double             M[MOST_DOF * MOST_DOF];
} View;

static void look(const More *m, int i, View *view)
{
    const TactMechanismProblems *all = &m->own.problems;
    TactMechanismOne             one = tact_mechanism_one(all, i);
    int                          n = all->dof, extra = m->more.motors + m->more.loops;
    memset(view, 0, sizeof *view);
    for (int j = 0; j < n; j++) {
        for (int k = 0; k <= j; k++) {
            view->M[j * n + k] = view->M[k * n + j] = one.M[tact_triangle(j) + k];
        }
    }
    for (int c = 0; c < CONTACTS; c++) {
        view->contacts[c] = (TactContact){
            .J = one.J + (size_t)(3 * c) * (size_t)n, .mu = one.mu[c], .directions = 8};
    }
    for (int k = 0; k < extra; k++) {
        bool motor = k < m->more.motors;
        view->rows[k] = (TactContactRow){
            .kind = motor ? TACT_ROW_MOTOR : TACT_ROW_BILATERAL,
            .J = one.J + (size_t)(3 * CONTACTS + k) * (size_t)n,
            .force_max = motor ? m->bound[i * m->more.motors + k] / all->step : 0,
            .target = motor ? 0 : m->target[i * m->more.loops + k - m->more.motors],
        };
    }
    view->problem = (TactContactProblem){.step = all->step,
                                         .nv = n,
                                         .M = view->M,
                                         .v = one.velocity,
                                         .tau = one.force,
                                         .contact_count = CONTACTS,
                                         .contacts = view->contacts,
                                         .row_count = extra,
                                         .rows = view->rows};
}

/// How answers compare with the processor's: certified by the lanes, refused by the processor, with
/// its velocity, and the largest difference of the two certificates.
typedef struct Compared {
    int    certified, refused, same, kept;
    double difference, worst;
} Compared;

/// which: the answers that count, 1 << i; those that are certified leave it. 0: all.
static void compare(const More *m, unsigned *which, Compared *out)
{
    TactContactSolver  *solver = NULL;
    TactContactConfig   config = tact_contact_config_default(TACT_METHOD_LADDER);
    TactContactCapacity capacity = {.contacts = CONTACTS,
                                    .rows = MOST_EXTRA,
                                    .dof = MOST_DOF,
                                    .support = MOST_DOF,
                                    .dense = true,
                                    .directions = 8};
    TactContactCone     cone = m->more.circle ? TACT_CONE_CIRCLE : TACT_CONE_PYRAMID;
    View               *view = calloc(1, sizeof *view);
    assert_non_null(view);
    config.cone = cone;
    assert_int_equal(tact_contact_solver_create(&capacity, &config, &solver), TACT_OK);
    *out = (Compared){0};
    for (int i = 0; i < COUNT; i++) {
        if (which && !(*which >> i & 1)) {
            continue;
        }
        int           n = m->own.problems.dof;
        const double *p = m->impulse + (size_t)i * (size_t)m->own.problems.rows;
        const double *v = m->answers.velocity + (size_t)i * (size_t)n;
        double        mine[3 * CONTACTS], rows[MOST_EXTRA], velocity[MOST_DOF], apart = 0;
        double        error =
            m->answers.pivots[i] < 0
                       ? (double)INFINITY
                       : mechanism_lanes_certify_more(&m->own.problems, &m->more, 8, &m->answers, i);
        out->certified += error <= 1e-8;
        if (!(error <= 1e-8)) {
            continue;
        }
        if (which) {
            *which &= ~(1u << i);
        }
        look(m, i, view);
        TactContactCertificate certificate;
        assert_int_equal(
            tact_contact_certify(&view->problem, cone, p, p + 3 * CONTACTS, v, &certificate),
            TACT_OK);
        out->refused += !(certificate.error <= 1e-8);
        out->difference = fmax(out->difference, fabs(certificate.error - error));
        TactContactAnswer answer = {.impulse = mine, .row_impulse = rows, .velocity = velocity};
        TactContactReport report;
        tact_contact_solver_forget(solver);
        assert_int_equal(tact_contact_solve(solver, &view->problem, &answer, &report), TACT_OK);
        for (int k = 0; k < n; k++) {
            apart = fmax(apart, fabs(velocity[k] - v[k]));
        }
        out->same += apart <= 1e-9;
        out->worst = fmax(out->worst, apart);
    }
    tact_contact_solver_destroy(solver);
    free(view);
}

/// Three covering vectors, as in steps. first: how many the first of them has to solve at least.
static int solve_by_tries(MechanismLanesSolveMore *solve, More *m, const char *name, int first,
                          int same)
{
    unsigned left = (1u << COUNT) - 1;
    int      at_once = 0, agree = 0;
    for (int number = 0; number < 3 && left; number++) {
        Compared found;
        memset(m->impulse, 0x7f, sizeof m->impulse);
        solve(&m->own.problems, &m->more, 8, number, 0, &m->answers);
        compare(m, &left, &found);
        print_message("  %s: %d of %d certified, %d refused, %d the processor's (%.2g apart), "
                      "certificates differ by %.2g\n",
                      name, found.certified, COUNT, found.refused, found.same, found.worst,
                      found.difference);
        assert_int_equal(found.refused, 0);
        assert_true(found.difference < 1e-12);
        at_once = number == 0 ? found.certified : at_once;
        agree += found.same;
    }
    assert_int_equal(left, 0);
    assert_true(at_once >= first && agree >= same);
    return at_once;
}

static void solve_and_check(MechanismLanesSolveMore *solve, More *m, const char *name, int same)
{
    Compared found;
    solve_by_tries(solve, m, name, COUNT, same);
    // From their own bases: no pivots.
    solve(&m->own.problems, &m->more, 8, 0, 2, &m->answers);
    for (int i = 0; i < COUNT; i++) {
        assert_int_equal(m->answers.pivots[i], 0);
    }
    compare(m, NULL, &found);
    assert_int_equal(found.certified, COUNT);
    destroy(m);
}

/// Weak friction slips in most joints, strong friction holds most of them.
static void test_motors(void **state)
{
    (void)state;
    solve_and_check(mechanism_lanes_solve_more_32, make(TACT_MECHANISM_BIPED, 12, 0, 0.05, 3),
                    "weak friction", COUNT - 2);
    solve_and_check(mechanism_lanes_solve_more_32, make(TACT_MECHANISM_BIPED, 20, 0, 5, 4),
                    "strong friction", COUNT - 2);
    solve_and_check(mechanism_lanes_solve_more_64, make(TACT_MECHANISM_BIPED, 12, 0, 0.5, 5),
                    "64 degrees of freedom", COUNT - 2);
}

static void test_loops(void **state)
{
    (void)state;
    solve_and_check(mechanism_lanes_solve_more_32, make(TACT_MECHANISM_BIPED, 0, 4, 1, 6), "loops",
                    COUNT - 2);
    solve_and_check(mechanism_lanes_solve_more_32, make(TACT_MECHANISM_BIPED, 10, 4, 0.5, 7),
                    "loops and motors", COUNT - 2);
    solve_and_check(mechanism_lanes_solve_more_64, make(TACT_MECHANISM_BIPED, 10, 4, 0.5, 8),
                    "64 degrees of freedom", COUNT - 2);
}

/// Loops twice: the second is implied, and has no impulse.
static void test_loops_that_others_imply(void **state)
{
    More *m = make(TACT_MECHANISM_BIPED, 0, 4, 1, 9);
    (void)state;
    size_t dof = (size_t)m->own.problems.dof, rows = (size_t)m->own.problems.rows;
    for (size_t i = 0; i < COUNT; i++) {
        double *J = m->packed + i * rows * dof + 3 * CONTACTS * dof;
        memcpy(J + 2 * dof, J, 2 * dof * sizeof *J);
        memcpy(m->target + 4 * i + 2, m->target + 4 * i, 2 * sizeof(double));
    }
    solve_and_check(mechanism_lanes_solve_more_32, m, "implied loops", COUNT - 2);
}

static void test_the_circle(void **state)
{
    (void)state;
    static const TactMechanismKind kinds[2] = {TACT_MECHANISM_BIPED, TACT_MECHANISM_CUBES};
    for (int k = 0; k < 4; k++) {
        More *m = make(kinds[k % 2], k < 2 ? 0 : 6, k == 2 ? 3 : 0, 0.2, (uint64_t)(10 + k));
        m->more.circle = 1;
        solve_by_tries(k < 2 ? mechanism_lanes_solve_circle_8 : mechanism_lanes_solve_more_32, m,
                       k % 2 ? "circle, cubes" : "circle, biped", COUNT - 2,
                       k % 2 ? 0 : COUNT - 1); // cubes have many answers
        destroy(m);
    }
}

static void test_a_wrong_answer_is_refused(void **state)
{
    More *m = make(TACT_MECHANISM_BIPED, 12, 3, 0.5, 11);
    (void)state;
    mechanism_lanes_solve_more_32(&m->own.problems, &m->more, 8, 0, 0, &m->answers);
    int refused = 0;
    for (int i = 0; i < COUNT; i++) {
        double *p = m->impulse + (size_t)i * (size_t)m->own.problems.rows + 3 * CONTACTS;
        p[i] *= 1.001; // of a motor
        refused +=
            !(mechanism_lanes_certify_more(&m->own.problems, &m->more, 8, &m->answers, i) <= 1e-8);
        p[i] /= 1.001;
        double held = m->target[3 * i]; // of a loop
        m->target[3 * i] += 1e-4;
        refused +=
            !(mechanism_lanes_certify_more(&m->own.problems, &m->more, 8, &m->answers, i) <= 1e-8);
        m->target[3 * i] = held;
    }
    assert_int_equal(refused, 2 * COUNT);
    destroy(m);
}

/// Through the calls of a batch, on a device of lanes: what it leaves the processor solves.
static void test_batches_of_the_circle(void **state)
{
    static const TactMechanismKind kinds[2] = {TACT_MECHANISM_BIPED, TACT_MECHANISM_CUBES};
    (void)state;
    tact_gpu_use_module(&step_lanes_module);
    for (int k = 0; k < 2; k++) {
        TactBenchMechanisms    m;
        TactContactBatchReport report;
        TactBenchCheck         check;
        TactBenchMechanismCase what = {kinds[k], CONTACTS, 8, COUNT, -1, TACT_CONE_CIRCLE};
        assert_int_equal(tact_bench_mechanisms_create(TACT_DEVICE_CUDA, &what, &m), TACT_OK);
        tact_mechanism_mix_draw(kinds[k], 21, 0, COUNT, 0, &m.drawn);
        assert_int_equal(tact_contact_batch_send_mechanisms(m.batch, &m.problems), TACT_OK);
        assert_int_equal(tact_contact_batch_solve(m.batch, false, &report), TACT_OK);
        assert_int_equal(tact_contact_batch_fetch(m.batch, COUNT, &m.answers), TACT_OK);
        TactWorkers *workers = NULL;
        assert_int_equal(tact_workers_create(1, &workers), TACT_OK);
        assert_int_equal(tact_bench_mechanisms_check(&m, workers, COUNT, &check), TACT_OK);
        print_message("  %s: %d at once, %d later, %d by the processor; %d of %d the processor's, "
                      "worst error %.2g\n",
                      tact_mechanism_mix_name(kinds[k]), report.first, report.retried,
                      report.handed_over, check.same, check.checked, check.worst);
        assert_int_equal(report.first + report.retried + report.handed_over, COUNT);
        assert_true(report.first >= COUNT - 2);
        assert_int_equal(report.unsolved, 0);
        assert_int_equal(check.refused, 0);
        assert_int_equal(check.solved, COUNT);
        tact_workers_destroy(workers);
        tact_bench_mechanisms_destroy(&m);
    }
    tact_gpu_use_module(NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_motors),
        cmocka_unit_test(test_loops),
        cmocka_unit_test(test_loops_that_others_imply),
        cmocka_unit_test(test_the_circle),
        cmocka_unit_test(test_batches_of_the_circle),
        cmocka_unit_test(test_a_wrong_answer_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
