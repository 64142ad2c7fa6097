// Solves with a factor of blocks, by the caller alone or on threads, with the same bits.
//
// Row i of the forward solve, x_i -= sum_k L_ik x_k, needs the columns k that have i in their list,
// and row k of the backward one those of its own list. Columns are the nodes of a tree, in
// which the parent of one is the first row of its list [Liu 1990]: a row needs nothing from outside
// its subtree going forward, nothing but its ancestors going back. So columns before `top` fall
// into subtrees, dealt out to parts that threads take; those behind are for all:
//
//     forward:  the parts, which keep what rows behind lose to them;  these rows
//     backward: these rows;  the parts
//
// Columns of parts come before those behind in every sum, as they do in the order of elimination,
// and what they keep is subtracted in that order: each x_i loses the same products in the same
// order, whoever computes them.
#include <stdatomic.h>
#include <string.h>

#include "base/clones.h"
#include "linalg/block_lu.h"

enum { ROWS = TACT_BLOCK_ROWS, STRIDE = TACT_BLOCK_STRIDE, SIZE = TACT_BLOCK_SIZE };
enum { PARTS = TACT_BLOCK_LU_PARTS };

// Blocks of a factor below which threads are not worth their while.
enum { WORTH_WHILE = 4000 };

// A subtree of a part has at most one of so many parts of all blocks.
enum { FINER = 4 };

// ---------------------------------------------------------------------------------------------
// Parts

/// The parent of a column; n: it has none.
static int parent_of(const TactBlockLu *lu, int k)
{
    return lu->start[k] < lu->start[k + 1] ? lu->row[lu->start[k]] : lu->n;
}

/// The columns before the first one whose subtree is too large; work: blocks of the subtrees.
static int find_top(const TactBlockLu *lu, size_t *work)
{
    size_t most = (lu->start[lu->n] + (size_t)lu->n) / FINER;
    for (int k = 0; k < lu->n; k++) {
        work[k] = 1 + lu->start[k + 1] - lu->start[k];
    }
    for (int k = 0; k < lu->n; k++) {
        int parent = parent_of(lu, k);
        if (work[k] > most) {
            return k;
        }
        if (parent < lu->n) {
            work[parent] += work[k];
        }
    }
    return lu->n;
}

void tact_block_lu_divide(TactBlockLu *lu)
{
    size_t load[PARTS] = {0}, *work = lu->gone;
    int    count[PARTS + 1] = {0};
    lu->top = find_top(lu, work);
    for (int k = lu->top - 1; k >= 0; k--) {
        int parent = parent_of(lu, k), least = 0;
        for (int i = 1; i < PARTS; i++) {
            least = load[i] < load[least] ? i : least;
        }
        bool root = parent >= lu->top; // of a subtree: to the part that has least to do
        lu->part[k] = root ? least : lu->part[parent];
        load[least] += root ? work[k] : 0;
        count[lu->part[k] + 1]++;
    }
    for (int i = 0; i < PARTS; i++) {
        count[i + 1] += count[i];
    }
    memcpy(lu->first, count, sizeof count);
    for (int k = 0; k < lu->top; k++) {
        lu->own[count[lu->part[k]]++] = k;
    }
}

// ---------------------------------------------------------------------------------------------
// Rows

#define INLINE __attribute__((always_inline)) static inline

INLINE double dot6(const double *a, const double *x)
{
    return ((a[0] * x[0] + a[1] * x[1]) + (a[2] * x[2] + a[3] * x[3])) +
           (a[4] * x[4] + a[5] * x[5]);
}

/// y -= A x
INLINE void subtract_block(const double *A, const double *x, double *y)
{
    for (int r = 0; r < ROWS; r++) {
        y[r] -= dot6(A + r * STRIDE, x);
    }
}

/// What column k takes from the rows below it: L_ik x_k, at once from rows before `top`; for those
/// behind it is kept.
INLINE void go_forward(const TactBlockLu *lu, int k, int top, double *x)
{
    for (size_t a = lu->start[k]; a < lu->start[k + 1]; a++) {
        int i = lu->row[a];
        if (i < top) {
            subtract_block(lu->lower + a * SIZE, x + ROWS * k, x + ROWS * i);
            continue;
        }
        for (int r = 0; r < ROWS; r++) {
            lu->kept[a * ROWS + (size_t)r] = dot6(lu->lower + a * SIZE + r * STRIDE, x + ROWS * k);
        }
    }
}

