// Solves with a block LU: down the columns, and up again.
//
// On threads the way back is shared out: x of a column needs those of its rows, which are among the
// columns above it in the tree of elimination. Columns whose subtree has much of the work are the
// top, and one thread goes down them; the subtrees below are put together to parts, and a part can
// be begun with as soon as the top has come to what it hangs on. Every x is found in the same way
// by whoever finds it: the bits do not depend on the threads.
#include <string.h>

#include "base/clones.h"
#include "linalg/block_lu/block_lu_kernels.h"

enum { TOP = 0, MOST_PARTS = TACT_BLOCK_PARTS, SHARE = 4 };

// ---------------------------------------------------------------------------------------------
// Parts

/// The column above; n: none.
static int parent_of(const TactBlockLu *lu, int k)
{
    return lu->start[k] < lu->start[k + 1] ? lu->row[lu->start[k]] : lu->n;
}

/// Blocks of the subtree of every column; those of all.                             weight: (n)
static int weigh_subtrees(const TactBlockLu *lu, int *weight)
{
    int total = 0;
    for (int k = 0; k < lu->n; k++) {
        weight[k] = 0;
    }
    for (int k = 0; k < lu->n; k++) {
        int own = (int)(lu->start[k + 1] - lu->start[k]) + 1, above = parent_of(lu, k);
        weight[k] += own;
        total += own;
        if (above < lu->n) {
            weight[above] += weight[k];
        }
    }
    return total;
}

/// Puts the subtrees below the top into parts, those that hang highest first. Their roots are
/// listed by what they hang on: first of them, then next of each.
static void make_parts(TactBlockLu *lu, const int *weight, int most)
{
    int  n = lu->n, part = TOP + 1, filled = 0;
    int *first = lu->parts.hung, *next = lu->behind;
    for (int k = 0; k <= n; k++) {
        first[k] = -1;
    }
    for (int k = 0; k < n; k++) {
        int above = parent_of(lu, k);
        if (weight[k] <= most && (above == n || weight[above] > most)) {
            next[k] = first[above];
            first[above] = k;
        }
    }
    for (int above = n; above >= 0; above--) {
        for (int k = first[above]; k >= 0; k = next[k]) {
            lu->parts.of[k] = part;
            lu->parts.needs[part] = above;
            filled += weight[k];
            if (2 * filled > most) {
                part++;
                filled = 0;
            }
        }
    }
    lu->parts.count = filled > 0 ? part + 1 : part;
}

/// Lists the columns of every part, the last ones first.
static void list_parts(TactBlockLu *lu)
{
    int *start = lu->parts.start;
    memset(start, 0, (MOST_PARTS + 1) * sizeof *start);
    for (int k = 0; k < lu->n; k++) {
        start[lu->parts.of[k] + 1]++;
    }
    for (int p = 0; p < MOST_PARTS; p++) {
        start[p + 1] += start[p];
    }
    for (int k = lu->n - 1; k >= 0; k--) {
        lu->parts.listed[start[lu->parts.of[k]]++] = k;
    }
    for (int p = MOST_PARTS; p > 0; p--) { // each has moved to the next one
        start[p] = start[p - 1];
    }
    start[0] = 0;
}

void tact_block_lu_divide(TactBlockLu *lu)
{
    int *weight = lu->degree;
    int  most = 1 + weigh_subtrees(lu, weight) / SHARE;
    make_parts(lu, weight, most);
    for (int k = lu->n - 1; k >= 0; k--) {
        int above = parent_of(lu, k);
        if (weight[k] > most) {
            lu->parts.of[k] = TOP;
        } else if (above < lu->n && weight[above] <= most) {
            lu->parts.of[k] = lu->parts.of[above];
        }
    }
    list_parts(lu);
}

// ---------------------------------------------------------------------------------------------
// Down and up

TACT_CLONES static void solve_down(const TactBlockLu *lu, double *x)
{
    for (int k = 0; k < lu->n; k++) {
        for (size_t a = lu->start[k]; a < lu->start[k + 1]; a++) {
            subtract_block(lu->lower + a * SIZE, x + ROWS * k, x + ROWS * lu->row[a]);
        }
    }
}

/// x of one column, whose rows have theirs.
INLINE void solve_column(const TactBlockLu *lu, int k, double *x)
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

TACT_CLONES static void solve_up(const TactBlockLu *lu, double *x)
{
    for (int k = lu->n - 1; k >= 0; k--) {
        solve_column(lu, k, x);
    }
}

