// The measuring of `tact bench truth`: scenes are what they promise, and what is wrong with a state
// is seen.
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <tact/load.h>
#include <tact/sim.h>

#include "bench/truth/truth.h"

// ---------------------------------------------------------------------------------------------
// Scenes

static void expect_same_text(TactTruthScene scene)
{
    TactModel *model[2];
    char      *text[2];
    for (int k = 0; k < 2; k++) {
        assert_int_equal(tact_truth_make_scene(&scene, 1e-3, &text[k], &model[k]), TACT_OK);
    }
    assert_string_equal(text[0], text[1]);
    assert_true(model[0]->hash == model[1]->hash);
    for (int k = 0; k < 2; k++) {
        tact_model_destroy(model[k]);
        free(text[k]);
    }
}

static uint64_t hash_of(TactTruthScene scene)
{
    TactModel *model;
    char      *text;
    assert_int_equal(tact_truth_make_scene(&scene, 1e-3, &text, &model), TACT_OK);
    uint64_t hash = model->hash;
    tact_model_destroy(model);
    free(text);
    return hash;
}

static void a_scene_is_the_same_for_the_same_seed_and_index(void **state)
{
    (void)state;
    for (int f = 0; f < TACT_TRUTH_FAMILY_COUNT; f++) {
        TactTruthScene scene = {(TactTruthFamily)f, 1, 3};
        expect_same_text(scene);
        uint64_t hash = hash_of(scene);
        assert_true(hash != hash_of((TactTruthScene){scene.family, 1, 4}));
        assert_true(hash != hash_of((TactTruthScene){scene.family, 2, 3}));
    }
}

/// Smallest distance of two geoms that may touch, each pair asked for: no tree of bounds.
static double smallest_distance(const TactModel *model)
{
    TactSimConfig config = tact_sim_config_default(model);
    TactSim      *sim;
    double        least = HUGE_VAL;
    assert_int_equal(tact_sim_create(model, &config, &sim), TACT_OK);
    for (int a = 0; a < model->geom_count; a++) {
        for (int b = a + 1; b < model->geom_count; b++) {
            TactDistance found;
            if (tact_model_may_touch(model, a, b, NULL)) {
                assert_int_equal(tact_sim_compute_distance(sim, a, b, &found), TACT_OK);
                least = fmin(least, found.distance);
            }
        }
    }
    tact_sim_destroy(sim);
    return least;
}

static void nothing_overlaps_at_the_start(void **state)
{
    (void)state;
    static const int scenes[TACT_TRUTH_FAMILY_COUNT] = {60, 60, 3, 1};
    for (int f = 0; f < TACT_TRUTH_FAMILY_COUNT; f++) {
        for (int i = 0; i < scenes[f]; i++) {
            TactTruthScene scene = {(TactTruthFamily)f, 7, i};
            TactModel     *model;
            char          *text;
            assert_int_equal(tact_truth_make_scene(&scene, 1e-3, &text, &model), TACT_OK);
            assert_true(smallest_distance(model) >= 5e-4);
            tact_model_destroy(model);
            free(text);
        }
    }
}

static void drops_have_all_shapes_and_both_mechanisms(void **state)
{
    (void)state;
    int geoms[TACT_GEOM_TYPE_COUNT] = {0}, joints[4] = {0}, compounds = 0;
    for (int i = 0; i < 80; i++) {
        TactTruthScene scene = {TACT_TRUTH_DROP, 1, i};
        TactModel     *model;
        char          *text;
        assert_int_equal(tact_truth_make_scene(&scene, 1e-3, &text, &model), TACT_OK);
        for (int g = 0; g < model->geom_count; g++) {
            geoms[model->geoms[g].type]++;
        }
        for (int j = 0; j < model->joint_count; j++) {
            joints[model->joints[j].type]++;
        }
        for (int b = 1; b < model->body_count; b++) {
            compounds += model->bodies[b].geom_count == 2;
        }
        tact_model_destroy(model);
        free(text);
    }
    for (int t = TACT_GEOM_PLANE; t <= TACT_GEOM_CONVEX; t++) {
        assert_true(geoms[t] > 0);
    }
    assert_true(compounds > 0 && joints[TACT_JOINT_HINGE] > 0 && joints[TACT_JOINT_BALL] > 0);
}

// ---------------------------------------------------------------------------------------------
// Hand-made states

