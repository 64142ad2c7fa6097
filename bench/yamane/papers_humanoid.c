// Yamane and Nakamura's humanoid: a squat (Table I, Fig. 2) and a tap dance (Table II, Fig. 3).
#include "bench/yamane/papers_humanoid.h"

#include <math.h>

/// What a table of the paper says of a method.
typedef struct PaperTally {
    TactHumanoidMethod method;
    double             contacts, active;
    int                frames, solved, no_solution, cycle, error;
} PaperTally;

// [Yamane and Nakamura, Table I]. Each method ran its own simulation there, so that contacts and
// frames differ.
static const PaperTally table_1[] = {
    {TACT_HUMANOID_LEMKE, 16.1, 3.03, 998, 506, 52, 157, 283},
    {TACT_HUMANOID_LEX_0, 16.0, 3.02, 998, 514, 27, 147, 310},
    {TACT_HUMANOID_LEX_8, 15.9, 3.03, 998, 900, 17, 18, 63},
    {TACT_HUMANOID_LEX_6, 12.1, 2.30, 1000, 990, 3, 2, 5},
    {TACT_HUMANOID_LEX_4, 15.5, 2.55, 1000, 996, 3, 0, 1},
    {TACT_HUMANOID_SEARCH, 15.4, 2.18, 999, 999, 0, 0, 0},
};

// [Yamane and Nakamura, Table II]
static const PaperTally table_2[] = {
    {TACT_HUMANOID_LEX_10, 6.89, 2.02, 9656, 9620, 13, 7, 16},
    {TACT_HUMANOID_SEARCH, 7.19, 1.70, 9670, 9670, 0, 0, 0},
};

// Times of Table II, ms, and its total pivots; a Pentium Xeon of 3.8 GHz.
typedef struct PaperTimes {
    TactHumanoidMethod method;
    double             solve, simulation, pivots, frames;
} PaperTimes;

static const PaperTimes times_2[] = {
    {TACT_HUMANOID_LEX_10, 0.375, 3.49, 71102, 9656},
    {TACT_HUMANOID_SEARCH, 0.182, 3.54, 34335, 9670},
};

#define COUNT(array) ((int)(sizeof(array) / sizeof *(array)))

// ---------------------------------------------------------------------------------------------
// Tables

static const PaperTally *find_paper(const PaperTally *table, int count, int method)
{
    for (int i = 0; i < count; i++) {
        if ((int)table[i].method == method) {
            return &table[i];
        }
    }
    return NULL;
}

/// Success and failure of all methods, the paper's row above ours.
static void add_tallies(TactPapers *papers, const TactHumanoidRun *run, const char *caption,
                        const PaperTally *paper, int paper_count)
{
    tact_papers_table(papers, caption,
                      "method | whose | contacts | active | frames | success | failure | no "
                      "solution | cycle | error | of failures below 1e-3");
    for (int m = 0; m < TACT_HUMANOID_METHODS; m++) {
        const PaperTally        *p = find_paper(paper, paper_count, m);
        const TactHumanoidTally *t = &run->tallies[m];
        const char              *name = tact_humanoid_method_name((TactHumanoidMethod)m);
        if (p) {
            tact_papers_row(papers, "%s | paper | %.2f | %.2f | %d | %d | %d | %d | %d | %d | -",
                            name, p->contacts, p->active, p->frames, p->solved,
                            p->frames - p->solved, p->no_solution, p->cycle, p->error);
        }
        tact_papers_row(papers, "%s | tact | %.2f | %.2f | %d | %d | %d | %d | %d | %d | %d", name,
                        run->contacts / fmax(1, t->frames), t->active / fmax(1, t->solved),
                        t->frames, t->solved, t->frames - t->solved, t->no_solution, t->cycle,
                        t->error, t->close);
    }
    for (int k = 0; k < TACT_HUMANOID_TABLEAUX; k++) {
        const TactHumanoidTally *t = &run->tableaux[k];
        tact_papers_row(papers, "%s | rebuilt | %.2f | %.2f | %d | %d | %d | %d | %d | %d | %d",
                        tact_humanoid_tableau_name((TactHumanoidTableau)k),
                        run->contacts / fmax(1, run->frames), t->active / fmax(1, t->solved),
                        t->frames, t->solved, t->frames - t->solved, t->no_solution, t->cycle,
                        t->error, t->close);
    }
}

