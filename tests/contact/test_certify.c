// The certificate against answers worked out by hand: it takes the right ones, and for each kind of
// wrong one says what is wrong, in its unit.
#include "scenes.h"

static TactContactCertificate certify(const Scene *scene, TactContactCone cone, const double *p,
                                      const double *rows, const double *v)
{
    TactContactCertificate c;
    TactStatus             status = tact_contact_certify(&scene->problem, cone, p, rows, v, &c);
    if (status != TACT_OK) {
        print_error("%s\n", tact_status_message());
    }
    assert_int_equal(status, TACT_OK);
    return c;
}

static void assert_near(double x, double expected, double tol)
{
    if (!(fabs(x - expected) <= tol)) {
        print_error("%.17g is not %.17g to %g\n", x, expected, tol);
        fail();
    }
}

static const TactContactCone all_cones[] = {TACT_CONE_PYRAMID, TACT_CONE_CIRCLE, TACT_CONE_BOX};
enum { CONES = 3 };

// ---------------------------------------------------------------------------------------------
// At rest

static void a_block_at_rest_is_proven_for_every_cone(void **state)
{
    (void)state;
    Scene scene;
    scene_block_on_plane(&scene);
    double n = 2 * GRAVITY * scene.problem.step / 4; // a quarter of m g h
    double p[12] = {n, 0, 0, n, 0, 0, n, 0, 0, n, 0, 0}, v[6] = {0};
    for (int k = 0; k < CONES; k++) {
        TactContactCertificate c = certify(&scene, all_cones[k], p, NULL, v);
        assert_true(c.error < 1e-14);
        assert_true(c.approach == 0 && c.pull == 0 && c.complementarity == 0);
        assert_true(c.cone_excess == 0 && c.slip_angle == 0 && c.dynamics < 1e-16);
    }
    // Two diagonal corners carry it as well.
    double two[12] = {2 * n, 0, 0, 0, 0, 0, 0, 0, 0, 2 * n, 0, 0};
    assert_true(certify(&scene, TACT_CONE_CIRCLE, two, NULL, v).error < 1e-14);
    // Two on one side do not: the block would turn.
    double                 side[12] = {2 * n, 0, 0, 2 * n, 0, 0};
    TactContactCertificate c = certify(&scene, TACT_CONE_CIRCLE, side, NULL, v);
    assert_near(c.dynamics, 4 * n, 1e-15); // torque 2 x 2 n at the arm 1
    assert_true(c.error > 1);
    assert_int_equal(c.worst, 4 + 3); // angular part of body 0
}

/// A block that leaves the plane, and contacts that hold it: nothing slides, nothing approaches, no
/// energy is gained. Found by the proof (number 1000212797): without friction, and with friction
/// that is judged as a disc, an impulse along the normal lay in its cone whatever its sign.
static void contacts_that_pull_are_refused_with_friction_and_without(void **state)
{
    (void)state;
    Scene scene;
    scene_block_on_plane(&scene);
    double h = scene.problem.step, m = scene.bodies[0].mass;
    double n = -m / 4, p[12] = {n, 0, 0, n, 0, 0, n, 0, 0, n, 0, 0}, v[6] = {0};
    scene.bodies[0].velocity[2] = 1;
    scene.bodies[0].force[2] = 0;
    for (int friction = 0; friction < 3; friction++) {
        for (int i = 0; i < 4; i++) {
            scene.contacts[i].mu = friction > 0 ? 0.5 : 0;
            scene.contacts[i].mu_spin = friction > 1 ? 0.1 : 0;
        }
        for (int k = 0; k < CONES - (friction > 1); k++) { // the box has no moments
            TactContactCertificate c = certify(&scene, all_cones[k], p, NULL, v);
            assert_near(c.pull, -n, 1e-15);
            assert_true(c.error > 1e-3);
            assert_int_equal(c.law, TACT_LAW_CONTACT);
            // Whether or not the velocity at the contact is given, the law is named.
            TactContactAnswer answer = {.impulse = p, .velocity = v};
            TactContactReport report = {.outcome = TACT_OUTCOME_UNVERIFIED, .certificate = c};
            char              text[256];
            for (int known = 0; known < 2; known++) {
                answer.velocity = known ? v : NULL;
                tact_contact_explain(&scene.problem, &answer, &report, 1e-8, text, sizeof text);
                assert_non_null(strstr(text, " (the world and body 0) pulls with 0.5 N s; error "));
            }
        }
    }
    // By W: one contact that moves by itself.
    double             W[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1}, u_free[3] = {1, 0, 0}, pull[3] = {-1};
    TactContact        contact = {.normal = {0, 0, 1}};
    TactContactProblem by_W = {
        .contact_count = 1, .contacts = &contact, .step = h, .W = W, .u_free = u_free};
    TactContactCertificate c;
    assert_int_equal(tact_contact_certify(&by_W, TACT_CONE_CIRCLE, pull, NULL, NULL, &c), TACT_OK);
    assert_true(c.error > 1e-3);
}

