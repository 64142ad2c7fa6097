// The certificate: what z is worth, recomputed from the raw problem. It calls no solver.
//
// w = M z + q is summed in double-double arithmetic (error-free products and sums, about 32
// digits), and the natural map is evaluated as
//
//     z_i - mid(lo_i, z_i - w_i, hi_i) = mid(z_i - hi_i, w_i, z_i - lo_i),
//
// whose right side keeps a small w_i beside a large z_i: what is reported is the error of z and not
// that of the check.
#include <math.h>

#include "base/clones.h"
#include "base/status.h"
#include "lcp/solver.h"
#include "linalg/lanes.h"
#include "linalg/vector.h"

// Nonzero entries of z, where they are few enough for a list to be faster than whole rows.
enum { MAX_LISTED = 512, LISTED_SHARE = 8 };

// Rows whose w are computed at once.
enum { BLOCK = 16 };

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
            if (nonzeros->count == MAX_LISTED || nonzeros->count * LISTED_SHARE >= n) {
                nonzeros->count = -1;
                return;
            }
            nonzeros->index[nonzeros->count++] = j;
        }
    }
}

/// w of count rows from the first on, with all of z.
static void dense_values(const TactLcpProblem *problem, const double *z, int first, int count,
                         double *w)
{
    int           n = problem->n;
    double        minus_q[BLOCK];
    const double *rows = problem->M + (size_t)first * (size_t)n;
    for (int k = 0; k < count; k++) {
        minus_q[k] = -problem->q[first + k];
    }
    tact_mat_residual(count, n, rows, n, z, minus_q, w);
    for (int k = 0; k < count; k++) {
        w[k] = -w[k];
    }
}

/// w_i = M_i: z + q_i, over the nonzeros of z or of M.
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
    for (int k = 0; k < nonzeros->count; k++) {
        int j = nonzeros->index[k];
        accumulate(&hi, &lo, row[j], z[j]);
    }
    return hi + lo;
}

/// sum_j |M_ij z_j|, roughly
TACT_LANES_INLINE double row_size(const TactLcpProblem *problem, const double *z,
                                  const Nonzeros *nonzeros, int i)
{
    double sum = 0;
    if (problem->M_csr) {
        const TactLcpCsr *M = problem->M_csr;
        for (int k = M->row_start[i]; k < M->row_start[i + 1]; k++) {
            sum += fabs(M->value[k] * z[M->column[k]]);
        }
        return sum;
    }
    const double *row = problem->M + (size_t)i * (size_t)problem->n;
    for (int k = 0; k < nonzeros->count; k++) {
        sum += fabs(row[nonzeros->index[k]] * z[nonzeros->index[k]]);
    }
    if (nonzeros->count >= 0) {
        return sum;
    }
    TactLanes lanes = {0};
    int       j = 0;
    for (; j + 4 <= problem->n; j += 4) {
        lanes += TACT_LANES_ABS(*tact_lanes_at(row + j) * *tact_lanes_at(z + j));
    }
    for (; j < problem->n; j++) {
        sum += fabs(row[j] * z[j]);
    }
    return sum + ((lanes[0] + lanes[1]) + (lanes[2] + lanes[3]));
}

/// c_j = max(1, max_i |M_ij|)
static double column_weight(const TactLcpProblem *problem, int j)
{
    double weight = 1;
    for (int i = 0; i < problem->n; i++) {
        double entry = problem->M_csr ? tact_lcp_csr_entry(problem->M_csr, i, j)
                                      : problem->M[(size_t)i * (size_t)problem->n + (size_t)j];
        weight = fmax(weight, fabs(entry));
    }
    return weight;
}

static double clamp(double x, double lo, double hi)
{
    return x < lo ? lo : x > hi ? hi : x;
}

// ---------------------------------------------------------------------------------------------
// Scale

