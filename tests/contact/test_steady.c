// Contacts and rows whose states last are solved without a kernel.
#include "contact/pivot/turning.h"

#include "contact/solver.h"
#include "made.h"

enum { PROBLEMS = 60, SOLVES = 4 };

/// Velocities of the last of several solves of the same problem beside those of the first.
typedef struct Outcome {
    bool   steady; // the last one was steady
    double off;    // largest difference
} Outcome;

static Outcome solve_again(const TactContactProblem *problem)
{
    TactContactConfig   config = tact_contact_config_default(TACT_METHOD_LADDER);
    TactContactCapacity capacity = tact_contact_get_capacity(problem);
    TactContactSolver  *solver = NULL;
    double  impulse[3 * SCENE_CONTACTS], rows[SCENE_ROWS], first[6 * SCENE_BODIES] = {0};
    double  last[6 * SCENE_BODIES] = {0};
    Outcome out = {0};
    config.cone = TACT_CONE_CIRCLE;
    assert_int_equal(tact_contact_solver_create(&capacity, &config, &solver), TACT_OK);
    for (int k = 0; k < SOLVES; k++) {
        TactContactReport report;
        TactContactAnswer answer = {
            .impulse = impulse, .row_impulse = rows, .velocity = k == 0 ? first : last};
        assert_int_equal(tact_contact_solve(solver, problem, &answer, &report), TACT_OK);
        assert_int_equal(report.outcome, TACT_OUTCOME_SOLVED);
    }
    out.steady = !solver->kernel && solver->memory->basis_count >= 0;
    for (int i = 0; i < 6 * problem->body_count; i++) {
        out.off = fmax(out.off, fabs(last[i] - first[i]));
    }
    tact_contact_solver_destroy(solver);
    return out;
}

static void name_contacts(Scene *scene)
{
    for (int i = 0; i < scene->problem.contact_count; i++) {
        scene->contacts[i].id = (uint64_t)(i + 1);
    }
}

/// Open, sticking and sliding contacts, of which the answer is known to be unique in velocities.
static void the_same_problem_has_the_same_motion_by_one_system(void **state)
{
    (void)state;
    TactRandom random = tact_random_seed(5);
    int        steady = 0;
    for (int k = 0; k < PROBLEMS; k++) {
        Made           made;
        const MadeKind kind = {TACT_CONE_CIRCLE, k % 2 ? 1 : 30, 0.1};
        made_create(&random, &kind, &made);
        name_contacts(&made.scene);
        Outcome outcome = solve_again(&made.scene.problem);
        steady += outcome.steady;
        assert_true(outcome.off < 1e-8);
    }
    assert_true(steady > PROBLEMS / 2);
}

/// A motor drives a block along the plane: a weak one, at its bound, and one that gets what it
/// wants.
static void motors_that_hold_and_motors_at_their_bound_go_on(void **state)
{
    (void)state;
    for (int k = 0; k < 2; k++) {
        Scene scene;
        scene_block_on_plane(&scene);
        name_contacts(&scene);
        TactContactRow *motor = scene_add_row(&scene, TACT_ROW_MOTOR, -1, 0);
        motor->J_b[0] = 1; // along x
        motor->force_max = k == 0 ? 1 : 1e6;
        motor->target = 1; // m/s
        motor->id = 77;
        Outcome outcome = solve_again(&scene.problem);
        assert_true(outcome.steady);
        assert_true(outcome.off < 1e-9);
    }
}

static void rows_of_loops_and_limits_go_on(void **state)
{
    (void)state;
    Scene scene;
    scene_arm(&scene);
    name_contacts(&scene);
    Outcome outcome = solve_again(&scene.problem);
    assert_true(outcome.steady);
    assert_true(outcome.off < 1e-9);
}

