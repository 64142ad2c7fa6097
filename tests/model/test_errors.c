// What a builder refuses: each with the place, the name and the number at fault.
#include "model/made.h"

static const TactSource here = {"robot.xml", 12};

/// base (fixed), arm (hinge 'hip'), ball (free 'floats'), head (ball joint 'neck' on arm); a sphere
/// 'skin' on arm, a site 'tip', a tendon 'wire' over hip, a motor 'servo'.
static TactModelBuilder *start(void)
{
    TactModelBuilder *builder = made_builder();
    int               base = made_add_body(builder, "base", 0);
    int               arm = made_add_body(builder, "arm", base);
    int               ball = made_add_body(builder, "ball", 0);
    int               head = made_add_body(builder, "head", arm);
    made_add_joint(builder, "hip", arm, TACT_JOINT_HINGE);
    made_add_joint(builder, "floats", ball, TACT_JOINT_FREE);
    made_add_joint(builder, "neck", head, TACT_JOINT_BALL);
    made_add_sphere(builder, "skin", arm);
    made_add_sphere(builder, "coat", ball);
    TactSite site = tact_site_default();
    site.name = "tip";
    site.body = arm;
    assert_int_equal(tact_model_add_site(builder, &site, nowhere, NULL), TACT_OK);
    TactTendon tendon = tact_tendon_default();
    tendon.name = "wire";
    tendon.count = 1;
    tendon.joints = (const int[]){0};
    tendon.coefficients = (const double[]){1};
    assert_int_equal(tact_model_add_tendon(builder, &tendon, nowhere, NULL), TACT_OK);
    TactActuatorDesc motor = tact_actuator_default();
    motor.actuator.name = "servo";
    assert_int_equal(tact_model_add_actuator(builder, &motor, nowhere, NULL), TACT_OK);
    return builder;
}

/// Compares status and message, and that the builder still works.
static void expect(TactModelBuilder *builder, TactStatus status, TactStatus expected,
                   const char *message)
{
    if (status != expected || strcmp(tact_status_message(), message) != 0) {
        fail_msg("%s: '%s' instead of %s: '%s'", tact_status_name(status), tact_status_message(),
                 tact_status_name(expected), message);
    }
    tact_model_destroy(made_compile(builder));
}

// ---------------------------------------------------------------------------------------------
// Bodies

static void refuse_body(TactBodyDesc body, TactStatus expected, const char *message)
{
    TactModelBuilder *builder = start();
    int               index = -7;
    TactStatus        status = tact_model_add_body(builder, &body, here, &index);
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
    TactStatus        status = tact_model_add_joint(builder, &joint, here, NULL);
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
    joint.body = 1;
    joint.limited = true;
    refuse_joint(joint, TACT_BAD_INPUT, "robot.xml:12: joint 'root': a free joint has no limits");
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
        {offsetof(TactJoint, margin), "margin", false},
        {offsetof(TactJoint, stiffness), "stiffness", false},
        {offsetof(TactJoint, damping), "damping", false},
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
    TactStatus        status = tact_model_add_geom(builder, &geom, here, NULL);
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
        {offsetof(TactGeomDesc, geom.margin), "margin"},
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
    TactStatus        status = tact_model_add_site(builder, &site, here, NULL);
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
    TactStatus        status = tact_model_add_pair(builder, &pair, here, NULL);
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
    TactStatus        status = tact_model_add_exclude(builder, (TactExclude){1, 11}, here);
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
        "robot.xml:12: height field 'hill': the height at row 1, column 1 is 1.5, not within 0 and "
        "1",
        "robot.xml:12: height field 'hill': it has 1 rows and 2 columns",
        "robot.xml:12: height field 'hill': it has 2 rows and 2 columns, but no heights",
        "robot.xml:12: height field 'hill': its half-length along y is 0, not positive",
        "robot.xml:12: height field 'hill': its top is -1, negative",
    };
    for (int i = 0; i < 5; i++) {
        TactModelBuilder *builder = start();
        TactStatus        status = tact_model_add_heightfield(builder, &fields[i], here, NULL);
        expect(builder, status, TACT_BAD_INPUT, messages[i]);
    }
}

