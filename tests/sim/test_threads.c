// Islands on threads: the same bits for every number of them.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>
#include <tact/load.h>
#include <tact/sim.h>

enum { STEPS = 150, TEXT = 1 << 15 };

/// Towers of cubes, tilted boxes that fall, and pendulums that hit the floor: some 50 bodies that
/// meet in islands of their own.
static void write_scene(char *text)
{
    char *at = text;
    at += sprintf(at, "<mujoco><option timestep='0.004'/><worldbody>"
                      "<geom type='plane' size='9 9 1' friction='0.5'/>");
    for (int i = 0; i < 12; i++) {
        at +=
            sprintf(at,
                    "<body pos='%g 0 0.05'><freejoint/><geom type='box' size='.05 .05 .05'/></body>"
                    "<body pos='%g 0.003 0.16'><freejoint/><geom type='box' size='.05 .05 "
                    ".05'/></body>"
                    "<body pos='%g 1 0.3' euler='%d 20 7'><freejoint/><geom type='box' size='.1 "
                    ".06 .04'/></body>"
                    "<body pos='%g 2 0.4'><joint type='hinge' axis='0 1 0' damping='0.01'/>"
                    "<geom type='capsule' fromto='0 0 0 .38 0 0' size='.03'/></body>",
                    i * 0.7, i * 0.7, i * 0.7, 11 * i, i * 0.7);
    }
    sprintf(at, "</worldbody></mujoco>");
}

static TactModel *make_model(void)
{
    static char         text[TEXT];
    TactModel          *model = NULL;
    TactModelLoadConfig load = tact_model_load_config_default();
    write_scene(text);
    TactStatus status =
        tact_model_load_memory("towers.xml", text, strlen(text), &load, &model, NULL);
    if (status == TACT_UNSUPPORTED) {
        printf("skipped: %s\n", tact_status_message());
        skip();
    }
    assert_int_equal(status, TACT_OK);
    return model;
}

static TactSim *start(const TactModel *model, int threads)
{
    TactSim      *sim = NULL;
    TactSimConfig config = tact_sim_config_default(model);
    config.threads = threads;
    assert_int_equal(tact_sim_create(model, &config, &sim), TACT_OK);
    return sim;
}

static void assert_same_report(const TactSimReport *a, const TactSimReport *b)
{
    assert_true(a->hash == b->hash);
    assert_int_equal(a->contacts, b->contacts);
    assert_int_equal(a->islands, b->islands);
    assert_int_equal(a->certified, b->certified);
    assert_int_equal(a->pivots, b->pivots);
    assert_true(a->error == b->error);
    assert_int_equal(a->rung_count, b->rung_count);
    for (int k = 0; k < a->rung_count; k++) {
        assert_string_equal(a->rungs[k].name, b->rungs[k].name);
        assert_int_equal(a->rungs[k].count, b->rungs[k].count);
    }
}

static void every_step_has_the_same_bits_on_1_2_and_4_threads(void **state)
{
    (void)state;
    static const int numbers[3] = {1, 2, 4};
    TactModel       *model = make_model();
    TactSim         *sims[3];
    int              most = 0;
    for (int k = 0; k < 3; k++) {
        sims[k] = start(model, numbers[k]);
    }
    for (int step = 0; step < STEPS; step++) {
        TactSimReport reports[3];
        for (int k = 0; k < 3; k++) {
            assert_int_equal(tact_sim_step(sims[k], &reports[k]), TACT_OK);
        }
        assert_same_report(&reports[0], &reports[1]);
        assert_same_report(&reports[0], &reports[2]);
        most = reports[0].islands > most ? reports[0].islands : most;
        int                   count[3];
        const TactSimContact *contacts[3];
        for (int k = 0; k < 3; k++) {
            contacts[k] = tact_sim_view_contacts(sims[k], &count[k]);
        }
        for (int k = 1; k < 3; k++) {
            assert_int_equal(count[k], count[0]);
            for (int c = 0; c < count[0]; c++) {
                assert_memory_equal(contacts[k][c].force, contacts[0][c].force,
                                    sizeof contacts[0][c].force);
            }
        }
    }
    printf("%d bodies, up to %d islands, %d steps\n", model->body_count - 1, most, STEPS);
    assert_true(most >= 12);
    for (int k = 0; k < 3; k++) {
        tact_sim_destroy(sims[k]);
    }
    tact_model_destroy(model);
}

static void a_number_of_threads_out_of_range_is_refused(void **state)
{
    (void)state;
    TactModel    *model = make_model();
    TactSim      *sim = NULL;
    TactSimConfig config = tact_sim_config_default(model);
    for (int k = 0; k < 2; k++) {
        config.threads = k ? 65 : 0;
        assert_int_equal(tact_sim_create(model, &config, &sim), TACT_BAD_ARGUMENT);
        assert_non_null(strstr(tact_status_message(), "threads"));
        assert_null(sim);
    }
    tact_model_destroy(model);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_step_has_the_same_bits_on_1_2_and_4_threads),
        cmocka_unit_test(a_number_of_threads_out_of_range_is_refused),
    };
    return cmocka_run_group_tests_name("sim/threads", tests, NULL, NULL);
}
