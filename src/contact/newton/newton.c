#include "contact/newton/newton.h"

#include <math.h>
#include <string.h>

#include "contact/newton/newton_step.h"
#include "linalg/qr.h"

// Most unknowns of a least-squares step (1.3 MB, some 30 ms), most entries of an envelope (32 MB).
enum { MOST_UNKNOWNS = 400, MOST_ENTRIES = 1 << 21, MOST_STEPS = 40 };

// Steps where other compliances are tried, if one has no more operations than this.
enum { PATIENT_STEPS = 200 };
static const double CHEAP = 1e6;

// The shortest step tried.
static const double SHORTEST = 0.01;

void tact_newton_layout(TactNewton *newton, const TactContactCapacity *capacity, TactArena *arena)
{
    size_t     items = (size_t)capacity->contacts + (size_t)capacity->rows;
    size_t     n = 3 * items;
    size_t     dof = (size_t)capacity->dof;
    size_t     most = n > dof ? n : dof;
    size_t     side = n < MOST_UNKNOWNS ? n : MOST_UNKNOWNS;
    TactNewton lent = {
        .items = tact_arena_take(arena, items, sizeof *lent.items),
        .sizes = tact_arena_take(arena, items, sizeof(int)),
        .F = tact_arena_take(arena, n, sizeof(double)),
        .u = tact_arena_take(arena, n, sizeof(double)),
        .scale = tact_arena_take(arena, items, sizeof(double)),
        .root = tact_arena_take(arena, items, sizeof(double)),
        .start = tact_arena_take(arena, n, sizeof(double)),
        .trial = tact_arena_take(arena, n, sizeof(double)),
        .dp = tact_arena_take(arena, n, sizeof(double)),
        .x = tact_arena_take(arena, most, sizeof(double)),
        .capacity = (int)side,
        .matrix = tact_arena_take(arena, side * side, sizeof(double)),
        .dense = tact_arena_take(arena, tact_newton_dense_room(capacity->dof), sizeof(double)),
        .right = tact_arena_take(arena, side, sizeof(double)),
        .scratch = tact_arena_take(arena, TACT_QR_WORK(side, side) + 2 * dof, sizeof(double)),
        .perm = tact_arena_take(arena, side, sizeof(int)),
    };
    // Degrees of freedom of a problem given by W are its impulses.
    size_t entries = dof * dof < 2 * (size_t)MOST_ENTRIES ? dof * dof / 2 : MOST_ENTRIES;
    tact_envelope_layout(&lent.envelope, (int)dof, entries, arena);
    tact_newton_order_layout(&lent.order, capacity, arena);
    lent.path = (TactNewtonPath){
        .q = tact_arena_take(arena, n, sizeof(double)),
        .trial = tact_arena_take(arena, n, sizeof(double)),
        .start = tact_arena_take(arena, n, sizeof(double)),
        .centre = tact_arena_take(arena, n, sizeof(double)),
        .slack = tact_arena_take(arena, items, sizeof(double)),
        .slope = tact_arena_take(arena, 3 * n, sizeof(double)),
    };
    tact_coupling_layout(&lent.coupling, capacity, arena);
    if (arena->block) {
        *newton = lent;
    }
}

void tact_newton_begin(TactNewton *newton, const TactSystem *system,
                       const TactContactProblem *problem, TactContactCone cone)
{
    tact_coupling_begin(&newton->coupling, system, problem, cone, NULL);
    newton->full = tact_newton_is_full(&newton->coupling);
    if (!newton->full && !(newton->coupling.is_sparse && newton->fronts)) {
        tact_newton_order_begin(&newton->order, &newton->coupling);
    }
    tact_newton_step_begin(newton);
}

// ---------------------------------------------------------------------------------------------
// Equations

static void set3(double to[3], double n, double t1, double t2)
{
    to[0] = n;
    to[1] = t1;
    to[2] = t2;
}

/// p = 0: the change is known.
static void open_item(const double p[3], double w, double F[3], TactNewtonItem *item)
{
    item->unknowns = 0;
    for (int c = 0; c < 3; c++) {
        item->d[c] = -p[c];
        F[c] = sqrt(w) * p[c];
    }
}

/// u = 0 in the component, unknown dp there.
static void hold(const double u[3], int component, double w, double rho, double F[3],
                 TactNewtonItem *item)
{
    int k = item->unknowns++;
    set3(item->T[k], component == 0, component == 1, component == 2);
    set3(item->E[k], component == 0, component == 1, component == 2);
    item->direct[k] = 0;
    item->right[k] = -u[component];
    F[component] = rho * u[component] / sqrt(w);
}

