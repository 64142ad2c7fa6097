// Forces of actuators and springs, a step at a time, in closed form.
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "sim/text_scene.h"

static const double H = 0.01, MASS = 2;

/// A cart of 2 kg on a slide, with attributes of its joint, and actuators.
static TactTestScene cart(const char *joint, const char *actuators)
{
    char text[2048];
    snprintf(text, sizeof text,
             "<mujoco><option gravity='0 0 0' timestep='0.01'/><worldbody><body>"
             "<joint name='way' type='slide' axis='1 0 0' %s/><geom size='.1' mass='2'/></body>"
             "</worldbody><actuator>%s</actuator></mujoco>",
             joint, actuators);
    return tact_test_scene(text);
}

static void near_to(double x, double expected)
{
    if (!(fabs(x - expected) <= 1e-12 * (1 + fabs(expected)))) {
        print_error("%.17g is not %.17g\n", x, expected);
        fail();
    }
}

/// Backward Euler of m dv/dt = g (kp (ctrl - g q) - kv g v), whatever the step:
///     (m + h g^2 kv + h^2 g^2 kp) v+ = m v + h g kp (ctrl - g q)
static void a_servo_is_that_of_backward_euler(void **state)
{
    (void)state;
    static const double cases[][3] = {{3, 0, 1}, {50, 2, 1}, {50, 2, -3}, {1e6, 1e3, 0.5}};
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        double kp = cases[k][0], kv = cases[k][1], g = cases[k][2], q = 0.3, v = -0.7, ctrl = 0.2;
        char   text[256];
        snprintf(text, sizeof text, "<position joint='way' kp='%.17g' kv='%.17g' gear='%.17g'/>",
                 kp, kv, g);
        TactTestScene scene = cart("", text);
        scene.state->q[0] = q;
        scene.state->v[0] = v;
        scene.state->ctrl[0] = ctrl;
        for (int step = 0; step < 5; step++) {
            v = (MASS * v + H * g * kp * (ctrl - g * q)) /
                (MASS + H * g * g * kv + H * H * g * g * kp);
            q += H * v;
            tact_test_scene_step(&scene, 1);
            near_to(scene.state->v[0], v);
            near_to(scene.state->q[0], q);
        }
        tact_test_scene_close(&scene);
    }
}

/// The same of a spring and a damper: (m + h c + h^2 k) v+ = m v - h k (q - rest)
static void a_spring_is_that_of_backward_euler(void **state)
{
    (void)state;
    TactTestScene scene = cart("stiffness='400' damping='3' springref='0.1'", "");
    double        q = 0.3, v = -0.7, k = 400, c = 3;
    scene.state->q[0] = q;
    scene.state->v[0] = v;
    for (int step = 0; step < 5; step++) {
        v = (MASS * v - H * k * (q - 0.1)) / (MASS + H * c + H * H * k);
        q += H * v;
        tact_test_scene_step(&scene, 1);
        near_to(scene.state->v[0], v);
        near_to(scene.state->q[0], q);
    }
    tact_test_scene_close(&scene);
}

/// Speed after one step from rest.
static double push(const char *joint, const char *actuators, double ctrl)
{
    TactTestScene scene = cart(joint, actuators);
    for (int i = 0; i < scene.model->actuator_count; i++) {
        scene.state->ctrl[i] = ctrl;
    }
    tact_test_scene_step(&scene, 1);
    double v = scene.state->v[0];
    tact_test_scene_close(&scene);
    return v;
}

static void controls_and_forces_stay_within_their_ranges(void **state)
{
    (void)state;
    static const double ctrl[] = {-9, -1.5, -0.5, 0, 1, 3, 9};
    for (size_t k = 0; k < sizeof ctrl / sizeof *ctrl; k++) {
        double asked = fmin(fmax(ctrl[k], -1), 2);
        near_to(push("", "<motor joint='way' ctrlrange='-1 2' gear='4'/>", ctrl[k]),
                H * 4 * asked / MASS);
        near_to(push("", "<motor joint='way' forcerange='-1 2' gear='4'/>", ctrl[k]),
                H * 4 * asked / MASS);
        // two motors, whose sum the joint limits
        near_to(push("actuatorfrcrange='-1 2'", "<motor joint='way'/><motor joint='way'/>",
                     0.5 * ctrl[k]),
                H * asked / MASS);
    }
    // A servo at the limit of its joint pushes with that, and has no inertia of its own.
    near_to(push("actuatorfrcrange='-1 2'", "<position joint='way' kp='1e4' kv='100'/>", 5),
            H * 2 / MASS);
    near_to(push("", "<position joint='way' kp='1e4' kv='100' forcerange='-1 2'/>", -5),
            H * -1 / MASS);
}

