// How far items go on their pieces, four at a time, against one after the other.
#include "contact/pile/fours.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <math.h>
#include <string.h>
#include <tact/base.h>

enum { MOST = 43 };

typedef struct Items {
    TactArena     arena;
    TactPileFours fours;
} Items;

static void make_items(TactRandom *random, int count, Items *items)
{
    memset(items, 0, sizeof *items);
    tact_pile_fours_layout(&items->fours, MOST, &items->arena);
    assert_int_equal(tact_arena_create(&items->arena), TACT_OK);
    tact_pile_fours_layout(&items->fours, MOST, &items->arena);
    tact_pile_fours_begin(&items->fours, count);
    for (int i = 0; i < count; i++) {
        double z[3], d[3], mu = tact_random_next(random) % 5 == 0 ? 0 : 0.6;
        for (int c = 0; c < 3; c++) {
            z[c] = tact_random_normal(random);
            d[c] = tact_random_normal(random);
        }
        items->fours.mu[i] = mu;
        items->fours.state[i] = tact_pile_state(mu, z);
        tact_pile_four_set(items->fours.z, i, z);
        tact_pile_four_set(items->fours.d, i, d);
    }
}

/// The same by the functions of single items; bounds: of slips that turn.
static int find_stop(const TactPileFours *fours, const TactPileBounds *bounds, double *step,
                     bool *bounded)
{
    int item = -1;
    *bounded = false;
    for (int i = 0; i < fours->count; i++) {
        double        z[3], d[3], turn = HUGE_VAL;
        TactPileState state = (TactPileState)fours->state[i], next;
        tact_pile_four_get(fours->z, i, z);
        tact_pile_four_get(fours->d, i, d);
        double end = tact_pile_end_of_piece(fours->mu[i], state, z, d, &next);
        if (end < *step && !(i == bounds->newest && end < bounds->again)) {
            *step = end;
            item = i;
            *bounded = false;
        }
        if (state == TACT_PILE_SLIDES) {
            turn = tact_pile_end_of_turn(fours->mu[i], z, d, bounds->turn, bounds->least);
        }
        if (turn < *step) {
            *step = turn;
            item = i;
            *bounded = true;
        }
    }
    return item;
}

static void stops_are_those_of_single_items(void **state)
{
    (void)state;
    TactRandom random = tact_random_seed(74);
    int        seen[3] = {0}; // of all, at a state, at a turn
    for (int trial = 0; trial < 4000; trial++) {
        Items items;
        make_items(&random, 1 + trial % MOST, &items);
        TactPileBounds bounds = {.reach = HUGE_VAL,
                                 .turn = trial % 3 == 0 ? 1e-4 : 10,
                                 .least = 1e-9,
                                 .newest = -1,
                                 .again = 1e-9};
        double         most = trial % 5 == 0 ? 0.01 : HUGE_VAL;
        for (int pass = 0; pass < 2; pass++) { // then from where the first of them has changed
            double step = most, expected = most;
            bool   bounded, also;
            int    item = tact_pile_fours_stop(&items.fours, &bounds, &step, &bounded);
            int    other = find_stop(&items.fours, &bounds, &expected, &also);
            assert_int_equal(item, other);
            assert_int_equal(bounded, also);
            assert_true(step == expected || fabs(step - expected) <= 1e-13 * fabs(expected));
            seen[item < 0 ? 0 : bounded ? 2 : 1]++;
            if (item < 0 || bounded) {
                break;
            }
            double        z[3], d[3];
            TactPileState next;
            tact_pile_four_get(items.fours.z, item, z);
            tact_pile_four_get(items.fours.d, item, d);
            tact_pile_end_of_piece(items.fours.mu[item], (TactPileState)items.fours.state[item], z,
                                   d, &next);
            tact_pile_fours_take(&items.fours, step);
            tact_pile_four_get(items.fours.z, item, d);
            assert_true(fabs(d[0] - z[0]) <= 10 * (1 + step) * (1 + fabs(d[0])));
            items.fours.state[item] = next;
            bounds.newest = item;
        }
        tact_arena_destroy(&items.arena);
    }
    assert_true(seen[0] > 100 && seen[1] > 1000 && seen[2] > 100);
}

static void changes_of_impulses_are_bounded(void **state)
{
    (void)state;
    Items          items;
    TactRandom     random = tact_random_seed(75);
    TactPileBounds bounds = {.reach = 0.5, .turn = 10, .newest = -1};
    double         step = HUGE_VAL;
    bool           bounded;
    make_items(&random, 1, &items);
    items.fours.mu[0] = 0.6;
    items.fours.state[0] = TACT_PILE_STICKS;
    tact_pile_four_set(items.fours.z, 0, (double[3]){100, 0, 0});
    tact_pile_four_set(items.fours.d, 0, (double[3]){1, 2, -4});
    assert_int_equal(tact_pile_fours_stop(&items.fours, &bounds, &step, &bounded), 0);
    assert_true(bounded && step == 0.125); // the largest change of the three
    step = HUGE_VAL;
    items.fours.state[0] = TACT_PILE_OPEN; // carries nothing
    tact_pile_four_set(items.fours.z, 0, (double[3]){-100, 0, 0});
    tact_pile_four_set(items.fours.d, 0, (double[3]){-1, 2, -4});
    assert_int_equal(tact_pile_fours_stop(&items.fours, &bounds, &step, &bounded), -1);
    assert_true(step == HUGE_VAL);
    tact_arena_destroy(&items.arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(stops_are_those_of_single_items),
        cmocka_unit_test(changes_of_impulses_are_bounded),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
