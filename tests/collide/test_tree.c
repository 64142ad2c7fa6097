// The tree of bounds and the pairs of a world, against looking at everything.
#include "collide/poses.h"

#include "base/clones.h"
#include "collide/tree.h"
#ifndef TACT_SANITIZED
#include "heap_count.h"
#endif

static TactBounds random_bounds(Random *random, double room)
{
    TactVec3   middle = random_vec3(random, room), half = random_vec3(random, 0.4);
    TactBounds bounds;
    half = (TactVec3){0.05 + fabs(half.x), 0.05 + fabs(half.y), 0.05 + fabs(half.z)};
    bounds.lower = tact_vec3_subtract(middle, half);
    bounds.upper = tact_vec3_add(middle, half);
    return bounds;
}

/// Every inner node bounds its children exactly, knows its height, and leans by one at most; leaves
/// below it are returned.
static int check_node(const TactTree *tree, int node, int parent)
{
    const TactTreeNode *n = &tree->nodes[node];
    assert_int_equal(n->parent, parent);
    if (node < tree->leaves) {
        assert_int_equal(n->height, 0);
        return 1;
    }
    const TactTreeNode *a = &tree->nodes[n->child[0]], *b = &tree->nodes[n->child[1]];
    assert_int_equal(n->height, 1 + (a->height > b->height ? a->height : b->height));
    assert_true(abs(a->height - b->height) <= 1);
    assert_true(n->bounds.lower.x == fmin(a->bounds.lower.x, b->bounds.lower.x));
    assert_true(n->bounds.upper.y == fmax(a->bounds.upper.y, b->bounds.upper.y));
    assert_true(tact_bounds_contain(&n->bounds, &a->bounds));
    assert_true(tact_bounds_contain(&n->bounds, &b->bounds));
    return check_node(tree, n->child[0], node) + check_node(tree, n->child[1], node);
}

static TactStatus mark(void *context, int leaf)
{
    ((int *)context)[leaf]++;
    return TACT_OK;
}

enum { LEAVES = 300 };

static void boxes_are_found_whatever_came_went_and_moved(void **state)
{
    (void)state;
    Random     random = {31};
    TactTree   tree;
    TactBounds bounds[LEAVES];
    bool       there[LEAVES] = {false};
    int        count = 0;
    assert_int_equal(tact_tree_create(LEAVES, &tree), TACT_OK);
    for (int round = 0; round < 4000; round++) {
        int leaf = (int)(random_bits(&random) % LEAVES);
        if (there[leaf]) {
            tact_tree_remove(&tree, leaf);
            count--;
        }
        bool back = !there[leaf] || random_bits(&random) % 3 > 0; // moved, or gone
        there[leaf] = back;
        if (back) {
            bounds[leaf] = random_bounds(&random, 3);
            tact_tree_insert(&tree, leaf, &bounds[leaf]);
            count++;
        }
        assert_true(tact_tree_has(&tree, leaf) == back);
        if (round % 40 != 0) {
            continue;
        }
        if (count > 0) {
            assert_int_equal(check_node(&tree, tree.root, -1), count);
        }
        TactBounds box = random_bounds(&random, 3);
        int        found[LEAVES] = {0};
        assert_int_equal(tact_tree_visit_box(&tree, &box, mark, found), TACT_OK);
        for (int i = 0; i < LEAVES; i++) {
            assert_int_equal(found[i], there[i] && tact_bounds_overlap(&bounds[i], &box));
        }
    }
    tact_tree_destroy(&tree);
}

static void leaves_in_a_row_make_no_high_tree(void **state)
{
    (void)state;
    enum { MANY = 4096 };
    TactTree tree;
    assert_int_equal(tact_tree_create(MANY, &tree), TACT_OK);
    for (int i = 0; i < MANY; i++) {
        TactBounds bounds = {{i, 0, 0}, {i + 0.5, 1, 1}};
        tact_tree_insert(&tree, i, &bounds);
    }
    assert_int_equal(check_node(&tree, tree.root, -1), MANY);
    assert_true(tree.nodes[tree.root].height <= 17); // 1.44 log2(4096) = 17.3
    tact_tree_destroy(&tree);
}

// ---------------------------------------------------------------------------------------------
// Rays

typedef struct Cast {
    int    seen[LEAVES];
    double enters[LEAVES]; // by the slabs, INFINITY: does not
    double nearest;
    bool   first; // only the first is wanted
} Cast;

static double meet(void *context, int leaf, double most)
{
    Cast *cast = context;
    cast->seen[leaf]++;
    cast->nearest = fmin(cast->nearest, cast->enters[leaf]);
    return cast->first ? fmin(most, cast->enters[leaf]) : most;
}

