// A contact with all its friction, a unilateral row, or a motor: a cell. Everything is in the
// coordinates of patch.h, x_k = p_k / mu_k and v_k = mu_k u_k, in which friction is |x_disc| <=
// x_0.
#ifndef TACT_CONTACT_DISC_CELL_H
#define TACT_CONTACT_DISC_CELL_H

#include "contact/method.h"
#include "contact/newton/newton.h"
#include "contact/patch.h"

enum { TACT_CELL_MOST = 6, TACT_CELL_DISCS = 3 };

typedef struct TactCellDisc {
    int    first; // component
    int    dim;
    int    directions; // of a polygon; 0: the disc
    double turn;       // angle of direction 0
    double w;          // mean of the diagonal of W
} TactCellDisc;

typedef struct TactCell {
    int          count;      // components
    bool         has_normal; // component 0; a motor has none
    int          disc_count;
    TactCellDisc disc[TACT_CELL_DISCS];
    int          place[TACT_CELL_MOST]; // of p_k among the impulses of the items
    double       mu[TACT_CELL_MOST];
    double       e[TACT_CELL_MOST];                 // v = C'y + e + compliance x_0
    double       W[TACT_CELL_MOST][TACT_CELL_MOST]; // C'C, compliance included
    double       w;                                 // W_00; of a motor that of its disc
    double       bound;                             // of a motor
    double       compliance;
    int          size;    // of its support
    size_t       support; // where that starts in cells->support
    size_t       column;  // and its columns in cells->columns: [component][size]
} TactCell;

/// The linearised law of a cell: dx = T'z + d, E_k dv + direct_k z_k = right_k.
typedef struct TactCellStep {
    int    unknowns;
    double T[TACT_CELL_MOST][TACT_CELL_MOST]; // [unknown][component]
    double E[TACT_CELL_MOST][TACT_CELL_MOST]; // [equation][component]
    double d[TACT_CELL_MOST];
    double direct[TACT_CELL_MOST];
    double right[TACT_CELL_MOST];
} TactCellStep;

typedef struct TactCells {
    const TactSystem *system;
    int               count;
    TactCell         *cells;   // (items)
    int              *support; // degrees of freedom, one list after the other  (items x support)
    double           *columns; // (6 items x support)
    int              *item_of; // a contact, or contacts + row; -1: none        (2 items)
    int              *mark;    // place of a dof in a support; -1: none         (dof)
    double           *x;       // (6 items)
    double           *v;       // (6 items)
    double           *dx;      // (6 items)
    double           *best;    // x of least error                              (6 items)
    double           *start;   // x as it came in                               (6 items)
    double           *y;       // y0 + C x                                      (dof)
    double           *load;    // |C| |x|, then scratch                         (dof)
    double            best_error;
    TactCellStep     *steps;    // (items)
    TactEnvelope      envelope; // of the matrix of a step
    TactNewtonOrder   order;
    double           *right;      // (dof)
    double           *f;          // a column                                        (dof)
    double           *block;      // of a cell (support x support)
    double            compliance; // of a constraint in a step, in units of w
    double            sweep_work, step_work; // operations
} TactCells;

void tact_cells_layout(TactCells *cells, const TactContactCapacity *capacity, TactArena *arena);

/// Takes a built system of an expanded problem. x is 0.
void tact_cells_begin(TactCells *cells, const TactSystem *system, const TactPatches *patches,
                      TactContactCone cone);

/// Takes the offsets of the system once more.
void tact_cells_offsets(TactCells *cells);

/// x from the impulses of the items, and back.                                 p: (3 items)
void tact_cells_take(TactCells *cells, const double *p);
void tact_cells_give(const TactCells *cells, const double *x, double *p);

/// y = y0 + C x and v of all cells.
void tact_cells_move(TactCells *cells);

/// v of one cell from y.
void tact_cell_velocity(const TactCells *cells, int c, double v[TACT_CELL_MOST]);

/// x_c += dx, y with it.
void tact_cell_push(TactCells *cells, int c, const double dx[TACT_CELL_MOST]);

/// Worst residual of the law over its scale; x and v belong together. Keeps x if it is the best.
double tact_cells_error(TactCells *cells);

// ---------------------------------------------------------------------------------------------
// The law of one cell (cell_law.c)

/// Unit vectors across a unit vector e.                                  (dim - 1)
void tact_cell_across(int dim, const double *e, double f[4][5]);

/// Natural map: residuals x - P(x - v / w) of the components, times w, m/s.
void tact_cell_residual(const TactCell *cell, const double *x, const double *v, double *residual);

/// The law, linearised at x, v with a step of rho.
void tact_cell_linearise(const TactCell *cell, const double *x, const double *v, double rho,
                         TactCellStep *step);

/// Solves a cell exactly: v = W x + b. x comes in as a guess. False: x is the best that was found.
bool tact_cell_solve(const TactCell *cell, const double *b, double *x);

// ---------------------------------------------------------------------------------------------
// All cells

/// Newton steps until the error is at most tol; true if it is. x is the best found, or as it was.
bool tact_cells_newton(TactCells *cells, double rho, int max_steps, double tol, int *steps);

/// One sweep over all cells.
void tact_cells_sweep(TactCells *cells);

#endif
