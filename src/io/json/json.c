#ifdef TACT_HAVE_JANSSON
#include "io/json/json.h"

#include <errno.h>
#include <limits.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/log.h"
#include "base/status.h"
#include "io/json/json_parse.h"

// ---------------------------------------------------------------------------------------------
// Files

TactStatus tact_json_open(TactJsonFile *file, const TactText *text)
{
    size_t size = (size_t)(text->end - text->next);
    *file = (TactJsonFile){.name = text->name, .size = size};
    return tact_json_parse(text, &file->root);
}

void tact_json_close(TactJsonFile *file)
{
    int told = file->unknown_count;
    told = told < TACT_JSON_MOST_UNKNOWN ? told : TACT_JSON_MOST_UNKNOWN;
    for (int i = 0; i < told; i++) {
        const TactJsonUnknown *unknown = &file->unknown[i];
        char                   more[64] = "";
        if (unknown->count > 1) {
            snprintf(more, sizeof more, " (here and in %d more places)", unknown->count - 1);
        }
        tact_log(TACT_LOG_LEVEL_WARNING, "%s: %s is not known and ignored%s", file->name,
                 unknown->path, more);
    }
    if (file->unknown_count > told) {
        tact_log(TACT_LOG_LEVEL_WARNING, "%s: more fields are not known and ignored", file->name);
    }
    json_decref(file->root);
    file->root = NULL;
}

// ---------------------------------------------------------------------------------------------
// Places

TactJson tact_json_root(TactJsonFile *file)
{
    return (TactJson){.file = file, .value = file->root};
}

TactJson tact_json_member(const TactJson *object, const char *key)
{
    return (TactJson){
        .file = object->file,
        .above = object,
        .key = key,
        .value = json_object_get(object->value, key),
    };
}

TactJson tact_json_element(const TactJson *array, size_t index)
{
    return (TactJson){
        .file = array->file,
        .above = array,
        .index = index,
        .value = json_array_get(array->value, index),
    };
}

/// "contacts[3].normal"; "the file" for the root.
static size_t write_path(const TactJson *json, char *path, size_t room)
{
    if (!json->above) {
        return 0;
    }
    size_t used = write_path(json->above, path, room);
    if (used >= room) {
        return used;
    }
    int length = json->key
                     ? snprintf(path + used, room - used, "%s%.40s", used > 0 ? "." : "", json->key)
                     : snprintf(path + used, room - used, "[%zu]", json->index);
    return used + (size_t)length;
}

/// What a file says is shown on terminals.
static void make_printable(char *text)
{
    for (; *text; text++) {
        *text = (unsigned char)*text < 32 || *text == 127 ? '?' : *text;
    }
}

static void say_path(const TactJson *json, char path[TACT_JSON_LONGEST_PATH])
{
    if (write_path(json, path, TACT_JSON_LONGEST_PATH) == 0) {
        snprintf(path, TACT_JSON_LONGEST_PATH, "the file");
    }
    make_printable(path);
}

TactStatus tact_json_fail(const TactJson *json, const char *format, ...)
{
    char    path[TACT_JSON_LONGEST_PATH];
    char    what[300];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(what, sizeof what, format, arguments);
    va_end(arguments);
    make_printable(what);
    say_path(json, path);
    return tact_fail(TACT_BAD_INPUT, "%s: %s: %s", json->file->name, path, what);
}

static bool is_same_key(const TactJsonUnknown *unknown, const char *key)
{
    return strncmp(unknown->key, key, sizeof unknown->key - 1) == 0;
}

void tact_json_note_unknown(const TactJson *object, const char *const *keys)
{
    const char *key;
    json_t     *value;
    json_object_foreach(object->value, key, value)
    {
        bool known = strcmp(key, "comment") == 0;
        for (int i = 0; keys[i] && !known; i++) {
            known = strcmp(key, keys[i]) == 0;
        }
        if (known) {
            continue;
        }
        TactJsonFile *file = object->file;
        int           room = TACT_JSON_MOST_UNKNOWN;
        int           used = file->unknown_count < room ? file->unknown_count : room;
        int           i = 0;
        while (i < used && !is_same_key(&file->unknown[i], key)) {
            i++;
        }
        if (i < used) {
            file->unknown[i].count++;
        } else if (file->unknown_count++ < room) {
            TactJson member = tact_json_member(object, key);
            say_path(&member, file->unknown[i].path);
            snprintf(file->unknown[i].key, sizeof file->unknown[i].key, "%s", key);
            file->unknown[i].count = 1;
        }
    }
}

// ---------------------------------------------------------------------------------------------
// Values

