#include "bench/problems/standard_form.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double PI = 3.14159265358979323846;

const char *tact_form_name(TactStandardForm form)
{
    static const char *const names[TACT_FORMS] = {
        "eq. 15 as printed, in forces", "E and mu times dt (section 5)",
        "impulses, D A D (erratum D2)", "the same with cfm (erratum D1)"};
    return names[form];
}

bool tact_form_takes(const TactContactProblem *problem)
{
    bool takes = problem->M && problem->contact_count > 0;
    for (int i = 0; i < problem->row_count; i++) {
        takes = takes && problem->rows[i].kind == TACT_ROW_UNILATERAL;
    }
    return takes;
}

static int directions_of(const TactContact *contact)
{
    return contact->mu > 0 ? contact->directions ? contact->directions : 8 : 0;
}

// ---------------------------------------------------------------------------------------------
// Columns and M^-1

/// M = L L' by Cholesky, row by row.
static void factor(const double *M, int n, double *L)
{
    for (int i = 0; i < n; i++) {
        for (int j = 0; j <= i; j++) {
            double sum = M[i * n + j];
            for (int k = 0; k < j; k++) {
                sum -= L[i * n + k] * L[j * n + k];
            }
            L[i * n + j] = i == j ? sqrt(sum) : sum / L[j * n + j];
        }
    }
}

/// x <- M^-1 x
static void solve(const double *L, int n, double *x)
{
    for (int i = 0; i < n; i++) {
        for (int k = 0; k < i; k++) {
            x[i] -= L[i * n + k] * x[k];
        }
        x[i] /= L[i * n + i];
    }
    for (int i = n - 1; i >= 0; i--) {
        for (int k = i + 1; k < n; k++) {
            x[i] -= L[k * n + i] * x[k];
        }
        x[i] /= L[i * n + i];
    }
}

static double dot(const double *a, const double *b, int n)
{
    double sum = 0;
    for (int i = 0; i < n; i++) {
        sum += a[i] * b[i];
    }
    return sum;
}

static void write_columns(TactFormLcp *lcp)
{
    const TactContactProblem *problem = lcp->problem;
    size_t                    nv = (size_t)problem->nv;
    double                   *normal = lcp->C, *direction = lcp->C + (size_t)lcp->normals * nv;
    for (int i = 0; i < lcp->contacts; i++) {
        const TactContact *contact = &problem->contacts[i];
        int                count = directions_of(contact);
        memcpy(normal + (size_t)i * nv, contact->J, nv * sizeof(double));
        for (int k = 0; k < count; k++, direction += nv) {
            double angle = contact->turn + 2 * PI * k / count;
            for (size_t v = 0; v < nv; v++) {
                direction[v] =
                    cos(angle) * contact->J[nv + v] + sin(angle) * contact->J[2 * nv + v];
            }
        }
    }
    for (int i = 0; i < problem->row_count; i++) {
        memcpy(normal + (size_t)(lcp->contacts + i) * nv, problem->rows[i].J, nv * sizeof(double));
    }
}

