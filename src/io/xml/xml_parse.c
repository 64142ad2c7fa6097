// From bytes to a tree, by the events of libxml2.
//
// Entities are how XML reads other files and how small files become huge ones: a document type that
// names another file or declares anything at all is refused, so that only the five entities of XML
// itself are left. With that, and with depth and size limited here, libxml2's own limits, which
// would stop at 256 levels, can be switched off.
#include <errno.h>
#include <limits.h>
#include <string.h>

#include "base/memory.h"
#include "base/status.h"
#include "io/xml/xml.h"
#include "io/xml/xml_tree.h"

#ifdef TACT_HAVE_LIBXML2

#include <libxml/SAX2.h>
#include <libxml/parser.h>
#include <libxml/xmlerror.h>

typedef struct Parse {
    TactXml         *xml;
    xmlParserCtxtPtr context;
    const char      *file;
    TactXmlNode     *root;
    TactXmlNode     *node; // the open element
    int              depth;
    char            *text; // of the open element, while it grows
    size_t           text_length;
    size_t           text_room;
    TactStatus       status;
    bool             starved; // libxml2 had no memory: whatever else it says follows from that
} Parse;

/// Ends the parse; the message is that of the first failure.
static void stop(Parse *parse, TactStatus status)
{
    if (parse->status == TACT_OK) {
        parse->status = status;
    }
    xmlStopParser(parse->context);
}

static int current_line(const Parse *parse)
{
    return parse->context->input ? parse->context->input->line : 0;
}

static void refuse_text(Parse *parse, const char *what)
{
    if (parse->status == TACT_OK) {
        stop(parse, tact_fail(TACT_BAD_INPUT, "%s:%d: %s", parse->file, current_line(parse), what));
    }
}

// ---------------------------------------------------------------------------------------------
// Lines

/// The parser stands behind the last attribute of a tag. Its "<" is the nearest one before, for
/// attributes cannot have any; NULL if it is no longer in the buffer.
static const char *find_tag(const Parse *parse)
{
    const xmlParserInput *input = parse->context->input;
    if (!input || !input->base || !input->cur) {
        return NULL;
    }
    const xmlChar *c = input->cur;
    while (c > input->base) {
        c--;
        if (*c == '<') {
            return (const char *)c;
        }
    }
    return NULL;
}

static int count_lines(const char *from, const char *to)
{
    int lines = 0;
    for (const char *c = from; c < to; c++) {
        lines += *c == '\n';
    }
    return lines;
}

static const char *skip_blanks(const char *c, const char *end)
{
    while (c < end && strchr(" \t\r\n", *c)) {
        c++;
    }
    return c;
}

/// Goes over name = "value".
static const char *skip_attribute(const char *c, const char *end)
{
    while (c < end && *c != '"' && *c != '\'') {
        c++;
    }
    if (c == end) {
        return end;
    }
    const char *close = memchr(c + 1, *c, (size_t)(end - c - 1));
    return close ? close + 1 : end;
}

/// The lines of the node and of its attributes.
static void find_lines(const Parse *parse, TactXmlNode *node)
{
    const char *end = (const char *)parse->context->input->cur;
    const char *tag = find_tag(parse);
    int         here = current_line(parse);
    node->line = here;
    for (int i = 0; i < node->attribute_count; i++) {
        node->attributes[i].line = here;
    }
    if (!tag) {
        return;
    }
    node->line = here - count_lines(tag, end);
    const char *c = tag + 1 + strcspn(tag + 1, " \t\r\n/>");
    int         line = node->line;
    for (int i = 0; i < node->attribute_count && c < end;) {
        const char *name = skip_blanks(c, end);
        size_t      length = strlen(node->attributes[i].name);
        line += count_lines(c, name);
        // Declarations of name spaces stand among the attributes and are none.
        if ((size_t)(end - name) > length && strncmp(name, node->attributes[i].name, length) == 0 &&
            strchr(" \t\r\n=", name[length])) {
            node->attributes[i++].line = line;
        }
        c = skip_attribute(name, end);
        line += count_lines(name, c);
    }
}

// ---------------------------------------------------------------------------------------------
// Events

/// prefix:name, or the name alone.
static char *copy_name(Parse *parse, const xmlChar *prefix, const xmlChar *name)
{
    size_t before = prefix ? strlen((const char *)prefix) : 0;
    size_t length = strlen((const char *)name);
    char  *whole = tact_xml_pool_take(&parse->xml->pool, before + 1 + length + 1, 1);
    if (whole) {
        char *end = whole;
        if (before > 0) {
            memcpy(end, prefix, before);
            end[before] = ':';
            end += before + 1;
        }
        memcpy(end, name, length);
    }
    return whole;
}

