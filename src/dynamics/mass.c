// The mass matrix by composite bodies, and its factor [Featherstone, 6.2, 6.5].
//
// M_ij is other than zero only where one dof stands on the way from the other to the root. Row i
// keeps these entries in the order of the way, root first. The ancestors of an ancestor are then
// the beginning of the row, so that elimination subtracts the beginning of one row from another:
// contiguous memory, and no fill.
#include <string.h>

#include "base/clones.h"
#include "base/lanes.h"
#include "dynamics/workspace.h"

/// Mass, centre and inertia of every link with all that it carries.
TACT_CLONES static void compose(const TactDynamics *d)
{
    for (int l = 1; l < d->link_count; l++) {
        d->recursion->composite_mass[l] = d->links[l].inertia.mass;
        d->recursion->composite_com[l] = d->com[l];
        d->recursion->composite[l] = d->rotary[l];
    }
    for (int l = d->link_count - 1; l > 0; l--) {
        int p = d->links[l].parent;
        if (p == 0) {
            continue;
        }
        double m = d->recursion->composite_mass[l], n = d->recursion->composite_mass[p],
               sum = m + n;
        TactVec3 r =
            tact_vec3_subtract(d->recursion->composite_com[l], d->recursion->composite_com[p]);
        double share = sum > 0 ? m / sum : 0;
        d->recursion->composite_mass[p] = sum;
        d->recursion->composite_com[p] =
            tact_vec3_add_scaled(d->recursion->composite_com[p], share, r);
        d->recursion->composite[p] =
            tact_sym3_add(tact_sym3_add(d->recursion->composite[p], d->recursion->composite[l]),
                          tact_sym3_point_mass(n * share, r));
    }
}

/// Momentum of the composite of link l moving along an axis, about the link's centre of mass.
__attribute__((always_inline)) static inline TactWrench composite_momentum(const TactDynamics *d,
                                                                           int l, TactTwist axis)
{
    TactVec3   r = tact_vec3_subtract(d->recursion->composite_com[l], d->com[l]);
    TactTwist  v = tact_twist_shift(axis, r);
    TactWrench momentum = {
        tact_vec3_scale(d->recursion->composite_mass[l], v.linear),
        tact_sym3_apply(d->recursion->composite[l], v.angular),
    };
    return tact_wrench_shift(momentum, r);
}

/// Rows of a link's dofs: F = I_composite S_i carried from link to link towards the root,
/// M_ij = S_j' F.
__attribute__((always_inline)) static inline void fill_row(const TactDynamics *d, int l, int i)
{
    TactWrench F = composite_momentum(d, l, d->axis[i]);
    double    *end = d->mass->M + d->mass->row[i + 1];
    int        last = i;
    for (; l > 0; l = d->links[l].parent) {
        for (int j = last; j >= d->links[l].first_dof; j--) {
            *--end = tact_wrench_dot(F, d->axis[j]);
        }
        F = tact_wrench_shift(F, d->arm[l]);
        int above = d->links[l].parent;
        last = d->links[above].first_dof + d->links[above].dof_count - 1;
    }
}

/// F of up to four dofs, one in each lane.
typedef struct Wrenches {
    TactLanes fx, fy, fz, tx, ty, tz;
} Wrenches;

// The same operations on each lane as fill_row() does, so the same bits.
__attribute__((always_inline)) static inline void wrenches_dot(const Wrenches *F, TactTwist S,
                                                               TactLanes *out)
{
    *out = (F->fx * S.linear.x + F->fy * S.linear.y + F->fz * S.linear.z) +
           (F->tx * S.angular.x + F->ty * S.angular.y + F->tz * S.angular.z);
}

__attribute__((always_inline)) static inline void wrenches_shift(Wrenches *F, TactVec3 r)
{
    F->tx += r.y * F->fz - r.z * F->fy;
    F->ty += r.z * F->fx - r.x * F->fz;
    F->tz += r.x * F->fy - r.y * F->fx;
}

