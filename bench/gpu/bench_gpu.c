// `tact bench gpu`: batches of contact problems on a GPU, beside all threads of the processor.
#include <stdio.h>
#include <string.h>

#include "bench/bench.h"
#include "bench/bench_options.h"
#include "bench/csv.h"
#include "bench/gpu/mechanisms.h"
#include "bench/gpu/truth.h"
#include "bench/gpu/worlds.h"
#include "bench/progress.h"
#include "bench/wanted.h"

static const char help_text[] =
    "usage: tact bench gpu [OPTIONS]\n"
    "\n"
    "Contact problems in batches, of one body (rocks, blocks and pegs) and of mechanisms (a "
    "biped,\n"
    "a robot with four legs, two cubes), solved cold and from the bases of the step before; every\n"
    "answer certified or handed to the processor and counted. The first 100,000 answers of a cold\n"
    "row (20,000 of mechanisms) are certified once more by the processor, and the same problems\n"
    "are solved by all its threads.\n"
    "\n"
    "Then whole worlds, of boxes and of robots (with --models, in a build with libxml2 or where\n"
    "these are compiled): steps a second, and how many of 256 worlds the simulation steps to the\n"
    "same state. A batch is stepped in parts beside each other: the times of begin, contact and "
    "end\n"
    "are sums over these.\n"
    "\n"
    "Then scenes whose answer is known (truth): a block on a slope, a ball that rolls down one, a\n"
    "pinch, blocks that slide in sixteen directions; states beside the processor's, to 1e-9.\n"
    "\n"
    "  --device NAME  cuda (default), or cpu: the same through the same calls, on threads\n"
    "  --only NAME    bodies, mechanisms, worlds, or truth\n"
    "  --models DIR   a folder with mujoco_humanoid, unitree_go2, wonik_allegro, small and truth\n"
    "                 in it (tools/gpu-models makes one of compiled models)\n"
    "  --worlds N     in a batch of these, instead of each row's own number\n"
    "  --row TEXT     only the rows whose names have this in them, of problems with cone and\n"
    "                 start ('humanoid lies', 'biped pyramid warm, 1 %')\n"
    "  --states FILE  write the positions of all worlds at the end of the last row there, worlds\n"
    "                 x nq doubles (tools/gpu-picture draws them)\n"
    "  --problems N   in a batch, instead of each row's own number\n"
    "  --quick        the rows with a wanted figure only\n"
    "  --csv FILE     write all figures there\n"
    "  --help         this\n"
    "\n"
    "Exit status 1: an answer was refused by the processor, or a wanted figure was MISSED.\n";

typedef struct Options {
    const char *device, *csv, *only, *models, *row, *states;
    int         problems, worlds;
    bool        quick;
    TactDevice  kind;
} Options;

/// A row, and the certified problems a second that it is to reach on a GPU, millions; 0: any.
typedef struct Wanted {
    TactBenchCase own;
    double        rate;
} Wanted;

