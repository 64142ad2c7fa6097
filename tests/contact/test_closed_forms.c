// Problems with one motion, worked out by hand: every method, every cone it takes.
#include "scenes.h"

typedef struct Answer {
    double            p[3 * SCENE_CONTACTS], rows[SCENE_ROWS], v[6 * SCENE_BODIES];
    TactContactReport report;
} Answer;

typedef void Check(const Scene *scene, const Answer *answer, double tol);

static const TactContactCone cones[] = {TACT_CONE_PYRAMID, TACT_CONE_CIRCLE, TACT_CONE_BOX};
static const unsigned        takes_cone[] = {TACT_CONTACT_TAKES_PYRAMID, TACT_CONTACT_TAKES_CIRCLE,
                                             TACT_CONTACT_TAKES_BOX};

static void solve(const Scene *scene, TactContactMethod method, TactContactCone cone,
                  Answer *answer)
{
    TactContactCapacity capacity = tact_contact_get_capacity(&scene->problem);
    TactContactConfig   config = tact_contact_config_default(method);
    TactContactSolver  *solver = NULL;
    TactContactAnswer   arrays = {
          .impulse = answer->p, .row_impulse = answer->rows, .velocity = answer->v};
    config.cone = cone;
    TactStatus status = tact_contact_solver_create(&capacity, &config, &solver);
    if (status == TACT_OK) {
        status = tact_contact_solve(solver, &scene->problem, &arrays, &answer->report);
    }
    if (status != TACT_OK) {
        print_error("%s\n", tact_status_message());
    }
    assert_int_equal(status, TACT_OK);
    tact_contact_solver_destroy(solver);
}

/// Solves by every method that can take the scene, and checks each answer.
static void solve_by_all(const Scene *scene, Check *check)
{
    int solved = 0;
    for (int m = 0; m < TACT_METHOD_COUNT; m++) {
        const TactContactMethodInfo *info = tact_contact_method_info((TactContactMethod)m);
        if (!info || (scene->problem.row_count > 0 && !(info->takes & TACT_CONTACT_TAKES_ROWS))) {
            continue;
        }
        for (int c = 0; c < 3; c++) {
            if (!(info->takes & takes_cone[c])) {
                continue;
            }
            Answer answer = {0};
            solve(scene, (TactContactMethod)m, cones[c], &answer);
            if (answer.report.outcome != TACT_OUTCOME_SOLVED) {
                print_error("%s, cone %d: %s, error %g\n", info->name, c,
                            tact_contact_outcome_name(answer.report.outcome),
                            answer.report.certificate.error);
                fail();
            }
            // A certified answer is this close to the only motion there is.
            check(scene, &answer, 1e-7);
            solved++;
        }
    }
    assert_true(solved > 0);
}

static void assert_near(double x, double expected, double tol)
{
    if (!(fabs(x - expected) <= tol)) {
        print_error("%.17g is not %.17g to %g\n", x, expected, tol);
        fail();
    }
}

static void assert_still(const Answer *answer, double tol)
{
    for (int i = 0; i < 6; i++) {
        assert_near(answer->v[i], 0, tol);
    }
}

// ---------------------------------------------------------------------------------------------
// Blocks

static void rests(const Scene *scene, const Answer *answer, double tol)
{
    double sum[3] = {0};
    for (int i = 0; i < 3 * scene->problem.contact_count; i++) {
        sum[i % 3] += answer->p[i];
    }
    double h = scene->problem.step;
    assert_near(sum[0], -scene->bodies[0].force[2] * h, tol);
    assert_near(sum[1], -scene->bodies[0].force[0] * h, tol);
    assert_near(sum[2], -scene->bodies[0].force[1] * h, tol);
    assert_still(answer, tol);
}

static void a_block_at_rest_is_carried_by_m_g_h(void **state)
{
    (void)state;
    Scene scene;
    scene_block_on_plane(&scene);
    solve_by_all(&scene, rests);
    for (int i = 0; i < 4; i++) {
        scene.contacts[i].mu = 0;
    }
    solve_by_all(&scene, rests);
}

/// The block on a slope with tan = slope, in the frame of the slope.
static void tilt(Scene *scene, double slope)
{
    double cosine = 1 / sqrt(1 + slope * slope);
    scene_block_on_plane(scene);
    scene->bodies[0].force[0] = 2 * GRAVITY * slope * cosine;
    scene->bodies[0].force[2] = -2 * GRAVITY * cosine;
}

static void slides_down(const Scene *scene, const Answer *answer, double tol)
{
    double h = scene->problem.step, m = scene->bodies[0].mass;
    double speed = h / m * (scene->bodies[0].force[0] + 0.5 * scene->bodies[0].force[2]);
    assert_true(speed > 0);
    for (int i = 0; i < 6; i++) {
        assert_near(answer->v[i], i == 0 ? speed : 0, tol);
    }
}

static void inside_the_cone_a_block_stays_on_its_slope_and_outside_it_slides(void **state)
{
    (void)state;
    const double off[] = {0.3, 1e-2, 1e-4};
    for (int k = 0; k < 3; k++) {
        Scene scene;
        tilt(&scene, 0.5 * (1 - off[k]));
        solve_by_all(&scene, rests);
        tilt(&scene, 0.5 * (1 + off[k]));
        solve_by_all(&scene, slides_down);
    }
}

static void stops(const Scene *scene, const Answer *answer, double tol)
{
    (void)scene;
    assert_still(answer, tol);
}