/// A tendon of length 2 q_0 - 3 q_1: f = kp (ctrl - g l) - kv g dl/dt on g times its coefficients.
static void an_actuator_of_a_tendon_acts_by_its_coefficients(void **state)
{
    (void)state;
    TactTestScene scene = tact_test_scene(
        "<mujoco><option gravity='0 0 0' timestep='0.01'/><worldbody>"
        "<body><joint name='a' type='slide' axis='1 0 0'/><geom size='.1' mass='2'/></body>"
        "<body pos='0 9 0'><joint name='b' type='slide' axis='1 0 0'/>"
        "<geom size='.1' mass='5'/></body></worldbody>"
        "<tendon><fixed name='t'><joint joint='a' coef='2'/><joint joint='b' coef='-3'/></fixed>"
        "</tendon><actuator><position tendon='t' kp='10' kv='4' gear='1.5'/></actuator></mujoco>");
    double q[2] = {0.2, -0.1}, v[2] = {0.5, 0.25};
    memcpy(scene.state->q, q, sizeof q);
    memcpy(scene.state->v, v, sizeof v);
    scene.state->ctrl[0] = 0.3;
    double length = 1.5 * (2 * q[0] - 3 * q[1]), rate = 1.5 * (2 * v[0] - 3 * v[1]);
    double force = 10 * (0.3 - length) - 4 * rate;
    tact_test_scene_step(&scene, 1);
    near_to(scene.state->v[0], v[0] + H * 1.5 * 2 * force / 2);
    near_to(scene.state->v[1], v[1] + H * 1.5 * -3 * force / 5);
    tact_test_scene_close(&scene);
}

/// Two motors of gears 2 and 1 on a tendon 2 q, whose sum without gears is limited: each gives the
/// same share of its force. A servo beside them is constant there.
static void a_tendon_limits_the_sum_of_its_actuators(void **state)
{
    (void)state;
    static const char text[] =
        "<mujoco><option gravity='0 0 0' timestep='0.01'/><worldbody>"
        "<body><joint name='a' type='slide' axis='1 0 0'/><geom size='.1' mass='2'/></body>"
        "</worldbody><tendon><fixed name='t' actuatorfrcrange='-1 2'><joint joint='a' coef='2'/>"
        "</fixed></tendon><actuator><motor tendon='t' gear='2'/><motor tendon='t'/>"
        "<position tendon='t' kp='1' kv='0.5'/></actuator></mujoco>";
    static const double ctrl[][2] = {{0.3, 0.4}, {3, 1}, {-3, 1}, {2, -1}};
    for (size_t k = 0; k < sizeof ctrl / sizeof *ctrl; k++) {
        TactTestScene scene = tact_test_scene(text);
        double        sum = ctrl[k][0] + ctrl[k][1];
        double        share = sum == 0 ? 1 : fmin(fmax(sum, -1), 2) / sum;
        memcpy(scene.state->ctrl, ctrl[k], sizeof ctrl[k]);
        tact_test_scene_step(&scene, 1);
        near_to(scene.state->v[0], H * 2 * share * (2 * ctrl[k][0] + ctrl[k][1]) / MASS);
        tact_test_scene_close(&scene);
    }
}

/// Springs and dampers of negative numbers push at the beginning of the step: what is taken at its
/// end would be on the diagonal of the mass, and here more than there is.
static void what_gives_energy_pushes_at_the_beginning(void **state)
{
    (void)state;
    TactTestScene scene = cart("stiffness='-300' damping='-500'", "");
    scene.state->q[0] = 0.1;
    scene.state->v[0] = 0.2;
    tact_test_scene_step(&scene, 1);
    near_to(scene.state->v[0], 0.2 + H * (300 * 0.1 + 500 * 0.2) / MASS);
    tact_test_scene_close(&scene);
}

/// A ball on a plane with margins of together -0.01 m lies that deep in it, and a box on it too.
static void margins_below_the_surface_let_geoms_sink_in(void **state)
{
    (void)state;
    TactTestScene scene = tact_test_scene(
        "<mujoco><worldbody><geom type='plane' size='1 1 1' margin='-0.02'/>"
        "<body pos='0 0 0.1'><freejoint/><geom size='0.1' margin='0.01'/></body>"
        "<body pos='1 0 0.1'><freejoint/><geom type='box' size='0.1 0.1 0.1'/></body>"
        "<body pos='1 0 0.3'><freejoint/><geom type='box' size='0.1 0.1 0.1' margin='-0.005'/>"
        "</body></worldbody></mujoco>");
    tact_test_scene_step(&scene, 500);
    assert_true(fabs(scene.state->q[2] - 0.09) < 1e-4);
    assert_true(fabs(scene.state->q[7 + 2] - 0.08) < 1e-4);
    assert_true(fabs(scene.state->q[14 + 2] - 0.275) < 2e-4);
    tact_test_scene_close(&scene);
}

