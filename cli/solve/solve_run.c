// Reading one problem and running the methods on it.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/cli.h"
#include "cli/progress/progress.h"
#include "cli/signals.h"
#include "cli/solve/solve.h"

// ---------------------------------------------------------------------------------------------
// Reading

/// The library's warnings, kept with the problem and shown at once.
static void listen(void *context, TactLogLevel level, const char *text)
{
    TactSolveProblem *problem = context;
    if (level < TACT_LOG_LEVEL_WARNING) { // what a large problem takes
        fprintf(stderr, "tact: %s: %s\n", tact_cli_base_name(problem->paths[0]), text);
        return;
    }
    fprintf(stderr, "tact: warning: %s\n", text);
    size_t room = ((size_t)problem->warning_count + 1) * sizeof *problem->warnings;
    char **larger = realloc(problem->warnings, room);
    char  *copy = larger ? strdup(text) : NULL;
    problem->warnings = larger ? larger : problem->warnings;
    if (copy) {
        problem->warnings[problem->warning_count++] = copy;
    } else {
        problem->warning_lost = true;
    }
}

static TactStatus read_problem(TactSolveProblem *problem)
{
    char **path = problem->paths;
    if (problem->path_count == 1) {
        const char *name = strcmp(path[0], "-") == 0 ? "/dev/stdin" : path[0];
        return tact_problem_read(name, &problem->file, &problem->contact);
    }
    return tact_lcp_read_mtx(path[0], path[1], path[2], path[3], &problem->file);
}

// ---------------------------------------------------------------------------------------------
// Running

static TactLcpConfig configure(const TactSolveOptions *options, TactLcpMethod method,
                               TactLcpStorage storage)
{
    TactLcpConfig config = tact_lcp_config_default(method);
    config.storage = storage;
    config.residual_tol = options->tol >= 0 ? options->tol : config.residual_tol;
    config.lex_tol = options->lex_tol >= 0 ? options->lex_tol : config.lex_tol;
    config.max_pivots = options->max_pivots > 0 ? options->max_pivots : config.max_pivots;
    config.search_nodes = options->max_nodes > 0 ? options->max_nodes : config.search_nodes;
    config.max_work = options->max_work;
    config.max_time = options->max_time;
    config.max_iterations =
        options->max_iterations > 0 ? options->max_iterations : config.max_iterations;
    return config;
}

static TactLcpStorage choose_storage(const TactSolveOptions *options, const TactLcpFile *file,
                                     TactLcpMethod method)
{
    bool can = tact_lcp_method_info(method)->takes & TACT_LCP_TAKES_SPARSE;
    bool sparse = options->storage == TACT_SOLVE_SPARSE ||
                  (options->storage == TACT_SOLVE_AUTO && can &&
                   (tact_lcp_file_is_sparse(file) || file->problem.n > TACT_IO_MAX_DENSE));
    return sparse ? TACT_LCP_STORAGE_SPARSE : TACT_LCP_STORAGE_DENSE;
}

bool tact_solve_again(const TactSolveOptions *options, int solves, double total)
{
    return tact_cli_signal()     ? false
           : options->repeat > 0 ? solves < options->repeat
                                 : total < 2 && (solves < 5 || total < 0.02);
}

static TactStatus solve_timed(const TactSolveOptions *options, TactLcpSolver *solver,
                              const TactLcpProblem *problem, TactSolveResult *result)
{
    double total = 0;
    result->time = 1e300;
    do {
        double     start = tact_time_now();
        TactStatus status = tact_lcp_solve(solver, problem, result->z, &result->report);
        double     time = tact_time_now() - start;
        if (status != TACT_OK) {
            return status;
        }
        result->solves++;
        total += time;
        result->time = time < result->time ? time : result->time;
    } while (tact_solve_again(options, result->solves, total));
    result->solved = result->report.outcome == TACT_LCP_OUTCOME_SOLVED;
    return TACT_OK;
}

static TactStatus run_method(const TactSolveOptions *options, TactLcpFile *file,
                             TactSolveResult *result)
{
    TactLcpProblem problem;
    TactLcpConfig  config = configure(options, result->method, result->storage);
    TactStatus     status = tact_lcp_file_get_problem(file, result->storage, &problem);
    TactLcpSolver *solver = NULL;
    result->tol = config.residual_tol;
    if (status == TACT_OK) {
        status = tact_lcp_solver_create(problem.n, &config, &solver);
    }
    if (status == TACT_OK) {
        status = solve_timed(options, solver, &problem, result);
    }
    tact_lcp_solver_destroy(solver);
    return status;
}