/// u_n = 0 and p_t = mu a h, h = q / |q|. Across h (along t), with g = mu a / |q| < 1, the
/// linearised friction is viscous; along h it follows the normal impulse:
///
///     h dp_t = mu dp_n + mu rho u_n / w - h F_t          (as du_n = -u_n)
///     (1 - g) t dp_t + g rho / w t du_t = -t F_t
static void slide_newton(const double p[3], const double u[3], double w, double mu, double rho,
                         double F[3], TactNewtonItem *item)
{
    double a = p[0] - rho * u[0] / w;
    double q[2] = {p[1] - rho * u[1] / w, p[2] - rho * u[2] / w};
    double length = sqrt(q[0] * q[0] + q[1] * q[1]);
    double h[2] = {q[0] / length, q[1] / length};
    double g = mu * a / length;
    double F_t[2] = {p[1] - mu * a * h[0], p[2] - mu * a * h[1]};
    hold(u, 0, w, rho, F, item);
    set3(item->T[0], 1, mu * h[0], mu * h[1]);
    double along = mu * rho * u[0] / w - (h[0] * F_t[0] + h[1] * F_t[1]);
    set3(item->d, 0, along * h[0], along * h[1]);
    set3(item->T[1], 0, -h[1], h[0]);
    set3(item->E[1], 0, -g * rho * h[1], g * rho * h[0]);
    item->direct[1] = (1 - g) * w;
    item->right[1] = w * (h[1] * F_t[0] - h[0] * F_t[1]);
    item->unknowns = 2;
    F[1] = sqrt(w) * F_t[0];
    F[2] = sqrt(w) * F_t[1];
}

/// The same on an edge of the pyramid, outward m: u_n = 0, e u_t = 0 along the edge, and
///
///     m dp_t = mu cos(pi/d) (dp_n + rho u_n / w) - m F_t
///
/// or on a corner d_j: all of dp_t follows the normal impulse, mu (dp_n + rho u_n / w) d_j - F_t.
static void slide_on_face(const double p[3], const double u[3], double w, double mu, double rho,
                          const TactPyramidFace *face, bool corner, double F[3],
                          TactNewtonItem *item)
{
    const double *m = face->outward;
    const double *e = face->along;
    double        reach = mu * face->reach;
    double        a = p[0] - rho * u[0] / w;
    double        F_t[2] = {p[1] - reach * a * m[0], p[2] - reach * a * m[1]};
    double        u_e = e[0] * u[1] + e[1] * u[2];
    double        F_m = m[0] * F_t[0] + m[1] * F_t[1];
    double        follow = reach * rho * u[0] / w;
    hold(u, 0, w, rho, F, item);
    set3(item->T[0], 1, reach * m[0], reach * m[1]);
    if (corner) {
        set3(item->d, 0, follow * m[0] - F_t[0], follow * m[1] - F_t[1]);
    } else {
        set3(item->d, 0, (follow - F_m) * m[0], (follow - F_m) * m[1]);
        set3(item->T[1], 0, e[0], e[1]);
        set3(item->E[1], 0, e[0], e[1]);
        item->direct[1] = 0;
        item->right[1] = -u_e;
        item->unknowns = 2;
        for (int c = 0; c < 2; c++) {
            F_t[c] = F_m * m[c] + rho * u_e / w * e[c];
        }
    }
    F[1] = sqrt(w) * F_t[0];
    F[2] = sqrt(w) * F_t[1];
}

static void slide_on_pyramid(const double p[3], const double u[3], double w,
                             const TactPyramid *cone, double rho, double F[3], TactNewtonItem *item)
{
    double           a = p[0] - rho * u[0] / w;
    double           q[2] = {p[1] - rho * u[1] / w, p[2] - rho * u[2] / w};
    TactPyramidFace  face;
    TactPyramidPlace place = tact_pyramid_nearest(cone, cone->mu * a, q, &face);
    if (place == TACT_PYRAMID_INSIDE) {
        for (int c = 0; c < 3; c++) {
            hold(u, c, w, rho, F, item);
        }
    } else {
        slide_on_face(p, u, w, cone->mu, rho, &face, place == TACT_PYRAMID_CORNER, F, item);
    }
}

