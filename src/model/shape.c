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

/// Points x = D u of the surface, D = diag(a, b, c), for u on the unit sphere, carry the area
///
///     dA = a b c |D^-1 u| du
///
/// Integrated over an eighth: u = (r cos t, r sin t, s) with r^2 = 1 - s^2, the midpoint rule in t
/// (exact beyond all orders for a smooth periodic function), and in s = sin(e) the same, weighted
/// with cos(e), which is periodic too.
static TactShapeMass ellipsoid_shell(double a, double b, double c)
{
    enum { STEPS = 400 };
    double area = 0, xx = 0, yy = 0, zz = 0;
    for (int i = 0; i < STEPS; i++) {
        double e = pi / 2 * (i + 0.5) / STEPS;
        double r = cos(e), s = sin(e);
        for (int j = 0; j < STEPS; j++) {
            double t = pi / 2 * (j + 0.5) / STEPS;
            double u = r * cos(t), v = r * sin(t);
            double weight = r * sqrt(u * u / (a * a) + v * v / (b * b) + s * s / (c * c));
            area += weight;
            xx += weight * u * u;
            yy += weight * v * v;
            zz += weight * s * s;
        }
    }
    double step = pi / 2 / STEPS;
    xx *= a * a / area;
    yy *= b * b / area;
    zz *= c * c / area;
    return (TactShapeMass){8 * a * b * c * area * step * step, {yy + zz, xx + zz, xx + yy}};
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
    case TACT_GEOM_ELLIPSOID: return ellipsoid_shell(a, size[1], size[2]);
    default: return (TactShapeMass){0};
    }
}
