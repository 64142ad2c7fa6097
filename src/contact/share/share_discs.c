// Projection onto the set of a patch: several discs of friction that are bounded by one load,
//
//     q = (t, x_1, x_2, ..),   t >= 0,   x_d in t D_d
//
// with D_d a disc, a polygon, an edge of it or a point. For a given t every x_d is projected alone,
// and the square of the distance is convex in t; its slope is 2 G,
//
//     G(t) = t - z_n - sum_d h_d(t),     h_d(t) = max { y'(z_d - x_d) : y in D_d },
//
// which grows. With A_d, b_d the derivatives of x_d by z_d and t (and dh_d/dz_d = b_d) that of q is
//
//     V = diag(0, A_1, ..) + (1, b_1, ..) (1, b_1, ..)' / (1 - sum_d dh_d/dt).
#include <math.h>
#include <string.h>

#include "contact/share/share.h"

enum { MOST = TACT_DISC_MOST, PARTS = TACT_SHARE_PARTS, TURNS = 80 };

/// x of a disc at a load, and its derivatives.
typedef struct Placed {
    double x[MOST], A[MOST * MOST], b[MOST];
    double h, slope; // dh/dt
} Placed;

static double multiply_parts(int n, const double *a, const double *b)
{
    double sum = 0;
    for (int k = 0; k < n; k++) {
        sum += a[k] * b[k];
    }
    return sum;
}

static void place_free(int n, const double *z, Placed *out)
{
    *out = (Placed){0};
    for (int k = 0; k < n; k++) {
        out->x[k] = z[k];
        out->A[k * n + k] = 1;
    }
}

/// x = t c
static void place_at(int n, const double *c, double t, const double *z, Placed *out)
{
    *out = (Placed){.slope = -multiply_parts(n, c, c)};
    for (int k = 0; k < n; k++) {
        out->x[k] = t * c[k];
        out->b[k] = c[k];
        out->h += c[k] * (z[k] - t * c[k]);
    }
}

/// On the line through t a and t b. Returns how far x lies between them, 0 to 1; less or more:
/// beyond.
static double place_on_line(int n, const double *a, const double *b, double t, const double *z,
                            Placed *out)
{
    double e[MOST], length = 0, along = 0, foot = 0;
    *out = (Placed){0};
    for (int k = 0; k < n; k++) {
        e[k] = b[k] - a[k];
        length += e[k] * e[k];
    }
    length = sqrt(length);
    for (int k = 0; k < n; k++) {
        e[k] /= length;
        along += e[k] * (z[k] - t * a[k]);
        foot += e[k] * a[k];
    }
    for (int k = 0; k < n; k++) {
        out->x[k] = t * a[k] + along * e[k];
        out->b[k] = a[k] - foot * e[k]; // the part of a across the line
        for (int l = 0; l < n; l++) {
            out->A[k * n + l] = e[k] * e[l];
        }
    }
    out->slope = -multiply_parts(n, out->b, out->b);
    for (int k = 0; k < n; k++) {
        out->h += out->b[k] * (z[k] - t * out->b[k]);
    }
    return t > 0 ? along / (t * length) : along > 0 ? INFINITY : -1;
}

static void place_on_segment(int n, const double *a, const double *b, double t, const double *z,
                             Placed *out)
{
    double where = place_on_line(n, a, b, t, z, out);
    if (where < 0) {
        place_at(n, a, t, z, out);
    } else if (where > 1) {
        place_at(n, b, t, z, out);
    }
}

static void corner_of(const TactShareDisc *disc, int j, double c[2])
{
    double angle = disc->turn + 2 * 3.14159265358979323846 * j / disc->directions;
    c[0] = disc->axis[0] * cos(angle);
    c[1] = disc->axis[1] * sin(angle);
}