// ---------------------------------------------------------------------------------------------
// Tendons, actuators, equalities, sensors

static void refuse_tendon(TactTendon tendon, TactStatus expected, const char *message)
{
    TactModelBuilder *builder = start();
    TactStatus        status = tact_model_add_tendon(builder, &tendon, here, NULL);
    expect(builder, status, expected, message);
}

static void tendons_are_checked(void **state)
{
    (void)state;
    TactTendon tendon = tact_tendon_default();
    tendon.name = "cord";
    refuse_tendon(tendon, TACT_BAD_INPUT, "robot.xml:12: tendon 'cord': it goes over no joint");
    tendon.count = 2;
    tendon.joints = (const int[]){0, 9};
    tendon.coefficients = (const double[]){1, 1};
    refuse_tendon(tendon, TACT_BAD_ARGUMENT, "robot.xml:12: tendon 'cord': there is no joint 9");
    tendon.joints = (const int[]){0, 1};
    refuse_tendon(tendon, TACT_BAD_INPUT,
                  "robot.xml:12: tendon 'cord': joint 'floats' (free) is not a hinge or slide");
    tendon.joints = (const int[]){0, 0};
    tendon.coefficients = (const double[]){1, NAN};
    refuse_tendon(tendon, TACT_BAD_INPUT,
                  "robot.xml:12: tendon 'cord': number 2 of its coefficients is nan");
    tendon.coefficients = (const double[]){1, 1};
    tendon.stiffness = -1;
    refuse_tendon(tendon, TACT_BAD_INPUT,
                  "robot.xml:12: tendon 'cord': its stiffness is -1, negative");
    tendon.stiffness = 0;
    tendon.spring_range[0] = 2;
    refuse_tendon(tendon, TACT_BAD_INPUT,
                  "robot.xml:12: tendon 'cord': its spring range is empty: from 2 to -1");
    tendon.spring_range[0] = -1;
    tendon.limited = true;
    tendon.range[0] = 2;
    refuse_tendon(tendon, TACT_BAD_INPUT,
                  "robot.xml:12: tendon 'cord': its range is empty: from 2 to 0");
}

static void refuse_actuator(TactActuatorDesc desc, TactStatus expected, const char *message)
{
    TactModelBuilder *builder = start();
    TactStatus        status = tact_model_add_actuator(builder, &desc, here, NULL);
    expect(builder, status, expected, message);
}

