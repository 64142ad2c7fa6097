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

/// Boxes of one size, edge upon edge: no side is beside the other, and the boxes of the triangles
/// that lie upon each other are as far apart as these are deep. Closed form: the corners of the
/// face that both share, all of them as deep as the boxes are.
static void boxes_flush_upon_each_other_touch_with_all_of_their_faces(void **state)
{
    (void)state;
    Random        random = {6};
    TactTouchList list = {0};
    for (int k = 0; k < 420; k++) {
        const double  margins[3] = {0, 1e-6, 0.01};
        Made          a = make_box(box_half, 1 + k % 3), b = make_box(box_half, 1 + k / 3 % 3);
        double        depth = pow(10, -2 - k % 7), margin = margins[k / 7 % 3];
        TactTransform place = k % 2 ? random_pose(&random, 1) : tact_transform_identity();
        TactTransform above = {.rotation = {.w = 1}, .position = {0, 0, 2 * box_half[2] - depth}};
        TactTransform pose = tact_transform_multiply(place, above);
        collide(&a.shape, &place, &b.shape, &pose, margin, &list);
        assert_within(deepest_of(&list), depth, 1e-9, "flush");
        for (int corner = 0; corner < 4; corner++) {
            TactVec3 at = {corner & 1 ? box_half[0] : -box_half[0],
                           corner & 2 ? box_half[1] : -box_half[1], box_half[2] - 0.5 * depth};
            bool found = false;
            at = tact_transform_point(place, at);
            for (int i = 0; i < list.count; i++) {
                const TactTouch *t = &list.touches[i];
                found = found || (tact_vec3_norm(tact_vec3_subtract(t->point, at)) < 1e-8 &&
                                  fabs(t->depth - depth) < 1e-9);
            }
            if (!found) {
                fail_msg("flush %d: corner %d is missing", k, corner);
            }
        }
        drop(&a);
        drop(&b);
    }
    tact_touch_list_destroy(&list);
}

// ---------------------------------------------------------------------------------------------
// Upright

enum { TEETH = 6 };

static double crown_angle(int k)
{
    return pi * k / TEETH + 0.1;
}

/// Walls that are exactly upright on a foot of teeth: corners at z = 0 and, between them, at 1 mm.
static Made make_crown(double radius, double height)
{
    begin();
    for (int k = 0; k < 2 * TEETH; k++) {
        double   u = crown_angle(k), w = crown_angle(k + 1);
        TactVec3 p = {radius * cos(u), radius * sin(u), k % 2 ? 0.001 : 0};
        TactVec3 q = {radius * cos(w), radius * sin(w), k % 2 ? 0 : 0.001};
        TactVec3 r = {q.x, q.y, height}, s = {p.x, p.y, height};
        add_quad(p, q, r, s);
        add_triangle((TactVec3){0, 0, height}, s, r);
        add_triangle((TactVec3){0, 0, 0.002}, q, p);
    }
    return finish();
}

