// `tact check FILE`: what a model file asks for, and what is honoured, approximated or ignored.
#include "check.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli.h"

enum { MOST_PATHS = 64 };

typedef struct Options {
    const char   *file;
    const char   *paths[MOST_PATHS];
    TactModelLoad load;
    bool          json;
    bool          all;
    bool          help;
} Options;

static void help(void)
{
    printf("usage: tact check FILE [--strict] [--all] [--json] [--package-path DIR]\n\n"
           "Reads a model file (MJCF or URDF) and says of every element and attribute whether it\n"
           "is honoured, approximated or ignored, with the file and line where it stands first.\n"
           "What can change the motion is marked with an asterisk.\n\n"
           "options\n"
           "  --strict            physics that is approximated or ignored is an error\n"
           "  --all               every place, not only the first of each attribute\n"
           "  --json              print one JSON object instead\n"
           "  --package-path DIR  where the packages of package:// are (may be given again; the\n"
           "                      folders of ROS_PACKAGE_PATH come after these)\n"
           "  --help              say this\n\n"
           "exit status\n"
           "  0  the file means the same in tact\n"
           "  1  it loads, but some physics is approximated or ignored\n"
           "  2  bad use, a file that cannot be read, or --strict and not honoured\n");
}

// ---------------------------------------------------------------------------------------------
// The line

static bool unknown_option(const char *word)
{
    static const char *const names[] = {"--strict",       "--all",  "--json",
                                        "--package-path", "--help", NULL};

    const char *nearest = tact_cli_nearest(word, names);
    if (nearest) {
        tact_cli_bad("there is no option '%s'; did you mean '%s'?", word, nearest);
    } else {
        tact_cli_bad("there is no option '%s'; see tact check --help", word);
    }
    return false;
}

static bool add_path(Options *options, const char *path)
{
    if (!path) {
        tact_cli_bad("--package-path needs a folder");
        return false;
    }
    if (options->load.package_path_count == MOST_PATHS) {
        tact_cli_bad("more than %d times --package-path", MOST_PATHS);
        return false;
    }
    options->paths[options->load.package_path_count++] = path;
    return true;
}

static bool parse(int argc, char **argv, Options *options)
{
    static const char path_is[] = "--package-path=";

    *options = (Options){.load = tact_model_load_default()};
    for (int i = 1; i < argc; i++) {
        const char *word = argv[i];
        if (strcmp(word, "--help") == 0 || strcmp(word, "-h") == 0) {
            options->help = true;
        } else if (strcmp(word, "--strict") == 0) {
            options->load.strict = true;
        } else if (strcmp(word, "--all") == 0) {
            options->all = true;
        } else if (strcmp(word, "--json") == 0) {
            options->json = true;
        } else if (strcmp(word, "--package-path") == 0) {
            if (!add_path(options, i + 1 < argc ? argv[++i] : NULL)) {
                return false;
            }
        } else if (strncmp(word, path_is, sizeof path_is - 1) == 0) {
            if (!add_path(options, word + sizeof path_is - 1)) {
                return false;
            }
        } else if (word[0] == '-' && word[1] != '\0') {
            return unknown_option(word);
        } else if (options->file) {
            tact_cli_bad("tact check takes one file, not '%s' too", word);
            return false;
        } else {
            options->file = word;
        }
    }
    if (!options->file && !options->help) {
        tact_cli_bad("tact check needs a model file (MJCF or URDF); see tact check --help");
        return false;
    }
    return true;
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
        count += note->physics && note->verdict != TACT_HONOURED;
    }
    return count;
}

int tact_cli_check(int argc, char **argv)
{
    Options options;
    if (!parse(argc, argv, &options)) {
        return TACT_EXIT_BAD;
    }
    if (options.help) {
        help();
        return TACT_EXIT_DONE;
    }
    options.load.package_paths = options.paths;
    TactModel      *model = NULL;
    TactModelNotes *notes = NULL;
    TactCheckResult result = {.file = options.file};
    result.status = tact_model_load(options.file, &options.load, &model, &notes);
    snprintf(result.message, sizeof result.message, "%s",
             result.status == TACT_OK ? "" : tact_status_message());
    result.notes = notes;
    int status = TACT_EXIT_BAD;
    if (!notes || !group(&result)) {
        tact_cli_bad("%s", result.status == TACT_OK ? "no memory" : result.message);
    } else {
        if (options.json) {
            tact_check_print_json(&result, options.all);
        } else {
            tact_check_print(&result, options.all);
        }
        if (result.status != TACT_OK) {
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
