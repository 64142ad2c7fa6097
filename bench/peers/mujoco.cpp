// MuJoCo: mj_rne, mj_crb with mj_factorM, mj_forward without constraints.
#ifdef TACT_HAVE_MUJOCO
#include "bench/peers/peer.hpp"

#include <cstdio>
#include <cstring>

#include <mujoco/mujoco.h>

namespace
{

struct Engine {
    const TactDynamicsCase *state;
    mjModel                *model;
    mjData                 *data;
    std::vector<double>     result; // (nv)
};

void *create(const TactDynamicsCase *state)
{
    char     error[500] = "";
    mjModel *model = mj_loadXML(state->path, nullptr, error, sizeof error);
    if (!model || model->nv != state->model->nv || model->nq != state->model->nq) {
        std::fprintf(stderr, "mujoco: %s: %s\n", state->path, model ? "other joints" : error);
        mj_deleteModel(model);
        return nullptr;
    }
    model->opt.disableflags |=
        mjDSBL_CONSTRAINT | mjDSBL_CONTACT | mjDSBL_PASSIVE | mjDSBL_ACTUATION | mjDSBL_SENSOR;
    mjData *data = mj_makeData(model);
    std::memcpy(data->qpos, state->q, sizeof(double) * static_cast<std::size_t>(model->nq));
    std::memcpy(data->qvel, state->v, sizeof(double) * static_cast<std::size_t>(model->nv));
    mj_forward(model, data);
    return new Engine{state, model, data, std::vector<double>(static_cast<std::size_t>(model->nv))};
}

void destroy(void *self)
{
    Engine *engine = static_cast<Engine *>(self);
    mj_deleteData(engine->data);
    mj_deleteModel(engine->model);
    delete engine;
}

/// qacc from what mj_kinematics, mj_comPos and mj_comVel left: M qacc = -bias.
void accelerate(const mjModel *model, mjData *data, std::vector<double> &result)
{
    mj_crb(model, data);
    mj_factorM(model, data);
    mj_rne(model, data, 0, result.data());
    mju_scl(result.data(), result.data(), -1, model->nv);
    mj_solveM(model, data, data->qacc, result.data(), 1);
}

double time_part(void *self, TactDynamicsPart part, int repeats)
{
    Engine        *engine = static_cast<Engine *>(self);
    const mjModel *model = engine->model;
    mjData        *data = engine->data;
    double        *result = engine->result.data();
    switch (part) {
    case TACT_PART_POSITION:
        return tact::time_repeats(repeats, [=] {
            mj_kinematics(model, data);
            mj_comPos(model, data);
        });
    case TACT_PART_VELOCITY: return tact::time_repeats(repeats, [=] { mj_comVel(model, data); });
    case TACT_PART_INVERSE:
        mju_copy(data->qacc, engine->state->a, model->nv);
        return tact::time_repeats(repeats, [=] { mj_rne(model, data, 1, result); });
    case TACT_PART_MASS:
        return tact::time_repeats(repeats, [=] {
            mj_crb(model, data);
            mj_factorM(model, data);
        });
    case TACT_PART_ACCELERATION:
        return tact::time_repeats(repeats, [=] { accelerate(model, data, engine->result); });
    case TACT_PART_FORWARD: return tact::time_repeats(repeats, [=] { mj_forward(model, data); });
    default: return HUGE_VAL;
    }
}

void get(void *self, TactDynamicsValues *values)
{
    Engine        *engine = static_cast<Engine *>(self);
    const mjModel *model = engine->model;
    mjData        *data = engine->data;
    mj_forward(model, data);
    mju_copy(values->qacc, data->qacc, model->nv);
    mj_fullM(model, values->M, data->qM);
    mju_copy(data->qacc, engine->state->a, model->nv);
    mj_rne(model, data, 1, values->tau);
    for (int i = 0; i < model->nv; i++) { // mj_rne leaves the armature to others
        values->tau[i] += model->dof_armature[i] * engine->state->a[i];
    }
}

const char *version()
{
    static char text[16];
    std::snprintf(text, sizeof text, "%d.%d.%d", mjVERSION_HEADER / 100, mjVERSION_HEADER / 10 % 10,
                  mjVERSION_HEADER % 10);
    return text;
}

} // namespace

const TactDynamicsPeer tact_peer_mujoco = {
    "mujoco",
    version(),
    "mj_kinematics + mj_comPos, mj_comVel, mj_rne, mj_crb + mj_factorM, these with mj_solveM, "
    "mj_forward with constraints, passive forces, actuators and sensors off",
    1,
    create,
    destroy,
    time_part,
    get,
};
#endif
