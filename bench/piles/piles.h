// `tact bench piles`: heaps of bodies that fall, by shape, number and seed.
#ifndef TACT_BENCH_PILES_PILES_H
#define TACT_BENCH_PILES_PILES_H

#include <stdio.h>
#include <tact/sim.h>

typedef enum TactPileShape {
    TACT_PILE_BOXES,
    TACT_PILE_SPHERES,
    TACT_PILE_CAPSULES,
    TACT_PILE_MIXED,  // of the three
    TACT_PILE_CHAINS, // of three capsules at hinges with limits
    TACT_PILE_SHAPE_COUNT
} TactPileShape;

/// A scene is a function of this.
typedef struct TactPileScene {
    TactPileShape shape;
    int           number;  // of bodies that fall; a chain is one
    int           seed;    //
    bool          wedged;  // overlaps at the start
    bool          poured;  // from a column into a bin, colours by height
    double        step;    // s
    double        mu;      // of all geoms
    double        decades; // of densities, from 1000 / 10^(decades / 2) on; 0: 1000 kg/m^3
} TactPileScene;

/// "boxes", ...; NULL beyond the last.
const char *tact_pile_shape_name(TactPileShape shape);

/// Writes the scene as MJCF.
void tact_pile_write(const TactPileScene *scene, FILE *file);

/// What a run did.
typedef struct TactPileRun {
    int    steps;    // made
    int    contacts; // at most
    double mean_contacts;
    long   solves, certified;
    double error;               // worst certified
    double penetration;         // m
    double total;               // processor time of all steps, s
    double mean, late, longest; // of a step: mean, 99 of 100 take less, the longest one, s
    int    saved;               // problems
} TactPileRun;

/// Which problems of a run are kept, as JSON that `tact solve` reads.
typedef struct TactPileSave {
    const char *folder; // NULL: none
    int         least;  // contacts
    double      slower; // than so many seconds of processor time a step; 0: any
} TactPileSave;

/// Runs a scene for some time. TACT_OK with what was done, or what went wrong.
TactStatus tact_pile_run_scene(const TactPileScene *scene, double time, const TactPileSave *save,
                               TactPileRun *run);

/// Other engines beside tact.
typedef struct TactPilePeers {
    const char *module; // where they are; NULL: tact-peers.so beside the program
    double      budget; // seconds an engine; one that takes longer is stopped
} TactPilePeers;

/// Runs a scene in all engines, each in a process of its own, and prints a table. Returns the exit
/// status.
int tact_pile_compare(const TactPileScene *scene, double time, const TactPilePeers *peers);

#endif
