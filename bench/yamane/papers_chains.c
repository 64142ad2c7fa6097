// Yamane and Nakamura's long and closed chains: hoist, ring and net, and their Table III.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "bench/yamane/papers_chains.h"

enum { HOIST, HOIST_10, RING, NET, COLUMNS };

// [Yamane-Nakamura, Table III]: failures are 0 in all columns. Pentium Xeon, 3.8 GHz.
static const TactChainsColumn columns[COLUMNS] = {
    {"hoist", "hoist.xml", 0.001, 10, 34.2, 20.8, 9357, 62.0, 120},
    {"hoist (10 ms)", "hoist.xml", 0.01, 10, 48.4, 23.0, 935, 96.5, 187},
    {"ring", "ring.xml", 0.001, 4, 26.1, 21.7, 3926, 35.0, 80.6},
    {"net", "net.xml", 0.001, 2, 25.7, 16.9, 1818, 9.72, 62.5},
};

static const double FASTER = 50;       // times the paper's LCP solve time
static const double MOST_ERROR = 1e-4; // m, of loops and joints
static const double G = 9.81;          // m/s^2
static const double PI = 3.14159265358979323846;
static const double NEAR_ROD = 1e-3;  // m: a link that is nearer lies on it
static const double SLIDING = 2.5;    // s: when the hoist's string slides
static const double QUICK_STEPS = 20; // of a smoke run

/// Pictures: when, and what they show.
typedef struct Moment {
    double      time;
    const char *caption;
} Moment;

enum { MOMENTS = 3 };

static const Moment moments[COLUMNS][MOMENTS] = {
    [HOIST] = {{0, "hoist, 0 s: the string lies over the rod, the load on the floor"},
               {2.5, "hoist, 2.5 s: the hand pulls, the string slides"},
               {10, "hoist, 10 s: the hand holds, and so does the string"}},
    [RING] = {{0, "ring, 0 s: wires hooked into each other"},
              {0.15, "ring, 0.15 s: the garland falls into its hooks"},
              {4, "ring, 4 s"}},
    [NET] = {{0, "net, 0 s: five cylinders above four strings"},
             {0.3, "net, 0.3 s: the first ones are caught"},
             {2, "net, 2 s"}},
};

static const TactPapersCamera cameras[COLUMNS] = {
    [HOIST] = {{0, 0, 0.65}, 115, -15, 2.0, 0.1, 0.03, true},
    [RING] = {{0.03, 0, 0.52}, 100, -10, 1.9, 0.05, 0.01, true},
    [NET] = {{0, 0, 0.55}, 120, -22, 1.75, 0.06, 0.02, true},
};

// ---------------------------------------------------------------------------------------------
// Hoist: tension along the string

enum { MOST_JOINTS = 64 };

/// String and load as they are now: joints from the load to the hand.
typedef struct Tension {
    int    count;
    double angle[MOST_JOINTS];  // about the rod from the load's side, deg, of joints on it
    double force[MOST_JOINTS];  // N
    double theory[MOST_JOINTS]; // N, of a rope that slides
    double links[MOST_JOINTS];  // N, of rigid links that slide
    double hand, hand_theory;   // N, of the first joint beyond the rod
} Tension;

static int find(const TactChains *chains, TactObject type, const char *name)
{
    return tact_model_find(chains->model, type, name);
}

typedef struct Plane {
    double x, z;
} Plane;

static double cross(Plane a, Plane b)
{
    return a.x * b.z - a.z * b.x;
}

static Plane minus(Plane a, Plane b)
{
    return (Plane){a.x - b.x, a.z - b.z};
}

static Plane in_plane(TactVec3 v)
{
    return (Plane){v.x, v.z};
}

/// Does a link lie on the rod? Then: the point where it does, and the way outwards there.
static bool lies_on(const TactGeom *rod, const TactGeom *box, const TactTransform *pose, Plane *at,
                    Plane *out)
{
    TactVec3 centre = tact_transform_point(tact_transform_invert(*pose), rod->pose.position);
    double   side = centre.z > 0 ? 1 : -1, half = box->size[2];
    double   gap = fabs(centre.z) - half - rod->size[0];
    TactVec3 touched = {centre.x, 0, side * half};
    Plane    point = in_plane(tact_transform_point(*pose, touched));
    Plane    away = minus(point, in_plane(rod->pose.position));
    double   length = hypot(away.x, away.z);
    *at = point;
    *out = (Plane){away.x / length, away.z / length};
    return gap < NEAR_ROD && fabs(centre.x - box->pose.position.x) <= box->size[0];
}

