// A way to a start that Newton can work with: contacts first soft, then ever stiffer.
//
// With the slack s_i = mu h(u_t) of the last stage held fixed, the law of a cone is that of a
// convex problem [Acary, Cadoux, Lemarechal, Malick 2011], and with springs of compliance k_i = eps
// w_i on impulses p^ of the last stage its motion minimises a smooth convex function. As a function
// of impulses q that give the motion, u = W q + b, it is
//
//     phi(q) = q'W q / 2 + sum k_i |P(z_i)|^2 / 2,    z_i = p^_i - (u_i + s_i n) / k_i (1)
//
// with the projection P onto the cone (of a row: p >= 0, of a motor: |p| <= bound). Its gradient is
// W (q - p), p_i = P(z_i), and Newton with a line search on phi always gets to p = q:
//
//     k_i dq_i + P'(z_i) du_i = k_i (p_i - q_i),    du = W dq (2)
//
// A stage takes p^ = p and s from the stage before [method of multipliers], and a smaller eps.
// Where a stage has brought the error down, Newton on the true law has a try.
#include <math.h>
#include <string.h>

#include "contact/newton/newton.h"
#include "contact/newton/newton_step.h"
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
static void project(const TactItem *item, const TactPyramid *cone, const double z[3], double x[3],
                    double D[9])
{
    if (item->kind == TACT_ITEM_CONTACT) {
        tact_pyramid_project(cone, z, x, D);
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

/// q'W q
static double motion2(const TactNewton *newton, const double *q)
{
    const TactSystem *system = newton->coupling.system;
    double            sum = 0;
    if (newton->coupling.has_blocks) {
        for (int i = 0; i < 3 * system->item_count; i++) {
            sum += q[i] * (newton->u[i] - system->b[i]);
        }
        return sum;
    }
    for (int j = 0; j < system->dof; j++) {
        double moved = newton->coupling.y[j] - system->y0[j];
        sum += moved * moved;
    }
    for (int i = 0; i < system->item_count; i++) {
        sum += system->items[i].compliance * q[3 * i] * q[3 * i];
    }
    return sum;
}

/// u, p and P' at q; returns phi.
static double evaluate_path(TactNewton *newton, double eps, const double *q, double *p)
{
    const TactSystem     *system = newton->coupling.system;
    const TactNewtonPath *path = &newton->path;
    tact_coupling_move(&newton->coupling, q, newton->u);
    double phi = motion2(newton, q);
    for (int i = 0; i < system->item_count; i++) {
        double *x = p + 3 * i;
        double  k = eps * newton->coupling.weight[i];
        double  z[3];
        for (int c = 0; c < 3; c++) {
            z[c] = path->centre[3 * i + c] - newton->u[3 * i + c] / k;
        }
        z[0] -= path->slack[i] / k;
        project(&system->items[i], &newton->coupling.cones[i], z, x, path->slope + 9 * i);
        phi += k * (x[0] * x[0] + x[1] * x[1] + x[2] * x[2]);
    }
    return phi / 2;
}

/// (2) for all items; an open one, or a motor at its bound, has P' = 0.
static void write_equations(TactNewton *newton, double eps, const double *q, const double *p)
{
    for (int i = 0; i < newton->coupling.system->item_count; i++) {
        TactNewtonItem *item = &newton->items[i];
        const double   *D = newton->path.slope + 9 * i;
        bool            held = D[0] != 0 || D[4] != 0;
        double          k = eps * newton->coupling.weight[i];
        *item = (TactNewtonItem){.unknowns = held ? 3 : 0};
        for (int c = 0; c < 3; c++) {
            double missing = p[3 * i + c] - q[3 * i + c];
            item->d[c] = held ? 0 : missing;
            item->T[c][c] = 1;
            item->direct[c] = k;
            item->right[c] = k * missing;
            memcpy(item->E[c], D + 3 * c, 3 * sizeof(double));
        }
    }
}

/// off = W (p - q), minus the gradient by q; returns |p - q|^2 in the metric of W.
static double measure_path(TactNewton *newton, const double *q, const double *p, double *off)
{
    int    n = 3 * newton->coupling.system->item_count;
    double sum = 0;
    tact_coupling_move(&newton->coupling, p, off);
    for (int i = 0; i < n; i++) {
        off[i] -= newton->u[i];
        sum += (p[i] - q[i]) * off[i];
    }
    return sum;
}

/// q + t dq with t = 1, 1/2 ... until phi has come down by a share of what its slope promises.
static double search_line(TactNewton *newton, double eps, double before, double promised, double *p)
{
    const TactNewtonPath *path = &newton->path;
    int                   n = 3 * newton->coupling.system->item_count;
    double                phi = before, t = 1;
    for (int k = 0; k < HALVINGS; k++, t /= 2) {
        for (int i = 0; i < n; i++) {
            path->trial[i] = path->q[i] + t * newton->dp[i];
        }
        phi = evaluate_path(newton, eps, path->trial, p);
        if (phi <= before - DESCENT * t * promised) {
            break;
        }
    }
    memcpy(path->q, path->trial, (size_t)n * sizeof(double));
    return phi;
}

/// Minimises phi from path->q on; q and p in and out. Returns the steps.
static int run_stage(TactNewton *newton, double eps, double exact, double *p)
{
    const double *q = newton->path.q;
    double       *off = newton->F;
    int           n = 3 * newton->coupling.system->item_count;
    double        phi = evaluate_path(newton, eps, q, p);
    for (int step = 0; step < STAGE_STEPS; step++) {
        double moved2 = motion2(newton, q);
        if (!(measure_path(newton, q, p, off) > exact * exact * moved2)) {
            return step;
        }
        write_equations(newton, eps, q, p);
        if (!tact_newton_step(newton, TACT_NEWTON_PROXIMAL)) {
            return step;
        }
        phi = search_line(newton, eps, phi, tact_vec_dot(n, newton->dp, off), p);
    }
    return STAGE_STEPS;
}

// ---------------------------------------------------------------------------------------------
// The path

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
        double        slack =
            system->items[i].mu * tact_pyramid_support(&newton->coupling.cones[i], u + 1);
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
    size_t              n = 3 * (size_t)newton->coupling.system->item_count;
    memcpy(path->start, p, n * sizeof(double));
    memcpy(path->q, p, n * sizeof(double));
    tact_coupling_move(&newton->coupling, p, newton->u);
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
