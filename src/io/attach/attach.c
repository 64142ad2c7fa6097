#include "io/attach/attach.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "base/status.h"

enum { MOST_LEVELS = 32, MOST_MODELS = 10000 };

static TactStatus attach_all(TactAttachments *a, TactXmlNode *root, int model, int level,
                             TactAttachedKey **keys);

// ---------------------------------------------------------------------------------------------
// Files

/// The element that says which file a model is.
static const TactXmlNode *find_model(const TactXmlNode *root, const char *name)
{
    for (TactXmlNode *asset = tact_xml_child(root, "asset"); asset;
         asset = tact_xml_next(asset, "asset")) {
        for (TactXmlNode *node = tact_xml_child(asset, "model"); node;
             node = tact_xml_next(node, "model")) {
            const char *own = tact_xml_get(node, "name"), *file = tact_xml_get(node, "file");
            const char *slash = !own && file ? strrchr(file, '/') : NULL;
            const char *base = slash ? slash + 1 : file;
            size_t      length = base ? strcspn(base, ".") : 0;
            if (own ? strcmp(own, name) == 0
                    : base && strlen(name) == length && strncmp(base, name, length) == 0) {
                return node;
            }
        }
    }
    return NULL;
}

/// From the folder of the model, or if it is not there, from that of the file that names it.
static TactStatus find_path(TactAttachments *a, const TactXmlNode *node, int model,
                            const char **path)
{
    const char *name;
    TACT_TRY(tact_xml_need(node, "file", &name));
    *path = tact_xml_join(a->xml, a->models[model].folder, name);
    if (*path && access(*path, R_OK) != 0) {
        const char *folder = tact_xml_folder(a->xml, node->file);
        const char *other = folder ? tact_xml_join(a->xml, folder, name) : NULL;
        if (!other) {
            return TACT_NO_MEMORY;
        }
        *path = access(other, R_OK) == 0 ? other : *path;
    }
    if (!*path) {
        return TACT_NO_MEMORY;
    }
    for (int k = model; k >= 0; k = a->models[k].outer) {
        if (strcmp(a->models[k].path, *path) == 0) {
            return tact_xml_fail(node, "file", TACT_BAD_INPUT, "'%s' would be attached to itself",
                                 *path);
        }
    }
    return access(*path, R_OK) == 0
               ? TACT_OK
               : tact_xml_fail(node, "file", TACT_IO_ERROR, "'%s' cannot be opened: %s", *path,
                               strerror(errno));
}

static TactStatus add_model(TactAttachments *a, TactAttached model, int *index)
{
    if (a->count == a->room) {
        int           room = 2 * a->room + 4;
        TactAttached *larger = tact_xml_pool_take(&a->xml->pool, (size_t)room, sizeof *larger);
        if (!larger) {
            return TACT_NO_MEMORY;
        }
        if (a->count > 0) {
            memcpy(larger, a->models, (size_t)a->count * sizeof *larger);
        }
        a->models = larger;
        a->room = room;
    }
    *index = a->count;
    a->models[a->count++] = model;
    return TACT_OK;
}

static TactStatus read_model(TactAttachments *a, const TactXmlNode *attach, int outer,
                             const TactXmlNode *source, TactXmlNode **root, int *index)
{
    const char *path;
    TACT_TRY(find_path(a, source, outer, &path));
    if (a->count >= MOST_MODELS) {
        return tact_xml_fail(attach, NULL, TACT_BAD_INPUT, "more than %d models", MOST_MODELS);
    }
    TACT_TRY(tact_xml_read(a->xml, path, root));
    if (!tact_xml_is(*root, "mujoco")) {
        return tact_xml_fail(source, "file", TACT_UNSUPPORTED,
                             "'%s' is no MJCF file: its outermost element is '%s'", path,
                             (*root)->name);
    }
    TactAttached model = {.path = path,
                          .folder = tact_xml_folder(a->xml, path),
                          .main = "main",
                          .root = *root,
                          .outer = outer};
    if (!model.folder) {
        return TACT_NO_MEMORY;
    }
    TACT_TRY(add_model(a, model, index));
    return a->hooks->include(a->hooks->context, *root, model.folder);
}

