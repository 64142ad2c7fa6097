// MuJoCo: mj_step with the options of the scene (Newton, pyramidal cone unless it says otherwise).
#ifdef TACT_HAVE_MUJOCO
#include "peer.hpp"

#include <cstdio>

#include <mujoco/mujoco.h>

namespace
{

struct Engine {
    const TactSimCase *scene;
    mjModel           *model;
    mjData            *data;
};

/// Words that this version does not know yet are in the plain file no more.
mjModel *load(const TactSimCase *scene)
{
    char     error[500] = "";
    mjModel *model = mj_loadXML(scene->path, nullptr, error, sizeof error);
    if (!model && scene->flat) {
        model = mj_loadXML(scene->flat, nullptr, error, sizeof error);
    }
    if (!model) {
        std::fprintf(stderr, "mujoco: %s: %s\n", scene->path, error);
    }
    return model;
}

void *create(const TactSimCase *scene)
{
    mjModel *model = load(scene);
    if (!model || model->nv != scene->model->nv || model->nbody != scene->model->body_count) {
        mj_deleteModel(model);
        return nullptr;
    }
    model->opt.timestep = scene->step;
    mjData *data = mj_makeData(model);
    mju_copy(data->qpos, scene->q, model->nq);
    mju_copy(data->ctrl, scene->ctrl, model->nu);
    return new Engine{scene, model, data};
}

void destroy(void *self)
{
    Engine *engine = static_cast<Engine *>(self);
    mj_deleteData(engine->data);
    mj_deleteModel(engine->model);
    delete engine;
}

bool step(void *self)
{
    Engine *engine = static_cast<Engine *>(self);
    mj_step(engine->model, engine->data);
    return engine->data->warning[mjWARN_CONTACTFULL].number == 0 &&
           engine->data->warning[mjWARN_CNSTRFULL].number == 0 &&
           engine->data->warning[mjWARN_BADQACC].number == 0;
}

void get_poses(void *self, TactTransform *poses)
{
    Engine *engine = static_cast<Engine *>(self);
    mj_kinematics(engine->model, engine->data);
    for (int b = 0; b < engine->model->nbody; b++) {
        const mjtNum *p = engine->data->xpos + 3 * b, *r = engine->data->xquat + 4 * b;
        poses[b] = {{r[0], r[1], r[2], r[3]}, {p[0], p[1], p[2]}};
    }
}

int count_contacts(void *self)
{
    return static_cast<Engine *>(self)->data->ncon;
}

const char *version()
{
    static char text[16];
    std::snprintf(text, sizeof text, "%d.%d.%d", mjVERSION_HEADER / 100, mjVERSION_HEADER / 10 % 10,
                  mjVERSION_HEADER % 10);
    return text;
}

} // namespace

const TactSimPeer tact_peer_mujoco_sim = {
    "mujoco",  version(),      "mj_step as the scene has it",
    create,    destroy,        step,
    get_poses, count_contacts, nullptr,
    nullptr,
};
#endif
