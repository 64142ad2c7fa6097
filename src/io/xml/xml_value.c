// The values of attributes.
#include <ctype.h>
#include <errno.h>
#include <limits.h>
#include <locale.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/status.h"
#include "io/xml/xml.h"

TactStatus tact_xml_create(TactXml *xml)
{
    *xml = (TactXml){0};
    xml->locale = newlocale(LC_ALL_MASK, "C", (locale_t)0);
    return xml->locale ? TACT_OK : tact_fail(TACT_NO_MEMORY, "no memory for a locale");
}

void tact_xml_destroy(TactXml *xml)
{
    tact_xml_pool_destroy(&xml->pool);
    if (xml->locale) {
        freelocale((locale_t)xml->locale);
    }
    *xml = (TactXml){0};
}

TactStatus tact_xml_fail(const TactXmlNode *node, const char *attribute, TactStatus status,
                         const char *format, ...)
{
    char    reason[384];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(reason, sizeof reason, format, arguments);
    va_end(arguments);
    const TactXmlAttribute *place = attribute ? tact_xml_attribute(node, attribute) : NULL;
    return tact_fail(status, "%s:%d: %s: %s%s%s", node->file, place ? place->line : node->line,
                     node->name, attribute ? attribute : "", attribute ? ": " : "", reason);
}

TactStatus tact_xml_need(const TactXmlNode *node, const char *name, const char **value)
{
    *value = tact_xml_get(node, name);
    if (!*value) {
        return tact_xml_fail(node, NULL, TACT_BAD_INPUT, "needs the attribute '%s'", name);
    }
    if (!**value) {
        return tact_xml_fail(node, name, TACT_BAD_INPUT, "is empty");
    }
    return TACT_OK;
}

// ---------------------------------------------------------------------------------------------
// Numbers

static const char *skip_space(const char *text)
{
    while (isspace((unsigned char)*text)) {
        text++;
    }
    return text;
}

/// The next number of the text, which is not at its end.
static TactStatus next_real(const TactXml *xml, const TactXmlNode *node, const char *what,
                            bool endless, const char **text, double *value)
{
    char    *end;
    int      length = (int)strcspn(*text, " \t\r\n\v\f");
    locale_t before = uselocale((locale_t)xml->locale);
    *value = strtod(*text, &end);
    uselocale(before);
    if (end == *text || (*end && !isspace((unsigned char)*end))) {
        return tact_xml_fail(node, what, TACT_BAD_INPUT, "'%.*s' is not a number",
                             length < 40 ? length : 40, *text);
    }
    if (endless && isinf(*value)) {
        *value = copysign(TACT_XML_ENDLESS, *value);
    }
    if (!isfinite(*value)) {
        return tact_xml_fail(node, what, TACT_BAD_INPUT, "'%.*s' is not finite",
                             length < 40 ? length : 40, *text);
    }
    *text = skip_space(end);
    return TACT_OK;
}

static TactStatus parse_reals(const TactXml *xml, const TactXmlNode *node, const char *what,
                              const char *text, int least, int most, bool endless, double *values,
                              int *count)
{
    int found = 0;
    for (text = skip_space(text); *text; found++) {
        double value;
        TACT_TRY(next_real(xml, node, what, endless, &text, &value));
        if (found >= most) {
            return tact_xml_fail(node, what, TACT_BAD_INPUT, "has more than %d number%s", most,
                                 most == 1 ? "" : "s");
        }
        values[found] = value;
    }
    if (found < least) {
        return tact_xml_fail(node, what, TACT_BAD_INPUT, "needs %s%d number%s and has %d",
                             least < most ? "at least " : "", least, least == 1 ? "" : "s", found);
    }
    if (count) {
        *count = found;
    }
    return TACT_OK;
}

TactStatus tact_xml_parse_reals(const TactXml *xml, const TactXmlNode *node, const char *what,
                                const char *text, int least, int most, double *values, int *count)
{
    return parse_reals(xml, node, what, text, least, most, false, values, count);
}

