// With the load p_n of its contact a moment m obeys
//
//     K 3 x = (mu p_n, m) _|_ z = (s, u_t) in K,    x o z = tau e
//
// in which s belongs to nothing else. With H = W^2 and r = mu p_n - x_0, which steps of different
// lengths leave,
//
//     dx_0 = mu dp_n + r,    dz_t = du_t + off,    dx + H dz = W d
//
// and ds eliminated, S = H_tt - H_t0 H_0t / H_00:
//
//     dm = (W d)_t - H_t0 / H_00 ((W d)_0 - dx_0) - S dz_t (1)
//
// dp_n = h_n - e_0'B du of the contact (interior_item.c).
#include "contact/pile/interior_moment.h"

#include <math.h>

#include "contact/pile/interior_item.h"

TactInteriorMoment tact_interior_moment(const TactInterior *interior, int i)
{
    const TactSystem *system = interior->proximal->coupling->system;
    int               owner = system->items[i].owner;
    return (TactInteriorMoment){
        .of = &system->items[i],
        .owner = &system->items[owner],
        .item = &interior->items[i],
        .contact = &interior->items[owner],
        .B = interior->proximal->items[owner].B,
    };
}

static double find_load(const TactInteriorMoment *moment)
{
    double p[3];
    tact_interior_impulse(moment->owner, moment->contact, p);
    return p[0];
}

void tact_interior_moment_begin(const TactInteriorMoment *moment, double gap)
{
    TactInteriorItem *item = moment->item;
    *item = (TactInteriorItem){0};
    item->x[0] = moment->of->mu * find_load(moment);
    item->z[0] = gap / item->x[0];
}

void tact_interior_moment_listen(const TactInteriorMoment *moment, const double *C, int size,
                                 double *normal)
{
    const double *B = moment->B;
    for (int s = 0; s < size; s++) {
        normal[s] = (B[0] * C[s] + B[1] * C[size + s]) + B[2] * C[2 * size + s];
    }
}

bool tact_interior_moment_linearise(const TactInteriorMoment *moment, double B[9])
{
    TactInteriorItem *item = moment->item;
    double            H[9];
    item->off[0] = moment->of->mu * find_load(moment) - item->x[0];
    item->off[1] = item->u[1] - item->z[1];
    item->off[2] = item->u[2] - item->z[2];
    if (!tact_cone_scale(item->x, item->z, &item->scaling)) {
        return false;
    }
    tact_cone_square(&item->scaling, H);
    B[0] = B[1] = B[2] = 0;
    for (int r = 1; r < 3; r++) {
        double part = H[3 * r] / H[0];
        B[3 * r] = moment->of->mu * part;
        B[3 * r + 1] = H[3 * r + 1] - part * H[1];
        B[3 * r + 2] = H[3 * r + 2] - part * H[2];
    }
    return true;
}

void tact_interior_moment_aim(const TactInteriorMoment *moment, double target, bool corrected)
{
    TactInteriorItem      *item = moment->item;
    const TactConeScaling *scaling = &item->scaling;
    double                 asked[3], d[3], Wd[3], H[9];
    tact_cone_product(scaling->l, scaling->l, asked);
    for (int c = 0; c < 3; c++) {
        asked[c] = (c == 0 ? target : 0) - asked[c] - (corrected ? item->affine[c] : 0);
    }
    tact_cone_quotient(scaling, asked, d);
    tact_cone_times(scaling, d, Wd);
    tact_cone_square(scaling, H);
    item->slip[0] = moment->of->mu * moment->contact->h[0] + item->off[0]; // dx_0 but for du
    item->slip[1] = Wd[0];
    item->h[0] = 0;
    for (int r = 1; r < 3; r++) {
        double part = H[3 * r] / H[0];
        item->h[r] = Wd[r] - part * (Wd[0] - item->slip[0]) -
                     (H[3 * r + 1] - part * H[1]) * item->off[1] -
                     (H[3 * r + 2] - part * H[2]) * item->off[2];
    }
}

void tact_interior_moment_move(const TactInteriorMoment *moment, const double du[3],
                               const double dp[3])
{
    TactInteriorItem *item = moment->item;
    double            H[9];
    tact_cone_square(&item->scaling, H);
    item->dx[0] = item->slip[0] - moment->of->mu * du[0];
    for (int c = 1; c < 3; c++) {
        item->dx[c] = dp[c];
        item->dz[c] = du[c] + item->off[c];
    }
    item->dz[0] = (item->slip[1] - item->dx[0] - H[1] * item->dz[1] - H[2] * item->dz[2]) / H[0];
    item->reach = fmin(tact_cone_reach(item->x, item->dx), tact_cone_reach(item->z, item->dz));
}
