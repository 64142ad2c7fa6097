// Trials by the value of a variable: one bin a value where there are few, else of equal width.
#include <math.h>

#include "cli/sweep/sweep.h"

static double value_at(const TactSweepResults *r, int row, int column)
{
    return r->values[(size_t)row * (size_t)r->column_count + (size_t)column];
}

/// The different values, ascending, if there are no more than so many.
static bool find_values(const TactSweepResults *r, int column, int most, TactSweepBins *bins)
{
    for (int i = 0; i < r->count; i++) {
        double x = value_at(r, i, column);
        int    k = 0;
        while (k < bins->count && bins->edges[k] < x) {
            k++;
        }
        if (k < bins->count && bins->edges[k] == x) {
            continue;
        }
        if (bins->count == most) {
            return false;
        }
        for (int m = bins->count++; m > k; m--) {
            bins->edges[m] = bins->edges[m - 1];
        }
        bins->edges[k] = x;
    }
    return true;
}

TactSweepBins tact_sweep_bins(const TactSweepResults *results, int column, int most)
{
    TactSweepBins    bins = {.count = 0};
    TactSweepMoments all = tact_sweep_results_moments(results, column);
    bins.lo = all.least;
    bins.hi = all.largest;
    bins.exact = find_values(results, column, most, &bins);
    if (!bins.exact) {
        bins.count = most;
        for (int i = 0; i <= most; i++) {
            bins.edges[i] = bins.lo + (bins.hi - bins.lo) * i / most;
        }
        bins.edges[most] = bins.hi;
    }
    for (int i = 0; i < bins.count; i++) {
        bins.values[i] = bins.exact ? bins.edges[i] : 0.5 * (bins.edges[i] + bins.edges[i + 1]);
    }
    return bins;
}

int tact_sweep_bin_of(const TactSweepBins *bins, double value)
{
    if (!(value >= bins->lo && value <= bins->hi)) {
        return -1;
    }
    int bin = 0;
    while (bin + 1 < bins->count && bins->edges[bin + 1] <= value) {
        bin++;
    }
    return bin;
}
