#include "contact/proximal/proximal.h"

#include <math.h>
#include <string.h>

#include "base/budget.h"
#include "base/clones.h"
#include "contact/proximal/dilatancy.h"
#include "contact/proximal/proximal_internal.h"

static const double LARGEST = 1;     // eps
static const double LAST = 1e-8;     //
static const double SHRINK = 0.1;    // of eps, from one stage to the next
static const double QUICKEST = 0.03; //   at most,
static const double SLOWEST = 0.5;   //   at least: what holds one corner of a pile up shall not
                                     //   hold up all of it
static const double BACK = 8;        // times eps after a stage that failed
static const double EXACT = 0.05;    // |g| over |y - y0| at which a stage of the path ends, over
                                     //   eps or the error,
static const double FINEST = 1e-12;  //   at least,
static const double COARSEST = 1e-4; //   at most
static const double MEASURED = 1e-2; // eps from which on errors are measured
static const double DESCENT = 0.1;   // of the slope along a step, or of |g|^2
static const double SHORTEST = 1e-3; // step tried
static const double LOST = 0.07;     // length of a step that comes to nothing, if it goes uphill

enum {
    STAGES = 250,
    FAILURES = 60,
    FIRST_STEPS = 40, // of the first stage
    MOST_STEPS = 12,  // of a stage
    EASY = 3,         // steps of a stage that lets eps shrink faster,
    HARD = 6,         //   more slowly
    UPHILL = 2,       // steps in a row that go nowhere, or of a stage that come to nothing
    PROBES = 15,      // of a line
};

// Blocks beside the diagonal that there is room for: all pairs, or so many times n^(4/3), which
// piles in space need after a good order.
static const double FILL = 12;

/// More nodes have rows of bits that are too long.
enum { MOST_NODES = 16384 };

void tact_proximal_layout(TactProximal *proximal, const TactContactCapacity *capacity,
                          TactArena *arena)
{
    size_t       items = (size_t)capacity->contacts + (size_t)capacity->rows;
    size_t       dof = (size_t)capacity->dof, support = (size_t)capacity->support;
    size_t       nodes = (dof + TACT_BLOCK_ROWS - 1) / TACT_BLOCK_ROWS;
    TactProximal lent = {
        .items = tact_arena_take(arena, items, sizeof *lent.items),
        .p = tact_arena_take(arena, 3 * items, sizeof(double)),
        .best = tact_arena_take(arena, 3 * items, sizeof(double)),
        .u = tact_arena_take(arena, 3 * items, sizeof(double)),
        .scale = tact_arena_take(arena, items, sizeof(double)),
        .residual = tact_arena_take(arena, items, sizeof(double)),
        .loaded.groups.marked = tact_arena_take(arena, items, sizeof(bool)),
        .y = tact_arena_take(arena, dof, sizeof(double)),
        .g = tact_arena_take(arena, dof, sizeof(double)),
        .trial = tact_arena_take(arena, dof, sizeof(double)),
        .kept = tact_arena_take(arena, dof, sizeof(double)),
        .dy = tact_arena_take(arena, TACT_BLOCK_ROWS * nodes, sizeof(double)),
        .sum = tact_arena_take(arena, support * support, sizeof(double)),
        .f = tact_arena_take(arena, 3 * support, sizeof(double)),
        .support = capacity->support,
    };
    tact_proximal_line_layout(&lent.line, (int)items, arena);
    nodes = nodes < MOST_NODES ? nodes : MOST_NODES;
    size_t pairs = nodes > 0 ? nodes * (nodes - 1) / 2 : 0;
    size_t room = (size_t)(FILL * (double)nodes * cbrt((double)nodes));
    tact_block_lu_layout(&lent.lu, (int)nodes, pairs < room ? pairs : room, arena);
    tact_block_lu_layout_part(&lent.loaded.lu, &lent.lu, arena);
    if (arena->block) {
        *proximal = lent;
    }
}

// ---------------------------------------------------------------------------------------------
// The law

