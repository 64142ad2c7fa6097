// Triangle meshes: what they touch, whatever their faces are cut into.
#include "collide/meshes.h"

static const double pi = 3.14159265358979323846;

static void collide(const TactShape *a, const TactTransform *pose_a, const TactShape *b,
                    const TactTransform *pose_b, double margin, TactTouchList *list)
{
    tact_touch_list_clear(list);
    assert_int_equal(tact_collide(a, pose_a, b, pose_b, margin, list), TACT_OK);
}

/// Every point of one list is in the other, with its normal and depth.
static void assert_same_points(const TactTouchList *one, const TactTouchList *two, const char *name)
{
    if (one->count != two->count) {
        fail_msg("%s: %d points, expected %d", name, one->count, two->count);
    }
    for (int i = 0; i < one->count; i++) {
        bool found = false;
        for (int k = 0; k < two->count; k++) {
            const TactTouch *p = &one->touches[i], *q = &two->touches[k];
            found = found || (tact_vec3_norm(tact_vec3_subtract(p->point, q->point)) < 1e-9 &&
                              tact_vec3_norm(tact_vec3_subtract(p->normal, q->normal)) < 1e-9 &&
                              fabs(p->depth - q->depth) < 1e-9);
        }
        if (!found) {
            fail_msg("%s: point %d is not in the other list", name, i);
        }
    }
}

static const double    table_half[3] = {1, 1, 0.5}, box_half[3] = {0.3, 0.2, 0.1};
static const TactShape table_box = {.type = TACT_SHAPE_BOX, .size = {1, 1, 0.5}};
static const TactShape box = {.type = TACT_SHAPE_BOX, .size = {0.3, 0.2, 0.1}};
static const TactShape plane = {.type = TACT_SHAPE_PLANE};

static void a_mesh_of_a_box_touches_as_the_box_does(void **state)
{
    (void)state;
    TactTouchList one = {0}, two = {0};
    TactTransform ground = tact_transform_identity();
    TactTransform rest = {tact_quat_from_axis_angle((TactVec3){0, 0, 1}, 0.3), {0.03, 0.02, 0.599}};
    TactTransform floor = {{1, 0, 0, 0}, {0, 0, 0.5}};
    TactTransform over = rest; // part of it beyond the table's edge
    over.position.x = 0.9;
    for (int cuts = 1; cuts <= 7; cuts += 2) {
        Made table = make_box(table_half, cuts), small = make_box(box_half, cuts);
        for (int k = 0; k < 2; k++) {
            const TactTransform *at = k ? &over : &rest;
            collide(&table_box, &ground, &box, at, 0.01, &two);
            collide(&table.shape, &ground, &box, at, 0.01, &one);
            assert_same_points(&one, &two, "mesh-box");
            collide(&table_box, &ground, &small.shape, at, 0.01, &one);
            assert_same_points(&one, &two, "box-mesh");
            collide(&table.shape, &ground, &small.shape, at, 0.01, &one);
            assert_same_points(&one, &two, "mesh-mesh");
        }
        collide(&plane, &floor, &box, &rest, 0.01, &two);
        collide(&plane, &floor, &small.shape, &rest, 0.01, &one);
        assert_same_points(&one, &two, "plane-mesh");
        drop(&table);
        drop(&small);
    }
    tact_touch_list_destroy(&one);
    tact_touch_list_destroy(&two);
}

