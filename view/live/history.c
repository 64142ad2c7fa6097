#include "view/live/history.h"

#include <stdlib.h>

enum {
    MOST_BYTES = 128 << 20,
    WANTED = 600,   // moments that should fit
    SKIPS = 5,      // frames between two moments, so that keeping them costs little
    MOST_SKIPS = 15 // where they are large; the steps between are made again, which takes time
};

TactStatus tact_view_history_create(TactViewHistory *h)
{
    *h = (TactViewHistory){.moments = calloc(TACT_VIEW_MOST_MOMENTS, sizeof *h->moments)};
    return h->moments ? TACT_OK : TACT_NO_MEMORY;
}

/// The moment that is `back` before the newest.
static TactViewMoment *moment_at(const TactViewHistory *h, int back)
{
    return &h->moments[(h->next - 1 - back + 2 * TACT_VIEW_MOST_MOMENTS) % TACT_VIEW_MOST_MOMENTS];
}

static void forget(TactViewHistory *h, TactViewMoment *moment)
{
    h->bytes -= moment->size;
    free(moment->snapshot);
    *moment = (TactViewMoment){0};
    h->count--;
}

void tact_view_history_destroy(TactViewHistory *h)
{
    while (h->count > 0) {
        forget(h, moment_at(h, h->count - 1));
    }
    free(h->moments);
}

void tact_view_history_forget(TactViewHistory *h, long step)
{
    while (h->count > 0 && moment_at(h, 0)->step >= step) {
        forget(h, moment_at(h, 0));
        h->next = (h->next - 1 + TACT_VIEW_MOST_MOMENTS) % TACT_VIEW_MOST_MOMENTS;
    }
}

void tact_view_history_must_add(TactViewHistory *h, const TactSim *sim, TactViewMoment moment)
{
    tact_view_history_forget(h, moment.step);
    moment.size = tact_sim_snapshot_get_size(sim);
    while (h->count > 0 &&
           (h->count == TACT_VIEW_MOST_MOMENTS || h->bytes + moment.size > MOST_BYTES)) {
        forget(h, moment_at(h, h->count - 1));
    }
    moment.snapshot = malloc(moment.size);
    if (!moment.snapshot || tact_sim_snapshot_save(sim, moment.snapshot, moment.size) != TACT_OK) {
        free(moment.snapshot);
        return;
    }
    h->moments[h->next] = moment;
    h->next = (h->next + 1) % TACT_VIEW_MOST_MOMENTS;
    h->count++;
    h->bytes += moment.size;
    h->skipped = 0;
}

void tact_view_history_add(TactViewHistory *h, const TactSim *sim, TactViewMoment moment)
{
    bool is_large = tact_sim_snapshot_get_size(sim) > MOST_BYTES / WANTED;
    int  most = is_large ? MOST_SKIPS : SKIPS;
    tact_view_history_forget(h, moment.step + 1);
    if (h->count == 0 || (h->skipped >= most && moment_at(h, 0)->step < moment.step)) {
        tact_view_history_must_add(h, sim, moment);
    } else {
        h->skipped++;
    }
}

const TactViewMoment *tact_view_history_find(const TactViewHistory *h, long step)
{
    int back = 0;
    while (back + 1 < h->count && moment_at(h, back)->step >= step) {
        back++;
    }
    return h->count > 0 ? moment_at(h, back) : NULL;
}
