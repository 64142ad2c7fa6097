// LU in an envelope against the matrix it came from.
#include "linalg/envelope.h"

#include "linalg/matrices.h"

static TactEnvelope make_envelope(int most, size_t room, TactArena *arena)
{
    TactEnvelope envelope = {0};
    *arena = (TactArena){0};
    tact_envelope_layout(&envelope, most, room, arena);
    assert_int_equal(tact_arena_create(arena), TACT_OK);
    tact_envelope_layout(&envelope, most, room, arena);
    return envelope;
}

/// Random entries in a random envelope, not symmetric, with a large diagonal; the same in A.
static void fill_envelope(TactRandom *random, int n, TactEnvelope *envelope, double *A)
{
    for (int i = 0; i < n; i++) {
        envelope->first[i] = i - (int)(tact_random_next(random) % (unsigned)(i + 1));
    }
    assert_true(tact_envelope_shape(envelope, n));
    for (int i = 0; i < n; i++) {
        for (int j = envelope->first[i]; j <= i; j++) {
            A[i * n + j] = tact_random_normal(random);
            A[j * n + i] = tact_random_normal(random) + (i == j ? 10 + n : 0);
            *tact_envelope_at(envelope, i, j) = A[i * n + j];
            *tact_envelope_at(envelope, j, i) = A[j * n + i];
        }
    }
}

static void random_systems_are_solved_to_rounding(void **state)
{
    (void)state;
    TactRandom random = tact_random_seed(51);
    for (int size = 0; size < TEST_SIZES; size++) {
        int          n = test_sizes[size];
        TactArena    arena;
        TactEnvelope envelope = make_envelope(n + 1, (size_t)(n * n + 1), &arena);
        double      *A = new_doubles(n * n), *x = new_doubles(n), *expected = new_doubles(n);
        fill_envelope(&random, n, &envelope, A);
        fill_random(&random, n, expected);
        for (int i = 0; i < n * n; i++) {
            x[i / n] += A[i] * expected[i % n];
        }
        assert_int_equal(tact_envelope_factor(&envelope), -1);
        tact_envelope_solve(&envelope, x);
        for (int i = 0; i < n; i++) {
            assert_true(fabs(x[i] - expected[i]) <= 1e-13 * (1 + n));
        }
        free(A);
        free(x);
        free(expected);
        tact_arena_destroy(&arena);
    }
}

static void a_tridiagonal_matrix_needs_two_entries_a_row(void **state)
{
    (void)state;
    // -1 2 -1 with x = (1, 2, ... n): b = 0 but for the last, n + 1
    enum { N = 100 };
    TactArena    arena;
    TactEnvelope envelope = make_envelope(N, N - 1, &arena);
    double       x[N] = {0};
    for (int i = 0; i < N; i++) {
        envelope.first[i] = i > 0 ? i - 1 : 0;
    }
    assert_true(tact_envelope_shape(&envelope, N));
    for (int i = 0; i < N; i++) {
        *tact_envelope_at(&envelope, i, i) = 2;
        if (i > 0) {
            *tact_envelope_at(&envelope, i, i - 1) = *tact_envelope_at(&envelope, i - 1, i) = -1;
        }
    }
    x[N - 1] = N + 1;
    assert_true(tact_envelope_work(&envelope) == 2 * (N - 1));
    assert_int_equal(tact_envelope_factor(&envelope), -1);
    tact_envelope_solve(&envelope, x);
    for (int i = 0; i < N; i++) {
        assert_true(fabs(x[i] - (i + 1)) <= 1e-10);
    }
    tact_arena_destroy(&arena);
}

static void too_little_room_is_said(void **state)
{
    (void)state;
    TactArena    arena;
    TactEnvelope envelope = make_envelope(4, 3, &arena);
    for (int i = 0; i < 4; i++) {
        envelope.first[i] = 0; // 6 entries below the diagonal
    }
    assert_false(tact_envelope_shape(&envelope, 4));
    assert_false(tact_envelope_shape(&envelope, 5));
    assert_true(tact_envelope_shape(&envelope, 3));
    tact_arena_destroy(&arena);
}

static void a_zero_pivot_is_named(void **state)
{
    (void)state;
    TactArena    arena;
    TactEnvelope envelope = make_envelope(3, 3, &arena);
    for (int i = 0; i < 3; i++) {
        envelope.first[i] = 0;
    }
    assert_true(tact_envelope_shape(&envelope, 3));
    const double A[9] = {1, 2, 0, 2, 4, 1, 0, 1, 1}; // the second pivot is 4 - 2 * 2
    for (int i = 0; i < 9; i++) {
        *tact_envelope_at(&envelope, i / 3, i % 3) = A[i];
    }
    assert_int_equal(tact_envelope_factor(&envelope), 1);
    tact_arena_destroy(&arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_systems_are_solved_to_rounding),
        cmocka_unit_test(a_tridiagonal_matrix_needs_two_entries_a_row),
        cmocka_unit_test(too_little_room_is_said),
        cmocka_unit_test(a_zero_pivot_is_named),
    };
    return cmocka_run_group_tests_name("linalg/envelope", tests, NULL, NULL);
}
