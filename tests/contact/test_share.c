// Sharing of loads: impulses of least norm, and between what normal impulses may lie.
//
// The oracle is weak duality. For any l, with K_i what the law allows contact i for the given
// motion, all impulses p of the same motion have
//
//     |p|^2 / 2  >=  l'(J'p0) - sum_i |P_i(J_i l)|^2 / 2 .
//
// The bound is computed here, from velocities of points and by the projections of contact_law.h; it
// is true whatever l is, so that impulses that reach it are the least ones.
#include "scenes.h"
// clang-format off
#include "contact/contact_law.h"
#include "contact/share/share.h"
#include "base/status.h"
// clang-format on

enum { BODIES = 2, MOST = SCENE_CONTACTS };

/// A problem made from its answer: body 0 at rest, body 1 sliding, contacts closed or open.
typedef struct Rest {
    Scene  scene;
    double p[3 * MOST];
    double v[6 * BODIES];
    bool   closed[MOST], slides[MOST];
} Rest;

static void cross(const double a[3], const double b[3], double out[3])
{
    out[0] = a[1] * b[2] - a[2] * b[1];
    out[1] = a[2] * b[0] - a[0] * b[2];
    out[2] = a[0] * b[1] - a[1] * b[0];
}

/// Velocity of b against a at a contact for generalized velocities v, along its axes.
static void relative(const Scene *scene, const double *v, int i, double u[3])
{
    const TactContact *contact = &scene->contacts[i];
    double             frame[3][3], speed[3] = {0};
    tact_contact_compute_frame(contact, frame);
    for (int side = 0; side < 2; side++) {
        int body = side ? contact->b : contact->a;
        if (body >= 0) {
            double arm[3], turning[3];
            for (int k = 0; k < 3; k++) {
                arm[k] = contact->point[k] - scene->bodies[body].position[k];
            }
            cross(v + 6 * body + 3, arm, turning);
            for (int k = 0; k < 3; k++) {
                speed[k] += (side ? 1 : -1) * (v[6 * body + k] + turning[k]);
            }
        }
    }
    for (int k = 0; k < 3; k++) {
        u[k] = frame[k][0] * speed[0] + frame[k][1] * speed[1] + frame[k][2] * speed[2];
    }
}

/// v'(J'p)
static double power(const Scene *scene, const double *v, const double *p)
{
    double sum = 0;
    for (int i = 0; i < scene->problem.contact_count; i++) {
        double u[3];
        relative(scene, v, i, u);
        sum += p[3 * i] * u[0] + p[3 * i + 1] * u[1] + p[3 * i + 2] * u[2];
    }
    return sum;
}

/// Row j of J'p, and what adds up to it.
static double momentum(const Scene *scene, int j, const double *p, double *size)
{
    double unit[6 * BODIES] = {0}, magnitudes[3 * MOST];
    unit[j] = 1;
    *size = 0;
    for (int i = 0; i < scene->problem.contact_count; i++) {
        double u[3];
        relative(scene, unit, i, u);
        for (int k = 0; k < 3; k++) {
            *size += fabs(u[k] * p[3 * i + k]);
            magnitudes[3 * i + k] = p[3 * i + k];
        }
    }
    return power(scene, unit, magnitudes);
}

static TactLawCone law_of(const Scene *scene, TactContactCone cone, int i)
{
    const TactContact *contact = &scene->contacts[i];
    TactLawCone        law = {.mu = contact->mu};
    if (cone == TACT_CONE_PYRAMID) {
        law.directions = contact->directions > 0 ? contact->directions : 8;
        law.turn = contact->turn;
    } else if (cone == TACT_CONE_BOX) {
        law = (TactLawCone){.mu = sqrt(2) * contact->mu, .directions = 4, .turn = atan(1)};
    }
    return law;
}

/// Friction over normal impulse of a contact that slides with u_t: the corner that takes most.
static void slide_ray(const TactLawCone *law, const double u[3], double ray[3])
{
    double most = -INFINITY, d[2];
    ray[0] = 1;
    ray[1] = -law->mu * u[1] / hypot(u[1], u[2]);
    ray[2] = -law->mu * u[2] / hypot(u[1], u[2]);
    for (int j = 0; j < law->directions; j++) {
        tact_law_direction(law, j, d);
        if (-(d[0] * u[1] + d[1] * u[2]) > most) {
            most = -(d[0] * u[1] + d[1] * u[2]);
            ray[1] = law->mu * d[0];
            ray[2] = law->mu * d[1];
        }
    }
}

// ---------------------------------------------------------------------------------------------
// Problems made from their answers

