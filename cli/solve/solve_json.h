// Parts of the JSON object of `tact solve`.
#ifndef TACT_CLI_SOLVE_SOLVE_JSON_H
#define TACT_CLI_SOLVE_SOLVE_JSON_H

#include "cli/json/json.h"

#include "cli/solve/solve.h"

/// What a contact problem is, into the object of its file; and one method's answer.
void    tact_solve_describe_contact(const TactSolveProblem *problem, json_t *object);
json_t *tact_solve_describe_answer(const TactSolveProblem *problem, const TactSolveResult *result);
/// The proof of a result that has one, or the reason why it has none.
json_t *tact_solve_describe_proof(const TactSolveProblem *problem, const TactSolveResult *result);

#endif
