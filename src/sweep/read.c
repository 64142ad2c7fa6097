// A sweep file: {"format": "tact-sweep/1", "scene": ..., "vary": {...}, ...}.
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <tact/load.h>

#include "base/memory.h"
#include "base/status.h"
#include "io/text.h"
#include "sweep/sweep.h"

static void free_variables(TactSweepFound *f)
{
    for (int i = 0; i < f->variable_count; i++) {
        tact_release(f->variables[i].values);
        tact_release(f->variables[i].targets);
    }
    for (int i = 0; i < f->schedule_count; i++) {
        tact_release(f->schedules[i].time);
        tact_release(f->schedules[i].value);
    }
    tact_release(f->variables);
    tact_release(f->schedules);
    tact_release(f->parameters);
    tact_release(f->measures);
    tact_release(f->stops);
}

void tact_sweep_destroy(TactSweep *sweep)
{
    if (!sweep) {
        return;
    }
    free_variables(&sweep->found);
    for (int i = 0; sweep->columns && i < sweep->plan.column_count; i++) {
        tact_release(sweep->columns[i]);
    }
    for (int i = 0; sweep->outcomes && i < sweep->plan.outcome_count; i++) {
        tact_release(sweep->outcomes[i]);
    }
    tact_release(sweep->columns);
    tact_release(sweep->outcomes);
    tact_model_destroy(sweep->model);
    tact_release(sweep);
}

const TactSweepPlan *tact_sweep_view_plan(const TactSweep *sweep)
{
    return sweep ? &sweep->plan : NULL;
}

const TactModel *tact_sweep_view_model(const TactSweep *sweep)
{
    return sweep ? sweep->model : NULL;
}

#ifdef TACT_HAVE_JANSSON
#include "sweep/read.h"

TactStatus tact_sweep_copy_text(const char *text, char **copy)
{
    size_t size = strlen(text) + 1;
    TACT_TRY(tact_allocate(size, 1, (void **)copy));
    memcpy(*copy, text, size);
    return TACT_OK;
}

TactStatus tact_sweep_add_column(TactSweep *sweep, const char *name)
{
    if (sweep->plan.column_count == TACT_SWEEP_MOST_COLUMNS) {
        return tact_fail(TACT_BAD_INPUT, "there are more than %d columns", TACT_SWEEP_MOST_COLUMNS);
    }
    TACT_TRY(tact_sweep_copy_text(name, &sweep->columns[sweep->plan.column_count]));
    sweep->plan.column_count++;
    return TACT_OK;
}

TactStatus tact_sweep_add_outcome(TactSweep *sweep, const char *name, int *outcome)
{
    enum { MOST = 32 };
    for (*outcome = 0; *outcome < sweep->plan.outcome_count; (*outcome)++) {
        if (strcmp(sweep->outcomes[*outcome], name) == 0) {
            return TACT_OK;
        }
    }
    if (sweep->plan.outcome_count == MOST) {
        return tact_fail(TACT_BAD_INPUT, "there are more than %d outcomes", MOST);
    }
    if (!sweep->outcomes) {
        TACT_TRY(tact_allocate(MOST, sizeof *sweep->outcomes, (void **)&sweep->outcomes));
    }
    TACT_TRY(tact_sweep_copy_text(name, &sweep->outcomes[sweep->plan.outcome_count]));
    sweep->plan.outcome_count++;
    return TACT_OK;
}

TactStatus tact_sweep_fail_at(const TactJson *json)
{
    char why[480];
    snprintf(why, sizeof why, "%s", tact_status_message());
    return tact_json_fail(json, "%s", why);
}

TactStatus tact_sweep_read_text(const TactJson *json, const char **text)
{
    if (!json_is_string(json->value)) {
        return tact_json_fail(json, json->value ? "is no text" : "is missing (a text)");
    }
    *text = json_string_value(json->value);
    return TACT_OK;
}

TactStatus tact_sweep_refuse_unknown(const TactJson *object, const char *const *keys)
{
    const char *key;
    json_t     *value;
    json_object_foreach(object->value, key, value)
    {
        int  i = 0;
        char list[400] = "";
        for (; keys[i] && strcmp(keys[i], key) != 0; i++) {
            size_t used = strlen(list);
            snprintf(list + used, sizeof list - used, "%s%s", i > 0 ? ", " : "", keys[i]);
        }
        if (!keys[i] && strcmp(key, "comment") != 0) {
            TactJson member = tact_json_member(object, key);
            return tact_json_fail(&member, "is not known; there are %s", list);
        }
    }
    return TACT_OK;
}

// ---------------------------------------------------------------------------------------------

