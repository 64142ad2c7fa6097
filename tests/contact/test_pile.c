// Piles that move: the cones of the interior-point start, heaps that fall, and what the published
// study of such problems has kept; answers are judged in long double from the raw problem.
#include "contact/pile/pile.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <tact/base.h>

#include "base/clones.h"
#include "bench/piles/piles.h"
#include "bench/problems/contact_scenes.h"
#include "contact/heaps.h"
#include "contact/pile_own.h"
#include "contact/scenes.h"
#include "io/scratch.h"
#include "oracle/body_law.h"
#include "oracle/contact_law.h"

#ifdef TACT_SANITIZED
enum { SANITIZED = 1 };
#else
enum { SANITIZED = 0 };
#endif

// ---------------------------------------------------------------------------------------------
// Cones

static void draw_inside(TactRandom *random, double x[3])
{
    double angle = tact_random_uniform(random, 0, 6.28), part = tact_random_uniform(random, 0, 1);
    x[0] = pow(10, tact_random_uniform(random, -4, 4));
    x[1] = part * x[0] * cos(angle);
    x[2] = part * x[0] * sin(angle);
}

static void assert_near(const double a[3], const double b[3], double tol)
{
    double size = fmax(fabs(b[0]), fmax(fabs(b[1]), fabs(b[2])));
    for (int c = 0; c < 3; c++) {
        assert_true(fabs(a[c] - b[c]) <= tol * size);
    }
}

static void the_scaling_of_a_cone_takes_z_to_l_and_l_to_x(void **state)
{
    (void)state;
    TactRandom random = tact_random_seed(5);
    for (int k = 0; k < 1000; k++) {
        TactConeScaling scaling;
        double          x[3], z[3], out[3], back[3], W2[9], product[3];
        draw_inside(&random, x);
        draw_inside(&random, z);
        assert_true(tact_cone_scale(x, z, &scaling));
        tact_cone_times(&scaling, z, out);
        assert_near(out, scaling.l, 1e-15);
        tact_cone_times(&scaling, scaling.l, out);
        double near = 1e-13 * x[0] / (x[0] - hypot(x[1], x[2])) * z[0] / (z[0] - hypot(z[1], z[2]));
        assert_near(out, x, near);
        tact_cone_divide(&scaling, out, back);
        assert_near(back, scaling.l, near);
        tact_cone_square(&scaling, W2);
        for (int r = 0; r < 3; r++) {
            out[r] = W2[3 * r] * z[0] + W2[3 * r + 1] * z[1] + W2[3 * r + 2] * z[2];
        }
        assert_near(out, x, near);
        tact_cone_quotient(&scaling, x, out);
        tact_cone_product(scaling.l, out, product);
        assert_near(product, x, near);
    }
    assert_false(tact_cone_scale((double[]){1, 1, 0}, (double[]){1, 0, 0}, &(TactConeScaling){0}));
    assert_false(tact_cone_scale((double[]){-2, 1, 0}, (double[]){1, 0, 0}, &(TactConeScaling){0}));
}

/// x_0 - |x_t| a little before the reach, and a little behind it.
static void a_step_reaches_the_edge_of_the_cone_and_no_further(void **state)
{
    (void)state;
    TactRandom random = tact_random_seed(6);
    int        ends = 0;
    for (int k = 0; k < 1000; k++) {
        double x[3], dx[3];
        draw_inside(&random, x);
        for (int c = 0; c < 3; c++) {
            dx[c] = x[0] * tact_random_normal(&random);
        }
        double reach = tact_cone_reach(x, dx);
        assert_true(reach > 0);
        double before = fmin(reach, 1e6) * (1 - 1e-6), behind = reach * (1 + 1e-6);
        assert_true(x[0] + before * dx[0] >= hypot(x[1] + before * dx[1], x[2] + before * dx[2]));
        if (isfinite(reach)) {
            ends++;
            assert_true(x[0] + behind * dx[0] <
                        hypot(x[1] + behind * dx[1], x[2] + behind * dx[2]));
        } else {
            assert_true(dx[0] >= hypot(dx[1], dx[2]) * (1 - 1e-9));
        }
    }
    assert_in_range(ends, 500, 999);
}

// ---------------------------------------------------------------------------------------------
// The method by itself

/// Solved by the method alone, and right in long double; returns the factors it took.
static int assert_alone(const TactContactProblem *problem, TactContactCone cone)
{
    Own own;
    own_begin(&own, problem, cone);
    TactPileJam jam = {own.system.y0, 1e-8, tact_pile_jam_factors(&own.proximal), false};
    bool        solved = tact_pile_run(&own.pile, &own.proximal, 1e-8, own.p) ||
                  tact_pile_kick(&own.pile, &own.proximal, &jam, own.p);
    assert_true(solved);
    assert_right(&own, problem, cone, own.p);
    int factors = own.proximal.steps;
    tact_arena_destroy(&own.arena);
    return factors;
}

