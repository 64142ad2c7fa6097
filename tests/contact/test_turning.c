// Newton turning: the circle is round.
#include "contact/pivot/turning.h"

#include "kernels.h"
#include "pegs.h"

static const double PI = 3.14159265358979323846;

/// A particle of 2 kg on the plane, mu = 0.5, pushed for one step by a force along an angle.
static void make_pushed(Scene *scene, double angle, double force)
{
    scene_particle(scene, 2, 0.5);
    scene->bodies[0].force[0] = force * cos(angle);
    scene->bodies[0].force[1] = force * sin(angle);
}

/// World x and y of the friction impulse of contact 0.
static void world_friction(const Scene *scene, const double *impulse, double out[2])
{
    double frame[3][3];
    tact_contact_compute_frame(&scene->contacts[0], frame);
    for (int j = 0; j < 2; j++) {
        out[j] = frame[1][j] * impulse[1] + frame[2][j] * impulse[2];
    }
}

/// What the worst of 64 directions misses of friction -mu m g h along the push.
static double worst_of_all_directions(TactContactMethod method, TactContactCone cone)
{
    const double      most = 0.5 * 2 * GRAVITY * 0.01;
    TactContactConfig config = solving_config(method, cone);
    double            worst = 0;
    for (int k = 0; k < 64; k++) {
        double  angle = 2 * PI * k / 64 + 0.01;
        Scene   scene;
        Solving solving;
        double  p[2];
        make_pushed(&scene, angle, 20); // twice what friction can hold
        solving_begin(&solving, &scene.problem, &config);
        assert_int_equal(solving_run(&solving, &scene.problem), TACT_OUTCOME_SOLVED);
        assert_true(solving.report.turns <= 8);
        world_friction(&scene, solving.impulse, p);
        worst = fmax(worst, hypot(p[0] + most * cos(angle), p[1] + most * sin(angle)) / most);
        solving_end(&solving);
    }
    return worst;
}

static void a_block_slides_along_the_push_whatever_its_direction(void **state)
{
    (void)state;
    const TactContactMethod methods[] = {TACT_METHOD_REDUCED, TACT_METHOD_STRUCTURAL,
                                         TACT_METHOD_LADDER};
    for (int m = 0; m < 3; m++) {
        assert_true(worst_of_all_directions(methods[m], TACT_CONE_CIRCLE) <= 1e-9);
    }
    // The pyramid of 8 keeps friction along one direction until the slip, push minus friction, is
    // half way to the next: at alpha from it, with push sin(pi/8 - alpha) = friction sin(pi/8).
    double alpha = PI / 8 - asin(sin(PI / 8) * 9.81 / 20);
    double pyramid = worst_of_all_directions(TACT_METHOD_REDUCED, TACT_CONE_PYRAMID);
    assert_true(pyramid > 0.19 && pyramid <= 2 * sin(alpha / 2) + 1e-9);
}

// Weight m g h mu = 0.0981 N s: a push of 9.81 N is the edge.
static void a_block_sticks_just_inside_and_slides_just_outside_the_circle(void **state)
{
    (void)state;
    TactContactConfig config = solving_config(TACT_METHOD_REDUCED, TACT_CONE_CIRCLE);
    for (int k = 0; k < 32; k++) {
        for (int side = 0; side < 2; side++) {
            Scene   scene;
            Solving solving;
            double  push = 9.81 * (side ? 1 + 1e-6 : 1 - 1e-6);
            make_pushed(&scene, 0.2 * k, push);
            solving_begin(&solving, &scene.problem, &config);
            assert_int_equal(solving_run(&solving, &scene.problem), TACT_OUTCOME_SOLVED);
            double speed = hypot(solving.velocity[0], solving.velocity[1]);
            double expected = side ? 9.81e-6 * 0.01 / 2 : 0;
            assert_true(fabs(speed - expected) <= 1e-13);
            solving_end(&solving);
        }
    }
}

// Between two directions the polygon of d holds only cos(pi / d) of the circle.
static void the_pyramid_slides_where_the_circle_still_holds(void **state)
{
    (void)state;
    for (int circle = 0; circle < 2; circle++) {
        Scene             scene;
        Solving           solving;
        TactContactConfig config =
            solving_config(TACT_METHOD_REDUCED, circle ? TACT_CONE_CIRCLE : TACT_CONE_PYRAMID);
        make_pushed(&scene, 0, 9.81 * 0.96); // cos(pi / 8) = 0.924
        double frame[3][3];
        tact_contact_compute_frame(&scene.contacts[0], frame);
        double tangent = atan2(frame[1][1], frame[1][0]);
        scene.contacts[0].turn = (frame[0][2] > 0 ? -tangent : tangent) + PI / 8;
        solving_begin(&solving, &scene.problem, &config);
        assert_int_equal(solving_run(&solving, &scene.problem), TACT_OUTCOME_SOLVED);
        bool slides = hypot(solving.velocity[0], solving.velocity[1]) > 1e-6;
        assert_int_equal(slides, !circle);
        solving_end(&solving);
    }
}

