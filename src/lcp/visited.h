// The bases a method has been at, as a set of 64-bit hashes.
#ifndef TACT_LCP_VISITED_H
#define TACT_LCP_VISITED_H

#include <stdbool.h>
#include <stdint.h>

#include "base/memory.h"

typedef struct TactVisited {
    uint64_t *table; // open addressing, 0: empty              (capacity, a power of two)
    uint32_t *used;  // slots in use, so that clearing is cheap (most)
    size_t    capacity;
    size_t    most; // hashes it can hold
    size_t    count;
} TactVisited;

void tact_visited_layout(TactVisited *visited, size_t most, TactArena *arena);
void tact_visited_clear(TactVisited *visited);

/// Adds a hash. false: it was there already, or the set is full.
bool tact_visited_add(TactVisited *visited, uint64_t hash);

/// Key of a variable: the hash of a basis is the exclusive or of the keys of its variables
/// (Zobrist's), so that an exchange changes it in one operation.
uint64_t tact_visited_key(int variable);

#endif
