// Contact problems of one free body, as contact_batch.h has them, and what all kernels read of
// them. C and C++ alike.
#ifndef TACT_GPU_BODY_H
#define TACT_GPU_BODY_H

#include <math.h>
#include <stddef.h>
#include <stdint.h>
#include <tact/contact_batch.h>

#include "gpu/lanes.h"

/// Directions of friction of all contacts, from tangent 1 on.
typedef struct TactBodyDirections {
    int    count; // even, >= 4
    double cosine[TACT_BODY_MAX_DIRECTIONS];
    double sine[TACT_BODY_MAX_DIRECTIONS];
} TactBodyDirections;

/// Bases of the last step: no path where one does not hold; or a path that resumes from it, and one
/// from the beginning where it holds, that is where it was refused.
enum { TACT_WARM_GIVEN = 1, TACT_WARM_RESUME = 2 };

/// What the lanes of all groups work on.
typedef struct TactBodyTask {
    TactBodyProblems   problems;
    TactBodyAnswers    answers;
    TactBodyDirections directions;
    const int         *list;       // problems; NULL: the first ones
    const int         *list_count; // how many                                  (1)
    int                attempt;    // 0, or which other covering vector
    int                warm;       // begin with answers.basis: TACT_WARM_GIVEN, TACT_WARM_RESUME
    int                max_pivots; // of a path
    int    all_pivots; // of all paths of a problem: the circle turns, and may begin again
    double tie;        // how far a value may fall below 0 on the way
    double pivot_tol;  // rates below this part of the column do not block
} TactBodyTask;

/// Rules of an attempt. Coarser than the processor's (contact/pivot_rules.h): what is computed
/// afresh does not drift, and near-degenerate pegs and blocks that fail with ties of 1e-10 are
/// solved with 3e-9 (97.4 and 99.7 of 100, to 99.97 and 99.9; docs/theory/gpu.md).
TACT_HD void tact_body_set_rules(TactBodyTask *task, int attempt, int circle)
{
    task->attempt = attempt;
    // Paths are 16 to 30 pivots long; the longest of a batch is what the others wait for, and most
    // of all where few are tried again: a shorter limit there leaves some tens more of a million to
    // the processor, which takes less time. Of the circle 998 of 1000 answers are found in twice as
    // many; what is left of it costs more there than here.
    int least = attempt == 0 || circle ? 40 : 16;
    task->max_pivots = least + 4 * task->problems.contacts;
    task->all_pivots = 2 * task->max_pivots;
    task->tie = attempt % 2 == 0 ? 3e-9 : 1e-8;
    task->pivot_tol = attempt < 2 ? 1e-10 : 1e-11;
}

// ---------------------------------------------------------------------------------------------
// A body

/// Symmetric A, xx yy zz xy xz yz, times x.
TACT_HD void tact_body_times(const double A[6], const double x[3], double out[3])
{
    out[0] = A[0] * x[0] + A[3] * x[1] + A[4] * x[2];
    out[1] = A[3] * x[0] + A[1] * x[1] + A[5] * x[2];
    out[2] = A[4] * x[0] + A[5] * x[1] + A[2] * x[2];
}

TACT_HD void tact_body_cross(const double a[3], const double b[3], double out[3])
{
    out[0] = a[1] * b[2] - a[2] * b[1];
    out[1] = a[2] * b[0] - a[0] * b[2];
    out[2] = a[0] * b[1] - a[1] * b[0];
}

TACT_HD double tact_body_dot(const double a[3], const double b[3])
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

TACT_HD double tact_body_norm(const double a[3])
{
    return sqrt(tact_body_dot(a, a));
}

TACT_HD void tact_body_invert(const double A[6], double inverse[6])
{
    double xx = A[1] * A[2] - A[5] * A[5];
    double xy = A[4] * A[5] - A[3] * A[2];
    double xz = A[3] * A[5] - A[4] * A[1];
    double scale = 1 / (A[0] * xx + A[3] * xy + A[4] * xz);
    inverse[0] = scale * xx;
    inverse[1] = scale * (A[0] * A[2] - A[4] * A[4]);
    inverse[2] = scale * (A[0] * A[1] - A[3] * A[3]);
    inverse[3] = scale * xy;
    inverse[4] = scale * xz;
    inverse[5] = scale * (A[3] * A[4] - A[0] * A[5]);
}

