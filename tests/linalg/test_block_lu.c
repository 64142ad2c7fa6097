// LU of sparse 6 x 6 blocks against the matrix it came from.
#include "linalg/block_lu/block_lu.h"

#include "linalg/matrices.h"

enum { ROWS = TACT_BLOCK_ROWS, STRIDE = TACT_BLOCK_STRIDE };

static TactBlockLu make_lu(int most, size_t room, TactArena *arena)
{
    TactBlockLu lu = {0};
    *arena = (TactArena){0};
    tact_block_lu_layout(&lu, most, room, arena);
    assert_int_equal(tact_arena_create(arena), TACT_OK);
    tact_block_lu_layout(&lu, most, room, arena);
    return lu;
}

/// Random values in a block of lu and, for the product, of A.
static void fill_block(TactRandom *random, const TactBlockLu *lu, int a, int b, double *A)
{
    int     n = ROWS * lu->n;
    double *block = tact_block_lu_at(lu, a, b);
    for (int r = 0; r < ROWS; r++) {
        for (int c = 0; c < ROWS; c++) {
            double x = tact_random_normal(random) + (a == b && r == c ? 12 * n : 0);
            block[r * STRIDE + c] = x;
            A[(ROWS * a + r) * n + ROWS * b + c] = x;
        }
    }
}

static void random_graphs_are_solved_to_rounding(void **state)
{
    (void)state;
    TactRandom random = tact_random_seed(61);
    for (int n = 1; n < 70; n += n < 8 ? 1 : 13) {
        TactArena   arena;
        TactBlockLu lu = make_lu(n, (size_t)(n * n), &arena);
        bool       *linked = calloc((size_t)(n * n), sizeof *linked);
        double     *A = new_doubles(36 * n * n);
        double     *x = new_doubles(ROWS * n), *expected = new_doubles(ROWS * n);
        assert_true(tact_block_lu_begin(&lu, n));
        for (int k = 0; k < 2 * n; k++) {
            int a = (int)(tact_random_next(&random) % (unsigned)n);
            int b = (int)(tact_random_next(&random) % (unsigned)n);
            if (a != b) {
                tact_block_lu_link(&lu, a, b);
                linked[a * n + b] = linked[b * n + a] = true;
            }
        }
        assert_true(tact_block_lu_shape(&lu));
        tact_block_lu_clear(&lu);
        for (int k = 0; k < n * n; k++) {
            if (linked[k] || k / n == k % n) {
                fill_block(&random, &lu, k / n, k % n, A);
            }
        }
        fill_random(&random, ROWS * n, expected);
        for (int i = 0; i < 36 * n * n; i++) {
            x[i / (ROWS * n)] += A[i] * expected[i % (ROWS * n)];
        }
        assert_true(tact_block_lu_factor(&lu));
        tact_block_lu_solve(&lu, x, NULL);
        for (int i = 0; i < ROWS * n; i++) {
            assert_true(fabs(x[i] - expected[i]) <= 1e-13 * (1 + n));
        }
        free(linked);
        free(A);
        free(x);
        free(expected);
        tact_arena_destroy(&arena);
    }
}

/// A matrix whose diagonal is larger than the rest of its rows: the sign is that of the diagonal.
static void the_sign_of_the_determinant_is_that_of_a_dominant_diagonal(void **state)
{
    (void)state;
    enum { N = 9 };
    TactRandom  random = tact_random_seed(63);
    TactArena   arena;
    TactBlockLu lu = make_lu(N, N * N, &arena);
    int         negative = 0;
    for (int trial = 0; trial < 50; trial++) {
        double A[36 * N * N];
        int    expected = 1;
        assert_true(tact_block_lu_begin(&lu, N));
        for (int k = 1; k < N; k++) {
            tact_block_lu_link(&lu, k, k / 2);
        }
        assert_true(tact_block_lu_shape(&lu));
        tact_block_lu_clear(&lu);
        for (int k = 0; k < N; k++) {
            fill_block(&random, &lu, k, k, A);
            for (int r = 0; r < ROWS; r++) { // some rows are turned round
                double *row = tact_block_lu_at(&lu, k, k) + r * STRIDE;
                bool    turned = tact_random_next(&random) % 3 == 0;
                for (int c = 0; c < ROWS && turned; c++) {
                    row[c] = -row[c];
                }
                expected = turned ? -expected : expected;
            }
            if (k > 0) {
                fill_block(&random, &lu, k, k / 2, A);
                fill_block(&random, &lu, k / 2, k, A);
            }
        }
        assert_true(tact_block_lu_factor(&lu));
        assert_int_equal(tact_block_lu_sign(&lu), expected);
        negative += expected < 0;
    }
    assert_in_range(negative, 10, 40);
    tact_arena_destroy(&arena);
}

