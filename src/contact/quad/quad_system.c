#include "contact/quad/quad_system.h"

#include <string.h>

#include "linalg/quad_cholesky.h"

void tact_quad_system_layout(TactQuadSystem *system, const TactContactCapacity *capacity,
                             TactArena *arena)
{
    size_t         n = 3 * (size_t)capacity->contacts + (size_t)capacity->rows;
    size_t         dof = (size_t)capacity->dof;
    TactQuadSystem lent = {
        .J = tact_arena_take(arena, n * dof, sizeof(TactQuad)),
        .Y = tact_arena_take(arena, n * dof, sizeof(TactQuad)),
        .W = tact_arena_take(arena, n * n, sizeof(TactQuad)),
        .b = tact_arena_take(arena, n, sizeof(TactQuad)),
        .v_free = tact_arena_take(arena, dof, sizeof(TactQuad)),
        .M = tact_arena_take(arena, dof * dof, sizeof(TactQuad)),
        .p = tact_arena_take(arena, n, sizeof(TactQuad)),
        .u = tact_arena_take(arena, n, sizeof(TactQuad)),
        .given = tact_arena_take(arena, n, sizeof(TactQuad)),
        .scale = tact_arena_take(arena, n, sizeof(double)),
        .soft = tact_arena_take(arena, n, sizeof(TactQuad)),
    };
    if (arena->block) {
        *system = lent;
    }
}

int tact_quad_directions(const TactQuadSystem *system, int contact)
{
    int own = system->problem->contacts[contact].directions;
    return system->cone == TACT_CONE_CIRCLE ? 0 : own > 0 ? own : 8;
}

// ---------------------------------------------------------------------------------------------
// Bodies

static void quad_cross(const TactQuad a[3], const TactQuad b[3], TactQuad out[3])
{
    out[0] = a[1] * b[2] - a[2] * b[1];
    out[1] = a[2] * b[0] - a[0] * b[2];
    out[2] = a[0] * b[1] - a[1] * b[0];
}

/// Symmetric A, xx yy zz xy xz yz, times x.
static void times(const TactQuad A[6], const TactQuad x[3], TactQuad out[3])
{
    out[0] = A[0] * x[0] + A[3] * x[1] + A[4] * x[2];
    out[1] = A[3] * x[0] + A[1] * x[1] + A[5] * x[2];
    out[2] = A[4] * x[0] + A[5] * x[1] + A[2] * x[2];
}

static void invert_inertia_quad(const TactQuad A[6], TactQuad inverse[6])
{
    TactQuad xx = A[1] * A[2] - A[5] * A[5];
    TactQuad xy = A[4] * A[5] - A[3] * A[2];
    TactQuad xz = A[3] * A[5] - A[4] * A[1];
    TactQuad determinant = A[0] * xx + A[3] * xy + A[4] * xz;
    inverse[0] = xx / determinant;
    inverse[1] = (A[0] * A[2] - A[4] * A[4]) / determinant;
    inverse[2] = (A[0] * A[1] - A[3] * A[3]) / determinant;
    inverse[3] = xy / determinant;
    inverse[4] = xz / determinant;
    inverse[5] = (A[3] * A[4] - A[0] * A[5]) / determinant;
}

static void widen(const double *x, int count, TactQuad *out)
{
    for (int k = 0; k < count; k++) {
        out[k] = x[k];
    }
}

/// Rows n, 1, 2 of a contact between bodies: the axis, and r x axis, on b; minus that on a.
static void fill_contact(TactQuadSystem *system, int contact)
{
    const TactContact *raw = &system->problem->contacts[contact];
    double             frame[3][3];
    tact_contact_compute_frame(raw, frame);
    for (int side = 0; side < 2; side++) {
        int body = side ? raw->b : raw->a;
        if (body < 0) {
            continue;
        }
        TactQuad r[3], axis[3], turn[3];
        for (int k = 0; k < 3; k++) {
            r[k] = (TactQuad)raw->point[k] - system->problem->bodies[body].position[k];
        }
        for (int c = 0; c < 3; c++) {
            TactQuad *J = system->J + (3 * (size_t)contact + (size_t)c) * (size_t)system->dof;
            widen(frame[c], 3, axis);
            quad_cross(r, axis, turn);
            for (int k = 0; k < 3; k++) {
                J[6 * body + k] += side ? axis[k] : -axis[k];
                J[6 * body + 3 + k] += side ? turn[k] : -turn[k];
            }
        }
    }
}

