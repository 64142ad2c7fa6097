#include "sim/scene.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char *read_text(const char *path)
{
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    assert_int_equal(fseek(file, 0, SEEK_END), 0);
    long size = ftell(file);
    assert_true(size >= 0);
    rewind(file);
    char *text = calloc((size_t)size + 1, 1);
    assert_non_null(text);
    assert_int_equal(fread(text, 1, (size_t)size, file), size);
    fclose(file);
    return text;
}

static int count_places(const char *text, const char *words)
{
    int count = 0;
    for (const char *at = strstr(text, words); at; at = strstr(at + strlen(words), words)) {
        count++;
    }
    return count;
}

static char *replace(char *text, TactSceneEdit edit)
{
    int places = count_places(text, edit.from);
    assert_true(places > 0);
    size_t from = strlen(edit.from), to = strlen(edit.to);
    char  *changed = calloc(strlen(text) + (size_t)places * to + 1, 1), *end = changed;
    assert_non_null(changed);
    const char *rest = text;
    for (const char *at = strstr(rest, edit.from); at; at = strstr(rest, edit.from)) {
        memcpy(end, rest, (size_t)(at - rest));
        end += at - rest;
        memcpy(end, edit.to, to);
        end += to;
        rest = at + from;
    }
    memcpy(end, rest, strlen(rest));
    free(text);
    return changed;
}

TactModel *tact_scene_model(const char *name, TactSceneEdit edit)
{
    char                path[512];
    TactModel          *model = NULL;
    TactModelLoadConfig load = tact_model_load_config_default();
    snprintf(path, sizeof path, "%s/scenes/%s", TACT_SOURCE_DIR, name);
    char *text = read_text(path);
    if (edit.from) {
        text = replace(text, edit);
    }
    TactStatus status = tact_model_load_memory(path, text, strlen(text), &load, &model, NULL);
    free(text);
    if (status == TACT_UNSUPPORTED) {
        printf("skipped: %s\n", tact_status_message());
        skip();
    }
    if (status != TACT_OK) {
        fail_msg("%s", tact_status_message());
    }
    return model;
}

TactScene tact_scene_start_with(TactModel *model, const TactSimConfig *config)
{
    TactScene scene = {.model = model};
    assert_int_equal(tact_sim_create(model, config, &scene.sim), TACT_OK);
    assert_int_equal(tact_dynamics_create(model, &scene.dynamics), TACT_OK);
    if (model->keyframe_count > 0) {
        assert_int_equal(tact_sim_reset(scene.sim, 0), TACT_OK);
    }
    scene.state = tact_sim_view_state(scene.sim);
    scene.certifier = tact_test_certify_start(scene.sim);
    return scene;
}

TactScene tact_scene_start(TactModel *model, double h)
{
    TactSimConfig config = tact_sim_config_default(model);
    config.timestep = h > 0 ? h : config.timestep;
    return tact_scene_start_with(model, &config);
}

TactScene tact_scene_of_text(const char *xml)
{
    TactModel          *model = NULL;
    TactModelLoadConfig config = tact_model_load_config_default();
    TactStatus status = tact_model_load_memory("text.xml", xml, strlen(xml), &config, &model, NULL);
    if (status == TACT_UNSUPPORTED) {
        skip();
    }
    if (status != TACT_OK) {
        fail_msg("%s", tact_status_message());
    }
    return tact_scene_start(model, 0);
}

TactScene tact_scene_open(const char *name, double h)
{
    return tact_scene_start(tact_scene_model(name, (TactSceneEdit){0}), h);
}

void tact_scene_close(TactScene *scene)
{
    tact_test_certify_check(scene->certifier, scene->model, NULL);
    tact_test_certify_stop(&scene->certifier, scene->sim);
    tact_sim_destroy(scene->sim);
    tact_dynamics_destroy(scene->dynamics);
    tact_model_destroy(scene->model);
}

TactSimReport tact_scene_step(TactScene *scene)
{
    TactSimReport report;
    if (tact_sim_step(scene->sim, &report) != TACT_OK) {
        fail_msg("at %g s: %s", scene->state->time, tact_status_message());
    }
    tact_test_certify_check(scene->certifier, scene->model, &report);
    scene->solves += report.islands;
    scene->certified += report.certified;
    scene->penetration = fmax(scene->penetration, report.penetration);
    scene->loop_error = fmax(scene->loop_error, report.loop_error);
    scene->error = fmax(scene->error, report.error);
    return report;
}

void tact_scene_leave_certificates(TactScene *scene)
{
    tact_test_certify_stop(&scene->certifier, scene->sim);
}

void tact_scene_run(TactScene *scene, double until)
{
    while (scene->state->time < until - 1e-9) {
        tact_scene_step(scene);
    }
}

static const TactJoint *free_joint(const TactScene *scene, const char *body)
{
    int index = tact_model_find(scene->model, TACT_OBJECT_BODY, body);
    assert_true(index > 0);
    const TactJoint *joint = &scene->model->joints[scene->model->bodies[index].first_joint];
    assert_int_equal(joint->type, TACT_JOINT_FREE);
    return joint;
}

int tact_scene_q(const TactScene *scene, const char *body)
{
    return free_joint(scene, body)->q;
}

int tact_scene_v(const TactScene *scene, const char *body)
{
    return free_joint(scene, body)->dof;
}

TactVec3 tact_scene_place(const TactScene *scene, const char *body)
{
    const double *q = scene->state->q + tact_scene_q(scene, body);
    return (TactVec3){q[0], q[1], q[2]};
}

static void set_state(TactScene *scene)
{
    assert_int_equal(tact_dynamics_set_position(scene->dynamics, scene->state->q), TACT_OK);
    assert_int_equal(tact_dynamics_set_velocity(scene->dynamics, scene->state->v), TACT_OK);
}

double tact_scene_kinetic(TactScene *scene)
{
    set_state(scene);
    return tact_dynamics_compute_kinetic_energy(scene->dynamics);
}

double tact_scene_energy(TactScene *scene)
{
    set_state(scene);
    return tact_dynamics_compute_kinetic_energy(scene->dynamics) +
           tact_dynamics_compute_potential_energy(scene->dynamics);
}
