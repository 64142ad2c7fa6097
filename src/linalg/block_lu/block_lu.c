#include "linalg/block_lu/block_lu.h"

#include <math.h>
#include <string.h>

#include "base/clones.h"
#include "linalg/block_lu/block_lu_kernels.h"

/// All but the values.
static TactBlockLu lend_shape(int most, size_t room, TactArena *arena)
{
    size_t n = (size_t)most;
    size_t words = (n + 63) / 64;
    return (TactBlockLu){
        .most = most,
        .room = room,
        .bits = tact_arena_take(arena, n * words, sizeof(uint64_t)),
        .near = tact_arena_take(arena, words, sizeof(uint64_t)),
        .linked = tact_arena_take(arena, n * words, sizeof(uint64_t)),
        .degree = tact_arena_take(arena, n, sizeof(int)),
        .score = tact_arena_take(arena, n, sizeof(double)),
        .order = tact_arena_take(arena, n, sizeof(int)),
        .place = tact_arena_take(arena, n, sizeof(int)),
        .start = tact_arena_take(arena, n + 1, sizeof(size_t)),
        .next = tact_arena_take(arena, n + 1, sizeof(size_t)),
        .row = tact_arena_take(arena, room, sizeof(int)),
        .other = tact_arena_take(arena, room, sizeof(int)),
        .pair = tact_arena_take(arena, room, sizeof(size_t)),
        .given = tact_arena_take(arena, room, sizeof(bool)),
        .state = tact_arena_take(arena, n, sizeof(atomic_int)),
        .behind = tact_arena_take(arena, n, sizeof(int)),
        .gone = tact_arena_take(arena, n, sizeof(size_t)),
        .parts.of = tact_arena_take(arena, n, sizeof(int)),
        .parts.listed = tact_arena_take(arena, n, sizeof(int)),
        .parts.hung = tact_arena_take(arena, n + 1, sizeof(int)),
    };
}

void tact_block_lu_layout(TactBlockLu *lu, int most, size_t room, TactArena *arena)
{
    size_t      n = (size_t)most;
    TactBlockLu lent = lend_shape(most, room, arena);
    lent.diagonal = tact_arena_take(arena, n * SIZE, sizeof(double));
    lent.lower = tact_arena_take(arena, room * SIZE, sizeof(double));
    lent.upper = tact_arena_take(arena, room * SIZE, sizeof(double));
    lent.x = tact_arena_take(arena, n * ROWS + STRIDE - ROWS, sizeof(double));
    lu->most = most;
    lu->room = room;
    if (arena->block) {
        *lu = lent;
    }
}

void tact_block_lu_layout_part(TactBlockLu *part, const TactBlockLu *whole, TactArena *arena)
{
    TactBlockLu lent = lend_shape(whole->most, whole->room, arena);
    lent.diagonal = whole->diagonal;
    lent.lower = whole->lower;
    lent.upper = whole->upper;
    lent.x = whole->x;
    if (arena->block) {
        *part = lent;
    }
}

bool tact_block_lu_begin(TactBlockLu *lu, int n)
{
    lu->n = 0;
    if (n > lu->most) {
        return false;
    }
    lu->n = n;
    lu->words = ((size_t)n + 63) / 64;
    memset(lu->bits, 0, (size_t)n * lu->words * sizeof(uint64_t));
    return true;
}

double tact_block_lu_work(const TactBlockLu *lu)
{
    double work = 0;
    for (int k = 0; k < lu->n; k++) {
        double count = (double)(lu->start[k + 1] - lu->start[k]);
        work += 432 * (count * count + count + 1);
    }
    return work;
}

// ---------------------------------------------------------------------------------------------
// Values

void tact_block_lu_clear(TactBlockLu *lu)
{
    size_t pairs = lu->start[lu->n];
    memset(lu->lower, 0, pairs * SIZE * sizeof(double));
    memset(lu->upper, 0, pairs * SIZE * sizeof(double));
    memset(lu->diagonal, 0, (size_t)lu->n * SIZE * sizeof(double));
    for (int k = 0; k < lu->n; k++) {
        for (int r = 0; r < ROWS; r++) {
            lu->diagonal[k * SIZE + r * STRIDE + r] = 1;
        }
    }
}

/// Pair of a column with that row, which must be there.
static size_t find_pair(const TactBlockLu *lu, int column, int row)
{
    size_t low = lu->start[column], high = lu->start[column + 1];
    while (low < high) {
        size_t middle = (low + high) / 2;
        if (lu->row[middle] < row) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low;
}

size_t tact_block_lu_pair(const TactBlockLu *lu, int a, int b)
{
    int i = lu->place[a], j = lu->place[b];
    return i > j ? find_pair(lu, j, i) : find_pair(lu, i, j);
}

double *tact_block_lu_at(const TactBlockLu *lu, int a, int b)
{
    int i = lu->place[a], j = lu->place[b];
    if (i == j) {
        return lu->diagonal + (size_t)i * SIZE;
    }
    return i > j ? lu->lower + find_pair(lu, j, i) * SIZE : lu->upper + find_pair(lu, i, j) * SIZE;
}

// ---------------------------------------------------------------------------------------------
// Factor

// Column k of L and row k of D U, then what they take from the blocks behind:
//
//     L_ik = A_ik D_k^-1,    A_ij -= L_ik A_kj
TACT_CLONES bool tact_block_lu_factor(TactBlockLu *lu)
{
    for (int k = 0; k < lu->n; k++) {
        double *D = lu->diagonal + (size_t)k * SIZE;
        size_t  first = lu->start[k], end = lu->start[k + 1];
        if (!invert(D)) {
            return false;
        }
        for (size_t a = first; a < end; a++) {
            multiply(lu->lower + a * SIZE, D);
        }
        for (size_t b = first; b < end; b++) {
            subtract_column(lu, k, b, lu->row[b]);
        }
    }
    return true;
}

// ---------------------------------------------------------------------------------------------
// Sign

/// The sign of the determinant of a block, by elimination with row exchanges.
static int sign_of_block(const double *block)
{
    double A[ROWS][ROWS];
    int    sign = 1;
    for (int r = 0; r < ROWS; r++) {
        memcpy(A[r], block + STRIDE * r, sizeof A[r]);
    }
    for (int k = 0; k < ROWS; k++) {
        int pivot = k;
        for (int r = k + 1; r < ROWS; r++) {
            pivot = fabs(A[r][k]) > fabs(A[pivot][k]) ? r : pivot;
        }
        if (pivot != k) {
            double row[ROWS];
            memcpy(row, A[k], sizeof row);
            memcpy(A[k], A[pivot], sizeof row);
            memcpy(A[pivot], row, sizeof row);
            sign = -sign;
        }
        sign = A[k][k] < 0 ? -sign : sign;
        for (int r = k + 1; r < ROWS; r++) {
            double part = A[r][k] / A[k][k];
            for (int c = k; c < ROWS; c++) {
                A[r][c] -= part * A[k][c];
            }
        }
    }
    return sign;
}

int tact_block_lu_sign(const TactBlockLu *lu)
{
    int sign = 1;
    for (int k = 0; k < lu->n; k++) { // an inverse has the sign of its block
        sign *= sign_of_block(lu->diagonal + (size_t)k * TACT_BLOCK_SIZE);
    }
    return sign;
}
