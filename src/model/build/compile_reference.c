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
        if (equality->torque_scale == 0 && equality->via == 0) { // free to turn
            equality->type = TACT_EQUALITY_CONNECT;
            equality->relative = tact_transform_identity();
        }
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

/// A body's pose in the world, every joint at its reference.
static TactTransform place_in_world(const TactCompile *compile, int b)
{
    TactTransform pose = tact_transform_identity();
    for (; b > 0; b = compile->arrays.bodies[b].parent) {
        pose = tact_transform_multiply(compile->arrays.bodies[b].pose, pose);
    }
    return pose;
}

/// A wrench in the axes of the site that another is seen from, on both, at each; dofs that carry
/// both move neither against the other. A servo for a whole turn counts by its first axis, that of
/// the child's.
static void add_between_sites(const TactCompile *compile, const TactActuator *actuator,
                              TactWrench wrench, double *moment)
{
    const TactSite *sites[2] = {&compile->arrays.sites[actuator->target],
                                &compile->arrays.sites[actuator->reference]};
    TactQuat        turn[2]; // of the sites in the world
    for (int k = 0; k < 2; k++) {
        turn[k] = tact_quat_multiply(place_in_world(compile, sites[k]->body).rotation,
                                     sites[k]->pose.rotation);
    }
    TactQuat axes = turn[actuator->is_turn ? 0 : 1];
    if (actuator->is_turn) {
        wrench = (TactWrench){{0, 0, 0}, {1, 0, 0}};
    }
    for (int k = 0; k < 2; k++) {
        double     sign = k == 0 ? 1 : -1;
        TactQuat   into = tact_quat_multiply(tact_quat_conjugate(turn[k]), axes);
        TactWrench own = {tact_vec3_scale(sign, tact_quat_rotate(into, wrench.force)),
                          tact_vec3_scale(sign, tact_quat_rotate(into, wrench.torque))};
        add_wrench(compile, sites[k]->body, tact_wrench_transform(sites[k]->pose, own), moment);
    }
    for (int a = sites[0]->body; a > 0; a = compile->arrays.bodies[a].parent) {
        for (int b = sites[1]->body; b > 0; b = compile->arrays.bodies[b].parent) {
            for (int i = 0; a == b && i < compile->arrays.bodies[a].dof_count; i++) {
                moment[compile->arrays.bodies[a].first_dof + i] = 0;
            }
        }
    }
}

/// A force and a torque in the world's axes on a site.
static void add_on_site(const TactCompile *compile, const TactSite *site, TactWrench world,
                        double *moment)
{
    TactQuat turn =
        tact_quat_multiply(place_in_world(compile, site->body).rotation, site->pose.rotation);
    TactWrench own = {tact_quat_rotate_back(turn, world.force),
                      tact_quat_rotate_back(turn, world.torque)};
    add_wrench(compile, site->body, tact_wrench_transform(site->pose, own), moment);
}

/// How the slider that a rod holds at the crank moves, x = a'w - sqrt((a'w)^2 - w'w + r^2): with w
/// from the slider's site to the crank's, a its axis and the rod's length r.
static void add_slider(const TactCompile *compile, const TactActuator *actuator, double *moment)
{
    const TactSite *crank = &compile->arrays.sites[actuator->target];
    const TactSite *slider = &compile->arrays.sites[actuator->reference];
    TactTransform   from =
        tact_transform_multiply(place_in_world(compile, slider->body), slider->pose);
    TactTransform to = tact_transform_multiply(place_in_world(compile, crank->body), crank->pose);
    TactVec3      a = tact_quat_rotate(from.rotation, (TactVec3){0, 0, 1});
    TactVec3      w = tact_vec3_subtract(to.position, from.position), by_w = a, by_a = w;
    double        r = actuator->crank_length, along = tact_vec3_dot(a, w), gear = actuator->gear[0];
    double        square = along * along - tact_vec3_dot(w, w) + r * r;
    if (square > 0) {
        double root = sqrt(square);
        by_w = tact_vec3_add(a, tact_vec3_scale(1 / root, tact_vec3_add_scaled(w, -along, a)));
        by_a = tact_vec3_scale(1 - along / root, w);
    }
    add_on_site(compile, crank, (TactWrench){tact_vec3_scale(gear, by_w), {0, 0, 0}}, moment);
    add_on_site(
        compile, slider,
        (TactWrench){tact_vec3_scale(-gear, by_w), tact_vec3_scale(gear, tact_vec3_cross(a, by_a))},
        moment);
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
        if (actuator->is_turn) { // by its first axis alone, as MuJoCo has it
            all[0] = 1;
            all[1] = all[2] = 0;
        }
        int count = joint->type == TACT_JOINT_FREE ? 6 : joint->type == TACT_JOINT_BALL ? 3 : 1;
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
    case TACT_TRANSMISSION_SITE_TO_SITE:
        add_between_sites(compile, actuator, wrench, moment);
        break;
    case TACT_TRANSMISSION_SLIDER_CRANK: add_slider(compile, actuator, moment); break;
    default: break; // adhesion and inputs have no length
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
    double damping = 2 * ratio * sqrt(actuator->gain[0] * mass);
    if (actuator->is_motor) { // a controller alone
        actuator->motor.controller[2] = damping;
        actuator->gain[0] = 0;
    } else {
        actuator->bias[2] = -damping;
    }
    if (!isfinite(damping)) {
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
