// Half solves of three right-hand sides that begin at a few nodes: x = L^-1 b and z = U^-T b, so
// that products b'A^-1 c = z'x need no more than the columns above these nodes in the tree of
// elimination (U: the D U of the factor).
#include "linalg/block_lu/block_lu_path.h"
#include "base/clones.h"
#include "base/lanes.h"
#include "linalg/block_lu/block_lu_kernels.h"

enum { WIDE = TACT_BLOCK_PATH_WIDE, PLACE = TACT_BLOCK_PATH_SIZE };

void tact_block_lu_path_find(const TactBlockLu *lu, int nodes, const int *node, bool *on,
                             TactBlockPath *path)
{
    int first = lu->n, last = -1;
    path->count = 0;
    for (int s = 0; s < nodes; s++) {
        int k = lu->place[node[s]];
        first = k < first ? k : first;
        while (k < lu->n && !on[k]) {
            on[k] = true;
            last = k > last ? k : last;
            k = lu->start[k] < lu->start[k + 1] ? lu->row[lu->start[k]] : lu->n;
        }
    }
    for (int k = first; k <= last; k++) {
        if (on[k]) {
            path->place[path->count++] = k;
            on[k] = false;
        }
    }
}

/// x_i -= L x_k, rows of three
INLINE void subtract_three(const double *L, const TactLanes from[ROWS], double *to)
{
    for (int r = 0; r < ROWS; r++) {
        const double *row = L + r * STRIDE;
        TactLanes     sum = row[0] * from[0];
        for (int q = 1; q < ROWS; q++) {
            sum += row[q] * from[q];
        }
        TACT_LANES_PUT(to + r * WIDE) -= sum;
    }
}

/// The same with the transposed block.
INLINE void subtract_three_across(const double *U, const TactLanes from[ROWS], double *to)
{
    for (int r = 0; r < ROWS; r++) {
        TactLanes sum = U[r] * from[0];
        for (int q = 1; q < ROWS; q++) {
            sum += U[q * STRIDE + r] * from[q];
        }
        TACT_LANES_PUT(to + r * WIDE) -= sum;
    }
}

INLINE void load_three(const double *x, TactLanes rows[ROWS])
{
    for (int r = 0; r < ROWS; r++) {
        rows[r] = TACT_LANES_AT(x + r * WIDE);
    }
}

TACT_CLONES void tact_block_lu_path_solve(const TactBlockLu *lu, const TactBlockPath *path,
                                          double *x, double *z)
{
    for (int m = 0; m < path->count; m++) {
        int           k = path->place[m];
        const double *inverse = lu->diagonal + (size_t)k * SIZE;
        TactLanes     x_k[ROWS], right[ROWS], z_k[ROWS];
        load_three(x + (size_t)m * PLACE, x_k);
        load_three(z + (size_t)m * PLACE, right);
        for (int r = 0; r < ROWS; r++) { // D_k^-T
            z_k[r] = inverse[r] * right[0];
            for (int q = 1; q < ROWS; q++) {
                z_k[r] += inverse[q * STRIDE + r] * right[q];
            }
            TACT_LANES_PUT(z + (size_t)m * PLACE + r * WIDE) = z_k[r];
        }
        int at = m + 1;
        for (size_t a = lu->start[k]; a < lu->start[k + 1]; a++, at++) {
            while (path->place[at] != lu->row[a]) {
                at++;
            }
            subtract_three(lu->lower + a * SIZE, x_k, x + (size_t)at * PLACE);
            subtract_three_across(lu->upper + a * SIZE, z_k, z + (size_t)at * PLACE);
        }
    }
}

TACT_CLONES void tact_block_lu_path_product(const TactBlockPath *path, const double *x,
                                            const int *where, const double *y, double out[3][WIDE])
{
    TactLanes sum[3] = {TACT_LANES_ALL(0.0), TACT_LANES_ALL(0.0), TACT_LANES_ALL(0.0)};
    for (int m = 0; m < path->count; m++, x += PLACE) {
        int at = where[path->place[m]];
        if (at < 0) {
            continue;
        }
        const double *other = y + (size_t)at * PLACE;
        for (int r = 0; r < ROWS; r++) {
            TactLanes row = TACT_LANES_AT(other + r * WIDE);
            for (int c = 0; c < 3; c++) {
                sum[c] += x[r * WIDE + c] * row;
            }
        }
    }
    for (int c = 0; c < 3; c++) {
        TACT_LANES_PUT(out[c]) = sum[c];
    }
}

TACT_CLONES void tact_block_lu_path_add(const TactBlockPath *path, const double *x,
                                        const double q[3], double *half)
{
    for (int m = 0; m < path->count; m++, x += PLACE) {
        double *to = half + (size_t)ROWS * (size_t)path->place[m];
        for (int r = 0; r < ROWS; r++) {
            to[r] += (x[r * WIDE] * q[0] + x[r * WIDE + 1] * q[1]) + x[r * WIDE + 2] * q[2];
        }
    }
}

TACT_CLONES void tact_block_lu_path_pull(const TactBlockPath *path, const double *z,
                                         const double *half, double out[3])
{
    TactLanes sum = TACT_LANES_ALL(0.0);
    for (int m = 0; m < path->count; m++, z += PLACE) {
        const double *from = half + (size_t)ROWS * (size_t)path->place[m];
        for (int r = 0; r < ROWS; r++) {
            sum += from[r] * TACT_LANES_AT(z + r * WIDE);
        }
    }
    for (int c = 0; c < 3; c++) {
        out[c] = sum[c];
    }
}
