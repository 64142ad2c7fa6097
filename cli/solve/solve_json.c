// What `tact solve --json` prints.
#include <math.h>

#include "cli/cli.h"
#include "cli/solve/solve.h"
#include "cli/solve/solve_json.h"

static json_t *describe_report(const TactSolveResult *result, int n)
{
    const TactLcpReport      *report = &result->report;
    const TactLcpCertificate *certificate = &report->certificate;
    int nodes = result->method == TACT_LCP_METHOD_SEARCH ? report->iterations : 0;

    json_t *object = tact_json_pack(
        "{s:s, s:s, s:s, s:s, s:o, s:o, s:o, s:o, s:o, s:o}", "method", result->name, "status",
        "ok", "outcome", tact_solve_outcome(result, tact_lcp_outcome_name(report->outcome)),
        "ended", tact_lcp_outcome_name(report->ended), "residual",
        tact_json_value_real(certificate->residual), "error",
        tact_json_value_real(certificate->error), "scale", tact_json_value_real(certificate->scale),
        "relative_residual", tact_json_value_real(certificate->residual / certificate->scale),
        "relative_error", tact_json_value_real(certificate->relative), "tolerance",
        tact_json_value_real(result->tol));
    json_t *counts = tact_json_pack(
        "{s:i, s:i, s:i, s:i, s:i, s:s, s:o, s:i, s:o}", "pivots", report->pivots, "iterations",
        report->iterations, "nodes", nodes, "refactors", report->refactors, "index", report->index,
        "storage", result->storage == TACT_LCP_STORAGE_SPARSE ? "sparse" : "dense", "time_us",
        tact_json_value_real(result->time * 1e6), "solves", result->solves, "z",
        tact_json_value_vector(result->z, n));
    tact_json_merge(object, counts);
    tact_json_set(object, "work", tact_json_value_real(report->work));
    tact_json_set(object, "reproducible", json_boolean(report->reproducible));
    return object;
}

static json_t *describe_refusal(const TactSolveResult *result)
{
    return tact_json_pack("{s:s, s:s, s:s, s:o}", "method", result->name, "status",
                          tact_status_name(result->status), "outcome",
                          result->status == TACT_UNSUPPORTED ? "refused" : "failed", "reason",
                          tact_json_value_text(result->reason));
}

static void describe_lcp(const TactSolveProblem *problem, json_t *object)
{
    const TactLcpFile *file = problem->file;
    bool               mixed = file->kind == TACT_LCP_KIND_MLCP;
    tact_json_set(object, "kind", json_string(mixed ? "mlcp" : "lcp"));
    tact_json_set(object, "n", json_integer(file->problem.n));
    tact_json_set(object, "format", json_string(file->format));
    tact_json_set(object, "nonzeros", json_integer((json_int_t)file->nonzeros));
    if (file->order) {
        json_t *order = json_array();
        for (int i = 0; i < file->problem.n; i++) {
            tact_json_append(order, json_integer(file->order[i]));
        }
        tact_json_set(object, "order", order);
    }
}

static json_t *describe_result(const TactSolveProblem *problem, const TactSolveResult *result)
{
    if (result->status != TACT_OK) {
        return describe_refusal(result);
    }
    json_t *object = problem->contact ? tact_solve_describe_answer(problem, result)
                                      : describe_report(result, problem->file->problem.n);
    if (object && (result->proof || result->no_proof[0] != '\0')) {
        tact_json_set(object, "proof", tact_solve_describe_proof(problem, result));
    }
    return object;
}

static json_t *describe_problem(const TactSolveProblem *problem)
{
    json_t *warnings = json_array();
    for (int i = 0; i < problem->warning_count; i++) {
        tact_json_append(warnings, tact_json_value_text(problem->warnings[i]));
    }
    json_t *object = tact_json_pack("{s:o}", "file", tact_json_value_text(problem->paths[0]));
    if (problem->status != TACT_OK) {
        tact_json_set(object, "error", tact_json_value_text(problem->error));
        tact_json_set(object, "warnings", warnings);
        return object;
    }
    if (problem->contact) {
        tact_solve_describe_contact(problem, object);
    } else {
        describe_lcp(problem, object);
    }
    tact_json_set(object, "method_chosen", json_boolean(problem->chosen));
    tact_json_set(object, "warnings", warnings);
    json_t *results = json_array();
    for (int i = 0; i < problem->result_count; i++) {
        tact_json_append(results, describe_result(problem, &problem->results[i]));
    }
    tact_json_set(object, "results", results);
    return object;
}

int tact_solve_print_json(const TactSolveProblem *problems, int count)
{
    json_t *object;
    if (count == 1) {
        object = describe_problem(&problems[0]);
    } else {
        json_t *files = json_array();
        for (int i = 0; i < count; i++) {
            tact_json_append(files, describe_problem(&problems[i]));
        }
        object = tact_json_pack("{s:o}", "files", files);
    }
    const char *why = tact_json_print(object, JSON_REAL_PRECISION(17));
    return why ? tact_cli_bad("%s", why) : 0;
}
