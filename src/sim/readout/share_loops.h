// Forces of least norm for loops and couplings that hold the same thing more than once.
#ifndef TACT_SIM_READOUT_SHARE_LOOPS_H
#define TACT_SIM_READOUT_SHARE_LOOPS_H

#include "linalg/row_space.h"
#include "sim/sim.h"

enum { TACT_LOOP_ROWS = 6 }; // of an equality

/// The bilateral rows of an island. Pieces are rows that have one norm together: an equality.
typedef struct TactLoopShare {
    TactArena    arena;
    int          row_room, dof_room;
    int          count;     // rows
    int          dof_count; //
    int         *rows;      // of the simulation, piece by piece                       (rows)
    int         *piece;     // place of the first row of its piece                     (rows)
    int         *dofs;      // of the island                                           (dofs)
    double      *L;         // S = L L' of every piece, lower triangle by rows         (6 rows)
    double      *before;    // impulses as they were found                             (rows)
    double      *x;         // L' impulse                                              (rows)
    TactRowSpace space;     // of L^-1 J
} TactLoopShare;

typedef enum TactLoopSharing {
    TACT_LOOPS_UNIQUE,
    TACT_LOOPS_SHARED,
    TACT_LOOPS_KEPT, // too many, or what was found does not give the same motion
} TactLoopSharing;

/// Gives the bilateral rows of an island the impulses of least norm; the step is open.
TactStatus tact_share_loops_run(TactLoopShare *loops, TactSim *sim, int island,
                                TactLoopSharing *found);
void       tact_share_loops_destroy(TactLoopShare *loops);

/// Has the last step rows of loops or couplings?
bool tact_share_loops_has(const TactSim *sim);

#endif
