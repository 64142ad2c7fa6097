// The proximal path on large problems: closed forms, and an oracle in long double.
#include "contact/proximal/proximal.h"

#include <tact/base.h>

#include "bench/problems/contact_scenes.h"
#include "contact/ladder/ladder.h"
#include "contact/scenes.h"
#include "contact/solver.h"
#include "oracle/contact_law.h"

/// A solver of the ladder with arrays for its answers.
typedef struct Large {
    TactContactSolver *solver;
    TactContactAnswer  answer;
    TactContactReport  report;
} Large;

static double *room(int count)
{
    double *x = calloc((size_t)count + 1, sizeof *x);
    assert_non_null(x);
    return x;
}

static void large_begin(Large *large, const TactContactProblem *problem, TactContactCone cone)
{
    TactContactConfig   config = tact_contact_config_default(TACT_METHOD_LADDER);
    TactContactCapacity capacity = tact_contact_get_capacity(problem);
    config.cone = cone;
    *large = (Large){0};
    assert_int_equal(tact_contact_solver_create(&capacity, &config, &large->solver), TACT_OK);
    large->answer = (TactContactAnswer){
        .impulse = room(3 * problem->contact_count),
        .row_impulse = room(problem->row_count),
        .velocity = room(tact_contact_get_dof(problem)),
        .u = room(3 * problem->contact_count),
    };
}

static void large_solve(Large *large, const TactContactProblem *problem)
{
    assert_int_equal(tact_contact_solve(large->solver, problem, &large->answer, &large->report),
                     TACT_OK);
}

static void large_end(Large *large)
{
    tact_contact_solver_destroy(large->solver);
    free(large->answer.impulse);
    free(large->answer.row_impulse);
    free(large->answer.velocity);
    free(large->answer.u);
}

static const char *last_rung(const Large *large)
{
    return large->report.rungs[large->report.rung_count - 1].name;
}

/// By the path itself, or by the method for piles that comes after it.
static void assert_by_bodies(const Large *large)
{
    const char *name = last_rung(large);
    assert_true(strcmp(name, "proximal") == 0 || strncmp(name, "pile", 4) == 0);
}

/// Solved in the space of motions, and right by code that shares nothing with the library.
static void assert_solved(const Large *large, const TactContactProblem *problem,
                          TactContactCone cone)
{
    TactOracleContact oracle;
    assert_int_equal(large->report.outcome, TACT_OUTCOME_SOLVED);
    assert_by_bodies(large);
    assert_true(large->report.certificate.error <= 1e-8);
    assert_true(tact_oracle_contact_begin(&oracle, problem));
    TactOracleVerdict verdict = tact_oracle_contact_check(
        &oracle, cone, large->answer.impulse, large->answer.row_impulse, large->answer.velocity);
    tact_oracle_contact_end(&oracle);
    assert_true(verdict.law <= 1e-8);
    assert_true(verdict.strict <= 3e-8);
    assert_true(verdict.motion <= 1e-8);
}

// ---------------------------------------------------------------------------------------------
// A wall of bricks

enum { COURSES = 8, BRICKS = 6 };

static const double HALF = 0.1; // of a brick's length; it is half as high, and as deep

/// The corners of what two bricks share, or a brick and the floor.
static void lay(TactContactCase *wall, int a, int b, double from, double to, double z, double mu)
{
    const double up[3] = {0, 0, 1};
    for (int k = 0; k < 4; k++) {
        double point[3] = {k < 2 ? from : to, k % 2 ? HALF / 2 : -HALF / 2, z};
        tact_case_add_contact(wall, a, b, point, up, mu);
    }
}

/// Bricks in courses that overlap by half, at rest.
static void make_wall(TactContactCase *wall, double mu)
{
    TactCaseSize size = {.bodies = COURSES * BRICKS, .contacts = 8 * COURSES * BRICKS};
    const double half[3] = {HALF, HALF / 2, HALF / 2};
    assert_int_equal(tact_case_create(&size, wall), TACT_OK);
    for (int r = 0; r < COURSES; r++) {
        for (int c = 0; c < BRICKS; c++) {
            double x = 2 * HALF * c + (r % 2) * HALF, z = HALF * (r + 0.5);
            double centre[3] = {x, 0, z};
            int    own = r * BRICKS + c;
            tact_case_add_box(wall, 1, half, centre)->force[2] = -GRAVITY;
            if (r == 0) {
                lay(wall, -1, own, x - HALF, x + HALF, 0, mu);
                continue;
            }
            for (int side = 0; side < 2; side++) {
                int under = c + side - 1 + r % 2;
                if (under >= 0 && under < BRICKS) {
                    lay(wall, own - BRICKS + under - c, own, x - HALF * (side == 0),
                        x + HALF * (side == 1), z - HALF / 2, mu);
                }
            }
        }
    }
}

