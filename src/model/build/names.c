#include "model/build/names.h"

#include <stdint.h>
#include <string.h>

#include "base/memory.h"
#include "base/status.h"

/// FNV-1a
static uint64_t hash_name(int kind, const char *name)
{
    uint64_t hash = 14695981039346656037u ^ (uint64_t)kind;
    for (const char *c = name; *c; c++) {
        hash = (hash ^ (unsigned char)*c) * 1099511628211u;
    }
    return hash ^ (hash >> 32);
}

/// Where the name stands, or the empty slot where it would.
static TactNameSlot *look(const TactNames *names, int kind, const char *name)
{
    size_t mask = names->size - 1;
    size_t at = (size_t)hash_name(kind, name) & mask;
    for (;; at = (at + 1) & mask) {
        TactNameSlot *slot = &names->slots[at];
        if (!slot->name || (slot->kind == kind && strcmp(slot->name, name) == 0)) {
            return slot;
        }
    }
}

size_t tact_names_size(size_t count)
{
    size_t size = 16;
    while (size < 2 * count) {
        size *= 2;
    }
    return size;
}

TactStatus tact_names_reserve(TactNames *names)
{
    size_t size = tact_names_size(names->count + 1);
    if (size <= names->size) {
        return TACT_OK;
    }
    TactNames larger = {.size = size};
    void     *block;
    TACT_TRY(tact_allocate(size, sizeof *larger.slots, &block));
    larger.slots = block;
    for (size_t i = 0; i < names->size; i++) {
        const TactNameSlot *slot = &names->slots[i];
        if (slot->name) {
            tact_names_add(&larger, slot->kind, slot->name, slot->index);
        }
    }
    tact_names_destroy(names);
    *names = larger;
    return TACT_OK;
}

void tact_names_destroy(TactNames *names)
{
    tact_release(names->slots);
    *names = (TactNames){0};
}

void tact_names_add(TactNames *names, int kind, const char *name, int index)
{
    *look(names, kind, name) = (TactNameSlot){name, kind, index};
    names->count++;
}

int tact_names_find(const TactNames *names, int kind, const char *name)
{
    if (names->size == 0 || !name || !*name) {
        return -1;
    }
    const TactNameSlot *slot = look(names, kind, name);
    return slot->name ? slot->index : -1;
}
