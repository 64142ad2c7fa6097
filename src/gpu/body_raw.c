#include "gpu/body_raw.h"

#include <math.h>

#include "base/status.h"

void tact_body_raw_read(const TactBodyProblems *problems, int i, int directions, TactBodyRaw *raw)
{
    size_t stride = (size_t)problems->stride, at = (size_t)i;
    *raw = (TactBodyRaw){.body = {.mass = problems->mass[at]}};
    for (size_t k = 0; k < 6; k++) {
        raw->body.inertia[k] = problems->inertia[k * stride + at];
    }
    for (size_t k = 0; k < 3; k++) {
        raw->body.position[k] = problems->centre[k * stride + at];
        raw->body.velocity[k] = problems->velocity[k * stride + at];
        raw->body.omega[k] = problems->velocity[(k + 3) * stride + at];
        raw->body.force[k] = problems->force[k * stride + at];
        raw->body.torque[k] = problems->force[(k + 3) * stride + at];
    }
    for (size_t c = 0; c < (size_t)problems->contacts; c++) {
        TactContact *to = &raw->contacts[c];
        to->a = -1;
        to->mu = problems->mu[c * stride + at];
        to->bias = problems->bias ? problems->bias[c * stride + at] : 0;
        to->directions = directions;
        for (size_t k = 0; k < 3; k++) {
            to->point[k] = problems->point[(3 * c + k) * stride + at];
            to->normal[k] = problems->normal[(3 * c + k) * stride + at];
        }
    }
    raw->problem = (TactContactProblem){.step = problems->step,
                                        .body_count = 1,
                                        .bodies = &raw->body,
                                        .contact_count = problems->contacts,
                                        .contacts = raw->contacts};
}

TactStatus tact_body_raw_solve(TactContactSolver *solver, const TactBodyRaw *raw,
                               const TactBodyAnswers *answers, int stride, int i, bool *certified)
{
    double            impulse[3 * TACT_BODY_MAX_CONTACTS] = {0}, velocity[6] = {0};
    TactContactAnswer answer = {.impulse = impulse, .velocity = velocity};
    TactContactReport report;
    TactStatus        status = tact_contact_solve(solver, &raw->problem, &answer, &report);
    size_t            step = (size_t)stride, at = (size_t)i;
    size_t            contacts = (size_t)raw->problem.contact_count;
    *certified = status == TACT_OK && report.outcome == TACT_OUTCOME_SOLVED;
    if (status == TACT_NO_MEMORY) {
        return status;
    }
    for (size_t k = 0; k < 3 * contacts; k++) {
        answers->impulse[k * step + at] = impulse[k];
    }
    for (size_t k = 0; k < 6; k++) {
        answers->velocity[k * step + at] = velocity[k];
    }
    for (size_t k = 0; k < contacts; k++) {
        answers->basis[k * step + at] = 0;
    }
    // A problem that is none, with a mass below 0 for instance, has no answer either.
    answers->error[at] = status == TACT_OK ? report.certificate.error : (double)INFINITY;
    answers->pivots[at] = status != TACT_OK ? -1 : *certified ? report.pivots : -report.pivots - 1;
    return TACT_OK;
}

TactStatus tact_body_raw_create(TactContactMethod method, const TactBodyBatch *batch,
                                TactContactSolver **solver)
{
    TactContactConfig   config = tact_contact_config_default(method);
    TactContactCapacity capacity = {.contacts = batch->problems.contacts,
                                    .dof = 6,
                                    .support = 12,
                                    .directions = batch->directions};
    config.cone = batch->circle ? TACT_CONE_CIRCLE : TACT_CONE_PYRAMID;
    config.tol = batch->tol;
    return tact_contact_solver_create(&capacity, &config, solver);
}
