// Lloyd's three experiments [Lloyd04, 5.4] from real collision: pegs, ten situations of one body
// and stacks as scenes, a random wrench on the body, the contacts as tact finds them. `tact bench
// lloyd` measures the same with many more problems.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "bench/lloyd/lloyd.h"
#include "bench/papers/papers.h"
#include "bench/problems/problems.h"
#include "bench/watch.h"

enum { MOST_ROWS = 12, WRENCHES = 60, REPEATS = 5 };

typedef enum Method { STANDARD, STRUCTURAL, REDUCED, WARM, METHODS } Method;

/// Problems of so many bodies and contacts.
typedef struct Row {
    const char *name;
    int         bodies, contacts;
    int         problems;
    int         certified[METHODS];
    double      seconds[METHODS]; // sum of the best of the repeats
    double      pivots[METHODS];  // sum
} Row;

typedef struct Experiment {
    const char      *scene, *title, *caption;
    TactLloydShape   shape; // whose figures the paper has
    TactPapersCamera camera;
    Row              rows[MOST_ROWS]; // ends with contacts 0
} Experiment;

// ---------------------------------------------------------------------------------------------
// One problem by all methods

static TactContactConfig configure(Method method)
{
    static const TactContactMethod methods[METHODS] = {TACT_METHOD_LCP, TACT_METHOD_STRUCTURAL,
                                                       TACT_METHOD_REDUCED, TACT_METHOD_REDUCED};
    TactContactConfig              config = tact_contact_config_default(methods[method]);
    config.cone = TACT_CONE_PYRAMID;
    config.lcp_method = TACT_LCP_METHOD_LEMKE_LEX;
    return config;
}

static TactStatus time_method(const TactContactProblem *problem, Method method,
                              const TactContactAnswer *answer, Row *row)
{
    TactContactCapacity capacity = tact_contact_get_capacity(problem);
    TactContactConfig   config = configure(method);
    TactContactSolver  *solver;
    TactContactReport   report = {0};
    double              best = INFINITY;
    TactStatus          status = tact_contact_solver_create(&capacity, &config, &solver);
    for (int i = 0; i <= REPEATS && status == TACT_OK; i++) {
        if (method != WARM) {
            tact_contact_solver_forget(solver);
        }
        TactWatch watch = tact_watch_start();
        status = tact_contact_solve(solver, problem, answer, &report);
        double seconds = tact_watch_stop(&watch);
        best = i > 0 ? fmin(best, seconds) : best; // the first one warms up
    }
    tact_contact_solver_destroy(solver);
    row->certified[method] += status == TACT_OK && report.outcome == TACT_OUTCOME_SOLVED;
    row->seconds[method] += best;
    row->pivots[method] += report.pivots;
    return status;
}

static TactStatus time_problem(void *context, const TactContactProblem *problem, double error)
{
    (void)error;
    Row *row = context;
    while (row->contacts &&
           (row->contacts != problem->contact_count || row->bodies != problem->body_count)) {
        row++;
    }
    if (!row->contacts) { // an island that was not asked for: the counts will tell
        return TACT_OK;
    }
    size_t            nc = (size_t)problem->contact_count;
    double           *numbers = calloc(6 * nc + 6 * (size_t)problem->body_count, sizeof *numbers);
    TactContactAnswer answer = {
        .impulse = numbers, .u = numbers + 3 * nc, .velocity = numbers + 6 * nc};
    TactStatus status = numbers ? TACT_OK : TACT_NO_MEMORY;
    row->problems++;
    for (int m = 0; m < METHODS && status == TACT_OK; m++) {
        status = time_method(problem, (Method)m, &answer, row);
    }
    free(numbers);
    return status;
}

// ---------------------------------------------------------------------------------------------
// One scene

/// Is this the body on which the wrench acts, the one nothing stands upon? The next body is the
/// bottom of another stack, or there is none.
static bool is_top(const TactModel *model, int body)
{
    return model->bodies[body].dof_count > 0 &&
           (body + 1 == model->body_count ||
            model->bodies[body + 1].pose.position.z <= model->bodies[body].pose.position.z);
}

