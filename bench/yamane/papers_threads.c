// Threads of the divide-and-conquer assembly [Yamane-Nakamura, 18: parallel dynamics]: from how
// many links on do they pay?
#include <math.h>
#include <stdlib.h>

#include "bench/yamane/papers_chains.h"

// Longer ones are several side by side: the workspace of a model has room for its mass matrix,
// which of one chain of 100,000 dofs is 100 GB.
enum { SIZES = 7, COUNTS = 3, MOST_LINKS = 100000, LONGEST = 10000 };

static const int sizes[SIZES] = {100, 300, 1000, 3000, 10000, 30000, MOST_LINKS};
static const int threads[COUNTS] = {1, 2, 4};

static const double WORK = 0.3; // s of work that a time is taken from, at least
enum { LEAST_TIMES = 3 };

/// A chain of links of 0.1 m and 0.2 kg on hinges, each turned by 90 degrees against the last.
static TactStatus make_chain(int links, TactModel **model)
{
    TactModelBuilder *builder = NULL;
    TactStatus        status = tact_model_builder_create(&builder);
    for (int i = 1; i <= links && status == TACT_OK; i++) {
        TactBodyDesc body = tact_body_default();
        TactJoint    joint = tact_joint_default(TACT_JOINT_HINGE);
        bool         first = (i - 1) % LONGEST == 0;
        body.parent = first ? 0 : i - 1;
        body.pose.position = (TactVec3){first ? 0 : 0.1, 0, 0};
        body.has_inertia = true;
        body.inertia = (TactInertia){.mass = 0.2,
                                     .com = {0.05, 0, 0},
                                     .rotary = tact_mat3_diagonal((TactVec3){1e-4, 2e-4, 2e-4})};
        joint.body = i;
        joint.axis = i % 2 ? (TactVec3){0, 1, 0} : (TactVec3){0, 0, 1};
        status = tact_model_builder_add_body(builder, &body, (TactSource){0}, NULL);
        status = status == TACT_OK
                     ? tact_model_builder_add_joint(builder, &joint, (TactSource){0}, NULL)
                     : status;
    }
    status = status == TACT_OK ? tact_model_builder_compile(builder, model) : status;
    tact_model_builder_destroy(builder);
    return status;
}

/// Seconds of one assembly with the accelerations of all links, the best of several, by the clock:
/// threads are not timed by the processor time of one.
static TactStatus time_assembly(const TactDynamics *dynamics, int count, double *acceleration,
                                double *seconds)
{
    TactAssembly     *assembly = NULL;
    TactAssemblyInput input = {0};
    TactStatus        status = tact_assembly_create(dynamics, count, &assembly);
    double            total = 0;
    *seconds = HUGE_VAL;
    for (int k = 0; status == TACT_OK && (k < LEAST_TIMES || total < WORK); k++) {
        double start = tact_time_now();
        tact_assembly_compute(assembly, &input);
        tact_assembly_finish(assembly, NULL, acceleration, NULL);
        double took = tact_time_now() - start;
        total += took;
        *seconds = fmin(*seconds, took);
    }
    tact_assembly_destroy(assembly);
    return status;
}

/// Of one chain: the assembly on every number of threads, and the articulated-body algorithm.
static TactStatus time_chain(int links, double seconds[COUNTS + 1], bool *same)
{
    TactModel    *model = NULL;
    TactDynamics *dynamics = NULL;
    double       *numbers = NULL;
    TactStatus    status = make_chain(links, &model);
    status = status == TACT_OK ? tact_dynamics_create(model, &dynamics) : status;
    size_t n = status == TACT_OK ? (size_t)model->nv : 0;
    numbers = calloc(4 * n + 1, sizeof *numbers);
    status = status == TACT_OK && !numbers ? TACT_NO_MEMORY : status;
    for (size_t i = 0; i < n; i++) {
        numbers[i] = 0.01 * sin((double)i);
        numbers[n + i] = 0.01 * cos((double)i);
    }
    status = status == TACT_OK ? tact_dynamics_set_position(dynamics, numbers) : status;
    status = status == TACT_OK ? tact_dynamics_set_velocity(dynamics, numbers + n) : status;
    *same = true;
    for (int k = 0; k < COUNTS && status == TACT_OK; k++) {
        double *out = numbers + (k == 0 ? 2 : 3) * n;
        status = time_assembly(dynamics, threads[k], out, &seconds[k]);
        for (size_t i = 0; i < n && k > 0; i++) {
            *same = *same && out[i] == numbers[2 * n + i];
        }
    }
    double total = 0;
    seconds[COUNTS] = HUGE_VAL;
    for (int k = 0; status == TACT_OK && (k < LEAST_TIMES || total < WORK); k++) {
        double start = tact_time_now();
        tact_dynamics_compute_forward(dynamics, NULL, NULL, NULL, numbers + 3 * n);
        double took = tact_time_now() - start;
        total += took;
        seconds[COUNTS] = fmin(seconds[COUNTS], took);
    }
    free(numbers);
    tact_dynamics_destroy(dynamics);
    tact_model_destroy(model);
    return status;
}

