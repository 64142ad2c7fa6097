// Masses and inertias of bodies: from geoms, as stated, repaired, refused.
#include "model/made.h"

static const double pi = 3.14159265358979323846;

static void assert_near(double value, double expected)
{
    if (!(fabs(value - expected) <= 1e-13 * fmax(1, fabs(expected)))) {
        fail_msg("%.17g instead of %.17g", value, expected);
    }
}

static TactModelBuilder *with_rule(TactInertiaRule rule)
{
    TactModelBuilder *builder = made_builder();
    TactModelConfig   config = tact_model_config_default();
    config.inertia_rule = rule;
    assert_int_equal(tact_model_builder_set_config(builder, &config), TACT_OK);
    return builder;
}

static int add_empty_body(TactModelBuilder *builder, const char *name)
{
    TactBodyDesc body = tact_body_default();
    int          index = -1;
    body.name = name;
    assert_int_equal(tact_model_builder_add_body(builder, &body, nowhere, &index), TACT_OK);
    return index;
}

static TactGeomDesc box(int body, double x, double y, double z)
{
    TactGeomDesc geom = tact_geom_default(TACT_GEOM_BOX);
    geom.geom.body = body;
    geom.geom.size[0] = x;
    geom.geom.size[1] = y;
    geom.geom.size[2] = z;
    return geom;
}

static void add_geom(TactModelBuilder *builder, const TactGeomDesc *geom)
{
    assert_int_equal(tact_model_builder_add_geom(builder, geom, nowhere, NULL), TACT_OK);
}

// ---------------------------------------------------------------------------------------------
// From geoms

static void two_halves_of_a_box_weigh_as_the_whole(void **state)
{
    (void)state;
    TactModelBuilder *builder = made_builder();
    int               whole = add_empty_body(builder, "whole");
    int               halves = add_empty_body(builder, "halves");
    TactTransform     pose = {tact_quat_from_axis_angle((TactVec3){1, 2, 3}, 0.7), {3, 1, -2}};
    TactGeomDesc      geom = box(whole, 0.4, 0.2, 0.3);
    geom.geom.pose = pose;
    add_geom(builder, &geom);
    for (int side = -1; side <= 1; side += 2) {
        TactTransform half = {tact_quat_identity(), {0.2 * side, 0, 0}};
        geom = box(halves, 0.2, 0.2, 0.3);
        geom.geom.pose = tact_transform_multiply(pose, half);
        add_geom(builder, &geom);
    }
    TactModel         *model = made_compile(builder);
    const TactInertia *a = &model->bodies[1].inertia, *b = &model->bodies[2].inertia;
    assert_near(a->mass, 1000 * 8 * 0.4 * 0.2 * 0.3);
    assert_near(b->mass, a->mass);
    assert_near(b->com.x, a->com.x);
    assert_near(b->com.y, a->com.y);
    assert_near(b->com.z, a->com.z);
    for (int i = 0; i < 9; i++) {
        assert_near(b->rotary.m[i / 3][i % 3], a->rotary.m[i / 3][i % 3]);
    }
    assert_near(model->geoms[1].mass, a->mass / 2);
    assert_near(model->mass, 2 * a->mass);
    tact_model_destroy(model);
}

static void a_given_mass_is_spread_over_the_shape(void **state)
{
    (void)state;
    TactModelBuilder *builder = made_builder();
    TactGeomDesc      geom = box(add_empty_body(builder, "b"), 0.1, 0.2, 0.3);
    geom.mass = 6;
    geom.density = 123;
    add_geom(builder, &geom);
    TactModel *model = made_compile(builder);
    assert_true(model->bodies[1].inertia.mass == 6);
    assert_near(model->bodies[1].inertia.rotary.m[0][0], 6 * (0.04 + 0.09) / 3);
    assert_true(model->geoms[0].mass == 6);
    tact_model_destroy(model);
}

