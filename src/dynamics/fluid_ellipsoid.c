// The fluid around a geom that it sees as an ellipsoid, with MuJoCo's five coefficients.
//
// In the axes of the geom, with half-axes d_i, velocity v and turn w against the fluid, density rho
// and viscosity mu:
//
//     added mass   m_i = V k_i / (2 - k_i) ,   k_i = d_1 d_2 d_3 (2/3) R_D(d_j^2, d_k^2, d_i^2) (1)
//                  J_1 = V/5 (d_2^2 - d_3^2)^2 (k_3 - k_2) / (2 (d_2^2 - d_3^2) +
//                        (d_2^2 + d_3^2) (k_2 - k_3))
//                  f = rho m v x w ,   t = rho (m v x v + J w x w)
//     Magnus       f = c_M rho V w x v                                                          (2)
//     Kutta        f = c_K rho cos(a) A (n x v) x v ,   n the slope of the ellipsoid's shadow   (3)
//     drag         f = -(6 pi mu D/2 + rho |v| (A c_b + (A_max - A) c_s)) v                     (4)
//                  t = -(pi mu D^3 + rho |W|) w ,   W_i = w_i (c_a I_i + c_s (I_max - I_i))
//
// V the volume, A the area of the shadow along v, D = 2/3 (d_1 + d_2 + d_3) the diameter of a
// sphere of that size, I_i = 8/15 pi d_i max(d_j, d_k)^4, I_max = 8/15 pi d_mid d_max^4.
//
// (1) to (3) do no work in a fluid at rest: they are the lift, and (4) is the drag.
#include "dynamics/fluid.h"

#include <math.h>

static const double PI = 3.14159265358979323846;
static const double TINY = 1e-15;

/// Carlson's elliptic integral R_D(x, y, z), by his duplication theorem.
static double integrate(double x, double y, double z)
{
    double sum = 0, factor = 1;
    for (int i = 0; i < 60; i++) {
        double mean = (x + y + 3 * z) / 5;
        double off = fmax(fabs(mean - x), fmax(fabs(mean - y), fabs(mean - z)));
        if (off < 1e-4 * mean) { // the rest is of sixth order
            double X = (mean - x) / mean, Y = (mean - y) / mean, Z = -(X + Y) / 3;
            double XY = X * Y, ZZ = Z * Z;
            double e2 = XY - 6 * ZZ, e3 = (3 * XY - 8 * ZZ) * Z, e4 = 3 * (XY - ZZ) * ZZ;
            double e5 = XY * ZZ * Z;
            double series = 1 - 3 * e2 / 14 + e3 / 6 + 9 * e2 * e2 / 88 - 3 * e4 / 22 -
                            9 * e2 * e3 / 52 + 3 * e5 / 26;
            return 3 * sum + factor * series / (mean * sqrt(mean));
        }
        double a = sqrt(x), b = sqrt(y), c = sqrt(z), lambda = a * b + b * c + c * a;
        sum += factor / (c * (z + lambda));
        factor /= 4;
        x = (x + lambda) / 4;
        y = (y + lambda) / 4;
        z = (z + lambda) / 4;
    }
    return 3 * sum;
}

static void half_axes(const TactGeom *geom, double d[3])
{
    for (int i = 0; i < 3; i++) {
        d[i] = geom->size[i];
    }
    if (geom->type == TACT_GEOM_SPHERE) {
        d[1] = d[2] = d[0];
    } else if (geom->type == TACT_GEOM_CAPSULE || geom->type == TACT_GEOM_CYLINDER) {
        d[2] = geom->size[1] + (geom->type == TACT_GEOM_CAPSULE ? geom->size[0] : 0);
        d[1] = d[0];
    }
}

/// (1): masses and inertias of the fluid that goes along, over the density.
static void added_mass(const double d[3], double volume, double m[3], double J[3])
{
    double k[3], square[3] = {d[0] * d[0], d[1] * d[1], d[2] * d[2]};
    for (int i = 0; i < 3; i++) {
        k[i] = d[0] * d[1] * d[2] * 2 / 3 *
               integrate(square[(i + 1) % 3], square[(i + 2) % 3], square[i]);
        m[i] = volume * k[i] / fmax(TINY, 2 - k[i]);
    }
    for (int i = 0; i < 3; i++) {
        int    a = (i + 1) % 3, b = (i + 2) % 3;
        double apart = square[a] - square[b];
        J[i] = volume / 5 * apart * apart * fabs(k[b] - k[a]) /
               fmax(TINY, fabs(2 * apart + (square[a] + square[b]) * (k[a] - k[b])));
    }
}

static double raise_to_4(double x)
{
    return x * x * x * x;
}

