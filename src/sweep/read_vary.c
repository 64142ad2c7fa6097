// "vary": what varies, and how.
#include <tact/base.h> // not nothing, in a build without jansson

#ifdef TACT_HAVE_JANSSON
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/memory.h"
#include "base/status.h"
#include "sweep/read.h"

static TactStatus read_values(const TactJson *json, TactVariable *v)
{
    TACT_TRY(tact_json_is_array(json, -1));
    size_t count = json_array_size(json->value);
    if (count == 0) {
        return tact_json_fail(json, "is empty");
    }
    TACT_TRY(tact_allocate(count, sizeof *v->values, (void **)&v->values));
    v->value_count = (int)count;
    return tact_json_reals(json, v->value_count, v->values);
}

static TactStatus check_range(const TactJson *json, const TactVariable *v)
{
    if (!(v->lo < v->hi)) {
        return tact_json_fail(json, "runs from %.17g to %.17g: the first is not the smaller one",
                              v->lo, v->hi);
    }
    if (v->logarithmic && !(v->lo > 0)) {
        return tact_json_fail(json, "begins at %.17g: a logarithm needs more than 0", v->lo);
    }
    return TACT_OK;
}

/// "range": [from, to], "count": n; at equal distances, or ratios.
static TactStatus read_range(const TactJson *object, const TactJson *range, TactVariable *v)
{
    enum { MOST = 1000000 };
    double   ends[2];
    int      count = 0;
    TactJson member = tact_json_member(object, "count");
    TACT_TRY(tact_json_reals(range, 2, ends));
    v->lo = ends[0];
    v->hi = ends[1];
    TACT_TRY(check_range(range, v));
    TACT_TRY(tact_json_int(&member, 2, MOST, &count));
    TACT_TRY(tact_allocate((size_t)count, sizeof *v->values, (void **)&v->values));
    v->value_count = count;
    v->kind = TACT_VARY_LIST;
    for (int i = 0; i < count; i++) {
        double share = (double)i / (count - 1);
        v->values[i] = v->logarithmic ? v->lo * exp(share * log(v->hi / v->lo))
                                      : v->lo + share * (v->hi - v->lo);
    }
    v->values[count - 1] = v->hi;
    return TACT_OK;
}

static TactStatus read_normal(const TactJson *object, const TactJson *normal, TactVariable *v)
{
    double   numbers[2];
    TactJson within = tact_json_member(object, "within");
    TACT_TRY(tact_json_reals(normal, 2, numbers));
    v->kind = TACT_VARY_NORMAL;
    v->lo = numbers[0];
    v->hi = numbers[1];
    v->within[0] = -INFINITY;
    v->within[1] = INFINITY;
    if (!(v->hi > 0)) {
        return tact_json_fail(normal, "has the standard deviation %.17g, which is not above 0",
                              v->hi);
    }
    if (!within.value) {
        return TACT_OK;
    }
    TACT_TRY(tact_json_reals(&within, 2, v->within));
    return v->within[0] < v->within[1]
               ? TACT_OK
               : tact_json_fail(&within, "runs from %.17g to %.17g", v->within[0], v->within[1]);
}

/// Which of the ways to vary is given: exactly one.
static TactStatus read_kind(const TactJson *object, TactVariable *v)
{
    static const char *const ways[] = {"list", "range", "choice", "uniform", "normal"};
    enum { LIST, RANGE, CHOICE, UNIFORM, NORMAL, WAYS };
    int      way = WAYS;
    TactJson given = {0};
    for (int i = 0; i < WAYS; i++) {
        TactJson member = tact_json_member(object, ways[i]);
        if (member.value && way != WAYS) {
            return tact_json_fail(object, "has both %s and %s", ways[way], ways[i]);
        }
        if (member.value) {
            given = member;
            way = i;
        }
    }
    TactJson logarithm = tact_json_member(object, "log");
    v->logarithmic = json_is_true(logarithm.value);
    if (logarithm.value && !json_is_boolean(logarithm.value)) {
        return tact_json_fail(&logarithm, "is neither true nor false");
    }
    double ends[2];
    switch (way) {
    case LIST: v->kind = TACT_VARY_LIST; return read_values(&given, v);
    case RANGE: return read_range(object, &given, v);
    case CHOICE: v->kind = TACT_VARY_CHOICE; return read_values(&given, v);
    case NORMAL: return read_normal(object, &given, v);
    case UNIFORM:
        v->kind = TACT_VARY_UNIFORM;
        TACT_TRY(tact_json_reals(&given, 2, ends));
        v->lo = ends[0];
        v->hi = ends[1];
        return check_range(&given, v);
    default:
        return tact_json_fail(object, "does not say how it varies: list, range, choice, uniform or "
                                      "normal");
    }
}

// ---------------------------------------------------------------------------------------------

