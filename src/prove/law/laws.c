#include <tact/base.h>

#include "prove/law/laws.h"

#ifdef TACT_HAVE_GMP

#include "base/status.h"
#include "contact/problem/problem.h"

double tact_laws_step(const TactContactProblem *problem)
{
    return problem->level == TACT_LEVEL_VELOCITY ? problem->step : 1;
}

/// out += sign a b
static void add_product(mpq_t out, double sign, const mpq_t a, const mpq_t b)
{
    mpq_t product;
    mpq_init(product);
    mpq_mul(product, a, b);
    if (sign < 0) {
        mpq_sub(out, out, product);
    } else {
        mpq_add(out, out, product);
    }
    mpq_clear(product);
}

typedef struct Vector {
    mpq_t x[3];
} Vector;

static void vector_init(Vector *vector, const double *values)
{
    for (int i = 0; i < 3; i++) {
        mpq_init(vector->x[i]);
        if (values) {
            mpq_set_d(vector->x[i], values[i]);
        }
    }
}

static void vector_clear(Vector *vector)
{
    for (int i = 0; i < 3; i++) {
        mpq_clear(vector->x[i]);
    }
}

static void cross(const Vector *a, const Vector *b, Vector *out)
{
    for (int i = 0; i < 3; i++) {
        int j = (i + 1) % 3, k = (i + 2) % 3;
        mpq_set_ui(out->x[i], 0, 1);
        add_product(out->x[i], 1, a->x[j], b->x[k]);
        add_product(out->x[i], -1, a->x[k], b->x[j]);
    }
}

// ---------------------------------------------------------------------------------------------
// Rows of J

/// sign (n, arm x n) of one body.
static void add_body(TactLaws *laws, TactExactForm *form, int body, const double *point,
                     const double *direction, double sign)
{
    Vector centre, arm, along, turning;
    if (body < 0) {
        return;
    }
    double signed_direction[3] = {sign * direction[0], sign * direction[1], sign * direction[2]};
    vector_init(&centre, laws->problem->bodies[body].position);
    vector_init(&arm, point);
    vector_init(&along, signed_direction);
    vector_init(&turning, NULL);
    for (int i = 0; i < 3; i++) {
        mpq_sub(arm.x[i], arm.x[i], centre.x[i]);
    }
    cross(&arm, &along, &turning);
    for (int i = 0; i < 3; i++) {
        tact_exact_form_add(&laws->J, form, 6 * body + i, along.x[i]);
        tact_exact_form_add(&laws->J, form, 6 * body + 3 + i, turning.x[i]);
    }
    vector_clear(&centre);
    vector_clear(&arm);
    vector_clear(&along);
    vector_clear(&turning);
}

static void add_dense(TactLaws *laws, TactExactForm *form, const double *values)
{
    for (int d = 0; d < laws->dof; d++) {
        if (values[d] != 0) {
            tact_exact_form_add_double(&laws->J, form, d, values[d]);
        }
    }
}

static void make_contact_rows(TactLaws *laws, int i)
{
    const TactContactProblem *problem = laws->problem;
    const TactContact        *contact = &problem->contacts[i];
    double                    frame[3][3];
    if (problem->bodies) {
        tact_contact_compute_frame(contact, frame);
    }
    for (int k = 0; k < 3; k++) {
        TactExactForm *form = tact_exact_set_next(&laws->J, i, k);
        if (problem->bodies) {
            add_body(laws, form, contact->a, contact->point, frame[k], -1);
            add_body(laws, form, contact->b, contact->point, frame[k], 1);
        } else if (problem->M) {
            add_dense(laws, form, contact->J + (size_t)k * (size_t)problem->nv);
        }
    }
}

static void make_joint_row(TactLaws *laws, int r)
{
    const TactContactRow *row = &laws->problem->rows[r];
    TactExactForm        *form = tact_exact_set_next(&laws->J, laws->contacts + r, 0);
    if (laws->problem->M) {
        add_dense(laws, form, row->J);
        return;
    }
    for (int side = 0; side < 2; side++) {
        int           body = side == 0 ? row->a : row->b;
        const double *part = side == 0 ? row->J_a : row->J_b;
        for (int i = 0; i < 6 && body >= 0; i++) {
            tact_exact_form_add_double(&laws->J, form, 6 * body + i, part[i]);
        }
    }
}