static double enter_slabs(const TactBounds *b, TactVec3 o, TactVec3 d, double most)
{
    const double from[3] = {o.x, o.y, o.z}, way[3] = {d.x, d.y, d.z};
    const double low[3] = {b->lower.x, b->lower.y, b->lower.z};
    const double high[3] = {b->upper.x, b->upper.y, b->upper.z};
    double       in = 0, out = most;
    for (int k = 0; k < 3; k++) {
        if (way[k] == 0) {
            out = from[k] < low[k] || from[k] > high[k] ? -1 : out;
        } else {
            double s = (low[k] - from[k]) / way[k], t = (high[k] - from[k]) / way[k];
            in = fmax(in, fmin(s, t));
            out = fmin(out, fmax(s, t));
        }
    }
    return in <= out ? in : INFINITY;
}

static void rays_meet_the_leaves_that_they_pass(void **state)
{
    (void)state;
    Random     random = {32};
    TactTree   tree;
    TactBounds bounds[LEAVES];
    int        hits = 0, left_out = 0;
    assert_int_equal(tact_tree_create(LEAVES, &tree), TACT_OK);
    for (int i = 0; i < LEAVES; i++) {
        bounds[i] = random_bounds(&random, 3);
        tact_tree_insert(&tree, i, &bounds[i]);
    }
    for (int k = 0; k < 1000; k++) {
        Cast     cast = {.nearest = INFINITY}, first = {.nearest = INFINITY, .first = true};
        TactVec3 o = random_vec3(&random, 4), d = random_direction(&random);
        double   most = random_in(&random, 0.5, 10), nearest = INFINITY;
        d = k % 4 == 0 ? (TactVec3){0, d.y, 0} : d; // along an axis
        for (int i = 0; i < LEAVES; i++) {
            cast.enters[i] = first.enters[i] = enter_slabs(&bounds[i], o, d, most);
            nearest = fmin(nearest, cast.enters[i]);
        }
        tact_tree_visit_ray(&tree, o, d, most, meet, &cast);
        tact_tree_visit_ray(&tree, o, d, most, meet, &first);
        for (int i = 0; i < LEAVES; i++) {
            assert_int_equal(cast.seen[i], cast.enters[i] < INFINITY);
            hits += cast.seen[i];
            left_out += cast.seen[i] - first.seen[i];
        }
        assert_true(first.nearest == nearest);
    }
    print_message("%d leaves met, %d of them behind others\n", hits, left_out);
    assert_true(hits > 500 && left_out > 100);
    tact_tree_destroy(&tree);
}

// ---------------------------------------------------------------------------------------------
// Worlds

enum { SHAPES = 60 };

static bool odd_sums(void *context, int i, int j)
{
    (void)context;
    assert_true(i < j);
    return (i + j) % 5 != 0;
}

static void make_shapes(Random *random, TactWorldShape *shapes)
{
    static const TactShapeType types[] = {TACT_SHAPE_SPHERE, TACT_SHAPE_CAPSULE,
                                          TACT_SHAPE_CYLINDER, TACT_SHAPE_BOX,
                                          TACT_SHAPE_ELLIPSOID};
    for (int i = 0; i < SHAPES; i++) {
        shapes[i] = (TactWorldShape){.shape = random_shape(random, types[i % 5], NULL),
                                     .margin = 0.01 * (i % 3),
                                     .fixed = i % 7 == 0};
    }
    shapes[20] = (TactWorldShape){.shape = {.type = TACT_SHAPE_PLANE}, .fixed = true};
}

/// The pairs as they must be: true bounds overlap, widened by margin and reach.
static int brute_pairs(const TactWorldShape *shapes, const TactTransform *poses,
                       const double *reach, TactWorldPair *pairs)
{
    TactBounds bounds[SHAPES];
    int        count = 0;
    for (int i = 0; i < SHAPES; i++) {
        double   wide = shapes[i].margin + reach[i];
        TactVec3 rim = {wide, wide, wide};
        tact_shape_compute_bounds(&shapes[i].shape, &poses[i], &bounds[i].lower, &bounds[i].upper);
        bounds[i].lower = tact_vec3_subtract(bounds[i].lower, rim);
        bounds[i].upper = tact_vec3_add(bounds[i].upper, rim);
    }
    for (int i = 0; i < SHAPES; i++) {
        for (int j = i + 1; j < SHAPES; j++) {
            if (tact_bounds_overlap(&bounds[i], &bounds[j]) && odd_sums(NULL, i, j) &&
                !(shapes[i].fixed && shapes[j].fixed)) {
                pairs[count++] = (TactWorldPair){.a = i, .b = j};
            }
        }
    }
    return count;
}

