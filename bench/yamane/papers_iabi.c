#include "bench/yamane/papers_iabi.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "bench/watch.h"

enum { MOST_CONTACTS = 96, MOST_LOOPS = 8, MOST_HELD = 8 };
enum { MOST_ROWS = 3 * (MOST_CONTACTS + MOST_LOOPS) };

static const double SAME = 1e-6;        // m/s
static const double PAPER_ERROR = 1e-3; // what the paper takes for an error

struct TactIabi {
    const TactModel    *model;
    TactDynamics       *dynamics;
    TactAssembly       *assembly;
    TactContactSolver  *solvers[TACT_IABI_WAYS];
    TactIabiTally       tally;
    int                 count, loops, held; // of this frame: contacts; rows
    TactAssemblyContact places[MOST_CONTACTS + MOST_LOOPS];
    TactContact         contacts[MOST_CONTACTS]; // of M
    TactContact         points[MOST_CONTACTS];   // of W
    TactContactRow      rows[3 * MOST_LOOPS + MOST_HELD];
    bool               *prescribed;                 // (nv)
    double             *tau, *acceleration, *v, *M; // (nv), (nv), (nv), (nv x nv)
    double             *J;                          // of all rows               (MOST_ROWS x nv)
    double             *held_J;                     //                           (MOST_HELD x nv)
    double             *scratch;                    // two Jacobians             (12 x nv)
    int                *parent;                     //                           (nv)
    double              W[MOST_ROWS * MOST_ROWS];
    double              other_W[(MOST_ROWS + MOST_HELD) * (MOST_ROWS + MOST_HELD)]; // by M
    double              a_free[MOST_ROWS], u_free[MOST_ROWS];
    double              u[TACT_IABI_WAYS][3 * MOST_CONTACTS], impulse[3 * MOST_CONTACTS];
};

const TactIabiTally *tact_iabi_tally(const TactIabi *iabi)
{
    return &iabi->tally;
}

static TactStatus create_solvers(TactIabi *iabi)
{
    TactStatus status = TACT_OK;
    for (int k = 0; k < TACT_IABI_WAYS && status == TACT_OK; k++) {
        bool                mass = k >= TACT_MASS_SEARCH, search = k % 2 == 0;
        int                 dof = mass ? iabi->model->nv : 3 * MOST_CONTACTS;
        TactContactCapacity capacity = {.contacts = MOST_CONTACTS,
                                        .rows = mass ? 3 * MOST_LOOPS + MOST_HELD : 0,
                                        .dof = dof,
                                        .support = dof,
                                        .dense = true};
        TactContactConfig   config =
            tact_contact_config_default(search ? TACT_METHOD_LCP : TACT_METHOD_LADDER);
        config.cone = TACT_CONE_PYRAMID;
        if (search) {
            config.lcp_method = TACT_LCP_METHOD_SEARCH;
            config.start = TACT_START_FRICTIONLESS; // the paper's two steps
        }
        status = tact_contact_solver_create(&capacity, &config, &iabi->solvers[k]);
    }
    return status;
}

TactStatus tact_iabi_create(const TactModel *model, TactIabi **iabi)
{
    TactIabi *made = calloc(1, sizeof *made);
    size_t    nv = (size_t)model->nv;
    *iabi = made;
    if (!made) {
        return TACT_NO_MEMORY;
    }
    made->model = model;
    made->prescribed = calloc(nv, sizeof *made->prescribed);
    made->tau = calloc(nv, sizeof(double));
    made->acceleration = calloc(nv, sizeof(double));
    made->v = calloc(nv, sizeof(double));
    made->M = calloc(nv * nv, sizeof(double));
    made->J = calloc(MOST_ROWS * nv, sizeof(double));
    made->held_J = calloc(MOST_HELD * nv, sizeof(double));
    made->scratch = calloc(12 * nv, sizeof(double));
    made->parent = calloc(nv, sizeof *made->parent);
    if (!made->prescribed || !made->tau || !made->acceleration || !made->v || !made->M ||
        !made->J || !made->held_J || !made->scratch || !made->parent) {
        return TACT_NO_MEMORY;
    }
    for (int i = 0; i < model->nv; i++) {
        made->parent[i] = model->dofs[i].parent;
    }
    TactStatus status = tact_dynamics_create(model, &made->dynamics);
    status = status == TACT_OK ? tact_assembly_create(made->dynamics, 1, &made->assembly) : status;
    return status == TACT_OK ? create_solvers(made) : status;
}

