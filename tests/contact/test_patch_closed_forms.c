// Spinning, rolling and sliding contacts whose motion can be worked out by hand, by every method
// and cone that takes them.
#include "scenes.h"

static const double H = 0.001;

typedef struct Way {
    TactContactMethod method;
    TactContactCone   cone;
} Way;

static const Way ways[] = {
    {TACT_METHOD_LADDER, TACT_CONE_CIRCLE},     {TACT_METHOD_LADDER, TACT_CONE_PYRAMID},
    {TACT_METHOD_NSGS, TACT_CONE_CIRCLE},       {TACT_METHOD_LCP, TACT_CONE_PYRAMID},
    {TACT_METHOD_REDUCED, TACT_CONE_CIRCLE},    {TACT_METHOD_REDUCED, TACT_CONE_PYRAMID},
    {TACT_METHOD_STRUCTURAL, TACT_CONE_CIRCLE}, {TACT_METHOD_STRUCTURAL, TACT_CONE_PYRAMID},
};
enum { WAYS = sizeof ways / sizeof *ways };

typedef struct Result {
    double            p[3 * SCENE_CONTACTS], m[3 * SCENE_CONTACTS], w[3 * SCENE_CONTACTS];
    double            rows[SCENE_ROWS], v[6 * SCENE_BODIES];
    TactContactReport report;
} Result;

static void near_to(double x, double expected, double tol)
{
    if (!(fabs(x - expected) <= tol)) {
        print_error("%.17g is not %.17g to %g\n", x, expected, tol);
        fail();
    }
}

static void solve(const Scene *scene, const Way *way, Result *result)
{
    TactContactCapacity capacity = tact_contact_get_capacity(&scene->problem);
    TactContactConfig   config = tact_contact_config_default(way->method);
    TactContactSolver  *solver = NULL;
    TactContactAnswer   answer = {.impulse = result->p,
                                  .row_impulse = result->rows,
                                  .velocity = result->v,
                                  .moment = result->m,
                                  .spin = result->w};
    config.cone = way->cone;
    assert_int_equal(tact_contact_solver_create(&capacity, &config, &solver), TACT_OK);
    assert_int_equal(tact_contact_solve(solver, &scene->problem, &answer, &result->report),
                     TACT_OK);
    if (result->report.outcome != TACT_OUTCOME_SOLVED) {
        print_error("%s: %s, error %g\n", tact_contact_method_info(way->method)->name,
                    tact_contact_outcome_name(result->report.outcome),
                    result->report.certificate.error);
        fail();
    }
    tact_contact_solver_destroy(solver);
}

/// Moves on with the velocities of the answer; the places of all contacts stay where they are.
static void go_on(Scene *scene, const Result *result)
{
    for (int b = 0; b < scene->problem.body_count; b++) {
        memcpy(scene->bodies[b].velocity, result->v + 6 * b, 3 * sizeof(double));
        memcpy(scene->bodies[b].omega, result->v + 6 * b + 3, 3 * sizeof(double));
    }
}

/// A body of inertia I about all axes with its centre at this height above a contact with the
/// ground, whose tangent 1 is x.
static void on_ground(Scene *scene, double mass, double I, double height)
{
    scene_clear(scene);
    scene->problem.step = H;
    scene->problem.body_count = 1;
    scene->problem.contact_count = 1;
    scene->bodies[0] = (TactContactBody){.mass = mass,
                                         .inertia = {I, I, I, 0, 0, 0},
                                         .position = {0, 0, height},
                                         .force = {0, 0, -mass * GRAVITY}};
    scene->contacts[0] = (TactContact){.a = -1, .b = 0, .normal = {0, 0, 1}, .tangent = {1, 0, 0}};
}

// ---------------------------------------------------------------------------------------------

