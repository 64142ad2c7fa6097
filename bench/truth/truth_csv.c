// Files of `tact bench truth`: figures of tables, figures of every scene, and the worst scenes.
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "bench/truth/truth.h"

static const char *const end_words[] = {
    [TACT_TRUTH_COMPLETE] = "complete",    [TACT_TRUTH_CANNOT] = "cannot",
    [TACT_TRUTH_GAVE_UP] = "gave up",      [TACT_TRUTH_TIME_OVER] = "time over",
    [TACT_TRUTH_DIED] = "died or stopped",
};

typedef struct Column {
    const char *name;
    size_t      offset; // of a TactTruthCount in a cell
} Column;

static const Column columns[] = {
    {"off_velocity_1mm", offsetof(TactTruthCell, departure)},
    {"off_velocity_whole_step_1mm", offsetof(TactTruthCell, whole)},
    {"off_velocity_beyond_correction", offsetof(TactTruthCell, beyond)},
    {"correction_1mm", offsetof(TactTruthCell, correction)},
    {"off_rotation_0.01rad", offsetof(TactTruthCell, turn)},
    {"too_deep", offsetof(TactTruthCell, depth)},
    {"energy_1e-9", offsetof(TactTruthCell, energy)},
    {"energy_1e-3", offsetof(TactTruthCell, much)},
    {"energy_free_bodies_1e-9", offsetof(TactTruthCell, loose)},
    {"energy_mechanisms_1e-9", offsetof(TactTruthCell, jointed)},
    {"momentum_1e-9", offsetof(TactTruthCell, momentum)},
    {"angular_momentum_1e-9", offsetof(TactTruthCell, angular)},
};

enum { COLUMNS = sizeof columns / sizeof columns[0] };

void tact_truth_csv_head(FILE *file)
{
    fprintf(file, "family,seed,first,scenes,time_s,step_ms,engine,version,run,cannot,gave_up,"
                  "time_over,died,depth_bound_m");
    for (int i = 0; i < COLUMNS; i++) {
        fprintf(file, ",%s,%s_worst,%s_scene", columns[i].name, columns[i].name, columns[i].name);
    }
    fprintf(file, ",islands,certified,steps,parts,steps_certified,impact_compared,impact_within,"
                  "impact_mean_s,"
                  "rest_compared,rest_within,rest_mean_s\n");
}

static void write_times(FILE *file, const TactTruthTimes *times)
{
    int n = times->compared - times->missing;
    fprintf(file, ",%d,%d,%.6g", times->compared, times->within, n > 0 ? times->sum / n : 0);
}

static void write_row(FILE *file, const TactTruthBench *bench, int s, int e)
{
    const TactTruthCell *cell = &bench->cell[s][e];
    const char          *version = bench->engine[e]->version;
    int                  ran = cell->scenes - cell->ends[TACT_TRUTH_CANNOT];
    fprintf(file, "%s,%d,%d,%d,%g,%g,%s,%s,%d,%d,%d,%d,%d,%g",
            tact_truth_family_name(bench->family), bench->seed, bench->first, cell->scenes,
            bench->time, 1e3 * bench->step[s], bench->engine[e]->name, version ? version : "", ran,
            cell->ends[TACT_TRUTH_CANNOT], cell->ends[TACT_TRUTH_GAVE_UP],
            cell->ends[TACT_TRUTH_TIME_OVER], cell->ends[TACT_TRUTH_DIED],
            tact_truth_depth_bound(bench->step[s]));
    for (int i = 0; i < COLUMNS; i++) {
        const TactTruthCount *figure =
            (const TactTruthCount *)(const void *)((const char *)cell + columns[i].offset);
        fprintf(file, ",%d,%.4g,%d", figure->scenes, figure->worst, figure->index);
    }
    fprintf(file, ",%ld,%ld,%ld,%ld,%ld", cell->islands, cell->certified, cell->steps, cell->parts,
            cell->proven);
    write_times(file, &cell->impact);
    write_times(file, &cell->rest);
    fprintf(file, "\n");
}

void tact_truth_csv_rows(FILE *file, const TactTruthBench *bench)
{
    for (int s = 0; s < bench->steps; s++) {
        for (int e = 0; e < bench->engines; e++) {
            write_row(file, bench, s, e);
        }
    }
}

void tact_truth_each_head(FILE *file)
{
    fprintf(
        file,
        "family,seed,scene,step_ms,engine,end,steps,parts,off_velocity_m,off_velocity_at_s,"
        "off_velocity_whole_step_m,off_velocity_beyond_correction_m,correction,off_rotation_rad,"
        "depth_m,depth_at_s,energy,energy_at_s,momentum,angular_momentum,impact_s,rest_s,"
        "islands,certified,steps_certified,mechanisms\n");
}

void tact_truth_each_row(FILE *file, const TactTruthBench *bench, int step, int engine, int index,
                         const TactTruthRun *run)
{
    fprintf(file, "%s,%d,%d,%g,%s,%s,%d,%ld,%.4g,%.6g,%.4g,%.4g,%.4g,%.4g,%.4g,%.6g,%.4g,%.6g",
            tact_truth_family_name(bench->family), bench->seed, index, 1e3 * bench->step[step],
            bench->engine[engine]->name, end_words[run->end], run->steps, run->parts,
            run->part_departure, run->departure_time, run->departure, run->beyond, run->correction,
            run->turn, run->depth, run->depth_time, run->energy, run->energy_time);
    fprintf(file, ",%.4g,%.4g,%.6g,%.6g,%ld,%ld,%ld,%d\n", run->momentum, run->angular, run->impact,
            run->rest, run->islands, run->certified, run->proven, run->jointed);
}

// ---------------------------------------------------------------------------------------------
// The worst scenes

static TactStatus save(const TactTruthBench *bench, int s, const char *folder, const char *what,
                       const TactTruthCount *figure)
{
    TactTruthScene scene = {bench->family, bench->seed, figure->index};
    TactModel     *model = NULL;
    char          *text = NULL, path[4096];
    if (figure->index < 0 || figure->scenes == 0) {
        return TACT_OK;
    }
    snprintf(path, sizeof path, "%s/%s-%d-%d-%gms-%s.xml", folder,
             tact_truth_family_name(bench->family), bench->seed, figure->index,
             1e3 * bench->step[s], what);
    TactStatus status = tact_truth_make_scene(&scene, bench->step[s], &text, &model);
    if (status == TACT_OK) {
        FILE *file = fopen(path, "w");
        bool  good = file && fputs(text, file) >= 0;
        good = file && fclose(file) == 0 && good;
        status = good ? TACT_OK : TACT_IO_ERROR;
        printf(good ? "%s\n" : "%s cannot be written\n", path);
    }
    tact_model_destroy(model);
    free(text);
    return status;
}

TactStatus tact_truth_save_worst(const TactTruthBench *bench, const char *folder)
{
    TactStatus status = mkdir(folder, 0777) == 0 || errno == EEXIST ? TACT_OK : TACT_IO_ERROR;
    printf("\nWorst scenes of %s:\n", tact_truth_family_name(bench->family));
    for (int s = 0; s < bench->steps && status == TACT_OK; s++) {
        const TactTruthCell *cell = &bench->cell[s][0];
        status = save(bench, s, folder, "velocity", &cell->beyond);
        status = status == TACT_OK ? save(bench, s, folder, "depth", &cell->depth) : status;
        status = status == TACT_OK ? save(bench, s, folder, "energy", &cell->energy) : status;
    }
    return status;
}
