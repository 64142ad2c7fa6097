// Spatial algebra against 4 x 4 and 6 x 6 matrices in long double, and against the identities of
// rigid motion.
#include "reference.h"

static double twist_distance(TactTwist a, TactTwist b)
{
    return fmax(vec3_distance(a.linear, b.linear), vec3_distance(a.angular, b.angular));
}

static double wrench_distance(TactWrench a, TactWrench b)
{
    return fmax(vec3_distance(a.force, b.force), vec3_distance(a.torque, b.torque));
}

static double transform_distance(TactTransform a, TactTransform b)
{
    return fmax(rotation_distance(a.rotation, b.rotation), vec3_distance(a.position, b.position));
}

static void to_array(TactVec3 a, TactVec3 b, double x[6])
{
    const double copy[6] = {a.x, a.y, a.z, b.x, b.y, b.z};
    memcpy(x, copy, sizeof copy);
}

// ---------------------------------------------------------------------------------------------
// Transforms

/// [R p; 0 1], row-major
static void homogeneous(TactTransform a, long double T[16])
{
    TactMat3     R = tact_quat_to_mat3(a.rotation);
    const double p[3] = {a.position.x, a.position.y, a.position.z};
    for (int i = 0; i < 4; i++) {
        for (int j = 0; j < 4; j++) {
            T[4 * i + j] = i == 3 ? j == 3 : j == 3 ? p[i] : R.m[i][j];
        }
    }
}

static double homogeneous_distance(TactTransform a, const long double T[16])
{
    long double A[16];
    double      largest = 0;
    homogeneous(a, A);
    for (int i = 0; i < 16; i++) {
        largest = fmax(largest, (double)fabsl(A[i] - T[i]));
    }
    return largest;
}

static void transforms_compose_as_homogeneous_matrices(void **state)
{
    (void)state;
    TactRandom random = tact_random_seed(1);
    for (int round = 0; round < ROUNDS; round++) {
        TactTransform a = random_transform(&random);
        TactTransform b = random_transform(&random);
        TactVec3      x = random_vec3(&random);
        long double   A[16], B[16], AB[16];
        homogeneous(a, A);
        homogeneous(b, B);
        multiply(4, A, B, AB);
        TactTransform ab = tact_transform_multiply(a, b);
        assert_close(homogeneous_distance(ab, AB), TIGHT);

        TactVec3 expected = {
            (double)(A[0] * x.x + A[1] * x.y + A[2] * x.z + A[3]),
            (double)(A[4] * x.x + A[5] * x.y + A[6] * x.z + A[7]),
            (double)(A[8] * x.x + A[9] * x.y + A[10] * x.z + A[11]),
        };
        assert_close(vec3_distance(tact_transform_point(a, x), expected), TIGHT);
        assert_close(vec3_distance(tact_transform_point_back(a, expected), x), TIGHT);
    }
}

static void a_transform_times_its_inverse_is_the_identity(void **state)
{
    (void)state;
    TactRandom random = tact_random_seed(2);
    for (int round = 0; round < ROUNDS; round++) {
        TactTransform a = random_transform(&random);
        TactTransform inverse = tact_transform_invert(a);
        TactTransform one = tact_transform_identity();
        assert_close(transform_distance(tact_transform_multiply(a, inverse), one), TIGHT);
        assert_close(transform_distance(tact_transform_multiply(inverse, a), one), TIGHT);
    }
}

/// Matrix exponential of [[w] v; 0 0] by its series, for |w| and |v| up to 4.
static void exponential(TactTwist t, long double E[16])
{
    TactVec3          w = t.angular;
    TactVec3          v = t.linear;
    const long double S[16] = {0, -w.z, w.y, v.x, w.z, 0, -w.x, v.y, -w.y, w.x, 0, v.z, 0, 0, 0, 0};
    long double       term[16] = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1};
    memcpy(E, term, sizeof term);
    for (int k = 1; k < 60; k++) {
        long double next[16];
        multiply(4, term, S, next);
        for (int i = 0; i < 16; i++) {
            term[i] = next[i] / k;
            E[i] += term[i];
        }
    }
}

