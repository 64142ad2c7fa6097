#include "contact/pivot/memory.h"

#include <string.h>

enum { EMPTY = -1 };

// No more answers with a basis than these are counted (ladder_pivots.c asks for as many): at rest,
// where steps are not computed, the count is full.
enum { MOST_BASED = 16 };

void tact_memory_layout(TactContactMemory *memory, const TactContactCapacity *capacity,
                        TactArena *arena)
{
    size_t            items = (size_t)capacity->contacts + (size_t)capacity->rows;
    TactContactMemory sized = {.capacity = (int)items, .basis_count = -1, .slots = 16};
    while ((size_t)sized.slots < 2 * items) {
        sized.slots *= 2;
    }
    sized.basis_capacity = (int)(3 * items) + capacity->dof + 2;
    sized.id = tact_arena_take(arena, items, sizeof(uint64_t));
    sized.kind = tact_arena_take(arena, items, sizeof(TactItemKind));
    sized.p = tact_arena_take(arena, 3 * items, sizeof(double));
    sized.turn = tact_arena_take(arena, items, sizeof(double));
    sized.damping = tact_arena_take(arena, items, sizeof(double));
    sized.basis = tact_arena_take(arena, (size_t)sized.basis_capacity, sizeof(TactVar));
    sized.item = tact_arena_take(arena, items, sizeof(int));
    sized.slot = tact_arena_take(arena, (size_t)sized.slots, sizeof(int));
    if (arena->block) {
        *memory = sized;
    }
}

void tact_memory_forget(TactContactMemory *memory)
{
    memory->count = 0;
    memory->basis_count = -1;
    memory->settled = 0;
    memory->missed = 0;
    memory->based = 0;
    memory->drafted = false;
    memory->is_plain = memory->is_same = false;
}

/// Of rows without an id that of the same number is the same row. Moments have the id of their
/// contact, changed.
static uint64_t id_of(const TactItem *item)
{
    bool row = item->kind == TACT_ITEM_UNILATERAL || item->kind == TACT_ITEM_MOTOR;
    return row && item->id == 0 ? (uint64_t)item->source + 1 : item->id;
}

static bool is_same_item(const TactContactMemory *memory, int m, const TactItem *item)
{
    return memory->id[m] == id_of(item) && memory->kind[m] == item->kind;
}

static int first_slot(const TactContactMemory *memory, uint64_t id)
{
    uint64_t hash = id * 0x9e3779b97f4a7c15u;
    return (int)(hash >> 32 & (uint64_t)(memory->slots - 1));
}

/// Item of the present system that is the remembered one, -1: none. slot holds the items.
static int find_item(const TactContactMemory *memory, const TactSystem *system, int m)
{
    for (int s = first_slot(memory, memory->id[m]); memory->slot[s] != EMPTY;
         s = (s + 1) & (memory->slots - 1)) {
        if (is_same_item(memory, m, &system->items[memory->slot[s]])) {
            return memory->slot[s];
        }
    }
    return -1;
}

static void index_items(TactContactMemory *memory, const TactSystem *system)
{
    for (int s = 0; s < memory->slots; s++) {
        memory->slot[s] = EMPTY;
    }
    for (int i = 0; i < system->item_count; i++) {
        uint64_t id = id_of(&system->items[i]);
        if (id == 0) {
            continue;
        }
        int s = first_slot(memory, id);
        while (memory->slot[s] != EMPTY) {
            s = (s + 1) & (memory->slots - 1);
        }
        memory->slot[s] = i;
    }
}

/// Mostly nothing has changed: then item i is item i. is_plain stays only where turns are the same
/// too.
static bool has_same_items(TactContactMemory *memory, const TactSystem *system)
{
    if (memory->count != system->item_count) {
        return false;
    }
    for (int i = 0; i < memory->count; i++) {
        const TactItem *item = &system->items[i];
        if (memory->id[i] == 0 || !is_same_item(memory, i, item)) {
            return false;
        }
        memory->is_plain = memory->is_plain && memory->turn[i] == item->turn;
    }
    return true;
}

int tact_memory_recall(TactContactMemory *memory, const TactSystem *system, double *p)
{
    size_t bytes = 3 * (size_t)system->item_count * sizeof(double);
    memory->is_same = memory->count > 0 && has_same_items(memory, system);
    if (memory->is_same) {
        memcpy(p, memory->p, bytes);
        for (int m = 0; m < memory->count; m++) {
            memory->item[m] = m;
        }
        return memory->count;
    }
    memset(p, 0, bytes);
    if (memory->count == 0) {
        return 0;
    }
    index_items(memory, system);
    int found = 0;
    for (int m = 0; m < memory->count; m++) {
        int i = memory->id[m] ? find_item(memory, system, m) : -1;
        memory->item[m] = i;
        if (i >= 0) {
            memcpy(p + 3 * i, memory->p + 3 * m, 3 * sizeof(double));
            found++;
        }
    }
    return found;
}

