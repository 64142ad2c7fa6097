#include "reference.h"

static void axis_and_angle_follow_rodrigues(void **state)
{
    (void)state;
    TactRandom random = tact_random_seed(1);
    for (int round = 0; round < ROUNDS; round++) {
        TactVec3 axis = tact_vec3_normalise(random_vec3(&random));
        double   angle = tact_random_uniform(&random, -2 * PI, 2 * PI);
        TactQuat q = tact_quat_from_axis_angle(tact_vec3_scale(3, axis), angle);
        TactMat3 expected = rodrigues(axis, angle);
        TactVec3 v = random_vec3(&random);
        assert_close(mat3_distance(tact_quat_to_mat3(q), expected), TIGHT);
        assert_close(vec3_distance(tact_quat_rotate(q, v), tact_mat3_apply(expected, v)), TIGHT);
        assert_close(
            vec3_distance(tact_quat_rotate_back(q, v), tact_mat3_apply_transpose(expected, v)),
            TIGHT);
    }
}

static void a_product_rotates_by_the_right_factor_first(void **state)
{
    (void)state;
    TactRandom random = tact_random_seed(2);
    for (int round = 0; round < ROUNDS; round++) {
        TactQuat a = random_quat(&random);
        TactQuat b = random_quat(&random);
        TactMat3 expected = tact_mat3_multiply(tact_quat_to_mat3(a), tact_quat_to_mat3(b));
        TactQuat ab = tact_quat_multiply(a, b);
        assert_close(mat3_distance(tact_quat_to_mat3(ab), expected), TIGHT);
        TactQuat back = tact_quat_multiply(ab, tact_quat_conjugate(b));
        assert_close(quat_distance(back, a), TIGHT);
    }
    // i j = k, as Hamilton has it
    TactQuat k = tact_quat_multiply((TactQuat){0, 1, 0, 0}, (TactQuat){0, 0, 1, 0});
    assert_close(quat_distance(k, (TactQuat){0, 0, 0, 1}), 0);
}

static void exp_turns_by_the_length_of_its_vector(void **state)
{
    (void)state;
    TactRandom   random = tact_random_seed(3);
    const double angles[] = {1e-300, 1e-170, 1e-100, 1e-20, 1e-8, 1e-4, 0.1, 1, 3, PI, 6, 100};
    for (int round = 0; round < ROUNDS; round++) {
        for (size_t k = 0; k < sizeof angles / sizeof *angles; k++) {
            TactVec3 axis = tact_vec3_normalise(random_vec3(&random));
            TactVec3 r = tact_vec3_scale(angles[k], axis);
            TactQuat q = tact_quat_exp(r);
            TactQuat expected = {(double)cosl(angles[k] / 2.0L),
                                 (double)(axis.x * sinl(angles[k] / 2.0L)),
                                 (double)(axis.y * sinl(angles[k] / 2.0L)),
                                 (double)(axis.z * sinl(angles[k] / 2.0L))};
            // |r| has the rounding of its own: a last bit of 100 rad is 1e-14
            assert_close(quat_distance(q, expected), TIGHT * fmax(1, angles[k]));
            // and a small angle keeps its digits
            assert_close(fabs(q.x - expected.x), 1e-14 * fabs(expected.x) + TIGHT * angles[k]);
        }
    }
    assert_close(quat_distance(tact_quat_exp((TactVec3){0, 0, 0}), tact_quat_identity()), 0);
}

static void log_gives_back_what_exp_was_given(void **state)
{
    (void)state;
    TactRandom   random = tact_random_seed(4);
    const double angles[] = {0, 1e-300, 1e-100, 1e-20, 1e-8, 1e-4, 0.1, 1, 2, 3, 3.141592, PI};
    for (int round = 0; round < ROUNDS; round++) {
        for (size_t k = 0; k < sizeof angles / sizeof *angles; k++) {
            TactVec3 axis = tact_vec3_normalise(random_vec3(&random));
            TactVec3 r = tact_vec3_scale(angles[k], axis);
            TactQuat q = tact_quat_exp(r);
            TactVec3 there = tact_quat_log(q);
            double   distance = vec3_distance(there, r);
            if (angles[k] > 3.14159265) { // half a turn is the same both ways
                distance = fmin(distance, vec3_distance(tact_vec3_negate(there), r));
            }
            assert_close(distance, TIGHT * angles[k]);
        }
    }
}

