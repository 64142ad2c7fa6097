// Rays: the point that is hit is on the surface, and nothing before it is inside.
#include "collide/meshes.h"
#include "collide/triangles.h"

static void the_hit_is_on_the_surface_and_nothing_before_it_is_inside(void **state)
{
    (void)state;
    Random    random = {51};
    TactHull *hull = random_hull(&random, 24);
    for (int type = TACT_SHAPE_PLANE; type <= TACT_SHAPE_HULL; type++) {
        int hits = 0, misses = 0;
        for (int k = 0; k < 2000 && (type != TACT_SHAPE_HULL || hull); k++) {
            TactShape     shape = random_shape(&random, (TactShapeType)type, hull);
            TactTransform pose = random_pose(&random, 0.5);
            TactVec3      o = random_vec3(&random, 2.5);
            TactVec3   d = tact_vec3_scale(random_in(&random, 0.5, 2), random_direction(&random));
            TactRayHit hit = tact_shape_cast_ray(&shape, &pose, o, d);
            double     end = hit.hit ? hit.t : 10;
            if (outside_of(&shape, &pose, o) <= 0) {
                assert_true(hit.hit && hit.t == 0);
                continue;
            }
            for (int i = 0; i < 64; i++) {
                TactVec3 x = tact_vec3_add_scaled(o, end * i / 64, d);
                assert_true(outside_of(&shape, &pose, x) > -1e-12);
            }
            misses += !hit.hit;
            if (hit.hit) {
                TactVec3 x = tact_vec3_add_scaled(o, hit.t, d);
                TactVec3 up = tact_vec3_add_scaled(x, 1e-6, hit.normal);
                TactVec3 down = tact_vec3_add_scaled(x, -1e-6, hit.normal);
                hits++;
                assert_within(outside_of(&shape, &pose, x), 0, 1e-9, shape_name(shape.type));
                assert_within(tact_vec3_norm(hit.normal), 1, 1e-12, shape_name(shape.type));
                assert_true(tact_vec3_dot(hit.normal, d) < 0);
                assert_true(outside_of(&shape, &pose, up) > 0);
                assert_true(outside_of(&shape, &pose, down) < 1e-9);
            }
        }
        assert_true((hits > 20 && misses > 20) || (type == TACT_SHAPE_HULL && !hull));
    }
    tact_hull_destroy(hull);
}

/// Where a line along an axis enters a box or a cylinder about z, from far below: its coordinate
/// there; INFINITY: it passes.
static double entry_along(TactShapeType type, const double size[3], int axis, const double x[3])
{
    int    j = (axis + 1) % 3, k = (axis + 2) % 3;
    double half[3] = {size[0], type == TACT_SHAPE_BOX ? size[1] : size[0],
                      type == TACT_SHAPE_BOX ? size[2] : size[1]};
    if (fabs(x[j]) > half[j] || fabs(x[k]) > half[k]) {
        return INFINITY;
    }
    if (type == TACT_SHAPE_BOX) {
        return -half[axis];
    }
    double off = axis == 0 ? x[1] : axis == 1 ? x[0] : hypot(x[0], x[1]);
    double reach = axis == 2 ? size[1] : sqrt(fmax(size[0] * size[0] - off * off, 0));
    return axis == 2 && off > size[0] ? INFINITY : -reach;
}

