#include "contact/system/whiten.h"

#include <math.h>
#include <string.h>

#include "base/clones.h"
#include "base/lanes.h"
#include "base/status.h"
#include "linalg/rank.h"

// A W that is negative by more than this times the largest is none. Files of other programs have up
// to 2e-8; what is cut off is put back by defect.h.
static const double NEGATIVE_TOL = 1e-6;

enum { BODY_DOUBLES = 10 };

void tact_whitener_layout(TactWhitener *whitener, const TactContactCapacity *capacity,
                          TactArena *arena)
{
    size_t       dof = (size_t)capacity->dof;
    TactWhitener sized = {0};
    sized.body = tact_arena_take(arena, (dof / 6 + 1) * BODY_DOUBLES, sizeof(double));
    sized.factor = tact_arena_take(arena, capacity->dense ? dof * dof : 0, sizeof(double));
    sized.parent = tact_arena_take(arena, dof, sizeof(int));
    sized.run = tact_arena_take(arena, dof, sizeof(int));
    sized.order = tact_arena_take(arena, dof, sizeof(int));
    sized.root = tact_arena_take(arena, dof, sizeof(double));
    sized.inverse = tact_arena_take(arena, dof, sizeof(double));
    if (arena->block) {
        *whitener = sized;
    }
}

// ---------------------------------------------------------------------------------------------
// Factors

static TactStatus factor_body(const TactContactBody *body, int k, double *out)
{
    // Cholesky of the inertia: L = [l0; l1 l2; l3 l4 l5]
    double xx = body->inertia[0], yy = body->inertia[1], zz = body->inertia[2];
    double xy = body->inertia[3], xz = body->inertia[4], yz = body->inertia[5];
    out[0] = 1 / sqrt(body->mass);
    double *l = out + 1;
    l[0] = sqrt(xx);
    l[1] = xy / l[0];
    l[3] = xz / l[0];
    l[2] = sqrt(yy - l[1] * l[1]);
    l[4] = (yz - l[1] * l[3]) / l[2];
    l[5] = sqrt(zz - l[3] * l[3] - l[4] * l[4]);
    if (!(body->mass > 0) || !(l[0] > 0) || !(l[2] > 0) || !(l[5] > 0)) {
        return tact_fail(TACT_BAD_INPUT, "body %d: mass or inertia is not positive definite", k);
    }
    out[7] = 1 / l[0];
    out[8] = 1 / l[2];
    out[9] = 1 / l[5];
    return TACT_OK;
}

/// M = L' D L, from the leaves to the root.
static TactStatus factor_mass(TactWhitener *whitener, const TactContactProblem *problem)
{
    int     n = problem->nv;
    double *H = whitener->factor;
    memcpy(H, problem->M, (size_t)n * (size_t)n * sizeof(double));
    for (int k = n - 1; k >= 0; k--) {
        double *row = H + (size_t)k * (size_t)n;
        if (!(row[k] > 0)) {
            return tact_fail(TACT_BAD_INPUT, "M is not positive definite (degree of freedom %d)",
                             k);
        }
        for (int i = whitener->parent[k]; i >= 0; i = whitener->parent[i]) {
            double  a = row[i] / row[k];
            double *other = H + (size_t)i * (size_t)n;
            for (int j = i; j >= 0; j = whitener->parent[j]) {
                other[j] -= a * row[j];
            }
            row[i] = a;
        }
    }
    return TACT_OK;
}

/// The factor of M, made or given, and the roots of D.
static TactStatus prepare_mass(TactWhitener *whitener, const TactContactProblem *problem)
{
    int n = problem->nv;
    for (int i = 0; i < n; i++) {
        whitener->parent[i] = problem->parent ? problem->parent[i] : i - 1;
        bool follows = i > 0 && whitener->parent[i] == i - 1;
        whitener->run[i] = follows ? whitener->run[i - 1] : i;
        if (n <= TACT_WHITENER_BITS) {
            int parent = whitener->parent[i];
            whitener->above[i] = (uint64_t)1 << i | (parent >= 0 ? whitener->above[parent] : 0);
        }
    }
    whitener->mass = problem->factor;
    if (!problem->factor) {
        TACT_TRY(factor_mass(whitener, problem));
        whitener->mass = whitener->factor;
    }
    for (int i = 0; i < n; i++) {
        whitener->root[i] = sqrt(whitener->mass[(size_t)i * (size_t)n + (size_t)i]);
        whitener->inverse[i] = 1 / whitener->root[i];
    }
    return TACT_OK;
}

