// What an answer is worth, in exact arithmetic. Written apart from the library's certificate.
#ifndef TACT_ORACLE_EXACT_RESIDUAL_H
#define TACT_ORACLE_EXACT_RESIDUAL_H

#include <tact/lcp.h>

typedef struct TactOracleResidual {
    double natural; // max_i |z_i - mid(lo_i, z_i - w_i, hi_i)|
    double weighed; // max_i |c_i z_i - mid(c_i lo_i, c_i z_i - w_i, c_i hi_i)| where it is the
                    //   larger, c_i = max(1, max_j |M_ji|)
    double outside; // max_i distance of z_i to [lo_i, hi_i]
    double scale;   // max_i |w_i| at the point of the box nearest to 0; 1 if that is 0
} TactOracleResidual;

/// Sums of products of doubles are exact integers here; only the results are rounded. Dense
/// problems, with bounds and friction index. NaN in z: natural = weighed = infinity.
TactOracleResidual tact_oracle_residual(const TactLcpProblem *problem, const double *z);

/// Is 'solved' at a relative tolerance true? Allows for the rounding of the result only.
bool tact_oracle_accepts(const TactOracleResidual *residual, double tolerance);

#endif
