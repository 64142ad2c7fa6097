// What is known only with every joint at its reference, where each body stands at its pose.
#include "base/status.h"
#include "model/build/compile.h"

static TactStatus place_bodies(TactCompile *compile)
{
    compile->world[0] = compile->arrays.bodies[0].pose;
    for (int i = 1; i < (int)compile->sizes.bodies; i++) {
        const TactBody *body = &compile->arrays.bodies[i];
        compile->world[i] = tact_transform_multiply(compile->world[body->parent], body->pose);
        TactVec3 at = compile->world[i].position;
        if (!isfinite(at.x) || !isfinite(at.y) || !isfinite(at.z)) {
            TactPlace place =
                tact_builder_place_of(compile->builder, TACT_OBJECT_BODY, compile->body_item[i]);
            return tact_place_fail(&place, TACT_BAD_INPUT, "its place in the world is not finite");
        }
    }
    return TACT_OK;
}

/// b's frame in a's.
static TactTransform relative(const TactCompile *compile, int a, int b)
{
    TactTransform pose =
        tact_transform_multiply(tact_transform_invert(compile->world[a]), compile->world[b]);
    pose.rotation = tact_quat_normalise(pose.rotation);
    return pose;
}

// ---------------------------------------------------------------------------------------------
// Equalities and tendons

static void complete_equality(const TactCompile *compile, TactEquality *equality)
{
    TactQuat q = equality->relative.rotation;
    bool     stated = q.w != 0 || q.x != 0 || q.y != 0 || q.z != 0;
    switch (equality->type) {
    case TACT_EQUALITY_CONNECT:
        if (!stated) {
            TactTransform pose = relative(compile, equality->a, equality->b);
            equality->anchor_b = tact_transform_point_back(pose, equality->anchor_a);
        }
        equality->relative = tact_transform_identity();
        break;
    case TACT_EQUALITY_WELD:
        if (!stated) {
            equality->relative = relative(compile, equality->a, equality->b);
        }
        equality->anchor_a = tact_transform_point(equality->relative, equality->anchor_b);
        break;
    default: equality->relative = tact_transform_identity(); break;
    }
}

/// A spring range of -1, -1 is the length with every joint's spring at rest.
static void complete_tendon(const TactCompile *compile, TactTendon *tendon)
{
    if (tendon->part_count > 0 || // found where poses are (dynamics/tendon.c)
        tendon->spring_range[0] != -1 || tendon->spring_range[1] != -1) {
        return;
    }
    double length = 0;
    for (int i = 0; i < tendon->count; i++) {
        length += tendon->coefficients[i] *
                  compile->arrays.q_spring[compile->arrays.joints[tendon->joints[i]].q];
    }
    tendon->spring_range[0] = tendon->spring_range[1] = length;
}

// ---------------------------------------------------------------------------------------------
// Damping ratios

/// Motion of a dof's body in its own frame at unit velocity.
static TactTwist dof_motion(const TactJoint *joint, int k)
{
    TactVec3 unit = {k % 3 == 0, k % 3 == 1, k % 3 == 2};
    switch (joint->type) {
    case TACT_JOINT_FREE:
        return k < 3 ? (TactTwist){unit, {0, 0, 0}} : (TactTwist){{0, 0, 0}, unit};
    case TACT_JOINT_BALL: return (TactTwist){tact_vec3_cross(joint->position, unit), unit};
    case TACT_JOINT_HINGE:
        return (TactTwist){tact_vec3_cross(joint->position, joint->axis), joint->axis};
    default: return (TactTwist){joint->axis, {0, 0, 0}};
    }
}

/// M_ii = S' I S + armature, with the inertia I of all that the dof carries. The linear dofs of a
/// free joint are along the world's axes, but have the mass of the whole in any direction.
static void compute_mass_diagonal(TactCompile *compile)
{
    int count = (int)compile->sizes.bodies;
    for (int i = 0; i < count; i++) {
        compile->composite[i] = compile->arrays.bodies[i].inertia;
    }
    for (int i = count - 1; i > 0; i--) {
        const TactBody *body = &compile->arrays.bodies[i];
        compile->composite[body->parent] =
            tact_inertia_add(compile->composite[body->parent],
                             tact_inertia_transform(body->pose, compile->composite[i]));
    }
    for (int i = 0; i < (int)compile->sizes.nv; i++) {
        const TactDof   *dof = &compile->arrays.dofs[i];
        const TactJoint *joint = &compile->arrays.joints[dof->joint];
        TactTwist        S = dof_motion(joint, i - joint->dof);
        compile->M[i] = dof->armature +
                        tact_wrench_dot(tact_inertia_apply(compile->composite[dof->body], S), S);
    }
}

/// Wrench in the frame of a body (at its origin), as forces of the dofs that carry it.
static void add_wrench(const TactCompile *compile, int b, TactWrench wrench, double *moment)
{
    for (;;) {
        const TactBody *body = &compile->arrays.bodies[b];
        for (int i = body->first_dof; i < body->first_dof + body->dof_count; i++) {
            const TactJoint *joint = &compile->arrays.joints[compile->arrays.dofs[i].joint];
            int              k = i - joint->dof;
            TactTwist        S = dof_motion(joint, k);
            if (joint->type == TACT_JOINT_FREE && k < 3) {
                S.linear = tact_quat_rotate_back(body->pose.rotation, S.linear);
            }
            moment[i] += tact_wrench_dot(wrench, S);
        }
        if (body->parent <= 0) {
            return;
        }
        wrench = tact_wrench_transform(body->pose, wrench);
        b = body->parent;
    }
}

