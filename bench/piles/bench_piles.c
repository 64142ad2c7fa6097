#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "bench/bench.h"
#include "bench/bench_options.h"
#include "bench/csv.h"
#include "bench/piles/piles.h"
#include "bench/progress.h"

static const char help_text[] =
    "usage: tact bench piles [OPTIONS]\n"
    "\n"
    "Heaps of bodies that fall between walls and tumble; every contact problem certified. Times\n"
    "are those of the processor.\n"
    "\n"
    "  --shape NAME   boxes (default), spheres, capsules, mixed, chains\n"
    "  --number N     of bodies (64, and 216)\n"
    "  --seed N       the first of the scenes (1)\n"
    "  --seeds N      how many scenes (1)\n"
    "  --wedged       bodies overlap at the start\n"
    "  --poured       from a column into a bin that can be seen through\n"
    "  --masses D     densities over so many decades (0)\n"
    "  --friction MU  of all bodies and walls (0.5)\n"
    "  --time S       how long they fall (2)\n"
    "  --step S       length of a step (0.005)\n"
    "  --save DIR     write contact problems there, as JSON that tact solve reads: those of slow\n"
    "                 steps, and those that are not certified\n"
    "  --slower MS    steps that count as slow (0: all)\n"
    "  --least N      contacts of a problem that is worth it (1)\n"
    "  --scene FILE   only write the scene, as MJCF (- is standard output)\n"
    "  --csv FILE     write all figures there\n"
    "  --peers        Bullet, MuJoCo, ODE and DART on the same scenes, beside tact: a table each\n"
    "  --budget S     seconds that each of them may take for a scene (60)\n"
    "  --module PATH  where they are (tact-peers.so beside the program)\n"
    "  --help         this\n"
    "\n"
    "Exit status 1: a contact problem was not certified.\n";

typedef struct Options {
    const char   *shape, *save, *scene, *csv;
    TactPilePeers peers;
    bool          compared;
    int           number, seed, seeds, least;
    bool          wedged, poured;
    double        decades, mu, time, step, slower;
    TactPileShape kind;
} Options;

static int read_options(int argc, char **argv, Options *options)
{
    const TactBenchOption words[] = {
        {"--shape", TACT_BENCH_TEXT, &options->shape, 0, 0},
        {"--number", TACT_BENCH_INTEGER, &options->number, 1, 1e5},
        {"--seed", TACT_BENCH_INTEGER, &options->seed, 0, 1e9},
        {"--seeds", TACT_BENCH_INTEGER, &options->seeds, 1, 1e6},
        {"--wedged", TACT_BENCH_FLAG, &options->wedged, 0, 0},
        {"--poured", TACT_BENCH_FLAG, &options->poured, 0, 0},
        {"--masses", TACT_BENCH_NUMBER, &options->decades, 0, 12},
        {"--friction", TACT_BENCH_NUMBER, &options->mu, 0, 100},
        {"--time", TACT_BENCH_NUMBER, &options->time, 0, 1e6},
        {"--step", TACT_BENCH_NUMBER, &options->step, 1e-6, 1},
        {"--save", TACT_BENCH_TEXT, &options->save, 0, 0},
        {"--slower", TACT_BENCH_NUMBER, &options->slower, 0, 1e9},
        {"--least", TACT_BENCH_INTEGER, &options->least, 0, 1e9},
        {"--scene", TACT_BENCH_TEXT, &options->scene, 0, 0},
        {"--csv", TACT_BENCH_TEXT, &options->csv, 0, 0},
        {"--peers", TACT_BENCH_FLAG, &options->compared, 0, 0},
        {"--budget", TACT_BENCH_NUMBER, &options->peers.budget, 1e-3, 1e5},
        {"--module", TACT_BENCH_TEXT, &options->peers.module, 0, 0},
        {0},
    };
    *options = (Options){.shape = "boxes",
                         .seed = 1,
                         .seeds = 1,
                         .least = 1,
                         .mu = 0.5,
                         .time = 2,
                         .step = 0.005,
                         .peers.budget = 60};
    int status = tact_bench_read_options(
        &(TactBenchOptionList){.experiment = "piles", .help = help_text, .options = words}, argc,
        argv);
    for (int k = 0; k < TACT_PILE_SHAPE_COUNT && status == 0; k++) {
        if (strcmp(options->shape, tact_pile_shape_name((TactPileShape)k)) == 0) {
            options->kind = (TactPileShape)k;
            return 0;
        }
    }
    return status != 0 ? status : tact_bench_refuse("piles", "there is no shape", options->shape);
}

static TactPileScene scene_of(const Options *options, int number, int seed)
{
    return (TactPileScene){
        .shape = options->kind,
        .number = number,
        .seed = seed,
        .wedged = options->wedged,
        .poured = options->poured,
        .step = options->step,
        .mu = options->mu,
        .decades = options->decades,
    };
}

static int write_scene(const Options *options)
{
    TactPileScene scene =
        scene_of(options, options->number > 0 ? options->number : 64, options->seed);
    bool  out = strcmp(options->scene, "-") == 0;
    FILE *file = out ? stdout : fopen(options->scene, "w");
    if (!file) {
        return tact_bench_refuse("piles", "cannot write", options->scene);
    }
    tact_pile_write(&scene, file);
    bool bad = ferror(file) != 0;
    bad = (out ? fflush(file) : fclose(file)) != 0 || bad;
    return bad ? tact_bench_refuse("piles", "cannot write", options->scene) : 0;
}

