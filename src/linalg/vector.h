// Vectors: the loops of lanes.h as functions, compiled for several instruction sets.
#ifndef TACT_LINALG_VECTOR_H
#define TACT_LINALG_VECTOR_H

/// y += a x. x and y do not overlap.                                               (n)
void tact_vec_axpy(int n, double a, const double *x, double *y);

/// y += sum_r a_r x_r over four rows x_r = x + r ld, one after the other.          (n)
void tact_vec_axpy4(int n, const double *a, const double *x, int ld, double *y);

/// x'y, summed in eight lanes, element i in lane i % 8.
double tact_vec_dot(int n, const double *x, const double *y);

/// out_r = x_r'y for the four rows x_r = x + r ld.                                 (4)
void tact_vec_dot4(int n, const double *x, int ld, const double *y, double *out);

/// x *= a
void tact_vec_scale(int n, double a, double *x);

/// max_i |x_i|; 0 for n = 0. A NaN counts for nothing.
double tact_vec_max_abs(int n, const double *x);

/// b - a'x, summed in double-double (error-free products and sums) and rounded once.
double tact_vec_residual(int n, const double *a, const double *x, double b);

/// r_q = -a_q'x of four rows: the bits of four residuals, the last of their sums side by side.
void tact_vec_residual4(int n, const double *const a[4], const double *x, double *r);

/// r = b - A x with every entry summed in double-double and rounded once.
///   A  (m x n), rows ld apart    x  (n)    b, r  (m), may be the same array
void tact_mat_residual(int m, int n, const double *A, int ld, const double *x, const double *b,
                       double *r);

/// y = A x.   A  (m x n), rows ld apart    x  (n)    y  (m)
void tact_mat_times(int m, int n, const double *A, int ld, const double *x, double *y);

#endif
