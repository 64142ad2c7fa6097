#include "view/live/view_run.h"

#include "cli/json/json.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <tact/load.h>

#include "view/live/hand.h"
#include "view/live/history.h"
#include "view/live/sleepers.h"
#include "view/protocol/protocol.h"

struct TactViewRun {
    char           *file;
    TactModel      *model;
    TactSim        *sim;
    TactSimConfig   config;
    TactDynamics   *dynamics; // for velocities
    TactTransform  *poses;    //                                                 (bodies)
    TactViewHistory history;
    TactSimReport   report; // of the last step
    double          step_time;
    long            step;
    TactViewHand    hand;

    TactViewSleepers sleepers; // whose contacts are shown as they were
};

// Rest after which bodies sleep unless it is said otherwise, s: what is at rest shall cost nothing.
static const double USUAL_SLEEP = 0.5;

static int first_keyframe(const TactViewRun *run)
{
    return run->model->keyframe_count > 0 ? 0 : -1;
}

/// The present state, as the history keeps it.
static TactViewMoment present(const TactViewRun *run)
{
    return (TactViewMoment){.step = run->step, .config = run->config, .hand = run->hand};
}

double tact_view_run_sleep(const TactViewRun *run)
{
    return run->config.sleep_time;
}

TactStatus tact_view_run_create(const char *file, const char *method, const char *cone,
                                TactContactShare share, double sleep, TactViewRun **created)
{
    TactModelLoadConfig load = tact_model_load_config_default();
    TactViewRun        *run = calloc(1, sizeof *run);
    TactStatus          status = run ? TACT_OK : TACT_NO_MEMORY;
    if (status == TACT_OK) {
        status = tact_model_load(file, &load, &run->model, NULL);
    }
    if (status == TACT_OK) {
        run->config = tact_sim_config_default(run->model);
        run->config.share = share;
        run->config.sleep_time = sleep >= 0 ? sleep : USUAL_SLEEP;
        run->file = strdup(file);
        run->poses = calloc((size_t)run->model->body_count, sizeof *run->poses);
        status = run->file && run->poses ? TACT_OK : TACT_NO_MEMORY;
    }
    if (status == TACT_OK && method) {
        status = tact_contact_method_find(method, &run->config.method);
    }
    if (status == TACT_OK && cone) {
        status = tact_contact_cone_find(cone, &run->config.cone);
    }
    if (status == TACT_OK) {
        status = tact_sim_create(run->model, &run->config, &run->sim);
    }
    if (status == TACT_OK) {
        status = tact_sim_reset(run->sim, first_keyframe(run));
    }
    if (status == TACT_OK) {
        status = tact_dynamics_create(run->model, &run->dynamics);
    }
    if (status == TACT_OK) {
        status = tact_view_history_create(&run->history);
    }
    if (status != TACT_OK) {
        tact_view_run_destroy(run);
        return status;
    }
    tact_view_history_must_add(&run->history, run->sim, present(run));
    *created = run;
    return TACT_OK;
}

void tact_view_run_destroy(TactViewRun *run)
{
    if (run) {
        tact_view_history_destroy(&run->history);
        tact_view_sleepers_destroy(&run->sleepers);
        tact_dynamics_destroy(run->dynamics);
        tact_sim_destroy(run->sim);
        tact_model_destroy(run->model);
        free(run->poses);
        free(run->file);
        free(run);
    }
}

double tact_view_run_time(const TactViewRun *run)
{
    return tact_sim_view_state(run->sim)->time;
}

double tact_view_run_timestep(const TactViewRun *run)
{
    return run->config.timestep;
}

long tact_view_run_steps(const TactViewRun *run)
{
    return run->step;
}

// ---------------------------------------------------------------------------------------------
// Steps

TactStatus tact_view_run_step(TactViewRun *run)
{
    double begin = tact_time_now();
    tact_view_hand_turn(&run->hand, run->model, run->sim, run->config.timestep, run->poses);
    TactStatus status = tact_sim_step(run->sim, &run->report);
    if (status == TACT_OK) {
        run->step++;
        run->step_time = tact_time_now() - begin;
    }
    return status;
}

// ---------------------------------------------------------------------------------------------
// Commands

static TactStatus change_config(TactViewRun *run, const TactSimConfig *config)
{
    TactStatus status = tact_sim_set_config(run->sim, config);
    if (status == TACT_OK) {
        run->config = *config;
    }
    return status;
}