/// The point of the box nearest to 0; friction rows start at 0.
static double nearest(const TactLcpProblem *problem, int j)
{
    if (problem->f_index && problem->f_index[j] >= 0) {
        return 0;
    }
    return clamp(0, problem->lo ? problem->lo[j] : 0, problem->hi ? problem->hi[j] : HUGE_VAL);
}

static bool is_zero_inside(const TactLcpProblem *problem)
{
    for (int j = 0; j < problem->n && (problem->lo || problem->hi); j++) {
        if (nearest(problem, j) != 0) {
            return false;
        }
    }
    return true;
}

static double nearest_row_value(const TactLcpProblem *problem, int i)
{
    double hi = problem->q[i];
    double lo = 0;
    int    first = problem->M_csr ? problem->M_csr->row_start[i] : 0;
    int    last = problem->M_csr ? problem->M_csr->row_start[i + 1] : problem->n;
    for (int k = first; k < last; k++) {
        int    j = problem->M_csr ? problem->M_csr->column[k] : k;
        double entry = problem->M_csr ? problem->M_csr->value[k]
                                      : problem->M[(size_t)i * (size_t)problem->n + (size_t)j];
        accumulate(&hi, &lo, entry, nearest(problem, j));
    }
    return hi + lo;
}

double tact_lcp_scale(const TactLcpProblem *problem)
{
    double scale = 0;
    bool   zero_inside = is_zero_inside(problem);
    for (int i = 0; i < problem->n; i++) {
        double w = zero_inside ? problem->q[i] : nearest_row_value(problem, i);
        double size = fabs(w);
        scale = size > scale ? size : scale;
    }
    return scale > 0 ? scale : 1;
}

// ---------------------------------------------------------------------------------------------
// Residual and error

TACT_CLONES static void certify(const TactLcpProblem *problem, const double *z,
                                TactLcpCertificate *certificate)
{
    Nonzeros nonzeros;
    double   rounding = 0x1p-106 * (problem->n + 2.0) * (problem->n + 2.0);
    double   values[BLOCK];
    list_nonzeros(problem->n, z, &nonzeros);
    bool dense = !problem->M_csr && nonzeros.count < 0;
    for (int i = 0, at = 0; i < problem->n; i++, at = at + 1 < BLOCK ? at + 1 : 0) {
        if (dense && at == 0) {
            int count = problem->n - i < BLOCK ? problem->n - i : BLOCK;
            dense_values(problem, z, i, count, values);
        }
        double w = dense ? values[at] : row_value(problem, z, &nonzeros, i);
        double above_lo = z[i] - tact_lcp_lo(problem, z, i);
        double below_hi = tact_lcp_hi(problem, z, i) - z[i];
        double residual = fabs(clamp(w, -below_hi, above_lo));
        double error = residual;
        // Only a distance to a bound is weighed. Inside the bounds a distance of 0 stays one and
        // |w| is all that an error can be, so that few weights need to be known.
        bool inside = above_lo >= 0 && below_hi >= 0;
        bool settled = residual == 0 || residual == fabs(w) || fabs(w) <= certificate->error;
        if (!inside || !settled) {
            double c = column_weight(problem, i);
            error = fabs(clamp(w, -c * below_hi, c * above_lo));
        }
        // What two doubles cannot hold of a sum that cancels [Ogita, Rump, Oishi 2005, dot2]. It
        // counts where it could matter; elsewhere an error of 0 stays one.
        double unseen = rounding * row_size(problem, z, &nonzeros, i);
        if (!(unseen <= 1e-12 * certificate->scale)) {
            residual += unseen;
            error += unseen;
        }
        if (isnan(w) || !isfinite(z[i])) {
            residual = error = HUGE_VAL;
        }
        certificate->residual = residual > certificate->residual ? residual : certificate->residual;
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
    *certificate = (TactLcpCertificate){.worst = -1, .scale = tact_lcp_scale(problem)};
    certify(problem, z, certificate);
    return TACT_OK;
}
