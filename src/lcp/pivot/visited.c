#include "lcp/pivot/visited.h"

void tact_visited_layout(TactVisited *visited, size_t most, TactArena *arena)
{
    most = most > TACT_VISITED_MOST ? TACT_VISITED_MOST : most;
    size_t capacity = 16;
    while (capacity < 2 * most) {
        capacity *= 2;
    }
    uint64_t *table = tact_arena_take(arena, capacity, sizeof *table);
    uint32_t *used = tact_arena_take(arena, most, sizeof *used);
    if (arena->block) {
        *visited = (TactVisited){.table = table, .used = used, .capacity = capacity, .most = most};
    }
}

void tact_visited_clear(TactVisited *visited)
{
    for (size_t i = 0; i < visited->count; i++) {
        visited->table[visited->used[i]] = 0;
    }
    visited->count = 0;
}

TactVisit tact_visited_add(TactVisited *visited, uint64_t hash)
{
    hash = hash ? hash : 1; // 0 marks an empty slot
    size_t slot = hash & (visited->capacity - 1);
    while (visited->table[slot] != 0) {
        if (visited->table[slot] == hash) {
            return TACT_VISIT_AGAIN;
        }
        slot = (slot + 1) & (visited->capacity - 1);
    }
    if (visited->count == visited->most) {
        return TACT_VISIT_NO_ROOM;
    }
    visited->table[slot] = hash;
    visited->used[visited->count++] = (uint32_t)slot;
    return TACT_VISIT_FIRST;
}

uint64_t tact_visited_key(int variable)
{
    // splitmix64 of the variable's number
    uint64_t x = ((uint64_t)(uint32_t)variable + 1) * 0x9e3779b97f4a7c15u;
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
    return x ^ (x >> 31);
}
