// A table read again: its numbers, shares with their intervals, moments.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/memory.h"
#include "base/status.h"
#include "io/text.h"
#include "sweep/sweep.h"

static const double Z_95 = 1.959963984540054; // 95 % of a normal distribution lie within +- this

static int count_lines(const char *block, size_t size)
{
    int         lines = 0;
    const char *c = block, *end = block + size;
    while ((c = memchr(c, '\n', (size_t)(end - c)))) {
        lines++;
        c++;
    }
    return lines;
}

static TactStatus read_rows(const TactSweep *sweep, const char *path, const char *block,
                            size_t size, TactSweepResults *results)
{
    int         columns = sweep->plan.column_count, lines = count_lines(block, size);
    double     *values = NULL;
    const char *c = block, *end = block + size, *stop;
    TACT_TRY(tact_allocate((size_t)lines * (size_t)columns + 1, sizeof *values, (void **)&values));
    results->values = values;
    results->column_count = columns;
    for (int line = 1; (stop = memchr(c, '\n', (size_t)(end - c))); line++, c = stop + 1) {
        double *row = values + (size_t)results->count * (size_t)columns;
        if (line == 1) {
            continue;
        }
        // Rows stand in the order of their trials: (int)row[0] is one.
        if (!tact_sweep_read_row(sweep, c, (size_t)(stop - c), row) || row[0] != results->count) {
            return tact_fail(TACT_BAD_INPUT, "%s:%d: this is not a row of this sweep", path, line);
        }
        results->count++;
    }
    return TACT_OK;
}

TactStatus tact_sweep_results_read(const TactSweep *sweep, const char *path,
                                   TactSweepResults **results)
{
    TACT_NEED(sweep && path && results, "tact_sweep_results_read");
    *results = NULL;
    char             *block = NULL;
    size_t            size = 0;
    TactSweepResults *made = NULL;
    TactStatus        status = tact_file_load(path, &block, &size);
    if (status == TACT_OK) {
        status = tact_allocate(1, sizeof *made, (void **)&made);
    }
    if (status == TACT_OK) {
        status = read_rows(sweep, path, block, size, made);
    }
    tact_release(block);
    if (status != TACT_OK) {
        tact_sweep_results_destroy(made);
        return status;
    }
    *results = made;
    return TACT_OK;
}

void tact_sweep_results_destroy(TactSweepResults *results)
{
    if (results) {
        tact_release((void *)results->values);
        tact_release(results);
    }
}

// ---------------------------------------------------------------------------------------------

TactSweepShare tact_sweep_share(int count, int of)
{
    // Wilson: the p for which |count/n - p| = z sqrt(p (1 - p) / n).
    TactSweepShare share = {.count = count, .of = of, .share = NAN, .hi = 1};
    if (of > 0) {
        double n = of, p = count / n, z2 = Z_95 * Z_95;
        double middle = (p + z2 / (2 * n)) / (1 + z2 / n);
        double half = Z_95 * sqrt(p * (1 - p) / n + z2 / (4 * n * n)) / (1 + z2 / n);
        share.share = p;
        share.lo = count == 0 ? 0 : fmax(middle - half, 0);
        share.hi = count == of ? 1 : fmin(middle + half, 1);
    }
    return share;
}

TactSweepMoments tact_sweep_results_moments(const TactSweepResults *results, int column)
{
    TactSweepMoments m = {.least = INFINITY, .largest = -INFINITY};
    double           squares = 0; // sum of squared distances from the mean [Welford62]
    for (int i = 0; i < results->count; i++) {
        const double *row = results->values + (size_t)i * (size_t)results->column_count;
        double        x = row[column];
        if (isnan(x)) {
            continue;
        }
        double before = x - m.mean;
        m.mean += before / ++m.count;
        squares += before * (x - m.mean);
        if (x < m.least) {
            m.least = x;
            m.least_trial = (int)row[0];
        }
        if (x > m.largest) {
            m.largest = x;
            m.largest_trial = (int)row[0];
        }
    }
    m.deviation = m.count > 1 ? sqrt(squares / (m.count - 1)) : NAN;
    double half = Z_95 * m.deviation / sqrt(m.count);
    m.lo = m.mean - half;
    m.hi = m.mean + half;
    if (m.count == 0) {
        m.mean = m.least = m.largest = m.lo = m.hi = NAN;
    }
    return m;
}
