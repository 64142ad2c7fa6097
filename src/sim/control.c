// Who is asked before each step.
#include "sim/sim.h"

void tact_sim_set_controller(TactSim *sim, TactSimController *controller, void *context)
{
    sim->controller = controller;
    sim->controller_context = context;
}
