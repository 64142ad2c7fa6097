// The certificate of a mechanism, recomputed from the raw problem by the lanes of a warp: what
// tact_contact_certify() says of a problem given by M and J. The law is that of
// contact/law_lanes.h; equations are those of docs/theory/contact-certificate.md. Long sums of
// products are taken in double-double, as there. C and C++ (CUDA).
//
// Lane k has degrees of freedom k, k + 32, then rows of J, then contacts.
#ifndef TACT_GPU_MECHANISM_CERTIFICATE_H
#define TACT_GPU_MECHANISM_CERTIFICATE_H

#include "gpu/judge.h"
#include "gpu/mechanism/mechanism.h"

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

TACT_HD double tact_mechanism_larger(double a, double b)
{
    return a > b ? a : b;
}

/// NaN is larger than all.
TACT_HD double tact_mechanism_worse(double a, double b)
{
    return !(b <= a) ? b : a;
}

TACT_LANE double tact_mechanism_worst(double x)
{
    int lane = tact_warp_lane();
    for (int k = 1; k < TACT_WARP; k *= 2) {
        x = tact_mechanism_worse(x, tact_warp_read(x, lane ^ k));
    }
    return x;
}

TACT_LANE double tact_mechanism_total(double x)
{
    int lane = tact_warp_lane();
    for (int k = 1; k < TACT_WARP; k *= 2) {
        x += tact_warp_read(x, lane ^ k);
    }
    return x;
}

#ifndef TACT_EXTRA // motors and loops of a problem
#define TACT_EXTRA 0
#endif
#if !defined(TACT_POINTS) || !defined(TACT_DOFS)
#error "TACT_POINTS: contacts. TACT_DOFS: degrees of freedom"
#endif
#ifndef TACT_ROWS
#define TACT_ROWS (3 * TACT_POINTS) // n 1 2 of every contact
#define TACT_ALL_ROUGH              // none has one row
#endif

/// Memory of a warp: the motion, and what contacts are judged by.
typedef struct TactMechanismJudge {
    double M[TACT_DOFS * (TACT_DOFS + 1) / 2];
    double after[TACT_DOFS];   // v+
    double gain[TACT_DOFS];    // v+ - v
    double speed[TACT_DOFS];   // |v+| + |v|
    double inverse[TACT_DOFS]; // 1 / M_kk
    double others[TACT_DOFS];  // share in the scale of a row (8)
    double motion[TACT_DOFS];  // share in (13)
    double p[TACT_ROWS];       // impulses
    double u[TACT_ROWS];       // velocities of rows
    double row[3][TACT_ROWS];  // weight, others, motion of rows
} TactMechanismJudge;

/// What the lanes agree on in the end; energies are shares of a lane.
typedef struct TactMechanismFound {
    double         error, whole, unfinite;
    TactBodyEnergy energy;
#if TACT_EXTRA > 0
    int rows, motors; // of contacts, and those that follow them
    int moments;      // rows after these; then loops
    int driven;       // loops ask for motion
#endif
} TactMechanismFound;

/// Loads the problem, motion and impulses; the largest motion of a degree of freedom.
TACT_LANE void tact_mechanism_feel(const TactMechanismProblems *all, const TactMechanismOne *one,
                                   const TactBodyAnswers *answers, int i, int extra,
                                   TactMechanismJudge *judge, TactMechanismFound *found)
{
    int           lane = tact_warp_lane(), points = tact_mechanism_points(all, i);
    int           rows = points + 2 * tact_mechanism_rough(all, i, points) + extra;
    int           entries = tact_triangle(all->dof);
    const double *after = answers->velocity + (size_t)i * (size_t)all->dof;
    const double *p = answers->impulse + (size_t)i * (size_t)tact_mechanism_room_rows(all);
    TACT_ROLLED for (int k = lane; k < entries; k += TACT_WARP)
    {
        tact_lane_fetch(&judge->M[k], &one->M[k]);
    }
    tact_lane_fetched();
    TACT_ROLLED for (int k = lane; k < all->dof; k += TACT_WARP)
    {
        double own = judge->M[tact_triangle(k) + k], root = sqrt(own);
        double load = fabs(all->step * one->force[k]), before = one->velocity[k];
        judge->after[k] = after[k];
        judge->gain[k] = after[k] - before;
        judge->inverse[k] = 1 / own;
        found->unfinite += 0 * after[k];
        judge->speed[k] = fabs(after[k]) + fabs(before);
        found->whole = tact_mechanism_larger(
            found->whole, tact_mechanism_larger(root * judge->speed[k], load / root));
    }
    TACT_ROLLED for (int r = lane; r < rows; r += TACT_WARP)
    {
        judge->p[r] = p[r];
        found->unfinite += 0 * p[r];
    }
    found->whole = tact_mechanism_worst(found->whole);
    tact_lane_meet();
}

