// Any two convex shapes against certificates that need no second implementation of anything.
//
// Apart: a point of a and a point of b at the distance claimed, and a plane across the normal that
// keeps all of a and all of b that far apart, prove the distance. Overlapping: the normal proves
// that the depth is enough; that nothing less is enough, all axes of polyhedra prove, and a search
// over directions for round shapes.
#include "collide/poses.h"

static const TactShapeType convex_types[] = {TACT_SHAPE_SPHERE,    TACT_SHAPE_CAPSULE,
                                             TACT_SHAPE_CYLINDER,  TACT_SHAPE_BOX,
                                             TACT_SHAPE_ELLIPSOID, TACT_SHAPE_HULL};
enum { TYPES = sizeof convex_types / sizeof convex_types[0], HULLS = 4 };
static const double SIZE = 2; // m: of two shapes together, as the library takes it

typedef struct Fixture {
    TactHull *hulls[HULLS];
} Fixture;

typedef struct Case {
    TactShape     a, b;
    TactTransform pose_a, pose_b;
} Case;

typedef void CheckCase(const Case *c, const char *name);

/// The case under way, for the message when an assertion fails.
static void for_all_pairs(const Fixture *f, uint64_t seed, int count, CheckCase *check)
{
    for (int i = 0; i < TYPES; i++) {
        for (int j = i; j < TYPES; j++) {
            Random random = {seed + (uint64_t)(TYPES * i + j)};
            for (int k = 0; k < count; k++) {
                Case c;
                char name[80];
                c.a = random_shape(&random, convex_types[i], f->hulls[k % HULLS]);
                c.b = random_shape(&random, convex_types[j], f->hulls[(k / HULLS) % HULLS]);
                c.pose_a = random_pose(&random, 1);
                c.pose_b = random_pose(&random, 1);
                if ((c.a.type == TACT_SHAPE_HULL && !c.a.hull) ||
                    (c.b.type == TACT_SHAPE_HULL && !c.b.hull)) {
                    continue;
                }
                snprintf(name, sizeof name, "%s-%s, pose %d", shape_name(c.a.type),
                         shape_name(c.b.type), k);
                check(&c, name);
            }
        }
    }
}

static TactDistance distance_of(const Case *c)
{
    TactDistance d;
    assert_int_equal(tact_shape_compute_distance(&c->a, &c->pose_a, &c->b, &c->pose_b, &d),
                     TACT_OK);
    return d;
}

/// How far the two sides of a proof may differ. The searches stop at 1e-11 of the size (epa.c;
/// gjk.c at 1e-12). The vector between the nearest points of shapes a distance d apart is known to
/// about 4 eps size, its direction to that over d, and turning it by an angle moves what it proves
/// by the angle times the size at most.
static double proof_tol(const Case *c, double distance)
{
    const double eps = 2.2e-16;
    double       round =
        (c->a.type == TACT_SHAPE_SPHERE || c->a.type == TACT_SHAPE_CAPSULE ? c->a.size[0] : 0) +
        (c->b.type == TACT_SHAPE_SPHERE || c->b.type == TACT_SHAPE_CAPSULE ? c->b.size[0] : 0);
    double cores = fabs(distance + round); // shapes with a ball around them: of what is inside
    return 1e-11 * SIZE + 4 * eps * SIZE * SIZE / fmax(cores, 1e-8 * SIZE);
}

static void check_certificate(const Case *c, const char *name)
{
    TactDistance d = distance_of(c);
    double       tol = proof_tol(c, d.distance);
    assert_within(tact_vec3_norm(d.normal), 1, 1e-12, name);
    assert_within(-overlap_along(&c->a, &c->pose_a, &c->b, &c->pose_b, d.normal), d.distance, tol,
                  name);
    if (!(outside_of(&c->a, &c->pose_a, d.on_a) <= tol) ||
        !(outside_of(&c->b, &c->pose_b, d.on_b) <= tol)) {
        fail_msg("%s: a nearest point is outside by %g, %g", name,
                 outside_of(&c->a, &c->pose_a, d.on_a), outside_of(&c->b, &c->pose_b, d.on_b));
    }
    // on_b - on_a = distance * normal, in length and direction
    TactVec3 apart = tact_vec3_subtract(d.on_b, d.on_a);
    TactVec3 rest = tact_vec3_add_scaled(apart, -d.distance, d.normal);
    assert_within(tact_vec3_norm(rest), 0, 5e-7 * SIZE, name);
}

