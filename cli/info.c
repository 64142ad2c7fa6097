// tact info: what is in a model file.
#include "info.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli.h"

enum { MOST_PACKAGE_PATHS = 64 };

typedef struct Options {
    const char *path;
    const char *qpos;
    const char *qvel;
    const char *keyframe;
    const char *package_paths[MOST_PACKAGE_PATHS];
    int         package_path_count;
    bool        json;
    bool        strict;
    bool        free_base;
    bool        help;
} Options;

static void print_help(void)
{
    printf(
        "usage: tact info FILE [--json] [--keyframe NAME | --qpos \"...\"] ...\n\n"
        "Says what is in a model file (MJCF or URDF): the tree of bodies with masses and joints,\n"
        "limits, geoms, actuators, constraints.\n\noptions\n"
        "  --json               print one JSON object: all of it, in SI units and radians\n"
        "  --keyframe NAME      poses of bodies at a keyframe of the file\n"
        "  --qpos \"...\"         poses at these nq coordinates, in the order of the joints;\n"
        "                       free: position and quaternion w x y z, ball: quaternion\n"
        "  --qvel \"...\"         the nv velocities of that state. With --json, and --qpos or\n"
        "                       --qvel, also the mass matrix M, the bias (Coriolis, centrifugal\n"
        "                       and gravity forces) and qacc, the acceleration by these alone\n"
        "  --strict             fail if physics of the file is approximated or ignored\n"
        "  --package-path DIR   where package://NAME/... of a URDF is looked for as\n"
        "                       DIR/NAME/...; may be given again. Then ROS_PACKAGE_PATH\n"
        "  --free               let the root link of a URDF float: else it is fixed\n"
        "  --help               say this\n\n"
        "tact check FILE says what of a file is honoured, approximated or ignored.\n");
}

// ---------------------------------------------------------------------------------------------
// The line

/// Takes the value of an option, "--name VALUE" or "--name=VALUE"; false: the word is another one.
static bool take_value(const char *name, int argc, char **argv, int *i, const char **value)
{
    size_t length = strlen(name);
    if (strncmp(argv[*i], name, length) != 0) {
        return false;
    }
    if (argv[*i][length] == '=') {
        *value = argv[*i] + length + 1;
        return true;
    }
    if (argv[*i][length] != '\0') {
        return false;
    }
    *value = *i + 1 < argc ? argv[++*i] : NULL;
    return true;
}

static bool unknown_option(const char *word)
{
    static const char *const names[] = {"--json", "--keyframe", "--qpos",
                                        "--qvel", "--strict",   "--package-path",
                                        "--free", "--help",     NULL};

    const char *nearest = tact_cli_nearest(word, names);
    if (nearest) {
        tact_cli_bad("there is no option '%s'; did you mean '%s'?", word, nearest);
    } else {
        tact_cli_bad("there is no option '%s'; see tact info --help", word);
    }
    return false;
}

static bool set_flag(const char *word, Options *options)
{
    bool *flag = strcmp(word, "--json") == 0                              ? &options->json
                 : strcmp(word, "--strict") == 0                          ? &options->strict
                 : strcmp(word, "--free") == 0                            ? &options->free_base
                 : strcmp(word, "--help") == 0 || strcmp(word, "-h") == 0 ? &options->help
                                                                          : NULL;
    if (!flag) {
        return false;
    }
    *flag = true;
    return true;
}

static bool parse_word(int argc, char **argv, int *i, Options *options)
{
    const char *word = argv[*i];
    const char *value = "";
    const char *package = NULL;
    if (set_flag(word, options)) {
        return true;
    }
    if (take_value("--qpos", argc, argv, i, &value)) {
        options->qpos = value;
    } else if (take_value("--qvel", argc, argv, i, &value)) {
        options->qvel = value;
    } else if (take_value("--keyframe", argc, argv, i, &value)) {
        options->keyframe = value;
    } else if (take_value("--package-path", argc, argv, i, &value)) {
        package = value;
    } else {
        return unknown_option(word);
    }
    if (!value) {
        tact_cli_bad("%s needs a value", word);
        return false;
    }
    if (package && options->package_path_count == MOST_PACKAGE_PATHS) {
        tact_cli_bad("more than %d package paths", MOST_PACKAGE_PATHS);
        return false;
    }
    if (package) {
        options->package_paths[options->package_path_count++] = package;
    }
    return true;
}

static bool parse(int argc, char **argv, Options *options)
{
    for (int i = 1; i < argc; i++) {
        if (argv[i][0] == '-' && argv[i][1] != '\0') {
            if (!parse_word(argc, argv, &i, options)) {
                return false;
            }
        } else if (options->path) {
            tact_cli_bad("one file at a time: '%s' or '%s'?", options->path, argv[i]);
            return false;
        } else {
            options->path = argv[i];
        }
    }
    if (!options->path && !options->help) {
        tact_cli_bad("tact info needs a model file; see tact info --help");
        return false;
    }
    if (options->qpos && options->keyframe) {
        tact_cli_bad("--qpos or --keyframe, not both");
        return false;
    }
    return true;
}

