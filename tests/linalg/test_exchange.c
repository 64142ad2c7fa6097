// The four exchanges of an inverse against inverses made anew.
#include "linalg/exchange.h"

#include <stdbool.h>

#include "linalg/lu.h"
#include "matrices.h"

enum { MOST = 24, LD = MOST + 3 };

/// A block and the inverse that follows it, transposed.
typedef struct Block {
    int    k;
    double K[MOST][LD];
    double T[MOST][LD];
} Block;

/// X = K^-1 by LU.
static void invert(const Block *block, double X[MOST][LD])
{
    double LU[MOST][LD];
    int    perm[MOST];
    memcpy(LU, block->K, sizeof LU);
    assert_int_equal(tact_lu_factor_small(block->k, LU[0], LD, perm, 1e-12), -1);
    tact_lu_invert(block->k, LU[0], LD, perm, X[0], LD);
}

static void make_block(TactRandom *random, int k, Block *block)
{
    double X[MOST][LD];
    *block = (Block){.k = k};
    for (int r = 0; r < k; r++) {
        fill_random(random, k, block->K[r]);
        block->K[r][r] += 3;
    }
    invert(block, X);
    for (int r = 0; r < k; r++) {
        for (int c = 0; c < k; c++) {
            block->T[r][c] = X[c][r];
        }
    }
}

static void assert_follows(const Block *block)
{
    double X[MOST][LD];
    double largest = 0, error = 0;
    invert(block, X);
    for (int r = 0; r < block->k; r++) {
        for (int c = 0; c < block->k; c++) {
            largest = fmax(largest, fabs(X[c][r]));
            error = fmax(error, fabs(X[c][r] - block->T[r][c]));
        }
    }
    assert_true(error <= 1e-10 * largest);
}

static double dot(int n, const double *a, const double *b)
{
    double sum = 0;
    for (int i = 0; i < n; i++) {
        sum += a[i] * b[i];
    }
    return sum;
}

static void grow(TactRandom *random, Block *block)
{
    int    k = block->k;
    double g[MOST] = {0}, x[MOST] = {0}, u[MOST] = {0};
    fill_random(random, k, g);
    fill_random(random, k, block->K[k]);
    double corner = 3;
    tact_exchange_solve(k, block->T[0], LD, g, x);
    tact_exchange_row_product(k, block->T[0], LD, block->K[k], u);
    double s = corner + dot(k, block->K[k], x);
    if (fabs(s) < 0.1) { // draw again: a singular block has no inverse
        grow(random, block);
        return;
    }
    tact_exchange_grow(k, block->T[0], LD, x, u, s);
    for (int r = 0; r < k; r++) {
        block->K[r][k] = g[r];
    }
    block->K[k][k] = corner;
    block->k++;
}

static void exchange_column(TactRandom *random, Block *block, int p)
{
    double g[MOST] = {0}, x[MOST] = {0};
    fill_random(random, block->k, g);
    tact_exchange_solve(block->k, block->T[0], LD, g, x);
    if (fabs(x[p]) < 0.1) {
        exchange_column(random, block, p);
        return;
    }
    tact_exchange_column(block->k, block->T[0], LD, x, p);
    for (int r = 0; r < block->k; r++) {
        block->K[r][p] = g[r];
    }
}

static void exchange_row(TactRandom *random, Block *block, int p)
{
    double h[MOST] = {0}, u[MOST] = {0};
    fill_random(random, block->k, h);
    tact_exchange_row_product(block->k, block->T[0], LD, h, u);
    if (fabs(u[p]) < 0.1) {
        exchange_row(random, block, p);
        return;
    }
    tact_exchange_row(block->k, block->T[0], LD, u, p);
    memcpy(block->K[p], h, (size_t)block->k * sizeof(double));
}

/// false: what would be left is nearly singular, and nothing was done.
static bool shrink(Block *block, int p, int l)
{
    int last = block->k - 1;
    if (fabs(block->T[p][l]) < 1e-2) {
        return false;
    }
    tact_exchange_shrink(block->k, block->T[0], LD, p, l);
    memcpy(block->K[p], block->K[last], sizeof block->K[p]);
    for (int r = 0; r < last; r++) {
        block->K[r][l] = block->K[r][last];
    }
    block->k = last;
    return true;
}

