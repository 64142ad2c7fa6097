// MuJoCo: mj_step with the options of the scene (Newton, pyramidal cone unless it says otherwise),
// or with hard contacts: elliptic cone, time constant of two steps (what it allows at least),
// impedance 0.99 to 0.999 and Newton to 1e-10. Beside the scene's options, those that its manual
// gives against slip (three iterations of the no-slip solver; elliptic cone with impratio 10) and
// for many bodies (conjugate gradients).
#ifdef TACT_HAVE_MUJOCO
#include "bench/peers/peer.hpp"

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

void harden(mjModel *model)
{
    model->opt.integrator = mjINT_IMPLICIT; // with Euler some of the spinning chains blow up
    model->opt.cone = mjCONE_ELLIPTIC;
    model->opt.tolerance = 1e-10;
    for (int g = 0; g < model->ngeom; g++) {
        const mjtNum solref[mjNREF] = {2 * model->opt.timestep, 1};
        const mjtNum solimp[mjNIMP] = {0.99, 0.999, 0.001, 0.5, 2};
        mju_copy(model->geom_solref + mjNREF * g, solref, mjNREF);
        mju_copy(model->geom_solimp + mjNIMP * g, solimp, mjNIMP);
    }
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
    if (scene->v) {
        mju_copy(data->qvel, scene->v, model->nv);
    }
    if (scene->hard) {
        harden(model);
    }
    return new Engine{scene, model, data};
}

void *create_without_slip(const TactSimCase *scene)
{
    Engine *engine = static_cast<Engine *>(create(scene));
    if (engine) {
        engine->model->opt.noslip_iterations = 3;
    }
    return engine;
}

void *create_elliptic(const TactSimCase *scene)
{
    Engine *engine = static_cast<Engine *>(create(scene));
    if (engine) {
        engine->model->opt.cone = mjCONE_ELLIPTIC;
        engine->model->opt.impratio = 10;
    }
    return engine;
}

void *create_with_cg(const TactSimCase *scene)
{
    Engine *engine = static_cast<Engine *>(create(scene));
    if (engine) {
        engine->model->opt.solver = mjSOL_CG;
    }
    return engine;
}

void *create_elliptic_with_cg(const TactSimCase *scene)
{
    Engine *engine = static_cast<Engine *>(create_elliptic(scene));
    if (engine) {
        engine->model->opt.solver = mjSOL_CG;
    }
    return engine;
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

void get_coordinates(void *self, double *q, double *v)
{
    Engine *engine = static_cast<Engine *>(self);
    mju_copy(q, engine->data->qpos, engine->model->nq);
    mju_copy(v, engine->data->qvel, engine->model->nv);
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
    "mujoco",
    version(),
    "mj_step as the scene has it",
    create,
    destroy,
    step,
    get_poses,
    count_contacts,
    get_coordinates,
    nullptr,
    "integrator implicit, elliptic cone, Newton to 1e-10, solref of two steps, solimp 0.99 0.999",
};

const TactSimPeer tact_peer_mujoco_noslip = {
    "mujoco-noslip",
    version(),
    "mj_step with noslip_iterations 3",
    create_without_slip,
    destroy,
    step,
    get_poses,
    count_contacts,
    get_coordinates,
    nullptr,
    nullptr,
};

const TactSimPeer tact_peer_mujoco_elliptic_cg = {
    "mujoco-elliptic-cg",
    version(),
    "mj_step with elliptic cones, impratio 10, and conjugate gradients",
    create_elliptic_with_cg,
    destroy,
    step,
    get_poses,
    count_contacts,
    get_coordinates,
    nullptr,
    nullptr,
};

const TactSimPeer tact_peer_mujoco_elliptic = {
    "mujoco-elliptic", version(),      "mj_step with elliptic cones, impratio 10",
    create_elliptic,   destroy,        step,
    get_poses,         count_contacts, get_coordinates,
    nullptr,           nullptr,
};

const TactSimPeer tact_peer_mujoco_cg = {
    "mujoco-cg",    version(),      "mj_step with conjugate gradients",
    create_with_cg, destroy,        step,
    get_poses,      count_contacts, get_coordinates,
    nullptr,        nullptr,
};
#endif
