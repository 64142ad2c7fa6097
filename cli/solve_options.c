// The command line of `tact solve`.
#include <errno.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli.h"
#include "solve.h"

typedef enum Kind { FLAG, TEXT, REAL, COUNT } Kind;

typedef enum Name {
    METHOD,
    JSON,
    TOL,
    MAX_PIVOTS,
    MAX_NODES,
    MAX_ITERATIONS,
    LEX_TOL,
    STORAGE,
    REPEAT,
    OUTPUT,
    WRITE_MTX,
    HELP,
    NAMES
} Name;

typedef struct Option {
    const char *name;
    Kind        kind;
    const char *value;
    const char *says;
} Option;

static const Option table[NAMES] = {
    [METHOD] = {"--method", TEXT, "NAME", "a method, several as NAME,NAME, or all"},
    [JSON] = {"--json", FLAG, "", "print one JSON object instead of a table"},
    [TOL] = {"--tol", REAL, "X", "relative error below which an answer is called solved"},
    [MAX_PIVOTS] = {"--max-pivots", COUNT, "N", "pivots before a pivoting method gives up"},
    [MAX_NODES] = {"--max-nodes", COUNT, "N", "nodes before search gives up"},
    [MAX_ITERATIONS] = {"--max-iterations", COUNT, "N", "sweeps before pgs and pgs-sm give up"},
    [LEX_TOL] = {"--lex-tol", REAL, "X", "lemke-lex: ratios closer than this are ties"},
    [STORAGE] = {"--storage", TEXT, "WORD", "auto, dense or sparse"},
    [REPEAT] = {"--repeat", COUNT, "N", "solves that are timed (default: 5, and 20 ms)"},
    [OUTPUT] = {"--output", TEXT, "FILE", "write z as a Matrix Market file"},
    [WRITE_MTX] = {"--write-mtx", TEXT, "PREFIX",
                   "write the problem as PREFIX_M.mtx, _q, _lo, _hi"},
    [HELP] = {"--help", FLAG, "", "say this"},
};

// ---------------------------------------------------------------------------------------------
// Words

static void print_methods(void)
{
    printf("\nmethods\n");
    for (int i = 0; i < TACT_LCP_METHOD_COUNT; i++) {
        const TactLcpMethodInfo *info = tact_lcp_method_info((TactLcpMethod)i);
        if (info) {
            printf("  %-10s %s\n", info->name, info->source);
            printf("  %-10s takes a standard LCP%s%s%s%s", "",
                   info->takes & TACT_LCP_TAKES_FREE ? ", free variables" : "",
                   info->takes & TACT_LCP_TAKES_UPPER ? ", bounds" : "",
                   info->takes & TACT_LCP_TAKES_SPARSE ? ", sparse matrices" : "",
                   info->takes & TACT_LCP_TAKES_ASYMMETRIC ? "" : "; M must be symmetric");
            if (info->max_n > 0) {
                printf("; n <= %d", info->max_n);
            }
            printf("\n  %-10s sure for: %s\n", "", info->guarantee);
        }
    }
}

void tact_solve_help(void)
{
    printf(
        "usage: tact solve FILE... [--method NAME] [--json] ...\n"
        "       tact solve M.mtx q.mtx [lo.mtx hi.mtx] ...\n\n"
        "Solves linear complementarity problems: find z in [lo, hi] so that w = M z + q is >= 0\n"
        "where z is at lo, <= 0 where z is at hi, and 0 in between. Every answer is certified\n"
        "from M and q alone before it is called solved.\n\n"
        "FILE is a Siconos .dat file (LCP or MLCP; - reads standard input), or two or four\n"
        "Matrix Market files in a row. Without --method, lemke-lex is used, or the first of\n"
        "dantzig, pgs-sm, pgs that can take the problem (pgs-sm first if it is sparse and has\n"
        "more than 2000 unknowns).\n\noptions\n");
    for (int i = 0; i < NAMES; i++) {
        char left[40];
        snprintf(left, sizeof left, "%s %s", table[i].name, table[i].value);
        printf("  %-20s %s\n", left, table[i].says);
    }
    print_methods();
    printf(
        "\nexit status\n"
        "  0  every problem was solved, and proven to be, by at least one of the methods asked\n"
        "  1  for some problem none of them did; a method that refuses a problem does not count\n"
        "     if another one solved it\n"
        "  2  bad use or bad input; the other problems are solved all the same\n");
}