static void turns_are_few_on_every_shape(void **state)
{
    (void)state;
    static Shape      shape;
    TactContactConfig config = solving_config(TACT_METHOD_REDUCED, TACT_CONE_CIRCLE);
    int               turns = 0, problems = 0;
    for (int kind = 0; kind < SHAPE_COUNT; kind++) {
        for (uint64_t seed = 1; seed <= 5; seed++) {
            Solving solving;
            shape_make(&shape, kind, seed);
            solving_begin(&solving, &shape.problem, &config);
            assert_int_equal(solving_run(&solving, &shape.problem), TACT_OUTCOME_SOLVED);
            turns += solving.report.turns;
            problems++;
            // From the last step's turns and basis the answer stands at once.
            assert_int_equal(solving_run(&solving, &shape.problem), TACT_OUTCOME_SOLVED);
            assert_true(solving.report.turns <= 3);
            solving_end(&solving);
        }
    }
    assert_true(turns <= 5 * problems);
}

static void frictionless_and_sticking_problems_take_one_solve(void **state)
{
    (void)state;
    TactContactConfig config = solving_config(TACT_METHOD_REDUCED, TACT_CONE_CIRCLE);
    Scene             scene;
    Solving           solving;
    scene_block_on_plane(&scene);
    solving_begin(&solving, &scene.problem, &config);
    assert_int_equal(solving_run(&solving, &scene.problem), TACT_OUTCOME_SOLVED);
    assert_int_equal(solving.report.turns, 1);
    scene.bodies[0].velocity[0] = 1;
    for (int i = 0; i < 4; i++) {
        scene.contacts[i].mu = 0;
    }
    tact_contact_solver_forget(solving.solver);
    assert_int_equal(solving_run(&solving, &scene.problem), TACT_OUTCOME_SOLVED);
    assert_int_equal(solving.report.turns, 1);
    assert_true(solving.velocity[0] == 1);
    solving_end(&solving);
}

static void one_turn_is_not_enough_and_is_reported_as_the_limit(void **state)
{
    (void)state;
    TactContactConfig config = solving_config(TACT_METHOD_REDUCED, TACT_CONE_CIRCLE);
    Scene             scene;
    Solving           solving;
    config.max_turns = 1;
    make_pushed(&scene, 0.2, 20);
    solving_begin(&solving, &scene.problem, &config);
    assert_int_equal(solving_run(&solving, &scene.problem), TACT_OUTCOME_LIMIT);
    assert_true(solving.report.certificate.error > config.tol);
    solving_end(&solving);
}

// The residual of known answers: 0 for the right one, and what is wrong with wrong ones in units
// of the contact (mass 2: C_n has length 1 / sqrt(2)).
static void the_residual_measures_the_law_of_the_circle(void **state)
{
    (void)state;
    Scene       scene;
    OwnedSystem system;
    double      y[6], pushed[6], u[3];
    make_pushed(&scene, 0, 0);
    system_create(&system, &scene.problem);
    const TactCircleScratch scratch = {y, pushed, u};
    const double            weight = 2 * GRAVITY * 0.01;
    const double            right[3] = {weight, 0, 0};
    assert_true(tact_circle_residual(&system.system, right, &scratch) <= 1e-15);
    const double nothing[3] = {0, 0, 0};
    assert_true(fabs(tact_circle_residual(&system.system, nothing, &scratch) - 1) <= 1e-12);
    const double rubbing[3] = {weight, 0.4 * weight, 0}; // friction inside the cone moves it
    assert_true(tact_circle_residual(&system.system, rubbing, &scratch) > 0.1);
    const double broken[3] = {weight, NAN, 0};
    assert_true(isnan(tact_circle_residual(&system.system, broken, &scratch)));
    system_destroy(&system);
}

// Blocks that stand still under a load move by what rounding leaves. That is no slip: only the top
// block slides, and Newton's method on its direction takes a few turns.
static void a_block_that_slides_on_a_stack_at_rest_takes_few_turns(void **state)
{
    (void)state;
    TactContactConfig config = solving_config(TACT_METHOD_REDUCED, TACT_CONE_CIRCLE);
    for (int k = 0; k < 16; k++) {
        const double masses[3] = {0.3, 0.7, 1.1};
        double       angle = 0.1 + 2 * PI * k / 16;
        Scene        scene;
        Solving      solving;
        scene_clear(&scene);
        for (int m = 0; m < 3; m++) {
            scene_add_cube(&scene, masses[m], 1, 0, 0, 2 * m + 1);
            for (int c = 0; c < 4; c++) {
                scene_add_contact(&scene, m - 1, m, c % 2 ? 1 : -1, c / 2 ? 1 : -1, 2 * m,
                                  m == 2 ? 0.1 : 0.7);
            }
        }
        scene.bodies[2].force[0] = 3 * cos(angle);
        scene.bodies[2].force[1] = 3 * sin(angle);
        scene.bodies[2].torque[2] = 0.5;
        solving_begin(&solving, &scene.problem, &config);
        assert_int_equal(solving_run(&solving, &scene.problem), TACT_OUTCOME_SOLVED);
        assert_int_equal(solving.report.ended, TACT_OUTCOME_SOLVED);
        assert_true(solving.report.turns <= 6);
        solving_end(&solving);
    }
}

