// Projections onto the cones of friction against what defines them: P(x) lies in the cone, x - P(x)
// in its polar, and they are orthogonal. Both are checked on the rays that span the cone.
#include "scenes.h"
// clang-format off
#include "contact/certificate/certify.h"
#include "contact/law_lanes.h"
// clang-format on

static double dot3(const double a[3], const double b[3])
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

/// Ray k of the cone (1, mu direction); a circle has 1000 of them.
static int ray(const TactContact *contact, TactContactCone kind, int k, double out[3])
{
    int    count = kind == TACT_CONE_PYRAMID ? contact->directions : 1000;
    double angle = kind == TACT_CONE_PYRAMID ? contact->turn : 0;
    double mu = contact->mu;
    if (kind == TACT_CONE_BOX) {
        count = 4;
        angle = M_PI / 4;
        mu *= sqrt(2);
    }
    angle += 2 * M_PI * k / count;
    out[0] = 1;
    out[1] = mu * cos(angle);
    out[2] = mu * sin(angle);
    return count;
}

/// What a test asks of one contact, in any of the four lanes; the others hold something else.
typedef struct Lane {
    TactCertifyCones cones;
    TactLanes        x[3];
    int              lane;
} Lane;

static Lane lane_of(const TactCertifyCone *cone, const double x[3])
{
    static int next;
    Lane       out = {.cones = {.stretch = cone->stretch, .pyramid = cone->pyramid}};
    out.lane = next++ % 4;
    for (int k = 0; k < 4; k++) {
        bool own = k == out.lane;
        out.cones.mu[k] = own ? cone->mu : 0.1 * k;
        for (int j = 0; j < 3; j++) {
            out.x[j][k] = own ? x[j] : j - k;
        }
    }
    return out;
}

static double excess_of(const TactCertifyCone *cone, const double p[3])
{
    Lane        lane = lane_of(cone, p);
    TactLanes   excess;
    TactLawEdge edge = {.along_near = {0}};
    if (cone->pyramid) {
        tact_law_edge(cone->pyramid, lane.x + 1, &edge);
    }
    tact_law_excess(&lane.cones, &edge, lane.x, &excess);
    return excess[lane.lane];
}

static double support_of(const TactCertifyCone *cone, const double u[3])
{
    Lane      lane = lane_of(cone, u);
    TactLanes support;
    tact_law_support(&lane.cones, lane.x + 1, &support);
    return support[lane.lane];
}

static void project(const TactCertifyCone *cone, double x[3])
{
    Lane lane = lane_of(cone, x);
    tact_law_project(&lane.cones, lane.x);
    for (int j = 0; j < 3; j++) {
        x[j] = lane.x[j][lane.lane];
    }
}

static void draw(TactRandom *random, TactContact *contact, double x[3])
{
    const double mus[] = {0, 1e-6, 0.3, 1, 2, 100};
    contact->mu = mus[tact_random_next(random) % 6];
    contact->directions = 4 + 2 * (int)(tact_random_next(random) % 31);
    contact->turn = tact_random_uniform(random, -10, 10);
    for (int k = 0; k < 3; k++) {
        x[k] = tact_random_normal(random) * (k == 0 ? 1 + contact->mu : 1);
    }
}

static void a_projection_is_the_nearest_point_of_its_cone(void **state)
{
    (void)state;
    TactRandom    random = tact_random_seed(1);
    TactCertifier certifier = {0};
    for (int round = 0; round < 20000; round++) {
        TactContactCone kind = (TactContactCone)(round % 3);
        TactContact     contact = {0};
        double          x[3], y[3], off[3], r[3];
        draw(&random, &contact, x);
        memcpy(y, x, sizeof y);
        TactCertifyCone cone = tact_certify_cone(&certifier, kind, &contact);
        project(&cone, y);
        double size = sqrt(dot3(x, x)), tol = 1e-14 * size * (1 + contact.mu);
        for (int k = 0; k < 3; k++) {
            off[k] = x[k] - y[k];
        }
        assert_true(y[0] >= 0 && excess_of(&cone, y) <= tol);
        assert_true(fabs(dot3(y, off)) <= 1e-13 * size * size);
        int count = ray(&contact, kind, 0, r);
        for (int k = 0; k < count; k++) {
            ray(&contact, kind, k, r);
            assert_true(dot3(r, off) <= tol * sqrt(dot3(r, r)));
        }
    }
}

static void the_excess_is_zero_on_the_boundary_and_grows_with_friction(void **state)
{
    (void)state;
    TactRandom    random = tact_random_seed(2);
    TactCertifier certifier = {0};
    for (int round = 0; round < 20000; round++) {
        TactContactCone kind = (TactContactCone)(round % 3);
        TactContact     contact = {0};
        double          x[3], a[3], b[3];
        draw(&random, &contact, x);
        TactCertifyCone cone = tact_certify_cone(&certifier, kind, &contact);
        // Between two neighbouring rays.
        double s = tact_random_uniform(&random, 0, 1);
        int    count = ray(&contact, kind, 0, a);
        int    k = (int)(tact_random_next(&random) % (uint64_t)count);
        ray(&contact, kind, k, a);
        ray(&contact, kind, k + 1, b);
        for (int j = 0; j < 3; j++) {
            x[j] = (1 - s) * a[j] + s * b[j];
        }
        double flat = kind == TACT_CONE_CIRCLE ? 1e-5 : 1e-14; // a chord of the circle
        assert_true(fabs(excess_of(&cone, x)) <= flat * (1 + contact.mu));
        for (int j = 1; j < 3; j++) {
            x[j] *= 2;
        }
        double excess = excess_of(&cone, x);
        assert_true(fabs(excess - contact.mu) <= 2 * flat * (1 + contact.mu));
    }
}

static void the_support_is_what_the_best_direction_takes_from_the_slip(void **state)
{
    (void)state;
    TactRandom    random = tact_random_seed(3);
    TactCertifier certifier = {0};
    for (int round = 0; round < 3000; round++) {
        TactContactCone kind = (TactContactCone)(round % 3);
        TactContact     contact = {0};
        double          u[3], r[3], most = 0;
        draw(&random, &contact, u);
        TactCertifyCone cone = tact_certify_cone(&certifier, kind, &contact);
        int             count = ray(&contact, kind, 0, r);
        for (int k = 0; k < count; k++) {
            ray(&contact, kind, k, r);
            most = fmax(most, -(r[1] * u[1] + r[2] * u[2]));
        }
        double support = cone.mu * support_of(&cone, u);
        double tol = (kind == TACT_CONE_CIRCLE ? 1e-5 : 1e-14) * (1 + contact.mu);
        assert_true(fabs(support - most) <= tol * (fabs(u[1]) + fabs(u[2])));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_projection_is_the_nearest_point_of_its_cone),
        cmocka_unit_test(the_excess_is_zero_on_the_boundary_and_grows_with_friction),
        cmocka_unit_test(the_support_is_what_the_best_direction_takes_from_the_slip),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
