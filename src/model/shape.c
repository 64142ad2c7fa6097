#include "model/shape.h"

static const double pi = 3.14159265358979323846;

/// Two shares of the mass 1, by measure.
static double share(double part, double whole)
{
    return part / whole;
}

TactShapeMass tact_shape_solid(TactGeomType type, const double size[3])
{
    double a = size[0], b = size[1], c = size[2];
    switch (type) {
    case TACT_GEOM_SPHERE: {
        double moment = 2.0 / 5 * a * a;
        return (TactShapeMass){4.0 / 3 * pi * a * a * a, {moment, moment, moment}};
    }
    case TACT_GEOM_CAPSULE: {
        // A cylinder of half-length b and two half balls. A half ball has 2/5 m a^2 about the
        // centre of its ball, and its own centre 3/8 a further out: b^2 + 2 b 3/8 a to the middle.
        double straight = 2 * pi * a * a * b;
        double caps = 4.0 / 3 * pi * a * a * a;
        double s = share(straight, straight + caps), k = share(caps, straight + caps);
        double x = s * (a * a / 4 + b * b / 3) + k * (2.0 / 5 * a * a + b * b + 3.0 / 4 * a * b);
        double z = s * a * a / 2 + k * 2.0 / 5 * a * a;
        return (TactShapeMass){straight + caps, {x, x, z}};
    }
    case TACT_GEOM_CYLINDER: {
        double x = a * a / 4 + b * b / 3;
        return (TactShapeMass){2 * pi * a * a * b, {x, x, a * a / 2}};
    }
    case TACT_GEOM_BOX:
        return (TactShapeMass){8 * a * b * c,
                               {(b * b + c * c) / 3, (a * a + c * c) / 3, (a * a + b * b) / 3}};
    case TACT_GEOM_ELLIPSOID:
        return (TactShapeMass){4.0 / 3 * pi * a * b * c,
                               {(b * b + c * c) / 5, (a * a + c * c) / 5, (a * a + b * b) / 5}};
    default: return (TactShapeMass){0};
    }
}

// ---------------------------------------------------------------------------------------------
// Shells

static TactShapeMass capsule_shell(double a, double b)
{
    // As the solid; half a sphere has 2/3 m a^2 about its middle and its centre at a/2.
    double straight = 4 * pi * a * b;
    double caps = 4 * pi * a * a;
    double s = share(straight, straight + caps), k = share(caps, straight + caps);
    double x = s * (a * a / 2 + b * b / 3) + k * (2.0 / 3 * a * a + b * b + a * b);
    double z = s * a * a + k * 2.0 / 3 * a * a;
    return (TactShapeMass){straight + caps, {x, x, z}};
}

static TactShapeMass cylinder_shell(double a, double b)
{
    double straight = 4 * pi * a * b;
    double discs = 2 * pi * a * a;
    double s = share(straight, straight + discs), k = share(discs, straight + discs);
    double x = s * (a * a / 2 + b * b / 3) + k * (a * a / 4 + b * b);
    double z = s * a * a + k * a * a / 2;
    return (TactShapeMass){straight + discs, {x, x, z}};
}

static TactShapeMass box_shell(double a, double b, double c)
{
    double area = 8 * (b * c + a * c + a * b);
    double k[3] = {8 * b * c / area, 8 * a * c / area, 8 * a * b / area}; // pairs normal to x, y, z
    // Mean squares of x, y, z: full on the pair normal to it, a third on the others.
    double x = a * a * (k[0] + (k[1] + k[2]) / 3);
    double y = b * b * (k[1] + (k[0] + k[2]) / 3);
    double z = c * c * (k[2] + (k[0] + k[1]) / 3);
    return (TactShapeMass){area, {y + z, x + z, x + y}};
}

// The shell of an ellipsoid. Points x = D u of it, D = diag(a, b, c), for u on the unit sphere,
// carry the area
//
//     dA = a b c |D^-1 u| du
//
// With u = (r cos t, r sin t, s), r^2 = 1 - s^2, the integral over s has a closed form,
//
//     |D^-1 u|^2 = A + B s^2,   A(t) = cos^2 t / a^2 + sin^2 t / b^2,   B(t) = 1 / c^2 - A(t)
//
// and that over t is of a smooth periodic function, for which the midpoint rule converges as
// exp(-4 n b / a) with n steps if a > b. The axes are named so that a and b are the two neighbours
// in length that differ least: never more than by the square root of longest to shortest.

