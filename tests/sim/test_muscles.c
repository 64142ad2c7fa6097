// A body of 700 muscles: 35 joints in seven chains, 20 muscles around each, their tendons through
// sites and around the joint's cylinder. What a step takes is told.
// clang-format off
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>
// clang-format on
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "sim/text_scene.h"

enum { CHAINS = 7, JOINTS = 5, AROUND = 20, MUSCLES = CHAINS * JOINTS * AROUND, ROOM = 1 << 20 };

typedef struct Text {
    char  *bytes;
    size_t used;
} Text;

__attribute__((format(printf, 2, 3))) static void add_text(Text *text, const char *format, ...)
{
    va_list values;
    va_start(values, format);
    int length = vsnprintf(text->bytes + text->used, ROOM - text->used, format, values);
    va_end(values);
    assert_true(length >= 0 && text->used + (size_t)length < ROOM);
    text->used += (size_t)length;
}

/// Half of the muscles of a joint on its upper side, half below, in pairs that mirror each other.
static double height(int m)
{
    return (m % 2 ? -1 : 1) * (0.03 + 0.001 * (m / 2));
}

static void add_chain(Text *text, int chain)
{
    add_text(text, "<body pos='0 %d 0'>", chain);
    for (int m = 0; m < AROUND; m++) {
        add_text(text, "<site name='u%d_0_%d' pos='-0.1 %g %g'/>", chain, m, 0.002 * (m / 2),
                 height(m));
    }
    for (int j = 0; j < JOINTS; j++) {
        add_text(
            text,
            "<geom name='w%d_%d' type='cylinder' size='0.02 0.05' euler='90 0 0' pos='%g 0 0'/>"
            "<body pos='%g 0 0'><joint name='j%d_%d' axis='0 1 0' range='-60 60' "
            "damping='0.05'/><geom type='capsule' size='0.01' fromto='0.03 0 0 0.2 0 0'/>",
            chain, j, j ? 0.25 : 0.0, j ? 0.25 : 0.0, chain, j);
        for (int m = 0; m < AROUND; m++) {
            add_text(text,
                     "<site name='l%d_%d_%d' pos='0.08 %g %g'/>"
                     "<site name='u%d_%d_%d' pos='0.16 %g %g'/>",
                     chain, j, m, 0.002 * (m / 2), height(m), chain, j + 1, m, 0.002 * (m / 2),
                     height(m));
        }
    }
    for (int j = 0; j < JOINTS + 1; j++) {
        add_text(text, "</body>");
    }
}

/// The scene without gravity, so that pairs of muscles balance.
static char *write_scene(void)
{
    Text text = {malloc(ROOM), 0};
    assert_non_null(text.bytes);
    add_text(&text, "<mujoco><option timestep='0.002' gravity='0 0 0'/><default><geom contype='0' "
                    "conaffinity='0'/></default><worldbody>");
    for (int c = 0; c < CHAINS; c++) {
        add_chain(&text, c);
    }
    add_text(&text, "</worldbody><tendon>");
    for (int i = 0; i < MUSCLES; i++) {
        int c = i / (JOINTS * AROUND), j = i / AROUND % JOINTS, m = i % AROUND;
        add_text(&text,
                 "<spatial name='t%d'><site site='u%d_%d_%d'/><geom geom='w%d_%d'/>"
                 "<site site='l%d_%d_%d'/></spatial>",
                 i, c, j, m, c, j, c, j, m);
    }
    add_text(&text, "</tendon><actuator>");
    for (int i = 0; i < MUSCLES; i++) {
        add_text(&text, "<muscle name='m%d' tendon='t%d' force='5' lengthrange='0.1 0.3'/>", i, i);
    }
    add_text(&text, "</actuator></mujoco>");
    return text.bytes;
}

static double seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static void seven_hundred_muscles_balance_and_pull(void **state)
{
    (void)state;
    char         *text = write_scene();
    TactTestScene scene = tact_test_scene(text);
    free(text);
    assert_int_equal(scene.model->actuator_count, 700);
    assert_int_equal(scene.model->act_count, 700);
    for (int i = 0; i < MUSCLES; i++) { // both sides of a joint alike
        scene.state->ctrl[i] = 0.1 + 0.02 * (i % AROUND / 2);
    }
    double before = seconds();
    tact_test_scene_step(&scene, 50);
    print_message("700 muscles, 35 joints: %.0f us of the processor a step\n",
                  (seconds() - before) / 50 * 1e6);
    for (int i = 0; i < scene.model->nq; i++) {
        assert_true(fabs(scene.state->q[i]) <= 1e-9);
    }
    assert_true(scene.state->act[0] > 0.05 && scene.state->act[AROUND - 1] > 0.2);
    for (int i = 0; i < MUSCLES; i += 2) { // the upper sides alone: joints bend up, about -y
        scene.state->ctrl[i] = 1;
        scene.state->ctrl[i + 1] = 0;
    }
    tact_test_scene_step(&scene, 50);
    for (int c = 0; c < CHAINS; c++) {
        assert_true(scene.state->q[c * JOINTS + JOINTS - 1] < -0.01);
        for (int j = 0; j < JOINTS; j++) { // chains are alike
            assert_true(fabs(scene.state->q[c * JOINTS + j] - scene.state->q[j]) <= 1e-12);
        }
    }
    tact_test_scene_close(&scene);
}

