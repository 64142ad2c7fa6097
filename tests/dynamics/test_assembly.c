// Divide and conquer against the articulated-body algorithm, the mass matrix and Jacobians, on
// random trees and chains; threads against one.
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "trees.h"

enum { SIZES = 6, STATES = 3, HANDLES = 7 };
static const int sizes[SIZES] = {1, 3, 10, 30, 80, 200};

typedef struct Case {
    TactModel    *model;
    TactDynamics *dynamics;
    TactAssembly *assembly;
    TactRandom    random;
    double       *q, *v, *tau, *a, *b;
    TactWrench   *external;
    TactHandle    handles[HANDLES];
    TactWrench    force[HANDLES];
} Case;

static double *numbers(int n)
{
    double *x = calloc((size_t)n + 1, sizeof *x);
    assert_non_null(x);
    return x;
}

static Case make_case(TactModel *model, uint64_t seed, int threads)
{
    Case c = {.model = model, .random = tact_random_seed(seed)};
    assert_int_equal(tact_dynamics_create(c.model, &c.dynamics), TACT_OK);
    assert_int_equal(tact_assembly_create(c.dynamics, threads, &c.assembly), TACT_OK);
    c.q = numbers(c.model->nq);
    c.v = numbers(c.model->nv);
    c.tau = numbers(c.model->nv);
    c.a = numbers(c.model->nv);
    c.b = numbers(c.model->nv);
    c.external = calloc((size_t)c.model->body_count, sizeof *c.external);
    assert_non_null(c.external);
    return c;
}

static void free_case(Case *c)
{
    tact_assembly_destroy(c->assembly);
    tact_dynamics_destroy(c->dynamics);
    tact_model_destroy(c->model);
    free(c->q);
    free(c->v);
    free(c->tau);
    free(c->a);
    free(c->b);
    free(c->external);
}

static TactWrench random_wrench(TactRandom *random)
{
    TactWrench w;
    double    *x = (double *)&w;
    for (int k = 0; k < 6; k++) {
        x[k] = tact_random_normal(random);
    }
    return w;
}

static void next_state(Case *c)
{
    random_state(c->model, &c->random, c->q, c->v);
    assert_int_equal(tact_dynamics_set_position(c->dynamics, c->q), TACT_OK);
    assert_int_equal(tact_dynamics_set_velocity(c->dynamics, c->v), TACT_OK);
    for (int i = 0; i < c->model->nv; i++) {
        c->tau[i] = tact_random_normal(&c->random);
    }
    for (int i = 1; i < c->model->body_count; i++) {
        c->external[i] = random_wrench(&c->random);
    }
    for (int i = 0; i < HANDLES; i++) { // some bodies twice, sometimes the world
        uint64_t      body = tact_random_next(&c->random) % (uint64_t)c->model->body_count;
        TactTransform pose = tact_dynamics_view_poses(c->dynamics)[body];
        TactVec3      point = {0.1 * i, 0.2, -0.1};
        c->handles[i] = (TactHandle){(int)body, tact_transform_point(pose, point)};
        c->force[i] = random_wrench(&c->random);
    }
    assert_int_equal(tact_assembly_set_handles(c->assembly, c->handles, HANDLES), TACT_OK);
}

static void for_random_states(double (*check)(Case *c), double bound, const char *what)
{
    double worst = 0;
    for (int s = 0; s < SIZES; s++) {
        Case c = make_case(random_tree((uint64_t)s + 1, sizes[s]), (uint64_t)s + 77, 1);
        for (int k = 0; k < STATES; k++) {
            next_state(&c);
            worst = fmax(worst, check(&c));
        }
        free_case(&c);
    }
    printf("%s: %.1e\n", what, worst);
    assert_true(worst <= bound);
}

/// Forces on handles as generalized forces: tau += J'f.
static void add_handle_forces(Case *c, double *tau)
{
    int     n = c->model->nv;
    double *J = numbers(6 * n);
    for (int h = 0; h < HANDLES; h++) {
        const double *f = (const double *)&c->force[h];
        tact_dynamics_compute_jacobian(c->dynamics, c->handles[h].body, c->handles[h].point, J);
        for (int r = 0; r < 6; r++) {
            for (int i = 0; i < n; i++) {
                tau[i] += J[r * n + i] * f[r];
            }
        }
    }
    free(J);
}