TactStatus tact_xml_ends(const TactXml *xml, const TactXmlNode *node, const char *name, int least,
                         int most, double *values, int *count)
{
    const char *text = tact_xml_get(node, name);
    if (count) {
        *count = 0;
    }
    return text && *skip_space(text)
               ? parse_reals(xml, node, name, text, least, most, true, values, count)
               : TACT_OK;
}

TactStatus tact_xml_range(const TactXml *xml, const TactXmlNode *node, const char *name,
                          double range[2])
{
    return tact_xml_ends(xml, node, name, 2, 2, range, NULL);
}

TactStatus tact_xml_reals(const TactXml *xml, const TactXmlNode *node, const char *name, int least,
                          int most, double *values, int *count)
{
    const char *text = tact_xml_get(node, name);
    if (count) {
        *count = 0;
    }
    return text && *skip_space(text)
               ? tact_xml_parse_reals(xml, node, name, text, least, most, values, count)
               : TACT_OK;
}

TactStatus tact_xml_list(TactXml *xml, const TactXmlNode *node, const char *name, double **values,
                         int *count)
{
    const char *text = tact_xml_get(node, name);
    *count = 0;
    if (!text) {
        return TACT_OK;
    }
    size_t most = strlen(text) / 2 + 1; // a digit and a space each
    if (most > INT_MAX / 2) {
        return tact_xml_fail(node, name, TACT_BAD_INPUT, "is too long");
    }
    // The words first, so that memory is taken for what is there.
    most = 0;
    for (const char *c = skip_space(text); *c; c = skip_space(c)) {
        c += strcspn(c, " \t\r\n\v\f");
        most++;
    }
    *values = tact_xml_pool_take(&xml->pool, most > 0 ? most : 1, sizeof(double));
    if (!*values) {
        return TACT_NO_MEMORY;
    }
    return tact_xml_parse_reals(xml, node, name, text, 0, (int)most, *values, count);
}

TactStatus tact_xml_real(const TactXml *xml, const TactXmlNode *node, const char *name,
                         double *value)
{
    return tact_xml_reals(xml, node, name, 1, 1, value, NULL);
}

TactStatus tact_xml_int(const TactXmlNode *node, const char *name, int lo, int hi, int *value)
{
    const char *text = tact_xml_get(node, name);
    if (!text || !*skip_space(text)) {
        return TACT_OK;
    }
    char *end;
    errno = 0;
    long number = strtol(text, &end, 10);
    if (end == text || *skip_space(end) || errno == ERANGE) {
        return tact_xml_fail(node, name, TACT_BAD_INPUT, "'%.40s' is not a whole number", text);
    }
    if (number < lo || number > hi) {
        return tact_xml_fail(node, name, TACT_BAD_INPUT, "%ld is not between %d and %d", number, lo,
                             hi);
    }
    *value = (int)number;
    return TACT_OK;
}

// ---------------------------------------------------------------------------------------------
// Words

TactStatus tact_xml_choice(const TactXmlNode *node, const char *name, const char *const *words,
                           int *value)
{
    const char *text = tact_xml_get(node, name);
    if (!text || !*skip_space(text)) {
        return TACT_OK;
    }
    char list[256] = "";
    for (int i = 0; words[i]; i++) {
        if (strcmp(text, words[i]) == 0) {
            *value = i;
            return TACT_OK;
        }
        size_t used = strlen(list);
        snprintf(list + used, sizeof list - used, "%s%s", i == 0 ? "" : ", ", words[i]);
    }
    return tact_xml_fail(node, name, TACT_BAD_INPUT, "'%.40s' is none of: %s", text, list);
}

TactStatus tact_xml_bool(const TactXmlNode *node, const char *name, bool *value)
{
    static const char *const words[] = {"false", "true", NULL};

    int place = *value;
    TACT_TRY(tact_xml_choice(node, name, words, &place));
    *value = place == 1;
    return TACT_OK;
}
