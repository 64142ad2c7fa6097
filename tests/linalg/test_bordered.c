// The bordered factor: residuals in long double, and what it must not read.
#include "linalg/bordered.h"

#include <stdbool.h>

#include "matrices.h"

enum { MOST = 40, LD = 48 };

typedef struct Case {
    int    n, m; // of the symmetric block, of all
    double A[MOST * LD], b[LD], work[MOST];
    int    perm[MOST], dependent[MOST], dependents;
} Case;

/// S = V V' + 0.1, everything else at random; room beyond m is 0.
static void fill_case(TactRandom *random, Case *c)
{
    double V[MOST * MOST];
    fill_random(random, c->n * c->n, V);
    memset(c->A, 0, sizeof c->A);
    memset(c->b, 0, sizeof c->b);
    for (int i = 0; i < c->m; i++) {
        for (int j = 0; j < c->m; j++) {
            double *entry = &c->A[i * LD + j];
            *entry = tact_random_uniform(random, -1, 1);
            if (i < c->n && j < c->n) {
                *entry = i == j ? 0.1 : 0;
                for (int k = 0; k < c->n; k++) {
                    *entry += V[i * c->n + k] * V[j * c->n + k];
                }
            }
        }
        c->b[i] = tact_random_uniform(random, -1, 1);
    }
}

static bool solve(Case *c)
{
    bool regular = tact_bordered_factor(c->n, c->m, c->A, LD, c->perm, 1e-14, c->dependent,
                                        &c->dependents) < 0;
    if (regular) {
        tact_bordered_solve(c->n, c->m, c->A, LD, c->perm, c->b, c->work);
    }
    return regular;
}

static double largest_residual(const Case *raw, const double *x)
{
    double worst = 0;
    for (int i = 0; i < raw->m; i++) {
        long double sum = raw->b[i], size = fabsl((long double)raw->b[i]);
        for (int j = 0; j < raw->m; j++) {
            sum -= (long double)raw->A[i * LD + j] * x[j];
            size += fabsl((long double)raw->A[i * LD + j] * x[j]);
        }
        worst = fmax(worst, fabs((double)(sum / size)));
    }
    return worst;
}

static void all_sizes_are_solved_to_rounding(void **state)
{
    (void)state;
    TactRandom  random = tact_random_seed(1);
    static Case c, raw;
    double      worst = 0;
    for (int n = 0; n <= 32; n++) {
        for (int border = 0; border <= 7; border++) {
            if (border > 0 && n % 4 != 0) {
                continue; // a border begins at a whole vector
            }
            c.n = n;
            c.m = n + border;
            fill_case(&random, &c);
            raw = c;
            assert_true(solve(&c));
            worst = fmax(worst, largest_residual(&raw, c.b));
        }
    }
    print_message("largest residual of a row, of what is in it: %.1e\n", worst);
    assert_true(worst < 1e-12);
}

static void nothing_below_the_diagonal_of_the_block_is_read(void **state)
{
    (void)state;
    TactRandom  random = tact_random_seed(2);
    static Case c, spoilt;
    c.n = 12;
    c.m = 14;
    fill_case(&random, &c);
    spoilt = c;
    for (int i = 0; i < c.n; i++) {
        for (int j = 0; j < i; j++) {
            spoilt.A[i * LD + j] = NAN;
        }
    }
    assert_true(solve(&c) && solve(&spoilt));
    assert_memory_equal(c.b, spoilt.b, (size_t)c.m * sizeof *c.b);
}

/// A row twice, in the block and in its border; and a block that is not definite.
static void singular_matrices_are_refused(void **state)
{
    (void)state;
    TactRandom  random = tact_random_seed(3);
    static Case c;
    c.n = 8;
    c.m = 11;
    fill_case(&random, &c);
    memcpy(c.A + 10 * LD, c.A + 9 * LD, LD * sizeof(double));
    assert_false(solve(&c));
    fill_case(&random, &c);
    for (int j = 0; j < c.m; j++) {
        c.A[5 * LD + j] = c.A[j * LD + 5] = j < c.n ? c.A[j * LD + 4] : c.A[5 * LD + j];
    }
    c.A[5 * LD + 5] = c.A[4 * LD + 4];
    assert_int_equal(
        tact_bordered_factor(c.n, c.m, c.A, LD, c.perm, 1e-10, c.dependent, &c.dependents), 5);
    assert_int_equal(c.dependents, 1);
    assert_int_equal(c.dependent[0], 5);
    fill_case(&random, &c);
    c.A[3 * LD + 3] = -1;
    assert_false(solve(&c));
    fill_case(&random, &c);
    c.A[0] = NAN;
    assert_false(solve(&c));
}

/// A block of rank 6 whose rows 0, 1, 2, 5, 7 and 10 are independent: all others are told.
static void every_row_that_depends_on_those_before_it_is_told(void **state)
{
    (void)state;
    static const int independent[] = {0, 1, 2, 5, 7, 10};
    static Case      c;
    TactRandom       random = tact_random_seed(4);
    double           V[MOST * 6], shares[6];
    c.n = 12;
    c.m = 12;
    for (int i = 0, found = 0; i < c.n; i++) {
        bool own = found < 6 && independent[found] == i;
        for (int k = 0; k < 6; k++) {
            V[i * 6 + k] = own ? tact_random_uniform(&random, -1, 1) : 0;
        }
        fill_random(&random, 6, shares);
        for (int f = 0; f < found && !own; f++) {
            for (int k = 0; k < 6; k++) {
                V[i * 6 + k] += shares[f] * V[independent[f] * 6 + k];
            }
        }
        found += own;
    }
    memset(c.A, 0, sizeof c.A);
    for (int i = 0; i < c.n; i++) {
        for (int j = 0; j < c.n; j++) {
            for (int k = 0; k < 6; k++) {
                c.A[i * LD + j] += V[i * 6 + k] * V[j * 6 + k];
            }
        }
    }
    int first = tact_bordered_factor(c.n, c.m, c.A, LD, c.perm, 1e-12, c.dependent, &c.dependents);
    const int told[] = {3, 4, 6, 8, 9, 11};
    assert_int_equal(first, 3);
    assert_int_equal(c.dependents, 6);
    assert_memory_equal(c.dependent, told, sizeof told);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_sizes_are_solved_to_rounding),
        cmocka_unit_test(nothing_below_the_diagonal_of_the_block_is_read),
        cmocka_unit_test(singular_matrices_are_refused),
        cmocka_unit_test(every_row_that_depends_on_those_before_it_is_told),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
