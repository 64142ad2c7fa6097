// Parameters that are set in a simulation: the steps are those of a model written so.
#include <math.h>
#include <string.h>

#include "sim/scene.h"

enum { STEPS = 200 };

typedef struct Case {
    const char   *scene;
    TactSceneEdit edit; // of the file
    const char   *path; // the same by a parameter
    double        values[3];
    int           count;
} Case;

static void run(TactSim *sim, uint64_t *hashes)
{
    for (int i = 0; i < STEPS; i++) {
        TactSimReport report;
        assert_int_equal(tact_sim_step(sim, &report), TACT_OK);
        hashes[i] = report.hash;
    }
}

/// A model written so, and one set so, before the first step and after a past: the same bits.
static void check(const Case *c)
{
    uint64_t      wanted[STEPS], got[STEPS];
    TactModel    *written = tact_scene_model(c->scene, c->edit);
    TactModel    *plain = tact_scene_model(c->scene, (TactSceneEdit){0});
    TactSimConfig config = tact_sim_config_default(written);
    TactSim      *a = NULL, *b = NULL;
    assert_int_equal(tact_sim_create(written, &config, &a), TACT_OK);
    run(a, wanted);
    assert_int_equal(tact_sim_create(plain, &config, &b), TACT_OK);
    run(b, got);
    assert_memory_not_equal(got, wanted, sizeof got); // the parameter does something
    assert_int_equal(tact_sim_set(b, c->path, c->values, c->count), TACT_OK);
    double back[3];
    assert_int_equal(tact_sim_get(b, c->path, back, c->count), TACT_OK);
    assert_memory_equal(back, c->values, (size_t)c->count * sizeof *back);
    assert_int_equal(tact_sim_reset(b, -1), TACT_OK);
    run(b, got);
    assert_memory_equal(got, wanted, sizeof got);
    tact_sim_destroy(a);
    tact_sim_destroy(b);
    tact_model_destroy(written);
    tact_model_destroy(plain);
}

static void what_is_set_does_what_is_written(void **state)
{
    (void)state;
    const Case cases[] = {
        {"slide.xml",
         {"<option timestep=\"0.001\"/>", "<option timestep=\"0.001\" gravity=\"0 3 -5\"/>"},
         "gravity",
         {0, 3, -5},
         3},
        {"hand.xml",
         {"kp=\"2\" name=\"base0\"", "kp=\"1.5\" name=\"base0\""},
         "actuator/base0/kp",
         {1.5},
         1},
        {"hand.xml",
         {"joint name=\"tip1\"", "joint damping=\"0.02\" name=\"tip1\""},
         "joint/tip1/damping",
         {0.02},
         1},
        {"hand.xml",
         {"joint name=\"tip1\"", "joint armature=\"0.02\" name=\"tip1\""},
         "joint/tip1/armature",
         {0.02},
         1},
        {"hand.xml",
         {"joint name=\"tip1\"", "joint stiffness=\"0.5\" name=\"tip1\""},
         "joint/tip1/stiffness",
         {0.5},
         1},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        check(&cases[i]);
    }
}

static const char falling[] = "<mujoco><worldbody><geom name='floor' type='plane' size='1 1 1'/>"
                              "<body name='cube' pos='0 0 .1'><freejoint/>"
                              "<geom name='side' type='box' size='.1 .1 .1' mass='1'/></body>"
                              "</worldbody></mujoco>";

static const char paired[] = "<mujoco><worldbody><geom name='floor' type='plane' size='1 1 1'/>"
                             "<body name='cube' pos='0 0 .1'><freejoint/>"
                             "<geom name='side' type='box' size='.1 .1 .1' mass='1'/></body>"
                             "</worldbody><contact><pair name='both' geom1='floor' geom2='side'/>"
                             "</contact></mujoco>";

static TactSim *start_text(const char *text, TactModel **model)
{
    TactModelLoadConfig load = tact_model_load_config_default();
    TactStatus status = tact_model_load_memory("falling", text, strlen(text), &load, model, NULL);
    if (status == TACT_UNSUPPORTED) {
        skip();
    }
    assert_int_equal(status, TACT_OK);
    TactSimConfig config = tact_sim_config_default(*model);
    TactSim      *sim = NULL;
    assert_int_equal(tact_sim_create(*model, &config, &sim), TACT_OK);
    return sim;
}

