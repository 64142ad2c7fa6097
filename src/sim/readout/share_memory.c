// The forces of least norm that were found last, and what they were found from: what rests asks the
// same question in every step, bit by bit, and the same question has the same answer.
#include "sim/readout/share_memory.h"

#include <string.h>

#include "base/status.h"
#include "dynamics/links.h"

static TactStatus reserve_bytes(TactBytes *bytes, size_t size)
{
    void *block = NULL;
    if (size <= bytes->capacity) {
        return TACT_OK;
    }
    TACT_TRY(tact_allocate(2 * size, 1, &block));
    if (bytes->size > 0) {
        memcpy(block, bytes->at, bytes->size);
    }
    tact_release(bytes->at);
    bytes->at = block;
    bytes->capacity = 2 * size;
    return TACT_OK;
}

static TactStatus put_bytes(TactBytes *bytes, const void *from, size_t size)
{
    TACT_TRY(reserve_bytes(bytes, bytes->size + size));
    if (size > 0) {
        memcpy(bytes->at + bytes->size, from, size);
    }
    bytes->size += size;
    return TACT_OK;
}

/// All that the problems of the last part and their answers are made of.
static TactStatus put_question(const TactSim *sim, TactBytes *key)
{
    const TactModel   *model = sim->model;
    const TactSimLast *last = &sim->last;
    size_t             nv = (size_t)model->nv * sizeof(double);
    size_t             rows = (size_t)last->row_count;
    key->size = 0;
    TACT_TRY(put_bytes(key, &sim->h, sizeof sim->h));
    TACT_TRY(put_bytes(key, &last->row_count, sizeof last->row_count));
    TACT_TRY(put_bytes(key, &sim->contact_count, sizeof sim->contact_count));
    TACT_TRY(put_bytes(key, last->q, (size_t)model->nq * sizeof(double)));
    TACT_TRY(put_bytes(key, last->v, nv));
    TACT_TRY(put_bytes(key, sim->answer.v, nv));
    TACT_TRY(put_bytes(key, sim->free.v, nv));
    TACT_TRY(put_bytes(key, sim->free.impulse, nv));
    TACT_TRY(put_bytes(key, sim->free.added, nv));
    TACT_TRY(put_bytes(key, sim->sleep.asleep, (size_t)sim->islands.tree_count * sizeof(bool)));
    TACT_TRY(put_bytes(key, last->row_sources, rows * sizeof *last->row_sources));
    TACT_TRY(put_bytes(key, last->row_impulse, rows * sizeof(double)));
    TACT_TRY(put_bytes(key, last->row_target, rows * sizeof(double)));
    return put_bytes(key, sim->contacts, (size_t)sim->contact_count * sizeof *sim->contacts);
}

TactStatus tact_share_memory_recall(TactShareMemory *memory, TactSim *sim, bool *known)
{
    size_t contacts = (size_t)sim->contact_count * sizeof *sim->contacts;
    size_t rows = (size_t)sim->last.row_count * sizeof(double);
    *known = false;
    memory->asked = false;
    if (sim->drag.on || tact_sim_has_fluid(sim)) { // M is of more than what is compared
        return TACT_OK;
    }
    TACT_TRY(put_question(sim, &memory->question));
    memory->asked = true;
    *known = memory->question.size == memory->key.size && memory->key.size > 0 &&
             memcmp(memory->question.at, memory->key.at, memory->key.size) == 0;
    if (*known) {
        memcpy(sim->contacts, memory->answer.at, contacts);
        memcpy(sim->last.row_impulse, memory->answer.at + contacts, rows);
        double time = sim->share.found.time;
        sim->share.found = memory->sharing;
        sim->share.found.time = time;
    }
    return TACT_OK;
}

TactStatus tact_share_memory_store(TactShareMemory *memory, const TactSim *sim)
{
    memory->key.size = 0;
    if (!memory->asked) {
        return TACT_OK;
    }
    memory->answer.size = 0;
    TACT_TRY(put_bytes(&memory->answer, sim->contacts,
                       (size_t)sim->contact_count * sizeof *sim->contacts));
    TACT_TRY(put_bytes(&memory->answer, sim->last.row_impulse,
                       (size_t)sim->last.row_count * sizeof(double)));
    memory->sharing = sim->share.found;
    TactBytes other = memory->key;
    memory->key = memory->question;
    memory->question = other;
    return TACT_OK;
}

void tact_share_memory_destroy(TactShareMemory *memory)
{
    tact_release(memory->key.at);
    tact_release(memory->question.at);
    tact_release(memory->answer.at);
}