/// W = C' C by Cholesky with diagonal pivoting, on a copy of which the upper rows become C: row r
/// of C is row r of the factor, written for all columns in their given order.
static TactStatus factor_delassus(TactWhitener *whitener, const TactContactProblem *problem)
{
    size_t  n = 3 * (size_t)problem->contact_count;
    double *C = whitener->factor;
    // A W that is not quite symmetric: its symmetric part, and the certificate judges the answer.
    for (size_t i = 0; i < n; i++) {
        for (size_t j = 0; j <= i; j++) {
            C[i * n + j] = C[j * n + i] = (problem->W[i * n + j] + problem->W[j * n + i]) / 2;
        }
    }
    // C starts as W; after r steps rows order[0..r) hold rows of the factor, and the others the
    // Schur complement. order[] lists the pivots.
    int   *order = whitener->order;
    double largest = 0;
    for (size_t i = 0; i < n; i++) {
        order[i] = (int)i;
        largest = fmax(largest, C[i * n + i]);
    }
    size_t rank = 0;
    for (; rank < n; rank++) {
        size_t best = rank;
        for (size_t i = rank + 1; i < n; i++) {
            size_t a = (size_t)order[i], b = (size_t)order[best];
            if (C[a * n + a] > C[b * n + b]) {
                best = i;
            }
        }
        int pivot = order[best];
        order[best] = order[rank];
        order[rank] = pivot;
        double *row = C + (size_t)pivot * n;
        if (!(row[pivot] > TACT_RANK_OF_DELASSUS * largest)) {
            break;
        }
        double root = sqrt(row[pivot]);
        for (size_t i = 0; i < rank; i++) {
            row[order[i]] = 0;
        }
        for (size_t i = rank; i < n; i++) {
            row[order[i]] /= root;
        }
        for (size_t i = rank + 1; i < n; i++) {
            double *other = C + (size_t)order[i] * n;
            double  f = row[order[i]];
            if (f != 0) {
                for (size_t j = rank + 1; j < n; j++) {
                    other[order[j]] -= f * row[order[j]];
                }
            }
        }
    }
    whitener->dof = (int)rank;
    for (size_t i = rank; i < n; i++) {
        double left = C[(size_t)order[i] * n + (size_t)order[i]];
        if (left < -NEGATIVE_TOL * largest) {
            return tact_fail(TACT_BAD_INPUT, "W is not positive semidefinite (contact %d)",
                             order[i] / 3);
        }
    }
    return TACT_OK;
}

TactStatus tact_whitener_factor(TactWhitener *whitener, const TactContactProblem *problem)
{
    if (problem->W) {
        return factor_delassus(whitener, problem);
    }
    whitener->dof = tact_contact_get_dof(problem);
    if (problem->M) {
        return prepare_mass(whitener, problem);
    }
    for (int k = 0; k < problem->body_count; k++) {
        TACT_TRY(factor_body(&problem->bodies[k], k, whitener->body + BODY_DOUBLES * k));
    }
    return TACT_OK;
}

// ---------------------------------------------------------------------------------------------
// Bodies

const double *tact_whitener_of_body(const TactWhitener *whitener, int body)
{
    return whitener->body + BODY_DOUBLES * body;
}

void tact_whitener_body(const TactWhitener *whitener, int body, double f[6])
{
    const double *g = tact_whitener_of_body(whitener, body);
    const double *l = g + 1;
    for (int i = 0; i < 3; i++) {
        f[i] *= g[0];
    }
    f[3] *= g[7];
    f[4] = (f[4] - l[1] * f[3]) * g[8];
    f[5] = (f[5] - l[3] * f[3] - l[4] * f[4]) * g[9];
}

static void body_velocity(const double *g, double v[6])
{
    const double *l = g + 1;
    for (int i = 0; i < 3; i++) {
        v[i] /= g[0];
    }
    v[3] = l[0] * v[3] + l[1] * v[4] + l[3] * v[5];
    v[4] = l[2] * v[4] + l[4] * v[5];
    v[5] = l[5] * v[5];
}

