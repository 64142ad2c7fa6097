// Symmetric scaling by powers of two, so that tolerances mean the same on every problem.
#ifndef TACT_LCP_PIVOT_EQUILIBRATE_H
#define TACT_LCP_PIVOT_EQUILIBRATE_H

#include <stddef.h>

/// 2^e with 2^e <= |x| < 2^(e+1); 1 for 0 and for what is not finite.
double tact_power_of_two(double x);

/// Columns of D M D, D = diag(d_i) of powers of two: multiplying by them rounds nothing, so the
/// equilibrated problem is the given one. Diagonal entries come near 1 where they are positive;
/// a row without one (lambda of a friction cone) gets a largest entry near 1.
///
///   M        matrix, row-major                          (n x n)
///   columns  out: D M D, column j at columns + j * ld   (n x ld)
///   d        out                                        (n)
void tact_equilibrate(int n, const double *M, double *columns, size_t ld, double *d);

#endif
