// Runs a scene of the humanoid. It goes on with the ladder's answers; the other methods solve the
// problem of each frame beside it, all of them the same ones.
#include "bench/yamane/papers_humanoid.h"

#include <math.h>
#include <stdlib.h>

#include "bench/watch.h"
#include "bench/yamane/papers_tableau.h"

enum { MOST_CONTACTS = 64, MOST_ROWS = 32 };

static const double GRAVITY = 9.81;     // of the scenes
static const double PAPER_ERROR = 1e-3; // what the paper takes for an error
static const double PRESSES = 1e-9;     // N s: a contact with less has no force

typedef struct Choice {
    const char       *name;
    TactContactMethod method;
    TactLcpMethod     lcp;
    double            threshold;
} Choice;

static const Choice choices[TACT_HUMANOID_METHODS] = {
    [TACT_HUMANOID_LEMKE] = {"lemke", TACT_METHOD_LCP, TACT_LCP_METHOD_LEMKE, 0},
    [TACT_HUMANOID_LEX_0] = {"lemke-lex, 0", TACT_METHOD_LCP, TACT_LCP_METHOD_LEMKE_LEX, 0},
    [TACT_HUMANOID_LEX_8] = {"lemke-lex, 1e-8", TACT_METHOD_LCP, TACT_LCP_METHOD_LEMKE_LEX, 1e-8},
    [TACT_HUMANOID_LEX_6] = {"lemke-lex, 1e-6", TACT_METHOD_LCP, TACT_LCP_METHOD_LEMKE_LEX, 1e-6},
    [TACT_HUMANOID_LEX_4] = {"lemke-lex, 1e-4", TACT_METHOD_LCP, TACT_LCP_METHOD_LEMKE_LEX, 1e-4},
    [TACT_HUMANOID_LEX_10] = {"lemke-lex, 1e-10", TACT_METHOD_LCP, TACT_LCP_METHOD_LEMKE_LEX,
                              1e-10},
    [TACT_HUMANOID_SEARCH] = {"search", TACT_METHOD_LCP, TACT_LCP_METHOD_SEARCH, 0},
    [TACT_HUMANOID_LADDER] = {"ladder", TACT_METHOD_LADDER, TACT_LCP_METHOD_SEARCH, 0},
};

// Pivots smaller than this, over the largest entry of the column, are rounding of zeros.
static const double SMALL_PIVOT = 1e-10;

// Frames that a tableau is asked for, of a motion; and where it is made anew for every pivot.
enum { TABLEAU_FRAMES = 1000, RENEWED_FRAMES = 40 };

static const TactTableauRule rules[TACT_HUMANOID_TABLEAUX] = {
    [TACT_HUMANOID_TABLEAU_LEAST] = {.name = "tableau, least index"},
    [TACT_HUMANOID_TABLEAU_EQUILIBRATED] = {.name = "tableau, least index, equilibrated",
                                            .equilibrated = true},
    [TACT_HUMANOID_TABLEAU_RENEWED] = {.name = "tableau, least index, anew for every pivot",
                                       .renewed = true},
    [TACT_HUMANOID_TABLEAU_LEX_0] = {.name = "tableau, lex, 0",
                                     .lexicographic = true,
                                     .least_pivot = SMALL_PIVOT},
    [TACT_HUMANOID_TABLEAU_LEX_8] = {.name = "tableau, lex, 1e-8",
                                     .lexicographic = true,
                                     .threshold = 1e-8,
                                     .least_pivot = SMALL_PIVOT},
    [TACT_HUMANOID_TABLEAU_LEX_8_ANY] = {.name = "tableau, lex, 1e-8, pivots of any size",
                                         .lexicographic = true,
                                         .threshold = 1e-8},
    [TACT_HUMANOID_TABLEAU_LEX_6] = {.name = "tableau, lex, 1e-6",
                                     .lexicographic = true,
                                     .threshold = 1e-6,
                                     .least_pivot = SMALL_PIVOT},
    [TACT_HUMANOID_TABLEAU_LEX_4] = {.name = "tableau, lex, 1e-4",
                                     .lexicographic = true,
                                     .threshold = 1e-4,
                                     .least_pivot = SMALL_PIVOT},
};

const char *tact_humanoid_tableau_name(TactHumanoidTableau tableau)
{
    return rules[tableau].name;
}

const char *tact_humanoid_method_name(TactHumanoidMethod method)
{
    return choices[method].name;
}

// ---------------------------------------------------------------------------------------------
// Methods

typedef struct Methods {
    TactHumanoidRun   *run;
    TactContactSolver *solvers[TACT_HUMANOID_METHODS];
    TactContactSolver *first; // the first of the search's two steps
    double             impulse[3 * MOST_CONTACTS];
    int                frame; // of the motion
} Methods;

static void destroy_methods(Methods *methods)
{
    for (int m = 0; m < TACT_HUMANOID_METHODS; m++) {
        tact_contact_solver_destroy(methods->solvers[m]);
    }
    tact_contact_solver_destroy(methods->first);
}

