// Memory of what the methods do with patches.
#ifndef TACT_CONTACT_DISC_DISC_WORK_H
#define TACT_CONTACT_DISC_DISC_WORK_H

#include "contact/disc/cells_lcp.h"
#include "contact/disc/link.h"

/// Items of a problem that the ladder pivots on.
enum { TACT_DISC_MOST_PIVOTING = 300 };

typedef struct TactDiscWork {
    TactMethod   pivot;       // reduced or structural; no entry: the method does not pivot
    bool         cells_made;  // there is memory for the cells,
    bool         lcp_made;    //   and for their LCP
    TactArena    cells_arena; // of a lazy ladder
    TactArena    lcp_arena;   //
    bool         has_cells;   // of the present problem
    TactCells    cells;
    TactCellsLcp lcp;
} TactDiscWork;

void       tact_disc_layout(TactMethod *method, TactArena *arena);
TactStatus tact_disc_create(TactMethod *method);
void       tact_disc_destroy(TactMethod *method);

/// Memory for cells, and for their LCP, which few problems of a lazy ladder need.
TactStatus tact_disc_grow_cells(const TactMethod *method);
TactStatus tact_disc_grow_lcp(const TactMethod *method);

#endif
