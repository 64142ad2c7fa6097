// "measure", "stop" and "ctrl": what is looked at, what ends a trial, what drives it.
#include <tact/base.h> // not nothing, in a build without jansson

#ifdef TACT_HAVE_JANSSON
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/memory.h"
#include "base/status.h"
#include "sweep/read.h"

static TactStatus read_body(const TactSweep *sweep, const TactJson *json, int *body)
{
    const char *name = NULL;
    TACT_TRY(tact_sweep_read_text(json, &name));
    *body = tact_model_find(sweep->model, TACT_OBJECT_BODY, name);
    return *body >= 0 ? TACT_OK : tact_json_fail(json, "the model has no body '%.80s'", name);
}

/// A number that is not negative; what stands where there is none.
static TactStatus read_moment(const TactJson *object, const char *key, double *moment)
{
    TactJson member = tact_json_member(object, key);
    if (!member.value) {
        return TACT_OK;
    }
    TACT_TRY(tact_json_real(&member, moment));
    return *moment >= 0 ? TACT_OK : tact_json_fail(&member, "is %.17g: time begins at 0", *moment);
}

static TactStatus read_relative(const TactSweep *sweep, const TactJson *object,
                                const TactJson *body, TactQuantity *quantity)
{
    TactJson against = tact_json_member(object, "against");
    TACT_TRY(read_body(sweep, body, &quantity->index));
    if (against.value) {
        TACT_TRY(read_body(sweep, &against, &quantity->against));
    }
    return read_moment(object, "since", &quantity->since);
}

static TactStatus read_sensor(const TactSweep *sweep, const TactJson *object,
                              const TactJson *sensor, TactQuantity *quantity)
{
    TactJson    index = tact_json_member(object, "index");
    const char *name = NULL;
    int         number = 0;
    TACT_TRY(tact_sweep_read_text(sensor, &name));
    if (index.value) {
        TACT_TRY(tact_json_int(&index, 0, 1000, &number));
    }
    return tact_quantity_find_sensor(sweep->model, name, number, quantity) == TACT_OK
               ? TACT_OK
               : tact_sweep_fail_at(sensor);
}

TactStatus tact_sweep_read_quantity(TactSweep *sweep, const TactJson *json, TactQuantity *quantity)
{
    bool        text = json_is_string(json->value);
    TactJson    pointer = text ? *json : tact_json_member(json, "pointer");
    TactJson    sensor = tact_json_member(json, "sensor");
    TactJson    moved = tact_json_member(json, "moved"), turned = tact_json_member(json, "turned");
    const char *path = NULL;
    int         given = (pointer.value != NULL) + (sensor.value != NULL) + (moved.value != NULL) +
                (turned.value != NULL);
    if (given != 1) {
        return tact_json_fail(json, "has %s of pointer, sensor, moved and turned",
                              given == 0 ? "none" : "more than one");
    }
    *quantity = (TactQuantity){.kind = TACT_QUANTITY_TOTAL};
    if (pointer.value) {
        TACT_TRY(tact_sweep_read_text(&pointer, &path));
        if (tact_quantity_find_pointer(sweep->model, path, quantity) != TACT_OK) {
            return tact_sweep_fail_at(&pointer);
        }
    } else if (sensor.value) {
        TACT_TRY(read_sensor(sweep, json, &sensor, quantity));
    } else {
        quantity->kind = moved.value ? TACT_QUANTITY_MOVED : TACT_QUANTITY_TURNED;
        TACT_TRY(read_relative(sweep, json, moved.value ? &moved : &turned, quantity));
    }
    tact_quantity_note(sweep, quantity);
    return TACT_OK;
}

// ---------------------------------------------------------------------------------------------
// Measures

static TactStatus add_measure(TactSweep *sweep, const char *name, const TactMeasure *measure)
{
    TactSweepFound *f = &sweep->found;
    TACT_TRY(tact_sweep_add_column(sweep, name));
    f->measures[f->measure_count++] = *measure;
    sweep->plan.measured_count++;
    return TACT_OK;
}

