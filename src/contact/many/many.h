// Many bodies: the matrix I + sum_i C_i B_i C_i' of a large system, its factor by columns of blocks
// or by fronts, and loops over its groups, shared out among threads. docs/theory/fronts.md
//
// What every group adds stands by itself; whoever needs a sum over the groups of a body adds them
// in the order of the groups. So the bits do not depend on the number of threads.
#ifndef TACT_CONTACT_MANY_MANY_H
#define TACT_CONTACT_MANY_MANY_H

#include "contact/system/system.h"
#include "linalg/block_lu/block_lu.h"
#include "linalg/front/front.h"

/// Nodes from which on loops are worth sharing out, and from which on the matrix is factored by
/// fronts in any case. A node is a body.
enum {
    TACT_MANY_NODES = 400,
    TACT_MANY_FRONTS = 2000,
    TACT_MANY_ROWS = 6,
    TACT_MANY_SUPPORT = 12,
};

/// A group that touches a node: entries first .. end - 1 of its support.
typedef struct TactManyTouch {
    int group;
    int first, end;
} TactManyTouch;

typedef struct TactMany {
    TactThreads      *threads; // NULL: the caller alone. Lent
    int               thread_count;
    TactBlockLu      *lu;     // of the matrix, lent; NULL: fronts
    TactBlockLu      *some;   // of the groups that have a B alone, lent,
    TactBlockLu      *used;   //   and which of the two the last factor is
    TactLoadedGroups  loaded; // groups of those
    TactFronts       *fronts;
    const TactSystem *system; // that it has begun with
    int               nodes, dof;
    bool              is_shaped;   // what follows belongs to these supports:
    int               group_count; //
    int              *group_size;  // entries of a support                              (groups)
    int              *support;     // one after the other                    (SUPPORT groups)
    int              *touch_start; // groups of a node, ascending                    (nodes + 1)
    TactManyTouch    *touch;       // (2 groups)
    size_t           *start;       // the pattern of the matrix                      (nodes + 1)
    int              *column;      // (nodes + 2 groups)
    int              *touched;     // touch of an entry beside the diagonal      (as column)
    int              *size;        // unknowns of a node                                (nodes)
    int              *touches;     // of a group; -1: it has one                     (2 groups)
    size_t           *pair;        // of a group of two nodes in lu, and then in some (2 groups)
    double           *part;        // what a touch adds to the diagonal  (2 groups x BLOCK_SIZE)
    double           *sum;         // what a group adds to the matrix   (groups x SUPPORT^2)
    double           *pushed;      // what a group does to the motion     (groups x SUPPORT)
    int               node_room, group_room;
    size_t            told; // bytes of a factor that was told of
} TactMany;

void tact_many_destroy(TactMany *many);

/// Is this a system for it: bodies, enough of them, groups of one or two? Then its pattern is
/// ordered, in lu where fronts are not faster; false also if there is no memory. some: a part of
/// lu.
bool tact_many_begin(TactMany *many, const TactSystem *system, TactBlockLu *lu, TactBlockLu *some);

/// Operations of a factor of all groups.
double tact_many_work(const TactMany *many);

/// Makes the next factor ready for the groups that have a B; work: its operations. False: there is
/// no room.
bool tact_many_shape(TactMany *many, const double *B, size_t stride, double *work);

/// Calls work(context, first, end, thread) for parts of 0 .. count - 1, each once.
typedef void TactManyWork(void *context, int first, int end, int thread);
void         tact_many_share(const TactMany *many, int count, TactManyWork *work, void *context);

/// The matrix of the B of the items, B of item i at B + i * stride, row-major, and its factor in
/// the shape that was made for them. False if it is singular.
bool tact_many_factor(TactMany *many, const double *B, size_t stride);
void tact_many_solve(const TactMany *many, double *x);

/// Both, in less time than one after the other.                          x: (dof, whole blocks)
bool tact_many_factor_and_solve(TactMany *many, const double *B, size_t stride, double *x);

/// y of a node less what its groups push, in their order.                              y: (dof)
void tact_many_subtract(const TactMany *many, double *y);

#endif
