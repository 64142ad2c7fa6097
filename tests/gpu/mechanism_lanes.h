// The GPU's kernel of mechanisms on a processor, lane by lane.
#ifndef TACT_TESTS_GPU_MECHANISM_LANES_H
#define TACT_TESTS_GPU_MECHANISM_LANES_H

#include "gpu/mechanism/mechanism.h"

/// Solves all problems with the directions and covering vector of an attempt; what fails has pivots
/// below 0. warm: from answers->basis, and where that does not hold from the beginning; 2: the
/// kernel itself does so, as in steps.
typedef void MechanismLanesSolve(const TactMechanismProblems *problems, int directions, int attempt,
                                 int warm, const TactBodyAnswers *answers);

// As the kernels of mechanism_8.cu, mechanism_16.cu, mechanism_64.cu.
MechanismLanesSolve mechanism_lanes_solve_8, mechanism_lanes_solve_16_small,
    mechanism_lanes_solve_16, mechanism_lanes_solve_64;

// As those of mechanism_rows_24.cu, mechanism_rows_48.cu, mechanism_rows_64.cu.
MechanismLanesSolve mechanism_lanes_solve_rows_24, mechanism_lanes_solve_rows_48,
    mechanism_lanes_solve_rows_64;

/// The same with motors and loops, or for the circle.
typedef void MechanismLanesSolveMore(const TactMechanismProblems *problems,
                                     const TactMechanismMore *more, int directions, int attempt,
                                     int warm, const TactBodyAnswers *answers);

// As the kernels of mechanism_more_32.cu and mechanism_more_64.cu.
MechanismLanesSolveMore mechanism_lanes_solve_more_32, mechanism_lanes_solve_more_64;

// As those of mechanism_circle_8.cu and mechanism_circle_48.cu.
MechanismLanesSolveMore mechanism_lanes_solve_circle_8, mechanism_lanes_solve_circle_48;

double mechanism_lanes_certify_more(const TactMechanismProblems *problems,
                                    const TactMechanismMore *more, int directions,
                                    const TactBodyAnswers *answers, int problem);

/// Problem i alone, of those with three rows a contact, with its answer.
void mechanism_lanes_pick(const TactMechanismProblems *all, const TactBodyAnswers *from, int i,
                          TactMechanismProblems *problems, TactBodyAnswers *answers);

/// `error` by the kernel's own certificate. directions 0: the circle.
double mechanism_lanes_certify(const TactMechanismProblems *problems, int directions,
                               const TactBodyAnswers *answers, int problem);

#endif
