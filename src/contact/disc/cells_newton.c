// Newton's method on the law of all cells, in the space of motions as in newton_step.c:
//
//     z_c = (right_c - E_c C_c' dy) / direct_c
//     (I + sum_c C_c T_c direct_c^-1 E_c C_c') dy = sum_c C_c (d_c + T_c direct_c^-1 right_c)
//
// and sweeps, cell after cell.
#include <math.h>
#include <string.h>

#include "base/budget.h"
#include "base/clones.h"
#include "contact/disc/cell.h"

// A step that makes the error so many times larger is halved, a few times.
static const double WORSE = 10;
enum { HALVES = 4 };

// Steps without half the error before a try is given up: states go round and round.
enum { PATIENCE = 12 };

/// f = C_c a on the cell's support.
TACT_CALLED_BY_CLONES static void combine(const TactCells *cells, const TactCell *cell,
                                          const double *a, double *f)
{
    const double *column = cells->columns + cell->column;
    memset(f, 0, (size_t)cell->size * sizeof(double));
    for (int k = 0; k < cell->count; k++, column += cell->size) {
        for (int s = 0; s < cell->size && a[k] != 0; s++) {
            f[s] += column[s] * a[k];
        }
    }
}

static double direct_of(const TactCells *cells, const TactCell *cell, const TactCellStep *step,
                        int u)
{
    double least = cells->compliance * cell->w;
    for (int i = 0; i < cell->disc_count; i++) {
        const TactCellDisc *disc = &cell->disc[i];
        for (int k = disc->first; k < disc->first + disc->dim; k++) {
            least = step->E[u][k] != 0 ? cells->compliance * disc->w : least;
        }
    }
    double direct = step->direct[u] > least ? step->direct[u] : least;
    return direct + step->E[u][0] * cell->compliance * step->T[u][0] * cell->has_normal;
}

static bool shape(TactCells *cells)
{
    const int *place = cells->order.place;
    int       *first = cells->envelope.first;
    int        dof = cells->system->dof;
    if (dof > cells->envelope.most) {
        return false;
    }
    for (int j = 0; j < dof; j++) {
        first[j] = j;
    }
    for (int c = 0; c < cells->count; c++) {
        const TactCell *cell = &cells->cells[c];
        const int      *support = cells->support + cell->support;
        int             lowest = dof;
        for (int s = 0; s < cell->size; s++) {
            lowest = place[support[s]] < lowest ? place[support[s]] : lowest;
        }
        for (int s = 0; s < cell->size; s++) {
            int at = place[support[s]];
            first[at] = lowest < first[at] ? lowest : first[at];
        }
    }
    return tact_envelope_shape(&cells->envelope, dof);
}

/// K += f e' / direct on the support of a cell.                                  K: (size x size)
TACT_CLONES static void add_outer(int size, const double *f, const double *e, double direct,
                                  double *restrict K)
{
    for (int r = 0; r < size; r++) {
        double factor = f[r] / direct;
        for (int s = 0; s < size; s++) {
            K[r * size + s] += factor * e[s];
        }
    }
}

/// Summed on the cell's own support, then added to the matrix at once.
static void add_cell(TactCells *cells, int c)
{
    const TactCell     *cell = &cells->cells[c];
    const TactCellStep *step = &cells->steps[c];
    const int          *support = cells->support + cell->support;
    const int          *place = cells->order.place;
    double             *f = cells->load, *e = cells->f, *K = cells->block;
    size_t              size = (size_t)cell->size;
    memset(K, 0, size * size * sizeof(double));
    for (int u = 0; u < step->unknowns; u++) {
        double direct = direct_of(cells, cell, step, u);
        combine(cells, cell, step->T[u], f);
        combine(cells, cell, step->E[u], e);
        add_outer(cell->size, f, e, direct, K);
        for (int r = 0; r < cell->size; r++) {
            cells->right[place[support[r]]] += f[r] / direct * step->right[u];
        }
    }
    for (int r = 0; r < cell->size && step->unknowns > 0; r++) {
        for (int s = 0; s < cell->size; s++) {
            *tact_envelope_at(&cells->envelope, place[support[r]], place[support[s]]) +=
                K[(size_t)r * size + (size_t)s];
        }
    }
    combine(cells, cell, step->d, f);
    for (int s = 0; s < cell->size; s++) {
        cells->right[place[support[s]]] += f[s];
    }
}

