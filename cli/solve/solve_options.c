// The command line of `tact solve`.
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include "cli/cli.h"
#include "cli/options.h"
#include "cli/solve/solve.h"

static const char *const cone_words[] = {
    [TACT_CONE_PYRAMID] = "pyramid",
    [TACT_CONE_CIRCLE] = "circle",
    [TACT_CONE_BOX] = "box",
    NULL,
};
static const char *const storage_words[] = {
    [TACT_SOLVE_AUTO] = "auto",
    [TACT_SOLVE_DENSE] = "dense",
    [TACT_SOLVE_SPARSE] = "sparse",
    NULL,
};

static const char *const share_words[] = {
    [TACT_SHARE_VERTEX] = "vertex",
    [TACT_SHARE_LEAST] = "least",
    NULL,
};

static const char *const start_words[] = {
    [TACT_START_COLD] = "cold",
    [TACT_START_FRICTIONLESS] = "frictionless",
    NULL,
};

static const char *const fallback_words[] = {
    [TACT_FALLBACK_NONE] = "none",
    [TACT_FALLBACK_FRICTIONLESS] = "frictionless",
    NULL,
};

#define PLACE(field) offsetof(TactSolveOptions, field)

static const TactOption options_of_solve[] = {
    {"--method", TACT_OPTION_TEXT, PLACE(method), "NAME", "a method, several as NAME,NAME, or all",
     NULL},
    {"--cone", TACT_OPTION_WORD, PLACE(cone), "WORD", "pyramid, circle or box (contact problems)",
     cone_words},
    {"--lcp-method", TACT_OPTION_TEXT, PLACE(inner), "NAME",
     "what the methods lcp and box use inside", NULL},
    {"--start", TACT_OPTION_WORD, PLACE(lcp.start), "WORD",
     "where reduced, structural and lcp start: cold (default), or\n"
     "frictionless, from the contacts that are active without friction",
     start_words},
    {"--fallback", TACT_OPTION_WORD, PLACE(lcp.fallback), "WORD",
     "what lcp answers where it finds no solution: none (default), the\n"
     "point where it ended, or frictionless, the answer without friction",
     fallback_words},
    {"--cfm", TACT_OPTION_REAL, PLACE(lcp.cfm), "X",
     "lcp, box: softness of contacts, (m/s) / (N s) on the diagonal (0)", NULL},
    {"--share", TACT_OPTION_WORD, PLACE(share), "WORD",
     "forces of redundant contacts: vertex, what the method finds\n"
     "(default), or least, those of least norm; the motion is the same",
     share_words},
    {"--range", TACT_OPTION_FLAG, PLACE(range), NULL,
     "also print the smallest and largest possible normal forces; with\n"
     "--prove and the pyramid exactly, by linear programs in rationals",
     NULL},
    {"--json", TACT_OPTION_FLAG, PLACE(json), NULL, "print one JSON object instead of a table",
     NULL},
    {"--tol", TACT_OPTION_POSITIVE, PLACE(tol), "X",
     "relative error below which an answer is called solved", NULL},
    {"--max-pivots", TACT_OPTION_COUNT, PLACE(max_pivots), "N",
     "pivots before a pivoting method gives up", NULL},
    {"--max-nodes", TACT_OPTION_COUNT, PLACE(max_nodes), "N", "nodes before search gives up", NULL},
    {"--max-iterations", TACT_OPTION_COUNT, PLACE(max_iterations), "N",
     "sweeps before pgs, pgs-sm, nsgs and box give up", NULL},
    {"--max-work", TACT_OPTION_POSITIVE, PLACE(max_work), "N",
     "operations, about, before any method gives up", NULL},
    {"--max-time", TACT_OPTION_POSITIVE, PLACE(max_time), "S",
     "the same by the clock, s: the answer may then not be reproducible", NULL},
    {"--lex-tol", TACT_OPTION_REAL, PLACE(lex_tol), "X",
     "lemke-lex: ratios closer than this are ties", NULL},
    {"--storage", TACT_OPTION_WORD, PLACE(storage), "WORD", "auto, dense or sparse", storage_words},
    {"--repeat", TACT_OPTION_COUNT, PLACE(repeat), "N",
     "solves that are timed (default: 5, and 20 ms)", NULL},
    {"--prove", TACT_OPTION_FLAG, PLACE(prove), NULL,
     "prove what is solved: an exact solution exists next to it", NULL},
    {"--prove-limit", TACT_OPTION_POSITIVE, PLACE(prove_limit), "S",
     "--prove: seconds for one exact solve or search (default: 60)", NULL},
    {"--certify", TACT_OPTION_TEXT, PLACE(certify), "FILE",
     "solve nothing: judge the answer in FILE (JSON)", NULL},
    {"--output", TACT_OPTION_TEXT, PLACE(output), "FILE",
     "write z, or the forces, as a Matrix Market file", NULL},
    {"--save", TACT_OPTION_TEXT, PLACE(save), "FILE",
     "write the problem as FILE.json, .hdf5 or .dat; LCPs: .dat", NULL},
    {"--write-mtx", TACT_OPTION_TEXT, PLACE(write_mtx), "PREFIX",
     "write an LCP as PREFIX_M.mtx, _q, _lo, _hi", NULL},
    {"--help", TACT_OPTION_FLAG, PLACE(help), NULL, "print this help", NULL},
};

