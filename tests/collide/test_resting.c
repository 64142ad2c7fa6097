// Things at rest: the same points, by the same names, whatever small motion there is.
#include "collide/meshes.h"

enum { MOTIONS = 10000, MOST = 64 };

typedef struct Patch {
    int      count;
    uint64_t feature[MOST];
    TactVec3 point[MOST];
} Patch;

static Patch find_patch(const TactShape *a, const TactTransform *pose_a, const TactShape *b,
                        const TactTransform *pose_b, TactTouchList *list)
{
    Patch patch = {0};
    tact_touch_list_clear(list);
    assert_int_equal(tact_collide(a, pose_a, b, pose_b, 0.01, list), TACT_OK);
    assert_true(list->count <= MOST);
    for (int i = 0; i < list->count; i++) {
        patch.feature[i] = list->touches[i].feature;
        patch.point[i] = list->touches[i].point;
    }
    patch.count = list->count;
    return patch;
}

/// 10,000, of meshes a tenth of them unless TACT_LONG=1.
static int motion_count(const TactShape *a, const TactShape *b)
{
    bool meshes = a->type == TACT_SHAPE_MESH || b->type == TACT_SHAPE_MESH;
    return meshes && pose_count() < MOTIONS ? MOTIONS / 10 : MOTIONS;
}

/// b lies upon a: small motions of up to 10 micrometres and microradians change no name, and move
/// no point further than the motion does.
static void check_rest(const TactShape *a, const TactShape *b, double height, TactQuat turn,
                       int expected, const char *name)
{
    Random        random = {31};
    TactTransform ground = tact_transform_identity(), rest = {turn, {0.03, 0.02, height}};
    TactTouchList list = {0};
    Patch         first = find_patch(a, &ground, b, &rest, &list);
    if (first.count != expected) {
        fail_msg("%s: %d points, expected %d", name, first.count, expected);
    }
    for (int k = 0; k < motion_count(a, b); k++) {
        TactTransform moved = rest;
        moved.position = tact_vec3_add(rest.position, random_vec3(&random, 1e-5));
        moved.rotation = tact_quat_multiply(tact_quat_exp(random_vec3(&random, 1e-5)), turn);
        Patch patch = find_patch(a, &ground, b, &moved, &list);
        if (patch.count != first.count) {
            fail_msg("%s: motion %d: %d points, before %d", name, k, patch.count, first.count);
        }
        for (int i = 0; i < patch.count; i++) {
            if (patch.feature[i] != first.feature[i]) {
                fail_msg("%s: motion %d: point %d has another name", name, k, i);
            }
            TactVec3 apart = tact_vec3_subtract(patch.point[i], first.point[i]);
            if (!(tact_vec3_norm(apart) < 5e-5)) {
                fail_msg("%s: motion %d: point %d jumps by %g", name, k, i, tact_vec3_norm(apart));
            }
        }
    }
    tact_touch_list_destroy(&list);
}

static TactHull *prism(int sides)
{
    TactVec3       p[64];
    TactHull      *hull = NULL;
    TactHullConfig config = tact_hull_config_default();
    for (int i = 0; i < sides; i++) {
        double angle = 6.283185307179586 * i / sides;
        p[2 * i] = (TactVec3){0.3 * cos(angle), 0.3 * sin(angle), -0.2};
        p[2 * i + 1] = (TactVec3){0.3 * cos(angle), 0.3 * sin(angle), 0.2};
    }
    return tact_hull_create(p, 2 * sides, &config, &hull) == TACT_OK ? hull : NULL;
}

static const TactShape plane = {.type = TACT_SHAPE_PLANE};
static const TactShape table = {.type = TACT_SHAPE_BOX, .size = {1, 1, 0.5}};
static const TactShape box = {.type = TACT_SHAPE_BOX, .size = {0.3, 0.2, 0.1}};
static const TactShape cylinder = {.type = TACT_SHAPE_CYLINDER, .size = {0.2, 0.3}};
static const TactShape capsule = {.type = TACT_SHAPE_CAPSULE, .size = {0.1, 0.3}};

static void what_lies_on_a_plane_keeps_its_points(void **state)
{
    (void)state;
    const TactQuat upright = {1, 0, 0, 0};
    const TactQuat lying = tact_quat_from_axis_angle((TactVec3){1, 0, 0}, 1.5707963267948966);
    TactHull      *hull = prism(7);
    check_rest(&plane, &box, 0.1, upright, 4, "box on plane");
    check_rest(&plane, &cylinder, 0.3, upright, 16, "cylinder on its end on plane");
    check_rest(&plane, &cylinder, 0.2, lying, 2, "cylinder on its side on plane");
    check_rest(&plane, &capsule, 0.1, lying, 2, "capsule on plane");
    if (hull) {
        TactShape seven = {.type = TACT_SHAPE_HULL, .hull = hull};
        check_rest(&plane, &seven, 0.2, upright, 7, "prism on plane");
    }
    tact_hull_destroy(hull);
}