static void a_shell_takes_its_density_per_area(void **state)
{
    (void)state;
    TactModelBuilder *builder = made_builder();
    TactGeomDesc      geom = tact_geom_default(TACT_GEOM_SPHERE);
    geom.geom.body = add_empty_body(builder, "b");
    geom.geom.size[0] = 0.5;
    geom.density = 2;
    geom.shell = true;
    add_geom(builder, &geom);
    TactModel *model = made_compile(builder);
    assert_near(model->bodies[1].inertia.mass, 2 * pi);
    assert_near(model->bodies[1].inertia.rotary.m[1][1], 2 * pi * 2 / 3 * 0.25);
    tact_model_destroy(model);
}

static void only_geoms_of_the_groups_count(void **state)
{
    (void)state;
    TactModelBuilder *builder = made_builder();
    TactModelConfig   config = tact_model_config_default();
    config.inertia_groups[0] = 2;
    config.inertia_groups[1] = 3;
    assert_int_equal(tact_model_builder_set_config(builder, &config), TACT_OK);
    int body = add_empty_body(builder, "b");
    for (int group = 0; group < 6; group++) {
        TactGeomDesc geom = box(body, 0.5, 0.5, 0.5);
        geom.mass = group + 1;
        geom.geom.group = group;
        add_geom(builder, &geom);
    }
    TactModel *model = made_compile(builder);
    assert_near(model->bodies[1].inertia.mass, 3 + 4);
    assert_true(model->geoms[0].mass == 0);
    tact_model_destroy(model);
}

static void geoms_of_the_world_and_planes_weigh_nothing(void **state)
{
    (void)state;
    TactModelBuilder *builder = made_builder();
    TactGeomDesc      geom = box(0, 1, 1, 1);
    add_geom(builder, &geom);
    geom = tact_geom_default(TACT_GEOM_PLANE);
    geom.geom.body = add_empty_body(builder, "table");
    geom.mass = 5;
    add_geom(builder, &geom);
    TactModel *model = made_compile(builder);
    assert_true(model->mass == 0);
    tact_model_destroy(model);
}

static void a_height_field_weighs_as_in_mujoco(void **state)
{
    (void)state;
    // MuJoCo 3.14 of <hfield size="1 2 .5 .1"/> in a body.
    TactModelBuilder *builder = made_builder();
    TactHeightField   field = {.rows = 2,
                               .columns = 2,
                               .half = {1, 2},
                               .top = 0.5,
                               .base = 0.1,
                               .height = (const double[]){0, 1, 0, 1}};
    assert_int_equal(tact_model_builder_add_heightfield(builder, &field, nowhere, NULL), TACT_OK);
    TactGeomDesc geom = tact_geom_default(TACT_GEOM_HEIGHTFIELD);
    geom.geom.body = add_empty_body(builder, "b");
    geom.geom.mesh = 0;
    add_geom(builder, &geom);
    TactModel *model = made_compile(builder);
    assert_near(model->mass, 2800);
    assert_near(model->bodies[1].inertia.rotary.m[0][0], 3761.9166666666665);
    assert_near(model->bodies[1].inertia.rotary.m[1][1], 961.9166666666665);
    assert_near(model->bodies[1].inertia.rotary.m[2][2], 4666.666666666667);
    tact_model_destroy(model);
}

/// Mass of a body that states 5 and has a geom of 7, or none.
static double mass_by_rule(TactInertiaRule rule, bool stated, bool geom)
{
    TactModelBuilder *builder = with_rule(rule);
    TactBodyDesc      body = made_body("b", 0);
    body.has_inertia = stated;
    body.inertia.mass = 5;
    assert_int_equal(tact_model_builder_add_body(builder, &body, nowhere, NULL), TACT_OK);
    if (geom) {
        TactGeomDesc cube = box(1, 1, 1, 1);
        cube.mass = 7;
        add_geom(builder, &cube);
    }
    TactModel *model = made_compile(builder);
    double     mass = model->mass;
    tact_model_destroy(model);
    return mass;
}