static void push(TactSim *sim, const TactModel *model, TactRandom *random)
{
    const double arm = 0.05; // m
    for (int i = 1; i < model->body_count; i++) {
        double weight = tact_random_uniform(random, 0.1, 2) * model->bodies[i].inertia.mass * 9.81;
        double x[6];
        for (int k = 0; k < 6; k++) {
            x[k] = (k < 3 ? weight : arm * weight) * tact_random_normal(random);
        }
        if (is_top(model, i)) {
            tact_sim_view_state(sim)->external[i] =
                (TactWrench){.force = {x[0], x[1], x[2]}, .torque = {x[3], x[4], x[5]}};
        }
    }
}

/// "Friction coefficients in the range 0.2 to 0.3"; the scenes have 0.25.
static TactStatus draw_friction(TactSim *sim, TactRandom *random)
{
    TactSimConfig config = *tact_sim_view_config(sim);
    config.friction_scale = tact_random_uniform(random, 0.2, 0.3) / 0.25;
    return tact_sim_set_config(sim, &config);
}

static TactStatus run_scene(TactPapers *papers, const TactModel *model, TactSim *sim,
                            Experiment *experiment, double done)
{
    TactRandom random = tact_random_seed(2004);
    int        count = tact_papers_quick(papers) ? 2 : WRENCHES;
    TactStatus status = TACT_OK;
    for (int i = 0; i < count && status == TACT_OK; i++) {
        TactSimReport report;
        tact_papers_progress(papers, done + (double)i / (3 * count));
        status = draw_friction(sim, &random);
        status = status == TACT_OK ? tact_sim_reset(sim, -1) : status;
        push(sim, model, &random);
        status = status == TACT_OK ? tact_sim_step(sim, &report) : status;
        if (status == TACT_OK) {
            status = tact_sim_visit_problems(sim, time_problem, experiment->rows);
        }
    }
    return status;
}

static TactStatus open_scene(const TactPapers *papers, const char *name, TactModel **model,
                             TactSim **sim)
{
    TactStatus status = tact_papers_load_scene(papers, name, model);
    if (status == TACT_OK) {
        TactSimConfig config = tact_sim_config_default(*model);
        config.timestep = 1e-3; // so short that nothing new touches within it
        status = tact_sim_create(*model, &config, sim);
    }
    return status;
}

// ---------------------------------------------------------------------------------------------
// Tables

/// The paper's time at a number of contacts, ms; 0: it says none.
static double paper_ms(TactLloydShape shape, Method method, int contacts)
{
    static const TactLloydMethod methods[] = {TACT_LLOYD_STANDARD, TACT_LLOYD_STRUCTURAL,
                                              TACT_LLOYD_REDUCED, TACT_LLOYD_METHODS};
    int                          count;
    const TactLloydPaper        *curves = tact_lloyd_paper(&count);
    for (int i = 0; i < count; i++) {
        const TactLloydPaper *paper = &curves[i];
        if (paper->shape == shape && paper->method == methods[method]) {
            return contacts == paper->first  ? paper->first_ms
                   : contacts == paper->last ? paper->last_ms
                                             : 0;
        }
    }
    return 0;
}

static void write_rows(TactPapers *papers, const Experiment *experiment)
{
    tact_papers_table(papers, experiment->caption,
                      "situation | bodies | contacts | paper standard, structural, reduced, us | "
                      "standard, us | structural, us | reduced, us | reduced, warm, us | "
                      "paper / reduced | certified");
    for (const Row *row = experiment->rows; row->contacts; row++) {
        double us[METHODS], paper[METHODS];
        int    certified = row->problems;
        for (int m = 0; m < METHODS; m++) {
            us[m] = 1e6 * row->seconds[m] / row->problems;
            paper[m] = 1e3 * paper_ms(experiment->shape, (Method)m, row->contacts);
            certified = row->certified[m] < certified ? row->certified[m] : certified;
        }
        char said[64] = "-", ratio[32] = "-";
        if (paper[REDUCED] > 0) {
            snprintf(said, sizeof said, "%.0f, %.0f, %.0f", paper[STANDARD], paper[STRUCTURAL],
                     paper[REDUCED]);
            snprintf(ratio, sizeof ratio, "%.0f", paper[REDUCED] / us[REDUCED]);
        }
        tact_papers_row(papers, "%s | %d | %d | %s | %.1f | %.1f | %.1f | %.1f | %s | %d of %d",
                        row->name, row->bodies, row->contacts, said, us[STANDARD], us[STRUCTURAL],
                        us[REDUCED], us[WARM], ratio, certified, row->problems);
    }
}