static const Wanted rows[] = {
    {{TACT_MIX_ALL, TACT_CONE_PYRAMID, 8, 8, 1000000, -1}, 40},
    {{TACT_MIX_ALL, TACT_CONE_PYRAMID, 8, 8, 1000000, 0}, 0},
    {{TACT_MIX_ALL, TACT_CONE_PYRAMID, 8, 8, 1000000, 0.001}, 0},
    {{TACT_MIX_ALL, TACT_CONE_PYRAMID, 8, 8, 1000000, 0.01}, 90},
    {{TACT_MIX_ALL, TACT_CONE_PYRAMID, 8, 8, 1000000, 0.1}, 0},
    {{TACT_MIX_ROCK, TACT_CONE_PYRAMID, 8, 8, 1000000, 0.01}, 200},
    {{TACT_MIX_BLOCK, TACT_CONE_PYRAMID, 8, 8, 1000000, 0.01}, 200},
    {{TACT_MIX_ALL, TACT_CONE_PYRAMID, 8, 8, 100000, -1}, 28},
    {{TACT_MIX_ALL, TACT_CONE_CIRCLE, 8, 8, 1000000, -1}, 20},
    {{TACT_MIX_ALL, TACT_CONE_CIRCLE, 8, 8, 1000000, 0.01}, 60},
    {{TACT_MIX_ALL, TACT_CONE_CIRCLE, 8, 8, 1000000, 0}, 0},
    {{TACT_MIX_ALL, TACT_CONE_CIRCLE, 16, 8, 1000000, -1}, 0},
    {{TACT_MIX_ALL, TACT_CONE_PYRAMID, 8, 8, 10000, -1}, 0},
    {{TACT_MIX_ALL, TACT_CONE_PYRAMID, 8, 8, 4000000, -1}, 0},
    {{TACT_MIX_ALL, TACT_CONE_PYRAMID, 8, 4, 1000000, -1}, 0},
    {{TACT_MIX_ALL, TACT_CONE_PYRAMID, 4, 8, 1000000, -1}, 0},
    {{TACT_MIX_ALL, TACT_CONE_PYRAMID, 4, 8, 1000000, 0.01}, 0},
    {{TACT_MIX_ALL, TACT_CONE_PYRAMID, 16, 8, 1000000, -1}, 0},
    {{TACT_MIX_ALL, TACT_CONE_PYRAMID, 16, 8, 1000000, 0.01}, 0},
    {{TACT_MIX_ALL, TACT_CONE_PYRAMID, 32, 8, 200000, -1}, 0},
    {{TACT_MIX_ROCK, TACT_CONE_PYRAMID, 8, 8, 1000000, -1}, 0},
    {{TACT_MIX_BLOCK, TACT_CONE_PYRAMID, 8, 8, 1000000, -1}, 0},
    {{TACT_MIX_PEG, TACT_CONE_PYRAMID, 8, 8, 1000000, -1}, 0},
    {{TACT_MIX_BLOCK_NEAR, TACT_CONE_PYRAMID, 8, 8, 1000000, -1}, 0},
    {{TACT_MIX_PEG_NEAR, TACT_CONE_PYRAMID, 8, 8, 1000000, -1}, 0},
    {{TACT_MIX_PEG_JITTER, TACT_CONE_PYRAMID, 8, 8, 1000000, -1}, 0},
};

/// The same of mechanisms.
typedef struct WantedMechanism {
    TactBenchMechanismCase own;
    double                 rate;
} WantedMechanism;

static const WantedMechanism mechanism_rows[] = {
    {{TACT_MECHANISM_BIPED, 8, 8, 200000, -1, TACT_CONE_PYRAMID}, 10},
    {{TACT_MECHANISM_BIPED, 8, 8, 200000, 0.01, TACT_CONE_PYRAMID}, 25},
    {{TACT_MECHANISM_BIPED, 8, 8, 200000, 0, TACT_CONE_PYRAMID}, 0},
    {{TACT_MECHANISM_BIPED, 8, 8, 200000, 0.001, TACT_CONE_PYRAMID}, 0},
    {{TACT_MECHANISM_BIPED, 8, 4, 200000, -1, TACT_CONE_PYRAMID}, 0},
    {{TACT_MECHANISM_WALKER, 16, 8, 200000, -1, TACT_CONE_PYRAMID}, 3},
    {{TACT_MECHANISM_WALKER, 16, 8, 200000, 0.01, TACT_CONE_PYRAMID}, 0},
    {{TACT_MECHANISM_CUBES, 8, 8, 200000, -1, TACT_CONE_PYRAMID}, 0},
    {{TACT_MECHANISM_CUBES, 8, 8, 200000, 0.01, TACT_CONE_PYRAMID}, 0},
    {{TACT_MECHANISM_CUBES, 16, 8, 200000, -1, TACT_CONE_PYRAMID}, 0},
    {{TACT_MECHANISM_HANDS, 16, 8, 100000, -1, TACT_CONE_PYRAMID}, 0},
    {{TACT_MECHANISM_HANDS, 16, 8, 100000, 0.01, TACT_CONE_PYRAMID}, 0},
    {{TACT_MECHANISM_BIPED, 8, 8, 200000, -1, TACT_CONE_CIRCLE}, 0},
    {{TACT_MECHANISM_BIPED, 8, 8, 200000, 0.01, TACT_CONE_CIRCLE}, 0},
    {{TACT_MECHANISM_WALKER, 16, 8, 200000, -1, TACT_CONE_CIRCLE}, 0},
};