static void actuators_are_checked(void **state)
{
    (void)state;
    TactActuatorDesc desc = tact_actuator_default();
    desc.actuator.name = "servo";
    refuse_actuator(desc, TACT_BAD_INPUT, "robot.xml:12: actuator 'servo': the name is taken");
    desc.actuator.name = "pump";
    const struct {
        TactTransmission transmission;
        const char      *message;
    } targets[] = {
        {TACT_DRIVES_JOINT, "robot.xml:12: actuator 'pump': there is no joint 33"},
        {TACT_DRIVES_JOINT_IN_PARENT, "robot.xml:12: actuator 'pump': there is no joint 33"},
        {TACT_DRIVES_TENDON, "robot.xml:12: actuator 'pump': there is no tendon 33"},
        {TACT_DRIVES_SITE, "robot.xml:12: actuator 'pump': there is no site 33"},
        {TACT_DRIVES_BODY_FORCE, "robot.xml:12: actuator 'pump': there is no body 33"},
        {(TactTransmission)33, "robot.xml:12: actuator 'pump': there is no transmission 33"},
    };
    desc.actuator.target = 33;
    for (size_t i = 0; i < sizeof targets / sizeof *targets; i++) {
        desc.actuator.transmission = targets[i].transmission;
        refuse_actuator(desc, TACT_BAD_ARGUMENT, targets[i].message);
    }
    desc = tact_actuator_default();
    desc.actuator.gear[5] = NAN;
    refuse_actuator(desc, TACT_BAD_INPUT, "robot.xml:12: actuator 1: number 6 of its gear is nan");
    desc = tact_actuator_default();
    desc.actuator.gain[2] = INFINITY;
    refuse_actuator(desc, TACT_BAD_INPUT, "robot.xml:12: actuator 1: number 3 of its gain is inf");
    desc = tact_actuator_default();
    desc.actuator.bias[0] = NAN;
    refuse_actuator(desc, TACT_BAD_INPUT, "robot.xml:12: actuator 1: number 1 of its bias is nan");
    desc = tact_actuator_default();
    desc.actuator.ctrl_limited = true;
    desc.actuator.ctrl_range[1] = -1;
    refuse_actuator(desc, TACT_BAD_INPUT,
                    "robot.xml:12: actuator 1: its ctrl range is empty: from 0 to -1");
    desc = tact_actuator_default();
    desc.actuator.force_range[0] = NAN;
    refuse_actuator(desc, TACT_BAD_INPUT,
                    "robot.xml:12: actuator 1: number 1 of its force range is nan");
    desc = tact_actuator_default();
    desc.damping_ratio = -1;
    refuse_actuator(desc, TACT_BAD_INPUT,
                    "robot.xml:12: actuator 1: its damping ratio is -1, negative");
    desc.damping_ratio = 1;
    desc.actuator.gain[0] = -2;
    refuse_actuator(desc, TACT_BAD_INPUT,
                    "robot.xml:12: actuator 1: a damping ratio needs a positive gain, not -2");
}

static void refuse_equality(TactEquality equality, TactStatus expected, const char *message)
{
    TactModelBuilder *builder = start();
    TactStatus        status = tact_model_add_equality(builder, &equality, here, NULL);
    expect(builder, status, expected, message);
}

static void equalities_are_checked(void **state)
{
    (void)state;
    TactEquality equality = tact_equality_default(TACT_EQUALITY_CONNECT);
    equality.name = "loop";
    refuse_equality(equality, TACT_BAD_INPUT,
                    "robot.xml:12: equality 'loop': it ties body 0 to "
                    "itself");
    equality.b = 99;
    refuse_equality(equality, TACT_BAD_ARGUMENT,
                    "robot.xml:12: equality 'loop': there is no body 99");
    equality.b = 1;
    equality.anchor_a.x = NAN;
    refuse_equality(equality, TACT_BAD_INPUT,
                    "robot.xml:12: equality 'loop': number 1 of its anchor is nan");
    equality = tact_equality_default(TACT_EQUALITY_WELD);
    equality.b = 1;
    equality.relative.rotation.w = NAN;
    refuse_equality(equality, TACT_BAD_INPUT,
                    "robot.xml:12: equality 0: number 1 of its relative pose is nan");
    equality.relative.rotation.w = 0;
    equality.torque_scale = -1;
    refuse_equality(equality, TACT_BAD_INPUT,
                    "robot.xml:12: equality 0: its torque scale is -1, negative");
    equality = tact_equality_default(TACT_EQUALITY_JOINT);
    equality.b = 2;
    refuse_equality(equality, TACT_BAD_INPUT,
                    "robot.xml:12: equality 0: joint 'neck' (ball) is "
                    "not a hinge or slide");
    equality.b = -2;
    refuse_equality(equality, TACT_BAD_ARGUMENT, "robot.xml:12: equality 0: there is no joint -2");
    equality.b = -1;
    equality.polynomial[4] = NAN;
    refuse_equality(equality, TACT_BAD_INPUT,
                    "robot.xml:12: equality 0: number 5 of its polynomial is nan");
    equality = tact_equality_default(TACT_EQUALITY_TENDON);
    equality.a = 1;
    equality.b = -1;
    refuse_equality(equality, TACT_BAD_ARGUMENT, "robot.xml:12: equality 0: there is no tendon 1");
    equality.type = (TactEqualityType)8;
    refuse_equality(equality, TACT_BAD_ARGUMENT,
                    "robot.xml:12: equality 0: there is no equality type 8");
}

