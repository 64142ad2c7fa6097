// Joints of a URDF.
//
//     revolute    a hinge with limits             continuous  a hinge without
//     prismatic   a slide with limits             floating    a free joint, or below links that
//     move planar      two slides across the axis                  three slides and a ball
//                 and a hinge about it
//
// The frame of a joint is that of its child, so all anchors are at the origin.
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "base/status.h"
#include "io/urdf/urdf_robot.h"

// ---------------------------------------------------------------------------------------------
// Attributes

static TactStatus read_axis(const TactUrdf *urdf, const TactUrdfJoint *joint, TactVec3 *axis)
{
    const TactXmlNode *node = tact_xml_child(joint->node, "axis");
    double             xyz[3] = {1, 0, 0};
    if (node) {
        TACT_TRY(tact_xml_reals(urdf->xml, node, "xyz", 3, 3, xyz, NULL));
    }
    *axis = tact_vec3_normalise((TactVec3){xyz[0], xyz[1], xyz[2]});
    if (axis->x == 0 && axis->y == 0 && axis->z == 0) {
        return tact_xml_fail(node, "xyz", TACT_BAD_INPUT, "the axis of joint '%.80s' is zero",
                             joint->name);
    }
    return TACT_OK;
}

/// Damping and dry friction, the same for all that moves by this joint.
static TactStatus read_dynamics(const TactUrdf *urdf, const TactUrdfJoint *joint, TactJoint *desc)
{
    const TactXmlNode *node = tact_xml_child(joint->node, "dynamics");
    if (!node) {
        return TACT_OK;
    }
    TACT_TRY(tact_xml_real(urdf->xml, node, "damping", &desc->damping));
    TACT_TRY(tact_xml_real(urdf->xml, node, "friction", &desc->friction));
    if (desc->friction < 0) {
        return tact_xml_fail(node, "friction", TACT_BAD_INPUT, "it must not be negative");
    }
    return TACT_OK;
}

/// A number that may be endless.
static TactStatus read_end(const TactUrdf *urdf, const TactXmlNode *limit, const char *name,
                           double *value)
{
    const char *text = tact_xml_get(limit, name);
    const char *start = text ? text + strspn(text, " \t\r\n") : "";
    double      sign = *start == '-' ? -1 : 1;
    start += *start == '-' || *start == '+';
    if (strncasecmp(start, "inf", 3) == 0) {
        *value = sign * TACT_XML_ENDLESS;
        return TACT_OK;
    }
    return tact_xml_real(urdf->xml, limit, name, value);
}

/// Largest force of a joint; 0, or -1, is what files say that do not know it.
static TactStatus read_effort(TactUrdf *urdf, const TactXmlNode *limit, TactJoint *desc)
{
    double effort = 0;
    if (!tact_xml_get(limit, "effort")) {
        return TACT_OK;
    }
    TACT_TRY(read_end(urdf, limit, "effort", &effort));
    if (effort >= TACT_XML_ENDLESS) {
        return TACT_OK;
    }
    if (effort <= 0) {
        return tact_urdf_note(urdf, limit, "effort", TACT_VERDICT_APPROXIMATED, true,
                              effort == 0 ? "0 is taken as: not limited"
                                          : "less than 0 is taken as: not limited");
    }
    desc->force_limited = true;
    desc->force_range[0] = -effort;
    desc->force_range[1] = effort;
    return TACT_OK;
}

/// A range from above to below is how files for Bullet say that there is none.
static TactStatus lift_limit(TactUrdf *urdf, const TactXmlNode *limit, TactJoint *desc)
{
    static const char *const ends[] = {"lower", "upper"};
    desc->limited = false;
    desc->range[0] = desc->range[1] = 0;
    for (int k = 0; k < 2; k++) {
        if (tact_xml_get(limit, ends[k])) {
            TACT_TRY(tact_urdf_note(urdf, limit, ends[k], TACT_VERDICT_APPROXIMATED, true,
                                    "lower is above upper: taken as no limits, as Bullet does"));
        }
    }
    return TACT_OK;
}

