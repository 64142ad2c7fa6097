// Tables, CSV and what is wanted of `tact bench truth`.
#include <math.h>

#include "bench/truth/truth.h"
#include "bench/wanted.h"

// ---------------------------------------------------------------------------------------------
// Sums over scenes

typedef struct Bound {
    double step, depth;
} Bound;

static const Bound depth_bounds[] = {{1.5e-3, 1e-4}, {3e-3, 2e-4}, {7e-3, 5e-4}, {HUGE_VAL, 1e-3}};

double tact_truth_depth_bound(double step)
{
    int i = 0;
    while (step > depth_bounds[i].step) {
        i++;
    }
    return depth_bounds[i].depth;
}

static void count(TactTruthCount *figure, double value, double bound, int index, double time)
{
    if (!(value <= bound)) {
        figure->scenes++;
    }
    if (figure->index < 0 || !(value <= figure->worst)) {
        figure->worst = value;
        figure->index = index;
        figure->time = time;
    }
}

static void compare(TactTruthTimes *times, double time, double reference, double step)
{
    bool has = time < HUGE_VAL, should = reference < HUGE_VAL;
    if (!has && !should) {
        return;
    }
    times->compared++;
    if (!has || !should) {
        times->missing++;
        return;
    }
    double difference = time - reference;
    times->within += fabs(difference) <= 2 * step + 1e-9;
    times->sum += difference;
    times->squares += difference * difference;
}

static void begin(TactTruthCell *cell)
{
    TactTruthCount *const figures[] = {
        &cell->departure, &cell->whole,   &cell->beyond,   &cell->correction,
        &cell->turn,      &cell->depth,   &cell->energy,   &cell->much,
        &cell->loose,     &cell->jointed, &cell->momentum, &cell->angular,
    };
    for (size_t i = 0; i < sizeof figures / sizeof figures[0]; i++) {
        figures[i]->index = -1;
    }
}

void tact_truth_add_run(TactTruthBench *bench, int step, int engine, int index,
                        const TactTruthRun *run, const TactTruthRun *reference)
{
    TactTruthCell *cell = &bench->cell[step][engine];
    double         h = bench->step[step];
    if (cell->scenes++ == 0) {
        begin(cell);
    }
    cell->ends[run->end]++;
    if (run->end == TACT_TRUTH_CANNOT) {
        return;
    }
    count(&cell->departure, run->part_departure, 1e-3, index, run->departure_time);
    count(&cell->whole, run->departure, 1e-3, index, 0);
    count(&cell->beyond, run->beyond, 1e-9, index, run->departure_time);
    count(&cell->correction, run->correction, 1e-3, index, 0);
    count(&cell->turn, run->turn, 1e-2, index, 0);
    count(&cell->depth, run->depth, tact_truth_depth_bound(h), index, run->depth_time);
    count(&cell->energy, run->energy, 1e-9, index, run->energy_time);
    count(&cell->much, run->energy, 1e-3, index, run->energy_time);
    count(run->jointed ? &cell->jointed : &cell->loose, run->energy, 1e-9, index, run->energy_time);
    count(&cell->momentum, run->momentum, 1e-9, index, 0);
    count(&cell->angular, run->angular, 1e-9, index, 0);
    cell->islands += run->islands;
    cell->certified += run->certified;
    cell->proven += run->proven;
    for (int i = 0; i < TACT_STEP_LAW_COUNT; i++) {
        cell->failed[i] += run->failed[i];
    }
    cell->parts += run->parts;
    cell->steps += run->steps;
    cell->seconds += run->seconds;
    if (reference && run->end == TACT_TRUTH_COMPLETE && reference->end == TACT_TRUTH_COMPLETE) {
        compare(&cell->impact, run->impact, reference->impact, h);
        compare(&cell->rest, run->rest, reference->rest, h);
    }
}

// ---------------------------------------------------------------------------------------------
// Tables

static void print_figure(const TactTruthCount *figure, double unit)
{
    if (figure->index < 0) {
        printf("  %15s", "-");
    } else {
        char text[32];
        snprintf(text, sizeof text, "%d (%.2g)", figure->scenes, fmax(figure->worst, 0) / unit);
        printf("  %15s", text);
    }
}

