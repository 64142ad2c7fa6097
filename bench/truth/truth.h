// Inside of `tact bench truth`: random scenes, and what an engine's states say about its steps.
//
// Nothing here asks an engine how well it did. All figures are computed from positions and
// velocities before and after a step, by code that knows no solver; only the correction that tact
// reports, and how many of its contact problems are certified, stand beside them.
#ifndef TACT_BENCH_TRUTH_TRUTH_H
#define TACT_BENCH_TRUTH_TRUTH_H

#include <stdbool.h>
#include <stdio.h>
#include <tact/math.h>
#include <tact/model.h>
#include <tact/verify.h>

#include "bench/peers.h"

// ---------------------------------------------------------------------------------------------
// Scenes

typedef enum TactTruthFamily {
    TACT_TRUTH_DROP,       // 2 to 6 bodies and mechanisms fall on a plane and on each other
    TACT_TRUTH_FREE_SPACE, // 2 to 4 bodies collide without gravity and floor
    TACT_TRUTH_IMPACT_64,  // boxes fall into a bin
    TACT_TRUTH_IMPACT_216, //
    TACT_TRUTH_FAMILY_COUNT,
    TACT_TRUTH_FILES = TACT_TRUTH_FAMILY_COUNT // not drawn: named by the user
} TactTruthFamily;

const char *tact_truth_family_name(TactTruthFamily family);

/// Which scene: the same numbers give the same text, but for the step that it asks for.
typedef struct TactTruthScene {
    TactTruthFamily family;
    int             seed;
    int             index;
} TactTruthScene;

/// The scene as MJCF, with velocities in a keyframe if it has any, and as a model. Nothing overlaps
/// at the start: drawings that do are thrown away. The text is to be freed.
TactStatus tact_truth_make_scene(const TactTruthScene *scene, double step, char **text,
                                 TactModel **model);

// ---------------------------------------------------------------------------------------------
// Measures

/// All bodies at one moment, world frame.
typedef struct TactTruthState {
    TactTransform *poses;       //                                                     (bodies)
    TactTwist     *twists;      // linear: of the centre of mass                       (bodies)
    bool           coordinates; // are q and v known? Engines without joint coordinates have none
    double        *q, *v;       //                                                     (nq), (nv)
} TactTruthState;

TactStatus tact_truth_state_create(const TactModel *model, TactTruthState *state);
void       tact_truth_state_destroy(TactTruthState *state);

typedef struct TactTruthMeasure TactTruthMeasure;

TactStatus tact_truth_measure_create(const TactModel *model, TactTruthMeasure **measure);
void       tact_truth_measure_destroy(TactTruthMeasure *measure);

/// Poses and twists of joint coordinates; copies q and v into the state.
TactStatus tact_truth_set_coordinates(TactTruthMeasure *measure, const double *q, const double *v,
                                      TactTruthState *state);

/// How far bodies are from where the velocity after a step takes them.
typedef struct TactTruthDeparture {
    double way;  // worst body, m
    double turn; // worst free body, rad
} TactTruthDeparture;

/// Of every body the least of three distances counts: its centre of mass against a straight line,
/// its origin against a straight line, and its centre of mass against joint coordinates moved along
/// v (where there are any). Engines differ in which of these they integrate; each is 0 for one of
/// them. Rotation: against free flight with the angular momentum after the step, or against
/// constant angular velocity, whichever is nearer.
TactStatus tact_truth_departure(TactTruthMeasure *measure, const TactTruthState *before,
                                const TactTruthState *after, double h,
                                TactTruthDeparture *departure);

/// Deepest overlap of two geoms that may touch, m; negative: the smallest gap found, or -infinity.
TactStatus tact_truth_depth(TactTruthMeasure *measure, const TactTruthState *state, double *depth);

typedef struct TactTruthEnergy {
    double kinetic, potential; // J
} TactTruthEnergy;

TactTruthEnergy tact_truth_energy(const TactModel *model, const TactTruthState *state);

/// Momentum of the whole, and the sums of the magnitudes of those of its bodies.
typedef struct TactTruthMomentum {
    TactVec3 linear, angular;         // about the origin of the world
    double   linear_sum, angular_sum; //
} TactTruthMomentum;

TactTruthMomentum tact_truth_momentum(const TactModel *model, const TactTruthState *state);

/// Largest change of a tree's mean velocity in a time h beyond that of free flight, m/s.
double tact_truth_disturbance(const TactModel *model, const TactTruthState *before,
                              const TactTruthState *after, double h);

/// Fastest body, m/s or rad/s.
double tact_truth_speed(const TactModel *model, const TactTruthState *state);

// ---------------------------------------------------------------------------------------------
// Runs

typedef enum TactTruthEnd {
    TACT_TRUTH_COMPLETE,
    TACT_TRUTH_CANNOT,    // the engine does not take the scene
    TACT_TRUTH_GAVE_UP,   // the engine said so, or a state is not finite
    TACT_TRUTH_TIME_OVER, // the budget was used up
    TACT_TRUTH_DIED,      // or was stopped in the middle of a step
} TactTruthEnd;