/// Slow drift, now and then a jump, now and then a fast shape.
static void move_shapes(Random *random, const TactWorldShape *shapes, TactTransform *poses,
                        double *reach)
{
    for (int i = 0; i < SHAPES; i++) {
        if (shapes[i].fixed) {
            continue;
        }
        if (random_bits(random) % 50 == 0) {
            poses[i] = random_pose(random, 4);
        }
        poses[i].position = tact_vec3_add(poses[i].position, random_vec3(random, 0.05));
        poses[i].rotation.x += random_in(random, -0.02, 0.02);
        poses[i].rotation = tact_quat_normalise(poses[i].rotation);
        reach[i] = random_bits(random) % 20 == 0 ? random_in(random, 0, 2) : 0.01;
    }
}

/// Every third shape a hull, if there are any.
static void put_hulls(TactHull *const hulls[2], TactWorldShape *shapes)
{
    for (int i = 0; i < SHAPES && hulls[0] && hulls[1]; i++) {
        if (i % 3 == 1) {
            shapes[i].shape = (TactShape){.type = TACT_SHAPE_HULL, .hull = hulls[i % 2]};
        }
    }
}

static void pairs_of_a_world_are_those_of_its_poses_alone(void **state)
{
    (void)state;
    Random         random = {33};
    TactWorldShape shapes[SHAPES];
    TactTransform  poses[SHAPES];
    double         reach[SHAPES] = {0};
    TactWorldPair  expected[SHAPES * SHAPES / 2];
    TactWorld     *world = NULL;
    long           all = 0;
    TactHull      *hulls[2] = {random_hull(&random, 12), random_hull(&random, 60)};
    make_shapes(&random, shapes);
    put_hulls(hulls, shapes);
    for (int i = 0; i < SHAPES; i++) {
        poses[i] = random_pose(&random, 4);
    }
    assert_int_equal(tact_world_create(shapes, SHAPES, odd_sums, NULL, &world), TACT_OK);
    for (int step = 0; step < 500; step++) {
        TactWorldPairs pairs;
        move_shapes(&random, shapes, poses, reach);
        int count = brute_pairs(shapes, poses, reach, expected);
        assert_int_equal(tact_world_find_pairs(world, poses, reach, &pairs), TACT_OK);
        assert_int_equal(pairs.count, count);
        for (int k = 0; k < count; k++) {
            assert_int_equal(pairs.pairs[k].a, expected[k].a);
            assert_int_equal(pairs.pairs[k].b, expected[k].b);
        }
        all += count;
    }
    assert_true(all > 500 * SHAPES);
    tact_world_destroy(world);
    tact_hull_destroy(hulls[0]);
    tact_hull_destroy(hulls[1]);
}

// A world remembers boxes around hulls and directions between them. What it answers is that of the
// poses alone: to the bit what every pair of overlapping bounds says on its own.
static void touches_of_hulls_that_move_are_those_of_their_poses_alone(void **state)
{
    (void)state;
    Random         random = {34};
    TactHull      *hulls[2] = {random_hull(&random, 12), random_hull(&random, 60)};
    TactWorldShape shapes[SHAPES];
    TactTransform  poses[SHAPES];
    double         reach[SHAPES] = {0};
    TactWorldPair  expected[SHAPES * SHAPES / 2];
    TactTouchList  list = {0};
    TactWorld     *world = NULL;
    int            touching = 0, apart = 0;
    make_shapes(&random, shapes);
    put_hulls(hulls, shapes);
    for (int i = 0; i < SHAPES; i++) {
        poses[i] = random_pose(&random, 2);
    }
    assert_int_equal(tact_world_create(shapes, SHAPES, odd_sums, NULL, &world), TACT_OK);
    for (int step = 0; step < 100; step++) {
        TactWorldTouches touches;
        move_shapes(&random, shapes, poses, reach);
        int count = brute_pairs(shapes, poses, reach, expected), at = 0;
        assert_int_equal(tact_world_collide(world, poses, reach, &touches), TACT_OK);
        for (int k = 0; k < count; k++) {
            int    a = expected[k].a, b = expected[k].b;
            double margin = shapes[a].margin + shapes[b].margin + (reach[a] + reach[b]);
            tact_touch_list_clear(&list);
            assert_int_equal(tact_collide(&shapes[a].shape, &poses[a], &shapes[b].shape, &poses[b],
                                          margin, &list),
                             TACT_OK);
            apart += list.count == 0;
            if (list.count == 0) {
                continue;
            }
            const TactWorldPair *pair = &touches.pairs[at++];
            assert_true(at <= touches.pair_count && pair->a == a && pair->b == b);
            assert_int_equal(pair->count, list.count);
            assert_memory_equal(touches.touches->touches + pair->first, list.touches,
                                (size_t)list.count * sizeof *list.touches);
            touching++;
        }
        assert_int_equal(at, touches.pair_count);
    }
    assert_true(touching > 1000 && apart > 1000);
    tact_touch_list_destroy(&list);
    tact_world_destroy(world);
    tact_hull_destroy(hulls[0]);
    tact_hull_destroy(hulls[1]);
}

