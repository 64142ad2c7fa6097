// `tact bench lloyd`: the experiments of [Lloyd04, 5.4], ours beside the paper's.
#include "bench/lloyd/lloyd.h"

#include <stdlib.h>
#include <string.h>

#include "bench/bench.h"
#include "bench/bench_options.h"
#include "bench/lloyd/lloyd_smooth.h"
#include "bench/progress.h"

static const char help_text[] =
    "usage: tact bench lloyd [OPTIONS]\n"
    "\n"
    "Lloyd's three experiments: a peg in a hole, ten situations of one body, stacks of blocks. "
    "Mean\n"
    "times and pivots of standard (the assembled LCP by lemke-lex), structural and reduced, cold "
    "and\n"
    "warm, of the ladder, and of the circular cone, with the growth exponents, beside what the "
    "paper\n"
    "says of its own.\n"
    "\n"
    "  --quick         seconds instead of minutes: 3 problems a point, 0.2 s, up to 20 contacts\n"
    "  --instances N   problems a point (20)\n"
    "  --budget S      seconds a point and method (4)\n"
    "  --largest N     leave problems of more contacts out (160)\n"
    "  --csv FILE      write all figures there\n"
    "  --plots FOLDER  write the plots of the paper there, as SVG; made if it is not there\n"
    "  --peers         the solvers of other libraries on the same problems, and what is wanted\n"
    "  --module PATH   the module of peers (tact-peers.so beside the program)\n"
    "  --help          this\n";

static int bad(const char *what, const char *word)
{
    return tact_bench_refuse("lloyd", what, word);
}

// ---------------------------------------------------------------------------------------------
// Options

/// 0: read; 2: bad; -1: only a help was asked for
static int read_options(int argc, char **argv, TactLloydOptions *options)
{
    bool                  quick = false;
    const TactBenchOption words[] = {
        {"--quick", TACT_BENCH_FLAG, &quick, 0, 0},
        {"--peers", TACT_BENCH_FLAG, &options->peers, 0, 0},
        {"--csv", TACT_BENCH_TEXT, &options->csv, 0, 0},
        {"--plots", TACT_BENCH_TEXT, &options->plots, 0, 0},
        {"--module", TACT_BENCH_TEXT, &options->module, 0, 0},
        {"--instances", TACT_BENCH_INTEGER, &options->instances, 1, TACT_LLOYD_MAX_INSTANCES},
        {"--budget", TACT_BENCH_NUMBER, &options->budget, 1e-9, 1e6},
        {"--largest", TACT_BENCH_INTEGER, &options->largest, 1, 1000},
        {0},
    };
    *options = (TactLloydOptions){0};
    int status = tact_bench_read_options(
        &(TactBenchOptionList){.experiment = "lloyd", .help = help_text, .options = words}, argc,
        argv);
    // What was not given: 0.
    options->instances = options->instances ? options->instances : quick ? 3 : 20;
    options->budget = options->budget > 0 ? options->budget : quick ? 0.2 : 4;
    options->largest = options->largest ? options->largest : quick ? 20 : 160;
    return status;
}

// ---------------------------------------------------------------------------------------------
// Points

static void add_point(TactLloyd *lloyd, TactLloydShape shape, int contacts, int bodies,
                      int directions, double disturbance)
{
    if (contacts <= lloyd->options.largest && lloyd->points < TACT_LLOYD_MAX_POINTS) {
        lloyd->point[lloyd->points++] =
            (TactLloydPoint){shape, contacts, bodies, directions, disturbance};
    }
}

static void add_points(TactLloyd *lloyd)
{
    static const int pegs[] = {8, 12, 16, 20, 24, 28, 32, 48, 64, 96, 128};
    // Ten as in the paper, then on.
    static const int stacks[][2] = {{1, 4},  {2, 8},   {2, 12},  {3, 12},  {3, 20},
                                    {4, 16}, {4, 24},  {4, 28},  {5, 20},  {5, 32},
                                    {8, 32}, {10, 40}, {15, 60}, {20, 80}, {20, 156}};
    for (size_t k = 0; k < sizeof pegs / sizeof *pegs; k++) {
        add_point(lloyd, TACT_LLOYD_PEG, pegs[k], 1, 8, 0);
    }
    for (int n = 8; n <= 32; n *= 2) {
        add_point(lloyd, TACT_LLOYD_PEG, n, 1, 8, 1e-4);
    }
    for (size_t k = 0; k < sizeof pegs / sizeof *pegs; k++) {
        add_point(lloyd, TACT_LLOYD_PEG_JITTERED, pegs[k], 1, 8, 0);
    }
    for (int d = 4; d <= 16; d *= 4) {
        add_point(lloyd, TACT_LLOYD_PEG, 16, 1, d, 0);
        add_point(lloyd, TACT_LLOYD_PEG_JITTERED, 16, 1, d, 0);
        add_point(lloyd, TACT_LLOYD_PEG_JITTERED, 32, 1, d, 0);
    }
    for (int n = 1; n <= 16; n++) {
        if (tact_lloyd_situation(n)) {
            add_point(lloyd, TACT_LLOYD_SINGLE, n, 1, 8, 0);
        }
    }
    for (size_t k = 0; k < sizeof stacks / sizeof *stacks; k++) {
        add_point(lloyd, TACT_LLOYD_STACK, stacks[k][1], stacks[k][0], 8, 0);
    }
    for (int d = 4; d <= 16; d *= 4) {
        add_point(lloyd, TACT_LLOYD_STACK, 20, 5, d, 0);
    }
}