/// A range of one value holds its joint there; MuJoCo takes it, with only one end given too, as
/// none.
static TactStatus note_point(TactUrdf *urdf, const TactXmlNode *limit)
{
    const char *end = tact_xml_get(limit, "lower") ? "lower" : "upper";
    return tact_urdf_note(urdf, limit, end, TACT_VERDICT_HONOURED, true,
                          "lower is upper: the joint is held there; in MuJoCo it has no limits");
}

static TactStatus read_limit(TactUrdf *urdf, const TactUrdfJoint *joint, TactJoint *desc)
{
    static const char unsaid[] = "it says neither lower nor upper: taken as no limits, as Bullet "
                                 "and MuJoCo do";

    const TactXmlNode *limit = tact_xml_child(joint->node, "limit");
    bool               endless = joint->type == TACT_URDF_CONTINUOUS;
    if (!limit) {
        return endless ? TACT_OK
                       : tact_urdf_note(urdf, joint->node, "", TACT_VERDICT_APPROXIMATED, true,
                                        "it has no <limit>: taken as no limits");
    }
    TACT_TRY(read_effort(urdf, limit, desc));
    if (!endless && !tact_xml_get(limit, "lower") && !tact_xml_get(limit, "upper")) {
        return tact_urdf_note(urdf, limit, "", TACT_VERDICT_APPROXIMATED, true, unsaid);
    }
    if (endless) {
        static const char *const ends[] = {"lower", "upper"};
        for (int k = 0; k < 2; k++) {
            if (tact_xml_get(limit, ends[k])) {
                TACT_TRY(tact_urdf_note(urdf, limit, ends[k], TACT_VERDICT_IGNORED, false,
                                        "a continuous joint has no ends"));
            }
        }
        return TACT_OK;
    }
    desc->limited = true;
    desc->range[0] = desc->range[1] = 0;
    TACT_TRY(read_end(urdf, limit, "lower", &desc->range[0]));
    TACT_TRY(read_end(urdf, limit, "upper", &desc->range[1]));
    if (desc->range[0] <= -TACT_XML_ENDLESS && desc->range[1] >= TACT_XML_ENDLESS) {
        desc->limited = false;
        desc->range[0] = desc->range[1] = 0;
    }
    return desc->range[0] > desc->range[1]    ? lift_limit(urdf, limit, desc)
           : desc->range[0] == desc->range[1] ? note_point(urdf, limit)
                                              : TACT_OK;
}

// ---------------------------------------------------------------------------------------------
// Joints of the model

static TactStatus add_single(TactUrdf *urdf, TactUrdfJoint *joint)
{
    TactJointType type = joint->type == TACT_URDF_PRISMATIC ? TACT_JOINT_SLIDE : TACT_JOINT_HINGE;
    TactJoint     desc = tact_joint_default(type);
    desc.name = joint->name;
    desc.body = urdf->links[joint->child].body;
    TACT_TRY(read_axis(urdf, joint, &desc.axis));
    TACT_TRY(read_limit(urdf, joint, &desc));
    TACT_TRY(read_dynamics(urdf, joint, &desc));
    return tact_model_builder_add_joint(urdf->builder, &desc, tact_xml_source(joint->node),
                                        &joint->joint);
}

/// One of several joints on a body, called NAME_SUFFIX.
static TactStatus add_part(TactUrdf *urdf, const TactUrdfJoint *joint, TactJointType type,
                           TactVec3 axis, const char *suffix)
{
    TactJoint desc = tact_joint_default(type);
    size_t    length = strlen(joint->name) + strlen(suffix) + 2;
    char     *name = tact_xml_pool_take(&urdf->xml->pool, length, 1);
    if (!name) {
        return TACT_NO_MEMORY;
    }
    snprintf(name, length, "%s_%s", joint->name, suffix);
    desc.name = name;
    desc.body = urdf->links[joint->child].body;
    desc.axis = axis;
    TACT_TRY(read_dynamics(urdf, joint, &desc));
    return tact_model_builder_add_joint(urdf->builder, &desc, tact_xml_source(joint->node), NULL);
}

