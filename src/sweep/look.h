// One look at a simulation: the state that quantities are read from, and what measures make of it.
#ifndef TACT_SWEEP_LOOK_H
#define TACT_SWEEP_LOOK_H

#include "sweep/sweep.h"

/// Sums and extremes over the steps of a trial, as `tact run` has them.
typedef struct TactTotals {
    long   steps, contacts, solves, certified, out_of_budget, divided, unresolved;
    int    contacts_max;
    double error_max, penetration_max, loop_error_max, correction_max, damping;
    double step_time; // s
} TactTotals;

/// Where a body was when MOVED or TURNED began to count.
typedef struct TactReference {
    bool          there;
    TactTransform pose; // in the frame of the other body
} TactReference;

/// What a measure has seen.
typedef struct TactSeen {
    long   count;
    double value; // first, last, least, largest, sum or sum of squares
} TactSeen;

typedef struct TactLook {
    const TactSweep *sweep;
    TactSim         *sim;
    double           dt;   // of the trial, s
    double           time; // since its beginning, s
    TactTotals       totals;
    TactTransform   *poses;      //                                                (bodies)
    TactTwist       *twists;     //                                                (bodies)
    const double    *sensors;    //
    TactReference   *references; // of measures, then of stops      (measure_count + stop_count)
    TactSeen        *seen;       //                                         (measure_count)
} TactLook;

void tact_look_add_step(TactLook *look, const TactSimReport *report);
/// Reads poses, velocities and sensors, as far as they are asked for.
TactStatus tact_look_read(TactLook *look);
/// Tells all measures; start: before the first step.
void tact_look_measure(TactLook *look, bool start);
/// The stop whose condition holds; -1: none.
int tact_look_find_stop(TactLook *look, bool at_end);
/// What a measure says at the end; NaN: it has seen nothing.
double tact_look_result(const TactLook *look, int measure);
/// Forgets everything, for the next trial.
void tact_look_clear(TactLook *look);

#endif
