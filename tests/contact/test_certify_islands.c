// What one island does excuses nothing in another, energy is judged, and sizes beyond all reason
// are refused.
#include "contact/certificate/certify.h"
#include "contact/contact_law.h"
#include "contact/scenes.h"

static TactContactCertificate certify(const Scene *scene, const double *impulse,
                                      const double *row_impulse, const double *velocity)
{
    TactContactCertificate certificate;
    assert_int_equal(tact_contact_certify(&scene->problem, TACT_CONE_CIRCLE, impulse, row_impulse,
                                          velocity, &certificate),
                     TACT_OK);
    return certificate;
}

/// A cube that falls onto the floor, and one far away that flies at a speed.
static void two_cubes(Scene *scene, double speed)
{
    scene_clear(scene);
    scene_add_cube(scene, 1, 1, 0, 0, 0)->velocity[2] = -1;
    scene_add_contact(scene, -1, 0, 0, 0, 0, 0.5);
    TactContactBody *other = scene_add_cube(scene, 1, 1, 100, 0, 0);
    other->velocity[0] = speed;
    other->force[2] = 0;
}

static void a_fast_body_elsewhere_does_not_let_another_fall_through_the_floor(void **state)
{
    (void)state;
    for (double speed = 1; speed < 1e100; speed *= 1e3) {
        Scene scene;
        two_cubes(&scene, speed);
        double fall = -1 - GRAVITY * scene.problem.step;
        double p[3] = {0}, v[12] = {0, 0, fall, 0, 0, 0, speed};
        assert_true(certify(&scene, p, NULL, v).error > 1e-3);
        double held[3] = {-fall, 0, 0}, still[12] = {0, 0, 0, 0, 0, 0, speed};
        assert_true(certify(&scene, held, NULL, still).error < 1e-12);
    }
}

static void the_same_with_every_method(void **state)
{
    (void)state;
    for (double speed = 1e9; speed < 1e160; speed *= 1e12) {
        for (int m = 0; m < TACT_METHOD_COUNT; m++) {
            Scene scene;
            two_cubes(&scene, speed);
            double              p[3], v[12];
            TactContactAnswer   answer = {.impulse = p, .velocity = v};
            TactContactReport   report;
            TactContactSolver  *solver;
            TactContactCapacity capacity = tact_contact_get_capacity(&scene.problem);
            TactContactConfig   config = tact_contact_config_default((TactContactMethod)m);
            config.cone =
                m == TACT_METHOD_BARAFF || m == TACT_METHOD_NSGS ? TACT_CONE_CIRCLE : config.cone;
            assert_int_equal(tact_contact_solver_create(&capacity, &config, &solver), TACT_OK);
            assert_int_equal(tact_contact_solve(solver, &scene.problem, &answer, &report), TACT_OK);
            tact_contact_solver_destroy(solver);
            if (report.outcome == TACT_OUTCOME_SOLVED) {
                assert_true(fabs(v[2]) < 1e-6);
            }
        }
    }
}

static void a_fast_contact_of_another_island_of_W_excuses_nothing(void **state)
{
    (void)state;
    // The second contact is stopped rightly, at any speed; the first falls through.
    for (double speed = 1; speed < 1e100; speed *= 1e3) {
        double W[36] = {0}, u_free[6] = {-1, 0, 0, -speed, 0, 0}, p[6] = {0, 0, 0, speed, 0, 0};
        for (int k = 0; k < 6; k++) {
            W[7 * k] = 1;
        }
        TactContact        contacts[2] = {{.mu = 0.5}, {.mu = 0.5}};
        TactContactProblem problem = {
            .step = 0.01, .W = W, .u_free = u_free, .contact_count = 2, .contacts = contacts};
        TactContactCertificate c;
        assert_int_equal(tact_contact_certify(&problem, TACT_CONE_CIRCLE, p, NULL, NULL, &c),
                         TACT_OK);
        assert_true(c.error > 1e-3);
        p[0] = 1;
        assert_int_equal(tact_contact_certify(&problem, TACT_CONE_CIRCLE, p, NULL, NULL, &c),
                         TACT_OK);
        assert_true(c.error < 1e-12);
    }
}