/// Trees have an order without fill, and least degree finds it: a leaf is always there.
static void a_tree_has_no_fill(void **state)
{
    (void)state;
    enum { N = 200 };
    TactRandom  random = tact_random_seed(62);
    TactArena   arena;
    TactBlockLu lu = make_lu(N, N - 1, &arena);
    assert_true(tact_block_lu_begin(&lu, N));
    for (int i = 1; i < N; i++) {
        tact_block_lu_link(&lu, i, (int)(tact_random_next(&random) % (unsigned)i));
    }
    assert_true(tact_block_lu_shape(&lu));
    assert_int_equal(lu.start[N], N - 1);
    tact_arena_destroy(&arena);
}

enum { SIDE = 8, CUBE = SIDE * SIDE * SIDE };

/// Operations of a factor of that graph by least degree, ties by index.    linked: (CUBE x CUBE)
static double work_by_degree(bool *linked)
{
    static bool gone[CUBE];
    double      work = 0;
    memset(gone, 0, sizeof gone);
    for (int k = 0; k < CUBE; k++) {
        int best = -1, least = CUBE;
        for (int i = 0; i < CUBE; i++) {
            int degree = 0;
            for (int j = 0; j < CUBE && !gone[i]; j++) {
                degree += linked[i * CUBE + j] && !gone[j];
            }
            if (!gone[i] && degree < least) {
                best = i;
                least = degree;
            }
        }
        gone[best] = true;
        work += 432.0 * (least * least + least + 1);
        for (int i = 0; i < CUBE; i++) {
            for (int j = 0; j < CUBE && linked[best * CUBE + i] && !gone[i]; j++) {
                if (i != j && linked[best * CUBE + j] && !gone[j]) {
                    linked[i * CUBE + j] = true;
                }
            }
        }
    }
    return work;
}

/// A cube of boxes that touch, some of them across an edge as well: an order by fill has a factor
/// of fewer operations than one by degree, and solves.
static void from_400_blocks_on_an_order_by_fill_saves_operations(void **state)
{
    (void)state;
    static const int step[4][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {1, 1, 0}};
    TactRandom       random = tact_random_seed(67);
    TactArena        arena;
    TactBlockLu      lu = make_lu(CUBE, (size_t)CUBE * CUBE / 4, &arena);
    bool            *linked = calloc((size_t)CUBE * CUBE, sizeof *linked);
    assert_non_null(linked);
    assert_true(tact_block_lu_begin(&lu, CUBE));
    for (int i = 0; i < CUBE; i++) {
        int at[3] = {i / SIDE / SIDE, i / SIDE % SIDE, i % SIDE};
        for (int s = 0; s < 4; s++) {
            int x = at[0] + step[s][0], y = at[1] + step[s][1], z = at[2] + step[s][2];
            int j = (x * SIDE + y) * SIDE + z;
            if (x < SIDE && y < SIDE && z < SIDE && tact_random_uniform(&random, 0, 1) < 0.8) {
                tact_block_lu_link(&lu, i, j);
                linked[i * CUBE + j] = linked[j * CUBE + i] = true;
            }
        }
    }
    assert_true(tact_block_lu_shape(&lu));
    double work = tact_block_lu_work(&lu), by_degree = work_by_degree(linked);
    print_message("by fill %.3g operations, by degree %.3g\n", work, by_degree);
    assert_true(work < 0.95 * by_degree);

    // Dominant blocks: A x is solved for x.
    static double x[ROWS * CUBE], b[ROWS * CUBE];
    tact_block_lu_clear(&lu);
    for (int i = 0; i < ROWS * CUBE; i++) {
        x[i] = tact_random_uniform(&random, -1, 1);
        b[i] = 100 * x[i];
        tact_block_lu_at(&lu, i / ROWS, i / ROWS)[i % ROWS * (STRIDE + 1)] = 100;
    }
    for (int i = 0; i < CUBE; i++) {
        const uint64_t *row = lu.linked + (size_t)i * lu.words;
        for (int j = 0; j < CUBE; j++) {
            if (row[j / 64] >> j % 64 & 1) {
                double *block = tact_block_lu_at(&lu, i, j);
                for (int e = 0; e < ROWS * ROWS; e++) {
                    double value = tact_random_uniform(&random, -1, 1);
                    block[e / ROWS * STRIDE + e % ROWS] = value;
                    b[ROWS * i + e / ROWS] += value * x[ROWS * j + e % ROWS];
                }
            }
        }
    }
    assert_true(tact_block_lu_factor(&lu));
    tact_block_lu_solve(&lu, b, NULL);
    for (int i = 0; i < ROWS * CUBE; i++) {
        assert_true(fabs(b[i] - x[i]) < 1e-13);
    }
    free(linked);
    tact_arena_destroy(&arena);
}

