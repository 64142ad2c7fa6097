// A body without forces keeps what it has.
#include <math.h>
#include <stdio.h>

#include "sim/scene.h"

/// The intermediate axis: it tumbles over several times. Euler's equations keep the energy, and the
/// length of the angular momentum, which stands still in space.
static void a_spinning_asymmetric_box_keeps_its_energy(void **state)
{
    (void)state;
    const TactVec3 origin = {0, 0, 0};
    TactScene      scene = tact_scene_open("spin.xml", 1e-3);
    double         start = tact_scene_kinetic(&scene), farthest = 0, lowest = 0;
    TactVec3       L = tact_dynamics_compute_momentum(scene.dynamics, origin).torque;
    double         length = tact_vec3_norm(L), stretch = 0, turn = 0;
    while (scene.state->time < 10 - 1e-9) {
        tact_scene_step(&scene);
        farthest = fmax(farthest, fabs(tact_scene_kinetic(&scene) / start - 1));
        TactVec3 now = tact_dynamics_compute_momentum(scene.dynamics, origin).torque;
        stretch = fmax(stretch, fabs(tact_vec3_norm(now) / length - 1));
        turn = fmax(turn, tact_vec3_norm(tact_vec3_subtract(now, L)) / length);
        lowest = fmin(lowest, scene.state->v[4]);
    }
    printf(
        "spinning box, 10 s at 1 ms: energy off by %.1e, length of the angular momentum by %.1e, "
        "its direction by %.1e\n",
        farthest, stretch, turn);
    assert_true(lowest < -9); // it has tumbled
    // flight keeps all of them to rounding
    assert_true(farthest < 1e-11);
    assert_true(stretch < 1e-11);
    assert_true(turn < 1e-11);
    tact_scene_close(&scene);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_spinning_asymmetric_box_keeps_its_energy),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
