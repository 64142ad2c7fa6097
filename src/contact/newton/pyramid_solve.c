// One contact on its pyramid, solved exactly: the law holds at 0, inside, on a face or on a ray of
// the pyramid, and each of these is a linear system of at most three unknowns.
#include <math.h>
#include <stdbool.h>
#include <string.h>

#include "contact/newton/pyramid.h"
#include "linalg/rank.h"

// A violation below this, relative to b, is rounding.
static const double ROUNDING = 1e-14;

typedef struct Task {
    const TactPyramid    *pyramid;
    const TactOneContact *one;
    const double         *b;
    double                size;    // |b|
    double                least;   // violation of best
    double                best[3]; // impulse
} Task;

static double dot2(const double a[2], const double b[2])
{
    return a[0] * b[0] + a[1] * b[1];
}

/// u = W p + b
static void velocity_at(const Task *task, const double p[3], double u[3])
{
    const double *W = task->one->W;
    for (int i = 0; i < 3; i++) {
        u[i] = (W[3 * i] * p[0] + W[3 * i + 1] * p[1]) + (W[3 * i + 2] * p[2] + task->b[i]);
    }
}

/// Keeps the impulse of least violation; true: it has none.
static bool keep_least(Task *task, const double p[3], double violation)
{
    if (violation < task->least) {
        task->least = violation;
        memcpy(task->best, p, 3 * sizeof(double));
    }
    return violation <= ROUNDING * task->size;
}

// ---------------------------------------------------------------------------------------------
// Stick

static bool in_pyramid(const TactPyramid *pyramid, const double p[3])
{
    TactPyramidFace face;
    return p[0] >= 0 &&
           tact_pyramid_nearest(pyramid, pyramid->mu * p[0], p + 1, &face) == TACT_PYRAMID_INSIDE;
}

/// The point of the line p + t z in the pyramid with the least |t|: each face leaves a half-line.
static bool enter_along(const TactPyramid *pyramid, const double z[3], double p[3])
{
    double low = -HUGE_VAL, high = HUGE_VAL;
    for (int j = 0; j < pyramid->count; j++) {
        const double *near = pyramid->direction[j];
        const double *next = pyramid->direction[(j + 1) % pyramid->count];
        double        middle[2] = {(near[0] + next[0]) / 2, (near[1] + next[1]) / 2};
        double        reach = pyramid->mu * pyramid->cosine * pyramid->cosine;
        double        above = dot2(middle, p + 1) - reach * p[0];
        double        rate = dot2(middle, z + 1) - reach * z[0];
        if (rate > 0) {
            high = fmin(high, -above / rate);
        } else if (rate < 0) {
            low = fmax(low, -above / rate);
        } else if (above > 0) {
            return false;
        }
    }
    if (!(low <= high)) {
        return false;
    }
    double t = fmax(low, fmin(0, high));
    for (int c = 0; c < 3; c++) {
        p[c] += t * z[c];
    }
    return p[0] >= 0;
}

/// Rank 1: along the projection of +-axis onto the pyramid, as far as the axis asks for.
static bool enter_across(const TactPyramid *pyramid, const double axis[3], double p[3])
{
    double part = axis[0] * p[0] + dot2(axis + 1, p + 1);
    double sign = part < 0 ? -1 : 1;
    double z[3] = {sign * axis[0], sign * axis[1], sign * axis[2]}, x[3];
    tact_pyramid_project(pyramid, z, x, NULL);
    double along = axis[0] * x[0] + dot2(axis + 1, x + 1);
    for (int c = 0; c < 3 && along != 0; c++) {
        p[c] = part / along * x[c];
    }
    return along != 0;
}

static bool stick(Task *task, double p[3])
{
    if (!tact_one_contact_hold(task->one, task->b, p)) {
        return false;
    }
    if (in_pyramid(task->pyramid, p)) {
        return true;
    }
    return task->one->rank == 2   ? enter_along(task->pyramid, task->one->axis, p)
           : task->one->rank == 1 ? enter_across(task->pyramid, task->one->axis, p)
                                  : false;
}

// ---------------------------------------------------------------------------------------------
// Slide