static TactStatus reset(TactViewRun *run, const char *keyframe)
{
    int key = first_keyframe(run);
    for (int i = 0; i < run->model->keyframe_count && keyframe[0] != '\0'; i++) {
        char label[64];
        if (strcmp(tact_model_label(run->model, TACT_OBJECT_KEYFRAME, i, label), keyframe) == 0) {
            key = i;
        }
    }
    tact_view_hand_release(&run->hand, run->sim);
    tact_view_history_forget(&run->history, 0);
    run->step = 0;
    run->report = (TactSimReport){0};
    TactStatus status = tact_sim_reset(run->sim, key);
    tact_view_sleepers_rewind(&run->sleepers, run->sim, 0);
    tact_view_history_must_add(&run->history, run->sim, present(run));
    return status;
}

static bool is_same_config(const TactSimConfig *a, const TactSimConfig *b)
{
    return a->method == b->method && a->cone == b->cone && a->friction_scale == b->friction_scale;
}

/// Back to the end of a step: from the last moment before it, so that the step itself is made again
/// and its contacts are known; or to the oldest moment.
static TactStatus rewind_to(TactViewRun *run, double wanted)
{
    long step = wanted > 0 ? wanted < (double)run->step ? (long)wanted : run->step : 0;

    const TactViewMoment *moment = tact_view_history_find(&run->history, step);
    if (!moment) {
        return TACT_BAD_ARGUMENT;
    }
    TactStatus status = TACT_OK;
    tact_view_hand_release(&run->hand, run->sim);
    if (!is_same_config(&moment->config, &run->config)) {
        status = change_config(run, &moment->config);
    }
    if (status == TACT_OK) {
        status = tact_sim_snapshot_restore(run->sim, moment->snapshot, moment->size);
    }
    if (status != TACT_OK) {
        return status;
    }
    run->step = moment->step;
    run->hand = moment->hand;
    run->report = (TactSimReport){0};
    status = tact_view_hand_apply(&run->hand, run->model, run->sim);
    while (status == TACT_OK && run->step < step) {
        status = tact_view_run_step(run);
    }
    tact_view_sleepers_rewind(&run->sleepers, run->sim, run->step);
    tact_view_history_forget(&run->history, run->step + (run->step == moment->step));
    tact_view_hand_release(&run->hand, run->sim); // nobody holds it any more
    return status;
}

static TactStatus drag(TactViewRun *run, const TactViewCommand *command)
{
    if (command->index < 1 || command->index >= run->model->body_count) {
        return TACT_BAD_ARGUMENT;
    }
    if (!run->hand.holds || run->hand.body != command->index) {
        tact_view_hand_release(&run->hand, run->sim);
    }
    run->hand.holds = true;
    run->hand.body = command->index;
    run->hand.turns = command->turn;
    run->hand.point = command->point;
    run->hand.target = command->target;
    TactStatus status = tact_view_hand_apply(&run->hand, run->model, run->sim);
    if (status != TACT_OK) {
        tact_view_hand_release(&run->hand, run->sim);
    }
    return status;
}

/// What changes the steps to come.
static TactStatus intervene(TactViewRun *run, const TactViewCommand *command)
{
    TactSimConfig config = run->config;
    TactStatus    status = TACT_OK;
    switch (command->verb) {
    case TACT_VIEW_CONTROL:
        if (command->index >= run->model->actuator_count) {
            return TACT_BAD_ARGUMENT;
        }
        tact_sim_view_state(run->sim)->ctrl[command->index] = command->value;
        return TACT_OK;
    case TACT_VIEW_DRAG: return drag(run, command);
    case TACT_VIEW_RELEASE: tact_view_hand_release(&run->hand, run->sim); return TACT_OK;
    case TACT_VIEW_METHOD: status = tact_contact_method_find(command->text, &config.method); break;
    case TACT_VIEW_CONE: status = tact_contact_cone_find(command->text, &config.cone); break;
    case TACT_VIEW_FRICTION:
        config.friction_scale = command->value;
        status = command->value >= 0 && command->value <= 100 ? TACT_OK : TACT_BAD_ARGUMENT;
        break;
    default: return TACT_BAD_ARGUMENT;
    }
    return status == TACT_OK ? change_config(run, &config) : status;
}