static void body_back(const double *g, double y[6])
{
    const double *l = g + 1;
    for (int i = 0; i < 3; i++) {
        y[i] *= g[0];
    }
    y[5] /= l[5];
    y[4] = (y[4] - l[4] * y[5]) / l[2];
    y[3] = (y[3] - l[1] * y[4] - l[3] * y[5]) / l[0];
}

// ---------------------------------------------------------------------------------------------
// Mass matrix

// The dofs above one are runs of dofs one after the other.

/// x -= s a
__attribute__((always_inline)) static inline void subtract(int n, double s, const double *a,
                                                           double *x)
{
    int j = 0;
    for (; j + 4 <= n; j += 4) {
        TACT_LANES_PUT(x + j) -= TACT_LANES_ALL(s) * TACT_LANES_AT(a + j);
    }
    for (; j < n; j++) {
        x[j] -= s * a[j];
    }
}

/// a'x over the dofs above i, in four partial sums of every run.
__attribute__((always_inline)) static inline double dot_above(const TactWhitener *whitener, int i,
                                                              const double *a, const double *x)
{
    double total = 0;
    for (int last = whitener->parent[i]; last >= 0;) {
        int       first = whitener->run[last], j = first;
        TactLanes sum = TACT_LANES_ALL(0.0);
        double    rest = 0;
        for (; j + 4 <= last + 1; j += 4) {
            sum += TACT_LANES_AT(a + j) * TACT_LANES_AT(x + j);
        }
        for (; j <= last; j++) {
            rest += a[j] * x[j];
        }
        total += ((sum[0] + sum[1]) + (sum[2] + sum[3])) + rest;
        last = whitener->parent[first];
    }
    return total;
}

TACT_CLONES static void mass_force(const TactWhitener *whitener, double *f)
{
    size_t n = (size_t)whitener->dof;
    for (int i = whitener->dof - 1; i >= 0; i--) {
        const double *row = whitener->mass + (size_t)i * n;
        double        own = f[i];
        if (own != 0) {
            for (int last = whitener->parent[i]; last >= 0;) {
                int first = whitener->run[last];
                subtract(last - first + 1, own, row + first, f + first);
                last = whitener->parent[first];
            }
            f[i] = own * whitener->inverse[i];
        }
    }
}

/// Takes `count` dofs, each the parent of the next, off those above them, four columns at a time,
/// or twice four: the last one first, each in registers.
__attribute__((always_inline)) static inline void
force_chain(const TactWhitener *whitener, int first, int count, int fours, double *f)
{
    size_t        n = (size_t)whitener->dof;
    const double *L = whitener->mass + (size_t)first * n;
    const int     width = 4 * fours;
    TactLanes     own[4][2];
    for (int k = 0; k < count; k++) {
        for (int w = 0; w < fours; w++) {
            own[k][w] = TACT_LANES_AT(f + width * (first + k) + 4 * w);
        }
    }
    for (int k = count - 1; k > 0; k--) {
        for (int i = 0; i < k; i++) {
            TactLanes l = TACT_LANES_ALL(L[(size_t)k * n + (size_t)(first + i)]);
            for (int w = 0; w < fours; w++) {
                own[i][w] -= l * own[k][w];
            }
        }
    }
    for (int last = whitener->parent[first]; last >= 0;) {
        int start = whitener->run[last];
        for (int j = start; j <= last; j++) {
            double   *at = f + width * j;
            TactLanes x[2];
            for (int w = 0; w < fours; w++) {
                x[w] = TACT_LANES_AT(at + 4 * w);
            }
            for (int k = count - 1; k >= 0; k--) {
                TactLanes l = TACT_LANES_ALL(L[(size_t)k * n + (size_t)j]);
                for (int w = 0; w < fours; w++) {
                    x[w] -= l * own[k][w];
                }
            }
            for (int w = 0; w < fours; w++) {
                TACT_LANES_PUT(at + 4 * w) = x[w];
            }
        }
        last = whitener->parent[start];
    }
    for (int k = 0; k < count; k++) {
        for (int w = 0; w < fours; w++) {
            TACT_LANES_PUT(f + width * (first + k) + 4 * w) =
                own[k][w] * TACT_LANES_ALL(whitener->inverse[first + k]);
        }
    }
}

