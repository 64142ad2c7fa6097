// Do two shapes come near each other on their ways?
#ifndef TACT_COLLIDE_SWEEP_H
#define TACT_COLLIDE_SWEEP_H

#include <tact/collide.h>

/// A shape that moves at a constant velocity for a time of 1.
typedef struct TactSweep {
    const TactShape *shape;
    TactTransform    from;
    TactVec3         middle; // what moves in a straight line and is turned about, in its frame
    double           radius; // of the shape around it, m
    TactVec3         move;   // m
    TactVec3         turn;   // angle along the axis, rad
} TactSweep;

/// Where it is after a time.
TactTransform tact_sweep_at(const TactSweep *sweep, double time);

/// Do they come within margin, and when? By steps that cannot pass the first touch [Mirtich 1996,
/// conservative advancement]. No: never. Yes: they do at that time to rounding, or have passed so
/// near until then that many steps did not tell.
bool tact_sweeps_meet(const TactSweep *a, const TactSweep *b, double margin, double *time);

/// When, after a time, they are nearest to each other, if they come nearer until then and part from
/// then on, as shapes do that turn a little only.
double tact_sweeps_find_nearest(const TactSweep *a, const TactSweep *b, double from);

/// The time until which they overlap by no more than depth > 0, or than they do at first; 1: to the
/// end. By more, > 0, than that if they are that near at first: what touches already need not stop
/// for a little. Looks again after no less than the time look > 0, so that it may not see how they
/// graze each other in between; what it tells it has seen.
double tact_sweeps_hold(const TactSweep *a, const TactSweep *b, double depth, double more,
                        double look);

#endif
