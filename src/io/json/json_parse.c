#include <tact/base.h> // not nothing, in a build without jansson

#ifdef TACT_HAVE_JANSSON
#include "io/json/json_parse.h"

#include <errno.h>
#include <locale.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/status.h"

enum { DEEPEST = 2000 };

typedef struct Parse {
    const TactText *text;
    const char     *c;    // next character; a zero ends the text
    char           *room; // a string without its escapes                     (length of the text)
    int             depth;
} Parse;

static TactStatus parse_value(Parse *p, json_t **value);

// ---------------------------------------------------------------------------------------------
// Failures

static TactStatus fail_parse(const Parse *p, const char *what)
{
    int         line = 1;
    const char *start = p->text->next;
    for (const char *c = start; c < p->c; c++) {
        if (*c == '\n') {
            line++;
            start = c + 1;
        }
    }
    return tact_fail(TACT_BAD_INPUT, "%s:%d:%d: %s", p->text->name, line, (int)(p->c - start) + 1,
                     what);
}

static TactStatus fail_memory(const Parse *p)
{
    return tact_fail(TACT_NO_MEMORY, "%s: no memory for its JSON", p->text->name);
}

// ---------------------------------------------------------------------------------------------
// Words, numbers, strings

static void skip_blanks(Parse *p)
{
    while (*p->c == ' ' || *p->c == '\t' || *p->c == '\n' || *p->c == '\r') {
        p->c++;
    }
}

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static const char *skip_digits(const char *c)
{
    while (is_digit(*c)) {
        c++;
    }
    return c;
}

static TactStatus parse_number(Parse *p, json_t **value)
{
    const char *c = p->c + (*p->c == '-');
    bool        whole = true;
    if (!is_digit(*c) || (*c == '0' && is_digit(c[1]))) {
        return fail_parse(p, "a number is expected");
    }
    c = skip_digits(c);
    if (*c == '.') {
        whole = false;
        if (!is_digit(*++c)) {
            return fail_parse(p, "a number needs digits after its point");
        }
        c = skip_digits(c);
    }
    if (*c == 'e' || *c == 'E') {
        whole = false;
        c++;
        c += *c == '+' || *c == '-';
        if (!is_digit(*c)) {
            return fail_parse(p, "a number needs digits in its exponent");
        }
        c = skip_digits(c);
    }
    errno = 0;
    if (whole) {
        long long number = strtoll(p->c, NULL, 10);
        if (errno == ERANGE) {
            return fail_parse(p, "a whole number is too large");
        }
        *value = json_integer(number);
    } else {
        locale_t before = uselocale((locale_t)p->text->locale);
        double   number = strtod(p->c, NULL);
        uselocale(before);
        if (!isfinite(number)) {
            return fail_parse(p, "a number is too large: overflow");
        }
        *value = json_real(number);
    }
    p->c = c;
    return *value ? TACT_OK : fail_memory(p);
}

/// Four digits of base 16 at c; -1: they are not there.
static int read_code(const char *c)
{
    int code = 0;
    for (int i = 0; i < 4; i++) {
        const char *digits = "0123456789abcdef";
        const char *found =
            c[i] ? strchr(digits, c[i] >= 'A' && c[i] <= 'F' ? c[i] + 32 : c[i]) : NULL;
        if (!found) {
            return -1;
        }
        code = 16 * code + (int)(found - digits);
    }
    return code;
}

/// \uXXXX at the u, or two of them that are one character. Moves behind it; 0: it is none.
static int parse_code(Parse *p)
{
    int code = read_code(p->c + 1);
    if (code < 0xD800 || code > 0xDFFF) {
        p->c += code > 0 ? 5 : 0;
        return code > 0 ? code : 0;
    }
    int low = code < 0xDC00 && p->c[5] == '\\' && p->c[6] == 'u' ? read_code(p->c + 7) : 0;
    if (low < 0xDC00 || low > 0xDFFF) {
        return 0;
    }
    p->c += 11;
    return 0x10000 + ((code - 0xD800) << 10) + (low - 0xDC00);
}

static char *write_utf8(char *to, int code)
{
    if (code < 0x80) {
        *to++ = (char)code;
    } else if (code < 0x800) {
        *to++ = (char)(0xC0 | code >> 6);
        *to++ = (char)(0x80 | (code & 63));
    } else if (code < 0x10000) {
        *to++ = (char)(0xE0 | code >> 12);
        *to++ = (char)(0x80 | (code >> 6 & 63));
        *to++ = (char)(0x80 | (code & 63));
    } else {
        *to++ = (char)(0xF0 | code >> 18);
        *to++ = (char)(0x80 | (code >> 12 & 63));
        *to++ = (char)(0x80 | (code >> 6 & 63));
        *to++ = (char)(0x80 | (code & 63));
    }
    return to;
}

/// At the character behind a backslash.
static TactStatus parse_escape(Parse *p, char **to)
{
    static const char names[] = "\"\\/bfnrt", meant[] = "\"\\/\b\f\n\r\t";
    const char       *found = *p->c ? strchr(names, *p->c) : NULL;
    if (found) {
        *(*to)++ = meant[found - names];
        p->c++;
        return TACT_OK;
    }
    int code = *p->c == 'u' ? parse_code(p) : 0;
    if (code == 0) {
        return fail_parse(p, "a backslash in a string begins no character");
    }
    *to = write_utf8(*to, code);
    return TACT_OK;
}