// ---------------------------------------------------------------------------------------------
// u

static double velocity_before(const TactContactProblem *problem, int d)
{
    if (problem->M) {
        return problem->v[d];
    }
    const TactContactBody *body = &problem->bodies[d / 6];
    return d % 6 < 3 ? body->velocity[d % 6] : body->omega[d % 6 - 3];
}

/// e min(J_n v, 0)
static void add_restitution(TactLaws *laws, int i, TactExactForm *form)
{
    const TactExactForm *J = &laws->J.forms[3 * i];
    mpq_t                before, value;
    mpq_inits(before, value, NULL);
    for (int k = 0; k < J->count; k++) {
        mpq_set_d(value, velocity_before(laws->problem, J->column[k]));
        add_product(before, 1, value, J->value[k]);
    }
    if (mpq_sgn(before) < 0) {
        mpq_set_d(value, laws->problem->contacts[i].restitution);
        mpq_mul(value, value, before);
        tact_exact_form_add(&laws->u, form, -1, value);
    }
    mpq_clears(before, value, NULL);
}

static void make_contact_u(TactLaws *laws, int i)
{
    const TactContactProblem *problem = laws->problem;
    const TactContact        *contact = &problem->contacts[i];
    size_t                    n = 3 * (size_t)laws->contacts;
    mpq_t                     one;
    mpq_init(one);
    mpq_set_ui(one, 1, 1);
    for (int k = 0; k < 3; k++) {
        TactExactForm *form = tact_exact_set_next(&laws->u, i, k);
        if (problem->W) {
            size_t row = 3 * (size_t)i + (size_t)k;
            for (int j = 0; j < 3 * laws->contacts; j++) {
                double value = problem->W[row * n + (size_t)j];
                if (value != 0) {
                    tact_exact_form_add_double(&laws->u, form, laws->dof + j, value);
                }
            }
            tact_exact_form_add_double(&laws->u, form, -1, problem->u_free[row]);
        } else {
            tact_exact_form_add_form(&laws->u, form, one, &laws->J.forms[3 * i + k]);
        }
        if (k == 0) {
            tact_exact_form_add_double(&laws->u, form, -1, contact->bias);
            tact_exact_form_add_double(&laws->u, form, tact_laws_impulse(laws, i, 0),
                                       contact->compliance);
            if (contact->restitution > 0 && !problem->W) {
                add_restitution(laws, i, form);
            }
        } else {
            tact_exact_form_add_double(&laws->u, form, -1, tact_contact_surface(problem, i, k));
        }
    }
    mpq_clear(one);
}

/// J v+ - target + zeta error / h
static void make_row_u(TactLaws *laws, int r)
{
    const TactContactRow *row = &laws->problem->rows[r];
    TactExactForm        *form = tact_exact_set_next(&laws->u, laws->contacts + r, 0);
    mpq_t                 x, y;
    mpq_inits(x, y, NULL);
    mpq_set_ui(x, 1, 1);
    tact_exact_form_add_form(&laws->u, form, x, &laws->J.forms[3 * laws->contacts + r]);
    tact_exact_form_add_double(&laws->u, form, -1, -row->target);
    mpq_set_d(x, row->zeta);
    mpq_set_d(y, row->error);
    mpq_mul(x, x, y);
    mpq_set_d(y, tact_laws_step(laws->problem));
    mpq_div(x, x, y);
    tact_exact_form_add(&laws->u, form, -1, x);
    mpq_clears(x, y, NULL);
}

// ---------------------------------------------------------------------------------------------
// Dynamics

/// form += M_dj (v+_j - v_j), without v on the level of accelerations.
static void add_inertia(TactLaws *laws, TactExactForm *form, int j, double mass)
{
    mpq_t x, y;
    if (mass == 0) {
        return;
    }
    mpq_inits(x, y, NULL);
    mpq_set_d(x, mass);
    tact_exact_form_add(&laws->dynamics, form, j, x);
    if (laws->problem->level == TACT_LEVEL_VELOCITY) {
        mpq_set_d(y, velocity_before(laws->problem, j));
        mpq_mul(x, x, y);
        mpq_neg(x, x);
        tact_exact_form_add(&laws->dynamics, form, -1, x);
    }
    mpq_clears(x, y, NULL);
}

