// Parameters of a simulation that runs: a copy of the model of its own, and what was made from it.
#include <math.h>
#include <string.h>

#include "base/status.h"
#include "dynamics/links.h"
#include "sim/sim.h"

/// Everything that tact_sim_create() takes from numbers of the model, anew.
static TactStatus renew(TactSim *sim)
{
    size_t trees = (size_t)sim->islands.tree_count;
    tact_dynamics_set_model(sim->dynamics, sim->model);
    sim->energy.fast = tact_sim_fast(sim->model, sim->dynamics, sim->energy.kinetic);
    memset(sim->flight.flies, 0, trees * sizeof *sim->flight.flies);
    memset(sim->energy.passive, 0, trees * sizeof *sim->energy.passive);
    sim->energy.has_passive = false;
    tact_sim_find_flyers(sim);
    tact_sim_find_passive(sim);
    sim->free.has_gain = false;
    sim->shapes.collided.known = false;
    sim->contact_count = sim->parts.count = sim->last.row_count = 0;
    sim->last.stepped = false;
    tact_sim_sleep_reset(sim);
    return TACT_OK;
}

/// Rows that the model may need, at most.
static int count_rows(const TactModel *model)
{
    TactRows  rows = {0};
    TactArena measuring = {0};
    tact_rows_layout(&rows, model, &measuring);
    return rows.capacity;
}

TactStatus tact_sim_set(TactSim *sim, const char *path, const double *values, int count)
{
    TACT_NEED(sim && path && values, "tact_sim_set");
    double before[TACT_PARAMETER_MOST];
    TACT_TRY(tact_model_get(sim->model, path, before, count));
    if (!sim->own) {
        TACT_TRY(tact_model_copy(sim->model, &sim->own));
        sim->model = sim->own;
        tact_dynamics_set_model(sim->dynamics, sim->model);
    }
    TACT_TRY(tact_model_set(sim->own, path, values, count));
    if (count_rows(sim->own) > sim->rows.capacity) {
        TACT_TRY(tact_model_set(sim->own, path, before, count));
        TACT_TRY(renew(sim));
        return tact_fail(TACT_UNSUPPORTED,
                         "parameter '%s': there was no dry friction when the simulation was made; "
                         "give it some in the model",
                         path);
    }
    return renew(sim);
}

TactStatus tact_sim_get(const TactSim *sim, const char *path, double *values, int count)
{
    TACT_NEED(sim && path && values, "tact_sim_get");
    return tact_model_get(sim->model, path, values, count);
}

TactStatus tact_sim_apply_force(TactSim *sim, int body, TactVec3 force, TactVec3 point)
{
    TACT_NEED(sim, "tact_sim_apply_force");
    if (body < 0 || body >= sim->model->body_count) {
        return tact_fail(TACT_BAD_ARGUMENT, "force: there is no body %d", body);
    }
    if (!isfinite(force.x + force.y + force.z) || !isfinite(point.x + point.y + point.z)) {
        return tact_fail(TACT_BAD_ARGUMENT, "force on body %d: force or point is not finite", body);
    }
    TACT_TRY(tact_dynamics_set_position(sim->dynamics, sim->state.q));
    TactVec3    com = tact_transform_point(tact_dynamics_view_poses(sim->dynamics)[body],
                                           sim->model->bodies[body].inertia.com);
    TactWrench *sum = &sim->state.external[body];
    sum->force = tact_vec3_add(sum->force, force);
    sum->torque =
        tact_vec3_add(sum->torque, tact_vec3_cross(tact_vec3_subtract(point, com), force));
    return TACT_OK;
}
