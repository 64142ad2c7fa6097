// Half solves along paths against whole solves with the same factor.
#include "linalg/block_lu/block_lu_path.h"

#include "linalg/matrices.h"

enum { N = 40, ROWS = TACT_BLOCK_ROWS, STRIDE = TACT_BLOCK_STRIDE, WIDE = TACT_BLOCK_PATH_WIDE };

/// Three right-hand sides that begin at a few nodes.
typedef struct Columns {
    TactBlockPath path;
    int           place[N];
    double        b[3][ROWS * N];
    double        x[N * TACT_BLOCK_PATH_SIZE], z[N * TACT_BLOCK_PATH_SIZE];
} Columns;

/// A factor of a random sparse matrix, not symmetric.
static TactBlockLu make_factor(TactRandom *random, TactArena *arena)
{
    TactBlockLu lu = {0};
    *arena = (TactArena){0};
    tact_block_lu_layout(&lu, N, N * N, arena);
    assert_int_equal(tact_arena_create(arena), TACT_OK);
    tact_block_lu_layout(&lu, N, N * N, arena);
    assert_true(tact_block_lu_begin(&lu, N));
    for (int k = 1; k < N; k++) { // a forest of two trees, and a few links more
        if (k != N / 2) {
            tact_block_lu_link(&lu, k, k < N / 2 ? k / 2 : N / 2 + (k - N / 2) / 2);
        }
    }
    for (int k = 0; k < 12; k++) {
        int first = k % 2 * (N / 2), a = first + (int)(tact_random_next(random) % (N / 2));
        int b = first + (int)(tact_random_next(random) % (N / 2));
        if (a != b) {
            tact_block_lu_link(&lu, a, b);
        }
    }
    assert_true(tact_block_lu_shape(&lu));
    tact_block_lu_clear(&lu);
    for (int a = 0; a < N; a++) {
        for (size_t at = lu.start[a]; at < lu.start[a + 1]; at++) {
            for (int e = 0; e < ROWS * STRIDE; e++) {
                bool inside = e % STRIDE < ROWS;
                lu.lower[at * ROWS * STRIDE + (size_t)e] = inside ? tact_random_normal(random) : 0;
                lu.upper[at * ROWS * STRIDE + (size_t)e] = inside ? tact_random_normal(random) : 0;
            }
        }
        for (int r = 0; r < ROWS; r++) {
            tact_block_lu_at(&lu, a, a)[r * STRIDE + r] = 60;
        }
    }
    assert_true(tact_block_lu_factor(&lu));
    return lu;
}

static void make_columns(TactRandom *random, const TactBlockLu *lu, int nodes, Columns *columns)
{
    bool on[N] = {false};
    int  node[3] = {0};
    memset(columns, 0, sizeof *columns);
    columns->path.place = columns->place;
    for (int s = 0; s < nodes; s++) {
        node[s] = (int)(tact_random_next(random) % N);
    }
    tact_block_lu_path_find(lu, nodes, node, on, &columns->path);
    for (int s = 0; s < nodes; s++) {
        for (int e = 0; e < 3 * ROWS; e++) {
            columns->b[e % 3][ROWS * node[s] + e / 3] = tact_random_normal(random);
        }
    }
    for (int m = 0; m < columns->path.count; m++) {
        assert_true(m == 0 || columns->place[m] > columns->place[m - 1]);
        for (int e = 0; e < 3 * ROWS; e++) {
            columns->x[m * TACT_BLOCK_PATH_SIZE + e / 3 * WIDE + e % 3] =
                columns->b[e % 3][ROWS * lu->order[columns->place[m]] + e / 3];
        }
    }
    memcpy(columns->z, columns->x, sizeof columns->z);
    tact_block_lu_path_solve(lu, &columns->path, columns->x, columns->z);
    for (int k = 0; k < N; k++) {
        assert_false(on[k]);
    }
}

static void products_of_half_solves_are_those_of_whole_ones(void **state)
{
    (void)state;
    TactRandom  random = tact_random_seed(71);
    TactArena   arena;
    TactBlockLu lu = make_factor(&random, &arena);
    int         apart = 0;
    for (int trial = 0; trial < 60; trial++) {
        Columns a, b;
        int     where[N], shared = 0;
        double  found[3][WIDE];
        make_columns(&random, &lu, 1 + trial % 3, &a);
        make_columns(&random, &lu, 1 + trial % 2, &b);
        for (int k = 0; k < N; k++) {
            where[k] = -1;
        }
        for (int m = 0; m < b.path.count; m++) {
            where[b.place[m]] = m;
        }
        for (int m = 0; m < a.path.count; m++) {
            shared += where[a.place[m]] >= 0;
        }
        apart += shared == 0;
        tact_block_lu_path_product(&a.path, a.z, where, b.x, found); // a'A^-1 b
        for (int c = 0; c < 3; c++) {
            double solved[ROWS * N];
            memcpy(solved, b.b[c], sizeof solved);
            tact_block_lu_solve(&lu, solved, NULL);
            for (int r = 0; r < 3; r++) {
                double expected = 0;
                for (int j = 0; j < ROWS * N; j++) {
                    expected += a.b[r][j] * solved[j];
                }
                assert_true(fabs(found[r][c] - expected) <= 1e-12);
            }
        }
    }
    assert_true(apart > 0 && apart < 60);
    tact_arena_destroy(&arena);
}

static void a_solve_in_halves_takes_what_paths_add(void **state)
{
    (void)state;
    TactRandom  random = tact_random_seed(72);
    TactArena   arena;
    TactBlockLu lu = make_factor(&random, &arena);
    for (int trial = 0; trial < 20; trial++) {
        Columns a;
        double  b[ROWS * N], all[ROWS * N], half[ROWS * N], x[ROWS * N], q[3], felt[3];
        make_columns(&random, &lu, 2, &a);
        fill_random(&random, ROWS * N, b);
        fill_random(&random, 3, q);
        for (int j = 0; j < ROWS * N; j++) {
            all[j] = b[j] + a.b[0][j] * q[0] + a.b[1][j] * q[1] + a.b[2][j] * q[2];
        }
        tact_block_lu_solve(&lu, all, NULL); // A^-1 (b + a q)
        tact_block_lu_solve_half(&lu, b, half);
        tact_block_lu_path_add(&a.path, a.x, q, half);
        tact_block_lu_path_pull(&a.path, a.z, half, felt);
        tact_block_lu_solve_rest(&lu, half, x);
        for (int j = 0; j < ROWS * N; j++) {
            assert_true(fabs(x[j] - all[j]) <= 1e-13);
        }
        for (int c = 0; c < 3; c++) {
            double expected = 0;
            for (int j = 0; j < ROWS * N; j++) {
                expected += a.b[c][j] * all[j];
            }
            assert_true(fabs(felt[c] - expected) <= 1e-12);
        }
    }
    tact_arena_destroy(&arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(products_of_half_solves_are_those_of_whole_ones),
        cmocka_unit_test(a_solve_in_halves_takes_what_paths_add),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
