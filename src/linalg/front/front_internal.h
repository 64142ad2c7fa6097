// What the files of the room share.
#ifndef TACT_LINALG_FRONT_FRONT_INTERNAL_H
#define TACT_LINALG_FRONT_FRONT_INTERNAL_H

#include "base/memory.h"
#include "linalg/front/front.h"
#include "linalg/front/front_tasks.h"

/// Nodes eliminated together, and what they touch. Places are those of the order of elimination.
typedef struct TactFront {
    int    first, end; // places of its columns
    size_t rows;       // places of its rows beyond them, ascending: first in fronts->row
    int    row_count;  //
    int    parent;     // -1: a root
    int    child;      // the first one; -1: none
    int    sibling;    // the next child of its parent; -1: none
    int    task;       // that it belongs to
    size_t values;     // its part of fronts->kept.value: U, K x m, then L beyond it, (m - K) x K
    size_t update;     // where what it leaves behind stands in fronts->kept.stack
    int    K, m;       // of the last factor: unknowns of its columns, and of all its rows
} TactFront;

/// What one thread does at once: a subtree, or a front beyond the subtrees. Children come first.
typedef struct TactFrontTask {
    int    first, end; // its fronts, in postorder
    bool   beyond;     // a single front
    size_t place;      // of a front beyond: where what it leaves behind stands,
    size_t room;       //   and how much may
    double work;       // operations
    double path;       // of these, up to the root
    int    parent;     // -1: none
    int    child;      // the first one; -1: none
    int    sibling;    // the next child of its parent; -1: none
    int    children;   //
    int    home;       // thread that takes it if it can, whose numbers are near
} TactFrontTask;

/// The order of elimination.
typedef struct TactFrontOrder {
    int  n;
    int *place;  // of a node                                                              (n)
    int *node;   // at a place                                                             (n)
    int  count;  // of fronts
    int *end;    // beyond the last place of a front, in postorder                     (count)
    int *parent; // of a front; -1: a root                                             (count)
} TactFrontOrder;

/// Least approximate degree; the arrays of order are for n nodes and as many fronts.
TactStatus tact_front_order(const TactPattern *pattern, TactFrontOrder *order);

/// Memory of the values, kept from one shape to the next, and elements that there are.
typedef struct TactFrontKept {
    double         *value;  // panels of all fronts                               (value_count)
    double         *stack;  // what fronts leave behind, task after task          (stack_count)
    double         *room;   // the front in hand, one a thread                (threads x largest)
    int            *offset; // first unknowns of the nodes of that front (threads x widest + 1)
    int            *at;     // first unknown of a place                                  (n + 1)
    int            *given;  // first unknown of a node                                   (n + 1)
    double         *x;      // unknowns in the order of elimination                        (b n)
    double         *rest;   // what the columns of a front take from its rows      (b row_count)
    TactFrontShare *shares; // parts of fronts in hand                                 (threads)
    size_t          value_room, stack_room, room_room, rest_room, node_room, offset_room;
    int             share_room;
} TactFrontKept;

struct TactFronts {
    int     n;
    int     b;      // unknowns of a node at most
    size_t *start;  // the pattern                                                      (n + 1)
    int    *column; //                                                               (start[n])
    size_t *mirror; // entry (j, i) of entry (i, j)                                  (start[n])
    size_t  entries;
    TactFrontOrder order;
    TactFront     *front;     // in postorder                                            (count)
    int           *row;       // of all fronts
    size_t         row_count; //
    int           *map;       // number of a row in the parent: among its columns, then rows
    int           *local;     // number of an entry's column in the front of its row; -1: the
                              //   entry comes to an earlier front                  (entries)
    int            widest;    // nodes of a front
    TactFrontTask *task;      // in postorder                                       (task_count)
    int           *urgent;    // tasks, the longest path first                      (task_count)
    int            task_count;
    atomic_int    *waits; // tasks that have to be done before a task; -1: it is taken (task_count)
    size_t         value_count, stack_count;
    size_t         largest; // entries of the largest front with its padding
    double         work;
    int            threads; // there is memory for
    bool           reserved;
    TactFrontKept  kept;
};

/// Gives back the memory of the values.
void tact_front_release_values(TactFronts *fronts);

/// Rows of a front of m unknowns are so far apart: whole vectors, and one more to run over.
static inline size_t tact_front_stride(size_t m)
{
    return (m + 7) / 8 * 8 + 8;
}

/// The first K unknowns of F are eliminated: L and U in their place, the rest is what they leave.
/// False if a pivot is 0 or not finite. share NULL: the caller alone.          F: (m x stride)
bool tact_front_eliminate(double *F, int m, size_t stride, int K, TactFrontShare *share);

/// y <- L^-1 y of the columns of a front, and what that takes from its rows is added to rest; then
/// y <- U^-1 y, rest being the unknowns of the rows.
void tact_front_forward(const double *value, int K, int m, double *y, double *rest);
void tact_front_backward(const double *value, int K, int m, const double *rest, double *y);

#endif