/// Force on a link of the string by the one before it, from the force that it hands on: statics of
/// a rigid link that slides towards the hand, in the plane of the rod. The moment about the point
/// of contact c gives the load N of the rod, with q = n + mu t:
///     F = A - N q,  A = F_next - w,   (p - c) x F - (p_next - c) x F_next + (g - c) x w = 0.
/// Of links on which nothing acts but their neighbours and a rod (L, deflection d each) this is
/// b' = a sin d - b cos d for the parts a along and b across: what the first link adds to the
/// equilibrium b = a tan(d / 2) changes its sign from link to link and decays as cos d alone.
static Plane hand_on(const TactChains *chains, const TactGeom *rod, int body, Plane next)
{
    const TactTransform *poses = tact_dynamics_view_poses(chains->dynamics);
    const TactBody      *link = &chains->model->bodies[body];
    Plane                w = {0, -link->inertia.mass * G}, A = minus(next, w), c, n;
    if (!lies_on(rod, &chains->model->geoms[link->first_geom], &poses[body], &c, &n)) {
        return A;
    }
    Plane  q = {n.x + rod->mu * n.z, n.z - rod->mu * n.x};
    Plane  arm = minus(in_plane(poses[body].position), c);
    Plane  arm_next = minus(in_plane(poses[body + 1].position), c);
    Plane  arm_weight = minus(in_plane(tact_transform_point(poses[body], link->inertia.com)), c);
    double N = (cross(arm, A) - cross(arm_next, next) + cross(arm_weight, w)) / cross(arm, q);
    return (Plane){A.x - N * q.x, A.z - N * q.z};
}

static TactStatus find_tension(const TactChains *chains, Tension *tension)
{
    const TactModel *model = chains->model;
    int              rod = find(chains, TACT_OBJECT_GEOM, "rod");
    int              load = find(chains, TACT_OBJECT_XBODY, "load");
    int              link = find(chains, TACT_OBJECT_XBODY, "link1");
    TactSimForces    forces;
    *tension = (Tension){0};
    if (rod < 0 || load < 0 || link < 0) {
        return TACT_BAD_INPUT;
    }
    TactStatus status = tact_sim_compute_forces(chains->sim, &forces);
    if (status != TACT_OK) {
        return status;
    }
    const TactTransform *poses = tact_dynamics_view_poses(chains->dynamics);
    const TactGeom      *cylinder = &model->geoms[rod];
    TactVec3             centre = cylinder->pose.position;
    double               length = model->bodies[link + 1].pose.position.x; // from joint to joint
    double reach = cylinder->size[0] + model->geoms[model->bodies[link].first_geom].size[2];
    double weight = model->bodies[link].inertia.mass * G / length; // a metre
    double hanging = centre.z - poses[load].position.z;
    double T0 = model->bodies[load].inertia.mass * G + weight * hanging;
    double mu = cylinder->mu * cylinder->size[0] / reach;
    Plane  pull = {0, model->bodies[load].inertia.mass * G}; // on the load
    for (int body = load; body >= link && tension->count < MOST_JOINTS; body--) {
        TactVec3 at = tact_vec3_subtract(poses[body].position, centre);
        double   angle = atan2(at.z, at.x);
        pull = body < load ? hand_on(chains, cylinder, body, pull) : pull;
        if (at.z <= 0 && at.x < 0) {
            tension->hand = tact_vec3_norm(forces.joint[body].force);
            tension->hand_theory = tact_chains_capstan(T0, mu, weight * reach, PI) + weight * at.z;
            break;
        }
        if (at.z > 0) {
            int k = tension->count++;
            tension->angle[k] = angle * 180 / PI;
            tension->force[k] = tact_vec3_norm(forces.joint[body].force);
            tension->theory[k] = tact_chains_capstan(T0, mu, weight * reach, angle);
            tension->links[k] = hypot(pull.x, pull.z);
        }
    }
    return TACT_OK;
}