static void the_rule_says_whether_geoms_or_statements_count(void **state)
{
    (void)state;
    assert_true(mass_by_rule(TACT_INERTIA_RULE_AUTO, true, true) == 5);
    assert_true(mass_by_rule(TACT_INERTIA_RULE_AUTO, false, true) == 7);
    assert_true(mass_by_rule(TACT_INERTIA_RULE_AUTO, false, false) == 0);
    assert_true(mass_by_rule(TACT_INERTIA_RULE_FROM_GEOMS, true, true) == 7);
    assert_true(mass_by_rule(TACT_INERTIA_RULE_FROM_GEOMS, true, false) == 5);
    assert_true(mass_by_rule(TACT_INERTIA_RULE_AS_STATED, true, true) == 5);
    assert_true(mass_by_rule(TACT_INERTIA_RULE_AS_STATED, false, true) == 0);
}

/// A tetrahedron with the corners 0, e_x, e_y, e_z: V = 1/6, centre 1/4, about it xx = 3/80 m...
static void a_mesh_weighs_as_its_solid(void **state)
{
    (void)state;
    const TactVec3     corners[] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    const TactTriangle sides[] = {{{0, 2, 1}}, {{0, 1, 3}}, {{0, 3, 2}}, {{1, 2, 3}}};
    for (int given = 0; given < 2; given++) {
        TactModelBuilder *builder = made_builder();
        TactMesh         *mesh;
        assert_int_equal(tact_mesh_create(corners, 4, sides, 4, &mesh), TACT_OK);
        assert_int_equal(tact_model_builder_add_mesh(builder, "t", mesh, nowhere, NULL), TACT_OK);
        TactGeomDesc geom = tact_geom_default(TACT_GEOM_MESH);
        geom.geom.body = add_empty_body(builder, "b");
        geom.geom.mesh = 0;
        geom.geom.pose.position = (TactVec3){10, 20, 30};
        geom.mesh_inertia = TACT_MESH_INERTIA_EXACT;
        geom.density = 6;
        geom.mass = given ? 1 : -1;
        add_geom(builder, &geom);
        TactModel         *model = made_compile(builder);
        const TactInertia *inertia = &model->bodies[1].inertia;
        // Mean squares: of x 3/80 about the centre, of x y -1/80.
        assert_near(inertia->mass, 1);
        assert_near(inertia->com.x, 10.25);
        assert_near(inertia->com.z, 30.25);
        assert_near(inertia->rotary.m[0][0], 6.0 / 80);
        assert_near(inertia->rotary.m[0][1], 1.0 / 80);
        assert_null(model->meshes[0].hull);
        tact_model_destroy(model);
    }
}

static void a_hull_is_made_if_a_geom_is_convex_and_may_touch(void **state)
{
    (void)state;
#ifndef TACT_HAVE_QHULL
    skip();
#endif
    const TactVec3     corners[] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    const TactTriangle sides[] = {{{0, 2, 1}}, {{0, 1, 3}}, {{0, 3, 2}}, {{1, 2, 3}}};
    TactModelBuilder  *builder = made_builder();
    TactMesh          *mesh;
    for (int i = 0; i < 2; i++) {
        assert_int_equal(tact_mesh_create(corners, 4, sides, 4, &mesh), TACT_OK);
        assert_int_equal(tact_model_builder_add_mesh(builder, i ? "b" : "a", mesh, nowhere, NULL),
                         TACT_OK);
    }
    for (int i = 0; i < 3; i++) {
        TactGeomDesc geom = tact_geom_default(TACT_GEOM_CONVEX);
        geom.geom.mesh = i < 2;
        geom.geom.contact_type = geom.geom.contact_affinity = i < 2; // the last one is only seen
        add_geom(builder, &geom);
    }
    TactModel *model = made_compile(builder);
    assert_null(model->meshes[0].hull);
    assert_non_null(model->meshes[1].hull);
    assert_int_equal(model->meshes[1].hull->vertex_count, 4);
    assert_int_equal(tact_model_find(model, TACT_OBJECT_MESH, "b"), 1);
    tact_model_destroy(model);
}