static const double angles[] = {0, 1e-170, 1e-12, 1e-4, 0.05, 0.0999, 0.1, 0.1001, 0.5, 2, 3.14};

static TactTwist twist_by(TactRandom *random, double angle)
{
    TactVec3 linear = random_vec3(random);
    TactVec3 axis = tact_vec3_normalise(random_vec3(random));
    return (TactTwist){linear, tact_vec3_scale(angle, axis)};
}

static void exp_agrees_with_the_series_of_its_matrix(void **state)
{
    (void)state;
    TactRandom random = tact_random_seed(3);
    for (int round = 0; round < 200; round++) {
        for (size_t k = 0; k < sizeof angles / sizeof *angles; k++) {
            TactTwist   t = twist_by(&random, angles[k]);
            long double E[16];
            exponential(t, E);
            assert_close(homogeneous_distance(tact_transform_exp(t), E), TIGHT);
        }
    }
}

static void log_gives_back_the_motion(void **state)
{
    (void)state;
    TactRandom random = tact_random_seed(4);
    for (int round = 0; round < ROUNDS; round++) {
        for (size_t k = 0; k < sizeof angles / sizeof *angles; k++) {
            TactTwist t = twist_by(&random, angles[k]);
            assert_close(twist_distance(tact_transform_log(tact_transform_exp(t)), t), TIGHT);
        }
        TactTransform a = random_transform(&random);
        assert_close(transform_distance(tact_transform_exp(tact_transform_log(a)), a), TIGHT);
    }
}

static void a_turn_about_a_far_axis_goes_along_a_circle(void **state)
{
    (void)state;
    // About the z axis through (1, 0, 0): the origin's velocity is w x (0 - c) = (0, -1, 0).
    for (double angle = 0; angle < 3; angle += 0.01) {
        TactTwist     t = {{0, -angle, 0}, {0, 0, angle}};
        TactTransform a = tact_transform_exp(t);
        TactVec3      expected = {1 - cos(angle), -sin(angle), 0};
        assert_close(vec3_distance(a.position, expected), TIGHT);
    }
}

// ---------------------------------------------------------------------------------------------
// Motions and forces

static void twists_transform_by_the_adjoint_matrix(void **state)
{
    (void)state;
    TactRandom random = tact_random_seed(5);
    for (int round = 0; round < ROUNDS; round++) {
        TactTransform a = random_transform(&random);
        TactTwist     v = random_twist(&random);
        TactWrench    f = random_wrench(&random);
        TactMat3      R = tact_quat_to_mat3(a.rotation);
        TactMat3      pR = tact_mat3_multiply(tact_mat3_skew(a.position), R);
        // [R [p]R; 0 R] for motion, [R 0; [p]R R] for force
        TactTwist v_expected = {
            tact_vec3_add(tact_mat3_apply(R, v.linear), tact_mat3_apply(pR, v.angular)),
            tact_mat3_apply(R, v.angular)};
        TactWrench f_expected = {
            tact_mat3_apply(R, f.force),
            tact_vec3_add(tact_mat3_apply(pR, f.force), tact_mat3_apply(R, f.torque))};
        assert_close(twist_distance(tact_twist_transform(a, v), v_expected), TIGHT);
        assert_close(wrench_distance(tact_wrench_transform(a, f), f_expected), TIGHT);
        assert_close(twist_distance(tact_twist_transform_back(a, v_expected), v), TIGHT);
        assert_close(wrench_distance(tact_wrench_transform_back(a, f_expected), f), TIGHT);
    }
}

static void power_does_not_depend_on_the_frame(void **state)
{
    (void)state;
    TactRandom random = tact_random_seed(6);
    for (int round = 0; round < ROUNDS; round++) {
        TactTransform a = random_transform(&random);
        TactTwist     v = random_twist(&random);
        TactWrench    f = random_wrench(&random);
        double        here = tact_wrench_dot(f, v);
        double there = tact_wrench_dot(tact_wrench_transform(a, f), tact_twist_transform(a, v));
        assert_close(fabs(here - there), TIGHT);
    }
}