void tact_compile_mass_row(const TactCompile *compile, int i, double *row)
{
    const TactDof   *dof = &compile->arrays.dofs[i];
    const TactJoint *joint = &compile->arrays.joints[dof->joint];
    int              k = i - joint->dof;
    TactTwist        S = dof_motion(joint, k);
    if (joint->type == TACT_JOINT_FREE && k < 3) {
        S.linear = tact_quat_rotate_back(compile->arrays.bodies[dof->body].pose.rotation, S.linear);
    }
    for (int j = 0; j < (int)compile->sizes.nv; j++) {
        row[j] = 0;
    }
    add_wrench(compile, dof->body, tact_inertia_apply(compile->composite[dof->body], S), row);
    row[i] += dof->armature;
}

/// Force of each dof at unit force of the actuator.
static void compute_moment(const TactCompile *compile, const TactActuator *actuator, double *moment)
{
    const double *gear = actuator->gear;
    TactWrench    wrench = {{gear[0], gear[1], gear[2]}, {gear[3], gear[4], gear[5]}};
    for (int i = 0; i < (int)compile->sizes.nv; i++) {
        moment[i] = 0;
    }
    switch (actuator->transmission) {
    case TACT_TRANSMISSION_JOINT:
    case TACT_TRANSMISSION_JOINT_IN_PARENT: {
        const TactJoint *joint = &compile->arrays.joints[actuator->target];
        TactVec3         turn = wrench.torque;
        if (joint->type == TACT_JOINT_FREE &&
            actuator->transmission == TACT_TRANSMISSION_JOINT_IN_PARENT) {
            turn = tact_quat_rotate_back(compile->arrays.bodies[joint->body].pose.rotation, turn);
        }
        double all[6] = {gear[0], gear[1], gear[2], turn.x, turn.y, turn.z};
        int    count = joint->type == TACT_JOINT_FREE ? 6 : joint->type == TACT_JOINT_BALL ? 3 : 1;
        for (int k = 0; k < count; k++) {
            moment[joint->dof + k] = all[k];
        }
        break;
    }
    case TACT_TRANSMISSION_TENDON: {
        const TactTendon *tendon = &compile->arrays.tendons[actuator->target];
        for (int i = 0; i < tendon->count; i++) {
            moment[compile->arrays.joints[tendon->joints[i]].dof] +=
                gear[0] * tendon->coefficients[i];
        }
        break;
    }
    case TACT_TRANSMISSION_SITE: {
        const TactSite *site = &compile->arrays.sites[actuator->target];
        add_wrench(compile, site->body, tact_wrench_transform(site->pose, wrench), moment);
        break;
    }
    case TACT_TRANSMISSION_BODY_FORCE: add_wrench(compile, actuator->target, wrench, moment); break;
    default: break; // site to site, slider-crank: no ratio of damping is known here
    }
}

/// The inertia that an actuator of unit gear would see in place of the joints: sum of M_ii / r_i^2
/// over the dofs it moves by r_i, as MuJoCo takes it.
static TactStatus complete_actuator(TactCompile *compile, int i)
{
    const TactActuatorItem *item = tact_builder_at(compile->builder, TACT_OBJECT_ACTUATOR, i);
    TactActuator           *actuator = &compile->arrays.actuators[i];
    double                  ratio = item->desc.damping_ratio;
    if (ratio <= 0) {
        return TACT_OK;
    }
    compute_moment(compile, actuator, compile->moment);
    double mass = 0;
    for (int k = 0; k < (int)compile->sizes.nv; k++) {
        double square = compile->moment[k] * compile->moment[k];
        if (square > 1e-15) {
            mass += compile->M[k] / square;
        }
    }
    actuator->bias[2] = -2 * ratio * sqrt(actuator->gain[0] * mass);
    if (!isfinite(actuator->bias[2])) {
        TactPlace place = tact_builder_place_of(compile->builder, TACT_OBJECT_ACTUATOR, i);
        return tact_place_fail(&place, TACT_BAD_INPUT, "its damping is not finite");
    }
    return TACT_OK;
}

TactStatus tact_compile_reference(TactCompile *compile)
{
    TACT_TRY(place_bodies(compile));
    for (int i = 0; i < (int)compile->sizes.equalities; i++) {
        complete_equality(compile, &compile->arrays.equalities[i]);
        const TactEquality *equality = &compile->arrays.equalities[i];
        TactPlace place = tact_builder_place_of(compile->builder, TACT_OBJECT_EQUALITY, i);
        TACT_TRY(tact_check_vec3(&place, "anchor", equality->anchor_a));
        TACT_TRY(tact_check_vec3(&place, "anchor", equality->anchor_b));
        TACT_TRY(tact_check_vec3(&place, "relative pose", equality->relative.position));
    }
    for (int i = 0; i < (int)compile->sizes.tendons; i++) {
        complete_tendon(compile, &compile->arrays.tendons[i]);
        TactPlace place = tact_builder_place_of(compile->builder, TACT_OBJECT_TENDON, i);
        TACT_TRY(
            tact_check_finite(&place, "rest length", compile->arrays.tendons[i].spring_range, 2));
    }
    compute_mass_diagonal(compile);
    TACT_TRY(tact_compile_springs(compile));
    for (int i = 0; i < (int)compile->sizes.actuators; i++) {
        TACT_TRY(complete_actuator(compile, i));
    }
    return TACT_OK;
}
