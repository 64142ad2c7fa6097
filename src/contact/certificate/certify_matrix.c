// How contacts given by W move in an answer. Long sums of products are taken in double-double.
#include <math.h>

#include "base/clones.h"
#include "base/larger.h"
#include "contact/certificate/certify.h"
#include "contact/certificate/certify_fine.h"
#include "linalg/vector.h"

static void begin_delassus(TactCertifier *certifier, const TactCertifyInput *input, double *largest,
                           double *error, int *worst)
{
    (void)largest, (void)error, (void)worst;
    tact_certify_couple(certifier, input);
}

/// sum + rest += a x, exactly but for the last rounding of rest.
static inline void add_exactly(double a, double x, double *sum, double *rest)
{
    double part = a * x;
    *rest += fma(a, x, -part);
    tact_certify_add(sum, rest, part);
}

/// u_free + W p of a row, over the blocks of its contact.
TACT_CLONES static double blocks_row(const TactContactProblem *problem, const double *impulse,
                                     size_t row)
{
    const TactContactBlocks *blocks = problem->blocks;
    size_t                   i = row / 3;
    double                   sum = problem->u_free[row], rest = 0;
    for (size_t k = blocks->start[i]; k < blocks->start[i + 1]; k++) {
        const double *W = blocks->value + 9 * k + 3 * (row % 3);
        const double *p = impulse + 3 * (size_t)blocks->column[k];
        add_exactly(W[0], p[0], &sum, &rest);
        add_exactly(W[1], p[1], &sum, &rest);
        add_exactly(W[2], p[2], &sum, &rest);
    }
    return sum + rest;
}

static double delassus_row(const TactContactProblem *problem, const double *impulse, size_t row)
{
    if (problem->blocks) {
        return blocks_row(problem, impulse, row);
    }
    int n = 3 * problem->contact_count;
    return -tact_vec_residual(n, problem->W + row * (size_t)n, impulse, -problem->u_free[row]);
}

static double delassus_normal(const TactCertifier *certifier, const TactCertifyInput *input, int i)
{
    (void)certifier;
    return delassus_row(input->problem, input->impulse, 3 * (size_t)i);
}

static void delassus_velocity(const TactCertifier *certifier, const TactCertifyInput *input, int i,
                              double u[3])
{
    for (size_t k = 0; k < 3; k++) {
        size_t row = 3 * (size_t)i + k;
        u[k] = delassus_row(input->problem, input->impulse, row);
        certifier->islands[certifier->label[i]].power[0] +=
            input->impulse[row] * input->problem->u_free[row];
        certifier->islands[certifier->label[i]].power[1] += input->impulse[row] * u[k];
    }
}

/// Weight and scale of a contact, from its blocks.
static void blocks_scale(const TactCertifyInput *input, int i, TactCertifyScale *out)
{
    const TactContactProblem *problem = input->problem;
    const TactContactBlocks  *blocks = problem->blocks;
    *out = (TactCertifyScale){0};
    for (size_t r = 0; r < 3; r++) {
        double free = fabs(problem->u_free[3 * (size_t)i + r]), size = free;
        for (size_t k = blocks->start[i]; k < blocks->start[i + 1]; k++) {
            const double *W = blocks->value + 9 * k + 3 * r;
            const double *p = input->impulse + 3 * (size_t)blocks->column[k];
            size += fabs(W[0]) * fabs(p[0]) + fabs(W[1]) * fabs(p[1]) + fabs(W[2]) * fabs(p[2]);
            if (blocks->column[k] == i) {
                out->weight += W[r] / 3;
                out->own = tact_larger(out->own, fabs(W[0] * p[0] + W[1] * p[1] + W[2] * p[2]));
            }
        }
        out->motion = tact_larger(out->motion, free);
        out->others = tact_larger(out->others, TACT_CERTIFY_OTHERS * size);
    }
}

static void delassus_scale(const TactCertifier *certifier, const TactCertifyInput *input, int i,
                           TactCertifyScale *out)
{
    (void)certifier;
    const TactContactProblem *problem = input->problem;
    if (problem->blocks) {
        blocks_scale(input, i, out);
        return;
    }
    size_t n = 3 * (size_t)problem->contact_count;
    *out = (TactCertifyScale){0};
    for (size_t row = 3 * (size_t)i; row < 3 * (size_t)i + 3; row++) {
        const double *W = problem->W + row * n;
        double        size = fabs(problem->u_free[row]);
        out->motion = tact_larger(out->motion, size);
        for (size_t j = 0; j < n; j++) {
            size += fabs(W[j]) * fabs(input->impulse[j]);
        }
        out->weight += W[row] / 3;
        out->others = tact_larger(out->others, TACT_CERTIFY_OTHERS * size);
        const double *own = W + 3 * (size_t)i, *p = input->impulse + 3 * (size_t)i;
        out->own = tact_larger(out->own, fabs(own[0] * p[0] + own[1] * p[1] + own[2] * p[2]));
    }
}

// There are no rows with W.
const TactCertifyForm tact_certify_delassus = {
    .begin = begin_delassus,
    .normal = delassus_normal,
    .velocity = delassus_velocity,
    .scale = delassus_scale,
};
