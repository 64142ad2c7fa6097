// `tact manual [VERB]`
#include <stdio.h>
#include <string.h>

#include "cli/manual/manual.h"

typedef struct ManualOptions {
    int  shell; // -1: a page is asked for
    bool help;
} ManualOptions;

static const char *const shells[] = {
    [TACT_BASH] = "bash",
    [TACT_ZSH] = "zsh",
    [TACT_FISH] = "fish",
    NULL,
};

static const TactOption options_of_manual[] = {
    {"--completion", TACT_OPTION_WORD, offsetof(ManualOptions, shell), "SHELL",
     "what bash, zsh or fish completes, to be kept where\nthe shell looks for it", shells},
    {"--help", TACT_OPTION_FLAG, offsetof(ManualOptions, help), NULL, "print this help", NULL},
};

static const TactOptionTable line = {
    "manual", sizeof options_of_manual / sizeof options_of_manual[0], options_of_manual};

const TactOptionTable *tact_cli_manual_options(void)
{
    return &line;
}

static const TactCliVerbLine *find(const char *name)
{
    int                    count = 0;
    const TactCliVerbLine *verbs = tact_cli_verbs(&count);
    for (int i = 0; i < count; i++) {
        if (strcmp(verbs[i].name, name) == 0) {
            return &verbs[i];
        }
    }
    return NULL;
}

int tact_cli_manual(int argc, char **argv)
{
    ManualOptions  given = {.shell = -1};
    TactOptionRest rest;
    if (!tact_options_parse(&line, argc, argv, &given, &rest)) {
        return TACT_EXIT_BAD;
    }
    if (given.help) {
        printf(
            "usage: tact manual [VERB] | man -l -\n"
            "       tact manual --completion bash > ~/.local/share/bash-completion/completions/"
            "tact\n\n"
            "Prints the manual page of the program or of a verb, or what a shell completes.\n\n");
        tact_options_print(&line);
        return TACT_EXIT_DONE;
    }
    if (rest.count > 1) {
        return tact_cli_bad("manual: one verb at a time");
    }
    const TactCliVerbLine *verb = rest.count == 1 ? find(rest.words[0]) : NULL;
    if (rest.count == 1 && !verb) {
        return tact_cli_bad("manual: there is no verb '%s'; see tact --help", rest.words[0]);
    }
    if (given.shell >= 0) {
        tact_manual_complete((TactShell)given.shell);
    } else {
        tact_manual_print(verb);
    }
    return TACT_EXIT_DONE;
}
