// Capsules and cylinders beside each other: the line along which they touch has two ends, and
// nearest points beside a cylinder have a closed form.
#include "collide/poses.h"

#include "collide/convex/gjk.h"
#include "collide/manifold.h"
#include "collide/pair/rod.h"

static const TactShapeType types[3][2] = {{TACT_SHAPE_CAPSULE, TACT_SHAPE_CAPSULE},
                                          {TACT_SHAPE_CAPSULE, TACT_SHAPE_CYLINDER},
                                          {TACT_SHAPE_CYLINDER, TACT_SHAPE_CYLINDER}};

/// Two rods, a upon b: the axis of b along x, that of a turned by tilt about y and by skew about z,
/// its middle at (along, 0, height); all of it moved anywhere.
typedef struct Rods {
    TactShape     a, b;
    TactTransform pose_a, pose_b, frame;
    double        along, height, tilt, skew, margin;
    TactTouchList list;
} Rods;

static void draw_rods(Random *random, int k, Rods *rods)
{
    rods->a = random_shape(random, types[k % 3][0], NULL);
    rods->b = random_shape(random, types[k % 3][1], NULL);
    rods->frame = random_pose(random, 1);
    rods->margin = 0.05;
    rods->tilt = rods->skew = 0;
    rods->along = random_in(random, -0.1, 0.1);
    rods->height = rods->a.size[0] + rods->b.size[0] + random_in(random, -0.02, 0.02);
}

/// The points of the two, a first or b first.
static void collide(Rods *rods, bool exchanged)
{
    TactQuat      lying = tact_quat_from_axis_angle((TactVec3){0, 1, 0}, 1.5707963267948966);
    TactQuat      tilt = tact_quat_from_axis_angle((TactVec3){0, 1, 0}, rods->tilt);
    TactQuat      skew = tact_quat_from_axis_angle((TactVec3){0, 0, 1}, rods->skew);
    TactTransform a = {tact_quat_multiply(skew, tact_quat_multiply(tilt, lying)),
                       {rods->along, 0, rods->height}};
    TactTransform b = {lying, {0, 0, 0}};
    rods->pose_a = tact_transform_multiply(rods->frame, a);
    rods->pose_b = tact_transform_multiply(rods->frame, b);
    tact_touch_list_clear(&rods->list);
    if (exchanged) {
        assert_int_equal(tact_collide(&rods->b, &rods->pose_b, &rods->a, &rods->pose_a,
                                      rods->margin, &rods->list),
                         TACT_OK);
    } else {
        assert_int_equal(tact_collide(&rods->a, &rods->pose_a, &rods->b, &rods->pose_b,
                                      rods->margin, &rods->list),
                         TACT_OK);
    }
}

static TactVec3 point_of(const Rods *rods, int i)
{
    return tact_transform_point_back(rods->frame, rods->list.touches[i].point);
}

/// Where the two pieces beside each other end, and how deep they are in each other there.
static void parallel_rods_touch_at_both_ends_of_what_they_share(void **state)
{
    (void)state;
    Random random = {51};
    Rods   rods = {0};
    for (int k = 0; k < pose_count(); k++) {
        draw_rods(&random, k, &rods);
        double half_a = rods.a.size[1], half_b = rods.b.size[1];
        rods.along = random_in(&random, -0.9, 0.9) * (half_a + half_b);
        double low = fmax(-half_b, rods.along - half_a), high = fmin(half_b, rods.along + half_a);
        collide(&rods, false);
        assert_int_equal(rods.list.count, 2);
        bool rising = point_of(&rods, 0).x < point_of(&rods, 1).x;
        assert_within(point_of(&rods, !rising).x, low, 1e-9, "low end");
        assert_within(point_of(&rods, rising).x, high, 1e-9, "high end");
        for (int i = 0; i < 2; i++) {
            double   depth = rods.a.size[0] + rods.b.size[0] - rods.height;
            TactVec3 down = tact_quat_rotate(rods.frame.rotation, (TactVec3){0, 0, -1});
            TactVec3 n = rods.list.touches[i].normal;
            assert_within(rods.list.touches[i].depth, depth, 1e-9, "depth");
            assert_within(tact_vec3_norm(tact_vec3_subtract(n, down)), 0, 1e-9, "normal");
            assert_within(point_of(&rods, i).z, rods.b.size[0] - 0.5 * depth, 1e-9, "height");
        }
    }
    tact_touch_list_destroy(&rods.list);
}

