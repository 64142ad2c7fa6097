// Inside of `tact bench sim`.
#ifndef TACT_BENCH_SIM_SIM_H
#define TACT_BENCH_SIM_SIM_H

#include <stdbool.h>
#include <stdio.h>
#include <tact/sim.h>

#include "bench/peers.h"

enum { TACT_SIM_ENGINES = 12, TACT_SIM_SCENES = 16, TACT_SIM_CHUNKS = 50 };

/// tact itself as an engine.
extern const TactSimPeer tact_sim_own;

typedef struct TactSimScene {
    const char *name;
    const char *file;    // in scenes/, or below TACT_SHARED if it has a folder; NULL: a pile
    int         boxes;   // along an edge of the pile
    double      time;    // s
    double      step;    // s
    bool        at_rest; // drift is how far anything has moved
    const char *says;
    double      settle; // s of steps before those that count
    bool        sleeps; // what rests is left out, in engines that can do that
} TactSimScene;

/// What an engine's bodies did, from their poses by code that knows no engine.
typedef struct TactSimHeld {
    double drift;       // furthest way of a body in the last four fifths of the run, m
    double joint_error; // widest gap of a joint, m
    double penetration; // deepest overlap of two geoms, m
} TactSimHeld;

/// Why a round did not come to its end.
typedef enum TactSimEnd {
    TACT_SIM_COMPLETE,
    TACT_SIM_GAVE_UP,   // the engine said so
    TACT_SIM_TIME_OVER, // of the budget, between two steps
    TACT_SIM_STOPPED,   // in the middle of a step, or it died there
} TactSimEnd;

/// One engine on one scene, once. Written as it goes, so that what was done is known of an engine
/// that is stopped too.
typedef struct TactSimRound {
    bool        taken;
    int         steps;    // done, of those that were asked for
    double      contacts; // points of all of them
    TactSimEnd  end;
    double      chunk[TACT_SIM_CHUNKS]; // seconds; infinite: not reached
    double      bytes;                  // of memory the process has taken, other engines only
    double      spent;                  // seconds
    TactSimHeld held;                   // NaN: it was stopped before anybody looked
} TactSimRound;

/// One engine on one scene.
typedef struct TactSimCell {
    bool        taken;
    int         steps;    // done, of those that were asked for
    TactSimEnd  end;      // of the last round
    double      seconds;  // a step: sum over chunks of the best of the rounds; no step: at least
    double      contacts; // mean number of points
    double      bytes;    // of memory, other engines only
    TactSimHeld held;
} TactSimCell;

/// Runs `round` in a process of its own, which is stopped after `longest` seconds of
/// the processor. What it writes
/// to *result before that is kept.
typedef void TactSimRoundFunction(void *context, TactSimRound *result);
bool         tact_sim_run_apart(TactSimRoundFunction *round, void *context, double longest,
                                TactSimRound *result);

/// What tact says of itself.
typedef struct TactSimOwnFigures {
    int    solves, certified; // contact problems
    double error;             // worst certified
    size_t made;              // bytes of a simulation that was made,
    size_t grown;             //   and of what it has taken since
    int    contacts;          // at the most
} TactSimOwnFigures;

/// From now on the library's memory is counted; false: no more. Not while it holds any.
void   tact_sim_count_memory(bool on);
size_t tact_sim_memory_held(void); // bytes

typedef struct TactSimBench {
    int                 engines, scenes;
    const TactSimPeer  *engine[TACT_SIM_ENGINES]; // tact is the first
    const TactSimScene *scene[TACT_SIM_SCENES];
    int                 nv[TACT_SIM_SCENES], bodies[TACT_SIM_SCENES];
    TactSimOwnFigures   own[TACT_SIM_SCENES];
    TactSimCell         cell[TACT_SIM_SCENES][TACT_SIM_ENGINES];
} TactSimBench;

/// All engines on one scene, in turn, `rounds` times or until an engine has used up its budget.
/// Fills row `scene` of the cells.
TactStatus tact_sim_bench_run(TactSimBench *bench, int scene, const char *path, int rounds,
                              double budget);

/// Layers of boxes that lie on each other, each layer a little aside of the one below, as MJCF.
TactStatus tact_sim_write_pile(int edge, const char *path);
/// A model of plain geoms as MJCF without classes, replication and includes. TACT_UNSUPPORTED if it
/// has other things.
TactStatus tact_sim_write_flat(const TactModel *model, const char *path);

typedef struct TactSimMeasure TactSimMeasure;
TactStatus tact_sim_measure_create(const TactModel *model, TactSimMeasure **measure);
void       tact_sim_measure_destroy(TactSimMeasure *measure);
/// start, now: poses of all bodies.
TactStatus tact_sim_measure_run(TactSimMeasure *measure, const TactTransform *start,
                                const TactTransform *now, TactSimHeld *held);

void tact_sim_print_scene(const TactSimBench *bench, int scene);
void tact_sim_print_wanted(const TactSimBench *bench);
void tact_sim_print_scaling(const TactSimBench *bench);
int  tact_sim_write_csv(const TactSimBench *bench, const char *path);

#endif