/// The point of the friction disc or polygon, whose corners reach the radius, nearest to z_t: x_t,
/// with its derivative by z_t in D and by the radius in by. False if it is z_t itself.
static bool slides(const TactPyramid *cone, double radius, const double z[3], double x[3],
                   double D[9], double by[2])
{
    TactPyramidFace face;
    double          across = 0, part = 0; // derivative, and part of x, along the edge
    if (cone->count == 0) {
        double length = sqrt(z[1] * z[1] + z[2] * z[2]);
        if (length <= radius) {
            return false;
        }
        face = (TactPyramidFace){.outward = {z[1] / length, z[2] / length}, .reach = 1};
        face.along[0] = -face.outward[1];
        face.along[1] = face.outward[0];
        across = radius / length;
    } else {
        TactPyramidPlace place = tact_pyramid_nearest(cone, radius, z + 1, &face);
        if (place == TACT_PYRAMID_INSIDE) {
            return false;
        }
        if (place == TACT_PYRAMID_EDGE) {
            part = face.along[0] * z[1] + face.along[1] * z[2];
            across = 1;
        }
    }
    for (int k = 0; k < 2; k++) {
        by[k] = face.reach * face.outward[k];
        x[k + 1] = radius * by[k] + part * face.along[k];
        D[3 * (k + 1) + 1] = across * face.along[k] * face.along[0];
        D[3 * (k + 1) + 2] = across * face.along[k] * face.along[1];
    }
    return true;
}

void tact_proximal_contact_law(const TactPyramid *cone, const double z[3], double x[3], double D[9])
{
    double by[2];
    memset(D, 0, 9 * sizeof(double));
    x[0] = x[1] = x[2] = 0;
    if (z[0] <= 0) {
        return;
    }
    x[0] = z[0];
    D[0] = 1;
    if (cone->mu == 0) {
        return;
    }
    if (slides(cone, cone->mu * z[0], z, x, D, by)) {
        D[3] = cone->mu * by[0];
        D[6] = cone->mu * by[1];
    } else {
        x[1] = z[1];
        x[2] = z[2];
        D[4] = D[8] = 1;
    }
}

void tact_proximal_law(const TactProximal *proximal, int i, const double z[3], double x[3],
                       double D[9])
{
    const TactItem *item = &proximal->coupling->system->items[i];
    if (item->kind == TACT_ITEM_CONTACT) {
        tact_proximal_contact_law(&proximal->coupling->cones[i], z, x, D);
        return;
    }
    memset(D, 0, 9 * sizeof(double));
    x[0] = x[1] = x[2] = 0;
    switch (item->kind) {
    case TACT_ITEM_CONTACT: break;
    case TACT_ITEM_UNILATERAL:
        x[0] = z[0] > 0 ? z[0] : 0;
        D[0] = z[0] > 0;
        break;
    case TACT_ITEM_MOTOR:
        x[1] = fmax(-item->bound, fmin(z[1], item->bound));
        D[4] = x[1] == z[1];
        break;
    case TACT_ITEM_MOMENT: // a contact whose normal is another's: it listens, and does not push
        tact_proximal_contact_law(&proximal->coupling->cones[i], z, x, D);
        x[0] = D[0] = 0;
        break;
    }
}

/// P(z) of a contact on the circle.
TACT_PROXIMAL_INLINE void circle_impulse(double mu, const double z[3], double x[3])
{
    x[0] = x[1] = x[2] = 0;
    if (z[0] <= 0) {
        return;
    }
    double length = sqrt(z[1] * z[1] + z[2] * z[2]), radius = mu * z[0];
    x[0] = z[0];
    if (mu == 0) {
        return;
    }
    x[1] = length <= radius ? z[1] : radius * (z[1] / length);
    x[2] = length <= radius ? z[2] : radius * (z[2] / length);
}

/// z of (1) of an item whose u is known. Compliance c of its own adds c p_n to u_n, which makes
/// p_n = (p^_n - u_n / k)+ k / (k + c): the factor is returned.
TACT_PROXIMAL_INLINE double spring_at(const TactItem *of, const TactProximalItem *item, double z[3])
{
    double stiffness = 1 / item->k;
    for (int c = 0; c < 3; c++) {
        z[c] = item->centre[c] - stiffness * item->u[c];
    }
    if (of->compliance == 0) {
        return 1;
    }
    double softer = item->k / (item->k + of->compliance);
    z[0] *= softer;
    return softer;
}