static void a_wall_stands_and_its_floor_carries_its_weight(void **state)
{
    (void)state;
    TactContactCase wall;
    Large           large;
    double          carried = 0;
    make_wall(&wall, 0.5);
    large_begin(&large, &wall.problem, TACT_CONE_CIRCLE);
    large_solve(&large, &wall.problem);
    assert_solved(&large, &wall.problem, TACT_CONE_CIRCLE);
    for (int i = 0; i < wall.problem.contact_count; i++) {
        carried += wall.contacts[i].a < 0 ? large.answer.impulse[3 * i] : 0;
    }
    double weight = wall.problem.step * GRAVITY * COURSES * BRICKS;
    assert_true(fabs(carried - weight) <= 1e-8 * weight);
    for (int j = 0; j < 6 * COURSES * BRICKS; j++) {
        assert_true(fabs(large.answer.velocity[j]) <= 1e-6 * wall.problem.step * GRAVITY);
    }
    large_end(&large);
    tact_case_destroy(&wall);
}

static void the_same_wall_again_needs_no_factor(void **state)
{
    (void)state;
    TactContactCase wall;
    Large           large;
    make_wall(&wall, 0.5);
    large_begin(&large, &wall.problem, TACT_CONE_CIRCLE);
    large_solve(&large, &wall.problem);
    assert_true(large.report.turns > 0);
    large_solve(&large, &wall.problem);
    assert_int_equal(large.report.outcome, TACT_OUTCOME_SOLVED);
    assert_string_equal(last_rung(&large), "warm-start");
    assert_int_equal(large.report.turns, 0);
    large_end(&large);
    tact_case_destroy(&wall);
}

/// Struck along its length, all of it slides on the floor: the friction there is mu times the
/// weight.
static void a_wall_that_is_struck_slides_against_its_friction(void **state)
{
    (void)state;
    TactContactCase wall;
    Large           large;
    const double    mu = 0.3, speed = 5;
    make_wall(&wall, mu);
    for (int k = 0; k < COURSES * BRICKS; k++) {
        wall.bodies[k].velocity[0] = speed;
    }
    large_begin(&large, &wall.problem, TACT_CONE_CIRCLE);
    large_solve(&large, &wall.problem);
    assert_solved(&large, &wall.problem, TACT_CONE_CIRCLE);
    double lost = 0;
    for (int k = 0; k < COURSES * BRICKS; k++) {
        lost += speed - large.answer.velocity[6 * k];
    }
    double expected = mu * GRAVITY * wall.problem.step * COURSES * BRICKS; // masses are 1
    assert_true(fabs(lost - expected) <= 1e-7 * expected);
    large_end(&large);
    tact_case_destroy(&wall);
}

// ---------------------------------------------------------------------------------------------
// Disturbed walls

/// Bricks of other masses, moving, in a wall that is not quite in line.
static void shake(TactContactCase *wall, int seed)
{
    TactRandom random = tact_random_seed((uint64_t)seed);
    double     speed = seed < 2 ? 0.1 : 3;
    for (int k = 0; k < wall->problem.body_count; k++) {
        TactContactBody *body = &wall->bodies[k];
        double           heavier = exp(tact_random_uniform(&random, -1, 1));
        body->mass *= heavier;
        for (int i = 0; i < 6; i++) {
            body->inertia[i] *= heavier;
        }
        for (int i = 0; i < 3; i++) {
            body->force[i] *= heavier;
            body->velocity[i] = speed * tact_random_normal(&random);
            body->omega[i] = speed / HALF * tact_random_normal(&random);
        }
    }
    tact_case_disturb(wall, &random, 1e-9);
}

static void shaken_walls_are_solved_on_both_cones(void **state)
{
    (void)state;
    for (int seed = 0; seed < 4; seed++) {
        TactContactCase wall;
        TactContactCone cone = seed % 2 ? TACT_CONE_PYRAMID : TACT_CONE_CIRCLE;
        Large           large;
        make_wall(&wall, 0.4);
        shake(&wall, seed);
        large_begin(&large, &wall.problem, cone);
        large_solve(&large, &wall.problem);
        assert_solved(&large, &wall.problem, cone);
        large_end(&large);
        tact_case_destroy(&wall);
    }
}

