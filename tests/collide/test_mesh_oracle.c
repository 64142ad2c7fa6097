// Contact points of meshes against all triangles with all others: they are on both surfaces, as
// deep as they say, inside of a solid where they are deep, and the nearest of them is as near as
// the meshes are. Meshes of convex solids are as deep in each other as these, however they are cut.
#include <tact/model.h>

#include "collide/meshes.h"
#include "collide/triangles.h"

enum { RING, PRISM, HILLS, MESHES };
static const double MARGIN = 0.05;

typedef struct Fixture {
    Made meshes[MESHES];
} Fixture;

static Soup soup_a, soup_b;

static Made make_hills(void)
{
    double          height[4 * 4];
    Random          random = {15};
    TactHeightField field = {
        .rows = 4, .columns = 4, .half = {0.7, 0.7}, .top = 0.4, .base = 0.3, .height = height};
    TactMesh *mesh = NULL;
    for (int i = 0; i < 4 * 4; i++) {
        height[i] = random_in(&random, 0, 1);
    }
    assert_int_equal(tact_heightfield_to_mesh(&field, &mesh), TACT_OK);
    return make_ready(mesh);
}

typedef struct Tally {
    int    apart, points;
    double worst_gap, worst_place;
} Tally;

/// Moves b so that it is the given gap away from a, as far as one direction can do that.
static void set_gap(const TactShape *a, const TactTransform *pose_a, const TactShape *b,
                    TactTransform *pose_b, double gap)
{
    TactDistance d;
    assert_int_equal(tact_shape_compute_distance(a, pose_a, b, pose_b, &d), TACT_OK);
    pose_b->position = tact_vec3_add_scaled(pose_b->position, gap - d.distance, d.normal);
}

/// A point is midway between two points of the surfaces that are its depth apart along the normal.
static void check_point(const TactTouch *t, double to_a, double to_b, const char *name,
                        Tally *tally)
{
    double off = fmax(to_a, to_b);
    assert_within(tact_vec3_norm(t->normal), 1, 1e-12, name);
    tally->points++;
    tally->worst_place = fmax(tally->worst_place, off);
    if (!(off < 1e-8)) { // what is within 1e-9 of an edge is on it (manifold.c); faces slope by 10
        fail_msg("%s: a point of depth %g is %g off a, %g off b", name, t->depth, to_a, to_b);
    }
}

static TactVec3 surface_point(const TactTouch *t, double share)
{
    return tact_vec3_add_scaled(t->point, share * t->depth, t->normal);
}

/// gap: of the oracle, 0 if surfaces cross. Solids apart have a point of that gap and none that is
/// nearer. 2e-8: of the search over triangles, where the other shape is curved. slack: a cap of a
/// cylinder that all but lies flat has 16 points, which its rim stands out from (face.c).
static void check_gap(const TactTouchList *list, double gap, double slack, const char *name,
                      Tally *tally)
{
    if (gap > 0 && gap < MARGIN - 1e-9) {
        tally->apart++;
        if (list->count == 0) {
            fail_msg("%s: %g apart and no point", name, gap);
        }
        double off = deepest_of(list) + gap;
        tally->worst_gap = fmax(tally->worst_gap, fabs(off));
        if (!(off <= 2e-8 && off >= -2e-8 - slack)) {
            fail_msg("%s: the gap is %g, the nearest point says %g", name, gap, -deepest_of(list));
        }
    } else if (gap > MARGIN + 1e-9) {
        assert_int_equal(list->count, 0);
    }
}

static void points_of_two_meshes_are_on_both_and_the_nearest_is_as_near_as_they_are(void **state)
{
    Fixture      *f = *state;
    TactTouchList list = {0};
    for (int i = 0; i < MESHES; i++) {
        for (int j = i; j < MESHES; j++) {
            Random random = {160 + (uint64_t)(MESHES * i + j)};
            Tally  tally = {0};
            for (int k = 0; k < pose_count() / 16; k++) {
                TactTransform pose_a = random_pose(&random, 1), pose_b = random_pose(&random, 1);
                const Made   *a = &f->meshes[i], *b = &f->meshes[j];
                char          name[64];
                snprintf(name, sizeof name, "meshes %d-%d, pose %d", i, j, k);
                set_gap(&a->shape, &pose_a, &b->shape, &pose_b, random_in(&random, -0.01, 0.06));
                place_triangles(a->mesh, &pose_a, &soup_a);
                place_triangles(b->mesh, &pose_b, &soup_b);
                tact_touch_list_clear(&list);
                assert_int_equal(
                    tact_collide(&a->shape, &pose_a, &b->shape, &pose_b, MARGIN, &list), TACT_OK);
                for (int t = 0; t < list.count; t++) {
                    const TactTouch *touch = &list.touches[t];
                    check_point(touch, distance_to_soup(surface_point(touch, 0.5), &soup_a),
                                distance_to_soup(surface_point(touch, -0.5), &soup_b), name,
                                &tally);
                }
                bool held = is_inside_soup(&soup_a, soup_b.triangles[0].v[0]) ||
                            is_inside_soup(&soup_b, soup_a.triangles[0].v[0]);
                if (!held) {
                    check_gap(&list, soup_gap(&soup_a, &soup_b), 0, name, &tally);
                }
            }
            print_message("meshes %d-%d: %d poses apart, points %d, off by %.1e, gap off by %.1e\n",
                          i, j, tally.apart, tally.points, tally.worst_place, tally.worst_gap);
            assert_true(tally.apart > 20);
        }
    }
    tact_touch_list_destroy(&list);
}