// ---------------------------------------------------------------------------------------------
// Runs

static double find_end(const TactChains *chains)
{
    const TactChainsColumn *column = chains->column;
    return tact_papers_quick(chains->papers) ? fmin(column->duration, QUICK_STEPS * column->step)
                                             : column->duration;
}

static TactStatus run(TactChains *chains, int index)
{
    TactPapers *papers = chains->papers;
    double      end = find_end(chains);
    TactStatus  status = TACT_OK;
    tact_papers_begin_strip(papers);
    for (int k = 0; k < MOMENTS && status == TACT_OK; k++) {
        const Moment *moment = &moments[index][k];
        double        until = moment->caption ? fmin(end, moment->time) : end;
        status = tact_chains_run(chains, until);
        bool there = moment->caption && until == moment->time;
        if (status == TACT_OK && there) {
            tact_papers_picture(papers, chains->sim, chains->model, &cameras[index],
                                moment->caption);
        }
        tact_papers_progress(papers, 0.4 * (index + (k + 1.0) / MOMENTS) / COLUMNS);
    }
    tact_papers_end_strip(papers);
    return status;
}

// ---------------------------------------------------------------------------------------------
// Plots

static void tell_tension(TactPapers *papers, const Tension *tension)
{
    if (tension->count == 0) {
        return;
    }
    TactSvgSeries series[] = {
        {"joints of the string", TACT_SVG_POINTS, 0, tension->count, tension->angle,
         tension->force},
        {"rigid links, statics", TACT_SVG_LINE, 2, tension->count, tension->angle, tension->links},
        {"rope on a rough cylinder", TACT_SVG_DASHED, 1, tension->count, tension->angle,
         tension->theory},
    };
    TactSvgPlot plot = {
        .title = "hoist: tension along the string while it slides, in steps where links touch",
        .x_label = "angle about the rod, from the load's side, deg",
        .y_label = "tension, N",
        .series_count = 3,
        .series = series};
    tact_papers_plot(papers, &plot);
    double worst = 0, worst_links = 0;
    for (int k = 0; k < tension->count; k++) {
        worst = fmax(worst, fabs(tension->force[k] / tension->theory[k] - 1));
        worst_links = fmax(worst_links, fabs(tension->force[k] / tension->links[k] - 1));
    }
    tact_papers_wanted(papers, worst_links < 0.02,
                       "hoist: tension along the string is that of its rigid links, each in "
                       "equilibrium on the rod with friction, from the load's weight and the poses "
                       "alone, within 2 %%: %.2f %%",
                       100 * worst_links);
    tact_papers_wanted(
        papers, worst < 0.02,
        "hoist: tension along the string is that of a rope that slides over a rough "
        "cylinder, within 2 %%: %.2f %% (rigid links are no rope: what the first link "
        "on the rod is off goes on with alternating sign, see the line before)",
        100 * worst);
    double off = fabs(tension->hand / tension->hand_theory - 1);
    tact_papers_wanted(papers, off < 0.02,
                       "hoist: beyond the rod the tension is that of a rope that has slid over a "
                       "rough cylinder, %.2f N, within 2 %%: %.2f N",
                       tension->hand_theory, tension->hand);
}

static void plot_hand(TactPapers *papers, const TactChains *all)
{
    TactSvgSeries series[2];
    for (int i = 0; i < 2; i++) {
        const TactChainsTrace *trace = &all[i].trace;
        series[i] = (TactSvgSeries){
            all[i].column->name, i ? TACT_SVG_POINTS : TACT_SVG_CURVE, i, trace->count, trace->time,
            trace->hand};
    }
    TactSvgPlot plot = {.title =
                            "hoist: force of the hand; it pulls for 5 s, then its joint stops it",
                        .x_label = "time, s",
                        .y_label = "force, N",
                        .series_count = 2,
                        .series = series};
    tact_papers_plot(papers, &plot);
}

static void plot_loops(TactPapers *papers, const TactChains *net)
{
    const TactChainsTrace *trace = &net->trace;
    TactSvgSeries          series = {"net: largest of four loops",
                                     TACT_SVG_CURVE,
                                     0,
                                     trace->count,
                                     trace->time,
                                     trace->loop_error};
    TactSvgPlot            plot = {.title = "net: loop error",
                                   .x_label = "time, s",
                                   .y_label = "error, m",
                                   .y_scale = TACT_SVG_LOG,
                                   .series_count = 1,
                                   .series = &series};
    tact_papers_plot(papers, &plot);
}

