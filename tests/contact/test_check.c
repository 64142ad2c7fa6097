// What a contact problem must be, and the words in which it is refused.
#include "scenes.h"

/// Refused as bad input or argument, and the message says where and what.
static void refuses(const TactContactProblem *problem, const char *words)
{
    TactStatus status = tact_contact_check(problem);
    assert_true(status == TACT_BAD_INPUT || status == TACT_BAD_ARGUMENT);
    if (!strstr(tact_status_message(), words)) {
        print_error("'%s' does not contain '%s'\n", tact_status_message(), words);
        fail();
    }
}

static void accepts(const TactContactProblem *problem)
{
    if (tact_contact_check(problem) != TACT_OK) {
        print_error("refused: %s\n", tact_status_message());
        fail();
    }
}

// ---------------------------------------------------------------------------------------------
// The whole

static void nothing_at_all_is_a_problem_and_so_are_ten_thousand_contacts(void **state)
{
    (void)state;
    accepts(&(TactContactProblem){.step = 0.01});

    enum { MANY = 10000 };
    Scene scene;
    scene_block_on_plane(&scene);
    TactContact *contacts = calloc(MANY, sizeof *contacts);
    assert_non_null(contacts);
    for (int i = 0; i < MANY; i++) {
        contacts[i] = scene.contacts[i % 4];
    }
    scene.problem.contacts = contacts;
    scene.problem.contact_count = MANY;
    accepts(&scene.problem);
    TactContactCapacity capacity = tact_contact_get_capacity(&scene.problem);
    assert_int_equal(capacity.contacts, MANY);
    assert_int_equal(capacity.dof, 6);
    assert_int_equal(capacity.support, 12);
    assert_false(capacity.dense);
    contacts[MANY - 1].mu = NAN;
    refuses(&scene.problem, "contact 9999: mu is");
    free(contacts);
}

static void exactly_one_of_bodies_mass_matrix_and_delassus_says_what_moves(void **state)
{
    (void)state;
    Scene scene;
    scene_block_on_plane(&scene);
    double M[1] = {1};
    scene.problem.M = M;
    refuses(&scene.problem, "exactly one of bodies, M and W must be given, and 2 are");
    scene.problem.M = NULL;
    scene.problem.bodies = NULL;
    refuses(&scene.problem, "exactly one of bodies, M and W must be given, and 0 are");
    assert_int_equal(tact_contact_check(NULL), TACT_BAD_ARGUMENT);
}

static void the_step_is_positive_but_not_read_for_accelerations(void **state)
{
    (void)state;
    const double bad[] = {0, -1, NAN, INFINITY};
    for (size_t k = 0; k < sizeof bad / sizeof *bad; k++) {
        Scene scene;
        scene_block_on_plane(&scene);
        scene.problem.step = bad[k];
        refuses(&scene.problem, "the step is");
        scene.problem.level = TACT_LEVEL_ACCELERATION;
        accepts(&scene.problem);
    }
}

static void negative_counts_and_missing_arrays_are_refused(void **state)
{
    (void)state;
    Scene scene;
    scene_block_on_plane(&scene);
    scene.problem.contact_count = -1;
    refuses(&scene.problem, "-1 contacts");
    scene_block_on_plane(&scene);
    scene.problem.contacts = NULL;
    refuses(&scene.problem, "contacts or rows is NULL");
    scene_block_on_plane(&scene);
    scene.problem.row_count = 1;
    scene.problem.rows = NULL;
    refuses(&scene.problem, "contacts or rows is NULL");
    scene_block_on_plane(&scene);
    scene.problem.level = (TactContactLevel)7;
    refuses(&scene.problem, "there is no level 7");
}

// ---------------------------------------------------------------------------------------------
// Bodies

static void a_body_has_mass_and_a_definite_inertia(void **state)
{
    (void)state;
    Scene scene;
    scene_block_on_plane(&scene);
    scene.bodies[0].mass = 0;
    refuses(&scene.problem, "body 0: its mass is 0");
    scene.bodies[0].mass = -3;
    refuses(&scene.problem, "body 0: its mass is -3");

    // Eigenvalues 0 and 2; then 3 and -1; then a zero row.
    const double bad[3][6] = {{1, 1, 1, 1, 0, 0}, {1, 1, 1, 2, 0, 0}, {1, 1, 0, 0, 0, 0}};
    for (int k = 0; k < 3; k++) {
        scene_block_on_plane(&scene);
        memcpy(scene.bodies[0].inertia, bad[k], sizeof bad[k]);
        refuses(&scene.problem, "body 0: its inertia is not positive definite");
    }
    // A thin rod along (1, 1, 1): eigenvalues 1, 1 and 1e-6.
    double s = (1 - 1e-6) / 3;
    double rod[6] = {1 - s, 1 - s, 1 - s, -s, -s, -s};
    scene_block_on_plane(&scene);
    memcpy(scene.bodies[0].inertia, rod, sizeof rod);
    accepts(&scene.problem);
}