/// Velocities by a solver that knows nothing of what was before.
static void solve_cold(const TactContactProblem *problem, double *velocity)
{
    TactContactConfig   config = tact_contact_config_default(TACT_METHOD_LADDER);
    TactContactCapacity capacity = tact_contact_get_capacity(problem);
    TactContactSolver  *solver = NULL;
    TactContactReport   report;
    double              impulse[3 * SCENE_CONTACTS];
    TactContactAnswer   answer = {.impulse = impulse, .velocity = velocity};
    config.cone = TACT_CONE_CIRCLE;
    assert_int_equal(tact_contact_solver_create(&capacity, &config, &solver), TACT_OK);
    assert_int_equal(tact_contact_solve(solver, problem, &answer, &report), TACT_OK);
    assert_int_equal(report.outcome, TACT_OUTCOME_SOLVED);
    tact_contact_solver_destroy(solver);
}

/// A block on three corners that slides and spins, its course turned by 0.1 rad from solve to
/// solve: no state changes, and friction of every corner turns.
static void friction_that_turns_goes_on_without_a_kernel(void **state)
{
    (void)state;
    Scene scene;
    scene_block_on_plane(&scene);
    name_contacts(&scene);
    scene.problem.contact_count = 3;
    TactContactConfig   config = tact_contact_config_default(TACT_METHOD_LADDER);
    TactContactCapacity capacity = tact_contact_get_capacity(&scene.problem);
    TactContactSolver  *solver = NULL;
    config.cone = TACT_CONE_CIRCLE;
    assert_int_equal(tact_contact_solver_create(&capacity, &config, &solver), TACT_OK);
    for (int k = 0; k < 20; k++) {
        double            impulse[3 * SCENE_CONTACTS], velocity[6], cold[6];
        TactContactReport report;
        TactContactAnswer answer = {.impulse = impulse, .velocity = velocity};
        scene.bodies[0].velocity[0] = 2 * cos(0.1 * k);
        scene.bodies[0].velocity[1] = 2 * sin(0.1 * k);
        scene.bodies[0].omega[2] = 1;
        assert_int_equal(tact_contact_solve(solver, &scene.problem, &answer, &report), TACT_OK);
        assert_int_equal(report.outcome, TACT_OUTCOME_SOLVED);
        solve_cold(&scene.problem, cold);
        for (int i = 0; i < 6; i++) {
            assert_true(fabs(velocity[i] - cold[i]) < 1e-9);
        }
        if (k > 1) {
            assert_true(!solver->kernel && solver->memory->basis_count >= 0);
            assert_true(report.turns > 1);
            assert_int_equal(report.pivots, 0);
        }
    }
    tact_contact_solver_destroy(solver);
}

/// A block on three corners, as a mechanism of its six coordinates. The rows of a contact are those
/// of its point, then those of its turn about the same axes.
typedef struct Block {
    double             M[36], v[6], tau[6], J[3][36];
    TactContact        contacts[3];
    TactContactProblem problem;
} Block;

static void make_block(const Scene *scene, Block *block)
{
    const TactContactBody *body = &scene->bodies[0];
    *block = (Block){0};
    for (int k = 0; k < 3; k++) {
        block->M[7 * k] = body->mass;
        block->M[7 * (k + 3)] = body->inertia[k];
        block->tau[k] = body->force[k];
    }
    for (int i = 0; i < 3; i++) {
        double frame[3][3], arm[3], moment[3];
        block->contacts[i] = scene->contacts[i];
        block->contacts[i].mu_spin = 0.05;
        block->contacts[i].mu_roll = 0.02;
        block->contacts[i].J = block->J[i];
        tact_contact_compute_frame(&scene->contacts[i], frame);
        for (int k = 0; k < 3; k++) {
            arm[k] = scene->contacts[i].point[k] - body->position[k];
        }
        for (int k = 0; k < 3; k++) {
            made_cross(arm, frame[k], moment);
            memcpy(block->J[i] + 6 * k, frame[k], sizeof frame[k]);
            memcpy(block->J[i] + 6 * k + 3, moment, sizeof moment);
            memcpy(block->J[i] + 6 * (k + 3) + 3, frame[k], sizeof frame[k]);
        }
    }
    block->problem = (TactContactProblem){.step = scene->problem.step,
                                          .nv = 6,
                                          .M = block->M,
                                          .v = block->v,
                                          .tau = block->tau,
                                          .contact_count = 3,
                                          .contacts = block->contacts};
}