/// Contacts, limits and motors of a tree of joints: M instead of bodies. The ladder leaves such
/// sizes to pivots, so the path is called by itself.
static void a_mechanism_is_solved_by_the_path_itself_unless_its_budget_ends(void **state)
{
    (void)state;
    const TactTree  tree = {.joints = 24, .contacts = 30, .rows = true};
    TactContactCase made;
    TactRandom      random = tact_random_seed(3);
    TactSystem      system = {0};
    TactCoupling    coupling = {0};
    TactProximal    proximal = {0};
    TactArena       arena = {0};
    double         *p = NULL;
    assert_int_equal(tact_case_tree(&random, &tree, &made), TACT_OK);
    assert_int_equal(tact_contact_check(&made.problem), TACT_OK);
    TactContactCapacity capacity = tact_contact_get_capacity(&made.problem);
    for (int pass = 0; pass < 2; pass++) {
        if (pass == 1) {
            assert_int_equal(tact_arena_create(&arena), TACT_OK);
        }
        tact_system_layout(&system, &capacity, &arena);
        tact_coupling_layout(&coupling, &capacity, &arena);
        tact_proximal_layout(&proximal, &capacity, &arena);
        p = tact_arena_take(&arena, 3 * (size_t)(capacity.contacts + capacity.rows), sizeof *p);
    }
    assert_int_equal(tact_system_build(&system, &made.problem, false), TACT_OK);
    tact_coupling_begin(&coupling, &system, &made.problem, TACT_CONE_CIRCLE, NULL);
    assert_true(tact_proximal_begin(&proximal, &coupling));
    assert_int_equal(proximal.most, 5000); // what it costs is far from the budget

    proximal.most = 2; // of which nothing is left after two factors
    assert_false(tact_proximal_run(&proximal, system.y0, 0.1, 1e-8, p));
    assert_int_equal(proximal.steps, 2);

    assert_true(tact_proximal_begin(&proximal, &coupling));
    memset(p, 0, 3 * (size_t)system.item_count * sizeof *p);
    assert_true(tact_proximal_run(&proximal, system.y0, 0.1, 1e-8, p));
    assert_true(proximal.steps > 2 && proximal.stages > 0);

    // Stiff springs keep all digits: velocities from y alone would leave 1e-16 / 1e-8 of them.
    int steps;
    tact_coupling_set(&coupling, p);
    tact_proximal_set_motion(&proximal, coupling.y);
    tact_proximal_set_centres(&proximal, p);
    assert_true(tact_proximal_stage(&proximal, 1e-8, 1e-11, 12, &steps));

    double           *velocity = room(capacity.dof), *rows = room(capacity.rows);
    double           *impulse = room(3 * capacity.contacts);
    TactContactAnswer answer = {.impulse = impulse, .row_impulse = rows, .velocity = velocity};
    TactOracleContact oracle;
    tact_system_answer(&system, &made.problem, p, &answer);
    assert_true(tact_oracle_contact_begin(&oracle, &made.problem));
    TactOracleVerdict verdict =
        tact_oracle_contact_check(&oracle, TACT_CONE_CIRCLE, impulse, rows, velocity);
    tact_oracle_contact_end(&oracle);
    assert_true(verdict.law <= 1e-8);
    free(velocity);
    free(rows);
    free(impulse);
    tact_arena_destroy(&arena);
    tact_case_destroy(&made);
}

static void contacts_with_compliance_are_solved_too(void **state)
{
    (void)state;
    TactContactCase wall;
    Large           large;
    make_wall(&wall, 0.5);
    for (int i = 0; i < wall.problem.contact_count; i += 3) {
        wall.contacts[i].compliance = i % 2 ? 1e-3 : 10;
    }
    large_begin(&large, &wall.problem, TACT_CONE_CIRCLE);
    large_solve(&large, &wall.problem);
    assert_solved(&large, &wall.problem, TACT_CONE_CIRCLE);
    large_end(&large);
    tact_case_destroy(&wall);
}

/// A solver with what most problems need only, for the circle.
static void large_begin_sparing(Large *large, const TactContactProblem *problem)
{
    large_begin(large, problem, TACT_CONE_CIRCLE);
    TactContactConfig   config = large->solver->config;
    TactContactCapacity capacity = large->solver->capacity;
    tact_contact_solver_destroy(large->solver);
    assert_int_equal(tact_contact_solver_create_sparing(&capacity, &config, &large->solver),
                     TACT_OK);
}

