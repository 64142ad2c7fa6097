// How a mechanism given by M, or contacts given by W, move in an answer. Long sums of products are
// taken in double-double.
#include <math.h>
#include <string.h>

#include "base/clones.h"
#include "base/lanes4.h"
#include "contact/certify.h"
#include "linalg/vector.h"

static const double *contact_row(const TactContactProblem *problem, int contact, int k)
{
    return problem->contacts[contact].J + (size_t)k * (size_t)problem->nv;
}

/// a'x in double-double, rounded once.
static double dot(int n, const double *a, const double *x)
{
    return -tact_vec_residual(n, a, x, 0);
}

// ---------------------------------------------------------------------------------------------
// Mechanism

static void push(TactCertifier *certifier, int nv, const double *J, double p)
{
    for (int k = 0; k < nv; k++) {
        double part = J[k] * p;
        if (part != 0) { // most dofs are not moved by it
            tact_certify_add(&certifier->impulse[k], &certifier->rest[k], part);
            certifier->load[k] += fabs(part);
        }
    }
}

/// sum |a_j| x_j, in four partial sums.
TACT_CLONES static double sum_sizes(int n, const double *a, const double *x)
{
    TactLanes sum = TACT_LANES_ALL(0.0);
    int       j = 0;
    for (; j + 4 <= n; j += 4) {
        sum += TACT_LANES_ABS(TACT_LANES_AT(a + j)) * TACT_LANES_AT(x + j);
    }
    double rest = 0;
    for (; j < n; j++) {
        rest += fabs(a[j]) * x[j];
    }
    return ((sum[0] + sum[1]) + (sum[2] + sum[3])) + rest;
}

/// The last dof that each carries: with a tree, row k of M ends there.
static void find_last(const TactContactProblem *problem, int *last)
{
    for (int k = 0; k < problem->nv; k++) {
        last[k] = problem->parent ? k : problem->nv - 1;
    }
    for (int k = problem->nv - 1; k >= 0 && problem->parent; k--) {
        int parent = problem->parent[k];
        if (parent >= 0 && last[k] > last[parent]) {
            last[parent] = last[k];
        }
    }
}

static void begin_mechanism(TactCertifier *certifier, const TactCertifyInput *input,
                            double *largest, double *error, int *worst)
{
    const TactContactProblem *problem = input->problem;
    int                       nv = problem->nv;
    bool                      velocities = problem->level == TACT_CONTACT_VELOCITY;
    certifier->whole = 0;
    for (int k = 0; k < nv; k++) {
        double before = velocities ? problem->v[k] : 0;
        certifier->impulse[k] = input->h * problem->tau[k];
        certifier->rest[k] = 0;
        certifier->load[k] = fabs(certifier->impulse[k]);
        certifier->given[k] = certifier->load[k];
        certifier->gain[k] = input->velocity[k] - before;
        certifier->speed[k] = fabs(input->velocity[k]) + fabs(before);
        certifier->before[k] = input->driven ? certifier->speed[k] : fabs(before);
        double root = sqrt(problem->M[(size_t)k * (size_t)nv + (size_t)k]);
        double motion = fmax(root * certifier->speed[k], certifier->load[k] / root);
        certifier->whole = fmax(certifier->whole, motion);
    }
    for (int i = 0; i < 3 * problem->contact_count; i++) {
        if (input->impulse[i] != 0) {
            push(certifier, nv, contact_row(problem, i / 3, i % 3), input->impulse[i]);
        }
    }
    for (int i = 0; i < problem->row_count; i++) {
        push(certifier, nv, problem->rows[i].J, input->row_impulse[i]);
        for (int k = 0; k < nv && problem->rows[i].kind == TACT_CONTACT_MOTOR; k++) {
            certifier->given[k] += fabs(problem->rows[i].J[k] * input->row_impulse[i]);
        }
    }
    find_last(problem, certifier->last);
    for (int k = 0; k < nv; k++) {
        const double *row = problem->M + (size_t)k * (size_t)nv;
        int           count = certifier->last[k] + 1;
        double residual = -tact_vec_residual(count, row, certifier->gain, certifier->impulse[k]);
        residual = fabs(residual - certifier->rest[k]);
        double scale = TACT_CERTIFY_OTHERS * certifier->load[k] +
                       TACT_CERTIFY_WHOLE * sqrt(row[k]) * certifier->whole;
        scale += TACT_CERTIFY_MOTION * sum_sizes(count, row, certifier->speed);
        *largest = fmax(*largest, residual);
        double relative = residual == 0 ? 0 : residual / scale;
        tact_certify_raise(relative, k, error, worst);
    }
}

