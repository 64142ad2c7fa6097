// A piece: the linear equations and inequalities that an answer obeys once it is known which
// contacts are open, stick or slide (of an LCP: which unknowns stand at a bound). Solved exactly.
//
//     E x = e,    G x + g >= 0
//
// Where equations are redundant, a regular block of as many rows and columns as the rank is chosen;
// the unknowns outside of it keep the values of the answer, the rows outside of it must come out 0.
#ifndef TACT_PROVE_RATIONAL_PIECE_H
#define TACT_PROVE_RATIONAL_PIECE_H

#ifdef TACT_HAVE_GMP

#include "prove/rational/exact.h"

typedef struct TactPiece {
    int           n;
    const double *guess;    // of the answer                                               (n)
    const double *rest;     // that the guess was rounded by, three doubles; NULL: nothing (3 n)
    const int    *order;    // unknowns, those first that should be in the block           (n)
    const int   *row_order; // equations, those first that must hold; NULL: 0, 1, 2      (equations)
    TactExactSet equations;
    TactExactSet inequalities;
    double       limit; // s; 0: none
} TactPiece;

typedef struct TactPieceSolution {
    int    rank;
    mpz_t *x;           // numerators                                                   (n)
    mpz_t  denominator; // > 0
    int   *sign;     // of each inequality's left side                               (inequalities)
    int    violated; // how many are negative
    int    weak;     // how many are 0
    int    broken;   // equation outside of the block that does not hold; -1: none
    int    broken_sign; // of its value
    int    n;
    bool   made; // there is something to destroy
} TactPieceSolution;

/// Makes the denominators of all forms 1, and solves.
TactStatus tact_piece_solve(TactPiece *piece, TactPieceSolution *solution);
void       tact_piece_solution_destroy(TactPieceSolution *solution);

/// x_i, rounded to a double; and |x_i - guess|, rounded up.
double tact_piece_value(const TactPieceSolution *solution, int i);
double tact_piece_distance(const TactPieceSolution *solution, int i, double guess);

/// Value of a form at the solution, times the denominator and a positive number.
void tact_piece_evaluate(const TactPieceSolution *solution, const TactExactForm *form, mpz_t value);

#endif
#endif
