// Cones of friction: projection, gauge, support, and the angle between friction and slip.
#include <math.h>

#include "contact/certify.h"

static const double PI = 3.14159265358979323846;

// A direction that carries less than this part of the friction is rounding.
static const double SMALL_SHARE = 1e-9;

static double dot(const double a[2], const double b[2])
{
    return a[0] * b[0] + a[1] * b[1];
}

// ---------------------------------------------------------------------------------------------
// Directions

static void set_directions(TactCertifyPyramid *pyramid, int count, double turn)
{
    if (pyramid->count == count && pyramid->turn == turn) {
        return;
    }
    pyramid->count = count;
    pyramid->turn = turn;
    pyramid->cosine = cos(PI / count);
    pyramid->sine = sin(PI / count);
    int half = count / 2;
    for (int j = half; j % 4 != 0; j++) {
        pyramid->half[0][j] = pyramid->half[1][j] = 0;
    }
    for (int j = 0; j < half; j++) {
        double angle = turn + 2 * PI * j / count;
        for (int k = 0; k < 2; k++) {
            double part = k == 0 ? cos(angle) : sin(angle);
            pyramid->direction[j][k] = part;
            pyramid->direction[j + half][k] = -part;
            pyramid->half[k][j] = part;
        }
    }
}

TactCertifyCone tact_certify_cone(TactCertifier *certifier, TactContactCone kind,
                                  const TactContact *contact)
{
    TactCertifyCone cone = {.mu = contact->mu, .stretch = 1};
    if (kind == TACT_CONTACT_CIRCLE || contact->mu == 0) {
        return cone;
    }
    cone.pyramid = &certifier->pyramid;
    if (kind == TACT_CONTACT_BOX_CONE) {
        cone.stretch = sqrt(2);
        cone.mu *= cone.stretch;
        set_directions(&certifier->pyramid, 4, PI / 4);
    } else {
        int count = contact->directions > 0 ? contact->directions : TACT_CERTIFY_DIRECTIONS;
        set_directions(&certifier->pyramid, count, contact->turn);
    }
    return cone;
}

/// One of two: the larger, or the first.
typedef struct Most {
    double along; // |d_j'x|
    int    j;
} Most;

static inline Most larger(Most a, Most b)
{
    bool more = b.along > a.along;
    return (Most){more ? b.along : a.along, more ? b.j : a.j};
}

static inline Most look_along(const TactCertifyPyramid *pyramid, int j, const double x[2])
{
    return (Most){fabs(x[0] * pyramid->half[0][j] + x[1] * pyramid->half[1][j]), j};
}

/// The direction of the first half with the largest |d_j'x|: four at a time, that none waits long.
static Most find_most(const TactCertifyPyramid *pyramid, const double x[2])
{
    Most most = {-1, 0};
    for (int j = 0; j < pyramid->count / 2; j += 4) {
        Most a = larger(look_along(pyramid, j, x), look_along(pyramid, j + 1, x));
        Most b = larger(look_along(pyramid, j + 2, x), look_along(pyramid, j + 3, x));
        most = larger(most, larger(a, b));
    }
    return most;
}

void tact_certify_edge(const TactCertifyCone *cone, const double x[2], TactCertifyEdge *edge)
{
    const TactCertifyPyramid *pyramid = cone->pyramid;
    if (!pyramid) {
        return;
    }
    // The second half of the directions are the first ones turned round.
    Most          most = find_most(pyramid, x);
    int           j = most.j + (dot(pyramid->direction[most.j], x) < 0 ? pyramid->count / 2 : 0);
    const double *near = pyramid->direction[j];
    bool          left = near[0] * x[1] - near[1] * x[0] >= 0;
    int           k = left ? j + 1 : j - 1;
    k = k < 0 ? pyramid->count - 1 : k == pyramid->count ? 0 : k;
    edge->near = near;
    edge->next = pyramid->direction[k];
    edge->along_near = most.along;
    edge->along_next = dot(edge->next, x);
}

// ---------------------------------------------------------------------------------------------
// Gauge and support

double tact_certify_excess(const TactCertifyCone *cone, const TactCertifyEdge *edge,
                           const double p[3])
{
    double gauge;
    if (cone->pyramid) {
        // p_t = beta_j d_j + beta_k d_k has the least sum of beta, (d_j + d_k)'p_t / (2 cos^2).
        double cosine = cone->pyramid->cosine;
        gauge = (edge->along_near + edge->along_next) / (2 * cosine * cosine);
    } else {
        gauge = sqrt(dot(p + 1, p + 1));
    }
    return (gauge - cone->mu * p[0]) / cone->stretch;
}

