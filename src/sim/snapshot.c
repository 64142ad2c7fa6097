// Snapshots: all that makes the steps to come what they are, as bytes.
//
// That is the state, and what the contact solvers remember of the last step, by which they begin
// the next. All else (collision, islands, mass matrices) is found anew in every step.
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/status.h"
#include "contact/pivot/pivot.h"
#include "contact/solver.h"
#include "io/output.h"
#include "io/record/record.h"
#include "io/text.h"
#include "sim/config_fields.h"
#include "sim/sim.h"

enum { VERSION = 9 };

static const unsigned char magic[8] = {'t', 'a', 'c', 't', 's', 'n', 'a', 'p'};

// ---------------------------------------------------------------------------------------------
// Saving

/// A number for each field of the lists: what a snapshot has of a config.
#define ONE(field) double field;
typedef struct ConfigNumbers {
    TACT_SIM_CONFIG_LIVE(ONE, ONE)
    TACT_SIM_CONFIG_FIXED(ONE, ONE)
} ConfigNumbers;
#undef ONE

static void put_config(TactByteBuffer *b, const TactSimConfig *config)
{
#define NUMBER(field) tact_put_f64(b, config->field);
#define WORD(field) tact_put_f64(b, (double)config->field);
    TACT_SIM_CONFIG_LIVE(NUMBER, WORD)
    TACT_SIM_CONFIG_FIXED(NUMBER, WORD)
#undef NUMBER
#undef WORD
}

static void put_state(TactByteBuffer *b, const TactSim *sim)
{
    const TactModel    *model = sim->model;
    const TactSimState *state = &sim->state;
    tact_put_f64(b, state->time);
    tact_put_f64s(b, state->q, (size_t)model->nq);
    tact_put_f64s(b, state->v, (size_t)model->nv);
    tact_put_f64s(b, state->ctrl, (size_t)model->actuator_count);
    tact_put_f64s(b, state->act, (size_t)model->act_count);
    if (sim->free.delays.count > 0) {
        const TactSimDelays *delays = &sim->free.delays;
        tact_put_f64s(b, delays->ctrl, (size_t)model->actuator_count);
        tact_put_f64s(b, delays->time, delays->count);
        tact_put_f64s(b, delays->value, delays->count);
    }
    tact_put_f64s(b, state->applied, (size_t)model->nv);
    for (int i = 0; i < model->body_count; i++) {
        tact_put_vec3(b, state->external[i].force);
        tact_put_vec3(b, state->external[i].torque);
    }
    for (int i = 0; i < model->mocap_count; i++) {
        TactQuat turn = state->mocap[i].rotation;
        tact_put_vec3(b, state->mocap[i].position);
        tact_put_f64s(b, (double[4]){turn.w, turn.x, turn.y, turn.z}, 4);
    }
}

/// By what the free motion of the next step begins.
static void put_gain(TactByteBuffer *b, const TactSim *sim)
{
    tact_put_f64(b, sim->positions.sunk + 2 * (sim->positions.placed || tact_sim_is_moved(sim)));
    tact_put_f64(b, sim->free.has_gain);
    tact_put_f64(b, sim->free.has_gain ? sim->free.shrink : INFINITY);
    for (int i = 0; i < sim->model->nv; i++) {
        tact_put_f64(b, sim->free.has_gain ? sim->free.gain[i] : 0);
        tact_put_f64(b, sim->free.has_gain ? sim->free.gain_before[i] : 0);
    }
}

static void put_stuck(TactByteBuffer *b, const TactSim *sim)
{
    tact_put_int(b, sim->positions.stuck_count);
    for (int i = 0; i < sim->positions.stuck_count; i++) {
        const TactSimStuck *stuck = &sim->positions.stuck[i];
        tact_put_int(b, stuck->geom[0]);
        tact_put_int(b, stuck->geom[1]);
        tact_put_f64(b, stuck->depth);
    }
}

