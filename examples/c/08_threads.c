// Threads: 32 worlds of one model, each with a friction of its own, the same bits on 1 to 4 threads.
#include <stdio.h>
#include <tact/batch.h>
#include <tact/load.h>

enum { WORLDS = 32, STEPS = 300 };

int main(void)
{
    static double    mu[WORLDS], q[WORLDS * 7];
    TactRolloutWorld told[WORLDS], first[WORLDS];
    const char      *path = "geom/floor/friction";
    TactModelLoadConfig    load = tact_model_load_config_default();
    TactModel       *model = NULL;
    TactStatus       status = tact_model_load("scenes/slide.xml", &load, &model, NULL);
    const double     v[6] = {6, 0, 0, 0, 0, 0};
    static double    velocity[WORLDS * 6];
    for (int w = 0; w < WORLDS; w++) {
        mu[w] = 0.5 + 0.05 * w; // of two geoms the larger one counts: that of the cube is 0.5
        for (int k = 0; k < 6; k++) {
            velocity[6 * w + k] = v[k];
        }
    }
    for (int threads = 1; threads <= 4 && status == TACT_OK; threads *= 2) {
        TactWorkers  *workers = NULL;
        TactSimConfig config = tact_sim_config_default(model);
        TactRollout   rollout = {.worlds = WORLDS, .steps = STEPS, .every = STEPS, .v = velocity,
                                 .parameter_count = 1, .paths = &path, .values = mu,
                                 .q_out = q, .worlds_out = threads == 1 ? first : told};
        status = tact_workers_create(threads, &workers);
        if (status == TACT_OK) {
            status = tact_rollout_run(workers, model, &config, &rollout);
        }
        int same = 0;
        for (int w = 0; w < WORLDS; w++) {
            same += threads == 1 || told[w].hash == first[w].hash;
        }
        printf("%d threads: %d of %d worlds as on one\n", threads, same, WORLDS);
        tact_workers_destroy(workers);
    }
    if (status == TACT_OK) {
        printf("friction %.2f slid %.3f m, friction %.2f slid %.3f m\n", mu[0], q[0],
               mu[WORLDS - 1], q[7 * (WORLDS - 1)]);
    } else {
        fprintf(stderr, "%s\n", tact_status_message());
    }
    tact_model_destroy(model);
    return status != TACT_OK;
}
