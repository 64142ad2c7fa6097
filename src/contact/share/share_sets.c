// Projections onto the sets of impulses that a contact's state allows, with their derivatives.
//
// A polygon maps to itself under reflection in its corners and in the middles of its edges: what is
// projected stays in the sector of its edge. There, with n the normal, m along the middle of the
// edge and c across it, the face of the pyramid is m = reach n, |c| <= half n.
#include <math.h>
#include <string.h>

#include "contact/share/share.h"

static const double PI = 3.14159265358979323846;

static void clear(double V[9])
{
    memset(V, 0, 9 * sizeof(double));
}

static void set_identity(double V[9])
{
    clear(V);
    V[0] = V[4] = V[8] = 1;
}

/// V = r r' / |r|^2
static void set_ray(const double r[3], double V[9])
{
    double square = r[0] * r[0] + r[1] * r[1] + r[2] * r[2];
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) {
            V[3 * i + j] = r[i] * r[j] / square;
        }
    }
}

/// V = I - f f' / |f|^2
static void set_plane(const double f[3], double V[9])
{
    set_ray(f, V);
    for (int k = 0; k < 9; k++) {
        V[k] = (k % 4 == 0 ? 1 : 0) - V[k];
    }
}

static void project_ray(const double r[3], const double z[3], double p[3], double V[9])
{
    double square = r[0] * r[0] + r[1] * r[1] + r[2] * r[2];
    double a = (z[0] * r[0] + z[1] * r[1] + z[2] * r[2]) / square;
    clear(V);
    if (a > 0) {
        set_ray(r, V);
    }
    for (int k = 0; k < 3; k++) {
        p[k] = a > 0 ? a * r[k] : 0;
    }
}

static void project_circle(double mu, const double z[3], double p[3], double V[9])
{
    double t = sqrt(z[1] * z[1] + z[2] * z[2]);
    if (z[0] >= 0 && t <= mu * z[0]) { // mu and t may both be 0
        memcpy(p, z, 3 * sizeof *p);
        set_identity(V);
        return;
    }
    double d[2] = {t > 0 ? z[1] / t : 1, t > 0 ? z[2] / t : 0};
    double r[3] = {1, mu * d[0], mu * d[1]};
    project_ray(r, z, p, V);
    double across = p[0] > 0 ? mu * p[0] / t : 0; // the circle turns with z
    V[4] += across * d[1] * d[1];
    V[5] -= across * d[0] * d[1];
    V[7] -= across * d[0] * d[1];
    V[8] += across * d[0] * d[0];
}

// ---------------------------------------------------------------------------------------------
// Pyramids

/// Axes of a sector: m and c of the tangents.
typedef struct Sector {
    double m[2], c[2];
    double reach, half; // of the corners' radius 1
} Sector;

static Sector sector_at(int directions, double middle)
{
    double angle = PI / directions;
    return (Sector){.m = {cos(middle), sin(middle)},
                    .c = {-sin(middle), cos(middle)},
                    .reach = cos(angle),
                    .half = sin(angle)};
}

/// The sector in which a tangential vector lies.
static Sector sector_of(const TactShareSet *set, double t1, double t2)
{
    double width = 2 * PI / set->directions;
    double place = floor((atan2(t2, t1) - set->turn) / width);
    return sector_at(set->directions, set->turn + (place + 0.5) * width);
}

/// Onto the face of a pyramid: its plane, or one of its edges, or 0.
static void project_face(const Sector *s, double mu, const double z[3], double p[3], double V[9])
{
    double f[3] = {-mu * s->reach, s->m[0], s->m[1]};
    double off = (f[0] * z[0] + f[1] * z[1] + f[2] * z[2]) / (1 + f[0] * f[0]);
    for (int k = 0; k < 3; k++) {
        p[k] = z[k] - off * f[k];
    }
    double across = s->c[0] * p[1] + s->c[1] * p[2];
    if (p[0] >= 0 && fabs(across) <= mu * s->half * p[0]) {
        set_plane(f, V);
        return;
    }
    double side = across < 0 ? -1 : 1;
    double r[3] = {1, mu * (s->reach * s->m[0] + side * s->half * s->c[0]),
                   mu * (s->reach * s->m[1] + side * s->half * s->c[1])};
    project_ray(r, z, p, V);
}