/// Appends the method's result; true if it did not refuse.
static bool try_method(const TactSolveOptions *options, TactLcpMethod method,
                       TactSolveProblem *problem)
{
    TactSolveResult *result = &problem->results[problem->result_count++];
    size_t           n = (size_t)problem->file->problem.n;
    *result = (TactSolveResult){.name = tact_lcp_method_info(method)->name,
                                .method = method,
                                .storage = choose_storage(options, problem->file, method),
                                .z = calloc(n + 1, sizeof(double))};
    if (!result->z) {
        result->status = TACT_NO_MEMORY;
        snprintf(result->reason, sizeof result->reason, "no memory for z");
        return false;
    }
    tact_solve_progress(options, problem, result->name);
    result->status = run_method(options, problem->file, result);
    if (result->status != TACT_OK) {
        snprintf(result->reason, sizeof result->reason, "%s", tact_status_message());
        free(result->z);
        result->z = NULL;
    }
    return result->status == TACT_OK;
}

/// A small file can ask for much memory: that of a sparse matrix made dense is taken for those only
/// who name the method.
static void refuse_dense(TactSolveProblem *problem, TactLcpMethod method)
{
    const char *name = tact_lcp_method_info(method)->name;
    char        reason[160];
    double      n = problem->file->problem.n;
    snprintf(reason, sizeof reason,
             "its sparse matrix would be made dense, %.1f GB: --method %s runs it", 8e-9 * n * n,
             name);
    tact_solve_refuse(problem, name, reason);
}

/// The method on the blocks of a sparse problem; true if they were small enough.
static bool run_blocks(const TactSolveOptions *options, TactLcpMethod method,
                       TactSolveProblem *problem)
{
    TactSolveResult *result = &problem->results[problem->result_count];
    TactLcpConfig    config = configure(options, method, TACT_LCP_STORAGE_DENSE);
    *result = (TactSolveResult){.name = tact_lcp_method_info(method)->name,
                                .method = method,
                                .storage = TACT_LCP_STORAGE_SPARSE,
                                .tol = config.residual_tol,
                                .z = calloc((size_t)problem->file->problem.n + 1, sizeof(double))};
    problem->result_count++;
    tact_solve_progress(options, problem, result->name);
    problem->result_count--;
    bool done = result->z && tact_solve_in_blocks(&config, problem->file, result, &result->status);
    if (done) {
        problem->result_count++;
    } else {
        free(result->z);
        *result = (TactSolveResult){0};
    }
    return done;
}

/// The first of these methods that takes the problem; only its result is kept.
static void run_chosen(const TactSolveOptions *options, TactSolveProblem *problem)
{
    static const TactLcpMethod usual[] = {TACT_LCP_METHOD_LEMKE_LEX, TACT_LCP_METHOD_DANTZIG,
                                          TACT_LCP_METHOD_PGS_SM, TACT_LCP_METHOD_PGS};
    enum { USUAL = sizeof usual / sizeof usual[0], LARGE = 2000, LARGEST_DENSE = 8000 };

    const TactLcpFile *file = problem->file;
    bool               large = tact_lcp_file_is_sparse(file) && file->problem.n > LARGE;
    problem->chosen = true;
    for (int k = large ? -1 : 0; k < USUAL; k++) {
        TactLcpMethod method = k < 0 ? TACT_LCP_METHOD_PGS_SM : usual[k];
        if (!tact_lcp_method_info(method) ||
            (large && k >= 0 && method == TACT_LCP_METHOD_PGS_SM)) {
            continue;
        }
        bool done = false;
        if (large && file->problem.n > LARGEST_DENSE &&
            choose_storage(options, file, method) == TACT_LCP_STORAGE_DENSE &&
            !(done = run_blocks(options, method, problem))) {
            refuse_dense(problem, method);
            continue;
        }
        done = done || try_method(options, method, problem);
        if (done || problem->results[problem->result_count - 1].status == TACT_NO_MEMORY) {
            problem->results[0] = problem->results[problem->result_count - 1];
            problem->result_count = 1;
            return;
        }
    }
}

void tact_solve_refuse(TactSolveProblem *problem, const char *name, const char *reason)
{
    TactSolveResult *result = &problem->results[problem->result_count++];
    *result = (TactSolveResult){.name = name, .status = TACT_UNSUPPORTED};
    snprintf(result->reason, sizeof result->reason, "%s", reason);
}