/// (1) of an item whose u is known.
TACT_PROXIMAL_INLINE void spring(const TactProximal *proximal, int i, double p[3])
{
    const TactItem *of = &proximal->coupling->system->items[i];
    double          z[3], D[9];
    spring_at(of, &proximal->items[i], z);
    bool moment = of->kind == TACT_ITEM_MOMENT;
    if (tact_proximal_lifts(proximal, i)) {
        tact_proximal_lift(proximal, i, 1 / proximal->items[i].k, z);
        tact_proximal_cone_law(proximal->coupling->cones[i].mu, z, p, D);
    } else if ((of->kind == TACT_ITEM_CONTACT || moment) &&
               proximal->coupling->cones[i].count == 0) {
        circle_impulse(proximal->coupling->cones[i].mu, z, p);
        p[0] = moment ? 0 : p[0];
    } else {
        tact_proximal_law(proximal, i, z, p, D);
    }
}

/// B of some items at the u of the last evaluation: a step needs it, a look at g does not.
static void linearise_some(void *context, int first, int end, int thread)
{
    const TactProximal *proximal = context;
    const TactSystem   *system = proximal->coupling->system;
    (void)thread;
    for (int i = first; i < end; i++) {
        TactProximalItem *item = &proximal->items[i];
        double            z[3], p[3], stiffness = 1 / item->k;
        double            softer = spring_at(&system->items[i], item, z);
        bool              lifts = tact_proximal_lifts(proximal, i);
        if (lifts) {
            tact_proximal_lift(proximal, i, stiffness, z);
            tact_proximal_cone_law(proximal->coupling->cones[i].mu, z, p, item->B);
            tact_proximal_lift_matrix(proximal, i, item->B);
        } else {
            tact_proximal_law(proximal, i, z, p, item->B);
        }
        for (int e = 0; e < 9; e++) {
            item->B[e] *= e % 3 == 0 ? softer * stiffness : stiffness;
        }
    }
}

static void linearise(TactProximal *proximal)
{
    int items = proximal->coupling->system->item_count;
    if (proximal->is_many) {
        tact_many_share(proximal->many, items, linearise_some, proximal);
    } else {
        linearise_some(proximal, 0, items, 0);
    }
}

/// p of the items of a group by (1), with u = C'y + e or, if it follows y, as it is; and what they
/// push.                                                                  own, pushed: (size)
TACT_PROXIMAL_INLINE void evaluate_group(const TactProximal *proximal, int g, const double *y,
                                         double *own, double *pushed)
{
    const TactSystem    *system = proximal->coupling->system;
    const TactItemGroup *group = &system->groups[g];
    int                  size = group->size;
    tact_proximal_gather(y, system->support + group->support, size, own);
    memset(pushed, 0, (size_t)size * sizeof(double));
    for (int i = group->first; i < group->first + group->count; i++) {
        TactProximalItem *item = &proximal->items[i];
        const double     *C = system->columns + system->column[i];
        double           *p = proximal->p + 3 * i;
        if (!proximal->follows) {
            tact_proximal_pull(C, size, own, item->u);
            for (int c = 0; c < 3; c++) {
                item->u[c] += system->e[3 * i + c];
            }
        }
        spring(proximal, i, p);
        if (p[0] != 0 || p[1] != 0 || p[2] != 0) {
            tact_proximal_push(C, size, p, pushed);
        }
    }
}

/// What the items of a group push with the impulses that are there.       pushed: (size)
TACT_PROXIMAL_INLINE void push_group(const TactProximal *proximal, int g, double *pushed)
{
    const TactSystem    *system = proximal->coupling->system;
    const TactItemGroup *group = &system->groups[g];
    memset(pushed, 0, (size_t)group->size * sizeof(double));
    for (int i = group->first; i < group->first + group->count; i++) {
        const double *p = proximal->p + 3 * i;
        if (p[0] != 0 || p[1] != 0 || p[2] != 0) {
            tact_proximal_push(system->columns + system->column[i], group->size, p, pushed);
        }
    }
}

/// An evaluation in hand.
typedef struct Evaluation {
    const TactProximal *proximal;
    const double       *y; // NULL: impulses are there
} Evaluation;

/// Some groups of many; what they push is kept.
TACT_CLONES static void evaluate_some(void *context, int first, int end, int thread)
{
    const Evaluation *evaluation = context;
    double            own[TACT_MANY_SUPPORT];
    (void)thread;
    for (int g = first; g < end; g++) {
        double *pushed = evaluation->proximal->many->pushed + (size_t)g * TACT_MANY_SUPPORT;
        if (evaluation->y) {
            evaluate_group(evaluation->proximal, g, evaluation->y, own, pushed);
        } else {
            push_group(evaluation->proximal, g, pushed);
        }
    }
}

