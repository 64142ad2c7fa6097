// One contact against closed forms and against a search over all slip directions.
// clang-format off
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>
// clang-format on
#include <math.h>
#include <tact/base.h>

#include "contact/newton/one_contact.h"

static const double PI = 3.14159265358979323846;

static void move(const double W[9], const double b[3], const double p[3], double u[3])
{
    for (int i = 0; i < 3; i++) {
        u[i] = b[i] + W[3 * i] * p[0] + W[3 * i + 1] * p[1] + W[3 * i + 2] * p[2];
    }
}

static double largest(const double *x, int n)
{
    double most = 0;
    for (int i = 0; i < n; i++) {
        most = fmax(most, fabs(x[i]));
    }
    return most;
}

/// Worst violation of the law of Coulomb and Signorini, velocities over |W| |p| + |b|, impulses
/// over |p|.
static double law_error(const double W[9], double mu, const double b[3], const double p[3])
{
    double u[3];
    move(W, b, p, u);
    double speed = largest(W, 9) * largest(p, 3) + largest(b, 3);
    double impulse = largest(p, 3) + (largest(p, 3) == 0);
    double p_t = hypot(p[1], p[2]);
    double u_t = hypot(u[1], u[2]);
    double error = fmax(-u[0] / speed, -p[0] / impulse);
    error = fmax(error, fmin(fabs(u[0]) / speed, p[0] / impulse));
    error = fmax(error, (p_t - mu * p[0]) / impulse / (1 + mu));
    // p_t |u_t| = -mu p_n u_t: 0 = 0 when it sticks
    for (int i = 1; i < 3; i++) {
        error = fmax(error, fabs(p[i] * u_t + mu * p[0] * u[i]) / speed / impulse / (1 + mu));
    }
    return error;
}

/// G G' with an m x 3 matrix G', rows scaled: rank m, any condition.
static void random_block(TactRandom *random, int m, double W[9])
{
    double C[3][3];
    double arm = exp(tact_random_uniform(random, -3, 3));
    for (int k = 0; k < m; k++) {
        double scale = k == 0 ? 1 : arm * exp(tact_random_uniform(random, -2, 2));
        for (int i = 0; i < 3; i++) {
            C[k][i] = scale * tact_random_normal(random);
        }
    }
    for (int i = 0; i < 9; i++) {
        W[i] = 0;
        for (int k = 0; k < m; k++) {
            W[i] += C[k][i / 3] * C[k][i % 3];
        }
    }
}

static double random_mu(TactRandom *random)
{
    switch (tact_random_next(random) % 4) {
    case 0: return 0;
    case 1: return tact_random_uniform(random, 0, 0.3);
    case 2: return tact_random_uniform(random, 0.3, 2);
    default: return exp(tact_random_uniform(random, 0, 6));
    }
}

// ---------------------------------------------------------------------------------------------
// All solutions by sampling

typedef struct Solutions {
    int    count;
    double p[3]; // one of them
} Solutions;

/// Determinant and cofactors as in a textbook: p = -W^-1 b.
static void sticking_impulse(const double W[9], const double b[3], double p[3])
{
    double d = W[0] * (W[4] * W[8] - W[5] * W[7]) - W[1] * (W[3] * W[8] - W[5] * W[6]) +
               W[2] * (W[3] * W[7] - W[4] * W[6]);
    for (int k = 0; k < 3; k++) { // Cramer
        double A[9];
        for (int i = 0; i < 9; i++) {
            A[i] = i % 3 == k ? -b[i / 3] : W[i];
        }
        p[k] = (A[0] * (A[4] * A[8] - A[5] * A[7]) - A[1] * (A[3] * A[8] - A[5] * A[6]) +
                A[2] * (A[3] * A[7] - A[4] * A[6])) /
               d;
    }
}

