// LU of a large sparse matrix of small blocks, without pivoting, by fronts:
//
//     A = L U,    the pattern of A symmetric, its values any
//
// Nodes (bodies, contacts) have up to `rows` unknowns each; how many may differ from factor to
// factor, and a node may have none. Nodes are ordered once for a pattern, by least approximate
// degree on the graph of the nodes. Those eliminated together make a front: a dense matrix of its
// own columns and all rows that they touch. What a front leaves behind is added to its parent's
// matrix, child after child in one order, so that the bits are the same whoever made them: the
// subtrees of the tree of fronts are work for threads. docs/theory/fronts.md
//
// Memory grows with the pattern and its fill, and is asked for when a shape needs more than there
// is; a factor and a solve allocate nothing.
#ifndef TACT_LINALG_FRONT_FRONT_H
#define TACT_LINALG_FRONT_FRONT_H

#include <stdbool.h>
#include <stddef.h>
#include <tact/base.h>

#include "base/threads.h"

/// Most unknowns of a node.
enum { TACT_FRONT_ROWS = 6 };

/// A symmetric pattern by rows: columns ascend, the diagonal is there, and (j, i) where (i, j) is.
typedef struct TactPattern {
    int           n;      // nodes
    const size_t *start;  // first entry of a row                                       (n + 1)
    const int    *column; // (start[n])
} TactPattern;

typedef struct TactFronts TactFronts;

TactStatus tact_fronts_create(TactFronts **fronts);
void       tact_fronts_destroy(TactFronts *fronts); // NULL is fine

/// Orders the nodes and finds where fill arises; nothing is done where the pattern is that of the
/// last time. rows: unknowns of a node at most. TACT_BAD_INPUT if the pattern is not symmetric.
TactStatus tact_fronts_shape(TactFronts *fronts, const TactPattern *pattern, int rows);

/// Bytes of the factor and its work memory, and operations of a factor of nodes with all their
/// unknowns; of the last shape.
size_t tact_fronts_bytes(const TactFronts *fronts);
double tact_fronts_work(const TactFronts *fronts);

/// Memory for the values; once a shape. Work for so many threads. Is it there?
bool       tact_fronts_is_reserved(const TactFronts *fronts, int threads);
TactStatus tact_fronts_reserve(TactFronts *fronts, int threads);

/// Where the values come from: writes block (i, j), entry k of the pattern.
///   block  size[i] rows of size[j] values, TACT_FRONT_ROWS apart; zeroed
typedef struct TactFrontValues {
    void (*block)(const void *context, size_t k, int i, int j, double *block);
    const void *context;
    const int  *size; // unknowns of a node, 0 .. rows                                      (n)
} TactFrontValues;

/// False if a pivot is 0 or not finite. threads NULL: the caller alone.
bool tact_fronts_factor(TactFronts *fronts, const TactFrontValues *values, TactThreads *threads);

/// A x = b with the last factor; x holds b: the unknowns of node 0, of node 1, ... threads NULL:
/// the caller alone.
void tact_fronts_solve(const TactFronts *fronts, double *x, TactThreads *threads);

#endif
