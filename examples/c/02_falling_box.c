// A box falls on a floor: a model from a text, a simulation, steps.
#include <stdio.h>
#include <string.h>
#include <tact/load.h>
#include <tact/sim.h>

static const char scene[] =
    "<mujoco><option timestep='0.002'/><worldbody>"
    "  <geom type='plane' size='1 1 1'/>"
    "  <body name='box' pos='0 0 0.5'><freejoint/>"
    "    <geom type='box' size='0.1 0.1 0.1' mass='1'/></body>"
    "</worldbody></mujoco>";

int main(void)
{
    TactModelLoadConfig load = tact_model_load_config_default();
    TactModel    *model = NULL;
    TactSim      *sim = NULL;
    TactStatus    status =
        tact_model_load_memory("box.xml", scene, strlen(scene), &load, &model, NULL);
    if (status == TACT_OK) {
        TactSimConfig config = tact_sim_config_default(model);
        status = tact_sim_create(model, &config, &sim);
    }
    int solved = 0, solves = 0;
    for (int i = 1; i <= 500 && status == TACT_OK; i++) {
        TactSimReport report;
        status = tact_sim_step(sim, &report);
        solves += report.islands;
        solved += report.certified;
        if (i % 100 == 0) {
            const TactSimState *state = tact_sim_view_state(sim);
            printf("%.1f s: height %.4f m, speed %.4f m/s, %d contacts\n", state->time,
                   state->q[2], -state->v[2] + 0.0, report.contacts);
        }
    }
    if (status != TACT_OK) {
        fprintf(stderr, "%s\n", tact_status_message());
    } else {
        printf("%d of %d contact problems proven\n", solved, solves);
    }
    tact_sim_destroy(sim);
    tact_model_destroy(model);
    return status != TACT_OK;
}