// ---------------------------------------------------------------------------------------------
// Repairs

static void small_masses_and_moments_are_raised_to_their_bounds(void **state)
{
    (void)state;
    TactModelBuilder *builder = made_builder();
    TactModelConfig   config = tact_model_config_default();
    config.mass_min = 0.5;
    config.inertia_min = 0.25;
    assert_int_equal(tact_model_builder_set_config(builder, &config), TACT_OK);
    TactBodyDesc body = made_body("b", 0);
    TactMat3     R = tact_quat_to_mat3(tact_quat_from_axis_angle((TactVec3){3, 1, 2}, 1));
    TactMat3     D = tact_mat3_diagonal((TactVec3){0.1, 0.4, 0.35});
    body.inertia.mass = 0.1;
    body.inertia.rotary = tact_mat3_multiply(tact_mat3_multiply(R, D), tact_mat3_transpose(R));
    assert_int_equal(tact_model_builder_add_body(builder, &body, nowhere, NULL), TACT_OK);
    TactModel *model = made_compile(builder);
    assert_true(model->bodies[1].inertia.mass == 0.5);
    TactMat3 back = tact_mat3_multiply(
        tact_mat3_multiply(tact_mat3_transpose(R), model->bodies[1].inertia.rotary), R);
    assert_near(back.m[0][0], 0.25);
    assert_near(back.m[1][1], 0.4);
    assert_near(back.m[2][2], 0.35);
    assert_near(back.m[0][1], 0);
    tact_model_destroy(model);
}

static void a_total_mass_scales_everything(void **state)
{
    (void)state;
    TactModelBuilder *builder = made_builder();
    TactModelConfig   config = tact_model_config_default();
    config.total_mass = 10;
    assert_int_equal(tact_model_builder_set_config(builder, &config), TACT_OK);
    made_add_body(builder, "a", 0);
    TactGeomDesc geom = box(add_empty_body(builder, "b"), 1, 1, 1);
    geom.mass = 3;
    add_geom(builder, &geom);
    TactModel *model = made_compile(builder);
    assert_near(model->mass, 10);
    assert_near(model->bodies[1].inertia.mass, 2.5);
    assert_near(model->bodies[1].inertia.rotary.m[0][0], 2.5);
    assert_near(model->geoms[0].mass, 7.5);
    tact_model_destroy(model);
}

static TactStatus compile_moments(double x, double y, double z, bool balance, TactMat3 *rotary)
{
    TactModelBuilder *builder = made_builder();
    TactModelConfig   config = tact_model_config_default();
    config.balance_inertia = balance;
    assert_int_equal(tact_model_builder_set_config(builder, &config), TACT_OK);
    TactBodyDesc body = made_body("plate", 0);
    TactMat3     R = tact_quat_to_mat3(tact_quat_from_axis_angle((TactVec3){3, 1, 2}, 1));
    TactMat3     D = tact_mat3_diagonal((TactVec3){x, y, z});
    body.inertia.rotary = tact_mat3_multiply(tact_mat3_multiply(R, D), tact_mat3_transpose(R));
    TactModel *model = NULL;
    TactStatus status =
        tact_model_builder_add_body(builder, &body, (TactSource){"robot.xml", 7}, NULL);
    if (status == TACT_OK) {
        made_add_joint(builder, "j", 1, TACT_JOINT_FREE);
        status = tact_model_builder_compile(builder, &model);
    }
    if (model) {
        *rotary = model->bodies[1].inertia.rotary;
    }
    tact_model_destroy(model);
    tact_model_builder_destroy(builder);
    return status;
}

