// SRDF: links of a robot whose collisions are switched off, by <disable_collisions link1 link2>.
// The rest of such a file is for planners.
#include "base/status.h"
#include "io/urdf/urdf_robot.h"

static TactStatus find_body(const TactUrdf *urdf, const TactXmlNode *node, const char *attribute,
                            int *body)
{
    const char *name;
    TACT_TRY(tact_xml_need(node, attribute, &name));
    int link = tact_urdf_find_link(urdf, name);
    if (link < 0) {
        return tact_xml_fail(node, attribute, TACT_BAD_INPUT, "the robot has no link '%.80s'",
                             name);
    }
    *body = urdf->links[link].body;
    return TACT_OK;
}

TactStatus tact_urdf_disable_collisions(TactUrdf *urdf)
{
    TactXmlNode *root;
    if (!urdf->config->srdf) {
        return TACT_OK;
    }
    TACT_TRY(tact_xml_read(urdf->xml, urdf->config->srdf, &root));
    for (const TactXmlNode *node = tact_xml_child(root, "disable_collisions"); node;
         node = tact_xml_next(node, "disable_collisions")) {
        TactExclude exclude = {0, 0};
        TACT_TRY(find_body(urdf, node, "link1", &exclude.a));
        TACT_TRY(find_body(urdf, node, "link2", &exclude.b));
        TACT_TRY(tact_model_builder_add_exclude(urdf->builder, exclude, tact_xml_source(node)));
    }
    return TACT_OK;
}