static void points_of_a_mesh_and_a_convex_shape_are_on_both(void **state)
{
    static const TactShapeType types[] = {TACT_SHAPE_SPHERE, TACT_SHAPE_CAPSULE,
                                          TACT_SHAPE_CYLINDER, TACT_SHAPE_BOX,
                                          TACT_SHAPE_ELLIPSOID};
    Fixture                   *f = *state;
    TactTouchList              list = {0};
    for (int i = 0; i < MESHES; i++) {
        for (size_t j = 0; j < sizeof types / sizeof types[0]; j++) {
            Random random = {190 + (uint64_t)(10 * i) + j};
            Tally  tally = {0};
            for (int k = 0; k < pose_count() / 40; k++) {
                TactTransform pose_a = random_pose(&random, 1), pose_b = random_pose(&random, 1);
                TactShape     b = random_shape(&random, types[j], NULL);
                const Made   *a = &f->meshes[i];
                char          name[64];
                snprintf(name, sizeof name, "mesh %d-%s, pose %d", i, shape_name(b.type), k);
                set_gap(&a->shape, &pose_a, &b, &pose_b, random_in(&random, -0.01, 0.06));
                place_triangles(a->mesh, &pose_a, &soup_a);
                tact_touch_list_clear(&list);
                assert_int_equal(tact_collide(&a->shape, &pose_a, &b, &pose_b, MARGIN, &list),
                                 TACT_OK);
                for (int t = 0; t < list.count; t++) {
                    const TactTouch *touch = &list.touches[t];
                    check_point(touch, distance_to_soup(surface_point(touch, 0.5), &soup_a),
                                distance_to_shape(&b, &pose_b, surface_point(touch, -0.5)), name,
                                &tally);
                }
                check_gap(&list, soup_shape_gap(&soup_a, &b, &pose_b),
                          b.type == TACT_SHAPE_CYLINDER ? 4e-5 * b.size[0] : 0, name, &tally);
            }
            print_message("mesh %d-%s: %d poses apart, points %d, off by %.1e, gap off by %.1e\n",
                          i, shape_name(types[j]), tally.apart, tally.points, tally.worst_place,
                          tally.worst_gap);
            assert_true(tally.apart > 5);
        }
    }
    tact_touch_list_destroy(&list);
}

// ---------------------------------------------------------------------------------------------
// Exchange, motion, paths

/// A mesh, or one of the convex shapes.
static TactShape any_shape(const Fixture *f, Random *random, int k)
{
    static const TactShapeType types[] = {TACT_SHAPE_SPHERE, TACT_SHAPE_CAPSULE,
                                          TACT_SHAPE_CYLINDER, TACT_SHAPE_BOX,
                                          TACT_SHAPE_ELLIPSOID};
    return k % 8 < MESHES ? f->meshes[k % 8].shape
                          : random_shape(random, types[k % 8 - MESHES], NULL);
}

static double deepest_within(const TactShape *a, const TactTransform *pose_a, const TactShape *b,
                             const TactTransform *pose_b, double margin, TactTouchList *list)
{
    tact_touch_list_clear(list);
    assert_int_equal(tact_collide(a, pose_a, b, pose_b, margin, list), TACT_OK);
    return list->count > 0 ? deepest_of(list) : -margin;
}

static double deepest(const TactShape *a, const TactTransform *pose_a, const TactShape *b,
                      const TactTransform *pose_b, TactTouchList *list)
{
    return deepest_within(a, pose_a, b, pose_b, MARGIN, list);
}

