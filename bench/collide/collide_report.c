// Tables and CSV of `tact bench collide`.
#include <math.h>
#include <string.h>

#include "bench/collide/collide.h"
#include "bench/csv.h"
#include "bench/wanted.h"

static const char *const part_names[TACT_COLLIDE_PART_COUNT] = {"pairs", "broad", "world"};

/// Times as long as tact.
static double times_tact(const TactCollideBench *bench, int index, int engine, int part)
{
    return tact_collide_seconds(bench, index, engine, part) /
           tact_collide_seconds(bench, index, 0, part);
}

static void print_pairs(const TactCollideBench *bench, int index, int engine)
{
    const TactCollideFound *found = &bench->cell[index][engine].found[TACT_COLLIDE_PAIRS];
    double seconds = tact_collide_seconds(bench, index, engine, TACT_COLLIDE_PAIRS);
    printf("  %-8s %12.0f %10.3f %8.2f %9.1f %9.2f\n", bench->engine[engine]->name, 1 / seconds,
           1e6 * seconds, times_tact(bench, index, engine, TACT_COLLIDE_PAIRS),
           100.0 * (double)found->touching / (double)found->pairs,
           found->touching > 0 ? (double)found->contacts / (double)found->touching : 0.0);
}

static void print_world(const TactCollideBench *bench, int index, int engine)
{
    const TactCollideFound *broad = &bench->cell[index][engine].found[TACT_COLLIDE_BROAD];
    const TactCollideFound *world = &bench->cell[index][engine].found[TACT_COLLIDE_WORLD];
    double frames = bench->spec[index]->frames, pairs = (double)broad->pairs / frames;
    double seconds = tact_collide_seconds(bench, index, engine, TACT_COLLIDE_WORLD);
    double alone = tact_collide_seconds(bench, index, engine, TACT_COLLIDE_BROAD);
    printf("  %-8s %10.1f %8.2f %10.1f %8.2f %12.0f %9.0f %9.2f\n", bench->engine[engine]->name,
           1e6 * alone, times_tact(bench, index, engine, TACT_COLLIDE_BROAD), 1e6 * seconds,
           times_tact(bench, index, engine, TACT_COLLIDE_WORLD), pairs / seconds, pairs,
           world->touching > 0 ? (double)world->contacts / (double)world->touching : 0.0);
}

void tact_collide_print_case(const TactCollideBench *bench, int index)
{
    const TactCollideSpec *spec = bench->spec[index];
    bool                   pairs = spec->bodies == 2;
    if (pairs) {
        printf("\n%s, %d pairs\n  %-8s %12s %10s %8s %9s %9s\n", spec->name, spec->frames, "",
               "pairs/s", "us a pair", "x tact", "touch, %", "points");
    } else {
        printf("\n%s, us a step\n  %-8s %10s %8s %10s %8s %12s %9s %9s\n", spec->name, "", "broad",
               "x tact", "all", "x tact", "pairs/s", "pairs", "points");
    }
    for (int e = 0; e < bench->engines; e++) {
        if (!bench->cell[index][e].taken) {
            printf("  %-8s does not take this shape\n", bench->engine[e]->name);
        } else if (pairs) {
            print_pairs(bench, index, e);
        } else {
            print_world(bench, index, e);
        }
    }
}

// ---------------------------------------------------------------------------------------------
// Growth

/// Slope of the least-squares line through (log n, log time) of the piles.
static double slope(const TactCollideBench *bench, int engine, int part)
{
    double n = 0, x = 0, y = 0, xx = 0, xy = 0;
    for (int i = 0; i < bench->cases; i++) {
        double seconds = tact_collide_seconds(bench, i, engine, part);
        if (bench->spec[i]->kind == TACT_COLLIDE_PILE && seconds < HUGE_VAL) {
            double a = log(bench->spec[i]->bodies), b = log(seconds);
            n += 1;
            x += a;
            y += b;
            xx += a * a;
            xy += a * b;
        }
    }
    return n > 1 ? (n * xy - x * y) / (n * xx - x * x) : NAN;
}

void tact_collide_print_growth(const TactCollideBench *bench)
{
    if (isnan(slope(bench, 0, TACT_COLLIDE_BROAD))) {
        return; // fewer than two piles
    }
    printf(
        "\nTime of a pile grows with n to the power of (n log n would be 1.14)\n  %-8s %8s %8s\n",
        "", "broad", "all");
    for (int e = 0; e < bench->engines; e++) {
        printf("  %-8s %8.2f %8.2f\n", bench->engine[e]->name, slope(bench, e, TACT_COLLIDE_BROAD),
               slope(bench, e, TACT_COLLIDE_WORLD));
    }
}

// ---------------------------------------------------------------------------------------------
// What is wanted

/// Ahead of ODE on all, of Bullet on convex pairs.
static bool is_wanted(const TactCollideSpec *spec, const char *engine)
{
    return strcmp(engine, "ode") == 0 || spec->kind != TACT_COLLIDE_TORI;
}

void tact_collide_print_wanted(const TactCollideBench *bench)
{
    if (bench->engines > 1) {
        printf("\nTimes as fast as the others  wanted     got\n");
    }
    for (int i = 0; i < bench->cases; i++) {
        int part = bench->spec[i]->bodies == 2 ? TACT_COLLIDE_PAIRS : TACT_COLLIDE_WORLD;
        for (int e = 1; e < bench->engines; e++) {
            double got = times_tact(bench, i, e, part);
            if (bench->cell[i][e].taken && is_wanted(bench->spec[i], bench->engine[e]->name)) {
                printf("  %-14s %-11s %5d %8.2f  %s\n", bench->spec[i]->name,
                       bench->engine[e]->name, 1, got, tact_bench_wanted(got >= 1));
            }
        }
    }
}

// ---------------------------------------------------------------------------------------------
// CSV

static void csv_cell(const TactCollideBench *bench, int i, int e, FILE *file)
{
    const TactCollideCell *cell = &bench->cell[i][e];
    for (int part = 0; part < TACT_COLLIDE_PART_COUNT && cell->taken; part++) {
        if (cell->best[part] < HUGE_VAL) {
            fprintf(file, "%s,%d,%d,%s,%s,%.4f,%.3f,%ld,%ld,%ld\n", bench->spec[i]->name,
                    bench->spec[i]->bodies, bench->spec[i]->frames, bench->engine[e]->name,
                    part_names[part], 1e6 * tact_collide_seconds(bench, i, e, part),
                    times_tact(bench, i, e, part), cell->found[part].pairs,
                    cell->found[part].touching, cell->found[part].contacts);
        }
    }
}

int tact_collide_write_csv(const TactCollideBench *bench, const char *path)
{
    FILE *file = tact_bench_csv_open(path);
    if (!file) {
        return 2;
    }
    for (int e = 1; e < bench->engines; e++) {
        fprintf(file, "# peer: %s %s; timed: %s\n", bench->engine[e]->name,
                bench->engine[e]->version, bench->engine[e]->timed);
    }
    fprintf(file, "case,bodies,frames,engine,part,best_us,times_tact,pairs,touching,contacts\n");
    for (int i = 0; i < bench->cases; i++) {
        for (int e = 0; e < bench->engines; e++) {
            csv_cell(bench, i, e, file);
        }
    }
    return tact_bench_csv_close(file, path);
}
