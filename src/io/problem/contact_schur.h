// Multipliers of bilateral constraints in FCLIB's local form, eliminated.
#ifndef TACT_IO_PROBLEM_CONTACT_SCHUR_H
#define TACT_IO_PROBLEM_CONTACT_SCHUR_H

#include "io/problem/contact_matrix.h"

/// Takes l out of u = W r + V l + q, V' r + R l + s = 0 with a symmetric R >= 0:
///
///     W <- W - V R^-1 V',    q <- q - V R^-1 s
///
/// in the W and u_free of the parts, by pivots on the diagonal of R. Constraints that others imply
/// are left out; TACT_UNSUPPORTED if one of them would bind r alone.
TactStatus tact_friction_eliminate(const TactFrictionMatrices *friction, TactContactParts *parts);

#endif
