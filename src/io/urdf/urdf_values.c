// Values that many elements of a URDF share.
#include <string.h>

#include "base/status.h"
#include "io/urdf/urdf_robot.h"

/// quat_xyzw of URDF 1.1 and later, the scalar last.
static TactStatus read_quat(const TactUrdf *urdf, const TactXmlNode *origin, TactQuat *rotation)
{
    double q[4];
    if (tact_xml_get(origin, "rpy")) {
        return tact_xml_fail(origin, "quat_xyzw", TACT_BAD_INPUT, "there is rpy as well");
    }
    TACT_TRY(tact_xml_reals(urdf->xml, origin, "quat_xyzw", 4, 4, q, NULL));
    if (q[0] == 0 && q[1] == 0 && q[2] == 0 && q[3] == 0) {
        return tact_xml_fail(origin, "quat_xyzw", TACT_BAD_INPUT, "it must not be zero");
    }
    *rotation = tact_quat_normalise((TactQuat){q[3], q[0], q[1], q[2]});
    return TACT_OK;
}

/// Before version 1.1 it was not known, and rpy counted.
bool tact_urdf_has_quat(const TactUrdf *urdf, const TactXmlNode *origin)
{
    const char *version = tact_xml_get(urdf->robot, "version");
    return tact_xml_get(origin, "quat_xyzw") && version && strcmp(version, "1.0") != 0 &&
           strcmp(version, "1") != 0;
}

TactStatus tact_urdf_origin(const TactUrdf *urdf, const TactXmlNode *node, TactTransform *pose)
{
    const TactXmlNode *origin = tact_xml_child(node, "origin");
    double             xyz[3] = {0};
    double             rpy[3] = {0};
    if (origin) {
        TACT_TRY(tact_xml_reals(urdf->xml, origin, "xyz", 3, 3, xyz, NULL));
        TACT_TRY(tact_xml_reals(urdf->xml, origin, "rpy", 3, 3, rpy, NULL));
    }
    pose->position = (TactVec3){xyz[0], xyz[1], xyz[2]};
    if (origin && tact_urdf_has_quat(urdf, origin)) {
        return read_quat(urdf, origin, &pose->rotation);
    }
    // Roll, pitch, yaw about axes that stay in space: R = Rz(yaw) Ry(pitch) Rx(roll).
    return tact_quat_from_euler("XYZ", (TactVec3){rpy[0], rpy[1], rpy[2]}, &pose->rotation);
}

TactStatus tact_urdf_need_real(const TactUrdf *urdf, const TactXmlNode *node, const char *name,
                               double *value)
{
    const char *text;
    TACT_TRY(tact_xml_need(node, name, &text));
    return tact_xml_real(urdf->xml, node, name, value);
}

TactStatus tact_urdf_text_real(const TactUrdf *urdf, const TactXmlNode *node, double *value)
{
    return tact_xml_parse_reals(urdf->xml, node, NULL, node->text, 1, 1, value, NULL);
}
