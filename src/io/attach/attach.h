// Room "attach": models of other files become part of a tree.
//
// <attach model="M" body="B" prefix="P"/> becomes a frame with a copy of body B of the file that
// <model name="M" file="..."/> names, or with all that stands in its world. Names of the copy, and
// of what refers to them, begin with P; classes of defaults, assets, contacts, tendons, equalities,
// actuators and sensors of that file join the sections of the tree, as far as all that they name is
// part of the copy. What is attached may have attached models itself.
//
// Works on trees alone: what the words mean is for the reader (io/mjcf) to say.
#ifndef TACT_IO_ATTACH_ATTACH_H
#define TACT_IO_ATTACH_ATTACH_H

#include "io/xml/xml.h"

/// A file that was attached. Nodes that come from it have its number in `model`.
typedef struct TactAttached {
    const char        *path;
    const char        *folder;
    const char        *main;  // the name of its outermost class in the tree
    const TactXmlNode *root;  // what is left of its own: compiler, option, ...
    int                outer; // the model that it was attached to; -1: it is the first
} TactAttached;

/// A keyframe of a file that was attached.
typedef struct TactAttachedKey TactAttachedKey;
struct TactAttachedKey {
    TactAttachedKey    *next;
    const TactXmlNode  *node;
    const char         *name;   // with prefixes; "": none
    const TactXmlNode **joints; // of its file, in the order of its q               (joint_count)
    int                 joint_count;
    const TactXmlNode **actuators; //                                            (actuator_count)
    int                 actuator_count;
};

/// What the reader does with a tree before it is attached, and with an attach that is done.
typedef struct TactAttachHooks {
    TactStatus (*include)(void *context, TactXmlNode *root, const char *folder);
    TactStatus (*attached)(void *context, const TactXmlNode *attach, const char *attribute);
    void *context;
} TactAttachHooks;

typedef struct TactAttachments {
    TactXml               *xml;
    const TactAttachHooks *hooks;
    int                    count, room; // models, the first of them that of the tree
    TactAttached          *models;      //                                              (room)
    TactAttachedKey       *keys;        // in the order of their models
} TactAttachments;

/// Attaches all that the tree names. TACT_BAD_INPUT, TACT_IO_ERROR with file and line of the attach
/// or model: no such model, body or frame, a file that cannot be read, one that attaches itself.
TactStatus tact_attach(TactAttachments *attachments, TactXmlNode *root, const char *path,
                       const char *folder);

// ---------------------------------------------------------------------------------------------
// Parts of the room

/// Names of a tree, and what refers to names, begin with the prefix (attach_names.c).
TactStatus tact_attach_prefix(TactXml *xml, TactXmlNode *root, const char *prefix);
/// name with a prefix, in the pool; NULL: no memory.
const char *tact_attach_join(TactXml *xml, const char *prefix, const char *name);
/// Takes elements out of the sections of root that name what does not stand under content.
TactStatus tact_attach_filter(TactXml *xml, TactXmlNode *root, const TactXmlNode *content);
/// Sets an attribute, or adds it.
TactStatus tact_attach_set(TactXml *xml, TactXmlNode *node, const char *name, const char *value);

/// Adds the keyframes of a file, before its tree is taken apart, in front of `before`; they get
/// their prefix with all others that follow `from` (attach_keys.c).
TactStatus tact_attach_keys(TactAttachments *a, const TactXmlNode *root, TactAttachedKey **place);
TactStatus tact_attach_prefix_keys(TactAttachments *a, TactAttachedKey *from, const char *prefix);

#endif
