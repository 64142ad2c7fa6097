// Tables of the structs that a model consists of.
#include <string.h>

#include "common.h"

#define I(type, member)                                                   \
    {                                                                     \
#member, TACT_PY_INT, offsetof(type, member), 1, NULL, NULL, NULL \
    }
#define B(type, member)                                                    \
    {                                                                      \
#member, TACT_PY_BOOL, offsetof(type, member), 1, NULL, NULL, NULL \
    }
#define D(type, member)                                                      \
    {                                                                        \
#member, TACT_PY_DOUBLE, offsetof(type, member), 1, NULL, NULL, NULL \
    }
#define T(type, member)                                                    \
    {                                                                      \
#member, TACT_PY_TEXT, offsetof(type, member), 1, NULL, NULL, NULL \
    }
#define N(type, member, count)                                                   \
    {                                                                            \
#member, TACT_PY_DOUBLE, offsetof(type, member), count, NULL, NULL, NULL \
    }
#define AS(name, type, member, count)                                         \
    {                                                                         \
        name, TACT_PY_DOUBLE, offsetof(type, member), count, NULL, NULL, NULL \
    }
#define E(name, type, member, word)                                     \
    {                                                                   \
        name, TACT_PY_ENUM, offsetof(type, member), 1, word, NULL, NULL \
    }

static const char *joint_type(int type)
{
    return tact_joint_type_name((TactJointType)type);
}

static const char *geom_type(int type)
{
    return tact_geom_type_name((TactGeomType)type);
}

static const char *sensor_type(int type)
{
    return tact_sensor_type_name((TactSensorType)type);
}

static const char *equality_type(int type)
{
    return tact_equality_type_name((TactEqualityType)type);
}

static const char *transmission(int type)
{
    return tact_transmission_name((TactTransmission)type);
}

static const char *verdict(int value)
{
    return tact_verdict_name((TactVerdict)value);
}

static const TactPyField bodies[] = {
    T(TactBody, name),
    I(TactBody, parent),
    AS("pos", TactBody, pose.position, 3),
    AS("quat", TactBody, pose.rotation, 4),
    AS("mass", TactBody, inertia.mass, 1),
    AS("com", TactBody, inertia.com, 3),
    AS("inertia", TactBody, inertia.rotary, 9),
    D(TactBody, subtree_mass),
    D(TactBody, gravity_compensation),
    I(TactBody, first_joint),
    I(TactBody, joint_count),
    I(TactBody, first_dof),
    I(TactBody, dof_count),
    I(TactBody, first_geom),
    I(TactBody, geom_count),
};
const TactPyTable tact_py_body_table = {"body", bodies, TACT_PY_TABLE(bodies)};

static const TactPyField joints[] = {
    T(TactJoint, name),      E("type", TactJoint, type, joint_type),
    I(TactJoint, body),      AS("pos", TactJoint, position, 3),
    N(TactJoint, axis, 3),   I(TactJoint, q),
    I(TactJoint, dof),       D(TactJoint, reference),
    B(TactJoint, limited),   N(TactJoint, range, 2),
    D(TactJoint, stiffness), D(TactJoint, damping),
    D(TactJoint, armature),  D(TactJoint, friction),
};
const TactPyTable tact_py_joint_table = {"joint", joints, TACT_PY_TABLE(joints)};

static const TactPyField geoms[] = {
    T(TactGeom, name),
    E("type", TactGeom, type, geom_type),
    I(TactGeom, body),
    AS("pos", TactGeom, pose.position, 3),
    AS("quat", TactGeom, pose.rotation, 4),
    N(TactGeom, size, 3),
    AS("friction", TactGeom, mu, 1),
    D(TactGeom, margin),
    D(TactGeom, mass),
    N(TactGeom, rgba, 4),
    I(TactGeom, group),
    B(TactGeom, visual),
};
const TactPyTable tact_py_geom_table = {"geom", geoms, TACT_PY_TABLE(geoms)};

static const TactPyField sites[] = {
    T(TactSite, name),
    I(TactSite, body),
    AS("pos", TactSite, pose.position, 3),
    AS("quat", TactSite, pose.rotation, 4),
    N(TactSite, size, 3),
};
const TactPyTable tact_py_site_table = {"site", sites, TACT_PY_TABLE(sites)};

static const TactPyField actuators[] = {
    T(TactActuator, name),          E("drives", TactActuator, transmission, transmission),
    I(TactActuator, target),        N(TactActuator, gear, 6),
    N(TactActuator, gain, 3),       N(TactActuator, bias, 3),
    B(TactActuator, ctrl_limited),  N(TactActuator, ctrl_range, 2),
    B(TactActuator, force_limited), N(TactActuator, force_range, 2),
};
const TactPyTable tact_py_actuator_table = {"actuator", actuators, TACT_PY_TABLE(actuators)};

static const TactPyField sensors[] = {
    T(TactSensor, name),    E("type", TactSensor, type, sensor_type),
    I(TactSensor, address), I(TactSensor, size),
    D(TactSensor, cutoff),
};
const TactPyTable tact_py_sensor_table = {"sensor", sensors, TACT_PY_TABLE(sensors)};

static const TactPyField tendons[] = {
    T(TactTendon, name),     I(TactTendon, count),     B(TactTendon, limited),
    N(TactTendon, range, 2), D(TactTendon, stiffness), D(TactTendon, damping),
    D(TactTendon, friction),
};
const TactPyTable tact_py_tendon_table = {"tendon", tendons, TACT_PY_TABLE(tendons)};

static const TactPyField equalities[] = {
    T(TactEquality, name),   E("type", TactEquality, type, equality_type),
    I(TactEquality, a),      I(TactEquality, b),
    B(TactEquality, active),
};
const TactPyTable tact_py_equality_table = {"equality", equalities, TACT_PY_TABLE(equalities)};

static const TactPyField pairs[] = {
    T(TactPair, name),   I(TactPair, a), I(TactPair, b), AS("friction", TactPair, mu, 1),
    D(TactPair, margin),
};
const TactPyTable tact_py_pair_table = {"pair", pairs, TACT_PY_TABLE(pairs)};

static const TactPyField keyframes[] = {T(TactKeyframe, name), D(TactKeyframe, time)};
const TactPyTable        tact_py_keyframe_table = {"keyframe", keyframes, TACT_PY_TABLE(keyframes)};

static const char *integrator(int value)
{
    return tact_integrator_name((TactIntegrator)value);
}

static const TactPyField options[] = {
    D(TactModelOptions, timestep),
    N(TactModelOptions, gravity, 3),
    E("integrator", TactModelOptions, integrator, integrator),
    B(TactModelOptions, contact_off),
    B(TactModelOptions, gravity_off),
};
const TactPyTable tact_py_options_table = {"options", options, TACT_PY_TABLE(options)};

static const TactPyField notes[] = {
    E("verdict", TactModelNote, verdict, verdict),
    B(TactModelNote, physics),
    T(TactModelNote, file),
    I(TactModelNote, line),
    T(TactModelNote, element),
    T(TactModelNote, attribute),
    T(TactModelNote, text),
};
const TactPyTable tact_py_note_table = {"note", notes, TACT_PY_TABLE(notes)};
