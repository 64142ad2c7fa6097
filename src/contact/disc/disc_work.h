// Memory of what the methods do with patches.
#ifndef TACT_CONTACT_DISC_DISC_WORK_H
#define TACT_CONTACT_DISC_DISC_WORK_H

#include "contact/disc/cells_lcp.h"
#include "contact/disc/link.h"

/// Items of a problem that the ladder pivots on.
enum { TACT_DISC_MOST_PIVOTING = 300 };

typedef struct TactDiscWork {
    TactMethod   pivot;         // reduced or structural; no entry: the method does not pivot
    bool         has_pivot;     // there is memory for it
    TactArena    pivot_arena;   // of a lazy ladder for large problems
    TactMethod   springs;       // ladder, of its rungs on springs; no entry: not for this size
    bool         has_springs;   // there is memory for them
    TactArena    springs_arena; // of a lazy ladder
    bool         cells_made;    // there is memory for the cells,
    bool         lcp_made;      //   and for their LCP
    TactArena    cells_arena;   // of a lazy ladder
    TactArena    lcp_arena;     //
    bool         has_cells;     // of the present problem
    double      *best;          // impulses of the smallest certified error           (3 items)
    double       best_error;    // that
    TactCells    cells;
    TactCellsLcp lcp;
} TactDiscWork;

void       tact_disc_layout(TactMethod *method, TactArena *arena);
TactStatus tact_disc_create(TactMethod *method);
void       tact_disc_destroy(TactMethod *method);

/// What the ladder starts with: pivots, and springs where they fail; or springs.
typedef enum TactDiscSize { TACT_DISC_TINY, TACT_DISC_SMALL, TACT_DISC_LARGE } TactDiscSize;

/// Tiny: springs are not tried; large: they are first.
TactDiscSize tact_disc_size(const TactSystem *linked);

/// Memory for pivots, springs, cells, and their LCP, where a lazy ladder has not made it before.
TactStatus tact_disc_grow_pivot(const TactMethod *method);
TactStatus tact_disc_grow_springs(const TactMethod *method);
TactStatus tact_disc_grow_cells(const TactMethod *method);
TactStatus tact_disc_grow_lcp(const TactMethod *method);

#endif
