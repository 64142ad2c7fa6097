// Moments of a contact in the interior-point method: discs whose size is the load of another item.
#ifndef TACT_CONTACT_PILE_INTERIOR_MOMENT_H
#define TACT_CONTACT_PILE_INTERIOR_MOMENT_H

#include "contact/pile/interior.h"

/// One moment, with the contact that bounds it.
typedef struct TactInteriorMoment {
    const TactItem         *of, *owner;
    TactInteriorItem       *item;
    const TactInteriorItem *contact;
    const double           *B; // of the contact
} TactInteriorMoment;

/// Moment i of the problem in hand.
TactInteriorMoment tact_interior_moment(const TactInterior *interior, int i);

/// x and z on the central path.
void tact_interior_moment_begin(const TactInteriorMoment *moment, double gap);

/// B of dp = h - B (du_0, du_1, du_2), du_0 = e_0'B_contact du_contact, which is what column 0 of
/// the moment is made to give. False if x or z has left its cone.         C, normal: columns,
/// (size)
bool tact_interior_moment_linearise(const TactInteriorMoment *moment, double B[9]);
void tact_interior_moment_listen(const TactInteriorMoment *moment, const double *C, int size,
                                 double *normal);

/// h for x o z = target e, after that of its contact.
void tact_interior_moment_aim(const TactInteriorMoment *moment, double target, bool corrected);

/// dx, dz and reach.
void tact_interior_moment_move(const TactInteriorMoment *moment, const double du[3],
                               const double dp[3]);

#endif