static void energies_that_overflow_are_refused(void **state)
{
    (void)state;
    Scene scene;
    two_cubes(&scene, 1e155);
    double p[3] = {1 + GRAVITY * scene.problem.step, 0, 0}, v[12] = {0, 0, 0, 0, 0, 0, 1e155};
    assert_true(certify(&scene, p, NULL, v).error == HUGE_VAL);
}

static void contradictory_rows_are_no_answer_whatever_moves_elsewhere(void **state)
{
    (void)state;
    for (double speed = 1; speed < 1e15; speed *= 10) {
        Scene scene;
        two_cubes(&scene, speed);
        scene.bodies[0].velocity[2] = scene.bodies[0].force[2] = 0;
        for (int k = 0; k < 2; k++) {
            TactContactRow *row = scene_add_row(&scene, TACT_ROW_BILATERAL, -1, 0);
            row->J_b[0] = 1;
            row->target = k ? 1 : -1; // to the right, and to the left
        }
        double p[3] = {0}, rows[2] = {1e20, -1e20}, v[12] = {0, 0, 0, 0, 0, 0, speed};
        assert_true(certify(&scene, p, rows, v).error > 1e-5);
    }
}

static void energy_from_nothing_is_an_error(void **state)
{
    (void)state;
    // Two contacts that face each other carry 1e6 N s, and one of them pushes while it opens at
    // 1e-6 m/s. Each law is missed by 1e-6 of 10 m/s, but 1 J is done where there are 50.
    Scene scene;
    scene_clear(&scene);
    TactContactBody *body = scene_add_cube(&scene, 1, 1, 0, 0, 0);
    body->velocity[1] = 10;
    body->force[2] = 0;
    scene_add_contact(&scene, -1, 0, 0, 0, 0, 0);
    scene_add_contact(&scene, -1, 0, 0, 0, 0, 0)->normal[2] = -1;
    double                 p[6] = {1e6 + 1e-6, 0, 0, 1e6, 0, 0}, v[6] = {0, 10, 1e-6};
    TactContactCertificate c = certify(&scene, p, NULL, v);
    assert_true(c.error > 1e-7);
    assert_int_equal(c.law, TACT_LAW_WORK);
}

static void what_bias_and_restitution_give_is_not_created(void **state)
{
    (void)state;
    // Thrown up again with e = 1, and pushed out with 2 m/s: more energy than before, rightly.
    Scene scene;
    scene_particle(&scene, 1, 0);
    scene.bodies[0].velocity[2] = -3;
    scene.bodies[0].force[2] = 0;
    scene.contacts[0].restitution = 1;
    scene.contacts[0].bias = -2;
    double                 p[3] = {8, 0, 0}, v[6] = {0, 0, 5};
    TactContactCertificate c = certify(&scene, p, NULL, v);
    assert_true(c.error < 1e-13 && c.energy_created < 1e-13);
    // Without them the same motion creates 1/2 (25 - 9) J.
    scene.contacts[0].restitution = scene.contacts[0].bias = 0;
    c = certify(&scene, p, NULL, v);
    assert_true(fabs(c.energy_created - 8) < 1e-12 && c.error > 0.1);
}

static void energy_is_judged_where_only_W_is_given(void **state)
{
    (void)state;
    // The same particle: thrown up with 5 m/s that the bias asks for, then by nothing.
    double             W[36] = {1, 0, 0, 0, 1, 0, 0, 0, 1}, u_free[6] = {-3}, p[6] = {8};
    TactContact        contacts[2] = {{.mu = 0.5, .bias = -5}, {.mu = 0.5}};
    TactContactProblem problem = {
        .step = 0.01, .W = W, .u_free = u_free, .contact_count = 1, .contacts = contacts};
    TactContactCertificate c;
    assert_int_equal(tact_contact_certify(&problem, TACT_CONE_CIRCLE, p, NULL, NULL, &c), TACT_OK);
    assert_true(c.error < 1e-13 && c.energy_created < 1e-13);
    contacts[0].bias = 0;
    assert_int_equal(tact_contact_certify(&problem, TACT_CONE_CIRCLE, p, NULL, NULL, &c), TACT_OK);
    assert_true(fabs(c.energy_created - 8) < 1e-12 && c.error > 0.1);
    // No mechanism has an indefinite W: with p = (1, 1) both contacts stop, 0 <= p _|_ u >= 0, and
    // 1/2 p'(u_free + u) = 2 J come from nowhere.
    memset(W, 0, sizeof W);
    for (int k = 0; k < 6; k++) {
        W[7 * k] = 1;
    }
    W[3] = W[18] = -3;
    u_free[0] = u_free[3] = 2;
    p[0] = p[3] = 1;
    problem.contact_count = 2;
    assert_int_equal(tact_contact_certify(&problem, TACT_CONE_CIRCLE, p, NULL, NULL, &c), TACT_OK);
    assert_true(fabs(c.energy_created - 2) < 1e-12 && c.error > 0.1);
    assert_int_equal(c.law, TACT_LAW_ENERGY);
}

