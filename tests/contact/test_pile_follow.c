// A stage followed along a curve: its end is a root of the stage, by the law alone.
#include "contact/pile/follow.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "bench/piles/piles.h"
#include "contact/heaps.h"
#include "contact/pile_own.h"
#include "io/scratch.h"

// Springs of the stage, and how near to its root p has to be, over the largest impulse: the end is
// solved to 1e-10 of the motion, and springs make 1 / EPS of that.
static const double EPS = 1e-4, NEAR = 1e-6;
enum { MANY = 12, FIRST = 30 };

typedef struct Count {
    int tried, ended, newton, changes, shared;
} Count;

/// From nothing a few steps of the path with soft springs: loads are where they may be, and not
/// where stiff springs would have them.
static void find_start(Own *own)
{
    int    most = own->proximal.most;
    size_t size = 3 * (size_t)own->system.item_count * sizeof(double);
    memset(own->p, 0, size);
    own->proximal.most = own->proximal.steps + FIRST;
    tact_proximal_run(&own->proximal, own->system.y0, 1e-2, 1e-4, own->p);
    own->proximal.most = most;
    memcpy(own->start, own->p, size);
}

/// Does Newton's method find the root from there?
static bool try_newton(Own *own)
{
    int steps = 0;
    tact_coupling_set(&own->coupling, own->start);
    tact_proximal_set_centres(&own->proximal, own->start);
    tact_proximal_set_motion(&own->proximal, own->coupling.y);
    return tact_proximal_stage(&own->proximal, EPS, 1e-10, 12, &steps);
}

static void check_stage(void *context, TactContactFile *file, const char *name)
{
    Count          *count = context;
    Own             own;
    TactPileFollow *follow = &own.pile.follow;
    if (count->tried == MANY) {
        return;
    }
    own_begin(&own, &file->problem, TACT_CONE_CIRCLE);
    assert_true(tact_pile_follow_takes(&own.proximal));
    find_start(&own);
    bool newton = try_newton(&own);
    bool ended = tact_pile_follow_run(follow, &own.proximal, EPS, own.start);
    print_message("%s: %s, %d changes with %d factors; Newton: %s\n", name,
                  ended ? "ended" : "lost", follow->changes, follow->factors,
                  newton ? "ended" : "lost");
    count->tried++;
    count->ended += ended;
    count->newton += newton;
    count->changes += follow->changes;
    count->shared += follow->changes > follow->factors;
    if (ended) {
        double off = own_off_root(&own, EPS, own.start, own.proximal.p);
        print_message("  off by %.1e\n", off);
        assert_true(off <= NEAR);
    }
    tact_arena_destroy(&own.arena);
}

static void the_end_of_a_followed_stage_is_its_root(void **state)
{
    (void)state;
    Count count = {0};
    visit_wedged(0.25, check_stage, &count);
    print_message("%d of %d ended, %d by Newton's method, %d changes\n", count.ended, count.tried,
                  count.newton, count.changes);
    assert_int_equal(count.tried, MANY);
    assert_true(count.ended >= 10);
    assert_true(count.ended > count.newton);
    assert_true(count.shared >= 4); // several changes go with one factor
}

/// The same bits again, and no root without a factor.
static void check_again(void *context, TactContactFile *file, const char *name)
{
    int   *tried = context;
    double first[3] = {0};
    Own    own;
    (void)name;
    if (++*tried > 2) {
        return;
    }
    own_begin(&own, &file->problem, TACT_CONE_CIRCLE);
    find_start(&own);
    for (int k = 0; k < 2; k++) {
        tact_pile_follow_run(&own.pile.follow, &own.proximal, EPS, own.start);
        double sum[3] = {own.pile.follow.t, own.proximal.p[0], own.pile.follow.changes};
        if (k == 0) {
            memcpy(first, sum, sizeof sum);
        }
        assert_memory_equal(first, sum, sizeof sum);
    }
    own.proximal.most = own.proximal.steps;
    assert_false(tact_pile_follow_run(&own.pile.follow, &own.proximal, EPS, own.start));
    tact_arena_destroy(&own.arena);
}

static void a_stage_is_followed_the_same_way_again_and_ends_with_its_factors(void **state)
{
    (void)state;
    int tried = 0;
    assert_true(visit_wedged(0.25, check_again, &tried) >= 2);
}

/// Pyramids are left to other methods.
static void check_takes(void *context, TactContactFile *file, const char *name)
{
    int *tried = context;
    Own  own;
    (void)name;
    if (++*tried > 1) {
        return;
    }
    own_begin(&own, &file->problem, TACT_CONE_PYRAMID);
    assert_false(tact_pile_follow_takes(&own.proximal));
    tact_arena_destroy(&own.arena);
}

static void pyramids_are_not_followed(void **state)
{
    (void)state;
    int tried = 0;
    assert_true(visit_wedged(0.25, check_takes, &tried) >= 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_end_of_a_followed_stage_is_its_root),
        cmocka_unit_test(a_stage_is_followed_the_same_way_again_and_ends_with_its_factors),
        cmocka_unit_test(pyramids_are_not_followed),
    };
    return cmocka_run_group_tests(tests, tact_scratch_setup, tact_scratch_teardown);
}