static void cross_products_are_dual(void **state)
{
    (void)state;
    TactRandom random = tact_random_seed(7);
    for (int round = 0; round < ROUNDS; round++) {
        TactTwist  v = random_twist(&random);
        TactTwist  u = random_twist(&random);
        TactWrench f = random_wrench(&random);
        double     left = tact_wrench_dot(tact_twist_cross_wrench(v, f), u);
        double     right = -tact_wrench_dot(f, tact_twist_cross(v, u));
        assert_close(fabs(left - right), TIGHT);
    }
}

static void cross_products_fulfil_jacobi_and_move_with_the_frame(void **state)
{
    (void)state;
    TactRandom random = tact_random_seed(8);
    for (int round = 0; round < ROUNDS; round++) {
        TactTwist     a = random_twist(&random);
        TactTwist     b = random_twist(&random);
        TactTwist     c = random_twist(&random);
        TactTransform X = random_transform(&random);
        TactTwist     zero = {{0, 0, 0}, {0, 0, 0}};
        TactTwist     sum = tact_twist_add(tact_twist_cross(a, tact_twist_cross(b, c)),
                                           tact_twist_add(tact_twist_cross(b, tact_twist_cross(c, a)),
                                                          tact_twist_cross(c, tact_twist_cross(a, b))));
        assert_close(twist_distance(sum, zero), TIGHT);
        TactTwist moved = tact_twist_cross(tact_twist_transform(X, a), tact_twist_transform(X, b));
        assert_close(twist_distance(tact_twist_transform(X, tact_twist_cross(a, b)), moved),
                     4 * TIGHT); // entries up to 20
    }
}

static void cross_is_the_rate_of_what_moves_with_a_body(void **state)
{
    (void)state;
    // exp(h a) carries b and f along; (carried(h) - carried(-h)) / 2h is the cross product but for
    // h^2, and 1e-16 / h of rounding: 1e-10 with h = 1e-5.
    TactRandom random = tact_random_seed(9);
    double     h = 1e-5;
    for (int round = 0; round < ROUNDS; round++) {
        TactTwist     a = random_twist(&random);
        TactTwist     b = random_twist(&random);
        TactWrench    f = random_wrench(&random);
        TactTransform ahead = tact_transform_exp(tact_twist_scale(h, a));
        TactTransform behind = tact_transform_exp(tact_twist_scale(-h, a));
        TactTwist     b_rate = tact_twist_scale(
                0.5 / h, tact_twist_add(tact_twist_transform(ahead, b),
                                        tact_twist_scale(-1, tact_twist_transform(behind, b))));
        TactWrench f_rate = tact_wrench_scale(
            0.5 / h, tact_wrench_add(tact_wrench_transform(ahead, f),
                                     tact_wrench_scale(-1, tact_wrench_transform(behind, f))));
        assert_close(twist_distance(b_rate, tact_twist_cross(a, b)), 1e-9);
        assert_close(wrench_distance(f_rate, tact_twist_cross_wrench(a, f)), 1e-9);
    }
}

// ---------------------------------------------------------------------------------------------
// Inertia

static void momentum_is_the_matrix_times_the_motion(void **state)
{
    (void)state;
    TactRandom random = tact_random_seed(10);
    for (int round = 0; round < ROUNDS; round++) {
        TactInertia body = random_inertia(&random);
        TactTwist   v = random_twist(&random);
        TactWrench  h = tact_inertia_apply(body, v);
        double      matrix[36], x[6], y[6];
        tact_inertia_to_matrix(body, matrix);
        to_array(v.linear, v.angular, x);
        to_array(h.force, h.torque, y);
        for (int i = 0; i < 6; i++) {
            long double sum = 0;
            for (int j = 0; j < 6; j++) {
                assert_true(matrix[6 * i + j] == matrix[6 * j + i]);
                sum += (long double)matrix[6 * i + j] * x[j];
            }
            assert_close(fabs((double)sum - y[i]), 4 * TIGHT); // entries up to 10
        }
        assert_true(tact_wrench_dot(h, v) > 0); // twice the kinetic energy
    }
}

