// `tact bench lcp`: every method on every family, and the peers on the same matrices.
#include "bench/lcp/lcp.h"

#include <stdlib.h>
#include <string.h>

#include "bench/bench.h"
#include "bench/bench_options.h"
#include "bench/progress.h"

static const char help_text[] =
    "usage: tact bench lcp [OPTIONS]\n"
    "\n"
    "Times every LCP method on every family of generated problems, beside the solvers of other\n"
    "libraries on the same matrices where they are installed, and checks every answer itself.\n"
    "\n"
    "  --instances N   problems a family (20)\n"
    "  --budget S      seconds a solver and family (2)\n"
    "  --family NAME   only this family, or this group of families; NAME,NAME: several\n"
    "  --method NAME   only this method or peer; NAME,NAME: several\n"
    "  --csv FILE      write all figures there\n"
    "  --json          print all figures as one JSON object instead of the table\n"
    "  --peers PATH    the module of peers (tact-peers.so beside the program); none: no peers\n"
    "  --help          this\n"
    "\n"
    "Columns: instances solved and run; answers called solved that are not; time of a solve, the\n"
    "median over the instances and the best of all, each instance being the best of its repeats;\n"
    "pivots; sweeps (pgs), nodes (search), drives (dantzig) or bases (enumerate); the largest\n"
    "relative error of an answer called solved, by the benchmark's own check.\n";

static int bad(const char *what, const char *word)
{
    return tact_bench_refuse("lcp", what, word);
}

// ---------------------------------------------------------------------------------------------
// Options

/// 0: read; 2: bad; -1: only a help was asked for
static int read_options(int argc, char **argv, TactBenchOptions *options)
{
    const TactBenchOption words[] = {
        {"--family", TACT_BENCH_TEXT, &options->family, 0, 0},
        {"--method", TACT_BENCH_TEXT, &options->method, 0, 0},
        {"--csv", TACT_BENCH_TEXT, &options->csv, 0, 0},
        {"--peers", TACT_BENCH_TEXT, &options->peers, 0, 0},
        {"--json", TACT_BENCH_FLAG, &options->json, 0, 0},
        {"--instances", TACT_BENCH_INTEGER, &options->instances, 1, TACT_BENCH_MAX_INSTANCES},
        {"--budget", TACT_BENCH_NUMBER, &options->budget, 0, 1e6},
        {0},
    };
    *options = (TactBenchOptions){.instances = 20, .budget = 2};
    return tact_bench_read_options(
        &(TactBenchOptionList){.experiment = "lcp", .help = help_text, .options = words}, argc,
        argv);
}

// ---------------------------------------------------------------------------------------------
// What is run

/// Is the name in the comma-separated wish? No wish: all are wanted.
static bool is_wanted(const char *wish, const char *name)
{
    size_t length = strlen(name);
    for (const char *word = wish; word; word = strchr(word, ',')) {
        word += *word == ',';
        if (strncmp(word, name, length) == 0 && (word[length] == ',' || word[length] == '\0')) {
            return true;
        }
    }
    return !wish;
}

static bool is_family_wanted(const TactBench *bench, const TactFamily *family)
{
    return is_wanted(bench->options.family, family->name) ||
           is_wanted(bench->options.family, family->group);
}

static void add_solvers(TactBench *bench)
{
    for (int m = 0; m < TACT_LCP_METHOD_COUNT; m++) {
        const TactLcpMethodInfo *info = tact_lcp_method_info((TactLcpMethod)m);
        if (info && is_wanted(bench->options.method, info->name)) {
            TactLcpConfig config = tact_lcp_config_default((TactLcpMethod)m);
            bench->solver[bench->solvers++] =
                (TactBenchSolver){info->name, NULL, config, config.residual_tol};
        }
    }
    if (bench->options.peers && strcmp(bench->options.peers, "none") == 0) {
        return;
    }
    TactPeers peers;
    if (!tact_bench_load_peers(bench->options.peers, &peers)) {
        return;
    }
    for (const TactPeer *peer = peers.lcp; peer->name && bench->solvers < TACT_BENCH_MAX_SOLVERS;
         peer++) {
        if (is_wanted(bench->options.method, peer->name)) {
            // Ten times what is asked of our own: their stop tests are not ours.
            bench->solver[bench->solvers++] =
                (TactBenchSolver){.name = peer->name, .peer = peer, .tolerance = 1e-8};
        }
    }
}

