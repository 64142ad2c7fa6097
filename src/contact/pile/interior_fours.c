#include "contact/pile/interior_fours.h"

#include <math.h>
#include <string.h>

#include "base/clones.h"
#include "base/lanes.h"
#include "contact/pile/interior_item.h"

enum { LANES = TACT_INTERIOR_LANES };

#define AT(member) TACT_LANES_AT(member)
#define PUT(member) TACT_LANES_PUT(member)

/// Three numbers of four contacts; in memory one after the other.
typedef struct Three {
    TactLanes x[3];
} Three;

TACT_WIDE void load_three(const double *from, Three *out)
{
    for (int c = 0; c < 3; c++) {
        out->x[c] = AT(from + c * LANES);
    }
}

TACT_WIDE void store_three(const Three *from, double *out)
{
    for (int c = 0; c < 3; c++) {
        PUT(out + c * LANES) = from->x[c];
    }
}

/// x'J x, as in cone.c.
TACT_WIDE void square_four(const Three *x, TactLanes *out)
{
    TactLanes square = x->x[1] * x->x[1] + x->x[2] * x->x[2], length;
    tact_wide_root(&square, &length);
    *out = (x->x[0] - length) * (x->x[0] + length);
}

TACT_WIDE void dot_four(const Three *a, const Three *b, TactLanes *out)
{
    *out = a->x[0] * b->x[0] + a->x[1] * b->x[1] + a->x[2] * b->x[2];
}

/// out = W a
TACT_WIDE void times_four(const TactInteriorFour *four, const Three *a, Three *out)
{
    Three     v;
    TactLanes along, b = AT(four->b);
    load_three(four->v[0], &v);
    dot_four(&v, a, &along);
    along = 2 * along;
    out->x[0] = b * (along * v.x[0] - a->x[0]);
    out->x[1] = b * (along * v.x[1] + a->x[1]);
    out->x[2] = b * (along * v.x[2] + a->x[2]);
}

/// out = W^-1 a
TACT_WIDE void divide_four(const TactInteriorFour *four, const Three *a, Three *out)
{
    Three     v;
    TactLanes b = AT(four->b);
    load_three(four->v[0], &v);
    TactLanes along = 2 * (v.x[0] * a->x[0] - v.x[1] * a->x[1] - v.x[2] * a->x[2]);
    out->x[0] = (along * v.x[0] - a->x[0]) / b;
    out->x[1] = (-along * v.x[1] + a->x[1]) / b;
    out->x[2] = (-along * v.x[2] + a->x[2]) / b;
}

/// out = a o b
TACT_WIDE void product_four(const Three *a, const Three *b, Three *out)
{
    dot_four(a, b, &out->x[0]);
    out->x[1] = a->x[0] * b->x[1] + b->x[0] * a->x[1];
    out->x[2] = a->x[0] * b->x[2] + b->x[0] * a->x[2];
}

/// Calls work for all fours, on threads where there are some.
static void share_fours(TactInterior *interior, TactManyWork *work)
{
    if (interior->proximal->is_many) {
        tact_many_share(interior->proximal->many, interior->four_count, work, interior);
    } else {
        work(interior, 0, interior->four_count, 0);
    }
}

// ---------------------------------------------------------------------------------------------
// Start and impulses

/// A lane that is not a contact with friction: a cone that goes nowhere.
static void begin_lane(TactInteriorFour *four, int lane)
{
    for (int c = 0; c < 3; c++) {
        four->x[c][lane] = four->z[c][lane] = c == 0;
        four->u[c][lane] = four->p[c][lane] = four->h[c][lane] = 0;
        four->dx[c][lane] = four->dz[c][lane] = four->du[c][lane] = 0;
    }
    four->mu[lane] = 1;
    four->softness[lane] = four->is_cone[lane] = 0;
    four->reach[lane] = HUGE_VAL;
    four->held[lane] = 0;
}

