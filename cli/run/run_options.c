// The command line of `tact run`.
#include <stddef.h>
#include <stdio.h>

#include "cli/cli.h"
#include "cli/run/run.h"

const char *const tact_run_cones[] = {
    [TACT_CONE_PYRAMID] = "pyramid",
    [TACT_CONE_CIRCLE] = "circle",
    NULL,
};
const char *const tact_run_integrators[] = {
    [TACT_INTEGRATOR_EULER] = "euler",
    [TACT_INTEGRATOR_RK4] = "rk4",
    NULL,
};

const char *const tact_run_coordinates[] = {"reduced", "maximal", NULL};

const char *const tact_run_laws[] = {
    [TACT_RESTITUTION_LAW_NEWTON] = "newton",
    [TACT_RESTITUTION_LAW_POISSON] = "poisson",
    [TACT_RESTITUTION_LAW_SEQUENTIAL] = "sequential",
    NULL,
};

const char *const tact_run_shares[] = {
    [TACT_SHARE_VERTEX] = "vertex",
    [TACT_SHARE_LEAST] = "least",
    NULL,
};

const char *const tact_run_starts[] = {
    [TACT_START_COLD] = "cold",
    [TACT_START_FRICTIONLESS] = "frictionless",
    NULL,
};

const char *const tact_run_fallbacks[] = {
    [TACT_FALLBACK_NONE] = "none",
    [TACT_FALLBACK_FRICTIONLESS] = "frictionless",
    NULL,
};

const char *const tact_run_interpolations[] = {
    [TACT_INTERPOLATION_LINEAR] = "linear",
    [TACT_INTERPOLATION_CUBIC] = "cubic",
    NULL,
};

#define PLACE(field) TACT_RUN_PLACE(field)

static const TactOption options_of_run[] = {
    {"--time", TACT_OPTION_POSITIVE, PLACE(time), "S", "simulated time, s (1)", NULL},
    TACT_RUN_SCENE_OPTIONS,
    {"--save-failures", TACT_OPTION_TEXT, PLACE(save_failures), "DIR",
     "write every contact problem that is not certified to this\n"
     "folder, as JSON that tact solve reads; with --certify steps also\n"
     "the states before and after every step that is not",
     NULL},
    {"--certify", TACT_OPTION_WORD, PLACE(steps.certify), "WORD",
     "steps: verify momentum, positions, contacts and energy of every\n"
     "step from the states before and after it; off (default)",
     tact_run_certify_words},
    {"--certify-tol", TACT_OPTION_POSITIVE, PLACE(steps.tol), "E",
     "largest relative error of momentum, positions and energy (1e-9)", NULL},
    {"--prove", TACT_OPTION_FLAG, PLACE(prove), NULL,
     "prove the contact problems of every step: an exact solution\nexists next to the answer",
     NULL},
    {"--sleep", TACT_OPTION_POSITIVE, PLACE(sleep), "S",
     "let bodies that have rested for S seconds sleep until they are\n"
     "touched or driven (default: nothing sleeps)",
     NULL},
    {"--record", TACT_OPTION_TEXT, PLACE(output.record), "FILE",
     "write a recording (FILE.tact): tact info says what is in it,\n"
     "tact check makes the run again and compares",
     NULL},
    {"--record-every", TACT_OPTION_REAL, PLACE(output.record_every), "S",
     "simulated time from frame to frame (1/60 s); 0: every step", NULL},
    {"--csv", TACT_OPTION_TEXT, PLACE(output.csv), "FILE",
     "write a line a step: time, q, v, control, sensors, contacts, energy,\nhash", NULL},
    {"--csv-contacts", TACT_OPTION_TEXT, PLACE(output.csv_contacts), "FILE",
     "write a line for every contact of every step", NULL},
    {"--html", TACT_OPTION_TEXT, PLACE(output.html), "FILE",
     "a page that replays the run in any browser, one file", NULL},
    {"--hash-every", TACT_OPTION_COUNT, PLACE(output.hash_every), "N",
     "print the hash of the state after every N steps", NULL},
    {"--json", TACT_OPTION_FLAG, PLACE(json), NULL, "print one JSON object instead", NULL},
    {"--help", TACT_OPTION_FLAG, PLACE(help), NULL, "print this help", NULL},
};

static const TactOptionTable line = {"run", sizeof options_of_run / sizeof options_of_run[0],
                                     options_of_run};

const TactOptionTable *tact_cli_run_options(void)
{
    return &line;
}

void tact_run_help(void)
{
    printf("usage: tact run SCENE [--time S] [--dt S] [--method NAME] [--cone WORD] [--json] ...\n"
           "\nSimulates a scene (MJCF or URDF): contacts, loops, limits and dry friction of joints "
           "in one\n"
           "contact problem for every island of bodies, solved and certified in every step.\n\n");
    tact_options_print(&line);
    printf(
        "\nunits: m, kg, s, N, rad. A contact has its normal from a to b; its force acts on b, "
        "and\n"
        "the opposite force on a. Forces are impulses divided by the step; tact contacts prints\n"
        "all of them.\n\n"
        "exit status\n"
        "  0  every contact problem was solved and certified; with --certify steps, every "
        "step is certified\n"
        "  1  some were not\n"
        "  2  wrong usage or input, or a file cannot be written\n"
        "  130  Ctrl-C: the run until then is printed and recorded\n");
}

TactRunOptions tact_run_options_default(void)
{
    TactRunOptions options = {
        .time = 1,
        .cone = -1,
        .moves = {.integrator = -1, .zeta = -1},
        .lcp = {.start = -1, .fallback = -1, .cfm = -1},
        .interpolation = -1,
        .touch.restitution = -1,
        .touch.restitution_law = -1,
        .share = -1,
        .touch.stiffness = -1,
        .touch.damping = -1,
        .output.record_every = -1,
    };
    return options;
}

bool tact_run_parse(int argc, char **argv, TactRunOptions *options)
{
    TactOptionRest rest;
    *options = tact_run_options_default();
    if (!tact_options_parse(&line, argc, argv, options, &rest)) {
        return false;
    }
    if (options->help) {
        return true;
    }
    options->file = tact_options_single(&line, &rest, "a scene (MJCF or URDF)");
    return options->file;
}
