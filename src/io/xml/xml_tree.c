#include "io/xml/xml_tree.h"

#include <stdio.h>
#include <string.h>

TactXmlNode *tact_xml_add_node(TactXml *xml, TactXmlNode *parent, const char *name,
                               const char *file, int line)
{
    TactXmlNode *node = tact_xml_pool_take(&xml->pool, 1, sizeof *node);
    if (!node) {
        return NULL;
    }
    node->name = name;
    node->file = file;
    node->line = line;
    node->text = "";
    node->parent = parent;
    if (parent) {
        if (parent->last) {
            parent->last->next = node;
        } else {
            parent->first = node;
        }
        parent->last = node;
    }
    return node;
}

void tact_xml_move_children(TactXmlNode *parent, TactXmlNode *before, TactXmlNode *from)
{
    if (!from->first) {
        return;
    }
    for (TactXmlNode *child = from->first; child; child = child->next) {
        child->parent = parent;
    }
    TactXmlNode **place = before ? &before->next : &parent->first;
    from->last->next = *place;
    if (!*place) {
        parent->last = from->last;
    }
    *place = from->first;
    from->first = NULL;
    from->last = NULL;
}

void tact_xml_remove(TactXmlNode *parent, TactXmlNode *before, TactXmlNode *child)
{
    *(before ? &before->next : &parent->first) = child->next;
    if (parent->last == child) {
        parent->last = before;
    }
    child->next = NULL;
    child->parent = NULL;
}

TactXmlNode *tact_xml_following_beside(const TactXmlNode *root, const TactXmlNode *node)
{
    while (node != root) {
        if (node->next) {
            return node->next;
        }
        node = node->parent;
    }
    return NULL;
}

TactXmlNode *tact_xml_following(const TactXmlNode *root, const TactXmlNode *node)
{
    return node->first ? node->first : tact_xml_following_beside(root, node);
}

bool tact_xml_is(const TactXmlNode *node, const char *name)
{
    return strcmp(node->name, name) == 0;
}

static TactXmlNode *find_child(TactXmlNode *node, const char *name)
{
    while (node && !tact_xml_is(node, name)) {
        node = node->next;
    }
    return node;
}

TactXmlNode *tact_xml_child(const TactXmlNode *node, const char *name)
{
    return find_child(node->first, name);
}

TactXmlNode *tact_xml_next(const TactXmlNode *node, const char *name)
{
    return find_child(node->next, name);
}

const TactXmlAttribute *tact_xml_attribute(const TactXmlNode *node, const char *name)
{
    for (int i = 0; i < node->attribute_count; i++) {
        if (strcmp(node->attributes[i].name, name) == 0) {
            return &node->attributes[i];
        }
    }
    return NULL;
}

const char *tact_xml_get(const TactXmlNode *node, const char *name)
{
    const TactXmlAttribute *attribute = tact_xml_attribute(node, name);
    return attribute && attribute->value[0] ? attribute->value : NULL;
}

char *tact_xml_folder(TactXml *xml, const char *path)
{
    const char *slash = strrchr(path, '/');
    size_t      length = slash ? (size_t)(slash - path) : 0;
    if (slash == path) {
        length = 1; // the root folder
    }
    return tact_xml_pool_copy(&xml->pool, path, length);
}

char *tact_xml_join(TactXml *xml, const char *folder, const char *name)
{
    size_t before = name[0] == '/' ? 0 : strlen(folder);
    size_t length = strlen(name);
    char  *path = tact_xml_pool_take(&xml->pool, before + 1 + length + 1, 1);
    if (!path) {
        return NULL;
    }
    bool split = before > 0 && folder[before - 1] != '/';
    snprintf(path, before + 1 + length + 1, "%.*s%s%s", (int)before, folder, split ? "/" : "",
             name);
    return path;
}
