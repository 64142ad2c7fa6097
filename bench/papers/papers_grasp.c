// Arechavaleta, Lopez-Damian, Morales: On the use of iterative LCP solvers for dry frictional
// contacts in grasping. Figures 1 to 3 as scenes, Table I on the contact problems of these scenes.
#include "bench/papers/papers_grasp.h"

#include <math.h>
#include <stdio.h>

#include "bench/papers/papers.h"
#include "bench/papers/papers_grasp_box.h"
#include "bench/papers/papers_grasp_own.h"
#include "bench/papers/papers_grasp_scene.h"

// ---------------------------------------------------------------------------------------------
// Table I

/// Table I of the paper, us: min, max, mean on an AMD Turion 64 X2, 3.0 GHz.
static const double paper[2][TACT_GRASP_METHODS][3] = {
    {[TACT_GRASP_LEMKE] = {146, 7050, 672},
     [TACT_GRASP_PGS] = {97, 1332, 207},
     [TACT_GRASP_PGS_SM] = {84, 355, 145},
     [TACT_GRASP_PGS_ONCE] = {97, 1332, 207},
     [TACT_GRASP_PGS_SM_ONCE] = {84, 355, 145}},
    {[TACT_GRASP_LEMKE] = {220, 11820, 1885},
     [TACT_GRASP_PGS] = {95, 3348, 238},
     [TACT_GRASP_PGS_SM] = {79, 452, 155},
     [TACT_GRASP_PGS_ONCE] = {95, 3348, 238},
     [TACT_GRASP_PGS_SM_ONCE] = {79, 452, 155}},
};

static void write_times(TactPapers *papers, const TactGraspTrial *trial, int row,
                        const char *caption)
{
    int problems = tact_grasp_trial_problems(trial);
    tact_papers_table(papers, caption,
                      "method | cone | paper min, us | paper max | paper mean | min, us | max | "
                      "mean | paper mean / mean | certified | worst error");
    for (int m = 0; m < TACT_GRASP_METHODS; m++) {
        TactGraspTimes t = tact_grasp_trial_times(trial, (TactGraspMethod)m, 0);
        const double  *said = paper[row][m];
        char           figures[64] = "- | - | -", ratio[32] = "-";
        if (said[2] > 0) {
            snprintf(figures, sizeof figures, "%.0f | %.0f | %.0f", said[0], said[1], said[2]);
            snprintf(ratio, sizeof ratio, "%.2g", said[2] / (1e6 * t.mean));
        }
        tact_papers_row(papers, "%s | %s | %s | %.1f | %.1f | %.1f | %s | %d of %d | %.1e",
                        tact_grasp_method_name((TactGraspMethod)m),
                        tact_grasp_method_cone((TactGraspMethod)m), figures, 1e6 * t.min,
                        1e6 * t.max, 1e6 * t.mean, ratio, t.certified, problems, t.error);
    }
}

/// Mean times against the number of contacts.
static void plot_times(TactPapers *papers, const TactGraspTrial *trial, const char *title)
{
    static const TactGraspMethod shown[] = {TACT_GRASP_LEMKE, TACT_GRASP_PGS, TACT_GRASP_PGS_SM,
                                            TACT_GRASP_REDUCED, TACT_GRASP_REDUCED_WARM};
    enum { SHOWN = sizeof shown / sizeof *shown };
    double        x[TACT_GRASP_MOST_CONTACTS], y[SHOWN][TACT_GRASP_MOST_CONTACTS];
    TactSvgSeries series[SHOWN];
    int           count = 0;
    for (int contacts = 1; contacts <= TACT_GRASP_MOST_CONTACTS; contacts++) {
        if (tact_grasp_trial_count(trial, contacts) > 0) {
            for (int i = 0; i < SHOWN; i++) {
                y[i][count] = 1e6 * tact_grasp_trial_times(trial, shown[i], contacts).mean;
            }
            x[count++] = contacts;
        }
    }
    for (int i = 0; i < SHOWN; i++) {
        series[i] =
            (TactSvgSeries){tact_grasp_method_name(shown[i]), TACT_SVG_LINE, i, count, x, y[i]};
    }
    TactSvgPlot plot = {.title = title,
                        .x_label = "contacts",
                        .y_label = "mean time, us",
                        .y_scale = TACT_SVG_LOG,
                        .series_count = SHOWN,
                        .series = series};
    tact_papers_plot(papers, &plot);
}