static TactSim *start(TactModel **model)
{
    return start_text(falling, model);
}

/// In free space: v = h F / m, w = h (r x F) / I with I = m a^2 / 6 of a cube of side a = 0.2.
static void a_force_at_a_point_turns_a_body_by_its_moment_and_inertia(void **state)
{
    (void)state;
    for (double mass = 1; mass < 10; mass *= 2.5) {
        TactModel    *model = NULL;
        TactSim      *sim = start(&model);
        TactSimReport report;
        const double  nothing[3] = {0};
        assert_int_equal(tact_sim_set(sim, "gravity", nothing, 3), TACT_OK);
        assert_int_equal(tact_sim_set(sim, "body/cube/mass", &mass, 1), TACT_OK);
        tact_sim_view_state(sim)->q[2] = 5;
        assert_int_equal(tact_sim_apply_force(sim, 1, (TactVec3){0, 3, 0}, (TactVec3){.1, 0, 4.8}),
                         TACT_OK);
        assert_int_equal(tact_sim_step(sim, &report), TACT_OK);
        // r = (0.1, 0, -0.2): r x F = (0.6, 0, 0.3)
        const double  h = tact_sim_view_config(sim)->timestep, I = mass * 0.04 / 6;
        const double  wanted[6] = {0, h * 3 / mass, 0, h * 0.6 / I, 0, h * 0.3 / I};
        const double *v = tact_sim_view_state(sim)->v;
        for (int i = 0; i < 6; i++) {
            assert_true(fabs(v[i] - wanted[i]) < 1e-6 * h * 0.6 / I); // it has turned by 1e-4 rad
        }
        tact_sim_destroy(sim);
        tact_model_destroy(model);
    }
}

/// A cube that slides: its speed falls by mu g t, whichever way it goes.
static void the_friction_of_a_pair_is_the_same_in_all_directions(void **state)
{
    (void)state;
    for (int k = 0; k < 4; k++) {
        TactModel    *model = NULL;
        TactSim      *sim = start_text(paired, &model);
        TactSimReport report;
        double        mu = 0.2, speed = 2, time = 0.25, sign = k < 2 ? 1 : -1;
        assert_int_equal(tact_sim_set(sim, "pair/both/friction", &mu, 1), TACT_OK);
        tact_sim_view_state(sim)->v[k % 2] = sign * speed;
        int steps = (int)lround(time / tact_sim_view_config(sim)->timestep);
        for (int i = 0; i < steps; i++) {
            assert_int_equal(tact_sim_step(sim, &report), TACT_OK);
            assert_int_equal(report.certified, report.islands);
        }
        const double *v = tact_sim_view_state(sim)->v;
        assert_true(fabs(sign * v[k % 2] - (speed - mu * 9.81 * time)) < 1e-9);
        assert_true(fabs(v[1 - k % 2]) < 1e-9);
        tact_sim_destroy(sim);
        tact_model_destroy(model);
    }
}

/// Coulomb's law and Newton's, for a cube of mass m on a floor that is pushed along x.
static void mass_friction_and_force_obey_newton_and_coulomb(void **state)
{
    (void)state;
    TactModel    *model = NULL;
    TactSim      *sim = start(&model);
    TactSimReport report;
    double        mass = 2.5, mu = 0.25, g = 9.81, push = 10, time = 0.5;
    assert_int_equal(tact_sim_set(sim, "body/cube/mass", &mass, 1), TACT_OK);
    assert_int_equal(tact_sim_set(sim, "geom/side/friction", &mu, 1), TACT_OK);
    assert_int_equal(tact_sim_set(sim, "geom/floor/friction", &mu, 1), TACT_OK);
    assert_int_equal(tact_sim_apply_force(sim, 1, (TactVec3){push, 0, 0}, (TactVec3){0, 0, .1}),
                     TACT_OK);
    int steps = (int)lround(time / tact_sim_view_config(sim)->timestep);
    for (int i = 0; i < steps; i++) {
        assert_int_equal(tact_sim_step(sim, &report), TACT_OK);
        assert_int_equal(report.certified, report.islands);
    }
    double wanted = (push / mass - mu * g) * time;
    assert_true(fabs(tact_sim_view_state(sim)->v[0] - wanted) < 1e-9 * wanted);
    int                   count = 0;
    double                weight = 0;
    const TactSimContact *contacts = tact_sim_view_contacts(sim, &count);
    for (int i = 0; i < count; i++) {
        weight += contacts[i].force[0];
    }
    assert_true(fabs(weight - mass * g) < 1e-9 * mass * g);
    tact_sim_destroy(sim);
    tact_model_destroy(model);
}

