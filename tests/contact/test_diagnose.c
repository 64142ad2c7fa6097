// What contacts do, and which of their forces are not the only ones.
#include "scenes.h"
// clang-format off
#include "contact/certificate/diagnose.h"
// clang-format on

static void diagnose(const Scene *scene, const double *p, const double *rows,
                     TactContactDiagnosis *out)
{
    TactContactAnswer answer = {.impulse = (double *)p, .row_impulse = (double *)rows};
    TactStatus        status = tact_contact_diagnose(&scene->problem, &answer, out);
    if (status != TACT_OK) {
        print_error("%s\n", tact_status_message());
    }
    assert_int_equal(status, TACT_OK);
}

static void set_mu(Scene *scene, double mu)
{
    for (int i = 0; i < scene->problem.contact_count; i++) {
        scene->contacts[i].mu = mu;
    }
}

static void assert_near(double x, double expected, double tol)
{
    if (!(fabs(x - expected) <= tol)) {
        print_error("%.17g is not %.17g to %g\n", x, expected, tol);
        fail();
    }
}

// ---------------------------------------------------------------------------------------------
// States

static void a_mass_held_by_friction_sticks_and_says_how_much_of_it_is_used(void **state)
{
    (void)state;
    Scene scene;
    scene_particle(&scene, 2, 0.5);
    double h = scene.problem.step, n = 2 * GRAVITY * h;
    scene.bodies[0].force[0] = 0.3 * 2 * GRAVITY;
    scene.bodies[0].force[1] = 0.4 * 2 * GRAVITY;
    TactContactDiagnosis d;
    diagnose(&scene, (double[]){n, -0.3 * n, -0.4 * n}, NULL, &d);
    assert_int_equal(d.state, TACT_STATE_STICK);
    assert_near(d.friction_used, 1, 1e-14); // |(0.3, 0.4)| = mu
    assert_true(d.slip < 1e-15 && d.unique && d.group == -1);

    scene.bodies[0].force[0] = scene.bodies[0].force[1] = 0;
    diagnose(&scene, (double[]){n, 0, 0}, NULL, &d);
    assert_int_equal(d.state, TACT_STATE_STICK);
    assert_true(d.friction_used == 0);
}

static void a_mass_that_slides_has_its_speed_and_all_friction(void **state)
{
    (void)state;
    Scene scene;
    scene_particle(&scene, 2, 0.5);
    double h = scene.problem.step, n = 2 * GRAVITY * h;
    scene.bodies[0].velocity[0] = 3;
    TactContactDiagnosis d;
    diagnose(&scene, (double[]){n, -0.5 * n, 0}, NULL, &d);
    assert_int_equal(d.state, TACT_STATE_SLIDE);
    assert_near(d.friction_used, 1, 1e-15);
    assert_near(d.slip, 3 - 0.5 * GRAVITY * h, 1e-15);
    assert_true(d.unique);
    // Without friction, too.
    scene.contacts[0].mu = 0;
    diagnose(&scene, (double[]){n, 0, 0}, NULL, &d);
    assert_int_equal(d.state, TACT_STATE_SLIDE);
    assert_true(d.friction_used == 0 && d.unique);
}

static void a_contact_without_impulse_is_open(void **state)
{
    (void)state;
    Scene scene;
    scene_particle(&scene, 2, 0.5);
    scene.bodies[0].velocity[2] = 1;
    scene.bodies[0].velocity[0] = 0.25;
    TactContactDiagnosis d;
    diagnose(&scene, (double[]){0, 0, 0}, NULL, &d);
    assert_int_equal(d.state, TACT_STATE_OPEN);
    assert_true(d.friction_used == 0 && d.unique && d.group == -1);
    assert_near(d.slip, 0.25, 1e-15);
}

static void on_the_level_of_accelerations_what_slides_is_seen_from_the_velocity(void **state)
{
    (void)state;
    Scene scene;
    scene_particle(&scene, 2, 0.5);
    scene.problem.level = TACT_LEVEL_ACCELERATION;
    double               n = 2 * GRAVITY;
    TactContactDiagnosis d;
    // Braked so that it does not accelerate: 0.5 n pushes, 0.5 n rubs.
    scene.bodies[0].force[0] = 0.5 * n;
    diagnose(&scene, (double[]){n, -0.5 * n, 0}, NULL, &d);
    assert_int_equal(d.state, TACT_STATE_STICK);
    scene.bodies[0].velocity[0] = 1e-3;
    diagnose(&scene, (double[]){n, -0.5 * n, 0}, NULL, &d);
    assert_int_equal(d.state, TACT_STATE_SLIDE);
}

