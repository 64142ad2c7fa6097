// Factor by columns, on threads.
//
// The same operations as in tact_block_lu_factor() in another order: a column is put together,
// loses what all columns before it take, in their order, and is done. It stays in the cache
// meanwhile. Every block loses the same products in the same order as there, so the bits are the
// same; and they do not depend on who computes a column.
//
// Threads take parts of the tree of elimination first (block_lu_solve.c): a part needs nothing from
// outside, so what a thread reads there it has written itself, and finds in its cache. Then they
// take the columns of the top in their order. Nobody waits: a column that needs one that is not
// done yet is left with that one, and whoever gets that one done goes on with it. So a thread that
// is slow, or that has lost its processor, holds up no other but at the very end.
//
// The first half of a solve goes along: L_jk is at hand when column k takes from column j, and
// x_j -= L_jk x_k comes in the same order as in a solve.
#include "base/clones.h"
#include "linalg/block_lu/block_lu_kernels.h"

/// A = I in one column, where the matrix has nothing.
INLINE void clear_column(const TactBlockLu *lu, int j)
{
    double *D = lu->diagonal + (size_t)j * SIZE;
    for (size_t a = lu->start[j]; a < lu->start[j + 1]; a++) {
        if (!lu->given[a]) {
            for (int r = 0; r < ROWS; r++) {
                ROW(lu->lower + a * SIZE, r) = ROW(lu->upper + a * SIZE, r) = (Row){0};
            }
        }
    }
    for (int r = 0; r < ROWS; r++) {
        ROW(D, r) = (Row){0};
        D[r * (STRIDE + 1)] = 1;
    }
}

/// State of a column: nobody is left with it, it is done; else 1 + the last column left with it.
enum { OPEN = 0, DONE = -1 };

/// A factor in hand.
typedef struct Columns {
    TactBlockLu           *lu;
    const TactBlockValues *values;
    double                *x;      // right-hand side, by places; NULL: none
    atomic_int             part;   // to be taken
    atomic_int             top;    // columns of the top that are not taken
    atomic_bool            failed; // a pivot was 0
} Columns;

/// Puts a column together.
INLINE void begin_column(const Columns *columns, int j)
{
    const TactBlockValues *values = columns->values;
    clear_column(columns->lu, j);
    values->diagonal(values->context, columns->lu->order[j],
                     columns->lu->diagonal + (size_t)j * SIZE);
}

/// Leaves column j with column k; false if that one is done.
static bool leave_column(TactBlockLu *lu, int j, int k, size_t gone)
{
    int last = atomic_load_explicit(&lu->state[k], memory_order_acquire);
    lu->gone[j] = gone;
    while (last != DONE) {
        lu->behind[j] = last;
        if (atomic_compare_exchange_weak_explicit(&lu->state[k], &last, j + 1, memory_order_acq_rel,
                                                  memory_order_acquire)) {
            return true;
        }
    }
    return false;
}

/// Has the blocks brought near with which column k takes from a column, b being their pair.
INLINE void fetch_pair(const TactBlockLu *lu, size_t b)
{
    for (int r = 0; r < ROWS; r++) {
        __builtin_prefetch(lu->lower + b * SIZE + r * STRIDE);
        __builtin_prefetch(lu->upper + b * SIZE + r * STRIDE);
    }
}

/// What columns take from column j, from place t of its list on. False: it is left with one.
INLINE bool subtract_columns(const Columns *columns, int j, size_t t)
{
    TactBlockLu *lu = columns->lu;
    for (; t < lu->next[j + 1]; t++) {
        int k = lu->other[t];
        if (atomic_load_explicit(&lu->state[k], memory_order_acquire) != DONE &&
            leave_column(lu, j, k, t)) {
            return false;
        }
        if (t + 1 < lu->next[j + 1]) {
            fetch_pair(lu, lu->pair[t + 1]);
        }
        subtract_column(lu, k, lu->pair[t], j);
        if (columns->x) {
            subtract_block(lu->lower + lu->pair[t] * SIZE, columns->x + ROWS * k,
                           columns->x + ROWS * j);
        }
    }
    return true;
}