/// Onto a polygon: inside, or on the nearest of its edges.
static void place_in_polygon(const TactShareDisc *disc, double t, const double *z, Placed *out)
{
    double best = INFINITY, a[2], b[2];
    bool   inside = true;
    corner_of(disc, 0, b);
    for (int j = 0; j < disc->directions; j++) {
        Placed trial;
        memcpy(a, b, sizeof a);
        corner_of(disc, j + 1, b);
        double left = (b[0] - a[0]) * (z[1] - t * a[1]) - (b[1] - a[1]) * (z[0] - t * a[0]);
        if (left >= 0) {
            continue;
        }
        inside = false;
        place_on_segment(2, a, b, t, z, &trial);
        double off[2] = {z[0] - trial.x[0], z[1] - trial.x[1]};
        double miss = multiply_parts(2, off, off);
        if (miss < best) {
            best = miss;
            *out = trial;
        }
    }
    if (inside) {
        place_free(2, z, out);
    }
}

/// Onto the ellipsoid with the axes of the disc, times t.
static void place_in_round(const TactShareDisc *disc, double t, const double *z, Placed *out)
{
    int    n = disc->dim;
    double size = 0, lambda = 0, g[MOST], S = 0;
    for (int k = 0; k < n; k++) {
        size += z[k] / disc->axis[k] * (z[k] / disc->axis[k]);
    }
    if (sqrt(size) <= t) {
        place_free(n, z, out);
        return;
    }
    // |x / axis| = t with x_k = axis_k^2 z_k / (axis_k^2 + lambda): from the left, ever nearer.
    for (int turn = 0; turn < TURNS; turn++) {
        double r = 0;
        S = 0;
        for (int k = 0; k < n; k++) {
            double square = disc->axis[k] * disc->axis[k], part = disc->axis[k] * z[k];
            part /= square + lambda;
            r += part * part;
            S += part * part / (square + lambda);
        }
        double next = lambda + (sqrt(r) - t) / t * r / S;
        if (!(next > lambda)) {
            break;
        }
        lambda = next;
    }
    S = 0;
    *out = (Placed){.h = lambda * t};
    for (int k = 0; k < n; k++) {
        double square = disc->axis[k] * disc->axis[k];
        out->x[k] = square * z[k] / (square + lambda);
        g[k] = out->x[k] / (square + lambda);
        S += out->x[k] * g[k] / square;
    }
    for (int k = 0; k < n; k++) {
        double square = disc->axis[k] * disc->axis[k];
        out->b[k] = g[k] * t / S;
        for (int l = 0; l < n; l++) {
            out->A[k * n + l] = (k == l ? square / (square + lambda) : 0) - g[k] * g[l] / S;
        }
    }
    out->slope = lambda - t * t / S;
}

/// Largest y'z over D: h where there is no load.
static double reach_of(const TactShareDisc *disc, const double *z)
{
    double most = -INFINITY, sum = 0, c[2];
    switch (disc->kind) {
    case TACT_SHARE_DISC_POINT: return multiply_parts(disc->dim, disc->a, z);
    case TACT_SHARE_DISC_SEGMENT:
        return fmax(multiply_parts(disc->dim, disc->a, z), multiply_parts(disc->dim, disc->b, z));
    case TACT_SHARE_DISC_CORNERS:
        for (int j = 0; j < disc->directions; j++) {
            corner_of(disc, j, c);
            most = fmax(most, multiply_parts(2, c, z));
        }
        return most;
    case TACT_SHARE_DISC_ROUND: break;
    }
    for (int k = 0; k < disc->dim; k++) {
        sum += disc->axis[k] * z[k] * (disc->axis[k] * z[k]);
    }
    return sqrt(sum);
}

static void place_disc(const TactShareDisc *disc, double t, const double *z, Placed *out)
{
    switch (disc->kind) {
    case TACT_SHARE_DISC_POINT: place_at(disc->dim, disc->a, t, z, out); break;
    case TACT_SHARE_DISC_SEGMENT: place_on_segment(disc->dim, disc->a, disc->b, t, z, out); break;
    case TACT_SHARE_DISC_CORNERS: place_in_polygon(disc, t, z, out); break;
    case TACT_SHARE_DISC_ROUND: place_in_round(disc, t, z, out); break;
    }
}

static void gather(const TactShareDisc *disc, const double *z, double *own)
{
    for (int k = 0; k < disc->dim; k++) {
        own[k] = z[disc->at[k]];
    }
}

