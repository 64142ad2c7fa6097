// The pivoting kernel against a plain dense tableau, and against a factorisation made anew.
#include "lcp/pivot/pivot.h"

#include "lcp/pivot/ratio.h"

#include "lcp/problems.h"

enum { MAX_N = 24 };

typedef struct Kernel {
    TactPivot pivot;
    TactArena arena;
} Kernel;

static void open_kernel(Kernel *kernel, int n)
{
    *kernel = (Kernel){0};
    tact_pivot_layout(&kernel->pivot, n, &kernel->arena);
    assert_int_equal(tact_arena_create(&kernel->arena), TACT_OK);
    tact_pivot_layout(&kernel->pivot, n, &kernel->arena);
}

static Owned random_problem(TactRandom *random, int n)
{
    Owned owned = new_problem(n);
    fill_random(random, n * n, owned.M);
    fill_random(random, n, owned.q);
    return owned;
}

// ---------------------------------------------------------------------------------------------
// The reference: basic = T (non-basic, 1), one row for each basic variable

typedef struct Tableau {
    int         n;
    int         basic[MAX_N];
    int         other[MAX_N + 1];          // non-basic variables
    long double row[MAX_N][MAX_N + 1 + 1]; // the last entry is the constant
} Tableau;

/// w = [M c] (z, z0) + q, as the kernel holds it.
static Tableau first_tableau(const TactPivot *pivot)
{
    Tableau tableau = {.n = pivot->n};
    for (int j = 0; j <= pivot->n; j++) {
        tableau.other[j] = j;
    }
    for (int i = 0; i < pivot->n; i++) {
        tableau.basic[i] = pivot->n + 1 + i;
        for (int j = 0; j <= pivot->n; j++) {
            tableau.row[i][j] = pivot->columns[(size_t)j * pivot->ld + (size_t)i];
        }
        tableau.row[i][pivot->n + 1] = pivot->q[i];
    }
    return tableau;
}

/// Solves row r for its non-basic variable s and puts the result into the other rows.
static void exchange_in_tableau(Tableau *tableau, int r, int s)
{
    int         width = tableau->n + 2;
    long double pivot = tableau->row[r][s];
    for (int j = 0; j < width; j++) {
        tableau->row[r][j] = j == s ? 1 / pivot : -tableau->row[r][j] / pivot;
    }
    for (int i = 0; i < tableau->n; i++) {
        long double factor = tableau->row[i][s];
        for (int j = 0; j < width && i != r; j++) {
            tableau->row[i][j] = (j == s ? 0 : tableau->row[i][j]) + factor * tableau->row[r][j];
        }
    }
    int variable = tableau->basic[r];
    tableau->basic[r] = tableau->other[s];
    tableau->other[s] = variable;
}

static double worst_difference(const TactPivot *pivot, const Tableau *tableau, int s)
{
    double worst = 0;
    for (int i = 0; i < tableau->n; i++) {
        int    variable = tableau->basic[i];
        double value = (double)tableau->row[i][tableau->n + 1];
        double rate = (double)tableau->row[i][s];
        worst = fmax(worst, fabs(tact_pivot_value(pivot, variable) - value) / (1 + fabs(value)));
        worst = fmax(worst, fabs(tact_pivot_rate(pivot, variable) - rate) / (1 + fabs(rate)));
    }
    return worst;
}

/// max |K^-1 K - 1|, relative to the entries of K^-1
static double inverse_error(const TactPivot *pivot)
{
    double worst = 0, largest = 1;
    for (int a = 0; a < pivot->k; a++) {
        for (int b = 0; b < pivot->k; b++) {
            double sum = a == b ? -1 : 0;
            for (int r = 0; r < pivot->k; r++) {
                double entry = tact_pivot_inverse_row(pivot, r)[a];
                largest = fmax(largest, fabs(entry));
                sum += entry *
                       pivot->columns[(size_t)pivot->col[b] * pivot->ld + (size_t)pivot->row[r]];
            }
            worst = fmax(worst, fabs(sum));
        }
    }
    return worst / largest;
}

