// `tact contacts SCENE`: every contact of one step, and why something slips.
#include "contacts.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cli.h"

static const char *const cone_words[] = {
    [TACT_CONTACT_PYRAMID] = "pyramid",
    [TACT_CONTACT_CIRCLE] = "circle",
    NULL,
};
static const char *const integrator_words[] = {
    [TACT_INTEGRATOR_EULER] = "euler",
    [TACT_INTEGRATOR_RK4] = "rk4",
    NULL,
};

#define PLACE(field) offsetof(TactContactsOptions, field)

static const TactOption options_of_contacts[] = {
    {"--time", TACT_OPTION_REAL, PLACE(time), "S", "simulate until then, s (0)", NULL},
    {"--dt", TACT_OPTION_POSITIVE, PLACE(dt), "S", "length of a step, s (the scene's)", NULL},
    {"--method", TACT_OPTION_TEXT, PLACE(method), "NAME",
     "of contact problems: ladder (default), reduced, structural, nsgs, ...", NULL},
    {"--cone", TACT_OPTION_WORD, PLACE(cone), "WORD", "circle (default) or pyramid", cone_words},
    {"--integrator", TACT_OPTION_WORD, PLACE(integrator), "WORD", "euler or rk4 (the scene's)",
     integrator_words},
    {"--keyframe", TACT_OPTION_TEXT, PLACE(keyframe), "NAME",
     "start from this keyframe (the first, if there is one; 'none':\n"
     "the reference)",
     NULL},
    {"--strict", TACT_OPTION_FLAG, PLACE(strict), NULL,
     "physics that is approximated or ignored is an error", NULL},
    {"--package-path", TACT_OPTION_TEXTS, PLACE(packages), "DIR",
     "where the packages of package:// are (may be given again)", NULL},
    {"--json", TACT_OPTION_FLAG, PLACE(json), NULL, "print one JSON object instead", NULL},
    {"--help", TACT_OPTION_FLAG, PLACE(help), NULL, "say this", NULL},
};

static const TactOptionTable line = {
    "contacts", sizeof options_of_contacts / sizeof options_of_contacts[0], options_of_contacts};

static void help(void)
{
    printf(
        "usage: tact contacts SCENE [--time S] [--keyframe NAME] [--json] ...\n\n"
        "Simulates a scene (MJCF or URDF) until the time, and tells of the step that begins then: "
        "every\n"
        "contact with its force, whether it sticks or slides and how much of its friction is "
        "used, the\n"
        "wrenches between bodies, and in words why something slips or how near it is.\n\n");
    tact_options_print(&line);
    printf("\nunits: m, kg, s, N, rad. A contact between a and b has its normal from a to b; its "
           "force is\n"
           "that on b, and minus it acts on a. Depth is positive where shapes overlap. Forces are "
           "impulses\n"
           "over the step; torques are about the centre of mass of the body.\n\n"
           "exit status\n"
           "  0  every contact problem was solved, and proven to be\n"
           "  1  some were not\n"
           "  2  bad use or bad input\n");
}

static bool choose_config(const TactContactsOptions *options, TactSimConfig *config)
{
    if (options->method && tact_contact_method_find(options->method, &config->method) != TACT_OK) {
        tact_cli_bad("%s", tact_status_message());
        return false;
    }
    if (options->cone >= 0) {
        config->cone = (TactContactCone)options->cone;
    }
    if (options->integrator >= 0) {
        config->integrator = (TactIntegrator)options->integrator;
    }
    config->timestep = options->dt > 0 ? options->dt : config->timestep;
    return true;
}

static bool start(const TactContactsOptions *options, const TactModel *model, TactSim *sim)
{
    if (options->keyframe && strcmp(options->keyframe, "none") == 0) {
        return true;
    }
    int key = model->keyframe_count > 0 ? 0 : -1;
    if (options->keyframe) {
        key = tact_model_find(model, TACT_OBJECT_KEYFRAME, options->keyframe);
        if (key < 0) {
            tact_cli_bad("%s has no keyframe '%s'", options->file, options->keyframe);
            return false;
        }
    }
    return tact_sim_reset(sim, key) == TACT_OK;
}

/// Steps until the time, and the one that is told of.
static bool simulate(const TactContactsOptions *options, TactContactsResult *r)
{
    long steps = lround(options->time / r->dt);
    for (long k = 0; k <= steps; k++) {
        r->time = tact_sim_view_state(r->sim)->time;
        if (tact_sim_step(r->sim, &r->report) != TACT_OK) {
            tact_cli_bad("%s: step %ld: %s", options->file, k, tact_status_message());
            return false;
        }
    }
    return true;
}

static int ask(const TactContactsOptions *options, TactContactsResult *r)
{
    r->contacts = tact_sim_view_contacts(r->sim, &r->count);
    TactContactDiagnosis *diagnosis = calloc((size_t)r->count + 1, sizeof *diagnosis);
    int                   status = TACT_EXIT_BAD;
    r->diagnosis = diagnosis;
    if (!diagnosis) {
        tact_cli_bad("no memory for %d contacts", r->count);
    } else if (tact_sim_compute_diagnosis(r->sim, diagnosis) != TACT_OK ||
               tact_sim_compute_patches(r->sim, &r->patches) != TACT_OK ||
               tact_sim_compute_pairs(r->sim, &r->pairs, &r->pair_count) != TACT_OK) {
        tact_cli_bad("%s: %s", options->file, tact_status_message());
    } else if (options->json) {
        status = tact_contacts_print_json(options, r) == 0 ? TACT_EXIT_DONE : TACT_EXIT_BAD;
    } else {
        tact_contacts_print(options, r);
        status = TACT_EXIT_DONE;
    }
    free(diagnosis);
    bool proven = r->report.certified == r->report.islands;
    return status == TACT_EXIT_DONE && !proven ? TACT_EXIT_UNSOLVED : status;
}

int tact_cli_contacts(int argc, char **argv)
{
    TactContactsOptions options = {.cone = -1, .integrator = -1};
    TactOptionRest      rest;
    if (!tact_options_parse(&line, argc, argv, &options, &rest)) {
        return TACT_EXIT_BAD;
    }
    if (options.help) {
        help();
        return TACT_EXIT_DONE;
    }
    options.file = tact_options_single(&line, &rest, "a scene (MJCF or URDF)");
    if (!options.file) {
        return TACT_EXIT_BAD;
    }
    TactModelLoad load = tact_model_load_default();
    load.strict = options.strict;
    load.package_paths = options.packages.texts;
    load.package_path_count = options.packages.count;
    TactModel         *model = NULL;
    TactContactsResult result = {0};
    int                status = TACT_EXIT_BAD;
    if (tact_model_load(options.file, &load, &model, NULL) != TACT_OK) {
        return tact_cli_bad("%s", tact_status_message());
    }
    TactSimConfig config = tact_sim_config_default(model);
    if (choose_config(&options, &config)) {
        result.model = model;
        result.dt = config.timestep;
        if (tact_sim_create(model, &config, &result.sim) != TACT_OK) {
            tact_cli_bad("%s: %s", options.file, tact_status_message());
        } else if (start(&options, model, result.sim) && simulate(&options, &result)) {
            status = ask(&options, &result);
        }
    }
    tact_sim_destroy(result.sim);
    tact_model_destroy(model);
    return status;
}
