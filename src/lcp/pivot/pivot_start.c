// The basis that a method starts from when it is given none: no z but the free ones.
//
// Their block M_FF may be singular although the problem is not: in min x'x/2, a'x = b, x >= 0 the
// multiplier of the equation is free and has M_FF = 0. Then other z enter with them: principal
// pivots of size 1, or of size 2 with
//
//     det [ m_jj m_ji ; m_ij m_ii ] = m_jj m_ii - m_ji m_ij != 0
//
// lead to a complementary basis that contains F. For a positive semidefinite M, m_jj = 0 means
// m_ij = -m_ji for all i, so that there is one unless row and column j vanish: then equation j
// follows from the others (or contradicts them), and is left out.
#include <math.h>
#include <string.h>

#include "lcp/pivot/pivot.h"

// A rate below this, relative to its column, is 0.
static const double ZERO_RATE = 1e-10;

// Largest w_j, equilibrated, of an equation that follows from the others.
static const double ZERO_VALUE = 1e-9;

// A pivot of size 1 is taken if it is this large, compared with the largest of its column.
static const double GOOD_PIVOT = 0.01;

static double *column_of_start(const TactPivot *pivot, int j)
{
    return pivot->columns + (size_t)j * pivot->ld;
}

static void clear_basis(TactPivot *pivot)
{
    pivot->k = 0;
    for (int j = 0; j < pivot->n; j++) {
        pivot->col_place[j] = pivot->row_place[j] = -1;
    }
    pivot->col_place[pivot->n] = -1;
    memcpy(pivot->w, pivot->q, (size_t)pivot->n * sizeof(double));
}

static bool is_pair_outside(const TactPivot *pivot, int i)
{
    return pivot->col_place[i] < 0 && pivot->row_place[i] < 0;
}

/// z_j enters for w_i, which becomes 0.
static void enter(TactPivot *pivot, int j, int i)
{
    tact_pivot_exchange(pivot, j, pivot->n + 1 + i, -pivot->w[i] / pivot->dw[i]);
}

/// m_ji: row j of the pivoted matrix at z_i.
static double entry_of_row(TactPivot *pivot, int i)
{
    const double *column = column_of_start(pivot, i);
    double        sum = 0;
    for (int r = 0; r < pivot->k; r++) {
        sum += pivot->product[r] * column[pivot->row[r]];
    }
    return -sum;
}

typedef struct Partner {
    int    index;   // i with the largest |m_ij m_ji|; -1: all are 0
    double row_max; // max_i |m_ji|
} Partner;

/// Looks for a pivot of size 2; the column of z_j must be computed.
static Partner find_partner(TactPivot *pivot, int j)
{
    Partner partner = {-1, 0};
    double  best = ZERO_RATE * pivot->column_size;
    tact_pivot_row_product(pivot, j);
    for (int i = 0; i < pivot->n; i++) {
        if (is_pair_outside(pivot, i) && i != j) {
            double m_ji = fabs(column_of_start(pivot, i)[j] + entry_of_row(pivot, i));
            partner.row_max = fmax(partner.row_max, m_ji);
            if (m_ji * fabs(pivot->dw[i]) > best) {
                best = m_ji * fabs(pivot->dw[i]);
                partner.index = i;
            }
        }
    }
    return partner;
}

/// Equation j says nothing new: as if it and z_j were not there.
static void drop_equation(TactPivot *pivot, int j)
{
    for (int c = 0; c <= pivot->n; c++) {
        column_of_start(pivot, c)[j] = 0;
    }
    memset(column_of_start(pivot, j), 0, (size_t)pivot->n * sizeof(double));
    pivot->q[j] = pivot->w[j] = 0;
    pivot->is_free[j] = false;
    pivot->is_dropped[j] = true;
}

/// Makes z_j basic, with another one if it must be. false: impossible, or equation j contradicts
/// the others.
static bool bring_in(TactPivot *pivot, int j)
{
    if (!tact_pivot_column(pivot, j)) {
        return false;
    }
    double largest = 0;
    for (int i = 0; i < pivot->n; i++) {
        largest = is_pair_outside(pivot, i) ? fmax(largest, fabs(pivot->dw[i])) : largest;
    }
    double zero = ZERO_RATE * pivot->column_size;
    if (fabs(pivot->dw[j]) > fmax(zero, GOOD_PIVOT * largest)) {
        enter(pivot, j, j);
        return true;
    }
    Partner partner = find_partner(pivot, j);
    if (partner.index >= 0) {
        enter(pivot, j, partner.index);
        if (!tact_pivot_column(pivot, partner.index) ||
            !(fabs(pivot->dw[j]) > ZERO_RATE * pivot->column_size)) {
            return false;
        }
        enter(pivot, partner.index, j);
        return true;
    }
    if (fabs(pivot->dw[j]) > zero) {
        enter(pivot, j, j);
        return true;
    }
    if (partner.row_max > zero || fabs(pivot->w[j]) > ZERO_VALUE) {
        return false;
    }
    drop_equation(pivot, j);
    return true;
}

int tact_pivot_set_start(TactPivot *pivot)
{
    if (tact_pivot_set_basis(pivot, NULL)) {
        return -1;
    }
    clear_basis(pivot);
    for (int j = 0; j < pivot->n; j++) {
        if (pivot->is_free[j] && pivot->col_place[j] < 0 && !bring_in(pivot, j)) {
            return j;
        }
    }
    return tact_pivot_refactor(pivot) ? -1 : pivot->col[0];
}