TactStatus tact_form_create(const TactContactProblem *problem, TactFormLcp *lcp)
{
    *lcp = (TactFormLcp){.problem = problem, .contacts = problem->contact_count};
    int lambdas = 0;
    for (int i = 0; i < problem->contact_count; i++) {
        lcp->directions += directions_of(&problem->contacts[i]);
        lambdas += directions_of(&problem->contacts[i]) > 0;
    }
    lcp->normals = problem->contact_count + problem->row_count;
    lcp->n = lcp->normals + lcp->directions + lambdas;
    size_t n = (size_t)lcp->n, nv = (size_t)problem->nv;
    lcp->W = calloc(n * n, sizeof(double));
    lcp->A = calloc(n * n, sizeof(double));
    lcp->C = calloc(n * nv, sizeof(double));
    lcp->X = calloc(n * nv, sizeof(double));
    lcp->q = calloc(n, sizeof(double));
    lcp->unit = calloc(n, sizeof(double));
    lcp->free = calloc(nv, sizeof(double));
    lcp->L = calloc(nv * nv, sizeof(double));
    if (!lcp->W || !lcp->A || !lcp->C || !lcp->X || !lcp->q || !lcp->unit || !lcp->free ||
        !lcp->L) {
        return TACT_NO_MEMORY;
    }
    factor(problem->M, problem->nv, lcp->L);
    write_columns(lcp);
    memcpy(lcp->X, lcp->C, n * nv * sizeof(double));
    size_t used = (size_t)(lcp->normals + lcp->directions);
    for (size_t i = 0; i < used; i++) {
        solve(lcp->L, problem->nv, lcp->X + i * nv);
    }
    for (size_t i = 0; i < used; i++) {
        for (size_t j = 0; j < used; j++) {
            lcp->W[i * n + j] = dot(lcp->C + i * nv, lcp->X + j * nv, problem->nv);
        }
    }
    memcpy(lcp->free, problem->tau, nv * sizeof(double));
    solve(lcp->L, problem->nv, lcp->free);
    for (size_t v = 0; v < nv; v++) {
        lcp->free[v] = problem->v[v] + problem->step * lcp->free[v];
    }
    return TACT_OK;
}

void tact_form_destroy(TactFormLcp *lcp)
{
    free(lcp->W);
    free(lcp->A);
    free(lcp->C);
    free(lcp->X);
    free(lcp->q);
    free(lcp->unit);
    free(lcp->free);
    free(lcp->L);
}

// ---------------------------------------------------------------------------------------------
// The four forms

/// E and mu, times e.
static void write_cones(TactFormLcp *lcp, double e)
{
    size_t n = (size_t)lcp->n, phi = (size_t)lcp->normals, lambda = phi + (size_t)lcp->directions;
    for (int i = 0; i < lcp->contacts; i++) {
        int count = directions_of(&lcp->problem->contacts[i]);
        if (count == 0) {
            continue;
        }
        lcp->A[lambda * n + (size_t)i] = e * lcp->problem->contacts[i].mu;
        for (int k = 0; k < count; k++, phi++) {
            lcp->A[phi * n + lambda] = e;
            lcp->A[lambda * n + phi] = -e;
        }
        lambda++;
    }
}

/// What a normal asks for besides its velocity.
static double offset(const TactContactProblem *problem, int normal)
{
    if (normal < problem->contact_count) {
        const TactContact *contact = &problem->contacts[normal];
        return contact->bias +
               contact->restitution * fmin(0, dot(contact->J, problem->v, problem->nv));
    }
    const TactContactRow *row = &problem->rows[normal - problem->contact_count];
    return row->zeta * row->error / problem->step - row->target;
}

/// A <- D A D, q <- D q: ones on the diagonal, and in E.
static void equilibrate(TactFormLcp *lcp, double *d)
{
    size_t n = (size_t)lcp->n, used = (size_t)(lcp->normals + lcp->directions);
    for (size_t i = 0; i < used; i++) {
        d[i] = lcp->A[i * n + i] > 0 ? 1 / sqrt(lcp->A[i * n + i]) : 1;
    }
    for (size_t lambda = used; lambda < n; lambda++) {
        for (size_t phi = (size_t)lcp->normals; phi < used; phi++) {
            d[lambda] = lcp->A[phi * n + lambda] != 0 ? 1 / d[phi] : d[lambda];
        }
    }
    for (size_t i = 0; i < n; i++) {
        for (size_t j = 0; j < n; j++) {
            lcp->A[i * n + j] *= d[i] * d[j];
        }
        lcp->q[i] *= d[i];
    }
}