static void falling_through_the_floor_is_an_approach_of_g_h(void **state)
{
    (void)state;
    Scene scene;
    scene_block_on_plane(&scene);
    double p[12] = {0}, v[6] = {0, 0, -GRAVITY * scene.problem.step};
    for (int k = 0; k < CONES; k++) {
        TactContactCertificate c = certify(&scene, all_cones[k], p, NULL, v);
        assert_near(c.approach, GRAVITY * scene.problem.step, 1e-15);
        assert_true(c.dynamics < 1e-15 && c.error > 1);
    }
}

static void a_small_approach_of_one_corner_is_found_and_named(void **state)
{
    (void)state;
    // Carried by two diagonal corners, but turning about their line at 1e-7 rad/s.
    Scene scene;
    scene_block_on_plane(&scene);
    double n = 2 * GRAVITY * scene.problem.step / 4;
    double p[12] = {2 * n, 0, 0, 0, 0, 0, 0, 0, 0, 2 * n, 0, 0}, v[6] = {0, 0, 0, 1e-7, -1e-7, 0};
    TactContactCertificate c = certify(&scene, TACT_CONE_CIRCLE, p, NULL, v);
    assert_near(c.approach, 2e-7, 1e-20);
    assert_true(c.error > 1e-8);
    scene.problem.contact_count = 1;
    scene.contacts[0] = scene.contacts[2];
    double free_fall[6] = {0, 0, -GRAVITY * scene.problem.step, -1e-7, 0, 0}, none[3] = {0};
    scene.contacts[0].bias =
        GRAVITY * scene.problem.step; // falls as fast as it may, but for the turn
    c = certify(&scene, TACT_CONE_CIRCLE, none, NULL, free_fall);
    assert_near(c.approach, 1e-7, 1e-16);
    assert_true(c.error > 1e-8);
}

static void a_pulling_contact_is_named_with_its_pull(void **state)
{
    (void)state;
    Scene scene;
    scene_block_on_plane(&scene);
    double n = 2 * GRAVITY * scene.problem.step / 4;
    // 3 n, -n, -n, 3 n balances too.
    double p[12] = {3 * n, 0, 0, -n, 0, 0, -n, 0, 0, 3 * n, 0, 0}, v[6] = {0};
    for (int k = 0; k < CONES; k++) {
        TactContactCertificate c = certify(&scene, all_cones[k], p, NULL, v);
        assert_true(c.pull == n && c.dynamics < 1e-15);
        assert_true(c.error > 0.1);
        assert_true(c.worst == 1 || c.worst == 2);
    }
}

static void lifting_a_block_with_the_load_on_is_no_complementarity(void **state)
{
    (void)state;
    Scene scene;
    scene_block_on_plane(&scene);
    double                 h = scene.problem.step;
    double                 n = 4 * GRAVITY * h / 4; // twice what is needed: v+ = g h
    double                 p[12] = {n, 0, 0, n, 0, 0, n, 0, 0, n, 0, 0}, v[6] = {0, 0, GRAVITY * h};
    TactContactCertificate c = certify(&scene, TACT_CONE_PYRAMID, p, NULL, v);
    assert_near(c.complementarity, n * GRAVITY * h, 1e-15);
    assert_true(c.approach == 0 && c.pull == 0 && c.dynamics < 1e-15 && c.error > 0.1);
}

