// Tests of what a builder refuses: a small model to add something wrong to, and the message.
#ifndef TESTS_MODEL_REFUSED_H
#define TESTS_MODEL_REFUSED_H

#include "model/made.h"

static const TactSource here = {"robot.xml", 12};

/// base (fixed), arm (hinge 'hip'), ball (free 'floats'), head (ball joint 'neck' on arm); a sphere
/// 'skin' on arm, a site 'tip', a tendon 'wire' over hip, a motor 'servo'.
static inline TactModelBuilder *start(void)
{
    TactModelBuilder *builder = made_builder();
    int               base = made_add_body(builder, "base", 0);
    int               arm = made_add_body(builder, "arm", base);
    int               ball = made_add_body(builder, "ball", 0);
    int               head = made_add_body(builder, "head", arm);
    made_add_joint(builder, "hip", arm, TACT_JOINT_HINGE);
    made_add_joint(builder, "floats", ball, TACT_JOINT_FREE);
    made_add_joint(builder, "neck", head, TACT_JOINT_BALL);
    made_add_sphere(builder, "skin", arm);
    made_add_sphere(builder, "coat", ball);
    TactSite site = tact_site_default();
    site.name = "tip";
    site.body = arm;
    assert_int_equal(tact_model_builder_add_site(builder, &site, nowhere, NULL), TACT_OK);
    TactTendon tendon = tact_tendon_default();
    tendon.name = "wire";
    tendon.count = 1;
    tendon.joints = (const int[]){0};
    tendon.coefficients = (const double[]){1};
    assert_int_equal(tact_model_builder_add_tendon(builder, &tendon, nowhere, NULL), TACT_OK);
    TactActuatorDesc motor = tact_actuator_default();
    motor.actuator.name = "servo";
    assert_int_equal(tact_model_builder_add_actuator(builder, &motor, nowhere, NULL), TACT_OK);
    return builder;
}

/// Compares status and message, and that the builder still works.
static inline void expect(TactModelBuilder *builder, TactStatus status, TactStatus expected,
                          const char *message)
{
    if (status != expected || strcmp(tact_status_message(), message) != 0) {
        fail_msg("%s: '%s' instead of %s: '%s'", tact_status_name(status), tact_status_message(),
                 tact_status_name(expected), message);
    }
    tact_model_destroy(made_compile(builder));
}

#endif
