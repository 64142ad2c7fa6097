// Where a value of a trial goes: found once by its path, set before each trial.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/status.h"
#include "sweep/sweep.h"

static const int q_size[] = {7, 4, 1, 1}, v_size[] = {6, 3, 1, 1}; // by TactJointType

static const char *const config_fields[] = {"friction_scale", "timestep"};

enum { CONFIG_FRICTION_SCALE, CONFIG_TIMESTEP, CONFIG_FIELDS };

/// "/3" at the end of a text: cut off and read. False: there is none.
static bool cut_number(char *text, int *number)
{
    char *slash = strrchr(text, '/'), *end = NULL;
    if (!slash || slash[1] < '0' || slash[1] > '9') {
        return false;
    }
    long value = strtol(slash + 1, &end, 10);
    if (*end != 0 || value > 1000) {
        return false;
    }
    *slash = 0;
    *number = (int)value;
    return true;
}

/// By name, or by index where nothing is called so.
static int find_named(const TactModel *model, TactObject type, const char *name, int count)
{
    int index = tact_model_find(model, type, name);
    if (index < 0 && name[0] >= '0' && name[0] <= '9') {
        char *end = NULL;
        long  number = strtol(name, &end, 10);
        index = *end == 0 && number < count ? (int)number : -1;
    }
    return index;
}

/// qpos/JOINT[/K] and qvel/JOINT[/K]
static TactStatus find_state(const TactModel *model, const char *path, const char *rest,
                             TactTarget *target)
{
    char name[TACT_SWEEP_PATH];
    int  number = -1;
    bool positions = target->kind == TACT_TARGET_Q;
    snprintf(name, sizeof name, "%s", rest);
    int joint = find_named(model, TACT_OBJECT_JOINT, name, model->joint_count);
    if (joint < 0 && cut_number(name, &number)) {
        joint = find_named(model, TACT_OBJECT_JOINT, name, model->joint_count);
    }
    if (joint < 0) {
        return tact_fail(TACT_BAD_INPUT, "'%s': the model has no joint '%s'", path, name);
    }
    const TactJoint *j = &model->joints[joint];
    int              size = positions ? q_size[j->type] : v_size[j->type];
    if ((number < 0 && size > 1) || number >= size) {
        return tact_fail(TACT_BAD_INPUT, "'%s': a %s joint has %d numbers: say %s/0 to %s/%d", path,
                         tact_joint_type_name(j->type), size, path, path, size - 1);
    }
    int quaternion = j->type == TACT_JOINT_FREE ? 3 : 0;
    if (positions && size > 1 && number >= quaternion) {
        return tact_fail(TACT_BAD_INPUT,
                         "'%s': a number of a quaternion makes no rotation: vary turn/%s/x, y or z",
                         path, name);
    }
    target->index = (positions ? j->q : j->dof) + (number < 0 ? 0 : number);
    return TACT_OK;
}

/// turn/JOINT/x
static TactStatus find_turn(const TactModel *model, const char *path, const char *rest,
                            TactTarget *target)
{
    char        name[TACT_SWEEP_PATH];
    const char *axis = strrchr(rest, '/');
    const char *known = axis && axis[1] && !axis[2] ? strchr("xyz", axis[1]) : NULL;
    if (!known) {
        return tact_fail(TACT_BAD_INPUT, "'%s' is not of the form turn/JOINT/x, y or z", path);
    }
    snprintf(name, sizeof name, "%.*s", (int)(axis - rest), rest);
    int joint = find_named(model, TACT_OBJECT_JOINT, name, model->joint_count);
    if (joint < 0) {
        return tact_fail(TACT_BAD_INPUT, "'%s': the model has no joint '%s'", path, name);
    }
    const TactJoint *j = &model->joints[joint];
    if (j->type != TACT_JOINT_FREE && j->type != TACT_JOINT_BALL) {
        return tact_fail(TACT_BAD_INPUT, "'%s': a %s joint is turned by qpos/%s", path,
                         tact_joint_type_name(j->type), name);
    }
    target->index = j->q + (j->type == TACT_JOINT_FREE ? 3 : 0);
    target->number = (int)(*known - 'x');
    return TACT_OK;
}

