// Baraff's examples with answers worked out by hand: slopes, ladders, walls, Painleve's rod.
#include "baraff_cases.h"

static void turn_vector(double angle, double *x)
{
    double c = cos(angle), s = sin(angle), x0 = x[0], x1 = x[1];
    x[0] = c * x0 - s * x1;
    x[1] = s * x0 + c * x1;
}

/// The whole scene turned about z; inertias have no products before.
static void turn_scene(Scene *scene, double angle)
{
    double c = cos(angle), s = sin(angle);
    for (int b = 0; b < scene->problem.body_count; b++) {
        TactContactBody *body = &scene->bodies[b];
        double          *vectors[] = {body->position, body->velocity, body->omega, body->force,
                                      body->torque};
        double           Ix = body->inertia[0], Iy = body->inertia[1];
        for (size_t k = 0; k < sizeof vectors / sizeof *vectors; k++) {
            turn_vector(angle, vectors[k]);
        }
        body->inertia[0] = c * c * Ix + s * s * Iy;
        body->inertia[1] = s * s * Ix + c * c * Iy;
        body->inertia[3] = c * s * (Ix - Iy);
    }
    for (int i = 0; i < scene->problem.contact_count; i++) {
        turn_vector(angle, scene->contacts[i].point);
        turn_vector(angle, scene->contacts[i].normal);
    }
    for (int i = 0; i < scene->problem.row_count; i++) {
        double *parts[] = {scene->rows[i].J_a, scene->rows[i].J_a + 3, scene->rows[i].J_b,
                           scene->rows[i].J_b + 3};
        for (int k = 0; k < 4; k++) {
            turn_vector(angle, parts[k]);
        }
    }
}

// ---------------------------------------------------------------------------------------------
// A block on a slope

/// The cube of 2 kg on its four corners, gravity turned by an angle towards a direction.
static void tilt(Scene *scene, double angle, double towards)
{
    scene_block_on_plane(scene);
    scene->problem.level = TACT_LEVEL_ACCELERATION;
    scene->bodies[0].force[0] = 2 * GRAVITY * sin(angle) * cos(towards);
    scene->bodies[0].force[1] = 2 * GRAVITY * sin(angle) * sin(towards);
    scene->bodies[0].force[2] = -2 * GRAVITY * cos(angle);
}

static const double directions[] = {0, 0.7, 2, 4.1};
enum { DIRECTIONS = 4 };

static void a_block_just_inside_the_cone_stays(void **state)
{
    (void)state;
    double angle = atan(0.999 * 0.5), worst = 0;
    for (int k = 0; k < DIRECTIONS; k++) {
        Scene      scene;
        CaseAnswer answer;
        tilt(&scene, angle, directions[k]);
        case_solve(&scene, &answer);
        case_assert_solved(&answer);
        worst = fmax(worst, case_largest(answer.v, 6));
    }
    print_message("slope, tan a = 0.999 mu: largest acceleration %.1e\n", worst);
    assert_true(worst <= 1e-12);
}

static void a_block_just_outside_the_cone_slides_with_what_is_left(void **state)
{
    (void)state;
    double angle = atan(1.001 * 0.5), worst = 0;
    double left = GRAVITY * (sin(angle) - 0.5 * cos(angle));
    for (int k = 0; k < DIRECTIONS; k++) {
        Scene      scene;
        CaseAnswer answer;
        tilt(&scene, angle, directions[k]);
        case_solve(&scene, &answer);
        case_assert_solved(&answer);
        worst = fmax(worst, fabs(answer.v[0] - left * cos(directions[k])));
        worst = fmax(worst, fabs(answer.v[1] - left * sin(directions[k])));
        worst = fmax(worst, case_largest(answer.v + 2, 4));
    }
    print_message("slope, tan a = 1.001 mu: a = %.6f m/s2, largest error %.1e\n", left, worst);
    assert_true(worst <= 1e-12);
}

