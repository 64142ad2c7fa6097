// Half solves of three right-hand sides that begin at a few nodes, the columns of an item say:
//
//     x = L^-1 b,    z = U^-T b,    A = L U    (U: the D U of block_lu.h)
//
// touch only what is above these nodes in the tree of elimination, and are enough for products
// b'A^-1 c = z'x.
#ifndef TACT_LINALG_BLOCK_LU_BLOCK_LU_PATH_H
#define TACT_LINALG_BLOCK_LU_BLOCK_LU_PATH_H

#include "linalg/block_lu/block_lu.h"

/// Three right-hand sides and an empty one beside each other, and those of a block.
enum { TACT_BLOCK_PATH_WIDE = 4, TACT_BLOCK_PATH_SIZE = TACT_BLOCK_PATH_WIDE * TACT_BLOCK_ROWS };

/// Places from some nodes up to the roots, ascending.
typedef struct TactBlockPath {
    int  count;
    int *place;
} TactBlockPath;

/// on: all false, before and after.                                  on, path->place: (n)
void tact_block_lu_path_find(const TactBlockLu *lu, int nodes, const int *node, bool *on,
                             TactBlockPath *path);

/// x, z: b along the path on entry, the same in both.       x, z: (path->count x PATH_SIZE)
void tact_block_lu_path_solve(const TactBlockLu *lu, const TactBlockPath *path, double *x,
                              double *z);

/// x'y over the places that both have: where[place] is that of the path of y, -1: not on it.
void tact_block_lu_path_product(const TactBlockPath *path, const double *x, const int *where,
                                const double *y, double out[3][TACT_BLOCK_PATH_WIDE]);

/// half += x q                                                          half: (6 n, places)
void tact_block_lu_path_add(const TactBlockPath *path, const double *x, const double q[3],
                            double *half);

/// z' half                                                              half: (6 n, places)
void tact_block_lu_path_pull(const TactBlockPath *path, const double *z, const double *half,
                             double out[3]);

#endif