static void bias_and_compliance_are_part_of_the_normal_velocity(void **state)
{
    (void)state;
    Scene scene;
    scene_particle(&scene, 2, 0.5);
    double h = scene.problem.step;
    // Pushed out at 0.3 m/s: u_n = 0.3.
    scene.contacts[0].bias = -0.3;
    double p[3] = {2 * (GRAVITY * h + 0.3), 0, 0}, v[6] = {0, 0, 0.3};
    assert_true(certify(&scene, TACT_CONE_CIRCLE, p, NULL, v).error < 1e-13);
    // Compliance k: u_n + k p_n = 0, and m (u_n + g h) = p_n: p_n = m g h / (1 + m k).
    double k = 0.25;
    scene.contacts[0].bias = 0;
    scene.contacts[0].compliance = k;
    p[0] = 2 * GRAVITY * h / (1 + 2 * k);
    v[2] = -k * p[0];
    assert_true(certify(&scene, TACT_CONE_CIRCLE, p, NULL, v).error < 1e-13);
    scene.contacts[0].compliance = 0;
    TactContactCertificate c = certify(&scene, TACT_CONE_CIRCLE, p, NULL, v);
    assert_near(c.approach, k * p[0], 1e-16);
}

// ---------------------------------------------------------------------------------------------
// Friction

static void just_inside_the_cone_it_sticks_and_just_outside_it_slides(void **state)
{
    (void)state;
    for (int k = 0; k < CONES; k++) {
        Scene scene;
        scene_particle(&scene, 2, 0.5);
        double h = scene.problem.step;
        double n = 2 * GRAVITY * h;
        double inside = 0.5 * n * (1 - 1e-9);
        scene.bodies[0].force[0] = inside / h;
        double p[3] = {n, -inside, 0}, v[6] = {0};
        assert_true(certify(&scene, all_cones[k], p, NULL, v).error < 1e-13);

        double outside = 0.5 * n * 1.25;
        scene.bodies[0].force[0] = outside / h;
        double                 stuck[3] = {n, -outside, 0};
        TactContactCertificate c = certify(&scene, all_cones[k], stuck, NULL, v);
        assert_near(c.cone_excess, 0.25 * 0.5 * n, 1e-15);
        assert_true(c.error > 0.01 && c.dynamics < 1e-15);

        double slides[3] = {n, -0.5 * n, 0};
        v[0] = (outside - 0.5 * n) / 2;
        c = certify(&scene, all_cones[k], slides, NULL, v);
        assert_true(c.error < 1e-13 && c.slip_angle < 1e-15 && c.cone_excess < 1e-16);
    }
}

/// A particle that slides along (3, 4) m/s, with friction p_t, and the answer that follows from it.
static TactContactCertificate slide(TactContactCone cone, int directions, double turn, double p1,
                                    double p2)
{
    Scene scene;
    scene_particle(&scene, 2, 0.5);
    scene.bodies[0].velocity[0] = 3;
    scene.bodies[0].velocity[1] = 4;
    scene.contacts[0].directions = directions;
    scene.contacts[0].turn = turn;
    double n = 2 * GRAVITY * scene.problem.step;
    double p[3] = {n, 0.5 * n * p1, 0.5 * n * p2};
    double v[6] = {3 + p[1] / 2, 4 + p[2] / 2, 0};
    return certify(&scene, cone, p, NULL, v);
}

static void friction_of_the_circle_opposes_the_slip(void **state)
{
    (void)state;
    assert_true(slide(TACT_CONE_CIRCLE, 0, 0, -0.6, -0.8).error < 1e-13);
    // Turned by 90 degrees, with the slip, less than it could be, and none.
    TactContactCertificate c = slide(TACT_CONE_CIRCLE, 0, 0, 0.8, -0.6);
    assert_near(c.slip_angle, M_PI / 2, 0.02);
    assert_true(c.error > 0.1 && c.cone_excess < 1e-16);
    c = slide(TACT_CONE_CIRCLE, 0, 0, 0.6, 0.8);
    assert_near(c.slip_angle, M_PI, 1e-12);
    assert_true(c.error > 0.1);
    c = slide(TACT_CONE_CIRCLE, 0, 0, -0.3, -0.4);
    assert_true(c.error > 0.1 && c.slip_angle < 1e-12);
    c = slide(TACT_CONE_CIRCLE, 0, 0, 0, 0);
    assert_near(c.slip_angle, M_PI / 2, 1e-15);
    assert_true(c.error > 0.1);
}

