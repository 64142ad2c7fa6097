// The mass matrix by composite bodies, and its factor [Featherstone, 6.2, 6.5].
//
// M_ij is other than zero only where one dof stands on the way from the other to the root. Row i
// keeps these entries in the order of the way, root first. The ancestors of an ancestor are then
// the beginning of the row, so that elimination subtracts the beginning of one row from another:
// contiguous memory, and no fill.
#include <string.h>

#include "base/clones.h"
#include "base/lanes4.h"
#include "dynamics/workspace.h"

/// Mass, centre and inertia of every link with all that it carries.
static void compose(TactDynamics *d)
{
    for (int l = 1; l < d->link_count; l++) {
        d->composite_mass[l] = d->links[l].inertia.mass;
        d->composite_com[l] = d->com[l];
        d->composite[l] = d->rotary[l];
    }
    for (int l = d->link_count - 1; l > 0; l--) {
        int p = d->links[l].parent;
        if (p == 0) {
            continue;
        }
        double   m = d->composite_mass[l], n = d->composite_mass[p], sum = m + n;
        TactVec3 r = tact_vec3_subtract(d->composite_com[l], d->composite_com[p]);
        double   share = sum > 0 ? m / sum : 0;
        d->composite_mass[p] = sum;
        d->composite_com[p] = tact_vec3_add_scaled(d->composite_com[p], share, r);
        d->composite[p] = tact_sym3_add(tact_sym3_add(d->composite[p], d->composite[l]),
                                        tact_sym3_point_mass(n * share, r));
    }
}

/// Momentum of the composite of link l moving along an axis, about the link's centre of mass.
static TactWrench composite_momentum(const TactDynamics *d, int l, TactTwist axis)
{
    TactVec3   r = tact_vec3_subtract(d->composite_com[l], d->com[l]);
    TactTwist  v = tact_twist_shift(axis, r);
    TactWrench momentum = {
        tact_vec3_scale(d->composite_mass[l], v.linear),
        tact_sym3_apply(d->composite[l], v.angular),
    };
    return tact_wrench_shift(momentum, r);
}

/// Row i: F = I_composite S_i carried from link to link towards the root, M_ij = S_j' F.
static void fill_row(TactDynamics *d, int l, int i)
{
    TactWrench F = composite_momentum(d, l, d->axis[i]);
    double    *end = d->M + d->row[i + 1];
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

/// a'x, in four partial sums.
__attribute__((always_inline)) static inline double dot(int n, const double *a, const double *x)
{
    TactLanes sum = TACT_LANES_ALL(0.0);
    int       j = 0;
    double    rest = 0;
    for (; j + 4 <= n; j += 4) {
        sum += TACT_LANES_AT(a + j) * TACT_LANES_AT(x + j);
    }
    for (; j < n; j++) {
        rest += a[j] * x[j];
    }
    return ((sum[0] + sum[1]) + (sum[2] + sum[3])) + rest;
}

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

// M = L'DL from the last dof to the first: for every ancestor i of k, a = M_ki / M_kk,
//     M_ij -= a M_kj for all ancestors j of i, and i itself.
TACT_CLONES static void factor(int nv, const int *row, const int *column, double *L)
{
    for (int k = nv - 1; k >= 0; k--) {
        double *restrict entries = L + row[k];
        int    count = row[k + 1] - row[k] - 1;
        double inverse = 1 / entries[count];
        for (int p = count - 1; p >= 0; p--) {
            double *restrict target = L + row[column[row[k] + p]];
            double a = entries[p] * inverse;
            subtract(p + 1, a, entries, target);
        }
        for (int p = 0; p < count; p++) {
            entries[p] *= inverse;
        }
        entries[count] = inverse;
    }
}

void tact_dynamics_compute_mass(TactDynamics *d, const double *added)
{
    compose(d);
    for (int l = 1; l < d->link_count; l++) {
        const TactLink *link = &d->links[l];
        for (int i = link->first_dof; i < link->first_dof + link->dof_count; i++) {
            fill_row(d, l, i);
            d->M[d->row[i + 1] - 1] += d->model->dofs[i].armature + (added ? added[i] : 0);
        }
    }
    memcpy(d->L, d->M, (size_t)d->row[d->model->nv] * sizeof *d->L);
    factor(d->model->nv, d->row, d->column, d->L);
}

/// Row i of the way from the root to the body gets mass J_i'J_j for all j before it on that way.
void tact_dynamics_add_point_mass(TactDynamics *d, int body, TactVec3 point, double mass)
{
    for (int l = d->link_of[body]; l > 0; l = d->links[l].parent) {
        TactVec3 r = tact_vec3_subtract(point, d->com[l]);
        for (int i = d->links[l].first_dof; i < d->links[l].first_dof + d->links[l].dof_count;
             i++) {
            TactVec3 moved = tact_twist_shift(d->axis[i], r).linear;
            for (int p = d->row[i]; p < d->row[i + 1]; p++) {
                int      j = d->column[p], m = d->link_of[d->model->dofs[j].body];
                TactVec3 s = tact_vec3_subtract(point, d->com[m]);
                d->M[p] += mass * tact_vec3_dot(moved, tact_twist_shift(d->axis[j], s).linear);
            }
        }
    }
    memcpy(d->L, d->M, (size_t)d->row[d->model->nv] * sizeof *d->L);
    factor(d->model->nv, d->row, d->column, d->L);
}

void tact_dynamics_get_mass(const TactDynamics *d, double *M)
{
    int n = d->model->nv;
    memset(M, 0, (size_t)n * (size_t)n * sizeof *M);
    for (int i = 0; i < n; i++) {
        for (int p = d->row[i]; p < d->row[i + 1]; p++) {
            int j = d->column[p];
            M[(size_t)i * (size_t)n + (size_t)j] = d->M[p];
            M[(size_t)j * (size_t)n + (size_t)i] = d->M[p];
        }
    }
}

TactMassRow tact_dynamics_view_mass_row(const TactDynamics *d, int dof)
{
    int         start = d->row[dof];
    TactMassRow row = {d->row[dof + 1] - start, d->column + start, d->M + start};
    return row;
}

// The dofs of a row are mostly one after the other from some place on.
TACT_CLONES void tact_dynamics_solve_mass(const TactDynamics *d, double *x)
{
    const int    *row = d->row, *column = d->column, *run = d->run;
    const double *L = d->L;
    for (int i = d->model->nv - 1; i >= 0; i--) { // L' y = x
        double own = x[i];
        if (own == 0) {
            continue;
        }
        for (int p = row[i]; p < run[i]; p++) {
            x[column[p]] -= L[p] * own;
        }
        subtract(row[i + 1] - 1 - run[i], own, L + run[i], x + column[run[i]]);
    }
    for (int i = 0; i < d->model->nv; i++) { // D, and L x = y
        double sum = x[i] * L[row[i + 1] - 1];
        for (int p = row[i]; p < run[i]; p++) {
            sum -= L[p] * x[column[p]];
        }
        x[i] = sum - dot(row[i + 1] - 1 - run[i], L + run[i], x + column[run[i]]);
    }
}

void tact_dynamics_multiply_mass(const TactDynamics *d, const double *x, double *y)
{
    const int *row = d->row;
    for (int i = 0; i < d->model->nv; i++) {
        y[i] = 0;
    }
    for (int i = 0; i < d->model->nv; i++) {
        for (int p = row[i]; p < row[i + 1] - 1; p++) {
            y[i] += d->M[p] * x[d->column[p]];
            y[d->column[p]] += d->M[p] * x[i];
        }
        y[i] += d->M[row[i + 1] - 1] * x[i];
    }
}
