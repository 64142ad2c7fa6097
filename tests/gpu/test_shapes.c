// Pairs of shapes by the code of the GPU, on the processor: points, normals and depths are held
// against those of collide.h, and whole steps against the simulation's.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/gpu/steps_beside.h"

enum { POSES = 400, MOST_POINTS = 64 };

// ---------------------------------------------------------------------------------------------
// Points

/// What is found of one pair.
typedef struct Compared {
    int touched, points, left, others; // poses that touch, points, poses left, of other points
    int doubles;                       // points with the name of another one
    int twice;                         // points at the place of another one, of both
    int ties;                          // other normals, along which they are as deep: at a corner
                                       // or rim that is just touched there are many
    double point, normal, depth;       // by how much they differ at the most
} Compared;

static TactQuat draw_turn(uint64_t *seed)
{
    TactQuat q = {steps_draw(seed) - 0.5, steps_draw(seed) - 0.5, steps_draw(seed) - 0.5,
                  steps_draw(seed) - 0.5};
    return tact_quat_normalise(q);
}

/// Any turn, one by a little from an axis, or by quarters alone.
static TactQuat draw_pose(uint64_t *seed, int k)
{
    TactVec3 r = {0, 0, 0};
    double  *x = k / 4 % 3 == 0 ? &r.x : k / 4 % 3 == 1 ? &r.y : &r.z;
    if (k % 4 == 0) {
        return draw_turn(seed);
    }
    *x = 0.5 * 3.14159265358979323846 * floor(4 * steps_draw(seed));
    TactQuat q = tact_quat_exp(r);
    double   size = k % 4 == 1 ? 1e-3 : k % 4 == 2 ? 0.05 : 0;
    TactVec3 little = {size * (steps_draw(seed) - 0.5), size * (steps_draw(seed) - 0.5),
                       size * (steps_draw(seed) - 0.5)};
    return tact_quat_normalise(tact_quat_multiply(tact_quat_exp(little), q));
}

/// Is a point the same as another one?
static bool is_twice(TactVec3 p, TactVec3 n, TactVec3 q, TactVec3 m)
{
    return tact_vec3_norm(tact_vec3_subtract(p, q)) <= 1e-9 && tact_vec3_dot(n, m) > 1 - 1e-6;
}

static void count_twice(const TactTouchList *touches, const TactStepHeld *found, int count,
                        Compared *out)
{
    const TactTouch *t = touches->touches;
    for (int i = 0; i < touches->count; i++) {
        for (int k = 0; k < i; k++) {
            out->twice += is_twice(t[i].point, t[i].normal, t[k].point, t[k].normal);
        }
    }
    for (int i = 0; i < count; i++) {
        for (int k = 0; k < i; k++) {
            out->twice +=
                is_twice(found[i].point, found[i].normal, found[k].point, found[k].normal);
        }
    }
}

static void compare_touches(const TactTouchList *touches, const TactStepHeld *found, int count,
                            Compared *out)
{
    int deepest = 0, other = 0;
    out->touched += touches->count > 0;
    for (int i = 0; i < touches->count; i++) {
        deepest = touches->touches[i].depth > touches->touches[deepest].depth ? i : deepest;
    }
    for (int i = 0; i < count; i++) {
        other = found[i].depth > found[other].depth ? i : other;
    }
    if (touches->count > 0 && count > 0) {
        const TactTouch *t = &touches->touches[deepest];
        double turned = tact_vec3_norm(tact_vec3_subtract(found[other].normal, t->normal));
        if (turned > 1e-8 && fabs(found[other].depth - t->depth) <= 1e-11) {
            out->ties++;
            return;
        }
    }
    Compared here = {0};
    for (int i = 0; i < count && count == touches->count; i++) {
        const TactTouch *t = &touches->touches[i];
        int              same = 0;
        double           least = INFINITY;
        for (int k = 0; k < count; k++) { // planes have corners of boxes in another order
            double apart = tact_vec3_norm(tact_vec3_subtract(found[k].point, t->point)) +
                           tact_vec3_norm(tact_vec3_subtract(found[k].normal, t->normal));
            same = apart < least ? k : same;
            least = fmin(least, apart);
        }
        TactVec3 apart = tact_vec3_subtract(found[same].point, t->point);
        TactVec3 turned = tact_vec3_subtract(found[same].normal, t->normal);
        here.point = fmax(here.point, tact_vec3_norm(apart));
        here.normal = fmax(here.normal, tact_vec3_norm(turned));
        here.depth = fmax(here.depth, fabs(found[same].depth - t->depth));
        for (int k = 0; k < i; k++) {
            here.doubles += found[i].name == found[k].name;
        }
    }
    // Normals: rounding of 1e-16 m across gaps of 1e-7 m.
    if (count != touches->count || here.point > 1e-10 || here.depth > 1e-10 || here.normal > 1e-9) {
        out->others++;
        return;
    }
    out->points += count;
    out->doubles += here.doubles;
    out->point = fmax(out->point, here.point);
    out->normal = fmax(out->normal, here.normal);
    out->depth = fmax(out->depth, here.depth);
}