/// With a shorter than b and in one plane with it, the ends of a are height -+ half sin(tilt) above
/// the axis of b; a capsule is its radius below that, the rim of a cylinder radius cos(tilt).
static void a_tilted_rod_touches_at_each_end_that_is_within_the_margin(void **state)
{
    (void)state;
    Random random = {52};
    Rods   rods = {0};
    int    both = 0, one = 0;
    for (int k = 0; k < pose_count(); k++) {
        draw_rods(&random, k, &rods);
        rods.b.size[1] = rods.a.size[1] + 0.9;
        rods.tilt = k % 2 ? random_in(&random, -0.1, 0.1) : random_in(&random, -1e-4, 1e-4);
        double radius =
            rods.a.size[0] * (types[k % 3][0] == TACT_SHAPE_CYLINDER ? cos(rods.tilt) : 1);
        double depths[2], expected = 0;
        for (int end = 0; end < 2; end++) {
            double z = rods.height - (end ? 1 : -1) * rods.a.size[1] * sin(rods.tilt);
            depths[end] = radius + rods.b.size[0] - z;
            expected += depths[end] >= -rods.margin;
        }
        collide(&rods, false);
        assert_int_equal(rods.list.count, (int)expected);
        both += rods.list.count == 2;
        one += rods.list.count == 1;
        for (int i = 0; i < rods.list.count; i++) {
            bool high = rods.list.touches[i].feature == tact_touch_name(TACT_TOUCH_CORNER_A, 2, 0);
            assert_within(rods.list.touches[i].depth, depths[high], 1e-9, "depth");
        }
    }
    print_message("%d touch at both ends, %d at one\n", both, one);
    assert_true(both > pose_count() / 2 && one > pose_count() / 20);
    tact_touch_list_destroy(&rods.list);
}

/// Turned about the line between their middles: nearest there, and at the ends of a short a
/// sqrt(height^2 + (half sin(skew))^2) from axis to axis. There is a point where that is within the
/// margin, at whatever angle.
static void a_skew_rod_touches_between_its_ends_and_where_they_are_within_the_margin(void **state)
{
    (void)state;
    Random random = {53};
    Rods   rods = {0};
    int    three = 0, one = 0;
    for (int k = 0; k < pose_count(); k++) {
        draw_rods(&random, k, &rods);
        rods.b.size[1] = rods.a.size[1] + 0.9;
        rods.skew = random_in(&random, 0.01, 0.8);
        double   sine = sin(rods.skew), half = rods.a.size[1];
        double   far = hypot(rods.height, half * sine), along = half * sine * sine / far; // n'u
        double   shape = rods.a.type == TACT_SHAPE_CYLINDER ? sqrt(1 - along * along) : 1;
        double   depth = rods.b.size[0] + shape * rods.a.size[0] - far;
        TactVec3 n = {0, -half * sine / far, -rods.height / far}; // at the high end
        bool     ends = depth >= -rods.margin && rods.height > TACT_ROD_SIDEWAYS * far;
        collide(&rods, false);
        assert_int_equal(rods.list.count, ends ? 3 : 1);
        three += ends;
        one += !ends;
        for (int i = 0; i < rods.list.count; i++) {
            const TactTouch *t = &rods.list.touches[i];
            TactVec3         normal = tact_quat_rotate_back(rods.frame.rotation, t->normal);
            bool             middle = i == rods.list.count - 1, high = i == 1;
            double           near = rods.a.size[0] + rods.b.size[0] - rods.height;
            TactVec3         there = high ? n : (TactVec3){0, -n.y, n.z};
            assert_within(t->depth, middle ? near : depth, 1e-9, "depth");
            assert_within(
                tact_vec3_norm(tact_vec3_subtract(normal, middle ? (TactVec3){0, 0, -1} : there)),
                0, 1e-9, "normal");
        }
    }
    print_message("%d touch at three points, %d at one\n", three, one);
    assert_true(three > pose_count() / 10 && one > pose_count() / 10);
    tact_touch_list_destroy(&rods.list);
}

