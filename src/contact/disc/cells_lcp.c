#include "contact/disc/cells_lcp.h"

#include <math.h>
#include <string.h>

#include "base/budget.h"
#include "contact/method.h"

static const double PI = 3.14159265358979323846;

// Directions of a round disc of two dimensions.
enum { DIRECTIONS = 8 };

// Slip above this part of w |x| has a direction; below it is rounding, and x has one.
static const double SLIPS_FROM = 1e-9;

size_t tact_cells_lcp_most(const TactContactCapacity *capacity)
{
    size_t directions =
        capacity->directions > DIRECTIONS ? (size_t)capacity->directions : (size_t)DIRECTIONS;
    size_t patch = 1 + 2 * (directions + 1) + 3; // normal, sliding and rolling, spinning
    size_t plain = 1 + directions + 1;
    size_t patches = (size_t)capacity->patches;
    size_t contacts = (size_t)capacity->contacts;
    size_t moments = capacity->rows >= 3 * capacity->patches ? 3 * patches : 0;
    size_t rows = (size_t)capacity->rows - moments;
    return patches * patch + (contacts > patches ? contacts - patches : 0) * plain + 3 * rows;
}

void tact_cells_lcp_layout(TactCellsLcp *lcp, const TactContactCapacity *capacity, int most,
                           TactArena *arena)
{
    size_t       n = (size_t)most, dof = (size_t)capacity->dof;
    size_t       items = (size_t)capacity->contacts + (size_t)capacity->rows;
    TactCellsLcp lent = {
        .most = most,
        .A = tact_arena_take(arena, n, n * sizeof(double)),
        .q = tact_arena_take(arena, n, sizeof(double)),
        .z = tact_arena_take(arena, n, sizeof(double)),
        .G = tact_arena_take(arena, n, dof * sizeof(double)),
        .k = tact_arena_take(arena, n, sizeof(double)),
        .gamma = tact_arena_take(arena, n, sizeof(int)),
        .owner = tact_arena_take(arena, n, sizeof(int)),
        .axis = tact_arena_take(arena, items, sizeof *lent.axis),
        .direction = tact_arena_take(arena, n, sizeof *lent.direction),
    };
    if (arena->block) {
        *lcp = lent;
    }
}

void tact_cells_lcp_begin(TactCellsLcp *lcp, int cells)
{
    memset(lcp->axis, 0, (size_t)cells * sizeof *lcp->axis);
}

/// Unit vector along x; false if that is 0.
static bool normalise(int dim, const double *x, double sign, double *out)
{
    double square = 0;
    for (int k = 0; k < dim; k++) {
        square += x[k] * x[k];
    }
    for (int k = 0; k < dim && square > 0; k++) {
        out[k] = sign * x[k] / sqrt(square);
    }
    return square > 0;
}

void tact_cells_lcp_turn(TactCellsLcp *lcp, TactCells *cells)
{
    tact_cells_move(cells);
    for (int c = 0; c < cells->count; c++) {
        const TactCell *cell = &cells->cells[c];
        for (int i = 0; i < cell->disc_count; i++) {
            const TactCellDisc *disc = &cell->disc[i];
            const double       *x = cells->x + TACT_CELL_MOST * c + disc->first;
            const double       *v = cells->v + TACT_CELL_MOST * c + disc->first;
            double              speed = 0, push = 0, *axis = lcp->axis[c][i];
            for (int k = 0; k < disc->dim; k++) {
                speed += v[k] * v[k];
                push += x[k] * x[k];
            }
            if (disc->directions > 0 || disc->dim < 2) {
                continue; // as it is given
            }
            bool slips = sqrt(speed) > SLIPS_FROM * disc->w * sqrt(push);
            if (slips) {
                normalise(disc->dim, v, -1, axis);
            } else {
                normalise(disc->dim, x, 1, axis);
            }
        }
    }
}

// ---------------------------------------------------------------------------------------------
// Columns

/// Adds the column of a direction; gamma is that of its disc.
static void add_column(TactCellsLcp *lcp, const TactCells *cells, int c, int first, int dim,
                       const double *direction, int at, int gamma)
{
    const TactCell *cell = &cells->cells[c];
    size_t          dof = (size_t)cells->system->dof;
    double         *column = lcp->G + (size_t)at * dof;
    memset(lcp->direction[at], 0, sizeof lcp->direction[at]);
    memset(column, 0, dof * sizeof(double));
    lcp->owner[at] = c;
    lcp->gamma[at] = gamma;
    lcp->k[at] = 0;
    for (int k = first; k < first + dim; k++) {
        const double *from = cells->columns + cell->column + (size_t)k * (size_t)cell->size;
        double        part = direction[k - first];
        lcp->direction[at][k] = part;
        lcp->k[at] += part * cell->e[k];
        for (int s = 0; s < cell->size && part != 0; s++) {
            column[cells->support[cell->support + (size_t)s]] += part * from[s];
        }
    }
}

