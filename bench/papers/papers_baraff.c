// Baraff's paper: its two mechanisms on real geometry, and what its section 7 says of times.
#include "bench/papers/papers_baraff.h"

#include <math.h>

#include "bench/baraff/baraff.h"

enum {
    INSTANCES = 20,
    BUDGET = 30, // s a solver and row: enough for all of them
    MOST_POINTS = 32,
    LEAST = 16, // contacts from which a time is more than calls and the watch
};

// ---------------------------------------------------------------------------------------------
// Mechanisms

static TactStatus mechanisms(TactPapers *papers)
{
    const TactMechanismWay usual = {.method = TACT_METHOD_LADDER};
    TactMechanism          feeder = {0}, jack = {0};
    tact_papers_section(papers, "Blockfeeder (figure 1)");
    TactStatus status = tact_mechanism_open(papers, "blockfeeder.xml", &usual, &feeder);
    status = status == TACT_OK ? tact_papers_blockfeeder(&feeder) : status;
    if (status == TACT_OK) {
        tact_papers_section(papers, "Double-action jack (figure 2)");
        status = tact_mechanism_open(papers, "jack.xml", &usual, &jack);
    }
    status = status == TACT_OK ? tact_papers_jack(&jack) : status;
    status = status == TACT_OK ? tact_papers_jack_friction(papers) : status;
    if (status == TACT_OK) {
        tact_papers_section(papers, "Both mechanisms: how fast");
        tact_papers_table(papers,
                          "Steps of 1 ms on one thread; the paper's frames are those of an SGI "
                          "R4400 workstation of 1994",
                          "scene | degrees of freedom | contacts, mean | most | steps | certified "
                          "| worst error | paper, frames/s | ours, steps/s | ratio to 30 | times "
                          "real time");
        tact_mechanism_row(&feeder);
        tact_mechanism_row(&jack);
        tact_papers_table(papers,
                          "Every fiftieth step: its contact problems by other methods, each from "
                          "nothing, on the circular cone",
                          "scene | method | problems | certified | mean, us | longest, us");
        tact_mechanism_method_rows(&feeder);
        tact_mechanism_method_rows(&jack);
        status = tact_papers_mechanisms_again(papers);
    }
    tact_mechanism_close(&feeder);
    tact_mechanism_close(&jack);
    return status;
}

// ---------------------------------------------------------------------------------------------
// Times

/// Medians of the towers with compliance, where A is regular as in the paper's experiments.
typedef struct Curve {
    int    count;
    double n[MOST_POINTS], section_4[MOST_POINTS], elimination[MOST_POINTS], lemke[MOST_POINTS];
} Curve;

static void add_point(const TactBaraff *bench, const TactBaraffPoint *point, Curve *curve)
{
    if (point->shape == TACT_BARAFF_TOWER && point->softness > 0 && curve->count < MOST_POINTS) {
        curve->n[curve->count] = bench->problems[0].problem.n;
        curve->section_4[curve->count] = 1e6 * bench->cell[TACT_BARAFF_SECTION_4].median;
        curve->elimination[curve->count] = 1e6 * bench->cell[TACT_BARAFF_ELIMINATION].median;
        curve->lemke[curve->count] = 1e6 * bench->cell[TACT_BARAFF_LEMKE].median;
        curve->count++;
    }
}

static void plot_curve(TactPapers *papers, const Curve *curve)
{
    TactSvgSeries series[] = {
        {"section 4", TACT_SVG_LINE, 0, curve->count, curve->n, curve->section_4},
        {"Gaussian elimination", TACT_SVG_DASHED, 1, curve->count, curve->n, curve->elimination},
        {"Lemke", TACT_SVG_LINE, 2, curve->count, curve->n, curve->lemke},
    };
    TactSvgPlot plot = {.title = "Contact forces without friction: time over contacts",
                        .x_label = "contacts n",
                        .y_label = "time, us",
                        .x_scale = TACT_SVG_LOG,
                        .y_scale = TACT_SVG_LOG,
                        .series_count = 3,
                        .series = series};
    tact_papers_plot(papers, &plot);
}

