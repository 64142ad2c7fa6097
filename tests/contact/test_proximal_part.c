// Factors of the groups that have a B alone: (I + C B C') x = b, with the products by hand.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "contact/bricks.h"
#include "contact/pile_own.h"
#include "tact/base.h"

enum { TRIALS = 12 };

/// y = (I + C B C') x, item after item.
static void multiply(const Own *own, const double *x, double *y)
{
    const TactSystem *system = &own->system;
    memcpy(y, x, (size_t)system->dof * sizeof *y);
    for (int g = 0; g < system->group_count; g++) {
        const TactItemGroup *group = &system->groups[g];
        const int           *support = system->support + group->support;
        for (int i = group->first; i < group->first + group->count; i++) {
            const double *C = system->columns + system->column[i], *B = own->proximal.items[i].B;
            double        feels[3] = {0};
            for (int r = 0; r < 3; r++) {
                for (int s = 0; s < group->size; s++) {
                    feels[r] += C[r * group->size + s] * x[support[s]];
                }
            }
            for (int s = 0; s < group->size; s++) {
                for (int r = 0; r < 3; r++) {
                    double pushes =
                        B[3 * r] * feels[0] + B[3 * r + 1] * feels[1] + B[3 * r + 2] * feels[2];
                    y[support[s]] += C[r * group->size + s] * pushes;
                }
            }
        }
    }
}

/// Positive definite B of the groups that carry, 0 of the others.
static void load_some(TactRandom *random, Own *own, double chance)
{
    for (int g = 0; g < own->system.group_count; g++) {
        const TactItemGroup *group = &own->system.groups[g];
        bool                 carries = tact_random_uniform(random, 0, 1) < chance;
        for (int i = group->first; i < group->first + group->count; i++) {
            double a[9], *B = own->proximal.items[i].B;
            bool   open = !carries || (group->count > 1 && tact_random_next(random) % 3 == 0);
            for (int e = 0; e < 9; e++) {
                a[e] = tact_random_normal(random);
            }
            for (int e = 0; e < 9; e++) {
                const double *r = a + e / 3 * 3, *c = a + e % 3 * 3;
                B[e] = open ? 0 : r[0] * c[0] + r[1] * c[1] + r[2] * c[2];
            }
        }
    }
}

/// Factors and solves with 0, some and all groups loaded, one after the other in one solver.
static void check_parts(Own *own, uint64_t seed)
{
    TactRandom random = tact_random_seed(seed);
    int        dof = own->system.dof;
    size_t     room = (size_t)dof + TACT_BLOCK_ROWS;
    double    *x = calloc(room, sizeof *x), *b = calloc(room, sizeof *b);
    double    *again = calloc(room, sizeof *again), *first = calloc(room, sizeof *first);
    assert_true(x && b && again && first);
    for (int trial = 0; trial < TRIALS; trial++) {
        double chance = trial % 4 == 0 ? 0 : trial % 4 == 3 ? 2 : 0.1 * (1 + trial % 9);
        load_some(&random, own, chance);
        for (int i = 0; i < dof; i++) {
            x[i] = tact_random_normal(&random);
        }
        multiply(own, x, b);
        memcpy(again, b, room * sizeof *b);
        own->proximal.steps = 0;
        assert_true(tact_proximal_factor(&own->proximal));
        tact_proximal_solve(&own->proximal, b);
        for (int i = 0; i < dof; i++) {
            assert_true(fabs(b[i] - x[i]) <= 1e-9);
        }
        assert_true(tact_proximal_factor_and_solve(&own->proximal, again));
        assert_memory_equal(again, b, (size_t)dof * sizeof *b);
        for (int i = 0; i < dof && chance == 0; i++) {
            assert_true(b[i] == x[i]); // the matrix is I
        }
    }
    free(x);
    free(b);
    free(again);
    free(first);
}

static void few_bodies_have_a_factor_of_what_is_loaded(void **state)
{
    (void)state;
    Bricks bricks;
    Own    own;
    make_bricks(&bricks, 3, 4, 4);
    assert_true(bricks.problem.body_count < TACT_MANY_NODES);
    own_begin(&own, &bricks.problem, TACT_CONE_CIRCLE);
    assert_false(own.proximal.is_many);
    check_parts(&own, 81);
    tact_arena_destroy(&own.arena);
    free_bricks(&bricks);
}

/// Of many bodies by columns, alone and on threads, to the same bits.
static void many_bodies_have_a_factor_of_what_is_loaded_on_any_threads(void **state)
{
    (void)state;
    Bricks  bricks;
    double *alone = NULL;
    make_bricks(&bricks, 3, 8, 7);
    assert_true(bricks.problem.body_count >= TACT_MANY_NODES);
    for (int count = 1; count <= 3; count++) {
        Own          own;
        TactMany     many = {.thread_count = count};
        TactThreads *threads = NULL;
        TactRandom   random = tact_random_seed(83);
        if (count > 1) {
            assert_int_equal(tact_threads_create(count, "test", &threads), TACT_OK);
        }
        many.threads = threads;
        own_begin(&own, &bricks.problem, TACT_CONE_CIRCLE);
        own.proximal.many = &many;
        assert_true(tact_proximal_begin(&own.proximal, &own.coupling));
        assert_true(own.proximal.is_many && many.lu);
        check_parts(&own, 82);
        size_t  room = (size_t)own.system.dof + TACT_BLOCK_ROWS;
        double *x = calloc(room, sizeof *x);
        assert_non_null(x);
        load_some(&random, &own, 0.5);
        for (int i = 0; i < own.system.dof; i++) {
            x[i] = tact_random_normal(&random);
        }
        assert_true(tact_proximal_factor_and_solve(&own.proximal, x));
        assert_ptr_equal(many.used, many.some);
        if (alone) {
            assert_memory_equal(alone, x, (size_t)own.system.dof * sizeof *x);
            free(x);
        } else {
            alone = x;
        }
        tact_many_destroy(&many);
        tact_threads_destroy(threads);
        tact_arena_destroy(&own.arena);
    }
    free(alone);
    free_bricks(&bricks);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(few_bodies_have_a_factor_of_what_is_loaded),
        cmocka_unit_test(many_bodies_have_a_factor_of_what_is_loaded_on_any_threads),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
