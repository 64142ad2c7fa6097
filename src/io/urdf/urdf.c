// URDF: robots of ROS, read into a model builder.
//
//     tree      links and joints, joined by their names                      urdf_tree.c
//     gazebo    friction and gravity of links                                urdf_gazebo.c
//     inertia   masses, and what moves                                       urdf_inertia.c
//     geom      shapes and looks                                             urdf_geom.c,
//     urdf_mesh.c joint     what moves links, and joints that mimic others urdf_joint.c notes every
//     element and attribute goes through one table           urdf_notes.c
//
// A link becomes a body of the same name; fixed links stay bodies without joints. What URDF leaves
// open is decided here and said in docs/guide/urdf.md.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/status.h"
#include "io/urdf/urdf_robot.h"

/// The root link is the world itself if it is called so, as simulators of ROS have it.
static bool is_world(const TactUrdfLink *link)
{
    return link->joint < 0 && strcmp(link->name, "world") == 0;
}

static TactStatus add_free_joint(TactUrdf *urdf, const TactUrdfLink *link)
{
    static const char usual[] = "root_joint"; // the name that others give it

    TactJoint free = tact_joint_default(TACT_JOINT_FREE);
    size_t    length = strlen(link->name) + sizeof usual + 1;
    char     *name = tact_xml_pool_take(&urdf->xml->pool, length, 1);
    if (!name) {
        return TACT_NO_MEMORY;
    }
    bool first = link == &urdf->links[urdf->root];
    snprintf(name, length, "%s%s%s", first ? "" : link->name, first ? "" : "_", usual);
    free.name =
        tact_urdf_find_joint(urdf, name) < 0 ? name : ""; // unless the file has such a joint
    free.body = link->body;
    return tact_model_builder_add_joint(urdf->builder, &free, tact_xml_source(link->node), NULL);
}

/// Pose in its parent's body, which for a free joint is the world.
static TactStatus place_body(const TactUrdf *urdf, const TactUrdfLink *link, TactBodyDesc *body)
{
    if (link->joint < 0) {
        return TACT_OK;
    }
    const TactUrdfJoint *joint = &urdf->joints[link->joint];
    const TactUrdfLink  *parent = &urdf->links[joint->parent];
    TACT_TRY(tact_urdf_origin(urdf, joint->node, &body->pose));
    body->parent = parent->body;
    if (joint->type != TACT_URDF_FLOATING || !parent->still) {
        return TACT_OK;
    }
    body->parent = 0;
    while (parent->joint >= 0) {
        TactTransform pose;
        TACT_TRY(tact_urdf_origin(urdf, urdf->joints[parent->joint].node, &pose));
        body->pose = tact_transform_multiply(pose, body->pose);
        parent = &urdf->links[urdf->joints[parent->joint].parent];
    }
    return TACT_OK;
}

/// A link that hangs on another may be called 'world'; the body of that name is the world itself.
static TactStatus name_body(TactUrdf *urdf, const TactUrdfLink *link, const char **name)
{
    *name = link->name;
    if (strcmp(link->name, "world") != 0) {
        return TACT_OK;
    }
    *name = "world_link";
    return tact_urdf_note(urdf, link->node, "name", TACT_VERDICT_APPROXIMATED, false,
                          "it hangs on another link and is not the world: its body is called "
                          "'world_link'");
}

static TactStatus add_link_body(TactUrdf *urdf, TactUrdfLink *link)
{
    if (is_world(link) && urdf->config->urdf_free) {
        return tact_xml_fail(link->node, NULL, TACT_BAD_INPUT,
                             "link 'world' is the world, which does not float");
    }
    if (is_world(link)) {
        link->body = 0;
        return TACT_OK;
    }
    TactBodyDesc body = tact_body_default();
    TACT_TRY(name_body(urdf, link, &body.name));
    body.gravity_compensation = link->no_gravity ? 1 : 0;
    TACT_TRY(place_body(urdf, link, &body));
    TACT_TRY(tact_urdf_body_inertia(urdf, link, &body.inertia, &body.has_inertia));
    return tact_model_builder_add_body(urdf->builder, &body, tact_xml_source(link->node),
                                       &link->body);
}

static TactStatus add_link(TactUrdf *urdf, TactUrdfLink *link)
{
    TACT_TRY(add_link_body(urdf, link));
    if (link->joint >= 0) {
        TACT_TRY(tact_urdf_add_joint(urdf, &urdf->joints[link->joint]));
    } else if (urdf->config->urdf_free) {
        TACT_TRY(add_free_joint(urdf, link));
    }
    return tact_urdf_add_geoms(urdf, link);
}

