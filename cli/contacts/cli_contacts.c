// `tact contacts SCENE`: every contact of one step, and why something slips.
#include "cli/contacts/contacts.h"
#include "cli/progress/progress.h"

#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>

#include "cli/cli.h"

static const TactOption options_of_contacts[] = {
    {"--time", TACT_OPTION_REAL, TACT_RUN_PLACE(time), "S", "simulate until then, s (0)", NULL},
    TACT_RUN_SCENE_OPTIONS,
    {"--range", TACT_OPTION_FLAG, TACT_RUN_PLACE(range), NULL,
     "also print the smallest and largest possible normal forces", NULL},
    {"--json", TACT_OPTION_FLAG, TACT_RUN_PLACE(json), NULL, "print one JSON object instead", NULL},
    {"--help", TACT_OPTION_FLAG, TACT_RUN_PLACE(help), NULL, "print this help", NULL},
};

static const TactOptionTable line = {
    "contacts", sizeof options_of_contacts / sizeof options_of_contacts[0], options_of_contacts};

const TactOptionTable *tact_cli_contacts_options(void)
{
    return &line;
}

static void print_contacts_help(void)
{
    printf("usage: tact contacts SCENE [--time S] [--keyframe NAME] [--json] ...\n\n"
           "Simulates a scene (MJCF or URDF) until the time, and reports on the step that begins "
           "then:\n"
           "every contact with its force, its state and how much of its friction is used, the "
           "wrenches\n"
           "between bodies, and an explanation of why something slips or how near it is to "
           "slipping.\n\n");
    tact_options_print(&line);
    printf("\nunits: m, kg, s, N, rad. A contact has its normal from a to b; its force is that on "
           "b,\n"
           "and minus it acts on a. Depth is positive where shapes overlap. Forces are impulses\n"
           "divided by the step; torques are about the centre of mass of the body.\n\n"
           "exit status\n"
           "  0  every contact problem was solved and certified\n"
           "  1  some were not\n"
           "  2  wrong usage or input\n");
}

/// Steps until the time, and the one that is told of.
static bool simulate(TactContactsResult *r)
{
    long steps = lround(r->run.options->time / r->run.dt);
    for (long k = 0; k <= steps; k++) {
        r->time = tact_sim_view_state(r->sim)->time;
        if (!tact_run_step(&r->run, &r->report)) {
            return false;
        }
        if (tact_progress_due()) {
            tact_progress_tell((double)(k + 1) / (double)(steps + 1), "%.3g of %g s, %d contacts",
                               r->time, r->run.options->time, r->report.contacts);
        }
    }
    return true;
}

static int ask_step(TactContactsResult *r)
{
    r->contacts = tact_sim_view_contacts(r->sim, &r->count);
    TactContactDiagnosis *diagnosis = calloc((size_t)r->count + 1, sizeof *diagnosis);
    int                   status = TACT_EXIT_BAD;
    tact_progress_stage("explaining %d contacts", r->count);
    r->diagnosis = diagnosis;
    r->range = r->run.options->range ? calloc((size_t)r->count + 1, sizeof *r->range) : NULL;
    if (!diagnosis || (r->run.options->range && !r->range)) {
        tact_cli_bad("no memory for %d contacts", r->count);
    } else if (tact_sim_compute_diagnosis(r->sim, diagnosis) != TACT_OK ||
               tact_sim_compute_sharing(r->sim, &r->sharing) != TACT_OK ||
               (r->range && tact_sim_compute_ranges(r->sim, r->range) != TACT_OK) ||
               tact_sim_compute_patches(r->sim, &r->patches) != TACT_OK ||
               tact_sim_compute_pairs(r->sim, &r->pairs) != TACT_OK) {
        tact_cli_bad("%s: %s", r->run.options->file, tact_status_message());
    } else if (r->run.options->json) {
        status = tact_contacts_print_json(r) == 0 ? TACT_EXIT_DONE : TACT_EXIT_BAD;
    } else {
        tact_contacts_print(r);
        status = TACT_EXIT_DONE;
    }
    free(diagnosis);
    free(r->range);
    bool proven = r->report.certified == r->report.islands;
    return status == TACT_EXIT_DONE && !proven ? TACT_EXIT_UNSOLVED : status;
}

int tact_cli_contacts(int argc, char **argv)
{
    TactRunOptions options = tact_run_options_default();
    TactOptionRest rest;
    options.time = 0;
    if (!tact_options_parse(&line, argc, argv, &options, &rest)) {
        return TACT_EXIT_BAD;
    }
    if (options.help) {
        print_contacts_help();
        return TACT_EXIT_DONE;
    }
    options.file = tact_options_single(&line, &rest, "a scene (MJCF or URDF)");
    if (!options.file) {
        return TACT_EXIT_BAD;
    }
    TactContactsResult result = {0};
    int                status = TACT_EXIT_BAD;
    if (tact_run_open(&options, &result.run)) {
        result.model = result.run.model;
        result.sim = result.run.sim;
        status = simulate(&result) ? ask_step(&result) : TACT_EXIT_BAD;
    }
    tact_run_close(&result.run);
    return status;
}
