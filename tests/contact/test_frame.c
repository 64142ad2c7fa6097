// Frames of contacts: orthonormal, right-handed, where the caller or the normal puts them.
#include "scenes.h"

static void frame_of(const double normal[3], const double tangent[3], double frame[3][3])
{
    TactContact contact = {0};
    memcpy(contact.normal, normal, sizeof contact.normal);
    memcpy(contact.tangent, tangent, sizeof contact.tangent);
    tact_contact_compute_frame(&contact, frame);
}

static double dot(const double a[3], const double b[3])
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static void assert_right_handed(double frame[3][3])
{
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) {
            assert_true(fabs(dot(frame[i], frame[j]) - (i == j)) < 1e-15);
        }
    }
    double cross[3] = {frame[0][1] * frame[1][2] - frame[0][2] * frame[1][1],
                       frame[0][2] * frame[1][0] - frame[0][0] * frame[1][2],
                       frame[0][0] * frame[1][1] - frame[0][1] * frame[1][0]};
    assert_true(fabs(dot(cross, frame[2]) - 1) < 1e-15);
}

static void random_unit(TactRandom *random, double x[3])
{
    for (int k = 0; k < 3; k++) {
        x[k] = tact_random_normal(random);
    }
    double length = sqrt(dot(x, x));
    for (int k = 0; k < 3; k++) {
        x[k] /= length;
    }
}

static void every_frame_is_orthonormal_and_right_handed(void **state)
{
    (void)state;
    TactRandom random = tact_random_seed(1);
    for (int k = 0; k < 10000; k++) {
        double normal[3], tangent[3], frame[3][3];
        random_unit(&random, normal);
        frame_of(normal, (double[]){0, 0, 0}, frame);
        assert_right_handed(frame);

        // A tangent of any length, as close to the normal as the check lets it be.
        random_unit(&random, tangent);
        double close = pow(10, tact_random_uniform(&random, -6, 0));
        double length = pow(10, tact_random_uniform(&random, -100, 100));
        for (int j = 0; j < 3; j++) {
            tangent[j] = length * (normal[j] + close * tangent[j]);
        }
        frame_of(normal, tangent, frame);
        assert_right_handed(frame);
    }
}

static void a_normal_that_is_a_little_off_is_made_unit(void **state)
{
    (void)state;
    double frame[3][3];
    frame_of((double[]){0, 0.6 * (1 + 9e-7), 0.8 * (1 + 9e-7)}, (double[]){0, 0, 0}, frame);
    assert_true(fabs(frame[0][1] - 0.6) < 1e-15 && fabs(frame[0][2] - 0.8) < 1e-15);
    assert_right_handed(frame);
}

static void the_axes_have_the_axes_as_tangents(void **state)
{
    (void)state;
    const double zero[3] = {0, 0, 0};
    const double normal[6][3] = {{0, 0, 1},  {0, 0, -1}, {0, 1, 0},
                                 {0, -1, 0}, {1, 0, 0},  {-1, 0, 0}};
    const double tangent[6][3] = {{1, 0, 0}, {1, 0, 0}, {1, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 1, 0}};
    for (int k = 0; k < 6; k++) {
        double frame[3][3];
        frame_of(normal[k], zero, frame);
        for (int j = 0; j < 3; j++) {
            assert_true(frame[0][j] == normal[k][j] && frame[1][j] == tangent[k][j]);
        }
    }
}

static void tangent_1_is_the_part_of_the_given_one_across_the_normal(void **state)
{
    (void)state;
    double frame[3][3];
    frame_of((double[]){0, 0, 1}, (double[]){3, 4, 100}, frame);
    assert_true(fabs(frame[1][0] - 0.6) < 1e-14 && fabs(frame[1][1] - 0.8) < 1e-14);
    assert_true(fabs(frame[2][0] + 0.8) < 1e-14 && fabs(frame[2][1] - 0.6) < 1e-14);
}

static void a_small_turn_of_the_normal_turns_the_frame_little(void **state)
{
    (void)state;
    // All walls, floors and slopes of 15 degrees steps: 1e-9 of turn moves no axis by 1e-8.
    TactRandom random = tact_random_seed(2);
    for (int i = 0; i < 24; i++) {
        for (int j = -6; j <= 6; j++) {
            double a = i * M_PI / 12, b = j * M_PI / 12;
            double normal[3] = {cos(a) * cos(b), sin(a) * cos(b), sin(b)}, moved[3];
            double frame[3][3], other[3][3], d[3];
            frame_of(normal, (double[]){0, 0, 0}, frame);
            random_unit(&random, d);
            for (int k = 0; k < 3; k++) {
                moved[k] = normal[k] + 1e-9 * d[k];
            }
            double length = sqrt(dot(moved, moved));
            for (int k = 0; k < 3; k++) {
                moved[k] /= length;
            }
            frame_of(moved, (double[]){0, 0, 0}, other);
            for (int k = 0; k < 9; k++) {
                assert_true(fabs(frame[k / 3][k % 3] - other[k / 3][k % 3]) < 1e-8);
            }
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_frame_is_orthonormal_and_right_handed),
        cmocka_unit_test(a_normal_that_is_a_little_off_is_made_unit),
        cmocka_unit_test(the_axes_have_the_axes_as_tangents),
        cmocka_unit_test(tangent_1_is_the_part_of_the_given_one_across_the_normal),
        cmocka_unit_test(a_small_turn_of_the_normal_turns_the_frame_little),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