/// Two geoms of a model at poses in which they are from 20 mm deep to 12 mm apart.
static Compared compare_pair(const char *geoms, double margin)
{
    char text[4000];
    snprintf(
        text, sizeof text,
        "<mujoco><asset><mesh name='rock' vertex='0.1 0 0 -0.05 0.08 0 -0.05 -0.08 0 0.02 0 "
        "0.1 0.01 0.03 -0.09 0.04 0.05 0.06 -0.04 0.03 0.07'/><mesh name='foot' vertex='-0.1 "
        "-0.05 0 0.1 -0.05 0 0.1 0.05 0 -0.1 0.05 0 -0.08 -0.04 0.06 0.04 -0.04 0.06 0.04 "
        "0.04 0.06 -0.08 0.04 0.06'/><hfield name='ground' nrow='6' ncol='7' size='0.3 0.25 0.08 "
        "0.05' elevation='0 1 3 2 1 0 2 1 2 2 4 3 1 1 0 3 3 3 1 0 2 2 1 4 4 2 1 1 3 0 2 2 2 "
        "0 1 1 1 2 0 1 3 2'/></asset><worldbody>%s</worldbody></mujoco>",
        geoms);
    TactModel    *model = steps_read_text(text);
    TactSim      *sim = steps_make_sim(model, TACT_CONE_PYRAMID);
    TactStepBlock block;
    Compared      out = {0};
    uint64_t      seed = 5;
    if (tact_step_check(sim, TACT_STEP_OTHER_SHAPES)) {
        fail_msg("%s", tact_status_message());
    }
    assert_int_equal(tact_step_compile(sim, TACT_STEP_OTHER_SHAPES, &block), TACT_OK);
    assert_int_equal(block.model.pair_count, 1);
    const TactShape *a = &sim->shapes.made.shapes[0], *b = &sim->shapes.made.shapes[1];
    for (int k = 0; k < POSES; k++) {
        TactTransform poses[2] = {{draw_pose(&seed, k / 2), {0.3, -0.2, 0.1}},
                                  {draw_pose(&seed, k), {0.3, -0.2, 0.1}}};
        TactStepHeld  found[MOST_POINTS];
        TactTouchList touches = {0};
        TactDistance  distance;
        double        wanted = -0.02 + 0.032 * steps_draw(&seed);
        wanted = k % 3 == 0 ? wanted : k % 3 == 1 ? 1e-3 * wanted : 0;
        TactVec3 way = tact_quat_rotate(draw_turn(&seed), (TactVec3){0.4, 0, 0});
        way = k % 5 < 3 ? way : (TactVec3){0.05 * way.x, 0.05 * way.y, way.z};
        poses[1].position = tact_vec3_add(poses[1].position, way);
        for (int i = 0; i < 4; i++) {
            assert_int_equal(tact_shape_compute_distance(a, &poses[0], b, &poses[1], &distance),
                             TACT_OK);
            poses[1].position = tact_vec3_add_scaled(poses[1].position, wanted - distance.distance,
                                                     distance.normal);
        }
        assert_int_equal(tact_collide(a, &poses[0], b, &poses[1], margin, &touches), TACT_OK);
        int count = step_lanes_touch(&block.model, 0, poses, margin, found);
        count_twice(&touches, found, count, &out);
        if (count < 0) {
            out.left++;
        } else {
            compare_touches(&touches, found, count, &out);
        }
        tact_touch_list_destroy(&touches);
    }
    print_message(
        "  %s\n    %d poses touch, %d left, %d of others, %d ties, %d doubles, %d twice; %d points "
        "differ by %.2g m, "
        "normals by %.2g, depths by %.2g m\n",
        geoms, out.touched, out.left, out.others, out.ties, out.doubles, out.twice, out.points,
        out.point, out.normal, out.depth);
    tact_step_release(&block);
    tact_sim_destroy(sim);
    tact_model_destroy(model);
    return out;
}

