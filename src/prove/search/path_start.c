// Where a path begins: the answer, and what is lacking for it to be a solution at t = 1.
#include <tact/base.h>

#include "prove/search/path.h"

#ifdef TACT_HAVE_GMP

#include <math.h>

#include "base/memory.h"
#include "base/status.h"
#include "linalg/lu.h"

enum { POLISHES = 8 };
#define PUSHED 1e-5 // what a contact that pulls is given, of the largest impulse
#define OPENED 1e-9 // the same of velocities
#define SOFT 1e-11  // in the matrix that polishes the answer

// ---------------------------------------------------------------------------------------------
// Polishing

/// Equations of the present states in doubles, a little softer than they are.
static void fill(const TactPath *path, double *E)
{
    size_t n = (size_t)path->n;
    for (int i = 0; i < path->count; i++) {
        const TactPathItem *item = &path->items[i];
        for (int k = item->from; k < item->size; k++) {
            TactPathForm form = tact_path_equation(item, k);
            size_t       at = (size_t)tact_path_at(item, k);
            for (int l = 0; l < item->size; l++) {
                size_t        own = (size_t)tact_path_at(item, l);
                const double *W = path->W.part[0] + own * n;
                double        weight = form.u[l].x[0];
                for (size_t j = 0; j < n && weight != 0; j++) {
                    E[at * n + j] += weight * W[j];
                }
                E[at * n + own] += form.p[l].x[0];
                if (weight != 0) {
                    E[at * n + own] += SOFT * weight * W[own];
                }
            }
        }
    }
}

static void find_velocity_of(TactPath *path)
{
    for (int i = 0; i < path->n; i++) {
        TactRow  row = tact_row_at(path->W, (size_t)i * (size_t)path->n);
        TactFour sum = tact_row_dot(path->n, row, path->p[0]);
        tact_row_set(path->u[0], i, tact_four_add(sum, tact_row_get(path->u_free, i)));
    }
}

/// What the equations leave at p, t = 0, and its size.
static double find_left(TactPath *path, double *left)
{
    double most = 0;
    find_velocity_of(path);
    for (int i = 0; i < path->count; i++) {
        const TactPathItem *item = &path->items[i];
        for (int k = item->from; k < item->size; k++) {
            TactPathForm form = tact_path_equation(item, k);
            int          at = tact_path_at(item, k);
            left[at] = tact_path_value(path, item, &form, 0).x[0];
            most = fmax(most, fabs(left[at]));
        }
    }
    return most;
}

static TactStatus polish(TactPath *path)
{
    size_t n = (size_t)path->n;
    void  *numbers = NULL, *perm = NULL;
    TACT_TRY(tact_allocate(n * n + 2 * n + 1, sizeof(double), &numbers));
    TactStatus status = tact_allocate(n + 1, sizeof(int), &perm);
    double    *E = numbers, *left = E + n * n, *change = left + n;
    if (status == TACT_OK) {
        fill(path, E);
    }
    if (status == TACT_OK && tact_lu_factor(path->n, E, path->n, perm, 0) < 0) {
        double before = INFINITY;
        for (int round = 0; round < POLISHES; round++) {
            double now = find_left(path, left);
            if (!(now < 0.5 * before)) {
                break;
            }
            before = now;
            tact_lu_solve(path->n, E, path->n, perm, left, change);
            for (int i = 0; i < path->n; i++) {
                TactFour x = tact_row_get(path->p[0], i);
                tact_row_set(path->p[0], i, tact_four_add(x, tact_four_of(-change[i])));
            }
        }
    }
    if (status == TACT_OK) {
        find_left(path, left);
    }
    tact_release(numbers);
    tact_release(perm);
    return status;
}

// ---------------------------------------------------------------------------------------------
// s and a

typedef struct Wanted {
    TactFour p[3], u[3];
} Wanted;

static double margin(TactPath *path, double size)
{
    return path->quiet ? 0 : size * tact_random_uniform(&path->random, 0.5, 1);
}

/// Largest impulse along the normal that brings p into its cone, besides what it has.
static double lacking(const TactPathItem *item, const TactFour p[3])
{
    TactPathSide sides[TACT_PATH_SIDES];
    int          count = tact_path_sides(item, sides);
    double       most = 0;
    for (int k = 0; k < count; k++) {
        double value = 0;
        for (int l = 0; l < item->size; l++) {
            value += sides[k].form.p[l].x[0] * p[l].x[0];
        }
        if (value <= 0 && sides[k].form.p[0].x[0] > 0) {
            most = fmax(most, -value / sides[k].form.p[0].x[0] + 1e-300);
        }
    }
    return most;
}

