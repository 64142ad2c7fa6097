#include "bench/problems/condition.h"

#include <math.h>
#include <stddef.h>

static double dot(const double *a, const double *b, int n)
{
    double sum = 0;
    for (int i = 0; i < n; i++) {
        sum += a[i] * b[i];
    }
    return sum;
}

/// Turns two rows until they are orthogonal. Returns how far they were from it.
static double turn(double *a, double *b, int n)
{
    double aa = dot(a, a, n), bb = dot(b, b, n), ab = dot(a, b, n);
    double off = fabs(ab) / sqrt(aa * bb);
    if (!(off > 1e-15)) { // orthogonal, or one of them is 0
        return 0;
    }
    double zeta = (bb - aa) / (2 * ab), t = (zeta < 0 ? -1 : 1) / (fabs(zeta) + hypot(1, zeta));
    double c = 1 / hypot(1, t), s = c * t;
    for (int i = 0; i < n; i++) {
        double x = a[i], y = b[i];
        a[i] = c * x - s * y;
        b[i] = s * x + c * y;
    }
    return off;
}

TactFormCondition tact_form_condition(double *A, int n)
{
    enum { MOST_SWEEPS = 30 };
    double worst = 1, most = 0;
    for (int sweep = 0; sweep < MOST_SWEEPS && worst > 1e-12; sweep++) {
        worst = 0;
        for (int i = 0; i < n; i++) {
            for (int j = i + 1; j < n; j++) {
                worst = fmax(worst, turn(A + (size_t)i * (size_t)n, A + (size_t)j * (size_t)n, n));
            }
        }
    }
    for (int i = 0; i < n; i++) { // the rows are orthogonal now: their lengths are what is asked
        A[i] = sqrt(dot(A + (size_t)i * (size_t)n, A + (size_t)i * (size_t)n, n));
        most = fmax(most, A[i]);
    }
    TactFormCondition condition = {0, 1};
    for (int i = 0; i < n; i++) {
        if (A[i] > 1e-13 * most) {
            condition.rank++;
            condition.value = fmax(condition.value, most / A[i]);
        }
    }
    return condition;
}
