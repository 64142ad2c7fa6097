// Films of `tact bench truth`: the recording opens, has its frames, and shows what engines did.
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include <tact/load.h>
#include <tact/record.h>

#include "bench/truth/truth_film.h"

// A ball above the floor, and a brick whose centre of mass is off its origin, beside a fixed post.
static const char scene[] =
    "<mujoco><worldbody><geom type=\"plane\" size=\"1 1 1\"/>"
    "<geom type=\"box\" size=\"0.02 0.02 0.1\" pos=\"0.3 0 0.1\"/>"
    "<body name=\"ball\" pos=\"0 0 1\"><freejoint/><geom type=\"sphere\" size=\"0.05\"/></body>"
    "<body pos=\"0.1 0 2\"><freejoint/>"
    "<geom type=\"box\" size=\"0.05 0.04 0.03\" pos=\"0.1 0 0\"/></body>"
    "</worldbody></mujoco>";

// ---------------------------------------------------------------------------------------------
// Engines whose motion is known

typedef struct Lift {
    const TactSimCase *scene;
    int                steps;
} Lift;

static void *create_lift(const TactSimCase *case_)
{
    Lift *lift = calloc(1, sizeof *lift);
    lift->scene = case_;
    return lift;
}

static void *create_none(const TactSimCase *case_)
{
    (void)case_;
    return NULL;
}

static bool step_lift(void *engine)
{
    ((Lift *)engine)->steps++;
    return true;
}

/// Gives up in its tenth step.
static bool step_few(void *engine)
{
    return ++((Lift *)engine)->steps < 10;
}

/// All bodies go up by 1 mm a step.
static void read_lift(void *engine, TactTransform *poses, TactTwist *twists)
{
    const Lift *lift = engine;
    int         bodies = lift->scene->model->body_count;
    memcpy(poses, lift->scene->poses, (size_t)bodies * sizeof *poses);
    memset(twists, 0, (size_t)bodies * sizeof *twists);
    for (int b = 1; b < bodies; b++) {
        poses[b].position.z += 0.001 * lift->steps;
        twists[b].linear.z = 0.2;
    }
}

static const TactSimPeer lift_peer = {.name = "lift",
                                      .create = create_lift,
                                      .destroy = free,
                                      .step = step_lift,
                                      .get_motion = read_lift};
static const TactSimPeer few_peer = {.name = "few",
                                     .create = create_lift,
                                     .destroy = free,
                                     .step = step_few,
                                     .get_motion = read_lift};
static const TactSimPeer none_peer = {.name = "none", .create = create_none};

// ---------------------------------------------------------------------------------------------

typedef struct Film {
    TactModel     *model;
    char           folder[64], path[128];
    TactRecording *recording;
} Film;

/// 0.3 s in steps of 5 ms: frames after every third step.
static Film make_film(void)
{
    static TactTruthBench bench;
    Film                  film = {.folder = "/tmp/tact-film-XXXXXX"};
    TactModelLoadConfig   config = tact_model_load_config_default();
    bench = (TactTruthBench){
        .family = TACT_TRUTH_FILES,
        .engines = 4,
        .engine = {&tact_truth_own, &lift_peer, &none_peer, &few_peer},
    };
    assert_non_null(mkdtemp(film.folder));
    assert_int_equal(
        tact_model_load_memory("scene.xml", scene, strlen(scene), &config, &film.model, NULL),
        TACT_OK);
    TactTruthTask task = {
        .model = film.model, .path = "scene.xml", .step = 5e-3, .time = 0.3, .budget = 60};
    assert_int_equal(tact_film_make(&bench, &task, "scene", film.folder), TACT_OK);
    snprintf(film.path, sizeof film.path, "%s/scene-5ms.tact", film.folder);
    assert_int_equal(tact_recording_open(film.path, &film.recording), TACT_OK);
    return film;
}

static void destroy_film(Film *film)
{
    tact_recording_close(film->recording);
    tact_model_destroy(film->model);
    unlink(film->path);
    rmdir(film->folder);
}

static int find_body(const TactRecording *recording, const char *name)
{
    for (int b = 0; b < recording->model.body_count; b++) {
        if (strcmp(recording->model.bodies[b].name, name) == 0) {
            return b;
        }
    }
    return -1;
}

static double height(TactRecording *recording, int frame, const char *body)
{
    TactRecordFrame read;
    assert_int_equal(tact_recording_read(recording, frame, &read), TACT_OK);
    return read.poses[find_body(recording, body)].position.z;
}

