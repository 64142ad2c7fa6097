// Conjugate gradients on M_FF of a sparse matrix, preconditioned by its diagonal.
//
// The vectors are as long as z, and the direction is zero outside F: then the rows of M need no
// translation of their columns. The iterates lower phi(z + step) one by one, also where M_FF is
// singular, so that a solve may end anywhere.
#include <math.h>
#include <string.h>

#include "lcp/sweep/subspace.h"

// A solve ends when w_F is this much smaller: most faces are left again soon after.
static const double REDUCTION = 1e-5;

enum { MORE_THAN_F = 20 }; // iterations beyond the number of variables

/// product = M direction on F. Returns direction' M direction.
static double multiply_free(TactLcpSubspace *subspace)
{
    const TactLcpCsr *M = subspace->problem->M_csr;
    double            curvature = 0;
    for (int a = 0; a < subspace->count; a++) {
        int    i = subspace->index[a];
        double sum = 0;
        for (int k = M->row_start[i]; k < M->row_start[i + 1]; k++) {
            sum += M->value[k] * subspace->direction[M->column[k]];
        }
        subspace->product[i] = sum;
        curvature += sum * subspace->direction[i];
    }
    return curvature;
}

/// r'D^-1 r with D the diagonal of M; *largest = max |r_i|.
static double measure_residual(const TactLcpSubspace *subspace, double *largest)
{
    double sum = 0;
    *largest = 0;
    for (int a = 0; a < subspace->count; a++) {
        int    i = subspace->index[a];
        double r = subspace->residual[i];
        sum += r * r * subspace->inverse[i];
        *largest = fmax(*largest, fabs(r));
    }
    return sum;
}

void tact_lcp_subspace_cg(TactLcpSubspace *subspace, const double *w, double tolerance)
{
    const int    *index = subspace->index;
    const double *inverse = subspace->inverse;
    double       *r = subspace->residual;
    double       *p = subspace->direction;
    memset(p, 0, (size_t)subspace->problem->n * sizeof *p);
    for (int a = 0; a < subspace->count; a++) {
        int i = index[a];
        r[i] = -w[i];
        p[i] = inverse[i] * r[i];
        subspace->step[a] = 0;
    }
    double largest;
    double square = measure_residual(subspace, &largest);
    double end = fmax(tolerance, REDUCTION * largest);
    for (int k = 0; k < 4 * subspace->count + MORE_THAN_F && largest > end; k++) {
        double curvature = multiply_free(subspace);
        if (!(curvature > 0)) {
            return;
        }
        double alpha = square / curvature;
        for (int a = 0; a < subspace->count; a++) {
            int i = index[a];
            subspace->step[a] += alpha * p[i];
            r[i] -= alpha * subspace->product[i];
        }
        double previous = square;
        square = measure_residual(subspace, &largest);
        double beta = square / previous;
        for (int a = 0; a < subspace->count; a++) {
            int i = index[a];
            p[i] = inverse[i] * r[i] + beta * p[i];
        }
    }
}
