// Contacts that resist spinning and rolling in the GPU's kernels of mechanisms, lane by lane on a
// processor, against the processor's own solver and certificate.
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <tact/contact.h>

#include "bench/gpu/mechanisms.h"
#include "tests/gpu/mechanism_lanes.h"

// After the standard headers
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

enum { COUNT = 12, CONTACTS = 8, MOTORS = 6, MOMENTS = 12, LOOPS = 3, MOST_DOF = 64 };
enum { ROWS = 3 * CONTACTS + MOTORS + MOMENTS + LOOPS };

/// Problems of the benchmark whose contacts resist nothing more, spinning, rolling, or both.
typedef struct Soft {
    TactBenchMechanisms own;
    TactMechanismMore   more;
    TactBodyAnswers     answers;
    double             *J; // (COUNT x ROWS x dof)
    double       *turns;   // J of relative rotation, not scaled      (COUNT x CONTACTS x 3 x dof)
    double        bound[COUNT * MOTORS], target[COUNT * LOOPS];
    double        spin[CONTACTS], roll[CONTACTS];
    unsigned      basis[COUNT * MOTORS], turn_basis[2 * COUNT * CONTACTS];
    unsigned char resists[COUNT * CONTACTS];
    double        impulse[COUNT * ROWS];
} Soft;

/// Rows of one problem: those of the benchmark, joints, moments about axes that its contacts may
/// turn about, loops.
static void put_rows(Soft *m, int i, TactRandom *random)
{
    size_t        n = (size_t)m->own.problems.dof;
    const double *from = m->own.problems.J + (size_t)i * 3 * CONTACTS * n;
    double       *J = m->J + (size_t)i * ROWS * n, *turn = m->turns + (size_t)i * 3 * CONTACTS * n;
    memcpy(J, from, 3 * CONTACTS * n * sizeof *J);
    J += 3 * CONTACTS * n;
    for (size_t k = 0; k < MOTORS; k++, J += n) {
        J[n - 1 - k] = 1;
    }
    for (int c = 0; c < CONTACTS; c++) {
        for (int axis = 0; axis < 3; axis++, turn += n) {
            double mu = axis == 0 ? m->spin[c] : m->roll[c];
            for (size_t k = 0; k < n; k++) {
                bool moves = from[(size_t)(3 * c) * n + k] != 0;
                turn[k] = moves ? tact_random_uniform(random, -3, 3) : 0;
            }
            for (size_t k = 0; k < n && mu > 0; k++) {
                J[k] = mu * turn[k];
            }
            J += mu > 0 ? n : 0;
        }
        m->resists[i * CONTACTS + c] = (unsigned char)((m->spin[c] > 0 ? TACT_TURN_SPIN : 0) |
                                                       (m->roll[c] > 0 ? TACT_TURN_ROLL : 0));
    }
    for (size_t k = 0; k < LOOPS; k++, J += n) {
        J[6 + 3 * k] = 1;
        J[7 + 3 * k] = -0.5;
    }
}

static Soft *make(TactMechanismKind kind, double size, double strength, uint64_t seed)
{
    Soft                  *m = calloc(1, sizeof *m);
    TactBenchMechanismCase what = {kind, CONTACTS, 8, COUNT, -1, TACT_CONE_PYRAMID};
    TactRandom             random = tact_random_seed(seed);
    assert_non_null(m);
    assert_int_equal(tact_bench_mechanisms_create(TACT_DEVICE_CPU, &what, &m->own), TACT_OK);
    tact_mechanism_mix_draw(kind, seed, 0, COUNT, 0, &m->own.drawn);
    size_t n = (size_t)m->own.problems.dof;
    m->J = calloc(COUNT * ROWS * n, sizeof(double));
    m->turns = calloc((size_t)COUNT * CONTACTS * 3 * n, sizeof(double));
    assert_true(m->J && m->turns);
    for (int c = 0; c < CONTACTS; c++) {
        m->spin[c] = c % 4 & 1 ? size : 0;
        m->roll[c] = c % 4 & 2 ? 0.3 * size : 0;
    }
    for (int i = 0; i < COUNT; i++) {
        put_rows(m, i, &random);
    }
    for (int k = 0; k < COUNT * MOTORS; k++) {
        m->bound[k] = strength * tact_random_uniform(&random, 0.1, 1);
    }
    m->own.problems.J = m->J;
    m->own.problems.rows = ROWS;
    m->more = (TactMechanismMore){.motors = MOTORS,
                                  .loops = LOOPS,
                                  .bound = m->bound,
                                  .target = m->target,
                                  .basis = m->basis,
                                  .turns = m->resists,
                                  .turn_basis = m->turn_basis};
    m->answers = m->own.answers;
    m->answers.impulse = m->impulse;
    return m;
}

