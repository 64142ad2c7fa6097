// The same as JSON.
#include <math.h>
#include <stdio.h>

#include "cli/cli.h"
#include "cli/sweep/sweep.h"

enum { LISTED = 100, BINS = 12 };

#define REAL tact_json_value_real

static double cell(const TactSweepTold *told, int row, int column)
{
    const TactSweepResults *r = told->results;
    return r->values[(size_t)row * (size_t)r->column_count + (size_t)column];
}

static json_t *describe_share(TactSweepShare s)
{
    return tact_json_pack("{s:i, s:o, s:[o, o]}", "count", s.count, "share", REAL(s.share),
                          "interval", REAL(s.lo), REAL(s.hi));
}

static json_t *describe_outcomes(const TactSweepTold *told)
{
    const TactSweepPlan *plan = told->plan;
    json_t              *outcomes = json_object();
    for (int k = 0; k < plan->outcome_count; k++) {
        int count = 0;
        for (int i = 0; i < told->results->count; i++) {
            count += (int)cell(told, i, plan->outcome_column) == k;
        }
        tact_json_set(outcomes, plan->outcomes[k],
                      describe_share(tact_sweep_share(count, told->results->count)));
    }
    return outcomes;
}

static json_t *describe_measures(const TactSweepTold *told)
{
    const TactSweepPlan *plan = told->plan;
    json_t              *measures = json_object();
    for (int i = 0; i < plan->measured_count; i++) {
        int              column = plan->first_measured + i;
        TactSweepMoments m = tact_sweep_results_moments(told->results, column);
        tact_json_set(measures, plan->columns[column],
                      tact_json_pack("{s:i, s:o, s:o, s:[o, o], s:o, s:i, s:o, s:i}", "count",
                                     m.count, "mean", REAL(m.mean), "deviation", REAL(m.deviation),
                                     "interval", REAL(m.lo), REAL(m.hi), "min", REAL(m.least),
                                     "min_trial", m.least_trial, "max", REAL(m.largest),
                                     "max_trial", m.largest_trial));
    }
    return measures;
}

/// How often the first outcome came, by the values of each variable.
static json_t *describe_variables(const TactSweepTold *told)
{
    const TactSweepPlan *plan = told->plan;
    json_t              *variables = json_object();
    for (int v = 0; v < plan->varied_count; v++) {
        int           column = plan->first_varied + v;
        TactSweepBins bins = tact_sweep_bins(told->results, column, BINS);
        json_t       *list = json_array();
        for (int b = 0; b < bins.count; b++) {
            int all = 0, first = 0;
            for (int i = 0; i < told->results->count; i++) {
                bool inside = tact_sweep_bin_of(&bins, cell(told, i, column)) == b;
                all += inside;
                first += inside && (int)cell(told, i, plan->outcome_column) == 0;
            }
            json_t *bin = describe_share(tact_sweep_share(first, all));
            tact_json_set(bin, "value", REAL(bins.values[b]));
            tact_json_set(bin, "trials", json_integer(all));
            tact_json_append(list, bin);
        }
        tact_json_set(variables, plan->columns[column], list);
    }
    return variables;
}

static json_t *describe_rows(const TactSweepTold *told, const int *rows, int count)
{
    json_t *list = json_array();
    for (int i = 0; i < count; i++) {
        tact_json_append(list, json_integer((json_int_t)cell(told, rows[i], 0)));
    }
    return list;
}

int tact_sweep_print_json(const TactSweepTold *told)
{
    const TactSweepPlan *plan = told->plan;
    int                  rows[LISTED];
    char                 identity[17];
    snprintf(identity, sizeof identity, "%016llx", (unsigned long long)plan->identity);
    json_t *object = tact_json_pack(
        "{s:o, s:o, s:i, s:i, s:i, s:o, s:s, s:o, s:i, s:o, s:i}", "sweep",
        tact_json_value_text(told->options->file), "scene", tact_json_value_text(plan->scene),
        "trials", plan->trials, "grid", plan->grid, "rows", told->results->count, "table",
        tact_json_value_text(told->table), "identity", identity, "time", REAL(plan->time), "made",
        told->made, "elapsed", REAL(told->elapsed), "lost_ranks", told->lost);
    tact_json_set(object, "outcomes", describe_outcomes(told));
    tact_json_set(object, "measures", describe_measures(told));
    tact_json_set(object, "varied", describe_variables(told));
    int worst = tact_sweep_find_worst(told, rows, 10);
    tact_json_set(object, "worst", describe_rows(told, rows, worst));
    int failed = tact_sweep_find_failed(told, rows, LISTED);
    tact_json_set(object, "failed", describe_rows(told, rows, failed < LISTED ? failed : LISTED));
    const char *why = tact_json_print(object, JSON_REAL_PRECISION(17));
    return why ? tact_cli_bad("%s", why) : 0;
}
