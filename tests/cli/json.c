#include "cli/json.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/// Every function returns the end of what it has read, or NULL if it is not there.
static const char *skip_value(const char *c);

static const char *skip_space(const char *c)
{
    return c + strspn(c, " \t\r\n");
}

static const char *skip_string(const char *c)
{
    if (*c++ != '"') {
        return NULL;
    }
    for (; *c != '"'; c++) {
        if ((unsigned char)*c < 0x20) {
            return NULL;
        }
        if (*c == '\\' && !strchr("\"\\/bfnrtu", *++c)) {
            return NULL;
        }
    }
    return c + 1;
}

static const char *skip_number(const char *c)
{
    const char *digits = "0123456789";
    c += *c == '-';
    size_t whole = strspn(c, digits);
    if (whole == 0 || (whole > 1 && *c == '0')) {
        return NULL;
    }
    c += whole;
    if (*c == '.') {
        size_t fraction = strspn(++c, digits);
        if (fraction == 0) {
            return NULL;
        }
        c += fraction;
    }
    if (*c == 'e' || *c == 'E') {
        c++;
        c += *c == '+' || *c == '-';
        size_t exponent = strspn(c, digits);
        if (exponent == 0) {
            return NULL;
        }
        c += exponent;
    }
    return c;
}

/// Goes to the member of that number (and, in an object, of that name), and counts all members.
/// With wanted < 0 and no name the whole is skipped.
static const char *walk(const char *c, const char *name, size_t length, int wanted, int *count)
{
    bool object = *c == '{';
    char end = object ? '}' : ']';
    c = skip_space(c + 1);
    for (*count = 0; *c != end; ++*count) {
        if (*count > 0) {
            if (*c != ',') {
                return NULL;
            }
            c = skip_space(c + 1);
        }
        const char *key = c;
        if (object) {
            c = skip_string(c);
            if (!c || *(c = skip_space(c)) != ':') {
                return NULL;
            }
            c = skip_space(c + 1);
        }
        if (object ? name && strncmp(key + 1, name, length) == 0 && key[length + 1] == '"'
                   : *count == wanted) {
            return c;
        }
        c = skip_value(c);
        if (!c) {
            return NULL;
        }
        c = skip_space(c);
    }
    return name || wanted >= 0 ? NULL : c + 1;
}

static const char *skip_value(const char *c)
{
    int count;
    switch (*c) {
    case '{':
    case '[': return walk(c, NULL, 0, -1, &count);
    case '"': return skip_string(c);
    case 't': return strncmp(c, "true", 4) == 0 ? c + 4 : NULL;
    case 'f': return strncmp(c, "false", 5) == 0 ? c + 5 : NULL;
    case 'n': return strncmp(c, "null", 4) == 0 ? c + 4 : NULL;
    default: return skip_number(c);
    }
}

bool tact_json_is_valid(const char *text)
{
    const char *end = skip_value(skip_space(text));
    return end && *skip_space(end) == '\0';
}

const char *tact_json_find(const char *text, const char *path)
{
    const char *c = skip_space(text);
    while (c && *path) {
        size_t length = strcspn(path, ".");
        int    count;
        if (*c == '{') {
            c = walk(c, path, length, -1, &count);
        } else if (*c == '[') {
            c = walk(c, NULL, 0, atoi(path), &count);
        } else {
            return NULL;
        }
        path += length;
        path += *path == '.';
    }
    return c;
}

double tact_json_number(const char *text, const char *path)
{
    const char *c = tact_json_find(text, path);
    return c && (*c == '-' || (*c >= '0' && *c <= '9')) ? strtod(c, NULL) : NAN;
}

bool tact_json_is(const char *text, const char *path, const char *string)
{
    const char *c = tact_json_find(text, path);
    size_t      length = strlen(string);
    return c && *c == '"' && strncmp(c + 1, string, length) == 0 && c[length + 1] == '"';
}

int tact_json_count(const char *text, const char *path)
{
    const char *c = tact_json_find(text, path);
    int         count;
    return c && (*c == '{' || *c == '[') && walk(c, NULL, 0, -1, &count) ? count : -1;
}
