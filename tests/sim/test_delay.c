// Controls with a delay: what arrives, step by step, against figures of MuJoCo 3.14 and by hand.
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <tact/tact.h>

enum { STEPS = 10 };

/// A mass of 1 kg on a slide, one motor, steps of 10 ms.
static TactModel *load(const char *words)
{
    char text[1000];
    snprintf(text, sizeof text,
             "<mujoco><option timestep='0.01' gravity='0 0 0'/><worldbody><body>"
             "<joint name='j' type='slide' axis='1 0 0'/><geom size='.1' mass='1'/></body>"
             "</worldbody><actuator><motor joint='j' %s/></actuator></mujoco>",
             words);
    TactModelLoadConfig config = tact_model_load_config_default();
    TactModel          *model = NULL;
    assert_int_equal(tact_model_load_memory("delay.xml", text, strlen(text), &config, &model, NULL),
                     TACT_OK);
    return model;
}

static TactSim *open(const TactModel *model)
{
    TactSimConfig config = tact_sim_config_default(model);
    TactSim      *sim = NULL;
    assert_int_equal(tact_sim_create(model, &config, &sim), TACT_OK);
    return sim;
}

/// The force of a step, from what it does to the velocity.
static double step(TactSim *sim, double ctrl)
{
    TactSimState *state = tact_sim_view_state(sim);
    double        before = state->v[0];
    state->ctrl[0] = ctrl;
    assert_int_equal(tact_sim_step(sim, NULL), TACT_OK);
    return (state->v[0] - before) / 0.01;
}

typedef struct Case {
    const char *words;
    double      force[STEPS]; // of controls 1, 4, 9, ...
} Case;

// As MuJoCo 3.14 has them.
static const Case cases[] = {
    {"delay='0.004' nsample='2'", {0, 1, 4, 9, 16, 25, 36, 49, 64, 81}},
    {"delay='0.01' nsample='1' interp='cubic'", {0, 1, 4, 9, 16, 25, 36, 49, 64, 81}},
    {"delay='0.014' nsample='3'", {0, 0, 1, 4, 9, 16, 25, 36, 49, 64}},
    {"delay='0.035' nsample='3'", {0, 0, 0, 1, 4, 9, 16, 25, 36, 49}},
    {"delay='0.014' nsample='3' interp='linear'",
     {0, 0.6, 2.8, 7, 13.2, 21.4, 31.6, 43.8, 58, 74.2}},
    {"delay='0.035' nsample='5' interp='linear'", {0, 0, 0, 0.5, 2.5, 6.5, 12.5, 20.5, 30.5, 42.5}},
    {"delay='0.014' nsample='3' interp='cubic'",
     {0, 0.696, 3.136, 7.624, 14.112, 22.6, 33.088, 45.576, 60.064, 76.552}},
    {"delay='0.035' nsample='5' interp='cubic'",
     {0, 0, -0.0625, 0.3125, 2.25, 6.25, 12.25, 20.25, 30.25, 42.25}},
    {"delay='0.035' nsample='4' interp='cubic'",
     {0, 0, -0.0625, 0.25, 2, 5.75, 11.5, 19.25, 29, 40.75}},
    {"delay='0.02' nsample='3' ctrlrange='0 10'", {0, 0, 1, 4, 9, 10, 10, 10, 10, 10}},
    {"nsample='3' interp='linear'", {1, 4, 9, 16, 25, 36, 49, 64, 81, 100}},
};

static void controls_arrive_when_those_of_mujoco_do(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        TactModel *model = load(cases[i].words);
        TactSim   *sim = open(model);
        for (int k = 0; k < STEPS; k++) {
            double force = step(sim, (k + 1) * (k + 1));
            if (fabs(force - cases[i].force[k]) > 1e-9 * (1 + fabs(force))) {
                fail_msg("%s: step %d: %.6f instead of %.6f", cases[i].words, k, force,
                         cases[i].force[k]);
            }
        }
        // From the start again: nothing is on its way.
        assert_int_equal(tact_sim_reset(sim, -1), TACT_OK);
        assert_true(fabs(step(sim, 1) - cases[i].force[0]) < 1e-9);
        tact_sim_destroy(sim);
        tact_model_destroy(model);
    }
}

/// A mass that stands still is not computed again, until what is on its way arrives.
static void what_is_on_its_way_moves_a_world_that_stands_still(void **state)
{
    (void)state;
    TactModel *model = load("delay='0.095' nsample='12'");
    TactSim   *sim = open(model);
    for (int k = 0; k < 20; k++) {
        assert_true(step(sim, 0) == 0);
    }
    for (int k = 0; k < 15; k++) {
        double force = step(sim, k == 0 ? 3 : 0);
        assert_true(fabs(force - (k == 10 ? 3 : 0)) < 1e-9);
    }
    tact_sim_destroy(sim);
    tact_model_destroy(model);
}

/// The same forces of two worlds from here on; they are destroyed.
static void go_on_alike(TactSim *sim, TactSim *other)
{
    for (int k = 0; k < 8; k++) {
        double force = step(sim, 1);
        assert_true(step(other, 1) == force);
    }
    tact_sim_destroy(sim);
    tact_sim_destroy(other);
}

static void a_snapshot_has_what_is_on_its_way(void **state)
{
    (void)state;
    TactModel *model = load("delay='0.035' nsample='6' interp='cubic'");
    TactSim   *sim = open(model), *other = open(model);
    for (int k = 0; k < 5; k++) {
        step(sim, k * k);
    }
    size_t size = tact_sim_snapshot_get_size(sim);
    void  *bytes = malloc(size);
    assert_non_null(bytes);
    assert_int_equal(tact_sim_snapshot_save(sim, bytes, size), TACT_OK);
    assert_int_equal(tact_sim_snapshot_restore(other, bytes, size), TACT_OK);
    free(bytes);
    go_on_alike(sim, other);
    tact_model_destroy(model);
}

/// At once and not when it arrives, and nothing of it is kept.
static void a_control_that_is_no_number_is_refused(void **state)
{
    (void)state;
    TactModel *model = load("delay='0.02' nsample='4'");
    TactSim   *sim = open(model), *other = open(model);
    for (int k = 0; k < 3; k++) {
        step(sim, k + 1);
        step(other, k + 1);
    }
    tact_sim_view_state(sim)->ctrl[0] = NAN;
    assert_int_equal(tact_sim_step(sim, NULL), TACT_BAD_INPUT);
    assert_non_null(strstr(tact_status_message(), "ctrl[0] is nan"));
    go_on_alike(sim, other);
    tact_model_destroy(model);
}

static void a_delay_without_samples_is_refused(void **state)
{
    (void)state;
    TactModelLoadConfig config = tact_model_load_config_default();
    TactModel          *model = NULL;
    static const char   text[] =
        "<mujoco><worldbody><body><joint name='j'/><geom size='.1'/></body></worldbody>"
        "<actuator><motor joint='j' delay='0.1'/></actuator></mujoco>";
    assert_int_equal(tact_model_load_memory("delay.xml", text, strlen(text), &config, &model, NULL),
                     TACT_BAD_INPUT);
    assert_non_null(strstr(tact_status_message(), "nsample"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(controls_arrive_when_those_of_mujoco_do),
        cmocka_unit_test(what_is_on_its_way_moves_a_world_that_stands_still),
        cmocka_unit_test(a_snapshot_has_what_is_on_its_way),
        cmocka_unit_test(a_control_that_is_no_number_is_refused),
        cmocka_unit_test(a_delay_without_samples_is_refused),
    };
    return cmocka_run_group_tests_name("sim/delay", tests, NULL, NULL);
}