static void fill_beyond_the_room_and_too_many_blocks_are_refused(void **state)
{
    (void)state;
    TactArena   arena;
    TactBlockLu lu = make_lu(4, 5, &arena);
    assert_false(tact_block_lu_begin(&lu, 5));
    assert_true(tact_block_lu_begin(&lu, 4));
    for (int a = 0; a < 4; a++) {
        for (int b = 0; b < a; b++) {
            tact_block_lu_link(&lu, a, b); // six pairs
        }
    }
    assert_false(tact_block_lu_shape(&lu));
    tact_arena_destroy(&arena);
}

static void a_pivot_of_zero_or_nan_is_told(void **state)
{
    (void)state;
    TactArena   arena;
    TactBlockLu lu = make_lu(2, 1, &arena);
    for (int k = 0; k < 2; k++) {
        assert_true(tact_block_lu_begin(&lu, 2));
        tact_block_lu_link(&lu, 0, 1);
        assert_true(tact_block_lu_shape(&lu));
        tact_block_lu_clear(&lu);
        tact_block_lu_at(&lu, 1, 1)[3 * STRIDE + 3] = k == 0 ? 0 : (double)NAN;
        assert_false(tact_block_lu_factor(&lu));
    }
    tact_arena_destroy(&arena);
}

/// Parts of the diagonal, node after node.
static void add_parts(const void *context, int node, double *block)
{
    const double *part = (const double *)context + (size_t)node * TACT_BLOCK_SIZE;
    for (int e = 0; e < TACT_BLOCK_SIZE; e++) {
        block[e] += part[e];
    }
}

/// A random graph of n nodes, shaped; every pair that it has is given.
static void shape_random(TactRandom *random, TactBlockLu *lu, int n)
{
    int from[400], to[400];
    assert_true(tact_block_lu_begin(lu, n));
    for (int k = 0; k < 2 * n; k++) {
        from[k] = (int)(tact_random_next(random) % (unsigned)n);
        to[k] = (from[k] + 1 + (int)(tact_random_next(random) % 9)) % n;
        if (from[k] != to[k]) {
            tact_block_lu_link(lu, from[k], to[k]);
        }
    }
    assert_true(tact_block_lu_shape(lu));
    memset(lu->given, 0, lu->start[n] * sizeof *lu->given);
    for (int k = 0; k < 2 * n; k++) {
        if (from[k] != to[k]) {
            lu->given[tact_block_lu_pair(lu, from[k], to[k])] = true;
        }
    }
}

/// Random values in the pairs that are given; where others stand, nothing that a factor may use.
static void write_pairs(TactRandom random, const TactBlockLu *lu, double else_value)
{
    for (size_t a = 0; a < lu->start[lu->n]; a++) {
        for (int e = 0; e < TACT_BLOCK_SIZE; e++) {
            bool   beyond = e % STRIDE >= ROWS;
            double low = beyond ? 0 : tact_random_normal(&random);
            double up = beyond ? 0 : tact_random_normal(&random);
            lu->lower[a * TACT_BLOCK_SIZE + (size_t)e] = lu->given[a] ? low : else_value;
            lu->upper[a * TACT_BLOCK_SIZE + (size_t)e] = lu->given[a] ? up : else_value;
        }
    }
}

