// What is looked at: a JSON pointer into the report of `tact run --json`, or a sensor.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/status.h"
#include "sweep/sweep.h"

enum { MOST_PARTS = 5 };

typedef struct Total {
    const char *pointer;
    TactTotal   total;
} Total;

static const Total totals[] = {
    {"/time", TACT_TOTAL_TIME},
    {"/dt", TACT_TOTAL_DT},
    {"/steps", TACT_TOTAL_STEPS},
    {"/dof", TACT_TOTAL_DOF},
    {"/contacts/mean", TACT_TOTAL_CONTACTS_MEAN},
    {"/contacts/max", TACT_TOTAL_CONTACTS_MAX},
    {"/solves/total", TACT_TOTAL_SOLVES},
    {"/solves/certified", TACT_TOTAL_CERTIFIED},
    {"/solves/unverified", TACT_TOTAL_UNVERIFIED},
    {"/solves/out_of_budget", TACT_TOTAL_OUT_OF_BUDGET},
    {"/residual_max", TACT_TOTAL_RESIDUAL_MAX},
    {"/penetration_max", TACT_TOTAL_PENETRATION_MAX},
    {"/loop_error_max", TACT_TOTAL_LOOP_ERROR_MAX},
    {"/correction_max", TACT_TOTAL_CORRECTION_MAX},
    {"/damping_energy", TACT_TOTAL_DAMPING_ENERGY},
    {"/divided_steps", TACT_TOTAL_DIVIDED_STEPS},
    {"/unresolved_steps", TACT_TOTAL_UNRESOLVED_STEPS},
};

/// One part of a pointer without its escapes (RFC 6901): ~1 is /, ~0 is ~.
static void unescape(char *part)
{
    char *to = part;
    for (const char *from = part; *from; from++) {
        bool escape = from[0] == '~' && (from[1] == '0' || from[1] == '1');
        *to++ = escape ? (from[1] == '0' ? '~' : '/') : *from;
        from += escape;
    }
    *to = 0;
}

/// The thing that the report calls so: its name, or "body 3".
static int find_labelled(const TactModel *model, TactObject type, const char *name, int first,
                         int count)
{
    for (int i = first; i < count; i++) {
        char label[TACT_LABEL_SIZE];
        if (strcmp(tact_model_label(model, type, i, label), name) == 0) {
            return i;
        }
    }
    return -1;
}

static bool read_index(const char *part, int size, int *number)
{
    char *end = NULL;
    long  value = part[0] >= '0' && part[0] <= '9' ? strtol(part, &end, 10) : -1;
    *number = value >= 0 && value < size && *end == 0 ? (int)value : -1;
    return *number >= 0;
}

static TactStatus fail_part(const char *pointer, const char *what, const char *there)
{
    return tact_fail(TACT_BAD_INPUT, "'%s': %s; there %s", pointer, what, there);
}

static TactStatus find_body(const TactModel *model, const char *pointer, char *const *part,
                            int count, TactQuantity *quantity)
{
    static const struct {
        const char      *name;
        int              size;
        TactQuantityKind kind;
    } fields[] = {{"pos", 3, TACT_QUANTITY_POSITION},
                  {"quat", 4, TACT_QUANTITY_ROTATION},
                  {"vel", 3, TACT_QUANTITY_VELOCITY},
                  {"omega", 3, TACT_QUANTITY_OMEGA}};
    quantity->index = find_labelled(model, TACT_OBJECT_BODY, part[1], 1, model->body_count);
    if (quantity->index < 0) {
        return tact_fail(TACT_BAD_INPUT, "'%s': the model has no body '%s'", pointer, part[1]);
    }
    for (size_t i = 0; i < sizeof fields / sizeof *fields; i++) {
        if (count == 4 && strcmp(part[2], fields[i].name) == 0 &&
            read_index(part[3], fields[i].size, &quantity->number)) {
            quantity->kind = fields[i].kind;
            return TACT_OK;
        }
    }
    return fail_part(pointer, "that is no number of a body",
                     "are pos/0 to 2, quat/0 to 3, vel/0 to 2 and omega/0 to 2");
}

