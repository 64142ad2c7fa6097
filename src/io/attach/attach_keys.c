// Keyframes of files that are attached: which joints and actuators their numbers belong to.
#include "base/status.h"
#include "io/attach/attach.h"

/// Is a node inside of an element of that name?
static bool stands_inside(const TactXmlNode *node, const char *name)
{
    for (node = node->parent; node; node = node->parent) {
        if (tact_xml_is(node, name)) {
            return true;
        }
    }
    return false;
}

/// The body that a joint moves: frames stand between them.
static const TactXmlNode *body_of(const TactXmlNode *node)
{
    for (node = node->parent; node && !tact_xml_is(node, "body");) {
        node = node->parent;
    }
    return node;
}

static bool is_joint(const TactXmlNode *node)
{
    return tact_xml_is(node, "joint") || tact_xml_is(node, "freejoint");
}

/// Joints body by body, bodies in the order of the file: how many, or the list. -1: some of them
/// are replicated.
static int list_joints(const TactXmlNode *root, const TactXmlNode **list)
{
    int count = 0;
    for (TactXmlNode *world = tact_xml_child(root, "worldbody"); world;
         world = tact_xml_next(world, "worldbody")) {
        for (const TactXmlNode *body = world->first; body; body = tact_xml_following(world, body)) {
            if (!tact_xml_is(body, "body")) {
                continue;
            }
            for (const TactXmlNode *node = body->first; node;) {
                if (is_joint(node) && body_of(node) == body) {
                    if (stands_inside(node, "replicate")) {
                        return -1;
                    }
                    if (list) {
                        list[count] = node;
                    }
                    count++;
                }
                node = tact_xml_is(node, "frame") ? tact_xml_following(body, node)
                                                  : tact_xml_following_beside(body, node);
            }
        }
    }
    return count;
}

static int list_actuators(const TactXmlNode *root, const TactXmlNode **list)
{
    int count = 0;
    for (TactXmlNode *top = tact_xml_child(root, "actuator"); top;
         top = tact_xml_next(top, "actuator")) {
        for (const TactXmlNode *node = top->first; node; node = node->next) {
            if (list) {
                list[count] = node;
            }
            count++;
        }
    }
    return count;
}

TactStatus tact_attach_keys(TactAttachments *a, const TactXmlNode *root, TactAttachedKey **place)
{
    const TactXmlNode **joints = NULL, **actuators = NULL;
    int                 joint_count = list_joints(root, NULL);
    int                 actuator_count = list_actuators(root, NULL);
    for (TactXmlNode *top = tact_xml_child(root, "keyframe"); top && joint_count >= 0;
         top = tact_xml_next(top, "keyframe")) {
        for (const TactXmlNode *node = top->first; node; node = node->next) {
            if (!joints) {
                joints = tact_xml_pool_take(&a->xml->pool, (size_t)joint_count + 1,
                                            sizeof(TactXmlNode *));
                actuators = tact_xml_pool_take(&a->xml->pool, (size_t)actuator_count + 1,
                                               sizeof(TactXmlNode *));
                if (!joints || !actuators) {
                    return TACT_NO_MEMORY;
                }
                list_joints(root, joints);
                list_actuators(root, actuators);
            }
            TactAttachedKey *key = tact_xml_pool_take(&a->xml->pool, 1, sizeof *key);
            const char      *name = tact_xml_get(node, "name");
            if (!key) {
                return TACT_NO_MEMORY;
            }
            *key = (TactAttachedKey){.next = *place,
                                     .node = node,
                                     .name = name ? name : "",
                                     .joints = joints,
                                     .joint_count = joint_count,
                                     .actuators = actuators,
                                     .actuator_count = actuator_count};
            *place = key;
            place = &key->next;
        }
    }
    return TACT_OK;
}

TactStatus tact_attach_prefix_keys(TactAttachments *a, TactAttachedKey *from, const char *prefix)
{
    for (TactAttachedKey *key = from; key; key = key->next) {
        key->name = key->name[0] ? tact_attach_join(a->xml, prefix, key->name) : key->name;
        if (!key->name) {
            return TACT_NO_MEMORY;
        }
    }
    return TACT_OK;
}