// ---------------------------------------------------------------------------------------------
// Joining two trees

/// A body or frame of that name in the world of a tree.
static TactXmlNode *find_element(const TactXmlNode *root, const char *element, const char *name)
{
    for (TactXmlNode *world = tact_xml_child(root, "worldbody"); world;
         world = tact_xml_next(world, "worldbody")) {
        for (TactXmlNode *node = world->first; node; node = tact_xml_following(world, node)) {
            const char *own = tact_xml_is(node, element) ? tact_xml_get(node, "name") : NULL;
            if (own && strcmp(own, name) == 0) {
                return node;
            }
        }
    }
    return NULL;
}

static void take_out(TactXmlNode *node)
{
    TactXmlNode *before = NULL;
    for (TactXmlNode *at = node->parent->first; at != node; at = at->next) {
        before = at;
    }
    tact_xml_remove(node->parent, before, node);
}

static void append(TactXmlNode *parent, TactXmlNode *child)
{
    *(parent->last ? &parent->last->next : &parent->first) = child;
    parent->last = child;
    child->parent = parent;
}

/// The class of things that stand where the node does, if bodies or frames around it say one.
static const char *class_around(const TactXmlNode *node, const char *otherwise)
{
    for (node = node->parent; node; node = node->parent) {
        const char *class = tact_xml_get(node, "childclass");
        if (class) {
            return class;
        }
    }
    return otherwise;
}

/// The outermost class of a file gets a name of its own; its models inside have theirs.
static TactStatus name_classes(TactAttachments *a, TactXmlNode *root, int model, const char *prefix)
{
    for (TactXmlNode *node = tact_xml_child(root, "default"); node;
         node = tact_xml_next(node, "default")) {
        const char *name = tact_xml_get(node, "class");
        if (node->model == 0) {
            a->models[model].main = name ? name : a->models[model].main;
        }
    }
    for (TactXmlNode *node = tact_xml_child(root, "default"); node;
         node = tact_xml_next(node, "default")) {
        if (node->model == 0) {
            TACT_TRY(tact_attach_set(a->xml, node, "class", a->models[model].main));
        }
    }
    for (int k = model; k < a->count; k++) {
        a->models[k].main = tact_attach_join(a->xml, prefix, a->models[k].main);
        if (!a->models[k].main) {
            return TACT_NO_MEMORY;
        }
    }
    return TACT_OK;
}

/// Sections of the file that was attached become sections of the tree.
static void move_sections(TactXmlNode *root, TactXmlNode *from)
{
    static const char *const names[] = {"default",  "asset",    "contact", "tendon",
                                        "equality", "actuator", "sensor",  "extension"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        for (TactXmlNode *node = tact_xml_child(from, names[i]); node;) {
            TactXmlNode *next = tact_xml_next(node, names[i]);
            take_out(node);
            append(root, node);
            node = next;
        }
    }
}

/// Models of the file are attached by now.
static void forget_models(TactXmlNode *root)
{
    for (TactXmlNode *asset = tact_xml_child(root, "asset"); asset;
         asset = tact_xml_next(asset, "asset")) {
        for (TactXmlNode *node = tact_xml_child(asset, "model"); node;) {
            TactXmlNode *next = tact_xml_next(node, "model");
            take_out(node);
            node = next;
        }
    }
}

