// Any bytes as a URDF: an error with a message, or a model whose bodies stand somewhere.
#include <stdint.h>
#include <stdlib.h>
#include <tact/load.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(int truth)
{
    if (!truth) {
        abort();
    }
}

static void look_at(const TactModel *model)
{
    TactTransform *poses = calloc((size_t)model->body_count, sizeof *poses);
    require(poses != NULL);
    tact_model_compute_poses(model, model->q_reference, poses);
    for (int i = 1; i < model->body_count; i++) {
        require(model->bodies[i].parent < i);
        require(model->bodies[i].inertia.mass >= 0);
    }
    free(poses);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    TactModelLoadConfig config = tact_model_load_config_default();
    TactModel          *model = NULL;
    TactModelNotes     *notes = NULL;
    config.urdf_free = size % 2;
    TactStatus status =
        tact_model_load_memory("fuzz.urdf", (const char *)data, size, &config, &model, &notes);
    require((status == TACT_OK) == (model != NULL));
    require(status == TACT_OK || tact_status_message()[0] != '\0');
    require(notes != NULL);
    if (model) {
        look_at(model);
    }
    tact_model_notes_destroy(notes);
    tact_model_destroy(model);
    return 0;
}
