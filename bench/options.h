// Words after `tact bench NAME`: one reader for all experiments.
#ifndef TACT_BENCH_OPTIONS_H
#define TACT_BENCH_OPTIONS_H

typedef enum TactOptionKind {
    TACT_OPTION_FLAG,    // bool: it is there
    TACT_OPTION_TEXT,    // const char *
    TACT_OPTION_INTEGER, // int
    TACT_OPTION_NUMBER,  // double
} TactOptionKind;

typedef struct TactOption {
    const char    *word; // "--csv"; NULL ends a list
    TactOptionKind kind;
    void          *value;       // as the kind says; keeps what it is if the word is not given
    double         least, most; // of numbers
} TactOption;

/// A word that begins with no --. Returns 0, or the exit status if it cannot be.
typedef int TactOptionFile(void *context, const char *word);

typedef struct TactOptionList {
    const char       *experiment; // "lloyd"
    const char       *help;       // printed for --help
    const TactOption *options;    //
    TactOptionFile   *file;       // NULL: such words are bad
    void             *context;    // of file
} TactOptionList;

/// 0: read; 2: bad, and said so; -1: only the help was asked for, and printed.
int tact_bench_read_options(const TactOptionList *list, int argc, char **argv);

/// Says on stderr what is wrong with which word, and where the help is. Returns 2.
int tact_bench_refuse(const char *experiment, const char *what, const char *word);

#endif
