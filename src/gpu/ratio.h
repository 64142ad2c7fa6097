// The ratio test of the lane code: which variable leaves first, and what ties.
#ifndef TACT_GPU_RATIO_H
#define TACT_GPU_RATIO_H

#include "gpu/lanes.h"

// What ties with z0: as in contact/pivot_rules.h.
#define TACT_BODY_LEAVE_TIE 1e-10

/// The variable that leaves, so far.
typedef struct TactBodyLeaving {
    double value; // >= 0
    double under; // - rate; 0: none
    int    code;  // of one body contact * 64 + pair * 2, of a mechanism pair * 2; + 1: the
                  //   unknown and not the row
} TactBodyLeaving;

/// a leaves before b: clearly earlier, or at the same time and with the larger rate. The same
/// answer whoever is asked.
TACT_LANE int tact_body_is_before(const TactBodyLeaving *a, const TactBodyLeaving *b, double tie)
{
    int earlier = (a->value + tie) * b->under < b->value * a->under;
    int later = (b->value + tie) * a->under < a->value * b->under;
    int larger = a->under > b->under || (a->under == b->under && a->code < b->code);
    return b->under == 0 ? a->under > 0 : a->under > 0 && (earlier || (!later && larger));
}

/// What a sweep carries along.
typedef struct TactBodySweep {
    TactBodyLeaving best;
    double          least; // least value of all
    double          tol;   // of rates
    double          tie;   // how far a value may fall below 0
} TactBodySweep;

TACT_LANE void tact_body_meet(TactBodySweep *sweep, double value, double rate, int code)
{
    TactBodyLeaving next = {value > 0 ? value : 0, -rate > sweep->tol ? -rate : 0, code};
    sweep->least = value < sweep->least ? value : sweep->least;
    if (tact_body_is_before(&next, &sweep->best, sweep->tie)) {
        sweep->best = next;
    }
}

#endif