// ---------------------------------------------------------------------------------------------
// Uniqueness

static void four_legs_share_a_load_in_many_ways_and_three_in_one(void **state)
{
    (void)state;
    Scene                scene;
    TactContactDiagnosis d[4];
    scene_block_on_plane(&scene);
    set_mu(&scene, 0);
    double n = 2 * GRAVITY * scene.problem.step / 4;
    diagnose(&scene, (double[]){n, 0, 0, n, 0, 0, n, 0, 0, n, 0, 0}, NULL, d);
    for (int i = 0; i < 4; i++) {
        assert_false(d[i].unique);
        assert_int_equal(d[i].group, 0);
    }
    // Two of them without load touch still: the load could go there.
    diagnose(&scene, (double[]){2 * n, 0, 0, 0, 0, 0, 0, 0, 0, 2 * n, 0, 0}, NULL, d);
    for (int i = 0; i < 4; i++) {
        assert_int_equal(d[i].state, i % 3 == 0 ? TACT_STATE_STICK : TACT_STATE_OPEN);
        assert_false(d[i].unique);
    }
    scene.problem.contact_count = 3; // corners 0, 1, 2
    diagnose(&scene, (double[]){0, 0, 0, 2 * n, 0, 0, 2 * n, 0, 0}, NULL, d);
    for (int i = 0; i < 3; i++) {
        assert_true(d[i].unique && d[i].group == -1);
    }
}

static void friction_lets_three_legs_strain_against_each_other(void **state)
{
    (void)state;
    // Nine impulses, six equations.
    Scene                scene;
    TactContactDiagnosis d[3];
    scene_block_on_plane(&scene);
    scene.problem.contact_count = 3;
    double n = 2 * GRAVITY * scene.problem.step / 4;
    double p[9] = {0, 0, 0, 2 * n, 0, 0, 2 * n, 0, 0};
    diagnose(&scene, p, NULL, d);
    for (int i = 0; i < 3; i++) {
        assert_false(d[i].unique);
        assert_int_equal(d[i].group, 0);
    }
    // Where all of them slide along -x, friction has one direction each, and three forces have one
    // answer. Corners (-1, -1), (1, -1), (-1, 1) with normals N, friction mu N one metre below the
    // centre: sum N = W, moments about x sum y N = 0, about y sum x N = -mu W.
    scene.bodies[0].velocity[0] = -3;
    double W = 4 * n, mu = 0.25, N2 = W / 2, N1 = (1 - mu) * W / 2, N0 = W - N1 - N2;
    set_mu(&scene, mu);
    double q[9] = {N0, mu * N0, 0, N1, mu * N1, 0, N2, mu * N2, 0};
    diagnose(&scene, q, NULL, d);
    for (int i = 0; i < 3; i++) {
        assert_true(d[i].unique);
    }
}

static void sliding_legs_with_unequal_friction_have_one_answer(void **state)
{
    (void)state;
    // Equal friction leaves the one dependence of four normals; unequal friction breaks it, because
    // moving load between legs then changes the sum of friction.
    Scene scene;
    scene_block_on_plane(&scene);
    scene.bodies[0].velocity[0] = 3;
    for (int unequal = 0; unequal < 2; unequal++) {
        scene.contacts[3].mu = unequal ? 0.3 : 0.5;
        double               n = 2 * GRAVITY * scene.problem.step / 4, p[12] = {0};
        TactContactDiagnosis d[4];
        for (int i = 0; i < 4; i++) {
            p[3 * i] = n;
            p[3 * i + 1] = -scene.contacts[i].mu * n;
        }
        diagnose(&scene, p, NULL, d);
        for (int i = 0; i < 4; i++) {
            assert_int_equal(d[i].state, TACT_STATE_SLIDE);
            assert_true(d[i].unique == unequal);
        }
    }
}

