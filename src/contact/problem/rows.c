#include "contact/problem/rows.h"

#include <string.h>

static void cross_arm(const double *a, const double *b, double *out)
{
    out[0] = a[1] * b[2] - a[2] * b[1];
    out[1] = a[2] * b[0] - a[0] * b[2];
    out[2] = a[0] * b[1] - a[1] * b[0];
}

static const TactContactRow *joint_row(const TactContactProblem *problem, int source)
{
    int row = source - problem->contact_count;
    return row >= 0 ? &problem->rows[row] : NULL;
}

/// Does the row of a joint stand at this component? Motors, and moments of patches, at 1.
static bool stands_at(const TactContactRow *row, int component)
{
    return component == (row->kind >= TACT_ROW_MOTOR ? 1 : 0);
}

void tact_rows_bodies(const TactContactProblem *problem, int source, int *a, int *b)
{
    const TactContactRow *row = joint_row(problem, source);
    *a = row ? row->a : problem->contacts[source].a;
    *b = row ? row->b : problem->contacts[source].b;
}

bool tact_rows_body_part(const TactContactProblem *problem, int source, int component, int body,
                         double part[6])
{
    const TactContactRow *row = joint_row(problem, source);
    if (row) {
        if (!stands_at(row, component) || (row->a != body && row->b != body)) {
            return false;
        }
        memcpy(part, row->a == body ? row->J_a : row->J_b, 6 * sizeof(double));
        return true;
    }
    const TactContact *contact = &problem->contacts[source];
    if (contact->a != body && contact->b != body) {
        return false;
    }
    double frame[3][3];
    double arm[3];
    tact_contact_compute_frame(contact, frame);
    double sign = contact->b == body ? 1 : -1;
    for (int i = 0; i < 3; i++) {
        arm[i] = contact->point[i] - problem->bodies[body].position[i];
        part[i] = sign * frame[component][i];
    }
    cross_arm(arm, part, part + 3);
    return true;
}

const double *tact_rows_generalized(const TactContactProblem *problem, int source, int component)
{
    const TactContactRow *row = joint_row(problem, source);
    if (row) {
        return stands_at(row, component) ? row->J : NULL;
    }
    return problem->contacts[source].J + (size_t)component * (size_t)problem->nv;
}

void tact_rows_add(const TactContactProblem *problem, int source, int component, double factor,
                   double *x)
{
    if (problem->M) {
        const double *J = tact_rows_generalized(problem, source, component);
        for (int j = 0; J && j < problem->nv; j++) {
            x[j] += factor * J[j];
        }
        return;
    }
    int bodies[2];
    tact_rows_bodies(problem, source, &bodies[0], &bodies[1]);
    for (int k = 0; k < 2; k++) {
        double part[6];
        if (bodies[k] >= 0 && tact_rows_body_part(problem, source, component, bodies[k], part)) {
            for (int j = 0; j < 6; j++) {
                x[6 * bodies[k] + j] += factor * part[j];
            }
        }
    }
}

double tact_rows_dot(const TactContactProblem *problem, int source, int component, const double *v)
{
    double sum = 0;
    if (problem->M) {
        const double *J = tact_rows_generalized(problem, source, component);
        for (int j = 0; J && j < problem->nv; j++) {
            sum += J[j] * v[j];
        }
        return sum;
    }
    int bodies[2];
    tact_rows_bodies(problem, source, &bodies[0], &bodies[1]);
    for (int k = 0; k < 2; k++) {
        double part[6];
        if (bodies[k] >= 0 && tact_rows_body_part(problem, source, component, bodies[k], part)) {
            for (int j = 0; j < 6; j++) {
                sum += part[j] * v[6 * bodies[k] + j];
            }
        }
    }
    return sum;
}

void tact_rows_forces(const TactContactProblem *problem, double *f)
{
    if (problem->M) {
        memcpy(f, problem->tau, (size_t)problem->nv * sizeof(double));
        return;
    }
    for (int k = 0; k < problem->body_count; k++) {
        const TactContactBody *body = &problem->bodies[k];
        const double          *I = body->inertia;
        const double          *w = body->omega;
        double                 momentum[3] = {I[0] * w[0] + I[3] * w[1] + I[4] * w[2],
                                              I[3] * w[0] + I[1] * w[1] + I[5] * w[2],
                                              I[4] * w[0] + I[5] * w[1] + I[2] * w[2]};
        double                 gyroscopic[3];
        cross_arm(w, momentum, gyroscopic);
        for (int i = 0; i < 3; i++) {
            f[6 * k + i] = body->force[i];
            f[6 * k + 3 + i] = body->torque[i] - gyroscopic[i];
        }
    }
}

void tact_rows_velocity(const TactContactProblem *problem, double *v)
{
    if (problem->M) {
        memcpy(v, problem->v, (size_t)problem->nv * sizeof(double));
        return;
    }
    for (int k = 0; k < problem->body_count; k++) {
        memcpy(v + 6 * k, problem->bodies[k].velocity, 3 * sizeof(double));
        memcpy(v + 6 * k + 3, problem->bodies[k].omega, 3 * sizeof(double));
    }
}

double tact_rows_target(const TactContactProblem *problem, int row)
{
    const TactContactRow *source = &problem->rows[row];
    double                h = problem->level == TACT_LEVEL_VELOCITY ? problem->step : 1;
    return source->target - source->zeta * source->error / h;
}