static void contact(const double p[3], const double u[3], double w, const TactPyramid *cone,
                    double rho, double F[3], TactNewtonItem *item)
{
    double mu = cone->mu;
    double a = p[0] - rho * u[0] / w;
    double q1 = p[1] - rho * u[1] / w;
    double q2 = p[2] - rho * u[2] / w;
    if (a <= 0) {
        open_item(p, w, F, item);
    } else if (mu == 0) {
        open_item(p, w, F, item);
        item->d[0] = 0;
        hold(u, 0, w, rho, F, item);
    } else if (cone->count > 0) {
        slide_on_pyramid(p, u, w, cone, rho, F, item);
    } else if (q1 * q1 + q2 * q2 <= mu * mu * a * a) {
        for (int c = 0; c < 3; c++) {
            hold(u, c, w, rho, F, item);
        }
    } else {
        slide_newton(p, u, w, mu, rho, F, item);
    }
}

static void motor(const double p[3], const double u[3], double w, double bound, double rho,
                  double F[3], TactNewtonItem *item)
{
    double q = p[1] - rho * u[1] / w;
    if (q > -bound && q < bound) {
        hold(u, 1, w, rho, F, item);
    } else {
        item->d[1] = (q > 0 ? bound : -bound) - p[1];
        F[1] = -sqrt(w) * item->d[1];
    }
}

/// The equations at p with their residuals F; returns |F|^2.
static double evaluate_residual(TactNewton *newton, const double *p, double rho)
{
    const TactSystem *system = newton->coupling.system;
    double            sum = 0;
    tact_coupling_move(&newton->coupling, p, newton->u);
    for (int i = 0; i < system->item_count; i++) {
        const TactItem *source = &system->items[i];
        TactNewtonItem *item = &newton->items[i];
        const double   *p_i = p + 3 * i;
        const double   *u_i = newton->u + 3 * i;
        double         *F = newton->F + 3 * i;
        double          w = newton->coupling.weight[i];
        set3(F, 0, 0, 0);
        set3(item->d, 0, 0, 0);
        item->unknowns = 0;
        switch (source->kind) {
        case TACT_ITEM_CONTACT:
            contact(p_i, u_i, w, &newton->coupling.cones[i], rho, F, item);
            break;
        case TACT_ITEM_MOTOR: motor(p_i, u_i, w, source->bound, rho, F, item); break;
        case TACT_ITEM_MOMENT: break; // of linked systems only, which are for pivots
        case TACT_ITEM_UNILATERAL:
            if (p_i[0] - rho * u_i[0] / w <= 0) {
                open_item(p_i, w, F, item);
            } else {
                hold(u_i, 0, w, rho, F, item);
            }
            break;
        }
        sum += F[0] * F[0] + F[1] * F[1] + F[2] * F[2];
    }
    return sum;
}

// ---------------------------------------------------------------------------------------------
// Steps

/// Error of p; newton->u belongs to it.
static double error_here(TactNewton *newton, const double *p)
{
    tact_coupling_scales(&newton->coupling, p, newton->scale);
    return tact_coupling_error(&newton->coupling, p, newton->u, newton->scale, NULL);
}

double tact_newton_error(TactNewton *newton, const double *p)
{
    tact_coupling_move(&newton->coupling, p, newton->u);
    return error_here(newton, p);
}

static bool is_found(TactNewton *newton, double tol, const double *p)
{
    double error = error_here(newton, p); // writes scales
    return error <= tact_coupling_tolerance(&newton->coupling, newton->scale, tol);
}

/// p + t dp with t = 1, 1/2, 1/4 ... until |F|^2 < (1 - t / 10) |F_0|^2; if none will do, the best
/// of them. Where |F|^2 is rounding a whole step is taken if it leads to the answer. The equations
/// at the new p are left in items.
static double search_line(TactNewton *newton, double rho, double before, double tol, double *p)
{
    int    n = 3 * newton->coupling.system->item_count;
    double best = HUGE_VAL, best_t = 0, after = 0, t = 1;
    for (; t >= SHORTEST; t /= 2) {
        for (int i = 0; i < n; i++) {
            newton->trial[i] = p[i] + t * newton->dp[i];
        }
        after = evaluate_residual(newton, newton->trial, rho);
        if (after < best) {
            best = after;
            best_t = t;
        }
        if (after < (1 - 0.1 * t) * before || (t == 1 && is_found(newton, tol, newton->trial))) {
            break;
        }
    }
    for (int i = 0; i < n; i++) {
        p[i] += best_t * newton->dp[i];
    }
    return t < SHORTEST ? evaluate_residual(newton, p, rho) : after;
}

