// `tact solve --prove`: exact solutions next to the answers.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/cli.h"
#include "cli/solve/solve.h"
#include "cli/solve/solve_json.h"

enum { MOST_DIGITS = 2000000 }; // of an exact solution that is printed
enum { DEFAULT_LIMIT = 60 };    // s

/// Ranges of a rational proof in place of those in doubles; these stay where there is no time.
static TactStatus find_exact_ranges(const TactProofConfig *config, const TactSolveProblem *problem,
                                    TactSolveResult *result)
{
    const TactContactProblem *contact = &problem->contact->problem;
    const TactProofReport    *report = tact_proof_view_report(result->proof);
    double                    rest;
    if (!report->proved || report->kind != TACT_PROOF_KIND_RATIONAL) {
        return TACT_OK;
    }
    TactStatus status = tact_prove_ranges(contact, result->contact.cone, config, result->proof);
    for (int i = 0; i < contact->contact_count && status == TACT_OK; i++) {
        TactContactRange *range = &result->contact.range[i];
        tact_proof_get_bounds(result->proof, TACT_PROOF_PART_LEAST, 3 * i, &range->least, &rest);
        tact_proof_get_bounds(result->proof, TACT_PROOF_PART_MOST, 3 * i, &rest, &range->most);
        range->exact = true;
    }
    result->contact.exact = status == TACT_OK;
    return status == TACT_UNSUPPORTED ? TACT_OK : status;
}

static void prove(const TactSolveOptions *options, TactSolveProblem *problem,
                  TactSolveResult *result)
{
    TactStatus      status;
    TactProofConfig config = tact_proof_config_default();
    config.limit = options->prove_limit > 0 ? options->prove_limit : DEFAULT_LIMIT;
    tact_solve_progress_proof(problem, result, config.limit);
    if (problem->contact) {
        status = tact_prove_contact(&problem->contact->problem, result->contact.cone,
                                    &result->contact.answer, &config, &result->proof);
    } else {
        status = tact_prove_lcp(&problem->file->problem, result->z, &config, &result->proof);
    }
    if (status == TACT_OK && problem->contact && !tact_proof_view_report(result->proof)->proved) {
        status = tact_solve_move(&config, problem, result);
    }
    if (status == TACT_OK && problem->contact && result->contact.range) {
        status = find_exact_ranges(&config, problem, result);
    }
    if (status != TACT_OK) {
        snprintf(result->no_proof, sizeof result->no_proof, "%s", tact_status_message());
    }
}

void tact_solve_prove(const TactSolveOptions *options, TactSolveProblem *problem)
{
    for (int i = 0; i < problem->result_count; i++) {
        TactSolveResult *result = &problem->results[i];
        if (result->status == TACT_OK && result->solved) {
            prove(options, problem, result);
        } else if (result->status == TACT_OK) {
            snprintf(result->no_proof, sizeof result->no_proof,
                     "the answer is not solved: there is nothing to prove");
        }
    }
}

const char *tact_solve_outcome(const TactSolveResult *result, const char *outcome)
{
    return result->proof && tact_proof_view_report(result->proof)->proved ? "proved" : outcome;
}

// ---------------------------------------------------------------------------------------------
// For people

void tact_solve_print_proof(const TactSolveProblem *problem, const TactSolveResult *result)
{
    const char *named =
        problem->contact ? "contacts open, sticking and sliding" : "unknowns at their bounds";
    if (!result->proof) {
        if (result->no_proof[0] != '\0') {
            printf("  Not proved: %s.\n", result->no_proof);
        }
        return;
    }
    const TactProofReport *report = tact_proof_view_report(result->proof);
    if (!report->proved) {
        printf("  Not proved: %s.\n", report->why);
        return;
    }
    printf("  Proved (%s, %.3g ms): an exact solution exists within %.2g of this answer in every "
           "component",
           tact_proof_kind_name(report->kind), 1e3 * report->time, report->radius);
    if (report->redundant > 0) {
        printf(" but the forces that are not unique, which differ by up to %.2g",
               report->redundant);
    }
    if (report->unique) {
        printf(", and it is the only one with these %s.\n", named);
    } else {
        printf(".\n  %s of a regular basis of %d of %d equations are solved for, the others are "
               "kept.\n",
               problem->contact ? "Forces" : "Unknowns", report->rank, report->equations);
    }
    if (result->moved > 0) {
        printf("  The answer was moved there, by %.2g N s: the method had ended further away.\n",
               result->moved);
    }
    if (result->contact.exact) {
        printf("  The ranges of forces are exact: linear programs in rationals, of this motion.\n");
    }
    if (report->changed > 0) {
        printf("  In it %d %s in another state than in the answer: as close to a border as "
               "rounding.\n",
               report->changed, report->changed == 1 ? "is" : "are");
    }
}