/// Sliding along the angle: p with u_n = 0, what is left across the slip, and the slip.
static double slide_along(const double W[9], double mu, const double b[3], double angle,
                          double p[3], double *slip)
{
    double c = cos(angle), s = sin(angle);
    double D = W[0] - mu * (W[1] * c + W[2] * s);
    double u[3];
    p[0] = -b[0] / D;
    p[1] = -mu * p[0] * c;
    p[2] = -mu * p[0] * s;
    move(W, b, p, u);
    *slip = D > 0 ? u[1] * c + u[2] * s : -1;
    return D * (u[2] * c - u[1] * s);
}

static Solutions sample_solutions(const double W[9], double mu, const double b[3])
{
    enum { ANGLES = 720 };
    Solutions found = {0};
    double    p[3], slip, last_slip;
    if (b[0] >= 0) {
        found.count++; // p = 0
    }
    sticking_impulse(W, b, p);
    if (p[0] >= 0 && hypot(p[1], p[2]) <= mu * p[0]) {
        found.count++;
        for (int i = 0; i < 3; i++) {
            found.p[i] = p[i];
        }
    }
    double last = slide_along(W, mu, b, 0, p, &last_slip);
    for (int k = 1; k <= ANGLES && b[0] < 0 && mu > 0; k++) {
        double low = 2 * PI * (k - 1) / ANGLES, high = 2 * PI * k / ANGLES;
        double next = slide_along(W, mu, b, high, p, &slip);
        if ((last < 0) != (next < 0) && (slip > 0 || last_slip > 0)) {
            for (int halving = 0; halving < 50; halving++) {
                double middle = (low + high) / 2;
                double value = slide_along(W, mu, b, middle, p, &slip);
                *((value < 0) == (last < 0) ? &low : &high) = middle;
            }
            if (slip > 0 && p[0] > 0) {
                found.count++;
                for (int i = 0; i < 3; i++) {
                    found.p[i] = p[i];
                }
            }
        }
        last = next;
        last_slip = slip;
    }
    return found;
}

static void random_blocks_obey_the_law_and_agree_with_a_search_over_all_angles(void **state)
{
    (void)state;
    TactRandom random = tact_random_seed(7);
    int        unique = 0, several = 0;
    for (int trial = 0; trial < 100000; trial++) {
        double W[9], b[3], p[3] = {0};
        double mu = random_mu(&random);
        random_block(&random, 3, W);
        for (int i = 0; i < 3; i++) {
            b[i] = tact_random_normal(&random);
        }
        if (trial % 3 == 0) { // a guess of the slip, as from a sweep before
            p[1] = tact_random_normal(&random);
            p[2] = tact_random_normal(&random);
        }
        TactOneContact one;
        tact_one_contact_prepare(&one, W, mu);
        assert_int_equal(one.rank, 3);
        TactOneContactState does = tact_one_contact_solve(&one, b, p);
        assert_int_not_equal(does, TACT_ONE_CONTACT_NONE);
        assert_true(law_error(W, mu, b, p) <= 1e-11);
        if (trial % 10 == 0 && mu > 0) {
            Solutions solutions = sample_solutions(W, mu, b);
            several += solutions.count > 1;
            if (solutions.count == 1 && b[0] < 0) {
                unique++;
                double u[3], other[3];
                move(W, b, p, u);
                move(W, b, solutions.p, other);
                for (int i = 0; i < 3; i++) {
                    assert_true(fabs(u[i] - other[i]) <= 1e-8 * (largest(W, 9) * largest(p, 3)));
                }
            }
        }
    }
    assert_true(unique > 1000 && several > 10); // the test did see both
}

