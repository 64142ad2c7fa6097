// Any bytes as calls of a builder, good and bad: each fails with a message or works, and what is
// compiled keeps what its header promises.
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <tact/model.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

typedef struct Bytes {
    const uint8_t *data;
    size_t         left;
} Bytes;

static int take(Bytes *bytes)
{
    if (bytes->left == 0) {
        return 0;
    }
    bytes->left--;
    return *bytes->data++;
}

/// Mostly plain numbers, sometimes the worst.
static double number(Bytes *bytes)
{
    static const double bad[] = {NAN,    INFINITY, -INFINITY, 1e308, -1e308, 1e160,
                                 5e-324, 1e-160,   -0.0,      1e30,  1e-30,  -1};
    int                 x = take(bytes);
    if (x >= 250) {
        return bad[(size_t)take(bytes) % (sizeof bad / sizeof *bad)];
    }
    return x / 64.0;
}

static double signed_number(Bytes *bytes)
{
    return number(bytes) * (take(bytes) & 1 ? 1 : -1);
}

static TactVec3 vector(Bytes *bytes)
{
    TactVec3 v = {signed_number(bytes), signed_number(bytes), signed_number(bytes)};
    return v;
}

static TactTransform pose(Bytes *bytes)
{
    TactTransform pose = {{number(bytes), number(bytes), signed_number(bytes), number(bytes)},
                          vector(bytes)};
    return pose;
}

/// An index that mostly exists.
static int index_of(Bytes *bytes, const TactModelBuilder *builder, TactObject type)
{
    int count = tact_model_builder_count(builder, type);
    int x = take(bytes);
    return x >= 250 ? x - 251 : count > 0 ? x % count : 0;
}

static const char *name(Bytes *bytes)
{
    static const char *const names[] = {"", "a", "b", "c", "d", "e", "f", "g"};
    return names[take(bytes) % 8];
}

// ---------------------------------------------------------------------------------------------
// Calls

static TactStatus add_body(TactModelBuilder *builder, Bytes *bytes, TactSource source)
{
    TactBodyDesc body = tact_body_default();
    int          x = take(bytes);
    body.name = name(bytes);
    body.parent = index_of(bytes, builder, TACT_OBJECT_BODY);
    if (x & 1) {
        body.pose = pose(bytes);
    }
    body.has_inertia = x & 2;
    body.inertia.mass = number(bytes);
    body.inertia.com = vector(bytes);
    body.inertia.rotary = tact_mat3_diagonal((TactVec3){number(bytes), number(bytes), 1});
    if (x & 4) {
        body.inertia.rotary.m[0][1] = body.inertia.rotary.m[1][0] = signed_number(bytes);
    }
    return tact_model_builder_add_body(builder, &body, source, NULL);
}

static TactStatus add_joint(TactModelBuilder *builder, Bytes *bytes, TactSource source)
{
    TactJoint joint = tact_joint_default((TactJointType)(take(bytes) % 5));
    joint.name = name(bytes);
    joint.body = index_of(bytes, builder, TACT_OBJECT_BODY);
    joint.position = vector(bytes);
    joint.axis = vector(bytes);
    joint.reference = signed_number(bytes);
    joint.limited = take(bytes) & 1;
    joint.range[1] = number(bytes);
    joint.armature = number(bytes);
    joint.spring_reference = signed_number(bytes);
    return tact_model_builder_add_joint(builder, &joint, source, NULL);
}

static TactStatus add_geom(TactModelBuilder *builder, Bytes *bytes, TactSource source)
{
    TactGeomDesc geom = tact_geom_default((TactGeomType)(take(bytes) % 10));
    geom.geom.name = name(bytes);
    geom.geom.body = index_of(bytes, builder, TACT_OBJECT_BODY);
    geom.geom.mesh = take(bytes) % 3;
    geom.geom.pose = pose(bytes);
    for (int i = 0; i < 3; i++) {
        geom.geom.size[i] = number(bytes);
    }
    geom.geom.group = take(bytes) % 7;
    geom.geom.contact_type = take(bytes) % 4;
    geom.shell = take(bytes) & 1;
    geom.mass = signed_number(bytes);
    geom.density = number(bytes);
    geom.mesh_inertia = (TactMeshInertia)(take(bytes) % 6);
    return tact_model_builder_add_geom(builder, &geom, source, NULL);
}

static TactStatus add_mesh(TactModelBuilder *builder, Bytes *bytes, TactSource source)
{
    TactVec3           corners[4];
    const TactTriangle sides[] = {{{0, 2, 1}}, {{0, 1, 3}}, {{0, 3, 2}}, {{1, 2, 3}}};
    TactMesh          *mesh;
    for (int i = 0; i < 4; i++) {
        corners[i] = vector(bytes);
    }
    TactStatus status = tact_mesh_create(corners, 4, sides, 4, &mesh);
    return status == TACT_OK ? tact_model_builder_add_mesh(builder, name(bytes), mesh, source, NULL)
                             : status;
}

