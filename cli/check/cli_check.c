// `tact check FILE`: what a model file asks for, and what is honoured, approximated or ignored.
#include "cli/check/check.h"

#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <tact/record.h>

#include "cli/cli.h"
#include "cli/model_file.h"
#include "cli/options.h"
#include "cli/recording/recording.h"

typedef struct Options {
    TactOptionTexts packages;
    bool            strict;
    bool            exact_meshes;
    bool            xacro;
    bool            all;
    bool            json;
    bool            help;
} Options;

static const TactOption options_of_check[] = {
    {"--strict", TACT_OPTION_FLAG, offsetof(Options, strict), NULL,
     "physics that is approximated or ignored is an error", NULL},
    {"--all", TACT_OPTION_FLAG, offsetof(Options, all), NULL,
     "every place, not only the first of each attribute", NULL},
    {"--json", TACT_OPTION_FLAG, offsetof(Options, json), NULL, "print one JSON object instead",
     NULL},
    {"--package-path", TACT_OPTION_TEXTS, offsetof(Options, packages), "DIR",
     "where the packages of package:// are (may be given again; the\n"
     "folders of ROS_PACKAGE_PATH come after these)",
     NULL},
    {"--exact-meshes", TACT_OPTION_FLAG, offsetof(Options, exact_meshes), NULL,
     "collision meshes of a URDF are triangle meshes instead of\n"
     "their convex hulls",
     NULL},
    {"--xacro", TACT_OPTION_FLAG, offsetof(Options, xacro), NULL,
     "expand the file by the program xacro first", NULL},
    {"--help", TACT_OPTION_FLAG, offsetof(Options, help), NULL, "print this help", NULL},
};

static const TactOptionTable line = {"check", sizeof options_of_check / sizeof options_of_check[0],
                                     options_of_check};

const TactOptionTable *tact_cli_check_options(void)
{
    return &line;
}

static void print_check_help(void)
{
    printf(
        "usage: tact check FILE [--strict] [--all] [--json] [--package-path DIR]\n\n"
        "Reads a model file (MJCF or URDF) and lists which elements and attributes are honoured,\n"
        "approximated or ignored, with the file and line of their first occurrence, sorted by\n"
        "consequence: honoured, no effect on the motion, a small effect, an effect. Those that "
        "are\n"
        "not honoured and can change the motion are marked with an asterisk. Softness of contacts\n"
        "is one line, unless --all is given.\n\n"
        "Given a recording of tact run (FILE.tact), it repeats the run from the scene named in "
        "the\n"
        "recording, and compares the states bit for bit.\n\n");
    tact_options_print(&line);
    printf("\nexit status\n"
           "  0  all physics is honoured; the repeated run is identical\n"
           "  1  some physics is approximated or ignored; the repeated run differs, or the\n"
           "     recording is truncated\n"
           "  2  wrong usage, a file that cannot be read, or --strict and not all honoured\n");
}

// ---------------------------------------------------------------------------------------------
// Groups

static bool same_group(const TactModelNote *a, const TactModelNote *b)
{
    return a->verdict == b->verdict && a->physics == b->physics &&
           strcmp(a->element, b->element) == 0 && strcmp(a->attribute, b->attribute) == 0 &&
           strcmp(a->text, b->text) == 0;
}

/// Notes of one kind together. There are few kinds, so a search among them will do.
static bool group(TactCheckResult *result)
{
    const TactModelNotes *notes = result->notes;
    result->groups = calloc((size_t)notes->count + 1, sizeof *result->groups);
    if (!result->groups) {
        return false;
    }
    for (int i = 0; i < notes->count; i++) {
        int g = 0;
        while (g < result->group_count && !same_group(result->groups[g].first, &notes->items[i])) {
            g++;
        }
        if (g == result->group_count) {
            result->groups[g].first = &notes->items[i];
            result->group_count++;
        }
        result->groups[g].count++;
    }
    return true;
}

int tact_check_unfaithful(const TactCheckResult *result)
{
    int count = 0;
    for (int i = 0; i < result->notes->count; i++) {
        const TactModelNote *note = &result->notes->items[i];
        count += note->physics && note->verdict != TACT_VERDICT_HONOURED;
    }
    return count;
}

int tact_cli_check(int argc, char **argv)
{
    Options        options = {0};
    TactOptionRest rest;
    if (!tact_options_parse(&line, argc, argv, &options, &rest)) {
        return TACT_EXIT_BAD;
    }
    if (options.help) {
        print_check_help();
        return TACT_EXIT_DONE;
    }
    const char *file = tact_options_single(&line, &rest, "a model file (MJCF or URDF)");
    if (!file) {
        return TACT_EXIT_BAD;
    }
    if (tact_recording_is_file(file)) {
        return tact_recording_check(file, options.json);
    }
    TactModelLoadConfig load = tact_model_load_config_default();
    load.strict = options.strict;
    load.package_paths = options.packages.texts;
    load.package_path_count = options.packages.count;
    TactModel      *model = NULL;
    TactModelNotes *notes = NULL;
    TactCheckResult result = {.file = file};
    load.urdf_exact_meshes = options.exact_meshes;
    result.status = tact_cli_load_model(file, options.xacro, &load, &model, &notes, result.message);
    result.notes = notes;
    int status = TACT_EXIT_BAD;
    if (!notes || !group(&result)) {
        tact_cli_bad("%s", result.status == TACT_OK ? "no memory" : result.message);
    } else {
        bool told = true;
        if (options.json) {
            told = tact_check_print_json(&result, options.all) == 0;
        } else {
            tact_check_print(&result, options.all);
        }
        if (!told) {
            status = TACT_EXIT_BAD;
        } else if (result.status != TACT_OK) {
            status = options.json ? TACT_EXIT_BAD : tact_cli_bad("%s", result.message);
        } else {
            status = tact_check_unfaithful(&result) > 0 ? TACT_EXIT_UNSOLVED : TACT_EXIT_DONE;
        }
    }
    free(result.groups);
    tact_model_notes_destroy(notes);
    tact_model_destroy(model);
    return status;
}
