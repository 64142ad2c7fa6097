// Inside of `tact bench lcp`.
#ifndef TACT_BENCH_LCP_LCP_H
#define TACT_BENCH_LCP_LCP_H

#include <stdio.h>

#include "bench/apart.h"
#include "bench/peers.h"
#include "bench/problems/problems.h"

enum { TACT_BENCH_MAX_INSTANCES = 10000, TACT_BENCH_MAX_SOLVERS = 24 };

/// A method of tact, or a peer.
typedef struct TactBenchSolver {
    const char     *name;
    const TactPeer *peer; // NULL: a method of tact
    TactLcpConfig   config;
    double          tolerance; // relative error up to which the benchmark accepts an answer
} TactBenchSolver;

/// One family, one solver.
typedef struct TactBenchCell {
    int           asked; // instances there are: the denominator, whatever the budget
    int           runs;  // of them run within the budget; 0: the solver does not take this family
    int           claimed;
    int           solved; // claimed and accepted
    int           wrong;  // claimed and not accepted
    int           died;   // peers: the process ended by a signal, or out of time
    double        median; // of seconds over the instances
    double        best;   // least of them
    double        mean_pivots;
    double        mean_iterations;
    double        worst; // largest error of what was claimed
    TactBenchRun *run;   // (instances)
} TactBenchCell;

typedef struct TactBenchOptions {
    int         instances;
    double      budget; // seconds a solver and family
    const char *family; // NULL: all
    const char *method; // NULL: all
    const char *csv;    // NULL: none
    const char *peers;  // NULL: beside the program; "" none
    bool        json;
} TactBenchOptions;

typedef struct TactBench {
    TactBenchOptions  options;
    int               solvers;
    TactBenchSolver   solver[TACT_BENCH_MAX_SOLVERS];
    int               families;
    const TactFamily *family;
    TactBenchCell    *cell; // (families x solvers)
    int              *n;    // unknowns of a family's first instance; 0: not run   (families)
} TactBench;

static inline TactBenchCell *tact_bench_cell(const TactBench *bench, int family, int solver)
{
    return &bench->cell[family * bench->solvers + solver];
}

/// Runs a solver on instances of one family until they or the budget end.
void tact_bench_run(const TactBenchSolver *solver, const TactFamilyProblem *problems, int count,
                    double budget, TactBenchCell *cell);
/// The same in a process of its own: a peer may print, run for ever or die.
void tact_bench_run_peer(const TactBenchSolver *solver, const TactFamilyProblem *problems,
                         int count, double budget, TactBenchCell *cell);
/// Medians and sums from cell->run.
void tact_bench_summarise(int count, TactBenchCell *cell);

/// Total time of a over total time of b on the instances that both solve; their number in *both.
double tact_bench_ratio(const TactBenchCell *a, const TactBenchCell *b, int count, int *both);

void tact_bench_print_family(const TactBench *bench, int family);
void tact_bench_print_summary(const TactBench *bench);
int  tact_bench_write_csv(const TactBench *bench, const char *path);
void tact_bench_write_json(const TactBench *bench, FILE *stream);

#endif
