// Contacts that lift as they slip: their law, the convex problem at its one end, and jams that are
// solved by less and less of it; answers are judged in long double from the raw problem.
#include "contact/pile/dilate.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "bench/piles/piles.h"
#include "bench/problems/contact_scenes.h"
#include "contact/heaps.h"
#include "contact/pile_own.h"
#include "contact/proximal/dilatancy.h"
#include "io/scratch.h"

enum { MOST = 2500, MANY = 12 };

// ---------------------------------------------------------------------------------------------
// The law

static void draw(TactRandom *random, double z[3])
{
    for (int c = 0; c < 3; c++) {
        z[c] = tact_random_normal(random);
    }
}

/// x is in K, z - x in the cone across, and they are square to each other.
static void the_point_of_a_cone_is_the_nearest_one(void **state)
{
    (void)state;
    TactRandom random = tact_random_seed(3);
    int        kinds[3] = {0};
    for (int k = 0; k < 2000; k++) {
        double mu = tact_random_uniform(&random, 0.05, 2), z[3], x[3], D[9], left[3];
        draw(&random, z);
        tact_proximal_cone_law(mu, z, x, D);
        for (int c = 0; c < 3; c++) {
            left[c] = z[c] - x[c];
        }
        assert_true(hypot(x[1], x[2]) <= mu * x[0] + 1e-14);
        assert_true(mu * hypot(left[1], left[2]) <= -left[0] + 1e-14);
        assert_true(fabs(x[0] * left[0] + x[1] * left[1] + x[2] * left[2]) <= 1e-14);
        kinds[x[0] == 0 ? 0 : left[0] == 0 ? 1 : 2]++;
    }
    assert_true(kinds[0] > 100 && kinds[1] > 100 && kinds[2] > 100);
}

static void the_derivative_of_the_point_is_that_of_differences(void **state)
{
    (void)state;
    TactRandom   random = tact_random_seed(4);
    const double step = 1e-6;
    for (int k = 0; k < 500; k++) {
        double mu = tact_random_uniform(&random, 0.05, 2), z[3], x[3], D[9], unused[9];
        draw(&random, z);
        double edge =
            fmin(fabs(hypot(z[1], z[2]) - mu * z[0]), fabs(mu * hypot(z[1], z[2]) + z[0]));
        if (edge < 1e-3 || hypot(z[1], z[2]) < 0.1) {
            continue; // a corner of the law is near
        }
        tact_proximal_cone_law(mu, z, x, D);
        for (int c = 0; c < 3; c++) {
            double up[3], down[3], at[3] = {z[0], z[1], z[2]};
            at[c] = z[c] + step;
            tact_proximal_cone_law(mu, at, up, unused);
            at[c] = z[c] - step;
            tact_proximal_cone_law(mu, at, down, unused);
            for (int r = 0; r < 3; r++) {
                assert_true(fabs(D[3 * r + c] - (up[r] - down[r]) / (2 * step)) <= 1e-6);
            }
        }
    }
}

// ---------------------------------------------------------------------------------------------
// The convex problem

/// d = 1 and some slips: impulses and velocities of the answer are in their cones and square to
/// each other, and belong to each other: y = y0 + C p.
static void check_convex(void *context, TactContactFile *file, const char *name)
{
    int   *count = context;
    Own    own;
    double law = 0, motion = 0, largest = 0;
    if (++*count > 3) {
        return;
    }
    own_begin(&own, &file->problem, TACT_CONE_CIRCLE);
    double       *slip = own.pile.dilate.slip;
    const double *y = own.pile.interior.y;
    for (int i = 0; i < own.system.item_count; i++) {
        slip[i] = 1e-3 * (i % 7);
    }
    assert_true(tact_interior_run_dilatant(&own.pile.interior, &own.proximal, 1, slip, own.p));
    tact_coupling_set(&own.coupling, own.p);
    for (int j = 0; j < own.system.dof; j++) {
        motion = fmax(motion, fabs(y[j] - own.coupling.y[j]));
    }
    for (int i = 0; i < own.system.item_count; i++) {
        const double *p = own.p + 3 * i;
        double        u[3], mu = own.coupling.cones[i].mu;
        tact_system_pull(&own.system, i, y, u);
        for (int c = 0; c < 3; c++) {
            u[c] += own.system.e[3 * i + c];
        }
        double z0 = u[0] / mu + slip[i], length = hypot(u[1], u[2]);
        assert_true(hypot(p[1], p[2]) <= mu * p[0]);
        law = fmax(law, length - z0);
        law = fmax(law, fabs(mu * p[0] * z0 + p[1] * u[1] + p[2] * u[2]));
        largest = fmax(largest, fmax(length, p[0]));
    }
    print_message("%s: %d steps, law %.1e, motion %.1e of %.1e\n", name, own.pile.interior.steps,
                  law, motion, largest);
    assert_true(law <= 1e-6 * largest);
    assert_true(motion <= 1e-3 * largest); // impulses of stiff cones have few digits
    tact_arena_destroy(&own.arena);
}

static void contacts_that_lift_by_all_of_their_slip_are_a_convex_problem(void **state)
{
    (void)state;
    int count = 0;
    assert_true(visit_wedged(0.25, check_convex, &count) >= 3);
}

// ---------------------------------------------------------------------------------------------
// Jams

typedef struct Count {
    int tried, factors;
} Count;

