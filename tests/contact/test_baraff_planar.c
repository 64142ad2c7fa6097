// Baraff's examples in the plane, with answers worked out by hand: sections 5.1 to 5.5 and 6 of the
// paper, where friction is a signed number and NC_F is NC+ and NC-.
#include "baraff_cases.h"
#include "planar.h"

static const double UP = 1.5707963267948966;

// ---------------------------------------------------------------------------------------------
// A block on a slope

/// A block of 2 kg and side 2 on two corners, gravity turned by an angle, mu = 0.5.
static void tilt(Planar *planar, double angle)
{
    planar_create(planar, 1, TACT_LEVEL_ACCELERATION);
    planar_set_body(planar, 0, 2, 4.0 / 3, (double[]){0, 1});
    planar->tau[0] = 2 * GRAVITY * sin(angle);
    planar->tau[1] = -2 * GRAVITY * cos(angle);
    for (int k = 0; k < 2; k++) {
        planar_add_contact(planar, -1, 0, (double[]){k ? 1 : -1, 0}, UP, 0.5);
    }
}

static void a_block_stays_just_inside_the_cone_and_slides_just_outside(void **state)
{
    (void)state;
    for (int side = -1; side <= 1; side += 2) {
        static Planar planar;
        CaseAnswer    answer;
        tilt(&planar, side * atan(0.999 * 0.5));
        case_solve_problem(&planar.problem, &answer);
        case_assert_solved(&answer);
        print_message("slope, tan a = 0.999 mu: largest acceleration %.1e\n",
                      case_largest(answer.v, 3));
        assert_true(case_largest(answer.v, 3) <= 1e-12);

        double angle = atan(1.001 * 0.5);
        double left = side * GRAVITY * (sin(angle) - 0.5 * cos(angle));
        tilt(&planar, side * angle);
        case_solve_problem(&planar.problem, &answer);
        case_assert_solved(&answer);
        print_message("slope, tan a = 1.001 mu: %.9f m/s2, expected %.9f\n", answer.v[0], left);
        assert_true(fabs(answer.v[0] - left) <= 1e-12);
        assert_true(case_largest(answer.v + 1, 2) <= 1e-12);
        // Friction is on the bound that opposes the sliding: NC+ or NC-. The tangent points to -x.
        for (int k = 0; k < 2; k++) {
            const double *f = answer.p + 3 * k;
            assert_true(fabs(f[1] - side * 0.5 * f[0]) <= 1e-12 * GRAVITY);
        }
    }
}

// ---------------------------------------------------------------------------------------------
// A ladder between floor and wall

/// Mass 3, half-length 1; its foot at x = 2 cos, its head at the wall x = 0.
static void lean(Planar *planar, double angle, double mu)
{
    double c = cos(angle), s = sin(angle);
    planar_create(planar, 1, TACT_LEVEL_ACCELERATION);
    planar_set_body(planar, 0, 3, 1, (double[]){c, s});
    planar_add_contact(planar, -1, 0, (double[]){2 * c, 0}, UP, mu);
    planar_add_contact(planar, -1, 0, (double[]){0, 2 * s}, 0, mu);
}

static void a_ladder_stays_up_to_its_angle_and_slides_below(void **state)
{
    (void)state;
    double        mu = 0.4, limit = case_limit_of_ladder(mu);
    static Planar planar;
    CaseAnswer    answer;
    lean(&planar, limit + 1e-3, mu);
    case_solve_problem(&planar.problem, &answer);
    case_assert_solved(&answer);
    print_message("ladder, 1e-3 rad steeper than its limit: largest acceleration %.1e\n",
                  case_largest(answer.v, 3));
    assert_true(case_largest(answer.v, 3) <= 1e-12);
    for (int k = 0; k < 3; k++) {
        double angle = limit - (k == 0 ? 1e-3 : 0.3 * k);
        lean(&planar, angle, mu);
        case_solve_problem(&planar.problem, &answer);
        case_assert_solved(&answer);
        // Turning from x to z, with the foot to the right, is against the angle from the floor.
        double expected = -case_slide_of_ladder(angle, mu);
        print_message("ladder at %.3f rad: %.9f rad/s2, expected %.9f\n", angle, answer.v[2],
                      expected);
        assert_true(expected > 0 && fabs(answer.v[2] - expected) <= 1e-11);
    }
}

/// Beyond the angle of friction on both ends nothing can move it: any push down is answered.
static void a_wedged_ladder_holds_any_load(void **state)
{
    (void)state;
    // mu > tan(pi/2 - a): the reaction at the foot can point along the ladder, whatever the load.
    double        mu = 1.2, angle = 0.8;
    static Planar planar;
    CaseAnswer    answer;
    for (double load = 1; load <= 1e6; load *= 1e3) {
        lean(&planar, angle, mu);
        planar.tau[1] -= load;
        case_solve_problem(&planar.problem, &answer);
        case_assert_solved(&answer);
        print_message("wedged ladder under %g N: largest acceleration %.1e\n", load,
                      case_largest(answer.v, 3));
        assert_true(case_largest(answer.v, 3) <= 1e-13 * (load + 10 * GRAVITY));
    }
}

// ---------------------------------------------------------------------------------------------
// A block between walls