/// Is there such a point in a list, its normal turned round? The direction of least overlap is
/// known to the root of what the overlap is known to.
static bool has_point(const TactTouchList *list, const TactTouch *t)
{
    const double tol = 1e-6;
    for (int i = 0; i < list->count; i++) {
        const TactTouch *u = &list->touches[i];
        TactVec3         n = tact_vec3_negate(u->normal);
        if (fabs(u->depth - t->depth) <= tol &&
            tact_vec3_norm(tact_vec3_subtract(n, t->normal)) <= tol &&
            tact_vec3_norm(tact_vec3_subtract(u->point, t->point)) <= tol) {
            return true;
        }
    }
    return false;
}

static void exchanged_rods_have_the_same_points(void **state)
{
    (void)state;
    Random        random = {54};
    Rods          rods = {0};
    TactTouchList list = {0};
    for (int k = 0; k < pose_count(); k++) {
        draw_rods(&random, k, &rods);
        rods.b.size[1] = k % 5 ? rods.b.size[1] : rods.a.size[1];
        rods.along = k % 7 ? rods.along : 0;
        rods.tilt = random_in(&random, -0.1, 0.1);
        rods.skew = random_in(&random, -0.1, 0.1) + (k % 4 == 0 ? 3.1415926535897932 : 0);
        collide(&rods, false);
        tact_touch_list_clear(&list);
        for (int i = 0; i < rods.list.count; i++) {
            assert_int_equal(tact_touch_list_add(&list, rods.list.touches[i]), TACT_OK);
        }
        collide(&rods, true);
        assert_int_equal(rods.list.count, list.count);
        for (int i = 0; i < list.count; i++) {
            if (!has_point(&rods.list, &list.touches[i])) {
                fail_msg("pose %d: point %d of %d is not there", k, i, list.count);
            }
        }
    }
    tact_touch_list_destroy(&list);
    tact_touch_list_destroy(&rods.list);
}

/// The point of a list by its name, or NULL.
static const TactTouch *find_point(const TactTouchList *list, uint64_t feature)
{
    for (int i = 0; i < list->count; i++) {
        if (list->touches[i].feature == feature) {
            return &list->touches[i];
        }
    }
    return NULL;
}

/// Along a path a point comes and goes at the margin, or where another one is and as deep; else it
/// moves and turns no further than the rods do.
static void points_of_rods_come_and_go_at_the_margin(void **state)
{
    (void)state;
    enum { STEPS = 400 };
    const double  step = 1.0 / STEPS, tol = 5e-3; // m, of a motion by 1.5e-3 a step at most
    Random        random = {55};
    Rods          rods = {0};
    TactTouchList before = {0};
    int           changes = 0;
    for (int k = 0; k < pose_count() / 20; k++) {
        draw_rods(&random, k, &rods);
        rods.b.size[1] = k % 5 ? rods.b.size[1] : rods.a.size[1];
        double tilts[2], skews[2];
        for (int i = 0; i < 2; i++) {
            tilts[i] = random_in(&random, -0.2, 0.2);
            skews[i] = random_in(&random, -0.2, 0.2);
        }
        for (int i = 0; i <= STEPS; i++) {
            rods.tilt = tilts[0] + i * step * (tilts[1] - tilts[0]);
            rods.skew = skews[0] + i * step * (skews[1] - skews[0]);
            collide(&rods, false);
            for (int side = 0; side < 2 && i > 0; side++) {
                const TactTouchList *from = side ? &before : &rods.list;
                const TactTouchList *to = side ? &rods.list : &before;
                for (int j = 0; j < from->count; j++) {
                    const TactTouch *t = &from->touches[j], *same = find_point(to, t->feature);
                    if (same) {
                        assert_within(same->depth, t->depth, tol, "depth");
                    } else if (!(t->depth < -rods.margin + tol)) {
                        TactTouch near = *t;
                        changes++;
                        bool found = false;
                        for (int l = 0; l < to->count; l++) {
                            found = found || fabs(to->touches[l].depth - near.depth) < tol;
                        }
                        if (!found) {
                            fail_msg("path %d, step %d: a point of depth %g %s", k, i, t->depth,
                                     side ? "goes" : "comes");
                        }
                    }
                }
            }
            tact_touch_list_clear(&before);
            for (int j = 0; j < rods.list.count; j++) {
                assert_int_equal(tact_touch_list_add(&before, rods.list.touches[j]), TACT_OK);
            }
        }
    }
    print_message("%d points come or go beside another\n", changes);
    tact_touch_list_destroy(&before);
    tact_touch_list_destroy(&rods.list);
}

