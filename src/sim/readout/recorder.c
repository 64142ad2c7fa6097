// Frames of a simulation, for recordings and CSV files.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/status.h"
#include "sim/sim.h"

enum { COOKIE = 0x5ec07d };

struct TactSimRecorder {
    TactSim      *sim;
    TactDynamics *dynamics;    // at the state that is recorded: the simulation's own is not touched
    TactRecordWriter  *writer; // NULL: no recording
    TactRecordCsv     *states; // NULL: no such file
    TactRecordCsv     *touches;  //
    int                stride;   // steps from frame to frame
    uint64_t           step;     // steps seen
    uint64_t           framed;   // step of the last frame of the recording
    TactSimReport      report;   // of the last step
    TactRecordContact *contacts; //                                               (capacity)
    int                capacity;
};

TactSimRecordConfig tact_sim_record_config_default(void)
{
    return (TactSimRecordConfig){
        .every = 1.0 / 60, .flush = tact_record_config_default().flush, .cookie = COOKIE};
}

// ---------------------------------------------------------------------------------------------
// Frames

static TactStatus copy_contacts(TactSimRecorder *recorder, int count, const TactSimContact *from)
{
    if (count > recorder->capacity) {
        tact_release(recorder->contacts);
        recorder->contacts = NULL;
        recorder->capacity = 0;
        TACT_TRY(tact_allocate(2 * (size_t)count, sizeof *recorder->contacts,
                               (void **)&recorder->contacts));
        recorder->capacity = 2 * count;
    }
    for (int i = 0; i < count; i++) {
        const TactSimContact *c = &from[i];
        recorder->contacts[i] = (TactRecordContact){
            .geom = {c->geom[0], c->geom[1]},
            .id = c->id,
            .point = c->point,
            .normal = c->normal,
            .tangent = c->tangent[0],
            .depth = c->depth,
            .mu = c->mu,
            .force = {c->force[0], c->force[1], c->force[2]},
            .velocity = {c->velocity[0], c->velocity[1], c->velocity[2]},
            .friction_used = c->friction_used,
            .state = c->state,
            .mu_spin = c->mu_spin,
            .mu_roll = c->mu_roll,
            .moment = {c->moment[0], c->moment[1], c->moment[2]},
            .spin = {c->spin[0], c->spin[1], c->spin[2]},
        };
    }
    return TACT_OK;
}

static void copy_report(const TactSimReport *report, TactRecordFrame *frame)
{
    frame->error = report->error;
    frame->penetration = report->penetration;
    frame->loop_error = report->loop_error;
    frame->solve_time = report->solve_time;
    frame->step_time = report->step_time;
    frame->islands = report->islands;
    frame->certified = report->certified;
    frame->pivots = report->pivots;
    frame->rows = report->rows;
    frame->rung_count = report->rung_count;
    for (int i = 0; i < report->rung_count; i++) {
        TactRecordRung *rung = &frame->rungs[i];
        snprintf(rung->name, sizeof rung->name, "%s", report->rungs[i].name);
        rung->count = report->rungs[i].count;
    }
}

static TactStatus make_frame(TactSimRecorder *recorder, TactRecordFrame *frame)
{
    TactSim            *sim = recorder->sim;
    const TactSimState *state = tact_sim_view_state(sim);
    int                 count;
    TACT_TRY(tact_dynamics_set_position(recorder->dynamics, state->q));
    TACT_TRY(tact_dynamics_set_velocity(recorder->dynamics, state->v));
    const TactSimContact *contacts = tact_sim_view_contacts(sim, &count);
    TACT_TRY(copy_contacts(recorder, count, contacts));
    *frame = (TactRecordFrame){
        .time = state->time,
        .step = recorder->step,
        .hash = tact_sim_get_hash(sim),
        .kinetic = tact_dynamics_compute_kinetic_energy(recorder->dynamics),
        .potential = tact_dynamics_compute_potential_energy(recorder->dynamics),
        .q = state->q,
        .v = state->v,
        .ctrl = state->ctrl,
        .poses = tact_dynamics_view_poses(recorder->dynamics),
        .contact_count = count,
        .contacts = recorder->contacts,
    };
    copy_report(&recorder->report, frame);
    if (sim->model->sensor_size > 0) {
        TactSimSensors sensors = {0};
        TACT_TRY(tact_sim_compute_sensors(sim, &sensors));
        frame->sensors = sensors.values;
    }
    return TACT_OK;
}

