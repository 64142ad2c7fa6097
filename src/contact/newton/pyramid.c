#include "contact/newton/pyramid.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

static const double PI = 3.14159265358979323846;

static double dot2(const double a[2], const double b[2])
{
    return a[0] * b[0] + a[1] * b[1];
}

void tact_pyramid_set(TactPyramid *pyramid, double mu, int count, double turn,
                      double (*direction)[2])
{
    *pyramid = (TactPyramid){.mu = mu, .count = mu > 0 ? count : 0, .direction = direction};
    int half = pyramid->count / 2;
    for (int j = 0; j < half; j++) {
        double angle = turn + 2 * PI * j / count;
        direction[j][0] = cos(angle);
        direction[j][1] = sin(angle);
        direction[j + half][0] = -direction[j][0];
        direction[j + half][1] = -direction[j][1];
    }
    if (half > 0) {
        pyramid->cosine = cos(PI / count);
        pyramid->sine = sin(PI / count);
    }
}

double tact_pyramid_support(const TactPyramid *pyramid, const double u[2])
{
    if (pyramid->count == 0) {
        return sqrt(dot2(u, u));
    }
    double most = 0;
    for (int j = 0; j < pyramid->count / 2; j++) {
        most = fmax(most, fabs(dot2(pyramid->direction[j], u)));
    }
    return most;
}

// ---------------------------------------------------------------------------------------------
// Nearest points

/// The sector of the polygon that q lies in, between a corner and the middle of an edge: the
/// polygon maps to itself under reflection in both, so that the point nearest to q lies there too.
typedef struct Sector {
    const double *corner;    // d_j
    double        middle[2]; // m of the edge
    double        along[2];  // from m towards d_j
} Sector;

static Sector find_sector(const TactPyramid *pyramid, const double q[2])
{
    int    half = pyramid->count / 2;
    int    j = 0;
    double most = -1;
    for (int i = 0; i < half; i++) {
        double part = fabs(dot2(pyramid->direction[i], q));
        j = part > most ? i : j;
        most = part > most ? part : most;
    }
    j += dot2(pyramid->direction[j], q) < 0 ? half : 0;
    const double *near = pyramid->direction[j];
    bool          left = near[0] * q[1] - near[1] * q[0] >= 0;
    int           k = (left ? j + 1 : j + pyramid->count - 1) % pyramid->count;
    const double *next = pyramid->direction[k];
    Sector        sector = {.corner = near};
    for (int c = 0; c < 2; c++) {
        sector.middle[c] = (near[c] + next[c]) / (2 * pyramid->cosine);
        sector.along[c] = (near[c] - next[c]) / (2 * pyramid->sine);
    }
    return sector;
}

TactPyramidPlace tact_pyramid_nearest(const TactPyramid *pyramid, double r, const double q[2],
                                      TactPyramidFace *face)
{
    Sector sector = find_sector(pyramid, q);
    memcpy(face->along, sector.along, sizeof face->along);
    if (dot2(sector.middle, q) <= r * pyramid->cosine) {
        return TACT_PYRAMID_INSIDE;
    }
    if (dot2(sector.along, q) <= r * pyramid->sine) {
        memcpy(face->outward, sector.middle, sizeof face->outward);
        face->reach = pyramid->cosine;
        return TACT_PYRAMID_EDGE;
    }
    memcpy(face->outward, sector.corner, sizeof face->outward);
    face->reach = 1;
    return TACT_PYRAMID_CORNER;
}

/// Onto the ray along r, or 0: P' = r r' / |r|^2.
static void project_ray(const double r[3], const double z[3], double x[3], double *slope)
{
    double length2 = 1 + r[1] * r[1] + r[2] * r[2];
    double part = (z[0] + r[1] * z[1] + r[2] * z[2]) / length2;
    bool   there = part > 0;
    for (int c = 0; c < 3; c++) {
        x[c] = there ? part * r[c] : 0;
    }
    for (int k = 0; k < 9 && slope; k++) {
        slope[k] = there ? r[k / 3] * r[k % 3] / length2 : 0;
    }
}

static void keep_nearer(const double z[3], double x[3], double *slope)
{
    memcpy(x, z, 3 * sizeof(double));
    for (int k = 0; k < 9 && slope; k++) {
        slope[k] = k % 4 == 0;
    }
}

static void project_circle(double mu, const double z[3], double x[3], double *slope)
{
    double t = sqrt(z[1] * z[1] + z[2] * z[2]);
    if (mu > 0 && t <= mu * z[0]) {
        keep_nearer(z, x, slope);
        return;
    }
    double h[2] = {t > 0 ? z[1] / t : 0, t > 0 ? z[2] / t : 0};
    double edge[3] = {1, mu * h[0], mu * h[1]};
    project_ray(edge, z, x, slope);
    double turn = t > 0 ? mu * x[0] / t : 0;
    double across[3] = {0, -h[1], h[0]};
    for (int k = 0; k < 9 && slope; k++) {
        slope[k] += turn * across[k / 3] * across[k % 3];
    }
}

/// Onto the face of an edge, with the normal N = (-reach, m): P' = I - N N' / |N|^2, or onto the
/// ray of its corner.
static void project_pyramid(const TactPyramid *pyramid, const double z[3], double x[3],
                            double *slope)
{
    double mu = pyramid->mu;
    Sector sector = find_sector(pyramid, z + 1);
    double N[3] = {-mu * pyramid->cosine, sector.middle[0], sector.middle[1]};
    double above = N[0] * z[0] + dot2(sector.middle, z + 1);
    if (above <= 0) {
        keep_nearer(z, x, slope);
        return;
    }
    double length2 = 1 + N[0] * N[0];
    for (int c = 0; c < 3; c++) {
        x[c] = z[c] - above * N[c] / length2;
    }
    if (x[0] > 0 && dot2(sector.along, x + 1) <= mu * pyramid->sine * x[0]) {
        for (int k = 0; k < 9 && slope; k++) {
            slope[k] = (k % 4 == 0) - N[k / 3] * N[k % 3] / length2;
        }
        return;
    }
    double corner[3] = {1, mu * sector.corner[0], mu * sector.corner[1]};
    project_ray(corner, z, x, slope);
}

void tact_pyramid_project(const TactPyramid *pyramid, const double z[3], double x[3], double *slope)
{
    if (pyramid->count > 0) {
        project_pyramid(pyramid, z, x, slope);
    } else {
        project_circle(pyramid->mu, z, x, slope);
    }
}
