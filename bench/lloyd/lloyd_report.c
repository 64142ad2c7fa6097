// Tables and CSV of `tact bench lloyd`.
#include <math.h>
#include <string.h>

#include "bench/csv.h"
#include "bench/lloyd/lloyd.h"

// ---------------------------------------------------------------------------------------------
// Tables

// Ladder and reduced take the same time on all of these; the ladder is in the CSV.
static const TactLloydMethod shown[] = {TACT_LLOYD_STANDARD, TACT_LLOYD_STRUCTURAL,
                                        TACT_LLOYD_REDUCED, TACT_LLOYD_REDUCED_WARM,
                                        TACT_LLOYD_CIRCLE};
enum { SHOWN = sizeof shown / sizeof *shown };

static bool is_plain(const TactLloydPoint *point)
{
    return point->directions == 8 && point->disturbance == 0;
}

static void print_cell(const TactLloydCell *cell)
{
    char text[96] = "-", failed[32] = "";
    if (cell->runs > 0) {
        if (cell->solved < cell->asked) {
            snprintf(failed, sizeof failed, " %d/%d", cell->solved, cell->asked);
        }
        snprintf(text, sizeof text, "%.1f (%.0f)%s", 1e6 * cell->mean, cell->pivots, failed);
    }
    printf(" %15s", text);
}

static void print_number(double value, const char *format)
{
    char text[32] = "";
    if (!isnan(value)) {
        snprintf(text, sizeof text, format, value);
    }
    printf(" %15s", text);
}

static void print_head(const char *unit)
{
    printf("%-30s", unit);
    for (int m = 0; m < SHOWN; m++) {
        printf(" %15s", tact_lloyd_method_name(shown[m]));
    }
    printf(" %11s\n", "certificate");
}

static void print_row(const TactLloyd *lloyd, int i, const char *name)
{
    printf("%-30s", name);
    for (int m = 0; m < SHOWN; m++) {
        print_cell(&lloyd->cell[i][shown[m]]);
    }
    printf(" %11.1f\n", 1e6 * lloyd->certificate[i]);
}

void tact_lloyd_point_name(const TactLloydPoint *point, char *name, size_t size)
{
    const char *situation =
        point->shape == TACT_LLOYD_SINGLE ? tact_lloyd_situation(point->contacts) : "";
    if (point->shape == TACT_LLOYD_STACK) {
        snprintf(name, size, "n = %-3d m = %d", point->contacts, point->bodies);
    } else {
        snprintf(name, size, "n = %-3d %s", point->contacts, situation);
    }
}

// ---------------------------------------------------------------------------------------------
// The paper

static const TactLloydPaper *paper_of(TactLloydShape shape, TactLloydMethod method)
{
    int                   count;
    const TactLloydPaper *curves = tact_lloyd_paper(&count);
    for (int i = 0; i < count; i++) {
        if (curves[i].shape == shape && curves[i].method == method) {
            return &curves[i];
        }
    }
    return NULL;
}

/// Time of a method at the first or last point of the paper, ours or its own; NAN: none.
static double ours_at(const TactLloyd *lloyd, TactLloydShape shape, TactLloydMethod method,
                      int contacts)
{
    double mean = NAN;
    for (int i = 0; i < lloyd->points; i++) {
        const TactLloydPoint *point = &lloyd->point[i];
        if (point->shape == shape && point->contacts == contacts && point->bodies <= 5 &&
            is_plain(point) && lloyd->cell[i][method].runs > 0) {
            mean = lloyd->cell[i][method].mean;
        }
    }
    return mean;
}

/// A row of the paper's own figures: its times, how often faster than standard, exponents.
typedef enum PaperRow { PAPER_FIRST, PAPER_LAST, PAPER_TIMES, PAPER_EXPONENT } PaperRow;

static void print_paper(TactLloydShape shape, PaperRow row)
{
    const TactLloydPaper *standard = paper_of(shape, TACT_LLOYD_STANDARD);
    char                  name[64] = "";
    if (!standard) {
        return;
    }
    if (row == PAPER_FIRST || row == PAPER_LAST) {
        snprintf(name, sizeof name, "the paper in 2004, n = %d",
                 row == PAPER_FIRST ? standard->first : standard->last);
    } else {
        snprintf(name, sizeof name, "  the paper");
    }
    printf("%-30s", name);
    for (int m = 0; m < SHOWN; m++) {
        const TactLloydPaper *paper = paper_of(shape, shown[m]);
        if (paper) {
            double growth = log(paper->last_ms / paper->first_ms);
            print_number(row == PAPER_FIRST   ? 1e3 * paper->first_ms
                         : row == PAPER_LAST  ? 1e3 * paper->last_ms
                         : row == PAPER_TIMES ? standard->last_ms / paper->last_ms
                                              : growth / log((double)paper->last / paper->first),
                         row == PAPER_EXPONENT ? "%.2f" : "%.0f");
        }
    }
    printf("\n");
}

