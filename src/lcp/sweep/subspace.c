#include "lcp/sweep/subspace.h"

#include <math.h>
#include <string.h>

#include "lcp/solver.h"

// A row depends on the others if its pivot is this small beside its diagonal entry: above what
// rounding leaves of a zero (1e-14), below what a mass ratio of 1e6 makes of a regular one.
static const double DEPENDENT = 1e-12;

// A fresh factor of k rows costs about as much as k / UPDATE_SHARE rows that come or go.
enum { UPDATE_SHARE = 4, MAX_UPDATES = 100 };

enum { OUTSIDE, IN_FACTOR, DEPENDS }; // place

void tact_lcp_subspace_layout(TactLcpSubspace *subspace, int max_n, TactLcpStorage storage,
                              TactArena *arena)
{
    size_t          n = (size_t)max_n;
    TactLcpSubspace lent = {
        .free = tact_arena_take(arena, n, sizeof(unsigned char)),
        .index = tact_arena_take(arena, n, sizeof(int)),
        .step = tact_arena_take(arena, n, sizeof(double)),
    };
    if (storage == TACT_LCP_STORAGE_SPARSE) {
        lent.residual = tact_arena_take(arena, n, sizeof(double));
        lent.direction = tact_arena_take(arena, n, sizeof(double));
        lent.product = tact_arena_take(arena, n, sizeof(double));
    } else {
        tact_ldl_layout(&lent.ldl, max_n, arena);
        lent.place = tact_arena_take(arena, n, sizeof(unsigned char));
        lent.row = tact_arena_take(arena, n, sizeof(double));
    }
    if (subspace) {
        *subspace = lent;
    }
}

void tact_lcp_subspace_begin(TactLcpSubspace *subspace, const TactLcpProblem *problem,
                             const double *inverse)
{
    subspace->problem = problem;
    subspace->inverse = inverse;
    subspace->count = subspace->rank = 0;
    subspace->factors = subspace->updates = 0;
    subspace->ldl.n = 0;
    if (problem->M) {
        memset(subspace->place, OUTSIDE, (size_t)problem->n);
    }
}

// ---------------------------------------------------------------------------------------------
// The factor of F

static void list_free(TactLcpSubspace *subspace)
{
    subspace->count = 0;
    for (int i = 0; i < subspace->problem->n; i++) {
        if (subspace->free[i]) {
            subspace->index[subspace->count++] = i;
        }
    }
    subspace->rank = subspace->count;
}

static void factor_anew(TactLcpSubspace *subspace)
{
    int n = subspace->problem->n;
    list_free(subspace);
    tact_ldl_factor(&subspace->ldl, subspace->count, subspace->problem->M, n, subspace->index,
                    DEPENDENT);
    subspace->rank = subspace->ldl.n;
    subspace->factors++;
    subspace->updates = 0;
    subspace->loosened = false;
    memset(subspace->place, OUTSIDE, (size_t)n);
    for (int a = 0; a < subspace->count; a++) {
        subspace->place[subspace->index[a]] = a < subspace->rank ? IN_FACTOR : DEPENDS;
    }
}

static void remove_row(TactLcpSubspace *subspace, int a)
{
    subspace->place[subspace->index[a]] = OUTSIDE;
    memmove(subspace->index + a, subspace->index + a + 1,
            (size_t)(subspace->count - a - 1) * sizeof *subspace->index);
    subspace->count--;
    if (a < subspace->rank) {
        tact_ldl_remove(&subspace->ldl, a);
        subspace->rank--;
        subspace->updates++;
        subspace->loosened = true;
    }
}

/// Row i of M_FF against the rows in the factor.
static void gather_row(TactLcpSubspace *subspace, int i)
{
    const double *row = subspace->problem->M + (size_t)i * (size_t)subspace->problem->n;
    for (int a = 0; a < subspace->rank; a++) {
        subspace->row[a] = row[subspace->index[a]];
    }
}

