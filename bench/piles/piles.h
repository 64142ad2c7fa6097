// `tact bench piles`: heaps of bodies that fall or lie at rest, by shape, number and seed.
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
    TACT_PILE_PARTS,  // what hands take: cans, cartons, balls, hammers, mugs, dumbbells
    TACT_PILE_SHAPE_COUNT
} TactPileShape;

/// A scene is a function of this.
typedef struct TactPileScene {
    TactPileShape shape;
    int           number;  // of bodies that fall; a chain is one
    int           seed;    //
    bool          wedged;  // overlaps at the start
    bool          poured;  // from a column into a bin, colours by height
    bool          layers;  // they lie on each other at rest (number: that of the next cube)
    bool          sleeps;  // bodies at rest are left out
    double        settle;  // s that are simulated before those that count
    double        step;    // s
    double        mu;      // of all geoms
    int           condim;  // 4: contacts resist spinning too, 6: and rolling; less: neither
    double        spin;    // coefficients of that, m, from condim 4 on; else 0
    double        roll;    //
    double        decades; // of densities, from 1000 / 10^(decades / 2) on; 0: 1000 kg/m^3
    double        bin;     // width of the bin that they are poured into, m; 0: as it suits them
} TactPileScene;

/// "boxes", ...; NULL beyond the last.
const char *tact_pile_shape_name(TactPileShape shape);

/// "falling", "wedged", "poured", "layers" or "settled".
const char *tact_pile_mode(const TactPileScene *scene);

/// Writes the scene as MJCF.
void tact_pile_write(const TactPileScene *scene, FILE *file);

/// What a body is made of, between <body> and </body>.         share: how high it starts, of all
void tact_pile_write_part(const TactPileScene *scene, double share, TactRandom *random, FILE *file);

/// Density and friction of a geom, its colour if the scene has them, and its end.
void   tact_pile_write_end(const TactPileScene *scene, double density, double share, FILE *file);
double tact_pile_draw_density(const TactPileScene *scene, TactRandom *random);

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
    double wall;                // mean of a step by the clock on the wall, s
    int    threads;
    double collide;     // share of the steps' time in which contacts are found
    double made, grown; // bytes of a simulation that was made, and that it took since
    int    saved;       // problems
} TactPileRun;

/// How a run is made, and which of its problems are kept, as JSON that `tact solve` reads.
typedef struct TactPileSave {
    const char *folder;  // NULL: none
    int         least;   // contacts
    double      slower;  // than so many seconds of processor time a step; 0: any
    const char *part;    // file in which a run is kept now and then, to go on from; NULL: none
    double      keep;    // s of processor time between two times
    int         threads; // of the solver; 0: 1
} TactPileSave;

/// Runs a scene for some time. TACT_OK with what was done, or what went wrong.
TactStatus tact_pile_run_scene(const TactPileScene *scene, double time, const TactPileSave *save,
                               TactPileRun *run);

// Rows of a CSV file (piles_rows.c).

/// Opens the file for rows; those that are there stay if it is resumed. NULL, and said on stderr,
/// if it cannot be written.
FILE *tact_pile_rows_open(const char *path, bool resumed);
/// Reads back the row of a scene in an engine that an earlier run wrote, on as many threads as run
/// says; false: there is none.
bool tact_pile_row_find(const char *path, const char *engine, const TactPileScene *scene,
                        double time, TactPileRun *run);
void tact_pile_row_write(FILE *csv, const char *engine, const TactPileScene *scene, double time,
                         const TactPileRun *run);

/// A run that is not over (piles_part.c): its figures, the times of its steps, and its snapshot.
/// False: there is none of this scene, or it cannot be read.                  times: (run->steps)
bool tact_pile_part_read(const char *path, const TactPileScene *scene, TactSim *sim,
                         TactPileRun *run, double *times, int most);
bool tact_pile_part_write(const char *path, const TactPileScene *scene, const TactSim *sim,
                          const TactPileRun *run, const double *times);

/// Other engines beside tact.
typedef struct TactPilePeers {
    const char *module;  // where they are; NULL: tact-peers.so beside the program
    const char *engines; // which, names between commas
    double      budget;  // seconds an engine; one that takes longer is stopped
} TactPilePeers;

/// Runs a scene in all engines, each in a process of its own, prints a table and writes rows to
/// csv unless that is NULL. Returns the exit status.
int tact_pile_compare(const TactPileScene *scene, double time, const TactPilePeers *peers,
                      FILE *csv);

#endif
