// Your robot: an MJCF or URDF file, what tact does with it, and two seconds under its servos.
#include <stdio.h>
#include <tact/load.h>
#include <tact/sim.h>

int main(int argc, char **argv)
{
    const char     *path = argc > 1 ? argv[1] : "scenes/hand.xml";
    TactModelLoadConfig   load = tact_model_load_config_default();
    TactModel      *model = NULL;
    TactModelNotes *notes = NULL;
    TactSim        *sim = NULL;
    TactStatus      status = tact_model_load(path, &load, &model, &notes);
    if (status != TACT_OK) {
        fprintf(stderr, "%s\n", tact_status_message());
        return 1;
    }
    printf("%d bodies of %.3f kg, %d degrees of freedom, %d actuators\n", model->body_count - 1,
           model->mass, model->nv, model->actuator_count);
    for (int i = 0; i < notes->count; i++) { // what the motion would notice
        const TactModelNote *note = &notes->items[i];
        if (note->verdict != TACT_VERDICT_HONOURED && note->physics) {
            printf("%s:%d: %s %s: %s\n", note->file, note->line, note->element, note->attribute,
                   note->text);
        }
    }
    TactSimConfig config = tact_sim_config_default(model);
    TactSimReport report = {0};
    status = tact_sim_create(model, &config, &sim);
    if (status == TACT_OK && model->keyframe_count > 0) {
        status = tact_sim_reset(sim, 0);
    }
    int steps = (int)(2 / config.timestep + 0.5);
    for (int i = 0; i < steps && status == TACT_OK; i++) {
        status = tact_sim_step(sim, &report);
    }
    if (status == TACT_OK) {
        printf("after %.1f s: %d contacts, %d of %d contact problems proven\n",
               tact_sim_view_state(sim)->time, report.contacts, report.certified, report.islands);
    } else {
        fprintf(stderr, "%s\n", tact_status_message());
    }
    tact_sim_destroy(sim);
    tact_model_notes_destroy(notes);
    tact_model_destroy(model);
    return status != TACT_OK;
}
