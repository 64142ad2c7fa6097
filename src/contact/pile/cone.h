// The circular cone of one contact in the variables of an interior-point method.
//
//     K = {x: x_0 >= |x_t|},    x o z = (x'z, x_0 z_t + z_0 x_t),    e = (1, 0, 0)
//
// Nesterov and Todd's scaling of x, z inside of K is the symmetric W with W z = W^-1 x = l:
//
//     W = b (2 v v' - J),    W^2 = b^2 (2 w w' - J),    J = diag(1, -1, -1)                    (1)
#ifndef TACT_CONTACT_PILE_CONE_H
#define TACT_CONTACT_PILE_CONE_H

#include <stdbool.h>

typedef struct TactConeScaling {
    double b;
    double v[3];
    double w[3];
    double l[3];
    double det; // l_0^2 - |l_t|^2
} TactConeScaling;

/// False if x or z is not inside of the cone.
bool tact_cone_scale(const double x[3], const double z[3], TactConeScaling *scaling);

/// out = W a
void tact_cone_times(const TactConeScaling *scaling, const double a[3], double out[3]);

/// out = W^-1 a
void tact_cone_divide(const TactConeScaling *scaling, const double a[3], double out[3]);

/// W^2, row-major
void tact_cone_square(const TactConeScaling *scaling, double W2[9]);

/// out = a o b
void tact_cone_product(const double a[3], const double b[3], double out[3]);

/// The solution of l o out = a.
void tact_cone_quotient(const TactConeScaling *scaling, const double a[3], double out[3]);

/// The largest t for which x + t dx is in the cone; infinity if there is none. x is inside.
double tact_cone_reach(const double x[3], const double dx[3]);

#endif
