// Exact solutions of integer linear systems by lifting modulo powers of a prime [Dixon 1982].
//
// With A^-1 known modulo p, A x = b gives the digits of x one by one:
//
//     y_k = A^-1 r_k mod p,    r_(k+1) = (r_k - A y_k) / p,    x = y_0 + p y_1 + p^2 y_2 + ...
//
// and a rational x_j = n_j / d is read from enough of them by Euclid's algorithm. What comes out is
// checked, A n = d b, so that a wrong guess of how many digits are enough costs time and no more.
#ifndef TACT_PROVE_RATIONAL_DIXON_H
#define TACT_PROVE_RATIONAL_DIXON_H

#ifdef TACT_HAVE_GMP

#include "prove/rational/exact.h"
#include "prove/rational/modular.h"

typedef struct TactDixon {
    const TactModular  *modular; // which rows and columns, and their factors
    const TactExactSet *set;     // integer forms: rows of the matrix
    const int          *place;   // column of a form -> unknown of the block, -1: not in it
    double              limit;   // s, after which it gives up; 0: none
} TactDixon;

/// Solves block x = b.  b, numerator: (rank), initialised.  TACT_UNSUPPORTED: out of time.
TactStatus tact_dixon_solve(const TactDixon *dixon, mpz_t *b, mpz_t *numerator, mpz_t denominator);

#endif
#endif