/// x_i less what the columns before `top` have kept for it, in their order.
INLINE void take_kept(const TactBlockLu *lu, int i, double *x)
{
    for (size_t t = lu->next[i]; t < lu->next[i + 1] && lu->other[t] < lu->top; t++) {
        for (int r = 0; r < ROWS; r++) {
            x[ROWS * i + r] -= lu->kept[lu->pair[t] * ROWS + (size_t)r];
        }
    }
}

/// x_k = D_k^-1 (x_k - sum of A_ki x_i)
INLINE void go_back(const TactBlockLu *lu, int k, double *x)
{
    double right[ROWS];
    memcpy(right, x + ROWS * k, sizeof right);
    for (size_t a = lu->start[k]; a < lu->start[k + 1]; a++) {
        subtract_block(lu->upper + a * SIZE, x + ROWS * lu->row[a], right);
    }
    for (int r = 0; r < ROWS; r++) {
        x[ROWS * k + r] = dot6(lu->diagonal + (size_t)k * SIZE + r * STRIDE, right);
    }
}

// ---------------------------------------------------------------------------------------------
// By the caller alone

TACT_CLONES static void solve_ordered(const TactBlockLu *lu, double *x)
{
    for (int k = 0; k < lu->n; k++) {
        go_forward(lu, k, lu->n, x);
    }
    for (int k = lu->n - 1; k >= 0; k--) {
        go_back(lu, k, x);
    }
}

// ---------------------------------------------------------------------------------------------
// On threads

/// A solve in hand.
typedef struct Solve {
    const TactBlockLu *lu;
    double            *x;
    atomic_int         next; // part
} Solve;

TACT_CLONES static void parts_forward(void *context, int thread)
{
    Solve             *solve = context;
    const TactBlockLu *lu = solve->lu;
    (void)thread;
    for (int p; (p = atomic_fetch_add_explicit(&solve->next, 1, memory_order_relaxed)) < PARTS;) {
        for (int c = lu->first[p]; c < lu->first[p + 1]; c++) {
            go_forward(lu, lu->own[c], lu->top, solve->x);
        }
    }
}

TACT_CLONES static void solve_behind(const TactBlockLu *lu, double *x)
{
    for (int i = lu->top; i < lu->n; i++) {
        take_kept(lu, i, x);
    }
    for (int k = lu->top; k < lu->n; k++) {
        go_forward(lu, k, lu->n, x);
    }
    for (int k = lu->n - 1; k >= lu->top; k--) {
        go_back(lu, k, x);
    }
}

TACT_CLONES static void parts_back(void *context, int thread)
{
    Solve             *solve = context;
    const TactBlockLu *lu = solve->lu;
    (void)thread;
    for (int p; (p = atomic_fetch_add_explicit(&solve->next, 1, memory_order_relaxed)) < PARTS;) {
        for (int c = lu->first[p + 1] - 1; c >= lu->first[p]; c--) {
            go_back(lu, lu->own[c], solve->x);
        }
    }
}

static void solve_on_threads(const TactBlockLu *lu, double *x, TactThreads *threads)
{
    Solve solve = {.lu = lu, .x = x};
    tact_threads_run(threads, parts_forward, &solve);
    solve_behind(lu, x);
    atomic_store(&solve.next, 0);
    tact_threads_run(threads, parts_back, &solve);
}

void tact_block_lu_solve(const TactBlockLu *lu, double *x, TactThreads *threads)
{
    for (int k = 0; k < lu->n; k++) {
        memcpy(lu->x + ROWS * k, x + ROWS * lu->order[k], ROWS * sizeof(double));
    }
    if (threads && tact_threads_get_count(threads) > 1 && lu->start[lu->n] >= WORTH_WHILE) {
        solve_on_threads(lu, lu->x, threads);
    } else {
        solve_ordered(lu, lu->x);
    }
    for (int k = 0; k < lu->n; k++) {
        memcpy(x + ROWS * lu->order[k], lu->x + ROWS * k, ROWS * sizeof(double));
    }
}