// A sphere of 2 kg, and a body whose centre of mass is 0.1 m off its origin.
static const char two_bodies[] =
    "<mujoco><worldbody><geom type=\"plane\" size=\"1 1 1\"/>"
    "<body pos=\"0 0 1\"><freejoint/><geom type=\"sphere\" size=\"0.05\" mass=\"2\"/></body>"
    "<body pos=\"1 0 1\"><freejoint/>"
    "<geom type=\"box\" size=\"0.05 0.04 0.03\" pos=\"0.1 0 0\" mass=\"3\"/></body>"
    "</worldbody><keyframe><key qvel=\"0 0 0 0 0 0 0 0 0 0 0 0\"/></keyframe></mujoco>";

typedef struct Bench {
    TactModel        *model;
    TactTruthMeasure *measure;
    TactTruthState    before, after;
} Bench;

static Bench make_bench(void)
{
    Bench               bench;
    TactModelLoadConfig config = tact_model_load_config_default();
    assert_int_equal(tact_model_load_memory("two.xml", two_bodies, strlen(two_bodies), &config,
                                            &bench.model, NULL),
                     TACT_OK);
    assert_int_equal(tact_truth_measure_create(bench.model, &bench.measure), TACT_OK);
    assert_int_equal(tact_truth_state_create(bench.model, &bench.before), TACT_OK);
    assert_int_equal(tact_truth_state_create(bench.model, &bench.after), TACT_OK);
    return bench;
}

static void destroy_bench(Bench *bench)
{
    tact_truth_state_destroy(&bench->before);
    tact_truth_state_destroy(&bench->after);
    tact_truth_measure_destroy(bench->measure);
    tact_model_destroy(bench->model);
}

/// Bodies at their reference, at these twists.
static void set_state(const Bench *bench, TactTruthState *state, TactTwist first, TactTwist second)
{
    state->coordinates = false;
    tact_model_compute_poses(bench->model, bench->model->q_reference, state->poses);
    state->twists[0] = (TactTwist){{0, 0, 0}, {0, 0, 0}};
    state->twists[1] = first;
    state->twists[2] = second;
}

static const TactTwist still = {{0, 0, 0}, {0, 0, 0}};

static void expect_departure(const Bench *bench, double h, double way, double turn)
{
    TactTruthDeparture found;
    assert_int_equal(tact_truth_departure(bench->measure, &bench->before, &bench->after, h, &found),
                     TACT_OK);
    assert_true(fabs(found.way - way) < 1e-14);
    assert_true(fabs(found.turn - turn) < 1e-9);
}

static void a_body_two_millimetres_off_its_velocity_is_seen(void **state)
{
    (void)state;
    Bench     bench = make_bench();
    TactTwist moving = {{1, 2, -3}, {0, 0, 0}};
    set_state(&bench, &bench.before, still, still);
    set_state(&bench, &bench.after, moving, still);
    bench.after.poses[1].position = (TactVec3){0.005, 0.01, 1 - 0.015};
    expect_departure(&bench, 0.005, 0, 0);
    bench.after.poses[1].position.z += 0.002;
    expect_departure(&bench, 0.005, 0.002, 0);
    destroy_bench(&bench);
}

static void a_body_that_hangs_is_seen_in_joint_coordinates_too(void **state)
{
    (void)state;
    Bench  bench = make_bench();
    double v[12] = {0, 0, -2};
    assert_int_equal(
        tact_truth_set_coordinates(bench.measure, bench.model->q_reference, v, &bench.before),
        TACT_OK);
    assert_int_equal(
        tact_truth_set_coordinates(bench.measure, bench.model->q_reference, v, &bench.after),
        TACT_OK);
    expect_departure(&bench, 0.001, 0.002, 0);
    destroy_bench(&bench);
}

static void centre_or_origin_may_go_straight(void **state)
{
    (void)state;
    Bench     bench = make_bench();
    TactTwist spins = {{0, 0, 0}, {0, 0, 10}};
    set_state(&bench, &bench.before, still, still);
    set_state(&bench, &bench.after, still, spins);
    // by 0.1 rad about its centre of mass, at (1.1, 0, 1)
    TactTransform *pose = &bench.after.poses[2];
    pose->rotation = tact_quat_exp((TactVec3){0, 0, 0.1});
    pose->position = (TactVec3){1.1 - 0.1 * cos(0.1), -0.1 * sin(0.1), 1};
    expect_departure(&bench, 0.01, 0, 0);
    // about its origin, whose velocity is 0 while the centre goes at 1 m/s
    pose->position = (TactVec3){1, 0, 1};
    bench.after.twists[2].linear = (TactVec3){-sin(0.1), cos(0.1), 0};
    expect_departure(&bench, 0.01, 0, 0);
    // neither
    pose->position.x += 0.002;
    TactTruthDeparture found;
    assert_int_equal(tact_truth_departure(bench.measure, &bench.before, &bench.after, 0.01, &found),
                     TACT_OK);
    assert_true(found.way > 1e-3);
    destroy_bench(&bench);
}