/// What libxml2 tells of an attribute: five pointers.
enum { LOCAL_NAME, PREFIX, NAME_SPACE, VALUE, VALUE_END, FIELDS };

static bool add_attributes(Parse *parse, TactXmlNode *node, int count, const xmlChar **fields)
{
    if (count == 0) {
        return true;
    }
    node->attributes =
        tact_xml_pool_take(&parse->xml->pool, (size_t)count, sizeof(TactXmlAttribute));
    if (!node->attributes) {
        return false;
    }
    node->attribute_count = count;
    for (int i = 0; i < count; i++, fields += FIELDS) {
        TactXmlAttribute *attribute = &node->attributes[i];
        attribute->name = copy_name(parse, fields[PREFIX], fields[LOCAL_NAME]);
        attribute->value = tact_xml_pool_copy(&parse->xml->pool, (const char *)fields[VALUE],
                                              (size_t)(fields[VALUE_END] - fields[VALUE]));
        if (!attribute->name || !attribute->value) {
            return false;
        }
    }
    return true;
}

static void on_start(void *context, const xmlChar *name, const xmlChar *prefix,
                     const xmlChar *name_space, int name_spaces, const xmlChar **declared,
                     int attributes, int defaulted, const xmlChar **fields)
{
    Parse *parse = context;
    (void)name_space;
    (void)name_spaces;
    (void)declared;
    (void)defaulted; // declarations of defaults are refused
    if (parse->status != TACT_OK) {
        return;
    }
    if (++parse->depth > TACT_XML_MAX_DEPTH) {
        stop(parse, tact_fail(TACT_BAD_INPUT, "%s:%d: more than %d elements inside one another",
                              parse->file, current_line(parse), TACT_XML_MAX_DEPTH));
        return;
    }
    char        *own_name = copy_name(parse, prefix, name);
    TactXmlNode *node =
        own_name ? tact_xml_add_node(parse->xml, parse->node, own_name, parse->file, 0) : NULL;
    if (!node || !add_attributes(parse, node, attributes, fields)) {
        stop(parse, TACT_NO_MEMORY);
        return;
    }
    find_lines(parse, node);
    if (!parse->root) {
        parse->root = node;
    }
    parse->node = node;
}

static void on_end(void *context, const xmlChar *name, const xmlChar *prefix,
                   const xmlChar *name_space)
{
    Parse *parse = context;
    (void)name;
    (void)prefix;
    (void)name_space;
    if (parse->status == TACT_OK && parse->node) {
        parse->depth--;
        parse->node = parse->node->parent;
    }
}

static bool is_blank(const char *text, int length)
{
    for (int i = 0; i < length; i++) {
        if (!strchr(" \t\r\n", text[i])) {
            return false;
        }
    }
    return true;
}

/// Text comes in pieces, which are put together; blank ones at its beginning are not kept.
static void on_text(void *context, const xmlChar *piece, int length)
{
    Parse       *parse = context;
    const char  *text = (const char *)piece;
    TactXmlNode *node = parse->node;
    if (parse->status != TACT_OK || !node || node->first ||
        (is_blank(text, length) && !node->text[0])) {
        return;
    }
    if (!node->text[0]) { // another element than the last time
        parse->text_length = 0;
        parse->text_room = 0;
    }
    size_t needed = parse->text_length + (size_t)length + 1;
    if (needed > parse->text_room) {
        char *larger = tact_xml_pool_take(&parse->xml->pool, 2 * needed, 1);
        if (!larger) {
            stop(parse, TACT_NO_MEMORY);
            return;
        }
        memcpy(larger, node->text, parse->text_length);
        parse->text = larger;
        parse->text_room = 2 * needed;
        node->text = larger;
    }
    memcpy(parse->text + parse->text_length, text, (size_t)length);
    parse->text_length += (size_t)length;
    parse->text[parse->text_length] = '\0';
}

// ---------------------------------------------------------------------------------------------
// What is refused

static void on_document_type(void *context, const xmlChar *name, const xmlChar *external,
                             const xmlChar *system)
{
    (void)name;
    if (external || system) {
        refuse_text(context, "a document type in another file is not read");
    }
}

static void on_entity(void *context, const xmlChar *name, int type, const xmlChar *public_id,
                      const xmlChar *system_id, xmlChar *content)
{
    (void)name;
    (void)type;
    (void)public_id;
    (void)system_id;
    (void)content;
    refuse_text(context, "entities are not allowed");
}