static void log_takes_the_shorter_way_whatever_the_sign_and_length(void **state)
{
    (void)state;
    TactRandom   random = tact_random_seed(5);
    const double lengths[] = {1, -1, 1e-200, -1e200, 1e-310};
    for (int round = 0; round < ROUNDS; round++) {
        TactQuat q = random_quat(&random);
        TactVec3 r = tact_quat_log(q);
        assert_true(tact_vec3_norm(r) <= PI * (1 + DBL_EPSILON));
        assert_close(rotation_distance(tact_quat_exp(r), q), TIGHT);
        for (size_t k = 0; k < sizeof lengths / sizeof *lengths; k++) {
            double   s = lengths[k];
            TactQuat scaled = {s * q.w, s * q.x, s * q.y, s * q.z};
            double   tolerance = fabs(s) < 1e-300 ? 1e-11 : TIGHT; // subnormals have few digits
            assert_close(vec3_distance(tact_quat_log(scaled), r), tolerance);
        }
    }
    assert_close(vec3_distance(tact_quat_log((TactQuat){0, 0, 0, 0}), (TactVec3){0, 0, 0}), 0);
}

static void axis_and_angle_come_back(void **state)
{
    (void)state;
    TactRandom random = tact_random_seed(6);
    for (int round = 0; round < ROUNDS; round++) {
        TactVec3 axis = tact_vec3_normalise(random_vec3(&random));
        double   angle = tact_random_uniform(&random, 1e-3, PI - 1e-3);
        TactVec3 axis_back;
        double   angle_back;
        tact_quat_to_axis_angle(tact_quat_from_axis_angle(axis, angle), &axis_back, &angle_back);
        assert_close(fabs(angle_back - angle), TIGHT);
        assert_close(vec3_distance(axis_back, axis), TIGHT / angle);
    }
    TactVec3 axis;
    double   angle;
    tact_quat_to_axis_angle(tact_quat_identity(), &axis, &angle);
    assert_true(angle == 0);
    assert_close(vec3_distance(axis, (TactVec3){1, 0, 0}), 0);
}

static void a_matrix_gives_its_quaternion_back(void **state)
{
    (void)state;
    TactRandom random = tact_random_seed(7);
    for (int round = 0; round < ROUNDS; round++) {
        TactQuat q = random_quat(&random);
        if (round % 4 == 1) { // half turns and nearly so, about any axis: w is small
            q.w *= 1e-9;
            q = tact_quat_normalise(q);
        }
        TactQuat back = tact_quat_from_mat3(tact_quat_to_mat3(q));
        assert_true(back.w >= 0);
        assert_close(rotation_distance(back, q), TIGHT);
    }
    // each of the four branches by itself
    const TactQuat pure[] = {{1, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, 1, 0}, {0, 0, 0, 1}};
    for (int i = 0; i < 4; i++) {
        assert_close(quat_distance(tact_quat_from_mat3(tact_quat_to_mat3(pure[i])), pure[i]), 0);
    }
}

static void slerp_moves_at_constant_speed_along_the_shorter_way(void **state)
{
    (void)state;
    TactRandom   random = tact_random_seed(8);
    const double apart[] = {0, 1e-12, 1e-8, 1e-6, 1e-3, 1, 3, 3.1415};
    for (int round = 0; round < ROUNDS; round++) {
        for (size_t k = 0; k < sizeof apart / sizeof *apart; k++) {
            TactQuat a = random_quat(&random);
            TactVec3 r = tact_vec3_scale(apart[k], tact_vec3_normalise(random_vec3(&random)));
            TactQuat b = tact_quat_multiply(a, tact_quat_exp(r));
            double   t = tact_random_uniform(&random, 0, 1);
            if (round % 2) {
                b = (TactQuat){-b.w, -b.x, -b.y, -b.z}; // the same rotation
            }
            TactQuat expected = tact_quat_multiply(a, tact_quat_exp(tact_vec3_scale(t, r)));
            assert_close(rotation_distance(tact_quat_slerp(a, b, t), expected), TIGHT);
            assert_close(rotation_distance(tact_quat_slerp(a, b, 0), a), TIGHT);
            assert_close(rotation_distance(tact_quat_slerp(a, b, 1), b), TIGHT);
        }
    }
}

static void normalise_gives_norm_one_at_every_length(void **state)
{
    (void)state;
    TactRandom   random = tact_random_seed(9);
    const double lengths[] = {1, 0.3, 1e-160, 1e160, 1e-300, 1e300};
    for (int round = 0; round < ROUNDS; round++) {
        TactQuat q = random_quat(&random);
        for (size_t k = 0; k < sizeof lengths / sizeof *lengths; k++) {
            double   s = lengths[k];
            TactQuat p = tact_quat_normalise((TactQuat){s * q.w, s * q.x, s * q.y, s * q.z});
            assert_close(quat_distance(p, q), TIGHT);
        }
    }
}

static void normalise_turns_a_zero_quaternion_into_the_identity(void **state)
{
    (void)state;
    TactQuat q = tact_quat_normalise((TactQuat){0, 0, -0.0, 0});
    assert_close(quat_distance(q, tact_quat_identity()), 0);
}