/// fill_row() of `count` dofs of a link at a time, from i on. The way of the first of them is the
/// beginning of the ways of all.
__attribute__((always_inline)) static inline void fill_rows(const TactDynamics *d, int l, int i,
                                                            int count)
{
    double  *rows[4];
    Wrenches F = {0};
    int      first = d->links[l].first_dof,
        place = d->mass->row[i + 1] - d->mass->row[i] - 1 - (i - first);
    for (int k = 0; k < count; k++) {
        TactWrench own = composite_momentum(d, l, d->axis[i + k]);
        rows[k] = d->mass->M + d->mass->row[i + k];
        F.fx[k] = own.force.x, F.fy[k] = own.force.y, F.fz[k] = own.force.z;
        F.tx[k] = own.torque.x, F.ty[k] = own.torque.y, F.tz[k] = own.torque.z;
    }
    for (int j = first; j < i + count; j++) {
        TactLanes M;
        wrenches_dot(&F, d->axis[j], &M);
        for (int k = j > i ? j - i : 0; k < count; k++) {
            rows[k][place + j - first] = M[k];
        }
    }
    for (; d->links[l].parent > 0; l = d->links[l].parent) {
        const TactLink *above = &d->links[d->links[l].parent];
        wrenches_shift(&F, d->arm[l]);
        for (int j = above->first_dof + above->dof_count - 1; j >= above->first_dof; j--) {
            TactLanes M;
            wrenches_dot(&F, d->axis[j], &M);
            place--;
            for (int k = 0; k < count; k++) {
                rows[k][place] = M[k];
            }
        }
    }
}

// M = L'DL from the last dof to the first: for every ancestor i of k, a = M_ki / M_kk,
//     M_ij -= a M_kj for all ancestors j of i, and i itself.
//
// Dofs each of which is the parent of the next have the same ancestors above them: up to four of
// them are taken off a row together, one after the other in registers. Rows of L have room for
// whole vectors: what is beyond the diagonal is written and never read.
enum { TOGETHER = TACT_DYNAMICS_TOGETHER };

/// target -= a_0 e_0, a_1 e_1, ... in this order, over n entries in whole vectors.
__attribute__((always_inline)) static inline void
subtract_all(int n, int count, const double *a, const double *const *e, double *target)
{
    for (int j = 0; j < n; j += 4) {
        TactLanes x = TACT_LANES_AT(target + j);
        for (int k = 0; k < count; k++) {
            x -= TACT_LANES_ALL(a[k]) * TACT_LANES_AT(e[k] + j);
        }
        TACT_LANES_PUT(target + j) = x;
    }
}

/// Takes a piece of a chain, rows e from its end, off the rows of the dofs above it.
__attribute__((always_inline)) static inline void eliminate_piece(const TactDynamics *d, int count,
                                                                  const int *column, int above,
                                                                  const double *const *e,
                                                                  const double        *inverse)
{
    for (int p = above - 1; p >= 0; p--) {
        double a[TOGETHER];
        for (int k = 0; k < count; k++) {
            a[k] = e[k][p] * inverse[k];
        }
        subtract_all(p + 1, count, a, e, d->mass->L + d->mass->factor_row[column[p]]);
    }
}

TACT_CLONES static void factor_chains(const TactDynamics *d)
{
    for (int last = d->model->nv - 1, count; last >= 0; last -= count) {
        count = d->mass->chain[last];
        int           first = last - count + 1;
        int           above = d->mass->row[first + 1] - d->mass->row[first] - 1; // of all of them
        const int    *column = d->mass->column + d->mass->row[last];
        const double *e[TOGETHER];
        double        inverse[TOGETHER];
        for (int k = 0; k < count; k++) { // among themselves
            e[k] = d->mass->L + d->mass->factor_row[last - k];
            inverse[k] = 1 / e[k][above + count - 1 - k];
            for (int p = above + count - 2 - k; p >= above; p--) {
                double a = e[k][p] * inverse[k];
                subtract_all(p + 1, 1, &a, e + k, d->mass->L + d->mass->factor_row[column[p]]);
            }
        }
        switch (count) {
        case 1: eliminate_piece(d, 1, column, above, e, inverse); break;
        case 2: eliminate_piece(d, 2, column, above, e, inverse); break;
        case 3: eliminate_piece(d, 3, column, above, e, inverse); break;
        default: eliminate_piece(d, TOGETHER, column, above, e, inverse);
        }
        for (int k = 0; k < count; k++) {
            double *entries = d->mass->L + d->mass->factor_row[last - k];
            int     length = above + count - 1 - k;
            for (int j = 0; j < length; j += 4) {
                TACT_LANES_PUT(entries + j) *= TACT_LANES_ALL(inverse[k]);
            }
            entries[length] = inverse[k];
        }
    }
}

void tact_dynamics_factor_mass(TactDynamics *d)
{
    static const double none[4] = {0};
    for (int i = 0; i < d->model->nv; i++) {
        int     length = d->mass->row[i + 1] - d->mass->row[i];
        double *entries = d->mass->L + d->mass->factor_row[i];
        memcpy(d->mass->L + d->mass->factor_row[i + 1] - 4, none, sizeof none);
        memcpy(entries, d->mass->M + d->mass->row[i], (size_t)length * sizeof *entries);
    }
    factor_chains(d);
}

