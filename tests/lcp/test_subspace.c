// Steps within a face against textbook elimination, while variables come and go.
#include "lcp/sweep/subspace.h"

#include "problems.h"

typedef struct Fixture {
    TactArena       arena;
    TactLcpSubspace subspace;
    double          inverse[PROBLEM_MAX];
} Fixture;

static void begin(Fixture *fixture, const TactLcpProblem *problem)
{
    *fixture = (Fixture){0};
    TactLcpStorage storage = problem->M ? TACT_LCP_STORAGE_DENSE : TACT_LCP_STORAGE_SPARSE;
    tact_lcp_subspace_layout(NULL, problem->n, storage, &fixture->arena);
    assert_int_equal(tact_arena_create(&fixture->arena), TACT_OK);
    tact_lcp_subspace_layout(&fixture->subspace, problem->n, storage, &fixture->arena);
    tact_lcp_subspace_begin(&fixture->subspace, problem, fixture->inverse);
}

/// The step of every variable, 0 for those that do not move.
static void scatter_step(const TactLcpSubspace *subspace, double *step)
{
    memset(step, 0, (size_t)subspace->problem->n * sizeof *step);
    for (int a = 0; a < subspace->rank; a++) {
        step[subspace->index[a]] = subspace->step[a];
    }
}

/// M_FF x = -w_F by the reference, scattered.
static void reference_step(const Owned *owned, const unsigned char *free_mask, const double *w,
                           double *step)
{
    int    n = owned->problem.n;
    int    index[PROBLEM_MAX];
    int    count = 0;
    double block[64 * 64], b[64], x[64];
    for (int i = 0; i < n; i++) {
        if (free_mask[i]) {
            index[count++] = i;
        }
    }
    for (int a = 0; a < count; a++) {
        b[a] = -w[index[a]];
        for (int c = 0; c < count; c++) {
            block[a * count + c] = owned->M[index[a] * n + index[c]];
        }
    }
    reference_solution(count, block, count, b, x);
    memset(step, 0, (size_t)n * sizeof *step);
    for (int a = 0; a < count; a++) {
        step[index[a]] = x[a];
    }
}

static void a_factor_that_is_updated_gives_the_step_of_a_fresh_one(void **state)
{
    (void)state;
    enum { N = 50 };
    TactRandom random = tact_random_seed(61);
    Owned      owned = new_problem(N);
    Fixture    fixture;
    double     w[N], step[N], expected[N];
    fill_conditioned(&random, N, 100, owned.M);
    fill_random(&random, N, w);
    begin(&fixture, &owned.problem);
    for (int i = 0; i < N; i++) {
        fixture.subspace.free[i] = i % 2 == 0;
    }
    for (int change = 0; change < 200; change++) {
        int flips = change % 10 == 9 ? 30 : 1 + change % 3; // now and then too many to update
        for (int k = 0; k < flips; k++) {
            fixture.subspace.free[tact_random_next(&random) % N] ^= 1;
        }
        tact_lcp_subspace_set(&fixture.subspace);
        tact_lcp_subspace_solve(&fixture.subspace, w, 0);
        scatter_step(&fixture.subspace, step);
        reference_step(&owned, fixture.subspace.free, w, expected);
        for (int i = 0; i < N; i++) {
            assert_true(fabs(step[i] - expected[i]) <= 1e-11 * (1 + max_abs(N, expected)));
        }
    }
    assert_true(fixture.subspace.factors > 20 && fixture.subspace.factors < 150);
    tact_arena_destroy(&fixture.arena);
    free_problem(&owned);
}

static void dependent_rows_do_not_move_and_come_back_when_they_are_needed(void **state)
{
    (void)state;
    // Rows 0 and 1 are the same contact twice.
    Owned owned = new_problem(8);
    for (int i = 0; i < 8; i++) {
        owned.M[i * 9] = 2;
    }
    owned.M[1] = owned.M[8] = 2;
    Fixture fixture;
    begin(&fixture, &owned.problem);
    TactLcpSubspace *subspace = &fixture.subspace;
    memset(subspace->free, 1, 8);
    double w[8] = {-4, -4, -2, -2, -2, -2, -2, -2};
    double step[8];
    tact_lcp_subspace_set(subspace);
    assert_int_equal(subspace->count, 8);
    assert_int_equal(subspace->rank, 7);
    assert_int_equal(subspace->index[7], 1);
    tact_lcp_subspace_solve(subspace, w, 0);
    scatter_step(subspace, step);
    assert_true(step[0] == 2 && step[1] == 0 && step[2] == 1);

    // Along its null vector row 1 takes over from row 0, and the others stay.
    tact_lcp_subspace_null(subspace, 7);
    scatter_step(subspace, step);
    assert_true(step[0] == -1 && step[2] == 0);

    // Row 0 goes: a lazy update leaves row 1 out until w says that it is missed.
    subspace->free[0] = 0;
    tact_lcp_subspace_shrink(subspace);
    assert_int_equal(subspace->rank, 6);
    assert_int_equal(subspace->count, 7);
    assert_int_equal(tact_lcp_subspace_admit(subspace, w, 100), 0);
    assert_int_equal(tact_lcp_subspace_admit(subspace, w, 1e-9), 1);
    assert_int_equal(subspace->rank, 7);
    tact_lcp_subspace_solve(subspace, w, 0);
    scatter_step(subspace, step);
    assert_true(step[0] == 0 && step[1] == 2);
    tact_arena_destroy(&fixture.arena);
    free_problem(&owned);
}

