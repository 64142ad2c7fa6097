#include "bench/svg.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { WIDTH = 640, HEIGHT = 420, LEFT = 72, RIGHT = 176, TOP = 40, BOTTOM = 52 };

// Colours of one lightness, told apart by those who do not see red or green too.
static const char *const colours[TACT_SVG_COLOURS] = {"#d55e00", "#0072b2", "#009e73",
                                                      "#cc79a7", "#b08900", "#777777"};

// ---------------------------------------------------------------------------------------------
// Axes

typedef struct Axis {
    TactSvgScale scale;
    double       lo, hi;   // of the values, or of their logarithms
    double       from, to; // in the picture
    double       step;     // linear: between ticks
} Axis;

static double seen(TactSvgScale scale, double value)
{
    return scale == TACT_SVG_LOG ? log10(value) : value;
}

static bool is_drawn(const TactSvgPlot *plot, double x, double y)
{
    return isfinite(x) && isfinite(y) && (plot->x_scale == TACT_SVG_LINEAR || x > 0) &&
           (plot->y_scale == TACT_SVG_LINEAR || y > 0);
}

static double place(const Axis *axis, double value)
{
    double part = (seen(axis->scale, value) - axis->lo) / (axis->hi - axis->lo);
    return axis->from + part * (axis->to - axis->from);
}

/// 1, 2 or 5 times a power of ten: about five steps.
static double round_step(double range)
{
    double raw = range / 5, power = pow(10, floor(log10(raw)));
    double part = raw / power;
    return power * (part < 1.5 ? 1 : part < 3.5 ? 2 : part < 7.5 ? 5 : 10);
}

static void fit(Axis *axis)
{
    if (!(axis->hi >= axis->lo)) { // nothing drawn
        axis->lo = 0;
        axis->hi = 1;
    }
    if (axis->scale == TACT_SVG_LOG) {
        double margin = 0.03 * (axis->hi - axis->lo) + 0.02;
        axis->lo -= margin;
        axis->hi += margin;
        return;
    }
    axis->lo = fmin(axis->lo, 0);
    axis->hi = axis->hi > axis->lo ? axis->hi : axis->lo + 1;
    axis->step = round_step(axis->hi - axis->lo);
    axis->lo = axis->step * floor(axis->lo / axis->step);
    axis->hi = axis->step * ceil(axis->hi / axis->step + 0.05); // no marker on the frame
}

static void find_ranges(const TactSvgPlot *plot, Axis *x, Axis *y)
{
    *x = (Axis){plot->x_scale, HUGE_VAL, -HUGE_VAL, LEFT, WIDTH - RIGHT, 0};
    *y = (Axis){plot->y_scale, HUGE_VAL, -HUGE_VAL, HEIGHT - BOTTOM, TOP, 0};
    for (int s = 0; s < plot->series_count; s++) {
        const TactSvgSeries *series = &plot->series[s];
        for (int i = 0; i < series->count; i++) {
            if (is_drawn(plot, series->x[i], series->y[i])) {
                double a = seen(x->scale, series->x[i]), b = seen(y->scale, series->y[i]);
                x->lo = fmin(x->lo, a);
                x->hi = fmax(x->hi, a);
                y->lo = fmin(y->lo, b);
                y->hi = fmax(y->hi, b);
            }
        }
    }
    fit(x);
    fit(y);
}

// ---------------------------------------------------------------------------------------------
// Drawing

static void write_text(FILE *file, double x, double y, const char *anchor, const char *text)
{
    fprintf(file, "<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"%s\">", x, y, anchor);
    for (; *text; text++) {
        const char *entity = *text == '<' ? "&lt;" : *text == '&' ? "&amp;" : NULL;
        if (entity) {
            fputs(entity, file);
        } else {
            fputc(*text, file);
        }
    }
    fprintf(file, "</text>\n");
}

static void write_tick(FILE *file, const Axis *axis, const Axis *other, double value)
{
    bool   across = axis->from < axis->to; // the x axis
    double at = place(axis, value);
    char   label[32];
    snprintf(label, sizeof label, "%g", value);
    if (across) {
        fprintf(file, "<path class=\"grid\" d=\"M%.1f %.1fV%.1f\"/>\n", at, other->from, other->to);
        write_text(file, at, other->from + 18, "middle", label);
    } else {
        fprintf(file, "<path class=\"grid\" d=\"M%.1f %.1fH%.1f\"/>\n", other->from, at, other->to);
        write_text(file, other->from - 6, at + 4, "end", label);
    }
}

static void write_axis(FILE *file, const Axis *axis, const Axis *other)
{
    if (axis->scale == TACT_SVG_LINEAR) {
        int count = (int)floor((axis->hi - axis->lo) / axis->step + 0.5);
        for (int i = 0; i <= count; i++) {
            write_tick(file, axis, other, axis->step * (floor(axis->lo / axis->step) + i));
        }
        return;
    }
    // The fewer decades, the more ticks in each.
    static const double parts[][6] = {{1, 2, 3, 4, 6, 8}, {1, 2, 5}, {1}};
    double              range = axis->hi - axis->lo;
    int                 kind = range < 1.4 ? 0 : range < 2.6 ? 1 : 2;
    for (int power = (int)floor(axis->lo); power <= (int)ceil(axis->hi); power++) {
        for (int i = 0; i < 6 && parts[kind][i] > 0; i++) {
            double value = parts[kind][i] * pow(10, power), at = log10(value);
            if (at >= axis->lo && at <= axis->hi) {
                write_tick(file, axis, other, value);
            }
        }
    }
}