static TactStatus create_methods(Methods *methods, const TactModel *model)
{
    TactContactCapacity capacity = {
        .contacts = MOST_CONTACTS,
        .rows = MOST_ROWS,
        .dof = model->nv,
        .support = model->nv,
        .dense = true,
    };
    TactStatus status = TACT_OK;
    for (int m = 0; m < TACT_HUMANOID_METHODS && status == TACT_OK; m++) {
        TactContactConfig config = tact_contact_config_default(choices[m].method);
        config.cone = TACT_CONE_PYRAMID; // the paper's LCP, with 8 directions as in the paper
        config.lcp_method = choices[m].lcp;
        config.lex_tol = choices[m].threshold;
        if (choices[m].method == TACT_METHOD_LCP) {
            config.start = TACT_START_FRICTIONLESS; // the paper's two steps, IV-C
        }
        status = tact_contact_solver_create(&capacity, &config, &methods->solvers[m]);
        if (m == TACT_HUMANOID_SEARCH && status == TACT_OK) {
            status = tact_contact_solver_create(&capacity, &config, &methods->first);
        }
    }
    return status;
}

static void count(const TactContactReport *report, TactHumanoidTally *tally)
{
    double error = report->certificate.error;
    tally->frames++;
    switch (report->outcome) {
    case TACT_OUTCOME_SOLVED:
        tally->solved++;
        tally->worst = fmax(tally->worst, error);
        break;
    case TACT_OUTCOME_RAY: tally->no_solution++; break;
    case TACT_OUTCOME_CYCLE: tally->cycle++; break;
    case TACT_OUTCOME_UNVERIFIED:
    case TACT_OUTCOME_LIMIT:
    case TACT_OUTCOME_SINGULAR:
    case TACT_OUTCOME_UNBOUNDED:
        tally->error++;
        tally->close += error <= PAPER_ERROR;
        break;
    }
}

static void count_tableau(TactTableauOutcome outcome, bool close, TactHumanoidTally *tally)
{
    tally->frames++;
    tally->solved += outcome == TACT_TABLEAU_SOLVED;
    tally->no_solution += outcome == TACT_TABLEAU_NO_SOLUTION;
    tally->cycle += outcome == TACT_TABLEAU_CYCLE;
    tally->error += outcome == TACT_TABLEAU_ERROR;
    tally->close += outcome != TACT_TABLEAU_SOLVED && close;
}

static TactStatus solve_by_tableaux(Methods *methods, const TactContactProblem *problem)
{
    int          frames = methods->run->frames;
    int          every = 1 + (frames - 1) / TABLEAU_FRAMES;
    int          rarely = 1 + (frames - 1) / RENEWED_FRAMES;
    TactFrameLcp lcp = {0};
    double       z[MOST_CONTACTS * 10];
    if (methods->frame % every != 0 && methods->frame % rarely != 0) {
        return TACT_OK;
    }
    TactStatus status = tact_frame_lcp_create(problem, &lcp);
    for (int k = 0; k < TACT_HUMANOID_TABLEAUX && status == TACT_OK; k++) {
        TactHumanoidTally *tally = &methods->run->tableaux[k];
        TactTableauOutcome outcome;
        bool               close;
        if (methods->frame % (rules[k].renewed ? rarely : every) != 0) {
            continue;
        }
        TactWatch watch = tact_watch_start();
        status = tact_tableau_solve(&lcp, &rules[k], z, &tally->pivots, &close, &outcome);
        tally->time += tact_watch_stop(&watch);
        if (status != TACT_OK) {
            break;
        }
        count_tableau(outcome, close, tally);
        for (int i = 0; i < lcp.contacts && outcome == TACT_TABLEAU_SOLVED; i++) {
            tally->active += z[i] * problem->step > PRESSES;
        }
    }
    tact_frame_lcp_destroy(&lcp);
    return status;
}

/// Pivots of the first step alone: the problem has no friction then, and the second nothing to do.
static TactStatus count_first_step(Methods *methods, const TactContactProblem *problem)
{
    TactContact        bare[MOST_CONTACTS];
    TactContactProblem without = *problem;
    TactContactReport  report;
    for (int i = 0; i < problem->contact_count; i++) {
        bare[i] = problem->contacts[i];
        bare[i].mu = 0;
    }
    without.contacts = bare;
    TactStatus status = tact_contact_solve(
        methods->first, &without, &(TactContactAnswer){.impulse = methods->impulse}, &report);
    methods->run->first += status == TACT_OK ? report.pivots : 0;
    return status;
}

