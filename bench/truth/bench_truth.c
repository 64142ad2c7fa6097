// `tact bench truth`: does a step tell the truth? Random scenes, judged by states alone.
#define _GNU_SOURCE // mkstemps()
#include "bench/truth/truth.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <tact/load.h>
#include <unistd.h>

#include "bench/bench.h"
#include "bench/bench_options.h"
#include "bench/csv.h"
#include "bench/engines.h"
#include "bench/progress.h"
#include "bench/truth/truth_film.h"

static const char help_text[] =
    "usage: tact bench truth [OPTIONS] [FILE...]\n"
    "\n"
    "Random scenes by tact, and with --peers by MuJoCo, ODE and Bullet: do positions follow\n"
    "velocities, does anything overlap, does energy rise, is momentum kept, at steps of 1, 2, 5 "
    "and\n"
    "10 ms. All of it is computed from states before and after every step. With FILEs these "
    "scenes\n"
    "(MJCF without drives and springs) are run instead of random ones.\n"
    "\n"
    "  --scenes N     how many of family drop (60); free-space has half as many, impact-64 a\n"
    "                 thirtieth, impact-216 a sixtieth, each at least one\n"
    "  --family NAME  only drop, free-space, impact-64 or impact-216, N scenes of it\n"
    "  --seed S       of the scenes (1)\n"
    "  --first I      number of the first scene (0)\n"
    "  --step MS      only this step length\n"
    "  --time S       simulated seconds of a scene (1.5)\n"
    "  --compare N    one scene in N is also run at 0.1 ms, for times of impact and of rest (10);\n"
    "                 0: none. Not of the impact families\n"
    "  --peers        the other engines too, each as hard and thorough as it can sensibly be set\n"
    "  --module PATH  where they are (tact-peers.so beside the program)\n"
    "  --budget S     seconds another engine may take for a scene and step length (10); tact has\n"
    "                 ten times as many\n"
    "  --csv FILE     write the tables there\n"
    "  --each FILE    write a line for every scene, step length and engine there\n"
    "  --save FOLDER  write the scenes that were worst for tact there, as MJCF\n"
    "  --films FOLDER instead of the tables, write films there: each scene by all engines side by\n"
    "                 side, and by tact at 0.1 ms. Ten scenes of drop at 5 ms, unless --scenes,\n"
    "                 --family or --step say something else\n"
    "  --help         this\n"
    "\n"
    "Exit status 1: something that is wanted of tact was missed.\n";

enum { MOST_FILES = 256 };

typedef struct Options {
    int         files;
    const char *file[MOST_FILES];
    int         scenes, seed, first, compare;
    double      step, time, budget;
    const char *family, *csv, *each, *save, *films, *module;
    bool        peers;
    FILE       *csv_file, *each_file;
} Options;

static int add_file(void *context, const char *word)
{
    Options *options = context;
    if (options->files == MOST_FILES) {
        return tact_bench_refuse("truth", "too many files, from", word);
    }
    options->file[options->files++] = word;
    return 0;
}

static int read_options(int argc, char **argv, Options *options)
{
    const TactBenchOption words[] = {
        {"--scenes", TACT_BENCH_INTEGER, &options->scenes, 1, 1e7},
        {"--seed", TACT_BENCH_INTEGER, &options->seed, 0, 1e9},
        {"--first", TACT_BENCH_INTEGER, &options->first, 0, 1e9},
        {"--compare", TACT_BENCH_INTEGER, &options->compare, 0, 1e9},
        {"--step", TACT_BENCH_NUMBER, &options->step, 1e-3, 1e3},
        {"--time", TACT_BENCH_NUMBER, &options->time, 1e-3, 1e4},
        {"--budget", TACT_BENCH_NUMBER, &options->budget, 1e-2, 1e6},
        {"--family", TACT_BENCH_TEXT, &options->family, 0, 0},
        {"--csv", TACT_BENCH_TEXT, &options->csv, 0, 0},
        {"--each", TACT_BENCH_TEXT, &options->each, 0, 0},
        {"--save", TACT_BENCH_TEXT, &options->save, 0, 0},
        {"--films", TACT_BENCH_TEXT, &options->films, 0, 0},
        {"--module", TACT_BENCH_TEXT, &options->module, 0, 0},
        {"--peers", TACT_BENCH_FLAG, &options->peers, 0, 0},
        {0},
    };
    *options = (Options){.seed = 1, .compare = 10, .time = 1.5, .budget = 10};
    return tact_bench_read_options(&(TactBenchOptionList){.experiment = "truth",
                                                          .help = help_text,
                                                          .options = words,
                                                          .file = add_file,
                                                          .context = options},
                                   argc, argv);
}

