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
#include "bench/sim/sim.h"

static const char help_text[] =
    "usage: tact bench piles [OPTIONS]\n"
    "\n"
    "Heaps of bodies that fall between walls and tumble, or lie at rest; every contact problem\n"
    "certified. Times are those of the processor; nothing but sleepers (--sleep) is left out.\n"
    "\n"
    "  --shape NAME   boxes (default), spheres, capsules, mixed, chains, parts\n"
    "  --number LIST  of bodies: 64,216,1000 (64,216)\n"
    "  --seed N       the first of the scenes (1)\n"
    "  --seeds N      how many scenes (1)\n"
    "  --wedged       bodies overlap at the start\n"
    "  --poured       from a column into a bin that can be seen through\n"
    "  --bin W        its width, m (0.18 times the cube root of the number)\n"
    "  --settled      at rest: boxes in layers, other shapes after they have fallen\n"
    "  --settle S     simulated before steps count (0; settled: 0.25, 3 of shapes that fall)\n"
    "  --sleep        bodies that rest are left out, in engines that can do that\n"
    "  --masses D     densities over so many decades (0)\n"
    "  --friction MU  of all bodies and walls (0.5)\n"
    "  --condim N     3 (default), 4: contacts resist spinning too, 6: and rolling\n"
    "  --spin M       coefficient of that, m (0.005)\n"
    "  --roll M       the same of rolling (0.0001)\n"
    "  --time S       that counts (2; settled: 0.5)\n"
    "  --step S       length of a step (0.005)\n"
    "  --threads N    of the solver, 1 .. 64 (1): the motion is the same; times of the processor\n"
    "                 are then those of the first of them, and the clock on the wall counts\n"
    "  --save DIR     write contact problems there, as JSON that tact solve reads: those of slow\n"
    "                 steps, and those that are not certified\n"
    "  --slower MS    steps that count as slow (0: all)\n"
    "  --least N      contacts of a problem that is worth it (1)\n"
    "  --scene FILE   only write the scene, as MJCF (- is standard output)\n"
    "  --csv FILE     write all figures there, row by row\n"
    "  --resume       rows that the file has already are not run again, and a run that was\n"
    "                 interrupted goes on\n"
    "  --keep S       so often, in seconds of processor time, a run is kept for that (20)\n"
    "  --peers        Bullet, MuJoCo (Newton, CG; pyramids, elliptic cones) and ODE's QuickStep "
    "on\n"
    "                 the same scenes, beside tact: a table each; with --save also Siconos's\n"
    "                 solvers on the problems there (tact bench friction)\n"
    "  --engines LIST of them only these, names between commas\n"
    "  --budget S     seconds that each of them may take for a scene (60)\n"
    "  --module PATH  where they are (tact-peers.so beside the program)\n"
    "  --help         this\n"
    "\n"
    "Exit status 1: a contact problem was not certified.\n";

enum { MOST_NUMBERS = 16 };

typedef struct Options {
    const char   *shape, *save, *scene, *csv, *numbers;
    TactPilePeers peers;
    bool          compared, resumed, settled;
    int           number[MOST_NUMBERS], number_count, seed, seeds, least, threads, condim;
    bool          wedged, poured, sleeps;
    double        decades, mu, spin, roll, time, step, slower, settle, bin, keep;
    TactPileShape kind;
} Options;

/// Numbers between commas.
static int read_numbers(Options *options)
{
    const char *at = options->numbers;
    for (options->number_count = 0; options->number_count < MOST_NUMBERS;) {
        char *end;
        long  number = strtol(at, &end, 10);
        if (end == at || number < 1 || number > 100000 || (*end != ',' && *end != 0)) {
            break;
        }
        options->number[options->number_count++] = (int)number;
        if (*end == 0) {
            return 0;
        }
        at = end + 1;
    }
    return tact_bench_refuse("piles", "numbers from 1 to 100000 between commas, not",
                             options->numbers);
}

