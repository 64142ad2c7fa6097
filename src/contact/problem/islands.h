// Parts of a system that do not touch each other, each a system of its own.
#ifndef TACT_CONTACT_PROBLEM_ISLANDS_H
#define TACT_CONTACT_PROBLEM_ISLANDS_H

#include "contact/system/system.h"

typedef struct TactIslands {
    int     count;
    int    *root;  // scratch: a tree over the degrees of freedom                  (dof)
    int    *named; // scratch: island of a root, -1: none yet                      (dof)
    int    *of;    // island of a group                                            (items)
    int    *start; // first group of an island in groups                           (items + 1)
    int    *group; // groups, one island after the other                           (items)
    int    *item;  // of the system, for each item of the part                     (items)
    double *p;     // impulses of the part                                         (3 items)

    TactSystem     part; // the island taken last; all else is the system's
    TactItem      *part_items;
    TactItemGroup *part_groups;
    int           *part_support;
    size_t        *part_column;
    double        *part_e; // (3 items)
    double        *part_b; // (3 items)
} TactIslands;

void tact_islands_layout(TactIslands *islands, const TactContactCapacity *capacity,
                         TactArena *arena);

/// Finds the islands of a system that has columns.
void tact_islands_find(TactIslands *islands, const TactSystem *system);

/// Makes one island a system: its items, with the degrees of freedom numbered as they were.
const TactSystem *tact_islands_take(TactIslands *islands, const TactSystem *system, int island);

/// Writes islands->p of the island taken last to its items of the system.   p: (3 item_count)
void tact_islands_put(const TactIslands *islands, double *p);

#endif