static int create(TactBench *bench)
{
    bench->family = tact_families(&bench->families);
    add_solvers(bench);
    if (bench->solvers == 0) {
        return bad("there is no method or peer", bench->options.method);
    }
    bool any = false;
    for (int f = 0; f < bench->families; f++) {
        any = any || is_family_wanted(bench, &bench->family[f]);
    }
    if (!any) {
        return bad("there is no family or group", bench->options.family);
    }
    size_t cells = (size_t)bench->families * (size_t)bench->solvers;
    bench->cell = calloc(cells, sizeof *bench->cell);
    bench->n = calloc((size_t)bench->families, sizeof *bench->n);
    for (size_t k = 0; bench->cell && k < cells; k++) {
        bench->cell[k].run = calloc((size_t)bench->options.instances, sizeof *bench->cell[k].run);
        if (!bench->cell[k].run) {
            return bad("no memory for", "the results");
        }
    }
    return bench->cell && bench->n ? 0 : bad("no memory for", "the results");
}

static void destroy(TactBench *bench)
{
    for (int k = 0; bench->cell && k < bench->families * bench->solvers; k++) {
        free(bench->cell[k].run);
    }
    free(bench->cell);
    free(bench->n);
}

static void progress(const TactBench *bench, int family, int solver)
{
    char words[96];
    snprintf(words, sizeof words, "%s by %s", bench->family[family].name,
             bench->solver[solver].name);
    tact_bench_progress(family * bench->solvers + solver, bench->families * bench->solvers, words);
}

static int run_family(TactBench *bench, int family)
{
    int                count = bench->options.instances;
    TactFamilyProblem *problems = calloc((size_t)count, sizeof *problems);
    int                status = problems ? 0 : 2;
    for (int k = 0; status == 0 && k < count; k++) {
        status = tact_family_generate(&bench->family[family], (uint64_t)k, &problems[k]) == TACT_OK
                     ? 0
                     : bad("no memory for", bench->family[family].name);
    }
    for (int s = 0; status == 0 && s < bench->solvers; s++) {
        const TactBenchSolver *solver = &bench->solver[s];
        TactBenchCell         *cell = tact_bench_cell(bench, family, s);
        progress(bench, family, s);
        (solver->peer ? tact_bench_run_peer : tact_bench_run)(solver, problems, count,
                                                              bench->options.budget, cell);
        tact_bench_summarise(count, cell);
    }
    for (int k = 0; problems && k < count; k++) {
        bench->n[family] = k == 0 ? problems[k].problem.n : bench->n[family];
        tact_family_problem_destroy(&problems[k]);
    }
    free(problems);
    return status;
}

static int run(TactBench *bench)
{
    for (int f = 0; f < bench->families; f++) {
        if (!is_family_wanted(bench, &bench->family[f])) {
            continue;
        }
        int status = run_family(bench, f);
        if (status != 0) {
            return status;
        }
        if (!bench->options.json) {
            tact_bench_print_family(bench, f);
            fflush(stdout);
        }
    }
    if (bench->options.json) {
        tact_bench_write_json(bench, stdout);
    } else {
        tact_bench_print_summary(bench);
    }
    return bench->options.csv ? tact_bench_write_csv(bench, bench->options.csv) : 0;
}

static int count_wrong(const TactBench *bench)
{
    int wrong = 0;
    for (int f = 0; f < bench->families; f++) {
        for (int s = 0; s < bench->solvers; s++) {
            wrong += bench->solver[s].peer ? 0 : tact_bench_cell(bench, f, s)->wrong;
        }
    }
    return wrong;
}

int tact_bench_lcp(int argc, char **argv)
{
    TactBench bench = {0};
    int       status = read_options(argc, argv, &bench.options);
    if (status != 0) {
        return status < 0 ? 0 : status;
    }
    status = create(&bench);
    if (status == 0) {
        status = run(&bench);
    }
    if (status == 0) {
        status = count_wrong(&bench) > 0 ? 1 : 0;
    }
    destroy(&bench);
    return status;
}
