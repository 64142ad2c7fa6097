// A house of six cards.
#include <math.h>
#include <stdio.h>

#include "base/clones.h"
#include "sim/scene.h"

/// How far any card has moved, m or of its quaternion.
static double settle(TactModel *model, double time)
{
    double    moved = 0;
    TactScene scene = tact_scene_start(model, 0);
    tact_scene_run(&scene, time);
    for (int i = 0; i < model->nq; i++) {
        moved = fmax(moved, fabs(scene.state->q[i] - model->q_reference[i]));
    }
    assert_int_equal(scene.certified, scene.solves);
    tact_scene_close(&scene);
    return moved;
}

static double settle_with(double mu, double time)
{
    char friction[64];
    snprintf(friction, sizeof friction, "friction=\"%.17g\"", mu);
    return settle(tact_scene_model("cards.xml", (TactSceneEdit){"friction=\"0.5\"", friction}),
                  time);
}

static void a_house_of_six_cards_stands(void **state)
{
    (void)state;
#ifdef TACT_SANITIZED
    const double time = 1;
#else
    const double time = 10;
#endif
    double moved = settle(tact_scene_model("cards.xml", (TactSceneEdit){0}), time);
    printf("house of six cards, friction 0.5, %g s: moves %.1e m\n", time, moved);
    assert_true(moved < 1e-6);
}

/// A card of the tents, W heavy and at the angle a from upright, carries half of one: two lie on
/// four. Its top is pushed sideways by H, and about its foot H cos a = (W / 2 + W / 2) sin a. The
/// floor presses with 3/2 W: friction 2/3 tan a. It is 0.3 mm thick, which changes less than 1 %.
static void its_feet_need_two_thirds_of_the_tangent(void **state)
{
    (void)state;
    double mu = 2.0 / 3 * tan(20 * acos(-1.0) / 180);
    double above = settle_with(1.01 * mu, 0.2), below = settle_with(0.99 * mu, 0.2);
    printf("its feet need friction %.4f; in 0.2 s it moves %.1e m with 1.01 of that, %.1e m with "
           "0.99\n",
           mu, above, below);
    assert_true(above < 1e-6);
    assert_true(below > 1e-4);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_house_of_six_cards_stands),
        cmocka_unit_test(its_feet_need_two_thirds_of_the_tangent),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
