#include "run.h"

#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <tact/load.h>

#include "frame.h"
#include "history.h"
#include "scene.h"

// A pull is a spring that would swing the pulled mass at this angular frequency (5 Hz), a little
// overdamped. The simulator takes it implicitly; a turn is a torque of the same spring, and softer
// where a step is so long that it would not be stable.
static const double PULL_OMEGA = 31.4;
static const double PULL_DAMPING = 1.2;
static const double TURN_PER_STEP = 0.2;

struct TactViewRun {
    char           *file;
    TactModel      *model;
    TactSim        *sim;
    TactSimConfig   config;
    TactDynamics   *dynamics; // for energies
    TactTransform  *poses;    //                                                 (bodies)
    TactViewHistory history;
    TactSimReport   report; // of the last step
    double          step_time;
    long            step;
    TactViewCommand drag;
    bool            dragging;
    TactVec3        grip; // where the grip was before the last step
    bool            gripped;
};

static const char *const cone_names[] = {"pyramid", "circle", "box"};

static TactStatus choose_cone(const char *name, TactContactCone *cone)
{
    for (int i = 0; i < 3; i++) {
        if (strcmp(name, cone_names[i]) == 0) {
            *cone = (TactContactCone)i;
            return TACT_OK;
        }
    }
    return TACT_BAD_ARGUMENT;
}

static int first_keyframe(const TactViewRun *run)
{
    return run->model->keyframe_count > 0 ? 0 : -1;
}

TactStatus tact_view_run_create(const char *file, const char *method, const char *cone,
                                TactViewRun **created)
{
    TactModelLoad load = tact_model_load_default();
    TactViewRun  *run = calloc(1, sizeof *run);
    TactStatus    status = run ? TACT_OK : TACT_NO_MEMORY;
    if (status == TACT_OK) {
        status = tact_model_load(file, &load, &run->model, NULL);
    }
    if (status == TACT_OK) {
        run->config = tact_sim_config_default(run->model);
        run->file = strdup(file);
        run->poses = calloc((size_t)run->model->body_count, sizeof *run->poses);
        status = run->file && run->poses ? TACT_OK : TACT_NO_MEMORY;
    }
    if (status == TACT_OK && method) {
        status = tact_contact_method_find(method, &run->config.method);
    }
    if (status == TACT_OK && cone) {
        status = choose_cone(cone, &run->config.cone);
    }
    if (status == TACT_OK) {
        status = tact_sim_create(run->model, &run->config, &run->sim);
    }
    if (status == TACT_OK) {
        status = tact_sim_reset(run->sim, first_keyframe(run));
    }
    if (status == TACT_OK) {
        status = tact_view_history_create(&run->history, run->model);
    }
    if (status != TACT_OK) {
        tact_view_run_destroy(run);
        return status;
    }
    *created = run;
    return TACT_OK;
}