// ---------------------------------------------------------------------------------------------
// The state

/// Exactly count numbers, between blanks or commas.
static bool parse_numbers(const char *name, const char *text, int count, double *numbers)
{
    int found = 0;
    for (const char *at = text;; found++) {
        at += strspn(at, " \t\n,");
        if (*at == '\0') {
            break;
        }
        char  *end;
        double number = strtod(at, &end);
        if (end == at || !isfinite(number)) {
            tact_cli_bad("%s: '%.20s' is no number", name, at);
            return false;
        }
        if (found < count) {
            numbers[found] = number;
        }
        at = end;
    }
    if (found != count) {
        tact_cli_bad("%s needs %d numbers for this model, not %d", name, count, found);
    }
    return found == count;
}

static bool find_keyframe(const TactModel *model, const char *name, int *index)
{
    *index = tact_model_find(model, TACT_OBJECT_KEYFRAME, name);
    for (int i = 0; i < model->keyframe_count && *index < 0; i++) {
        char text[64]; // those without a name by their label
        if (strcmp(tact_model_label(model, TACT_OBJECT_KEYFRAME, i, text), name) == 0) {
            *index = i;
        }
    }
    if (*index >= 0) {
        return true;
    }
    if (model->keyframe_count == 0) {
        tact_cli_bad("the model has no keyframes");
    } else {
        char text[64];
        tact_cli_bad("there is no keyframe '%s'; the first one is '%s'", name,
                     tact_model_label(model, TACT_OBJECT_KEYFRAME, 0, text));
    }
    return false;
}

static bool set_state(const Options *options, TactInfo *info)
{
    const TactModel *model = info->model;
    snprintf(info->state, sizeof info->state, "reference");
    memcpy(info->q, model->q_reference, (size_t)model->nq * sizeof *info->q);
    info->asked = options->qpos || options->keyframe;
    if (options->qvel && !parse_numbers("--qvel", options->qvel, model->nv, info->v)) {
        return false;
    }
    if (options->qpos) {
        snprintf(info->state, sizeof info->state, "--qpos");
        return parse_numbers("--qpos", options->qpos, model->nq, info->q);
    }
    if (options->keyframe) {
        int key;
        if (!find_keyframe(model, options->keyframe, &key)) {
            return false;
        }
        snprintf(info->state, sizeof info->state, "keyframe '%s'", options->keyframe);
        memcpy(info->q, model->keyframes[key].q, (size_t)model->nq * sizeof *info->q);
    }
    return true;
}

// ---------------------------------------------------------------------------------------------

int tact_info_count_notes(const TactModelNotes *notes, TactVerdict verdict)
{
    int count = 0;
    for (int i = 0; i < notes->count; i++) {
        count += notes->items[i].physics && notes->items[i].verdict == verdict;
    }
    return count;
}

static void warn(const TactInfo *info)
{
    int approximated = tact_info_count_notes(info->notes, TACT_APPROXIMATED);
    int ignored = tact_info_count_notes(info->notes, TACT_IGNORED);
    if (approximated + ignored > 0) {
        fprintf(stderr, "tact: physics of %s: %d approximated, %d ignored; see tact check\n",
                info->path, approximated, ignored);
    }
}

static int describe(const Options *options, TactInfo *info)
{
    info->q = (double *)calloc((size_t)info->model->nq + 1, sizeof *info->q);
    info->poses = (TactTransform *)calloc((size_t)info->model->body_count, sizeof *info->poses);
    info->v = (double *)calloc((size_t)info->model->nv + 1, sizeof *info->v);
    if (!info->q || !info->v || !info->poses) {
        return tact_cli_bad("no memory");
    }
    if (!set_state(options, info)) {
        return TACT_EXIT_BAD;
    }
    tact_model_kinematics(info->model, info->q, info->poses);
    if ((options->qpos || options->qvel) && options->json && !tact_info_find_dynamics(info)) {
        return TACT_EXIT_BAD;
    }
    warn(info);
    if (options->json) {
        return tact_info_print_json(info);
    }
    tact_info_print(info);
    return TACT_EXIT_DONE;
}

int tact_cli_info(int argc, char **argv)
{
    Options options = {0};
    if (!parse(argc, argv, &options)) {
        return TACT_EXIT_BAD;
    }
    if (options.help) {
        print_help();
        return TACT_EXIT_DONE;
    }
    TactModelLoad config = tact_model_load_default();
    config.package_path_count = options.package_path_count;
    config.package_paths = options.package_paths;
    config.strict = options.strict;
    config.urdf_free = options.free_base;

    TactModel      *model = NULL;
    TactModelNotes *notes = NULL;
    int             status = TACT_EXIT_BAD;
    if (tact_model_load(options.path, &config, &model, &notes) != TACT_OK) {
        tact_cli_bad("%s", tact_status_message());
    } else {
        TactInfo info = {.path = options.path, .model = model, .notes = notes};
        status = describe(&options, &info);
        tact_info_free_dynamics(&info);
        free(info.q);
        free(info.v);
        free(info.poses);
    }
    tact_model_notes_destroy(notes);
    tact_model_destroy(model);
    return status;
}