/// h f + J'p of a degree of freedom, and |h f| + |J'| |p|.
TACT_LANE void tact_mechanism_sum_up(const double *J, int dof, int rows, double applied,
                                     const TactMechanismJudge *judge, int k, TactLongSum *impulse,
                                     double *load)
{
    impulse->sum = applied;
    impulse->rest = 0;
    *load = fabs(applied);
    TACT_UNROLL_EIGHT for (int r = 0; r < rows; r++)
    {
        double part = J[r * dof + k] * judge->p[r];
        tact_body_add(&impulse->sum, &impulse->rest, part);
        *load += fabs(part);
    }
}

/// (5), (6) and the energy (14), (15) of one degree of freedom.
TACT_LANE void tact_mechanism_judge_dof(const TactMechanismProblems *all, const double *J, int rows,
                                        double applied, int k, TactMechanismJudge *judge,
                                        TactMechanismFound *found)
{
    double      momentum = 0, sizes = 0, load;
    TactLongSum impulse;
    tact_mechanism_sum_up(J, all->dof, rows, applied, judge, k, &impulse, &load);
    TactLongSum sum = {-impulse.sum, 0};
    // Row k of M up to its diagonal, then column k.
    const double *row = judge->M + tact_triangle(k);
    TACT_UNROLL_FOUR for (int j = 0; j < all->dof; j++)
    {
        double M = *row;
        tact_long_add(&sum, M, judge->gain[j]);
        momentum += M * judge->after[j];
        sizes += fabs(M) * judge->speed[j];
        row += j < k ? 1 : j + 1;
    }
    double residual = sum.sum + sum.rest, after = judge->after[k], before = after - judge->gain[k];
    double inverse = judge->inverse[k];
    found->energy.created += (residual + (impulse.sum - applied)) * after;
    found->energy.all +=
        0.5 * (fabs(after * momentum) + fabs(before * (momentum - (residual + impulse.sum))) +
               applied * applied * inverse);
    residual = fabs(residual - impulse.rest);
    double scale = TACT_BODY_OTHERS * load + TACT_MECHANISM_WHOLE * found->whole / sqrt(inverse) +
                   TACT_BODY_MOTION * sizes;
    found->error = tact_mechanism_worse(found->error, residual == 0 ? 0 : residual / scale);
    judge->others[k] =
        TACT_BODY_OTHERS * load * inverse + TACT_BODY_MOTION * (fabs(after) + fabs(before));
#if TACT_EXTRA > 0
    double given = fabs(applied);
    TACT_ROLLED for (int r = found->rows; r < found->rows + found->motors; r++)
    {
        given += fabs(J[r * all->dof + k] * judge->p[r]);
    }
    judge->motion[k] = given * inverse + (found->driven ? judge->speed[k] : fabs(before));
#else
    judge->motion[k] = fabs(applied) * inverse + fabs(before);
#endif
}

/// Velocity of a row of J, its weight and its shares of scales.
TACT_LANE void tact_mechanism_judge_row(const double *J, int dof, int r, TactMechanismJudge *judge)
{
    TactLongSum sum = {0, 0};
    double      weight = 0, others = 0, motion = 0;
    TACT_UNROLL_EIGHT for (int k = 0; k < dof; k++)
    {
        double entry = J[r * dof + k];
        tact_long_add(&sum, entry, judge->after[k]);
        weight += entry * entry * judge->inverse[k];
        others += fabs(entry) * judge->others[k];
        motion += fabs(entry) * judge->motion[k];
    }
    judge->u[r] = sum.sum + sum.rest;
    judge->row[0][r] = weight;
    judge->row[1][r] = others;
    judge->row[2][r] = motion;
}

