// Newton's method, and Krawczyk's test [Krawczyk 1969; Rump 2010] of what it arrives at.
//
// With Y close to F'(x)^-1 and A the slopes over the box x + [-r, r], every x* in the box with
// F(x*) = 0 lies within
//
//     |Y F(x)| + |I - Y A| r                                                              (K)
//
// of x; and if that is less than r in every component, there is exactly one. The matrix product Y A
// is one of doubles, with a bound of its rounding: |fl(Y A) - Y A| <= g |Y| |A|, g = 2 n 2^-53.
#include <float.h>
#include <math.h>
#include <string.h>

#include "linalg/lu.h"
#include "prove/circle/circle.h"

enum { NEWTON_STEPS = 12, BOXES = 8 };
#define SHORT 1e-5 // of a step of Newton, relative

/// A sum of count terms that are not negative, in doubles, times this is not below the true sum.
static double up(int count)
{
    return 1 + 8 * (count + 4) * DBL_EPSILON;
}

/// inverse = (middle of slope)^-1. false: it has none.
static bool invert(TactCircle *circle)
{
    size_t n = (size_t)circle->chosen;
    for (size_t k = 0; k < n * n; k++) {
        circle->product[k] = tact_interval_middle(circle->slope[k]);
        if (!isfinite(circle->product[k])) {
            return false;
        }
    }
    if (tact_lu_factor((int)n, circle->product, (int)n, circle->perm, 0) >= 0) {
        return false;
    }
    tact_lu_invert((int)n, circle->product, (int)n, circle->perm, circle->inverse, (int)n);
    for (size_t k = 0; k < n * n; k++) {
        if (!isfinite(circle->inverse[k])) {
            return false;
        }
    }
    return true;
}

/// Newton's steps in doubles while they get shorter.
static TactKrawczyk iterate(TactCircle *circle, int *owner)
{
    int    n = circle->chosen;
    double last = INFINITY, *move = circle->work;
    bool   fresh = true; // a new inverse: not for steps that are short already
    for (int step = 0; step < NEWTON_STEPS; step++) {
        double length = 0;
        tact_circle_set_box(circle);
        if (!tact_circle_evaluate(circle, fresh, owner)) {
            return TACT_KRAWCZYK_SLIP;
        }
        if (fresh && !invert(circle)) {
            return TACT_KRAWCZYK_SINGULAR;
        }
        for (int i = 0; i < n; i++) {
            double sum = 0, size = fabs(circle->x[circle->unknown[i]]);
            for (int j = 0; j < n; j++) {
                sum += circle->inverse[(size_t)i * (size_t)n + (size_t)j] *
                       tact_interval_middle(circle->F[j]);
            }
            move[i] = sum;
            length = fmax(length, fabs(sum) / (size > 0 ? size : 1));
        }
        if (!(length < last) || !isfinite(length)) {
            break;
        }
        for (int i = 0; i < n; i++) {
            circle->x[circle->unknown[i]] -= move[i];
        }
        last = length / 2;
        fresh = length > SHORT;
    }
    return TACT_KRAWCZYK_PROVED;
}

/// Bound of |Y F(x)| with F over the point x.
static void bound_step(const TactCircle *circle, double *out)
{
    size_t n = (size_t)circle->chosen;
    for (size_t i = 0; i < n; i++) {
        double sum = 0, size = 0, spread = 0;
        for (size_t j = 0; j < n; j++) {
            double y = circle->inverse[i * n + j], f = tact_interval_middle(circle->F[j]);
            sum += y * f;
            size += fabs(y * f);
            spread += fabs(y) * tact_interval_radius(circle->F[j]);
        }
        double rounding = 2 * (double)(n + 2) * DBL_EPSILON * size;
        out[i] = up((int)n) * (fabs(sum) + rounding + spread) + DBL_MIN;
    }
}

/// fl(Y A), once for a middle of A.
static void multiply(TactCircle *circle)
{
    size_t n = (size_t)circle->chosen;
    memset(circle->product, 0, n * n * sizeof(double));
    for (size_t i = 0; i < n; i++) {
        double *out = circle->product + i * n;
        for (size_t k = 0; k < n; k++) {
            double              y = circle->inverse[i * n + k];
            const TactInterval *row = circle->slope + k * n;
            for (size_t j = 0; j < n && y != 0; j++) {
                out[j] += y * (0.5 * row[j].lo + 0.5 * row[j].hi);
            }
        }
    }
}

/// Bound of |I - Y A| r.  r, out, scratch: (n)
static void bound_spread(const TactCircle *circle, const double *r, double *out, double *scratch)
{
    size_t n = (size_t)circle->chosen;
    double g = 2 * (double)(n + 2) * DBL_EPSILON;
    for (size_t k = 0; k < n; k++) {
        double sum = 0;
        for (size_t j = 0; j < n; j++) {
            TactInterval a = circle->slope[k * n + j];
            sum += (g * tact_interval_size(a) + tact_interval_radius(a)) * r[j];
        }
        scratch[k] = up((int)n) * sum + DBL_MIN;
    }
    for (size_t i = 0; i < n; i++) {
        double sum = 0, rest = 0;
        for (size_t j = 0; j < n; j++) {
            double delta = (i == j ? 1.0 : 0.0) - circle->product[i * n + j];
            sum += fabs(delta) * r[j] + (i == j ? DBL_EPSILON * r[j] : 0);
            rest += fabs(circle->inverse[i * n + j]) * scratch[j];
        }
        out[i] = up((int)n) * (sum + rest) + DBL_MIN;
    }
}

/// Boxes around x, each twice what the last one was mapped into, until one is mapped into itself.
static bool enclose(TactCircle *circle, int *owner)
{
    int     n = circle->chosen;
    double *step = circle->work, *r = step + n, *spread = r + n, *scratch = spread + n;
    bound_step(circle, step);
    for (int i = 0; i < n; i++) {
        r[i] = 3 * step[i];
    }
    for (int box = 0; box < BOXES; box++) {
        bool inside = true;
        for (int i = 0; i < n; i++) {
            circle->radius[circle->unknown[i]] = r[i];
        }
        tact_circle_set_box(circle);
        if (!tact_circle_evaluate(circle, true, owner)) {
            return false;
        }
        multiply(circle);
        bound_spread(circle, r, spread, scratch);
        for (int i = 0; i < n; i++) {
            double image = step[i] + spread[i];
            inside = inside && tact_round_up(image) < r[i];
            spread[i] = tact_round_up(image);
        }
        if (inside) {
            // The solution lies in the image of the box too, which is smaller.
            for (int i = 0; i < n; i++) {
                circle->radius[circle->unknown[i]] = spread[i];
            }
            tact_circle_set_box(circle);
            return true;
        }
        for (int i = 0; i < n; i++) {
            r[i] = 2 * fmax(spread[i], r[i]);
        }
    }
    return false;
}

TactKrawczyk tact_circle_test(TactCircle *circle, int *owner)
{
    *owner = -1;
    memset(circle->radius, 0, (size_t)circle->bounds.variables * sizeof(double));
    TactKrawczyk status = iterate(circle, owner);
    if (status != TACT_KRAWCZYK_PROVED) {
        return status;
    }
    tact_circle_set_box(circle);
    if (!tact_circle_evaluate(circle, false, owner)) {
        return TACT_KRAWCZYK_SLIP;
    }
    if (!enclose(circle, owner)) {
        return *owner >= 0 ? TACT_KRAWCZYK_SLIP : TACT_KRAWCZYK_WIDE;
    }
    return TACT_KRAWCZYK_PROVED;
}