static void put_sleep(TactByteBuffer *b, const TactSim *sim)
{
    const TactModel    *model = sim->model;
    const TactSimSleep *sleep = &sim->sleep;
    if (!(sim->config.sleep_time > 0)) {
        return;
    }
    for (int t = 0; t < sim->islands.tree_count; t++) {
        tact_put_int(b, sleep->asleep[t]);
        tact_put_int(b, sleep->group[t]);
        tact_put_int(b, sleep->still[t]);
    }
    tact_put_f64s(b, sleep->q, (size_t)model->nq);
    tact_put_f64s(b, sleep->ctrl, (size_t)model->actuator_count);
    tact_put_f64s(b, sleep->applied, (size_t)model->nv);
    for (int i = 0; i < model->body_count; i++) {
        tact_put_vec3(b, sleep->external[i].force);
        tact_put_vec3(b, sleep->external[i].torque);
    }
}

// One number for two counts of a memory: what it missed is less than this.
enum { MISSED = 256 };

static void put_memory(TactByteBuffer *b, const TactContactMemory *memory)
{
    tact_put_int(b, memory->count);
    tact_put_int(b, memory->basis_count);
    tact_put_f64(b, memory->settled);
    tact_put_int(b, memory->missed + MISSED * memory->based);
    for (int i = 0; i < memory->count; i++) {
        tact_put_u64(b, memory->id[i]);
        tact_put_f64s(b, memory->p + 3 * i, 3);
        tact_put_f64(b, memory->turn[i]);
        tact_put_f64(b, memory->damping[i]);
        tact_put_u32(b, memory->kind[i]);
    }
    for (int k = 0; k < memory->basis_count; k++) {
        tact_put_int(b, memory->basis[k]);
    }
}

/// Slots that remember something, each with its place and how large its solver must be.
static void put_slots(TactByteBuffer *b, const TactSimSolver *slots, int count)
{
    int used = 0;
    for (int i = 0; i < count; i++) {
        used += slots[i].solver && slots[i].solver->memory->count > 0;
    }
    tact_put_int(b, used);
    for (int i = 0; i < count; i++) {
        if (slots[i].solver && slots[i].solver->memory->count > 0) {
            const TactContactCapacity *capacity = &slots[i].capacity;
            tact_put_int(b, i);
            tact_put_int(b, capacity->contacts);
            tact_put_int(b, capacity->rows);
            tact_put_int(b, capacity->dof);
            tact_put_int(b, capacity->support);
            tact_put_int(b, capacity->dense);
            tact_put_int(b, capacity->directions);
            put_memory(b, slots[i].solver->memory);
        }
    }
}

static void put_all(TactByteBuffer *b, const TactSim *sim)
{
    tact_put_bytes(b, magic, sizeof magic);
    tact_put_u32(b, VERSION);
    tact_put_u32(b, 0);
    tact_put_u64(b, sim->model->hash);
    put_config(b, &sim->config);
    put_state(b, sim);
    put_gain(b, sim);
    put_stuck(b, sim);
    put_sleep(b, sim);
    put_slots(b, sim->solve.solvers, sim->model->body_count);
    put_slots(b, sim->solve.correctors, sim->model->body_count);
    tact_put_padding(b, 8);
    size_t body = b->size;
    tact_put_u32(b, body <= b->capacity ? tact_crc32(0, b->bytes, body) : 0);
}

size_t tact_sim_snapshot_get_size(const TactSim *sim)
{
    TactByteBuffer buffer = {.lent = true};
    put_all(&buffer, sim);
    return buffer.size;
}

TactStatus tact_sim_snapshot_save(const TactSim *sim, void *bytes, size_t size)
{
    TACT_NEED(sim && bytes, "tact_sim_snapshot_save");
    TactByteBuffer buffer = {.bytes = bytes, .capacity = size, .lent = true};
    put_all(&buffer, sim);
    if (buffer.size > size) {
        return tact_fail(TACT_BAD_ARGUMENT,
                         "snapshot: it takes %zu bytes, and there is room for "
                         "%zu",
                         buffer.size, size);
    }
    return TACT_OK;
}

// ---------------------------------------------------------------------------------------------
// Restoring: everything is read and checked before anything is changed

typedef struct Slot {
    int                 place;
    TactContactCapacity capacity;
    int                 count, basis_count; // of its memory
} Slot;

static bool same_config(TactByteReader *r, const TactSimConfig *config)
{
    unsigned char  bytes[sizeof(ConfigNumbers)];
    TactByteBuffer mine = {.bytes = bytes, .capacity = sizeof bytes, .lent = true};
    put_config(&mine, config);
    const unsigned char *saved = tact_get_bytes(r, 8, mine.size);
    return saved && mine.size <= sizeof bytes && memcmp(saved, bytes, mine.size) == 0;
}

