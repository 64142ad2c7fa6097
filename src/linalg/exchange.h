// An explicit inverse that follows its block when rows and columns come, go and are exchanged.
//
// X = K^-1 is kept transposed, T[r][c] = X_cr, r a row of K, c a column, so that all updates are
// element-wise over contiguous rows. k is the size before the exchange.
#ifndef TACT_LINALG_EXCHANGE_H
#define TACT_LINALG_EXCHANGE_H

#include <stddef.h>

/// y_c -= sum_r f_r T[r][c], i.e. y -= X f                                          (k)
void tact_exchange_solve(int k, const double *T, size_t ld, const double *f, double *y);

/// u_r = sum_c T[r][c] h_c, i.e. u' = h' X                                          (k)
void tact_exchange_row_product(int k, const double *T, size_t ld, const double *h, double *u);

/// K gains a last row h' and a last column g: x = -X g, u' = h' X, s = K_last,last + h' x != 0.
///
///     X <- [ X - x u' / s    x / s ]
///          [    -u' / s      1 / s ]
void tact_exchange_grow(int k, double *T, size_t ld, const double *x, const double *u, double s);

/// Column p of K becomes g: x = -X g, x_p != 0.
void tact_exchange_column(int k, double *T, size_t ld, const double *x, int p);

/// Row p of K becomes h': u' = h' X, u_p != 0.
void tact_exchange_row(int k, double *T, size_t ld, const double *u, int p);

/// K loses row p and column l, X_lp != 0. The last row and column of K take their places.
void tact_exchange_shrink(int k, double *T, size_t ld, int p, int l);

#endif
