// Steps of a scene in C, for comparison with the same steps from Python (bench/python/steps.py).
//
//     tact_python_steps SCENE STEPS    prints the processor time of the steps, s, and the last hash
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <tact/load.h>
#include <tact/sim.h>
#include <time.h>

static double processor_time(void)
{
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

int main(int argc, char **argv)
{
    TactModelLoadConfig load = tact_model_load_config_default();
    TactModel          *model = NULL;
    TactSim            *sim = NULL;
    TactSimReport       report = {0};
    errno = 0;
    long steps = argc == 3 ? strtol(argv[2], NULL, 10) : 0;
    if (steps <= 0 || errno) {
        fprintf(stderr, "usage: tact_python_steps SCENE STEPS\n");
        return 2;
    }
    TactStatus status = tact_model_load(argv[1], &load, &model, NULL);
    if (status == TACT_OK) {
        TactSimConfig config = tact_sim_config_default(model);
        status = tact_sim_create(model, &config, &sim);
    }
    double before = processor_time();
    for (long i = 0; i < steps && status == TACT_OK; i++) {
        status = tact_sim_step(sim, &report);
    }
    double after = processor_time();
    if (status != TACT_OK) {
        fprintf(stderr, "%s\n", tact_status_message());
    } else {
        printf("%.6f %llu\n", after - before, (unsigned long long)report.hash);
    }
    tact_sim_destroy(sim);
    tact_model_destroy(model);
    return status != TACT_OK;
}