/// One engine, one scene, one step length: the worst of all steps that were done.
typedef struct TactTruthRun {
    TactTruthEnd end;
    int          steps;          // done
    double       departure;      // over whole steps, m
    double       part_departure; // over the parts of divided steps, m; whole steps elsewhere
    double       beyond;         // the same, less the correction that is reported, m
    double       correction;     // largest that is reported, m or rad
    double       turn;           // departure of rotations, as part_departure, rad
    double       depth;          // deepest overlap, m
    double       energy;         // largest rise in a step, relative
    double       momentum;       // drift, relative
    double       angular;        // drift of angular momentum, relative
    double       impact, rest;   // s; infinite: none until the end
    double       departure_time; // when part_departure, depth and energy were worst, s
    double       depth_time;     //
    double       energy_time;    //
    long         islands;        // contact problems of tact,
    long         certified;      //   and how many of them are certified
    long         parts;          // of all steps
    long         proven;         // steps whose certificate holds (verify.h)
    long         failed[TACT_STEP_LAW_COUNT]; // steps in which a law of it does not
    bool         jointed;                     // are there mechanisms in the scene?
    double       seconds;                     // of all steps, without the measuring
} TactTruthRun;

/// tact's own engine, and what only it knows of its last step.
extern const TactSimPeer tact_truth_own;

typedef struct TactTruthOwnStep {
    TactTruthDeparture  departure;  // worst part
    double              beyond;     // way, less the correction that is reported
    double              correction; //
    int                 parts, islands, certified;
    TactStepCertificate certificate;
} TactTruthOwnStep;

TactTruthOwnStep tact_truth_own_step(const void *engine);

/// What a run needs. It starts at the first keyframe, or at the reference, at rest.
typedef struct TactTruthTask {
    const TactModel   *model;
    const char        *path; // of the scene
    const TactSimPeer *engine;
    double             step;   // s
    double             time;   // s
    double             budget; // s
    bool               quick;  // times of impact and rest only
    /// Is shown the start, step 0, and the state after every step. NULL: nobody looks.
    void (*watch)(void *watcher, int step, const TactTruthState *state);
    void *watcher;
} TactTruthTask;

TactStatus tact_truth_run(const TactTruthTask *task, TactTruthRun *run);
/// The same in a process of its own.
TactStatus tact_truth_run_apart(const TactTruthTask *task, TactTruthRun *run);

// ---------------------------------------------------------------------------------------------
// Tables

enum { TACT_TRUTH_ENGINES = 6, TACT_TRUTH_STEPS = 4 };

/// A figure over scenes: how many exceed a bound, and the worst.
typedef struct TactTruthCount {
    int    scenes;
    double worst;
    int    index; // scene of the worst; -1: none
    double time;  // at which it was, s
} TactTruthCount;

/// Differences from the run at 0.1 ms.
typedef struct TactTruthTimes {
    int    compared; // scenes
    int    within;   // two steps
    int    missing;  // one of the two runs has no such time
    double sum, squares;
} TactTruthTimes;

/// One engine at one step length over all scenes of a family.
typedef struct TactTruthCell {
    int            scenes;
    int            ends[TACT_TRUTH_DIED + 1];
    TactTruthCount departure;  // part_departure > 1 mm
    TactTruthCount whole;      // departure > 1 mm over whole steps
    TactTruthCount beyond;     // > 1e-9 m
    TactTruthCount correction; // > 1 mm
    TactTruthCount turn;       // > 0.01 rad
    TactTruthCount depth;      // deeper than wanted
    TactTruthCount energy;     // > 1e-9
    TactTruthCount much;       // energy > 1e-3
    TactTruthCount loose;      // energy > 1e-9 in scenes of free bodies alone
    TactTruthCount jointed;    //   and in those with mechanisms
    TactTruthCount momentum;   // > 1e-9
    TactTruthCount angular;    // > 1e-9
    TactTruthTimes impact, rest;
    long           islands, certified, parts, steps, proven;
    long           failed[TACT_STEP_LAW_COUNT];
    double         seconds;
} TactTruthCell;

typedef struct TactTruthBench {
    int                engines, steps;
    const TactSimPeer *engine[TACT_TRUTH_ENGINES]; // tact is the first
    double             step[TACT_TRUTH_STEPS];     // s
    TactTruthFamily    family;
    int                seed, first, scenes;
    double             time;
    TactTruthCell      cell[TACT_TRUTH_STEPS][TACT_TRUTH_ENGINES];
} TactTruthBench;

/// Depth that is wanted at most at this step, m.
double tact_truth_depth_bound(double step);
/// Adds a run; reference: the same at 0.1 ms, or NULL.
void tact_truth_add_run(TactTruthBench *bench, int step, int engine, int index,
                        const TactTruthRun *run, const TactTruthRun *reference);
void tact_truth_print(const TactTruthBench *bench);
/// Prints what is wanted of tact and what came out; true: all held.
bool tact_truth_print_wanted(const TactTruthBench *bench);
void tact_truth_csv_head(FILE *file);
void tact_truth_csv_rows(FILE *file, const TactTruthBench *bench);
void tact_truth_each_head(FILE *file);
void tact_truth_each_row(FILE *file, const TactTruthBench *bench, int step, int engine, int index,
                         const TactTruthRun *run);
/// Writes the scenes that were worst for tact.
TactStatus tact_truth_save_worst(const TactTruthBench *bench, const char *folder);

#endif
