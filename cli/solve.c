// tact solve FILE...: problem files in, certified answers out.
#include "solve.h"

#include <stdlib.h>
#include <string.h>

#include "cli.h"

// ---------------------------------------------------------------------------------------------
// Files to problems

static bool is_mtx(const char *path)
{
    size_t length = strlen(path);
    return length > 4 && strcmp(path + length - 4, ".mtx") == 0;
}

/// A run of two or four .mtx files is one problem, any other file is one. Returns how many, or -1.
static int group(const TactSolveOptions *options, TactSolveProblem *problems)
{
    int count = 0;
    int i = 0;
    while (i < options->path_count) {
        int run = 0;
        while (i + run < options->path_count && is_mtx(options->paths[i + run])) {
            run++;
        }
        if (run != 0 && run != 2 && run != 4) {
            tact_cli_bad(
                "%s: Matrix Market files come as M.mtx q.mtx or M.mtx q.mtx lo.mtx hi.mtx, "
                "and here are %d in a row",
                options->paths[i], run);
            return -1;
        }
        TactSolveProblem *problem = &problems[count++];
        problem->path_count = run > 0 ? run : 1;
        for (int k = 0; k < problem->path_count; k++) {
            problem->paths[k] = options->paths[i++];
        }
    }
    return count;
}

// ---------------------------------------------------------------------------------------------
// All problems

static int write_solution(const TactSolveOptions *options, const TactSolveProblem *problem)
{
    const TactSolveResult *best = tact_solve_best(problem);
    if (!best) {
        tact_cli_bad("%s is not written: there is no solution", options->output);
        return TACT_EXIT_UNSOLVED;
    }
    if (tact_mtx_write(options->output, problem->file->problem.n, 1, best->z) != TACT_OK) {
        return tact_cli_bad("%s", tact_status_message());
    }
    return TACT_EXIT_DONE;
}

static int run_all(const TactSolveOptions *options, TactSolveProblem *problems, int count)
{
    int status = TACT_EXIT_DONE;
    for (int i = 0; i < count; i++) {
        int here = TACT_EXIT_DONE;
        tact_solve_run(options, &problems[i]);
        if (problems[i].status != TACT_OK) {
            here = tact_cli_bad("%s", problems[i].error);
        } else if (options->output) {
            here = write_solution(options, &problems[i]);
        } else if (!tact_solve_best(&problems[i])) {
            here = TACT_EXIT_UNSOLVED;
        }
        status = here > status ? here : status;
    }
    return status;
}

int tact_cli_solve(int argc, char **argv)
{
    TactSolveOptions options;
    if (!tact_solve_parse(argc, argv, &options)) {
        return TACT_EXIT_BAD;
    }
    if (options.help) {
        tact_solve_help();
        return TACT_EXIT_DONE;
    }
    if (options.path_count == 0) {
        tact_solve_introduce();
        return TACT_EXIT_BAD;
    }
    TactSolveProblem *problems = calloc((size_t)options.path_count, sizeof *problems);
    if (!problems) {
        return tact_cli_bad("no memory");
    }
    int status = TACT_EXIT_BAD;
    int count = group(&options, problems);
    if (count > 1 && (options.output || options.write_mtx)) {
        tact_cli_bad("--output and --write-mtx are for one problem, and here are %d", count);
    } else if (count > 0) {
        status = run_all(&options, problems, count);
        if (!options.json) {
            tact_solve_print(problems, count);
        } else if (!tact_solve_print_json(problems, count)) {
            status = tact_cli_bad("no memory for the JSON object");
        }
    }
    for (int i = 0; i < count; i++) {
        tact_solve_problem_destroy(&problems[i]);
    }
    free(problems);
    return status;
}
