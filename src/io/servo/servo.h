// Room "servo": actuators whose law is more than gain and bias, read from their elements: motors
// with brushes, controllers (pid, mujoco.pid) and servos for a whole turn.
#ifndef TACT_IO_SERVO_SERVO_H
#define TACT_IO_SERVO_SERVO_H

#include "io/mjcf/mjcf.h"

/// Three numbers, and zeros.
void tact_servo_set_three(double parameters[TACT_MJCF_PARAMETERS], double a, double b, double c);
/// The words of input="...", bits of TactMjcfInput, in their order; inputs stays as it is without
/// any.
TactStatus tact_servo_read_inputs(const TactXmlNode *node, unsigned allowed, unsigned *inputs);
/// The role of the first control.
TactMotorInput tact_servo_first_role(unsigned inputs);
/// A gain that must not be negative; count says whether it is given.
TactStatus tact_servo_read_gain(const TactMjcf *mjcf, const TactXmlNode *node, const char *name,
                                double *value, int *count);

/// Elements of a kind, over what the class says.
TactStatus tact_servo_read_dcmotor(const TactMjcf *mjcf, const TactXmlNode *node,
                                   TactMjcfActuator *actuator);
TactStatus tact_servo_read_pid(const TactMjcf *mjcf, const TactXmlNode *node,
                               TactMjcfActuator *actuator);
TactStatus tact_servo_read_plugin(const TactMjcf *mjcf, const TactXmlNode *node,
                                  TactMjcfActuator *actuator);
TactStatus tact_servo_read_orientation(const TactMjcf *mjcf, const TactXmlNode *node,
                                       TactMjcfActuator *actuator);

#endif
