#include "contact/system/bilateral.h"

#include <math.h>
#include <string.h>

#include "base/clones.h"
#include "base/lanes.h"
#include "linalg/lane_loops.h"
#include "linalg/rank.h"

// In the place of the length of a row that is 0: nothing is left of it either.
static const double NO_LENGTH = 1e-300;

void tact_bilateral_layout(TactBilateral *bilateral, int dof, int rows, TactArena *arena)
{
    TactBilateral sized = {0};
    size_t        n = (size_t)rows;
    sized.rows = tact_arena_take(arena, n * (size_t)dof, sizeof(double));
    sized.first = tact_arena_take(arena, n, sizeof(int));
    sized.end = tact_arena_take(arena, n, sizeof(int));
    sized.beta = tact_arena_take(arena, n, sizeof(double));
    sized.R = tact_arena_take(arena, n * n, sizeof(double));
    sized.diag = tact_arena_take(arena, n, sizeof(double));
    sized.order = tact_arena_take(arena, n, sizeof(int));
    sized.lead = tact_arena_take(arena, n, sizeof(int));
    sized.held = tact_arena_take(arena, (size_t)dof, sizeof(bool));
    sized.free = tact_arena_take(arena, (size_t)dof, sizeof(int));
    sized.touched = tact_arena_take(arena, n, sizeof(uint64_t));
    sized.fixed = tact_arena_take(arena, n, sizeof(double));
    sized.kept = tact_arena_take(arena, n, sizeof(double));
    if (arena->block) {
        *bilateral = sized;
    }
}

static inline double *bilateral_row(const TactBilateral *bilateral, int place)
{
    return bilateral->rows + (size_t)bilateral->order[place] * (size_t)bilateral->dof;
}

/// Row of R' at a pivot.
static inline double *factor_row(const TactBilateral *bilateral, int place)
{
    return bilateral->R + (size_t)bilateral->order[place] * (size_t)bilateral->count;
}

/// x <- H x with the reflector of a pivot, H = 1 - beta h h', h = 1 at its lead.
TACT_LANES_INLINE void reflect(const TactBilateral *bilateral, int place, double *x)
{
    int           row = bilateral->order[place], first = bilateral->first[row];
    int           size = bilateral->end[row] - first;
    const double *h = bilateral_row(bilateral, place) + first;
    double        f = bilateral->beta[place] * tact_lanes_dot(size, h, x + first);
    tact_lanes_axpy(size, -f, h, x + first);
}

/// Where a row is largest, and which entries are not 0.
TACT_LANES_INLINE void look_at_row(TactBilateral *bilateral, int place)
{
    const double *x = bilateral_row(bilateral, place);
    int           row = bilateral->order[place], lead = 0;
    bilateral->first[row] = bilateral->dof;
    bilateral->end[row] = 0;
    bilateral->touched[place] = 0;
    for (int i = 0; i < bilateral->dof; i++) {
        if (x[i] != 0) {
            bilateral->touched[place] |= (uint64_t)1 << (i & 63);
            bilateral->first[row] = bilateral->end[row] == 0 ? i : bilateral->first[row];
            bilateral->end[row] = i + 1;
            lead = fabs(x[i]) > fabs(x[lead]) ? i : lead;
        }
    }
    bilateral->lead[place] = lead;
}

/// Makes row `place`, what is left of it, a reflector that maps it to its lead alone.
TACT_LANES_INLINE void make_reflector(TactBilateral *bilateral, int place)
{
    look_at_row(bilateral, place);
    double *x = bilateral_row(bilateral, place);
    int     lead = bilateral->lead[place];
    double  x0 = x[lead];
    x[lead] = 0;
    double tail = tact_lanes_dot(bilateral->dof, x, x);
    double norm = sqrt(x0 * x0 + tail);
    double diag = x0 > 0 ? -norm : norm;
    double h0 = x0 - diag; // not 0: the row is not
    bilateral->beta[place] = h0 * h0 * 2 / (h0 * h0 + tail);
    for (int i = 0; i < bilateral->dof; i++) {
        x[i] /= h0;
    }
    x[lead] = 1;
    bilateral->held[lead] = true;
    bilateral->diag[place] = diag;
}

/// The row at the pivot or after it of which most is outside of the others' span; -1: none.
TACT_LANES_INLINE int find_row_pivot(const TactBilateral *bilateral, int rank, const double *length)
{
    int    best = -1;
    double best_part = TACT_RANK_OF_ROWS;
    for (int k = rank; k < bilateral->count; k++) {
        const double *rest = bilateral_row(bilateral, k);
        double        left = sqrt(tact_lanes_dot(bilateral->dof, rest, rest));
        double        part = left / fmax(length[bilateral->order[k]], NO_LENGTH);
        if (part > best_part) {
            best = k;
            best_part = part;
        }
    }
    return best;
}