static void check_jam(void *context, TactContactFile *file, const char *name)
{
    Count *count = context;
    Own    own;
    if (count->tried == MANY) {
        return;
    }
    own_begin(&own, &file->problem, TACT_CONE_CIRCLE);
    assert_true(tact_pile_dilate_takes(&own.proximal));
    bool solved = tact_pile_dilate_run(&own.pile.dilate, &own.pile.interior, &own.proximal,
                                       own.system.y0, 1e-8, MOST, own.p);
    print_message("%s: %s, %d factors, %d stages, %d failed\n", name, solved ? "solved" : "not",
                  own.proximal.steps, own.pile.dilate.stages, own.pile.dilate.failures);
    assert_true(solved);
    assert_right(&own, &file->problem, TACT_CONE_CIRCLE, own.p);
    assert_true(own.proximal.dilatancy == 0); // Coulomb's law is left behind
    count->tried++;
    count->factors += own.proximal.steps;
    tact_arena_destroy(&own.arena);
}

static void heaps_are_solved_by_less_and_less_of_it(void **state)
{
    (void)state;
    Count count = {0};
    visit_wedged(0.25, check_jam, &count);
    assert_int_equal(count.tried, MANY);
    assert_true(count.factors < MANY * 400);
}

/// Chains whose hinges have limits: rows stay as they are.
static void check_chains(void *context, TactContactFile *file, const char *name)
{
    int *limited = context;
    Own  own;
    (void)name;
    if (*limited == 3 || file->problem.row_count == 0) {
        return;
    }
    own_begin(&own, &file->problem, TACT_CONE_CIRCLE);
    assert_true(tact_pile_dilate_takes(&own.proximal));
    assert_true(tact_pile_dilate_run(&own.pile.dilate, &own.pile.interior, &own.proximal,
                                     own.system.y0, 1e-8, MOST, own.p));
    assert_right(&own, &file->problem, TACT_CONE_CIRCLE, own.p);
    ++*limited;
    tact_arena_destroy(&own.arena);
}

static void chains_with_limits_are_solved_too(void **state)
{
    (void)state;
    TactPileScene scene = {.shape = TACT_PILE_CHAINS,
                           .number = 12,
                           .seed = 2,
                           .wedged = true,
                           .step = 0.005,
                           .mu = 0.5};
    int           limited = 0;
    make_heap(&scene, 0.6, 15);
    visit_folder(tact_scratch_path("."), "chains", check_chains, &limited);
    assert_int_equal(limited, 3);
}

/// The same bits again; and with few factors an end, with the best that was seen.
static void check_again(void *context, TactContactFile *file, const char *name)
{
    int *tried = context;
    Own  own;
    (void)name;
    if (++*tried > 2) {
        return;
    }
    own_begin(&own, &file->problem, TACT_CONE_CIRCLE);
    TactPileDilate *dilate = &own.pile.dilate;
    size_t          size = 3 * (size_t)own.system.item_count * sizeof(double);
    for (int k = 0; k < 2; k++) {
        tact_pile_dilate_run(dilate, &own.pile.interior, &own.proximal, own.system.y0, 1e-8, MOST,
                             own.p);
        if (k == 0) {
            memcpy(own.start, own.p, size);
        }
    }
    assert_memory_equal(own.start, own.p, size);
    int before = own.proximal.steps;
    assert_false(tact_pile_dilate_run(dilate, &own.pile.interior, &own.proximal, own.system.y0,
                                      1e-8, 30, own.p));
    assert_int_equal(own.proximal.steps - before, 30);
    tact_arena_destroy(&own.arena);
}

static void it_is_the_same_again_and_ends_with_its_factors(void **state)
{
    (void)state;
    int tried = 0;
    assert_true(visit_wedged(0.25, check_again, &tried) >= 2);
}

/// Pyramids and contacts with compliance are left to others.
static void check_takes(void *context, TactContactFile *file, const char *name)
{
    int *tried = context;
    (void)name;
    if (++*tried > 1) {
        return;
    }
    Own own;
    own_begin(&own, &file->problem, TACT_CONE_PYRAMID);
    assert_false(tact_pile_dilate_takes(&own.proximal));
    tact_arena_destroy(&own.arena);
    ((TactContact *)file->problem.contacts)[1].compliance = 0.1;
    own_begin(&own, &file->problem, TACT_CONE_CIRCLE);
    assert_false(tact_pile_dilate_takes(&own.proximal));
    tact_arena_destroy(&own.arena);
}

static void pyramids_and_soft_contacts_are_not_taken(void **state)
{
    (void)state;
    int tried = 0;
    assert_true(visit_wedged(0.25, check_takes, &tried) >= 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_point_of_a_cone_is_the_nearest_one),
        cmocka_unit_test(the_derivative_of_the_point_is_that_of_differences),
        cmocka_unit_test(contacts_that_lift_by_all_of_their_slip_are_a_convex_problem),
        cmocka_unit_test(heaps_are_solved_by_less_and_less_of_it),
        cmocka_unit_test(chains_with_limits_are_solved_too),
        cmocka_unit_test(it_is_the_same_again_and_ends_with_its_factors),
        cmocka_unit_test(pyramids_and_soft_contacts_are_not_taken),
    };
    return cmocka_run_group_tests(tests, tact_scratch_setup, tact_scratch_teardown);
}
