// The DART notes: articulated scenes through the standard-form LCP [DART, eq. 15], as printed and
// with what section 5 does for its conditioning, each as the simulation's own solver: same motion?
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "bench/papers/papers.h"
#include "bench/problems/problems.h"

#define SOFTNESS 1e-6             // cfm over the mean diagonal, and the eps of 1 + eps
static const double OTHER = 1e-6; // m/s or rad/s

enum { FORMS = 5, FORM_IMPULSE = 3 };

/// The forms of the notes, by the library (contact.h).
static const struct {
    const char     *name;
    TactContactForm form;
    bool            balanced;
    double          factor; // the eps of 1 + eps
    double          softness;
} forms[FORMS] = {
    {"eq. 15 as printed, in forces", TACT_FORM_FORCE, false, 0, 0},
    {"E and mu times dt (section 5)", TACT_FORM_SCALED, false, 0, 0},
    {"the same, diagonal times 1 + eps (section 5)", TACT_FORM_SCALED, false, SOFTNESS, 0},
    [FORM_IMPULSE] = {"impulses, D A D (erratum D2)", TACT_FORM_IMPULSE, true, 0, 0},
    {"impulses, D A D, with cfm (erratum D1)", TACT_FORM_IMPULSE, true, 0, SOFTNESS},
};

typedef struct Scene {
    const char *name;
    const char *file;
    double      seconds;
} Scene;

/// What one form did on one scene.
typedef struct Tally {
    int    problems;
    int    solved[2];    // by lemke, lemke-lex
    double certified;    // largest error of an answer as the contact problem's
    double velocity;     // largest difference from the ladder's of the same problem, m/s, rad/s
    int    others;       // problems in which it is another answer: it differs by more than OTHER
    int    parted;       // the first step with one; -1: none
    double way;          // of q from the ladder's run before that
    int    conditioned;  // problems of which the condition was computed
    double condition[2]; // least and largest
    int    rank, size;   // of the one with the largest
} Tally;

/// One run: the simulation, and the form that decides its velocities (FORMS: the ladder).
typedef struct Run {
    const TactModel *model;
    TactSim         *sim;
    int              form;
    Tally            tally;
    int              step;
    double          *velocity; // of the form, if there is one                        (nv)
    bool             decided;
} Run;

// ---------------------------------------------------------------------------------------------
// One problem

static TactStatus solve_by(const TactLcpProblem *problem, TactLcpMethod method, double *z,
                           bool *solved)
{
    TactLcpConfig  config = tact_lcp_config_default(method);
    TactLcpReport  report;
    TactLcpSolver *solver;
    *solved = false;
    TactStatus status = tact_lcp_solver_create(problem->n, &config, &solver);
    if (status == TACT_OK) {
        status = tact_lcp_solve(solver, problem, z, &report);
        *solved = status == TACT_OK && report.outcome == TACT_LCP_OUTCOME_SOLVED;
        tact_lcp_solver_destroy(solver);
    }
    return status;
}

static void measure_condition(Run *run, const TactLcpProblem *lcp)
{
    enum { EVERY = 50 };
    size_t  count = (size_t)lcp->n * (size_t)lcp->n;
    double *copy = run->step % EVERY == 0 ? malloc(count * sizeof *copy) : NULL;
    if (copy) {
        Tally *tally = &run->tally;
        memcpy(copy, lcp->M, count * sizeof *copy);
        TactFormCondition condition = tact_form_condition(copy, lcp->n);
        bool              first = tally->conditioned++ == 0;
        tally->condition[0] = first ? condition.value : fmin(tally->condition[0], condition.value);
        if (first || condition.value > tally->condition[1]) {
            tally->condition[1] = condition.value;
            tally->rank = condition.rank;
            tally->size = lcp->n;
        }
        free(copy);
    }
}

/// Mean of the diagonal of normals and friction in impulses: what cfm is measured by.
static TactStatus find_mean(const TactContactProblem *problem, double *mean)
{
    TactContactLcpConfig plain = tact_contact_lcp_config_default();
    TactContactLcp      *lcp;
    plain.balanced = false;
    TactStatus status = tact_contact_lcp_create(problem, &plain, &lcp);
    if (status == TACT_OK) {
        const TactLcpProblem *form = tact_contact_lcp_view_problem(lcp);
        int                   count = 0;
        *mean = 0;
        for (size_t i = 0, n = (size_t)form->n; i < n; i++) {
            count += form->M[i * n + i] > 0; // lambdas have 0
            *mean += form->M[i * n + i];
        }
        *mean /= count > 0 ? count : 1;
        tact_contact_lcp_destroy(lcp);
    }
    return status;
}