static void run_lcp(const TactSolveOptions *options, TactSolveProblem *problem)
{
    if (!options->method) {
        run_chosen(options, problem);
        return;
    }
    for (int i = 0; i < TACT_LCP_METHOD_COUNT; i++) {
        if (tact_lcp_method_info((TactLcpMethod)i) && (options->all || options->wanted[i])) {
            try_method(options, (TactLcpMethod)i, problem);
        }
    }
    for (int i = 0; i < TACT_METHOD_COUNT; i++) {
        if (options->wanted_contact[i]) {
            tact_solve_refuse(problem, tact_contact_method_info((TactContactMethod)i)->name,
                              "a method for contact problems, and this is an LCP");
        }
    }
}

/// What only the other kind of problem has.
static TactStatus write_files(const TactSolveOptions *options, TactSolveProblem *problem)
{
    TactStatus status = TACT_OK;
    if (problem->file && options->write_mtx) {
        status = tact_lcp_write_mtx(&problem->file->problem, options->write_mtx);
    }
    if (problem->file && options->save && status == TACT_OK) {
        status = tact_lcp_write_dat(&problem->file->problem, options->save);
    }
    if (problem->contact && options->save) {
        status = tact_contact_write(&problem->contact->problem, options->save);
    }
    return status;
}

static bool ends_with_dat(const char *path)
{
    size_t length = strlen(path);
    return length > 4 && strcmp(path + length - 4, ".dat") == 0;
}

static const char *misplaced_option(const TactSolveOptions *options,
                                    const TactSolveProblem *problem)
{
    if (options->tol > TACT_LCP_LARGEST_TOL) {
        return "--tol: at most 0.001 may be called solved";
    }
    if (options->certify && options->method) {
        return "--certify judges an answer that is there: --method does not go with it";
    }
    if (problem->contact) {
        return options->write_mtx ? "--write-mtx is for LCPs: a contact problem goes to --save FILE"
               : options->storage != TACT_SOLVE_AUTO ? "--storage is for LCPs"
               : options->lex_tol >= 0               ? "--lex-tol is for LCPs"
               : options->max_nodes > 0              ? "--max-nodes is for LCPs"
                                                     : NULL;
    }
    return options->save && !ends_with_dat(options->save)
               ? "--save: an LCP goes to FILE.dat, or to --write-mtx PREFIX"
           : options->cone >= 0       ? "--cone is for contact problems"
           : options->share > 0       ? "--share is for contact problems"
           : options->range           ? "--range is for contact problems"
           : options->lcp_method >= 0 ? "--lcp-method is for contact problems"
                                      : NULL;
}

void tact_solve_run(const TactSolveOptions *options, TactSolveProblem *problem)
{
    tact_log_set(listen, problem, TACT_LOG_LEVEL_WARNING);
    const char *complaint = NULL;
    tact_progress_stage("reading %s", tact_cli_base_name(problem->paths[0]));
    problem->status = read_problem(problem);
    if (problem->status == TACT_OK) {
        complaint = misplaced_option(options, problem);
        problem->status = complaint ? TACT_BAD_ARGUMENT : write_files(options, problem);
        tact_log_set(listen, problem, TACT_LOG_LEVEL_INFO); // memory that solves will take
    }
    if (complaint) {
        snprintf(problem->error, sizeof problem->error, "%s: %s", problem->paths[0], complaint);
    } else if (problem->status != TACT_OK) {
        snprintf(problem->error, sizeof problem->error, "%s", tact_status_message());
    } else if (options->certify) {
        tact_solve_certify(options, problem);
    } else if (problem->contact) {
        tact_solve_run_contact(options, problem);
    } else {
        run_lcp(options, problem);
    }
    if (options->prove) {
        tact_solve_prove(options, problem);
    }
    if (problem->status == TACT_OK && problem->warning_lost) {
        problem->status = TACT_NO_MEMORY;
        snprintf(problem->error, sizeof problem->error, "%s: no memory for a warning",
                 problem->paths[0]);
    }
    tact_log_set(NULL, NULL, TACT_LOG_LEVEL_WARNING);
}

const TactSolveResult *tact_solve_best(const TactSolveProblem *problem)
{
    for (int i = 0; i < problem->result_count; i++) {
        if (problem->results[i].solved) {
            return &problem->results[i];
        }
    }
    return NULL;
}

void tact_solve_problem_destroy(TactSolveProblem *problem)
{
    for (int i = 0; i < problem->result_count; i++) {
        free(problem->results[i].z);
        free(problem->results[i].contact.answer.impulse);
        free(problem->results[i].contact.diagnosis);
        tact_proof_destroy(problem->results[i].proof);
        free(problem->results[i].contact.range);
    }
    for (int i = 0; i < problem->warning_count; i++) {
        free(problem->warnings[i]);
    }
    free(problem->warnings);
    tact_lcp_file_destroy(problem->file);
    tact_contact_file_destroy(problem->contact);
}