static void an_isotropic_block_has_its_closed_form(void **state)
{
    (void)state;
    // W = w I, b_n < 0: p_n = -b_n / w; it sticks if |b_t| <= mu |b_n|, else p_t = -mu p_n
    // b_t/|b_t|
    TactRandom random = tact_random_seed(8);
    for (int trial = 0; trial < 1000; trial++) {
        double         w = exp(tact_random_uniform(&random, -20, 20));
        double         mu = random_mu(&random);
        double         W[9] = {w, 0, 0, 0, w, 0, 0, 0, w};
        double         b[3] = {-1, tact_random_normal(&random), tact_random_normal(&random)};
        double         p[3] = {0};
        TactOneContact one;
        tact_one_contact_prepare(&one, W, mu);
        TactOneContactState does = tact_one_contact_solve(&one, b, p);
        double              length = hypot(b[1], b[2]);
        double              friction = fmin(length, mu) / w;
        assert_int_equal(does, length <= mu ? TACT_ONE_CONTACT_STICK : TACT_ONE_CONTACT_SLIDE);
        assert_true(fabs(p[0] - 1 / w) <= 1e-14 / w);
        for (int i = 1; i < 3; i++) {
            assert_true(fabs(p[i] + friction * b[i] / length) <= 1e-14 * (1 + length) / w);
        }
    }
}

static void a_contact_that_parts_has_no_impulse(void **state)
{
    (void)state;
    double         W[9] = {1, 0.5, 0, 0.5, 1, 0, 0, 0, 1};
    TactOneContact one;
    tact_one_contact_prepare(&one, W, 0.4);
    for (int k = 0; k < 2; k++) {
        double p[3] = {1, 2, 3};
        double b[3] = {k, 4, 5}; // u_n = 0 too
        assert_int_equal(tact_one_contact_solve(&one, b, p), TACT_ONE_CONTACT_OPEN);
        assert_true(p[0] == 0 && p[1] == 0 && p[2] == 0);
    }
}

static void a_plane_problem_has_no_force_out_of_its_plane(void **state)
{
    (void)state;
    // Tangent 2 moves nothing: W has a zero row and column. In the plane, with W_t = 0 and slip
    // along tangent 1, p = (1, -+mu) if |b_1| > mu and (1, -b_1) else.
    double         W[9] = {1, 0, 0, 0, 1, 0, 0, 0, 0};
    TactOneContact one;
    tact_one_contact_prepare(&one, W, 0.5);
    assert_int_equal(one.rank, 2);
    const double slip[] = {-2, -0.3, 0, 0.3, 2};
    const double force[] = {0.5, 0.3, 0, -0.3, -0.5};
    for (int k = 0; k < 5; k++) {
        double b[3] = {-1, slip[k], 0}, p[3] = {0};
        int    expected = k % 4 == 0 ? TACT_ONE_CONTACT_SLIDE : TACT_ONE_CONTACT_STICK;
        assert_int_equal(tact_one_contact_solve(&one, b, p), expected);
        assert_true(fabs(p[0] - 1) < 1e-15 && fabs(p[1] - force[k]) < 1e-15 && p[2] == 0);
    }
}

static void singular_blocks_obey_the_law(void **state)
{
    (void)state;
    TactRandom random = tact_random_seed(9);
    int        sticks = 0;
    for (int trial = 0; trial < 20000; trial++) {
        int    rank = 1 + trial % 2;
        double W[9], x[3], b[3], p[3] = {0};
        double mu = random_mu(&random);
        random_block(&random, rank, W);
        for (int i = 0; i < 3; i++) {
            x[i] = tact_random_normal(&random);
        }
        move(W, (double[3]){0}, x, b); // in the range of W, as C'y is
        TactOneContact one;
        tact_one_contact_prepare(&one, W, mu);
        assert_int_equal(one.rank, rank);
        TactOneContactState does = tact_one_contact_solve(&one, b, p);
        assert_int_not_equal(does, TACT_ONE_CONTACT_NONE);
        assert_true(law_error(W, mu, b, p) <= 1e-10);
        sticks += does == TACT_ONE_CONTACT_STICK;
        // Rank 1 and friction: a force along the normal alone already stops everything.
        assert_true(rank == 2 || does != TACT_ONE_CONTACT_SLIDE || mu == 0);
    }
    assert_true(sticks > 1000);
}

