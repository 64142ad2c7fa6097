// An error made even over the items (proximal_even.c): a plate lies on nine tiles that stand and on
// one that creeps. It cannot stick to all ten; springs leave most of the creep to the one.
#include "contact/proximal/proximal_internal.h"

#include <math.h>
#include <string.h>

#include "contact/pile_own.h"

enum { TILES = 10, CREEPS = 9 };

static const double CREEP = 1e-9; // m/s
static const double EPS = 1e-5;

typedef struct Plate {
    TactContactBody    body;
    TactContact        contacts[TILES];
    TactContactProblem problem;
} Plate;

/// Nine tiles in three rows, and one more under the middle.
static void make_plate(Plate *plate)
{
    *plate = (Plate){.body = {.mass = 3,
                              .inertia = {0.02, 0.02, 0.03},
                              .position = {0, 0, 0.05},
                              .force = {0, 0, -29.43}}};
    for (int k = 0; k < TILES; k++) {
        int    row = k / 3 - 1, column = k % 3 - 1;
        double x = k == CREEPS ? 0 : 0.1 * column, y = k == CREEPS ? 0 : 0.1 * row;
        plate->contacts[k] = (TactContact){.a = -1,
                                           .b = 0,
                                           .point = {x, y, 0},
                                           .normal = {0, 0, 1},
                                           .tangent = {1, 0, 0},
                                           .mu = 0.5,
                                           .surface = {k == CREEPS ? CREEP : 0, 0}};
    }
    plate->problem = (TactContactProblem){.step = 0.005,
                                          .bodies = &plate->body,
                                          .body_count = 1,
                                          .contacts = plate->contacts,
                                          .contact_count = TILES};
}

/// One stage with springs of EPS about the impulses at rest, and its error.
static double run_stage(Own *own)
{
    int steps;
    for (int i = 0; i < TILES; i++) {
        own->p[3 * i] = 0.14715 / TILES;
    }
    tact_proximal_set_motion(&own->proximal, own->system.y0);
    tact_proximal_set_centres(&own->proximal, own->p);
    assert_true(tact_proximal_stage(&own->proximal, EPS, 1e-12, 40, &steps));
    memcpy(own->p, own->proximal.p, 3 * TILES * sizeof(double));
    memcpy(own->proximal.kept, own->proximal.y, (size_t)own->system.dof * sizeof(double));
    tact_proximal_set_centres(&own->proximal, own->p);
    own->proximal.even.error = HUGE_VAL;
    own->proximal.even.tried = true;
    return tact_proximal_error(&own->proximal, own->p);
}

/// The slip of the one that creeps, and the largest of the others.
static void find_slips(const Own *own, double *creeps, double *stands)
{
    *creeps = *stands = 0;
    for (int i = 0; i < TILES; i++) {
        double slip = fabs(own->proximal.u[3 * i + 1]);
        if (own->system.items[i].source == CREEPS) {
            *creeps = slip;
        } else {
            *stands = fmax(*stands, slip);
        }
    }
}

static void assert_no_ease(const Own *own)
{
    for (int i = 0; i < TILES; i++) {
        assert_true(own->proximal.items[i].ease == 1);
    }
}

static void what_no_force_removes_is_shared_by_all_tiles(void **state)
{
    (void)state;
    Plate plate;
    Own   own;
    make_plate(&plate);
    own_begin(&own, &plate.problem, TACT_CONE_CIRCLE);
    double error = run_stage(&own), creeps, stands;
    find_slips(&own, &creeps, &stands);
    assert_true(creeps > 0.8 * CREEP && stands < 0.2 * CREEP);
    assert_true(fabs(creeps + stands - CREEP) < 1e-3 * CREEP);

    // The same slip everywhere is 0.6 of that at the one.
    assert_true(tact_proximal_even(&own.proximal, error, 0.65 * error, own.p));
    assert_true(tact_proximal_error(&own.proximal, own.p) <= 0.65 * error);
    find_slips(&own, &creeps, &stands);
    assert_true(creeps < 0.6 * CREEP && stands > 0.4 * CREEP);
    assert_true(fabs(creeps + stands - CREEP) < 1e-3 * CREEP);
    assert_no_ease(&own);
    tact_arena_destroy(&own.arena);
}

static void what_is_too_far_off_stays_as_it_was(void **state)
{
    (void)state;
    Plate  plate;
    Own    own;
    double before[3 * TILES], motion[6];
    make_plate(&plate);
    own_begin(&own, &plate.problem, TACT_CONE_CIRCLE);
    double error = run_stage(&own);
    memcpy(before, own.p, sizeof before);
    memcpy(motion, own.proximal.kept, sizeof motion);

    assert_false(tact_proximal_even(&own.proximal, error, 0.5 * error, own.p)); // less than 0.6
    assert_memory_equal(before, own.p, sizeof before);
    assert_memory_equal(motion, own.proximal.kept, sizeof motion);
    assert_memory_equal(motion, own.proximal.y, sizeof motion);
    assert_no_ease(&own);

    int steps = own.proximal.steps; // not again from the same error, nor from far away
    assert_false(tact_proximal_even(&own.proximal, error, 0.65 * error, own.p));
    own.proximal.even.error = HUGE_VAL;
    assert_false(tact_proximal_even(&own.proximal, error, 0.2 * error, own.p));
    assert_int_equal(own.proximal.steps, steps);
    tact_arena_destroy(&own.arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_no_force_removes_is_shared_by_all_tiles),
        cmocka_unit_test(what_is_too_far_off_stays_as_it_was),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
