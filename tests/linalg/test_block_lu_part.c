// A factor of a part of the links: its fill against an elimination by hand, its solves against the
// matrix, and when its order is found anew.
#include <string.h>

#include "linalg/block_lu/block_lu.h"

#include "linalg/matrices.h"

enum { ROWS = TACT_BLOCK_ROWS, STRIDE = TACT_BLOCK_STRIDE, MOST = 90 };

/// A factor of a graph, one of a part of it, and which links they have.
typedef struct Pair {
    TactArena   arena;
    TactBlockLu whole, part;
    int         n;
    bool        linked[MOST * MOST], some[MOST * MOST];
} Pair;

static void make_pair(Pair *pair, int n, size_t room)
{
    *pair = (Pair){.n = n};
    for (int pass = 0; pass < 2; pass++) {
        if (pass == 1) {
            assert_int_equal(tact_arena_create(&pair->arena), TACT_OK);
        }
        tact_block_lu_layout(&pair->whole, n, room, &pair->arena);
        tact_block_lu_layout_part(&pair->part, &pair->whole, &pair->arena);
    }
}

static void link_all(TactBlockLu *lu, int n, const bool *linked)
{
    assert_true(tact_block_lu_begin(lu, n));
    for (int a = 0; a < n; a++) {
        for (int b = 0; b < a; b++) {
            if (linked[a * n + b]) {
                tact_block_lu_link(lu, a, b);
            }
        }
    }
}

/// About `degree` links a node, between nodes that are near each other.
static void shape_whole(TactRandom *random, Pair *pair, int degree)
{
    int n = pair->n;
    memset(pair->linked, 0, sizeof pair->linked);
    for (int k = 0; k < degree * n / 2; k++) {
        int a = (int)(tact_random_next(random) % (unsigned)n);
        int b = (a + 1 + (int)(tact_random_next(random) % 12)) % n;
        pair->linked[a * n + b] = pair->linked[b * n + a] = a != b;
    }
    link_all(&pair->whole, n, pair->linked);
    assert_true(tact_block_lu_shape(&pair->whole));
    tact_block_lu_begin_part(&pair->part, &pair->whole);
}

/// Each link of the whole with so much chance.
static void choose_some(TactRandom *random, Pair *pair, double chance)
{
    int n = pair->n;
    for (int a = 0; a < n; a++) {
        for (int b = 0; b < a; b++) {
            pair->some[a * n + b] = pair->some[b * n + a] =
                pair->linked[a * n + b] && tact_random_uniform(random, 0, 1) < chance;
        }
    }
}

static bool shape_some(Pair *pair)
{
    link_all(&pair->part, pair->n, pair->some);
    return tact_block_lu_shape_part(&pair->part);
}

/// Rows of all columns, and columns of all rows, are those of an elimination in that order.
static void check_fill(const Pair *pair)
{
    const TactBlockLu *lu = &pair->part;
    int                n = pair->n;
    static bool        left[MOST * MOST]; // in places
    size_t             used = 0;
    for (int a = 0; a < n; a++) {
        assert_int_equal(lu->place[lu->order[a]], a);
        for (int b = 0; b < n; b++) {
            left[a * n + b] = pair->some[lu->order[a] * n + lu->order[b]];
        }
    }
    for (int k = 0; k < n; k++) {
        assert_int_equal(lu->start[k], used);
        for (int a = k + 1; a < n; a++) {
            if (!left[a * n + k]) {
                continue;
            }
            assert_int_equal(lu->row[used++], a);
            for (int b = k + 1; b < n; b++) {
                left[a * n + b] = left[a * n + b] || (left[b * n + k] && a != b);
            }
        }
    }
    assert_int_equal(lu->start[n], used);
    used = 0;
    for (int a = 0; a < n; a++) {
        assert_int_equal(lu->next[a], used);
        for (int k = 0; k < a; k++) {
            if (left[a * n + k]) {
                assert_int_equal(lu->other[used], k);
                assert_int_equal(lu->row[lu->pair[used]], a);
                assert_in_range(lu->pair[used], lu->start[k], lu->start[k + 1] - 1);
                used++;
            }
        }
    }
    assert_int_equal(lu->next[n], used);
}