/// A row whose rate is at least half of the largest: a pivot that keeps the basis well conditioned.
static int choose_leaving(TactRandom *random, const Tableau *tableau, int s)
{
    long double largest = 0;
    for (int i = 0; i < tableau->n; i++) {
        largest = fmaxl(largest, fabsl(tableau->row[i][s]));
    }
    for (;;) {
        int i = (int)(tact_random_next(random) % (uint64_t)tableau->n);
        if (fabsl(tableau->row[i][s]) >= largest / 2) {
            return i;
        }
    }
}

static void exchanges_follow_a_dense_tableau(void **state)
{
    (void)state;
    enum { STEPS = 60 };
    TactRandom random = tact_random_seed(5);
    int        kinds[2][2] = {{0}}; // [w drives][w leaves]
    for (int trial = 0; trial < 60; trial++) {
        int    n = 1 + trial % MAX_N;
        Kernel kernel;
        Owned  owned = random_problem(&random, n);
        open_kernel(&kernel, n);
        TactPivot *pivot = &kernel.pivot;
        tact_pivot_load(pivot, &owned.problem);
        assert_true(tact_pivot_set_basis(pivot, NULL));
        tact_pivot_cover(pivot, NULL, &random);
        Tableau tableau = first_tableau(pivot);
        for (int step = 0; step < STEPS; step++) {
            int s = (int)(tact_random_next(&random) % (uint64_t)(n + 1));
            int r = choose_leaving(&random, &tableau, s);
            int driving = tableau.other[s], leaving = tableau.basic[r];
            assert_true(tact_pivot_column(pivot, driving));
            assert_true(worst_difference(pivot, &tableau, s) < 1e-9);
            double value = tact_pivot_value(pivot, leaving), rate = tact_pivot_rate(pivot, leaving);
            tact_pivot_exchange(pivot, driving, leaving, -value / rate);
            exchange_in_tableau(&tableau, r, s);
            assert_true(tact_pivot_value(pivot, driving) == -value / rate);
            assert_true(inverse_error(pivot) < 1e-9);
            kinds[driving > n][leaving > n]++;
        }
        assert_int_equal(pivot->refactors, 0);
        tact_arena_destroy(&kernel.arena);
        free_problem(&owned);
    }
    for (int kind = 0; kind < 4; kind++) {
        assert_true(kinds[kind / 2][kind % 2] > 200);
    }
}

static void values_renewed_from_z_are_those_of_a_new_factor(void **state)
{
    (void)state;
    enum { N = 12 };
    TactRandom random = tact_random_seed(6);
    Kernel     kernel;
    Owned      owned = new_problem(N);
    fill_conditioned(&random, N, 10, owned.M);
    fill_random(&random, N, owned.q);
    open_kernel(&kernel, N);
    TactPivot *pivot = &kernel.pivot;
    tact_pivot_load(pivot, &owned.problem);
    unsigned char basic[N] = {TACT_LCP_STATE_BASIC, TACT_LCP_STATE_BASIC, 0, 0,
                              TACT_LCP_STATE_BASIC};
    assert_true(tact_pivot_set_basis(pivot, basic));
    double z[N], w[N];
    memcpy(z, pivot->z, sizeof z);
    memcpy(w, pivot->w, sizeof w);
    pivot->z[1] += 1e-3; // wrong values, right inverse
    assert_true(tact_pivot_renew_values(pivot) < 1e-14);
    for (int c = 0; c < pivot->k; c++) {
        assert_true(fabs(pivot->z[c] - z[c]) < 1e-14);
    }
    for (int i = 0; i < N; i++) {
        assert_true(fabs(pivot->w[i] - w[i]) < 1e-14);
    }
    tact_arena_destroy(&kernel.arena);
    free_problem(&owned);
}

// ---------------------------------------------------------------------------------------------
// Drift

