// The second opinion itself: right answers of closed form pass, and small changes of them do not.
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "oracle/contact_law.h"

/// A mass of 2 kg at the origin on a plane, its contact at the centre: p = -m v_n, friction
/// -mu p_n against the slip, or -m v_t where that is less.
typedef struct Particle {
    TactContactBody    body;
    TactContact        contact;
    TactContactProblem problem;
    double             p[3];
    double             v[6];
} Particle;

static void particle_create(Particle *particle, double vx, double vy, double mu)
{
    *particle = (Particle){
        .body = {.mass = 2, .inertia = {1, 1, 1}, .velocity = {vx, vy, -3}},
        .contact = {.a = -1, .b = 0, .normal = {0, 0, 1}, .tangent = {1, 0, 0}, .mu = mu},
        .p = {6},
    };
    particle->problem = (TactContactProblem){
        .step = 0.01,
        .body_count = 1,
        .bodies = &particle->body,
        .contact_count = 1,
        .contacts = &particle->contact,
    };
    double speed = hypot(vx, vy);
    double friction = fmin(2 * speed, mu * 6);
    if (speed > 0) {
        particle->p[1] = -friction * vx / speed;
        particle->p[2] = -friction * vy / speed;
    }
    particle->v[0] = vx + particle->p[1] / 2;
    particle->v[1] = vy + particle->p[2] / 2;
}

static TactOracleVerdict verdict_of(const Particle *particle, TactContactCone cone)
{
    TactOracleContact oracle;
    assert_true(tact_oracle_contact_begin(&oracle, &particle->problem));
    TactOracleVerdict verdict =
        tact_oracle_contact_check(&oracle, cone, particle->p, NULL, particle->v);
    tact_oracle_contact_end(&oracle);
    return verdict;
}

static void sliding_and_sticking_particles_pass(void **state)
{
    (void)state;
    for (int k = 0; k < 8; k++) {
        Particle particle;
        // Along a direction of the pyramid, the pyramid and the circle have the same answer.
        particle_create(&particle, 0.5 * k, 0, 0.3);
        assert_true(verdict_of(&particle, TACT_CONE_CIRCLE).strict < 1e-15);
        assert_true(verdict_of(&particle, TACT_CONE_PYRAMID).strict < 1e-15);
        assert_true(verdict_of(&particle, TACT_CONE_BOX).strict < 1e-15);
        assert_true(verdict_of(&particle, TACT_CONE_CIRCLE).motion < 1e-15);
    }
    Particle particle;
    particle_create(&particle, 3, 4, 0.3);
    assert_true(verdict_of(&particle, TACT_CONE_CIRCLE).strict < 1e-15);
    assert_true(verdict_of(&particle, TACT_CONE_PYRAMID).strict > 1e-3);
    assert_true(verdict_of(&particle, TACT_CONE_BOX).strict > 1e-3);
}

static void a_changed_impulse_of_one_part_in_a_million_does_not(void **state)
{
    (void)state;
    for (int k = 0; k < 3; k++) {
        for (int sign = -1; sign <= 1; sign += 2) {
            Particle particle;
            particle_create(&particle, 3, 4, 0.3);
            particle.p[k] *= 1 + sign * 1e-6;
            TactOracleVerdict verdict = verdict_of(&particle, TACT_CONE_CIRCLE);
            assert_true(verdict.strict > 1e-7);
            assert_true(verdict.law > 1e-8);
            assert_true(verdict.motion > 1e-8);
        }
    }
}

static void velocities_that_do_not_follow_from_the_impulses_are_found(void **state)
{
    (void)state;
    Particle particle;
    particle_create(&particle, 3, 4, 0.3);
    particle.v[1] += 1e-6;
    assert_true(verdict_of(&particle, TACT_CONE_CIRCLE).motion > 1e-8);
    assert_true(verdict_of(&particle, TACT_CONE_CIRCLE).law < 1e-15);
    particle.v[1] = NAN;
    assert_true(isinf(verdict_of(&particle, TACT_CONE_CIRCLE).motion));
    particle.p[0] = NAN;
    assert_true(isinf(verdict_of(&particle, TACT_CONE_CIRCLE).law));
}

/// A gram beside a tonne: an answer that is wrong at the light contact alone is wrong.
static void a_light_contact_is_not_hidden_by_a_heavy_one(void **state)
{
    (void)state;
    TactContactBody bodies[2] = {
        {.mass = 1e-3, .inertia = {1e-6, 1e-6, 1e-6}, .velocity = {0, 0, -1}},
        {.mass = 1e3, .inertia = {1, 1, 1}, .position = {1, 0, 0}, .velocity = {0, 0, -1}},
    };
    TactContact contacts[2] = {
        {.a = -1, .b = 0, .normal = {0, 0, 1}, .mu = 0.5},
        {.a = -1, .b = 1, .point = {1, 0, 0}, .normal = {0, 0, 1}, .mu = 0.5},
    };
    TactContactProblem problem = {
        .step = 0.01,
        .body_count = 2,
        .bodies = bodies,
        .contact_count = 2,
        .contacts = contacts,
    };
    double            p[6] = {1e-3, 0, 0, 1e3, 0, 0}, v[12] = {0};
    TactOracleContact oracle;
    assert_true(tact_oracle_contact_begin(&oracle, &problem));
    assert_true(tact_oracle_contact_check(&oracle, TACT_CONE_CIRCLE, p, NULL, v).law < 1e-15);
    p[0] *= 1 - 1e-6;
    v[2] = -1e-6;
    TactOracleVerdict verdict = tact_oracle_contact_check(&oracle, TACT_CONE_CIRCLE, p, NULL, v);
    assert_true(verdict.law > 1e-7);
    assert_int_equal(verdict.worst, 0);
    tact_oracle_contact_end(&oracle);
}

