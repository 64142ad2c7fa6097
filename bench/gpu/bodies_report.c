#include "bench/gpu/bodies_report.h"

#include <string.h>

enum { RUNS = 3, CHECKED = 100000 };

/// Median time of cold solves, s.
static TactStatus time_cold(TactBenchBodies *bodies, TactBenchRow *row)
{
    double times[RUNS];
    for (int k = 0; k < RUNS; k++) {
        TactStatus status = tact_contact_batch_solve(bodies->batch, false, &row->report);
        if (status) {
            return status;
        }
        times[k] = row->report.seconds;
    }
    double low = times[0] < times[1] ? times[0] : times[1];
    double high = times[0] < times[1] ? times[1] : times[0];
    row->seconds = times[2] < low ? low : times[2] > high ? high : times[2];
    return TACT_OK;
}

static TactStatus check_cold(const TactBenchBodies *bodies, TactWorkers *workers, TactBenchRow *row)
{
    int        checked = bodies->count < CHECKED ? bodies->count : CHECKED;
    TactStatus status = tact_contact_batch_fetch(bodies->batch, bodies->count, &bodies->answers);
    for (int i = 0; i < bodies->count && !status; i++) {
        int own = bodies->answers.pivots[i];
        own = own < 0 ? -own - 1 : own;
        row->pivots += (double)own / bodies->count;
        row->most_pivots = own > row->most_pivots ? own : row->most_pivots;
    }
    return status ? status : tact_bench_bodies_check(bodies, workers, checked, &row->check);
}

/// The step after a cold one, from its bases.
static TactStatus time_warm(TactBenchBodies *bodies, double change, TactBenchRow *row)
{
    tact_mix_disturb(change, 7, &bodies->drawn);
    TactStatus status = tact_contact_batch_send(bodies->batch, &bodies->problems);
    status = status ? status : tact_contact_batch_solve(bodies->batch, true, &row->report);
    row->seconds = row->report.seconds;
    return status;
}

TactStatus tact_bench_bodies_row(TactDevice device, TactWorkers *workers, const TactBenchCase *own,
                                 TactBenchRow *row)
{
    TactBenchBodies bodies;
    *row = (TactBenchRow){0};
    TactStatus status = tact_bench_bodies_create(device, own->cone, own->count, own->contacts,
                                                 own->directions, &bodies);
    if (!status) {
        tact_mix_draw(own->kind, 1, 0, &bodies.drawn);
        status = tact_contact_batch_send(bodies.batch, &bodies.problems);
    }
    status = status ? status : time_cold(&bodies, row);
    if (!status) {
        status = own->change < 0 ? check_cold(&bodies, workers, row)
                                 : time_warm(&bodies, own->change, row);
    }
    int certified = row->report.first + row->report.retried + row->report.handed_over;
    row->rate = row->seconds > 0 ? certified / row->seconds : 0;
    tact_bench_bodies_destroy(&bodies);
    return status;
}

/// Solves the first problems of a mix and fetches the answers.
static TactStatus solve_first(TactDevice device, const TactBenchCase *own, int count,
                              TactBenchBodies *bodies)
{
    TactContactBatchReport report;
    TactStatus             status =
        tact_bench_bodies_create(device, own->cone, count, own->contacts, own->directions, bodies);
    if (!status) {
        tact_mix_draw(own->kind, 1, 0, &bodies->drawn);
        status = tact_contact_batch_send(bodies->batch, &bodies->problems);
    }
    status = status ? status : tact_contact_batch_solve(bodies->batch, false, &report);
    return status ? status : tact_contact_batch_fetch(bodies->batch, count, &bodies->answers);
}

/// The first answers of two batches.
static bool are_same(const TactBenchBodies *a, const TactBenchBodies *b, int count)
{
    size_t size = (size_t)count * sizeof(double);
    bool   same = true;
    for (int k = 0; k < 3 * a->contacts; k++) {
        same = same && memcmp(a->answers.impulse + (size_t)k * (size_t)a->count,
                              b->answers.impulse + (size_t)k * (size_t)b->count, size) == 0;
    }
    for (int k = 0; k < 6; k++) {
        same = same && memcmp(a->answers.velocity + (size_t)k * (size_t)a->count,
                              b->answers.velocity + (size_t)k * (size_t)b->count, size) == 0;
    }
    return same;
}

TactStatus tact_bench_bodies_repeat(TactDevice device, const TactBenchCase *own, bool *same)
{
    TactBenchBodies all, again, part;
    int             quarter = (own->count + 3) / 4;
    TactStatus      status = solve_first(device, own, own->count, &all);
    TactStatus      second = solve_first(device, own, own->count, &again);
    TactStatus      third = solve_first(device, own, quarter, &part);
    status = status ? status : second ? second : third;
    *same = !status && are_same(&all, &again, own->count) && are_same(&all, &part, quarter);
    tact_bench_bodies_destroy(&all);
    tact_bench_bodies_destroy(&again);
    tact_bench_bodies_destroy(&part);
    return status;
}
