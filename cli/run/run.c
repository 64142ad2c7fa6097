// A scene that is simulated as the options say: opened, stepped, closed.
#include "cli/run/run.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/cli.h"
#include "cli/model_file.h"

/// Physics of the file that the run does not honour: said once, on standard error.
static void warn(const TactRunOptions *options, const TactModelNotes *notes)
{
    int count = 0;
    for (int i = 0; notes && i < notes->count; i++) {
        count += notes->items[i].physics && notes->items[i].verdict != TACT_VERDICT_HONOURED;
    }
    if (count > 0) {
        fprintf(stderr, "tact: %s: %d %s approximated or ignored; see tact check\n", options->file,
                count, count == 1 ? "place of physics is" : "places of physics are");
    }
}

/// What the simulation has to say when it is made, on standard error.
static void listen(void *context, TactLogLevel level, const char *text)
{
    const TactRunOptions *options = context;
    fprintf(stderr, "tact: %s: %s%s\n", options->file,
            level == TACT_LOG_LEVEL_WARNING ? "" : "note: ", text);
}

static TactStatus make_sim(const TactRunOptions *options, const TactModel *model,
                           const TactSimConfig *config, TactSim **sim)
{
    tact_log_set(listen, (void *)options, TACT_LOG_LEVEL_WARNING);
    TactStatus status = tact_sim_create(model, config, sim);
    tact_log_set(NULL, NULL, TACT_LOG_LEVEL_WARNING);
    return status;
}

/// What the method lcp does. False: said on standard error.
static bool choose_lcp(const TactRunLcp *lcp, TactSimConfig *config)
{
    if (lcp->method && tact_lcp_method_find(lcp->method, &config->lcp_method) != TACT_OK) {
        tact_cli_bad("%s", tact_status_message());
        return false;
    }
    if (lcp->start >= 0) {
        config->start = (TactContactStart)lcp->start;
    }
    if (lcp->fallback >= 0) {
        config->fallback = (TactContactFallback)lcp->fallback;
    }
    config->cfm = lcp->cfm >= 0 ? lcp->cfm : config->cfm;
    return true;
}

static bool choose_config(const TactRunOptions *options, TactSimConfig *config)
{
    if (options->method && tact_contact_method_find(options->method, &config->method) != TACT_OK) {
        tact_cli_bad("%s", tact_status_message());
        return false;
    }
    if (!choose_lcp(&options->lcp, config)) {
        return false;
    }
    if (options->cone >= 0) {
        config->cone = (TactContactCone)options->cone;
    }
    if (options->moves.integrator >= 0) {
        config->integrator = (TactIntegrator)options->moves.integrator;
    }
    if (options->moves.zeta >= 0) {
        config->zeta = options->moves.zeta;
    }
    config->sleep_time = options->sleep;
    config->timestep = options->dt > 0 ? options->dt : config->timestep;
    config->tol = options->tol > 0 ? options->tol : config->tol;
    if (!(config->tol <= TACT_CONTACT_LARGEST_TOL)) {
        tact_cli_bad("--tol %g: at most %g may be called solved", config->tol,
                     TACT_CONTACT_LARGEST_TOL);
        return false;
    }
    config->max_work = options->budget.max_work > 0 ? options->budget.max_work : config->max_work;
    config->max_time = options->budget.max_time > 0 ? options->budget.max_time : config->max_time;
    config->max_contacts =
        options->budget.max_contacts > 0 ? options->budget.max_contacts : config->max_contacts;
    config->restitution =
        options->touch.restitution >= 0 ? options->touch.restitution : config->restitution;
    if (options->touch.restitution_law >= 0) {
        config->restitution_law = (TactRestitutionLaw)options->touch.restitution_law;
    }
    if (options->share >= 0) {
        config->share = (TactContactShare)options->share;
    }
    config->stiffness =
        options->touch.stiffness >= 0 ? options->touch.stiffness : config->stiffness;
    config->damping = options->touch.damping >= 0 ? options->touch.damping : config->damping;
    config->threads = options->threads > 0 ? options->threads : config->threads;
    return true;
}

static bool start(const TactRunOptions *options, const TactModel *model, TactSim *sim)
{
    if (options->keyframe && strcmp(options->keyframe, "none") == 0) {
        return true;
    }
    int key = model->keyframe_count > 0 ? 0 : -1;
    if (options->keyframe) {
        key = tact_cli_find_keyframe(model, options->file, options->keyframe);
        if (key < 0) {
            return false;
        }
    }
    return tact_sim_reset(sim, key) == TACT_OK;
}

