// tact info: what is in a model file.
#include "cli/info/info.h"

#include <math.h>
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
    const char     *qpos;
    const char     *qvel;
    const char     *keyframe;
    TactOptionTexts packages;
    bool            exact_meshes, xacro;
    bool            json;
    bool            strict;
    bool            free_base;
    bool            help;
} Options;

static const TactOption options_of_info[] = {
    {"--json", TACT_OPTION_FLAG, offsetof(Options, json), NULL,
     "print one JSON object: all of it, in SI units and radians", NULL},
    {"--keyframe", TACT_OPTION_TEXT, offsetof(Options, keyframe), "NAME",
     "poses of bodies at a keyframe of the file", NULL},
    {"--qpos", TACT_OPTION_TEXT, offsetof(Options, qpos), "\"...\"",
     "poses at these nq coordinates, in the order of the joints;\n"
     "free: position and quaternion w x y z, ball: quaternion",
     NULL},
    {"--qvel", TACT_OPTION_TEXT, offsetof(Options, qvel), "\"...\"",
     "the nv velocities of that state. With --json, and --qpos or\n"
     "--qvel, also the mass matrix M, the bias (Coriolis, centrifugal\n"
     "and gravity forces) and qacc, the acceleration by these alone",
     NULL},
    {"--strict", TACT_OPTION_FLAG, offsetof(Options, strict), NULL,
     "fail if physics of the file is approximated or ignored", NULL},
    {"--exact-meshes", TACT_OPTION_FLAG, offsetof(Options, exact_meshes), NULL,
     "collision meshes of a URDF are triangle meshes instead of\n"
     "their convex hulls",
     NULL},
    {"--xacro", TACT_OPTION_FLAG, offsetof(Options, xacro), NULL,
     "expand the file by the program xacro first", NULL},
    {"--package-path", TACT_OPTION_TEXTS, offsetof(Options, packages), "DIR",
     "where package://NAME/... of a URDF is looked for as\n"
     "DIR/NAME/...; may be given again. Then ROS_PACKAGE_PATH",
     NULL},
    {"--free", TACT_OPTION_FLAG, offsetof(Options, free_base), NULL,
     "give the root link of a URDF a free joint (default: fixed)", NULL},
    {"--help", TACT_OPTION_FLAG, offsetof(Options, help), NULL, "print this help", NULL},
};

static const TactOptionTable line = {"info", sizeof options_of_info / sizeof options_of_info[0],
                                     options_of_info};

const TactOptionTable *tact_cli_info_options(void)
{
    return &line;
}

static void print_help(void)
{
    printf(
        "usage: tact info FILE [--json] [--keyframe NAME | --qpos \"...\"] ...\n\n"
        "Prints the contents of a model file (MJCF or URDF): the tree of bodies with masses and\n"
        "joints, limits, geoms, actuators, constraints. For a recording of tact run (FILE.tact):\n"
        "how it was made, its length, and whether it is complete.\n\n");
    tact_options_print(&line);
    printf("\ntact check FILE lists what is honoured, approximated or ignored.\n");
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
        int key = tact_cli_find_keyframe(model, "the model", options->keyframe);
        if (key < 0) {
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
    int approximated = tact_info_count_notes(info->notes, TACT_VERDICT_APPROXIMATED);
    int ignored = tact_info_count_notes(info->notes, TACT_VERDICT_IGNORED);
    if (approximated + ignored > 0) {
        fprintf(stderr, "tact: physics of %s: %d approximated, %d ignored; see tact check\n",
                info->path, approximated, ignored);
    }
}

static int describe_model(const Options *options, TactInfo *info)
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
    tact_model_compute_poses(info->model, info->q, info->poses);
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
    Options        options = {0};
    TactOptionRest rest;
    if (!tact_options_parse(&line, argc, argv, &options, &rest)) {
        return TACT_EXIT_BAD;
    }
    if (options.help) {
        print_help();
        return TACT_EXIT_DONE;
    }
    const char *path = tact_options_single(&line, &rest, "a model file");
    if (!path) {
        return TACT_EXIT_BAD;
    }
    if (tact_recording_is_file(path)) {
        return tact_recording_info(path, options.json);
    }
    if (options.qpos && options.keyframe) {
        return tact_cli_bad("--qpos or --keyframe, not both");
    }
    TactModelLoadConfig config = tact_model_load_config_default();
    config.package_path_count = options.packages.count;
    config.package_paths = options.packages.texts;
    config.strict = options.strict;
    config.urdf_free = options.free_base;

    TactModel      *model = NULL;
    TactModelNotes *notes = NULL;
    int             status = TACT_EXIT_BAD;
    char            message[512];
    config.urdf_exact_meshes = options.exact_meshes;
    if (tact_cli_load_model(path, options.xacro, &config, &model, &notes, message) != TACT_OK) {
        tact_cli_bad("%s", message);
    } else {
        TactInfo info = {.path = path, .model = model, .notes = notes};
        status = describe_model(&options, &info);
        tact_info_free_dynamics(&info);
        free(info.q);
        free(info.v);
        free(info.poses);
    }
    tact_model_notes_destroy(notes);
    tact_model_destroy(model);
    return status;
}
