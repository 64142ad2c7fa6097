// The last steps: motion and impulses side by side.
//
// In (1) of proximal.h an impulse is a velocity over a small compliance: where springs are stiff,
// it has few digits. Here p is kept beside y, each with its own equation. The law, which for any r
// > 0 is
//
//     p = P(z),    z = p - (u + k (p - p^)) / r (4)
//
// and y = y0 + C p are solved by Newton together, D = P'(z):
//
//     A dp = P(z) - p - D du / r,    A = I - D + D k / r,    du = C'dy
//     dp = c - B du,    c = A^-1 (P(z) - p),    B = A^-1 D / r
//     (I + C B C') dy = y0 + C (p + c) - y (5)
//
// (compliance of a contact's own is added to the normal part of u in (4), and to k in A).
//
// After a whole step y = y0 + C p holds to rounding. A large r makes the states of contacts depend
// on impulses more than on velocities, which are not known yet when p comes from the last step.
#include <math.h>
#include <string.h>

#include "contact/proximal/proximal_internal.h"

// r over w.
static const double REACH = 0.1;

// Error over the tolerance of an answer that is taken as it comes: a pile at rest shall not creep.
static const double AT_ONCE = 1e-4;

// Without a better answer in so many steps it ends.
enum { PATIENCE = 4 };

/// X <- A^-1 X for two right-hand sides, (3 x 3) and (3); A is I - D + D k / r: near 0 at worst.
static void solve3(const double A[9], double X[9], double x[3])
{
    double c0 = A[4] * A[8] - A[5] * A[7], c1 = A[5] * A[6] - A[3] * A[8],
           c2 = A[3] * A[7] - A[4] * A[6];
    double scale = 1 / (A[0] * c0 + A[1] * c1 + A[2] * c2);
    double inverse[9] = {c0, A[2] * A[7] - A[1] * A[8], A[1] * A[5] - A[2] * A[4],
                         c1, A[0] * A[8] - A[2] * A[6], A[2] * A[3] - A[0] * A[5],
                         c2, A[1] * A[6] - A[0] * A[7], A[0] * A[4] - A[1] * A[3]};
    double Y[9], y[3];
    for (int r = 0; r < 3; r++) {
        const double *row = inverse + 3 * r;
        for (int c = 0; c < 3; c++) {
            Y[3 * r + c] = scale * (row[0] * X[c] + row[1] * X[3 + c] + row[2] * X[6 + c]);
        }
        y[r] = scale * (row[0] * x[0] + row[1] * x[1] + row[2] * x[2]);
    }
    memcpy(X, Y, sizeof Y);
    memcpy(x, y, sizeof y);
}

/// B and c of one item.
static void linearise(TactProximal *proximal, int i, const double p[3])
{
    TactProximalItem *item = &proximal->items[i];
    double            r = REACH * proximal->coupling->weight[i];
    double            z[3], x[3], D[9], A[9];
    double            own = proximal->coupling->system->items[i].compliance;
    for (int c = 0; c < 3; c++) {
        z[c] = p[c] - (item->u[c] + item->k * (p[c] - item->centre[c])) / r;
    }
    z[0] -= own * p[0] / r;
    tact_proximal_law(proximal, i, z, x, D);
    for (int e = 0; e < 9; e++) {
        A[e] = (e % 4 == 0) - D[e] * (1 - (e % 3 == 0 ? item->k + own : item->k) / r);
        item->B[e] = D[e] / r;
    }
    for (int c = 0; c < 3; c++) {
        item->c[c] = x[c] - p[c];
    }
    solve3(A, item->B, item->c);
}

static bool step_polish(TactProximal *proximal, double *p)
{
    const TactSystem *system = proximal->coupling->system;
    for (int j = 0; j < system->dof; j++) {
        proximal->dy[j] = system->y0[j] - proximal->y[j];
    }
    for (int i = 0; i < system->item_count; i++) {
        TactProximalItem *item = &proximal->items[i];
        tact_system_pull(system, i, proximal->y, item->u);
        for (int c = 0; c < 3; c++) {
            item->u[c] += system->e[3 * i + c];
        }
        linearise(proximal, i, p + 3 * i);
        double push[3] = {p[3 * i] + item->c[0], p[3 * i + 1] + item->c[1],
                          p[3 * i + 2] + item->c[2]};
        tact_system_push(system, i, push, proximal->dy);
    }
    if (!tact_proximal_direction(proximal)) {
        return false;
    }
    for (int j = 0; j < system->dof; j++) {
        proximal->y[j] += proximal->dy[j];
    }
    for (int i = 0; i < system->item_count; i++) {
        const TactProximalItem *item = &proximal->items[i];
        double                  du[3];
        tact_system_pull(system, i, proximal->dy, du);
        for (int a = 0; a < 3; a++) {
            const double *B = item->B + 3 * a;
            p[3 * i + a] += item->c[a] - (B[0] * du[0] + B[1] * du[1] + B[2] * du[2]);
        }
    }
    return true;
}

/// Error of p over what it may be; u of the items is left behind.
static double measure_polish(TactProximal *proximal, double tol, const double *p)
{
    TactCoupling *coupling = proximal->coupling;
    double       *u = proximal->p; // scratch: impulses at y are not needed here
    tact_coupling_move(coupling, p, u);
    tact_coupling_scales(coupling, p, proximal->scale);
    double error = tact_coupling_error(coupling, p, u, proximal->scale, NULL);
    return error / tact_coupling_tolerance(coupling, proximal->scale, tol);
}

bool tact_proximal_polish(TactProximal *proximal, const double *y, double tol, int most, double *p)
{
    size_t size = 3 * (size_t)proximal->coupling->system->item_count * sizeof(double);
    double best = HUGE_VAL;
    int    since = 0;
    memcpy(proximal->y, y, (size_t)proximal->coupling->system->dof * sizeof(double));
    for (int i = 0; i < proximal->coupling->system->item_count; i++) {
        proximal->items[i].k = 0.5 * tol * proximal->coupling->weight[i];
        memcpy(proximal->items[i].centre, p + 3 * i, 3 * sizeof(double));
    }
    for (int k = 0; k <= most; k++) {
        double error = measure_polish(proximal, tol, p);
        proximal->first = k == 0 ? error : proximal->first;
        if (error < best) {
            since = error < 0.5 * best ? 0 : since + 1;
            best = error;
            memcpy(proximal->best, p, size);
        } else {
            since++;
        }
        proximal->last = best;
        if (error <= (k == 0 ? fmax(AT_ONCE, proximal->at_once) : 1)) {
            return true;
        }
        if (k == most || since >= PATIENCE || !isfinite(error) || !step_polish(proximal, p)) {
            break;
        }
    }
    memcpy(p, proximal->best, size);
    return best <= 1;
}