static Slot get_slot(TactByteReader *r, int places)
{
    enum { MOST = 1 << 22 };
    Slot slot = {.place = tact_get_int(r, 0, places - 1)};
    slot.capacity.contacts = tact_get_int(r, 0, MOST);
    slot.capacity.rows = tact_get_int(r, 0, MOST);
    slot.capacity.dof = tact_get_int(r, 0, MOST);
    slot.capacity.support = tact_get_int(r, 0, MOST);
    slot.capacity.dense = tact_get_int(r, 0, 1) == 1;
    slot.capacity.directions = tact_get_int(r, 0, 1 << 16);
    slot.count = tact_get_int(r, 0, slot.capacity.contacts + slot.capacity.rows);
    slot.basis_count = tact_get_int(
        r, -1, 3 * (slot.capacity.contacts + slot.capacity.rows) + slot.capacity.dof + 2);
    return slot;
}

/// Into the memory of a solver; NULL: only checks it.
static void get_memory(TactByteReader *r, const Slot *slot, TactContactMemory *memory)
{
    double settled = tact_get_f64(r);
    int    counts = tact_get_int(r, 0, INT_MAX);
    r->bad = r->bad || !(settled >= 0 && settled <= 1);
    for (int i = 0; i < slot->count && !r->bad; i++) {
        uint64_t id = tact_get_u64(r);
        double   p[3];
        tact_get_f64s(r, p, 3);
        double turn = tact_get_f64(r), damping = tact_get_f64(r);
        int    kind = tact_get_int(r, TACT_ITEM_CONTACT, TACT_ITEM_MOMENT);
        r->bad = r->bad || !isfinite(p[0]) || !isfinite(p[1]) || !isfinite(p[2]) ||
                 !isfinite(turn) || !(damping >= 0 && isfinite(damping));
        if (memory) {
            memory->id[i] = id;
            memcpy(memory->p + 3 * i, p, sizeof p);
            memory->turn[i] = turn;
            memory->damping[i] = damping;
            memory->kind[i] = (TactItemKind)kind;
        }
    }
    for (int k = 0; k < slot->basis_count && !r->bad; k++) {
        TactVar variable = tact_get_int(r, 0, INT_MAX);
        r->bad = r->bad || tact_var_item(variable) >= slot->count;
        if (memory) {
            memory->basis[k] = variable;
        }
    }
    if (memory) {
        memory->count = slot->count;
        memory->basis_count = slot->basis_count;
        memory->settled = settled;
        memory->missed = counts % MISSED;
        memory->based = counts / MISSED;
        memory->is_plain = memory->is_same = false;
    }
}

/// Checks all slots of one kind, or fills them.
static TactStatus get_slots(TactByteReader *r, TactSim *sim, TactSolveKind kind, bool fill)
{
    TactSimSolver *slots = kind == TACT_SOLVE_MOTION ? sim->solve.solvers : sim->solve.correctors;
    int            places = sim->model->body_count;
    int            used = tact_get_int(r, 0, places);
    for (int i = 0; i < places && fill; i++) {
        tact_contact_solver_forget(slots[i].solver);
    }
    for (int k = 0; k < used && !r->bad; k++) {
        Slot               slot = get_slot(r, places);
        TactContactMemory *memory = NULL;
        if (fill) {
            TactSimSolver *to = &slots[slot.place];
            TACT_TRY(tact_sim_grow_solver(sim, kind, &slot.capacity, to));
            memory = to->solver->memory;
        }
        get_memory(r, &slot, memory);
    }
    return TACT_OK;
}

