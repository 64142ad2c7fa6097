#define TACT_CIRCLE 0
#define BODY_LANES_SOLVE body_lanes_solve
#include "tests/gpu/body_lanes_run.h"

double body_lanes_certify(const TactBodyProblems *problems, int directions,
                          const TactBodyAnswers *answers, int problem)
{
    TactCertifyPyramid pyramid = tact_body_pyramid(directions);
    return tact_body_certify(problems, answers, problem, directions > 0 ? &pyramid : NULL);
}
