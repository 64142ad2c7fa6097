// The cone and the spots of a pile: the algebra of second-order cones against its definitions, and
// spots against a flood over bodies.
#include <math.h>

#include "contact/pile/cone.h"
#include "contact/pile/spots.h"
#include "systems.h"

/// Inside: x_0 > |x_t|, by a part that may be small.
static void draw_inside(TactRandom *random, double x[3])
{
    double angle = tact_random_uniform(random, 0, 6.28),
           size = pow(10, tact_random_uniform(random, -3, 3));
    double part = 1 - pow(10, tact_random_uniform(random, -4, 0));
    x[0] = size;
    x[1] = part * size * cos(angle);
    x[2] = part * size * sin(angle);
}

static double room(const double x[3])
{
    return x[0] - hypot(x[1], x[2]);
}

static void a_step_reaches_the_border_where_it_leaves_the_cone(void **state)
{
    (void)state;
    TactRandom random = tact_random_seed(21);
    int        ends = 0, never = 0;
    for (int k = 0; k < 20000; k++) {
        double x[3], dx[3], at[3];
        draw_inside(&random, x);
        for (int c = 0; c < 3; c++) {
            dx[c] = x[0] * tact_random_normal(&random);
        }
        double t = tact_cone_reach(x, dx);
        assert_true(t > 0);
        // A ray stays inside if its direction lies in the cone, and else does not.
        assert_int_equal(t < HUGE_VAL, room(dx) < 0);
        never += t == HUGE_VAL;
        if (t == HUGE_VAL) {
            continue;
        }
        ends++;
        for (int part = 1; part <= 20; part++) { // inside before, on the border there
            double size = 0;
            for (int c = 0; c < 3; c++) {
                at[c] = x[c] + part / 20.0 * t * dx[c];
                size += fabs(x[c]) + t * fabs(dx[c]);
            }
            assert_true(part < 20 ? room(at) > -1e-13 * size : fabs(room(at)) < 1e-7 * size);
            assert_true(part < 20 ||
                        fabs(at[0] * at[0] - at[1] * at[1] - at[2] * at[2]) < 1e-12 * size * size);
        }
    }
    assert_true(ends > 1000 && never > 1000);
}

/// W z = W^-1 x = l, W^2 z = x, and l o (l o \ a) = a [Nesterov, Todd 1997].
static void the_scaling_takes_both_points_to_one(void **state)
{
    (void)state;
    TactRandom random = tact_random_seed(22);
    for (int k = 0; k < 5000; k++) {
        double          x[3], z[3], a[3], b[3], W2[9];
        TactConeScaling scaling;
        draw_inside(&random, x);
        draw_inside(&random, z);
        assert_true(tact_cone_scale(x, z, &scaling));
        tact_cone_times(&scaling, z, a);
        tact_cone_divide(&scaling, x, b);
        tact_cone_square(&scaling, W2);
        for (int c = 0; c < 3; c++) {
            double square = 0;
            for (int j = 0; j < 3; j++) {
                square += W2[3 * c + j] * z[j];
            }
            assert_true(fabs(a[c] - scaling.l[c]) <= 1e-9 * scaling.l[0]);
            assert_true(fabs(b[c] - scaling.l[c]) <= 1e-9 * scaling.l[0]);
            assert_true(fabs(square - x[c]) <= 1e-9 * x[0]);
        }
    }
}

enum { CUBES = 8 };

/// A row of cubes side by side, each in contact with the next; bad: (contacts).
static void make_row(Scene *scene)
{
    scene_clear(scene);
    for (int k = 0; k < CUBES; k++) {
        scene_add_cube(scene, 1, 0.5, k, 0, 0);
    }
    for (int k = 0; k + 1 < CUBES; k++) {
        TactContact *contact = scene_add_contact(scene, k, k + 1, k + 0.5, 0, 0, 0.5);
        contact->normal[0] = 1;
        contact->normal[2] = 0;
    }
}

/// Of every set of bad contacts between cubes in a row: contacts with a cube of a bad one are in a
/// spot, and two that share such a cube are in the same one.
static void bad_contacts_that_share_a_body_are_one_spot(void **state)
{
    (void)state;
    Scene         scene;
    OwnedSystem   owned;
    TactPileSpots spots = {0};
    TactArena     arena = {0};
    make_row(&scene);
    system_create(&owned, &scene.problem);
    TactContactCapacity capacity = tact_contact_get_capacity(&scene.problem);
    tact_pile_spots_layout(&spots, &capacity, &arena);
    assert_int_equal(tact_arena_create(&arena), TACT_OK);
    tact_pile_spots_layout(&spots, &capacity, &arena);
    assert_int_equal(owned.system.item_count, CUBES - 1);
    for (int set = 1; set < 1 << (CUBES - 1); set++) {
        double bad[CUBES - 1];
        int    spot[CUBES - 1], cube[CUBES + 1] = {0}, expected = 0;
        for (int i = 0; i < CUBES - 1; i++) {
            int source = owned.system.items[i].source;
            bad[i] = set >> source & 1;
            cube[source] |= (int)bad[i];
            cube[source + 1] |= (int)bad[i];
            spot[i] = -1;
        }
        tact_pile_spots_find(&spots, &owned.system, bad, 0, 0, 1000);
        for (int g = 0; g < owned.system.group_count; g++) {
            const TactItemGroup *group = &owned.system.groups[g];
            for (int i = group->first; i < group->first + group->count; i++) {
                spot[owned.system.items[i].source] = spots.of[g];
            }
        }
        for (int k = 0; k < CUBES; k++) { // runs of marked cubes
            expected += cube[k] && !(k > 0 && cube[k - 1]);
            if (k > 0 && k + 1 < CUBES && cube[k]) {
                assert_int_equal(spot[k - 1], spot[k]);
            }
        }
        for (int k = 0; k + 1 < CUBES; k++) {
            assert_int_equal(spot[k] >= 0, cube[k] || cube[k + 1]);
        }
        // Two runs with one contact between them that neither has marked share it: they are one.
        assert_in_range(spots.count, 1, expected);
    }
    tact_arena_destroy(&arena);
    system_destroy(&owned);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_step_reaches_the_border_where_it_leaves_the_cone),
        cmocka_unit_test(the_scaling_takes_both_points_to_one),
        cmocka_unit_test(bad_contacts_that_share_a_body_are_one_spot),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