static int read_shape(Options *options)
{
    for (int k = 0; k < TACT_PILE_SHAPE_COUNT; k++) {
        if (strcmp(options->shape, tact_pile_shape_name((TactPileShape)k)) == 0) {
            options->kind = (TactPileShape)k;
            return 0;
        }
    }
    return tact_bench_refuse("piles", "there is no shape", options->shape);
}

static int read_options(int argc, char **argv, Options *options)
{
    const TactBenchOption words[] = {
        {"--shape", TACT_BENCH_TEXT, &options->shape, 0, 0},
        {"--number", TACT_BENCH_TEXT, &options->numbers, 0, 0},
        {"--seed", TACT_BENCH_INTEGER, &options->seed, 0, 1e9},
        {"--seeds", TACT_BENCH_INTEGER, &options->seeds, 1, 1e6},
        {"--wedged", TACT_BENCH_FLAG, &options->wedged, 0, 0},
        {"--poured", TACT_BENCH_FLAG, &options->poured, 0, 0},
        {"--bin", TACT_BENCH_NUMBER, &options->bin, 0.5, 1000},
        {"--settled", TACT_BENCH_FLAG, &options->settled, 0, 0},
        {"--settle", TACT_BENCH_NUMBER, &options->settle, 0, 1e6},
        {"--sleep", TACT_BENCH_FLAG, &options->sleeps, 0, 0},
        {"--masses", TACT_BENCH_NUMBER, &options->decades, 0, 12},
        {"--friction", TACT_BENCH_NUMBER, &options->mu, 0, 100},
        {"--condim", TACT_BENCH_INTEGER, &options->condim, 3, 6},
        {"--spin", TACT_BENCH_NUMBER, &options->spin, 0, 100},
        {"--roll", TACT_BENCH_NUMBER, &options->roll, 0, 100},
        {"--time", TACT_BENCH_NUMBER, &options->time, 0, 1e6},
        {"--step", TACT_BENCH_NUMBER, &options->step, 1e-6, 1},
        {"--threads", TACT_BENCH_INTEGER, &options->threads, 1, 64},
        {"--save", TACT_BENCH_TEXT, &options->save, 0, 0},
        {"--slower", TACT_BENCH_NUMBER, &options->slower, 0, 1e9},
        {"--least", TACT_BENCH_INTEGER, &options->least, 0, 1e9},
        {"--scene", TACT_BENCH_TEXT, &options->scene, 0, 0},
        {"--csv", TACT_BENCH_TEXT, &options->csv, 0, 0},
        {"--resume", TACT_BENCH_FLAG, &options->resumed, 0, 0},
        {"--keep", TACT_BENCH_NUMBER, &options->keep, 0, 1e6},
        {"--peers", TACT_BENCH_FLAG, &options->compared, 0, 0},
        {"--engines", TACT_BENCH_TEXT, &options->peers.engines, 0, 0},
        {"--budget", TACT_BENCH_NUMBER, &options->peers.budget, 1e-3, 1e5},
        {"--module", TACT_BENCH_TEXT, &options->peers.module, 0, 0},
        {0},
    };
    *options = (Options){
        .shape = "boxes",
        .numbers = "64,216",
        .seed = 1,
        .seeds = 1,
        .least = 1,
        .threads = 1,
        .mu = 0.5,
        .condim = 3,
        .spin = 0.005,
        .roll = 0.0001,
        .time = NAN,
        .step = 0.005,
        .settle = NAN,
        .keep = 20,
        .peers = {.budget = 60,
                  .engines =
                      "bullet,mujoco,mujoco-cg,mujoco-elliptic,mujoco-elliptic-cg,ode-quick"},
    };
    int status = tact_bench_read_options(
        &(TactBenchOptionList){.experiment = "piles", .help = help_text, .options = words}, argc,
        argv);
    status = status != 0 ? status : read_shape(options);
    status = status != 0 ? status : read_numbers(options);
    if (status == 0 && options->condim == 5) {
        return tact_bench_refuse("piles", "3, 4 or 6, not", "--condim 5");
    }
    if (status == 0 && options->resumed && !options->csv) {
        return tact_bench_refuse("piles", "needs --csv:", "--resume");
    }
    return status;
}

