// The command line of `tact run`.
#include <stddef.h>
#include <stdio.h>

#include "cli.h"
#include "run.h"

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

#define PLACE(field) offsetof(TactRunOptions, field)

static const TactOption options_of_run[] = {
    {"--time", TACT_OPTION_POSITIVE, PLACE(time), "S", "how long, s (1)", NULL},
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
    {"--record", TACT_OPTION_TEXT, PLACE(record), "FILE",
     "write a recording (FILE.tact): tact info says what is in it,\n"
     "tact check makes the run again and compares",
     NULL},
    {"--record-every", TACT_OPTION_REAL, PLACE(record_every), "S",
     "simulated time from frame to frame (1/60 s); 0: every step", NULL},
    {"--csv", TACT_OPTION_TEXT, PLACE(csv), "FILE",
     "write a line a step: time, q, v, control, contacts, energy, hash", NULL},
    {"--csv-contacts", TACT_OPTION_TEXT, PLACE(csv_contacts), "FILE",
     "write a line for every contact of every step", NULL},
    {"--html", TACT_OPTION_TEXT, PLACE(html), "FILE", "comes with the viewer", NULL},
    {"--hash-every", TACT_OPTION_COUNT, PLACE(hash_every), "N",
     "tell the hash of the state after every N steps", NULL},
    {"--strict", TACT_OPTION_FLAG, PLACE(strict), NULL,
     "physics that is approximated or ignored is an error", NULL},
    {"--package-path", TACT_OPTION_TEXTS, PLACE(packages), "DIR",
     "where the packages of package:// are (may be given again)", NULL},
    {"--json", TACT_OPTION_FLAG, PLACE(json), NULL, "print one JSON object instead", NULL},
    {"--help", TACT_OPTION_FLAG, PLACE(help), NULL, "say this", NULL},
};

static const TactOptionTable line = {"run", sizeof options_of_run / sizeof options_of_run[0],
                                     options_of_run};

void tact_run_help(void)
{
    printf("usage: tact run SCENE [--time S] [--dt S] [--method NAME] [--cone WORD] [--json] ...\n"
           "\nSimulates a scene (MJCF or URDF): contacts, loops, limits and dry friction of joints "
           "in one\n"
           "contact problem for every island of bodies, solved and certified in every step.\n\n");
    tact_options_print(&line);
    printf("\nunits: m, kg, s, N, rad. A contact between a and b has its normal from a to b; its "
           "force is\n"
           "that on b.\n\n"
           "exit status\n"
           "  0  every contact problem was solved, and proven to be\n"
           "  1  some were not\n"
           "  2  bad use or bad input, or a file cannot be written\n"
           "  130  Ctrl-C: what was done until then is told, and recorded\n");
}

bool tact_run_parse(int argc, char **argv, TactRunOptions *options)
{
    TactOptionRest rest;
    *options = (TactRunOptions){.time = 1, .cone = -1, .integrator = -1, .record_every = -1};
    if (!tact_options_parse(&line, argc, argv, options, &rest)) {
        return false;
    }
    if (options->help) {
        return true;
    }
    options->file = tact_options_single(&line, &rest, "a scene (MJCF or URDF)");
    return options->file;
}