static void rays_parallel_to_flat_sides_hit_what_they_cross_and_no_more(void **state)
{
    (void)state;
    static const double offsets[] = {-3, -1.25, -0.75, -0.25, 0, 0.25, 0.75, 1.25, 3};
    TactShape           shapes[] = {{.type = TACT_SHAPE_BOX, .size = {0.5, 1, 2}},
                                    {.type = TACT_SHAPE_CYLINDER, .size = {0.5, 1}}};
    TactTransform       pose = tact_transform_identity();
    int                 hits = 0, misses = 0;
    for (int k = 0; k < 2 * 3 * 81; k++) {
        const TactShape *shape = &shapes[k % 2];
        int              axis = k / 2 % 3;
        double           x[3], along[3] = {0};
        x[(axis + 1) % 3] = offsets[k / 6 % 9];
        x[(axis + 2) % 3] = offsets[k / 54];
        x[axis] = -8;
        along[axis] = 1;
        double     entry = entry_along(shape->type, shape->size, axis, x);
        TactRayHit hit = tact_shape_cast_ray(shape, &pose, (TactVec3){x[0], x[1], x[2]},
                                             (TactVec3){along[0], along[1], along[2]});
        assert_int_equal(hit.hit, entry < INFINITY);
        assert_within(hit.t, hit.hit ? entry + 8 : 0, 1e-14 * 8, shape_name(shape->type));
        hits += hit.hit;
        misses += !hit.hit;
    }
    assert_true(hits > 50 && misses > 50);
    TactShape plane = {.type = TACT_SHAPE_PLANE}; // z = 0, above it and below it
    assert_false(
        tact_shape_cast_ray(&plane, &pose, (TactVec3){0, 0, 0.5}, (TactVec3){1, 0, 0}).hit);
    assert_true(
        tact_shape_cast_ray(&plane, &pose, (TactVec3){0, 0, -0.5}, (TactVec3){1, 0, 0}).hit);
}

static void a_mesh_of_a_hull_is_hit_where_the_hull_is(void **state)
{
    (void)state;
    Random        random = {52};
    TactHull     *hull = random_hull(&random, 24);
    TactMesh     *mesh = NULL;
    TactMeshTree *tree = NULL;
    if (!hull) {
        print_message("skipped: no qhull\n");
        skip();
    }
    assert_int_equal(tact_hull_to_mesh(hull, &mesh), TACT_OK);
    assert_int_equal(tact_mesh_tree_create(mesh, &tree), TACT_OK);
    TactShape one = {.type = TACT_SHAPE_HULL, .hull = hull};
    TactShape two = {.type = TACT_SHAPE_MESH, .mesh = tree};
    for (int k = 0; k < 2000; k++) {
        TactTransform pose = random_pose(&random, 0.5);
        TactVec3      o = tact_vec3_scale(3, random_direction(&random));
        TactVec3      d = tact_vec3_subtract(random_vec3(&random, 1), o);
        TactRayHit    a = tact_shape_cast_ray(&one, &pose, o, d),
                   b = tact_shape_cast_ray(&two, &pose, o, d);
        assert_int_equal(a.hit, b.hit);
        assert_within(b.t, a.hit ? a.t : 0, 1e-6, "t"); // faces of the hull merge to 1e-6
    }
    tact_mesh_tree_destroy(tree);
    tact_mesh_destroy(mesh);
    tact_hull_destroy(hull);
}

/// The first of all triangles that a ray enters from the front, by the volumes of triangles.h.
static double first_entry(const Soup *soup, TactVec3 o, TactVec3 d)
{
    double   least = INFINITY;
    TactVec3 far = tact_vec3_add_scaled(o, 100, d);
    for (int i = 0; i < soup->count; i++) {
        const Corners *c = &soup->triangles[i];
        TactVec3       n = tact_vec3_cross(tact_vec3_subtract(c->v[1], c->v[0]),
                                           tact_vec3_subtract(c->v[2], c->v[0]));
        if (tact_vec3_dot(n, d) < 0 && passes_through(o, far, c)) {
            least =
                fmin(least, tact_vec3_dot(n, tact_vec3_subtract(c->v[0], o)) / tact_vec3_dot(n, d));
        }
    }
    return least;
}

static void the_tree_of_a_mesh_finds_the_first_of_all_triangles(void **state)
{
    (void)state;
    static Soup   soup;
    Random        random = {53};
    Made          ring = make_torus(1, 0.3, 24, 12);
    TactTransform pose = random_pose(&random, 0.5);
    int           hits = 0, misses = 0;
    place_triangles(ring.mesh, &pose, &soup);
    for (int k = 0; k < 3000; k++) {
        TactVec3 o = random_vec3(&random, 2), d = random_direction(&random);
        if (k % 10 == 0) { // along an axis of the mesh, where rays lie in sides of bounds
            d = tact_quat_rotate(pose.rotation, (TactVec3){k % 3 == 0, k % 3 == 1, k % 3 == 2});
            o = tact_transform_point(
                pose, (TactVec3){-3 * (k % 3 == 0), -3 * (k % 3 == 1), k % 3 == 2 ? -3 : 0.01});
        }
        double     t = first_entry(&soup, o, d);
        TactRayHit hit = tact_shape_cast_ray(&ring.shape, &pose, o, d);
        assert_int_equal(hit.hit, t < INFINITY);
        assert_within(hit.t, hit.hit ? t : 0, 1e-12, "t");
        hits += hit.hit;
        misses += !hit.hit;
    }
    assert_true(hits > 300 && misses > 300);
    drop(&ring);
}