static void plot_rows(TactPapers *papers, const Experiment *experiment)
{
    static const char *const names[METHODS] = {"standard", "structural", "reduced",
                                               "reduced, warm"};
    double                   x[MOST_ROWS], y[METHODS][MOST_ROWS];
    TactSvgSeries            series[METHODS];
    int                      count = 0;
    for (; experiment->rows[count].contacts; count++) {
        const Row *row = &experiment->rows[count];
        x[count] = row->contacts;
        for (int m = 0; m < METHODS; m++) {
            y[m][count] = 1e6 * row->seconds[m] / row->problems;
        }
    }
    for (int m = 0; m < METHODS; m++) {
        series[m] = (TactSvgSeries){names[m], TACT_SVG_LINE, m, count, x, y[m]};
    }
    TactSvgPlot plot = {.title = experiment->title,
                        .x_label = "contacts",
                        .y_label = "time, us",
                        .x_scale = TACT_SVG_LOG,
                        .y_scale = TACT_SVG_LOG,
                        .series_count = METHODS,
                        .series = series};
    tact_papers_plot(papers, &plot);
}

/// Slope of log time over log contacts, by least squares over the rows.
static double growth(const Experiment *experiment, Method method)
{
    double n = 0, x = 0, y = 0, xx = 0, xy = 0;
    for (const Row *row = experiment->rows; row->contacts; row++) {
        double a = log(row->contacts), b = log(row->seconds[method] / row->problems);
        n++;
        x += a;
        y += b;
        xx += a * a;
        xy += a * b;
    }
    return (n * xy - x * y) / (n * xx - x * x);
}

/// What the paper finds between its methods: complexity in n for one body, and the order.
static void want_findings(TactPapers *papers, const Experiment *experiment)
{
    static const double most[] = {3, 2, 1}; // standard, structural, reduced
    double              got[3];
    bool                ordered = true;
    for (int m = 0; m < 3; m++) {
        got[m] = growth(experiment, (Method)m);
    }
    for (const Row *row = experiment->rows; row->contacts; row++) {
        ordered = ordered && row->seconds[STANDARD] > row->seconds[STRUCTURAL] &&
                  row->seconds[STRUCTURAL] > row->seconds[REDUCED];
    }
    tact_papers_wanted(papers, got[0] <= most[0] && got[1] <= most[1] && got[2] <= most[2],
                       "the paper's finding: for one body, time grows as n^3 by the standard, n^2 "
                       "by the structural and n by the reduced method; at most so here: n^%.2f, "
                       "n^%.2f, n^%.2f",
                       got[0], got[1], got[2]);
    tact_papers_wanted(papers, ordered,
                       "the paper's finding: at every number of contacts reduced is faster than "
                       "structural, and structural faster than standard");
}

static void write_wanted(TactPapers *papers, const Experiment *experiment)
{
    int wrenches = tact_papers_quick(papers) ? 2 : WRENCHES, rows = 0, found = 0, certified = 0;
    for (const Row *row = experiment->rows; row->contacts; row++) {
        rows++;
        found += row->problems == wrenches;
        for (int m = 0; m < METHODS; m++) {
            certified += row->certified[m];
        }
    }
    tact_papers_wanted(papers, found == rows,
                       "collision finds the contacts of %d of %d situations, always", found, rows);
    tact_papers_wanted(papers, certified == rows * wrenches * METHODS,
                       "%d of %d answers of all methods are certified", certified,
                       rows * wrenches * METHODS);
}

/// Numbers of the ten situations beside their bodies, in the order of the table.
static void number_bodies(TactPapers *papers, TactSim *sim, const TactModel *model,
                          const Experiment *experiment)
{
    const double *q = tact_sim_view_state(sim)->q;
    for (int i = 0; experiment->shape == TACT_LLOYD_SINGLE && experiment->rows[i].contacts; i++) {
        int body = tact_model_find(model, TACT_OBJECT_XBODY, experiment->rows[i].name);
        if (body >= 0 && model->bodies[body].joint_count > 0) {
            const double *at = q + model->joints[model->bodies[body].first_joint].q;
            tact_papers_label(papers, (TactVec3){at[0] - 0.04, at[1] - 0.12, 0}, i + 1);
        }
    }
}

