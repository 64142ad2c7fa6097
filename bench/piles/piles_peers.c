// The same falling heap in other engines, by what `tact bench sim` measures with.
#define _GNU_SOURCE // mkstemps()
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "bench/engines.h"
#include "bench/piles/piles.h"
#include "bench/sim/sim.h"

// The best of so many counts, if there is time for them.
enum { ROUNDS = 3 };

static bool write_file(const TactPileScene *scene, char *path)
{
    int   handle = mkstemps(path, 4);
    FILE *file = handle >= 0 ? fdopen(handle, "w") : NULL;
    if (!file) {
        return false;
    }
    tact_pile_write(scene, file);
    bool bad = ferror(file) != 0;
    return fclose(file) == 0 && !bad;
}

/// A row of an engine: what it did is known of the whole of its steps only.
static TactPileRun row_of(const TactSimBench *bench, int engine)
{
    const TactSimCell       *cell = &bench->cell[0][engine];
    const TactSimOwnFigures *own = &bench->own[0];
    TactPileRun              run = {
                     .steps = cell->steps,
                     .mean_contacts = cell->contacts,
                     .mean = cell->steps > 0 ? cell->seconds : NAN,
                     .late = NAN,
                     .longest = NAN,
                     .collide = NAN,
                     .error = NAN,
                     .penetration = cell->held.penetration,
                     .grown = cell->bytes,
                     .threads = 1,
    };
    if (engine == 0) {
        run.contacts = own->contacts;
        run.solves = own->solves;
        run.certified = own->certified;
        run.error = own->error;
        run.made = (double)own->made;
        run.grown = (double)own->grown;
    }
    return run;
}

static void print_memory(const TactSimBench *bench)
{
    printf("  memory, MB:");
    for (int e = 0; e < bench->engines; e++) {
        TactPileRun run = row_of(bench, e);
        if (bench->cell[0][e].taken) {
            printf(" %s %.1f", bench->engine[e]->name, 1e-6 * (run.made + run.grown));
        }
    }
    printf("\n");
}

int tact_pile_compare(const TactPileScene *scene, double time, const TactPilePeers *peers,
                      FILE *csv)
{
    static TactSimBench bench;
    char                name[64], path[] = "/tmp/tact-bench-XXXXXX.xml", says[64];
    snprintf(name, sizeof name, "%s %d, seed %d", tact_pile_shape_name(scene->shape), scene->number,
             scene->seed);
    snprintf(says, sizeof says, "%s%s", tact_pile_mode(scene),
             scene->sleeps ? ", sleeping where engines can" : "");
    TactSimScene row = {.name = name,
                        .time = time,
                        .step = scene->step,
                        .settle = scene->settle,
                        .sleeps = scene->sleeps,
                        .at_rest = scene->layers || scene->settle > 0,
                        .says = says};
    bench = (TactSimBench){.scene = {&row}};
    bench.engines = tact_bench_load_engines(
        &(TactBenchEngines){
            .own = &tact_sim_own, .peers = true, .module = peers->module, .only = peers->engines},
        bench.engine, TACT_SIM_ENGINES);
    bool       written = write_file(scene, path);
    TactStatus status =
        written ? tact_sim_bench_run(&bench, 0, path, ROUNDS, peers->budget) : TACT_IO_ERROR;
    if (status == TACT_OK) {
        tact_sim_print_scene(&bench, 0);
        print_memory(&bench);
        fflush(stdout);
        for (int e = 0; e < bench.engines; e++) {
            TactPileRun run = row_of(&bench, e);
            tact_pile_row_write(bench.cell[0][e].taken ? csv : NULL, bench.engine[e]->name, scene,
                                time, &run);
        }
    } else {
        fprintf(stderr, "tact: bench piles: %s\n",
                written ? tact_status_message() : "cannot write a scene to /tmp");
    }
    unlink(path);
    return status != TACT_OK ? 2 : bench.own[0].certified < bench.own[0].solves;
}
