// The program: finds the verb and hands over to it.
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <tact/base.h>

#include "cli/cli.h"

typedef struct Verb {
    const char  *name;
    TactCliVerb *run;
    const char  *arguments;
    const char  *says;
} Verb;

static const Verb verbs[] = {
    {"run", tact_cli_run, "SCENE", "simulate a model file"},
    {"contacts", tact_cli_contacts, "SCENE",
     "every contact of a step, its force, and why something slips"},
    {"solve", tact_cli_solve, "FILE...",
     "solve a contact problem or an LCP by one method or by all"},
    {"check", tact_cli_check, "FILE",
     "what a model file asks for: honoured, approximated or ignored;\n"
     "                    whether a recorded run is the same again"},
    {"info", tact_cli_info, "FILE",
     "say what is in a model (bodies, joints, masses, limits) or a recording"},
    {"view", tact_cli_view, "[FILE]", "look at a simulation or a recording in the browser"},
    {"bench", tact_cli_bench, "NAME", "run an experiment and compare with other solvers"},
};

enum { VERBS = sizeof verbs / sizeof verbs[0] };

static bool is_there(const Verb *verb)
{
    return verb->run != tact_cli_bench || tact_cli_has_bench();
}

static void print_verbs(FILE *stream)
{
    fprintf(stream, "tact: exact frictional contact\n\nusage: tact VERB ...\n\n");
    for (int i = 0; i < VERBS; i++) {
        if (is_there(&verbs[i])) {
            fprintf(stream, "  %-8s %-10s %s\n", verbs[i].name, verbs[i].arguments, verbs[i].says);
        }
    }
    fprintf(stream, "\ntact VERB --help says more; tact --version says what was built in.\n"
                    "\nexit status: 0 done and proven, 1 done but something was not solved, 2 bad "
                    "use or bad input\n");
}

static int unknown(const char *word)
{
    const char *names[VERBS + 1];
    int         count = 0;
    for (int i = 0; i < VERBS; i++) {
        if (is_there(&verbs[i])) {
            names[count++] = verbs[i].name;
        }
    }
    names[count] = NULL;
    const char *nearest = tact_cli_nearest(word, names);
    if (nearest) {
        return tact_cli_bad("there is no verb '%s'; did you mean '%s'?", word, nearest);
    }
    return tact_cli_bad("there is no verb '%s'; see tact --help", word);
}

int main(int argc, char **argv)
{
    const char *word = argc > 1 ? argv[1] : NULL;
    signal(SIGXFSZ,
           SIG_IGN); // a file that grows beyond its limit is an error of writing, with a message
    if (!word) {
        print_verbs(stderr);
        return TACT_EXIT_BAD;
    }
    if (strcmp(word, "--help") == 0 || strcmp(word, "-h") == 0 || strcmp(word, "help") == 0) {
        print_verbs(stdout);
        return TACT_EXIT_DONE;
    }
    if (strcmp(word, "--version") == 0 || strcmp(word, "-V") == 0) {
        printf("tact %s; viewer: %s\n", tact_version(), tact_cli_viewer());
        return TACT_EXIT_DONE;
    }
    for (int i = 0; i < VERBS; i++) {
        if (strcmp(word, verbs[i].name) == 0 && is_there(&verbs[i])) {
            int status = verbs[i].run(argc - 1, argv + 1);
            if (fflush(stdout) != 0 || ferror(stdout)) {
                return tact_cli_bad("the output could not be written");
            }
            return status;
        }
    }
    return unknown(word);
}
