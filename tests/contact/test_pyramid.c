// The pyramid of one contact: projections by their definition, and the exact solution of one
// contact by the certificate, which shares no line with it.
// clang-format off
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>
// clang-format on
#include "contact/newton/pyramid.h"

#include <math.h>
#include <tact/contact.h>

enum { MOST = 16 };

typedef struct Drawn {
    TactPyramid pyramid;
    double      direction[MOST][2];
    double      turn;
} Drawn;

static void draw(TactRandom *random, Drawn *drawn)
{
    static const int counts[] = {4, 6, 8, 12, 16, 0};
    int              count = counts[tact_random_next(random) % 6];
    drawn->turn = tact_random_uniform(random, -4, 4);
    tact_pyramid_set(&drawn->pyramid, exp(tact_random_uniform(random, -3, 1)), count, drawn->turn,
                     drawn->direction);
}

/// Is p in the cone, up to some room? By the corners' half-planes, or the circle.
static bool is_inside(const TactPyramid *pyramid, const double p[3], double room)
{
    if (pyramid->count == 0) {
        return hypot(p[1], p[2]) <= pyramid->mu * p[0] + room;
    }
    for (int j = 0; j < pyramid->count; j++) {
        const double *a = pyramid->direction[j], *b = pyramid->direction[(j + 1) % pyramid->count];
        double        m[2] = {(a[0] + b[0]) / 2, (a[1] + b[1]) / 2};
        double        reach = pyramid->mu * (a[0] * m[0] + a[1] * m[1]);
        if (m[0] * p[1] + m[1] * p[2] > reach * p[0] + room) {
            return false;
        }
    }
    return p[0] >= -room;
}

// Moreau: x = P(z) if and only if x is in K, z - x in the polar of K, and both are orthogonal.
static void a_projection_is_one_by_moreau(void **state)
{
    (void)state;
    TactRandom random = tact_random_seed(3);
    for (int trial = 0; trial < 20000; trial++) {
        Drawn drawn;
        draw(&random, &drawn);
        double z[3], x[3], rest[3];
        for (int i = 0; i < 3; i++) {
            z[i] = tact_random_normal(&random);
        }
        tact_pyramid_project(&drawn.pyramid, z, x, NULL);
        for (int i = 0; i < 3; i++) {
            rest[i] = z[i] - x[i];
        }
        assert_true(is_inside(&drawn.pyramid, x, 1e-14));
        assert_true(fabs(rest[0] * x[0] + rest[1] * x[1] + rest[2] * x[2]) < 1e-14);
        // Polar: rest_n + mu h(rest_t) <= 0
        double lift = drawn.pyramid.mu * tact_pyramid_support(&drawn.pyramid, rest + 1);
        assert_true(rest[0] + lift < 1e-13 * (1 + drawn.pyramid.mu));
    }
}

static void its_slope_is_that_of_differences(void **state)
{
    (void)state;
    TactRandom   random = tact_random_seed(4);
    const double h = 1e-6;
    int          off = 0;
    for (int trial = 0; trial < 5000; trial++) {
        Drawn drawn;
        draw(&random, &drawn);
        double z[3], x[3], slope[9], worst = 0;
        for (int i = 0; i < 3; i++) {
            z[i] = tact_random_normal(&random);
        }
        tact_pyramid_project(&drawn.pyramid, z, x, slope);
        for (int i = 0; i < 3; i++) {
            double plus[3] = {z[0], z[1], z[2]}, minus[3] = {z[0], z[1], z[2]}, a[3], b[3];
            plus[i] += h;
            minus[i] -= h;
            tact_pyramid_project(&drawn.pyramid, plus, a, NULL);
            tact_pyramid_project(&drawn.pyramid, minus, b, NULL);
            for (int k = 0; k < 3; k++) {
                worst = fmax(worst, fabs((a[k] - b[k]) / (2 * h) - slope[3 * k + i]));
            }
        }
        off += worst > 1e-5;
    }
    assert_true(off <= 5); // where a kink lies within h
}

