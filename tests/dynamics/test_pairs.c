// Contacts and loops through the assembly, against Jacobians and the mass matrix.
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "trees.h"

static double *numbers(int n)
{
    double *x = calloc((size_t)n + 1, sizeof *x);
    assert_non_null(x);
    return x;
}

typedef struct Case {
    TactModel    *model;
    TactDynamics *dynamics;
    TactAssembly *assembly;
    TactRandom    random;
    double       *q, *v, *tau, *a;
} Case;

static Case make_case(TactModel *model, uint64_t seed)
{
    Case c = {.model = model, .random = tact_random_seed(seed)};
    assert_int_equal(tact_dynamics_create(model, &c.dynamics), TACT_OK);
    assert_int_equal(tact_assembly_create(c.dynamics, 1, &c.assembly), TACT_OK);
    c.q = numbers(model->nq);
    c.v = numbers(model->nv);
    c.tau = numbers(model->nv);
    c.a = numbers(model->nv);
    random_state(model, &c.random, c.q, c.v);
    for (int i = 0; i < model->nv; i++) {
        c.tau[i] = tact_random_normal(&c.random);
    }
    assert_int_equal(tact_dynamics_set_position(c.dynamics, c.q), TACT_OK);
    assert_int_equal(tact_dynamics_set_velocity(c.dynamics, c.v), TACT_OK);
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
}

/// Rows of b's point against a's along three axes.                                (3 x nv)
static void contact_rows(const Case *c, const TactAssemblyContact *contact, double *J)
{
    int     nv = c->model->nv;
    double *J_a = numbers(6 * nv), *J_b = numbers(6 * nv);
    tact_dynamics_compute_jacobian(c->dynamics, contact->a, contact->point, J_a);
    tact_dynamics_compute_jacobian(c->dynamics, contact->b, contact->point, J_b);
    for (int r = 0; r < 3; r++) {
        TactVec3 u = contact->axes[r];
        for (int i = 0; i < nv; i++) {
            J[r * nv + i] = u.x * (J_b[i] - J_a[i]) + u.y * (J_b[nv + i] - J_a[nv + i]) +
                            u.z * (J_b[2 * nv + i] - J_a[2 * nv + i]);
        }
    }
    free(J_a);
    free(J_b);
}

enum { CONTACTS = 6, ROWS = 3 * CONTACTS };

static void make_contacts(Case *c, TactAssemblyContact *contacts)
{
    for (int i = 0; i < CONTACTS; i++) {
        TactVec3 n = {tact_random_normal(&c->random), tact_random_normal(&c->random),
                      tact_random_normal(&c->random)};
        uint64_t bodies = (uint64_t)c->model->body_count;
        contacts[i].a = i == 0 ? 0 : (int)(tact_random_next(&c->random) % bodies);
        contacts[i].b = (int)(1 + tact_random_next(&c->random) % (bodies - 1));
        contacts[i].point = tact_dynamics_view_poses(c->dynamics)[contacts[i].b].position;
        contacts[i].axes[0] = tact_vec3_normalise(n);
        tact_vec3_tangents(contacts[i].axes[0], &contacts[i].axes[1], &contacts[i].axes[2]);
    }
}

