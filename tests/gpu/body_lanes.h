// The lane code of one body on a processor: one group of eight lanes after the other.
#ifndef TESTS_GPU_BODY_LANES_H
#define TESTS_GPU_BODY_LANES_H

#include "gpu/body/body.h"

/// Solves all problems (attempt: which covering vector; warm: from answers->basis), up to 8, 16 or
/// 32 contacts.
void body_lanes_solve(const TactBodyProblems *problems, int directions, int attempt, int warm,
                      const TactBodyAnswers *answers);

/// The same on the circular cone.
void body_lanes_solve_circle(const TactBodyProblems *problems, int directions, int attempt,
                             int warm, const TactBodyAnswers *answers);

/// `error` of an answer by the GPU's own certificate, for the pyramid or (directions 0) the circle.
double body_lanes_certify(const TactBodyProblems *problems, int directions,
                          const TactBodyAnswers *answers, int problem);

#endif
