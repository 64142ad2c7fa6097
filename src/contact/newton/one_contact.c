#include "contact/newton/one_contact.h"

#include <math.h>
#include <stdbool.h>

#include "linalg/rank.h"

// Steps of Newton's method on the angle of slip: one below the first is the last, as the error
// after it is of the order of its square; one below the second changes nothing any more.
static const double LAST_ANGLE = 1e-8, EXACT_ANGLE = 1e-15;
// Below this one an inverse by cofactors is worth a step of refinement.
static const double WEAK = 1e-6;
// What may be left of W p + b at a stick that is not unique, relative to |b|.
static const double CONSISTENT = 1e-12;
// A sum this much smaller than its terms is 0.
static const double ROUNDING = 1e-13;

static double dot3(const double x[3], const double y[3])
{
    return x[0] * y[0] + x[1] * y[1] + x[2] * y[2];
}

/// y = A x
static void times(const double A[9], const double x[3], double y[3])
{
    for (int i = 0; i < 3; i++) {
        y[i] = dot3(A + 3 * i, x);
    }
}

static void cross_product(const double x[3], const double y[3], double z[3])
{
    z[0] = x[1] * y[2] - x[2] * y[1];
    z[1] = x[2] * y[0] - x[0] * y[2];
    z[2] = x[0] * y[1] - x[1] * y[0];
}

// ---------------------------------------------------------------------------------------------
// Prepare

/// Inverse by cofactors; returns the determinant.
static double invert_block(const double A[9], double inverse[9])
{
    double c[3][3]; // column j of the inverse times the determinant
    cross_product(A + 3, A + 6, c[0]);
    cross_product(A + 6, A, c[1]);
    cross_product(A, A + 3, c[2]);
    double determinant = dot3(A, c[0]);
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) {
            inverse[3 * i + j] = c[j][i] / determinant;
        }
    }
    return determinant;
}

/// One step of refinement of an inverse X: X + X (I - W X)
static void refine_block(const double W[9], double X[9])
{
    double better[9];
    for (int j = 0; j < 3; j++) {
        double r[3], dx[3];
        for (int i = 0; i < 3; i++) {
            const double *row = W + 3 * i;
            r[i] = fma(-row[2], X[6 + j], fma(-row[1], X[3 + j], fma(-row[0], X[j], i == j)));
        }
        times(X, r, dx);
        for (int i = 0; i < 3; i++) {
            better[3 * i + j] = X[3 * i + j] + dx[i];
        }
    }
    for (int k = 0; k < 9; k++) {
        X[k] = better[k];
    }
}

static void normalise(double x[3])
{
    double length = sqrt(dot3(x, x));
    for (int i = 0; i < 3; i++) {
        x[i] /= length;
    }
}

/// Rank, axis and the inverse of W + k N for a W that is singular; N projects on its null space.
static void prepare_singular(TactOneContact *one)
{
    double row[3] = {0}, null[3] = {0}; // the longest row, the longest product of two rows
    for (int i = 0; i < 3; i++) {
        const double *w = one->W + 3 * i;
        double        normal[3];
        cross_product(w, one->W + 3 * ((i + 1) % 3), normal);
        bool longer_row = dot3(w, w) > dot3(row, row);
        bool longer_normal = dot3(normal, normal) > dot3(null, null);
        for (int k = 0; k < 3; k++) {
            row[k] = longer_row ? w[k] : row[k];
            null[k] = longer_normal ? normal[k] : null[k];
        }
    }
    double length2 = dot3(row, row);
    one->rank = 0;
    if (!(length2 > 0)) {
        return;
    }
    one->rank =
        dot3(null, null) > TACT_SINGULAR_BLOCK * TACT_SINGULAR_BLOCK * length2 * length2 ? 2 : 1;
    for (int i = 0; i < 3; i++) {
        one->axis[i] = one->rank == 2 ? null[i] : row[i];
    }
    normalise(one->axis);
    double A[9];
    double k = one->W[0] + one->W[4] + one->W[8];
    for (int i = 0; i < 9; i++) {
        double along = one->axis[i / 3] * one->axis[i % 3];
        double unit = i % 4 == 0;
        A[i] = one->W[i] + k * (one->rank == 2 ? along : unit - along);
    }
    invert_block(A, one->inverse);
    refine_block(A, one->inverse);
}

