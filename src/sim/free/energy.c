// Energy of the present state.
#include "base/status.h"
#include "sim/sim.h"

TactStatus tact_sim_compute_energy(TactSim *sim, TactSimEnergy *energy)
{
    TACT_NEED(sim && energy, "tact_sim_compute_energy");
    TACT_TRY(tact_dynamics_set_position(sim->dynamics, sim->state.q));
    TACT_TRY(tact_dynamics_set_velocity(sim->dynamics, sim->state.v));
    energy->kinetic = tact_dynamics_compute_kinetic_energy(sim->dynamics);
    energy->potential = tact_dynamics_compute_potential_energy(sim->dynamics);
    return TACT_OK;
}
