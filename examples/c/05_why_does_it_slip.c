// Why does it slip? The same slope with less and less friction, each answer in words.
#include <stdio.h>
#include <tact/load.h>
#include <tact/sim.h>

int main(void)
{
    TactModelLoadConfig load = tact_model_load_config_default();
    TactModel    *model = NULL;
    TactSim      *sim = NULL;
    TactStatus    status = tact_model_load("scenes/slope.xml", &load, &model, NULL);
    if (status == TACT_OK) {
        TactSimConfig config = tact_sim_config_default(model);
        status = tact_sim_create(model, &config, &sim);
    }
    for (double mu = 0.5; mu > 0.2 && status == TACT_OK; mu -= 0.1) {
        TactSimReport  report;
        TactSimPatches patches = {0};
        char           path[64], words[1024];
        for (int i = 0; i < model->geom_count && status == TACT_OK; i++) {
            snprintf(path, sizeof path, "geom/%d/friction", i);
            status = tact_sim_set(sim, path, &mu, 1); // without compiling the model again
        }
        if (status == TACT_OK) {
            status = tact_sim_reset(sim, -1);
        }
        for (int i = 0; i < 50 && status == TACT_OK; i++) {
            status = tact_sim_step(sim, &report);
        }
        if (status == TACT_OK) {
            status = tact_sim_compute_patches(sim, &patches);
        }
        for (int i = 0; i < patches.count; i++) {
            tact_sim_explain_patch(model, &patches.patches[i], words, sizeof words);
            printf("friction %.1f: %s\n", mu, words);
        }
    }
    if (status != TACT_OK) {
        fprintf(stderr, "%s\n", tact_status_message());
    }
    tact_sim_destroy(sim);
    tact_model_destroy(model);
    return status != TACT_OK;
}
