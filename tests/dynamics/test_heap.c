// Once made, dynamics touches the heap no more.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

#include "base/clones.h"

#ifdef TACT_SANITIZED

int main(void)
{
    printf("skipped: a sanitizer has replaced the heap already\n");
    return 0;
}

#else

#include "heap_count.h"
#include "trees.h"

enum { HANDLES = 5, MOST = 512 };

static void run_everything(TactDynamics *dynamics, TactAssembly *assembly, const TactModel *model,
                           TactRandom *random)
{
    static double q[MOST], v[MOST], a[MOST], tau[MOST], J[6 * MOST];
    static int    dofs[MOST];
    TactHandle    handles[HANDLES] = {{0}};
    double        Phi[36];
    TactVec3      origin = {0, 0, 0};
    int           last = model->body_count - 1;
    random_state(model, random, q, v);
    assert_int_equal(tact_dynamics_set_position(dynamics, q), TACT_OK);
    assert_int_equal(tact_dynamics_set_velocity(dynamics, v), TACT_OK);
    tact_dynamics_compute_passive(dynamics, tau);
    tact_dynamics_compute_inverse(dynamics, v, NULL, tau);
    tact_dynamics_compute_forward(dynamics, tau, NULL, NULL, a);
    tact_dynamics_compute_mass(dynamics, NULL);
    tact_dynamics_solve_mass(dynamics, a);
    tact_dynamics_multiply_mass(dynamics, v, a);
    tact_dynamics_compute_jacobian(dynamics, last, origin, J);
    tact_dynamics_compute_jacobian_sparse(dynamics, last, origin, J, model->nv, dofs);
    tact_dynamics_compute_momentum(dynamics, origin);
    tact_dynamics_compute_kinetic_energy(dynamics);
    tact_dynamics_compute_potential_energy(dynamics);
    for (int i = 0; i < HANDLES; i++) {
        handles[i].body = last - i;
    }
    assert_int_equal(tact_assembly_set_handles(assembly, handles, HANDLES), TACT_OK);
    tact_assembly_compute(assembly, NULL);
    tact_assembly_get_inverse_inertia(assembly, 0, 1, Phi);
    tact_assembly_finish(assembly, NULL, a, NULL);
    assert_int_equal(tact_dynamics_step_rk4(dynamics, 1e-3, NULL, q, v), TACT_OK);
}

static void nothing_allocates_once_it_has_been_made(void **state)
{
    (void)state;
    TactModel    *model = random_tree(7, 60);
    TactDynamics *dynamics = NULL;
    TactAssembly *assembly = NULL;
    TactRandom    random = tact_random_seed(1);
    assert_true(model->nq < MOST);
    assert_int_equal(tact_dynamics_create(model, &dynamics), TACT_OK);
    assert_int_equal(tact_assembly_create(dynamics, 2, &assembly), TACT_OK);
    run_everything(dynamics, assembly, model, &random); // handles make room for themselves once
    long before = heap_calls;
    heap_counting = true;
    for (int i = 0; i < 5; i++) {
        run_everything(dynamics, assembly, model, &random);
    }
    heap_counting = false;
    assert_int_equal(heap_calls - before, 0);
    tact_assembly_destroy(assembly);
    tact_dynamics_destroy(dynamics);
    tact_model_destroy(model);
}

static void making_it_does(void **state)
{
    (void)state;
    TactModel    *model = random_tree(7, 10);
    TactDynamics *dynamics = NULL;
    long          before = heap_calls;
    heap_counting = true;
    assert_int_equal(tact_dynamics_create(model, &dynamics), TACT_OK);
    heap_counting = false;
    assert_true(heap_calls > before);
    tact_dynamics_destroy(dynamics);
    tact_model_destroy(model);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nothing_allocates_once_it_has_been_made),
        cmocka_unit_test(making_it_does),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

#endif