/// What a contact misses (9), and what that is held against (12).
typedef struct TactMechanismTouch {
    double residual, scale, motion, floor;
    int    counts; // loaded, or it approaches
} TactMechanismTouch;

/// Rows of a contact: one, or three; of one the tangents are 0.
typedef struct TactMechanismSpot {
    double p[3], u[3], weight[3], others[3], motion[3];
} TactMechanismSpot;

TACT_LANE TactMechanismSpot tact_mechanism_spot(const TactMechanismJudge *judge, int rough, int c)
{
    TactMechanismSpot spot;
    int               first = tact_rows_first(rough, c), width = tact_rows_width(rough, c);
    for (int k = 0; k < 3; k++) {
        int is = k < width;
        spot.p[k] = is ? judge->p[first + k] : 0;
        spot.u[k] = is ? judge->u[first + k] : 0;
        spot.weight[k] = is ? judge->row[0][first + k] : 0;
        spot.others[k] = is ? judge->row[1][first + k] : 0;
        spot.motion[k] = is ? judge->row[2][first + k] : 0;
    }
    return spot;
}

TACT_LANE TactMechanismTouch tact_mechanism_touch(double mu, double bias, TactMechanismSpot spot,
                                                  const TactCertifyPyramid *pyramid,
                                                  TactMechanismFound       *found)
{
    double             largest = 0, own = 0, weight = 0;
    const double      *p = spot.p;
    double             u[3] = {spot.u[0] + bias, spot.u[1], spot.u[2]};
    TactMechanismTouch out = {0, 0, 0, 0, 0};
    for (int k = 0; k < 3; k++) {
        double row = spot.weight[k], root = sqrt(row);
        weight += row / 3;
        largest = tact_mechanism_larger(largest, row);
        own += root * fabs(p[k]);
        out.scale = tact_mechanism_larger(out.scale, spot.others[k]);
        out.motion = tact_mechanism_larger(out.motion, spot.motion[k]);
        out.floor = tact_mechanism_larger(out.floor, TACT_MECHANISM_WHOLE * root * found->whole);
    }
    weight = weight != 0 ? weight : 1;
    out.scale += TACT_BODY_OTHERS * fabs(bias);
    out.motion += fabs(bias);
    if (p[0] == 0 && p[1] == 0 && p[2] == 0) {
        out.residual = u[0] < 0 ? -u[0] : 0;
        out.counts = out.residual > 0;
        return out;
    }
    TactCertifyCones cones;
    double           lift, gap, push = weight * tact_body_norm(p), given = -p[0] * bias;
    cones.mu = mu;
    cones.stretch = 1;
    cones.pyramid = cones.mu > 0 ? pyramid : NULL;
    tact_law_support(&cones, u + 1, &lift);
    tact_law_miss(&cones, p, u, &weight, &push, &lift, &out.residual);
    tact_law_work(p, u, &gap);
    out.scale += sqrt(largest) * own;
    out.counts = 1;
    found->energy.gap = tact_mechanism_worse(found->energy.gap, gap);
    found->energy.all += fabs(given);
    found->energy.created -= given;
    return out;
}

/// The part of its scale that a residual is; motion: what moves all.
TACT_LANE double tact_mechanism_part_missed(const TactMechanismTouch *touch, double motion)
{
    double most = TACT_BODY_AMPLIFY * motion, own = touch->scale + TACT_BODY_ROUNDING * motion;
    double miss = touch->residual / ((own < most ? own : most) + touch->floor);
    return touch->residual == 0 ? 0 : miss;
}