static double mean_of(const TactGraspTrial *trial, TactGraspMethod method)
{
    return 1e6 * tact_grasp_trial_times(trial, method, 0).mean;
}

/// The paper's order, with the paper's one box.
static void want_order(TactPapers *papers, const TactGraspTrial *trial, int row, const char *where)
{
    int            problems = tact_grasp_trial_problems(trial);
    TactGraspTimes lemke = tact_grasp_trial_times(trial, TACT_GRASP_LEMKE, 0);
    TactGraspTimes pgs = tact_grasp_trial_times(trial, TACT_GRASP_PGS_ONCE, 0);
    TactGraspTimes pgs_sm = tact_grasp_trial_times(trial, TACT_GRASP_PGS_SM_ONCE, 0);
    const double(*said)[3] = paper[row];
    tact_papers_wanted(papers, pgs_sm.mean < pgs.mean && pgs.mean < lemke.mean,
                       "the paper's finding: PGS-SM is faster than PGS, and PGS than Lemke, in the "
                       "mean and with one friction box (paper %.0f, %.0f, %.0f us), %s: %.1f, "
                       "%.1f, %.1f us. Of %d answers %d, %d and %d are certified",
                       said[TACT_GRASP_PGS_SM_ONCE][2], said[TACT_GRASP_PGS_ONCE][2],
                       said[TACT_GRASP_LEMKE][2], where, 1e6 * pgs_sm.mean, 1e6 * pgs.mean,
                       1e6 * lemke.mean, problems, pgs_sm.certified, pgs.certified,
                       lemke.certified);
}

/// Like with like: the paper's order with the paper's one box, cold paths with cold ones, methods
/// that remember the step before with each other; and what each of them certifies.
static void want_times(TactPapers *papers, const TactGraspTrial *trial, int row)
{
    int            problems = tact_grasp_trial_problems(trial);
    TactGraspTimes cold = tact_grasp_trial_times(trial, TACT_GRASP_REDUCED, 0);
    TactGraspTimes warm = tact_grasp_trial_times(trial, TACT_GRASP_REDUCED_WARM, 0);
    TactGraspTimes lemke = tact_grasp_trial_times(trial, TACT_GRASP_LEMKE, 0);
    want_order(papers, trial, row, "in reduced coordinates");
    tact_papers_wanted(
        papers, cold.mean < lemke.mean && cold.max < lemke.max,
        "both cold, both by the pyramid: reduced beats lemke in mean (%.1f against %.1f "
        "us) and in maximum (%.1f against %.1f us)",
        1e6 * cold.mean, 1e6 * lemke.mean, 1e6 * cold.max, 1e6 * lemke.max);
    tact_papers_text(
        papers,
        "What remembers the step before: reduced %.1f us, all boxes of pgs-sm %.1f us, "
        "all boxes of pgs %.1f us, one box of pgs-sm %.1f us, one of pgs %.1f us in "
        "the mean. One box takes its bounds from the normal forces of the step before "
        "and certifies nothing where these change.",
        1e6 * warm.mean, mean_of(trial, TACT_GRASP_PGS_SM), mean_of(trial, TACT_GRASP_PGS),
        mean_of(trial, TACT_GRASP_PGS_SM_ONCE), mean_of(trial, TACT_GRASP_PGS_ONCE));
    tact_papers_wanted(papers, cold.certified == problems && warm.certified == problems,
                       "%d and %d of %d answers of reduced, cold and warm, are certified",
                       cold.certified, warm.certified, problems);
}

static double trial_seconds(const TactPapers *papers)
{
    return tact_papers_quick(papers) ? 0.2 : 1;
}

// The paper's, added to the diagonal of G, (m/s) / (N s).
static const double CFM = 1e-11;

