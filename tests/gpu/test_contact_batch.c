// Batches through the public calls, on the processor; and what is said where there is no GPU.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "bench/gpu/bodies.h"

// After the standard headers
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

enum { COUNT = 600 };

static void test_the_processor_certifies_all(void **state)
{
    TactBenchBodies        bodies;
    TactContactBatchReport report;
    TactBenchCheck         check;
    (void)state;
    assert_int_equal(
        tact_bench_bodies_create(TACT_DEVICE_CPU, TACT_CONE_PYRAMID, COUNT, 8, 8, &bodies),
        TACT_OK);
    tact_mix_draw(TACT_MIX_ALL, 1, 0, &bodies.drawn);
    assert_int_equal(tact_contact_batch_send(bodies.batch, &bodies.problems), TACT_OK);
    assert_int_equal(tact_contact_batch_solve(bodies.batch, false, &report), TACT_OK);
    assert_int_equal(report.count, COUNT);
    assert_int_equal(report.first + report.retried + report.handed_over, COUNT);
    assert_int_equal(report.unsolved, 0);
    assert_int_equal(tact_contact_batch_fetch(bodies.batch, COUNT, &bodies.answers), TACT_OK);
    assert_int_equal(tact_bench_bodies_check(&bodies, NULL, COUNT, &check), TACT_OK);
    assert_int_equal(check.refused, 0);
    assert_int_equal(check.same, COUNT);
    tact_bench_bodies_destroy(&bodies);
}

/// A mass of -1: that problem has no answer, the others have theirs.
static void test_a_problem_that_is_none_is_unsolved(void **state)
{
    TactBenchBodies        bodies;
    TactContactBatchReport report;
    (void)state;
    assert_int_equal(
        tact_bench_bodies_create(TACT_DEVICE_CPU, TACT_CONE_PYRAMID, COUNT, 4, 8, &bodies),
        TACT_OK);
    tact_mix_draw(TACT_MIX_BLOCK, 1, 0, &bodies.drawn);
    bodies.drawn.mass[17] = -1;
    bodies.drawn.mu[18] = NAN;
    assert_int_equal(tact_contact_batch_send(bodies.batch, &bodies.problems), TACT_OK);
    assert_int_equal(tact_contact_batch_solve(bodies.batch, false, &report), TACT_OK);
    assert_int_equal(report.unsolved, 2);
    assert_int_equal(tact_contact_batch_fetch(bodies.batch, COUNT, &bodies.answers), TACT_OK);
    assert_true(isinf(bodies.answers.error[17]));
    assert_true(isinf(bodies.answers.error[18]));
    assert_true(bodies.answers.error[19] <= 1e-8);
    tact_bench_bodies_destroy(&bodies);
}

static void refuse(void (*spoil)(TactContactBatchConfig *config), const char *words)
{
    TactContactBatchConfig config = tact_contact_batch_config_default(TACT_DEVICE_CPU);
    TactContactBatch      *batch = NULL;
    spoil(&config);
    assert_int_equal(tact_contact_batch_create(&config, &batch), TACT_BAD_ARGUMENT);
    assert_null(batch);
    assert_non_null(strstr(tact_status_message(), words));
}

static void no_problems(TactContactBatchConfig *config)
{
    config->problems = 0;
}
static void many_contacts(TactContactBatchConfig *config)
{
    config->contacts = 33;
}
static void many_dofs(TactContactBatchConfig *config)
{
    config->dof = 65;
}
static void crowded_mechanism(TactContactBatchConfig *config)
{
    config->dof = 30;
    config->contacts = 17;
}
static void odd_directions(TactContactBatchConfig *config)
{
    config->directions = 7;
}
static void loose(TactContactBatchConfig *config)
{
    config->tol = 1;
}
static void no_device(TactContactBatchConfig *config)
{
    config->device = (TactDevice)7;
}

static void made_by_hand(TactContactBatchConfig *config)
{
    *config = (TactContactBatchConfig){.problems = 1, .contacts = 4, .directions = 8, .tol = 1e-8};
}
static void box(TactContactBatchConfig *config)
{
    config->cone = TACT_CONE_BOX;
}

static void test_bad_configs_are_refused(void **state)
{
    (void)state;
    refuse(no_problems, "0 problems");
    refuse(many_contacts, "33 contacts");
    refuse(many_dofs, "65 degrees of freedom");
    refuse(crowded_mechanism, "17 contacts");
    refuse(odd_directions, "7 directions");
    refuse(loose, "tolerance of 1");
    refuse(no_device, "no device 7");
    refuse(made_by_hand, "config_default()");
    refuse(box, "neither the pyramid nor the circle");
}

static void test_misuse_is_told(void **state)
{
    TactBenchBodies        bodies;
    TactContactBatchReport report;
    (void)state;
    assert_int_equal(
        tact_bench_bodies_create(TACT_DEVICE_CPU, TACT_CONE_PYRAMID, COUNT, 4, 8, &bodies),
        TACT_OK);
    assert_int_equal(tact_contact_batch_solve(bodies.batch, false, &report), TACT_BAD_ARGUMENT);
    TactBodyProblems wrong = bodies.problems;
    wrong.contacts = 5;
    assert_int_equal(tact_contact_batch_send(bodies.batch, &wrong), TACT_BAD_ARGUMENT);
    wrong = bodies.problems;
    wrong.mass = NULL;
    assert_int_equal(tact_contact_batch_send(bodies.batch, &wrong), TACT_BAD_ARGUMENT);
    assert_int_equal(tact_contact_batch_create(NULL, NULL), TACT_BAD_ARGUMENT);
    assert_int_equal(tact_contact_batch_send(NULL, NULL), TACT_BAD_ARGUMENT);
    assert_int_equal(tact_contact_batch_solve(NULL, false, NULL), TACT_BAD_ARGUMENT);
    assert_int_equal(tact_contact_batch_fetch(NULL, 0, NULL), TACT_BAD_ARGUMENT);
    tact_contact_batch_view(NULL, NULL, NULL);
    tact_contact_batch_view_mechanisms(NULL, NULL, NULL);
    TactMechanismProblems none = {.count = 1, .dof = 6, .contacts = 4, .step = 0.01};
    assert_int_equal(tact_contact_batch_send_mechanisms(bodies.batch, &none), TACT_BAD_ARGUMENT);
    assert_int_equal(tact_contact_batch_send_mechanisms(NULL, NULL), TACT_BAD_ARGUMENT);
    tact_contact_batch_destroy(NULL);
    tact_bench_bodies_destroy(&bodies);
}

/// Where there is no GPU, or no module for it, words say so.
static void test_a_missing_gpu_is_told(void **state)
{
    TactContactBatchConfig config = tact_contact_batch_config_default(TACT_DEVICE_CUDA);
    TactContactBatch      *batch = NULL;
    (void)state;
    if (tact_device_count(TACT_DEVICE_CUDA) > 0) {
        skip();
    }
    assert_int_equal(tact_contact_batch_create(&config, &batch), TACT_UNSUPPORTED);
    assert_non_null(strstr(tact_status_message(), "no GPU"));
    assert_int_equal(tact_device_count(TACT_DEVICE_CPU), 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_the_processor_certifies_all),
        cmocka_unit_test(test_a_problem_that_is_none_is_unsolved),
        cmocka_unit_test(test_bad_configs_are_refused),
        cmocka_unit_test(test_misuse_is_told),
        cmocka_unit_test(test_a_missing_gpu_is_told),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
