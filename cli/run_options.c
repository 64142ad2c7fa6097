// The command line of `tact run`.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli.h"
#include "run.h"

void tact_run_help(void)
{
    printf(
        "usage: tact run SCENE [--time S] [--dt S] [--method NAME] [--cone WORD] [--json] ...\n\n"
        "Simulates a scene (MJCF or URDF): contacts, loops, limits and dry friction of joints in "
        "one\n"
        "contact problem for every island of bodies, solved and certified in every step.\n\n"
        "options\n"
        "  --time S            how long, s (1)\n"
        "  --dt S              length of a step, s (the scene's)\n"
        "  --method NAME       of contact problems: ladder (default), reduced, structural, nsgs, "
        "...\n"
        "  --cone WORD         circle (default) or pyramid\n"
        "  --integrator WORD   euler or rk4 (the scene's)\n"
        "  --keyframe NAME     start from this keyframe (the first, if there is one; 'none': the\n"
        "                      reference)\n"
        "  --strict            physics that is approximated or ignored is an error\n"
        "  --package-path DIR  where the packages of package:// are (may be given again)\n"
        "  --json              print one JSON object instead\n"
        "  --help              say this\n\n"
        "units: m, kg, s, N, rad. A contact between a and b has its normal from a to b; its force "
        "is\n"
        "that on b.\n\n"
        "exit status\n"
        "  0  every contact problem was solved, and proven to be\n"
        "  1  some were not\n"
        "  2  bad use or bad input\n");
}

/// The value of an option that is given as --name VALUE or --name=VALUE; NULL if the word is
/// another.
static const char *value_of(const char *name, int argc, char **argv, int *i, bool *missing)
{
    size_t      length = strlen(name);
    const char *word = argv[*i];
    if (!word || strncmp(word, name, length) != 0) {
        return NULL;
    }
    if (word[length] == '=') {
        return word + length + 1;
    }
    if (word[length] != '\0') {
        return NULL;
    }
    if (*i + 1 >= argc) {
        tact_cli_bad("%s needs a value", name);
        *missing = true;
        return NULL;
    }
    return argv[++*i];
}

static bool read_positive(const char *name, const char *text, double *value)
{
    char *end = NULL;
    *value = strtod(text, &end);
    if (end == text || *end != '\0' || !(*value > 0) || *value > 1e9) {
        tact_cli_bad("%s: '%s' is not a positive number", name, text);
        return false;
    }
    return true;
}

static bool unknown_option(const char *word)
{
    static const char *const names[] = {"--time",   "--dt",           "--method", "--cone",
                                        "--strict", "--package-path", "--json",   "--integrator",
                                        "--help",   "--keyframe",     NULL};

    const char *nearest = tact_cli_nearest(word, names);
    if (nearest) {
        tact_cli_bad("there is no option '%s'; did you mean '%s'?", word, nearest);
    } else {
        tact_cli_bad("there is no option '%s'; see tact run --help", word);
    }
    return false;
}

/// Options with a value: 1 taken, 0 not one of them, -1 wrong.
static int parse_value(int argc, char **argv, int *i, TactRunOptions *options)
{
    static const char *const texts[] = {"--method", "--cone", "--integrator", "--keyframe"};

    const char **places[] = {&options->method, &options->cone, &options->integrator,
                             &options->keyframe};
    bool         missing = false;
    for (int k = 0; k < 4; k++) {
        const char *text = value_of(texts[k], argc, argv, i, &missing);
        if (text || missing) {
            *places[k] = text;
            return missing ? -1 : 1;
        }
    }
    const char *text = value_of("--time", argc, argv, i, &missing);
    if (text || missing) {
        return !missing && read_positive("--time", text, &options->time) ? 1 : -1;
    }
    text = value_of("--dt", argc, argv, i, &missing);
    if (text || missing) {
        return !missing && read_positive("--dt", text, &options->dt) ? 1 : -1;
    }
    text = value_of("--package-path", argc, argv, i, &missing);
    if (text || missing) {
        if (missing || options->load.package_path_count == TACT_RUN_MOST_PATHS) {
            return -1;
        }
        options->paths[options->load.package_path_count++] = text;
        return 1;
    }
    return 0;
}

bool tact_run_parse(int argc, char **argv, TactRunOptions *options)
{
    *options = (TactRunOptions){.load = tact_model_load_default(), .time = 1};
    for (int i = 1; i < argc; i++) {
        const char *word = argv[i];
        int         taken = parse_value(argc, argv, &i, options);
        if (taken < 0) {
            return false;
        }
        if (taken > 0) {
            continue;
        }
        if (strcmp(word, "--help") == 0 || strcmp(word, "-h") == 0) {
            options->help = true;
        } else if (strcmp(word, "--strict") == 0) {
            options->load.strict = true;
        } else if (strcmp(word, "--json") == 0) {
            options->json = true;
        } else if (word[0] == '-' && word[1] != '\0') {
            return unknown_option(word);
        } else if (options->file) {
            tact_cli_bad("tact run takes one scene, not '%s' too", word);
            return false;
        } else {
            options->file = word;
        }
    }
    if (!options->file && !options->help) {
        tact_cli_bad("tact run needs a scene (MJCF or URDF); see tact run --help");
        return false;
    }
    return true;
}
