#define TACT_LANES_ONE
#define TACT_POINTS 32
#define TACT_ROWS 96
#define TACT_DOFS 64
#define TACT_EXTRA 48
#include "gpu/body/body_directions.h"
#include "gpu/mechanism/mechanism_certificate.h"
#include "tests/gpu/mechanism_lanes.h"

typedef struct Judging {
    const TactMechanismProblems *problems;
    const TactMechanismMore     *more;
    const TactBodyAnswers       *answers;
    TactCertifyPyramid           pyramid;
    TactMechanismJudge           judge;
    int                          problem;
    double                       error;
} Judging;

static void judge(void *argument)
{
    Judging *own = argument;
    own->error = tact_mechanism_certify(own->problems, own->more, own->answers, own->problem,
                                        own->more->circle ? NULL : &own->pyramid, &own->judge);
}

double mechanism_lanes_certify_more(const TactMechanismProblems *problems,
                                    const TactMechanismMore *more, int directions,
                                    const TactBodyAnswers *answers, int problem)
{
    Judging own = {.problems = problems,
                   .more = more,
                   .answers = answers,
                   .pyramid = tact_body_pyramid(directions),
                   .problem = problem};
    tact_warp_run(judge, &own);
    return own.error;
}