INLINE bool finish_column(const TactBlockLu *lu, int j)
{
    double *D = lu->diagonal + (size_t)j * SIZE;
    if (!invert(D)) {
        return false;
    }
    for (size_t a = lu->start[j]; a < lu->start[j + 1]; a++) {
        multiply(lu->lower + a * SIZE, D);
    }
    return true;
}

/// Column j is done; those that are left with it come before the others that a thread has to go on
/// with. Returns 1 + the first of all.
static int release_column(TactBlockLu *lu, int j, int others)
{
    int first = atomic_exchange_explicit(&lu->state[j], DONE, memory_order_acq_rel);
    if (first == OPEN) {
        return others;
    }
    int last = first - 1;
    while (lu->behind[last] != OPEN) {
        last = lu->behind[last] - 1;
    }
    lu->behind[last] = others;
    return first;
}

/// Goes on with column j, from place t of its list on. False if there is no factor.
INLINE bool do_column(Columns *columns, int j, size_t t, int *others)
{
    if (!subtract_columns(columns, j, t)) {
        return true;
    }
    if (!finish_column(columns->lu, j)) {
        atomic_store(&columns->failed, true);
        return false;
    }
    *others = release_column(columns->lu, j, *others);
    return true;
}

/// Has another thread found that there is no factor?
static bool has_failed(Columns *columns)
{
    return atomic_load_explicit(&columns->failed, memory_order_relaxed);
}

/// Parts, the first ones of each first.
INLINE bool take_parts(Columns *columns, int *others)
{
    TactBlockLu *lu = columns->lu;
    for (;;) {
        int part = atomic_fetch_add_explicit(&columns->part, 1, memory_order_relaxed);
        if (part >= lu->parts.count) {
            return true;
        }
        for (int s = lu->parts.start[part + 1] - 1; s >= lu->parts.start[part]; s--) {
            int j = lu->parts.listed[s];
            begin_column(columns, j);
            if (has_failed(columns) || !do_column(columns, j, lu->next[j], others)) {
                return false;
            }
        }
    }
}

TACT_CLONES static void take_columns(void *context, int thread)
{
    Columns     *columns = context;
    TactBlockLu *lu = columns->lu;
    int          others = OPEN; // columns to go on with
    (void)thread;
    bool good = take_parts(columns, &others);
    while (good && !has_failed(columns)) {
        if (others != OPEN) {
            int j = others - 1;
            others = lu->behind[j];
            good = do_column(columns, j, lu->gone[j], &others);
            continue;
        }
        int s = atomic_fetch_sub_explicit(&columns->top, 1, memory_order_relaxed) - 1;
        if (s < 0) {
            return;
        }
        begin_column(columns, lu->parts.listed[s]);
        good = do_column(columns, lu->parts.listed[s], lu->next[lu->parts.listed[s]], &others);
    }
}

/// With the first half of a solve, if there is an x.                             x: (6 n, places)
static bool factor_columns(TactBlockLu *lu, const TactBlockValues *values, double *x,
                           TactThreads *threads)
{
    Columns columns = {.lu = lu, .values = values, .x = x};
    atomic_init(&columns.part, 1);
    atomic_init(&columns.top, lu->parts.start[1]);
    for (int j = 0; j < lu->n; j++) {
        atomic_store_explicit(&lu->state[j], OPEN, memory_order_relaxed);
    }
    if (threads) {
        tact_threads_run_one_of_many(threads, take_columns, &columns);
    } else {
        take_columns(&columns, 0);
    }
    return !atomic_load(&columns.failed);
}

bool tact_block_lu_factor_columns(TactBlockLu *lu, const TactBlockValues *values,
                                  TactThreads *threads)
{
    return factor_columns(lu, values, NULL, threads);
}

bool tact_block_lu_factor_and_solve(TactBlockLu *lu, const TactBlockValues *values, double *x,
                                    TactThreads *threads)
{
    tact_block_lu_gather(lu, x);
    if (!factor_columns(lu, values, lu->x, threads)) {
        return false;
    }
    tact_block_lu_solve_back(lu, threads);
    tact_block_lu_scatter(lu, x);
    return true;
}