/// "at": a column for every moment, called NAME@MOMENT.
static TactStatus add_moments(TactSweep *sweep, const TactJson *at, const char *name,
                              TactMeasure *measure)
{
    TACT_TRY(tact_json_is_array(at, -1));
    measure->of = TACT_MEASURE_AT;
    for (size_t i = 0; i < json_array_size(at->value); i++) {
        TactJson element = tact_json_element(at, i);
        char     column[TACT_SWEEP_NAME + 32], number[32];
        TACT_TRY(tact_json_real(&element, &measure->after));
        if (!(measure->after >= 0 && measure->after <= sweep->plan.time)) {
            return tact_json_fail(&element, "is %.17g: a trial goes from 0 to %g s", measure->after,
                                  sweep->plan.time);
        }
        tact_sweep_print_number(measure->after, number);
        snprintf(column, sizeof column, "%s@%s", name, number);
        TACT_TRY(add_measure(sweep, column, measure));
    }
    return TACT_OK;
}

static TactStatus read_measure(TactSweep *sweep, const TactJson *json, const char *name)
{
    static const char *const words[] = {"last", "first", "min", "max", "mean", "rms", NULL};
    static const char *const keys[] = {"pointer", "sensor", "index", "moved", "turned", "against",
                                       "since",   "of",     "after", "at",    NULL};
    TactMeasure              measure = {.of = TACT_MEASURE_LAST};
    int                      which = TACT_MEASURE_LAST;
    if (strlen(name) >= TACT_SWEEP_NAME) {
        return tact_json_fail(json, "has a name of more than %d bytes", TACT_SWEEP_NAME - 1);
    }
    if (!json_is_string(json->value)) {
        TACT_TRY(tact_json_is_object(json));
        TACT_TRY(tact_sweep_refuse_unknown(json, keys));
    }
    TACT_TRY(tact_sweep_read_quantity(sweep, json, &measure.quantity));
    TactJson of = tact_json_member(json, "of"), at = tact_json_member(json, "at");
    if (of.value) {
        TACT_TRY(tact_json_word(&of, words, &which));
        measure.of = (TactMeasureOf)which;
    }
    TACT_TRY(read_moment(json, "after", &measure.after));
    if (at.value) {
        return of.value ? tact_json_fail(json, "has both of and at")
                        : add_moments(sweep, &at, name, &measure);
    }
    return add_measure(sweep, name, &measure);
}

TactStatus tact_sweep_read_measures(TactSweep *sweep, const TactJson *measure)
{
    TactSweepFound *f = &sweep->found;
    const char     *key;
    json_t         *value;
    sweep->plan.first_measured = sweep->plan.column_count;
    if (!measure->value) {
        return TACT_OK;
    }
    TACT_TRY(tact_json_is_object(measure));
    TACT_TRY(tact_allocate(TACT_SWEEP_MOST_COLUMNS, sizeof *f->measures, (void **)&f->measures));
    json_object_foreach(measure->value, key, value)
    {
        TactJson member = tact_json_member(measure, key);
        TACT_TRY(read_measure(sweep, &member, key));
    }
    return TACT_OK;
}

// ---------------------------------------------------------------------------------------------
// Stops

static TactStatus read_stop(TactSweep *sweep, const TactJson *json, TactStop *stop)
{
    static const char *const keys[] = {"outcome", "pointer", "sensor", "index", "moved",
                                       "turned",  "against", "since",  "above", "below",
                                       "after",   "at_end",  NULL};
    TACT_TRY(tact_json_is_object(json));
    TACT_TRY(tact_sweep_refuse_unknown(json, keys));
    TACT_TRY(tact_sweep_read_quantity(sweep, json, &stop->quantity));
    TactJson    above = tact_json_member(json, "above"), below = tact_json_member(json, "below");
    TactJson    at_end = tact_json_member(json, "at_end");
    TactJson    outcome = tact_json_member(json, "outcome");
    const char *name = "stopped";
    if ((above.value != NULL) == (below.value != NULL)) {
        return tact_json_fail(json, "needs a number above or below which it stops");
    }
    stop->below = below.value != NULL;
    TACT_TRY(tact_json_real(stop->below ? &below : &above, &stop->value));
    TACT_TRY(read_moment(json, "after", &stop->after));
    if (at_end.value && !json_is_boolean(at_end.value)) {
        return tact_json_fail(&at_end, "is neither true nor false");
    }
    stop->at_end = json_is_true(at_end.value);
    if (outcome.value) {
        TACT_TRY(tact_sweep_read_text(&outcome, &name));
    }
    if (name[0] == 0 || strlen(name) >= TACT_SWEEP_NAME || strcmp(name, "failed") == 0) {
        return tact_json_fail(&outcome,
                              "'%.40s' cannot be an outcome; 'failed' is for trials that "
                              "could not be proven",
                              name);
    }
    return tact_sweep_add_outcome(sweep, name, &stop->outcome);
}