static void destroy(Soft *m)
{
    tact_bench_mechanisms_destroy(&m->own);
    free(m->J);
    free(m->turns);
    free(m);
}

/// The processor's problem of the same numbers, and the answer of the lanes to it.
typedef struct View {
    TactContactProblem problem;
    TactContact        contacts[CONTACTS];
    TactContactRow     rows[MOTORS + LOOPS];
    double             M[MOST_DOF * MOST_DOF], J[6 * CONTACTS * MOST_DOF];
    double             moment[3 * CONTACTS], row_impulse[MOTORS + LOOPS];
} View;

static void look_at_contacts(const Soft *m, int i, View *view)
{
    size_t        n = (size_t)m->own.problems.dof;
    const double *J = m->J + (size_t)i * ROWS * n, *turn = m->turns + (size_t)i * 3 * CONTACTS * n;
    const double *x = m->impulse + (size_t)i * ROWS + 3 * CONTACTS + MOTORS;
    for (size_t c = 0; c < CONTACTS; c++) {
        double *own = view->J + 6 * c * n;
        memcpy(own, J + 3 * c * n, 3 * n * sizeof *own);
        memcpy(own + 3 * n, turn + 3 * c * n, 3 * n * sizeof *own);
        view->contacts[c] = (TactContact){.J = own,
                                          .mu = m->own.problems.mu[(size_t)i * CONTACTS + c],
                                          .mu_spin = m->spin[c],
                                          .mu_roll = m->roll[c],
                                          .directions = 8};
        for (int axis = 0; axis < 3; axis++) {
            double mu = axis == 0 ? m->spin[c] : m->roll[c];
            view->moment[3 * c + (size_t)axis] = mu > 0 ? mu * *x++ : 0;
        }
    }
}

static void look(const Soft *m, int i, View *view)
{
    const TactMechanismProblems *all = &m->own.problems;
    TactMechanismOne             one = tact_mechanism_one(all, i);
    int                          n = all->dof;
    memset(view, 0, sizeof *view);
    for (int j = 0; j < n; j++) {
        for (int k = 0; k <= j; k++) {
            view->M[j * n + k] = view->M[k * n + j] = one.M[tact_triangle(j) + k];
        }
    }
    look_at_contacts(m, i, view);
    for (int k = 0; k < MOTORS + LOOPS; k++) {
        bool motor = k < MOTORS;
        int  row = 3 * CONTACTS + k + (motor ? 0 : MOMENTS);
        view->rows[k] =
            (TactContactRow){.kind = motor ? TACT_ROW_MOTOR : TACT_ROW_BILATERAL,
                             .J = one.J + (size_t)row * (size_t)n,
                             .force_max = motor ? m->bound[i * MOTORS + k] / all->step : 0};
        view->row_impulse[k] = m->impulse[i * ROWS + row];
    }
    view->problem = (TactContactProblem){.step = all->step,
                                         .nv = n,
                                         .M = view->M,
                                         .v = one.velocity,
                                         .tau = one.force,
                                         .contact_count = CONTACTS,
                                         .contacts = view->contacts,
                                         .row_count = MOTORS + LOOPS,
                                         .rows = view->rows};
}

