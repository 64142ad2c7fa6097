// Exact linear algebra: forms with rational coefficients, and pieces of a problem solved exactly.
#ifndef TACT_PROVE_RATIONAL_RATIONAL_H
#define TACT_PROVE_RATIONAL_RATIONAL_H

#include "prove/rational/dixon.h"
#include "prove/rational/exact.h"
#include "prove/rational/piece.h"
#include "prove/rational/program.h"

#endif