/// Worlds, and the million steps a second that they are to reach on a GPU.
typedef struct WantedWorlds {
    TactBenchWorldsCase own;
    double              rate;
} WantedWorlds;

static const char humanoid[] = "mujoco_humanoid/humanoid.xml";
static const char hand[] = "wonik_allegro/scene_right.xml";

static const WantedWorlds world_rows[] = {
    {{"humanoid falls", humanoid, .begin = 0, .end = 0.5, .worlds = 65536}, 0},
    {{"humanoid lands", humanoid, .begin = 0.5, .end = 1, .worlds = 65536}, 0},
    {{"humanoid lies", humanoid, .begin = 1.5, .end = 2, .worlds = 65536}, 0},
    {{"humanoid 2 s", humanoid, .begin = 0, .end = 2, .worlds = 65536}, 3},
    {{"go2 (mjx) trots", "unitree_go2/scene_mjx.xml", .walks = true, .begin = 0.2, .end = 0.6,
      .worlds = 65536},
     5},
    {{"allegro with ball", hand, false, 0.1, 0.5, 65536, .holds = true, .others = true}, 3},
    {{"humanoid lies", humanoid, .begin = 1.5, .end = 2, .worlds = 8192}, 0},
    {{"humanoid lies", humanoid, .begin = 1.5, .end = 1.7, .worlds = 262144}, 0},
    {{"humanoid, circle", humanoid, false, 0, 2, 65536, .cone = TACT_CONE_CIRCLE}, 0},
    {{"go2 (own) trots", "unitree_go2/scene.xml", true, 0.2, 0.6, 65536, .others = true}, 0},
    {{"go2, sensors", "unitree_go2/scene_mjx.xml", true, 0.2, 0.6, 65536, .senses = true}, 0},
    {{"go2, spin and roll", "unitree_go2/scene.xml", true, 0.2, 0.6, 65536, .others = true,
      .rolls = true},
     0},
    {{"go2, spin, circle", "unitree_go2/scene.xml", true, 0.2, 0.6, 65536, .others = true,
      .rolls = true, .cone = TACT_CONE_CIRCLE},
     0},
    {{"boxes and a capsule", NULL, .end = 1, .worlds = 65536}, 0},
    {{"gripper on a hinge", "small/loop-on-hinge.xml", .end = 0.5, .worlds = 65536}, 0},
};

static const TactBenchTruthCase truth_rows[] = {
    {"block on a slope", "truth/block.xml", TACT_CONE_PYRAMID, 500, 0, true, 0},
    {"block on a slope", "truth/block.xml", TACT_CONE_CIRCLE, 500, 0, true, 0},
    {"ball down a slope", "truth/ball.xml", TACT_CONE_PYRAMID, 250, 0, true, 0},
    {"ball down a slope", "truth/ball.xml", TACT_CONE_CIRCLE, 250, 0, true, 0},
    {"pinch", "truth/pinch.xml", TACT_CONE_PYRAMID, 200, 0, true, 0},
    {"pinch", "truth/pinch.xml", TACT_CONE_CIRCLE, 200, 0, true, 0},
    {"block slides", "truth/slide.xml", TACT_CONE_PYRAMID, 100, 0.5, false, 0},
    {"block slides", "truth/slide.xml", TACT_CONE_CIRCLE, 100, 0.5, true, 0},
    {"humanoid in the air", humanoid, TACT_CONE_PYRAMID, 60, 1, false, .lift = 1},
};

