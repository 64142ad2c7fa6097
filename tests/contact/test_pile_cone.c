// The cone of a pile: the algebra of second-order cones against its definitions.
#include <math.h>

#include "contact/pile/cone.h"
#include "systems.h"

/// Inside: x_0 > |x_t|, by a part that may be small.
static void draw_inside(TactRandom *random, double x[3])
{
    double angle = tact_random_uniform(random, 0, 6.28),
           size = pow(10, tact_random_uniform(random, -3, 3));
    double part = 1 - pow(10, tact_random_uniform(random, -4, 0));
    x[0] = size;
    x[1] = part * size * cos(angle);
    x[2] = part * size * sin(angle);
}

static double room(const double x[3])
{
    return x[0] - hypot(x[1], x[2]);
}

static void a_step_reaches_the_border_where_it_leaves_the_cone(void **state)
{
    (void)state;
    TactRandom random = tact_random_seed(21);
    int        ends = 0, never = 0;
    for (int k = 0; k < 20000; k++) {
        double x[3], dx[3], at[3];
        draw_inside(&random, x);
        for (int c = 0; c < 3; c++) {
            dx[c] = x[0] * tact_random_normal(&random);
        }
        double t = tact_cone_reach(x, dx);
        assert_true(t > 0);
        // A ray stays inside if its direction lies in the cone, and else does not.
        assert_int_equal(t < HUGE_VAL, room(dx) < 0);
        never += t == HUGE_VAL;
        if (t == HUGE_VAL) {
            continue;
        }
        ends++;
        for (int part = 1; part <= 20; part++) { // inside before, on the border there
            double size = 0;
            for (int c = 0; c < 3; c++) {
                at[c] = x[c] + part / 20.0 * t * dx[c];
                size += fabs(x[c]) + t * fabs(dx[c]);
            }
            assert_true(part < 20 ? room(at) > -1e-13 * size : fabs(room(at)) < 1e-7 * size);
            assert_true(part < 20 ||
                        fabs(at[0] * at[0] - at[1] * at[1] - at[2] * at[2]) < 1e-12 * size * size);
        }
    }
    assert_true(ends > 1000 && never > 1000);
}

/// W z = W^-1 x = l, W^2 z = x, and l o (l o \ a) = a [Nesterov, Todd 1997].
static void the_scaling_takes_both_points_to_one(void **state)
{
    (void)state;
    TactRandom random = tact_random_seed(22);
    for (int k = 0; k < 5000; k++) {
        double          x[3], z[3], a[3], b[3], W2[9];
        TactConeScaling scaling;
        draw_inside(&random, x);
        draw_inside(&random, z);
        assert_true(tact_cone_scale(x, z, &scaling));
        tact_cone_times(&scaling, z, a);
        tact_cone_divide(&scaling, x, b);
        tact_cone_square(&scaling, W2);
        for (int c = 0; c < 3; c++) {
            double square = 0;
            for (int j = 0; j < 3; j++) {
                square += W2[3 * c + j] * z[j];
            }
            assert_true(fabs(a[c] - scaling.l[c]) <= 1e-9 * scaling.l[0]);
            assert_true(fabs(b[c] - scaling.l[c]) <= 1e-9 * scaling.l[0]);
            assert_true(fabs(square - x[c]) <= 1e-9 * x[0]);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_step_reaches_the_border_where_it_leaves_the_cone),
        cmocka_unit_test(the_scaling_takes_both_points_to_one),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