#define FREE(geom) "<body pos='0 0 1'><freejoint/><geom " geom "/></body>"
#define GROUND "<geom type='hfield' hfield='ground'/>"
#define BOX FREE("type='box' size='0.05 0.08 0.1'")
#define ROCK FREE("type='mesh' mesh='rock'")
#define FOOT FREE("type='mesh' mesh='foot'")
#define EGG FREE("type='ellipsoid' size='0.03 0.05 0.08'")
#define PLANE "<geom type='plane' size='5 5 1'/>"

static void test_points_are_those_of_the_processor(void **state)
{
    static const struct {
        const char *geoms;
        double      margin;
        int         left, others; // of a thousand poses, at the most
        int         ties;         //
    } pairs[] = {
        {PLANE BOX, 0.01, 0, 0, 0},
        {PLANE FREE("type='cylinder' size='0.06 0.05'"), 2e-4, 0, 0, 0},
        {PLANE FREE("type='cylinder' size='0.06 0.05' margin='0.004'"), 2e-4, 0, 0, 0},
        {PLANE ROCK, 0.01, 0, 0, 0},
        {PLANE FREE("type='mesh' mesh='foot' margin='0.002'"), 0.01, 0, 0, 0},
        // Which of two points at one place, of one depth, is the deeper one rounding decides.
        {FREE("type='capsule' size='0.03 0.09'") BOX, 0.01, 0, 1, 0},
        {FREE("type='box' size='0.05 0.08 0.1' margin='0.003'")
             FREE("type='capsule' size='0.03 0.09'"),
         0.01, 0, 1, 0},
        {BOX FREE("type='box' size='0.07 0.04 0.06'"), 0.01, 0, 0, 0},
        {FREE("type='sphere' size='0.04' margin='0.003'") FREE("type='cylinder' size='0.06 0.05'"),
         0.01, 0, 0, 0},
        {FREE("type='sphere' size='0.04'") ROCK, 0.01, 0, 0, 0},
        {FREE("type='mesh' mesh='foot' margin='0.003'") FREE("type='sphere' size='0.04'"), 0.01, 0,
         0, 0},
        {FREE("type='capsule' size='0.03 0.09'") ROCK, 0.01, 0, 1, 0},
        {FREE("type='capsule' size='0.03 0.09'") FOOT, 0.01, 0, 1, 0},
        // Where the least depth is that of two directions, rounding chooses, and points are others.
        {BOX ROCK, 0.01, 1, 1, 20},
        {BOX FOOT, 0.01, 2, 1, 30},
        {ROCK FOOT, 0.01, 1, 1, 20},
        {FOOT FOOT, 0.01, 2, 1, 20},
        {FREE("type='capsule' size='0.03 0.09'") FREE("type='cylinder' size='0.06 0.15'"), 0.01, 0,
         0, 0},
        {FREE("type='cylinder' size='0.03 0.09' margin='0.003'")
             FREE("type='cylinder' size='0.06 0.15'"),
         0.01, 5, 0, 0},
        {FREE("type='cylinder' size='0.06 0.04'") FREE("type='cylinder' size='0.05 0.07'"), 0.01,
         15, 3, 5},
        {FREE("type='cylinder' size='0.06 0.05'") BOX, 0.01, 3, 15, 120},
        {FREE("type='cylinder' size='0.03 0.09' margin='0.002'") BOX, 0.01, 3, 15, 80},
        {FREE("type='cylinder' size='0.06 0.05'") ROCK, 0.01, 3, 10, 150},
        {FREE("type='cylinder' size='0.03 0.09'") FOOT, 0.01, 8, 8, 120},
        {FREE("type='ellipsoid' size='0.06 0.05 0.04'") EGG, 0.01, 10, 0, 0},
        {FREE("type='cylinder' size='0.06 0.05'") EGG, 0.01, 15, 0, 0},
        {EGG ROCK, 0.01, 40, 0, 0},
        {GROUND BOX, 0.01, 5, 5, 20},
        {GROUND FOOT, 0.01, 5, 15, 25},
        {GROUND FREE("type='cylinder' size='0.06 0.05'"), 0.01, 20, 15, 20},
        {GROUND EGG, 0.01, 5, 0, 0},
        {GROUND FREE("type='sphere' size='0.04'"), 0.01, 0, 0, 0},
        // Whether a depth of 1e-17 is one of an overlap rounding decides.
        {GROUND FREE("type='capsule' size='0.03 0.06' margin='0.002'"), 0.01, 0, 5, 0},
        {FREE("type='box' size='0.05 0.05 0.05' margin='0.002'")
             FREE("type='box' size='0.05 0.05 0.05'"),
         0.01, 0, 0, 0},
    };
    (void)state;
    for (size_t k = 0; k < sizeof pairs / sizeof pairs[0]; k++) {
        Compared c = compare_pair(pairs[k].geoms, pairs[k].margin);
        assert_true(c.touched > POSES / 10);
        assert_true(1000 * c.left <= pairs[k].left * POSES);
        assert_true(1000 * c.others <= pairs[k].others * POSES);
        assert_true(1000 * c.ties <= pairs[k].ties * POSES);
        assert_true(c.doubles <= POSES / 10); // on meshes: the processor has some too
        // Ends of rods beside edges of boxes and hulls may be found at one place; triangles that
        // share a point have it once.
        assert_true(strstr(pairs[k].geoms, "hfield") ? c.twice == 0 : c.twice <= POSES / 20);
    }
}

