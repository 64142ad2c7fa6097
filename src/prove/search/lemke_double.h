// Lemke's pivots in double-double arithmetic, 106 bits: ten times faster than 320.
#ifndef TACT_PROVE_SEARCH_LEMKE_DOUBLE_H
#define TACT_PROVE_SEARCH_LEMKE_DOUBLE_H

#include <stdbool.h>

/// w = T z + c z0 + q, every entry a sum hi + lo.       columns of T: z (n), c, q    (n x (n + 2))
/// Rows take what becomes basic: 0 .. n-1 is w_i, n .. 2n-1 is z_i, 2n is z0. true: z0 left.
///   basic  out (n)    carried  work (n + 2)    limit  s; 0: none
bool tact_lemke_double(int n, double *hi, double *lo, int *basic, int *carried, double limit);

#endif
