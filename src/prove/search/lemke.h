// Lemke's method in 320 bits: which contacts are loaded, and how, where rounding of the data
// decides.
#ifndef TACT_PROVE_SEARCH_LEMKE_H
#define TACT_PROVE_SEARCH_LEMKE_H

#ifdef TACT_HAVE_GMP

#include "prove/law/law.h"

typedef struct TactSearch {
    const TactLaws    *laws;
    const TactPatches *patches; // of which the laws are the expanded problem; NULL: none
    TactContactCone    cone;
    const bool        *near;   // contacts that may be loaded                            (contacts)
    TactState         *states; // in: those of rows, which stay; out: those of contacts
                               //                          (contacts + rows, of a path and discs)
    double *impulse;           // out                                                  (3 contacts)
    double *row_impulse;       // out, of a path                                       (rows)
    double *rest;              // out, of a path: what both were rounded by, three doubles each
                               //                                       (3 (3 contacts + rows))
    int *theta;           // out: first unknown of a contact (theta, its phi, lambda); -1: it cannot
                          //   be loaded                                            (contacts)
    unsigned char *basis; // out: 1 where an unknown is basic             (tact_search_size())
    double         limit; // s; 0: none
} TactSearch;

/// Most unknowns of a problem's LCP.
int tact_search_size(const TactContactProblem *problem, TactContactCone cone);

/// *found: false if it ends on a ray, or is out of time or size. What it finds is a guess: the
/// exact solution of these states proves or refutes it. No patches.
TactStatus tact_search_states(const TactSearch *search, bool *found);

/// The same by a path from the answer to an exact solution: prove/search/path.h. States of rows may
/// change too.
TactStatus tact_search_path(const TactSearch *search, const TactContactAnswer *answer, bool *found);

#endif
#endif