/// Slip against corner d, or against the middle of an edge, so that no other takes more out of it.
static void want_slip(TactPath *path, const TactPathItem *item, const double d[2], Wanted *want)
{
    TactPathSide sides[TACT_PATH_SIDES];
    int          count = tact_path_sides(item, sides);
    double       more = 0;
    for (int k = 0; k < count; k++) {
        const TactFour *f = sides[k].form.u;
        double          value = f[1].x[0] * want->u[1].x[0] + f[2].x[0] * want->u[2].x[0];
        double          gain = -(f[1].x[0] * d[0] + f[2].x[0] * d[1]);
        if (gain > 0) {
            more = fmax(more, (margin(path, OPENED * path->moving) - fmin(value, 0)) / gain);
        }
    }
    for (int k = 0; k < 2; k++) {
        want->u[1 + k] = tact_four_add(want->u[1 + k], tact_four_of(-more * d[k]));
    }
}

static void want_edge(TactPath *path, const TactPathItem *item, Wanted *want)
{
    double a[2], b[2];
    tact_polygon_corner(&item->polygon, item->state.j, a);
    tact_polygon_corner(&item->polygon, item->state.j + 1, b);
    double e[2] = {b[0] - a[0], b[1] - a[1]}, length = e[0] * e[0] + e[1] * e[1];
    double middle[2] = {0.5 * (a[0] + b[0]), 0.5 * (a[1] + b[1])};
    // Share of b, inside of the edge.
    double reach = item->mu * want->p[0].x[0];
    double share =
        ((want->p[1].x[0] - reach * a[0]) * e[0] + (want->p[2].x[0] - reach * a[1]) * e[1]) /
        (reach * length);
    if (!(share > 0)) {
        share = margin(path, PUSHED);
    } else if (!(share < 1)) {
        share = 1 - margin(path, PUSHED);
    }
    for (int k = 0; k < 2; k++) {
        TactFour along = tact_four_add(tact_four_of(a[k]),
                                       tact_four_multiply(tact_four_of(share), tact_four_of(e[k])));
        want->p[1 + k] =
            tact_four_multiply(tact_four_multiply(tact_four_of(item->mu), want->p[0]), along);
    }
    // No slip along the edge.
    double tie = (e[0] * want->u[1].x[0] + e[1] * want->u[2].x[0]) / length;
    for (int k = 0; k < 2; k++) {
        want->u[1 + k] = tact_four_add(want->u[1 + k], tact_four_of(-tie * e[k]));
    }
    want_slip(path, item, middle, want);
}

/// Friction of a disc that is bounded by the load that its contact has: what holds is brought
/// inside of the bound, what moves onto it.
static void want_disc(TactPath *path, const TactPathItem *item, Wanted *want)
{
    double d[2] = {0, 0}, load = want->p[0].x[0];
    switch (item->state.kind) {
    case TACT_PROVE_CORNER:
        tact_polygon_corner(&item->polygon, item->state.j, d);
        want_slip(path, item, d, want);
        for (int k = 1; k < item->size; k++) {
            want->p[k] = tact_four_multiply(want->p[0], tact_four_of(d[k - 1]));
        }
        break;
    case TACT_PROVE_EDGE: want_edge(path, item, want); break;
    default: {
        double more = lacking(item, want->p);
        double part = more > 0 ? load / (load + more) * (1 - margin(path, PUSHED)) : 1;
        for (int k = 1; k < item->size; k++) {
            want->p[k] = tact_four_multiply(want->p[k], tact_four_of(part));
            want->u[k] = tact_four_of(0);
        }
        break;
    }
    }
}

/// No load: no friction, and a motion at random.
static void want_unloaded(TactPath *path, const TactPathItem *item, Wanted *want)
{
    for (int k = 1; k < item->size; k++) {
        want->p[k] = tact_four_of(0);
        want->u[k] = tact_four_add(want->u[k], tact_four_of(margin(path, OPENED * path->moving)));
    }
}