static void a_contact_given_twice_carries_once(void **state)
{
    (void)state;
    Scene scene;
    scene_particle(&scene, 2, 0.5);
    scene_add_contact(&scene, -1, 0, 0, 0, 0, 0.5);
    scene_add_contact(&scene, -1, 0, 0, 0, 0, 0.25);
    solve_by_all(&scene, rests);
    scene.bodies[0].force[0] = 3;
    solve_by_all(&scene, rests);
}

/// A mass between two walls that open by 60 degrees: normals at 30 degrees above the horizontal.
static void add_wedge(Scene *scene, double mu)
{
    scene_particle(scene, 2, mu);
    scene_add_contact(scene, -1, 0, 0, 0, 0, mu);
    for (int i = 0; i < 2; i++) {
        scene->contacts[i].normal[0] = (i ? -1 : 1) * sqrt(0.75);
        scene->contacts[i].normal[2] = 0.5;
    }
}

static void wedges(const Scene *scene, const Answer *answer, double tol)
{
    // 2 N sin 30 = m g h
    double load = 2 * GRAVITY * scene->problem.step;
    assert_near(answer->p[0], load, tol);
    assert_near(answer->p[3], load, tol);
    assert_still(answer, tol);
}

static void a_wedge_carries_by_its_normals_alone_or_with_friction(void **state)
{
    (void)state;
    Scene scene;
    add_wedge(&scene, 0);
    solve_by_all(&scene, wedges);
    add_wedge(&scene, 0.7); // many forces, one motion
    solve_by_all(&scene, stops);
}

// ---------------------------------------------------------------------------------------------
// Impact and rows

static void bounces(const Scene *scene, const Answer *answer, double tol)
{
    (void)scene;
    assert_near(answer->v[2], 3, tol);
    assert_near(answer->p[0], 14, 10 * tol);
}

static void a_ball_bounces_with_e_times_its_speed(void **state)
{
    (void)state;
    Scene scene;
    scene_particle(&scene, 2, 0.3);
    scene.bodies[0].force[2] = 0;
    scene.bodies[0].velocity[2] = -4;
    scene.contacts[0].restitution = 0.75;
    solve_by_all(&scene, bounces);
}

static void gives_all(const Scene *scene, const Answer *answer, double tol)
{
    (void)scene;
    assert_near(answer->rows[0], 0.1, tol);
    assert_near(answer->v[0], 0.05, tol);
}

static void arrives(const Scene *scene, const Answer *answer, double tol)
{
    (void)scene;
    assert_near(answer->rows[0], 10, 10 * tol);
    assert_near(answer->v[0], 5, tol);
}

static void a_motor_gives_all_it_has_or_arrives(void **state)
{
    (void)state;
    Scene scene;
    scene_particle(&scene, 2, 0); // on a frictionless plane
    TactContactRow *motor = scene_add_row(&scene, TACT_ROW_MOTOR, -1, 0);
    motor->J_b[0] = 1;
    motor->target = 5;
    motor->force_max = 10;
    solve_by_all(&scene, gives_all);
    motor->force_max = 2000;
    solve_by_all(&scene, arrives);
}

static void couples(const Scene *scene, const Answer *answer, double tol)
{
    (void)scene;
    assert_near(answer->rows[0], 2, tol);
    assert_near(answer->v[0], 1, tol);
    assert_near(answer->v[6], 1, tol);
}

static void a_joint_row_shares_a_momentum(void **state)
{
    (void)state;
    // 1 kg at 3 m/s and 2 kg at rest on a frictionless plane.
    Scene scene;
    scene_particle(&scene, 1, 0);
    scene_add_cube(&scene, 2, 1, 3, 0, 0);
    scene_add_contact(&scene, -1, 1, 3, 0, 0, 0);
    scene.bodies[0].velocity[0] = 3;
    TactContactRow *row = scene_add_row(&scene, TACT_ROW_BILATERAL, 0, 1);
    row->J_a[0] = -1;
    row->J_b[0] = 1;
    solve_by_all(&scene, couples);
    // Given twice, it is counted once.
    *scene_add_row(&scene, TACT_ROW_BILATERAL, 0, 1) = *row;
    Answer answer;
    solve(&scene, TACT_METHOD_LCP, TACT_CONE_PYRAMID, &answer);
    assert_int_equal(answer.report.redundant_rows, 1);
    assert_near(answer.rows[0] + answer.rows[1], 2, 1e-9);
}

static void is_held(const Scene *scene, const Answer *answer, double tol)
{
    (void)scene;
    assert_near(answer->rows[0], 6, 10 * tol);
    assert_near(answer->v[0], 0, tol);
}

static void a_limit_stops_what_runs_into_it(void **state)
{
    (void)state;
    Scene scene;
    scene_particle(&scene, 2, 0);
    scene.bodies[0].velocity[0] = -3;
    TactContactRow *limit = scene_add_row(&scene, TACT_ROW_UNILATERAL, -1, 0);
    limit->J_b[0] = 1;
    solve_by_all(&scene, is_held);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_block_at_rest_is_carried_by_m_g_h),
        cmocka_unit_test(inside_the_cone_a_block_stays_on_its_slope_and_outside_it_slides),
        cmocka_unit_test(a_contact_given_twice_carries_once),
        cmocka_unit_test(a_wedge_carries_by_its_normals_alone_or_with_friction),
        cmocka_unit_test(a_ball_bounces_with_e_times_its_speed),
        cmocka_unit_test(a_motor_gives_all_it_has_or_arrives),
        cmocka_unit_test(a_joint_row_shares_a_momentum),
        cmocka_unit_test(a_limit_stops_what_runs_into_it),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
