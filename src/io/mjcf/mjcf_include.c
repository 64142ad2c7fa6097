// Files that a file includes take the place of the element that names them; models that it attaches
// become part of the tree (io/attach).
#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "base/status.h"
#include "io/composite/composite.h"
#include "io/mjcf/mjcf.h"
#include "io/xml/xml.h"

typedef struct Included Included;
struct Included {
    Included   *next;
    const char *path;
};

enum { MOST_FILES = 10000 };

/// A path that is looked for from the folder of the model, and if it is not there, from that of the
/// file that names it.
static TactStatus find_file(TactMjcf *mjcf, const TactXmlNode *node, const char *within,
                            const char *name, const char **path)
{
    *path = tact_xml_join(mjcf->xml, within, name);
    if (!*path) {
        return TACT_NO_MEMORY;
    }
    if (access(*path, R_OK) != 0) {
        const char *folder = tact_xml_folder(mjcf->xml, node->file);
        const char *other = folder ? tact_xml_join(mjcf->xml, folder, name) : NULL;
        if (!other) {
            return TACT_NO_MEMORY;
        }
        if (access(other, R_OK) == 0) {
            *path = other;
        }
    }
    return TACT_OK;
}

/// MuJoCo takes a file once; so a cycle comes to its end here too.
static TactStatus remember_file(TactMjcf *mjcf, const TactXmlNode *node, Included **list,
                                const char *path)
{
    for (Included *file = *list; file; file = file->next) {
        if (strcmp(file->path, path) == 0) {
            return tact_xml_fail(node, "file", TACT_BAD_INPUT,
                                 "'%s' is included already: a file may be included once, and not "
                                 "by itself",
                                 path);
        }
    }
    Included *file = tact_xml_pool_take(&mjcf->xml->pool, 1, sizeof *file);
    if (!file) {
        return TACT_NO_MEMORY;
    }
    file->path = path;
    file->next = *list;
    *list = file;
    return TACT_OK;
}

static TactStatus read_included(TactMjcf *mjcf, const TactXmlNode *node, const char *folder,
                                Included **list, TactXmlNode **root)
{
    const char *name;
    const char *path;
    TACT_TRY(tact_xml_need(node, "file", &name));
    if (node->first) {
        return tact_xml_fail(node, NULL, TACT_BAD_INPUT, "has elements inside");
    }
    TACT_TRY(find_file(mjcf, node, folder, name, &path));
    TACT_TRY(remember_file(mjcf, node, list, path));
    if (access(path, R_OK) != 0) {
        return tact_xml_fail(node, "file", TACT_IO_ERROR, "'%s' cannot be opened: %s", path,
                             strerror(errno));
    }
    return tact_xml_read(mjcf->xml, path, root);
}

/// What follows a node and its children; before is then the sibling before it.
static TactXmlNode *step_beside(TactXmlNode *root, TactXmlNode *node, TactXmlNode **before)
{
    while (node != root && !node->next) {
        node = node->parent;
    }
    *before = node;
    return node == root ? NULL : node->next;
}

/// What follows a node: its first child, which has no sibling before it, or what is beside.
static TactXmlNode *next_node(TactXmlNode *root, TactXmlNode *node, TactXmlNode **before)
{
    if (!node->first) {
        return step_beside(root, node, before);
    }
    *before = NULL;
    return node->first;
}

static TactStatus include_all(TactMjcf *mjcf, TactXmlNode *root, const char *folder)
{
    Included    *list = NULL;
    int          files = 0;
    TactXmlNode *before = NULL;
    TactXmlNode *node = root;
    TACT_TRY(remember_file(mjcf, node, &list, node->file));
    while (node) {
        TactXmlNode *parent = node->parent;
        if (!parent || !tact_xml_is(node, "include")) {
            node = next_node(root, node, &before);
            continue;
        }
        if (++files > MOST_FILES) {
            return tact_xml_fail(node, NULL, TACT_BAD_INPUT, "more than %d files", MOST_FILES);
        }
        TactXmlNode *included;
        TACT_TRY(read_included(mjcf, node, folder, &list, &included));
        TACT_TRY(
            tact_model_reader_note(mjcf->reader, node, "file", TACT_VERDICT_HONOURED, false, ""));
        // The children of the included root come instead, and are looked at next.
        tact_xml_remove(parent, before, node);
        tact_xml_move_children(parent, before, included);
        node = before ? step_beside(root, before, &before) : next_node(root, parent, &before);
    }
    return TACT_OK;
}

// ---------------------------------------------------------------------------------------------
// Models that are attached

static TactStatus include_in(void *context, TactXmlNode *root, const char *folder)
{
    TactMjcf *mjcf = context;
    TACT_TRY(include_all(mjcf, root, folder));
    return tact_composite_make(mjcf->xml, root); // names of its parts get the prefix
}

static TactStatus note_attached(void *context, const TactXmlNode *attach, const char *attribute)
{
    TactMjcf *mjcf = context;
    return tact_model_reader_note(mjcf->reader, attach, attribute, TACT_VERDICT_HONOURED, false,
                                  "");
}

TactStatus tact_mjcf_include(TactMjcf *mjcf)
{
    TactAttachHooks hooks = {include_in, note_attached, mjcf};
    TACT_TRY(include_in(mjcf, mjcf->root, mjcf->reader->folder));
    mjcf->attachments = (TactAttachments){.xml = mjcf->xml, .hooks = &hooks};
    TactStatus status =
        tact_attach(&mjcf->attachments, mjcf->root, mjcf->root->file, mjcf->reader->folder);
    mjcf->attachments.hooks = NULL;
    return status;
}