static TactStatus find_control(const TactModel *model, const char *path, const char *rest,
                               TactTarget *target)
{
    target->index = find_named(model, TACT_OBJECT_ACTUATOR, rest, model->actuator_count);
    return target->index >= 0
               ? TACT_OK
               : tact_fail(TACT_BAD_INPUT, "'%s': the model has no actuator '%s'", path, rest);
}

static TactStatus find_config(const char *path, const char *rest, TactTarget *target)
{
    for (int i = 0; i < CONFIG_FIELDS; i++) {
        if (strcmp(rest, config_fields[i]) == 0) {
            target->index = i;
            return TACT_OK;
        }
    }
    return tact_fail(TACT_BAD_INPUT, "'%s': of sim/ there are friction_scale and timestep", path);
}

/// The number of the parameter among those that vary; added if it is not there.
static TactStatus add_parameter(TactSweep *sweep, const char *path, const TactParameter *parameter,
                                int *index)
{
    TactSweepFound *f = &sweep->found;
    for (*index = 0; *index < f->parameter_count; (*index)++) {
        if (strcmp(f->parameters[*index].path, path) == 0) {
            return TACT_OK;
        }
    }
    TactSweepParameter *grown = NULL;
    TACT_TRY(tact_allocate((size_t)f->parameter_count + 1, sizeof *grown, (void **)&grown));
    if (f->parameter_count > 0) {
        memcpy(grown, f->parameters, (size_t)f->parameter_count * sizeof *grown);
    }
    tact_release(f->parameters);
    f->parameters = grown;
    TactSweepParameter *added = &f->parameters[f->parameter_count];
    snprintf(added->path, sizeof added->path, "%s", path);
    added->count = parameter->count;
    TACT_TRY(tact_model_get(sweep->model, path, added->base, added->count));
    f->parameter_count++;
    return TACT_OK;
}

/// A path of parameter.h, with /K for one of several numbers.
static TactStatus find_parameter(TactSweep *sweep, const char *path, TactTarget *target)
{
    const TactParameter *parameter = NULL;
    char                 whole[TACT_SWEEP_PATH];
    int                  index = 0, number = -1;
    snprintf(whole, sizeof whole, "%s", path);
    TactStatus status = tact_parameter_find(sweep->model, whole, &parameter, &index);
    if (status == TACT_BAD_ARGUMENT && cut_number(whole, &number)) {
        status = tact_parameter_find(sweep->model, whole, &parameter, &index);
    }
    if (status != TACT_OK) {
        return status;
    }
    if ((number < 0 && parameter->count > 1) || number >= parameter->count) {
        return tact_fail(TACT_BAD_INPUT, "'%s' has %d number%s: say %s/0%s", path, parameter->count,
                         parameter->count > 1 ? "s" : "", whole,
                         parameter->count > 1 ? ", or the next ones" : "");
    }
    target->kind = TACT_TARGET_PARAMETER;
    target->number = number < 0 ? 0 : number;
    return add_parameter(sweep, whole, parameter, &target->index);
}

TactStatus tact_target_find(TactSweep *sweep, const char *path, TactTarget *target)
{
    static const struct {
        const char    *prefix;
        TactTargetKind kind;
    } forms[] = {{"qpos/", TACT_TARGET_Q},
                 {"qvel/", TACT_TARGET_V},
                 {"ctrl/", TACT_TARGET_CTRL},
                 {"turn/", TACT_TARGET_TURN},
                 {"sim/", TACT_TARGET_CONFIG}};
    const TactModel *model = sweep->model;
    *target = (TactTarget){.kind = TACT_TARGET_PARAMETER};
    if (strlen(path) >= TACT_SWEEP_PATH) {
        return tact_fail(TACT_BAD_INPUT, "a path of %zu bytes is too long", strlen(path));
    }
    for (size_t i = 0; i < sizeof forms / sizeof *forms; i++) {
        size_t length = strlen(forms[i].prefix);
        if (strncmp(path, forms[i].prefix, length) != 0) {
            continue;
        }
        target->kind = forms[i].kind;
        switch (target->kind) {
        case TACT_TARGET_CTRL: return find_control(model, path, path + length, target);
        case TACT_TARGET_TURN: return find_turn(model, path, path + length, target);
        case TACT_TARGET_CONFIG: return find_config(path, path + length, target);
        default: return find_state(model, path, path + length, target);
        }
    }
    TactStatus status = find_parameter(sweep, path, target);
    if (status == TACT_BAD_ARGUMENT) {
        char why[400];
        snprintf(why, sizeof why, "%s", tact_status_message());
        return tact_fail(TACT_BAD_INPUT,
                         "%s; of a state: qpos/JOINT, qvel/JOINT, ctrl/ACTUATOR, turn/JOINT/x; "
                         "sim/friction_scale, sim/timestep",
                         why);
    }
    return status;
}