static void print_times(const TactTruthTimes *times)
{
    char text[32];
    snprintf(text, sizeof text, "%d/%d", times->within, times->compared);
    printf("  %9s", times->compared ? text : "-");
}

static void print_row(const TactTruthBench *bench, const char *name, const TactTruthCell *cell)
{
    bool floats = bench->family == TACT_TRUTH_FREE_SPACE;
    int  ran = cell->scenes - cell->ends[TACT_TRUTH_CANNOT];
    printf("  %-10s %5d %5d %5d", name, ran, cell->ends[TACT_TRUTH_CANNOT],
           ran - cell->ends[TACT_TRUTH_COMPLETE]);
    print_figure(&cell->departure, 1e-3);
    print_figure(&cell->turn, 1);
    print_figure(&cell->depth, 1e-3);
    print_figure(&cell->energy, 1);
    print_figure(&cell->much, 1);
    if (floats) {
        print_figure(&cell->momentum, 1);
        print_figure(&cell->angular, 1);
    }
    print_times(&cell->impact);
    if (!floats) {
        print_times(&cell->rest);
    }
    if (cell->islands > 0) {
        printf("  %ld of %ld", cell->islands - cell->certified, cell->islands);
    }
    printf("\n");
}

/// Which engines, and how they are set.
static void print_engines(const TactTruthBench *bench)
{
    printf("\n");
    for (int e = 0; e < bench->engines && bench->engines > 1; e++) {
        const TactSimPeer *engine = bench->engine[e];
        printf("%s %s: %s\n", engine->name, engine->version ? engine->version : "", engine->hard);
    }
}

void tact_truth_print(const TactTruthBench *bench)
{
    bool floats = bench->family == TACT_TRUTH_FREE_SPACE;
    print_engines(bench);
    for (int s = 0; s < bench->steps; s++) {
        const TactTruthCell *own = &bench->cell[s][0];
        char                 depth[32];
        printf("\n%s: scenes %d to %d of seed %d, %g s each, steps of %g ms\n",
               tact_truth_family_name(bench->family), bench->first,
               bench->first + bench->scenes - 1, bench->seed, bench->time, 1e3 * bench->step[s]);
        snprintf(depth, sizeof depth, "> %g mm deep", 1e3 * tact_truth_depth_bound(bench->step[s]));
        printf("  %-10s %5s %5s %5s  %15s  %15s  %15s  %15s  %15s", "engine", "run", "can't",
               "early", "off v > 1 mm", "off w > .01 rad", depth, "energy > 1e-9", "energy > 1e-3");
        if (floats) {
            printf("  %15s  %15s", "mv off > 1e-9", "L off > 1e-9");
        }
        printf("  %9s", "impact");
        if (!floats) {
            printf("  %9s", "rest");
        }
        printf("  uncertified\n");
        for (int e = 0; e < bench->engines; e++) {
            print_row(bench, bench->engine[e]->name, &bench->cell[s][e]);
        }
        printf("  tact: whole steps off v > 1 mm: %d (%.2g mm); beyond the reported correction: "
               "%d (%.2g mm); reported correction > 1 mm: %d (%.2g mm); %.3g parts a step\n",
               own->whole.scenes, 1e3 * own->whole.worst, own->beyond.scenes,
               1e3 * fmax(own->beyond.worst, 0), own->correction.scenes,
               1e3 * own->correction.worst,
               own->steps ? (double)own->parts / (double)own->steps : 0);
    }
}

// ---------------------------------------------------------------------------------------------
// What is wanted

static bool print_wanted(double step, const char *what, bool held, const TactTruthCount *figure,
                         double unit)
{
    tact_bench_wanted(held);
    printf("  %5g ms  %-52s %-6s", 1e3 * step, what, held ? "held" : "MISSED");
    if (figure && !held) {
        printf("  %d scenes, worst %.3g in scene %d at %.4g s", figure->scenes,
               figure->worst / unit, figure->index, figure->time);
    }
    printf("\n");
    return held;
}