/// Appends i to the factor, or behind it to those that depend on it. Returns whether to the factor.
static bool append_row(TactLcpSubspace *subspace, int i)
{
    double diagonal = subspace->problem->M[(size_t)i * ((size_t)subspace->problem->n + 1)];
    gather_row(subspace, i);
    tact_ldl_forward(&subspace->ldl, subspace->row, subspace->row);
    double pivot = tact_ldl_pivot(&subspace->ldl, subspace->row, diagonal);
    bool   depends = !(pivot > DEPENDENT * diagonal);
    int    place = depends ? subspace->count : subspace->rank;
    memmove(subspace->index + place + 1, subspace->index + place,
            (size_t)(subspace->count - place) * sizeof *subspace->index);
    subspace->index[place] = i;
    subspace->count++;
    subspace->updates++;
    subspace->place[i] = DEPENDS;
    if (!depends) {
        tact_ldl_append(&subspace->ldl, subspace->row, pivot);
        subspace->place[i] = IN_FACTOR;
        subspace->rank++;
    }
    return !depends;
}

typedef enum Dependents { JUDGED_ANEW, LEFT_ALONE } Dependents;

static void update(TactLcpSubspace *subspace, Dependents dependents)
{
    int n = subspace->problem->n;
    int wanted = 0;
    int gone = 0;
    int come = 0;
    for (int i = 0; i < n; i++) {
        wanted += subspace->free[i];
        gone += !subspace->free[i] && subspace->place[i] == IN_FACTOR;
        come += subspace->free[i] && subspace->place[i] == OUTSIDE;
    }
    bool judge = dependents == JUDGED_ANEW && (gone > 0 || subspace->loosened);
    int  changes = gone + come + (judge ? subspace->count - subspace->rank : 0);
    if (changes * UPDATE_SHARE > wanted || subspace->updates + changes > MAX_UPDATES) {
        factor_anew(subspace);
        return;
    }
    for (int a = subspace->count - 1; a >= 0; a--) {
        if (!subspace->free[subspace->index[a]] || (judge && a >= subspace->rank)) {
            remove_row(subspace, a);
        }
    }
    for (int i = 0; i < n; i++) {
        if (subspace->free[i] && subspace->place[i] == OUTSIDE) {
            append_row(subspace, i);
        }
    }
    subspace->loosened = subspace->loosened && !judge;
}

void tact_lcp_subspace_set(TactLcpSubspace *subspace)
{
    if (subspace->problem->M) {
        update(subspace, JUDGED_ANEW);
    } else {
        list_free(subspace);
    }
}

void tact_lcp_subspace_shrink(TactLcpSubspace *subspace)
{
    if (subspace->problem->M) {
        update(subspace, LEFT_ALONE);
    } else {
        list_free(subspace);
    }
}

int tact_lcp_subspace_admit(TactLcpSubspace *subspace, const double *w, double tolerance)
{
    int  admitted = 0;
    bool all = true;
    for (int a = subspace->count - 1; a >= subspace->rank && subspace->loosened; a--) {
        int i = subspace->index[a];
        if (!(fabs(w[i]) > tolerance)) {
            all = false;
            continue;
        }
        remove_row(subspace, a);
        if (append_row(subspace, i)) {
            admitted++;
            a++; // those still to be looked at moved up by one
        }
    }
    subspace->loosened = subspace->loosened && !all;
    return admitted;
}

// ---------------------------------------------------------------------------------------------
// Steps

void tact_lcp_subspace_solve(TactLcpSubspace *subspace, const double *w, double tolerance)
{
    if (!subspace->problem->M) {
        tact_lcp_subspace_cg(subspace, w, tolerance);
        return;
    }
    for (int a = 0; a < subspace->rank; a++) {
        subspace->step[a] = -w[subspace->index[a]];
    }
    tact_ldl_solve(&subspace->ldl, subspace->step, subspace->step);
}

void tact_lcp_subspace_null(TactLcpSubspace *subspace, int a)
{
    gather_row(subspace, subspace->index[a]);
    tact_ldl_solve(&subspace->ldl, subspace->row, subspace->step);
    for (int b = 0; b < subspace->rank; b++) {
        subspace->step[b] = -subspace->step[b];
    }
}
