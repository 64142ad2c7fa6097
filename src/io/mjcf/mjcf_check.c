// Every element and attribute of the tree through the table of words: what is unknown is an error,
// what is known is noted.
#include <string.h>

#include "base/status.h"
#include "io/mjcf/mjcf.h"
#include "io/mjcf/mjcf_words.h"
#include "io/plugin/plugin.h"

/// The same numbers, or the same text.
static bool same_value(const TactXml *xml, const TactXmlNode *node, const char *attribute,
                       const char *value, const char *fine, size_t length)
{
    enum { MOST = 8 };
    char   text[64];
    double given[MOST];
    double wanted[MOST];
    int    given_count;
    int    wanted_count;
    if (length >= sizeof text) {
        return false;
    }
    memcpy(text, fine, length);
    text[length] = '\0';
    if (strcmp(text, value) == 0) {
        return true;
    }
    if (tact_xml_parse_reals(xml, node, attribute, value, 1, MOST, given, &given_count) !=
            TACT_OK ||
        tact_xml_parse_reals(xml, node, attribute, text, 1, MOST, wanted, &wanted_count) !=
            TACT_OK ||
        given_count != wanted_count) {
        return false;
    }
    for (int i = 0; i < given_count; i++) {
        if (given[i] != wanted[i]) {
            return false;
        }
    }
    return true;
}

static bool is_harmless(const TactXml *xml, const TactXmlNode *node, const TactMjcfWord *word,
                        const TactXmlAttribute *attribute)
{
    const char *list = word->harmless;
    while (list && *list) {
        size_t length = strcspn(list, "|");
        if (same_value(xml, node, attribute->name, attribute->value, list, length)) {
            return true;
        }
        list += length + (list[length] == '|');
    }
    return false;
}

/// An honoured element. Elements of one name in several places are told apart: "equality/joint".
static TactModelNote make_note(const TactXmlNode *node, const TactMjcfWord *element)
{
    static _Thread_local char name[64];

    const char *id = tact_mjcf_word_id(element);
    size_t      length = 0;
    for (; id[length] && length + 1 < sizeof name; length++) {
        name[length] = (char)(id[length] == ' ' ? '/' : id[length]);
    }
    name[length] = '\0';
    return (TactModelNote){.verdict = TACT_VERDICT_HONOURED,
                           .file = node->file,
                           .line = node->line,
                           .element = name,
                           .attribute = "",
                           .text = ""};
}

/// Things that have a name or a class of their own do not stand in classes.
static bool is_default_only_outside(const char *attribute)
{
    return tact_mjcf_word_in(
        "name class geom1 geom2 joint tendon site body1 body2 file vertex face", attribute,
        strlen(attribute));
}

/// Is it the solref of a tie to a mocap body, which is drawn along with that time constant?
static bool is_drawn(const TactMjcf *mjcf, const TactXmlNode *node, const char *attribute)
{
    static const char *const words[] = {"body1", "body2"};

    if (strcmp(attribute, "solref") != 0 || !node->parent ||
        !tact_xml_is(node->parent, "equality")) {
        return false;
    }
    for (int k = 0; k < 2; k++) {
        const char *name = tact_xml_get(node, words[k]);
        for (const TactXmlNode *body = name ? mjcf->root : NULL; body;
             body = tact_xml_following(mjcf->root, body)) {
            const char *own = tact_xml_is(body, "body") ? tact_xml_get(body, "name") : NULL;
            const char *led = own ? tact_xml_get(body, "mocap") : NULL;
            if (led && strcmp(led, "true") == 0 && strcmp(own, name) == 0) {
                return true;
            }
        }
    }
    return false;
}

static TactStatus check_attribute(TactMjcf *mjcf, const TactXmlNode *node,
                                  const TactMjcfWord *element, bool told,
                                  const TactXmlAttribute *attribute)
{
    const TactMjcfWord *word = tact_mjcf_word_attribute(element, attribute->name);
    bool                in_class =
        node->parent && tact_xml_is(node->parent, "default") && !tact_xml_is(node, "default");
    if (!word || (in_class && is_default_only_outside(attribute->name))) {
        return tact_xml_fail(node, attribute->name, TACT_BAD_INPUT, "there is no such attribute");
    }
    if (told || element->verdict != TACT_VERDICT_HONOURED) {
        return TACT_OK; // the note of the element says it
    }
    TactModelNote note = make_note(node, element);
    note.line = attribute->line;
    note.attribute = attribute->name;
    note.physics = word->physics;
    if (word->verdict != TACT_VERDICT_HONOURED && !is_harmless(mjcf->xml, node, word, attribute) &&
        !is_drawn(mjcf, node, attribute->name)) {
        note.verdict = word->verdict;
        note.text = word->text;
    }
    return tact_note_list_add(mjcf->reader->notes, &note);
}

/// An element and its attributes; parts of what is not honoured as a whole are not told again.
/// told: something around it is not honoured; it itself becomes so where it is not.
static TactStatus check_node(TactMjcf *mjcf, const TactXmlNode *node, const TactMjcfWord *element,
                             bool *told)
{
    bool plugin = element->known && !tact_mjcf_is_known_plugin(mjcf, node);
    bool honoured = element->verdict == TACT_VERDICT_HONOURED && !plugin;
    if (!*told && (!honoured || node->attribute_count == 0)) {
        TactModelNote note = make_note(node, element);
        note.verdict = plugin ? TACT_VERDICT_IGNORED : element->verdict;
        note.physics = element->physics || plugin;
        note.text = honoured ? "" : plugin ? "there is no such plugin here" : element->text;
        TACT_TRY(tact_note_list_add(mjcf->reader->notes, &note));
    }
    *told = *told || !honoured;
    for (int i = 0; i < node->attribute_count; i++) {
        TACT_TRY(check_attribute(mjcf, node, element, *told, &node->attributes[i]));
    }
    return TACT_OK;
}

TactStatus tact_mjcf_check(TactMjcf *mjcf)
{
    // The elements above the node, innermost last.
    const TactMjcfWord **above =
        tact_xml_pool_take(&mjcf->xml->pool, TACT_XML_MAX_DEPTH, sizeof(TactMjcfWord *));
    bool *told = tact_xml_pool_take(&mjcf->xml->pool, TACT_XML_MAX_DEPTH, sizeof(bool));
    if (!above || !told) {
        return TACT_NO_MEMORY;
    }
    int depth = 0;
    for (const TactXmlNode *node = mjcf->root; node;) {
        const TactMjcfWord *parent = depth > 0 ? above[depth - 1] : NULL;
        const TactMjcfWord *element = tact_mjcf_word_child(parent, node->name);
        if (!element) {
            return tact_xml_fail(node, NULL, TACT_BAD_INPUT, "there is no such element in '%s'",
                                 node->parent ? node->parent->name : "");
        }
        told[depth] = depth > 0 && told[depth - 1];
        TACT_TRY(check_node(mjcf, node, element, &told[depth]));
        above[depth] = element;
        if (node->first) {
            if (++depth == TACT_XML_MAX_DEPTH) {
                return tact_xml_fail(node, NULL, TACT_BAD_INPUT,
                                     "more than %d elements inside one another",
                                     TACT_XML_MAX_DEPTH);
            }
            node = node->first;
            continue;
        }
        while (node != mjcf->root && !node->next) {
            node = node->parent;
            depth--;
        }
        node = node == mjcf->root ? NULL : node->next;
    }
    return TACT_OK;
}
