#include "prove/contact.h"

#include <math.h>

#include "base/status.h"
#include "prove/proof.h"
#include "prove/states.h"

double tact_prove_largest(const double *x, int count)
{
    double most = 0;
    for (int i = 0; i < count; i++) {
        most = fmax(most, fabs(x[i]));
    }
    return most;
}

double tact_prove_largest_speed(const TactContactProblem *problem, const TactContactAnswer *answer)
{
    double most = tact_prove_largest(answer->velocity, tact_contact_dof(problem));
    if (problem->M) {
        most = fmax(most, tact_prove_largest(problem->v, problem->nv));
    }
    for (int k = 0; problem->bodies && k < problem->body_count; k++) {
        most = fmax(most, tact_prove_largest(problem->bodies[k].velocity, 3));
        most = fmax(most, tact_prove_largest(problem->bodies[k].omega, 3));
    }
    for (int i = 0; i < problem->contact_count + problem->row_count; i++) {
        int    r = i - problem->contact_count;
        double push = r < 0 ? tact_prove_largest(answer->impulse + 3 * (size_t)i, 3)
                            : fabs(answer->row_impulse[r]);
        most = fmax(most, push > 0 ? tact_states_weight(problem, i) * push : 0);
    }
    return most;
}

static TactStatus check_answer(const TactContactProblem *problem, const TactContactAnswer *answer)
{
    int dof = tact_contact_dof(problem);
    TACT_NEED(answer->impulse || problem->contact_count == 0, "tact_prove_contact");
    TACT_NEED(answer->row_impulse || problem->row_count == 0, "tact_prove_contact");
    TACT_NEED(answer->velocity || dof == 0, "tact_prove_contact");
    const double *parts[] = {answer->impulse, answer->row_impulse, answer->velocity};
    const int     counts[] = {3 * problem->contact_count, problem->row_count, dof};
    const char   *names[] = {"impulse", "row_impulse", "velocity"};
    for (int k = 0; k < 3; k++) {
        for (int i = 0; i < counts[k]; i++) {
            if (!isfinite(parts[k][i])) {
                return tact_fail(TACT_BAD_INPUT, "tact_prove_contact: %s[%d] is not finite",
                                 names[k], i);
            }
        }
    }
    return TACT_OK;
}

static TactStatus prove(const TactContactProblem *problem, TactContactCone cone,
                        const TactContactAnswer *answer, const TactProofConfig *config,
                        TactProof *proof)
{
    if (cone == TACT_CONTACT_CIRCLE) {
        return tact_prove_circle(problem, answer, config, proof);
    }
#ifdef TACT_HAVE_GMP
    return tact_prove_pyramid(problem, cone, answer, config, proof);
#else
    (void)problem, (void)answer, (void)config, (void)proof;
    return tact_fail(TACT_UNSUPPORTED,
                     "a rational proof needs GMP, and tact was built without: --cone circle has a "
                     "proof by intervals");
#endif
}

TactStatus tact_prove_contact(const TactContactProblem *problem, TactContactCone cone,
                              const TactContactAnswer *answer, const TactProofConfig *config,
                              TactProof **proof)
{
    TACT_NEED(problem && answer && proof, "tact_prove_contact");
    TACT_TRY(tact_contact_check(problem));
    TACT_TRY(check_answer(problem, answer));
    TactProofConfig copy;
    TactProof      *made = NULL;
    double          start = tact_time_now();
    bool            circle = cone == TACT_CONTACT_CIRCLE;
    TACT_TRY(tact_proof_check_config(config, &copy));
    TACT_TRY(tact_proof_create(circle ? TACT_PROOF_INTERVAL : TACT_PROOF_RATIONAL, &made));
    TactStatus status = prove(problem, cone, answer, &copy, made);
    if (status != TACT_OK) {
        tact_proof_destroy(made);
        return status;
    }
    made->report.time = tact_time_now() - start;
    *proof = made;
    return TACT_OK;
}