static void on_unparsed_entity(void *context, const xmlChar *name, const xmlChar *public_id,
                               const xmlChar *system_id, const xmlChar *notation)
{
    (void)name;
    (void)public_id;
    (void)system_id;
    (void)notation;
    refuse_text(context, "entities are not allowed");
}

static void on_attribute_type(void *context, const xmlChar *element, const xmlChar *name, int type,
                              int def, const xmlChar *value, xmlEnumerationPtr tree)
{
    (void)element;
    (void)name;
    (void)type;
    (void)def;
    (void)value;
    xmlFreeEnumeration(tree);
    refuse_text(context, "declarations in a document type are not allowed");
}

static void on_element_type(void *context, const xmlChar *name, int type,
                            xmlElementContentPtr content)
{
    (void)name;
    (void)type;
    (void)content;
    refuse_text(context, "declarations in a document type are not allowed");
}

static void on_reference(void *context, const xmlChar *name)
{
    (void)name;
    refuse_text(context, "entities are not allowed");
}

/// Without memory libxml2 tells an error without words, or another one.
static bool is_starved(Parse *parse, const xmlError *error)
{
    parse->starved = parse->starved || error->code == XML_ERR_NO_MEMORY || errno == ENOMEM;
    return parse->starved;
}

static void on_error(void *context, xmlErrorPtr error)
{
    Parse *parse = context;
    if (is_starved(parse, error)) {
        stop(parse, tact_fail(TACT_NO_MEMORY, "no memory to read %s", parse->file));
        return;
    }
    // Prefixes that nobody declared are no concern of model files.
    if (parse->status != TACT_OK || error->level < XML_ERR_ERROR ||
        error->domain == XML_FROM_NAMESPACE) {
        return;
    }
    const char *text = error->message ? error->message : "broken XML";
    int         length = (int)strcspn(text, "\n");
    stop(parse, tact_fail(TACT_BAD_INPUT, "%s:%d: broken XML: %.*s", parse->file, error->line,
                          length < 200 ? length : 200, text));
}

/// Errors while characters are converted: the parser is in the middle of its input and must not be
/// stopped from here. What it finds wrong afterwards follows from this.
static void on_encoding_error(void *context, xmlErrorPtr error)
{
    Parse *parse = context;
    if (parse->status != TACT_OK || error->level < XML_ERR_ERROR || is_starved(parse, error)) {
        return;
    }
    const char *text = error->message ? error->message : "encoding";
    int         length = (int)strcspn(text, "\n");
    parse->status = tact_fail(TACT_BAD_INPUT, "%s:1: broken XML: %.*s", parse->file,
                              length < 200 ? length : 200, text);
}

// ---------------------------------------------------------------------------------------------

static xmlSAXHandler handler(void)
{
    xmlSAXHandler sax = {
        .initialized = XML_SAX2_MAGIC,
        .startElementNs = on_start,
        .endElementNs = on_end,
        .characters = on_text,
        .ignorableWhitespace = on_text,
        .cdataBlock = on_text,
        .internalSubset = on_document_type,
        .entityDecl = on_entity,
        .unparsedEntityDecl = on_unparsed_entity,
        .attributeDecl = on_attribute_type,
        .elementDecl = on_element_type,
        .reference = on_reference,
        .serror = on_error,
    };
    return sax;
}

// ---------------------------------------------------------------------------------------------
// Declarations that XML does not know but the world writes: of version 0.0, or after blank lines
// and comments

/// The end of the comment that begins at `start`; `start`: none does, or it has no end.
static size_t skip_comment(const char *bytes, size_t size, size_t start)
{
    if (size - start < 7 || memcmp(bytes + start, "<!--", 4) != 0) {
        return start;
    }
    for (size_t i = start + 4; i + 3 <= size; i++) {
        if (memcmp(bytes + i, "-->", 3) == 0) {
            return i + 3;
        }
    }
    return start;
}

/// Length of blanks, comments, and a declaration <?xml ... ?> that libxml2 would refuse; 0: there
/// is none.
static size_t find_odd_start(const char *bytes, size_t size)
{
    size_t blank = 0, before;
    do {
        before = blank;
        while (blank < size && strchr(" \t\r\n", bytes[blank]) && bytes[blank]) {
            blank++;
        }
        blank = skip_comment(bytes, size, blank);
    } while (blank > before);
    char   head[128];
    size_t length = size - blank < sizeof head - 1 ? size - blank : sizeof head - 1;
    memcpy(head, bytes + blank, length);
    head[length] = '\0';
    char *end = strstr(head, "?>");
    if (strncmp(head, "<?xml", 5) != 0 || !strchr(" \t\r\n", head[5]) || !end) {
        return 0;
    }
    *end = '\0';
    bool known = strstr(head, "version=\"1.") || strstr(head, "version='1.");
    bool foreign = strstr(head, "encoding") && !strstr(head, "utf-8") && !strstr(head, "UTF-8");
    return foreign || (known && blank == 0) ? 0 : blank + (size_t)(end + 2 - head);
}

