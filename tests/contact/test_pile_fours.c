// Four contacts at once of the interior point beside one by one: the same bits, step after step,
// for contacts with and without friction, with compliance, unilateral rows and motors.
#include "contact/pile/interior_fours.h"

#include <math.h>
#include <string.h>

#include "contact/pile/interior_item.h"
#include "systems.h"

enum { N = 61, LANES = TACT_INTERIOR_LANES, FOURS = (N + LANES - 1) / LANES };

/// All that is needed, without bodies: velocities are drawn.
typedef struct Both {
    TactItem         items[N];
    double           weight[N], reach[N];
    TactSystem       system;
    TactCoupling     coupling;
    TactProximalItem proximal_items[N];
    TactProximal     proximal;
    TactInteriorFour fours[FOURS];
    TactInteriorItem lent[N], own[N]; // own: one by one
    int              others[N];
    TactInterior     interior;
} Both;

static void draw_items(TactRandom *random, Both *both)
{
    static const TactItemKind kinds[] = {TACT_ITEM_CONTACT, TACT_ITEM_CONTACT, TACT_ITEM_CONTACT,
                                         TACT_ITEM_UNILATERAL, TACT_ITEM_MOTOR};
    for (int i = 0; i < N; i++) {
        both->items[i] = (TactItem){
            .kind = kinds[tact_random_next(random) % 5],
            .mu = i % 7 == 0 ? 0 : tact_random_uniform(random, 0.05, 1.5),
            .bound = i % 11 == 0 ? 0 : tact_random_uniform(random, 0.1, 3),
            .compliance = i % 3 == 0 ? tact_random_uniform(random, 0, 0.2) : 0,
        };
        both->weight[i] = pow(10, tact_random_uniform(random, -1, 1));
    }
    both->system = (TactSystem){.items = both->items, .item_count = N};
    both->coupling = (TactCoupling){.system = &both->system, .weight = both->weight};
    both->proximal = (TactProximal){.coupling = &both->coupling, .items = both->proximal_items};
    both->interior = (TactInterior){.proximal = &both->proximal,
                                    .fours = both->fours,
                                    .items = both->lent,
                                    .others = both->others,
                                    .reach = both->reach};
}

/// The same numbers to lanes and to one by one.
static void draw_velocity(TactRandom *random, Both *both, int i, double v[3], bool is_change)
{
    TactInteriorFour *four = &both->fours[i / LANES];
    for (int c = 0; c < 3; c++) {
        v[c] = tact_random_normal(random);
        (is_change ? four->du : four->u)[c][i % LANES] = v[c];
    }
}

static void assert_same(const double own[3], const double *lanes, int lane)
{
    for (int c = 0; c < 3; c++) {
        assert_true(own[c] == lanes[c * LANES + lane]);
    }
}

/// One item by itself; B is that of the fours, compared.
static void check_item(Both *both, int i, double target, bool corrects, double du[3])
{
    TactInteriorItem       *item = &both->own[i];
    const TactInteriorFour *four = &both->fours[i / LANES];
    double                  dp[3], B[9];
    memcpy(B, both->proximal_items[i].B, sizeof B);
    if (corrects) {
        tact_interior_keep_affine(&both->items[i], item);
    }
    tact_interior_aim(&both->items[i], item, target, corrects);
    assert_same(item->h, four->h[0], i % LANES);
    for (int r = 0; r < 3; r++) {
        dp[r] = item->h[r] - (B[3 * r] * du[0] + B[3 * r + 1] * du[1] + B[3 * r + 2] * du[2]);
    }
    tact_interior_move_of(&both->items[i], item, du, dp);
    item->reach *= 0.9;
    assert_true(item->reach == both->reach[i]);
}

/// A step of all, predictor and corrector.
static void check_step(TactRandom *random, Both *both)
{
    double u[3], du[N][3], B[9];
    tact_interior_fours_impulses(&both->interior);
    for (int i = 0; i < N; i++) {
        draw_velocity(random, both, i, u, false);
        memcpy(both->own[i].u, u, sizeof u);
    }
    assert_true(tact_interior_fours_linearise(&both->interior));
    for (int i = 0; i < N; i++) {
        assert_true(tact_interior_linearise(&both->items[i], &both->own[i], B));
        for (int e = 0; e < 9; e++) {
            assert_true(B[e] == both->proximal_items[i].B[e]);
        }
    }
    for (int corrects = 0; corrects < 2; corrects++) {
        both->interior.target = 0.3 * corrects;
        both->interior.corrects = corrects == 1;
        tact_interior_fours_aim(&both->interior);
        for (int i = 0; i < N; i++) {
            draw_velocity(random, both, i, du[i], true);
        }
        assert_true(tact_interior_fours_move(&both->interior, 0.9));
        for (int i = 0; i < N; i++) {
            check_item(both, i, 0.3 * corrects, corrects == 1, du[i]);
        }
    }
}

static void four_contacts_at_once_have_the_bits_of_one_by_one(void **state)
{
    (void)state;
    static Both both;
    TactRandom  random = tact_random_seed(71);
    for (int k = 0; k < 40; k++) {
        draw_items(&random, &both);
        tact_interior_fours_begin(&both.interior, 0.5);
        for (int i = 0; i < N; i++) {
            tact_interior_begin_item(&both.items[i], both.weight[i], 0.5, &both.own[i]);
        }
        for (int step = 0; step < 6; step++) {
            double sum = 0, count = 0;
            check_step(&random, &both);
            for (int i = 0; i < N; i++) {
                double own = fmin(0.4, both.own[i].reach);
                count += tact_interior_gap(&both.items[i], &both.own[i], own, &sum);
            }
            double gap = tact_interior_fours_gap(&both.interior, 0.4);
            assert_true(gap == sum / count);
            tact_interior_fours_take(&both.interior, 0.4);
            for (int i = 0; i < N; i++) {
                tact_interior_take(&both.own[i], fmin(0.4, both.own[i].reach));
            }
        }
        tact_interior_fours_impulses(&both.interior);
        for (int i = 0; i < N; i++) {
            double p[3];
            tact_interior_impulse(&both.items[i], &both.own[i], p);
            assert_same(p, both.fours[i / LANES].p[0], i % LANES);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(four_contacts_at_once_have_the_bits_of_one_by_one),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
