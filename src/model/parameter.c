// The table of parameters: where each stands in its struct, and what it may be.
#include <tact/parameter.h>

#include <stdlib.h>
#include <string.h>

#include "base/status.h"
#include "model/parameter.h"

#define OF(kind, type, field, count, rule, unit, about)                         \
    {                                                                           \
        {kind, #field, count, unit, about}, offsetof(type, field), (rule), NULL \
    }
#define AT(kind, name, type, member, count, rule, apply, unit, about)           \
    {                                                                           \
        {kind, name, count, unit, about}, offsetof(type, member), (rule), apply \
    }

static void set_kp(void *thing, const double *value)
{
    TactActuator *actuator = thing;
    actuator->gain[0] = value[0];
    actuator->bias[1] = -value[0];
}

static void set_kv(void *thing, const double *value)
{
    TactActuator *actuator = thing;
    actuator->bias[2] = -value[0];
}

static void set_pair_mu(void *thing, const double *value)
{
    TactPair *pair = thing;
    pair->mu[0] = pair->mu[1] = value[0];
}

static const TactParameterLine lines[] = {
    AT("", "gravity", TactModelOptions, gravity, 3, TACT_RULE_ANY, NULL, "m/s^2", "world frame"),
    AT("body", "mass", TactBody, inertia.mass, 1, TACT_RULE_POSITIVE, NULL, "kg",
       "rotational inertia grows with it"),
    OF("body", TactBody, gravity_compensation, 1, TACT_RULE_ANY, "", "share of its weight carried"),
    AT("geom", "friction", TactGeom, mu, 1, TACT_RULE_NOT_NEGATIVE, NULL, "",
       "of two geoms the larger one counts, or that of higher priority"),
    AT("pair", "friction", TactPair, mu, 1, TACT_RULE_NOT_NEGATIVE, set_pair_mu, "",
       "of the two geoms that the pair names"),
    OF("joint", TactJoint, damping, 1, TACT_RULE_NOT_NEGATIVE, "N m s/rad or N s/m", ""),
    OF("joint", TactJoint, stiffness, 1, TACT_RULE_NOT_NEGATIVE, "N m/rad or N/m", "of its spring"),
    OF("joint", TactJoint, armature, 1, TACT_RULE_NOT_NEGATIVE, "kg m^2 or kg", "rotor inertia"),
    OF("joint", TactJoint, friction, 1, TACT_RULE_NOT_NEGATIVE, "N m or N",
       "dry friction; while a simulation runs, only of joints that have some"),
    OF("joint", TactJoint, range, 2, TACT_RULE_RANGE, "rad or m", "limits, of joints with limits"),
    OF("tendon", TactTendon, damping, 1, TACT_RULE_NOT_NEGATIVE, "N s/m", ""),
    OF("tendon", TactTendon, armature, 1, TACT_RULE_NOT_NEGATIVE, "kg", "inertia along its length"),
    OF("tendon", TactTendon, stiffness, 1, TACT_RULE_NOT_NEGATIVE, "N/m", ""),
    OF("tendon", TactTendon, friction, 1, TACT_RULE_NOT_NEGATIVE, "N",
       "dry friction; while a simulation runs, only of tendons that have some"),
    AT("actuator", "kp", TactActuator, gain, 1, TACT_RULE_NOT_NEGATIVE, set_kp, "N m/rad or N/m",
       "of a position servo: gain[0] and -bias[1]"),
    AT("actuator", "kv", TactActuator, bias[2], 1, TACT_RULE_NEGATED, set_kv, "N m s/rad or N s/m",
       "of a servo: -bias[2]"),
    OF("actuator", TactActuator, gain, 3, TACT_RULE_ANY, "", "force = gain ctrl + bias"),
    OF("actuator", TactActuator, bias, 3, TACT_RULE_ANY, "", "constant, by length, by velocity"),
    OF("actuator", TactActuator, gear, 6, TACT_RULE_ANY, "", "of its transmission"),
    OF("actuator", TactActuator, ctrl_range, 2, TACT_RULE_RANGE, "", "of actuators with limits"),
    OF("actuator", TactActuator, force_range, 2, TACT_RULE_RANGE, "N or N m",
       "of actuators with limits"),
};

enum { LINES = sizeof lines / sizeof *lines };

const TactParameter *tact_parameter_table(int *count)
{
    static TactParameter table[LINES];
    for (int i = 0; i < LINES; i++) { // the same bytes whoever writes them
        table[i] = lines[i].parameter;
    }
    *count = LINES;
    return table;
}

typedef struct Kind {
    const char *name;
    TactObject  type;
    size_t      size;
} Kind;

static const Kind kinds[] = {
    {"", TACT_OBJECT_NONE, 0},
    {"body", TACT_OBJECT_BODY, sizeof(TactBody)},
    {"geom", TACT_OBJECT_GEOM, sizeof(TactGeom)},
    {"joint", TACT_OBJECT_JOINT, sizeof(TactJoint)},
    {"tendon", TACT_OBJECT_TENDON, sizeof(TactTendon)},
    {"actuator", TACT_OBJECT_ACTUATOR, sizeof(TactActuator)},
    {"pair", TACT_OBJECT_PAIR, sizeof(TactPair)},
};

enum { KINDS = sizeof kinds / sizeof *kinds };

static int count_of(const TactModel *model, TactObject type)
{
    switch (type) {
    case TACT_OBJECT_BODY: return model->body_count;
    case TACT_OBJECT_GEOM: return model->geom_count;
    case TACT_OBJECT_JOINT: return model->joint_count;
    case TACT_OBJECT_TENDON: return model->tendon_count;
    case TACT_OBJECT_ACTUATOR: return model->actuator_count;
    case TACT_OBJECT_PAIR: return model->pair_count;
    default: return 1;
    }
}

static const char *array_of(const TactModel *model, TactObject type)
{
    switch (type) {
    case TACT_OBJECT_BODY: return (const char *)model->bodies;
    case TACT_OBJECT_GEOM: return (const char *)model->geoms;
    case TACT_OBJECT_JOINT: return (const char *)model->joints;
    case TACT_OBJECT_TENDON: return (const char *)model->tendons;
    case TACT_OBJECT_ACTUATOR: return (const char *)model->actuators;
    case TACT_OBJECT_PAIR: return (const char *)model->pairs;
    default: return (const char *)&model->options;
    }
}

void *tact_parameter_thing(const TactModel *model, const TactParameterPlace *place)
{
    return (void *)(array_of(model, place->type) + (size_t)place->index * place->size);
}

/// The thing called so, or whose index it is; -1: none.
static int find_thing(const TactModel *model, TactObject type, const char *name)
{
    int index = tact_model_find(model, type, name);
    if (index < 0 && name[0] >= '0' && name[0] <= '9') {
        char *end = NULL;
        long  number = strtol(name, &end, 10);
        index = *end == 0 && number < count_of(model, type) ? (int)number : -1;
    }
    return index;
}

/// All fields of a kind, for a message.
static void list_fields(const char *kind, char text[512])
{
    size_t used = 0;
    text[0] = 0;
    for (int i = 0; i < LINES; i++) {
        const TactParameter *p = &lines[i].parameter;
        size_t               length = strlen(p->field);
        if (strcmp(p->kind, kind) == 0 && used + length + 3 < 512) {
            used += used > 0 ? 2 : 0;
            memcpy(text + (used > 0 ? used - 2 : 0), ", ", used > 0 ? 2 : 0);
            memcpy(text + used, p->field, length + 1);
            used += length;
        }
    }
}

static TactStatus find_line(const char *kind, const char *field, const char *path,
                            TactParameterPlace *place)
{
    for (int i = 0; i < LINES; i++) {
        if (strcmp(lines[i].parameter.kind, kind) == 0 &&
            strcmp(lines[i].parameter.field, field) == 0) {
            place->line = &lines[i];
            place->number = i;
            return TACT_OK;
        }
    }
    char fields[512];
    list_fields(kind, fields);
    return tact_fail(TACT_BAD_ARGUMENT,
                     "parameter '%s': there is no '%s' that can be set of a %s; there are: %s",
                     path, field, *kind ? kind : "model", fields);
}

TactStatus tact_parameter_place(const TactModel *model, const char *path, TactParameterPlace *place)
{
    *place = (TactParameterPlace){.type = TACT_OBJECT_NONE};
    const char *first = strchr(path, '/'), *last = strrchr(path, '/');
    if (!first) {
        return find_line("", path, path, place);
    }
    char   name[256];
    size_t length = (size_t)(last - first), kind = 1;
    while (kind < KINDS && (strlen(kinds[kind].name) != (size_t)(first - path) ||
                            strncmp(kinds[kind].name, path, (size_t)(first - path)) != 0)) {
        kind++;
    }
    if (kind == KINDS || first == last || length > sizeof name) {
        return tact_fail(TACT_BAD_ARGUMENT,
                         "parameter '%s' is not of the form gravity, body/NAME/mass, with body, "
                         "geom, joint, tendon, actuator or pair",
                         path);
    }
    memcpy(name, first + 1, length - 1);
    name[length - 1] = 0;
    place->type = kinds[kind].type;
    place->size = kinds[kind].size;
    place->index = find_thing(model, place->type, name);
    if (place->index < 0) {
        return tact_fail(TACT_BAD_ARGUMENT, "parameter '%s': the model has no %s '%s'", path,
                         kinds[kind].name, name);
    }
    return find_line(kinds[kind].name, last + 1, path, place);
}

TactStatus tact_parameter_find(const TactModel *model, const char *path,
                               const TactParameter **parameter, int *index)
{
    TACT_NEED(model && path && parameter && index, "tact_parameter_find");
    TactParameterPlace place;
    TACT_TRY(tact_parameter_place(model, path, &place));
    *parameter = &place.line->parameter;
    *index = place.index;
    return TACT_OK;
}

uint64_t tact_parameter_hash(const TactModel *copy, const TactModel *original,
                             const TactParameterPlace *place)
{
    const char *now = tact_parameter_thing(copy, place);
    const char *then = tact_parameter_thing(original, place);
    uint64_t    start = 0x706172616d657465u + (uint64_t)place->type, hash = start;
    bool        same = true;
    for (int i = 0; i < LINES; i++) {
        const TactParameter *p = &lines[i].parameter;
        if (strcmp(p->kind, place->line->parameter.kind) != 0) {
            continue;
        }
        size_t size = (size_t)p->count * sizeof(double);
        same = same && memcmp(now + lines[i].offset, then + lines[i].offset, size) == 0;
        for (int k = 0; k < p->count; k++) {
            uint64_t bits;
            memcpy(&bits, now + lines[i].offset + (size_t)k * sizeof bits, sizeof bits);
            hash = (hash ^ bits) * 0x9e3779b97f4a7c15u + (uint64_t)place->index;
            hash ^= hash >> 29;
        }
    }
    return same ? 0 : hash;
}