static void draw_body(TactRandom *random, Scene *scene, double mass)
{
    TactContactBody *body =
        scene_add_cube(scene, mass, 1, tact_random_uniform(random, -1, 1),
                       tact_random_uniform(random, -1, 1), tact_random_uniform(random, -1, 1));
    for (int k = 0; k < 3; k++) {
        body->inertia[k] = mass * tact_random_uniform(random, 0.5, 1);
    }
}

static void draw_contact(TactRandom *random, TactContactCone cone, Rest *rest, int a, int b)
{
    Scene       *scene = &rest->scene;
    int          i = scene->problem.contact_count;
    TactContact *contact = scene_add_contact(
        scene, a, b, tact_random_uniform(random, -1, 1), tact_random_uniform(random, -1, 1),
        tact_random_uniform(random, -1, 1), tact_random_uniform(random, 0.1, 0.9));
    double angle = tact_random_uniform(random, 0, 6), tilt = tact_random_uniform(random, 0, 0.8);
    contact->normal[0] = tilt * cos(angle);
    contact->normal[1] = tilt * sin(angle);
    contact->normal[2] = sqrt(1 - tilt * tilt);
    contact->turn = tact_random_uniform(random, 0, 1);
    double u[3], *p = rest->p + 3 * i, ray[3];
    relative(scene, rest->v, i, u);
    rest->slides[i] = hypot(u[1], u[2]) > 0;
    rest->closed[i] = i % 5 != 4;
    contact->bias = (rest->closed[i] ? 0 : 0.1) - u[0];
    if (!rest->closed[i]) {
        return;
    }
    TactLawCone law = law_of(scene, cone, i);
    p[0] = i % 3 == 2 ? 0 : tact_random_uniform(random, 0, 0.1); // some touch without a load
    double part = tact_random_uniform(random, 0, 0.69) * law.mu * p[0];
    angle = tact_random_uniform(random, 0, 6);
    p[1] = part * cos(angle);
    p[2] = part * sin(angle);
    if (rest->slides[i]) {
        slide_ray(&law, u, ray);
        p[1] = p[0] * ray[1];
        p[2] = p[0] * ray[2];
    }
}

/// Applied forces with which the dynamics hold: bodies had the velocity v before.
static void set_forces(Rest *rest)
{
    for (int b = 0; b < rest->scene.problem.body_count; b++) {
        TactContactBody *body = &rest->scene.bodies[b];
        double           spin[3], gyro[3], size;
        for (int k = 0; k < 3; k++) {
            body->velocity[k] = rest->v[6 * b + k];
            body->omega[k] = rest->v[6 * b + 3 + k];
            spin[k] = body->inertia[k] * body->omega[k];
        }
        cross(body->omega, spin, gyro);
        for (int k = 0; k < 3; k++) {
            double h = rest->scene.problem.step;
            body->force[k] = -momentum(&rest->scene, 6 * b + k, rest->p, &size) / h;
            body->torque[k] = gyro[k] - momentum(&rest->scene, 6 * b + 3 + k, rest->p, &size) / h;
        }
    }
}

static void make(TactRandom *random, TactContactCone cone, int contacts, double ratio, Rest *rest)
{
    *rest = (Rest){0};
    scene_clear(&rest->scene);
    for (int b = 0; b < BODIES; b++) {
        draw_body(random, &rest->scene, b ? ratio : 1);
        for (int k = 0; k < 6 && b > 0; k++) {
            rest->v[6 * b + k] = tact_random_normal(random);
        }
    }
    for (int i = 0; i < contacts; i++) {
        draw_contact(random, cone, rest, i % 4 == 3 ? 0 : -1, i % 4 == 3 ? 1 : 0);
    }
    set_forces(rest);
}

// ---------------------------------------------------------------------------------------------
// The oracle

static double square(const double *p, int n)
{
    double sum = 0;
    for (int i = 0; i < n; i++) {
        sum += p[i] * p[i];
    }
    return sum;
}

/// The bound on |p|^2 / 2 from velocities l.
static double bound(const Rest *rest, TactContactCone cone, const double *l)
{
    double sum = power(&rest->scene, l, rest->p);
    for (int i = 0; i < rest->scene.problem.contact_count; i++) {
        double      z[3], nearest[3] = {0, 0, 0}, u[3], ray[3];
        TactLawCone law = law_of(&rest->scene, cone, i);
        relative(&rest->scene, l, i, z);
        relative(&rest->scene, rest->v, i, u);
        if (rest->slides[i] && rest->closed[i]) {
            slide_ray(&law, u, ray);
            double along = (z[0] * ray[0] + z[1] * ray[1] + z[2] * ray[2]) / square(ray, 3);
            for (int k = 0; k < 3; k++) {
                nearest[k] = fmax(along, 0) * ray[k];
            }
        } else if (rest->closed[i]) {
            tact_law_contact_project(&law, z, nearest);
        }
        sum -= 0.5 * square(nearest, 3);
    }
    return sum;
}

