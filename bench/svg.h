// Plots as SVG: two axes, lines and points, a legend. Readable on light and on dark paper.
#ifndef TACT_BENCH_SVG_H
#define TACT_BENCH_SVG_H

#include <stdbool.h>
#include <stdio.h>
#include <tact/base.h>

typedef enum TactSvgStyle {
    TACT_SVG_LINE,   // with a marker at every point
    TACT_SVG_DASHED, // the same
    TACT_SVG_POINTS, // markers alone
    TACT_SVG_CURVE,  // a line alone: for thousands of points
} TactSvgStyle;

typedef struct TactSvgSeries {
    const char   *name; // in the legend; NULL: not there
    TactSvgStyle  style;
    int           colour; // 0 to TACT_SVG_COLOURS - 1
    int           count;
    const double *x; // (count)
    const double *y; // (count)
} TactSvgSeries;

enum { TACT_SVG_COLOURS = 6 };

typedef enum TactSvgScale { TACT_SVG_LINEAR, TACT_SVG_LOG } TactSvgScale;

typedef struct TactSvgPlot {
    const char          *title;
    const char          *x_label;
    const char          *y_label;
    TactSvgScale         x_scale, y_scale; // logarithmic: what is not positive is left out
    int                  series_count;
    const TactSvgSeries *series; // (series_count)
} TactSvgPlot;

/// Into a stream of the caller.
void tact_svg_print(const TactSvgPlot *plot, FILE *file);
/// TACT_IO_ERROR if the file cannot be written.
TactStatus tact_svg_write(const TactSvgPlot *plot, const char *path);

#endif
