#include "sim/certify.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static bool is_on(void)
{
    const char *word = getenv("TACT_CERTIFY_STEPS");
    if (word) {
        return strcmp(word, "0") != 0;
    }
#ifdef TACT_TEST_DEBUG
    return TACT_TEST_CERTIFY_STEPS;
#else
    return false;
#endif
}

TactSimCertifier *tact_test_certify_start(TactSim *sim)
{
    TactSimCertifier *certifier = NULL;
    if (is_on()) {
        assert_int_equal(tact_sim_certifier_create(sim, NULL, &certifier), TACT_OK);
        tact_sim_set_observer(sim, tact_sim_certifier_observe, certifier);
    }
    return certifier;
}

void tact_test_certify_check(TactSimCertifier *certifier, const TactModel *model,
                             const TactSimReport *report)
{
    if (!certifier) {
        return;
    }
    TactSimStepCertificate step = tact_sim_certifier_take(certifier);
    if (report && report->unresolved > 0) {
        return; // it is told
    }
    for (int law = 0; law < TACT_STEP_LAW_COUNT && step.parts > 0; law++) {
        if (!step.certificate.laws[law].holds) {
            char text[512];
            fail_msg("step at %g s of %d parts, corrected by %.2g, is not certified: %s", step.time,
                     step.parts, step.correction,
                     tact_step_certificate_explain(model, &step.certificate, (TactStepLaw)law, text,
                                                   sizeof text));
        }
    }
}

void tact_test_certify_stop(TactSimCertifier **certifier, TactSim *sim)
{
    if (*certifier) {
        tact_sim_set_observer(sim, NULL, NULL);
        tact_sim_certifier_destroy(*certifier);
        *certifier = NULL;
    }
}
