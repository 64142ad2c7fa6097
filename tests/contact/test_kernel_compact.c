// The path of one body: the same bits in every width, certified, and with the basis it says.
#include "contact/compact/kernel_compact.h"

#include "base/clones.h"
#include "contact/pivot/reduced.h"
#include "contact/pivot_rules.h"
#include "contact/solver.h"
#include "kernels.h"
#include "pegs.h"

enum { LAST_SINGLE = SHAPE_BALL }; // shapes up to this are one body

static const int DIRECTIONS[] = {4, 6, 8, 16, 64};

/// Contacts with pyramids of so many directions, turned, and every fifth without friction.
static void make_single(Shape *shape, int kind, uint64_t seed, int directions)
{
    shape_make(shape, kind, seed);
    for (int i = 0; i < shape->problem.contact_count; i++) {
        shape->contacts[i].directions = directions;
        shape->contacts[i].turn = i % 3 == 1 ? 0.3 : 0;
        shape->contacts[i].mu = i % 5 == 4 ? 0 : shape->contacts[i].mu;
    }
}

static double error_of(const OwnedSystem *system, const TactContactProblem *problem,
                       const double *p)
{
    double                 impulse[3 * TACT_SCENE_MAX_CONTACTS], velocity[6];
    TactContactAnswer      answer = {.impulse = impulse, .velocity = velocity};
    TactContactCertificate certificate;
    tact_system_answer(&system->system, problem, p, &answer);
    assert_int_equal(
        tact_contact_certify(problem, TACT_CONE_PYRAMID, impulse, NULL, velocity, &certificate),
        TACT_OK);
    return certificate.error;
}

static void four_and_eight_lanes_give_the_same_bits(void **state)
{
    (void)state;
    static Shape shape;
    if (!tact_has_eight_lanes()) {
        skip();
    }
    for (int kind = 0; kind <= LAST_SINGLE; kind++) {
        for (size_t d = 0; d < sizeof DIRECTIONS / sizeof *DIRECTIONS; d++) {
            OwnedSystem system;
            OwnedKernel owned;
            double      p[2][3 * TACT_SCENE_MAX_CONTACTS];
            int         pivots[2];
            make_single(&shape, kind, 5, DIRECTIONS[d]);
            system_create(&system, &shape.problem);
            kernel_create(&owned, &system.system, false);
            for (int wide = 0; wide < 2; wide++) {
                TactContactReport report = {0};
                owned.kernel.compact->lanes = wide ? 8 : 4;
                assert_int_equal(
                    tact_reduced_solve(&owned.kernel, &system.system, NULL, 0, p[wide], &report),
                    TACT_OUTCOME_SOLVED);
                pivots[wide] = report.pivots;
            }
            assert_int_equal(pivots[0], pivots[1]);
            assert_memory_equal(p[0], p[1], 3 * (size_t)system.system.item_count * sizeof(double));
            kernel_destroy(&owned);
            system_destroy(&system);
        }
    }
}

// The kernel's own factor of that basis, and its sweep over all rows, are the other opinion.
static void the_basis_is_that_of_the_certified_answer(void **state)
{
    (void)state;
    static Shape shape;
    for (int kind = 0; kind <= LAST_SINGLE; kind++) {
        for (size_t d = 0; d < sizeof DIRECTIONS / sizeof *DIRECTIONS; d++) {
            OwnedSystem       system;
            OwnedKernel       owned;
            TactContactReport report = {0};
            double            p[3 * TACT_SCENE_MAX_CONTACTS], again[3 * TACT_SCENE_MAX_CONTACTS];
            TactVar           basis[TACT_COMPACT_POSITIONS];
            make_single(&shape, kind, 9, DIRECTIONS[d]);
            system_create(&system, &shape.problem);
            kernel_create(&owned, &system.system, false);
            TactKernel *kernel = &owned.kernel;
            assert_true(tact_compact_takes(&system.system));
            assert_int_equal(tact_reduced_solve(kernel, &system.system, NULL, 0, p, &report),
                             TACT_OUTCOME_SOLVED);
            assert_int_equal(report.pivots, kernel->compact->pivots); // no other path was needed
            assert_true(error_of(&system, &shape.problem, p) < 1e-9);
            int count = tact_kernel_basis(kernel, basis);
            tact_kernel_load(kernel, &system.system);
            for (int c = 0; c < count; c++) {
                tact_kernel_add_friction(kernel, tact_var_item(basis[c]));
            }
            assert_true(tact_kernel_set_basis(kernel, basis, count));
            assert_true(tact_kernel_error(kernel) <= 1e-11);
            tact_kernel_impulses(kernel, true, again);
            double largest = 0;
            for (int i = 0; i < 3 * system.system.item_count; i++) {
                largest = fmax(largest, fabs(p[i]));
            }
            for (int i = 0; i < 3 * system.system.item_count; i++) {
                assert_true(fabs(p[i] - again[i]) <= 1e-9 * largest);
            }
            kernel_destroy(&owned);
            system_destroy(&system);
        }
    }
}

