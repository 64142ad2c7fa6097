// For tests of the simulator: scenes at random.
#ifndef TACT_TESTS_SIM_RANDOM_SCENE_H
#define TACT_TESTS_SIM_RANDOM_SCENE_H

#include <tact/model.h>

typedef struct TactRandomScene {
    TactModel *model;
    double     timestep; // 0.1 .. 20 ms
    bool       driven;   // it has motors or servos, which may add energy
} TactRandomScene;

/// Bodies of all shapes, masses over 6 decades, on joints of all kinds, with limits, springs,
/// damping, dry friction, armature, loops, couplings, motors and servos; a floor or none. The same
/// scene for the same seed.
TactRandomScene tact_random_scene(uint64_t seed);

#endif