static void friction_of_a_pyramid_takes_the_direction_that_opposes_the_slip_most(void **state)
{
    (void)state;
    // Four directions along the tangents: -tangent 2, as 4 m/s is more than 3.
    assert_true(slide(TACT_CONE_PYRAMID, 4, 0, 0, -1).error < 1e-13);
    TactContactCertificate c = slide(TACT_CONE_PYRAMID, 4, 0, -1, 0);
    assert_true(c.error > 0.01 && c.cone_excess < 1e-16);
    assert_near(c.slip_angle, atan2(4, 3) - M_PI / 4, 0.01);
    // A share between two directions is for slip in the middle only.
    c = slide(TACT_CONE_PYRAMID, 4, 0, -0.5, -0.5);
    assert_true(c.error > 0.01 && c.cone_excess < 1e-16);
    assert_near(c.slip_angle, atan2(4, 3) - M_PI / 4, 0.01);
    // The true direction lies outside of the diamond: 0.6 + 0.8 > 1.
    c = slide(TACT_CONE_PYRAMID, 4, 0, -0.6, -0.8);
    assert_near(c.cone_excess, 0.4 * 0.5 * 2 * GRAVITY * 0.01, 1e-12);

    // Turned into the slip, the pyramid has the circle's answer.
    double turn = atan2(4, 3);
    assert_true(slide(TACT_CONE_PYRAMID, 4, turn, -0.6, -0.8).error < 1e-13);
    assert_true(slide(TACT_CONE_PYRAMID, 64, turn, -0.6, -0.8).error < 1e-13);
    // Eight directions: the one at 225 degrees is nearest to 180 + 53.
    double s = sqrt(0.5);
    assert_true(slide(TACT_CONE_PYRAMID, 0, 0, -s, -s).error < 1e-13);
    assert_true(slide(TACT_CONE_PYRAMID, 8, 0, 0, -1).error > 0.01);
}

static void friction_of_the_box_opposes_each_component(void **state)
{
    (void)state;
    assert_true(slide(TACT_CONE_BOX, 0, 0, -1, -1).error < 1e-13);
    TactContactCertificate c = slide(TACT_CONE_BOX, 0, 0, -1, 1);
    assert_true(c.error > 0.1 && c.cone_excess < 1e-16);
    c = slide(TACT_CONE_BOX, 0, 0, -1, -0.5);
    assert_true(c.error > 0.1 && c.cone_excess < 1e-16);
    c = slide(TACT_CONE_BOX, 0, 0, -1, -1.5);
    assert_near(c.cone_excess, 0.5 * 0.5 * 2 * GRAVITY * 0.01, 1e-15);
}

static void swapped_tangents_and_flipped_signs_are_caught(void **state)
{
    (void)state;
    // A block held on an oblique plane by friction: tangents (x, y) are not what it would need.
    Scene scene;
    scene_particle(&scene, 2, 0.5);
    double h = scene.problem.step, n = 2 * GRAVITY * h;
    scene.bodies[0].force[0] = 3;
    scene.bodies[0].force[1] = -1;
    double v[6] = {0};
    double right[3] = {n, -3 * h, 1 * h}, swapped[3] = {n, 1 * h, -3 * h};
    double flipped[3] = {n, 3 * h, 1 * h}, half[3] = {n, -1.5 * h, 0.5 * h};
    for (int k = 0; k < CONES; k++) {
        assert_true(certify(&scene, all_cones[k], right, NULL, v).error < 1e-13);
        assert_true(certify(&scene, all_cones[k], swapped, NULL, v).error > 0.1);
        assert_true(certify(&scene, all_cones[k], flipped, NULL, v).error > 0.1);
        assert_true(certify(&scene, all_cones[k], half, NULL, v).error > 0.1);
    }
}

static void without_friction_a_tangential_impulse_is_an_excess(void **state)
{
    (void)state;
    Scene scene;
    scene_particle(&scene, 2, 0);
    double h = scene.problem.step, n = 2 * GRAVITY * h;
    double v[6] = {0}, p[3] = {n, 0, 0}, wrong[3] = {n, 1e-3, 0};
    for (int k = 0; k < CONES; k++) {
        assert_true(certify(&scene, all_cones[k], p, NULL, v).error < 1e-13);
        assert_true(certify(&scene, all_cones[k], wrong, NULL, v).cone_excess == 1e-3);
    }
}

// ---------------------------------------------------------------------------------------------
// Impact and rows

