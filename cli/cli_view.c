// `tact view [FILE]`: look at a simulation or a recording in the browser.
#include <limits.h>
#include <stdio.h>

#include "cli/cli.h"
#include "cli/options.h"
#include "cli/progress/progress.h"

#ifdef TACT_HAVE_VIEW
#include "bench/scene_file.h"
#include "cli/contacts/contacts.h"
#include "view/view.h"

_Static_assert((int)TACT_CONTACTS_WORDS == (int)TACT_VIEW_WORDS, "sentences have the same room");

typedef struct ViewOptions {
    TactViewOptions view;
    bool            closed; // --no-open
    bool            help;
    int             cone;  // of the words, -1: not given
    int             share; // TactContactShare
    int             port;  // 0: not given
} ViewOptions;

static const char *const cones[] = {"pyramid", "circle", NULL};

static const char *const shares[] = {
    [TACT_SHARE_VERTEX] = "vertex",
    [TACT_SHARE_LEAST] = "least",
    NULL,
};

#define AT(field) offsetof(ViewOptions, field)

static const TactOption options[] = {
    {"--host", TACT_OPTION_TEXT, AT(view.host), "ADDRESS",
     "address to listen on, for other machines, which need\nthe token that is then printed "
     "(default: this machine only)",
     NULL},
    {"--port", TACT_OPTION_COUNT, AT(port), "N", "port to listen on (default: a free one)", NULL},
    {"--no-open", TACT_OPTION_FLAG, AT(closed), NULL, "do not start a browser", NULL},
    {"--paused", TACT_OPTION_FLAG, AT(view.paused), NULL, "wait for Play", NULL},
    {"--method", TACT_OPTION_TEXT, AT(view.method), "NAME", "of contact problems (ladder)", NULL},
    {"--cone", TACT_OPTION_WORD, AT(cone), "CONE", "circle or pyramid", cones},
    {"--share", TACT_OPTION_WORD, AT(share), "WORD",
     "forces of redundant contacts: least norm (default) or vertex", shares},
    {"--sleep", TACT_OPTION_REAL, AT(view.sleep), "S",
     "let bodies at rest for S seconds sleep; 0: none (0.5)", NULL},
    {"--scenes", TACT_OPTION_TEXT, AT(view.scenes), "FOLDER", "of the gallery", NULL},
    {"--help", TACT_OPTION_FLAG, AT(help), NULL, "print this help", NULL},
};

static const TactOptionTable table = {"view", sizeof options / sizeof options[0], options};

const TactOptionTable *tact_cli_view_options(void)
{
    return &table;
}

static void print_view_help(void)
{
    printf("usage: tact view [OPTIONS] [FILE]\n"
           "\n"
           "Serves a page that simulates a model (MJCF, URDF) live, or replays a recording "
           "(.tact);\n"
           "without a file, a gallery of the scenes that come with tact. The address is printed.\n"
           "\n");
    tact_options_print(&table);
}

const char *tact_cli_viewer(void)
{
    return tact_view_has_page() ? "yes" : "without its page";
}

int tact_cli_view(int argc, char **argv)
{
    static char    scenes[PATH_MAX];
    ViewOptions    given = {.cone = -1, .share = TACT_SHARE_LEAST, .view.sleep = -1};
    TactOptionRest rest;
    if (!tact_options_parse(&table, argc, argv, &given, &rest)) {
        return TACT_EXIT_BAD;
    }
    if (given.help) {
        print_view_help();
        return TACT_EXIT_DONE;
    }
    if (rest.count > 1) {
        return tact_cli_bad("view: one file at a time");
    }
    given.view.file = rest.count == 1 ? rest.words[0] : NULL;
    given.view.port = given.port;
    given.view.open = !given.closed;
    given.view.explain = tact_contacts_explain;
    given.view.share = (TactContactShare)given.share;
    given.view.cone = given.cone >= 0 ? cones[given.cone] : NULL;
    if (!given.view.scenes) {
        tact_bench_find_scene(NULL, "", scenes, sizeof scenes);
        given.view.scenes = scenes;
    }
    given.view.ready = tact_progress_end;
    if (given.view.file) {
        tact_progress_stage("reading %s", tact_cli_base_name(given.view.file));
    }
    return tact_view_serve(&given.view);
}

#else

const char *tact_cli_viewer(void)
{
    return "no";
}

const TactOptionTable *tact_cli_view_options(void)
{
    static const TactOptionTable none = {"view", 0, NULL};
    return &none;
}

int tact_cli_view(int argc, char **argv)
{
    (void)argc;
    (void)argv;
    return tact_cli_bad("this program was built without its viewer: install libwebsockets and "
                        "zlib (Debian: libwebsockets-dev zlib1g-dev) and build it again");
}

#endif