// ---------------------------------------------------------------------------------------------
// Table III

/// A row: a cell of the paper and one of ours for each column.
typedef void Cells(const TactChains *chains, char *paper, char *own, size_t size);

static double mean(const TactChains *chains, double sum)
{
    return chains->frames > 0 ? sum / chains->frames : 0;
}

static void duration(const TactChains *chains, char *paper, char *own, size_t size)
{
    snprintf(paper, size, "%g", chains->column->duration);
    snprintf(own, size, "%g", chains->state->time);
}

static void freedom(const TactChains *chains, char *paper, char *own, size_t size)
{
    snprintf(paper, size, "-");
    snprintf(own, size, "%d; %d; %d", chains->model->body_count - 1, chains->model->nv,
             chains->model->equality_count);
}

static void contacts(const TactChains *chains, char *paper, char *own, size_t size)
{
    snprintf(paper, size, "%.1f", chains->column->contacts);
    snprintf(own, size, "%.1f", mean(chains, (double)chains->contacts));
}

static void active(const TactChains *chains, char *paper, char *own, size_t size)
{
    snprintf(paper, size, "%.1f", chains->column->active);
    snprintf(own, size, "%.1f", mean(chains, (double)chains->active));
}

static void frames(const TactChains *chains, char *paper, char *own, size_t size)
{
    snprintf(paper, size, "%d", chains->column->frames);
    snprintf(own, size, "%d", chains->frames);
}

static void failures(const TactChains *chains, char *paper, char *own, size_t size)
{
    snprintf(paper, size, "0");
    snprintf(own, size, "%d", chains->failures);
}

static void lcp(const TactChains *chains, char *paper, char *own, size_t size)
{
    snprintf(paper, size, "-");
    snprintf(own, size, "%.3f", 1e3 * mean(chains, chains->lcp));
}

static void all_lcp(const TactChains *chains, char *paper, char *own, size_t size)
{
    snprintf(paper, size, "%.3g", chains->column->lcp);
    snprintf(own, size, "%.3f", 1e3 * mean(chains, chains->all_lcp));
}

static double lcp_ratio(const TactChains *chains)
{
    double own = 1e3 * mean(chains, chains->all_lcp);
    return own > 0 ? chains->column->lcp / own : INFINITY;
}

static void lcp_faster(const TactChains *chains, char *paper, char *own, size_t size)
{
    snprintf(paper, size, "1");
    snprintf(own, size, "%.0f", lcp_ratio(chains));
}

static void simulation(const TactChains *chains, char *paper, char *own, size_t size)
{
    snprintf(paper, size, "%.3g", chains->column->simulation);
    snprintf(own, size, "%.3f", 1e3 * mean(chains, chains->simulation));
}

static void simulation_faster(const TactChains *chains, char *paper, char *own, size_t size)
{
    double ms = 1e3 * mean(chains, chains->simulation);
    snprintf(paper, size, "1");
    snprintf(own, size, "%.0f", ms > 0 ? chains->column->simulation / ms : 0);
}

static double realtime(const TactChains *chains)
{
    return chains->seconds > 0 ? chains->state->time / chains->seconds : 0;
}

static void times_real_time(const TactChains *chains, char *paper, char *own, size_t size)
{
    snprintf(paper, size, "%.2g", 1e3 * chains->column->step / chains->column->simulation);
    snprintf(own, size, "%.2g", realtime(chains));
}

static void loops(const TactChains *chains, char *paper, char *own, size_t size)
{
    snprintf(paper, size, "-");
    snprintf(own, size, chains->model->equality_count > 0 ? "%.1e" : "no loop", chains->loop_error);
}

static void joints(const TactChains *chains, char *paper, char *own, size_t size)
{
    snprintf(paper, size, "-");
    snprintf(own, size, "%.1e", chains->joint_error);
}

static void penetration(const TactChains *chains, char *paper, char *own, size_t size)
{
    snprintf(paper, size, "-");
    snprintf(own, size, "%.1e", chains->penetration);
}

