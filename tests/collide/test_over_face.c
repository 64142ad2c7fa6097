// Shapes over a face of a box, in closed form: no direction parts them sooner, and no points are
// nearer. The oracle has supports that are written a second time, and GJK and EPA.
#include "collide/convex/convex.h"
#include "collide/pair/pair.h"
#include "collide/poses.h"

static const double MARGIN = 0.05, TOL = 1e-12;

typedef struct Tally {
    int over, deep, apart, unknown;
} Tally;

/// Nearest points or least overlap, by all that says so.
static void check_over(const TactConvex *box, const TactConvex *other, const TactOverFace *over)
{
    double round = other->radius, height = round - over->depth;
    assert_within(tact_vec3_norm(over->normal), 1, TOL, "length of the normal");
    assert_within(overlap_along(box->shape, &box->pose, other->shape, &other->pose, over->normal),
                  over->depth, 4 * TOL, "overlap along the normal");
    assert_true(fabs(outside_of(box->shape, &box->pose, over->on_box)) <= 4 * TOL);
    TactVec3 way = tact_vec3_subtract(over->on_other, over->on_box);
    assert_within(tact_vec3_dot(way, over->normal), height, TOL, "way along the normal");
    assert_within(tact_vec3_norm(way), fabs(height), TOL, "way");

    TactVec3 normal, on_box, on_other;
    double   depth;
    assert_true(tact_pair_find_normal(box, other, MARGIN, &normal, &depth, &on_box, &on_other));
    assert_within(over->depth, depth, 1e-10, "depth of GJK and EPA");
}

static void check_directions(Random *random, const TactConvex *box, const TactConvex *other,
                             double depth)
{
    for (int k = 0; k < 20; k++) {
        TactVec3 n = random_direction(random);
        double   overlap = overlap_along(box->shape, &box->pose, other->shape, &other->pose, n);
        assert_true(overlap >= depth - 4 * TOL);
    }
}

static void check_pose(Random *random, const TactConvex *box, const TactConvex *other, Tally *tally)
{
    TactOverFace over;
    switch (tact_pair_over_face(box, other, MARGIN, &over)) {
    case TACT_OVER_FACE:
        tally->over++;
        tally->deep += over.depth > other->radius;
        check_over(box, other, &over);
        check_directions(random, box, other, over.depth);
        break;
    case TACT_OVER_APART: {
        TactVec3 normal, on_box, on_other;
        double   depth;
        tally->apart++;
        assert_false(
            tact_pair_find_normal(box, other, MARGIN, &normal, &depth, &on_box, &on_other));
        break;
    }
    default: tally->unknown++; break;
    }
}

static void over_a_face_nothing_is_nearer_and_no_direction_parts_sooner(void **state)
{
    (void)state;
    static const TactShapeType types[] = {TACT_SHAPE_CAPSULE, TACT_SHAPE_CYLINDER,
                                          TACT_SHAPE_ELLIPSOID, TACT_SHAPE_HULL};
    Random                     random = {71};
    TactHull                  *hull = random_hull(&random, 40);
    for (size_t t = 0; t < sizeof types / sizeof *types; t++) {
        Tally tally = {0};
        if (types[t] == TACT_SHAPE_HULL && !hull) {
            continue;
        }
        for (int k = 0; k < pose_count(); k++) {
            TactShape     cuboid = random_shape(&random, TACT_SHAPE_BOX, NULL);
            TactShape     shape = random_shape(&random, types[t], hull);
            TactTransform pose_a = random_pose(&random, 0.5), pose_b = random_pose(&random, 1.5);
            TactConvex    box = tact_convex_make(&cuboid, &pose_a);
            TactConvex    other = tact_convex_make(&shape, &pose_b);
            check_pose(&random, &box, &other, &tally);
        }
        print_message("%s: over a face %d, %d of them with cores that overlap; apart %d; "
                      "unknown %d\n",
                      shape_name(types[t]), tally.over, tally.deep, tally.apart, tally.unknown);
        assert_true(20 * tally.over > pose_count() && tally.deep > 0 && tally.apart > 0);
    }
    tact_hull_destroy(hull);
}

/// At rest the cores of a box and what lies on it overlap by rounding: the face has the normal.
static void what_lies_on_a_box_has_the_normal_of_its_face(void **state)
{
    (void)state;
    TactShape     cuboid = {.type = TACT_SHAPE_BOX, .size = {0.5, 0.4, 0.1}};
    TactShape     round = {.type = TACT_SHAPE_ELLIPSOID, .size = {0.03, 0.04, 0.02}};
    TactTouchList list = {0};
    for (int k = -2; k <= 2; k++) {
        TactTransform pose_a = tact_transform_identity(), pose_b = pose_a;
        pose_b.position = (TactVec3){0.1, -0.2, 0.12 - 1e-15 * k};
        tact_touch_list_clear(&list);
        assert_int_equal(tact_collide(&cuboid, &pose_a, &round, &pose_b, 0.001, &list), TACT_OK);
        assert_int_equal(list.count, 1);
        assert_true(list.touches[0].normal.x == 0 && list.touches[0].normal.y == 0 &&
                    list.touches[0].normal.z == 1);
        assert_within(list.touches[0].depth, 1e-15 * k, 1e-16, "depth");
    }
    tact_touch_list_destroy(&list);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(over_a_face_nothing_is_nearer_and_no_direction_parts_sooner),
        cmocka_unit_test(what_lies_on_a_box_has_the_normal_of_its_face),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
