// Cases: their memory, their parts, and what can be done to a whole one.
#include "bench/problems/contact_scenes.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <tact/math.h>

#include "bench/problems/contact_lcp.h"

static void *zeros(size_t count, size_t size, TactStatus *status)
{
    void *block = count > 0 ? calloc(count, size) : NULL;
    if (count > 0 && !block) {
        *status = TACT_NO_MEMORY;
    }
    return block;
}

TactStatus tact_case_create(const TactCaseSize *size, TactContactCase *out)
{
    size_t     nv = (size_t)size->nv, contacts = (size_t)size->contacts;
    size_t     delassus = size->bodies == 0 && nv == 0 ? 3 * contacts : 0;
    TactStatus status = TACT_OK;
    *out = (TactContactCase){
        .bodies = zeros((size_t)size->bodies, sizeof(TactContactBody), &status),
        .contacts = zeros(contacts, sizeof(TactContact), &status),
        .rows = zeros((size_t)size->rows, sizeof(TactContactRow), &status),
        .M = zeros(nv * nv, sizeof(double), &status),
        .v = zeros(nv, sizeof(double), &status),
        .tau = zeros(nv, sizeof(double), &status),
        .parent = zeros(nv, sizeof(int), &status),
        .J = zeros(3 * contacts * nv, sizeof(double), &status),
        .row_J = zeros((size_t)size->rows * nv, sizeof(double), &status),
        .W = zeros(delassus * delassus, sizeof(double), &status),
        .u_free = zeros(delassus, sizeof(double), &status),
    };
    out->problem = (TactContactProblem){
        .step = 0.01,
        .bodies = out->bodies,
        .nv = size->nv,
        .M = out->M,
        .parent = out->parent,
        .v = out->v,
        .tau = out->tau,
        .W = out->W,
        .u_free = out->u_free,
        .contacts = out->contacts,
        .rows = out->rows,
    };
    return status;
}

void tact_case_destroy(TactContactCase *out)
{
    free(out->bodies);
    free(out->contacts);
    free(out->rows);
    free(out->M);
    free(out->v);
    free(out->tau);
    free(out->parent);
    free(out->J);
    free(out->row_J);
    free(out->W);
    free(out->u_free);
    *out = (TactContactCase){0};
}

// ---------------------------------------------------------------------------------------------
// Parts

static TactVec3 vec3(const double *x)
{
    return (TactVec3){x[0], x[1], x[2]};
}

static void store(TactVec3 x, double *out)
{
    out[0] = x.x;
    out[1] = x.y;
    out[2] = x.z;
}

TactContactBody *tact_case_add_box(TactContactCase *out, double mass, const double half[3],
                                   const double position[3])
{
    TactContactBody *body = &out->bodies[out->problem.body_count++];
    *body = (TactContactBody){.mass = mass};
    for (int i = 0; i < 3; i++) {
        double a = half[(i + 1) % 3], b = half[(i + 2) % 3];
        body->inertia[i] = mass / 3 * (a * a + b * b);
        body->position[i] = position[i];
    }
    return body;
}

TactContact *tact_case_add_contact(TactContactCase *out, int a, int b, const double point[3],
                                   const double normal[3], double mu)
{
    int          index = out->problem.contact_count++;
    TactContact *contact = &out->contacts[index];
    *contact = (TactContact){.a = a, .b = b, .mu = mu, .id = (uint64_t)index + 1};
    store(vec3(point), contact->point);
    store(tact_vec3_normalise(vec3(normal)), contact->normal);
    return contact;
}

TactContactRow *tact_case_add_row(TactContactCase *out, TactContactRowKind kind, int a, int b)
{
    TactContactRow *row = &out->rows[out->problem.row_count++];
    *row = (TactContactRow){.kind = kind, .a = a, .b = b};
    return row;
}

void tact_case_point_row(const TactContactCase *out, TactContactRow *row, const double point[3],
                         const double direction[3])
{
    for (int side = 0; side < 2; side++) {
        int     body = side ? row->b : row->a;
        double *J = side ? row->J_b : row->J_a;
        if (body >= 0) {
            TactVec3 arm = tact_vec3_subtract(vec3(point), vec3(out->bodies[body].position));
            TactVec3 along = tact_vec3_scale(side ? 1 : -1, vec3(direction));
            store(along, J);
            store(tact_vec3_cross(arm, along), J + 3);
        }
    }
}

void tact_case_turn_row(TactContactRow *row, const double direction[3])
{
    if (row->a >= 0) {
        store(tact_vec3_negate(vec3(direction)), row->J_a + 3);
    }
    if (row->b >= 0) {
        store(vec3(direction), row->J_b + 3);
    }
}

// ---------------------------------------------------------------------------------------------
// Whole cases

TactStatus tact_case_from_scene(const TactScene *scene, TactContactCase *out)
{
    TactCaseSize size = {.bodies = scene->bodies, .contacts = scene->contacts};
    TactStatus   status = tact_case_create(&size, out);
    if (status != TACT_OK) {
        return status;
    }
    for (int k = 0; k < scene->bodies; k++) {
        const TactSceneBody *from = &scene->body[k];
        TactContactBody     *body = &out->bodies[out->problem.body_count++];
        body->mass = from->mass;
        for (int i = 0; i < 3; i++) {
            body->inertia[i] = from->inertia[i];
            body->position[i] = from->position[i];
            body->velocity[i] = from->momentum[i] / from->mass;
            body->omega[i] = from->momentum[3 + i] / from->inertia[i];
        }
    }
    for (int k = 0; k < scene->contacts; k++) {
        const TactSceneContact *from = &scene->contact[k];
        TactContact            *contact =
            tact_case_add_contact(out, from->a, from->b, from->point, from->normal, from->mu);
        store(vec3(from->normal), contact->normal); // to the last bit
    }
    return TACT_OK;
}