static double forward_distance(Case *c)
{
    TactAssemblyInput input = {.tau = c->tau, .external = c->external};
    tact_assembly_compute(c->assembly, &input);
    tact_assembly_finish(c->assembly, c->force, c->a, NULL);
    add_handle_forces(c, c->tau);
    tact_dynamics_compute_forward(c->dynamics, c->tau, c->external, NULL, c->b);
    return relative_distance(c->a, c->b, c->model->nv);
}

static void forward_dynamics_is_that_of_articulated_bodies(void **state)
{
    (void)state;
    for_random_states(forward_distance, 1e-10, "assembly = ABA");
}

/// Phi_ij = J_i M^-1 J_j'
static double inertia_distance(Case *c)
{
    int     n = c->model->nv;
    double  worst = 0;
    double *Ji = numbers(6 * n), *Jj = numbers(6 * n), *x = numbers(n);
    tact_dynamics_compute_mass(c->dynamics, NULL);
    tact_assembly_compute(c->assembly, NULL);
    for (int i = 0; i < HANDLES; i++) {
        tact_dynamics_compute_jacobian(c->dynamics, c->handles[i].body, c->handles[i].point, Ji);
        for (int j = 0; j < HANDLES; j++) {
            double Phi[36], expected[36] = {0};
            tact_dynamics_compute_jacobian(c->dynamics, c->handles[j].body, c->handles[j].point,
                                           Jj);
            for (int k = 0; k < 6; k++) {
                memcpy(x, Jj + (size_t)k * (size_t)n, (size_t)n * sizeof *x);
                tact_dynamics_solve_mass(c->dynamics, x);
                for (int r = 0; r < 6; r++) {
                    for (int e = 0; e < n; e++) {
                        expected[6 * r + k] += Ji[r * n + e] * x[e];
                    }
                }
            }
            tact_assembly_get_inverse_inertia(c->assembly, i, j, Phi);
            worst = fmax(worst, relative_distance(Phi, expected, 36));
        }
    }
    free(Ji);
    free(Jj);
    free(x);
    return worst;
}

static void inverse_inertias_are_those_of_jacobians(void **state)
{
    (void)state;
    for_random_states(inertia_distance, 1e-10, "Phi = J M^-1 J'");
}

/// b_i + sum_j Phi_ij f_j is the acceleration of the point: by differences of its velocity.
static double bias_distance(Case *c)
{
    const double      h = 1e-5;
    int               n = c->model->nv;
    double            worst = 0, *q = numbers(c->model->nq), *v = numbers(n);
    TactAssemblyInput input = {.tau = c->tau, .external = c->external};
    TactTwist         told[HANDLES], change[HANDLES][2];
    TactVec3          local[HANDLES];
    tact_assembly_compute(c->assembly, &input);
    tact_assembly_finish(c->assembly, NULL, c->a, NULL);
    for (int i = 0; i < HANDLES; i++) {
        told[i] = tact_assembly_get_bias(c->assembly, i);
        local[i] = tact_transform_point_back(
            tact_dynamics_view_poses(c->dynamics)[c->handles[i].body], c->handles[i].point);
    }
    for (int side = 0; side < 2; side++) {
        double t = side ? h : -h;
        for (int i = 0; i < n; i++) {
            v[i] = c->v[i] + 0.5 * t * c->a[i];
        }
        tact_dynamics_integrate(c->model, c->q, v, t, q);
        for (int i = 0; i < n; i++) {
            v[i] = c->v[i] + t * c->a[i];
        }
        assert_int_equal(tact_dynamics_set_position(c->dynamics, q), TACT_OK);
        assert_int_equal(tact_dynamics_set_velocity(c->dynamics, v), TACT_OK);
        for (int i = 0; i < HANDLES; i++) {
            int      body = c->handles[i].body;
            TactVec3 point =
                tact_transform_point(tact_dynamics_view_poses(c->dynamics)[body], local[i]);
            change[i][side] = tact_dynamics_compute_velocity(c->dynamics, body, point);
        }
    }
    for (int i = 0; i < HANDLES; i++) {
        double slope[6];
        for (int r = 0; r < 6; r++) {
            slope[r] = (((double *)&change[i][1])[r] - ((double *)&change[i][0])[r]) / (2 * h);
        }
        worst = fmax(worst, relative_distance(slope, (double *)&told[i], 6));
    }
    free(q);
    free(v);
    return worst;
}