void tact_memory_recall_again(const TactContactMemory *memory, const TactSystem *system, double *p)
{
    memset(p, 0, 3 * (size_t)system->item_count * sizeof(double));
    for (int m = 0; m < memory->count; m++) {
        if (memory->item[m] >= 0) {
            memcpy(p + 3 * memory->item[m], memory->p + 3 * m, 3 * sizeof(double));
        }
    }
}

/// Does the item still have this unknown? Its friction, or its directions, may be gone.
static bool has_unknown(const TactItem *item, TactVar unknown)
{
    switch (tact_var_kind(unknown)) {
    case TACT_VAR_THETA: return item->kind < TACT_ITEM_MOTOR;
    case TACT_VAR_PHI: return tact_var_direction(unknown) < item->directions;
    default: return item->directions > 0;
    }
}

int tact_memory_recall_basis(const TactContactMemory *memory, const TactSystem *system,
                             TactVar *basis)
{
    if (memory->count == 0 || memory->basis_count < 0) {
        return -1;
    }
    int count = 0;
    for (int k = 0; k < memory->basis_count; k++) {
        TactVar variable = memory->basis[k];
        int     i = memory->item[tact_var_item(variable)];
        if (i >= 0 && has_unknown(&system->items[i], variable)) {
            basis[count++] = tact_var(tact_var_kind(variable), i, tact_var_direction(variable));
        }
    }
    return count;
}

void tact_memory_recall_turns(const TactContactMemory *memory, double *turn)
{
    for (int m = 0; m < memory->count; m++) {
        if (memory->item[m] >= 0) {
            turn[memory->item[m]] = memory->turn[m];
        }
    }
}

void tact_memory_recall_damping(const TactContactMemory *memory, double *damping)
{
    for (int m = 0; m < memory->count; m++) {
        if (memory->item[m] >= 0) {
            damping[memory->item[m]] = memory->damping[m];
        }
    }
}

static bool are_finite(int count, const double *p)
{
    double off[4] = {0, 0, 0, 0}; // stay 0 while all are finite
    int    whole = count / 4 * 4;
    for (int k = 0; k < whole; k += 4) {
        for (int c = 0; c < 4; c++) {
            off[c] += 0.0 * p[k + c];
        }
    }
    for (int k = whole; k < count; k++) {
        off[0] += 0.0 * p[k];
    }
    return (off[0] + off[1]) + (off[2] + off[3]) == 0;
}

void tact_memory_store_again(TactContactMemory *memory, const TactSystem *system, const double *p)
{
    if (!are_finite(3 * system->item_count, p)) {
        tact_memory_forget(memory);
        return;
    }
    memcpy(memory->p, p, 3 * (size_t)system->item_count * sizeof(double));
    memory->based += memory->based > 0 && memory->based < MOST_BASED;
}

void tact_memory_store(TactContactMemory *memory, const TactSystem *system, const double *p,
                       const TactKernel *kernel)
{
    // All but the impulses stands there already: of the items that were recalled.
    bool same = memory->is_same && memory->is_plain && !kernel;
    int  based = memory->based;
    tact_memory_forget(memory);
    if (!are_finite(3 * system->item_count, p)) {
        return;
    }
    memory->count = system->item_count;
    memory->is_plain = !kernel;
    for (int i = 0; i < system->item_count && !same; i++) {
        memory->id[i] = id_of(&system->items[i]);
        memory->kind[i] = system->items[i].kind;
        memory->turn[i] = kernel ? kernel->items.turn[i] : system->items[i].turn;
        memory->damping[i] = kernel ? kernel->items.damping[i] : 0;
    }
    memcpy(memory->p, p, 3 * (size_t)system->item_count * sizeof(double));
    if (kernel && kernel->basis.z0_position < 0 && kernel->basis.k <= memory->basis_capacity) {
        memory->basis_count = tact_kernel_basis(kernel, memory->basis);
        bool motors = false; // they alone are counted
        for (int i = 0; i < system->item_count && !motors; i++) {
            motors = system->items[i].kind == TACT_ITEM_MOTOR;
        }
        memory->based = !motors ? 0 : based < MOST_BASED ? based + 1 : based;
    }
}

void tact_memory_copy(TactContactMemory *memory, const TactContactMemory *from)
{
    size_t count = (size_t)from->count;
    memory->count = from->count;
    memory->basis_count = from->basis_count;
    memory->settled = from->settled;
    memory->missed = from->missed;
    memory->based = from->based;
    memory->drafted = from->drafted;
    memory->is_plain = from->is_plain;
    memory->is_same = false;
    memcpy(memory->id, from->id, count * sizeof *memory->id);
    memcpy(memory->kind, from->kind, count * sizeof *memory->kind);
    memcpy(memory->p, from->p, 3 * count * sizeof *memory->p);
    memcpy(memory->turn, from->turn, count * sizeof *memory->turn);
    memcpy(memory->damping, from->damping, count * sizeof *memory->damping);
    if (from->basis_count > 0) {
        memcpy(memory->basis, from->basis, (size_t)from->basis_count * sizeof *memory->basis);
    }
}