TactStatus tact_sweep_read_stops(TactSweep *sweep, const TactJson *stop, const TactJson *otherwise)
{
    TactSweepFound *f = &sweep->found;
    const char     *name = "held";
    int             outcome = 0;
    if (otherwise->value) {
        TACT_TRY(tact_sweep_read_text(otherwise, &name));
        if (name[0] == 0 || strlen(name) >= TACT_SWEEP_NAME || strcmp(name, "failed") == 0) {
            return tact_json_fail(otherwise, "'%.40s' cannot be an outcome", name);
        }
    }
    TACT_TRY(tact_sweep_add_outcome(sweep, name, &outcome));
    if (!stop->value) {
        return TACT_OK;
    }
    TACT_TRY(tact_json_is_array(stop, -1));
    size_t count = json_array_size(stop->value);
    TACT_TRY(tact_allocate(count + 1, sizeof *f->stops, (void **)&f->stops));
    for (size_t i = 0; i < count; i++) {
        TactJson element = tact_json_element(stop, i);
        TACT_TRY(read_stop(sweep, &element, &f->stops[f->stop_count++]));
    }
    return TACT_OK;
}

// ---------------------------------------------------------------------------------------------
// Controls over time

static TactStatus read_schedule(const TactJson *json, TactSchedule *s)
{
    size_t count = 1;
    if (!json_is_number(json->value)) {
        TACT_TRY(tact_json_is_array(json, -1));
        count = json_array_size(json->value);
    }
    if (count == 0) {
        return tact_json_fail(json, "is empty: a control is a number, or [time, value], ...");
    }
    TACT_TRY(tact_allocate(count, sizeof *s->time, (void **)&s->time));
    TACT_TRY(tact_allocate(count, sizeof *s->value, (void **)&s->value));
    s->count = (int)count;
    if (json_is_number(json->value)) {
        return tact_json_real(json, &s->value[0]);
    }
    for (size_t i = 0; i < count; i++) {
        TactJson element = tact_json_element(json, i);
        double   pair[2];
        TACT_TRY(tact_json_reals(&element, 2, pair));
        s->time[i] = pair[0];
        s->value[i] = pair[1];
        if (i > 0 && !(s->time[i] > s->time[i - 1])) {
            return tact_json_fail(&element, "time does not ascend: %g after %g s", s->time[i],
                                  s->time[i - 1]);
        }
    }
    return TACT_OK;
}

TactStatus tact_sweep_read_schedules(TactSweep *sweep, const TactJson *ctrl)
{
    TactSweepFound *f = &sweep->found;
    const char     *key;
    json_t         *value;
    if (!ctrl->value) {
        return TACT_OK;
    }
    TACT_TRY(tact_json_is_object(ctrl));
    TACT_TRY(tact_allocate(json_object_size(ctrl->value) + 1, sizeof *f->schedules,
                           (void **)&f->schedules));
    json_object_foreach(ctrl->value, key, value)
    {
        TactJson      member = tact_json_member(ctrl, key);
        TactSchedule *s = &f->schedules[f->schedule_count++];
        s->actuator = tact_model_find(sweep->model, TACT_OBJECT_ACTUATOR, key);
        if (s->actuator < 0) {
            return tact_json_fail(&member, "the model has no actuator '%.80s'", key);
        }
        TACT_TRY(read_schedule(&member, s));
    }
    return TACT_OK;
}
#endif