/// I dw/dt = -mu_s m g: w falls by the same in every step, to 0 and no further.
static void stop_spinning(double mass, double I, double height, double mu)
{
    double mu_spin = 0.003, start = 7;
    double fall = H * mu_spin * mass * GRAVITY / I;
    for (int k = 0; k < WAYS; k++) {
        Scene  scene;
        Result result;
        on_ground(&scene, mass, I, height);
        scene.contacts[0].mu = mu;
        scene.contacts[0].mu_spin = mu_spin;
        scene.bodies[0].omega[2] = start;
        for (int step = 1; step * fall < start + 5 * fall; step++) {
            double expected = fmax(start - step * fall, 0);
            solve(&scene, &ways[k], &result);
            near_to(result.v[5], expected, 1e-9);
            near_to(result.m[0], expected > 0 ? -mu_spin * mass * GRAVITY * H : result.m[0], 1e-12);
            near_to(result.w[0], expected, 1e-9);
            go_on(&scene, &result);
        }
        near_to(scene.bodies[0].omega[2], 0, 1e-12);
    }
}

static void a_spinning_disc_stops_after_the_exact_time(void **state)
{
    (void)state;
    double mass = 0.5, radius = 0.1;
    stop_spinning(mass, 0.5 * mass * radius * radius, 0.01, 0.4);
}

static void a_spinning_ball_stops_after_the_exact_time(void **state)
{
    (void)state;
    double mass = 0.2, radius = 0.05;
    stop_spinning(mass, 0.4 * mass * radius * radius, radius, 0.8);
}

/// A rolling ball: a = -(5/7) mu_r g / r, and it stays where it stops.
static void a_rolling_ball_stops_where_it_should(void **state)
{
    (void)state;
    double mass = 0.3, radius = 0.05, mu_roll = 0.002, start = 0.5;
    double slower = H * 5 / 7.0 * mu_roll * GRAVITY / radius;
    for (int k = 0; k < WAYS; k++) {
        Scene  scene;
        Result result;
        double way = 0, expected_way = 0;
        on_ground(&scene, mass, 0.4 * mass * radius * radius, radius);
        scene.contacts[0].mu = 0.6;
        scene.contacts[0].mu_roll = mu_roll;
        scene.bodies[0].velocity[0] = start;
        scene.bodies[0].omega[1] = start / radius;
        for (int step = 1; step * slower < start + 5 * slower; step++) {
            double expected = fmax(start - step * slower, 0);
            solve(&scene, &ways[k], &result);
            near_to(result.v[0], expected, 1e-9);
            near_to(result.v[4], expected / radius, 1e-7);
            way += H * result.v[0];
            expected_way += H * expected;
            go_on(&scene, &result);
        }
        near_to(scene.bodies[0].velocity[0], 0, 1e-12);
        near_to(way, expected_way, 1e-8);
        // of a continuous motion: v^2 / (2 a), which steps reach to the first order
        near_to(way, start * start * H / (2 * slower), H * start);
    }
}

/// What a ball on a slope does from rest.
typedef enum Phase { STAYS, ROLLS, ROLLS_AND_SLIDES, SLIDES } Phase;

/// tan: slope; lever: mu_roll / radius. Accelerations over g cos.
static Phase find_phase(double tan, double mu, double lever, double *a, double *turn)
{
    if (tan <= fmin(mu, lever)) {
        *a = *turn = 0;
        return STAYS;
    }
    double rolling = 5 / 7.0 * (tan - lever); // of a ball that does not slip, I = 2/5 m r^2
    if (tan > lever && tan - rolling <= mu) {
        *a = *turn = rolling;
        return ROLLS;
    }
    *a = tan - mu;
    *turn = mu > lever ? 2.5 * (mu - lever) : 0; // alpha r
    return mu > lever ? ROLLS_AND_SLIDES : SLIDES;
}