/// From the folder of the file, unless it begins at the root.
static TactStatus load_scene(TactSweep *sweep, const TactJson *root, const char *name)
{
    TactJson    member = tact_json_member(root, "scene");
    const char *scene = NULL, *slash = strrchr(name, '/');
    TACT_TRY(tact_sweep_read_text(&member, &scene));
    int folder = slash && scene[0] != '/' ? (int)(slash - name) + 1 : 0;
    int length = snprintf(sweep->scene, sizeof sweep->scene, "%.*s%s", folder, name, scene);
    if (length < 0 || (size_t)length >= sizeof sweep->scene) {
        return tact_json_fail(&member, "is too long");
    }
    TactModelLoadConfig config = tact_model_load_config_default();
    TactStatus          status = tact_model_load(sweep->scene, &config, &sweep->model, NULL);
    if (status == TACT_BAD_INPUT || status == TACT_IO_ERROR) {
        return tact_sweep_fail_at(&member);
    }
    sweep->plan.scene = sweep->scene;
    return status;
}

static TactStatus find_keyframe(TactSweep *sweep, const TactJson *root)
{
    TactJson    member = tact_json_member(root, "keyframe");
    const char *name = NULL;
    sweep->keyframe = sweep->model->keyframe_count > 0 ? 0 : -1;
    if (!member.value) {
        return TACT_OK;
    }
    TACT_TRY(tact_sweep_read_text(&member, &name));
    bool none = name && strcmp(name, "none") == 0;
    sweep->keyframe = none ? -1 : tact_model_find(sweep->model, TACT_OBJECT_KEYFRAME, name);
    return sweep->keyframe < 0 && !none
               ? tact_json_fail(&member, "the scene has no keyframe '%.80s'", name)
               : TACT_OK;
}

static TactStatus read_seed(TactSweep *sweep, const TactJson *root)
{
    static const char *const samplings[] = {"random", "latin", "sobol", NULL};
    TactJson                 seed = tact_json_member(root, "seed");
    TactJson                 sampling = tact_json_member(root, "sampling");
    int                      which = TACT_SAMPLING_RANDOM;
    sweep->seed = 0;
    if (seed.value) {
        TACT_TRY(tact_json_id(&seed, &sweep->seed));
    }
    if (sampling.value) {
        TACT_TRY(tact_json_word(&sampling, samplings, &which));
    }
    sweep->sampling = (TactSampling)which;
    return TACT_OK;
}

/// The grid runs through all points unless more or fewer trials are asked for; without one the
/// number must be said.
static TactStatus read_trials(TactSweep *sweep, const TactJson *root)
{
    TactJson trials = tact_json_member(root, "trials");
    if (!trials.value && sweep->found.dimensions > 0) {
        return tact_json_fail(&trials, "is missing: how many trials are drawn");
    }
    sweep->plan.trials = sweep->plan.grid;
    return trials.value ? tact_json_int(&trials, 1, INT_MAX - 1, &sweep->plan.trials) : TACT_OK;
}

static TactStatus read_time(TactSweep *sweep, const TactJson *root)
{
    TactJson time = tact_json_member(root, "time");
    TACT_TRY(tact_json_real(&time, &sweep->plan.time));
    double steps = sweep->plan.time / sweep->config.timestep;
    return steps > 0 && steps <= TACT_SWEEP_MOST_STEPS
               ? TACT_OK
               : tact_json_fail(&time, "is %.17g: that is no time of a trial, s", sweep->plan.time);
}

/// "worst": the column of which the largest trials are the worst, "-NAME": the least.
static TactStatus read_worst(TactSweep *sweep, const TactJson *root)
{
    TactSweepPlan *plan = &sweep->plan;
    TactJson       worst = tact_json_member(root, "worst");
    const char    *name = NULL;
    plan->worst_column = plan->measured_count > 0 ? plan->first_measured : -1;
    if (!worst.value) {
        return TACT_OK;
    }
    TACT_TRY(tact_sweep_read_text(&worst, &name));
    plan->worst_least = name[0] == '-';
    name += plan->worst_least;
    for (int i = 0; i < plan->measured_count; i++) {
        if (strcmp(sweep->columns[plan->first_measured + i], name) == 0) {
            plan->worst_column = plan->first_measured + i;
            return TACT_OK;
        }
    }
    return tact_json_fail(&worst, "nothing that is measured is called '%.80s'", name);
}

static TactStatus add_time_columns(TactSweep *sweep)
{
    TactSweepPlan *plan = &sweep->plan;
    plan->outcome_column = plan->column_count;
    TACT_TRY(tact_sweep_add_column(sweep, "outcome"));
    plan->time_column = plan->column_count;
    return tact_sweep_add_column(sweep, "time");
}

static TactStatus add_last_columns(TactSweep *sweep)
{
    TactSweepPlan *plan = &sweep->plan;
    int            failed = 0;
    plan->unverified_column = plan->column_count;
    TACT_TRY(tact_sweep_add_column(sweep, "unverified"));
    plan->problem_column = plan->column_count;
    TACT_TRY(tact_sweep_add_column(sweep, "problem"));
    TACT_TRY(tact_sweep_add_outcome(sweep, "failed", &failed));
    for (int i = 0; i < plan->column_count; i++) {
        for (int k = 0; k < i; k++) {
            if (strcmp(sweep->columns[i], sweep->columns[k]) == 0) {
                return tact_fail(TACT_BAD_INPUT, "two columns are called '%s'", sweep->columns[i]);
            }
        }
    }
    plan->columns = (const char *const *)sweep->columns;
    plan->outcomes = (const char *const *)sweep->outcomes;
    return TACT_OK;
}

