// LU by fronts against the matrix it came from: residuals in long double, nothing shared with it.
#include "linalg/front/front.h"

#include <string.h>

#include "linalg/matrices.h"

/// A sparse matrix with the sizes of its nodes.
typedef struct Sparse {
    int     n, rows;
    size_t *start;
    int    *column;
    double *value; // 6 x 6 an entry, of which size x size are used
    int    *size;
} Sparse;

static void destroy_sparse(Sparse *A)
{
    free(A->start);
    free(A->column);
    free(A->value);
    free(A->size);
}

/// From a table of neighbours, which is made symmetric.                      linked: (n x n)
static Sparse make_sparse(TactRandom *random, int n, int rows, bool *linked)
{
    Sparse A = {.n = n, .rows = rows};
    A.start = calloc((size_t)n + 1, sizeof *A.start);
    A.size = calloc((size_t)n, sizeof *A.size);
    A.column = calloc((size_t)n * (size_t)n, sizeof *A.column);
    size_t used = 0;
    for (int i = 0; i < n; i++) {
        A.size[i] = rows;
        A.start[i] = used;
        for (int j = 0; j < n; j++) {
            if (i == j || linked[i * n + j] || linked[j * n + i]) {
                A.column[used++] = j;
            }
        }
    }
    A.start[n] = used;
    A.value = new_doubles(36 * (int)used);
    for (int i = 0; i < n; i++) {
        for (size_t k = A.start[i]; k < A.start[i + 1]; k++) {
            for (int e = 0; e < 36; e++) {
                bool diagonal = A.column[k] == i && e % 7 == 0;
                A.value[36 * k + (size_t)e] =
                    tact_random_normal(random) +
                    (diagonal ? 8.0 * rows * (double)(A.start[i + 1] - A.start[i]) : 0);
            }
        }
    }
    return A;
}

static void write_block(const void *context, size_t k, int i, int j, double *block)
{
    const Sparse *A = context;
    assert_int_equal(A->column[k], j);
    assert_true(k >= A->start[i] && k < A->start[i + 1]);
    for (int r = 0; r < A->size[i]; r++) {
        for (int c = 0; c < A->size[j]; c++) {
            block[6 * r + c] = A->value[36 * k + (size_t)(6 * r + c)];
        }
    }
}

static TactFrontValues values_of(const Sparse *A)
{
    return (TactFrontValues){write_block, A, A->size};
}

/// The largest |A x - b| over the largest |A| |x|.
static double residual_of(const Sparse *A, const double *x, const double *b)
{
    int        *at = calloc((size_t)A->n + 1, sizeof *at);
    long double worst = 0, scale = 0;
    for (int i = 0; i < A->n; i++) {
        at[i + 1] = at[i] + A->size[i];
    }
    for (int i = 0; i < A->n; i++) {
        for (int r = 0; r < A->size[i]; r++) {
            long double sum = -b[at[i] + r], size = 0;
            for (size_t k = A->start[i]; k < A->start[i + 1]; k++) {
                for (int c = 0; c < A->size[A->column[k]]; c++) {
                    long double part = (long double)A->value[36 * k + (size_t)(6 * r + c)] *
                                       x[at[A->column[k]] + c];
                    sum += part;
                    size += fabsl(part);
                }
            }
            worst = fmaxl(worst, fabsl(sum));
            scale = fmaxl(scale, size);
        }
    }
    free(at);
    return scale > 0 ? (double)(worst / scale) : (double)worst;
}

static void solve_and_check(TactFronts *fronts, const Sparse *A, TactThreads *threads, int count,
                            double *x)
{
    TactPattern     pattern = {A->n, A->start, A->column};
    TactFrontValues values = values_of(A);
    int             n = 0;
    for (int i = 0; i < A->n; i++) {
        n += A->size[i];
    }
    double *b = new_doubles(n + 1);
    memcpy(b, x, (size_t)n * sizeof(double));
    assert_int_equal(tact_fronts_shape(fronts, &pattern, A->rows), TACT_OK);
    assert_int_equal(tact_fronts_reserve(fronts, count), TACT_OK);
    assert_true(tact_fronts_factor(fronts, &values, threads));
    tact_fronts_solve(fronts, x, threads);
    assert_true(residual_of(A, x, b) <= 1e-14 * (1 + n));
    free(b);
}

