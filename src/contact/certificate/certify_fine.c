#include "contact/certificate/certify_fine.h"

#include <string.h>

#include "contact/problem/problem.h"
#include "linalg/quad_cholesky.h"

void tact_certify_fine_layout(TactCertifyFine *fine, const TactContactCapacity *capacity,
                              TactArena *arena)
{
    size_t          n = 3 * (size_t)capacity->contacts + (size_t)capacity->rows;
    size_t          dof = (size_t)capacity->dof;
    TactCertifyFine lent = {
        .p = tact_arena_take(arena, n, sizeof(TactQuad)),
        .push = tact_arena_take(arena, dof, sizeof(TactQuad)),
        .v = tact_arena_take(arena, dof, sizeof(TactQuad)),
        .u = tact_arena_take(arena, n, sizeof(TactQuad)),
        .left = tact_arena_take(arena, dof, sizeof(double)),
        .M = tact_arena_take(arena, capacity->dense ? dof * dof : 0, sizeof(TactQuad)),
    };
    if (arena->block) {
        *fine = lent;
    }
}

// ---------------------------------------------------------------------------------------------
// Free bodies

/// Symmetric A, xx yy zz xy xz yz.
static const int ENTRY[3][3] = {{0, 3, 4}, {3, 1, 5}, {4, 5, 2}};

static void cross_fine(const TactQuad a[3], const TactQuad b[3], TactQuad out[3])
{
    for (int k = 0; k < 3; k++) {
        int m = (k + 1) % 3, l = (k + 2) % 3;
        out[k] = a[m] * b[l] - a[l] * b[m];
    }
}

/// out = I x
static void turn(const TactContactBody *body, const TactQuad x[3], TactQuad out[3])
{
    for (int i = 0; i < 3; i++) {
        out[i] = 0;
        for (int j = 0; j < 3; j++) {
            out[i] += body->inertia[ENTRY[i][j]] * x[j];
        }
    }
}

/// out = I^-1 x by Cramer's rule.
static void turn_back(const TactContactBody *body, const TactQuad x[3], TactQuad out[3])
{
    TactQuad column[3][3], minor[3], determinant = 0;
    for (int j = 0; j < 3; j++) {
        for (int i = 0; i < 3; i++) {
            column[j][i] = body->inertia[ENTRY[i][j]];
        }
    }
    for (int j = 0; j < 3; j++) {
        cross_fine(column[(j + 1) % 3], column[(j + 2) % 3], minor);
        determinant = 0;
        out[j] = 0;
        for (int i = 0; i < 3; i++) {
            determinant += column[j][i] * minor[i];
            out[j] += x[i] * minor[i];
        }
        out[j] /= determinant;
    }
}

/// Arm of a contact at a body.
static void arm_of(const TactContactProblem *problem, const TactContact *contact, int body,
                   TactQuad r[3])
{
    for (int k = 0; k < 3; k++) {
        r[k] = (TactQuad)contact->point[k] - problem->bodies[body].position[k];
    }
}

/// Force and torque of a contact on its bodies.
static void push_contact(TactCertifyFine *fine, const TactContactProblem *problem, int i)
{
    const TactContact *contact = &problem->contacts[i];
    const TactQuad    *p = fine->p + 3 * (size_t)i;
    double             frame[3][3];
    TactQuad           force[3], r[3], torque[3];
    tact_contact_compute_frame(contact, frame);
    for (int k = 0; k < 3; k++) {
        force[k] = p[0] * frame[0][k] + p[1] * frame[1][k] + p[2] * frame[2][k];
    }
    for (int side = 0; side < 2; side++) {
        int body = side ? contact->b : contact->a;
        if (body >= 0) {
            TactQuad *push = fine->push + 6 * (size_t)body;
            arm_of(problem, contact, body, r);
            cross_fine(r, force, torque);
            for (int k = 0; k < 3; k++) {
                push[k] += side ? force[k] : -force[k];
                push[3 + k] += side ? torque[k] : -torque[k];
            }
        }
    }
}

static void push_row(TactCertifyFine *fine, const TactContactProblem *problem, int i)
{
    const TactContactRow *row = &problem->rows[i];
    TactQuad              p = fine->p[3 * problem->contact_count + i];
    for (int k = 0; k < 6; k++) {
        if (row->a >= 0) {
            fine->push[6 * row->a + k] += p * row->J_a[k];
        }
        if (row->b >= 0) {
            fine->push[6 * row->b + k] += p * row->J_b[k];
        }
    }
}