static void a_ball_comes_back_with_e_times_its_speed(void **state)
{
    (void)state;
    Scene scene;
    scene_particle(&scene, 2, 0.3);
    scene.bodies[0].force[2] = 0;
    scene.bodies[0].velocity[2] = -4;
    scene.contacts[0].restitution = 0.75;
    double p[3] = {2 * 7, 0, 0}, v[6] = {0, 0, 3};
    assert_true(certify(&scene, TACT_CONE_CIRCLE, p, NULL, v).error < 1e-13);
    double                 dead[3] = {8, 0, 0}, stop[6] = {0};
    TactContactCertificate c = certify(&scene, TACT_CONE_CIRCLE, dead, NULL, stop);
    assert_near(c.approach, 3, 1e-15);
    assert_true(c.error > 0.1);
    // One that leaves already is left alone.
    scene.bodies[0].velocity[2] = 4;
    double none[3] = {0}, leaves[6] = {0, 0, 4};
    assert_true(certify(&scene, TACT_CONE_CIRCLE, none, NULL, leaves).error == 0);
    // Thrown back at 1 m/s it approaches by that, whatever its speed was.
    scene.bodies[0].force[2] = -2 * 5 / scene.problem.step;
    double comes[6] = {0, 0, -1};
    assert_near(certify(&scene, TACT_CONE_CIRCLE, none, NULL, comes).approach, 1, 1e-15);
}

static void a_motor_drives_to_its_target_or_gives_all_it_has(void **state)
{
    (void)state;
    Scene scene;
    scene_clear(&scene);
    scene_add_cube(&scene, 2, 1, 0, 0, 1)->force[2] = 0;
    scene.problem.row_count = 1;
    scene.rows[0] = (TactContactRow){
        .kind = TACT_ROW_MOTOR, .a = -1, .b = 0, .J_b = {1}, .target = 5, .force_max = 10};
    // 10 N for 0.01 s make 0.05 m/s of 2 kg.
    double most = 0.1, v[6] = {0.05};
    assert_true(certify(&scene, TACT_CONE_CIRCLE, NULL, &most, v).error < 1e-13);
    double                 more = 0.2, faster[6] = {0.1};
    TactContactCertificate c = certify(&scene, TACT_CONE_CIRCLE, NULL, &more, faster);
    assert_true(c.error > 0.1 && c.row_error > 0.04 && c.worst == 0);
    double less = 0.05, slower[6] = {0.025};
    assert_true(certify(&scene, TACT_CONE_CIRCLE, NULL, &less, slower).error > 0.1);

    scene.rows[0].force_max = 2000; // enough: it arrives, and gives no more
    double enough = 10, arrived[6] = {5};
    assert_true(certify(&scene, TACT_CONE_CIRCLE, NULL, &enough, arrived).error < 1e-13);
    double all = 20, beyond[6] = {10};
    assert_true(certify(&scene, TACT_CONE_CIRCLE, NULL, &all, beyond).error > 0.1);
}

static void a_joint_row_holds_and_removes_its_error(void **state)
{
    (void)state;
    // 1 kg at 3 m/s and 2 kg at rest, coupled along x: 1 m/s both, by 2 N s.
    Scene scene;
    scene_clear(&scene);
    scene_add_cube(&scene, 1, 1, 0, 0, 1)->force[2] = 0;
    scene_add_cube(&scene, 2, 1, 3, 0, 1)->force[2] = 0;
    scene.bodies[0].velocity[0] = 3;
    scene.problem.row_count = 1;
    scene.rows[0] =
        (TactContactRow){.kind = TACT_ROW_BILATERAL, .a = 0, .b = 1, .J_a = {-1}, .J_b = {1}};
    double p = 2, v[12] = {1, 0, 0, 0, 0, 0, 1};
    assert_true(certify(&scene, TACT_CONE_CIRCLE, NULL, &p, v).error < 1e-13);
    double                 half = 1, apart[12] = {2, 0, 0, 0, 0, 0, 0.5};
    TactContactCertificate c = certify(&scene, TACT_CONE_CIRCLE, NULL, &half, apart);
    assert_near(c.row_error, 1.5, 1e-15);
    assert_int_equal(c.worst, 0);

    // 1 cm too far apart, a tenth of it to be removed: -0.1 m/s.
    scene.rows[0].error = 0.01;
    scene.rows[0].zeta = 0.1;
    double p2 = 2 - 0.1 * 2 / 3, closing[12] = {1 + 0.2 / 3, 0, 0, 0, 0, 0, 1 - 0.1 / 3};
    assert_true(certify(&scene, TACT_CONE_CIRCLE, NULL, &p2, closing).error < 1e-13);
}