static TactStatus add_target(TactSweep *sweep, const TactJson *json, const char *path,
                             TactVariable *v)
{
    TactTarget *target = &v->targets[v->target_count];
    TactStatus  status = tact_target_find(sweep, path, target);
    if (status != TACT_OK) {
        return status == TACT_BAD_INPUT ? tact_sweep_fail_at(json) : status;
    }
    for (int i = 0; target->kind == TACT_TARGET_CTRL && i < sweep->found.schedule_count; i++) {
        if (sweep->found.schedules[i].actuator == target->index) {
            return tact_json_fail(json, "'%.80s' follows a schedule in ctrl", path);
        }
    }
    v->target_count++;
    return TACT_OK;
}

/// "path": one or several; without it, the name is the path.
static TactStatus read_paths(TactSweep *sweep, const TactJson *object, TactVariable *v)
{
    TactJson    path = tact_json_member(object, "path");
    bool        several = json_is_array(path.value);
    size_t      count = several ? json_array_size(path.value) : 1;
    const char *text = v->name;
    if (count == 0 || count > TACT_SWEEP_MOST_PATHS) {
        return tact_json_fail(&path, "has %zu paths, not 1 to %d", count, TACT_SWEEP_MOST_PATHS);
    }
    TACT_TRY(tact_allocate(count, sizeof *v->targets, (void **)&v->targets));
    if (!several) {
        if (path.value) {
            TACT_TRY(tact_sweep_read_text(&path, &text));
        }
        return add_target(sweep, path.value ? &path : object, text, v);
    }
    for (size_t i = 0; i < count; i++) {
        TactJson element = tact_json_element(&path, i);
        TACT_TRY(tact_sweep_read_text(&element, &text));
        TACT_TRY(add_target(sweep, &element, text, v));
    }
    return TACT_OK;
}

static TactStatus read_apply(const TactJson *object, TactVariable *v)
{
    static const char *const words[] = {"set", "add", "times", NULL};
    TactJson                 apply = tact_json_member(object, "apply");
    int                      which = TACT_APPLY_SET;
    if (apply.value) {
        TACT_TRY(tact_json_word(&apply, words, &which));
    }
    v->apply = (TactVaryApply)which;
    return TACT_OK;
}

/// A list stands for {"list": [...]}.
static TactStatus read_variable(TactSweep *sweep, const TactJson *json, TactVariable *v)
{
    static const char *const keys[] = {"path",   "list",   "range", "count", "choice", "uniform",
                                       "normal", "within", "log",   "apply", NULL};
    if (json_is_array(json->value)) {
        v->kind = TACT_VARY_LIST;
        TACT_TRY(read_values(json, v));
        return read_paths(sweep, json, v);
    }
    TACT_TRY(tact_json_is_object(json));
    TACT_TRY(tact_sweep_refuse_unknown(json, keys));
    TACT_TRY(read_kind(json, v));
    TACT_TRY(read_apply(json, v));
    return read_paths(sweep, json, v);
}

/// The grid: the last list runs fastest.
static TactStatus lay_grid(TactSweep *sweep, const TactJson *vary)
{
    double points = 1;
    for (int i = sweep->found.variable_count - 1; i >= 0; i--) {
        TactVariable *v = &sweep->found.variables[i];
        if (v->kind == TACT_VARY_LIST) {
            v->stride = (int)points;
            points *= v->value_count;
        }
        if (points > INT_MAX / 2) {
            return tact_json_fail(vary, "the grid of its lists has more than 1e9 points");
        }
    }
    sweep->plan.grid = (int)points;
    for (int i = 0; i < sweep->found.variable_count; i++) {
        TactVariable *v = &sweep->found.variables[i];
        v->dimension = v->kind == TACT_VARY_LIST ? -1 : sweep->found.dimensions++;
    }
    return TACT_OK;
}

TactStatus tact_sweep_read_vary(TactSweep *sweep, const TactJson *vary)
{
    TactSweepFound *f = &sweep->found;
    const char     *key;
    json_t         *value;
    sweep->plan.first_varied = sweep->plan.column_count;
    sweep->plan.grid = 1;
    if (!vary->value) {
        return TACT_OK;
    }
    TACT_TRY(tact_json_is_object(vary));
    size_t count = json_object_size(vary->value);
    if (count > TACT_SWEEP_MOST_VARIED) {
        return tact_json_fail(vary, "has %zu members, more than %d", count, TACT_SWEEP_MOST_VARIED);
    }
    TACT_TRY(tact_allocate(count + 1, sizeof *f->variables, (void **)&f->variables));
    json_object_foreach(vary->value, key, value)
    {
        TactJson      member = tact_json_member(vary, key);
        TactVariable *v = &f->variables[f->variable_count++];
        if (strlen(key) >= sizeof v->name) {
            return tact_json_fail(&member, "has a name of more than %zu bytes", sizeof v->name - 1);
        }
        snprintf(v->name, sizeof v->name, "%s", key);
        v->key = tact_sweep_key(key);
        TACT_TRY(read_variable(sweep, &member, v));
        TACT_TRY(tact_sweep_add_column(sweep, key));
    }
    sweep->plan.varied_count = f->variable_count;
    return lay_grid(sweep, vary);
}
#endif