/// Weight and scale of one row J: with D the diagonal of M, J D^-1 J' stands in for J M^-1 J'.
static TactCertifyScale scale_of_row(const TactCertifier      *certifier,
                                     const TactContactProblem *problem, const double *J)
{
    size_t           nv = (size_t)problem->nv;
    TactCertifyScale out = {0};
    for (size_t k = 0; k < nv; k++) {
        if (J[k] != 0) {
            double inverse = 1 / problem->M[k * nv + k];
            out.weight += J[k] * J[k] * inverse;
            out.others += fabs(J[k]) * (TACT_CERTIFY_OTHERS * certifier->load[k] * inverse +
                                        TACT_CERTIFY_MOTION * certifier->speed[k]);
            double motion = certifier->given[k] * inverse + certifier->before[k];
            out.motion += fabs(J[k]) * motion;
        }
    }
    out.floor = TACT_CERTIFY_WHOLE * sqrt(out.weight) * certifier->whole;
    return out;
}

static double mechanism_normal(const TactCertifyInput *input, int i)
{
    return dot(input->problem->nv, contact_row(input->problem, i, 0), input->velocity);
}

static void mechanism_velocity(const TactCertifier *certifier, const TactCertifyInput *input, int i,
                               double u[3])
{
    (void)certifier;
    for (int k = 0; k < 3; k++) {
        u[k] = dot(input->problem->nv, contact_row(input->problem, i, k), input->velocity);
    }
}

static TactCertifyScale mechanism_scale(const TactCertifier    *certifier,
                                        const TactCertifyInput *input, int i)
{
    TactCertifyScale out = {0};
    for (int k = 0; k < 3; k++) {
        const double    *J = contact_row(input->problem, i, k);
        TactCertifyScale row = scale_of_row(certifier, input->problem, J);
        out.weight += row.weight / 3;
        out.others = fmax(out.others, row.others);
        out.motion = fmax(out.motion, row.motion);
        out.floor = fmax(out.floor, row.floor);
    }
    return out;
}

static double mechanism_row_velocity(const TactCertifyInput *input, int i)
{
    return dot(input->problem->nv, input->problem->rows[i].J, input->velocity);
}

static TactCertifyScale mechanism_row_scale(const TactCertifier    *certifier,
                                            const TactCertifyInput *input, int i)
{
    return scale_of_row(certifier, input->problem, input->problem->rows[i].J);
}

const TactCertifyForm tact_certify_mechanism = {
    .begin = begin_mechanism,
    .normal = mechanism_normal,
    .velocity = mechanism_velocity,
    .scale = mechanism_scale,
    .row_velocity = mechanism_row_velocity,
    .row_scale = mechanism_row_scale,
};

// ---------------------------------------------------------------------------------------------
// Delassus matrix

static void begin_delassus(TactCertifier *certifier, const TactCertifyInput *input, double *largest,
                           double *error, int *worst)
{
    (void)certifier, (void)input, (void)largest, (void)error, (void)worst;
}

static double delassus_row(const TactContactProblem *problem, const double *impulse, size_t row)
{
    int n = 3 * problem->contact_count;
    return -tact_vec_residual(n, problem->W + row * (size_t)n, impulse, -problem->u_free[row]);
}

static double delassus_normal(const TactCertifyInput *input, int i)
{
    return delassus_row(input->problem, input->impulse, 3 * (size_t)i);
}

static void delassus_velocity(const TactCertifier *certifier, const TactCertifyInput *input, int i,
                              double u[3])
{
    (void)certifier;
    for (size_t k = 0; k < 3; k++) {
        u[k] = delassus_row(input->problem, input->impulse, 3 * (size_t)i + k);
    }
}

static TactCertifyScale delassus_scale(const TactCertifier    *certifier,
                                       const TactCertifyInput *input, int i)
{
    (void)certifier;
    const TactContactProblem *problem = input->problem;
    size_t                    n = 3 * (size_t)problem->contact_count;
    TactCertifyScale          out = {0};
    for (size_t row = 3 * (size_t)i; row < 3 * (size_t)i + 3; row++) {
        const double *W = problem->W + row * n;
        double        size = fabs(problem->u_free[row]);
        out.motion = fmax(out.motion, size);
        for (size_t j = 0; j < n; j++) {
            size += fabs(W[j]) * fabs(input->impulse[j]);
        }
        out.weight += W[row] / 3;
        out.others = fmax(out.others, TACT_CERTIFY_OTHERS * size);
    }
    return out;
}

// There are no rows with W.
const TactCertifyForm tact_certify_delassus = {
    .begin = begin_delassus,
    .normal = delassus_normal,
    .velocity = delassus_velocity,
    .scale = delassus_scale,
};