static void a_slim_body_is_not_excused_by_its_easy_axis(void **state)
{
    (void)state;
    // A rod along x, easily turned about it by friction beside its axis, falls at 1e-3 m/s through
    // its support although 1 N s holds it: the mean over three axes would be 3e5 m/s.
    Scene scene;
    scene_clear(&scene);
    TactContactBody *rod = scene_add_cube(&scene, 1, 1, 0, 0, 0);
    rod->inertia[0] = 1e-6;
    rod->velocity[2] = -1;
    rod->force[2] = 0;
    scene_add_contact(&scene, -1, 0, 0, 0, -1, 1);
    double p[3] = {1 - 1e-3, 0, 0}, v[6] = {0, 0, -1e-3};
    assert_true(certify(&scene, p, NULL, v).error > 1e-4);
}

static void tolerances_that_prove_nothing_are_refused(void **state)
{
    (void)state;
    const double        bad[] = {1e3, HUGE_VAL, NAN, 0, -1, 0.002};
    TactContactCapacity capacity = {.contacts = 1, .dof = 6, .support = 12};
    for (int k = 0; k < 6; k++) {
        TactContactSolver *solver;
        TactContactConfig  config = tact_contact_config_default(TACT_METHOD_LADDER);
        config.tol = bad[k];
        assert_int_equal(tact_contact_solver_create(&capacity, &config, &solver),
                         TACT_BAD_ARGUMENT);
    }
}

static void the_scalar_law_has_the_zeros_of_coulomb(void **state)
{
    (void)state;
    const TactLawCone circle = {0.5, 0, 0}, pyramid = {0.5, 8, 0};
    const double      stick[2][3] = {{1, 0.3, -0.2}, {0, 0, 0}};
    const double      slide[2][3] = {{1, -0.5, 0}, {0, 2, 0}};
    const double      open[2][3] = {{0, 0, 0}, {3, 1, -2}};
    const double      wrong[2][3] = {{1, 0.5, 0}, {0, 2, 0}};
    const TactLawCone cones[2] = {circle, pyramid};
    for (int k = 0; k < 2; k++) {
        assert_true(tact_law_contact_residual(&cones[k], stick[0], stick[1], 2) < 1e-15);
        assert_true(tact_law_contact_residual(&cones[k], slide[0], slide[1], 2) < 1e-15);
        assert_true(tact_law_contact_residual(&cones[k], open[0], open[1], 2) < 1e-15);
        assert_true(tact_law_contact_residual(&cones[k], wrong[0], wrong[1], 2) > 0.5);
    }
    assert_true(tact_law_contact_gap(slide[0], slide[1]) == 0);
    assert_true(tact_law_contact_gap(wrong[0], wrong[1]) == 1);
}