/// Times and pivots of all methods.
static void add_times(TactPapers *papers, const TactHumanoidRun *run, const char *caption,
                      const PaperTimes *paper, int paper_count)
{
    tact_papers_table(papers, caption,
                      "method | LCP, ms: paper | tact | ratio | simulation, ms: paper | tact | "
                      "ratio | total pivots: paper | tact | a frame: paper | tact");
    for (int m = 0; m < TACT_HUMANOID_METHODS; m++) {
        const TactHumanoidTally *t = &run->tallies[m];
        const char              *name = tact_humanoid_method_name((TactHumanoidMethod)m);
        double                   frames = fmax(1, t->frames);
        double                   solve = 1e3 * t->time / frames;
        double                   all = solve + 1e3 * run->rest_time / fmax(1, run->frames);
        const PaperTimes        *p = NULL;
        for (int i = 0; i < paper_count; i++) {
            p = (int)paper[i].method == m ? &paper[i] : p;
        }
        if (p) {
            tact_papers_row(papers,
                            "%s | %.3f | %.3f | %.1f | %.2f | %.3f | %.0f | %.0f | %.0f | %.1f | "
                            "%.1f",
                            name, p->solve, solve, p->solve / solve, p->simulation, all,
                            p->simulation / all, p->pivots, t->pivots, p->pivots / p->frames,
                            t->pivots / frames);
        } else {
            tact_papers_row(papers, "%s | - | %.3f | - | - | %.3f | - | - | %.0f | - | %.1f", name,
                            solve, all, t->pivots, t->pivots / frames);
        }
    }
    for (int k = 0; k < TACT_HUMANOID_TABLEAUX; k++) {
        const TactHumanoidTally *t = &run->tableaux[k];
        double                   frames = fmax(1, t->frames);
        tact_papers_row(papers, "%s | - | %.3f | - | - | - | - | - | %.0f | - | %.1f",
                        tact_humanoid_tableau_name((TactHumanoidTableau)k), 1e3 * t->time / frames,
                        t->pivots, t->pivots / frames);
    }
}

static double share_failed(const TactHumanoidTally *tally)
{
    return 1 - tally->solved / fmax(1, tally->frames);
}

/// What Table I says between the methods, of the paper's Lemke rebuilt and tact's search.
static void want_table_1(TactPapers *papers, const TactHumanoidRun *run)
{
    const TactHumanoidTally *rebuilt = run->tableaux;
    const TactHumanoidTally *least = &rebuilt[TACT_HUMANOID_TABLEAU_LEAST];
    const TactHumanoidTally *scaled = &rebuilt[TACT_HUMANOID_TABLEAU_EQUILIBRATED];
    const TactHumanoidTally *lex_0 = &rebuilt[TACT_HUMANOID_TABLEAU_LEX_0];
    const TactHumanoidTally *lex_8 = &rebuilt[TACT_HUMANOID_TABLEAU_LEX_8];
    const TactHumanoidTally *search = &run->tallies[TACT_HUMANOID_SEARCH];
    tact_papers_wanted(papers, share_failed(least) >= 0.4 && search->solved == search->frames,
                       "the paper's finding: Lemke's algorithm fails on half of the frames or more "
                       "(paper 492 of 998), the search on none (0 of 999): %d of %d and %d of %d",
                       least->frames - least->solved, least->frames,
                       search->frames - search->solved, search->frames);
    tact_papers_wanted(papers, share_failed(lex_0) >= 0.4 && share_failed(lex_8) <= 0.1,
                       "the paper's finding: lexicographic ordering does not help without a "
                       "threshold (paper 484 of 998 fail), and does with one (1e-8: 98 of 998): "
                       "%d of %d and %d of %d fail",
                       lex_0->frames - lex_0->solved, lex_0->frames, lex_8->frames - lex_8->solved,
                       lex_8->frames);
    tact_papers_wanted(
        papers, lex_0->close >= 0.9 * (lex_0->frames - lex_0->solved),
        "why tact's lemke does not fail: paths end where nothing blocks, but z0 is 0 "
        "there but for rounding, and the point is an answer: so %d of the %d that "
        "fail by least index, and %d of the %d where small pivots are refused as "
        "tact does. tact judges the point, the paper the end. Equilibration is not "
        "why: with it %d of %d fail",
        least->close, least->frames - least->solved, lex_0->close, lex_0->frames - lex_0->solved,
        scaled->frames - scaled->solved, scaled->frames);
}