static TactStatus add_field(TactModelBuilder *builder, Bytes *bytes, TactSource source)
{
    double          heights[4] = {number(bytes), 0, 0.5, 1};
    TactHeightField field = {.name = name(bytes),
                             .rows = 2,
                             .columns = 2,
                             .half = {number(bytes), number(bytes)},
                             .top = number(bytes),
                             .base = number(bytes),
                             .height = heights};
    return tact_model_builder_add_heightfield(builder, &field, source, NULL);
}

static TactStatus add_site(TactModelBuilder *builder, Bytes *bytes, TactSource source)
{
    TactSite site = tact_site_default();
    site.name = name(bytes);
    site.body = index_of(bytes, builder, TACT_OBJECT_BODY);
    site.pose = pose(bytes);
    return tact_model_builder_add_site(builder, &site, source, NULL);
}

static TactStatus add_tendon(TactModelBuilder *builder, Bytes *bytes, TactSource source)
{
    int        joints[2] = {index_of(bytes, builder, TACT_OBJECT_JOINT),
                            index_of(bytes, builder, TACT_OBJECT_JOINT)};
    double     coefficients[2] = {signed_number(bytes), signed_number(bytes)};
    TactTendon tendon = tact_tendon_default();
    tendon.name = name(bytes);
    tendon.count = take(bytes) % 3;
    tendon.joints = joints;
    tendon.coefficients = coefficients;
    return tact_model_builder_add_tendon(builder, &tendon, source, NULL);
}

static TactStatus add_actuator(TactModelBuilder *builder, Bytes *bytes, TactSource source)
{
    const TactObject kinds[] = {TACT_OBJECT_JOINT, TACT_OBJECT_JOINT, TACT_OBJECT_TENDON,
                                TACT_OBJECT_SITE,  TACT_OBJECT_BODY,  TACT_OBJECT_BODY};
    TactActuatorDesc desc = tact_actuator_default();
    int              kind = take(bytes) % 6;
    desc.actuator.name = name(bytes);
    desc.actuator.transmission = (TactTransmission)kind;
    desc.actuator.target = index_of(bytes, builder, kinds[kind]);
    for (int i = 0; i < 6; i++) {
        desc.actuator.gear[i] = signed_number(bytes);
    }
    desc.actuator.gain[0] = number(bytes);
    desc.damping_ratio = number(bytes);
    return tact_model_builder_add_actuator(builder, &desc, source, NULL);
}

static TactStatus add_equality(TactModelBuilder *builder, Bytes *bytes, TactSource source)
{
    int          type = take(bytes) % 5;
    TactEquality equality = tact_equality_default((TactEqualityType)type);
    TactObject   kind = type < 2    ? TACT_OBJECT_BODY
                        : type == 2 ? TACT_OBJECT_JOINT
                                    : TACT_OBJECT_TENDON;
    equality.name = name(bytes);
    equality.a = index_of(bytes, builder, kind);
    equality.b = index_of(bytes, builder, kind);
    equality.anchor_a = vector(bytes);
    equality.anchor_b = vector(bytes);
    if (take(bytes) & 1) {
        equality.relative = pose(bytes);
    }
    return tact_model_builder_add_equality(builder, &equality, source, NULL);
}

static TactStatus add_sensor(TactModelBuilder *builder, Bytes *bytes, TactSource source)
{
    TactSensor sensor = {.name = name(bytes), .type = (TactSensorType)(take(bytes) % 33)};
    sensor.object_type = (TactObject)(take(bytes) % TACT_OBJECT_COUNT);
    sensor.object = index_of(bytes, builder, sensor.object_type);
    sensor.reference_type = (TactObject)(take(bytes) % TACT_OBJECT_COUNT);
    sensor.reference = index_of(bytes, builder, sensor.reference_type);
    sensor.size = take(bytes);
    return tact_model_builder_add_sensor(builder, &sensor, source, NULL);
}

static TactStatus add_words(TactModelBuilder *builder, Bytes *bytes, TactSource source)
{
    double numbers[16];
    int    x = take(bytes);
    for (int i = 0; i < 16; i++) {
        numbers[i] = number(bytes);
    }
    if (x & 1) {
        TactCustom custom = {
            .name = name(bytes), .text = name(bytes), .count = x >> 1 & 7, .data = numbers};
        return tact_model_builder_add_custom(builder, &custom, source);
    }
    int          lengths[3] = {x >> 1 & 15, take(bytes) % 16, take(bytes) % 4};
    TactKeyframe key = {.name = name(bytes), .q = numbers, .v = numbers};
    return tact_model_builder_add_keyframe(builder, &key, lengths, source, NULL);
}

