// Contact forces: on which body, in which frame, with which sign; stick or slide. A block on a slope.
#include <math.h>
#include <stdio.h>
#include <tact/load.h>
#include <tact/sim.h>

/// 0 rather than -0, and rather than what rounding leaves.
static double clean(double x)
{
    return fabs(x) < 1e-6 ? 0 : x;
}

int main(void)
{
    TactModelLoadConfig load = tact_model_load_config_default();
    TactModel    *model = NULL;
    TactSim      *sim = NULL;
    TactSimReport report;
    TactStatus    status = tact_model_load("scenes/slope.xml", &load, &model, NULL);
    if (status == TACT_OK) {
        TactSimConfig config = tact_sim_config_default(model);
        status = tact_sim_create(model, &config, &sim);
    }
    for (int i = 0; i < 100 && status == TACT_OK; i++) {
        status = tact_sim_step(sim, &report);
    }
    if (status != TACT_OK) {
        fprintf(stderr, "%s\n", tact_status_message());
        return 1;
    }
    int                   count = 0;
    const TactSimContact *contacts = tact_sim_view_contacts(sim, &count);
    TactVec3              sum = {0, 0, 0};
    for (int i = 0; i < count; i++) { // forces are those on body b; minus them act on a
        const TactSimContact *c = &contacts[i];
        TactVec3              f = tact_sim_contact_get_force(c);
        sum = tact_vec3_add(sum, f);
        printf("contact %d of %s and %s: normal %.3f N, friction used %.2f, %s\n", i,
               model->bodies[c->body[0]].name, model->bodies[c->body[1]].name, c->force[0],
               c->friction_used, tact_contact_state_name(c->state));
    }
    printf("sum on the block, world frame: %.3f %.3f %.3f N\n", clean(sum.x), clean(sum.y),
           clean(sum.z));
    tact_sim_destroy(sim);
    tact_model_destroy(model);
    return 0;
}
