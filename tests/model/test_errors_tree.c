// What a builder refuses of the tree: each with the place, the name and the number at fault.
#include "model/refused.h"

// ---------------------------------------------------------------------------------------------
// Bodies

static void refuse_body(TactBodyDesc body, TactStatus expected, const char *message)
{
    TactModelBuilder *builder = start();
    int               index = -7;
    TactStatus        status = tact_model_builder_add_body(builder, &body, here, &index);
    expect(builder, status, expected, message);
    assert_int_equal(index, -7);
}

static void bodies_are_checked(void **state)
{
    (void)state;
    TactBodyDesc body = made_body("arm", 0);
    refuse_body(body, TACT_BAD_INPUT, "robot.xml:12: body 'arm': the name is taken");
    body.name = "world";
    refuse_body(body, TACT_BAD_INPUT, "robot.xml:12: body 'world': the name is taken");
    body = made_body("leg", 5);
    refuse_body(body, TACT_BAD_ARGUMENT, "robot.xml:12: body 'leg': there is no body 5");
    body = made_body("leg", -1);
    refuse_body(body, TACT_BAD_ARGUMENT, "robot.xml:12: body 'leg': there is no body -1");
    body = made_body(NULL, 0);
    body.pose.position.y = NAN;
    refuse_body(body, TACT_BAD_INPUT, "robot.xml:12: body 5: number 2 of its pose is nan");
    body = made_body("leg", 0);
    body.pose.rotation = (TactQuat){0, 0, 0, 0};
    refuse_body(body, TACT_BAD_INPUT,
                "robot.xml:12: body 'leg': the quaternion of its pose is zero");
    body.pose.rotation.x = INFINITY;
    refuse_body(body, TACT_BAD_INPUT, "robot.xml:12: body 'leg': number 2 of its pose is inf");
    body = made_body("leg", 0);
    body.gravity_compensation = NAN;
    refuse_body(body, TACT_BAD_INPUT, "robot.xml:12: body 'leg': its gravity compensation is nan");
}

static void stated_inertias_are_checked(void **state)
{
    (void)state;
    TactBodyDesc body = made_body("leg", 0);
    body.inertia.mass = -1;
    refuse_body(body, TACT_BAD_INPUT, "robot.xml:12: body 'leg': its mass is -1, negative");
    body.inertia.mass = INFINITY;
    refuse_body(body, TACT_BAD_INPUT, "robot.xml:12: body 'leg': its mass is inf");
    body = made_body("leg", 0);
    body.inertia.com.x = NAN;
    refuse_body(body, TACT_BAD_INPUT,
                "robot.xml:12: body 'leg': number 1 of its centre of mass is nan");
    body = made_body("leg", 0);
    body.inertia.rotary.m[1][1] = -2;
    refuse_body(body, TACT_BAD_INPUT,
                "robot.xml:12: body 'leg': moment 2 of its inertia is -2, negative");
    body.inertia.rotary.m[1][1] = NAN;
    refuse_body(body, TACT_BAD_INPUT, "robot.xml:12: body 'leg': number 5 of its inertia is nan");
    body = made_body("leg", 0);
    body.inertia.rotary.m[1][0] = 0.5;
    refuse_body(body, TACT_BAD_INPUT,
                "robot.xml:12: body 'leg': its inertia is not symmetric: 0.5 and 0");
}

// ---------------------------------------------------------------------------------------------
// Joints

static void refuse_joint(TactJoint joint, TactStatus expected, const char *message)
{
    TactModelBuilder *builder = start();
    TactStatus        status = tact_model_builder_add_joint(builder, &joint, here, NULL);
    expect(builder, status, expected, message);
}

static TactJoint hinge(void)
{
    TactJoint joint = tact_joint_default(TACT_JOINT_HINGE);
    joint.name = "knee";
    joint.body = 1;
    return joint;
}

