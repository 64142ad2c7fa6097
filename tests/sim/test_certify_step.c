// Certificates of the steps of a simulation: watching changes nothing, needs no heap once it has
// grown, and steps that are slow enough are certified.
#include <stdio.h>

#include "base/clones.h"
#include "sim/scene.h"

#ifndef TACT_SANITIZED
#include "heap_count.h"
#endif

static TactSimCertifier *watch(TactScene *scene)
{
    TactSimCertifier *certifier = NULL;
    assert_int_equal(tact_sim_certifier_create(scene->sim, NULL, &certifier), TACT_OK);
    tact_sim_set_observer(scene->sim, tact_sim_certifier_observe, certifier);
    return certifier;
}

static void watching_changes_no_bit(void **state)
{
    (void)state;
    static const char *const names[] = {"fifty.xml", "chain.xml", "grasp.xml", "jack.xml",
                                        "ring.xml",  "ball.xml",  "hoist.xml"};
    for (size_t k = 0; k < sizeof names / sizeof names[0]; k++) {
        TactScene         plain = tact_scene_open(names[k], 0), seen = tact_scene_open(names[k], 0);
        TactSimCertifier *certifier = watch(&seen);
        for (int i = 0; i < 100; i++) {
            TactSimReport a, b;
            assert_int_equal(tact_sim_step(plain.sim, &a), TACT_OK);
            assert_int_equal(tact_sim_step(seen.sim, &b), TACT_OK);
            if (a.hash != b.hash) {
                fail_msg("%s: step %d", names[k], i);
            }
            assert_true(tact_sim_certifier_take(certifier).parts >= 1);
        }
        tact_sim_set_observer(seen.sim, NULL, NULL);
        tact_sim_certifier_destroy(certifier);
        tact_scene_close(&plain);
        tact_scene_close(&seen);
    }
}

static void scenes_are_certified_step_by_step(void **state)
{
    (void)state;
    static const char *const names[] = {"arch.xml",  "cards.xml", "hand.xml",  "lloyd-stacks.xml",
                                        "peg.xml",   "pinch.xml", "ratio.xml", "slide.xml",
                                        "slope.xml", "stack.xml", "squat.xml", "tap-dance.xml"};
    for (size_t k = 0; k < sizeof names / sizeof names[0]; k++) {
        TactScene         scene = tact_scene_open(names[k], 0);
        TactSimCertifier *certifier = watch(&scene);
        for (int i = 0; i < 60; i++) {
            char text[512];
            assert_int_equal(tact_sim_step(scene.sim, NULL), TACT_OK);
            TactSimStepCertificate step = tact_sim_certifier_take(certifier);
            for (int law = 0; law < TACT_STEP_LAW_COUNT; law++) {
                if (!step.certificate.laws[law].holds) {
                    fail_msg("%s: at %g s: %s", names[k], step.time,
                             tact_step_certificate_explain(scene.model, &step.certificate,
                                                           (TactStepLaw)law, text, sizeof text));
                }
            }
            assert_true(step.certificate.certified);
            assert_true(step.h > 0);
            assert_memory_equal(step.q_after, scene.state->q,
                                (size_t)scene.model->nq * sizeof(double));
        }
        tact_sim_set_observer(scene.sim, NULL, NULL);
        tact_sim_certifier_destroy(certifier);
        tact_scene_close(&scene);
    }
}

static void nothing_is_certified_before_a_step(void **state)
{
    (void)state;
    TactScene              scene = tact_scene_open("slope.xml", 0);
    TactSimCertifier      *certifier = watch(&scene);
    TactSimStepCertificate step = tact_sim_certifier_take(certifier);
    assert_int_equal(step.parts, 0);
    assert_false(step.certificate.certified);
    tact_sim_set_observer(scene.sim, NULL, NULL);
    tact_sim_certifier_destroy(certifier);
    tact_scene_close(&scene);
}

#ifndef TACT_SANITIZED
static void certificates_need_no_heap_once_they_have_grown(void **state)
{
    (void)state;
    TactScene         scene = tact_scene_open("stack.xml", 0);
    TactSimCertifier *certifier = watch(&scene);
    for (int i = 0; i < 20; i++) {
        assert_int_equal(tact_sim_step(scene.sim, NULL), TACT_OK);
    }
    long before = heap_calls;
    bool stepped = true;
    heap_counting = true;
    for (int i = 0; i < 20; i++) {
        stepped = stepped && tact_sim_step(scene.sim, NULL) == TACT_OK;
        tact_sim_certifier_take(certifier);
    }
    heap_counting = false;
    assert_true(stepped);
    assert_int_equal(heap_calls - before, 0);
    tact_sim_set_observer(scene.sim, NULL, NULL);
    tact_sim_certifier_destroy(certifier);
    tact_scene_close(&scene);
}
#endif

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(watching_changes_no_bit),
        cmocka_unit_test(scenes_are_certified_step_by_step),
        cmocka_unit_test(nothing_is_certified_before_a_step),
#ifndef TACT_SANITIZED
        cmocka_unit_test(certificates_need_no_heap_once_they_have_grown),
#endif
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
