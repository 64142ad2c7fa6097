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
// (compliance of a contact's own is added to the normal part of u in (4), and to k in A). A moment
// is linearised as a contact that has the load of its own; of that only the tangents count.
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

// Without a better answer in so many steps it ends; and at once where the error is larger than
// this, at its start and later: of 673 polishes of a heap that fell 7 came to their end.
enum { PATIENCE = 4 };
static const double FARTHEST = 1e-2, LOST = 10;

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

/// P(z) and its derivative; of a moment with its load.
static void polish_law(const TactProximal *proximal, int i, const double z[3], double x[3],
                       double D[9])
{
    if (proximal->coupling->system->items[i].kind == TACT_ITEM_MOMENT) {
        tact_proximal_contact_law(&proximal->coupling->cones[i], z, x, D);
    } else {
        tact_proximal_law(proximal, i, z, x, D);
    }
}

/// B and c of one item.                                                         all: (3 items)
static void linearise(TactProximal *proximal, int i, const double *all)
{
    TactProximalItem *item = &proximal->items[i];
    const TactItem   *of = &proximal->coupling->system->items[i];
    double            r = REACH * proximal->coupling->weight[i];
    double            p[3], z[3], x[3], D[9], A[9];
    double            own = of->compliance;
    tact_proximal_read(proximal, i, all, p);
    for (int c = 0; c < 3; c++) {
        z[c] = p[c] - (item->u[c] + item->k * (p[c] - item->centre[c])) / r;
    }
    z[0] -= own * p[0] / r;
    polish_law(proximal, i, z, x, D);
    for (int e = 0; e < 9; e++) {
        A[e] = (e % 4 == 0) - D[e] * (1 - (e % 3 == 0 ? item->k + own : item->k) / r);
        item->B[e] = D[e] / r;
    }
    for (int c = 0; c < 3; c++) {
        item->c[c] = x[c] - p[c];
    }
    solve3(A, item->B, item->c);
    if (of->kind == TACT_ITEM_MOMENT) {
        item->B[0] = item->B[1] = item->B[2] = item->c[0] = 0;
    }
}

/// u, B and c of one item, and what p + c pushes.                                p: (3 items)
static void find_push(TactProximal *proximal, int i, const double *p, double push[3])
{
    const TactSystem *system = proximal->coupling->system;
    TactProximalItem *item = &proximal->items[i];
    tact_system_pull(system, i, proximal->y, item->u);
    for (int c = 0; c < 3; c++) {
        item->u[c] += system->e[3 * i + c];
    }
    linearise(proximal, i, p);
    for (int c = 0; c < 3; c++) {
        push[c] = p[3 * i + c] + item->c[c];
    }
}

/// p + dp of one item.
static void add_change(const TactProximal *proximal, int i, double p[3])
{
    const TactProximalItem *item = &proximal->items[i];
    double                  du[3];
    tact_system_pull(proximal->coupling->system, i, proximal->dy, du);
    for (int a = 0; a < 3; a++) {
        const double *B = item->B + 3 * a;
        p[a] += item->c[a] - (B[0] * du[0] + B[1] * du[1] + B[2] * du[2]);
    }
}

/// A step in hand.
typedef struct Polish {
    TactProximal *proximal;
    double       *p;
} Polish;

/// Less what the items of a group push.
static void push_group(void *context, int g, const double *own, double *pushed)
{
    const Polish        *polish = context;
    const TactSystem    *system = polish->proximal->coupling->system;
    const TactItemGroup *group = &system->groups[g];
    (void)own;
    for (int i = group->first; i < group->first + group->count; i++) {
        double push[3];
        find_push(polish->proximal, i, polish->p, push);
        double minus[3] = {-push[0], -push[1], -push[2]};
        tact_proximal_push(system->columns + system->column[i], group->size, minus, pushed);
    }
}

static void add_changes(void *context, int first, int end, int thread)
{
    const Polish *polish = context;
    (void)thread;
    for (int i = first; i < end; i++) {
        add_change(polish->proximal, i, polish->p + 3 * i);
    }
}

static bool step_polish(TactProximal *proximal, double *p)
{
    const TactSystem *system = proximal->coupling->system;
    Polish            polish = {proximal, p};
    for (int j = 0; j < system->dof; j++) {
        proximal->dy[j] = system->y0[j] - proximal->y[j];
    }
    if (proximal->is_many) {
        tact_proximal_visit(proximal, proximal->y, push_group, &polish, proximal->dy);
    }
    for (int i = 0; i < system->item_count && !proximal->is_many; i++) {
        double push[3];
        find_push(proximal, i, p, push);
        tact_system_push(system, i, push, proximal->dy);
    }
    if (!tact_proximal_direction(proximal)) {
        return false;
    }
    for (int j = 0; j < system->dof; j++) {
        proximal->y[j] += proximal->dy[j];
    }
    if (proximal->is_many) {
        tact_many_share(proximal->many, system->item_count, add_changes, &polish);
    } else {
        add_changes(&polish, 0, system->item_count, 0);
    }
    return true;
}

/// Error of p over what it may be.
static double measure_polish(TactProximal *proximal, double tol, const double *p)
{
    double error = tact_proximal_error(proximal, p);
    return error / tact_coupling_tolerance(proximal->coupling, proximal->scale, tol);
}

/// Springs of eps = tol / 2 about p: for steps, and not for an answer that is taken as it comes.
static void set_springs(TactProximal *proximal, double tol, const double *p)
{
    for (int i = 0; i < proximal->coupling->system->item_count; i++) {
        proximal->items[i].k = 0.5 * tol * proximal->coupling->weight[i];
        tact_proximal_read(proximal, i, p, proximal->items[i].centre);
    }
}

bool tact_proximal_polish(TactProximal *proximal, const double *y, double tol, int most, double *p)
{
    size_t size = 3 * (size_t)proximal->coupling->system->item_count * sizeof(double);
    double best = HUGE_VAL;
    int    since = 0;
    tact_proximal_set_motion(proximal, y);
    for (int k = 0; k <= most; k++) {
        double error = measure_polish(proximal, tol, p);
        proximal->polish.first = k == 0 ? error : proximal->polish.first;
        proximal->polish.last = fmin(best, error); // error may be NaN
        if (error <= (k == 0 ? fmax(AT_ONCE, proximal->polish.at_once) : 1)) {
            return true;
        }
        if (k == 0) {
            set_springs(proximal, tol, p);
        }
        if (error < best) {
            since = error < 0.5 * best ? 0 : since + 1;
            best = error;
            memcpy(proximal->best, p, size);
        } else {
            since++;
        }
        if (k == most || since >= PATIENCE || !(error * tol < (k == 0 ? FARTHEST : LOST)) ||
            !step_polish(proximal, p)) {
            break;
        }
    }
    memcpy(p, proximal->best, size);
    return best <= 1;
}