static void a_block_that_slides_already_has_dynamic_friction(void **state)
{
    (void)state;
    // Uphill and across as well as downhill: friction opposes the velocity, not the acceleration.
    double angle = atan(0.3);
    for (int k = 0; k < DIRECTIONS; k++) {
        Scene      scene;
        CaseAnswer answer;
        tilt(&scene, angle, 0);
        double x = cos(directions[k]), y = sin(directions[k]);
        scene.bodies[0].velocity[0] = 0.2 * x;
        scene.bodies[0].velocity[1] = 0.2 * y;
        case_solve(&scene, &answer);
        case_assert_solved(&answer);
        double friction = 0.5 * GRAVITY * cos(angle);
        assert_true(fabs(answer.v[0] - GRAVITY * sin(angle) + friction * x) <= 1e-12);
        assert_true(fabs(answer.v[1] + friction * y) <= 1e-12);
    }
}

static void a_step_from_rest_is_its_acceleration(void **state)
{
    (void)state;
    Scene      scene;
    CaseAnswer accelerations, velocities;
    tilt(&scene, atan(1.5), 0.7);
    scene.bodies[0].torque[2] = 3;
    case_solve(&scene, &accelerations);
    scene.problem.level = TACT_LEVEL_VELOCITY;
    case_solve(&scene, &velocities);
    case_assert_solved(&accelerations);
    case_assert_solved(&velocities);
    for (int i = 0; i < 6; i++) {
        assert_true(fabs(velocities.v[i] - 0.01 * accelerations.v[i]) <= 1e-12);
    }
}

// ---------------------------------------------------------------------------------------------
// A ladder between floor and wall

/// A rod of mass 3 and half-length 1 in the x-z plane: its foot on the floor at x = 2 cos, its head
/// at the wall x = 0.
static void lean(Scene *scene, double angle, double mu)
{
    scene_clear(scene);
    scene->problem.level = TACT_LEVEL_ACCELERATION;
    scene_add_cube(scene, 3, 1, cos(angle), 0, sin(angle));
    scene->bodies[0].inertia[1] = 1; // m l^2 / 3
    scene_add_contact(scene, -1, 0, 2 * cos(angle), 0, 0, mu);
    TactContact *wall = scene_add_contact(scene, -1, 0, 0, 0, 2 * sin(angle), mu);
    wall->normal[0] = 1;
    wall->normal[2] = 0;
}

static void a_ladder_stays_up_to_its_angle_and_slides_below(void **state)
{
    (void)state;
    double     mu = 0.4, limit = case_limit_of_ladder(mu);
    Scene      scene;
    CaseAnswer answer;
    lean(&scene, limit + 1e-3, mu);
    case_solve(&scene, &answer);
    case_assert_solved(&answer);
    print_message("ladder, 1e-3 rad steeper than its limit: largest acceleration %.1e\n",
                  case_largest(answer.v, 6));
    assert_true(case_largest(answer.v, 6) <= 1e-12);

    for (int k = 0; k < 3; k++) {
        double angle = limit - (k == 0 ? 1e-3 : 0.3 * k);
        lean(&scene, angle, mu);
        case_solve(&scene, &answer);
        case_assert_solved(&answer);
        double expected = case_slide_of_ladder(angle, mu);
        // The angle counts from the floor: it grows against the turn about y.
        print_message("ladder at %.3f rad: %.9f rad/s2, expected %.9f\n", angle, answer.v[4],
                      expected);
        assert_true(expected < 0 && fabs(answer.v[4] - expected) <= 1e-11);
    }
}

