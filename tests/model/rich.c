#include "model/rich.h"

#include "base/status.h"

static const TactSource source = {"rich.xml", 1};

static TactStatus add_config(TactModelBuilder *builder)
{
    TactModelConfig config = tact_model_config_default();
    config.name = "rich";
    config.options.timestep = 0.001;
    config.options.gravity = (TactVec3){0.1, 0.2, -9.8};
    return tact_model_builder_set_config(builder, &config);
}

/// slider (slide, two hinges) - ball (ball joint) - plate (fixed); and a free body.
static TactStatus add_bodies(TactModelBuilder *builder)
{
    const int           parents[] = {0, 1, 2, 0};
    const char *const   names[] = {"slider", "ball", "plate", "drone"};
    const TactJointType types[] = {TACT_JOINT_SLIDE, TACT_JOINT_BALL, TACT_JOINT_FREE};
    for (int i = 0; i < 4; i++) {
        TactBodyDesc body = tact_body_default();
        body.name = names[i];
        body.parent = parents[i];
        body.pose.position = (TactVec3){0.1 * i + 0.1, 0.2, 0.3};
        body.pose.rotation = (TactQuat){1, 0.1, 0.2, 0.3 + i};
        body.has_inertia = i != 2;
        body.inertia =
            (TactInertia){1.5, {0.01, 0.02, 0.03}, {{{3, 0.1, 0.2}, {0.1, 4, 0.3}, {0.2, 0.3, 5}}}};
        body.gravity_compensation = 0.5;
        TACT_TRY(tact_model_builder_add_body(builder, &body, source, NULL));
    }
    for (int i = 0; i < 3; i++) {
        const int bodies[] = {1, 2, 4};
        TactJoint joint = tact_joint_default(types[i]);
        joint.name = names[bodies[i] - 1];
        joint.body = bodies[i];
        joint.position = (TactVec3){0.1, 0.2, 0.3};
        joint.axis = (TactVec3){1, 2, 3};
        joint.reference = 0.1;
        joint.limited = i == 0;
        joint.range[1] = 1;
        joint.margin = 0.01;
        joint.stiffness = 2;
        joint.spring_reference = 0.2;
        joint.damping = 3;
        joint.armature = 0.4;
        joint.friction = 0.5;
        joint.force_range[1] = 7;
        joint.group = 1;
        TACT_TRY(tact_model_builder_add_joint(builder, &joint, source, NULL));
    }
    TactJoint hinge = tact_joint_default(TACT_JOINT_HINGE);
    hinge.name = "turn";
    hinge.body = 1;
    return tact_model_builder_add_joint(builder, &hinge, source, NULL);
}

static TactStatus add_surfaces(TactModelBuilder *builder)
{
    const TactVec3     corners[] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    const TactTriangle sides[] = {{{0, 2, 1}}, {{0, 1, 3}}, {{0, 3, 2}}, {{1, 2, 3}}};
    TactMesh          *mesh;
    TACT_TRY(tact_mesh_create(corners, 4, sides, 4, &mesh));
    TACT_TRY(tact_model_builder_add_mesh(builder, "tetrahedron", mesh, source, NULL));
    const double    heights[6] = {0, 0.5, 1, 0.25, 0.5, 0.75};
    TactHeightField field = {.name = "hills",
                             .rows = 2,
                             .columns = 3,
                             .half = {1, 2},
                             .top = 0.5,
                             .base = 0.1,
                             .height = heights};
    return tact_model_builder_add_heightfield(builder, &field, source, NULL);
}

