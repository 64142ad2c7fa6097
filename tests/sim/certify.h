// In debug builds of the tests, every step of every scene must be certified (verify.h).
#ifndef TACT_TESTS_SIM_CERTIFY_H
#define TACT_TESTS_SIM_CERTIFY_H

#include <tact/sim.h>

/// The switch. 0: off. The environment has the last word, in release builds too:
/// TACT_CERTIFY_STEPS=1 or 0.
enum { TACT_TEST_CERTIFY_STEPS = 1 };

/// Watches the simulation; NULL: this build does not check steps.
TactSimCertifier *tact_test_certify_start(TactSim *sim);

/// Fails the test if a step since the last call is not certified, and its report does not say that
/// it is unresolved. certifier NULL: nothing. report NULL: there is none.
void tact_test_certify_check(TactSimCertifier *certifier, const TactModel *model,
                             const TactSimReport *report);

/// Ends the watch, as for steps that are outside of the certificate: those that start with loops
/// torn apart, states that a test makes up, ... Sets the pointer to NULL.
void tact_test_certify_stop(TactSimCertifier **certifier, TactSim *sim);

#endif
