// `tact bench collide`: contact points of pairs and of piles, beside ODE and Bullet on the same
// poses.
#include "bench/collide/collide.h"

#include <stdlib.h>
#include <string.h>

#include "bench/bench.h"
#include "bench/bench_options.h"
#include "bench/progress.h"

static const char help_text[] =
    "usage: tact bench collide [OPTIONS]\n"
    "\n"
    "Times the contact points of pairs of boxes, capsules, hulls of 64 vertices and tori of 2,000\n"
    "triangles in random poses, a third each apart, just touching and overlapping; and of piles "
    "of\n"
    "125 to 8,000 boxes that all move a little from step to step: the broad phase alone, with the\n"
    "power of n by which its time grows, and broad and narrow phase.\n"
    "\n"
    "  --peers        ODE and Bullet on the same poses, and what is wanted\n"
    "  --module PATH  the module of peers (tact-peers.so beside the program)\n"
    "  --case NAME    only this case: box, capsule, hull-64, torus-2000, pile-125, ..., pile-8000\n"
    "  --budget S     seconds a case and engine, of which the best pass counts (1)\n"
    "  --csv FILE     write all figures there\n"
    "  --help         this\n"
    "\n"
    "Everything is timed on one thread. What an engine found (pairs that touch, contact points a\n"
    "pair) stands beside: tact gives all corners of the region where two faces meet, ODE as many "
    "as\n"
    "it is let (8; 1,000 of meshes), Bullet up to 4, and one of hulls.\n";

static const TactCollideSpec specs[] = {
    {"box", TACT_COLLIDE_BOXES, 2, 1500},       {"capsule", TACT_COLLIDE_CAPSULES, 2, 1500},
    {"hull-64", TACT_COLLIDE_HULLS, 2, 600},    {"torus-2000", TACT_COLLIDE_TORI, 2, 60},
    {"pile-125", TACT_COLLIDE_PILE, 125, 20},   {"pile-343", TACT_COLLIDE_PILE, 343, 20},
    {"pile-1000", TACT_COLLIDE_PILE, 1000, 20}, {"pile-2744", TACT_COLLIDE_PILE, 2744, 20},
    {"pile-8000", TACT_COLLIDE_PILE, 8000, 20},
};

enum { SPECS = sizeof specs / sizeof specs[0] };

typedef struct Options {
    const char *only, *csv, *module;
    bool        peers;
    double      budget;
} Options;

static int bad(const char *what, const char *word)
{
    return tact_bench_refuse("collide", what, word);
}

/// 0: read; 2: bad; -1: only the help was asked for
static int read_options(int argc, char **argv, Options *options)
{
    const TactBenchOption words[] = {
        {"--case", TACT_BENCH_TEXT, &options->only, 0, 0},
        {"--csv", TACT_BENCH_TEXT, &options->csv, 0, 0},
        {"--module", TACT_BENCH_TEXT, &options->module, 0, 0},
        {"--peers", TACT_BENCH_FLAG, &options->peers, 0, 0},
        {"--budget", TACT_BENCH_NUMBER, &options->budget, 1e-3, 1e4},
        {0},
    };
    *options = (Options){.budget = 1};
    return tact_bench_read_options(
        &(TactBenchOptionList){.experiment = "collide", .help = help_text, .options = words}, argc,
        argv);
}

static bool load_engines(TactCollideBench *bench, const Options *options)
{
    TactPeers peers;
    bench->engine[bench->engines++] = &tact_collide_own;
    if (!options->peers) {
        return true;
    }
    if (!tact_bench_load_peers(options->module, &peers)) {
        return false;
    }
    for (const TactCollidePeer *peer = peers.collide; peer->name; peer++) {
        if (bench->engines < TACT_COLLIDE_ENGINES) {
            bench->engine[bench->engines++] = peer;
        }
    }
    return true;
}

int tact_bench_collide(int argc, char **argv)
{
    static TactCollideBench bench;
    Options                 options;
    int                     status = read_options(argc, argv, &options);
    if (status != 0) {
        return status < 0 ? 0 : status;
    }
    bench = (TactCollideBench){0};
    if (!load_engines(&bench, &options)) {
        return 2;
    }
    for (int s = 0; s < SPECS; s++) {
        if (options.only && strcmp(options.only, specs[s].name) != 0) {
            continue;
        }
        tact_bench_progress(options.only ? 0 : s, options.only ? 1 : SPECS, specs[s].name);
        bench.spec[bench.cases] = &specs[s];
        if (tact_collide_run(&bench, bench.cases, options.budget) != TACT_OK) {
            fprintf(stderr, "tact: %s: %s\n", specs[s].name, tact_status_message());
            continue;
        }
        tact_collide_print_case(&bench, bench.cases++);
        fflush(stdout);
    }
    if (bench.cases == 0) {
        return bad("there is no case", options.only ? options.only : "");
    }
    tact_collide_print_growth(&bench);
    tact_collide_print_wanted(&bench);
    return options.csv ? tact_collide_write_csv(&bench, options.csv) : 0;
}