static void certificate(const TactChains *chains, char *paper, char *own, size_t size)
{
    snprintf(paper, size, "1e-3");
    snprintf(own, size, "%.1e", chains->error);
}

static const struct {
    const char *name;
    Cells      *cells;
} rows[] = {
    {"duration, s", duration},
    {"bodies; degrees of freedom; loops", freedom},
    {"contacts", contacts},
    {"active", active},
    {"total frames", frames},
    {"failure", failures},
    {"LCP solve time, ms", all_lcp},
    {"times faster than the paper", lcp_faster},
    {"of it each contact problem once, ms", lcp},
    {"simulation time, ms", simulation},
    {"times faster than the paper", simulation_faster},
    {"times real time", times_real_time},
    {"loop error at most, m", loops},
    {"joint error at most, m", joints},
    {"penetration at most, m", penetration},
    {"error of a solution at most", certificate},
};

static void write_table(TactPapers *papers, const TactChains *all)
{
    tact_papers_table(
        papers,
        "Table III, with the paper's friction pyramids of 8 directions: means over the frames with "
        "contacts. LCP solve time is that of all contact problems of a frame, from mass matrix and "
        "contacts to certificate; loops repeat them until they close at the end of the step, and "
        "positions are put right without friction: solving each problem once is the row below. The "
        "paper's "
        "times are those of a Pentium Xeon of 3.8 GHz, with Runge-Kutta: the hardware is not "
        "comparable",
        " | hoist, paper | ours | hoist (10 ms), paper | ours | ring, paper | ours | net, paper | "
        "ours");
    for (size_t r = 0; r < sizeof rows / sizeof *rows; r++) {
        char cells[2 * COLUMNS][32];
        for (int i = 0; i < COLUMNS; i++) {
            rows[r].cells(&all[i], cells[2 * i], cells[2 * i + 1], sizeof cells[0]);
        }
        tact_papers_row(papers, "%s | %s | %s | %s | %s | %s | %s | %s | %s", rows[r].name,
                        cells[0], cells[1], cells[2], cells[3], cells[4], cells[5], cells[6],
                        cells[7]);
    }
}

static void want(TactPapers *papers, const TactChains *all)
{
    for (int i = 0; i < COLUMNS; i++) {
        const TactChains *chains = &all[i];
        const char       *name = chains->column->name;
        tact_papers_wanted(papers, chains->failures == 0, "%s: %d of %d frames are certified", name,
                           chains->steps - chains->failures, chains->steps);
        tact_papers_wanted(papers,
                           chains->loop_error < MOST_ERROR && chains->joint_error < MOST_ERROR,
                           "%s: errors of loops and joints below %.0e m: %.1e m, %.1e m", name,
                           MOST_ERROR, chains->loop_error, chains->joint_error);
        if (!tact_papers_quick(papers)) { // a few frames are no mean
            tact_papers_wanted(papers, lcp_ratio(chains) >= FASTER,
                               "%s: LCP solve time below 1/%.0f of the paper's: 1/%.0f", name,
                               FASTER, lcp_ratio(chains));
        }
    }
    if (!tact_papers_quick(papers)) {
        tact_papers_wanted(papers, realtime(&all[NET]) > 1,
                           "net at 1 ms: faster than real time on one thread: %.2f times",
                           realtime(&all[NET]));
    }
}

// ---------------------------------------------------------------------------------------------
// Other ways

enum { PAPER, CIRCLE, SEARCH, RUNGE_KUTTA, WAYS };

static const TactChainsWay ways[WAYS] = {
    [PAPER] = {"ladder, pyramid", TACT_CONE_PYRAMID, TACT_METHOD_LADDER, 0, TACT_INTEGRATOR_EULER},
    [CIRCLE] = {"ladder, circular cone: tact's default", TACT_CONE_CIRCLE, TACT_METHOD_LADDER, 0,
                TACT_INTEGRATOR_EULER},
    [SEARCH] = {"search, pyramid: the paper's", TACT_CONE_PYRAMID, TACT_METHOD_LCP,
                TACT_LCP_METHOD_SEARCH, TACT_INTEGRATOR_EULER},
    [RUNGE_KUTTA] = {"ladder, pyramid, Runge-Kutta 4", TACT_CONE_PYRAMID, TACT_METHOD_LADDER, 0,
                     TACT_INTEGRATOR_RK4},
};