static void project_pyramid(const TactShareSet *set, const double z[3], double p[3], double V[9])
{
    Sector s = sector_of(set, z[1], z[2]);
    if (s.m[0] * z[1] + s.m[1] * z[2] <= set->mu * s.reach * z[0]) {
        memcpy(p, z, 3 * sizeof *p);
        set_identity(V);
        return;
    }
    project_face(&s, set->mu, z, p, V);
}

// ---------------------------------------------------------------------------------------------
// Friction of a given normal impulse

static void project_disc(const TactShareSet *set, const double z[3], double p[3], double V[9])
{
    double t = hypot(z[1], z[2]), bound = set->bound;
    double part = t > bound ? bound / t : 1;
    clear(V);
    p[0] = set->normal;
    p[1] = part * z[1];
    p[2] = part * z[2];
    V[4] = V[8] = part;
    if (t > bound) {
        V[4] = part * z[2] * z[2] / (t * t);
        V[8] = part * z[1] * z[1] / (t * t);
        V[5] = V[7] = -part * z[1] * z[2] / (t * t);
    }
}

static void project_polygon(const TactShareSet *set, const double z[3], double p[3], double V[9])
{
    Sector s = sector_of(set, z[1], z[2]);
    double m = s.m[0] * z[1] + s.m[1] * z[2], c = s.c[0] * z[1] + s.c[1] * z[2];
    double most = s.half * set->bound;
    clear(V);
    memcpy(p, z, 3 * sizeof *p);
    p[0] = set->normal;
    V[4] = V[8] = 1;
    if (m > s.reach * set->bound) {
        bool   corner = fabs(c) > most;
        double free = corner ? 0 : 1;
        c = corner ? copysign(most, c) : c;
        p[1] = s.reach * set->bound * s.m[0] + c * s.c[0];
        p[2] = s.reach * set->bound * s.m[1] + c * s.c[1];
        V[4] = free * s.c[0] * s.c[0];
        V[8] = free * s.c[1] * s.c[1];
        V[5] = V[7] = free * s.c[0] * s.c[1];
    }
}

// ---------------------------------------------------------------------------------------------
// All of them

void tact_share_project(const TactShareSet *set, const double z[3], double p[3], double V[9])
{
    Sector face;
    switch (set->kind) {
    case TACT_SHARE_RAY: project_ray(set->ray, z, p, V); break;
    case TACT_SHARE_CIRCLE: project_circle(set->mu, z, p, V); break;
    case TACT_SHARE_PYRAMID: project_pyramid(set, z, p, V); break;
    case TACT_SHARE_FACE:
        face = sector_at(set->directions, set->middle);
        project_face(&face, set->mu, z, p, V);
        break;
    case TACT_SHARE_PUSH:
        clear(V);
        p[0] = z[0] > 0 ? z[0] : 0;
        p[1] = p[2] = 0;
        V[0] = z[0] > 0 ? 1 : 0;
        break;
    case TACT_SHARE_INTERVAL:
        clear(V);
        p[0] = p[2] = 0;
        p[1] = fmax(-set->bound, fmin(z[1], set->bound));
        V[4] = fabs(z[1]) < set->bound ? 1 : 0;
        break;
    case TACT_SHARE_DISC: project_disc(set, z, p, V); break;
    case TACT_SHARE_POLYGON: project_polygon(set, z, p, V); break;
    }
}

void tact_share_hull(const TactShareSet *set, double V[9])
{
    clear(V);
    if (set->kind == TACT_SHARE_RAY) {
        set_ray(set->ray, V);
    } else if (set->kind == TACT_SHARE_FACE) {
        Sector s = sector_at(set->directions, set->middle);
        set_plane((double[]){-set->mu * s.reach, s.m[0], s.m[1]}, V);
    } else {
        bool all = set->kind == TACT_SHARE_CIRCLE || set->kind == TACT_SHARE_PYRAMID;
        bool given = set->kind == TACT_SHARE_DISC || set->kind == TACT_SHARE_POLYGON;
        V[0] = all || set->kind == TACT_SHARE_PUSH ? 1 : 0;
        V[4] = all || given || set->kind == TACT_SHARE_INTERVAL ? 1 : 0;
        V[8] = all || given ? 1 : 0;
    }
}
