// An arch of 21 stones without mortar stands by friction, down to the friction that it needs.
//
// That is found by limit analysis, which knows no simulator: the thrust line of the arch. By
// symmetry each foot carries half the weight W; the thrust H along x and the moment M of the foot
// are unknown. At the joint i, with the normal force N, the shear T and the moment M_i about its
// middle, all linear in (H, M),
//
//     |T| <= mu N,    |M_i| <= N t / 2.
//
// The least mu for which the polygon of (H, M) is not empty is found by bisection.
#include <math.h>
#include <stdio.h>

#include "base/clones.h"
#include "sim/scene.h"

enum { STONES = 21, MOST_CORNERS = 4 + 4 * (STONES + 1) };

static const double MEAN_RADIUS = 1, THICKNESS = 0.2;

typedef struct Polygon {
    int    count;
    double x[MOST_CORNERS][2];
} Polygon;

/// Keeps what has a H + b M + c <= 0.
static void clip(Polygon *polygon, double a, double b, double c)
{
    Polygon kept = {0};
    for (int k = 0; k < polygon->count; k++) {
        const double *p = polygon->x[k], *q = polygon->x[(k + 1) % polygon->count];
        double        at_p = a * p[0] + b * p[1] + c, at_q = a * q[0] + b * q[1] + c;
        if (at_p <= 0) {
            kept.x[kept.count][0] = p[0];
            kept.x[kept.count++][1] = p[1];
        }
        if ((at_p < 0 && at_q > 0) || (at_p > 0 && at_q < 0)) {
            double share = at_p / (at_p - at_q);
            kept.x[kept.count][0] = p[0] + share * (q[0] - p[0]);
            kept.x[kept.count++][1] = p[1] + share * (q[1] - p[1]);
        }
    }
    *polygon = kept;
}

/// Angle of joint i from the x axis; joint 0 is the left foot.
static double joint_angle(int i)
{
    return acos(-1.0) * (STONES - i) / STONES;
}

/// Weight (as its area) and middle of a stone, which is a trapezium between two joints.
static double stone(int i, double *x)
{
    double inner = MEAN_RADIUS - THICKNESS / 2, outer = MEAN_RADIUS + THICKNESS / 2;
    double a = joint_angle(i), b = joint_angle(i + 1), half = sin((a - b) / 2) * cos((a - b) / 2);
    double area = half * (outer * outer - inner * inner);
    double first = 2.0 / 3 * half * cos((a - b) / 2) *
                   (outer * outer * outer - inner * inner * inner); // moment about the centre
    *x = first / area * cos((a + b) / 2);
    return area;
}

static bool stands_with(double mu)
{
    double weight[STONES], x[STONES], whole = 0;
    for (int i = 0; i < STONES; i++) {
        weight[i] = stone(i, &x[i]);
        whole += weight[i];
    }
    double  V = whole / 2, far = 100 * whole, above = 0;
    Polygon polygon = {4, {{-far, -far}, {far, -far}, {far, far}, {-far, far}}};
    for (int i = 0; i <= STONES && polygon.count > 0; i++) {
        // force on what follows joint i: (H, V - weight before it)
        double c = cos(joint_angle(i)), s = sin(joint_angle(i));
        double up = V - above, px = MEAN_RADIUS * c, py = MEAN_RADIUS * s;
        double moment = (-MEAN_RADIUS - px) * V; // of foot and weights, without H and M
        for (int k = 0; k < i; k++) {
            moment -= (x[k] - px) * weight[k];
        }
        // N = s H - c up, T = c H + s up, M_i = M + py H + moment
        for (int sign = -1; sign <= 1; sign += 2) {
            clip(&polygon, sign * c - mu * s, 0, sign * s * up + mu * c * up);
            clip(&polygon, sign * py - THICKNESS / 2 * s, sign,
                 sign * moment + THICKNESS / 2 * c * up);
        }
        above += i < STONES ? weight[i] : 0;
    }
    return polygon.count > 0;
}

static double critical_friction(void)
{
    double low = 0, high = 1;
    assert_true(stands_with(high));
    for (int i = 0; i < 40; i++) {
        double middle = 0.5 * (low + high);
        *(stands_with(middle) ? &high : &low) = middle;
    }
    return high;
}

/// How far any stone has moved, m.
static double settle(TactScene *scene, double time)
{
    double moved = 0;
    tact_scene_run(scene, time);
    for (int i = 0; i < scene->model->nq; i++) {
        moved = fmax(moved, fabs(scene->state->q[i] - scene->model->q_reference[i]));
    }
    assert_int_equal(scene->certified, scene->solves);
    return moved;
}

static double settle_with(double mu, double time)
{
    char friction[64];
    snprintf(friction, sizeof friction, "friction=\"%.17g\"", mu);
    TactScene scene = tact_scene_start(
        tact_scene_model("arch.xml", (TactSceneEdit){"friction=\"0.35\"", friction}), 0);
    double moved = settle(&scene, time);
    tact_scene_close(&scene);
    return moved;
}

static void an_arch_of_21_stones_stands(void **state)
{
    (void)state;
#ifdef TACT_SANITIZED
    const double time = 0.1;
#else
    const double time = 10;
#endif
    TactScene scene = tact_scene_open("arch.xml", 0);
    double    moved = settle(&scene, time);
    printf("arch of 21 stones, friction 0.35, %g s: moves %.1e m, penetration %.1e m\n", time,
           moved, scene.penetration);
    assert_true(moved < 1e-6);
    assert_true(scene.penetration < 1e-4);
    tact_scene_close(&scene);
}

static void less_friction_than_limit_analysis_asks_for_brings_it_down(void **state)
{
    (void)state;
    double mu = critical_friction(), above = settle_with(1.005 * mu, 0.1);
    double below = settle_with(0.995 * mu, 0.1);
    printf(
        "it needs friction %.6f; in 0.1 s it moves %.1e m with 1.005 of that, %.1e m with 0.995\n",
        mu, above, below);
    assert_true(fabs(mu - 0.30899) < 1e-5); // what the scene says
    assert_true(above < 1e-9);
    assert_true(below > 1e-5);
}

static void with_friction_0_2_it_collapses(void **state)
{
    (void)state;
#ifdef TACT_SANITIZED
    const double time = 0.2, least = 0.03;
#else
    const double time = 0.6, least = 0.5;
#endif
    double moved = settle_with(0.2, time);
    printf("with friction 0.2 it has come down by %.2f m after %g s\n", moved, time);
    assert_true(moved > least);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_arch_of_21_stones_stands),
        cmocka_unit_test(less_friction_than_limit_analysis_asks_for_brings_it_down),
        cmocka_unit_test(with_friction_0_2_it_collapses),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