static void write_way(TactPapers *papers, const TactChains *chains, const TactChainsWay *way)
{
    tact_papers_row(papers, "%s | %s | %d of %d | %.1f | %.1f | %.3f | %.3f | %.3f | %.2g | %.1e",
                    chains->column->name, way->name, chains->steps - chains->failures,
                    chains->steps, mean(chains, (double)chains->contacts),
                    mean(chains, (double)chains->active), 1e3 * mean(chains, chains->all_lcp),
                    1e3 * mean(chains, chains->lcp), 1e3 * mean(chains, chains->simulation),
                    realtime(chains), chains->loop_error);
}

// Frames of the slow ways, the paper's search and Runge-Kutta: all that are not run are told.
enum { SLOW_WAY_FRAMES = 1000 };

static double find_end_of_way(const TactChains *chains, int way)
{
    double end = find_end(chains);
    return way == CIRCLE ? end : fmin(end, SLOW_WAY_FRAMES * chains->column->step);
}

/// Every scene by every other way, each a run of its own.
static TactStatus run_ways(TactPapers *papers, int failures[COLUMNS], int steps[COLUMNS])
{
    Tension    tension = {0};
    TactStatus status = TACT_OK;
    tact_papers_table(
        papers,
        "The same scenes in other ways, each a run of its own: on the circular cone; by the "
        "paper's search with its two steps and without friction where it fails; with the paper's "
        "Runge-Kutta between contacts (the servo of the hoist's hand has 100 N s/m then, not "
        "20,000: "
        "explicit forces at 1 ms bear no more). Search and Runge-Kutta run the first 1,000 frames; "
        "the rest of a scene is not run",
        "scene | way | frames certified | contacts | active | LCP solve time, ms | of it each "
        "problem once, ms | simulation time, ms | times real time | loop error, m");
    for (int k = 0; k < COLUMNS * (WAYS - 1) && status == TACT_OK; k++) {
        int        i = k / (WAYS - 1), w = 1 + k % (WAYS - 1);
        TactChains chains;
        if (i == HOIST_10 && w == RUNGE_KUTTA) {
            tact_papers_row(papers,
                            "%s | %s | not run: the damping of the links, explicit, is "
                            "unstable (0.002 N m s on 3.5e-6 kg m2 over 10 ms: 5.7, more "
                            "than 2.8) | - | - | - | - | - | - | -",
                            columns[i].name, ways[w].name);
            continue;
        }
        status = tact_chains_open(papers, &columns[i], &ways[w], &chains);
        if (status == TACT_OK && i == HOIST && w == CIRCLE && !tact_papers_quick(papers)) {
            status = tact_chains_run(&chains, SLIDING);
            status = status == TACT_OK ? find_tension(&chains, &tension) : status;
        }
        status = status == TACT_OK ? tact_chains_run(&chains, find_end_of_way(&chains, w)) : status;
        if (status == TACT_OK) {
            write_way(papers, &chains, &ways[w]);
            failures[i] = w == SEARCH ? chains.failures : failures[i];
            steps[i] = w == SEARCH ? chains.steps : steps[i];
        }
        tact_chains_close(&chains);
        tact_papers_progress(papers, 0.4 + 0.4 * (k + 1) / (COLUMNS * (WAYS - 1)));
    }
    tell_tension(papers, &tension);
    return status;
}

// ---------------------------------------------------------------------------------------------
// Inverse articulated-body inertias

// Frames of a scene that are looked at; all solves of one are made four times.
enum { IABI_FRAMES = 400 };

