// Words after `tact bench NAME`: one reader for all experiments.
#ifndef TACT_BENCH_BENCH_OPTIONS_H
#define TACT_BENCH_BENCH_OPTIONS_H

typedef enum TactBenchOptionKind {
    TACT_BENCH_FLAG,    // bool: it is there
    TACT_BENCH_TEXT,    // const char *
    TACT_BENCH_INTEGER, // int
    TACT_BENCH_NUMBER,  // double
} TactBenchOptionKind;

typedef struct TactBenchOption {
    const char         *word; // "--csv"; NULL ends a list
    TactBenchOptionKind kind;
    void               *value;       // as the kind says; keeps what it is if the word is not given
    double              least, most; // of numbers
} TactBenchOption;

/// A word that begins with no --. Returns 0, or the exit status if it cannot be.
typedef int TactBenchOptionFile(void *context, const char *word);

typedef struct TactBenchOptionList {
    const char            *experiment; // "lloyd"
    const char            *help;       // printed for --help
    const TactBenchOption *options;    //
    TactBenchOptionFile   *file;       // NULL: such words are bad
    void                  *context;    // of file
} TactBenchOptionList;

/// 0: read; 2: bad, and said so; -1: only the help was asked for, and printed.
int tact_bench_read_options(const TactBenchOptionList *list, int argc, char **argv);

/// Says on stderr what is wrong with which word, and where the help is. Returns 2.
int tact_bench_refuse(const char *experiment, const char *what, const char *word);

#endif
