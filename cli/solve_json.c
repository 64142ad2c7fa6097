// What `tact solve --json` prints.
#include <errno.h>
#include <math.h>

#include "cli.h"
#include "solve.h"
#include "solve_json.h"

json_t *tact_solve_json_real(double x)
{
    return isfinite(x) ? json_real(x) : json_null();
}

json_t *tact_solve_json_text(const char *words)
{
    int before = errno; // it tells json_build.c what failed
    errno = 0;
    json_t *string = json_string(words);
    if (string || errno == ENOMEM) {
        errno = string ? before : ENOMEM;
        return string;
    }
    char   plain[600];
    size_t i = 0;
    for (; words[i] && i + 1 < sizeof plain; i++) {
        plain[i] = words[i] & 0x80 ? '?' : words[i];
    }
    plain[i] = '\0';
    return json_string(plain);
}

json_t *tact_solve_json_vector(const double *x, int n)
{
    json_t *array = json_array();
    for (int i = 0; i < n && array; i++) {
        tact_json_append(array, tact_solve_json_real(x[i]));
    }
    return array;
}

static json_t *describe_report(const TactSolveResult *result, int n)
{
    const TactLcpReport      *report = &result->report;
    const TactLcpCertificate *certificate = &report->certificate;
    int nodes = result->method == TACT_LCP_METHOD_SEARCH ? report->iterations : 0;

    json_t *object = tact_json_pack(
        "{s:s, s:s, s:s, s:s, s:o, s:o, s:o, s:o, s:o, s:o}", "method", result->name, "status",
        "ok", "outcome", tact_solve_outcome(result, tact_lcp_outcome_name(report->outcome)),
        "ended", tact_lcp_outcome_name(report->ended), "residual",
        tact_solve_json_real(certificate->residual), "error",
        tact_solve_json_real(certificate->error), "scale", tact_solve_json_real(certificate->scale),
        "relative_residual", tact_solve_json_real(certificate->residual / certificate->scale),
        "relative_error", tact_solve_json_real(certificate->relative), "tolerance",
        tact_solve_json_real(result->tol));
    json_t *counts = tact_json_pack(
        "{s:i, s:i, s:i, s:i, s:i, s:s, s:o, s:i, s:o}", "pivots", report->pivots, "iterations",
        report->iterations, "nodes", nodes, "refactors", report->refactors, "index", report->index,
        "storage", result->storage == TACT_LCP_STORAGE_SPARSE ? "sparse" : "dense", "time_us",
        tact_solve_json_real(result->time * 1e6), "solves", result->solves, "z",
        tact_solve_json_vector(result->z, n));
    tact_json_merge(object, counts);
    tact_json_set(object, "work", tact_solve_json_real(report->work));
    tact_json_set(object, "reproducible", json_boolean(report->reproducible));
    return object;
}

static json_t *describe_refusal(const TactSolveResult *result)
{
    return tact_json_pack("{s:s, s:s, s:s, s:o}", "method", result->name, "status",
                          tact_status_name(result->status), "outcome",
                          result->status == TACT_UNSUPPORTED ? "refused" : "failed", "reason",
                          tact_solve_json_text(result->reason));
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

static json_t *describe(const TactSolveProblem *problem)
{
    json_t *warnings = json_array();
    for (int i = 0; i < problem->warning_count; i++) {
        tact_json_append(warnings, tact_solve_json_text(problem->warnings[i]));
    }
    json_t *object = tact_json_pack("{s:o}", "file", tact_solve_json_text(problem->paths[0]));
    if (problem->status != TACT_OK) {
        tact_json_set(object, "error", tact_solve_json_text(problem->error));
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
        object = describe(&problems[0]);
    } else {
        json_t *files = json_array();
        for (int i = 0; i < count; i++) {
            tact_json_append(files, describe(&problems[i]));
        }
        object = tact_json_pack("{s:o}", "files", files);
    }
    const char *why = tact_json_print(object, JSON_REAL_PRECISION(17));
    return why ? tact_cli_bad("%s", why) : 0;
}