static void a_body_that_turns_other_than_it_spins_is_seen(void **state)
{
    (void)state;
    Bench     bench = make_bench();
    TactTwist spins = {{0, 0, 0}, {3, 0, 0}};
    set_state(&bench, &bench.before, still, still);
    set_state(&bench, &bench.after, spins, still);
    bench.after.poses[1].rotation = tact_quat_exp((TactVec3){0.03, 0, 0});
    expect_departure(&bench, 0.01, 0, 0);
    bench.after.poses[1].rotation = tact_quat_exp((TactVec3){0.05, 0, 0});
    expect_departure(&bench, 0.01, 0, 0.02);
    destroy_bench(&bench);
}

static double depth_of(const Bench *bench)
{
    double depth;
    assert_int_equal(tact_truth_depth(bench->measure, &bench->after, &depth), TACT_OK);
    return depth;
}

static void an_overlap_has_its_depth(void **state)
{
    (void)state;
    Bench bench = make_bench();
    set_state(&bench, &bench.after, still, still);
    assert_true(depth_of(&bench) <= 0);
    bench.after.poses[1].position.z = 0.05 - 0.001; // sphere in the floor
    assert_true(fabs(depth_of(&bench) - 0.001) < 1e-12);
    bench.after.poses[1].position = (TactVec3){1.1 + 0.05 + 0.05 - 0.003, 0, 1}; // in the box
    assert_true(fabs(depth_of(&bench) - 0.003) < 1e-9);
    destroy_bench(&bench);
}

static void energy_and_momentum_are_those_of_the_bodies(void **state)
{
    (void)state;
    Bench     bench = make_bench();
    TactTwist first = {{3, 0, 0}, {0, 0, 0}}, second = {{0, 1, 0}, {0, 0, 2}};
    set_state(&bench, &bench.after, first, second);
    TactTruthEnergy   energy = tact_truth_energy(bench.model, &bench.after);
    TactTruthMomentum sum = tact_truth_momentum(bench.model, &bench.after);
    double            Izz = 3 * (0.05 * 0.05 + 0.04 * 0.04) / 3;
    assert_true(fabs(energy.kinetic - (0.5 * 2 * 9 + 0.5 * 3 + 0.5 * Izz * 4)) < 1e-12);
    assert_true(fabs(energy.potential - 5 * 9.81) < 1e-12);
    assert_true(fabs(sum.linear.x - 6) < 1e-12 && fabs(sum.linear.y - 3) < 1e-12);
    // (0, 0, 1) x (6, 0, 0) + (1.1, 0, 1) x (0, 3, 0) + spin
    assert_true(fabs(sum.angular.x + 3) < 1e-12 && fabs(sum.angular.y - 6) < 1e-12);
    assert_true(fabs(sum.angular.z - (3.3 + 2 * Izz)) < 1e-12);
    assert_true(fabs(sum.linear_sum - 9) < 1e-12);
    destroy_bench(&bench);
}

static void free_flight_is_no_impact(void **state)
{
    (void)state;
    Bench     bench = make_bench();
    TactTwist start = {{1, 0, 0}, {0, 0, 5}}, falls = {{1, 0, -0.981}, {0, 0, 5}};
    TactTwist drops = {{0, 0, -0.981}, {0, 0, 0}};
    set_state(&bench, &bench.before, start, still);
    set_state(&bench, &bench.after, falls, drops);
    assert_true(tact_truth_disturbance(bench.model, &bench.before, &bench.after, 0.1) < 1e-12);
    bench.after.twists[1].linear.x = 0.9;
    double found = tact_truth_disturbance(bench.model, &bench.before, &bench.after, 0.1);
    assert_true(fabs(found - 0.1) < 1e-12);
    assert_true(tact_truth_speed(bench.model, &bench.after) == 5);
    destroy_bench(&bench);
}

// ---------------------------------------------------------------------------------------------
// Runs, by engines that lie

typedef struct Liar {
    const TactSimCase *scene;
    int                steps;
} Liar;

static void *create_liar(const TactSimCase *scene)
{
    Liar *liar = calloc(1, sizeof *liar);
    liar->scene = scene;
    return liar;
}

static bool step_liar(void *engine)
{
    return ++((Liar *)engine)->steps < 20;
}

