// Engines that simulate whole scenes, and what all experiments with them need.
#ifndef TACT_BENCH_ENGINES_H
#define TACT_BENCH_ENGINES_H

#include <tact/collide.h>

#include "bench/peers.h"

/// Which engines take part: tact's own first, then those of the peers' module.
typedef struct TactBenchEngines {
    const TactSimPeer *own;
    bool               peers;  // those of the module too
    const char        *module; // file of it; NULL: beside the program
    bool               states; // only those whose states can be read
    const char        *only;   // names, between commas; NULL: all
} TactBenchEngines;

/// Returns how many there are.                                                     (engine: most)
int tact_bench_load_engines(const TactBenchEngines *wanted, const TactSimPeer **engine, int most);

/// Coefficient of friction of two geoms; -1: they may not touch.
double tact_bench_engine_friction(const TactModel *model, int a, int b);

/// The shape of a geom, by which all engines are measured. False: meshes and height fields have
/// none.
bool tact_bench_shape(const TactModel *model, const TactGeom *geom, TactShape *shape);

#endif
