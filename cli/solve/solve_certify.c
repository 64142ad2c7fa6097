// `tact solve FILE --certify ANSWER.json`: judges an answer, whoever made it.
//
// ANSWER.json is what `tact solve --json` prints, or one of its results, or by hand: of an LCP
// {"z": [...]}, of a contact problem {"forces": [[fn, ft1, ft2], ...], "row_forces": [...],
// "velocity": [...], "cone": "circle"}.
#include <jansson.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/cli.h"
#include "cli/json/json.h"
#include "cli/solve/solve.h"

__attribute__((format(printf, 2, 3))) static bool bad(TactSolveProblem *problem, const char *format,
                                                      ...)
{
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(problem->error, sizeof problem->error, format, arguments);
    va_end(arguments);
    problem->status = TACT_BAD_INPUT;
    return false;
}

/// The object that holds the answer: the file's own, or the first result in it.
static const json_t *find_answer(const json_t *root)
{
    const json_t *results = json_object_get(root, "results");
    return json_is_array(results) && json_array_size(results) > 0 ? json_array_get(results, 0)
                                                                  : root;
}

/// Numbers of an array that must have count of them.
static bool read_numbers(TactSolveProblem *problem, const char *path, const char *key,
                         const json_t *array, int count, double factor, double *out)
{
    if (!json_is_array(array) || json_array_size(array) != (size_t)count) {
        return bad(problem, "%s: \"%s\" must be an array of %d numbers", path, key, count);
    }
    for (int i = 0; i < count; i++) {
        const json_t *entry = json_array_get(array, (size_t)i);
        if (!json_is_number(entry)) {
            return bad(problem, "%s: \"%s\"[%d] is not a number", path, key, i);
        }
        out[i] = factor * json_number_value(entry);
    }
    return true;
}

// ---------------------------------------------------------------------------------------------
// LCP

static void certify_lcp(const TactSolveOptions *options, TactSolveProblem *problem,
                        const json_t *answer, TactSolveResult *result)
{
    const TactLcpProblem *lcp = &problem->file->problem;
    TactLcpConfig         config = tact_lcp_config_default(TACT_LCP_METHOD_LEMKE_LEX);
    result->z = calloc((size_t)lcp->n + 1, sizeof(double));
    result->tol = options->tol >= 0 ? options->tol : config.residual_tol;
    result->report.index = -1;
    if (!result->z) {
        bad(problem, "no memory");
        return;
    }
    if (!read_numbers(problem, options->certify, "z", json_object_get(answer, "z"), lcp->n, 1,
                      result->z)) {
        return;
    }
    if (tact_lcp_certify(lcp, result->z, &result->report.certificate) != TACT_OK) {
        bad(problem, "%s: %s", options->certify, tact_status_message());
        return;
    }
    result->solved = result->report.certificate.relative <= result->tol;
    result->report.outcome = result->solved ? TACT_LCP_OUTCOME_SOLVED : TACT_LCP_OUTCOME_UNVERIFIED;
    result->report.ended = TACT_LCP_OUTCOME_SOLVED;
}

// ---------------------------------------------------------------------------------------------
// Contact problems

/// name: "forces", "forces_low" or "moments", three numbers a contact.
static bool read_forces(TactSolveProblem *problem, const char *path, const json_t *answer,
                        const char *name, double *impulse)
{
    const json_t *forces = json_object_get(answer, name);
    int           count = problem->contact->problem.contact_count;
    if (!json_is_array(forces) || json_array_size(forces) != (size_t)count) {
        return bad(problem, "%s: \"%s\" must be an array of %d %s %s", path, name, count, name,
                   strncmp(name, "forces", 6) == 0 ? "[fn, ft1, ft2]" : "[mn, mr1, mr2]");
    }
    for (int i = 0; i < count; i++) {
        char key[64];
        snprintf(key, sizeof key, "%s\"[%d] of \"%s", name, i, name);
        if (!read_numbers(problem, path, key, json_array_get(forces, (size_t)i), 3,
                          tact_solve_step(problem), impulse + 3 * (size_t)i)) {
            return false;
        }
    }
    return true;
}

static bool read_cone(TactSolveProblem *problem, const TactSolveOptions *options,
                      const json_t *answer, TactContactCone *cone)
{
    const char *word = json_string_value(json_object_get(answer, "cone"));
    *cone = options->cone >= 0 ? (TactContactCone)options->cone : TACT_CONE_PYRAMID;
    for (int i = 0; word && options->cone < 0; i++) {
        if (i > TACT_CONE_BOX) {
            return bad(problem, "%s: \"cone\" is pyramid, circle or box, not '%.32s'",
                       options->certify, word);
        }
        if (strcmp(word, tact_contact_cone_name((TactContactCone)i)) == 0) {
            *cone = (TactContactCone)i;
            break;
        }
    }
    return true;
}

