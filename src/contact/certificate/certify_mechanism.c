// How a mechanism given by M moves in an answer. Long sums of products are taken in double-double,
// of four rows of M or J at a time.
#include <math.h>
#include <string.h>

#include "base/clones.h"
#include "base/lanes.h"
#include "base/larger.h"
#include "contact/certificate/certify.h"
#include "contact/certificate/certify_fine.h"
#include "contact/problem/problem.h"
#include "linalg/vector.h"

static const double *contact_row(const TactContactProblem *problem, int contact, int k)
{
    return problem->contacts[contact].J + (size_t)k * (size_t)problem->nv;
}

// ---------------------------------------------------------------------------------------------
// Degrees of freedom

/// What an answer says of every dof before any impulse is added. before: v, or 0.
TACT_CLONES static void begin_dofs(TactCertifier *certifier, const TactCertifyInput *input,
                                   const double *restrict before)
{
    int    nv = input->problem->nv;
    double h = input->h;
    const double *restrict tau = input->problem->tau, *restrict after = input->velocity;
    double *restrict impulse = certifier->impulse, *restrict load = certifier->load,
                     *restrict gain = certifier->gain, *restrict speed = certifier->speed,
                     *restrict given = certifier->given, *restrict given_speed = certifier->before;
    for (int k = 0; k < nv; k++) {
        impulse[k] = h * tau[k];
        given[k] = load[k] = fabs(impulse[k]);
        gain[k] = after[k] - before[k];
        speed[k] = fabs(after[k]) + fabs(before[k]);
    }
    for (int k = 0; k < nv; k++) {
        given_speed[k] = input->driven ? speed[k] : fabs(before[k]);
    }
}

/// 1 / M_kk, sqrt(M_kk) into others, and how fast the whole moves.
TACT_CLONES static double begin_masses(TactCertifier *certifier, int nv)
{
    double *restrict inverse = certifier->inverse, *restrict root = certifier->others,
                     *restrict motion = certifier->motion;
    const double *restrict load = certifier->load, *restrict speed = certifier->speed;
    double whole = 0;
    for (int k = 0; k < nv; k++) {
        root[k] = sqrt(inverse[k]);
        inverse[k] = 1 / inverse[k];
        double pushed = load[k] / root[k], moved = root[k] * speed[k];
        motion[k] = pushed > moved ? pushed : moved;
    }
    for (int k = 0; k < nv; k++) {
        whole = tact_larger(whole, motion[k]);
    }
    return whole;
}

/// J' p of `rows` rows into sums and what rounding takes from them, four dofs at a time
/// (tact_certify_add()): one row after the other, and every sum read and written once.
__attribute__((always_inline)) static inline void push_rows(const TactCertifier *certifier,
                                                            int first, int end, const double *J,
                                                            size_t ld, const double *p, int rows)
{
    double *impulse = certifier->impulse, *rest = certifier->rest, *load = certifier->load;
    int     k = first;
    for (; k + 4 <= end; k += 4) {
        TactLanes sum = TACT_LANES_AT(impulse + k), left = TACT_LANES_AT(rest + k);
        TactLanes most = TACT_LANES_AT(load + k);
        for (int r = 0; r < rows; r++) {
            TactLanes part = TACT_LANES_AT(J + (size_t)r * ld + k) * TACT_LANES_ALL(p[r]);
            TactLanes total = sum + part, added = total - sum;
            left += (sum - (total - added)) + (part - added);
            most += TACT_LANES_ABS(part);
            sum = total;
        }
        TACT_LANES_PUT(impulse + k) = sum;
        TACT_LANES_PUT(rest + k) = left;
        TACT_LANES_PUT(load + k) = most;
    }
    for (; k < end; k++) {
        for (int r = 0; r < rows; r++) {
            double part = J[(size_t)r * ld + (size_t)k] * p[r];
            tact_certify_add(&impulse[k], &rest[k], part);
            load[k] += fabs(part);
        }
    }
}

TACT_CLONES static void push_contact(const TactCertifier *certifier, int nv, const double *J,
                                     const double *p)
{
    push_rows(certifier, 0, nv, J, (size_t)nv, p, 3);
}

/// A row, over the dofs first .. end - 1 that it touches.
TACT_CLONES static void push_row(const TactCertifier *certifier, int first, int end,
                                 const double *J, double p)
{
    push_rows(certifier, first, end, J, 0, &p, 1);
}

