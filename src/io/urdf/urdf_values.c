// Values that many elements of a URDF share.
#include "base/status.h"
#include "io/urdf/urdf_robot.h"

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