static void print_head(void)
{
    printf("%-9s %6s %5s  %15s  %26s  %17s  %8s\n", "", "", "", "contacts", "ms a step",
           "certified", "worst");
    printf("%-9s %6s %5s  %7s %7s  %8s %8s %8s  %17s  %8s\n", "shape", "bodies", "seed", "mean",
           "most", "mean", "99 %", "longest", "", "error");
}

static void print_run(const TactPileScene *scene, const TactPileRun *run)
{
    printf("%-9s %6d %5d  %7.0f %7d  %8.2f %8.1f %8.1f  %8ld/%-8ld  %8.1e\n",
           tact_pile_shape_name(scene->shape), scene->number, scene->seed, run->mean_contacts,
           run->contacts, 1e3 * run->mean, 1e3 * run->late, 1e3 * run->longest, run->certified,
           run->solves, run->error);
    fflush(stdout);
}

static void write_row(FILE *csv, const TactPileScene *scene, const TactPileRun *run)
{
    if (csv) {
        fprintf(csv, "%s,%d,%d,%d,%.9g,%.9g,%d,%.9g,%d,%.9g,%.9g,%.9g,%ld,%ld,%.9g,%.9g\n",
                tact_pile_shape_name(scene->shape), scene->number, scene->seed, scene->wedged,
                scene->decades, scene->mu, run->steps, run->mean_contacts, run->contacts,
                1e3 * run->mean, 1e3 * run->late, 1e3 * run->longest, run->solves, run->certified,
                run->error, run->penetration);
    }
}

/// Power of the number of bodies with which the mean time of a step grows.
static void print_growth(const int *number, const double *mean, int count)
{
    for (int k = 1; k < count; k++) {
        if (mean[k - 1] > 0 && mean[k] > 0) {
            printf("from %d to %d bodies a step grows with the power %.2f\n", number[k - 1],
                   number[k], log(mean[k] / mean[k - 1]) / log((double)number[k] / number[k - 1]));
        }
    }
}

/// All seeds of one number of bodies in all engines. Returns the exit status.
static int compare_number(const Options *options, int number)
{
    int failed = 0;
    for (int k = 0; k < options->seeds; k++) {
        TactPileScene scene = scene_of(options, number, options->seed + k);
        int           own = tact_pile_compare(&scene, options->time, &options->peers);
        failed = own > failed ? own : failed;
    }
    return failed;
}

/// All seeds of one number of bodies. Returns the exit status.
static int run_number(const Options *options, int number, FILE *csv, double *mean)
{
    TactPileSave save = {options->save, options->least, 1e-3 * options->slower};
    int          failed = 0;
    *mean = 0;
    for (int k = 0; k < options->seeds; k++) {
        TactPileScene scene = scene_of(options, number, options->seed + k);
        TactPileRun   run;
        char          words[64];
        snprintf(words, sizeof words, "%d bodies, seed %d", number, scene.seed);
        tact_bench_progress(k, options->seeds, words);
        if (tact_pile_run_scene(&scene, options->time, &save, &run) != TACT_OK) {
            fprintf(stderr, "tact: bench piles: %s\n", tact_status_message());
            return 2;
        }
        print_run(&scene, &run);
        write_row(csv, &scene, &run);
        *mean += run.mean / options->seeds;
        failed = failed || run.certified < run.solves;
    }
    return failed;
}

int tact_bench_piles(int argc, char **argv)
{
    Options   options;
    const int usual[] = {64, 216};
    double    mean[2] = {0};
    int       status = read_options(argc, argv, &options), failed = 0;
    if (status != 0) {
        return status < 0 ? 0 : status;
    }
    if (options.scene) {
        return write_scene(&options);
    }
    if (options.save && mkdir(options.save, 0777) != 0 && errno != EEXIST) {
        return tact_bench_refuse("piles", "cannot make the folder", options.save);
    }
    for (int k = 0; k < (options.number > 0 ? 1 : 2) && options.compared; k++) {
        int own = compare_number(&options, options.number > 0 ? options.number : usual[k]);
        failed = own > failed ? own : failed;
    }
    if (options.compared) {
        return failed;
    }
    FILE *csv = options.csv ? tact_bench_csv_open(options.csv) : NULL;
    if (options.csv && !csv) {
        return 2;
    }
    if (csv) {
        fprintf(csv, "shape,bodies,seed,wedged,decades,mu,steps,mean_contacts,contacts,mean_ms,"
                     "late_ms,longest_ms,solves,certified,error,penetration\n");
    }
    print_head();
    for (int k = 0; k < (options.number > 0 ? 1 : 2) && failed < 2; k++) {
        tact_bench_progress_within(k, options.number > 0 ? 1 : 2);
        int own =
            run_number(&options, options.number > 0 ? options.number : usual[k], csv, &mean[k]);
        failed = own > failed ? own : failed;
    }
    print_growth(usual, mean, options.number > 0 ? 1 : 2);
    status = csv ? tact_bench_csv_close(csv, options.csv) : 0;
    return status > failed ? status : failed;
}