/// The same bodies as bodies, and as a mass matrix with J; forces and a spin included.
static void bodies_and_their_mass_matrix_are_judged_alike(void **state)
{
    (void)state;
    TactContactBody body = {.mass = 2,
                            .inertia = {1, 2, 3, 0.1, 0.2, 0.3},
                            .position = {0.3, 0.2, 0.5},
                            .velocity = {1, 2, -3},
                            .omega = {0.3, -0.2, 0.1},
                            .force = {1, 2, -20},
                            .torque = {0.3, 0.2, 0.1}};
    TactContact     contact = {.a = -1,
                               .b = 0,
                               .point = {0.1, -0.2, 0},
                               .normal = {0, 0.6, 0.8},
                               .tangent = {1, 0, 0},
                               .mu = 0.4};
    // t1 = x, t2 = n x t1 = (0, 0.8, -0.6); r = point - position = (-0.2, -0.4, -0.5).
    double J[18] = {0, 0.6,  0.8, -0.02, 0.16, -0.12, 1,    0,     0,
                    0, -0.5, 0.4, 0,     0.8,  -0.6,  0.64, -0.12, -0.16};
    double M[36] = {2, 0, 0, 0, 0,   0,   0, 2, 0, 0,   0, 0,   0, 0, 2, 0,   0,   0,
                    0, 0, 0, 1, 0.1, 0.2, 0, 0, 0, 0.1, 2, 0.3, 0, 0, 0, 0.2, 0.3, 3};
    double v[6] = {1, 2, -3, 0.3, -0.2, 0.1};
    // omega x I omega with I omega = (0.3, -0.34, 0.3)
    double tau[6] = {1, 2, -20, 0.3 - (-0.06 + 0.034), 0.2 - (0.03 - 0.09), 0.1 - (-0.102 + 0.06)};
    TactContact        given = {.J = J, .mu = 0.4};
    TactContactProblem first = {
        .step = 0.01, .body_count = 1, .bodies = &body, .contact_count = 1, .contacts = &contact};
    TactContactProblem second = {
        .step = 0.01, .nv = 6, .M = M, .v = v, .tau = tau, .contact_count = 1, .contacts = &given};
    double            p[3] = {0.5, 0.1, -0.05}, after[6] = {0};
    TactOracleContact a, b;
    assert_true(tact_oracle_contact_begin(&a, &first));
    assert_true(tact_oracle_contact_begin(&b, &second));
    tact_oracle_contact_check(&a, TACT_CONE_CIRCLE, p, NULL, after);
    tact_oracle_contact_check(&b, TACT_CONE_CIRCLE, p, NULL, after);
    for (int k = 0; k < 6; k++) {
        assert_true(fabsl(a.v[k] - b.v[k]) < 1e-15L);
    }
    tact_oracle_contact_end(&a);
    tact_oracle_contact_end(&b);
}

/// Joint rows: two particles on a rail share their velocity, a motor pushes with all it has, and a
/// limit holds.
static void joint_rows_are_checked(void **state)
{
    (void)state;
    double         M[4] = {1, 0, 0, 3}, v[2] = {1, 5}, tau[2] = {0, 0};
    double         together[2] = {1, -1}, first[2] = {1, 0};
    TactContactRow rows[3] = {
        {.kind = TACT_ROW_BILATERAL, .J = together},
        {.kind = TACT_ROW_MOTOR, .J = first, .target = -10, .force_max = 200},
        {.kind = TACT_ROW_UNILATERAL, .J = first, .target = 3.6},
    };
    TactContactProblem problem = {
        .step = 0.01, .nv = 2, .M = M, .v = v, .tau = tau, .row_count = 3, .rows = rows};
    // Momentum 1 + 15 - 2 (motor) + 0.4 (limit) = 4 * 3.6; the bilateral row moves the first from
    // 1 - 2 + 0.4 to 3.6.
    double            p[3] = {4.2, -2, 0.4}, after[2] = {3.6, 3.6};
    TactOracleContact oracle;
    assert_true(tact_oracle_contact_begin(&oracle, &problem));
    assert_true(tact_oracle_contact_check(&oracle, TACT_CONE_CIRCLE, NULL, p, after).strict <
                1e-15);
    for (int k = 0; k < 3; k++) {
        double changed[3] = {p[0], p[1], p[2]};
        changed[k] *= 1 + 1e-6;
        TactOracleVerdict verdict =
            tact_oracle_contact_check(&oracle, TACT_CONE_CIRCLE, NULL, changed, after);
        assert_true(verdict.law > 1e-8);
    }
    tact_oracle_contact_end(&oracle);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sliding_and_sticking_particles_pass),
        cmocka_unit_test(a_changed_impulse_of_one_part_in_a_million_does_not),
        cmocka_unit_test(velocities_that_do_not_follow_from_the_impulses_are_found),
        cmocka_unit_test(a_light_contact_is_not_hidden_by_a_heavy_one),
        cmocka_unit_test(bodies_and_their_mass_matrix_are_judged_alike),
        cmocka_unit_test(joint_rows_are_checked),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