static void inertia_moves_with_the_frame(void **state)
{
    (void)state;
    TactRandom random = tact_random_seed(11);
    for (int round = 0; round < ROUNDS; round++) {
        TactInertia   body = random_inertia(&random);
        TactTransform a = random_transform(&random);
        TactTwist     v = random_twist(&random);
        TactInertia   moved = tact_inertia_transform(a, body);
        TactWrench    there = tact_inertia_apply(moved, tact_twist_transform(a, v));
        TactWrench    expected = tact_wrench_transform(a, tact_inertia_apply(body, v));
        assert_close(wrench_distance(there, expected), 10 * TIGHT); // entries up to 100
        assert_close(mat3_distance(moved.rotary, tact_mat3_transpose(moved.rotary)), 0);
    }
}

static void welded_bodies_add_their_momenta(void **state)
{
    (void)state;
    TactRandom random = tact_random_seed(12);
    for (int round = 0; round < ROUNDS; round++) {
        TactInertia a = random_inertia(&random);
        TactInertia b = random_inertia(&random);
        TactTwist   v = random_twist(&random);
        TactWrench  sum = tact_wrench_add(tact_inertia_apply(a, v), tact_inertia_apply(b, v));
        TactWrench  both = tact_inertia_apply(tact_inertia_add(a, b), v);
        assert_close(wrench_distance(sum, both), 4 * TIGHT); // entries up to 20
    }
}

static void a_dumbbell_has_the_inertia_of_its_reduced_mass(void **state)
{
    (void)state;
    TactInertia a = {.mass = 1, .com = {0, 0, 0}};
    TactInertia b = {.mass = 3, .com = {4, 0, 0}};
    TactInertia both = tact_inertia_add(a, b);
    TactMat3    expected = {{{0, 0, 0}, {0, 12, 0}, {0, 0, 12}}}; // (1*3/4) 4^2
    assert_true(both.mass == 4);
    assert_close(vec3_distance(both.com, (TactVec3){3, 0, 0}), 0);
    assert_close(mat3_distance(both.rotary, expected), 0);
}

static void nothing_and_nothing_is_nothing(void **state)
{
    (void)state;
    TactInertia none = {.mass = 0, .com = {5, 5, 5}};
    TactInertia both = tact_inertia_add(none, none);
    assert_true(both.mass == 0);
    assert_close(vec3_distance(both.com, (TactVec3){0, 0, 0}), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(transforms_compose_as_homogeneous_matrices),
        cmocka_unit_test(a_transform_times_its_inverse_is_the_identity),
        cmocka_unit_test(exp_agrees_with_the_series_of_its_matrix),
        cmocka_unit_test(log_gives_back_the_motion),
        cmocka_unit_test(a_turn_about_a_far_axis_goes_along_a_circle),
        cmocka_unit_test(twists_transform_by_the_adjoint_matrix),
        cmocka_unit_test(power_does_not_depend_on_the_frame),
        cmocka_unit_test(cross_products_are_dual),
        cmocka_unit_test(cross_products_fulfil_jacobi_and_move_with_the_frame),
        cmocka_unit_test(cross_is_the_rate_of_what_moves_with_a_body),
        cmocka_unit_test(momentum_is_the_matrix_times_the_motion),
        cmocka_unit_test(inertia_moves_with_the_frame),
        cmocka_unit_test(welded_bodies_add_their_momenta),
        cmocka_unit_test(a_dumbbell_has_the_inertia_of_its_reduced_mass),
        cmocka_unit_test(nothing_and_nothing_is_nothing),
    };
    return cmocka_run_group_tests_name("math/spatial", tests, NULL, NULL);
}
