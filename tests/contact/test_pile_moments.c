// Heaps whose contacts resist spinning and rolling: solved on springs, cold, on both cones, and
// right in long double from the raw bodies.
#include <math.h>
#include <stdlib.h>

#include "contact/bricks.h"
#include "contact/heaps.h"
#include "contact/many/many.h"
#include "contact/patch_law.h"

// Worst miss of an answer, over the largest impulse and velocity of the problem.
static const double MISS = 1e-6;

typedef struct Check {
    TactContactCone cone;
    int             seen, checked, by_springs;
} Check;

/// Was the answer that of a rung on springs?
static bool is_springs(const TactContactReport *report)
{
    const char *name = report->rungs[report->rung_count - 1].name;
    return strcmp(name, "pile") == 0 || strcmp(name, "proximal") == 0;
}

static void check_problem(Check *check, const TactContactProblem *problem, const char *name)
{
    size_t              n = 3 * (size_t)problem->contact_count;
    double             *p = calloc(2 * n, sizeof *p), *m = p + n;
    TactContactConfig   config = tact_contact_config_default(TACT_METHOD_LADDER);
    TactContactCapacity capacity = tact_contact_get_capacity(problem);
    TactContactSolver  *solver;
    TactContactReport   report;
    config.cone = check->cone;
    assert_non_null(p);
    assert_int_equal(tact_contact_solver_create(&capacity, &config, &solver), TACT_OK);
    assert_int_equal(tact_contact_solve(solver, problem,
                                        &(TactContactAnswer){.impulse = p, .moment = m}, &report),
                     TACT_OK);
    PatchMiss miss = patch_law(problem, check->cone, p, m);
    if (report.outcome != TACT_OUTCOME_SOLVED || miss.normal > MISS || miss.bound > MISS ||
        miss.part > MISS || miss.angular > MISS) {
        fail_msg("%s: %s, error %g; misses normal %g, bound %g, part %g, angular %g", name,
                 tact_contact_outcome_name(report.outcome), report.certificate.error, miss.normal,
                 miss.bound, miss.part, miss.angular);
    }
    check->checked++;
    check->by_springs += is_springs(&report);
    tact_contact_solver_destroy(solver);
    free(p);
}

/// Bodies turn a little: where none does, as in a free fall, rounding of spins is all there is to
/// hold an error against.
static void turn_bodies(const TactContactProblem *problem)
{
    TactContactBody *bodies = (TactContactBody *)problem->bodies;
    for (int i = 0; i < problem->body_count; i++) {
        for (int k = 0; k < 3; k++) {
            bodies[i].omega[k] += 0.1 * ((i + k) % 5 - 2);
        }
    }
}

/// With its coefficients, and with others, some of them 0, two along the tangents, and compliance.
static void check_kinds(void *context, TactContactFile *file, const char *name)
{
    Check *check = context;
    if (check->seen++ % 4 != 0) {
        return; // neighbours in time are alike
    }
    TactContact *contacts = (TactContact *)file->problem.contacts;
    turn_bodies(&file->problem);
    check_problem(check, &file->problem, name);
    for (int i = 0; i < file->problem.contact_count; i++) {
        contacts[i].mu = i % 5 == 0 ? 0 : contacts[i].mu;
        contacts[i].mu2 = i % 3 == 1 && contacts[i].mu > 0 ? 0.3 : 0;
        contacts[i].mu_spin = i % 4 == 1 ? 0 : 0.02;
        contacts[i].mu_roll = i % 4 == 2 ? 0 : 0.004;
        contacts[i].compliance = i % 7 == 0 ? 0.1 : 0;
    }
    check_problem(check, &file->problem, name);
}

static void check_heap(const TactPileScene *scene, double time, int least)
{
    make_heap(scene, time, least);
    for (int pyramid = 0; pyramid < 2; pyramid++) {
        Check check = {.cone = pyramid ? TACT_CONE_PYRAMID : TACT_CONE_CIRCLE};
        visit_folder(tact_scratch_path("."), tact_pile_shape_name(scene->shape), check_kinds,
                     &check);
        print_message("%s, %s: %d problems, %d by springs\n", tact_pile_shape_name(scene->shape),
                      tact_contact_cone_name(check.cone), check.checked, check.by_springs);
        assert_true(check.checked >= 8);
        assert_true(2 * check.by_springs > check.checked);
    }
}

static void boxes_that_resist_spinning_and_rolling_are_solved_on_both_cones(void **state)
{
    (void)state;
    TactPileScene scene = {.shape = TACT_PILE_BOXES,
                           .number = 27,
                           .seed = 4,
                           .wedged = true,
                           .step = 0.005,
                           .mu = 0.6,
                           .condim = 6,
                           .spin = 0.005,
                           .roll = 1e-4};
    check_heap(&scene, 0.4, 40);
}

static void spheres_that_roll_hardly_are_solved_on_both_cones(void **state)
{
    (void)state;
    TactPileScene scene = {.shape = TACT_PILE_SPHERES,
                           .number = 64,
                           .seed = 2,
                           .wedged = true,
                           .step = 0.005,
                           .mu = 0.5,
                           .condim = 6,
                           .spin = 0.01,
                           .roll = 0.01};
    check_heap(&scene, 0.5, 40);
}

/// So many that loops are shared out, and impulses that go on changing are let go further.
static void many_bricks_that_resist_spinning_and_rolling_are_solved(void **state)
{
    (void)state;
    Bricks bricks;
    Check  check = {.cone = TACT_CONE_CIRCLE};
    make_bricks(&bricks, 3, 21, 1);
    assert_true(bricks.problem.body_count >= TACT_MANY_NODES);
    for (int i = 0; i < bricks.problem.contact_count; i++) {
        bricks.contacts[i].mu_spin = 0.02;
        bricks.contacts[i].mu_roll = i % 3 == 0 ? 0 : 0.004;
    }
    check_problem(&check, &bricks.problem, "bricks");
    assert_int_equal(check.by_springs, 1);
    free_bricks(&bricks);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(boxes_that_resist_spinning_and_rolling_are_solved_on_both_cones),
        cmocka_unit_test(spheres_that_roll_hardly_are_solved_on_both_cones),
        cmocka_unit_test(many_bricks_that_resist_spinning_and_rolling_are_solved),
    };
    return cmocka_run_group_tests(tests, tact_scratch_setup, tact_scratch_teardown);
}