// ---------------------------------------------------------------------------------------------
// JSON

/// All entries of a part as text; NULL if they are too long together.
static json_t *describe_exact(const TactProof *proof, TactProofPart part, size_t *left)
{
    json_t *array = json_array();
    for (int i = 0; i < tact_proof_count(proof, part); i++) {
        size_t length = tact_proof_get_exact(proof, part, i, NULL, 0);
        char  *text = length < *left ? malloc(length + 1) : NULL;
        if (!text) {
            json_decref(array);
            return NULL;
        }
        *left -= length;
        tact_proof_get_exact(proof, part, i, text, length + 1);
        tact_json_append(array, json_string(text));
        free(text);
    }
    return array;
}

static json_t *describe_bounds(const TactProof *proof, TactProofPart part)
{
    json_t *array = json_array();
    double  lo, hi;
    for (int i = 0; tact_proof_get_bounds(proof, part, i, &lo, &hi); i++) {
        tact_json_append(
            array, tact_json_pack("[o, o]", tact_json_value_real(lo), tact_json_value_real(hi)));
    }
    return array;
}

static const char *const part_names[] = {
    [TACT_PROOF_PART_Z] = "z",
    [TACT_PROOF_PART_IMPULSE] = "impulse",
    [TACT_PROOF_PART_ROW_IMPULSE] = "row_impulse",
    [TACT_PROOF_PART_VELOCITY] = "velocity",
    [TACT_PROOF_PART_LEAST] = "least",
    [TACT_PROOF_PART_MOST] = "most",
    [TACT_PROOF_PART_ROW_LEAST] = "row_least",
    [TACT_PROOF_PART_ROW_MOST] = "row_most",
    [TACT_PROOF_PART_MOMENT] = "moment",
    [TACT_PROOF_PART_MOMENT_LEAST] = "moment_least",
    [TACT_PROOF_PART_MOMENT_MOST] = "moment_most",
};

/// The frames that the exact problem of bodies is made of, as doubles: n, t1, t2 of every contact.
static json_t *describe_frames(const TactContactProblem *problem)
{
    json_t *frames = json_array();
    for (int i = 0; i < problem->contact_count; i++) {
        double frame[3][3];
        tact_contact_compute_frame(&problem->contacts[i], frame);
        tact_json_append(frames, tact_json_value_vector(frame[0], 9));
    }
    return frames;
}

static void add_solution(const TactSolveProblem *problem, const TactProof *proof, json_t *object)
{
    bool    rational = tact_proof_view_report(proof)->kind == TACT_PROOF_KIND_RATIONAL;
    size_t  left = MOST_DIGITS;
    json_t *exact = json_object();
    for (int part = 0; part < TACT_PROOF_PART_COUNT && exact; part++) {
        if (tact_proof_count(proof, (TactProofPart)part) == 0) {
            continue;
        }
        json_t *array = rational ? describe_exact(proof, (TactProofPart)part, &left)
                                 : describe_bounds(proof, (TactProofPart)part);
        if (!array) {
            json_decref(exact);
            exact = NULL;
        } else {
            tact_json_set(exact, part_names[part], array);
        }
    }
    tact_json_set(object, rational ? "exact" : "enclosure", exact ? exact : json_null());
    if (problem->contact && problem->contact->problem.bodies) {
        tact_json_set(object, "frames", describe_frames(&problem->contact->problem));
    }
}

json_t *tact_solve_describe_proof(const TactSolveProblem *problem, const TactSolveResult *result)
{
    if (!result->proof) {
        return tact_json_pack("{s:b, s:[], s:o}", "proved", 0, "blocked_by", "why",
                              tact_json_value_text(result->no_proof));
    }
    const TactProofReport *report = tact_proof_view_report(result->proof);
    json_t                *blocked = json_array();
    for (int i = 0; i < report->blocked_count; i++) {
        tact_json_append(blocked, json_integer(tact_proof_view_blocking(result->proof)[i]));
    }
    json_t *object = tact_json_pack(
        "{s:b, s:s, s:o, s:o, s:b, s:o, s:i, s:i, s:i, s:i, s:i, s:o, s:o}", "proved",
        report->proved, "kind", tact_proof_kind_name(report->kind), "radius",
        tact_json_value_real(report->radius), "redundant", tact_json_value_real(report->redundant),
        "unique", report->unique, "blocked_by", blocked, "changed", report->changed, "weak",
        report->weak, "equations", report->equations, "rank", report->rank, "rounds",
        report->rounds, "time_us", tact_json_value_real(1e6 * report->time), "moved",
        tact_json_value_real(result->moved));
    if (object && report->proved) {
        add_solution(problem, result->proof, object);
    } else if (object) {
        tact_json_set(object, "why", tact_json_value_text(report->why));
    }
    return object;
}
