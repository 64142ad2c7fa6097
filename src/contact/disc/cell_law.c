// The law of one cell: projections onto its discs, what they leave of it, and their derivative.
//
//     a = x_0 - rho v_0 / w,    q = x_d - rho v_d / w_d                     [Alart, Curnier 1991]
//     a <= 0:        x = 0
//     |q| <= a:      v_d = 0
//     else:          x_d = a q / |q|, or the nearest point of the polygon of size a
#include <math.h>
#include <string.h>

#include "contact/disc/cell.h"

static const double PI = 3.14159265358979323846;

// Where the radius is less than this part of the distance to the centre, the border is a point:
// turning along it does not move x.
static const double POINT_SHARE = 1e-12;

typedef enum Where { INSIDE, ROUND, EDGE, CORNER } Where;

/// The nearest point of a disc or polygon.
typedef struct Nearest {
    Where  where;
    double y[5];
    double normal[5]; // ROUND: q / |q|; EDGE: outward; CORNER: the corner, of size 1
    double length;    // |q|
} Nearest;

static double dot(int n, const double *x, const double *y)
{
    double sum = 0;
    for (int k = 0; k < n; k++) {
        sum += x[k] * y[k];
    }
    return sum;
}

static void nearest_in_polygon(const TactCellDisc *disc, double bound, const double *q,
                               Nearest *out)
{
    double half = PI / disc->directions;
    double angle = atan2(q[1], q[0]) - disc->turn;
    double middle = disc->turn + (2 * floor(angle / (2 * half)) + 1) * half;
    double c = cos(middle), s = sin(middle);
    double along = c * q[0] + s * q[1], across = c * q[1] - s * q[0];
    double reach = bound * cos(half), side = bound * sin(half);
    if (along <= reach) {
        return;
    }
    out->where = fabs(across) < side ? EDGE : CORNER;
    if (out->where == CORNER) {
        double corner = middle + copysign(half, across);
        out->normal[0] = cos(corner);
        out->normal[1] = sin(corner);
        out->y[0] = bound * out->normal[0];
        out->y[1] = bound * out->normal[1];
        return;
    }
    out->normal[0] = c;
    out->normal[1] = s;
    out->y[0] = reach * c - across * s;
    out->y[1] = reach * s + across * c;
}

/// bound >= 0
static void find_nearest(const TactCellDisc *disc, double bound, const double *q, Nearest *out)
{
    out->where = INSIDE;
    out->length = sqrt(dot(disc->dim, q, q));
    memcpy(out->y, q, (size_t)disc->dim * sizeof(double));
    if (disc->directions > 0 && disc->dim == 2) {
        nearest_in_polygon(disc, bound, q, out);
    } else if (out->length > bound) {
        out->where = ROUND;
        for (int k = 0; k < disc->dim; k++) {
            out->normal[k] = q[k] / out->length;
            out->y[k] = bound * out->normal[k];
        }
    }
}

void tact_cell_residual(const TactCell *cell, const double *x, const double *v, double *residual)
{
    double bound = cell->bound;
    if (cell->has_normal) {
        double free = x[0] - v[0] / cell->w;
        residual[0] = cell->w * (x[0] - (free > 0 ? free : 0));
        bound = x[0] > 0 ? x[0] : 0;
    }
    for (int i = 0; i < cell->disc_count; i++) {
        const TactCellDisc *disc = &cell->disc[i];
        const double       *xd = x + disc->first, *vd = v + disc->first;
        double              q[5];
        Nearest             nearest;
        for (int k = 0; k < disc->dim; k++) {
            q[k] = xd[k] - vd[k] / disc->w;
        }
        find_nearest(disc, bound, q, &nearest);
        for (int k = 0; k < disc->dim; k++) {
            residual[disc->first + k] = disc->w * (xd[k] - nearest.y[k]);
        }
    }
}

// ---------------------------------------------------------------------------------------------
// Derivative

/// A new unknown along f, one of the disc's directions, with the equation along f.
static int add_unknown(TactCellStep *step, const TactCellDisc *disc, const double *f)
{
    int u = step->unknowns++;
    memset(step->T[u], 0, sizeof step->T[u]);
    memset(step->E[u], 0, sizeof step->E[u]);
    memcpy(step->T[u] + disc->first, f, (size_t)disc->dim * sizeof(double));
    memcpy(step->E[u] + disc->first, f, (size_t)disc->dim * sizeof(double));
    step->direct[u] = 0;
    return u;
}

