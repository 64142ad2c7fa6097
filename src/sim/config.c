// What a simulation is made with: defaults, and what the customs of a model ask for.
//
// MJCF has no words for restitution, compliance and methods. They stand in <custom>, which MuJoCo
// ignores:
//
//     text     tact_method            "reduced"
//     text     tact_cone              "circle" or "pyramid"
//     numeric  tact_directions        of pyramids
//     numeric  tact_restitution       of all geoms
//     numeric  tact_restitution:NAME  of the geom of that name
//     text     tact_restitution_law   "newton", "poisson" or "sequential"
//     numeric  tact_stiffness         N/m, and N s/m if there are two numbers
//     text     tact_motion            CSV file of a motion that joints follow (prescribe.c)
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/status.h"
#include "sim/sim.h"

enum { COOKIE = 0x51d7ac7, MOST_THREADS = 64 };

static const char PREFIX[] = "tact_";
static const char OF_GEOM[] = "tact_restitution:";

static TactStatus need_numbers(const TactCustom *custom, int least, int most)
{
    bool sound = custom->count >= least && custom->count <= most;
    for (int i = 0; i < custom->count && sound; i++) {
        sound = isfinite(custom->data[i]) && custom->data[i] >= 0;
    }
    return sound ? TACT_OK
                 : tact_fail(TACT_BAD_INPUT,
                             "custom '%s': it takes %d%s numbers that are not negative",
                             custom->name, least, most > least ? " or more" : "");
}

static TactStatus read_restitution(const TactCustom *custom, double *restitution)
{
    TACT_TRY(need_numbers(custom, 1, 1));
    if (custom->data[0] > 1) {
        return tact_fail(TACT_BAD_INPUT, "custom '%s': %g is not in 0 .. 1", custom->name,
                         custom->data[0]);
    }
    *restitution = custom->data[0];
    return TACT_OK;
}

/// A word that is not known is an error of the model, and has its name.
static TactStatus explain_custom(const TactCustom *custom, TactStatus found)
{
    char message[256];
    if (found == TACT_OK) {
        return TACT_OK;
    }
    snprintf(message, sizeof message, "%s", tact_status_message());
    return tact_fail(TACT_BAD_INPUT, "custom '%s': %s", custom->name, message);
}

static TactStatus read_directions(const TactCustom *custom, int *directions)
{
    TACT_TRY(need_numbers(custom, 1, 1));
    double d = custom->data[0];
    if (!(d >= 4 && d <= 1024) || d != 2 * floor(d / 2)) {
        return tact_fail(TACT_BAD_INPUT, "custom '%s': %g is not even, or not in 4 .. 1024",
                         custom->name, d);
    }
    *directions = (int)d;
    return TACT_OK;
}

/// What one custom asks for. Names without the prefix are not ours.
static TactStatus read_custom(const TactCustom *custom, TactSimConfig *config)
{
    const char *name = custom->name;
    if (strncmp(name, PREFIX, sizeof PREFIX - 1) != 0 || strcmp(name, "tact_mesh") == 0 ||
        strcmp(name, TACT_SIM_MOTION_WORD) == 0) {
        return TACT_OK; // read with the model, or when the simulation is made
    }
    if (strncmp(name, OF_GEOM, sizeof OF_GEOM - 1) == 0) {
        double unread;
        return read_restitution(custom, &unread);
    }
    if (strcmp(name, "tact_method") == 0) {
        return explain_custom(custom, tact_contact_method_find(custom->text, &config->method));
    }
    if (strcmp(name, "tact_cone") == 0) {
        return explain_custom(custom, tact_contact_cone_find(custom->text, &config->cone));
    }
    if (strcmp(name, "tact_directions") == 0) {
        return read_directions(custom, &config->directions);
    }
    if (strcmp(name, "tact_restitution") == 0) {
        return read_restitution(custom, &config->restitution);
    }
    if (strcmp(name, "tact_restitution_law") == 0) {
        return explain_custom(custom,
                              tact_restitution_law_find(custom->text, &config->restitution_law));
    }
    if (strcmp(name, "tact_stiffness") == 0) {
        TACT_TRY(need_numbers(custom, 1, 2));
        config->stiffness = custom->data[0];
        config->damping = custom->count > 1 ? custom->data[1] : 0;
        return TACT_OK;
    }
    return tact_fail(TACT_BAD_INPUT, "custom '%s': tact knows no such name", name);
}

TactSimConfig tact_sim_config_default(const TactModel *model)
{
    TactSimConfig config = {
        .timestep = model->options.timestep,
        .integrator = model->options.integrator,
        .method = TACT_METHOD_LADDER,
        .cone = TACT_CONE_CIRCLE,
        .lcp_method = tact_contact_config_default(TACT_METHOD_LCP).lcp_method,
        .lex_tol = tact_contact_config_default(TACT_METHOD_LCP).lex_tol,
        .tol = tact_contact_config_default(TACT_METHOD_LADDER).tol,
        .slop = 1e-5,
        .correction = 0.2,
        .loop_tol = 1e-10,
        .sleep_speed = 1e-6,
        .friction_scale = 1,
        .restitution_law = TACT_RESTITUTION_LAW_NEWTON,
        .share = TACT_SHARE_LEAST,
        .threads = 1,
        .max_work = 1e11,
        .cookie = COOKIE,
        .zeta = -1,
    };
    for (int k = 0; k < model->custom_count; k++) {
        TactSimConfig asked = config;
        if (read_custom(&model->customs[k], &asked) == TACT_OK) { // create tells what is wrong
            config = asked;
        }
    }
    return config;
}