static void what_lies_on_a_box_keeps_its_points(void **state)
{
    (void)state;
    const TactQuat upright = tact_quat_from_axis_angle((TactVec3){0, 0, 1}, 0.3);
    const TactQuat lying = tact_quat_multiply(
        upright, tact_quat_from_axis_angle((TactVec3){1, 0, 0}, 1.5707963267948966));
    TactHull *hull = prism(7);
    check_rest(&table, &box, 0.6, upright, 4, "box on box");
    check_rest(&table, &cylinder, 0.8, upright, 16, "cylinder on its end on box");
    check_rest(&table, &cylinder, 0.7, lying, 2, "cylinder on its side on box");
    check_rest(&table, &capsule, 0.6, lying, 2, "capsule on box");
    if (hull) {
        TactShape seven = {.type = TACT_SHAPE_HULL, .hull = hull};
        check_rest(&table, &seven, 0.7, upright, 7, "prism on box");
    }
    tact_hull_destroy(hull);
}

// ---------------------------------------------------------------------------------------------
// Meshes of the same things

/// What lies on something: its height above the support, how it is turned, how many points.
typedef struct Lying {
    const char *name;
    TactShape   shape;
    double      height;
    bool        on_its_side; // turned by a right angle about x
    int         points;
} Lying;

/// On a plane, a box, and a mesh of that box.
static void check_everywhere(const Lying *lying, const TactShape *mesh_table)
{
    const struct {
        const char      *name;
        const TactShape *shape;
        double           height;
    } supports[3] = {{"plane", &plane, 0}, {"box", &table, 0.5}, {"mesh", mesh_table, 0.5}};
    TactQuat turn = tact_quat_from_axis_angle((TactVec3){0, 0, 1}, 0.3);
    if (lying->on_its_side) {
        turn = tact_quat_multiply(
            turn, tact_quat_from_axis_angle((TactVec3){1, 0, 0}, 1.5707963267948966));
    }
    for (int i = 0; i < 3; i++) {
        char name[96];
        snprintf(name, sizeof name, "%s on %s", lying->name, supports[i].name);
        check_rest(supports[i].shape, &lying->shape, supports[i].height + lying->height, turn,
                   lying->points, name);
    }
}

static void meshes_and_what_lies_on_them_keep_their_points(void **state)
{
    (void)state;
    const double table_half[3] = {1, 1, 0.5}, box_half[3] = {0.3, 0.2, 0.1}, pi = 3.141592653589793;
    TactHull    *hull = prism(7);
    Made         mesh_table = make_box(table_half, 4), mesh_box = make_box(box_half, 3);
    Made         mesh_cylinder = make_prism(0.2, 0.3, 22), mesh_hull = make_prism(0.3, 0.2, 6);
    const Lying  all[] = {
         {"box", box, 0.1, false, 4},
         {"cylinder on its end", cylinder, 0.3, false, 16},
         {"cylinder on its side", cylinder, 0.2, true, 2},
         {"capsule", capsule, 0.1, true, 2},
         {"mesh of a box", mesh_box.shape, 0.1, false, 4},
         {"mesh of a cylinder on its end", mesh_cylinder.shape, 0.3, false, 22},
         {"mesh of a cylinder on its side", mesh_cylinder.shape, 0.2 * cos(pi / 22), true, 4},
         {"mesh of a hull", mesh_hull.shape, 0.2, false, 6},
         {"mesh of a hull on its side", mesh_hull.shape, 0.3 * cos(pi / 6), true, 4},
    };
    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++) {
        check_everywhere(&all[i], &mesh_table.shape);
    }
    if (hull) {
        TactShape seven = {.type = TACT_SHAPE_HULL, .hull = hull};
        Lying     lying = {"hull", seven, 0.2, false, 7};
        check_everywhere(&lying, &mesh_table.shape);
    }
    tact_hull_destroy(hull);
    drop(&mesh_table);
    drop(&mesh_box);
    drop(&mesh_cylinder);
    drop(&mesh_hull);
}

static void two_squares_turned_by_an_eighth_share_eight_corners(void **state)
{
    (void)state; // [Lloyd04, figure 2]
    const TactQuat turn = tact_quat_from_axis_angle((TactVec3){0, 0, 1}, 0.78539816339744831);
    TactShape      cube = {.type = TACT_SHAPE_BOX, .size = {0.5, 0.5, 0.5}};
    TactTransform  low = tact_transform_identity(), top = {turn, {0, 0, 0.999}};
    TactTouchList  list = {0};
    assert_int_equal(tact_collide(&cube, &low, &cube, &top, 0, &list), TACT_OK);
    assert_int_equal(list.count, 8);
    for (int i = 0; i < 8; i++) { // half-way along a side of either: radius 0.5 / cos(pi/8)
        TactVec3 p = list.touches[i].point;
        assert_within(hypot(p.x, p.y), 0.5 / cos(0.39269908169872414), 1e-12, "corner");
        assert_within(list.touches[i].depth, 0.001, 1e-12, "depth");
    }
    tact_touch_list_destroy(&list);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_lies_on_a_plane_keeps_its_points),
        cmocka_unit_test(what_lies_on_a_box_keeps_its_points),
        cmocka_unit_test(meshes_and_what_lies_on_them_keep_their_points),
        cmocka_unit_test(two_squares_turned_by_an_eighth_share_eight_corners),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