/// The coordinate axis after the one that the normal is nearest to, made perpendicular to it: of a
/// normal along z the slides are along x and y, in this order.
static TactVec3 first_tangent(TactVec3 normal)
{
    double   x = fabs(normal.x);
    double   y = fabs(normal.y);
    double   z = fabs(normal.z);
    TactVec3 next = {0, 0, 0};
    if (z >= x && z >= y) {
        next.x = 1;
    } else if (y >= x) {
        next.z = 1;
    } else {
        next.y = 1;
    }
    return tact_vec3_normalise(tact_vec3_add_scaled(next, -tact_vec3_dot(next, normal), normal));
}

/// What a limit would mean for several joints at once nobody says.
static TactStatus note_limit(TactUrdf *urdf, const TactUrdfJoint *joint)
{
    static const char *const names[] = {"lower", "upper", "effort"};

    const TactXmlNode *limit = tact_xml_child(joint->node, "limit");
    for (int k = 0; k < 3 && limit; k++) {
        if (tact_xml_get(limit, names[k])) {
            TACT_TRY(tact_urdf_note(urdf, limit, names[k], TACT_VERDICT_IGNORED, true,
                                    "a joint of several degrees of freedom has no limits"));
        }
    }
    return TACT_OK;
}

static TactStatus add_planar(TactUrdf *urdf, const TactUrdfJoint *joint)
{
    TactVec3 axis;
    TACT_TRY(note_limit(urdf, joint));
    TACT_TRY(read_axis(urdf, joint, &axis));
    TactVec3 first = first_tangent(axis);
    TactVec3 second = tact_vec3_cross(axis, first);
    TACT_TRY(add_part(urdf, joint, TACT_JOINT_SLIDE, first, "x"));
    TACT_TRY(add_part(urdf, joint, TACT_JOINT_SLIDE, second, "y"));
    return add_part(urdf, joint, TACT_JOINT_HINGE, axis, "turn");
}

static TactStatus add_floating(TactUrdf *urdf, const TactUrdfJoint *joint)
{
    static const char *const suffixes[] = {"x", "y", "z"};
    static const TactVec3    axes[] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};

    TACT_TRY(note_limit(urdf, joint));
    if (urdf->links[joint->parent].still) {
        TactJoint desc = tact_joint_default(TACT_JOINT_FREE);
        desc.name = joint->name;
        desc.body = urdf->links[joint->child].body;
        TACT_TRY(read_dynamics(urdf, joint, &desc));
        return tact_model_builder_add_joint(urdf->builder, &desc, tact_xml_source(joint->node),
                                            NULL);
    }
    for (int k = 0; k < 3; k++) {
        TACT_TRY(add_part(urdf, joint, TACT_JOINT_SLIDE, axes[k], suffixes[k]));
    }
    return add_part(urdf, joint, TACT_JOINT_BALL, axes[2], "ball");
}

/// A ball, as MuJoCo and Bullet have it; URDF itself does not.
static TactStatus add_spherical(TactUrdf *urdf, const TactUrdfJoint *joint)
{
    TactJoint desc = tact_joint_default(TACT_JOINT_BALL);
    TACT_TRY(note_limit(urdf, joint));
    desc.name = joint->name;
    desc.body = urdf->links[joint->child].body;
    TACT_TRY(read_dynamics(urdf, joint, &desc));
    return tact_model_builder_add_joint(urdf->builder, &desc, tact_xml_source(joint->node), NULL);
}

static TactStatus note_damping(TactUrdf *urdf, const TactUrdfJoint *joint)
{
    const TactXmlNode *node = tact_xml_child(joint->node, "dynamics");
    double             damping = 0;
    if (!node || joint->type == TACT_URDF_FIXED) {
        return TACT_OK;
    }
    TACT_TRY(tact_xml_real(urdf->xml, node, "damping", &damping));
    return damping < 0 ? tact_urdf_note(urdf, node, "damping", TACT_VERDICT_APPROXIMATED, true,
                                        "is negative, gives energy instead of taking it: taken at "
                                        "the beginning of the step")
                       : TACT_OK;
}