/// Goes up 3 mm a step without a velocity; in the eighth step it is 1 mm in the floor.
static void read_liar(void *engine, TactTransform *poses, TactTwist *twists)
{
    const Liar      *liar = engine;
    const TactModel *model = liar->scene->model;
    memcpy(poses, liar->scene->poses, (size_t)model->body_count * sizeof *poses);
    memset(twists, 0, (size_t)model->body_count * sizeof *twists);
    poses[1].position.z += 0.003 * liar->steps;
    if (liar->steps == 8) {
        poses[1].position.z = 0.049;
    }
}

static void *create_none(const TactSimCase *scene)
{
    (void)scene;
    return NULL;
}

static void a_run_has_the_worst_of_its_steps(void **state)
{
    (void)state;
    Bench             bench = make_bench();
    const TactSimPeer peer = {.name = "liar",
                              .create = create_liar,
                              .destroy = free,
                              .step = step_liar,
                              .get_motion = read_liar};
    TactTruthTask     task = {
            .model = bench.model, .engine = &peer, .step = 0.01, .time = 0.1, .budget = 60};
    TactTruthRun run;
    assert_int_equal(tact_truth_run(&task, &run), TACT_OK);
    assert_int_equal(run.end, TACT_TRUTH_COMPLETE);
    assert_int_equal(run.steps, 10);
    assert_true(fabs(run.depth - 0.001) < 1e-12 && fabs(run.depth_time - 0.08) < 1e-12);
    // from 1.021 down to 0.049, and up again to 1.027
    assert_true(fabs(run.part_departure - 0.978) < 1e-12 && run.beyond == run.part_departure);
    assert_true(fabs(run.energy - 2 * 9.81 * 0.978 / (5 * 9.81)) < 1e-12);
    assert_true(run.rest == 0.01);
    task.time = 1; // gives up at 0.2 s
    assert_int_equal(tact_truth_run_apart(&task, &run), TACT_OK);
    assert_int_equal(run.end, TACT_TRUTH_GAVE_UP);
    destroy_bench(&bench);
}

static void scenes_that_cannot_be_run_stay_in_the_count(void **state)
{
    (void)state;
    static TactTruthBench sums;
    Bench                 bench = make_bench();
    const TactSimPeer     peer = {.name = "none", .create = create_none};
    TactTruthTask         task = {.model = bench.model, .engine = &peer, .step = 0.01, .time = 0.1};
    TactTruthRun          cannot, bad = {.end = TACT_TRUTH_COMPLETE, .depth = 2e-3, .energy = 1e-6};
    assert_int_equal(tact_truth_run(&task, &cannot), TACT_OK);
    assert_int_equal(cannot.end, TACT_TRUTH_CANNOT);
    sums = (TactTruthBench){.engines = 1, .steps = 1, .step = {0.01}, .scenes = 2};
    tact_truth_add_run(&sums, 0, 0, 0, &cannot, NULL);
    tact_truth_add_run(&sums, 0, 0, 1, &bad, NULL);
    const TactTruthCell *cell = &sums.cell[0][0];
    assert_int_equal(cell->scenes, 2);
    assert_int_equal(cell->ends[TACT_TRUTH_CANNOT], 1);
    assert_int_equal(cell->depth.scenes, 1);
    assert_int_equal(cell->depth.index, 1);
    assert_int_equal(cell->energy.scenes, 1);
    assert_int_equal(cell->much.scenes, 0);
    destroy_bench(&bench);
}

static void wanted_depths_follow_the_step(void **state)
{
    (void)state;
    assert_true(tact_truth_depth_bound(1e-3) == 1e-4 && tact_truth_depth_bound(2e-3) == 2e-4);
    assert_true(tact_truth_depth_bound(5e-3) == 5e-4 && tact_truth_depth_bound(1e-2) == 1e-3);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_scene_is_the_same_for_the_same_seed_and_index),
        cmocka_unit_test(nothing_overlaps_at_the_start),
        cmocka_unit_test(drops_have_all_shapes_and_both_mechanisms),
        cmocka_unit_test(a_body_two_millimetres_off_its_velocity_is_seen),
        cmocka_unit_test(a_body_that_hangs_is_seen_in_joint_coordinates_too),
        cmocka_unit_test(centre_or_origin_may_go_straight),
        cmocka_unit_test(a_body_that_turns_other_than_it_spins_is_seen),
        cmocka_unit_test(an_overlap_has_its_depth),
        cmocka_unit_test(energy_and_momentum_are_those_of_the_bodies),
        cmocka_unit_test(free_flight_is_no_impact),
        cmocka_unit_test(a_run_has_the_worst_of_its_steps),
        cmocka_unit_test(scenes_that_cannot_be_run_stay_in_the_count),
        cmocka_unit_test(wanted_depths_follow_the_step),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