/// Is there anything at the dofs from first on?
__attribute__((always_inline)) static inline bool has_force(int first, int count, const double *f)
{
    TactMask any = {0, 0, 0, 0};
    for (int k = 0; k < count; k++) {
        any |= TACT_LANES_AT(f + 4 * (first + k)) != TACT_LANES_ALL(0.0);
    }
    return ((any[0] | any[1]) | (any[2] | any[3])) != 0;
}

__attribute__((always_inline)) static inline void
force_piece(const TactWhitener *whitener, int last, int count, int fours, double *f)
{
    switch (count) {
    case 1: force_chain(whitener, last, 1, fours, f); break;
    case 2: force_chain(whitener, last - 1, 2, fours, f); break;
    case 3: force_chain(whitener, last - 2, 3, fours, f); break;
    default: force_chain(whitener, last - 3, 4, fours, f); break;
    }
}

/// Dofs of a run that are taken together, from the last one back.
__attribute__((always_inline)) static inline int piece_of(const TactWhitener *whitener, int last)
{
    int count = last - whitener->run[last] + 1;
    return count < 4 ? count : 4;
}

TACT_CLONES void tact_whitener_force_four(const TactWhitener *whitener, double *f)
{
    for (int last = whitener->dof - 1, count; last >= 0; last -= count) {
        count = piece_of(whitener, last);
        if (has_force(last - count + 1, count, f)) {
            force_piece(whitener, last, count, 1, f);
        }
    }
}

__attribute__((always_inline)) static inline void force_of(const TactWhitener *whitener,
                                                           uint64_t dofs, int fours, double *f)
{
    while (dofs != 0) {
        int last = 63 - __builtin_clzll(dofs), count = piece_of(whitener, last);
        force_piece(whitener, last, count, fours, f);
        dofs &= ((uint64_t)1 << (last - count + 1)) - 1;
    }
}

TACT_CLONES void tact_whitener_force_four_of(const TactWhitener *whitener, uint64_t dofs, double *f)
{
    force_of(whitener, dofs, 1, f);
}

TACT_CLONES void tact_whitener_force_eight_of(const TactWhitener *whitener, uint64_t dofs,
                                              double *f)
{
    force_of(whitener, dofs, 2, f);
}

TACT_CLONES static void mass_velocity(const TactWhitener *whitener, double *v)
{
    size_t n = (size_t)whitener->dof;
    for (int i = whitener->dof - 1; i >= 0; i--) {
        double sum = v[i] + dot_above(whitener, i, whitener->mass + (size_t)i * n, v);
        v[i] = sum * whitener->root[i];
    }
}

TACT_CLONES static void mass_back(const TactWhitener *whitener, double *y)
{
    size_t n = (size_t)whitener->dof;
    for (int i = 0; i < whitener->dof; i++) {
        y[i] =
            y[i] * whitener->inverse[i] - dot_above(whitener, i, whitener->mass + (size_t)i * n, y);
    }
}

void tact_whitener_force(const TactWhitener *whitener, const TactContactProblem *problem, double *f)
{
    if (problem->M) {
        mass_force(whitener, f);
        return;
    }
    for (int k = 0; k < problem->body_count; k++) {
        tact_whitener_body(whitener, k, f + 6 * k);
    }
}

void tact_whitener_velocity(const TactWhitener *whitener, const TactContactProblem *problem,
                            double *v)
{
    if (problem->M) {
        mass_velocity(whitener, v);
        return;
    }
    for (int k = 0; k < problem->body_count; k++) {
        body_velocity(whitener->body + BODY_DOUBLES * k, v + 6 * k);
    }
}

void tact_whitener_back(const TactWhitener *whitener, const TactContactProblem *problem, double *y)
{
    if (problem->M) {
        mass_back(whitener, y);
        return;
    }
    for (int k = 0; k < problem->body_count; k++) {
        body_back(whitener->body + BODY_DOUBLES * k, y + 6 * k);
    }
}
