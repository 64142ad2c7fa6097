// What the project promises of these experiments, and what came out: all ratios are of times in one
// run on the same problems.
#include <math.h>
#include <string.h>

#include "bench/lloyd/lloyd.h"
#include "bench/wanted.h"

static const TactLloydPoint peg_16 = {TACT_LLOYD_PEG, 16, 1, 8, 0};
static const TactLloydPoint peg_32 = {TACT_LLOYD_PEG, 32, 1, 8, 0};
static const TactLloydPoint stack_20 = {TACT_LLOYD_STACK, 20, 5, 8, 0};
static const TactLloydPoint stack_32 = {TACT_LLOYD_STACK, 32, 5, 8, 0};

typedef enum Sense { AT_LEAST, AT_MOST } Sense;

static void print_line(const char *what, Sense sense, double wanted, double got, const char *note)
{
    bool holds = sense == AT_LEAST ? got >= wanted : got <= wanted;
    char figure[32] = "-";
    if (!isnan(got)) {
        snprintf(figure, sizeof figure, got < 100 ? "%.3g" : "%.0f", got);
    }
    printf("  %-55s %s %-6g got %-7s %-7s %s\n", what, sense == AT_LEAST ? ">=" : "<=", wanted,
           figure, isnan(got) ? "not run" : tact_bench_wanted(holds), note);
}

/// Time of a peer over that of a method.
static void print_peer(const TactLloyd *lloyd, const TactLloydPoint *point, const char *peer,
                       TactLloydMethod method, const char *what, double wanted)
{
    int    i = tact_lloyd_find(lloyd, point), p = tact_lloyd_find_peer(lloyd, peer), both = 0;
    double ratio = NAN;
    char   note[64] = "";
    if (i >= 0 && p >= 0) {
        ratio = tact_lloyd_ratio(&lloyd->peer_cell[i][p], &lloyd->cell[i][method],
                                 lloyd->options.instances, &both);
        snprintf(note, sizeof note,
                 both > 0 ? "(on the %d of %d it solves)" : "(it solves %d of %d)", both,
                 lloyd->peer_cell[i][p].asked);
    }
    print_line(what, AT_LEAST, wanted, ratio, note);
}

static double mean_of(const TactLloyd *lloyd, const TactLloydPoint *point, TactLloydMethod method)
{
    int i = tact_lloyd_find(lloyd, point);
    return i >= 0 && lloyd->cell[i][method].runs > 0 ? lloyd->cell[i][method].mean : NAN;
}

static void print_disturbed(const TactLloyd *lloyd)
{
    static const int contacts[] = {8, 16, 32};
    for (size_t k = 0; k < sizeof contacts / sizeof *contacts; k++) {
        TactLloydPoint exact = {TACT_LLOYD_PEG, contacts[k], 1, 8, 0}, moved = exact;
        char           what[64];
        moved.disturbance = 1e-4;
        snprintf(what, sizeof what, "reduced, peg n = %d moved by 1e-4 / exact", contacts[k]);
        print_line(what, AT_MOST, 4,
                   mean_of(lloyd, &moved, TACT_LLOYD_REDUCED) /
                       mean_of(lloyd, &exact, TACT_LLOYD_REDUCED),
                   "");
    }
}

static void print_growth(const TactLloyd *lloyd)
{
    int  most = lloyd->options.largest < 128 ? lloyd->options.largest : 128;
    char what[64];
    snprintf(what, sizeof what, "reduced, exponent over n = 8 to %d, jittered peg", most);
    print_line(what, AT_MOST, 1,
               tact_lloyd_exponent(lloyd, TACT_LLOYD_PEG_JITTERED, TACT_LLOYD_REDUCED, 8, most),
               "");
}

static void print_directions(const TactLloyd *lloyd)
{
    for (int i = 0; i < lloyd->points; i++) {
        const TactLloydPoint *many = &lloyd->point[i];
        TactLloydPoint        few = *many;
        if (many->directions != 16) {
            continue;
        }
        few.directions = 4;
        char what[64];
        snprintf(what, sizeof what, "reduced, d = 16 / d = 4: %s n = %d",
                 tact_lloyd_shape_name(many->shape), many->contacts);
        print_line(
            what, AT_MOST, 1.3,
            lloyd->cell[i][TACT_LLOYD_REDUCED].mean / mean_of(lloyd, &few, TACT_LLOYD_REDUCED), "");
    }
}

static void print_warm(const TactLloyd *lloyd)
{
    static const struct {
        const TactLloydPoint *point;
        const char           *name;
    } rows[] = {
        {&peg_16, "peg n = 16"}, {&peg_32, "peg n = 32"}, {&stack_32, "stack m = 5 n = 32"}};
    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) {
        int i = tact_lloyd_find(lloyd, rows[k].point);
        if (i < 0) {
            continue;
        }
        for (int ladder = 0; ladder < 2; ladder++) {
            const TactLloydCell *cells = lloyd->cell[i];
            const TactLloydCell *cold = &cells[ladder ? TACT_LLOYD_LADDER : TACT_LLOYD_REDUCED];
            const TactLloydCell *warm =
                &cells[ladder ? TACT_LLOYD_LADDER_WARM : TACT_LLOYD_REDUCED_WARM];
            char what[64], note[64];
            snprintf(what, sizeof what, "%s, warm / cold: %s", ladder ? "ladder" : "reduced",
                     rows[k].name);
            snprintf(note, sizeof note, "(%.1f us; pivots, most of all: %.0f)", 1e6 * warm->mean,
                     warm->most_pivots);
            print_line(what, AT_MOST, 0.5, warm->mean / cold->mean, note);
        }
    }
}

void tact_lloyd_print_wanted(const TactLloyd *lloyd)
{
    printf("\nWanted, and got\n");
    print_peer(lloyd, &peg_16, "siconos-lexicolemke", TACT_LLOYD_REDUCED,
               "Siconos lexicolemke / reduced, peg n = 16", 1000);
    print_peer(lloyd, &peg_32, "siconos-lexicolemke", TACT_LLOYD_REDUCED,
               "Siconos lexicolemke / reduced, peg n = 32", 5000);
    print_peer(lloyd, &peg_16, "dart-lemke", TACT_LLOYD_REDUCED, "DART Lemke / reduced, peg n = 16",
               4000);
    print_disturbed(lloyd);
    print_growth(lloyd);
    print_directions(lloyd);
    print_peer(lloyd, &stack_20, "siconos-admm", TACT_LLOYD_REDUCED,
               "Siconos ADMM / reduced, stack of five n = 20", 20);
    print_peer(lloyd, &stack_32, "siconos-admm", TACT_LLOYD_REDUCED,
               "Siconos ADMM / reduced, stack of five n = 32", 40);
    print_peer(lloyd, &stack_20, "siconos-admm", TACT_LLOYD_CIRCLE,
               "Siconos ADMM / circle by ladder, stack of five n = 20", 5);
    print_peer(lloyd, &stack_32, "siconos-admm", TACT_LLOYD_CIRCLE,
               "Siconos ADMM / circle by ladder, stack of five n = 32", 5);
    print_warm(lloyd);
}