static void the_scalar_law_agrees_with_the_one_of_four_lanes(void **state)
{
    (void)state;
    TactRandom random = tact_random_seed(77);
    double     worst = 0;
    for (int trial = 0; trial < 3000; trial++) {
        TactCertifier   certifier = {0};
        TactContact     contact = {.mu = tact_random_uniform(&random, 0, 2),
                                   .directions = 4 + 2 * (trial % 7),
                                   .turn = tact_random_uniform(&random, -1, 1)};
        bool            circle = trial % 3 == 0;
        TactCertifyCone cone =
            tact_certify_cone(&certifier, circle ? TACT_CONE_CIRCLE : TACT_CONE_PYRAMID, &contact);
        TactCertifyFour four = {.count = 4, .pyramid = cone.pyramid, .stretch = cone.stretch};
        TactLawCone     scalar = {contact.mu, circle ? 0 : contact.directions, contact.turn};
        for (int k = 0; k < 4; k++) {
            four.mu[k] = four.friction[k] = contact.mu;
            four.w[k] = tact_random_uniform(&random, 0.1, 10);
            for (int i = 0; i < 3; i++) {
                four.p[i][k] = tact_random_normal(&random);
                four.u[i][k] = tact_random_normal(&random);
            }
        }
        tact_certify_law(&four);
        for (int k = 0; k < 4; k++) {
            double p[3] = {four.p[0][k], four.p[1][k], four.p[2][k]};
            double u[3] = {four.u[0][k], four.u[1][k], four.u[2][k]};
            double residual = tact_law_contact_residual(&scalar, p, u, four.w[k]);
            worst = fmax(worst, fabs(residual - four.residual[k]) / (1 + residual));
            assert_true(tact_law_contact_gap(p, u) == four.gap[k]);
        }
    }
    print_message("scalars and lanes differ by %.1e at most\n", worst);
    assert_true(worst < 1e-12);
}

static void a_contact_of_a_body_that_a_joint_drives_is_judged_by_what_drives_it(void **state)
{
    (void)state;
    // A body at rest on the plane, which nothing moves but a joint: another one of 3 kg comes down
    // at 1 m/s and is stopped through it. p_n = 3 N s, the same in the joint.
    Scene scene;
    scene_particle(&scene, 2, 0.5);
    TactContactBody *second = scene_add_cube(&scene, 3, 1, 0, 0, 2);
    TactContactRow  *row = scene_add_row(&scene, TACT_ROW_BILATERAL, 0, 1);
    scene_set_axis(&scene, row, (double[3]){0, 0, 1}, 2);
    scene.bodies[0].force[2] = second->force[2] = 0;
    second->velocity[2] = -1;
    double p[3] = {3, 0, 0}, rows[1] = {3}, v[12] = {0};
    v[2] = -1e-16; // rounding
    assert_true(certify(&scene, p, rows, v).error < 1e-10);
    v[2] = v[8] = -1e-3; // both go on
    p[0] = 3 - 5e-3, rows[0] = 3 - 3e-3;
    assert_true(certify(&scene, p, rows, v).error > 1e-6);
}

static void an_approach_is_not_excused_by_friction_far_above_1(void **state)
{
    (void)state;
    // Slides against its friction, and approaches by 1e-3 m/s: by (9)'s projection alone the
    // residual would be 1e-3 / mu.
    for (double mu = 0.1; mu < 1e7; mu *= 10) {
        TactLawCone cones[] = {{mu, 0, 0}, {mu, 8, 0}};
        double      p[3] = {1, -mu, 0}, u[3] = {-1e-3, 0.5, 0};
        for (int k = 0; k < 2; k++) {
            double residual = tact_law_contact_residual(&cones[k], p, u, 1);
            double rounding = TACT_LAW_ROUNDING * 1 * p[0];
            assert_true(residual >= (1e-3 - rounding) / 1.5 && residual <= 1e-3);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_fast_body_elsewhere_does_not_let_another_fall_through_the_floor),
        cmocka_unit_test(the_same_with_every_method),
        cmocka_unit_test(a_fast_contact_of_another_island_of_W_excuses_nothing),
        cmocka_unit_test(energies_that_overflow_are_refused),
        cmocka_unit_test(contradictory_rows_are_no_answer_whatever_moves_elsewhere),
        cmocka_unit_test(energy_from_nothing_is_an_error),
        cmocka_unit_test(energy_is_judged_where_only_W_is_given),
        cmocka_unit_test(what_bias_and_restitution_give_is_not_created),
        cmocka_unit_test(a_slim_body_is_not_excused_by_its_easy_axis),
        cmocka_unit_test(tolerances_that_prove_nothing_are_refused),
        cmocka_unit_test(the_scalar_law_has_the_zeros_of_coulomb),
        cmocka_unit_test(the_scalar_law_agrees_with_the_one_of_four_lanes),
        cmocka_unit_test(a_contact_of_a_body_that_a_joint_drives_is_judged_by_what_drives_it),
        cmocka_unit_test(an_approach_is_not_excused_by_friction_far_above_1),
    };
    return cmocka_run_group_tests_name("contact/certify_islands", tests, NULL, NULL);
}