TactStatus tact_sim_read_restitution(const TactModel *model, const TactSimConfig *config,
                                     double *restitution)
{
    for (int i = 0; i < model->geom_count; i++) {
        restitution[i] = config->restitution;
    }
    for (int k = 0; k < model->custom_count; k++) {
        const TactCustom *custom = &model->customs[k];
        TactSimConfig     unread = *config;
        TACT_TRY(read_custom(custom, &unread));
        if (strncmp(custom->name, OF_GEOM, sizeof OF_GEOM - 1) == 0) {
            const char *name = custom->name + sizeof OF_GEOM - 1;
            int         geom = tact_model_find(model, TACT_OBJECT_GEOM, name);
            if (geom < 0) {
                return tact_fail(TACT_BAD_INPUT, "custom '%s': there is no geom '%s'", custom->name,
                                 name);
            }
            TACT_TRY(read_restitution(custom, &restitution[geom]));
        }
    }
    return TACT_OK;
}

TactStatus tact_sim_check_config(const TactSimConfig *config)
{
    if (config->cookie != COOKIE) {
        return tact_fail(TACT_BAD_ARGUMENT,
                         "simulation: the config does not come from tact_sim_config_default()");
    }
    if (config->threads < 1 || config->threads > MOST_THREADS) {
        return tact_fail(TACT_BAD_ARGUMENT, "simulation: %d threads, not 1 to %d", config->threads,
                         MOST_THREADS);
    }
    if ((int)config->method < 0 || config->method >= TACT_METHOD_COUNT) {
        return tact_fail(TACT_BAD_ARGUMENT, "simulation: there is no contact method %d",
                         (int)config->method);
    }
    if (config->cone != TACT_CONE_PYRAMID && config->cone != TACT_CONE_CIRCLE &&
        config->cone != TACT_CONE_BOX) {
        return tact_fail(TACT_BAD_ARGUMENT, "simulation: there is no cone %d", (int)config->cone);
    }
    if ((int)config->lcp_method < 0 || config->lcp_method >= TACT_LCP_METHOD_COUNT ||
        (unsigned)config->start > TACT_START_FRICTIONLESS ||
        (unsigned)config->fallback > TACT_FALLBACK_FRICTIONLESS || !(config->lex_tol >= 0) ||
        !(config->cfm >= 0 && config->cfm < INFINITY)) {
        return tact_fail(TACT_BAD_ARGUMENT,
                         "simulation: LCP method %d, start %d, fall-back %d, threshold %g, cfm %g",
                         (int)config->lcp_method, (int)config->start, (int)config->fallback,
                         config->lex_tol, config->cfm);
    }
    if (config->share != TACT_SHARE_VERTEX && config->share != TACT_SHARE_LEAST) {
        return tact_fail(TACT_BAD_ARGUMENT, "simulation: there is no share %d", (int)config->share);
    }
    if (config->directions != 0 && (config->directions < 4 || config->directions % 2 != 0)) {
        return tact_fail(TACT_BAD_ARGUMENT,
                         "simulation: pyramids of %d directions, not an even number from 4 on",
                         config->directions);
    }
    if (!(config->timestep > 0 && config->timestep <= 1)) {
        return tact_fail(TACT_BAD_ARGUMENT, "simulation: a step of %g s", config->timestep);
    }
    if (!(config->slop >= 0) || !(config->correction >= 0 && config->correction <= 1) ||
        !(config->loop_tol >= 0)) {
        return tact_fail(TACT_BAD_ARGUMENT,
                         "simulation: slop %g m, correction %g, loop tolerance %g", config->slop,
                         config->correction, config->loop_tol);
    }
    if (!(config->zeta <= 1) || (config->zeta >= 0 && config->integrator == TACT_INTEGRATOR_RK4)) {
        return tact_fail(TACT_BAD_ARGUMENT,
                         "simulation: drift correction zeta %g: not in 0 .. 1, or with Runge-Kutta",
                         config->zeta);
    }
    if (!(config->sleep_time >= 0 && isfinite(config->sleep_time)) || !(config->sleep_speed >= 0)) {
        return tact_fail(TACT_BAD_ARGUMENT, "simulation: asleep after %g s below %g m/s",
                         config->sleep_time, config->sleep_speed);
    }
    if (!(config->max_work >= 0) || !(config->max_time >= 0) || config->max_contacts < 0) {
        return tact_fail(TACT_BAD_ARGUMENT,
                         "simulation: a budget of %g operations, %g s, %d contacts",
                         config->max_work, config->max_time, config->max_contacts);
    }
    if (!(config->friction_scale >= 0 && config->friction_scale < INFINITY)) {
        return tact_fail(TACT_BAD_ARGUMENT, "simulation: friction times %g",
                         config->friction_scale);
    }
    if (!(config->restitution >= 0 && config->restitution <= 1)) {
        return tact_fail(TACT_BAD_ARGUMENT, "simulation: a restitution of %g", config->restitution);
    }
    if ((int)config->restitution_law < TACT_RESTITUTION_LAW_NEWTON ||
        config->restitution_law > TACT_RESTITUTION_LAW_SEQUENTIAL) {
        return tact_fail(TACT_BAD_ARGUMENT, "simulation: there is no restitution law %d",
                         (int)config->restitution_law);
    }
    if (!(config->stiffness >= 0 && config->stiffness < INFINITY) ||
        !(config->damping >= 0 && config->damping < INFINITY) ||
        (config->damping > 0 && config->stiffness == 0)) {
        return tact_fail(TACT_BAD_ARGUMENT,
                         "simulation: contacts with %g N/m and %g N s/m (damping needs stiffness)",
                         config->stiffness, config->damping);
    }
    return TACT_OK;
}
