// One item of the interior-point method: what its law says of a step.
#ifndef TACT_CONTACT_PILE_INTERIOR_ITEM_H
#define TACT_CONTACT_PILE_INTERIOR_ITEM_H

#include "contact/pile/interior.h"

/// Is it a contact with friction?
bool tact_interior_is_cone(const TactItem *of);

/// x and z on the central path, at that gap: w is the weight of the item.
void tact_interior_begin_item(const TactItem *of, double w, double gap, TactInteriorItem *item);

/// p of x.
void tact_interior_impulse(const TactItem *of, const TactInteriorItem *item, double p[3]);

/// With u = C'y + e: compliance is added, z's offset and the scaling are found, and B (row-major)
/// of dp = h - B du. False if x or z has left its cone.
bool tact_interior_linearise(const TactItem *of, TactInteriorItem *item, double B[9]);

/// h for x o z = target e; corrected: less the products of the affine step.
void tact_interior_aim(const TactItem *of, TactInteriorItem *item, double target, bool corrected);

/// dx, dz and reach, the longest step, of a motion that changes u by du and p by dp.
void tact_interior_move_of(const TactItem *of, TactInteriorItem *item, const double du[3],
                           const double dp[3]);

/// Keeps the products of dx and dz for the corrector.
void tact_interior_keep_affine(const TactItem *of, TactInteriorItem *item);

/// Adds x'z after a step of that length to *sum; returns the number of products.
double tact_interior_gap(const TactItem *of, const TactInteriorItem *item, double step,
                         double *sum);

static inline void tact_interior_take(TactInteriorItem *item, double step)
{
    for (int c = 0; c < 3; c++) {
        item->x[c] += step * item->dx[c];
        item->z[c] += step * item->dz[c];
    }
}

#endif