static void print_times(const TactLloyd *lloyd, TactLloydShape shape)
{
    const TactLloydPaper *paper = paper_of(shape, TACT_LLOYD_STANDARD);
    int                   n = paper ? paper->last : 32;
    double                standard = ours_at(lloyd, shape, TACT_LLOYD_STANDARD, n);
    char                  name[64];
    if (isnan(standard)) {
        return;
    }
    snprintf(name, sizeof name, "standard / it, n = %d", n);
    printf("%-30s", name);
    for (int m = 0; m < SHOWN; m++) {
        print_number(standard / ours_at(lloyd, shape, shown[m], n), "%.0f");
    }
    printf("\n");
    print_paper(shape, PAPER_TIMES);
}

static void print_exponents(const TactLloyd *lloyd, TactLloydShape shape, int least, int most)
{
    char name[64];
    snprintf(name, sizeof name, "exponent, n = %d to %d", least, most);
    printf("%-30s", name);
    for (int m = 0; m < SHOWN; m++) {
        print_number(tact_lloyd_exponent(lloyd, shape, shown[m], least, most), "%.2f");
    }
    printf("\n");
}

// ---------------------------------------------------------------------------------------------
// Sections

static bool has_points(const TactLloyd *lloyd, TactLloydShape shape)
{
    for (int i = 0; i < lloyd->points; i++) {
        if (lloyd->point[i].shape == shape && is_plain(&lloyd->point[i])) {
            return true;
        }
    }
    return false;
}

static void print_shape(const TactLloyd *lloyd, TactLloydShape shape)
{
    static const char *const titles[] = {
        "Peg in a hole, contacts evenly around both rims (Fig. 5, 6)",
        "Peg in a hole, contacts moved along the rims",
        "Ten situations of one body (Fig. 7, 8)",
        "Stacks of m blocks (Fig. 10)",
    };
    int most = 0, least = shape == TACT_LLOYD_STACK ? 4 : 8;
    if (!has_points(lloyd, shape)) {
        return;
    }
    printf("\n%s\n", titles[shape]);
    print_head("us (pivots)");
    for (int i = 0; i < lloyd->points; i++) {
        const TactLloydPoint *point = &lloyd->point[i];
        if (point->shape == shape && is_plain(point)) {
            char name[64];
            tact_lloyd_point_name(point, name, sizeof name);
            print_row(lloyd, i, name);
            most = point->contacts > most ? point->contacts : most;
        }
    }
    print_paper(shape, PAPER_FIRST);
    print_paper(shape, PAPER_LAST);
    print_times(lloyd, shape);
    if (most > least) {
        print_exponents(lloyd, shape, least, most < 32 ? most : 32);
        print_paper(shape, PAPER_EXPONENT);
    }
    if (most > 32) {
        print_exponents(lloyd, shape, least, most);
    }
}

/// d = 4, 8, 16 on the same scenes.
static void print_directions(const TactLloyd *lloyd)
{
    printf("\nd directions in a pyramid\n");
    print_head("us (pivots)");
    for (int k = 0; k < lloyd->points; k++) {
        TactLloydPoint point = lloyd->point[k];
        int            at[3];
        if (point.directions != 4) {
            continue;
        }
        for (int j = 0; j < 3; j++) {
            char name[64];
            point.directions = 4 << j;
            at[j] = tact_lloyd_find(lloyd, &point);
            snprintf(name, sizeof name, "%s, n = %d: d = %d", tact_lloyd_shape_name(point.shape),
                     point.contacts, point.directions);
            if (at[j] >= 0) {
                print_row(lloyd, at[j], name);
            }
        }
        if (at[2] >= 0) {
            printf("%-30s", "  d = 16 / d = 4");
            for (int m = 0; m < SHOWN; m++) {
                print_number(lloyd->cell[at[2]][shown[m]].mean / lloyd->cell[k][shown[m]].mean,
                             "%.2f");
            }
            printf("\n");
        }
    }
}

static void print_disturbed(const TactLloyd *lloyd)
{
    printf("\nPeg with points and normals moved by 1e-4\n");
    print_head("us (pivots)");
    for (int i = 0; i < lloyd->points; i++) {
        if (lloyd->point[i].disturbance > 0) {
            char name[64];
            tact_lloyd_point_name(&lloyd->point[i], name, sizeof name);
            print_row(lloyd, i, name);
        }
    }
}

static void print_peer(const TactLloyd *lloyd, int i, int p)
{
    const TactLloydCell *cell = &lloyd->peer_cell[i][p];
    TactLloydMethod      ours = lloyd->peer[p].lcp ? TACT_LLOYD_REDUCED : TACT_LLOYD_CIRCLE;
    char                 time[48] = "-", times[32] = "";
    int                  both;
    double ratio = tact_lloyd_ratio(cell, &lloyd->cell[i][ours], lloyd->options.instances, &both);
    if (cell->runs > 0 && cell->solved == 0) {
        snprintf(time, sizeof time, "- 0/%d", cell->asked);
    } else if (cell->runs > 0 && cell->solved < cell->asked) {
        snprintf(time, sizeof time, "%.0f %d/%d", 1e6 * cell->median_solved, cell->solved,
                 cell->asked);
    } else if (cell->runs > 0) {
        snprintf(time, sizeof time, "%.0f", 1e6 * cell->mean);
    }
    if (both > 0) {
        snprintf(times, sizeof times, ratio < 10 ? "x%.1f" : "x%.0f", ratio);
    }
    printf(" %14s %-6s", time, times);
}

