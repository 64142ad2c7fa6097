// `tact bench friction`: FCLIB and Siconos friction problems by tact and by Siconos.
#include "bench/friction/friction.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "bench/bench.h"
#include "bench/bench_options.h"
#include "bench/progress.h"

static const char help_text[] =
    "usage: tact bench friction [OPTIONS] [FILE | FOLDER]...\n"
    "\n"
    "Contact problem files (FCLIB .hdf5, Siconos .dat, tact's .json) by nsgs, ladder and reduced,\n"
    "and by Siconos's NSGS, ADMM and Newton (in the plane NSGS and CPG), all to the same "
    "natural-map residual of 1e-8, which is\n"
    "recomputed from the problem by the same code for all. Without FILE or FOLDER: the files of\n"
    "$TACT_SHARED/problems/friction or ../shared/problems/friction.\n"
    "\n"
    "  --budget S      seconds a file and solver (20)\n"
    "  --quick         of tact's methods only nsgs\n"
    "  --csv FILE      write all figures there\n"
    "  --no-peers      only tact\n"
    "  --module PATH   the module of peers (tact-peers.so beside the program)\n"
    "  --help          this\n";

static int bad(const char *what, const char *word)
{
    return tact_bench_refuse("friction", what, word);
}

// ---------------------------------------------------------------------------------------------
// Files

static bool add_file(TactFriction *friction, const char *folder, const char *name)
{
    size_t            count = (size_t)friction->count, length = strlen(folder) + strlen(name) + 2;
    TactFrictionCase *cases = realloc(friction->cases, (count + 1) * sizeof *cases);
    char             *path = malloc(length);
    friction->cases = cases ? cases : friction->cases;
    if (!cases || !path) {
        free(path);
        return false;
    }
    snprintf(path, length, "%s%s%s", folder, *folder ? "/" : "", name);
    cases[count] = (TactFrictionCase){.path = path};
    const char *slash = strrchr(path, '/');
    cases[count].name = slash ? slash + 1 : path;
    friction->count++;
    return true;
}

static int is_problem(const struct dirent *entry)
{
    static const char *const ends[] = {".dat", ".hdf5", ".h5", ".json"};
    const char              *dot = strrchr(entry->d_name, '.');
    for (size_t i = 0; dot && i < sizeof ends / sizeof *ends; i++) {
        if (strcmp(dot, ends[i]) == 0) {
            return 1;
        }
    }
    return 0;
}

/// The files of a folder by name, or the file itself.
static int add_path(TactFriction *friction, const char *path)
{
    struct stat info;
    if (stat(path, &info) != 0) {
        return bad("cannot read", path);
    }
    if (!S_ISDIR(info.st_mode)) {
        return add_file(friction, "", path) ? 0 : bad("no memory for", path);
    }
    struct dirent **entries;
    int             found = scandir(path, &entries, is_problem, alphasort);
    if (found < 0) {
        return bad("cannot read", path);
    }
    bool added = true;
    for (int i = 0; i < found; i++) {
        added = added && add_file(friction, path, entries[i]->d_name);
        free(entries[i]);
    }
    free(entries);
    return !added ? bad("no memory for", path) : found == 0 ? bad("no problem files in", path) : 0;
}

static int add_default(TactFriction *friction)
{
    const char *shared = getenv("TACT_SHARED");
    char        path[1024];
    snprintf(path, sizeof path, "%s/problems/friction", shared ? shared : "../shared");
    return add_path(friction, path);
}

// ---------------------------------------------------------------------------------------------
// Options

static int add_word(void *context, const char *word)
{
    return add_path(context, word);
}

/// 0: read; 2: bad; -1: only a help was asked for
static int read_options(int argc, char **argv, TactFriction *friction)
{
    TactFrictionOptions  *options = &friction->options;
    const TactBenchOption words[] = {
        {"--no-peers", TACT_BENCH_FLAG, &options->no_peers, 0, 0},
        {"--quick", TACT_BENCH_FLAG, &options->quick, 0, 0},
        {"--csv", TACT_BENCH_TEXT, &options->csv, 0, 0},
        {"--module", TACT_BENCH_TEXT, &options->module, 0, 0},
        {"--budget", TACT_BENCH_NUMBER, &options->budget, 1e-9, 1e6},
        {0},
    };
    const TactBenchOptionList list = {"friction", help_text, words, add_word, friction};
    options->budget = 20;
    int status = tact_bench_read_options(&list, argc, argv);
    return status == 0 && friction->count == 0 ? add_default(friction) : status;
}

// ---------------------------------------------------------------------------------------------

static void add_peers(TactFriction *friction)
{
    TactPeers peers;
    if (friction->options.no_peers || !tact_bench_load_peers(friction->options.module, &peers)) {
        return;
    }
    for (const TactFrictionPeer *peer = peers.friction;
         peer->name && friction->peers < TACT_FRICTION_MAX_PEERS; peer++) {
        friction->peer[friction->peers++] = peer;
    }
    int rival = tact_friction_rival(friction);
    if (rival > 0) { // beside ours
        const TactFrictionPeer *first = friction->peer[0];
        friction->peer[0] = friction->peer[rival];
        friction->peer[rival] = first;
    }
}

static int run(TactFriction *friction)
{
    int failed = 0;
    add_peers(friction);
    tact_friction_print_head(friction);
    for (int i = 0; i < friction->count; i++) {
        TactFrictionCase *c = &friction->cases[i];
        tact_bench_progress(i, friction->count, c->name);
        tact_friction_run(friction, c);
        tact_friction_print_case(friction, c);
        failed += c->status != TACT_OK || !c->ours[TACT_FRICTION_NSGS].claimed;
    }
    if (!friction->options.quick) {
        tact_friction_print_others(friction);
    }
    tact_friction_print_verdict(friction);
    const char *csv = friction->options.csv;
    if (csv && tact_friction_write_csv(friction, csv) != 0) {
        return 2;
    }
    return failed > 0;
}

int tact_bench_friction(int argc, char **argv)
{
    TactFriction friction = {0};
    int          status = read_options(argc, argv, &friction);
    if (status == 0) {
        status = run(&friction);
    }
    for (int i = 0; i < friction.count; i++) {
        free(friction.cases[i].path);
    }
    free(friction.cases);
    return status < 0 ? 0 : status;
}