/// The attach becomes a frame around what it names.
static TactStatus put_content(TactAttachments *a, TactXmlNode *attach, TactXmlNode *from,
                              TactXmlNode *content, int model)
{
    const char *class =
        content ? class_around(content, a->models[model].main) : a->models[model].main;
    attach->name = "frame";
    attach->attribute_count = 0;
    attach->attributes = NULL;
    TACT_TRY(tact_attach_set(a->xml, attach, "childclass", class));
    if (content) {
        take_out(content);
        append(attach, content);
        return tact_attach_filter(a->xml, from, content);
    }
    for (TactXmlNode *world = tact_xml_child(from, "worldbody"); world;
         world = tact_xml_next(world, "worldbody")) {
        tact_xml_move_children(attach, attach->last, world);
    }
    return TACT_OK;
}

/// keys: where those of the model, and of models inside, are put.
static TactStatus attach_model(TactAttachments *a, TactXmlNode *root, TactXmlNode *attach,
                               int outer, int level, TactAttachedKey **keys)
{
    const char *name, *body = tact_xml_get(attach, "body"), *frame = tact_xml_get(attach, "frame");
    const char *prefix = tact_xml_get(attach, "prefix");
    prefix = prefix ? prefix : "";
    TACT_TRY(tact_xml_need(attach, "model", &name));
    const TactXmlNode *source = find_model(root, name);
    if (!source) {
        return tact_xml_fail(attach, "model", TACT_BAD_INPUT, "there is no model '%s'", name);
    }
    if (body && frame) {
        return tact_xml_fail(attach, "frame", TACT_BAD_INPUT, "there is a body too");
    }
    TactXmlNode *from = NULL;
    int          model = 0;
    TACT_TRY(read_model(a, attach, outer, source, &from, &model));
    TACT_TRY(attach_all(a, from, model, level + 1, keys));
    TACT_TRY(tact_attach_keys(a, from, keys));
    forget_models(from);
    TactXmlNode *content = body    ? find_element(from, "body", body)
                           : frame ? find_element(from, "frame", frame)
                                   : NULL;
    if ((body || frame) && !content) {
        return tact_xml_fail(attach, body ? "body" : "frame", TACT_BAD_INPUT,
                             "there is no %s '%s' in '%s'", body ? "body" : "frame",
                             body ? body : frame, a->models[model].path);
    }
    for (int i = 0; i < attach->attribute_count; i++) {
        TACT_TRY(a->hooks->attached(a->hooks->context, attach, attach->attributes[i].name));
    }
    TACT_TRY(name_classes(a, from, model, prefix));
    TACT_TRY(tact_attach_prefix(a->xml, from, prefix));
    TACT_TRY(tact_attach_prefix_keys(a, *keys, prefix));
    for (TactXmlNode *at = from; at; at = tact_xml_following(from, at)) {
        at->model = at->model == 0 ? model : at->model;
    }
    TACT_TRY(put_content(a, attach, from, content, model));
    move_sections(root, from);
    return TACT_OK;
}

static TactStatus attach_all(TactAttachments *a, TactXmlNode *root, int model, int level,
                             TactAttachedKey **keys)
{
    if (level > MOST_LEVELS) {
        return tact_xml_fail(root, NULL, TACT_BAD_INPUT,
                             "more than %d models are attached to one another: do they go round?",
                             MOST_LEVELS);
    }
    for (TactXmlNode *world = tact_xml_child(root, "worldbody"); world;
         world = tact_xml_next(world, "worldbody")) {
        for (TactXmlNode *node = world->first; node;) {
            if (!tact_xml_is(node, "attach")) {
                node = tact_xml_following(world, node);
                continue;
            }
            TACT_TRY(attach_model(a, root, node, model, level, keys));
            while (*keys) { // the next model's come behind
                keys = &(*keys)->next;
            }
            node = tact_xml_following_beside(world, node);
        }
    }
    return TACT_OK;
}

TactStatus tact_attach(TactAttachments *a, TactXmlNode *root, const char *path, const char *folder)
{
    int          first;
    TactAttached model = {.path = path, .folder = folder, .main = "", .root = root, .outer = -1};
    TACT_TRY(add_model(a, model, &first));
    return attach_all(a, root, first, 0, &a->keys);
}