/// A kernel at a basis of six z, its inverse off by `error`; the column of z_6 is asked for.
static void ask_with_drift(double error, int expected_refactors)
{
    enum { N = 10 };
    TactRandom random = tact_random_seed(7);
    Kernel     kernel;
    Owned      owned = new_problem(N);
    fill_conditioned(&random, N, 10, owned.M);
    fill_random(&random, N, owned.q);
    open_kernel(&kernel, N);
    TactPivot *pivot = &kernel.pivot;
    tact_pivot_load(pivot, &owned.problem);
    unsigned char basic[N];
    for (int j = 0; j < N; j++) {
        basic[j] = j < 6 ? TACT_LCP_STATE_BASIC : TACT_LCP_STATE_AT_LO;
    }
    assert_true(tact_pivot_set_basis(pivot, basic));
    assert_true(tact_pivot_column(pivot, 6));
    double dz[6], dw[N];
    memcpy(dz, pivot->dz, sizeof dz);
    memcpy(dw, pivot->dw, sizeof dw);

    tact_pivot_inverse_row(pivot, 2)[3] += error;
    assert_true(tact_pivot_column(pivot, 6));
    assert_int_equal(pivot->refactors, expected_refactors);
    for (int c = 0; c < 6; c++) {
        assert_true(fabs(pivot->dz[c] - dz[c]) < 1e-12);
    }
    for (int i = 0; i < N; i++) {
        assert_true(fabs(pivot->dw[i] - dw[i]) < 1e-12);
    }
    tact_arena_destroy(&kernel.arena);
    free_problem(&owned);
}

static void a_small_drift_is_refined_and_a_large_one_factored_anew(void **state)
{
    (void)state;
    ask_with_drift(0, 0);
    ask_with_drift(1e-9, 0);
    ask_with_drift(1e-2, 1);
    ask_with_drift(NAN, 1);
    ask_with_drift(HUGE_VAL, 1);
}

static void the_end_refines_the_values_whatever_the_inverse_has_become(void **state)
{
    (void)state;
    enum { N = 14 };
    TactRandom random = tact_random_seed(8);
    for (int trial = 0; trial < 3; trial++) {
        Kernel kernel;
        Owned  owned = new_problem(N);
        fill_conditioned(&random, N, 1e6, owned.M);
        fill_random(&random, N, owned.q);
        open_kernel(&kernel, N);
        TactPivot    *pivot = &kernel.pivot;
        unsigned char basic[N], basis[N];
        memset(basic, TACT_LCP_STATE_BASIC, N);
        tact_pivot_load(pivot, &owned.problem);
        assert_true(tact_pivot_set_basis(pivot, basic));
        if (trial > 0) {
            tact_pivot_inverse_row(pivot, 3)[4] *= trial == 1 ? 1 + 1e-7 : NAN;
            pivot->z[5] *= 1 + 1e-7;
        }
        assert_true(tact_pivot_finish(pivot));
        assert_int_equal(pivot->refactors, trial == 2 ? 1 : 0);
        double z[N], expected[N];
        tact_pivot_write(pivot, &owned.problem, z, basis);
        for (int i = 0; i < N; i++) {
            owned.q[i] = -owned.q[i];
        }
        reference_solution(N, owned.M, N, owned.q, expected);
        for (int j = 0; j < N; j++) {
            assert_true(fabs(z[j] - expected[j]) <= 1e-11 * max_abs(N, expected));
        }
        tact_arena_destroy(&kernel.arena);
        free_problem(&owned);
    }
}

// ---------------------------------------------------------------------------------------------
// Basis, covering vector, bounds