static void refuse_sensor(TactSensor sensor, TactStatus expected, const char *message)
{
    TactModelBuilder *builder = start();
    TactStatus        status = tact_model_add_sensor(builder, &sensor, here, NULL);
    expect(builder, status, expected, message);
}

static void sensors_are_checked(void **state)
{
    (void)state;
    TactSensor sensor = {.name = "eye", .type = TACT_SENSOR_GYRO, .object_type = TACT_OBJECT_BODY};
    refuse_sensor(sensor, TACT_BAD_INPUT,
                  "robot.xml:12: sensor 'eye': a sensor of type 'gyro' cannot measure a body");
    sensor.object_type = TACT_OBJECT_SITE;
    sensor.object = 4;
    refuse_sensor(sensor, TACT_BAD_ARGUMENT, "robot.xml:12: sensor 'eye': there is no site 4");
    sensor.object = 0;
    sensor.reference_type = TACT_OBJECT_BODY;
    refuse_sensor(sensor, TACT_BAD_INPUT,
                  "robot.xml:12: sensor 'eye': a sensor of type 'gyro' "
                  "cannot be measured relative to a body");
    sensor.reference_type = TACT_OBJECT_NONE;
    sensor.cutoff = -1;
    refuse_sensor(sensor, TACT_BAD_INPUT, "robot.xml:12: sensor 'eye': its cutoff is -1, negative");
    sensor = (TactSensor){
        .type = TACT_SENSOR_JOINT_POSITION, .object_type = TACT_OBJECT_JOINT, .object = 2};
    refuse_sensor(sensor, TACT_BAD_INPUT,
                  "robot.xml:12: sensor 0: joint 'neck' (ball) is not a hinge or slide");
    sensor.type = TACT_SENSOR_BALL_VELOCITY;
    sensor.object = 0;
    refuse_sensor(sensor, TACT_BAD_INPUT, "robot.xml:12: sensor 0: joint 0 is not a ball joint");
    sensor = (TactSensor){.type = TACT_SENSOR_CONTACT};
    refuse_sensor(sensor, TACT_BAD_INPUT, "robot.xml:12: sensor 0: its size is 0");
    sensor = (TactSensor){.type = TACT_SENSOR_TYPE_COUNT};
    char text[100];
    snprintf(text, sizeof text, "robot.xml:12: sensor 0: there is no sensor type %d",
             (int)TACT_SENSOR_TYPE_COUNT);
    refuse_sensor(sensor, TACT_BAD_ARGUMENT, text);
    sensor = (TactSensor){.type = TACT_SENSOR_FRAME_POSITION,
                          .object_type = TACT_OBJECT_XBODY,
                          .object = 1,
                          .reference_type = TACT_OBJECT_SITE,
                          .reference = 5};
    refuse_sensor(sensor, TACT_BAD_ARGUMENT, "robot.xml:12: sensor 0: there is no site 5");
}

