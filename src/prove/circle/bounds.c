#include "prove/circle/bounds.h"

#include <string.h>

#include "base/memory.h"
#include "base/status.h"
#include "contact/problem/problem.h"

static TactStatus add(TactBounds *bounds, TactBoundForm *form, int variable, TactInterval value)
{
    if (tact_interval_is_zero(value)) {
        return TACT_OK;
    }
    if (bounds->used == bounds->room) {
        int   room = 2 * bounds->room + 256;
        void *variables = NULL, *values = NULL;
        TACT_TRY(tact_allocate((size_t)room, sizeof(int), &variables));
        TactStatus status = tact_allocate((size_t)room, sizeof(TactInterval), &values);
        if (status != TACT_OK) {
            tact_release(variables);
            return status;
        }
        if (bounds->used > 0) {
            memcpy(variables, bounds->variable, (size_t)bounds->used * sizeof(int));
            memcpy(values, bounds->value, (size_t)bounds->used * sizeof(TactInterval));
        }
        tact_release(bounds->variable);
        tact_release(bounds->value);
        bounds->variable = variables;
        bounds->value = values;
        bounds->room = room;
    }
    bounds->variable[bounds->used] = variable;
    bounds->value[bounds->used++] = value;
    form->count++;
    return TACT_OK;
}

static void begin(const TactBounds *bounds, TactBoundForm *form)
{
    *form = (TactBoundForm){.first = bounds->used};
}

TactInterval tact_bounds_evaluate(const TactBounds *bounds, const TactBoundForm *form,
                                  const TactInterval *x)
{
    TactInterval sum = form->constant;
    for (int k = form->first; k < form->first + form->count; k++) {
        sum = tact_interval_add(sum,
                                tact_interval_multiply(bounds->value[k], x[bounds->variable[k]]));
    }
    return sum;
}

static TactInterval product(double a, double b)
{
    return tact_interval_multiply(tact_interval(a), tact_interval(b));
}

static void cross(const TactInterval a[3], const TactInterval b[3], TactInterval out[3])
{
    for (int i = 0; i < 3; i++) {
        int j = (i + 1) % 3, k = (i + 2) % 3;
        out[i] = tact_interval_subtract(tact_interval_multiply(a[j], b[k]),
                                        tact_interval_multiply(a[k], b[j]));
    }
}

// ---------------------------------------------------------------------------------------------
// Rows

static TactStatus add_body(TactBounds *bounds, TactBoundForm *form, int body, const double *point,
                           const double *direction, double sign)
{
    TactInterval arm[3], along[3], turning[3];
    if (body < 0) {
        return TACT_OK;
    }
    const double *centre = bounds->problem->bodies[body].position;
    for (int i = 0; i < 3; i++) {
        arm[i] = tact_interval_subtract(tact_interval(point[i]), tact_interval(centre[i]));
        along[i] = tact_interval(sign * direction[i]);
    }
    cross(arm, along, turning);
    for (int i = 0; i < 3; i++) {
        TACT_TRY(add(bounds, form, 6 * body + i, along[i]));
        TACT_TRY(add(bounds, form, 6 * body + 3 + i, turning[i]));
    }
    return TACT_OK;
}

static TactStatus add_dense(TactBounds *bounds, TactBoundForm *form, int first, const double *row,
                            int count)
{
    for (int d = 0; d < count; d++) {
        TACT_TRY(add(bounds, form, first + d, tact_interval(row[d])));
    }
    return TACT_OK;
}

static double velocity_before(const TactContactProblem *problem, int d)
{
    if (problem->M) {
        return problem->v[d];
    }
    const TactContactBody *body = &problem->bodies[d / 6];
    return d % 6 < 3 ? body->velocity[d % 6] : body->omega[d % 6 - 3];
}

/// bias + e min(J_n v, 0)
static void set_normal_offset(const TactBounds *bounds, int i, TactBoundForm *form)
{
    const TactContact *contact = &bounds->problem->contacts[i];
    form->constant = tact_interval_add(form->constant, tact_interval(contact->bias));
    if (!(contact->restitution > 0) || bounds->problem->W) {
        return;
    }
    TactInterval before = {0, 0};
    for (int k = form->first; k < form->first + form->count; k++) {
        TactInterval v = tact_interval(velocity_before(bounds->problem, bounds->variable[k]));
        before = tact_interval_add(before, tact_interval_multiply(bounds->value[k], v));
    }
    TactInterval approach = {fmin(before.lo, 0), fmin(before.hi, 0)};
    form->constant = tact_interval_add(
        form->constant, tact_interval_multiply(tact_interval(contact->restitution), approach));
}

static TactStatus make_contact(TactBounds *bounds, int i)
{
    const TactContactProblem *problem = bounds->problem;
    const TactContact        *contact = &problem->contacts[i];
    int                       n = 3 * bounds->contacts;
    double                    frame[3][3];
    if (problem->bodies) {
        tact_contact_compute_frame(contact, frame);
    }
    for (int k = 0; k < 3; k++) {
        TactBoundForm *form = &bounds->u[3 * i + k];
        size_t         row = 3 * (size_t)i + (size_t)k;
        begin(bounds, form);
        if (problem->bodies) {
            TACT_TRY(add_body(bounds, form, contact->a, contact->point, frame[k], -1));
            TACT_TRY(add_body(bounds, form, contact->b, contact->point, frame[k], 1));
        } else if (problem->M) {
            TACT_TRY(add_dense(bounds, form, 0, contact->J + (size_t)k * (size_t)problem->nv,
                               problem->nv));
        } else {
            form->constant = tact_interval(problem->u_free[row]);
            TACT_TRY(add_dense(bounds, form, 0, problem->W + row * (size_t)n, n));
        }
        if (k == 0) {
            set_normal_offset(bounds, i, form);
        } else {
            form->constant = tact_interval_add(form->constant,
                                               tact_interval(tact_contact_surface(problem, i, k)));
        }
    }
    return TACT_OK;
}

