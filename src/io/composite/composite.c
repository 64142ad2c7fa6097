#include "io/composite/composite.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/status.h"

enum { MOST = 4000 }; // vertices: pieces stand inside one another

/// What a coordinate of a cable does along it.
typedef enum Curve { LINE, COSINE, SINE, NONE } Curve;

/// A cable as its element says it.
typedef struct Cable {
    TactXml     *xml;
    TactXmlNode *root;
    TactXmlNode *node;
    TactXmlNode *joint, *geom, *site; // its children; NULL: none
    const char  *prefix;
    const char  *initial;   // ball, free or none
    double       offset[3]; //
    double       box[3];    // the geom's size
    int          count;     // vertices
    TactVec3    *vertices;  //                                                      (count)
    TactQuat    *rotations; // of pieces                                        (count - 1)
    double      *lengths;   //                                                  (count - 1)
} Cable;

// ---------------------------------------------------------------------------------------------
// What it says

static TactStatus read_curve(const TactXmlNode *node, Curve curve[3])
{
    static const char *const words[] = {"s", "cos(s)", "sin(s)", "0"};

    const char *text = tact_xml_get(node, "curve");
    curve[0] = curve[1] = curve[2] = NONE;
    for (int k = 0; text && *(text += strspn(text, " \t\r\n")); k++) {
        size_t length = strcspn(text, " \t\r\n");
        int    found = -1;
        for (int i = 0; i < 4; i++) {
            found = strlen(words[i]) == length && strncmp(words[i], text, length) == 0 ? i : found;
        }
        if (found < 0 || k >= 3) {
            return tact_xml_fail(node, "curve", TACT_BAD_INPUT,
                                 "up to three of 's', 'cos(s)', 'sin(s)', '0'");
        }
        curve[k] = (Curve)found;
        text += length;
    }
    return TACT_OK;
}

/// v + 2 w (u x v) + 2 u x (u x v): as MuJoCo turns by what need not have length 1.
static TactVec3 turn(const double q[4], TactVec3 v)
{
    TactVec3 u = {q[1], q[2], q[3]}, once = tact_vec3_cross(u, v);
    TactVec3 sum = tact_vec3_add_scaled(v, 2 * q[0], once);
    return tact_vec3_add_scaled(sum, 2, tact_vec3_cross(u, once));
}

static double coordinate(Curve curve, const double size[3], int i, int last)
{
    double angle = 3.14159265358979323846 * i * size[2] / last;
    switch (curve) {
    case LINE: return i * size[0] / last;
    case COSINE: return size[1] * cos(angle);
    case SINE: return size[1] * sin(angle);
    case NONE: break;
    }
    return 0;
}

static TactStatus make_vertices(Cable *cable)
{
    const TactXmlNode *node = cable->node;
    double             size[3] = {1, 0, 0}, quat[4] = {1, 0, 0, 0}, count[3] = {1, 1, 1};
    Curve              curve[3];
    TACT_TRY(tact_xml_reals(cable->xml, node, "count", 1, 3, count, NULL));
    TACT_TRY(tact_xml_reals(cable->xml, node, "size", 1, 3, size, NULL));
    TACT_TRY(tact_xml_reals(cable->xml, node, "quat", 4, 4, quat, NULL));
    TACT_TRY(read_curve(node, curve));
    if (!(count[0] >= 2 && count[0] <= MOST && count[0] == floor(count[0]) && count[1] == 1 &&
          count[2] == 1)) {
        return tact_xml_fail(node, "count", TACT_BAD_INPUT,
                             "a cable has 2 to %d vertices, in one direction", MOST);
    }
    cable->count = (int)count[0];
    cable->vertices =
        tact_xml_pool_take(&cable->xml->pool, (size_t)cable->count, sizeof *cable->vertices);
    for (int i = 0; cable->vertices && i < cable->count; i++) {
        TactVec3 v = {coordinate(curve[0], size, i, cable->count - 1),
                      coordinate(curve[1], size, i, cable->count - 1),
                      coordinate(curve[2], size, i, cable->count - 1)};
        cable->vertices[i] = turn(quat, v);
    }
    return cable->vertices ? TACT_OK : TACT_NO_MEMORY;
}

