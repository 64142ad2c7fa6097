#include "bench/bench.h"

#include <stdio.h>
#include <string.h>

#include "bench/wanted.h"

typedef struct Experiment {
    const char *name;
    int (*run)(int argc, char **argv);
    const char *says;
} Experiment;

static const Experiment experiments[] = {
    {"papers", tact_bench_papers, "every experiment of the five papers, and one report"},
    {"lcp", tact_bench_lcp, "every LCP method, and those of other libraries, on every family"},
    {"baraff", tact_bench_baraff,
     "Baraff's paper: forces against one Gaussian elimination, and ODE"},
    {"lloyd", tact_bench_lloyd, "contacts of Lloyd's paper: tables, growth, plots"},
    {"friction", tact_bench_friction, "contact problem files, to the same residual as Siconos"},
    {"dynamics", tact_bench_dynamics, "dynamics of mechanisms, beside MuJoCo and DART"},
    {"collide", tact_bench_collide, "contact points of pairs and piles, beside ODE and Bullet"},
    {"sim", tact_bench_sim, "whole simulations, beside MuJoCo, ODE, Bullet and DART"},
    {"piles", tact_bench_piles, "heaps of bodies that fall: times, and what is certified"},
    {"sweep", tact_bench_sweep, "many trials: what one costs beside its steps, threads, ranks"},
    {"robots", tact_bench_robots, "model files that others wrote, beside MuJoCo"},
    {"gpu", tact_bench_gpu, "batches of contact problems on a GPU, beside the processor"},
    {"truth", tact_bench_truth, "random scenes: do the states of a step say what it claims?"},
};

enum { EXPERIMENTS = sizeof experiments / sizeof experiments[0] };

static void help(FILE *stream)
{
    fprintf(stream, "usage: tact bench NAME [OPTIONS]\n\n");
    for (int i = 0; i < EXPERIMENTS; i++) {
        fprintf(stream, "  %-9s %s\n", experiments[i].name, experiments[i].says);
    }
    fprintf(stream, "\ntact bench NAME --help says more. Exit status 1: something wanted was "
                    "MISSED, or ended early;\n2: bad options or input.\n");
}

static TactBenchPage *write_page; // NULL: this program cannot

void tact_bench_set_page(TactBenchPage *write)
{
    write_page = write;
}

bool tact_bench_can_write_page(void)
{
    return write_page != NULL;
}

bool tact_bench_write_page(const char *recording, const char *page)
{
    return write_page && write_page(recording, page);
}

int tact_bench_main(int argc, char **argv)
{
    const char *word = argc > 1 ? argv[1] : NULL;
    if (!word) {
        help(stderr);
        return 2;
    }
    if (strcmp(word, "--help") == 0 || strcmp(word, "-h") == 0) {
        help(stdout);
        return 0;
    }
    for (int i = 0; i < EXPERIMENTS; i++) {
        if (strcmp(word, experiments[i].name) == 0) {
            int status = experiments[i].run(argc - 1, argv + 1);
            return status == 0 && tact_bench_count_missed() > 0 ? 1 : status;
        }
    }
    fprintf(stderr, "tact: there is no experiment '%s'; see tact bench --help\n", word);
    return 2;
}