/// M, without what is added to its diagonal.
TACT_CLONES static void fill_rows_of_links(const TactDynamics *d)
{
    for (int l = 1; l < d->link_count; l++) {
        const TactLink *link = &d->links[l];
        int             end = link->first_dof + link->dof_count;
        if (link->dof_count == 1) {
            fill_row(d, l, link->first_dof);
            continue;
        }
        for (int i = link->first_dof; i < end; i += 4) {
            fill_rows(d, l, i, end - i < 4 ? end - i : 4);
        }
    }
}

void tact_dynamics_fill_mass(TactDynamics *d, const double *added)
{
    compose(d);
    fill_rows_of_links(d);
    for (int i = 0; i < d->model->nv; i++) {
        d->mass->M[d->mass->row[i + 1] - 1] += d->model->dofs[i].armature + (added ? added[i] : 0);
    }
    if (d->tendon_inertia) {
        tact_dynamics_add_tendon_mass(d);
    }
}

void tact_dynamics_compute_mass(TactDynamics *d, const double *added)
{
    tact_dynamics_fill_mass(d, added);
    tact_dynamics_factor_mass(d);
}

/// Row i of the way from the root to the body gets mass J_i'J_j for all j before it on that way.
void tact_dynamics_add_point_mass(TactDynamics *d, int body, TactVec3 point, double mass)
{
    for (int l = d->link_of[body]; l > 0; l = d->links[l].parent) {
        TactVec3 r = tact_vec3_subtract(point, d->com[l]);
        for (int i = d->links[l].first_dof; i < d->links[l].first_dof + d->links[l].dof_count;
             i++) {
            TactVec3 moved = tact_twist_shift(d->axis[i], r).linear;
            for (int p = d->mass->row[i]; p < d->mass->row[i + 1]; p++) {
                int      j = d->mass->column[p], m = d->link_of[d->model->dofs[j].body];
                TactVec3 s = tact_vec3_subtract(point, d->com[m]);
                d->mass->M[p] +=
                    mass * tact_vec3_dot(moved, tact_twist_shift(d->axis[j], s).linear);
            }
        }
    }
    tact_dynamics_factor_mass(d);
}

void tact_dynamics_get_mass(const TactDynamics *d, double *M)
{
    int n = d->model->nv;
    memset(M, 0, (size_t)n * (size_t)n * sizeof *M);
    for (int i = 0; i < n; i++) {
        for (int p = d->mass->row[i]; p < d->mass->row[i + 1]; p++) {
            int j = d->mass->column[p];
            M[(size_t)i * (size_t)n + (size_t)j] = d->mass->M[p];
            M[(size_t)j * (size_t)n + (size_t)i] = d->mass->M[p];
        }
    }
}

TactMassRow tact_dynamics_view_mass_row(const TactDynamics *d, int dof)
{
    int         start = d->mass->row[dof];
    TactMassRow row = {d->mass->row[dof + 1] - start, d->mass->column + start, d->mass->M + start};
    return row;
}

TactFactorRow tact_dynamics_view_factor_row(const TactDynamics *d, int dof)
{
    const TactMassMatrix *mass = d->mass;
    return (TactFactorRow){mass->L + mass->factor_row[dof], mass->run[dof] - mass->row[dof]};
}

/// A piece of a chain: its rows, and the dofs above it. From the place `run` on those are one dof
/// after the other as well.
typedef struct Piece {
    int           above, run;
    const int    *column;
    const double *L[TOGETHER]; // rows, first to last; the last ones may be the first again
} Piece;

__attribute__((always_inline)) static inline void find_piece(const TactDynamics *d, int first,
                                                             int count, Piece *piece)
{
    piece->above = d->mass->row[first + 1] - d->mass->row[first] - 1;
    piece->run = d->mass->run[first] - d->mass->row[first];
    piece->column = d->mass->column + d->mass->row[first];
    for (int k = 0; k < TOGETHER; k++) {
        piece->L[k] = d->mass->L + d->mass->factor_row[k < count ? first + k : first];
    }
}