/// l of the least norm, as the library finds it, as velocities of the bodies.
static void find_l(const Rest *rest, TactContactCone cone, double *l)
{
    TactShare           share = {0};
    TactArena           arena = {0};
    TactContactProblem  problem = rest->scene.problem;
    TactContactCapacity capacity = tact_contact_get_capacity(&problem);
    double              p[3 * MOST];
    memcpy(p, rest->p, sizeof p);
    TactContactAnswer answer = {.impulse = p};
    tact_share_layout(&share, &capacity, &arena);
    assert_int_equal(tact_arena_create(&arena), TACT_OK);
    tact_share_layout(&share, &capacity, &arena);
    assert_int_equal(tact_share_begin(&share, &problem, cone, &answer), TACT_OK);
    assert_true(tact_share_shape(&share) && tact_share_nearest(&share));
    memcpy(l, share.l, sizeof(double) * (size_t)share.system->dof);
    tact_whitener_back(&share.system->whitener, &problem, l);
    tact_arena_destroy(&arena);
}

static TactContactSharing share(const Rest *rest, TactContactCone cone, double *p)
{
    TactContactSharing sharing;
    double             v[6 * BODIES];
    memcpy(p, rest->p, sizeof rest->p);
    memcpy(v, rest->v, sizeof v);
    TactContactAnswer answer = {.impulse = p, .velocity = v};
    assert_int_equal(tact_contact_share(&rest->scene.problem, cone, 1e-8, &answer, &sharing),
                     TACT_OK);
    assert_memory_equal(v, rest->v, sizeof v);
    return sharing;
}

static void check_least(const Rest *rest, TactContactCone cone, const char *name)
{
    double                 p[3 * MOST], l[6 * BODIES], v[6 * BODIES];
    int                    n = 3 * rest->scene.problem.contact_count;
    TactContactCertificate certificate;
    TactContactSharing     sharing = share(rest, cone, p);
    assert_int_not_equal(sharing.outcome, TACT_SHARING_OUTCOME_KEPT);
    memcpy(v, rest->v, sizeof v);
    assert_int_equal(tact_contact_certify(&rest->scene.problem, cone, p, NULL, v, &certificate),
                     TACT_OK);
    assert_true(certificate.error <= 1e-8);
    for (int j = 0; j < 6 * BODIES; j++) { // the same J'p
        double size, before = momentum(&rest->scene, j, rest->p, &size);
        double after = momentum(&rest->scene, j, p, &size);
        assert_true(fabs(after - before) <= 1e-12 * size + 1e-15);
    }
    find_l(rest, cone, l);
    double least = bound(rest, cone, l), reached = 0.5 * square(p, n);
    if (!(reached - least <= 1e-9 * reached && reached - least >= -1e-9 * reached)) {
        print_error("%s: %.17g reached, bound %.17g\n", name, reached, least);
        fail();
    }
}

// ---------------------------------------------------------------------------------------------
// Least norm

static void no_impulses_of_the_same_motion_have_a_smaller_norm(void **state)
{
    (void)state;
    static const char *const names[] = {"pyramid", "circle", "box"};
    TactRandom               random = tact_random_seed(7);
    Rest                     rest;
    for (int k = 0; k < 600; k++) {
        TactContactCone cone = (TactContactCone)(k % 3);
        make(&random, cone, 5 + k % 12, pow(10, k % 7 - 3), &rest);
        check_least(&rest, cone, names[cone]);
    }
}