void tact_solve_introduce(void)
{
    fprintf(stderr,
            "tact solve needs a problem file. For instance, two unknowns with\n\n"
            "    w = [2 1; 1 2] z + [-5 -6],   z >= 0,  w >= 0,  z'w = 0\n\n"
            "are this file, two.dat (n; dense; the sizes; M column by column; q):\n\n"
            "    2\n    0\n    2\n    2\n    2 2\n    2 1\n    1 2\n    -5 -6\n\n"
            "and solved by\n\n"
            "    tact solve two.dat                  by a method of the program's choice\n"
            "    tact solve two.dat --method all     by all methods, in a table\n"
            "    tact solve M.mtx q.mtx --json       from Matrix Market files, for a program\n\n"
            "tact solve --help lists formats, methods and options.\n");
}

// ---------------------------------------------------------------------------------------------
// Values

/// A number that is 0 or more.
static bool parse_real(const char *name, const char *text, double *value)
{
    char *end;
    errno = 0;
    *value = strtod(text, &end);
    if (end == text || *end != '\0' || errno == ERANGE || !(*value >= 0) || isinf(*value)) {
        tact_cli_bad("%s needs a number that is not negative, not '%s'", name, text);
        return false;
    }
    return true;
}

static bool parse_positive(const char *name, const char *text, double *value)
{
    if (!parse_real(name, text, value)) {
        return false;
    }
    if (*value == 0) {
        tact_cli_bad("%s needs a number above 0: rounding leaves an error in every answer", name);
    }
    return *value > 0;
}

static bool parse_count(const char *name, const char *text, int *value)
{
    char *end;
    errno = 0;
    long number = strtol(text, &end, 10);
    if (end == text || *end != '\0' || errno == ERANGE || number < 1 || number > INT_MAX) {
        tact_cli_bad("%s needs a positive whole number, not '%s'", name, text);
        return false;
    }
    *value = (int)number;
    return true;
}

static bool unknown_method(const char *name)
{
    const char *names[TACT_LCP_METHOD_COUNT + 2];
    char        list[256] = "";
    int         count = 0;
    for (int i = 0; i < TACT_LCP_METHOD_COUNT; i++) {
        const TactLcpMethodInfo *info = tact_lcp_method_info((TactLcpMethod)i);
        if (info) {
            names[count++] = info->name;
            size_t used = strlen(list);
            snprintf(list + used, sizeof list - used, " %s", info->name);
        }
    }
    names[count++] = "all";
    names[count] = NULL;
    const char *nearest = tact_cli_nearest(name, names);
    if (nearest) {
        tact_cli_bad("there is no method '%s'; did you mean '%s'?", name, nearest);
    } else {
        tact_cli_bad("there is no method '%s'; there are:%s, and all", name, list);
    }
    return false;
}

/// NAME, NAME,NAME or all.
static bool parse_methods(const char *text, TactSolveOptions *options)
{
    options->chosen = false;
    while (true) {
        char          name[64];
        size_t        length = strcspn(text, ",");
        TactLcpMethod method;
        snprintf(name, sizeof name, "%.*s", length < 63 ? (int)length : 63, text);
        if (strcmp(name, "all") == 0) {
            for (int i = 0; i < TACT_LCP_METHOD_COUNT; i++) {
                options->wanted[i] = tact_lcp_method_info((TactLcpMethod)i) != NULL;
            }
        } else if (tact_lcp_method_find(name, &method) == TACT_OK) {
            options->wanted[method] = true;
        } else {
            return unknown_method(name);
        }
        if (text[length] == '\0') {
            return true;
        }
        text += length + 1;
    }
}