static void a_singular_block_is_refused_as_a_basis(void **state)
{
    (void)state;
    const double   M[9] = {1, 2, 0, 2, 4, 0, 0, 0, 1};
    const double   q[3] = {-1, -1, -1};
    TactLcpProblem problem = {.n = 3, .M = M, .q = q};
    Kernel         kernel;
    open_kernel(&kernel, 3);
    tact_pivot_load(&kernel.pivot, &problem);
    assert_false(tact_pivot_set_basis(
        &kernel.pivot,
        (unsigned char[]){TACT_LCP_STATE_BASIC, TACT_LCP_STATE_BASIC, TACT_LCP_STATE_AT_LO}));
    assert_true(tact_pivot_set_basis(
        &kernel.pivot,
        (unsigned char[]){TACT_LCP_STATE_BASIC, TACT_LCP_STATE_AT_LO, TACT_LCP_STATE_BASIC}));
    tact_arena_destroy(&kernel.arena);
}

static void along_z0_all_that_can_block_grows_at_the_rate_asked_for(void **state)
{
    (void)state;
    enum { N = 6 };
    TactRandom random = tact_random_seed(9);
    Owned      owned = new_problem(N);
    Kernel     kernel;
    fill_conditioned(&random, N, 10, owned.M);
    fill_random(&random, N, owned.q);
    owned.problem.lo = owned.lo; // z_2 is free, and hi is not given
    owned.lo[2] = -INF;
    open_kernel(&kernel, N);
    TactPivot *pivot = &kernel.pivot;
    tact_pivot_load(pivot, &owned.problem);
    unsigned char basic[N] = {TACT_LCP_STATE_BASIC};
    const double  cover[N] = {1, 1e-300, 1, 2e-300, 4e-300, 1e-300};
    assert_true(tact_pivot_set_basis(pivot, basic));
    assert_int_equal(pivot->k, 2);

    tact_pivot_cover(pivot, NULL, NULL);
    assert_true(tact_pivot_column(pivot, N));
    for (int i = 1; i < N; i++) {
        assert_true(fabs(pivot->dw[i] - (i == 2 ? 0 : 1)) < 1e-14);
    }
    assert_true(fabs(tact_pivot_rate(pivot, 0) - 1) < 1e-14);
    assert_true(fabs(tact_pivot_rate(pivot, 2)) < 1e-14);

    tact_pivot_cover(pivot, NULL, &random);
    assert_true(tact_pivot_column(pivot, N));
    for (int i = 1; i < N; i++) {
        assert_true(i == 2 || (pivot->dw[i] > 1 - 1e-14 && pivot->dw[i] < 2));
    }
    assert_true(fabs(tact_pivot_rate(pivot, 2)) < 1e-14);

    // Only the ratios of a cover count, in the units of w: entry 4 is 4 times entry 1.
    assert_true(tact_pivot_set_basis(pivot, NULL));
    tact_pivot_cover(pivot, cover, NULL);
    assert_true(tact_pivot_column(pivot, N));
    double w1 = pivot->dw[1] / pivot->scale[1];
    assert_true(fabs(pivot->dw[4] / pivot->scale[4] - 4 * w1) <= 1e-13 * w1);
    assert_true(fabs(pivot->dw[3] / pivot->scale[3] - 2 * w1) <= 1e-13 * w1);
    tact_arena_destroy(&kernel.arena);
    free_problem(&owned);
}

static void bounds_are_subtracted_without_cancellation(void **state)
{
    (void)state;
    // w_0 = 0.5 + 1e20 - 1e20 + 3 at lo: in doubles alone the 0.5 is lost.
    TactLcpProblem problem = {.n = 3,
                              .M = (double[]){1e20, -1e20, 3, 0, 1, 0, 0, 0, 1},
                              .q = (double[]){0.5, 0, 0},
                              .lo = (double[]){1, 1, 1}};
    Kernel         kernel;
    open_kernel(&kernel, 3);
    TactPivot *pivot = &kernel.pivot;
    tact_pivot_load(pivot, &problem);
    assert_true(pivot->q[0] * pivot->q_scale / pivot->scale[0] == 3.5);
    unsigned char basis[3];
    double        z[3];
    assert_true(tact_pivot_set_basis(pivot, NULL));
    tact_pivot_write(pivot, &problem, z, basis);
    for (int i = 0; i < 3; i++) {
        assert_true(z[i] == 1);
        assert_int_equal(basis[i], TACT_LCP_STATE_AT_LO);
    }
    tact_arena_destroy(&kernel.arena);
}