static TactStatus set_config(const TactUrdf *urdf)
{
    TactModelConfig config = tact_model_config_default();
    const char     *name = tact_xml_get(urdf->robot, "name");
    config.name = name ? name : "";
    config.inertia_rule = TACT_INERTIA_RULE_AS_STATED;
    return tact_model_builder_set_config(urdf->builder, &config);
}

/// Does a file define macros, or need them?
static bool has_macros(const TactXmlNode *robot)
{
    static const char *const words[] = {"include", "macro", "property", "arg", "if", "unless"};
    for (const TactXmlNode *node = robot; node; node = tact_xml_following(robot, node)) {
        for (int i = 0; i < (int)(sizeof words / sizeof *words); i++) {
            if (strncmp(node->name, "xacro:", 6) == 0 && strcmp(node->name + 6, words[i]) == 0) {
                return true;
            }
        }
        for (int i = 0; i < node->attribute_count; i++) {
            if (strstr(node->attributes[i].value, "${")) {
                return true;
            }
        }
    }
    return false;
}

/// Files with macros are programs that make a URDF, not URDFs. What an expansion has left over of
/// macros that it did not know is noted.
static TactStatus check_expanded(TactUrdf *urdf)
{
    bool is_program = has_macros(urdf->robot);
    for (const TactXmlNode *node = urdf->robot->first; node; node = node->next) {
        if (strncmp(node->name, "xacro:", 6) != 0) {
            continue;
        }
        if (is_program) {
            return tact_xml_fail(
                node, NULL, TACT_BAD_INPUT,
                "macros must be expanded first: xacro FILE > FILE.urdf, or --xacro");
        }
        TACT_TRY(tact_urdf_note(urdf, node, "", TACT_VERDICT_IGNORED, true,
                                "a macro that xacro did not know when it made this file"));
    }
    return TACT_OK;
}

/// "$(optenv NAME VALUE)" and "$(env NAME)" in attributes, which xacro leaves to be read later: the
/// variable of the environment, or the value.
static TactStatus fill_in_environment(TactUrdf *urdf)
{
    for (TactXmlNode *node = (TactXmlNode *)urdf->robot; node;
         node = tact_xml_following(urdf->robot, node)) {
        for (int i = 0; i < node->attribute_count; i++) {
            const char *text = node->attributes[i].value;
            size_t      length = strlen(text);
            bool        optional = strncmp(text, "$(optenv ", 9) == 0;
            bool        needed = strncmp(text, "$(env ", 6) == 0;
            if ((!optional && !needed) || text[length - 1] != ')') {
                continue;
            }
            const char *name = text + (optional ? 9 : 6);
            size_t      size = strcspn(name, " )");
            char       *word = tact_xml_pool_copy(&urdf->xml->pool, name, size);
            const char *rest = name + size + (name[size] == ' ');
            char       *fallback =
                tact_xml_pool_copy(&urdf->xml->pool, rest, (size_t)(text + length - 1 - rest));
            if (!word || !fallback) {
                return TACT_NO_MEMORY;
            }
            const char *value = getenv(word);
            if (!value && needed) {
                return tact_xml_fail(node, node->attributes[i].name, TACT_BAD_INPUT,
                                     "the environment has no variable '%.80s'", word);
            }
            node->attributes[i].value =
                value ? tact_xml_pool_copy(&urdf->xml->pool, value, strlen(value)) : fallback;
        }
    }
    return TACT_OK;
}

TactStatus tact_urdf_read(TactModelReader *reader)
{
    TactUrdf urdf = {
        .reader = reader,
        .xml = &reader->xml,
        .robot = reader->root,
        .config = reader->config,
        .builder = reader->builder,
    };
    TACT_TRY(check_expanded(&urdf));
    TACT_TRY(fill_in_environment(&urdf));
    TACT_TRY(set_config(&urdf));
    TACT_TRY(tact_urdf_find_tree(&urdf));
    TACT_TRY(tact_urdf_extensions(&urdf));
    TACT_TRY(tact_urdf_find_materials(&urdf));
    TACT_TRY(tact_urdf_weigh(&urdf));
    for (int i = urdf.root; i >= 0; i = tact_urdf_next_link(&urdf, i)) {
        TACT_TRY(add_link(&urdf, &urdf.links[i]));
    }
    TACT_TRY(tact_urdf_add_mimics(&urdf));
    TACT_TRY(tact_urdf_disable_collisions(&urdf));
    return tact_urdf_note_all(&urdf);
}
