// Table, CSV and JSON of `tact bench lcp`.
#include <math.h>
#include <string.h>

#include "bench/csv.h"
#include "bench/lcp/lcp.h"

double tact_bench_ratio(const TactBenchCell *a, const TactBenchCell *b, int count, int *both)
{
    double time_a = 0, time_b = 0;
    *both = 0;
    for (int k = 0; k < count; k++) {
        const TactBenchRun *x = &a->run[k], *y = &b->run[k];
        if (x->seconds > 0 && y->seconds > 0 && x->claimed && y->claimed && x->accepted &&
            y->accepted) {
            time_a += x->seconds;
            time_b += y->seconds;
            ++*both;
        }
    }
    return *both > 0 ? time_a / time_b : NAN;
}

// ---------------------------------------------------------------------------------------------
// Table

static void print_row(const TactBenchSolver *solver, const TactBenchCell *cell, int instances)
{
    printf("  %-20s %4d/%-4d", solver->name, cell->solved, instances);
    printf(cell->wrong > 0 ? " %5d" : "     -", cell->wrong);
    printf(" %11.1f %11.1f", 1e6 * cell->median, 1e6 * cell->best);
    if (solver->peer) {
        printf(" %8s %8s", "", "");
    } else {
        printf(" %8.1f %8.1f", cell->mean_pivots, cell->mean_iterations);
    }
    printf(cell->claimed > 0 ? " %9.1e" : "         -", cell->worst);
    if (cell->died > 0) {
        printf("  died, or was ended, %d times", cell->died);
    } else if (cell->runs < instances) {
        printf("  %d not run within the budget", instances - cell->runs);
    }
    printf("\n");
}

/// A yardstick solves another problem; only its time means something.
static void print_yardstick(const TactBenchSolver *solver, const TactBenchCell *cell)
{
    printf("  %-20s %9s %5s %11.1f %11.1f\n", solver->name, "", "", 1e6 * cell->median,
           1e6 * cell->best);
}

void tact_bench_print_family(const TactBench *bench, int family)
{
    printf("\n%s (%s, n = %d)\n", bench->family[family].name, bench->family[family].group,
           bench->n[family]);
    printf("  %-20s %9s %5s %11s %11s %8s %8s %9s\n", "", "solved", "wrong", "median us", "best us",
           "pivots", "sweeps", "error");
    for (int s = 0; s < bench->solvers; s++) {
        const TactBenchCell *cell = tact_bench_cell(bench, family, s);
        if (cell->runs > 0 && bench->solver[s].peer && !bench->solver[s].peer->is_lcp) {
            print_yardstick(&bench->solver[s], cell);
        } else if (cell->runs > 0 || cell->died > 0) {
            print_row(&bench->solver[s], cell, bench->options.instances);
        }
    }
}

// ---------------------------------------------------------------------------------------------
// CSV

static void write_facts(const TactBench *bench, FILE *file)
{
    fprintf(file, "# instances: %d a family, seeds 0 to %d; budget %g s a solver and family\n",
            bench->options.instances, bench->options.instances - 1, bench->options.budget);
    for (int s = 0; s < bench->solvers; s++) {
        const TactPeer *peer = bench->solver[s].peer;
        if (peer) {
            fprintf(file, "# peer: %s, %s; the time contains: %s\n", peer->name, peer->version,
                    peer->timed);
        }
    }
}

static void csv_row(const TactBench *bench, int family, int solver, const TactBenchCell *cell,
                    FILE *file)
{
    const TactPeer *peer = bench->solver[solver].peer;
    fprintf(file, "%s,%s,%d,%s,%d,", bench->family[family].name, bench->family[family].group,
            bench->n[family], bench->solver[solver].name, cell->runs);
    if (peer && !peer->is_lcp) {
        fprintf(file, ",,,,%.2f,%.2f,,,\n", 1e6 * cell->median, 1e6 * cell->best);
        return;
    }
    fprintf(file, "%d,%d,%d,%d,%.2f,%.2f,", cell->claimed, cell->solved, cell->wrong, cell->died,
            1e6 * cell->median, 1e6 * cell->best);
    if (peer) {
        fprintf(file, ",,%.1e\n", cell->worst);
    } else {
        fprintf(file, "%.1f,%.1f,%.1e\n", cell->mean_pivots, cell->mean_iterations, cell->worst);
    }
}

int tact_bench_write_csv(const TactBench *bench, const char *path)
{
    FILE *file = tact_bench_csv_open(path);
    if (!file) {
        return 2;
    }
    write_facts(bench, file);
    fprintf(file, "family,group,n,solver,runs,claimed,solved,wrong,died,median_us,best_us,"
                  "pivots,iterations,worst_error\n");
    for (int f = 0; f < bench->families; f++) {
        for (int s = 0; s < bench->solvers; s++) {
            const TactBenchCell *cell = tact_bench_cell(bench, f, s);
            if (cell->runs == 0 && cell->died == 0) {
                continue;
            }
            csv_row(bench, f, s, cell, file);
        }
    }
    return tact_bench_csv_close(file, path);
}

// ---------------------------------------------------------------------------------------------
// JSON

static void json_number(FILE *stream, const char *name, double value)
{
    if (isfinite(value)) {
        fprintf(stream, ", \"%s\": %.6g", name, value);
    } else {
        fprintf(stream, ", \"%s\": null", name);
    }
}

static void json_cell(const TactBenchSolver *solver, const TactBenchCell *cell, FILE *stream)
{
    fprintf(stream, "{\"name\": \"%s\", \"runs\": %d, \"claimed\": %d, \"solved\": %d, ",
            solver->name, cell->runs, cell->claimed, cell->solved);
    fprintf(stream, "\"wrong\": %d, \"died\": %d", cell->wrong, cell->died);
    json_number(stream, "median_us", 1e6 * cell->median);
    json_number(stream, "best_us", 1e6 * cell->best);
    if (!solver->peer) {
        json_number(stream, "pivots", cell->mean_pivots);
        json_number(stream, "iterations", cell->mean_iterations);
    }
    json_number(stream, "worst_error", cell->worst);
    fprintf(stream, "}");
}

void tact_bench_write_json(const TactBench *bench, FILE *stream)
{
    fprintf(stream, "{\"bench\": \"lcp\", \"version\": \"%s\", \"instances\": %d, \"families\": [",
            tact_version(), bench->options.instances);
    const char *separator = "";
    for (int f = 0; f < bench->families; f++) {
        if (bench->n[f] == 0) {
            continue;
        }
        fprintf(stream, "%s\n  {\"name\": \"%s\", \"group\": \"%s\", \"n\": %d, \"solvers\": [",
                separator, bench->family[f].name, bench->family[f].group, bench->n[f]);
        separator = ",";
        const char *between = "";
        for (int s = 0; s < bench->solvers; s++) {
            const TactBenchCell *cell = tact_bench_cell(bench, f, s);
            if (cell->runs > 0 || cell->died > 0) {
                fprintf(stream, "%s\n    ", between);
                json_cell(&bench->solver[s], cell, stream);
                between = ",";
            }
        }
        fprintf(stream, "]}");
    }
    fprintf(stream, "\n]}\n");
}
