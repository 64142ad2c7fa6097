// The plots of [Lloyd04]: figures 5 to 8 and 10, and a close-up of 10. What the paper says of its
// own times stands beside ours as dashed lines between the ends it gives.
#include <math.h>
#include <string.h>
#include <sys/stat.h>

#include "bench/lloyd/lloyd.h"
#include "bench/svg.h"

enum { MAX_SERIES = 10 };

/// A plot under way: series and the numbers they point at.
typedef struct Sheet {
    double        unit; // of time, in a second
    int           count;
    TactSvgSeries series[MAX_SERIES];
    char          name[MAX_SERIES][40];
    double        x[MAX_SERIES][TACT_LLOYD_MAX_POINTS];
    double        y[MAX_SERIES][TACT_LLOYD_MAX_POINTS];
} Sheet;

static const int colour_of[TACT_LLOYD_METHODS] = {
    [TACT_LLOYD_STANDARD] = 0,     [TACT_LLOYD_STRUCTURAL] = 1, [TACT_LLOYD_REDUCED] = 2,
    [TACT_LLOYD_REDUCED_WARM] = 4, [TACT_LLOYD_LADDER] = 5,     [TACT_LLOYD_LADDER_WARM] = 5,
    [TACT_LLOYD_CIRCLE] = 3,
};

static TactSvgSeries *add_series(Sheet *sheet, const char *name, TactSvgStyle style, int colour)
{
    int            s = sheet->count++;
    TactSvgSeries *series = &sheet->series[s];
    snprintf(sheet->name[s], sizeof sheet->name[s], "%s", name);
    *series = (TactSvgSeries){sheet->name[s], style, colour, 0, sheet->x[s], sheet->y[s]};
    return series;
}

static void add_value(Sheet *sheet, double x, double y)
{
    int            s = sheet->count - 1;
    TactSvgSeries *series = &sheet->series[s];
    if (series->count < TACT_LLOYD_MAX_POINTS) {
        sheet->x[s][series->count] = x;
        sheet->y[s][series->count++] = y;
    }
}

/// Mean times in milliseconds of a method over the contacts, the points in order of contacts.
static void add_method(Sheet *sheet, const TactLloyd *lloyd, TactLloydShape shape,
                       TactLloydMethod method, int most)
{
    // Stacks of several heights may have the same number of contacts: no line.
    add_series(sheet, tact_lloyd_method_name(method),
               shape == TACT_LLOYD_STACK ? TACT_SVG_POINTS : TACT_SVG_LINE, colour_of[method]);
    for (int n = 0; n <= most; n++) {
        for (int i = 0; i < lloyd->points; i++) {
            const TactLloydPoint *point = &lloyd->point[i];
            const TactLloydCell  *cell = &lloyd->cell[i][method];
            if (point->shape == shape && point->contacts == n && point->bodies <= 5 &&
                point->directions == 8 && point->disturbance == 0 && cell->runs > 0) {
                add_value(sheet, n, sheet->unit * cell->mean);
            }
        }
    }
}

static void add_paper(Sheet *sheet, TactLloydShape shape)
{
    int                   count;
    const TactLloydPaper *curves = tact_lloyd_paper(&count);
    for (int i = 0; i < count; i++) {
        const TactLloydPaper *paper = &curves[i];
        if (paper->shape == shape) {
            char name[40];
            snprintf(name, sizeof name, "%s, 2004", tact_lloyd_method_name(paper->method));
            add_series(sheet, name, TACT_SVG_DASHED, colour_of[paper->method]);
            add_value(sheet, paper->first, paper->first_ms);
            add_value(sheet, paper->last, paper->last_ms);
        }
    }
}

