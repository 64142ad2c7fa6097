#include "view/protocol/command.h"

#include <jansson.h>
#include <math.h>
#include <string.h>

#include "cli/json/json.h"

typedef enum Needs { NOTHING, NUMBER, CONTROL, DRAG, TEXT, TEXT_OR_NULL } Needs;

static const struct {
    const char  *name;
    TactViewVerb verb;
    Needs        needs;
    const char  *key;
} commands[] = {
    {"play", TACT_VIEW_PLAY, NOTHING, ""},
    {"pause", TACT_VIEW_PAUSE, NOTHING, ""},
    {"step", TACT_VIEW_STEP, NOTHING, ""},
    {"reset", TACT_VIEW_RESET, TEXT_OR_NULL, "keyframe"},
    {"rewind", TACT_VIEW_REWIND, NUMBER, "step"},
    {"speed", TACT_VIEW_SPEED, NUMBER, "value"},
    {"ctrl", TACT_VIEW_CONTROL, CONTROL, "value"},
    {"drag", TACT_VIEW_DRAG, DRAG, ""},
    {"release", TACT_VIEW_RELEASE, NOTHING, ""},
    {"method", TACT_VIEW_METHOD, TEXT, "value"},
    {"cone", TACT_VIEW_CONE, TEXT, "value"},
    {"friction", TACT_VIEW_FRICTION, NUMBER, "value"},
    {"explain", TACT_VIEW_EXPLAIN, NOTHING, ""},
    {"open", TACT_VIEW_OPEN, TEXT, "file"},
    {"reload", TACT_VIEW_RELOAD, NOTHING, ""},
    {"gallery", TACT_VIEW_GALLERY, NOTHING, ""},
};

enum { COMMANDS = sizeof commands / sizeof commands[0] };

static bool read_number(const json_t *object, const char *key, double *value)
{
    const json_t *found = json_object_get(object, key);
    *value = json_number_value(found);
    return json_is_number(found) && isfinite(*value);
}

static bool read_index(const json_t *object, const char *key, int *index)
{
    const json_t *found = json_object_get(object, key);
    json_int_t    value = json_integer_value(found);
    *index = value >= 0 && value < 1 << 30 ? (int)value : -1;
    return json_is_integer(found) && *index >= 0;
}

static bool read_vec3(const json_t *object, const char *key, TactVec3 *out)
{
    const json_t *list = json_object_get(object, key);
    double        x[3];
    if (json_array_size(list) != 3) {
        return false;
    }
    for (size_t i = 0; i < 3; i++) {
        const json_t *entry = json_array_get(list, i);
        x[i] = json_number_value(entry);
        if (!json_is_number(entry) || !isfinite(x[i])) {
            return false;
        }
    }
    *out = (TactVec3){x[0], x[1], x[2]};
    return true;
}

static bool read_text(const json_t *object, const char *key, bool may_be_null, char *text)
{
    const json_t *found = json_object_get(object, key);
    const char   *words = json_string_value(found);
    text[0] = '\0';
    if (!words) {
        return may_be_null && (!found || json_is_null(found));
    }
    if (json_string_length(found) >= TACT_VIEW_MOST_TEXT || strlen(words) == 0) {
        return false;
    }
    memcpy(text, words, strlen(words) + 1);
    return true;
}

static bool read_parts(const json_t *object, Needs needs, const char *key, TactViewCommand *command)
{
    switch (needs) {
    case NOTHING: return true;
    case NUMBER: return read_number(object, key, &command->value);
    case CONTROL:
        return read_index(object, "index", &command->index) &&
               read_number(object, key, &command->value);
    case DRAG:
        command->turn = json_is_true(json_object_get(object, "turn"));
        return read_index(object, "body", &command->index) &&
               read_vec3(object, "point", &command->point) &&
               read_vec3(object, "target", &command->target);
    case TEXT: return read_text(object, key, false, command->text);
    case TEXT_OR_NULL: return read_text(object, key, true, command->text);
    }
    return false;
}

bool tact_view_command_read(const char *bytes, size_t size, TactViewCommand *command)
{
    json_t     *object = tact_json_read(bytes, size, JSON_REJECT_DUPLICATES, NULL, NULL);
    const char *type = json_string_value(json_object_get(object, "type"));
    bool        known = false;
    *command = (TactViewCommand){0};
    for (int i = 0; i < COMMANDS && type; i++) {
        if (strcmp(type, commands[i].name) == 0) {
            command->verb = commands[i].verb;
            known = read_parts(object, commands[i].needs, commands[i].key, command);
        }
    }
    json_decref(object);
    return known;
}