/// What Table II says of pivots: of methods that start alike, and of the start itself.
static void want_table_2(TactPapers *papers, const TactHumanoidRun *run)
{
    const TactHumanoidTally *search = &run->tallies[TACT_HUMANOID_SEARCH];
    const TactHumanoidTally *lex = &run->tallies[TACT_HUMANOID_LEX_10];
    const TactHumanoidTally *whole = &run->tableaux[TACT_HUMANOID_TABLEAU_LEX_8];
    double                   mine = search->pivots / fmax(1, search->frames);
    double                   ordered = lex->pivots / fmax(1, lex->frames);
    double                   rebuilt = whole->pivots / fmax(1, whole->frames);
    tact_papers_wanted(papers, mine <= 0.5 * ordered,
                       "the paper's finding: the search takes half the pivots of lexicographic "
                       "Lemke with the same start (paper 3.6 and 7.4 a frame, of the step with "
                       "friction): %.1f and %.1f, of both steps. Here lemke-lex fails on %d of "
                       "%d frames, in the paper on 36 of 9656",
                       mine, ordered, lex->frames - lex->solved, lex->frames);
    tact_papers_wanted(papers, mine <= 0.5 * rebuilt,
                       "two steps that leave out the friction of contacts that do not press take "
                       "half the pivots of the whole LCP or less: search %.1f a frame, the rebuilt "
                       "lexicographic Lemke %.1f, both steps. The paper's 3.6 are not reached; its "
                       "contacts need fewer: 1.7 of 7.2 are active, here %.1f of %.1f",
                       mine, rebuilt, search->active / fmax(1, search->solved),
                       run->contacts / fmax(1, run->frames));
}

/// The paper's 3.6 pivots a frame, taken apart: a contact that presses has two unknowns of friction
/// that are not 0 (two directions if it sticks, one and lambda if it slides), each of which has to
/// enter the basis once. Less than 2 an active contact cannot be, and the paper has 34335 / 9670 /
/// 1.70 = 2.1.
static void want_pivots(TactPapers *papers, const TactHumanoidRun *run)
{
    const TactHumanoidTally *search = &run->tallies[TACT_HUMANOID_SEARCH];
    double                   frames = fmax(1, search->frames);
    double                   second = (search->pivots - run->first) / frames;
    double                   active = search->active / fmax(1, search->solved);
    tact_papers_wanted(
        papers, second <= 3.6,
        "Tap dance: the search takes 3.6 pivots a frame in its second step, as in the "
        "paper's Table II: %.1f (and %.1f in the first). The paper's are 2.1 a "
        "contact that presses (1.70 a frame), which is the least that can be: both "
        "its unknowns of friction enter once. Here they are %.1f a contact, of "
        "which %.2f press: on the way from z0 unknowns enter and leave again",
        second, run->first / frames, second / fmax(active, 1e-9), active);
}

static void add_wanted(TactPapers *papers, const TactHumanoidRun *run, const char *motion)
{
    const TactHumanoidTally *search = &run->tallies[TACT_HUMANOID_SEARCH];
    const TactHumanoidTally *ladder = &run->tallies[TACT_HUMANOID_LADDER];
    tact_papers_wanted(papers, search->solved == run->frames && ladder->solved == run->frames,
                       "%s: every frame certified by search and by ladder: %d and %d of %d "
                       "(largest error %.1e and %.1e)",
                       motion, search->solved, ladder->solved, run->frames, search->worst,
                       ladder->worst);
}

// ---------------------------------------------------------------------------------------------
// Forces

/// Largest difference of the floor's force and of what moves the centre of mass, over the weight.
static double compare_forces(const TactHumanoidRun *run)
{
    double worst = 0;
    for (int k = 1; k < run->frames; k++) {
        worst = fmax(worst, fabs(run->force[k] - tact_humanoid_needed(run, k)) / run->weight);
    }
    return worst;
}

/// Fig. 2: the vertical force, and what it has to be.
static void plot_forces(TactPapers *papers, const TactHumanoidRun *run, const char *title)
{
    enum { MOST = 50 };
    double time[MOST], force[MOST], between[MOST], needed[MOST];
    int    every = run->frames / MOST + 1, points = 0;
    for (int k = 1; k + every / 2 < run->frames && points < MOST; k += every, points++) {
        time[points] = run->time[k];
        force[points] = run->force[k];
        between[points] = run->time[k + every / 2];
        needed[points] = tact_humanoid_needed(run, k + every / 2);
    }
    if (points == 0) {
        return;
    }
    double        ends[2] = {time[0], between[points - 1]}, weight[2] = {run->weight, run->weight};
    TactSvgSeries series[] = {
        {"force of the floor", TACT_SVG_LINE, 0, points, time, force},
        {"m (g + a)", TACT_SVG_POINTS, 1, points, between, needed},
        {"weight", TACT_SVG_DASHED, 2, 2, ends, weight},
    };
    TactSvgPlot plot = {
        .title = title,
        .x_label = "time, s",
        .y_label = "vertical force, N",
        .series_count = COUNT(series),
        .series = series,
    };
    tact_papers_plot(papers, &plot);
}

// ---------------------------------------------------------------------------------------------
// The two motions

static const TactPapersCamera from_the_front = {
    .target = {0, 0, 0.21},
    .azimuth = 215,
    .elevation = -12,
    .distance = 0.95,
    .cone = 0.02,
    .force = 0.004,
    .inward = true,
};

