// Linear equations in numbers of many bits (mpf), for oracles.
#ifndef TESTS_ORACLE_BITS_SOLVE_H
#define TESTS_ORACLE_BITS_SOLVE_H

#include <gmp.h>

/// a x = b by elimination with the largest pivot, in numbers of so many bits: x in b, a is spoilt.
/// (n x n)
void bits_solve(int n, int bits, mpf_t *a, mpf_t *b);

#endif
