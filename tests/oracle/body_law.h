// The law of the circular cone of contacts between bodies, checked in long double and in memory
// that grows with the contacts: contact_law.h for problems of thousands of contacts.
#ifndef TESTS_ORACLE_BODY_LAW_H
#define TESTS_ORACLE_BODY_LAW_H

#include <tact/contact.h>

/// The worst of max(-u_n, -w p_n, min(|u_n|, w |p_n|), w |p_t - P(p_t - u_t / w)|) / s as in
/// contact_law.h, from masses, points and impulses alone. s is |v_free| + |omega_free| |r| of the
/// bodies of a contact, and what the magnitudes of all impulses on them do there. No joint rows,
/// level of velocities. Infinity for NaN, or without memory.                  impulse: (3 contacts)
double tact_oracle_body_law(const TactContactProblem *problem, const double *impulse);

#endif
