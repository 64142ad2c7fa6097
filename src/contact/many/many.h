// Many bodies: the matrix I + sum_i C_i B_i C_i' of a large system by fronts, and loops over its
// groups, shared out among threads. docs/theory/fronts.md
//
// What every group adds stands by itself; whoever needs a sum over the groups of a body adds them
// in the order of the groups. So the bits do not depend on the number of threads.
#ifndef TACT_CONTACT_MANY_MANY_H
#define TACT_CONTACT_MANY_MANY_H

#include "contact/system/system.h"
#include "linalg/front/front.h"

/// Nodes below which the block LU (linalg/block_lu.h) is as good. A node is a body.
enum { TACT_MANY_NODES = 400, TACT_MANY_ROWS = 6, TACT_MANY_SUPPORT = 12 };

/// A group that touches a node: entries first .. end - 1 of its support.
typedef struct TactManyTouch {
    int group;
    int first, end;
} TactManyTouch;

typedef struct TactMany {
    TactThreads      *threads; // NULL: the caller alone. Lent
    int               thread_count;
    TactFronts       *fronts;
    const TactSystem *system; // that it has begun with
    int               nodes;
    int              *touch_start; // groups of a node, ascending                    (nodes + 1)
    TactManyTouch    *touch;       // (2 groups)
    size_t           *start;       // the pattern of the matrix                      (nodes + 1)
    int              *column;      // (nodes + 2 groups)
    int              *group;       // of an entry beside the diagonal            (as column)
    int              *size;        // unknowns of a node                                (nodes)
    double           *sum;         // what a group adds to the matrix   (groups x SUPPORT^2)
    double           *pushed;      // what a group does to the motion     (groups x SUPPORT)
    int               node_room, group_room;
} TactMany;

void tact_many_destroy(TactMany *many);

/// Is this a system for it: bodies, enough of them, groups of one or two? Then its pattern is
/// ordered; false also if there is no memory.
bool tact_many_begin(TactMany *many, const TactSystem *system);

/// Operations of a factor.
double tact_many_work(const TactMany *many);

/// Calls work(context, first, end, thread) for parts of 0 .. count - 1, each once.
typedef void TactManyWork(void *context, int first, int end, int thread);
void         tact_many_share(const TactMany *many, int count, TactManyWork *work, void *context);

/// The matrix of the B of the items, B of item i at B + i * stride, row-major; then its factor.
/// False if it is singular.
bool tact_many_factor(TactMany *many, const double *B, size_t stride);
void tact_many_solve(const TactMany *many, double *x);

/// y of a node less what its groups push, in their order.                              y: (dof)
void tact_many_subtract(const TactMany *many, double *y);

#endif
