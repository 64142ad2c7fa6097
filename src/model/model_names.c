// Names of the enums of model.h and mesh.h, but for sensors.
#include <tact/model.h>

#include "base/words.h"

TACT_WORDS(TactMeshInertia, mesh_inertia,
           "inertia of a mesh", [TACT_MESH_INERTIA_LEGACY] = "legacy",
           [TACT_MESH_INERTIA_EXACT] = "exact", [TACT_MESH_INERTIA_CONVEX] = "convex",
           [TACT_MESH_INERTIA_SHELL] = "shell", [TACT_MESH_INERTIA_CLOSED] = "closed")

TACT_WORDS(TactJointType, joint_type, "joint", [TACT_JOINT_FREE] = "free",
           [TACT_JOINT_BALL] = "ball", [TACT_JOINT_HINGE] = "hinge", [TACT_JOINT_SLIDE] = "slide")

TACT_WORDS(
    TactGeomType, geom_type, "geom", [TACT_GEOM_PLANE] = "plane", [TACT_GEOM_SPHERE] = "sphere",
    [TACT_GEOM_CAPSULE] = "capsule", [TACT_GEOM_CYLINDER] = "cylinder", [TACT_GEOM_BOX] = "box",
    [TACT_GEOM_ELLIPSOID] = "ellipsoid", [TACT_GEOM_CONVEX] = "convex", [TACT_GEOM_MESH] = "mesh",
    [TACT_GEOM_HEIGHTFIELD] = "height field")

TACT_WORDS(
    TactTransmission, transmission, "transmission", [TACT_TRANSMISSION_JOINT] = "joint",
    [TACT_TRANSMISSION_JOINT_IN_PARENT] = "jointinparent", [TACT_TRANSMISSION_TENDON] = "tendon",
    [TACT_TRANSMISSION_SITE] = "site", [TACT_TRANSMISSION_BODY_FORCE] = "body force",
    [TACT_TRANSMISSION_SITE_TO_SITE] = "site to site",
    [TACT_TRANSMISSION_SLIDER_CRANK] = "slider-crank", [TACT_TRANSMISSION_ADHESION] = "adhesion",
    [TACT_TRANSMISSION_INPUT] = "input")

TACT_WORDS(TactActivation, activation, "activation", [TACT_ACTIVATION_NONE] = "none",
           [TACT_ACTIVATION_INTEGRATOR] = "integrator", [TACT_ACTIVATION_FILTER] = "filter",
           [TACT_ACTIVATION_FILTER_EXACT] = "filterexact", [TACT_ACTIVATION_MUSCLE] = "muscle")

TACT_WORDS(TactDelayInterpolation, delay_interpolation,
           "interpolation of a delay", [TACT_DELAY_INTERPOLATION_HOLD] = "zoh",
           [TACT_DELAY_INTERPOLATION_LINEAR] = "linear", [TACT_DELAY_INTERPOLATION_CUBIC] = "cubic")

TACT_WORDS(
    TactMotorInput, motor_input,
    "input of a motor", [TACT_MOTOR_INPUT_VOLTAGE] = "voltage", [TACT_MOTOR_INPUT_POSITION] = "pos",
    [TACT_MOTOR_INPUT_VELOCITY] = "vel", [TACT_MOTOR_INPUT_FORCE] = "ff")

TACT_WORDS(TactEqualityType, equality_type,
           "equality", [TACT_EQUALITY_CONNECT] = "connect", [TACT_EQUALITY_WELD] = "weld",
           [TACT_EQUALITY_JOINT] = "joint", [TACT_EQUALITY_TENDON] = "tendon")

TACT_WORDS(TactObject, object, "object", [TACT_OBJECT_NONE] = "none", [TACT_OBJECT_BODY] = "body",
           [TACT_OBJECT_XBODY] = "xbody", [TACT_OBJECT_JOINT] = "joint",
           [TACT_OBJECT_GEOM] = "geom", [TACT_OBJECT_SITE] = "site", [TACT_OBJECT_MESH] = "mesh",
           [TACT_OBJECT_HEIGHTFIELD] = "height field", [TACT_OBJECT_TENDON] = "tendon",
           [TACT_OBJECT_ACTUATOR] = "actuator", [TACT_OBJECT_EQUALITY] = "equality",
           [TACT_OBJECT_SENSOR] = "sensor", [TACT_OBJECT_PAIR] = "pair",
           [TACT_OBJECT_KEYFRAME] = "keyframe")

TACT_WORDS(TactIntegrator, integrator,
           "integrator", [TACT_INTEGRATOR_EULER] = "euler", [TACT_INTEGRATOR_RK4] = "rk4")

TACT_WORDS(
    TactInertiaRule, inertia_rule, "inertia rule", [TACT_INERTIA_RULE_AUTO] = "auto",
    [TACT_INERTIA_RULE_FROM_GEOMS] = "from geoms", [TACT_INERTIA_RULE_AS_STATED] = "as stated")

TACT_WORDS(
    TactTendonPartType, tendon_part_type,
    "part of a tendon", [TACT_TENDON_PART_SITE] = "site", [TACT_TENDON_PART_SPHERE] = "sphere",
    [TACT_TENDON_PART_CYLINDER] = "cylinder", [TACT_TENDON_PART_PULLEY] = "pulley")

TACT_WORDS(TactContactReduce, contact_reduce,
           "order of contacts", [TACT_REDUCE_NONE] = "none", [TACT_REDUCE_NEAREST] = "mindist",
           [TACT_REDUCE_LARGEST] = "maxforce", [TACT_REDUCE_NET_FORCE] = "netforce")