static void every_number_of_a_body_is_finite(void **state)
{
    (void)state;
    const char *names[] = {"mass",     "inertia",  "inertia",  "inertia",  "inertia",  "inertia",
                           "inertia",  "position", "position", "position", "velocity", "velocity",
                           "velocity", "omega",    "omega",    "omega",    "force",    "force",
                           "force",    "torque",   "torque",   "torque"};
    enum { FIELDS = sizeof(TactContactBody) / sizeof(double) };
    assert_int_equal(FIELDS, sizeof names / sizeof *names);
    for (int k = 0; k < FIELDS; k++) {
        Scene scene;
        scene_block_on_plane(&scene);
        (&scene.bodies[0].mass)[k] = k % 2 ? NAN : INFINITY;
        char words[64];
        (void)snprintf(words, sizeof words, "body 0: %s", names[k]);
        refuses(&scene.problem, words);
    }
}

// ---------------------------------------------------------------------------------------------
// Contacts

static void a_normal_has_length_one(void **state)
{
    (void)state;
    Scene scene;
    scene_block_on_plane(&scene);
    scene.contacts[2].normal[2] = 1.01;
    refuses(&scene.problem, "contact 2: its normal has length 1.01, not 1");
    scene.contacts[2].normal[2] = 0;
    refuses(&scene.problem, "contact 2: its normal has length 0, not 1");
    scene.contacts[2].normal[2] = 1 + 0.9e-6;
    accepts(&scene.problem);
    scene.contacts[2].normal[2] = 1 + 1.1e-6;
    refuses(&scene.problem, "contact 2: its normal has length 1.0000011, not 1");
}

static void a_tangent_is_not_along_the_normal(void **state)
{
    (void)state;
    Scene scene;
    scene_block_on_plane(&scene);
    memcpy(scene.contacts[1].tangent, (double[]){0, 1e-9, 5}, 3 * sizeof(double));
    refuses(&scene.problem, "contact 1: its tangent is parallel to its normal");
    memcpy(scene.contacts[1].tangent, (double[]){0, 1e-3, 5}, 3 * sizeof(double));
    accepts(&scene.problem);
}

static void a_contact_connects_two_different_sides_one_of_which_moves(void **state)
{
    (void)state;
    Scene scene;
    scene_block_on_plane(&scene);
    scene.contacts[3].b = 1;
    refuses(&scene.problem, "contact 3: there is no body 1 (bodies: 1)");
    scene.contacts[3].b = -2;
    refuses(&scene.problem, "contact 3: there is no body -2 (bodies: 1)");
    scene.contacts[3].b = -1;
    refuses(&scene.problem, "contact 3 connects nothing that moves");
    scene.contacts[3].a = scene.contacts[3].b = 0;
    refuses(&scene.problem, "contact 3 connects body 0 with itself");
}

static void friction_restitution_and_compliance_are_in_range(void **state)
{
    (void)state;
    Scene scene;
    scene_block_on_plane(&scene);
    scene.contacts[0].mu = -0.1;
    refuses(&scene.problem, "contact 0: mu is -0.1");
    scene.contacts[0].mu = INFINITY;
    refuses(&scene.problem, "contact 0: mu is inf");
    scene_block_on_plane(&scene);
    for (int d = -2; d <= 70; d++) {
        scene.contacts[0].directions = d;
        if (d == 0 || (d >= 4 && d <= 64 && d % 2 == 0)) {
            accepts(&scene.problem);
        } else {
            refuses(&scene.problem, "contact 0: ");
        }
    }
    scene_block_on_plane(&scene);
    scene.contacts[0].restitution = 1.5;
    refuses(&scene.problem, "contact 0: its restitution is 1.5, not in 0 .. 1");
    scene.contacts[0].restitution = 0.5;
    accepts(&scene.problem);
    scene.problem.level = TACT_LEVEL_ACCELERATION;
    refuses(&scene.problem, "contact 0: restitution needs the velocity before the step");
    scene_block_on_plane(&scene);
    scene.contacts[0].compliance = -1e-9;
    refuses(&scene.problem, "contact 0: compliance is -1e-09");
    scene_block_on_plane(&scene);
    scene.contacts[0].bias = NAN;
    refuses(&scene.problem, "contact 0: bias is");
    scene_block_on_plane(&scene);
    scene.contacts[0].turn = INFINITY;
    refuses(&scene.problem, "contact 0: turn is inf");
    scene_block_on_plane(&scene);
    scene.contacts[0].point[1] = NAN;
    refuses(&scene.problem, "contact 0: point[1] is");
}