static void distance_and_depth_carry_their_proof(void **state)
{
    for_all_pairs(*state, 1, pose_count(), check_certificate);
}

// ---------------------------------------------------------------------------------------------
// Least depth

/// Descends from a direction by turning it less and less: a local least overlap.
static double descend(const Case *c, TactVec3 n)
{
    double least = overlap_along(&c->a, &c->pose_a, &c->b, &c->pose_b, n);
    for (double turn = 0.5; turn > 1e-6; turn *= 0.6) {
        TactVec3 t1, t2, from = n;
        tact_vec3_tangents(n, &t1, &t2);
        for (int k = 0; k < 8; k++) {
            double   angle = 0.78539816339744831 * k;
            TactVec3 to = tact_vec3_add_scaled(from, turn * cos(angle), t1);
            to = tact_vec3_normalise(tact_vec3_add_scaled(to, turn * sin(angle), t2));
            double here = overlap_along(&c->a, &c->pose_a, &c->b, &c->pose_b, to);
            if (here < least) {
                least = here;
                n = to;
            }
        }
    }
    return least;
}

static void check_least(const Case *c, const char *name)
{
    TactDistance d = distance_of(c);
    Random       random = {99};
    if (d.distance >= 0) {
        return;
    }
    double least = descend(c, d.normal);
    for (int k = 0; k < 24; k++) {
        least = fmin(least, descend(c, random_direction(&random)));
    }
    if (!(-d.distance <= least + 1e-11 * SIZE)) {
        fail_msg("%s: depth %.12g, but %.12g parts them", name, -d.distance, least);
    }
}

static void no_direction_parts_overlapping_shapes_sooner(void **state)
{
    for_all_pairs(*state, 2, pose_count() / 20, check_least);
}

