// The law of four contacts at a time: cones of friction, their gauge and support, the projection
// onto them, and what a contact misses. To be inlined. With one lane (base/lanes.h) it is the
// certificate of the GPU: one source for both.
#ifndef TACT_CONTACT_LAW_LANES_H
#define TACT_CONTACT_LAW_LANES_H

#include <stddef.h>

#include "base/lanes.h"
#ifdef __CUDACC__
#define inline __host__ __device__ __inline__
#endif
#include "contact/contact_law.h"
#ifdef __CUDACC__
#undef inline
#define TACT_LAW_ROLLED _Pragma("unroll 1") // what a GPU fetches stays small
#else
#define TACT_LAW_ROLLED
#endif

enum { TACT_CERTIFY_MAX_DIRECTIONS = 64 };

/// Directions of a pyramid: of the last contact that needed them, as others often have the same.
typedef struct TactCertifyPyramid {
    int    count; // 0: none yet
    double turn;
    double cosine, sine; // of half the angle between two directions
    double direction[TACT_CERTIFY_MAX_DIRECTIONS / 2][2]; // the first half: the others are opposite
} TactCertifyPyramid;

/// Impulses that do so many times more than the velocity at a contact hide it in their rounding.
#define TACT_LAW_SWALLOWS 1e6

/// Cones of four contacts, with the same directions.
typedef struct TactCertifyCones {
    TactLanes                 mu;      // of the corners
    double                    stretch; // corners over mu: 1, or sqrt(2) for the box
    const TactCertifyPyramid *pyramid; // NULL: circles
} TactCertifyCones;

TACT_WIDE void tact_law_dot(const TactLanes a[2], const TactLanes b[2], TactLanes *out)
{
    *out = a[0] * b[0] + a[1] * b[1];
}

TACT_WIDE void tact_law_norm(const TactLanes x[3], TactLanes *out)
{
    TactLanes square = x[0] * x[0] + x[1] * x[1] + x[2] * x[2];
    tact_wide_root(&square, out);
}

TACT_WIDE void tact_law_length(const TactLanes x[2], TactLanes *out)
{
    TactLanes square;
    tact_law_dot(x, x, &square);
    tact_wide_root(&square, out);
}

/// The edge of a polygon that x points at: corner `near` is the nearest direction, `next` the other
/// one, on the side to which x leans.
typedef struct TactLawEdge {
    TactLanes near[2];                // d_j
    TactLanes next[2];                // d_k
    TactLanes along_near, along_next; // d_j'x >= d_k'x
} TactLawEdge;

TACT_WIDE void tact_law_edge(const TactCertifyPyramid *pyramid, const TactLanes x[2],
                             TactLawEdge *edge)
{
    TactLanes most = TACT_LANES_ALL(-1.0), near[2], next[2], own;
    near[0] = TACT_LANES_ALL(pyramid->direction[0][0]);
    near[1] = TACT_LANES_ALL(pyramid->direction[0][1]);
    // The second half of the directions are the first ones turned round.
    TACT_LAW_ROLLED for (int j = 0; j < pyramid->count / 2; j++)
    {
        double    c = pyramid->direction[j][0], s = pyramid->direction[j][1];
        TactLanes along = c * x[0] + s * x[1];
        along = TACT_LANES_ABS(along);
        TactMask more = along > most;
        most = TACT_LANES_SELECT(more, along, most);
        near[0] = TACT_LANES_SELECT(more, TACT_LANES_ALL(c), near[0]);
        near[1] = TACT_LANES_SELECT(more, TACT_LANES_ALL(s), near[1]);
    }
    tact_law_dot(near, x, &own);
    TactMask behind = own < 0;
    near[0] = TACT_LANES_SELECT(behind, -near[0], near[0]);
    near[1] = TACT_LANES_SELECT(behind, -near[1], near[1]);
    TactLanes across = near[0] * x[1] - near[1] * x[0];
    TactLanes sine = TACT_LANES_ALL(2 * pyramid->sine * pyramid->cosine);
    double    cosine = 2 * pyramid->cosine * pyramid->cosine - 1;
    sine = TACT_LANES_SELECT(across >= 0, sine, -sine);
    next[0] = near[0] * cosine - near[1] * sine;
    next[1] = near[1] * cosine + near[0] * sine;
    for (int k = 0; k < 2; k++) {
        edge->near[k] = near[k];
        edge->next[k] = next[k];
    }
    edge->along_near = most;
    tact_law_dot(next, x, &edge->along_next);
}

