// Making trees: between the parser and the tree.
#ifndef TACT_IO_XML_XML_TREE_H
#define TACT_IO_XML_XML_TREE_H

#include "io/xml/xml.h"

/// A new node as the last child of parent (NULL: a root); NULL: no memory. Strings are not copied.
TactXmlNode *tact_xml_add_node(TactXml *xml, TactXmlNode *parent, const char *name,
                               const char *file, int line);
/// Takes all children of from, in their order, and puts them between before (NULL: the first) and
/// what follows it among the children of parent.
void tact_xml_move_children(TactXmlNode *parent, TactXmlNode *before, TactXmlNode *from);
/// Takes a child out of its parent; before is the sibling before it, or NULL.
void tact_xml_remove(TactXmlNode *parent, TactXmlNode *before, TactXmlNode *child);

/// A copy without what other readers of models let pass and XML does not, to be freed with
/// tact_release(): bytes that are not UTF-8 are characters of Latin-1, comments with "--" inside
/// are blank. NULL: nothing is wrong, or the file names an encoding of its own. xml_mend.c
TactStatus tact_xml_mend(const char *bytes, size_t size, char **mended, size_t *length);

#endif
