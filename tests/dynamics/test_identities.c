// Recursive algorithms against one another and against derivatives, on random trees with joints of
// every type. Errors are relative to the largest entry, 1e-10 at most.
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "trees.h"

enum { SIZES = 6, STATES = 3 };
static const int sizes[SIZES] = {1, 3, 10, 30, 80, 200};

typedef struct Case {
    TactModel    *model;
    TactDynamics *dynamics;
    TactRandom    random;
    double       *q, *v, *a, *b, *c;
    TactWrench   *external;
} Case;

static double *numbers(int n)
{
    double *x = calloc((size_t)n + 1, sizeof *x);
    assert_non_null(x);
    return x;
}

static Case make_case(int s)
{
    Case c = {.model = random_tree((uint64_t)s + 1, sizes[s]),
              .random = tact_random_seed((uint64_t)s + 1001)};
    assert_int_equal(tact_dynamics_create(c.model, &c.dynamics), TACT_OK);
    c.q = numbers(c.model->nq);
    c.v = numbers(c.model->nv);
    c.a = numbers(c.model->nv);
    c.b = numbers(c.model->nv);
    c.c = numbers(c.model->nv);
    c.external = calloc((size_t)c.model->body_count, sizeof *c.external);
    assert_non_null(c.external);
    return c;
}

static void free_case(Case *c)
{
    tact_dynamics_destroy(c->dynamics);
    tact_model_destroy(c->model);
    free(c->q);
    free(c->v);
    free(c->a);
    free(c->b);
    free(c->c);
    free(c->external);
}

static void next_state(Case *c)
{
    random_state(c->model, &c->random, c->q, c->v);
    assert_int_equal(tact_dynamics_set_position(c->dynamics, c->q), TACT_OK);
    assert_int_equal(tact_dynamics_set_velocity(c->dynamics, c->v), TACT_OK);
    for (int i = 0; i < c->model->nv; i++) {
        c->a[i] = tact_random_normal(&c->random);
    }
    for (int i = 1; i < c->model->body_count; i++) {
        double *w = (double *)&c->external[i];
        for (int k = 0; k < 6; k++) {
            w[k] = tact_random_normal(&c->random);
        }
    }
}

/// Runs a check in random states of random trees; prints and bounds its worst error.
static void for_random_states(double (*check)(Case *c), double bound, const char *what)
{
    double worst = 0;
    for (int s = 0; s < SIZES; s++) {
        Case c = make_case(s);
        for (int k = 0; k < STATES; k++) {
            next_state(&c);
            worst = fmax(worst, check(&c));
        }
        free_case(&c);
    }
    printf("%s: %.1e\n", what, worst);
    assert_true(worst <= bound);
}

static double inverse_of_forward(Case *c)
{
    tact_dynamics_compute_forward(c->dynamics, c->a, c->external, NULL, c->b);
    tact_dynamics_compute_inverse(c->dynamics, c->b, c->external, c->c);
    return relative_distance(c->c, c->a, c->model->nv);
}

static void inverse_dynamics_undoes_forward_dynamics(void **state)
{
    (void)state;
    for_random_states(inverse_of_forward, 1e-10, "RNEA(ABA(tau)) = tau");
}

/// Column j of M is RNEA(e_j) - RNEA(0).
static double columns_of_mass(Case *c)
{
    int     n = c->model->nv;
    double *M = numbers(n * n), *R = numbers(n * n);
    tact_dynamics_compute_mass(c->dynamics, NULL);
    tact_dynamics_get_mass(c->dynamics, M);
    tact_dynamics_compute_inverse(c->dynamics, NULL, NULL, c->b);
    memset(c->a, 0, (size_t)n * sizeof *c->a);
    for (int j = 0; j < n; j++) {
        c->a[j] = 1;
        tact_dynamics_compute_inverse(c->dynamics, c->a, NULL, c->c);
        c->a[j] = 0;
        for (int i = 0; i < n; i++) {
            R[i * n + j] = c->c[i] - c->b[i];
        }
    }
    double distance = relative_distance(R, M, n * n);
    free(M);
    free(R);
    return distance;
}

static void columns_of_the_mass_matrix_are_inverse_dynamics(void **state)
{
    (void)state;
    for_random_states(columns_of_mass, 1e-10, "CRBA = columns by RNEA");
}

