// `tact run --prove`: a proof of every contact problem of every step, as it ended.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "cli/cli.h"
#include "cli/json/json.h"
#include "cli/run/run.h"

typedef struct Prover {
    const TactRun *run;
    TactRunResult *result;
} Prover;

/// The first problem that is not proved, and why.
static void note_first(TactRunResult *result, const char *why)
{
    TactRunProved *proved = &result->proved;
    if (proved->first_step == 0) {
        proved->first_step = result->steps;
        snprintf(proved->first, sizeof proved->first, "%s", why);
    }
}

static TactStatus prove(void *context, const TactContactProblem *problem,
                        const TactContactAnswer *answer, double error)
{
    const Prover   *prover = context;
    TactRunProved  *proved = &prover->result->proved;
    TactProof      *proof = NULL;
    TactContactCone cone = tact_sim_config_default(prover->run->model).cone;
    (void)error;
    if (prover->run->options->cone >= 0) {
        cone = (TactContactCone)prover->run->options->cone;
    }
    TactStatus status = tact_prove_contact(problem, cone, answer, NULL, &proof);
    if (status == TACT_UNSUPPORTED) { // told, and the run goes on
        proved->total++;
        note_first(prover->result, tact_status_message());
        return TACT_OK;
    }
    if (status != TACT_OK) {
        return status;
    }
    const TactProofReport *report = tact_proof_view_report(proof);
    proved->total++;
    proved->proved += report->proved;
    proved->unique += report->proved && report->unique;
    proved->time += report->time;
    if (report->proved) {
        proved->radius_max = fmax(proved->radius_max, report->radius);
    } else {
        note_first(prover->result, report->why);
    }
    tact_proof_destroy(proof);
    return TACT_OK;
}

bool tact_run_prove_step(const TactRun *run, TactRunResult *result)
{
    Prover prover = {.run = run, .result = result};
    if (!run->options->prove) {
        return true;
    }
    if (tact_sim_visit_answers(run->sim, prove, &prover) != TACT_OK) {
        tact_cli_bad("--prove: %s", tact_status_message());
        return false;
    }
    return true;
}

void tact_run_print_proved(const TactRun *run, const TactRunResult *result)
{
    const TactRunProved *proved = &result->proved;
    if (!run->options->prove) {
        return;
    }
    bool all = proved->proved == proved->total;
    printf("  proofs        %ld problems, %s%ld proved%s (forces unique in %ld), within %.1e, %.2g "
           "ms each\n",
           proved->total, tact_cli_colour(stdout, all ? TACT_GREEN : TACT_RED), proved->proved,
           tact_cli_colour(stdout, TACT_PLAIN), proved->unique, proved->radius_max,
           1e3 * proved->time / (double)(proved->total > 0 ? proved->total : 1));
    if (!all) {
        printf("                first not proved in step %ld: %s\n", proved->first_step,
               proved->first);
    }
}

void tact_run_add_proved(const TactRun *run, const TactRunResult *result, json_t *object)
{
    const TactRunProved *proved = &result->proved;
    if (!run->options->prove) {
        return;
    }
    tact_json_set(json_object_get(object, "solves"), "proved",
                  json_integer((json_int_t)proved->proved));
    json_t *proofs = tact_json_pack(
        "{s:I, s:I, s:I, s:o, s:o}", "total", (json_int_t)proved->total, "proved",
        (json_int_t)proved->proved, "unique", (json_int_t)proved->unique, "radius_max",
        tact_json_value_real(proved->radius_max), "time_us",
        tact_json_value_real(1e6 * proved->time / (double)(proved->total > 0 ? proved->total : 1)));
    if (proofs && proved->first_step > 0) {
        tact_json_set(proofs, "first",
                      tact_json_pack("{s:I, s:o}", "step", (json_int_t)proved->first_step, "why",
                                     tact_json_value_text(proved->first)));
    }
    tact_json_set(object, "proofs", proofs);
}
