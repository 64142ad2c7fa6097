// Names of what is attached: prefixes, and which elements name only what is there.
#include <stdio.h>
#include <string.h>

#include "base/status.h"
#include "io/attach/attach.h"

/// Kinds of things that elements name; the first are those of the tree of bodies.
typedef enum Kind { BODY, JOINT, GEOM, SITE, CAMERA, TENDON, ACTUATOR, OTHER, BY_TYPE } Kind;

static const struct {
    const char *attribute;
    Kind        kind;
} references[] = {
    {"joint", JOINT},     {"jointinparent", JOINT}, {"joint1", JOINT},      {"joint2", JOINT},
    {"body", BODY},       {"body1", BODY},          {"body2", BODY},        {"subtree1", BODY},
    {"subtree2", BODY},   {"geom", GEOM},           {"geom1", GEOM},        {"geom2", GEOM},
    {"site", SITE},       {"site1", SITE},          {"site2", SITE},        {"sidesite", SITE},
    {"refsite", SITE},    {"cranksite", SITE},      {"slidersite", SITE},   {"tendon", TENDON},
    {"tendon1", TENDON},  {"tendon2", TENDON},      {"actuator", ACTUATOR}, {"objname", BY_TYPE},
    {"refname", BY_TYPE}, {"name", OTHER},          {"class", OTHER},       {"childclass", OTHER},
    {"mesh", OTHER},      {"hfield", OTHER},        {"material", OTHER},    {"texture", OTHER},
    {"target", OTHER},    {"camera", CAMERA},
};

enum { REFERENCES = sizeof references / sizeof references[0] };

const char *tact_attach_join(TactXml *xml, const char *prefix, const char *name)
{
    size_t size = strlen(prefix) + strlen(name) + 1;
    char  *whole = tact_xml_pool_take(&xml->pool, size, 1);
    if (whole) {
        snprintf(whole, size, "%s%s", prefix, name);
    }
    return whole;
}

TactStatus tact_attach_set(TactXml *xml, TactXmlNode *node, const char *name, const char *value)
{
    for (int i = 0; i < node->attribute_count; i++) {
        if (strcmp(node->attributes[i].name, name) == 0) {
            node->attributes[i].value = value;
            return TACT_OK;
        }
    }
    size_t            count = (size_t)node->attribute_count;
    TactXmlAttribute *all = tact_xml_pool_take(&xml->pool, count + 1, sizeof *all);
    if (!all) {
        return TACT_NO_MEMORY;
    }
    if (count > 0) {
        memcpy(all, node->attributes, count * sizeof *all);
    }
    all[count] = (TactXmlAttribute){name, value, node->line};
    node->attributes = all;
    node->attribute_count++;
    return TACT_OK;
}

static int find_reference(const char *attribute)
{
    int i = 0;
    while (i < REFERENCES && strcmp(references[i].attribute, attribute) != 0) {
        i++;
    }
    return i < REFERENCES ? i : -1;
}

/// An asset without a name has that of its file, without folder and ending.
static TactStatus name_asset(TactXml *xml, TactXmlNode *node)
{
    const char *file = tact_xml_get(node, "file");
    if (!file || tact_xml_get(node, "name")) {
        return TACT_OK;
    }
    const char *slash = strrchr(file, '/');
    const char *base = slash ? slash + 1 : file;
    const char *dot = strrchr(base, '.');
    char       *name = tact_xml_pool_copy(&xml->pool, base,
                                    dot && dot != base ? (size_t)(dot - base) : strlen(base));
    return name ? tact_attach_set(xml, node, "name", name) : TACT_NO_MEMORY;
}

static TactStatus prefix_node(TactXml *xml, TactXmlNode *node, const char *prefix)
{
    if (node->parent && tact_xml_is(node->parent, "asset")) {
        TACT_TRY(name_asset(xml, node));
    }
    for (int i = 0; i < node->attribute_count; i++) {
        TactXmlAttribute *attribute = &node->attributes[i];
        int               found = find_reference(attribute->name);
        bool world = strcmp(attribute->value, "world") == 0 && found >= 0 && // stays the world
                     (references[found].kind == BODY || references[found].kind == BY_TYPE);
        bool name = found >= 0 && attribute->value[0] && !world;
        if (name) {
            attribute->value = tact_attach_join(xml, prefix, attribute->value);
            if (!attribute->value) {
                return TACT_NO_MEMORY;
            }
        }
    }
    return TACT_OK;
}

