// Dantzig: small problems without upper bounds, in one table.
//
// The sweep operator [Goodnight 1979] keeps the symmetry of M. With the indices of C swept,
//
//     S_CC = -M_CC^-1,    S_CN = M_CC^-1 M_CN,    S_NN = M_NN - M_NC M_CC^-1 M_CN,
//
// and row d has all that a drive needs: dz_C = -S_Cd, dw_N = S_Nd [docs/theory/dantzig.md, (2)]. A
// pivot costs n^2 operations on contiguous memory, which for small n is less than the bookkeeping
// of a factor. It is the same algorithm. What needs judgement, as a pivot that may be rounding, is
// left to dantzig_drive.c: then nothing has happened but the pivots that were counted.
#include <math.h>

#include "base/clones.h"
#include "lcp/dantzig/dantzig.h"
#include "linalg/lane_loops.h"

enum { LANES = 4, MOST = 40 };

// Pivots must be larger than this, relative to M_ii.
static const double CLEAR = 1e-9;

// Rates not larger than this, relative to the largest of a row, are rounding.
static const double STILL = 1e-12;

typedef struct Table {
    int           n;
    int           width; // n in whole lanes
    const double *M, *q;
    double        S[MOST * MOST]; // (n x width)
    double        x[MOST];        // z_i in C, w_i in N
    double        move[MOST];     // -1 in C, 1 in N, 0 beyond n
    double        guard[MOST];    // 1 in C and NC
    double        weight[MOST];   // 1 / M_ii
    double        tol;            // violations to be driven away
    int           pivots, drives;
    int           limit;
} Table;

static bool load_small(Table *table, const TactLcpProblem *problem)
{
    int n = problem->n, width = (n + LANES - 1) / LANES * LANES;
    table->n = n;
    table->width = width;
    table->M = problem->M;
    table->q = problem->q;
    table->pivots = table->drives = 0;
    bool positive = true;
    for (int i = 0; i < width; i++) {
        double diagonal = i < n ? problem->M[(size_t)i * (size_t)(n + 1)] : 1;
        table->x[i] = i < n ? problem->q[i] : 0;
        table->move[i] = i < n ? 1 : 0;
        table->guard[i] = 0;
        table->weight[i] = 1 / diagonal;
        positive = positive && diagonal > 0;
    }
    for (int i = 0; i < n; i++) {
        const double *from = problem->M + (size_t)i * (size_t)n;
        double       *row = table->S + (size_t)i * (size_t)width;
        int           whole = n / LANES * LANES;
        for (int j = 0; j < whole; j += LANES) {
            *(TactLanes *)(row + j) = *tact_lanes_at(from + j);
        }
        for (int j = whole; j < width; j++) {
            row[j] = j < n ? from[j] : 0;
        }
    }
    return positive;
}

/// The row violated most, by w_i^2 / M_ii, the first of those; -1: none.
TACT_LANES_INLINE int find_violated(const Table *table, int width)
{
    double    size[MOST];
    TactLanes most = {0}, none = {0};
    for (int c = 0; c < width; c += LANES) {
        TactLanes x = *tact_lanes_at(table->x + c);
        TactMask  violated = (*tact_lanes_at(table->move + c) > 0) & (x < -table->tol);
        TactLanes own = x * x * *tact_lanes_at(table->weight + c);
        own = TACT_LANES_SELECT(violated, own, none);
        *(TactLanes *)(size + c) = own;
        most = TACT_LANES_SELECT(own > most, own, most);
    }
    double a = most[0] > most[1] ? most[0] : most[1], b = most[2] > most[3] ? most[2] : most[3];
    double worst = a > b ? a : b;
    int    d = -1;
    for (int i = 0; worst > 0 && d < 0; i++) {
        d = size[i] == worst ? i : -1;
    }
    return d;
}

/// Sweeps index k in (sign 1) or out (sign -1). Rows are written in whole vectors: a number put
/// into one afterwards would hold up who reads it next.
TACT_LANES_INLINE void sweep(Table *table, size_t width, int k, double sign)
{
    size_t     lanes = width / LANES;
    TactLanes *pivot_row = (TactLanes *)(table->S + (size_t)k * width);
    double     inverse = 1 / table->S[(size_t)k * (width + 1)];
    TactLanes  row[MOST / LANES];
    TactMask   own[MOST / LANES]; // of column k
    for (size_t c = 0; c < lanes; c++) {
        row[c] = pivot_row[c];
        own[c] = (TactMask){0, 1, 2, 3} == (TactMask){0} + ((int64_t)k - (int64_t)(LANES * c));
    }
    for (int r = 0; r < table->n; r++) {
        double   *out = table->S + (size_t)r * width;
        double    factor = out[k] * inverse, entry = sign * factor;
        TactLanes all = {entry, entry, entry, entry};
        for (size_t c = 0; c < lanes; c++) {
            TactLanes rest = ((TactLanes *)out)[c] - factor * row[c];
            ((TactLanes *)out)[c] = TACT_LANES_SELECT(own[c], all, rest);
        }
    }
    TactLanes diagonal = {-inverse, -inverse, -inverse, -inverse};
    for (size_t c = 0; c < lanes; c++) {
        TactLanes rest = sign * inverse * row[c];
        pivot_row[c] = TACT_LANES_SELECT(own[c], diagonal, rest);
    }
    table->move[k] = -sign;
    table->guard[k] = 1;
    table->pivots++;
}

