// What the parts of a solve with states that change have in common: their systems
// (steady_systems.c), and which states come next (steady_change.c).
#ifndef TACT_CONTACT_PIVOT_STEADY_CHANGE_H
#define TACT_CONTACT_PIVOT_STEADY_CHANGE_H

#include "contact/pivot/turning.h"

typedef struct TactChange {
    TactSteadyWork   work;
    TactSteady      *arrays;
    TactSteadyStates now;
    TactSteadyStates next;
    double          *b, *z, *w; // offsets, impulses and velocities along columns, scaled
    double          *z0, *w0;   // those before, or of the states that came nearest
    double          *u, *p;     // of items                                      (3 items)
    const double    *G;         // (columns x columns), rows basis.ld apart
    int              columns;
    double           unit;     // largest offset, scaled
    double           tie;      // in units of it
    double           rounding; // slip that has no direction, in units of it
    double           worst;    // violation of what would change
    double           least;    // of what may
    int              flips;
    bool             changed, turned;
    bool             plain; // the law holds
    bool             whole; // the last step was not shortened
} TactChange;

/// Numbers the columns. false: there is no room, or an item of another kind.
bool tact_change_list_columns(TactChange *change);

/// G, whole: the system of all columns as unknowns.
void tact_change_put_products(TactChange *change);

/// The system of the states and its answer. false: there is none.
bool tact_change_solve(TactChange *change);

/// The same of the first system, without G.
bool tact_change_solve_first(TactChange *change, const TactCircleScratch *scratch);

/// Impulses and velocities of the items from those along the columns.
void tact_change_put_items(const TactChange *change);

#endif
