#include "contact/assembled/box_newton.h"

#include <math.h>
#include <string.h>

#include "linalg/qr.h"
#include "linalg/rank.h"
#include "linalg/vector.h"

enum { MOST_STEPS = 12 };

// A residual of this part of impulses and velocities is a zero.
static const double ZERO = 1e-14;

void tact_box_newton_layout(TactBoxNewton *newton, size_t n, TactArena *arena)
{
    *newton = (TactBoxNewton){
        .normal = tact_arena_take(arena, n, sizeof(int)),
        .ratio = tact_arena_take(arena, n, sizeof(double)),
        .place = tact_arena_take(arena, n, sizeof(int)),
        .slope = tact_arena_take(arena, n, sizeof(double)),
        .F = tact_arena_take(arena, n, sizeof(double)),
        .w = tact_arena_take(arena, n, sizeof(double)),
        .z = tact_arena_take(arena, n, sizeof(double)),
        .A = tact_arena_take(arena, n, n * sizeof(double)),
        .b = tact_arena_take(arena, n, sizeof(double)),
        .x = tact_arena_take(arena, n, sizeof(double)),
        .scratch = tact_arena_take(arena, TACT_QR_WORK(n, n), sizeof(double)),
        .perm = tact_arena_take(arena, n, sizeof(int)),
    };
}

/// The piece that z lies in: F, what is free, and the slopes of what slides. Returns max |F_i|.
static double find_piece(TactBoxNewton *newton, const TactBoxProblem *box)
{
    double *z = newton->z, worst = 0;
    newton->free_count = 0;
    for (int i = 0; i < box->n; i++) {
        int    j = newton->normal[i];
        double wish = z[i] - newton->w[i];
        double hi = j >= 0 ? newton->ratio[i] * fmax(z[j], 0) : box->hi[i];
        double lo = j >= 0 ? -hi : box->lo[i];
        bool   is_free = lo < wish && wish < hi && !box->held[i];
        bool   follows = !is_free && j >= 0 && z[j] - newton->w[j] > 0;
        newton->place[i] = is_free ? newton->free_count++ : -1;
        newton->slope[i] = !follows ? 0 : wish >= hi ? newton->ratio[i] : -newton->ratio[i];
        newton->F[i] = is_free ? newton->w[i] : box->held[i] ? 0 : z[i] - (wish >= hi ? hi : lo);
        worst = fmax(worst, fabs(newton->F[i]));
    }
    return worst;
}

/// z -= x, where the derivative of the piece times x is F: what has a bound goes there, what slides
/// with its normal; the free ones remain.
static void take_step(TactBoxNewton *newton, const TactBoxProblem *box)
{
    int     n = box->n, m = newton->free_count;
    double *z = newton->z, *x = newton->x;
    for (int i = 0; i < n; i++) {
        if (newton->place[i] < 0) {
            continue;
        }
        const double *G = box->G + (size_t)i * (size_t)n;
        double       *row = newton->A + (size_t)newton->place[i] * (size_t)m;
        double        rest = newton->F[i];
        memset(row, 0, (size_t)m * sizeof(double));
        for (int k = 0; k < n; k++) {
            if (newton->place[k] >= 0) {
                row[newton->place[k]] += G[k];
                continue;
            }
            rest -= G[k] * newton->F[k];
            if (newton->slope[k] != 0) {
                row[newton->place[newton->normal[k]]] += G[k] * newton->slope[k];
            }
        }
        newton->b[newton->place[i]] = rest;
    }
    tact_qr_least(m, m, newton->A, m, newton->b, TACT_RANK_OF_BOX, x, newton->scratch,
                  newton->perm);
    for (int i = 0; i < n; i++) {
        if (newton->place[i] >= 0) {
            z[i] -= x[newton->place[i]];
        } else {
            double with = newton->slope[i] != 0 ? x[newton->place[newton->normal[i]]] : 0;
            z[i] -= newton->F[i] + newton->slope[i] * with;
        }
    }
}

bool tact_box_newton(TactBoxNewton *newton, const TactBoxProblem *box, double *z)
{
    size_t n = (size_t)box->n;
    memcpy(newton->z, z, n * sizeof(double));
    for (int k = 0; k <= MOST_STEPS; k++) {
        double size = 0;
        for (size_t i = 0; i < n; i++) {
            newton->w[i] = box->g[i] + tact_vec_dot(box->n, box->G + i * n, newton->z);
            size = fmax(size, fmax(fabs(newton->z[i]), fabs(box->g[i])));
        }
        double miss = find_piece(newton, box);
        if (miss <= ZERO * size) {
            memcpy(z, newton->z, n * sizeof(double));
            return true;
        }
        if (!isfinite(size)) {
            return false;
        }
        take_step(newton, box);
    }
    return false;
}
