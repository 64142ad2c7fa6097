// Points of least norm among those with the same sum of rows, against what defines them: the sum is
// kept, and nothing is left along the dependences that the rows were made with.
#include "linalg/row_space.h"

#include <math.h>

#include "linalg/matrices.h"

enum { ROWS = 9, FREE = 6, WIDTH = 14 };

/// Rows of which the last three are sums of the others, with these coefficients; columns in units
/// that differ by ten orders of magnitude.
typedef struct Made {
    double A[ROWS][WIDTH];
    double c[ROWS - FREE][FREE];
    double x[ROWS];
} Made;

static Made make_rows(TactRandom *random)
{
    Made made = {0};
    fill_random(random, FREE * WIDTH, &made.A[0][0]);
    fill_random(random, (ROWS - FREE) * FREE, &made.c[0][0]);
    fill_random(random, ROWS, made.x);
    for (int i = 0; i < WIDTH; i++) {
        for (int k = 0; k < FREE; k++) {
            made.A[k][i] *= pow(10, i - 7);
        }
        for (int d = FREE; d < ROWS; d++) {
            for (int k = 0; k < FREE; k++) {
                made.A[d][i] += made.c[d - FREE][k] * made.A[k][i];
            }
        }
    }
    return made;
}

/// x* with the rows in the order that begins with this one.
static void project(const Made *made, int first, double x[ROWS], int *dependent)
{
    TactRowSpace space = {0};
    TactArena    arena = {0};
    double       own[ROWS];
    tact_row_space_layout(&space, ROWS, WIDTH, &arena);
    assert_int_equal(tact_arena_create(&arena), TACT_OK);
    tact_row_space_layout(&space, ROWS, WIDTH, &arena);
    for (int k = 0; k < ROWS; k++) {
        int from = (first + k) % ROWS;
        own[k] = made->x[from];
        for (int i = 0; i < WIDTH; i++) {
            space.rows[k * WIDTH + i] = made->A[from][i];
        }
    }
    *dependent = tact_row_space_factor(&space, 1e-10);
    tact_row_space_project(&space, own);
    for (int k = 0; k < ROWS; k++) {
        x[(first + k) % ROWS] = own[k];
    }
    tact_arena_destroy(&arena);
}

static void sums_of_rows_are_kept_and_nothing_is_left_to_take(void **state)
{
    (void)state;
    TactRandom random = tact_random_seed(7);
    for (int trial = 0; trial < 200; trial++) {
        Made   made = make_rows(&random);
        double x[ROWS], other[ROWS];
        int    dependent;
        project(&made, 0, x, &dependent);
        assert_int_equal(dependent, ROWS - FREE);
        for (int i = 0; i < WIDTH; i++) {
            double off = 0, size = 0;
            for (int k = 0; k < ROWS; k++) {
                off += made.A[k][i] * (x[k] - made.x[k]);
                size += fabs(made.A[k][i]);
            }
            assert_true(fabs(off) <= 1e-11 * size);
        }
        for (int d = FREE; d < ROWS; d++) {
            double along = x[d];
            for (int k = 0; k < FREE; k++) {
                along -= made.c[d - FREE][k] * x[k];
            }
            assert_true(fabs(along) <= 1e-11);
        }
        project(&made, 1 + trial % (ROWS - 1), other, &dependent);
        for (int k = 0; k < ROWS; k++) {
            assert_true(fabs(other[k] - x[k]) <= 1e-11);
        }
    }
}

static void independent_rows_and_rows_of_zeros(void **state)
{
    (void)state;
    TactRandom random = tact_random_seed(3);
    Made       made = make_rows(&random);
    double     x[ROWS];
    int        dependent;
    for (int d = FREE; d < ROWS; d++) {
        made.A[d][d] += 1e3;
    }
    project(&made, 0, x, &dependent);
    assert_int_equal(dependent, 0);
    assert_memory_equal(x, made.x, sizeof x); // bit by bit
    for (int i = 0; i < WIDTH; i++) {
        made.A[4][i] = 0;
    }
    project(&made, 0, x, &dependent);
    assert_int_equal(dependent, 1);
    for (int k = 0; k < ROWS; k++) {
        assert_true(x[k] == (k == 4 ? 0 : made.x[k]));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sums_of_rows_are_kept_and_nothing_is_left_to_take),
        cmocka_unit_test(independent_rows_and_rows_of_zeros),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
