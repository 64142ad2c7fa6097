// Names of the enums of sim.h.
#include <tact/sim.h>

#include "base/words.h"

TACT_WORDS(
    TactRestitutionLaw, restitution_law,
    "restitution law", [TACT_RESTITUTION_LAW_NEWTON] = "newton",
    [TACT_RESTITUTION_LAW_POISSON] = "poisson", [TACT_RESTITUTION_LAW_SEQUENTIAL] = "sequential")

TACT_WORDS(
    TactInterpolation, interpolation,
    "interpolation", [TACT_INTERPOLATION_LINEAR] = "linear", [TACT_INTERPOLATION_CUBIC] = "cubic")

TACT_WORDS(TactSimLoad, sim_load, "load", [TACT_SIM_LOAD_GRAVITY] = "gravity",
           [TACT_SIM_LOAD_ACTUATORS] = "actuators", [TACT_SIM_LOAD_SPRINGS] = "springs",
           [TACT_SIM_LOAD_APPLIED] = "applied", [TACT_SIM_LOAD_MOTION] = "motion",
           [TACT_SIM_LOAD_FRICTION] = "friction", [TACT_SIM_LOAD_TARGETS] = "targets")