static void joints_are_checked(void **state)
{
    (void)state;
    TactJoint joint = hinge();
    joint.name = "hip";
    refuse_joint(joint, TACT_BAD_INPUT, "robot.xml:12: joint 'hip': the name is taken");
    joint = hinge();
    joint.body = 9;
    refuse_joint(joint, TACT_BAD_ARGUMENT, "robot.xml:12: joint 'knee': there is no body 9");
    joint.body = 0;
    refuse_joint(joint, TACT_BAD_INPUT, "robot.xml:12: joint 'knee': the world cannot have joints");
    joint = hinge();
    joint.type = (TactJointType)9;
    refuse_joint(joint, TACT_BAD_ARGUMENT, "robot.xml:12: joint 'knee': there is no joint type 9");
    joint = hinge();
    joint.axis = (TactVec3){0, 0, 0};
    refuse_joint(joint, TACT_BAD_INPUT, "robot.xml:12: joint 'knee': its axis is zero");
    joint.axis.z = NAN;
    refuse_joint(joint, TACT_BAD_INPUT, "robot.xml:12: joint 'knee': number 3 of its axis is nan");
    joint = tact_joint_default(TACT_JOINT_FREE);
    joint.name = "root";
    joint.body = 2;
    refuse_joint(joint, TACT_BAD_INPUT,
                 "robot.xml:12: joint 'root': a free joint must be on a child of the world; 'arm' "
                 "is below 'base'");
    joint = hinge();
    joint.type = TACT_JOINT_BALL;
    joint.limited = true;
    joint.range[0] = 0.5;
    joint.range[1] = 1;
    refuse_joint(joint, TACT_BAD_INPUT,
                 "robot.xml:12: joint 'knee': the range of a ball joint begins at 0, not at 0.5");
}

static void numbers_of_joints_are_checked(void **state)
{
    (void)state;
    TactJoint joint = hinge();
    joint.limited = true;
    joint.range[0] = 1;
    refuse_joint(joint, TACT_BAD_INPUT,
                 "robot.xml:12: joint 'knee': its range is empty: from 1 to 0");
    joint.limited = false;
    joint.range[1] = INFINITY;
    refuse_joint(joint, TACT_BAD_INPUT, "robot.xml:12: joint 'knee': number 2 of its range is inf");
    joint = hinge();
    joint.force_limited = true;
    joint.force_range[0] = 1;
    refuse_joint(joint, TACT_BAD_INPUT,
                 "robot.xml:12: joint 'knee': its force range is empty: from 1 to 0");
    joint = hinge();
    joint.position.x = NAN;
    refuse_joint(joint, TACT_BAD_INPUT,
                 "robot.xml:12: joint 'knee': number 1 of its position is nan");

    const struct {
        size_t      offset;
        const char *what;
        bool        signed_;
    } numbers[] = {
        {offsetof(TactJoint, reference), "reference", true},
        {offsetof(TactJoint, spring_reference), "spring reference", true},
        {offsetof(TactJoint, margin), "margin", true},
        {offsetof(TactJoint, stiffness), "stiffness", true},
        {offsetof(TactJoint, damping), "damping", true},
        {offsetof(TactJoint, armature), "armature", false},
        {offsetof(TactJoint, friction), "dry friction", false},
    };
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
        char text[200];
        joint = hinge();
        double *number = (double *)(void *)((char *)&joint + numbers[i].offset);
        *number = NAN;
        snprintf(text, sizeof text, "robot.xml:12: joint 'knee': its %s is nan", numbers[i].what);
        refuse_joint(joint, TACT_BAD_INPUT, text);
        if (!numbers[i].signed_) {
            *number = -3;
            snprintf(text, sizeof text, "robot.xml:12: joint 'knee': its %s is -3, negative",
                     numbers[i].what);
            refuse_joint(joint, TACT_BAD_INPUT, text);
        }
    }
}

// ---------------------------------------------------------------------------------------------
// Geoms, sites, pairs, excludes

static void refuse_geom(TactGeomDesc geom, TactStatus expected, const char *message)
{
    TactModelBuilder *builder = start();
    TactStatus        status = tact_model_builder_add_geom(builder, &geom, here, NULL);
    expect(builder, status, expected, message);
}

static TactGeomDesc capsule(void)
{
    TactGeomDesc geom = tact_geom_default(TACT_GEOM_CAPSULE);
    geom.geom.name = "bone";
    geom.geom.body = 2;
    geom.geom.size[0] = 0.1;
    geom.geom.size[1] = 0.2;
    return geom;
}

