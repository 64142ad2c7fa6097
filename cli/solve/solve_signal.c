// What is said after Ctrl-C while problems are solved.
#include <math.h>
#include <stdio.h>

#include "cli/cli.h"
#include "cli/solve/solve.h"

/// The error of a result that is not solved; infinity: there is no answer.
static double result_error(const TactSolveProblem *problem, const TactSolveResult *result)
{
    return result->status != TACT_OK ? INFINITY
           : problem->contact        ? result->contact.report.certificate.error
                                     : result->report.certificate.error;
}

void tact_solve_tell_signal(const TactSolveProblem *problem)
{
    double error = INFINITY;
    for (int i = 0; i < problem->result_count; i++) {
        error = fmin(error, result_error(problem, &problem->results[i]));
    }
    if (tact_solve_best(problem)) {
        fprintf(stderr, "tact: interrupted: %s is solved, what comes after it is not\n",
                problem->paths[0]);
    } else if (error < INFINITY) {
        fprintf(stderr,
                "tact: interrupted: the best answer to %s has an error of %.1e, and is not "
                "certified\n",
                problem->paths[0], error);
    } else {
        fprintf(stderr, "tact: interrupted: there is no answer to %s yet\n", problem->paths[0]);
    }
}
