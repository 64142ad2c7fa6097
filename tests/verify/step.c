#include "verify/step.h"

#include <stdio.h>
#include <string.h>
#include <tact/dynamics.h>

void tact_test_step_open(TactTestStep *t, const char *xml, double h)
{
    TactModelLoadConfig load = tact_model_load_config_default();
    memset(t, 0, sizeof *t);
    TactStatus status =
        tact_model_load_memory("step.xml", xml, strlen(xml), &load, &t->model, NULL);
    if (status == TACT_UNSUPPORTED) {
        printf("skipped: %s\n", tact_status_message());
        skip();
    }
    if (status != TACT_OK) {
        fail_msg("%s", tact_status_message());
    }
    assert_true(t->model->nq <= TACT_TEST_STEP_SIZE);
    assert_int_equal(tact_verifier_create(t->model, NULL, &t->verifier), TACT_OK);
    memcpy(t->q, t->model->q_reference, (size_t)t->model->nq * sizeof(double));
    memcpy(t->q_after, t->q, sizeof t->q);
    t->step = (TactStep){.h = h,
                         .q = t->q,
                         .v = t->v,
                         .q_after = t->q_after,
                         .v_after = t->v_after,
                         .v_products = t->products,
                         .forces = t->forces,
                         .driving = t->driving,
                         .contacts = t->contacts,
                         .slop = 1e-5};
}

void tact_test_step_close(TactTestStep *t)
{
    tact_verifier_destroy(t->verifier);
    tact_model_destroy(t->model);
}

void tact_test_step_move(TactTestStep *t)
{
    tact_dynamics_integrate(t->model, t->q, t->v_after, t->step.h, t->q_after);
}

void tact_test_step_push(TactTestStep *t, const char *geom_a, const char *geom_b, TactVec3 point,
                         TactVec3 normal, TactVec3 force)
{
    assert_true(t->step.contact_count < TACT_TEST_STEP_CONTACTS);
    t->contacts[t->step.contact_count++] =
        (TactStepContact){.geom = {tact_model_find(t->model, TACT_OBJECT_GEOM, geom_a),
                                   tact_model_find(t->model, TACT_OBJECT_GEOM, geom_b)},
                          .point = point,
                          .normal = normal,
                          .force = force,
                          .mu = 0.5};
}

TactStepCertificate tact_test_step_judge(TactTestStep *t)
{
    TactStepCertificate certificate;
    if (tact_verifier_certify(t->verifier, &t->step, &certificate) != TACT_OK) {
        fail_msg("%s", tact_status_message());
    }
    return certificate;
}

static void law_holds(const TactTestStep *t, const TactStepCertificate *certificate, int law)
{
    char text[512];
    assert_true(certificate->laws[law].judged);
    if (!certificate->laws[law].holds) {
        fail_msg("%s", tact_step_certificate_explain(t->model, certificate, (TactStepLaw)law, text,
                                                     sizeof text));
    }
}

void tact_test_step_holds(TactTestStep *t)
{
    TactStepCertificate certificate = tact_test_step_judge(t);
    for (int law = 0; law < TACT_STEP_LAW_COUNT; law++) {
        law_holds(t, &certificate, law);
    }
    assert_true(certificate.certified);
}

void tact_test_step_fails(TactTestStep *t, TactStepLaw law, TactStepCheck check, unsigned others)
{
    TactStepCertificate    certificate = tact_test_step_judge(t);
    const TactStepFinding *found = &certificate.laws[law];
    assert_false(certificate.certified);
    assert_false(found->holds);
    assert_int_equal(found->check, check);
    assert_true(found->residual > found->bound);
    for (int other = 0; other < TACT_STEP_LAW_COUNT; other++) {
        if (others >> other & 1) {
            law_holds(t, &certificate, other);
        }
    }
}