void tact_iabi_destroy(TactIabi *iabi)
{
    if (!iabi) {
        return;
    }
    for (int k = 0; k < TACT_IABI_WAYS; k++) {
        tact_contact_solver_destroy(iabi->solvers[k]);
    }
    tact_assembly_destroy(iabi->assembly);
    tact_dynamics_destroy(iabi->dynamics);
    free(iabi->prescribed);
    free(iabi->tau);
    free(iabi->acceleration);
    free(iabi->v);
    free(iabi->M);
    free(iabi->J);
    free(iabi->held_J);
    free(iabi->scratch);
    free(iabi->parent);
    free(iabi);
}

// ---------------------------------------------------------------------------------------------
// The frame

/// Contacts of the step, and after them the points of the loops.
static bool place(TactIabi *iabi, const TactSim *sim, double h)
{
    const TactModel      *model = iabi->model;
    const TactTransform  *poses = tact_dynamics_view_poses(iabi->dynamics);
    const TactSimContact *contacts = tact_sim_view_contacts(sim, &iabi->count);
    iabi->loops = model->equality_count;
    if (iabi->count == 0 || iabi->count > MOST_CONTACTS || iabi->loops > MOST_LOOPS) {
        return false;
    }
    for (int i = 0; i < iabi->count; i++) {
        const TactSimContact *c = &contacts[i];
        iabi->places[i] = (TactAssemblyContact){.a = c->body[0],
                                                .b = c->body[1],
                                                .point = c->point,
                                                .axes = {c->normal, c->tangent[0], c->tangent[1]}};
        iabi->points[i] = (TactContact){.mu = c->mu, .bias = fmax(0, -c->depth) / h, .id = c->id};
    }
    for (int i = 0; i < iabi->loops; i++) {
        const TactEquality *e = &model->equalities[i];
        iabi->places[iabi->count + i] =
            (TactAssemblyContact){.a = e->a,
                                  .b = e->b,
                                  .point = tact_transform_point(poses[e->a], e->anchor_a),
                                  .axes = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}};
    }
    return true;
}

/// Joints that are driven or stand at a limit go where the step took them.
static void hold(TactIabi *iabi, const double *q, const double *v, const double *after, double h)
{
    const TactModel *model = iabi->model;
    memset(iabi->prescribed, 0, (size_t)model->nv * sizeof *iabi->prescribed);
    memset(iabi->acceleration, 0, (size_t)model->nv * sizeof(double));
    memset(iabi->held_J, 0, MOST_HELD * (size_t)model->nv * sizeof(double));
    iabi->held = 0;
    for (int j = 0; j < model->joint_count && iabi->held < MOST_HELD; j++) {
        const TactJoint *joint = &model->joints[j];
        bool             driven = false;
        for (int k = 0; k < model->actuator_count; k++) {
            driven = driven || model->actuators[k].target == j;
        }
        bool single = joint->type == TACT_JOINT_HINGE || joint->type == TACT_JOINT_SLIDE;
        bool at_limit = single && joint->limited &&
                        (q[joint->q] <= joint->range[0] || q[joint->q] >= joint->range[1]);
        if (single && (driven || at_limit)) {
            double *J = iabi->held_J + (size_t)iabi->held * (size_t)model->nv;
            J[joint->dof] = 1;
            iabi->prescribed[joint->dof] = true;
            iabi->acceleration[joint->dof] = (after[joint->dof] - v[joint->dof]) / h;
            iabi->rows[3 * iabi->loops + iabi->held++] =
                (TactContactRow){.kind = TACT_ROW_BILATERAL, .J = J, .target = after[joint->dof]};
        }
    }
}

/// The rows that are held, u = 0, leave W one after the other, the last one first.
///   W  (n x n) of which the first m rows stay    u  (n), or NULL
static void eliminate(double *W, double *u, int n, int m)
{
    for (int k = n - 1; k >= m; k--) {
        double pivot = W[k * n + k];
        for (int i = 0; i < k; i++) {
            double factor = W[i * n + k] / pivot;
            for (int j = 0; j < k; j++) {
                W[i * n + j] -= factor * W[k * n + j];
            }
            if (u) {
                u[i] -= factor * u[k];
            }
        }
    }
}