static TactStatus add_squat(TactPapers *papers)
{
    static const TactHumanoidShot shots[] = {
        {1, "squat: stands"},
        {500, "squat: down"},
    };
    bool            quick = tact_papers_quick(papers);
    TactHumanoidRun run = {
        .scene = "squat.xml",
        .frames = quick ? 50 : 999,
        .share_end = 0.1,
        .camera = &from_the_front,
        .shot_count = COUNT(shots),
        .shots = shots,
    };
    tact_papers_section(papers, "Squat of a humanoid (Table I, Fig. 2)");
    tact_papers_text(
        papers,
        "A humanoid of 20 joints, 0.45 m and 5 kg squats once a second, with its joints on the "
        "motion exactly (high-gain mode) at 1 ms. All methods get the same problems, one a frame: "
        "the LCP of the paper with eight directions, 16 contacts, of which three would do. In the "
        "paper each method ran a simulation of its own. Success is the certificate of tact, an "
        "error of at most 1e-8; the paper's error is one above 1e-3. Pivots that are too small and "
        "limits of pivots count as error. The number after lemke-lex is the threshold of ties. All "
        "LCP methods start in the paper's two steps, from the contacts that are active without "
        "friction, and leave out the friction of contacts that do not press. The rows called "
        "rebuilt are Lemke's algorithm as the paper describes its own: the whole LCP in forces, "
        "one dense tableau without scaling, two steps, and the paper's success: z0 leaves, and the "
        "error is at most 1e-3. Lexicographic ones take no pivot below 1e-10 of its column, but "
        "for the row that says so; the tableau that is made anew for every pivot sees 40 frames.");
    TactStatus status = tact_humanoid_run(papers, &run);
    if (status == TACT_OK) {
        add_tallies(papers, &run, "Table I: squat", table_1, COUNT(table_1));
        add_times(papers, &run, "Squat: times (the paper gives none)", NULL, 0);
        add_wanted(papers, &run, "Squat");
        want_table_1(papers, &run);
        status = tact_humanoid_own_runs(papers);
    }
    if (status == TACT_OK) {
        plot_forces(papers, &run, "Squat: vertical force on both feet (Fig. 2)");
        double worst = compare_forces(&run);
        tact_papers_wanted(papers, worst <= 1e-3,
                           "Squat: the force of the floor is weight plus mass times acceleration "
                           "(of the centre of mass, from positions) to 0.1 %% of the weight: "
                           "%.1e %% at most",
                           100 * worst);
    }
    tact_humanoid_run_free(&run);
    return status;
}

static TactStatus add_dance(TactPapers *papers)
{
    static const TactHumanoidShot shots[] = {
        {1350, "tap dance: on its left foot, the right one on its way to the front"},
        {4550, "tap dance: both feet turn on the spot"},
        {6250, "tap dance: toe up"},
    };
    bool            quick = tact_papers_quick(papers);
    TactHumanoidRun run = {
        .scene = "tap-dance.xml",
        .frames = quick ? 50 : 10000,
        .share_begin = 0.1,
        .share_end = 1,
        .camera = &from_the_front,
        .shot_count = COUNT(shots),
        .shots = shots,
    };
    tact_papers_section(papers, "Tap dance of the humanoid (Table II, Fig. 3)");
    tact_papers_text(
        papers,
        "The same robot dances for ten seconds: taps of toe and heel, steps, feet that slide and "
        "turn under load. Nothing but the floor holds it; as in the paper it turns about the "
        "vertical by what its feet slip. Times are those of one solve from cold (ladder: from the "
        "last frame's basis), with assembly of the LCP and proof of the answer; the simulation's "
        "is collision, dynamics and one solve. The paper's are of a Pentium Xeon of 3.8 GHz, with "
        "other contacts: hardware is not comparable.");
    TactStatus status = tact_humanoid_run(papers, &run);
    if (status == TACT_OK) {
        add_tallies(papers, &run, "Table II: tap dance", table_2, COUNT(table_2));
        add_times(papers, &run, "Table II: tap dance, means of a frame", times_2, COUNT(times_2));
        add_wanted(papers, &run, "Tap dance");
        want_table_2(papers, &run);
        want_pivots(papers, &run);
        tact_papers_wanted(papers, run.tilt < 0.1,
                           "Tap dance: the robot keeps its balance: it leans by %.3f rad at most",
                           run.tilt);
    }
    tact_humanoid_run_free(&run);
    return status;
}

TactStatus tact_papers_humanoid(TactPapers *papers)
{
    TactStatus status = add_squat(papers);
    return status == TACT_OK ? add_dance(papers) : status;
}
