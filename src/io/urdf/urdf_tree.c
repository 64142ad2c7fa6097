// Links and joints of a URDF, joined to one tree.
#include <stdlib.h>
#include <string.h>

#include "base/status.h"
#include "io/urdf/urdf_robot.h"

static int count_children(const TactXmlNode *node, const char *name)
{
    int count = 0;
    for (const TactXmlNode *at = tact_xml_child(node, name); at; at = tact_xml_next(at, name)) {
        count++;
    }
    return count;
}

// ---------------------------------------------------------------------------------------------
// Names

/// By name, then in the order of the file.
static int compare_names(const void *a, const void *b)
{
    const TactUrdfName *first = a;
    const TactUrdfName *second = b;
    int                 order = strcmp(first->name, second->name);
    return order ? order : (first->index > second->index) - (first->index < second->index);
}

/// Sorts names; the index of the first thing whose name is taken, or -1, is written to again.
static void sort_names(TactUrdfName *names, int count, int *again)
{
    qsort(names, (size_t)count, sizeof *names, compare_names);
    *again = -1;
    for (int i = 1; i < count; i++) {
        if (strcmp(names[i - 1].name, names[i].name) == 0 &&
            (*again < 0 || names[i].index < *again)) {
            *again = names[i].index;
        }
    }
}

static int find_name(const TactUrdfName *names, int count, const char *name)
{
    int lo = 0;
    int hi = count;
    while (lo < hi) {
        int middle = lo + (hi - lo) / 2;
        if (strcmp(names[middle].name, name) < 0) {
            lo = middle + 1;
        } else {
            hi = middle;
        }
    }
    return lo < count && strcmp(names[lo].name, name) == 0 ? names[lo].index : -1;
}

int tact_urdf_find_link(const TactUrdf *urdf, const char *name)
{
    return find_name(urdf->link_names, urdf->link_count, name);
}

int tact_urdf_find_joint(const TactUrdf *urdf, const char *name)
{
    return find_name(urdf->joint_names, urdf->joint_count, name);
}

// ---------------------------------------------------------------------------------------------
// Links and joints

/// The <parent link="world"/> of a file that has no such link: it is meant to be there. NULL: none.
static const TactXmlNode *find_undeclared_world(const TactXmlNode *robot)
{
    const TactXmlNode *world = NULL;
    for (const TactXmlNode *at = tact_xml_child(robot, "link"); at;
         at = tact_xml_next(at, "link")) {
        const char *name = tact_xml_get(at, "name");
        if (name && strcmp(name, "world") == 0) {
            return NULL;
        }
    }
    for (const TactXmlNode *at = tact_xml_child(robot, "joint"); at && !world;
         at = tact_xml_next(at, "joint")) {
        const TactXmlNode *parent = tact_xml_child(at, "parent");
        const char        *name = parent ? tact_xml_get(parent, "link") : NULL;
        world = name && strcmp(name, "world") == 0 ? parent : NULL;
    }
    return world;
}

static TactUrdfLink new_link(const TactXmlNode *node)
{
    return (TactUrdfLink){.node = node,
                          .joint = -1,
                          .first_child = -1,
                          .last_child = -1,
                          .next_root = -1,
                          .body = -1,
                          .mu = -1,
                          .mu_spin = -1,
                          .mu_roll = -1};
}

