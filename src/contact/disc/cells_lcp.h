// The LCP of all cells, assembled: Lloyd's form [Lloyd04, eq. 8] with a multiplier for every disc.
//
//     nu    = N'N theta + N'D phi            + N'k
//     sigma = D'N theta + D'D phi + E lambda + D'k
//     gamma = B theta   - E' phi             + bound
//
// A disc has columns D along its directions (a polygon: its corners; one dimension: both signs;
// three and more, which only the exact cone has: both signs of an orthonormal frame) and one
// lambda; B has a 1 where a disc belongs to a normal. With z = (theta, phi, lambda)
//
//     z' A z = |N theta + D phi|^2 + lambda' B theta >= 0 for all z >= 0:
//
// copositive, as without spinning and rolling, so Lemke's method ends at an answer or at a ray that
// proves that there is none [Cottle, Pang, Stone 1992, 4.4.12].
#ifndef TACT_CONTACT_DISC_CELLS_LCP_H
#define TACT_CONTACT_DISC_CELLS_LCP_H

#include "contact/disc/cell.h"

typedef struct TactCellsLcp {
    int     most;                       // unknowns there is room for
    double *A;                          // (most x most)
    double *q;                          // (most)
    double *z;                          // (most)
    double *G;                          // N and D, one after the other                 (most x dof)
    double *k;                          // what they add to v                           (most)
    int    *gamma;                      // row of the bound of a column; -1: a theta    (most)
    int    *owner;                      // cell of a column, or of a multiplier         (most)
    double (*axis)[TACT_CELL_DISCS][5]; // direction 0 of the discs: 0: as given (items)
    double (*direction)[TACT_CELL_MOST]; // in the components of its cell        (most)
    TactLcpSolver *solver;
} TactCellsLcp;

void tact_cells_lcp_layout(TactCellsLcp *lcp, const TactContactCapacity *capacity, int most,
                           TactArena *arena);

/// Forgets how the discs were turned.
void tact_cells_lcp_begin(TactCellsLcp *lcp, int cells);

/// Turns round discs so that direction 0 opposes the motion that x and v have, or is that of the
/// load where nothing moves.
void tact_cells_lcp_turn(TactCellsLcp *lcp, TactCells *cells);

/// Solves into cells->x. TACT_OUTCOME_LIMIT if it does not fit.
TactContactOutcome tact_cells_lcp_solve(TactCellsLcp *lcp, TactCells *cells,
                                        TactContactReport *report);

/// Most unknowns of a problem of this size.
size_t tact_cells_lcp_most(const TactContactCapacity *capacity);

#endif
