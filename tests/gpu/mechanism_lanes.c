#define TACT_LANES_ONE
#define TACT_POINTS 16
#ifndef TACT_DOFS
#define TACT_DOFS 64
#define TACT_BASIS 64
#endif
#include "tests/gpu/mechanism_lanes.h"

#include <stdlib.h>

#include "gpu/body_directions.h"
#include "gpu/mechanism_certificate.h"
#include "gpu/mechanism_path.h"

typedef struct Run {
    TactMechanismTask task;
    TactMechanismRoom room;
    double            factor[TACT_FACTOR];
    int               counter;
} Run;

static void follow(void *argument)
{
    Run *run = argument;
    tact_mechanism_run(&run->task, &run->room, run->factor, &run->counter);
}

void mechanism_lanes_solve(const TactMechanismProblems *problems, int directions, int attempt,
                           int warm, const TactBodyAnswers *answers)
{
    int *list = calloc((size_t)problems->count, sizeof *list), count = 0;
    Run *run = calloc(1, sizeof *run);
    if (!list || !run) {
        abort();
    }
    run->task.problems = *problems;
    run->task.answers = *answers;
    run->task.list_count = &problems->count;
    run->task.warm = warm;
    tact_mechanism_set_rules(&run->task, attempt);
    tact_body_put_directions(directions, &run->task.directions);
    tact_warp_run(follow, run);
    for (int i = 0; i < problems->count && warm; i++) {
        double error = mechanism_lanes_certify(problems, directions, answers, i);
        if (answers->pivots[i] < 0 || !(error <= 1e-8)) { // its basis does not hold any more
            list[count++] = i;
        }
    }
    if (count > 0) {
        run->task.warm = run->counter = 0;
        run->task.list = list;
        run->task.list_count = &count;
        tact_warp_run(follow, run);
    }
    free(list);
    free(run);
}

typedef struct Judging {
    const TactMechanismProblems *problems;
    const TactBodyAnswers       *answers;
    TactCertifyPyramid           pyramid;
    TactMechanismJudge           judge;
    double                       raw[TACT_DOFS * (TACT_DOFS + 1) / 2 + TACT_ROWS * TACT_DOFS];
    int                          problem, circle;
    double                       error;
} Judging;

static void judge(void *argument)
{
    Judging *own = argument;
    own->error = tact_mechanism_certify(own->problems, own->answers, own->problem,
                                        own->circle ? NULL : &own->pyramid, &own->judge, own->raw);
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