static void geoms_are_checked(void **state)
{
    (void)state;
    TactGeomDesc geom = capsule();
    geom.geom.name = "skin";
    refuse_geom(geom, TACT_BAD_INPUT, "robot.xml:12: geom 'skin': the name is taken");
    geom = capsule();
    geom.geom.body = 77;
    refuse_geom(geom, TACT_BAD_ARGUMENT, "robot.xml:12: geom 'bone': there is no body 77");
    geom = capsule();
    geom.geom.type = TACT_GEOM_TYPE_COUNT;
    refuse_geom(geom, TACT_BAD_ARGUMENT, "robot.xml:12: geom 'bone': there is no geom type 9");
    geom = capsule();
    geom.geom.type = TACT_GEOM_CONVEX;
    geom.geom.mesh = 0;
    refuse_geom(geom, TACT_BAD_ARGUMENT, "robot.xml:12: geom 'bone': there is no mesh 0");
    geom.geom.type = TACT_GEOM_HEIGHTFIELD;
    refuse_geom(geom, TACT_BAD_ARGUMENT, "robot.xml:12: geom 'bone': there is no height field 0");
    geom = capsule();
    geom.geom.size[1] = 0;
    refuse_geom(geom, TACT_BAD_INPUT, "robot.xml:12: geom 'bone': size 2 of a capsule is 0");
    geom.geom.size[1] = NAN;
    refuse_geom(geom, TACT_BAD_INPUT, "robot.xml:12: geom 'bone': number 2 of its size is nan");
    geom = capsule();
    geom.geom.type = TACT_GEOM_PLANE;
    geom.geom.size[0] = -1;
    refuse_geom(geom, TACT_BAD_INPUT, "robot.xml:12: geom 'bone': size 1 of a plane is -1");
    geom = capsule();
    geom.geom.condim = 2;
    refuse_geom(geom, TACT_BAD_INPUT,
                "robot.xml:12: geom 'bone': its condim is 2, not 1, 3, 4 or 6");
    geom = capsule();
    geom.mesh_inertia = (TactMeshInertia)17;
    refuse_geom(geom, TACT_BAD_ARGUMENT, "robot.xml:12: geom 'bone': there is no mesh inertia 17");
    geom = capsule();
    geom.mass = NAN;
    refuse_geom(geom, TACT_BAD_INPUT, "robot.xml:12: geom 'bone': its mass is nan");
    geom = capsule();
    geom.geom.pose.rotation.w = NAN;
    refuse_geom(geom, TACT_BAD_INPUT, "robot.xml:12: geom 'bone': number 1 of its pose is nan");
    geom = capsule();
    geom.geom.rgba[3] = INFINITY;
    refuse_geom(geom, TACT_BAD_INPUT, "robot.xml:12: geom 'bone': number 4 of its rgba is inf");
}

static void numbers_of_geoms_are_checked(void **state)
{
    (void)state;
    const struct {
        size_t      offset;
        const char *what;
    } numbers[] = {
        {offsetof(TactGeomDesc, geom.mu), "friction"},
        {offsetof(TactGeomDesc, geom.torsional), "torsional friction"},
        {offsetof(TactGeomDesc, geom.rolling), "rolling friction"},
        {offsetof(TactGeomDesc, geom.gap), "gap"},
        {offsetof(TactGeomDesc, density), "density"},
    };
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
        char         text[200];
        TactGeomDesc geom = capsule();
        double      *number = (double *)(void *)((char *)&geom + numbers[i].offset);
        *number = -1;
        snprintf(text, sizeof text, "robot.xml:12: geom 'bone': its %s is -1, negative",
                 numbers[i].what);
        refuse_geom(geom, TACT_BAD_INPUT, text);
        *number = NAN;
        snprintf(text, sizeof text, "robot.xml:12: geom 'bone': its %s is nan", numbers[i].what);
        refuse_geom(geom, TACT_BAD_INPUT, text);
    }
}

static void refuse_site(TactSite site, TactStatus expected, const char *message)
{
    TactModelBuilder *builder = start();
    TactStatus        status = tact_model_builder_add_site(builder, &site, here, NULL);
    expect(builder, status, expected, message);
}