/// Direction j of a disc; false: there are no more.
static bool direction_of(const TactCellDisc *disc, const double *axis, int j, double *out)
{
    double f[4][5], e[5] = {1, 0, 0, 0, 0};
    if (disc->dim == 2) {
        int    count = disc->directions > 0 ? disc->directions : DIRECTIONS;
        double turn = disc->directions > 0 ? disc->turn : atan2(axis[1], axis[0]);
        out[0] = cos(turn + 2 * PI * j / count);
        out[1] = sin(turn + 2 * PI * j / count);
        return j < count;
    }
    normalise(disc->dim, axis, 1, e);
    if (disc->dim > 1) {
        tact_cell_across(disc->dim, e, f);
    }
    for (int k = 0; k < disc->dim; k++) {
        out[k] = (j % 2 == 0 ? 1 : -1) * (j < 2 ? e[k] : f[(j / 2 - 1) % 4][k]);
    }
    return j < 2 * disc->dim;
}

/// Numbers the unknowns: thetas, phis, lambdas. Returns how many; -1: no room. *phis, *lambdas: the
/// first of each.
static int number(TactCellsLcp *lcp, const TactCells *cells, int *phis, int *lambdas)
{
    static const double one[1] = {1};
    int                 n = 0, discs = 0;
    for (int c = 0; c < cells->count; c++) {
        if (cells->cells[c].has_normal) {
            if (n >= lcp->most) {
                return -1;
            }
            add_column(lcp, cells, c, 0, 1, one, n++, -1);
        }
    }
    *phis = n;
    for (int c = 0; c < cells->count; c++) {
        for (int i = 0; i < cells->cells[c].disc_count; i++, discs++) {
            const TactCellDisc *disc = &cells->cells[c].disc[i];
            double              d[5];
            for (int j = 0; direction_of(disc, lcp->axis[c][i], j, d); j++) {
                if (n >= lcp->most) {
                    return -1;
                }
                add_column(lcp, cells, c, disc->first, disc->dim, d, n++, discs);
            }
        }
    }
    *lambdas = n;
    if (n + discs > lcp->most) {
        return -1;
    }
    for (int c = 0; c < cells->count; c++) {
        for (int i = 0; i < cells->cells[c].disc_count; i++) {
            lcp->owner[n++] = c;
        }
    }
    return n;
}

static double dot(int n, const double *x, const double *y)
{
    double sum = 0;
    for (int k = 0; k < n; k++) {
        sum += x[k] * y[k];
    }
    return sum;
}

static void assemble(TactCellsLcp *lcp, const TactCells *cells, int n, int phis, int lambdas)
{
    const TactSystem *system = cells->system;
    size_t            dof = (size_t)system->dof, side = (size_t)n;
    memset(lcp->A, 0, side * side * sizeof(double));
    for (int i = 0; i < lambdas; i++) {
        const double *own = lcp->G + (size_t)i * dof;
        lcp->q[i] = lcp->k[i] + dot(system->dof, own, system->y0);
        for (int k = 0; k <= i; k++) {
            double entry = dot(system->dof, own, lcp->G + (size_t)k * dof);
            lcp->A[(size_t)i * side + (size_t)k] = lcp->A[(size_t)k * side + (size_t)i] = entry;
        }
    }
    for (int i = 0; i < phis; i++) {
        lcp->A[(size_t)i * (side + 1)] += cells->cells[lcp->owner[i]].compliance;
    }
    for (int i = phis; i < lambdas; i++) {
        size_t gamma = (size_t)(lambdas + lcp->gamma[i]);
        lcp->A[(size_t)i * side + gamma] = 1;
        lcp->A[gamma * side + (size_t)i] = -1;
    }
    for (int i = lambdas; i < n; i++) {
        const TactCell *cell = &cells->cells[lcp->owner[i]];
        lcp->q[i] = cell->has_normal ? 0 : cell->bound;
        for (int k = 0; k < phis && cell->has_normal; k++) {
            if (lcp->owner[k] == lcp->owner[i]) {
                lcp->A[(size_t)i * side + (size_t)k] = 1;
            }
        }
    }
}

TactContactOutcome tact_cells_lcp_solve(TactCellsLcp *lcp, TactCells *cells,
                                        TactContactReport *report)
{
    int phis, lambdas, n = number(lcp, cells, &phis, &lambdas);
    if (n < 0 || tact_budget_spend((double)n * n * cells->system->dof)) {
        return TACT_OUTCOME_LIMIT;
    }
    assemble(lcp, cells, n, phis, lambdas);
    TactLcpProblem problem = {.n = n, .M = lcp->A, .q = lcp->q};
    TactLcpReport  inner;
    if (tact_lcp_solve(lcp->solver, &problem, lcp->z, &inner) != TACT_OK) {
        return TACT_OUTCOME_SINGULAR; // an entry overflowed
    }
    report->pivots += inner.pivots;
    report->iterations += inner.iterations;
    report->refactors += inner.refactors;
    memset(cells->x, 0, TACT_CELL_MOST * (size_t)cells->count * sizeof(double));
    for (int i = 0; i < lambdas; i++) {
        double *x = cells->x + TACT_CELL_MOST * lcp->owner[i];
        for (int k = 0; k < TACT_CELL_MOST; k++) {
            x[k] += lcp->z[i] * lcp->direction[i][k];
        }
    }
    for (int c = 0; c < cells->count; c++) { // what rounding leaves of friction without a load
        double *x = cells->x + TACT_CELL_MOST * c;
        if (cells->cells[c].has_normal && x[0] == 0) {
            memset(x, 0, TACT_CELL_MOST * sizeof(double));
        }
    }
    return tact_outcome_of_lcp(inner.outcome);
}