/// Corners that resist spinning and rolling: at rest, spinning in place, rolling over an edge,
/// sliding, and all of it at once, the course turned a little from solve to solve. Beside a solver
/// that knows nothing of what was before.
static void contacts_that_spin_and_roll_go_on_without_a_kernel(void **state)
{
    (void)state;
    const double motions[][4] = {
        {0, 0, 0, 0}, {0, 0, 0, 3}, {0, 0, 0.05, 0}, {2, 0, 0, 0}, {2, 1, 0.02, 2}}; // vx vy wx wz
    int   steady = 0, solves = 0;
    Scene scene;
    Block block;
    scene_block_on_plane(&scene);
    name_contacts(&scene);
    make_block(&scene, &block);
    TactContactConfig   config = tact_contact_config_default(TACT_METHOD_LADDER);
    TactContactCapacity capacity = tact_contact_get_capacity(&block.problem);
    config.cone = TACT_CONE_CIRCLE;
    for (size_t m = 0; m < sizeof motions / sizeof *motions; m++) {
        TactContactSolver *solver = NULL;
        assert_int_equal(tact_contact_solver_create(&capacity, &config, &solver), TACT_OK);
        for (int k = 0; k < 8; k++) {
            double            impulse[9], velocity[6], cold[6];
            TactContactReport report;
            TactContactAnswer answer = {.impulse = impulse, .velocity = velocity};
            block.v[0] = motions[m][0] * cos(0.05 * k);
            block.v[1] = motions[m][1] + motions[m][0] * sin(0.05 * k);
            block.v[3] = motions[m][2];
            block.v[5] = motions[m][3];
            assert_int_equal(tact_contact_solve(solver, &block.problem, &answer, &report), TACT_OK);
            assert_int_equal(report.outcome, TACT_OUTCOME_SOLVED);
            solve_cold(&block.problem, cold);
            for (int i = 0; i < 6; i++) {
                assert_true(fabs(velocity[i] - cold[i]) < 1e-9);
            }
            steady += k > 1 && !solver->kernel && solver->memory->basis_count >= 0;
            solves += k > 1;
        }
        tact_contact_solver_destroy(solver);
    }
    assert_true(steady > solves / 2);
}

enum { JOINTS = 16, COORDINATES = 6 + JOINTS };

/// A block on three corners that carries joints with dry friction, whose motion is coupled with the
/// block's and with that of their neighbours.
typedef struct Robot {
    double             M[COORDINATES * COORDINATES], v[COORDINATES], tau[COORDINATES];
    double             J[3][3 * COORDINATES], row_J[JOINTS][COORDINATES];
    TactContact        contacts[3];
    TactContactRow     rows[JOINTS];
    TactContactProblem problem;
} Robot;

static void make_robot(const Block *block, Robot *robot)
{
    *robot = (Robot){0};
    for (int i = 0; i < COORDINATES; i++) {
        for (int j = 0; j < COORDINATES; j++) {
            bool joints = i >= 6 && j >= 6;
            robot->M[COORDINATES * i + j] = i < 6 && j < 6 ? block->M[6 * i + j]
                                            : joints ? (i == j) * 0.05 + 0.5 / (1 + abs(i - j))
                                                     : 0.03 * cos(i + j);
        }
    }
    for (int i = 0; i < 3; i++) {
        robot->contacts[i] = block->contacts[i];
        robot->contacts[i].mu_spin = robot->contacts[i].mu_roll = 0;
        robot->contacts[i].J = robot->J[i];
        for (int k = 0; k < 3; k++) {
            memcpy(robot->J[i] + COORDINATES * k, block->J[i] + 6 * k, 6 * sizeof(double));
        }
    }
    for (int i = 0; i < JOINTS; i++) {
        robot->row_J[i][6 + i] = 1;
        robot->rows[i] = (TactContactRow){.kind = TACT_ROW_MOTOR,
                                          .J = robot->row_J[i],
                                          .force_max = 0.04 / block->problem.step,
                                          .id = (uint64_t)(100 + i)};
    }
    robot->problem = (TactContactProblem){.step = block->problem.step,
                                          .nv = COORDINATES,
                                          .M = robot->M,
                                          .v = robot->v,
                                          .tau = robot->tau,
                                          .contact_count = 3,
                                          .contacts = robot->contacts,
                                          .row_count = JOINTS,
                                          .rows = robot->rows};
}