static const TactOptionTable line = {"solve", sizeof options_of_solve / sizeof options_of_solve[0],
                                     options_of_solve};

const TactOptionTable *tact_cli_solve_options(void)
{
    return &line;
}

// ---------------------------------------------------------------------------------------------
// Words

static void print_contact_methods(void)
{
    printf("\nmethods for contact problems\n");
    for (int i = 0; i < TACT_METHOD_COUNT; i++) {
        const TactContactMethodInfo *info = tact_contact_method_info((TactContactMethod)i);
        if (info) {
            printf("  %-10s %s\n  %-10s takes the cones%s%s%s%s%s%s%s\n", info->name, info->source,
                   "", info->takes & TACT_CONTACT_TAKES_PYRAMID ? " pyramid" : "",
                   info->takes & TACT_CONTACT_TAKES_CIRCLE ? " circle" : "",
                   info->takes & TACT_CONTACT_TAKES_BOX ? " box" : "",
                   info->takes & TACT_CONTACT_TAKES_ROWS ? "; joint rows" : "",
                   info->takes & TACT_CONTACT_TAKES_W ? "; a Delassus matrix" : "",
                   info->takes & TACT_CONTACT_TAKES_ACCELERATION ? "; accelerations" : "",
                   info->takes & TACT_CONTACT_TAKES_PATCHES ? "; spinning and rolling" : "");
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
        "\n- reads standard input.\n\n");
    tact_options_print(&line);
    print_contact_methods();
    print_methods();
    printf(
        "\nunits of a contact answer: forces N (impulse / step), speeds m/s, approach and row "
        "error\n"
        "m/s, pull and cone excess N s, complementarity J, slip angle rad, dynamics N s; on the\n"
        "level of accelerations a second less of each; error is relative\n"
        "\nexit status\n"
        "  0  every problem was solved and certified by at least one of the methods\n"
        "  1  for some problem none of them did; a method that refuses a problem does not count\n"
        "     if another one solved it\n"
        "  2  wrong usage or input; the other problems are still solved\n"
        "  130  Ctrl-C: the solve under way ends with the best answer it has, which is printed\n"
        "     with its certificate; later problems are left out\n");
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
// Methods

enum { KINDS = TACT_LCP_METHOD_COUNT + TACT_METHOD_COUNT };

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

static bool parse_lcp_method(const char *text, TactSolveOptions *options)
{
    TactLcpMethod method;
    if (tact_lcp_method_find(text, &method) != TACT_OK) {
        return unknown_method(text);
    }
    options->lcp_method = (int)method;
    return true;
}

bool tact_solve_parse(int argc, char **argv, TactSolveOptions *options)
{
    TactOptionRest rest;
    *options = (TactSolveOptions){.cone = -1,
                                  .lcp_method = -1,
                                  .tol = -1,
                                  .lex_tol = -1,
                                  .max_pivots = -1,
                                  .max_nodes = -1,
                                  .max_iterations = -1};
    if (!tact_options_parse(&line, argc, argv, options, &rest)) {
        return false;
    }
    options->paths = rest.words;
    options->path_count = rest.count;
    return (!options->method || parse_methods(options->method, options)) &&
           (!options->inner || parse_lcp_method(options->inner, options));
}
