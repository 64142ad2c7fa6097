// A contact problem of free bodies as matrices, for solvers that know no bodies: the Delassus form
// and the LCP [Lloyd04, eq. 8], from the public interface alone.
#ifndef TACT_BENCH_PROBLEMS_CONTACT_LCP_H
#define TACT_BENCH_PROBLEMS_CONTACT_LCP_H

#include <tact/contact.h>

#include "bench/problems/families.h"

/// u = W p + b, order n 1 2 a contact; bias, surface velocity and restitution
/// in b. Bodies without rows.
///   W  (3 contacts x 3 contacts)    b  (3 contacts)
TactStatus tact_case_delassus(const TactContactProblem *problem, double *W, double *b);

/// theta, phi, lambda with the directions of the contacts; free with
/// tact_family_problem_destroy().                              (n = sum over contacts of d + 2)
TactStatus tact_case_lcp(const TactContactProblem *problem, TactFamilyProblem *out);

/// Normals only.                                               (n = contacts)
TactStatus tact_case_frictionless(const TactContactProblem *problem, TactFamilyProblem *out);

#endif