static double equation_of_motion(Case *c)
{
    tact_dynamics_compute_mass(c->dynamics, NULL);
    tact_dynamics_compute_forward(c->dynamics, c->a, c->external, NULL, c->b);
    tact_dynamics_multiply_mass(c->dynamics, c->b, c->c);
    tact_dynamics_compute_inverse(c->dynamics, NULL, c->external, c->b);
    for (int i = 0; i < c->model->nv; i++) {
        c->c[i] += c->b[i];
    }
    return relative_distance(c->c, c->a, c->model->nv);
}

static void mass_times_acceleration_plus_bias_is_force(void **state)
{
    (void)state;
    for_random_states(equation_of_motion, 1e-10, "M ABA(tau) + bias = tau");
}

static double factor_solves(Case *c)
{
    int n = c->model->nv;
    tact_dynamics_compute_mass(c->dynamics, NULL);
    memcpy(c->b, c->a, (size_t)n * sizeof *c->b);
    tact_dynamics_solve_mass(c->dynamics, c->b);
    tact_dynamics_multiply_mass(c->dynamics, c->b, c->c);
    return relative_distance(c->c, c->a, n);
}

static void factor_of_the_mass_matrix_solves(void **state)
{
    (void)state;
    for_random_states(factor_solves, 1e-10, "M M^-1 x = x");
}

static double damped_forward(Case *c)
{
    int n = c->model->nv;
    for (int i = 0; i < n; i++) {
        c->v[i] = 0.02 * c->model->dofs[i].damping;
    }
    tact_dynamics_compute_forward(c->dynamics, c->a, NULL, c->v, c->b);
    tact_dynamics_compute_mass(c->dynamics, c->v);
    tact_dynamics_compute_inverse(c->dynamics, NULL, NULL, c->c);
    for (int i = 0; i < n; i++) {
        c->a[i] -= c->c[i];
    }
    tact_dynamics_solve_mass(c->dynamics, c->a);
    return relative_distance(c->b, c->a, n);
}

static void implicit_damping_is_the_same_in_both_forward_dynamics(void **state)
{
    (void)state;
    for_random_states(damped_forward, 1e-10, "ABA with damping = (M + hD)^-1");
}

/// J v = velocity of the point, dense and sparse, for the last body.
static double jacobian_times_velocity(Case *c)
{
    int       n = c->model->nv, body = c->model->body_count - 1;
    TactVec3  point = {0.3, -0.2, 0.5};
    double   *J = numbers(6 * n), *sparse = numbers(6 * n);
    int      *dofs = calloc((size_t)n + 1, sizeof *dofs);
    TactTwist twist = tact_dynamics_compute_velocity(c->dynamics, body, point);
    double    u[6] = {0}, w[6] = {0};
    double    expected[6] = {twist.linear.x,  twist.linear.y,  twist.linear.z,
                             twist.angular.x, twist.angular.y, twist.angular.z};
    assert_non_null(dofs);
    tact_dynamics_compute_jacobian(c->dynamics, body, point, J);
    int count = tact_dynamics_compute_jacobian_sparse(c->dynamics, body, point, sparse, n, dofs);
    for (int r = 0; r < 6; r++) {
        for (int i = 0; i < n; i++) {
            u[r] += J[r * n + i] * c->v[i];
        }
        for (int i = 0; i < count; i++) {
            w[r] += sparse[r * n + i] * c->v[dofs[i]];
        }
    }
    free(J);
    free(sparse);
    free(dofs);
    return fmax(relative_distance(u, expected, 6), relative_distance(w, expected, 6));
}

static void jacobians_give_the_velocity_of_points(void **state)
{
    (void)state;
    for_random_states(jacobian_times_velocity, 1e-10, "J v = velocity");
}

static double energy_as_a_form(Case *c)
{
    double energy = 0;
    tact_dynamics_compute_mass(c->dynamics, NULL);
    tact_dynamics_multiply_mass(c->dynamics, c->v, c->b);
    for (int i = 0; i < c->model->nv; i++) {
        energy += 0.5 * c->v[i] * c->b[i];
    }
    return fabs(tact_dynamics_compute_kinetic_energy(c->dynamics) - energy) / (1 + energy);
}

