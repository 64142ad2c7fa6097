#include "sweep/look.h"

#include <math.h>
#include <string.h>

#include "base/status.h"

void tact_look_clear(TactLook *look)
{
    const TactSweepFound *f = &look->sweep->found;
    look->totals = (TactTotals){0};
    look->time = 0;
    for (int i = 0; i < f->measure_count + f->stop_count; i++) {
        look->references[i].there = false;
    }
    for (int i = 0; i < f->measure_count; i++) {
        look->seen[i] = (TactSeen){0};
    }
}

void tact_look_add_step(TactLook *look, const TactSimReport *report)
{
    TactTotals *t = &look->totals;
    t->steps++;
    t->contacts += report->contacts;
    t->contacts_max = report->contacts > t->contacts_max ? report->contacts : t->contacts_max;
    t->solves += report->islands;
    t->certified += report->certified;
    t->out_of_budget += report->out_of_budget;
    t->divided += report->parts > 1;
    t->unresolved += report->unresolved > 0;
    t->error_max = fmax(t->error_max, report->error);
    t->penetration_max = fmax(t->penetration_max, report->penetration);
    t->loop_error_max = fmax(t->loop_error_max, report->loop_error);
    t->correction_max = fmax(t->correction_max, report->correction);
    t->damping += report->damping;
    t->step_time += report->step_time;
    look->time = (double)t->steps * look->dt;
}

TactStatus tact_look_read(TactLook *look)
{
    const TactSweep *sweep = look->sweep;
    if (sweep->needs_poses) {
        TACT_TRY(tact_sim_compute_poses(look->sim, look->poses));
    }
    if (sweep->needs_twists) {
        TACT_TRY(tact_sim_compute_velocities(look->sim, look->twists));
    }
    if (sweep->needs_sensors) {
        TactSimSensors sensors;
        TACT_TRY(tact_sim_compute_sensors(look->sim, &sensors));
        look->sensors = sensors.values;
    }
    return TACT_OK;
}

// ---------------------------------------------------------------------------------------------
// Quantities

static double read_total(const TactLook *look, TactTotal which)
{
    const TactTotals *t = &look->totals;
    switch (which) {
    case TACT_TOTAL_TIME: return look->time;
    case TACT_TOTAL_DT: return look->dt;
    case TACT_TOTAL_STEPS: return (double)t->steps;
    case TACT_TOTAL_DOF: return look->sweep->model->nv;
    case TACT_TOTAL_CONTACTS_MEAN: return (double)t->contacts / (double)t->steps;
    case TACT_TOTAL_CONTACTS_MAX: return t->contacts_max;
    case TACT_TOTAL_SOLVES: return (double)t->solves;
    case TACT_TOTAL_CERTIFIED: return (double)t->certified;
    case TACT_TOTAL_UNVERIFIED: return (double)(t->solves - t->certified);
    case TACT_TOTAL_OUT_OF_BUDGET: return (double)t->out_of_budget;
    case TACT_TOTAL_RESIDUAL_MAX: return t->error_max;
    case TACT_TOTAL_PENETRATION_MAX: return t->penetration_max;
    case TACT_TOTAL_LOOP_ERROR_MAX: return t->loop_error_max;
    case TACT_TOTAL_CORRECTION_MAX: return t->correction_max;
    case TACT_TOTAL_DAMPING_ENERGY: return t->damping;
    case TACT_TOTAL_DIVIDED_STEPS: return (double)t->divided;
    case TACT_TOTAL_UNRESOLVED_STEPS: return (double)t->unresolved;
    }
    return NAN;
}

static double component(TactVec3 v, int i)
{
    return i == 0 ? v.x : i == 1 ? v.y : v.z;
}

static double quat_component(TactQuat q, int i)
{
    return i == 0 ? q.w : i == 1 ? q.x : i == 2 ? q.y : q.z;
}

/// Is the moment there? Times are multiples of dt: half of one forgives their rounding.
static bool has_come(const TactLook *look, double moment)
{
    return look->time >= moment - 0.5 * look->dt;
}