static void mechanisms_with_limits_and_motors_are_solved_on_both_cones(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 4; seed++) {
        const TactTree  tree = {.joints = 24, .contacts = 30, .rows = true};
        TactContactCase made;
        TactRandom      random = tact_random_seed(seed);
        assert_int_equal(tact_case_tree(&random, &tree, &made), TACT_OK);
        assert_true(assert_alone(&made.problem, TACT_CONE_CIRCLE) > 0);
        assert_true(assert_alone(&made.problem, TACT_CONE_PYRAMID) > 0);
        tact_case_destroy(&made);
    }
}

static void hands_around_an_object_are_solved_on_both_cones(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 3; seed++) {
        const TactHand  hand = {.fingers = 5, .joints_each = 3, .contacts_each = 4};
        TactContactCase made;
        TactRandom      random = tact_random_seed(seed);
        assert_int_equal(tact_case_hand(&random, &hand, &made), TACT_OK);
        assert_true(made.problem.row_count > 0); // motors
        assert_true(assert_alone(&made.problem, TACT_CONE_CIRCLE) > 0);
        assert_true(assert_alone(&made.problem, TACT_CONE_PYRAMID) > 0);
        tact_case_destroy(&made);
    }
}

// ---------------------------------------------------------------------------------------------
// Heaps

/// Every fifth contact without friction, every seventh with compliance, both cones.
static void check_kinds(void *context, TactContactFile *file, const char *name)
{
    int *count = context;
    (void)name;
    if (++*count % 6 != 0) {
        return; // neighbours in time are alike
    }
    TactContact *contacts = (TactContact *)file->problem.contacts;
    assert_alone(&file->problem, TACT_CONE_PYRAMID);
    for (int i = 0; i < file->problem.contact_count; i++) {
        contacts[i].mu = i % 5 == 0 ? 0 : contacts[i].mu;
        contacts[i].compliance = i % 7 == 0 ? 0.1 : 0;
    }
    assert_alone(&file->problem, TACT_CONE_CIRCLE);
}

static void a_heap_is_solved_with_compliance_without_friction_and_on_pyramids(void **state)
{
    (void)state;
    TactPileScene scene = {.shape = TACT_PILE_MIXED,
                           .number = 27,
                           .seed = 4,
                           .wedged = true,
                           .step = 0.005,
                           .mu = 0.6};
    int           count = 0;
    make_heap(&scene, 0.5, 30);
    assert_true(visit_folder(tact_scratch_path("."), "mixed", check_kinds, &count) >= 6);
}

/// Chains of a heap, whose hinges have limits; counts the problems that have such rows.
static void check_chains(void *context, TactContactFile *file, const char *name)
{
    int *limited = context;
    (void)name;
    if (*limited < 4 && file->problem.row_count > 0) {
        assert_alone(&file->problem, TACT_CONE_CIRCLE);
        assert_alone(&file->problem, TACT_CONE_PYRAMID);
        ++*limited;
    }
}

static void a_heap_of_chains_with_limits_is_solved_on_both_cones(void **state)
{
    (void)state;
    TactPileScene scene = {.shape = TACT_PILE_CHAINS,
                           .number = 12,
                           .seed = 2,
                           .wedged = true,
                           .step = 0.005,
                           .mu = 0.5};
    int           limited = 0;
    make_heap(&scene, 0.6, 15);
    assert_true(visit_folder(tact_scratch_path("."), "chains", check_chains, &limited) > 0);
    assert_true(limited > 0);
}

/// Solved by the ladder, and right in long double. Prints what is not.
static void check_ladder(void *context, TactContactFile *file, const char *name)
{
    const TactContactProblem *problem = &file->problem;
    TactContactConfig         config = tact_contact_config_default(TACT_METHOD_LADDER);
    TactContactCapacity       capacity = tact_contact_get_capacity(problem);
    TactContactSolver        *solver;
    TactContactReport         report;
    double                   *p = calloc(3 * (size_t)problem->contact_count, sizeof *p);
    int                      *misses = context;
    config.cone = TACT_CONE_CIRCLE;
    if (SANITIZED && problem->contact_count > 300) {
        free(p);
        return; // minutes
    }
    assert_int_equal(tact_contact_solver_create(&capacity, &config, &solver), TACT_OK);
    assert_int_equal(
        tact_contact_solve(solver, problem, &(TactContactAnswer){.impulse = p}, &report), TACT_OK);
    double law = tact_oracle_body_law(problem, p);
    if (report.outcome != TACT_OUTCOME_SOLVED || !(law <= 1e-8)) {
        print_error("%s: %s, certified %.1e, law %.1e\n", name,
                    tact_contact_outcome_name(report.outcome), report.certificate.error, law);
        (*misses)++;
    }
    tact_contact_solver_destroy(solver);
    free(p);
}

static void the_hardest_problems_of_falling_boxes_are_certified(void **state)
{
    (void)state;
    const char *shared = tact_scratch_shared();
    char        folder[700];
    int         misses = 0;
    if (!shared) {
        skip();
    }
    snprintf(folder, sizeof folder, "%s/piles", shared);
    assert_true(visit_folder(folder, "", check_ladder, &misses) >= 22);
    assert_int_equal(misses, 0);
}

