// One cell, all others held: v = W x + b with at most six unknowns. Newton's method with a few step
// lengths rho, each from the same guess; where none of them ends, relaxation, disc after disc.
#include <math.h>
#include <string.h>

#include "contact/disc/cell.h"

enum { STEPS = 12, ROUNDS = 200 };

// Below this part of its terms a residual is rounding.
static const double ROUNDING = 1e-14;

// Added to a diagonal without compliance, in units of w: redundant directions stay solvable.
static const double LEAST_DIRECT = 1e-13;

// Error of a cell that was relaxed, up to which it counts as solved.
static const double RELAXED = 1e-12;

static void move(const TactCell *cell, const double *b, const double *x, double *v)
{
    for (int i = 0; i < cell->count; i++) {
        v[i] = b[i];
        for (int k = 0; k < cell->count; k++) {
            v[i] += cell->W[i][k] * x[k];
        }
    }
}

/// Worst residual, and what it is held against.
static double error_of(const TactCell *cell, const double *b, const double *x, double *v)
{
    double residual[TACT_CELL_MOST], worst = 0, size = 0;
    move(cell, b, x, v);
    tact_cell_residual(cell, x, v, residual);
    for (int i = 0; i < cell->count; i++) {
        worst = fmax(worst, fabs(residual[i]));
        size = fmax(size, fabs(b[i]) + cell->W[i][i] * fabs(x[i]));
    }
    return worst == 0 ? 0 : worst / size;
}

/// A z = r by elimination with row exchanges; false if it is singular.
static bool eliminate(int n, double A[TACT_CELL_MOST][TACT_CELL_MOST], double *r)
{
    for (int k = 0; k < n; k++) {
        int best = k;
        for (int i = k + 1; i < n; i++) {
            best = fabs(A[i][k]) > fabs(A[best][k]) ? i : best;
        }
        if (!(fabs(A[best][k]) > 0)) {
            return false;
        }
        for (int j = 0; j < n && best != k; j++) {
            double swap = A[k][j];
            A[k][j] = A[best][j];
            A[best][j] = swap;
        }
        double swap = r[k];
        r[k] = r[best];
        r[best] = swap;
        for (int i = k + 1; i < n; i++) {
            double factor = A[i][k] / A[k][k];
            for (int j = k; j < n; j++) {
                A[i][j] -= factor * A[k][j];
            }
            r[i] -= factor * r[k];
        }
    }
    for (int k = n - 1; k >= 0; k--) {
        for (int j = k + 1; j < n; j++) {
            r[k] -= A[k][j] * r[j];
        }
        r[k] /= A[k][k];
    }
    return true;
}

/// E W (T'z + d) + direct z = right; constraints slightly compliant, as W may be singular.
static bool step_by(const TactCell *cell, const TactCellStep *step, double *x)
{
    double A[TACT_CELL_MOST][TACT_CELL_MOST], z[TACT_CELL_MOST];
    for (int u = 0; u < step->unknowns; u++) {
        double EW[TACT_CELL_MOST] = {0};
        for (int i = 0; i < cell->count; i++) {
            for (int k = 0; k < cell->count && step->E[u][i] != 0; k++) {
                EW[k] += step->E[u][i] * cell->W[i][k];
            }
        }
        z[u] = step->right[u];
        for (int k = 0; k < cell->count; k++) {
            z[u] -= EW[k] * step->d[k];
        }
        for (int c = 0; c < step->unknowns; c++) {
            A[u][c] = 0;
            for (int k = 0; k < cell->count; k++) {
                A[u][c] += EW[k] * step->T[c][k];
            }
        }
        A[u][u] += fmax(step->direct[u], LEAST_DIRECT * cell->w);
    }
    if (!eliminate(step->unknowns, A, z)) {
        return false;
    }
    for (int k = 0; k < cell->count; k++) {
        x[k] += step->d[k];
        for (int u = 0; u < step->unknowns; u++) {
            x[k] += z[u] * step->T[u][k];
        }
    }
    return true;
}

static bool newton(const TactCell *cell, const double *b, double rho, double *x)
{
    double v[TACT_CELL_MOST];
    for (int k = 0; k <= STEPS; k++) {
        TactCellStep step;
        if (error_of(cell, b, x, v) <= ROUNDING * 100) {
            return true;
        }
        tact_cell_linearise(cell, x, v, rho, &step);
        if (k == STEPS || !step_by(cell, &step, x)) {
            break;
        }
    }
    return false;
}

/// Normal, then disc after disc, each by a projected step that cannot raise its own energy.
static void relax(const TactCell *cell, const double *b, double *x)
{
    double v[TACT_CELL_MOST], residual[TACT_CELL_MOST];
    for (int round = 0; round < ROUNDS; round++) {
        for (int part = -1; part < cell->disc_count; part++) {
            if (part < 0 && !cell->has_normal) {
                continue;
            }
            move(cell, b, x, v);
            TactCell own = *cell;
            // The trace bounds the largest eigenvalue.
            for (int i = 0; i < own.disc_count; i++) {
                own.disc[i].w *= own.disc[i].dim;
            }
            tact_cell_residual(&own, x, v, residual);
            if (part < 0) {
                x[0] -= residual[0] / own.w;
                continue;
            }
            const TactCellDisc *disc = &own.disc[part];
            for (int k = disc->first; k < disc->first + disc->dim; k++) {
                x[k] -= residual[k] / disc->w;
            }
        }
        if (round % 10 == 9 && error_of(cell, b, x, v) <= ROUNDING * 100) {
            return;
        }
    }
}

bool tact_cell_solve(const TactCell *cell, const double *b, double *x)
{
    static const double rho[] = {1, 10, 0.1};
    double              v[TACT_CELL_MOST], guess[TACT_CELL_MOST];
    if (cell->has_normal && b[0] >= 0) {
        memset(x, 0, (size_t)cell->count * sizeof(double)); // none is asked for
        return true;
    }
    memcpy(guess, x, (size_t)cell->count * sizeof(double));
    for (int k = 0; k < 3; k++) {
        if (newton(cell, b, rho[k], x)) {
            return true;
        }
        memcpy(x, guess, (size_t)cell->count * sizeof(double));
    }
    relax(cell, b, x);
    return error_of(cell, b, x, v) <= RELAXED;
}