static void fill_row(TactQuadSystem *system, int row)
{
    const TactContactProblem *problem = system->problem;
    const TactContactRow     *raw = &problem->rows[row];
    size_t                    index = 3 * (size_t)problem->contact_count + (size_t)row;
    TactQuad                 *J = system->J + index * (size_t)system->dof;
    for (int side = 0; side < 2; side++) {
        int           body = side ? raw->b : raw->a;
        const double *part = side ? raw->J_b : raw->J_a;
        for (int k = 0; k < 6 && body >= 0; k++) {
            J[6 * body + k] += part[k];
        }
    }
}

/// v_free of a body and its columns of Y.
static void fill_body(TactQuadSystem *system, int k)
{
    const TactContactBody *body = &system->problem->bodies[k];
    TactQuad               I[6], inverse[6], omega[3], spin[3], torque[3], kick[3];
    TactQuad              *v = system->v_free + 6 * (size_t)k;
    widen(body->inertia, 6, I);
    widen(body->omega, 3, omega);
    invert_inertia_quad(I, inverse);
    times(I, omega, spin);
    quad_cross(spin, omega, torque); // -omega x I omega
    for (int i = 0; i < 3; i++) {
        torque[i] += body->torque[i];
        v[i] = body->velocity[i] + (TactQuad)system->problem->step * body->force[i] / body->mass;
    }
    times(inverse, torque, kick);
    for (int i = 0; i < 3; i++) {
        v[3 + i] = omega[i] + system->problem->step * kick[i];
    }
    for (int row = 0; row < system->n; row++) {
        size_t at = (size_t)row * (size_t)system->dof + 6 * (size_t)k;
        for (int i = 0; i < 3; i++) {
            system->Y[at + (size_t)i] = system->J[at + (size_t)i] / body->mass;
        }
        times(inverse, system->J + at + 3, system->Y + at + 3);
    }
}

static void fill_bodies(TactQuadSystem *system)
{
    const TactContactProblem *problem = system->problem;
    memset(system->J, 0, (size_t)system->n * (size_t)system->dof * sizeof *system->J);
    for (int i = 0; i < problem->contact_count; i++) {
        fill_contact(system, i);
    }
    for (int i = 0; i < problem->row_count; i++) {
        fill_row(system, i);
    }
    for (int k = 0; k < problem->body_count; k++) {
        fill_body(system, k);
    }
}

// ---------------------------------------------------------------------------------------------
// Mechanisms

static bool fill_mechanism(TactQuadSystem *system)
{
    const TactContactProblem *problem = system->problem;
    int                       nv = system->dof;
    widen(problem->M, nv * nv, system->M);
    if (!tact_quad_factor(system->M, nv)) {
        return false;
    }
    for (int i = 0; i < system->n; i++) {
        bool          contact = i < 3 * problem->contact_count;
        const double *J = contact ? problem->contacts[i / 3].J + (size_t)(i % 3) * (size_t)nv
                                  : problem->rows[i - 3 * problem->contact_count].J;
        TactQuad     *Y = system->Y + (size_t)i * (size_t)nv;
        widen(J, nv, system->J + (size_t)i * (size_t)nv);
        widen(J, nv, Y);
        tact_quad_solve(system->M, nv, Y);
    }
    for (int k = 0; k < nv; k++) {
        system->v_free[k] = (TactQuad)problem->step * problem->tau[k];
    }
    tact_quad_solve(system->M, nv, system->v_free);
    for (int k = 0; k < nv; k++) {
        system->v_free[k] += problem->v[k];
    }
    return true;
}

