// The law: directions of pyramids, residuals of four contacts, and the angle between friction and
// slip.
#include "contact/law_lanes.h"

#include <math.h>

#include "base/clones.h"
#include "contact/certificate/certify.h"
#include "contact/problem/problem.h"

static const double PI = 3.14159265358979323846;

// A direction that carries less than this part of the friction is rounding.
static const double SMALL_SHARE = 1e-9;

// A contact slides, and is loaded, where slip and friction are above this part of its scale.
static const double SLIDES_FROM = 1e-6;

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
    for (int j = 0; j < count / 2; j++) {
        double angle = turn + 2 * PI * j / count;
        pyramid->direction[j][0] = cos(angle);
        pyramid->direction[j][1] = sin(angle);
    }
}

TactCertifyCone tact_certify_cone(TactCertifier *certifier, TactContactCone kind,
                                  const TactContact *contact)
{
    TactCertifyCone cone = {.mu = contact->mu, .stretch = 1};
    if (kind == TACT_CONE_CIRCLE || contact->mu == 0) {
        return cone;
    }
    cone.pyramid = &certifier->pyramid;
    if (kind == TACT_CONE_BOX) {
        cone.stretch = sqrt(2);
        cone.mu *= cone.stretch;
        set_directions(&certifier->pyramid, 4, PI / 4);
    } else {
        int count = contact->directions > 0 ? contact->directions : TACT_CERTIFY_DIRECTIONS;
        set_directions(&certifier->pyramid, count, contact->turn);
    }
    return cone;
}

// ---------------------------------------------------------------------------------------------
// Slip

// atan(x) = x (1 - x^2 / 3 ...): below this they are the same to twelve digits.
static const double SMALL_ANGLE = 1e-6;

/// atan is its argument for small ones, and most are.
static double angle_between(const double a[2], const double b[2])
{
    double sine = fabs(a[0] * b[1] - a[1] * b[0]);
    double cosine = a[0] * b[0] + a[1] * b[1];
    return sine < SMALL_ANGLE * cosine ? sine / cosine : atan2(sine, cosine);
}

/// Directions of a pyramid that carry friction must be among those that oppose the slip most: the
/// slip lies within pi / d of each. How much further away it is from d_j and, where that carries
/// friction, from d_k (4).
static double angle_beyond(const TactCertifyPyramid *pyramid, const TactLawEdge *edge, int lane,
                           const double against[2], bool both)
{
    double most = 0;
    for (int k = 0; k < (both ? 2 : 1); k++) {
        const TactLanes *of = k == 0 ? edge->near : edge->next;
        double           direction[2] = {of[0][lane], of[1][lane]};
        double           angle = angle_between(direction, against) - PI / pyramid->count;
        most = angle > most ? angle : most;
    }
    return most;
}

/// Angles by which friction misses opposing the slip, of the lanes of slides (4).
TACT_WIDE void find_angles(const TactCertifyCones *cones, const TactLawEdge *edge,
                           const TactLanes p[3], const TactLanes u[3], const TactLanes *speed,
                           const TactMask *slides, double angle[4])
{
    const TactCertifyPyramid *pyramid = cones->pyramid;
    TactMask                  off = *slides, both = off;
    if (pyramid) {
        TactLanes along_near, along_next, limit = pyramid->cosine * *speed;
        TactLanes against[2] = {-u[1], -u[2]};
        tact_law_dot(edge->near, against, &along_near);
        tact_law_dot(edge->next, against, &along_next);
        double    cosine = 2 * pyramid->cosine * pyramid->cosine - 1;
        TactLanes share = edge->along_next - cosine * edge->along_near; // beta_k sin^2(2 pi / d)
        TactLanes whole = (1 - cosine) * (edge->along_near + edge->along_next);
        both = share > SMALL_SHARE * whole;
        TactMask none = (p[1] == 0) & (p[2] == 0);
        off &= none | ~(along_near >= limit) | (both & ~(along_next >= limit));
    }
    for (int k = 0; k < 4; k++) {
        double own[2] = {p[1][k], p[2][k]}, against[2] = {-u[1][k], -u[2][k]};
        angle[k] = !off[k]                      ? 0
                   : own[0] == 0 && own[1] == 0 ? PI / 2 // nothing opposes the slip
                   : pyramid ? angle_beyond(pyramid, edge, k, against, both[k] != 0)
                             : angle_between(own, against);
    }
}

/// (10): friction of a contact that slides already is -mu p_n along its velocity.
TACT_CALLED_BY_CLONES static void judge_dynamic(TactCertifyFour *four, int k)
{
    const double *s = four->direction[k];
    double        w = four->w[k], friction = four->friction[k] * four->p[0][k];
    double        p[2] = {four->p[1][k], four->p[2][k]}, against[2] = {-s[0], -s[1]};
    double        miss[3] = {
               fmin(four->p[0][k], four->u[0][k] / w),
               p[0] + friction * s[0],
               p[1] + friction * s[1],
    };
    four->residual[k] = w * sqrt(miss[0] * miss[0] + miss[1] * miss[1] + miss[2] * miss[2]);
    four->angle[k] = !(w * friction > SLIDES_FROM * four->scale[k]) ? 0
                     : p[0] == 0 && p[1] == 0                       ? PI / 2
                                                                    : angle_between(p, against);
}

// ---------------------------------------------------------------------------------------------

TACT_CLONES void tact_certify_law(TactCertifyFour *four)
{
    const TactLanes  p[3] = {TACT_LANES_AT(four->p[0]), TACT_LANES_AT(four->p[1]),
                             TACT_LANES_AT(four->p[2])};
    const TactLanes  u[3] = {TACT_LANES_AT(four->u[0]), TACT_LANES_AT(four->u[1]),
                             TACT_LANES_AT(four->u[2])};
    TactCertifyCones cones = {TACT_LANES_AT(four->mu), four->stretch, four->pyramid};
    TactLanes        w = TACT_LANES_AT(four->w), size, speed, excess, residual, lift, gap;
    TactLawEdge      edge = {{p[0], p[0]}, {p[0], p[0]}, p[0], p[0]};
    tact_law_norm(p, &size);
    tact_law_length(u + 1, &speed);
    TactLanes push = w * size, scale = TACT_LANES_AT(four->own) + TACT_LANES_AT(four->scale);
    tact_law_support(&cones, u + 1, &lift);
    if (cones.pyramid) {
        tact_law_edge(cones.pyramid, p + 1, &edge);
    }
    tact_law_excess(&cones, &edge, p, &excess);
    tact_law_miss(&cones, p, u, &w, &push, &lift, &residual);
    tact_law_work(p, u, &gap);
    TactLanes friction = w * TACT_LANES_AT(four->friction) * p[0];
    TactMask  slides = (speed > SLIDES_FROM * scale) & (friction > SLIDES_FROM * scale);
    find_angles(&cones, &edge, p, u, &speed, &slides, four->angle);
    TACT_LANES_PUT(four->scale) = scale;
    TACT_LANES_PUT(four->excess) = excess;
    TACT_LANES_PUT(four->residual) = residual;
    TACT_LANES_PUT(four->gap) = gap;
    for (int k = 0; k < four->count; k++) {
        if (four->dynamic[k]) {
            judge_dynamic(four, k);
        }
    }
}