/// A normal within 1e-6 of that of a triangle (1 - cosine) is the triangle's, and a gap changes by
/// that share of it; curved shapes to 2e-8 as above.
static void exchange_and_a_common_motion_change_nothing(void **state)
{
    const double  tol = 2e-8 + 1e-6 * MARGIN;
    Fixture      *f = *state;
    Random        random = {230};
    TactTouchList list = {0};
    for (int k = 0; k < pose_count(); k++) {
        TactShape     a = f->meshes[k / 8 % MESHES].shape, b = any_shape(f, &random, k);
        TactTransform pose_a = random_pose(&random, 1), pose_b = random_pose(&random, 1);
        TactTransform move = random_pose(&random, 2);
        set_gap(&a, &pose_a, &b, &pose_b, random_in(&random, 0.001, 0.045));
        TactTransform moved_a = tact_transform_multiply(move, pose_a);
        TactTransform moved_b = tact_transform_multiply(move, pose_b);
        TactDistance  d;
        assert_int_equal(tact_shape_compute_distance(&a, &pose_a, &b, &pose_b, &d), TACT_OK);
        if (d.distance < 0) {
            continue; // moved into another part of it
        }
        double here = deepest(&a, &pose_a, &b, &pose_b, &list);
        int    count = list.count;
        assert_within(deepest(&b, &pose_b, &a, &pose_a, &list), here, tol, "exchange");
        if (b.type != TACT_SHAPE_MESH) {
            assert_int_equal(list.count, count);
        }
        assert_within(deepest(&a, &moved_a, &b, &moved_b, &list), here, tol, "motion");
    }
    tact_touch_list_destroy(&list);
}

/// Along its normal a point is deeper by no more than a shape moves; so is the deepest, as long as
/// the shortest way out stays the same one, which from first touch to 2 mm, of these sizes about 1,
/// it must. A point where a face ends over another that is inclined to the normal, by 0.1 at most
/// of two meshes, moves along that too: a step and a tenth, and two where a convex shape has no
/// such bound.
static void depth_is_continuous_while_a_shape_comes_near_and_touches(void **state)
{
    Fixture      *f = *state;
    Random        random = {231};
    TactTouchList list = {0};
    const double  step = 5e-4;
    int           steps = 0, paths = 0, broken = 0;
    for (int k = 0; k < pose_count() / 4; k++) {
        TactShape     a = f->meshes[k / 8 % MESHES].shape, b = any_shape(f, &random, k);
        TactTransform pose_a = random_pose(&random, 1), pose_b = random_pose(&random, 1);
        double        most = (b.type == TACT_SHAPE_MESH ? 1.1 : 2) * step + 2e-8;
        TactDistance  d;
        set_gap(&a, &pose_a, &b, &pose_b, 0.02);
        assert_int_equal(tact_shape_compute_distance(&a, &pose_a, &b, &pose_b, &d), TACT_OK);
        if (d.distance < 0.019) {
            continue; // moved into another part of it
        }
        double before = deepest(&a, &pose_a, &b, &pose_b, &list);
        for (int i = 0; i < 50 && before < 0.002; i++) {
            pose_b.position = tact_vec3_add_scaled(pose_b.position, -step, d.normal);
            double now = deepest(&a, &pose_a, &b, &pose_b, &list);
            if (!(fabs(now - before) <= most)) {
                print_message("path %d, step %d: depth %g, then %g\n", k, i, before, now);
                broken++;
            }
            before = now;
            steps++;
        }
        paths++;
    }
    print_message("%d paths of %d steps together, %d jumps\n", paths, steps, broken);
    assert_int_equal(broken, 0);
    assert_true(steps > 10 * pose_count() / 4);
    tact_touch_list_destroy(&list);
}

// ---------------------------------------------------------------------------------------------
// Convex solids

typedef struct Overlap {
    TactShape     a, b; // convex
    TactTransform pose_a, pose_b;
    double        depth;
} Overlap;

/// Moves two convex solids into each other, by up to 2 cm of sizes about 1.
static Overlap draw_overlap(Random *random, TactShape a, TactShape b)
{
    Overlap      o = {.a = a, .b = b};
    TactDistance d;
    o.pose_a = random_pose(random, 1);
    o.pose_b = random_pose(random, 1);
    set_gap(&a, &o.pose_a, &b, &o.pose_b, random_in(random, -0.02, -1e-5));
    assert_int_equal(tact_shape_compute_distance(&a, &o.pose_a, &b, &o.pose_b, &d), TACT_OK);
    o.depth = -d.distance; // less than it was moved, if another direction is shorter now
    return o;
}

/// With no margin the shortest way may be between triangles whose boxes do not meet; where another
/// was found there, nothing tells.
typedef struct Misses {
    int asked, missed;
} Misses;

static void count_misses(const Overlap *o, const Made *mesh_a, const Made *mesh_b,
                         TactTouchList *list, Misses *misses)
{
    if (o->depth > 1e-6) {
        double here =
            deepest_within(&mesh_a->shape, &o->pose_a, &mesh_b->shape, &o->pose_b, 0, list);
        misses->asked++;
        misses->missed += !(fabs(here - o->depth) <= 1e-9);
    }
}

