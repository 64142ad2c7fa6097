#include "view/live/sleepers.h"

#include <stdlib.h>
#include <string.h>

void tact_view_sleepers_destroy(TactViewSleepers *sleepers)
{
    free(sleepers->kept);
    free(sleepers->since);
    tact_sim_destroy(sleepers->awake);
    free(sleepers->last);
    *sleepers = (TactViewSleepers){0};
}

/// Grows an array to so many entries. False: no memory, and it is as it was.
static bool grow_list(void **array, int *room, int count, size_t size)
{
    if (count <= *room) {
        return true;
    }
    void *grown = realloc(*array, 2 * (size_t)count * size);
    if (grown) {
        *array = grown;
        *room = 2 * count;
    }
    return grown != NULL;
}

/// Islands fall asleep as a whole: one side is enough, the other may be of the world.
static bool sleeps(const TactSim *sim, const TactSimContact *contact)
{
    return tact_sim_is_asleep(sim, contact->body[0]) || tact_sim_is_asleep(sim, contact->body[1]);
}

/// Keeps those that sleep and have done so since that step at the latest.
static void drop_others(TactViewSleepers *sleepers, const TactSim *sim, long latest)
{
    int kept = 0;
    for (int i = 0; i < sleepers->count; i++) {
        if (sleepers->since[i] <= latest && sleeps(sim, &sleepers->kept[i])) {
            sleepers->kept[kept] = sleepers->kept[i];
            sleepers->since[kept++] = sleepers->since[i];
        }
    }
    sleepers->count = kept;
}

/// Contacts of the last frame whose bodies sleep now.
static void keep_fallen(TactViewSleepers *sleepers, const TactSim *sim, long step)
{
    for (int i = 0; i < sleepers->last_count; i++) {
        int n = sleepers->count + 1;
        if (sleeps(sim, &sleepers->last[i]) &&
            grow_list((void **)&sleepers->kept, &sleepers->room, n, sizeof *sleepers->kept) &&
            grow_list((void **)&sleepers->since, &sleepers->since_room, n,
                      sizeof *sleepers->since)) {
            sleepers->kept[n - 1] = sleepers->last[i];
            sleepers->since[n - 1] = step;
            sleepers->count = n;
        }
    }
}

void tact_view_sleepers_update(TactViewSleepers *sleepers, const TactSim *sim, long step)
{
    int                   count;
    const TactSimContact *contacts = tact_sim_view_contacts(sim, &count);
    drop_others(sleepers, sim, step);
    keep_fallen(sleepers, sim, step);
    sleepers->last_count = 0;
    if (count > 0 &&
        grow_list((void **)&sleepers->last, &sleepers->last_room, count, sizeof *sleepers->last)) {
        memcpy(sleepers->last, contacts, (size_t)count * sizeof *contacts);
        sleepers->last_count = count;
    }
}

void tact_view_sleepers_rewind(TactViewSleepers *sleepers, const TactSim *sim, long step)
{
    drop_others(sleepers, sim, step);
    sleepers->last_count = 0;
}

// ---------------------------------------------------------------------------------------------
// What holds them

static void copy_numbers(double *to, const double *from, int count)
{
    if (count > 0) {
        memcpy(to, from, (size_t)count * sizeof *to);
    }
}

static void copy_state(const TactModel *model, const TactSimState *from, TactSimState *to)
{
    copy_numbers(to->q, from->q, model->nq);
    copy_numbers(to->v, from->v, model->nv);
    copy_numbers(to->ctrl, from->ctrl, model->actuator_count);
    copy_numbers(to->act, from->act, model->act_count);
    copy_numbers(to->applied, from->applied, model->nv);
    memcpy(to->external, from->external, (size_t)model->body_count * sizeof *to->external);
    if (model->mocap_count > 0) {
        memcpy(to->mocap, from->mocap, (size_t)model->mocap_count * sizeof *to->mocap);
    }
    to->time = from->time;
}

TactStatus tact_view_sleepers_patches(TactViewSleepers *sleepers, TactSim *sim,
                                      const TactSimConfig *config, TactSimPatches *patches)
{
    const TactModel *model = tact_sim_view_model(sim);
    TactSimConfig    awake = *config;
    TactSimReport    report;
    *patches = (TactSimPatches){0};
    awake.sleep_time = 0;
    if (sleepers->count == 0) {
        return TACT_OK;
    }
    TactStatus status = sleepers->awake ? tact_sim_set_config(sleepers->awake, &awake)
                                        : tact_sim_create(model, &awake, &sleepers->awake);
    if (status == TACT_OK) {
        copy_state(model, tact_sim_view_state(sim), tact_sim_view_state(sleepers->awake));
        status = tact_sim_step(sleepers->awake, &report);
    }
    return status == TACT_OK ? tact_sim_compute_patches(sleepers->awake, patches) : status;
}
