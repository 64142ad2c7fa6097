// What `tact solve --json` prints.
#include <jansson.h>
#include <math.h>

#include "cli.h"
#include "solve.h"

/// JSON has no infinity and no NaN: null.
static json_t *real(double x)
{
    return isfinite(x) ? json_real(x) : json_null();
}

/// Names of files need not be UTF-8; JSON must: what is not ASCII then becomes '?'.
static json_t *text(const char *words)
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

static json_t *vector(const double *x, int n)
{
    json_t *array = json_array();
    for (int i = 0; i < n && array; i++) {
        json_array_append_new(array, real(x[i]));
    }
    return array;
}

static json_t *describe_report(const TactSolveResult *result, int n)
{
    const TactLcpReport      *report = &result->report;
    const TactLcpCertificate *certificate = &report->certificate;
    int                       nodes = result->method == TACT_LCP_SEARCH ? report->iterations : 0;

    json_t *object = json_pack(
        "{s:s, s:s, s:s, s:s, s:o, s:o, s:o, s:o, s:o}", "method",
        tact_lcp_method_info(result->method)->name, "status", "ok", "outcome",
        tact_lcp_outcome_name(report->outcome), "ended", tact_lcp_outcome_name(report->ended),
        "residual", real(certificate->residual), "error", real(certificate->error), "scale",
        real(certificate->scale), "relative_residual",
        real(certificate->residual / certificate->scale), "tolerance", real(result->tol));
    json_t *counts = json_pack(
        "{s:i, s:i, s:i, s:i, s:i, s:s, s:o, s:i, s:o}", "pivots", report->pivots, "iterations",
        report->iterations, "nodes", nodes, "refactors", report->refactors, "index", report->index,
        "storage", result->storage == TACT_LCP_SPARSE ? "sparse" : "dense", "time_us",
        real(result->time * 1e6), "solves", result->solves, "z", vector(result->z, n));
    if (object && counts) {
        json_object_update(object, counts);
    }
    json_decref(counts);
    return object;
}

static json_t *describe_refusal(const TactSolveResult *result)
{
    return json_pack("{s:s, s:s, s:s, s:o}", "method", tact_lcp_method_info(result->method)->name,
                     "status", tact_status_name(result->status), "outcome",
                     result->status == TACT_UNSUPPORTED ? "refused" : "failed", "reason",
                     text(result->reason));
}

static json_t *describe(const TactSolveProblem *problem)
{
    json_t *warnings = json_array();
    for (int i = 0; i < problem->warning_count; i++) {
        json_array_append_new(warnings, text(problem->warnings[i]));
    }
    json_t *object = json_pack("{s:o}", "file", text(problem->paths[0]));
    if (problem->status != TACT_OK) {
        json_object_set_new(object, "error", text(problem->error));
        json_object_set_new(object, "warnings", warnings);
        return object;
    }
    const TactLcpFile *file = problem->file;
    bool               mixed = file->kind == TACT_LCP_KIND_MLCP;
    json_object_set_new(object, "kind", json_string(mixed ? "mlcp" : "lcp"));
    json_object_set_new(object, "n", json_integer(file->problem.n));
    json_object_set_new(object, "format", json_string(file->format));
    json_object_set_new(object, "nonzeros", json_integer((json_int_t)file->nonzeros));
    json_object_set_new(object, "method_chosen", json_boolean(problem->chosen));
    if (file->order) {
        json_t *order = json_array();
        for (int i = 0; i < file->problem.n; i++) {
            json_array_append_new(order, json_integer(file->order[i]));
        }
        json_object_set_new(object, "order", order);
    }
    json_object_set_new(object, "warnings", warnings);
    json_t *results = json_array();
    for (int i = 0; i < problem->result_count; i++) {
        const TactSolveResult *result = &problem->results[i];
        json_array_append_new(results, result->status == TACT_OK
                                           ? describe_report(result, file->problem.n)
                                           : describe_refusal(result));
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