// ---------------------------------------------------------------------------------------------
// All forms

static TactQuad quad_dot(int n, const TactQuad *x, const TactQuad *y)
{
    TactQuad sum = 0;
    for (int k = 0; k < n; k++) {
        sum += x[k] * y[k];
    }
    return sum;
}

static void couple(TactQuadSystem *system)
{
    int n = system->n, dof = system->dof;
    for (int i = 0; i < n; i++) {
        for (int j = 0; j <= i; j++) {
            TactQuad w = quad_dot(dof, system->J + (size_t)i * (size_t)dof,
                                  system->Y + (size_t)j * (size_t)dof);
            system->W[i * n + j] = w;
            system->W[j * n + i] = w;
        }
        system->b[i] = quad_dot(dof, system->J + (size_t)i * (size_t)dof, system->v_free);
    }
}

/// Velocity before the step along a normal.
static TactQuad normal_before(const TactQuadSystem *system, int contact)
{
    const TactContactProblem *problem = system->problem;
    const TactQuad           *J = system->J + 3 * (size_t)contact * (size_t)system->dof;
    TactQuad                  u = 0;
    for (int k = 0; k < system->dof; k++) {
        const TactContactBody *body = problem->bodies ? &problem->bodies[k / 6] : NULL;
        double                 v = !body       ? problem->v[k]
                                   : k % 6 < 3 ? body->velocity[k % 6]
                                               : body->omega[k % 6 - 3];
        u += J[k] * v;
    }
    return u;
}

/// Bias, restitution, belts, targets, compliance.
static void add_given(TactQuadSystem *system)
{
    const TactContactProblem *problem = system->problem;
    int                       n = system->n;
    for (int i = 0; i < problem->contact_count; i++) {
        const TactContact *contact = &problem->contacts[i];
        TactQuad          *b = system->b + 3 * (size_t)i;
        TactQuad           before = contact->restitution > 0 ? normal_before(system, i) : 0;
        TactQuad           given = contact->bias;
        given += before < 0 ? contact->restitution * before : 0;
        system->given[3 * i] = given;
        system->given[3 * i + 1] = system->given[3 * i + 2] = 0;
        b[0] += given;
        b[1] += contact->surface[0];
        b[2] += contact->surface[1];
        system->W[(size_t)(3 * i) * (size_t)(n + 1)] += contact->compliance;
    }
    for (int i = 0; i < problem->row_count; i++) {
        const TactContactRow *row = &problem->rows[i];
        TactQuad              pull = (TactQuad)row->zeta * row->error / problem->step;
        system->b[3 * problem->contact_count + i] -= row->target - pull;
    }
}

/// s of a mean of the diagonal: a power of two.
static double scale_of(double mean)
{
    int exponent;
    if (!(mean > 0) || !isfinite(mean)) {
        return 1;
    }
    frexp(mean, &exponent);
    return ldexp(1, exponent / 2);
}

static void scale_rows(TactQuadSystem *system)
{
    int n = system->n, contacts = system->problem->contact_count;
    for (int i = 0; i < n; i++) {
        int      first = i < 3 * contacts ? i - i % 3 : i, count = i < 3 * contacts ? 3 : 1;
        TactQuad sum = 0;
        for (int k = first; k < first + count; k++) {
            sum += system->W[(size_t)k * (size_t)(n + 1)];
        }
        system->scale[i] = scale_of((double)sum / count);
    }
    for (int i = 0; i < n; i++) {
        system->b[i] /= system->scale[i];
        for (int j = 0; j < n; j++) {
            system->W[i * n + j] /= (TactQuad)system->scale[i] * system->scale[j];
        }
    }
}