static void write_marker(FILE *file, const TactSvgSeries *series, double x, double y)
{
    const char *colour = colours[series->colour % TACT_SVG_COLOURS];
    bool        hollow = series->style == TACT_SVG_DASHED;
    fprintf(file, "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"%s\" fill=\"%s\" stroke=\"%s\"/>\n", x, y,
            series->style == TACT_SVG_POINTS ? "2.2" : "3", hollow ? "none" : colour, colour);
}

static void write_series(FILE *file, const TactSvgPlot *plot, const TactSvgSeries *series,
                         const Axis *x, const Axis *y)
{
    bool first = true;
    if (series->style != TACT_SVG_POINTS) {
        fprintf(file, "<path fill=\"none\" stroke=\"%s\" stroke-width=\"1.8\"%s d=\"",
                colours[series->colour % TACT_SVG_COLOURS],
                series->style == TACT_SVG_DASHED ? " stroke-dasharray=\"6 4\"" : "");
        for (int i = 0; i < series->count; i++) {
            if (is_drawn(plot, series->x[i], series->y[i])) {
                fprintf(file, "%c%.1f %.1f", first ? 'M' : 'L', place(x, series->x[i]),
                        place(y, series->y[i]));
                first = false;
            }
        }
        fprintf(file, "\"/>\n");
    }
    for (int i = 0; i < series->count && series->style != TACT_SVG_CURVE; i++) {
        if (is_drawn(plot, series->x[i], series->y[i])) {
            write_marker(file, series, place(x, series->x[i]), place(y, series->y[i]));
        }
    }
}

static void write_legend(FILE *file, const TactSvgPlot *plot)
{
    double y = TOP + 10;
    for (int s = 0; s < plot->series_count; s++) {
        const TactSvgSeries *series = &plot->series[s];
        if (!series->name) {
            continue;
        }
        double x = WIDTH - RIGHT + 14;
        if (series->style != TACT_SVG_POINTS) {
            fprintf(file, "<path stroke=\"%s\" stroke-width=\"1.8\"%s d=\"M%.1f %.1fh24\"/>\n",
                    colours[series->colour % TACT_SVG_COLOURS],
                    series->style == TACT_SVG_DASHED ? " stroke-dasharray=\"6 4\"" : "", x, y);
        }
        if (series->style != TACT_SVG_CURVE) {
            write_marker(file, series, x + 12, y);
        }
        write_text(file, x + 30, y + 4, "start", series->name);
        y += 20;
    }
}

static void write_frame(FILE *file, const TactSvgPlot *plot)
{
    fprintf(file,
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\" width=\"%d\" "
            "height=\"%d\" font-family=\"sans-serif\" font-size=\"12\">\n"
            "<style>text{fill:#555}.grid{stroke:#888;stroke-opacity:.28;fill:none}"
            ".frame{stroke:#888;fill:none}"
            "@media(prefers-color-scheme:dark){text{fill:#bbb}}</style>\n",
            WIDTH, HEIGHT, WIDTH, HEIGHT);
    fprintf(file, "<g font-size=\"14\">");
    write_text(file, 0.5 * (LEFT + WIDTH - RIGHT), 22, "middle", plot->title);
    fprintf(file, "</g>\n");
    write_text(file, 0.5 * (LEFT + WIDTH - RIGHT), HEIGHT - 12, "middle", plot->x_label);
    fprintf(file, "<g transform=\"rotate(-90)\">");
    write_text(file, -0.5 * (TOP + HEIGHT - BOTTOM), 18, "middle", plot->y_label);
    fprintf(file, "</g>\n<rect class=\"frame\" x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\"/>\n",
            LEFT, TOP, WIDTH - LEFT - RIGHT, HEIGHT - TOP - BOTTOM);
}

void tact_svg_print(const TactSvgPlot *plot, FILE *file)
{
    Axis x, y;
    find_ranges(plot, &x, &y);
    write_frame(file, plot);
    write_axis(file, &x, &y);
    write_axis(file, &y, &x);
    for (int s = 0; s < plot->series_count; s++) {
        write_series(file, plot, &plot->series[s], &x, &y);
    }
    write_legend(file, plot);
    fprintf(file, "</svg>\n");
}

TactStatus tact_svg_write(const TactSvgPlot *plot, const char *path)
{
    FILE *file = fopen(path, "w");
    if (!file) {
        return TACT_IO_ERROR;
    }
    tact_svg_print(plot, file);
    bool failed = ferror(file);
    return fclose(file) == 0 && !failed ? TACT_OK : TACT_IO_ERROR;
}
