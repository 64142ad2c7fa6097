// Tables and CSV of `tact bench lloyd`.
#include <math.h>
#include <string.h>

#include "lloyd.h"
#include "lloyd_paper.h"

// ---------------------------------------------------------------------------------------------
// Tables

static void print_cell(const TactLloydCell *cell, bool pivots)
{
    char text[96] = "-", failed[32] = "", counted[32] = "";
    if (cell->runs > 0) {
        if (cell->solved < cell->runs) {
            snprintf(failed, sizeof failed, " %d/%d", cell->solved, cell->runs);
        }
        if (pivots) {
            snprintf(counted, sizeof counted, " (%.0f)", cell->pivots);
        }
        snprintf(text, sizeof text, "%.1f%s%s", 1e6 * cell->mean, counted, failed);
    }
    printf(" %15s", text);
}

static void print_head(const TactLloyd *lloyd)
{
    printf("%-30s", "");
    for (int m = 0; m < TACT_LLOYD_METHODS; m++) {
        printf(" %15s", tact_lloyd_method_name((TactLloydMethod)m));
    }
    printf(" %12s", "certificate");
    for (int p = 0; p < lloyd->peers; p++) {
        printf(" %19s", lloyd->peer[p].name);
    }
    printf("\n");
}

static void print_point(const TactLloyd *lloyd, int i)
{
    const TactLloydPoint *point = &lloyd->point[i];
    const char           *situation =
        point->shape == TACT_LLOYD_SINGLE ? tact_lloyd_situation(point->contacts) : "";
    char name[64];
    int  used = snprintf(name, sizeof name, "n = %-3d %s", point->contacts, situation);
    if (point->shape == TACT_LLOYD_STACK) {
        used += snprintf(name + used, sizeof name - (size_t)used, "m = %d", point->bodies);
    }
    if (point->directions != 8) {
        used += snprintf(name + used, sizeof name - (size_t)used, " d = %d", point->directions);
    }
    if (point->disturbance > 0) {
        snprintf(name + used, sizeof name - (size_t)used, "moved by %.0e", point->disturbance);
    }
    printf("%-30s", name);
    for (int m = 0; m < TACT_LLOYD_METHODS; m++) {
        print_cell(&lloyd->cell[i][m], true);
    }
    printf(" %12.1f", 1e6 * lloyd->certificate[i]);
    for (int p = 0; p < lloyd->peers; p++) {
        printf("    ");
        print_cell(&lloyd->peer_cell[i][p], false);
    }
    printf("\n");
}

static void print_exponents(const TactLloyd *lloyd, TactLloydShape shape, int least, int most)
{
    char name[64];
    snprintf(name, sizeof name, "exponent, n = %d to %d", least, most);
    printf("%-30s", name);
    for (int m = 0; m < TACT_LLOYD_METHODS; m++) {
        printf(" %15.2f", tact_lloyd_exponent(lloyd, shape, (TactLloydMethod)m, least, most));
    }
    printf("\n");
}

static void print_paper(TactLloydShape shape)
{
    for (size_t i = 0; i < sizeof tact_lloyd_paper / sizeof *tact_lloyd_paper; i++) {
        const TactLloydPaper *paper = &tact_lloyd_paper[i];
        if (paper->shape == shape) {
            printf("    the paper, 2004: %-10s n = %-2d %8.0f us, n = %d %8.0f us: exponent %.2f\n",
                   tact_lloyd_method_name(paper->method), paper->first, 1e3 * paper->first_ms,
                   paper->last, 1e3 * paper->last_ms,
                   log(paper->last_ms / paper->first_ms) / log((double)paper->last / paper->first));
        }
    }
}

void tact_lloyd_print(const TactLloyd *lloyd)
{
    printf(
        "Mean time of tact_contact_solve() in us (pivots) solved/run where not all: the check of "
        "the problem,\nset-up from the geometry, the certificate and the answer are in it. "
        "'certificate' is the time of one\ntact_contact_certify() alone, its own check and "
        "memory included.\n");
    for (int shape = 0; shape < TACT_LLOYD_SHAPES; shape++) {
        int most = 0;
        printf("\n%s\n", tact_lloyd_shape_name((TactLloydShape)shape));
        print_head(lloyd);
        for (int i = 0; i < lloyd->points; i++) {
            if (lloyd->point[i].shape == (TactLloydShape)shape) {
                print_point(lloyd, i);
                most = lloyd->point[i].contacts > most ? lloyd->point[i].contacts : most;
            }
        }
        int least = shape == TACT_LLOYD_STACK ? 4 : 8;
        print_exponents(lloyd, (TactLloydShape)shape, least, shape == TACT_LLOYD_SINGLE ? 16 : 32);
        if (most > 32) {
            print_exponents(lloyd, (TactLloydShape)shape, least, most);
        }
        print_paper((TactLloydShape)shape);
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

TactStatus tact_lloyd_write_csv(const TactLloyd *lloyd, const char *path)
{
    FILE *file = fopen(path, "w");
    if (!file) {
        return TACT_IO_ERROR;
    }
    fprintf(file, "# tact %s, tact bench lloyd, %d instances\n", tact_version(),
            lloyd->options.instances);
    for (int p = 0; p < lloyd->peers; p++) {
        const TactLloydPeer *peer = &lloyd->peer[p];
        fprintf(file, "# %s %s\n", peer->name,
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
    return fclose(file) == 0 ? TACT_OK : TACT_IO_ERROR;
}