static double first_sensor(TactTestScene *scene)
{
    TactSimSensors sensors;
    assert_int_equal(tact_sim_compute_sensors(scene->sim, &sensors), TACT_OK);
    return sensors.values[0];
}

/// Force after a step of a muscle, by this tag, on the tendon "t" that a joint at its lower limit
/// can only shorten.
static double force_at_limit(const char *muscle)
{
    char text[2048];
    snprintf(text, sizeof text,
             "<mujoco><compiler autolimits='true'/><option gravity='0 0 0'/>"
             "<default><geom contype='0' conaffinity='0'/></default><worldbody>"
             "<site name='o' pos='-0.1 0.05 0'/>"
             "<body><joint axis='0 0 1' range='0 120'/><geom type='capsule' size='0.02' "
             "fromto='0 0 0 0.3 0 0'/><site name='i' pos='0.1 0.05 0'/></body></worldbody>"
             "<tendon><spatial name='t'><site site='o'/><site site='i'/></spatial></tendon>"
             "<actuator>%s</actuator><sensor><actuatorfrc actuator='m'/></sensor></mujoco>",
             muscle);
    TactTestScene scene = tact_test_scene(text);
    tact_test_scene_step(&scene, 1);
    double force = first_sensor(&scene);
    tact_test_scene_close(&scene);
    return force;
}

/// A muscle finds its range of lengths where its joint stands at a limit: from there it can go one
/// way only. 120 degrees between the sites' arms: from 0.2 m to what is left of it.
static void ranges_are_found_from_a_limit(void **state)
{
    (void)state;
    double left[2] = {-0.1, 0.05}, right[2] = {0.1, 0.05}, turn = 2 * 3.14159265358979323846 / 3;
    double end[2] = {cos(turn) * right[0] - sin(turn) * right[1],
                     sin(turn) * right[0] + cos(turn) * right[1]};
    char   given[256];
    snprintf(given, sizeof given,
             "<muscle name='m' tendon='t' force='10' lengthrange='%.17g 0.2'/>",
             hypot(end[0] - left[0], end[1] - left[1]));
    double wanted = force_at_limit(given), found;
    found = force_at_limit("<muscle name='m' tendon='t' force='10'/>");
    assert_true(wanted < -0.1); // stretched beyond the length at which it is at rest
    assert_true(fabs(found - wanted) <= 1e-6 * fabs(wanted));
}

/// What hangs free on a tendon with limits is pulled and pushed no further than these.
static void ranges_end_where_a_tendon_does(void **state)
{
    (void)state;
    static const char scene[] =
        "<mujoco><option gravity='0 0 0'/><worldbody><site name='o' pos='0 0 2'/>"
        "<body pos='0 0 1.02'><freejoint/><geom size='0.1'/><site name='i'/></body></worldbody>"
        "<tendon><spatial name='t' limited='true' range='0 1'><site site='o'/><site site='i'/>"
        "</spatial></tendon><actuator><muscle name='m' tendon='t' force='10' %s/></actuator>"
        "<sensor><actuatorfrc actuator='m'/></sensor></mujoco>";
    static const char *const ranges[] = {"", "lengthrange='0 1'"};
    double                   force[2];
    for (int k = 0; k < 2; k++) {
        char text[1024];
        snprintf(text, sizeof text, scene, ranges[k]);
        TactTestScene loaded = tact_test_scene(text);
        tact_test_scene_step(&loaded, 1);
        force[k] = first_sensor(&loaded);
        tact_test_scene_close(&loaded);
    }
    assert_true(force[1] < -0.01 && fabs(force[0] - force[1]) <= 1e-6 * fabs(force[1]));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(seven_hundred_muscles_balance_and_pull),
        cmocka_unit_test(ranges_are_found_from_a_limit),
        cmocka_unit_test(ranges_end_where_a_tendon_does),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