/// Time of a column over that of section 4, as text: "-" where the peer is not there or solves
/// none.
static void write_over(const TactBaraff *bench, TactBaraffColumn column, bool inverse,
                       char text[16])
{
    const TactBenchCell *cell = &bench->cell[column];
    double               own = bench->cell[TACT_BARAFF_SECTION_4].median;
    snprintf(text, 16, "-");
    if (cell->runs > 0 && (column == TACT_BARAFF_DGESV || cell->solved > 0)) {
        snprintf(text, 16, "%.2f", inverse ? own / cell->median : cell->median / own);
    }
}

static void add_smooth_row(TactPapers *papers, const TactBaraff *bench,
                           const TactBaraffPoint *point)
{
    const TactBenchCell *cell = bench->cell, *section = &cell[TACT_BARAFF_SECTION_4];
    int                  n = bench->problems[0].problem.n;
    char                 lapack[16], qp[16];
    write_over(bench, TACT_BARAFF_DGESV, true, lapack);
    write_over(bench, TACT_BARAFF_QP, false, qp);
    tact_papers_row(
        papers,
        "%s | %d | %d | %.0e | %.1f | %s | %.2f | %s, %d of %d | %.1f | %.1f | %.2f | %d of %d",
        tact_baraff_shape_name(point->shape), n, point->bodies, point->softness,
        1e6 * section->median, lapack, section->median / cell[TACT_BARAFF_ELIMINATION].median, qp,
        cell[TACT_BARAFF_QP].solved, cell[TACT_BARAFF_QP].asked,
        cell[TACT_BARAFF_LEMKE].median / section->median, 1e6 * cell[TACT_BARAFF_WHOLE].median,
        section->mean_pivots / n, section->solved, section->asked);
}

/// What the paper finds of times, and what we find.
typedef struct Findings {
    int    missed;   // problems that section 4 does not solve
    double worst;    // largest time of section 4 over LAPACK's, from LEAST contacts on
    double least_qp; // least time of the QP package over that of section 4
    bool   has_lapack, has_qp;
} Findings;

static void add_findings(const TactBaraff *bench, Findings *found)
{
    const TactBenchCell *cell = bench->cell, *section = &cell[TACT_BARAFF_SECTION_4];
    found->missed += section->asked - section->solved;
    if (bench->problems[0].problem.n < LEAST) {
        return;
    }
    if (cell[TACT_BARAFF_DGESV].runs > 0) {
        found->has_lapack = true;
        found->worst = fmax(found->worst, section->median / cell[TACT_BARAFF_DGESV].median);
    }
    if (cell[TACT_BARAFF_QP].solved > 0) {
        double ratio = cell[TACT_BARAFF_QP].median / section->median;
        found->least_qp = found->has_qp ? fmin(found->least_qp, ratio) : ratio;
        found->has_qp = true;
    }
}

static void want_smooth(TactPapers *papers, const Findings *found)
{
    tact_papers_wanted(papers, found->missed == 0,
                       "all problems without friction are solved by section 4 (%d are not)",
                       found->missed);
    if (found->has_lapack) {
        tact_papers_wanted(papers, found->worst <= 3,
                           "the paper's finding: from %d contacts on, forces without friction take "
                           "two to three times as long as one Gaussian elimination (LAPACK's); at "
                           "most 3 here: %.2f",
                           LEAST, found->worst);
    }
    if (found->has_qp) {
        tact_papers_wanted(papers, found->least_qp >= 5,
                           "the paper's finding: a package for quadratic programs (CLP here) takes "
                           "five to ten times as long as section 4; at least 5 here: %.1f",
                           found->least_qp);
    }
}