typedef struct Boxes {
    TactGraspBox *box;
    int           island; // of this step: the first one is the hand's
} Boxes;

static TactStatus visit_box(void *context, const TactContactProblem *problem, double error)
{
    Boxes *boxes = context;
    (void)error;
    return problem->contact_count > 0 && problem->M && boxes->island++ == 0
               ? tact_grasp_box_solve(boxes->box, problem)
               : TACT_OK;
}

static TactStatus run_boxes(TactPapers *papers, const TactGraspHand *hands, int count,
                            TactGraspBox *box)
{
    TactStatus status = TACT_OK;
    for (int i = 0; i < count && status == TACT_OK; i++) {
        TactGraspScene scene = {0};
        Boxes          boxes = {.box = box};
        status = tact_grasp_scene_open(papers, &hands[i], &(TactGraspWay){0}, &scene);
        tact_grasp_box_forget(box);
        while (status == TACT_OK && scene.state->time < trial_seconds(papers)) {
            TactSimReport report;
            boxes.island = 0;
            status = tact_sim_step(scene.sim, &report);
            status =
                status == TACT_OK ? tact_sim_visit_problems(scene.sim, visit_box, &boxes) : status;
        }
        tact_grasp_scene_close(&scene);
    }
    return status;
}

/// Why the order of Table I holds or not: sweeps and times of the paper's own box.
static TactStatus explain_order(TactPapers *papers, const TactGraspHand *hands, int count,
                                const char *name)
{
    TactGraspBox *box;
    TactStatus    status = tact_grasp_box_create(CFM, &box);
    status = status == TACT_OK ? run_boxes(papers, hands, count, box) : status;
    if (status == TACT_OK) {
        const TactGraspBoxTally *t = tact_grasp_box_tally(box);
        double                   n = fmax(1, t->problems);
        char                     caption[256];
        snprintf(
            caption, sizeof caption,
            "%s: the paper's LCP to the letter, G + 1e-11 with one box, to a residual of 1e-8; "
            "%d problems of %.1f unknowns in the mean",
            name, t->problems, t->unknowns / n);
        tact_papers_table(papers, caption,
                          "method | solved | ended by the number of sweeps | sweeps a problem | us "
                          "a problem | us a sweep");
        for (int k = 0; k < TACT_GRASP_BOX_WAYS; k++) {
            tact_papers_row(papers, "%s | %d | %d | %.1f | %.2f | %.3f",
                            tact_grasp_box_name((TactGraspBoxWay)k), t->solved[k], t->capped[k],
                            t->sweeps[k] / n, 1e6 * t->seconds[k] / n,
                            1e6 * t->seconds[k] / fmax(1, t->sweeps[k]));
        }
        const double *s = t->seconds;
        double        few = t->sweeps[TACT_GRASP_BOX_PGS_SM] / n;
        tact_papers_wanted(papers, few >= 3 && few <= 6,
                           "%s, the paper's finding: PGS-SM takes 3 to 6 sweeps: %.1f in the mean",
                           name, few);
        tact_papers_wanted(
            papers, s[TACT_GRASP_BOX_PGS_SM] < s[TACT_GRASP_BOX_PGS],
            "%s, the paper's finding with the paper's LCP: PGS-SM is faster than PGS: %.2f and "
            "%.2f us from 0 (%.1f and %.1f sweeps); warm %.2f and %.2f us. Where PGS needs no more "
            "than 6 sweeps there is nothing to gain: it needs more in %d of %d problems from 0, "
            "in %d warm; and what ends after 50 sweeps, as one box of tact does, is not slower "
            "than that: %.2f us, %d of them without an answer",
            name, 1e6 * s[TACT_GRASP_BOX_PGS_SM] / n, 1e6 * s[TACT_GRASP_BOX_PGS] / n,
            t->sweeps[TACT_GRASP_BOX_PGS_SM] / n, t->sweeps[TACT_GRASP_BOX_PGS] / n,
            1e6 * s[TACT_GRASP_BOX_PGS_SM_WARM] / n, 1e6 * s[TACT_GRASP_BOX_PGS_WARM] / n,
            t->slow[0], t->problems, t->slow[1], 1e6 * s[TACT_GRASP_BOX_PGS_50] / n,
            t->capped[TACT_GRASP_BOX_PGS_50]);
    }
    tact_grasp_box_destroy(box);
    return status;
}

