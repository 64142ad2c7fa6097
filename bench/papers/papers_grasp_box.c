#include "bench/papers/papers_grasp_box.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <tact/lcp.h>

#include "bench/watch.h"

enum { MOST_CONTACTS = 96, MOST_ROWS = 192, MOST_DOF = 128 };
enum { MOST = 3 * MOST_CONTACTS + MOST_ROWS, FEW = 6, CAP = 50, MANY = 100000 };

static const double TOL = 1e-8; // the paper's

static const struct {
    const char   *name;
    TactLcpMethod method;
    bool          warm;
    int           sweeps;
} ways[TACT_GRASP_BOX_WAYS] = {
    [TACT_GRASP_BOX_PGS] = {"pgs, from 0", TACT_LCP_METHOD_PGS, false, MANY},
    [TACT_GRASP_BOX_PGS_SM] = {"pgs-sm, from 0", TACT_LCP_METHOD_PGS_SM, false, MANY},
    [TACT_GRASP_BOX_PGS_WARM] = {"pgs, warm", TACT_LCP_METHOD_PGS, true, MANY},
    [TACT_GRASP_BOX_PGS_SM_WARM] = {"pgs-sm, warm", TACT_LCP_METHOD_PGS_SM, true, MANY},
    [TACT_GRASP_BOX_PGS_50] = {"pgs, warm, 50 sweeps at most", TACT_LCP_METHOD_PGS, true, CAP},
};

/// What is remembered of a contact, for every way.
typedef struct Kept {
    uint64_t id;
    double   p[TACT_GRASP_BOX_WAYS][3];
} Kept;

struct TactGraspBox {
    TactLcpSolver    *solvers[TACT_GRASP_BOX_WAYS];
    double            cfm;
    TactGraspBoxTally tally;
    int               kept_count, n; // contacts of the step before; unknowns
    Kept              kept[MOST_CONTACTS], next[MOST_CONTACTS];
    double            L[MOST_DOF * MOST_DOF]; // M = L L'
    double            X[MOST * MOST_DOF];     // L^-1 J' of the unknowns, then of bilateral rows
    double            free[MOST_DOF];         // L^-1 (M v + h tau)
    double            G[MOST * MOST], g[MOST], lo[MOST], hi[MOST], z[MOST];
};

const char *tact_grasp_box_name(TactGraspBoxWay way)
{
    return ways[way].name;
}

const TactGraspBoxTally *tact_grasp_box_tally(const TactGraspBox *box)
{
    return &box->tally;
}

void tact_grasp_box_forget(TactGraspBox *box)
{
    box->kept_count = 0;
}

TactStatus tact_grasp_box_create(double cfm, TactGraspBox **box)
{
    TactStatus status = TACT_OK;
    *box = calloc(1, sizeof **box);
    if (!*box) {
        return TACT_NO_MEMORY;
    }
    (*box)->cfm = cfm;
    for (int k = 0; k < TACT_GRASP_BOX_WAYS && status == TACT_OK; k++) {
        TactLcpConfig config = tact_lcp_config_default(ways[k].method);
        config.residual_tol = TOL;
        config.max_iterations = ways[k].sweeps;
        status = tact_lcp_solver_create(MOST, &config, &(*box)->solvers[k]);
    }
    return status;
}

void tact_grasp_box_destroy(TactGraspBox *box)
{
    if (box) {
        for (int k = 0; k < TACT_GRASP_BOX_WAYS; k++) {
            tact_lcp_solver_destroy(box->solvers[k]);
        }
        free(box);
    }
}

// ---------------------------------------------------------------------------------------------
// G and g

static double dot(const double *a, const double *b, int n)
{
    double sum = 0;
    for (int i = 0; i < n; i++) {
        sum += a[i] * b[i];
    }
    return sum;
}

/// x <- L^-1 x
static void solve_lower(const double *L, int n, double *x)
{
    for (int i = 0; i < n; i++) {
        x[i] = (x[i] - dot(L + (size_t)i * (size_t)n, x, i)) / L[i * n + i];
    }
}

