// Families made of random matrices: family->size is n.
#ifndef TACT_BENCH_PROBLEMS_FAMILIES_MATRIX_H
#define TACT_BENCH_PROBLEMS_FAMILIES_MATRIX_H

#include "bench/problems/families.h"

typedef TactStatus TactFamilyMake(const TactFamily *family, TactRandom *random,
                                  TactFamilyProblem *out);

TactFamilyMake tact_family_spd; // extra: added to the diagonal
TactFamilyMake tact_family_low_rank;
TactFamilyMake tact_family_asymmetric;
TactFamilyMake tact_family_p_matrix;
TactFamilyMake tact_family_indefinite;
TactFamilyMake tact_family_bounded;
TactFamilyMake tact_family_mixed;
TactFamilyMake tact_family_quadratic;
TactFamilyMake tact_family_murty;
TactFamilyMake tact_family_fathi;

#endif
