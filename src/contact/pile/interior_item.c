// Contacts: with S = diag(1 / mu, 1, 1), p = S x, and G = [1 / mu, t'; 0, I] the derivative of z by
// u, t = u_t / |u_t|, a step obeys
//
//     dz = G du + D dx + r_z,    W^-1 dx + W dz = d,    l o d = target e - l o l - affine      (2)
//
// D = diag(c / mu^2, 0, 0) for a compliance c, r_z what u asks for less z. Eliminating dz,
//
//     dx = A (W d - W^2 r_z) - A W^2 G du,    A = (I + W^2 D)^-1                               (3)
//
// Without friction K is a ray, and the same holds with numbers. A motor |p| <= m has x = (m + p,
// m - p), both with a multiplier, u = z_0 - z_1.
//
// docs/theory/pile.md has the derivation.
#include "contact/pile/interior_item.h"

#include <math.h>
#include <string.h>

// Bounds of motors that are further away than so many times the impulse of the start are out of
// reach.
static const double FAR = 1e6;

typedef enum Kind {
    KIND_CONE,
    KIND_RAY,
    KIND_MOTOR,
    KIND_MOMENT, // of another contact (interior_moment.h)
    KIND_NONE,   // a motor without force
} Kind;

static Kind kind_of(const TactItem *of)
{
    switch (of->kind) {
    case TACT_ITEM_CONTACT: return of->mu > 0 ? KIND_CONE : KIND_RAY;
    case TACT_ITEM_UNILATERAL: return KIND_RAY;
    case TACT_ITEM_MOTOR: return of->bound > 0 ? KIND_MOTOR : KIND_NONE;
    case TACT_ITEM_MOMENT: return KIND_MOMENT;
    }
    return KIND_NONE;
}

bool tact_interior_is_cone(const TactItem *of)
{
    return kind_of(of) == KIND_CONE;
}

void tact_interior_begin_item(const TactItem *of, double w, double gap, TactInteriorItem *item)
{
    double push = sqrt(gap / w), speed = sqrt(gap * w);
    memset(item, 0, sizeof *item);
    if (kind_of(of) == KIND_MOTOR) {
        double bound = fmin(of->bound, FAR * push);
        item->x[0] = item->x[1] = bound;
        item->z[0] = item->z[1] = gap / bound;
    } else {
        item->x[0] = push;
        item->z[0] = speed;
    }
}

void tact_interior_impulse(const TactItem *of, const TactInteriorItem *item, double p[3])
{
    p[0] = p[1] = p[2] = 0;
    switch (kind_of(of)) {
    case KIND_CONE:
        p[0] = item->x[0] / of->mu;
        p[1] = item->x[1];
        p[2] = item->x[2];
        break;
    case KIND_MOMENT:
        p[1] = item->x[1];
        p[2] = item->x[2];
        break;
    case KIND_RAY: p[0] = item->x[0]; break;
    case KIND_MOTOR: p[1] = 0.5 * (item->x[0] - item->x[1]); break;
    case KIND_NONE: break;
    }
}

// ---------------------------------------------------------------------------------------------
// Linearised

/// out = A B, row-major.
static void product(const double A[9], const double B[9], double out[9])
{
    for (int r = 0; r < 3; r++) {
        for (int c = 0; c < 3; c++) {
            out[3 * r + c] = A[3 * r] * B[c] + A[3 * r + 1] * B[3 + c] + A[3 * r + 2] * B[6 + c];
        }
    }
}

static void times_block(const double A[9], const double x[3], double out[3])
{
    for (int r = 0; r < 3; r++) {
        out[r] = A[3 * r] * x[0] + A[3 * r + 1] * x[1] + A[3 * r + 2] * x[2];
    }
}

/// (I + q e_0')^-1 = I - q e_0' / (1 + q_0), q = W^2 e_0 c / mu^2.
static void set_solve(TactInteriorItem *item, const double W2[9], double softness)
{
    double first = 1 / (1 + softness * W2[0]);
    for (int r = 0; r < 3; r++) {
        for (int c = 0; c < 3; c++) {
            double taken = c == 0 ? softness * W2[3 * r] * first : 0;
            item->solve[3 * r + c] = (r == c) - taken;
        }
    }
}

static bool linearise_cone(const TactItem *of, TactInteriorItem *item, double B[9])
{
    double mu = of->mu, W2[9], AW2[9];
    double slip = sqrt(item->u[1] * item->u[1] + item->u[2] * item->u[2]);
    item->slip[0] = slip > 0 ? item->u[1] / slip : 0;
    item->slip[1] = slip > 0 ? item->u[2] / slip : 0;
    item->off[0] = item->u[0] / mu + slip - item->z[0];
    item->off[1] = item->u[1] - item->z[1];
    item->off[2] = item->u[2] - item->z[2];
    if (!tact_cone_scale(item->x, item->z, &item->scaling)) {
        return false;
    }
    double G[9] = {1 / mu, item->slip[0], item->slip[1], 0, 1, 0, 0, 0, 1};
    tact_cone_square(&item->scaling, W2);
    if (of->compliance == 0) {
        product(W2, G, B);
    } else {
        set_solve(item, W2, of->compliance / (mu * mu));
        product(item->solve, W2, AW2);
        product(AW2, G, B);
    }
    for (int c = 0; c < 3; c++) {
        B[c] /= mu;
    }
    return true;
}