/// Unit vectors f_1 .. f_(dim - 1) across e: the reflection that takes an axis to e, but for that
/// axis.
void tact_cell_across(int dim, const double *e, double f[4][5])
{
    int    axis = 0;
    double h[5];
    for (int k = 1; k < dim; k++) {
        axis = fabs(e[k]) > fabs(e[axis]) ? k : axis;
    }
    double sign = e[axis] < 0 ? -1 : 1;
    memcpy(h, e, (size_t)dim * sizeof(double));
    h[axis] += sign; // I - h h' / (1 + |e_axis|) takes e to -sign axis
    for (int j = 0, k = 0; k < dim; k++) {
        if (k == axis) {
            continue;
        }
        for (int c = 0; c < dim; c++) {
            f[j][c] = (c == k) - h[k] * h[c] / (1 + sign * e[axis]);
        }
        j++;
    }
}

/// x_d = x_0 n along n, whatever n is; x_0 may be an unknown of the step.
static void follow(const TactCell *cell, const TactCellDisc *disc, const double *x, double bound,
                   double reach, const double *n, TactCellStep *step)
{
    double off = reach * bound - dot(disc->dim, n, x + disc->first);
    for (int k = 0; k < disc->dim; k++) {
        step->d[disc->first + k] += off * n[k];
        if (cell->has_normal) {
            step->T[0][disc->first + k] += reach * n[k];
        }
    }
}

/// On the round border: across it x turns with q.
static void slide_round(const TactCell *cell, const TactCellDisc *disc, const double *x, double a,
                        double rho, const Nearest *nearest, TactCellStep *step)
{
    double f[4][5], bound = cell->has_normal ? x[0] : cell->bound;
    double share = a / nearest->length;
    follow(cell, disc, x, bound, 1, nearest->normal, step);
    tact_cell_across(disc->dim, nearest->normal, f);
    for (int j = 0; j + 1 < disc->dim; j++) {
        double along = dot(disc->dim, f[j], x + disc->first);
        if (share < POINT_SHARE) {
            for (int k = 0; k < disc->dim; k++) {
                step->d[disc->first + k] -= along * f[j][k];
            }
            continue;
        }
        int u = add_unknown(step, disc, f[j]);
        step->direct[u] = (1 - share) * disc->w / (share * rho);
        step->right[u] = -along * disc->w / (share * rho);
    }
}

static void linearise_disc(const TactCell *cell, const TactCellDisc *disc, const double *x,
                           const double *v, double a, double rho, TactCellStep *step)
{
    const double *xd = x + disc->first, *vd = v + disc->first;
    double        q[5], bound = cell->has_normal ? x[0] : cell->bound;
    Nearest       nearest;
    for (int k = 0; k < disc->dim; k++) {
        q[k] = xd[k] - rho * vd[k] / disc->w;
    }
    find_nearest(disc, a, q, &nearest);
    switch (nearest.where) {
    case INSIDE:
        for (int k = 0; k < disc->dim; k++) {
            double unit[5] = {0};
            unit[k] = 1;
            step->right[add_unknown(step, disc, unit)] = -vd[k];
        }
        break;
    case ROUND: slide_round(cell, disc, x, a, rho, &nearest, step); break;
    case EDGE: {
        double f[2] = {-nearest.normal[1], nearest.normal[0]};
        follow(cell, disc, x, bound, cos(PI / disc->directions), nearest.normal, step);
        step->right[add_unknown(step, disc, f)] = -dot(2, f, vd);
        break;
    }
    case CORNER: {
        double f[2] = {-nearest.normal[1], nearest.normal[0]};
        double off = dot(2, f, xd);
        follow(cell, disc, x, bound, 1, nearest.normal, step);
        step->d[disc->first] -= off * f[0];
        step->d[disc->first + 1] -= off * f[1];
        break;
    }
    }
}

void tact_cell_linearise(const TactCell *cell, const double *x, const double *v, double rho,
                         TactCellStep *step)
{
    double a = cell->bound;
    step->unknowns = 0;
    memset(step->d, 0, sizeof step->d);
    if (cell->has_normal) {
        a = x[0] - rho * v[0] / cell->w;
        step->unknowns = 1;
        memset(step->T[0], 0, sizeof step->T[0]);
        memset(step->E[0], 0, sizeof step->E[0]);
        step->T[0][0] = step->E[0][0] = 1;
        step->direct[0] = 0;
        step->right[0] = -v[0];
    }
    if (!(a > 0)) {
        step->unknowns = 0;
        for (int k = 0; k < cell->count; k++) {
            step->d[k] = -x[k];
        }
        return;
    }
    for (int i = 0; i < cell->disc_count; i++) {
        linearise_disc(cell, &cell->disc[i], x, v, a, rho, step);
    }
}