static TactPileScene scene_of(const Options *options, int number, int seed)
{
    bool   layers = options->settled && options->kind == TACT_PILE_BOXES;
    double usual = !options->settled ? 0 : layers ? 0.25 : 3;
    return (TactPileScene){
        .shape = options->kind,
        .number = number,
        .seed = seed,
        .wedged = options->wedged,
        .poured = options->poured,
        .layers = layers,
        .sleeps = options->sleeps,
        .settle = isnan(options->settle) ? usual : options->settle,
        .step = options->step,
        .mu = options->mu,
        .condim = options->condim,
        .spin = options->condim > 3 ? options->spin : 0,
        .roll = options->condim > 3 ? options->roll : 0,
        .decades = options->decades,
        .bin = options->poured ? options->bin : 0,
    };
}

/// s that count.
static double time_of(const Options *options)
{
    return !isnan(options->time) ? options->time : options->settled ? 0.5 : 2;
}

static int write_scene(const Options *options)
{
    TactPileScene scene = scene_of(options, options->number[0], options->seed);
    bool          out = strcmp(options->scene, "-") == 0;
    FILE         *file = out ? stdout : fopen(options->scene, "w");
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
    printf("%-9s %6s %5s  %-8s %15s  %26s  %7s  %17s  %8s  %14s  %8s\n", "", "", "", "", "contacts",
           "ms a step", "finding", "certified", "worst", "memory", "ms, by");
    printf("%-9s %6s %5s  %-8s %7s %7s  %8s %8s %8s  %7s  %17s  %8s  %6s %7s  %8s\n", "shape",
           "bodies", "seed", "", "mean", "most", "mean", "99 %", "longest", "them", "", "error",
           "MB", "kB/cont", "the wall");
}

static void print_run(const TactPileScene *scene, const TactPileRun *run)
{
    double bytes = run->made + run->grown;
    printf("%-9s %6d %5d  %-8s %7.0f %7d  %8.2f %8.1f %8.1f  %5.0f %%  %8ld/%-8ld  %8.1e  %6.1f "
           "%7.1f  %8.2f\n",
           tact_pile_shape_name(scene->shape), scene->number, scene->seed, tact_pile_mode(scene),
           run->mean_contacts, run->contacts, 1e3 * run->mean, 1e3 * run->late, 1e3 * run->longest,
           100 * run->collide, run->certified, run->solves, run->error, 1e-6 * bytes,
           run->contacts > 0 ? 1e-3 * run->grown / run->contacts : 0, 1e3 * run->wall);
    fflush(stdout);
}

/// Powers of the number of bodies with which the mean time of a step and the memory grow.
static void print_growth(const Options *options, const double *mean, const double *bytes)
{
    for (int k = 1; k < options->number_count; k++) {
        double more = log((double)options->number[k] / options->number[k - 1]);
        if (mean[k - 1] > 0 && mean[k] > 0 && more != 0) {
            printf("from %d to %d bodies a step grows with the power %.2f, memory with %.2f\n",
                   options->number[k - 1], options->number[k], log(mean[k] / mean[k - 1]) / more,
                   log(bytes[k] / bytes[k - 1]) / more);
        }
    }
}

/// All seeds of one number of bodies in all engines. Returns the exit status.
static int compare_number(const Options *options, int number, FILE *csv)
{
    int failed = 0;
    for (int k = 0; k < options->seeds; k++) {
        TactPileScene scene = scene_of(options, number, options->seed + k);
        TactPileRun   run = {.threads = 1};
        if (options->resumed &&
            tact_pile_row_find(options->csv, "tact", &scene, time_of(options), &run)) {
            continue;
        }
        int own = tact_pile_compare(&scene, time_of(options), &options->peers, csv);
        failed = own > failed ? own : failed;
    }
    return failed;
}

