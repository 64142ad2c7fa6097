// tact solve FILE...: problem files in, certified answers out.
#include "cli/solve/solve.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/cli.h"
#include "cli/signals.h"

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

/// fn, ft1, ft2 of every contact.
static TactStatus write_forces(const TactSolveOptions *options, const TactSolveProblem *problem,
                               const TactSolveResult *best)
{
    int     count = problem->contact->problem.contact_count;
    double *forces = calloc(3 * (size_t)count + 1, sizeof *forces);
    if (!forces) {
        return TACT_NO_MEMORY;
    }
    for (int i = 0; i < 3 * count; i++) {
        forces[i] = best->contact.answer.impulse[i] / tact_solve_step(problem);
    }
    TactStatus status = tact_mtx_write(options->output, count, 3, forces);
    free(forces);
    return status;
}

static int write_solution(const TactSolveOptions *options, const TactSolveProblem *problem)
{
    const TactSolveResult *best = tact_solve_best(problem);
    if (!best) {
        tact_cli_bad("%s is not written: there is no solution", options->output);
        return TACT_EXIT_UNSOLVED;
    }
    TactStatus status = problem->contact
                            ? write_forces(options, problem, best)
                            : tact_mtx_write(options->output, problem->file->problem.n, 1, best->z);
    return status == TACT_OK ? TACT_EXIT_DONE : tact_cli_bad("%s", tact_status_message());
}

static int run_one(const TactSolveOptions *options, TactSolveProblem *problem)
{
    tact_solve_run(options, problem);
    if (problem->status != TACT_OK) {
        return tact_cli_bad("%s", problem->error);
    }
    if (!options->json) {
        tact_solve_print(problem);
    }
    if (options->output) {
        return write_solution(options, problem);
    }
    for (int i = 0; i < problem->result_count; i++) {
        if (problem->results[i].status == TACT_NO_MEMORY) {
            return tact_cli_bad("%s: %s: %s", problem->paths[0], problem->results[i].name,
                                problem->results[i].reason);
        }
    }
    return tact_solve_best(problem) ? TACT_EXIT_DONE : TACT_EXIT_UNSOLVED;
}

static int run_all(const TactSolveOptions *options, TactSolveProblem *problems, int count)
{
    int status = TACT_EXIT_DONE;
    tact_cli_catch_signals();
    for (int i = 0; i < count && !tact_cli_signal(); i++) {
        tact_solve_progress_problem(i, count);
        int here = run_one(options, &problems[i]);
        status = here > status ? here : status;
        if (tact_cli_signal()) {
            tact_solve_tell_signal(&problems[i]);
        }
        if (!options->json && count > 1 && problems[i].status == TACT_OK) {
            putchar('\n');
            fflush(stdout); // before the warnings of the next problem
        }
    }
    if (!options->json && count > 1) {
        tact_solve_print_sum(problems, count);
    }
    if (options->json && tact_solve_print_json(problems, count) != 0) {
        return TACT_EXIT_BAD;
    }
    return tact_cli_signal() ? 128 + tact_cli_signal() : status;
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
    if (count > 1 && (options.output || options.write_mtx || options.save || options.certify)) {
        tact_cli_bad(
            "--output, --save, --certify and --write-mtx are for one problem, and here are %d",
            count);
    } else if (count > 0) {
        status = run_all(&options, problems, count);
    }
    for (int i = 0; i < count; i++) {
        tact_solve_problem_destroy(&problems[i]);
    }
    free(problems);
    return status;
}