static TactStatus record(TactSimRecorder *recorder, bool due)
{
    TactRecordFrame frame;
    if (!recorder->states && !recorder->touches && !due) {
        return TACT_OK;
    }
    TACT_TRY(make_frame(recorder, &frame));
    if (recorder->states) {
        TACT_TRY(tact_record_csv_add(recorder->states, &frame));
    }
    if (recorder->touches) {
        TACT_TRY(tact_record_csv_add(recorder->touches, &frame));
    }
    if (due && recorder->writer) {
        recorder->framed = recorder->step;
        TACT_TRY(tact_record_writer_add(recorder->writer, &frame));
    }
    return TACT_OK;
}

// ---------------------------------------------------------------------------------------------

static TactStatus open_files(TactSimRecorder *recorder, const TactSimRecordConfig *config)
{
    const TactSim   *sim = recorder->sim;
    TactRecordConfig files = tact_record_config_default();
    TactRecordRun    run = {
           .scene = config->scene,
           .method = tact_contact_method_info(sim->config.method)->name,
           .cone = tact_contact_cone_name(sim->config.cone),
           .timestep = sim->config.timestep,
           .word_count = config->word_count,
           .words = config->words,
    };
    files.flush = config->flush;
    files.sensors = sim->model->sensor_size > 0;
    if (config->path) {
        TACT_TRY(
            tact_record_writer_create(config->path, sim->model, &run, &files, &recorder->writer));
    }
    if (config->csv) {
        TACT_TRY(tact_record_csv_create(config->csv, sim->model, TACT_RECORD_CSV_STATES,
                                        &recorder->states));
    }
    if (config->csv_contacts) {
        TACT_TRY(tact_record_csv_create(config->csv_contacts, sim->model, TACT_RECORD_CSV_CONTACTS,
                                        &recorder->touches));
    }
    return TACT_OK;
}

TactStatus tact_sim_recorder_create(TactSim *sim, const TactSimRecordConfig *config,
                                    TactSimRecorder **recorder)
{
    TACT_NEED(sim && config && recorder, "tact_sim_recorder_create");
    if (!sim || !config || !recorder || config->cookie != COOKIE || !(config->every >= 0)) {
        return tact_fail(TACT_BAD_ARGUMENT,
                         "recorder: simulation or result is NULL, or the config is not from "
                         "tact_sim_record_config_default()");
    }
    *recorder = NULL;
    TactSimRecorder *r = NULL;
    TACT_TRY(tact_allocate(1, sizeof *r, (void **)&r));
    double stride = fmin(fmax(round(config->every / sim->config.timestep), 1), 1e9);
    r->sim = sim;
    r->stride = (int)stride;
    TactStatus status = tact_dynamics_create(sim->model, &r->dynamics);
    if (status == TACT_OK) {
        status = open_files(r, config);
    }
    if (status == TACT_OK) {
        status = record(r, true);
    }
    if (status != TACT_OK) {
        char message[512];
        snprintf(message, sizeof message, "%s", tact_status_message());
        tact_status_ignore(tact_sim_recorder_destroy(r)); // what failed first is told
        return tact_fail(status, "%s", message);
    }
    *recorder = r;
    return TACT_OK;
}

TactStatus tact_sim_recorder_add(TactSimRecorder *recorder, const TactSimReport *report)
{
    TACT_NEED(recorder && report, "tact_sim_recorder_add");
    recorder->step++;
    recorder->report = *report;
    return record(recorder, recorder->writer && recorder->step % (uint64_t)recorder->stride == 0);
}

TactStatus tact_sim_recorder_destroy(TactSimRecorder *recorder)
{
    if (!recorder) {
        return TACT_OK;
    }
    TactStatus status = TACT_OK;
    if (recorder->writer && recorder->framed != recorder->step) { // the end is always there
        TactRecordFrame frame;
        status = make_frame(recorder, &frame);
        if (status == TACT_OK) {
            tact_status_ignore(tact_record_writer_add(recorder->writer, &frame)); // told by destroy
        }
    }
    TactStatus closed = tact_record_writer_destroy(recorder->writer);
    status = status == TACT_OK ? closed : status;
    closed = tact_record_csv_destroy(recorder->states);
    status = status == TACT_OK ? closed : status;
    closed = tact_record_csv_destroy(recorder->touches);
    status = status == TACT_OK ? closed : status;
    tact_dynamics_destroy(recorder->dynamics);
    tact_release(recorder->contacts);
    tact_release(recorder);
    return status;
}