// ---------------------------------------------------------------------------------------------
// Mechanisms and Delassus matrices

// Contacts are looked at four at a time.
static void a_bad_contact_is_named_wherever_it_stands(void **state)
{
    (void)state;
    Scene scene;
    scene_clear(&scene);
    scene_add_cube(&scene, 1, 1, 0, 0, 0);
    scene_add_cube(&scene, 1, 1, 0, 0, 2);
    for (int count = 1; count <= 9; count++) {
        scene_add_contact(&scene, count < 6 ? -1 : 0, 1, count, 0, 1, 0.5);
        accepts(&scene.problem);
        for (int i = 0; i < count; i++) {
            TactContact *contact = &scene.contacts[i], good = *contact;
            char         words[64];
            snprintf(words, sizeof words, "contact %d", i);
            contact->mu = -1;
            refuses(&scene.problem, words);
            *contact = good;
            contact->point[2] = INFINITY;
            refuses(&scene.problem, words);
            *contact = good;
            contact->normal[0] = 0.1;
            refuses(&scene.problem, words);
            *contact = good;
            contact->b = 2;
            refuses(&scene.problem, words);
            *contact = good;
            contact->directions = 7;
            refuses(&scene.problem, words);
            *contact = good;
            contact->surface[1] = NAN;
            refuses(&scene.problem, words);
            *contact = good;
            contact->directions = 16;
            contact->restitution = 1;
            accepts(&scene.problem);
            *contact = good;
        }
    }
}

static void a_mass_matrix_is_symmetric_with_a_positive_diagonal(void **state)
{
    (void)state;
    double             M[4] = {2, 1, 1, 2}, v[2] = {0}, tau[2] = {0};
    double             J[6] = {1, 0, 0, 1, 0, 0};
    TactContact        contact = {.J = J};
    TactContactProblem problem = {.step = 0.01,
                                  .nv = 2,
                                  .M = M,
                                  .v = v,
                                  .tau = tau,
                                  .contact_count = 1,
                                  .contacts = &contact};
    accepts(&problem);
    assert_int_equal(tact_contact_get_dof(&problem), 2);
    M[1] = 1.001;
    refuses(&problem, "M is not symmetric: M[1,0] = 1, M[0,1] = 1.001");
    M[1] = NAN;
    refuses(&problem, "M[0,1] is");
    M[1] = 1;
    M[3] = 0;
    refuses(&problem, "M[1,1] = 0 is not positive");
    M[3] = 2;
    tau[1] = INFINITY;
    refuses(&problem, "degree of freedom 1");
    tau[1] = 0;
    contact.J = NULL;
    refuses(&problem, "contact 0 has no J");
    contact.J = J;
    J[4] = NAN;
    refuses(&problem, "contact 0: J[4] is");
    problem.tau = NULL;
    refuses(&problem, "a problem with M needs v and tau");
}

static void a_tree_says_which_degrees_of_freedom_are_coupled(void **state)
{
    (void)state;
    // Two branches, 1 and 2, on the root 0: M_12 = 0.
    double             M[9] = {3, 1, 1, 1, 2, 0, 1, 0, 2}, zero[3] = {0};
    int                parent[3] = {-1, 0, 0};
    TactContactProblem problem = {
        .step = 0.01, .nv = 3, .M = M, .v = zero, .tau = zero, .parent = parent};
    accepts(&problem);
    M[5] = M[7] = 0.5;
    refuses(&problem, "M[2,1] = 0.5, but dof 1 does not carry dof 2 in the tree");
    parent[2] = 1;
    accepts(&problem);
    parent[1] = 1;
    refuses(&problem, "parent[1] = 1");
    parent[1] = -2;
    refuses(&problem, "parent[1] = -2");
}