static TactStatus read_vertices(Cable *cable)
{
    double *all = NULL;
    int     count;
    TACT_TRY(tact_xml_list(cable->xml, cable->node, "vertex", &all, &count));
    if (count == 0) {
        return make_vertices(cable);
    }
    if (tact_xml_get(cable->node, "count")) {
        return tact_xml_fail(cable->node, "vertex", TACT_BAD_INPUT, "there is a count too");
    }
    if (count % 3 != 0 || count < 6 || count > 3 * MOST) {
        return tact_xml_fail(cable->node, "vertex", TACT_BAD_INPUT,
                             "has %d numbers, not three for each of 2 to %d vertices", count, MOST);
    }
    cable->count = count / 3;
    cable->vertices =
        tact_xml_pool_take(&cable->xml->pool, (size_t)cable->count, sizeof *cable->vertices);
    for (int i = 0; cable->vertices && i < cable->count; i++) {
        cable->vertices[i] = (TactVec3){all[3 * i], all[3 * i + 1], all[3 * i + 2]};
    }
    return cable->vertices ? TACT_OK : TACT_NO_MEMORY;
}

static TactStatus read_children(Cable *cable)
{
    static const char *const kinds[] = {"main", NULL};
    static const char *const shapes[] = {"capsule", "cylinder", "box", NULL};

    int kind = -1, shape = -1;
    cable->joint = tact_xml_child(cable->node, "joint");
    cable->geom = tact_xml_child(cable->node, "geom");
    cable->site = tact_xml_child(cable->node, "site");
    if (cable->joint) {
        const char *word;
        TACT_TRY(tact_xml_need(cable->joint, "kind", &word));
        TACT_TRY(tact_xml_choice(cable->joint, "kind", kinds, &kind));
        TactXmlNode *second = tact_xml_next(cable->joint, "joint");
        if (second) {
            return tact_xml_fail(second, NULL, TACT_BAD_INPUT, "the cable has one already");
        }
    }
    if (!cable->geom || !tact_xml_get(cable->geom, "type")) {
        return tact_xml_fail(cable->geom ? cable->geom : cable->node, NULL, TACT_BAD_INPUT,
                             "a cable needs a geom of type capsule, cylinder or box");
    }
    TACT_TRY(tact_xml_choice(cable->geom, "type", shapes, &shape));
    return tact_xml_reals(cable->xml, cable->geom, "size", 1, 3, cable->box, NULL);
}

static TactStatus read_cable(Cable *cable)
{
    static const char *const initials[] = {"ball", "free", "none", NULL};

    const TactXmlNode *node = cable->node;
    const char        *type;
    int                initial = 0;
    TACT_TRY(tact_xml_need(node, "type", &type));
    if (strcmp(type, "cable") != 0) {
        return tact_xml_fail(node, "type", TACT_BAD_INPUT,
                             "'%.40s' is no composite of MuJoCo 3, which has 'cable' alone", type);
    }
    TACT_TRY(tact_xml_choice(node, "initial", initials, &initial));
    TACT_TRY(tact_xml_reals(cable->xml, node, "offset", 3, 3, cable->offset, NULL));
    cable->initial = initials[initial];
    cable->prefix = tact_xml_get(node, "prefix");
    cable->prefix = cable->prefix ? cable->prefix : "";
    TACT_TRY(read_children(cable));
    TACT_TRY(read_vertices(cable));
    size_t pieces = (size_t)cable->count - 1;
    cable->rotations = tact_xml_pool_take(&cable->xml->pool, pieces, sizeof *cable->rotations);
    cable->lengths = tact_xml_pool_take(&cable->xml->pool, pieces, sizeof *cable->lengths);
    if (!cable->rotations || !cable->lengths) {
        return TACT_NO_MEMORY;
    }
    tact_composite_frames(cable->vertices, cable->count, cable->rotations, cable->lengths);
    for (size_t i = 0; i < pieces; i++) {
        if (!(cable->lengths[i] > 0)) {
            return tact_xml_fail(node, NULL, TACT_BAD_INPUT, "its vertices %zu and %zu are one", i,
                                 i + 1);
        }
    }
    return TACT_OK;
}

// ---------------------------------------------------------------------------------------------
// What is made of it

/// An attribute of a new element; the text is made as by printf.
__attribute__((format(printf, 4, 5))) static TactStatus
add_attribute(Cable *cable, TactXmlNode *node, const char *name, const char *format, ...)
{
    enum { ROOM = 24 }; // attributes of one element
    char    text[512];
    va_list values;
    va_start(values, format);
    int length = vsnprintf(text, sizeof text, format, values);
    va_end(values);
    if (length < 0 || length >= (int)sizeof text) {
        return tact_xml_fail(cable->node, "prefix", TACT_BAD_INPUT, "is too long");
    }
    if (!node->attributes) {
        node->attributes = tact_xml_pool_take(&cable->xml->pool, ROOM, sizeof *node->attributes);
    }
    char *copy = tact_xml_pool_copy(&cable->xml->pool, text, (size_t)length);
    if (!node->attributes || !copy || node->attribute_count >= ROOM) {
        return TACT_NO_MEMORY;
    }
    node->attributes[node->attribute_count++] = (TactXmlAttribute){name, copy, node->line};
    return TACT_OK;
}