static void a_contact_between_things_that_cannot_move_has_no_answer(void **state)
{
    (void)state;
    double         W[9] = {0};
    double         b[3] = {-1, 0, 0}, p[3] = {4, 5, 6};
    TactOneContact one;
    tact_one_contact_prepare(&one, W, 0.4);
    assert_int_equal(one.rank, 0);
    assert_int_equal(tact_one_contact_solve(&one, b, p), TACT_ONE_CONTACT_NONE);
    assert_true(p[0] == 4 && p[1] == 5 && p[2] == 6);
}

static void a_jam_without_answer_is_said(void **state)
{
    (void)state;
    // One degree of freedom, C = (1, 3, 0), and a belt: u = C y + (0, -1, 0). With mu = 1 the
    // contact slides at u_n = 0 with u_t = b_t - 3 b_n > 0 or < 0, and friction drives it deeper
    // where 1 - 3 s <= 0. b = (-1, -1, 0): u_1 = 2 > 0, s = 1: D = 1 - 3 < 0. Stick is impossible
    // as b is not along C.
    double         W[9] = {1, 3, 0, 3, 9, 0, 0, 0, 0};
    double         b[3] = {-1, -1, 0}, p[3] = {0};
    TactOneContact one;
    tact_one_contact_prepare(&one, W, 1);
    assert_int_equal(one.rank, 1);
    assert_int_equal(tact_one_contact_solve(&one, b, p), TACT_ONE_CONTACT_NONE);
    b[1] = -4; // u_1 = -1: friction now pulls out, p_n = 1 / (1 + 3)
    assert_int_equal(tact_one_contact_solve(&one, b, p), TACT_ONE_CONTACT_SLIDE);
    assert_true(fabs(p[0] - 0.25) < 1e-14 && fabs(p[1] - 0.25) < 1e-14 && p[2] == 0);
}

static void where_sticking_and_sliding_both_do_it_sticks(void **state)
{
    (void)state;
    // In the plane, W = [1 -2; -2 5], mu = 1, b = (-1, 2.2): stick p = -W^-1 b = (0.6, -0.2). Slip
    // to the right: D = 1 + 2, p = (1, -1) / 3, u_1 = 2.2 - 2/3 - 5/3 < 0: no. To the left: D = -1:
    // no. With b_1 = 2.4: stick p = (0.2, -0.4) is outside, slip gives u_1 = 2.4 - 7/3 > 0.
    double         W[9] = {1, -2, 0, -2, 5, 0, 0, 0, 1};
    double         b[3] = {-1, 2.2, 0}, p[3] = {0};
    TactOneContact one;
    tact_one_contact_prepare(&one, W, 1);
    assert_int_equal(tact_one_contact_solve(&one, b, p), TACT_ONE_CONTACT_STICK);
    assert_true(fabs(p[0] - 0.6) < 1e-14 && fabs(p[1] + 0.2) < 1e-14);
    b[1] = 2.4;
    assert_int_equal(tact_one_contact_solve(&one, b, p), TACT_ONE_CONTACT_SLIDE);
    assert_true(fabs(p[0] - 1.0 / 3) < 1e-14 && fabs(p[1] + 1.0 / 3) < 1e-14);
    // u_n = 0.1 > 0 parts although a stick with p = (1.9, 0.8) and u = 0 exists: b = -W p.
    double parting[3] = {-(1.9 - 1.6), -(-3.8 + 4), 0};
    assert_int_equal(tact_one_contact_solve(&one, parting, p), TACT_ONE_CONTACT_STICK);
    assert_true(fabs(p[0] - 1.9) < 1e-13 && fabs(p[1] - 0.8) < 1e-13);
    parting[0] = -(1.9 - 2 * 1.0), parting[1] = -(-3.8 + 5 * 1.0); // p = (1.9, 1): b_n = 0.1
    assert_int_equal(tact_one_contact_solve(&one, parting, p), TACT_ONE_CONTACT_OPEN);
}