static void nan_in_gives_nan_out(void **state)
{
    (void)state;
    assert_true(quat_is_nan(tact_quat_normalise((TactQuat){1, NAN, 0, 0})));
    assert_true(isnan(tact_quat_normalise((TactQuat){0, NAN, 0, 0}).x));
    assert_true(quat_is_nan(tact_quat_normalise((TactQuat){1, INFINITY, 0, 0})));
    assert_true(quat_is_nan(tact_quat_exp((TactVec3){0, NAN, 1})));
    assert_true(vec3_is_nan(tact_quat_log((TactQuat){NAN, 1, 2, 3})));
    assert_true(quat_is_nan(tact_quat_slerp((TactQuat){NAN, 0, 0, 0}, tact_quat_identity(), 0.5)));
    assert_true(isnan(tact_quat_from_axis_angle((TactVec3){1, 0, 0}, NAN).w));
}

static void a_zero_axis_gives_no_rotation(void **state)
{
    (void)state;
    TactQuat q = tact_quat_from_axis_angle((TactVec3){0, 0, 0}, 1);
    assert_close(quat_distance(q, tact_quat_identity()), 0);
}

// ---------------------------------------------------------------------------------------------
// Euler angles

static TactMat3 turn(char letter, double angle)
{
    TactVec3 axis = {strchr("xX", letter) != NULL, strchr("yY", letter) != NULL,
                     strchr("zZ", letter) != NULL};
    return rodrigues(axis, angle);
}

static void every_euler_sequence_is_the_product_of_its_turns(void **state)
{
    (void)state;
    TactRandom  random = tact_random_seed(10);
    const char *letters = "xyzXYZ";
    for (int k = 0; k < 216; k++) {
        char     sequence[4] = {letters[k / 36], letters[k / 6 % 6], letters[k % 6], '\0'};
        TactVec3 angles = tact_vec3_scale(PI, random_vec3(&random));
        double   angle[3] = {angles.x, angles.y, angles.z};
        // Turns about axes of the body stand on the right of what came before, those about axes
        // of space on the left.
        TactMat3 expected = tact_mat3_identity();
        for (int i = 0; i < 3; i++) {
            TactMat3 R = turn(sequence[i], angle[i]);
            expected = strchr("xyz", sequence[i]) ? tact_mat3_multiply(expected, R)
                                                  : tact_mat3_multiply(R, expected);
        }
        TactQuat q;
        assert_int_equal(tact_quat_from_euler(sequence, angles, &q), TACT_OK);
        assert_close(mat3_distance(tact_quat_to_mat3(q), expected), TIGHT);
    }
}

static void a_quarter_turn_about_x_then_about_the_new_y(void **state)
{
    (void)state;
    // The body's z axis goes to -y with the first turn; the second, about the body's y (now z of
    // space), takes it on to x.
    TactQuat q;
    assert_int_equal(tact_quat_from_euler("xyz", (TactVec3){PI / 2, PI / 2, 0}, &q), TACT_OK);
    TactVec3 z = tact_quat_rotate(q, (TactVec3){0, 0, 1});
    assert_close(vec3_distance(z, (TactVec3){1, 0, 0}), TIGHT);
}

static void other_letters_are_refused(void **state)
{
    (void)state;
    const char *wrong[] = {"", "xy", "xyzx", "xya", "rpy", NULL};
    TactQuat    q;
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        assert_int_equal(tact_quat_from_euler(wrong[i], (TactVec3){0, 0, 0}, &q),
                         TACT_BAD_ARGUMENT);
    }
    assert_int_equal(tact_quat_from_euler("xyz", (TactVec3){0, 0, 0}, NULL), TACT_BAD_ARGUMENT);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(axis_and_angle_follow_rodrigues),
        cmocka_unit_test(a_product_rotates_by_the_right_factor_first),
        cmocka_unit_test(exp_turns_by_the_length_of_its_vector),
        cmocka_unit_test(log_gives_back_what_exp_was_given),
        cmocka_unit_test(log_takes_the_shorter_way_whatever_the_sign_and_length),
        cmocka_unit_test(axis_and_angle_come_back),
        cmocka_unit_test(a_matrix_gives_its_quaternion_back),
        cmocka_unit_test(slerp_moves_at_constant_speed_along_the_shorter_way),
        cmocka_unit_test(normalise_gives_norm_one_at_every_length),
        cmocka_unit_test(normalise_turns_a_zero_quaternion_into_the_identity),
        cmocka_unit_test(nan_in_gives_nan_out),
        cmocka_unit_test(a_zero_axis_gives_no_rotation),
        cmocka_unit_test(every_euler_sequence_is_the_product_of_its_turns),
        cmocka_unit_test(a_quarter_turn_about_x_then_about_the_new_y),
        cmocka_unit_test(other_letters_are_refused),
    };
    return cmocka_run_group_tests_name("math/quat", tests, NULL, NULL);
}
