// Who is asked before each step, and told after it.
#include "sim/sim.h"

void tact_sim_set_controller(TactSim *sim, TactSimController *controller, void *context)
{
    sim->hooks.controller = controller;
    sim->hooks.controller_context = context;
}

void tact_sim_set_observer(TactSim *sim, TactSimObserver *observer, void *context)
{
    sim->hooks.observer = observer;
    sim->hooks.observer_context = context;
}
