// Manual pages.
#include <ctype.h>
#include <stdio.h>
#include <string.h>
#include <tact/base.h>

#include "cli/manual/manual.h"

/// A text as troff takes it: lines and runs of spaces become single spaces.
static void say(const char *text)
{
    bool space = false, first = true;
    for (const char *c = text; *c != '\0'; c++) {
        if (isspace((unsigned char)*c)) {
            space = !first;
            continue;
        }
        if (space) {
            putchar(' ');
        }
        if (*c == '\\') {
            printf("\\e");
        } else if (*c == '-') {
            printf("\\-");
        } else if (first && (*c == '.' || *c == '\'')) {
            printf("\\&%c", *c);
        } else {
            putchar(*c);
        }
        space = first = false;
    }
    putchar('\n');
}

static void print_options(const TactOptionTable *table)
{
    for (int i = 0; table && i < tact_options_count(table); i++) {
        const TactOption *option = tact_options_at(table, i);
        printf(".TP\n.B ");
        for (const char *c = option->name; *c != '\0'; c++) {
            printf(*c == '-' ? "\\-" : "%c", *c);
        }
        if (option->value) {
            printf(" \\fI%s\\fR", option->value);
        }
        putchar('\n');
        say(option->says);
        for (int k = 0; option->words && option->words[k]; k++) {
            printf(k == 0 ? ".br\nOne of: %s" : ", %s", option->words[k]);
        }
        printf(option->words && option->words[0] ? ".\n" : "");
    }
}

static void print_ends(void)
{
    printf(".SH EXIT STATUS\n"
           ".TP\n0\nDone, and everything is proven.\n"
           ".TP\n1\nDone, but something was not solved, or differs.\n"
           ".TP\n2\nBad use or bad input: standard error says what and where.\n"
           ".SH ENVIRONMENT\n"
           ".TP\nNO_COLOR\nIf it is set and not empty, nothing is coloured.\n"
           ".TP\nTERM\nIf it is dumb, nothing is coloured, and no line shows the progress.\n"
           ".TP\nROS_PACKAGE_PATH\nFolders in which packages of URDF files are looked for.\n");
}

static void print_head(const char *name, const char *says)
{
    char title[32] = "";
    for (size_t i = 0; name[i] != '\0' && i + 1 < sizeof title; i++) {
        title[i] = (char)toupper((unsigned char)name[i]);
    }
    printf(".TH %s 1 \"\" \"tact %d.%d.%d\" \"User Commands\"\n.SH NAME\n%s \\- ", title,
           TACT_VERSION_MAJOR, TACT_VERSION_MINOR, TACT_VERSION_PATCH, name);
    say(says);
}

static void print_verb(const TactCliVerbLine *verb)
{
    char name[32];
    snprintf(name, sizeof name, "tact-%s", verb->name);
    print_head(name, verb->says);
    printf(".SH SYNOPSIS\n.B tact %s\n[\\fIOPTIONS\\fR] %s\n.SH OPTIONS\n", verb->name,
           verb->arguments);
    print_options(verb->options ? verb->options() : NULL);
    if (!verb->options) {
        printf("Each experiment has its own: tact %s NAME \\-\\-help.\n", verb->name);
    }
    print_ends();
    printf(".SH SEE ALSO\n.BR tact (1)\n");
}

void tact_manual_print(const TactCliVerbLine *verb)
{
    int                    count = 0;
    const TactCliVerbLine *verbs = tact_cli_verbs(&count);
    if (verb) {
        print_verb(verb);
        return;
    }
    print_head("tact", "exact frictional contact, proven");
    printf(".SH SYNOPSIS\n.B tact\n\\fIVERB\\fR [\\fIOPTIONS\\fR] ...\n.SH DESCRIPTION\n");
    say("Simulates models of robots and scenes (MJCF, URDF), solves frictional contact problems "
        "and "
        "linear complementarity problems. Every answer carries a certificate that is recomputed "
        "from the raw data; an answer that is not proven is never called solved.");
    printf(".SH VERBS\n");
    for (int i = 0; i < count; i++) {
        printf(".SS tact %s \\fI%s\\fR\n", verbs[i].name, verbs[i].arguments);
        say(verbs[i].says);
        print_options(verbs[i].options ? verbs[i].options() : NULL);
    }
    print_ends();
}
