#include "cli/json/json_build.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char NO_MEMORY[] = "no memory for the JSON";
static const char NO_TEXT[] = "a text or a number that JSON cannot have";

// What failed first since the last end; NULL: nothing.
static _Thread_local const char *fault;

/// jansson does not tell what went wrong; malloc() leaves ENOMEM behind, and only malloc() does.
static void count(bool well)
{
    if (!well && !fault) {
        fault = errno == ENOMEM ? NO_MEMORY : NO_TEXT;
    }
}

void tact_json_set(json_t *object, const char *key, json_t *value)
{
    count(json_object_set_new(object, key, value) == 0);
}

void tact_json_append(json_t *array, json_t *value)
{
    count(json_array_append_new(array, value) == 0);
}

json_t *tact_json_pack(const char *format, ...)
{
    json_error_t error;
    va_list      arguments;
    va_start(arguments, format);
    json_t *value = json_vpack_ex(&error, 0, format, arguments);
    va_end(arguments);
    count(value != NULL);
    return value;
}

void tact_json_merge(json_t *object, json_t *rest)
{
    count(rest && json_object_update(object, rest) == 0);
    json_decref(rest);
}

/// A text that grows.
typedef struct Text {
    char  *bytes;
    size_t size, room;
    bool   failed;
} Text;

static int append(const char *bytes, size_t size, void *data)
{
    Text *text = data;
    if (size >= text->room - text->size && !text->failed) {
        size_t room = 2 * (text->room + size + 512);
        char  *grown = realloc(text->bytes, room);
        text->failed = !grown;
        text->bytes = grown ? grown : text->bytes;
        text->room = grown ? room : text->room;
    }
    if (text->failed) {
        return -1;
    }
    memcpy(text->bytes + text->size, bytes, size);
    text->size += size;
    text->bytes[text->size] = '\0';
    return 0;
}

/// json_dumps() of jansson 2.14 leaves a key out where its buffer could not grow, and says nothing:
/// the text grows here, and remembers.
static char *dump(const json_t *value, size_t flags)
{
    Text text = {0};
    if (json_dump_callback(value, append, &text, flags) != 0 || text.failed) {
        free(text.bytes);
        return NULL;
    }
    return text.bytes;
}

char *tact_json_end(json_t *value, size_t flags, const char **why)
{
    char *text = value && !fault ? dump(value, flags) : NULL;
    count(text != NULL);
    *why = fault;
    fault = NULL;
    errno = 0;
    json_decref(value);
    return text;
}

const char *tact_json_write(json_t *value, size_t flags, const char *path)
{
    const char *why;
    char       *text = tact_json_end(value, flags, &why);
    if (!text) {
        return why;
    }
    FILE *file = fopen(path, "w");
    bool  written = file && fputs(text, file) >= 0;
    written = file && fclose(file) == 0 && written;
    free(text);
    return written ? NULL : "it cannot be written";
}

const char *tact_json_print(json_t *value, size_t flags)
{
    const char *why;
    char       *text = tact_json_end(value, flags, &why);
    if (!text) {
        return why;
    }
    bool written = puts(text) >= 0;
    free(text);
    return written ? NULL : "the output could not be written";
}