bool tact_interior_linearise(const TactItem *of, TactInteriorItem *item, double B[9])
{
    double p[3];
    memset(B, 0, 9 * sizeof(double));
    tact_interior_impulse(of, item, p);
    item->u[0] += of->compliance * p[0];
    switch (kind_of(of)) {
    case KIND_CONE: return linearise_cone(of, item, B);
    case KIND_RAY:
        item->off[0] = item->u[0] - item->z[0];
        B[0] = item->x[0] / (item->z[0] + of->compliance * item->x[0]);
        return item->x[0] > 0 && item->z[0] > 0;
    case KIND_MOTOR:
        B[4] = 1 / (item->z[0] / item->x[0] + item->z[1] / item->x[1]);
        return item->x[0] > 0 && item->x[1] > 0 && item->z[0] > 0 && item->z[1] > 0;
    case KIND_MOMENT:
    case KIND_NONE: break;
    }
    return true;
}

static void aim_cone(const TactItem *of, TactInteriorItem *item, double target, bool corrected)
{
    const TactConeScaling *scaling = &item->scaling;
    double                 asked[3], d[3], Wd[3], Woff[3], W2off[3], dx[3];
    tact_cone_product(scaling->l, scaling->l, asked);
    for (int c = 0; c < 3; c++) {
        asked[c] = (c == 0 ? target : 0) - asked[c] - (corrected ? item->affine[c] : 0);
    }
    tact_cone_quotient(scaling, asked, d);
    tact_cone_times(scaling, d, Wd);
    tact_cone_times(scaling, item->off, Woff);
    tact_cone_times(scaling, Woff, W2off);
    for (int c = 0; c < 3; c++) {
        dx[c] = Wd[c] - W2off[c];
    }
    if (of->compliance == 0) {
        memcpy(item->h, dx, sizeof dx);
    } else {
        times_block(item->solve, dx, item->h);
    }
    item->h[0] /= of->mu;
}

void tact_interior_aim(const TactItem *of, TactInteriorItem *item, double target, bool corrected)
{
    double        miss[2] = {target, target};
    const double *x = item->x, *z = item->z;
    item->h[0] = item->h[1] = item->h[2] = 0;
    for (int c = 0; c < 2 && corrected; c++) {
        miss[c] -= item->affine[c];
    }
    switch (kind_of(of)) {
    case KIND_CONE: aim_cone(of, item, target, corrected); break;
    case KIND_RAY:
        // z dx + x dz = miss - x z, dz = du + c dx + off
        item->h[0] = (miss[0] - x[0] * z[0] - x[0] * item->off[0]) / (z[0] + of->compliance * x[0]);
        break;
    case KIND_MOTOR:
        item->off[0] = miss[0];
        item->off[1] = miss[1];
        item->h[1] = (miss[0] / x[0] - miss[1] / x[1] - item->u[1]) / (z[0] / x[0] + z[1] / x[1]);
        break;
    case KIND_MOMENT:
    case KIND_NONE: break;
    }
}

// ---------------------------------------------------------------------------------------------
// Moves

static double reach_of(double x, double dx)
{
    return dx < 0 ? -x / dx : HUGE_VAL;
}

/// off holds what x z was to become, less the products of the affine step.
static void move_motor(TactInteriorItem *item, double change)
{
    item->dx[0] = change;
    item->dx[1] = -change;
    for (int c = 0; c < 2; c++) {
        double x = item->x[c], z = item->z[c];
        item->dz[c] = (item->off[c] - z * item->dx[c]) / x - z;
        item->reach = fmin(item->reach, fmin(reach_of(x, item->dx[c]), reach_of(z, item->dz[c])));
    }
}

void tact_interior_move_of(const TactItem *of, TactInteriorItem *item, const double du[3],
                           const double dp[3])
{
    double *dx = item->dx, *dz = item->dz;
    memset(dx, 0, sizeof item->dx);
    memset(dz, 0, sizeof item->dz);
    item->reach = HUGE_VAL;
    switch (kind_of(of)) {
    case KIND_CONE:
        dx[0] = of->mu * dp[0];
        dx[1] = dp[1];
        dx[2] = dp[2];
        dz[0] = (du[0] + of->compliance * dp[0]) / of->mu + item->slip[0] * du[1] +
                item->slip[1] * du[2] + item->off[0];
        dz[1] = du[1] + item->off[1];
        dz[2] = du[2] + item->off[2];
        item->reach = fmin(tact_cone_reach(item->x, dx), tact_cone_reach(item->z, dz));
        break;
    case KIND_RAY:
        dx[0] = dp[0];
        dz[0] = du[0] + of->compliance * dp[0] + item->off[0];
        item->reach = fmin(reach_of(item->x[0], dx[0]), reach_of(item->z[0], dz[0]));
        break;
    case KIND_MOTOR: move_motor(item, dp[1]); break;
    case KIND_MOMENT:
    case KIND_NONE: break;
    }
}

void tact_interior_keep_affine(const TactItem *of, TactInteriorItem *item)
{
    double scaled_x[3], scaled_z[3];
    if (kind_of(of) == KIND_CONE || kind_of(of) == KIND_MOMENT) {
        tact_cone_divide(&item->scaling, item->dx, scaled_x);
        tact_cone_times(&item->scaling, item->dz, scaled_z);
        tact_cone_product(scaled_x, scaled_z, item->affine);
    } else {
        item->affine[0] = item->dx[0] * item->dz[0];
        item->affine[1] = item->dx[1] * item->dz[1];
    }
}

double tact_interior_gap(const TactItem *of, const TactInteriorItem *item, double step, double *sum)
{
    static const int products[] = {
        [KIND_CONE] = 3, [KIND_RAY] = 1, [KIND_MOTOR] = 2, [KIND_MOMENT] = 3, [KIND_NONE] = 0};
    Kind kind = kind_of(of);
    for (int c = 0; c < products[kind]; c++) {
        *sum += (item->x[c] + step * item->dx[c]) * (item->z[c] + step * item->dz[c]);
    }
    return kind == KIND_CONE || kind == KIND_MOMENT ? 1 : products[kind];
}