/// What a problem says of its body, and its motion without contacts.
typedef struct TactBodyMotion {
    double mass;
    double inertia[6];
    double inverse[6]; // I^-1
    double centre[3];
    double before[6]; // v, omega
    double force[6];  // h times force and torque, the gyroscopic term in it
    double moment;    // h (|torque| + |omega| |I omega|)
    double free[6];   // v + h M^-1 f
} TactBodyMotion;

TACT_HD void tact_body_load(const TactBodyProblems *all, int i, TactBodyMotion *body)
{
    size_t stride = (size_t)all->stride, at = (size_t)i;
    double spin[3], gyroscopic[3], turned[3];
    body->mass = all->mass[at];
    for (int k = 0; k < 6; k++) {
        body->inertia[k] = all->inertia[(size_t)k * stride + at];
        body->before[k] = all->velocity[(size_t)k * stride + at];
        body->force[k] = all->force[(size_t)k * stride + at];
    }
    for (int k = 0; k < 3; k++) {
        body->centre[k] = all->centre[(size_t)k * stride + at];
    }
    tact_body_invert(body->inertia, body->inverse);
    tact_body_times(body->inertia, body->before + 3, spin);
    tact_body_cross(body->before + 3, spin, gyroscopic);
    body->moment = all->step * (tact_body_norm(body->force + 3) +
                                tact_body_norm(body->before + 3) * tact_body_norm(spin));
    for (int k = 0; k < 3; k++) {
        body->force[k] *= all->step;
        body->force[3 + k] = all->step * (body->force[3 + k] - gyroscopic[k]);
    }
    tact_body_times(body->inverse, body->force + 3, turned);
    for (int k = 0; k < 3; k++) {
        body->free[k] = body->before[k] + body->force[k] / body->mass;
        body->free[3 + k] = body->before[3 + k] + turned[k];
    }
}

// ---------------------------------------------------------------------------------------------
// A contact

/// Arm of the contact point and its frame, as tact_contact_compute_frame() has it.
typedef struct TactBodyContact {
    double arm[3];
    double frame[3][3]; // normal, tangent 1, tangent 2
    double mu, bias;
} TactBodyContact;

TACT_HD void tact_body_load_contact(const TactBodyProblems *all, const double centre[3], int i,
                                    int contact, TactBodyContact *out)
{
    size_t  stride = (size_t)all->stride, at = (size_t)i, c = (size_t)contact;
    double *n = out->frame[0], *s = out->frame[1];
    for (int k = 0; k < 3; k++) {
        out->arm[k] = all->point[(3 * c + (size_t)k) * stride + at] - centre[k];
        n[k] = all->normal[(3 * c + (size_t)k) * stride + at];
    }
    out->mu = all->mu[c * stride + at];
    out->bias = all->bias ? all->bias[c * stride + at] : 0;
    double square = tact_body_dot(n, n);
    double length = fabs(square - 1) < 1e-8 ? 1.5 - 0.5 * square : 1 / sqrt(square);
    for (int k = 0; k < 3; k++) {
        n[k] *= length;
    }
    // Tangent 1 follows the x axis, and the y axis near it.
    int    along_x = fabs(n[0]) <= 0.9;
    double part = along_x ? n[0] : n[1];
    s[0] = (along_x ? 1 : 0) - part * n[0];
    s[1] = (along_x ? 0 : 1) - part * n[1];
    s[2] = -part * n[2];
    double scale = 1 / sqrt(tact_body_dot(s, s));
    for (int k = 0; k < 3; k++) {
        s[k] *= scale;
    }
    tact_body_cross(n, s, out->frame[2]);
}

#endif