static int read_options(int argc, char **argv, Options *options)
{
    const TactBenchOption words[] = {
        {"--device", TACT_BENCH_TEXT, &options->device, 0, 0},
        {"--only", TACT_BENCH_TEXT, &options->only, 0, 0},
        {"--models", TACT_BENCH_TEXT, &options->models, 0, 0},
        {"--worlds", TACT_BENCH_INTEGER, &options->worlds, 1, 1e7},
        {"--row", TACT_BENCH_TEXT, &options->row, 0, 0},
        {"--states", TACT_BENCH_TEXT, &options->states, 0, 0},
        {"--problems", TACT_BENCH_INTEGER, &options->problems, 1, 1e8},
        {"--quick", TACT_BENCH_FLAG, &options->quick, 0, 0},
        {"--csv", TACT_BENCH_TEXT, &options->csv, 0, 0},
        {0},
    };
    *options = (Options){.device = "cuda"};
    int status = tact_bench_read_options(
        &(TactBenchOptionList){.experiment = "gpu", .help = help_text, .options = words}, argc,
        argv);
    if (status == 0 && tact_device_find(options->device, &options->kind)) {
        return tact_bench_refuse("gpu", "there is no device", options->device);
    }
    if (status == 0 && options->only && strcmp(options->only, "bodies") != 0 &&
        strcmp(options->only, "mechanisms") != 0 && strcmp(options->only, "worlds") != 0 &&
        strcmp(options->only, "truth") != 0) {
        return tact_bench_refuse("gpu", "there are no problems", options->only);
    }
    if (status == 0 && options->only && strcmp(options->only, "truth") == 0 && !options->models) {
        return tact_bench_refuse("gpu", "--models is missing, a folder for", options->only);
    }
    return status;
}

static bool wants(const Options *options, const char *kind)
{
    return !options->only || strcmp(options->only, kind) == 0;
}

/// What a row says of its problems.
typedef struct Label {
    const char *name, *cone;
    int         contacts, directions, count;
    double      change;
} Label;

static void name_start(double change, char text[32])
{
    snprintf(text, 32, change < 0 ? "cold" : "warm, %g %%", 100 * change);
}

static void print_head(void)
{
    printf("%-20s %-7s %-11s %4s %3s %8s  %9s %8s  %10s %10s %8s %7s  %10s %6s\n", "problems",
           "cone", "start", "n", "d", "number", "ms", "M/s", "first try", "certified", "left to",
           "refused", "processor", "ratio");
    printf("%-20s %-7s %-11s %4s %3s %8s  %9s %8s  %10s %10s %8s %7s  %10s %6s\n", "", "", "", "",
           "", "", "", "", "", "", "CPU", "by it", "M/s", "");
}

static void print_row(const Label *own, const TactBenchRow *row)
{
    double count = row->report.count;
    int    certified = row->report.first + row->report.retried + row->report.handed_over;
    char   start[32];
    name_start(own->change, start);
    printf("%-20s %-7s %-11s %4d %3d %8d  %9.3f %8.2f  %10.6f %10.6f %8d", own->name, own->cone,
           start, own->contacts, own->directions, own->count, 1e3 * row->seconds, 1e-6 * row->rate,
           row->report.first / count, certified / count, row->report.handed_over);
    if (row->check.checked > 0) {
        double rate = row->check.checked / row->check.seconds;
        printf(" %7d  %10.2f %6.1f", row->check.refused, 1e-6 * rate, row->rate / rate);
    }
    printf("\n");
    fflush(stdout);
}

static void write_row(FILE *csv, const Label *own, const TactBenchRow *row)
{
    char start[32];
    if (!csv) {
        return;
    }
    name_start(own->change, start);
    fprintf(csv, "%s,%s,\"%s\",%d,%d,%d,%.6g,%.6g,%d,%d,%d,%d,%d", own->name, own->cone, start,
            own->contacts, own->directions, own->count, 1e3 * row->seconds, row->rate,
            row->report.kept, row->report.first, row->report.retried, row->report.handed_over,
            row->report.unsolved);
    if (row->check.checked > 0) {
        fprintf(csv, ",%.4g,%d,%d,%d,%.3g,%.3g,%d,%d,%.6g", row->pivots, row->most_pivots,
                row->check.checked, row->check.refused, row->check.worst, row->check.difference,
                row->check.same, row->check.solved, row->check.checked / row->check.seconds);
    }
    fprintf(csv, "%s\n", row->check.checked > 0 ? "" : ",,,,,,,,,");
    fflush(csv);
}