/// The attributes of a part of the composite that are the new element's too; words are separated by
/// blanks. What else it says is told of it, once.
static TactStatus copy_attributes(Cable *cable, TactXmlNode *node, const TactXmlNode *from,
                                  const char *words)
{
    for (int i = 0; from && i < from->attribute_count; i++) {
        const TactXmlAttribute *attribute = &from->attributes[i];
        size_t                  length = strlen(attribute->name);
        const char             *at = words;
        while (at && (strncmp(at, attribute->name, length) != 0 ||
                      (at[length] != ' ' && at[length] != '\0'))) {
            at = strchr(at, ' ');
            at = at ? at + 1 : NULL;
        }
        if (at && attribute->value[0]) {
            TACT_TRY(add_attribute(cable, node, attribute->name, "%s", attribute->value));
        }
    }
    return TACT_OK;
}

static TactStatus add_element(Cable *cable, TactXmlNode *parent, const char *name,
                              TactXmlNode **node)
{
    *node = tact_xml_add_node(cable->xml, parent, name, cable->node->file, cable->node->line);
    return *node ? TACT_OK : TACT_NO_MEMORY;
}

/// "first", "1", "2", ..., "last": names of bodies and joints end so.
static void name_piece(const Cable *cable, int i, char text[16])
{
    if (i == 0 || i == cable->count - 2) {
        snprintf(text, 16, "%s", i == 0 ? "first" : "last");
    } else {
        snprintf(text, 16, "%d", i);
    }
}

static TactStatus add_piece_joint(Cable *cable, TactXmlNode *body, int i, const char *end)
{
    TactXmlNode *joint;
    bool         free = i == 0 && strcmp(cable->initial, "free") == 0;
    if (i == 0 && strcmp(cable->initial, "none") == 0) {
        return TACT_OK;
    }
    TACT_TRY(add_element(cable, body, "joint", &joint));
    TACT_TRY(add_attribute(cable, joint, "name", "%sJ_%s", cable->prefix, end));
    TACT_TRY(add_attribute(cable, joint, "type", "%s", free ? "free" : "ball"));
    if (!cable->joint || !tact_xml_get(cable->joint, "group")) {
        TACT_TRY(add_attribute(cable, joint, "group", "3"));
    }
    return copy_attributes(
        cable, joint, cable->joint,
        free ? "group stiffness"
             : "group stiffness damping armature frictionloss limited range margin");
}

static TactStatus add_piece_geom(Cable *cable, TactXmlNode *body, int i)
{
    TactXmlNode *geom;
    double       length = cable->lengths[i];
    TACT_TRY(add_element(cable, body, "geom", &geom));
    TACT_TRY(add_attribute(cable, geom, "name", "%sG%d", cable->prefix, i));
    TACT_TRY(copy_attributes(
        cable, geom, cable->geom,
        "type contype conaffinity condim group priority material rgba friction mass "
        "density margin gap surfacevel"));
    if (strcmp(tact_xml_get(cable->geom, "type"), "box") == 0) {
        TACT_TRY(add_attribute(cable, geom, "pos", "%.17g 0 0", length / 2));
        return add_attribute(cable, geom, "size", "%.17g %.17g %.17g", length / 2, cable->box[1],
                             cable->box[2]);
    }
    TACT_TRY(add_attribute(cable, geom, "fromto", "0 0 0 %.17g 0 0", length));
    return add_attribute(cable, geom, "size", "%.17g", cable->box[0]);
}

/// A site at either end.
static TactStatus add_piece_site(Cable *cable, TactXmlNode *body, int i, const char *end)
{
    TactXmlNode *site;
    bool         last = i == cable->count - 2;
    if (i != 0 && !last) {
        return TACT_OK;
    }
    TACT_TRY(add_element(cable, body, "site", &site));
    TACT_TRY(add_attribute(cable, site, "name", "%sS_%s", cable->prefix, end));
    TACT_TRY(add_attribute(cable, site, "pos", "%.17g 0 0", last ? cable->lengths[i] : 0));
    if (!cable->site || !tact_xml_get(cable->site, "group")) {
        TACT_TRY(add_attribute(cable, site, "group", "3"));
    }
    return copy_attributes(cable, site, cable->site, "group size material rgba");
}