static void factor(const TactContactProblem *problem, double *L)
{
    int n = problem->nv;
    for (int i = 0; i < n; i++) {
        for (int j = 0; j <= i; j++) {
            double s = problem->M[i * n + j] -
                       dot(L + (size_t)i * (size_t)n, L + (size_t)j * (size_t)n, j);
            L[i * n + j] = i == j ? sqrt(s) : s / L[j * n + j];
        }
    }
}

/// L^-1 (M v + h tau), the free motion.
static void move_freely(const TactContactProblem *problem, const double *L, double *x)
{
    int n = problem->nv;
    for (int i = 0; i < n; i++) {
        x[i] = dot(problem->M + (size_t)i * (size_t)n, problem->v, n) +
               problem->step * problem->tau[i];
    }
    solve_lower(L, n, x);
}

/// x less what lies along a unit vector.
static void project(const double *unit, int n, double *x)
{
    double along = dot(unit, x, n);
    for (int i = 0; i < n; i++) {
        x[i] -= along * unit[i];
    }
}

/// Rows of contacts n 1 2, then those of limits and motors; bilateral ones are projected out
/// [Arechavaleta, 15, corrected: A5], one after the other.
static void make_rows(TactGraspBox *box, const TactContactProblem *problem)
{
    int     nv = problem->nv, n = 3 * problem->contact_count;
    double *X = box->X, target[MOST_ROWS];
    factor(problem, box->L);
    move_freely(problem, box->L, box->free);
    for (int i = 0; i < n; i++) {
        memcpy(X + (size_t)i * (size_t)nv,
               problem->contacts[i / 3].J + (size_t)(i % 3) * (size_t)nv, (size_t)nv * sizeof *X);
    }
    for (int pass = 0; pass < 2; pass++) { // first what stays, then what is projected out
        for (int r = 0; r < problem->row_count; r++) {
            const TactContactRow *row = &problem->rows[r];
            if ((row->kind == TACT_ROW_BILATERAL) == (pass == 1)) {
                target[n - 3 * problem->contact_count] =
                    row->target - row->zeta * row->error / problem->step;
                memcpy(X + (size_t)n++ * (size_t)nv, row->J, (size_t)nv * sizeof *X);
            }
        }
        box->n = pass == 0 ? n : box->n;
    }
    for (int i = 0; i < n; i++) {
        solve_lower(box->L, nv, X + (size_t)i * (size_t)nv);
    }
    for (int k = box->n; k < n; k++) {
        double *unit = X + (size_t)k * (size_t)nv;
        double  length = sqrt(dot(unit, unit, nv));
        double  want = target[k - 3 * problem->contact_count];
        if (!(length > 1e-12)) { // implied by the others
            continue;
        }
        for (int i = 0; i < nv; i++) {
            unit[i] /= length;
        }
        // later bilateral rows keep what this one gives them: their targets are 0 here, or it is
        // part of the free motion
        project(unit, nv, box->free);
        for (int i = 0; i < nv; i++) {
            box->free[i] += unit[i] * want / length;
        }
        for (int i = 0; i < n; i++) {
            if (i != k && (i < box->n || i > k)) {
                if (i > k) {
                    target[i - 3 * problem->contact_count] -=
                        dot(unit, X + (size_t)i * (size_t)nv, nv) * want / length;
                }
                project(unit, nv, X + (size_t)i * (size_t)nv);
            }
        }
    }
}

/// What a row asks for besides its velocity, and bounds that do not depend on the step before.
static void bound_row(TactGraspBox *box, const TactContactProblem *problem, int i)
{
    int nc = 3 * problem->contact_count, other = nc;
    box->lo[i] = 0;
    box->hi[i] = HUGE_VAL;
    if (i < nc) {
        const TactContact *c = &problem->contacts[i / 3];
        double             before = dot(c->J, problem->v, problem->nv);
        box->g[i] += i % 3 > 0 ? c->surface[i % 3 - 1] : c->bias + c->restitution * fmin(0, before);
        return;
    }
    for (int r = 0; r < problem->row_count; r++) {
        const TactContactRow *row = &problem->rows[r];
        if (row->kind != TACT_ROW_BILATERAL && other++ == i) {
            box->g[i] -= row->target - row->zeta * row->error / problem->step;
            if (row->kind == TACT_ROW_MOTOR) {
                box->hi[i] = problem->step * row->force_max;
                box->lo[i] = -box->hi[i];
            }
        }
    }
}

