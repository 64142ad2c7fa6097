// Rays: the point that is hit is on the surface, and nothing before it is inside.
#include "collide/poses.h"

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
            TactRayHit hit = tact_shape_ray(&shape, &pose, o, d);
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
        TactRayHit    a = tact_shape_ray(&one, &pose, o, d), b = tact_shape_ray(&two, &pose, o, d);
        assert_int_equal(a.hit, b.hit);
        assert_within(b.t, a.hit ? a.t : 0, 1e-6, "t"); // faces of the hull merge to 1e-6
    }
    tact_mesh_tree_destroy(tree);
    tact_mesh_destroy(mesh);
    tact_hull_destroy(hull);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_hit_is_on_the_surface_and_nothing_before_it_is_inside),
        cmocka_unit_test(a_mesh_of_a_hull_is_hit_where_the_hull_is),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