TACT_CLONES void tact_bilateral_factor(TactBilateral *bilateral)
{
    int     dof = bilateral->dof;
    int     count = bilateral->count;
    double *length = bilateral->kept; // of the rows as they were given
    memset(bilateral->held, 0, (size_t)dof * sizeof *bilateral->held);
    for (int k = 0; k < count; k++) {
        bilateral->order[k] = k;
        const double *row = bilateral->rows + (size_t)k * (size_t)dof;
        length[k] = sqrt(tact_lanes_dot(dof, row, row));
    }
    int rank = 0;
    while (rank < count && rank < dof) {
        int best = find_row_pivot(bilateral, rank, length);
        if (best < 0) {
            break;
        }
        int swap = bilateral->order[best];
        bilateral->order[best] = bilateral->order[rank];
        bilateral->order[rank] = swap;
        make_reflector(bilateral, rank);
        for (int k = rank + 1; k < count; k++) {
            double *row = bilateral_row(bilateral, k), *entry = &row[bilateral->lead[rank]];
            reflect(bilateral, rank, row);
            factor_row(bilateral, k)[rank] = *entry;
            *entry = 0;
        }
        rank++;
    }
    bilateral->rank = rank;
    bilateral->leads = 0;
    for (int i = 0, to = 0; i < dof; i++) {
        if (!bilateral->held[i]) {
            bilateral->free[to++] = i;
        } else {
            bilateral->leads |= (uint64_t)1 << (i & 63);
        }
    }
}

void tact_bilateral_fix(TactBilateral *bilateral, const double *target)
{
    for (int k = 0; k < bilateral->rank; k++) {
        const double *R = factor_row(bilateral, k);
        double        sum = target[bilateral->order[k]];
        for (int i = 0; i < k; i++) {
            sum -= R[i] * bilateral->fixed[i];
        }
        bilateral->fixed[k] = sum / bilateral->diag[k];
    }
}

TACT_CLONES void tact_bilateral_rotate(const TactBilateral *bilateral, double *x)
{
    for (int k = 0; k < bilateral->rank; k++) {
        reflect(bilateral, k, x);
        bilateral->kept[k] = x[bilateral->lead[k]];
    }
    for (int to = bilateral->dof - 1; to >= bilateral->rank; to--) { // the free ones to the end
        x[to] = x[bilateral->free[to - bilateral->rank]];
    }
    memcpy(x, bilateral->kept, (size_t)bilateral->rank * sizeof *x);
}

/// Lanes of which less than this part is left are held altogether.
static const double HELD_TOL = 1e-10;

TACT_CLONES void tact_bilateral_rotate_four(const TactBilateral *bilateral, uint64_t touched,
                                            double *x)
{
    TactLanes whole = TACT_LANES_ALL(0.0), rest = whole;
    for (uint64_t left = touched; left != 0; left &= left - 1) {
        TactLanes own = TACT_LANES_AT(x + 4 * __builtin_ctzll(left));
        whole += own * own;
    }
    for (int k = 0; k < bilateral->rank; k++) {
        uint64_t mixed = bilateral->touched[k];
        if ((touched & mixed) == 0) {
            continue;
        }
        const double *h = bilateral_row(bilateral, k);
        TactLanes     f = TACT_LANES_ALL(0.0);
        for (uint64_t left = mixed; left != 0; left &= left - 1) {
            int i = __builtin_ctzll(left);
            f += TACT_LANES_ALL(h[i]) * TACT_LANES_AT(x + 4 * i);
        }
        f *= TACT_LANES_ALL(bilateral->beta[k]);
        for (uint64_t left = mixed; left != 0; left &= left - 1) {
            int i = __builtin_ctzll(left);
            TACT_LANES_PUT(x + 4 * i) = TACT_LANES_AT(x + 4 * i) - TACT_LANES_ALL(h[i]) * f;
        }
        touched |= mixed;
    }
    int count = bilateral->dof - bilateral->rank;
    for (int to = 0; to < count; to++) {
        TactLanes own = TACT_LANES_AT(x + 4 * bilateral->free[to]);
        rest += own * own;
        TACT_LANES_PUT(x + 4 * to) = own;
    }
    for (int k = 0; k < 4; k++) {
        for (int i = 0; i < count && rest[k] <= HELD_TOL * HELD_TOL * whole[k]; i++) {
            x[4 * i + k] = 0;
        }
    }
}

uint64_t tact_bilateral_spread(const TactBilateral *bilateral, uint64_t touched)
{
    for (int k = 0; k < bilateral->rank; k++) {
        touched |= (touched & bilateral->touched[k]) != 0 ? bilateral->touched[k] : 0;
    }
    for (uint64_t left = bilateral->leads; left != 0;) { // their bits are taken out, last one first
        uint64_t lead = (uint64_t)1 << (63 - __builtin_clzll(left)), below = lead - 1;
        touched = (touched & below) | (touched >> 1 & ~below);
        left ^= lead;
    }
    return touched;
}

TACT_CLONES void tact_bilateral_rotate_back(const TactBilateral *bilateral, double *x)
{
    memcpy(bilateral->kept, x, (size_t)bilateral->rank * sizeof *x);
    for (int i = 0, from = bilateral->rank; i < bilateral->dof; i++) {
        x[i] = bilateral->held[i] ? 0 : x[from++];
    }
    for (int k = 0; k < bilateral->rank; k++) {
        x[bilateral->lead[k]] = bilateral->kept[k];
    }
    for (int k = bilateral->rank - 1; k >= 0; k--) {
        reflect(bilateral, k, x);
    }
}

void tact_bilateral_impulse(const TactBilateral *bilateral, double *change, double *impulse)
{
    memset(impulse, 0, (size_t)bilateral->count * sizeof(double));
    for (int k = bilateral->rank - 1; k >= 0; k--) {
        const double *R = factor_row(bilateral, k);
        double        value = change[k] / bilateral->diag[k];
        impulse[bilateral->order[k]] = value;
        for (int i = 0; i < k; i++) {
            change[i] -= R[i] * value;
        }
    }
}