static int trial_passes(const TactPapers *papers)
{
    return tact_papers_quick(papers) ? 1 : 5;
}

static TactStatus compare(TactPapers *papers, const TactGraspHand *hands, int count, int row)
{
    const TactGraspWay way = {0};
    TactGraspTrial    *trial;
    TactStatus         status = tact_grasp_trial_create(&trial);
    for (int i = 0; i < count && status == TACT_OK; i++) {
        TactGraspScene scene = {0};
        status = tact_grasp_scene_open(papers, &hands[i], &way, &scene);
        if (status == TACT_OK) {
            status =
                tact_grasp_trial_run(trial, scene.sim, trial_seconds(papers), trial_passes(papers));
        }
        tact_grasp_scene_close(&scene);
        tact_papers_progress(papers, 0.3 + 0.3 * row + 0.3 * (i + 1) / count);
    }
    if (status == TACT_OK) {
        const char *name = row ? "Five-finger hand" : "Three-finger hand";
        char        caption[128];
        snprintf(caption, sizeof caption, "%s: %d problems (Table I)", name,
                 tact_grasp_trial_problems(trial));
        write_times(papers, trial, row, caption);
        plot_times(papers, trial, name);
        want_times(papers, trial, row);
        status = explain_order(papers, hands, count, name);
    }
    tact_grasp_trial_destroy(trial);
    return status;
}

/// Table I once more where the paper has it: six degrees of freedom a body, joints as rows.
static TactStatus compare_maximal(TactPapers *papers, const TactGraspHand *hands, int count,
                                  int row)
{
    const TactGraspWay way = {.maximal = true, .zeta = 0.2};
    TactGraspTrial    *trial;
    TactStatus         status = tact_grasp_trial_create(&trial);
    int                dof = 0;
    for (int i = 0; i < count && status == TACT_OK; i++) {
        TactGraspScene scene = {0};
        status = tact_grasp_scene_open(papers, &hands[i], &way, &scene);
        if (status == TACT_OK) {
            dof = scene.model->nv;
            status = tact_grasp_trial_run(trial, scene.sim, trial_seconds(papers), 1);
        }
        tact_grasp_scene_close(&scene);
    }
    if (status == TACT_OK) {
        const char *name = row ? "Five-finger hand" : "Three-finger hand";
        char        caption[192];
        snprintf(caption, sizeof caption,
                 "%s in maximal coordinates: %d degrees of freedom, joints as bilateral rows, zeta "
                 "= 0.2; %d problems, each solved once (Table I)",
                 name, dof, tact_grasp_trial_problems(trial));
        write_times(papers, trial, row, caption);
        want_order(papers, trial, row, "in maximal coordinates");
    }
    tact_grasp_trial_destroy(trial);
    return status;
}

// ---------------------------------------------------------------------------------------------

static const TactGraspHand glass[] = {
    {.scene = "grasp.xml",
     .object = "glass",
     .fingers = "rubber on glass",
     .mu = 1,
     .settle = 4,
     .hold = 10,
     .rim = {0.0377, 0, 0.1838},
     .camera = {{-0.05, 0, 0.15}, 60, -15, 0.75, .cone = 0.02, .force = 0.02},
     .moments = {0.01, 0.35, 3},
     .captions = {"The hand is open (figure 2a)", "Rubber fingers have closed (figure 3)",
                  "and hold the glass"}},
    {.scene = "grasp-plastic.xml",
     .object = "glass",
     .fingers = "plastic on glass",
     .mu = 0.2,
     .settle = 3,
     .rim = {0.0377, 0, 0.1838},
     .camera = {{-0.05, 0, 0.15}, 60, -15, 0.75, .cone = 0.02, .force = 0.02},
     .moments = {0.35, 0.6, 2},
     .captions = {"Plastic fingers have closed (figure 2b)", "and slip (figure 2c)",
                  "The glass stays on the table (figure 2d)"}},
};