bool tact_newton_run(TactNewton *newton, TactNewtonSolve solve, double rho, int max_steps,
                     double tol, double *p, int *steps)
{
    size_t n = 3 * (size_t)newton->coupling.system->item_count;
    memcpy(newton->start, p, n * sizeof(double));
    double F2 = evaluate_residual(newton, p, rho);
    for (int step = 0; step <= max_steps; step++) {
        if (is_found(newton, tol, p)) {
            return true;
        }
        // NaN ends here too.
        if (step == max_steps || !isfinite(F2) || !tact_newton_step(newton, solve)) {
            break;
        }
        F2 = search_line(newton, rho, F2, tol, p);
        (*steps)++;
    }
    memcpy(p, newton->start, n * sizeof(double));
    return false;
}

void tact_newton_finish(TactNewton *newton, double tol, double *p, int *steps)
{
    int    n = 3 * newton->coupling.system->item_count;
    double F2 = evaluate_residual(newton, p, 1), error = error_here(newton, p);
    if (error <= tact_coupling_tolerance(&newton->coupling, newton->scale, tol) || !isfinite(F2) ||
        !tact_newton_step(newton, TACT_NEWTON_PROXIMAL)) {
        return;
    }
    for (int i = 0; i < n; i++) {
        newton->trial[i] = p[i] + newton->dp[i];
    }
    (*steps)++;
    if (tact_newton_error(newton, newton->trial) < error) {
        memcpy(p, newton->trial, (size_t)n * sizeof *p);
    }
}

void tact_newton_refine(TactNewton *newton, double tol, double *p, int *steps)
{
    size_t n = 3 * (size_t)newton->coupling.system->item_count;
    double F2 = evaluate_residual(newton, p, 1);
    // The step is a dense one.
    if ((double)n * (double)n * (double)n > CHEAP || !isfinite(F2) ||
        !tact_newton_step(newton, TACT_NEWTON_LEAST)) {
        return;
    }
    memcpy(newton->start, p, n * sizeof(double));
    for (size_t i = 0; i < n; i++) {
        p[i] += newton->dp[i];
    }
    (*steps)++;
    evaluate_residual(newton, p, 1);
    double error = error_here(newton, p);
    if (!(error <= tact_coupling_tolerance(&newton->coupling, newton->scale, tol))) {
        memcpy(p, newton->start, n * sizeof(double));
    }
}

/// Where contacts are redundant but for a disturbance, some compliances are too large to follow it
/// and others too small to tell it from rounding; which ones, nobody knows before.
static bool try_compliances(TactNewton *newton, double tol, double *p, int *steps)
{
    static const double compliance[] = {1e-10, 1e-8, 1e-11, 1e-7, 1e-12};
    double              usual = newton->compliance;
    bool                solved = false;
    int                 most = newton->work < CHEAP ? PATIENT_STEPS : MOST_STEPS;
    for (size_t k = 0; k < sizeof compliance / sizeof *compliance && !solved; k++) {
        newton->compliance = compliance[k];
        solved = tact_newton_run(newton, TACT_NEWTON_PROXIMAL, 1, most, tol, p, steps) ||
                 tact_newton_run(newton, TACT_NEWTON_PROXIMAL, 10, most, tol, p, steps);
    }
    newton->compliance = usual;
    return solved;
}

bool tact_newton_polish(TactNewton *newton, double tol, double *p, int *steps)
{
    return tact_newton_run(newton, TACT_NEWTON_PROXIMAL, 1, MOST_STEPS, tol, p, steps) ||
           tact_newton_run(newton, TACT_NEWTON_PROXIMAL, 10, MOST_STEPS, tol, p, steps) ||
           tact_newton_path(newton, tol, p, steps) ||
           tact_newton_run(newton, TACT_NEWTON_PROXIMAL, 100, MOST_STEPS, tol, p, steps) ||
           try_compliances(newton, tol, p, steps) ||
           tact_newton_run(newton, TACT_NEWTON_LEAST, 1, MOST_STEPS, tol, p, steps) ||
           tact_newton_run(newton, TACT_NEWTON_LEAST, 3, MOST_STEPS, tol, p, steps);
}