static TactStatus smooth_table(TactPapers *papers, TactBaraff *bench)
{
    int                    count;
    const TactBaraffPoint *points = tact_baraff_smooth(&count);
    Findings               found = {0};
    Curve                  curve = {0};
    TactStatus             status = TACT_OK;
    tact_papers_table(
        papers,
        "Without friction, n up to 150: the algorithm of section 4 on A and b, beside "
        "one Gaussian elimination of A x = b (LAPACK's dgesv on one thread, and a "
        "plain loop in C as the paper's time had it), a package for quadratic "
        "programs (CLP's simplex), and Lemke's method; medians",
        "problem | n | bodies | compliance / A | section 4, us | over LAPACK (paper: "
        "2-3) | over the plain loop | QP / section 4 (paper: 5-10), solved | Lemke / "
        "section 4 | bodies to certificate, us | pivots / n | solved");
    for (int k = 0; k < count && status == TACT_OK; k++) {
        tact_papers_progress(papers, 0.7 + 0.1 * k / count);
        status = tact_baraff_run(bench, &points[k]);
        if (status == TACT_OK) {
            add_smooth_row(papers, bench, &points[k]);
            add_findings(bench, &found);
            add_point(bench, &points[k], &curve);
        }
    }
    if (status == TACT_OK) {
        plot_curve(papers, &curve);
        want_smooth(papers, &found);
    }
    return status;
}

static TactStatus rough_table(TactPapers *papers, TactBaraff *bench)
{
    int                    count, solved = 0, asked = 0, left = 0;
    double                 most_drives = 0;
    const TactBaraffPoint *points = tact_baraff_rough(&count);
    TactStatus             status = TACT_OK;
    tact_papers_table(
        papers,
        "With friction, mu = 0.25, circular cone, by the paper's section 5 (`baraff`) "
        "from bodies to certificate: medians. Drives are calls of the paper's drive-to-zero in one "
        "attempt with its frozen directions of friction; the pivots beyond are those that turn "
        "these directions until they oppose the slip, which the paper does not ask for",
        "problem | n | bodies | us | drives / n | pivots | pivots / n | solved");
    for (int k = 0; k < count && status == TACT_OK; k++) {
        tact_papers_progress(papers, 0.8 + 0.2 * k / count);
        status = tact_baraff_run(bench, &points[k]);
        if (status == TACT_OK) {
            const TactBenchCell *cell = &bench->cell[TACT_BARAFF_WHOLE];
            int                  n = bench->cases[0].problem.contact_count;
            solved += cell->solved;
            asked += cell->asked;
            left += cell->asked - cell->runs;
            double drives = bench->attempts > 0 ? bench->drives / bench->attempts / n : 0;
            most_drives = fmax(most_drives, drives);
            tact_papers_row(papers, "%s | %d | %d | %.1f | %.2f | %.1f | %.2f | %d of %d",
                            tact_baraff_shape_name(points[k].shape), n, points[k].bodies,
                            1e6 * cell->median, drives, cell->mean_pivots, cell->mean_pivots / n,
                            cell->solved, cell->asked);
        }
    }
    if (status == TACT_OK) {
        tact_papers_wanted(papers, most_drives <= 3,
                           "the paper's finding: O(n) calls of drive-to-zero; at most 3 a contact "
                           "here: %.2f",
                           most_drives);
        tact_papers_wanted(papers, solved == asked,
                           "%d of %d problems with friction are solved by the paper's algorithm "
                           "(%d were not run within the budget)",
                           solved, asked, left);
    }
    return status;
}

static TactStatus times(TactPapers *papers)
{
    TactBaraff bench;
    TactStatus status =
        tact_baraff_create(tact_papers_quick(papers) ? 1 : INSTANCES, BUDGET, &bench);
    tact_papers_section(papers, "Contact forces against Gaussian elimination (section 7)");
    tact_baraff_add_peers(&bench, tact_bench_has_peers() ? NULL : "none");
    status = status == TACT_OK ? smooth_table(papers, &bench) : status;
    status = status == TACT_OK ? rough_table(papers, &bench) : status;
    tact_baraff_destroy(&bench);
    return status;
}

TactStatus tact_papers_baraff(TactPapers *papers)
{
    tact_papers_text(papers,
                     "The two mechanisms of the paper's figures on real geometry under real "
                     "collision: plane mechanisms whose levels do not touch each other, as the "
                     "paper has it, bilateral pins, and work that is done by contact and friction. "
                     "The paper gives no dimensions: these are our own. Black is fixed.");
    TactStatus status = mechanisms(papers);
    return status == TACT_OK ? times(papers) : status;
}
