// What `tact solve --json` prints.
#include <jansson.h>
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
    json_t *string = json_string(words);
    if (string) {
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
        json_array_append_new(array, tact_solve_json_real(x[i]));
    }
    return array;
}

static json_t *describe_report(const TactSolveResult *result, int n)
{
    const TactLcpReport      *report = &result->report;
    const TactLcpCertificate *certificate = &report->certificate;
    int                       nodes = result->method == TACT_LCP_SEARCH ? report->iterations : 0;

    json_t *object = json_pack(
        "{s:s, s:s, s:s, s:s, s:o, s:o, s:o, s:o, s:o, s:o}", "method", result->name, "status",
        "ok", "outcome", tact_solve_outcome(result, tact_lcp_outcome_name(report->outcome)),
        "ended", tact_lcp_outcome_name(report->ended), "residual",
        tact_solve_json_real(certificate->residual), "error",
        tact_solve_json_real(certificate->error), "scale", tact_solve_json_real(certificate->scale),
        "relative_residual", tact_solve_json_real(certificate->residual / certificate->scale),
        "relative_error", tact_solve_json_real(certificate->relative), "tolerance",
        tact_solve_json_real(result->tol));
    json_t *counts = json_pack("{s:i, s:i, s:i, s:i, s:i, s:s, s:o, s:i, s:o}", "pivots",
                               report->pivots, "iterations", report->iterations, "nodes", nodes,
                               "refactors", report->refactors, "index", report->index, "storage",
                               result->storage == TACT_LCP_SPARSE ? "sparse" : "dense", "time_us",
                               tact_solve_json_real(result->time * 1e6), "solves", result->solves,
                               "z", tact_solve_json_vector(result->z, n));
    if (object && counts) {
        json_object_update(object, counts);
    }
    json_decref(counts);
    return object;
}

static json_t *describe_refusal(const TactSolveResult *result)
{
    return json_pack("{s:s, s:s, s:s, s:o}", "method", result->name, "status",
                     tact_status_name(result->status), "outcome",
                     result->status == TACT_UNSUPPORTED ? "refused" : "failed", "reason",
                     tact_solve_json_text(result->reason));
}

static void describe_lcp(const TactSolveProblem *problem, json_t *object)
{
    const TactLcpFile *file = problem->file;
    bool               mixed = file->kind == TACT_LCP_KIND_MLCP;
    json_object_set_new(object, "kind", json_string(mixed ? "mlcp" : "lcp"));
    json_object_set_new(object, "n", json_integer(file->problem.n));
    json_object_set_new(object, "format", json_string(file->format));
    json_object_set_new(object, "nonzeros", json_integer((json_int_t)file->nonzeros));
    if (file->order) {
        json_t *order = json_array();
        for (int i = 0; i < file->problem.n; i++) {
            json_array_append_new(order, json_integer(file->order[i]));
        }
        json_object_set_new(object, "order", order);
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
        json_object_set_new(object, "proof", tact_solve_describe_proof(problem, result));
    }
    return object;
}

static json_t *describe(const TactSolveProblem *problem)
{
    json_t *warnings = json_array();
    for (int i = 0; i < problem->warning_count; i++) {
        json_array_append_new(warnings, tact_solve_json_text(problem->warnings[i]));
    }
    json_t *object = json_pack("{s:o}", "file", tact_solve_json_text(problem->paths[0]));
    if (problem->status != TACT_OK) {
        json_object_set_new(object, "error", tact_solve_json_text(problem->error));
        json_object_set_new(object, "warnings", warnings);
        return object;
    }
    if (problem->contact) {
        tact_solve_describe_contact(problem, object);
    } else {
        describe_lcp(problem, object);
    }
    json_object_set_new(object, "method_chosen", json_boolean(problem->chosen));
    json_object_set_new(object, "warnings", warnings);
    json_t *results = json_array();
    for (int i = 0; i < problem->result_count; i++) {
        json_array_append_new(results, describe_result(problem, &problem->results[i]));
    }
    json_object_set_new(object, "results", results);
    return object;
}

bool tact_solve_print_json(const TactSolveProblem *problems, int count)
{
    json_t *object;
    if (count == 1) {
        object = describe(&problems[0]);
    } else {
        json_t *files = json_array();
        for (int i = 0; i < count; i++) {
            json_array_append_new(files, describe(&problems[i]));
        }
        object = json_pack("{s:o}", "files", files);
    }
    if (!object) {
        return false;
    }
    int status = json_dumpf(object, stdout, JSON_REAL_PRECISION(17));
    putchar('\n');
    json_decref(object);
    return status == 0;
}