/// Others on the same problems, and how many times as long they take as ours on those they solve.
static void print_peers(const TactLloyd *lloyd)
{
    printf("\nOthers on the same problems: us, solved/asked for where not all, and their time over "
           "that "
           "of reduced (LCPs) or\nof the circle (the rest) on the problems they solve\n%-22s",
           "");
    for (int p = 0; p < lloyd->peers; p++) {
        printf("  %-20s", lloyd->peer[p].name);
    }
    printf("\n");
    for (int i = 0; i < lloyd->points; i++) {
        const TactLloydPoint *point = &lloyd->point[i];
        char                  name[64], bodies[16] = "";
        if (!is_plain(point)) {
            continue;
        }
        if (point->bodies > 1) {
            snprintf(bodies, sizeof bodies, " m = %d", point->bodies);
        }
        snprintf(name, sizeof name, "%s n = %d%s", tact_lloyd_shape_name(point->shape),
                 point->contacts, bodies);
        printf("%-22s", name);
        for (int p = 0; p < lloyd->peers; p++) {
            print_peer(lloyd, i, p);
        }
        printf("\n");
    }
}

void tact_lloyd_print(const TactLloyd *lloyd)
{
    printf("Mean time of tact_contact_solve() in us (pivots), solved/asked for where not all: "
           "check of "
           "the problem, set-up\nfrom the geometry, certificate and answer are in it. "
           "'certificate' is one tact_contact_certify() alone,\nits own check and memory "
           "included. standard: the assembled LCP by lemke-lex; warm: the same problem again;\n"
           "circle: the true cone by the ladder. The others have the pyramid of 8 directions.\n");
    for (int shape = 0; shape < TACT_LLOYD_SHAPES; shape++) {
        print_shape(lloyd, (TactLloydShape)shape);
    }
    print_directions(lloyd);
    print_disturbed(lloyd);
    if (lloyd->peers > 0) {
        print_peers(lloyd);
    }
}

// ---------------------------------------------------------------------------------------------
// CSV

static void write_row(FILE *file, const TactLloydPoint *point, const char *solver,
                      const TactLloydCell *cell)
{
    if (cell->runs > 0) {
        fprintf(file, "%s,%d,%d,%d,%g,%s,%d,%d,%d,%d,%.3f,%.3f,%.3f,%.1f,%.0f\n",
                point->shape == TACT_LLOYD_PEG_JITTERED ? "peg-jittered"
                : point->shape == TACT_LLOYD_SINGLE     ? "one-body"
                                                        : tact_lloyd_shape_name(point->shape),
                point->contacts, point->bodies, point->directions, point->disturbance, solver,
                cell->runs, cell->solved, cell->wrong, cell->died, 1e6 * cell->mean,
                1e6 * cell->median, 1e6 * cell->best, cell->pivots, cell->most_pivots);
    }
}

/// Names of methods without commas.
static const char *plain_name(TactLloydMethod method)
{
    return method == TACT_LLOYD_REDUCED_WARM  ? "reduced-warm"
           : method == TACT_LLOYD_LADDER_WARM ? "ladder-warm"
                                              : tact_lloyd_method_name(method);
}

int tact_lloyd_write_csv(const TactLloyd *lloyd, const char *path)
{
    FILE *file = tact_bench_csv_open(path);
    if (!file) {
        return 2;
    }
    fprintf(file, "# tact bench lloyd: %d instances a point; budget %g s a point and method\n",
            lloyd->options.instances, lloyd->options.budget);
    for (int p = 0; p < lloyd->peers; p++) {
        const TactLloydPeer *peer = &lloyd->peer[p];
        fprintf(file, "# peer: %s, %s\n", peer->name,
                peer->lcp ? peer->lcp->version : peer->friction->version);
    }
    fprintf(file, "experiment,contacts,bodies,directions,disturbance,solver,run,solved,wrong,died,"
                  "mean_us,median_us,best_us,pivots,most_pivots\n");
    for (int i = 0; i < lloyd->points; i++) {
        for (int m = 0; m < TACT_LLOYD_METHODS; m++) {
            write_row(file, &lloyd->point[i], plain_name((TactLloydMethod)m), &lloyd->cell[i][m]);
        }
        for (int p = 0; p < lloyd->peers; p++) {
            write_row(file, &lloyd->point[i], lloyd->peer[p].name, &lloyd->peer_cell[i][p]);
        }
    }
    return tact_bench_csv_close(file, path);
}
