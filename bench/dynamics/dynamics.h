// Inside of `tact bench dynamics`.
#ifndef TACT_BENCH_DYNAMICS_DYNAMICS_H
#define TACT_BENCH_DYNAMICS_DYNAMICS_H

#include <stdbool.h>
#include <stdio.h>

#include "bench/peers.h"

enum { TACT_DYNAMICS_ENGINES = 4, TACT_DYNAMICS_MODELS = 8 };

/// tact itself as an engine.
extern const TactDynamicsPeer tact_dynamics_own;

/// What models are made of: `branches` chains of links from the world, hinges about x and y in
/// turn; 0: the humanoid.
typedef struct TactDynamicsShape {
    const char *name;
    int         links; // of all branches
    int         branches;
} TactDynamicsShape;

/// Chains as URDF, the humanoid as MJCF, 27 dofs of the size of an adult. TACT_IO_ERROR.
TactStatus tact_dynamics_write_model(const TactDynamicsShape *shape, const char *path);

/// One engine on one model.
typedef struct TactDynamicsCell {
    bool   taken;
    double best[TACT_PART_COUNT]; // s; HUGE_VAL: it has no such part
    double error[3]; // of tau, M, qacc against tact, relative to the largest entry; of tact
                     //   itself, qacc by the factor of M against that by ABA
} TactDynamicsCell;

typedef struct TactDynamicsBench {
    int                      engines, models;
    const TactDynamicsPeer  *engine[TACT_DYNAMICS_ENGINES]; // tact is the first
    const TactDynamicsShape *shape[TACT_DYNAMICS_MODELS];
    int                      nv[TACT_DYNAMICS_MODELS];
    TactDynamicsCell         cell[TACT_DYNAMICS_MODELS][TACT_DYNAMICS_ENGINES];
} TactDynamicsBench;

/// All engines on one model and state, in turn, `rounds` times; fills row `model` of the cells.
TactStatus tact_dynamics_run(TactDynamicsBench *bench, int model, const char *path, int rounds,
                             double budget);

/// Does the engine agree with tact in tau, M and qacc?
bool tact_dynamics_agrees(const TactDynamicsCell *cell);
/// Names of parts, for tables and CSV.
const char *tact_dynamics_part_name(int part);

void tact_dynamics_print_model(const TactDynamicsBench *bench, int model);
void tact_dynamics_print_growth(const TactDynamicsBench *bench);
void tact_dynamics_print_wanted(const TactDynamicsBench *bench);
int  tact_dynamics_write_csv(const TactDynamicsBench *bench, const char *path);

#endif