/// h f, the gyroscopic torque included.
static void push_applied(TactCertifyFine *fine, const TactCertifyInput *input, int k)
{
    const TactContactBody *body = &input->problem->bodies[k];
    TactQuad               omega[3], spin[3], torque[3];
    for (int i = 0; i < 3; i++) {
        omega[i] = body->omega[i];
    }
    turn(body, omega, spin);
    cross_fine(spin, omega, torque);
    for (int i = 0; i < 3; i++) {
        fine->push[6 * k + i] = (TactQuad)input->h * body->force[i];
        fine->push[6 * k + 3 + i] = input->h * (body->torque[i] + torque[i]);
    }
}

/// v(p) of a body, and what the velocity that is given leaves of the dynamics.
static void move_body(TactCertifyFine *fine, const TactCertifyInput *input, int k)
{
    const TactContactBody *body = &input->problem->bodies[k];
    const TactQuad        *push = fine->push + 6 * (size_t)k;
    const double          *after = input->velocity + 6 * (size_t)k;
    TactQuad              *v = fine->v + 6 * (size_t)k, gained[3], spun[3];
    turn_back(body, push + 3, v + 3);
    for (int i = 0; i < 3; i++) {
        v[i] = body->velocity[i] + push[i] / body->mass;
        v[3 + i] += body->omega[i];
        spun[i] = (TactQuad)after[3 + i] - body->omega[i];
    }
    turn(body, spun, gained);
    for (int i = 0; i < 3; i++) {
        TactQuad linear = body->mass * ((TactQuad)after[i] - body->velocity[i]);
        fine->left[6 * k + i] = (double)(linear - push[i]);
        fine->left[6 * k + 3 + i] = (double)(gained[i] - push[3 + i]);
    }
}

/// J v(p) of a contact: of b against a.
static void find_contact_motion(TactCertifyFine *fine, const TactContactProblem *problem, int i)
{
    const TactContact *contact = &problem->contacts[i];
    double             frame[3][3];
    TactQuad           r[3], swing[3], apart[3] = {0, 0, 0};
    tact_contact_compute_frame(contact, frame);
    for (int side = 0; side < 2; side++) {
        int body = side ? contact->b : contact->a;
        if (body >= 0) {
            const TactQuad *v = fine->v + 6 * (size_t)body;
            arm_of(problem, contact, body, r);
            cross_fine(v + 3, r, swing);
            for (int k = 0; k < 3; k++) {
                apart[k] += side ? v[k] + swing[k] : -(v[k] + swing[k]);
            }
        }
    }
    for (int c = 0; c < 3; c++) {
        fine->u[3 * i + c] =
            frame[c][0] * apart[0] + frame[c][1] * apart[1] + frame[c][2] * apart[2];
    }
}

static void move_bodies(TactCertifyFine *fine, const TactCertifyInput *input)
{
    const TactContactProblem *problem = input->problem;
    for (int k = 0; k < problem->body_count; k++) {
        push_applied(fine, input, k);
    }
    for (int i = 0; i < problem->contact_count; i++) {
        push_contact(fine, problem, i);
    }
    for (int i = 0; i < problem->row_count; i++) {
        push_row(fine, problem, i);
    }
    for (int k = 0; k < problem->body_count; k++) {
        move_body(fine, input, k);
    }
    for (int i = 0; i < problem->contact_count; i++) {
        find_contact_motion(fine, problem, i);
    }
    for (int i = 0; i < problem->row_count; i++) {
        const TactContactRow *row = &problem->rows[i];
        TactQuad             *u = &fine->u[3 * problem->contact_count + i];
        *u = 0;
        for (int k = 0; k < 6; k++) {
            *u += row->a >= 0 ? row->J_a[k] * fine->v[6 * row->a + k] : 0;
            *u += row->b >= 0 ? row->J_b[k] * fine->v[6 * row->b + k] : 0;
        }
    }
}

// ---------------------------------------------------------------------------------------------
// Mechanisms, W

static const double *mechanism_row(const TactContactProblem *problem, int i)
{
    int rows = 3 * problem->contact_count;
    return i < rows ? problem->contacts[i / 3].J + (size_t)(i % 3) * (size_t)problem->nv
                    : problem->rows[i - rows].J;
}

