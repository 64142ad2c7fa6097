#include "contact/pile/cone.h"

#include <math.h>

/// x'J x, without losing more digits than x_0 - |x_t| has.
static double square(const double x[3])
{
    double length = sqrt(x[1] * x[1] + x[2] * x[2]);
    return (x[0] - length) * (x[0] + length);
}

static double dot_cone(const double a[3], const double b[3])
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

bool tact_cone_scale(const double x[3], const double z[3], TactConeScaling *scaling)
{
    double xx = square(x), zz = square(z);
    if (!(xx > 0) || !(zz > 0) || !(x[0] > 0) || !(z[0] > 0)) {
        return false;
    }
    double root_x = sqrt(xx), root_z = sqrt(zz);
    double gamma = sqrt(0.5 * (1 + dot_cone(x, z) / (root_x * root_z)));
    for (int c = 0; c < 3; c++) {
        double flipped = c == 0 ? z[c] : -z[c];
        scaling->w[c] = (x[c] / root_x + flipped / root_z) / (2 * gamma);
    }
    double length = sqrt(2 * (scaling->w[0] + 1));
    for (int c = 0; c < 3; c++) {
        scaling->v[c] = (scaling->w[c] + (c == 0)) / length;
    }
    scaling->b = sqrt(root_x / root_z);
    scaling->det = root_x * root_z;
    tact_cone_times(scaling, z, scaling->l);
    return true;
}

void tact_cone_times(const TactConeScaling *scaling, const double a[3], double out[3])
{
    double along = 2 * dot_cone(scaling->v, a);
    out[0] = scaling->b * (along * scaling->v[0] - a[0]);
    out[1] = scaling->b * (along * scaling->v[1] + a[1]);
    out[2] = scaling->b * (along * scaling->v[2] + a[2]);
}

void tact_cone_divide(const TactConeScaling *scaling, const double a[3], double out[3])
{
    const double *v = scaling->v;
    double        along = 2 * (v[0] * a[0] - v[1] * a[1] - v[2] * a[2]);
    out[0] = (along * v[0] - a[0]) / scaling->b;
    out[1] = (-along * v[1] + a[1]) / scaling->b;
    out[2] = (-along * v[2] + a[2]) / scaling->b;
}

void tact_cone_square(const TactConeScaling *scaling, double W2[9])
{
    double b2 = scaling->b * scaling->b;
    for (int r = 0; r < 3; r++) {
        for (int c = 0; c < 3; c++) {
            double J = r != c ? 0 : r == 0 ? 1 : -1;
            W2[3 * r + c] = b2 * (2 * scaling->w[r] * scaling->w[c] - J);
        }
    }
}

void tact_cone_product(const double a[3], const double b[3], double out[3])
{
    double whole = dot_cone(a, b);
    out[1] = a[0] * b[1] + b[0] * a[1];
    out[2] = a[0] * b[2] + b[0] * a[2];
    out[0] = whole;
}

void tact_cone_quotient(const TactConeScaling *scaling, const double a[3], double out[3])
{
    const double *l = scaling->l;
    double        first = (l[0] * a[0] - l[1] * a[1] - l[2] * a[2]) / scaling->det;
    out[1] = (a[1] - first * l[1]) / l[0];
    out[2] = (a[2] - first * l[2]) / l[0];
    out[0] = first;
}

// Where (x + t dx)'J (x + t dx) = a t^2 + 2 b t + c is 0 first, c > 0.
double tact_cone_reach(const double x[3], const double dx[3])
{
    double a = square(dx), c = square(x);
    double b = x[0] * dx[0] - x[1] * dx[1] - x[2] * dx[2];
    double inside = b * b - a * c;
    if (inside < 0 || (a >= 0 && b >= 0)) {
        return HUGE_VAL; // a > 0 with dx outward and both roots behind, or none at all
    }
    // b < 0: the smaller root of two ahead; a < 0: the one ahead.
    return c / (sqrt(inside) - b);
}