// ---------------------------------------------------------------------------------------------
// Before a trial

static double applied(TactVaryApply apply, double base, double value)
{
    return apply == TACT_APPLY_ADD     ? base + value
           : apply == TACT_APPLY_TIMES ? base * value
                                       : value;
}

/// A rotation about an axis of the world, before the one that is there.
static void turn(double *q, int axis, double angle)
{
    TactVec3 along = {axis == 0, axis == 1, axis == 2};
    TactQuat now = {q[0], q[1], q[2], q[3]};
    TactQuat turned = tact_quat_multiply(tact_quat_from_axis_angle(along, angle), now);
    q[0] = turned.w;
    q[1] = turned.x;
    q[2] = turned.y;
    q[3] = turned.z;
}

static void set_state(TactSimState *state, const TactTarget *target, TactVaryApply apply,
                      double value)
{
    double *place = target->kind == TACT_TARGET_Q   ? &state->q[target->index]
                    : target->kind == TACT_TARGET_V ? &state->v[target->index]
                                                    : &state->ctrl[target->index];
    *place = applied(apply, *place, value);
}

/// Parameters and config: all of them anew, so that no trial sees what another one has set.
static TactStatus set_parameters(const TactSweep *sweep, TactSim *sim, const double *values)
{
    const TactSweepFound *f = &sweep->found;
    TactSimConfig         config = sweep->config;
    double               *config_values[] = {&config.friction_scale, &config.timestep};
    for (int p = 0; p < f->parameter_count; p++) {
        double numbers[TACT_PARAMETER_MOST];
        memcpy(numbers, f->parameters[p].base, sizeof numbers);
        for (int i = 0; i < f->variable_count; i++) {
            const TactVariable *v = &f->variables[i];
            for (int k = 0; k < v->target_count; k++) {
                const TactTarget *t = &v->targets[k];
                if (t->kind == TACT_TARGET_PARAMETER && t->index == p) {
                    numbers[t->number] = applied(v->apply, numbers[t->number], values[i]);
                }
            }
        }
        TACT_TRY(tact_sim_set(sim, f->parameters[p].path, numbers, f->parameters[p].count));
    }
    bool changed = false;
    for (int i = 0; i < f->variable_count; i++) {
        const TactVariable *v = &f->variables[i];
        for (int k = 0; k < v->target_count; k++) {
            if (v->targets[k].kind == TACT_TARGET_CONFIG) {
                double *place = config_values[v->targets[k].index];
                *place = applied(v->apply, *place, values[i]);
                changed = true;
            }
        }
    }
    return changed ? tact_sim_set_config(sim, &config) : TACT_OK;
}

TactStatus tact_target_apply(const TactSweep *sweep, TactSim *sim, const double *values)
{
    TACT_TRY(set_parameters(sweep, sim, values));
    TACT_TRY(tact_sim_reset(sim, sweep->keyframe));
    TactSimState *state = tact_sim_view_state(sim);
    for (int i = 0; i < sweep->found.variable_count; i++) {
        const TactVariable *v = &sweep->found.variables[i];
        for (int k = 0; k < v->target_count; k++) {
            const TactTarget *t = &v->targets[k];
            if (t->kind == TACT_TARGET_TURN) {
                turn(state->q + t->index, t->number, values[i]);
            } else if (t->kind != TACT_TARGET_PARAMETER && t->kind != TACT_TARGET_CONFIG) {
                set_state(state, t, v->apply, values[i]);
            }
        }
    }
    return TACT_OK;
}