/// How far p leaves the cones sideways, N s: |p_t| - mu p_n, |p_t| in the gauge of the cone. edge
/// is that of p_t; of circles it is not read.
TACT_WIDE void tact_law_excess(const TactCertifyCones *cones, const TactLawEdge *edge,
                               const TactLanes p[3], TactLanes *out)
{
    TactLanes gauge;
    if (cones->pyramid) {
        // p_t = beta_j d_j + beta_k d_k has the least sum of beta, (d_j + d_k)'p_t / (2 cos^2).
        double cosine = cones->pyramid->cosine;
        gauge = (edge->along_near + edge->along_next) / (2 * cosine * cosine);
    } else {
        tact_law_length(p + 1, &gauge);
    }
    *out = (gauge - cones->mu * p[0]) / cones->stretch;
}

/// The largest -u_t'x over the friction disc or polygon: |u_t| or lambda, mu left out (3).
TACT_WIDE void tact_law_support(const TactCertifyCones *cones, const TactLanes u[2], TactLanes *out)
{
    if (!cones->pyramid) {
        tact_law_length(u, out);
        return;
    }
    *out = TACT_LANES_ALL(0.0);
    TACT_LAW_ROLLED for (int j = 0; j < cones->pyramid->count / 2; j++)
    {
        const double *d = cones->pyramid->direction[j];
        TactLanes     along = d[0] * u[0] + d[1] * u[1];
        along = TACT_LANES_ABS(along);
        *out = TACT_LANES_SELECT(along > *out, along, *out);
    }
}

// ---------------------------------------------------------------------------------------------
// Projection

TACT_WIDE void tact_law_project_circle(const TactLanes *mu, TactLanes x[3])
{
    TactLanes t, none = TACT_LANES_ALL(0.0);
    tact_law_length(x + 1, &t);
    // Inside, or on the ray (1, mu s) of its own direction s, or 0 if it lies in the polar cone.
    // Without friction t = 0 alone does not make it one that pushes.
    TactMask  inside = (t <= *mu * x[0]) & (x[0] >= 0);
    TactLanes along = (x[0] + *mu * t) / (1 + *mu * *mu);
    TactMask  polar = TACT_MASK_NOT(along > 0);
    TactLanes part = *mu * along / t;
    TactLanes on[3] = {along, x[1] * part, x[2] * part};
    for (int k = 0; k < 3; k++) {
        TactLanes out = TACT_LANES_SELECT(polar, none, on[k]);
        x[k] = TACT_LANES_SELECT(inside, x[k], out);
    }
}