/// Where the closed form answers, GJK's distance of what is inside of the balls is the same; and it
/// answers wherever the nearest points are on the side of each cylinder.
static void the_closed_form_beside_cylinders_is_the_distance_of_gjk(void **state)
{
    (void)state;
    static const TactShapeType others[3] = {TACT_SHAPE_SPHERE, TACT_SHAPE_CAPSULE,
                                            TACT_SHAPE_CYLINDER};
    Random                     random = {56};
    int                        closed = 0, beside = 0, apart = 0;
    for (int k = 0; k < 3 * pose_count(); k++) {
        TactShape     one = random_shape(&random, others[k % 3], NULL);
        TactShape     two = random_shape(&random, TACT_SHAPE_CYLINDER, NULL);
        TactTransform pose_a = random_pose(&random, 1.2), pose_b = random_pose(&random, 1.2);
        TactConvex    a = tact_convex_make(&one, &pose_a), b = tact_convex_make(&two, &pose_b);
        TactSimplex   simplex;
        TactVec3      on_a, on_b;
        TactRods      rods;
        TactClosest   closest;
        double        distance = tact_gjk(&a, &b, INFINITY, &simplex, &on_a, &on_b);
        if (!(distance > 1e-3)) {
            continue; // with overlap: the proofs of test_convex.c
        }
        apart++;
        TactShapePair pair = {&one, &two, &pose_a, &pose_b, 0};
        tact_rods_make(&pair, &rods);
        tact_rods_find_nearest(&rods);
        double z_a = tact_vec3_dot(rods.a.axis, tact_vec3_subtract(on_a, pose_a.position));
        double z_b = tact_vec3_dot(rods.b.axis, tact_vec3_subtract(on_b, pose_b.position));
        bool   sides = fabs(z_b) < two.size[1] - 1e-6 &&
                     (one.type != TACT_SHAPE_CYLINDER || fabs(z_a) < one.size[1] - 1e-6);
        bool found = tact_rods_find_closest(&rods, &closest);
        beside += sides;
        closed += found;
        assert_true(found || !sides);
        if (found) {
            TactVec3 n = tact_vec3_scale(1 / distance, tact_vec3_subtract(on_b, on_a));
            assert_within(-closest.depth, distance - a.radius, 1e-11, "distance");
            // GJK stops at 1e-12 of the size, which a normal off by the root of that can have
            double turn = sqrt(2e-12 * (a.size + b.size) / distance);
            assert_within(tact_vec3_norm(tact_vec3_subtract(n, closest.normal)), 0, turn, "normal");
        }
    }
    print_message("%d apart, %d of them beside a side, %d in closed form\n", apart, beside, closed);
    assert_true(beside > apart / 4);
}

// ---------------------------------------------------------------------------------------------
// Edges

/// A rod all but along the upper edge of a box at y > 0, out of it at the angle phi.
static TactTransform place_at_edge(Random *random, const TactShape *rod, const TactShape *box,
                                   double gap)
{
    double   phi = random_in(random, 0.15, 1.4);
    TactVec3 out = {0, cos(phi), sin(phi)}, side = {0, -sin(phi), cos(phi)};
    TactQuat lying = tact_quat_from_axis_angle((TactVec3){0, 1, 0}, 1.5707963267948966);
    TactQuat tilt = tact_quat_from_axis_angle(side, random_in(random, -0.02, 0.02));
    TactQuat skew = tact_quat_from_axis_angle(out, random_in(random, -0.02, 0.02));
    TactVec3 edge = {random_in(random, -0.1, 0.1), box->size[1], box->size[2]};
    return (TactTransform){tact_quat_multiply(skew, tact_quat_multiply(tilt, lying)),
                           tact_vec3_add_scaled(edge, rod->size[0] + gap, out)};
}

/// The same box as a hull; NULL in a build without qhull.
static TactHull *make_hull(const TactShape *box)
{
    TactVec3       corners[8];
    TactHull      *hull = NULL;
    TactHullConfig config = tact_hull_config_default();
    for (int i = 0; i < 8; i++) {
        corners[i] =
            (TactVec3){i & 1 ? box->size[0] : -box->size[0], i & 2 ? box->size[1] : -box->size[1],
                       i & 4 ? box->size[2] : -box->size[2]};
    }
    return tact_hull_create(corners, 8, &config, &hull) == TACT_OK ? hull : NULL;
}

