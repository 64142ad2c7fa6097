// Rows of the CSV file: written one by one as they come, and read back by a run that goes on.
#include <stdlib.h>
#include <string.h>

#include "bench/csv.h"
#include "bench/piles/piles.h"

static const char head[] = "engine,shape,bodies,seed,mode,sleeps,decades,mu,time,step,steps,"
                           "mean_contacts,contacts,mean_ms,late_ms,longest_ms,collide_share,"
                           "solves,certified,error,penetration,made_bytes,grown_bytes,"
                           "threads,wall_ms,bin,condim,spin,roll\n";

enum { LINE = 1024, FIGURES = 19, PLAIN_FIGURES = 16 };

/// What a row is of: the columns up to the step, with the comma behind them.
static int write_key(char *text, size_t size, const char *engine, const TactPileScene *scene,
                     double time)
{
    return snprintf(text, size, "%s,%s,%d,%d,%s,%d,%.9g,%.9g,%.9g,%.9g,", engine,
                    tact_pile_shape_name(scene->shape), scene->number, scene->seed,
                    tact_pile_mode(scene), scene->sleeps, scene->decades, scene->mu, time,
                    scene->step);
}

FILE *tact_pile_rows_open(const char *path, bool resumed)
{
    FILE *there = resumed ? fopen(path, "r") : NULL;
    if (there) {
        fclose(there);
        FILE *file = fopen(path, "a");
        if (!file) {
            fprintf(stderr, "tact: %s cannot be written\n", path);
        }
        return file;
    }
    FILE *file = tact_bench_csv_open(path);
    if (file) {
        fputs(head, file);
        fflush(file);
    }
    return file;
}

/// The figures of a line, from behind its key on: all, or those of older files, which end with the
/// bin and are of plain friction. False: they are not whole.
static bool read_values(const char *text, double value[FIGURES])
{
    value[16] = 3;
    value[17] = value[18] = 0;
    for (int k = 0; k < FIGURES; k++) {
        char *end;
        value[k] = strtod(text, &end);
        if (end == text || (*end != ',' && *end != '\n')) {
            return false;
        }
        if (*end == '\n') {
            return k + 1 == FIGURES || k + 1 == PLAIN_FIGURES;
        }
        text = end + 1;
    }
    return false;
}

/// False also if they are of another number of threads, another bin or other coefficients.
static bool read_figures(const char *text, const TactPileScene *scene, TactPileRun *run)
{
    double value[FIGURES];
    int    condim = scene->condim > 3 ? scene->condim : 3;
    if (!read_values(text, value) || (int)value[13] != run->threads || value[15] != scene->bin ||
        (int)value[16] != condim || value[17] != scene->spin || value[18] != scene->roll) {
        return false;
    }
    *run = (TactPileRun){
        .steps = (int)value[0],
        .mean_contacts = value[1],
        .contacts = (int)value[2],
        .mean = 1e-3 * value[3],
        .late = 1e-3 * value[4],
        .longest = 1e-3 * value[5],
        .collide = value[6],
        .solves = (long)value[7],
        .certified = (long)value[8],
        .error = value[9],
        .penetration = value[10],
        .made = value[11],
        .grown = value[12],
        .threads = (int)value[13],
        .wall = 1e-3 * value[14],
    };
    return true;
}

bool tact_pile_row_find(const char *path, const char *engine, const TactPileScene *scene,
                        double time, TactPileRun *run)
{
    char  key[LINE], line[LINE];
    int   length = write_key(key, sizeof key, engine, scene, time);
    FILE *file = fopen(path, "r");
    bool  found = false;
    while (file && length > 0 && !found && fgets(line, sizeof line, file)) {
        found = strncmp(line, key, (size_t)length) == 0 && read_figures(line + length, scene, run);
    }
    if (file) {
        fclose(file);
    }
    return found;
}

void tact_pile_row_write(FILE *csv, const char *engine, const TactPileScene *scene, double time,
                         const TactPileRun *run)
{
    char key[LINE];
    if (!csv || write_key(key, sizeof key, engine, scene, time) >= LINE) {
        return;
    }
    fprintf(csv,
            "%s%d,%.9g,%d,%.9g,%.9g,%.9g,%.9g,%ld,%ld,%.9g,%.9g,%.9g,%.9g,%d,%.9g,%.17g,%d,%.17g,"
            "%.17g\n",
            key, run->steps, run->mean_contacts, run->contacts, 1e3 * run->mean, 1e3 * run->late,
            1e3 * run->longest, run->collide, run->solves, run->certified, run->error,
            run->penetration, run->made, run->grown, run->threads, 1e3 * run->wall, scene->bin,
            scene->condim > 3 ? scene->condim : 3, scene->spin, scene->roll);
    fflush(csv); // what is done is done, whatever comes
}
