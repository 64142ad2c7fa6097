// Items of a curve by their pieces (pieces.h), four at a time: z, how it changes along a step, and
// how far the step may go.
#ifndef TACT_CONTACT_PILE_FOURS_H
#define TACT_CONTACT_PILE_FOURS_H

#include <stdbool.h>
#include <stddef.h>

#include "base/memory.h"
#include "contact/pile/pieces.h"

enum { TACT_PILE_FOUR = 4, TACT_PILE_FOUR_SIZE = 3 * TACT_PILE_FOUR };

typedef struct TactPileFours {
    int     count;     // items; arrays have room for whole fours
    double *z, *d;     // z and its change, 3 x 4 numbers for each four              (3 items)
    double *mu;        //                                                            (items)
    double *stiffness; // 1 / k                                                      (items)
    double *state;     // TactPileState, as a number                                 (items)
} TactPileFours;

void tact_pile_fours_layout(TactPileFours *fours, size_t items, TactArena *arena);

/// So many items; those that make the last four whole are open and stay where they are.
void tact_pile_fours_begin(TactPileFours *fours, int count);

/// Where c of an item stands in z and d.
static inline size_t tact_pile_four_at(int i, int c)
{
    return (size_t)(i / TACT_PILE_FOUR) * TACT_PILE_FOUR_SIZE + (size_t)(TACT_PILE_FOUR * c) +
           (size_t)(i % TACT_PILE_FOUR);
}

static inline void tact_pile_four_get(const double *z, int i, double out[3])
{
    for (int c = 0; c < 3; c++) {
        out[c] = z[tact_pile_four_at(i, c)];
    }
}

static inline void tact_pile_four_set(double *z, int i, const double in[3])
{
    for (int c = 0; c < 3; c++) {
        z[tact_pile_four_at(i, c)] = in[c];
    }
}

/// What bounds a step, in impulses.
typedef struct TactPileBounds {
    double reach;  // change of an impulse
    double turn;   // error that the turn of a slip makes,
    double least;  //   and load below which it makes none
    int    newest; // item that has just changed its state: it does not change back within
    double again;  //   that
} TactPileBounds;

/// How far z may go along d, at most *step: to the first item that comes to the end of its piece,
/// or to that of its bounds, *bounded. Returns that item; -1: all of the step.
int tact_pile_fours_stop(const TactPileFours *fours, const TactPileBounds *bounds, double *step,
                         bool *bounded);

/// z += part d
void tact_pile_fours_take(const TactPileFours *fours, double part);

#endif