static void get_state(TactByteReader *r, TactSim *sim)
{
    const TactModel *model = sim->model;
    TactSimState    *state = &sim->state;
    state->time = tact_get_f64(r);
    tact_get_f64s(r, state->q, (size_t)model->nq);
    tact_get_f64s(r, state->v, (size_t)model->nv);
    tact_get_f64s(r, state->ctrl, (size_t)model->actuator_count);
    tact_get_f64s(r, state->act, (size_t)model->act_count);
    if (sim->free.delays.count > 0) {
        TactSimDelays *delays = &sim->free.delays;
        tact_get_f64s(r, delays->ctrl, (size_t)model->actuator_count);
        tact_get_f64s(r, delays->time, delays->count);
        tact_get_f64s(r, delays->value, delays->count);
    }
    tact_get_f64s(r, state->applied, (size_t)model->nv);
    for (int i = 0; i < model->body_count; i++) {
        state->external[i].force = tact_get_vec3(r);
        state->external[i].torque = tact_get_vec3(r);
    }
    for (int i = 0; i < model->mocap_count; i++) {
        double turn[4];
        state->mocap[i].position = tact_get_vec3(r);
        tact_get_f64s(r, turn, 4);
        state->mocap[i].rotation = (TactQuat){turn[0], turn[1], turn[2], turn[3]};
    }
    for (int i = 0; i < model->nq; i++) {
        sim->answer.q_end[i] = state->q[i];
    }
}

/// Numbers of a state.
static size_t state_numbers(const TactModel *model)
{
    return 1 + (size_t)model->nq + 2 * (size_t)model->nv + (size_t)model->actuator_count +
           6 * (size_t)model->body_count + 7 * (size_t)model->mocap_count +
           (size_t)model->act_count;
}

/// Into the simulation; fill false: only checks it.
static void get_gain(TactByteReader *r, TactSim *sim, bool fill)
{
    double sunk = tact_get_f64(r), known = tact_get_f64(r), shrink = tact_get_f64(r);
    r->bad = r->bad || !(sunk == 0 || sunk == 1 || sunk == 2 || sunk == 3) ||
             (known != 0 && known != 1) || !(shrink >= 0);
    sim->positions.sunk = fill ? sunk == 1 || sunk == 3 : sim->positions.sunk;
    sim->positions.placed = fill ? sunk >= 2 : sim->positions.placed;
    sim->free.has_gain = fill ? known == 1 : sim->free.has_gain;
    sim->free.shrink = fill ? shrink : sim->free.shrink;
    for (int i = 0; i < sim->model->nv; i++) {
        double gain = tact_get_f64(r), before = tact_get_f64(r);
        r->bad = r->bad || !isfinite(gain) || !isfinite(before);
        sim->free.gain[i] = fill ? gain : sim->free.gain[i];
        sim->free.gain_before[i] = fill ? before : sim->free.gain_before[i];
    }
}

/// Into the simulation; fill false: only checks it.
static void get_stuck(TactByteReader *r, TactSim *sim, bool fill)
{
    int count = tact_get_int(r, 0, TACT_SIM_MOST_STUCK), geoms = sim->model->geom_count;
    for (int i = 0; i < count && !r->bad; i++) {
        TactSimStuck stuck = {{tact_get_int(r, 0, geoms - 1), 0}, 0};
        stuck.geom[1] = tact_get_int(r, 0, geoms - 1);
        stuck.depth = tact_get_f64(r);
        r->bad = r->bad || !isfinite(stuck.depth);
        if (fill) {
            sim->positions.stuck[i] = stuck;
        }
    }
    sim->positions.stuck_count = fill ? count : sim->positions.stuck_count;
}

/// Into the simulation; fill false: only checks it.
static void get_sleep(TactByteReader *r, TactSim *sim, bool fill)
{
    const TactModel *model = sim->model;
    TactSimSleep    *sleep = &sim->sleep;
    int              trees = sim->islands.tree_count;
    if (!(sim->config.sleep_time > 0)) {
        return;
    }
    sleep->count = fill ? 0 : sleep->count;
    sim->sleep.rest.calm = fill ? 0 : sim->sleep.rest.calm;
    for (int t = 0; t < trees; t++) {
        bool asleep = tact_get_int(r, 0, 1) == 1;
        int  group = tact_get_int(r, 0, trees - 1), still = tact_get_int(r, 0, INT_MAX);
        if (fill) {
            sleep->asleep[t] = asleep;
            sleep->group[t] = group;
            sleep->still[t] = still;
            sleep->count += asleep;
        }
    }
    if (!fill) {
        tact_get_bytes(r, 8,
                       8 * (state_numbers(model) - 1 - (size_t)model->nv -
                            7 * (size_t)model->mocap_count - (size_t)model->act_count));
        return;
    }
    tact_get_f64s(r, sleep->q, (size_t)model->nq);
    tact_get_f64s(r, sleep->ctrl, (size_t)model->actuator_count);
    tact_get_f64s(r, sleep->applied, (size_t)model->nv);
    for (int i = 0; i < model->body_count; i++) {
        sleep->external[i].force = tact_get_vec3(r);
        sleep->external[i].torque = tact_get_vec3(r);
    }
}