/// The block slides to and fro and tilts, and joints swing, each in its own time.
static void move_robot(const Block *block, int k, Robot *robot)
{
    memcpy(robot->tau, block->tau, sizeof block->tau);
    robot->v[0] = 0.5 * sin(0.31 * k);
    robot->v[1] = 0.3 * cos(0.23 * k);
    robot->v[3] = 0.05 * sin(0.17 * k);
    robot->v[5] = 0.2 * sin(0.4 * k);
    for (int i = 0; i < JOINTS; i++) {
        robot->v[6 + i] = 0.3 * sin((0.6 + 0.15 * i) * k + i);
    }
}

/// Joints that stick and slip by turns: after the first answers states change without a kernel,
/// which would forget the products of columns. Beside a solver that knows nothing of what was
/// before.
static void joints_that_stick_and_slip_change_without_a_kernel(void **state)
{
    enum { AT_FIRST = 20, ALL = 300 };
    (void)state;
    int      without = 0, several = 0; // answers, and those that took more than one system
    int      slips = 0, flips = 0, most = 0;
    bool     slipped[JOINTS] = {0};
    uint64_t made = 0;
    Scene    scene;
    Block    block;
    Robot    robot;
    scene_block_on_plane(&scene);
    name_contacts(&scene);
    make_block(&scene, &block);
    make_robot(&block, &robot);
    TactContactConfig   config = tact_contact_config_default(TACT_METHOD_LADDER);
    TactContactCapacity capacity = tact_contact_get_capacity(&robot.problem);
    TactContactSolver  *solver = NULL;
    config.cone = TACT_CONE_CIRCLE;
    assert_int_equal(tact_contact_solver_create(&capacity, &config, &solver), TACT_OK);
    for (int k = 0; k < ALL; k++) {
        double            impulse[9], rows[JOINTS], velocity[COORDINATES], cold[COORDINATES];
        TactContactReport report;
        TactContactAnswer answer = {.impulse = impulse, .row_impulse = rows, .velocity = velocity};
        move_robot(&block, k, &robot);
        assert_int_equal(tact_contact_solve(solver, &robot.problem, &answer, &report), TACT_OK);
        assert_int_equal(report.outcome, TACT_OUTCOME_SOLVED);
        solve_cold(&robot.problem, cold);
        for (int i = 0; i < COORDINATES; i++) {
            assert_true(fabs(velocity[i] - cold[i]) < 1e-9);
        }
        for (int i = 0; i < JOINTS; i++) {
            bool now = fabs(velocity[6 + i]) > 1e-6;
            slips += now;
            flips += now != slipped[i];
            slipped[i] = now;
        }
        if (k >= AT_FIRST && solver->kernel && solver->kernel->factor.products_of) {
            without++;
            most = report.turns > most ? report.turns : most;
            several += solver->kernel->factor.products_at != made;
            made = solver->kernel->factor.products_at;
        }
    }
    assert_true(slips > ALL && slips < (JOINTS - 1) * ALL && flips > ALL);
    assert_true(without > (ALL - AT_FIRST) * 3 / 4);
    assert_true(several > (ALL - AT_FIRST) / 2);
    assert_true(most > 10); // where the states run to and fro, Newton's method ends it
    tact_contact_solver_destroy(solver);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_same_problem_has_the_same_motion_by_one_system),
        cmocka_unit_test(motors_that_hold_and_motors_at_their_bound_go_on),
        cmocka_unit_test(rows_of_loops_and_limits_go_on),
        cmocka_unit_test(friction_that_turns_goes_on_without_a_kernel),
        cmocka_unit_test(contacts_that_spin_and_roll_go_on_without_a_kernel),
        cmocka_unit_test(joints_that_stick_and_slip_change_without_a_kernel),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