static void a_pair_touches_within_the_sum_of_both_margins_and_reaches(void **state)
{
    (void)state;
    static const double gaps[] = {-0.01, 0.01, 0.04, 0.06, 0.079, 0.081, 0.15};
    for (int k = 0; k < 2 * 2 * 7; k++) {
        const double     wide[2] = {k % 2 ? 0.05 : 0.03, k % 2 ? 0.03 : 0.05}, gap = gaps[k / 4];
        bool             reaching = k / 2 % 2 == 1; // by where they may move instead
        TactWorldShape   shapes[2];
        TactTransform    poses[2] = {tact_transform_identity(), {{1, 0, 0, 0}, {0.5 + gap, 0, 0}}};
        TactWorld       *world = NULL;
        TactWorldTouches touches;
        for (int i = 0; i < 2; i++) { // balls of radius 0.2 and 0.3
            shapes[i] =
                (TactWorldShape){.shape = {.type = TACT_SHAPE_SPHERE, .size = {i == 0 ? 0.2 : 0.3}},
                                 .margin = reaching ? 0 : wide[i]};
        }
        assert_int_equal(tact_world_create(shapes, 2, NULL, NULL, &world), TACT_OK);
        assert_int_equal(tact_world_collide(world, poses, reaching ? wide : NULL, &touches),
                         TACT_OK);
        assert_int_equal(touches.pair_count, gap < 0.08);
        if (touches.pair_count > 0) {
            assert_int_equal(touches.pairs[0].count, 1);
            assert_true(fabs(touches.touches->touches[0].depth + gap) < 1e-15);
        }
        tact_world_destroy(world);
    }
}

#ifdef TACT_SANITIZED
static void a_world_that_has_grown_allocates_nothing(void **state)
{
    (void)state;
    print_message("skipped: a sanitizer has replaced the heap already\n");
    skip();
}
#else
static void a_world_that_has_grown_allocates_nothing(void **state)
{
    (void)state;
    Random           random = {34};
    TactWorldShape   shapes[SHAPES];
    TactTransform    poses[SHAPES];
    TactWorldTouches touches;
    TactWorld       *world = NULL;
    make_shapes(&random, shapes);
    assert_int_equal(tact_world_create(shapes, SHAPES, NULL, NULL, &world), TACT_OK);
    for (int step = 0; step < 6; step++) { // all in one place, which moves on: no step has more
        TactVec3 place = {10.0 * step, 0, 0};
        for (int i = 0; i < SHAPES; i++) {
            poses[i].rotation = random_rotation(&random);
            poses[i].position = tact_vec3_add(place, random_vec3(&random, 0.05));
        }
        assert_int_equal(tact_world_collide(world, poses, NULL, &touches), TACT_OK);
    }
    for (int i = 0; i < SHAPES; i++) {
        poses[i] = random_pose(&random, 3);
    }
    heap_counting = true;
    for (int step = 0; step < 50; step++) {
        for (int i = 0; i < SHAPES; i++) {
            poses[i].position = tact_vec3_add(poses[i].position, random_vec3(&random, 0.3));
        }
        assert_int_equal(tact_world_collide(world, poses, NULL, &touches), TACT_OK);
    }
    heap_counting = false;
    assert_int_equal(heap_calls, 0);
    tact_world_destroy(world);
}
#endif

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(boxes_are_found_whatever_came_went_and_moved),
        cmocka_unit_test(leaves_in_a_row_make_no_high_tree),
        cmocka_unit_test(rays_meet_the_leaves_that_they_pass),
        cmocka_unit_test(pairs_of_a_world_are_those_of_its_poses_alone),
        cmocka_unit_test(touches_of_hulls_that_move_are_those_of_their_poses_alone),
        cmocka_unit_test(a_pair_touches_within_the_sum_of_both_margins_and_reaches),
        cmocka_unit_test(a_world_that_has_grown_allocates_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