void tact_one_contact_prepare(TactOneContact *one, const double *W, double mu)
{
    *one = (TactOneContact){.mu = mu, .rank = 3};
    for (int k = 0; k < 9; k++) {
        one->W[k] = W[k];
    }
    double determinant = invert_block(W, one->inverse);
    double share = determinant / (W[0] * W[4] * W[8]);
    if (!(share > TACT_SINGULAR_BLOCK)) {
        prepare_singular(one);
    } else if (share < WEAK) {
        refine_block(W, one->inverse);
    }
}

// ---------------------------------------------------------------------------------------------
// Stick

static bool in_cone(const double p[3], double mu)
{
    double most = mu * p[0];
    return p[0] >= 0 && p[1] * p[1] + p[2] * p[2] <= most * most;
}

/// The point of the line p + t z in the cone with the least |t|. False if the line misses it.
static bool enter_cone(double p[3], const double z[3], double mu)
{
    // |p_t + t z_t|^2 - mu^2 (p_n + t z_n)^2 = A t^2 + 2 B t + C <= 0
    double A = z[1] * z[1] + z[2] * z[2] - mu * mu * z[0] * z[0];
    double B = p[1] * z[1] + p[2] * z[2] - mu * mu * p[0] * z[0];
    double C = p[1] * p[1] + p[2] * p[2] - mu * mu * p[0] * p[0];
    double root = B * B - A * C;
    if (!(root >= 0)) {
        return false;
    }
    double far = -(B + copysign(sqrt(root), B));
    double candidate[2] = {far / A, C / far};
    double best = HUGE_VAL;
    for (int i = 0; i < 2; i++) {
        double t = candidate[i];
        if (isfinite(t) && fabs(t) < fabs(best) && p[0] + t * z[0] >= 0) {
            best = t;
        }
    }
    if (!isfinite(best)) {
        return false;
    }
    for (int i = 0; i < 3; i++) {
        p[i] += best * z[i];
    }
    return true;
}

/// Rank 1: all impulses with the same part along the axis do the same. The one of least norm in
/// the cone lies along the projection of +-axis onto the cone.
static bool project_axis(const TactOneContact *one, double p[3])
{
    double mu = one->mu;
    double part = dot3(one->axis, p);
    double sign = part < 0 ? -1 : 1;
    double n = sign * one->axis[0];
    double t1 = sign * one->axis[1];
    double t2 = sign * one->axis[2];
    double t = sqrt(t1 * t1 + t2 * t2);
    double height = (n + mu * t) / (1 + mu * mu); // t > mu n here: the axis is outside the cone
    if (!(height > 0)) {
        return false;
    }
    double d[3] = {height, mu * height * t1 / t, mu * height * t2 / t};
    double length = part / dot3(one->axis, d);
    for (int i = 0; i < 3; i++) {
        p[i] = length * d[i];
    }
    return true;
}

/// W p = -b with a singular W: the p of least norm.
static bool hold_singular(const TactOneContact *one, const double b[3], double p[3])
{
    double u[3] = {b[0], b[1], b[2]}; // W p + b
    p[0] = p[1] = p[2] = 0;
    for (int step = 0; step < 2; step++) { // the second one refines
        double x[3];
        times(one->inverse, u, x);
        double part = dot3(one->axis, x);
        for (int i = 0; i < 3; i++) {
            p[i] += one->rank == 2 ? part * one->axis[i] - x[i] : -part * one->axis[i];
        }
        times(one->W, p, u);
        for (int i = 0; i < 3; i++) {
            u[i] += b[i];
        }
    }
    return dot3(u, u) <= CONSISTENT * CONSISTENT * dot3(b, b);
}

bool tact_one_contact_hold(const TactOneContact *one, const double b[3], double p[3])
{
    if (one->rank < 3) {
        return hold_singular(one, b, p);
    }
    for (int i = 0; i < 3; i++) {
        p[i] = -dot3(one->inverse + 3 * i, b);
    }
    return true;
}

/// The holding impulse of least norm, where it is not unique moved along the null space into the
/// cone.
static bool stick(const TactOneContact *one, const double b[3], double p[3])
{
    if (!tact_one_contact_hold(one, b, p)) {
        return false;
    }
    if (one->rank == 3 || in_cone(p, one->mu)) {
        return in_cone(p, one->mu);
    }
    return one->rank == 2 ? enter_cone(p, one->axis, one->mu) : project_axis(one, p);
}