#if TACT_EXTRA > 0
/// What a motor or loop misses (11), as tact_mechanism_touch() says it of a contact.
TACT_LANE TactMechanismTouch tact_mechanism_touch_row(const TactMechanismMore *more, int i, int k,
                                                      const TactMechanismJudge *judge,
                                                      TactMechanismFound       *found)
{
    TactMechanismTouch out = {0, 0, 0, 0, 1};
    int                kind = k < more->motors ? 2 : 0;
    int                r = found->rows + k + (kind == 2 ? 0 : found->moments);
    size_t             at = (size_t)i;
    double             target = 0, bound = 0, p = judge->p[r], weight = judge->row[0][r];
    if (kind == 2) {
        bound = more->bound[at * (size_t)more->motors + (size_t)k];
    } else {
        target = more->target[at * (size_t)more->loops + (size_t)(k - more->motors)];
    }
    double u = judge->u[r] - target;
    weight = weight > 0 ? weight : 1;
    out.residual = tact_law_row_residual(kind, p, u, weight, bound);
    out.scale = fabs(weight * p) + judge->row[1][r] + TACT_BODY_OTHERS * fabs(target);
    out.motion = judge->row[2][r] + fabs(target);
    out.floor = TACT_MECHANISM_WHOLE * sqrt(judge->row[0][r]) * found->whole;
    if (p != 0) {
        double gap = tact_law_row_gap(kind, p, u);
        found->energy.gap = tact_mechanism_worse(found->energy.gap, gap);
        found->energy.all += fabs(p * target);
        found->energy.created -= p * target;
    }
    return out;
}

/// What a moment of a contact misses: (13) of docs/theory/spin-roll.md. Its rows are in m/s and
/// N s, from r on; load: the normal impulse.
TACT_LANE TactMechanismTouch tact_mechanism_touch_moment(int r, int dim, int directions,
                                                         double                    load,
                                                         const TactMechanismJudge *judge,
                                                         TactMechanismFound       *found)
{
    TactMechanismTouch out = {0, 0, 0, 0, 0};
    TactLawDisc        law = {dim, directions, 0, load};
    double             x[2] = {0, 0}, v[2] = {0, 0}, weight = 0, square = 0;
    for (int k = 0; k < dim; k++) {
        x[k] = judge->p[r + k];
        v[k] = judge->u[r + k];
        weight += judge->row[0][r + k] / dim;
        square += x[k] * x[k];
        out.scale = tact_mechanism_larger(out.scale, judge->row[1][r + k]);
        out.motion = tact_mechanism_larger(out.motion, judge->row[2][r + k]);
        out.floor = tact_mechanism_larger(out.floor, TACT_MECHANISM_WHOLE *
                                                         sqrt(judge->row[0][r + k]) * found->whole);
    }
    if (!(load > 0) && square == 0) {
        return out; // no force, and none allowed
    }
    weight = weight > 0 ? weight : 1;
    out.residual = tact_law_disc_residual(&law, x, v, weight);
    out.scale += weight * sqrt(square);
    out.counts = 1;
    found->energy.gap = tact_mechanism_worse(found->energy.gap, tact_law_disc_gap(&law, x, v));
    return out;
}

/// Rows of moments of the contacts before this lane's; all: of all contacts.
TACT_LANE int tact_mechanism_moment_rows(const TactMechanismMore *more, int i, int contacts,
                                         int points, unsigned char *turns, int *all)
{
    int lane = tact_warp_lane(), own = 0, before;
    *turns = 0;
    if (more->turns && lane < points) {
        *turns = more->turns[(size_t)i * (size_t)contacts + (size_t)lane];
        own = tact_turn_rows(*turns);
    }
    before = own;
    for (int k = 1; k < TACT_WARP; k *= 2) {
        int other = tact_warp_read_int(before, lane - k);
        before += lane >= k ? other : 0;
    }
    *all = tact_warp_read_int(before, TACT_WARP - 1);
    return before - own;
}

/// Motors and loops are judged among themselves: the worst of their errors.
TACT_LANE double tact_mechanism_judge_rows(const TactMechanismMore *more, int i,
                                           const TactMechanismJudge *judge,
                                           TactMechanismFound       *found)
{
    double motion = 0, error = 0;
    int    count = more->motors + more->loops;
    TACT_ROLLED for (int k = tact_warp_lane(); k < count; k += TACT_WARP)
    {
        int    loop = k >= more->motors, r = found->rows + k + (loop ? found->moments : 0);
        double target =
            loop ? more->target[(size_t)i * (size_t)more->loops + (size_t)(k - more->motors)] : 0;
        motion = tact_mechanism_worse(motion, judge->row[2][r] + fabs(target));
    }
    motion = tact_mechanism_worst(motion);
    TACT_ROLLED for (int k = tact_warp_lane(); k < count; k += TACT_WARP)
    {
        TactMechanismTouch touch = tact_mechanism_touch_row(more, i, k, judge, found);
        error = tact_mechanism_worse(error, tact_mechanism_part_missed(&touch, motion));
    }
    return error;
}
#endif