static void a_delassus_matrix_is_symmetric_and_stands_alone(void **state)
{
    (void)state;
    double             W[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1}, u_free[3] = {-1, 0, 0};
    TactContact        contact = {.mu = 0.5};
    TactContactProblem problem = {
        .step = 1, .W = W, .u_free = u_free, .contact_count = 1, .contacts = &contact};
    accepts(&problem);
    assert_int_equal(tact_contact_get_dof(&problem), 0);
    assert_int_equal(tact_contact_get_capacity(&problem).dof, 3);
    assert_int_equal(tact_contact_get_capacity(&problem).support, 3);
    assert_true(tact_contact_get_capacity(&problem).dense);
    contact.restitution = 0.5;
    refuses(&problem, "given by W does not have");
    contact.restitution = 0;
    W[2] = 1e-3; // as Siconos writes them
    accepts(&problem);
    W[2] = 0.1;
    refuses(&problem, "W is not symmetric: W[2,0] = 0, W[0,2] = 0.1");
    W[2] = 0;
    W[4] = -1;
    refuses(&problem, "W[1,1] = -1 is not positive");
    W[4] = 0; // a contact that nothing moves along tangent 1
    accepts(&problem);
    u_free[2] = NAN;
    refuses(&problem, "contact 0: u_free[2] is");
    u_free[2] = 0;
    TactContactRow row = {.kind = TACT_ROW_UNILATERAL};
    problem.row_count = 1;
    problem.rows = &row;
    refuses(&problem, "a problem given by W cannot have rows, and has 1");
}

// ---------------------------------------------------------------------------------------------
// Rows

static void rows_are_checked_as_contacts_are(void **state)
{
    (void)state;
    Scene scene;
    scene_block_on_plane(&scene);
    TactContactRow good = {.kind = TACT_ROW_MOTOR,
                           .a = -1,
                           .b = 0,
                           .J_b = {1},
                           .zeta = 0.2,
                           .error = 0.1,
                           .force_max = 3};
    TactContactRow row = good;
    scene.problem.row_count = 1;
    scene.problem.rows = &row;
    accepts(&scene.problem);
    row.J_a[0] = NAN; // not read: there is no body a
    accepts(&scene.problem);
    row.J_b[5] = NAN;
    refuses(&scene.problem, "row 0: J_b[5] is");
    row = good, row.b = 4;
    refuses(&scene.problem, "row 0: there is no body 4");
    row = good, row.b = -1;
    refuses(&scene.problem, "row 0 connects nothing that moves");
    row = good, row.kind = (TactContactRowKind)9;
    refuses(&scene.problem, "row 0: there is no kind 9");
    row = good, row.zeta = 2;
    refuses(&scene.problem, "row 0: zeta is 2");
    row = good, row.force_max = -1;
    refuses(&scene.problem, "row 0: force_max is -1");
    row = good, row.target = NAN;
    refuses(&scene.problem, "row 0: target is");
    row = good;
    scene.problem.level = TACT_LEVEL_ACCELERATION;
    refuses(&scene.problem, "row 0: a position error has no place");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nothing_at_all_is_a_problem_and_so_are_ten_thousand_contacts),
        cmocka_unit_test(exactly_one_of_bodies_mass_matrix_and_delassus_says_what_moves),
        cmocka_unit_test(the_step_is_positive_but_not_read_for_accelerations),
        cmocka_unit_test(negative_counts_and_missing_arrays_are_refused),
        cmocka_unit_test(a_body_has_mass_and_a_definite_inertia),
        cmocka_unit_test(every_number_of_a_body_is_finite),
        cmocka_unit_test(a_normal_has_length_one),
        cmocka_unit_test(a_tangent_is_not_along_the_normal),
        cmocka_unit_test(a_contact_connects_two_different_sides_one_of_which_moves),
        cmocka_unit_test(friction_restitution_and_compliance_are_in_range),
        cmocka_unit_test(a_bad_contact_is_named_wherever_it_stands),
        cmocka_unit_test(a_mass_matrix_is_symmetric_with_a_positive_diagonal),
        cmocka_unit_test(a_tree_says_which_degrees_of_freedom_are_coupled),
        cmocka_unit_test(a_delassus_matrix_is_symmetric_and_stands_alone),
        cmocka_unit_test(rows_are_checked_as_contacts_are),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
