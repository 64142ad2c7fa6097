// The benchmark's own opinion of an answer, apart from the library's certificate.
#ifndef TACT_BENCH_BENCH_ERROR_H
#define TACT_BENCH_BENCH_ERROR_H

#include <tact/lcp.h>

/// max_i |mid(c_i (z_i - hi_i), w_i, c_i (z_i - lo_i))| with c_i = max(1, max_j |M_ji|), the
/// natural map in units of w, divided by max_i |w_i| at the point of the box nearest to 0 (1 if
/// that is 0). w = M z + q is summed in extended precision with the errors of products and sums
/// kept. Infinity for NaN. Dense problems.
double tact_bench_error(const TactLcpProblem *problem, const double *z);

#endif