// ---------------------------------------------------------------------------------------------
// Slide: u_t = sigma s with a unit vector s, p_t = -mu p_n s, u_n = 0:
//
//     p_n D = -b_n,              D = W_nn - mu W_nt s                                        (1)
//     D sigma s = a + B s,       a = W_nn b_t - b_n W_tn,   B = mu (b_n W_tt - b_t W_nt)     (2)
//
// Across s, (2) is an equation in the angle of s alone, a trigonometric polynomial of degree 2 with
// at most four zeros:
//
//     g(s) = s' . (a + B s) = 0    (s' = s turned by 90 degrees)                             (3)
//
// and a zero is a solution if kappa = s . (a + B s) >= 0 and D > 0.

typedef struct Slide {
    double a[2];
    double B[2][2];
    double D_n, D_t[2]; // D = D_n - D_t . s
    double D_least;     // below it D is rounding, and p_n beyond all bounds
    double scale;       // of g
} Slide;

typedef struct Slip {
    double s[2];
    double g, slope; // g and its derivative by the angle
    double kappa;
    double D;
} Slip;

static void set_up_slide(const TactOneContact *one, const double b[3], Slide *slide)
{
    const double *W = one->W;
    double        mu = one->mu;
    slide->D_n = W[0];
    slide->D_least = ROUNDING * (W[0] + mu * (fabs(W[1]) + fabs(W[2])));
    slide->scale = 0;
    for (int i = 0; i < 2; i++) {
        slide->D_t[i] = mu * W[1 + i];
        slide->a[i] = W[0] * b[1 + i] - b[0] * W[3 * (1 + i)];
        slide->scale += fabs(slide->a[i]);
        for (int j = 0; j < 2; j++) {
            slide->B[i][j] = mu * (b[0] * W[3 * (1 + i) + 1 + j] - b[1 + i] * W[1 + j]);
            slide->scale += fabs(slide->B[i][j]);
        }
    }
}

static Slip slip_at(const Slide *slide, double s0, double s1)
{
    const double *a = slide->a;
    double        B00 = slide->B[0][0], B01 = slide->B[0][1];
    double        B10 = slide->B[1][0], B11 = slide->B[1][1];
    double        f0 = a[0] + B00 * s0 + B01 * s1;
    double        f1 = a[1] + B10 * s0 + B11 * s1;
    double        across = s1 * (B00 * s1 - B01 * s0) - s0 * (B10 * s1 - B11 * s0);
    Slip          slip = {.s = {s0, s1},
                          .g = s0 * f1 - s1 * f0,
                          .kappa = s0 * f0 + s1 * f1,
                          .D = slide->D_n - slide->D_t[0] * s0 - slide->D_t[1] * s1};
    slip.slope = across - slip.kappa;
    return slip;
}

/// s turned by atan(t)
static Slip turn_slip(const Slide *slide, const Slip *slip, double t)
{
    double s0 = slip->s[0] - t * slip->s[1];
    double s1 = slip->s[1] + t * slip->s[0];
    double length = sqrt(s0 * s0 + s1 * s1);
    return slip_at(slide, s0 / length, s1 / length);
}

static bool slips(const Slide *slide, const Slip *slip)
{
    return slip->kappa >= 0 && slip->D > slide->D_least;
}

/// Newton from the direction (s0, s1). B is negative definite unless mu W_tn is large, and then
/// the slope is negative wherever kappa >= 0. Anything else is left to the search.
static bool slide_newton(const Slide *slide, double s0, double s1, Slip *slip)
{
    enum { STEPS = 8 };
    double length = sqrt(s0 * s0 + s1 * s1);
    if (!(length > 0)) {
        return false;
    }
    *slip = slip_at(slide, s0 / length, s1 / length);
    for (int step = 0; step < STEPS; step++) {
        if (!(slip->slope < 0)) {
            return false;
        }
        double t = -slip->g / slip->slope;
        *slip = turn_slip(slide, slip, t);
        if (fabs(t) < LAST_ANGLE) {
            return slips(slide, slip);
        }
    }
    return false;
}

// ---------------------------------------------------------------------------------------------
// Search: all zeros of g, for the cases that Newton does not settle.

enum { SAMPLES = 32, HALVINGS = 50 };

static Slip between(const Slide *slide, const Slip *low, const Slip *high)
{
    double s0 = low->s[0] + high->s[0];
    double s1 = low->s[1] + high->s[1];
    double length = sqrt(s0 * s0 + s1 * s1);
    return slip_at(slide, s0 / length, s1 / length);
}