/// A block of 2 kg without a floor between the world and a wall of 5 kg that is pressed on; the
/// wall can move along x alone.
static void squeeze(Planar *planar, double press, double mu)
{
    static const double   hold[2][6] = {{0, 0, 0, 0, 1, 0}, {0, 0, 0, 0, 0, 1}};
    static TactContactRow rows[2];
    static const double   walls[2] = {-1, 1};
    planar_create(planar, 2, TACT_LEVEL_ACCELERATION);
    planar_set_body(planar, 0, 2, 4.0 / 3, (double[]){0, 0});
    planar_set_body(planar, 1, 5, 1, (double[]){2, 0});
    planar->tau[3] = -press;
    for (int k = 0; k < 4; k++) {
        double point[2] = {walls[k / 2], k % 2 ? 1 : -1};
        planar_add_contact(planar, k / 2 ? 1 : -1, 0, point, k / 2 ? 2 * UP : 0, mu);
    }
    for (int k = 0; k < 2; k++) {
        rows[k] = (TactContactRow){.kind = TACT_ROW_BILATERAL, .J = hold[k]};
    }
    planar->problem.rows = rows;
    planar->problem.row_count = 2;
}

static void a_block_between_walls_is_held_by_friction_alone(void **state)
{
    (void)state;
    static Planar planar;
    CaseAnswer    answer;
    double        needed = 2 * GRAVITY / (2 * 0.6);
    squeeze(&planar, 1.001 * needed, 0.6);
    case_solve_problem(&planar.problem, &answer);
    case_assert_solved(&answer);
    print_message("block between walls, pressed 0.1 %% more than needed: largest acceleration "
                  "%.1e\n",
                  case_largest(answer.v, 6));
    assert_true(case_largest(answer.v, 6) <= 1e-12);

    squeeze(&planar, 0.999 * needed, 0.6);
    case_solve_problem(&planar.problem, &answer);
    case_assert_solved(&answer);
    print_message("the same, 0.1 %% less: falls with %.9f m/s2, expected %.9f\n", -answer.v[1],
                  0.001 * GRAVITY);
    assert_true(fabs(answer.v[1] + 0.001 * GRAVITY) <= 1e-12);
}

// ---------------------------------------------------------------------------------------------
// Painleve's rod

/// Mass 1, half-length 1, tan a = 2, foot at (-c, 0) sliding along x. Towards -x its normal
/// acceleration is (8 - 6 mu) / 5 f - g, towards +x (8 + 6 mu) / 5 f - g.
static void drag(Planar *planar, double mu, double speed)
{
    double c = 1 / sqrt(5), s = 2 / sqrt(5);
    planar_create(planar, 1, TACT_LEVEL_ACCELERATION);
    planar_set_body(planar, 0, 1, 1.0 / 3, (double[]){0, s});
    planar->v[0] = speed;
    planar_add_contact(planar, -1, 0, (double[]){-c, 0}, UP, mu);
}

static void painleves_rod_without_a_force_asks_for_an_impulse(void **state)
{
    (void)state;
    static const double mus[] = {1.34, 1.4, 2, 10};
    for (size_t k = 0; k < sizeof mus / sizeof *mus; k++) {
        static Planar planar;
        CaseAnswer    answer;
        drag(&planar, mus[k], -1);
        case_solve_problem(&planar.problem, &answer);
        print_message("rod, mu = %g: %s after %d pivots, direction (%g, %g)\n", mus[k],
                      tact_contact_outcome_name(answer.report.outcome), answer.report.pivots,
                      answer.p[0], answer.p[1]);
        assert_int_equal(answer.report.outcome, TACT_OUTCOME_UNBOUNDED);
        assert_true(answer.report.pivots <= 8);
        // The tangent points to -x, friction to +x.
        assert_true(answer.p[0] == 1 && fabs(answer.p[1] + mus[k]) <= 1e-15 * mus[k]);
    }
}

static void painleves_rod_with_a_force_gets_it(void **state)
{
    (void)state;
    static const double mus[] = {0, 0.5, 1, 1.3, 1.33};
    for (size_t k = 0; k < sizeof mus / sizeof *mus; k++) {
        for (int side = -1; side <= 1; side += 2) {
            static Planar planar;
            CaseAnswer    answer;
            double        expected = GRAVITY / ((8 + 6 * side * mus[k]) / 5);
            drag(&planar, mus[k], side);
            case_solve_problem(&planar.problem, &answer);
            case_assert_solved(&answer);
            print_message("rod, mu = %g, to %s: force %.9f, expected %.9f\n", mus[k],
                          side < 0 ? "-x" : "+x", answer.p[0], expected);
            assert_true(fabs(answer.p[0] - expected) <= 1e-12 * expected * expected);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_block_stays_just_inside_the_cone_and_slides_just_outside),
        cmocka_unit_test(a_ladder_stays_up_to_its_angle_and_slides_below),
        cmocka_unit_test(a_wedged_ladder_holds_any_load),
        cmocka_unit_test(a_block_between_walls_is_held_by_friction_alone),
        cmocka_unit_test(painleves_rod_without_a_force_asks_for_an_impulse),
        cmocka_unit_test(painleves_rod_with_a_force_gets_it),
    };
    return cmocka_run_group_tests_name("contact/baraff_planar", tests, NULL, NULL);
}