/// g -= C p, with p by (1) at y, or as it is where y is NULL.
TACT_CLONES static void subtract_pushes(TactProximal *proximal, const double *y)
{
    const TactSystem *system = proximal->coupling->system;
    double           *own = proximal->f, *pushed = own + proximal->support; // of one group
    if (proximal->is_many && proximal->many->threads) {
        Evaluation evaluation = {proximal, y};
        tact_many_share(proximal->many, system->group_count, evaluate_some, &evaluation);
        tact_many_subtract(proximal->many, proximal->g);
        return;
    }
    for (int g = 0; g < system->group_count; g++) {
        const int *support = system->support + system->groups[g].support;
        if (y) {
            evaluate_group(proximal, g, y, own, pushed);
        } else {
            push_group(proximal, g, pushed);
        }
        for (int s = 0; s < system->groups[g].size; s++) {
            proximal->g[support[s]] -= pushed[s];
        }
    }
}

/// (2) at y, with p by (1), or on a line with the impulses that are there. Returns |g|^2, and
/// leaves |y - y0|^2 behind: sums wait for each addition, and two take as long as one.
static double evaluate_proximal(TactProximal *proximal, const double *y, bool on_line)
{
    const TactSystem *system = proximal->coupling->system;
    double            sum = 0, moved2 = 0;
    for (int j = 0; j < system->dof; j++) {
        proximal->g[j] = y[j] - system->y0[j];
    }
    subtract_pushes(proximal, on_line ? NULL : y);
    for (int j = 0; j < system->dof; j++) {
        double moved = y[j] - system->y0[j];
        sum += proximal->g[j] * proximal->g[j];
        moved2 += moved * moved;
    }
    proximal->moved2 = moved2;
    return sum;
}

// ---------------------------------------------------------------------------------------------
// One stage

/// g at y + t dy. Velocities are those at y and t times their change along the line, so that small
/// steps keep all digits of what stiff springs make of them. Returns |g|^2.
static double probe(TactProximal *proximal, double t)
{
    int n = proximal->coupling->system->dof;
    for (int j = 0; j < n; j++) {
        proximal->trial[j] = proximal->y[j] + t * proximal->dy[j];
    }
    tact_proximal_line_impulses(proximal, t);
    return evaluate_proximal(proximal, proximal->trial, true);
}

/// Without friction g is the gradient of a convex function, and a step goes to its least value
/// along dy: where dy'g is 0. With friction that is still a good measure, if dy goes downhill.
static double search_root(TactProximal *proximal, double before)
{
    double low = 0, low_slope = before, high = HUGE_VAL, t = 1;
    for (int k = 0; k < PROBES; k++) {
        double slope = tact_proximal_line_slope(proximal, t);
        if (!(fabs(slope) > DESCENT * fabs(before)) || k == PROBES - 1) {
            break;
        }
        if (slope > 0) {
            high = t;
            t = low + (high - low) * (-low_slope) / (slope - low_slope);
        } else {
            low = t;
            low_slope = slope;
            t = high < HUGE_VAL ? 0.5 * (low + high) : 2 * t;
        }
        if (high < HUGE_VAL) {
            double margin = 0.1 * (high - low);
            t = fmin(fmax(t, low + margin), high - margin);
        } else if (t > 4) {
            t = low;
            break;
        }
    }
    return probe(proximal, t);
}

/// Where dy goes uphill: t = 1, 1/2 ... until |g|^2 comes down, or the best of them.
static double search_decrease(TactProximal *proximal, double before)
{
    double best = HUGE_VAL, best_t = 1;
    for (double t = 1; t > SHORTEST; t /= 2) {
        double after = probe(proximal, t);
        if (after < best) {
            best = after;
            best_t = t;
        }
        if (after < (1 - DESCENT * t) * before) {
            return after;
        }
    }
    return probe(proximal, best_t);
}

/// Is |g| small beside |y - y0|, both those of the last evaluation?
static bool is_exact(const TactProximal *proximal, double exact, double g2)
{
    return g2 <= exact * exact * proximal->moved2;
}

