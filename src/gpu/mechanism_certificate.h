// The certificate of a mechanism, recomputed from the raw problem: what tact_contact_certify() says
// of a problem given by M and J, as scalar code for C and C++ (CUDA). The law is that of
// contact/law_lanes.h; equations are those of docs/theory/contact-certificate.md. Long sums of
// products are taken in double-double, as there.
#ifndef TACT_GPU_MECHANISM_CERTIFICATE_H
#define TACT_GPU_MECHANISM_CERTIFICATE_H

#include "gpu/body_certificate.h"
#include "gpu/mechanism.h"

#define TACT_MECHANISM_WHOLE 1e-5 // TACT_CERTIFY_WHOLE

/// Sum of products in double-double.
typedef struct TactLongSum {
    double sum, rest;
} TactLongSum;

TACT_HD void tact_long_add(TactLongSum *to, double a, double b)
{
    double product = a * b;
    to->rest += fma(a, b, -product);
    tact_body_add(&to->sum, &to->rest, product);
}

/// What the degrees of freedom feel and how they move.
typedef struct TactMechanismFelt {
    double         impulse[TACT_MECHANISM_MAX_DOF], rest[TACT_MECHANISM_MAX_DOF]; // h f + J' p
    double         load[TACT_MECHANISM_MAX_DOF];    // h |f| + |J'| |p|
    double         after[TACT_MECHANISM_MAX_DOF];   // v+
    double         gain[TACT_MECHANISM_MAX_DOF];    // v+ - v
    double         inverse[TACT_MECHANISM_MAX_DOF]; // 1 / M_kk
    double         others[TACT_MECHANISM_MAX_DOF];  // share in the scale of a row (8)
    double         motion[TACT_MECHANISM_MAX_DOF];  // share in (13)
    double         whole, error, unfinite;
    TactBodyEnergy energy;
} TactMechanismFelt;

TACT_HD double tact_mechanism_larger(double a, double b)
{
    return a > b ? a : b;
}

/// Loads the motion, and sums up impulses.
TACT_HD void tact_mechanism_feel(const TactMechanismProblems *all, const TactBodyAnswers *answers,
                                 int i, TactMechanismFelt *felt)
{
    size_t stride = (size_t)all->stride, at = (size_t)i;
    int    points = tact_mechanism_points(all, i);
    felt->whole = felt->error = felt->unfinite = 0;
    for (int k = 0; k < all->dof; k++) {
        double before = all->velocity[(size_t)k * stride + at];
        double after = answers->velocity[(size_t)k * stride + at];
        double root = sqrt(all->M[(size_t)(tact_triangle(k) + k) * stride + at]);
        felt->impulse[k] = all->step * all->force[(size_t)k * stride + at];
        felt->rest[k] = 0;
        felt->load[k] = fabs(felt->impulse[k]);
        felt->after[k] = after;
        felt->gain[k] = after - before;
        felt->motion[k] = felt->load[k];
        felt->unfinite += 0 * after;
        double speed = fabs(after) + fabs(before);
        felt->whole = tact_mechanism_larger(
            felt->whole, tact_mechanism_larger(root * speed, felt->load[k] / root));
    }
    for (int r = 0; r < 3 * points; r++) {
        double p = answers->impulse[(size_t)r * stride + at];
        felt->unfinite += 0 * p;
        for (int k = 0; k < all->dof && p != 0; k++) {
            double part = all->J[(size_t)(r * all->dof + k) * stride + at] * p;
            tact_body_add(&felt->impulse[k], &felt->rest[k], part);
            felt->load[k] += fabs(part);
        }
    }
}

/// (5), (6) and the energy (14), (15) of one degree of freedom.
TACT_HD void tact_mechanism_judge_dof(const TactMechanismProblems *all, int i, int k,
                                      TactMechanismFelt *felt)
{
    size_t      stride = (size_t)all->stride, at = (size_t)i;
    TactLongSum sum = {-felt->impulse[k], 0};
    double      momentum = 0, sizes = 0;
    for (int j = 0; j < all->dof; j++) {
        int    entry = j <= k ? tact_triangle(k) + j : tact_triangle(j) + k;
        double M = all->M[(size_t)entry * stride + at];
        tact_long_add(&sum, M, felt->gain[j]);
        momentum += M * felt->after[j];
        sizes += fabs(M) * (fabs(felt->after[j]) + fabs(felt->after[j] - felt->gain[j]));
    }
    double residual = sum.sum + sum.rest, after = felt->after[k], before = after - felt->gain[k];
    double applied = all->step * all->force[(size_t)k * stride + at];
    double own = all->M[(size_t)(tact_triangle(k) + k) * stride + at];
    double gained = residual + felt->impulse[k];
    felt->energy.created += (residual + (felt->impulse[k] - applied)) * after;
    felt->energy.all += 0.5 * (fabs(after * momentum) + fabs(before * (momentum - gained)) +
                               applied * applied / own);
    residual = fabs(residual - felt->rest[k]);
    double scale = TACT_BODY_OTHERS * felt->load[k] +
                   TACT_MECHANISM_WHOLE * sqrt(own) * felt->whole + TACT_BODY_MOTION * sizes;
    double error = residual == 0 ? 0 : residual / scale;
    felt->error = !(error <= felt->error) ? error : felt->error;
    felt->inverse[k] = 1 / own;
    felt->others[k] = TACT_BODY_OTHERS * felt->load[k] * felt->inverse[k] +
                      TACT_BODY_MOTION * (fabs(after) + fabs(before));
    felt->motion[k] = fabs(applied) * felt->inverse[k] + fabs(before);
}

/// A contact: its velocity, weight (7), scale (8) and motion (13).
typedef struct TactMechanismTouch {
    double u[3], p[3];
    double weight, scale, own, motion, floor;
    double mu, bias;
    int    loaded;
} TactMechanismTouch;

