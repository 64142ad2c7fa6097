// Tables and CSV of `tact bench sim`.
#include <math.h>
#include <string.h>

#include "bench/csv.h"
#include "bench/sim/sim.h"
#include "bench/wanted.h"

static void print_length(double length)
{
    if (isnan(length)) {
        printf(" %9s", "?");
    } else if (length == 0) {
        printf(" %9s", "0");
    } else if (length < HUGE_VAL) {
        printf(" %9.1e", length);
    } else {
        printf(" %9s", "gone");
    }
}

static const char *const end_words[] = {
    [TACT_SIM_COMPLETE] = "complete",
    [TACT_SIM_GAVE_UP] = "gave up",
    [TACT_SIM_TIME_OVER] = "time over",
    [TACT_SIM_STOPPED] = "stopped or died",
};

void tact_sim_print_scene(const TactSimBench *bench, int scene)
{
    const TactSimScene      *s = bench->scene[scene];
    const TactSimOwnFigures *own = &bench->own[scene];
    printf("\n%s: %s; %d bodies, %d dof\n", s->name, s->says, bench->bodies[scene],
           bench->nv[scene]);
    printf("  %-12s %10s %9s %7s %9s %9s %9s %9s\n", "", "us a step", "steps/s", "tact/it",
           "contacts", "drift", "joints", "depth");
    for (int e = 0; e < bench->engines; e++) {
        const TactSimCell *cell = &bench->cell[scene][e];
        printf("  %-12s", bench->engine[e]->name);
        if (!cell->taken) {
            printf(" does not take this scene\n");
            continue;
        }
        if (cell->steps == 0) {
            printf(" no step within %.0f s\n", cell->seconds);
            continue;
        }
        printf(" %10.1f %9.3g %7.2f %9.1f", 1e6 * cell->seconds, 1 / cell->seconds,
               bench->cell[scene][0].seconds / cell->seconds, cell->contacts);
        if (s->at_rest) {
            print_length(cell->held.drift);
        } else {
            printf(" %9s", "");
        }
        print_length(cell->held.joint_error);
        print_length(cell->held.penetration);
        if (cell->end != TACT_SIM_COMPLETE) {
            printf("  %s after %d steps", end_words[cell->end], cell->steps);
        }
        printf("\n");
    }
    printf(
        "  tact: %d of %d contact problems certified, worst error %.1e\n"
        "  memory: %.0f bytes a body when made; solvers have grown by %.3f MB: %.0f bytes a body, "
        "%.0f a contact\n",
        own->certified, own->solves, own->error, (double)own->made / bench->bodies[scene],
        1e-6 * (double)own->grown, (double)own->grown / bench->bodies[scene],
        own->contacts > 0 ? (double)own->grown / own->contacts : 0);
}

// ---------------------------------------------------------------------------------------------
// What is wanted

typedef struct Wanted {
    const char *scene, *engine;
    double      least; // times as fast as the engine
} Wanted;

static const Wanted wanted[] = {
    {"humanoid", "mujoco", 1}, {"chain", "mujoco", 2},         {"chain", "ode", 1},
    {"pile-64", "ode", 20},    {"pile-64", "mujoco", 1.0 / 3},
};

static int find_engine(const TactSimBench *bench, const char *name)
{
    int e = 0;
    while (e < bench->engines && strcmp(bench->engine[e]->name, name) != 0) {
        e++;
    }
    return e;
}

void tact_sim_print_wanted(const TactSimBench *bench)
{
    bool head = false;
    for (size_t i = 0; i < sizeof wanted / sizeof wanted[0]; i++) {
        int e = find_engine(bench, wanted[i].engine);
        for (int s = 0; s < bench->scenes && e < bench->engines; s++) {
            const TactSimCell *cell = &bench->cell[s][e];
            if (strcmp(bench->scene[s]->name, wanted[i].scene) != 0 || !cell->taken ||
                cell->steps == 0) {
                continue;
            }
            double got = cell->seconds / bench->cell[s][0].seconds;
            if (!head) {
                printf("\nTimes as fast as the others       wanted     got\n");
                head = true;
            }
            printf("  %-12s %-12s %12.2f %7.2f  %s\n", wanted[i].scene, wanted[i].engine,
                   wanted[i].least, got, tact_bench_wanted(got >= wanted[i].least));
        }
    }
}

/// From one pile to the next larger one.
void tact_sim_print_scaling(const TactSimBench *bench)
{
    for (int s = 1; s < bench->scenes; s++) {
        const TactSimCell *small = &bench->cell[s - 1][0], *large = &bench->cell[s][0];
        if (bench->scene[s - 1]->boxes == 0 || bench->scene[s]->boxes == 0) {
            continue;
        }
        double boxes = log((double)bench->bodies[s] / bench->bodies[s - 1]);
        double memory = (double)bench->own[s].grown / (double)bench->own[s - 1].grown;
        printf("\ntact, from %d boxes to %d: time a step with the power %.2f of the boxes, memory "
               "%.2f\n",
               bench->bodies[s - 1], bench->bodies[s], log(large->seconds / small->seconds) / boxes,
               log(memory) / boxes);
    }
}

// ---------------------------------------------------------------------------------------------
// CSV

int tact_sim_write_csv(const TactSimBench *bench, const char *path)
{
    FILE *file = tact_bench_csv_open(path);
    if (!file) {
        return 2;
    }
    for (int e = 1; e < bench->engines; e++) {
        fprintf(file, "# peer: %s %s; timed: %s\n", bench->engine[e]->name,
                bench->engine[e]->version, bench->engine[e]->timed);
    }
    for (int s = 0; s < bench->scenes; s++) {
        const TactSimOwnFigures *own = &bench->own[s];
        fprintf(
            file,
            "# tact on %s: %d of %d contact problems certified, worst error %.1e; %zu bytes for "
            "%d bodies, %zu more for up to %d contacts\n",
            bench->scene[s]->name, own->certified, own->solves, own->error, own->made,
            bench->bodies[s], own->grown, own->contacts);
    }
    fprintf(file, "scene,bodies,nv,engine,us_a_step,tact_over_it,steps,contacts,drift,joint_error,"
                  "penetration,end\n");
    for (int s = 0; s < bench->scenes; s++) {
        for (int e = 0; e < bench->engines; e++) {
            const TactSimCell *cell = &bench->cell[s][e];
            if (cell->taken) {
                fprintf(file, "%s,%d,%d,%s,%.3f,%.3f,%d,%.1f,%.3e,%.3e,%.3e,%s\n",
                        bench->scene[s]->name, bench->bodies[s], bench->nv[s],
                        bench->engine[e]->name, 1e6 * cell->seconds,
                        bench->cell[s][0].seconds / cell->seconds, cell->steps, cell->contacts,
                        cell->held.drift, cell->held.joint_error, cell->held.penetration,
                        end_words[cell->end]);
            }
        }
    }
    return tact_bench_csv_close(file, path);
}