static bool move_mechanism(TactCertifyFine *fine, const TactCertifyInput *input)
{
    const TactContactProblem *problem = input->problem;
    int                       nv = problem->nv;
    int                       n = 3 * problem->contact_count + problem->row_count;
    for (int k = 0; k < nv; k++) {
        fine->push[k] = (TactQuad)input->h * problem->tau[k];
        for (int i = 0; i < n; i++) {
            fine->push[k] += fine->p[i] * mechanism_row(problem, i)[k];
        }
        fine->v[k] = fine->push[k];
        TactQuad gained = 0;
        for (int j = 0; j < nv; j++) {
            double m = problem->M[k * nv + j];
            fine->M[k * nv + j] = m;
            gained += m * ((TactQuad)input->velocity[j] - problem->v[j]);
        }
        fine->left[k] = (double)(gained - fine->push[k]);
    }
    if (!tact_quad_factor(fine->M, nv)) {
        return false;
    }
    tact_quad_solve(fine->M, nv, fine->v);
    for (int k = 0; k < nv; k++) {
        fine->v[k] += problem->v[k];
    }
    for (int i = 0; i < n; i++) {
        fine->u[i] = 0;
        for (int k = 0; k < nv; k++) {
            fine->u[i] += mechanism_row(problem, i)[k] * fine->v[k];
        }
    }
    return true;
}

static void move_by_W(TactCertifyFine *fine, const TactContactProblem *problem)
{
    int n = 3 * problem->contact_count;
    for (int i = 0; i < n; i++) {
        fine->u[i] = problem->u_free[i];
        for (int j = 0; j < n; j++) {
            fine->u[i] += problem->W[(size_t)i * (size_t)n + (size_t)j] * fine->p[j];
        }
    }
}

bool tact_certify_fine_begin(TactCertifyFine *fine, const TactCertifyInput *input)
{
    const TactContactProblem *problem = input->problem;
    int                       contacts = 3 * problem->contact_count;
    if (problem->level != TACT_LEVEL_VELOCITY || (tact_contact_has_W(problem) && !problem->W)) {
        return false;
    }
    for (int i = 0; i < contacts + problem->row_count; i++) {
        double p = i < contacts ? input->impulse[i] : input->row_impulse[i - contacts];
        fine->p[i] = (TactQuad)p + fine->low[i];
    }
    if (problem->W) {
        move_by_W(fine, problem);
        return true;
    }
    if (problem->M) {
        return move_mechanism(fine, input);
    }
    move_bodies(fine, input);
    return true;
}

// ---------------------------------------------------------------------------------------------
// Law

void tact_certify_fine_velocity(const TactCertifyFine *fine, const TactCertifyInput *input, int i,
                                double added, double u[3])
{
    TactQuad *own = fine->u + 3 * (size_t)i;
    own[0] += added + input->problem->contacts[i].compliance * fine->p[3 * i];
    for (int k = 1; k < 3; k++) {
        own[k] += tact_contact_surface(input->problem, i, k);
    }
    for (int k = 0; k < 3; k++) {
        u[k] = (double)own[k];
    }
}

/// Corner j of the polygon of size 1: as in law_lanes.h, the second half opposes the first.
static void corner_of(const TactCertifyPyramid *pyramid, int j, TactQuad d[2])
{
    int at = j % pyramid->count, half = pyramid->count / 2;
    d[0] = at < half ? pyramid->direction[at][0] : -pyramid->direction[at - half][0];
    d[1] = at < half ? pyramid->direction[at][1] : -pyramid->direction[at - half][1];
}

static TactQuad distance_of(const TactQuad x[3], const TactQuad y[3])
{
    TactQuad sum = 0;
    for (int k = 0; k < 3; k++) {
        sum += (x[k] - y[k]) * (x[k] - y[k]);
    }
    return sum;
}

/// y becomes z if that is nearer to x.
static void take_nearer(const TactQuad x[3], const TactQuad z[3], TactQuad y[3])
{
    if (distance_of(x, z) < distance_of(x, y)) {
        memcpy(y, z, 3 * sizeof *y);
    }
}

/// The nearest point of the face between the corners a and b, if there is one on it; false: x lies
/// on the inner side of the face.
static bool try_face(const TactQuad a[2], const TactQuad b[2], TactQuad mu, const TactQuad x[3],
                     TactQuad y[3])
{
    TactQuad along[2] = {b[0] - a[0], b[1] - a[1]};
    TactQuad length = tact_quad_root(along[0] * along[0] + along[1] * along[1]);
    TactQuad m[2] = {along[1] / length, -along[0] / length};
    TactQuad reach = mu * (m[0] * a[0] + m[1] * a[1]);
    TactQuad out = m[0] * x[1] + m[1] * x[2] - reach * x[0];
    if (!(out > 0)) {
        return false;
    }
    TactQuad part = out / (1 + reach * reach);
    TactQuad z[3] = {x[0] + part * reach, x[1] - part * m[0], x[2] - part * m[1]};
    TactQuad from = along[0] * (z[1] - mu * z[0] * a[0]) + along[1] * (z[2] - mu * z[0] * a[1]);
    if (z[0] >= 0 && from >= 0 && from <= mu * z[0] * length * length) {
        take_nearer(x, z, y);
    }
    return true;
}