static void all_rows_that_are_missed_come_back_at_once(void **state)
{
    (void)state;
    // Rows 2 k and 2 k + 1 are the same contact twice, for k = 0 ... 2; the others stand alone.
    enum { N = 40, TWICE = 3 };
    Owned   owned = new_problem(N);
    Fixture fixture;
    double  w[N];
    for (int i = 0; i < N; i++) {
        owned.M[i * (N + 1)] = 1;
        w[i] = 1;
    }
    for (int k = 0; k < 2 * TWICE; k += 2) {
        owned.M[k * N + k + 1] = owned.M[(k + 1) * N + k] = 1;
    }
    begin(&fixture, &owned.problem);
    TactLcpSubspace *subspace = &fixture.subspace;
    memset(subspace->free, 1, N);
    tact_lcp_subspace_set(subspace);
    assert_int_equal(subspace->rank, N - TWICE);
    for (int k = 0; k < 2 * TWICE; k += 2) {
        subspace->free[k] = 0;
    }
    tact_lcp_subspace_shrink(subspace);
    assert_int_equal(subspace->rank, N - 2 * TWICE);
    assert_int_equal(subspace->count, N - TWICE);
    assert_int_equal(tact_lcp_subspace_admit(subspace, w, 1e-9), TWICE);
    assert_int_equal(subspace->rank, N - TWICE);
    assert_int_equal(subspace->factors, 1);
    tact_arena_destroy(&fixture.arena);
    free_problem(&owned);
}

static void a_full_update_judges_dependent_rows_anew(void **state)
{
    (void)state;
    TactRandom random = tact_random_seed(62);
    enum { N = 30, RANK = 12 };
    Owned   owned = new_problem(N);
    Fixture fixture;
    double  w[N], step[N], x[N];
    fill_gram(&random, N, RANK, owned.M);
    begin(&fixture, &owned.problem);
    for (int change = 0; change < 100; change++) {
        int size = 0;
        for (int i = 0; i < N; i++) {
            fixture.subspace.free[i] ^= tact_random_next(&random) % 10 == 0;
            size += fixture.subspace.free[i];
        }
        fill_random(&random, N, x);
        for (int i = 0; i < N; i++) { // w in the range of M: the system is consistent
            w[i] = 0;
            for (int j = 0; j < N; j++) {
                w[i] += owned.M[i * N + j] * x[j];
            }
        }
        tact_lcp_subspace_set(&fixture.subspace);
        assert_int_equal(fixture.subspace.count, size);
        assert_int_equal(fixture.subspace.rank, size < RANK ? size : RANK);
        tact_lcp_subspace_solve(&fixture.subspace, w, 0);
        scatter_step(&fixture.subspace, step);
        for (int i = 0; i < N; i++) { // all of w_F vanishes, that of the dependent rows too
            double sum = w[i];
            for (int j = 0; j < N; j++) {
                sum += owned.M[i * N + j] * step[j];
            }
            assert_true(!fixture.subspace.free[i] ||
                        fabs(sum) <= 1e-9 * (1 + max_abs(N, step) + max_abs(N, w)));
        }
    }
    tact_arena_destroy(&fixture.arena);
    free_problem(&owned);
}

static void conjugate_gradients_reach_the_tolerance_they_are_given(void **state)
{
    (void)state;
    enum { N = 40 };
    TactRandom random = tact_random_seed(63);
    Owned      owned = new_problem(N);
    Fixture    fixture;
    double     w[N], step[N], expected[N];
    fill_conditioned(&random, N, 100, owned.M);
    fill_random(&random, N, w);
    TactLcpProblem sparse = to_csr(&owned);
    begin(&fixture, &sparse);
    for (int i = 0; i < N; i++) {
        fixture.inverse[i] = 1 / owned.M[i * (N + 1)];
        fixture.subspace.free[i] = i % 3 > 0;
        w[i] *= 1e-6; // so that the tolerance is what ends it, not the reduction
    }
    tact_lcp_subspace_set(&fixture.subspace);
    tact_lcp_subspace_solve(&fixture.subspace, w, 1e-10);
    scatter_step(&fixture.subspace, step);
    reference_step(&owned, fixture.subspace.free, w, expected);
    for (int i = 0; i < N; i++) {
        assert_true(fabs(step[i] - expected[i]) <= 100 * N * 1e-10);
    }
    tact_arena_destroy(&fixture.arena);
    free_problem(&owned);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_factor_that_is_updated_gives_the_step_of_a_fresh_one),
        cmocka_unit_test(dependent_rows_do_not_move_and_come_back_when_they_are_needed),
        cmocka_unit_test(all_rows_that_are_missed_come_back_at_once),
        cmocka_unit_test(a_full_update_judges_dependent_rows_anew),
        cmocka_unit_test(conjugate_gradients_reach_the_tolerance_they_are_given),
    };
    return cmocka_run_group_tests_name("lcp/subspace", tests, NULL, NULL);
}