/// W and u_free of the contacts [Yamane, 13-16, corrected: Y3], loops closed:
///
///     u = W f h + v + h a_free,   rows of loops: u = 0, eliminated by Cholesky of their block.
static TactStatus make_by_assembly(TactIabi *iabi, double h)
{
    TactAssemblyInput input = {.tau = iabi->tau,
                               .prescribed = iabi->held > 0 ? iabi->prescribed : NULL,
                               .acceleration = iabi->acceleration};
    int               all = iabi->count + iabi->loops, n = 3 * all, m = 3 * iabi->count;
    TactStatus status = tact_assembly_compute_delassus(iabi->assembly, &input, iabi->places, all,
                                                       iabi->W, iabi->a_free);
    if (status != TACT_OK) {
        return status;
    }
    for (int r = 0; r < n; r++) {
        const TactAssemblyContact *c = &iabi->places[r / 3];
        TactTwist a = tact_dynamics_compute_velocity(iabi->dynamics, c->a, c->point);
        TactTwist b = tact_dynamics_compute_velocity(iabi->dynamics, c->b, c->point);
        iabi->u_free[r] = tact_vec3_dot(c->axes[r % 3], tact_vec3_subtract(b.linear, a.linear)) +
                          h * iabi->a_free[r];
    }
    eliminate(iabi->W, iabi->u_free, n, m);
    for (int i = 0; i < m; i++) { // closed up
        memmove(iabi->W + (size_t)i * (size_t)m, iabi->W + (size_t)i * (size_t)n,
                (size_t)m * sizeof(double));
    }
    return TACT_OK;
}