static void redundant_groups_are_told_apart(void **state)
{
    (void)state;
    // Two frictionless blocks on four legs each, a third on three.
    Scene scene;
    scene_clear(&scene);
    double p[3 * 11] = {0};
    for (int body = 0; body < 3; body++) {
        scene_add_cube(&scene, 2, 1, 10.0 * body, 0, 1);
        for (int k = 0; k < (body == 1 ? 3 : 4); k++) {
            int i = scene.problem.contact_count;
            scene_add_contact(&scene, -1, body, 10.0 * body + (k % 2 ? 1 : -1), k / 2 ? 1 : -1, 0,
                              0);
            p[3 * i] = 2 * GRAVITY * scene.problem.step / 4;
        }
    }
    // Three legs: corners 0, 1, 2 of body 1 carry 0, 1/2, 1/2.
    p[3 * 4] = 0;
    p[3 * 5] = p[3 * 6] = 2 * GRAVITY * scene.problem.step / 2;
    TactContactDiagnosis d[11];
    diagnose(&scene, p, NULL, d);
    for (int i = 0; i < 11; i++) {
        int expected = i < 4 ? 0 : i < 7 ? -1 : 1;
        assert_int_equal(d[i].group, expected);
        assert_true(d[i].unique == (expected == -1));
    }
}

static void a_contact_given_twice_is_redundant_with_itself_only(void **state)
{
    (void)state;
    Scene scene;
    scene_block_on_plane(&scene);
    set_mu(&scene, 0);
    scene.contacts[3] = scene.contacts[2];
    double               n = 2 * GRAVITY * scene.problem.step / 4;
    TactContactDiagnosis d[4];
    diagnose(&scene, (double[]){0, 0, 0, 2 * n, 0, 0, n, 0, 0, n, 0, 0}, NULL, d);
    assert_true(d[0].unique && d[1].unique);
    assert_true(!d[2].unique && !d[3].unique && d[2].group == 0 && d[3].group == 0);
}

static void compliance_makes_four_legs_unique(void **state)
{
    (void)state;
    Scene scene;
    scene_block_on_plane(&scene);
    set_mu(&scene, 0);
    double k = 0.1, m = 2, h = scene.problem.step;
    for (int i = 0; i < 4; i++) {
        scene.contacts[i].compliance = k;
    }
    // u_n + k n = 0 and m (u_n + g h) = 4 n: n = m g h / (4 + m k).
    double               n = m * GRAVITY * h / (4 + m * k);
    TactContactDiagnosis d[4];
    diagnose(&scene, (double[]){n, 0, 0, n, 0, 0, n, 0, 0, n, 0, 0}, NULL, d);
    for (int i = 0; i < 4; i++) {
        assert_true(d[i].unique);
    }
}

static void a_joint_row_can_take_over_from_a_contact(void **state)
{
    (void)state;
    // A mass on a contact, and a row that holds it along the normal as well.
    const TactContactRowKind kinds[] = {TACT_ROW_BILATERAL, TACT_ROW_UNILATERAL, TACT_ROW_MOTOR};
    for (int k = 0; k < 3; k++) {
        Scene scene;
        scene_particle(&scene, 2, 0);
        double          n = 2 * GRAVITY * scene.problem.step;
        TactContactRow *row = scene_add_row(&scene, kinds[k], -1, 0);
        row->J_b[2] = 1;
        row->force_max = 100;
        TactContactDiagnosis d;
        double               held = n / 2;
        diagnose(&scene, (double[]){n / 2, 0, 0}, &held, &d);
        assert_false(d.unique);
        assert_int_equal(d.group, 0);
        if (kinds[k] == TACT_ROW_MOTOR) { // at its bound it gives what it has
            row->force_max = held / scene.problem.step;
            diagnose(&scene, (double[]){n / 2, 0, 0}, &held, &d);
            assert_true(d.unique);
        }
    }
}