static TactStatus read_links(TactUrdf *urdf)
{
    urdf->link_count = count_children(urdf->robot, "link");
    if (urdf->link_count == 0) {
        return tact_xml_fail(urdf->robot, NULL, TACT_BAD_INPUT, "there is no link");
    }
    const TactXmlNode *world = find_undeclared_world(urdf->robot);
    urdf->link_count += world != NULL;
    size_t count = (size_t)urdf->link_count;
    urdf->links = tact_xml_pool_take(&urdf->xml->pool, count, sizeof *urdf->links);
    urdf->link_names = tact_xml_pool_take(&urdf->xml->pool, count, sizeof *urdf->link_names);
    if (!urdf->links || !urdf->link_names) {
        return TACT_NO_MEMORY;
    }
    int i = 0;
    for (const TactXmlNode *node = tact_xml_child(urdf->robot, "link"); node;
         node = tact_xml_next(node, "link"), i++) {
        TactUrdfLink *link = &urdf->links[i];
        *link = new_link(node);
        TACT_TRY(tact_xml_need(node, "name", &link->name));
        urdf->link_names[i] = (TactUrdfName){link->name, i};
    }
    if (world) {
        urdf->links[i] = new_link(world);
        urdf->links[i].name = "world";
        urdf->link_names[i] = (TactUrdfName){"world", i};
        TACT_TRY(tact_urdf_note(urdf, world, "link", TACT_VERDICT_APPROXIMATED, false,
                                "no such link is declared: it is the world"));
    }
    int again;
    sort_names(urdf->link_names, urdf->link_count, &again);
    if (again >= 0) {
        const char *name = urdf->links[again].name;
        return tact_xml_fail(urdf->links[again].node, "name", TACT_BAD_INPUT,
                             "there is a link '%.80s' already, on line %d", name,
                             urdf->links[tact_urdf_find_link(urdf, name)].node->line);
    }
    return TACT_OK;
}

/// The link that <parent link="..."/> or <child link="..."/> of a joint names.
static TactStatus read_end(const TactUrdf *urdf, const TactUrdfJoint *joint, const char *end,
                           int *link)
{
    const TactXmlNode *node = tact_xml_child(joint->node, end);
    const char        *name;
    if (!node) {
        return tact_xml_fail(joint->node, NULL, TACT_BAD_INPUT, "joint '%.80s' has no <%s>",
                             joint->name, end);
    }
    TACT_TRY(tact_xml_need(node, "link", &name));
    *link = tact_urdf_find_link(urdf, name);
    if (*link < 0) {
        return tact_xml_fail(node, "link", TACT_BAD_INPUT, "there is no link '%.80s'", name);
    }
    return TACT_OK;
}

static TactStatus read_joint(TactUrdf *urdf, const TactXmlNode *node, int index)
{
    static const char *const types[] = {"fixed",    "revolute", "continuous", "prismatic",
                                        "floating", "planar",   "spherical",  NULL};

    TactUrdfJoint *joint = &urdf->joints[index];
    const char    *type;
    int            kind = 0;
    *joint = (TactUrdfJoint){.node = node, .next = -1, .joint = -1};
    TACT_TRY(tact_xml_need(node, "name", &joint->name));
    TACT_TRY(tact_xml_need(node, "type", &type));
    TACT_TRY(tact_xml_choice(node, "type", types, &kind));
    joint->type = (TactUrdfType)kind;
    TACT_TRY(read_end(urdf, joint, "parent", &joint->parent));
    TACT_TRY(read_end(urdf, joint, "child", &joint->child));
    if (joint->parent == joint->child) {
        return tact_xml_fail(node, NULL, TACT_BAD_INPUT,
                             "joint '%.80s' joins link '%.80s' to itself", joint->name,
                             urdf->links[joint->child].name);
    }
    urdf->joint_names[index] = (TactUrdfName){joint->name, index};
    return TACT_OK;
}

static TactStatus read_joints(TactUrdf *urdf)
{
    urdf->joint_count = count_children(urdf->robot, "joint");
    size_t count = (size_t)urdf->joint_count + 1;
    urdf->joints = tact_xml_pool_take(&urdf->xml->pool, count, sizeof *urdf->joints);
    urdf->joint_names = tact_xml_pool_take(&urdf->xml->pool, count, sizeof *urdf->joint_names);
    if (!urdf->joints || !urdf->joint_names) {
        return TACT_NO_MEMORY;
    }
    int i = 0;
    for (const TactXmlNode *node = tact_xml_child(urdf->robot, "joint"); node;
         node = tact_xml_next(node, "joint")) {
        TACT_TRY(read_joint(urdf, node, i++));
    }
    int again;
    sort_names(urdf->joint_names, urdf->joint_count, &again);
    if (again >= 0) {
        const char *name = urdf->joints[again].name;
        return tact_xml_fail(urdf->joints[again].node, "name", TACT_BAD_INPUT,
                             "there is a joint '%.80s' already, on line %d", name,
                             urdf->joints[tact_urdf_find_joint(urdf, name)].node->line);
    }
    return TACT_OK;
}