static void set_back_is_as_if_nothing_had_been_set(void **state)
{
    (void)state;
    TactModel *model = NULL;
    TactSim   *sim = start(&model);
    double     mass = 7.3, before = 0, mu = 0.123, mu_before = 0;
    assert_int_equal(tact_sim_get(sim, "body/cube/mass", &before, 1), TACT_OK);
    assert_int_equal(tact_sim_get(sim, "geom/1/friction", &mu_before, 1), TACT_OK);
    assert_int_equal(tact_sim_set(sim, "body/cube/mass", &mass, 1), TACT_OK);
    assert_int_equal(tact_sim_set(sim, "geom/1/friction", &mu, 1), TACT_OK);
    assert_true(tact_sim_view_model(sim)->hash != model->hash);
    assert_true(tact_sim_view_model(sim)->mass == 7.3);
    assert_true(tact_sim_view_model(sim)->bodies[0].subtree_mass == 7.3);
    assert_int_equal(tact_sim_set(sim, "geom/1/friction", &mu_before, 1), TACT_OK);
    assert_int_equal(tact_sim_set(sim, "body/cube/mass", &before, 1), TACT_OK);
    const TactModel *copy = tact_sim_view_model(sim);
    assert_true(copy->hash == model->hash);
    assert_memory_equal(copy->bodies, model->bodies,
                        (size_t)model->body_count * sizeof *model->bodies);
    tact_sim_destroy(sim);
    tact_model_destroy(model);
}

static void refused(TactSim *sim, const char *path, double value, int count, TactStatus status,
                    const char *words)
{
    double values[TACT_PARAMETER_MOST] = {value, value, value};
    assert_int_equal(tact_sim_set(sim, path, values, count), status);
    assert_non_null(strstr(tact_status_message(), words));
}

static void what_cannot_be_is_refused_and_named(void **state)
{
    (void)state;
    TactModel *model = NULL;
    TactSim   *sim = start(&model);
    refused(sim, "body/cube/mass", -1, 1, TACT_BAD_INPUT, "> 0");
    refused(sim, "body/world/mass", 1, 1, TACT_BAD_INPUT, "no mass");
    refused(sim, "geom/side/friction", NAN, 1, TACT_BAD_INPUT, "nan");
    refused(sim, "geom/side/friction", -.5, 1, TACT_BAD_INPUT, ">= 0");
    refused(sim, "geom/nobody/friction", 1, 1, TACT_BAD_ARGUMENT, "no geom 'nobody'");
    refused(sim, "geom/99/friction", 1, 1, TACT_BAD_ARGUMENT, "no geom '99'");
    refused(sim, "geom/side/colour", 1, 1, TACT_BAD_ARGUMENT, "there are: friction");
    refused(sim, "gravity", 1, 1, TACT_BAD_ARGUMENT, "3 numbers");
    refused(sim, "planet/x/y", 1, 1, TACT_BAD_ARGUMENT, "form");
    refused(sim, "joint/0/friction", 1, 1, TACT_UNSUPPORTED, "dry friction");
    double one = 1;
    assert_int_equal(tact_model_set(model, "geom/side/friction", &one, 1), TACT_BAD_ARGUMENT);
    TactSimReport report;
    assert_int_equal(tact_sim_step(sim, &report), TACT_OK);
    tact_sim_destroy(sim);
    tact_model_destroy(model);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_set_does_what_is_written),
        cmocka_unit_test(mass_friction_and_force_obey_newton_and_coulomb),
        cmocka_unit_test(a_force_at_a_point_turns_a_body_by_its_moment_and_inertia),
        cmocka_unit_test(the_friction_of_a_pair_is_the_same_in_all_directions),
        cmocka_unit_test(set_back_is_as_if_nothing_had_been_set),
        cmocka_unit_test(what_cannot_be_is_refused_and_named),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