bool tact_quad_system_build(TactQuadSystem *system, const TactContactProblem *problem,
                            TactContactCone cone)
{
    system->problem = problem;
    system->cone = cone;
    system->n = 3 * problem->contact_count + problem->row_count;
    system->dof = problem->W ? 0 : tact_contact_get_dof(problem);
    if (problem->W) {
        widen(problem->W, system->n * system->n, system->W);
        widen(problem->u_free, system->n, system->b);
    } else if (problem->M) {
        if (!fill_mechanism(system)) {
            return false;
        }
        couple(system);
    } else {
        fill_bodies(system);
        couple(system);
    }
    add_given(system);
    scale_rows(system);
    memset(system->soft, 0, (size_t)system->n * sizeof *system->soft);
    return true;
}

void tact_quad_system_soften(TactQuadSystem *system, double part)
{
    int contacts = 3 * system->problem->contact_count, n = system->n;
    for (int i = 0; i < n; i++) {
        int      first = i < contacts ? i - i % 3 : i, count = i < contacts ? 3 : 1;
        TactQuad mean = 0;
        for (int k = first; k < first + count; k++) {
            mean +=
                (system->W[(size_t)k * (size_t)(n + 1)] - (k < i ? system->soft[k] : 0)) / count;
        }
        // Those of this contact that come later still have what they had.
        for (int k = i; k < first + count; k++) {
            mean -= system->soft[k] / count;
        }
        system->W[(size_t)i * (size_t)(n + 1)] += part * mean - system->soft[i];
        system->soft[i] = part * mean;
    }
}

void tact_quad_system_move(const TactQuadSystem *system, const TactQuad *p, TactQuad *u)
{
    for (int i = 0; i < system->n; i++) {
        u[i] = system->b[i] + quad_dot(system->n, system->W + (size_t)i * (size_t)system->n, p);
    }
}

void tact_quad_system_set(TactQuadSystem *system, const double *impulse, const double *row_impulse)
{
    int contacts = 3 * system->problem->contact_count;
    for (int i = 0; i < system->n; i++) {
        double p = i < contacts ? impulse[i] : row_impulse[i - contacts];
        system->p[i] = isfinite(p) ? (TactQuad)p * system->scale[i] : 0;
    }
}

/// u of a row as it is reported: without bias, restitution and compliance.
static double reported(const TactQuadSystem *system, int i)
{
    const TactQuad *W = system->W + (size_t)i * (size_t)system->n;
    TactQuad        u = system->b[i] + quad_dot(system->n, W, system->p);
    u = system->scale[i] * (u - system->soft[i] * system->p[i]);
    double soft = i % 3 == 0 ? system->problem->contacts[i / 3].compliance : 0;
    return (double)(u - system->given[i] - soft * (system->p[i] / system->scale[i]));
}

void tact_quad_system_answer(const TactQuadSystem *system, const TactContactAnswer *answer)
{
    int contacts = 3 * system->problem->contact_count;
    for (int i = 0; i < system->n; i++) {
        double p = (double)(system->p[i] / system->scale[i]);
        if (i < contacts) {
            answer->impulse[i] = p;
        } else {
            answer->row_impulse[i - contacts] = p;
        }
    }
    for (int k = 0; k < system->dof; k++) {
        TactQuad v = system->v_free[k];
        for (int i = 0; i < system->n; i++) {
            v += system->Y[(size_t)i * (size_t)system->dof + (size_t)k] *
                 (system->p[i] / system->scale[i]);
        }
        answer->velocity[k] = (double)v;
    }
    for (int i = 0; i < contacts && answer->u; i++) {
        answer->u[i] = reported(system, i);
    }
}

void tact_quad_system_low(const TactQuadSystem *system, const TactContactAnswer *answer,
                          double *low)
{
    int contacts = 3 * system->problem->contact_count;
    for (int i = 0; i < system->n; i++) {
        double p = i < contacts ? answer->impulse[i] : answer->row_impulse[i - contacts];
        low[i] = (double)(system->p[i] / system->scale[i] - p);
    }
}