double tact_certify_support(const TactCertifyCone *cone, const double u[2])
{
    if (!cone->pyramid) {
        return sqrt(dot(u, u));
    }
    return find_most(cone->pyramid, u).along;
}

// ---------------------------------------------------------------------------------------------
// Projection

static void project_circle(double mu, double x[3])
{
    double t = sqrt(x[1] * x[1] + x[2] * x[2]);
    if (t <= mu * x[0]) {
        return;
    }
    // On the ray (1, mu s) of its own direction s, or 0 if it lies in the polar cone.
    double along = (x[0] + mu * t) / (1 + mu * mu);
    if (!(along > 0)) {
        x[0] = x[1] = x[2] = 0;
        return;
    }
    x[0] = along;
    x[1] *= mu * along / t;
    x[2] *= mu * along / t;
}

/// The polygon maps to itself under reflection in its corners and its edges, so that the projection
/// stays in the sector of x between a corner d_j and the middle of an edge: it lies on the face of
/// that edge, on the ray (1, mu d_j), or is 0.
static void project_pyramid(const TactCertifyCone *cone, double x[3])
{
    double          mu = cone->mu;
    double          cosine = cone->pyramid->cosine, sine = cone->pyramid->sine;
    double          apothem = mu * cosine;
    double          middle[2]; // unit normal of the edge
    TactCertifyEdge edge;
    tact_certify_edge(cone, x + 1, &edge);
    for (int k = 0; k < 2; k++) {
        middle[k] = (edge.near[k] + edge.next[k]) / (2 * cosine);
    }
    double above = dot(middle, x + 1) - apothem * x[0];
    if (above <= 0) {
        return;
    }
    // Onto the plane of the face: x - (above / |N|^2) N with N = (-apothem, middle).
    double step = above / (1 + apothem * apothem);
    double y[3] = {x[0] + step * apothem, x[1] - step * middle[0], x[2] - step * middle[1]};
    double side = (dot(edge.near, y + 1) - dot(edge.next, y + 1)) / (2 * sine);
    if (y[0] > 0 && side <= mu * sine * y[0]) {
        x[0] = y[0];
        x[1] = y[1];
        x[2] = y[2];
        return;
    }
    double along = fmax((x[0] + mu * edge.along_near) / (1 + mu * mu), 0);
    x[0] = along;
    x[1] = mu * along * edge.near[0];
    x[2] = mu * along * edge.near[1];
}

void tact_certify_project(const TactCertifyCone *cone, double x[3])
{
    if (cone->pyramid) {
        project_pyramid(cone, x);
    } else {
        project_circle(cone->mu, x);
    }
}

// ---------------------------------------------------------------------------------------------
// Slip

/// atan is its argument for small ones, and most are.
static double angle_between(const double a[2], const double b[2])
{
    double sine = fabs(a[0] * b[1] - a[1] * b[0]);
    double cosine = dot(a, b);
    return sine < 1e-6 * cosine ? sine / cosine : atan2(sine, cosine);
}

/// How much further than half an edge a direction lies away from b, of this length.
static double angle_beyond(const TactCertifyPyramid *pyramid, const double direction[2],
                           const double b[2], double length)
{
    double along = dot(direction, b);
    double limit = pyramid->cosine * length;
    return along >= limit ? 0 : angle_between(direction, b) - PI / pyramid->count;
}

double tact_certify_slip_angle(const TactCertifyCone *cone, const TactCertifyEdge *edge,
                               const double p[2], const double u[2])
{
    double against[2] = {-u[0], -u[1]};
    if (!cone->pyramid) {
        return angle_between(p, against);
    }
    // Directions that carry friction must be among those that oppose the slip most: the slip lies
    // within pi / d of each.
    double speed = sqrt(dot(u, u));
    double angle = angle_beyond(cone->pyramid, edge->near, against, speed);
    double cos2 = 2 * cone->pyramid->cosine * cone->pyramid->cosine - 1;
    double share = edge->along_next - cos2 * edge->along_near; // beta_k sin^2(2 pi / d)
    double whole = (1 - cos2) * (edge->along_near + edge->along_next);
    if (share > SMALL_SHARE * whole) {
        double other = angle_beyond(cone->pyramid, edge->next, against, speed);
        angle = other > angle ? other : angle;
    }
    return angle > 0 ? angle : 0;
}