static TactStatus judge(Run *run, const TactContactProblem *problem, const TactContactLcp *lcp,
                        double *z, double *impulse, double *row_impulse)
{
    const TactLcpProblem  *form = tact_contact_lcp_view_problem(lcp);
    TactContactCertificate certificate;
    bool                   solved[2];
    TactStatus             status = solve_by(form, TACT_LCP_METHOD_LEMKE, z, &solved[0]);
    status = status == TACT_OK ? solve_by(form, TACT_LCP_METHOD_LEMKE_LEX, z, &solved[1]) : status;
    if (status != TACT_OK) {
        return status;
    }
    run->tally.problems++;
    run->tally.solved[0] += solved[0];
    run->tally.solved[1] += solved[1];
    measure_condition(run, form);
    if (!solved[1]) { // the ladder's answer stays
        return TACT_OK;
    }
    TactContactAnswer answer = {
        .impulse = impulse, .row_impulse = row_impulse, .velocity = run->velocity};
    status = tact_contact_lcp_read(lcp, z, &answer);
    run->decided = true;
    status = status == TACT_OK ? tact_contact_certify(problem, TACT_CONE_PYRAMID, impulse,
                                                      row_impulse, run->velocity, &certificate)
                               : status;
    run->tally.certified = fmax(run->tally.certified, certificate.error);
    return status;
}

static TactStatus decide(void *context, const TactContactProblem *problem, double error)
{
    (void)error;
    Run                 *run = context;
    TactContactLcp      *lcp = NULL;
    TactContactLcpConfig config = tact_contact_lcp_config_default();
    double               mean = 0;
    if (problem->contact_count == 0 || problem->nv != run->model->nv) {
        return TACT_OK;
    }
    TactStatus status = forms[run->form].softness > 0 ? find_mean(problem, &mean) : TACT_OK;
    config.form = forms[run->form].form;
    config.balanced = forms[run->form].balanced;
    config.factor = forms[run->form].factor;
    config.cfm = forms[run->form].softness * mean;
    status = status == TACT_OK ? tact_contact_lcp_create(problem, &config, &lcp) : status;
    if (status != TACT_OK) {
        return status;
    }
    size_t  n = (size_t)tact_contact_lcp_view_problem(lcp)->n, nc = (size_t)problem->contact_count;
    double *numbers = calloc(n + 3 * nc + (size_t)problem->row_count + 1, sizeof *numbers);
    status = numbers ? judge(run, problem, lcp, numbers, numbers + n, numbers + n + 3 * nc)
                     : TACT_NO_MEMORY;
    free(numbers);
    tact_contact_lcp_destroy(lcp);
    return status;
}

// ---------------------------------------------------------------------------------------------
// Runs

/// Goes on with the form's velocity; positions follow it.
static void follow(Run *run)
{
    TactSimState *state = tact_sim_view_state(run->sim);
    double        largest = 0;
    for (int i = 0; i < run->model->nv; i++) {
        double v = run->velocity[i];
        run->velocity[i] = v - state->v[i];
        largest = fmax(largest, fabs(run->velocity[i]));
        state->v[i] = v;
    }
    tact_dynamics_integrate(run->model, state->q, run->velocity, run->model->options.timestep,
                            state->q);
    run->tally.velocity = fmax(run->tally.velocity, largest);
    if (largest > OTHER) {
        run->tally.parted = run->tally.others++ == 0 ? run->step : run->tally.parted;
    }
}

/// The ladder's run is kept; the others are compared with it until they part.
static void compare(Run *run, double *path)
{
    const double *q = tact_sim_view_state(run->sim)->q;
    double       *kept = path + (size_t)run->step * (size_t)run->model->nq;
    if (run->form == FORMS) {
        memcpy(kept, q, (size_t)run->model->nq * sizeof *q);
    } else if (run->tally.others == 0) {
        tact_dynamics_differentiate(run->model, kept, q, run->velocity);
        for (int i = 0; i < run->model->nv; i++) {
            run->tally.way = fmax(run->tally.way, fabs(run->velocity[i]));
        }
    }
}

static TactStatus step(Run *run, double *path)
{
    TactSimReport report;
    TactStatus    status = tact_sim_step(run->sim, &report);
    run->decided = false;
    if (status == TACT_OK && run->form != FORMS && report.contacts > 0) {
        status = tact_sim_visit_problems(run->sim, decide, run);
    }
    if (status == TACT_OK && run->decided) {
        follow(run);
    }
    if (status == TACT_OK) {
        compare(run, path);
    }
    run->step++;
    return status;
}

static TactStatus open_run(const TactModel *model, int form, Run *run)
{
    TactSimConfig config = tact_sim_config_default(model);
    *run = (Run){.model = model, .form = form, .tally = {.parted = -1}};
    config.cone = TACT_CONE_PYRAMID;
    run->velocity = calloc((size_t)model->nv, sizeof *run->velocity);
    TactStatus status = run->velocity ? TACT_OK : TACT_NO_MEMORY;
    status = status == TACT_OK ? tact_sim_create(model, &config, &run->sim) : status;
    return status == TACT_OK && model->keyframe_count > 0 ? tact_sim_reset(run->sim, 0) : status;
}