static void a_ball_on_a_slope_rolls_sticks_or_slides_by_angle_and_coefficients(void **state)
{
    (void)state;
    double mass = 0.3, radius = 0.05;
    int    seen[4] = {0};
    for (int i = 0; i < 12; i++) {
        for (int j = 0; j < 8; j++) {
            for (int l = 0; l < 8; l++) {
                double tan = 0.04 + 0.1 * i, mu = 0.11 * j, lever = 0.093 * l, a, turn;
                double cosine = 1 / sqrt(1 + tan * tan);
                Phase  phase = find_phase(tan, mu, lever, &a, &turn);
                Scene  scene;
                seen[phase]++;
                on_ground(&scene, mass, 0.4 * mass * radius * radius, radius);
                scene.bodies[0].force[0] = mass * GRAVITY * tan * cosine; // the slope is level
                scene.bodies[0].force[2] = -mass * GRAVITY * cosine;
                scene.contacts[0].mu = mu;
                scene.contacts[0].mu_roll = lever * radius;
                for (int k = 0; k < WAYS; k++) {
                    Result result;
                    solve(&scene, &ways[k], &result);
                    near_to(result.v[0], H * GRAVITY * cosine * a, 1e-9);
                    near_to(result.v[4] * radius, H * GRAVITY * cosine * turn, 1e-9);
                }
            }
        }
    }
    print_message("stays %d, rolls %d, rolls and slides %d, slides %d\n", seen[0], seen[1], seen[2],
                  seen[3]);
    assert_true(seen[0] > 20 && seen[1] > 20 && seen[2] > 20 && seen[3] > 20);
}

/// A bar between a wall and a finger that can only move along x and pushes with f: soft contacts
/// with mu_s on both sides hold a torque about x up to 2 mu_s f.
static void make_pinch(Scene *scene, double f, double mu_spin, double torque)
{
    double inertia = 0.01;
    scene_clear(scene);
    scene->problem.step = H;
    scene->problem.body_count = 2;
    scene->problem.contact_count = 2;
    scene->problem.row_count = 5;
    scene->bodies[0] = (TactContactBody){
        .mass = 1, .inertia = {inertia, inertia, inertia, 0, 0, 0}, .torque = {torque, 0, 0}};
    scene->bodies[1] = (TactContactBody){.mass = 1,
                                         .inertia = {inertia, inertia, inertia, 0, 0, 0},
                                         .position = {0.1, 0, 0},
                                         .force = {-f, 0, 0}};
    scene->contacts[0] = (TactContact){
        .a = -1, .b = 0, .point = {-0.02, 0, 0}, .normal = {1, 0, 0}, .mu = 1, .mu_spin = mu_spin};
    scene->contacts[1] = (TactContact){
        .a = 1, .b = 0, .point = {0.02, 0, 0}, .normal = {-1, 0, 0}, .mu = 1, .mu_spin = mu_spin};
    for (int r = 0; r < 5; r++) {
        scene->rows[r] = (TactContactRow){.kind = TACT_ROW_BILATERAL, .a = -1, .b = 1};
        scene->rows[r].J_b[r + 1] = 1;
    }
}

static void a_pinch_holds_a_bar_up_to_the_sum_of_its_fingers(void **state)
{
    (void)state;
    double f = 20, mu_spin = 0.004, most = 2 * mu_spin * f;
    double shares[] = {0.5, 0.999, 1 - 1e-9, 1.001, 1.5, 3};
    for (int i = 0; i < 6; i++) {
        double torque = shares[i] * most;
        Scene  scene;
        make_pinch(&scene, f, mu_spin, torque);
        for (int k = 0; k < WAYS; k++) {
            Result result;
            solve(&scene, &ways[k], &result);
            near_to(result.v[3], fmax(torque - most, 0) * H / 0.01, 1e-9);
            near_to(result.p[0] / H, f, 1e-6);
            double held = (result.m[0] - result.m[3]) / H; // their normals face each other
            near_to(held, -fmin(torque, most), 1e-7);
        }
    }
}