static void a_limit_pushes_but_does_not_pull(void **state)
{
    (void)state;
    Scene scene;
    scene_clear(&scene);
    scene_add_cube(&scene, 2, 1, 0, 0, 1)->force[2] = 0;
    scene.bodies[0].velocity[0] = -3;
    scene.problem.row_count = 1;
    scene.rows[0] = (TactContactRow){.kind = TACT_ROW_UNILATERAL, .a = -1, .b = 0, .J_b = {1}};
    double p = 6, stop[6] = {0};
    assert_true(certify(&scene, TACT_CONE_CIRCLE, NULL, &p, stop).error < 1e-13);
    double                 none = 0, through[6] = {-3};
    TactContactCertificate c = certify(&scene, TACT_CONE_CIRCLE, NULL, &none, through);
    assert_near(c.row_error, 3, 1e-15);
    scene.bodies[0].velocity[0] = 3;
    double pull = -6;
    assert_true(certify(&scene, TACT_CONE_CIRCLE, NULL, &pull, stop).error > 0.5);
}

// ---------------------------------------------------------------------------------------------
// Accelerations

static void on_the_level_of_accelerations_a_sliding_contact_has_dynamic_friction(void **state)
{
    (void)state;
    Scene scene;
    scene_particle(&scene, 2, 0.5);
    scene.problem.level = TACT_LEVEL_ACCELERATION;
    scene.problem.step = 0;
    scene.bodies[0].velocity[0] = 3;
    scene.bodies[0].velocity[1] = -4;
    double                 n = 2 * GRAVITY;
    double                 p[3] = {n, -0.5 * n * 0.6, 0.5 * n * 0.8};
    double                 a[6] = {p[1] / 2, p[2] / 2, 0};
    TactContactCertificate c = certify(&scene, TACT_CONE_CIRCLE, p, NULL, a);
    assert_true(c.error < 1e-13 && c.slip_angle < 1e-12);
    double less[3] = {n, p[1] / 2, p[2] / 2}, b[6] = {a[0] / 2, a[1] / 2, 0};
    assert_true(certify(&scene, TACT_CONE_CIRCLE, less, NULL, b).error > 0.1);
    // At rest the same force balance is static, and friction is what is needed.
    scene.bodies[0].velocity[0] = scene.bodies[0].velocity[1] = 0;
    scene.bodies[0].force[0] = 4;
    double stick[3] = {n, -4, 0}, still[6] = {0};
    assert_true(certify(&scene, TACT_CONE_CIRCLE, stick, NULL, still).error < 1e-13);
    assert_true(certify(&scene, TACT_CONE_CIRCLE, p, NULL, a).error > 0.1);
}

static void a_spinning_body_is_turned_by_the_gyroscopic_torque(void **state)
{
    (void)state;
    // I = (1, 2, 3), omega = (1, 2, 3): -omega x I omega = (-6, 6, -2), domega/dt = (-6, 3, -2/3).
    Scene scene;
    scene_clear(&scene);
    *scene_add_cube(&scene, 1, 1, 0, 0, 0) =
        (TactContactBody){.mass = 1, .inertia = {1, 2, 3}, .omega = {1, 2, 3}};
    double h = scene.problem.step;
    double v[6] = {0, 0, 0, 1 - 6 * h, 2 + 3 * h, 3 - 2.0 / 3 * h};
    assert_true(certify(&scene, TACT_CONE_CIRCLE, NULL, NULL, v).error < 1e-13);
    double                 without[6] = {0, 0, 0, 1, 2, 3};
    TactContactCertificate c = certify(&scene, TACT_CONE_CIRCLE, NULL, NULL, without);
    assert_near(c.dynamics, 6 * h, 1e-15);
    assert_int_equal(c.worst, 3);
}

// ---------------------------------------------------------------------------------------------
// Misuse

static void what_is_not_a_number_is_infinitely_wrong(void **state)
{
    (void)state;
    Scene scene;
    scene_block_on_plane(&scene);
    const double bad[2] = {NAN, INFINITY};
    for (int k = 0; k < 2; k++) {
        double p[12] = {0}, v[6] = {0};
        p[7] = bad[k];
        TactContactCertificate c = certify(&scene, TACT_CONE_CIRCLE, p, NULL, v);
        assert_true(c.error == INFINITY && c.dynamics == INFINITY);
        assert_int_equal(c.worst, 2);
        p[7] = 0;
        v[4] = bad[k];
        c = certify(&scene, TACT_CONE_PYRAMID, p, NULL, v);
        assert_true(c.error == INFINITY);
        assert_int_equal(c.worst, 4 + 4);
    }
    // Finite, but its products overflow.
    double p[12] = {1e308, 1e308}, v[6] = {1e308, 0, 0, 1e308};
    assert_true(certify(&scene, TACT_CONE_CIRCLE, p, NULL, v).error == INFINITY);
}

