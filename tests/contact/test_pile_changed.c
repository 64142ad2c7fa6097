// The matrix of a path while items change, against one that is factored anew.
#include "contact/pile/changed.h"

#include <math.h>
#include <string.h>

#include "bench/piles/piles.h"
#include "contact/heaps.h"
#include "contact/pile/pieces.h"
#include "contact/pile_own.h"
#include "io/scratch.h"

enum { MANY = 4, CHANGED = 25 };

static const double EPS = 0.01, NEAR = 1e-9;

/// B of an item that is open, sticks or slides with a load and a direction by chance.
static void draw_B(TactRandom *random, const Own *own, int i, double B[9])
{
    TactPileState state = (TactPileState)(tact_random_next(random) % 3);
    double        k = EPS * own->coupling.weight[i], p[3];
    double        z[3] = {0.5 + fabs(tact_random_normal(random)), tact_random_normal(random),
                          tact_random_normal(random)};
    tact_pile_piece(own->coupling.cones[i].mu, state, k, z, p, B);
}

/// What is behind whole blocks of the motion is 0.
static void draw_motion(TactRandom *random, const Own *own, double *x)
{
    memset(x, 0, TACT_BLOCK_ROWS * (size_t)own->proximal.lu.n * sizeof(double));
    for (int j = 0; j < own->system.dof; j++) {
        x[j] = tact_random_normal(random);
    }
}

typedef struct Count {
    int tried, turned;
} Count;

static void check_changes(void *context, TactContactFile *file, const char *name)
{
    Count           *count = context;
    int              sign, changes = 0, turned = 0;
    Own              own;
    TactRandom       random = tact_random_seed(73);
    TactPileChanged *changed;
    (void)name;
    if (++count->tried > MANY) {
        return;
    }
    own_begin(&own, &file->problem, TACT_CONE_CIRCLE);
    changed = &own.pile.follow.changed;
    size_t  room = TACT_BLOCK_ROWS * (size_t)own.proximal.lu.n;
    double *x = calloc(room, sizeof *x), *half = calloc(room, sizeof *half);
    double *expected = calloc(room, sizeof *expected);
    assert_true(x && half && expected);
    for (int i = 0; i < own.system.item_count; i++) {
        draw_B(&random, &own, i, own.proximal.items[i].B);
    }
    assert_true(tact_proximal_factor(&own.proximal));
    tact_pile_changed_begin(changed, &own.proximal);
    sign = tact_block_lu_sign(changed->lu);
    int first = sign;
    while (changes < CHANGED) { // some of them more than once
        int    i = (int)(tact_random_next(&random) % (unsigned)own.system.item_count);
        double B[9];
        i = changes % 4 == 3 ? changed->item[0] : i;
        draw_B(&random, &own, i, B);
        for (int e = 0; e < 9 && changes % 5 == 2; e++) { // as no law has it: another sign
            B[e] = e % 4 == 0 ? -1 / (EPS * own.coupling.weight[i]) : 0;
        }
        assert_true(tact_pile_change(changed, i, B, &sign));
        assert_memory_equal(own.proximal.items[i].B, B, sizeof B);
        turned += sign != first;
        changes++;
    }
    draw_motion(&random, &own, x);
    memcpy(expected, x, room * sizeof *x);
    tact_block_lu_solve_half(changed->lu, x, half);
    tact_pile_changed_solve(changed, NULL, half, x);
    assert_true(changed->count > CHANGED / 2 && changed->count < CHANGED);
    assert_true(tact_proximal_factor(&own.proximal)); // with the B that they have now
    tact_proximal_solve(&own.proximal, expected);
    double largest = 0, off = 0;
    for (int j = 0; j < own.system.dof; j++) {
        largest = fmax(largest, fabs(expected[j]));
        off = fmax(off, fabs(x[j] - expected[j]));
    }
    print_message("off by %.1e, %d of %d with another sign\n", off / largest, turned, changes);
    assert_true(off <= NEAR * largest);
    assert_int_equal(sign, tact_block_lu_sign(own.proximal.loaded.factor));
    count->turned += turned;
    free(x);
    free(half);
    free(expected);
    tact_arena_destroy(&own.arena);
}

static void changes_are_those_of_a_new_factor(void **state)
{
    (void)state;
    Count count = {0};
    assert_true(visit_wedged(0.25, check_changes, &count) >= MANY);
    assert_true(count.turned > MANY);
}

static void check_room(void *context, TactContactFile *file, const char *name)
{
    int   *tried = context, sign = 1, k = 0;
    Own    own;
    double B[9] = {0};
    (void)name;
    if (++*tried > 1) {
        return;
    }
    own_begin(&own, &file->problem, TACT_CONE_CIRCLE);
    for (int i = 0; i < own.system.item_count; i++) {
        memset(own.proximal.items[i].B, 0, sizeof B);
    }
    assert_true(tact_proximal_factor(&own.proximal));
    tact_pile_changed_begin(&own.pile.follow.changed, &own.proximal);
    B[0] = 1;
    while (k < own.system.item_count && tact_pile_change(&own.pile.follow.changed, k, B, &sign)) {
        k++;
    }
    assert_int_equal(k, TACT_PILE_CHANGED);
    assert_true(own.proximal.items[k].B[0] == 0); // what there is no room for stays what it was
    assert_true(tact_pile_change(&own.pile.follow.changed, 0, B, &sign));
    tact_arena_destroy(&own.arena);
}

static void one_item_too_many_is_refused(void **state)
{
    (void)state;
    int tried = 0;
    assert_true(visit_wedged(0.25, check_room, &tried) >= 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(changes_are_those_of_a_new_factor),
        cmocka_unit_test(one_item_too_many_is_refused),
    };
    return cmocka_run_group_tests(tests, tact_scratch_setup, tact_scratch_teardown);
}