static void the_answer_does_not_depend_on_units(void **state)
{
    (void)state;
    // W in other units of impulse and velocity: p scales, exactly for powers of two.
    TactRandom random = tact_random_seed(10);
    for (int trial = 0; trial < 1000; trial++) {
        double W[9], W2[9], b[3], b2[3], p[3] = {0}, p2[3] = {0};
        double mu = random_mu(&random);
        random_block(&random, 3, W);
        for (int i = 0; i < 9; i++) {
            W2[i] = W[i] * 0x1p-30;
        }
        for (int i = 0; i < 3; i++) {
            b[i] = tact_random_normal(&random);
            b2[i] = b[i] * 0x1p20;
        }
        TactOneContact one, two;
        tact_one_contact_prepare(&one, W, mu);
        tact_one_contact_prepare(&two, W2, mu);
        assert_int_equal(tact_one_contact_solve(&one, b, p), tact_one_contact_solve(&two, b2, p2));
        for (int i = 0; i < 3; i++) {
            assert_true(p2[i] == p[i] * 0x1p50);
        }
    }
}

static void a_block_that_is_not_quite_symmetric_is_solved_as_it_is(void **state)
{
    (void)state;
    TactRandom random = tact_random_seed(11);
    for (int trial = 0; trial < 10000; trial++) {
        double W[9], b[3], p[3] = {0};
        double mu = tact_random_uniform(&random, 0, 1);
        random_block(&random, 3, W);
        double size = 1e-3 * fmin(W[0], fmin(W[4], W[8]));
        for (int i = 0; i < 9; i++) {
            W[i] += i % 4 ? size * tact_random_normal(&random) : 0;
        }
        for (int i = 0; i < 3; i++) {
            b[i] = tact_random_normal(&random);
        }
        TactOneContact one;
        tact_one_contact_prepare(&one, W, mu);
        if (tact_one_contact_solve(&one, b, p) != TACT_ONE_CONTACT_NONE) {
            assert_true(law_error(W, mu, b, p) <= 1e-10);
        } else {
            assert_true(sample_solutions(W, mu, b).count == 0); // no longer positive definite
        }
    }
}

static void a_row_and_a_motor_have_their_closed_form(void **state)
{
    (void)state;
    assert_true(tact_one_contact_unilateral(2, -3) == 1.5);
    assert_true(tact_one_contact_unilateral(2, 3) == 0);
    assert_true(tact_one_contact_unilateral(0, -3) == 0);
    assert_true(tact_one_contact_motor(2, -3, 5) == 1.5);
    assert_true(tact_one_contact_motor(2, -3, 1) == 1);
    assert_true(tact_one_contact_motor(2, 3, 1) == -1);
    assert_true(tact_one_contact_motor(0, 3, 1) == 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_blocks_obey_the_law_and_agree_with_a_search_over_all_angles),
        cmocka_unit_test(an_isotropic_block_has_its_closed_form),
        cmocka_unit_test(a_contact_that_parts_has_no_impulse),
        cmocka_unit_test(a_plane_problem_has_no_force_out_of_its_plane),
        cmocka_unit_test(singular_blocks_obey_the_law),
        cmocka_unit_test(a_contact_between_things_that_cannot_move_has_no_answer),
        cmocka_unit_test(a_jam_without_answer_is_said),
        cmocka_unit_test(where_sticking_and_sliding_both_do_it_sticks),
        cmocka_unit_test(the_answer_does_not_depend_on_units),
        cmocka_unit_test(a_block_that_is_not_quite_symmetric_is_solved_as_it_is),
        cmocka_unit_test(a_row_and_a_motor_have_their_closed_form),
    };
    return cmocka_run_group_tests_name("contact/one_contact", tests, NULL, NULL);
}
