// `tact bench papers`: every experiment of the five papers, and one report.
#include "bench/papers/papers.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <tact/load.h>
#include <unistd.h>

#include "bench/bench.h"
#include "bench/bench_options.h"
#include "bench/papers/papers_report.h"
#include "bench/scene_file.h"

static const char help_text[] =
    "usage: tact bench papers [OPTIONS]\n"
    "\n"
    "The experiments of the five papers on real geometry, each paper's figures beside ours. "
    "Writes\n"
    "results.html, one file with plots and pictures, and results.md with its images in results/.\n"
    "\n"
    "  --out FOLDER     where the report is written; made if it is not there (papers)\n"
    "  --only NAME      one experiment: lloyd, grasp, humanoid, chains, baraff, dart\n"
    "  --quick          a smoke run: as few frames as show that it works\n"
    "  --scenes FOLDER  where the scenes are (scenes beside the program's folder, or here)\n"
    "  --help           this\n"
    "\n"
    "Takes some minutes; let nothing else run meanwhile. Exit status 1: something wanted "
    "was missed, or an\nexperiment ended early.\n";

static const struct {
    const char           *name;
    TactPapersExperiment *run;
    const char           *paper;
} experiments[] = {
    {"lloyd", tact_papers_lloyd,
     "Lloyd 2004: Fast implementation of Lemke's algorithm for rigid body contact simulation"},
    {"baraff", tact_papers_baraff,
     "Baraff 1994: Fast contact force computation for nonpenetrating rigid bodies"},
    {"grasp", tact_papers_grasp,
     "Arechavaleta, López-Damian, Morales: On the use of iterative LCP solvers for dry frictional "
     "contacts in grasping"},
    {"humanoid", tact_papers_humanoid,
     "Yamane and Nakamura 2008: A numerically robust LCP solver for simulating articulated rigid "
     "bodies in contact"},
    {"chains", tact_papers_chains,
     "Yamane and Nakamura 2008: A numerically robust LCP solver for simulating articulated rigid "
     "bodies in contact"},
    {"dart", tact_papers_dart, "DART: contact in generalized coordinates as a standard LCP"},
};

enum { EXPERIMENTS = sizeof experiments / sizeof experiments[0] };

static int bad(const char *what, const char *word)
{
    return tact_bench_refuse("papers", what, word);
}

/// 0: read; 2: bad; -1: only the help was asked for
static int read_options(int argc, char **argv, TactPapersOptions *options)
{
    const TactBenchOption words[] = {
        {"--out", TACT_BENCH_TEXT, &options->out, 0, 0},
        {"--only", TACT_BENCH_TEXT, &options->only, 0, 0},
        {"--scenes", TACT_BENCH_TEXT, &options->scenes, 0, 0},
        {"--quick", TACT_BENCH_FLAG, &options->quick, 0, 0},
        {0},
    };
    *options = (TactPapersOptions){.out = "papers"};
    int status = tact_bench_read_options(
        &(TactBenchOptionList){.experiment = "papers", .help = help_text, .options = words}, argc,
        argv);
    for (int i = 0; options->only && i < EXPERIMENTS; i++) {
        if (strcmp(options->only, experiments[i].name) == 0) {
            return status;
        }
    }
    return status == 0 && options->only ? bad("there is no experiment", options->only) : status;
}

TactStatus tact_papers_load_scene(const TactPapers *papers, const char *name, TactModel **model)
{
    char                path[PATH_MAX];
    TactModelLoadConfig load = tact_model_load_config_default();
    tact_bench_find_scene(papers->options.scenes, name, path, sizeof path);
    return tact_model_load(path, &load, model, NULL);
}

// ---------------------------------------------------------------------------------------------

static void run(TactPapers *papers)
{
    papers->experiments = papers->options.only ? 1 : EXPERIMENTS;
    for (int i = 0; i < EXPERIMENTS; i++) {
        if (papers->options.only && strcmp(papers->options.only, experiments[i].name) != 0) {
            continue;
        }
        papers->running = experiments[i].name;
        tact_papers_progress(papers, 0);
        if (papers->count == 0 || strcmp(experiments[i].paper, experiments[i - 1].paper) != 0) {
            tact_papers_add(papers, TACT_BLOCK_PAPER, experiments[i].paper);
        }
        if (experiments[i].run(papers) != TACT_OK) {
            papers->failed++;
            tact_papers_wanted(papers, false, "The experiment `%s` ended early: %s",
                               experiments[i].name, tact_status_message());
        }
        papers->done++;
    }
    if (!papers->options.only) {
        tact_papers_tell_changes(papers);
    }
}

static bool make_folder(const char *path)
{
    return mkdir(path, 0777) == 0 || errno == EEXIST;
}

static bool close_file(FILE *file)
{
    bool failed = ferror(file);
    return fclose(file) == 0 && !failed;
}

static bool write_images(const TactPapers *papers, char path[PATH_MAX])
{
    for (int i = 0; i < papers->count; i++) {
        const TactBlock *block = &papers->blocks[i];
        char             name[32];
        if (!block->bytes) {
            continue;
        }
        tact_papers_name_image(papers, i, name);
        snprintf(path, PATH_MAX, "%s/results/%s", papers->options.out, name);
        FILE *file = fopen(path, "wb");
        if (!file) {
            return false;
        }
        fwrite(block->bytes, 1, block->size, file);
        if (!close_file(file)) {
            return false;
        }
    }
    return true;
}

/// path: of what was written last, or cannot be.
static bool write_report(const TactPapers *papers, char path[PATH_MAX])
{
    snprintf(path, PATH_MAX, "%s", papers->options.out);
    if (!make_folder(path)) {
        return false;
    }
    snprintf(path, PATH_MAX, "%s/results", papers->options.out);
    if (!make_folder(path) || !write_images(papers, path)) {
        return false;
    }
    snprintf(path, PATH_MAX, "%s/results.md", papers->options.out);
    FILE *file = fopen(path, "w");
    if (!file) {
        return false;
    }
    tact_papers_write_markdown(papers, "results", file);
    if (!close_file(file)) {
        return false;
    }
    snprintf(path, PATH_MAX, "%s/results.html", papers->options.out);
    file = fopen(path, "w");
    if (!file) {
        return false;
    }
    tact_papers_write_html(papers, file);
    return close_file(file);
}

int tact_bench_papers(int argc, char **argv)
{
    TactPapers papers = {0};
    char       path[PATH_MAX];
    int        status = read_options(argc, argv, &papers.options);
    if (status != 0) {
        return status < 0 ? 0 : status;
    }
    run(&papers);
    if (papers.full) {
        fprintf(stderr, "tact: bench papers: out of memory, parts of the report are missing\n");
    }
    for (int i = 0; i < papers.count; i++) {
        if (papers.blocks[i].kind == TACT_BLOCK_HOLDS ||
            papers.blocks[i].kind == TACT_BLOCK_MISSED) {
            printf("%s %s\n", papers.blocks[i].kind == TACT_BLOCK_HOLDS ? "holds: " : "MISSED:",
                   papers.blocks[i].text ? papers.blocks[i].text : "");
        }
    }
    status = papers.failed > 0 || papers.full;
    if (!write_report(&papers, path)) {
        fprintf(stderr, "tact: bench papers: cannot write %s: %s\n", path, strerror(errno));
        status = 2;
    } else {
        printf("The report is in %s\n", path);
    }
    tact_papers_clear(&papers);
    return status;
}
