// Outcomes over what varies, as an SVG picture: on the diagonal how often the first outcome came
// over each variable, with its interval of 95 %; below it a map for every two of them.
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cli/cli.h"
#include "cli/sweep/sweep.h"

enum { MOST = 6, BINS = 12, SIZE = 150, GAP = 30, LEFT = 70, TOP = 50 };

typedef struct Plot {
    const TactSweepTold *told;
    FILE                *file;
    int                  count; // variables that are shown
    TactSweepBins        bins[MOST];
} Plot;

static double entry(const TactSweepTold *told, int row, int column)
{
    const TactSweepResults *r = told->results;
    return r->values[(size_t)row * (size_t)r->column_count + (size_t)column];
}

static void put_text(FILE *file, const char *text)
{
    for (const char *c = text; *c; c++) {
        const char *escaped = *c == '<' ? "&lt;" : *c == '&' ? "&amp;" : *c == '>' ? "&gt;" : NULL;
        if (escaped) {
            fputs(escaped, file);
        } else {
            fputc(*c, file);
        }
    }
}

static void put_label(FILE *file, double x, double y, const char *anchor, const char *text)
{
    fprintf(file, "<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"%s\">", x, y, anchor);
    put_text(file, text);
    fputs("</text>\n", file);
}

/// Trials and first outcomes in a bin of one variable, or in a cell of two (b < 0: one).
static TactSweepShare count_in(const Plot *p, int a, int bin_a, int b, int bin_b)
{
    const TactSweepPlan *plan = p->told->plan;
    int                  all = 0, first = 0;
    for (int i = 0; i < p->told->results->count; i++) {
        bool inside =
            tact_sweep_bin_of(&p->bins[a], entry(p->told, i, plan->first_varied + a)) == bin_a &&
            (b < 0 ||
             tact_sweep_bin_of(&p->bins[b], entry(p->told, i, plan->first_varied + b)) == bin_b);
        all += inside;
        first += inside && (int)entry(p->told, i, plan->outcome_column) == 0;
    }
    return tact_sweep_share(first, all);
}

/// From orange, where it never came, over grey to blue, where it always did: also for eyes that do
/// not tell red from green.
static void colour_of(double share, char text[16])
{
    static const double ends[3][3] = {{217, 95, 2}, {215, 215, 215}, {31, 120, 180}};
    int                 side = share < 0.5 ? 0 : 1;
    double              t = 2 * share - side;
    int                 rgb[3];
    for (int i = 0; i < 3; i++) {
        rgb[i] = (int)lround((1 - t) * ends[side][i] + t * ends[side + 1][i]);
    }
    snprintf(text, 16, "#%02x%02x%02x", (unsigned)rgb[0] & 255, (unsigned)rgb[1] & 255,
             (unsigned)rgb[2] & 255);
}

static void draw_frame(const Plot *p, double x, double y)
{
    fprintf(p->file,
            "<rect x=\"%.1f\" y=\"%.1f\" width=\"%d\" height=\"%d\" fill=\"none\" "
            "stroke=\"#888\"/>\n",
            x, y, SIZE, SIZE);
}

/// Where a bin begins along a side of a panel.
static double along(const Plot *p, int variable, double bin)
{
    return SIZE * bin / p->bins[variable].count;
}

static void draw_curve(const Plot *p, int v, double x, double y)
{
    TactSweepShare shares[BINS];
    int            count = p->bins[v].count;
    for (int i = 0; i < count; i++) {
        shares[i] = count_in(p, v, i, -1, -1);
    }
    fputs("<polygon fill=\"#1f78b4\" fill-opacity=\"0.25\" points=\"", p->file);
    for (int i = 0; i < 2 * count; i++) {
        int k = i < count ? i : 2 * count - 1 - i;
        if (shares[k].of > 0) {
            fprintf(p->file, "%.1f,%.1f ", x + along(p, v, k + 0.5),
                    y + SIZE * (1 - (i < count ? shares[k].hi : shares[k].lo)));
        }
    }
    fputs("\"/>\n<polyline fill=\"none\" stroke=\"#1f78b4\" stroke-width=\"1.5\" points=\"",
          p->file);
    for (int i = 0; i < count; i++) {
        if (shares[i].of > 0) {
            fprintf(p->file, "%.1f,%.1f ", x + along(p, v, i + 0.5),
                    y + SIZE * (1 - shares[i].share));
        }
    }
    fputs("\"/>\n", p->file);
    draw_frame(p, x, y);
    put_label(p->file, x - 4, y + 9, "end", "1");
    put_label(p->file, x - 4, y + SIZE, "end", "0");
}