/// A coin that slides and spins under the ellipsoid: with mu_s^2 / I = mu^2 / m both fall in
/// proportion, |y| by h g mu^2 in every step, and stop at once. With two laws they do not.
static void a_coin_stops_sliding_and_spinning_at_once_with_the_ellipsoid(void **state)
{
    (void)state;
    double mass = 0.02, I = 0.5 * mass * 0.01 * 0.01, mu = 0.3, mu_spin = mu * sqrt(I / mass);
    double v = 0.4, w = 30, y = hypot(mu * v, mu_spin * w), fall = H * GRAVITY * mu * mu;
    Way    round[] = {{TACT_METHOD_LADDER, TACT_CONE_CIRCLE}, {TACT_METHOD_NSGS, TACT_CONE_CIRCLE}};
    for (int k = 0; k < 2; k++) {
        Scene  scene;
        Result result;
        on_ground(&scene, mass, I, 0);
        scene.contacts[0].mu = mu;
        scene.contacts[0].mu_spin = mu_spin;
        scene.contacts[0].friction_law = TACT_FRICTION_LAW_ELLIPSOID;
        scene.bodies[0].velocity[1] = v;
        scene.bodies[0].omega[2] = w;
        for (int step = 1; step * fall < y + 3 * fall; step++) {
            double part = fmax(1 - step * fall / y, 0);
            solve(&scene, &round[k], &result);
            near_to(result.v[1], part * v, 1e-9);
            near_to(result.v[5], part * w, 1e-7);
            go_on(&scene, &result);
        }
        near_to(scene.bodies[0].velocity[1], 0, 1e-12);
        near_to(scene.bodies[0].omega[2], 0, 1e-9);
    }
}

/// A skate: no friction along tangent 1, much across. And an ellipse of two coefficients, against
/// whose normal the slip goes: p = -p_n (mu_k^2 u_k) / |mu u|.
static void sliding_with_two_coefficients_takes_the_most_out_of_the_motion(void **state)
{
    (void)state;
    for (int k = 0; k < WAYS; k++) {
        Scene  scene;
        Result result;
        on_ground(&scene, 2, 0.1, 0);
        scene.contacts[0].mu2 = 1;
        scene.bodies[0].velocity[0] = 3;
        scene.bodies[0].velocity[1] = 0.004;
        solve(&scene, &ways[k], &result);
        near_to(result.v[0], 3, 1e-12);
        near_to(result.v[1], 0, 1e-12);
        near_to(result.p[1], 0, 0);
        if (ways[k].cone != TACT_CONE_CIRCLE) {
            continue;
        }
        scene.contacts[0].mu = 0.2;
        scene.contacts[0].mu2 = 0.6;
        scene.bodies[0].velocity[1] = 1;
        solve(&scene, &ways[k], &result);
        double x = 0.2 * result.v[0], y = 0.6 * result.v[1], size = hypot(x, y);
        near_to(result.p[1], -result.p[0] * 0.2 * x / size, 1e-9);
        near_to(result.p[2], -result.p[0] * 0.6 * y / size, 1e-9);
    }
}

/// A soft contact, u_n = -c p_n: with m u_n = p_n - m g h it carries p_n = m g h / (1 + c m), and
/// spinning friction mu_s p_n takes as much less off w.
static void a_soft_contact_carries_and_stops_by_what_it_gives(void **state)
{
    (void)state;
    double mass = 2, I = 0.01, mu_spin = 0.003, start = 5;
    for (double c = 1e-3; c < 10; c *= 10) {
        double p = mass * GRAVITY * H / (1 + c * mass);
        for (int k = 0; k < WAYS; k++) {
            Scene  scene;
            Result result;
            on_ground(&scene, mass, I, 0.1);
            scene.contacts[0].mu = 0.3;
            scene.contacts[0].mu_spin = mu_spin;
            scene.contacts[0].compliance = c;
            scene.bodies[0].omega[2] = start;
            solve(&scene, &ways[k], &result);
            near_to(result.p[0], p, 1e-9 * p);
            near_to(result.v[2], -c * p, 1e-9 * c * p + 1e-13);
            near_to(result.v[5], start - mu_spin * p / I, 1e-9);
        }
    }
}