static int draw(TactRandom *random, int below)
{
    int i = (int)tact_random_uniform(random, 0, below);
    return i < below ? i : below - 1;
}

static void a_solve_subtracts_the_inverse_times_the_right_hand_side(void **state)
{
    (void)state;
    TactRandom random = tact_random_seed(1);
    for (int k = 1; k <= MOST; k++) {
        Block  block;
        double f[MOST] = {0}, y[MOST] = {0}, x[MOST];
        make_block(&random, k, &block);
        fill_random(&random, k, f);
        fill_random(&random, k, y);
        memcpy(x, y, sizeof x);
        tact_exchange_solve(k, block.T[0], LD, f, x);
        for (int r = 0; r < k; r++) { // K (y - x) = f
            double sum = 0;
            for (int c = 0; c < k; c++) {
                sum += block.K[r][c] * (y[c] - x[c]);
            }
            assert_true(fabs(sum - f[r]) < 1e-11);
        }
    }
}

static void a_row_product_times_the_block_is_the_row(void **state)
{
    (void)state;
    TactRandom random = tact_random_seed(2);
    for (int k = 1; k <= MOST; k++) {
        Block  block;
        double h[MOST] = {0}, u[MOST] = {0};
        make_block(&random, k, &block);
        fill_random(&random, k, h);
        tact_exchange_row_product(k, block.T[0], LD, h, u);
        for (int c = 0; c < k; c++) {
            double sum = 0;
            for (int r = 0; r < k; r++) {
                sum += u[r] * block.K[r][c];
            }
            assert_true(fabs(sum - h[c]) < 1e-11);
        }
    }
}

static void an_inverse_grows_from_nothing(void **state)
{
    (void)state;
    TactRandom random = tact_random_seed(3);
    Block      block = {0};
    while (block.k < MOST) {
        grow(&random, &block);
        assert_follows(&block);
    }
}

static void every_column_and_row_can_be_exchanged(void **state)
{
    (void)state;
    TactRandom random = tact_random_seed(4);
    for (int k = 1; k <= MOST; k++) {
        Block block;
        make_block(&random, k, &block);
        for (int p = 0; p < k; p++) {
            exchange_column(&random, &block, p);
            assert_follows(&block);
            exchange_row(&random, &block, k - 1 - p);
            assert_follows(&block);
        }
    }
}

static void any_row_and_column_can_leave(void **state)
{
    (void)state;
    TactRandom random = tact_random_seed(5);
    int        left = 0;
    for (int p = 0; p < 6; p++) {
        for (int l = 0; l < 6; l++) {
            Block block;
            make_block(&random, 6, &block);
            left += shrink(&block, p, l);
            assert_follows(&block);
        }
    }
    assert_true(left >= 20);
}

static void a_long_mixed_sequence_stays_accurate(void **state)
{
    (void)state;
    TactRandom random = tact_random_seed(6);
    Block      block;
    make_block(&random, 8, &block);
    for (int step = 0; step < 200; step++) {
        int kind = draw(&random, 4);
        if (kind == 0 && block.k < MOST) {
            grow(&random, &block);
        } else if (kind == 1 && block.k > 2) {
            shrink(&block, draw(&random, block.k), draw(&random, block.k));
        } else if (kind == 2) {
            exchange_column(&random, &block, draw(&random, block.k));
        } else {
            exchange_row(&random, &block, draw(&random, block.k));
        }
    }
    double X[MOST][LD], worst = 0, largest = 0;
    invert(&block, X);
    for (int r = 0; r < block.k; r++) {
        for (int c = 0; c < block.k; c++) {
            worst = fmax(worst, fabs(X[c][r] - block.T[r][c]));
            largest = fmax(largest, fabs(X[c][r]));
        }
    }
    assert_true(worst <= 1e-8 * largest);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_solve_subtracts_the_inverse_times_the_right_hand_side),
        cmocka_unit_test(a_row_product_times_the_block_is_the_row),
        cmocka_unit_test(an_inverse_grows_from_nothing),
        cmocka_unit_test(every_column_and_row_can_be_exchanged),
        cmocka_unit_test(any_row_and_column_can_leave),
        cmocka_unit_test(a_long_mixed_sequence_stays_accurate),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