/// Zero of g between two directions where its sign differs, a few degrees apart: Newton, and
/// halving where Newton leaves the bracket.
static Slip close_in(const Slide *slide, Slip low, Slip high)
{
    Slip slip = between(slide, &low, &high);
    for (int k = 0; k < HALVINGS; k++) {
        if ((slip.g < 0) == (low.g < 0)) {
            low = slip;
        } else {
            high = slip;
        }
        double t = -slip.g / slip.slope;
        if (fabs(t) < EXACT_ANGLE) {
            break;
        }
        // Both ends lie ahead or behind by their sine.
        double to_low = slip.s[0] * low.s[1] - slip.s[1] * low.s[0];
        double to_high = slip.s[0] * high.s[1] - slip.s[1] * high.s[0];
        bool   inside = t > to_low && t < to_high;
        slip = inside ? turn_slip(slide, &slip, t) : between(slide, &low, &high);
    }
    return slip;
}

/// Where |g| is least between two directions on whose slopes it descends from both sides.
static Slip descend(const Slide *slide, Slip low, Slip high)
{
    Slip middle = low;
    for (int k = 0; k < HALVINGS; k++) {
        middle = between(slide, &low, &high);
        if ((middle.g < 0) != (low.g < 0)) {
            break; // crossed: two zeros
        }
        if ((middle.slope < 0) == (low.slope < 0)) {
            low = middle;
        } else {
            high = middle;
        }
    }
    return middle;
}

/// Keeps the slip of least p_n, that is of largest D; before one that does not slip, the other.
static void keep_better(const Slide *slide, Slip slip, Slip *best)
{
    double rounding = ROUNDING * slide->scale;
    if (!(slip.D > slide->D_least) || !(slip.kappa >= -rounding) || !(fabs(slip.g) <= rounding)) {
        return;
    }
    bool better =
        slips(slide, &slip) != slips(slide, best) ? slips(slide, &slip) : slip.D > best->D;
    if (!(best->D > 0) || better) {
        *best = slip;
    }
}

static bool slide_search(const Slide *slide, Slip *best)
{
    const double tangent = 0.19891236737965800; // of 2 pi / SAMPLES
    const Slip   first = slip_at(slide, 1, 0);
    Slip         last = first;
    *best = (Slip){0};
    for (int k = 1; k <= SAMPLES; k++) {
        Slip next = k < SAMPLES ? turn_slip(slide, &last, tangent) : first;
        if ((last.g < 0) != (next.g < 0)) {
            keep_better(slide, close_in(slide, last, next), best);
        } else if ((last.slope < 0) != (next.slope < 0) && (last.slope < 0) != (last.g < 0)) {
            Slip least = descend(slide, last, next);
            if ((least.g < 0) != (last.g < 0)) {
                keep_better(slide, close_in(slide, last, least), best);
                keep_better(slide, close_in(slide, least, next), best);
            } else {
                keep_better(slide, least, best);
            }
        }
        last = next;
    }
    return best->D > 0;
}

// ---------------------------------------------------------------------------------------------
// Solve

TactOneContactState tact_one_contact_solve(const TactOneContact *one, const double b[3],
                                           double p[3])
{
    if (b[0] >= 0) {
        p[0] = p[1] = p[2] = 0;
        return TACT_ONE_CONTACT_OPEN;
    }
    if (!(one->W[0] > 0)) {
        return TACT_ONE_CONTACT_NONE;
    }
    if (one->mu == 0) {
        p[0] = -b[0] / one->W[0];
        p[1] = p[2] = 0;
        return TACT_ONE_CONTACT_SLIDE;
    }
    double held[3];
    if (stick(one, b, held)) {
        for (int i = 0; i < 3; i++) {
            p[i] = held[i];
        }
        return TACT_ONE_CONTACT_STICK;
    }
    Slide slide;
    Slip  slip;
    set_up_slide(one, b, &slide);
    // From the guess, against the force that would make it stick, then without friction.
    if (!slide_newton(&slide, -p[1], -p[2], &slip) &&
        !(held[0] > 0 && slide_newton(&slide, -held[1], -held[2], &slip)) &&
        !slide_newton(&slide, slide.a[0], slide.a[1], &slip) && !slide_search(&slide, &slip)) {
        return TACT_ONE_CONTACT_NONE;
    }
    p[0] = -b[0] / slip.D;
    p[1] = -one->mu * p[0] * slip.s[0];
    p[2] = -one->mu * p[0] * slip.s[1];
    return TACT_ONE_CONTACT_SLIDE;
}

double tact_one_contact_unilateral(double W, double b)
{
    return b < 0 && W > 0 ? -b / W : 0;
}

double tact_one_contact_motor(double W, double b, double bound)
{
    if (!(W > 0)) {
        return 0;
    }
    double p = -b / W;
    return p > bound ? bound : p < -bound ? -bound : p;
}