/// Name of a film: family and numbers of its scene, or its file.
static void name_film(const TactTruthBench *bench, int index, const Options *options,
                      char name[NAME_MAX])
{
    if (bench->family == TACT_TRUTH_FILES) {
        const char *slash = strrchr(options->file[index], '/');
        const char *base = slash ? slash + 1 : options->file[index];
        snprintf(name, NAME_MAX, "%.*s", (int)strcspn(base, "."), base);
    } else {
        snprintf(name, NAME_MAX, "%s-%d-%d", tact_truth_family_name(bench->family), bench->seed,
                 index);
    }
}

/// Writes the scene where engines read it: beside its film, or to a file that goes again.
static bool write_scene(const TactTruthBench *bench, int index, const Options *options,
                        const char *text, char path[PATH_MAX])
{
    char  name[NAME_MAX];
    FILE *file = NULL;
    if (options->films) {
        mkdir(options->films, 0777); // it may be there
        name_film(bench, index, options, name);
        snprintf(path, PATH_MAX, "%s/%s.xml", options->films, name);
        file = fopen(path, "w");
    } else {
        snprintf(path, PATH_MAX, "/tmp/tact-truth-XXXXXX.xml");
        int handle = mkstemps(path, 4);
        file = handle >= 0 ? fdopen(handle, "w") : NULL;
    }
    bool good = file && fputs(text, file) >= 0;
    return file && fclose(file) == 0 && good;
}

// Budgets that tact has.
static const double OWN = 10;

static TactStatus run_engine(TactTruthBench *bench, TactTruthTask *task, int engine, int index,
                             const Options *options)
{
    TactTruthRun run, reference;
    bool piles = bench->family == TACT_TRUTH_IMPACT_64 || bench->family == TACT_TRUTH_IMPACT_216;
    bool compared = options->compare > 0 && index % options->compare == 0 && !piles;
    TactStatus status = TACT_OK;
    task->engine = bench->engine[engine];
    task->budget = engine == 0 ? OWN * options->budget : options->budget;
    TactStatus (*go)(const TactTruthTask *, TactTruthRun *) =
        engine == 0 ? tact_truth_run : tact_truth_run_apart;
    if (compared) {
        task->step = 1e-4;
        task->quick = true;
        status = go(task, &reference);
        task->quick = false;
    }
    for (int s = 0; s < bench->steps && status == TACT_OK; s++) {
        task->step = bench->step[s];
        status = go(task, &run);
        if (status == TACT_OK) {
            tact_truth_add_run(bench, s, engine, index, &run, compared ? &reference : NULL);
        }
        if (status == TACT_OK && options->each_file) {
            tact_truth_each_row(options->each_file, bench, s, engine, index, &run);
        }
    }
    return status;
}

static TactStatus make_film(const TactTruthBench *bench, int index, TactTruthTask *task,
                            const Options *options)
{
    char name[NAME_MAX];
    name_film(bench, index, options, name);
    task->step = bench->step[0];
    task->budget = options->budget;
    return tact_film_make(bench, task, name, options->films);
}

/// All engines on a model, which was read from the file.
static TactStatus run_model(TactTruthBench *bench, int index, const TactModel *model,
                            const char *path, const Options *options)
{
    TactStatus    status = TACT_OK;
    TactTruthTask task = {.model = model, .path = path, .time = bench->time};
    if (options->films) {
        return make_film(bench, index, &task, options);
    }
    for (int e = 0; e < bench->engines && status == TACT_OK; e++) {
        status = run_engine(bench, &task, e, index, options);
    }
    return status;
}

static TactStatus run_drawn(TactTruthBench *bench, int index, const Options *options)
{
    TactTruthScene scene = {bench->family, bench->seed, index};
    TactModel     *model = NULL;
    char          *text = NULL, path[PATH_MAX] = "";
    TactStatus     status = tact_truth_make_scene(&scene, bench->step[0], &text, &model);
    if (status == TACT_OK && !write_scene(bench, index, options, text, path)) {
        fprintf(stderr, "tact: %s: cannot be written\n", path);
        status = TACT_IO_ERROR;
    }
    if (status == TACT_OK) {
        status = run_model(bench, index, model, path, options);
    }
    if (!options->films) {
        unlink(path);
    }
    tact_model_destroy(model);
    free(text);
    return status;
}

static TactStatus run_file(TactTruthBench *bench, int index, const Options *options)
{
    TactModelLoadConfig config = tact_model_load_config_default();
    TactModel          *model = NULL;
    TactStatus          status = tact_model_load(options->file[index], &config, &model, NULL);
    if (status == TACT_OK) {
        status = run_model(bench, index, model, options->file[index], options);
    }
    tact_model_destroy(model);
    return status;
}