/// Prints a row, and whether it reaches what is wanted, millions a second: figures are wanted of a
/// GPU, and of batches of the row's own size.
static void put_row(const Options *options, FILE *csv, const Label *label, const TactBenchRow *row,
                    double rate)
{
    print_row(label, row);
    write_row(csv, label, row);
    if (rate > 0 && options->kind == TACT_DEVICE_CUDA && options->problems == 0) {
        printf("  wanted: %g million a second: %s\n", rate,
               tact_bench_wanted(row->rate >= 1e6 * rate));
    }
}

static int give_up(void)
{
    fprintf(stderr, "tact bench gpu: %s\n", tact_status_message());
    return 2;
}

/// Is this row asked for? --row has a part of "biped pyramid warm, 1 %".
static bool asks_for(const Options *options, const Label *own, double rate)
{
    char start[32], text[96];
    name_start(own->change, start);
    snprintf(text, sizeof text, "%s %s %s", own->name, own->cone, start);
    return !(options->quick && rate == 0) && (!options->row || strstr(text, options->row));
}

/// refused: answers that the processor refuses.
static int run_bodies(const Options *options, TactWorkers *workers, FILE *csv, int *refused)
{
    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) {
        TactBenchCase own = rows[k].own;
        TactBenchRow  row;
        own.count = options->problems > 0 ? options->problems : own.count;
        Label label = {tact_mix_name(own.kind),
                       tact_contact_cone_name(own.cone),
                       own.contacts,
                       own.directions,
                       own.count,
                       own.change};
        if (!asks_for(options, &label, rows[k].rate)) {
            continue;
        }
        tact_bench_progress((int)k, (int)(sizeof rows / sizeof *rows), "batches");
        if (tact_bench_bodies_row(options->kind, workers, &own, &row)) {
            return give_up();
        }
        put_row(options, csv, &label, &row, rows[k].rate);
        *refused += row.check.refused;
    }
    return 0;
}

static int run_mechanisms(const Options *options, TactWorkers *workers, FILE *csv, int *refused)
{
    for (size_t k = 0; k < sizeof mechanism_rows / sizeof *mechanism_rows; k++) {
        TactBenchMechanismCase own = mechanism_rows[k].own;
        TactBenchRow           row;
        own.count = options->problems > 0 ? options->problems : own.count;
        Label label = {tact_mechanism_mix_name(own.kind),
                       tact_contact_cone_name(own.cone),
                       own.contacts,
                       own.directions,
                       own.count,
                       own.change};
        if (!asks_for(options, &label, mechanism_rows[k].rate)) {
            continue;
        }
        if (tact_bench_mechanisms_row(options->kind, workers, &own, &row)) {
            return give_up();
        }
        put_row(options, csv, &label, &row, mechanism_rows[k].rate);
        *refused += row.check.refused;
    }
    return 0;
}

static void print_worlds(const TactBenchWorldsCase *own, const TactBenchWorldsRow *row)
{
    const TactWorldBatchReport *r = &row->report;
    double                      each = 1e3 / row->steps, steps = (double)r->steps;
    printf("%-20s %8d  %8.3f %7.3f  %7.3f %7.3f %7.3f %7.3f  %6.2f %9.6f %9.6f %8.4f %6lld  %8.2g  "
           "%4d/%-4d %7.3f %6.1f\n",
           own->name, own->worlds, each * r->seconds, 1e-6 * steps / r->seconds,
           each * r->seconds_begin, each * r->seconds_contact, each * r->seconds_end,
           each * r->seconds_handed, (double)r->solves / steps,
           (double)r->first / (double)(r->solves > 0 ? r->solves : 1),
           (double)r->retried / (double)(r->solves > 0 ? r->solves : 1),
           100 * (double)r->handed_over / steps, r->uncertified, r->error, row->same, row->checked,
           1e-6 * row->processor, row->processor > 0 ? steps / r->seconds / row->processor : 0);
    fflush(stdout);
}