void tact_interior_fours_begin(TactInterior *interior, double gap)
{
    const TactCoupling *coupling = interior->proximal->coupling;
    const TactSystem   *system = coupling->system;
    interior->four_count = (system->item_count + LANES - 1) / LANES;
    interior->other_count = 0;
    for (int i = 0; i < LANES * interior->four_count; i++) {
        TactInteriorFour *four = &interior->fours[i / LANES];
        int               lane = i % LANES;
        begin_lane(four, lane);
        if (i >= system->item_count) {
            continue;
        }
        tact_interior_begin_item(&system->items[i], coupling->weight[i], gap, &interior->items[i]);
        if (!tact_interior_is_cone(&system->items[i])) {
            interior->others[interior->other_count++] = i;
            continue;
        }
        four->x[0][lane] = interior->items[i].x[0];
        four->z[0][lane] = interior->items[i].z[0];
        four->mu[lane] = system->items[i].mu;
        four->softness[lane] = system->items[i].compliance;
        four->is_cone[lane] = 1;
        four->held[lane] = interior->slip ? interior->dilatancy * interior->slip[i] : 0;
    }
}

TACT_CLONES static void find_impulses(void *context, int first, int end, int thread)
{
    TactInterior *interior = context;
    (void)thread;
    for (int k = first; k < end; k++) {
        TactInteriorFour *four = &interior->fours[k];
        TactLanes         none = TACT_LANES_ALL(0.0);
        TactMask          own = AT(four->is_cone) > none;
        PUT(four->p[0]) = TACT_LANES_SELECT(own, AT(four->x[0]) / AT(four->mu), none);
        PUT(four->p[1]) = AT(four->x[1]);
        PUT(four->p[2]) = AT(four->x[2]);
    }
}

void tact_interior_fours_impulses(TactInterior *interior)
{
    share_fours(interior, find_impulses);
    for (int k = 0; k < interior->other_count; k++) {
        int               i = interior->others[k];
        TactInteriorFour *four = &interior->fours[i / LANES];
        double            p[3];
        tact_interior_impulse(&interior->proximal->coupling->system->items[i], &interior->items[i],
                              p);
        for (int c = 0; c < 3; c++) {
            four->p[c][i % LANES] = p[c];
        }
    }
}

// ---------------------------------------------------------------------------------------------
// Linearised

/// Nesterov and Todd's scaling: v, b, l, det, and w for W^2. Lanes are set where x and z are
/// inside.
TACT_WIDE void scale_four(TactInteriorFour *four, Three *w, TactMask *inside)
{
    Three     x, z, l;
    TactLanes xx, zz, root_x, root_z, xz, half, gamma, length, b;
    TactLanes none = TACT_LANES_ALL(0.0);
    load_three(four->x[0], &x);
    load_three(four->z[0], &z);
    square_four(&x, &xx);
    square_four(&z, &zz);
    *inside = (xx > none) & (zz > none) & (x.x[0] > none) & (z.x[0] > none);
    tact_wide_root(&xx, &root_x);
    tact_wide_root(&zz, &root_z);
    dot_four(&x, &z, &xz);
    half = 0.5 * (1 + xz / (root_x * root_z));
    tact_wide_root(&half, &gamma);
    w->x[0] = (x.x[0] / root_x + z.x[0] / root_z) / (2 * gamma);
    w->x[1] = (x.x[1] / root_x + -z.x[1] / root_z) / (2 * gamma);
    w->x[2] = (x.x[2] / root_x + -z.x[2] / root_z) / (2 * gamma);
    half = 2 * (w->x[0] + 1);
    tact_wide_root(&half, &length);
    PUT(four->v[0]) = (w->x[0] + 1) / length;
    PUT(four->v[1]) = w->x[1] / length;
    PUT(four->v[2]) = w->x[2] / length;
    half = root_x / root_z;
    tact_wide_root(&half, &b);
    PUT(four->b) = b;
    PUT(four->det) = root_x * root_z;
    times_four(four, &z, &l);
    store_three(&l, four->l[0]);
}

/// B = S A W^2 G, with A = I - q e_0' / (1 + q_0), q = W^2 e_0 c / mu^2: solve is q / (1 + q_0).
TACT_WIDE void put_matrix(TactInteriorFour *four, const Three *w)
{
    TactLanes mu = AT(four->mu), b2 = AT(four->b) * AT(four->b);
    TactLanes soft = AT(four->softness) / (mu * mu), W2[3][3];
    TactLanes slip[2] = {AT(four->slip[0]), AT(four->slip[1])};
    for (int r = 0; r < 3; r++) {
        for (int c = 0; c < 3; c++) {
            double J = r != c ? 0 : r == 0 ? 1 : -1;
            W2[r][c] = b2 * (2 * w->x[r] * w->x[c] - J);
        }
    }
    TactLanes first = 1 / (1 + soft * W2[0][0]), solve[3];
    for (int r = 0; r < 3; r++) {
        solve[r] = soft * W2[r][0] * first;
        PUT(four->solve[r]) = solve[r];
    }
    for (int c = 0; c < 3; c++) {
        TactLanes top = W2[0][c];
        W2[0][c] = (1 - solve[0]) * top;
        W2[1][c] = -solve[1] * top + W2[1][c];
        W2[2][c] = -solve[2] * top + W2[2][c];
    }
    for (int r = 0; r < 3; r++) {
        TactLanes row[3] = {W2[r][0] * (1 / mu), W2[r][0] * slip[0] + W2[r][1],
                            W2[r][0] * slip[1] + W2[r][2]};
        for (int c = 0; c < 3; c++) {
            if (r == 0) {
                row[c] = row[c] / mu;
            }
            PUT(four->B[3 * r + c]) = row[c];
        }
    }
}

