// Which columns of a matrix depend on each other.
#ifndef TACT_CONTACT_CERTIFICATE_DIAGNOSE_H
#define TACT_CONTACT_CERTIFICATE_DIAGNOSE_H

#include <stdbool.h>

#include "base/memory.h"

/// Columns of unit length (or 0), and what is found out about them.
typedef struct TactDependence {
    int     rows;
    int     count;     // columns
    int     most;      // largest possible rank: min(rows, count)
    int     rank;      // out
    double *columns;   // column k at columns + k * rows; destroyed         (count x rows)
    int    *owner;     // what a column belongs to                          (count)
    int    *group;     // out: one column of its dependent group; -1: depends on no other (count)
    double *basis;     // scratch: orthonormal                              (most x rows)
    double *R;         // scratch: basis' columns, column by column         (count x most)
    double *left;      // scratch: squares of what is left of a column      (count)
    int    *order;     // scratch: the first rank of them are pivots        (count)
    bool   *dependent; // scratch                                         (count)
} TactDependence;

/// Lends the arrays for given rows and count; runs twice (base/memory.h).
void tact_dependence_layout(TactDependence *dependence, int rows, int count, TactArena *arena);

/// Rank, and the groups of columns that depend on each other: two columns are in one group if a
/// chain of minimal dependences (circuits) leads from one to the other. Those of one factor
/// suffice: the columns that are no pivots, each with the pivots that it is a sum of. Dependent
/// columns of the same owner are in one group.
void tact_dependence_find(TactDependence *dependence);

#endif