/// x_above -= sum_k L_k own_k
__attribute__((always_inline)) static inline void spread(const Piece *piece, int count,
                                                         const double *own, double *x)
{
    double *run = x + piece->column[piece->run] - piece->run;
    int     p = 0;
    for (; p < piece->run; p++) {
        for (int k = 0; k < count; k++) {
            x[piece->column[p]] -= piece->L[k][p] * own[k];
        }
    }
    for (; p + 4 <= piece->above; p += 4) {
        TactLanes sum = TACT_LANES_AT(run + p);
        for (int k = 0; k < count; k++) {
            sum -= TACT_LANES_AT(piece->L[k] + p) * TACT_LANES_ALL(own[k]);
        }
        TACT_LANES_PUT(run + p) = sum;
    }
    for (; p < piece->above; p++) {
        double sum = run[p];
        for (int k = 0; k < count; k++) {
            sum -= piece->L[k][p] * own[k];
        }
        run[p] = sum;
    }
}

/// own_k -= L_k x_above, each in four partial sums.
__attribute__((always_inline)) static inline void gather_piece(const Piece *piece, int count,
                                                               const double *x, double *own)
{
    const double *run = x + piece->column[piece->run] - piece->run;
    TactLanes     sum[TOGETHER] = {{0}};
    double        rest[TOGETHER] = {0};
    int           p = 0;
    for (; p < piece->run; p++) {
        for (int k = 0; k < count; k++) {
            rest[k] += piece->L[k][p] * x[piece->column[p]];
        }
    }
    for (; p + 4 <= piece->above; p += 4) {
        for (int k = 0; k < count; k++) {
            sum[k] += TACT_LANES_AT(piece->L[k] + p) * TACT_LANES_AT(run + p);
        }
    }
    for (; p < piece->above; p++) {
        for (int k = 0; k < count; k++) {
            rest[k] += piece->L[k][p] * run[p];
        }
    }
    for (int k = 0; k < count; k++) {
        own[k] -= ((sum[k][0] + sum[k][1]) + (sum[k][2] + sum[k][3])) + rest[k];
    }
}

/// L' y = x over one piece.
__attribute__((always_inline)) static inline void go_down(const TactDynamics *d, int first,
                                                          int count, double *x)
{
    Piece   piece;
    double *own = x + first;
    bool    any = false;
    find_piece(d, first, count, &piece);
    for (int k = count - 1; k >= 0; k--) {
        any = any || own[k] != 0;
        for (int i = k - 1; i >= 0; i--) {
            own[i] -= piece.L[k][piece.above + i] * own[k];
        }
    }
    if (any) {
        spread(&piece, count, own, x);
    }
}

/// D, and L x = y over one piece.
__attribute__((always_inline)) static inline void go_up(const TactDynamics *d, int first, int count,
                                                        double *x)
{
    Piece   piece;
    double *own = x + first;
    find_piece(d, first, count, &piece);
    for (int k = 0; k < count; k++) {
        own[k] *= piece.L[k][piece.above + k];
    }
    gather_piece(&piece, count, x, own);
    for (int k = 1; k < count; k++) {
        for (int i = 0; i < k; i++) {
            own[k] -= piece.L[k][piece.above + i] * own[i];
        }
    }
}

/// Each number of dofs has a copy of its own, without loops over them.
TACT_CLONES void tact_dynamics_solve_mass(const TactDynamics *d, double *x)
{
    int nv = d->model->nv;
    for (int last = nv - 1, count; last >= 0; last -= count) {
        count = d->mass->chain[last];
        switch (count) {
        case 1: go_down(d, last, 1, x); break;
        case 2: go_down(d, last - 1, 2, x); break;
        case 3: go_down(d, last - 2, 3, x); break;
        default: go_down(d, last - TOGETHER + 1, TOGETHER, x);
        }
    }
    for (int first = 0, count; first < nv; first += count) {
        count = d->mass->chain[first];
        switch (count) {
        case 1: go_up(d, first, 1, x); break;
        case 2: go_up(d, first, 2, x); break;
        case 3: go_up(d, first, 3, x); break;
        default: go_up(d, first, TOGETHER, x);
        }
    }
}

void tact_dynamics_multiply_mass(const TactDynamics *d, const double *x, double *y)
{
    const int *row = d->mass->row;
    for (int i = 0; i < d->model->nv; i++) {
        y[i] = 0;
    }
    for (int i = 0; i < d->model->nv; i++) {
        for (int p = row[i]; p < row[i + 1] - 1; p++) {
            y[i] += d->mass->M[p] * x[d->mass->column[p]];
            y[d->mass->column[p]] += d->mass->M[p] * x[i];
        }
        y[i] += d->mass->M[row[i + 1] - 1] * x[i];
    }
}