static TactStatus add_geoms(TactModelBuilder *builder)
{
#ifdef TACT_HAVE_QHULL
    const TactGeomType solid = TACT_GEOM_CONVEX;
#else
    const TactGeomType solid = TACT_GEOM_MESH;
#endif
    const TactGeomType types[] = {TACT_GEOM_BOX, solid, TACT_GEOM_HEIGHTFIELD, TACT_GEOM_PLANE};
    const char *const  names[] = {"box", "hull", "ground", "wall"};
    const int          bodies[] = {3, 4, 0, 0};
    for (int i = 0; i < 4; i++) {
        TactGeomDesc desc = tact_geom_default(types[i]);
        desc.geom.name = names[i];
        desc.geom.body = bodies[i];
        desc.geom.pose.position = (TactVec3){0.1, 0.2, 0.3};
        desc.geom.size[0] = 0.3;
        desc.geom.size[1] = desc.geom.size[2] = 0.2;
        desc.geom.mesh = 0;
        desc.geom.margin = 0.001;
        desc.geom.gap = 0.002;
        desc.geom.priority = 1;
        desc.geom.group = 2;
        TACT_TRY(tact_model_builder_add_geom(builder, &desc, source, NULL));
    }
    TactSite site = tact_site_default();
    site.name = "tip";
    site.body = 3;
    site.pose.position.x = 0.1;
    site.group = 3;
    TACT_TRY(tact_model_builder_add_site(builder, &site, source, NULL));
    TACT_TRY(tact_model_builder_add_exclude(builder, (TactExclude){1, 4}, source));
    TactPair pair = tact_pair_default();
    pair.name = "touch";
    pair.a = 1;
    pair.b = 2;
    pair.margin = 0.1;
    pair.gap = 0.2;
    return tact_model_builder_add_pair(builder, &pair, source, NULL);
}

static TactStatus add_forces(TactModelBuilder *builder)
{
    TactTendon tendon = tact_tendon_default();
    tendon.name = "wire";
    tendon.count = 2;
    tendon.joints = (const int[]){0, 3};
    tendon.coefficients = (const double[]){2, 3};
    tendon.range[1] = 1;
    tendon.margin = 0.1;
    tendon.stiffness = 2;
    tendon.damping = 3;
    tendon.friction = 4;
    TACT_TRY(tact_model_builder_add_tendon(builder, &tendon, source, NULL));
    TactActuatorDesc desc = tact_actuator_default();
    desc.actuator.name = "servo";
    desc.actuator.transmission = TACT_TRANSMISSION_TENDON;
    desc.actuator.gain[0] = 10;
    desc.actuator.bias[1] = -10;
    desc.actuator.group = 1;
    desc.damping_ratio = 1;
    TACT_TRY(tact_model_builder_add_actuator(builder, &desc, source, NULL));
    TactEquality equality = tact_equality_default(TACT_EQUALITY_WELD);
    equality.name = "glue";
    equality.a = 1;
    equality.b = 4;
    equality.anchor_b = (TactVec3){1, 2, 3};
    return tact_model_builder_add_equality(builder, &equality, source, NULL);
}

static TactStatus add_words(TactModelBuilder *builder)
{
    TactSensor sensor = {.name = "gyro",
                         .type = TACT_SENSOR_FRAME_POSITION,
                         .object_type = TACT_OBJECT_SITE,
                         .reference_type = TACT_OBJECT_BODY,
                         .reference = 1,
                         .cutoff = 3};
    TACT_TRY(tact_model_builder_add_sensor(builder, &sensor, source, NULL));
    TACT_TRY(tact_model_builder_add_sensor(
        builder, &(TactSensor){.name = "clock", .type = TACT_SENSOR_CLOCK}, source, NULL));
    TactKeyframe key = {.name = "home", .time = 1.5};
    TACT_TRY(tact_model_builder_add_keyframe(builder, &key, (const int[]){0, 0, 0}, source, NULL));
    TactCustom word = {.name = "tact_method", .text = "reduced"};
    TACT_TRY(tact_model_builder_add_custom(builder, &word, source));
    TactCustom number = {.name = "tact_directions", .count = 1, .data = (const double[]){8}};
    return tact_model_builder_add_custom(builder, &number, source);
}

static TactStatus fill(TactModelBuilder *builder, TactModel **model)
{
    TACT_TRY(add_config(builder));
    TACT_TRY(add_bodies(builder));
    TACT_TRY(add_surfaces(builder));
    TACT_TRY(add_geoms(builder));
    TACT_TRY(add_forces(builder));
    TACT_TRY(add_words(builder));
    return tact_model_builder_compile(builder, model);
}

TactStatus rich_model(TactModel **model)
{
    TactModelBuilder *builder;
    *model = NULL;
    TACT_TRY(tact_model_builder_create(&builder));
    TactStatus status = fill(builder, model);
    tact_model_builder_destroy(builder);
    return status;
}