void tact_view_run_destroy(TactViewRun *run)
{
    if (run) {
        tact_view_history_destroy(&run->history);
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

// ---------------------------------------------------------------------------------------------
// Steps

/// The torque of the hand that turns its body: the moment of a spring from the grip to the target,
/// and of a damper of the grip's own speed.
static void turn(TactViewRun *run)
{
    TactSimState *state = tact_sim_view_state(run->sim);
    int           body = run->drag.index;
    if (!run->dragging || !run->drag.turn) {
        return;
    }
    tact_model_kinematics(run->model, state->q, run->poses);
    TactTransform pose = run->poses[body];
    double        mass = run->model->bodies[body].subtree_mass;
    double        omega = fmin(PULL_OMEGA, TURN_PER_STEP / run->config.timestep);
    TactVec3      grip = tact_transform_point(pose, run->drag.point);
    TactVec3      centre = tact_transform_point(pose, run->model->bodies[body].inertia.com);
    TactVec3      moved = tact_vec3_subtract(grip, run->gripped ? run->grip : grip);
    TactVec3      force =
        tact_vec3_scale(mass * omega * omega, tact_vec3_subtract(run->drag.target, grip));
    force =
        tact_vec3_add_scaled(force, -2 * PULL_DAMPING * mass * omega / run->config.timestep, moved);
    run->grip = grip;
    run->gripped = true;
    state->external[body].torque = tact_vec3_cross(tact_vec3_subtract(grip, centre), force);
}

/// Hands the pull over to the simulator, anew after each change of it.
static TactStatus pull(TactViewRun *run)
{
    double      mass = run->model->bodies[run->drag.index].subtree_mass;
    TactSimDrag drag = {
        .body = run->drag.index,
        .point = run->drag.point,
        .target = run->drag.target,
        .stiffness = mass * PULL_OMEGA * PULL_OMEGA,
        .damping = 2 * PULL_DAMPING * mass * PULL_OMEGA,
    };
    bool pulls = run->dragging && !run->drag.turn;
    return tact_sim_set_drag(run->sim, pulls ? &drag : NULL);
}

static void release(TactViewRun *run)
{
    if (run->dragging) {
        tact_sim_view_state(run->sim)->external[run->drag.index] = (TactWrench){0};
    }
    run->dragging = run->gripped = false;
    tact_sim_set_drag(run->sim, NULL);
}

TactStatus tact_view_run_step(TactViewRun *run)
{
    double begin = tact_time_now();
    turn(run);
    TactStatus status = tact_sim_step(run->sim, &run->report);
    if (status == TACT_OK) {
        run->step++;
        run->step_time = tact_time_now() - begin;
    }
    return status;
}

// ---------------------------------------------------------------------------------------------
// Commands

/// A simulator with another config that goes on where the old one is.
static TactStatus renew(TactViewRun *run, const TactSimConfig *config)
{
    TactSim   *sim;
    TactStatus status = tact_sim_create(run->model, config, &sim);
    if (status != TACT_OK) {
        return status;
    }
    const TactSimState *from = tact_sim_view_state(run->sim);
    TactSimState       *to = tact_sim_view_state(sim);
    memcpy(to->q, from->q, (size_t)run->model->nq * sizeof *to->q);
    memcpy(to->v, from->v, (size_t)run->model->nv * sizeof *to->v);
    memcpy(to->ctrl, from->ctrl, (size_t)run->model->actuator_count * sizeof *to->ctrl);
    memcpy(to->external, from->external, (size_t)run->model->body_count * sizeof *to->external);
    to->time = from->time;
    tact_sim_destroy(run->sim);
    run->sim = sim;
    run->config = *config;
    return run->dragging ? pull(run) : TACT_OK;
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
    release(run);
    run->step = 0;
    run->report = (TactSimReport){0};
    return tact_sim_reset(run->sim, key);
}

TactStatus tact_view_run_command(TactViewRun *run, const TactViewCommand *command)
{
    TactSimConfig config = run->config;
    switch (command->verb) {
    case TACT_VIEW_RESET: return reset(run, command->text);
    case TACT_VIEW_REWIND:
        release(run);
        return tact_view_history_restore(&run->history, run->sim, (long)command->value, &run->step);
    case TACT_VIEW_CONTROL:
        if (command->index >= run->model->actuator_count) {
            return TACT_BAD_ARGUMENT;
        }
        tact_sim_view_state(run->sim)->ctrl[command->index] = command->value;
        return TACT_OK;
    case TACT_VIEW_DRAG:
        if (command->index < 1 || command->index >= run->model->body_count) {
            return TACT_BAD_ARGUMENT;
        }
        if (!run->dragging || run->drag.index != command->index) {
            release(run);
        }
        run->drag = *command;
        run->dragging = true;
        return pull(run);
    case TACT_VIEW_RELEASE: release(run); return TACT_OK;
    case TACT_VIEW_METHOD: {
        TactStatus status = tact_contact_method_find(command->text, &config.method);
        return status == TACT_OK ? renew(run, &config) : status;
    }
    case TACT_VIEW_CONE: {
        TactStatus status = choose_cone(command->text, &config.cone);
        return status == TACT_OK ? renew(run, &config) : status;
    }
    case TACT_VIEW_FRICTION:
        if (!(command->value >= 0 && command->value <= 100)) {
            return TACT_BAD_ARGUMENT;
        }
        config.friction_scale = command->value;
        return renew(run, &config);
    default: return TACT_BAD_ARGUMENT;
    }
}

// ---------------------------------------------------------------------------------------------
// Messages

TactViewMessage *tact_view_run_scene(const TactViewRun *run)
{
    return tact_view_scene_message(run->model, run->file, run->config.timestep,
                                   tact_contact_method_info(run->config.method)->name,
                                   cone_names[run->config.cone]);
}

TactViewMessage *tact_view_run_state(const TactViewRun *run, bool paused, double speed)
{
    char header[256];
    snprintf(header, sizeof header,
             "{\"type\":\"state\",\"paused\":%s,\"speed\":%.17g,\"method\":\"%s\",\"cone\":\"%s\","
             "\"friction\":%.17g}",
             paused ? "true" : "false", speed, tact_contact_method_info(run->config.method)->name,
             cone_names[run->config.cone], run->config.friction_scale);
    return tact_view_message_create(header, 0, NULL);
}

TactViewMessage *tact_view_run_frame(TactViewRun *run)
{
    const TactSimState *state = tact_sim_view_state(run->sim);
    tact_view_history_add(&run->history, state, run->step);
    tact_model_kinematics(run->model, state->q, run->poses);
    TactSimEnergy energy = {0};
    const double *sensors = NULL;
    tact_sim_compute_energy(run->sim, &energy);
    if (tact_sim_view_sensors(run->sim, &sensors) != TACT_OK) {
        sensors = NULL;
    }
    TactViewFrame frame = {
        .model = run->model,
        .sim = run->sim,
        .state = state,
        .report = &run->report,
        .poses = run->poses,
        .step = run->step,
        .step_time = run->step_time,
        .energy = energy,
        .sensors = sensors,
    };
    return tact_view_frame_message(&frame);
}