static void the_triangle_inequality_is_kept_averaged_or_refused(void **state)
{
    (void)state;
    TactMat3 rotary;
    // A flat plate is the limit, in any direction.
    assert_int_equal(compile_moments(1, 2, 3, false, &rotary), TACT_OK);
    assert_int_equal(compile_moments(1e-6, 1e-6, 2e-6, false, &rotary), TACT_OK);
    assert_int_equal(compile_moments(1, 2, 3.001, false, &rotary), TACT_BAD_INPUT);
    assert_non_null(strstr(tact_status_message(), "robot.xml:7: body 'plate': "));
    assert_non_null(strstr(tact_status_message(), "triangle inequality"));
    assert_int_equal(compile_moments(1, 2, 6, true, &rotary), TACT_OK);
    assert_near(rotary.m[0][0], 3);
    assert_near(rotary.m[1][1], 3);
    assert_true(rotary.m[0][1] == 0);
}

static void an_inertia_that_is_not_positive_is_refused(void **state)
{
    (void)state;
    TactMat3 rotary;
    assert_int_equal(compile_moments(-0.1, 2, 2, false, &rotary), TACT_BAD_INPUT);
    assert_string_equal(tact_status_message(),
                        "robot.xml:7: body 'plate': its inertia is not positive: a principal "
                        "moment is -0.1 kg m^2");
    assert_int_equal(compile_moments(0, 2, 2, false, &rotary), TACT_BAD_INPUT);
    assert_non_null(strstr(tact_status_message(), "robot.xml:7: body 'plate': it moves"));
}

/// Status of a body without mass that moves, with a child of mass m that is fixed or has a joint.
static TactStatus compile_carrier(double mass, bool fixed)
{
    TactModelBuilder *builder = made_builder();
    TactBodyDesc      body = tact_body_default();
    body.name = "empty";
    assert_int_equal(tact_model_builder_add_body(builder, &body, (TactSource){"r.xml", 3}, NULL),
                     TACT_OK);
    made_add_joint(builder, "j", 1, TACT_JOINT_HINGE);
    if (mass > 0) {
        body = made_body("child", 1);
        body.inertia.mass = mass;
        assert_int_equal(tact_model_builder_add_body(builder, &body, nowhere, NULL), TACT_OK);
        if (!fixed) {
            made_add_joint(builder, "k", 2, TACT_JOINT_HINGE);
        }
    }
    TactModel *model = NULL;
    TactStatus status = tact_model_builder_compile(builder, &model);
    tact_model_destroy(model);
    tact_model_builder_destroy(builder);
    return status;
}

static void what_moves_must_have_mass_of_its_own_or_of_what_is_fixed_to_it(void **state)
{
    (void)state;
    assert_int_equal(compile_carrier(0, true), TACT_BAD_INPUT);
    assert_string_equal(tact_status_message(),
                        "r.xml:3: body 'empty': it moves, but its mass is 0 kg");
    assert_int_equal(compile_carrier(1, false), TACT_BAD_INPUT);
    assert_int_equal(compile_carrier(1, true), TACT_OK);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(two_halves_of_a_box_weigh_as_the_whole),
        cmocka_unit_test(a_given_mass_is_spread_over_the_shape),
        cmocka_unit_test(a_shell_takes_its_density_per_area),
        cmocka_unit_test(only_geoms_of_the_groups_count),
        cmocka_unit_test(geoms_of_the_world_and_planes_weigh_nothing),
        cmocka_unit_test(a_height_field_weighs_as_in_mujoco),
        cmocka_unit_test(the_rule_says_whether_geoms_or_statements_count),
        cmocka_unit_test(a_mesh_weighs_as_its_solid),
        cmocka_unit_test(a_hull_is_made_if_a_geom_is_convex_and_may_touch),
        cmocka_unit_test(small_masses_and_moments_are_raised_to_their_bounds),
        cmocka_unit_test(a_total_mass_scales_everything),
        cmocka_unit_test(the_triangle_inequality_is_kept_averaged_or_refused),
        cmocka_unit_test(an_inertia_that_is_not_positive_is_refused),
        cmocka_unit_test(what_moves_must_have_mass_of_its_own_or_of_what_is_fixed_to_it),
    };
    return cmocka_run_group_tests_name("model/mass", tests, NULL, NULL);
}