/// How answers compare with the processor's.
typedef struct Compared {
    int    certified, refused, same, turning; // turning: moments at their bounds
    double difference, worst;
} Compared;

static TactContactSolver *make_solver(TactContactCone cone)
{
    TactContactSolver  *solver = NULL;
    TactContactConfig   config = tact_contact_config_default(TACT_METHOD_LADDER);
    TactContactCapacity capacity = {.contacts = CONTACTS,
                                    .rows = MOTORS + LOOPS + 3 * CONTACTS,
                                    .dof = MOST_DOF,
                                    .support = MOST_DOF,
                                    .dense = true,
                                    .directions = 8,
                                    .patches = CONTACTS};
    config.cone = cone;
    assert_int_equal(tact_contact_solver_create(&capacity, &config, &solver), TACT_OK);
    return solver;
}

static void compare_one(const Soft *m, int i, TactContactSolver *solver, Compared *out)
{
    View         *view = calloc(1, sizeof *view);
    int           n = m->own.problems.dof;
    double       *v = m->answers.velocity + (size_t)i * (size_t)n, apart = 0;
    double        mine[3 * CONTACTS], moment[3 * CONTACTS], rows[MOTORS + LOOPS];
    double        velocity[MOST_DOF];
    const double *p = m->impulse + (size_t)i * ROWS;
    double error = mechanism_lanes_certify_more(&m->own.problems, &m->more, 8, &m->answers, i);
    assert_non_null(view);
    error = m->answers.pivots[i] < 0 ? (double)INFINITY : error;
    if (!(error <= 1e-8)) {
        free(view);
        return;
    }
    look(m, i, view);
    TactContactAnswer      given = {.impulse = (double *)p,
                                    .row_impulse = view->row_impulse,
                                    .velocity = v,
                                    .moment = view->moment};
    TactContactCertificate certificate;
    assert_int_equal(tact_contact_certify_answer(
                         &view->problem, m->more.circle ? TACT_CONE_CIRCLE : TACT_CONE_PYRAMID,
                         &given, &certificate),
                     TACT_OK);
    out->certified++;
    out->refused += !(certificate.error <= 1e-8);
    out->difference = fmax(out->difference, fabs(certificate.error - error));
    for (int c = 0; c < CONTACTS; c++) {
        out->turning += p[3 * c] > 0 && m->spin[c] > 0 &&
                        fabs(fabs(view->moment[3 * c]) - m->spin[c] * p[3 * c]) < 1e-9;
    }
    TactContactAnswer answer = {
        .impulse = mine, .row_impulse = rows, .velocity = velocity, .moment = moment};
    TactContactReport report;
    tact_contact_solver_forget(solver);
    if (tact_contact_solve(solver, &view->problem, &answer, &report)) {
        fail_msg("%s", tact_status_message());
    }
    for (int k = 0; k < n; k++) {
        apart = fmax(apart, fabs(velocity[k] - v[k]));
    }
    out->same += apart <= 1e-9;
    out->worst = fmax(out->worst, apart);
    free(view);
}

/// By the first covering vector; then once more from their own bases. same: answers that are to be
/// those of the processor.
static void solve_and_check(MechanismLanesSolveMore *solve, Soft *m, const char *name, int same)
{
    TactContactSolver *solver = make_solver(TACT_CONE_PYRAMID);
    Compared           found = {0}, again = {0};
    solve(&m->own.problems, &m->more, 8, 0, 0, &m->answers);
    for (int i = 0; i < COUNT; i++) {
        compare_one(m, i, solver, &found);
    }
    print_message("  %s: %d of %d certified, %d refused, %d the processor's (%.2g apart), %d "
                  "spinning, certificates differ by %.2g\n",
                  name, found.certified, COUNT, found.refused, found.same, found.worst,
                  found.turning, found.difference);
    assert_int_equal(found.refused, 0);
    assert_true(found.difference < 1e-12);
    assert_true(found.certified >= COUNT - 1 && found.same >= same && found.turning > 0);
    solve(&m->own.problems, &m->more, 8, 0, 2, &m->answers);
    for (int i = 0; i < COUNT; i++) {
        compare_one(m, i, solver, &again);
        assert_true(found.certified < COUNT || m->answers.pivots[i] == 0); // no pivots
    }
    assert_true(again.certified >= found.certified);
    tact_contact_solver_destroy(solver);
    destroy(m);
}