/// Solves a problem on the circle with so much work (0: any); the certificate that is told is that
/// of the answer.
static TactContactReport solve_certified(const TactContactProblem *problem, double work)
{
    TactContactConfig      config = tact_contact_config_default(TACT_METHOD_LADDER);
    TactContactCapacity    capacity = tact_contact_get_capacity(problem);
    TactContactSolver     *solver;
    TactContactReport      report;
    TactContactCertificate certificate;
    double                *p = calloc(3 * (size_t)problem->contact_count, sizeof *p);
    double                *v = calloc(6 * (size_t)problem->body_count, sizeof *v);
    assert_true(p && v);
    config.cone = TACT_CONE_CIRCLE;
    config.max_work = work > 0 ? work : config.max_work;
    assert_int_equal(tact_contact_solver_create(&capacity, &config, &solver), TACT_OK);
    assert_int_equal(tact_contact_solve(solver, problem,
                                        &(TactContactAnswer){.impulse = p, .velocity = v}, &report),
                     TACT_OK);
    assert_int_equal(tact_contact_certify(problem, config.cone, p, NULL, v, &certificate), TACT_OK);
    assert_true(certificate.error == report.certificate.error);
    tact_contact_solver_destroy(solver);
    free(p);
    free(v);
    return report;
}

/// With less and less work: what is not solved says why.
static void check_budget(void *context, TactContactFile *file, const char *name)
{
    int *ended = context;
    (void)name;
    for (double work = 1e7; work > 1e4; work /= 10) {
        TactContactReport report = solve_certified(&file->problem, work);
        if (report.outcome != TACT_OUTCOME_SOLVED) {
            assert_int_equal(report.outcome, TACT_OUTCOME_LIMIT);
            assert_true(report.out_of_budget && isfinite(report.certificate.error));
            assert_true(report.work < 2 * work + 1e6);
            ++*ended;
        }
    }
}

static void a_budget_ends_it_with_its_best_answer(void **state)
{
    (void)state;
    int ended = 0;
    assert_true(visit_wedged(0.2, check_budget, &ended) > 0);
    assert_true(ended > 0);
}

/// A body of a heap that three walls tell to go three ways, whose sum is 0: nothing solves that.
/// The ladder ends all the same, after so many operations at most: 120 factors of the path, 3,840
/// and 1,500 of the method for piles, 300 of another path, and 2e9 operations of all other rungs;
/// 3e5 are a factor of such a heap, 5e8 are for the rest: interior point, loops that look at their
/// budget late.
static void check_bound(void *context, TactContactFile *file, const char *name)
{
    const TactContactProblem *given = &file->problem;
    int                      *tried = context, count = given->contact_count;
    if (++*tried > 2) {
        return;
    }
    TactContact       *contacts = calloc((size_t)count + 3, sizeof *contacts);
    TactContactProblem problem = *given;
    assert_non_null(contacts);
    memcpy(contacts, given->contacts, (size_t)count * sizeof *contacts);
    for (int k = 0; k < 3; k++) {
        double angle = 2 * 3.141592653589793 * k / 3;
        contacts[count + k] = (TactContact){
            .a = -1, .b = 3, .normal = {cos(angle), sin(angle), 0}, .bias = -1, .mu = 0.5};
        memcpy(contacts[count + k].point, given->bodies[3].position, 3 * sizeof(double));
    }
    problem.contacts = contacts;
    problem.contact_count = count + 3;
    TactContactReport report = solve_certified(&problem, 0);
    assert_int_not_equal(report.outcome, TACT_OUTCOME_SOLVED);
    print_message("%s: %d contacts, %.2e operations, error %.1e\n", name, count, report.work,
                  report.certificate.error);
    assert_true(report.work < 5760 * 3e5 + 2e9 + 5e8);
    free(contacts);
}

static void a_heap_without_an_answer_ends_after_so_many_operations(void **state)
{
    (void)state;
    int tried = 0;
    assert_true(visit_wedged(0.2, check_bound, &tried) > 0);
    assert_true(tried > 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_scaling_of_a_cone_takes_z_to_l_and_l_to_x),
        cmocka_unit_test(a_step_reaches_the_edge_of_the_cone_and_no_further),
        cmocka_unit_test(mechanisms_with_limits_and_motors_are_solved_on_both_cones),
        cmocka_unit_test(hands_around_an_object_are_solved_on_both_cones),
        cmocka_unit_test(a_heap_of_chains_with_limits_is_solved_on_both_cones),
        cmocka_unit_test(a_heap_is_solved_with_compliance_without_friction_and_on_pyramids),
        cmocka_unit_test(the_hardest_problems_of_falling_boxes_are_certified),
        cmocka_unit_test(a_budget_ends_it_with_its_best_answer),
        cmocka_unit_test(a_heap_without_an_answer_ends_after_so_many_operations),
    };
    return cmocka_run_group_tests(tests, tact_scratch_setup, tact_scratch_teardown);
}
