// The equations of a contact problem in exact rationals, from masses, points, frames and matrices
// as they are given in doubles. No sum is rounded: arms are exact differences, torques exact
// products.
//
// The variables of the forms, in this order:
//
//     v+ (dof)    p_n p_1 p_2 of every contact (3 contacts)    impulses of rows (rows)
#ifndef TACT_PROVE_LAW_LAWS_H
#define TACT_PROVE_LAW_LAWS_H

#ifdef TACT_HAVE_GMP

#include <tact/contact.h>

#include "prove/rational/rational.h"

typedef struct TactLaws {
    const TactContactProblem *problem;
    int                       dof, contacts, rows;
    TactExactSet              J; // rows of J over v+; empty with W       (3 contacts + rows)
    TactExactSet              u; // u of contacts, bias, restitution, compliance and surfaces
                                 //   included; J v+ - target of rows     (3 contacts + rows)
    TactExactSet dynamics;       // M v+ - (M v + h f), without impulses  (dof)
} TactLaws;

TactStatus tact_laws_create(const TactContactProblem *problem, TactLaws *laws);
void       tact_laws_destroy(TactLaws *laws);

/// h, or 1 on the level of accelerations.
double tact_laws_step(const TactContactProblem *problem);

/// Variable of a contact's impulse, or of a row's.
static inline int tact_laws_impulse(const TactLaws *laws, int contact, int component)
{
    return laws->dof + 3 * contact + component;
}

static inline int tact_laws_row(const TactLaws *laws, int row)
{
    return laws->dof + 3 * laws->contacts + row;
}

#endif
#endif