/// Corners that have a millimetre of air below them are no contacts: seen along the normal a wall
/// is a line, and one end of it has not the depth of the other. Closed form: what touches is the
/// tips, each as deep as it is below the table's top.
static void upright_walls_touch_with_the_tips_of_their_teeth_alone(void **state)
{
    (void)state;
    const double  radius = 0.05;
    Random        random = {5};
    Made          crown = make_crown(radius, 0.1), cut = make_box(table_half, 3);
    TactShape     tables[2] = {table_box, cut.shape};
    TactTransform ground = {.rotation = {.w = 1}, .position = {0, 0, -0.5}};
    TactTouchList list = {0};
    for (int k = 0; k < 800; k++) {
        const double  tilts[4] = {0, 1e-9, 1e-6, 1e-4};
        double        angle = random_in(&random, 0, 2 * pi), tilt = tilts[k % 4];
        TactVec3      axis = {cos(angle), sin(angle), 0};
        TactTransform pose = {.rotation = tact_quat_from_axis_angle(axis, tilt),
                              .position = {random_in(&random, -0.5, 0.5),
                                           random_in(&random, -0.5, 0.5),
                                           k % 3 ? -random_in(&random, 1e-5, 1e-4) : 0}};
        collide(&tables[k / 4 % 2], &ground, &crown.shape, &pose, 2e-5, &list);
        bool tip[TEETH] = {false};
        for (int i = 0; i < list.count; i++) {
            const TactTouch *t = &list.touches[i];
            TactVec3         at = tact_transform_point_back(pose, t->point);
            int    j = (int)lround((atan2(at.y, at.x) - 0.1 + 2 * pi) / (pi / TEETH)) % (2 * TEETH);
            double u = crown_angle(j);
            assert_int_equal(j % 2, 0);
            assert_within(at.x, radius * cos(u), 1e-6, "where");
            assert_within(at.y, radius * sin(u), 1e-6, "where");
            TactVec3 corner = {radius * cos(u), radius * sin(u), 0};
            assert_within(t->depth, -tact_transform_point(pose, corner).z, 1e-8, "depth");
            tip[j / 2] = true;
        }
        for (int j = 0; j < TEETH; j++) {
            assert_true(tip[j]);
        }
        assert_int_equal(list.count, TEETH);
    }
    tact_touch_list_destroy(&list);
    drop(&crown);
    drop(&cut);
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

/// Milliseconds of one collision, the least of several.
static double time_collide(const Made *ring, const TactTransform *a, const TactTransform *b,
                           double margin, TactTouchList *list)
{
    double least = INFINITY;
    for (int k = 0; k < 7; k++) {
        double start = tact_time_now();
        collide(&ring->shape, a, &ring->shape, b, margin, list);
        least = fmin(least, 1e3 * (tact_time_now() - start));
    }
    return least;
}

static void linked_rings_touch_only_where_their_surfaces_meet(void **state)
{
    (void)state;
    Made          ring = make_torus(1, 0.2, 50, 20); // 2,000 triangles
    TactTransform a = tact_transform_identity();
    TactTransform b = {tact_quat_from_axis_angle((TactVec3){1, 0, 0}, pi / 2), {1, 0, 0}};
    TactTouchList list = {0};
    assert_int_equal(ring.mesh->triangle_count, 2000);
    assert_true(ring.mesh->findings.watertight && ring.mesh->findings.oriented);
    double free_time = time_collide(&ring, &a, &b, 0, &list);
    assert_int_equal(list.count, 0); // linked and free: tubes are 0.6 apart
    b.position.x = 1.605;            // tubes pass each other at x = 0.6 + ... and overlap by 5 mm
    double time = time_collide(&ring, &a, &b, 0, &list);
    print_message("two rings of 2,000 triangles: %.3f ms free, %.3f ms with %d points\n", free_time,
                  time, list.count);
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

// ---------------------------------------------------------------------------------------------
// Degenerate meshes

/// Whatever comes out is a number, with a normal of length 1.
static void check_numbers(const TactShape *a, const TactTransform *pose_a, const TactShape *b,
                          const TactTransform *pose_b, double scale, const char *name)
{
    TactTouchList list = {0};
    TactDistance  d;
    assert_int_equal(tact_collide(a, pose_a, b, pose_b, 0.01 * scale, &list), TACT_OK);
    for (int i = 0; i < list.count; i++) {
        const TactTouch *t = &list.touches[i];
        assert_within(tact_vec3_norm(t->normal), 1, 1e-12, name);
        assert_true(isfinite(t->depth) && isfinite(t->point.x + t->point.y + t->point.z));
        assert_true(t->feature != 0 && t->depth < 10 * scale);
    }
    assert_int_equal(tact_shape_compute_distance(a, pose_a, b, pose_b, &d), TACT_OK);
    assert_within(tact_vec3_norm(d.normal), 1, 1e-12, name);
    assert_true(isfinite(d.distance) && isfinite(d.on_a.x + d.on_b.x));
    TactVec3 apart =
        tact_vec3_add_scaled(tact_vec3_subtract(d.on_b, d.on_a), -d.distance, d.normal);
    assert_within(tact_vec3_norm(apart), 0, 1e-8 * scale, name);
    // What is apart touches nothing that is nearer than the shapes are, but by a few widths of the
    // needles.
    if (d.distance > 1e-9 * scale && list.count > 0) {
        if (!(deepest_of(&list) <= -d.distance + 4e-6 * scale)) {
            fail_msg("%s: depth %g, distance %g", name, deepest_of(&list), d.distance);
        }
    }
    tact_touch_list_destroy(&list);
}

/// A block whose top is cut into needles of one to a million, and slivers of no height to speak of.
static Made make_needles(double scale)
{
    const double half = scale, thin = 1e-6 * scale;
    TactVec3     low[4] = {
            {-half, -half, -half}, {half, -half, -half}, {half, half, -half}, {-half, half, -half}};
    TactVec3 top[4];
    begin();
    for (int i = 0; i < 4; i++) {
        top[i] = low[i];
        top[i].z = half;
    }
    TactVec3 p = {-half + thin, -half + thin, half}; // beside a corner: needles along two sides
    for (int i = 0; i < 4; i++) {
        int j = (i + 1) % 4;
        add_triangle(top[i], top[j], p);
        add_quad(low[i], low[j], top[j], top[i]);
    }
    add_quad(low[3], low[2], low[1], low[0]);
    return finish();
}

static void needles_and_slivers_of_all_scales_are_handled(void **state)
{
    (void)state;
    static const double at[] = {0, 1e-12, 1e-6, 0.5, 0.999999, 1, 1.999999, 2, 2.000001, 2.5};
    enum { AT = sizeof at / sizeof at[0] };
    for (double scale = 1e-4; scale < 2e4; scale *= 100) {
        Made            needles = make_needles(scale);
        const TactShape others[] = {
            needles.shape,
            {.type = TACT_SHAPE_SPHERE, .size = {scale}},
            {.type = TACT_SHAPE_CAPSULE, .size = {scale, scale}},
            {.type = TACT_SHAPE_CYLINDER, .size = {scale, scale}},
            {.type = TACT_SHAPE_BOX, .size = {scale, scale, scale}},
            {.type = TACT_SHAPE_ELLIPSOID, .size = {scale, 0.5 * scale, 2 * scale}},
        };
        for (int k = 0; k < AT * AT * AT; k += 7) {
            double        turn = k % 3 == 0 ? 0 : k % 3 == 1 ? pi / 4 : 1e-9;
            TactVec3      axis = {k % 5 == 0, k % 5 == 1, k % 5 > 1};
            TactTransform pose_a = tact_transform_identity(), pose_b;
            pose_b.rotation = tact_quat_from_axis_angle(axis, turn);
            pose_b.position =
                (TactVec3){scale * at[k % AT], scale * at[k / AT % AT], scale * at[k / AT / AT]};
            for (size_t i = 0; i < sizeof others / sizeof others[0]; i++) {
                char name[64];
                snprintf(name, sizeof name, "scale %g, shape %zu, pose %d", scale, i, k);
                check_numbers(&needles.shape, &pose_a, &others[i], &pose_b, scale, name);
                check_numbers(&others[i], &pose_b, &needles.shape, &pose_a, scale, name);
            }
        }
        drop(&needles);
    }
}

static void a_shape_inside_of_a_mesh_or_around_it_is_handled(void **state)
{
    (void)state;
    const double large[3] = {1, 1, 1}, small[3] = {1e-3, 2e-3, 1e-3};
    Random       random = {47};
    Made         outer = make_box(large, 2), inner = make_box(small, 1);
    TactShape    ball = {.type = TACT_SHAPE_SPHERE, .size = {0.01}};
    TactShape    huge = {.type = TACT_SHAPE_BOX, .size = {10, 10, 10}};
    for (int k = 0; k < 200; k++) {
        TactTransform pose_a = random_pose(&random, 0.1), pose_b = random_pose(&random, 0.3);
        TactDistance  d;
        pose_b.position = k == 0 ? pose_a.position : pose_b.position;
        check_numbers(&outer.shape, &pose_a, &inner.shape, &pose_b, 1, "mesh in mesh");
        check_numbers(&inner.shape, &pose_b, &outer.shape, &pose_a, 1, "mesh around mesh");
        check_numbers(&outer.shape, &pose_a, &ball, &pose_b, 1, "ball in mesh");
        check_numbers(&inner.shape, &pose_b, &huge, &pose_a, 10, "box around mesh");
        // all of them overlap, however far from any surface
        assert_int_equal(
            tact_shape_compute_distance(&outer.shape, &pose_a, &inner.shape, &pose_b, &d), TACT_OK);
        assert_true(d.distance < 0);
        assert_true(tact_shape_overlaps(&outer.shape, &pose_a, &ball, &pose_b));
    }
    drop(&outer);
    drop(&inner);
}

/// Triangles that share an edge or a corner both find what is nearest there: it is one point.
static void a_point_that_triangles_share_is_one(void **state)
{
    (void)state;
    Random        random = {29};
    TactTouchList list = {0};
    int           touched = 0, twice = 0;
    Made          made = make_box(box_half, 3);
    TactShape     ball = {.type = TACT_SHAPE_SPHERE, .size = {0.04}};
    for (int k = 0; k < 2000; k++) {
        TactTransform at = random_pose(&random, 1), pose = random_pose(&random, 1);
        TactDistance  d;
        TactVec3      out = tact_quat_rotate(pose.rotation, (TactVec3){0.5, 0, 0});
        pose.position = tact_transform_point(at, out);
        double depth = 2.5e-3 * (k % 9) - 5e-3;
        for (int i = 0; i < 3; i++) { // to where it is that deep
            assert_int_equal(tact_shape_compute_distance(&made.shape, &at, &ball, &pose, &d),
                             TACT_OK);
            pose.position = tact_vec3_add_scaled(pose.position, -d.distance - depth, d.normal);
        }
        tact_touch_list_clear(&list);
        collide(&made.shape, &at, &ball, &pose, 0.01, &list);
        touched += list.count > 0;
        for (int i = 1; i < list.count; i++) {
            for (int j = 0; j < i; j++) {
                const TactTouch *a = &list.touches[i], *b = &list.touches[j];
                twice += tact_vec3_norm(tact_vec3_subtract(a->point, b->point)) < 1e-9 &&
                         tact_vec3_dot(a->normal, b->normal) > 1 - 1e-6;
            }
        }
    }
    assert_true(touched > 1900);
    assert_int_equal(twice, 0);
    tact_touch_list_destroy(&list);
    drop(&made);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_mesh_of_a_box_touches_as_the_box_does),
        cmocka_unit_test(edges_inside_a_flat_face_give_no_normals),
        cmocka_unit_test(boxes_flush_upon_each_other_touch_with_all_of_their_faces),
        cmocka_unit_test(upright_walls_touch_with_the_tips_of_their_teeth_alone),
        cmocka_unit_test(meshes_at_rest_keep_their_points_and_names),
        cmocka_unit_test(a_peg_in_a_hole_touches_around_both_rims),
        cmocka_unit_test(linked_rings_touch_only_where_their_surfaces_meet),
        cmocka_unit_test(needles_and_slivers_of_all_scales_are_handled),
        cmocka_unit_test(a_shape_inside_of_a_mesh_or_around_it_is_handled),
        cmocka_unit_test(a_point_that_triangles_share_is_one),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