static void edges_inside_a_flat_face_give_no_normals(void **state)
{
    (void)state;
    Random        random = {3};
    Made          table = make_box(table_half, 8);
    TactShape     balls[3] = {{.type = TACT_SHAPE_SPHERE, .size = {0.1}},
                              {.type = TACT_SHAPE_CAPSULE, .size = {0.1, 0.2}},
                              {.type = TACT_SHAPE_ELLIPSOID, .size = {0.1, 0.15, 0.2}}};
    TactTransform ground = tact_transform_identity();
    TactTouchList list = {0};
    for (int k = 0; k < 3000; k++) {
        const TactShape *ball = &balls[k % 3];
        TactTransform    pose = random_pose(&random, 0.6);
        double           depth = random_in(&random, -0.004, 0.02);
        if (k % 5 == 0) { // just over a corner of the cut, or an edge
            pose.position.x = 0.25 * floor(pose.position.x / 0.25);
            pose.position.y = k % 2 ? pose.position.y : 0.25 * floor(pose.position.y / 0.25);
        }
        pose.position.z = 0;
        pose.position.z = 0.5 - depth + reach_along(ball, &pose, (TactVec3){0, 0, -1});
        collide(&table.shape, &ground, ball, &pose, 0.005, &list);
        assert_true(list.count >= 1 && list.count <= 2);
        assert_within(deepest_of(&list), depth, 1e-6, shape_name(ball->type));
        for (int i = 0; i < list.count; i++) {
            assert_within(list.touches[i].normal.z, 1, 1e-12, shape_name(ball->type));
        }
    }
    tact_touch_list_destroy(&list);
    drop(&table);
}

static void meshes_at_rest_keep_their_points_and_names(void **state)
{
    (void)state;
    Random        random = {31};
    Made          table = make_box(table_half, 4), small = make_box(box_half, 3);
    TactShape     pairs[4][2] = {{table.shape, small.shape},
                                 {table.shape, box},
                                 {table_box, small.shape},
                                 {plane, small.shape}};
    TactTouchList list = {0};
    for (int p = 0; p < 4; p++) {
        TactTransform ground = tact_transform_identity();
        TactTransform rest = {tact_quat_from_axis_angle((TactVec3){0, 0, 1}, 0.3),
                              {0.03, 0.02, p == 3 ? 0.1 : 0.6}};
        uint64_t      names[4];
        collide(&pairs[p][0], &ground, &pairs[p][1], &rest, 0.01, &list);
        assert_int_equal(list.count, 4);
        for (int i = 0; i < 4; i++) {
            names[i] = list.touches[i].feature;
        }
        for (int k = 0; k < pose_count(); k++) {
            TactTransform moved = rest;
            moved.position = tact_vec3_add(rest.position, random_vec3(&random, 1e-5));
            moved.rotation =
                tact_quat_multiply(tact_quat_exp(random_vec3(&random, 1e-5)), rest.rotation);
            collide(&pairs[p][0], &ground, &pairs[p][1], &moved, 0.01, &list);
            if (list.count != 4) {
                fail_msg("pair %d, motion %d: %d points", p, k, list.count);
            }
            for (int i = 0; i < 4; i++) {
                if (names[i] != list.touches[i].feature) {
                    fail_msg("pair %d, motion %d: point %d has another name", p, k, i);
                }
            }
        }
    }
    tact_touch_list_destroy(&list);
    drop(&table);
    drop(&small);
}

// ---------------------------------------------------------------------------------------------
// Peg in hole

/// A block of 0.2 x 0.2 x 0.1 with a hole of the given inner radius of 64 sides along z.
static Made make_block(double radius)
{
    enum { SIDES = 64 };
    const double half = 0.1, high = 0.05;
    begin();
    for (int i = 0; i < SIDES; i++) {
        TactVec3 in[2], out[2], up = {0, 0, high}, down = {0, 0, -high};
        for (int k = 0; k < 2; k++) {
            double angle = 2 * pi * ((i + k) % SIDES) / SIDES, c = cos(angle), s = sin(angle);
            double to = half / fmax(fabs(c), fabs(s));
            in[k] = (TactVec3){radius / cos(pi / SIDES) * c, radius / cos(pi / SIDES) * s, 0};
            out[k] = (TactVec3){to * c, to * s, 0};
        }
        TactVec3 it = tact_vec3_add(in[0], up), jt = tact_vec3_add(in[1], up);
        TactVec3 ib = tact_vec3_add(in[0], down), jb = tact_vec3_add(in[1], down);
        TactVec3 ot = tact_vec3_add(out[0], up), pt = tact_vec3_add(out[1], up);
        TactVec3 ob = tact_vec3_add(out[0], down), pb = tact_vec3_add(out[1], down);
        add_quad(it, ot, pt, jt); // top
        add_quad(jb, pb, ob, ib); // bottom
        add_quad(ib, it, jt, jb); // wall, normal towards the axis
        add_quad(ob, pb, pt, ot); // outside
    }
    return finish();
}