/// One four; its lanes are set where x and z are inside.
TACT_WIDE void linearise_four(TactInteriorFour *four, double follows, TactMask *inside)
{
    Three     w;
    TactLanes none = TACT_LANES_ALL(0.0), mu = AT(four->mu);
    TactLanes u0 = AT(four->u[0]) + AT(four->softness) * AT(four->p[0]);
    TactLanes u1 = AT(four->u[1]), u2 = AT(four->u[2]), square = u1 * u1 + u2 * u2, slip;
    tact_wide_root(&square, &slip);
    PUT(four->slip[0]) = follows * TACT_LANES_SELECT(slip > none, u1 / slip, none);
    PUT(four->slip[1]) = follows * TACT_LANES_SELECT(slip > none, u2 / slip, none);
    PUT(four->off[0]) = u0 / mu + (follows * slip + AT(four->held)) - AT(four->z[0]);
    PUT(four->off[1]) = u1 - AT(four->z[1]);
    PUT(four->off[2]) = u2 - AT(four->z[2]);
    scale_four(four, &w, inside);
    put_matrix(four, &w);
}

TACT_CLONES static void linearise_some(void *context, int first, int end, int thread)
{
    TactInterior *interior = context;
    int           items = interior->proximal->coupling->system->item_count;
    (void)thread;
    for (int k = first; k < end; k++) {
        TactInteriorFour *four = &interior->fours[k];
        TactMask          inside;
        linearise_four(four, 1 - interior->dilatancy, &inside);
        for (int lane = 0; lane < LANES && LANES * k + lane < items; lane++) {
            int     i = LANES * k + lane;
            double *B = interior->proximal->items[i].B;
            interior->reach[i] = inside[lane] ? 0 : NAN;
            for (int e = 0; e < 9; e++) {
                B[e] = four->B[e][lane];
            }
        }
    }
}

/// An item that is no cone: its u is that of its lane.
static bool linearise_other(TactInterior *interior, int i)
{
    TactInteriorFour *four = &interior->fours[i / LANES];
    TactInteriorItem *item = &interior->items[i];
    double           *B = interior->proximal->items[i].B;
    for (int c = 0; c < 3; c++) {
        item->u[c] = four->u[c][i % LANES];
    }
    bool inside = tact_interior_linearise(&interior->proximal->coupling->system->items[i], item, B);
    for (int e = 0; e < 9; e++) {
        four->B[e][i % LANES] = B[e];
    }
    return inside;
}

bool tact_interior_fours_linearise(TactInterior *interior)
{
    int  items = interior->proximal->coupling->system->item_count;
    bool inside = true;
    share_fours(interior, linearise_some);
    for (int i = 0; i < items; i++) {
        inside = inside && !isnan(interior->reach[i]);
    }
    for (int k = 0; k < interior->other_count; k++) {
        inside = linearise_other(interior, interior->others[k]) && inside;
    }
    return inside;
}

// ---------------------------------------------------------------------------------------------
// Aims

/// l o d = target e - l o l - (W^-1 dx) o (W dz): what is asked for.
TACT_WIDE void ask_four(const TactInteriorFour *four, const Three *l, double target, bool corrects,
                        Three *asked)
{
    product_four(l, l, asked);
    for (int c = 0; c < 3; c++) {
        asked->x[c] = (c == 0 ? target : 0) - asked->x[c];
    }
    if (corrects) {
        Three dx, dz, scaled_x, scaled_z, affine;
        load_three(four->dx[0], &dx);
        load_three(four->dz[0], &dz);
        divide_four(four, &dx, &scaled_x);
        times_four(four, &dz, &scaled_z);
        product_four(&scaled_x, &scaled_z, &affine);
        for (int c = 0; c < 3; c++) {
            asked->x[c] -= affine.x[c];
        }
    }
}

