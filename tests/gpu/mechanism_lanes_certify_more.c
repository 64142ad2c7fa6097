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

void mechanism_lanes_pick(const TactMechanismProblems *all, const TactBodyAnswers *from, int i,
                          TactMechanismProblems *problems, TactBodyAnswers *answers)
{
    TactMechanismOne one = tact_mechanism_one(all, i);
    size_t           at = (size_t)i, n = (size_t)all->contacts;
    *problems = *all;
    problems->count = 1;
    problems->M = one.M;
    problems->velocity = one.velocity;
    problems->force = one.force;
    problems->J = one.J;
    problems->mu = one.mu;
    problems->bias = one.bias;
    problems->active = all->active ? all->active + i : NULL;
    answers->impulse = from->impulse + at * (size_t)tact_mechanism_room_rows(all);
    answers->velocity = from->velocity + at * (size_t)all->dof;
    answers->error = from->error + i;
    answers->pivots = from->pivots + i;
    answers->basis = from->basis + at * n;
}
