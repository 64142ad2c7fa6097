#include "bench/problems/contact_lcp.h"

#include <math.h>
#include <stdlib.h>
#include <tact/math.h>

#include "bench/problems/scenes.h"

static TactVec3 vec3(const double *x)
{
    return (TactVec3){x[0], x[1], x[2]};
}

static TactMat3 inertia_of(const TactContactBody *body)
{
    const double *I = body->inertia;
    return (TactMat3){{{I[0], I[3], I[4]}, {I[3], I[1], I[5]}, {I[4], I[5], I[2]}}};
}

/// v + h M^-1 f, the gyroscopic torque included.
static TactTwist free_motion(const TactContactBody *body, TactMat3 inverse, double h)
{
    TactVec3 omega = vec3(body->omega);
    TactVec3 spin = tact_mat3_apply(inertia_of(body), omega);
    TactVec3 torque = tact_vec3_subtract(vec3(body->torque), tact_vec3_cross(omega, spin));
    return (TactTwist){
        tact_vec3_add_scaled(vec3(body->velocity), h / body->mass, vec3(body->force)),
        tact_vec3_add_scaled(omega, h, tact_mat3_apply(inverse, torque)),
    };
}

/// What a contact row does to one of its two bodies.
typedef struct Side {
    int      body; // -1: none
    TactVec3 linear[3], angular[3];
    TactVec3 moved[3], turned[3]; // M^-1 of them
} Side;

typedef struct Rows {
    Side side[2];
} Rows;

static void fill_side(const TactContactProblem *problem, const TactContact *contact,
                      const TactMat3 *inverse, int k, Side *side)
{
    side->body = k ? contact->b : contact->a;
    if (side->body < 0) {
        return;
    }
    const TactContactBody *body = &problem->bodies[side->body];
    TactVec3               arm = tact_vec3_subtract(vec3(contact->point), vec3(body->position));
    double                 frame[3][3];
    tact_contact_compute_frame(contact, frame);
    for (int i = 0; i < 3; i++) {
        side->linear[i] = tact_vec3_scale(k ? 1 : -1, vec3(frame[i]));
        side->angular[i] = tact_vec3_cross(arm, side->linear[i]);
        side->moved[i] = tact_vec3_scale(1 / body->mass, side->linear[i]);
        side->turned[i] = tact_mat3_apply(inverse[side->body], side->angular[i]);
    }
}

static double product(const Rows *r, int i, const Rows *s, int j)
{
    double sum = 0;
    for (int a = 0; a < 2; a++) {
        for (int b = 0; b < 2; b++) {
            const Side *x = &r->side[a], *y = &s->side[b];
            if (x->body >= 0 && x->body == y->body) {
                sum += tact_vec3_dot(x->linear[i], y->moved[j]) +
                       tact_vec3_dot(x->angular[i], y->turned[j]);
            }
        }
    }
    return sum;
}

static double along(const Rows *rows, int i, const TactTwist *motion)
{
    double sum = 0;
    for (int a = 0; a < 2; a++) {
        const Side *side = &rows->side[a];
        if (side->body >= 0) {
            sum += tact_vec3_dot(side->linear[i], motion[side->body].linear) +
                   tact_vec3_dot(side->angular[i], motion[side->body].angular);
        }
    }
    return sum;
}

/// Bodies as the rows need them.
typedef struct Motion {
    TactMat3  *inverse; // of the inertias                (bodies)
    TactTwist *before;  // the step                       (bodies)
    TactTwist *freely;  // after it, without contacts     (bodies)
    Rows      *rows;    // (contacts)
} Motion;

static TactStatus begin(const TactContactProblem *problem, Motion *motion)
{
    size_t bodies = (size_t)problem->body_count, contacts = (size_t)problem->contact_count;
    *motion = (Motion){
        .inverse = calloc(bodies, sizeof(TactMat3)),
        .before = calloc(bodies, sizeof(TactTwist)),
        .freely = calloc(bodies, sizeof(TactTwist)),
        .rows = calloc(contacts + 1, sizeof(Rows)),
    };
    if (!motion->inverse || !motion->before || !motion->freely || !motion->rows) {
        return TACT_NO_MEMORY;
    }
    for (size_t k = 0; k < bodies; k++) {
        const TactContactBody *body = &problem->bodies[k];
        tact_mat3_invert(inertia_of(body), &motion->inverse[k]);
        motion->before[k] = (TactTwist){vec3(body->velocity), vec3(body->omega)};
        motion->freely[k] = free_motion(body, motion->inverse[k], problem->step);
    }
    for (size_t i = 0; i < contacts; i++) {
        for (int k = 0; k < 2; k++) {
            fill_side(problem, &problem->contacts[i], motion->inverse, k, &motion->rows[i].side[k]);
        }
    }
    return TACT_OK;
}

static void end(Motion *motion)
{
    free(motion->inverse);
    free(motion->before);
    free(motion->freely);
    free(motion->rows);
}

TactStatus tact_case_delassus(const TactContactProblem *problem, double *W, double *b)
{
    size_t     n = 3 * (size_t)problem->contact_count;
    Motion     motion;
    TactStatus status = begin(problem, &motion);
    for (size_t i = 0; status == TACT_OK && i < n; i++) {
        const TactContact *contact = &problem->contacts[i / 3];
        const Rows        *rows = &motion.rows[i / 3];
        for (size_t j = 0; j <= i; j++) {
            double w = product(rows, (int)(i % 3), &motion.rows[j / 3], (int)(j % 3));
            W[i * n + j] = W[j * n + i] = w;
        }
        b[i] = along(rows, (int)(i % 3), motion.freely);
        if (i % 3 == 0) {
            double before = along(rows, 0, motion.before);
            b[i] += contact->bias + (before < 0 ? contact->restitution * before : 0);
            W[i * n + i] += contact->compliance;
        } else {
            b[i] += contact->surface[i % 3 - 1];
        }
    }
    end(&motion);
    return status;
}

