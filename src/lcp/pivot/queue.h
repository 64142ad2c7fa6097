// The search tree of `search`: nodes, and a priority queue of those not opened yet.
#ifndef TACT_LCP_PIVOT_QUEUE_H
#define TACT_LCP_PIVOT_QUEUE_H

#include <stdbool.h>

#include "base/memory.h"

/// A pivot that could be done: exchange the parent's driving variable with `leaving`.
typedef struct TactSearchNode {
    double cost;   // sum over the path of exp(-q_min) - 1          [Yamane, alg. 2; Y7]
    double level;  // cost in whole units of what counts as equal
    double size;   // |m'| of the pivot
    int    depth;  // pivots from the root
    int    parent; // opened node
    int    driving;
    int    leaving;
    int    order; // of creation: makes the choice unique
} TactSearchNode;

typedef struct TactSearchQueue {
    TactSearchNode *heap; // least cost first                        (capacity)
    int             count;
    int             capacity;
    int             created;
    int             dropped; // nodes that found no room
    double          unit;    // costs that differ by less are equal
} TactSearchQueue;

void tact_search_queue_layout(TactSearchQueue *queue, int capacity, TactArena *arena);
/// Empties it. Costs count in whole units from now on: rounding must not decide between exact ties.
void tact_search_queue_clear(TactSearchQueue *queue, double unit);
void tact_search_queue_push(TactSearchQueue *queue, TactSearchNode node);

/// Takes the best node: least cost; among equals the deepest, then the largest pivot, then the
/// first made. false: empty.
bool tact_search_queue_pop(TactSearchQueue *queue, TactSearchNode *node);

#endif