TactStatus tact_urdf_add_joint(TactUrdf *urdf, TactUrdfJoint *joint)
{
    TACT_TRY(note_damping(urdf, joint));
    switch (joint->type) {
    case TACT_URDF_FIXED: break;
    case TACT_URDF_REVOLUTE:
    case TACT_URDF_CONTINUOUS:
    case TACT_URDF_PRISMATIC: return add_single(urdf, joint);
    case TACT_URDF_FLOATING: return add_floating(urdf, joint);
    case TACT_URDF_PLANAR: return add_planar(urdf, joint);
    case TACT_URDF_SPHERICAL: return add_spherical(urdf, joint);
    }
    return TACT_OK;
}

// ---------------------------------------------------------------------------------------------
// Mimics: q = multiplier * q of the other + offset

/// The joint that another one mimics.
static TactStatus find_leader(const TactUrdf *urdf, const TactUrdfJoint *joint,
                              const TactXmlNode *mimic, const TactUrdfJoint **leader)
{
    const char *name;
    TACT_TRY(tact_xml_need(mimic, "joint", &name));
    int other = tact_urdf_find_joint(urdf, name);
    if (other < 0) {
        return tact_xml_fail(mimic, "joint", TACT_BAD_INPUT, "there is no joint '%.80s'", name);
    }
    *leader = &urdf->joints[other];
    return *leader != joint
               ? TACT_OK
               : tact_xml_fail(mimic, "joint", TACT_BAD_INPUT, "joint '%.80s' mimics itself", name);
}

/// Joints that have been fixed keep the <mimic> of when they moved, and some write one at joints
/// that have more than one coordinate: NULL if it means something, else why not.
static const char *why_not_mimic(const TactUrdfJoint *joint, const TactUrdfJoint *leader)
{
    if (joint->type == TACT_URDF_FIXED) {
        return "a fixed joint follows nothing";
    }
    if (joint->joint < 0) {
        return "a joint of several degrees of freedom follows nothing";
    }
    return leader->joint < 0 && leader->type != TACT_URDF_FIXED
               ? "it follows a joint of several degrees of freedom"
               : NULL;
}

static TactStatus note_mimic(TactUrdf *urdf, const TactUrdfJoint *joint, const TactXmlNode *mimic,
                             const char *text)
{
    for (int i = 0; i < mimic->attribute_count; i++) {
        TACT_TRY(tact_urdf_note(urdf, mimic, mimic->attributes[i].name, TACT_VERDICT_IGNORED,
                                joint->type != TACT_URDF_FIXED, text));
    }
    return TACT_OK;
}

static TactStatus add_mimic(TactUrdf *urdf, const TactUrdfJoint *joint, const TactXmlNode *mimic)
{
    TactEquality         equality = tact_equality_default(TACT_EQUALITY_JOINT);
    const TactUrdfJoint *leader = joint;
    double               factor = 1;
    double               offset = 0;
    TACT_TRY(find_leader(urdf, joint, mimic, &leader));
    TACT_TRY(tact_xml_real(urdf->xml, mimic, "multiplier", &factor));
    TACT_TRY(tact_xml_real(urdf->xml, mimic, "offset", &offset));
    const char *text = why_not_mimic(joint, leader);
    if (text) {
        return note_mimic(urdf, joint, mimic, text);
    }
    equality.a = joint->joint;
    equality.b = leader->joint; // -1, a fixed one, stays at 0
    memset(equality.polynomial, 0, sizeof equality.polynomial);
    equality.polynomial[0] = offset;
    equality.polynomial[1] = leader->joint < 0 ? 0 : factor;
    return tact_model_builder_add_equality(urdf->builder, &equality, tact_xml_source(mimic), NULL);
}

TactStatus tact_urdf_add_mimics(TactUrdf *urdf)
{
    for (int i = 0; i < urdf->joint_count; i++) {
        const TactXmlNode *mimic = tact_xml_child(urdf->joints[i].node, "mimic");
        if (mimic) {
            TACT_TRY(add_mimic(urdf, &urdf->joints[i], mimic));
        }
    }
    return TACT_OK;
}
