#include "history.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_STATES = 6000, MOST_BYTES = 64 << 20 };

static size_t width(const TactViewHistory *h)
{
    return (size_t)h->nq + (size_t)h->nv + (size_t)h->nu;
}

TactStatus tact_view_history_create(TactViewHistory *h, const TactModel *model)
{
    *h = (TactViewHistory){.nq = model->nq, .nv = model->nv, .nu = model->actuator_count};
    size_t fit = MOST_BYTES / (sizeof(double) * (width(h) + 2));
    h->capacity = fit > MOST_STATES ? MOST_STATES : (int)fit + 1;
    h->steps = calloc((size_t)h->capacity, sizeof *h->steps);
    h->times = calloc((size_t)h->capacity, sizeof *h->times);
    h->states = calloc((size_t)h->capacity, (width(h) + 1) * sizeof *h->states);
    return h->steps && h->times && h->states ? TACT_OK : TACT_NO_MEMORY;
}

void tact_view_history_destroy(TactViewHistory *h)
{
    free(h->steps);
    free(h->times);
    free(h->states);
}

/// The state that is `back` before the newest.
static int place(const TactViewHistory *h, int back)
{
    return (h->next - 1 - back + 2 * h->capacity) % h->capacity;
}

static void forget_from(TactViewHistory *h, long step)
{
    while (h->count > 0 && h->steps[place(h, 0)] >= step) {
        h->next = place(h, 0);
        h->count--;
    }
}

void tact_view_history_add(TactViewHistory *h, const TactSimState *state, long step)
{
    forget_from(h, step);
    double *at = h->states + (size_t)h->next * width(h);
    h->steps[h->next] = step;
    h->times[h->next] = state->time;
    memcpy(at, state->q, (size_t)h->nq * sizeof *at);
    memcpy(at + h->nq, state->v, (size_t)h->nv * sizeof *at);
    memcpy(at + h->nq + h->nv, state->ctrl, (size_t)h->nu * sizeof *at);
    h->next = (h->next + 1) % h->capacity;
    h->count = h->count < h->capacity ? h->count + 1 : h->count;
}

TactStatus tact_view_history_restore(TactViewHistory *h, TactSim *sim, long wanted, long *step)
{
    if (h->count == 0) {
        return TACT_BAD_ARGUMENT;
    }
    int back = 0;
    while (back + 1 < h->count && h->steps[place(h, back)] > wanted) {
        back++;
    }
    int           found = place(h, back);
    const double *at = h->states + (size_t)found * width(h);
    TactSimState *state = tact_sim_view_state(sim);
    memcpy(state->q, at, (size_t)h->nq * sizeof *at);
    memcpy(state->v, at + h->nq, (size_t)h->nv * sizeof *at);
    memcpy(state->ctrl, at + h->nq + h->nv, (size_t)h->nu * sizeof *at);
    state->time = h->times[found];
    *step = h->steps[found];
    return TACT_OK;
}