static void four_legs_of_a_table_carry_what_plane_springs_would(void **state)
{
    (void)state;
    Rest rest = {0};
    scene_block_on_plane(&rest.scene);
    double h = rest.scene.problem.step, weight = 2 * GRAVITY, x = 0.3, y = -0.45;
    // A vertical load of one and a half weights more at (x, y).
    rest.scene.bodies[0].force[2] -= 1.5 * weight;
    rest.scene.bodies[0].torque[0] = -1.5 * weight * y;
    rest.scene.bodies[0].torque[1] = 1.5 * weight * x;
    double total = 2.5 * weight, mx = 1.5 * weight * x, my = 1.5 * weight * y;
    for (int k = 0; k < 4; k++) {
        double sx = k % 2 ? 1 : -1, sy = k / 2 ? 1 : -1;
        // any answer: the least one and a multiple of the null vector sx sy
        rest.p[3 * k] = h * (total / 4 + sx * mx / 4 + sy * my / 4 + 0.4 * sx * sy);
        rest.closed[k] = true;
    }
    double p[3 * MOST];
    assert_int_equal(share(&rest, TACT_CONE_CIRCLE, p).outcome, TACT_SHARING_OUTCOME_FOUND);
    for (int k = 0; k < 4; k++) {
        double sx = k % 2 ? 1 : -1, sy = k / 2 ? 1 : -1;
        double springs = h * (total + sx * mx + sy * my) / 4; // of four equal springs
        assert_true(fabs(p[3 * k] - springs) <= 1e-14 * h * total);
        assert_true(fabs(p[3 * k + 1]) + fabs(p[3 * k + 2]) <= 1e-14 * h * total);
    }
}

static void a_single_contact_keeps_its_bits(void **state)
{
    (void)state;
    Rest rest = {0};
    scene_particle(&rest.scene, 2, 0.5);
    rest.p[0] = 2 * GRAVITY * rest.scene.problem.step;
    double p[3 * MOST];
    assert_int_equal(share(&rest, TACT_CONE_CIRCLE, p).outcome, TACT_SHARING_OUTCOME_UNIQUE);
    assert_memory_equal(p, rest.p, sizeof p);
}

static void an_answer_that_is_none_stays_what_it_is(void **state)
{
    (void)state;
    Rest rest = {0};
    scene_block_on_plane(&rest.scene);
    for (int k = 0; k < 4; k++) { // a tenth of the weight: it falls, and pushes all the same
        rest.p[3 * k] = 0.025 * 2 * GRAVITY * rest.scene.problem.step;
    }
    rest.p[0] *= 2;
    double p[3 * MOST];
    assert_int_not_equal(share(&rest, TACT_CONE_CIRCLE, p).outcome, TACT_SHARING_OUTCOME_FOUND);
    assert_memory_equal(p, rest.p, sizeof p);
}

static void numbers_that_are_none_are_refused_with_their_contact(void **state)
{
    (void)state;
    Rest rest = {0};
    scene_block_on_plane(&rest.scene);
    double            p[12] = {1, 0, 0, 1, 0, NAN, 1, 0, 0, 1, 0, 0};
    TactContactAnswer answer = {.impulse = p};
    TactContactRange  range[4];
    assert_int_equal(tact_contact_share(&rest.scene.problem, TACT_CONE_CIRCLE, 1e-8, &answer, NULL),
                     TACT_BAD_INPUT);
    assert_non_null(strstr(tact_status_message(), "contact 1"));
    assert_int_equal(
        tact_contact_compute_ranges(&rest.scene.problem, TACT_CONE_CIRCLE, &answer, range),
        TACT_BAD_INPUT);
    answer.impulse = NULL;
    assert_int_equal(tact_contact_share(&rest.scene.problem, TACT_CONE_CIRCLE, 1e-8, &answer, NULL),
                     TACT_BAD_ARGUMENT);
}

// ---------------------------------------------------------------------------------------------
// Ranges

/// The least and most of p_n along the null vectors of a problem, as a bound from inside.
static void check_inside(const Rest *rest, const double *p, const TactContactRange *range)
{
    for (int i = 0; i < rest->scene.problem.contact_count; i++) {
        double slack = 1e-9 * sqrt(square(p, 3 * MOST));
        assert_true(p[3 * i] >= range[i].least - slack);
        assert_true(p[3 * i] <= range[i].most + slack);
    }
}

static void legs_without_friction_range_as_far_as_their_null_vector_lets_them(void **state)
{
    (void)state;
    Rest rest = {0};
    scene_block_on_plane(&rest.scene);
    double h = rest.scene.problem.step, weight = 2 * GRAVITY * h, x = 0.25, y = 0.5;
    for (int k = 0; k < 4; k++) {
        double sx = k % 2 ? 1 : -1, sy = k / 2 ? 1 : -1;
        rest.scene.contacts[k].mu = 0;
        rest.p[3 * k] = weight * (1 + sx * x + sy * y) / 4;
    }
    rest.scene.bodies[0].torque[0] = -2 * GRAVITY * y;
    rest.scene.bodies[0].torque[1] = 2 * GRAVITY * x;
    for (int cone = 0; cone < 3; cone++) {
        TactContactRange  range[4];
        TactContactAnswer answer = {.impulse = rest.p};
        assert_int_equal(
            tact_contact_compute_ranges(&rest.scene.problem, (TactContactCone)cone, &answer, range),
            TACT_OK);
        // p + a sx sy >= 0: a from -min over sx sy = 1 to min over sx sy = -1
        double down = fmin(rest.p[0], rest.p[9]), up = fmin(rest.p[3], rest.p[6]);
        for (int k = 0; k < 4; k++) {
            bool   same = k == 0 || k == 3;
            double least = rest.p[3 * k] - (same ? down : up);
            double most = rest.p[3 * k] + (same ? up : down);
            assert_true(range[k].exact);
            assert_true(fabs(range[k].least - least) <= 1e-10 * weight);
            assert_true(fabs(range[k].most - most) <= 1e-10 * weight);
        }
    }
}

