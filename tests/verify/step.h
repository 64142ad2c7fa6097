// For tests of certificates: a model from MJCF text, and a step of it made by hand.
#ifndef TACT_TESTS_VERIFY_STEP_H
#define TACT_TESTS_VERIFY_STEP_H

// clang-format off
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>
// clang-format on
#include <tact/load.h>
#include <tact/verify.h>

enum { TACT_TEST_STEP_SIZE = 64, TACT_TEST_STEP_CONTACTS = 8 };

/// A step whose arrays are its own: the reference at rest, no force, no contact.
typedef struct TactTestStep {
    TactModel      *model;
    TactVerifier   *verifier;
    TactStep        step;
    double          q[TACT_TEST_STEP_SIZE], v[TACT_TEST_STEP_SIZE];
    double          q_after[TACT_TEST_STEP_SIZE], v_after[TACT_TEST_STEP_SIZE];
    double          products[TACT_TEST_STEP_SIZE];
    double          forces[TACT_TEST_STEP_SIZE], driving[TACT_TEST_STEP_SIZE];
    TactStepContact contacts[TACT_TEST_STEP_CONTACTS];
} TactTestStep;

/// Skips the test in a build without libxml2. t stays where it is until it is closed.
void tact_test_step_open(TactTestStep *t, const char *xml, double h);
void tact_test_step_close(TactTestStep *t);

/// q_after: the coordinates moved along v_after.
void tact_test_step_move(TactTestStep *t);
void tact_test_step_push(TactTestStep *t, const char *geom_a, const char *geom_b, TactVec3 point,
                         TactVec3 normal, TactVec3 force);

TactStepCertificate tact_test_step_judge(TactTestStep *t);
/// All laws are judged and hold.
void tact_test_step_holds(TactTestStep *t);
/// This law fails, by this check, and those of the others that are in the bit set (1 << law) hold.
void tact_test_step_fails(TactTestStep *t, TactStepLaw law, TactStepCheck check, unsigned others);

#endif