TactStatus tact_view_run_command(TactViewRun *run, const TactViewCommand *command)
{
    switch (command->verb) {
    case TACT_VIEW_RESET: return reset(run, command->text);
    case TACT_VIEW_REWIND: return rewind_to(run, command->value);
    default: break;
    }
    TactStatus status = intervene(run, command);
    if (status == TACT_OK) {
        tact_view_history_must_add(&run->history, run->sim, present(run));
    }
    return status;
}

// ---------------------------------------------------------------------------------------------
// Messages

TactViewMessage *tact_view_run_scene(const TactViewRun *run)
{
    return tact_view_scene_message(run->model, run->file, run->config.timestep,
                                   tact_contact_method_info(run->config.method)->name,
                                   tact_contact_cone_name(run->config.cone));
}

TactViewMessage *tact_view_run_state(const TactViewRun *run, bool paused, double speed)
{
    char header[256];
    snprintf(header, sizeof header,
             "{\"type\":\"state\",\"paused\":%s,\"speed\":%.17g,\"method\":\"%s\",\"cone\":\"%s\","
             "\"friction\":%.17g}",
             paused ? "true" : "false", speed, tact_contact_method_info(run->config.method)->name,
             tact_contact_cone_name(run->config.cone), run->config.friction_scale);
    return tact_view_message_create(header, 0, NULL);
}

TactViewMessage *tact_view_run_frame(TactViewRun *run, TactViewRunCost cost)
{
    const TactSimState *state = tact_sim_view_state(run->sim);
    TactSimEnergy       energy = {0};
    TactSimSensors      sensors = {0};
    tact_view_history_add(&run->history, run->sim, present(run));
    tact_status_ignore(tact_sim_compute_energy(run->sim, &energy)); // then it shows none
    if (tact_sim_compute_sensors(run->sim, &sensors) != TACT_OK) {
        sensors = (TactSimSensors){0};
    }
    tact_view_sleepers_update(&run->sleepers, run->sim, run->step);
    TactViewFrame frame = {
        .model = run->model,
        .sim = run->sim,
        .sleeper_count = run->sleepers.count,
        .sleepers = run->sleepers.kept,
        .state = state,
        .report = &run->report,
        .dynamics = run->dynamics,
        .step = run->step,
        .step_time = run->step_time,
        .step_cpu = cost.step,
        .thread_cpu = cost.thread,
        .energy = energy,
        .sensors = sensors.values,
    };
    if (tact_dynamics_set_position(run->dynamics, state->q) != TACT_OK ||
        tact_dynamics_set_velocity(run->dynamics, state->v) != TACT_OK) {
        return NULL; // no finite state: the next step says so
    }
    return tact_view_frame_message(&frame);
}

/// What is said of some patches: of those that sleep, or of all.
static void put_words(const TactViewRun *run, const TactSimPatches *patches, bool only_asleep,
                      TactViewExplain *explain, json_t *list)
{
    for (int i = 0; i < patches->count; i++) {
        const TactSimPatch *patch = &patches->patches[i];
        char                words[TACT_VIEW_WORDS];
        if (only_asleep && !tact_sim_is_asleep(run->sim, patch->body[0]) &&
            !tact_sim_is_asleep(run->sim, patch->body[1])) {
            continue;
        }
        explain(run->model, patch, words);
        tact_json_append(list, tact_json_pack("{s:i, s:i, s:[f, f, f], s:s}", "a", patch->geom[0],
                                              "b", patch->geom[1], "normal", patch->normal.x,
                                              patch->normal.y, patch->normal.z, "says", words));
    }
}

TactViewMessage *tact_view_run_words(TactViewRun *run, TactViewExplain *explain)
{
    TactSimPatches patches = {0};
    json_t        *list = json_array();
    if (tact_sim_compute_patches(run->sim, &patches) == TACT_OK) {
        put_words(run, &patches, false, explain, list);
    }
    if (tact_view_sleepers_patches(&run->sleepers, run->sim, &run->config, &patches) == TACT_OK) {
        put_words(run, &patches, true, explain, list);
    }
    json_t *header = tact_json_pack("{s:s, s:I, s:o}", "type", "words", "step",
                                    (json_int_t)run->step, "patches", list);
    return tact_view_message_json(header, 0, NULL);
}