static void a_film_opens_and_has_its_frames(void **state)
{
    (void)state;
    Film film = make_film();
    assert_true(film.recording->complete);
    assert_int_equal(film.recording->frame_count, 21);
    assert_true(fabs(film.recording->end - 0.3) < 1e-12);
    assert_string_equal(film.recording->run.scene, "scene.xml");
    assert_string_equal(film.recording->model.name, "scene-5ms");
    TactRecordFrame frame;
    assert_int_equal(tact_recording_read(film.recording, 7, &frame), TACT_OK);
    assert_true(fabs(frame.time - 0.105) < 1e-12);
    assert_int_equal(frame.step, 21);
    destroy_film(&film);
}

static void engines_stand_side_by_side_under_their_names(void **state)
{
    (void)state;
    static const char *const labels[] = {"tact 5 ms", "tact 0.1 ms", "lift 5 ms", "few 5 ms"};
    Film                     film = make_film();
    const TactRecordModel   *model = &film.recording->model;
    double                   pitch = 0;
    // world, plates, and of every copy two bodies
    assert_int_equal(model->body_count, 1 + 4 + 4 * 2);
    for (int c = 0; c < 4; c++) {
        char ball[64];
        snprintf(ball, sizeof ball, "%s/ball", labels[c]);
        int plate = find_body(film.recording, labels[c]), body = find_body(film.recording, ball);
        assert_true(plate == c + 1 && body > plate);
        assert_false(model->bodies[plate].moves);
        assert_true(model->bodies[plate].pose.position.x == model->bodies[body].pose.position.x);
        double next =
            c > 0 ? model->bodies[plate].pose.position.x - model->bodies[plate - 1].pose.position.x
                  : 0;
        assert_true(c == 0 || next >= 0.4);
        assert_true(c < 2 || fabs(next - pitch) < 1e-12);
        pitch = next;
    }
    assert_int_equal(find_body(film.recording, "none 5 ms"), -1);
    destroy_film(&film);
}

static void the_floor_is_there_once_and_all_else_in_every_copy(void **state)
{
    (void)state;
    Film                   film = make_film();
    const TactRecordModel *model = &film.recording->model;
    int                    planes = 0, fixed = 0;
    for (int g = 0; g < model->geom_count; g++) {
        planes += model->geoms[g].type == TACT_GEOM_PLANE;
        fixed += model->geoms[g].body == 0;
        assert_true(model->geoms[g].visual);
    }
    assert_int_equal(planes, 1);
    assert_int_equal(fixed, 1 + 4);
    destroy_film(&film);
}

static void frames_hold_what_engines_did(void **state)
{
    (void)state;
    Film           film = make_film();
    TactRecording *recording = film.recording;
    // poses are in single precision
    assert_true(fabs(height(recording, 0, "lift 5 ms/ball") - 1) < 1e-6);
    assert_true(fabs(height(recording, 4, "lift 5 ms/ball") - 1.012) < 1e-6);
    assert_true(fabs(height(recording, 20, "lift 5 ms/ball") - 1.06) < 1e-6);
    // the last frame before it gave up is that of step 9
    assert_true(fabs(height(recording, 20, "few 5 ms/ball") - 1.009) < 1e-6);
    // free fall, to the order of the step
    double fallen = 1 - 0.5 * 9.81 * 0.3 * 0.3;
    assert_true(fabs(height(recording, 20, "tact 5 ms/ball") - fallen) < 9.81 * 0.3 * 5e-3);
    assert_true(fabs(height(recording, 20, "tact 0.1 ms/ball") - fallen) < 9.81 * 0.3 * 1e-4);
    destroy_film(&film);
}

static void coordinates_are_those_of_the_origin(void **state)
{
    (void)state;
    Film                   film = make_film();
    TactRecordFrame        frame;
    const TactRecordModel *model = &film.recording->model;
    int                    found = 0;
    assert_int_equal(tact_recording_read(film.recording, 4, &frame), TACT_OK);
    for (int j = 0; j < model->joint_count; j++) {
        const TactRecordJoint *joint = &model->joints[j];
        TactVec3               at = frame.poses[joint->body].position;
        assert_int_equal(joint->type, TACT_JOINT_FREE);
        assert_true(fabs(frame.q[joint->q] - at.x) < 1e-6);
        assert_true(fabs(frame.q[joint->q + 2] - at.z) < 1e-6);
        if (strncmp(model->bodies[joint->body].name, "lift", 4) == 0) {
            assert_true(fabs(frame.v[joint->dof + 2] - 0.2) < 1e-12);
            found++;
        }
    }
    assert_int_equal(found, 2);
    destroy_film(&film);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_film_opens_and_has_its_frames),
        cmocka_unit_test(engines_stand_side_by_side_under_their_names),
        cmocka_unit_test(the_floor_is_there_once_and_all_else_in_every_copy),
        cmocka_unit_test(frames_hold_what_engines_did),
        cmocka_unit_test(coordinates_are_those_of_the_origin),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