TactStatus tact_attach_prefix(TactXml *xml, TactXmlNode *root, const char *prefix)
{
    for (TactXmlNode *node = root->first; node; node = tact_xml_following(root, node)) {
        TACT_TRY(prefix_node(xml, node, prefix));
    }
    return TACT_OK;
}

// ---------------------------------------------------------------------------------------------
// What is there

typedef struct Name Name;
struct Name {
    Name       *next;
    Kind        kind;
    const char *name;
};

static TactStatus add_name(TactXml *xml, Name **names, Kind kind, const char *name)
{
    Name *entry = name ? tact_xml_pool_take(&xml->pool, 1, sizeof *entry) : NULL;
    if (entry) {
        *entry = (Name){*names, kind, name};
        *names = entry;
    }
    return !name || entry ? TACT_OK : TACT_NO_MEMORY;
}

static bool has_name(const Name *names, Kind kind, const char *name)
{
    while (names && (names->kind != kind || strcmp(names->name, name) != 0)) {
        names = names->next;
    }
    return names != NULL;
}

static Kind kind_of(const char *word)
{
    return strcmp(word, "body") == 0 || strcmp(word, "xbody") == 0        ? BODY
           : strcmp(word, "joint") == 0 || strcmp(word, "freejoint") == 0 ? JOINT
           : strcmp(word, "geom") == 0                                    ? GEOM
           : strcmp(word, "site") == 0                                    ? SITE
           : strcmp(word, "camera") == 0                                  ? CAMERA
                                                                          : OTHER;
}

/// Is all there that an element and its parts name?
static bool is_whole(const Name *names, const TactXmlNode *element)
{
    for (const TactXmlNode *node = element; node; node = tact_xml_following(element, node)) {
        for (int i = 0; i < node->attribute_count; i++) {
            const TactXmlAttribute *attribute = &node->attributes[i];
            int                     found = find_reference(attribute->name);
            Kind                    kind = found >= 0 ? references[found].kind : OTHER;
            if (kind == BY_TYPE) {
                const char *type =
                    tact_xml_get(node, attribute->name[0] == 'o' ? "objtype" : "reftype");
                kind = type ? kind_of(type) : OTHER;
            }
            bool world = kind == BODY && strcmp(attribute->value, "world") == 0;
            if (kind != OTHER && !world && attribute->value[0] &&
                !has_name(names, kind, attribute->value)) {
                return false;
            }
        }
    }
    return true;
}

TactStatus tact_attach_filter(TactXml *xml, TactXmlNode *root, const TactXmlNode *content)
{
    static const struct {
        const char *section;
        Kind        kind; // of what stands in it
    } sections[] = {{"contact", OTHER},
                    {"tendon", TENDON}, // before what names them
                    {"equality", OTHER},
                    {"actuator", ACTUATOR},
                    {"sensor", OTHER}};
    Name *names = NULL;
    for (const TactXmlNode *node = content; node; node = tact_xml_following(content, node)) {
        Kind kind = kind_of(node->name);
        if (kind != OTHER) {
            TACT_TRY(add_name(xml, &names, kind, tact_xml_get(node, "name")));
        }
    }
    for (size_t i = 0; i < sizeof sections / sizeof sections[0]; i++) {
        for (TactXmlNode *top = tact_xml_child(root, sections[i].section); top;
             top = tact_xml_next(top, sections[i].section)) {
            TactXmlNode *before = NULL;
            for (TactXmlNode *node = top->first; node;) {
                TactXmlNode *next = node->next;
                if (is_whole(names, node)) {
                    TACT_TRY(add_name(xml, &names, sections[i].kind, tact_xml_get(node, "name")));
                    before = node;
                } else {
                    tact_xml_remove(top, before, node);
                }
                node = next;
            }
        }
    }
    return TACT_OK;
}
