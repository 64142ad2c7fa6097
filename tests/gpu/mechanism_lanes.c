#define TACT_LANES_ONE
#define TACT_POINTS 16
#define TACT_DOFS 64
#define TACT_BASIS 64
#include "tests/gpu/mechanism_lanes.h"

#include <stdlib.h>

#include "gpu/body_directions.h"
#include "gpu/mechanism_certificate.h"
#include "gpu/mechanism_path.h"

typedef struct Run {
    TactMechanismTask task;
    TactMechanismRoom room;
    int               counter;
} Run;

static void follow(void *argument)
{
    Run *run = argument;
    tact_mechanism_run(&run->task, &run->room, &run->counter);
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

double mechanism_lanes_certify(const TactMechanismProblems *problems, int directions,
                               const TactBodyAnswers *answers, int problem)
{
    TactCertifyPyramid pyramid = tact_body_pyramid(directions);
    return tact_mechanism_certify(problems, answers, problem, directions > 0 ? &pyramid : NULL);
}
