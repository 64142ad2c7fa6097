// A way to a start that Newton can work with: contacts first soft, then ever stiffer.
//
// With the slack s_i = mu |u_t| of the last stage held fixed, the law of the circular cone is that
// of a convex problem [Acary, Cadoux, Lemarechal, Malick 2011], and with springs of compliance
// eps w_i on impulses p^ of the last stage its motion y minimises a smooth convex function
//
//     phi(y) = |y - y0|^2 / 2 + sum eps w_i |P(z_i)|^2 / 2,
//     z_i    = p^_i - (u_i + s_i n) / (eps w_i)
//
// with the projection P onto the cone (of a row: p >= 0, of a motor: |p| <= bound); the impulses
// are p_i = P(z_i). Newton with a line search on phi always gets there:
//
//     (I + sum C_i P'(z_i) C_i' / (eps w_i)) dy = y0 - y + sum C_i P(z_i)
//
// A stage takes p^ = p and s from the stage before [method of multipliers], and a smaller eps.
// Where a stage has brought the error down, Newton on the true law has a try.
#include <math.h>
#include <string.h>

#include "contact/newton.h"
#include "linalg/cholesky.h"
#include "linalg/vector.h"

static const double FIRST = 1;       // eps
static const double LAST = 1e-9;     // eps
static const double STIFFEN = 0.5;   // of eps, a stage, where the springs hold the answer back
static const double LINGER = 0.9;    //   and where they do not
static const double COARSEST = 1e-2; // gradient over |y - y0| at which a stage ends,
static const double FINEST = 1e-9;   //   a tenth of the error between these two
static const double PROGRESS = 0.3;  // of the error, since the last try of Newton
static const double DESCENT = 1e-4;  // share of the descent promised that a step must keep

enum { STAGES = 100, STAGE_STEPS = 30, HALVINGS = 20, TRY_STEPS = 20, TRY_EVERY = 5 };

// ---------------------------------------------------------------------------------------------
// Projections

/// x = P(z), and P' as a symmetric 3 x 3 matrix.
static void project_cone(double mu, const double z[3], double x[3], double D[9])
{
    double t = sqrt(z[1] * z[1] + z[2] * z[2]);
    memset(D, 0, 9 * sizeof(double));
    if (mu > 0 && t <= mu * z[0]) {
        memcpy(x, z, 3 * sizeof(double));
        D[0] = D[4] = D[8] = 1;
        return;
    }
    double n = (z[0] + mu * t) / (1 + mu * mu);
    if (!(n > 0)) {
        x[0] = x[1] = x[2] = 0;
        return;
    }
    double h[2] = {t > 0 ? z[1] / t : 0, t > 0 ? z[2] / t : 0};
    double edge[3] = {1, mu * h[0], mu * h[1]}; // P(z) = n edge
    double across[3] = {0, -h[1], h[0]};
    double turn = t > 0 ? mu * n / t : 0;
    for (int k = 0; k < 9; k++) {
        D[k] = edge[k / 3] * edge[k % 3] / (1 + mu * mu) + turn * across[k / 3] * across[k % 3];
    }
    for (int c = 0; c < 3; c++) {
        x[c] = n * edge[c];
    }
}

static void project(const TactItem *item, const double z[3], double x[3], double D[9])
{
    if (item->kind == TACT_ITEM_CONTACT) {
        project_cone(item->mu, z, x, D);
        return;
    }
    memset(D, 0, 9 * sizeof(double));
    x[0] = x[1] = x[2] = 0;
    if (item->kind == TACT_ITEM_UNILATERAL) {
        x[0] = z[0] > 0 ? z[0] : 0;
        D[0] = z[0] > 0;
    } else {
        x[1] = fmax(-item->bound, fmin(z[1], item->bound));
        D[4] = x[1] == z[1];
    }
}

// ---------------------------------------------------------------------------------------------
// One stage

/// p and P' at y; returns phi.
static double evaluate(TactNewton *newton, double eps, const double *y, double *p)
{
    const TactSystem     *system = newton->coupling.system;
    const TactNewtonPath *path = &newton->path;
    double                phi = 0;
    for (int j = 0; j < system->dof; j++) {
        phi += (y[j] - system->y0[j]) * (y[j] - system->y0[j]);
    }
    for (int i = 0; i < system->item_count; i++) {
        double *u = newton->u + 3 * i;
        double *x = p + 3 * i;
        double  k = eps * newton->coupling.weight[i];
        double  z[3];
        tact_system_pull(system, i, y, u);
        for (int c = 0; c < 3; c++) {
            u[c] += system->e[3 * i + c];
            z[c] = path->centre[3 * i + c] - u[c] / k;
        }
        z[0] -= path->slack[i] / k;
        project(&system->items[i], z, x, path->slope + 9 * i);
        phi += k * (x[0] * x[0] + x[1] * x[1] + x[2] * x[2]);
    }
    return phi / 2;
}