/// W = J M^-1 J' by the factor of M; a_free by the acceleration and the change of J v.
static void delassus_is_that_of_the_mass_matrix(void **state)
{
    (void)state;
    double worst = 0, worst_free = 0;
    for (int seed = 1; seed <= 8; seed++) {
        Case                c = make_case(random_tree((uint64_t)seed, 5 + 12 * seed), 5);
        int                 nv = c.model->nv;
        TactAssemblyContact contacts[CONTACTS];
        double             *J = numbers(ROWS * nv), *x = numbers(nv);
        double              W[ROWS * ROWS], expected[ROWS * ROWS] = {0}, a_free[ROWS];
        TactAssemblyInput   input = {.tau = c.tau};
        make_contacts(&c, contacts);
        assert_int_equal(
            tact_assembly_compute_delassus(c.assembly, &input, contacts, CONTACTS, W, a_free),
            TACT_OK);
        tact_dynamics_compute_mass(c.dynamics, NULL);
        for (int i = 0; i < CONTACTS; i++) {
            contact_rows(&c, &contacts[i], J + 3 * (size_t)i * (size_t)nv);
        }
        for (int j = 0; j < ROWS; j++) {
            memcpy(x, J + (size_t)j * (size_t)nv, (size_t)nv * sizeof *x);
            tact_dynamics_solve_mass(c.dynamics, x);
            for (int i = 0; i < ROWS; i++) {
                for (int k = 0; k < nv; k++) {
                    expected[i * ROWS + j] += J[i * nv + k] * x[k];
                }
            }
        }
        worst = fmax(worst, relative_distance(W, expected, ROWS * ROWS));
        // The linear part of a_free: tau acts through J M^-1, whatever velocities do.
        double more[ROWS], W_again[ROWS * ROWS], difference[ROWS], through[ROWS] = {0};
        for (int i = 0; i < nv; i++) {
            x[i] = c.tau[i] = 2 * c.tau[i];
            x[i] /= 2;
        }
        tact_dynamics_solve_mass(c.dynamics, x);
        assert_int_equal(
            tact_assembly_compute_delassus(c.assembly, &input, contacts, CONTACTS, W_again, more),
            TACT_OK);
        for (int i = 0; i < ROWS; i++) {
            difference[i] = more[i] - a_free[i];
            for (int k = 0; k < nv; k++) {
                through[i] += J[i * nv + k] * x[k];
            }
        }
        worst_free = fmax(worst_free, relative_distance(difference, through, ROWS));
        free(J);
        free(x);
        free_case(&c);
    }
    printf("W by assembly = J M^-1 J': %.1e; forces reach contacts: %.1e\n", worst, worst_free);
    assert_true(worst <= 1e-10);
    assert_true(worst_free <= 1e-10);
}

/// A chain whose last link is tied to the world, twice if the loop is to be redundant.
static TactModel *tied_chain(int links, TactEqualityType type, int ties)
{
    TactModelBuilder *builder = NULL;
    TactModel        *model = NULL;
    assert_int_equal(tact_model_builder_create(&builder), TACT_OK);
    for (int i = 1; i <= links; i++) {
        TactBodyDesc body = tact_body_default();
        TactJoint    joint = tact_joint_default(TACT_JOINT_BALL);
        body.parent = i - 1;
        body.pose.position = (TactVec3){i > 1 ? 0.1 : 0, 0, 0};
        body.has_inertia = true;
        body.inertia = (TactInertia){
            .mass = 0.2,
            .com = {0.05, 0, 0},
            .rotary = tact_mat3_diagonal((TactVec3){1e-4, 2e-4, 3e-4}),
        };
        joint.body = i;
        assert_int_equal(tact_model_builder_add_body(builder, &body, (TactSource){0}, NULL),
                         TACT_OK);
        assert_int_equal(tact_model_builder_add_joint(builder, &joint, (TactSource){0}, NULL),
                         TACT_OK);
    }
    for (int k = 0; k < ties; k++) {
        TactEquality equality = tact_equality_default(type);
        equality.a = links;
        equality.b = 0;
        equality.anchor_a = (TactVec3){0.1, 0, 0};
        assert_int_equal(tact_model_builder_add_equality(builder, &equality, (TactSource){0}, NULL),
                         TACT_OK);
    }
    assert_int_equal(tact_model_builder_compile(builder, &model), TACT_OK);
    tact_model_builder_destroy(builder);
    return model;
}

