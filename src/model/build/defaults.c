// What stands where a maker says nothing: MJCF's defaults, so that a model made in code and one
// read from a file begin alike.
#include <tact/model.h>

TactBodyDesc tact_body_default(void)
{
    return (TactBodyDesc){
        .name = "",
        .pose = tact_transform_identity(),
    };
}

TactJoint tact_joint_default(TactJointType type)
{
    return (TactJoint){
        .name = "",
        .type = type,
        .axis = {0, 0, 1},
    };
}

TactGeomDesc tact_geom_default(TactGeomType type)
{
    return (TactGeomDesc){
        .geom =
            {
                .name = "",
                .type = type,
                .pose = tact_transform_identity(),
                .mesh = -1,
                .contact_type = 1,
                .contact_affinity = 1,
                .condim = 3,
                .mu = 1,
                .torsional = 0.005,
                .rolling = 0.0001,
                .rgba = {0.5, 0.5, 0.5, 1},
                .fluid = {0.5, 0.25, 1.5, 1, 1},
            },
        .density = 1000,
        .mass = -1,
        .mesh_inertia = TACT_MESH_INERTIA_LEGACY,
    };
}

TactSite tact_site_default(void)
{
    return (TactSite){
        .name = "",
        .pose = tact_transform_identity(),
        .type = TACT_GEOM_SPHERE,
        .size = {0.005, 0.005, 0.005},
        .rgba = {0.5, 0.5, 0.5, 1},
    };
}

TactTendon tact_tendon_default(void)
{
    return (TactTendon){
        .name = "",
        .spring_range = {-1, -1},
    };
}

TactActuatorDesc tact_actuator_default(void)
{
    return (TactActuatorDesc){
        .actuator =
            {
                .name = "",
                .transmission = TACT_TRANSMISSION_JOINT,
                .inputs = 1,
                .gear = {1},
                .gain = {1},
                .reference = -1,
                .act = -1,
            },
    };
}

TactEquality tact_equality_default(TactEqualityType type)
{
    return (TactEquality){
        .name = "",
        .type = type,
        .active = true,
        .torque_scale = 1,
        .polynomial = {0, 1},
    };
}

TactPair tact_pair_default(void)
{
    return (TactPair){
        .name = "",
        .condim = 3,
        .mu = {1, 1},
    };
}
