// The pyramid of one contact as a solver sees it: a cone over a regular polygon of friction.
//
// The polygon P has corners d_j, middles of edges m_j cos(pi/d), and with its support h(u) the law
//
//     K = {p: p_t in mu p_n P},    K 3 p _|_ u + mu h(u_t) n in K*,    h(u_t) = max_j |d_j u_t|
//
// is that of the circular cone [de Saxce, Feng 1998] with |u_t| replaced by h. A cone of 0
// directions is the circle, and mu = 0 a ray.
#ifndef TACT_CONTACT_NEWTON_PYRAMID_H
#define TACT_CONTACT_NEWTON_PYRAMID_H

#include "contact/newton/one_contact.h"

typedef struct TactPyramid {
    int    count; // directions, even; 0: the circle
    double mu;
    double cosine, sine;    // of half the angle between two directions
    double (*direction)[2]; // d_j                                      (count)
} TactPyramid;

/// Fills directions at turn + 2 pi j / count.                                  (count)
void tact_pyramid_set(TactPyramid *pyramid, double mu, int count, double turn,
                      double (*direction)[2]);

/// h(u_t); |u_t| for the circle.
double tact_pyramid_support(const TactPyramid *pyramid, const double u[2]);

/// x = P(z), the point of the cone nearest to z, and if slope is not NULL its derivative P', a
/// symmetric 3 x 3 matrix.
void tact_pyramid_project(const TactPyramid *pyramid, const double z[3], double x[3],
                          double *slope);

/// Where on the polygon r P the point nearest to q lies.
typedef enum TactPyramidPlace {
    TACT_PYRAMID_INSIDE, // q itself
    TACT_PYRAMID_EDGE,   // r cos(pi/d) outward + part along
    TACT_PYRAMID_CORNER, // r outward
} TactPyramidPlace;

typedef struct TactPyramidFace {
    double outward[2]; // unit: d_j of a corner, m_j of an edge
    double along[2];   // unit, along the edge
    double reach;      // of the polygon along outward: 1 or cos(pi/d)
} TactPyramidFace;

/// Not for the circle.
TactPyramidPlace tact_pyramid_nearest(const TactPyramid *pyramid, double r, const double q[2],
                                      TactPyramidFace *face);

/// tact_one_contact_solve() on the pyramid: the first of 0, stick, and of all edges and corners the
/// one that obeys the law best, those near the p that comes in first.
TactOneContactState tact_pyramid_solve(const TactPyramid *pyramid, const TactOneContact *one,
                                       const double b[3], double p[3]);

#endif