static void check_misses(const Misses *misses, const char *name)
{
    print_message("%s: with no margin %d of %d miss the shortest way\n", name, misses->missed,
                  misses->asked);
    assert_true(misses->asked > 100);
    assert_true(500 * misses->missed <= misses->asked);
}

/// Meshes of convex solids against the solids: GJK and EPA, and what proves these, know no
/// triangle. And the other way round: exchange changes nothing.
static void check_overlap(const Overlap *o, const Made *mesh_a, const Made *mesh_b,
                          TactTouchList *list, const char *name)
{
    if (o->depth > 1e-6) {
        double here = deepest(&mesh_a->shape, &o->pose_a, &mesh_b->shape, &o->pose_b, list);
        assert_within(here, o->depth, 1e-9, name);
        for (int i = 0; i < list->count; i++) { // of the solids along the normal of the point
            const TactTouch *t = &list->touches[i];
            double           most = overlap_along(&o->a, &o->pose_a, &o->b, &o->pose_b, t->normal);
            assert_true(t->depth <= most + 1e-9);
        }
        assert_within(deepest(&mesh_b->shape, &o->pose_b, &mesh_a->shape, &o->pose_a, list), here,
                      1e-9, name);
    }
}

static void meshes_of_boxes_are_as_deep_as_boxes_however_they_are_cut(void **state)
{
    (void)state;
    Random        random = {240};
    TactTouchList list = {0};
    Misses        misses = {0};
    for (int k = 0; k < pose_count() / 8; k++) {
        TactShape a = random_shape(&random, TACT_SHAPE_BOX, NULL);
        TactShape b = random_shape(&random, TACT_SHAPE_BOX, NULL);
        Made      mesh_a = make_box(a.size, 1 + k % 3), mesh_b = make_box(b.size, 1 + k / 3 % 3);
        Overlap   o = draw_overlap(&random, a, b);
        char      name[64];
        snprintf(name, sizeof name, "boxes, pose %d", k);
        check_overlap(&o, &mesh_a, &mesh_b, &list, name);
        count_misses(&o, &mesh_a, &mesh_b, &list, &misses);
        drop(&mesh_a);
        drop(&mesh_b);
    }
    check_misses(&misses, "boxes");
    tact_touch_list_destroy(&list);
}

static void meshes_of_hulls_are_as_deep_as_hulls(void **state)
{
    (void)state;
    enum { HULLS = 4 };
    Random        random = {241};
    TactTouchList list = {0};
    Misses        misses = {0};
    TactHull     *hulls[HULLS];
    Made          meshes[HULLS];
    for (int i = 0; i < HULLS; i++) {
        hulls[i] = random_hull(&random, 8 + 12 * i);
        if (!hulls[i]) {
            skip(); // a build without qhull
        }
        meshes[i] = make_of_hull(hulls[i]);
    }
    for (int k = 0; k < pose_count() / 2; k++) {
        int       i = k % HULLS, j = k / HULLS % HULLS;
        TactShape a = {.type = TACT_SHAPE_HULL, .hull = hulls[i]};
        TactShape b = {.type = TACT_SHAPE_HULL, .hull = hulls[j]};
        Overlap   o = draw_overlap(&random, a, b);
        char      name[64];
        snprintf(name, sizeof name, "hulls %d-%d, pose %d", i, j, k);
        check_overlap(&o, &meshes[i], &meshes[j], &list, name);
        count_misses(&o, &meshes[i], &meshes[j], &list, &misses);
    }
    check_misses(&misses, "hulls");
    for (int i = 0; i < HULLS; i++) {
        drop(&meshes[i]);
        tact_hull_destroy(hulls[i]);
    }
    tact_touch_list_destroy(&list);
}

static int set_up(void **state)
{
    static Fixture fixture;
    fixture.meshes[RING] = make_torus(0.6, 0.2, 6, 4);
    fixture.meshes[PRISM] = make_prism(0.5, 0.4, 5);
    fixture.meshes[HILLS] = make_hills();
    *state = &fixture;
    return 0;
}

static int tear_down(void **state)
{
    Fixture *f = *state;
    for (int i = 0; i < MESHES; i++) {
        drop(&f->meshes[i]);
    }
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(points_of_two_meshes_are_on_both_and_the_nearest_is_as_near_as_they_are),
        cmocka_unit_test(points_of_a_mesh_and_a_convex_shape_are_on_both),
        cmocka_unit_test(exchange_and_a_common_motion_change_nothing),
        cmocka_unit_test(depth_is_continuous_while_a_shape_comes_near_and_touches),
        cmocka_unit_test(meshes_of_boxes_are_as_deep_as_boxes_however_they_are_cut),
        cmocka_unit_test(meshes_of_hulls_are_as_deep_as_hulls),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