/// dx of all cells from dy, which stands in y.
static void recover(TactCells *cells)
{
    for (int c = 0; c < cells->count; c++) {
        const TactCell     *cell = &cells->cells[c];
        const TactCellStep *step = &cells->steps[c];
        const int          *support = cells->support + cell->support;
        double             *dx = cells->dx + TACT_CELL_MOST * c, dv[TACT_CELL_MOST];
        const double       *column = cells->columns + cell->column;
        for (int k = 0; k < cell->count; k++, column += cell->size) {
            dv[k] = 0;
            for (int s = 0; s < cell->size; s++) {
                dv[k] += column[s] * cells->y[support[s]];
            }
            dx[k] = step->d[k];
        }
        for (int u = 0; u < step->unknowns; u++) {
            double off = step->right[u];
            for (int k = 0; k < cell->count; k++) {
                off -= step->E[u][k] * dv[k];
            }
            double z = off / direct_of(cells, cell, step, u);
            for (int k = 0; k < cell->count; k++) {
                dx[k] += z * step->T[u][k];
            }
        }
    }
}

/// dx of a step from x, v.
static bool find_step(TactCells *cells, double rho)
{
    int dof = cells->system->dof;
    if (!shape(cells) || tact_budget_spend(cells->step_work)) {
        return false;
    }
    for (int j = 0; j < dof; j++) {
        *tact_envelope_at(&cells->envelope, j, j) = 1;
        cells->right[j] = 0;
    }
    for (int c = 0; c < cells->count; c++) {
        tact_cell_linearise(&cells->cells[c], cells->x + TACT_CELL_MOST * c,
                            cells->v + TACT_CELL_MOST * c, rho, &cells->steps[c]);
        add_cell(cells, c);
    }
    if (tact_envelope_factor(&cells->envelope) >= 0) {
        return false;
    }
    tact_envelope_solve(&cells->envelope, cells->right);
    for (int j = 0; j < dof; j++) {
        cells->y[j] = cells->right[cells->order.place[j]];
    }
    recover(cells);
    return true;
}

/// x += part dx, and how good that is.
static double advance(TactCells *cells, double part)
{
    for (int k = 0; k < TACT_CELL_MOST * cells->count; k++) {
        cells->x[k] += part * cells->dx[k];
    }
    tact_cells_move(cells);
    return tact_cells_error(cells);
}

bool tact_cells_newton(TactCells *cells, double rho, int max_steps, double tol, int *steps)
{
    size_t bytes = TACT_CELL_MOST * (size_t)cells->count * sizeof(double);
    tact_cells_move(cells);
    double error = tact_cells_error(cells), least = error;
    bool   done = error <= tol;
    int    since = 0; // steps without much progress
    for (int k = 0; k < max_steps && !done && since < PATIENCE; k++) {
        if (!find_step(cells, rho)) {
            break;
        }
        ++*steps;
        double part = 1, next = advance(cells, 1);
        for (int half = 0; half < HALVES && !(next <= WORSE * error); half++) {
            part /= 2;
            next = advance(cells, -part);
        }
        if (!isfinite(next)) {
            break;
        }
        since = next < least / 2 ? 0 : since + 1;
        least = next < least ? next : least;
        error = next;
        done = error <= tol;
    }
    memcpy(cells->x, cells->best, bytes);
    return done;
}

void tact_cells_sweep(TactCells *cells)
{
    for (int c = 0; c < cells->count; c++) {
        const TactCell *cell = &cells->cells[c];
        double         *x = cells->x + TACT_CELL_MOST * c;
        double          v[TACT_CELL_MOST], b[TACT_CELL_MOST], dx[TACT_CELL_MOST];
        tact_cell_velocity(cells, c, v);
        for (int i = 0; i < cell->count; i++) {
            b[i] = v[i];
            for (int k = 0; k < cell->count; k++) {
                b[i] -= cell->W[i][k] * x[k];
            }
            dx[i] = x[i];
        }
        tact_cell_solve(cell, b, dx);
        for (int i = 0; i < cell->count; i++) {
            dx[i] -= x[i];
        }
        tact_cell_push(cells, c, dx);
    }
}