static void write_worlds(FILE *csv, const TactBenchWorldsCase *own, const TactBenchWorldsRow *row)
{
    const TactWorldBatchReport  *r = &row->report;
    const TactWorldBatchReasons *why = &r->reasons;
    if (!csv) {
        return;
    }
    fprintf(
        csv,
        "# worlds,\"%s\",%d,%d,%.6g,%.6g,%.6g,%.6g,%.6g,%lld,%lld,%lld,%lld,%lld,%.3g,%d,%d,%.6g,"
        "%lld,%lld,%lld,%lld,%lld,%lld,%lld,%lld,%lld,%d,%d\n",
        own->name, own->worlds, row->steps, r->seconds, r->seconds_begin, r->seconds_contact,
        r->seconds_end, r->seconds_handed, r->solves, r->first, r->retried, r->handed_over,
        r->uncertified, r->error, row->checked, row->same, row->processor, why->full, why->crossed,
        why->runaway, why->unsolved, why->fast, why->unbalanced, why->deeper, why->sunk, why->shape,
        row->compared, row->equal);
    fflush(csv);
}

static int run_worlds(const Options *options, TactWorkers *workers, FILE *csv)
{
    printf("%-20s %8s  %8s %7s  %7s %7s %7s %7s  %6s %9s %9s %8s %6s  %8s  %9s %7s %6s\n", "worlds",
           "number", "ms/step", "M/s", "begin", "contact", "end", "handed", "solves", "first try",
           "retried", "handed %", "unsure", "error", "same", "proc.", "ratio");
    if (csv) {
        fprintf(csv,
                "# worlds,name,number,steps,seconds,begin,contact,end,handed,solves,first,retried,"
                "handed_over,uncertified,error,checked,same,processor_a_second,full,crossed,"
                "runaway,unsolved,fast,unbalanced,deeper,sunk,shape,compared,equal\n");
    }
    bool found = false;
    for (size_t k = 0; k < sizeof world_rows / sizeof *world_rows; k++) {
        TactBenchWorldsCase own = world_rows[k].own;
        TactBenchWorldsRow  row;
        if ((options->quick && world_rows[k].rate == 0) || (own.file && !options->models) ||
            (options->row && !strstr(own.name, options->row))) {
            continue;
        }
        found = true;
        own.worlds = options->worlds > 0 ? options->worlds : own.worlds;
        if (tact_bench_worlds_row(options->kind, workers, options->models, options->states, &own,
                                  &row)) {
            return give_up();
        }
        print_worlds(&own, &row);
        if (own.senses) {
            printf("  sensors of %d worlds: %d as the processor's to 1e-6, worst %.2g apart\n",
                   row.checked, row.sensed, row.sensed_worst);
        }
        write_worlds(csv, &own, &row);
        if (world_rows[k].rate > 0 && options->kind == TACT_DEVICE_CUDA && options->worlds == 0) {
            double rate = (double)row.report.steps / row.report.seconds;
            printf("  wanted: %g million steps a second: %s\n", world_rows[k].rate,
                   tact_bench_wanted(rate >= 1e6 * world_rows[k].rate));
        }
    }
    if (options->row && options->only && !found) {
        return tact_bench_refuse("gpu", "no row (some need --models) has in its name",
                                 options->row);
    }
    return 0;
}

