// The pivoting kernel under lemke, lemke-lex and search.
//
// Augmented system [Lloyd04, eq. 17; Yamane, eq. 8], with a covering vector c:
//
//     w = M z + c z0 + q
//
// A basis is a set `col` of basic z (z0 may be among them) and an equally large set `row` of
// non-basic w. With K = [M c]_(row,col) the basic variables are [Lloyd04, eq. 19]
//
//     z_col = -K^-1 q_row,    w_b = q_b + M_(b,col) z_col
//
// and they move along the column m' of a driving variable y [Lloyd04, eqs. 20, 21]. Only K^-1, of
// the size of the basic z, is kept, as an explicit inverse changed by a rank-one exchange at each
// pivot: a pivot costs O(k^2 + n k) instead of the O(n^2) of a full tableau. The zeros that the
// column must have at the rows of non-basic w tell for free how far the inverse has drifted.
#ifndef TACT_LCP_PIVOT_PIVOT_H
#define TACT_LCP_PIVOT_PIVOT_H

#include "lcp/solver.h"

// A variable is one integer: z_j is j, z0 is n, w_i is n + 1 + i.
typedef struct TactPivot {
    int     n;
    int     k;           // basic z
    size_t  ld;          // leading dimension of columns, inverse and block
    double *columns;     // M equilibrated, column j contiguous; column n is c   ((n + 1) x ld)
    double *q;           // offset, equilibrated                                 (n)
    double *scale;       // d: M <- D M D, q <- D q / q_scale, powers of two     (n)
    double  q_scale;     // largest |d_i q_i|, rounded to a power of two
    bool   *is_free;     // z_j is free: it stays basic and blocks nothing       (n + 1)
    bool   *is_dropped;  // equation i follows from the others and was left out  (n)
    int    *col;         // basic z at each place                                (n + 1)
    int    *row;         // non-basic w at each place                            (n + 1)
    int    *col_place;   // place of z_j in col, -1: non-basic                   (n + 1)
    int    *row_place;   // place of w_i in row, -1: basic                       (n)
    double *inverse;     // K^-1 transposed: [place in row][place in col]        ((n + 1) x ld)
    double *block;       // scratch of the factorisation                         ((n + 1) x ld)
    double *ratio;       // ratio test: of basic z by place, of w_i at n + 1 + i (2 n + 1)
    int    *list;        // ratio test: some variables                           (n + 1)
    int    *permutation; // scratch of the factorisation                         (n + 1)
    double *z;           // values of the basic z, by place                      (n + 1)
    double *w;           // values of all w, 0 where non-basic                   (n)
    double *dz;          // their rates along the driving variable, by place     (n + 1)
    double *dw;          //                                                      (n)
    double  column_size; // max(1, |dz_c|): what errors of the column are relative to
    double *product;     // scratch: M_(i,col) K^-1 of one row i, by place       (n + 1)
    int     refactors;   // factorisations forced by drift
} TactPivot;

void tact_pivot_layout(TactPivot *pivot, int max_n, TactArena *arena);

/// Copies and equilibrates the problem; its finite lower bounds are moved to 0. No basis yet.
void tact_pivot_load(TactPivot *pivot, const TactLcpProblem *problem);

/// Makes {z_j : basic[j]} the basis, with all free z, and computes its values.
/// false: K is singular.
bool tact_pivot_set_basis(TactPivot *pivot, const unsigned char *basic);

/// The basis of all free z and no other, or with as few others as make it non-singular; equations
/// that follow from others are left out. Returns -1, or the free variable at which it failed.
int tact_pivot_set_start(TactPivot *pivot);

/// Covering vector for the present basis, so that along z0 every variable that can block grows:
/// a basic w_i at the rate `cover_i` (in units of the problem as it was loaded; NULL: 1,
/// equilibrated), a basic z at the rate 1. random, if not NULL, multiplies every rate by a number
/// in [1, 2).
void tact_pivot_cover(TactPivot *pivot, const double *cover, TactRandom *random);

/// Computes the column (dz, dw) of a non-basic driving variable, refined or with a new factor if
/// it had drifted. false: K has become singular, or the column overflows.
bool tact_pivot_column(TactPivot *pivot, int driving);

/// Moves along the column by `step`, exchanges driving and leaving variable, updates the inverse.
void tact_pivot_exchange(TactPivot *pivot, int driving, int leaving, double step);

/// M_(i,col), by place in col.                                                     (k)
void tact_pivot_gather_row(const TactPivot *pivot, int i, double *row);

/// M_(i,col) K^-1, by place in row, into pivot->product.
void tact_pivot_row_product(TactPivot *pivot, int i);

/// Factors K anew and recomputes all values. false: singular.
bool tact_pivot_refactor(TactPivot *pivot);

/// Recomputes w = q + [M c] z from the values of the basic z, and refines these if w is not 0 at
/// the rows of non-basic w. Returns the largest |w| there, relative to the largest value.
double tact_pivot_renew_values(TactPivot *pivot);

/// Value of a basic variable, and its rate along the column.
static inline double tact_pivot_value(const TactPivot *pivot, int variable)
{
    return variable > pivot->n ? pivot->w[variable - pivot->n - 1]
                               : pivot->z[pivot->col_place[variable]];
}

static inline double tact_pivot_rate(const TactPivot *pivot, int variable)
{
    return variable > pivot->n ? pivot->dw[variable - pivot->n - 1]
                               : pivot->dz[pivot->col_place[variable]];
}

/// Refines the values of a complementary basis against the unrounded data. false: K is singular,
/// or a value overflows.
bool tact_pivot_finish(TactPivot *pivot);

/// Writes z, unscaled, with its lower bounds, and the state of every variable.
void tact_pivot_write(const TactPivot *pivot, const TactLcpProblem *problem, double *z,
                      unsigned char *basis);

static inline double *tact_pivot_inverse_row(const TactPivot *pivot, int place)
{
    return pivot->inverse + (size_t)place * pivot->ld;
}

static inline int tact_pivot_complement(const TactPivot *pivot, int variable)
{
    return variable > pivot->n ? variable - pivot->n - 1 : variable + pivot->n + 1;
}

/// The row (or column) of the problem that a variable belongs to; -1 for z0.
static inline int tact_pivot_index(const TactPivot *pivot, int variable)
{
    return variable > pivot->n ? variable - pivot->n - 1 : variable < pivot->n ? variable : -1;
}

#include "lcp/pivot/equilibrate.h"

#endif