/// y = the point of the cone over a polygon nearest to x: x itself, on a face, on an edge, or 0.
static void project_pyramid(const TactCertifyPyramid *pyramid, TactQuad mu, const TactQuad x[3],
                            TactQuad y[3])
{
    bool     inside = x[0] >= 0;
    TactQuad a[2], b[2];
    y[0] = y[1] = y[2] = 0;
    for (int j = 0; j < pyramid->count; j++) {
        corner_of(pyramid, j, a);
        corner_of(pyramid, j + 1, b);
        inside = !try_face(a, b, mu, x, y) && inside;
        TactQuad ray[3] = {1, mu * a[0], mu * a[1]};
        TactQuad part = (x[0] * ray[0] + x[1] * ray[1] + x[2] * ray[2]) /
                        (1 + ray[1] * ray[1] + ray[2] * ray[2]);
        TactQuad z[3] = {part, part * ray[1], part * ray[2]};
        if (part > 0) {
            take_nearer(x, z, y);
        }
    }
    if (inside) {
        memcpy(y, x, 3 * sizeof *y);
    }
}

static void project_circle(TactQuad mu, const TactQuad x[3], TactQuad y[3])
{
    TactQuad t = tact_quad_root(x[1] * x[1] + x[2] * x[2]);
    TactQuad along = (x[0] + mu * t) / (1 + mu * mu);
    bool     inside = x[0] >= 0 && t <= mu * x[0]; // mu and t may both be 0
    y[0] = inside ? x[0] : tact_quad_larger(along, 0);
    for (int k = 1; k < 3; k++) {
        y[k] = inside ? x[k] : along > 0 && t > 0 ? mu * along * x[k] / t : 0;
    }
}

/// lambda(u_t) (3).
static TactQuad support_of(const TactCertifyPyramid *pyramid, const TactQuad u[3])
{
    TactQuad most = 0, d[2];
    if (!pyramid) {
        return tact_quad_root(u[1] * u[1] + u[2] * u[2]);
    }
    for (int j = 0; j < pyramid->count; j++) {
        corner_of(pyramid, j, d);
        most = tact_quad_larger(most, -(d[0] * u[1] + d[1] * u[2]));
    }
    return most;
}

double tact_certify_fine_residual(const TactCertifyFine *fine, const TactCertifyFour *four,
                                  int lane)
{
    const TactQuad *p = fine->p + 3 * (size_t)four->contact[lane];
    const TactQuad *u = fine->u + 3 * (size_t)four->contact[lane];
    TactQuad        mu = four->mu[lane], w = four->w[lane], y[3];
    TactQuad        lifted = u[0] + mu * support_of(four->pyramid, u);
    TactQuad        x[3] = {p[0] - lifted / w, p[1] - u[1] / w, p[2] - u[2] / w};
    if (four->pyramid) {
        project_pyramid(four->pyramid, mu, x, y);
    } else {
        project_circle(mu, x, y);
    }
    TactQuad missed = w * tact_quad_root(distance_of(p, y));
    return (double)tact_quad_larger(missed, -u[0] / (TactQuad)1.5);
}

void tact_certify_fine_power(const TactCertifyFine *fine, const TactCertifyInput *input,
                             TactCertifier *certifier)
{
    const TactContactProblem *problem = input->problem;
    for (int island = 0; island < problem->contact_count && problem->W; island++) {
        TactQuad free = 0, all = 0;
        for (int i = 0; i < 3 * problem->contact_count; i++) {
            if (certifier->label[i / 3] == island) {
                TactQuad u = problem->u_free[i];
                for (int j = 0; j < 3 * problem->contact_count; j++) {
                    u += problem->W[(size_t)i * 3 * (size_t)problem->contact_count + (size_t)j] *
                         fine->p[j];
                }
                free += fine->p[i] * problem->u_free[i];
                all += fine->p[i] * u;
            }
        }
        certifier->islands[island].power[0] = (double)free;
        certifier->islands[island].power[1] = (double)all;
    }
}
