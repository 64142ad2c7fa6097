// The laws of one contact or row as scalar functions: C and C++, no pointers to functions, no
// memory, so that any processor can run them. docs/theory/contact-certificate.md has the equations.
//
// law_lanes.h is the same for four contacts at a time; tests hold the two against each other.
#ifndef TACT_CONTACT_CONTACT_LAW_H
#define TACT_CONTACT_CONTACT_LAW_H

#include <math.h>

/// Friction |p_t| <= mu p_n: in the disc, or in the polygon of d directions from an angle on.
typedef struct TactLawCone {
    double mu;
    int    directions; // even; 0: the disc
    double turn;       // angle of direction 0, rad
} TactLawCone;

/// Direction j of a polygon.
static inline void tact_law_direction(const TactLawCone *cone, int j, double d[2])
{
    double angle = cone->turn + 2 * 3.14159265358979323846 * j / cone->directions;
    d[0] = cos(angle);
    d[1] = sin(angle);
}

/// Largest -u_t'x over the disc or polygon of size 1 (3).
static inline double tact_law_contact_support(const TactLawCone *cone, const double u[2])
{
    double most = 0, d[2];
    if (cone->directions == 0) {
        return sqrt(u[0] * u[0] + u[1] * u[1]);
    }
    for (int j = 0; j < cone->directions; j++) {
        tact_law_direction(cone, j, d);
        most = fmax(most, -(d[0] * u[0] + d[1] * u[1]));
    }
    return most;
}

/// Nearest point of the ray through r, if it is nearer to x than what stands in best.
static inline void tact_law_try_ray(const double x[3], const double r[3], double best[3],
                                    double *distance)
{
    double along =
        (x[0] * r[0] + x[1] * r[1] + x[2] * r[2]) / (r[0] * r[0] + r[1] * r[1] + r[2] * r[2]);
    double miss = 0;
    for (int k = 0; k < 3; k++) {
        double off = x[k] - fmax(along, 0.0) * r[k];
        miss += off * off;
    }
    if (miss < *distance) {
        *distance = miss;
        for (int k = 0; k < 3; k++) {
            best[k] = fmax(along, 0.0) * r[k];
        }
    }
}

/// Projection onto the face between the directions j and j + 1; true if it falls onto the face.
static inline int tact_law_try_face(const TactLawCone *cone, int j, const double x[3], double y[3])
{
    double a[2], b[2];
    tact_law_direction(cone, j, a);
    tact_law_direction(cone, j + 1, b);
    double half = 3.14159265358979323846 / cone->directions, cosine = cos(half);
    double m[2] = {(a[0] + b[0]) / (2 * cosine), (a[1] + b[1]) / (2 * cosine)};
    // On the face m'p_t = mu cos p_n; its normal is (-mu cos, m).
    double reach = cone->mu * cosine, out = m[0] * x[1] + m[1] * x[2] - reach * x[0];
    double part = out / (1 + reach * reach);
    y[0] = x[0] + part * reach;
    y[1] = x[1] - part * m[0];
    y[2] = x[2] - part * m[1];
    double across = fabs(m[0] * y[2] - m[1] * y[1]);
    return out > 0 && y[0] >= 0 && across <= cone->mu * sin(half) * y[0];
}

/// y = the point of the cone of impulses nearest to x.
static inline void tact_law_contact_project(const TactLawCone *cone, const double x[3], double y[3])
{
    double mu = cone->mu, distance = x[0] * x[0] + x[1] * x[1] + x[2] * x[2];
    if (cone->directions == 0 || mu == 0) {
        double t = sqrt(x[1] * x[1] + x[2] * x[2]);
        double along = (x[0] + mu * t) / (1 + mu * mu), part = t > 0 ? mu * along / t : 0;
        int    inside = x[0] >= 0 && t <= mu * x[0]; // mu and t may both be 0
        y[0] = inside ? x[0] : fmax(along, 0.0);
        y[1] = inside ? x[1] : along > 0 ? part * x[1] : 0;
        y[2] = inside ? x[2] : along > 0 ? part * x[2] : 0;
        return;
    }
    int inside = x[0] >= 0;
    for (int j = 0; j < cone->directions; j++) {
        double a[2], b[2], face[3];
        tact_law_direction(cone, j, a);
        tact_law_direction(cone, j + 1, b);
        double half = cos(3.14159265358979323846 / cone->directions);
        inside = inside &&
                 ((a[0] + b[0]) * x[1] + (a[1] + b[1]) * x[2]) / (2 * half) <= mu * half * x[0];
        if (tact_law_try_face(cone, j, x, face)) {
            y[0] = face[0], y[1] = face[1], y[2] = face[2];
            return;
        }
    }
    y[0] = inside ? x[0] : 0, y[1] = inside ? x[1] : 0, y[2] = inside ? x[2] : 0;
    for (int j = 0; j < cone->directions && !inside; j++) {
        double d[2];
        tact_law_direction(cone, j, d);
        double ray[3] = {1, mu * d[0], mu * d[1]};
        tact_law_try_ray(x, ray, y, &distance);
    }
}

/// A contact approaches at most so many times as fast as its residual says. (9) alone says less the
/// steeper the cone is, sqrt(1 + mu^2) times; up to mu = 1 this adds nothing to it.
#define TACT_LAW_APPROACH 1.5