/// Solver of a shape that has been solved once, with the answer's items recalled.
static TactContactSolver *solve_once(const Shape *shape, double *cold)
{
    TactContactSolver  *solver;
    TactContactCapacity capacity = tact_contact_get_capacity(&shape->problem);
    TactContactConfig   config = tact_contact_config_default(TACT_METHOD_REDUCED);
    TactContactAnswer   answer = {.impulse = cold};
    TactContactReport   report;
    config.cone = TACT_CONE_PYRAMID;
    assert_int_equal(tact_contact_solver_create(&capacity, &config, &solver), TACT_OK);
    assert_int_equal(tact_contact_solve(solver, &shape->problem, &answer, &report), TACT_OK);
    assert_int_equal(report.outcome, TACT_OUTCOME_SOLVED);
    return solver;
}

static bool keep_basis(TactContactSolver *solver, int lanes, double *p)
{
    solver->kernel->compact->lanes = lanes;
    return tact_memory_recall(solver->memory, &solver->system, p) > 0 &&
           tact_reduced_keep_basis(solver->kernel, &solver->system, solver->memory, p);
}

// The path and the factor of what is left have nothing in common but the basis.
static void a_basis_that_is_kept_gives_the_answer_of_the_path_in_every_width(void **state)
{
    (void)state;
    static Shape shape;
    for (int kind = 0; kind <= LAST_SINGLE; kind++) {
        for (size_t d = 0; d < sizeof DIRECTIONS / sizeof *DIRECTIONS; d++) {
            double cold[3 * TACT_SCENE_MAX_CONTACTS], p[2][3 * TACT_SCENE_MAX_CONTACTS];
            make_single(&shape, kind, 5, DIRECTIONS[d]);
            for (int i = 0; i < shape.problem.contact_count; i++) {
                shape.contacts[i].id = (uint64_t)i + 1;
            }
            int                n = 3 * shape.problem.contact_count;
            double             largest = 0;
            TactContactSolver *solver = solve_once(&shape, cold);
            assert_true(keep_basis(solver, 4, p[0]));
            for (int i = 0; i < n; i++) {
                largest = fmax(largest, fabs(cold[i]));
            }
            for (int i = 0; i < n; i++) {
                assert_true(fabs(p[0][i] - cold[i]) <= 1e-9 * largest);
            }
            if (tact_has_eight_lanes()) {
                assert_true(keep_basis(solver, 8, p[1]));
                assert_memory_equal(p[0], p[1], (size_t)n * sizeof(double));
            }
            tact_contact_solver_destroy(solver);
        }
    }
}

// With the wrench turned round, contacts that pushed would have to pull.
static void a_basis_that_is_no_longer_right_is_not_kept(void **state)
{
    (void)state;
    static Shape shape;
    double       p[3 * TACT_SCENE_MAX_CONTACTS];
    shape_make(&shape, SHAPE_PEG, 3);
    for (int i = 0; i < shape.problem.contact_count; i++) {
        shape.contacts[i].id = (uint64_t)i + 1;
    }
    TactContactSolver *solver = solve_once(&shape, p);
    assert_true(keep_basis(solver, 4, p));
    for (int i = 0; i < 3 * solver->system.item_count; i++) {
        solver->system.b[i] = -solver->system.b[i];
    }
    assert_false(keep_basis(solver, 4, p));
    tact_contact_solver_destroy(solver);
}

