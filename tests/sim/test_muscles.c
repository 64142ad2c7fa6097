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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(seven_hundred_muscles_balance_and_pull),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
