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

typedef struct Made {
    TactContactProblem problem;
    TactContactBody    bodies[PATCH_BODIES];
    TactContact        contacts[PATCH_CONTACTS];
} Made;

static int         problem_count = 1500;
static uint64_t    first_seed = 1;
static const char *keep; // a file for the problem, to look at; NULL: none

static double uniform(TactRandom *random, double lo, double hi)
{
    return tact_random_uniform(random, lo, hi);
}

static int pick(TactRandom *random, int count)
{
    return (int)(tact_random_next(random) >> 33) % count;
}

/// 0, or a length or coefficient over two decades about a size.
static double maybe(TactRandom *random, double size)
{
    return pick(random, 3) == 0 ? 0 : size * pow(10, uniform(random, -1, 1));
}

static void add_body(Made *made, TactRandom *random, const double position[3], double size)
{
    TactContactBody *body = &made->bodies[made->problem.body_count++];
    double           mass = pow(10, uniform(random, -1, 1));
    *body = (TactContactBody){.mass = mass, .force = {0, 0, -9.81 * mass}};
    for (int k = 0; k < 3; k++) {
        body->inertia[k] = mass * size * size * uniform(random, 0.1, 0.2);
        body->position[k] = position[k];
        body->velocity[k] = pick(random, 2) ? uniform(random, -1, 1) : 0;
        body->omega[k] = pick(random, 2) ? uniform(random, -5, 5) : 0;
        body->force[k] += pick(random, 3) ? 0 : uniform(random, -10, 10) * mass;
        body->torque[k] = pick(random, 3) ? 0 : uniform(random, -3, 3) * mass * size;
    }
}

static void add_contact(Made *made, TactRandom *random, int a, int b, const double point[3],
                        const double normal[3])
{
    TactContact *contact = &made->contacts[made->problem.contact_count++];
    *contact = (TactContact){.a = a,
                             .b = b,
                             .mu = maybe(random, 0.3),
                             .mu_spin = maybe(random, 0.01),
                             .mu_roll = maybe(random, 0.005),
                             .restitution = pick(random, 6) ? 0 : uniform(random, 0, 1),
                             .compliance = pick(random, 8) ? 0 : 1e-4,
                             .directions = pick(random, 2) ? 0 : 4 + 2 * pick(random, 3),
                             .turn = pick(random, 2) ? 0 : uniform(random, 0, 1)};
    if (pick(random, 3) == 0) {
        contact->mu2 = 0.3 * pow(10, uniform(random, -1, 1));
    }
    if (pick(random, 3) == 0) {
        contact->friction_law = TACT_FRICTION_LAW_ELLIPSOID;
    }
    if (pick(random, 5) == 0) {
        contact->surface[pick(random, 2)] = uniform(random, -1, 1);
    }
    for (int k = 0; k < 3; k++) {
        contact->point[k] = point[k];
        contact->normal[k] = normal[k];
        contact->tangent[k] = uniform(random, -1, 1);
    }
}

/// A body on one to six contacts with the world, all about its lower side.
static void make_single(Made *made, TactRandom *random)
{
    double size = 0.1, origin[3] = {0, 0, size};
    int    count = 1 + pick(random, 6);
    add_body(made, random, origin, size);
    for (int i = 0; i < count; i++) {
        double normal[3] = {uniform(random, -0.5, 0.5), uniform(random, -0.5, 0.5), 1}, point[3];
        double length = sqrt(normal[0] * normal[0] + normal[1] * normal[1] + 1);
        for (int k = 0; k < 3; k++) {
            normal[k] = pick(random, 2) || i > 0 ? normal[k] / length : k == 2;
        }
        length = sqrt(normal[0] * normal[0] + normal[1] * normal[1] + normal[2] * normal[2]);
        for (int k = 0; k < 3; k++) {
            normal[k] /= length;
            point[k] = origin[k] - size * normal[k] + uniform(random, -0.03, 0.03);
        }
        add_contact(made, random, -1, 0, point, normal);
    }
}

/// Boxes or balls on each other: four contacts or one between two.
static void make_stack(Made *made, TactRandom *random)
{
    double up[3] = {0, 0, 1};
    int    count = 2 + pick(random, 3);
    for (int b = 0; b < count; b++) {
        double position[3] = {0, 0, 0.1 + 0.2 * b};
        add_body(made, random, position, 0.1);
        bool ball = pick(random, 3) == 0;
        for (int i = 0; i < (ball ? 1 : 4); i++) {
            double side = ball ? 0 : 0.1;
            double point[3] = {i % 2 ? side : -side, i / 2 ? side : -side, 0.2 * b};
            add_contact(made, random, b - 1, b, point, up);
        }
    }
}