/// So many threads; one is the caller alone.
static TactThreads *make_threads(int count)
{
    TactThreads *threads = NULL;
    if (count > 1) {
        assert_int_equal(tact_threads_create(count, "test", &threads), TACT_OK);
    }
    return threads;
}

static void a_factor_by_columns_has_the_same_bits_on_any_number_of_threads(void **state)
{
    (void)state;
    enum { N = 150 };
    TactRandom  random = tact_random_seed(63);
    TactArena   arena;
    TactBlockLu lu = make_lu(N, N * N, &arena);
    double     *part = new_doubles(N * TACT_BLOCK_SIZE);
    shape_random(&random, &lu, N);
    for (int e = 0; e < N * TACT_BLOCK_SIZE; e++) {
        bool beyond = e % STRIDE >= ROWS, own = e % TACT_BLOCK_SIZE % (STRIDE + 1) == 0;
        part[e] = beyond ? 0 : tact_random_normal(&random) + (own ? 100 : 0);
    }
    size_t  pairs = lu.start[N] * TACT_BLOCK_SIZE, diagonals = N * TACT_BLOCK_SIZE;
    double *lower = new_doubles((int)pairs), *upper = new_doubles((int)pairs);
    double *diagonal = new_doubles((int)diagonals);
    tact_block_lu_clear(&lu);
    write_pairs(random, &lu, 0);
    for (int i = 0; i < N; i++) {
        add_parts(part, i, tact_block_lu_at(&lu, i, i));
    }
    assert_true(tact_block_lu_factor(&lu));
    memcpy(lower, lu.lower, pairs * sizeof *lower);
    memcpy(upper, lu.upper, pairs * sizeof *upper);
    memcpy(diagonal, lu.diagonal, diagonals * sizeof *diagonal);
    for (int count = 1; count <= 4; count++) {
        TactBlockValues values = {add_parts, part};
        TactThreads    *threads = make_threads(count);
        for (int again = 0; again < 20; again++) {
            write_pairs(random, &lu, NAN);
            memset(lu.diagonal, 1, diagonals * sizeof *diagonal);
            assert_true(tact_block_lu_factor_columns(&lu, &values, threads));
            assert_memory_equal(lower, lu.lower, pairs * sizeof *lower);
            assert_memory_equal(upper, lu.upper, pairs * sizeof *upper);
            assert_memory_equal(diagonal, lu.diagonal, diagonals * sizeof *diagonal);
        }
        double kept = part[0];
        part[0] = NAN; // a pivot that is none ends it, on all threads
        assert_false(tact_block_lu_factor_columns(&lu, &values, threads));
        part[0] = kept;
        tact_threads_destroy(threads);
    }
    free(part);
    free(lower);
    free(upper);
    free(diagonal);
    tact_arena_destroy(&arena);
}

enum { MANY = 500 };

/// Two grids of blocks that touch in one place: large subtrees, a top, and single blocks beside.
static void shape_grids(TactBlockLu *lu)
{
    enum { SIDE_OF_GRID = 15, GRID = SIDE_OF_GRID * SIDE_OF_GRID };
    int pairs[4 * GRID][2], count = 0;
    assert_true(tact_block_lu_begin(lu, MANY));
    for (int i = 0; i < 2 * GRID; i++) {
        if (i % SIDE_OF_GRID > 0) {
            pairs[count][0] = i - 1;
            pairs[count++][1] = i;
        }
        if (i % GRID >= SIDE_OF_GRID) {
            pairs[count][0] = i - SIDE_OF_GRID;
            pairs[count++][1] = i;
        }
    }
    pairs[count][0] = GRID / 2;
    pairs[count++][1] = GRID + GRID / 2;
    for (int k = 0; k < count; k++) {
        tact_block_lu_link(lu, pairs[k][0], pairs[k][1]);
    }
    assert_true(tact_block_lu_shape(lu));
    memset(lu->given, 0, lu->start[MANY] * sizeof *lu->given);
    for (int k = 0; k < count; k++) {
        lu->given[tact_block_lu_pair(lu, pairs[k][0], pairs[k][1])] = true;
    }
}

