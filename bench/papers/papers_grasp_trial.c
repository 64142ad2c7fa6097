// All methods on the contact problems of a scene, as they come step by step.
#include <math.h>
#include <stdlib.h>

#include "bench/papers/papers_grasp.h"
#include "bench/watch.h"

// Islands of a step that have contacts: each keeps solvers of its own, that remember it. More are
// left out.
enum {
    MOST_ISLANDS = 4,
    MOST_CONTACTS = TACT_GRASP_MOST_CONTACTS,
    MOST_ROWS = 192,
    MOST_DOF = 128
};

/// One problem by one method.
typedef struct Solve {
    double seconds;
    double error;
    bool   certified;
} Solve;

typedef struct Problem {
    int   contacts;
    Solve solves[TACT_GRASP_METHODS];
} Problem;

struct TactGraspTrial {
    TactContactSolver *solvers[MOST_ISLANDS][TACT_GRASP_METHODS];
    double             impulse[3 * MOST_CONTACTS];
    Problem           *problems; // (room)
    int                room, count;
    int                pass;
    int                next;   // problem of this pass
    int                island; // of this step
};

typedef struct Method {
    const char       *name;
    TactContactMethod method;
    TactContactCone   cone;
    TactLcpMethod     lcp;    // of lcp and box
    int               boxes;  // friction boxes at most; 0: until they are those of the answer
    bool              cold;   // forgets the problem before
    int               passes; // that are timed at most; 0: all
} Method;

// pgs takes up to a third of a second for a problem.
static const Method methods[TACT_GRASP_METHODS] = {
    [TACT_GRASP_LEMKE] = {.name = "lemke",
                          .method = TACT_METHOD_LCP,
                          .cone = TACT_CONE_PYRAMID,
                          .lcp = TACT_LCP_METHOD_LEMKE,
                          .cold = true},
    [TACT_GRASP_PGS] = {.name = "pgs",
                        .method = TACT_METHOD_BOX,
                        .cone = TACT_CONE_BOX,
                        .lcp = TACT_LCP_METHOD_PGS,
                        .passes = 2},
    [TACT_GRASP_PGS_SM] = {.name = "pgs-sm",
                           .method = TACT_METHOD_BOX,
                           .cone = TACT_CONE_BOX,
                           .lcp = TACT_LCP_METHOD_PGS_SM},
    [TACT_GRASP_PGS_ONCE] = {.name = "pgs, one box",
                             .method = TACT_METHOD_BOX,
                             .cone = TACT_CONE_BOX,
                             .lcp = TACT_LCP_METHOD_PGS,
                             .boxes = 1},
    [TACT_GRASP_PGS_SM_ONCE] = {.name = "pgs-sm, one box",
                                .method = TACT_METHOD_BOX,
                                .cone = TACT_CONE_BOX,
                                .lcp = TACT_LCP_METHOD_PGS_SM,
                                .boxes = 1},
    [TACT_GRASP_REDUCED] = {.name = "reduced, cold",
                            .method = TACT_METHOD_REDUCED,
                            .cone = TACT_CONE_PYRAMID,
                            .cold = true},
    [TACT_GRASP_REDUCED_WARM] = {.name = "reduced, warm",
                                 .method = TACT_METHOD_REDUCED,
                                 .cone = TACT_CONE_PYRAMID},
    [TACT_GRASP_LADDER] = {.name = "ladder, warm",
                           .method = TACT_METHOD_LADDER,
                           .cone = TACT_CONE_CIRCLE},
};

const char *tact_grasp_method_name(TactGraspMethod method)
{
    return methods[method].name;
}

const char *tact_grasp_method_cone(TactGraspMethod method)
{
    return tact_contact_cone_name(methods[method].cone);
}

// ---------------------------------------------------------------------------------------------

static TactStatus create_solver(int m, TactContactSolver **solver)
{
    TactContactCapacity capacity = {.contacts = MOST_CONTACTS,
                                    .rows = MOST_ROWS,
                                    .dof = MOST_DOF,
                                    .support = MOST_DOF,
                                    .dense = true};
    TactContactConfig   config = tact_contact_config_default(methods[m].method);
    config.cone = methods[m].cone;
    config.lcp_method = methods[m].lcp;
    config.max_sweeps = methods[m].boxes ? methods[m].boxes : config.max_sweeps;
    return tact_contact_solver_create(&capacity, &config, solver);
}

TactStatus tact_grasp_trial_create(TactGraspTrial **trial)
{
    TactGraspTrial *t = calloc(1, sizeof *t);
    *trial = t;
    if (!t) {
        return TACT_NO_MEMORY;
    }
    TactStatus status = TACT_OK;
    for (int i = 0; i < MOST_ISLANDS; i++) {
        for (int m = 0; m < TACT_GRASP_METHODS && status == TACT_OK; m++) {
            status = create_solver(m, &t->solvers[i][m]);
        }
    }
    return status;
}