static void missing_arrays_are_refused_where_they_are_needed(void **state)
{
    (void)state;
    Scene scene;
    scene_block_on_plane(&scene);
    TactContactCertificate c;
    double                 p[12] = {0}, v[6] = {0};
    TactContactCone        circle = TACT_CONE_CIRCLE;
    assert_int_equal(tact_contact_certify(&scene.problem, circle, NULL, NULL, v, &c),
                     TACT_BAD_ARGUMENT);
    assert_int_equal(tact_contact_certify(&scene.problem, circle, p, NULL, NULL, &c),
                     TACT_BAD_ARGUMENT);
    assert_int_equal(tact_contact_certify(&scene.problem, circle, p, NULL, v, NULL),
                     TACT_BAD_ARGUMENT);
    assert_int_equal(tact_contact_certify(&scene.problem, (TactContactCone)9, p, NULL, v, &c),
                     TACT_BAD_ARGUMENT);
    scene.problem.row_count = 1;
    scene.rows[0] = (TactContactRow){.a = -1, .b = 0};
    assert_int_equal(tact_contact_certify(&scene.problem, circle, p, NULL, v, &c),
                     TACT_BAD_ARGUMENT);
}

static void a_problem_without_contacts_is_free_motion(void **state)
{
    (void)state;
    Scene scene;
    scene_clear(&scene);
    scene_add_cube(&scene, 2, 1, 0, 0, 1);
    double                 v[6] = {0, 0, -GRAVITY * scene.problem.step}, wrong[6] = {0};
    TactContactCertificate c = certify(&scene, TACT_CONE_CIRCLE, NULL, NULL, v);
    assert_true(c.error < 1e-14);
    c = certify(&scene, TACT_CONE_CIRCLE, NULL, NULL, wrong);
    assert_near(c.dynamics, 2 * GRAVITY * scene.problem.step, 1e-16);
    assert_int_equal(c.worst, 0);
    TactContactProblem empty = {.step = 1};
    assert_int_equal(tact_contact_certify(&empty, TACT_CONE_CIRCLE, NULL, NULL, NULL, &c), TACT_OK);
    assert_true(c.error == 0 && c.worst == -1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_block_at_rest_is_proven_for_every_cone),
        cmocka_unit_test(contacts_that_pull_are_refused_with_friction_and_without),
        cmocka_unit_test(falling_through_the_floor_is_an_approach_of_g_h),
        cmocka_unit_test(a_small_approach_of_one_corner_is_found_and_named),
        cmocka_unit_test(a_pulling_contact_is_named_with_its_pull),
        cmocka_unit_test(lifting_a_block_with_the_load_on_is_no_complementarity),
        cmocka_unit_test(bias_and_compliance_are_part_of_the_normal_velocity),
        cmocka_unit_test(just_inside_the_cone_it_sticks_and_just_outside_it_slides),
        cmocka_unit_test(friction_of_the_circle_opposes_the_slip),
        cmocka_unit_test(friction_of_a_pyramid_takes_the_direction_that_opposes_the_slip_most),
        cmocka_unit_test(friction_of_the_box_opposes_each_component),
        cmocka_unit_test(swapped_tangents_and_flipped_signs_are_caught),
        cmocka_unit_test(without_friction_a_tangential_impulse_is_an_excess),
        cmocka_unit_test(a_ball_comes_back_with_e_times_its_speed),
        cmocka_unit_test(a_motor_drives_to_its_target_or_gives_all_it_has),
        cmocka_unit_test(a_joint_row_holds_and_removes_its_error),
        cmocka_unit_test(a_limit_pushes_but_does_not_pull),
        cmocka_unit_test(on_the_level_of_accelerations_a_sliding_contact_has_dynamic_friction),
        cmocka_unit_test(a_spinning_body_is_turned_by_the_gyroscopic_torque),
        cmocka_unit_test(what_is_not_a_number_is_infinitely_wrong),
        cmocka_unit_test(missing_arrays_are_refused_where_they_are_needed),
        cmocka_unit_test(a_problem_without_contacts_is_free_motion),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