static void nothing_but_rigid_contacts_of_one_body_is_taken(void **state)
{
    (void)state;
    static Shape shape;
    OwnedSystem  system;
    shape_make(&shape, SHAPE_STACK, 1); // four bodies
    system_create(&system, &shape.problem);
    assert_false(tact_compact_takes(&system.system));
    system_destroy(&system);
    shape_make(&shape, SHAPE_BLOCK, 1);
    shape.contacts[3].compliance = 1e-3;
    system_create(&system, &shape.problem);
    assert_false(tact_compact_takes(&system.system));
    system_destroy(&system);
    shape.contacts[3].compliance = 0;
    TactContactRow motor = {.kind = TACT_ROW_MOTOR, .a = -1, .b = 0, .force_max = 1};
    motor.J_b[3] = 1;
    shape.problem.rows = &motor;
    shape.problem.row_count = 1;
    system_create(&system, &shape.problem);
    assert_false(tact_compact_takes(&system.system));
    system_destroy(&system);
}

static void a_path_that_is_too_long_is_left_to_the_kernel(void **state)
{
    (void)state;
    static Shape      shape;
    OwnedSystem       system;
    OwnedKernel       owned;
    TactContactReport report = {0};
    double            p[3 * TACT_SCENE_MAX_CONTACTS];
    shape_make(&shape, SHAPE_PEG, 2);
    system_create(&system, &shape.problem);
    kernel_create(&owned, &system.system, false);
    assert_int_equal(tact_reduced_solve(&owned.kernel, &system.system, NULL, 2, p, &report),
                     TACT_OUTCOME_LIMIT);
    assert_true(report.pivots > owned.kernel.compact->pivots);
    kernel_destroy(&owned);
    system_destroy(&system);
}

/// No variable stands twice in the basis of the path as it is.
static void assert_basis_is_one(const TactCompact *compact)
{
    for (int a = 0; a < compact->basis.k; a++) {
        for (int b = 0; b < a; b++) {
            assert_int_not_equal(compact->basis.row[a], compact->basis.row[b]);
            assert_int_not_equal(compact->basis.col[a], compact->basis.col[b]);
        }
    }
}

/// Bodies that turn as if they had no thickness: the inverse is lost in rounding. In the other
/// kernel a row that had left the basis then left it once more (test_ladder.c). Here the rate of
/// such a row is at most DRIFT_MOST of the column, or the path is given up; a pivot is PIVOT_TOL of
/// it at least.
static void a_row_that_is_not_in_the_basis_cannot_leave_it(void **state)
{
    (void)state;
    assert_true(TACT_PIVOT_DRIFT_MOST < TACT_PIVOT_TOL);
    static Shape shape;
    int          ended = 0, given_up = 0;
    for (uint64_t seed = 1; seed <= 300; seed++) {
        TactRandom random = tact_random_seed(seed);
        for (int kind = 0; kind <= LAST_SINGLE; kind++) {
            OwnedSystem system;
            OwnedKernel owned;
            double      p[3 * TACT_SCENE_MAX_CONTACTS];
            make_single(&shape, kind, seed, 8);
            double thin = pow(10, tact_random_uniform(&random, -14, -2));
            shape.bodies[0].inertia[seed % 3] *= thin;
            for (int k = 3; k < 6; k++) {
                shape.bodies[0].inertia[k] = 0;
            }
            for (int i = 0; i < shape.problem.contact_count; i++) {
                shape.contacts[i].point[seed % 2] +=
                    tact_random_uniform(&random, -1, 1) * 1e-9 / thin * (i % 2);
            }
            system_create(&system, &shape.problem);
            kernel_create(&owned, &system.system, false);
            TactContactReport report = {0};
            if (tact_compact_takes(&system.system)) {
                bool solved = tact_reduced_solve(&owned.kernel, &system.system, NULL, 0, p,
                                                 &report) == TACT_OUTCOME_SOLVED;
                bool own = solved && report.pivots == owned.kernel.compact->pivots;
                assert_basis_is_one(owned.kernel.compact);
                ended += own;
                given_up += !own;
            }
            kernel_destroy(&owned);
            system_destroy(&system);
        }
    }
    print_message("%d paths of thin bodies ended, %d were given up\n", ended, given_up);
    assert_true(ended > 100 && given_up > 20);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(four_and_eight_lanes_give_the_same_bits),
        cmocka_unit_test(the_basis_is_that_of_the_certified_answer),
        cmocka_unit_test(a_basis_that_is_kept_gives_the_answer_of_the_path_in_every_width),
        cmocka_unit_test(a_basis_that_is_no_longer_right_is_not_kept),
        cmocka_unit_test(nothing_but_rigid_contacts_of_one_body_is_taken),
        cmocka_unit_test(a_path_that_is_too_long_is_left_to_the_kernel),
        cmocka_unit_test(a_row_that_is_not_in_the_basis_cannot_leave_it),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