/// How far a body has moved or turned in the frame of another since its reference was taken, which
/// is done when the moment has come; NaN before.
static double read_relative(const TactLook *look, const TactQuantity *q, TactReference *reference)
{
    if (!has_come(look, q->since)) {
        return NAN;
    }
    TactTransform pose = tact_transform_multiply(tact_transform_invert(look->poses[q->against]),
                                                 look->poses[q->index]);
    if (!reference->there) {
        *reference = (TactReference){true, pose};
    }
    if (q->kind == TACT_QUANTITY_MOVED) {
        return tact_vec3_norm(tact_vec3_subtract(pose.position, reference->pose.position));
    }
    TactQuat turned =
        tact_quat_multiply(tact_quat_conjugate(reference->pose.rotation), pose.rotation);
    return tact_vec3_norm(tact_quat_log(turned));
}

static double read_quantity(const TactLook *look, const TactQuantity *q, TactReference *reference)
{
    const TactSimState *state = tact_sim_view_state(look->sim);
    switch (q->kind) {
    case TACT_QUANTITY_TOTAL: return read_total(look, (TactTotal)q->index);
    case TACT_QUANTITY_POSITION: return component(look->poses[q->index].position, q->number);
    case TACT_QUANTITY_ROTATION: return quat_component(look->poses[q->index].rotation, q->number);
    case TACT_QUANTITY_VELOCITY: return component(look->twists[q->index].linear, q->number);
    case TACT_QUANTITY_OMEGA: return component(look->twists[q->index].angular, q->number);
    case TACT_QUANTITY_Q: return state->q[q->index];
    case TACT_QUANTITY_V: return state->v[q->index];
    case TACT_QUANTITY_SENSOR: return look->sensors[q->index];
    case TACT_QUANTITY_MOVED:
    case TACT_QUANTITY_TURNED: return read_relative(look, q, reference);
    }
    return NAN;
}

// ---------------------------------------------------------------------------------------------
// Measures and stops

static void see(TactSeen *seen, TactMeasureOf of, double x)
{
    bool first = seen->count == 0;
    switch (of) {
    case TACT_MEASURE_LAST: seen->value = x; break;
    case TACT_MEASURE_AT:
    case TACT_MEASURE_FIRST: seen->value = first ? x : seen->value; break;
    case TACT_MEASURE_MIN: seen->value = first ? x : fmin(seen->value, x); break;
    case TACT_MEASURE_MAX: seen->value = first ? x : fmax(seen->value, x); break;
    case TACT_MEASURE_MEAN: seen->value += x; break;
    case TACT_MEASURE_RMS: seen->value += x * x; break;
    }
    seen->count++;
}

void tact_look_measure(TactLook *look, bool start)
{
    const TactSweepFound *f = &look->sweep->found;
    for (int i = 0; i < f->measure_count; i++) {
        const TactMeasure *m = &f->measures[i];
        double             x = read_quantity(look, &m->quantity, &look->references[i]);
        bool               once = m->of == TACT_MEASURE_FIRST || m->of == TACT_MEASURE_AT;
        if ((!start || once) && has_come(look, m->after) && !isnan(x)) {
            see(&look->seen[i], m->of, x);
        }
    }
}

int tact_look_find_stop(TactLook *look, bool at_end)
{
    const TactSweepFound *f = &look->sweep->found;
    int                   found = -1;
    for (int i = 0; i < f->stop_count; i++) {
        const TactStop *s = &f->stops[i];
        double x = read_quantity(look, &s->quantity, &look->references[f->measure_count + i]);
        bool   holds = s->below ? x < s->value : x > s->value;
        if (holds && found < 0 && s->at_end == at_end && has_come(look, s->after)) {
            found = i;
        }
    }
    return found;
}

double tact_look_result(const TactLook *look, int measure)
{
    const TactSeen *seen = &look->seen[measure];
    TactMeasureOf   of = look->sweep->found.measures[measure].of;
    if (seen->count == 0) {
        return NAN;
    }
    double mean = seen->value / (double)seen->count;
    return of == TACT_MEASURE_MEAN ? mean : of == TACT_MEASURE_RMS ? sqrt(mean) : seen->value;
}