static const Kept *recall(const TactGraspBox *box, uint64_t id)
{
    for (int i = 0; i < box->kept_count; i++) {
        if (box->kept[i].id == id) {
            return &box->kept[i];
        }
    }
    return NULL;
}

/// Bounds of friction from the normals of the step before [Arechavaleta, IV-C], and where to start.
static void set_box(TactGraspBox *box, const TactContactProblem *problem, int way)
{
    memset(box->z, 0, sizeof box->z);
    for (int i = 0; i < problem->contact_count; i++) {
        const Kept *kept = recall(box, problem->contacts[i].id);
        double      bound = kept ? problem->contacts[i].mu * kept->p[way][0] : 0;
        for (int k = 0; k < 3; k++) {
            box->z[3 * i + k] = kept && ways[way].warm ? kept->p[way][k] : 0;
        }
        for (int k = 1; k < 3; k++) {
            box->lo[3 * i + k] = -bound;
            box->hi[3 * i + k] = bound;
            box->z[3 * i + k] = fmax(-bound, fmin(bound, box->z[3 * i + k]));
        }
    }
}

// ---------------------------------------------------------------------------------------------

static TactStatus solve_way(TactGraspBox *box, const TactContactProblem *problem, int way,
                            int *sweeps)
{
    TactGraspBoxTally *tally = &box->tally;
    TactLcpReport      report;
    set_box(box, problem, way);
    TactLcpProblem lcp = {.n = box->n, .M = box->G, .q = box->g, .lo = box->lo, .hi = box->hi};
    TactWatch      watch = tact_watch_start();
    TactStatus     status = tact_lcp_solver_set_start(box->solvers[way], box->n, box->z, NULL);
    status = status == TACT_OK ? tact_lcp_solve(box->solvers[way], &lcp, box->z, &report) : status;
    tally->seconds[way] += tact_watch_stop(&watch);
    if (status == TACT_OK) {
        tally->solved[way] += report.outcome == TACT_LCP_OUTCOME_SOLVED;
        tally->capped[way] += report.outcome == TACT_LCP_OUTCOME_LIMIT;
        tally->sweeps[way] += report.iterations;
        *sweeps = report.iterations;
        for (int i = 0; i < problem->contact_count; i++) {
            memcpy(box->next[i].p[way], box->z + (size_t)3 * (size_t)i, 3 * sizeof(double));
        }
    }
    return status;
}

TactStatus tact_grasp_box_solve(TactGraspBox *box, const TactContactProblem *problem)
{
    TactStatus status = TACT_OK;
    int        sweeps[TACT_GRASP_BOX_WAYS] = {0};
    if (!problem->M || problem->contact_count > MOST_CONTACTS || problem->row_count > MOST_ROWS ||
        problem->nv > MOST_DOF) {
        return TACT_UNSUPPORTED;
    }
    make_rows(box, problem);
    for (int i = 0; i < box->n; i++) {
        const double *row = box->X + (size_t)i * (size_t)problem->nv;
        for (int j = 0; j < box->n; j++) {
            box->G[i * box->n + j] =
                dot(row, box->X + (size_t)j * (size_t)problem->nv, problem->nv);
        }
        box->G[i * box->n + i] += box->cfm;
        box->g[i] = dot(row, box->free, problem->nv);
        bound_row(box, problem, i);
    }
    for (int k = 0; k < TACT_GRASP_BOX_WAYS && status == TACT_OK; k++) {
        status = solve_way(box, problem, k, &sweeps[k]);
    }
    for (int i = 0; i < problem->contact_count; i++) {
        box->next[i].id = problem->contacts[i].id;
    }
    memcpy(box->kept, box->next, sizeof box->kept);
    box->kept_count = problem->contact_count;
    box->tally.problems++;
    box->tally.unknowns += box->n;
    box->tally.slow[0] += sweeps[TACT_GRASP_BOX_PGS] > FEW;
    box->tally.slow[1] += sweeps[TACT_GRASP_BOX_PGS_WARM] > FEW;
    return status;
}