static void energy_of_motion_is_the_quadratic_form(void **state)
{
    (void)state;
    for_random_states(energy_as_a_form, 1e-10, "v'Mv / 2 = kinetic energy");
}

// ---------------------------------------------------------------------------------------------
// Derivatives: central differences along the exponential map have errors of h^2 and eps / h.

static const double h = 1e-5;

static double slope_of_positions(Case *c)
{
    int       body = c->model->body_count - 1;
    double   *q = numbers(c->model->nq);
    TactVec3  x[2];
    TactVec3  here = tact_dynamics_view_poses(c->dynamics)[body].position;
    TactTwist twist = tact_dynamics_compute_velocity(c->dynamics, body, here);
    for (int side = 0; side < 2; side++) {
        tact_dynamics_integrate(c->model, c->q, c->v, side ? h : -h, q);
        assert_int_equal(tact_dynamics_set_position(c->dynamics, q), TACT_OK);
        x[side] = tact_dynamics_view_poses(c->dynamics)[body].position;
    }
    TactVec3 slope = tact_vec3_scale(0.5 / h, tact_vec3_subtract(x[1], x[0]));
    free(q);
    return tact_vec3_norm(tact_vec3_subtract(slope, twist.linear)) /
           (1 + tact_vec3_norm(twist.linear));
}

static void positions_move_with_the_velocity(void **state)
{
    (void)state;
    for_random_states(slope_of_positions, 1e-6, "dx/dt by differences");
}

/// Power: d/dt (kinetic + potential energy) = v' tau for tau without dampers.
static double power_error(Case *c)
{
    double *q = numbers(c->model->nq), *v = numbers(c->model->nv), energy[2], power = 0;
    int     n = c->model->nv;
    tact_dynamics_compute_passive(c->dynamics, c->c);
    for (int i = 0; i < n; i++) {
        power += c->v[i] * c->a[i];
        c->a[i] += c->c[i] + c->model->dofs[i].damping * c->v[i];
    }
    for (int b = 1; b < c->model->body_count; b++) { // carried weight does work as well
        const TactBody *body = &c->model->bodies[b];
        TactVec3        com =
            tact_transform_point(tact_dynamics_view_poses(c->dynamics)[b], body->inertia.com);
        TactTwist twist = tact_dynamics_compute_velocity(c->dynamics, b, com);
        power -= body->gravity_compensation * body->inertia.mass *
                 tact_vec3_dot(c->model->options.gravity, twist.linear);
    }
    tact_dynamics_compute_forward(c->dynamics, c->a, NULL, NULL, c->b);
    for (int side = 0; side < 2; side++) {
        double t = side ? h : -h;
        for (int i = 0; i < n; i++) {
            v[i] = c->v[i] + 0.5 * t * c->b[i];
        }
        tact_dynamics_integrate(c->model, c->q, v, t, q);
        for (int i = 0; i < n; i++) {
            v[i] = c->v[i] + t * c->b[i];
        }
        assert_int_equal(tact_dynamics_set_position(c->dynamics, q), TACT_OK);
        assert_int_equal(tact_dynamics_set_velocity(c->dynamics, v), TACT_OK);
        energy[side] = tact_dynamics_compute_kinetic_energy(c->dynamics) +
                       tact_dynamics_compute_potential_energy(c->dynamics);
    }
    double slope = (energy[1] - energy[0]) / (2 * h);
    free(q);
    free(v);
    return fabs(slope - power) / (1 + fabs(power) + fabs(energy[0]));
}

static void energy_changes_by_the_power_of_the_forces(void **state)
{
    (void)state;
    for_random_states(power_error, 1e-5, "dE/dt = power");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(inverse_dynamics_undoes_forward_dynamics),
        cmocka_unit_test(columns_of_the_mass_matrix_are_inverse_dynamics),
        cmocka_unit_test(mass_times_acceleration_plus_bias_is_force),
        cmocka_unit_test(factor_of_the_mass_matrix_solves),
        cmocka_unit_test(implicit_damping_is_the_same_in_both_forward_dynamics),
        cmocka_unit_test(jacobians_give_the_velocity_of_points),
        cmocka_unit_test(energy_of_motion_is_the_quadratic_form),
        cmocka_unit_test(positions_move_with_the_velocity),
        cmocka_unit_test(energy_changes_by_the_power_of_the_forces),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
