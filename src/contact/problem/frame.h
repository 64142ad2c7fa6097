// A contact's geometry: its normal, and how its bodies move before the step.
#ifndef TACT_CONTACT_PROBLEM_FRAME_H
#define TACT_CONTACT_PROBLEM_FRAME_H

#include <math.h>
#include <tact/contact.h>

/// |n|^2 this close to 1 has 1 / |n| = 1.5 - 0.5 |n|^2 to all digits: the next term is 3/8 of the
/// square of what is off.
static const double TACT_CONTACT_NEAR_UNIT = 1e-8;

/// 1 / |n| from |n|^2. Normals come with length 1 but for rounding; then no root and no division is
/// needed.
static inline double tact_contact_inverse_length(double square)
{
    return fabs(square - 1) < TACT_CONTACT_NEAR_UNIT ? 1.5 - 0.5 * square : 1 / sqrt(square);
}

/// What the surfaces of a contact add to component 0, 1, 2 of u.
static inline double tact_contact_surface(const TactContactProblem *problem, int contact,
                                          int component)
{
    bool velocities = problem->level == TACT_LEVEL_VELOCITY;
    return velocities && component > 0 ? problem->contacts[contact].surface[component - 1] : 0;
}

/// Relative velocity u = J v of a contact, surfaces included, with the velocities of the problem
/// (before the step), and its size |J| |v|, below 1e-16 of which u is rounding. Zero for a problem
/// given by W.
///   u, size  (n, 1, 2)
void tact_contact_velocity(const TactContactProblem *problem, int contact, double u[3],
                           double size[3]);

/// Adds sign times the velocity of a body's point at the contact, in its frame.    u: (n, 1, 2)
void tact_contact_add_point(const TactContactBody *body, const TactContact *contact, double sign,
                            double u[3]);

/// Does the contact slide before the step? Then direction is u_t / |u_t|: dynamic friction on the
/// level of accelerations acts against it. Slip below 1e-9 of |J_t| |v| is taken as none.
bool tact_contact_slides(const TactContactProblem *problem, int contact, double direction[2]);

#endif