static void a_peg_in_a_hole_touches_around_both_rims(void **state)
{
    (void)state; // [Lloyd04, figure 4]
    const double  radius = 0.03, clearance = 1e-4;
    Made          block = make_block(radius + clearance);
    TactShape     peg = {.type = TACT_SHAPE_CYLINDER, .size = {radius, 0.1}};
    TactTransform ground = tact_transform_identity(), at = ground;
    TactTouchList list = {0};
    assert_true(block.mesh->findings.watertight && block.mesh->findings.oriented);
    collide(&block.shape, &ground, &peg, &at, 0.5e-4, &list);
    assert_int_equal(list.count, 0); // the convex hull of the block would be 3 cm deep
    collide(&block.shape, &ground, &peg, &at, 2e-4, &list);
    assert_int_equal(list.count, 2 * 64);
    for (int i = 0; i < list.count; i++) {
        const TactTouch *t = &list.touches[i];
        assert_within(t->depth, -clearance, 1e-9, "clearance");
        assert_within(fabs(t->point.z), 0.05, 1e-9, "rim");
        assert_within(t->normal.z, 0, 1e-9, "normal");
        // towards the axis: from the block to the peg
        assert_true(t->normal.x * t->point.x + t->normal.y * t->point.y < 0);
    }
    // Pushed aside by twice the clearance: it overlaps where it was pushed to, and only there.
    at.position.x = 2 * clearance;
    collide(&block.shape, &ground, &peg, &at, 0, &list);
    assert_true(list.count >= 4);
    assert_within(deepest_of(&list), clearance * (2 * cos(pi / 64) - 1), 1e-9, "depth");
    for (int i = 0; i < list.count; i++) {
        assert_true(list.touches[i].point.x > 0);
    }
    tact_touch_list_destroy(&list);
    drop(&block);
}

// ---------------------------------------------------------------------------------------------
// Rings

static void linked_rings_touch_only_where_their_surfaces_meet(void **state)
{
    (void)state;
    Made          ring = make_torus(1, 0.2, 50, 20);
    TactTransform a = tact_transform_identity();
    TactTransform b = {tact_quat_from_axis_angle((TactVec3){1, 0, 0}, pi / 2), {1, 0, 0}};
    TactTouchList list = {0};
    assert_true(ring.mesh->findings.watertight && ring.mesh->findings.oriented);
    collide(&ring.shape, &a, &ring.shape, &b, 0, &list);
    assert_int_equal(list.count, 0); // linked and free: tubes are 0.6 apart
    b.position.x = 1.605;            // tubes pass each other at x = 0.6 + ... and overlap by 5 mm
    collide(&ring.shape, &a, &ring.shape, &b, 0, &list);
    assert_true(list.count >= 1);
    for (int i = 0; i < list.count; i++) {
        const TactTouch *t = &list.touches[i];
        TactVec3         p = t->point, q = tact_transform_point_back(b, p);
        // On both tubes, as far as chords of 20 sides and the overlap let it be.
        double one = hypot(hypot(p.x, p.y) - 1, p.z), two = hypot(hypot(q.x, q.y) - 1, q.z);
        assert_within(one, 0.2, 0.02, "on the first");
        assert_within(two, 0.2, 0.02, "on the second");
        assert_true(t->depth < 0.02);
        assert_within(tact_vec3_norm(t->normal), 1, 1e-12, "normal");
    }
    tact_touch_list_destroy(&list);
    drop(&ring);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_mesh_of_a_box_touches_as_the_box_does),
        cmocka_unit_test(edges_inside_a_flat_face_give_no_normals),
        cmocka_unit_test(meshes_at_rest_keep_their_points_and_names),
        cmocka_unit_test(a_peg_in_a_hole_touches_around_both_rims),
        cmocka_unit_test(linked_rings_touch_only_where_their_surfaces_meet),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