static TactStatus add_rule(TactModelBuilder *builder, Bytes *bytes, TactSource source)
{
    if (take(bytes) & 1) {
        TactExclude exclude = {index_of(bytes, builder, TACT_OBJECT_BODY),
                               index_of(bytes, builder, TACT_OBJECT_BODY)};
        return tact_model_builder_add_exclude(builder, exclude, source);
    }
    TactPair pair = tact_pair_default();
    pair.name = name(bytes);
    pair.a = index_of(bytes, builder, TACT_OBJECT_GEOM);
    pair.b = index_of(bytes, builder, TACT_OBJECT_GEOM);
    return tact_model_builder_add_pair(builder, &pair, source, NULL);
}

static TactStatus set_config(TactModelBuilder *builder, Bytes *bytes, TactSource source)
{
    (void)source;
    TactModelConfig config = tact_model_config_default();
    config.name = name(bytes);
    config.inertia_rule = (TactInertiaRule)(take(bytes) % 4);
    config.mass_min = number(bytes);
    config.inertia_min = number(bytes);
    config.total_mass = signed_number(bytes);
    config.balance_inertia = take(bytes) & 1;
    return tact_model_builder_set_config(builder, &config);
}

// ---------------------------------------------------------------------------------------------
// What is promised

static void require(bool holds, const char *what)
{
    if (!holds) {
        fprintf(stderr, "not so: %s\n", what);
        abort();
    }
}

static void require_finite(const double *x, int count, const char *what)
{
    for (int i = 0; i < count; i++) {
        require(isfinite(x[i]), what);
    }
}

static void check_bodies(const TactModel *model)
{
    for (int i = 0; i < model->body_count; i++) {
        const TactBody *body = &model->bodies[i];
        require(body->parent < i, "parents come first");
        require(model->bodies[body->carrier].joint_count > 0 || body->carrier == 0, "carrier");
        require(body->inertia.mass >= 0, "mass");
        require_finite(&body->inertia.mass, 1, "mass");
        require_finite(&body->inertia.com.x, 3, "centre");
        require_finite(&body->inertia.rotary.m[0][0], 9, "inertia");
        require_finite(&body->pose.rotation.w, 7, "pose");
        require(body->first_geom + body->geom_count <= model->geom_count, "geoms");
        if (*body->name) {
            require(tact_model_find(model, TACT_OBJECT_BODY, body->name) == i, "name");
        }
    }
}

static void check_rest(const TactModel *model)
{
    for (int i = 0; i < model->nv; i++) {
        require(model->dofs[i].parent < i, "dof");
    }
    require_finite(model->q_reference, model->nq, "q_reference");
    for (int i = 0; i < model->equality_count; i++) {
        require_finite(&model->equalities[i].anchor_a.x, 6, "anchors");
        require_finite(&model->equalities[i].relative.rotation.w, 7, "relative");
    }
    for (int i = 0; i < model->actuator_count; i++) {
        require_finite(model->actuators[i].bias, 3, "bias");
    }
    for (int i = 0; i < model->keyframe_count; i++) {
        require_finite(model->keyframes[i].q, model->nq, "key");
    }
    for (int i = 0; i < model->geom_count; i++) {
        require(model->geoms[i].type != TACT_GEOM_CONVEX || model->geoms[i].visual ||
                    model->meshes[model->geoms[i].mesh].hull,
                "hull");
        require_finite(&model->geoms[i].mass, 1, "mass of a geom");
        for (int k = 0; k < i; k++) {
            int pair;
            require(tact_model_may_touch(model, i, k, &pair) ==
                        tact_model_may_touch(model, k, i, NULL),
                    "touching");
            require(pair < model->pair_count && tact_model_get_friction(model, i, k) >= 0,
                    "friction");
        }
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static TactStatus (*const calls[])(TactModelBuilder *, Bytes *, TactSource) = {
        add_body,   add_joint, add_geom,   add_site,     add_mesh,     add_field,
        add_tendon, add_rule,  add_sensor, add_actuator, add_equality, set_config,
        add_words,  add_body,  add_body,   add_joint,
    };
    Bytes             bytes = {data, size};
    TactModelBuilder *builder;
    TactModel        *model;
    require(tact_model_builder_create(&builder) == TACT_OK, "a builder");
    for (int line = 1; bytes.left > 0; line++) {
        TactStatus status = calls[take(&bytes) % 16](builder, &bytes, (TactSource){"fuzz", line});
        require(status == TACT_OK || *tact_status_message(), "a message");
    }
    if (tact_model_builder_compile(builder, &model) == TACT_OK) {
        check_bodies(model);
        check_rest(model);
    }
    tact_model_builder_destroy(builder);
    tact_model_destroy(model);
    return 0;
}
