// XML files as trees of elements with the lines on which they stand.
//
// Files are read by libxml2 event by event into a tree of our own: no document type, no entities
// but the five of XML itself, no other file, no network. Elements nest up to TACT_XML_MAX_DEPTH.
// Names keep their prefixes ("xacro:include"); comments and processing instructions are left out.
//
// Nothing here, and nothing that walks a tree, calls itself: trees may be deep.
#ifndef TACT_IO_XML_XML_H
#define TACT_IO_XML_XML_H

#include <stdbool.h>
#include <tact/base.h>

#include "io/text.h"
#include "io/xml/xml_pool.h"

enum { TACT_XML_MAX_DEPTH = 8192 };

typedef struct TactXmlAttribute {
    const char *name;
    const char *value;
    int         line;
} TactXmlAttribute;

typedef struct TactXmlNode TactXmlNode;
struct TactXmlNode {
    const char       *name;
    const char       *file;  // as it was named when it was read
    int               line;  // of its "<"
    int               model; // of the files that were attached, which it is from (io/attach)
    int               attribute_count;
    TactXmlAttribute *attributes; //                                        (attribute_count)
    const char       *text;       // characters before its first child; "" if none or all blank
    TactXmlNode      *parent;     // NULL for a root
    TactXmlNode      *first;      // children
    TactXmlNode      *last;
    TactXmlNode      *next; // sibling
};

/// Owner of any number of trees.
typedef struct TactXml {
    TactXmlPool pool;
    void       *locale; // numbers have a decimal point, whatever the program's locale
} TactXml;

TactStatus tact_xml_create(TactXml *xml);
void       tact_xml_destroy(TactXml *xml);

/// TACT_IO_ERROR: cannot be read; TACT_BAD_INPUT with file:line: broken, too deep, or with
/// entities; TACT_UNSUPPORTED: built without libxml2.
TactStatus tact_xml_read(TactXml *xml, const char *path, TactXmlNode **root);
TactStatus tact_xml_read_memory(TactXml *xml, const char *name, const char *bytes, size_t size,
                                TactXmlNode **root);

/// The node after this one in document order within the tree under root; NULL: there is none.
TactXmlNode *tact_xml_following(const TactXmlNode *root, const TactXmlNode *node);
/// The same without the children of node.
TactXmlNode *tact_xml_following_beside(const TactXmlNode *root, const TactXmlNode *node);

/// First child of that name, or the next sibling of that name; NULL: there is none.
TactXmlNode *tact_xml_child(const TactXmlNode *node, const char *name);
TactXmlNode *tact_xml_next(const TactXmlNode *node, const char *name);
bool         tact_xml_is(const TactXmlNode *node, const char *name);

// ---------------------------------------------------------------------------------------------
// Attributes. What is not there, or empty, is TACT_OK and leaves the value as it is.

const TactXmlAttribute *tact_xml_attribute(const TactXmlNode *node, const char *name);
/// Its text; NULL if it is not there, or empty.
const char *tact_xml_get(const TactXmlNode *node, const char *name);
/// The same, but an error if it is not there or empty.
TactStatus tact_xml_need(const TactXmlNode *node, const char *name, const char **value);

/// Fails with "file:line: element: " and, if attribute is not NULL, "attribute: ".
__attribute__((format(printf, 4, 5))) TactStatus tact_xml_fail(const TactXmlNode *node,
                                                               const char        *attribute,
                                                               TactStatus         status,
                                                               const char        *format, ...);

/// What "inf" is taken for where a range may be endless: nothing comes that far.
#define TACT_XML_ENDLESS 1e10

/// tact_xml_reals() of numbers that may be endless, and two of them.
TactStatus tact_xml_ends(const TactXml *xml, const TactXmlNode *node, const char *name, int least,
                         int most, double *values, int *count);
TactStatus tact_xml_range(const TactXml *xml, const TactXmlNode *node, const char *name,
                          double range[2]);
/// Between least and most finite numbers; how many is written to count, which may be NULL.
TactStatus tact_xml_reals(const TactXml *xml, const TactXmlNode *node, const char *name, int least,
                          int most, double *values, int *count);
/// Any number of numbers, in the pool.
TactStatus tact_xml_list(TactXml *xml, const TactXmlNode *node, const char *name, double **values,
                         int *count);
TactStatus tact_xml_real(const TactXml *xml, const TactXmlNode *node, const char *name,
                         double *value);
TactStatus tact_xml_int(const TactXmlNode *node, const char *name, int lo, int hi, int *value);
/// "true" or "false"
TactStatus tact_xml_bool(const TactXmlNode *node, const char *name, bool *value);
/// The place of the value in a list of words that ends with NULL.
TactStatus tact_xml_choice(const TactXmlNode *node, const char *name, const char *const *words,
                           int *value);
/// Numbers of a text that belongs to the node but is no attribute; what names it in messages.
TactStatus tact_xml_parse_reals(const TactXml *xml, const TactXmlNode *node, const char *what,
                                const char *text, int least, int most, double *values, int *count);

// ---------------------------------------------------------------------------------------------
// Paths

/// folder of "a/b.xml" is "a", of "b.xml" is ""; in the pool. NULL: no memory.
char *tact_xml_folder(TactXml *xml, const char *path);
/// folder/name, or name alone if it is absolute or the folder is ""; in the pool.
char *tact_xml_join(TactXml *xml, const char *folder, const char *name);

#include "io/xml/xml_tree.h"

#endif
