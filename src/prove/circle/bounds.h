// The equations of a contact problem in intervals that hold the exact ones: what laws.h is in
// rationals. Variables in the same order: v+ (dof), p_n p_1 p_2 of contacts, impulses of rows.
#ifndef TACT_PROVE_CIRCLE_BOUNDS_H
#define TACT_PROVE_CIRCLE_BOUNDS_H

#include <tact/contact.h>

#include "prove/circle/interval.h"

typedef struct TactBoundForm {
    int          first, count; // of its entries
    TactInterval constant;
} TactBoundForm;

typedef struct TactBounds {
    const TactContactProblem *problem;
    int                       dof, contacts, rows, variables;
    int                       used, room;
    int                      *variable; // of an entry                                   (used)
    TactInterval             *value;    //                                               (used)
    TactBoundForm            *u;        // over v+, or over p with W; the compliance of a contact is
                                        //   not in it                         (3 contacts + rows)
    TactBoundForm *dynamics;            // M v+ - (M v + h f), without impulses          (dof)
} TactBounds;

TactStatus tact_bounds_create(const TactContactProblem *problem, TactBounds *bounds);
void       tact_bounds_destroy(TactBounds *bounds);

/// Value of a form for variables in x.                                          (variables)
TactInterval tact_bounds_evaluate(const TactBounds *bounds, const TactBoundForm *form,
                                  const TactInterval *x);

#endif