/// The polygon maps to itself under reflection in its corners and its edges, so that the projection
/// stays in the sector of x between a corner d_j and the middle of an edge: it lies on the face of
/// that edge, on the ray (1, mu d_j), or is 0.
TACT_WIDE void tact_law_project_pyramid(const TactCertifyCones *cones, TactLanes x[3])
{
    double      cosine = cones->pyramid->cosine, sine = cones->pyramid->sine;
    TactLanes   mu = cones->mu, none = TACT_LANES_ALL(0.0), along_near, along_next, along;
    TactLanes   apothem = mu * cosine, above;
    TactLawEdge edge;
    tact_law_edge(cones->pyramid, x + 1, &edge);
    TactLanes middle[2]; // unit normal of the edge
    for (int k = 0; k < 2; k++) {
        middle[k] = (edge.near[k] + edge.next[k]) / (2 * cosine);
    }
    tact_law_dot(middle, x + 1, &above);
    above -= apothem * x[0];
    TactMask inside = above <= 0;
    // Onto the plane of the face: x - (above / |N|^2) N with N = (-apothem, middle).
    TactLanes step = above / (1 + apothem * apothem);
    TactLanes y[3] = {x[0] + step * apothem, x[1] - step * middle[0], x[2] - step * middle[1]};
    tact_law_dot(edge.near, y + 1, &along_near);
    tact_law_dot(edge.next, y + 1, &along_next);
    TactMask on_face = (y[0] > 0) & ((along_near - along_next) / (2 * sine) <= mu * sine * y[0]);
    along = (x[0] + mu * edge.along_near) / (1 + mu * mu);
    along = TACT_LANES_SELECT(along > 0, along, none);
    TactLanes ray[3] = {along, mu * along * edge.near[0], mu * along * edge.near[1]};
    for (int k = 0; k < 3; k++) {
        TactLanes out = TACT_LANES_SELECT(on_face, y[k], ray[k]);
        x[k] = TACT_LANES_SELECT(inside, x[k], out);
    }
}

/// x <- its projection onto the cone.
TACT_WIDE void tact_law_project(const TactCertifyCones *cones, TactLanes x[3])
{
    if (cones->pyramid) {
        tact_law_project_pyramid(cones, x);
    } else {
        tact_law_project_circle(&cones->mu, x);
    }
}

// ---------------------------------------------------------------------------------------------
// Residual

/// (9): Coulomb's law as a complementarity of cones, and the distance of p from the projection.
/// Impulses beyond all velocities would swallow them: there the law depends on the direction of p
/// only, which is taken shorter, and p itself must be in the cone.
TACT_WIDE void tact_law_miss(const TactCertifyCones *cones, const TactLanes p[3],
                             const TactLanes u[3], const TactLanes *w, const TactLanes *push,
                             const TactLanes *lift, TactLanes *out)
{
    TactLanes most, one = TACT_LANES_ALL(1.0), x[3], own[3], miss[3];
    TactLanes asked[3] = {u[0] + cones->mu * *lift, u[1], u[2]};
    tact_law_norm(asked, &most);
    most *= TACT_LAW_SWALLOWS;
    TactMask  swallowed = *push > most;
    TactLanes part = TACT_LANES_SELECT(swallowed, most / *push, one);
    for (int k = 0; k < 3; k++) {
        x[k] = part * p[k] - asked[k] / *w;
        own[k] = p[k];
    }
    tact_law_project(cones, x);
    for (int k = 0; k < 3; k++) {
        miss[k] = part * p[k] - x[k];
    }
    tact_law_norm(miss, out);
    *out *= *w;
    if (TACT_MASK_ANY(swallowed)) {
        TactLanes beyond;
        tact_law_project(cones, own);
        for (int k = 0; k < 3; k++) {
            miss[k] = p[k] - own[k];
        }
        tact_law_norm(miss, &beyond);
        beyond *= *w;
        *out = TACT_LANES_SELECT(swallowed & (beyond > *out), beyond, *out);
    }
    TactLanes rounding = TACT_LAW_ROUNDING * *w * TACT_LANES_ABS(p[0]);
    TactLanes approach = (u[0] + rounding) / -TACT_LAW_APPROACH;
    *out = TACT_LANES_SELECT(approach > *out, approach, *out);
}

/// (14): |p_n u_n|, and the work of friction that drives the slip.
TACT_WIDE void tact_law_work(const TactLanes p[3], const TactLanes u[3], TactLanes *out)
{
    TactLanes normal = p[0] * u[0];
    TactLanes slip = p[1] * u[1] + p[2] * u[2];
    normal = TACT_LANES_ABS(normal);
    *out = TACT_LANES_SELECT(slip > normal, slip, normal);
}

#endif