// A motor that is not strong enough pushes with all it has: 0.3 N along its axis, for a step. Its
// two directions are not those of a pyramid, which may be turned.
static void the_directions_of_a_motor_are_never_turned(void **state)
{
    (void)state;
    const TactTurningStart starts[] = {{0}, {.turn = PI / 16}, {.against_slip = true}};
    for (int k = 0; k < 3; k++) {
        Scene             scene;
        OwnedSystem       system;
        OwnedKernel       kernel;
        TactContactReport report = {0};
        double            p[6] = {0};
        make_pushed(&scene, 0.2, 1);
        TactContactRow *motor = scene_add_row(&scene, TACT_ROW_MOTOR, -1, 0);
        motor->J_b[5] = 1;
        motor->target = 100;
        motor->force_max = 0.3;
        system_create(&system, &scene.problem);
        kernel_create(&kernel, &system.system, false);
        assert_int_equal(tact_turning_solve(&kernel.turning, &kernel.kernel, &system.system,
                                            &starts[k], 20, TACT_TURNING_TOL, p, &report),
                         TACT_OUTCOME_SOLVED);
        for (int i = 0; i < 2; i++) {
            bool is_motor = system.system.items[i].kind == TACT_ITEM_MOTOR;
            assert_true(!is_motor || fabs(p[3 * i + 1] - 0.3 * 0.01) <= 1e-15);
        }
        kernel_destroy(&kernel);
        system_destroy(&system);
    }
}

// Four corners of a block hold a push of half of what friction can, a quarter each, which no one of
// them could alone: their twelve unknowns depend on each other six times, and
// are solved softly from the impulses of a push that was half as large.
static void corners_that_share_a_push_go_on_sharing_it(void **state)
{
    (void)state;
    Scene             scene;
    OwnedSystem       system;
    OwnedKernel       kernel;
    TactContactReport report = {0};
    double            p[12] = {0};
    scene_block_on_plane(&scene);
    double weight = -scene.bodies[0].force[2] * scene.problem.step, mu = scene.contacts[0].mu;
    scene.bodies[0].force[0] = 0.5 * mu * -scene.bodies[0].force[2];
    system_create(&system, &scene.problem);
    kernel_create(&kernel, &system.system, false);
    for (int i = 0; i < 4; i++) {
        double frame[3][3];
        tact_contact_compute_frame(&scene.contacts[i], frame);
        p[3 * i] = weight / 4;
        for (int t = 1; t < 3; t++) {
            p[3 * i + t] = -0.25 * mu * weight / 4 * frame[t][0];
        }
    }
    assert_int_equal(
        tact_states_solve_from(&kernel.turning, &kernel.kernel, TACT_TURNING_TOL, p, &report),
        TACT_STATES_SOLVED_SOFTLY);
    assert_int_equal(report.pivots, 0);
    for (int i = 0; i < 4; i++) {
        double frame[3][3];
        tact_contact_compute_frame(&scene.contacts[i], frame);
        // the push acts at the middle of the block: its moment about the ground moves normals only
        double along = frame[1][0] * p[3 * i + 1] + frame[2][0] * p[3 * i + 2];
        assert_true(fabs(along + 0.5 * mu * weight / 4) <= 1e-6 * weight);
    }
    kernel_destroy(&kernel);
    system_destroy(&system);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_block_slides_along_the_push_whatever_its_direction),
        cmocka_unit_test(a_block_that_slides_on_a_stack_at_rest_takes_few_turns),
        cmocka_unit_test(a_block_sticks_just_inside_and_slides_just_outside_the_circle),
        cmocka_unit_test(the_pyramid_slides_where_the_circle_still_holds),
        cmocka_unit_test(turns_are_few_on_every_shape),
        cmocka_unit_test(frictionless_and_sticking_problems_take_one_solve),
        cmocka_unit_test(one_turn_is_not_enough_and_is_reported_as_the_limit),
        cmocka_unit_test(the_residual_measures_the_law_of_the_circle),
        cmocka_unit_test(the_directions_of_a_motor_are_never_turned),
        cmocka_unit_test(corners_that_share_a_push_go_on_sharing_it),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