TACT_CLONES static void aim_some(void *context, int first, int end, int thread)
{
    TactInterior *interior = context;
    (void)thread;
    for (int k = first; k < end; k++) {
        TactInteriorFour *four = &interior->fours[k];
        Three             l, asked, d, Wd, off, Woff, W2off, dx;
        load_three(four->l[0], &l);
        load_three(four->off[0], &off);
        ask_four(four, &l, interior->target, interior->corrects, &asked);
        d.x[0] = (l.x[0] * asked.x[0] - l.x[1] * asked.x[1] - l.x[2] * asked.x[2]) / AT(four->det);
        d.x[1] = (asked.x[1] - d.x[0] * l.x[1]) / l.x[0];
        d.x[2] = (asked.x[2] - d.x[0] * l.x[2]) / l.x[0];
        times_four(four, &d, &Wd);
        times_four(four, &off, &Woff);
        times_four(four, &Woff, &W2off);
        for (int c = 0; c < 3; c++) {
            dx.x[c] = Wd.x[c] - W2off.x[c];
        }
        PUT(four->h[0]) = (1 - AT(four->solve[0])) * dx.x[0] / AT(four->mu);
        PUT(four->h[1]) = -AT(four->solve[1]) * dx.x[0] + dx.x[1];
        PUT(four->h[2]) = -AT(four->solve[2]) * dx.x[0] + dx.x[2];
    }
}

void tact_interior_fours_aim(TactInterior *interior)
{
    const TactSystem *system = interior->proximal->coupling->system;
    share_fours(interior, aim_some);
    for (int k = 0; k < interior->other_count; k++) {
        int               i = interior->others[k];
        TactInteriorFour *four = &interior->fours[i / LANES];
        TactInteriorItem *item = &interior->items[i];
        if (interior->corrects) {
            tact_interior_keep_affine(&system->items[i], item);
        }
        tact_interior_aim(&system->items[i], item, interior->target, interior->corrects);
        for (int c = 0; c < 3; c++) {
            four->h[c][i % LANES] = item->h[c];
        }
    }
}

// ---------------------------------------------------------------------------------------------
// Moves

/// Where x + t dx leaves the cone, as in cone.c.
TACT_WIDE void reach_four(const Three *x, const Three *dx, TactLanes *out)
{
    TactLanes a, c, inside, root, none = TACT_LANES_ALL(0.0);
    square_four(dx, &a);
    square_four(x, &c);
    TactLanes b = x->x[0] * dx->x[0] - x->x[1] * dx->x[1] - x->x[2] * dx->x[2];
    inside = b * b - a * c;
    TactMask  never = (inside < none) | ((a >= none) & (b >= none));
    TactLanes safe = TACT_LANES_SELECT(never, none, inside);
    tact_wide_root(&safe, &root);
    *out = TACT_LANES_SELECT(never, TACT_LANES_ALL(HUGE_VAL), c / (root - b));
}

/// One four, whose du is known.
TACT_WIDE void move_four(TactInteriorFour *four, double part)
{
    Three     x, z, dx, dz, du;
    TactLanes mu = AT(four->mu), dp[3], reach_x, reach_z;
    load_three(four->du[0], &du);
    for (int r = 0; r < 3; r++) {
        dp[r] = AT(four->h[r]) - (AT(four->B[3 * r]) * du.x[0] + AT(four->B[3 * r + 1]) * du.x[1] +
                                  AT(four->B[3 * r + 2]) * du.x[2]);
    }
    dx.x[0] = mu * dp[0];
    dx.x[1] = dp[1];
    dx.x[2] = dp[2];
    dz.x[0] = (du.x[0] + AT(four->softness) * dp[0]) / mu + AT(four->slip[0]) * du.x[1] +
              AT(four->slip[1]) * du.x[2] + AT(four->off[0]);
    dz.x[1] = du.x[1] + AT(four->off[1]);
    dz.x[2] = du.x[2] + AT(four->off[2]);
    load_three(four->x[0], &x);
    load_three(four->z[0], &z);
    reach_four(&x, &dx, &reach_x);
    reach_four(&z, &dz, &reach_z);
    TactMask  own = AT(four->is_cone) > TACT_LANES_ALL(0.0);
    TactLanes reach = part * TACT_LANES_SELECT(reach_x < reach_z, reach_x, reach_z);
    TactLanes none = TACT_LANES_ALL(0.0);
    PUT(four->reach) = TACT_LANES_SELECT(own, reach, TACT_LANES_ALL(HUGE_VAL));
    for (int c = 0; c < 3; c++) {
        PUT(four->dx[c]) = TACT_LANES_SELECT(own, dx.x[c], none);
        PUT(four->dz[c]) = TACT_LANES_SELECT(own, dz.x[c], none);
    }
}