// ---------------------------------------------------------------------------------------------

static bool add_peers(TactLloyd *lloyd)
{
    static const char *const lemkes[] = {"siconos-lexicolemke", "dart-lemke"};
    TactPeers                peers;
    if (!tact_bench_load_peers(lloyd->options.module, &peers)) {
        return false;
    }
    for (const TactPeer *peer = peers.lcp; peer->name; peer++) {
        for (size_t k = 0; k < sizeof lemkes / sizeof *lemkes; k++) {
            if (strcmp(peer->name, lemkes[k]) == 0) {
                lloyd->peer[lloyd->peers++] = (TactLloydPeer){peer->name, peer, NULL};
            }
        }
    }
    for (const TactFrictionPeer *peer = peers.friction;
         peer->name && lloyd->peers < TACT_LLOYD_MAX_PEERS; peer++) {
        lloyd->peer[lloyd->peers++] = (TactLloydPeer){peer->name, NULL, peer};
    }
    return true;
}

static bool create(TactLloyd *lloyd)
{
    size_t count = (size_t)lloyd->options.instances;
    bool   made = true;
    for (int i = 0; i < lloyd->points; i++) {
        for (int m = 0; m < TACT_LLOYD_METHODS; m++) {
            lloyd->cell[i][m].run = calloc(count, sizeof(TactBenchRun));
            made = made && lloyd->cell[i][m].run;
        }
        for (int p = 0; p < lloyd->peers; p++) {
            lloyd->peer_cell[i][p].run = calloc(count, sizeof(TactBenchRun));
            made = made && lloyd->peer_cell[i][p].run;
        }
    }
    return made;
}

static void destroy(TactLloyd *lloyd)
{
    for (int i = 0; i < lloyd->points; i++) {
        for (int m = 0; m < TACT_LLOYD_METHODS; m++) {
            free(lloyd->cell[i][m].run);
        }
        for (int p = 0; p < lloyd->peers; p++) {
            free(lloyd->peer_cell[i][p].run);
        }
    }
    free(lloyd);
}

/// Every problem must be solved by the ladder, pyramid and circle.
static bool is_proven(const TactLloyd *lloyd)
{
    bool proven = true;
    for (int i = 0; i < lloyd->points; i++) {
        for (int m = TACT_LLOYD_LADDER; m <= TACT_LLOYD_CIRCLE; m++) {
            proven = proven && lloyd->cell[i][m].solved == lloyd->cell[i][m].asked;
        }
    }
    return proven;
}

static int run(TactLloyd *lloyd)
{
    for (int i = 0; i < lloyd->points; i++) {
        char name[64], words[128];
        tact_lloyd_point_name(&lloyd->point[i], name, sizeof name);
        snprintf(words, sizeof words, "%d of %d: %s, %s", i + 1, lloyd->points,
                 tact_lloyd_shape_name(lloyd->point[i].shape), name);
        tact_bench_progress(i, lloyd->points, words);
        if (tact_lloyd_run_point(lloyd, i) != TACT_OK) {
            return bad("no memory for", "the problems");
        }
    }
    tact_lloyd_print(lloyd);
    if (lloyd->options.peers) {
        tact_lloyd_print_wanted(lloyd);
        tact_lloyd_smooth(lloyd);
    }
    if (lloyd->options.csv && tact_lloyd_write_csv(lloyd, lloyd->options.csv) != 0) {
        return 2;
    }
    if (lloyd->options.plots && tact_lloyd_write_plots(lloyd, lloyd->options.plots) != TACT_OK) {
        return bad("cannot write into", lloyd->options.plots);
    }
    return is_proven(lloyd) ? 0 : 1;
}

int tact_bench_lloyd(int argc, char **argv)
{
    TactLloyd *lloyd = calloc(1, sizeof *lloyd);
    if (!lloyd) {
        return bad("no memory for", "the results");
    }
    int status = read_options(argc, argv, &lloyd->options);
    if (status == 0 && lloyd->options.peers && !add_peers(lloyd)) {
        status = 2;
    }
    if (status == 0) {
        add_points(lloyd);
        status = create(lloyd) ? run(lloyd) : bad("no memory for", "the results");
    }
    destroy(lloyd);
    return status < 0 ? 0 : status;
}
