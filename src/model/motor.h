// Where the activations of a motor stand, of those that it has; -1: it has it not.
#ifndef TACT_MODEL_MOTOR_H
#define TACT_MODEL_MOTOR_H

#include <tact/model.h>

typedef struct TactMotorSlots {
    int command;     // what the control has come to, where it may not change faster
    int integral;    // of the controller
    int temperature; // above that around
    int bristle;     // how far it is bent
    int current;
    int begun; // 1: there was a command
    int count;
} TactMotorSlots;

/// Is it a controller without electricity?
static inline bool tact_motor_is_controller(const TactMotor *motor)
{
    return motor->constant == 0 && motor->resistance == 0;
}

static inline TactMotorSlots tact_motor_slots(const TactMotor *motor)
{
    TactMotorSlots slots = {-1, -1, -1, -1, -1, -1, 0};
    if (motor->ahead) {
        slots.integral = motor->controller[1] > 0 ? slots.count++ : -1;
        slots.command = motor->controller[3] > 0 ? slots.count++ : -1;
        slots.begun = motor->controller[3] > 0 ? slots.count++ : -1;
        return slots;
    }
    slots.command = motor->controller[3] > 0 ? slots.count++ : -1;
    slots.integral = motor->controller[1] > 0 ? slots.count++ : -1;
    slots.temperature = motor->heat[0] > 0 ? slots.count++ : -1;
    slots.bristle = motor->bristle[0] > 0 ? slots.count++ : -1;
    slots.current = motor->time > 0 ? slots.count++ : -1;
    return slots;
}

#endif
