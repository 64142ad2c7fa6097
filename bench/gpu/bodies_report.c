// Rows of the table of batches: one-body problems, cold and warm.
#include "bench/gpu/bodies_report.h"

enum { RUNS = 3, CHECKED = 100000 };

/// Median time of cold solves, s.
static TactStatus time_cold(TactBenchBodies *bodies, TactContactBatchReport *report, double *seconds)
{
    double times[RUNS];
    for (int k = 0; k < RUNS; k++) {
        TactStatus status = tact_contact_batch_solve(bodies->batch, false, report);
        if (status) {
            return status;
        }
        times[k] = report->seconds;
    }
    double low = times[0] < times[1] ? times[0] : times[1];
    double high = times[0] < times[1] ? times[1] : times[0];
    *seconds = times[2] < low ? low : times[2] > high ? high : times[2];
    return TACT_OK;
}

static TactStatus fetch(TactBenchBodies *bodies)
{
    return tact_contact_batch_fetch(bodies->batch, bodies->count, &bodies->answers);
}

static int certified(const TactContactBatchReport *report)
{
    return report->first + report->retried + report->handed_over;
}

/// What all rows begin with.
static void print_begin(FILE *out, const char *start, TactMixKind kind, const TactBenchBodies *bodies,
                        const TactContactBatchReport *report, double seconds)
{
    double count = report->count;
    fprintf(out, "%s,%s,%d,%d,%d,%.4f,%.2f,%.6f,%.6f,%.6f,%d,%d", start, tact_mix_name(kind),
            bodies->contacts, bodies->directions, report->count, 1e3 * seconds,
            1e-6 * certified(report) / seconds, report->kept / count, report->first / count,
            certified(report) / count, report->handed_over, report->unsolved);
}

static TactStatus print_cold(FILE *out, TactWorkers *workers, TactBenchBodies *bodies,
                             TactMixKind kind)
{
    TactContactBatchReport report;
    TactBenchCheck         check;
    double                 seconds, pivots = 0;
    int                    most = 0, checked = bodies->count < CHECKED ? bodies->count : CHECKED;
    TactStatus             status = time_cold(bodies, &report, &seconds);
    status = status ? status : fetch(bodies);
    status = status ? status : tact_bench_bodies_check(bodies, workers, checked, &check);
    if (status) {
        return status;
    }
    for (int i = 0; i < bodies->count; i++) {
        int own = bodies->answers.pivots[i] < 0 ? -bodies->answers.pivots[i] - 1
                                                : bodies->answers.pivots[i];
        pivots += own;
        most = own > most ? own : most;
    }
    print_begin(out, "cold", kind, bodies, &report, seconds);
    fprintf(out, ",%.2f,%d,%d,%d,%.2g,%.2g,%.4f,%.4f,%.3f\n", pivots / bodies->count, most,
            check.checked, check.refused, check.worst, check.difference,
            (double)check.same / check.checked, (double)check.solved / check.checked,
            1e-6 * check.checked / check.seconds);
    fflush(out);
    return TACT_OK;
}

/// The step after a cold one, from its bases.
static TactStatus print_warm(FILE *out, TactBenchBodies *bodies, TactMixKind kind, double part)
{
    TactContactBatchReport report;
    double                 seconds;
    char                   start[32];
    TactStatus             status = time_cold(bodies, &report, &seconds);
    tact_mix_disturb(part, 7, &bodies->drawn);
    status = status ? status : tact_contact_batch_send(bodies->batch, &bodies->problems);
    status = status ? status : tact_contact_batch_solve(bodies->batch, true, &report);
    if (!status) {
        snprintf(start, sizeof start, "warm %g", part);
        print_begin(out, start, kind, bodies, &report, report.seconds);
        fprintf(out, ",,,,,,,,,\n");
        fflush(out);
    }
    return status;
}

TactStatus tact_bench_report_bodies(FILE *out, TactDevice device, TactWorkers *workers,
                                    TactMixKind kind, const TactBenchCase *size)
{
    static const double parts[] = {0, 1e-3, 1e-2, 1e-1};
    TactBenchBodies     bodies;
    int                 rows = size->warm ? (int)(sizeof parts / sizeof *parts) : 0;
    TactStatus          status = tact_bench_bodies_create(device, size->count, size->contacts,
                                                          size->directions, &bodies);
    for (int k = -1; k < rows && !status; k++) {
        tact_mix_draw(kind, 1, 0, &bodies.drawn);
        status = tact_contact_batch_send(bodies.batch, &bodies.problems);
        if (!status) {
            status = k < 0 ? print_cold(out, workers, &bodies, kind)
                           : print_warm(out, &bodies, kind, parts[k]);
        }
    }
    tact_bench_bodies_destroy(&bodies);
    return status;
}
