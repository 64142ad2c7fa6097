// Baraff's paper: its two mechanisms on real geometry, and what its section 7 says of times.
#include "bench/papers/papers_baraff.h"

#include <math.h>

#include "bench/baraff/baraff.h"

enum {
    INSTANCES = 20,
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

static TactStatus smooth_table(TactPapers *papers, TactBaraff *bench)
{
    int                    count, missed = 0;
    const TactBaraffPoint *points = tact_baraff_smooth(&count);
    double                 worst = 0;
    Curve                  curve = {0};
    TactStatus             status = TACT_OK;
    tact_papers_table(papers,
                      "Without friction, n up to 150: the algorithm of section 4 on A and b, one "
                      "Gaussian elimination of A x = b, and Lemke's method in the place of a "
                      "package for quadratic programs; medians",
                      "problem | n | bodies | compliance / A | section 4, us | elimination, us | "
                      "ratio (paper: 2-3) | Lemke / section 4 (paper, QP: 5-10) | bodies to "
                      "certificate, us | pivots / n | solved");
    for (int k = 0; k < count && status == TACT_OK; k++) {
        tact_papers_progress(papers, 0.7 + 0.1 * k / count);
        status = tact_baraff_run(bench, &points[k]);
        const TactBenchCell *cell = bench->cell;
        if (status != TACT_OK) {
            break;
        }
        int    n = bench->problems[0].problem.n;
        double own = cell[TACT_BARAFF_SECTION_4].median;
        double ratio = own / cell[TACT_BARAFF_ELIMINATION].median;
        worst = n >= LEAST ? fmax(worst, ratio) : worst;
        missed += cell[TACT_BARAFF_SECTION_4].runs - cell[TACT_BARAFF_SECTION_4].solved;
        tact_papers_row(
            papers, "%s | %d | %d | %.0e | %.1f | %.1f | %.2f | %.1f | %.1f | %.2f | %d of %d",
            tact_baraff_shape_name(points[k].shape), n, points[k].bodies, points[k].softness,
            1e6 * own, 1e6 * cell[TACT_BARAFF_ELIMINATION].median, ratio,
            cell[TACT_BARAFF_LEMKE].median / own, 1e6 * cell[TACT_BARAFF_WHOLE].median,
            cell[TACT_BARAFF_SECTION_4].mean_pivots / n, cell[TACT_BARAFF_SECTION_4].solved,
            cell[TACT_BARAFF_SECTION_4].runs);
        add_point(bench, &points[k], &curve);
    }
    if (status == TACT_OK) {
        plot_curve(papers, &curve);
        tact_papers_wanted(papers, missed == 0 && worst <= 3,
                           "from %d contacts on, forces without friction take at most 3 times as "
                           "long as one Gaussian elimination: %.2f",
                           LEAST, worst);
    }
    return status;
}

static TactStatus rough_table(TactPapers *papers, TactBaraff *bench)
{
    int                    count, solved = 0, runs = 0;
    const TactBaraffPoint *points = tact_baraff_rough(&count);
    TactStatus             status = TACT_OK;
    tact_papers_table(
        papers,
        "With friction, mu = 0.25, circular cone, by the paper's section 5 (`baraff`) "
        "from bodies to certificate: medians. The paper finds O(n) calls of its "
        "drive-to-zero, and nothing to compare its times with",
        "problem | n | bodies | us | pivots | pivots / n | solved");
    for (int k = 0; k < count && status == TACT_OK; k++) {
        tact_papers_progress(papers, 0.8 + 0.2 * k / count);
        status = tact_baraff_run(bench, &points[k]);
        if (status == TACT_OK) {
            const TactBenchCell *cell = &bench->cell[TACT_BARAFF_WHOLE];
            int                  n = bench->cases[0].problem.contact_count;
            solved += cell->solved;
            runs += cell->runs;
            tact_papers_row(papers, "%s | %d | %d | %.1f | %.1f | %.2f | %d of %d",
                            tact_baraff_shape_name(points[k].shape), n, points[k].bodies,
                            1e6 * cell->median, cell->mean_pivots, cell->mean_pivots / n,
                            cell->solved, cell->runs);
        }
    }
    if (status == TACT_OK) {
        tact_papers_wanted(papers, solved == runs,
                           "%d of %d problems with friction are solved by the paper's algorithm",
                           solved, runs);
    }
    return status;
}

static TactStatus times(TactPapers *papers)
{
    TactBaraff bench;
    TactStatus status = tact_baraff_create(tact_papers_quick(papers) ? 1 : INSTANCES, 2, &bench);
    tact_papers_section(papers, "Contact forces against Gaussian elimination (section 7)");
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