// ---------------------------------------------------------------------------------------------
// Steps

enum { WORLDS = 2 };

/// Worlds that begin with other velocities, walked beside the simulation.
static void walk(const char *xml, int steps, double speed, StepsWanted wanted)
{
    TactModel    *model = steps_read_text(xml);
    TactSim      *sim = steps_make_sim(model, TACT_CONE_PYRAMID);
    StepLanes     lanes;
    StepsCompared found = {0};
    uint64_t      seed = 3;
    if (tact_step_check(sim, 0)) {
        fail_msg("%s", tact_status_message());
    }
    step_lanes_create(sim, 0, WORLDS, &lanes);
    assert_true(lanes.step.model.traits.more_pairs > 0);
    for (int k = 0; k < WORLDS * model->nv; k++) {
        lanes.step.worlds.v[k] = speed * (steps_draw(&seed) - 0.5);
    }
    steps_walk(sim, &lanes, steps, 1e-8, &found);
    steps_expect(&found, wanted);
    step_lanes_destroy(&lanes);
    tact_sim_destroy(sim);
    tact_model_destroy(model);
}

static void test_cylinders_and_hulls_fall_on_a_plane(void **state)
{
    (void)state;
    walk("<mujoco><option timestep='0.004'/><asset><mesh name='foot' vertex='-0.1 -0.05 0 0.1 "
         "-0.05 0 0.1 0.05 0 -0.1 0.05 0 -0.08 -0.04 0.06 0.04 -0.04 0.06 0.04 0.04 0.06 -0.08 "
         "0.04 0.06'/></asset><worldbody><geom type='plane' size='5 5 1'/>"
         "<body pos='0 0 0.16' euler='80 10 0'><freejoint/><geom type='cylinder' size='0.06 0.1' "
         "margin='0.001' contype='2' conaffinity='1'/></body><body pos='1 0 0.08' euler='10 5 "
         "0'><freejoint/><geom type='mesh' "
         "mesh='foot' contype='4' conaffinity='1'/></body></worldbody></mujoco>",
         70, 2, (StepsWanted){0.05, 0.9, 1e-8});
}

static void test_capsules_walk_over_boxes(void **state)
{
    (void)state;
    walk("<mujoco><option timestep='0.004'/><worldbody><geom type='box' size='0.5 0.5 0.1' pos='0 "
         "0 -0.1'/><geom type='box' size='0.1 0.5 0.05' pos='0.2 0 0' euler='0 0 20'/>"
         "<body pos='0 0 0.12' euler='70 0 0'><freejoint/><geom type='capsule' size='0.04 0.1'/>"
         "<body pos='0 0 0.14'><joint name='j' axis='1 0 0' damping='0.01'/><geom type='capsule' "
         "size='0.03 "
         "0.08' pos='0.02 0 0.1'/></body></body></worldbody>"
         "<actuator><motor joint='j'/></actuator></mujoco>",
         70, 2, (StepsWanted){0.05, 0.9, 1e-8});
}

/// Cylinders that roll and meet with their rims.
static void test_cylinders_fall_on_each_other(void **state)
{
    (void)state;
    walk("<mujoco><option timestep='0.004'/><worldbody><geom type='box' size='1 1 0.1' pos='0 0 "
         "-0.1'/><body pos='0 0 0.09' euler='90 0 0'><freejoint/><geom type='cylinder' "
         "size='0.08 0.05'/></body><body pos='0.03 0.01 0.25' euler='60 0 20'><freejoint/><geom "
         "type='cylinder' size='0.03 "
         "0.07'/></body><body pos='0.02 0 0.4' euler='10 20 0'><freejoint/><geom type='ellipsoid' "
         "size='0.06 0.05 0.04'/></body></worldbody></mujoco>",
         75, 1, (StepsWanted){0.1, 0.8, 1e-8});
}