static TactStatus run_experiment(TactPapers *papers, Experiment *experiment, double done)
{
    TactModel *model = NULL;
    TactSim   *sim = NULL;
    TactStatus status = open_scene(papers, experiment->scene, &model, &sim);
    tact_papers_section(papers, experiment->title);
    if (status == TACT_OK) {
        number_bodies(papers, sim, model, experiment);
        tact_papers_picture(papers, sim, model, &experiment->camera, experiment->caption);
        status = run_scene(papers, model, sim, experiment, done);
    }
    if (status == TACT_OK) {
        write_rows(papers, experiment);
        plot_rows(papers, experiment);
        write_wanted(papers, experiment);
        if (experiment->shape == TACT_LLOYD_PEG && !tact_papers_quick(papers)) {
            want_findings(papers, experiment);
        }
    }
    tact_sim_destroy(sim);
    tact_model_destroy(model);
    return status;
}

TactStatus tact_papers_lloyd(TactPapers *papers)
{
    Experiment experiments[] = {
        {"lloyd-pegs.xml",
         "Peg in hole",
         "Pegs in holes of 4 to 16 sides (figures 4, 5, 6)",
         TACT_LLOYD_PEG,
         {{0, 0, 0.08}, 90, -35, 1.1, 0, 0, false},
         {{.name = "peg", .bodies = 1, .contacts = 8},
          {.name = "peg", .bodies = 1, .contacts = 12},
          {.name = "peg", .bodies = 1, .contacts = 16},
          {.name = "peg", .bodies = 1, .contacts = 24},
          {.name = "peg", .bodies = 1, .contacts = 32},
          {0}}},
        {"lloyd-bodies.xml",
         "Ten situations of one body",
         "One body with 1 to 16 contacts (figures 1, 7, 8), numbered as in the table",
         TACT_LLOYD_SINGLE,
         {{0, 0.15, 0}, 90, -42, 1.4, 0, 0, false},
         {{.name = "ball on a plate", .bodies = 1, .contacts = 1},
          {.name = "block on its edge", .bodies = 1, .contacts = 2},
          {.name = "stool", .bodies = 1, .contacts = 3},
          {.name = "block on a plate", .bodies = 1, .contacts = 4},
          {.name = "block against a bar", .bodies = 1, .contacts = 6},
          {.name = "block in a groove", .bodies = 1, .contacts = 8},
          {.name = "ball in a rim", .bodies = 1, .contacts = 10},
          {.name = "block in a corner", .bodies = 1, .contacts = 12},
          {.name = "prism", .bodies = 1, .contacts = 14},
          {.name = "table", .bodies = 1, .contacts = 16},
          {0}}},
        {"lloyd-stacks.xml",
         "Stacks",
         "Ten stacks of one to five blocks (figures 9, 10)",
         TACT_LLOYD_STACK,
         {{0, 0.12, 0.2}, 90, -20, 1.6, 0, 0, false},
         {{.name = "stack", .bodies = 1, .contacts = 4},
          {.name = "stack", .bodies = 2, .contacts = 8},
          {.name = "stack", .bodies = 3, .contacts = 12},
          {.name = "stack", .bodies = 4, .contacts = 16},
          {.name = "stack", .bodies = 5, .contacts = 20},
          {.name = "stack, turned blocks", .bodies = 2, .contacts = 12},
          {.name = "stack, turned blocks", .bodies = 3, .contacts = 20},
          {.name = "stack, turned blocks", .bodies = 4, .contacts = 28},
          {.name = "stack, turned blocks", .bodies = 5, .contacts = 28},
          {.name = "stack, turned blocks", .bodies = 5, .contacts = 32},
          {0}}},
    };
    TactStatus status = TACT_OK;
    tact_papers_text(
        papers, "A random wrench of 0.1 to 2 weights acts on the body (on the top block of a "
                "stack); friction is a pyramid of 8 directions, mu drawn from 0.2 to 0.3 for each "
                "wrench, as "
                "in the paper. Times are means "
                "of whole solves, from the scene's contacts to the certificate; the paper's are "
                "those of a machine of 2004: compare growth, not microseconds. Warm: the same "
                "problem again.");
    for (int i = 0; i < 3 && status == TACT_OK; i++) {
        status = run_experiment(papers, &experiments[i], i / 3.0);
    }
    return status;
}