static TactStatus find_joint(const TactModel *model, const char *pointer, char *const *part,
                             int count, TactQuantity *quantity)
{
    static const int q_size[] = {7, 4, 1, 1}, v_size[] = {6, 3, 1, 1}; // by TactJointType
    int joint = find_labelled(model, TACT_OBJECT_JOINT, part[1], 0, model->joint_count), number = 0;
    if (joint < 0) {
        return tact_fail(TACT_BAD_INPUT, "'%s': the model has no joint '%s'", pointer, part[1]);
    }
    const TactJoint *j = &model->joints[joint];
    bool             q = count == 4 && strcmp(part[2], "qpos") == 0;
    bool             v = count == 4 && strcmp(part[2], "qvel") == 0;
    if ((q && read_index(part[3], q_size[j->type], &number)) ||
        (v && read_index(part[3], v_size[j->type], &number))) {
        quantity->kind = q ? TACT_QUANTITY_Q : TACT_QUANTITY_V;
        quantity->index = number + (q ? j->q : j->dof);
        return TACT_OK;
    }
    char there[80];
    snprintf(there, sizeof there, "are qpos/0 to %d and qvel/0 to %d", q_size[j->type] - 1,
             v_size[j->type] - 1);
    return fail_part(pointer, "that is no number of the joint", there);
}

TactStatus tact_quantity_find_sensor(const TactModel *model, const char *name, int number,
                                     TactQuantity *quantity)
{
    int index = find_labelled(model, TACT_OBJECT_SENSOR, name, 0, model->sensor_count);
    if (index < 0) {
        return tact_fail(TACT_BAD_INPUT, "the model has no sensor '%s'", name);
    }
    const TactSensor *sensor = &model->sensors[index];
    if (number < 0 || number >= sensor->size) {
        return tact_fail(TACT_BAD_INPUT, "sensor '%s' has the numbers 0 to %d, not %d", name,
                         sensor->size - 1, number);
    }
    *quantity = (TactQuantity){.kind = TACT_QUANTITY_SENSOR, .index = sensor->address + number};
    return TACT_OK;
}

static TactStatus find_total(const char *pointer, TactQuantity *quantity)
{
    static const char *const clocks[] = {"/solve_us", "/step_us", "/realtime"};
    for (size_t i = 0; i < sizeof totals / sizeof *totals; i++) {
        if (strcmp(pointer, totals[i].pointer) == 0) {
            *quantity = (TactQuantity){.kind = TACT_QUANTITY_TOTAL, .index = (int)totals[i].total};
            return TACT_OK;
        }
    }
    for (size_t i = 0; i < sizeof clocks / sizeof *clocks; i++) {
        if (strncmp(pointer, clocks[i], strlen(clocks[i])) == 0) {
            return tact_fail(TACT_BAD_INPUT,
                             "'%s' is read from a clock: a trial would not be the same again",
                             pointer);
        }
    }
    return tact_fail(TACT_BAD_INPUT,
                     "'%s' is no number in the report of a run; there are /bodies/NAME/pos/0, "
                     "/joints/NAME/qpos/0, /sensors/NAME/0, /contacts/max, /penetration_max, "
                     "/residual_max, /solves/unverified and others",
                     pointer);
}

TactStatus tact_quantity_find_pointer(const TactModel *model, const char *pointer,
                                      TactQuantity *quantity)
{
    char  text[TACT_SWEEP_PATH], *part[MOST_PARTS];
    int   count = 0;
    char *c = text;
    *quantity = (TactQuantity){.kind = TACT_QUANTITY_TOTAL};
    if (pointer[0] != '/' || strlen(pointer) >= sizeof text) {
        return tact_fail(TACT_BAD_INPUT, "'%.80s' is no JSON pointer, such as /bodies/cube/pos/2",
                         pointer);
    }
    snprintf(text, sizeof text, "%s", pointer);
    while (c && count < MOST_PARTS) {
        *c = 0;
        part[count++] = c + 1;
        c = strchr(c + 1, '/');
    }
    for (int i = 0; i < count; i++) {
        unescape(part[i]);
    }
    bool whole = !c && count >= 2;
    if (whole && strcmp(part[0], "bodies") == 0) {
        return find_body(model, pointer, part, count, quantity);
    }
    if (whole && strcmp(part[0], "joints") == 0) {
        return find_joint(model, pointer, part, count, quantity);
    }
    if (whole && strcmp(part[0], "sensors") == 0) {
        int number = 0;
        if (count != 3 || !read_index(part[2], 1000, &number)) {
            return fail_part(pointer, "that is no number of a sensor", "is /sensors/NAME/0");
        }
        return tact_quantity_find_sensor(model, part[1], number, quantity);
    }
    return find_total(pointer, quantity);
}

void tact_quantity_note(TactSweep *sweep, const TactQuantity *quantity)
{
    switch (quantity->kind) {
    case TACT_QUANTITY_POSITION:
    case TACT_QUANTITY_ROTATION:
    case TACT_QUANTITY_MOVED:
    case TACT_QUANTITY_TURNED: sweep->needs_poses = true; break;
    case TACT_QUANTITY_VELOCITY:
    case TACT_QUANTITY_OMEGA: sweep->needs_twists = true; break;
    case TACT_QUANTITY_SENSOR: sweep->needs_sensors = true; break;
    default: break;
    }
}
