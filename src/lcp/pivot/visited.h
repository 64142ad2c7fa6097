// The bases a method has been at, as a set of 64-bit hashes.
//
// Two bases may have the same hash: N of them do with a probability of about N^2 / 2^65, 1e-12 for
// N = 10,000. Then `lemke` and `lemke-lex` report a cycle that is none, and `search` leaves out one
// of its alternatives. Neither makes an answer wrong, as what is called solved is certified.
#ifndef TACT_LCP_PIVOT_VISITED_H
#define TACT_LCP_PIVOT_VISITED_H

#include <stdint.h>

#include "base/memory.h"

typedef struct TactVisited {
    uint64_t *table; // open addressing, 0: empty              (capacity, a power of two)
    uint32_t *used;  // slots in use, so that clearing is cheap (most)
    size_t    capacity;
    size_t    most; // hashes it can hold
    size_t    count;
} TactVisited;

/// However many are asked for, it holds no more than this: 20 MB.
enum { TACT_VISITED_MOST = 1 << 20 };

typedef enum TactVisit {
    TACT_VISIT_FIRST,   // it was not there and is now
    TACT_VISIT_AGAIN,   // it was there already
    TACT_VISIT_NO_ROOM, // it was not there and is not now: the set is full
} TactVisit;

/// A set of at least one and at most TACT_VISITED_MOST hashes.
void tact_visited_layout(TactVisited *visited, size_t most, TactArena *arena);
void tact_visited_clear(TactVisited *visited);

TactVisit tact_visited_add(TactVisited *visited, uint64_t hash);

/// Key of a variable: the hash of a basis is the exclusive or of the keys of its variables
/// (Zobrist's), so that an exchange changes it in one operation.
uint64_t tact_visited_key(int variable);

#endif
