// What a sweep says about its table, in words.
#include <math.h>
#include <string.h>

#include "cli/cli.h"
#include "cli/sweep/sweep.h"

enum { WORST = 5, FAILED = 8 };

static double value_of(const TactSweepTold *told, int row, int column)
{
    const TactSweepResults *r = told->results;
    return r->values[(size_t)row * (size_t)r->column_count + (size_t)column];
}

int tact_sweep_find_worst(const TactSweepTold *told, int *rows, int most)
{
    const TactSweepPlan *plan = told->plan;
    int                  count = 0;
    if (plan->worst_column < 0) {
        return 0;
    }
    double sign = plan->worst_least ? -1 : 1;
    for (int i = 0; i < told->results->count; i++) {
        double x = sign * value_of(told, i, plan->worst_column);
        int    k = count;
        while (k > 0 && sign * value_of(told, rows[k - 1], plan->worst_column) < x) {
            k--;
        }
        if (isnan(x) || k == most) {
            continue;
        }
        count += count < most;
        for (int m = count - 1; m > k; m--) {
            rows[m] = rows[m - 1];
        }
        rows[k] = i;
    }
    return count;
}

int tact_sweep_find_failed(const TactSweepTold *told, int *rows, int most)
{
    int count = 0;
    for (int i = 0; i < told->results->count; i++) {
        if ((int)value_of(told, i, told->plan->outcome_column) == told->plan->outcome_count - 1) {
            if (count < most) {
                rows[count] = i;
            }
            count++;
        }
    }
    return count;
}

static int count_outcome(const TactSweepTold *told, int outcome)
{
    int count = 0;
    for (int i = 0; i < told->results->count; i++) {
        count += (int)value_of(told, i, told->plan->outcome_column) == outcome;
    }
    return count;
}

static void print_outcomes(const TactSweepTold *told, FILE *stream)
{
    for (int i = 0; i < told->plan->outcome_count; i++) {
        TactSweepShare s = tact_sweep_share(count_outcome(told, i), told->results->count);
        fprintf(stream, "  %-13s %d, %.2f %% (95 %% interval: %.2f to %.2f %%)\n",
                told->plan->outcomes[i], s.count, 100 * s.share, 100 * s.lo, 100 * s.hi);
    }
}

static void print_measures(const TactSweepTold *told, FILE *stream)
{
    const TactSweepPlan *plan = told->plan;
    if (plan->measured_count > 0) {
        fprintf(stream, "  %-20s %12s %11s %12s %9s %12s %9s\n", "measured", "mean", "+-", "least",
                "trial", "largest", "trial");
    }
    for (int i = 0; i < plan->measured_count; i++) {
        int              column = plan->first_measured + i;
        TactSweepMoments m = tact_sweep_results_moments(told->results, column);
        if (m.count == 0) {
            fprintf(stream, "  %-20s no trial has a number\n", plan->columns[column]);
            continue;
        }
        fprintf(stream, "  %-20s %12.5g %11.2g %12.5g %9d %12.5g %9d\n", plan->columns[column],
                m.mean, m.hi - m.mean, m.least, m.least_trial, m.largest, m.largest_trial);
    }
}

static void print_trials(const TactSweepTold *told, FILE *stream)
{
    const TactSweepPlan *plan = told->plan;
    int                  rows[FAILED > WORST ? FAILED : WORST];
    int                  worst = tact_sweep_find_worst(told, rows, WORST);
    for (int i = 0; i < worst; i++) {
        fprintf(stream, "%s%d", i == 0 ? "  worst trials  " : ", ",
                (int)value_of(told, rows[i], 0));
    }
    if (worst > 0) {
        fprintf(stream, " (%s %s: %g)\n", plan->worst_least ? "least" : "largest",
                plan->columns[plan->worst_column], value_of(told, rows[0], plan->worst_column));
    }
    int failed = tact_sweep_find_failed(told, rows, FAILED);
    for (int i = 0; i < failed && i < FAILED; i++) {
        fprintf(stream, "%s%d", i == 0 ? "  failed trials " : ", ",
                (int)value_of(told, rows[i], 0));
    }
    if (failed > 0) {
        fprintf(stream, "%s; the column 'problem' says why, and contact problems are in %s\n",
                failed > FAILED ? ", ..." : "", told->failures);
    }
}

void tact_sweep_print(const TactSweepTold *told, FILE *stream)
{
    const TactSweepPlan *plan = told->plan;
    fprintf(stream, "%s: %d trials of %s, of %g s at most", told->options->file, plan->trials,
            plan->scene, plan->time);
    if (plan->grid > 1) {
        fprintf(stream, ", on a grid of %d points", plan->grid);
    }
    fprintf(stream, "\n");
    if (told->results->count < plan->trials) {
        fprintf(stream, "  so far        %d trials\n", told->results->count);
    }
    print_outcomes(told, stream);
    print_measures(told, stream);
    print_trials(told, stream);
    if (told->made > 0) {
        fprintf(stream, "  time          %.*f s for %d trials: %.3g ms each\n",
                told->elapsed < 10 ? 2 : 0, told->elapsed, told->made,
                1e3 * told->elapsed / told->made);
    }
    if (told->lost > 0) {
        fprintf(stream, "  lost          %d ranks; others made their trials\n", told->lost);
    }
    fprintf(stream, "  table         %s\n", told->table);
}
