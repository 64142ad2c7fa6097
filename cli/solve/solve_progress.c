// How far `tact solve` is: problems, methods, proofs.
#include "cli/cli.h"
#include "cli/progress/progress.h"
#include "cli/solve/solve.h"

static int problems = 1, place; // how many there are, and which one is solved

void tact_solve_progress_problem(int index, int count)
{
    place = index;
    problems = count;
}

/// Methods that are tried on a problem; 1 where the first that takes it is kept.
static int count_methods(const TactSolveOptions *options, const TactSolveProblem *problem)
{
    int count = 0;
    if (!options->method) {
        return 1;
    }
    for (int i = 0; problem->contact && i < TACT_METHOD_COUNT; i++) {
        count += options->all || options->wanted_contact[i];
    }
    for (int i = 0; problem->file && i < TACT_LCP_METHOD_COUNT; i++) {
        count += options->all || options->wanted[i];
    }
    return count > 0 ? count : 1;
}

void tact_solve_progress(const TactSolveOptions *options, const TactSolveProblem *problem,
                         const char *method)
{
    const char *file = tact_cli_base_name(problem->paths[0]);
    int         methods = count_methods(options, problem);
    if (methods * problems > 1) {
        double done = methods > 1 ? (double)(problem->result_count - 1) / methods : 0;
        tact_progress_tell((place + done) / problems, "%s by %s", file, method);
    } else if (options->max_time > 0) {
        tact_progress_stage("%s by %s, at most %g s", file, method, options->max_time);
    } else {
        tact_progress_stage("%s by %s", file, method);
    }
}

void tact_solve_progress_proof(const TactSolveProblem *problem, const TactSolveResult *result,
                               double limit)
{
    tact_progress_stage("proving %s by %s, at most about %g s",
                        tact_cli_base_name(problem->paths[0]), result->name, limit);
}
