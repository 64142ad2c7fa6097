// The lane code on a processor, for the size that TACT_POINTS, TACT_DOFS and TACT_BASIS say; the
// name of the function is MECHANISM_LANES_SOLVE. Included once for each kernel of the GPU.
#define TACT_LANES_ONE
#include "tests/gpu/mechanism_lanes.h"

#include <stdlib.h>

#include "gpu/body/body_directions.h"
#include "gpu/mechanism/mechanism_certificate.h"
#include "gpu/mechanism/mechanism_path.h"

typedef struct Run {
    TactMechanismTask task;
    TactMechanismRoom room;
    double            factor[TACT_FACTOR];
    int               counter;
} Run;

static void follow(void *argument)
{
    Run *run = argument;
    int  may_resume = !TACT_MORE && run->task.warm == TACT_WARM_RESUME;
    tact_mechanism_run(&run->task, may_resume, &run->room, run->factor, &run->counter);
}

#if TACT_EXTRA > 0
#define MECHANISM_LANES_MORE const TactMechanismMore *more,
#else
#define MECHANISM_LANES_MORE
#endif

void MECHANISM_LANES_SOLVE(const TactMechanismProblems *problems,
                           MECHANISM_LANES_MORE int directions, int attempt, int warm,
                           const TactBodyAnswers *answers)
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
#if TACT_EXTRA > 0
    run->task.more = *more;
#endif
    tact_body_put_directions(directions, &run->task.directions);
    tact_mechanism_set_rules(&run->task, attempt);
    tact_warp_run(follow, run);
    for (int i = 0; i < problems->count && warm == 1; i++) {
#if TACT_EXTRA > 0
        double error = mechanism_lanes_certify_more(problems, more, directions, answers, i);
#else
        double error = mechanism_lanes_certify(problems, directions, answers, i);
#endif
        if (answers->pivots[i] < 0 || !(error <= 1e-8)) { // its basis does not hold any more
            list[count++] = i;
        }
    }
    if (count > 0) {
        run->counter = 0;
        run->task.warm = TACT_WARM_RESUME;
        run->task.list = list;
        run->task.list_count = &count;
        tact_warp_run(follow, run);
    }
    free(list);
    free(run);
}