/// Random values, and a diagonal that is larger, where there are links: A x is solved for x.
static void check_solve(TactRandom *random, TactBlockLu *lu, const bool *linked)
{
    static double x[ROWS * MOST], b[ROWS * MOST];
    int           n = lu->n;
    tact_block_lu_clear(lu);
    fill_random(random, ROWS * n, x);
    memset(b, 0, sizeof b);
    for (int k = 0; k < n * n; k++) {
        if (!linked[k] && k / n != k % n) {
            continue;
        }
        double *block = tact_block_lu_at(lu, k / n, k % n);
        for (int e = 0; e < ROWS * ROWS; e++) {
            int    r = e / ROWS, c = e % ROWS;
            double value = tact_random_normal(random) + (k / n == k % n && r == c ? 200 : 0);
            block[r * STRIDE + c] = value;
            b[ROWS * (k / n) + r] += value * x[ROWS * (k % n) + c];
        }
    }
    assert_true(tact_block_lu_factor(lu));
    tact_block_lu_solve(lu, b, NULL);
    for (int i = 0; i < ROWS * n; i++) {
        assert_true(fabs(b[i] - x[i]) <= 1e-13 * n);
    }
}

static void parts_have_the_fill_of_an_elimination_and_solve(void **state)
{
    (void)state;
    TactRandom  random = tact_random_seed(71);
    static Pair pair;
    for (int n = 1; n <= MOST; n += n < 6 ? 1 : 28) {
        make_pair(&pair, n, (size_t)(n * n));
        for (int graph = 0; graph < 4; graph++) {
            shape_whole(&random, &pair, 4);
            for (int trial = 0; trial < 12; trial++) {
                choose_some(&random, &pair, trial == 0 ? 0 : trial == 1 ? 1 : 0.1 * (trial - 1));
                assert_true(shape_some(&pair));
                check_fill(&pair);
                check_solve(&random, &pair.part, pair.some);
                if (trial % 4 == 3) { // the values are in the memory of the whole
                    check_solve(&random, &pair.whole, pair.linked);
                }
            }
        }
        tact_arena_destroy(&pair.arena);
    }
}

/// Without a link nothing is beside the diagonal.
static void nothing_that_is_linked_is_no_work(void **state)
{
    (void)state;
    TactRandom  random = tact_random_seed(73);
    static Pair pair;
    make_pair(&pair, MOST, MOST * MOST);
    shape_whole(&random, &pair, 6);
    choose_some(&random, &pair, 0);
    assert_true(shape_some(&pair));
    assert_int_equal(pair.part.start[MOST], 0);
    assert_true(tact_block_lu_work(&pair.part) == 432.0 * MOST);
    tact_arena_destroy(&pair.arena);
}

/// All links but one, which was there the last time.
static void choose_all_but_one(TactRandom *random, Pair *pair, bool first)
{
    static bool last[MOST * MOST];
    int         n = pair->n;
    memcpy(last, first ? pair->linked : pair->some, sizeof last);
    memcpy(pair->some, pair->linked, sizeof pair->some);
    for (;;) {
        int a = (int)(tact_random_next(random) % (unsigned)n);
        int b = (int)(tact_random_next(random) % (unsigned)n);
        if (pair->some[a * n + b] && last[a * n + b]) {
            pair->some[a * n + b] = pair->some[b * n + a] = false;
            return;
        }
    }
}