TACT_HD void tact_mechanism_touch(const TactMechanismProblems *all, const TactBodyAnswers *answers,
                                  const TactMechanismFelt *felt, int i, int contact,
                                  TactMechanismTouch *out)
{
    size_t stride = (size_t)all->stride, at = (size_t)i;
    double largest = 0, own = 0;
    out->mu = all->mu[(size_t)contact * stride + at];
    out->bias = all->bias ? all->bias[(size_t)contact * stride + at] : 0;
    out->weight = out->scale = out->motion = out->floor = 0;
    out->loaded = 0;
    for (int r = 0; r < 3; r++) {
        TactLongSum   sum = {0, 0};
        double        weight = 0, others = 0, motion = 0;
        const double *J = all->J + (size_t)((3 * contact + r) * all->dof) * stride + at;
        for (int k = 0; k < all->dof; k++) {
            double entry = J[(size_t)k * stride];
            tact_long_add(&sum, entry, felt->after[k]);
            weight += entry * entry * felt->inverse[k];
            others += fabs(entry) * felt->others[k];
            motion += fabs(entry) * felt->motion[k];
        }
        out->p[r] = answers->impulse[(size_t)(3 * contact + r) * stride + at];
        out->loaded |= out->p[r] != 0;
        out->u[r] = sum.sum + sum.rest;
        out->weight += weight / 3;
        largest = tact_mechanism_larger(largest, weight);
        own += sqrt(weight) * fabs(out->p[r]);
        out->scale = tact_mechanism_larger(out->scale, others);
        out->motion = tact_mechanism_larger(out->motion, motion);
        out->floor =
            tact_mechanism_larger(out->floor, TACT_MECHANISM_WHOLE * sqrt(weight) * felt->whole);
    }
    out->u[0] += out->bias;
    out->scale += TACT_BODY_OTHERS * fabs(out->bias);
    out->motion += fabs(out->bias);
    out->own = sqrt(largest) * own;
    out->weight = out->weight != 0 ? out->weight : 1;
}

/// (9) of a contact; its energies are added.
TACT_HD double tact_mechanism_miss(const TactMechanismTouch *touch,
                                   const TactCertifyPyramid *pyramid, TactBodyEnergy *energy)
{
    if (!touch->loaded) {
        return touch->u[0] < 0 ? -touch->u[0] : 0;
    }
    TactCertifyCones cones;
    double           lift, gap, residual, weight = touch->weight;
    double           push = weight * tact_body_norm(touch->p), given = -touch->p[0] * touch->bias;
    cones.mu = touch->mu;
    cones.stretch = 1;
    cones.pyramid = touch->mu > 0 ? pyramid : NULL;
    tact_law_support(&cones, touch->u + 1, &lift);
    tact_law_miss(&cones, touch->p, touch->u, &weight, &push, &lift, &residual);
    tact_law_work(touch->p, touch->u, &gap);
    energy->gap = !(gap <= energy->gap) ? gap : energy->gap;
    energy->all += fabs(given);
    energy->created -= given;
    return residual;
}

/// The worst of (12) over all contacts: what they miss, and then what moves them.
TACT_HD double tact_mechanism_judge_contacts(const TactMechanismProblems *all,
                                             const TactBodyAnswers       *answers,
                                             TactMechanismFelt *felt, int i,
                                             const TactCertifyPyramid *pyramid)
{
    double             residual[TACT_MECHANISM_MAX_CONTACTS], scale[TACT_MECHANISM_MAX_CONTACTS];
    double             floor[TACT_MECHANISM_MAX_CONTACTS], motion = 0, worst = 0;
    TactMechanismTouch touch;
    int                points = tact_mechanism_points(all, i);
    for (int c = 0; c < points; c++) {
        tact_mechanism_touch(all, answers, felt, i, c, &touch);
        residual[c] = tact_mechanism_miss(&touch, pyramid, &felt->energy);
        scale[c] = touch.scale + (touch.loaded ? touch.own : 0);
        floor[c] = touch.floor;
        if (touch.loaded || residual[c] > 0) {
            motion = tact_mechanism_larger(motion, touch.motion);
        }
    }
    for (int c = 0; c < points; c++) {
        double most = TACT_BODY_AMPLIFY * motion, own = scale[c] + TACT_BODY_ROUNDING * motion;
        double error = residual[c] / ((own < most ? own : most) + floor[c]);
        error = residual[c] == 0 ? 0 : error;
        worst = !(error <= worst) ? error : worst;
    }
    return worst;
}

/// `error` of an answer; NaN or infinity anywhere makes it infinite. pyramid NULL: the circle.
TACT_HD double tact_mechanism_certify(const TactMechanismProblems *all,
                                      const TactBodyAnswers *answers, int i,
                                      const TactCertifyPyramid *pyramid)
{
    TactMechanismFelt felt;
    tact_mechanism_feel(all, answers, i, &felt);
    felt.energy.all = felt.energy.created = felt.energy.gap = 0;
    for (int k = 0; k < all->dof; k++) {
        tact_mechanism_judge_dof(all, i, k, &felt);
    }
    double error = tact_mechanism_judge_contacts(all, answers, &felt, i, pyramid);
    error = !(error <= felt.error) ? error : felt.error;
    double created = felt.energy.created > 0 ? felt.energy.created / felt.energy.all : 0;
    double gap = felt.energy.gap > 0 ? felt.energy.gap / (TACT_BODY_GAP * felt.energy.all) : 0;
    error = !(created <= error) ? created : error;
    error = !(gap <= error) ? gap : error;
    int finite = felt.unfinite == 0 && error == error && felt.energy.all * 0 == 0;
    return finite ? error : (double)INFINITY;
}

#endif
