#include "sim/random_scene.h"

// clang-format off
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>
// clang-format on
#include <math.h>

enum { MOST_BODIES = 9 };

static const TactSource nowhere = {0};

typedef struct Maker {
    TactRandom        random;
    TactModelBuilder *builder;
    int               bodies[MOST_BODIES + 1];
    int               body_count; // with the world
    int               hinges[MOST_BODIES];
    int               hinge_count; // and slides
} Maker;

static double between(Maker *m, double lo, double hi)
{
    return tact_random_uniform(&m->random, lo, hi);
}

/// Uniform in the logarithm.
static double scale(Maker *m, double lo, double hi)
{
    return exp(between(m, log(lo), log(hi)));
}

static bool chance(Maker *m, double p)
{
    return between(m, 0, 1) < p;
}

static int pick(Maker *m, int count)
{
    return (int)(tact_random_next(&m->random) % (uint64_t)count);
}

static TactVec3 point(Maker *m, double size)
{
    double x = between(m, -size, size), y = between(m, -size, size), z = between(m, -size, size);
    return (TactVec3){x, y, z};
}

static TactVec3 direction(Maker *m)
{
    double x = tact_random_normal(&m->random), y = tact_random_normal(&m->random);
    return tact_vec3_normalise((TactVec3){x, y, tact_random_normal(&m->random) + 1e-9});
}

/// One number after the other: the order of arguments is the compiler's.
static TactQuat rotation(Maker *m)
{
    TactVec3 axis = direction(m);
    return tact_quat_from_axis_angle(axis, between(m, 0, 3));
}

static void add_geom(Maker *m, int body, double mass)
{
    static const TactGeomType types[] = {TACT_GEOM_SPHERE, TACT_GEOM_CAPSULE, TACT_GEOM_CYLINDER,
                                         TACT_GEOM_BOX, TACT_GEOM_ELLIPSOID};
    TactGeomDesc              desc = tact_geom_default(types[pick(m, 5)]);
    desc.geom.body = body;
    desc.geom.mu = chance(m, 0.1) ? 0 : between(m, 0.1, 1.5);
    desc.geom.condim = chance(m, 0.1) ? 1 : 3;
    desc.mass = mass;
    for (int k = 0; k < 3; k++) {
        desc.geom.size[k] = between(m, 0.03, 0.2);
    }
    if (chance(m, 0.3)) {
        desc.geom.pose.rotation = rotation(m);
        desc.geom.pose.position = point(m, 0.1);
    }
    assert_int_equal(tact_model_builder_add_geom(m->builder, &desc, nowhere, NULL), TACT_OK);
}

static void add_joint(Maker *m, int body, TactJointType type)
{
    TactJoint joint = tact_joint_default(type);
    int       index = 0;
    bool      single = type == TACT_JOINT_HINGE || type == TACT_JOINT_SLIDE;
    joint.body = body;
    joint.axis = direction(m);
    if (type != TACT_JOINT_FREE) {
        joint.position = point(m, 0.1);
        joint.damping = chance(m, 0.5) ? scale(m, 1e-4, 1) : 0;
        joint.armature = chance(m, 0.2) ? scale(m, 1e-4, 0.1) : 0;
        joint.friction = chance(m, 0.2) ? scale(m, 1e-3, 1) : 0;
        joint.stiffness = chance(m, 0.2) ? scale(m, 0.1, 100) : 0;
        joint.limited = chance(m, 0.4);
        joint.range[0] = type == TACT_JOINT_BALL ? 0 : -between(m, 0, 1);
        joint.range[1] = between(m, 0.01, 1);
    }
    assert_int_equal(tact_model_builder_add_joint(m->builder, &joint, nowhere, &index), TACT_OK);
    if (single && m->hinge_count < MOST_BODIES) {
        m->hinges[m->hinge_count++] = index;
    }
}

