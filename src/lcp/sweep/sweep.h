// Projected Gauss-Seidel sweeps: what pgs and pgs-sm share.
#ifndef TACT_LCP_SWEEP_SWEEP_H
#define TACT_LCP_SWEEP_SWEEP_H

#include <tact/lcp.h>

#include "base/memory.h"

/// A problem, the point that the sweeps move, and what they need to know of every row.
typedef struct TactLcpSweep {
    const TactLcpProblem *problem;
    double               *z;       // the point, inside its bounds                        (n)
    double               *w;       // M z + q as far as it is known (see keeps_w)         (n)
    double               *lo;      // bounds; those of a friction row are not read        (n)
    double               *hi;      //                                                     (n)
    double               *inverse; // 1 / M_ii                                            (n)
    double               *weight;  // c_i of the certificate                              (n)
    double                scale;   // of the certificate
    bool                  keeps_w; // M is symmetric: w is kept up to date by columns
    bool                  moved;   // the last sweep changed z
    double                drift;   // what rounding may have done to a w that is kept, about
} TactLcpSweep;

void tact_lcp_sweep_layout(TactLcpSweep *sweep, int max_n, TactArena *arena);

/// Starts at the point of the box nearest to start (NULL: to 0); z is the caller's. Whether w is
/// kept is for the caller to say, before the first sweep.
void tact_lcp_sweep_begin(TactLcpSweep *sweep, const TactLcpProblem *problem, const double *start,
                          double *z);

/// z_i = value, and w with it. Needs a w that is kept.
void tact_lcp_sweep_move(TactLcpSweep *sweep, int i, double value);

/// One sweep. Returns the largest error of a row as the sweep met it, in the measure of the
/// certificate: it is that of z if nothing moved, and a good guess otherwise.
double tact_lcp_sweep_run(TactLcpSweep *sweep);

/// The error of the certificate with w as it is kept.
double tact_lcp_sweep_error(const TactLcpSweep *sweep);

/// w = M z + q in double-double, after friction rows were projected onto the bounds that the normal
/// forces give them now. Returns the error of the certificate.
double tact_lcp_sweep_refresh(TactLcpSweep *sweep);

/// Refreshes a w that may have drifted by more than a tenth of the tolerance: after large steps
/// that were taken back, say.
void tact_lcp_sweep_settle(TactLcpSweep *sweep, double tolerance);

/// Operations of a sweep.
static inline double tact_lcp_sweep_work(const TactLcpSweep *sweep)
{
    const TactLcpProblem *problem = sweep->problem;
    int                   n = problem->n;
    return 2 * (problem->M ? (double)n * (double)n : (double)problem->M_csr->row_start[n]) +
           10 * (double)n;
}

/// AT_LO, AT_HI or BASIC, as z stands.                                                    (n)
void tact_lcp_sweep_basis(const TactLcpSweep *sweep, unsigned char *basis);

/// Errors beyond this multiple of the scale are divergence. For a convex problem phi(z) <= phi(0)
/// = 0 keeps |z| below 2 |q| / lambda_min and |w| below 3 cond(M) |q|, so that only a matrix that
/// is indefinite or singular in double precision gets there.
#define TACT_LCP_SWEEP_DIVERGED 1e16

#endif
