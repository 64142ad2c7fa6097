// The program: finds the verb and hands over to it.
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <tact/base.h>

#include "cli/cli.h"
#include "cli/progress/progress.h"
#include "cli/verbs.h"

static void print_verbs(FILE *stream)
{
    fprintf(stream, "tact: exact frictional contact\n\nusage: tact VERB ...\n\n");
    int                    count = 0;
    const TactCliVerbLine *verbs = tact_cli_verbs(&count);
    for (int i = 0; i < count; i++) {
        if (verbs[i].listed) {
            fprintf(stream, "  %-8s %-10s %s\n", verbs[i].name, verbs[i].arguments, verbs[i].says);
        }
    }
    fprintf(stream,
            "\ntact VERB --help prints the options; tact --version lists the optional parts.\n"
            "\nexit status: 0 all solved and certified, 1 something was not solved, 2 wrong "
            "usage or input\n");
}

static int unknown(const char *word)
{
    const char            *names[TACT_CLI_MOST_VERBS + 1];
    int                    count = 0;
    const TactCliVerbLine *verbs = tact_cli_verbs(&count);
    for (int i = 0; i < count; i++) {
        names[i] = verbs[i].name;
    }
    names[count] = NULL;
    const char *nearest = tact_cli_nearest(word, names);
    if (nearest) {
        return tact_cli_bad("there is no verb '%s'; did you mean '%s'?", word, nearest);
    }
    return tact_cli_bad("there is no verb '%s'; see tact --help", word);
}

static int run_verb(const TactCliVerbLine *verb, int argc, char **argv)
{
    tact_progress_begin();
    int  status = verb->run(argc, argv);
    bool written = fflush(stdout) == 0 && !ferror(stdout);
    tact_progress_end();
    return written ? status : tact_cli_bad("the output could not be written");
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
        printf("tact %s; viewer: %s; MPI: %s\n", tact_version(), tact_cli_viewer(), tact_cli_mpi());
        return TACT_EXIT_DONE;
    }
    int                    count = 0;
    const TactCliVerbLine *verbs = tact_cli_verbs(&count);
    for (int i = 0; i < count; i++) {
        if (strcmp(word, verbs[i].name) == 0) {
            return run_verb(&verbs[i], argc - 1, argv + 1);
        }
    }
    return unknown(word);
}