static void scales_whose_product_overflows_are_undone(void **state)
{
    (void)state;
    // d_0 = 2^498, and q_scale is near 1e300: their product is infinite, z_0 = 1e290 is not.
    TactLcpProblem problem = {
        .n = 2, .M = (double[]){1e-300, 0, 0, 1}, .q = (double[]){-1e-10, -1e300}};
    Kernel kernel;
    open_kernel(&kernel, 2);
    tact_pivot_load(&kernel.pivot, &problem);
    unsigned char basis[2] = {TACT_LCP_STATE_BASIC, TACT_LCP_STATE_BASIC};
    double        z[2];
    assert_true(tact_pivot_set_basis(&kernel.pivot, basis));
    tact_pivot_write(&kernel.pivot, &problem, z, basis);
    assert_true(fabs(z[0] / 1e290 - 1) < 1e-14);
    assert_true(fabs(z[1] / 1e300 - 1) < 1e-14);
    tact_arena_destroy(&kernel.arena);
}

static void a_step_is_never_negative_whatever_rounding_left_in_the_values(void **state)
{
    (void)state;
    // Ratios value / -rate of the variables that fall: a value below 0, which only rounding makes,
    // counts as 0. While z0 enters, values are negative, and the lowest ratio decides.
    enum { N = 7 }; // four at a time, and three one by one
    for (int low = 0; low < N; low++) {
        Kernel        kernel;
        Owned         owned = new_problem(N);
        TactLcpConfig config = tact_lcp_config_default(TACT_LCP_METHOD_LEMKE);
        open_kernel(&kernel, N);
        for (int i = 0; i < N; i++) {
            owned.M[i * N + i] = 1;
            owned.q[i] = -1;
        }
        TactPivot *pivot = &kernel.pivot;
        tact_pivot_load(pivot, &owned.problem);
        assert_int_equal(tact_pivot_set_start(pivot), -1);
        pivot->column_size = 1;
        for (int i = 0; i < N; i++) {
            pivot->w[i] = i == low ? -1e-17 : 0.25 * (i + 1);
            pivot->dw[i] = -0.5;
        }
        TactRatios ratios = tact_ratios_compute(pivot, &config, TACT_RATIO_DRIVE, 0);
        assert_true(ratios.least == 0 && ratios.bound == 0);
        for (int i = 0; i < N; i++) {
            double expected = i == low ? 0 : 0.5 * (i + 1);
            assert_true(tact_ratio_of(pivot, N + 1 + i) == expected);
            pivot->w[i] = i == low ? -3 : -1;
            pivot->dw[i] = 0.5;
        }
        ratios = tact_ratios_compute(pivot, &config, TACT_RATIO_ENTER, 0);
        assert_true(ratios.least == -6 && tact_ratio_step(&ratios, ratios.least) == 6);
        tact_arena_destroy(&kernel.arena);
        free_problem(&owned);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_step_is_never_negative_whatever_rounding_left_in_the_values),
        cmocka_unit_test(exchanges_follow_a_dense_tableau),
        cmocka_unit_test(values_renewed_from_z_are_those_of_a_new_factor),
        cmocka_unit_test(a_small_drift_is_refined_and_a_large_one_factored_anew),
        cmocka_unit_test(the_end_refines_the_values_whatever_the_inverse_has_become),
        cmocka_unit_test(a_singular_block_is_refused_as_a_basis),
        cmocka_unit_test(along_z0_all_that_can_block_grows_at_the_rate_asked_for),
        cmocka_unit_test(bounds_are_subtracted_without_cancellation),
        cmocka_unit_test(scales_whose_product_overflows_are_undone),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
