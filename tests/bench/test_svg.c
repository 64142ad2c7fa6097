// Plots: what is drawn lies in the frame and where the axes say.
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "bench/svg.h"

static char *write_and_read(const TactSvgPlot *plot)
{
    char path[] = "/tmp/tact-svg-XXXXXX";
    int  descriptor = mkstemp(path);
    assert_true(descriptor >= 0);
    close(descriptor);
    assert_int_equal(tact_svg_write(plot, path), TACT_OK);
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    char  *text = calloc(1, 65536);
    size_t size = fread(text, 1, 65535, file);
    fclose(file);
    unlink(path);
    assert_true(size > 0 && size < 65535);
    return text;
}

static int count_of(const char *text, const char *word)
{
    int count = 0;
    for (text = strstr(text, word); text; text = strstr(text + 1, word)) {
        count++;
    }
    return count;
}

/// Places of the markers, in order; the last of each series is that of the legend.
static int read_markers(const char *text, double *x, double *y, int most)
{
    int count = 0;
    for (text = strstr(text, "<circle"); text && count < most; text = strstr(text + 1, "<circle")) {
        assert_int_equal(sscanf(text, "<circle cx=\"%lf\" cy=\"%lf\"", &x[count], &y[count]), 2);
        count++;
    }
    return count;
}

static void equal_factors_are_equal_steps_on_logarithmic_axes(void **state)
{
    (void)state;
    double        values[] = {1, 10, 100}, squares[] = {1, 100, 10000};
    TactSvgSeries series = {"squares", TACT_SVG_LINE, 0, 3, values, squares};
    TactSvgPlot   plot = {"t", "x", "y", TACT_SVG_LOG, TACT_SVG_LOG, 1, &series};
    char         *text = write_and_read(&plot);
    double        x[8], y[8];
    assert_int_equal(read_markers(text, x, y, 8), 4);
    assert_true(fabs((x[2] - x[1]) - (x[1] - x[0])) < 0.2);
    assert_true(fabs((y[2] - y[1]) - (y[1] - y[0])) < 0.2);
    assert_true(x[1] > x[0] && y[1] < y[0]); // up is less in SVG
    free(text);
}

static void linear_axes_begin_at_zero_and_what_is_not_a_number_is_left_out(void **state)
{
    (void)state;
    double        values[] = {1, 2, 3, 4}, times[] = {2, NAN, 6, 8};
    TactSvgSeries series[] = {{"a < b & c", TACT_SVG_DASHED, 1, 4, values, times},
                              {NULL, TACT_SVG_POINTS, 2, 4, values, values}};
    TactSvgPlot   plot = {"t", "x", "y", TACT_SVG_LINEAR, TACT_SVG_LINEAR, 2, series};
    char         *text = write_and_read(&plot);
    double        x[16], y[16];
    assert_int_equal(read_markers(text, x, y, 16), 3 + 4 + 1);
    // On both axes a value v lies at v times one step from 0: 1, 3, 4 and 2, 6, 8.
    assert_true(fabs((x[2] - x[1]) - (x[1] - x[0]) / 2) < 0.2);
    assert_true(fabs((y[2] - y[1]) - (y[1] - y[0]) / 2) < 0.2);
    assert_non_null(strstr(text, "a &lt; b &amp; c"));
    assert_int_equal(count_of(text, "stroke-dasharray"), 2); // the line, and the legend
    assert_int_equal(count_of(text, "<svg"), 1);
    assert_int_equal(count_of(text, "</svg>"), 1);
    free(text);
}

static void a_plot_of_nothing_is_a_frame(void **state)
{
    (void)state;
    double        zero[] = {0};
    TactSvgSeries series = {"nothing", TACT_SVG_LINE, 0, 1, zero, zero};
    TactSvgPlot   plot = {"t", "x", "y", TACT_SVG_LOG, TACT_SVG_LOG, 1, &series};
    char         *text = write_and_read(&plot);
    assert_int_equal(count_of(text, "nan"), 0);
    assert_int_equal(count_of(text, "inf"), 0);
    assert_int_equal(tact_svg_write(&plot, "/no/such/folder/plot.svg"), TACT_IO_ERROR);
    free(text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(equal_factors_are_equal_steps_on_logarithmic_axes),
        cmocka_unit_test(linear_axes_begin_at_zero_and_what_is_not_a_number_is_left_out),
        cmocka_unit_test(a_plot_of_nothing_is_a_frame),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
