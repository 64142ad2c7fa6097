// `tact convert FILE OUT`: what was understood of a model file, written as MJCF or compiled.
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <tact/load.h>

#include "cli/cli.h"
#include "cli/model_file.h"
#include "cli/options.h"
#include "cli/progress/progress.h"

typedef struct Options {
    TactOptionTexts packages;
    const char     *srdf;
    bool            free_base;
    bool            exact_meshes;
    bool            xacro;
    bool            strict;
    bool            help;
} Options;

static const TactOption options_of_convert[] = {
    {"--srdf", TACT_OPTION_TEXT, offsetof(Options, srdf), "FILE",
     "exclude the pairs of links whose collisions this file disables", NULL},
    {"--free", TACT_OPTION_FLAG, offsetof(Options, free_base), NULL,
     "give the root link of a URDF a free joint (default: fixed)", NULL},
    {"--exact-meshes", TACT_OPTION_FLAG, offsetof(Options, exact_meshes), NULL,
     "collision meshes of a URDF are triangle meshes instead of\n"
     "their convex hulls",
     NULL},
    {"--xacro", TACT_OPTION_FLAG, offsetof(Options, xacro), NULL,
     "expand the file by the program xacro first", NULL},
    {"--package-path", TACT_OPTION_TEXTS, offsetof(Options, packages), "DIR",
     "where the packages of package:// are (may be given again)", NULL},
    {"--strict", TACT_OPTION_FLAG, offsetof(Options, strict), NULL,
     "fail if physics of the file is approximated or ignored", NULL},
    {"--help", TACT_OPTION_FLAG, offsetof(Options, help), NULL, "print this help", NULL},
};

static const TactOptionTable line = {
    "convert", sizeof options_of_convert / sizeof options_of_convert[0], options_of_convert};

const TactOptionTable *tact_cli_convert_options(void)
{
    return &line;
}

static void print_help(void)
{
    printf(
        "usage: tact convert FILE OUT.xml|OUT.tmodel [--srdf FILE] [--free] ...\n\n"
        "Reads a model file (URDF or MJCF) and writes the model as MJCF: all defaults resolved,\n"
        "meshes inline, numbers with all digits. A comment at the top lists what differs from\n"
        "the original. Sensors are left out. With OUT.tmodel the compiled model is written, to\n"
        "the last bit and with the hulls of its meshes: all verbs that take a model read it, also\n"
        "where there is no libxml2 and no qhull.\n\n");
    tact_options_print(&line);
    printf("\nexit status\n"
           "  0  written\n"
           "  2  wrong usage, or a file that cannot be read or written\n");
}

/// Does the name end as that of a compiled model?
static bool is_compiled(const char *path)
{
    const char *dot = strrchr(path, '.');
    return dot && strcmp(dot, ".tmodel") == 0;
}

int tact_cli_convert(int argc, char **argv)
{
    Options        options = {0};
    TactOptionRest rest;
    if (!tact_options_parse(&line, argc, argv, &options, &rest)) {
        return TACT_EXIT_BAD;
    }
    if (options.help) {
        print_help();
        return TACT_EXIT_DONE;
    }
    if (rest.count != 2) {
        return tact_cli_bad("convert: needs a model file and the name of the one to write");
    }
    TactModelLoadConfig config = tact_model_load_config_default();
    config.package_paths = options.packages.texts;
    config.package_path_count = options.packages.count;
    config.srdf = options.srdf;
    config.urdf_free = options.free_base;
    config.urdf_exact_meshes = options.exact_meshes;
    config.strict = options.strict;
    TactModel      *model = NULL;
    TactModelNotes *notes = NULL;
    char            message[512];
    int             status = TACT_EXIT_BAD;
    if (tact_cli_load_model(rest.words[0], options.xacro, &config, &model, &notes, message) !=
        TACT_OK) {
        tact_cli_bad("%s", message);
    } else {
        tact_progress_stage("writing %s", tact_cli_base_name(rest.words[1]));
        status =
            (is_compiled(rest.words[1]) ? tact_model_save(model, rest.words[1])
                                        : tact_model_write(model, notes, rest.words[1])) == TACT_OK
                ? TACT_EXIT_DONE
                : tact_cli_bad("%s", tact_status_message());
    }
    tact_model_notes_destroy(notes);
    tact_model_destroy(model);
    return status;
}