static void a_ladder_with_two_feet_stays_and_slides_in_any_direction(void **state)
{
    (void)state;
    // Two feet and two heads, 0.6 apart, share the forces of one; four contacts are redundant.
    double mu = 0.4, limit = case_limit_of_ladder(mu);
    for (int k = 0; k < DIRECTIONS; k++) {
        for (int side = -1; side <= 1; side += 2) {
            Scene      scene;
            CaseAnswer answer;
            double     angle = limit + 1e-3 * side;
            lean(&scene, angle, mu);
            for (int i = 0; i < 2; i++) {
                scene.contacts[2 + i] = scene.contacts[i];
                scene.contacts[i].point[1] = -0.3;
                scene.contacts[2 + i].point[1] = 0.3;
            }
            scene.problem.contact_count = 4;
            turn_scene(&scene, directions[k]);
            case_solve(&scene, &answer);
            case_assert_solved(&answer);
            turn_vector(-directions[k], answer.v);
            turn_vector(-directions[k], answer.v + 3);
            double expected = side > 0 ? 0 : case_slide_of_ladder(angle, mu);
            print_message("ladder with two feet, turned by %.1f, at its limit %+.0e rad: %.9f "
                          "rad/s2, expected %.9f\n",
                          directions[k], 1e-3 * side, answer.v[4], expected);
            assert_true(fabs(answer.v[4] - expected) <= 1e-11);
            assert_true(fabs(answer.v[1]) <= 1e-11 && fabs(answer.v[3]) <= 1e-11 &&
                        fabs(answer.v[5]) <= 1e-11);
        }
    }
}

static void a_wedged_ladder_holds_any_load(void **state)
{
    (void)state;
    // mu > tan(pi/2 - a): the reaction at the foot can point along the ladder, whatever the load,
    // and also if that pushes to the side.
    for (double load = 1; load <= 1e6; load *= 1e3) {
        Scene      scene;
        CaseAnswer answer;
        lean(&scene, 0.8, 1.2);
        scene.bodies[0].force[2] -= load;
        scene.bodies[0].force[1] = 0.1 * load;
        turn_scene(&scene, 0.7);
        case_solve(&scene, &answer);
        case_assert_solved(&answer);
        print_message("wedged ladder under %g N: largest acceleration %.1e\n", load,
                      case_largest(answer.v, 6));
        assert_true(case_largest(answer.v, 6) <= 1e-13 * (load + 10 * GRAVITY));
    }
}

// ---------------------------------------------------------------------------------------------
// A block between walls

/// A cube of 2 kg without a floor between a fixed wall and one that can only move along x and is
/// pressed on.
static void squeeze(Scene *scene, double press, double mu)
{
    scene_clear(scene);
    scene->problem.level = TACT_LEVEL_ACCELERATION;
    scene_add_cube(scene, 2, 1, 0, 0, 0);
    TactContactBody *wall = scene_add_cube(scene, 5, 1, 2, 0, 0);
    wall->force[0] = -press;
    wall->force[2] = 0;
    for (int k = 0; k < 8; k++) {
        double       x = k < 4 ? -1 : 1;
        TactContact *c =
            scene_add_contact(scene, k < 4 ? -1 : 1, 0, x, k % 2 ? 1 : -1, k / 2 % 2 ? 1 : -1, mu);
        c->normal[0] = -x;
        c->normal[2] = 0;
    }
    for (int axis = 1; axis < 6; axis++) {
        scene_add_row(scene, TACT_ROW_BILATERAL, -1, 1)->J_b[axis] = 1;
    }
}

static void a_block_between_walls_is_held_by_friction_alone(void **state)
{
    (void)state;
    Scene      scene;
    CaseAnswer answer;
    double     weight = 2 * GRAVITY, mu = 0.6;
    for (int k = 0; k < DIRECTIONS; k++) {
        squeeze(&scene, 1.001 * weight / (2 * mu), mu);
        turn_scene(&scene, directions[k]);
        case_solve(&scene, &answer);
        case_assert_solved(&answer);
        print_message(
            "block between walls, pressed 0.1 %% more than needed: largest acceleration %.1e\n",
            case_largest(answer.v, 12));
        assert_true(case_largest(answer.v, 12) <= 1e-12);

        squeeze(&scene, 0.999 * weight / (2 * mu), mu);
        turn_scene(&scene, directions[k]);
        case_solve(&scene, &answer);
        case_assert_solved(&answer);
        print_message("the same, 0.1 %% less: falls with %.9f m/s2, expected %.9f\n", -answer.v[2],
                      0.001 * GRAVITY);
        assert_true(fabs(answer.v[2] + 0.001 * GRAVITY) <= 1e-12);
    }
}

