// The certificate: what z is worth, recomputed from the raw problem. It calls no solver.
//
// w = M z + q is summed in double-double arithmetic (error-free products and sums, about 32
// digits), so that what is reported is the error of z and not that of the check.
#include <math.h>

#include "base/clones.h"
#include "base/status.h"
#include "lcp/solver.h"

// Nonzero entries of z, as long as they fit on the stack; a denser z is summed without a list.
enum { MAX_LISTED = 512 };

typedef struct Nonzeros {
    int count; // -1: too many
    int index[MAX_LISTED];
} Nonzeros;

/// hi + lo += a * b, exactly but for the last rounding of lo [Dekker 1971, Knuth].
static inline void accumulate(double *hi, double *lo, double a, double b)
{
    double product = a * b;
    double product_error = fma(a, b, -product);
    double sum = *hi + product;
    double part = sum - *hi;
    double sum_error = (*hi - (sum - part)) + (product - part);
    *hi = sum;
    *lo += sum_error + product_error;
}

static void list_nonzeros(int n, const double *z, Nonzeros *nonzeros)
{
    nonzeros->count = 0;
    for (int j = 0; j < n; j++) {
        if (z[j] != 0) {
            if (nonzeros->count == MAX_LISTED) {
                nonzeros->count = -1;
                return;
            }
            nonzeros->index[nonzeros->count++] = j;
        }
    }
}

/// w_i = M_i: z + q_i
static double row_value(const TactLcpProblem *problem, const double *z, const Nonzeros *nonzeros,
                        int i)
{
    double hi = problem->q[i];
    double lo = 0;
    if (problem->M_csr) {
        const TactLcpCsr *M = problem->M_csr;
        for (int k = M->row_start[i]; k < M->row_start[i + 1]; k++) {
            accumulate(&hi, &lo, M->value[k], z[M->column[k]]);
        }
        return hi + lo;
    }
    const double *row = problem->M + (size_t)i * (size_t)problem->n;
    if (nonzeros->count >= 0) {
        for (int k = 0; k < nonzeros->count; k++) {
            int j = nonzeros->index[k];
            accumulate(&hi, &lo, row[j], z[j]);
        }
    } else {
        for (int j = 0; j < problem->n; j++) {
            accumulate(&hi, &lo, row[j], z[j]);
        }
    }
    return hi + lo;
}

/// c_j = max(1, max_i |M_ij|)
static double column_weight(const TactLcpProblem *problem, int j)
{
    double weight = 1;
    if (problem->M_csr) {
        // The largest entry of all bounds that of the column, and needs no search for it.
        const TactLcpCsr *M = problem->M_csr;
        for (int k = 0; k < M->row_start[problem->n]; k++) {
            weight = fmax(weight, fabs(M->value[k]));
        }
        return weight;
    }
    size_t n = (size_t)problem->n;
    for (size_t i = 0; i < n; i++) {
        double entry = fabs(problem->M[i * n + (size_t)j]);
        weight = entry > weight ? entry : weight;
    }
    return weight;
}

static double clamp(double x, double lo, double hi)
{
    return x < lo ? lo : x > hi ? hi : x;
}

/// max_i |w_i| at the point of the box nearest to 0; friction rows start at 0.
static double problem_scale(const TactLcpProblem *problem)
{
    double scale = 0;
    for (int i = 0; i < problem->n; i++) {
        double w = problem->q[i];
        if (problem->lo || problem->hi) {
            int first = problem->M_csr ? problem->M_csr->row_start[i] : 0;
            int last = problem->M_csr ? problem->M_csr->row_start[i + 1] : problem->n;
            for (int k = first; k < last; k++) {
                int j = problem->M_csr ? problem->M_csr->column[k] : k;
                if (problem->f_index && problem->f_index[j] >= 0) {
                    continue;
                }
                double nearest = clamp(0, problem->lo ? problem->lo[j] : 0,
                                       problem->hi ? problem->hi[j] : HUGE_VAL);
                if (nearest != 0) {
                    double entry = problem->M_csr
                                       ? problem->M_csr->value[k]
                                       : problem->M[(size_t)i * (size_t)problem->n + (size_t)j];
                    w += entry * nearest;
                }
            }
        }
        scale = fmax(scale, fabs(w));
    }
    return scale > 0 ? scale : 1;
}

TACT_CLONES static void certify(const TactLcpProblem *problem, const double *z,
                                TactLcpCertificate *certificate)
{
    Nonzeros nonzeros;
    list_nonzeros(problem->n, z, &nonzeros);
    double csr_weight = problem->M_csr ? column_weight(problem, 0) : 1;
    for (int i = 0; i < problem->n; i++) {
        double w = row_value(problem, z, &nonzeros, i);
        double lo = tact_lcp_lo(problem, z, i);
        double hi = tact_lcp_hi(problem, z, i);
        double residual = fabs(z[i] - clamp(z[i] - w, lo, hi));
        double error = residual;
        if (z[i] != lo && z[i] != hi) {
            double c = problem->M_csr ? csr_weight : column_weight(problem, i);
            error = fabs(c * z[i] - clamp(c * z[i] - w, c * lo, c * hi));
        } else if (lo != hi) {
            error = z[i] == lo ? fmax(-w, 0) : fmax(w, 0);
        }
        if (isnan(error) || isnan(residual)) {
            residual = error = HUGE_VAL;
        }
        certificate->residual = fmax(certificate->residual, residual);
        if (error > certificate->error) {
            certificate->error = error;
            certificate->worst = i;
        }
    }
}

TactStatus tact_lcp_certify(const TactLcpProblem *problem, const double *z,
                            TactLcpCertificate *certificate)
{
    if (!problem || !z || !certificate) {
        return tact_fail(TACT_BAD_ARGUMENT, "problem, z or certificate is NULL");
    }
    *certificate = (TactLcpCertificate){.worst = -1, .scale = problem_scale(problem)};
    certify(problem, z, certificate);
    return TACT_OK;
}
