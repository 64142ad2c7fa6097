// The contact problem of a frame by inverse articulated-body inertias, as Yamane and Nakamura form
// it [Yamane, 10-16], beside the mass matrix and its sparse factor; both solved by their search and
// by the ladder.
#ifndef TACT_BENCH_YAMANE_PAPERS_IABI_H
#define TACT_BENCH_YAMANE_PAPERS_IABI_H

#include <tact/sim.h>

/// One way to a frame's contact forces.
typedef enum TactIabiWay {
    TACT_IABI_SEARCH, // W by the assembly, solved by the search
    TACT_IABI_LADDER, //   by the ladder
    TACT_MASS_SEARCH, // M and its factor along the tree
    TACT_MASS_LADDER,
    TACT_IABI_WAYS
} TactIabiWay;

typedef struct TactIabiTally {
    int    frames;                 // looked at
    int    divided;                // not looked at: steps that were made in parts
    double contacts;               // sum
    double made[2];                // s: W by the assembly; M, its factor and all rows
    double solve[TACT_IABI_WAYS];  // s, to the certificate
    double pivots[TACT_IABI_WAYS]; //
    int    solved[TACT_IABI_WAYS]; // certified
    int    close[TACT_IABI_WAYS];  // with an error that the paper accepts, 1e-3
    double W;                      // largest difference of the two W over the largest entry
    int    same;                   // frames whose four motions are one, to 1e-6 m/s at contacts
} TactIabiTally;

typedef struct TactIabi TactIabi;

/// Of a model without other rows than loops of connects; joints at their limits and joints with
/// actuators are taken as prescribed. The model must outlive it.
TactStatus tact_iabi_create(const TactModel *model, TactIabi **iabi);
void       tact_iabi_destroy(TactIabi *iabi);

/// Looks at the step that the simulation has just made from q and v: its contacts, with forces that
/// are not implicit.
TactStatus tact_iabi_look(TactIabi *iabi, const TactSim *sim, const TactSimReport *report,
                          const double *q, const double *v);

const TactIabiTally *tact_iabi_tally(const TactIabi *iabi);

#endif