/// Of all that the rows depend on: the words of the file, the model, the version.
static TactStatus identify(TactSweep *sweep, const TactJson *root)
{
    char *words = json_dumps(root->value, JSON_COMPACT | JSON_REAL_PRECISION(17));
    if (!words) {
        return tact_fail(TACT_NO_MEMORY, "no memory for a sweep");
    }
    uint64_t version = tact_sweep_key("0.1.0 tact-sweep/1");
    sweep->plan.identity = tact_sweep_hash(version, tact_sweep_key(words), sweep->model->hash);
    free(words);
    return TACT_OK;
}

static TactStatus read_root(TactSweep *sweep, const TactJson *root, const char *name)
{
    static const char *const formats[] = {"tact-sweep/1", NULL};
    static const char *const keys[] = {"format", "scene",    "vary", "sampling", "trials",
                                       "seed",   "time",     "stop", "measure",  "otherwise",
                                       "worst",  "keyframe", "ctrl", "sim",      NULL};
    TACT_TRY(tact_json_is_object(root));
    TactJson format = tact_json_member(root, "format");
    int      which = 0;
    TACT_TRY(tact_json_word(&format, formats, &which));
    TACT_TRY(tact_sweep_refuse_unknown(root, keys));
    TACT_TRY(load_scene(sweep, root, name));
    TACT_TRY(find_keyframe(sweep, root));
    TactJson sim = tact_json_member(root, "sim"), ctrl = tact_json_member(root, "ctrl");
    TactJson vary = tact_json_member(root, "vary"), stop = tact_json_member(root, "stop");
    TactJson measure = tact_json_member(root, "measure");
    TactJson otherwise = tact_json_member(root, "otherwise");
    TACT_TRY(
        tact_allocate(TACT_SWEEP_MOST_COLUMNS, sizeof *sweep->columns, (void **)&sweep->columns));
    TACT_TRY(tact_sweep_add_column(sweep, "trial"));
    TACT_TRY(tact_sweep_read_config(sweep, &sim));
    TACT_TRY(read_seed(sweep, root));
    TACT_TRY(tact_sweep_read_schedules(sweep, &ctrl));
    TACT_TRY(tact_sweep_read_vary(sweep, &vary));
    TACT_TRY(read_trials(sweep, root));
    TACT_TRY(read_time(sweep, root));
    TACT_TRY(add_time_columns(sweep));
    TACT_TRY(tact_sweep_read_stops(sweep, &stop, &otherwise));
    TACT_TRY(tact_sweep_read_measures(sweep, &measure));
    TACT_TRY(read_worst(sweep, root));
    if (add_last_columns(sweep) != TACT_OK) {
        return tact_sweep_fail_at(root);
    }
    return identify(sweep, root);
}

static TactStatus read_sweep(TactText *text, const char *name, TactSweep **sweep)
{
    TactJsonFile file = {0};
    TactStatus   status = tact_json_open(&file, text);
    if (status == TACT_OK) {
        TactSweep *made = NULL;
        status = tact_allocate(1, sizeof *made, (void **)&made);
        if (status == TACT_OK) {
            TactJson root = tact_json_root(&file);
            status = read_root(made, &root, name);
        }
        if (status == TACT_OK) {
            *sweep = made;
        } else {
            tact_sweep_destroy(made);
        }
    }
    tact_json_close(&file);
    return status;
}

TactStatus tact_sweep_read(const char *path, TactSweep **sweep)
{
    TACT_NEED(path && sweep, "tact_sweep_read");
    *sweep = NULL;
    TactText text;
    TACT_TRY(tact_text_load(&text, path));
    TactStatus status = read_sweep(&text, path, sweep);
    tact_text_close(&text);
    return status;
}

TactStatus tact_sweep_read_memory(const char *name, const char *bytes, size_t size,
                                  TactSweep **sweep)
{
    TACT_NEED(name && bytes && sweep, "tact_sweep_read_memory");
    *sweep = NULL;
    TactText text;
    TACT_TRY(tact_text_copy(&text, name, bytes, size));
    TactStatus status = read_sweep(&text, name, sweep);
    tact_text_close(&text);
    return status;
}

#else

TactStatus tact_sweep_read(const char *path, TactSweep **sweep)
{
    TACT_NEED(path && sweep, "tact_sweep_read");
    *sweep = NULL;
    return tact_fail(TACT_UNSUPPORTED, "%s: this build of tact has no jansson to read it", path);
}

TactStatus tact_sweep_read_memory(const char *name, const char *text, size_t size,
                                  TactSweep **sweep)
{
    TACT_NEED(text && sweep, "tact_sweep_read_memory");
    (void)size;
    return tact_sweep_read(name, sweep);
}
#endif