static void misuse_is_refused(void **state)
{
    (void)state;
    Scene                scene;
    TactContactDiagnosis d[4];
    scene_block_on_plane(&scene);
    assert_int_equal(tact_contact_diagnose(&scene.problem, NULL, d), TACT_BAD_ARGUMENT);
    TactContactAnswer answer = {0};
    assert_int_equal(tact_contact_diagnose(&scene.problem, &answer, d), TACT_BAD_ARGUMENT);
    double p[12] = {NAN};
    answer.impulse = p;
    assert_int_equal(tact_contact_diagnose(&scene.problem, &answer, d), TACT_BAD_INPUT);
    scene_add_row(&scene, TACT_ROW_MOTOR, -1, 0);
    p[0] = 0;
    assert_int_equal(tact_contact_diagnose(&scene.problem, &answer, d), TACT_BAD_ARGUMENT);
}

// ---------------------------------------------------------------------------------------------
// Dependence

static void circuits_of_a_known_matrix_are_found(void **state)
{
    (void)state;
    // e1 e2 e1+e2 | e3 e3 | e4 | 0 in five dimensions: rank 4.
    const double columns[7][5] = {{1},       {0, 1},    {0.70710678118654752, 0.70710678118654752},
                                  {0, 0, 1}, {0, 0, 1}, {0, 0, 0, 1},
                                  {0}};
    const int    expected[7] = {0, 0, 0, 3, 3, -1, 6};
    TactDependence dependence = {0};
    TactArena      arena = {0};
    tact_dependence_layout(&dependence, 5, 7, &arena);
    assert_int_equal(tact_arena_create(&arena), TACT_OK);
    tact_dependence_layout(&dependence, 5, 7, &arena);
    memcpy(dependence.columns, columns, sizeof columns);
    for (int k = 0; k < 7; k++) {
        dependence.owner[k] = k;
    }
    tact_dependence_find(&dependence);
    assert_int_equal(dependence.rank, 4);
    for (int k = 0; k < 7; k++) {
        assert_int_equal(dependence.group[k], expected[k]);
    }
    tact_arena_destroy(&arena);
}

// In the plane tangent 2 does not exist: an impulse along it is no other force.
static void a_contact_in_the_plane_has_one_force(void **state)
{
    (void)state;
    double             M[4] = {2, 0, 0, 2}, v[2] = {0}, tau[2] = {1, -10};
    double             J[6] = {0, 1, 1, 0, 0, 0}; // up, along, out of the plane
    double             W[9] = {0.5, 0, 0, 0, 0.5, 0, 0, 0, 0}, u[3] = {-5, 0.5, 0};
    double             p[3] = {10, -1, 0};
    TactContact        contact = {.J = J, .mu = 0.5};
    TactContactProblem problem = {
        .step = 1, .nv = 2, .M = M, .v = v, .tau = tau, .contact_count = 1, .contacts = &contact};
    for (int given = 0; given < 2; given++) {
        if (given) {
            contact.J = NULL;
            problem.nv = 0;
            problem.M = problem.v = problem.tau = NULL;
            problem.W = W;
            problem.u_free = u;
        }
        TactContactDiagnosis d;
        TactContactAnswer    answer = {.impulse = p};
        assert_int_equal(tact_contact_diagnose(&problem, &answer, &d), TACT_OK);
        assert_int_equal(d.state, TACT_STATE_STICK);
        assert_true(d.unique && d.group == -1);
        assert_near(d.friction_used, 0.2, 1e-15);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_mass_held_by_friction_sticks_and_says_how_much_of_it_is_used),
        cmocka_unit_test(a_mass_that_slides_has_its_speed_and_all_friction),
        cmocka_unit_test(a_contact_without_impulse_is_open),
        cmocka_unit_test(on_the_level_of_accelerations_what_slides_is_seen_from_the_velocity),
        cmocka_unit_test(four_legs_share_a_load_in_many_ways_and_three_in_one),
        cmocka_unit_test(friction_lets_three_legs_strain_against_each_other),
        cmocka_unit_test(sliding_legs_with_unequal_friction_have_one_answer),
        cmocka_unit_test(redundant_groups_are_told_apart),
        cmocka_unit_test(a_contact_given_twice_is_redundant_with_itself_only),
        cmocka_unit_test(compliance_makes_four_legs_unique),
        cmocka_unit_test(a_joint_row_can_take_over_from_a_contact),
        cmocka_unit_test(misuse_is_refused),
        cmocka_unit_test(circuits_of_a_known_matrix_are_found),
        cmocka_unit_test(a_contact_in_the_plane_has_one_force),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
