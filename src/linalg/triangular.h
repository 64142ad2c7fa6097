// Solves with one triangle of a row-major matrix whose rows are ld apart. The right-hand side x
// becomes the solution.                                                                (n)
//
// What stands in the other triangle is not read; in the unit ones neither is the diagonal.
#ifndef TACT_LINALG_TRIANGULAR_H
#define TACT_LINALG_TRIANGULAR_H

/// L x = b, L lower
void tact_lower_solve(int n, const double *L, int ld, double *x);

/// U x = b, U upper
void tact_upper_solve(int n, const double *U, int ld, double *x);

/// U' x = b, U upper
void tact_upper_solve_transposed(int n, const double *U, int ld, double *x);

/// U x = b, U upper with a diagonal of ones
void tact_unit_upper_solve(int n, const double *U, int ld, double *x);

/// U' x = b, U upper with a diagonal of ones
void tact_unit_upper_solve_transposed(int n, const double *U, int ld, double *x);

#endif
