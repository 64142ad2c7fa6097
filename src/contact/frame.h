// What the level of accelerations needs to know of a contact's geometry.
#ifndef TACT_CONTACT_FRAME_H
#define TACT_CONTACT_FRAME_H

#include <tact/contact.h>

/// Relative velocity u = J v of a contact with the velocities of the problem (before the step), and
/// its size |J| |v|, below 1e-16 of which u is rounding. Zero for a problem given by W.
///   u, size  (n, 1, 2)
void tact_contact_velocity(const TactContactProblem *problem, int contact, double u[3],
                           double size[3]);

/// Does the contact slide before the step? Then direction is u_t / |u_t|: dynamic friction on the
/// level of accelerations acts against it. Slip below 1e-9 of |J_t| |v| is taken as none.
bool tact_contact_slides(const TactContactProblem *problem, int contact, double direction[2]);

#endif