static void random_graphs_are_solved_to_rounding(void **state)
{
    (void)state;
    TactRandom  random = tact_random_seed(71);
    TactFronts *fronts;
    assert_int_equal(tact_fronts_create(&fronts), TACT_OK);
    for (int n = 1; n < 130; n += n < 8 ? 1 : 13) {
        for (int rows = 1; rows <= 6; rows++) {
            bool *linked = calloc((size_t)(n * n), sizeof *linked);
            for (int k = 0; k < (1 + rows % 3) * n; k++) {
                linked[tact_random_next(&random) % (unsigned)(n * n)] = true;
            }
            Sparse  A = make_sparse(&random, n, rows, linked);
            double *x = new_doubles(rows * n);
            fill_random(&random, rows * n, x);
            solve_and_check(fronts, &A, NULL, 1, x);
            // The same pattern, but some nodes have fewer unknowns, or none.
            for (int i = 0; i < n; i++) {
                A.size[i] = (int)(tact_random_next(&random) % (unsigned)(rows + 1));
            }
            solve_and_check(fronts, &A, NULL, 1, x);
            free(linked);
            free(x);
            destroy_sparse(&A);
        }
    }
    tact_fronts_destroy(fronts);
}

/// A grid of nodes, each linked with those beside it.
static Sparse make_grid(TactRandom *random, int side, int rows)
{
    int   n = side * side;
    bool *linked = calloc((size_t)n * (size_t)n, sizeof *linked);
    for (int i = 0; i < n; i++) {
        if (i % side + 1 < side) {
            linked[i * n + i + 1] = true;
        }
        if (i + side < n) {
            linked[i * n + i + side] = true;
        }
    }
    Sparse A = make_sparse(random, n, rows, linked);
    free(linked);
    return A;
}

/// A grid, and nodes that are all linked with each other and with some of the grid: one front is
/// so large that threads share it.
static Sparse make_knot(TactRandom *random, int side, int knot, int rows)
{
    int   n = side * side + knot;
    bool *linked = calloc((size_t)n * (size_t)n, sizeof *linked);
    for (int i = 0; i < n; i++) {
        bool inside = i < side * side;
        if (inside && i % side + 1 < side) {
            linked[i * n + i + 1] = true;
        }
        if (inside && i + side < side * side) {
            linked[i * n + i + side] = true;
        }
        for (int j = side * side; j < n; j++) {
            linked[i * n + j] = linked[i * n + j] || !inside || (i % 37 == 0 && j % 5 == 0);
        }
    }
    Sparse A = make_sparse(random, n, rows, linked);
    free(linked);
    return A;
}

/// The same system by fronts that have had others before, on so many threads, and by fresh ones
/// alone.
static void check_threads(TactRandom *random, TactFronts *fronts, const Sparse *A,
                          TactThreads *threads, int count)
{
    int         n = A->rows * A->n;
    double     *alone = new_doubles(n), *together = new_doubles(n);
    TactFronts *fresh;
    assert_int_equal(tact_fronts_create(&fresh), TACT_OK);
    fill_random(random, n, alone);
    memcpy(together, alone, (size_t)n * sizeof(double));
    solve_and_check(fresh, A, NULL, 1, alone);
    solve_and_check(fronts, A, threads, count, together);
    assert_memory_equal(alone, together, (size_t)n * sizeof(double));
    tact_fronts_destroy(fresh);
    free(alone);
    free(together);
}

static void threads_do_not_change_a_bit(void **state)
{
    (void)state;
    TactRandom  random = tact_random_seed(72);
    Sparse      A[] = {make_grid(&random, 40, 6), make_knot(&random, 20, 130, 6),
                       make_grid(&random, 12, 3), make_knot(&random, 25, 40, 6)};
    TactFronts *fronts;
    assert_int_equal(tact_fronts_create(&fronts), TACT_OK);
    for (int count = 2; count <= 5; count++) {
        TactThreads *threads;
        assert_int_equal(tact_threads_create(count, "test", &threads), TACT_OK);
        for (int k = 0; k < 8; k++) {
            check_threads(&random, fronts, &A[k % 4], threads, count);
        }
        tact_threads_destroy(threads);
    }
    tact_fronts_destroy(fronts);
    for (int k = 0; k < 4; k++) {
        destroy_sparse(&A[k]);
    }
}