/// torque - omega x I omega
static void applied_torque(const TactContactBody *body, Vector *torque)
{
    const double *I = body->inertia;
    double        full[3][3] = {{I[0], I[3], I[4]}, {I[3], I[1], I[5]}, {I[4], I[5], I[2]}};
    Vector        omega, momentum, gyroscopic;
    vector_init(&omega, body->omega);
    vector_init(&momentum, NULL);
    vector_init(&gyroscopic, NULL);
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) {
            mpq_t entry;
            mpq_init(entry);
            mpq_set_d(entry, full[i][j]);
            add_product(momentum.x[i], 1, entry, omega.x[j]);
            mpq_clear(entry);
        }
    }
    cross(&omega, &momentum, &gyroscopic);
    for (int i = 0; i < 3; i++) {
        mpq_set_d(torque->x[i], body->torque[i]);
        mpq_sub(torque->x[i], torque->x[i], gyroscopic.x[i]);
    }
    vector_clear(&omega);
    vector_clear(&momentum);
    vector_clear(&gyroscopic);
}

/// form -= h force
static void add_force(TactLaws *laws, TactExactForm *form, const mpq_t force)
{
    mpq_t x;
    mpq_init(x);
    mpq_set_d(x, -tact_laws_step(laws->problem));
    mpq_mul(x, x, force);
    tact_exact_form_add(&laws->dynamics, form, -1, x);
    mpq_clear(x);
}

static void make_body_dynamics(TactLaws *laws, int k)
{
    const TactContactBody *body = &laws->problem->bodies[k];
    const double          *I = body->inertia;
    double full[3][3] = {{I[0], I[3], I[4]}, {I[3], I[1], I[5]}, {I[4], I[5], I[2]}};
    Vector force, torque;
    vector_init(&force, body->force);
    vector_init(&torque, NULL);
    applied_torque(body, &torque);
    for (int i = 0; i < 3; i++) {
        TactExactForm *form = tact_exact_set_next(&laws->dynamics, -1, 6 * k + i);
        add_inertia(laws, form, 6 * k + i, body->mass);
        add_force(laws, form, force.x[i]);
    }
    for (int i = 0; i < 3; i++) {
        TactExactForm *form = tact_exact_set_next(&laws->dynamics, -1, 6 * k + 3 + i);
        for (int j = 0; j < 3; j++) {
            add_inertia(laws, form, 6 * k + 3 + j, full[i][j]);
        }
        add_force(laws, form, torque.x[i]);
    }
    vector_clear(&force);
    vector_clear(&torque);
}

static void make_mechanism_dynamics(TactLaws *laws)
{
    const TactContactProblem *problem = laws->problem;
    for (int d = 0; d < laws->dof; d++) {
        TactExactForm *form = tact_exact_set_next(&laws->dynamics, -1, d);
        mpq_t          tau;
        for (int j = 0; j < laws->dof; j++) {
            add_inertia(laws, form, j, problem->M[(size_t)d * (size_t)laws->dof + (size_t)j]);
        }
        mpq_init(tau);
        mpq_set_d(tau, problem->tau[d]);
        add_force(laws, form, tau);
        mpq_clear(tau);
    }
}

TactStatus tact_laws_create(const TactContactProblem *problem, TactLaws *laws)
{
    *laws = (TactLaws){.problem = problem,
                       .dof = tact_contact_get_dof(problem),
                       .contacts = problem->contact_count,
                       .rows = problem->row_count};
    for (int i = 0; i < laws->contacts; i++) {
        make_contact_rows(laws, i);
    }
    for (int r = 0; r < laws->rows; r++) {
        make_joint_row(laws, r);
    }
    for (int i = 0; i < laws->contacts; i++) {
        make_contact_u(laws, i);
    }
    for (int r = 0; r < laws->rows; r++) {
        make_row_u(laws, r);
    }
    for (int k = 0; problem->bodies && k < problem->body_count; k++) {
        make_body_dynamics(laws, k);
    }
    if (problem->M) {
        make_mechanism_dynamics(laws);
    }
    if (laws->J.failed || laws->u.failed || laws->dynamics.failed) {
        return tact_fail(TACT_NO_MEMORY, "no memory for the exact equations");
    }
    return TACT_OK;
}

void tact_laws_destroy(TactLaws *laws)
{
    tact_exact_set_destroy(&laws->J);
    tact_exact_set_destroy(&laws->u);
    tact_exact_set_destroy(&laws->dynamics);
}

#endif