static void a_block_clamped_by_its_own_elasticity_stays(void **state)
{
    (void)state;
    // Both walls are fixed; each corner is pressed in by a bias that its compliance turns into
    // 10 N: 80 N of friction at most against 2 g.
    Scene      scene;
    CaseAnswer answer;
    squeeze(&scene, 0, 1);
    scene.problem.body_count = 1;
    scene.problem.row_count = 0;
    for (int k = 0; k < 8; k++) {
        scene.contacts[k].a = -1;
        scene.contacts[k].compliance = 1e-3;
        scene.contacts[k].bias = -1e-2;
    }
    case_solve(&scene, &answer);
    case_assert_solved(&answer);
    assert_true(case_largest(answer.v, 6) <= 1e-12);
    double friction = 0;
    for (int k = 0; k < 8; k++) {
        double frame[3][3];
        tact_contact_compute_frame(&scene.contacts[k], frame);
        friction += frame[1][2] * answer.p[3 * k + 1] + frame[2][2] * answer.p[3 * k + 2];
        assert_true(fabs(answer.p[3 * k] - 10) <= 1e-10);
    }
    assert_true(fabs(friction - 2 * GRAVITY) <= 1e-10);
}

// ---------------------------------------------------------------------------------------------
// Painleve's rod

/// A rod of mass 1 and half-length 1 at tan a = 2 whose foot slides along +-x on the floor. With
/// the foot ahead of the centre W_nn + friction is 1 + 3 cos (cos - mu sin) = (8 - 6 mu) / 5.
static void drag(Scene *scene, double mu, double speed, double omega)
{
    double c = 1 / sqrt(5), s = 2 / sqrt(5);
    scene_clear(scene);
    scene->problem.level = TACT_LEVEL_ACCELERATION;
    TactContactBody *rod = scene_add_cube(scene, 1, 1, 0, 0, s);
    rod->inertia[1] = 1.0 / 3;
    rod->omega[1] = omega;
    // The foot is at (-c, -s): omega x arm = omega (-s, 0, c).
    rod->velocity[0] = speed + omega * s;
    rod->velocity[2] = -omega * c;
    TactContact *foot = scene_add_contact(scene, -1, 0, -c, 0, 0, mu);
    foot->bias = omega * omega * s; // centripetal, upwards
}

static void painleves_rod_without_a_force_asks_for_an_impulse(void **state)
{
    (void)state;
    Scene      scene;
    CaseAnswer answer;
    drag(&scene, 1.4, -1, 0);
    case_solve(&scene, &answer);
    print_message("rod, mu = 1.4: %s after %d pivots, direction (%g, %g, %g)\n",
                  tact_contact_outcome_name(answer.report.outcome), answer.report.pivots,
                  answer.p[0], answer.p[1], answer.p[2]);
    assert_int_equal(answer.report.outcome, TACT_OUTCOME_UNBOUNDED);
    assert_true(answer.p[0] > 0 && fabs(answer.p[1] - 1.4 * answer.p[0]) <= 1e-15);
    assert_true(fabs(answer.p[2]) <= 1e-15);
    // Along it the foot is pushed into the floor, and its sliding (to -x) is stopped: W p from the
    // closed form of W, with arm (-c, -s), I = 1/3.
    double c = 1 / sqrt(5), s = 2 / sqrt(5), n = answer.p[0], t = answer.p[1];
    double turn = 3 * (-c * n + s * t);
    assert_true(n - c * turn < 0);
    assert_true(t + s * turn > 0);
}