static TactStatus run_scene(TactTruthBench *bench, int index, const Options *options)
{
    TactStatus status = bench->family == TACT_TRUTH_FILES ? run_file(bench, index, options)
                                                          : run_drawn(bench, index, options);
    if (status != TACT_OK) {
        fprintf(stderr, "tact: %s %d: %s: %s\n", tact_truth_family_name(bench->family), index,
                tact_status_name(status), tact_status_message());
    }
    return status;
}

/// Tells how far it is.
static void tell(const TactTruthBench *bench, const Options *options, int done)
{
    char words[96];
    snprintf(words, sizeof words, "%s: %d of %d %s", tact_truth_family_name(bench->family), done,
             bench->scenes, options->films ? "films" : "scenes");
    tact_bench_progress(done, bench->scenes, words);
}

/// 0, 1 if something is missed, 2 if it could not be run.
static int run_family(TactTruthBench *bench, TactTruthFamily family, int scenes,
                      const Options *options)
{
    bench->family = family;
    bench->scenes = scenes;
    memset(bench->cell, 0, sizeof bench->cell);
    for (int i = 0; i < scenes; i++) {
        if (run_scene(bench, bench->first + i, options) != TACT_OK) {
            return 2;
        }
        tell(bench, options, i + 1);
    }
    if (options->films) {
        return 0;
    }
    tact_truth_print(bench);
    bool held = tact_truth_print_wanted(bench);
    fflush(stdout);
    if (options->csv_file) {
        tact_truth_csv_rows(options->csv_file, bench);
    }
    if (options->save && family != TACT_TRUTH_FILES &&
        tact_truth_save_worst(bench, options->save) != TACT_OK) {
        return 2;
    }
    return held ? 0 : 1;
}

static int run_families(TactTruthBench *bench, const Options *options)
{
    static const int share[TACT_TRUTH_FAMILY_COUNT] = {1, 2, 30, 60};
    int              worst = 0, found = 0;
    if (options->files > 0) {
        bench->first = 0;
        return run_family(bench, TACT_TRUTH_FILES, options->files, options);
    }
    for (int f = 0; f < TACT_TRUTH_FAMILY_COUNT && worst < 2; f++) {
        TactTruthFamily family = (TactTruthFamily)f;
        int             scenes = options->scenes;
        if (options->family && strcmp(options->family, tact_truth_family_name(family)) != 0) {
            continue;
        }
        if (!options->family) {
            scenes = scenes / share[f] > 1 ? scenes / share[f] : 1;
        }
        int status = run_family(bench, family, scenes, options);
        worst = status > worst ? status : worst;
        found++;
    }
    return found > 0 ? worst : tact_bench_refuse("truth", "there is no family", options->family);
}

/// What was not said. Films are watched one by one: a few of one family, at one step length.
static void set_defaults(Options *options)
{
    if (options->scenes == 0) {
        options->scenes = options->films ? 10 : 60;
    }
    if (options->films && !options->family) {
        options->family = tact_truth_family_name(TACT_TRUTH_DROP);
    }
    if (options->films && options->step == 0) {
        options->step = 5;
    }
}

static void set_steps(TactTruthBench *bench, const Options *options)
{
    static const double steps[TACT_TRUTH_STEPS] = {1e-3, 2e-3, 5e-3, 1e-2};
    bench->steps = options->step > 0 ? 1 : TACT_TRUTH_STEPS;
    memcpy(bench->step, steps, sizeof steps);
    if (options->step > 0) {
        bench->step[0] = 1e-3 * options->step;
    }
}

/// Opens a file of figures, if it is asked for. False: it cannot be written.
static bool open_csv(const char *path, FILE **file, void (*head)(FILE *))
{
    *file = path ? tact_bench_csv_open(path) : NULL;
    if (*file) {
        head(*file);
    }
    return !path || *file;
}

int tact_bench_truth(int argc, char **argv)
{
    static TactTruthBench bench;
    Options               options;
    int                   status = read_options(argc, argv, &options);
    if (status != 0) {
        return status < 0 ? 0 : status;
    }
    bench = (TactTruthBench){.seed = options.seed, .first = options.first, .time = options.time};
    set_defaults(&options);
    set_steps(&bench, &options);
    bench.engines = tact_bench_load_engines(&(TactBenchEngines){.own = &tact_truth_own,
                                                                .peers = options.peers,
                                                                .module = options.module,
                                                                .states = true},
                                            bench.engine, TACT_TRUTH_ENGINES);
    bool open = open_csv(options.csv, &options.csv_file, tact_truth_csv_head);
    open = open_csv(options.each, &options.each_file, tact_truth_each_head) && open;
    status = open ? run_families(&bench, &options) : 2;
    if (options.csv_file && tact_bench_csv_close(options.csv_file, options.csv) != 0) {
        status = 2;
    }
    if (options.each_file && tact_bench_csv_close(options.each_file, options.each) != 0) {
        status = 2;
    }
    return status;
}
