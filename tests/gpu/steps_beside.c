#include "tests/gpu/steps_beside.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

TactModel *steps_read_text(const char *xml)
{
    TactModel          *model = NULL;
    TactModelLoadConfig config = tact_model_load_config_default();
    TactStatus status = tact_model_load_memory("text", xml, strlen(xml), &config, &model, NULL);
    if (status == TACT_UNSUPPORTED) {
        skip();
    }
    assert_int_equal(status, TACT_OK);
    return model;
}

TactModel *steps_read_shared(const char *path)
{
    const char         *shared = getenv("TACT_SHARED");
    char                name[512];
    TactModel          *model = NULL;
    TactModelLoadConfig config = tact_model_load_config_default();
    snprintf(name, sizeof name, "%s/models/%s", shared ? shared : TACT_SOURCE_DIR "/../shared",
             path);
    if (tact_model_load(name, &config, &model, NULL)) {
        print_message("  %s is not there\n", path);
        skip();
    }
    return model;
}

TactSim *steps_make_sim(const TactModel *model, TactContactCone cone)
{
    TactSim      *sim = NULL;
    TactSimConfig config = tact_sim_config_default(model);
    config.cone = cone;
    assert_int_equal(tact_sim_create(model, &config, &sim), TACT_OK);
    return sim;
}

double steps_draw(uint64_t *seed)
{
    *seed = *seed * 6364136223846793005u + 1442695040888963407u;
    return (double)(*seed >> 11) / 9007199254740992.0;
}

/// A simulation at the state of a world of the lanes.
static void put_state(TactSim *sim, const StepLanes *lanes, int world)
{
    const TactModel *model = sim->model;
    size_t           i = (size_t)world, nq = (size_t)model->nq, nv = (size_t)model->nv;
    size_t           actuators = (size_t)model->actuator_count;
    assert_int_equal(tact_sim_reset(sim, -1), TACT_OK);
    memcpy(sim->state.q, lanes->step.worlds.q + i * nq, nq * sizeof(double));
    memcpy(sim->state.v, lanes->step.worlds.v + i * nv, nv * sizeof(double));
    if (actuators > 0) {
        memcpy(sim->state.ctrl, lanes->step.worlds.ctrl + i * actuators,
               actuators * sizeof(double));
    }
    memcpy(sim->answer.q_end, sim->state.q, nq * sizeof(double));
    sim->positions.placed = false;
}

double steps_compare(const TactSim *sim, const StepLanes *lanes, int world)
{
    size_t i = (size_t)world, nq = (size_t)sim->model->nq, nv = (size_t)sim->model->nv;
    double most = 0;
    for (size_t k = 0; k < nq; k++) {
        most = fmax(most, fabs(sim->state.q[k] - lanes->step.worlds.q[i * nq + k]));
    }
    for (size_t k = 0; k < nv; k++) {
        double apart = fabs(sim->state.v[k] - lanes->step.worlds.v[i * nv + k]);
        most = fmax(most, sim->config.timestep * apart);
    }
    return most;
}

void steps_take_state(const TactSim *sim, const StepLanes *lanes, int world)
{
    size_t i = (size_t)world, nq = (size_t)sim->model->nq, nv = (size_t)sim->model->nv;
    memcpy(lanes->step.worlds.q + i * nq, sim->state.q, nq * sizeof(double));
    memcpy(lanes->step.worlds.v + i * nv, sim->state.v, nv * sizeof(double));
    lanes->step.worlds.kept[i] = 0;
}

/// Contacts with friction whose answer is unique.
enum { UNIQUE = 3 };

void steps_walk(TactSim *sim, StepLanes *lanes, int steps, double tol, StepsCompared *out)
{
    int     worlds = lanes->step.worlds.count;
    size_t  nq = (size_t)sim->model->nq, nv = (size_t)sim->model->nv;
    double *before = calloc((size_t)worlds * (nq + nv), sizeof *before);
    assert_non_null(before);
    for (int s = 0; s < steps; s++) {
        TactStepCounts counts;
        memcpy(before, lanes->step.worlds.q, (size_t)worlds * nq * sizeof *before);
        memcpy(before + (size_t)worlds * nq, lanes->step.worlds.v,
               (size_t)worlds * nv * sizeof *before);
        step_lanes_step(lanes, &counts);
        for (int i = 0; i < worlds; i++) {
            put_state(sim, lanes, i); // its controls
            memcpy(sim->state.q, before + (size_t)i * nq, nq * sizeof *before);
            memcpy(sim->answer.q_end, sim->state.q, nq * sizeof *before);
            memcpy(sim->state.v, before + (size_t)worlds * nq + (size_t)i * nv,
                   nv * sizeof *before);
            TactSimReport report;
            assert_int_equal(tact_sim_step(sim, &report), TACT_OK);
            out->steps++;
            if (lanes->step.worlds.left[i]) {
                out->left++;
                for (int k = 0; k < TACT_STEP_LEFT_REASONS; k++) {
                    out->reasons[k] += lanes->step.worlds.left[i] >> k & 1;
                }
                steps_take_state(sim, lanes, i);
                continue;
            }
            double apart = steps_compare(sim, lanes, i);
            out->error = fmax(out->error, report.error);
            bool plain = lanes->step.worlds.round[i] == 0 && report.solves <= 1 &&
                         lanes->step.problems.rough[i] <= UNIQUE;
            out->same += apart <= tol;
            out->plain += plain;
            out->worst = plain ? fmax(out->worst, apart) : out->worst;
        }
    }
    free(before);
}

void steps_expect(const StepsCompared *found, StepsWanted wanted)
{
    int made = found->steps - found->left;
    print_message("  %d steps, %d left, %d of %d the same; of %d plain ones worst %.2g\n",
                  found->steps, found->left, found->same, made, found->plain, found->worst);
    for (int k = 0; k < TACT_STEP_LEFT_REASONS; k++) {
        if (found->reasons[k] > 0) {
            print_message("    left for reason %d: %d\n", 1 << k, found->reasons[k]);
        }
    }
    assert_true(found->left <= wanted.left * found->steps);
    assert_true(found->same >= wanted.same * made);
    assert_true(found->worst <= wanted.worst);
}

void steps_run_beside(const char *xml, TactContactCone cone, int steps, double tol)
{
    TactModel     *model = steps_read_text(xml);
    TactSim       *sim = steps_make_sim(model, cone);
    StepLanes      lanes;
    TactStepCounts counts;
    assert_int_equal(tact_step_check(sim, false), TACT_OK);
    step_lanes_create(sim, 0, 1, &lanes);
    if (model->keyframe_count > 0) {
        assert_int_equal(tact_sim_reset(sim, 0), TACT_OK);
        steps_take_state(sim, &lanes, 0);
        if (model->actuator_count > 0) {
            memcpy(lanes.step.worlds.ctrl, sim->state.ctrl,
                   (size_t)model->actuator_count * sizeof(double));
        }
    }
    for (int s = 0; s < steps; s++) {
        step_lanes_step(&lanes, &counts);
        assert_int_equal(counts.left, 0);
        assert_int_equal(tact_sim_step(sim, NULL), TACT_OK);
    }
    double apart = steps_compare(sim, &lanes, 0);
    print_message("  after %d steps %.2g apart\n", steps, apart);
    assert_true(apart <= tol);
    step_lanes_destroy(&lanes);
    tact_sim_destroy(sim);
    tact_model_destroy(model);
}