static void want_contact(TactPath *path, const TactPathItem *item, Wanted *want)
{
    double d[2] = {item->state.corner[0], item->state.corner[1]};
    double least = margin(path, PUSHED * path->pushing);
    if (item->state.kind != TACT_PROVE_STICK && !(want->p[0].x[0] > 0)) {
        want->p[0] = tact_four_of(least);
    }
    want->u[0] = tact_four_of(0);
    switch (item->state.kind) {
    case TACT_PROVE_STICK: {
        double more = lacking(item, want->p);
        if (more > 0) {
            want->p[0] = tact_four_add(want->p[0], tact_four_of(more + least));
        }
        want->u[1] = want->u[2] = tact_four_of(0);
        break;
    }
    case TACT_PROVE_CORNER:
        tact_polygon_corner(&item->polygon, item->state.j, d);
        want_slip(path, item, d, want);
        /* fallthrough */
    case TACT_PROVE_DYNAMIC:
        for (int k = 0; k < 2 && item->size == 3; k++) {
            TactFour reach = tact_four_multiply(tact_four_of(item->mu), tact_four_of(d[k]));
            want->p[1 + k] = tact_four_multiply(want->p[0], reach);
        }
        break;
    case TACT_PROVE_EDGE: want_edge(path, item, want); break;
    default: break;
    }
}

static void want_motor(TactPath *path, const TactPathItem *item, Wanted *want)
{
    double slow = margin(path, OPENED * path->moving);
    switch (item->state.kind) {
    case TACT_PROVE_HIGH:
        want->p[0] = tact_four_of(item->bound);
        want->u[0] = want->u[0].x[0] < 0 ? want->u[0] : tact_four_of(-slow);
        break;
    case TACT_PROVE_LOW:
        want->p[0] = tact_four_of(-item->bound);
        want->u[0] = want->u[0].x[0] > 0 ? want->u[0] : tact_four_of(slow);
        break;
    default:
        want->u[0] = tact_four_of(0);
        if (!(fabs(want->p[0].x[0]) < item->bound)) {
            double less = item->bound * (1 - margin(path, PUSHED));
            want->p[0] = tact_four_of(copysign(less, want->p[0].x[0]));
        }
        break;
    }
}

static void want_item(TactPath *path, const TactPathItem *item, Wanted *want)
{
    if (tact_path_is_unloaded(item)) {
        want_unloaded(path, item, want);
    } else if (item->load) {
        want_disc(path, item, want);
    } else if (item->bilateral) {
        want->u[0] = tact_four_of(0);
    } else if (item->bound >= 0) {
        want_motor(path, item, want);
    } else if (item->state.kind == TACT_PROVE_OPEN) {
        for (int k = 0; k < item->size; k++) {
            want->p[k] = tact_four_of(0);
        }
        // At random, so that no two contacts close together.
        want->u[0] = tact_four_add(tact_four_of(fmax(want->u[0].x[0], 0)),
                                   tact_four_of(margin(path, OPENED * path->moving)));
        for (int k = 1; k < item->size; k++) {
            want->u[k] =
                tact_four_add(want->u[k], tact_four_of(margin(path, OPENED * path->moving)));
        }
    } else {
        want_contact(path, item, want);
    }
}

TactStatus tact_path_start(TactPath *path, TactRow p)
{
    TactRow own = path->p[0];
    for (int i = 0; i < path->n; i++) {
        tact_row_set(own, i, tact_row_get(p, i));
    }
    if (!path->quiet) {
        TACT_TRY(polish(path));
    } else {
        find_velocity_of(path);
    }
    for (int i = 0; i < path->count; i++) {
        TactPathItem *item = &path->items[i];
        Wanted        want = {0};
        for (int k = 0; k < item->size; k++) {
            want.p[k] = tact_row_get(own, tact_path_at(item, k));
            want.u[k] = tact_row_get(path->u[0], tact_path_at(item, k));
        }
        Wanted have = want;
        double keeps = path->lighter < 1 ? 1 - margin(path, path->lighter) : 0;
        for (int k = item->from; k < item->size; k++) {
            want.p[k] = tact_four_multiply(want.p[k], tact_four_of(keeps));
        }
        if (item->load) { // whose contact comes before it
            want.p[0] = tact_four_add(want.p[0], tact_four_of(item->load->s[0]));
        }
        want_item(path, item, &want);
        for (int k = item->from; k < item->size; k++) {
            item->s[k] = tact_four_add(want.p[k], tact_four_minus(have.p[k])).x[0];
            item->a[k] = tact_four_add(want.u[k], tact_four_minus(have.u[k])).x[0];
        }
    }
    return TACT_OK;
}

#endif
