// What condim 4 and 6 cost: robots with and without them, the same steps otherwise. Files of others
// are read in place; the copy that differs is made here.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "io/scratch.h"
#include "sim/scene.h"

typedef struct Robot {
    const char *folder, *scene, *part; // part: the file that is changed
    const char *from, *to;             // condim 6 taken away, or 4 given to fingertips
    bool        gives;
    int         actuator; // closes the hand; -1: none
    double      ctrl;
} Robot;

static const Robot robots[] = {
    {"unitree_go2", "scene.xml", "go2.xml", "condim=\"6\"", "condim=\"3\"", false, -1, 0},
    {"shadow_hand", "scene_right.xml", "scene_right.xml", "condim=\"6\"", "condim=\"3\"", false, -1,
     0},
    {"wonik_allegro", "scene_right.xml", "scene_right.xml", "condim=\"6\"", "condim=\"3\"", false,
     -1, 0},
    {"franka_emika_panda", "scene.xml", "panda.xml", "type=\"box\" size=\"0.00",
     "condim=\"4\" type=\"box\" size=\"0.00", true, 7, 0},
    {"stanford_tidybot", "scene.xml", "tidybot.xml", "<geom mass=\"0\" type=\"box\"",
     "<geom condim=\"4\" mass=\"0\" type=\"box\"", true, 10, 255},
};
enum { ROBOTS = sizeof robots / sizeof *robots };

static const char *shared(void)
{
    const char *given = getenv("TACT_SHARED");
    return given ? given : TACT_SOURCE_DIR "/../shared";
}

/// A file of the robot into the scratch folder, with the change or without.
static bool copy_file(const char *folder, const char *name, const char *from, const char *to)
{
    char path[700], *text, *out = NULL;
    snprintf(path, sizeof path, "%s/models/%s/%s", shared(), folder, name);
    text = tact_scratch_read(path);
    if (!text) {
        return false;
    }
    size_t places = 0;
    for (const char *at = text; from && (at = strstr(at, from)); at += strlen(from)) {
        places++;
    }
    assert_true(!from || places > 0);
    out = calloc(strlen(text) + places * (to ? strlen(to) : 0) + 1, 1);
    assert_non_null(out);
    const char *at = text;
    for (const char *next; from && (next = strstr(at, from)); at = next + strlen(from)) {
        strncat(out, at, (size_t)(next - at));
        strcat(out, to);
    }
    strcat(out, at);
    tact_scratch_write(name, out);
    free(text);
    free(out);
    return true;
}

/// The robot with condim 4 or 6, or without; NULL: its files are not there.
static TactModel *load(const Robot *robot, bool patches)
{
    TactModelLoadConfig config = tact_model_load_config_default();
    TactModel          *model = NULL;
    char                assets[700];
    bool                change = patches == robot->gives;
    bool                one = strcmp(robot->scene, robot->part) == 0;
    snprintf(assets, sizeof assets, "%s/models/%s/assets", shared(), robot->folder);
    unlink(tact_scratch_path("assets"));
    if (symlink(assets, tact_scratch_path("assets")) != 0 ||
        !copy_file(robot->folder, robot->part, change ? robot->from : NULL, robot->to) ||
        (!one && !copy_file(robot->folder, robot->scene, NULL, NULL))) {
        return NULL;
    }
    const char *other = "right_hand.xml"; // what scenes of hands include
    if (one) {
        copy_file(robot->folder, other, NULL, NULL);
    }
    TactStatus status = tact_model_load(tact_scratch_path(robot->scene), &config, &model, NULL);
    if (status == TACT_UNSUPPORTED || status == TACT_IO_ERROR) {
        printf("%s\n", tact_status_message());
        return NULL;
    }
    assert_int_equal(status, TACT_OK);
    return model;
}

/// Processor time of the steps, s; every solve must be certified.
static double run(const Robot *robot, bool patches, double time, int *moments)
{
    TactModel *model = load(robot, patches);
    if (!model) {
        return -1;
    }
    TactScene     scene = tact_scene_start(model, 0);
    TactSimReport report;
    if (robot->actuator >= 0) {
        scene.state->ctrl[robot->actuator] = robot->ctrl;
    }
    clock_t start = clock();
    while (scene.state->time < time - 1e-9) {
        assert_int_equal(tact_sim_step(scene.sim, &report), TACT_OK);
        assert_int_equal(report.certified, report.islands);
    }
    double seconds = (double)(clock() - start) / CLOCKS_PER_SEC;
    int    count;
    for (const TactSimContact *c = tact_sim_view_contacts(scene.sim, &count); count > 0; count--) {
        *moments += c[count - 1].mu_spin > 0;
    }
    tact_scene_close(&scene);
    return seconds;
}

/// Least of several runs, which take turns: what else runs on the machine takes part of the time.
static void robots_with_condim_4_and_6_take_little_more_time(void **state)
{
    (void)state;
    bool   all = getenv("TACT_LONG") != NULL;
    double time = all ? 5 : 1, most = 1.3;
    for (int k = 0; k < ROBOTS; k++) {
        double least[2] = {1e9, 1e9};
        int    moments[2] = {0, 0};
        for (int turn = 0; turn < (all ? 10 : 6); turn++) {
            double seconds = run(&robots[k], turn % 2 == 1, time, &moments[turn % 2]);
            if (seconds < 0) {
                printf("skipped: %s is not there\n", robots[k].folder);
                skip();
            }
            least[turn % 2] = seconds < least[turn % 2] ? seconds : least[turn % 2];
        }
        printf("%s, %g s: %.1f ms without, %.1f ms with condim 4 or 6: %.2f times\n",
               robots[k].folder, time, 1e3 * least[0], 1e3 * least[1], least[1] / least[0]);
        assert_true(moments[0] == 0 && moments[1] > 0);
        assert_true(!all || least[1] <= most * least[0]); // a clock is asked by hand only
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(robots_with_condim_4_and_6_take_little_more_time),
    };
    return cmocka_run_group_tests(tests, tact_scratch_setup, tact_scratch_teardown);
}