/// The order of the whole is kept at first. It becomes another one with the shape by which factors
/// have lost 10 n^2 operations: beyond those of the whole by the fourth power of the links.
static void an_order_is_kept_until_it_has_cost_as_much_as_another_one(void **state)
{
    (void)state;
    static Pair pair;
    TactRandom  random = tact_random_seed(79);
    int         later = 0;
    make_pair(&pair, MOST, MOST * MOST);
    for (int graph = 0; graph < 20; graph++) {
        shape_whole(&random, &pair, 3);
        double work = tact_block_lu_work(&pair.whole), lost = 0, most = 10.0 * MOST * MOST;
        int    shapes = 0;
        for (bool anew = false; !anew && shapes < 100; shapes++) {
            choose_all_but_one(&random, &pair, shapes == 0);
            assert_true(shape_some(&pair));
            anew = pair.part.rated.links != pair.whole.links; // it is of that part
            if (!anew) {
                double part = 1 - 1.0 / pair.whole.links;
                double good = work * part * part * part * part;
                lost += fmax(tact_block_lu_work(&pair.part) - good, 0);
                assert_true(lost <= most);
                assert_memory_equal(pair.part.order, pair.whole.order, MOST * sizeof(int));
            } else {
                assert_true(pair.part.rated.work == tact_block_lu_work(&pair.part));
                assert_true(lost + work > most);
            }
        }
        assert_in_range(shapes, 2, 99);
        later += shapes > 2;
    }
    assert_true(later > 5);
    tact_arena_destroy(&pair.arena);
}

/// The same shapes lead to the same orders, whatever was there before.
static void orders_depend_on_the_shapes_since_the_whole_alone(void **state)
{
    (void)state;
    enum { SHAPES = 60 };
    static Pair pair;
    static int  orders[2][SHAPES][MOST];
    int         changes = 0;
    make_pair(&pair, MOST, MOST * MOST);
    for (int run = 0; run < 2; run++) {
        TactRandom random = tact_random_seed(83);
        shape_whole(&random, &pair, 3);
        for (int k = 0; k < SHAPES; k++) {
            choose_some(&random, &pair, 0.98);
            assert_true(shape_some(&pair));
            memcpy(orders[run][k], pair.part.order, sizeof orders[run][k]);
        }
    }
    assert_memory_equal(orders[0], orders[1], sizeof orders[0]);
    for (int k = 1; k < SHAPES; k++) {
        changes += memcmp(orders[0][k], orders[0][k - 1], sizeof orders[0][k]) != 0;
    }
    assert_in_range(changes, 1, SHAPES - 2);
    tact_arena_destroy(&pair.arena);
}

/// Where fill does not fit in the order that there is, another is found.
static void an_order_without_room_gives_way(void **state)
{
    (void)state;
    enum { N = 40 };
    static Pair pair;
    make_pair(&pair, N, 2 * N);
    for (int k = 1; k < N; k++) {
        pair.linked[k * N + k - 1] = pair.linked[(k - 1) * N + k] = true;
    }
    link_all(&pair.whole, N, pair.linked);
    assert_true(tact_block_lu_shape(&pair.whole));
    tact_block_lu_begin_part(&pair.part, &pair.whole);
    for (int k = 0; k < N; k++) { // the middle of a star first: all others become neighbours
        pair.part.order[k] = k;
        pair.part.place[k] = k;
    }
    memset(pair.some, 0, sizeof pair.some);
    for (int k = 1; k < N; k++) {
        pair.some[k * N] = pair.some[k] = true;
    }
    assert_true(shape_some(&pair));
    check_fill(&pair);
    assert_int_equal(pair.part.start[N], N - 1); // a star has no fill in a good order
    memset(pair.some, 1, sizeof pair.some);      // all linked: no order has room
    assert_false(shape_some(&pair));
    tact_arena_destroy(&pair.arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(parts_have_the_fill_of_an_elimination_and_solve),
        cmocka_unit_test(nothing_that_is_linked_is_no_work),
        cmocka_unit_test(an_order_is_kept_until_it_has_cost_as_much_as_another_one),
        cmocka_unit_test(orders_depend_on_the_shapes_since_the_whole_alone),
        cmocka_unit_test(an_order_without_room_gives_way),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
