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
    CONE,
    LCP_METHOD,
    JSON,
    TOL,
    MAX_PIVOTS,
    MAX_NODES,
    MAX_ITERATIONS,
    LEX_TOL,
    STORAGE,
    REPEAT,
    OUTPUT,
    SAVE,
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
    [CONE] = {"--cone", TEXT, "WORD", "pyramid, circle or box (contact problems)"},
    [LCP_METHOD] = {"--lcp-method", TEXT, "NAME", "what the methods lcp and box use inside"},
    [JSON] = {"--json", FLAG, "", "print one JSON object instead of a table"},
    [TOL] = {"--tol", REAL, "X", "relative error below which an answer is called solved"},
    [MAX_PIVOTS] = {"--max-pivots", COUNT, "N", "pivots before a pivoting method gives up"},
    [MAX_NODES] = {"--max-nodes", COUNT, "N", "nodes before search gives up"},
    [MAX_ITERATIONS] = {"--max-iterations", COUNT, "N",
                        "sweeps before pgs, pgs-sm, nsgs and box give up"},
    [LEX_TOL] = {"--lex-tol", REAL, "X", "lemke-lex: ratios closer than this are ties"},
    [STORAGE] = {"--storage", TEXT, "WORD", "auto, dense or sparse"},
    [REPEAT] = {"--repeat", COUNT, "N", "solves that are timed (default: 5, and 20 ms)"},
    [OUTPUT] = {"--output", TEXT, "FILE", "write z, or the forces, as a Matrix Market file"},
    [SAVE] = {"--save", TEXT, "FILE", "write a contact problem as FILE.json or FILE.hdf5"},
    [WRITE_MTX] = {"--write-mtx", TEXT, "PREFIX", "write an LCP as PREFIX_M.mtx, _q, _lo, _hi"},
    [HELP] = {"--help", FLAG, "", "say this"},
};

// ---------------------------------------------------------------------------------------------
// Words

static void print_contact_methods(void)
{
    printf("\nmethods for contact problems\n");
    for (int i = 0; i < TACT_CONTACT_METHOD_COUNT; i++) {
        const TactContactMethodInfo *info = tact_contact_method_info((TactContactMethod)i);
        if (info) {
            printf("  %-10s %s\n  %-10s takes the cones%s%s%s%s%s%s\n", info->name, info->source,
                   "", info->takes & TACT_CONTACT_TAKES_PYRAMID ? " pyramid" : "",
                   info->takes & TACT_CONTACT_TAKES_CIRCLE ? " circle" : "",
                   info->takes & TACT_CONTACT_TAKES_BOX ? " box" : "",
                   info->takes & TACT_CONTACT_TAKES_ROWS ? "; joint rows" : "",
                   info->takes & TACT_CONTACT_TAKES_W ? "; a Delassus matrix" : "",
                   info->takes & TACT_CONTACT_TAKES_ACCELERATION ? "; accelerations" : "");
        }
    }
}

static void print_methods(void)
{
    printf("\nmethods for LCPs\n");
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
        "usage: tact solve FILE... [--method NAME] [--cone WORD] [--json] ...\n"
        "       tact solve M.mtx q.mtx [lo.mtx hi.mtx] ...\n\n"
        "Solves contact problems with friction and linear complementarity problems by one method\n"
        "or by all of them. Every answer is certified from the problem alone before it is called\n"
        "solved.\n\n"
        "Contact problems: bodies or a mechanism, contacts, joint rows; FILE is tact's JSON, an\n"
        "FCLIB file (HDF5) or a Siconos friction .dat. Without --method, ladder is used; without\n"
        "--cone the pyramid, or, if a method cannot take it, its own cone.\n\n"
        "LCPs: find z in [lo, hi] so that w = M z + q is >= 0 where z is at lo, <= 0 where z is "
        "at\n"
        "hi, and 0 in between. FILE is a Siconos .dat (LCP or MLCP), or two or four Matrix Market\n"
        "files in a row. Without --method, lemke-lex is used, or the first of dantzig, pgs-sm, "
        "pgs\n"
        "that can take the problem (pgs-sm first if it is sparse and has more than 2000 "
        "unknowns).\n"
        "\n- reads standard input.\n\noptions\n");
    for (int i = 0; i < NAMES; i++) {
        char left[40];
        snprintf(left, sizeof left, "%s %s", table[i].name, table[i].value);
        printf("  %-20s %s\n", left, table[i].says);
    }
    print_contact_methods();
    print_methods();
    printf(
        "\nunits of a contact answer: forces N (impulse / step), speeds m/s, approach and row "
        "error\n"
        "m/s, pull and cone excess N s, complementarity J, slip angle rad, dynamics N s; on the\n"
        "level of accelerations a second less of each; error is relative\n"
        "\nexit status\n"
        "  0  every problem was solved, and proven to be, by at least one of the methods asked\n"
        "  1  for some problem none of them did; a method that refuses a problem does not count\n"
        "     if another one solved it\n"
        "  2  bad use or bad input; the other problems are solved all the same\n");
}