static void plot_threads(TactPapers *papers, int count, double us[COUNTS + 1][SIZES])
{
    static const char *const names[COUNTS + 1] = {"1 thread", "2 threads", "4 threads",
                                                  "articulated-body algorithm, 1 thread"};
    double                   x[SIZES];
    TactSvgSeries            series[COUNTS + 1];
    for (int i = 0; i < count; i++) {
        x[i] = sizes[i];
    }
    for (int k = 0; k <= COUNTS; k++) {
        series[k] = (TactSvgSeries){
            names[k], k < COUNTS ? TACT_SVG_LINE : TACT_SVG_DASHED, k, count, x, us[k]};
    }
    TactSvgPlot plot = {.title = "Divide and conquer on threads: one assembly of a chain",
                        .x_label = "links",
                        .y_label = "us",
                        .x_scale = TACT_SVG_LOG,
                        .y_scale = TACT_SVG_LOG,
                        .series_count = COUNTS + 1,
                        .series = series};
    tact_papers_plot(papers, &plot);
}

TactStatus tact_chains_threads(TactPapers *papers)
{
    static double us[COUNTS + 1][SIZES];
    int           count = tact_papers_quick(papers) ? 2 : SIZES, pays = -1;
    bool          all_same = true;
    TactStatus    status = TACT_OK;
    tact_papers_table(
        papers,
        "Threads of the divide-and-conquer assembly: one assembly with the "
        "accelerations of all links, of chains of hinges, by the clock; the "
        "articulated-body algorithm beside it. From 30,000 links on: chains of 10,000 side by "
        "side. Threads help as far as there are "
        "processors: the head of this report says how many",
        "links | 1 thread, us | 2 threads, us | 4 threads, us | 1 / 2 | 1 / 4 | "
        "articulated-body algorithm, us | same bits");
    for (int i = 0; i < count && status == TACT_OK; i++) {
        double seconds[COUNTS + 1];
        bool   same;
        status = time_chain(sizes[i], seconds, &same);
        if (status == TACT_OK) {
            for (int k = 0; k <= COUNTS; k++) {
                us[k][i] = 1e6 * seconds[k];
            }
            all_same = all_same && same;
            pays = pays < 0 && us[1][i] < us[0][i] ? sizes[i] : pays;
            tact_papers_row(papers, "%d | %.1f | %.1f | %.1f | %.2f | %.2f | %.1f | %s", sizes[i],
                            us[0][i], us[1][i], us[2][i], us[0][i] / us[1][i], us[0][i] / us[2][i],
                            us[3][i], same ? "yes" : "NO");
        }
    }
    if (status != TACT_OK) {
        return status;
    }
    plot_threads(papers, count, us);
    tact_papers_text(papers,
                     pays > 0
                         ? "Two threads begin to pay at %d links here."
                         : "Up to %d links two threads pay nowhere here: they need a processor "
                           "each, free of other work (the head of this report has the load).",
                     pays > 0 ? pays : sizes[count - 1]);
    tact_papers_wanted(papers, all_same,
                       "the assembly gives the same bits on 1, 2 and 4 threads, for all chains");
    return TACT_OK;
}