/// The plugin of the composite, with its settings, in every piece; pieces of one instance are one
/// cable. An instance of the file keeps its name.
static TactStatus add_piece_plugin(Cable *cable, TactXmlNode *body)
{
    TactXmlNode *from = tact_xml_child(cable->node, "plugin"), *plugin, *config;
    if (!from) {
        return TACT_OK;
    }
    TACT_TRY(add_element(cable, body, "plugin", &plugin));
    TACT_TRY(copy_attributes(cable, plugin, from, "plugin instance"));
    if (!tact_xml_get(from, "instance")) {
        TACT_TRY(add_attribute(cable, plugin, "instance", "%s", TACT_COMPOSITE_CLASS));
    }
    for (TactXmlNode *at = tact_xml_child(from, "config"); at; at = tact_xml_next(at, "config")) {
        TACT_TRY(add_element(cable, plugin, "config", &config));
        TACT_TRY(copy_attributes(cable, config, at, "key value"));
    }
    return TACT_OK;
}

/// Piece i in the piece before it, or in the frame.
static TactStatus add_piece(Cable *cable, TactXmlNode *parent, int i, TactXmlNode **body)
{
    TactQuat q = cable->rotations[i];
    TactVec3 at = {i > 0 ? cable->lengths[i - 1] : 0, 0, 0};
    char     end[16];
    if (i > 0) {
        q = tact_quat_multiply(tact_quat_conjugate(cable->rotations[i - 1]), q);
    } else {
        TactVec3 offset = {cable->offset[0], cable->offset[1], cable->offset[2]};
        at = tact_vec3_add(offset, cable->vertices[0]);
    }
    name_piece(cable, i, end);
    TACT_TRY(add_element(cable, parent, "body", body));
    TACT_TRY(add_attribute(cable, *body, "name", "%sB_%s", cable->prefix, end));
    TACT_TRY(add_attribute(cable, *body, "pos", "%.17g %.17g %.17g", at.x, at.y, at.z));
    TACT_TRY(add_attribute(cable, *body, "quat", "%.17g %.17g %.17g %.17g", q.w, q.x, q.y, q.z));
    TACT_TRY(add_piece_plugin(cable, *body));
    TACT_TRY(add_piece_joint(cable, *body, i, end));
    TACT_TRY(add_piece_geom(cable, *body, i));
    return add_piece_site(cable, *body, i, end);
}

/// Neighbours do not touch.
static TactStatus add_excludes(Cable *cable)
{
    TactXmlNode *section, *exclude;
    TACT_TRY(add_element(cable, cable->root, "contact", &section));
    for (int i = 0; i + 2 < cable->count; i++) {
        char one[16], other[16];
        name_piece(cable, i, one);
        name_piece(cable, i + 1, other);
        TACT_TRY(add_element(cable, section, "exclude", &exclude));
        TACT_TRY(add_attribute(cable, exclude, "body1", "%sB_%s", cable->prefix, one));
        TACT_TRY(add_attribute(cable, exclude, "body2", "%sB_%s", cable->prefix, other));
    }
    return TACT_OK;
}

/// The frame behind the composite, with the chain in it.
static TactStatus make_cable(TactXml *xml, TactXmlNode *root, TactXmlNode *node)
{
    Cable        cable = {.xml = xml, .root = root, .node = node};
    TactXmlNode *frame, *body;
    TACT_TRY(read_cable(&cable));
    frame = tact_xml_add_node(xml, NULL, "frame", node->file, node->line);
    if (!frame) {
        return TACT_NO_MEMORY;
    }
    TACT_TRY(add_attribute(&cable, frame, "childclass", "%s", TACT_COMPOSITE_CLASS));
    body = frame;
    for (int i = 0; i + 1 < cable.count; i++) {
        TACT_TRY(add_piece(&cable, body, i, &body));
    }
    frame->parent = node->parent;
    frame->next = node->next;
    node->next = frame;
    if (node->parent->last == node) {
        node->parent->last = frame;
    }
    return add_excludes(&cable);
}

TactStatus tact_composite_make(TactXml *xml, TactXmlNode *root)
{
    for (TactXmlNode *world = tact_xml_child(root, "worldbody"); world;
         world = tact_xml_next(world, "worldbody")) {
        for (TactXmlNode *node = world->first; node; node = tact_xml_following(world, node)) {
            if (tact_xml_is(node, "composite")) {
                TACT_TRY(make_cable(xml, root, node));
            }
        }
    }
    return TACT_OK;
}