static TactStatus check_head(TactByteReader *r, const TactSim *sim, size_t size)
{
    const unsigned char *start = tact_get_bytes(r, 8, sizeof magic);
    if (!start || size % 8 != 4 || memcmp(start, magic, sizeof magic) != 0) {
        return tact_fail(TACT_BAD_INPUT, "snapshot: these %zu bytes are none", size);
    }
    uint32_t version = tact_get_u32(r);
    tact_get_u32(r);
    if (version != VERSION) {
        return tact_fail(TACT_UNSUPPORTED, "snapshot: of version %u, not %d", (unsigned)version,
                         VERSION);
    }
    TactByteReader end = {.bytes = r->bytes + size - 4, .size = 4};
    if (tact_get_u32(&end) != tact_crc32(0, r->bytes, size - 4)) {
        return tact_fail(TACT_BAD_INPUT, "snapshot: it is damaged: its checksum is wrong");
    }
    if (tact_get_u64(r) != sim->model->hash) {
        return tact_fail(TACT_BAD_INPUT, "snapshot: it is that of another model");
    }
    if (!same_config(r, &sim->config)) {
        return tact_fail(TACT_BAD_INPUT, "snapshot: it is that of a simulation with another "
                                         "config");
    }
    return TACT_OK;
}

/// Goes over what follows the head; nothing is changed unless fill.
static TactStatus get_all(TactByteReader *r, TactSim *sim, bool fill)
{
    if (fill) {
        get_state(r, sim);
    } else {
        tact_get_bytes(r, 8, 8 * state_numbers(sim->model));
    }
    get_gain(r, sim, fill);
    get_stuck(r, sim, fill);
    get_sleep(r, sim, fill);
    TACT_TRY(get_slots(r, sim, TACT_SOLVE_MOTION, fill));
    TACT_TRY(get_slots(r, sim, TACT_SOLVE_CORRECTION, fill));
    return r->bad ? tact_fail(TACT_BAD_INPUT, "snapshot: what it holds makes no sense") : TACT_OK;
}

TactStatus tact_sim_snapshot_restore(TactSim *sim, const void *bytes, size_t size)
{
    TACT_NEED(sim && bytes, "tact_sim_snapshot_restore");
    TactByteReader reader = {.bytes = bytes, .size = size};
    TACT_TRY(check_head(&reader, sim, size));
    TactByteReader again = reader;
    TACT_TRY(get_all(&reader, sim, false));
    TACT_TRY(get_all(&again, sim, true));
    sim->contact_count = 0;
    sim->parts.count = 0;
    sim->last.stepped = false;
    return TACT_OK;
}

// ---------------------------------------------------------------------------------------------
// Files

TactStatus tact_sim_snapshot_write(const TactSim *sim, const char *path)
{
    TACT_NEED(sim && path, "tact_sim_snapshot_write");
    size_t     size = tact_sim_snapshot_get_size(sim);
    void      *bytes = NULL;
    TactOutput output;
    TACT_TRY(tact_allocate(size, 1, &bytes));
    TactStatus status = tact_sim_snapshot_save(sim, bytes, size);
    if (status == TACT_OK) {
        status = tact_output_open(&output, path);
    }
    if (status == TACT_OK) {
        fwrite(bytes, 1, size, output.stream); // told by close
        status = tact_output_close(&output);
    }
    tact_release(bytes);
    return status;
}

TactStatus tact_sim_snapshot_read(TactSim *sim, const char *path)
{
    TACT_NEED(sim && path, "tact_sim_snapshot_read");
    char      *bytes = NULL;
    size_t     size = 0;
    TactStatus status = tact_file_load(path, &bytes, &size);
    if (status == TACT_OK) {
        status = tact_sim_snapshot_restore(sim, bytes, size);
        if (status != TACT_OK) {
            char why[256];
            snprintf(why, sizeof why, "%s", tact_status_message());
            status = tact_fail(status, "%s: %s", path, why);
        }
    }
    tact_release(bytes);
    return status;
}