/// From quote to quote, into the room; never longer than in the file.
static TactStatus parse_characters(Parse *p, size_t *length)
{
    char *to = p->room;
    if (*p->c != '"') {
        return fail_parse(p, "a string is expected");
    }
    for (p->c++; *p->c != '"';) {
        if ((unsigned char)*p->c < 32) {
            return fail_parse(p,
                              *p->c ? "a string has a control character" : "a string has no end");
        }
        if (*p->c == '\\') {
            p->c++;
            TACT_TRY(parse_escape(p, &to));
        } else {
            *to++ = *p->c++;
        }
    }
    p->c++;
    *to = '\0';
    *length = (size_t)(to - p->room);
    return TACT_OK;
}

/// A string that jansson takes, for it is UTF-8.
static TactStatus parse_string(Parse *p, json_t **value)
{
    size_t length = 0;
    TACT_TRY(parse_characters(p, &length));
    errno = 0;
    *value = json_stringn(p->room, length);
    return *value            ? TACT_OK
           : errno == ENOMEM ? fail_memory(p)
                             : fail_parse(p, "a string is not UTF-8");
}

static TactStatus parse_word(Parse *p, json_t **value)
{
    static const char *const words[] = {"true", "false", "null"};
    json_t *const            meant[] = {json_true(), json_false(), json_null()};
    for (int i = 0; i < 3; i++) {
        size_t length = strlen(words[i]);
        if (strncmp(p->c, words[i], length) == 0) {
            p->c += length;
            *value = meant[i];
            return TACT_OK;
        }
    }
    return fail_parse(p, *p->c ? "a value is expected" : "a value is expected, but the file ends");
}

// ---------------------------------------------------------------------------------------------
// Arrays and objects

static TactStatus parse_element(Parse *p, json_t *array)
{
    json_t *value = NULL;
    TACT_TRY(parse_value(p, &value));
    return json_array_append_new(array, value) == 0 ? TACT_OK : fail_memory(p);
}

static TactStatus parse_member(Parse *p, json_t *object)
{
    json_t *key = NULL, *value = NULL;
    TACT_TRY(parse_string(p, &key));
    const char *name = json_string_value(key);
    TactStatus  status = TACT_OK;
    if (strlen(name) != json_string_length(key)) {
        status = fail_parse(p, "a name has a zero in it");
    } else if (json_object_get(object, name)) {
        status = tact_fail(TACT_BAD_INPUT, "%s: duplicate member \"%.40s\"", p->text->name, name);
    }
    if (status == TACT_OK) {
        skip_blanks(p);
        status = *p->c == ':' ? TACT_OK : fail_parse(p, "':' is expected");
    }
    if (status == TACT_OK) {
        p->c++;
        status = parse_value(p, &value);
    }
    if (status == TACT_OK && json_object_set_new(object, name, value) != 0) {
        status = fail_memory(p);
    }
    json_decref(key);
    return status;
}

/// What stands between two brackets, separated by commas.
static TactStatus parse_inside(Parse *p, char end, json_t *into)
{
    p->c++;
    skip_blanks(p);
    if (*p->c == end) {
        p->c++;
        return TACT_OK;
    }
    while (true) {
        skip_blanks(p);
        TACT_TRY(end == ']' ? parse_element(p, into) : parse_member(p, into));
        skip_blanks(p);
        if (*p->c == end) {
            p->c++;
            return TACT_OK;
        }
        if (*p->c != ',') {
            return fail_parse(p, end == ']' ? "',' or ']' is expected" : "',' or '}' is expected");
        }
        p->c++;
    }
}

static TactStatus parse_value(Parse *p, json_t **value)
{
    skip_blanks(p);
    bool array = *p->c == '[';
    if (array || *p->c == '{') {
        if (p->depth == DEEPEST) {
            return fail_parse(p, "nested too deeply");
        }
        *value = array ? json_array() : json_object();
        if (!*value) {
            return fail_memory(p);
        }
        p->depth++;
        TactStatus status = parse_inside(p, array ? ']' : '}', *value);
        p->depth--;
        if (status != TACT_OK) {
            json_decref(*value);
            *value = NULL;
        }
        return status;
    }
    if (*p->c == '"') {
        return parse_string(p, value);
    }
    return *p->c == '-' || is_digit(*p->c) ? parse_number(p, value) : parse_word(p, value);
}

TactStatus tact_json_parse(const TactText *text, json_t **root)
{
    Parse p = {.text = text, .c = text->next};
    void *room;
    *root = NULL;
    TACT_TRY(tact_allocate((size_t)(text->end - text->next) + 1, 1, &room));
    p.room = room;
    TactStatus status = parse_value(&p, root);
    if (status == TACT_OK) {
        skip_blanks(&p);
        if (p.c < text->end) {
            status = fail_parse(&p, "end of file expected");
        }
    }
    if (status != TACT_OK) {
        json_decref(*root);
        *root = NULL;
    }
    tact_release(room);
    return status;
}
#endif
