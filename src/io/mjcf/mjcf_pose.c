// Where things stand: all the forms in which MJCF says it.
#include <math.h>

#include "base/status.h"
#include "io/mjcf/mjcf.h"

TactMjcfPose tact_mjcf_pose_identity(void)
{
    TactMjcfPose pose = {.quat = {1, 0, 0, 0}};
    return pose;
}

static const struct {
    const char *name;
    int         count;
} forms[] = {
    [TACT_MJCF_QUAT] = {"quat", 4},     [TACT_MJCF_AXISANGLE] = {"axisangle", 4},
    [TACT_MJCF_XYAXES] = {"xyaxes", 6}, [TACT_MJCF_ZAXIS] = {"zaxis", 3},
    [TACT_MJCF_EULER] = {"euler", 3},
};

enum { FORMS = sizeof forms / sizeof forms[0] };

static TactStatus read_position(const TactMjcf *mjcf, const TactXmlNode *node, TactVec3 *position)
{
    double x[3] = {position->x, position->y, position->z};
    TACT_TRY(tact_xml_reals(mjcf->xml, node, "pos", 3, 3, x, NULL));
    *position = (TactVec3){x[0], x[1], x[2]};
    return TACT_OK;
}

TactStatus tact_mjcf_read_pose(const TactMjcf *mjcf, const TactXmlNode *node, TactMjcfPose *pose)
{
    TACT_TRY(read_position(mjcf, node, &pose->position));
    int given = 0;
    for (int i = 0; i < FORMS; i++) {
        double values[6];
        int    count;
        TACT_TRY(tact_xml_reals(mjcf->xml, node, forms[i].name, forms[i].count, forms[i].count,
                                values, &count));
        if (count == 0) {
            continue;
        }
        if (++given > 1) {
            return tact_xml_fail(node, forms[i].name, TACT_BAD_INPUT,
                                 "the orientation is given more than once");
        }
        if (i == TACT_MJCF_QUAT) {
            pose->quat = (TactQuat){values[0], values[1], values[2], values[3]};
        } else {
            pose->alternative = (TactMjcfAlternative)i;
            for (int k = 0; k < count; k++) {
                pose->values[k] = values[k];
            }
        }
    }
    int count;
    TACT_TRY(tact_xml_reals(mjcf->xml, node, "fromto", 6, 6, pose->fromto, &count));
    pose->has_fromto = pose->has_fromto || count > 0;
    return TACT_OK;
}

// ---------------------------------------------------------------------------------------------
// Rotations

static const double radians_per_degree = 3.14159265358979323846 / 180;

static double to_radians(const TactMjcf *mjcf, const TactXmlNode *node, double angle)
{
    return tact_mjcf_compiler(mjcf, node)->degrees ? angle * radians_per_degree : angle;
}

/// The smallest rotation that takes z to the vector.
static TactQuat rotate_z_to(TactVec3 vector)
{
    TactVec3 z = tact_vec3_normalise(vector);
    TactVec3 axis = tact_vec3_cross((TactVec3){0, 0, 1}, z);
    double   sine = tact_vec3_norm(axis);
    if (sine < 1e-10) {
        axis = (TactVec3){1, 0, 0};
    }
    return tact_quat_from_axis_angle(axis, atan2(sine, z.z));
}

static TactStatus from_axes(const TactXmlNode *node, const double *v, TactQuat *rotation)
{
    TactVec3 x = tact_vec3_normalise((TactVec3){v[0], v[1], v[2]});
    TactVec3 y = {v[3], v[4], v[5]};
    y = tact_vec3_add_scaled(y, -tact_vec3_dot(x, y), x);
    double height = tact_vec3_norm(y);
    if (tact_vec3_norm(x) == 0 || !(height > 1e-14)) {
        return tact_xml_fail(node, "xyaxes", TACT_BAD_INPUT, "the two axes span no plane");
    }
    y = tact_vec3_normalise(y);
    *rotation = tact_quat_from_mat3(tact_mat3_from_columns(x, y, tact_vec3_cross(x, y)));
    return TACT_OK;
}

