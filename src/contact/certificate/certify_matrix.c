// How a mechanism given by M, or contacts given by W, move in an answer. Long sums of products are
// taken in double-double.
#include <math.h>
#include <string.h>

#include "base/clones.h"
#include "base/lanes.h"
#include "base/larger.h"
#include "contact/certificate/certify.h"
#include "contact/certificate/certify_fine.h"
#include "linalg/vector.h"

static const double *contact_row(const TactContactProblem *problem, int contact, int k)
{
    return problem->contacts[contact].J + (size_t)k * (size_t)problem->nv;
}

/// a'x in double-double, rounded once.
static double dot_compensated(int n, const double *a, const double *x)
{
    return -tact_vec_residual(n, a, x, 0);
}

// ---------------------------------------------------------------------------------------------
// Mechanism

/// J' p into sums and what rounding takes from them, four dofs at a time (tact_certify_add()).
TACT_CLONES static void push_matrix_row(TactCertifier *certifier, int nv, const double *J, double p)
{
    double *impulse = certifier->impulse, *rest = certifier->rest, *load = certifier->load;
    int     k = 0;
    for (; k + 4 <= nv; k += 4) {
        TactLanes part = TACT_LANES_AT(J + k) * TACT_LANES_ALL(p);
        TactLanes sum = TACT_LANES_AT(impulse + k);
        TactLanes total = sum + part, added = total - sum;
        TACT_LANES_PUT(rest + k) += (sum - (total - added)) + (part - added);
        TACT_LANES_PUT(impulse + k) = total;
        TACT_LANES_PUT(load + k) += TACT_LANES_ABS(part);
    }
    for (; k < nv; k++) {
        double part = J[k] * p;
        tact_certify_add(&impulse[k], &rest[k], part);
        load[k] += fabs(part);
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

/// The share of dof k in the energy (14). With g = M (v+ - v) - h tau, v_free = v+ - M^-1 g:
///
///     1/2 v+'M v+ - 1/2 v_free'M v_free = g'v+ - 1/2 g'M^-1 g <= g'v+
///
/// residual is (M (v+ - v))_k less the impulse as summed.
static void add_energy(TactCertifier *certifier, const TactCertifyInput *input, int k, int count,
                       double residual)
{
    const TactContactProblem *problem = input->problem;
    TactCertifyIsland        *island = &certifier->islands[0];
    const double             *row = problem->M + (size_t)k * (size_t)problem->nv;
    double                    applied = input->h * problem->tau[k], after = input->velocity[k];
    double                    gained = residual + certifier->impulse[k]; // (M (v+ - v))_k
    double                    momentum = tact_vec_dot(count, row, input->velocity);
    double                    before = after - certifier->gain[k];
    island->created += (residual + (certifier->impulse[k] - applied)) * after;
    island->energy += 0.5 * (fabs(after * momentum) + fabs(before * (momentum - gained)) +
                             applied * applied / row[k]);
}

static void begin_mechanism(TactCertifier *certifier, const TactCertifyInput *input,
                            double *largest, double *error, int *worst)
{
    const TactContactProblem *problem = input->problem;
    int                       nv = problem->nv;
    bool                      velocities = problem->level == TACT_LEVEL_VELOCITY;
    tact_certify_couple(certifier, input);
    for (int k = 0; k < nv; k++) {
        double before = velocities ? problem->v[k] : 0;
        certifier->impulse[k] = input->h * problem->tau[k];
        certifier->rest[k] = 0;
        certifier->load[k] = fabs(certifier->impulse[k]);
        certifier->given[k] = certifier->load[k];
        certifier->gain[k] = input->velocity[k] - before;
        certifier->speed[k] = fabs(input->velocity[k]) + fabs(before);
        certifier->before[k] = input->driven ? certifier->speed[k] : fabs(before);
        double  root = sqrt(problem->M[(size_t)k * (size_t)nv + (size_t)k]);
        double  motion = tact_larger(root * certifier->speed[k], certifier->load[k] / root);
        double *whole = &certifier->islands[0].whole;
        *whole = tact_larger(*whole, motion);
    }
    for (int i = 0; i < 3 * problem->contact_count; i++) {
        if (input->impulse[i] != 0) {
            push_matrix_row(certifier, nv, contact_row(problem, i / 3, i % 3), input->impulse[i]);
        }
    }
    for (int i = 0; i < problem->row_count; i++) {
        push_matrix_row(certifier, nv, problem->rows[i].J, input->row_impulse[i]);
        for (int k = 0; k < nv && problem->rows[i].kind == TACT_ROW_MOTOR; k++) {
            certifier->given[k] += fabs(problem->rows[i].J[k] * input->row_impulse[i]);
        }
    }
    find_last(problem, certifier->last);
    for (int k = 0; k < nv; k++) {
        const double *row = problem->M + (size_t)k * (size_t)nv;
        int           count = certifier->last[k] + 1;
        double residual = -tact_vec_residual(count, row, certifier->gain, certifier->impulse[k]);
        add_energy(certifier, input, k, count, residual);
        residual = fabs(certifier->fine ? certifier->fine->left[k] : residual - certifier->rest[k]);
        double scale = TACT_CERTIFY_OTHERS * certifier->load[k] +
                       TACT_CERTIFY_WHOLE * sqrt(row[k]) * certifier->islands[0].whole;
        scale += TACT_CERTIFY_MOTION * sum_sizes(count, row, certifier->speed);
        double inverse = 1 / row[k];
        certifier->inverse[k] = inverse;
        certifier->others[k] = TACT_CERTIFY_OTHERS * certifier->load[k] * inverse +
                               TACT_CERTIFY_MOTION * certifier->speed[k];
        certifier->motion[k] = certifier->given[k] * inverse + certifier->before[k];
        *largest = tact_larger(*largest, residual);
        double relative = residual == 0 ? 0 : residual / scale;
        tact_certify_raise(relative, k, error, worst);
    }
}

/// Weight and scale of one row J: with D the diagonal of M, J D^-1 J' stands in for J M^-1 J'. Each
/// of the three in four partial sums.
TACT_CLONES static TactCertifyScale scale_of_row(const TactCertifier *certifier, int nv,
                                                 const double *J)
{
    TactLanes weight = TACT_LANES_ALL(0.0), others = weight, motion = weight;
    int       k = 0;
    for (; k + 4 <= nv; k += 4) {
        TactLanes own = TACT_LANES_AT(J + k), size = TACT_LANES_ABS(own);
        weight += own * own * TACT_LANES_AT(certifier->inverse + k);
        others += size * TACT_LANES_AT(certifier->others + k);
        motion += size * TACT_LANES_AT(certifier->motion + k);
    }
    TactCertifyScale out = {
        .weight = (weight[0] + weight[1]) + (weight[2] + weight[3]),
        .others = (others[0] + others[1]) + (others[2] + others[3]),
        .motion = (motion[0] + motion[1]) + (motion[2] + motion[3]),
    };
    for (; k < nv; k++) {
        out.weight += J[k] * J[k] * certifier->inverse[k];
        out.others += fabs(J[k]) * certifier->others[k];
        out.motion += fabs(J[k]) * certifier->motion[k];
    }
    out.floor = TACT_CERTIFY_WHOLE * sqrt(out.weight) * certifier->islands[0].whole;
    return out;
}

static double mechanism_normal(const TactCertifier *certifier, const TactCertifyInput *input, int i)
{
    (void)certifier;
    return dot_compensated(input->problem->nv, contact_row(input->problem, i, 0), input->velocity);
}

static void mechanism_velocity(const TactCertifier *certifier, const TactCertifyInput *input, int i,
                               double u[3])
{
    (void)certifier;
    for (int k = 0; k < 3; k++) {
        u[k] =
            dot_compensated(input->problem->nv, contact_row(input->problem, i, k), input->velocity);
    }
}

static void mechanism_scale(const TactCertifier *certifier, const TactCertifyInput *input, int i,
                            TactCertifyScale *out)
{
    double largest = 0, own = 0;
    *out = (TactCertifyScale){0};
    for (int k = 0; k < 3; k++) {
        const double    *J = contact_row(input->problem, i, k);
        TactCertifyScale row = scale_of_row(certifier, input->problem->nv, J);
        out->weight += row.weight / 3;
        largest = tact_larger(largest, row.weight);
        own += sqrt(row.weight) * fabs(input->impulse[3 * i + k]);
        out->others = tact_larger(out->others, row.others);
        out->motion = tact_larger(out->motion, row.motion);
        out->floor = tact_larger(out->floor, row.floor);
    }
    out->own = sqrt(largest) * own;
}

static double mechanism_row_velocity(const TactCertifyInput *input, int i)
{
    return dot_compensated(input->problem->nv, input->problem->rows[i].J, input->velocity);
}

static TactCertifyScale mechanism_row_scale(const TactCertifier    *certifier,
                                            const TactCertifyInput *input, int i)
{
    return scale_of_row(certifier, input->problem->nv, input->problem->rows[i].J);
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