TACT_CLONES static void move_some(void *context, int first, int end, int thread)
{
    TactInterior *interior = context;
    (void)thread;
    for (int k = first; k < end; k++) {
        move_four(&interior->fours[k], interior->part);
    }
}

/// An item that is no cone.
static void move_other(TactInterior *interior, int i)
{
    TactInteriorFour *four = &interior->fours[i / LANES];
    TactInteriorItem *item = &interior->items[i];
    int               lane = i % LANES;
    double            du[3], dp[3];
    for (int c = 0; c < 3; c++) {
        du[c] = four->du[c][lane];
    }
    for (int r = 0; r < 3; r++) {
        dp[r] = item->h[r] - (four->B[3 * r][lane] * du[0] + four->B[3 * r + 1][lane] * du[1] +
                              four->B[3 * r + 2][lane] * du[2]);
    }
    tact_interior_move_of(&interior->proximal->coupling->system->items[i], item, du, dp);
    item->reach *= interior->part;
    four->reach[lane] = item->reach;
}

bool tact_interior_fours_move(TactInterior *interior, double part)
{
    int  items = interior->proximal->coupling->system->item_count;
    bool goes = true;
    interior->part = part;
    share_fours(interior, move_some);
    for (int k = 0; k < interior->other_count; k++) {
        move_other(interior, interior->others[k]);
    }
    for (int i = 0; i < items; i++) {
        interior->reach[i] = interior->fours[i / LANES].reach[i % LANES];
        goes = goes && interior->reach[i] >= 0;
    }
    return goes;
}

/// Products of x and z after a step, of four contacts.
TACT_WIDE void multiply_four(const TactInteriorFour *four, double step, double gap[3][LANES])
{
    TactLanes all = TACT_LANES_ALL(step), reach = AT(four->reach);
    TactLanes own = TACT_LANES_SELECT(reach < all, reach, all);
    for (int c = 0; c < 3; c++) {
        PUT(gap[c]) =
            (AT(four->x[c]) + own * AT(four->dx[c])) * (AT(four->z[c]) + own * AT(four->dz[c]));
    }
}

/// Summed up in the order of the items.
TACT_CLONES double tact_interior_fours_gap(const TactInterior *interior, double step)
{
    const TactSystem *system = interior->proximal->coupling->system;
    double            gap[3][LANES], sum = 0, count = 0;
    for (int i = 0; i < system->item_count; i++) {
        const TactInteriorFour *four = &interior->fours[i / LANES];
        int                     lane = i % LANES;
        if (lane == 0) {
            multiply_four(four, step, gap);
        }
        if (four->is_cone[lane] > 0) {
            sum = ((sum + gap[0][lane]) + gap[1][lane]) + gap[2][lane];
            count++;
        } else {
            const TactInteriorItem *item = &interior->items[i];
            count += tact_interior_gap(&system->items[i], item, fmin(step, item->reach), &sum);
        }
    }
    return sum / count;
}

TACT_CLONES static void take_some(TactInterior *interior, double step)
{
    TactLanes all = TACT_LANES_ALL(step);
    for (int k = 0; k < interior->four_count; k++) {
        TactInteriorFour *four = &interior->fours[k];
        TactLanes         reach = AT(four->reach), own = TACT_LANES_SELECT(reach < all, reach, all);
        for (int c = 0; c < 3; c++) {
            PUT(four->x[c]) = AT(four->x[c]) + own * AT(four->dx[c]);
            PUT(four->z[c]) = AT(four->z[c]) + own * AT(four->dz[c]);
        }
    }
}

void tact_interior_fours_take(TactInterior *interior, double step)
{
    take_some(interior, step);
    for (int k = 0; k < interior->other_count; k++) {
        TactInteriorItem *item = &interior->items[interior->others[k]];
        tact_interior_take(item, fmin(step, item->reach));
    }
}