/// Adds what forces lack beyond doubles, where the file says so: impulse + low = step (force +
/// low force), the product of the doubles taken exactly.
static bool read_low(TactSolveProblem *problem, const char *path, const json_t *answer,
                     const TactContactAnswer *out)
{
    int           forces = 3 * problem->contact->problem.contact_count;
    int           rows = problem->contact->problem.row_count;
    double        step = tact_solve_step(problem);
    const json_t *given = json_object_get(answer, "forces"), *low_rows;
    if (!json_object_get(answer, "forces_low")) {
        return true;
    }
    low_rows = json_object_get(answer, "row_forces_low");
    if (!read_forces(problem, path, answer, "forces_low", out->low) ||
        (rows > 0 &&
         !read_numbers(problem, path, "row_forces_low", low_rows, rows, step, out->low + forces))) {
        return false;
    }
    const json_t *given_rows = json_object_get(answer, "row_forces");
    for (int i = 0; i < forces + rows; i++) {
        const json_t *entry =
            i < forces ? json_array_get(json_array_get(given, (size_t)i / 3), (size_t)i % 3)
                       : json_array_get(given_rows, (size_t)(i - forces));
        double *p = i < forces ? &out->impulse[i] : &out->row_impulse[i - forces];
        double  rest = fma(step, json_number_value(entry), -*p) + out->low[i];
        double  sum = *p + rest;
        out->low[i] = rest - (sum - *p);
        *p = sum;
    }
    return true;
}

static bool read_contact_answer(const TactSolveOptions *options, TactSolveProblem *problem,
                                const json_t *answer, TactSolveContact *contact)
{
    const TactContactProblem *given = &problem->contact->problem;
    const char               *path = options->certify;
    size_t                    forces = 3 * (size_t)given->contact_count;
    int                       dof = tact_contact_get_dof(given);
    double                   *block =
        calloc(4 * forces + 2 * (size_t)given->row_count + (size_t)dof + 1, sizeof *block);
    if (!block) {
        return bad(problem, "no memory");
    }
    contact->answer = (TactContactAnswer){
        .impulse = block,
        .u = block + forces,
        .row_impulse = block + 2 * forces,
        .velocity = block + 2 * forces + given->row_count,
        .moment = block + 2 * forces + given->row_count + dof,
        .low = block + 3 * forces + given->row_count + dof,
    };
    return read_cone(problem, options, answer, &contact->cone) &&
           read_forces(problem, path, answer, "forces", contact->answer.impulse) &&
           (!tact_solve_has_moments(given) ||
            read_forces(problem, path, answer, "moments", contact->answer.moment)) &&
           (given->row_count == 0 ||
            read_numbers(problem, path, "row_forces", json_object_get(answer, "row_forces"),
                         given->row_count, tact_solve_step(problem),
                         contact->answer.row_impulse)) &&
           read_low(problem, path, answer, &contact->answer) &&
           (dof == 0 || read_numbers(problem, path, "velocity", json_object_get(answer, "velocity"),
                                     dof, 1, contact->answer.velocity));
}

static void certify_contact(const TactSolveOptions *options, TactSolveProblem *problem,
                            const json_t *answer, TactSolveResult *result)
{
    const TactContactProblem *given = &problem->contact->problem;
    TactSolveContact         *contact = &result->contact;
    TactContactReport        *report = &contact->report;
    if (!read_contact_answer(options, problem, answer, contact)) {
        return;
    }
    contact->answer.u = NULL; // not given: what is said of it follows from the velocities
    result->tol =
        options->tol >= 0 ? options->tol : tact_contact_config_default(TACT_METHOD_LADDER).tol;
    if (tact_contact_certify_answer(given, contact->cone, &contact->answer, &report->certificate) !=
        TACT_OK) {
        bad(problem, "%s: %s", options->certify, tact_status_message());
        return;
    }
    result->solved = report->certificate.error <= result->tol;
    report->outcome = result->solved ? TACT_OUTCOME_SOLVED : TACT_OUTCOME_UNVERIFIED;
    report->ended = TACT_OUTCOME_SOLVED;
    report->dof = tact_contact_get_dof(given);
    contact->diagnosis = calloc((size_t)given->contact_count + 1, sizeof *contact->diagnosis);
    if (contact->diagnosis &&
        tact_contact_diagnose(given, &contact->answer, contact->diagnosis) != TACT_OK) {
        free(contact->diagnosis);
        contact->diagnosis = NULL;
    }
}

void tact_solve_certify(const TactSolveOptions *options, TactSolveProblem *problem)
{
    json_error_t     error;
    bool             lacks;
    json_t          *root = tact_json_read_file(options->certify, JSON_ALLOW_NUL, &error, &lacks);
    TactSolveResult *result = &problem->results[problem->result_count++];
    *result = (TactSolveResult){.name = "given", .status = TACT_OK};
    if (!root) {
        if (lacks) {
            bad(problem, "%s: no memory to read it", options->certify);
        } else if (error.line < 0) {
            bad(problem, "%s: cannot be read", options->certify);
        } else {
            bad(problem, "%s:%d: %s", options->certify, error.line, error.text);
        }
    } else if (!json_is_object(root)) {
        bad(problem, "%s: the answer must be a JSON object", options->certify);
    } else if (problem->contact) {
        certify_contact(options, problem, find_answer(root), result);
    } else {
        certify_lcp(options, problem, find_answer(root), result);
    }
    json_decref(root);
}