/// How deep a disc or ball around a point of the axis is in a box, towards its nearest point.
static double depth_at(const TactShape *rod, TactVec3 axis, TactVec3 p, const TactShape *box)
{
    const double *s = box->size;
    TactVec3      near = {fmax(-s[0], fmin(p.x, s[0])), fmax(-s[1], fmin(p.y, s[1])),
                          fmax(-s[2], fmin(p.z, s[2]))};
    TactVec3      way = tact_vec3_subtract(near, p);
    double        far = tact_vec3_norm(way), along = tact_vec3_dot(axis, way) / far;
    return rod->size[0] * (rod->type == TACT_SHAPE_CYLINDER ? sqrt(1 - along * along) : 1) - far;
}

/// Both ends of a rod that is shorter than the edge have the depth of their discs or balls; of one
/// that is longer, the corners of the edge have that of the rod beside them.
static void a_rod_along_an_edge_touches_at_both_ends_that_are_within_the_margin(void **state)
{
    (void)state;
    Random        random = {57};
    TactTouchList list = {0};
    int           both = 0;
    for (int k = 0; k < pose_count(); k++) {
        TactShape rod =
            random_shape(&random, k % 2 ? TACT_SHAPE_CAPSULE : TACT_SHAPE_CYLINDER, NULL);
        TactShape box = random_shape(&random, TACT_SHAPE_BOX, NULL);
        bool      longer = k % 4 >= 2;
        rod.size[0] *= 0.3;
        box.size[0] = longer ? 0.5 * rod.size[1] : rod.size[1] + 0.3;
        TactTransform pose = place_at_edge(&random, &rod, &box, random_in(&random, -0.002, 0.02));
        TactTransform here = tact_transform_identity();
        TactVec3      axis = tact_quat_rotate(pose.rotation, (TactVec3){0, 0, 1});
        const double  margin = 0.03;
        int           found = 0;
        tact_touch_list_clear(&list);
        TactHull *hull = k % 8 == 0 || k % 8 == 3 ? make_hull(&box) : NULL;
        TactShape made = {.type = TACT_SHAPE_HULL, .hull = hull};
        assert_int_equal(tact_collide(&rod, &pose, hull ? &made : &box, &here, margin, &list),
                         TACT_OK);
        tact_hull_destroy(hull);
        for (int end = 0; end < 2; end++) {
            double   sign = end ? 1 : -1, s = sign * rod.size[1];
            TactVec3 corner = {sign * (axis.x > 0 ? 1 : -1) * box.size[0], box.size[1],
                               box.size[2]};
            s = longer ? tact_vec3_dot(axis, tact_vec3_subtract(corner, pose.position)) : s;
            double depth = depth_at(&rod, axis, tact_vec3_add_scaled(pose.position, s, axis), &box);
            double nearest = INFINITY, there = -INFINITY;
            for (int i = 0; i < list.count; i++) {
                TactVec3 r = tact_vec3_subtract(list.touches[i].point, pose.position);
                double   away = fabs(tact_vec3_dot(axis, r) - s);
                there = away < nearest ? list.touches[i].depth : there;
                nearest = fmin(nearest, away);
            }
            if (depth < -margin + 1e-5) { // to what they may differ
                continue;
            }
            found++;
            // An end that is nearest has the depth of its rim, which its disc has to fourth order;
            // a point is up to the tilt times the radius beside the end of the axis.
            if (!(nearest < 1e-3 * rod.size[1] + 0.03 * (rod.size[0] + margin)) ||
                !(fabs(there - depth) < 1e-5)) {
                fail_msg("%s, pose %d, end %d: depth %g, expected %g, %g aside",
                         shape_name(rod.type), k, end, there, depth, nearest);
            }
        }
        both += found == 2;
    }
    print_message("%d touch at both ends\n", both);
    assert_true(both > pose_count() / 2);
    tact_touch_list_destroy(&list);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(parallel_rods_touch_at_both_ends_of_what_they_share),
        cmocka_unit_test(a_tilted_rod_touches_at_each_end_that_is_within_the_margin),
        cmocka_unit_test(a_skew_rod_touches_between_its_ends_and_where_they_are_within_the_margin),
        cmocka_unit_test(exchanged_rods_have_the_same_points),
        cmocka_unit_test(points_of_rods_come_and_go_at_the_margin),
        cmocka_unit_test(the_closed_form_beside_cylinders_is_the_distance_of_gjk),
        cmocka_unit_test(a_rod_along_an_edge_touches_at_both_ends_that_are_within_the_margin),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
