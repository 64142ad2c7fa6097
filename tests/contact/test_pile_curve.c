// The curve from soft to stiff springs: its end is a root, also behind folds.
#include "contact/pile/curve.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "bench/piles/piles.h"
#include "contact/heaps.h"
#include "contact/pile_own.h"
#include "io/scratch.h"

// Springs at the end, and how near to its root p has to be, over the largest impulse: the end is
// solved to 1e-10 of the motion, and springs make 1 / EPS of that.
static const double EPS = 1e-6, NEAR = 1e-4;
enum { MOST = 1200, MANY = 12 };

typedef struct Count {
    int tried, ended, folded;
} Count;

/// From an interior point a few steps of the path, to where a jam may leave it: near, and not
/// there.
static void find_start(Own *own)
{
    tact_interior_run(&own->pile.interior, &own->proximal, own->p);
    int most = own->proximal.most;
    own->proximal.most = own->proximal.steps + 20;
    tact_proximal_run(&own->proximal, own->pile.interior.y, 1e-3, 1e-4, own->p);
    own->proximal.most = most;
    tact_coupling_set(&own->coupling, own->p);
    memcpy(own->start, own->p, 3 * (size_t)own->system.item_count * sizeof(double));
}

static void check_curve(void *context, TactContactFile *file, const char *name)
{
    Count *count = context;
    Own    own;
    if (count->tried == MANY) {
        return;
    }
    own_begin(&own, &file->problem, TACT_CONE_CIRCLE);
    assert_true(tact_pile_curve_takes(&own.proximal));
    size_t size = 3 * (size_t)own.system.item_count * sizeof(double);
    find_start(&own);
    bool ended =
        tact_pile_curve_run(&own.pile.curve, &own.proximal, own.coupling.y, EPS, MOST, own.p);
    print_message("%s: %s, %d factors, %d changes, %d folds\n", name, ended ? "ended" : "lost",
                  own.pile.curve.steps, own.pile.curve.changes, own.pile.curve.folds);
    count->tried++;
    count->ended += ended;
    count->folded += ended && own.pile.curve.folds > 0;
    if (ended) {
        double off = own_off_root(&own, EPS, own.start, own.p);
        print_message("  off by %.1e\n", off);
        assert_true(off <= NEAR);
    } else {
        assert_memory_equal(own.p, own.start, size);
    }
    tact_arena_destroy(&own.arena);
}

static void the_end_of_a_curve_is_a_root_behind_folds(void **state)
{
    (void)state;
    Count count = {0};
    visit_wedged(0.25, check_curve, &count);
    assert_int_equal(count.tried, MANY);
    assert_true(count.ended >= 9);
    assert_true(count.folded > 0);
}

/// The same bits again, and none of a curve that may not take a factor.
static void check_again(void *context, TactContactFile *file, const char *name)
{
    int *tried = context;
    (void)name;
    if (++*tried > 2) {
        return;
    }
    Own    own;
    double first[3] = {0};
    own_begin(&own, &file->problem, TACT_CONE_CIRCLE);
    size_t size = 3 * (size_t)own.system.item_count * sizeof(double);
    find_start(&own);
    for (int k = 0; k < 2; k++) {
        memcpy(own.p, own.start, size);
        tact_coupling_set(&own.coupling, own.p);
        tact_pile_curve_run(&own.pile.curve, &own.proximal, own.coupling.y, EPS, MOST, own.p);
        double sum[3] = {own.pile.curve.now.stiffness, own.p[0], own.pile.curve.steps};
        if (k == 0) {
            memcpy(first, sum, sizeof sum);
        }
        assert_memory_equal(first, sum, sizeof sum);
    }
    memcpy(own.p, own.start, size);
    own.proximal.most = own.proximal.steps;
    tact_coupling_set(&own.coupling, own.p);
    assert_false(
        tact_pile_curve_run(&own.pile.curve, &own.proximal, own.coupling.y, EPS, MOST, own.p));
    assert_memory_equal(own.p, own.start, size);
    tact_arena_destroy(&own.arena);
}

static void a_curve_is_the_same_again_and_ends_with_its_factors(void **state)
{
    (void)state;
    int tried = 0;
    assert_true(visit_wedged(0.25, check_again, &tried) >= 2);
}

/// Pyramids and contacts with compliance are left to the kicks.
static void check_takes(void *context, TactContactFile *file, const char *name)
{
    int *tried = context;
    (void)name;
    if (++*tried > 1) {
        return;
    }
    Own own;
    own_begin(&own, &file->problem, TACT_CONE_PYRAMID);
    assert_false(tact_pile_curve_takes(&own.proximal));
    tact_arena_destroy(&own.arena);
    ((TactContact *)file->problem.contacts)[1].compliance = 0.1;
    own_begin(&own, &file->problem, TACT_CONE_CIRCLE);
    assert_false(tact_pile_curve_takes(&own.proximal));
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
        cmocka_unit_test(the_end_of_a_curve_is_a_root_behind_folds),
        cmocka_unit_test(a_curve_is_the_same_again_and_ends_with_its_factors),
        cmocka_unit_test(pyramids_and_soft_contacts_are_not_taken),
    };
    return cmocka_run_group_tests(tests, tact_scratch_setup, tact_scratch_teardown);
}
