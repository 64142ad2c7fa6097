// The config of a simulation that runs: read, and changed as far as it can be.
#include <string.h>

#include "base/status.h"
#include "dynamics/links.h"
#include "sim/config_fields.h"
#include "sim/sim.h"

const TactModel *tact_sim_view_model(const TactSim *sim)
{
    return sim->model;
}

const TactSimConfig *tact_sim_view_config(const TactSim *sim)
{
    return &sim->config;
}

/// The first field that cannot be changed and is; NULL: none.
static const char *find_fixed(const TactSimConfig *a, const TactSimConfig *b)
{
#define COMPARE(field)          \
    if (a->field != b->field) { \
        return #field;          \
    }
    TACT_SIM_CONFIG_FIXED(COMPARE, COMPARE)
    COMPARE(threads)
#undef COMPARE
    return NULL;
}

/// Is anything different that the motion depends on?
static bool moves_otherwise(const TactSimConfig *a, const TactSimConfig *b)
{
    bool other = false;
#define COMPARE(field) other = other || a->field != b->field;
    TACT_SIM_CONFIG_LIVE(COMPARE, COMPARE)
#undef COMPARE
    return other;
}

/// Solvers are made anew by the next step, with their memory of the last answer gone.
static void drop_solvers(TactSimSolver *solvers, int count)
{
    for (int i = 0; i < count; i++) {
        tact_contact_solver_destroy(solvers[i].solver);
        solvers[i] = (TactSimSolver){0};
    }
}

TactStatus tact_sim_set_config(TactSim *sim, const TactSimConfig *config)
{
    TACT_NEED(sim && config, "tact_sim_set_config");
    TactSimConfig *own = &sim->config;
    TACT_TRY(tact_sim_check_config(config));
    const char *fixed = find_fixed(own, config);
    if (fixed) {
        return tact_fail(TACT_BAD_ARGUMENT, "simulation: %s cannot be changed while it runs",
                         fixed);
    }
    if (config->method != own->method || config->cone != own->cone || config->tol != own->tol ||
        config->directions != own->directions || config->max_work != own->max_work ||
        config->max_time != own->max_time) {
        drop_solvers(sim->solve.solvers, sim->model->body_count);
        drop_solvers(sim->solve.correctors, sim->model->body_count);
    }
    sim->free.has_gain = sim->free.has_gain && config->timestep == own->timestep;
    bool other = config->timestep != own->timestep || config->integrator != own->integrator;
    bool wakes = moves_otherwise(own, config);
    *own = *config;
    sim->sleep.rest.calm = 0;
    if (wakes) { // what held a sleeper may hold it no longer
        tact_sim_sleep_reset(sim);
    }
    if (other) {
        TACT_TRY(tact_sim_judge_explicit(sim));
        return tact_dynamics_set_position(sim->dynamics, sim->state.q);
    }
    return TACT_OK;
}