static void walls_that_face_each_other_may_squeeze_as_they_like(void **state)
{
    (void)state;
    Rest rest = {0};
    scene_clear(&rest.scene);
    scene_add_cube(&rest.scene, 2, 1, 0, 0, 0);
    double half = GRAVITY * rest.scene.problem.step, squeeze = 4 * half;
    for (int k = 0; k < 2; k++) {
        TactContact *contact = scene_add_contact(&rest.scene, -1, 0, k ? 1 : -1, 0, 0, 0.5);
        double       wall[3] = {k ? -1 : 1, 0, 0}, up[3] = {0, 0, 1};
        memcpy(contact->normal, wall, sizeof wall);
        memcpy(contact->tangent, up, sizeof up);
        rest.p[3 * k] = squeeze;
        rest.p[3 * k + 1] = half;
    }
    for (int cone = 0; cone < 2; cone++) {
        TactContactRange  range[2];
        TactContactAnswer answer = {.impulse = rest.p};
        assert_int_equal(
            tact_contact_compute_ranges(&rest.scene.problem, (TactContactCone)cone, &answer, range),
            TACT_OK);
        for (int k = 0; k < 2; k++) { // least: all friction is used, mu p_n = half the weight
            assert_true(isinf(range[k].most));
            assert_true(fabs(range[k].least - half / 0.5) <= 1e-7 * half);
        }
    }
    // And the least norm is the least squeeze.
    double p[3 * MOST];
    assert_int_equal(share(&rest, TACT_CONE_CIRCLE, p).outcome, TACT_SHARING_OUTCOME_FOUND);
    assert_true(fabs(p[0] - half / 0.5) <= 1e-9 * half && fabs(p[1] - half) <= 1e-9 * half);
}

static void ranges_hold_the_answer_and_the_least_norm_and_each_other(void **state)
{
    (void)state;
    TactRandom random = tact_random_seed(11);
    Rest       rest;
    int        ranged = 0;
    for (int k = 0; k < 60; k++) {
        TactContactCone  cone = (TactContactCone)(k % 2);
        TactContactRange range[MOST];
        double           p[3 * MOST];
        make(&random, cone, 5 + k % 8, 1, &rest);
        TactContactAnswer answer = {.impulse = rest.p};
        assert_int_equal(tact_contact_compute_ranges(&rest.scene.problem, cone, &answer, range),
                         TACT_OK);
        check_inside(&rest, rest.p, range);
        share(&rest, cone, p);
        check_inside(&rest, p, range);
        // From the other answer they are the same.
        TactContactRange again[MOST];
        answer.impulse = p;
        assert_int_equal(tact_contact_compute_ranges(&rest.scene.problem, cone, &answer, again),
                         TACT_OK);
        for (int i = 0; i < rest.scene.problem.contact_count; i++) {
            double size = sqrt(square(rest.p, 3 * MOST));
            if (range[i].exact && again[i].exact && isfinite(range[i].most)) {
                assert_true(fabs(range[i].least - again[i].least) <= 1e-6 * size);
                assert_true(fabs(range[i].most - again[i].most) <= 1e-6 * (size + range[i].most));
                ranged += range[i].most - range[i].least > 1e-6 * size;
            }
        }
    }
    assert_true(ranged > 100);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(no_impulses_of_the_same_motion_have_a_smaller_norm),
        cmocka_unit_test(four_legs_of_a_table_carry_what_plane_springs_would),
        cmocka_unit_test(a_single_contact_keeps_its_bits),
        cmocka_unit_test(an_answer_that_is_none_stays_what_it_is),
        cmocka_unit_test(numbers_that_are_none_are_refused_with_their_contact),
        cmocka_unit_test(legs_without_friction_range_as_far_as_their_null_vector_lets_them),
        cmocka_unit_test(walls_that_face_each_other_may_squeeze_as_they_like),
        cmocka_unit_test(ranges_hold_the_answer_and_the_least_norm_and_each_other),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