/// --ctrl NAME=X
static bool set_control(const TactRunOptions *options, const TactModel *model, TactSim *sim)
{
    for (int k = 0; k < options->ctrl.count; k++) {
        const char *text = options->ctrl.texts[k], *equals = strrchr(text, '=');
        char        name[256], *end = NULL;
        if (!equals || equals == text || (size_t)(equals - text) >= sizeof name) {
            tact_cli_bad("--ctrl: '%s' is not NAME=X", text);
            return false;
        }
        snprintf(name, sizeof name, "%.*s", (int)(equals - text), text);
        int    actuator = tact_model_find(model, TACT_OBJECT_ACTUATOR, name);
        double value = strtod(equals + 1, &end);
        if (actuator < 0) {
            tact_cli_bad("--ctrl: %s has no actuator '%s'", options->file, name);
            return false;
        }
        if (end == equals + 1 || *end != '\0' || !isfinite(value)) {
            tact_cli_bad("--ctrl %s: '%s' is not a number", name, equals + 1);
            return false;
        }
        tact_sim_view_state(sim)->ctrl[actuator] = value;
    }
    return true;
}

/// --motion FILE
static bool set_motion(const TactRunOptions *options, const TactModel *model, TactSim *sim)
{
    TactMotion *motion = NULL;
    if (!options->motion) {
        return true;
    }
    bool done = tact_motion_read(model, options->motion, &motion) == TACT_OK;
    if (done && options->interpolation >= 0) {
        motion->interpolation = (TactInterpolation)options->interpolation;
    }
    done = done && tact_sim_set_motion(sim, motion) == TACT_OK;
    tact_motion_destroy(motion);
    if (!done) {
        tact_cli_bad("%s", tact_status_message());
    }
    return done;
}

/// --coordinates maximal
static bool free_bodies(const TactRunOptions *options, TactRun *run)
{
    TactModel *maximal = NULL;
    if (options->moves.coordinates == 0) {
        return true;
    }
    if (tact_model_create_maximal(run->model, &maximal) != TACT_OK) {
        tact_cli_bad("%s: --coordinates maximal: %s", options->file, tact_status_message());
        return false;
    }
    tact_model_destroy(run->model);
    run->model = maximal;
    return true;
}

bool tact_run_open(const TactRunOptions *options, TactRun *run)
{
    *run = (TactRun){.options = options};
    TactModelLoadConfig load = tact_model_load_config_default();
    load.strict = options->strict;
    load.package_paths = options->packages.texts;
    load.package_path_count = options->packages.count;
    load.urdf_exact_meshes = options->exact_meshes;
    load.srdf = options->srdf;
    char message[512];
    if (tact_cli_load_model(options->file, options->xacro, &load, &run->model, &run->notes,
                            message) != TACT_OK) {
        tact_cli_bad("%s", message);
        return false;
    }
    warn(options, run->notes);
    if (!free_bodies(options, run)) {
        return false;
    }
    TactSimConfig config = tact_sim_config_default(run->model);
    if (!choose_config(options, &config)) {
        return false;
    }
    run->dt = config.timestep;
    run->steps = lround(options->time / run->dt);
    run->steps = run->steps > 0 ? run->steps : 1;
    if (make_sim(run->options, run->model, &config, &run->sim) != TACT_OK) {
        tact_cli_bad("%s: %s", options->file, tact_status_message());
        return false;
    }
    return start(options, run->model, run->sim) && set_control(options, run->model, run->sim) &&
           set_motion(options, run->model, run->sim) && tact_run_open_certifier(run);
}

void tact_run_close(TactRun *run)
{
    tact_sim_certifier_destroy(run->certifier);
    tact_sim_destroy(run->sim);
    tact_model_notes_destroy(run->notes);
    tact_model_destroy(run->model);
}

bool tact_run_step(TactRun *run, TactSimReport *report)
{
    if (tact_sim_step(run->sim, report) != TACT_OK) {
        tact_cli_bad("%s: at %g s: %s", run->options->file, tact_sim_view_state(run->sim)->time,
                     tact_status_message());
        return false;
    }
    return true;
}