static TactStatus make_row(TactBounds *bounds, int r)
{
    const TactContactRow *row = &bounds->problem->rows[r];
    TactBoundForm        *form = &bounds->u[3 * bounds->contacts + r];
    double h = bounds->problem->level == TACT_LEVEL_VELOCITY ? bounds->problem->step : 1;
    begin(bounds, form);
    form->constant = tact_interval_subtract(
        tact_interval_divide(product(row->zeta, row->error), tact_interval(h)),
        tact_interval(row->target));
    if (bounds->problem->M) {
        return add_dense(bounds, form, 0, row->J, bounds->dof);
    }
    for (int i = 0; i < 6; i++) {
        if (row->a >= 0) {
            TACT_TRY(add(bounds, form, 6 * row->a + i, tact_interval(row->J_a[i])));
        }
        if (row->b >= 0) {
            TACT_TRY(add(bounds, form, 6 * row->b + i, tact_interval(row->J_b[i])));
        }
    }
    return TACT_OK;
}

// ---------------------------------------------------------------------------------------------
// Dynamics

/// M_dj (v+_j - v_j), without v on the level of accelerations.
static TactStatus add_inertia(TactBounds *bounds, TactBoundForm *form, int j, double mass)
{
    if (mass != 0 && bounds->problem->level == TACT_LEVEL_VELOCITY) {
        form->constant = tact_interval_subtract(form->constant,
                                                product(mass, velocity_before(bounds->problem, j)));
    }
    return add(bounds, form, j, tact_interval(mass));
}

static void add_force(TactBounds *bounds, TactBoundForm *form, TactInterval force)
{
    double h = bounds->problem->level == TACT_LEVEL_VELOCITY ? bounds->problem->step : 1;
    form->constant =
        tact_interval_subtract(form->constant, tact_interval_multiply(tact_interval(h), force));
}

static TactStatus make_body(TactBounds *bounds, int k)
{
    const TactContactBody *body = &bounds->problem->bodies[k];
    const double          *I = body->inertia;
    double       full[3][3] = {{I[0], I[3], I[4]}, {I[3], I[1], I[5]}, {I[4], I[5], I[2]}};
    TactInterval omega[3], momentum[3] = {{0, 0}, {0, 0}, {0, 0}}, gyroscopic[3];
    for (int i = 0; i < 3; i++) {
        omega[i] = tact_interval(body->omega[i]);
        for (int j = 0; j < 3; j++) {
            momentum[i] = tact_interval_add(momentum[i], product(full[i][j], body->omega[j]));
        }
    }
    cross(omega, momentum, gyroscopic);
    for (int i = 0; i < 6; i++) {
        TactBoundForm *form = &bounds->dynamics[6 * k + i];
        begin(bounds, form);
        if (i < 3) {
            TACT_TRY(add_inertia(bounds, form, 6 * k + i, body->mass));
            add_force(bounds, form, tact_interval(body->force[i]));
            continue;
        }
        for (int j = 0; j < 3; j++) {
            TACT_TRY(add_inertia(bounds, form, 6 * k + 3 + j, full[i - 3][j]));
        }
        add_force(bounds, form,
                  tact_interval_subtract(tact_interval(body->torque[i - 3]), gyroscopic[i - 3]));
    }
    return TACT_OK;
}

static TactStatus make_mechanism(TactBounds *bounds)
{
    const TactContactProblem *problem = bounds->problem;
    for (int d = 0; d < bounds->dof; d++) {
        TactBoundForm *form = &bounds->dynamics[d];
        begin(bounds, form);
        for (int j = 0; j < bounds->dof; j++) {
            TACT_TRY(add_inertia(bounds, form, j,
                                 problem->M[(size_t)d * (size_t)bounds->dof + (size_t)j]));
        }
        add_force(bounds, form, tact_interval(problem->tau[d]));
    }
    return TACT_OK;
}

static TactStatus make(TactBounds *bounds)
{
    void  *u = NULL, *dynamics = NULL;
    size_t sources = 3 * (size_t)bounds->contacts + (size_t)bounds->rows;
    TACT_TRY(tact_allocate(sources + 1, sizeof(TactBoundForm), &u));
    bounds->u = u;
    TACT_TRY(tact_allocate((size_t)bounds->dof + 1, sizeof(TactBoundForm), &dynamics));
    bounds->dynamics = dynamics;
    for (int i = 0; i < bounds->contacts; i++) {
        TACT_TRY(make_contact(bounds, i));
    }
    for (int r = 0; r < bounds->rows; r++) {
        TACT_TRY(make_row(bounds, r));
    }
    for (int k = 0; bounds->problem->bodies && k < bounds->problem->body_count; k++) {
        TACT_TRY(make_body(bounds, k));
    }
    return bounds->problem->M ? make_mechanism(bounds) : TACT_OK;
}

TactStatus tact_bounds_create(const TactContactProblem *problem, TactBounds *bounds)
{
    *bounds = (TactBounds){.problem = problem,
                           .dof = tact_contact_get_dof(problem),
                           .contacts = problem->contact_count,
                           .rows = problem->row_count};
    bounds->variables = bounds->dof + 3 * bounds->contacts + bounds->rows;
    return make(bounds);
}

void tact_bounds_destroy(TactBounds *bounds)
{
    tact_release(bounds->variable);
    tact_release(bounds->value);
    tact_release(bounds->u);
    tact_release(bounds->dynamics);
}