void tact_solve_introduce(void)
{
    fprintf(
        stderr,
        "tact solve needs a problem file: a contact problem (examples/slope.json is one), or a\n"
        "linear complementarity problem. For instance, two unknowns with\n\n"
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

enum { KINDS = TACT_LCP_METHOD_COUNT + TACT_CONTACT_METHOD_COUNT };

/// Name of a method of either kind, LCPs first; NULL: there is none yet.
static const char *method_name(int i)
{
    if (i < TACT_LCP_METHOD_COUNT) {
        const TactLcpMethodInfo *info = tact_lcp_method_info((TactLcpMethod)i);
        return info ? info->name : NULL;
    }
    const TactContactMethodInfo *info =
        tact_contact_method_info((TactContactMethod)(i - TACT_LCP_METHOD_COUNT));
    return info ? info->name : NULL;
}

static bool unknown_method(const char *name)
{
    const char *names[KINDS + 2];
    char        list[256] = "";
    int         count = 0;
    for (int i = 0; i < KINDS; i++) {
        if (method_name(i)) {
            names[count++] = method_name(i);
            size_t used = strlen(list);
            snprintf(list + used, sizeof list - used, "%s %s",
                     i == TACT_LCP_METHOD_COUNT ? "; for contact problems:" : "", method_name(i));
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
        char              name[64];
        size_t            length = strcspn(text, ",");
        TactLcpMethod     method;
        TactContactMethod contact_method;
        snprintf(name, sizeof name, "%.*s", length < 63 ? (int)length : 63, text);
        if (strcmp(name, "all") == 0) {
            options->all = true;
        } else if (tact_lcp_method_find(name, &method) == TACT_OK) {
            options->wanted[method] = true;
        } else if (tact_contact_method_find(name, &contact_method) == TACT_OK) {
            options->wanted_contact[contact_method] = true;
        } else {
            return unknown_method(name);
        }
        if (text[length] == '\0') {
            return true;
        }
        text += length + 1;
    }
}

static bool parse_cone(const char *text, TactSolveOptions *options)
{
    for (int i = TACT_CONTACT_PYRAMID; i <= TACT_CONTACT_BOX_CONE; i++) {
        if (strcmp(text, tact_solve_cone_name((TactContactCone)i)) == 0) {
            options->cone = (TactContactCone)i;
            options->cone_named = true;
            return true;
        }
    }
    tact_cli_bad("--cone is pyramid, circle or box, not '%s'", text);
    return false;
}

static bool parse_lcp_method(const char *text, TactSolveOptions *options)
{
    TactLcpMethod method;
    if (tact_lcp_method_find(text, &method) != TACT_OK) {
        return unknown_method(text);
    }
    options->lcp_method = (int)method;
    return true;
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
    case CONE: return parse_cone(value, options);
    case LCP_METHOD: return parse_lcp_method(value, options);
    case STORAGE: return parse_storage(value, options);
    case TOL: return parse_positive(table[name].name, value, &options->tol);
    case LEX_TOL: return parse_real(table[name].name, value, &options->lex_tol);
    case MAX_PIVOTS: return parse_count(table[name].name, value, &options->max_pivots);
    case MAX_NODES: return parse_count(table[name].name, value, &options->max_nodes);
    case MAX_ITERATIONS: return parse_count(table[name].name, value, &options->max_iterations);
    case REPEAT: return parse_count(table[name].name, value, &options->repeat);
    case OUTPUT: options->output = value; return true;
    case SAVE: options->save = value; return true;
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
                                  .lcp_method = -1,
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