/// (2) and (3), and the area A of the shadow.
static TactVec3 lift(const double d[3], const double c[5], double rho, double volume, TactTwist u,
                     double *area)
{
    TactVec3 v = u.linear;
    double   a = d[1] * d[2], b = d[2] * d[0], e = d[0] * d[1];
    double   below =
        raise_to_4(a) * v.x * v.x + raise_to_4(b) * v.y * v.y + raise_to_4(e) * v.z * v.z;
    double above = a * a * v.x * v.x + b * b * v.y * v.y + e * e * v.z * v.z;
    *area = above > 0 ? PI * sqrt(below / above) : 0;
    TactVec3 n = {a * a * v.x, b * b * v.y, e * e * v.z};
    // cos(a) A / |n| = pi sqrt(above / below) / |v|, without products that small bodies make tiny
    double   turned = below > 0 ? PI * sqrt(above / below) / tact_vec3_norm(v) : 0;
    TactVec3 around = tact_vec3_scale(c[3] * rho * turned, tact_vec3_cross(n, v));
    return tact_vec3_add_scaled(tact_vec3_cross(around, v), c[4] * rho * volume,
                                tact_vec3_cross(u.angular, v));
}

/// (4): coefficients of v and w.
static void drag(const double d[3], const double c[5], double rho, double mu, TactTwist u,
                 double area, double coefficients[2])
{
    double most = fmax(d[0], fmax(d[1], d[2])), least = fmin(d[0], fmin(d[1], d[2]));
    double mid = d[0] + d[1] + d[2] - most - least;
    double size = 2 * (d[0] + d[1] + d[2]) / 3;
    double w[3] = {u.angular.x, u.angular.y, u.angular.z}, square = 0;
    double I_max = 8 * PI / 15 * mid * raise_to_4(most);
    for (int i = 0; i < 3; i++) {
        double I = 8 * PI / 15 * d[i] * raise_to_4(fmax(d[(i + 1) % 3], d[(i + 2) % 3]));
        double W = w[i] * (c[2] * I + c[1] * (I_max - I));
        square += W * W;
    }
    coefficients[0] = 3 * PI * size * mu + rho * tact_vec3_norm(u.linear) *
                                               (area * c[0] + (PI * most * mid - area) * c[1]);
    coefficients[1] = PI * size * size * size * mu + rho * sqrt(square);
}

void tact_fluid_measure(const TactGeom *geom, TactFluidEllipsoid *e)
{
    half_axes(geom, e->d);
    e->volume = 4 * PI / 3 * e->d[0] * e->d[1] * e->d[2];
    e->axes = tact_quat_to_mat3(geom->pose.rotation);
    added_mass(e->d, e->volume, e->m, e->J);
}

/// Of a vector in the axes of a part.
static TactVec3 to_world(const TactFluidPart *part, TactVec3 v)
{
    TactVec3 sum = tact_vec3_scale(v.x, part->axis[0]);
    return tact_vec3_add_scaled(tact_vec3_add_scaled(sum, v.y, part->axis[1]), v.z, part->axis[2]);
}

void tact_fluid_find_geom(const TactDynamics *dynamics, int index, TactFluidPart *part)
{
    const TactGeom           *geom = &dynamics->model->geoms[index];
    const TactModelOptions   *options = &dynamics->model->options;
    const TactFluidEllipsoid *e = &dynamics->recursion->ellipsoids[index];
    part->body = geom->body;
    part->link = dynamics->link_of[geom->body];
    part->centre = tact_transform_point(dynamics->pose[geom->body], geom->pose.position);
    tact_fluid_place(dynamics, part, &e->axes);
    TactTwist u = {{part->v[0], part->v[1], part->v[2]}, {part->w[0], part->w[1], part->w[2]}};
    double    area, slow[2], rho = options->density;
    TactVec3  p = {rho * e->m[0] * u.linear.x, rho * e->m[1] * u.linear.y,
                   rho * e->m[2] * u.linear.z};
    TactVec3  L = {rho * e->J[0] * u.angular.x, rho * e->J[1] * u.angular.y,
                   rho * e->J[2] * u.angular.z};
    TactVec3  force = tact_vec3_add(tact_vec3_cross(p, u.angular),
                                    lift(e->d, geom->fluid, rho, e->volume, u, &area));
    TactVec3  torque = tact_vec3_add(tact_vec3_cross(p, u.linear), tact_vec3_cross(L, u.angular));
    drag(e->d, geom->fluid, rho, options->viscosity, u, area, slow);
    // Coefficients below 0 would be no drag: what they do joins the lift.
    force = tact_vec3_add_scaled(force, -fmin(slow[0], 0), u.linear);
    torque = tact_vec3_add_scaled(torque, -fmin(slow[1], 0), u.angular);
    for (int i = 0; i < 3; i++) {
        part->linear[i] = fmax(slow[0], 0);
        part->angular[i] = fmax(slow[1], 0);
    }
    part->lift = (TactWrench){to_world(part, force), to_world(part, torque)};
}