static void painleves_rod_asks_for_an_impulse_in_any_direction(void **state)
{
    (void)state;
    for (int k = 0; k < DIRECTIONS; k++) {
        Scene      scene;
        CaseAnswer answer;
        double     frame[3][3], friction[3];
        drag(&scene, 1.4, -1, 0);
        turn_scene(&scene, directions[k]);
        case_solve(&scene, &answer);
        tact_contact_compute_frame(&scene.contacts[0], frame);
        for (int i = 0; i < 3; i++) {
            friction[i] = frame[1][i] * answer.p[1] + frame[2][i] * answer.p[2];
        }
        turn_vector(-directions[k], friction);
        print_message("rod turned by %.1f, mu = 1.4: %s after %d pivots, normal %g, friction "
                      "(%.15f, %.1e)\n",
                      directions[k], tact_contact_outcome_name(answer.report.outcome),
                      answer.report.pivots, answer.p[0], friction[0], friction[1]);
        assert_int_equal(answer.report.outcome, TACT_OUTCOME_UNBOUNDED);
        assert_true(answer.report.pivots <= 8 && answer.p[0] == 1);
        assert_true(fabs(friction[0] - 1.4) <= 1e-14 && fabs(friction[1]) <= 1e-14);
    }
}

static void painleves_rod_with_a_force_gets_it(void **state)
{
    (void)state;
    Scene      scene;
    CaseAnswer answer;
    drag(&scene, 1.3, -1, 0); // (8 - 7.8) / 5 f = g
    case_solve(&scene, &answer);
    case_assert_solved(&answer);
    print_message("rod, mu = 1.3: force %.9f, expected %.9f\n", answer.p[0], GRAVITY / 0.04);
    assert_true(fabs(answer.p[0] - GRAVITY / 0.04) <= 1e-10);

    drag(&scene, 1.4, 1, 0); // the other way: (8 + 8.4) / 5 f = g
    case_solve(&scene, &answer);
    case_assert_solved(&answer);
    assert_true(fabs(answer.p[0] - GRAVITY / 3.28) <= 1e-12);

    drag(&scene, 1.4, -1, 4); // it lifts off: 16 s > g
    case_solve(&scene, &answer);
    case_assert_solved(&answer);
    assert_true(answer.p[0] == 0);
}

static void a_rod_that_does_not_slide_yet_always_has_a_force(void **state)
{
    (void)state;
    for (int k = 0; k <= 20; k++) {
        Scene      scene;
        CaseAnswer answer;
        drag(&scene, 0.2 * k, 0, 0);
        case_solve(&scene, &answer);
        case_assert_solved(&answer);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_block_just_inside_the_cone_stays),
        cmocka_unit_test(a_block_just_outside_the_cone_slides_with_what_is_left),
        cmocka_unit_test(a_block_that_slides_already_has_dynamic_friction),
        cmocka_unit_test(a_step_from_rest_is_its_acceleration),
        cmocka_unit_test(a_ladder_stays_up_to_its_angle_and_slides_below),
        cmocka_unit_test(a_ladder_with_two_feet_stays_and_slides_in_any_direction),
        cmocka_unit_test(a_wedged_ladder_holds_any_load),
        cmocka_unit_test(a_block_between_walls_is_held_by_friction_alone),
        cmocka_unit_test(a_block_clamped_by_its_own_elasticity_stays),
        cmocka_unit_test(painleves_rod_without_a_force_asks_for_an_impulse),
        cmocka_unit_test(painleves_rod_asks_for_an_impulse_in_any_direction),
        cmocka_unit_test(painleves_rod_with_a_force_gets_it),
        cmocka_unit_test(a_rod_that_does_not_slide_yet_always_has_a_force),
    };
    return cmocka_run_group_tests_name("contact/baraff", tests, NULL, NULL);
}
