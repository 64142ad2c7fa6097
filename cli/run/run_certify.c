// `tact run --certify steps`: counts certified steps, and keeps the states of the others.
#include <stdio.h>
#include <string.h>

#include "cli/cli.h"
#include "cli/json/json.h"
#include "cli/run/run.h"

const char *const tact_run_certify_words[] = {"off", "steps", NULL};

bool tact_run_open_certifier(TactRun *run)
{
    if (run->options->steps.certify == 0) {
        return true;
    }
    TactVerifyConfig config = tact_verify_config_default();
    config.tol = run->options->steps.tol > 0 ? run->options->steps.tol : config.tol;
    if (tact_sim_certifier_create(run->sim, &config, &run->certifier) != TACT_OK) {
        tact_cli_bad("--certify: %s", tact_status_message());
        return false;
    }
    tact_sim_set_observer(run->sim, tact_sim_certifier_observe, run->certifier);
    return true;
}

/// The laws that do not hold, one sentence each.
static json_t *explain_certificate(const TactRun *run, const TactStepCertificate *certificate)
{
    json_t *failed = json_array();
    for (int i = 0; i < TACT_STEP_LAW_COUNT; i++) {
        char text[512];
        if (!certificate->laws[i].holds) {
            tact_json_append(failed,
                             tact_json_value_text(tact_step_certificate_explain(
                                 run->model, certificate, (TactStepLaw)i, text, sizeof text)));
        }
    }
    return failed;
}

static bool save(const TactRun *run, TactRunResult *result, const TactSimStepCertificate *step)
{
    const char *folder = run->options->save_failures;
    char        path[4096];
    if (!folder) {
        return true;
    }
    int length = snprintf(path, sizeof path, "%s/step-%06ld-states.json", folder, result->steps);
    if (length < 0 || (size_t)length >= sizeof path) {
        tact_cli_bad("--save-failures: the name of the folder is too long");
        return false;
    }
    int     nq = run->model->nq, nv = run->model->nv;
    json_t *object = tact_json_pack(
        "{s:s, s:o, s:I, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o}", "format", "tact-step/1", "scene",
        tact_json_value_text(run->options->file), "step", (json_int_t)result->steps, "time",
        tact_json_value_real(step->time), "h", tact_json_value_real(step->h), "correction",
        tact_json_value_real(step->correction), "failed",
        explain_certificate(run, &step->certificate), "q", tact_json_value_vector(step->q, nq), "v",
        tact_json_value_vector(step->v, nv), "q_after", tact_json_value_vector(step->q_after, nq),
        "v_after", tact_json_value_vector(step->v_after, nv));
    const char *why = NULL;
    if (tact_run_make_folder(folder)) {
        why = tact_json_write(object, JSON_REAL_PRECISION(17) | JSON_INDENT(1), path);
    } else {
        json_decref(object);
        why = "the folder cannot be made";
    }
    result->steps_judged.saved += !why;
    if (why) {
        tact_cli_bad("--save-failures: %s: %s", path, why);
    }
    return !why;
}

bool tact_run_certify_step(const TactRun *run, TactRunResult *result)
{
    TactRunJudged *judged = &result->steps_judged;
    if (!run->certifier) {
        return true;
    }
    TactSimStepCertificate     step = tact_sim_certifier_take(run->certifier);
    const TactStepCertificate *certificate = &step.certificate;
    int                        worst = -1;
    judged->total++;
    judged->certified += certificate->certified;
    judged->correction_max =
        step.correction > judged->correction_max ? step.correction : judged->correction_max;
    for (int i = 0; i < TACT_STEP_LAW_COUNT; i++) {
        bool holds = certificate->laws[i].holds;
        judged->failed[i] += !holds;
        judged->not_judged[i] += !certificate->laws[i].judged;
        worst = worst < 0 && !holds ? i : worst;
    }
    if (certificate->certified) {
        return true;
    }
    if (judged->first_step == 0) {
        judged->first_step = result->steps;
        judged->first_time = step.time;
        tact_step_certificate_explain(run->model, certificate, (TactStepLaw)worst, judged->first,
                                      sizeof judged->first);
    }
    return save(run, result, &step);
}

void tact_run_print_judged(const TactRun *run, const TactRunResult *result)
{
    const TactRunJudged *judged = &result->steps_judged;
    if (!run->certifier) {
        return;
    }
    bool all = judged->certified == judged->total;
    printf("  steps         %ld, %s%ld certified%s\n", judged->total,
           tact_cli_colour(stdout, all ? TACT_GREEN : TACT_RED), judged->certified,
           tact_cli_colour(stdout, TACT_PLAIN));
    for (int i = 0; i < TACT_STEP_LAW_COUNT; i++) {
        if (judged->failed[i] > 0) {
            printf("                %s fails in %ld steps\n", tact_step_law_name((TactStepLaw)i),
                   judged->failed[i]);
        }
        if (judged->not_judged[i] > 0) {
            printf("                %s is not judged in %ld steps\n",
                   tact_step_law_name((TactStepLaw)i), judged->not_judged[i]);
        }
    }
    if (!all) {
        printf("                first in step %ld, at %g s: %s\n", judged->first_step,
               judged->first_time, judged->first);
    }
    if (judged->saved > 0) {
        printf("                states of %ld steps written to %s\n", judged->saved,
               run->options->save_failures);
    }
}

static json_t *count_laws(const long counts[TACT_STEP_LAW_COUNT])
{
    json_t *object = json_object();
    for (int i = 0; i < TACT_STEP_LAW_COUNT; i++) {
        tact_json_set(object, tact_step_law_name((TactStepLaw)i),
                      json_integer((json_int_t)counts[i]));
    }
    return object;
}

void tact_run_add_judged(const TactRun *run, const TactRunResult *result, json_t *object)
{
    const TactRunJudged *judged = &result->steps_judged;
    if (!run->certifier) {
        return;
    }
    json_t *steps =
        tact_json_pack("{s:I, s:I, s:o, s:o}", "total", (json_int_t)judged->total, "certified",
                       (json_int_t)judged->certified, "by_part", count_laws(judged->failed),
                       "not_judged", count_laws(judged->not_judged));
    if (judged->first_step > 0) {
        tact_json_set(steps, "first",
                      tact_json_pack("{s:I, s:o, s:o}", "step", (json_int_t)judged->first_step,
                                     "time", tact_json_value_real(judged->first_time), "why",
                                     tact_json_value_text(judged->first)));
    }
    tact_json_set(object, "step_certificates", steps);
    tact_json_set(object, "correction_max", tact_json_value_real(judged->correction_max));
}