static void the_nearest_point_of_a_polygon_is_that_of_no_other_face(void **state)
{
    (void)state;
    TactRandom random = tact_random_seed(5);
    for (int trial = 0; trial < 5000; trial++) {
        Drawn drawn;
        draw(&random, &drawn);
        if (drawn.pyramid.count == 0) {
            continue;
        }
        double           r = exp(tact_random_uniform(&random, -2, 2));
        double           q[2] = {3 * tact_random_normal(&random), 3 * tact_random_normal(&random)};
        double           x[2] = {q[0], q[1]}, least = HUGE_VAL;
        TactPyramidFace  face;
        TactPyramidPlace place = tact_pyramid_nearest(&drawn.pyramid, r, q, &face);
        if (place != TACT_PYRAMID_INSIDE) {
            double along = face.along[0] * q[0] + face.along[1] * q[1];
            along = place == TACT_PYRAMID_CORNER ? 0 : along;
            for (int i = 0; i < 2; i++) {
                x[i] = r * face.reach * face.outward[i] + along * face.along[i];
            }
        }
        // Against a walk around the polygon.
        int d = drawn.pyramid.count;
        for (int k = 0; k < 400 * d && place != TACT_PYRAMID_INSIDE; k++) {
            const double *a = drawn.direction[k / 400], *b = drawn.direction[(k / 400 + 1) % d];
            double        t = k % 400 / 400.0;
            double        y[2] = {r * (a[0] + t * (b[0] - a[0])), r * (a[1] + t * (b[1] - a[1]))};
            least = fmin(least, hypot(y[0] - q[0], y[1] - q[1]));
        }
        double distance = hypot(x[0] - q[0], x[1] - q[1]);
        assert_true(distance <= least + 1e-12);
        assert_true(place == TACT_PYRAMID_INSIDE || distance > 0.99 * least - 0.01 * r);
    }
}

/// C'C with an m x 3 matrix C; with m = 3 not nearly singular.
static void random_block(TactRandom *random, int m, double W[9])
{
    double C[3][3];
    for (int k = 0; k < 3 * m; k++) {
        C[k / 3][k % 3] = tact_random_normal(random);
    }
    for (int i = 0; i < 9; i++) {
        W[i] = m == 3 && i % 4 == 0 ? 0.01 : 0;
        for (int k = 0; k < m; k++) {
            W[i] += C[k][i / 3] * C[k][i % 3];
        }
    }
}

static void one_contact_obeys_the_law_of_its_pyramid(void **state)
{
    (void)state;
    TactRandom random = tact_random_seed(6);
    int        found[4] = {0}, impossible = 0;
    double     worst = 0;
    for (int trial = 0; trial < 30000; trial++) {
        Drawn  drawn;
        double W[9], b[3], y[3], p[3] = {0};
        int    rank = trial % 5 == 0 ? 1 + trial / 5 % 2 : 3;
        draw(&random, &drawn);
        if (drawn.pyramid.count == 0) {
            continue;
        }
        random_block(&random, rank, W);
        for (int i = 0; i < 3; i++) {
            y[i] = tact_random_normal(&random);
            p[i] = trial % 2 ? tact_random_normal(&random) : 0; // a guess, right or wrong
        }
        for (int i = 0; i < 3; i++) { // in the range of W
            b[i] = W[3 * i] * y[0] + W[3 * i + 1] * y[1] + W[3 * i + 2] * y[2];
        }
        TactOneContact one;
        tact_one_contact_prepare(&one, W, drawn.pyramid.mu);
        TactOneContactState found_state = tact_pyramid_solve(&drawn.pyramid, &one, b, p);
        found[found_state]++;
        if (found_state == TACT_ONE_CONTACT_NONE) {
            impossible++;
            continue;
        }
        TactContact contact = {
            .mu = drawn.pyramid.mu, .directions = drawn.pyramid.count, .turn = drawn.turn};
        TactContactProblem problem = {
            .step = 1, .W = W, .u_free = b, .contact_count = 1, .contacts = &contact};
        TactContactCertificate c;
        assert_int_equal(tact_contact_certify(&problem, TACT_CONE_PYRAMID, p, NULL, NULL, &c),
                         TACT_OK);
        worst = fmax(worst, c.error);
        assert_true(c.error <= 1e-10);
    }
    print_message("open %d, stick %d, slide %d, none %d; worst error %.1e\n", found[0], found[1],
                  found[2], found[3], worst);
    assert_true(found[0] > 1000 && found[1] > 1000 && found[2] > 1000);
    assert_int_equal(impossible, 0); // an LCP with a copositive matrix has an answer
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_projection_is_one_by_moreau),
        cmocka_unit_test(its_slope_is_that_of_differences),
        cmocka_unit_test(the_nearest_point_of_a_polygon_is_that_of_no_other_face),
        cmocka_unit_test(one_contact_obeys_the_law_of_its_pyramid),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
