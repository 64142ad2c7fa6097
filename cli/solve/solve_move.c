// `tact solve --prove`: an answer that obeys the law within its tolerance, but whose exact solution
// lies further away than rounding, is moved there, and proved.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cli/solve/solve.h"

/// The exact entries of a part, rounded; false: there are none. Returns the largest change.
static bool read_part(const TactProof *proof, TactProofPart part, int count, const double *answer,
                      double *out, double *change)
{
    if (tact_proof_count(proof, part) != count) {
        return false;
    }
    for (int i = 0; i < count; i++) {
        double lo, hi;
        if (!tact_proof_get_bounds(proof, part, i, &lo, &hi)) {
            return false;
        }
        out[i] = 0.5 * lo + 0.5 * hi;
        *change = fmax(*change, fabs(out[i] - answer[i]));
    }
    return true;
}

TactStatus tact_solve_move(const TactProofConfig *config, TactSolveProblem *problem,
                           TactSolveResult *result)
{
    const TactContactProblem *contact = &problem->contact->problem;
    TactContactAnswer        *answer = &result->contact.answer;
    size_t                    contacts = 3 * (size_t)contact->contact_count;
    size_t                    rows = (size_t)contact->row_count;
    size_t                    dof = (size_t)tact_contact_get_dof(contact);
    int                       turning = tact_proof_count(result->proof, TACT_PROOF_PART_MOMENT);
    double                *block = calloc(2 * contacts + rows + dof + 1, sizeof *block), moved = 0;
    TactContactCertificate certificate;
    TactContactAnswer      exact = {
             .impulse = block,
             .row_impulse = block + contacts,
             .velocity = block + contacts + rows,
             .moment = block + contacts + rows + dof,
    };
    TactProof *again = NULL;
    if (!block) {
        return TACT_NO_MEMORY;
    }
    double other = 0;
    bool   there = read_part(result->proof, TACT_PROOF_PART_IMPULSE, (int)contacts, answer->impulse,
                             exact.impulse, &moved) &&
                 read_part(result->proof, TACT_PROOF_PART_ROW_IMPULSE, (int)rows,
                           answer->row_impulse, exact.row_impulse, &moved) &&
                 read_part(result->proof, TACT_PROOF_PART_VELOCITY, (int)dof, answer->velocity,
                           exact.velocity, &other) &&
                 (turning == 0 || read_part(result->proof, TACT_PROOF_PART_MOMENT, turning,
                                            answer->moment, exact.moment, &other));
    TactStatus status = TACT_OK;
    if (there) {
        status = tact_contact_certify_answer(contact, result->contact.cone, &exact, &certificate);
        there = status == TACT_OK && certificate.error <= result->tol;
    }
    if (there) {
        status = tact_prove_contact(contact, result->contact.cone, &exact, config, &again);
    }
    if (status == TACT_OK && again && tact_proof_view_report(again)->proved) {
        memcpy(answer->impulse, exact.impulse, contacts * sizeof *block);
        memcpy(answer->row_impulse, exact.row_impulse, rows * sizeof *block);
        memcpy(answer->velocity, exact.velocity, dof * sizeof *block);
        memset(answer->low, 0, (contacts + rows) * sizeof *block); // of doubles now
        if (turning > 0) {
            memcpy(answer->moment, exact.moment, contacts * sizeof *block);
        }
        answer->u = NULL;
        result->contact.report.certificate = certificate;
        if (result->contact.diagnosis) {
            status = tact_contact_diagnose(contact, answer, result->contact.diagnosis);
        }
        result->moved = moved;
        TactProof *before = result->proof;
        result->proof = again;
        again = before;
    }
    tact_proof_destroy(again);
    free(block);
    return status;
}