// ---------------------------------------------------------------------------------------------
// The tree

static TactStatus join_links(TactUrdf *urdf)
{
    for (int i = 0; i < urdf->joint_count; i++) {
        TactUrdfJoint *joint = &urdf->joints[i];
        TactUrdfLink  *parent = &urdf->links[joint->parent];
        TactUrdfLink  *child = &urdf->links[joint->child];
        if (child->joint >= 0) {
            return tact_xml_fail(
                joint->node, NULL, TACT_BAD_INPUT,
                "link '%.80s' has two parents, joints '%.80s' and '%.80s': a URDF is a tree, "
                "without loops",
                child->name, urdf->joints[child->joint].name, joint->name);
        }
        child->joint = i;
        if (parent->last_child < 0) {
            parent->first_child = i;
        } else {
            urdf->joints[parent->last_child].next = i;
        }
        parent->last_child = i;
    }
    return TACT_OK;
}

/// Links without a parent, mostly one; if every link has one, they go round in a circle.
static TactStatus find_roots(TactUrdf *urdf)
{
    int *place = &urdf->root;
    *place = -1;
    for (int i = 0; i < urdf->link_count; i++) {
        TactUrdfLink *link = &urdf->links[i];
        if (link->joint >= 0) {
            continue;
        }
        if (urdf->root >= 0) {
            TACT_TRY(tact_urdf_note(urdf, link->node, "", TACT_VERDICT_APPROXIMATED, true,
                                    "another root: it is attached to the world too, as in MuJoCo"));
        }
        *place = i;
        place = &link->next_root;
    }
    if (urdf->root < 0) {
        return tact_xml_fail(urdf->links[0].node, NULL, TACT_BAD_INPUT,
                             "there is no root: link '%.80s' is below itself", urdf->links[0].name);
    }
    return TACT_OK;
}

/// With one parent each, links that no root carries go round in a circle. Each link is followed to
/// the first one that is known to hang on a root.
static TactStatus check_circles(const TactUrdf *urdf)
{
    // 0: not seen, 1 + i: seen on the way from link i, -1: hangs on a root
    int *seen = tact_xml_pool_take(&urdf->xml->pool, (size_t)urdf->link_count, sizeof *seen);
    if (!seen) {
        return TACT_NO_MEMORY;
    }
    for (int i = urdf->root; i >= 0; i = urdf->links[i].next_root) {
        seen[i] = -1;
    }
    for (int i = 0; i < urdf->link_count; i++) {
        int at = i;
        while (seen[at] == 0) {
            seen[at] = 1 + i;
            at = urdf->joints[urdf->links[at].joint].parent;
        }
        if (seen[at] == 1 + i) {
            return tact_xml_fail(urdf->links[at].node, NULL, TACT_BAD_INPUT,
                                 "link '%.80s' is below itself", urdf->links[at].name);
        }
        for (at = i; seen[at] != -1; at = urdf->joints[urdf->links[at].joint].parent) {
            seen[at] = -1;
        }
    }
    return TACT_OK;
}

int tact_urdf_next_link(const TactUrdf *urdf, int link)
{
    int joint = urdf->links[link].first_child;
    while (joint < 0 && urdf->links[link].joint >= 0) {
        joint = urdf->joints[urdf->links[link].joint].next;
        link = urdf->joints[urdf->links[link].joint].parent;
    }
    return joint < 0 ? urdf->links[link].next_root : urdf->joints[joint].child;
}

TactStatus tact_urdf_find_tree(TactUrdf *urdf)
{
    TACT_TRY(read_links(urdf));
    TACT_TRY(read_joints(urdf));
    TACT_TRY(join_links(urdf));
    TACT_TRY(find_roots(urdf));
    return check_circles(urdf);
}