static void draw_map(const Plot *p, int across, int up, double x, double y)
{
    for (int i = 0; i < p->bins[across].count; i++) {
        for (int k = 0; k < p->bins[up].count; k++) {
            TactSweepShare s = count_in(p, across, i, up, k);
            char           colour[16];
            if (s.of == 0) {
                continue;
            }
            colour_of(s.share, colour);
            double left = along(p, across, i), right = along(p, across, i + 1);
            double top = along(p, up, p->bins[up].count - k - 1);
            double bottom = along(p, up, p->bins[up].count - k);
            fprintf(p->file,
                    "<rect x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\" fill=\"%s\">"
                    "<title>%d of %d</title></rect>\n",
                    x + left, y + top, right - left, bottom - top, colour, s.count, s.of);
        }
    }
    draw_frame(p, x, y);
}

static void label_sides(const Plot *p, int row, int column, double x, double y)
{
    const TactSweepPlan *plan = p->told->plan;
    char                 number[32];
    const TactSweepBins *across = &p->bins[column], *up = &p->bins[row];
    if (row == p->count - 1) {
        snprintf(number, sizeof number, "%.3g", across->lo);
        put_label(p->file, x, y + SIZE + 13, "start", number);
        snprintf(number, sizeof number, "%.3g", across->hi);
        put_label(p->file, x + SIZE, y + SIZE + 13, "end", number);
        put_label(p->file, x + 0.5 * SIZE, y + SIZE + 27, "middle",
                  plan->columns[plan->first_varied + column]);
    }
    if (column == 0 && row > 0) {
        snprintf(number, sizeof number, "%.3g", up->hi);
        put_label(p->file, x - 4, y + 9, "end", number);
        snprintf(number, sizeof number, "%.3g", up->lo);
        put_label(p->file, x - 4, y + SIZE, "end", number);
        fprintf(p->file, "<g transform=\"translate(%.1f %.1f) rotate(-90)\">", x - 46,
                y + 0.5 * SIZE);
        put_label(p->file, 0, 0, "middle", plan->columns[plan->first_varied + row]);
        fputs("</g>\n", p->file);
    }
}

void tact_sweep_draw_plot(const TactSweepTold *told, FILE *file)
{
    Plot p = {.told = told, .file = file, .count = told->plan->varied_count};
    p.count = p.count < MOST ? p.count : MOST;
    for (int i = 0; i < p.count; i++) {
        p.bins[i] = tact_sweep_bins(told->results, told->plan->first_varied + i, BINS);
    }
    int width = LEFT + p.count * (SIZE + GAP) + 20, height = TOP + p.count * (SIZE + GAP) + 30;
    width = width < 520 ? 520 : width;
    fprintf(file,
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\" "
            "viewBox=\"0 0 %d %d\" font-family=\"sans-serif\" font-size=\"11\" fill=\"#777\">\n",
            width, height, width, height);
    char title[200];
    snprintf(title, sizeof title,
             "%d trials: share of '%.40s', with its 95 %% interval; maps: "
             "orange 0, grey 1/2, blue 1",
             told->results->count, told->plan->outcomes[0]);
    put_label(file, LEFT, 20, "start", title);
    if (told->plan->varied_count > MOST) {
        snprintf(title, sizeof title, "the first %d of %d variables", MOST,
                 told->plan->varied_count);
        put_label(file, LEFT, 36, "start", title);
    }
    for (int row = 0; row < p.count; row++) {
        for (int column = 0; column <= row; column++) {
            double x = LEFT + column * (SIZE + GAP), y = TOP + row * (SIZE + GAP);
            if (row == column) {
                draw_curve(&p, row, x, y);
            } else {
                draw_map(&p, column, row, x, y);
            }
            label_sides(&p, row, column, x, y);
        }
    }
    fputs("</svg>\n", file);
}

bool tact_sweep_write_plot(const TactSweepTold *told, const char *path)
{
    FILE *file = fopen(path, "w");
    if (file) {
        tact_sweep_draw_plot(told, file);
    }
    bool failed = !file || ferror(file);
    failed = (file && fclose(file) != 0) || failed;
    if (failed) {
        tact_cli_bad("--plot %s: %s", path, strerror(errno));
    }
    return !failed;
}