static const char *kind_name(const json_t *value)
{
    switch (json_typeof(value)) {
    case JSON_OBJECT: return "an object";
    case JSON_ARRAY: return "an array";
    case JSON_STRING: return "a string";
    case JSON_INTEGER:
    case JSON_REAL: return "a number";
    case JSON_TRUE: return "true";
    case JSON_FALSE: return "false";
    default: return "null";
    }
}

static TactStatus expected(const TactJson *json, const char *what)
{
    if (!json->value) {
        return tact_json_fail(json, "is missing (%s)", what);
    }
    return tact_json_fail(json, "is %s, not %s", kind_name(json->value), what);
}

TactStatus tact_json_is_object(const TactJson *json)
{
    return json_is_object(json->value) ? TACT_OK : expected(json, "an object");
}

TactStatus tact_json_is_array(const TactJson *json, int count)
{
    char what[64] = "an array";
    if (count >= 0) {
        snprintf(what, sizeof what, "an array of %d", count);
    }
    if (!json_is_array(json->value)) {
        return expected(json, what);
    }
    size_t size = json_array_size(json->value);
    if (count < 0 && size > INT_MAX) {
        return tact_json_fail(json, "has %zu elements, which is too many", size);
    }
    if (count >= 0 && size != (size_t)count) {
        return tact_json_fail(json, "has %zu element%s, not %d", size, size == 1 ? "" : "s", count);
    }
    return TACT_OK;
}

TactStatus tact_json_real(const TactJson *json, double *value)
{
    if (!json_is_number(json->value)) {
        return expected(json, "a number");
    }
    *value = json_number_value(json->value);
    return TACT_OK;
}

TactStatus tact_json_int(const TactJson *json, int lo, int hi, int *value)
{
    double real = 0;
    TACT_TRY(tact_json_real(json, &real));
    if (!(real >= lo && real <= hi) || real != floor(real)) {
        return tact_json_fail(json, "is %.17g, not a whole number from %d to %d", real, lo, hi);
    }
    *value = (int)real;
    return TACT_OK;
}

TactStatus tact_json_id(const TactJson *json, uint64_t *value)
{
    static const char what[] = "a whole number that is not negative, or one as a string";
    if (json_is_integer(json->value) && json_integer_value(json->value) >= 0) {
        *value = (uint64_t)json_integer_value(json->value);
        return TACT_OK;
    }
    if (!json_is_string(json->value)) {
        return json_is_number(json->value) ? tact_json_fail(json, "is not %s", what)
                                           : expected(json, what);
    }
    const char *digits = json_string_value(json->value);
    char       *end;
    errno = 0;
    unsigned long long number = strtoull(digits, &end, 10);
    if (digits[0] < '0' || digits[0] > '9' || *end != '\0' || errno == ERANGE) {
        return tact_json_fail(json, "is \"%.30s\", not %s", digits, what);
    }
    *value = number;
    return TACT_OK;
}

TactStatus tact_json_word(const TactJson *json, const char *const *words, int *which)
{
    char list[120] = "";
    for (int i = 0; words[i]; i++) {
        size_t used = strlen(list);
        snprintf(list + used, sizeof list - used, "%s\"%s\"", i > 0 ? ", " : "", words[i]);
    }
    if (!json_is_string(json->value)) {
        char what[160];
        snprintf(what, sizeof what, "one of %s", list);
        return expected(json, what);
    }
    for (int i = 0; words[i]; i++) {
        if (strcmp(json_string_value(json->value), words[i]) == 0) {
            *which = i;
            return TACT_OK;
        }
    }
    return tact_json_fail(json, "is \"%.40s\", not one of %s", json_string_value(json->value),
                          list);
}

TactStatus tact_json_reals(const TactJson *json, int count, double *values)
{
    TACT_TRY(tact_json_is_array(json, count));
    for (int i = 0; i < count; i++) {
        TactJson element = tact_json_element(json, (size_t)i);
        TACT_TRY(tact_json_real(&element, &values[i]));
    }
    return TACT_OK;
}

TactStatus tact_json_matrix(const TactJson *json, int rows, int columns, double *values)
{
    TACT_TRY(tact_json_is_array(json, rows));
    for (int i = 0; i < rows; i++) {
        TactJson row = tact_json_element(json, (size_t)i);
        TACT_TRY(tact_json_reals(&row, columns, values + (size_t)i * (size_t)columns));
    }
    return TACT_OK;
}

TactStatus tact_json_holds(const TactJson *json, double count)
{
    // A number is at least a digit and a comma or bracket.
    if (count > (double)json->file->size / 2) {
        return tact_json_fail(json, "needs %.0f numbers, more than a file of %zu bytes can hold",
                              count, json->file->size);
    }
    return TACT_OK;
}

#else
typedef int tact_json_has_no_jansson; // a translation unit is not empty
#endif