/// All discs at a load. Returns G; its slope into *slope.
static double place_all(const TactSharePatch *patch, double t, const double *z, Placed *placed,
                        double *slope)
{
    double G = t - z[0], own[MOST];
    *slope = 1;
    for (int d = 0; d < patch->disc_count; d++) {
        gather(&patch->discs[d], z, own);
        place_disc(&patch->discs[d], t, own, &placed[d]);
        G -= placed[d].h;
        *slope -= placed[d].slope;
    }
    return G;
}

/// The load at which G is 0, between 0 and what all discs ask for.
static double find_load(const TactSharePatch *patch, const double *z, double most, Placed *placed,
                        double *slope)
{
    double lo = 0, hi = most, t = z[0] > 0 && z[0] < most ? z[0] : 0.5 * most;
    for (int turn = 0; turn < TURNS; turn++) {
        double G = place_all(patch, t, z, placed, slope);
        if (G > 0) {
            hi = t;
        } else {
            lo = t;
        }
        double next = t - G / *slope;
        if (!(next > lo && next < hi)) {
            next = fabs(G) <= 4e-16 * (t + fabs(z[0])) ? t : 0.5 * (lo + hi);
        }
        if (next == t || G == 0) {
            break;
        }
        t = next;
    }
    place_all(patch, t, z, placed, slope);
    return t;
}

/// q and V from placed discs. slope: of G; 0: the load is given
static void put_together(const TactSharePatch *patch, double t, const Placed *placed, double slope,
                         double *q, double *V)
{
    double along[PARTS] = {1};
    memset(q, 0, PARTS * sizeof *q);
    memset(V, 0, PARTS * PARTS * sizeof *V);
    q[0] = t;
    for (int d = 0; d < patch->disc_count; d++) {
        const TactShareDisc *disc = &patch->discs[d];
        for (int k = 0; k < disc->dim; k++) {
            q[disc->at[k]] = placed[d].x[k];
            along[disc->at[k]] = placed[d].b[k];
            for (int l = 0; l < disc->dim; l++) {
                V[disc->at[k] * PARTS + disc->at[l]] = placed[d].A[k * disc->dim + l];
            }
        }
    }
    for (int k = 0; k < PARTS * PARTS && slope > 0; k++) {
        V[k] += along[k / PARTS] * along[k % PARTS] / slope;
    }
}

void tact_share_project_patch(const TactSharePatch *patch, const double *z, double *q, double *V)
{
    Placed placed[3];
    double slope = 0, own[MOST], most = z[0];
    if (patch->soft && patch->normal > 0) {
        place_all(patch, patch->normal, z, placed, &slope);
        put_together(patch, patch->normal, placed, 0, q, V);
        return;
    }
    for (int d = 0; d < patch->disc_count; d++) {
        gather(&patch->discs[d], z, own);
        most += reach_of(&patch->discs[d], own);
    }
    if (patch->soft || !(most > 0)) {
        memset(q, 0, PARTS * sizeof *q);
        memset(V, 0, PARTS * PARTS * sizeof *V);
        return;
    }
    double t = find_load(patch, z, most, placed, &slope);
    put_together(patch, t, placed, slope, q, V);
}

void tact_share_hull_patch(const TactSharePatch *patch, double *V, double *q)
{
    Placed placed[3];
    double slope = 1, zero[MOST] = {0};
    for (int d = 0; d < patch->disc_count; d++) {
        const TactShareDisc *disc = &patch->discs[d];
        if (disc->kind == TACT_SHARE_DISC_POINT) {
            place_at(disc->dim, disc->a, 0, zero, &placed[d]);
        } else if (disc->kind == TACT_SHARE_DISC_SEGMENT) {
            place_on_line(disc->dim, disc->a, disc->b, 0, zero, &placed[d]);
        } else {
            place_free(disc->dim, zero, &placed[d]);
        }
        for (int k = 0; k < disc->dim; k++) {
            placed[d].x[k] = patch->soft ? patch->normal * placed[d].b[k] : 0;
        }
        slope -= placed[d].slope;
    }
    put_together(patch, patch->soft ? patch->normal : 0, placed, patch->soft ? 0 : slope, q, V);
}