/// p_t = mu p_n d_j, u_n = 0, and no direction opposes the slip more than d_j.
static bool try_corner(Task *task, int j)
{
    const TactPyramid *pyramid = task->pyramid;
    int                d = pyramid->count;
    const double      *W = task->one->W;
    const double      *corner = pyramid->direction[j];
    double             friction[2] = {pyramid->mu * corner[0], pyramid->mu * corner[1]};
    double             D = W[0] + dot2(W + 1, friction);
    if (!(D > TACT_SINGULAR_PYRAMID * W[0])) {
        return false;
    }
    double n = -task->b[0] / D;
    double p[3] = {n, n * friction[0], n * friction[1]}, u[3];
    velocity_at(task, p, u);
    double violation = 0;
    for (int side = -1; side <= 1; side += 2) {
        const double *next = pyramid->direction[(j + d + side) % d];
        double        step[2] = {corner[0] - next[0], corner[1] - next[1]};
        violation = fmax(violation, dot2(u + 1, step) / (2 * pyramid->sine));
    }
    return keep_least(task, p, violation);
}

/// p = x_0 (1, mu cos m) + x_1 (0, e) on the edge from d_j to the next corner, u_n = 0, e u_t = 0,
/// within the edge, and the slip goes against m.
static bool try_edge(Task *task, int j)
{
    const TactPyramid *pyramid = task->pyramid;
    const double      *W = task->one->W;
    const double      *near = pyramid->direction[j];
    const double      *next = pyramid->direction[(j + 1) % pyramid->count];
    double             reach = pyramid->mu * pyramid->cosine;
    double             m[2], e[2];
    for (int c = 0; c < 2; c++) {
        m[c] = (near[c] + next[c]) / (2 * pyramid->cosine);
        e[c] = (near[c] - next[c]) / (2 * pyramid->sine);
    }
    double We[3], Wr[3]; // W (0, e), W (1, mu cos m)
    for (int i = 0; i < 3; i++) {
        We[i] = dot2(W + 3 * i + 1, e);
        Wr[i] = W[3 * i] + reach * dot2(W + 3 * i + 1, m);
    }
    double a00 = Wr[0], a01 = We[0], a10 = dot2(e, Wr + 1), a11 = dot2(e, We + 1);
    double det = a00 * a11 - a01 * a10;
    if (!(det > TACT_SINGULAR_PYRAMID * (fabs(a00 * a11) + fabs(a01 * a10)))) {
        return false;
    }
    double n = 0, s = 0, p[3], u[3] = {task->b[0], task->b[1], task->b[2]};
    for (int step = 0; step < 2; step++) { // the second one refines
        double u_e = dot2(e, u + 1);
        n += (a01 * u_e - a11 * u[0]) / det;
        s += (a10 * u[0] - a00 * u_e) / det;
        p[0] = n;
        p[1] = reach * n * m[0] + s * e[0];
        p[2] = reach * n * m[1] + s * e[1];
        velocity_at(task, p, u);
    }
    if (!(n > 0)) {
        return false;
    }
    double beyond = (fabs(s) - pyramid->mu * pyramid->sine * n) * W[0];
    return keep_least(task, p, fmax(dot2(m, u + 1), beyond));
}

/// Corners and edges one after the other, outward from the one that the guess points at.
static bool search_corners(Task *task, const double guess[2])
{
    int    d = task->pyramid->count;
    int    first = 0;
    double most = -HUGE_VAL;
    for (int j = 0; j < d; j++) {
        double part = dot2(task->pyramid->direction[j], guess);
        first = part > most ? j : first;
        most = fmax(most, part);
    }
    for (int k = 0; k <= d / 2; k++) {
        int right = (first + k) % d, left = (first + d - k) % d;
        if (try_corner(task, right) || try_edge(task, right) ||
            try_edge(task, (left + d - 1) % d) || (left != right && try_corner(task, left))) {
            return true;
        }
    }
    return task->least < HUGE_VAL;
}

TactOneContactState tact_pyramid_solve(const TactPyramid *pyramid, const TactOneContact *one,
                                       const double b[3], double p[3])
{
    if (b[0] >= 0) {
        p[0] = p[1] = p[2] = 0;
        return TACT_ONE_CONTACT_OPEN;
    }
    if (!(one->W[0] > 0)) {
        return TACT_ONE_CONTACT_NONE;
    }
    Task task = {
        .pyramid = pyramid,
        .one = one,
        .b = b,
        .size = sqrt(b[0] * b[0] + dot2(b + 1, b + 1)),
        .least = HUGE_VAL,
    };
    double held[3];
    if (stick(&task, held)) {
        memcpy(p, held, sizeof held);
        return TACT_ONE_CONTACT_STICK;
    }
    double guess[2] = {p[1], p[2]};
    if (guess[0] == 0 && guess[1] == 0) {
        guess[0] = -b[1];
        guess[1] = -b[2];
    }
    if (!search_corners(&task, guess)) {
        return TACT_ONE_CONTACT_NONE;
    }
    memcpy(p, task.best, sizeof task.best);
    return TACT_ONE_CONTACT_SLIDE;
}
