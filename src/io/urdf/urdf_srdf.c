// SRDF: links of a robot whose collisions are switched off.
//
//     disable_collisions link1 link2    of these two
//     disable_default_collisions link   of this one with all others,
//     enable_collisions link1 link2     but not of these two
//
// The rest of such a file is for planners.
#include "base/status.h"
#include "io/urdf/urdf_robot.h"

typedef struct Srdf {
    TactUrdf    *urdf;
    TactXmlNode *root;
    bool        *off; // pairs of links, a < b: off[a * link_count + b]   (link_count x link_count)
} Srdf;

/// A link by an attribute; -1, with a note, if the robot has none of that name: such a file is
/// often made for a larger robot, with a gripper, say, and planners pass over it as well.
static TactStatus find_link(const Srdf *srdf, const TactXmlNode *node, const char *attribute,
                            int *link)
{
    const char *name;
    TACT_TRY(tact_xml_need(node, attribute, &name));
    *link = tact_urdf_find_link(srdf->urdf, name);
    return *link >= 0
               ? TACT_OK
               : tact_model_reader_note(srdf->urdf->reader, node, attribute, TACT_VERDICT_IGNORED,
                                        true, "the robot has no such link");
}

static void switch_pair(const Srdf *srdf, int a, int b, bool off)
{
    size_t count = (size_t)srdf->urdf->link_count;
    if (a >= 0 && b >= 0 && a != b) {
        srdf->off[(size_t)(a < b ? a : b) * count + (size_t)(a < b ? b : a)] = off;
    }
}

/// All pairs of elements that name two links.
static TactStatus switch_pairs(const Srdf *srdf, const char *element, bool off)
{
    for (const TactXmlNode *node = tact_xml_child(srdf->root, element); node;
         node = tact_xml_next(node, element)) {
        int a, b;
        TACT_TRY(find_link(srdf, node, "link1", &a));
        TACT_TRY(find_link(srdf, node, "link2", &b));
        switch_pair(srdf, a, b, off);
    }
    return TACT_OK;
}

static TactStatus switch_defaults(const Srdf *srdf)
{
    static const char element[] = "disable_default_collisions";
    for (const TactXmlNode *node = tact_xml_child(srdf->root, element); node;
         node = tact_xml_next(node, element)) {
        int link;
        TACT_TRY(find_link(srdf, node, "link", &link));
        for (int i = 0; i < srdf->urdf->link_count; i++) {
            switch_pair(srdf, link, i, true);
        }
    }
    return TACT_OK;
}

static TactStatus add_excludes(const Srdf *srdf)
{
    int count = srdf->urdf->link_count;
    for (int a = 0; a < count; a++) {
        for (int b = a + 1; b < count; b++) {
            TactExclude exclude = {srdf->urdf->links[a].body, srdf->urdf->links[b].body};
            if (srdf->off[(size_t)a * (size_t)count + (size_t)b]) {
                TACT_TRY(tact_model_builder_add_exclude(srdf->urdf->builder, exclude,
                                                        tact_xml_source(srdf->root)));
            }
        }
    }
    return TACT_OK;
}

TactStatus tact_urdf_disable_collisions(TactUrdf *urdf)
{
    Srdf srdf = {.urdf = urdf};
    if (!urdf->config->srdf) {
        return TACT_OK;
    }
    TACT_TRY(tact_xml_read(urdf->xml, urdf->config->srdf, &srdf.root));
    if (!tact_xml_is(srdf.root, "robot")) {
        return tact_xml_fail(srdf.root, NULL, TACT_BAD_INPUT,
                             "the root of an SRDF file is <robot>");
    }
    size_t count = (size_t)urdf->link_count;
    srdf.off = tact_xml_pool_take(&urdf->xml->pool, count * count, sizeof *srdf.off);
    if (!srdf.off) {
        return TACT_NO_MEMORY;
    }
    // As MoveIt does: what is disabled stays so, whatever is enabled.
    TACT_TRY(switch_defaults(&srdf));
    TACT_TRY(switch_pairs(&srdf, "enable_collisions", false));
    TACT_TRY(switch_pairs(&srdf, "disable_collisions", true));
    return add_excludes(&srdf);
}