static TactStatus parse_bytes(TactXml *xml, const char *name, const char *bytes, size_t size,
                              TactXmlNode **root);

static TactStatus read_mended(TactXml *xml, const char *name, const char *bytes, size_t size,
                              TactXmlNode **root)
{
    size_t odd = find_odd_start(bytes, size);
    void  *copy = NULL;
    if (odd == 0) {
        return parse_bytes(xml, name, bytes, size, root);
    }
    TACT_TRY(tact_allocate(size + 1, 1, &copy));
    memcpy(copy, bytes, size);
    for (size_t i = 0; i < odd; i++) { // lines stay where they are
        char *c = (char *)copy + i;
        *c = *c == '\n' ? '\n' : ' ';
    }
    TactStatus status = parse_bytes(xml, name, copy, size, root);
    tact_release(copy);
    return status;
}

TactStatus tact_xml_read_memory(TactXml *xml, const char *name, const char *bytes, size_t size,
                                TactXmlNode **root)
{
    char  *mended;
    size_t length;
    *root = NULL;
    if (size == 0) {
        return tact_fail(TACT_BAD_INPUT, "%s: is empty", name);
    }
    TACT_TRY(tact_xml_mend(bytes, size, &mended, &length));
    TactStatus status = mended ? read_mended(xml, name, mended, length, root)
                               : read_mended(xml, name, bytes, size, root);
    tact_release(mended);
    return status;
}

static TactStatus parse_bytes(TactXml *xml, const char *name, const char *bytes, size_t size,
                              TactXmlNode **root)
{
    *root = NULL;
    if (size > INT_MAX) {
        return tact_fail(TACT_BAD_INPUT, "%s: is too long", name);
    }
    Parse parse = {.xml = xml, .file = tact_xml_pool_copy(&xml->pool, name, strlen(name))};
    if (!parse.file) {
        return TACT_NO_MEMORY;
    }
    // Errors of encodings, and those before there is a context, go to this thread's handler, and
    // without one libxml2 prints them.
    xmlStructuredErrorFunc before = xmlStructuredError;
    void                  *before_context = xmlStructuredErrorContext;
    xmlSetStructuredErrorFunc(&parse, on_encoding_error);
    errno = 0;
    xmlSAXHandler sax = handler();
    parse.context = xmlCreatePushParserCtxt(&sax, &parse, NULL, 0, NULL);
    if (!parse.context) {
        xmlSetStructuredErrorFunc(before_context, before);
        xmlResetLastError();
        return tact_fail(TACT_NO_MEMORY, "no memory to read %s", name);
    }
    // NOENT: "&amp;" becomes "&" at once; other entities cannot have been declared.
    xmlCtxtUseOptions(parse.context, XML_PARSE_NONET | XML_PARSE_HUGE | XML_PARSE_NOENT);
    xmlParseChunk(parse.context, bytes, (int)size, 1);
    xmlSetStructuredErrorFunc(before_context, before);
    if (parse.starved || errno == ENOMEM) {
        parse.status = tact_fail(TACT_NO_MEMORY, "no memory to read %s", name);
    }
    bool well = parse.context->wellFormed != 0;
    if (parse.context->myDoc) {
        xmlFreeDoc(parse.context->myDoc);
        parse.context->myDoc = NULL;
    }
    xmlFreeParserCtxt(parse.context);
    xmlResetLastError(); // its words are this thread's until then
    TACT_TRY(parse.status);
    if (!well || !parse.root) {
        return tact_fail(TACT_BAD_INPUT, "%s:1: is not XML", name);
    }
    *root = parse.root;
    return TACT_OK;
}

#else

TactStatus tact_xml_read_memory(TactXml *xml, const char *name, const char *bytes, size_t size,
                                TactXmlNode **root)
{
    (void)xml;
    (void)bytes;
    (void)size;
    *root = NULL;
    return tact_fail(TACT_UNSUPPORTED, "%s: model files need libxml2, and this build has none",
                     name);
}

#endif

TactStatus tact_xml_read(TactXml *xml, const char *path, TactXmlNode **root)
{
    *root = NULL;
    TactText text;
    TACT_TRY(tact_text_load(&text, path));
    TactStatus status =
        tact_xml_read_memory(xml, path, text.memory, (size_t)(text.end - text.memory), root);
    tact_text_close(&text);
    return status;
}