/// `error` of an answer, in all lanes; NaN or infinity anywhere makes it infinite. pyramid NULL:
/// the circle.
TACT_LANE double tact_mechanism_certify(const TactMechanismProblems *all,
                                        const TactMechanismMore     *more,
                                        const TactBodyAnswers *answers, int i,
                                        const TactCertifyPyramid *pyramid,
                                        TactMechanismJudge       *judge)
{
    int              lane = tact_warp_lane(), points = tact_mechanism_points(all, i);
    TactMechanismOne one = tact_mechanism_one(all, i);
    int              rough = tact_mechanism_rough(all, i, points), rows = points + 2 * rough;
#if TACT_EXTRA > 0
    TactMechanismFound found = {0, 0, 0, {0, 0, 0}, rows, more->motors, 0, 0};
    TactMechanismTouch moments[2] = {{0, 0, 0, 0, 0}, {0, 0, 0, 0, 0}};
    unsigned char      turns;
    int before = tact_mechanism_moment_rows(more, i, all->contacts, points, &turns, &found.moments);
#else
    TactMechanismFound found = {0, 0, 0, {0, 0, 0}};
#endif
    TactMechanismTouch touch = {0, 0, 0, 0, 0};
    int                extra = 0; // rows of motors and loops
    (void)more;
#if TACT_EXTRA > 0
    extra = more->motors + found.moments + more->loops;
    rows += extra;
    TACT_ROLLED for (int k = lane; k < more->loops; k += TACT_WARP)
    {
        found.driven |= more->target[(size_t)i * (size_t)more->loops + (size_t)k] != 0;
    }
    found.driven = tact_lane_any(found.driven);
#endif
    tact_mechanism_feel(all, &one, answers, i, extra, judge, &found);
    TACT_ROLLED for (int k = lane; k < all->dof; k += TACT_WARP)
    {
        tact_mechanism_judge_dof(all, one.J, rows, all->step * one.force[k], k, judge, &found);
    }
    tact_lane_meet();
    TACT_ROLLED for (int r = lane; r < rows; r += TACT_WARP)
    {
        tact_mechanism_judge_row(one.J, all->dof, r, judge);
    }
    tact_lane_meet();
    if (lane < points) {
        touch = tact_mechanism_touch(one.mu[lane], one.bias ? one.bias[lane] : 0,
                                     tact_mechanism_spot(judge, rough, lane), pyramid, &found);
    }
    double motion = touch.counts ? touch.motion : 0;
#if TACT_EXTRA > 0
    int first = found.rows + more->motors + before, sides = pyramid ? pyramid->count : 0;
    if (turns) {
        double load = judge->p[tact_rows_first(rough, lane)];
        if (turns & TACT_TURN_SPIN) {
            moments[0] = tact_mechanism_touch_moment(first++, 1, sides, load, judge, &found);
        }
        if (turns & TACT_TURN_ROLL) {
            moments[1] = tact_mechanism_touch_moment(first, 2, sides, load, judge, &found);
        }
        motion = tact_mechanism_worse(motion, moments[0].counts ? moments[0].motion : 0);
        motion = tact_mechanism_worse(motion, moments[1].counts ? moments[1].motion : 0);
    }
#endif
    motion = tact_mechanism_worst(motion);
    double error = tact_mechanism_worse(found.error, tact_mechanism_part_missed(&touch, motion));
#if TACT_EXTRA > 0
    for (int k = 0; k < 2; k++) {
        error = tact_mechanism_worse(error, tact_mechanism_part_missed(&moments[k], motion));
    }
    error = tact_mechanism_worse(error, tact_mechanism_judge_rows(more, i, judge, &found));
#endif
    double energy = tact_mechanism_total(found.energy.all);
    double created = tact_mechanism_total(found.energy.created);
    double gap = tact_mechanism_worst(found.energy.gap);
    error = tact_mechanism_worst(error);
    error = tact_mechanism_worse(error, created > 0 ? created / energy : 0);
    error = tact_mechanism_worse(error, gap > 0 ? gap / (TACT_BODY_GAP * energy) : 0);
    int finite = !tact_lane_any(found.unfinite != 0) && error == error && energy * 0 == 0;
    tact_lane_meet();
    return finite ? error : (double)INFINITY;
}

#endif