/// Relative acceleration of the tied point, by differences of its velocity along the motion.
static double loop_error(Case *c, double rate)
{
    const double        h = 1e-7; // accelerations are 1e5 rad/s^2
    const TactEquality *tie = &c->model->equalities[0];
    int                 nv = c->model->nv;
    double             *q = numbers(c->model->nq), *v = numbers(nv), worst = 0;
    TactVec3            speed[2], x = {0, 0, 0}, now;
    TactTransform       pose = tact_dynamics_view_poses(c->dynamics)[tie->a];
    TactVec3            point = tact_transform_point(pose, tie->anchor_a);
    x = tact_vec3_subtract(tie->anchor_b, point); // of b, the world, against a
    now = tact_vec3_negate(tact_dynamics_compute_velocity(c->dynamics, tie->a, point).linear);
    for (int side = 0; side < 2; side++) {
        double t = side ? h : -h;
        for (int i = 0; i < nv; i++) {
            v[i] = c->v[i] + 0.5 * t * c->a[i];
        }
        tact_dynamics_integrate(c->model, c->q, v, t, q);
        for (int i = 0; i < nv; i++) {
            v[i] = c->v[i] + t * c->a[i];
        }
        assert_int_equal(tact_dynamics_set_position(c->dynamics, q), TACT_OK);
        assert_int_equal(tact_dynamics_set_velocity(c->dynamics, v), TACT_OK);
        pose = tact_dynamics_view_poses(c->dynamics)[tie->a];
        point = tact_transform_point(pose, tie->anchor_a);
        speed[side] =
            tact_vec3_negate(tact_dynamics_compute_velocity(c->dynamics, tie->a, point).linear);
    }
    TactVec3 slope = tact_vec3_scale(0.5 / h, tact_vec3_subtract(speed[1], speed[0]));
    TactVec3 wanted = tact_vec3_scale(-2 * rate, now);
    wanted = tact_vec3_add_scaled(wanted, -rate * rate, x);
    worst = tact_vec3_norm(tact_vec3_subtract(slope, wanted)) / (1 + tact_vec3_norm(wanted));
    free(q);
    free(v);
    return worst;
}

static void loops_accelerate_as_they_are_told(void **state)
{
    (void)state;
    double worst = 0;
    for (int links = 3; links <= 40; links += 9) {
        for (int rate = 0; rate <= 10; rate += 10) {
            Case c = make_case(tied_chain(links, TACT_EQUALITY_CONNECT, 1), (uint64_t)links);
            TactAssemblyInput input = {.tau = c.tau};
            int               redundant = -1;
            assert_int_equal(tact_assembly_close_loops(c.assembly, &input, rate, c.a, &redundant),
                             TACT_OK);
            assert_int_equal(redundant, 0);
            worst = fmax(worst, loop_error(&c, rate));
            free_case(&c);
        }
    }
    printf("acceleration of closed loops by differences: %.1e\n", worst);
    assert_true(worst <= 1e-5);
}

/// Twice the same loop: the same motion, and the second one is told to be redundant.
static void loops_that_are_there_twice_do_no_harm(void **state)
{
    (void)state;
    TactEqualityType types[2] = {TACT_EQUALITY_CONNECT, TACT_EQUALITY_WELD};
    for (int t = 0; t < 2; t++) {
        Case              one = make_case(tied_chain(20, types[t], 1), 3);
        Case              two = make_case(tied_chain(20, types[t], 2), 3);
        TactAssemblyInput input = {.tau = one.tau};
        int               redundant[2] = {-1, -1};
        assert_int_equal(tact_assembly_close_loops(one.assembly, &input, 5, one.a, &redundant[0]),
                         TACT_OK);
        assert_int_equal(tact_assembly_close_loops(two.assembly, &input, 5, two.a, &redundant[1]),
                         TACT_OK);
        assert_int_equal(redundant[0], 0);
        assert_int_equal(redundant[1], t == 0 ? 3 : 6);
        assert_true(relative_distance(two.a, one.a, one.model->nv) <= 1e-8);
        free_case(&one);
        free_case(&two);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(delassus_is_that_of_the_mass_matrix),
        cmocka_unit_test(loops_accelerate_as_they_are_told),
        cmocka_unit_test(loops_that_are_there_twice_do_no_harm),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
