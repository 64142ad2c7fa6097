// Who is asked before each step, and told after it.
#include "sim/sim.h"

void tact_sim_set_controller(TactSim *sim, TactSimController *controller, void *context)
{
    sim->controller = controller;
    sim->controller_context = context;
}

void tact_sim_set_observer(TactSim *sim, TactSimObserver *observer, void *context)
{
    sim->observer = observer;
    sim->observer_context = context;
}