static TactStatus solve_by_all(void *context, const TactContactProblem *problem, double error)
{
    (void)error;
    Methods *methods = context;
    if (problem->contact_count == 0) {
        return TACT_OK;
    }
    for (int m = 0; m < TACT_HUMANOID_METHODS; m++) {
        TactContactAnswer answer = {.impulse = methods->impulse};
        TactContactReport report;
        TactWatch         watch = tact_watch_start();
        TactStatus status = tact_contact_solve(methods->solvers[m], problem, &answer, &report);
        double     time = tact_watch_stop(&watch);
        if (status != TACT_OK) {
            return status;
        }
        TactHumanoidTally *tally = &methods->run->tallies[m];
        count(&report, tally);
        tally->time += time;
        tally->pivots += report.pivots;
        for (int i = 0; i < problem->contact_count && report.outcome == TACT_OUTCOME_SOLVED; i++) {
            tally->active += methods->impulse[3 * i] > PRESSES;
        }
    }
    methods->run->contacts += problem->contact_count;
    TactStatus status = count_first_step(methods, problem);
    return status == TACT_OK ? solve_by_tableaux(methods, problem) : status;
}

// ---------------------------------------------------------------------------------------------
// The robot

/// Height of the centre of mass of all that moves.
static double compute_height(const TactModel *model, const double *q, TactTransform *poses)
{
    double moment = 0;
    tact_model_compute_poses(model, q, poses);
    for (int i = 1; i < model->body_count; i++) {
        const TactBody *body = &model->bodies[i];
        moment += body->inertia.mass * tact_transform_point(poses[i], body->inertia.com).z;
    }
    return moment / model->mass;
}

/// Upward force of the floor, which belongs to body 0.
static double compute_force(const TactSim *sim)
{
    int                   contact_count;
    const TactSimContact *contacts = tact_sim_view_contacts(sim, &contact_count);
    double                force = 0;
    for (int i = 0; i < contact_count; i++) {
        double up = tact_sim_contact_get_force(&contacts[i]).z;
        force += contacts[i].body[0] == 0 ? up : contacts[i].body[1] == 0 ? -up : 0;
    }
    return force;
}

double tact_humanoid_needed(const TactHumanoidRun *run, int frame)
{
    const double *z = run->height + frame;
    double        h = run->time[1] - run->time[0];
    return run->mass * (GRAVITY + (z[1] - 2 * z[0] + z[-1]) / (h * h));
}

// ---------------------------------------------------------------------------------------------
// Frames

static TactStatus make_frames(TactPapers *papers, const TactModel *model, TactSim *sim,
                              TactHumanoidRun *run, Methods *methods, TactTransform *poses)
{
    TactSimState *state = tact_sim_view_state(sim);
    TactStatus    status = TACT_OK;
    run->height[0] = compute_height(model, state->q, poses);
    for (int k = 0; k < run->frames && status == TACT_OK; k++) {
        TactSimReport report;
        run->time[k] = state->time;
        status = tact_sim_step(sim, &report);
        if (status == TACT_OK) {
            run->rest_time += report.step_time - report.solve_time;
            run->force[k] = compute_force(sim);
            run->height[k + 1] = compute_height(model, state->q, poses);
            run->tilt = fmax(run->tilt, 2 * asin(fmin(1, hypot(state->q[4], state->q[5]))));
            methods->frame = k;
            status = tact_sim_visit_problems(sim, solve_by_all, methods);
        }
        for (int s = 0; s < run->shot_count; s++) {
            if (run->shots[s].frame == k + 1) {
                tact_papers_picture(papers, sim, model, run->camera, run->shots[s].caption);
            }
        }
        if (k % 50 == 0) {
            tact_papers_progress(papers, run->share_begin +
                                             (run->share_end - run->share_begin) * k / run->frames);
        }
    }
    return status;
}

static TactStatus run_model(TactPapers *papers, const TactModel *model, TactHumanoidRun *run)
{
    TactSim       *sim = NULL;
    Methods        methods = {.run = run};
    size_t         frames = (size_t)run->frames;
    TactTransform *poses = calloc((size_t)model->body_count, sizeof *poses);
    run->time = calloc(frames, sizeof *run->time);
    run->force = calloc(frames, sizeof *run->force);
    run->height = calloc(frames + 1, sizeof *run->height);
    run->mass = model->mass;
    run->weight = model->mass * GRAVITY;
    TactSimConfig config = tact_sim_config_default(model);
    config.cone = TACT_CONE_PYRAMID;
    TactStatus status = TACT_NO_MEMORY;
    if (poses && run->time && run->force && run->height) {
        status = create_methods(&methods, model);
    }
    if (status == TACT_OK) {
        status = tact_sim_create(model, &config, &sim);
    }
    if (status == TACT_OK) {
        tact_papers_begin_strip(papers);
        status = make_frames(papers, model, sim, run, &methods, poses);
        tact_papers_end_strip(papers);
    }
    destroy_methods(&methods);
    tact_sim_destroy(sim);
    free(poses);
    return status;
}

TactStatus tact_humanoid_run(TactPapers *papers, TactHumanoidRun *run)
{
    TactModel *model = NULL;
    TactStatus status = tact_papers_load_scene(papers, run->scene, &model);
    if (status == TACT_OK) {
        status = run_model(papers, model, run);
    }
    tact_model_destroy(model);
    return status;
}

void tact_humanoid_run_free(TactHumanoidRun *run)
{
    free(run->time);
    free(run->force);
    free(run->height);
}