/// Normals of faces and directions of edges, world frame.
static int polyhedron_axes(const TactShape *s, const TactTransform *pose, TactVec3 *normals,
                           TactVec3 *edges, int *edge_count)
{
    int count = 0;
    *edge_count = 0;
    if (s->type == TACT_SHAPE_BOX) {
        static const TactVec3 axes[3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
        for (int i = 0; i < 3; i++) {
            TactVec3 axis = tact_quat_rotate(pose->rotation, axes[i]);
            normals[count++] = axis;
            normals[count++] = tact_vec3_negate(axis);
            edges[(*edge_count)++] = axis;
        }
        return count;
    }
    for (int i = 0; i < s->hull->face_count; i++) {
        normals[count++] = tact_quat_rotate(pose->rotation, s->hull->faces[i].normal);
    }
    for (int e = 0; e < s->hull->edge_count; e++) {
        if (e < s->hull->edges[e].twin) {
            TactVec3 from = s->hull->vertices[s->hull->edges[e].origin];
            TactVec3 to = s->hull->vertices[tact_hull_target(s->hull, e)];
            edges[(*edge_count)++] = tact_quat_rotate(pose->rotation, tact_vec3_subtract(to, from));
        }
    }
    return count;
}

/// The least overlap of two polyhedra over all axes that can have it: exact.
static double least_of_all_axes(const Case *c)
{
    static TactVec3 na[1024], nb[1024], ea[1024], eb[1024];
    int             edges_a, edges_b;
    int             count_a = polyhedron_axes(&c->a, &c->pose_a, na, ea, &edges_a);
    int             count_b = polyhedron_axes(&c->b, &c->pose_b, nb, eb, &edges_b);
    double          least = INFINITY;
    for (int i = 0; i < count_a; i++) {
        least = fmin(least, overlap_along(&c->a, &c->pose_a, &c->b, &c->pose_b, na[i]));
    }
    for (int i = 0; i < count_b; i++) {
        TactVec3 n = tact_vec3_negate(nb[i]);
        least = fmin(least, overlap_along(&c->a, &c->pose_a, &c->b, &c->pose_b, n));
    }
    for (int i = 0; i < edges_a; i++) {
        for (int j = 0; j < edges_b; j++) {
            TactVec3 n = tact_vec3_normalise(tact_vec3_cross(ea[i], eb[j]));
            if (tact_vec3_norm(n) > 0.5) {
                TactVec3 m = tact_vec3_negate(n);
                least = fmin(least, overlap_along(&c->a, &c->pose_a, &c->b, &c->pose_b, n));
                least = fmin(least, overlap_along(&c->a, &c->pose_a, &c->b, &c->pose_b, m));
            }
        }
    }
    return least;
}

static void depth_of_polyhedra_is_the_least_of_all_axes(void **state)
{
    const Fixture             *f = *state;
    static const TactShapeType types[3][2] = {{TACT_SHAPE_BOX, TACT_SHAPE_BOX},
                                              {TACT_SHAPE_BOX, TACT_SHAPE_HULL},
                                              {TACT_SHAPE_HULL, TACT_SHAPE_HULL}};
    TactTouchList              list = {0};
    for (int pair = 0; pair < 3; pair++) {
        Random random = {77 + (uint64_t)pair};
        int    count = pair == 0 ? pose_count() : pose_count() / 10;
        for (int k = 0; k < count; k++) {
            Case c;
            c.a = random_shape(&random, types[pair][0], f->hulls[k % HULLS]);
            c.b = random_shape(&random, types[pair][1], f->hulls[(k + 1) % HULLS]);
            c.pose_a = random_pose(&random, 0.5);
            c.pose_b = random_pose(&random, 0.5);
            if (pair > 0 && !f->hulls[0]) {
                break;
            }
            double least = least_of_all_axes(&c);
            tact_touch_list_clear(&list);
            assert_int_equal(tact_collide(&c.a, &c.pose_a, &c.b, &c.pose_b, 0, &list), TACT_OK);
            if (least < -1e-9) {
                assert_int_equal(list.count, 0);
            } else if (least > 1e-9) {
                char name[64];
                snprintf(name, sizeof name, "pair %d, pose %d", pair, k);
                assert_within(-distance_of(&c).distance, least, 1e-9, name);
                assert_within(deepest_of(&list), least, 1e-7, name);
            }
        }
    }
    tact_touch_list_destroy(&list);
}

// ---------------------------------------------------------------------------------------------
// What must not change anything

/// How far the deepest point may fall short of the depth: a normal within 1e-7 of the size becomes
/// that of the face, and the cap of a cylinder has 16 points (see face.c).
static double allowed(const Case *c)
{
    bool cap = c->a.type == TACT_SHAPE_CYLINDER || c->b.type == TACT_SHAPE_CYLINDER;
    return 5e-7 + (cap ? 8e-5 : 0);
}

static void check_exchange(const Case *c, const char *name)
{
    Case         turned = {c->b, c->a, c->pose_b, c->pose_a};
    TactDistance d = distance_of(c), e = distance_of(&turned);
    assert_within(e.distance, d.distance, 1e-11 * SIZE, name);
    TactTouchList one = {0}, two = {0};
    assert_int_equal(tact_collide(&c->a, &c->pose_a, &c->b, &c->pose_b, 0.05, &one), TACT_OK);
    assert_int_equal(tact_collide(&c->b, &c->pose_b, &c->a, &c->pose_a, 0.05, &two), TACT_OK);
    if (one.count > 0 && two.count > 0) {
        assert_within(deepest_of(&one), deepest_of(&two), allowed(c), name);
        assert_within(deepest_of(&one), -d.distance, allowed(c), name);
    } else if (one.count != two.count) {
        fail_msg("%s: %d points, exchanged %d", name, one.count, two.count);
    }
    if (c->a.type != c->b.type) { // a table has them in one order: the same points to the bit
        assert_int_equal(one.count, two.count);
        for (int i = 0; i < one.count; i++) {
            const TactTouch *p = &one.touches[i], *q = &two.touches[i];
            TactVec3         sum = tact_vec3_add(p->normal, q->normal);
            assert_true(sum.x == 0 && sum.y == 0 && sum.z == 0);
            assert_true(p->point.x == q->point.x && p->point.y == q->point.y &&
                        p->point.z == q->point.z && p->depth == q->depth);
        }
    }
    tact_touch_list_destroy(&one);
    tact_touch_list_destroy(&two);
}

static void exchanging_the_shapes_turns_the_normal_round(void **state)
{
    for_all_pairs(*state, 3, pose_count() / 4, check_exchange);
}

static void check_motion(const Case *c, const char *name)
{
    Random        random = {5};
    TactTransform move = random_pose(&random, 3);
    Case          moved = *c;
    moved.pose_a = tact_transform_multiply(move, c->pose_a);
    moved.pose_b = tact_transform_multiply(move, c->pose_b);
    assert_within(distance_of(&moved).distance, distance_of(c).distance, 1e-11 * SIZE, name);
    TactTouchList one = {0}, two = {0};
    assert_int_equal(tact_collide(&c->a, &c->pose_a, &c->b, &c->pose_b, 0.05, &one), TACT_OK);
    assert_int_equal(tact_collide(&moved.a, &moved.pose_a, &moved.b, &moved.pose_b, 0.05, &two),
                     TACT_OK);
    if (one.count > 0 && two.count > 0) {
        assert_within(deepest_of(&one), deepest_of(&two), allowed(c), name);
    } else if (one.count != two.count) {
        fail_msg("%s: %d points, moved %d", name, one.count, two.count);
    }
    tact_touch_list_destroy(&one);
    tact_touch_list_destroy(&two);
}

static void a_common_motion_changes_nothing(void **state)
{
    for_all_pairs(*state, 4, pose_count() / 4, check_motion);
}

static void check_points(const Case *c, const char *name)
{
    TactTouchList list = {0};
    assert_int_equal(tact_collide(&c->a, &c->pose_a, &c->b, &c->pose_b, 0.05, &list), TACT_OK);
    for (int i = 0; i < list.count; i++) {
        const TactTouch *t = &list.touches[i];
        assert_within(tact_vec3_norm(t->normal), 1, 1e-12, name);
        assert_true(t->feature != 0);
        if (!(t->depth >= -0.05 - 1e-12)) {
            fail_msg("%s: point %d is %g apart", name, i, -t->depth);
        }
        // Nothing is deeper along the normal than the whole shapes are. A point may be 1e-9 of the
        // size beyond the end of a line (manifold.c), which rises by 4/3 of that at most (face.c).
        if (!(t->depth <=
              overlap_along(&c->a, &c->pose_a, &c->b, &c->pose_b, t->normal) + 1.4e-9 * SIZE)) {
            fail_msg("%s: point %d of %d: depth %g, shapes %g", name, i, list.count, t->depth,
                     overlap_along(&c->a, &c->pose_a, &c->b, &c->pose_b, t->normal));
        }
        for (int k = 0; k < i; k++) {
            if (list.touches[k].feature == t->feature) {
                fail_msg("%s: points %d and %d have one name", name, k, i);
            }
        }
    }
    tact_touch_list_destroy(&list);
}

static void points_have_names_of_their_own_and_depths_that_can_be(void **state)
{
    for_all_pairs(*state, 6, pose_count() / 2, check_points);
}

static void check_path(const Case *c, const char *name)
{
    Random   random = {8};
    Case     here = *c;
    TactVec3 along = random_direction(&random);
    double   before = distance_of(&here).distance;
    for (int k = 0; k < 40; k++) {
        double step = 0.01;
        here.pose_b.position = tact_vec3_add_scaled(here.pose_b.position, step, along);
        double now = distance_of(&here).distance;
        if (!(fabs(now - before) <= step + 1e-11 * SIZE)) { // 1-Lipschitz
            fail_msg("%s: distance jumps from %.9g to %.9g", name, before, now);
        }
        before = now;
    }
}

static void depth_is_continuous_along_a_path(void **state)
{
    for_all_pairs(*state, 7, pose_count() / 40, check_path);
}

static int set_up(void **state)
{
    static Fixture fixture;
    Random         random = {2026};
    for (int i = 0; i < HULLS; i++) {
        fixture.hulls[i] = random_hull(&random, 8 + 12 * i);
    }
    *state = &fixture;
    return 0;
}

static int tear_down(void **state)
{
    Fixture *f = *state;
    for (int i = 0; i < HULLS; i++) {
        tact_hull_destroy(f->hulls[i]);
    }
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(distance_and_depth_carry_their_proof),
        cmocka_unit_test(no_direction_parts_overlapping_shapes_sooner),
        cmocka_unit_test(depth_of_polyhedra_is_the_least_of_all_axes),
        cmocka_unit_test(exchanging_the_shapes_turns_the_normal_round),
        cmocka_unit_test(a_common_motion_changes_nothing),
        cmocka_unit_test(points_have_names_of_their_own_and_depths_that_can_be),
        cmocka_unit_test(depth_is_continuous_along_a_path),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