TactStatus tact_mjcf_rotation(const TactMjcf *mjcf, const TactXmlNode *node,
                              const TactMjcfPose *pose, TactQuat *rotation)
{
    const double *v = pose->values;
    TactVec3      vector = {v[0], v[1], v[2]};
    switch (pose->alternative) {
    case TACT_MJCF_QUAT: {
        TactQuat q = pose->quat;
        if (q.w == 0 && q.x == 0 && q.y == 0 && q.z == 0) {
            return tact_xml_fail(node, "quat", TACT_BAD_INPUT, "is zero");
        }
        *rotation = tact_quat_normalise(q);
        return TACT_OK;
    }
    case TACT_MJCF_AXISANGLE:
        if (tact_vec3_norm(vector) == 0) {
            return tact_xml_fail(node, "axisangle", TACT_BAD_INPUT, "the axis is zero");
        }
        *rotation = tact_quat_from_axis_angle(vector, to_radians(mjcf, node, v[3]));
        return TACT_OK;
    case TACT_MJCF_XYAXES: return from_axes(node, v, rotation);
    case TACT_MJCF_ZAXIS:
        if (tact_vec3_norm(vector) == 0) {
            return tact_xml_fail(node, "zaxis", TACT_BAD_INPUT, "is zero");
        }
        *rotation = rotate_z_to(vector);
        return TACT_OK;
    case TACT_MJCF_EULER: {
        TactVec3 angles = {to_radians(mjcf, node, v[0]), to_radians(mjcf, node, v[1]),
                           to_radians(mjcf, node, v[2])};
        return tact_quat_from_euler(tact_mjcf_compiler(mjcf, node)->euler, angles, rotation);
    }
    }
    return TACT_OK;
}

TactStatus tact_mjcf_transform(const TactMjcf *mjcf, const TactXmlNode *node,
                               const TactMjcfPose *pose, TactTransform *transform)
{
    transform->position = pose->position;
    return tact_mjcf_rotation(mjcf, node, pose, &transform->rotation);
}

// ---------------------------------------------------------------------------------------------
// From here to there

TactStatus tact_mjcf_place(const TactMjcf *mjcf, const TactXmlNode *node, const TactMjcfPose *pose,
                           TactMjcfShape shape, double size[3], TactTransform *transform)
{
    if (!pose->has_fromto) {
        return tact_mjcf_transform(mjcf, node, pose, transform);
    }
    if (shape != TACT_MJCF_CAPSULE && shape != TACT_MJCF_CYLINDER && shape != TACT_MJCF_BOX &&
        shape != TACT_MJCF_ELLIPSOID) {
        return tact_xml_fail(node, "fromto", TACT_BAD_INPUT,
                             "only a capsule, cylinder, box or ellipsoid can have it");
    }
    if (tact_vec3_norm(pose->position) != 0) {
        return tact_xml_fail(node, "fromto", TACT_BAD_INPUT, "there is a pos too");
    }
    TactVec3 from = {pose->fromto[0], pose->fromto[1], pose->fromto[2]};
    TactVec3 to = {pose->fromto[3], pose->fromto[4], pose->fromto[5]};
    TactVec3 axis = tact_vec3_subtract(from, to); // z points back, as in MuJoCo
    double   half = tact_vec3_norm(axis) / 2;
    if (!(half > 1e-14)) {
        return tact_xml_fail(node, "fromto", TACT_BAD_INPUT, "the two points are one");
    }
    size[1] = half;
    if (shape == TACT_MJCF_BOX || shape == TACT_MJCF_ELLIPSOID) {
        size[2] = half;
        size[1] = size[0];
    }
    transform->position = tact_vec3_scale(0.5, tact_vec3_add(from, to));
    transform->rotation = rotate_z_to(axis);
    return TACT_OK;
}