/// Is there a row that ends a step of this length along row d earlier?
TACT_LANES_INLINE bool is_blocked(const Table *table, int width, const double *row, double still,
                                  double length)
{
    TactMask  any = {0};
    TactLanes none = {0};
    for (int c = 0; c < width; c += LANES) {
        TactLanes rate = -*tact_lanes_at(table->move + c) * *tact_lanes_at(row + c) *
                         *tact_lanes_at(table->guard + c);
        TactLanes x = *tact_lanes_at(table->x + c);
        TactLanes slack = TACT_LANES_SELECT(x > 0, x, none);
        any |= (rate > still) & (slack < length * rate);
    }
    return (any[0] | any[1] | any[2] | any[3]) != 0;
}

/// The index that ends a step along row d first, and its length; d: w_d = 0. -1: it cannot be told.
TACT_LANES_INLINE int find_small_step(const Table *table, int width, int d, double *length)
{
    const double *row = table->S + (size_t)d * (size_t)width;
    double        still = STILL * row[d];
    int           first = d;
    *length = -table->x[d] / row[d];
    if (!(row[d] * table->weight[d] > CLEAR)) {
        return -1;
    }
    bool blocked = is_blocked(table, width, row, still, *length);
    for (int i = 0; i < table->n && blocked; i++) {
        double rate = -table->move[i] * row[i] * table->guard[i];
        double slack = table->x[i] > 0 ? table->x[i] : 0;
        if (rate > still && slack < *length * rate && i != d) {
            *length = slack / rate;
            first = i;
        }
    }
    double pivot = table->S[(size_t)first * (size_t)(width + 1)];
    return table->move[first] < 0 || pivot * table->weight[first] > CLEAR ? first : -1;
}

/// Drives w_d to 0. False: it needs judgement.
TACT_LANES_INLINE bool drive(Table *table, int width, int d)
{
    double z = 0;
    for (;;) {
        double length;
        int    i = find_small_step(table, width, d, &length);
        if (i < 0 || table->pivots >= table->limit) {
            return false;
        }
        const double *row = table->S + (size_t)d * (size_t)width;
        z += length;
        double    end = i == d ? z : 0;
        TactLanes own = {end, end, end, end};
        for (int c = 0; c < width; c += LANES) {
            TactLanes x = *tact_lanes_at(table->x + c);
            x += length * *tact_lanes_at(table->move + c) * *tact_lanes_at(row + c);
            TactMask here = (TactMask){0, 1, 2, 3} == (TactMask){0} + (int64_t)(i - c);
            *(TactLanes *)(table->x + c) = TACT_LANES_SELECT(here, own, x);
        }
        sweep(table, (size_t)width, i, table->move[i]);
        if (i == d) {
            return true;
        }
    }
}

/// z_C corrected once by the raw residual. False if that was more than rounding, or a row is
/// violated.
TACT_LANES_INLINE bool finish_small(Table *table, double *z)
{
    int    n = table->n;
    double residual[MOST];
    bool   good = true;
    for (int i = 0; i < n; i++) {
        z[i] = table->move[i] < 0 ? table->x[i] : 0;
    }
    for (int i = 0; i < n; i += LANES) {
        double        product[LANES];
        const double *rows = table->M + (size_t)i * (size_t)n;
        int           count = n - i < LANES ? n - i : LANES;
        if (count == LANES) {
            tact_lanes_dot4(n, rows, (size_t)n, z, product);
        }
        for (int k = 0; k < count; k++) {
            bool   clamped = table->move[i + k] < 0;
            double own = count == LANES ? product[k] : tact_lanes_dot(n, rows + k * n, z);
            double w = table->q[i + k] + own;
            residual[i + k] = clamped ? w : 0;
            good = good && w >= -table->tol && (!clamped || w <= table->tol);
        }
    }
    for (int i = 0; i < n; i++) {
        if (table->move[i] < 0) {
            double *row = table->S + (size_t)i * (size_t)table->width;
            z[i] += tact_lanes_dot(n, row, residual);
            good = good && z[i] >= 0;
        }
    }
    return good;
}

TACT_LANES_INLINE bool drive_all(Table *table, int width)
{
    for (int d = find_violated(table, width); d >= 0; d = find_violated(table, width)) {
        table->drives++;
        if (!drive(table, width, d)) {
            return false;
        }
    }
    return true;
}

/// Of few unknowns all vectors of a row are in registers.
TACT_CLONES static bool solve_small(Table *table, double *z)
{
    bool driven =
        table->width == 2 * LANES ? drive_all(table, 2 * LANES) : drive_all(table, table->width);
    return driven && finish_small(table, z);
}

bool tact_dantzig_is_small(const TactLcpSolver *solver, const TactLcpProblem *problem)
{
    return problem->n <= MOST && !problem->lo && !problem->hi && !problem->f_index &&
           !solver->start_basis && !solver->start_z && solver->config.max_pivots == 0;
}

bool tact_dantzig_small(const TactLcpProblem *problem, double tol, double *z, unsigned char *basis,
                        TactLcpReport *report)
{
    Table table;
    table.tol = tol;
    table.limit = 4 * problem->n + 8;
    bool solved = load_small(&table, problem) && solve_small(&table, z);
    for (int i = 0; i < problem->n; i++) {
        basis[i] = table.move[i] < 0 ? TACT_LCP_STATE_BASIC : TACT_LCP_STATE_AT_LO;
    }
    report->pivots += table.pivots;
    report->iterations += table.drives;
    return solved;
}