/// Every column is in one part, after those that it needs on the way back: they are of its own
/// part, or of the top down to what the part needs.
static void parts_of_a_solve_need_only_the_top_above_them(void **state)
{
    (void)state;
    TactArena   arena;
    TactBlockLu lu = make_lu(MANY, MANY * 20, &arena);
    bool        seen[MANY] = {0};
    shape_grids(&lu);
    assert_in_range(lu.parts.count, 3, TACT_BLOCK_PARTS);
    assert_int_equal(lu.parts.start[0], 0);
    assert_int_equal(lu.parts.start[lu.parts.count], MANY);
    for (int part = 0; part < lu.parts.count; part++) {
        for (int s = lu.parts.start[part]; s < lu.parts.start[part + 1]; s++) {
            int k = lu.parts.listed[s];
            assert_false(seen[k]);
            seen[k] = true;
            assert_int_equal(lu.parts.of[k], part);
            for (size_t a = lu.start[k]; a < lu.start[k + 1]; a++) {
                int above = lu.row[a];
                assert_true(seen[above]);
                assert_true(lu.parts.of[above] == part ||
                            (lu.parts.of[above] == 0 && above >= lu.parts.needs[part]));
            }
        }
    }
    tact_arena_destroy(&arena);
}

static void a_solve_on_the_way_of_a_factor_has_the_bits_of_one_after_it(void **state)
{
    (void)state;
    TactRandom  random = tact_random_seed(64);
    TactArena   arena;
    TactBlockLu lu = make_lu(MANY, MANY * 20, &arena);
    double     *part = new_doubles(MANY * TACT_BLOCK_SIZE);
    double     *b = new_doubles(ROWS * MANY), *x = new_doubles(ROWS * MANY),
           *expected = new_doubles(ROWS * MANY);
    size_t size = (size_t)ROWS * MANY * sizeof *x;
    shape_grids(&lu);
    for (int e = 0; e < MANY * TACT_BLOCK_SIZE; e++) {
        bool beyond = e % STRIDE >= ROWS, own = e % TACT_BLOCK_SIZE % (STRIDE + 1) == 0;
        part[e] = beyond ? 0 : tact_random_normal(&random) + (own ? 100 : 0);
    }
    fill_random(&random, ROWS * MANY, b);
    tact_block_lu_clear(&lu);
    write_pairs(random, &lu, 0);
    for (int i = 0; i < MANY; i++) {
        add_parts(part, i, tact_block_lu_at(&lu, i, i));
    }
    assert_true(tact_block_lu_factor(&lu));
    memcpy(expected, b, size);
    tact_block_lu_solve(&lu, expected, NULL);
    for (int count = 1; count <= 4; count++) {
        TactBlockValues values = {add_parts, part};
        TactThreads    *threads = make_threads(count);
        for (int again = 0; again < 20; again++) {
            write_pairs(random, &lu, NAN);
            memcpy(x, b, size);
            assert_true(tact_block_lu_factor_and_solve(&lu, &values, x, threads));
            assert_memory_equal(x, expected, size);
            memcpy(x, b, size);
            tact_block_lu_solve(&lu, x, threads);
            assert_memory_equal(x, expected, size);
        }
        double kept = part[0];
        part[0] = NAN;
        memcpy(x, b, size);
        assert_false(tact_block_lu_factor_and_solve(&lu, &values, x, threads));
        assert_memory_equal(x, b, size);
        part[0] = kept;
        tact_threads_destroy(threads);
    }
    free(part);
    free(b);
    free(x);
    free(expected);
    tact_arena_destroy(&arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_graphs_are_solved_to_rounding),
        cmocka_unit_test(the_sign_of_the_determinant_is_that_of_a_dominant_diagonal),
        cmocka_unit_test(a_tree_has_no_fill),
        cmocka_unit_test(from_400_blocks_on_an_order_by_fill_saves_operations),
        cmocka_unit_test(fill_beyond_the_room_and_too_many_blocks_are_refused),
        cmocka_unit_test(a_pivot_of_zero_or_nan_is_told),
        cmocka_unit_test(a_factor_by_columns_has_the_same_bits_on_any_number_of_threads),
        cmocka_unit_test(parts_of_a_solve_need_only_the_top_above_them),
        cmocka_unit_test(a_solve_on_the_way_of_a_factor_has_the_bits_of_one_after_it),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
