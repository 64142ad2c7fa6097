// LU of a sparse matrix of 6 x 6 blocks with a symmetric pattern, without pivoting:
//
//     A = L D U,    L and U unit, D block diagonal.
//
// Meant for matrices whose block pivots are safe in any order (I plus what springs add, for one).
// Blocks are eliminated by least degree, and from 400 blocks on by least fill over degree, ties by
// index, on the graph of the blocks itself: a row of bits a block, so that an elimination is a few
// words a neighbour. Nothing is allocated after the layout.
#ifndef TACT_LINALG_BLOCK_LU_BLOCK_LU_H
#define TACT_LINALG_BLOCK_LU_BLOCK_LU_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/memory.h"
#include "base/threads.h"

/// Rows of a block, and how far they are apart: whole vectors of eight, the last two entries 0.
enum { TACT_BLOCK_ROWS = 6, TACT_BLOCK_STRIDE = 8, TACT_BLOCK_SIZE = 48 };

enum { TACT_BLOCK_PARTS = 40 };

/// The tree of the columns, whose root is the last one, for threads: its top is the first part;
/// subtrees below it are put together to others.
typedef struct TactBlockParts {
    int  count;                       // with the top
    int  start[TACT_BLOCK_PARTS + 1]; // first of its columns in the list
    int  needs[TACT_BLOCK_PARTS];     // last column of the top that it hangs on; n: none
    int *of;                          // part of a column                             (most)
    int *listed;                      // columns part after part, descending          (most)
    int *hung;                        // subtrees below a column, while parts are made
} TactBlockParts;                     //                                          (most + 1)

/// What an order is worth, of a factor whose links change.
typedef struct TactBlockOrder {
    double work, links; // operations of a factor of the links that it was made for
    double lost;        // operations of all factors since then beyond what a good order takes
} TactBlockOrder;

typedef struct TactBlockLu {
    int       n;        // block rows
    int       most;     // block rows there is room for
    size_t    room;     // pairs of blocks beside the diagonal there is room for
    size_t    words;    // of a row of bits
    uint64_t *bits;     // neighbours, and then those that fill makes                 (most x words)
    uint64_t *near;     // neighbours of neighbours, while it is ordered              (words)
    uint64_t *linked;   // neighbours of the last shape                               (most x words)
    int       shaped;   // block rows of the last shape; 0: none
    int       links;    // of the last shape
    int      *degree;   // neighbours not yet eliminated                              (most)
    double   *score;    // of the order: least first                                  (most)
    int      *order;    // node at a place                                            (most)
    int      *place;    // place of a node; -1: not yet eliminated                    (most)
    size_t   *start;    // first pair of a column                                     (most + 1)
    size_t   *next;     // first pair of a row, in the lists of rows                  (most + 1)
    int      *row;      // place below the diagonal, ascending in a column            (room)
    int      *other;    // column of a pair, ascending in a row                       (room)
    size_t   *pair;     // number of that pair among those of the columns             (room)
    double   *diagonal; // A_kk, then its inverse after elimination           (most x BLOCK_SIZE)
    double   *lower;    // A_ik, then L_ik                                    (room x BLOCK_SIZE)
    double   *upper;    // A_ki, then (D U)_ki                                (room x BLOCK_SIZE)
    double   *x;        // right-hand side in the order of elimination    (6 most + 2)
    // For factors by columns:
    bool          *given;  // a pair has values of the matrix, its blocks are written before  (room)
    atomic_int    *state;  // of a column: done, or who has to go on when it is               (most)
    int           *behind; // the next one of those                                           (most)
    size_t        *gone;   // how far they have come in their rows' lists                     (most)
    TactBlockParts parts;
    TactBlockOrder rated; // of a part of the links
} TactBlockLu;

/// Lends the arrays for at most so many block rows and pairs; runs twice (base/memory.h).
void tact_block_lu_layout(TactBlockLu *lu, int most, size_t room, TactArena *arena);

/// n blocks, none of them neighbours yet. False if there is no room.
bool tact_block_lu_begin(TactBlockLu *lu, int n);

static inline void tact_block_lu_link(TactBlockLu *lu, int a, int b)
{
    lu->bits[(size_t)a * lu->words + (size_t)b / 64] |= (uint64_t)1 << b % 64;
    lu->bits[(size_t)b * lu->words + (size_t)a / 64] |= (uint64_t)1 << a % 64;
}

/// Orders the blocks and finds where fill arises; nothing is done where the neighbours are those of
/// the last time. False if there is no room.
bool tact_block_lu_shape(TactBlockLu *lu);

/// A factor of a part of the links of another one, whose memory of values it uses: one of the two
/// is factored at a time. Runs twice, like that of the whole, which is laid out before.
void tact_block_lu_layout_part(TactBlockLu *part, const TactBlockLu *whole, TactArena *arena);

/// Begins with the order of the whole, which has its shape.
void tact_block_lu_begin_part(TactBlockLu *part, const TactBlockLu *whole);

/// A shape for links that change from factor to factor (tact_block_lu_begin(), _link()): the order
/// is kept as long as a new one would take longer than it saves. Depends on the shapes since
/// tact_block_lu_begin_part() alone. False if there is no room.
bool tact_block_lu_shape_part(TactBlockLu *part);

/// Floating-point operations of a factor of this shape.
double tact_block_lu_work(const TactBlockLu *lu);

/// A = I
void tact_block_lu_clear(TactBlockLu *lu);

/// The block of rows of node a and columns of node b; linked, or a == b.
double *tact_block_lu_at(const TactBlockLu *lu, int a, int b);

/// Factors in place. False if a pivot is 0 or not finite.
bool tact_block_lu_factor(TactBlockLu *lu);

/// The sign of the determinant, 1 or -1, once it is factored.
int tact_block_lu_sign(const TactBlockLu *lu);

/// The number of the pair of two nodes that are linked.
size_t tact_block_lu_pair(const TactBlockLu *lu, int a, int b);

/// Where the diagonal of a matrix comes from: adds what it has there to the block of a node, which
/// is I.
typedef struct TactBlockValues {
    void (*diagonal)(const void *context, int node, double *block);
    const void *context;
} TactBlockValues;

/// The same factor without clearing first: a column is put together where it is eliminated. Pairs
/// that are given are written already, the others become 0. On threads, NULL: the caller alone;
/// with the same bits.
bool tact_block_lu_factor_columns(TactBlockLu *lu, const TactBlockValues *values,
                                  TactThreads *threads);

/// The same and a solve: x holds b, and is not touched where there is no factor. It takes less than
/// one after the other.                                                               x: (6 n)
bool tact_block_lu_factor_and_solve(TactBlockLu *lu, const TactBlockValues *values, double *x,
                                    TactThreads *threads);

/// A x = b with the factor; x holds b. On threads, NULL: the caller alone; with the same bits.
///                                                                                    x: (6 n)
void tact_block_lu_solve(const TactBlockLu *lu, double *x, TactThreads *threads);

/// The same in two halves, half = L^-1 x by places and x = U^-1 half, up to the last digits: the
/// second takes half of the time.                                              x, half: (6 n)
void tact_block_lu_solve_half(const TactBlockLu *lu, const double *x, double *half);
void tact_block_lu_solve_rest(const TactBlockLu *lu, const double *half, double *x);

#include "linalg/block_lu/block_lu_path.h"

#endif