static TactStatus finish(const Sheet *sheet, const char *title, TactSvgScale scale,
                         const char *x_label, const char *folder, const char *name)
{
    char        path[1024];
    TactSvgPlot plot = {
        .title = title,
        .x_label = x_label,
        .y_label = sheet->unit > 1e3 ? "time, \xc2\xb5s" : "time, ms",
        .x_scale = scale,
        .y_scale = scale,
        .series_count = sheet->count,
        .series = sheet->series,
    };
    snprintf(path, sizeof path, "%s/%s.svg", folder, name);
    return tact_svg_write(&plot, path);
}

/// All of the paper's three methods, and the circle, with its figures.
static TactStatus write_whole(const TactLloyd *lloyd, TactLloydShape shape, int most,
                              const char *title, const char *folder, const char *name)
{
    Sheet sheet = {.unit = 1e3};
    add_method(&sheet, lloyd, shape, TACT_LLOYD_STANDARD, most);
    add_method(&sheet, lloyd, shape, TACT_LLOYD_STRUCTURAL, most);
    add_method(&sheet, lloyd, shape, TACT_LLOYD_CIRCLE, most);
    add_method(&sheet, lloyd, shape, TACT_LLOYD_REDUCED, most);
    add_method(&sheet, lloyd, shape, TACT_LLOYD_REDUCED_WARM, most);
    add_paper(&sheet, shape);
    return finish(&sheet, title, TACT_SVG_LOG, "contacts", folder, name);
}

static TactStatus write_close_up(const TactLloyd *lloyd, TactLloydShape shape, int most,
                                 const char *title, const char *folder, const char *name)
{
    Sheet sheet = {.unit = 1e6};
    add_method(&sheet, lloyd, shape, TACT_LLOYD_STRUCTURAL, most);
    add_method(&sheet, lloyd, shape, TACT_LLOYD_CIRCLE, most);
    add_method(&sheet, lloyd, shape, TACT_LLOYD_REDUCED, most);
    add_method(&sheet, lloyd, shape, TACT_LLOYD_REDUCED_WARM, most);
    return finish(&sheet, title, TACT_SVG_LINEAR, "contacts", folder, name);
}

/// Every instance of every situation by `reduced`.
static TactStatus write_scatter(const TactLloyd *lloyd, const char *folder)
{
    Sheet sheet = {.unit = 1e6};
    for (int i = 0; i < lloyd->points && sheet.count < MAX_SERIES; i++) {
        const TactLloydPoint *point = &lloyd->point[i];
        const TactLloydCell  *cell = &lloyd->cell[i][TACT_LLOYD_REDUCED];
        if (point->shape != TACT_LLOYD_SINGLE) {
            continue;
        }
        add_series(&sheet, tact_lloyd_situation(point->contacts), TACT_SVG_POINTS,
                   sheet.count % TACT_SVG_COLOURS);
        for (int k = 0; k < lloyd->options.instances && k < TACT_LLOYD_MAX_POINTS; k++) {
            if (cell->run[k].seconds > 0) {
                add_value(&sheet, point->contacts, sheet.unit * cell->run[k].seconds);
            }
        }
    }
    return finish(&sheet, "Fig. 8: one body, reduced, every problem", TACT_SVG_LINEAR, "contacts",
                  folder, "lloyd-fig8");
}

/// Stacks with four contacts an interface, over their height.
static TactStatus write_heights(const TactLloyd *lloyd, const char *folder)
{
    static const TactLloydMethod methods[] = {TACT_LLOYD_STANDARD, TACT_LLOYD_STRUCTURAL,
                                              TACT_LLOYD_CIRCLE, TACT_LLOYD_REDUCED,
                                              TACT_LLOYD_REDUCED_WARM};
    Sheet                        sheet = {.unit = 1e3};
    for (size_t m = 0; m < sizeof methods / sizeof *methods; m++) {
        add_series(&sheet, tact_lloyd_method_name(methods[m]), TACT_SVG_LINE,
                   colour_of[methods[m]]);
        for (int bodies = 1; bodies <= 32; bodies++) {
            TactLloydPoint point = {TACT_LLOYD_STACK, 4 * bodies, bodies, 8, 0};
            int            i = tact_lloyd_find(lloyd, &point);
            if (i >= 0 && lloyd->cell[i][methods[m]].runs > 0) {
                add_value(&sheet, bodies, sheet.unit * lloyd->cell[i][methods[m]].mean);
            }
        }
    }
    return finish(&sheet, "Stacks with four contacts an interface", TACT_SVG_LOG, "bodies", folder,
                  "lloyd-stacks");
}