static void test_boxes_and_cylinders_on_a_height_field(void **state)
{
    (void)state;
    walk("<mujoco><option timestep='0.004'/><asset><hfield name='ground' nrow='6' ncol='7' "
         "size='0.6 0.5 0.08 0.05' elevation='0 1 3 2 1 0 2 1 2 2 4 3 1 1 0 3 3 3 1 0 2 2 1 4 4 2 "
         "1 1 3 0 2 2 2 0 1 1 1 2 0 1 3 2'/></asset><worldbody><geom type='hfield' "
         "hfield='ground'/><body pos='0 0 0.2' euler='10 20 0'><freejoint/><geom type='box' "
         "size='0.1 0.06 0.03'/></body><body pos='0.3 0.2 0.2' euler='70 0 20'><freejoint/><geom "
         "type='cylinder' size='0.04 0.08'/></body></worldbody></mujoco>",
         75, 1, (StepsWanted){0.1, 0.8, 1e-8});
}

static void test_boxes_fall_on_each_other(void **state)
{
    (void)state;
    walk("<mujoco><option timestep='0.004'/><worldbody><geom type='plane' size='5 5 1'/>"
         "<body pos='0 0 0.06'><freejoint/><geom type='box' size='0.1 0.1 0.05'/></body>"
         "<body pos='0.02 0.01 0.2' euler='0 0 20'><freejoint/><geom type='box' size='0.06 0.08 "
         "0.05'/></body></worldbody></mujoco>",
         60, 1, (StepsWanted){0.1, 0.8, 1e-8});
}

static void test_hulls_fall_on_each_other(void **state)
{
    (void)state;
    walk("<mujoco><option timestep='0.004'/><asset><mesh name='foot' vertex='-0.1 -0.05 0 0.1 "
         "-0.05 0 0.1 0.05 0 -0.1 0.05 0 -0.08 -0.04 0.06 0.04 -0.04 0.06 0.04 0.04 0.06 -0.08 "
         "0.04 0.06'/></asset><worldbody><geom type='box' size='1 1 0.1' pos='0 0 -0.1'/>"
         "<body pos='0 0 0.01'><freejoint/><geom type='mesh' mesh='foot'/></body>"
         "<body pos='0.02 0 0.1' euler='5 3 20'><freejoint/><geom type='mesh' mesh='foot'/></body>"
         "<body pos='0 0 0.25' euler='80 0 20'><freejoint/><geom type='capsule' size='0.03 0.06'/>"
         "</body></worldbody></mujoco>",
         75, 1, (StepsWanted){0.1, 0.8, 1e-8});
}

/// Feet and a leg on rough ground.
static void test_spheres_and_capsules_on_a_height_field(void **state)
{
    (void)state;
    walk("<mujoco><option timestep='0.004'/><asset><hfield name='ground' nrow='6' ncol='7' "
         "size='0.6 0.5 0.08 0.05' elevation='0 1 3 2 1 0 2 1 2 2 4 3 1 1 0 3 3 3 1 0 2 2 1 4 4 2 "
         "1 1 3 0 2 2 2 0 1 1 1 2 0 1 3 2'/></asset><worldbody><geom type='hfield' "
         "hfield='ground'/><body pos='0 0 0.2'><freejoint/><geom type='capsule' size='0.03 0.1' "
         "euler='0 90 0'/><geom type='sphere' size='0.03' pos='0.1 0.05 -0.05'/><geom "
         "type='sphere' size='0.03' pos='-0.1 0.05 -0.05'/><body pos='0 -0.05 0'><joint name='j' "
         "axis='0 1 0' damping='0.01'/><geom type='capsule' size='0.02 0.04' pos='0 0 "
         "-0.05'/></body></body></worldbody><actuator><motor joint='j'/></actuator></mujoco>",
         60, 1, (StepsWanted){0.1, 0.8, 1e-8});
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_points_are_those_of_the_processor),
        cmocka_unit_test(test_cylinders_and_hulls_fall_on_a_plane),
        cmocka_unit_test(test_capsules_walk_over_boxes),
        cmocka_unit_test(test_cylinders_fall_on_each_other),
        cmocka_unit_test(test_boxes_and_cylinders_on_a_height_field),
        cmocka_unit_test(test_boxes_fall_on_each_other),
        cmocka_unit_test(test_hulls_fall_on_each_other),
        cmocka_unit_test(test_spheres_and_capsules_on_a_height_field),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