TactStatus tact_case_to_delassus(const TactContactCase *bodies, TactContactCase *out)
{
    int          contacts = bodies->problem.contact_count;
    TactCaseSize size = {.contacts = contacts};
    TactStatus   status = tact_case_create(&size, out);
    if (status != TACT_OK) {
        return status;
    }
    for (int i = 0; i < contacts; i++) {
        const TactContact *from = &bodies->contacts[i];
        out->contacts[i] = (TactContact){
            .mu = from->mu, .directions = from->directions, .turn = from->turn, .id = from->id};
    }
    out->problem.contact_count = contacts;
    return tact_case_delassus(&bodies->problem, out->W, out->u_free);
}

static TactMat3 random_turn(TactRandom *random)
{
    double q[4], square = 0;
    for (int i = 0; i < 4; i++) {
        q[i] = tact_random_normal(random);
        square += q[i] * q[i];
    }
    double s = 1 / sqrt(square);
    return tact_quat_to_mat3((TactQuat){s * q[0], s * q[1], s * q[2], s * q[3]});
}

static void turn_vector(TactMat3 R, double *x)
{
    store(tact_mat3_apply(R, vec3(x)), x);
}

static void turn_inertia(TactMat3 R, double I[6])
{
    TactMat3 A = {{{I[0], I[3], I[4]}, {I[3], I[1], I[5]}, {I[4], I[5], I[2]}}};
    A = tact_mat3_multiply(R, tact_mat3_multiply(A, tact_mat3_transpose(R)));
    for (int i = 0; i < 3; i++) {
        I[i] = A.m[i][i];
    }
    I[3] = A.m[0][1];
    I[4] = A.m[0][2];
    I[5] = A.m[1][2];
}

void tact_case_turn(TactContactCase *out, TactRandom *random)
{
    TactMat3 R = random_turn(random);
    for (int k = 0; k < out->problem.body_count; k++) {
        TactContactBody *body = &out->bodies[k];
        turn_inertia(R, body->inertia);
        double *vectors[] = {body->position, body->velocity, body->omega, body->force,
                             body->torque};
        for (size_t i = 0; i < sizeof vectors / sizeof *vectors; i++) {
            turn_vector(R, vectors[i]);
        }
    }
    for (int k = 0; k < out->problem.contact_count; k++) {
        TactContact *contact = &out->contacts[k];
        turn_vector(R, contact->point);
        turn_vector(R, contact->normal);
        turn_vector(R, contact->tangent);
        store(tact_vec3_normalise(vec3(contact->normal)), contact->normal);
    }
    for (int k = 0; k < out->problem.row_count; k++) {
        for (int i = 0; i < 6; i += 3) {
            turn_vector(R, out->rows[k].J_a + i);
            turn_vector(R, out->rows[k].J_b + i);
        }
    }
}

static double arm_length(const TactContactCase *out, const TactContact *contact)
{
    int      body = contact->b >= 0 ? contact->b : contact->a;
    TactVec3 arm = tact_vec3_subtract(vec3(contact->point), vec3(out->bodies[body].position));
    return tact_vec3_norm(arm);
}

void tact_case_disturb(TactContactCase *out, TactRandom *random, double eps)
{
    size_t nv = (size_t)out->problem.nv;
    for (int k = 0; k < out->problem.contact_count; k++) {
        TactContact *contact = &out->contacts[k];
        double      *J = out->J + 3 * nv * (size_t)k;
        for (size_t i = 0; i < 3 * nv; i++) {
            J[i] += J[i] != 0 ? tact_random_uniform(random, -eps, eps) : 0;
        }
        if (!out->bodies) {
            continue;
        }
        double length = arm_length(out, contact);
        for (int i = 0; i < 3; i++) {
            contact->point[i] += length * tact_random_uniform(random, -eps, eps);
            contact->normal[i] += tact_random_uniform(random, -eps, eps);
        }
        store(tact_vec3_normalise(vec3(contact->normal)), contact->normal);
    }
}

static void scale_all(double *x, int count, double by)
{
    for (int i = 0; i < count; i++) {
        x[i] *= by;
    }
}

void tact_case_rescale(TactContactCase *out, TactRandom *random)
{
    double metre = pow(10, tact_random_uniform(random, -4, 3));
    double kilogram = pow(10, tact_random_uniform(random, -6, 6));
    double second = pow(10, tact_random_uniform(random, -3, 2));
    out->problem.step *= second;
    for (int k = 0; k < out->problem.body_count; k++) {
        TactContactBody *body = &out->bodies[k];
        body->mass *= kilogram;
        scale_all(body->inertia, 6, kilogram * metre * metre);
        scale_all(body->position, 3, metre);
        scale_all(body->velocity, 3, metre / second);
        scale_all(body->omega, 3, 1 / second);
        scale_all(body->force, 3, kilogram * metre / (second * second));
        scale_all(body->torque, 3, kilogram * metre * metre / (second * second));
    }
    for (int k = 0; k < out->problem.contact_count; k++) {
        TactContact *contact = &out->contacts[k];
        scale_all(contact->point, 3, metre);
        contact->bias *= metre / second;
        contact->compliance *= 1 / kilogram;
    }
}