/// Where a row of a joint, which has one entry mostly, begins and ends: in whole vectors, so that
/// sums over it are those over all of the row. Dofs from the 64th on are taken as touched.
TACT_CLONES static void find_span(int nv, const double *J, int *first, int *end)
{
    TactMask  found = {0, 0, 0, 0}, bits = {1, 2, 4, 8};
    TactLanes zero = TACT_LANES_ALL(0.0);
    int       k = 0;
    for (; k + 4 <= nv && k < 64; k += 4, bits <<= 4) {
        found |= (TACT_LANES_AT(J + k) != zero) & bits;
    }
    uint64_t touched = (uint64_t)((found[0] | found[1]) | (found[2] | found[3]));
    bool     more = nv > 64;
    for (; k < nv && !more; k++) {
        more = J[k] != 0;
    }
    *first = touched ? __builtin_ctzll(touched) / 4 * 4 : (nv < 64 ? nv : 64) / 4 * 4;
    *end = more ? nv : touched ? (63 - __builtin_clzll(touched)) / 4 * 4 + 4 : *first;
}

static void push_all(TactCertifier *certifier, const TactCertifyInput *input)
{
    const TactContactProblem *problem = input->problem;
    int                       nv = problem->nv;
    for (int i = 0; i < problem->contact_count; i++) {
        const double *p = input->impulse + 3 * (size_t)i;
        if (tact_contact_has_impulse(p)) {
            push_contact(certifier, nv, problem->contacts[i].J, p);
        }
    }
    for (int i = 0; i < problem->row_count; i++) {
        const double *J = problem->rows[i].J;
        int          *span = certifier->span[i];
        double        p = input->row_impulse[i];
        find_span(nv, J, &span[0], &span[1]);
        if (p == 0) {
            continue;
        }
        push_row(certifier, span[0], span[1], J, p);
        for (int k = span[0]; k < span[1] && problem->rows[i].kind == TACT_ROW_MOTOR; k++) {
            certifier->given[k] += fabs(J[k] * p);
        }
    }
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

/// Sums over up to four rows of M.
typedef struct MassRows {
    double residual[4]; // J'p + h tau - M (v+ - v)
    double momentum[4]; // M v+
    double size[4];     // |M| speed
} MassRows;

/// momentum_r = sum a_rj v_j and size_r = sum |a_rj| speed_j of m rows, ld apart; each in four
/// partial sums.
TACT_CLONES static void sum_rows(int m, int n, const double *a, size_t ld, const double *v,
                                 const double *speed, MassRows *sums)
{
    for (int r = 0; r < m; r++, a += ld) {
        TactLanes momentum = TACT_LANES_ALL(0.0), size = momentum;
        double    rest = 0, rest_size = 0;
        int       j = 0;
        for (; j + 4 <= n; j += 4) {
            TactLanes own = TACT_LANES_AT(a + j);
            momentum += own * TACT_LANES_AT(v + j);
            size += TACT_LANES_ABS(own) * TACT_LANES_AT(speed + j);
        }
        for (; j < n; j++) {
            rest += a[j] * v[j];
            rest_size += fabs(a[j]) * speed[j];
        }
        sums->momentum[r] = ((momentum[0] + momentum[1]) + (momentum[2] + momentum[3])) + rest;
        sums->size[r] = ((size[0] + size[1]) + (size[2] + size[3])) + rest_size;
    }
}

/// The share of dof k in the energy (14). With g = M (v+ - v) - h tau, v_free = v+ - M^-1 g:
///
///     1/2 v+'M v+ - 1/2 v_free'M v_free = g'v+ - 1/2 g'M^-1 g <= g'v+
///
/// residual is (M (v+ - v))_k less the impulse as summed.
static inline void add_energy(TactCertifier *certifier, const TactCertifyInput *input, int k,
                              double residual, double momentum)
{
    TactCertifyIsland *island = &certifier->islands[0];
    double             applied = input->h * input->problem->tau[k], after = input->velocity[k];
    double             gained = residual + certifier->impulse[k]; // (M (v+ - v))_k
    double             before = after - certifier->gain[k];
    island->created += (residual + (certifier->impulse[k] - applied)) * after;
    island->energy += 0.5 * (fabs(after * momentum) + fabs(before * (momentum - gained)) +
                             applied * applied * certifier->inverse[k]);
}

static void begin_mechanism(TactCertifier *certifier, const TactCertifyInput *input,
                            double *largest, double *error, int *worst)
{
    const TactContactProblem *problem = input->problem;
    int                       nv = problem->nv;
    tact_certify_couple(certifier, input);
    TactCertifyIsland *island = &certifier->islands[0];
    memset(certifier->rest, 0, (size_t)nv * sizeof *certifier->rest);
    begin_dofs(certifier, input,
               problem->level == TACT_LEVEL_VELOCITY ? problem->v : certifier->rest);
    for (int k = 0; k < nv; k++) {
        certifier->inverse[k] = problem->M[(size_t)k * (size_t)nv + (size_t)k];
    }
    island->whole = begin_masses(certifier, nv);
    push_all(certifier, input);
    find_last(problem, certifier->last);
    for (int first = 0; first < nv; first += 4) {
        const double *rows = problem->M + (size_t)first * (size_t)nv;
        int           m = nv - first < 4 ? nv - first : 4, count = 0;
        MassRows      sums;
        for (int r = 0; r < m; r++) {
            count = tact_larger_int(count, certifier->last[first + r] + 1);
        }
        tact_mat_residual(m, count, rows, nv, certifier->gain, certifier->impulse + first,
                          sums.residual);
        sum_rows(m, count, rows, (size_t)nv, input->velocity, certifier->speed, &sums);
        for (int r = 0; r < m; r++) {
            int    k = first + r;
            double residual = -sums.residual[r], inverse = certifier->inverse[k];
            double load = TACT_CERTIFY_OTHERS * certifier->load[k];
            add_energy(certifier, input, k, residual, sums.momentum[r]);
            residual =
                fabs(certifier->fine ? certifier->fine->left[k] : residual - certifier->rest[k]);
            double scale = load + TACT_CERTIFY_WHOLE * certifier->others[k] * island->whole +
                           TACT_CERTIFY_MOTION * sums.size[r];
            certifier->others[k] = load * inverse + TACT_CERTIFY_MOTION * certifier->speed[k];
            certifier->motion[k] = certifier->given[k] * inverse + certifier->before[k];
            *largest = tact_larger(*largest, residual);
            if (!(residual <= *error * scale)) {
                tact_certify_raise(residual / scale, k, error, worst);
            }
        }
    }
}

// ---------------------------------------------------------------------------------------------
// Contacts and rows

/// Rows whose velocity is asked for, and where it goes: four of them are summed together.
typedef struct RowQueue {
    const double *row[4];
    double       *out[4];
    int           count;
} RowQueue;

static void flush_rows(RowQueue *queue, int nv, const double *velocity)
{
    double u[4];
    for (int k = queue->count; k < 4 && queue->count > 0; k++) {
        queue->row[k] = queue->row[0];
    }
    if (queue->count > 0) {
        tact_vec_residual4(nv, queue->row, velocity, u);
    }
    for (int k = 0; k < queue->count; k++) {
        *queue->out[k] = -u[k];
    }
    queue->count = 0;
}

static void ask_row(RowQueue *queue, const TactCertifyInput *input, const double *row, double *out)
{
    queue->row[queue->count] = row;
    queue->out[queue->count++] = out;
    if (queue->count == 4) {
        flush_rows(queue, input->problem->nv, input->velocity);
    }
}

/// u of all contacts, of those without impulse u_n alone.
static void mechanism_points(TactCertifier *certifier, const TactCertifyInput *input)
{
    const TactContactProblem *problem = input->problem;
    RowQueue                  queue = {.count = 0};
    for (int i = 0; i < problem->contact_count; i++) {
        bool all = certifier->patches || tact_contact_has_impulse(input->impulse + 3 * (size_t)i);
        for (int k = 0; k < (all ? 3 : 1); k++) {
            ask_row(&queue, input, contact_row(problem, i, k), &certifier->u[i][k]);
        }
    }
    flush_rows(&queue, problem->nv, input->velocity);
}

/// Weight and scale of one row J: with D the diagonal of M, J D^-1 J' stands in for J M^-1 J'. Each
/// of the three in four partial sums.
TACT_CLONES static TactCertifyScale scale_of_row(const TactCertifier *certifier, int first, int end,
                                                 const double *J)
{
    TactLanes weight = TACT_LANES_ALL(0.0), others = weight, motion = weight;
    int       k = first;
    for (; k + 4 <= end; k += 4) {
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
    for (; k < end; k++) {
        out.weight += J[k] * J[k] * certifier->inverse[k];
        out.others += fabs(J[k]) * certifier->others[k];
        out.motion += fabs(J[k]) * certifier->motion[k];
    }
    out.floor = TACT_CERTIFY_WHOLE * sqrt(out.weight) * certifier->islands[0].whole;
    return out;
}

static double mechanism_normal(const TactCertifier *certifier, const TactCertifyInput *input, int i)
{
    (void)input;
    return certifier->u[i][0];
}

static void mechanism_velocity(const TactCertifier *certifier, const TactCertifyInput *input, int i,
                               double u[3])
{
    (void)input;
    memcpy(u, certifier->u[i], 3 * sizeof *u);
}

/// scale_of_row() of the three rows of a contact, side by side: the same sums.
TACT_CLONES static void scale_of_contact(const TactCertifier *certifier, int nv, const double *J,
                                         const double p[3], TactCertifyScale *out)
{
    TactLanes weight[3] = {{0}}, others[3] = {{0}}, motion[3] = {{0}};
    double    largest = 0, own = 0, mean = 0, most_others = 0, most_motion = 0;
    int       whole = nv / 4 * 4;
    for (int k = 0; k < whole; k += 4) {
        TactLanes inverse = TACT_LANES_AT(certifier->inverse + k);
        TactLanes other = TACT_LANES_AT(certifier->others + k);
        TactLanes moved = TACT_LANES_AT(certifier->motion + k);
        for (int r = 0; r < 3; r++) {
            TactLanes entry = TACT_LANES_AT(J + (size_t)r * (size_t)nv + k);
            TactLanes size = TACT_LANES_ABS(entry);
            weight[r] += entry * entry * inverse;
            others[r] += size * other;
            motion[r] += size * moved;
        }
    }
    for (int r = 0; r < 3; r++, J += nv) {
        double w = (weight[r][0] + weight[r][1]) + (weight[r][2] + weight[r][3]);
        double o = (others[r][0] + others[r][1]) + (others[r][2] + others[r][3]);
        double m = (motion[r][0] + motion[r][1]) + (motion[r][2] + motion[r][3]);
        for (int k = whole; k < nv; k++) {
            w += J[k] * J[k] * certifier->inverse[k];
            o += fabs(J[k]) * certifier->others[k];
            m += fabs(J[k]) * certifier->motion[k];
        }
        mean += w / 3;
        largest = tact_larger(largest, w);
        own += sqrt(w) * fabs(p[r]);
        most_others = tact_larger(most_others, o);
        most_motion = tact_larger(most_motion, m);
    }
    double root = sqrt(largest);
    *out = (TactCertifyScale){.weight = mean,
                              .own = root * own,
                              .others = most_others,
                              .motion = most_motion,
                              .floor = TACT_CERTIFY_WHOLE * root * certifier->islands[0].whole};
}

static void mechanism_scale(const TactCertifier *certifier, const TactCertifyInput *input, int i,
                            TactCertifyScale *out)
{
    scale_of_contact(certifier, input->problem->nv, contact_row(input->problem, i, 0),
                     input->impulse + 3 * (size_t)i, out);
}

static double mechanism_row_velocity(const TactCertifier *certifier, const TactCertifyInput *input,
                                     int i)
{
    const int *span = certifier->span[i];
    return -tact_vec_residual(span[1] - span[0], input->problem->rows[i].J + span[0],
                              input->velocity + span[0], 0);
}

static TactCertifyScale mechanism_row_scale(const TactCertifier    *certifier,
                                            const TactCertifyInput *input, int i)
{
    const int *span = certifier->span[i];
    return scale_of_row(certifier, span[0], span[1], input->problem->rows[i].J);
}

const TactCertifyForm tact_certify_mechanism = {
    .begin = begin_mechanism,
    .points = mechanism_points,
    .normal = mechanism_normal,
    .velocity = mechanism_velocity,
    .scale = mechanism_scale,
    .row_velocity = mechanism_row_velocity,
    .row_scale = mechanism_row_scale,
};
