// The command line of `tact sweep`.
#include <stddef.h>
#include <stdio.h>

#include "cli/cli.h"
#include "cli/sweep/sweep.h"

#define PLACE(field) offsetof(TactSweepOptions, field)

static const TactOption options_of_sweep[] = {
    {"--out", TACT_OPTION_TEXT, PLACE(out), "FILE",
     "the table, as CSV: a row a trial, in their order (SWEEP.csv);\n"
     "what is there of it already is not made again",
     NULL},
    {"--threads", TACT_OPTION_COUNT, PLACE(threads), "N",
     "trials that are made at the same time, 1 .. 255 (as many as there\n"
     "are processors; of a rank: 1); the bytes are the same for all",
     NULL},
    {"--hdf5", TACT_OPTION_TEXT, PLACE(hdf5), "FILE",
     "write the table as HDF5 too, one dataset a column", NULL},
    {"--plot", TACT_OPTION_TEXT, PLACE(plot), "FILE",
     "write an SVG picture: outcomes over what varies", NULL},
    {"--html", TACT_OPTION_TEXT, PLACE(html), "FILE",
     "write a page: figures, picture, worst and failed trials; with\n"
     "--trial, a page that replays the trial",
     NULL},
    {"--trial", TACT_OPTION_TEXT, PLACE(trial), "K",
     "make trial K alone, from its number, and say what became of it", NULL},
    {"--record", TACT_OPTION_TEXT, PLACE(record), "FILE", "with --trial: record it (FILE.tact)",
     NULL},
    {"--failures", TACT_OPTION_TEXT, PLACE(failures), "DIR",
     "where contact problems that are not certified go, as JSON that\n"
     "tact solve reads (FILE.failures)",
     NULL},
    {"--look", TACT_OPTION_FLAG, PLACE(look), NULL, "make no trials: say what the table has so far",
     NULL},
    {"--restart", TACT_OPTION_FLAG, PLACE(restart), NULL,
     "begin anew: remove the table that is there", NULL},
    {"--mpi", TACT_OPTION_FLAG, PLACE(mpi), NULL,
     "share the trials with other ranks (under mpirun it does anyway)", NULL},
    {"--silence", TACT_OPTION_POSITIVE, PLACE(silence), "S",
     "a rank that says nothing for S seconds is lost, and others make\nits trials (10)", NULL},
    {"--pause", TACT_OPTION_POSITIVE, PLACE(pause), "S",
     "every trial waits for S seconds besides: to try schedulers", NULL},
    {"--json", TACT_OPTION_FLAG, PLACE(json), NULL, "print one JSON object instead", NULL},
    {"--help", TACT_OPTION_FLAG, PLACE(help), NULL, "say this", NULL},
};

static const TactOptionTable line = {"sweep", sizeof options_of_sweep / sizeof options_of_sweep[0],
                                     options_of_sweep};

const TactOptionTable *tact_cli_sweep_options(void)
{
    return &line;
}

void tact_sweep_help(void)
{
    printf("usage: tact sweep SWEEP.json [--out FILE] [--threads N] [--plot FILE] ...\n"
           "       tact sweep SWEEP.json --trial K [--html FILE]\n"
           "       mpirun -n 64 tact sweep SWEEP.json --out FILE\n"
           "\nMakes many trials of a scene with quantities that vary, and says how often it held. "
           "A trial\n"
           "follows from the sweep and its number alone. A sweep that was ended goes on where it "
           "was when\n"
           "the same command is given again.\n\n");
    tact_options_print(&line);
    printf("\na sweep (all of it: docs/guide/sweep.md; three to copy from: examples/sweeps)\n"
           "  {\"format\": \"tact-sweep/1\", \"scene\": \"grasp.xml\", \"trials\": 1000, "
           "\"time\": 1.5, \"seed\": 1,\n"
           "   \"vary\": {\"mu\": {\"path\": \"geom/cup/friction\", \"uniform\": [0.2, 1]}},\n"
           "   \"stop\": [{\"outcome\": \"slipped\", \"moved\": \"cup\", \"against\": "
           "\"palm\", \"above\": 0.01}],\n"
           "   \"measure\": {\"height\": \"/bodies/cup/pos/2\"}}\n");
    printf("\nexit status\n"
           "  0  every trial was made, and every contact problem of it certified\n"
           "  1  some trials failed: they are in the table, and their problems are kept\n"
           "  2  bad use or bad input, or a file cannot be written\n"
           "  130, 143  Ctrl-C, SIGTERM: the same command goes on\n");
}

bool tact_sweep_parse(int argc, char **argv, TactSweepOptions *options)
{
    TactOptionRest rest;
    *options = (TactSweepOptions){.threads = 0};
    if (!tact_options_parse(&line, argc, argv, options, &rest)) {
        return false;
    }
    if (options->help) {
        return true;
    }
    if (options->record && !options->trial) {
        tact_cli_bad("--record is for one trial: --trial K");
        return false;
    }
    options->file = tact_options_single(&line, &rest, "a sweep (JSON, \"tact-sweep/1\")");
    return options->file;
}