static void free_words_are_checked(void **state)
{
    (void)state;
    const struct {
        TactCustom  custom;
        TactStatus  status;
        const char *message;
    } cases[] = {
        {{.text = "x"}, TACT_BAD_INPUT, "robot.xml:12: text 0: it has no name"},
        {{.name = "n", .count = 2},
         TACT_BAD_ARGUMENT,
         "robot.xml:12: numeric 'n': it has 2 numbers, but they are missing"},
        {{.name = "n", .count = 1, .data = (const double[]){NAN}},
         TACT_BAD_INPUT,
         "robot.xml:12: numeric 'n': its data is nan"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        TactModelBuilder *builder = start();
        TactStatus        status = tact_model_add_custom(builder, &cases[i].custom, here);
        expect(builder, status, cases[i].status, cases[i].message);
    }
}

// ---------------------------------------------------------------------------------------------
// What only compiling can see

static void refuse_model(TactModelBuilder *builder, const char *message)
{
    TactModel *model = NULL;
    TactStatus status = tact_model_compile(builder, &model);
    if (status != TACT_BAD_INPUT || strcmp(tact_status_message(), message) != 0) {
        fail_msg("%s: '%s' instead of '%s'", tact_status_name(status), tact_status_message(),
                 message);
    }
    assert_null(model);
    TactBodyDesc body = made_body("late", 0);
    assert_int_equal(tact_model_add_body(builder, &body, here, NULL), TACT_BAD_ARGUMENT);
    assert_int_equal(tact_model_compile(builder, &model), TACT_BAD_ARGUMENT);
    assert_string_equal(tact_status_message(), "the builder has been compiled and is used up");
    tact_model_builder_destroy(builder);
}

static void add_here(TactModelBuilder *builder, const char *name, int body, TactJointType type)
{
    TactJoint joint = tact_joint_default(type);
    joint.name = name;
    joint.body = body;
    assert_int_equal(tact_model_add_joint(builder, &joint, here, NULL), TACT_OK);
}

static void joints_of_one_body_must_go_together(void **state)
{
    (void)state;
    TactModelBuilder *builder = start();
    add_here(builder, "slides", 3, TACT_JOINT_SLIDE);
    refuse_model(builder, "joint 'floats': a free joint must be the only joint of its body 'ball'");
    builder = start();
    add_here(builder, "turns", 4, TACT_JOINT_HINGE);
    refuse_model(builder,
                 "robot.xml:12: joint 'turns': a rotation after a ball joint on body 'head'");
    builder = start();
    for (int i = 0; i < 6; i++) {
        add_here(builder, "", 2, TACT_JOINT_SLIDE);
    }
    refuse_model(builder, "robot.xml:12: joint 8: body 'arm' has 7 degrees of freedom");
}

static void keyframes_must_have_the_lengths_of_the_model(void **state)
{
    (void)state;
    const double      numbers[20] = {0};
    TactModelBuilder *builder = start();
    TactKeyframe      key = {.name = "home", .q = numbers};
    assert_int_equal(tact_model_add_keyframe(builder, &key, (const int[]){11, 0, 0}, here, NULL),
                     TACT_OK);
    refuse_model(builder, "robot.xml:12: keyframe 'home': its q has 11 numbers, the model 12");
    builder = start();
    key = (TactKeyframe){.name = "home", .v = numbers};
    assert_int_equal(tact_model_add_keyframe(builder, &key, (const int[]){0, 11, 0}, here, NULL),
                     TACT_OK);
    refuse_model(builder, "robot.xml:12: keyframe 'home': its v has 11 numbers, the model 10");
    builder = start();
    key = (TactKeyframe){.name = "home", .ctrl = numbers};
    assert_int_equal(tact_model_add_keyframe(builder, &key, (const int[]){0, 0, 2}, here, NULL),
                     TACT_OK);
    refuse_model(builder, "robot.xml:12: keyframe 'home': its ctrl has 2 numbers, the model 1");
    builder = start();
    key = (TactKeyframe){.name = "home", .q = numbers};
    assert_int_equal(tact_model_add_keyframe(builder, &key, (const int[]){12, 0, 0}, here, NULL),
                     TACT_OK);
    refuse_model(builder, "robot.xml:12: keyframe 'home': the quaternion of its q is zero");
}

static void two_pairs_of_the_same_geoms_are_refused(void **state)
{
    (void)state;
    TactModelBuilder *builder = start();
    TactPair          pair = tact_pair_default();
    pair.a = 1;
    assert_int_equal(tact_model_add_pair(builder, &pair, nowhere, NULL), TACT_OK);
    pair.a = 0;
    pair.b = 1;
    assert_int_equal(tact_model_add_pair(builder, &pair, here, NULL), TACT_OK);
    refuse_model(builder, "robot.xml:12: pair 1: pair 0 has the same two geoms");
}

static void a_flat_mesh_cannot_be_solid_or_convex(void **state)
{
    (void)state;
    const TactVec3     corners[] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}};
    const TactTriangle sides[] = {{{0, 1, 2}}};
    for (int convex = 0; convex < 2; convex++) {
        TactModelBuilder *builder = start();
        TactMesh         *mesh;
        assert_int_equal(tact_mesh_create(corners, 3, sides, 1, &mesh), TACT_OK);
        assert_int_equal(tact_model_add_mesh(builder, "sheet", mesh, here, NULL), TACT_OK);
        TactBodyDesc body = tact_body_default();
        int          b;
        assert_int_equal(tact_model_add_body(builder, &body, nowhere, &b), TACT_OK);
        TactGeomDesc geom = tact_geom_default(convex ? TACT_GEOM_CONVEX : TACT_GEOM_MESH);
        geom.geom.name = "sail";
        geom.geom.body = convex ? 0 : b;
        geom.geom.mesh = 0;
        geom.mesh_inertia = TACT_MESH_EXACT;
        assert_int_equal(tact_model_add_geom(builder, &geom, here, NULL), TACT_OK);
        TactModel *model = NULL;
        assert_int_not_equal(tact_model_compile(builder, &model), TACT_OK);
        assert_non_null(
            strstr(tact_status_message(), convex ? "robot.xml:12: mesh 'sheet': its hull: "
                                                 : "robot.xml:12: geom 'sail': its mesh: "));
        tact_model_builder_destroy(builder);
    }
}