/// A motor beside a contact that resists spinning: h f / m at a step, until it has its speed.
static void a_motor_beside_a_patch_pushes_with_no_more_than_its_force(void **state)
{
    (void)state;
    double mass = 2, most = 8, target = 0.01; // 0.004 m/s a step
    for (int k = 0; k < WAYS; k++) {
        Scene  scene;
        Result result;
        on_ground(&scene, mass, 0.1, 0);
        scene.contacts[0].mu_spin = 0.003;
        scene.bodies[0].omega[2] = 1;
        scene.problem.row_count = 1;
        scene.rows[0] = (TactContactRow){
            .kind = TACT_ROW_MOTOR, .a = -1, .b = 0, .target = target, .force_max = most};
        scene.rows[0].J_b[0] = 1;
        for (int step = 1; step < 6; step++) {
            double before = fmin((step - 1) * H * most / mass, target);
            double expected = fmin(step * H * most / mass, target);
            solve(&scene, &ways[k], &result);
            near_to(result.v[0], expected, 1e-12);
            near_to(result.rows[0], mass * (expected - before), 1e-11);
            go_on(&scene, &result);
        }
    }
}

static void methods_and_cones_that_cannot_take_patches_refuse_them(void **state)
{
    (void)state;
    TactContactMethod refusing[] = {TACT_METHOD_BARAFF, TACT_METHOD_BOX, TACT_METHOD_REDUCED,
                                    TACT_METHOD_STRUCTURAL};
    Scene             scene;
    Result            result;
    on_ground(&scene, 1, 0.1, 0.1);
    scene.contacts[0].mu_spin = 0.01;
    for (int k = 0; k < 5; k++) {
        TactContactConfig config =
            tact_contact_config_default(k < 4 ? refusing[k] : TACT_METHOD_LADDER);
        TactContactCapacity capacity = tact_contact_get_capacity(&scene.problem);
        TactContactSolver  *solver = NULL;
        TactContactAnswer answer = {.impulse = result.p, .velocity = result.v, .moment = result.m};
        bool              takes = k >= 2; // but not the ellipsoid; the ladder not as a pyramid
        config.cone = k != 1 && k != 4 ? TACT_CONE_CIRCLE : config.cone;
        scene.contacts[0].friction_law =
            takes ? TACT_FRICTION_LAW_ELLIPSOID : TACT_FRICTION_LAW_SEPARATE;
        assert_int_equal(tact_contact_solver_create(&capacity, &config, &solver), TACT_OK);
        assert_int_equal(tact_contact_solve(solver, &scene.problem, &answer, &result.report),
                         TACT_UNSUPPORTED);
        assert_non_null(strstr(tact_status_message(), takes ? "ellipsoid" : "mu_spin"));
        tact_contact_solver_destroy(solver);
    }
    double *wrong[] = {&scene.contacts[0].mu_spin, &scene.contacts[0].mu_roll,
                       &scene.contacts[0].mu2};
    for (int k = 0; k < 3; k++) {
        double kept = *wrong[k];
        for (int bad = 0; bad < 3; bad++) {
            *wrong[k] = bad == 0 ? -1 : bad == 1 ? INFINITY : NAN;
            assert_int_equal(tact_contact_check(&scene.problem), TACT_BAD_INPUT);
        }
        *wrong[k] = kept;
    }
    scene.contacts[0].friction_law = (TactFrictionLaw)7;
    assert_int_equal(tact_contact_check(&scene.problem), TACT_BAD_INPUT);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_spinning_disc_stops_after_the_exact_time),
        cmocka_unit_test(a_spinning_ball_stops_after_the_exact_time),
        cmocka_unit_test(a_rolling_ball_stops_where_it_should),
        cmocka_unit_test(a_ball_on_a_slope_rolls_sticks_or_slides_by_angle_and_coefficients),
        cmocka_unit_test(a_pinch_holds_a_bar_up_to_the_sum_of_its_fingers),
        cmocka_unit_test(a_coin_stops_sliding_and_spinning_at_once_with_the_ellipsoid),
        cmocka_unit_test(sliding_with_two_coefficients_takes_the_most_out_of_the_motion),
        cmocka_unit_test(a_soft_contact_carries_and_stops_by_what_it_gives),
        cmocka_unit_test(a_motor_beside_a_patch_pushes_with_no_more_than_its_force),
        cmocka_unit_test(methods_and_cones_that_cannot_take_patches_refuse_them),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