static void sites_are_checked(void **state)
{
    (void)state;
    TactSite site = tact_site_default();
    site.name = "tip";
    refuse_site(site, TACT_BAD_INPUT, "robot.xml:12: site 'tip': the name is taken");
    site.name = "toe";
    site.body = -3;
    refuse_site(site, TACT_BAD_ARGUMENT, "robot.xml:12: site 'toe': there is no body -3");
    site.body = 0;
    site.size[0] = -1;
    refuse_site(site, TACT_BAD_INPUT, "robot.xml:12: site 'toe': size 1 of a sphere is -1");
    site.size[0] = NAN;
    refuse_site(site, TACT_BAD_INPUT, "robot.xml:12: site 'toe': number 1 of its size is nan");
    site = tact_site_default();
    site.pose.position.x = NAN;
    refuse_site(site, TACT_BAD_INPUT, "robot.xml:12: site 1: number 1 of its pose is nan");
    site = tact_site_default();
    site.rgba[1] = NAN;
    refuse_site(site, TACT_BAD_INPUT, "robot.xml:12: site 1: number 2 of its rgba is nan");
    site = tact_site_default();
    site.type = (TactGeomType)-1;
    refuse_site(site, TACT_BAD_ARGUMENT, "robot.xml:12: site 1: there is no geom type -1");
}

static void refuse_pair(TactPair pair, TactStatus expected, const char *message)
{
    TactModelBuilder *builder = start();
    TactStatus        status = tact_model_builder_add_pair(builder, &pair, here, NULL);
    expect(builder, status, expected, message);
}

static void pairs_and_excludes_are_checked(void **state)
{
    (void)state;
    TactPair pair = tact_pair_default();
    pair.b = 2;
    refuse_pair(pair, TACT_BAD_ARGUMENT, "robot.xml:12: pair 0: there is no geom 2");
    pair.b = 0;
    refuse_pair(pair, TACT_BAD_INPUT, "robot.xml:12: pair 0: a geom cannot touch itself");
    pair.b = 1;
    pair.mu[1] = -0.5;
    refuse_pair(pair, TACT_BAD_INPUT, "robot.xml:12: pair 0: its friction is -0.5, negative");
    pair.mu[1] = 1;
    pair.margin = NAN;
    refuse_pair(pair, TACT_BAD_INPUT, "robot.xml:12: pair 0: its margin is nan");
    pair.margin = 0;
    pair.condim = 5;
    refuse_pair(pair, TACT_BAD_INPUT, "robot.xml:12: pair 0: its condim is 5, not 1, 3, 4 or 6");
    TactModelBuilder *builder = start();
    TactStatus        status = tact_model_builder_add_exclude(builder, (TactExclude){1, 11}, here);
    expect(builder, status, TACT_BAD_ARGUMENT, "robot.xml:12: exclude 0: there is no body 11");
}

static void height_fields_are_checked(void **state)
{
    (void)state;
    const double    heights[4] = {0, 1, 0.5, 1.5};
    TactHeightField fields[] = {
        {.name = "hill", .rows = 2, .columns = 2, .half = {1, 1}, .top = 1, .height = heights},
        {.name = "hill", .rows = 1, .columns = 2, .half = {1, 1}, .top = 1, .height = heights},
        {.name = "hill", .rows = 2, .columns = 2, .half = {1, 1}, .top = 1},
        {.name = "hill", .rows = 2, .columns = 2, .half = {1, 0}, .top = 1, .height = heights},
        {.name = "hill", .rows = 2, .columns = 2, .half = {1, 1}, .top = -1, .height = heights},
    };
    const char *const messages[] = {
        ("robot.xml:12: height field 'hill': the height at row 1, column 1 is 1.5, "
         "not within 0 and 1"),
        "robot.xml:12: height field 'hill': it has 1 rows and 2 columns",
        "robot.xml:12: height field 'hill': it has 2 rows and 2 columns, but no heights",
        "robot.xml:12: height field 'hill': its half-length along y is 0, not positive",
        "robot.xml:12: height field 'hill': its top is -1, negative",
    };
    for (int i = 0; i < 5; i++) {
        TactModelBuilder *builder = start();
        TactStatus status = tact_model_builder_add_heightfield(builder, &fields[i], here, NULL);
        expect(builder, status, TACT_BAD_INPUT, messages[i]);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bodies_are_checked),
        cmocka_unit_test(stated_inertias_are_checked),
        cmocka_unit_test(joints_are_checked),
        cmocka_unit_test(numbers_of_joints_are_checked),
        cmocka_unit_test(geoms_are_checked),
        cmocka_unit_test(numbers_of_geoms_are_checked),
        cmocka_unit_test(sites_are_checked),
        cmocka_unit_test(pairs_and_excludes_are_checked),
        cmocka_unit_test(height_fields_are_checked),
    };
    return cmocka_run_group_tests_name("model/errors_tree", tests, NULL, NULL);
}
