// Tables and CSV of `tact bench friction`.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "bench/csv.h"
#include "bench/friction/friction.h"
#include "bench/wanted.h"

/// Solved to the common residual within the budget.
static bool is_solved(const TactBenchRun *run)
{
    return run->seconds > 0 && run->claimed && run->accepted;
}

static void print_name(const TactFrictionCase *c)
{
    enum { WIDTH = 30 };
    int length = (int)strlen(c->name);
    if (length > WIDTH) {
        printf("%.*s.. %5d", WIDTH - 2, c->name, c->contacts);
    } else {
        printf("%-*s %5d", WIDTH, c->name, c->contacts);
    }
}

/// "-": not run here, or not done within the budget; *: not to the residual that is wanted
static void print_time(const TactBenchRun *run)
{
    char text[32] = "-";
    if (run->iterations == TACT_FRICTION_REFUSED) {
        snprintf(text, sizeof text, "refused");
    } else if (run->seconds > 0) {
        double us = 1e6 * run->seconds;
        snprintf(text, sizeof text,
                 us < 100   ? "%.2f%s"
                 : us < 1e4 ? "%.1f%s"
                            : "%.0f%s",
                 us, is_solved(run) ? "" : "*");
    }
    printf(" %11s", text);
}

static void print_run(const TactBenchRun *run)
{
    print_time(run);
    if (run->seconds > 0) {
        printf(" %6d %8.1e", run->iterations, run->error);
    } else {
        printf(" %6s %8s", "", "");
    }
}

/// The fastest of the peers that solved it, by seconds; 0: none did.
static double best_peer(const TactFriction *friction, const TactFrictionCase *c)
{
    double best = 0;
    for (int p = 0; p < friction->peers; p++) {
        if (is_solved(&c->peers[p]) && (best == 0 || c->peers[p].seconds < best)) {
            best = c->peers[p].seconds;
        }
    }
    return best;
}

int tact_friction_rival(const TactFriction *friction)
{
    for (int p = 0; p < friction->peers; p++) {
        if (strcmp(friction->peer[p]->name, "siconos-nsgs") == 0) {
            return p;
        }
    }
    return -1;
}

void tact_friction_print_head(const TactFriction *friction)
{
    printf(
        "Time in us to a natural-map residual |p - P(p - u - mu |u_t| n)| / |b| of %g, sweeps or\n"
        "iterations, and that residual, recomputed for all by the same code. *: not reached; -: "
        "not\nwithin the budget, or not run.\n\n",
        tact_friction_wanted);
    printf("%-36s %27s", "", "tact nsgs");
    for (int p = 0; p < friction->peers; p++) {
        printf(" %27s", friction->peer[p]->name);
    }
    printf("\n%-30s %5s", "file", "cont.");
    for (int p = -1; p < friction->peers; p++) {
        printf(" %11s %6s %8s", "us", "sweeps", "residual");
    }
    printf(tact_friction_rival(friction) >= 0 ? " %9s\n" : "\n", "faster by");
}

void tact_friction_print_case(const TactFriction *friction, const TactFrictionCase *c)
{
    print_name(c);
    if (c->status != TACT_OK) {
        printf(" %s\n", c->message);
        return;
    }
    print_run(&c->ours[TACT_FRICTION_NSGS]);
    for (int p = 0; p < friction->peers && !c->message[0]; p++) {
        print_run(&c->peers[p]);
    }
    double best = best_peer(friction, c);
    if (is_solved(&c->ours[TACT_FRICTION_NSGS]) && best > 0) {
        printf(" %9.2f", best / c->ours[TACT_FRICTION_NSGS].seconds);
    }
    printf(c->message[0] ? " %s\n" : "\n", c->message);
    fflush(stdout);
}

void tact_friction_print_others(const TactFriction *friction)
{
    printf("\nOther methods of tact, us. The pyramid is another problem: its answers are judged by "
           "the certificate.\n\n%-36s",
           "");
    for (int m = 1; m < TACT_FRICTION_METHODS; m++) {
        printf(" %11s", tact_friction_method_name((TactFrictionMethod)m));
    }
    printf("\n%-30s %5s", "file", "cont.");
    for (int m = 1; m < TACT_FRICTION_METHODS; m++) {
        bool is_circle = tact_friction_method_cone((TactFrictionMethod)m) == TACT_CONE_CIRCLE;
        printf(" %11s", is_circle ? "circle" : "pyramid");
    }
    printf("\n");
    for (int i = 0; i < friction->count; i++) {
        const TactFrictionCase *c = &friction->cases[i];
        if (c->status == TACT_OK) {
            print_name(c);
            for (int m = 1; m < TACT_FRICTION_METHODS; m++) {
                print_time(&c->ours[m]);
            }
            printf("\n");
        }
    }
}

void tact_friction_print_verdict(const TactFriction *friction)
{
    int solved = 0, faster = 0, compared = 0;
    for (int i = 0; i < friction->count; i++) {
        const TactFrictionCase *c = &friction->cases[i];
        const TactBenchRun     *ours = &c->ours[TACT_FRICTION_NSGS];
        solved += is_solved(ours);
        if (friction->peers == 0 || c->status != TACT_OK || c->message[0]) {
            continue;
        }
        compared++;
        double best = best_peer(friction, c);
        faster += is_solved(ours) && (best == 0 || ours->seconds < best);
    }
    printf("\nnsgs reaches %g on %d of %d files", tact_friction_wanted, solved, friction->count);
    if (compared > 0) {
        printf(", and is faster than the best of Siconos's solvers on %d of %d.\nwanted: on all "
               "of them, and faster on all: %s",
               faster, compared,
               tact_bench_wanted(solved == friction->count && faster == compared));
    }
    printf("\n");
}

// ---------------------------------------------------------------------------------------------
// CSV

static void write_row(FILE *file, const TactFrictionCase *c, const char *solver, const char *cone,
                      const TactBenchRun *run)
{
    if (run->seconds > 0) {
        fprintf(file, "%s,%d,%d,%s,%s,%d,%d,%d,%.3g,%.3f\n", c->name, c->contacts, c->dimension,
                solver, cone, run->claimed, run->accepted, run->iterations, run->error,
                1e6 * run->seconds);
    }
}

int tact_friction_write_csv(const TactFriction *friction, const char *path)
{
    FILE *file = tact_bench_csv_open(path);
    if (!file) {
        return 2;
    }
    fprintf(file, "# tact bench friction: to a natural-map residual of %g; budget %g s\n",
            tact_friction_wanted, friction->options.budget);
    for (int p = 0; p < friction->peers; p++) {
        fprintf(file, "# peer: %s, %s\n", friction->peer[p]->name, friction->peer[p]->version);
    }
    fprintf(file, "file,contacts,dimension,solver,cone,claimed,accepted,iterations,residual,us\n");
    for (int i = 0; i < friction->count; i++) {
        const TactFrictionCase *c = &friction->cases[i];
        for (int m = 0; m < TACT_FRICTION_METHODS; m++) {
            bool is_circle = tact_friction_method_cone((TactFrictionMethod)m) == TACT_CONE_CIRCLE;
            write_row(file, c, tact_friction_method_name((TactFrictionMethod)m),
                      is_circle ? "circle" : "pyramid", &c->ours[m]);
        }
        for (int p = 0; p < friction->peers; p++) {
            write_row(file, c, friction->peer[p]->name, "circle", &c->peers[p]);
        }
    }
    return tact_bench_csv_close(file, path);
}