static void a_solver_for_large_problems_makes_its_kernel_as_large_as_a_problem_needs(void **state)
{
    (void)state;
    TactContactCase wall;
    Large           large, sparing;
    make_wall(&wall, 0.5);
    large_begin(&large, &wall.problem, TACT_CONE_CIRCLE);
    large_begin_sparing(&sparing, &wall.problem);
    large_solve(&sparing, &wall.problem); // the large one does without
    const TactLadder *ladder = sparing.solver->method.work;
    assert_false(ladder->has_kernel);
    assert_true(sparing.solver->arena.used < large.solver->arena.used / 4);
    tact_contact_solver_forget(sparing.solver);

    wall.problem.body_count = 1; // a brick alone: a kernel of its size
    wall.problem.contact_count = 4;
    large_solve(&large, &wall.problem);
    large_solve(&sparing, &wall.problem);
    assert_true(ladder->has_kernel);
    assert_true(ladder->kernel_room.contacts < 4 * BRICKS);
    size_t few = ladder->kernel_arena.used;
    assert_memory_equal(sparing.answer.impulse, large.answer.impulse, 12 * sizeof(double));

    tact_contact_solver_forget(large.solver);
    tact_contact_solver_forget(sparing.solver);
    wall.problem.body_count = BRICKS; // the lowest course alone: it grows
    wall.problem.contact_count = 4 * BRICKS;
    large_solve(&large, &wall.problem);
    large_solve(&sparing, &wall.problem);
    assert_true(ladder->kernel_room.contacts >= 4 * BRICKS);
    assert_true(ladder->kernel_arena.used > few);
    assert_false(ladder->reserve.made);
    assert_int_equal(sparing.report.outcome, TACT_OUTCOME_SOLVED);
    assert_string_equal(last_rung(&sparing), "reduced");
    assert_memory_equal(sparing.answer.impulse, large.answer.impulse,
                        3 * (size_t)wall.problem.contact_count * sizeof(double));
    large_end(&large);
    large_end(&sparing);
    tact_case_destroy(&wall);
}

/// A brick between the floor and a ceiling that shall both give way: no impulse does that. Every
/// rung fails, in a solver that has them all from the start, and in one that grows on the way.
static void a_solver_that_grows_goes_on_where_it_was(void **state)
{
    (void)state;
    TactContactCase wall;
    Large           large, sparing;
    const double    top[3] = {0, 0, HALF}, down[3] = {0, 0, -1};
    make_wall(&wall, 0.5);
    tact_case_add_contact(&wall, -1, 0, top, down, 0.5);
    wall.contacts[0].bias = wall.contacts[wall.problem.contact_count - 1].bias = -1;
    large_begin(&large, &wall.problem, TACT_CONE_CIRCLE);
    large_begin_sparing(&sparing, &wall.problem);
    large_solve(&large, &wall.problem);
    large_solve(&sparing, &wall.problem);
    assert_true(((TactLadder *)sparing.solver->method.work)->reserve.made);
    assert_int_not_equal(large.report.outcome, TACT_OUTCOME_SOLVED);
    assert_int_equal(sparing.report.turns, large.report.turns);
    assert_int_equal(sparing.report.rung_count, large.report.rung_count);
    for (int k = 0; k < large.report.rung_count; k++) {
        assert_string_equal(sparing.report.rungs[k].name, large.report.rungs[k].name);
    }
    assert_memory_equal(sparing.answer.impulse, large.answer.impulse,
                        3 * (size_t)wall.problem.contact_count * sizeof(double));
    large_solve(&sparing, &wall.problem); // and climbs from the first rung again
    assert_string_not_equal(sparing.report.rungs[0].name, "nsgs");
    large_end(&large);
    large_end(&sparing);
    tact_case_destroy(&wall);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_wall_stands_and_its_floor_carries_its_weight),
        cmocka_unit_test(the_same_wall_again_needs_no_factor),
        cmocka_unit_test(a_wall_that_is_struck_slides_against_its_friction),
        cmocka_unit_test(shaken_walls_are_solved_on_both_cones),
        cmocka_unit_test(a_mechanism_is_solved_by_the_path_itself_unless_its_budget_ends),
        cmocka_unit_test(contacts_with_compliance_are_solved_too),
        cmocka_unit_test(a_solver_for_large_problems_makes_its_kernel_as_large_as_a_problem_needs),
        cmocka_unit_test(a_solver_that_grows_goes_on_where_it_was),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