/// I + sum C_i P' C_i' / (eps w_i)
static void assemble(TactNewton *newton, double eps)
{
    const TactSystem *system = newton->coupling.system;
    size_t            dof = (size_t)system->dof;
    memset(newton->matrix, 0, dof * dof * sizeof(double));
    for (size_t j = 0; j < dof; j++) {
        newton->matrix[j * (dof + 1)] = 1;
    }
    for (int i = 0; i < system->item_count; i++) {
        const TactItemGroup *group = &system->groups[system->items[i].group];
        const int           *support = system->support + group->support;
        const double        *n = system->columns + system->column[i];
        const double        *t1 = n + group->size;
        const double        *t2 = t1 + group->size;
        const double        *D = newton->path.slope + 9 * i;
        double               k = eps * newton->coupling.weight[i];
        if (D[0] == 0 && D[4] == 0) {
            continue; // open, or a motor at its bound
        }
        for (int r = 0; r < group->size; r++) {
            double *row = newton->matrix + (size_t)support[r] * dof;
            double  a[3];
            for (int c = 0; c < 3; c++) {
                a[c] = (n[r] * D[c] + t1[r] * D[3 + c] + t2[r] * D[6 + c]) / k;
            }
            for (int s = 0; s < group->size; s++) {
                row[support[s]] += (a[0] * n[s] + a[1] * t1[s]) + a[2] * t2[s];
            }
        }
    }
}

/// Minimises phi from path->y on; p in and out. Returns the steps.
static int run_stage(TactNewton *newton, double eps, double exact, double *p)
{
    const TactSystem     *system = newton->coupling.system;
    const TactNewtonPath *path = &newton->path;
    int                   dof = system->dof;
    double               *down = newton->right; // minus the gradient
    double                phi = evaluate(newton, eps, path->y, p);
    for (int step = 0; step < STAGE_STEPS; step++) {
        double moved2 = 0;
        for (int j = 0; j < dof; j++) {
            down[j] = system->y0[j] - path->y[j];
            moved2 += down[j] * down[j];
        }
        for (int i = 0; i < system->item_count; i++) {
            tact_system_push(system, i, p + 3 * i, down);
        }
        if (!(tact_vec_dot(dof, down, down) > exact * exact * moved2)) {
            return step;
        }
        assemble(newton, eps);
        tact_cholesky_factor(dof, newton->matrix, dof, 0, newton->work);
        tact_cholesky_solve(dof, newton->matrix, dof, down, newton->x);
        double promised = tact_vec_dot(dof, down, newton->x);
        double before = phi;
        double t = 1;
        for (int k = 0; k < HALVINGS; k++, t /= 2) {
            for (int j = 0; j < dof; j++) {
                path->trial[j] = path->y[j] + t * newton->x[j];
            }
            phi = evaluate(newton, eps, path->trial, p);
            if (phi <= before - DESCENT * t * promised) {
                break;
            }
        }
        memcpy(path->y, path->trial, (size_t)dof * sizeof(double));
    }
    return STAGE_STEPS;
}

// ---------------------------------------------------------------------------------------------
// The path

static bool can_follow(const TactNewton *newton)
{
    const TactSystem *system = newton->coupling.system;
    bool              stiff = true; // a contact with a compliance of its own is not in phi
    for (int i = 0; i < system->item_count; i++) {
        stiff = stiff && system->items[i].compliance == 0;
    }
    return stiff && !newton->coupling.has_blocks && system->dof <= newton->capacity;
}

/// p^ and s from where the last stage ended; newton->u belongs to it. True if the springs hold the
/// answer back more than the old s does: eps w |p - p^| against the change of s.
static bool set_centre(TactNewton *newton, double eps, const double *p)
{
    const TactSystem *system = newton->coupling.system;
    TactNewtonPath   *path = &newton->path;
    double            by_springs = 0, by_slack = 0;
    for (int i = 0; i < system->item_count; i++) {
        const double *u = newton->u + 3 * i;
        double       *centre = path->centre + 3 * i;
        double        slack = system->items[i].mu * sqrt(u[1] * u[1] + u[2] * u[2]);
        for (int c = 0; c < 3; c++) {
            double k = eps * newton->coupling.weight[i];
            by_springs = fmax(by_springs, k * fabs(p[3 * i + c] - centre[c]));
            centre[c] = p[3 * i + c];
        }
        by_slack = fmax(by_slack, fabs(slack - path->slack[i]));
        path->slack[i] = slack;
    }
    return by_springs > by_slack;
}

bool tact_newton_path(TactNewton *newton, double tol, double *p, int *steps)
{
    static const double rho[] = {10, 100, 3};
    TactNewtonPath     *path = &newton->path;
    if (!can_follow(newton)) {
        return false;
    }
    size_t n = 3 * (size_t)newton->coupling.system->item_count;
    memcpy(path->start, p, n * sizeof(double));
    tact_coupling_move(&newton->coupling, p, newton->u);
    memcpy(path->y, newton->coupling.y, (size_t)newton->coupling.system->dof * sizeof(double));
    set_centre(newton, 0, p);
    double error = HUGE_VAL, tried_at = HUGE_VAL;
    int    since = 0, tries = 0;
    double eps = FIRST;
    for (int stage = 0; stage < STAGES && eps > LAST; stage++) {
        double exact = fmax(FINEST, fmin(COARSEST, 0.1 * error));
        *steps += run_stage(newton, eps, exact, p);
        bool springs = set_centre(newton, eps, p);
        eps *= springs ? STIFFEN : LINGER;
        error = tact_newton_error(newton, p);
        if (error < PROGRESS * tried_at || ++since == TRY_EVERY) {
            if (tact_newton_run(newton, TACT_NEWTON_PROXIMAL, rho[tries++ % 3], TRY_STEPS, tol, p,
                                steps)) {
                return true;
            }
            tried_at = error;
            since = 0;
        }
    }
    memcpy(p, path->start, n * sizeof(double));
    return false;
}
