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
#include "linalg/lane_loops.h"
#include "linalg/vector.h"

// Rounding of a sum that is less than this part of the scale is not added to its error.
static const double UNSEEN = 1e-12;

// Nonzero entries of z, where they are few enough for a list to be faster than whole rows.
enum { MAX_LISTED = 512, LISTED_SHARE = 8 };

// Rows whose w are computed at once.
enum { BLOCK = 16 };

// Weight in the scale of a row of what moves its island: what rounding elsewhere leaves in it.
static const double ROUNDING_SHARE = 1e-5;

// Rows among which islands are told apart; a larger problem is one island.
enum { MAX_ISLAND_ROWS = 8192 };

/// Rows that M couples. Found when the first row asks, as few problems have such rows.
typedef struct Islands {
    bool   found;
    int    last;    // row whose island was asked for last; -1: none
    double offset;  // largest |w| before any force, of the active rows of that island
    double slack;   // the same of the others
    bool   at_zero; // the point of the box nearest to 0 is 0
    int    label[MAX_ISLAND_ROWS];
} Islands;

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

static double clamp_to_bounds(double x, double lo, double hi)
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
    return clamp_to_bounds(0, problem->lo ? problem->lo[j] : 0,
                           problem->hi ? problem->hi[j] : HUGE_VAL);
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

/// Representative of a row; paths are halved.
static int find_label(int *label, int i)
{
    while (label[i] != i) {
        label[i] = label[label[i]];
        i = label[i];
    }
    return i;
}

static int unite(int *label, int i, int j)
{
    int a = find_label(label, i), b = find_label(label, j);
    label[a > b ? a : b] = a < b ? a : b;
    return a != b;
}

/// Labels rows that M or a friction index couples; ends as soon as all are one.
static void find_islands(const TactLcpProblem *problem, Islands *islands)
{
    int  n = problem->n, count = n;
    int *label = islands->label;
    islands->found = true;
    islands->last = -1;
    islands->at_zero = is_zero_inside(problem);
    for (int i = 0; i < n && n <= MAX_ISLAND_ROWS; i++) {
        label[i] = i;
    }
    for (int i = 0; i < n && n <= MAX_ISLAND_ROWS && count > 1; i++) {
        const TactLcpCsr *M = problem->M_csr;
        int               end = M ? M->row_start[i + 1] : n;
        for (int k = M ? M->row_start[i] : 0; k < end; k++) {
            double entry = M ? M->value[k] : problem->M[(size_t)i * (size_t)n + (size_t)k];
            count -= entry != 0 ? unite(label, i, M ? M->column[k] : k) : 0;
        }
        if (problem->f_index && problem->f_index[i] >= 0) {
            count -= unite(label, i, problem->f_index[i]);
        }
    }
}

/// Largest |w| before any force of the rows of i's island that a force acts in, and of i.
static double island_offset(const TactLcpProblem *problem, const double *z, int i, Islands *islands)
{
    if (!islands->found) {
        find_islands(problem, islands);
    }
    bool apart = problem->n <= MAX_ISLAND_ROWS;
    int  own = apart ? find_label(islands->label, i) : 0;
    if (islands->last != own) {
        islands->last = own;
        islands->offset = islands->slack = 0;
        for (int j = 0; j < problem->n; j++) {
            if (!apart || find_label(islands->label, j) == own) {
                double  w = islands->at_zero ? problem->q[j] : nearest_row_value(problem, j);
                double *most = z[j] != nearest(problem, j) ? &islands->offset : &islands->slack;
                *most = fmax(*most, fabs(w));
            }
        }
    }
    double w = islands->at_zero ? problem->q[i] : nearest_row_value(problem, i);
    return fmax(islands->offset, fabs(w));
}

/// What the error of row i is held against: the sizes of the terms that make up its w, but no more
/// than what moves its island (forces that hold each other must not excuse themselves), and no less
/// than rounding. Where nothing moves the island, its other rows say what rounding is, and where no
/// row of it has an offset, the whole problem does.
static double row_scale(const TactLcpProblem *problem, const double *z, int i, double terms,
                        double whole, Islands *islands)
{
    double most = island_offset(problem, z, i, islands);
    double moves = most > 0 ? most : islands->slack > 0 ? islands->slack : whole;
    double least = ROUNDING_SHARE * moves;
    return fmax(fmin(terms, most == 0 ? whole : most), least);
}

// ---------------------------------------------------------------------------------------------
// Residual and error

/// The larger of residual, error and relative error stay.
TACT_LANES_INLINE void raise(const TactLcpProblem *problem, const double *z, int i, double residual,
                             double error, double terms, Islands *islands,
                             TactLcpCertificate *certificate)
{
    certificate->residual = residual > certificate->residual ? residual : certificate->residual;
    if (error > certificate->error) {
        certificate->error = error;
        certificate->worst = i;
    }
    // Without islands first: most rows need no more.
    double own = islands->at_zero ? fmin(terms, fabs(problem->q[i])) : 0;
    double relative = error > own * certificate->relative
                          ? error / row_scale(problem, z, i, terms, certificate->scale, islands)
                          : 0;
    if (relative > certificate->relative) {
        certificate->relative = relative;
        certificate->worst_relative = i;
    }
}

TACT_CLONES static void certify(const TactLcpProblem *problem, const double *z,
                                TactLcpCertificate *certificate)
{
    Nonzeros nonzeros;
    Islands  islands; // its labels are written before they are read
    islands.found = false;
    islands.at_zero = !problem->lo && !problem->hi;
    double rounding = 0x1p-106 * (problem->n + 2.0) * (problem->n + 2.0);
    double values[BLOCK];
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
        double residual = fabs(clamp_to_bounds(w, -below_hi, above_lo));
        double error = residual;
        // Only a distance to a bound is weighed. Inside the bounds a distance of 0 stays one and
        // |w| is all that an error can be, so that few weights need to be known.
        bool   inside = above_lo >= 0 && below_hi >= 0;
        double size = row_size(problem, z, &nonzeros, i), terms = size + fabs(problem->q[i]);
        bool   settled = residual == 0 || residual == fabs(w) ||
                       (fabs(w) <= certificate->error && fabs(w) <= certificate->relative * terms);
        if (!inside || !settled) {
            double c = column_weight(problem, i);
            error = fabs(clamp_to_bounds(w, -c * below_hi, c * above_lo));
        }
        // What two doubles cannot hold of a sum that cancels [Ogita, Rump, Oishi 2005, dot2]. It
        // counts where it could matter; elsewhere an error of 0 stays one.
        double unseen = rounding * size;
        if (!(unseen <= UNSEEN * certificate->scale)) {
            residual += unseen;
            error += unseen;
        }
        if (isnan(w) || !isfinite(z[i])) {
            residual = error = HUGE_VAL;
        }
        raise(problem, z, i, residual, error, terms, &islands, certificate);
    }
}

TactStatus tact_lcp_certify(const TactLcpProblem *problem, const double *z,
                            TactLcpCertificate *certificate)
{
    if (!problem || !z || !certificate) {
        return tact_fail(TACT_BAD_ARGUMENT, "problem, z or certificate is NULL");
    }
    *certificate =
        (TactLcpCertificate){.worst = -1, .scale = tact_lcp_scale(problem), .worst_relative = -1};
    certify(problem, z, certificate);
    return TACT_OK;
}
