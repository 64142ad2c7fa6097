// A mechanism of Baraff's paper, stepped and watched.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "bench/papers/papers_baraff.h"
#include "bench/watch.h"

static const struct {
    const char       *name;
    TactContactMethod method;
} methods[TACT_MECHANISM_METHODS] = {
    {"baraff, the paper's", TACT_METHOD_BARAFF},
    {"reduced", TACT_METHOD_REDUCED},
    {"ladder", TACT_METHOD_LADDER},
};

TactStatus tact_mechanism_open(TactPapers *papers, const char *scene, const TactMechanismWay *way,
                               TactMechanism *mechanism)
{
    *mechanism = (TactMechanism){.papers = papers, .scene = scene};
    for (int m = 0; m < TACT_MECHANISM_METHODS; m++) {
        mechanism->methods[m].name = methods[m].name;
    }
    TactStatus status = tact_papers_load_scene(papers, scene, &mechanism->model);
    if (status == TACT_OK) {
        TactSimConfig config = tact_sim_config_default(mechanism->model);
        config.method = way->method;
        config.timestep = way->step > 0 ? way->step : config.timestep;
        config.friction_scale = way->friction > 0 ? way->friction : config.friction_scale;
        status = tact_sim_create(mechanism->model, &config, &mechanism->sim);
    }
    if (status == TACT_OK) {
        status = tact_sim_reset(mechanism->sim, 0);
        mechanism->state = tact_sim_view_state(mechanism->sim);
    }
    return status;
}

void tact_mechanism_close(TactMechanism *mechanism)
{
    tact_sim_destroy(mechanism->sim);
    tact_model_destroy(mechanism->model);
}

TactStatus tact_mechanism_step(TactMechanism *mechanism)
{
    TactSimReport report;
    TactWatch     watch = tact_watch_start();
    TactStatus    status = tact_sim_step(mechanism->sim, &report);
    double        seconds = tact_watch_stop(&watch);
    if (status == TACT_OK) {
        mechanism->steps++;
        mechanism->contacts += report.contacts;
        mechanism->most_contacts =
            report.contacts > mechanism->most_contacts ? report.contacts : mechanism->most_contacts;
        mechanism->solves += report.islands;
        mechanism->certified += report.certified;
        mechanism->error = fmax(mechanism->error, report.error);
        mechanism->loop_error = fmax(mechanism->loop_error, report.loop_error);
        mechanism->seconds += seconds;
        mechanism->longest = fmax(mechanism->longest, seconds);
    }
    return status;
}

int tact_mechanism_joint(const TactMechanism *mechanism, const char *name)
{
    int index = tact_model_find(mechanism->model, TACT_OBJECT_JOINT, name);
    return index < 0 ? 0 : mechanism->model->joints[index].q;
}

// ---------------------------------------------------------------------------------------------
// Other methods

static TactStatus solve(TactContactMethod method, const TactContactProblem *problem,
                        TactMechanismTimes *times)
{
    TactContactCapacity capacity = tact_contact_get_capacity(problem);
    TactContactConfig   config = tact_contact_config_default(method);
    TactContactSolver  *solver = NULL;
    TactContactReport   report = {0};
    double             *impulse = calloc(3 * (size_t)problem->contact_count + 1, sizeof *impulse);
    TactContactAnswer   answer = {.impulse = impulse};
    config.cone = TACT_CONE_CIRCLE;
    TactStatus status =
        impulse ? tact_contact_solver_create(&capacity, &config, &solver) : TACT_NO_MEMORY;
    if (status == TACT_OK) {
        TactWatch watch = tact_watch_start();
        status = tact_contact_solve(solver, problem, &answer, &report);
        double seconds = tact_watch_stop(&watch);
        times->problems++;
        times->certified += status == TACT_OK && report.outcome == TACT_OUTCOME_SOLVED;
        times->seconds += seconds;
        times->longest = fmax(times->longest, seconds);
    }
    tact_contact_solver_destroy(solver);
    free(impulse);
    return status;
}

static TactStatus solve_all(void *context, const TactContactProblem *problem, double error)
{
    (void)error;
    TactMechanism *mechanism = context;
    TactStatus     status = TACT_OK;
    for (int m = 0; m < TACT_MECHANISM_METHODS && status == TACT_OK; m++) {
        status = solve(methods[m].method, problem, &mechanism->methods[m]);
    }
    return status;
}

TactStatus tact_mechanism_compare(TactMechanism *mechanism)
{
    return tact_sim_visit_problems(mechanism->sim, solve_all, mechanism);
}

// ---------------------------------------------------------------------------------------------
// Rows

void tact_mechanism_row(const TactMechanism *mechanism)
{
    const double paper = 30; // frames a second [Baraff94, 7]: 20 to 30
    double       mean = mechanism->seconds / mechanism->steps;
    tact_papers_row(mechanism->papers,
                    "%s | %d | %.1f | %d | %d | %d of %d | %.0e | 20-30 | %.0f | %.0f | %.1f",
                    mechanism->scene, mechanism->model->nv,
                    (double)mechanism->contacts / mechanism->steps, mechanism->most_contacts,
                    mechanism->steps, mechanism->certified, mechanism->solves, mechanism->error,
                    1 / mean, 1 / (paper * mean), mechanism->state->time / mechanism->seconds);
}

void tact_mechanism_method_rows(const TactMechanism *mechanism)
{
    for (int m = 0; m < TACT_MECHANISM_METHODS; m++) {
        const TactMechanismTimes *times = &mechanism->methods[m];
        tact_papers_row(mechanism->papers, "%s | %s | %d | %d | %.1f | %.0f", mechanism->scene,
                        times->name, times->problems, times->certified,
                        1e6 * times->seconds / times->problems, 1e6 * times->longest);
    }
}