bool tact_proximal_stage(TactProximal *proximal, double eps, double exact, int most, int *steps)
{
    int n = proximal->coupling->system->dof;
    for (int i = 0; i < proximal->coupling->system->item_count; i++) {
        proximal->items[i].k = eps * proximal->coupling->weight[i];
    }
    int uphill = 0, lost = 0;
    proximal->stages++;
    double g2 = evaluate_proximal(proximal, proximal->y, false);
    proximal->follows = false; // until it has come to its end
    for (*steps = 0; !is_exact(proximal, exact, g2); (*steps)++) {
        for (int j = 0; j < n; j++) {
            proximal->dy[j] = -proximal->g[j];
        }
        if (*steps == most || !isfinite(g2)) {
            return false;
        }
        linearise(proximal);
        if (!tact_proximal_direction(proximal)) {
            return false;
        }
        double before = g2;
        tact_proximal_line_begin(proximal);
        double slope = proximal->line.slope;
        g2 = slope < 0 ? search_root(proximal, slope) : search_decrease(proximal, g2);
        memcpy(proximal->y, proximal->trial, (size_t)n * sizeof(double));
        tact_proximal_line_take(proximal);
        uphill = slope >= 0 && g2 >= before ? uphill + 1 : 0;
        lost += slope >= 0 && proximal->line.t < LOST;
        if (uphill == UPHILL || lost == UPHILL) {
            return false;
        }
    }
    proximal->follows = true;
    return true;
}

// ---------------------------------------------------------------------------------------------
// From soft to stiff

void tact_proximal_set_motion(TactProximal *proximal, const double *y)
{
    memcpy(proximal->y, y, (size_t)proximal->coupling->system->dof * sizeof(double));
    proximal->follows = false;
}

void tact_proximal_set_centres(TactProximal *proximal, const double *p)
{
    for (int i = 0; i < proximal->coupling->system->item_count; i++) {
        tact_proximal_read(proximal, i, p, proximal->items[i].centre);
    }
}

/// Error of p over what it may be.
static double measure_path(TactProximal *proximal, double tol, const double *p, double *error)
{
    *error = tact_proximal_error(proximal, p);
    return *error / tact_coupling_tolerance(proximal->coupling, proximal->scale, tol);
}

/// What shrinks eps after a stage of so many steps.
static double adapt(double shrink, int steps)
{
    return steps <= EASY  ? fmax(QUICKEST, shrink * shrink)
           : steps > HARD ? fmin(SLOWEST, sqrt(shrink))
                          : shrink;
}

bool tact_proximal_run(TactProximal *proximal, const double *y, double eps, double tol, double *p)
{
    const TactSystem *system = proximal->coupling->system;
    size_t            motion = (size_t)system->dof * sizeof(double);
    size_t            impulses = 3 * (size_t)system->item_count * sizeof(double);
    double            shrink = SHRINK, error = HUGE_VAL;
    tact_proximal_set_motion(proximal, y);
    tact_proximal_set_centres(proximal, p);
    memcpy(proximal->kept, y, motion);
    for (int stage = 0, failures = 0; stage < STAGES && failures < FAILURES &&
                                      proximal->steps < proximal->most && !tact_budget_is_over();
         stage++) {
        int    steps;
        double exact = fmin(fmax(EXACT * fmin(error, eps), FINEST), COARSEST);
        bool good = tact_proximal_stage(proximal, eps, exact, stage == 0 ? FIRST_STEPS : MOST_STEPS,
                                        &steps);
        if (!good && stage > 0 && proximal->rescue.run) {
            good = proximal->rescue.run(proximal->rescue.context, proximal, eps, p);
            steps = MOST_STEPS;
        }
        if (!good) {
            tact_proximal_set_motion(proximal, proximal->kept);
            failures++;
            if (eps == LARGEST) {
                break; // the same stage once more
            }
            eps = fmin(BACK * eps, LARGEST);
            shrink = fmin(SLOWEST, sqrt(shrink));
            continue;
        }
        memcpy(p, proximal->p, impulses);
        memcpy(proximal->kept, proximal->y, motion);
        tact_proximal_set_centres(proximal, p);
        if (eps <= MEASURED && measure_path(proximal, tol, p, &error) <= 1) {
            // One step more makes it exact where all states are right; p is never worse after it.
            tact_proximal_polish(proximal, proximal->kept, tol, 1, p);
            return true;
        }
        shrink = adapt(shrink, steps);
        eps = fmax(LAST, eps * shrink);
    }
    return false;
}