/// A pivot of 0 ends all threads.
static void a_pivot_of_0_is_said_by_any_thread(void **state)
{
    (void)state;
    TactRandom   random = tact_random_seed(75);
    Sparse       A = make_grid(&random, 30, 6);
    TactPattern  pattern = {A.n, A.start, A.column};
    TactFronts  *fronts;
    TactThreads *threads;
    assert_int_equal(tact_fronts_create(&fronts), TACT_OK);
    assert_int_equal(tact_threads_create(3, "test", &threads), TACT_OK);
    assert_int_equal(tact_fronts_shape(fronts, &pattern, 6), TACT_OK);
    assert_int_equal(tact_fronts_reserve(fronts, 3), TACT_OK);
    for (int at = 0; at < A.n; at += 113) { // a row of blocks of 0 makes A singular
        size_t  first = 36 * A.start[at], count = 36 * A.start[at + 1] - first;
        double *kept = new_doubles((int)count);
        memcpy(kept, A.value + first, count * sizeof(double));
        memset(A.value + first, 0, count * sizeof(double));
        TactFrontValues values = values_of(&A);
        assert_false(tact_fronts_factor(fronts, &values, threads));
        memcpy(A.value + first, kept, count * sizeof(double));
        assert_true(tact_fronts_factor(fronts, &values, threads));
        free(kept);
    }
    tact_threads_destroy(threads);
    tact_fronts_destroy(fronts);
    destroy_sparse(&A);
}

/// Least degree leaves n log n of fill on a grid, rows of it n^1.5: 40 x 40 has some 13,000 pairs
/// where the rows one after the other have 64,000.
static void a_grid_has_little_fill(void **state)
{
    (void)state;
    TactRandom  random = tact_random_seed(73);
    Sparse      A = make_grid(&random, 40, 1);
    TactPattern pattern = {A.n, A.start, A.column};
    TactFronts *fronts;
    assert_int_equal(tact_fronts_create(&fronts), TACT_OK);
    assert_int_equal(tact_fronts_shape(fronts, &pattern, 1), TACT_OK);
    print_message("1600 nodes: %.0f operations, %zu bytes\n", tact_fronts_work(fronts),
                  tact_fronts_bytes(fronts));
    assert_true(tact_fronts_work(fronts) < 1.2e6); // rows one after the other: 2 n 40^2 = 5.1e6
    tact_fronts_destroy(fronts);
    destroy_sparse(&A);
}

static void a_pattern_that_is_not_symmetric_is_refused(void **state)
{
    (void)state;
    const size_t start[] = {0, 2, 3};
    const int    column[] = {0, 1, 1};
    TactPattern  pattern = {2, start, column};
    TactFronts  *fronts;
    assert_int_equal(tact_fronts_create(&fronts), TACT_OK);
    assert_int_equal(tact_fronts_shape(fronts, &pattern, 3), TACT_BAD_INPUT);
    assert_int_equal(tact_fronts_shape(fronts, &pattern, 7), TACT_BAD_ARGUMENT);
    tact_fronts_destroy(fronts);
}

static void a_pivot_of_0_is_said(void **state)
{
    (void)state;
    TactRandom  random = tact_random_seed(74);
    bool        linked[4] = {false};
    Sparse      A = make_sparse(&random, 2, 1, linked);
    TactPattern pattern = {A.n, A.start, A.column};
    TactFronts *fronts;
    A.value[0] = 0;
    TactFrontValues values = values_of(&A);
    assert_int_equal(tact_fronts_create(&fronts), TACT_OK);
    assert_int_equal(tact_fronts_shape(fronts, &pattern, 1), TACT_OK);
    assert_int_equal(tact_fronts_reserve(fronts, 1), TACT_OK);
    assert_false(tact_fronts_factor(fronts, &values, NULL));
    A.value[0] = 1;
    assert_true(tact_fronts_factor(fronts, &values, NULL));
    tact_fronts_destroy(fronts);
    destroy_sparse(&A);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_graphs_are_solved_to_rounding),
        cmocka_unit_test(threads_do_not_change_a_bit),
        cmocka_unit_test(a_grid_has_little_fill),
        cmocka_unit_test(a_pattern_that_is_not_symmetric_is_refused),
        cmocka_unit_test(a_pivot_of_0_is_said),
        cmocka_unit_test(a_pivot_of_0_is_said_by_any_thread),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