/// Fingers, pushed inwards, that hold a body between them.
static void make_grasp(Made *made, TactRandom *random)
{
    double centre[3] = {0, 0, 0};
    int    fingers = 2 + pick(random, 3);
    add_body(made, random, centre, 0.05);
    for (int f = 0; f < fingers; f++) {
        double angle = 2 * 3.14159265358979 * f / fingers, c = cos(angle), s = sin(angle);
        double position[3] = {0.1 * c, 0.1 * s, 0}, normal[3] = {-c, -s, 0};
        double squeeze = pow(10, uniform(random, 0, 2));
        double point[3] = {0.05 * c, 0.05 * s, uniform(random, -0.01, 0.01)};
        add_body(made, random, position, 0.05);
        TactContactBody *finger = &made->bodies[1 + f];
        finger->force[0] -= squeeze * c;
        finger->force[1] -= squeeze * s;
        finger->force[2] += 9.81 * finger->mass;
        add_contact(made, random, 1 + f, 0, point, normal);
    }
}

static void make(Made *made, uint64_t seed)
{
    TactRandom random = tact_random_seed(seed);
    *made = (Made){0};
    made->problem = (TactContactProblem){.step = pick(&random, 2) ? 0.01 : 0.001,
                                         .bodies = made->bodies,
                                         .contacts = made->contacts};
    switch (pick(&random, 3)) {
    case 0: make_single(made, &random); break;
    case 1: make_stack(made, &random); break;
    default: make_grasp(made, &random); break;
    }
}

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

static bool has_ellipsoid(const TactContactProblem *problem)
{
    for (int i = 0; i < problem->contact_count; i++) {
        const TactContact *c = &problem->contacts[i];
        if (c->friction_law == TACT_FRICTION_LAW_ELLIPSOID && (c->mu_spin > 0 || c->mu_roll > 0)) {
            return true;
        }
    }
    return false;
}

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

static void solve(Run *run, const Made *made, uint64_t seed)
{
    const TactContactProblem *problem = &made->problem;
    bool pivots = run->method == TACT_METHOD_REDUCED || run->method == TACT_METHOD_STRUCTURAL;
    if ((run->cone == TACT_CONE_PYRAMID || pivots) && has_ellipsoid(problem)) {
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
        Made made;
        make(&made, first_seed + (uint64_t)i);
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

/// W = J M^-1 J' and u_free = J (v + h M^-1 f): six rows of a contact that resists spinning or
/// rolling, three of another. n: rows of all.
static void make_delassus(const TactContactProblem *problem, size_t n, double *W, double *u_free)
{
    enum { DOF = 6 * PATCH_BODIES };
    int         contact[6 * PATCH_CONTACTS], row[6 * PATCH_CONTACTS];
    double      none[3 * PATCH_CONTACTS] = {0};
    long double u[PATCH_CONTACTS][6], size[PATCH_CONTACTS][6], a[DOF], b[DOF];
    size_t      count = 0;
    patch_motion(problem, none, none, u, size);
    for (int i = 0; i < problem->contact_count; i++) {
        for (int r = 0; r < (tact_contact_has_moments(&problem->contacts[i]) ? 6 : 3); r++) {
            const TactContact *c = &problem->contacts[i];
            double             surface = r == 1 || r == 2 ? c->surface[r - 1] : 0;
            u_free[count] = (double)(u[i][r] - surface); // the contact has it
            contact[count] = i;
            row[count++] = r;
        }
    }
    assert_int_equal(count, n);
    for (size_t i = 0; i < n; i++) {
        patch_row(problem, contact[i], row[i], a);
        patch_inverse(problem, a);
        for (size_t j = 0; j < n; j++) {
            long double sum = 0;
            patch_row(problem, contact[j], row[j], b);
            for (int k = 0; k < 6 * problem->body_count; k++) {
                sum += a[k] * b[k];
            }
            W[i * n + j] = (double)sum;
        }
    }
}

/// Solves a problem given by W; what is called solved obeys the laws of its bodies.
static bool solve_delassus(const TactContactProblem *problem, const Made *made, uint64_t seed,
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
        Made made;
        make(&made, 1 + (uint64_t)i);
        size_t n = 0;
        for (int k = 0; k < made.problem.contact_count; k++) {
            made.contacts[k].restitution = 0; // W knows nothing of the motion before
            n += tact_contact_has_moments(&made.contacts[k]) ? 6 : 3;
        }
        double *W = calloc(n * n + 1, sizeof *W), *u_free = calloc(n + 1, sizeof *u_free);
        assert_true(W && u_free);
        make_delassus(&made.problem, n, W, u_free);
        TactContact given[PATCH_CONTACTS];
        memcpy(given, made.contacts, sizeof given);
        TactContactProblem problem = {.step = made.problem.step,
                                      .W = W,
                                      .u_free = u_free,
                                      .contact_count = made.problem.contact_count,
                                      .contacts = given};
        uint64_t           seed = 1 + (uint64_t)i;
        solved += solve_delassus(&problem, &made, seed, TACT_METHOD_LADDER);
        if (!has_ellipsoid(&made.problem)) {
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