static void close_run(Run *run)
{
    tact_sim_destroy(run->sim);
    free(run->velocity);
}

/// The ladder first, then the forms.
static TactStatus run_forms(TactPapers *papers, const TactModel *model, const Scene *scene,
                            Tally tallies[FORMS], double done)
{
    double     seconds = tact_papers_quick(papers) ? 0.02 : scene->seconds;
    int        steps = (int)(seconds / model->options.timestep + 0.5);
    double    *path = calloc((size_t)steps * (size_t)model->nq, sizeof *path);
    TactStatus status = path ? TACT_OK : TACT_NO_MEMORY;
    for (int f = FORMS; f >= 0 && status == TACT_OK; f--) {
        Run run;
        status = open_run(model, f, &run);
        for (int i = 0; i < steps && status == TACT_OK; i++) {
            status = step(&run, path);
        }
        if (f < FORMS) {
            tallies[f] = run.tally;
        }
        close_run(&run);
        tact_papers_progress(papers, done + 0.5 * (FORMS - f) / FORMS);
    }
    free(path);
    return status;
}

// ---------------------------------------------------------------------------------------------
// The table

static void write_wanted(TactPapers *papers, const Scene *scene, const Tally *exact)
{
    tact_papers_wanted(papers, exact->problems > 0 && exact->solved[1] == exact->problems,
                       "%s: %d of %d problems in standard form are solved by `lemke-lex`",
                       scene->name, exact->solved[1], exact->problems);
    tact_papers_wanted(
        papers, exact->certified <= 1e-8,
        "%s: every answer of the standard form is certified as the contact problem's "
        "(worst error %.1e), also the %d that are not the ladder's",
        scene->name, exact->certified, exact->others);
    tact_papers_wanted(papers, exact->way < 1e-6,
                       "%s: until then the motion is the ladder's to %.1e m or rad (1e-6)",
                       scene->name, exact->way);
}

static void write_scene(TactPapers *papers, const Scene *scene, double h,
                        const Tally tallies[FORMS])
{
    tact_papers_table(
        papers, scene->name,
        "form | problems | solved by lemke | by lemke-lex | condition of A | rank | "
        "error of the answer | other answers | the first at, s | motion differs until "
        "then by");
    for (int f = 0; f < FORMS; f++) {
        const Tally *tally = &tallies[f];
        char         first[32] = "-";
        if (tally->parted >= 0) {
            snprintf(first, sizeof first, "%.3f", h * tally->parted);
        }
        tact_papers_row(papers,
                        "%s | %d | %d | %d | %.1e to %.1e | %d of %d | %.1e | %d | %s | %.1e",
                        forms[f].name, tally->problems, tally->solved[0], tally->solved[1],
                        tally->condition[0], tally->condition[1], tally->rank, tally->size,
                        tally->certified, tally->others, first, tally->way);
    }
    write_wanted(papers, scene, &tallies[FORM_IMPULSE]);
}

static TactStatus run_scene(TactPapers *papers, const Scene *scene, double done)
{
    TactModel *model = NULL;
    Tally      tallies[FORMS];
    TactStatus status = tact_papers_load_scene(papers, scene->file, &model);
    status = status == TACT_OK ? run_forms(papers, model, scene, tallies, done) : status;
    if (status == TACT_OK) {
        write_scene(papers, scene, model->options.timestep, tallies);
    }
    tact_model_destroy(model);
    return status;
}

TactStatus tact_papers_dart(TactPapers *papers)
{
    static const Scene scenes[] = {
        {"A chain of 25 links over a rod", "chain.xml", 1},
        {"Three fingers hold a ball", "hand.xml", 1},
        {"The hoist", "hoist.xml", 0.5},
    };
    enum { SCENES = sizeof scenes / sizeof *scenes };
    TactStatus status = TACT_OK;
    tact_papers_text(
        papers,
        "The notes have no table. Here every step's velocities are those of the "
        "standard-form LCP by `lemke-lex`, in five forms; the same scene by the "
        "ladder is what they are compared with. Joint limits are rows like normals. "
        "The error is that of the contact certificate (1e-8 is called solved); cfm "
        "and 1 + eps (both 1e-6) change the problem: that is their price. tact's Lemke scales its "
        "matrix by powers of two itself. Condition: "
        "of the part of A that is not null; eight directions in a plane always leave a "
        "null space, which cfm fills, and 1 + eps but for the rows of lambda. Friction may have "
        "several answers to one problem: where the velocity is another one than the "
        "ladder's by more than 1e-6, and both are certified, the motions part.");
    for (int i = 0; i < SCENES && status == TACT_OK; i++) {
        status = run_scene(papers, &scenes[i], (double)i / SCENES);
    }
    return status;
}