/// Rows of J of all contacts and loops, M and its factor.
static void make_by_mass(TactIabi *iabi)
{
    size_t nv = (size_t)iabi->model->nv;
    tact_dynamics_compute_mass(iabi->dynamics, NULL);
    tact_dynamics_get_mass(iabi->dynamics, iabi->M);
    for (int i = 0; i < iabi->count + iabi->loops; i++) {
        const TactAssemblyContact *c = &iabi->places[i];
        double *A = iabi->scratch, *B = A + 6 * nv, *J = iabi->J + 3 * (size_t)i * nv;
        tact_dynamics_compute_jacobian(iabi->dynamics, c->a, c->point, A);
        tact_dynamics_compute_jacobian(iabi->dynamics, c->b, c->point, B);
        for (size_t r = 0; r < 3; r++) {
            TactVec3 axis = c->axes[r];
            for (size_t k = 0; k < nv; k++) {
                J[r * nv + k] = axis.x * (B[k] - A[k]) + axis.y * (B[nv + k] - A[nv + k]) +
                                axis.z * (B[2 * nv + k] - A[2 * nv + k]);
            }
        }
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

/// What velocities add to the accelerations of rows, dJ/dt v: a_free less J times the acceleration
/// that the assembly finds without contact forces. In M it is bias, surface and target.
static void share_products(TactIabi *iabi, double h, double *acceleration)
{
    int nv = iabi->model->nv;
    tact_assembly_finish(iabi->assembly, NULL, acceleration, NULL);
    for (int i = 0; i < iabi->count + iabi->loops; i++) {
        double product[3];
        for (int r = 0; r < 3; r++) {
            const double *J = iabi->J + (size_t)(3 * i + r) * (size_t)nv;
            product[r] = h * (iabi->a_free[3 * i + r] - dot(J, acceleration, nv));
            if (i >= iabi->count) {
                iabi->rows[3 * (i - iabi->count) + r] =
                    (TactContactRow){.kind = TACT_ROW_BILATERAL, .J = J, .target = -product[r]};
            }
        }
        if (i < iabi->count) {
            iabi->contacts[i] = iabi->points[i];
            iabi->contacts[i].J = iabi->J + 3 * (size_t)i * (size_t)nv;
            iabi->contacts[i].bias += product[0];
            iabi->contacts[i].surface[0] = product[1];
            iabi->contacts[i].surface[1] = product[2];
        }
    }
}

/// Largest difference of W and J M^-1 J' of the contacts, rows of loops and of joints that are held
/// eliminated, over the largest entry.
static double compare_W(TactIabi *iabi, double *x)
{
    int    nv = iabi->model->nv, m = 3 * iabi->count, rows = m + 3 * iabi->loops;
    int    n = rows + iabi->held;
    double worst = 0, largest = 0;
    for (int j = 0; j < n; j++) {
        const double *column = j < rows ? iabi->J + (size_t)j * (size_t)nv
                                        : iabi->held_J + (size_t)(j - rows) * (size_t)nv;
        memcpy(x, column, (size_t)nv * sizeof *x);
        tact_dynamics_solve_mass(iabi->dynamics, x);
        for (int i = 0; i < n; i++) {
            const double *row = i < rows ? iabi->J + (size_t)i * (size_t)nv
                                         : iabi->held_J + (size_t)(i - rows) * (size_t)nv;
            iabi->other_W[i * n + j] = dot(row, x, nv);
        }
    }
    eliminate(iabi->other_W, NULL, n, m);
    for (int i = 0; i < m; i++) {
        for (int j = 0; j < m; j++) {
            worst = fmax(worst, fabs(iabi->other_W[i * n + j] - iabi->W[i * m + j]));
            largest = fmax(largest, fabs(iabi->W[i * m + j]));
        }
    }
    return largest > 0 ? worst / largest : 0;
}

// ---------------------------------------------------------------------------------------------
// Solves

static TactStatus solve_frame(TactIabi *iabi, double h)
{
    TactContactProblem of_W = {.step = h,
                               .W = iabi->W,
                               .u_free = iabi->u_free,
                               .contact_count = iabi->count,
                               .contacts = iabi->points};
    TactContactProblem of_M = {.step = h,
                               .nv = iabi->model->nv,
                               .M = iabi->M,
                               .parent = iabi->parent,
                               .v = iabi->v,
                               .tau = iabi->tau,
                               .contact_count = iabi->count,
                               .contacts = iabi->contacts,
                               .row_count = 3 * iabi->loops + iabi->held,
                               .rows = iabi->rows};
    TactStatus         status = TACT_OK;
    bool               same = true;
    for (int k = 0; k < TACT_IABI_WAYS && status == TACT_OK; k++) {
        TactContactReport report;
        TactContactAnswer answer = {.impulse = iabi->impulse, .u = iabi->u[k]};
        TactWatch         watch = tact_watch_start();
        status = tact_contact_solve(iabi->solvers[k], k < TACT_MASS_SEARCH ? &of_W : &of_M, &answer,
                                    &report);
        iabi->tally.solve[k] += tact_watch_stop(&watch);
        if (status == TACT_OK) {
            iabi->tally.pivots[k] += report.pivots;
            iabi->tally.solved[k] += report.outcome == TACT_OUTCOME_SOLVED;
            iabi->tally.close[k] += report.certificate.error <= PAPER_ERROR;
        }
        for (int i = 0; i < 3 * iabi->count && status == TACT_OK; i++) {
            // dJ/dt v is part of u of W; of M it stands in the bias, and in surface, which u has
            const TactContact *c = &iabi->contacts[i / 3];
            double             more = i % 3 > 0 ? 0 : c->bias - iabi->points[i / 3].bias;
            iabi->u[k][i] += k < TACT_MASS_SEARCH ? 0 : more;
            same = same && fabs(iabi->u[k][i] - iabi->u[0][i]) <= SAME;
        }
    }
    iabi->tally.same += same;
    return status;
}

TactStatus tact_iabi_look(TactIabi *iabi, const TactSim *sim, const TactSimReport *report,
                          const double *q, const double *v)
{
    double        h = tact_sim_view_config(sim)->timestep;
    int           nv = iabi->model->nv;
    const double *after = tact_sim_view_state((TactSim *)sim)->v;
    if (report->contacts == 0) {
        return TACT_OK;
    }
    if (report->parts != 1) {
        iabi->tally.divided++;
        return TACT_OK;
    }
    TactStatus status = tact_dynamics_set_position(iabi->dynamics, q);
    status = status == TACT_OK ? tact_dynamics_set_velocity(iabi->dynamics, v) : status;
    if (status != TACT_OK || !place(iabi, sim, h)) {
        return status;
    }
    memcpy(iabi->v, v, (size_t)nv * sizeof *v);
    tact_dynamics_compute_passive(iabi->dynamics, iabi->tau);
    hold(iabi, q, v, after, h);
    TactWatch watch = tact_watch_start();
    status = make_by_assembly(iabi, h);
    iabi->tally.made[0] += tact_watch_stop(&watch);
    if (status != TACT_OK) {
        return status;
    }
    watch = tact_watch_start();
    make_by_mass(iabi);
    iabi->tally.made[1] += tact_watch_stop(&watch);
    double *acceleration = iabi->scratch;
    share_products(iabi, h, acceleration);
    iabi->tally.W = fmax(iabi->tally.W, compare_W(iabi, iabi->scratch));
    tact_dynamics_compute_inverse(iabi->dynamics, NULL, NULL, iabi->scratch);
    for (int i = 0; i < nv; i++) { // bias forces included
        iabi->tau[i] -= iabi->scratch[i];
    }
    iabi->tally.frames++;
    iabi->tally.contacts += iabi->count;
    return solve_frame(iabi, h);
}