/// The mean difference is within two steps, give or take twice its standard error.
static bool is_within(const TactTruthTimes *times, double step)
{
    int n = times->compared - times->missing;
    if (n == 0) {
        return true;
    }
    double mean = times->sum / n;
    double variance = n > 1 ? fmax(times->squares - n * mean * mean, 0) / (n - 1) : 0;
    return fabs(mean) <= 2 * step + 2 * sqrt(variance / n);
}

/// Up to the first impact motion is not chaotic: nine in ten have to agree.
static bool print_wanted_impact(double step, const TactTruthTimes *times)
{
    if (times->compared == 0) {
        return true;
    }
    bool held = times->within >= 0.9 * times->compared;
    print_wanted(step, "first impact within two steps of the run at 0.1 ms", held, NULL, 1);
    printf("            in %d of %d scenes, 9 in 10 wanted\n", times->within, times->compared);
    return held;
}

// Motion is chaotic: fewer differences of times of rest than this say nothing.
enum { FEW = 8 };

static bool print_wanted_rest(double step, const TactTruthTimes *times)
{
    int n = times->compared - times->missing;
    if (times->compared == 0) {
        return true;
    }
    bool held = n < FEW || is_within(times, step);
    tact_bench_wanted(held);
    printf("  %5g ms  %-52s %s\n", 1e3 * step, "rest within two steps of the run at 0.1 ms",
           n < FEW ? "too few scenes"
           : held  ? "held"
                   : "MISSED");
    printf("            mean difference %.3g ms over %d scenes that come to rest in both runs; %d "
           "more do in one\n",
           n > 0 ? 1e3 * times->sum / n : 0, n, times->missing);
    return held;
}

static bool wanted_at(const TactTruthBench *bench, int s)
{
    const TactTruthCell *cell = &bench->cell[s][0];
    double               h = bench->step[s];
    bool                 floats = bench->family == TACT_TRUTH_FREE_SPACE, held = true;
    char                 depth[64];
    snprintf(depth, sizeof depth, "no overlap deeper than %g mm", 1e3 * tact_truth_depth_bound(h));
    held &= print_wanted(h, "all runs complete", cell->ends[TACT_TRUTH_COMPLETE] == cell->scenes,
                         NULL, 1);
    held &= print_wanted(h, "positions follow velocities, but for corrections, mm",
                         cell->beyond.scenes == 0, &cell->beyond, 1e-3);
    held &= print_wanted(h, depth, cell->depth.scenes == 0, &cell->depth, 1e-3);
    held &= print_wanted(h, "energy never rises by more than 1e-9, free bodies",
                         cell->loose.scenes == 0, &cell->loose, 1);
    if (cell->jointed.index >= 0) {
        held &= print_wanted(h, "energy never rises by more than 1e-9, mechanisms",
                             cell->jointed.scenes == 0, &cell->jointed, 1);
    }
    if (floats) {
        held &= print_wanted(h, "momentum kept to 1e-9", cell->momentum.scenes == 0,
                             &cell->momentum, 1);
        held &= print_wanted(h, "angular momentum kept to 1e-9", cell->angular.scenes == 0,
                             &cell->angular, 1);
    }
    held &= print_wanted_impact(h, &cell->impact);
    if (!floats) {
        held &= print_wanted_rest(h, &cell->rest);
    }
    held &= print_wanted(h, "every contact problem certified", cell->certified == cell->islands,
                         NULL, 1);
    held &= print_wanted(h, "every step certified", cell->proven == cell->steps, NULL, 1);
    printf("            %ld of %ld steps;", cell->proven, cell->steps);
    for (int i = 0; i < TACT_STEP_LAW_COUNT; i++) {
        printf(" %s fails in %ld%s", tact_step_law_name((TactStepLaw)i), cell->failed[i],
               i + 1 < TACT_STEP_LAW_COUNT ? "," : "\n");
    }
    return held;
}

bool tact_truth_print_wanted(const TactTruthBench *bench)
{
    bool held = true;
    printf("\nWanted of tact, %s:\n", tact_truth_family_name(bench->family));
    for (int s = 0; s < bench->steps; s++) {
        held &= wanted_at(bench, s);
    }
    return held;
}
