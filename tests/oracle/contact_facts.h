// What an answer of a contact problem does, from the raw problem and the answer alone: relative
// velocities, what is left of the dynamics, energy gained. In double-double, or exact: every number
// of a problem is a rational, and so are these.
#ifndef TESTS_ORACLE_CONTACT_FACTS_H
#define TESTS_ORACLE_CONTACT_FACTS_H

#include <stdbool.h>
#include <tact/contact.h>

#include "oracle/double_double.h"

enum { FACTS_CONTACTS = 64, FACTS_ROWS = 64, FACTS_DOF = 192 };

typedef struct ContactFacts {
    Dd u[3 * FACTS_CONTACTS]; // J v+, with bias, restitution and compliance in u_n, belts in u_t
    Dd u_row[FACTS_ROWS];     // J v+ - target + zeta error / h
    Dd left[FACTS_DOF];       // M (v+ - v) - h f - J'p
    Dd gain[FACTS_DOF / 6];   // bodies: E(v+) - E(v_free) of each; otherwise gain[0]: of M its
                              //   bound g'v+, of W p'(u_free + u) / 2
    Dd p[3 * FACTS_CONTACTS]; // impulses, with their low part where they have one
} ContactFacts;

/// low: NULL, or what impulses and then row impulses are beyond doubles. Then u is that of the
/// motion that these cause, v + M^-1 (h f + J'p), and velocity is judged by left alone.
typedef struct ContactAnswer {
    const double *impulse, *row_impulse, *velocity, *low;
} ContactAnswer;

/// Is part of the answer beyond doubles?
bool contact_answer_has_low(const TactContactProblem *problem, const ContactAnswer *answer);

/// Level of velocities. False: too large for the arrays, or an answer with a low part.

bool contact_facts(const TactContactProblem *problem, const ContactAnswer *answer,
                   ContactFacts *facts);
/// The same in exact rationals, rounded to double-doubles at the end.
bool contact_facts_exact(const TactContactProblem *problem, const ContactAnswer *answer,
                         ContactFacts *facts);

#endif
