#include "linalg/envelope.h"

#include <math.h>
#include <string.h>

#include "base/clones.h"
#include "linalg/lane_loops.h"

void tact_envelope_layout(TactEnvelope *envelope, int most, size_t room, TactArena *arena)
{
    size_t       n = (size_t)most;
    TactEnvelope lent = {
        .most = most,
        .room = room,
        .first = tact_arena_take(arena, n, sizeof(int)),
        .start = tact_arena_take(arena, n + 1, sizeof(size_t)),
        .L = tact_arena_take(arena, room, sizeof(double)),
        .U = tact_arena_take(arena, room, sizeof(double)),
        .diagonal = tact_arena_take(arena, n, sizeof(double)),
    };
    if (arena->block) {
        *envelope = lent;
    }
}

bool tact_envelope_shape(TactEnvelope *envelope, int n)
{
    envelope->n = 0;
    if (n > envelope->most) {
        return false;
    }
    size_t used = 0;
    for (int i = 0; i < n; i++) {
        envelope->start[i] = used;
        used += (size_t)(i - envelope->first[i]);
    }
    envelope->start[n] = used;
    if (used > envelope->room) {
        return false;
    }
    envelope->n = n;
    memset(envelope->L, 0, used * sizeof(double));
    memset(envelope->U, 0, used * sizeof(double));
    memset(envelope->diagonal, 0, (size_t)n * sizeof(double));
    return true;
}

double tact_envelope_work(const TactEnvelope *envelope)
{
    double work = 0;
    for (int i = 0; i < envelope->n; i++) {
        double width = i - envelope->first[i];
        work += 2 * width * width;
    }
    return work;
}

/// x'y; most envelopes of contact problems are narrow, and eight lanes cost more than they save.
TACT_LANES_INLINE double dot_envelope(int n, const double *x, const double *y)
{
    if (n >= 12) {
        return tact_lanes_dot(n, x, y);
    }
    double even = 0, odd = 0;
    int    i = 0;
    for (; i + 2 <= n; i += 2) {
        even += x[i] * y[i];
        odd += x[i + 1] * y[i + 1];
    }
    return (i < n ? even + x[i] * y[i] : even) + odd;
}

// Row i of L and column i of U, entry by entry:
//
//     L_ij = (A_ij - sum_k L_ik U_kj) / U_jj,    U_ji = A_ji - sum_k L_jk U_ki,    k < j < i
TACT_CLONES int tact_envelope_factor(TactEnvelope *envelope)
{
    const int    *first = envelope->first;
    const size_t *start = envelope->start;
    double       *diagonal = envelope->diagonal;
    for (int i = 0; i < envelope->n; i++) {
        double *row = envelope->L + start[i];
        double *column = envelope->U + start[i];
        for (int j = first[i]; j < i; j++) {
            int           from = first[i] > first[j] ? first[i] : first[j];
            int           count = j - from;
            const double *u = envelope->U + start[j] + (from - first[j]);
            const double *l = envelope->L + start[j] + (from - first[j]);
            double       *l_i = row + (from - first[i]);
            double       *u_i = column + (from - first[i]);
            l_i[count] = (l_i[count] - dot_envelope(count, l_i, u)) / diagonal[j];
            u_i[count] -= dot_envelope(count, l, u_i);
        }
        diagonal[i] -= dot_envelope(i - first[i], row, column);
        if (diagonal[i] == 0 || !isfinite(diagonal[i])) {
            return i;
        }
    }
    return -1;
}

TACT_CLONES void tact_envelope_solve(const TactEnvelope *envelope, double *x)
{
    for (int i = 0; i < envelope->n; i++) {
        int from = envelope->first[i];
        x[i] -= dot_envelope(i - from, envelope->L + envelope->start[i], x + from);
    }
    for (int i = envelope->n - 1; i >= 0; i--) {
        int from = envelope->first[i];
        x[i] /= envelope->diagonal[i];
        tact_lanes_axpy(i - from, -x[i], envelope->U + envelope->start[i], x + from);
    }
}
