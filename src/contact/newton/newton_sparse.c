// (1) of newton_step.c for a problem given by blocks: the pattern of W is ordered once, and every
// step is a factor by fronts in which an item has as many unknowns as its state leaves it.
#include <math.h>

#include "base/log.h"
#include "contact/newton/newton_step.h"

// Fewer contacts have an envelope that is as good.
enum { FEWEST = 24 };

// A factor that is larger is left to the sweeps.
static const size_t MOST_BYTES = (size_t)8 << 30;

static double dot3(const double x[3], const double y[3])
{
    return x[0] * y[0] + x[1] * y[1] + x[2] * y[2];
}

/// Entry k of the pattern: E_i W_ij T_j, rows and columns by 1 / sqrt(w).
static void write_block(const void *context, size_t k, int i, int j, double *block)
{
    const TactNewton     *newton = context;
    const TactCoupling   *coupling = &newton->coupling;
    const TactNewtonItem *row = &newton->items[i], *column = &newton->items[j];
    // Entries of a row before the diagonal are blocks of that row as well, the others come one
    // later: the diagonal is not among them.
    const double *own = coupling->own[i].W;
    double        W[3][3]; // columns
    if (i == j) {
        for (int e = 0; e < 9; e++) {
            W[e % 3][e / 3] = own[e];
        }
    } else {
        size_t at = k - (size_t)i - (j > i);
        for (int c = 0; c < 3; c++) {
            for (int r = 0; r < 3; r++) {
                W[c][r] = coupling->blocks[at].W[4 * c + r];
            }
        }
    }
    double scale = newton->root[i] * newton->root[j];
    for (int l = 0; l < row->unknowns; l++) {
        double EW[3] = {dot3(row->E[l], W[0]), dot3(row->E[l], W[1]), dot3(row->E[l], W[2])};
        for (int u = 0; u < column->unknowns; u++) {
            block[l * TACT_FRONT_ROWS + u] = scale * dot3(EW, column->T[u]);
        }
        if (i == j) {
            double root = newton->root[i];
            block[l * (TACT_FRONT_ROWS + 1)] += tact_newton_direct(newton, i, l) * root * root;
        }
    }
}

/// root_i (right_i - E_i sum_j W_ij d_j)
static void write_right(TactNewton *newton)
{
    const TactCoupling *coupling = &newton->coupling;
    int                 items = coupling->system->item_count;
    bool                moves = false;
    for (int i = 0; i < items; i++) {
        for (int c = 0; c < 3; c++) {
            double d = newton->items[i].d[c];
            newton->trial[3 * i + c] = d;
            moves = moves || d != 0;
        }
    }
    if (moves) {
        tact_coupling_multiply(coupling, newton->trial, newton->dp);
    }
    for (int i = 0; i < items; i++) {
        const TactNewtonItem *item = &newton->items[i];
        for (int k = 0; k < item->unknowns; k++) {
            double known = moves ? dot3(item->E[k], newton->dp + 3 * i) : 0;
            newton->x[item->first + k] = newton->root[i] * (item->right[k] - known);
        }
    }
}

bool tact_newton_begin_sparse(TactNewton *newton)
{
    return newton->fronts && newton->coupling.is_sparse && newton->coupling.pattern.n >= FEWEST &&
           tact_fronts_shape(newton->fronts, &newton->coupling.pattern, 3) == TACT_OK &&
           tact_fronts_bytes(newton->fronts) <= MOST_BYTES;
}

bool tact_newton_factor_sparse(TactNewton *newton, const TactFrontValues *values)
{
    int threads = newton->threads ? tact_threads_get_count(newton->threads) : 1;
    if (!tact_fronts_is_reserved(newton->fronts, threads)) {
        tact_log(TACT_LOG_LEVEL_INFO,
                 "%d contacts: the factor of W takes %.0f MB and %.2g operations",
                 newton->coupling.pattern.n, 1e-6 * (double)tact_fronts_bytes(newton->fronts),
                 tact_fronts_work(newton->fronts));
    }
    return tact_fronts_reserve(newton->fronts, threads) == TACT_OK &&
           tact_fronts_factor(newton->fronts, values, newton->threads);
}

bool tact_newton_solve_sparse(TactNewton *newton)
{
    for (int i = 0; i < newton->coupling.system->item_count; i++) {
        newton->sizes[i] = newton->items[i].unknowns;
    }
    TactFrontValues values = {write_block, newton, newton->sizes};
    if (!tact_newton_factor_sparse(newton, &values)) {
        return false;
    }
    write_right(newton);
    tact_fronts_solve(newton->fronts, newton->x, newton->threads);
    return true;
}