// ---------------------------------------------------------------------------------------------
// Calls

static void configs_are_checked(void **state)
{
    (void)state;
    TactModelConfig good = tact_model_config_default(), bad[8];
    for (int i = 0; i < 8; i++) {
        bad[i] = good;
    }
    bad[0].cookie = 0;
    bad[1].options.timestep = 0;
    bad[2].options.gravity.z = NAN;
    bad[3].options.integrator = (TactIntegrator)5;
    bad[4].inertia_rule = (TactInertiaRule)5;
    bad[5].mass_min = -1;
    bad[6].inertia_min = NAN;
    bad[7].total_mass = INFINITY;
    const char *const messages[8] = {
        "the config does not come from tact_model_config_default()",
        "the timestep is 0",
        "gravity is not finite",
        "there is no integrator 5",
        "there is no inertia rule 5",
        "the smallest mass or inertia is negative or not finite",
        "the smallest mass or inertia is negative or not finite",
        "the total mass is inf",
    };
    TactModelBuilder *builder = start();
    for (int i = 0; i < 8; i++) {
        assert_int_not_equal(tact_model_set_config(builder, &bad[i]), TACT_OK);
        assert_string_equal(tact_status_message(), messages[i]);
    }
    tact_model_builder_destroy(builder);
    builder = made_builder();
    good.total_mass = 5;
    assert_int_equal(tact_model_set_config(builder, &good), TACT_OK);
    refuse_model(builder, "a total mass of 5 kg is asked for, but no body has mass");
}