// ---------------------------------------------------------------------------------------------
// LCPs

static int directions_of(const TactContact *contact)
{
    return contact->directions > 0 ? contact->directions : TACT_SCENE_DIRECTIONS;
}

/// Direction j; opposite ones are opposite to the last bit.
static void direction(const TactContact *contact, int j, double d[2])
{
    int          half = directions_of(contact) / 2;
    const double pi = 3.14159265358979323846;
    double       angle = contact->turn + pi * (double)(j % half) / (double)half;
    double       sign = j < half ? 1 : -1;
    d[0] = sign * cos(angle);
    d[1] = sign * (j % half == 0 && contact->turn == 0 ? 0 : sin(angle));
    if (contact->turn == 0 && 2 * (j % half) == half) {
        d[0] = 0;
        d[1] = sign;
    }
}

/// One unknown: which contact, along what of n, 1, 2.
typedef struct Unknown {
    size_t contact;
    double part[3];
    bool   moves; // theta or phi
} Unknown;

static void number(const TactContactProblem *problem, Unknown *unknowns, int phis)
{
    int phi = problem->contact_count;
    for (int i = 0; i < problem->contact_count; i++) {
        const TactContact *contact = &problem->contacts[i];
        unknowns[i] = (Unknown){(size_t)i, {1, 0, 0}, true};
        for (int j = 0; j < directions_of(contact); j++) {
            Unknown *unknown = &unknowns[phi++];
            *unknown = (Unknown){(size_t)i, {0, 0, 0}, true};
            direction(contact, j, unknown->part + 1);
        }
        unknowns[problem->contact_count + phis + i] = (Unknown){(size_t)i, {0, 0, 0}, false};
    }
}

static double entry(const double *W, size_t n3, const Unknown *x, const Unknown *y)
{
    double sum = 0;
    for (size_t i = 0; i < 3; i++) {
        double part = 0;
        for (size_t j = 0; j < 3; j++) {
            part += W[(3 * x->contact + i) * n3 + 3 * y->contact + j] * y->part[j];
        }
        sum += x->part[i] * part;
    }
    return sum;
}

static void fill(const TactContactProblem *problem, const double *W, const double *b,
                 const Unknown *unknowns, TactFamilyProblem *out)
{
    size_t n = (size_t)out->problem.n, nc = (size_t)problem->contact_count;
    for (size_t i = 0; i < n - nc; i++) {
        const Unknown *x = &unknowns[i];
        for (size_t j = 0; j <= i; j++) {
            out->M[i * n + j] = out->M[j * n + i] = entry(W, 3 * nc, x, &unknowns[j]);
        }
        for (size_t k = 0; k < 3; k++) {
            out->q[i] += x->part[k] * b[3 * x->contact + k];
        }
        size_t lambda = n - nc + x->contact;
        if (i >= nc) {
            out->M[i * n + lambda] = 1;
            out->M[lambda * n + i] = -1;
        } else {
            out->M[lambda * n + i] = problem->contacts[i].mu;
        }
    }
}

TactStatus tact_case_lcp(const TactContactProblem *problem, TactFamilyProblem *out)
{
    size_t nc = (size_t)problem->contact_count;
    int    phis = 0;
    for (size_t i = 0; i < nc; i++) {
        phis += directions_of(&problem->contacts[i]);
    }
    int      n = phis + 2 * problem->contact_count;
    double  *W = calloc(9 * nc * nc + 1, sizeof *W);
    double  *b = calloc(3 * nc + 1, sizeof *b);
    Unknown *unknowns = calloc((size_t)n + 1, sizeof *unknowns);
    *out = (TactFamilyProblem){0};
    TactStatus status = tact_family_problem_create(n, false, out);
    if (status == TACT_OK) {
        status = W && b && unknowns ? tact_case_delassus(problem, W, b) : TACT_NO_MEMORY;
    }
    if (status == TACT_OK) {
        number(problem, unknowns, phis);
        fill(problem, W, b, unknowns, out);
        out->contacts = problem->contact_count;
        out->bodies = problem->body_count;
    }
    free(W);
    free(b);
    free(unknowns);
    return status;
}

TactStatus tact_case_frictionless(const TactContactProblem *problem, TactFamilyProblem *out)
{
    size_t  nc = (size_t)problem->contact_count;
    double *W = calloc(9 * nc * nc + 1, sizeof *W);
    double *b = calloc(3 * nc + 1, sizeof *b);
    *out = (TactFamilyProblem){0};
    TactStatus status = tact_family_problem_create(problem->contact_count, false, out);
    if (status == TACT_OK) {
        status = W && b ? tact_case_delassus(problem, W, b) : TACT_NO_MEMORY;
    }
    for (size_t i = 0; status == TACT_OK && i < nc; i++) {
        for (size_t j = 0; j < nc; j++) {
            out->M[i * nc + j] = W[9 * i * nc + 3 * j];
        }
        out->q[i] = b[3 * i];
    }
    out->contacts = problem->contact_count;
    out->bodies = problem->body_count;
    free(W);
    free(b);
    return status;
}
