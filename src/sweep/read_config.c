// "sim": how the trials are simulated, by the fields of TactSimConfig.
#include <tact/base.h> // not nothing, in a build without jansson

#ifdef TACT_HAVE_JANSSON
#include <limits.h>
#include <string.h>

#include "base/status.h"
#include "sweep/read.h"

typedef struct NumberField {
    const char *key;
    size_t      offset;
} NumberField;

static const NumberField numbers[] = {
    {"timestep", offsetof(TactSimConfig, timestep)},
    {"tol", offsetof(TactSimConfig, tol)},
    {"slop", offsetof(TactSimConfig, slop)},
    {"correction", offsetof(TactSimConfig, correction)},
    {"friction_scale", offsetof(TactSimConfig, friction_scale)},
    {"restitution", offsetof(TactSimConfig, restitution)},
    {"stiffness", offsetof(TactSimConfig, stiffness)},
    {"damping", offsetof(TactSimConfig, damping)},
    {"sleep_time", offsetof(TactSimConfig, sleep_time)},
    {"max_work", offsetof(TactSimConfig, max_work)},
};

static TactStatus read_config_number(TactSimConfig *config, const TactJson *json, const char *key)
{
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
        if (strcmp(numbers[i].key, key) == 0) {
            return tact_json_real(json, (double *)((char *)config + numbers[i].offset));
        }
    }
    return TACT_OK;
}

static TactStatus read_config_word(TactSimConfig *config, const TactJson *json, const char *key)
{
    const char *word = NULL;
    TactStatus  status = TACT_OK;
    if (strcmp(key, "directions") == 0) {
        return tact_json_int(json, 0, INT_MAX, &config->directions);
    }
    bool known = strcmp(key, "method") == 0 || strcmp(key, "cone") == 0 ||
                 strcmp(key, "integrator") == 0 || strcmp(key, "restitution_law") == 0;
    if (!known) {
        return TACT_OK;
    }
    TACT_TRY(tact_sweep_read_text(json, &word));
    switch (key[0]) {
    case 'm': status = tact_contact_method_find(word, &config->method); break;
    case 'c': status = tact_contact_cone_find(word, &config->cone); break;
    case 'i': status = tact_integrator_find(word, &config->integrator); break;
    default: status = tact_restitution_law_find(word, &config->restitution_law); break;
    }
    return status == TACT_OK ? TACT_OK : tact_sweep_fail_at(json);
}

TactStatus tact_sweep_read_config(TactSweep *sweep, const TactJson *sim)
{
    static const char *const keys[] = {"timestep",
                                       "method",
                                       "cone",
                                       "integrator",
                                       "tol",
                                       "directions",
                                       "slop",
                                       "correction",
                                       "friction_scale",
                                       "restitution",
                                       "restitution_law",
                                       "stiffness",
                                       "damping",
                                       "sleep_time",
                                       "max_work",
                                       NULL};
    const char              *key;
    json_t                  *value;
    sweep->config = tact_sim_config_default(sweep->model);
    if (sim->value) {
        TACT_TRY(tact_json_is_object(sim));
        TACT_TRY(tact_sweep_refuse_unknown(sim, keys));
        json_object_foreach(sim->value, key, value)
        {
            TactJson member = tact_json_member(sim, key);
            TACT_TRY(read_config_number(&sweep->config, &member, key));
            TACT_TRY(read_config_word(&sweep->config, &member, key));
        }
    }
    // One is made to see whether it can be: what is wrong is told once, and not by every trial.
    TactSim   *tried = NULL;
    TactStatus status = tact_sim_create(sweep->model, &sweep->config, &tried);
    tact_sim_destroy(tried);
    return status == TACT_BAD_ARGUMENT || status == TACT_BAD_INPUT ? tact_sweep_fail_at(sim)
                                                                   : status;
}
#endif