/// Equal to the processor's to 1e-9, and from world to world where that is the law.
static int run_truth(const Options *options)
{
    printf("%-20s %-7s %5s %6s  %9s %9s  %13s %9s %7s %7s\n", "truth", "cone", "steps", "worlds",
           "apart", "energy", "way, m", "spread", "handed", "unsure");
    for (size_t k = 0; k < sizeof truth_rows / sizeof *truth_rows; k++) {
        const TactBenchTruthCase *own = &truth_rows[k];
        TactBenchTruthRow         row;
        if (tact_bench_truth_row(options->kind, options->models, own, &row)) {
            return give_up();
        }
        printf("%-20s %-7s %5d %6d  %9.2g %9.2g  %13.9g %9.2g %7d %7d\n", own->name,
               tact_contact_cone_name(own->cone), own->steps, row.worlds, row.apart, row.energy,
               row.way, row.spread, row.handed_over, row.uncertified);
        bool holds = row.apart <= 1e-9 && row.energy <= 1e-9 && row.uncertified == 0 &&
                     (!own->alike || row.spread <= 1e-9);
        printf("  wanted: the processor's states to 1e-9%s: %s\n",
               own->alike ? ", and equal ways to 1e-9 m" : "", tact_bench_wanted(holds));
    }
    return 0;
}

/// The same bits in a second run, and in a batch of a quarter?
static int run_again(const Options *options, TactWorkers *workers)
{
    int                    count = options->problems > 0 ? options->problems : 200000;
    TactBenchCase          bodies = {TACT_MIX_ALL, TACT_CONE_PYRAMID, 8, 8, count, -1};
    TactBenchMechanismCase mechanisms = {TACT_MECHANISM_BIPED, 8,  8,
                                         count / 10 + 1,       -1, TACT_CONE_PYRAMID};
    bool                   same = true, same_too = true;
    if ((wants(options, "bodies") && tact_bench_bodies_repeat(options->kind, &bodies, &same)) ||
        (wants(options, "mechanisms") &&
         tact_bench_mechanisms_repeat(options->kind, workers, &mechanisms, &same_too))) {
        return give_up();
    }
    printf("wanted: the same bits in a second run, and in a batch of a quarter: %s\n",
           tact_bench_wanted(same && same_too));
    return 0;
}

/// All rows; what each is to reach.
static int run_rows(const Options *options, TactWorkers *workers, FILE *csv)
{
    int refused = 0, status = 0;
    if (wants(options, "bodies")) {
        status = run_bodies(options, workers, csv, &refused);
    }
    if (status == 0 && wants(options, "mechanisms")) {
        status = run_mechanisms(options, workers, csv, &refused);
    }
    if (status == 0 && wants(options, "worlds")) {
        status = run_worlds(options, workers, csv);
    }
    if (status == 0 && options->models && wants(options, "truth")) {
        status = run_truth(options);
    }
    if (status != 0 || !(wants(options, "bodies") || wants(options, "mechanisms"))) {
        return status;
    }
    printf("wanted: none refused by the processor: %s\n", tact_bench_wanted(refused == 0));
    return run_again(options, workers);
}

int tact_bench_gpu(int argc, char **argv)
{
    Options      options;
    TactWorkers *workers = NULL;
    int          status = read_options(argc, argv, &options);
    if (status != 0) {
        return status < 0 ? 0 : status;
    }
    if (tact_device_count(options.kind) < 1 || tact_workers_create(0, &workers)) {
        fprintf(stderr, "tact bench gpu: %s\n", tact_status_message());
        return 2;
    }
    FILE *csv = options.csv ? tact_bench_csv_open(options.csv) : NULL;
    if (options.csv && !csv) {
        tact_workers_destroy(workers);
        return 2;
    }
    if (csv) {
        fprintf(csv,
                "problems,cone,start,contacts,directions,number,ms,certified_a_second,kept,first,"
                "retried,handed_over,unsolved,pivots,most_pivots,checked,refused,worst_error,"
                "certificates_differ,same_velocity,processor_solved,processor_a_second\n");
    }
    print_head();
    status = run_rows(&options, workers, csv);
    if (csv && tact_bench_csv_close(csv, options.csv)) {
        status = 2;
    }
    tact_workers_destroy(workers);
    return status != 0 ? status : tact_bench_count_missed() > 0;
}