/// A scene: run, or read from what an earlier run has written. Returns the exit status.
static int run_one(const Options *options, const TactPileScene *scene, FILE *csv, TactPileRun *run)
{
    char         part[4096];
    double       time = time_of(options);
    TactPileSave save = {.folder = options->save,
                         .least = options->least,
                         .slower = 1e-3 * options->slower,
                         .keep = options->keep,
                         .threads = options->threads};
    run->threads = options->threads;
    if (options->resumed && tact_pile_row_find(options->csv, "tact", scene, time, run)) {
        return 0;
    }
    if (options->resumed && snprintf(part, sizeof part, "%s.part", options->csv) < 4096) {
        save.part = part;
    }
    if (tact_pile_run_scene(scene, time, &save, run) != TACT_OK) {
        fprintf(stderr, "tact: bench piles: %s\n", tact_status_message());
        return 2;
    }
    tact_pile_row_write(csv, "tact", scene, time, run);
    return 0;
}

/// All seeds of one number of bodies. Returns the exit status.
static int run_number(const Options *options, int number, FILE *csv, double *mean, double *bytes)
{
    int failed = 0;
    *mean = *bytes = 0;
    for (int k = 0; k < options->seeds; k++) {
        TactPileScene scene = scene_of(options, number, options->seed + k);
        TactPileRun   run;
        char          words[64];
        snprintf(words, sizeof words, "%d bodies, seed %d", number, scene.seed);
        tact_bench_progress(k, options->seeds, words);
        if (run_one(options, &scene, csv, &run) != 0) {
            return 2;
        }
        print_run(&scene, &run);
        *mean += run.mean / options->seeds;
        *bytes += (run.made + run.grown) / options->seeds;
        failed = failed || run.certified < run.solves;
    }
    return failed;
}

/// All numbers of bodies by tact alone. Returns the exit status.
static int run_all(const Options *options, FILE *csv)
{
    double mean[MOST_NUMBERS] = {0}, bytes[MOST_NUMBERS] = {0};
    int    failed = 0;
    print_head();
    for (int k = 0; k < options->number_count && failed < 2; k++) {
        tact_bench_progress_within(k, options->number_count);
        int own = run_number(options, options->number[k], csv, &mean[k], &bytes[k]);
        failed = own > failed ? own : failed;
    }
    print_growth(options, mean, bytes);
    return failed;
}

/// All numbers of bodies by all engines, and Siconos on what was saved. Returns the exit status.
static int compare_all(const Options *options, FILE *csv)
{
    int failed = 0;
    for (int k = 0; k < options->number_count && failed < 2; k++) {
        int own = compare_number(options, options->number[k], csv);
        failed = own > failed ? own : failed;
    }
    if (options->save && failed < 2) {
        char   budget[32], friction[] = "friction", word[] = "--budget";
        char  *words[] = {friction, word, budget, (char *)options->save, NULL};
        double none[MOST_NUMBERS], taken[MOST_NUMBERS];
        for (int k = 0; k < options->number_count && failed < 2; k++) { // they are to be saved
            int own = run_number(options, options->number[k], NULL, &none[k], &taken[k]);
            failed = own > failed ? own : failed;
        }
        snprintf(budget, sizeof budget, "%g", options->peers.budget);
        printf("\n");
        int own = tact_bench_friction(4, words);
        failed = own > failed ? own : failed;
    }
    return failed;
}

int tact_bench_piles(int argc, char **argv)
{
    Options options;
    int     status = read_options(argc, argv, &options);
    if (status != 0) {
        return status < 0 ? 0 : status;
    }
    if (options.scene) {
        return write_scene(&options);
    }
    if (options.save && mkdir(options.save, 0777) != 0 && errno != EEXIST) {
        return tact_bench_refuse("piles", "cannot make the folder", options.save);
    }
    FILE *csv = options.csv ? tact_pile_rows_open(options.csv, options.resumed) : NULL;
    if (options.csv && !csv) {
        return 2;
    }
    tact_sim_count_memory(true);
    int failed = options.compared ? compare_all(&options, csv) : run_all(&options, csv);
    tact_sim_count_memory(false);
    status = csv ? tact_bench_csv_close(csv, options.csv) : 0;
    return status > failed ? status : failed;
}
