// The command line of a verb: a table of options, read into a struct of its own.
//
// Options stand before, between and after the other words, as --name VALUE or --name=VALUE; after
// "--" nothing is an option any more. An option that is given again counts as it was given last.
#ifndef TACT_CLI_OPTIONS_H
#define TACT_CLI_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>

#include "cli/cli.h" // TactOptionTable

enum { TACT_OPTION_MOST_TEXTS = 1024 };

/// Values of an option that may be given again.
typedef struct TactOptionTexts {
    int         count;
    const char *texts[TACT_OPTION_MOST_TEXTS];
} TactOptionTexts;

typedef enum TactOptionKind {
    TACT_OPTION_FLAG,     // bool: no value
    TACT_OPTION_TEXT,     // const char *
    TACT_OPTION_TEXTS,    // TactOptionTexts
    TACT_OPTION_WORD,     // int: which of the words
    TACT_OPTION_POSITIVE, // double above 0
    TACT_OPTION_REAL,     // double, 0 or above
    TACT_OPTION_COUNT,    // int, 1 or above
} TactOptionKind;

typedef struct TactOption {
    const char        *name;  // "--time"
    TactOptionKind     kind;  //
    size_t             place; // offsetof() in the struct of the verb
    const char        *value; // what --help calls the value; NULL for a flag
    const char        *says;  // for --help; '\n' begins a new line
    const char *const *words; // of TACT_OPTION_WORD, NULL at the end
} TactOption;

struct TactOptionTable {
    const char       *verb;
    int               count;
    const TactOption *options; // one of them is --help, which -h means too              (count)
};

/// Options of the verb, and those that all verbs have, which stand before --help: how many, and one
/// of them.
int               tact_options_count(const TactOptionTable *table);
const TactOption *tact_options_at(const TactOptionTable *table, int i);

/// Words that are no options, lent from argv.
typedef struct TactOptionRest {
    int    count;
    char **words;
} TactOptionRest;

/// Writes what is given to *values, and moves the other words to the front of argv. False if the
/// line is wrong: said on standard error.
bool tact_options_parse(const TactOptionTable *table, int argc, char **argv, void *values,
                        TactOptionRest *rest);

/// The one word that the verb needs, e.g. "a scene (MJCF or URDF)"; NULL, said on standard error,
/// if there is none or more than one.
const char *tact_options_single(const TactOptionTable *table, const TactOptionRest *rest,
                                const char *needs);

/// The options, one a line, for --help.
void tact_options_print(const TactOptionTable *table);

#endif