/// A ball of 2 kg, I = 2/5 m r^2 = 0.008, with a site that is turned by 90 degrees about z and
/// stands 0.1 m out along x: its x axis is y of the body. The body is turned by 90 degrees about x:
/// its y is z of the world.
static void a_site_pushes_along_its_own_axes_and_at_its_own_place(void **state)
{
    (void)state;
    for (int k = 0; k < 6; k++) {
        char text[1024];
        snprintf(text, sizeof text,
                 "<mujoco><option gravity='0 0 0' timestep='0.01'/><worldbody>"
                 "<body euler='90 0 0'><freejoint/><geom size='.1' mass='2'/>"
                 "<site name='s' pos='.1 0 0' euler='0 0 90'/></body></worldbody>"
                 "<actuator><motor site='s' gear='%d %d %d %d %d %d'/></actuator></mujoco>",
                 k == 0, k == 1, k == 2, k == 3, k == 4, k == 5);
        // Axes of the site: x is z of the world, y is -x, z is -y. Axes of the body: x, z, -y.
        static const double axis[3][3] = {{0, 0, 1}, {-1, 0, 0}, {0, -1, 0}};
        const double       *a = axis[k % 3];
        const double        arm[3] = {0.1, 0, 0}, I = 0.008;
        double        torque[3] = {arm[1] * a[2] - arm[2] * a[1], arm[2] * a[0] - arm[0] * a[2],
                                   arm[0] * a[1] - arm[1] * a[0]};
        TactTestScene scene = tact_test_scene(text);
        scene.state->ctrl[0] = 0.7;
        tact_test_scene_step(&scene, 1);
        for (int i = 0; i < 3; i++) {
            torque[i] = k < 3 ? torque[i] : a[i];
            near_to(scene.state->v[i], k < 3 ? H * 0.7 * a[i] / MASS : 0);
        }
        const double local[3] = {torque[0], torque[2], -torque[1]};
        for (int i = 0; i < 3; i++) { // angular velocities are those in the axes of the body
            near_to(scene.state->v[3 + i], H * 0.7 * local[i] / I);
        }
        tact_test_scene_close(&scene);
    }
}

/// A ball joint that is turned by 90 degrees about x: y of the parent is -z of the child.
static void a_ball_is_turned_about_axes_of_the_child_or_of_the_parent(void **state)
{
    (void)state;
    static const double child[3][3] = {{1, 0, 0}, {0, 0, -1}, {0, 1, 0}};
    for (int k = 0; k < 6; k++) {
        int  axis = k % 3;
        char text[1024];
        snprintf(text, sizeof text,
                 "<mujoco><option gravity='0 0 0' timestep='0.01'/><worldbody>"
                 "<body><joint name='b' type='ball'/><geom size='.1' mass='2'/></body></worldbody>"
                 "<actuator><motor %s='b' gear='%d %d %d'/></actuator></mujoco>",
                 k < 3 ? "joint" : "jointinparent", axis == 0, axis == 1, axis == 2);
        TactTestScene scene = tact_test_scene(text);
        scene.state->q[0] = scene.state->q[1] = sqrt(0.5);
        scene.state->ctrl[0] = 0.7;
        tact_test_scene_step(&scene, 1);
        for (int i = 0; i < 3; i++) { // velocities of a ball are those in the axes of the child
            near_to(scene.state->v[i], H * 0.7 / 0.008 * (k < 3 ? i == axis : child[axis][i]));
        }
        tact_test_scene_close(&scene);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_servo_is_that_of_backward_euler),
        cmocka_unit_test(a_spring_is_that_of_backward_euler),
        cmocka_unit_test(controls_and_forces_stay_within_their_ranges),
        cmocka_unit_test(an_actuator_of_a_tendon_acts_by_its_coefficients),
        cmocka_unit_test(a_tendon_limits_the_sum_of_its_actuators),
        cmocka_unit_test(what_gives_energy_pushes_at_the_beginning),
        cmocka_unit_test(margins_below_the_surface_let_geoms_sink_in),
        cmocka_unit_test(a_site_pushes_along_its_own_axes_and_at_its_own_place),
        cmocka_unit_test(a_ball_is_turned_about_axes_of_the_child_or_of_the_parent),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
