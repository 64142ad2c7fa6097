#include "bench/gpu/truth.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <tact/dynamics.h>
#include <tact/load.h>

enum { WORLDS = 16 };

/// One scene on one device.
typedef struct Scene {
    TactModel      *model;
    TactWorldBatch *batch;
    TactWorldStates states; // of the host
    double         *block;
    double          timestep;
} Scene;

static void close_scene(Scene *scene)
{
    tact_world_batch_destroy(scene->batch);
    tact_model_destroy(scene->model);
    free(scene->block);
}

static const TactJoint *find_free_joint(const TactModel *model)
{
    for (int j = 0; j < model->joint_count; j++) {
        if (model->joints[j].type == TACT_JOINT_FREE) {
            return &model->joints[j];
        }
    }
    return NULL;
}

static bool begins_keyed(const TactModel *model, const TactBenchTruthCase *own)
{
    return model->keyframe_count > 0 && own->lift == 0;
}

/// The first keyframe, or above the reference.
static void begin_worlds(Scene *scene, const TactBenchTruthCase *own)
{
    const TactModel *model = scene->model;
    const TactJoint *joint = find_free_joint(model);
    size_t           nq = (size_t)model->nq, nu = (size_t)model->actuator_count;
    bool             keyed = begins_keyed(model, own);
    for (size_t i = 0; i < WORLDS; i++) {
        memcpy(scene->states.q + i * nq, keyed ? model->keyframes[0].q : model->q_reference,
               nq * sizeof(double));
        if (keyed) {
            memcpy(scene->states.ctrl + i * nu, model->keyframes[0].ctrl, nu * sizeof(double));
        }
        if (joint) {
            double  angle = 0.1 + (double)i * 3.14159265358979 / 8;
            double *v = scene->states.v + i * (size_t)model->nv + joint->dof;
            scene->states.q[i * nq + (size_t)joint->q + 2] += own->lift;
            v[0] = own->speed * cos(angle);
            v[1] = own->speed * sin(angle);
        }
    }
}

static TactStatus open_scene(TactDevice device, const char *models, const TactBenchTruthCase *own,
                             Scene *scene)
{
    char                path[1024];
    TactModelLoadConfig load = tact_model_load_config_default();
    snprintf(path, sizeof path, "%s/%s", models, own->file);
    TactStatus status = tact_model_load(path, &load, &scene->model, NULL);
    if (status != TACT_OK) {
        return status;
    }
    const TactModel     *model = scene->model;
    TactSimConfig        sim = tact_sim_config_default(model);
    TactWorldBatchConfig config = tact_world_batch_config_default(device);
    sim.cone = own->cone;
    config.worlds = WORLDS;
    config.sliding_only = true;
    scene->timestep = sim.timestep;
    size_t numbers = (size_t)(model->nq + model->nv + model->actuator_count);
    scene->block = calloc(WORLDS * numbers, sizeof(double));
    if (!scene->block) {
        return TACT_NO_MEMORY;
    }
    scene->states.q = scene->block;
    scene->states.v = scene->states.q + WORLDS * model->nq;
    scene->states.ctrl = scene->states.v + WORLDS * model->nv;
    status = tact_world_batch_create(model, &sim, &config, &scene->batch);
    if (status == TACT_OK) {
        begin_worlds(scene, own);
        status = tact_world_batch_send(scene->batch, &scene->states);
    }
    return status;
}

static TactStatus step_scene(Scene *scene, int steps, TactWorldBatchReport *report)
{
    TactStatus status = tact_world_batch_step(scene->batch, steps, report);
    return status == TACT_OK ? tact_world_batch_fetch(scene->batch, &scene->states) : status;
}

/// Kinetic and potential energy of every world, J.                                      (WORLDS)
static TactStatus find_energies(const Scene *scene, double *energies)
{
    const TactModel *model = scene->model;
    TactDynamics    *dynamics = NULL;
    TactStatus       status = tact_dynamics_create(model, &dynamics);
    for (int i = 0; i < WORLDS && status == TACT_OK; i++) {
        status = tact_dynamics_set_position(dynamics, scene->states.q + i * model->nq);
        if (status == TACT_OK) {
            status = tact_dynamics_set_velocity(dynamics, scene->states.v + i * model->nv);
        }
        if (status == TACT_OK) {
            energies[i] = tact_dynamics_compute_kinetic_energy(dynamics) +
                          tact_dynamics_compute_potential_energy(dynamics);
        }
    }
    tact_dynamics_destroy(dynamics);
    return status;
}

/// From the processor's states, and from world to world.
static TactStatus compare(const TactBenchTruthCase *what, const Scene *own, const Scene *processor,
                          TactBenchTruthRow *row)
{
    const TactModel *model = own->model;
    const TactJoint *joint = find_free_joint(model);
    const double    *from = begins_keyed(model, what) ? model->keyframes[0].q : model->q_reference;
    double           energies[WORLDS], there[WORLDS], least = INFINITY, most = 0;
    for (int k = 0; k < WORLDS * model->nq; k++) {
        row->apart = fmax(row->apart, fabs(own->states.q[k] - processor->states.q[k]));
    }
    for (int k = 0; k < WORLDS * model->nv; k++) {
        double apart = fabs(own->states.v[k] - processor->states.v[k]);
        row->apart = fmax(row->apart, own->timestep * apart);
    }
    for (int i = 0; i < WORLDS && joint; i++) {
        const double *q = own->states.q + i * model->nq + joint->q;
        double        way = sqrt(pow(q[0] - from[joint->q], 2) + pow(q[1] - from[joint->q + 1], 2) +
                                 pow(q[2] - from[joint->q + 2] - what->lift, 2));
        row->way = i == 0 ? way : row->way;
        least = fmin(least, way);
        most = fmax(most, way);
    }
    row->spread = joint ? most - least : 0;
    TactStatus status = find_energies(own, energies);
    status = status == TACT_OK ? find_energies(processor, there) : status;
    for (int i = 0; i < WORLDS && status == TACT_OK; i++) {
        row->energy = fmax(row->energy, fabs(energies[i] - there[i]) / (9.81 * model->mass));
    }
    return status;
}

TactStatus tact_bench_truth_row(TactDevice device, const char *models,
                                const TactBenchTruthCase *own, TactBenchTruthRow *row)
{
    Scene                here = {0}, there = {0};
    TactWorldBatchReport report = {0};
    *row = (TactBenchTruthRow){.worlds = WORLDS};
    TactStatus status = open_scene(device, models, own, &here);
    status = status == TACT_OK ? open_scene(TACT_DEVICE_CPU, models, own, &there) : status;
    status = status == TACT_OK ? step_scene(&there, own->steps, NULL) : status;
    status = status == TACT_OK ? step_scene(&here, own->steps, &report) : status;
    row->handed_over = (int)report.handed_over;
    row->uncertified = (int)report.uncertified;
    status = status == TACT_OK ? compare(own, &here, &there, row) : status;
    close_scene(&here);
    close_scene(&there);
    return status;
}