static bool is_even(void *context, int shape)
{
    (*(int *)context)++;
    return shape % 2 == 0;
}

static void a_ray_into_a_world_hits_the_nearest_shape_that_it_may(void **state)
{
    (void)state;
    enum { COUNT = 60 };
    Random         random = {54};
    Made           ring = make_torus(0.5, 0.2, 12, 8);
    TactWorldShape shapes[COUNT];
    TactTransform  poses[COUNT];
    TactWorld     *world = NULL;
    int            hits = 0, misses = 0, asked = 0;
    for (int i = 0; i < COUNT; i++) {
        shapes[i] = (TactWorldShape){
            .shape = i % 6 == 5
                         ? ring.shape
                         : random_shape(&random, (TactShapeType)(TACT_SHAPE_SPHERE + i % 5), NULL)};
        poses[i] = random_pose(&random, 5);
    }
    shapes[7].shape = (TactShape){.type = TACT_SHAPE_PLANE};
    poses[7] = (TactTransform){{1, 0, 0, 0}, {0, 0, -6}};
    assert_int_equal(tact_world_create(shapes, COUNT, NULL, NULL, &world), TACT_OK);
    for (int k = 0; k < 2000; k++) {
        if (k % 50 == 0) { // the tree follows
            poses[1 + k / 50] = random_pose(&random, 5);
        }
        TactVec3     d = random_direction(&random);
        TactRay      ray = {.origin = random_vec3(&random, 6),
                            .direction = tact_vec3_scale(random_in(&random, 0.1, 9), d),
                            .reach = k % 3 == 0 ? 2 : 0,
                            .filter = k % 2 ? is_even : NULL,
                            .context = &asked};
        TactWorldHit hit = tact_world_cast_ray(world, poses, &ray);
        double       least = INFINITY;
        int          first = -1;
        for (int i = 0; i < COUNT; i += k % 2 ? 2 : 1) {
            TactRayHit one = tact_shape_cast_ray(&shapes[i].shape, &poses[i], ray.origin, d);
            if (one.hit && one.t < least && (ray.reach == 0 || one.t <= ray.reach)) {
                least = one.t;
                first = i;
            }
        }
        assert_int_equal(hit.shape, first);
        hits += first >= 0;
        misses += first < 0;
        if (first >= 0) {
            TactVec3 at = tact_vec3_add_scaled(ray.origin, least, d);
            assert_within(hit.distance, least, 1e-12, "distance");
            assert_within(tact_vec3_norm(tact_vec3_subtract(hit.point, at)), 0, 1e-12, "point");
            assert_within(tact_vec3_norm(hit.normal), 1, 1e-12, "normal");
        } else {
            assert_true(hit.distance == INFINITY);
        }
    }
    assert_true(hits > 200 && misses > 200 && asked > 1000);
    // Every second ray asked for every shape that it met; one by one they would be 60,000.
    print_message("%d rays with a filter asked %d times about %d shapes\n", 1000, asked, COUNT);
    assert_true(asked < 1000 * COUNT / 4);
    TactRay none = {.origin = {0, 0, 0}};
    assert_int_equal(tact_world_cast_ray(world, poses, &none).shape, -1);
    tact_world_destroy(world);
    drop(&ring);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_hit_is_on_the_surface_and_nothing_before_it_is_inside),
        cmocka_unit_test(rays_parallel_to_flat_sides_hit_what_they_cross_and_no_more),
        cmocka_unit_test(a_mesh_of_a_hull_is_hit_where_the_hull_is),
        cmocka_unit_test(the_tree_of_a_mesh_finds_the_first_of_all_triangles),
        cmocka_unit_test(a_ray_into_a_world_hits_the_nearest_shape_that_it_may),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
