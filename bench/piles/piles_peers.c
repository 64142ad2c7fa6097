// The same falling heap in other engines, by what `tact bench sim` measures with.
#define _GNU_SOURCE // mkstemps()
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "bench/engines.h"
#include "bench/piles/piles.h"
#include "bench/sim/sim.h"

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

int tact_pile_compare(const TactPileScene *scene, double time, const TactPilePeers *peers)
{
    static TactSimBench bench;
    char                name[64], path[] = "/tmp/tact-bench-XXXXXX.xml";
    snprintf(name, sizeof name, "%s %d, seed %d", tact_pile_shape_name(scene->shape), scene->number,
             scene->seed);
    TactSimScene row = {.name = name,
                        .time = time,
                        .step = scene->step,
                        .says = scene->wedged ? "falling, wedged at the start" : "falling"};
    bench = (TactSimBench){.scene = {&row}};
    tact_sim_count_memory(true);
    bench.engines = tact_bench_load_engines(
        &(TactBenchEngines){.own = &tact_sim_own, .peers = true, .module = peers->module},
        bench.engine, TACT_SIM_ENGINES);
    bool       written = write_file(scene, path);
    TactStatus status =
        written ? tact_sim_bench_run(&bench, 0, path, 1, peers->budget) : TACT_IO_ERROR;
    if (status == TACT_OK) {
        tact_sim_print_scene(&bench, 0);
        fflush(stdout);
    } else {
        fprintf(stderr, "tact: bench piles: %s\n",
                written ? tact_status_message() : "cannot write a scene to /tmp");
    }
    unlink(path);
    tact_sim_count_memory(false);
    return status != TACT_OK ? 2 : bench.own[0].certified < bench.own[0].solves;
}