/// The way up in hand.
typedef struct Way {
    const TactBlockLu *lu;
    int                patience;
    atomic_int         top;  // columns of the top from there on are done
    atomic_int         next; // part to be taken
} Way;

/// A part that can be begun with; -1: there is none, or it is left to others after some looks.
static int take_part(Way *way)
{
    int part = atomic_load_explicit(&way->next, memory_order_relaxed);
    for (int k = 0; part < way->lu->parts.count;) {
        if (atomic_load_explicit(&way->top, memory_order_acquire) > way->lu->parts.needs[part]) {
            if (k++ == way->patience) {
                return -1;
            }
            tact_threads_rest();
            part = atomic_load_explicit(&way->next, memory_order_relaxed);
        } else if (atomic_compare_exchange_weak_explicit(
                       &way->next, &part, part + 1, memory_order_relaxed, memory_order_relaxed)) {
            return part;
        }
    }
    return -1;
}

TACT_CLONES static void take_way(void *context, int thread)
{
    Way               *way = context;
    const TactBlockLu *lu = way->lu;
    const int         *start = lu->parts.start;
    for (int s = 0; s < start[TOP + 1] && thread == 0; s++) {
        solve_column(lu, lu->parts.listed[s], lu->x);
        atomic_store_explicit(&way->top, lu->parts.listed[s], memory_order_release);
    }
    for (int part = take_part(way); part >= 0; part = take_part(way)) {
        for (int s = start[part]; s < start[part + 1]; s++) {
            solve_column(lu, lu->parts.listed[s], lu->x);
        }
    }
}

void tact_block_lu_solve_back(const TactBlockLu *lu, TactThreads *threads)
{
    if (!threads) {
        solve_up(lu, lu->x);
        return;
    }
    Way way = {.lu = lu, .patience = tact_threads_get_patience(threads)};
    atomic_init(&way.top, lu->n);
    atomic_init(&way.next, TOP + 1);
    tact_threads_run_one_of_many(threads, take_way, &way);
}

void tact_block_lu_gather(const TactBlockLu *lu, const double *x)
{
    for (int k = 0; k < lu->n; k++) {
        memcpy(lu->x + ROWS * k, x + ROWS * lu->order[k], ROWS * sizeof(double));
    }
}

void tact_block_lu_scatter(const TactBlockLu *lu, double *x)
{
    for (int k = 0; k < lu->n; k++) {
        memcpy(x + ROWS * lu->order[k], lu->x + ROWS * k, ROWS * sizeof(double));
    }
}

void tact_block_lu_solve(const TactBlockLu *lu, double *x, TactThreads *threads)
{
    tact_block_lu_gather(lu, x);
    solve_down(lu, lu->x);
    tact_block_lu_solve_back(lu, threads);
    tact_block_lu_scatter(lu, x);
}

void tact_block_lu_solve_half(const TactBlockLu *lu, const double *x, double *half)
{
    tact_block_lu_gather(lu, x);
    solve_down(lu, lu->x);
    memcpy(half, lu->x, ROWS * (size_t)lu->n * sizeof(double));
}

INLINE double sum_row(const Row *row)
{
    const double *r = (const double *)row;
    return ((r[0] + r[1]) + (r[2] + r[3])) + ((r[4] + r[5]) + (r[6] + r[7]));
}

/// The way up with sums by lanes over all blocks of a column; x has room for two more at its end.
TACT_CLONES static void solve_up_by_lanes(const TactBlockLu *lu, double *x)
{
    for (int k = lu->n - 1; k >= 0; k--) {
        Row sum[ROWS] = {{0}}, right = {0};
        for (size_t a = lu->start[k]; a < lu->start[k + 1]; a++) {
            Row           x_i = *(const Row *)(x + ROWS * lu->row[a]);
            const double *U = lu->upper + a * SIZE;
#pragma GCC unroll 8
            for (int r = 0; r < ROWS; r++) {
                sum[r] += CONST_ROW(U, r) * x_i;
            }
        }
        for (int r = 0; r < ROWS; r++) {
            right[r] = x[ROWS * k + r] - sum_row(&sum[r]);
        }
        for (int r = 0; r < ROWS; r++) {
            Row product = CONST_ROW(lu->diagonal + (size_t)k * SIZE, r) * right;
            x[ROWS * k + r] = sum_row(&product);
        }
    }
}

void tact_block_lu_solve_rest(const TactBlockLu *lu, const double *half, double *x)
{
    memcpy(lu->x, half, ROWS * (size_t)lu->n * sizeof(double));
    solve_up_by_lanes(lu, lu->x);
    tact_block_lu_scatter(lu, x);
}
