// Pictures: what must be where.
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <tact/load.h>

#include <cmocka.h>

#include "bench/picture/picture.h"

enum { WIDTH = 120, HEIGHT = 80 };

static TactModel *load(const char *text)
{
    TactModel          *model = NULL;
    TactModelLoadConfig config = tact_model_load_config_default();
    assert_int_equal(tact_model_load_memory("test", text, strlen(text), &config, &model, NULL),
                     TACT_OK);
    return model;
}

static TactPicture look_at(const TactModel *model, double azimuth)
{
    return (TactPicture){.model = model,
                         .q = model->q_reference,
                         .azimuth = azimuth,
                         .distance = 1,
                         .width = WIDTH,
                         .height = HEIGHT};
}

static bool is_red(const unsigned char *rgb, int x, int y)
{
    const unsigned char *p = rgb + 3 * (y * WIDTH + x);
    return p[0] > 2 * p[1] && p[0] > 2 * p[2];
}

static void a_ball_covers_the_disc_that_perspective_gives_it(void **state)
{
    (void)state;
    const double  radius = 0.1, focus = 1.6 * HEIGHT;
    TactModel    *model = load("<mujoco><worldbody><geom type='sphere' size='0.1' rgba='1 0 0 1'/>"
                                  "</worldbody></mujoco>");
    TactPicture   picture = look_at(model, 30);
    unsigned char rgb[3 * WIDTH * HEIGHT];
    assert_int_equal(tact_picture_draw(&picture, rgb), TACT_OK);
    int red = 0;
    for (int i = 0; i < WIDTH * HEIGHT; i++) {
        red += is_red(rgb, i % WIDTH, i / WIDTH);
    }
    // Seen under asin(radius / distance).
    double seen = focus * tan(asin(radius)), pi = 3.14159265358979323846;
    assert_in_range(red, (uintmax_t)(0.95 * pi * seen * seen),
                    (uintmax_t)(1.05 * pi * seen * seen));
    tact_model_destroy(model);
}

static void what_is_nearer_hides_what_is_behind(void **state)
{
    (void)state;
    TactModel *model = load(
        "<mujoco><worldbody><geom type='box' size='.05 .05 .05' rgba='1 0 0 1'/>"
        "<geom type='box' size='.01 .2 .2' pos='-.3 0 0' rgba='0 0 1 1'/></worldbody></mujoco>");
    unsigned char rgb[3 * WIDTH * HEIGHT];
    TactPicture   along = look_at(model, 0), against = look_at(model, 180);
    assert_int_equal(tact_picture_draw(&along, rgb), TACT_OK);
    assert_false(is_red(rgb, WIDTH / 2, HEIGHT / 2));
    assert_int_equal(tact_picture_draw(&against, rgb), TACT_OK);
    assert_true(is_red(rgb, WIDTH / 2, HEIGHT / 2));
    tact_model_destroy(model);
}

static void right_is_right_and_up_is_up(void **state)
{
    (void)state;
    // Looking along +x, +y is on the left.
    TactModel *model =
        load("<mujoco><worldbody><geom type='ellipsoid' size='.05 .05 .05' pos='0 .15 .1' "
             "rgba='1 0 0 1'/></worldbody></mujoco>");
    unsigned char rgb[3 * WIDTH * HEIGHT];
    TactPicture   picture = look_at(model, 0);
    assert_int_equal(tact_picture_draw(&picture, rgb), TACT_OK);
    int left = 0, top = 0, red = 0;
    for (int i = 0; i < WIDTH * HEIGHT; i++) {
        if (is_red(rgb, i % WIDTH, i / WIDTH)) {
            red++;
            left += i % WIDTH < WIDTH / 2;
            top += i / WIDTH < HEIGHT / 2;
        }
    }
    assert_true(red > 50);
    assert_int_equal(left, red);
    assert_int_equal(top, red);
    tact_model_destroy(model);
}

static void a_png_has_its_signature_and_size(void **state)
{
    (void)state;
    TactModel     *model = load("<mujoco><worldbody><geom type='plane' size='0 0 1'/></worldbody>"
                                    "</mujoco>");
    TactPicture    picture = look_at(model, 0);
    unsigned char *bytes;
    size_t         size;
    picture.elevation = -30;
    TactStatus status = tact_picture_png(&picture, &bytes, &size);
    tact_model_destroy(model);
    if (status == TACT_UNSUPPORTED) {
        print_message("skipped: built without libpng\n");
        skip();
    }
    assert_int_equal(status, TACT_OK);
    assert_true(size > 33);
    assert_memory_equal(bytes, "\x89PNG\r\n\x1a\n", 8);
    const unsigned char width_height[8] = {0, 0, 0, WIDTH, 0, 0, 0, HEIGHT};
    assert_memory_equal(bytes + 16, width_height, 8);
    free(bytes);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_ball_covers_the_disc_that_perspective_gives_it),
        cmocka_unit_test(what_is_nearer_hides_what_is_behind),
        cmocka_unit_test(right_is_right_and_up_is_up),
        cmocka_unit_test(a_png_has_its_signature_and_size),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