/// Axes are drawn, and not those of bodies: some problems have several answers, which the processor
/// certifies as well as its own.
static void test_moments(void **state)
{
    (void)state;
    solve_and_check(mechanism_lanes_solve_more_32, make(TACT_MECHANISM_BIPED, 0.02, 0.2, 3),
                    "small patches", COUNT - 2);
    solve_and_check(mechanism_lanes_solve_more_32, make(TACT_MECHANISM_BIPED, 0.3, 1, 4),
                    "large patches", COUNT / 2);
    solve_and_check(mechanism_lanes_solve_more_64, make(TACT_MECHANISM_BIPED, 0.05, 0.2, 5),
                    "64 degrees of freedom", COUNT / 2);
}

/// On the circle sliding and rolling have round bounds; what the first path does not find is tried
/// again by others, and left to the processor.
static void test_moments_with_the_circle(void **state)
{
    static const double patches[3][2] = {{0.02, 0.2}, {0.3, 1}, {0.05, 0.2}};
    (void)state;
    for (int k = 0; k < 3; k++) {
        Soft *m = make(TACT_MECHANISM_BIPED, patches[k][0], patches[k][1], (uint64_t)(7 + k));
        TactContactSolver *solver = make_solver(TACT_CONE_CIRCLE);
        Compared           found = {0};
        m->more.circle = 1;
        mechanism_lanes_solve_more_32(&m->own.problems, &m->more, 8, 0, 0, &m->answers);
        for (int i = 0; i < COUNT; i++) {
            compare_one(m, i, solver, &found);
        }
        print_message("  circle: %d of %d certified, %d refused, %d the processor's (%.2g apart), "
                      "%d spinning, certificates differ by %.2g\n",
                      found.certified, COUNT, found.refused, found.same, found.worst, found.turning,
                      found.difference);
        assert_int_equal(found.refused, 0);
        assert_true(found.difference < 1e-12);
        assert_true(found.certified >= COUNT / 2 && found.turning > 0);
        tact_contact_solver_destroy(solver);
        destroy(m);
    }
}

/// A moment that is too large, or not opposed to the motion.
static void test_a_wrong_moment_is_refused(void **state)
{
    Soft *m = make(TACT_MECHANISM_BIPED, 0.3, 0.5, 6);
    int   loaded = 0, refused = 0;
    (void)state;
    mechanism_lanes_solve_more_32(&m->own.problems, &m->more, 8, 0, 0, &m->answers);
    for (int i = 0; i < COUNT; i++) {
        double *x = m->impulse + i * ROWS + 3 * CONTACTS + MOTORS;
        for (int k = 0; k < MOMENTS; k++) {
            double held = x[k];
            if (fabs(held) > 1e-6) {
                x[k] *= 1.001;
                loaded++;
                refused += !(mechanism_lanes_certify_more(&m->own.problems, &m->more, 8,
                                                          &m->answers, i) <= 1e-8);
                x[k] = held;
            }
        }
    }
    print_message("  %d of %d refused\n", refused, loaded);
    assert_true(loaded > COUNT);
    assert_int_equal(refused, loaded);
    destroy(m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_moments),
        cmocka_unit_test(test_moments_with_the_circle),
        cmocka_unit_test(test_a_wrong_moment_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
