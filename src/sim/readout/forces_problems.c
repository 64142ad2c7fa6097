// Contact problems of the last step, made once more.
#include "base/status.h"
#include "dynamics/links.h"
#include "sim/readout/readout.h"

void tact_sim_recall_velocity(TactSim *sim, const TactSimIsland *island, bool free)
{
    double *velocity = sim->solve.arrays.velocity;
    if (free) {
        tact_sim_write_bodies(sim, island, sim->answer.v, velocity);
        return;
    }
    for (int i = 0; i < island->dof_count; i++) {
        velocity[i] = sim->answer.v[sim->solve.arrays.dofs[i]];
    }
}

TactStatus tact_sim_visit_answers(TactSim *sim, TactSimAnswerFunction *function, void *context)
{
    TACT_NEED(sim && function, "tact_sim_visit_answers");
    TACT_TRY(tact_sim_open_last(sim));
    for (int i = 0; i < sim->islands.count; i++) {
        const TactSimIsland     *island = &sim->islands.islands[i];
        const TactProblemArrays *a = &sim->solve.arrays;
        TactContactProblem       problem;
        TactContactCertificate   certificate;
        TACT_TRY(tact_sim_make_problem(sim, &sim->solve.arrays, i, TACT_SOLVE_MOTION, &problem));
        tact_sim_recall_answer(sim, island);
        tact_sim_recall_velocity(sim, island, problem.bodies);
        TactContactAnswer answer = {.impulse = a->impulse,
                                    .row_impulse = a->row_impulse,
                                    .velocity = a->velocity,
                                    .moment = a->moment};
        TACT_TRY(tact_contact_certify_answer(&problem, sim->config.cone, &answer, &certificate));
        TACT_TRY(function(context, &problem, &answer, certificate.error));
    }
    return TACT_OK;
}

/// Who is told of problems without their answers.
typedef struct Problems {
    TactSimProblemFunction *function;
    void                   *context;
} Problems;

static TactStatus tell_problem(void *context, const TactContactProblem *problem,
                               const TactContactAnswer *answer, double error)
{
    const Problems *problems = context;
    (void)answer;
    return problems->function(problems->context, problem, error);
}

TactStatus tact_sim_visit_problems(TactSim *sim, TactSimProblemFunction *function, void *context)
{
    TACT_NEED(sim && function, "tact_sim_visit_problems");
    Problems problems = {.function = function, .context = context};
    return tact_sim_visit_answers(sim, tell_problem, &problems);
}

/// Who is told of failures alone.
typedef struct Failures {
    double                  tol;
    TactSimProblemFunction *function;
    void                   *context;
} Failures;

static TactStatus tell_failure(void *context, const TactContactProblem *problem, double error)
{
    const Failures *failures = context;
    return error <= failures->tol ? TACT_OK : failures->function(failures->context, problem, error);
}

TactStatus tact_sim_visit_failures(TactSim *sim, TactSimProblemFunction *function, void *context)
{
    TACT_NEED(sim && function, "tact_sim_visit_failures");
    Failures failures = {.tol = sim->config.tol, .function = function, .context = context};
    return tact_sim_visit_problems(sim, tell_failure, &failures);
}