static void bias_accelerations_are_derivatives_of_velocities(void **state)
{
    (void)state;
    for_random_states(bias_distance, 1e-5, "b = dv/dt of the point");
}

/// Every other dof prescribed: the forces it took, given back, make the same motion.
static double prescribed_distance(Case *c)
{
    int               n = c->model->nv;
    bool             *prescribed = calloc((size_t)n + 1, sizeof *prescribed);
    double           *wanted = numbers(n);
    TactAssemblyInput input = {c->tau, c->external, prescribed, wanted};
    double            distance = 0;
    assert_non_null(prescribed);
    for (int i = 0; i < n; i++) {
        prescribed[i] = tact_random_next(&c->random) % 2;
        wanted[i] = tact_random_normal(&c->random);
    }
    tact_assembly_compute(c->assembly, &input);
    tact_assembly_finish(c->assembly, c->force, c->a, c->tau);
    for (int i = 0; i < n; i++) {
        distance = prescribed[i] ? fmax(distance, fabs(c->a[i] - wanted[i])) : distance;
    }
    add_handle_forces(c, c->tau);
    tact_dynamics_compute_forward(c->dynamics, c->tau, c->external, NULL, c->b);
    distance = fmax(distance, relative_distance(c->a, c->b, n));
    free(prescribed);
    free(wanted);
    return distance;
}

static void prescribed_joints_move_as_told_and_tell_their_force(void **state)
{
    (void)state;
    for_random_states(prescribed_distance, 1e-10, "prescribed joints");
}

static void threads_do_not_change_a_bit(void **state)
{
    (void)state;
    for (int threads = 2; threads <= 4; threads++) {
        Case one = make_case(chain_model(200, TACT_JOINT_BALL, 0.1, 0.2), 5, 1);
        Case many = make_case(chain_model(200, TACT_JOINT_BALL, 0.1, 0.2), 5, threads);
        for (int round = 0; round < 20; round++) {
            next_state(&one);
            next_state(&many);
            TactAssemblyInput input[2] = {{.tau = one.tau, .external = one.external},
                                          {.tau = many.tau, .external = many.external}};
            tact_assembly_compute(one.assembly, &input[0]);
            tact_assembly_compute(many.assembly, &input[1]);
            tact_assembly_finish(one.assembly, one.force, one.a, NULL);
            tact_assembly_finish(many.assembly, many.force, many.a, NULL);
            assert_memory_equal(one.a, many.a, (size_t)one.model->nv * sizeof *one.a);
        }
        free_case(&one);
        free_case(&many);
    }
}

static void handles_that_do_not_exist_are_refused(void **state)
{
    (void)state;
    Case       c = make_case(random_tree(3, 10), 3, 1);
    TactHandle bad = {.body = c.model->body_count};
    assert_int_equal(tact_assembly_set_handles(c.assembly, &bad, 1), TACT_BAD_ARGUMENT);
    bad.body = -1;
    assert_int_equal(tact_assembly_set_handles(c.assembly, &bad, 1), TACT_BAD_ARGUMENT);
    TactAssembly *none = NULL;
    assert_int_equal(tact_assembly_create(c.dynamics, 0, &none), TACT_BAD_ARGUMENT);
    assert_null(none);
    free_case(&c);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(forward_dynamics_is_that_of_articulated_bodies),
        cmocka_unit_test(inverse_inertias_are_those_of_jacobians),
        cmocka_unit_test(bias_accelerations_are_derivatives_of_velocities),
        cmocka_unit_test(prescribed_joints_move_as_told_and_tell_their_force),
        cmocka_unit_test(threads_do_not_change_a_bit),
        cmocka_unit_test(handles_that_do_not_exist_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