void tact_form_write(TactFormLcp *lcp, TactStandardForm form, double softness)
{
    bool   forces = form == TACT_FORM_PRINTED || form == TACT_FORM_SCALED;
    double h = lcp->problem->step, mean = 0;
    size_t n = (size_t)lcp->n, nv = (size_t)lcp->problem->nv;
    size_t used = (size_t)(lcp->normals + lcp->directions);
    for (size_t i = 0; i < n * n; i++) {
        lcp->A[i] = forces ? h * lcp->W[i] : lcp->W[i];
    }
    write_cones(lcp, form == TACT_FORM_SCALED ? h : 1);
    for (size_t i = 0; i < n; i++) {
        lcp->unit[i] = forces ? h : 1;
        lcp->q[i] = i < used ? dot(lcp->C + i * nv, lcp->free, lcp->problem->nv) : 0;
        lcp->q[i] += i < (size_t)lcp->normals ? offset(lcp->problem, (int)i) : 0;
        mean += lcp->W[i * n + i] / (double)used;
    }
    for (size_t i = 0; i < used && form == TACT_FORM_SOFT; i++) {
        lcp->A[i * n + i] += softness * mean;
    }
    if (!forces) {
        equilibrate(lcp, lcp->unit);
    }
}

void tact_form_read(const TactFormLcp *lcp, const double *z, double *velocity, double *impulse,
                    double *row_impulse)
{
    size_t nv = (size_t)lcp->problem->nv;
    memcpy(velocity, lcp->free, nv * sizeof(double));
    memset(impulse, 0, 3 * (size_t)lcp->contacts * sizeof(double));
    for (int i = 0; i < lcp->normals + lcp->directions; i++) {
        double p = lcp->unit[i] * z[i];
        for (size_t v = 0; v < nv; v++) {
            velocity[v] += p * lcp->X[(size_t)i * nv + v];
        }
    }
    for (int i = 0; i < lcp->normals; i++) {
        double p = lcp->unit[i] * z[i];
        *(i < lcp->contacts ? &impulse[3 * i] : &row_impulse[i - lcp->contacts]) = p;
    }
    for (int i = 0, phi = lcp->normals; i < lcp->contacts; i++) {
        const TactContact *contact = &lcp->problem->contacts[i];
        int                count = directions_of(contact);
        for (int k = 0; k < count; k++, phi++) {
            double angle = contact->turn + 2 * PI * k / count;
            impulse[3 * i + 1] += lcp->unit[phi] * z[phi] * cos(angle);
            impulse[3 * i + 2] += lcp->unit[phi] * z[phi] * sin(angle);
        }
    }
}

// ---------------------------------------------------------------------------------------------

/// Turns two rows until they are orthogonal. Returns how far they were from it.
static double turn(double *a, double *b, int n)
{
    double aa = dot(a, a, n), bb = dot(b, b, n), ab = dot(a, b, n);
    double off = fabs(ab) / sqrt(aa * bb);
    if (!(off > 1e-15)) { // orthogonal, or one of them is 0
        return 0;
    }
    double zeta = (bb - aa) / (2 * ab), t = (zeta < 0 ? -1 : 1) / (fabs(zeta) + hypot(1, zeta));
    double c = 1 / hypot(1, t), s = c * t;
    for (int i = 0; i < n; i++) {
        double x = a[i], y = b[i];
        a[i] = c * x - s * y;
        b[i] = s * x + c * y;
    }
    return off;
}

TactFormCondition tact_form_condition(double *A, int n)
{
    enum { MOST_SWEEPS = 30 };
    double worst = 1, most = 0;
    for (int sweep = 0; sweep < MOST_SWEEPS && worst > 1e-12; sweep++) {
        worst = 0;
        for (int i = 0; i < n; i++) {
            for (int j = i + 1; j < n; j++) {
                worst = fmax(worst, turn(A + (size_t)i * (size_t)n, A + (size_t)j * (size_t)n, n));
            }
        }
    }
    for (int i = 0; i < n; i++) { // the rows are orthogonal now: their lengths are what is asked
        A[i] = sqrt(dot(A + (size_t)i * (size_t)n, A + (size_t)i * (size_t)n, n));
        most = fmax(most, A[i]);
    }
    TactFormCondition condition = {0, 1};
    for (int i = 0; i < n; i++) {
        if (A[i] > 1e-13 * most) {
            condition.rank++;
            condition.value = fmax(condition.value, most / A[i]);
        }
    }
    return condition;
}
