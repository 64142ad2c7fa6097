// A mechanism that is struck: velocity products are those of the motion that the blow leaves.
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>

#include <cmocka.h>

#include "sim/text_scene.h"

/// Two links on a hinge that float and turn, and a ball on its way to the second. No weight.
static const char links[] =
    "<mujoco><option timestep='0.005' gravity='0 0 0'/><worldbody>"
    "<body name='first'><freejoint/><geom type='box' size='.2 .02 .02' mass='1'/>"
    "<body name='second' pos='.2 0 0'><joint type='hinge' axis='0 0 1'/>"
    "<geom type='box' pos='.2 0 0' size='.2 .02 .02' mass='.5'/></body></body>"
    "<body name='ball' pos='.55 .3 0'><freejoint/><geom size='.05' mass='2'/></body>"
    "</worldbody></mujoco>";

enum { LINK_DOFS = 7 };

typedef struct Parts {
    int    seen;   // parts of steps
    int    struck; // of them with a change of more than 0.03 m or rad in the part
    double off;    // largest |v_products - (v + v_after) / 2| of the links in those, of the speed
    double least;  // what the mean of the motion without the blow would be off in them, at least
} Parts;

/// docs/theory/time-stepping.md: an island that contacts change by more than that is solved again
/// with the products of the mean of v and v+.
static TactStatus watch(void *context, TactSim *sim, const TactSimPart *part)
{
    Parts        *parts = context;
    double        change = 0, speed = 0, off = 0;
    const double *after = part->v_after, *v = part->v;
    (void)sim;
    parts->seen++;
    for (int i = 0; i < LINK_DOFS; i++) {
        change = fmax(change, fabs(after[i] - v[i]));
        speed = fmax(speed, fabs(after[i]));
        off = fmax(off, fabs(part->v_products[i] - 0.5 * (v[i] + after[i])));
    }
    if (part->h * change > 0.03) { // the blow, and the fast turning that it leaves
        parts->struck++;
        parts->off = fmax(parts->off, off / speed);
        parts->least = fmin(parts->least, 0.5 * change / speed);
    }
    return TACT_OK;
}

static void products_of_a_struck_mechanism_are_those_of_its_mean_velocity(void **state)
{
    (void)state;
    Parts         parts = {.least = INFINITY};
    TactTestScene scene = tact_test_scene(links);
    scene.state->v[5] = 1;                      // the first link turns,
    scene.state->v[6] = 1;                      // the second with it,
    scene.state->v[8] = -20;                    // and the ball comes
    tact_test_scene_leave_certificates(&scene); // there is one observer
    tact_sim_set_observer(scene.sim, watch, &parts);
    for (int i = 0; i < 20; i++) {
        TactSimReport report;
        assert_int_equal(tact_sim_step(scene.sim, &report), TACT_OK);
    }
    print_message("%d parts, %d struck: products off by %.1e of the speed, by %.1e without\n",
                  parts.seen, parts.struck, parts.off, parts.least);
    assert_true(parts.struck > 0 && parts.least > 0.05);
    assert_true(parts.off < 1e-4);
    tact_test_scene_close(&scene);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(products_of_a_struck_mechanism_are_those_of_its_mean_velocity),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