/// Mean time on the problems that it solves; 0: none.
static double solved_mean(const TactLloydCell *cell, int count)
{
    double sum = 0;
    int    solved = 0;
    for (int k = 0; k < count; k++) {
        const TactBenchRun *run = &cell->run[k];
        if (run->seconds > 0 && run->claimed && run->accepted) {
            sum += run->seconds;
            solved++;
        }
    }
    return solved > 0 ? sum / solved : 0;
}

/// Ours and the others on the peg, each on the problems it solves.
static TactStatus write_peers(const TactLloyd *lloyd, const char *folder)
{
    static const int colours[] = {0, 1, 5, 4};
    Sheet            sheet = {.unit = 1e6};
    for (int p = 0; p < lloyd->peers && p < 4; p++) {
        add_series(&sheet, lloyd->peer[p].name, TACT_SVG_DASHED, colours[p]);
        for (int i = 0; i < lloyd->points; i++) {
            const TactLloydPoint *point = &lloyd->point[i];
            if (point->shape == TACT_LLOYD_PEG && point->directions == 8 &&
                point->disturbance == 0) {
                double mean = solved_mean(&lloyd->peer_cell[i][p], lloyd->options.instances);
                add_value(&sheet, point->contacts, mean > 0 ? sheet.unit * mean : NAN);
            }
        }
    }
    add_method(&sheet, lloyd, TACT_LLOYD_PEG, TACT_LLOYD_CIRCLE, lloyd->options.largest);
    snprintf(sheet.name[sheet.count - 1], sizeof *sheet.name, "tact, circular cone");
    add_method(&sheet, lloyd, TACT_LLOYD_PEG, TACT_LLOYD_REDUCED, lloyd->options.largest);
    snprintf(sheet.name[sheet.count - 1], sizeof *sheet.name, "tact, pyramid");
    return finish(&sheet, "Peg in a hole: time of a solve", TACT_SVG_LOG, "contacts", folder,
                  "lloyd-peers");
}

TactStatus tact_lloyd_write_plots(const TactLloyd *lloyd, const char *folder)
{
    int most = lloyd->options.largest;
    mkdir(folder, 0777); // it may be there; if it cannot be made, no file in it can
    TactStatus status[] = {
        write_whole(lloyd, TACT_LLOYD_PEG, most, "Fig. 5: peg in a hole", folder, "lloyd-fig5"),
        write_close_up(lloyd, TACT_LLOYD_PEG, 32, "Fig. 6: peg in a hole, close-up", folder,
                       "lloyd-fig6"),
        write_whole(lloyd, TACT_LLOYD_SINGLE, 16, "Fig. 7: ten situations of one body", folder,
                    "lloyd-fig7"),
        write_scatter(lloyd, folder),
        write_whole(lloyd, TACT_LLOYD_STACK, 32, "Fig. 10: stacks of 1 to 5 blocks", folder,
                    "lloyd-fig10"),
        write_close_up(lloyd, TACT_LLOYD_STACK, 32, "Fig. 10, close-up", folder,
                       "lloyd-fig10-close"),
        write_heights(lloyd, folder),
        write_whole(lloyd, TACT_LLOYD_PEG_JITTERED, most, "Jittered peg", folder, "lloyd-jittered"),
        lloyd->peers > 0 ? write_peers(lloyd, folder) : TACT_OK,
    };
    for (size_t i = 0; i < sizeof status / sizeof *status; i++) {
        if (status[i] != TACT_OK) {
            return status[i];
        }
    }
    return TACT_OK;
}
