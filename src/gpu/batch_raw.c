#include "gpu/batch_raw.h"

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

void tact_mechanism_raw_read(const TactMechanismProblems *problems, int i, int directions,
                             TactMechanismRaw *raw)
{
    size_t        at = (size_t)i, dof = (size_t)problems->dof, n = (size_t)problems->contacts;
    const double *M = problems->M + at * (dof * (dof + 1) / 2);
    int           active = problems->active ? problems->active[i] : problems->contacts;
    active = active < 0 ? 0 : active < problems->contacts ? active : problems->contacts;
    for (size_t j = 0; j < dof; j++) {
        for (size_t k = 0; k <= j; k++) {
            raw->M[j * dof + k] = raw->M[k * dof + j] = M[j * (j + 1) / 2 + k];
        }
    }
    for (size_t c = 0; c < (size_t)active; c++) {
        raw->contacts[c] = (TactContact){.mu = problems->mu[at * n + c],
                                         .bias = problems->bias ? problems->bias[at * n + c] : 0,
                                         .J = problems->J + (at * n + c) * 3 * dof,
                                         .directions = directions};
    }
    raw->problem = (TactContactProblem){.step = problems->step,
                                        .nv = problems->dof,
                                        .M = raw->M,
                                        .v = problems->velocity + at * dof,
                                        .tau = problems->force + at * dof,
                                        .contact_count = active,
                                        .contacts = raw->contacts};
}

enum { MOST_CONTACTS = TACT_BODY_MAX_CONTACTS, MOST_DOF = TACT_MECHANISM_MAX_DOF };

TactStatus tact_batch_raw_solve(TactContactSolver *solver, const TactContactProblem *problem,
                                const TactBodyBatch *batch, int i, bool *certified)
{
    double                 impulse[3 * MOST_CONTACTS] = {0}, velocity[MOST_DOF] = {0};
    TactContactAnswer      answer = {.impulse = impulse, .velocity = velocity};
    TactContactReport      report;
    TactStatus             status = tact_contact_solve(solver, problem, &answer, &report);
    size_t                 step = (size_t)batch->problems.stride, at = (size_t)i;
    size_t                 contacts = (size_t)batch->problems.contacts;
    const TactBodyAnswers *answers = &batch->answers;
    *certified = status == TACT_OK && report.outcome == TACT_OUTCOME_SOLVED;
    if (status == TACT_NO_MEMORY) {
        return status;
    }
    // Of a mechanism entries lie beside each other.
    bool   whole = batch->dof > 0;
    size_t dof = (size_t)tact_contact_get_dof(problem), to = whole ? 1 : step;
    for (size_t k = 0; k < 3 * contacts; k++) {
        answers->impulse[k * to + at * (whole ? 3 * contacts : 1)] = impulse[k];
    }
    for (size_t k = 0; k < dof; k++) {
        answers->velocity[k * to + at * (whole ? dof : 1)] = velocity[k];
    }
    for (size_t k = 0; k < contacts; k++) {
        answers->basis[k * to + at * (whole ? contacts : 1)] = 0;
    }
    // A problem that is none, with a mass below 0 for instance, has no answer either.
    answers->error[at] = status == TACT_OK ? report.certificate.error : (double)INFINITY;
    answers->pivots[at] = status != TACT_OK ? -1 : *certified ? report.pivots : -report.pivots - 1;
    return TACT_OK;
}

TactStatus tact_batch_raw_create(TactContactMethod method, const TactBodyBatch *batch,
                                 TactContactSolver **solver)
{
    TactContactConfig   config = tact_contact_config_default(method);
    TactContactCapacity capacity = {.contacts = batch->problems.contacts,
                                    .dof = batch->dof > 0 ? batch->dof : 6,
                                    .support = batch->dof > 0 ? batch->dof : 12,
                                    .dense = batch->dof > 0,
                                    .directions = batch->directions};
    config.cone = batch->circle ? TACT_CONE_CIRCLE : TACT_CONE_PYRAMID;
    config.tol = batch->tol;
    return tact_contact_solver_create(&capacity, &config, solver);
}