static const TactGraspHand ball[] = {
    {.scene = "ball-hand.xml",
     .object = "ball",
     .fingers = "metal on rubber",
     .mu = 1,
     .settle = 4,
     .hold = 10,
     .rim = {0, 0, 0.035},
     .camera = {{0, 0, 0.08}, 35, -12, 0.5, .cone = 0.015, .force = 0.012},
     .moments = {0.01, 0.35, 3},
     .captions = {"Before the grasp (figure 1a)", "The fingers have closed (figure 1c)",
                  "and the ball is lifted (figure 1d)"}},
};

static const TactGraspHand puma[] = {
    {.scene = "puma.xml",
     .object = "glass",
     .fingers = "rubber on glass",
     .mu = 1,
     .settle = 4,
     .hold = 10,
     .rim = {0.0377, 0, 0.1838},
     .camera = {{-0.42, -0.05, 0.36}, 70, -12, 1.65, .cone = 0.03, .force = 0.03},
     .moments = {0.01, 0.35, 3},
     .captions = {"The arm has brought the open hand to the glass", "The fingers have closed",
                  "and the arm has lifted the glass"}},
    {.scene = "puma-plastic.xml",
     .object = "glass",
     .fingers = "plastic on glass",
     .mu = 0.2,
     .settle = 3,
     .rim = {0.0377, 0, 0.1838},
     .camera = {{-0.42, -0.05, 0.36}, 70, -12, 1.65, .cone = 0.03, .force = 0.03},
     .moments = {0.35, 0.6, 2},
     .captions = {"Plastic fingers have closed", "and slip", "The glass stays on the table"}},
};

TactStatus tact_papers_grasp(TactPapers *papers)
{
    tact_papers_text(papers,
                     "Cones are those of friction, arrows the forces on what is grasped. "
                     "Fingers close under torque; contacts come from collision, of the glass with "
                     "its triangles; couplings, limits and dry friction of the joints are rows of "
                     "the same contact problem.");
    TactStatus status =
        tact_grasp_tell(papers, glass, 2, "Three-finger hand and glass",
                        "The same hand with fingers of two materials (figures 2, 3)");
    tact_papers_progress(papers, 0.2);
    if (status == TACT_OK) {
        status = tact_grasp_tell(papers, ball, 1, "Five-finger hand and ball",
                                 "A metal hand and a rubber ball (figure 1)");
    }
    if (status == TACT_OK) {
        status = tact_grasp_tell(papers, puma, 2, "Three-finger hand on a Puma 560",
                                 "The hand on the arm that the paper's scenarios have (V-A), with "
                                 "the inertias of Armstrong, Khatib and Burdick (1986)");
    }
    status = status == TACT_OK ? tact_grasp_own_runs(papers, puma) : status;
    tact_papers_progress(papers, 0.3);
    tact_papers_section(papers, "Table I: time of the contact problems");
    tact_papers_text(
        papers,
        "All methods on the same problems, in one run: those of the first %g s of the scenes "
        "above, in which the fingers close and lift. Times are of whole solves, from the problem "
        "to the certificate, each the best of %d (pgs: of 2 at most); the paper's are those of an "
        "AMD Turion of 3.0 GHz and not comparable. pgs and pgs-sm solve friction boxes until the "
        "box is that of their own normal forces, which the certificate asks for, and start from "
        "the answer of the step before; where pgs does not converge it goes on to the last of its "
        "200 boxes, and the maximum is what that takes. 'One box' is the paper's way: bounds from "
        "the normal forces of the step before, once (50 sweeps at most); where forces change it "
        "is no answer, and not certified. Certified: error of 1e-8 at most.",
        trial_seconds(papers), trial_passes(papers));
    status = status == TACT_OK ? compare(papers, glass, 2, 0) : status;
    status = status == TACT_OK ? compare(papers, ball, 1, 1) : status;
    status = status == TACT_OK ? compare_maximal(papers, glass, 2, 0) : status;
    return status == TACT_OK ? compare_maximal(papers, ball, 1, 1) : status;
}
