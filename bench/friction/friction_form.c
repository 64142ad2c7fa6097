#include "bench/friction/friction_form.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "bench/problems/problems.h"

static double dot(const double *x, const double *y, size_t count)
{
    double sum = 0;
    for (size_t i = 0; i < count; i++) {
        sum += x[i] * y[i];
    }
    return sum;
}

/// M = L L', L in place of the lower triangle. False: not positive definite.
static bool factor(double *M, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        double *row = M + i * n;
        for (size_t j = 0; j <= i; j++) {
            double rest = row[j] - dot(row, M + j * n, j);
            if (i == j && !(rest > 0)) {
                return false;
            }
            row[j] = i == j ? sqrt(rest) : rest / M[j * n + j];
        }
    }
    return true;
}

/// y = L^-1 x in place
static void solve_lower(const double *L, size_t n, double *x)
{
    for (size_t i = 0; i < n; i++) {
        x[i] = (x[i] - dot(L + i * n, x, i)) / L[i * n + i];
    }
}

/// b = J (v + h M^-1 tau) = J v + h Y (L^-1 tau) and W = Y Y' with Y' = L^-1 J'.
static TactStatus form_mechanism(const TactContactProblem *problem, TactFrictionForm *form)
{
    size_t     nv = (size_t)problem->nv, rows = 3 * (size_t)form->contacts;
    double    *L = malloc((nv * nv + 1) * sizeof *L);
    double    *Y = malloc((rows * nv + 1) * sizeof *Y);
    double    *tau = malloc((nv + 1) * sizeof *tau);
    TactStatus status = L && Y && tau ? TACT_OK : TACT_NO_MEMORY;
    if (status == TACT_OK) {
        memcpy(L, problem->M, nv * nv * sizeof *L);
        memcpy(tau, problem->tau, nv * sizeof *tau);
        status = factor(L, nv) ? TACT_OK : TACT_BAD_INPUT;
    }
    if (status == TACT_OK) {
        solve_lower(L, nv, tau);
        for (size_t i = 0; i < rows; i++) {
            const TactContact *contact = &problem->contacts[i / 3];
            const double      *J = contact->J + i % 3 * nv;
            memcpy(Y + i * nv, J, nv * sizeof *Y);
            solve_lower(L, nv, Y + i * nv);
            double before = dot(J, problem->v, nv);
            form->b[i] = before + problem->step * dot(Y + i * nv, tau, nv);
            form->b[i] += i % 3 == 0 && before < 0 ? contact->restitution * before : 0;
            for (size_t j = 0; j <= i; j++) {
                form->W[i * rows + j] = form->W[j * rows + i] = dot(Y + i * nv, Y + j * nv, nv);
            }
        }
    }
    free(L);
    free(Y);
    free(tau);
    return status;
}

/// What contact i adds to W and b.
static void add_contact(const TactContact *contact, size_t i, TactFrictionForm *form)
{
    size_t rows = 3 * (size_t)form->contacts;
    form->b[3 * i] += contact->bias;
    form->b[3 * i + 1] += contact->surface[0];
    form->b[3 * i + 2] += contact->surface[1];
    form->W[3 * i * rows + 3 * i] += contact->compliance;
}

TactStatus tact_friction_form_create(const TactContactProblem *problem, TactFrictionForm *form)
{
    size_t count = (size_t)problem->contact_count;
    *form = (TactFrictionForm){
        .contacts = problem->contact_count,
        .W = calloc(9 * count * count + 1, sizeof(double)),
        .b = calloc(3 * count + 1, sizeof(double)),
        .mu = calloc(count + 1, sizeof(double)),
    };
    if (!form->W || !form->b || !form->mu) {
        return TACT_NO_MEMORY;
    }
    if (problem->row_count > 0 || problem->level != TACT_LEVEL_VELOCITY) {
        return TACT_UNSUPPORTED;
    }
    TactStatus status = TACT_OK;
    if (problem->W) {
        memcpy(form->W, problem->W, 9 * count * count * sizeof(double));
        memcpy(form->b, problem->u_free, 3 * count * sizeof(double));
    } else if (problem->M) {
        status = form_mechanism(problem, form);
    } else {
        status = tact_case_delassus(problem, form->W, form->b);
    }
    for (size_t i = 0; i < count; i++) {
        form->mu[i] = problem->contacts[i].mu;
        if (!problem->bodies) {
            add_contact(&problem->contacts[i], i, form);
        }
    }
    return status;
}

void tact_friction_form_destroy(TactFrictionForm *form)
{
    free(form->W);
    free(form->b);
    free(form->mu);
}

// ---------------------------------------------------------------------------------------------
// The natural map

/// The nearest point of the cone |x_t| <= mu x_n, in place.
static void project(double mu, double x[3])
{
    double length = hypot(x[1], x[2]);
    if (length <= mu * x[0]) {
        return;
    }
    if (mu * length <= -x[0]) {
        x[0] = x[1] = x[2] = 0;
        return;
    }
    double normal = (x[0] + mu * length) / (1 + mu * mu);
    x[0] = normal;
    x[1] *= mu * normal / length;
    x[2] *= mu * normal / length;
}

double tact_friction_residual(const TactFrictionForm *form, const double *p)
{
    size_t rows = 3 * (size_t)form->contacts;
    double sum = 0, scale = sqrt(dot(form->b, form->b, rows));
    for (size_t i = 0; i < rows; i += 3) {
        double u[3], x[3], mu = form->mu[i / 3];
        for (size_t k = 0; k < 3; k++) {
            u[k] = form->b[i + k] + dot(form->W + (i + k) * rows, p, rows);
        }
        u[0] += mu * hypot(u[1], u[2]);
        for (size_t k = 0; k < 3; k++) {
            x[k] = p[i + k] - u[k];
        }
        project(mu, x);
        for (size_t k = 0; k < 3; k++) {
            sum += (p[i + k] - x[k]) * (p[i + k] - x[k]);
        }
    }
    double residual = sqrt(sum) / (scale > 0 ? scale : 1);
    return isnan(residual) ? HUGE_VAL : residual;
}
