#define TACT_LANES_ONE
#define TACT_POINTS 16
#define TACT_DOFS 64
#include "gpu/body/body_directions.h"
#include "gpu/mechanism/mechanism_certificate.h"
#include "tests/gpu/mechanism_lanes.h"

typedef struct Judging {
    const TactMechanismProblems *problems;
    const TactBodyAnswers       *answers;
    TactCertifyPyramid           pyramid;
    TactMechanismJudge           judge;
    int                          problem, circle;
    double                       error;
} Judging;

static void judge(void *argument)
{
    Judging *own = argument;
    own->error = tact_mechanism_certify(own->problems, NULL, own->answers, own->problem,
                                        own->circle ? NULL : &own->pyramid, &own->judge);
}

double mechanism_lanes_certify(const TactMechanismProblems *problems, int directions,
                               const TactBodyAnswers *answers, int problem)
{
    Judging own = {.problems = problems,
                   .answers = answers,
                   .pyramid = tact_body_pyramid(directions),
                   .problem = problem,
                   .circle = directions == 0};
    tact_warp_run(judge, &own);
    return own.error;
}