static void null_is_a_bad_argument_everywhere(void **state)
{
    (void)state;
    TactModelBuilder *builder = start();
    TactModel        *model;
    TactBodyDesc      body = made_body("", 0);
    assert_int_equal(tact_model_builder_create(NULL), TACT_BAD_ARGUMENT);
    assert_int_equal(tact_model_set_config(builder, NULL), TACT_BAD_ARGUMENT);
    assert_int_equal(tact_model_add_body(NULL, &body, here, NULL), TACT_BAD_ARGUMENT);
    assert_int_equal(tact_model_add_body(builder, NULL, here, NULL), TACT_BAD_ARGUMENT);
    assert_int_equal(tact_model_add_joint(builder, NULL, here, NULL), TACT_BAD_ARGUMENT);
    assert_int_equal(tact_model_add_geom(builder, NULL, here, NULL), TACT_BAD_ARGUMENT);
    assert_int_equal(tact_model_add_site(builder, NULL, here, NULL), TACT_BAD_ARGUMENT);
    assert_int_equal(tact_model_add_mesh(builder, "", NULL, here, NULL), TACT_BAD_ARGUMENT);
    assert_int_equal(tact_model_add_heightfield(builder, NULL, here, NULL), TACT_BAD_ARGUMENT);
    assert_int_equal(tact_model_add_tendon(builder, NULL, here, NULL), TACT_BAD_ARGUMENT);
    assert_int_equal(tact_model_add_actuator(builder, NULL, here, NULL), TACT_BAD_ARGUMENT);
    assert_int_equal(tact_model_add_equality(builder, NULL, here, NULL), TACT_BAD_ARGUMENT);
    assert_int_equal(tact_model_add_pair(builder, NULL, here, NULL), TACT_BAD_ARGUMENT);
    assert_int_equal(tact_model_add_exclude(NULL, (TactExclude){0, 1}, here), TACT_BAD_ARGUMENT);
    assert_int_equal(tact_model_add_sensor(builder, NULL, here, NULL), TACT_BAD_ARGUMENT);
    assert_int_equal(tact_model_add_keyframe(builder, NULL, NULL, here, NULL), TACT_BAD_ARGUMENT);
    assert_int_equal(tact_model_add_custom(builder, NULL, here), TACT_BAD_ARGUMENT);
    assert_int_equal(tact_model_compile(builder, NULL), TACT_BAD_ARGUMENT);
    assert_int_equal(tact_model_compile(NULL, &model), TACT_BAD_ARGUMENT);
    assert_int_equal(tact_model_builder_find(NULL, TACT_OBJECT_BODY, "arm"), -1);
    assert_int_equal(tact_model_builder_find(builder, TACT_OBJECT_BODY, NULL), -1);
    assert_null(tact_model_builder_joint(builder, 3));
    assert_null(tact_model_builder_tendon(builder, -1));
    assert_string_equal(tact_model_builder_joint(builder, 2)->name, "neck");
    assert_string_equal(tact_model_builder_tendon(builder, 0)->name, "wire");
    assert_int_equal(tact_model_builder_count(builder, TACT_OBJECT_BODY), 5);
    assert_int_equal(tact_model_builder_count(builder, TACT_OBJECT_JOINT), 3);
    tact_model_destroy(NULL);
    tact_model_builder_destroy(NULL);
    tact_model_destroy(made_compile(builder));
}

static void a_long_name_does_not_hide_what_is_wrong(void **state)
{
    (void)state;
    char name[2001];
    memset(name, 'n', 2000);
    name[2000] = '\0';
    TactModelBuilder *builder = start();
    TactBodyDesc      body = made_body(name, 0);
    body.inertia.mass = -1;
    assert_int_equal(tact_model_add_body(builder, &body, (TactSource){name, 3}, NULL),
                     TACT_BAD_INPUT);
    assert_non_null(strstr(tact_status_message(), "its mass is -1, negative"));
    tact_model_builder_destroy(builder);
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
        cmocka_unit_test(tendons_are_checked),
        cmocka_unit_test(actuators_are_checked),
        cmocka_unit_test(equalities_are_checked),
        cmocka_unit_test(sensors_are_checked),
        cmocka_unit_test(free_words_are_checked),
        cmocka_unit_test(joints_of_one_body_must_go_together),
        cmocka_unit_test(keyframes_must_have_the_lengths_of_the_model),
        cmocka_unit_test(two_pairs_of_the_same_geoms_are_refused),
        cmocka_unit_test(a_flat_mesh_cannot_be_solid_or_convex),
        cmocka_unit_test(configs_are_checked),
        cmocka_unit_test(null_is_a_bad_argument_everywhere),
        cmocka_unit_test(a_long_name_does_not_hide_what_is_wrong),
    };
    return cmocka_run_group_tests_name("model/errors", tests, NULL, NULL);
}
