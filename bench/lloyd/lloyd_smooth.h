// The frictionless part of the experiments: dantzig and baraff beside ODE's Dantzig.
#ifndef TACT_BENCH_LLOYD_LLOYD_SMOOTH_H
#define TACT_BENCH_LLOYD_LLOYD_SMOOTH_H

#include "bench/lloyd/lloyd.h"

/// Runs and prints it; lloyd has the peers' module.
void tact_lloyd_smooth(const TactLloyd *lloyd);

#endif
