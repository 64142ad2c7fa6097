// Principal axes of a rotational inertia.
#ifndef TACT_MODEL_PRINCIPAL_H
#define TACT_MODEL_PRINCIPAL_H

#include <tact/math.h>

/// A = R diag(moments) R' of a symmetric A, by Jacobi rotations; moments in no order.
void tact_principal_axes(TactMat3 A, double moments[3], TactMat3 *R);

/// R diag(moments) R'
TactMat3 tact_principal_compose(const double moments[3], TactMat3 R);

#endif