static void add_body(Maker *m)
{
    static const TactJointType types[] = {TACT_JOINT_HINGE, TACT_JOINT_SLIDE, TACT_JOINT_BALL};
    TactBodyDesc               desc = tact_body_default();
    int                        index = 0;
    bool                       loose = chance(m, 0.4);
    desc.parent = loose ? 0 : m->bodies[pick(m, m->body_count)];
    desc.pose.position = point(m, desc.parent == 0 ? 0.6 : 0.25);
    desc.pose.position.z += desc.parent == 0 ? 0.8 : 0;
    desc.pose.rotation = rotation(m);
    assert_int_equal(tact_model_builder_add_body(m->builder, &desc, nowhere, &index), TACT_OK);
    add_geom(m, index, scale(m, 1e-3, 1e3));
    if (loose) {
        add_joint(m, index, TACT_JOINT_FREE);
    } else {
        add_joint(m, index, types[pick(m, 3)]);
        if (chance(m, 0.15)) {
            add_joint(m, index, TACT_JOINT_SLIDE);
        }
    }
    m->bodies[m->body_count++] = index;
}

static void add_loop(Maker *m)
{
    TactEquality loop =
        tact_equality_default(chance(m, 0.7) ? TACT_EQUALITY_CONNECT : TACT_EQUALITY_WELD);
    loop.a = m->bodies[pick(m, m->body_count)];
    loop.b = m->bodies[1 + pick(m, m->body_count - 1)];
    if (loop.a != loop.b) {
        assert_int_equal(tact_model_builder_add_equality(m->builder, &loop, nowhere, NULL),
                         TACT_OK);
        if (chance(m, 0.8)) { // else what is joined may also push itself apart: nobody can help it
            TactExclude exclude = {loop.a, loop.b};
            assert_int_equal(tact_model_builder_add_exclude(m->builder, exclude, nowhere), TACT_OK);
        }
    }
}

static void add_coupling(Maker *m)
{
    TactEquality coupling = tact_equality_default(TACT_EQUALITY_JOINT);
    coupling.a = m->hinges[pick(m, m->hinge_count)];
    coupling.b = m->hinges[pick(m, m->hinge_count)];
    for (int k = 1; k < 3; k++) {
        coupling.polynomial[k] = between(m, -1, 1);
    }
    if (coupling.a != coupling.b) {
        assert_int_equal(tact_model_builder_add_equality(m->builder, &coupling, nowhere, NULL),
                         TACT_OK);
    }
}

/// A motor with a constant pull, or a stiff servo.
static void add_actuator(Maker *m)
{
    TactActuatorDesc desc = tact_actuator_default();
    desc.actuator.target = m->hinges[pick(m, m->hinge_count)];
    if (chance(m, 0.5)) {
        desc.actuator.gain[0] = scale(m, 1, 1e4);
        desc.actuator.bias[1] = -desc.actuator.gain[0];
        desc.actuator.bias[2] = -scale(m, 1e-2, 10);
    } else {
        desc.actuator.bias[0] = between(m, -1, 1);
    }
    assert_int_equal(tact_model_builder_add_actuator(m->builder, &desc, nowhere, NULL), TACT_OK);
}

TactRandomScene tact_random_scene(uint64_t seed)
{
    Maker           m = {.random = tact_random_seed(seed), .body_count = 1};
    TactRandomScene scene = {.timestep = scale(&m, 1e-4, 2e-2)};
    assert_int_equal(tact_model_builder_create(&m.builder), TACT_OK);
    if (chance(&m, 0.9)) {
        TactGeomDesc floor = tact_geom_default(TACT_GEOM_PLANE);
        floor.geom.mu = between(&m, 0, 1);
        assert_int_equal(tact_model_builder_add_geom(m.builder, &floor, nowhere, NULL), TACT_OK);
    }
    int bodies = 1 + pick(&m, MOST_BODIES - 1);
    for (int i = 0; i < bodies; i++) {
        add_body(&m);
    }
    if (bodies > 1 && chance(&m, 0.3)) {
        add_loop(&m);
    }
    if (m.hinge_count > 1 && chance(&m, 0.2)) {
        add_coupling(&m);
    }
    if (m.hinge_count > 0 && chance(&m, 0.3)) {
        add_actuator(&m);
        scene.driven = true;
    }
    if (tact_model_builder_compile(m.builder, &scene.model) != TACT_OK) {
        fail_msg("seed %llu: %s", (unsigned long long)seed, tact_status_message());
    }
    tact_model_builder_destroy(m.builder);
    return scene;
}
