#include "cli/verbs.h"

static const TactCliVerbLine all[] = {
    {"run", tact_cli_run, "SCENE", "simulate a model file", tact_cli_run_options, "xml urdf", true},
    {"contacts", tact_cli_contacts, "SCENE",
     "every contact of a step, its force, and why something slips", tact_cli_contacts_options,
     "xml urdf", true},
    {"sweep", tact_cli_sweep, "SWEEP", "many trials of a scene: what varies, what holds",
     tact_cli_sweep_options, "json", true},
    {"solve", tact_cli_solve, "FILE...",
     "solve a contact problem or an LCP by one method or by all", tact_cli_solve_options,
     "json dat mtx hdf5 h5", true},
    {"check", tact_cli_check, "FILE",
     "list what is honoured, approximated or ignored of a model file;\n"
     "                    repeat a recorded run and compare",
     tact_cli_check_options, "xml urdf tact", true},
    {"info", tact_cli_info, "FILE",
     "print the contents of a model (bodies, joints, masses, limits) or a recording",
     tact_cli_info_options, "xml urdf tact", true},
    {"convert", tact_cli_convert, "FILE OUT", "write a model file (URDF, MJCF) as MJCF",
     tact_cli_convert_options, "xml urdf", true},
    {"view", tact_cli_view, "[FILE]", "look at a simulation or a recording in the browser",
     tact_cli_view_options, "xml urdf tact", true},
    {"manual", tact_cli_manual, "[VERB]", "the manual page, for man -l -; completion of shells",
     tact_cli_manual_options, "", true},
    {"bench", tact_cli_bench, "NAME", "run an experiment and compare with other solvers", NULL, "",
     true},
};

enum { VERBS = sizeof all / sizeof all[0] };

_Static_assert(VERBS <= (int)TACT_CLI_MOST_VERBS, "room for all verbs");

const TactCliVerbLine *tact_cli_verbs(int *count)
{
    *count = VERBS - (tact_cli_has_bench() ? 0 : 1); // bench is the last one
    return all;
}
