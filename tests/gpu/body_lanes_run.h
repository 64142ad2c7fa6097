// The lane code on a processor, for the cone that TACT_CIRCLE says; the name of the function is
// BODY_LANES_SOLVE. Included once for each.
#define TACT_LANES_ONE
#define TACT_SLOTS 4
#include "tests/gpu/body_lanes.h"

#include <stdlib.h>

#include "gpu/body/body_certificate.h"
#include "gpu/body/body_directions.h"
#include "gpu/body/body_path.h"

typedef struct Run {
    TactBodyTask task;
    TactBodyRoom room;
    int          counter;
} Run;

static void follow(void *argument)
{
    Run *run = argument;
    tact_body_run(&run->task, &run->room, run->task.warm == TACT_WARM_GIVEN,
                  run->task.warm == TACT_WARM_RESUME, &run->counter);
}

void BODY_LANES_SOLVE(const TactBodyProblems *problems, int directions, int attempt, int warm,
                      const TactBodyAnswers *answers)
{
    int *list = calloc((size_t)problems->count, sizeof *list), count = 0;
    Run  run = {.task = {.problems = *problems,
                         .answers = *answers,
                         .list_count = &problems->count,
                         .warm = warm ? TACT_WARM_GIVEN : 0}};
    tact_body_set_rules(&run.task, attempt, TACT_CIRCLE);
    tact_body_put_directions(directions, &run.task.directions);
    tact_lanes_run(follow, &run);
    for (int i = 0; i < problems->count && warm && list; i++) {
        if (answers->pivots[i] < 0) { // its basis does not hold any more
            list[count++] = i;
        }
    }
    if (count > 0) {
        run.counter = 0;
        run.task.warm = TACT_WARM_RESUME;
        run.task.list = list;
        run.task.list_count = &count;
        tact_lanes_run(follow, &run);
    }
    free(list);
}