/// Rounding of p in w p, below which (9) sees no velocity, and neither is it an approach: of a body
/// at rest nothing else has a size.
#define TACT_LAW_ROUNDING 0x1p-52

/// (9), m/s: w |p - P(p - (u + mu lambda n) / w)|, and -u_n / 1.5 beyond rounding if that is more.
/// u has bias, restitution, compliance and belt.
static inline double tact_law_contact_residual(const TactLawCone *cone, const double p[3],
                                               const double u[3], double w)
{
    double lift = cone->mu * tact_law_contact_support(cone, u + 1);
    double x[3] = {p[0] - (u[0] + lift) / w, p[1] - u[1] / w, p[2] - u[2] / w}, y[3];
    tact_law_contact_project(cone, x, y);
    double off[3] = {p[0] - y[0], p[1] - y[1], p[2] - y[2]};
    double missed = w * sqrt(off[0] * off[0] + off[1] * off[1] + off[2] * off[2]);
    double rounding = TACT_LAW_ROUNDING * w * fabs(p[0]);
    return fmax(missed, -(u[0] + rounding) / TACT_LAW_APPROACH);
}

/// (14), J: work against the law.
static inline double tact_law_contact_gap(const double p[3], const double u[3])
{
    return fmax(fabs(p[0] * u[0]), p[1] * u[1] + p[2] * u[2]);
}

/// (11), m/s: kind 0 bilateral, 1 unilateral, 2 motor with |p| <= bound. u is less the target.
static inline double tact_law_row_residual(int kind, double p, double u, double w, double bound)
{
    if (kind == 0) {
        return fabs(u);
    }
    if (kind == 1) {
        return fabs(fmin(w * p, u));
    }
    double lo = w * (p - bound), hi = w * (p + bound);
    return fabs(u < lo ? lo : u > hi ? hi : u);
}

/// (14), J.
static inline double tact_law_row_gap(int kind, double p, double u)
{
    return kind == 2 ? fmax(p * u, 0.0) : fabs(p * u);
}

// ---------------------------------------------------------------------------------------------
// Discs: sliding, spinning, rolling or all of them with coefficients of their own, in x_k = p_k /
// mu_k and v_k = mu_k u_k. docs/theory/spin-roll.md

/// |x| <= bound in dim dimensions; or, of two, in the polygon whose corners lie at bound.
typedef struct TactLawDisc {
    int    dim;        // 1 .. 5
    int    directions; // of a polygon, for two dimensions; 0: the disc
    double turn;       // angle of direction 0, rad
    double bound;      // p_n; below 0 it counts as 0
} TactLawDisc;

/// |x|, or the multiple of the polygon of size 1 on whose border x lies.
static inline double tact_law_disc_gauge(const TactLawDisc *disc, const double *x)
{
    double most = 0;
    if (disc->directions == 0 || disc->dim != 2) {
        for (int k = 0; k < disc->dim; k++) {
            most += x[k] * x[k];
        }
        return sqrt(most);
    }
    double half = 3.14159265358979323846 / disc->directions;
    for (int j = 0; j < disc->directions; j++) {
        double angle = disc->turn + (2 * j + 1) * half; // normal of an edge
        most = fmax(most, cos(angle) * x[0] + sin(angle) * x[1]);
    }
    return most / cos(half);
}

/// y = the point of the disc or polygon nearest to x.
static inline void tact_law_disc_project(const TactLawDisc *disc, const double *x, double *y)
{
    double bound = fmax(disc->bound, 0.0), gauge = tact_law_disc_gauge(disc, x);
    double part = gauge > bound ? bound / gauge : 1;
    for (int k = 0; k < disc->dim; k++) {
        y[k] = part * x[k];
    }
    if (disc->directions == 0 || disc->dim != 2 || part == 1) {
        return;
    }
    // The polygon maps to itself under reflection in its corners: the nearest edge is the one that
    // x points at, and the nearest point stays on it.
    double half = 3.14159265358979323846 / disc->directions, most = -1, normal[2] = {1, 0};
    for (int j = 0; j < disc->directions; j++) {
        double angle = disc->turn + (2 * j + 1) * half, c = cos(angle), s = sin(angle);
        double along = c * x[0] + s * x[1];
        if (along > most) {
            most = along;
            normal[0] = c;
            normal[1] = s;
        }
    }
    double reach = bound * cos(half), side = bound * sin(half);
    double across = fmin(fmax(normal[0] * x[1] - normal[1] * x[0], -side), side);
    y[0] = reach * normal[0] - across * normal[1];
    y[1] = reach * normal[1] + across * normal[0];
}

/// m/s: w |x - P(x - v / w)|
static inline double tact_law_disc_residual(const TactLawDisc *disc, const double *x,
                                            const double *v, double w)
{
    double trial[5], y[5], off = 0;
    for (int k = 0; k < disc->dim; k++) {
        trial[k] = x[k] - v[k] / w;
    }
    tact_law_disc_project(disc, trial, y);
    for (int k = 0; k < disc->dim; k++) {
        off += (x[k] - y[k]) * (x[k] - y[k]);
    }
    return w * sqrt(off);
}

/// J: work that friction gives instead of taking.
static inline double tact_law_disc_gap(const TactLawDisc *disc, const double *x, const double *v)
{
    double work = 0;
    for (int k = 0; k < disc->dim; k++) {
        work += x[k] * v[k];
    }
    return fmax(work, 0.0);
}

#endif