void tact_grasp_trial_destroy(TactGraspTrial *trial)
{
    if (trial) {
        for (int i = 0; i < MOST_ISLANDS; i++) {
            for (int m = 0; m < TACT_GRASP_METHODS; m++) {
                tact_contact_solver_destroy(trial->solvers[i][m]);
            }
        }
        free(trial->problems);
        free(trial);
    }
}

static TactStatus solve(TactGraspTrial *t, const TactContactProblem *problem, int m, Solve *best)
{
    TactContactSolver *solver = t->solvers[t->island][m];
    TactContactAnswer  answer = {.impulse = t->impulse};
    TactContactReport  report;
    if (methods[m].cold) {
        tact_contact_solver_forget(solver);
    }
    TactWatch  watch = tact_watch_start();
    TactStatus status = tact_contact_solve(solver, problem, &answer, &report);
    double     seconds = tact_watch_stop(&watch);
    if (status == TACT_OK) {
        best->seconds = fmin(best->seconds, seconds);
        best->error = report.certificate.error;
        best->certified = report.outcome == TACT_OUTCOME_SOLVED;
    }
    return status;
}

/// Room for one more problem, which no one has solved yet.
static TactStatus grow(TactGraspTrial *t, int contacts)
{
    if (t->count == t->room) {
        int   room = 2 * t->room + 1024;
        void *grown = realloc(t->problems, (size_t)room * sizeof *t->problems);
        if (!grown) {
            return TACT_NO_MEMORY;
        }
        t->problems = grown;
        t->room = room;
    }
    Problem *problem = &t->problems[t->count++];
    problem->contacts = contacts;
    for (int m = 0; m < TACT_GRASP_METHODS; m++) {
        problem->solves[m] = (Solve){.seconds = HUGE_VAL};
    }
    return TACT_OK;
}

static TactStatus visit(void *context, const TactContactProblem *problem, double error)
{
    (void)error;
    TactGraspTrial *t = context;
    if (problem->contact_count == 0 || t->island == MOST_ISLANDS) {
        return TACT_OK;
    }
    TactStatus status = t->next == t->count ? grow(t, problem->contact_count) : TACT_OK;
    for (int m = 0; m < TACT_GRASP_METHODS && status == TACT_OK; m++) {
        if (!methods[m].passes || t->pass < methods[m].passes) {
            status = solve(t, problem, m, &t->problems[t->next].solves[m]);
        }
    }
    t->next++;
    t->island++;
    return status;
}

TactStatus tact_grasp_trial_run(TactGraspTrial *trial, TactSim *sim, double seconds, int passes)
{
    TactSimState *state = tact_sim_view_state(sim);
    int           first = trial->count;
    TactStatus    status = TACT_OK;
    for (trial->pass = 0; trial->pass < passes && status == TACT_OK; trial->pass++) {
        trial->next = first;
        for (int i = 0; i < MOST_ISLANDS; i++) {
            for (int m = 0; m < TACT_GRASP_METHODS; m++) {
                tact_contact_solver_forget(trial->solvers[i][m]);
            }
        }
        status = tact_sim_reset(sim, 0);
        while (status == TACT_OK && state->time < seconds) {
            TactSimReport report;
            trial->island = 0;
            status = tact_sim_step(sim, &report);
            status = status == TACT_OK ? tact_sim_visit_problems(sim, visit, trial) : status;
        }
    }
    return status;
}

// ---------------------------------------------------------------------------------------------

int tact_grasp_trial_problems(const TactGraspTrial *trial)
{
    return trial->count;
}

int tact_grasp_trial_count(const TactGraspTrial *trial, int contacts)
{
    int count = 0;
    for (int i = 0; i < trial->count; i++) {
        count += trial->problems[i].contacts == contacts;
    }
    return count;
}

TactGraspTimes tact_grasp_trial_times(const TactGraspTrial *trial, TactGraspMethod method,
                                      int contacts)
{
    TactGraspTimes times = {.min = HUGE_VAL};
    int            count = 0;
    for (int i = 0; i < trial->count; i++) {
        const Solve *s = &trial->problems[i].solves[method];
        if (contacts > 0 && trial->problems[i].contacts != contacts) {
            continue;
        }
        times.min = fmin(times.min, s->seconds);
        times.max = fmax(times.max, s->seconds);
        times.mean += s->seconds;
        times.certified += s->certified;
        times.error = fmax(times.error, s->error);
        count++;
    }
    times.mean /= count > 0 ? count : 1;
    return times;
}