static bool parse_storage(const char *text, TactSolveOptions *options)
{
    static const char *const word[] = {"auto", "dense", "sparse"};
    for (int i = 0; i < 3; i++) {
        if (strcmp(text, word[i]) == 0) {
            options->storage = (TactSolveStorage)i;
            return true;
        }
    }
    tact_cli_bad("--storage is auto, dense or sparse, not '%s'", text);
    return false;
}

// ---------------------------------------------------------------------------------------------
// The line

static bool set(Name name, const char *value, TactSolveOptions *options)
{
    switch (name) {
    case METHOD: return parse_methods(value, options);
    case STORAGE: return parse_storage(value, options);
    case TOL: return parse_positive(table[name].name, value, &options->tol);
    case LEX_TOL: return parse_real(table[name].name, value, &options->lex_tol);
    case MAX_PIVOTS: return parse_count(table[name].name, value, &options->max_pivots);
    case MAX_NODES: return parse_count(table[name].name, value, &options->max_nodes);
    case MAX_ITERATIONS: return parse_count(table[name].name, value, &options->max_iterations);
    case REPEAT: return parse_count(table[name].name, value, &options->repeat);
    case OUTPUT: options->output = value; return true;
    case WRITE_MTX: options->write_mtx = value; return true;
    case JSON: options->json = true; return true;
    case HELP: options->help = true; return true;
    case NAMES: break;
    }
    return false;
}

/// Number of the option that the word names, alone or up to '='; NAMES: none.
static Name find(const char *word)
{
    size_t length = strcspn(word, "=");
    if (strcmp(word, "-h") == 0) {
        return HELP;
    }
    for (int i = 0; i < NAMES; i++) {
        if (strlen(table[i].name) == length && strncmp(word, table[i].name, length) == 0) {
            return (Name)i;
        }
    }
    return NAMES;
}

static bool unknown_option(const char *word)
{
    const char *names[NAMES + 1];
    for (int i = 0; i < NAMES; i++) {
        names[i] = table[i].name;
    }
    names[NAMES] = NULL;
    const char *nearest = tact_cli_nearest(word, names);
    if (nearest) {
        tact_cli_bad("there is no option '%s'; did you mean '%s'?", word, nearest);
    } else {
        tact_cli_bad("there is no option '%s'; see tact solve --help", word);
    }
    return false;
}

bool tact_solve_parse(int argc, char **argv, TactSolveOptions *options)
{
    *options = (TactSolveOptions){.paths = argv + 1,
                                  .chosen = true,
                                  .tol = -1,
                                  .lex_tol = -1,
                                  .max_pivots = -1,
                                  .max_nodes = -1,
                                  .max_iterations = -1};
    bool only_files = false;
    for (int i = 1; i < argc; i++) {
        char *word = argv[i];
        if (only_files || word[0] != '-' || word[1] == '\0') {
            options->paths[options->path_count++] = word; // to the front: never past i
            continue;
        }
        if (strcmp(word, "--") == 0) {
            only_files = true;
            continue;
        }
        Name        name = find(word);
        const char *value = strchr(word, '=');
        if (name == NAMES) {
            return unknown_option(word);
        }
        if (table[name].kind == FLAG && value) {
            tact_cli_bad("%s takes no value", table[name].name);
            return false;
        }
        if (table[name].kind != FLAG && !value && i + 1 == argc) {
            tact_cli_bad("%s needs a value: %s %s", word, word, table[name].value);
            return false;
        }
        value = table[name].kind == FLAG ? "" : value ? value + 1 : argv[++i];
        if (!set(name, value, options)) {
            return false;
        }
    }
    return true;
}