static void write_iabi(TactPapers *papers, const TactChains *all)
{
    tact_papers_table(
        papers,
        "Contact matrices by inverse articulated-body inertias, as the paper has them "
        "(`tact_assembly_compute_delassus`), beside the mass matrix with its factor along the "
        "tree, of frames of the first run: means. Made: W, or M, factor and all rows. All "
        "contacts of a frame are one problem, from cold; loops are eliminated from W, and rows "
        "beside M",
        "scene | frames | divided, left out | contacts | made: W, ms | M, ms | search on W, ms | "
        "pivots | solved | ladder on W, ms | solved | search on M, ms | solved | ladder on M, ms | "
        "solved | the two W differ by | one motion of all four");
    for (int i = 0; i < COLUMNS; i++) {
        const TactIabiTally *t = tact_iabi_tally(all[i].iabi);
        double               n = fmax(1, t->frames), ms = 1e3 / n;
        tact_papers_row(papers,
                        "%s | %d | %d | %.1f | %.3f | %.3f | %.3f | %.1f | %d | %.3f | %d | %.3f | "
                        "%d | %.3f | %d | %.1e | %d",
                        columns[i].name, t->frames, t->divided, t->contacts / n, ms * t->made[0],
                        ms * t->made[1], ms * t->solve[TACT_IABI_SEARCH],
                        t->pivots[TACT_IABI_SEARCH] / n, t->solved[TACT_IABI_SEARCH],
                        ms * t->solve[TACT_IABI_LADDER], t->solved[TACT_IABI_LADDER],
                        ms * t->solve[TACT_MASS_SEARCH], t->solved[TACT_MASS_SEARCH],
                        ms * t->solve[TACT_MASS_LADDER], t->solved[TACT_MASS_LADDER], t->W,
                        t->same);
    }
}

/// What the paper says of Table III, of its own algorithm.
static void want_search(TactPapers *papers, const TactChains *all, const int failures[COLUMNS],
                        const int steps[COLUMNS])
{
    for (int i = 0; i < COLUMNS; i++) {
        const TactIabiTally *t = tact_iabi_tally(all[i].iabi);
        if (tact_papers_quick(papers) && t->frames == 0) { // nothing touches so early
            continue;
        }
        tact_papers_wanted(
            papers, failures[i] == 0 && t->frames > 0 && t->close[TACT_IABI_SEARCH] == t->frames,
            "%s, the paper's finding: its search fails on no frame (0 of %d): here on %d of the "
            "first %d in a run of its own; of frames by inverse articulated-body inertias on %d of "
            "%d by the "
            "paper's error of 1e-3, on %d by tact's of 1e-8",
            columns[i].name, columns[i].frames, failures[i], steps[i],
            t->frames - t->close[TACT_IABI_SEARCH], t->frames,
            t->frames - t->solved[TACT_IABI_SEARCH]);
        tact_papers_wanted(papers, t->W < 1e-9,
                           "%s: W by inverse articulated-body inertias is that of the mass matrix "
                           "to 1e-9 of its largest entry: %.1e",
                           columns[i].name, t->W);
    }
}

TactStatus tact_papers_chains(TactPapers *papers)
{
    TactChains all[COLUMNS] = {0};
    int        failures[COLUMNS] = {0}, steps[COLUMNS] = {0};
    TactStatus status = TACT_OK;
    tact_papers_section(papers, "More complex scenarios (figure 4, Table III)");
    tact_papers_text(
        papers,
        "Three scenes of long and closed chains on real geometry. hoist: a string of 25 ball "
        "joints over a rod lifts a load. ring: wires of five ball joints with a ring at either "
        "end, "
        "triangle meshes hooked into each other and into two rings that are fixed. net: four "
        "strings of 16 joints, both ends fixed, catch five cylinders. The paper gives no "
        "dimensions: these are our own. Joints are coordinates and cannot come apart; loops and "
        "joints are measured by the poses of bodies all the same.");
    for (int i = 0; i < COLUMNS && status == TACT_OK; i++) {
        int frames = (int)(columns[i].duration / columns[i].step);
        int every = tact_papers_quick(papers) ? 1 : 1 + (frames - 1) / IABI_FRAMES;
        status = tact_chains_open(papers, &columns[i], &ways[PAPER], &all[i]);
        status = status == TACT_OK ? tact_chains_watch_iabi(&all[i], every) : status;
        status = status == TACT_OK ? run(&all[i], i) : status;
    }
    if (status == TACT_OK) {
        write_table(papers, all);
        want(papers, all);
        plot_hand(papers, all);
        plot_loops(papers, &all[NET]);
        status = run_ways(papers, failures, steps);
    }
    if (status == TACT_OK) {
        write_iabi(papers, all);
        want_search(papers, all, failures, steps);
        status = tact_chains_threads(papers);
    }
    for (int i = 0; i < COLUMNS; i++) {
        tact_chains_close(&all[i]);
    }
    return status;
}