/// j[0], j[1]: integrals of sqrt(A + B s^2) and of s^2 sqrt(A + B s^2) over s from 0 to 1.
static void integrate_meridian(double A, double B, double j[2])
{
    double ratio = B / A;
    if (fabs(ratio) < 0.1) {
        // The closed forms cancel here; their series in B / A does not.
        double term = 1; // binomial(1/2, k) ratio^k
        j[0] = j[1] = 0;
        for (int k = 0; k < 16; k++) {
            j[0] += term / (2 * k + 1);
            j[1] += term / (2 * k + 3);
            term *= (0.5 - k) / (k + 1) * ratio;
        }
        j[0] *= sqrt(A);
        j[1] *= sqrt(A);
        return;
    }
    double arc = B > 0 ? asinh(sqrt(ratio)) : asin(fmin(1, sqrt(-ratio)));
    double top = sqrt(fmax(0, A + B));
    j[0] = (top + A / sqrt(fabs(B)) * arc) / 2;
    j[1] = (top * top * top - A * j[0]) / (4 * B);
}

/// Any order of the axes gives the same; a / b decides how many steps it takes.
static TactShapeMass integrate_ellipsoid(double a, double b, double c)
{
    int    steps = 16 + (int)fmin(1e6, 16 * fmax(a / b, b / a));
    double area = 0, xx = 0, yy = 0, zz = 0;
    for (int i = 0; i < steps; i++) {
        double t = pi / 2 * (i + 0.5) / steps;
        double cosine = cos(t), sine = sin(t);
        double A = cosine * cosine / (a * a) + sine * sine / (b * b);
        double j[2];
        integrate_meridian(A, 1 / (c * c) - A, j);
        area += j[0];
        xx += cosine * cosine * (j[0] - j[1]);
        yy += sine * sine * (j[0] - j[1]);
        zz += j[1];
    }
    xx *= a * a / area;
    yy *= b * b / area;
    zz *= c * c / area;
    return (TactShapeMass){8 * a * b * c * area * (pi / 2 / steps), {yy + zz, xx + zz, xx + yy}};
}

static TactShapeMass ellipsoid_shell(const double size[3])
{
    // Long, middle and short axis.
    int order[3] = {0, 1, 2};
    for (int i = 0; i < 3; i++) {
        int k = i % 2;
        if (size[order[k]] < size[order[k + 1]]) {
            int swap = order[k];
            order[k] = order[k + 1];
            order[k + 1] = swap;
        }
    }
    double longest = size[order[0]], middle = size[order[1]], shortest = size[order[2]];
    if (longest / middle > middle / shortest) {
        int swap = order[0];
        order[0] = order[2];
        order[2] = swap;
    }
    TactShapeMass sorted = integrate_ellipsoid(size[order[0]], size[order[1]], size[order[2]]);
    double        moments[3];
    moments[order[0]] = sorted.moments.x;
    moments[order[1]] = sorted.moments.y;
    moments[order[2]] = sorted.moments.z;
    return (TactShapeMass){sorted.measure, {moments[0], moments[1], moments[2]}};
}

TactShapeMass tact_shape_shell(TactGeomType type, const double size[3])
{
    double a = size[0];
    switch (type) {
    case TACT_GEOM_SPHERE: {
        double moment = 2.0 / 3 * a * a;
        return (TactShapeMass){4 * pi * a * a, {moment, moment, moment}};
    }
    case TACT_GEOM_CAPSULE: return capsule_shell(a, size[1]);
    case TACT_GEOM_CYLINDER: return cylinder_shell(a, size[1]);
    case TACT_GEOM_BOX: return box_shell(a, size[1], size[2]);
    case TACT_GEOM_ELLIPSOID: return ellipsoid_shell(size);
    default: return (TactShapeMass){0};
    }
}
