#include "linalg/block_lu/block_lu.h"

#include <math.h>
#include <string.h>

#include "base/clones.h"
#include "linalg/block_lu/block_lu_kernels.h"

void tact_block_lu_layout(TactBlockLu *lu, int most, size_t room, TactArena *arena)
{
    size_t      n = (size_t)most;
    size_t      words = (n + 63) / 64;
    TactBlockLu lent = {
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
        .diagonal = tact_arena_take(arena, n * SIZE, sizeof(double)),
        .lower = tact_arena_take(arena, room * SIZE, sizeof(double)),
        .upper = tact_arena_take(arena, room * SIZE, sizeof(double)),
        .x = tact_arena_take(arena, n * ROWS, sizeof(double)),
        .given = tact_arena_take(arena, room, sizeof(bool)),
        .state = tact_arena_take(arena, n, sizeof(atomic_int)),
        .behind = tact_arena_take(arena, n, sizeof(int)),
        .gone = tact_arena_take(arena, n, sizeof(size_t)),
        .parts.of = tact_arena_take(arena, n, sizeof(int)),
        .parts.listed = tact_arena_take(arena, n, sizeof(int)),
        .parts.hung = tact_arena_take(arena, n + 1, sizeof(int)),
    };
    if (arena->block) {
        *lu = lent;
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

// ---------------------------------------------------------------------------------------------
// Order and fill

static int count_bits(const uint64_t *bits, size_t words)
{
    int count = 0;
    for (size_t w = 0; w < words; w++) {
        count += __builtin_popcountll(bits[w]);
    }
    return count;
}

/// From so many blocks on the order is by fill: it takes some ms, and a factor 4 to 23 % fewer
/// operations (four jams of 1000 boxes; of 216 boxes 3 to 5 %, which the order itself would cost).
enum { BY_FILL = 400 };

/// Pairs of neighbours that are none of each other, twice.
INLINE int count_fill(const TactBlockLu *lu, int node)
{
    size_t          words = lu->words;
    const uint64_t *own = lu->bits + (size_t)node * words;
    int             fill = 0;
    for (size_t w = 0; w < words; w++) {
        for (uint64_t left = own[w]; left != 0; left &= left - 1) {
            const uint64_t *other = lu->bits + (64 * w + (size_t)__builtin_ctzll(left)) * words;
            for (size_t v = 0; v < words; v++) {
                fill += __builtin_popcountll(own[v] & ~other[v]);
            }
            fill--; // it is no neighbour of itself
        }
    }
    return fill;
}

TACT_CLONES static void find_score(TactBlockLu *lu, int node)
{
    double degree = lu->degree[node];
    lu->score[node] = lu->n < BY_FILL ? degree : count_fill(lu, node) / (degree + 1);
}

static int least_score(const TactBlockLu *lu)
{
    int best = -1;
    for (int i = 0; i < lu->n; i++) {
        if (lu->place[i] < 0 && (best < 0 || lu->score[i] < lu->score[best])) {
            best = i;
        }
    }
    return best;
}

/// Scores after an elimination: those of the neighbours, and of theirs where fill counts.
static void renew_scores(TactBlockLu *lu, const int *neighbours, int count)
{
    size_t    words = lu->words;
    uint64_t *near = lu->near;
    if (lu->n < BY_FILL) {
        for (int k = 0; k < count; k++) {
            find_score(lu, neighbours[k]);
        }
        return;
    }
    memset(near, 0, words * sizeof *near);
    for (int k = 0; k < count; k++) {
        const uint64_t *bits = lu->bits + (size_t)neighbours[k] * words;
        near[neighbours[k] / 64] |= (uint64_t)1 << neighbours[k] % 64;
        for (size_t w = 0; w < words; w++) {
            near[w] |= bits[w];
        }
    }
    for (size_t w = 0; w < words; w++) {
        for (uint64_t left = near[w]; left != 0; left &= left - 1) {
            find_score(lu, (int)(64 * w) + __builtin_ctzll(left));
        }
    }
}

/// All neighbours of a node become neighbours of each other, and lose it. They are listed.
static void eliminate_node(TactBlockLu *lu, int node, int *neighbours)
{
    size_t          words = lu->words;
    const uint64_t *own = lu->bits + (size_t)node * words;
    int             count = 0;
    for (size_t w = 0; w < words; w++) {
        for (uint64_t left = own[w]; left != 0; left &= left - 1) {
            neighbours[count++] = (int)(64 * w) + __builtin_ctzll(left);
        }
    }
    for (int k = 0; k < count; k++) {
        int       j = neighbours[k];
        uint64_t *bits = lu->bits + (size_t)j * words;
        for (size_t w = 0; w < words; w++) {
            bits[w] |= own[w];
        }
        bits[node / 64] &= ~((uint64_t)1 << node % 64);
        bits[j / 64] &= ~((uint64_t)1 << j % 64);
        lu->degree[j] = count_bits(bits, words);
    }
}

/// Turns lists of nodes into ascending lists of places, by columns and by rows: a transposition and
/// back.
static void sort_rows(TactBlockLu *lu)
{
    int     n = lu->n;
    size_t *next = lu->next;
    memset(next, 0, ((size_t)n + 1) * sizeof *next);
    for (size_t k = 0; k < lu->start[n]; k++) {
        lu->row[k] = lu->place[lu->row[k]];
        next[lu->row[k] + 1]++;
    }
    for (int i = 0; i < n; i++) {
        next[i + 1] += next[i];
    }
    for (int c = 0; c < n; c++) {
        for (size_t k = lu->start[c]; k < lu->start[c + 1]; k++) {
            lu->other[next[lu->row[k]]++] = c; // now the column of each, row after row
        }
    }
    for (int i = n; i > 0; i--) {
        next[i] = next[i - 1];
    }
    next[0] = 0;
    // next[i] is where row i starts; degree counts how far a column is filled.
    memset(lu->degree, 0, (size_t)n * sizeof *lu->degree);
    for (int i = 0; i < n; i++) {
        for (size_t k = next[i]; k < next[i + 1]; k++) {
            int c = lu->other[k];
            lu->pair[k] = lu->start[c] + (size_t)lu->degree[c]++;
            lu->row[lu->pair[k]] = i;
        }
    }
}

/// Are the neighbours those of the last shape? If not they are kept for the next time.
static bool is_shaped(TactBlockLu *lu)
{
    size_t size = (size_t)lu->n * lu->words * sizeof(uint64_t);
    if (lu->n > 0 && lu->shaped == lu->n && memcmp(lu->linked, lu->bits, size) == 0) {
        return true;
    }
    memcpy(lu->linked, lu->bits, size);
    lu->shaped = 0;
    return false;
}

bool tact_block_lu_shape(TactBlockLu *lu)
{
    size_t used = 0;
    if (is_shaped(lu)) {
        return true;
    }
    for (int i = 0; i < lu->n; i++) {
        lu->place[i] = -1;
        lu->degree[i] = count_bits(lu->bits + (size_t)i * lu->words, lu->words);
        find_score(lu, i);
    }
    for (int k = 0; k < lu->n; k++) {
        int    node = least_score(lu);
        size_t count = (size_t)lu->degree[node];
        lu->start[k] = used;
        if (used + count > lu->room) {
            lu->n = 0;
            return false;
        }
        eliminate_node(lu, node, lu->row + used);
        renew_scores(lu, lu->row + used, (int)count);
        lu->place[node] = k;
        lu->order[k] = node;
        used += count;
    }
    lu->start[lu->n] = used;
    sort_rows(lu);
    tact_block_lu_divide(lu);
    lu->shaped = lu->n;
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
